// SPDX-License-Identifier: Apache-2.0
// Datums after late conversion to bytes of the streams, sixteen at a time for block formats.
// Pages: Packers/README.md, Packers/FormatConversion.md.
#ifndef TESSERA_PACK_PACK_ASSEMBLY_H
#define TESSERA_PACK_PACK_ASSEMBLY_H

#include "pack/pack_stream.h"

void tsr_pack_put(struct tsr_pack_sink *sink, const uint32_t *patterns, unsigned count,
                  bool tainted);
void tsr_pack_end_group(struct tsr_pack_sink *sink); // fills a partial block with zeroes

#endif
