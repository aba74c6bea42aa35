// SPDX-License-Identifier: Apache-2.0
// The performance counters: five banks, each started and stopped as a whole; which counter its
// output shows is chosen afterwards. They count what the run report counts. No page describes them;
// tt-llk's counters.h and docs/performance_counters do.
#include "tile/map_counters.h"

#include "frontend/events.h"
#include "frontend/wait_gate.h"

#include <stdio.h>

enum bank {
#define PERF_BANK(name, registers, outputs) BANK_##name,
#include "machine/perf_counters.def"
    BANKS
};

static const struct {
    const char *name;
    uint16_t registers, outputs;
} banks[BANKS] = {
#define PERF_BANK(name, registers, outputs) {#name, registers, outputs},
#include "machine/perf_counters.def"
};

// What a counter counts, of the thread, unit or reason that its row has as `index`.
enum what {
    ISSUED,
    STALLED,
    WAITED,
    BUSY,
    STARTED,
    AVAILABLE_0,
    AVAILABLE_1,
    AVAILABLE_2,
    AVAILABLE,
    BUSY_OF_0,
    BUSY_OF_1,
    COMPUTE,
    HELD_0,
    HELD_1,
    HELD_2,
    HELD
};

static const struct {
    uint8_t bank, what, index;
    uint16_t number;
} counters[] = {
#define PERF_COUNTER(bank, number, name, what, index) {BANK_##bank, what, index, number},
#include "machine/perf_counters.def"
};

_Static_assert((int)BANKS == (int)TSR_PERF_BANKS &&
                   sizeof counters / sizeof *counters <= TSR_PERF_COUNTERS,
               "the state has room for them");

// Registers of a bank: reference period, mode with the chosen counter, start and stop.
enum { PERIOD = 0, MODE = 4, CONTROL = 8, START = 1, STOP = 2 };
enum { ALL = 0x03c };
enum { REFERENCE_PERIOD = 1, NO_REFERENCE = 2 }; // 0: continuous

// The cycles that the matrix unit and the vector unit have worked, without those to come of what
// they have accepted.
static uint64_t compute_busy(const struct tsr_state *state)
{
    uint64_t until = state->queues.compute_until;
    return state->queues.compute_busy - (until > state->now ? until - state->now : 0);
}

static uint64_t value_of(const struct tsr_engine *engine, const tsr_run_report *tally,
                         size_t counter)
{
    enum what what = (enum what)counters[counter].what;
    unsigned index = counters[counter].index;
    uint64_t sum = 0;
    switch (what) {
    case ISSUED:
        return tally->issued[index];
    case STALLED:
        for (unsigned reason = 0; reason < TSR_REASON_COUNT; reason++)
            if (reason != TSR_REASON_NONE && reason != TSR_REASON_EMPTY)
                sum += tally->waited[index][reason];
        return sum;
    case WAITED:
        for (unsigned thread = 0; thread < TSR_THREADS; thread++)
            sum += tally->waited[thread][index];
        return sum;
    case BUSY:
        return tally->unit_busy[index];
    case AVAILABLE_0:
    case AVAILABLE_1:
    case AVAILABLE_2:
        return tally->available[what - AVAILABLE_0][index];
    case AVAILABLE:
        for (unsigned thread = 0; thread < TSR_THREADS; thread++)
            sum += tally->available[thread][index];
        return sum;
    case BUSY_OF_0:
    case BUSY_OF_1:
        return tally->thread_busy[index][what - BUSY_OF_0];
    case COMPUTE:
        return compute_busy(engine->env.state);
    case HELD_0:
    case HELD_1:
    case HELD_2:
        return engine->wait_counts.cycles[what - HELD_0][index];
    case HELD:
        for (unsigned thread = 0; thread < TSR_THREADS; thread++)
            sum += engine->wait_counts.cycles[thread][index];
        return sum;
    case STARTED:
        return tally->unit_instructions[index];
    }
    return sum;
}

// Waits that still go on count up to now.
static tsr_run_report tally_now(struct tsr_engine *engine)
{
    tsr_wait_counts_add(engine);
    tsr_run_report tally = engine->tally;
    for (int thread = 0; thread < TSR_THREADS; thread++)
        tsr_add_waited(engine, thread, &tally);
    return tally;
}

// The bank begins to count, or ends: its numbers are those at the begin, or what has come since.
static void count_bank(struct tsr_engine *engine, unsigned bank, bool begins)
{
    struct tsr_perf_bank *perf = &engine->env.state->debug.perf[bank];
    uint64_t now = tsr_now(&engine->env);
    tsr_run_report tally = tally_now(engine);
    if (bank == BANK_INSTRN_THREAD)
        tsr_wait_counts_switch(engine, begins);
    perf->running = begins;
    perf->cycles = begins ? now : now - perf->cycles;
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        if (counters[i].bank == bank) {
            uint64_t value = value_of(engine, &tally, i);
            perf->count[i] = begins ? value : value - perf->count[i];
        }
}

// ---------------------------------------------------------------- reference periods

void tsr_counters_limit(struct tsr_engine *engine)
{
    uint64_t due = engine->env.state->debug.perf_due;
    if (due > 0 && (engine->end_cycle == 0 || due < engine->end_cycle))
        engine->end_cycle = due;
}

static void find_due(struct tsr_debug *debug)
{
    debug->perf_due = 0;
    for (unsigned bank = 0; bank < BANKS; bank++) {
        const struct tsr_perf_bank *perf = &debug->perf[bank];
        if (perf->running && perf->ends_at > 0 &&
            (debug->perf_due == 0 || perf->ends_at < debug->perf_due))
            debug->perf_due = perf->ends_at;
    }
}

void tsr_counters_end_periods(struct tsr_engine *engine)
{
    struct tsr_debug *debug = &engine->env.state->debug;
    uint64_t now = tsr_now(&engine->env);
    if (debug->perf_due == 0 || debug->perf_due > now)
        return;
    for (unsigned bank = 0; bank < BANKS; bank++) {
        struct tsr_perf_bank *perf = &debug->perf[bank];
        if (!perf->running || perf->ends_at == 0 || perf->ends_at > now)
            continue;
        uint64_t length = perf->ends_at - perf->cycles;
        count_bank(engine, bank, false);
        perf->cycles = length; // with timing off it is noticed later
    }
    find_due(debug);
}

static void start(struct tsr_engine *engine, unsigned bank)
{
    struct tsr_debug *debug = &engine->env.state->debug;
    struct tsr_perf_bank *perf = &debug->perf[bank];
    count_bank(engine, bank, true);
    bool periodic = (perf->mode & 0xff) == REFERENCE_PERIOD;
    perf->ends_at = periodic ? perf->cycles + perf->period : 0;
    if (periodic && perf->period == 0)
        count_bank(engine, bank, false);
    find_due(debug);
    tsr_counters_limit(engine);
}

// ---------------------------------------------------------------- registers

// Edges of the bits start and stop.
static tsr_status control(struct tsr_access *access, unsigned bank)
{
    struct tsr_perf_bank *perf = &access->env->state->debug.perf[bank];
    uint32_t rising = access->value & ~perf->control;
    perf->control = access->value;
    if ((rising & START) && (perf->mode & 0xff) > NO_REFERENCE) {
        char what[80];
        snprintf(what, sizeof what, "counting in mode %u of bank %s", (unsigned)perf->mode & 0xff,
                 banks[bank].name);
        return tsr_access_unimplemented(access, what);
    }
    if (rising & START)
        start(access->engine, bank);
    if ((rising & STOP) && perf->running) {
        count_bank(access->engine, bank, false);
        find_due(&access->env->state->debug);
    }
    return TSR_OK;
}

static tsr_status output(struct tsr_access *access, unsigned bank, bool events)
{
    const struct tsr_perf_bank *perf = &access->env->state->debug.perf[bank];
    unsigned number = perf->mode >> 8 & 0x1ff;
    access->value = 0;
    if (!events) {
        if ((perf->mode & 0xff) != NO_REFERENCE)
            access->value =
                (uint32_t)(perf->running ? tsr_now(access->env) - perf->cycles : perf->cycles);
        return TSR_OK;
    }
    tsr_run_report tally = tally_now(access->engine);
    bool found = false;
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        if (counters[i].bank == bank && counters[i].number == number) {
            uint64_t count = perf->count[i];
            access->value +=
                (uint32_t)(perf->running ? value_of(access->engine, &tally, i) - count : count);
            found = true;
        }
    if (found)
        return TSR_OK;
    char what[80];
    snprintf(what, sizeof what, "counter %u of bank %s", number, banks[bank].name);
    return tsr_access_unimplemented(access, what);
}

tsr_status tsr_access_counters(struct tsr_access *access)
{
    uint32_t offset = access->offset & ~3u;
    tsr_counters_end_periods(access->engine);
    if (offset == ALL) { // of two banks
        tsr_status status = TSR_OK;
        if (access->store)
            status = control(access, BANK_FPU);
        if (access->store && status == TSR_OK)
            status = control(access, BANK_INSTRN_THREAD);
        return status;
    }
    for (unsigned bank = 0; bank < BANKS; bank++) {
        struct tsr_perf_bank *perf = &access->env->state->debug.perf[bank];
        uint32_t at = offset - banks[bank].registers;
        if (offset == banks[bank].outputs || offset == banks[bank].outputs + 4u)
            return access->store ? TSR_OK : output(access, bank, offset & 4);
        if (at > CONTROL)
            continue;
        if (access->store && at == CONTROL)
            return control(access, bank);
        uint32_t *word = at == PERIOD ? &perf->period : at == MODE ? &perf->mode : &perf->control;
        if (access->store)
            *word = access->value;
        else
            access->value = *word;
        return TSR_OK;
    }
    return tsr_access_unimplemented(access, "a performance counter");
}
