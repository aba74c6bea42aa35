// SPDX-License-Identifier: Apache-2.0
// The fast path of UNPACR's main loop: whole rows through a kernel. Page: UNPACR_Regular.md.
#ifndef TESSERA_UNPACK_UNPACK_ROWS_H
#define TESSERA_UNPACK_UNPACK_ROWS_H

#include "unpack/unpack_job.h"

// Moves the datums of a job that uses a kernel. False: there is none, and nothing was moved.
bool tsr_unpack_move_rows(struct tsr_env *env, const struct tsr_unpack_job *job,
                          struct tsr_src_bank *bank, unsigned src_row);

#endif
