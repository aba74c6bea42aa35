// SPDX-License-Identifier: Apache-2.0
// The configuration unit: SETC16, WRCFG, RDCFG, RMWCIB, and on Blackhole CFGSHIFTMASK and
// STREAMWRCFG. What they write takes effect when they execute, in the cycle in which the unit
// accepts them; RDCFG's GPR too, although it is under way until RDCFG completes. Pages:
// ConfigurationUnit.md, SETC16.md, WRCFG.md, RDCFG.md, RMWCIB.md, CFGSHIFTMASK.md, STREAMWRCFG.md.
#include "control/config_unit.h"

#include "state/config_access.h"
#include "state/config_watch.h"
#include "state/races.h"
#include "state/register_access.h"
#include "state/report.h"

struct config_job {
    uint32_t word[4];
    uint32_t mask;
    uint16_t addr32;
    uint8_t words; // 0: nothing to write
    uint8_t state_id;
    uint8_t gpr;
    bool reads, thread_scope, tainted;
    bool whole; // words are written with all the fields in them
};

// ---------------------------------------------------------------- when the unit accepts

// With timing on. SETC16 never waits. On Wormhole one RMWCIB or RDCFG enters a cycle, and none in
// the cycle after a WRCFG or RDCFG. On Blackhole instructions go through stages -4 to +1, one a
// cycle, and enter where their work begins: never into a stage that is occupied, nor past an
// earlier one that is. Two defects of the chip are part of it: no instruction waits for one in
// stage -4, and the order is kept between all threads. Accesses of cores and of the mover do not
// go through the stages.
enum { FIRST_ORDERED = -3 };

// How many cycles before its access of the configuration an instruction enters.
static int lead_of(const struct tsr_env *env, uint8_t op)
{
    if (op == OP_WRCFG)
        return env->isa->rate[RATE_WRCFG_LEAD];
    return op == OP_STREAMWRCFG ? env->isa->rate[RATE_STREAMWRCFG_LEAD] : 0;
}

// Whether the older instruction, `age` cycles after it entered, keeps a younger one of `op` out.
static bool blackhole_blocks(const struct tsr_env *env, uint8_t older, int age, uint8_t op)
{
    int enter = -lead_of(env, op);
    int stage = age - lead_of(env, older), accesses = 1;
    if (older == OP_CFGSHIFTMASK)
        accesses = env->isa->rate[RATE_CFGSHIFTMASK_CYCLES];
    if (age == 0) { // both enter in one cycle, and need different stages
        bool both = older == OP_CFGSHIFTMASK && enter == -1;
        both |= op == OP_CFGSHIFTMASK && stage == -1;
        return stage == enter || both;
    }
    if (stage >= accesses)
        return false; // RDCFG in stage 1 blocks none
    stage = stage > 0 ? 0 : stage;
    return stage >= FIRST_ORDERED && stage <= enter;
}

static bool wormhole_blocks(uint8_t older, int age, uint8_t op)
{
    if (op == OP_WRCFG)
        return age == 0 && older == OP_WRCFG;
    if (age == 0) // two RDCFGs are let in, and one is lost
        return older != OP_WRCFG && !(older == OP_RDCFG && op == OP_RDCFG);
    return age == 1 && (older == OP_RDCFG || older == OP_WRCFG);
}

static tsr_reason config_ready(struct tsr_env *env, const struct tsr_inflight *inst,
                               uint64_t *retry_at)
{
    (void)retry_at;
    const struct tsr_queue *queue = &env->state->queues.of[TSR_UNIT_CONFIG];
    if (!env->timing || inst->op == OP_SETC16)
        return TSR_REASON_NONE;
    for (unsigned i = 0; i < queue->count; i++) {
        const struct tsr_inflight *older = &queue->inst[(queue->first + i) % TSR_QUEUE_DEPTH];
        int age = (int)(env->state->now - older->accepted_at);
        if (older->op == OP_SETC16)
            continue;
        bool blocks = env->chip->config_stages ? blackhole_blocks(env, older->op, age, inst->op)
                                               : wormhole_blocks(older->op, age, inst->op);
        if (blocks)
            return TSR_REASON_UNIT_FULL;
    }
    return TSR_REASON_NONE;
}

// ---------------------------------------------------------------- the instructions

static bool index_refused(struct tsr_env *env, struct tsr_inflight *inst, unsigned addr32,
                          unsigned limit)
{
    if (addr32 < limit)
        return false;
    struct config_job *job = (struct config_job *)inst->job;
    job->words = 0;
    job->reads = false;
    tsr_report(env, FINDING_CONFIG_INDEX, inst, NULL,
               "Word %u lies outside the %u words of the configuration; the instruction does "
               "nothing.",
               addr32, limit);
    return true;
}

static bool accept_setc16(struct tsr_env *env, struct tsr_inflight *inst, struct config_job *job)
{
    job->addr32 = (uint16_t)tsr_operand(env->isa, OP_SETC16, inst->word, OPERAND_setc16_reg);
    job->word[0] = tsr_operand(env->isa, OP_SETC16, inst->word, OPERAND_setc16_value);
    job->words = 1;
    job->thread_scope = true;
    return !index_refused(env, inst, job->addr32, env->isa->layout.thread_words) ||
           !env->findings->stopped;
}

bool tsr_config_take_gpr(struct tsr_env *env, const struct tsr_inflight *inst, unsigned gpr,
                         uint32_t *value)
{
    const struct tsr_gprs *gprs = &env->state->gprs;
    *value = gprs->value[inst->thread][gpr];
    tsr_race_access(env, TSR_RACE_GPR, false, TSR_GPRS * (unsigned)inst->thread + gpr, 1,
                    TSR_RACE_ALL);
    if (!env->timing && ((gprs->written[inst->thread] & ~gprs->tainted[inst->thread]) >> gpr & 1))
        return true; // no RDCFG is under way
    bool written = gprs->written[inst->thread] >> gpr & 1;
    if (!written && tsr_report(env, FINDING_UNINITIALISED_GPR, inst, NULL,
                               "GPR %u of thread %u was never written.", gpr,
                               (unsigned)inst->thread) == TSR_HALT)
        return false;
    // Configuration has no taint bits: what depends on it is too much to track.
    bool tainted = gprs->tainted[inst->thread] >> gpr & 1;
    if (!tsr_gpr_settled(env, inst, gpr))
        return false;
    return !tainted ||
           tsr_report(env, FINDING_TAINTED_DATUM_USED, inst, NULL,
                      "GPR %u of thread %u, which %s reads, came out of undefined "
                      "behaviour.",
                      gpr, (unsigned)inst->thread, tsr_op_name((enum tsr_op)inst->op)) != TSR_HALT;
}

// An explicit read of a word in which no bit was ever written.
static bool check_read(struct tsr_env *env, const struct tsr_inflight *inst, int state_id,
                       unsigned addr32)
{
    return env->state->config.bank_written[state_id][addr32] != 0 ||
           tsr_report(env, FINDING_CONFIG_NEVER_WRITTEN, inst, NULL,
                      "%s reads word %u of bank %d, which nothing has written since reset.",
                      tsr_op_name((enum tsr_op)inst->op), addr32, state_id) != TSR_HALT;
}

static bool accept_wrcfg(struct tsr_env *env, struct tsr_inflight *inst, struct config_job *job)
{
    bool wide = tsr_operand(env->isa, OP_WRCFG, inst->word, OPERAND_wr128b) != 0;
    unsigned addr32 = tsr_operand(env->isa, OP_WRCFG, inst->word, OPERAND_CfgReg);
    unsigned gpr = tsr_operand(env->isa, OP_WRCFG, inst->word, OPERAND_GprAddress);
    job->words = wide ? 4 : 1;
    job->mask = 0xffffffffu;
    job->whole = true;
    job->addr32 = (uint16_t)(wide ? addr32 & ~3u : addr32);
    if (index_refused(env, inst, addr32, env->isa->layout.banked_words))
        return !env->findings->stopped;
    for (unsigned i = 0, first = wide ? gpr & ~3u : gpr; i < job->words; i++)
        if (!tsr_config_take_gpr(env, inst, first + i, &job->word[i]))
            return false;
    return true;
}

// Wormhole drops all but one of the RDCFGs of several threads in one cycle.
static bool check_together(struct tsr_env *env, const struct tsr_inflight *inst, bool *tainted)
{
    const struct tsr_queue *queue = &env->state->queues.of[TSR_UNIT_CONFIG];
    const struct tsr_inflight *other = NULL;
    for (unsigned i = 0; i < queue->count && !other; i++) {
        const struct tsr_inflight *older = &queue->inst[(queue->first + i) % TSR_QUEUE_DEPTH];
        if (older->op == OP_RDCFG && older->accepted_at == env->state->now &&
            older->thread != inst->thread)
            other = older;
    }
    if (!other || !env->timing || env->chip->config_stages)
        return true;
    enum tsr_verdict verdict =
        tsr_report(env, FINDING_RDCFG_TOGETHER, inst, NULL,
                   "RDCFG of thread %u is issued in the same cycle as that of thread %u; silicon "
                   "executes one of them.",
                   (unsigned)inst->thread, (unsigned)other->thread);
    *tainted = verdict == TSR_GO_TAINTED;
    return verdict != TSR_HALT;
}

static bool accept_rdcfg(struct tsr_env *env, struct tsr_inflight *inst, struct config_job *job)
{
    unsigned addr32 = tsr_arg(env, inst, OPERAND_CfgReg);
    job->gpr = (uint8_t)tsr_arg(env, inst, OPERAND_GprAddress);
    job->reads = true;
    inst->hold = env->isa->rate[RATE_RDCFG_HOLD];
    if (index_refused(env, inst, addr32, env->isa->layout.banked_words))
        return !env->findings->stopped;
    job->word[0] = env->state->config.bank[job->state_id][addr32];
    tsr_race_config_read(env, false, job->state_id, addr32, 0xffffffffu);
    return check_read(env, inst, job->state_id, addr32) && check_together(env, inst, &job->tainted);
}

static bool accept_rmwcib(struct tsr_env *env, struct tsr_inflight *inst, struct config_job *job)
{
    unsigned shift = (unsigned)(inst->op - OP_RMWCIB0) * 8;
    job->addr32 = (uint16_t)tsr_arg(env, inst, OPERAND_CfgRegAddr);
    job->word[0] = tsr_arg(env, inst, OPERAND_Data) << shift;
    job->mask = tsr_arg(env, inst, OPERAND_Mask) << shift;
    job->words = 1;
    inst->closed = env->isa->rate[RATE_RMWCIB_SEEN]; // for waits alone: it keeps no instruction out
    return !index_refused(env, inst, job->addr32, env->isa->layout.banked_words) ||
           !env->findings->stopped;
}

static uint32_t rotate_right(uint32_t value, unsigned amount)
{
    return amount ? value >> amount | value << (32 - amount) : value;
}

static uint32_t shift_mask_result(unsigned operation, uint32_t old, uint32_t scratch)
{
    switch (operation) {
    case 0:
        return old | scratch;
    case 1:
        return old & scratch;
    case 2:
        return old ^ scratch;
    case 3:
        return old + scratch;
    case 4:
        return old | ~scratch;
    case 5:
        return old & ~scratch;
    case 6:
        return old ^ ~scratch;
    default:
        return old - scratch;
    }
}

// The old word and the scratch word are read here, in the cycle in which the result is written:
// no other writer comes in between.
static bool accept_cfgshiftmask(struct tsr_env *env, struct tsr_inflight *inst,
                                struct config_job *job)
{
    static const enum tsr_field scratch_words[3] = {FIELD_SCRATCH_SEC0_val, FIELD_SCRATCH_SEC1_val,
                                                    FIELD_SCRATCH_SEC2_val};
    unsigned select = tsr_arg(env, inst, OPERAND_scratch_sel);
    enum tsr_field scratch = scratch_words[select < 3 ? select : inst->thread];
    unsigned scratch32 = env->isa->field[scratch].addr32;
    unsigned addr32 = tsr_arg(env, inst, OPERAND_CfgReg);
    unsigned rotate = tsr_arg(env, inst, OPERAND_right_cshift_amt);
    uint32_t mask = tsr_mask32(tsr_arg(env, inst, OPERAND_mask_width) + 1);
    bool keep_old = tsr_arg(env, inst, OPERAND_disable_mask_on_old_val);
    job->addr32 = (uint16_t)addr32;
    job->words = 1;
    job->mask = 0xffffffffu;
    if (index_refused(env, inst, addr32, env->isa->layout.banked_words))
        return !env->findings->stopped;
    if (!check_read(env, inst, job->state_id, scratch32) ||
        ((keep_old || mask != 0xffffffffu) && !check_read(env, inst, job->state_id, addr32)))
        return false;
    tsr_race_config_read(env, false, job->state_id, scratch32, mask);
    const uint32_t *words = env->state->config.bank[job->state_id];
    uint32_t old = keep_old ? words[addr32] : words[addr32] & ~rotate_right(mask, rotate);
    job->word[0] = shift_mask_result(tsr_arg(env, inst, OPERAND_operation), old,
                                     rotate_right(words[scratch32] & mask, rotate));
    return true;
}

// A tile alone has no NoC overlay whose register could be read; going on writes nothing.
static bool accept_streamwrcfg(struct tsr_env *env, struct tsr_inflight *inst,
                               struct config_job *job)
{
    unsigned addr32 = tsr_arg(env, inst, OPERAND_CfgReg);
    enum tsr_field chosen = tsr_stream_selected(tsr_arg(env, inst, OPERAND_stream_id_sel));
    unsigned id = tsr_thread_cfg(env, inst->thread, chosen);
    unsigned index = tsr_arg(env, inst, OPERAND_StreamRegAddr);
    if (index_refused(env, inst, addr32, env->isa->layout.banked_words))
        return !env->findings->stopped;
    if (env->noc.self) {
        job->addr32 = (uint16_t)addr32;
        job->mask = 0xffffffffu;
        job->words =
            tsr_mmio_load(env, inst, tsr_stream_register(env, id, index), &job->word[0]) == TSR_OK;
        return !env->findings->stopped;
    }
    struct tsr_cited cited = {inst->thread, 1, {chosen}};
    return tsr_report(env, FINDING_UNIMPLEMENTED_MODE, inst, &cited,
                      "STREAMWRCFG reads register %u of NoC overlay stream %u, and the NoC overlay "
                      "is unimplemented.",
                      index, id) != TSR_HALT;
}

// ---------------------------------------------------------------- the stages

static bool config_accept(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct config_job *job = (struct config_job *)inst->job;
    *job = (struct config_job){0};
    if (inst->op == OP_SETC16)
        return accept_setc16(env, inst, job);
    job->state_id = (uint8_t)tsr_state_id(env, inst->thread);
    switch (inst->op) {
    case OP_WRCFG:
        return accept_wrcfg(env, inst, job);
    case OP_RDCFG:
        return accept_rdcfg(env, inst, job);
    case OP_RMWCIB0:
    case OP_RMWCIB1:
    case OP_RMWCIB2:
    case OP_RMWCIB3:
        return accept_rmwcib(env, inst, job);
    case OP_CFGSHIFTMASK:
        return accept_cfgshiftmask(env, inst, job);
    case OP_STREAMWRCFG:
        return accept_streamwrcfg(env, inst, job);
    default:
        return tsr_report_unimplemented(env, inst);
    }
}

static void put_gpr(struct tsr_env *env, const struct tsr_inflight *inst,
                    const struct config_job *job)
{
    const struct tsr_gpr_write write = {.value = {job->word[0]},
                                        .mask = {0xffffffffu},
                                        .gpr = job->gpr,
                                        .words = 1,
                                        .tainted = job->tainted};
    tsr_gpr_put(&env->state->gprs, inst->thread, &write);
}

static tsr_reason config_execute(struct tsr_env *env, struct tsr_inflight *inst)
{
    const struct config_job *job = (const struct config_job *)inst->job;
    if (job->thread_scope && job->words > 0) {
        tsr_thread_config_write(env, inst->thread, job->addr32, (uint16_t)job->word[0]);
        return TSR_REASON_NONE;
    }
    if (job->words == 1 && !env->watch) {
        tsr_config_write(env, job->state_id, job->addr32, job->word[0], job->mask);
        return TSR_REASON_NONE;
    }
    if (job->reads) {
        tsr_race_access(env, TSR_RACE_GPR, true, TSR_GPRS * (unsigned)inst->thread + job->gpr, 1,
                        TSR_RACE_ALL);
        put_gpr(env, inst, job);
    }
    if (env->watch && job->whole)
        for (unsigned i = 0; i < job->words; i++)
            if (!tsr_config_watch_whole_word(env, inst, job->state_id, job->addr32 + i,
                                             job->word[i]))
                return TSR_REASON_NONE;
    for (unsigned i = 0; i < job->words && !env->findings->stopped; i++)
        tsr_config_write(env, job->state_id, job->addr32 + i, job->word[i], job->mask);
    return TSR_REASON_NONE;
}

// A SETC16, an RMWCIB, or a WRCFG or RDCFG that has nothing to report.

enum { SMALL_ADDR32, SMALL_VALUE, SMALL_MASK };
enum { SMALL_GPR = SMALL_VALUE, SMALL_WORDS = SMALL_MASK };

static bool run_setc16(struct tsr_env *env, int thread, const struct tsr_small_word *small,
                       uint64_t sequence)
{
    (void)sequence;
    tsr_thread_config_write(env, thread, small->arg[SMALL_ADDR32],
                            (uint16_t)small->arg[SMALL_VALUE]);
    return true;
}

static bool run_wrcfg(struct tsr_env *env, int thread, const struct tsr_small_word *small,
                      uint64_t sequence)
{
    const struct tsr_gprs *gprs = &env->state->gprs;
    const unsigned first = small->arg[SMALL_GPR], words = small->arg[SMALL_WORDS];
    uint64_t settled = gprs->written[thread] & ~gprs->tainted[thread];
    (void)sequence;
    if (~(settled >> first) & ((1u << words) - 1))
        return false;
    int state_id = tsr_state_id(env, thread);
    for (unsigned i = 0; i < words && !env->findings->stopped; i++)
        tsr_config_write(env, state_id, small->arg[SMALL_ADDR32] + i,
                         gprs->value[thread][first + i], 0xffffffffu);
    return true;
}

static bool run_rmwcib(struct tsr_env *env, int thread, const struct tsr_small_word *small,
                       uint64_t sequence)
{
    (void)sequence;
    tsr_config_write(env, tsr_state_id(env, thread), small->arg[SMALL_ADDR32],
                     small->arg[SMALL_VALUE], small->arg[SMALL_MASK]);
    return true;
}

static bool run_rdcfg(struct tsr_env *env, int thread, const struct tsr_small_word *small,
                      uint64_t sequence)
{
    const struct tsr_config *config = &env->state->config;
    struct tsr_gprs *gprs = &env->state->gprs;
    const unsigned addr32 = small->arg[SMALL_ADDR32], gpr = small->arg[SMALL_GPR];
    int state_id = tsr_state_id(env, thread);
    (void)sequence;
    if (config->bank_written[state_id][addr32] == 0)
        return false;
    gprs->value[thread][gpr] = config->bank[state_id][addr32];
    gprs->written[thread] |= 1ull << gpr;
    gprs->tainted[thread] &= ~(1ull << gpr);
    return true;
}

static void decode_rdcfg(const struct tsr_isa *isa, struct tsr_small_word *small)
{
    small->arg[SMALL_ADDR32] = tsr_operand(isa, OP_RDCFG, small->word, OPERAND_CfgReg);
    small->arg[SMALL_GPR] = tsr_operand(isa, OP_RDCFG, small->word, OPERAND_GprAddress);
    if (small->arg[SMALL_ADDR32] < isa->layout.banked_words)
        small->run = run_rdcfg;
}

static void decode_wrcfg(const struct tsr_isa *isa, struct tsr_small_word *small)
{
    unsigned gpr = tsr_operand(isa, OP_WRCFG, small->word, OPERAND_GprAddress);
    unsigned addr32 = tsr_operand(isa, OP_WRCFG, small->word, OPERAND_CfgReg);
    bool wide = tsr_operand(isa, OP_WRCFG, small->word, OPERAND_wr128b) != 0;
    unsigned words = wide ? 4 : 1;
    if (addr32 >= isa->layout.banked_words)
        return;
    small->arg[SMALL_ADDR32] = addr32 & ~(words - 1);
    small->arg[SMALL_GPR] = wide ? gpr & ~3u : gpr;
    small->arg[SMALL_WORDS] = words;
    small->run = run_wrcfg;
}

static void decode_small(const struct tsr_env *env, enum tsr_op op, struct tsr_small_word *small)
{
    const struct tsr_isa *isa = env->isa;
    if (op == OP_WRCFG) {
        decode_wrcfg(isa, small);
    } else if (op == OP_RDCFG) {
        decode_rdcfg(isa, small);
    } else if (op == OP_SETC16) {
        small->arg[SMALL_ADDR32] = tsr_operand(isa, op, small->word, OPERAND_setc16_reg);
        small->arg[SMALL_VALUE] = tsr_operand(isa, op, small->word, OPERAND_setc16_value);
        if (small->arg[SMALL_ADDR32] < isa->layout.thread_words)
            small->run = run_setc16;
    } else if (op >= OP_RMWCIB0 && op <= OP_RMWCIB3) {
        unsigned shift = (unsigned)(op - OP_RMWCIB0) * 8;
        small->arg[SMALL_ADDR32] = tsr_operand(isa, op, small->word, OPERAND_CfgRegAddr);
        small->arg[SMALL_VALUE] = tsr_operand(isa, op, small->word, OPERAND_Data) << shift;
        small->arg[SMALL_MASK] = tsr_operand(isa, op, small->word, OPERAND_Mask) << shift;
        if (small->arg[SMALL_ADDR32] < isa->layout.banked_words)
            small->run = run_rmwcib;
    }
}

_Static_assert(sizeof(struct config_job) <= TSR_JOB_BYTES, "a job fits its instruction");
_Static_assert(OP_RMWCIB1 == OP_RMWCIB0 + 1 && OP_RMWCIB2 == OP_RMWCIB0 + 2 &&
                   OP_RMWCIB3 == OP_RMWCIB0 + 3,
               "the byte is the distance from RMWCIB0");

const struct tsr_unit_ops tsr_config_ops = {.ready = config_ready,
                                            .accept = config_accept,
                                            .execute = config_execute,
                                            .decode_small = decode_small,
                                            .blocks_behind_wait = true};
