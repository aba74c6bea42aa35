// SPDX-License-Identifier: Apache-2.0
// What a scalar instruction carries from its acceptance to its completion, and the steps that the
// files of the unit share. Page: ScalarUnit.md.
#ifndef TESSERA_CONTROL_SCALAR_JOB_H
#define TESSERA_CONTROL_SCALAR_JOB_H

#include "state/gpr_access.h"
#include "state/report.h"
#include "state/unit.h"

struct scalar_job {
    struct tsr_gpr_write result;
    struct tsr_gpr_write offset;  // the half GPR that LOADIND and STOREIND step
    uint32_t data[TSR_GPR_GROUP]; // on its way to L1, to SrcA or SrcB, or to a register
    uint32_t address;             // of a byte in L1 or of a register; a datum's index in Src
    uint32_t int_mask;            // of ATINCGET and ATINCGETPTR
    uint8_t size;                 // bytes
    uint8_t granules;             // of ATSWAP: a bit for each 16
    uint8_t word;                 // of ATINCGETPTR and ATCAS
    uint8_t side;                 // of STOREIND to Src
    uint8_t late;                 // cycles from the completion until the result is there
    bool memory;                  // counts as outstanding until its end
    bool nowhere;                 // the address leads nowhere: nothing is moved
    bool row_kept;                // of STOREIND to Src: SrcRow is not added
    bool tainted;                 // of data
    bool looked;                  // findings about what is read were made
    // SETDMAREG of packer state:
    uint8_t source, input_half, result_half, result_size, which;
    uint8_t format[4], plain[4]; // Out_data_format and DisableZeroCompression of each packer
};
_Static_assert(sizeof(struct scalar_job) <= TSR_JOB_BYTES, "a job fits its instruction");

// The steps of one instruction. accept: false, a finding stopped the tile. execute as in
// tsr_unit_ops; NULL: nothing to do. Results are written when the instruction completes.
struct scalar_steps {
    bool (*accept)(struct tsr_env *env, struct tsr_inflight *inst, struct scalar_job *job);
    tsr_reason (*execute)(struct tsr_env *env, struct tsr_inflight *inst, struct scalar_job *job);
    void (*explain)(struct tsr_env *env, const struct tsr_inflight *inst,
                    const struct scalar_job *job, char *what, size_t size);
};

extern const struct scalar_steps tsr_scalar_arithmetic; // ADD, SUB, MUL, BITWOP, SHIFT, CMP
extern const struct scalar_steps tsr_scalar_set;        // SETDMAREG, both forms
extern const struct scalar_steps tsr_scalar_loadind;
extern const struct scalar_steps tsr_scalar_storeind; // all three
extern const struct scalar_steps tsr_scalar_loadreg;
extern const struct scalar_steps tsr_scalar_storereg;
extern const struct scalar_steps tsr_scalar_atincget;
extern const struct scalar_steps tsr_scalar_atincgetptr;
extern const struct scalar_steps tsr_scalar_atswap;
extern const struct scalar_steps tsr_scalar_atcas;

// scalar_unit.c. One whole GPR as the result.
void tsr_scalar_result(struct scalar_job *job, unsigned gpr, uint32_t value, bool tainted);
// STOREIND in its forms. accept_mmio: scalar_registers.c; accept_src: scalar_src.c.
bool tsr_scalar_accept_mmio(struct tsr_env *env, struct tsr_inflight *inst, struct scalar_job *job);
tsr_reason tsr_scalar_store_register(struct tsr_env *env, struct tsr_inflight *inst,
                                     struct scalar_job *job);
bool tsr_scalar_accept_src(struct tsr_env *env, struct tsr_inflight *inst, struct scalar_job *job);
tsr_reason tsr_scalar_store_src(struct tsr_env *env, struct tsr_inflight *inst,
                                struct scalar_job *job);

// scalar_address.c. The half GPR that OffsetIndex names: its value, and its step as job->offset.
bool tsr_scalar_offset(struct tsr_env *env, const struct tsr_inflight *inst, struct scalar_job *job,
                       uint32_t *offset);
// A GPR as it is behind the step of the offset, for what the page reads after that.
bool tsr_scalar_read_behind_offset(struct tsr_env *env, const struct tsr_inflight *inst,
                                   struct scalar_job *job, unsigned gpr, uint32_t *value);
// Sets job->address and job->size if these bytes lie in L1, and job->nowhere if not, which is a
// finding. False: the tile stops.
bool tsr_scalar_l1_address(struct tsr_env *env, const struct tsr_inflight *inst,
                           struct scalar_job *job, uint32_t address, unsigned size);
// Findings about bytes of L1 that an instruction reads. False: the tile stops.
bool tsr_scalar_l1_shadow(struct tsr_env *env, const struct tsr_inflight *inst,
                          struct scalar_job *job, uint32_t address, unsigned size);

#endif
