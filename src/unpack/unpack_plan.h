// SPDX-License-Identifier: Apache-2.0
// Plans of unpacks: a shape and its kernel, kept for as long as the configuration that they were
// made from stays the same.
#ifndef TESSERA_UNPACK_UNPACK_PLAN_H
#define TESSERA_UNPACK_UNPACK_PLAN_H

#include "unpack/unpack_job.h"

struct tsr_unpack_plan {
    bool made;
    bool multi_context;
    uint32_t unpack_generation, alu_generation, thread_generation;
    struct tsr_unpack_shape shape;
    tsr_unpack_src_fn *to_src; // NULL: datum by datum
    tsr_unpack_dst_fn *to_dst;
};

// The plan of a call, made now or before; `slot` finds its place again.
const struct tsr_unpack_plan *
tsr_unpack_plan_for(struct tsr_env *env, const struct tsr_unpack_call *call, uint8_t *slot);
// The kernels of a job that was planned earlier; its plan may have gone meanwhile.
tsr_unpack_src_fn *tsr_unpack_src_kernel(const struct tsr_env *env,
                                         const struct tsr_unpack_job *job);
tsr_unpack_dst_fn *tsr_unpack_dst_kernel(const struct tsr_env *env,
                                         const struct tsr_unpack_job *job);

#endif
