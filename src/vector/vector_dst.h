// SPDX-License-Identifier: Apache-2.0
// Loads from Dst and stores to it (vector_dst.c).
#ifndef TESSERA_VECTOR_VECTOR_DST_H
#define TESSERA_VECTOR_VECTOR_DST_H

#include "vector/vector_call.h"

// When a load or store is accepted: its address and mode; then the counters step.
void tsr_vector_sample_dst(struct tsr_env *env, const struct tsr_inflight *inst,
                           const struct tsr_vector_args *args, struct tsr_vector_job *job);
// A finding has stopped it: the counters go back.
void tsr_vector_restore(struct tsr_env *env, const struct tsr_inflight *inst,
                        const struct tsr_vector_job *job);

// With timing off: all of a load or store that has nothing to report. False: it may have; nothing
// has changed.
bool tsr_vector_quiet_dst(struct tsr_vector_call *call, struct tsr_vector_job *job);

tsr_vector_run_fn tsr_vector_run_load, tsr_vector_run_store;

#endif
