#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_format.sh [ROOT]
# Refuses C that is not laid out as .clang-format says (`clang-format -i FILE…` does it), and
# hexadecimal digits in upper case outside of comments and strings. Versions of clang-format differ:
# without version 14, which Debian 12 has, nothing is looked at and the script leaves with 77.
set -eu
code_of=$(cat "$(dirname "$0")/c_code.awk")
cd "${1:-.}"
LC_ALL=C
export LC_ALL

CLANG_FORMAT=${CLANG_FORMAT:-clang-format}
if ! "$CLANG_FORMAT" --version 2>/dev/null | grep -q ' version 14\.'; then
    echo "check_format: skipped, needs clang-format 14, not: $("$CLANG_FORMAT" --version 2>&1)"
    exit 77
fi

# sources PATTERN…: the files of the project whose names match, with a zero after each.
sources()
{
    find src cli ttsim include machine tests bench fuzz examples \
        -type f \( "$@" \) -print0 2>/dev/null
}

{
    sources -name '*.[ch]' | sort -z |
        xargs -0 -r -n 100 -P "$(nproc)" "$CLANG_FORMAT" -n -Werror --style=file 2>&1 |
        grep -E '^[^ ]+:[0-9]+:[0-9]+: ' || :
    echo 'layout: end'
    sources -name '*.[ch]' -o -name '*.def' -o -name '*.inc' | tr '\0' '\n' | sort
} |
awk "$code_of"'
function refuse(why) { printf "%s:%d: %s\n", file, line, why; bad++ }

!read_sources {
    if ($0 == "layout: end") { read_sources = 1; next }
    split($0, part, ":")
    file = part[1]
    line = part[2]
    if (!(file in shown)) refuse("not laid out as .clang-format says")
    shown[file] = 1
    next
}
{
    file = $0
    line = in_comment = 0
    files++
    while ((getline text < file) > 0) {
        line++
        if (!in_comment && text !~ /0[xX]|\/\*/)
            continue # nothing to look at, and no comment that goes on
        code = code_of(text)
        while (match(code, /(^|[^A-Za-z0-9_])0[xX][0-9A-Fa-f]+/)) {
            digits = substr(code, RSTART, RLENGTH)
            sub(/^[^0]/, "", digits)
            if (digits ~ /[A-FX]/) refuse("hexadecimal digits are lower case: " digits)
            code = substr(code, RSTART + RLENGTH)
        }
    }
    close(file)
}
END {
    if (!files) { print "check_format: no source here"; exit 1 }
    printf "check_format: %d files, %d refused\n", files, bad
    exit bad > 0
}'
