#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The whole program that docs/ttasm.md shows runs as it stands there, on both chips, and so it does
# with other formats behind the packer and other rows of Dst, which the page says how to reach. The
# fields that the page names for a path are those of the chips.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}"
. "$SOURCE_DIR/tests/programs/make_npy.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
page=$SOURCE_DIR/docs/ttasm.md

awk '/^A whole program/ { on = 1; next }
     on && /^    / { print substr($0, 5); next }
     on && /^$/ { print; next }
     on { exit }' "$page" >page.ttasm
grep -q '^\.thread 2' page.ttasm

# 1.0, -2.0, 0.5 and 0, which all float formats hold.
make_npy a.npy '<f4' '64, 32'
i=0
while [ $i -lt 512 ]; do
    printf '\000\000\200\077\000\000\000\300\000\000\000\077\000\000\000\000'
    i=$((i + 1))
done >>a.npy

# run PROGRAM: nothing to find, and the array comes back.
run()
{
    for arch in wh bh; do
        for timing in on off; do
            "$TESSERA" run "$1" --arch $arch --timing $timing --in A=a.npy --out C=c.npy >report
            grep -qx 'findings: 0' report
            cmp a.npy c.npy || {
                echo "$1 on $arch with timing $timing: another array"
                exit 1
            }
        done
    done
}

run page.ttasm
sed 's/C, bf16/C, bfp8/' page.ttasm >bfp8.ttasm
run bfp8.ttasm
# Row 64 of Dst is behind the dead zone at (64 + 4) * 16.
sed -e 's/Dest_cntx0_address = 4 \* 16/Dest_cntx0_address = (64 + 4) * 16/' \
    -e 's/PACK_SEC0_Offset = 0/PACK_SEC0_Offset = 64/' page.ttasm >row64.ttasm
run row64.ttasm
# Without the four rows the tile's first four are lost.
sed 's/Dest_cntx0_address = 4 \* 16/Dest_cntx0_address = 0/' page.ttasm >dead.ttasm
"$TESSERA" run dead.ttasm --arch wh --policy silicon --in A=a.npy --out C=c.npy >report
if cmp -s a.npy c.npy; then
    echo "nothing is lost in the dead zone"
    exit 1
fi

# Names of fields in the section, with n and m for numbers.
sed -n '/^## What each path needs/,/^A whole program/p' "$page" |
    grep -o '`[A-Z][A-Za-z0-9_.]*_[A-Za-z0-9_.]*`' | tr -d '`' |
    sed -e 's/SECn/SEC0/; s/SECm/SEC0/; s/UNPn/UNP0/; s/_n$/_0/' | sort -u >names
[ "$(wc -l <names)" -ge 40 ]
while read -r name; do
    case $name in
    THCON_SEC0_REG[18] | THCON_SEC1_REG[18]) continue ;;
    esac
    "$TESSERA" explain "$name" >/dev/null || {
        echo "docs/ttasm.md: there is no field '$name'"
        exit 1
    }
done <names
echo "the program of the page runs"
