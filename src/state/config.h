// SPDX-License-Identifier: Apache-2.0
// Backend configuration: both banks, the threads' words, what was ever written, and the
// generations that plans are keyed by. config_access.c has the one way to write it.
// Page: BackendConfiguration.md of each chip.
#ifndef TESSERA_STATE_CONFIG_H
#define TESSERA_STATE_CONFIG_H

#include "base/bits.h"
#include "isa/isa.h"
#include "state/chip_traits.h"

enum { TSR_CONFIG_WORDS = 224, TSR_THREAD_CONFIG_WORDS = 68 };

struct tsr_config {
    uint32_t bank[2][TSR_CONFIG_WORDS];         // unbanked words are equal in both
    uint32_t bank_written[2][TSR_CONFIG_WORDS]; // a bit for each bit
    uint16_t thread[TSR_THREADS][TSR_THREAD_CONFIG_WORDS];
    uint16_t thread_written[TSR_THREADS][TSR_THREAD_CONFIG_WORDS];
    uint32_t bank_generation[2][PLAN_COUNT];
    uint32_t thread_generation[TSR_THREADS][PLAN_COUNT];
    uint64_t changes; // how often any word changed, or was written for the first time
    uint64_t stale;   // how often any generation rose
    // What writes with an immediate effect recorded, for those that read it later.
    uint32_t prng_seed;     // last value written to PRNG_SEED
    uint32_t prng_seedings; // how often it was
    uint8_t icache_invalid; // cores whose instruction caches were invalidated: a bit for each
};

// One writer; `cycle_plus_1` is 0 in a cleared record: none yet.
struct tsr_config_writer {
    uint64_t cycle_plus_1;
    uint64_t sequence; // of the thread's instructions; 0: a core's store
    uint32_t word;
    uint8_t who; // thread of an instruction, else the agent of an access (base/port.h)
};

// By field and by instance: the bank or the thread; unbanked fields have equal records in 0 and 1.
struct tsr_config_writers {
    struct tsr_config_writer of[TSR_THREADS][FIELD_COUNT];
};

// Which bits of each word belong to which plan group, and to any but NONE; derived from the fields'
// rows.
struct tsr_plan_masks {
    uint32_t bank[TSR_CONFIG_WORDS][PLAN_COUNT];
    uint32_t thread[TSR_THREAD_CONFIG_WORDS][PLAN_COUNT];
    uint32_t bank_any[TSR_CONFIG_WORDS], thread_any[TSR_THREAD_CONFIG_WORDS];
};

static inline uint32_t tsr_config_get(const struct tsr_config *config, const struct tsr_isa *isa,
                                      int state_id, enum tsr_field field)
{
    const struct tsr_field_place *place = &isa->field[field];
    return tsr_bits(config->bank[state_id][place->addr32], place->first_bit, place->width);
}

static inline uint32_t tsr_thread_config_get(const struct tsr_config *config,
                                             const struct tsr_isa *isa, int thread,
                                             enum tsr_field field)
{
    const struct tsr_field_place *place = &isa->field[field];
    return tsr_bits(config->thread[thread][place->addr32], place->first_bit, place->width);
}

#endif
