// SPDX-License-Identifier: Apache-2.0
// With timing on: what unpackers and the mover fetch from L1 and packers and the mover write to it
// now, and how fast; l1_traffic.c keeps it. Pages: UNPACR_Regular.md (Performance), L1.md (ports).
#ifndef TESSERA_STATE_L1_STREAMS_H
#define TESSERA_STATE_L1_STREAMS_H

#include "isa/isa.h"

struct tsr_l1_stream {
    uint64_t since; // the cycle from which `left` counts
    uint32_t left;  // bytes; of the mover, halves of the cycles that it needs alone
    uint16_t alone; // as many a cycle of a client that shares nothing
    uint16_t rate;  // as many a cycle now; 0: nothing goes on
    uint8_t speed;  // of unpackers: enum tsr_unpack_speed
};

struct tsr_l1_traffic {
    struct tsr_l1_stream stream[TSR_L1_CLIENTS];
    uint32_t going; // a bit for each client whose rate is not 0
};
_Static_assert(TSR_L1_CLIENTS <= 32, "tsr_l1_traffic.going");

#endif
