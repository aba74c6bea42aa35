// SPDX-License-Identifier: Apache-2.0
// The general path of a packer: every stage, datum by datum.
// Page: Packers/README.md.
#ifndef TESSERA_PACK_PACK_DATUMS_H
#define TESSERA_PACK_PACK_DATUMS_H

#include "pack/pack_stream.h"

// False: a finding stopped the tile.
bool tsr_pack_move_datums(struct tsr_pack_sink *sink);

#endif
