#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_findings.sh [ROOT]
# Refuses a row of machine/findings.def that nothing in src/ reports, as FINDING_NAME or in a table
# of anomalies by its name, and one that nothing in tests/ expects, as FINDING_NAME or by its code.
set -eu
cd "${1:-.}"
LC_ALL=C
export LC_ALL

# Each word of the files of a folder, after its name.
words_of()
{
    find "$1" -name '*.[ch]' -o -name '*.sh' -o -name '*.ttasm' |
        xargs grep -ohE 'FINDING_[A-Z0-9_]+|[A-Z][A-Z0-9_]+|[a-z][a-z0-9]*(-[a-z0-9]+)+' /dev/null |
        sort -u | sed "s/^/$1 /"
}

{
    sed -n 's/^FINDING(\([A-Z0-9_]*\), "\([a-z0-9-]*\)".*/row \1 \2/p' machine/findings.def
    words_of src
    words_of tests
} | awk '
$1 == "row" { code[$2] = $3; rows++; next }
{ there[$1, $2] = 1 }
END {
    if (!rows) { print "check_findings: no row here"; exit 1 }
    for (name in code) {
        if (!(("src", "FINDING_" name) in there) && !(("src", name) in there)) {
            printf "machine/findings.def: %s is reported nowhere\n", code[name]
            bad++
        }
        if (!(("tests", "FINDING_" name) in there) && !(("tests", code[name]) in there)) {
            printf "machine/findings.def: %s is expected by no test\n", code[name]
            bad++
        }
    }
    printf "check_findings: %d rows, %d refused\n", rows, bad
    exit bad > 0
}'
