// SPDX-License-Identifier: Apache-2.0
// Kernels as hosts boot them: core B serves commands that a host leaves in L1, sets the coprocessor
// up and lets the T cores go; or, on Blackhole, T0 does so.
// Pages: SoftReset.md, BabyRISCV/README.md, Mailboxes.md, TTSync.md of each chip,
// DebugTimestamper.md.
#ifndef TESSERA_TESTS_RIG_BOOT_KERNELS_H
#define TESSERA_TESTS_RIG_BOOT_KERNELS_H

#include "rig/core_rig.h"

enum {
    BOOT_MAILBOXES = 0x1ffb8, // of T0, T1, T2
    BOOT_COMMANDS = 0x1ffc4,  // two slots in turn
    BOOT_DONE = 0x1ffcc,      // commands that core B has served
    BOOT_STARTS = 0x16dff0,   // Wormhole: where the T cores begin
    BOOT_IMAGES = 0x30000,    // of their data
    BOOT_RESULTS = 0x31000
};
enum { BOOT_NOTHING = 0, BOOT_START_TRISCS = 1, BOOT_RESET_TRISCS = 2, BOOT_NEW_STARTS = 3 };
enum { BOOT_HELD = 0x47800, BOOT_TRISCS = 0x7000, BOOT_WAIT = 1000 };

static const uint32_t boot_trisc_code[3] = {0x6000, 0x21000, 0x22000};

// ---------------------------------------------------------------- core B's program

static inline void boot_wait(struct code *code)
{
    code_li(code, A4, AT_WALL_CLOCK);
    code_lw(code, A5, A4, 0);
    code_li(code, A3, BOOT_WAIT);
    uint32_t loop = code->at;
    code_lw(code, A2, A4, 0);
    code_lw(code, A1, A4, 8); // the high half, latched
    code_put(code, rv_r(RISCV_SUB, A2, A2, A5));
    code_branch(code, RISCV_BLTU, A2, A3, loop);
}

static inline void boot_change_resets(struct code *code, bool hold)
{
    code_li(code, A4, AT_SOFT_RESET);
    code_lw(code, A3, A4, 0);
    code_li(code, A5, hold ? BOOT_TRISCS : ~(uint32_t)BOOT_TRISCS);
    code_put(code, rv_r(hold ? RISCV_OR : RISCV_AND, A3, A3, A5));
    code_sw(code, A3, A4, 0);
    uint32_t loop = code->at;
    code_lw(code, A5, A4, 0);
    code_branch(code, RISCV_BNE, A5, A3, loop);
}

static inline void boot_set_up(struct code *code, int arch)
{
    if (arch == BH)
        code_store(code, 0xffb12240u, 0);
    code_push(code, arch == BH ? "ZEROACC clear_mode=3 addr_mode=0 use_32_bit_mode=0"
                               : "ZEROACC clear_mode=3");
    code_push(code, "SFPENCC imm12_math=3 instr_mod1=10");
    code_push(code, "NOP");
    code_push(code, "SFPCONFIG config_dest=11 instr_mod1=1");
    code_push(code, "SEMINIT sem_sel=4 max_value=1");
    code_push(code, "SEMINIT sem_sel=8 max_value=1");
    if (arch == WH) {
        for (uint32_t i = 0; i < 3; i++) {
            code_load(code, A3, BOOT_STARTS + 4 * i);
            code_li(code, A4, AT_CONFIG + 4 * (158 + i));
            code_sw(code, A3, A4, 0);
        }
        code_store(code, AT_CONFIG + 4 * 161, 7);
    }
}

// The commands served are counted in A0, which says which slot is next.
static inline void boot_answer(struct code *code)
{
    code_addi(code, A0, A0, 1);
    code_put(code, rv_i(RISCV_ANDI, A1, A0, 1));
    code_put(code, rv_i(RISCV_SLLI, A1, A1, 2));
    code_li(code, A2, BOOT_COMMANDS);
    code_put(code, rv_r(RISCV_ADD, A2, A2, A1));
    code_sw(code, ZERO, A2, 0);
    code_li(code, A2, BOOT_DONE);
    code_sw(code, A0, A2, 0);
}

static inline void boot_write_brisc(tsr_tile *tile, int arch)
{
    struct code code = code_at(tile, 0);
    code_li(&code, A4, AT_CONFIG + 4 * 2); // the branch predictor's switch
    code_lw(&code, A5, A4, 0);
    code_put(&code, rv_i(RISCV_ORI, A5, A5, 1));
    code_sw(&code, A5, A4, 0);
    code_store(&code, BOOT_COMMANDS, BOOT_NOTHING);
    code_store(&code, BOOT_COMMANDS + 4, BOOT_NOTHING);
    code_store(&code, BOOT_DONE, 0);
    code_li(&code, A0, 0);
    uint32_t loop = code.at;
    code_put(&code, rv_i(RISCV_ANDI, A1, A0, 1));
    code_put(&code, rv_i(RISCV_SLLI, A1, A1, 2));
    code_li(&code, A2, BOOT_COMMANDS);
    code_put(&code, rv_r(RISCV_ADD, A2, A2, A1));
    code_lw(&code, A3, A2, 0);
    uint32_t branches = code.at;
    code.at += 3 * 4 + 2 * 4; // filled below
    uint32_t none = code.at;
    boot_wait(&code);
    code_jump(&code, loop);
    uint32_t start = code.at;
    for (uint32_t i = 0; i < 3; i++)
        code_store(&code, BOOT_MAILBOXES + 4 * i, 1);
    boot_set_up(&code, arch);
    boot_change_resets(&code, false);
    boot_answer(&code);
    code_jump(&code, none);
    uint32_t reset = code.at;
    boot_change_resets(&code, true);
    boot_answer(&code);
    code_jump(&code, none);
    code.at = branches;
    code_addi(&code, A4, ZERO, BOOT_RESET_TRISCS);
    code_branch(&code, RISCV_BEQ, A3, A4, reset);
    code_branch(&code, RISCV_BEQ, A3, ZERO, none);
    code_jump(&code, start);
    code_put(&code, rv_i(RISCV_ADDI, ZERO, ZERO, 0));
}

// ---------------------------------------------------------------- the T cores' programs

// Copies the image of its data RAM, as crt0 does; A1 to A5 are gone.
static inline void boot_copy_data(struct code *code, uint32_t image, uint32_t words)
{
    code_li(code, A1, image);
    code_li(code, A2, AT_RAM);
    code_li(code, A3, AT_RAM + 4 * words);
    uint32_t loop = code->at;
    code_lw(code, A4, A1, 0);
    code_sw(code, A4, A2, 0);
    code_addi(code, A1, A1, 4);
    code_addi(code, A2, A2, 4);
    code_branch(code, RISCV_BLTU, A2, A3, loop);
}

static inline void boot_say_done(struct code *code, uint32_t thread)
{
    code_store(code, BOOT_MAILBOXES + 4 * thread, 0xff);
    code_end(code);
}

// T1 sends what it has to T0, which has its thread add it to a GPR; T2 waits for that in L1.
static inline void boot_write_triscs(tsr_tile *tile)
{
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t image[8];
        for (uint32_t k = 0; k < 8; k++)
            image[k] = 100 * i + k;
        assert_int_equal(tsr_l1_write(tile, BOOT_IMAGES + 0x100 * i, image, sizeof image), TSR_OK);
    }
    struct code code = code_at(tile, boot_trisc_code[0]);
    boot_copy_data(&code, BOOT_IMAGES, 8);
    code_load(&code, A0, AT_RAM + 12); // 3
    code_li(&code, A1, AT_MAILBOXES + 0x2000);
    code_lw(&code, A2, A1, 0);
    code_put(&code, rv_r(RISCV_ADD, A0, A0, A2));
    code_li(&code, A1, 0xffe00000u);
    code_sw(&code, A0, A1, 4 * 8);
    code_push(&code, "ADDDMAREG OpBisConst=1 ResultRegIndex=9 OpBRegIndex=5 OpARegIndex=8");
    code_push(&code, "SEMPOST sem_sel=4");
    code_li(&code, A2, AT_TTSYNC);
    code_sw(&code, ZERO, A2, 0);
    code_lw(&code, A3, A2, 0);
    code_put(&code, rv_i(RISCV_ANDI, A3, A3, 0)); // the next one must not overtake it
    code_lw(&code, A3, A2, 4);
    code_lw(&code, A0, A1, 4 * 9);
    code_li(&code, A1, BOOT_RESULTS);
    code_sw(&code, A0, A1, 0);
    boot_say_done(&code, 0);
    code = code_at(tile, boot_trisc_code[1]);
    boot_copy_data(&code, BOOT_IMAGES + 0x100, 8);
    code_load(&code, A0, AT_RAM + 28); // 107
    code_li(&code, A1, AT_MAILBOXES + 0x1000);
    code_sw(&code, A0, A1, 0);
    code_store(&code, 0xffb80000u + 4, 1);
    boot_say_done(&code, 1);
    code = code_at(tile, boot_trisc_code[2]);
    boot_copy_data(&code, BOOT_IMAGES + 0x200, 8);
    code_wait_for(&code, AT_SEMAPHORES + 4 * 2, 1);
    code_store(&code, AT_SEMAPHORES + 4 * 2, 1); // get
    boot_say_done(&code, 2);
}

// Blackhole: T0 begins at its fixed address, sets up, and lets the others go. After
// boot_write_triscs().
static inline void boot_write_trisc0(tsr_tile *tile)
{
    struct code code = code_at(tile, 0x5f00);
    uint32_t first = code.at;
    code_li(&code, A0, 0);
    boot_set_up(&code, BH);
    code_li(&code, A2, AT_TTSYNC);
    code_lw(&code, A3, A2, 0);
    boot_change_resets(&code, false);
    assert_in_range(code.at, first, 0x6000);
    code_jump(&code, 0x6004);
    // T0's first instruction makes room for a jump there.
    uint32_t moved;
    assert_int_equal(tsr_host_load(tile, 0x6000, &moved, 4), TSR_OK);
    code = code_at(tile, 0x5efc);
    code_put(&code, moved);
    code = code_at(tile, 0x6000);
    code_jump(&code, 0x5efc);
}

#endif
