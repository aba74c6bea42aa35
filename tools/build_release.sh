#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: build_release.sh [TARGET...]
# Builds the targets, or all, as the preset `release` says, with a profile of the library that gcc
# optimises by. If there is none, first a library that writes one is built in build-profile, and the
# programs below run with it, which takes two or three minutes. Later builds use the same profile:
# what has changed since is optimised as without. A new one is made when build-profile is removed.
# PROFILE=OFF builds without, PROFILE=KEEP makes none.
set -eu
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
folder=build-profile
data=$folder/data # cmake/flags.cmake uses it if it is there

# What is run most is what is optimised most, so compiled kernels have the largest part. The cases
# of tests/conformance have every mode a few times, so that none is laid out as never run.
programs="bench_tile bench_alive bench_matrix bench_pack bench_unpack bench_vector bench_cores"
cases="tests/conformance/cases tests/conformance/stories"
train() {
    for program in $programs; do
        echo "profile: $program"
        "$folder/bench/$program" 1 || return 1
    done
    echo "profile: bench_compiled"
    "$folder/bench/bench_compiled" 0.1 1 || return 1
    for timing in off on; do
        echo "profile: conformance, timing $timing"
        # Word splitting is wanted.
        # shellcheck disable=SC2086
        "$folder/tessera" check --timing "$timing" $cases || return 1
    done
}

make_profile() {
    cmake --preset profile >/dev/null
    if ! grep -q '^TESSERA_HAS_PROFILE:INTERNAL=1' "$folder/CMakeCache.txt"; then
        return # the compiler knows nothing of it
    fi
    echo "profile: building the library that writes it ($folder)"
    # Word splitting is wanted.
    # shellcheck disable=SC2086
    cmake --build --preset profile -j"$jobs" --target $programs bench_compiled tessera_tool
    rm -rf "$folder/raw"
    if ! train >"$folder/training.log" 2>&1; then
        echo "profile: none, since a program failed (the end of $folder/training.log)" >&2
        return
    fi
    mv "$folder/raw" "$data"
    # What an older one has made, or none.
    rm -rf build/CMakeFiles/tessera_whole.dir build/CMakeFiles/tessera_kernels.dir
}

profile=USE
if [ "${PROFILE:-USE}" = OFF ]; then
    profile=OFF
elif [ ! -d "$data" ] && [ "${PROFILE:-USE}" != KEEP ]; then
    make_profile
fi
cmake --preset release -DTESSERA_PROFILE=$profile >/dev/null
cmake --build --preset release -j"$jobs" ${1:+--target "$@"}
