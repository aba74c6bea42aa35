#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `tessera check` makes of wrong input, of cases that cannot end, and of canaries: cases and
# vectors with one wrong expected digit, which must fail.
set -eu
LC_ALL=C
export LC_ALL
source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
tessera=${TESSERA:-$source_dir/build/tessera}
if [ ! -x "$tessera" ]; then
    echo "FAIL: there is no $tessera"
    exit 1
fi
here=$source_dir/tests/conformance
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0
checks=0

# expect STATUS TEXT ARGUMENT...: `tessera check ARGUMENT...` ends so and says so.
expect() {
    wanted=$1
    text=$2
    shift 2
    checks=$((checks + 1))
    code=0
    "$tessera" check "$@" > out 2> err || code=$?
    if [ "$code" -ne "$wanted" ]; then
        echo "FAIL: check $*: exit status $code instead of $wanted"
        cat out err
        failures=$((failures + 1))
    elif ! cat out err | grep -Fq -- "$text"; then
        echo "FAIL: check $*: does not say '$text'"
        cat out err
        failures=$((failures + 1))
    elif [ "$wanted" -eq 2 ] && { [ -s out ] || [ "$(wc -l < err)" -ne 1 ]; }; then
        echo "FAIL: check $*: more than one sentence on stderr"
        cat out err
        failures=$((failures + 1))
    fi
}

# refuse TEXT JSON: a file a.json with that text is bad input.
refuse() {
    printf '%s\n' "$2" > a.json
    expect 2 "$1" a.json
}

# case_of KEY=VALUE...: a small case that passes, with some of its values replaced.
case_of() {
    name='"n"' arch='"wh"' l1='[]' threads='{}' more=''
    result='[{"addr":131072,"hex":"0000"}]'
    for pair in "$@"; do
        value=${pair#*=}
        case ${pair%%=*} in
        name) name=$value ;;
        arch) arch=$value ;;
        l1) l1=$value ;;
        threads) threads=$value ;;
        expect) result=$value ;;
        more) more=$value ;;
        esac
    done
    printf '{"name":%s,"arch":%s,"l1":%s,"threads":%s,"expect":%s%s}' \
        "$name" "$arch" "$l1" "$threads" "$result" "$more"
}

commands() {
    case_of "threads={\"0\":[$1]}"
}

# ---------------------------------------------------------------- what a case may look like

case_of > good.json
expect 0 '1 passed, 0 failed, 0 skipped' good.json
expect 0 'PASS n [wormhole_b0]' --verbose good.json
expect 0 '1 passed, 0 failed, 0 skipped' --quiet --timing on --kernels reference good.json
expect 0 '1 passed, 0 failed, 0 skipped' --policy silicon,bad-input=stop --jobs 3 good.json
expect 0 '2 passed, 0 failed, 0 skipped' good.json good.json
{ case_of; echo; echo; case_of arch='"blackhole_a0"'; } > two.jsonl
expect 0 '2 passed, 0 failed, 0 skipped' two.jsonl
mkdir -p deep/er
cp good.json deep/er
cp good.json deep
echo 'not for us' > deep/notes.csv
expect 0 '2 passed, 0 failed, 0 skipped' deep/
expect 0 'usage: tessera check' --help

# ---------------------------------------------------------------- wrong input

expect 2 'check: no file or folder is given'
expect 5 'nowhere.json: the file cannot be opened: No such file or directory' nowhere.json
expect 5 'nowhere.json: the file cannot be opened: No such file or directory' good.json nowhere.json
mkdir empty
expect 2 'empty: no .json, .jsonl or .txt file in this folder' empty
expect 2 'deep/notes.csv: neither .json, .jsonl nor .txt' deep/notes.csv
expect 2 "unknown option '--fast'" --fast good.json
expect 2 "a value is missing after '--timing'" good.json --timing
expect 2 "--timing: neither on nor off: 'maybe'" --timing maybe good.json
expect 2 "--pipeline: neither auto nor staged: 'long'" --pipeline long good.json
expect 2 "such kernel set 'gpu'" --kernels gpu good.json
expect 2 "no profile is called 'lax'" --policy lax good.json
expect 2 "no finding or category is called 'everything'" --policy everything=stop good.json
expect 2 "--jobs: not a number from 1 to 64: '0'" --jobs 0 good.json

refuse 'a.json:2:0: not JSON' '{"name":'
refuse 'a.json:2:' "$(printf '{\n"name" 5}')"
refuse 'not JSON' "$(case_of more='} {')"
{ case_of; echo; echo '{"name":'; } > b.jsonl
expect 2 'b.jsonl:2:' b.jsonl
: > c.jsonl
expect 2 'c.jsonl: no case in it' c.jsonl
printf '\0' > d.json
expect 2 'd.json: not a text' d.json
refuse 'a case is a JSON object' '[]'
refuse "a.json: unknown architecture 'grayskull'" "$(case_of arch='"grayskull"')"
refuse "a.json: unknown key 'expects'" "$(case_of more=',"expects":[]')"
refuse "a.json: not a string: 'name'" "$(case_of name=5)"
refuse "a.json: missing key 'expect'" '{"name":"n","arch":"wh","l1":[],"threads":{}}'
refuse "'expect' is empty" "$(case_of expect='[]')"
refuse "duplicate" "$(case_of more=',"name":"m"')"
refuse "'threads' is not an object" "$(case_of threads='[]')"
refuse "'threads' has an unknown key '3'" "$(case_of threads='{"3":[]}')"
refuse "not a list: thread '0'" "$(case_of threads='{"0":5}')"
refuse "not a list: 'l1'" "$(case_of l1='{}')"
refuse "l1, range 1: 'hex' is not a whole number" "$(case_of l1='[{"addr":0,"hex":"abc"}]')"
refuse "'hex' holds '0g'" "$(case_of l1='[{"addr":0,"hex":"000g"}]')"
refuse "unknown key 'size'" "$(case_of l1='[{"addr":0,"hex":"00","size":1}]')"
refuse "a range is an object" "$(case_of l1='[5]')"
refuse "expect, range 1: 2 bytes at 1499135 leave L1" \
    "$(case_of expect='[{"addr":1499135,"hex":"0000"}]')"
refuse 'bytes at -1 leave L1' "$(case_of expect='[{"addr":-1,"hex":"00"}]')"
refuse "thread 0, command 2: unknown command 'jump'" "$(commands '["drain"],["jump","0x1"]')"
refuse 'a command is a list of strings' "$(commands '"drain"')"
refuse 'a command is a list of strings' "$(commands '["push",5]')"
refuse 'a command is a list of strings' "$(commands '[]')"
refuse "'push' takes 1 numbers" "$(commands '["push"]')"
refuse "'drain' takes 0 numbers" "$(commands '["drain","note","0x1"]')"
refuse "not a hexadecimal number: '0xzz'" "$(commands '["push","0xzz"]')"
refuse "not a hexadecimal number: '0x'" "$(commands '["push","0x"]')"
refuse "does not fit 32 bits: '0x100000000'" "$(commands '["push","0x100000000"]')"
refuse '0xffe00000 is not a word of L1' "$(commands '["post","0xffe00000","0x1"]')"
refuse '0x0001f002 is not a word of L1' "$(commands '["wait","0x1f002","0x1"]')"
refuse '0xffe00004 is not a word of L1' "$(commands '["load","0xffe00000","0xffe00004"]')"

# ---------------------------------------------------------------- vectors

vector_file() {
    printf '# legend\n%s\n' "$2" > "$1"
}
vector_file good.txt 'bf16 3f80 3b80 3f80'
expect 2 "good.txt: no kind of vectors is called 'good'" good.txt
cp good.txt l1acc.txt
expect 0 '1 passed, 0 failed, 0 skipped' l1acc.txt
vector_file l1acc.txt 'bf16 3f80 3b80 3f81'
expect 1 'FAIL l1acc.txt: line 2: expected 3f81, got 3f80 (1 of 1 lines differ)' l1acc.txt
vector_file l1acc.txt 'bf16 3f80 3b80'
expect 2 'l1acc.txt:2: 3 columns instead of 4' l1acc.txt
vector_file l1acc.txt 'bf17 3f80 3b80 3f80'
expect 2 "l1acc.txt:2: column 1 cannot be 'bf17'" l1acc.txt
vector_file l1acc.txt ''
expect 2 'l1acc.txt: no vectors after the legend' l1acc.txt
vector_file elwadd.txt '1 1 0 1fc00 1fc00 0 40000000'
expect 2 'the name must end with _wh.txt or _bh.txt' elwadd.txt
cp elwadd.txt elwadd_wh.txt
expect 0 '1 passed, 0 failed, 0 skipped' elwadd_wh.txt
vector_file elwadd_wh.txt '1 1 0 81fc00 1fc00 0 40000000'
expect 2 "elwadd_wh.txt:2: column 4 cannot be '81fc00'" elwadd_wh.txt
vector_file elwmul_bh.txt '1 1 4 1fc00 1fc00 0 0'
expect 2 "elwmul_bh.txt:2: column 3 cannot be '4'" elwmul_bh.txt
vector_file unpack.txt 'gs SrcA 5 5 0 0 3f80 - 3f800000'
expect 2 "unpack.txt:2: column 1 cannot be 'gs'" unpack.txt
vector_file unpack.txt 'wh SrcA 5 5 0 0 3f80 - 3f800000'
expect 0 '1 passed, 0 failed, 0 skipped' unpack.txt
vector_file unpack.txt 'wh SrcA 8 1 0 0 3f80 - 3f800000'
expect 1 'expected 3f800000, got none: ' unpack.txt

# ---------------------------------------------------------------- cases that fail

case_of l1='[{"addr":131074,"hex":"80bf"}]' expect='[{"addr":131072,"hex":"0000813f"}]' > a.json
expect 1 'FAIL n [wormhole_b0]: L1 0x20002: expected 81, got 80 (word at 0x20000: ' a.json
expect 1 'expected 3f810000, got bf800000; 2 of 4 bytes differ' a.json
expect 1 '0 passed, 1 failed, 0 skipped' a.json
expect 1 '1 passed, 1 failed, 0 skipped' good.json a.json
commands '["wait","0x1f000","0x1"]' > a.json
expect 1 'deadlock; thread 0, command 1 (wait 0x0001f000 0x00000001)' a.json
commands '["store","0xfff00000","0x1"]' > a.json
expect 1 'thread 0, command 1 (store 0xfff00000 0x00000001): ' a.json
# Threads meet through flags, and a loaded value lands where the command says.
case_of threads='{"0":[["wait","0x1f000","0x5"],["load","0xffe00004","0x20004"],
    ["post","0x1f004","0x1"]],"1":[["store","0xffe00004","0x77"],["post","0x1f000","0x5"],
    ["wait","0x1f004","0x1"],["load","0xffe00004","0x20000"]]}' \
    expect='[{"addr":131072,"hex":"7700000000000000"}]' > a.json
expect 0 '1 passed, 0 failed, 0 skipped' a.json

# ---------------------------------------------------------------- canaries

# The last range of a case is an expected one; a wrong digit at its begin or its end must be seen.
flip_case() {
    awk -v last="$1" '{
        start = match($0, /"hex":"[0-9a-f]+"}\][^"]*}$/) + 7
        stop = start + match(substr($0, start), /"/) - 2
        place = last ? stop : start
        digit = substr($0, place, 1) == "0" ? "1" : "0"
        print substr($0, 1, place - 1) digit substr($0, place + 1)
    }'
}

awake=0
for file in "$here"/cases/*.jsonl; do
    "$tessera" check --verbose "$file" > all || true
    name=$(sed -n 's/^PASS \(.*\) \[.*/\1/p' all | head -n 1)
    if [ -z "$name" ]; then
        echo "note: nothing of $(basename "$file") passes yet, so it has no canary"
        continue
    fi
    grep -F "\"name\":\"$name\"," "$file" > sane.jsonl
    expect 0 '1 passed, 0 failed, 0 skipped' sane.jsonl
    for last in 0 1; do
        flip_case $last < sane.jsonl > canary.jsonl
        expect 1 "FAIL $name [" canary.jsonl
        expect 1 '0 passed, 1 failed, 0 skipped' canary.jsonl
    done
    awake=$((awake + 1))
done
for file in "$here"/numerics/*.txt; do
    name=$(basename "$file")
    if "$tessera" check "$file" | grep -q '^0 passed, 0 failed, 1 skipped'; then
        echo "note: $name is skipped, so it has no canary"
        continue
    fi
    # Only the last line, and its last digit.
    { cat "$file" && echo; } | sed '/^$/d' | sed '$ s/0$/x/; $ s/[1-9a-f]$/0/; $ s/x$/1/' > "$name"
    line=$(wc -l < "$name")
    expect 1 "FAIL $name: line $line: " "$name"
    expect 1 '(1 of ' "$name"
    awake=$((awake + 1))
done
if [ $awake -eq 0 ]; then
    echo "FAIL: nothing passes, so no canary could show that a comparison is made"
    failures=$((failures + 1))
fi

echo "$checks checks, $awake canaries, $failures failures"
[ $failures -eq 0 ]
