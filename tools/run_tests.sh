#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds everything with gcc, with clang, and with gcc's sanitizers, then gives the tests of all
# three to one ctest, so that the slow ones overlap and one summary closes the run.
set -eu
cd "$(dirname "$0")/.."

PROFILE=KEEP tools/build_release.sh
for preset in clang asan; do
    cmake --preset "$preset" >/dev/null
    cmake --build --preset "$preset" -j"${JOBS:-$(nproc)}"
done

mkdir -p build-test
for folder in build-asan build build-clang; do
    printf 'subdirs("%s/%s")\n' "$PWD" "$folder"
done >build-test/CTestTestfile.cmake
exec ctest --test-dir build-test --output-on-failure --no-tests=error -j"${JOBS:-$(nproc)}"
