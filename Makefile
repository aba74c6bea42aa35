# SPDX-License-Identifier: Apache-2.0
# The commands a newcomer needs; CMake does the work. Only `setup` and what names it installs
# anything, and only `setup` runs before CMake is there.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 600
FUZZ_SEED ?= $(shell date +%s)
LONG_WORDS ?= 1000000
LONG_SECONDS ?= 600
LONG_SEED ?= 1
PROFILE ?= USE
export JOBS PROFILE

.PHONY: help run test setup build ttsim bench fuzz long install clean

help:
	@echo 'make run      install what is missing, build, run examples/add, show its result'
	@echo 'make test     install what is missing, build, run all tests'
	@echo 'make setup    install the Debian packages of tools/packages.txt that are missing'
	@echo 'make build    build the command: build/tessera'
	@echo 'make ttsim    build what hosts of the vendor'"'"'s simulator load: build/libttsim_*.so'
	@echo 'make bench    build and run the benchmarks'
	@echo 'make fuzz     run the fuzz drivers, FUZZ_SECONDS=$(FUZZ_SECONDS) each'
	@echo 'make long     compare LONG_WORDS=$(LONG_WORDS) random instructions with each second model,'
	@echo '              fuzz the frontend for LONG_SECONDS=$(LONG_SECONDS)'
	@echo 'make install  install command, its pages, library and headers below PREFIX=$(PREFIX)'
	@echo 'make clean    remove the build folders'
	@echo 'What build, ttsim and bench build is optimised by a profile, which the first of them'
	@echo 'makes in build-profile; PROFILE=OFF does without.'

run: setup
	@PROFILE=KEEP tools/build_release.sh tessera_tool
	@TESSERA='$(CURDIR)/build/tessera' examples/add/run.sh

test: setup
	@tools/run_tests.sh

setup:
	@tools/setup.sh

build:
	@tools/build_release.sh tessera_tool

ttsim:
	@tools/build_release.sh ttsim_wh ttsim_bh

bench:
	@tools/build_release.sh bench_programs
	@tools/run_all.sh build/bench bench_

fuzz:
	@cmake --preset asan >/dev/null
	@cmake --build --preset asan -j$(JOBS) --target fuzz_programs
	@tools/run_all.sh build-asan/fuzz fuzz_ $(FUZZ_SECONDS) $(FUZZ_SEED)

long: build
	@cmake --build --preset release -j$(JOBS) --target oracle_programs fuzz_programs
	@tools/run_long.sh '$(CURDIR)/build' $(LONG_WORDS) $(LONG_SECONDS) $(LONG_SEED)

install: build ttsim
	@cmake --build --preset release -j$(JOBS) --target tessera
	@cmake --install build --prefix '$(PREFIX)'

clean:
	rm -rf build build-debug build-asan build-clang build-profile build-test
