// SPDX-License-Identifier: Apache-2.0
// The execution of UNPACR. Page: UNPACR_Regular.md.
#ifndef TESSERA_UNPACK_UNPACK_EXECUTE_H
#define TESSERA_UNPACK_UNPACK_EXECUTE_H

#include "unpack/unpack_job.h"

// Moves the job's datums. Anything but TSR_REASON_NONE: the matrix unit has the bank, nothing was
// changed, and the unpacker's queue calls again (state/unit.h).
tsr_reason tsr_unpack_execute(struct tsr_env *env, struct tsr_inflight *inst);

#endif
