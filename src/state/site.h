// SPDX-License-Identifier: Apache-2.0
// Who did something, for findings: an instruction of a thread, or a core's access.
#ifndef TESSERA_STATE_SITE_H
#define TESSERA_STATE_SITE_H

#include "state/flight.h"

enum tsr_site_kind { TSR_SITE_NONE = 0, TSR_SITE_THREAD, TSR_SITE_CORE };

struct tsr_site {
    uint8_t kind;
    uint8_t which;     // thread or tsr_core
    uint32_t word;     // of an instruction
    uint64_t sequence; // of its thread
};

static inline struct tsr_site tsr_site_of(const struct tsr_flight *flight)
{
    return (struct tsr_site){.kind = TSR_SITE_THREAD,
                             .which = flight->thread,
                             .word = flight->word,
                             .sequence = flight->sequence};
}

static inline struct tsr_site tsr_site_of_core(int core)
{
    return (struct tsr_site){.kind = TSR_SITE_CORE, .which = (uint8_t)core};
}

#endif
