#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tour in README.md shows what the commands print today.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

tour()
{
    TESSERA=$TESSERA "$SOURCE_DIR/tools/tour.sh" "$1"
}

tour "$SOURCE_DIR/README.md" >"$work/now.md"
diff "$SOURCE_DIR/README.md" "$work/now.md" >"$work/diff" || {
    head -n 20 "$work/diff"
    echo "README.md is stale: TESSERA=build/tessera tools/tour.sh README.md prints the new one"
    exit 1
}
# It shows a finding as a user meets it.
grep -q '^    examples/mistake/forgotten_flag.ttasm:12: undefined-behaviour' "$SOURCE_DIR/README.md"
# What is not true is put right.
sed 's/^\( *\)findings: 2$/\1findings: 3/' "$SOURCE_DIR/README.md" >"$work/wrong.md"
cmp -s "$SOURCE_DIR/README.md" "$work/wrong.md" && exit 1
tour "$work/wrong.md" | cmp - "$SOURCE_DIR/README.md"
echo "README.md shows what is printed"
