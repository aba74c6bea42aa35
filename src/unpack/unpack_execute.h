// SPDX-License-Identifier: Apache-2.0
// The execution of UNPACR. Page: UNPACR_Regular.md.
#ifndef TESSERA_UNPACK_UNPACK_EXECUTE_H
#define TESSERA_UNPACK_UNPACK_EXECUTE_H

#include "unpack/unpack_job.h"

// Moves the job's datums. Anything but TSR_REASON_NONE: the matrix unit has the bank, nothing was
// changed, and the unpacker's queue calls again (state/unit.h).
tsr_reason tsr_unpack_execute(struct tsr_env *env, struct tsr_inflight *inst);
// Whether that, called again, would only wait on.
bool tsr_unpack_still_waits(const struct tsr_env *env, const struct tsr_unpack_job *job);

// The bytes that it fetches for so many datums of its input.
uint32_t tsr_unpack_bytes(const struct tsr_unpack_config *config, uint32_t datums);
// With timing on: so many are fetched from L1 from now on, beside those of the other unpacker. For
// how many cycles, as it stands now.
uint32_t tsr_unpack_fetch(struct tsr_env *env, const struct tsr_unpack_config *config,
                          unsigned unpacker, uint32_t bytes);

// With timing off: all of a plain UNPACR (unpack_plain.h), if it neither waits nor reports. False:
// it is none, or reports, or waits on for *reason; nothing was changed.
bool tsr_unpack_finish(struct tsr_env *env, const struct tsr_inflight *inst, tsr_reason *reason);

// Its steps, for runs of UNPACRs (unpack_block.c). What is known only at execution: the bytes of
// L1, the place of compressed data, SrcB's rows.
tsr_unpack_anomalies tsr_unpack_check_input(const struct tsr_env *env, struct tsr_unpack_job *job);
void tsr_unpack_move(struct tsr_env *env, const struct tsr_unpack_job *job);
// The bank's hand-over, or the step of SrcRow.
void tsr_unpack_leave_bank(struct tsr_env *env, struct tsr_inflight *inst);

#endif
