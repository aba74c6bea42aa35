#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The style that a script can see holds; each rule of tools/check_style.sh refuses its canary.
set -eu
. "$SOURCE_DIR/tests/habits/canary.sh"
check="$SOURCE_DIR/tools/check_style.sh"

# lines COUNT TEXT: TEXT, COUNT times.
lines()
{
    awk -v count="$1" -v text="$2" 'BEGIN { while (count-- > 0) print text }'
}

put src/base/good.c <<'END'
/* printf("no"); exit(1); double */
static int tsr_good(int reprintf)
{
    const char *text = "exit(1); // \" printf(1)"; // a float, abort()
    return snprintf(0, 0, "%s", text) + reprintf;
}
static_assert(sizeof(int) == 4, "exit()");
END
{
    lines 1 'int f(void)'
    lines 1 '{'
    lines 100 '    f();'
    lines 1 '}'
    lines 590 ''
    awk 'BEGIN { printf "// "; while (n++ < 97) printf "\303\244"; print "" }'
} | put tests/unit/wide.c
lines 900 'ROW(1)' | put machine/rows.def
put tools/good.sh </dev/null
put cli/good_cli.c <<'END'
int main(void) { printf("%f", (double)1); exit(0); }
END
passes "$check" .

# canary MESSAGE FILE: standard input, added to the good tree as FILE.
canary()
{
    put "$2"
    refuses "$1" "$check" .
    rm "$2"
}
canary 'over 100 columns (101)' src/base/bad.c <<END
// $(lines 98 x | tr -d '\n')
END
printf '\tint a;\n' | canary 'tab' src/base/bad.c
printf 'int a; \n' | canary 'blank at the end' src/base/bad.c
printf 'int a;\r\n' | canary 'blank at the end' src/base/bad.c
lines 699 '' | canary 'over 700 lines' tests/unit/test_bad.c
echo '    printf("a");' | canary 'does not print' src/base/bad.c
echo '    fprintf (stderr, "a");' | canary 'does not print' src/base/bad.c
echo '    exit(1);' | canary 'does not end the process' src/base/bad.c
echo '    if (a) abort();' | canary 'does not end the process' src/base/bad.c
echo '    assert(a);' | canary 'does not end the process' src/base/bad.c
echo 'float a;' | canary 'no host floating point' src/base/bad.h
echo '/* a */ (double)b' | canary 'no host floating point' src/base/bad.h
echo '#if TSR_ARCH == 1' | canary 'not by the preprocessor' src/base/bad.c
{
    echo 'int tsr_long(int a)'
    echo '{'
    lines 101 '    a++;'
    echo '}'
} | canary 'has 101 lines: int tsr_long' src/base/bad.c
{
    echo 'int tsr_long(int a,'
    echo '             int b) {'
    lines 101 '    a++;'
    echo '}'
} | canary 'has 101 lines' tests/unit/test_bad.c

printf '// What this is.\n\nint a;\n' >src/base/bad.c
refuses 'no SPDX' "$check" .
printf '// SPDX-License-Identifier: Apache-2.0\n\nint a;\n' >src/base/bad.c
refuses 'no header comment' "$check" .
rm src/base/bad.c
printf '#!/bin/sh\n# What this is.\n# It is a script.\n' >tools/bad.sh
refuses 'no SPDX' "$check" .

judge "$check" .
