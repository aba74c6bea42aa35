// SPDX-License-Identifier: Apache-2.0
// Spells of windows on one host thread and on all of them take turns; those that turn out to be
// slower get rarer. Windows that are shorter than it takes threads to meet stay on one. What makes
// threads slow – short windows, tiles that are new, a host that is busy – need not be known.
#include "chip/pace.h"

enum {
    MEETING = 4000,   // nanoseconds of a window on one thread that are worth a meeting
    STARTING = 80000, // nanoseconds that starting and ending threads are thought to take, at first
    FIRST_SPELL = 8,
    LONGEST_SPELL = 256,
    LONGEST_REST = 4096,
    FORGOTTEN = 64, // the part of that which is forgotten with each call
    MOST_UNWATCHED = 15,
    RARER = 4, // times the rest, after a spell that was not worth it
    WORTH = 9, // tenths of the time on one thread that a spell may take
};

void tsr_pace_call(struct tsr_pace *pace, uint64_t windows)
{
    pace->left = windows;
    if (pace->start > STARTING) // which may have been by chance
        pace->start -= (pace->start - STARTING) / FORGOTTEN;
}

void tsr_pace_begin(struct tsr_pace *pace, unsigned threads, bool always)
{
    *pace = (struct tsr_pace){.threads = threads,
                              .always = always,
                              .start = STARTING,
                              .spell = FIRST_SPELL,
                              .length = FIRST_SPELL,
                              .rest = 1};
}

static bool pays(const struct tsr_pace *pace, unsigned tiles, bool running)
{
    uint64_t window = pace->alone * tiles;
    if (window < MEETING)
        return false;
    uint64_t most = UINT64_MAX / window, left = pace->left < most ? pace->left : most;
    return running || left * window / pace->threads > pace->start + pace->start / 2;
}

bool tsr_pace_next(struct tsr_pace *pace, unsigned tiles, bool running)
{
    if (pace->threads < 2 || tiles < 2)
        return false;
    if (pace->always)
        return true;
    if (pace->spell == 0 && !pace->together && pays(pace, tiles, running)) {
        pace->together = true;
        pace->spell = pace->length;
        pace->spent = pace->expected = 0;
    }
    return pace->together;
}

bool tsr_pace_watches(struct tsr_pace *pace, unsigned tiles)
{
    bool looks = pace->threads > 1 && tiles > 0 &&
                 (pace->together || pace->alone * tiles >= MEETING || pace->alone == 0 ||
                  pace->unwatched >= MOST_UNWATCHED);
    pace->unwatched = looks ? 0 : pace->unwatched + 1;
    return looks;
}

static void end_spell(struct tsr_pace *pace)
{
    bool worth = pace->spent * 10 <= pace->expected * WORTH;
    pace->together = false;
    if (worth) {
        pace->length = pace->length < LONGEST_SPELL ? 2 * pace->length : LONGEST_SPELL;
        pace->rest = 1;
    } else {
        pace->length = FIRST_SPELL;
        pace->rest = pace->rest < LONGEST_REST / RARER ? RARER * pace->rest : LONGEST_REST;
    }
    pace->spell = pace->rest;
}

void tsr_pace_took(struct tsr_pace *pace, unsigned tiles, bool together, uint64_t nanoseconds)
{
    pace->spell -= pace->spell > 0;
    if (together) {
        pace->spent += nanoseconds;
        pace->expected += pace->alone * tiles;
        // The rest of the spell cannot make up for it, or it is over.
        if (pace->spell == 0 || pace->spent > 2 * pace->length * pace->alone * tiles)
            end_spell(pace);
        return;
    }
    // The least counts most: tiles may be new, and another process may have had the processor.
    uint64_t tile = nanoseconds / tiles + 1;
    if (pace->alone == 0 || tile < pace->alone)
        pace->alone = tile;
    else
        pace->alone += ((tile < 2 * pace->alone ? tile : 2 * pace->alone) - pace->alone) / 8;
}

// Starting and ending take the same, so twice what one took; half of what was known stays.
void tsr_pace_threads_took(struct tsr_pace *pace, uint64_t nanoseconds)
{
    pace->start = (pace->start + 2 * nanoseconds) / 2;
}
