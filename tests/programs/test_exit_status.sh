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
printf '.thread 0\n.rep 8000 i\nSETDMAREG Payload_SigSel=(i * i * 7919) & 0x3fff\n.endr\n' \
    >writes.ttasm
for trace in trace.json trace.json.gz; do
    status=0
    (
        trap '' XFSZ
        ulimit -f 8
        "$TESSERA" run writes.ttasm --arch wh --trace $trace
    ) >stdout 2>stderr || status=$?
    [ "$status" = 5 ] || { echo "$trace on a small disk: status $status"; failed=1; }
    says "$trace: the file cannot be written: File too large"
    [ ! -e $trace ] || { echo "a part of $trace was left"; failed=1; }
done

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
