// SPDX-License-Identifier: Apache-2.0
// The bytes that an UNPACR fetches from L1, and for how long it does.
// Page: UNPACR_Regular.md (Performance).
#include "state/l1_traffic.h"
#include "unpack/unpack_job.h"

static uint32_t bytes_of(const struct tsr_unpack_job *job)
{
    unsigned delta_bits = job->shape.compressed ? 4 : 0; // Packers/Compression.md
    return (uint32_t)(((uint64_t)job->count * (job->shape.datum_bits + delta_bits) + 7) / 8);
}

void tsr_unpack_fetch_begin(struct tsr_env *env, struct tsr_inflight *inst)
{
    const struct tsr_unpack_job *job = tsr_unpack_job(inst);
    enum tsr_l1_client client = TSR_L1_UNPACKER0 + job->unpacker;
    tsr_l1_begin(env, client, bytes_of(job), job->shape.bytes_per_cycle, job->shape.speed);
    uint32_t cycles = tsr_l1_cycles(env, client, 1);
    inst->duration = cycles > 0 ? cycles : 1;
}

void tsr_unpack_fetch_end(struct tsr_env *env, const struct tsr_inflight *inst)
{
    tsr_l1_end(env, inst->unit == TSR_UNIT_UNPACKER1 ? TSR_L1_UNPACKER1 : TSR_L1_UNPACKER0);
}
