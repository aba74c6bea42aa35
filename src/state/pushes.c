// SPDX-License-Identifier: Apache-2.0
// The places from which instructions were pushed; see pushes.h.
#include "state/pushes.h"

static const struct tsr_fifo *fifo_at(const struct tsr_frontend *frontend, enum tsr_word_at at)
{
    return at == TSR_AT_GATE ? &frontend->before_gate
           : at == TSR_AT_B  ? &frontend->before_replay
                             : &frontend->before_mop;
}

uint64_t tsr_word_tag(const struct tsr_frontend *frontend, enum tsr_word_at at, unsigned index)
{
    const struct tsr_fifo *fifo = fifo_at(frontend, at);
    if (at == TSR_AT_REPLAY)
        return tsr_replay_tag(&frontend->replay, index);
    return at == TSR_AT_MOP ? frontend->mop_tag : fifo->tag[(fifo->first + index) % TSR_FIFO_MAX];
}

static void keep_one_by_one(const struct tsr_frontend *frontend, enum tsr_word_at at,
                            uint64_t sequence, unsigned count, uint32_t *kept)
{
    for (unsigned i = 0; i < count; i++)
        kept[(sequence + i) % TSR_PUSHES_KEPT] = (uint32_t)tsr_word_tag(frontend, at, i);
}

// Rows are short: a loop for long ones would cost more than it saves.
static inline void keep_row(uint32_t *restrict kept, const uint64_t *restrict tag, unsigned count)
{
    for (; count >= 4; count -= 4, kept += 4, tag += 4) {
        kept[0] = (uint32_t)tag[0];
        kept[1] = (uint32_t)tag[1];
        kept[2] = (uint32_t)tag[2];
        kept[3] = (uint32_t)tag[3];
    }
    if (count & 2) {
        kept[0] = (uint32_t)tag[0];
        kept[1] = (uint32_t)tag[1];
    }
    if (count & 1)
        kept[count - 1] = (uint32_t)tag[count - 1];
}

void tsr_pushes_keep(struct tsr_env *env, int thread, enum tsr_word_at at, uint64_t sequence,
                     unsigned count)
{
    const struct tsr_frontend *frontend = &env->state->frontend[thread];
    uint32_t *restrict kept = env->pushes->tag[thread];
    const struct tsr_fifo *fifo = fifo_at(frontend, at);
    unsigned to = sequence % TSR_PUSHES_KEPT;
    if (at == TSR_AT_REPLAY || to + count > TSR_PUSHES_KEPT || fifo->first + count > TSR_FIFO_MAX)
        keep_one_by_one(frontend, at, sequence, count, kept);
    else
        keep_row(kept + to, fifo->tag + fifo->first, count);
}

// Of what has not been issued, the first word on its way.
static uint64_t next_tag(const struct tsr_frontend *frontend)
{
    if (frontend->before_gate.count > 0)
        return tsr_word_tag(frontend, TSR_AT_GATE, 0);
    if (frontend->replay.play_left > 0)
        return tsr_word_tag(frontend, TSR_AT_REPLAY, 0);
    if (frontend->before_replay.count > 0)
        return tsr_fifo_front_tag(&frontend->before_replay);
    if (frontend->mop.active)
        return tsr_word_tag(frontend, TSR_AT_MOP, 0);
    return frontend->before_mop.count > 0 ? tsr_word_tag(frontend, TSR_AT_CORE, 0) : 0;
}

bool tsr_pushes_find(const struct tsr_env *env, int thread, uint64_t sequence, int *core,
                     uint32_t *pc)
{
    const struct tsr_frontend *frontend = &env->state->frontend[thread];
    if (env->pushes == NULL || frontend->sequence >= sequence + TSR_PUSHES_KEPT)
        return false;
    uint32_t tag = sequence == 0 || sequence > frontend->sequence
                       ? (uint32_t)next_tag(frontend)
                       : env->pushes->tag[thread][sequence % TSR_PUSHES_KEPT];
    *core = (tag & TSR_TAG_SOURCE) == TSR_FROM_B ? TSR_CORE_B : TSR_CORE_T0 + thread;
    *pc = tsr_tag_pc(tag);
    return *pc != 0;
}
