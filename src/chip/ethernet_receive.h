// SPDX-License-Identifier: Apache-2.0
// The receiving half of an Ethernet tile.
#ifndef TESSERA_CHIP_ETHERNET_RECEIVE_H
#define TESSERA_CHIP_ETHERNET_RECEIVE_H

#include "chip/chip_state.h"

// The RX queue that such a frame finds on Wormhole, where the destination says it.
unsigned tsr_ethernet_receiver(const uint8_t *frame);
// Does what a frame that has come to the node asks for, and leaves the frame to the caller. False:
// its queue does not take any now.
bool tsr_ethernet_receive(struct tsr_node *node, const struct tsr_frame *frame);

#endif
