// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic of RISC-V that C has no operator for, when branches jump, and how many bytes
// loads and stores of x registers access.
// Page: BabyRISCV/README.md, which points at the RISC-V manual.
#ifndef TESSERA_RISCV_RISCV_INTEGER_H
#define TESSERA_RISCV_RISCV_INTEGER_H

#include <stdint.h>

// BRANCH(name, type, comparison): jumps if its registers compare so, as values of that type.
#define TSR_RISCV_BRANCHES(BRANCH)                                                                 \
    BRANCH(BEQ, uint32_t, ==)                                                                      \
    BRANCH(BNE, uint32_t, !=)                                                                      \
    BRANCH(BLT, int32_t, <)                                                                        \
    BRANCH(BGE, int32_t, >=)                                                                       \
    BRANCH(BLTU, uint32_t, <)                                                                      \
    BRANCH(BGEU, uint32_t, >=)

// LOAD(name, bytes, what the register gets of the `value` with these bytes)
#define TSR_RISCV_LOADS(LOAD)                                                                      \
    LOAD(LW, 4, value)                                                                             \
    LOAD(LBU, 1, value & 0xff)                                                                     \
    LOAD(LHU, 2, value & 0xffff)                                                                   \
    LOAD(LB, 1, (uint32_t)(int8_t)value)                                                           \
    LOAD(LH, 2, (uint32_t)(int16_t)value)

// STORE(name, bytes)
#define TSR_RISCV_STORES(STORE) STORE(SW, 4) STORE(SB, 1) STORE(SH, 2)

static inline uint32_t tsr_riscv_sra(uint32_t value, uint32_t by)
{
    uint32_t sign = 0u - (value >> 31);
    return (value ^ sign) >> by ^ sign;
}

// By zero: all ones, and the dividend as the remainder. -2^31 by -1: -2^31 and 0.
static inline uint32_t tsr_riscv_div(uint32_t a, uint32_t b)
{
    if (b == 0)
        return UINT32_MAX;
    return b == UINT32_MAX ? 0u - a : (uint32_t)((int32_t)a / (int32_t)b);
}

static inline uint32_t tsr_riscv_rem(uint32_t a, uint32_t b)
{
    if (b == 0)
        return a;
    return b == UINT32_MAX ? 0 : (uint32_t)((int32_t)a % (int32_t)b);
}

static inline uint32_t tsr_riscv_popcount(uint32_t value)
{
    value -= value >> 1 & 0x55555555;
    value = (value & 0x33333333) + (value >> 2 & 0x33333333);
    value = (value + (value >> 4)) & 0x0f0f0f0f;
    return value * 0x01010101 >> 24;
}

static inline uint32_t tsr_riscv_clz(uint32_t value)
{
    for (unsigned by = 1; by < 32; by *= 2)
        value |= value >> by;
    return 32 - tsr_riscv_popcount(value);
}

// Bitmanip 0.94's: exchanges neighbours of each size whose bit is set.
static inline uint32_t tsr_riscv_grev(uint32_t value, uint32_t sizes)
{
    static const uint32_t low[] = {0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0x0000ffff};
    for (unsigned i = 0; i < 5; i++)
        if (sizes >> i & 1)
            value = (value & low[i]) << (1u << i) | (value >> (1u << i) & low[i]);
    return value;
}

// Each byte that is not zero becomes all ones.
static inline uint32_t tsr_riscv_orc(uint32_t value)
{
    uint32_t any = (value & 0x7f7f7f7f) + 0x7f7f7f7f;
    any = (any | value) >> 7 & 0x01010101;
    return any * 0xff;
}

#endif
