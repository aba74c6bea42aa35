#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The libraries show the entry points of <tessera/ttsim.h> and nothing else, and need the C library
# alone.
set -eu
declared=$(sed -n 's/.*\(libttsim_[a-z0-9_]*\)(.*/\1/p' "$SOURCE_DIR/include/tessera/ttsim.h" |
    grep -v 'libttsim_api' | sort -u)
for chip in wh bh; do
    library="$BUILD_DIR/libttsim_$chip.so"
    shown=$(nm -D --defined-only "$library" | awk '{ print $3 }' | sort)
    [ "$shown" = "$declared" ] || {
        echo "FAIL: libttsim_$chip.so shows:"
        echo "$shown"
        exit 1
    }
    other=$(readelf -d "$library" | awk '
        /NEEDED/ && !/\[(libc\.so|ld-linux|libtessera\.so|lib(asan|ubsan|tsan))/ { print $NF }')
    [ -z "$other" ] || { echo "FAIL: libttsim_$chip.so needs $other"; exit 1; }
done
echo "exported: $(echo "$declared" | wc -l) functions"
