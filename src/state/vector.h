// SPDX-License-Identifier: Apache-2.0
// What the vector unit keeps: 17 LRegs of 32 lanes, the lanes' flags and their stack, the PRNGs,
// LaneConfig, and SFPLOADMACRO's configuration with the instructions that it has scheduled. A mask
// has a bit for each lane. What SFPCONFIG writes is the same in the four lanes of a column.
// Pages: LReg.md, VectorUnit.md, SFPCONFIG.md, SFPLOADMACRO.md.
#ifndef TESSERA_STATE_VECTOR_H
#define TESSERA_STATE_VECTOR_H

#include "isa/isa.h"
#include "state/origin.h"

#include <tessera/tessera.h>

#include <stdbool.h>
#include <stdint.h>

enum {
    TSR_LANES = 32,
    TSR_LANE_COLUMNS = 8,
    TSR_LREGS = 17,
    TSR_LREGS_PLAIN = 8, // that instructions write
    TSR_LREG_MACRO = 16, // that only scheduled instructions reach
    TSR_FLAG_STACK = 8,
    TSR_MACROS = 4, // templates and sequences
    TSR_MACRO_DELAYS = 8
};

// Bits of LaneConfig (SFPCONFIG.md).
enum tsr_lane_config_bit {
    TSR_LANE_FP16A_INF,
    TSR_LANE_NO_BACKDOOR,
    TSR_LANE_DEST_INDEX,
    TSR_LANE_CAPTURE_INDEX,
    TSR_LANE_BLOCK_WRITE,
    TSR_LANE_BLOCK_READ,
    TSR_LANE_READ_EXCHANGE,
    TSR_LANE_WRITE_EXCHANGE,
    TSR_LANE_SWAP_INVERTS,
    TSR_LANE_BLOCK_MOVE, // 2 bits
    TSR_LANE_BITS = TSR_LANE_BLOCK_MOVE,
    TSR_LANE_ROW_MASK = 12, // 4 bits
    TSR_LANE_CONFIG_WIDTH = 18
};

// An instruction that SFPLOADMACRO has scheduled, with the operands that it has replaced.
struct tsr_scheduled {
    uint32_t word;  // the template, or SFPNOP
    uint32_t lanes; // for which
    uint8_t vd, vb, vc;
    uint8_t mod0;      // of SFPSTORE, resolved
    uint8_t order;     // of rows of Dst, for SFPSTORE
    uint16_t address;  // in Dst, for SFPSTORE
    bool vb_is_loaded; // VB came from the SFPLOADMACRO
    bool counts_instructions;
    uint8_t thread;
    uint32_t macro;    // the SFPLOADMACRO
    uint64_t sequence; // ... in its thread
};

// Instructions of one sub-unit with the same delay; several only where columns are configured
// differently.
struct tsr_macro_slot {
    struct tsr_scheduled of[TSR_LANE_COLUMNS];
    uint8_t count;
};

struct tsr_macro_late {
    uint32_t lregs;     // a bit for each
    uint8_t mover;      // the scheduled SFPSWAP or shuffle among those that write them, or OP_NONE
    uint8_t vc, vb, vd; // of that SFPSWAP
    uint32_t lanes[TSR_LREGS];
    uint32_t value[TSR_LREGS][TSR_LANES];
};

struct tsr_macro {
    uint32_t template_word[TSR_MACROS][TSR_LANE_COLUMNS];
    uint32_t sequence[TSR_MACROS][TSR_LANE_COLUMNS];
    uint16_t misc[TSR_LANE_COLUMNS];
    bool uniform; // all columns are equal
    // By sub-unit and by delay: slot 0 executes in the next cycle.
    struct tsr_macro_slot slot[TSR_SUB_UNITS][TSR_MACRO_DELAYS];
    uint32_t scheduled; // how many there are in all slots
    uint32_t waiting;   // ... that no clock brings nearer: one of them counts instructions
    // Results that come at the end of the next cycle: those of the last cycle, and of this one.
    struct tsr_macro_late late[2];
    uint32_t before[TSR_LREGS][TSR_LANES]; // what instructions of the present cycle read
};

// LRegs whose values are not there in the next cycle, or a unit that is not: what the instruction
// behind must not do (SFPMAD.md, SFPSHFT2.md, SFPCONFIG.md under "Instruction scheduling").
struct tsr_vector_late {
    uint32_t lregs;      // a bit for each LReg that hardware takes for late
    uint32_t results;    // ... that is, and must not be read
    uint32_t named;      // ... that L7 named for the last result whose VD comes from there
    uint32_t kept_lregs; // ... written
    bool shuffle;        // a lane shuffle still occupies what simple instructions use
    bool backdoor;       // LaneConfig's bit has changed
    uint8_t thread;
    uint32_t word;
    uint64_t sequence; // of the instruction in its thread; 0: nothing is late
    uint64_t cycle;
};

struct tsr_vector {
    uint32_t lreg[TSR_LREGS][TSR_LANES];
    uint32_t prng[TSR_LANES], seed;
    uint32_t shuffled[TSR_LANES]; // Wormhole's SFPSHFT2: what its mode 4 puts into empty lanes
    uint32_t written[TSR_LREGS], tainted[TSR_LREGS];
    uint32_t unclean; // a bit for each LReg with a lane that is not written, or tainted
    uint32_t shuffled_unclean;
    uint32_t flags;     // LaneFlags
    uint32_t use_flags; // UseLaneFlagsForLaneEnable
    uint32_t enabled;   // LaneEnabled, kept by tsr_vector_enable()
    // The flag stack: level 0 is the bottom; `depth` has the lanes in which a level is in use.
    uint32_t stack_flags[TSR_FLAG_STACK], stack_use[TSR_FLAG_STACK], depth[TSR_FLAG_STACK];
    uint32_t lane_config[TSR_LANE_COLUMNS];
    uint32_t lane_bit[TSR_LANE_BITS];    // the same by bit, as masks
    uint32_t row_masked;                 // lanes that ROW_MASK disables
    uint16_t stack_pointer[TSR_THREADS]; // RWCs' Sp (Blackhole)
    struct tsr_macro macro;
    struct tsr_vector_late late;
    uint64_t swap_until; // cycle: SFPNOP alone is taken before
    bool holds_next;     // the same with timing off, of the instruction that `sequence` names
    // The last cycle that scheduled instructions have seen, and the instruction that it belongs to.
    uint64_t cycle, sequence;
    uint8_t thread;
    struct tsr_origin disabled_by; // who set the flags that leave lanes disabled
    uint32_t rest[22];             // of its last line (state.h)
};

// What SFPCONFIG gives LReg[11] to LReg[14] without a value (docs/errata.md, 402).
extern const uint32_t tsr_vector_usual[4];

// LaneEnabled of VectorUnit.md, after flags or LaneConfig have changed.
static inline void tsr_vector_enable(struct tsr_vector *vector)
{
    vector->enabled = ~vector->row_masked & (~vector->use_flags | vector->flags);
}

// Power-on: the constants, and the PRNGs from the tile's seed.
void tsr_vector_power_on(struct tsr_vector *vector);
// Leaving soft reset: registers, flags and configuration, and the PRNGs as they were seeded last.
void tsr_vector_leave_reset(struct tsr_vector *vector);
// PRNG_SEED: 32 lanes from one number.
void tsr_vector_seed(struct tsr_vector *vector, uint32_t seed);
// LaneConfig of a column; keeps what depends on it, but for the matrix unit's columns.
void tsr_vector_configure_lanes(struct tsr_vector *vector, unsigned column, uint32_t value);
// The columns that moves leave alone: struct tsr_matrix's kept_columns.
uint16_t tsr_vector_kept_columns(const struct tsr_vector *vector);

#endif
