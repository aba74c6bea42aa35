// SPDX-License-Identifier: Apache-2.0
// The vector unit at power-on and behind a soft reset, the seeding of its PRNGs, and what depends
// on LaneConfig. Pages: LReg.md, VectorUnit.md ("PRNG"), SFPCONFIG.md ("LaneConfig"), SoftReset.md.
#include "state/vector.h"

#include "base/random.h"
#include "base/vector_modes.h"

#include <string.h>

const uint32_t tsr_vector_usual[4] = {0xbf800000, 0x3b000000, 0xbf2cc4c7, 0xbeb08ff9};

static void fill(struct tsr_vector *vector, unsigned lreg, uint32_t value)
{
    for (unsigned lane = 0; lane < TSR_LANES; lane++)
        vector->lreg[lreg][lane] = value;
}

static void fill_usual(struct tsr_vector *vector)
{
    for (unsigned i = 0; i < 4; i++)
        fill(vector, TSR_LREG11 + i, tsr_vector_usual[i]);
}

// LRegs 11 to 14 have their usual values, but nobody has written them.
void tsr_vector_power_on(struct tsr_vector *vector)
{
    enum {
        KNOWN = 1 << TSR_LCONST_0_8373 | 1 << TSR_LCONST_0 | 1 << TSR_LCONST_1 | 1 << TSR_LTILEID
    };
    fill(vector, TSR_LCONST_0_8373, 0x3f56594b);
    fill(vector, TSR_LCONST_1, 0x3f800000);
    fill_usual(vector);
    for (unsigned lane = 0; lane < TSR_LANES; lane++)
        vector->lreg[TSR_LTILEID][lane] = 2 * lane;
    for (unsigned lreg = 0; lreg < TSR_LREGS; lreg++)
        if (KNOWN >> lreg & 1)
            vector->written[lreg] = ~0u;
    vector->unclean = ((1u << TSR_LREGS) - 1) & ~(uint32_t)KNOWN;
    vector->macro.uniform = true;
    tsr_vector_enable(vector);
}

void tsr_vector_leave_reset(struct tsr_vector *vector)
{
    for (unsigned lreg = 0; lreg < TSR_LREGS_PLAIN; lreg++)
        fill(vector, lreg, 0);
    fill(vector, TSR_LREG_MACRO, 0);
    fill_usual(vector);
    memset(vector->written, 0xff, sizeof vector->written);
    memset(vector->tainted, 0, sizeof vector->tainted);
    vector->unclean = vector->flags = vector->use_flags = 0;
    memset(vector->depth, 0, sizeof vector->depth);
    memset(vector->macro.template_word, 0, sizeof vector->macro.template_word);
    memset(vector->macro.sequence, 0, sizeof vector->macro.sequence);
    memset(vector->macro.misc, 0, sizeof vector->macro.misc);
    vector->macro.uniform = true;
    for (unsigned column = 0; column < TSR_LANE_COLUMNS; column++)
        tsr_vector_configure_lanes(vector, column, 0);
    tsr_vector_seed(vector, vector->seed);
}

// What the vendor's simulator does (docs/errata.md, 403).
void tsr_vector_seed(struct tsr_vector *vector, uint32_t seed)
{
    uint32_t state = vector->seed = seed;
    for (unsigned i = 0; i < TSR_LANES; i++)
        tsr_prng_next(&state);
    for (unsigned lane = TSR_LANES; lane-- > 0;) {
        tsr_prng_next(&state);
        tsr_prng_next(&state);
        vector->prng[lane] = state;
    }
}

void tsr_vector_configure_lanes(struct tsr_vector *vector, unsigned column, uint32_t value)
{
    const uint32_t lanes = 0x01010101u << column;
    value &= (1u << TSR_LANE_CONFIG_WIDTH) - 1;
    vector->lane_config[column] = value;
    for (unsigned bit = 0; bit < TSR_LANE_BITS; bit++)
        vector->lane_bit[bit] = (vector->lane_bit[bit] & ~lanes) | (value >> bit & 1 ? lanes : 0);
    vector->row_masked &= ~lanes;
    for (unsigned row = 0; row < TSR_LANES / TSR_LANE_COLUMNS; row++)
        if (value >> (TSR_LANE_ROW_MASK + row) & 1)
            vector->row_masked |= 1u << (row * TSR_LANE_COLUMNS + column);
    tsr_vector_enable(vector);
}

uint16_t tsr_vector_kept_columns(const struct tsr_vector *vector)
{
    uint16_t kept = 0;
    for (unsigned column = 0; column < TSR_LANE_COLUMNS; column++)
        kept |=
            (uint16_t)((vector->lane_config[column] >> TSR_LANE_BLOCK_MOVE & 3) << (2 * column));
    return kept;
}
