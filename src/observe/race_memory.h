// SPDX-License-Identifier: Apache-2.0
// Cells of memories that are no Tensix tile's L1, and the clocks that a collection must keep.
// Pages: DRAMTile/README.md, EthernetTile/README.md.
#ifndef TESSERA_OBSERVE_RACE_MEMORY_H
#define TESSERA_OBSERVE_RACE_MEMORY_H

#include "observe/race_packet.h"

// Of TSR_RACE_MEMORY_BYTES bytes. NULL: no memory.
struct tsr_race_cell *tsr_race_memory_cell(struct tsr_race_chip *chip, unsigned memory,
                                           uint64_t granule);
// The same if it is there.
struct tsr_race_cell *tsr_race_memory_find(const struct tsr_race_chip *chip, unsigned memory,
                                           uint64_t granule);
void tsr_race_memory_clear(struct tsr_race_chip *chip);
// Marks the facts that the record's clocks have.
void tsr_race_mark_clocks(const struct tsr_race_record *record);

#endif
