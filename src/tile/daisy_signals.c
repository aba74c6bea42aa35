// SPDX-License-Identifier: Apache-2.0
// What the debug daisychain shows, as far as a page says what it is and the tile has it: cores,
// mailboxes, PC buffers, expanders, gates, counters, banks and lanes. Instructions are not in a
// core's pipeline here, so the bits that say that one is at a certain place are 0, as between two
// instructions. Page: DebugDaisychain.md.
#include "tile/daisy_signals.h"

#include "frontend/expand.h"
#include "tile/map_cores.h"

#include <string.h>

enum {
#define DAISY_FIELD(group, name, first, width)                                                     \
    group##_##name = (first), group##_##name##_WIDTH = (width),
#include "machine/debug_daisychain.def"
};

enum chips { WH = 1, BH = 2, BOTH = WH | BH };

// What shows a group: of which core, thread or channel.
typedef void show_fn(struct tsr_env *env, unsigned of, uint32_t *word);

static void put(uint32_t *word, int first, int width, uint64_t value)
{
    uint64_t bits = (value & ((UINT64_C(1) << width) - 1)) << first % 32;
    word[first / 32] |= (uint32_t)bits;
    if (first % 32 + width > 32)
        word[first / 32 + 1] |= (uint32_t)(bits >> 32);
}

#define PUT(group, name, value) put(word, group##_##name, group##_##name##_WIDTH, value)
#define PUT_AT(group, name, apart, value)                                                          \
    put(word, group##_##name + (int)(apart), group##_##name##_WIDTH, value)

// ---------------------------------------------------------------- cores

void tsr_daisy_retiring(uint32_t pc, uint32_t word[TSR_DAISY_WORDS])
{
    PUT(RETIRING, PC, pc);
    PUT(RETIRING, FETCH, pc);
}

void tsr_daisy_decoding(uint32_t pc, uint32_t word[TSR_DAISY_WORDS])
{
    PUT(DECODING, PC, pc);
}

static void show_RETIRING(struct tsr_env *env, unsigned core, uint32_t *word)
{
    tsr_daisy_retiring(env->state->cores.hart[core].pc, word);
}

static void show_DECODING(struct tsr_env *env, unsigned core, uint32_t *word)
{
    tsr_daisy_decoding(env->state->cores.hart[core].pc, word);
}

// The core's load waits somewhere in this part of the address map, `offset` from its begin.
static bool waits_in(const struct tsr_env *env, unsigned core, enum tsr_region_id region,
                     uint32_t *offset)
{
    const struct tsr_hart *hart = &env->state->cores.hart[core];
    const struct tsr_region *row = &env->isa->region[region];
    *offset = hart->waits_at - row->base;
    return hart->rest == TSR_HART_BLOCKED && !hart->waits_to_store && *offset < row->size;
}

// A bit for each reader: it is not held by the mailbox from that core.
static uint32_t served(const struct tsr_env *env, unsigned from)
{
    uint32_t bits = 0, offset;
    for (unsigned reader = 0; reader < TSR_MAILBOX_CORES; reader++) {
        bool held = waits_in(env, reader, REGION_MAILBOXES, &offset) && offset >> 12 == from;
        bits |= (uint32_t)!held << reader;
    }
    return bits;
}

// The word that was read last stands behind those that wait, until that place is needed.
static uint32_t last_read(const struct tsr_mailbox *box)
{
    return box->word[(box->first + TSR_MAILBOX_MAX - 1) % TSR_MAILBOX_MAX];
}

static void show_MAILBOX_OF_B(struct tsr_env *env, unsigned core, uint32_t *word)
{
    PUT(MAILBOX_OF_B, READ, last_read(&env->state->cores.mailbox[core][TSR_CORE_B]));
    PUT(MAILBOX_OF_B, SERVED, served(env, core));
}

// What the T core takes next, or has taken last.
static uint32_t pc_buffer_front(const struct tsr_pc_buffer *buffer)
{
    unsigned at = buffer->count > 0 ? buffer->first : buffer->first + TSR_PC_BUFFER_MAX - 1u;
    return buffer->word[at % TSR_PC_BUFFER_MAX];
}

static void show_MAILBOX_OF_T(struct tsr_env *env, unsigned core, uint32_t *word)
{
    const struct tsr_cores *cores = &env->state->cores;
    PUT(MAILBOX_OF_T, READ, last_read(&cores->mailbox[core][TSR_CORE_B]));
    PUT(MAILBOX_OF_T, SERVED, served(env, core));
    PUT(MAILBOX_OF_T, PC_BUFFER_LOW, pc_buffer_front(&cores->pc_buffer[core - TSR_CORE_T0]));
}

static void show_EXPANDER(struct tsr_env *env, unsigned core, uint32_t *word)
{
    unsigned thread = core - TSR_CORE_T0;
    const struct tsr_pc_buffer *buffer = &env->state->cores.pc_buffer[thread];
    const struct tsr_frontend *frontend = &env->state->frontend[thread];
    uint32_t unused;
    tsr_expand_all(env, (int)thread);
    PUT(EXPANDER, PC_BUFFER_HIGH, pc_buffer_front(buffer) >> MAILBOX_OF_T_PC_BUFFER_LOW_WIDTH);
    PUT(EXPANDER, PC_BUFFER_EMPTY, buffer->count == 0);
    PUT(EXPANDER, PC_BUFFER_FULL, buffer->count == DEPTH_PC_BUFFER);
    PUT(EXPANDER, MOPS, tsr_has_mops(env, thread));
    PUT(EXPANDER, IN_FLIGHT, !tsr_frontend_drained(env, (int)thread));
    PUT(EXPANDER, B_WAITS,
        waits_in(env, TSR_CORE_B, (enum tsr_region_id)(REGION_PC_BUFFER0 + (int)thread), &unused));
    PUT(EXPANDER, SYNC_WAITS, waits_in(env, core, REGION_TTSYNC, &unused));
    PUT(EXPANDER, T_WAITS, waits_in(env, core, REGION_PC_BUFFER_T, &unused));
    PUT(EXPANDER, TEMPLATE_0, frontend->mop.active && !frontend->mop.template1);
    PUT(EXPANDER, TEMPLATE_1, frontend->mop.active && frontend->mop.template1);
    // Which MOP is being expanded is not kept.
    if (!frontend->mop.active && frontend->before_mop.count > 0)
        PUT(EXPANDER, FRONT, tsr_fifo_front(&frontend->before_mop));
    PUT(EXPANDER, BUSY, frontend->mop.active || frontend->before_mop.count > 0);
    PUT(EXPANDER, FULL, frontend->before_mop.count >= tsr_frontend_depth(env, (int)thread, false));
}

// ---------------------------------------------------------------- the coprocessor

#define SHOW_GATE(group)                                                                           \
    static void show_##group(struct tsr_env *env, unsigned thread, uint32_t *word)                 \
    {                                                                                              \
        const struct tsr_frontend *frontend = &env->state->frontend[thread];                       \
        tsr_expand_all(env, (int)thread);                                                          \
        if (frontend->before_gate.count > 0)                                                       \
            PUT(group, WAITING, tsr_fifo_front(&frontend->before_gate));                           \
        PUT(group, EMPTY, frontend->before_gate.count == 0);                                       \
        PUT(group, REPLAY_FULL, frontend->before_replay.count >= DEPTH_BEFORE_REPLAY);             \
        PUT(group, REPLAY_EMPTY, frontend->before_replay.count == 0);                              \
    }
SHOW_GATE(GATE)
SHOW_GATE(GATE_BH)

static void show_ADC(struct tsr_env *env, unsigned of, uint32_t *word)
{
    static const uint8_t thread[] = {0, 0, 2}, agent[] = {0, 1, TSR_ADC_PACKERS};
    const tsr_adc_channel *channel =
        &env->state->adcs.channel[thread[of / 2]][agent[of / 2]][of % 2];
    PUT(ADC, X, channel->x);
    PUT(ADC, X_CR, channel->x_cr);
    PUT(ADC, Y, channel->y);
    PUT(ADC, Y_CR, channel->y_cr);
    PUT(ADC, Z, channel->z);
    PUT(ADC, Z_CR, channel->z_cr);
    PUT(ADC, W, channel->w);
    PUT(ADC, W_CR, channel->w_cr);
}

static void show_RWC_SOURCES(struct tsr_env *env, unsigned of, uint32_t *word)
{
    const tsr_rwc *rwc = env->state->rwcs.thread;
    for (unsigned thread = 0; thread < TSR_THREADS; thread++) {
        PUT_AT(RWC_SOURCES, SRCA, 16 * thread, rwc[thread].srca);
        PUT_AT(RWC_SOURCES, SRCA_CR, 16 * thread, rwc[thread].srca_cr);
        PUT_AT(RWC_SOURCES, SRCB, 16 * thread, rwc[thread].srcb);
        PUT_AT(RWC_SOURCES, SRCB_CR, 16 * thread, rwc[thread].srcb_cr);
    }
    PUT(RWC_SOURCES, DST, rwc[of].dst);
    PUT(RWC_SOURCES, DST_CR, rwc[of].dst_cr);
}

static void show_RWC_DST(struct tsr_env *env, unsigned of, uint32_t *word)
{
    for (unsigned thread = of; thread < TSR_THREADS; thread++) {
        const tsr_rwc *rwc = &env->state->rwcs.thread[thread];
        PUT_AT(RWC_DST, DST, 32 * (thread - of), rwc->dst);
        PUT_AT(RWC_DST, DST_CR, 32 * (thread - of), rwc->dst_cr);
    }
}

// Blackhole's threads are not evenly spaced.
static void show_RWC_SOURCES_BH(struct tsr_env *env, unsigned of, uint32_t *word)
{
    const tsr_rwc *rwc = env->state->rwcs.thread;
    PUT(RWC_SOURCES_BH, SRCA_0, rwc[0].srca);
    PUT(RWC_SOURCES_BH, SRCA_1, rwc[1].srca);
    PUT(RWC_SOURCES_BH, SRCA_2, rwc[2].srca);
    PUT(RWC_SOURCES_BH, SRCB_0, rwc[0].srcb);
    PUT(RWC_SOURCES_BH, SRCB_1, rwc[1].srcb);
    PUT(RWC_SOURCES_BH, SRCB_2, rwc[2].srcb);
    PUT(RWC_SOURCES_BH, DST_LOW, rwc[of].dst);
    for (unsigned thread = 0; thread < TSR_THREADS; thread++) {
        PUT_AT(RWC_SOURCES_BH, SRCA_CR, 20 * thread, rwc[thread].srca_cr);
        PUT_AT(RWC_SOURCES_BH, SRCB_CR, 20 * thread, rwc[thread].srcb_cr);
    }
}

static void show_RWC_DST_BH(struct tsr_env *env, unsigned of, uint32_t *word)
{
    const tsr_rwc *rwc = env->state->rwcs.thread;
    PUT(RWC_DST_BH, DST_HIGH, rwc[of].dst >> RWC_SOURCES_BH_DST_LOW_WIDTH);
    for (unsigned thread = 0; thread < TSR_THREADS; thread++) {
        PUT_AT(RWC_DST_BH, DST_CR, 20 * thread, rwc[thread].dst_cr);
        if (thread > of)
            PUT_AT(RWC_DST_BH, DST, 20 * (thread - 1), rwc[thread].dst);
    }
}

static void show_FIDELITY(struct tsr_env *env, unsigned of, uint32_t *word)
{
    for (unsigned thread = of; thread < TSR_THREADS; thread++)
        PUT_AT(FIDELITY, PHASE, 2 * thread, env->state->rwcs.thread[thread].fidelity);
}

static void show_BANKS(struct tsr_env *env, unsigned of, uint32_t *word)
{
    for (unsigned i = of; i < 2; i++) {
        const struct tsr_src *src = &env->state->src[i];
        PUT_AT(BANKS, UNPACKER_OWNS, 16 * i, !src->bank[src->unpacker_bank].matrix_owns);
        PUT_AT(BANKS, MATRIX_OWNS, 16 * i, src->bank[src->matrix_bank].matrix_owns);
        PUT_AT(BANKS, MATRIX_OWNS_1, 16 * i, src->bank[1].matrix_owns);
        PUT_AT(BANKS, MATRIX_OWNS_0, 16 * i, src->bank[0].matrix_owns);
        PUT_AT(BANKS, MATRIX_BANK, 16 * i, src->matrix_bank);
        PUT_AT(BANKS, UNPACKER_BANK, 16 * i, src->unpacker_bank);
    }
}

// The four lanes of a column beside each other.
static void show_LANES(struct tsr_env *env, unsigned of, uint32_t *word)
{
    uint32_t enabled = 0;
    for (unsigned lane = of; lane < TSR_LANES; lane++)
        enabled |= (env->state->vector.enabled >> lane & 1)
                   << (lane % TSR_LANE_COLUMNS * 4 + lane / TSR_LANE_COLUMNS);
    PUT(LANES, ENABLED, enabled);
}

// ---------------------------------------------------------------- which

struct row {
    uint8_t chips, part, signal, of;
    show_fn *show;
};
static const struct row rows[] = {
#define DAISY_GROUP(chips, part, signal, group, of) {chips, part, signal, of, show_##group},
#include "machine/debug_daisychain.def"
};

bool tsr_daisy_signals(struct tsr_env *env, unsigned part, unsigned signal,
                       uint32_t word[TSR_DAISY_WORDS])
{
    static const uint32_t self_test[] = {0, 0xa5a5a5a5, 0x5a5a5a5a, 0xa5a5a5a5};
    unsigned chip = env->isa->arch == TSR_BLACKHOLE_A0 ? BH : WH;
    bool part_found = false;
    memset(word, 0, TSR_DAISY_WORDS * sizeof *word);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        part_found |= row->part == part;
        if (row->part == part && row->signal == signal && row->chips & chip) {
            row->show(env, row->of, word);
            return true;
        }
    }
    if (!part_found || signal != TSR_DAISY_SELF_TEST)
        return false;
    memcpy(word, self_test, sizeof self_test);
    word[0] = part;
    return true;
}
