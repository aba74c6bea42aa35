// SPDX-License-Identifier: Apache-2.0
// Reporting the anomalies of an UNPACR. Page: UNPACR_Regular.md.
#ifndef TESSERA_UNPACK_UNPACK_REPORT_H
#define TESSERA_UNPACK_UNPACK_REPORT_H

#include "state/report.h"
#include "unpack/unpack_job.h"

// Reports all of them. TSR_HALT as soon as one stops; otherwise TSR_GO_TAINTED if any taints.
enum tsr_verdict tsr_unpack_report(struct tsr_env *env, const struct tsr_inflight *inst,
                                   const struct tsr_unpack_job *job,
                                   tsr_unpack_anomalies anomalies);

#endif
