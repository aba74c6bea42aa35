#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: docs_table.sh get FILE.md MARK         prints the table that stands below <!-- MARK -->
#        docs_table.sh put FILE.md MARK <TABLE  puts another one there
# A table ends with the first empty line.
set -eu
what=$1 file=$2 mark="<!-- $3 -->"
grep -qxF -- "$mark" "$file" || { echo "docs_table: $file has no line $mark" >&2; exit 1; }
case $what in
get)
    awk -v mark="$mark" '
        inside && $0 == "" { exit }
        inside { print }
        $0 == mark { inside = 1 }' "$file"
    ;;
put)
    table=$(cat)
    new=$(TABLE=$table awk -v mark="$mark" '
        inside && $0 == "" { inside = 0 }
        !inside { print }
        $0 == mark { inside = 1; print ENVIRON["TABLE"] }' "$file")
    printf '%s\n' "$new" >"$file"
    ;;
*) echo "docs_table: get or put, not '$what'" >&2; exit 1 ;;
esac
