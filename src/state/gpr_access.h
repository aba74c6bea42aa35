// SPDX-License-Identifier: Apache-2.0
// How instructions read and write GPRs: with the findings that a read can lead to, and the shadow
// state that a write leaves. Page: ScalarUnit.md.
#ifndef TESSERA_STATE_GPR_ACCESS_H
#define TESSERA_STATE_GPR_ACCESS_H

#include "state/state.h"

// Reads a GPR of the instruction's thread, and sets *tainted if it holds a tainted value. A GPR
// that was never written, that a load has yet to write, or that is tainted is a finding. False: the
// tile stops.
bool tsr_gpr_read(struct tsr_env *env, const struct tsr_inflight *inst, unsigned gpr,
                  uint32_t *value, bool *tainted);
void tsr_gpr_put(struct tsr_gprs *gprs, int thread, const struct tsr_gpr_write *write);

#endif
