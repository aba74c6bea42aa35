#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_names.sh [ROOT]
# Refuses two files of one name (but for those that a tool asks for in every folder), so that a
# bare name in a comment or a message finds its file; and names of sources that are not lower case.
set -eu
cd "${1:-.}"
LC_ALL=C
export LC_ALL

{
    git ls-files --cached --others --exclude-standard 2>/dev/null ||
        find . -type f ! -path './.git/*' ! -path './build*' | sed 's,^\./,,'
} | awk -F/ '
$NF == "CMakeLists.txt" || $NF == "README.md" { next }
{
    files++
    if ($NF in first) { printf "%s: same name as %s\n", $0, first[$NF]; bad++ }
    else first[$NF] = $0
    if ($NF ~ /\.(c|h|def|sh|cmake|ttasm)$/ && $NF ~ /[^a-z0-9_.]/) {
        printf "%s: a source file name is lower case letters, digits and _\n", $0
        bad++
    }
}
END {
    if (!files) { print "check_names: no file here"; exit 1 }
    printf "check_names: %d files, %d refused\n", files, bad
    exit bad > 0
}'
