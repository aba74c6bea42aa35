// SPDX-License-Identifier: Apache-2.0
// What a scalar instruction carries from its acceptance to its completion, and what its steps are.
// Page: ScalarUnit.md.
#ifndef TESSERA_CONTROL_SCALAR_JOB_H
#define TESSERA_CONTROL_SCALAR_JOB_H

#include "state/state.h"

struct tsr_scalar_job {
    // SETDMAREG of a constant, which kernels use for every address: these four and `early` alone.
    bool constant;
    uint8_t gpr;
    uint32_t value, mask;
    struct tsr_gpr_write result;
    struct tsr_gpr_write offset;  // the half GPR that LOADIND and STOREIND step
    uint32_t data[TSR_GPR_GROUP]; // on its way to L1, to SrcA or SrcB, or to a register
    uint32_t address;             // of a byte in L1 or of a register; a datum's index in Src
    uint32_t int_mask;            // of ATINCGET and ATINCGETPTR
    uint8_t size;                 // bytes
    uint8_t granules;             // of ATSWAP: a bit for each 16
    uint8_t word;                 // of ATINCGETPTR and ATCAS
    uint8_t side;                 // of STOREIND to Src
    uint8_t result_delay;         // cycles from the completion until the result is there
    uint8_t early;                // cycles before its end in which its thread goes on
    bool memory;                  // counts as outstanding until its end
    bool nowhere;                 // nothing is at the address: nothing is moved
    bool row_kept;                // of STOREIND to Src: SrcRow is not added
    bool tainted;                 // of data
    bool shadow_checked;          // findings about what is read were made
    // SETDMAREG of packer state:
    uint8_t source, input_half, result_half, result_size, which;
    uint8_t format[4], uncompressed[4]; // of each packer: Out_data_format, DisableZeroCompression
};
_Static_assert(sizeof(struct tsr_scalar_job) <= TSR_JOB_BYTES, "a job fits its instruction");

// The steps of one instruction. accept: false, a finding stopped the tile. execute as in
// tsr_unit_ops; NULL: nothing to do. Results are written when the instruction completes.
struct tsr_scalar_steps {
    bool (*accept)(struct tsr_env *env, struct tsr_inflight *inst, struct tsr_scalar_job *job);
    tsr_reason (*execute)(struct tsr_env *env, struct tsr_inflight *inst,
                          struct tsr_scalar_job *job);
    void (*explain)(struct tsr_env *env, const struct tsr_inflight *inst,
                    const struct tsr_scalar_job *job, char *what, size_t size);
};

// One whole GPR as the result.
static inline void tsr_scalar_result(struct tsr_scalar_job *job, unsigned gpr, uint32_t value,
                                     bool tainted)
{
    job->result = (struct tsr_gpr_write){.value = {value},
                                         .mask = {0xffffffffu},
                                         .gpr = (uint8_t)gpr,
                                         .words = 1,
                                         .tainted = tainted};
}

#endif
