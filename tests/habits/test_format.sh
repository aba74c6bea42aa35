#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# All C is laid out as .clang-format says; each rule of tools/check_format.sh refuses its canary.
# Skipped where there is no clang-format 14.
set -eu
. "$SOURCE_DIR/tests/habits/canary.sh"
check="$SOURCE_DIR/tools/check_format.sh"

clang-format --version 2>/dev/null | grep ' version 14\.' || exit 77
cp "$SOURCE_DIR/.clang-format" .
put src/base/good.c <<'END'

/* 0xFF */
static const char *tsr_good(int a)
{
    return a == 0xffULL ? "0xFF" : name_0xA(a); // 0xAB
}
END
put machine/rows.def <<'END'
ROW(  0xabc,0 )
END
passes "$check" .

# canary MESSAGE FILE TEXT
canary()
{
    printf '\n%s\n' "$3" | put "$2"
    refuses "$1" "$check" .
    rm "$2"
}
canary 'src/base/bad.c:4: not laid out' src/base/bad.c 'int  a;'
canary 'bench/bench_bad.c:4: not laid out' bench/bench_bad.c 'static int f(void) { return 1; }'
canary 'examples/bad.h:4: not laid out' examples/bad.h 'int *a, * b;'
canary 'lower case: 0xFF' src/base/bad.h 'static const int a = 0xFF;'
canary 'lower case: 0Xff' src/base/bad.h 'static const int a = 0Xff;'
canary 'lower case: 0xabCd' machine/bad.def 'ROW(0xabCdU)'
canary 'lower case: 0x1F' src/base/bad.inc 'ROW("0xAB", 0x1F)'

# Another version of clang-format lays out differently: it is not asked.
printf '#!/bin/sh\necho clang-format version 19.1.0\n' >"$work/newer"
chmod +x "$work/newer"
status=0
CLANG_FORMAT=$work/newer "$check" . >"$work/output" || status=$?
[ $status = 77 ] && grep -q 'needs clang-format 14, not: clang-format version 19' "$work/output"

judge "$check" .
