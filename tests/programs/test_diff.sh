#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `tessera diff`: two dumps of runs that differ in one number, one field and one row.
set -eu
: "${TESSERA:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# differ STATUS FILE FILE: output goes to stdout and stderr.
differ()
{
    wanted=$1
    shift
    status=0
    "$TESSERA" diff "$@" >stdout 2>stderr || status=$?
    [ "$status" = "$wanted" ] || {
        echo "tessera diff $*: status $status, not $wanted"
        head -n 20 stdout stderr
        exit 1
    }
}

# says TEXT: stdout is that text.
says()
{
    printf '%s\n' "$1" | cmp -s - stdout || {
        echo "tessera diff does not say '$1' but"
        head -n 20 stdout
        exit 1
    }
}

program()
{
    cat <<END
.thread 0
SETDMAREG Payload_SigSel=$1 RegIndex16b=4
cfg THCON_SEC0_REG2_Throttle_mode = $2
END
}
program 5 1 >one.ttasm
program 6 2 >two.ttasm
for name in one two; do
    "$TESSERA" run $name.ttasm --arch wh --dump gpr,cfg,sem,srca:bf16 >$name.txt
done
differ 0 one.txt one.txt
[ ! -s stdout ]
differ 1 one.txt two.txt
grep -qx 'gpr thread 0 gpr 2: 0x00000005 -> 0x00000006' stdout
grep -q "^cfg THCON_SEC0_REG2_Throttle_mode (bank 0): 0x1 -> 0x2; by thread 0 " stdout
grep -qx '2 rows differ' stdout
differ 1 - two.txt <one.txt

# Columns, marks and a row that only one has; the writer is shown, not compared.
cat >left.txt <<'END'
dst as FP32: rows
   0         1.5        -2   by thread 0 #1 MVMUL
   1         1.5        -2   by thread 0 #1 MVMUL
   2         0           3  written 0003

l1 as BF16: 2 tiles of 32 x 32 at 0x0
tile 0 at 0x0
   0  1 2
tile 1 at 0x800
   0  1 2
   1  7 inf
END
cat >right.txt <<'END'
some report
dst as FP32: rows
   0         1.5        -2  by thread 0 #7 MVMUL
   1         1.5        nan  by thread 0 #9 MVMUL
   2         0           3

l1 as BF16: 2 tiles of 32 x 32 at 0x0
tile 0 at 0x0
   0  1 2
tile 1 at 0x800
   0  3 4
   2  1 1
END
differ 1 left.txt right.txt
says 'dst as FP32 row 1: column 1: -2 -> nan; by thread 0 #9 MVMUL
dst as FP32 row 2: written 0003 -> no mark
l1 as BF16 tile 1 row 0: column 0: 1 -> 3, column 1: 2 -> 4
l1 as BF16 tile 1 row 1: only in left.txt
l1 as BF16 tile 1 row 2: only in right.txt
5 rows differ'

# Wrong input.
differ 2 one.txt
differ 5 one.txt none.txt
grep -q 'none.txt: the file cannot be opened' stderr
differ 2 one.txt one.ttasm
grep -q 'one.ttasm: there is no dump in this file' stderr
differ 2 - -
echo "dumps are told apart"
