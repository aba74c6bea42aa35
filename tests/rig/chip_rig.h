// SPDX-License-Identifier: Apache-2.0
// A chip, and programs that keep its tiles busy in ways that differ from tile to tile.
#ifndef TESSERA_TESTS_RIG_CHIP_RIG_H
#define TESSERA_TESTS_RIG_CHIP_RIG_H

#include "rig/core_rig.h"

#include <tessera/chip.h>

enum { CHIP_COUNT = 0x8000, CHIP_DONE = 0x8100 }; // where programs leave what they have

static inline tsr_chip *chip_with(const tsr_chip_options *options)
{
    tsr_chip *chip = NULL;
    assert_int_equal(tsr_chip_create(options, &chip), TSR_OK);
    return chip;
}

static inline tsr_chip *chip_make(int arch)
{
    tsr_chip_options options = tsr_chip_options_default((tsr_arch)arch);
    return chip_with(&options);
}

static inline tsr_tile *chip_tile(tsr_chip *chip, unsigned x, unsigned y)
{
    tsr_tile *tile = NULL;
    assert_int_equal(tsr_chip_tile(chip, x, y, &tile), TSR_OK);
    return tile;
}

// Core B adds the wall clock up for `rounds` rounds, leaving each sum in L1, while T0 pushes
// instructions, and writes 0xff to CHIP_DONE.
static inline void chip_load_busy(tsr_tile *tile, uint32_t rounds)
{
    struct code code = code_at(tile, 0);
    code_li(&code, A0, 0);
    code_li(&code, A1, rounds);
    code_li(&code, A2, AT_WALL_CLOCK);
    code_li(&code, A5, CHIP_COUNT);
    uint32_t loop = code.at;
    code_lw(&code, A3, A2, 0);
    code_put(&code, rv_r(RISCV_ADD, A0, A0, A3));
    code_sw(&code, A0, A5, 0);
    code_addi(&code, A1, A1, -1);
    code_branch(&code, RISCV_BNE, A1, ZERO, loop);
    code_store(&code, CHIP_DONE, 0xff);
    code_jump(&code, code.at);
    code = code_at(tile, 0x6000);
    code_li(&code, A1, rounds);
    loop = code.at;
    code_push(&code, "SETDMAREG Payload_SigSel=0 Payload_SigSelSize=0 SetSignalsMode=0 "
                     "RegIndex16b=8");
    code_push(&code, "ADDDMAREG OpBisConst=1 ResultRegIndex=9 OpBRegIndex=5 OpARegIndex=4");
    code_addi(&code, A1, A1, -1);
    code_branch(&code, RISCV_BNE, A1, ZERO, loop);
    code_jump(&code, code.at);
    assert_int_equal(tsr_core_start(tile, TSR_CORE_T0, 0x6000), TSR_OK);
    assert_int_equal(tsr_core_start(tile, TSR_CORE_B, 0), TSR_OK);
}

// Core B sends what it has counted to another tile, as a write of 16 bytes and as an inline one,
// over the NoC `noc`, `rounds` times; it adds up what others have sent, acknowledgements and the
// wall clock, leaving each sum in L1. Wormhole's raw coordinates or Blackhole's of NoC 0.
static inline void chip_load_talker(tsr_tile *tile, unsigned x, unsigned y, unsigned to_x,
                                    unsigned to_y, int noc, uint32_t rounds)
{
    enum { OUT = 0x9000, IN = 0xa000, INLINE = 0xa100, WRITE = 0x12, WRITE_INLINE = 0x1a };
    bool wormhole = tsr_tile_arch(tile) == TSR_WORMHOLE_B0;
    int high = wormhole ? 4 : 8, data = wormhole ? 0x24 : 0x28, go = wormhole ? 0x28 : 0x40;
    unsigned shift = wormhole ? 4 : 0;
    if (wormhole && noc == 1) {
        x = 9 - x, y = 11 - y;
        to_x = 9 - to_x, to_y = 11 - to_y;
    }
    struct code code = code_at(tile, 0);
    code_li(&code, A0, 0);
    code_li(&code, A1, rounds);
    code_li(&code, A2, 0xffb20000u + (uint32_t)noc * 0x10000u);
    uint32_t loop = code.at;
    for (int inlined = 0; inlined < 2; inlined++) {
        code_store(&code, OUT, 0x1000);
        code_li(&code, A5, OUT);
        code_sw(&code, A0, A5, 0);
        code_li(&code, A5, inlined ? INLINE : OUT);
        code_sw(&code, A5, A2, 0); // NOC_TARG_ADDR
        code_li(&code, A5, (inlined ? to_x | to_y << 6 : x | y << 6) << shift);
        code_sw(&code, A5, A2, high);
        code_li(&code, A5, IN);
        code_sw(&code, A5, A2, 0xc); // NOC_RET_ADDR
        code_li(&code, A5, (to_x | to_y << 6) << shift);
        code_sw(&code, A5, A2, 0xc + high);
        code_li(&code, A5, inlined ? WRITE_INLINE : WRITE);
        code_sw(&code, A5, A2, 0x1c);
        code_li(&code, A5, inlined ? 0xf : 16);
        code_sw(&code, A5, A2, 0x20);
        code_sw(&code, A1, A2, data);
        code_li(&code, A5, 1);
        code_sw(&code, A5, A2, go);
        uint32_t wait = code.at;
        code_lw(&code, A5, A2, go);
        code_branch(&code, RISCV_BNE, A5, ZERO, wait);
    }
    const uint32_t terms[] = {IN, INLINE, AT_WALL_CLOCK,
                              0xffb20204u + (uint32_t)noc * 0x10000u}; // NIU_MST_WR_ACK_RECEIVED
    for (int i = 0; i < 4; i++) {
        code_load(&code, A3, terms[i]);
        code_put(&code, rv_r(RISCV_ADD, A0, A0, A3));
    }
    code_addi(&code, A1, A1, -1);
    code_branch(&code, RISCV_BNE, A1, ZERO, loop);
    code_store(&code, CHIP_DONE, 0xff);
    code_jump(&code, code.at);
    assert_int_equal(tsr_core_start(tile, TSR_CORE_B, 0), TSR_OK);
}

#endif
