// SPDX-License-Identifier: Apache-2.0
// Feeding threads. A push beyond a full FIFO would make a core wait, so pushing and running
// alternate. With timing off the tile takes one step between two attempts, so that a FIFO is filled
// up as soon as words leave it, and no thread falls behind another because its words come late.
// With timing on one word leaves a FIFO in a cycle, and what stands behind the first is not seen:
// the tile runs on while no FIFO can be empty. Page: PushTensixInstruction.md.
#include "run/program_run.h"

// Rounds of the engine, and words of a thread, between two questions whether to give up.
enum { SLICE = 1 << 16, WORDS = 1 << 20 };
// A full FIFO holds as many words, or more.
enum { WORDS_AHEAD = 16 };

struct feeder {
    const struct run_order *order;
    struct run_end result;
    uint64_t rounds;
};

static bool words_left(const struct feeder *feeder)
{
    for (int i = 0; i < TSR_THREADS; i++)
        if (feeder->result.pushed[i] < feeder->order->program->threads[i].count)
            return true;
    return false;
}

// The number of words that found room.
static size_t push_words(struct feeder *feeder)
{
    size_t pushed = 0;

    for (int i = 0; i < TSR_THREADS; i++) {
        const struct ttasm_stream *stream = &feeder->order->program->threads[i];
        size_t *next = &feeder->result.pushed[i];
        while (*next < stream->count &&
               tsr_push(feeder->order->tile, i, stream->words[*next]) == TSR_OK) {
            ++*next;
            pushed++;
        }
    }
    return pushed;
}

static void show_progress(const struct feeder *feeder)
{
    size_t pushed = 0, all = 0;

    if (!feeder->order->progress || feeder->rounds % 4096 != 0)
        return;
    for (int i = 0; i < TSR_THREADS; i++) {
        pushed += feeder->result.pushed[i];
        all += feeder->order->program->threads[i].count;
    }
    fprintf(stderr, "\r%3zu %% of %zu words, cycle %llu ", all == 0 ? 100 : 100 * pushed / all, all,
            (unsigned long long)tsr_cycle(feeder->order->tile));
}

static tsr_limits limits_now(const struct feeder *feeder)
{
    const struct run_order *order = feeder->order;
    tsr_limits limits = tsr_limits_default();

    limits.break_thread = order->break_thread;
    limits.break_sequence = order->break_sequence;
    limits.break_cycle = order->break_cycle;
    if (order->max_cycles != 0)
        limits.max_cycles = order->max_cycles - tsr_cycle(order->tile);
    return limits;
}

static bool out_of_cycles(const struct feeder *feeder)
{
    return feeder->order->max_cycles != 0 &&
           tsr_cycle(feeder->order->tile) >= feeder->order->max_cycles;
}

static bool gives_up(struct feeder *feeder)
{
    if (feeder->order->stop != NULL && feeder->order->stop())
        feeder->result.given_up = true;
    return feeder->result.given_up;
}

// One tsr_run(), but that it can be given up on the way.
static tsr_end run_on(struct feeder *feeder, bool external, uint64_t max_steps)
{
    tsr_limits limits;
    tsr_end end;

    do {
        limits = limits_now(feeder);
        limits.external = external;
        limits.max_steps = max_steps != 0 ? max_steps : SLICE;
        limits.max_words = WORDS;
        end = tsr_run(feeder->order->tile, &limits);
    } while (!gives_up(feeder) &&
             (end == TSR_END_WORDS ||
              (max_steps == 0 && end == TSR_END_TIMEOUT && !out_of_cycles(feeder))));
    return end;
}

// As far as the words that are pushed already go.
static tsr_end run_ahead(struct feeder *feeder)
{
    if (!feeder->order->timing)
        return run_on(feeder, true, 1);
    tsr_limits limits = limits_now(feeder);
    limits.external = limits.ends_blocked = true;
    if (limits.max_cycles == 0 || limits.max_cycles > WORDS_AHEAD)
        limits.max_cycles = WORDS_AHEAD;
    tsr_end end = tsr_run(feeder->order->tile, &limits);
    gives_up(feeder);
    return end;
}

// True if the program is over, or can go no further.
static bool feed(struct feeder *feeder, tsr_end *end)
{
    while (words_left(feeder)) {
        size_t pushed = push_words(feeder);
        if (!words_left(feeder))
            return false;
        feeder->rounds++;
        show_progress(feeder);
        *end = run_ahead(feeder);
        if (*end == TSR_END_STOPPED || *end == TSR_END_BREAK || *end == TSR_END_DEADLOCK ||
            feeder->result.given_up)
            return true;
        if (out_of_cycles(feeder)) {
            *end = TSR_END_TIMEOUT;
            return true;
        }
        // Full FIFOs and a tile that does not move: what waits for words will not get any.
        if (pushed == 0 && *end == TSR_END_BLOCKED) {
            *end = run_on(feeder, false, 1);
            if (*end != TSR_END_TIMEOUT)
                return true;
        }
    }
    return false;
}

struct run_end program_run(const struct run_order *order)
{
    struct feeder feeder = {.order = order};
    tsr_end end = TSR_END_IDLE;

    if (!feed(&feeder, &end)) {
        if (out_of_cycles(&feeder))
            end = TSR_END_TIMEOUT;
        else
            end = run_on(&feeder, false, 0);
    }
    if (order->progress)
        fputs("\r\033[K", stderr);
    feeder.result.end = end;
    return feeder.result;
}
