// SPDX-License-Identifier: Apache-2.0
// Who did something, for findings: an instruction of a thread, or a core's access.
#ifndef TESSERA_STATE_ORIGIN_H
#define TESSERA_STATE_ORIGIN_H

#include "state/inflight.h"

enum tsr_origin_kind { TSR_ORIGIN_NONE = 0, TSR_ORIGIN_THREAD, TSR_ORIGIN_CORE };

struct tsr_origin {
    uint8_t kind;
    uint8_t which;     // thread or tsr_core
    uint16_t gap;      // 0, so that equal origins have equal bytes
    uint32_t word;     // of an instruction
    uint64_t sequence; // of its thread
};

static inline struct tsr_origin tsr_origin_of(const struct tsr_inflight *inst)
{
    return (struct tsr_origin){.kind = TSR_ORIGIN_THREAD,
                               .which = inst->thread,
                               .word = inst->word,
                               .sequence = inst->sequence};
}

static inline struct tsr_origin tsr_origin_of_core(int core)
{
    return (struct tsr_origin){.kind = TSR_ORIGIN_CORE, .which = (uint8_t)core};
}

#endif
