// SPDX-License-Identifier: Apache-2.0
// What an initiator's registers ask for.
// Page: NoC/MemoryMap.md of each chip.
#ifndef TESSERA_CHIP_NIU_DECODE_H
#define TESSERA_CHIP_NIU_DECODE_H

#include "chip/noc_state.h"

struct tsr_niu_request {
    // As the first packet will be. Places are translated. With a length the packet's is the whole
    // request's.
    struct tsr_noc_packet packet;
    uint32_t control, tag;
    uint64_t length;                // of a read, or of a write that has one
    uint64_t source;                // of a write that is not inline: an address of the tile
    uint32_t targ_place, ret_place; // as they are to be written back: translated
    unsigned virtual_channel;       // with NOC_CMD_VC_STATIC
};

void tsr_niu_decode(const struct tsr_noc_node *node, int which, unsigned initiator,
                    struct tsr_niu_request *request);
// 1 more than the virtual channel that software has chosen; 0: it chooses none.
unsigned tsr_niu_chosen_channel(const struct tsr_niu_request *request);
// The address that NOC_TARG_ADDR or NOC_RET_ADDR has moves on. `low`: the register of its low half.
void tsr_niu_step_address(const struct tsr_noc *noc, uint32_t *words, enum tsr_noc_initiator low,
                          uint32_t by);
// Puts a translated place back into the registers.
void tsr_niu_put_place(const struct tsr_noc *noc, uint32_t *words, enum tsr_noc_initiator low,
                       uint32_t place);

#endif
