// SPDX-License-Identifier: Apache-2.0
// A request over the NoC, as those who look for races are told of it. Pages: NoC/MemoryMap.md,
// NoC/Ordering.md.
#ifndef TESSERA_OBSERVE_RACE_REQUEST_H
#define TESSERA_OBSERVE_RACE_REQUEST_H

#include "base/race_events.h"

enum tsr_race_request_kind {
    TSR_RACE_NOC_READ,
    TSR_RACE_NOC_WRITE,
    TSR_RACE_NOC_ATOMIC,
    TSR_RACE_NOC_KINDS
};

// A request as its tile sends it. `channel` is the same for requests that take one virtual channel
// all the way, by the same tree if they are broadcasts; 0: hardware chooses.
struct tsr_race_request {
    uint16_t node, to; // its tile, and its receiver or one of them
    uint8_t kind, noc, transaction;
    uint8_t agent;  // a tsr_core, TSR_AGENT_HOST, or TSR_AGENT_TENSIX + thread
    uint8_t stream; // 1 more than the stream of the overlay that sends it; 0: none
    bool broadcast, linked;
    bool marked;   // with a response, to whomever
    bool answered; // with a response to the tile itself
    bool flag;     // it writes at most 16 bytes, at once, so that a core that sees them knows
    bool has_pc;
    uint32_t at;
    uint32_t channel;
    uint32_t parts; // packets, times receivers
};

// Whose releases it carries: those of its agent, or of its stream.
enum { TSR_RACE_STREAM_SENDERS = 0x40 };
static inline unsigned tsr_race_sender_of(const struct tsr_race_request *request)
{
    return request->stream ? TSR_RACE_STREAM_SENDERS + request->stream - 1u : request->agent;
}

// What a receiver's counters count apart (NIU_SLV_…).
enum tsr_race_class {
    TSR_RACE_CLASS_READ,
    TSR_RACE_CLASS_WRITE,
    TSR_RACE_CLASS_POSTED_WRITE,
    TSR_RACE_CLASS_ATOMIC,
    TSR_RACE_CLASS_POSTED_ATOMIC,
    TSR_RACE_CLASSES
};
static inline unsigned tsr_race_class_of(const struct tsr_race_request *request)
{
    return request->kind == TSR_RACE_NOC_READ    ? TSR_RACE_CLASS_READ
           : request->kind == TSR_RACE_NOC_WRITE ? TSR_RACE_CLASS_WRITE + !request->marked
                                                 : TSR_RACE_CLASS_ATOMIC + !request->marked;
}

// A request's part in an access.
enum tsr_race_role {
    TSR_RACE_AT_TARGET,
    TSR_RACE_AT_SOURCE, // the data of a write, out of the tile's own memory
    TSR_RACE_AT_RETURN  // a response, into memory
};

#endif
