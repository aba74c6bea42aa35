// SPDX-License-Identifier: Apache-2.0
// Compression of zeroes: rows of datums, and the sections that they fill.
// Page: Packers/Compression.md.
#ifndef TESSERA_PACK_PACK_COMPRESS_H
#define TESSERA_PACK_PACK_COMPRESS_H

#include "pack/pack_stream.h"

void tsr_pack_begin_row(struct tsr_pack_sink *sink); // unless one is open
void tsr_pack_compress(struct tsr_pack_sink *sink, const uint32_t *patterns, unsigned count,
                       bool tainted);
void tsr_pack_end_row(struct tsr_pack_sink *sink);
void tsr_pack_end_rows(struct tsr_pack_sink *sink); // of the section

#endif
