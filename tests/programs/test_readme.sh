#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# README.md, docs/tour.md and docs/tutorial.md show what the commands print today.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

tour()
{
    TESSERA=$TESSERA "$SOURCE_DIR/tools/tour.sh" "$1"
}

for page in README.md docs/tour.md docs/tutorial.md; do
    tour "$SOURCE_DIR/$page" >"$work/now.md"
    diff "$SOURCE_DIR/$page" "$work/now.md" >"$work/diff" || {
        head -n 20 "$work/diff"
        echo "$page is stale: TESSERA=build/tessera tools/tour.sh $page prints the new one"
        exit 1
    }
    # What is not true is put right.
    sed 's/^\( *\)findings: [12]$/\1findings: 3/' "$SOURCE_DIR/$page" >"$work/wrong.md"
    cmp -s "$SOURCE_DIR/$page" "$work/wrong.md" && exit 1
    tour "$work/wrong.md" | cmp - "$SOURCE_DIR/$page"
    echo "$page shows what is printed"
done
# The tour shows a finding as a user meets it.
grep -q '^    examples/mistake/forgotten_flag.ttasm:12: undefined-behaviour' \
    "$SOURCE_DIR/docs/tour.md"
