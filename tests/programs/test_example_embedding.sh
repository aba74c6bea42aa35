#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/embedding: what docs/embedding.md says of its clients is what they print, on both chips;
# what is no program is refused. The lines for CI tell findings and waits with their places.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}" "${BUILD_DIR:?}" "${CC:=cc}"
export CC TESSERA
. "$SOURCE_DIR/tests/programs/common.sh"
needs_riscv_compiler
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TESSERA_FLAGS=$(client_flags)
export TESSERA_FLAGS
example=$SOURCE_DIR/examples/embedding
cd "$work"

fail()
{
    echo "FAIL: $1"
    exit 1
}

"$example/run_embedding.sh" >out 2>&1 || fail "run_embedding.sh: $(cat out)"
for line in 'the run ends: idle' 'L2 of lane 0: 0x40a00000' 'the run ends: deadlock' \
    'thread 1, instruction 401: ELWADD waits for SrcA bank 0, which the unpackers own; .*' \
    'deadlock (instruction-deadlock): .*' 'the run ends: idle, after [0-9]* cycles' \
    'T0 stands at 0x0000[0-9a-f]*, its end' 'L1 at 0x20000: 4321'; do
    [ "$(grep -cx "$line" out)" = 2 ] || fail "not twice: $line: $(cat out)"
done

# Without the image of private RAM the sum is another one.
sed 's/p_filesz == 0)/p_filesz == 0 || segment.p_vaddr >= 0xffb00000u)/' "$example/run_elf.c" \
    >other.c
cmp -s other.c "$example/run_elf.c" && fail 'the private RAM is not left out'
mkdir other
cp -r "$SOURCE_DIR/examples/common" .
cp "$example"/* other
mv other.c other/run_elf.c
sed -i "s|\"\$here\"/../../include|$SOURCE_DIR/include|" common/compile.sh
other/run_embedding.sh >out 2>&1 || fail "without RAM: $(cat out)"
if grep -q '4321' out; then fail "right without RAM: $(cat out)"; fi

# shellcheck disable=SC2086 # a list of flags
"$CC" -std=c17 -o run_elf "$example/run_elf.c" $TESSERA_FLAGS
for file in run_elf "$example/count.c"; do
    status=0
    ./run_elf wh "$file" >out 2>&1 || status=$?
    [ "$status" = 2 ] && grep -q 'cannot be loaded' out || fail "$file: $status, $(cat out)"
done

# The lines for CI, as they stand in the document.
if command -v jq >jq_path; then
    sed -n '/^    status=0$/,/^    esac$/p' "$SOURCE_DIR/docs/embedding.md" |
        sed 's/^    //; s/^tessera run/"$TESSERA" run/; s/ --in A=a.npy --out C=c.npy//' >ci.sh
    printf '.thread 1\nNOP\nELWADD\n' >kernel.ttasm
    sh ci.sh >out
    grep -x 'kernel.ttasm:3: thread 1: ELWADD waits for SrcA bank 0, which the unpackers own' out \
        >found || fail "ci.sh: $(cat out)"
    printf '.thread 0\nSETDVALID setvalid=1\n' >kernel.ttasm
    sh ci.sh >out
    grep '^kernel.ttasm:2: non-contractual (src-bank-left): ' out >found || fail "ci.sh: $(cat out)"
    printf '.thread 1\nWHAT\n' >kernel.ttasm
    status=0
    sh ci.sh >out 2>err || status=$?
    [ "$status" = 2 ] && [ ! -s out ] && grep -q 'kernel.ttasm:2: ' err ||
        fail "wrong input: $status: $(cat err)"
fi
echo "both clients print what they should"
