// SPDX-License-Identifier: Apache-2.0
// What a stream does with messages inside its tile: from the header array into the metadata FIFO,
// out of it, and the room of the receive buffer.
// Pages: WormholeB0/NoC/Overlay/ReceiveFromSoftware.md, TransmitToSoftware.md.
#ifndef TESSERA_CHIP_STREAM_MESSAGES_H
#define TESSERA_CHIP_STREAM_MESSAGES_H

#include "chip/stream_state.h"

// `by` words behind a place in a buffer of `size` words.
uint32_t tsr_stream_step(uint32_t at, uint32_t by, uint32_t size);

// Messages whose headers are in the header array, and `words` of the receive buffer.
void tsr_stream_push_headers(struct tsr_stream *stream, uint32_t messages, uint32_t words);
// STREAM_SOURCE_ENDPOINT_NEW_MSG_INFO.
void tsr_stream_push_message(struct tsr_noc_node *node, struct tsr_stream *stream, uint32_t stored);
// Loads headers while the metadata FIFO has room. True: some.
bool tsr_stream_refill(struct tsr_noc_node *node, struct tsr_stream *stream);

// The message that has come in part, if it is the next one, and is longer than the receive buffer.
bool tsr_stream_incoming(struct tsr_noc_node *node, const struct tsr_stream *stream,
                         struct tsr_message *message);
// Room of `words` at the front of the receive buffer that are not needed any more.
void tsr_stream_free_words(struct tsr_stream *stream, uint32_t words);
// Moves `count` messages from the metadata FIFO to one entry of the L1 read complete FIFO. False:
// that one is full.
bool tsr_stream_pop(const struct tsr_noc_node *node, struct tsr_stream *stream, unsigned count);
// Gives the room of the oldest entry of the L1 read complete FIFO back. True: there was one.
bool tsr_stream_release(struct tsr_noc_node *node, struct tsr_stream *stream);

// Messages of this phase that have been received and not transmitted.
unsigned tsr_stream_available(const struct tsr_stream *stream);
uint32_t tsr_stream_room(const struct tsr_stream *stream); // STREAM_BUF_SPACE_AVAILABLE
// A word of STREAM_RECEIVER_ENDPOINT_MSG_INFO.
uint32_t tsr_stream_info(const struct tsr_noc_node *node, const struct tsr_stream *stream,
                         unsigned at);

#endif
