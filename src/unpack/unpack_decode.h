// SPDX-License-Identifier: Apache-2.0
// What an UNPACR's word asks for. The page's names stand in brackets where they differ.
// Page: UNPACR_Regular.md.
#ifndef TESSERA_UNPACK_UNPACK_DECODE_H
#define TESSERA_UNPACK_UNPACK_DECODE_H

#include "state/state.h"
#include "unpack/unpack_anomalies.h"

enum { TSR_UNPACK_CONTEXTS = 8 };

struct tsr_unpack_plan;

struct tsr_unpack_operands {
    // What the word says, kept for the next instruction with the same word.
    uint32_t word;                   // 0: nothing was read yet
    uint8_t unpacker;                // [WhichUnpacker]
    uint8_t context_number;          // [ContextNumber]
    uint8_t increments;              // Ch1Y, Ch1Z, Ch0Y, Ch0Z: two bits each, from the top
    bool multi_context;              // [MultiContextMode]
    bool counts_contexts;            // [UseContextCounter]
    bool own_adc;                    // the thread's, and not another's by number
    bool all_zero;                   // [AllDatumsAreZero]
    bool flip;                       // [FlipSrc]
    bool row_search;                 // [RowSearch]
    bool broadcasts;                 // Blackhole's srcb_bcast
    bool flushes_cache, only_counts; // the two small variants
    bool plain;                      // datums, and nothing unusual (unpack_plain.h)
    tsr_unpack_anomalies word_anomalies;
    // What comes with the instruction that has the word now.
    uint8_t thread, state_id;
    uint8_t context; // [WhichContext]
    uint8_t adc;     // [WhichADC]
    tsr_unpack_anomalies anomalies;
    // Of a word without anomalies: its plan, NULL in others, and tsr_config.changes when that was
    // found.
    struct tsr_unpack_plan *current;
    uint64_t changes;
};

// The unpacker's last word was this one of the same thread, and no configuration has changed since:
// its operands and its plan are the same.
static inline bool tsr_unpack_goes_on(const struct tsr_env *env, uint32_t word, int thread,
                                      const struct tsr_unpack_operands *operands)
{
    return operands->current && operands->word == word && operands->thread == thread &&
           operands->changes == env->state->config.changes;
}

// Fills `operands`, which hold the word that the unpacker got before.
void tsr_unpack_decode(const struct tsr_env *env, const struct tsr_inflight *inst,
                       struct tsr_unpack_operands *operands);

#endif
