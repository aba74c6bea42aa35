#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each row of the table of exit statuses in docs/cli.md: what gives it, and that the help of every
# command says the same.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}"
. "$SOURCE_DIR/tests/programs/make_npy.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0

# gives STATUS ARGUMENT…: output goes to stdout and stderr, which must be empty after success only.
gives()
{
    wanted=$1
    shift
    status=0
    "$TESSERA" "$@" >stdout 2>stderr || status=$?
    if [ "$status" != "$wanted" ] || { [ "$status" = 0 ] && [ -s stderr ]; } ||
        { [ "$status" != 0 ] && ! grep -q '^tessera: ' stderr; }; then
        echo "tessera $*: status $status, not $wanted, said: $(cat stderr)"
        failed=1
    fi
}

# says TEXT: in what the last command said on stderr.
says()
{
    grep -qF -- "$1" stderr || {
        echo "stderr lacks '$1': $(cat stderr)"
        failed=1
    }
}

printf '.thread 0\nNOP\n' >nop.ttasm
printf '.thread 0\n.rep 8000000\nNOP\n.endr\n' >long.ttasm
printf '.thread 1\nRSTDMA\n' >missing.ttasm
printf '.thread 0\nSEMINIT sem_sel=1 init_value=0 max_value=1
SEMGET sem_sel=1\nend: NOP\n' >finding.ttasm
printf '.thread 0\nSEMINIT sem_sel=1 max_value=1\nSEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=2
SEMPOST sem_sel=1\n' >dead.ttasm
{ cat nop.ttasm; echo '.tensor T, int8, tiled 32x32, 0, out, shape 32x32'; } >out.ttasm

# 0: it worked, also with a finding that only is recorded, and with none of those that were named.
gives 0 run nop.ttasm --arch wh
gives 0 run nop.ttasm --arch wh --findings-fail
gives 0 run finding.ttasm --arch wh
gives 0 run finding.ttasm --arch wh --findings-fail=undefined-behaviour,bad-input
gives 0 run missing.ttasm --arch wh --stop-at 1:1

# 1: a rule was broken, a deadlock, no more cycles, a finding that is to fail, a case that failed.
gives 1 run finding.ttasm --arch wh --policy semaphore-at-zero=stop
gives 1 run dead.ttasm --arch wh
says deadlock
gives 1 run dead.ttasm --arch wh --timing on --max-cycles 2
says time-out
gives 1 run finding.ttasm --arch wh --findings-fail
says 'finding.ttasm: --findings-fail: there is a finding of non-contractual (semaphore-at-zero)'
gives 1 run finding.ttasm --arch wh --findings-fail=non-contractual --json
grep -q '"status": 1' stdout
gives 1 run finding.ttasm --arch wh --findings-fail=bad-input,semaphore-at-zero
gives 1 run finding.ttasm --arch wh --findings-fail --stop-at 0:end
line=$(grep -m1 '^[^#]' "$SOURCE_DIR/tests/conformance/cases/matrix_wh.jsonl")
printf '%s\n' "$line" >good.jsonl
gives 0 check good.jsonl
gives 0 check - <good.jsonl
{ head -n 1 "$SOURCE_DIR/tests/conformance/numerics/l1acc.txt"
    echo bf16 7c59 f859 7c59; } >l1acc.txt
status=0
"$TESSERA" check l1acc.txt >stdout 2>stderr || status=$?
[ "$status" = 1 ] || { echo "check of a wrong vector: status $status: $(cat stderr)"; failed=1; }

# 2: wrong input.
gives 2
gives 2 frob
gives 2 run
gives 2 run nop.ttasm
gives 2 run nop.ttasm --arch wh --frob
gives 2 run nop.ttasm --arch wh --findings-fail=frob
says "--findings-fail: no finding or category is called 'frob'"
gives 2 run nop.ttasm --arch wh --stop-at 0:9
gives 2 explain frob
gives 2 status frob
gives 2 help frob
gives 2 check nop.ttasm
printf '.thread 0\nFROB\n' >frob.ttasm
gives 2 run frob.ttasm --arch wh

# 3: no memory. A sanitizer's own memory does not fit such a limit either, and ends the process.
if (ulimit -v 40000 && "$TESSERA" --version) >stdout 2>stderr; then
    status=0
    (ulimit -v 40000 && "$TESSERA" run long.ttasm --arch bh) >stdout 2>stderr || status=$?
    [ "$status" = 3 ] || {
        echo "without memory: status $status, said: $(cat stderr)"
        failed=1
    }
    says 'no memory'
fi

# 4: what Tessera lacks, unless it is the policy to go on.
gives 4 run missing.ttasm --arch wh
says 'missing.ttasm:2: unimplemented (no-specification): '
gives 4 run missing.ttasm --arch wh --json
grep -q '"status": 4' stdout

# 5: files and streams, whoever reads or writes them.
full()
{
    status=0
    "$TESSERA" "$@" >/dev/full 2>stderr || status=$?
    if [ "$status" != 5 ]; then
        echo "tessera $* >/dev/full: status $status"
        failed=1
    fi
    says 'standard output: the file cannot be written: No space left on device'
}
if [ -w /dev/full ]; then
    for word in --help -h --version -V help 'help run' 'run --help' 'check --help' 'asm -h' \
        'disasm --help' 'explain --help' 'status --help' 'explain --list' 'explain NOP' status \
        'status UNPACR' man 'man --list' 'completion bash' 'check good.jsonl' \
        'run nop.ttasm --arch wh' \
        'run nop.ttasm --arch wh --json' 'run missing.ttasm --arch wh' \
        'run nop.ttasm --arch wh --trace -' 'run out.ttasm --arch wh --out T=-'; do
        # shellcheck disable=SC2086 # several words
        full $word
    done
    echo 0 | full disasm --arch wh -
    echo NOP | full asm --arch wh -
fi
status=0
"$TESSERA" --version >&- 2>stderr || status=$?
[ "$status" = 5 ] || { echo "--version without stdout: status $status"; failed=1; }
status=0
"$TESSERA" run - --arch wh <&- 2>stderr || status=$?
[ "$status" = 5 ] || { echo "run - without stdin: status $status"; failed=1; }
says 'standard input: the file cannot be read: Bad file descriptor'
gives 5 diff . .
says '.: the file cannot be read: Is a directory'
ln -s loop.npy loop.npy
gives 5 run out.ttasm --arch wh --out T=loop.npy
says 'loop.npy: the file cannot be written: Too many levels of symbolic links'
gives 5 run none.ttasm --arch wh
says 'none.ttasm: the file cannot be opened: No such file or directory'
gives 5 run . --arch wh
says '.: the file cannot be read: Is a directory'
gives 5 check none.json
says 'none.json: the file cannot be opened: No such file or directory'
gives 5 asm --arch wh none
for command in 'run' 'asm' 'disasm'; do
    gives 5 $command --arch wh nopp.ttasm
    says "nopp.ttasm: the file cannot be opened: No such file or directory (nearest: 'nop.ttasm')"
done
printf '.tensor T, bf16, tiled 32x32, 0, in\n.thread 0\nNOP\n' >in.ttasm
gives 5 run in.ttasm --arch wh --in T=nop.ttas
says "(nearest: 'nop.ttasm')"
gives 5 disasm --arch wh .
gives 5 run nop.ttasm --arch wh --trace ''
says "'': the file cannot be written: No such file or directory"
gives 5 run nop.ttasm --arch wh --trace nowhere/t.json
says 'nowhere/t.json: the file cannot be written: No such file or directory'
gives 5 run out.ttasm --arch wh --out T=nowhere/t.npy
gives 5 run out.ttasm --arch wh --out T=nop.ttasm/t.npy
says 'nop.ttasm/t.npy: the file cannot be written: Not a directory'

# One table, in the document and in every help.
"$TESSERA" --help | sed '1,/^Exit status:/d; /^$/,$d' >table
for command in run check disasm asm explain status help man completion; do
    "$TESSERA" "$command" --help | sed '1,/^Exit status:/d' | cmp - table || failed=1
done
[ "$(grep -c '^  [0-9]  ' table)" = 6 ]
# A row in one line, as the document has it.
sed 's/^  \([0-9]\)  /\n| \1 | /; s/^     / /' table | tr -d '\n' | sed 's/| [0-9] |/\n&/g' |
    sed '1d; s/$/ |/' >rows
echo >>rows
while read -r row; do
    grep -qxF -- "$row" "$SOURCE_DIR/docs/cli.md" || {
        echo "docs/cli.md lacks the row: $row"
        failed=1
    }
done <rows
[ "$(wc -l <rows)" = 6 ]

[ $failed = 0 ] && echo "every row of the exit statuses is as docs/cli.md says"
exit $failed
