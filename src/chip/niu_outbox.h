// SPDX-License-Identifier: Apache-2.0
// Requests that have not left their tile, and the counters that say how far they are.
// Page: NoC/Counters.md of each chip.
#ifndef TESSERA_CHIP_NIU_OUTBOX_H
#define TESSERA_CHIP_NIU_OUTBOX_H

#include "chip/noc_state.h"

// What happens by `now` to requests that have not left the tile: counters.
void tsr_niu_advance(const struct tsr_noc *noc, struct tsr_niu *niu, uint64_t now);
// NIU_MST_REQS_OUTSTANDING_ID of a transaction changes.
void tsr_niu_outstanding(struct tsr_niu *niu, unsigned transaction, int32_t by);
// Appends a packet to its sender's outbox. False: no memory.
bool tsr_niu_send(struct tsr_noc *noc, struct tsr_noc_packet *packet, uint64_t now);

#endif
