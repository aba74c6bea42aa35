// SPDX-License-Identifier: Apache-2.0
// Moves between LRegs and between lanes: SFPMOV, SFPSWAP, SFPTRANSP and SFPSHFT2. Where lanes move,
// what is known about them, written and tainted, moves with them.
// Pages: those named after the instructions, of each chip.
#include "vector/vector_moves.h"

#include "base/random.h"

// What a register had that moves, lanes and shadow state.
struct held {
    const uint32_t *value;
    uint32_t written, tainted;
};

static struct held held_of(const struct tsr_vector_call *call, unsigned lreg)
{
    return (struct held){call->in[lreg], call->vector->written[lreg],
                         call->vector->tainted[lreg] | call->taint};
}

static void take(const struct tsr_vector_call *call, unsigned lreg, const struct held *from,
                 uint32_t lanes)
{
    struct tsr_vector *vector = call->vector;
    tsr_vector_blend(vector->lreg[lreg], from->value, lanes);
    vector->written[lreg] = (vector->written[lreg] & ~lanes) | (from->written & lanes);
    vector->tainted[lreg] = (vector->tainted[lreg] & ~lanes) | (from->tainted & lanes);
    tsr_vector_wrote(vector, lreg, 0, 0);
    tsr_vector_touch(call, lreg, lanes);
}

// ---------------------------------------------------------------- SFPMOV

static uint32_t special(const struct tsr_vector_call *call, unsigned lane)
{
    enum { SEQUENCES = 4, MISC = 8, PRNG = 9, LANE_CONFIG = 15 };
    struct tsr_vector *vector = call->vector;
    const struct tsr_macro *macro = &vector->macro;
    unsigned which = call->args->vc, column = lane % TSR_LANE_COLUMNS;
    if (which < SEQUENCES)
        return macro->template_word[which][column];
    if (which < MISC)
        return macro->sequence[which - SEQUENCES][column];
    if (which == MISC)
        return macro->misc[column];
    if (which == PRNG)
        return tsr_prng_next(&vector->prng[lane]);
    return which == LANE_CONFIG ? vector->lane_config[column] : 0;
}

static bool move_special(const struct tsr_vector_call *call)
{
    uint32_t d[TSR_LANES];
    for (unsigned i = 0; i < TSR_LANES; i++)
        d[i] = call->lanes >> i & 1 ? special(call, i) : 0;
    tsr_vector_put(call, call->args->vd, d, call->lanes);
    return true;
}

bool tsr_vector_run_mov(const struct tsr_vector_call *call)
{
    enum { RESERVED = 4 };
    unsigned mod = call->args->mod & ~(unsigned)RESERVED;
    if (mod & SFPMOV_MOD1_FROM_SPECIAL)
        return move_special(call);
    if (mod != SFPMOV_MOD1_ALL_LANES_ENABLED) {
        tsr_vector_apply(call, NULL, NULL, tsr_vector_c(call));
        return true;
    }
    if (call->vector->unclean >> call->args->vc & 1 && call->args->vd < TSR_LREGS_PLAIN) {
        struct held source = held_of(call, call->args->vc);
        take(call, call->args->vd, &source, call->able);
        return true;
    }
    tsr_vector_put(call, call->args->vd, tsr_vector_c(call), call->able);
    return true;
}

// ---------------------------------------------------------------- SFPSWAP

// `one` gets what `from` has, `to` what `one` has. A macro may have put its LReg for both: then it
// is that of VC (docs/errata.md, 811).
static void exchange(const struct tsr_vector_call *call, unsigned one, unsigned from, unsigned to,
                     uint32_t lanes, unsigned below)
{
    uint32_t copy[2][TSR_LANES];
    struct held first = held_of(call, one), second = held_of(call, from);
    memcpy(copy[0], first.value, sizeof copy[0]);
    memcpy(copy[1], second.value, sizeof copy[1]);
    first.value = copy[0];
    second.value = copy[1];
    if (one < below)
        take(call, one, &second, lanes);
    if (to < below && to != one)
        take(call, to, &first, lanes);
}

// Which lanes the instruction exchanges, by doing it to a copy.
static uint32_t swapped_lanes(const struct tsr_vector_call *call, const tsr_vector_mode *mode)
{
    uint32_t c[TSR_LANES], d[TSR_LANES];
    memcpy(c, tsr_vector_c(call), sizeof c);
    memcpy(d, call->in[call->args->vb], sizeof d);
    return call->args->swap(c, d, call->lanes, mode);
}

// Both in L0 to L7, everything known, and no index: the common case.
static bool is_plain(const struct tsr_vector_call *call)
{
    const struct tsr_vector *vector = call->vector;
    unsigned vc = call->args->vc, vd = call->args->vd;
    return call->in == (const uint32_t(*)[TSR_LANES])vector->lreg && vc < TSR_LREGS_PLAIN &&
           vd < TSR_LREGS_PLAIN && !(vector->unclean & (1u << vc | 1u << vd)) && !call->taint &&
           !vector->lane_bit[TSR_LANE_DEST_INDEX];
}

bool tsr_vector_run_swap(const struct tsr_vector_call *call)
{
    enum { WITH_INDEX = 4 };
    struct tsr_vector *vector = call->vector;
    unsigned vc = call->args->vc, vb = call->args->vb, vd = call->args->vd;
    tsr_vector_mode mode = call->args->mode;
    mode.inverted = vector->lane_bit[TSR_LANE_SWAP_INVERTS];
    if (mode.modifier >= TSR_VECTOR_SWAP_MODES &&
        tsr_report(call->env, FINDING_VECTOR_RESERVED, call->inst, NULL,
                   "SFPSWAP with instr_mod1=%u puts the greater one into VD in all lanes on this "
                   "silicon; no mode has that number.",
                   (unsigned)mode.modifier) == TSR_HALT)
        return false;
    if (is_plain(call)) {
        call->args->swap(vector->lreg[vc], vector->lreg[vd], call->lanes, &mode);
        return true;
    }
    uint32_t swaps = swapped_lanes(call, &mode);
    uint32_t indexed = swaps & vector->lane_bit[TSR_LANE_DEST_INDEX];
    if (swaps & ~indexed)
        exchange(call, vc, vb, vd, swaps & ~indexed, TSR_LREGS_PLAIN);
    if (indexed) {
        unsigned partner = WITH_INDEX + (vd & 3);
        exchange(call, vc, vb, vd, indexed, WITH_INDEX);
        exchange(call, WITH_INDEX + (vc & 3), partner, partner, indexed, TSR_LREGS_PLAIN);
    }
    return true;
}

// ---------------------------------------------------------------- SFPTRANSP

// Rows of a 4 by 4 square of rows: register and lane row change places, pair by pair, as the page
// has it, so that a lane that is disabled keeps its value and gives it, too.
static void transpose_values(uint32_t square[4][TSR_LANES], uint32_t lanes)
{
    for (unsigned column = 0; column < TSR_LANE_COLUMNS; column++)
        for (unsigned i = 0; i < 4; i++)
            for (unsigned j = 0; j < i; j++) {
                unsigned at_i = i * TSR_LANE_COLUMNS + column, at_j = j * TSR_LANE_COLUMNS + column;
                uint32_t *ij = &square[i][at_j], *ji = &square[j][at_i];
                uint32_t was_ij = *ij, was_ji = *ji;
                if (lanes >> at_j & 1)
                    *ij = was_ji;
                if (lanes >> at_i & 1)
                    *ji = was_ij;
            }
}

// Beside other instructions of a cycle: all read what was there before it.
static void transpose_beside(const struct tsr_vector_call *call, unsigned base)
{
    uint32_t square[4][TSR_LANES];
    memcpy(square, call->in[base], sizeof square);
    transpose_values(square, call->lanes);
    for (unsigned i = 0; i < 4; i++) { // the diagonal stays
        uint32_t moved = call->lanes & ~(0xffu << i * TSR_LANE_COLUMNS);
        tsr_vector_blend(call->vector->lreg[base + i], square[i], moved);
        tsr_vector_touch(call, base + i, moved);
    }
}

// The same for masks.
static void transpose_masks(uint32_t mask[4], uint32_t lanes)
{
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < i; j++) {
            unsigned shift_i = i * TSR_LANE_COLUMNS, shift_j = j * TSR_LANE_COLUMNS;
            uint32_t row_j = 0xffu << shift_j & lanes, row_i = 0xffu << shift_i & lanes;
            uint32_t was_ij = mask[i] >> shift_j & 0xff, was_ji = mask[j] >> shift_i & 0xff;
            mask[i] = (mask[i] & ~row_j) | (was_ji << shift_j & row_j);
            mask[j] = (mask[j] & ~row_i) | (was_ij << shift_i & row_i);
        }
}

bool tsr_vector_run_transp(const struct tsr_vector_call *call)
{
    struct tsr_vector *vector = call->vector;
    for (unsigned base = 0; base < TSR_LREGS_PLAIN; base += 4) {
        if (call->in == (const uint32_t(*)[TSR_LANES])vector->lreg)
            transpose_values(&vector->lreg[base], call->lanes);
        else
            transpose_beside(call, base);
        if (!(vector->unclean >> base & 0xf) && !call->taint)
            continue;
        transpose_masks(&vector->written[base], call->lanes);
        transpose_masks(&vector->tainted[base], call->lanes);
        for (unsigned lreg = base; lreg < base + 4; lreg++)
            tsr_vector_wrote(vector, lreg, 0, 0);
    }
    return true;
}

// ---------------------------------------------------------------- SFPSHFT2

// L0 to L3 move down by one; `last` comes into L3.
static bool copy4(const struct tsr_vector_call *call, const uint32_t last[TSR_LANES])
{
    for (unsigned lreg = 0; lreg < 3; lreg++) {
        struct held next = held_of(call, lreg + 1);
        take(call, lreg, &next, call->lanes);
    }
    tsr_vector_put(call, 3, last, call->lanes);
    return true;
}

// Each group of eight lanes turns right by one; `into_first` is what comes into its first lane.
static void turn(uint32_t to[TSR_LANES], const uint32_t from[TSR_LANES], const uint32_t *into_first)
{
    for (unsigned i = 0; i < TSR_LANES; i++)
        to[i] = i & 7 ? from[i - 1] : into_first ? into_first[i + 7] : 0;
}

// Wormhole's mode 4 gets its empty lanes from the last rotation (SFPSHFT2.md, "HardwareBug").
static void keep_rotated(const struct tsr_vector_call *call)
{
    if (call->args->vd < TSR_FIRST_TEMPLATE)
        memcpy(call->vector->shuffled, tsr_vector_c(call), sizeof call->vector->shuffled);
}

static bool shift_lanes(const struct tsr_vector_call *call)
{
    uint32_t d[TSR_LANES];
    bool defect = call->env->chip->arch == TSR_WORMHOLE_B0;
    if (defect &&
        tsr_report(call->env, FINDING_VECTOR_SHIFT_BUG, call->inst, NULL,
                   "SFPSHFT2 with instr_mod1=4 does not put zeroes into lanes 0, 8, 16 and 24 "
                   "but what the last rotation had in the lanes before (a defect of Wormhole).") ==
            TSR_HALT)
        return false;
    turn(d, tsr_vector_c(call), defect ? call->vector->shuffled : NULL);
    tsr_vector_put(call, call->args->vd, d, call->lanes);
    return true;
}

bool tsr_vector_run_shft2(const struct tsr_vector_call *call)
{
    uint32_t d[TSR_LANES] = {0};
    switch (call->args->mod) {
    case SFPSHFT2_MOD1_COPY4:
        return copy4(call, d);
    case SFPSHFT2_MOD1_SUBVEC_CHAINED_COPY4:
        memcpy(d, call->in[0] + TSR_LANE_COLUMNS, (TSR_LANES - TSR_LANE_COLUMNS) * sizeof d[0]);
        return copy4(call, d);
    case SFPSHFT2_MOD1_SUBVEC_SHFLROR1_AND_COPY4:
        turn(d, tsr_vector_c(call), tsr_vector_c(call));
        keep_rotated(call);
        return copy4(call, d);
    case SFPSHFT2_MOD1_SUBVEC_SHFLROR1:
        turn(d, tsr_vector_c(call), tsr_vector_c(call));
        keep_rotated(call);
        tsr_vector_put(call, call->args->vd, d, call->lanes);
        return true;
    case SFPSHFT2_MOD1_SUBVEC_SHFLSHR1:
        return shift_lanes(call);
    case SFPSHFT2_MOD1_SHFT_LREG:
    case SFPSHFT2_MOD1_SHFT_IMM:
        tsr_vector_apply(call, NULL, tsr_vector_b(call), tsr_vector_c(call));
        return true;
    default:
        return tsr_report(call->env, FINDING_VECTOR_MODE, call->inst, NULL,
                          "SFPSHFT2 with instr_mod1=%u is undefined; it does nothing here.",
                          (unsigned)call->args->mod) != TSR_HALT;
    }
}
