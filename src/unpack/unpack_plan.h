// SPDX-License-Identifier: Apache-2.0
// Plans of unpacks: decoded configuration, inputs and kernel, kept for each unpacker, thread,
// context and state ID for as long as the configuration that they were made from stays the same.
// Page: UNPACR_Regular.md.
#ifndef TESSERA_UNPACK_UNPACK_PLAN_H
#define TESSERA_UNPACK_UNPACK_PLAN_H

#include "state/plan_key.h"
#include "unpack/unpack_inputs.h"
#include "unpack/unpack_job.h"

#include <string.h>

// Where the datums of a plain UNPACR come from, how many they are, and where they go
// (unpack_plain.h).
struct tsr_unpack_plain {
    uint32_t byte, exponent_byte; // in L1
    uint32_t first_x, datums;
    uint32_t out_address;
};

// The same of a word, if it finds these counters, and how it leaves them. Bytes count from the
// tile's first datum and exponent, which programs move from tile to tile.
struct tsr_unpack_step {
    uint32_t word; // 0: nothing is known
    struct tsr_unpack_plain at;
    uint64_t bits; // of the datums
    bool flip;     // it hands its bank over
    tsr_adc_channel from[2], to[2];
};

enum { TSR_UNPACK_STEPS = 4 }; // a tile has four faces, and kernels step Z

struct tsr_unpack_plan {
    struct tsr_plan_key key;
    uint8_t slot;
    uint32_t serial; // of the making; jobs remember it
    struct tsr_unpack_config config;
    struct tsr_unpack_inputs inputs;
    tsr_unpack_src_fn *to_src; // NULL: datum by datum
    tsr_unpack_dst_fn *to_dst;
    bool plain; // see unpack_plain.h; the rest is for that alone
    // Of the first datum of the tile and its exponent, and where the last ones end at most: in L1,
    // and in a circular buffer, before it wraps. In bits, and in sixteenths of a byte.
    uint64_t first_bit, end_bit, first_16th, end_16th;
    struct tsr_unpack_step step[TSR_UNPACK_STEPS]; // by Z
};

// Single-context mode has plans of its own, after those of the contexts.
enum { TSR_UNPACK_SLOTS = 2 * TSR_THREADS * (TSR_UNPACK_CONTEXTS + 1) * 2 };
// A form of UNPACR_NOP of which there is nothing to report, and which depends on its word alone.
struct tsr_unpack_nop_form {
    uint32_t word; // 0: none
    uint8_t kind, unpacker;
    bool flip;
    struct tsr_unpack_nop nop;
    // What it samples, for this thread, and tsr_config.changes when it did; UINT64_MAX: never.
    uint8_t thread, src_row_base, implied_format;
    uint64_t changes;
};

enum { TSR_UNPACK_NOP_FORMS = 8 };
struct tsr_unpack_plans {
    struct tsr_unpack_nop_form nop_form[TSR_UNPACK_NOP_FORMS];
    uint32_t serial;                        // counts plans that were made
    struct tsr_unpack_operands operands[2]; // of the last words that each unpacker got
    struct tsr_unpack_plan slot[TSR_UNPACK_SLOTS];
};

struct tsr_unpack_plans *tsr_unpack_plans_create(void); // NULL: no memory
void tsr_unpack_plans_destroy(struct tsr_unpack_plans *plans);
// Plans are keyed by the generations of the configuration: forget them whenever these may run
// backwards (a reset, a snapshot that is loaded).
void tsr_unpack_plans_clear(struct tsr_unpack_plans *plans);

// Something has been written since the plan was last looked at. Reads its inputs again if it still
// stands. False: it must be made.
bool tsr_unpack_plan_refresh(const struct tsr_env *env, const struct tsr_unpack_operands *operands,
                             struct tsr_unpack_plan *plan);
void tsr_unpack_plan_make(struct tsr_env *env, const struct tsr_unpack_operands *operands,
                          struct tsr_unpack_plan *plan);

static inline struct tsr_unpack_plan *
tsr_unpack_plan_slot(const struct tsr_env *env, const struct tsr_unpack_operands *operands)
{
    unsigned slot = operands->unpacker;
    slot = slot * TSR_THREADS + operands->thread;
    slot = slot * (TSR_UNPACK_CONTEXTS + 1) +
           (operands->multi_context ? operands->context : TSR_UNPACK_CONTEXTS);
    return &env->unpack_plans->slot[slot * 2 + operands->state_id];
}

// The plan, if it stands; NULL: it must be made. Counts nothing.
static inline struct tsr_unpack_plan *
tsr_unpack_plan_current(const struct tsr_env *env, const struct tsr_unpack_operands *operands)
{
    struct tsr_unpack_plan *plan = tsr_unpack_plan_slot(env, operands);
    return tsr_plan_key_unchanged(&plan->key, &env->state->config) ||
                   tsr_unpack_plan_refresh(env, operands, plan)
               ? plan
               : NULL;
}

// Up to date.
static inline struct tsr_unpack_plan *
tsr_unpack_plan_for(struct tsr_env *env, const struct tsr_unpack_operands *operands)
{
    struct tsr_unpack_plan *plan = tsr_unpack_plan_slot(env, operands);
    if (tsr_plan_key_unchanged(&plan->key, &env->state->config) ||
        tsr_unpack_plan_refresh(env, operands, plan))
        env->plans_reused++;
    else
        tsr_unpack_plan_make(env, operands, plan);
    return plan;
}

// Everything that is read before something is written to it (unpack_address.c writes the rest);
// compressed input finds much of a job only when it executes.
static inline void tsr_unpack_job_begin(const struct tsr_unpack_operands *operands,
                                        const struct tsr_unpack_plan *plan,
                                        struct tsr_unpack_job *job)
{
    if (plan->config.compressed)
        memset(job, 0, sizeof *job);
    job->kind = UNPACK_DATUMS;
    job->unpacker = operands->unpacker;
    job->thread = operands->thread;
    job->state_id = operands->state_id;
    job->context = operands->context;
    job->all_zero = operands->all_zero;
    job->flip = operands->flip;
    job->broadcasts = operands->broadcasts;
    job->partial_row = job->tainted = job->taints_unwritten = job->plain = false;
    job->drop_datums = 0;
    job->first_delta_bit = 0;
    job->waits_since = 0;
    job->plan_slot = plan->slot;
    job->plan_serial = plan->serial;
    job->config = plan->config;
    job->implied_format = plan->config.out_format;
}

// The kernel of a job that was planned earlier; its plan may have gone meanwhile.
tsr_unpack_src_fn *tsr_unpack_src_kernel(const struct tsr_env *env,
                                         const struct tsr_unpack_job *job);
tsr_unpack_dst_fn *tsr_unpack_dst_kernel(const struct tsr_env *env,
                                         const struct tsr_unpack_job *job);

#endif
