#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whole programs copy arrays of every format through unpacker, SrcA, Dst and packer; what comes back
# must be the array that went in, on both chips, with timing on and off.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}"
here=$SOURCE_DIR/tests/programs
. "$here/make_npy.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Numbers that all formats hold: 1.0, -2.0, 0.5 and 0 for floats; small integers with both signs.
octets()
{
    i=0
    while [ $i -lt "$2" ]; do
        printf "$1"
        i=$((i + 1))
    done
}
make_npy float.npy '<f4' '64, 32'
octets '\000\000\200\077\000\000\000\300\000\000\000\077\000\000\000\000' 512 >>float.npy
make_npy half.npy '<f2' '2, 32, 32'
octets '\000\074\000\300\000\070\000\000' 512 >>half.npy
make_npy int.npy '<i2' '64, 32'
octets '\001\000\000\377\064\022\000\200' 512 >>int.npy

# copy L1-FORMAT SRC-FORMAT DST-FORMAT DST-BYTES ARRAY
copy()
{
    sed -e "s/@L1@/$1/" -e "s/@SRC@/$2/g" -e "s/@DST@/$3/" -e "s/@WIDTH@/$4/" \
        -e "s/@LAYOUT@/tiled 32x32/" "$here/copy_tiles.txt" >"$1.ttasm"
    for arch in wh bh; do
        for timing in on off; do
            "$TESSERA" run "$1.ttasm" --arch $arch --timing $timing --in "A=$5" --out C=c.npy \
                >report.txt || {
                cat report.txt
                exit 1
            }
            tail -c +129 "$5" >in.bin
            tail -c +129 c.npy >out.bin
            cmp in.bin out.bin || {
                echo "$1 on $arch with timing $timing: the copy differs"
                exit 1
            }
        done
    done
}

copy fp32 tf32 fp32 4 float.npy
copy bf16 bf16 bf16 2 float.npy
copy bfp8 bfp8 bf16 2 float.npy
copy bfp4 bfp4 bf16 2 float.npy
copy fp16 fp16 fp16 2 half.npy
copy int16 int16 int16 2 int.npy
echo "every copy equals its array"
