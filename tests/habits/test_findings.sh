#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each finding is reported somewhere and expected by some test; each rule of
# tools/check_findings.sh refuses its canary.
set -eu
. "$SOURCE_DIR/tests/habits/canary.sh"
check="$SOURCE_DIR/tools/check_findings.sh"

put machine/findings.def <<'EOF'
FINDING(ONE, "first-one", BAD_INPUT, "A.md", "A sample.")
FINDING(ONE_MORE, "first-one-more", BAD_INPUT, "A.md", "A sample.")
EOF
put src/one.c <<'EOF'
    report(FINDING_ONE);
    ANOMALY(BIT, ONE_MORE, NULL),
EOF
put tests/one.c <<'EOF'
    says("first-one"), says("first-one-more");
EOF
passes "$check" .
put src/one.c <<'EOF'
    ANOMALY(BIT, ONE_MORE, NULL),
EOF
refuses 'first-one is reported nowhere' "$check" .
put src/one.c <<'EOF'
    report(FINDING_ONE), report(FINDING_ONE_MORE);
EOF
put tests/one.c <<'EOF'
    says("first-one-more");
EOF
refuses 'first-one is expected by no test' "$check" .
put tests/one.c <<'EOF'
    says("first-one-more"), is(FINDING_ONE);
EOF
passes "$check" .

judge "$check" .
