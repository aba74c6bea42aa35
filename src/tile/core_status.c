// SPDX-License-Identifier: Apache-2.0
// The status CSRs of Blackhole's cores. tt_cfg_qstatus: which types of instructions the T core has
// pushed that have not passed the wait gate yet. tt_cfg_bstatus: which are in a unit.
// tt_cfg_sstatus0 to 7: registers of streams of the NoC overlay.
// Page: BlackholeA0/TensixTile/BabyRISCV/CSRs.md.
#include "tile/core_status.h"

#include "isa/region_index.h"
#include "state/vector.h"

enum { TYPE_REPLAY = 0, TYPE_MOP = 1, TYPES = 11, CC = 11, ALL_QUEUED = 13, ALL_CC = 24 };

// Bits of the types to which a unit's instructions belong.
static const uint16_t types_of_unit[ISSUE_COUNT] = {
#define RISCV_STATUS_TYPES(unit, types) [ISSUE_##unit] = (types),
#include "machine/riscv_csrs.def"
};

static uint32_t types_of(const struct tsr_isa *isa, uint32_t word)
{
    enum tsr_op op = tsr_op_of(isa, word);
    if (op == OP_MOP)
        return 1u << TYPE_MOP;
    if (op == OP_REPLAY)
        return tsr_operand(isa, op, word, OPERAND_execute_while_loading) ||
                       !tsr_operand(isa, op, word, OPERAND_load_mode)
                   ? 1u << TYPE_REPLAY
                   : 0;
    return op == OP_NONE ? 0 : types_of_unit[isa->issue_unit[op]];
}

// What comes out of a MOP or a REPLAY stands for it until the last of it has passed.
static uint32_t types_in(const struct tsr_isa *isa, const struct tsr_fifo *fifo)
{
    uint32_t types = 0;
    for (unsigned i = 0; i < fifo->count; i++) {
        unsigned at = (fifo->first + i) % TSR_FIFO_MAX;
        switch ((enum tsr_word_source)(fifo->tag[at] & TSR_TAG_SOURCE)) {
        case TSR_FROM_CORE:
            types |= types_of(isa, fifo->word[at]);
            break;
        case TSR_FROM_MOP:
            types |= 1u << TYPE_MOP;
            break;
        case TSR_FROM_REPLAY:
            types |= 1u << TYPE_REPLAY;
            break;
        default: // core B's
            break;
        }
    }
    return types;
}

static uint32_t queued(const struct tsr_env *env, int thread)
{
    const struct tsr_frontend *frontend = &env->state->frontend[thread];
    return types_in(env->isa, &frontend->before_mop) |
           types_in(env->isa, &frontend->before_replay) |
           types_in(env->isa, &frontend->before_gate) |
           (frontend->mop.active ? 1u << TYPE_MOP : 0) |
           (frontend->replay.play_left > 0 && frontend->replay.source == TSR_FROM_REPLAY
                ? 1u << TYPE_REPLAY
                : 0);
}

static uint32_t executing(const struct tsr_env *env, int thread)
{
    uint32_t types = 0;
    const struct tsr_queues *queues = &env->state->queues;
    for (uint32_t left = queues->active; left; left &= left - 1) {
        const struct tsr_queue *queue = &queues->of[__builtin_ctz(left)];
        for (unsigned i = 0; i < queue->count; i++) {
            const struct tsr_inflight *inst = &queue->inst[(queue->first + i) % TSR_QUEUE_DEPTH];
            if (inst->thread == thread)
                types |= types_of(env->isa, inst->word);
        }
    }
    return types;
}

uint32_t tsr_core_status(const struct tsr_env *env, int core, bool busy)
{
    uint32_t own = 0, all = 0;
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        uint32_t types = queued(env, thread) | (busy ? executing(env, thread) : 0);
        all |= types;
        if (core == TSR_CORE_T0 + thread)
            own = types;
    }
    if (!tsr_is_t_core(core))
        own = all;
    if (busy)
        return own | all << TYPES;
    uint32_t enabled = env->state->vector.enabled != 0;
    return own | enabled << CC | all << ALL_QUEUED | enabled << ALL_CC;
}

bool tsr_core_stream(const struct tsr_env *env, int core, unsigned which, uint32_t *value)
{
    enum {
#define STREAM_FACT(name, value) FACT_##name = (value),
#define STREAM(name, wh, bh, width, streams, rule) AT_##name = (bh),
#define NOC_NONE 0xffff
#include "machine/noc_streams.def"
    };
    static const struct {
        uint16_t stream, index;
    } rows[] = {
#define RISCV_STREAM(enumerator, stream, index) {stream, AT_##index},
#include "machine/riscv_csrs.def"
    };
    struct tsr_noc_access at = {.unit = TSR_NOC_OVERLAY,
                                .agent = core,
                                .offset = rows[which].stream * (uint32_t)FACT_BYTES +
                                          4u * rows[which].index,
                                .now = tsr_now(env),
                                .finding = -1};
    const struct tsr_noc_port *port = &env->noc;
    if (!port->self || port->load(port->self, &at) != TSR_OK)
        return false;
    *value = at.value;
    return true;
}
