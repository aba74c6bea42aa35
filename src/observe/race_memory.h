// SPDX-License-Identifier: Apache-2.0
// Cells of memories that are no Tensix tile's L1, and the clocks that a collection must keep.
// Pages: DRAMTile/README.md, EthernetTile/README.md.
#ifndef TESSERA_OBSERVE_RACE_MEMORY_H
#define TESSERA_OBSERVE_RACE_MEMORY_H

#include "observe/race_packet.h"

// The cell of TSR_RACE_MEMORY_BYTES bytes of a memory, made if it is not there. NULL: out of
// memory.
struct tsr_race_cell *tsr_race_memory_cell(struct tsr_race_chip *chip, unsigned memory,
                                           uint64_t granule);
// That cell; NULL: it is not there.
struct tsr_race_cell *tsr_race_memory_find(const struct tsr_race_chip *chip, unsigned memory,
                                           uint64_t granule);
void tsr_race_memory_clear(struct tsr_race_chip *chip);
// Marks the facts that the record's clocks have.
void tsr_race_mark_clocks(const struct tsr_race_record *record);

#endif
