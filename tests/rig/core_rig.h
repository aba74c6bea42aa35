// SPDX-License-Identifier: Apache-2.0
// A tile that interprets its baby cores, and programs for them as words, so that no test needs a
// tool-chain. A program is written from code_at() on, in a temporary or two that its comments name.
// Pages: BabyRISCV/README.md, SoftReset.md of each chip.
#ifndef TESSERA_TESTS_RIG_CORE_RIG_H
#define TESSERA_TESTS_RIG_CORE_RIG_H

#include "rig/riscv_rig.h"
#include "rig/tile_rig.h"

enum { ZERO = 0, RA = 1, SP = 2, A0 = 10, A1 = 11, A2 = 12, A3 = 13, A4 = 14, A5 = 15 };

#define AT_RAM 0xffb00000u
#define AT_SOFT_RESET 0xffb121b0u
#define AT_WALL_CLOCK 0xffb121f0u
#define AT_PUSH 0xffe40000u
#define AT_PC_BUFFER 0xffe80000u
#define AT_TTSYNC 0xffe80004u
#define AT_SEMAPHORES 0xffe80020u
#define AT_MAILBOXES 0xffec0000u
#define AT_CONFIG 0xffef0000u

struct code {
    tsr_tile *tile;
    uint32_t at;            // of the next word
    uint32_t *words, first; // not NULL: takes the program, which begins at `first`
};

static inline tsr_tile *tile_with_cores(int arch, bool timing, tsr_profile profile)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.timing = timing;
    options.profile = profile;
    options.cores = true;
    return tile_with(&options);
}

static inline struct code code_at(tsr_tile *tile, uint32_t address)
{
    return (struct code){.tile = tile, .at = address};
}

static inline struct code code_in(uint32_t words[], uint32_t address)
{
    return (struct code){.at = address, .words = words, .first = address};
}

static inline void code_put(struct code *code, uint32_t word)
{
    if (code->words)
        code->words[(code->at - code->first) / 4] = word;
    else
        assert_int_equal(tsr_host_store(code->tile, code->at, word, 4), TSR_OK);
    code->at += 4;
}

static inline void code_li(struct code *code, unsigned rd, uint32_t value)
{
    uint32_t low = ((value & 0xfff) ^ 0x800) - 0x800;
    code_put(code, rv_u(RISCV_LUI, rd, value - low));
    code_put(code, rv_i(RISCV_ADDI, rd, rd, (int32_t)low));
}

static inline void code_addi(struct code *code, unsigned rd, unsigned rs, int value)
{
    code_put(code, rv_i(RISCV_ADDI, rd, rs, value));
}

static inline void code_lw(struct code *code, unsigned rd, unsigned base, int offset)
{
    code_put(code, rv_i(RISCV_LW, rd, base, offset));
}

static inline void code_sw(struct code *code, unsigned rs, unsigned base, int offset)
{
    code_put(code, rv_s(RISCV_SW, rs, base, offset));
}

// Stores a constant; A4 and A5 are gone.
static inline void code_store(struct code *code, uint32_t address, uint32_t value)
{
    code_li(code, A4, address);
    code_li(code, A5, value);
    code_sw(code, A5, A4, 0);
}

// Loads from a constant address; A4 is gone.
static inline void code_load(struct code *code, unsigned rd, uint32_t address)
{
    code_li(code, A4, address);
    code_lw(code, rd, A4, 0);
}

static inline void code_branch(struct code *code, enum tsr_riscv_code branch, unsigned a,
                               unsigned b, uint32_t to)
{
    code_put(code, rv_b(branch, a, b, (int32_t)(to - code->at)));
}

static inline void code_jump(struct code *code, uint32_t to)
{
    code_put(code, rv_jal(ZERO, (int32_t)(to - code->at)));
}

// Reads the word until it is `value`; A3, A4 and A5 are gone.
static inline void code_wait_for(struct code *code, uint32_t address, uint32_t value)
{
    code_li(code, A4, address);
    code_li(code, A5, value);
    uint32_t loop = code->at;
    code_lw(code, A3, A4, 0);
    code_branch(code, RISCV_BNE, A3, A5, loop);
}

// Counts to `rounds` (two instructions each); A4 and A5 are gone.
static inline void code_spend(struct code *code, uint32_t rounds)
{
    code_li(code, A4, 0);
    code_li(code, A5, rounds);
    uint32_t loop = code->at;
    code_addi(code, A4, A4, 1);
    code_branch(code, RISCV_BNE, A4, A5, loop);
}

// A Tensix instruction as .ttinsn.
static inline void code_push(struct code *code, const char *text)
{
    code_put(code, rv_ttinsn(tile_word(code->tile, text)));
}

static inline void code_end(struct code *code)
{
    code_jump(code, code->at);
}

static inline tsr_core_state core_view(const tsr_tile *tile, int core)
{
    tsr_core_state view;
    assert_int_equal(tsr_view_core(tile, (tsr_core)core, &view), TSR_OK);
    return view;
}

static inline void core_start(tsr_tile *tile, int core, uint32_t pc)
{
    assert_int_equal(tsr_core_start(tile, (tsr_core)core, pc), TSR_OK);
}

#endif
