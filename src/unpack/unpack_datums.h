// SPDX-License-Identifier: Apache-2.0
// The general path of UNPACR's main loop, datum by datum. Page: UNPACR_Regular.md.
#ifndef TESSERA_UNPACK_UNPACK_DATUMS_H
#define TESSERA_UNPACK_UNPACK_DATUMS_H

#include "unpack/unpack_job.h"

// Whether some datum's shared exponent does not fit FP16 (decision 14); such datums are tainted.
bool tsr_unpack_exponents_overflow(const struct tsr_l1 *l1, const struct tsr_unpack_job *job);

// Moves the datums into `bank`, whose rows count from `src_row`, or into Dst.
void tsr_unpack_move_datums(struct tsr_env *env, const struct tsr_unpack_job *job,
                            struct tsr_src_bank *bank, unsigned src_row);

#endif
