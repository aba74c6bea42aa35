#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The library has no variables, exports tsr_ names only and calls nothing that prints or exits;
# each rule of tools/check_symbols.sh refuses its canary.
set -eu
. "$SOURCE_DIR/tests/habits/canary.sh"
check="$SOURCE_DIR/tools/check_symbols.sh"

# compile: standard input, as one object of the library's kind.
compile()
{
    "$CC" -std=c17 -O1 -fPIC -x c -c -o sample.o -
}

compile <<'END'
#include <stdlib.h>
static int one(int a) { return a; }
static int two(int a) { return a + 1; }
int (*const tsr_table[])(int) = { one, two };
extern const int tsr_numbers[2];
const int tsr_numbers[2] = { 1, 2 };
void *tsr_make(int i) { static const char *const names[] = { "a", "b" };
    return malloc((size_t)(names[i][0] + tsr_table[i](i))); }
END
passes "$check" sample.o

# canary MESSAGE SOURCE
canary()
{
    printf '%s\n' "$2" | compile
    refuses "$1" "$check" sample.o
}
canary 'tsr_count: variable' 'int tsr_count = 1;'
canary 'tsr_count: variable' 'int tsr_count;'
canary 'variable in .bss' 'int tsr_next(void) { static int count; return ++count; }'
canary 'variable in .tbss' 'int tsr_next(void) { static _Thread_local int count; return ++count; }'
canary 'tsr_count: variable in *COM*' 'int tsr_count __attribute__((common));'
canary 'next: a visible name' 'int next(void) { return 1; }'
canary 'printf: the library must not' '#include <stdio.h>
void tsr_say(int a) { printf("%d", a); }'
canary 'abort: the library must not' '#include <stdlib.h>
void tsr_end(void) { abort(); }'
canary 'sqrt: the library must not' '#include <math.h>
int tsr_root(int a) { return (int)sqrt(a); }'

judge "$check" "$BUILD_DIR/libtessera.a"
