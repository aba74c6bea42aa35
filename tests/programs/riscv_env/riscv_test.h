// SPDX-License-Identifier: Apache-2.0
// The environment that the public riscv-tests are compiled with for a baby core
// (tests/programs/test_riscv_suite.sh): a test that passes writes 1 to DONE in L1, one that fails
// executes ebreak with its number in gp. Pages: BabyRISCV/README.md, DebugInterface.md.
#ifndef RISCV_TEST_H
#define RISCV_TEST_H

#define DONE 0x100000
#define TESTNUM gp

#define RVTEST_RV32U
#define RVTEST_RV64U
#define RVTEST_RV32UF
#define RVTEST_RV64UF

// clang-format off
#define RVTEST_CODE_BEGIN \
    .section .text.init; \
    .globl _start; \
    _start: \
    la sp, stack_top; \
    li gp, 0;
#define RVTEST_CODE_END
#define RVTEST_PASS \
    li t5, DONE; \
    li t6, 1; \
    sw t6, 0(t5); \
    1: j 1b;
#define RVTEST_FAIL \
    1: ebreak; \
    j 1b;

#define RVTEST_DATA_BEGIN .align 4;
#define RVTEST_DATA_END \
    .align 4; \
    .skip 1024; \
    stack_top:

#endif
