// SPDX-License-Identifier: Apache-2.0
// A stream that takes messages from other streams of its overlay.
// Page: WormholeB0/NoC/Overlay/Gather.md.
#ifndef TESSERA_CHIP_STREAM_GATHER_H
#define TESSERA_CHIP_STREAM_GATHER_H

#include "chip/stream_state.h"

// Takes one message from the stream whose turn it is. True: there was one, and room.
bool tsr_stream_gather(struct tsr_noc_node *node, struct tsr_stream *stream);

#endif
