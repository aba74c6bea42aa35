#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_headers.sh FOLDER COMPILER...
# Compiles each header FOLDER/*/*.h alone: as C17, or as C++17 with a compiler whose name has ++.
set -eu
folder=$1
shift
checked=0
bad=0
for header in "$folder"/*/*.h; do
    name=${header#"$folder"/}
    for compiler in "$@"; do
        case $compiler in
        *++*) language='-x c++ -std=c++17' ;;
        *) language='-x c -std=c17' ;;
        esac
        checked=$((checked + 1))
        # Twice: the second time the include guard must leave nothing.
        # shellcheck disable=SC2086 # two words
        printf '#include <%s>\n#include <%s>\n' "$name" "$name" |
            "$compiler" $language -Wall -Wextra -Wpedantic -Werror -I"$folder" -fsyntax-only - || {
            echo "$header: does not compile alone with $compiler"
            bad=$((bad + 1))
        }
    done
done
echo "check_headers: $checked compilations, $bad refused"
[ "$checked" -gt 0 ] && [ "$bad" -eq 0 ]
