// SPDX-License-Identifier: Apache-2.0
// A tile for tests of the vector unit: LRegs with known values, instructions of thread 1 as text.
#ifndef TESSERA_TESTS_VECTOR_RIG_H
#define TESSERA_TESTS_VECTOR_RIG_H

#include "rig/tile_rig.h"

static inline struct tsr_vector *vector_of(tsr_tile *tile)
{
    return &tile_state(tile)->vector;
}

// A number that says where it is from; half of them negative, none a denormal or NaN.
static inline uint32_t vector_value(unsigned lreg, unsigned lane)
{
    uint32_t hash = (lreg * 37 + lane + 1) * 0x9e3779b1u;
    return (hash & 0x807fffff) | (100 + (hash >> 24 & 31)) << 23;
}

// LRegs 0 to 7 and 16 with vector_value() in all lanes, which count as written.
static inline void vector_fill(tsr_tile *tile)
{
    struct tsr_vector *vector = vector_of(tile);
    for (unsigned lreg = 0; lreg < TSR_LREGS; lreg++) {
        if (lreg >= TSR_LREGS_PLAIN && lreg != TSR_LREG_MACRO)
            continue;
        for (unsigned lane = 0; lane < TSR_LANES; lane++)
            vector->lreg[lreg][lane] = vector_value(lreg, lane);
        vector->written[lreg] = ~0u;
        vector->tainted[lreg] = 0;
        vector->unclean &= ~(1u << lreg);
    }
}

static inline tsr_tile *vector_tile(int arch)
{
    tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
    vector_fill(tile);
    return tile;
}

static inline void vector_do(tsr_tile *tile, const char *text)
{
    tile_do(tile, 1, text);
}

// Several at once, with nothing between them.
static inline void vector_run(tsr_tile *tile, const char *const *texts, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        tile_push(tile, 1, texts[i]);
    tile_idle(tile);
}

// LaneConfig of all columns.
static inline void vector_configure(tsr_tile *tile, uint32_t value)
{
    char text[80];
    snprintf(text, sizeof text, "SFPCONFIG imm16_math=%u config_dest=15 instr_mod1=1", value);
    vector_do(tile, text);
    vector_do(tile, "SFPNOP");
}

// Flags of a mask, in use everywhere.
static inline void vector_enable(tsr_tile *tile, uint32_t lanes)
{
    struct tsr_vector *vector = vector_of(tile);
    vector->use_flags = ~0u;
    vector->flags = lanes;
    tsr_vector_enable(vector);
}

static inline uint32_t vector_lane(tsr_tile *tile, unsigned lreg, unsigned lane)
{
    tsr_lreg view;
    assert_int_equal(tsr_view_lreg(tile, (int)lreg, &view), TSR_OK);
    return view.value[lane];
}

#endif
