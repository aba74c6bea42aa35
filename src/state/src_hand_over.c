// SPDX-License-Identifier: Apache-2.0
// The finding for a bank that nothing has written since the unpackers got it. Page: SrcASrcB.md.
#include "state/src_hand_over.h"

#include "state/report.h"

bool tsr_src_never_filled(struct tsr_env *env, const struct tsr_inflight *inst, int side)
{
    return tsr_report(env, FINDING_SRC_BANK_NEVER_FILLED, inst, NULL,
                      "%s hands Src%c bank %u to the matrix unit, and nothing has written to it "
                      "since the unpackers got it.",
                      tsr_op_name((enum tsr_op)inst->op), 'A' + side,
                      (unsigned)env->state->src[side].unpacker_bank) != TSR_HALT;
}
