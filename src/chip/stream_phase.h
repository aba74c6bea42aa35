// SPDX-License-Identifier: Apache-2.0
// The state machine of a stream. Page: WormholeB0/NoC/Overlay/README.md.
#ifndef TESSERA_CHIP_STREAM_PHASE_H
#define TESSERA_CHIP_STREAM_PHASE_H

#include "chip/stream_state.h"

// Starts the phase of a stream that waits for that.
void tsr_stream_start(struct tsr_noc_node *node, struct tsr_stream *stream);
// What needs no other tile and no other stream, at once after a store.
void tsr_stream_settle(struct tsr_noc_node *node, struct tsr_stream *stream);
// The end of a window: all streams of a node go as far as they can. False: one of them could go on
// for ever, and does so at the end of the next window.
bool tsr_streams_advance(struct tsr_noc_node *node);
// A packet for a stream has come, with `words` of a message, perhaps its last ones.
void tsr_stream_arrived(struct tsr_noc_node *node, unsigned id, uint32_t words, bool last);
// The same over an Ethernet link, whose queue says where headers have a message's length. False:
// there is no such stream.
bool tsr_stream_arrived_over_link(struct tsr_noc_node *node, unsigned id, uint32_t words, bool last,
                                  uint32_t format);
// The other end of a link has the oldest message that the stream has sent.
void tsr_stream_was_read(struct tsr_noc_node *node, unsigned id);

#endif
