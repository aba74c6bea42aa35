// SPDX-License-Identifier: Apache-2.0
// The sending half of an Ethernet tile: commands become packets, packets become frames.
#ifndef TESSERA_CHIP_ETHERNET_SEND_H
#define TESSERA_CHIP_ETHERNET_SEND_H

#include "chip/ethernet_queue_state.h"

enum tsr_txq_command { ETH_TXQ_CMD_RAW = 1, ETH_TXQ_CMD_L1 = 2, ETH_TXQ_CMD_MMIO = 4 };
enum { TSR_RESENDS = 16 }; // in vain, until somebody hears of it

// The queue takes a command, which has been checked, at cycle `now`.
void tsr_ethernet_command(struct tsr_ethernet_queues *queues, unsigned queue, unsigned command,
                          uint64_t now);
// Everything that is due by cycle `now`: counters, the end of a command, what time-outs ask for.
// True: a command that was held has moved.
bool tsr_ethernet_advance(struct tsr_ethernet_queues *queues, uint64_t now);
// What the overlay wants to send. False: no memory.
bool tsr_ethernet_send_piece(struct tsr_ethernet_queues *queues,
                             const struct tsr_overlay_piece *piece, uint64_t now);
void tsr_overlay_pieces_drop(struct tsr_ethernet_queues *queues); // all of them
// Whether and how often updates go has just changed: none goes late for a time before `now`.
void tsr_ethernet_update_from(struct tsr_ethernet_queues *queues, unsigned queue, uint64_t now);
// The other side expects this sequence number: it has those before it. `dropped`: and says that it
// has lost one.
void tsr_ethernet_acknowledge(struct tsr_ethernet_queues *queues, unsigned queue, uint8_t expects,
                              bool dropped, uint64_t now);
// Whether the queue's command goes on without anybody's help.
bool tsr_ethernet_moves(const struct tsr_ethernet_queues *queues, unsigned queue);
// When a counter of packets counts next if nobody does anything; UINT64_MAX: never.
uint64_t tsr_ethernet_counts_at(const struct tsr_ethernet_queues *queues);
// When the next update goes if nothing else does; UINT64_MAX: never.
uint64_t tsr_ethernet_next_update(const struct tsr_ethernet_queues *queues);
// Whether anything is to be sent, or sent again, that says something new.
bool tsr_ethernet_sends(const struct tsr_ethernet_queues *queues);
// Notes what an access has found. Only the first TSR_ETHERNET_FAULTS are kept until somebody takes
// them.
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void
tsr_ethernet_fault(struct tsr_ethernet_queues *queues, enum tsr_finding code, uint32_t address,
                   const char *format, ...);

// `frame` belongs to the list from here on. False: no memory, and it is freed.
bool tsr_frames_push(struct tsr_frames *frames, const struct tsr_frame *frame);
struct tsr_frame tsr_frames_pop(struct tsr_frames *frames);
void tsr_frames_drop(struct tsr_frames *frames); // all of them

#endif
