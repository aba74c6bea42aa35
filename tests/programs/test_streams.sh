#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where input comes from and where output goes: - for the standard streams, symbolic links, names
# that are no UTF-8; and the words that ask for help and version.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}" "${VERSION:?}"
. "$SOURCE_DIR/tests/programs/common.sh"
. "$SOURCE_DIR/tests/programs/make_npy.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

make_zeros a.npy '<f4' '32, 32' 4096
printf '.thread 0\nNOP\n' >nop.ttasm
printf '.tensor T, fp32, tiled 32x32, 0x1000\n.thread 0\nNOP\n' >both.ttasm

# - is the standard input, for the program and for an array.
"$TESSERA" run - --arch wh <nop.ttasm >report
grep -q '^- on wormhole_b0 completed' report || fail "no report of the program on stdin"
head -n 1 both.ttasm | cat - nop.ttasm | sed 's/^NOP/FROB/' >wrong.ttasm
if "$TESSERA" run - --arch wh --in T=a.npy <wrong.ttasm 2>stderr; then fail "FROB was taken"; fi
grep -q "^tessera: -:3: " stderr || fail "no line of the program on stdin: $(cat stderr)"
# A pipe cannot be measured or read twice.
# shellcheck disable=SC2002 # a pipe is what is tested
cat a.npy | "$TESSERA" run both.ttasm --arch wh --in T=- --out T=b.npy >report
cmp a.npy b.npy

# - is the standard output, and the report makes room for it.
"$TESSERA" run both.ttasm --arch wh --in T=a.npy --out T=- >c.npy 2>stderr
cmp a.npy c.npy
grep -q 'both.ttasm on wormhole_b0 completed' stderr || fail "no report beside an array"
cat a.npy | "$TESSERA" run both.ttasm --arch wh --in T=- --out T=- --json 2>report.json |
    cmp - a.npy
grep -q '"status": 0' report.json || fail "no report as JSON beside an array"
"$TESSERA" run nop.ttasm --arch wh --trace - >t.json 2>stderr
[ "$(head -n 1 t.json)" = '{"traceEvents":[' ] || fail "no trace on stdout"
grep -q 'completed' t.json && fail "the report is in the trace"
[ ! -e - ] || fail "a file is called -"

# A symbolic link stays what it is, and what it names is written, there or not, and through two.
mkdir folder
printf old >folder/old.npy
ln -s folder/old.npy link.npy
ln -s old.npy folder/second.npy
ln -s folder/second.npy first.npy
ln -s folder/new.npy dangling.npy
for link in link.npy first.npy dangling.npy; do
    printf old >folder/old.npy
    "$TESSERA" run both.ttasm --arch wh --in T=a.npy --out T=$link >report
    [ -L $link ] || fail "$link was replaced"
    cmp a.npy $link
done
[ -L folder/second.npy ] || fail "the second link was replaced"
[ "$(ls folder | tr '\n' ' ')" = 'new.npy old.npy second.npy ' ] || fail "files: $(ls folder)"

# A name may hold any byte; JSON holds characters.
name=$(printf 'a\377b\303\244c\360\237.ttasm')
if cp nop.ttasm "$name" 2>/dev/null; then
    "$TESSERA" run "$name" --arch wh --json >report.json
    printf '  "program": "a\357\277\275b\303\244c\357\277\275\357\277\275.ttasm",\n' >wanted
    grep '"program"' report.json | cmp - wanted || {
        cat report.json
        fail "the name in JSON"
    }
fi

# Help and version, each way.
for command in run check asm disasm explain status help; do
    "$TESSERA" help $command >one
    "$TESSERA" $command --help >two
    "$TESSERA" $command -h >three
    cmp one two
    cmp one three
    head -n 1 one | grep -q "^usage: tessera $command" || fail "help $command"
    grep -q "^  $command " <<END || fail "$command is in no list"
$("$TESSERA" help)
END
done
"$TESSERA" help >one
"$TESSERA" --help | cmp - one
"$TESSERA" -h | cmp - one
[ "$("$TESSERA" -V)" = "tessera $VERSION" ] || fail "-V"
[ "$("$TESSERA" --version)" = "tessera $VERSION" ] || fail "--version"
# What the help lists is in the document.
for command in run check; do
    "$TESSERA" help $command | sed -n 's/^  \(--[a-z-]*\).*/\1/p' >options
    while read -r option; do
        grep -q -- "$option" "$SOURCE_DIR/docs/cli.md" || [ $command = check ] ||
            fail "docs/cli.md lacks $option"
    done <options
done
echo "streams, links and names are taken as they should"
