#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# With timing off and on the cases have no races, but for those of races.list: no false alarm, and
# each of these is told.
set -eu
LC_ALL=C
export LC_ALL
source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
tessera=${TESSERA:-$source_dir/build/tessera}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$source_dir/tests/conformance"
grep -v '^#' races.list | sort > "$work/races"
status=0

for timing in off on; do
    "$tessera" check --races --timing "$timing" cases stories > "$work/out" || [ $? -eq 1 ]
    echo "timing $timing: $(tail -n 1 "$work/out")"
    if ! tail -n 1 "$work/out" | grep -Eq '^[0-9]+ passed, [0-9]+ failed, 0 skipped$'; then
        status=1
    fi
    sed -n 's/^FAIL \([^:]*\]\): [0-9]* races\?; .*/\1/p' "$work/out" | sort > "$work/told"
    if ! cmp -s "$work/races" "$work/told"; then
        echo "FAIL: the races told differ from those of races.list:"
        diff "$work/races" "$work/told" || true
        status=1
    fi
done
exit $status
