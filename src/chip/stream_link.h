// SPDX-License-Identifier: Apache-2.0
// What streams send each other over the NoC: messages, handshakes, room in the receive buffer.
// Pages: WormholeB0/NoC/Overlay/TransferBetweenTiles.md, TransmitToDRAMBuffer.md.
#ifndef TESSERA_CHIP_STREAM_LINK_H
#define TESSERA_CHIP_STREAM_LINK_H

#include "chip/stream_state.h"

// At the start of a phase, and again for who asks.
void tsr_stream_say_ready(struct tsr_noc_node *node, struct tsr_stream *stream);
// Whether all receivers are ready for this phase; asks them once.
bool tsr_stream_receivers_ready(struct tsr_noc_node *node, struct tsr_stream *stream);
// STREAM_DEST_PHASE_READY_UPDATE.
void tsr_stream_note_ready(struct tsr_stream *stream, uint32_t stored);

// Whether the receive buffer is too small for the message that comes, where that is a finding.
void tsr_stream_check_buffer(struct tsr_noc_node *node, struct tsr_stream *stream);
// Sends the oldest message if all receivers have room. True: it is on its way.
bool tsr_stream_transmit(struct tsr_noc_node *node, struct tsr_stream *stream);
// All that was sent has left the receivers' buffers, or nobody says when it does.
bool tsr_stream_all_taken(const struct tsr_noc_node *node, const struct tsr_stream *stream);
// Tells the source what was freed, once it is enough or `all` has come.
void tsr_stream_give_room(struct tsr_noc_node *node, struct tsr_stream *stream, bool all);

#endif
