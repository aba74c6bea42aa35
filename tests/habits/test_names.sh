#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No two files share a name; each rule of tools/check_names.sh refuses its canary.
set -eu
. "$SOURCE_DIR/tests/habits/canary.sh"
check="$SOURCE_DIR/tools/check_names.sh"

git init -q .
put src/base/one.c </dev/null
put src/base/one.h </dev/null
put src/CMakeLists.txt </dev/null
put tests/CMakeLists.txt </dev/null
passes "$check" .
put tests/one.c </dev/null
refuses 'tests/one.c: same name as src/base/one.c' "$check" .
rm tests/one.c
put src/Two.c </dev/null
refuses 'src/Two.c: a source file name is lower case' "$check" .

judge "$check" .
