// SPDX-License-Identifier: Apache-2.0
// All state of a tile, one section a storage, and the environment in which units work on it.
// No pointers: a snapshot or a hash goes over the sections.
#ifndef TESSERA_STATE_STATE_H
#define TESSERA_STATE_STATE_H

#include "base/port.h"
#include "base/race_events.h"
#include "isa/isa.h"
#include "state/chip_traits.h"
#include "state/config.h"
#include "state/cores.h"
#include "state/counters.h"
#include "state/debug.h"
#include "state/dst.h"
#include "state/frontends.h"
#include "state/inflight.h"
#include "state/l1.h"
#include "state/l1_streams.h"
#include "state/matrix.h"
#include "state/mover.h"
#include "state/packer.h"
#include "state/scalar.h"
#include "state/semaphores.h"
#include "state/srcab.h"
#include "state/unpacker.h"
#include "state/vector.h"

// Dst and the LRegs come first, so that what a kernel loads and stores begins with a line of the
// host's cache, as the state itself does (base/fresh_pages.h): across two lines it takes longer,
// above all behind a store.
struct tsr_state {
    struct tsr_dst dst;
    struct tsr_src src[2]; // TSR_SRCA, TSR_SRCB
    struct tsr_vector vector;
    struct tsr_l1 l1;
    struct tsr_config config;
    struct tsr_adcs adcs;
    struct tsr_rwcs rwcs;
    struct tsr_gprs gprs;
    struct tsr_scalar scalar;
    struct tsr_sync sync;
    struct tsr_unpacker unpacker[2];
    struct tsr_matrix matrix;
    struct tsr_packers packers;
    struct tsr_frontend frontend[TSR_THREADS];
    struct tsr_queues queues;
    struct tsr_l1_traffic traffic;
    uint64_t now; // cycle
    struct tsr_mover mover;
    struct tsr_tdma tdma;
    struct tsr_debug debug;
    struct tsr_cores cores;
    struct tsr_src_shadow src_shadow[2][2]; // side, bank
    struct tsr_src_zeroed src_zeroed;
    struct tsr_config_writers writers; // kept while env->watch is set
    struct tsr_dst_writes dst_writes;
};
_Static_assert(offsetof(struct tsr_state, dst.bits) % 64 == 0, "rows of Dst fill lines");
_Static_assert(offsetof(struct tsr_state, src) % 64 == 0, "rows of Src fill lines");
_Static_assert(offsetof(struct tsr_state, vector.lreg) % 64 == 0, "LRegs fill lines");
_Static_assert(offsetof(struct tsr_state, l1.bytes) % 64 == 0, "lines of L1 do, too");

// Writes NC's instruction RAM, of which a core may have decoded code.
static inline void tsr_iram_put(struct tsr_state *state, uint32_t offset, const void *bytes,
                                size_t size)
{
    memcpy(state->cores.iram + offset, bytes, size);
    state->l1.code.generation++;
}

struct tsr_config_watch;
struct tsr_kernels;
struct tsr_unpack_plans;
struct tsr_pack_plans;
struct tsr_matrix_blocks;
struct tsr_matrix_plans;
struct tsr_vector_plans;
struct tsr_findings;

struct tsr_env {
    struct tsr_state *state;
    const struct tsr_isa *isa;
    const struct tsr_chip_traits *chip;
    const struct tsr_kernels *kernels;
    struct tsr_findings *findings;
    const struct tsr_plan_masks *plan_masks;
    const struct tsr_config_watch *watch; // NULL: writers of configuration are not recorded
    struct tsr_races *races;              // NULL: nobody looks for races
    const struct tsr_config_watch *reads; // which fields units read, for races
    const struct tsr_inflight *acting;    // the instruction that executes now; NULL: a core acts
    uint8_t acting_core;                  // a tsr_core, or TSR_AGENT_HOST
    // Where findings about a core's access are: its program counter, or the address.
    uint32_t core_at;
    bool core_has_pc;
    bool interprets;           // the tile executes its cores
    uint32_t local_offset;     // cycles by which the acting core is past state->now (core_bus.c)
    struct tsr_pushes *pushes; // pushes.h; NULL: nobody asks
    struct tsr_unpack_plans *unpack_plans;
    struct tsr_pack_plans *pack_plans;
    struct tsr_matrix_plans *matrix_plans;
    struct tsr_matrix_blocks *matrix_blocks; // may be NULL
    struct tsr_vector_plans *vector_plans;
    struct tsr_port port;
    struct tsr_noc_port noc; // a tile of a chip
    // NULL: nobody watches. An instruction that SFPLOADMACRO has scheduled has executed.
    void (*observe_scheduled)(void *user, const struct tsr_inflight *inst, unsigned sub_unit,
                              uint64_t cycle);
    // NULL: nobody watches. A core enters or leaves soft reset.
    void (*observe_reset)(void *user, unsigned core, bool held, uint32_t pc);
    void *observe_user;
    const struct tsr_inflight *port_cause; // the instruction whose access the port does now
    bool debugger_loads;                   // the load that the port does now is a debugger's
    bool timing;
    bool scheduled; // units may be slow, though without timing (frontend/schedule.h)
    // Without timing an instruction that takes a bank of Src unasked comes after the hand-over.
    bool deferred; // one waits for that in this round
    bool at_rest;  // nothing else moves, so the next one goes on
    bool waits_hold_thread;
    bool dst_rows_in_place;
    uint64_t plans_made, plans_reused;
    // With timing on: what the engine must look at again (tile/agenda.h). Bit u: the queue of unit
    // u or a time in it has changed; TSR_TOUCHED_ALL: anything may have; from bit
    // TSR_TOUCHED_THREADS on: the thread got a word.
    uint32_t touched;
};
enum {
    TSR_ALL_UNITS = (1 << TSR_UNIT_COUNT) - 1,
    TSR_TOUCHED_ALL = 1 << 15,
    TSR_TOUCHED_THREADS = 16
};
_Static_assert(TSR_UNIT_COUNT <= 15, "a bit for each unit");

// Power-on (decision 18). The second sets what is not zero in a state that is.
void tsr_state_reset(struct tsr_state *state, const struct tsr_chip_traits *chip);
void tsr_state_power_on(struct tsr_state *state, const struct tsr_chip_traits *chip);

// The bank that a thread's instructions use: CFG_STATE_ID_StateID.
static inline int tsr_state_id(const struct tsr_env *env, int thread)
{
    const struct tsr_field_place *place = &env->isa->field[FIELD_CFG_STATE_ID_StateID];
    return env->state->config.thread[thread][place->addr32] >> place->first_bit & 1;
}

// The cycle for who acts now.
static inline uint64_t tsr_now(const struct tsr_env *env)
{
    return env->state->now + env->local_offset;
}

static inline uint32_t tsr_cfg(const struct tsr_env *env, int state_id, enum tsr_field field)
{
    return tsr_config_get(&env->state->config, env->isa, state_id, field);
}

static inline uint32_t tsr_thread_cfg(const struct tsr_env *env, int thread, enum tsr_field field)
{
    return tsr_thread_config_get(&env->state->config, env->isa, thread, field);
}

// The field of a thread that says which stream StreamSelect means (STREAMWAIT.md, STREAMWRCFG.md).
static inline enum tsr_field tsr_stream_selected(unsigned select)
{
    static const enum tsr_field fields[4] = {
        FIELD_STREAM_ID_SYNC_SEC0_BankSel, FIELD_STREAM_ID_SYNC_SEC1_BankSel,
        FIELD_STREAM_ID_SYNC_SEC2_BankSel, FIELD_STREAM_ID_SYNC_SEC3_BankSel};
    return fields[select];
}

// An operand of an instruction in flight; 0 where the chip's instruction has no such operand.
static inline uint32_t tsr_arg(const struct tsr_env *env, const struct tsr_inflight *inst,
                               enum tsr_operand_id operand)
{
    return tsr_operand(env->isa, (enum tsr_op)inst->op, inst->word, operand);
}

// What the debug registers add to the order of Dst's rows.
static inline unsigned tsr_dst_high_halves(const struct tsr_debug *debug)
{
    enum { HIGH_HALVES_BIT = 11 };
    return (debug->debug_feature_disable >> HIGH_HALVES_BIT & 1) * TSR_DST_HIGH_HALVES;
}

#endif
