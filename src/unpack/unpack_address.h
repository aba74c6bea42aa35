// SPDX-License-Identifier: Apache-2.0
// The addresses of one UNPACR, and its updates of counters. Page: UNPACR_Regular.md.
#ifndef TESSERA_UNPACK_UNPACK_ADDRESS_H
#define TESSERA_UNPACK_UNPACK_ADDRESS_H

#include "unpack/unpack_inputs.h"
#include "unpack/unpack_job.h"

// Fills the job's addresses and counts from its configuration, the inputs and the counters.
tsr_unpack_anomalies tsr_unpack_address(const struct tsr_env *env,
                                        const struct tsr_unpack_operands *operands,
                                        const struct tsr_unpack_inputs *inputs,
                                        struct tsr_unpack_job *job);
// Context counter and ADC increments (the end of the functional model).
void tsr_unpack_step_counters(struct tsr_env *env, const struct tsr_unpack_operands *operands,
                              const struct tsr_unpack_config *config);

#endif
