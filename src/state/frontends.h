// SPDX-License-Identifier: Apache-2.0
// What each thread's frontend holds: the FIFOs before the MOP expander, the replay expander and the
// wait gate, the expanders' memories, and where the thread waits. Pages: TensixFrontend diagram,
// MOPExpander.md, REPLAY.md.
#ifndef TESSERA_STATE_FRONTENDS_H
#define TESSERA_STATE_FRONTENDS_H

#include "base/fifo.h"

enum { TSR_MOP_WORDS = 9, TSR_REPLAY_WORDS = 32, TSR_RESOURCE_CLASSES = 16 };

// A MOP that is being expanded.
struct tsr_mop {
    bool active;
    bool template1;
    uint8_t phase; // of template 1: start, loop, end 0, end 1
    uint8_t step;  // of template 0: word of the iteration
    uint16_t outer, outer_count, inner, inner_count;
    uint32_t mask;       // template 0
    uint32_t loop, flip; // template 1: the loop's present word, and what turns it into the other
};

// The replay expander: its memory, and what it loads or plays now.
struct tsr_replay {
    uint32_t word[TSR_REPLAY_WORDS];
    uint64_t tag[TSR_REPLAY_WORDS];
    uint32_t push; // of the REPLAY that plays
    uint8_t load_left, load_index, play_left, play_index;
    bool forward;   // while loading
    uint8_t source; // of what it plays
};

struct tsr_frontend {
    struct tsr_fifo before_mop, before_replay, before_gate;
    uint32_t mop_config[TSR_MOP_WORDS];
    uint16_t mop_config_written;
    uint16_t mop_mask_high;
    struct tsr_mop mop;
    uint64_t mop_tag; // of the words that the MOP becomes
    struct tsr_replay replay;
    uint16_t resources[TSR_RESOURCE_CLASSES]; // of Auto TTSync's classes that were declared
    uint16_t declared;                        // a bit for each class
    uint64_t mop_idle_until;                  // cycle; the pause after a MOP
    uint64_t sequence;                        // instructions issued so far
    uint64_t reserved_reported; // sequence of the last instruction with reserved bits set
    uint64_t held_reported;     // and of the last one whose storage is held in soft reset
    uint64_t next_issue;        // cycle
    uint64_t next_expand;       // cycle
    uint64_t retry_at;          // cycle at which the gate tries the unit again; 0: none
    uint8_t reason;             // tsr_reason that the gate waits for
    uint32_t waits_word;        // the instruction that waits
    uint64_t waits_since;
    uint32_t in_flight; // accepted and not complete
    // With timing off: words beyond their depth that before_mop and before_replay may hold for the
    // FIFOs behind them, as found when they were full; 0 once a word has moved. `lent_all`: more
    // than that they cannot.
    uint8_t lent[2];
    bool lent_all[2];
};

static inline void tsr_lend_nothing(struct tsr_frontend *frontend)
{
    frontend->lent[0] = frontend->lent[1] = 0;
    frontend->lent_all[0] = frontend->lent_all[1] = false;
}

// Of the word that plays `index` words after the next one.
static inline uint64_t tsr_replay_tag(const struct tsr_replay *replay, unsigned index)
{
    uint64_t loaded = replay->tag[(replay->play_index + index) % TSR_REPLAY_WORDS];
    return tsr_tag((uint32_t)loaded | (uint64_t)replay->push << 32, replay->source);
}

static inline void tsr_replay_skip(struct tsr_replay *replay, unsigned count)
{
    replay->play_index = (uint8_t)((replay->play_index + count) % TSR_REPLAY_WORDS);
    replay->play_left = (uint8_t)(replay->play_left - count);
}

#endif
