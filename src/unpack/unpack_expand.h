// SPDX-License-Identifier: Apache-2.0
// The fast path of compressed input. Page: UNPACR_Regular.md.
#ifndef TESSERA_UNPACK_UNPACK_EXPAND_H
#define TESSERA_UNPACK_UNPACK_EXPAND_H

#include "unpack/unpack_job.h"

// Moves the datums of a job with compressed input, and the zeroes between them. False: the general
// path must, and nothing was moved.
bool tsr_unpack_expand(struct tsr_env *env, const struct tsr_unpack_job *job,
                       struct tsr_src_bank *bank, unsigned src_row);

#endif
