// SPDX-License-Identifier: Apache-2.0
// Runs of UNPACRs as one, and words that are looked at ahead of them (unpack_block.c).
// Page: UNPACR_Regular.md.
#ifndef TESSERA_UNPACK_UNPACK_BLOCK_H
#define TESSERA_UNPACK_UNPACK_BLOCK_H

#include "unpack/unpack_plain.h"

// tsr_unit_ops.run_block.
unsigned tsr_unpack_run_block(struct tsr_env *env, int thread, const uint32_t *words,
                              unsigned count);

// tsr_unit_ops.take: a plain UNPACR.
bool tsr_unpack_take(struct tsr_env *env, struct tsr_inflight *inst);

// What a word steps when it is accepted.
struct tsr_unpack_counters {
    tsr_adc_channel channel[TSR_THREADS][2];
    uint8_t context;
};

// A plain UNPACR, or an UNPACR_NOP that clears a bank or hands one over, which has nothing to
// report when it is accepted: it is, but for its place in the queue.
struct tsr_unpack_ahead {
    struct tsr_inflight inst;           // without costs; of an UNPACR without its job
    const struct tsr_unpack_plan *plan; // of an UNPACR; it stands until configuration changes
    struct tsr_unpack_plain at;
    bool flip;
    struct tsr_unpack_counters before;
};

// Of `inst` all is filled but the job. False: it is no such word, and nothing was changed.
bool tsr_unpack_look_ahead(struct tsr_env *env, struct tsr_unpack_ahead *ahead);
// Steps the counters back: it comes again.
void tsr_unpack_look_back(struct tsr_env *env, const struct tsr_unpack_ahead *ahead);
// Executes and completes it. False: it waits for *reason, or, with TSR_REASON_NONE, it must be
// accepted and asked; nothing was changed.
bool tsr_unpack_run_ahead(struct tsr_env *env, struct tsr_unpack_ahead *ahead, tsr_reason *reason);

#endif
