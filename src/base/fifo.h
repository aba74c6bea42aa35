// SPDX-License-Identifier: Apache-2.0
// A FIFO of Tensix words before a stage of a thread's frontend, each with where it came from.
// Pages: TensixFrontend diagram, BabyRISCV/PushTensixInstruction.md.
#ifndef TESSERA_BASE_FIFO_H
#define TESSERA_BASE_FIFO_H

#include <stdbool.h>
#include <stdint.h>

// TSR_FIFO_SPARE: who writes four words at a time may write that far behind the last.
enum { TSR_FIFO_MAX = 64, TSR_FIFO_SPARE = 3 };

// Where a queued word came from, for Auto TTSync; a MOP's words stay so after a REPLAY.
enum tsr_word_source { TSR_FROM_CORE = 0, TSR_FROM_MOP, TSR_FROM_REPLAY, TSR_FROM_B };

// What goes along with a word: its source, and above that the program counter of the instruction
// that pushed it, or the MOP that it comes from; 0: not known. The upper half is what those who
// look for races gave to the push (base/race_events.h), else 0.
enum { TSR_TAG_SOURCE = 3 };
static inline uint64_t tsr_tag(uint64_t from, uint32_t source)
{
    return (from & ~(uint64_t)TSR_TAG_SOURCE) | source;
}
static inline uint32_t tsr_tag_pc(uint64_t tag)
{
    return (uint32_t)tag & ~(uint32_t)TSR_TAG_SOURCE;
}

// With timing off those before the expanders may hold what those behind them have room for.
struct tsr_fifo {
    uint32_t word[TSR_FIFO_MAX + TSR_FIFO_SPARE];
    uint64_t tag[TSR_FIFO_MAX + TSR_FIFO_SPARE];
    uint8_t first, count;
};

// There is room.
static inline void tsr_fifo_append(struct tsr_fifo *fifo, uint32_t word, uint64_t tag)
{
    unsigned at = ((unsigned)fifo->first + fifo->count) % TSR_FIFO_MAX;
    fifo->word[at] = word;
    fifo->tag[at] = tag;
    fifo->count++;
}

static inline bool tsr_fifo_push_from(struct tsr_fifo *fifo, unsigned depth, uint32_t word,
                                      uint64_t tag)
{
    if (fifo->count >= depth)
        return false;
    tsr_fifo_append(fifo, word, tag);
    return true;
}

// How many of `count` words a FIFO takes that holds `held`, `together` at a time, all of them
// while it holds less than `depth`.
static inline unsigned tsr_fifo_takes(unsigned held, unsigned depth, unsigned count,
                                      unsigned together)
{
    unsigned room = held < depth ? depth - held : 0;
    if (together > 1)
        room = (room + together - 1) / together * together;
    return count < room ? count : room;
}

// There is room; the tags are `step` apart.
static inline void tsr_fifo_push_row(struct tsr_fifo *fifo, const uint32_t *words, unsigned count,
                                     uint64_t tag, uint32_t step)
{
    unsigned at = (unsigned)fifo->first + fifo->count;
    for (unsigned i = 0; i < count; i++, at++, tag += step) {
        fifo->word[at % TSR_FIFO_MAX] = words[i];
        fifo->tag[at % TSR_FIFO_MAX] = tag;
    }
    fifo->count = (uint8_t)(fifo->count + count);
}

static inline bool tsr_fifo_push(struct tsr_fifo *fifo, unsigned depth, uint32_t word)
{
    return tsr_fifo_push_from(fifo, depth, word, TSR_FROM_CORE);
}

static inline uint64_t tsr_fifo_front_tag(const struct tsr_fifo *fifo)
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

#endif
