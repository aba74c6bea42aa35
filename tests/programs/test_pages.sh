#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is made of the commands' rows beside help: manual pages and completion. And colours, which
# are there on a terminal only.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}" "${VERSION:?}"
. "$SOURCE_DIR/tests/programs/common.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
PATH=$(dirname "$TESSERA"):$PATH

# ---------------------------------------------------------------- manual pages

"$TESSERA" man --list >pages
[ "$(head -n 1 pages)" = tessera ] || fail "tessera(1) is not the first page"
while read -r page; do
    command=${page#tessera}
    command=${command#-}
    # shellcheck disable=SC2086 # no word for tessera(1)
    "$TESSERA" man $command >page.1
    grep -q "^\.TH \"[A-Z-]*\" \"1\" \"\" \"tessera $VERSION\" " page.1 || fail "$page has no head"
    for section in NAME SYNOPSIS DESCRIPTION 'EXIT STATUS' ENVIRONMENT 'SEE ALSO'; do
        grep -qx "\.SH $section" page.1 || fail "$page lacks $section"
    done
    # Every option of the help is in the page.
    "$TESSERA" help $command | sed -n 's/^  --\([a-z-]*\).*/\1/p' | sed 's/-/\\\\-/g' >options
    while read -r option; do
        grep -qF "\\-\\-$(printf %b "$option")" page.1 || fail "$page lacks $option"
    done <options
    # What roff does not understand it would say.
    if command -v groff >/dev/null; then
        groff -man -ww -K utf8 -T utf8 page.1 >text 2>warnings || fail "$page cannot be set"
        [ ! -s warnings ] || fail "$page: $(head -n 3 warnings)"
    fi
done <pages
for command in run explore check asm disasm explain locate diff kernel-header status help man \
    completion; do
    grep -qx "tessera-$command" pages || fail "no page of $command"
done

# ---------------------------------------------------------------- completion

"$TESSERA" completion bash >script.bash
"$TESSERA" completion zsh >script.zsh
"$TESSERA" completion fish >script.fish
[ "$(head -n 1 script.zsh)" = '#compdef tessera' ] || fail "the zsh script"
"$TESSERA" help run | sed -n 's/^  --\([a-z-]*\).*/\1/p' >options
[ "$(wc -l <options)" -gt 12 ] || fail "the help of run has few options"
while read -r option; do
    grep -q -- "'[*]*--$option[=-]*\[" script.zsh || fail "zsh does not know --$option"
    grep -q -- "-l $option " script.fish || fail "fish does not know --$option"
done <options
for shell in zsh fish; do
    if command -v $shell >/dev/null; then
        $shell -n script.$shell || fail "$shell does not take its script"
    fi
done

if command -v bash >/dev/null; then
    mkdir folder
    : >folder/a.npy
    : >program.ttasm
    cat >ask.bash <<'END'
. ./script.bash
failed=0
# completes WANTED WORD…: as bash cuts the line before the cursor; WANTED are some of the answers.
completes()
{
    local wanted=$1
    shift
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    _tessera
    for word in $wanted; do
        case " ${COMPREPLY[*]} " in
            *" $word "*) ;;
            *)
                echo "FAIL: '$*' gives '${COMPREPLY[*]}', not '$word'"
                failed=1
                ;;
        esac
    done
    [ -n "$wanted" ] || [ ${#COMPREPLY[@]} = 0 ] || {
        echo "FAIL: '$*' gives '${COMPREPLY[*]}', not nothing"
        failed=1
    }
}
completes 'run check explain help man completion --help' tessera ''
completes 'disasm' tessera di
completes '--arch --in --out --findings-fail --max-cycles --help' tessera run --
completes '--timing --trace' tessera run p.ttasm --t
completes 'wh bh' tessera run p.ttasm --arch ''
completes 'off' tessera run p.ttasm --timing = of
completes 'on off' tessera run p.ttasm --timing =
completes 'dst,srca dst,srcb' tessera run --dump dst,sr
completes 'silicon' tessera run --policy si
completes 'undefined-behaviour' tessera run --findings-fail = un
completes 'program.ttasm' tessera run --findings-fail pro
completes 'program.ttasm folder' tessera run --json ''
completes 'folder/a.npy' tessera run --in A = folder/
completes 'folder/a.npy' tessera run --in = A = folder/a
completes 'program.ttasm folder' tessera run --out A =
completes '' tessera run --in A
completes '' tessera run --seed ''
completes 'folder' tessera run --trace fol
completes 'auto staged' tessera check --pipeline ''
completes 'ELWADD ELWMUL' tessera explain ELW
completes 'uninitialised-l1' tessera explain uninit
completes '--list --arch' tessera explain -
completes 'UNPACR PACR' tessera status ''
completes 'bash zsh fish' tessera completion ''
completes 'run asm' tessera help ''
completes 'run asm' tessera man ''
complete -p tessera >/dev/null || failed=1
exit $failed
END
    bash ask.bash || fail "completion in bash"
fi

# ---------------------------------------------------------------- colours

escape=$(printf '\033')
printf '.thread 0\nSEMINIT sem_sel=1 init_value=0 max_value=1\nSEMGET sem_sel=1\n' >finding.ttasm
run="$TESSERA run finding.ttasm --arch wh --policy semaphore-at-zero=stop"
TERM=xterm $run >out 2>&1 && fail "the finding did not stop the run"
grep -q "$escape" out && fail "a file has colours"
# on_terminal ENVIRONMENT…: what the run shows there, in `out`.
on_terminal()
{
    env -u NO_COLOR TERM=xterm "$@" script -qec "$run" /dev/null >out </dev/null || :
    grep -q 'semaphore-at-zero' out || fail "no run on a terminal: $(cat out)"
}
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    on_terminal A=b
    grep -q "${escape}\[1;31mtessera:${escape}\[0m finding.ttasm:3: " out || fail "no colours"
    on_terminal NO_COLOR=
    grep -q "${escape}\[1;31m" out || fail "an empty NO_COLOR counts"
    on_terminal NO_COLOR=1
    grep -q "$escape\[[01]" out && fail "colours in spite of NO_COLOR"
    on_terminal TERM=dumb
    grep -q "$escape\[[01]" out && fail "colours on a dumb terminal"
fi
echo "pages and completion have every option, and colours are for terminals"
