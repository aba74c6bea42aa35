// SPDX-License-Identifier: Apache-2.0
// What UNPACR_NOP does when it executes and completes. Pages: UNPACR_NOP_ZEROSRC.md,
// UNPACR_NOP_SETDVALID.md, UNPACR_NOP_SETREG.md, UNPACR_NOP_OverlayClear.md.
#ifndef TESSERA_UNPACK_UNPACK_NOP_EXECUTE_H
#define TESSERA_UNPACK_UNPACK_NOP_EXECUTE_H

#include "unpack/unpack_job.h"

// Anything but TSR_REASON_NONE: what it waits for; nothing was changed, and the unpacker's queue
// calls again.
tsr_reason tsr_unpack_nop_execute(struct tsr_env *env, struct tsr_inflight *inst);
// Of a clear: whether the bank that it waits for is the matrix unit's.
bool tsr_unpack_clear_waits(const struct tsr_env *env, const struct tsr_unpack_job *job);
// Of a clear: the banks' datums change.
void tsr_unpack_nop_complete(struct tsr_env *env, struct tsr_inflight *inst);

// With timing off: all of a form that clears, hands over, or does nothing, if it neither waits nor
// reports. False: it is another one, or reports, or waits on for *reason; nothing was changed.
bool tsr_unpack_nop_finish(struct tsr_env *env, const struct tsr_inflight *inst,
                           tsr_reason *reason);
// The same of a word that has not been accepted.
enum tsr_unpack_went tsr_unpack_nop_now(struct tsr_env *env, struct tsr_origin by);

#endif
