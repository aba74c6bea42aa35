#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every public header compiles alone, as C17 and as C++17, with gcc and with clang.
set -eu
. "$SOURCE_DIR/tests/habits/canary.sh"
check="$SOURCE_DIR/tools/check_headers.sh"

put include/tessera/good.h <<'END'
#ifndef GOOD_H
#define GOOD_H
#include <stdint.h>
static inline uint32_t good(uint32_t a) { return a; }
#endif
END
passes "$check" include gcc g++ clang clang++

for compiler in gcc g++ clang clang++; do
    put include/tessera/bad.h <<'END'
#ifndef BAD_H
#define BAD_H
static inline uint32_t bad(uint32_t a) { return a; }
#endif
END
    refuses "does not compile alone with $compiler" "$check" include $compiler
    echo 'enum twice { TWICE };' | put include/tessera/bad.h
    refuses "does not compile alone with $compiler" "$check" include $compiler
done
echo 'static inline int *bad(void *class) { return class; }' | put include/tessera/bad.h
sed -i '1i #pragma once' include/tessera/bad.h
refuses 'does not compile alone with g++' "$check" include g++

judge "$check" include gcc g++ clang clang++
