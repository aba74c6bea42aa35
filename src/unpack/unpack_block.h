// SPDX-License-Identifier: Apache-2.0
// Runs of UNPACRs as one, and words that are looked at ahead of them (unpack_block.c).
// Page: UNPACR_Regular.md.
#ifndef TESSERA_UNPACK_UNPACK_BLOCK_H
#define TESSERA_UNPACK_UNPACK_BLOCK_H

#include "unpack/unpack_plain.h"

// tsr_unit_ops.run_block.
unsigned tsr_unpack_run_block(struct tsr_env *env, int thread, const uint32_t *words,
                              unsigned count);

// tsr_unit_ops.take_whole: a plain UNPACR.
bool tsr_unpack_take_whole(struct tsr_env *env, struct tsr_inflight *inst);

// With timing off, executes and completes a plain UNPACR.
enum tsr_unpack_went tsr_unpack_datums_now(struct tsr_env *env, struct tsr_origin by);

// A plain UNPACR that has nothing to report when it is accepted: it is, but for its place in the
// queue.
struct tsr_unpack_ahead {
    const struct tsr_unpack_plan *plan; // it stands until configuration changes
    struct tsr_unpack_plain at;
    bool flip;
    tsr_adc_channel before[2]; // the counters that it steps
};

// False: it is no such word, and nothing was changed.
bool tsr_unpack_look_ahead(struct tsr_env *env, struct tsr_origin by,
                           struct tsr_unpack_ahead *ahead);
// Steps the thread's counters back: it comes again.
void tsr_unpack_look_back(struct tsr_env *env, unsigned unpacker, unsigned thread,
                          const struct tsr_unpack_ahead *ahead);
// Executes and completes it. TSR_UNPACK_ASKS: it must be accepted first.
enum tsr_unpack_went tsr_unpack_run_ahead(struct tsr_env *env, struct tsr_origin by,
                                          const struct tsr_unpack_ahead *ahead);

// A plain UNPACR of which all is known if it finds these counters, and whose datums lie in the
// tile that the plan has now; NULL: it is not. `*plan` is its
// plan, which stands until configuration of the unpacker or its thread changes.
const struct tsr_unpack_step *tsr_unpack_known_step(struct tsr_env *env, struct tsr_origin by,
                                                    const tsr_adc_channel from[2],
                                                    struct tsr_unpack_plan **plan);
// With timing off, accepts, executes and completes it in the counters that it was known for. False:
// it waits or reports, and nothing was changed.
bool tsr_unpack_take_step(struct tsr_env *env, struct tsr_origin by,
                          const struct tsr_unpack_plan *plan, const struct tsr_unpack_step *step);

#endif
