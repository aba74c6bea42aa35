// SPDX-License-Identifier: Apache-2.0
// Compressed input, at execution. Pages: UNPACR_Regular.md, Packers/Compression.md.
#ifndef TESSERA_UNPACK_UNPACK_COMPRESSED_H
#define TESSERA_UNPACK_UNPACK_COMPRESSED_H

#include "unpack/unpack_job.h"

// Reads row starts and follows the deltas: fills what the job lacks of addresses and counts.
tsr_unpack_anomalies tsr_unpack_find_row(const struct tsr_env *env, struct tsr_unpack_job *job);

#endif
