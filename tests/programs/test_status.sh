#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs/status.md is what `tessera status` prints.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$TESSERA" status >"$work/status.md"
if ! diff -u "$SOURCE_DIR/docs/status.md" "$work/status.md" >"$work/diff"; then
    head -n 20 "$work/diff"
    echo "docs/status.md is stale; make it anew: build/tessera status > docs/status.md"
    exit 1
fi
# Rows, not an empty page: 128 and 137 instructions have a line each.
[ "$(grep -c '^| [a-z]* | `[A-Z0-9_]*` | ' "$work/status.md")" = 265 ]
echo "docs/status.md is fresh"
