// SPDX-License-Identifier: Apache-2.0
// Where a baby core begins: sets its stack, fills its private RAM, calls main() and then turns on
// the spot; and the functions that compilers call unasked. To be included by one file of a program
// that is linked with the script of its core.
#ifndef TESSERA_KERNEL_START_H
#define TESSERA_KERNEL_START_H

#include <stddef.h>

int main(void);

// Compilers call these two even where no library is.
#ifdef __clang__
#define TT_NO_LIBRARY __attribute__((weak, used, no_builtin))
#else
#define TT_NO_LIBRARY __attribute__((weak, used, optimize("no-tree-loop-distribute-patterns")))
#endif
#ifdef __cplusplus
extern "C" {
#endif
void *memcpy(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
TT_NO_LIBRARY void *memcpy(void *to, const void *from, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    return to;
}

TT_NO_LIBRARY void *memset(void *to, int value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)to)[i] = (unsigned char)value;
    return to;
}
#ifdef __cplusplus
}
#endif

// clang-format off
__asm__(".pushsection .init, \"ax\", @progbits\n"
        "    .globl _start\n"
        "    .type _start, @function\n"
        "_start:\n"
        "    .option push\n"
        "    .option norelax\n"
        "    la gp, __global_pointer$\n"
        "    la sp, __stack_top\n"
        "    la t0, __ldm_data_load\n"
        "    la t1, __ldm_data_start\n"
        "    la t2, __ldm_data_end\n"
        "    .option pop\n"
        "1:  bgeu t1, t2, 2f\n"
        "    lw t3, 0(t0)\n"
        "    sw t3, 0(t1)\n"
        "    addi t0, t0, 4\n"
        "    addi t1, t1, 4\n"
        "    j 1b\n"
        "2:  la t1, __ldm_bss_start\n"
        "    la t2, __ldm_bss_end\n"
        "3:  bgeu t1, t2, 4f\n"
        "    sw zero, 0(t1)\n"
        "    addi t1, t1, 4\n"
        "    j 3b\n"
        "4:  call main\n"
        "5:  j 5b\n"
        "    .size _start, . - _start\n"
        "    .popsection\n");
// clang-format on

#endif
