// SPDX-License-Identifier: Apache-2.0
// Stores to RISCV_DEBUG_REG_SOFT_RESET_0: what happens as parts of the coprocessor enter and leave
// soft reset. What they do while they are held is in frontend/reset_gate.c and
// state/config_access.c; the cores' part is in core_reset.c. A tile starts with every bit clear, or
// with the cores held if it interprets them (docs/errata.md). Page: SoftReset.md of each chip.
#include "tile/soft_reset.h"

#include "control/scalar_unit.h"
#include "frontend/queues.h"
#include "state/config_access.h"
#include "state/l1_traffic.h"
#include "state/races.h"
#include "tile/core_reset.h"
#include "vector/vector_macro.h"

#include <string.h>

// Packers of the chip whose bit is set.
static uint32_t packers_in(const struct tsr_env *env, uint32_t bits)
{
    return bits / TSR_RESET_PACKER0 & ((1u << env->chip->packers) - 1u);
}

// A reset of some packers cannot stop a PACR that others go on with. False: the tile stopped.
static bool check_parts(struct tsr_access *access, uint32_t entering, uint32_t value)
{
    struct tsr_env *env = access->env;
    uint32_t unpackers = value & TSR_RESET_UNPACKERS;
    if (unpackers != 0 && unpackers != TSR_RESET_UNPACKERS)
        TSR_ACCESS_REPORT(access, FINDING_SOFT_RESET_PART,
                          "%s sets bits 0x%02x of the unpackers' soft reset, which are 0x83.",
                          tsr_access_who(access), (unsigned)unpackers);
    if ((entering & TSR_RESET_AUTO_SYNC) && env->chip->arch == TSR_BLACKHOLE_A0)
        TSR_ACCESS_REPORT(access, FINDING_UNDOCUMENTED_MODE,
                          "%s holds Auto TTSync in soft reset, of which no page says more.",
                          tsr_access_who(access));
    uint32_t which = packers_in(env, entering);
    if (which && packers_in(env, value) != packers_in(env, TSR_RESET_PACKERS) &&
        env->state->queues.of[TSR_UNIT_PACKER].count > 0)
        TSR_ACCESS_REPORT(access, FINDING_UNIMPLEMENTED_MODE,
                          "Soft reset of packers 0x%x alone while a PACR is at work is "
                          "unimplemented.",
                          (unsigned)which);
    return !env->findings->stopped;
}

static void forget_packer(struct tsr_packer *packer)
{
    memset(&packer->data, 0, sizeof packer->data);
    memset(&packer->exponents, 0, sizeof packer->exponents);
    memset(&packer->row_starts, 0, sizeof packer->row_starts);
    memset(&packer->group, 0, sizeof packer->group);
    memset(&packer->rows, 0, sizeof packer->rows);
    packer->last_tile_size = 0;
    memset(packer->acc_tile_size, 0, sizeof packer->acc_tile_size);
    packer->metadata_first = packer->metadata_count = 0;
}

static void clear_columns(struct tsr_src *src, uint16_t columns)
{
    for (unsigned bank = 0; bank < 2; bank++) {
        src->bank[bank].uniform = false;
        for (unsigned row = 0; row < TSR_SRC_ROWS; row++) {
            for (unsigned column = 0; column < TSR_COLUMNS; column++)
                if (columns >> column & 1)
                    src->bank[bank].datum[row][column] = 0;
            src->bank[bank].written[row] |= columns;
            src->bank[bank].tainted[row] &= (uint16_t)~columns;
        }
    }
}

static void release_banks(struct tsr_src *src, struct tsr_src_shadow shadow[2])
{
    shadow[0].lent = shadow[1].lent = false;
    src->unpacker_bank = src->matrix_bank = 0;
    src->bank[0].matrix_owns = src->bank[1].matrix_owns = false;
}

static void reset_sources(struct tsr_state *state, uint32_t entering)
{
    uint16_t columns = 0;
    for (unsigned i = 0; i < 4; i++)
        if (entering & TSR_RESET_SRCA_COLUMNS0 << i)
            columns |= (uint16_t)(0xfu << (4 * i));
    if (entering & TSR_RESET_MATRIX)
        columns = 0xffff;
    if (columns)
        clear_columns(&state->src[TSR_SRCA], columns);
    if (entering & TSR_RESET_SRCA_OWNERS)
        release_banks(&state->src[TSR_SRCA], state->src_shadow[TSR_SRCA]);
    if (entering & TSR_RESET_SRCB) {
        clear_columns(&state->src[TSR_SRCB], 0xffff);
        release_banks(&state->src[TSR_SRCB], state->src_shadow[TSR_SRCB]);
    }
}

static void enter(struct tsr_env *env, uint32_t entering, uint32_t value)
{
    struct tsr_state *state = env->state;
    uint32_t packers = packers_in(env, entering);
    if (packers && packers_in(env, value) == packers_in(env, TSR_RESET_PACKERS))
        tsr_queue_abort(env, TSR_UNIT_PACKER);
    for (unsigned i = 0; i < TSR_PACKERS; i++)
        if (packers >> i & 1)
            forget_packer(&state->packers.packer[i]);
    if (entering & TSR_RESET_MOVER) {
        tsr_queue_abort(env, TSR_UNIT_MOVER);
        state->mover.busy = false;
        tsr_l1_end(env, TSR_L1_MOVER_READ);
        tsr_l1_end(env, TSR_L1_MOVER_WRITE);
    }
    if (entering & TSR_RESET_TDMA) {
        struct tsr_tdma *tdma = &state->tdma;
        memset(tdma->parameter, 0, sizeof tdma->parameter);
        tdma->first = tdma->count = tdma->credits_used = 0;
        memset(tdma->pack_register_base, 0, sizeof tdma->pack_register_base); // "some value"
        memset(tdma->pack_scaler, 0, sizeof tdma->pack_scaler);
    }
    if (entering & TSR_RESET_THCON) { // before debug->soft_reset has the bit, which discards writes
        const struct tsr_layout *layout = &env->isa->layout;
        for (int state_id = 0; state_id < 2; state_id++)
            for (unsigned addr32 = layout->thcon_base; addr32 < layout->global_base; addr32++)
                tsr_config_write(env, state_id, addr32, 0, 0xffffffffu);
        tsr_queue_abort(env, TSR_UNIT_SCALAR);
        tsr_scalar_forget(env);
    }
    if (entering & TSR_RESET_MATRIX) {
        tsr_queue_abort(env, TSR_UNIT_MATRIX);
        tsr_queue_abort(env, TSR_UNIT_VECTOR);
        tsr_macro_forget(&state->vector);
    }
    reset_sources(state, entering);
    if (entering & TSR_RESET_DST) {
        memset(state->dst.valid, 1, sizeof state->dst.valid);
        for (unsigned i = 0; i < TSR_PACKERS; i++)
            tsr_packer_reset_exponents(&state->packers.packer[i]);
    }
    tsr_cores_enter_reset(env, entering);
}

static void leave(struct tsr_env *env, uint32_t leaving)
{
    if (leaving & TSR_RESET_MATRIX) {
        tsr_vector_leave_reset(&env->state->vector);
        env->state->matrix.kept_columns = 0;
        env->state->matrix.random = env->state->matrix.seed;
    }
    if (leaving & TSR_RESET_DST)
        env->state->packers.random = env->state->packers.seed;
    for (unsigned i = 0; i < TSR_PACKERS; i++)
        if (leaving & TSR_RESET_PACKER0 << i)
            env->state->packers.packer[i].l1_dest_offset = 0;
    tsr_cores_leave_reset(env, leaving);
}

tsr_status tsr_access_soft_reset(struct tsr_access *access)
{
    struct tsr_env *env = access->env;
    struct tsr_debug *debug = &env->state->debug;
    uint32_t old = debug->soft_reset, value = access->value;
    if (!access->store) {
        access->value = old;
        return TSR_OK;
    }
    if (!check_parts(access, value & ~old, value))
        return TSR_STOPPED;
    if ((value & TSR_RESET_UNPACKERS) == TSR_RESET_UNPACKERS &&
        (old & TSR_RESET_UNPACKERS) != TSR_RESET_UNPACKERS) {
        tsr_queue_abort(env, TSR_UNIT_UNPACKER0);
        tsr_queue_abort(env, TSR_UNIT_UNPACKER1);
    }
    tsr_race_sync(env, TSR_RACE_EVERYTHING, 0, 0, 0);
    enter(env, value & ~old, value);
    debug->soft_reset = value;
    leave(env, old & ~value);
    return TSR_OK;
}
