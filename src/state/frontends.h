// SPDX-License-Identifier: Apache-2.0
// What each thread's frontend holds: the FIFOs before the MOP expander, the replay expander and the
// wait gate, the expanders' memories, and where the thread waits. Pages: TensixFrontend diagram,
// MOPExpander.md, REPLAY.md.
#ifndef TESSERA_STATE_FRONTENDS_H
#define TESSERA_STATE_FRONTENDS_H

#include <stdbool.h>
#include <stdint.h>

enum { TSR_FIFO_MAX = 64, TSR_MOP_WORDS = 9, TSR_REPLAY_WORDS = 32, TSR_RESOURCE_CLASSES = 16 };

// Where a queued word came from, for Auto TTSync; a MOP's words stay so after a REPLAY.
enum tsr_word_source { TSR_FROM_CORE = 0, TSR_FROM_MOP, TSR_FROM_REPLAY, TSR_FROM_B };

// What goes along with a word: its source, and above that the program counter of the instruction
// that pushed it, or the MOP that it comes from; 0: not known.
enum { TSR_TAG_SOURCE = 3 };
static inline uint32_t tsr_tag(uint32_t pc, uint32_t source)
{
    return (pc & ~(uint32_t)TSR_TAG_SOURCE) | source;
}

// With timing off the one before the MOP expander may hold what those behind it have room for.
struct tsr_fifo {
    uint32_t word[TSR_FIFO_MAX];
    uint32_t tag[TSR_FIFO_MAX];
    uint8_t first, count;
};

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
    uint32_t word[TSR_REPLAY_WORDS], tag[TSR_REPLAY_WORDS];
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
    uint32_t mop_tag; // of the words that the MOP becomes
    struct tsr_replay replay;
    uint16_t resources[TSR_RESOURCE_CLASSES]; // of Auto TTSync's classes that were declared
    uint16_t declared;                        // a bit for each class
    uint64_t mop_idle_until;                  // cycle; the pause after a MOP
    uint64_t sequence;                        // instructions issued so far
    uint64_t reserved_reported; // sequence of the last instruction with reserved bits set
    uint64_t next_issue;        // cycle
    uint64_t next_expand;       // cycle
    uint64_t retry_at;          // cycle at which the gate tries the unit again; 0: none
    uint8_t reason;             // tsr_reason that the gate waits for
    uint32_t waits_word;        // the instruction that waits
    uint64_t waits_since;
    uint32_t in_flight; // accepted and not complete
    // With timing off: words beyond its depth that before_mop may hold for the FIFOs behind it, as
    // found when it was full; 0 once a word has moved.
    uint8_t lent;
};

static inline bool tsr_fifo_push_from(struct tsr_fifo *fifo, unsigned depth, uint32_t word,
                                      uint32_t tag)
{
    if (fifo->count >= depth)
        return false;
    unsigned at = ((unsigned)fifo->first + fifo->count) % TSR_FIFO_MAX;
    fifo->word[at] = word;
    fifo->tag[at] = tag;
    fifo->count++;
    return true;
}

static inline bool tsr_fifo_push(struct tsr_fifo *fifo, unsigned depth, uint32_t word)
{
    return tsr_fifo_push_from(fifo, depth, word, TSR_FROM_CORE);
}

static inline uint32_t tsr_fifo_front_tag(const struct tsr_fifo *fifo)
{
    return fifo->tag[fifo->first];
}

static inline uint32_t tsr_fifo_front(const struct tsr_fifo *fifo)
{
    return fifo->word[fifo->first];
}

// An empty one begins at its start again: what comes next lies in one piece.
static inline void tsr_fifo_drop(struct tsr_fifo *fifo, unsigned count)
{
    fifo->count = (uint8_t)(fifo->count - count);
    fifo->first = (uint8_t)(fifo->count > 0 ? (fifo->first + count) % TSR_FIFO_MAX : 0);
}

static inline void tsr_fifo_pop(struct tsr_fifo *fifo)
{
    tsr_fifo_drop(fifo, 1);
}

// Of the word that plays `ahead` words after the next one.
static inline uint32_t tsr_replay_tag(const struct tsr_replay *replay, unsigned ahead)
{
    return tsr_tag(replay->tag[(replay->play_index + ahead) % TSR_REPLAY_WORDS], replay->source);
}

static inline void tsr_replay_skip(struct tsr_replay *replay, unsigned count)
{
    replay->play_index = (uint8_t)((replay->play_index + count) % TSR_REPLAY_WORDS);
    replay->play_left = (uint8_t)(replay->play_left - count);
}

#endif
