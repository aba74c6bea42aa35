// SPDX-License-Identifier: Apache-2.0
// Programs in C for the baby cores: Tensix instructions with named operands, and what the cores
// find at their addresses. Any compiler for RISC-V will do; ARCH_WORMHOLE or ARCH_BLACKHOLE must be
// defined. Names of the chip come from a header that `tessera kernel-header` makes of the machine's
// rows. docs/running-kernels.md has an example.
//
// Pages: BabyRISCV/README.md, PushTensixInstruction.md, Mailboxes.md, PCBufs.md, TTSync.md,
// SoftReset.md, TensixCoprocessor/SyncUnit.md, MOPExpander.md of each chip.
#ifndef TESSERA_KERNEL_KERNEL_H
#define TESSERA_KERNEL_KERNEL_H

#include <stdint.h>

#if defined(ARCH_WORMHOLE)
#include <tessera/kernel/wormhole_b0.h>
#elif defined(ARCH_BLACKHOLE)
#include <tessera/kernel/blackhole_a0.h>
#else
#error "define ARCH_WORMHOLE or ARCH_BLACKHOLE"
#endif

#define TT_INLINE static inline __attribute__((always_inline))

// ---------------------------------------------------------------- instruction words

// TT(ELWADD, addr_mode(1), clear_dvalid(3)): the word, with 0 for operands that are not named.
#define TT(...)                                                                                    \
    TT_PICK_(__VA_ARGS__, TT_13_, TT_12_, TT_11_, TT_10_, TT_9_, TT_8_, TT_7_, TT_6_, TT_5_,       \
             TT_4_, TT_3_, TT_2_, TT_1_, TT_0_, 0)                                                 \
    (__VA_ARGS__)
#define TT_PICK_(n, a, b, c, d, e, f, g, h, i, j, k, l, m, pick, ...) pick
#define TT_0_(n) (TT_WORD_##n)
#define TT_1_(n, a) (TT_WORD_##n | TT_##n##_##a)
#define TT_2_(n, a, b) (TT_1_(n, a) | TT_##n##_##b)
#define TT_3_(n, a, b, c) (TT_2_(n, a, b) | TT_##n##_##c)
#define TT_4_(n, a, b, c, d) (TT_3_(n, a, b, c) | TT_##n##_##d)
#define TT_5_(n, a, b, c, d, e) (TT_4_(n, a, b, c, d) | TT_##n##_##e)
#define TT_6_(n, a, b, c, d, e, f) (TT_5_(n, a, b, c, d, e) | TT_##n##_##f)
#define TT_7_(n, a, b, c, d, e, f, g) (TT_6_(n, a, b, c, d, e, f) | TT_##n##_##g)
#define TT_8_(n, a, b, c, d, e, f, g, h) (TT_7_(n, a, b, c, d, e, f, g) | TT_##n##_##h)
#define TT_9_(n, a, b, c, d, e, f, g, h, i) (TT_8_(n, a, b, c, d, e, f, g, h) | TT_##n##_##i)
#define TT_10_(n, a, b, c, d, e, f, g, h, i, j) (TT_9_(n, a, b, c, d, e, f, g, h, i) | TT_##n##_##j)
#define TT_11_(n, a, b, c, d, e, f, g, h, i, j, k)                                                 \
    (TT_10_(n, a, b, c, d, e, f, g, h, i, j) | TT_##n##_##k)
#define TT_12_(n, a, b, c, d, e, f, g, h, i, j, k, l)                                              \
    (TT_11_(n, a, b, c, d, e, f, g, h, i, j, k) | TT_##n##_##l)
#define TT_13_(n, a, b, c, d, e, f, g, h, i, j, k, l, m)                                           \
    (TT_12_(n, a, b, c, d, e, f, g, h, i, j, k, l) | TT_##n##_##m)

// A constant word as .ttinsn, which is the word rotated left by two bits. Its low half never ends
// in binary 11, so that the assembler takes it for a short instruction and gives it its line.
#define TT_ROTATED_(word) (((uint32_t)(word) << 2) | ((uint32_t)(word) >> 30))
#ifdef __clang__
#define TT_INSN(word) __asm__ volatile(".word %0" ::"i"(TT_ROTATED_(word)) : "memory")
#else
#define TT_INSN(word)                                                                              \
    __asm__ volatile(".insn 2, %0\n\t.2byte %1" ::"i"(TT_ROTATED_(word) & 0xffffu),                \
                     "i"(TT_ROTATED_(word) >> 16)                                                  \
                     : "memory")
#endif
// TTI(ELWADD, addr_mode(1)): issues it; all operands are constants.
#define TTI(...) TT_INSN(TT(__VA_ARGS__))
// A word that is known at run time only: TT_PUSH(TT(SETDMAREG, …)).
#define TT_PUSH(word) tt_store(TT_PUSH_BASE, (word))

// ---------------------------------------------------------------- the cores' addresses

TT_INLINE void tt_store(uint32_t address, uint32_t value)
{
    *(volatile uint32_t *)(uintptr_t)address = value;
}

TT_INLINE uint32_t tt_load(uint32_t address)
{
    return *(volatile uint32_t *)(uintptr_t)address;
}

// Loads after it see what others have stored (the data cache of Blackhole's cores).
TT_INLINE void tt_fence(void)
{
    __asm__ volatile("fence" ::: "memory");
}

// A load's value has arrived before the next instruction starts.
TT_INLINE void tt_wait_for(uint32_t value)
{
    __asm__ volatile("and zero, %0, %0" ::"r"(value) : "memory");
}

// ---------------------------------------------------------------- configuration

// Bits of a field: TT_FIELD(NAME, 3) | TT_FIELD(OTHER, 1), both in one word.
#define TT_FIELD(field, value) (((uint32_t)(value) << field##_SHAMT) & field##_MASK)

// A field of the configuration, through the coprocessor: RMWCIB for each byte that it has bits in.
#define TT_CFG(field, value)                                                                       \
    do {                                                                                           \
        TT_CFG_BYTE_(0, field, TT_FIELD(field, value));                                            \
        TT_CFG_BYTE_(1, field, TT_FIELD(field, value));                                            \
        TT_CFG_BYTE_(2, field, TT_FIELD(field, value));                                            \
        TT_CFG_BYTE_(3, field, TT_FIELD(field, value));                                            \
    } while (0)
#define TT_CFG_BYTE_(byte, field, data)                                                            \
    do {                                                                                           \
        if ((field##_MASK >> (8 * byte) & 0xffu) != 0)                                             \
            TTI(RMWCIB##byte, CfgRegAddr(field##_ADDR32), Data((data) >> (8 * byte)),              \
                Mask(field##_MASK >> (8 * byte)));                                                 \
    } while (0)

// The same with a value that is known at run time only.
#define TT_CFG_PUSH(field, value) tt_cfg_push(field##_ADDR32, field##_MASK, TT_FIELD(field, value))
TT_INLINE void tt_cfg_push(uint32_t addr32, uint32_t mask, uint32_t data)
{
    if ((mask & 0xffu) != 0)
        TT_PUSH(TT(RMWCIB0, CfgRegAddr(addr32), Data(data), Mask(mask)));
    if ((mask >> 8 & 0xffu) != 0)
        TT_PUSH(TT(RMWCIB1, CfgRegAddr(addr32), Data(data >> 8), Mask(mask >> 8)));
    if ((mask >> 16 & 0xffu) != 0)
        TT_PUSH(TT(RMWCIB2, CfgRegAddr(addr32), Data(data >> 16), Mask(mask >> 16)));
    if (mask >> 24 != 0)
        TT_PUSH(TT(RMWCIB3, CfgRegAddr(addr32), Data(data >> 24), Mask(mask >> 24)));
}

// All 16 bits of a thread's value, named by one of its fields.
#define TT_CFG16(field, bits) TTI(SETC16, setc16_reg(field##_ADDR32), setc16_value(bits))

// The cores' own window to the words of the configuration.
TT_INLINE void tt_config_store(uint32_t addr32, uint32_t value)
{
    tt_store(TT_CONFIG_BASE + 4 * addr32, value);
}

TT_INLINE uint32_t tt_config_load(uint32_t addr32)
{
    return tt_load(TT_CONFIG_BASE + 4 * addr32);
}

// ---------------------------------------------------------------- GPRs, MOP, semaphores

TT_INLINE void tt_gpr_store(uint32_t gpr, uint32_t value)
{
    tt_store(TT_GPRS_BASE + 4 * gpr, value);
}

TT_INLINE uint32_t tt_gpr_load(uint32_t gpr)
{
    return tt_load(TT_GPRS_BASE + 4 * gpr);
}

// Word 0..8 of the thread's MOP expander; see tt_wait_mop().
TT_INLINE void tt_mop_config(uint32_t index, uint32_t word)
{
    tt_store(TT_MOP_CONFIG_BASE + 4 * index, word);
}

TT_INLINE uint32_t tt_semaphore(uint32_t semaphore)
{
    return tt_load(TT_SEMAPHORES_BASE + 4 * semaphore);
}

TT_INLINE void tt_semaphore_post(uint32_t semaphore)
{
    tt_store(TT_SEMAPHORES_BASE + 4 * semaphore, 0);
}

TT_INLINE void tt_semaphore_get(uint32_t semaphore)
{
    tt_store(TT_SEMAPHORES_BASE + 4 * semaphore, 1);
}

// ---------------------------------------------------------------- waiting (T cores)

// Until all that this core has pushed is done.
TT_INLINE void tt_wait_coprocessor(void)
{
    tt_store(TT_TTSYNC_BASE, 0);
    tt_wait_for(tt_load(TT_TTSYNC_BASE));
}

// Until the words of the MOP expander may be changed.
TT_INLINE void tt_wait_mop(void)
{
    tt_store(TT_TTSYNC_BASE + 4, 0);
    tt_wait_for(tt_load(TT_TTSYNC_BASE + 4));
}

// ---------------------------------------------------------------- between cores

#define TT_MAILBOX_STEP_ (TT_MAILBOXES_SIZE / 4)
#define TT_PC_BUFFER_STEP_ (TT_PC_BUFFER1_BASE - TT_PC_BUFFER0_BASE)

// Cores of mailboxes: 0 is B, 1 to 3 are T0 to T2. Both wait, for room and for a word.
TT_INLINE void tt_mailbox_write(uint32_t to, uint32_t value)
{
    tt_store(TT_MAILBOXES_BASE + to * TT_MAILBOX_STEP_, value);
}

TT_INLINE uint32_t tt_mailbox_read(uint32_t from)
{
    return tt_load(TT_MAILBOXES_BASE + from * TT_MAILBOX_STEP_);
}

// Core B's end of thread's PC buffer, and the T core's own.
TT_INLINE void tt_pc_buffer_write(uint32_t thread, uint32_t value)
{
    tt_store(TT_PC_BUFFER0_BASE + thread * TT_PC_BUFFER_STEP_, value);
}

TT_INLINE void tt_pc_buffer_wait(uint32_t thread)
{
    tt_wait_for(tt_load(TT_PC_BUFFER0_BASE + thread * TT_PC_BUFFER_STEP_));
}

TT_INLINE uint32_t tt_pc_buffer_read(void)
{
    return tt_load(TT_PC_BUFFER_T_BASE);
}

// ---------------------------------------------------------------- time and resets

TT_INLINE uint32_t tt_clock(void)
{
    return tt_load(TT_DEBUG_WALL_CLOCK_L);
}

// Beside TT_RESET_B, TT_RESET_T0, …
#define TT_RESET_TRISCS (TT_RESET_T0 | TT_RESET_T1 | TT_RESET_T2)

TT_INLINE void tt_reset(uint32_t cores)
{
    tt_store(TT_DEBUG_SOFT_RESET_0, tt_load(TT_DEBUG_SOFT_RESET_0) | cores);
    tt_wait_for(tt_load(TT_DEBUG_SOFT_RESET_0));
}

TT_INLINE void tt_release(uint32_t cores)
{
    tt_store(TT_DEBUG_SOFT_RESET_0, tt_load(TT_DEBUG_SOFT_RESET_0) & ~cores);
    tt_wait_for(tt_load(TT_DEBUG_SOFT_RESET_0));
}

// Where the T cores begin: on Wormhole a host leaves the addresses in L1, on Blackhole it has
// written them to the registers itself.
TT_INLINE void tt_set_starts(void)
{
#ifdef ARCH_WORMHOLE
    for (uint32_t i = 0; i < 3; i++)
        tt_config_store(TRISC_RESET_PC_SEC0_PC_ADDR32 + i, tt_load(TT_START_WORDS + 4 * i));
    tt_config_store(TRISC_RESET_PC_OVERRIDE_Reset_PC_Override_en_ADDR32, 7);
#endif
}

// Where core NC begins: in its instruction RAM on Wormhole; on Blackhole a host has said it.
TT_INLINE void tt_set_nc_start(void)
{
#ifdef ARCH_WORMHOLE
    tt_config_store(NCRISC_RESET_PC_PC_ADDR32, TT_IRAM_BASE);
    tt_config_store(NCRISC_RESET_PC_OVERRIDE_Reset_PC_Override_en_ADDR32, 1);
#endif
}

// ---------------------------------------------------------------- the end of a kernel

// A T core's word in L1, which says that its kernel has come to its end.
enum { TT_DONE = 0xff };
TT_INLINE void tt_done(uint32_t thread)
{
    tt_wait_coprocessor();
    tt_store(TT_DONE_WORDS + 4 * thread, TT_DONE);
}

// Core B's side.
TT_INLINE void tt_wait_done(uint32_t thread)
{
    while (tt_load(TT_DONE_WORDS + 4 * thread) != TT_DONE)
        tt_fence();
}

#endif
