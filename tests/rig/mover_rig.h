// SPDX-License-Identifier: Apache-2.0
// Transfers of the mover, by XMOV or through TDMA-RISC, and the registers that start them. For
// tests of the mover, TDMA-RISC, address maps, resets and SETREG.
#ifndef TESSERA_TESTS_MOVER_RIG_H
#define TESSERA_TESTS_MOVER_RIG_H

#include "rig/tile_rig.h"

enum { ZERO_TO_L1, L1_TO_OUTSIDE, ZERO_TO_OUTSIDE, L1_TO_L1 };
enum { FROM = 0x10000, TO = 0x20000 };

static const uint32_t tdma = 0xffb11000u, debug_regs = 0xffb12000u, iram_offset = 0x40000;

static inline uint32_t get(tsr_tile *tile, int core, uint32_t address)
{
    uint32_t value = 0xdeadbeef;
    assert_int_equal(tsr_load(tile, (tsr_core)core, address, &value, 4), TSR_OK);
    return value;
}

static inline void put(tsr_tile *tile, int core, uint32_t address, uint32_t value)
{
    assert_int_equal(tsr_store(tile, (tsr_core)core, address, value, 4), TSR_OK);
}

// Bytes that differ from line to line.
static inline void fill(tsr_tile *tile, uint32_t address, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) {
        uint8_t byte = (uint8_t)(1 + i + i / 251);
        assert_int_equal(tsr_l1_write(tile, address + i, &byte, 1), TSR_OK);
    }
}

static inline bool same(const tsr_tile *tile, uint32_t one, uint32_t other, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i += 4)
        if (tile_l1(tile, one + i) != tile_l1(tile, other + i))
            return false;
    return true;
}

// The fields that XMOV reads, in a bank.
static inline void move_fields(tsr_tile *tile, int bank, int way, uint32_t target, uint32_t source,
                               uint32_t bytes)
{
    tile_field(tile, bank, FIELD_THCON_SEC0_REG6_Destination_address, target / 16);
    tile_field(tile, bank, FIELD_THCON_SEC0_REG6_Source_address, source / 16);
    tile_field(tile, bank, FIELD_THCON_SEC0_REG6_Buffer_size, bytes / 16);
    tile_field(tile, bank, FIELD_THCON_SEC0_REG6_Transfer_direction, (uint32_t)way);
}

// XMOV by thread 0 until the tile is idle; returns the cycles in which the mover was busy.
static inline uint64_t moved(tsr_tile *tile, int way, uint32_t target, uint32_t source,
                             uint32_t bytes)
{
    tsr_run_report before, after;
    move_fields(tile, 0, way, target, source, bytes);
    tsr_get_report(tile, &before);
    tile_do(tile, 0, "XMOV");
    tsr_get_report(tile, &after);
    assert_false(tile_state(tile)->mover.busy);
    return after.unit_busy[TSR_UNIT_MOVER] - before.unit_busy[TSR_UNIT_MOVER];
}

#endif
