#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every case leaves the same bytes in every order that the specification allows, but for those in
# which an order is missing: races.list. Each of these must be caught, or the schedules do nothing.
set -eu
LC_ALL=C
export LC_ALL
source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
tessera=${TESSERA:-$source_dir/build/tessera}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$source_dir/tests/conformance"
grep -v '^#' races.list | sort > "$work/races"
: > "$work/caught"
status=0

for schedule in eager late random:1 random:2 random:3 random:4 random:5 random:6; do
    "$tessera" check --schedule "$schedule" cases stories > "$work/out" || [ $? -eq 1 ]
    echo "$schedule: $(tail -n 1 "$work/out")"
    if ! tail -n 1 "$work/out" | grep -Eq '^[0-9]+ passed, [0-9]+ failed, 0 skipped$'; then
        status=1
    fi
    sed -n 's/^FAIL \([^:]*\]\): .*/\1/p' "$work/out" | sort > "$work/differ"
    comm -13 "$work/races" "$work/differ" > "$work/new"
    if [ -s "$work/new" ] || { [ "$schedule" = eager ] && [ -s "$work/differ" ]; }; then
        echo "FAIL: these depend on the schedule:"
        grep '^FAIL ' "$work/out" | head -n 20
        status=1
    fi
    cat "$work/differ" >> "$work/caught"
done
sort -u "$work/caught" | comm -23 "$work/races" - > "$work/missed"
if [ -s "$work/missed" ]; then
    echo "FAIL: no schedule has shown the race of"
    cat "$work/missed"
    status=1
fi
exit $status
