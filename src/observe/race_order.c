// SPDX-License-Identifier: Apache-2.0
// What orders events: waits at the gate, semaphores, mutexes, banks of Src, mailboxes, PC buffers.
// Semaphores count, so which post a wait comes after is told by numbers, not by the moment: a wait
// for "not zero" after g gets comes after post g + 1, and one for "below the maximum" after p posts
// after get p - maximum + 1.
// Pages: STALLWAIT.md of each chip, SEMWAIT.md, SEMPOST.md, SEMGET.md, ATGETM.md, SrcASrcB.md,
// Mailboxes.md, PCBufs.md, TTSync.md.
#include "observe/race_state.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- semaphores

static struct tsr_race_step *step_at(struct tsr_race_step *steps, uint32_t number)
{
    return &steps[number % RACE_STEPS];
}

static void note_step(struct tsr_race_record *record, struct tsr_race_step *steps, uint32_t *count)
{
    const struct tsr_race_actor *actor = &record->actor;
    struct tsr_race_step *step = step_at(steps, ++*count);
    step->agent = (uint8_t)(actor->is_core ? RACE_CORE + actor->core : RACE_THREAD + actor->thread);
    step->count = tsr_race_step(record);
    step->clock = *actor->clock;
}

// How many of a semaphore's posts, or gets, are known to be over by that clock.
static uint32_t known(const struct tsr_race_clock *clock, const struct tsr_race_step *steps,
                      uint32_t count)
{
    uint32_t first = count > RACE_STEPS ? count - RACE_STEPS + 1 : 1, missing = 0;
    for (uint32_t number = first; number <= count; number++) {
        const struct tsr_race_step *step = &steps[number % RACE_STEPS];
        missing += clock->at[step->agent] < step->count;
    }
    return count - missing;
}

// Joins what was known at the steps up to that number.
static void join_steps(struct tsr_race_clock *to, struct tsr_race_step *steps, uint32_t count,
                       int64_t upto)
{
    uint32_t first = count > RACE_STEPS ? count - RACE_STEPS + 1 : 1;
    for (uint32_t number = first; number <= count && number <= upto; number++)
        tsr_race_join(to, &step_at(steps, number)->clock);
}

void tsr_race_next_steps(const struct tsr_race_record *record,
                         const struct tsr_race_semaphore *semaphore, int64_t *post, int64_t *get)
{
    const struct tsr_race_clock *clock = record->actor.clock;
    *post = (int64_t)known(clock, semaphore->get, semaphore->gets) + 1;
    *get = (int64_t)known(clock, semaphore->post, semaphore->posts) - semaphore->max + 1;
}

static void init_semaphore(struct tsr_race_record *record, struct tsr_race_semaphore *semaphore,
                           unsigned value, unsigned max)
{
    semaphore->max = max;
    semaphore->posts = semaphore->gets = 0;
    while (semaphore->posts < value)
        note_step(record, semaphore->post, &semaphore->posts);
}

// A core has read the value, which is posts less gets: so at least known gets + value posts are
// over, and known posts - value gets.
static void read_semaphore(struct tsr_race_record *record, struct tsr_race_semaphore *semaphore,
                           unsigned value)
{
    struct tsr_race_clock *clock = record->actor.clock;
    int64_t gets = known(clock, semaphore->get, semaphore->gets);
    int64_t posts = known(clock, semaphore->post, semaphore->posts);
    join_steps(clock, semaphore->post, semaphore->posts, gets + value);
    join_steps(clock, semaphore->get, semaphore->gets, posts - value);
}

static void join_semaphores(struct tsr_race_record *record, const struct tsr_race_wait *wait,
                            struct tsr_race_clock *to, const struct tsr_race_clock *base)
{
    for (unsigned i = 0; i < RACE_SEMAPHORES; i++) {
        struct tsr_race_semaphore *semaphore = &record->semaphore[i];
        if (!(wait->semaphores >> i & 1))
            continue;
        int64_t gets = known(base, semaphore->get, semaphore->gets);
        int64_t posts = known(base, semaphore->post, semaphore->posts);
        if (wait->conditions & TSR_SEMWAIT_WHILE_ZERO)
            join_steps(to, semaphore->post, semaphore->posts, gets + 1);
        if (wait->conditions & TSR_SEMWAIT_WHILE_MAXIMUM)
            join_steps(to, semaphore->get, semaphore->gets, posts - semaphore->max + 1);
    }
}

// ---------------------------------------------------------------- waits at the gate

// All that the thread gave to the unit up to that instruction is complete, and what it came after.
static void join_unit_upto(const struct tsr_race_record *record, uint32_t sequence, unsigned unit,
                           unsigned thread, struct tsr_race_clock *to)
{
    unsigned agent = tsr_race_unit_agent(unit, thread);
    struct tsr_race_clock done = record->unit[unit][thread];
    // What the unit has done since does not count.
    done.at[agent] = sequence;
    tsr_race_join(to, &done);
}

// All that the thread gave to the unit before the wait was latched is complete.
static void join_unit_at_wait(struct tsr_race_record *record,
                              const struct tsr_race_pending *pending, unsigned unit,
                              unsigned thread, struct tsr_race_clock *to)
{
    join_unit_upto(record, pending->base.at[RACE_THREAD + thread], unit, thread, to);
}

// All that the thread gave to the packers up to that instruction, but nothing behind the last one
// that this packer takes part in.
static void join_packer(const struct tsr_race_record *record, const uint32_t packed[RACE_PACKERS],
                        uint32_t sequence, unsigned packer, unsigned thread,
                        struct tsr_race_clock *to)
{
    uint32_t last = 0, own = packed[packer];
    for (unsigned each = 0; each < RACE_PACKERS; each++)
        last = packed[each] > last ? packed[each] : last;
    if (own == last)
        join_unit_upto(record, sequence, TSR_UNIT_PACKER, thread, to);
    else
        tsr_race_raise(to, tsr_race_unit_agent(TSR_UNIT_PACKER, thread), own);
}

// What any thread gave to the unit is complete, as far as the waiting thread knew when the wait was
// latched that it had been accepted. The rest came later.
static void join_unit_of_all(const struct tsr_race_pending *pending, unsigned unit,
                             struct tsr_race_clock *to)
{
    for (unsigned thread = 0; thread < TSR_THREADS; thread++)
        tsr_race_raise(to, tsr_race_unit_agent(unit, thread),
                       pending->base.at[RACE_THREAD + thread]);
}

static void join_condition(struct tsr_race_record *record, const struct tsr_race_wait *wait,
                           enum tsr_condition condition, const struct tsr_race_pending *pending,
                           struct tsr_race_clock *to)
{
    static const uint8_t units[CONDITION_COUNT] = {
        // and 1 more; 0: not a unit's alone
        [CONDITION_SCALAR_MEMORY] = 1 + TSR_UNIT_SCALAR,
        [CONDITION_UNPACKER0] = 1 + TSR_UNIT_UNPACKER0,
        [CONDITION_UNPACKER1] = 1 + TSR_UNIT_UNPACKER1,
        [CONDITION_MATRIX] = 1 + TSR_UNIT_MATRIX,
        [CONDITION_VECTOR] = 1 + TSR_UNIT_VECTOR,
    };
    unsigned port = RACE_PORT + TSR_CORE_T0 + wait->thread;
    unsigned core = RACE_CORE + TSR_CORE_T0 + wait->thread;
    switch (condition) {
    case CONDITION_ABSENT:
        return;
    case CONDITION_PACKER0:
    case CONDITION_PACKER1:
    case CONDITION_PACKER2:
    case CONDITION_PACKER3:
        join_packer(record, pending->packed, pending->base.at[RACE_THREAD + wait->thread],
                    condition - CONDITION_PACKER0, wait->thread, to);
        return;
    case CONDITION_MOVER: // whoever asked for it
        join_unit_at_wait(record, pending, TSR_UNIT_MOVER, wait->thread, to);
        join_unit_of_all(pending, TSR_UNIT_MOVER, to);
        tsr_race_join(to, &record->core[TSR_RACE_AGENT_TDMA]);
        return;
    case CONDITION_CONFIG:
        join_unit_at_wait(record, pending, TSR_UNIT_CONFIG, wait->thread, to);
        join_unit_of_all(pending, TSR_UNIT_CONFIG, to);
        return;
    case CONDITION_CORE_REQUEST:
        tsr_race_raise(to, port, pending->base.at[core]);
        return;
    case CONDITION_SRCA_UNPACKER:
    case CONDITION_SRCB_UNPACKER: {
        unsigned side = condition == CONDITION_SRCB_UNPACKER;
        tsr_race_join(to, &record->given_back[side][wait->unpacker_bank[side]]);
        return;
    }
    case CONDITION_SRCA_MATRIX:
    case CONDITION_SRCB_MATRIX: {
        unsigned side = condition == CONDITION_SRCB_MATRIX;
        tsr_race_join(to, &record->handed_over[side][wait->matrix_bank[side]]);
        return;
    }
    default:
        if (units[condition])
            join_unit_at_wait(record, pending, units[condition] - 1u, wait->thread, to);
    }
}

bool tsr_race_is_ignored(const struct tsr_race_record *record, unsigned who, uint64_t number)
{
    for (int i = 0; i < record->ignored_count; i++)
        if (record->ignored[i] == tsr_race_wait_key(who, number))
            return true;
    return false;
}

// Without memory the list is shorter.
static void list_wait(struct tsr_race_record *record, const struct tsr_race_pending *pending,
                      const struct tsr_race_wait *wait)
{
    if (record->wait_count == record->wait_room) {
        int room = record->wait_room ? 2 * record->wait_room : 64;
        void *more = realloc(record->waits, (size_t)room * sizeof *record->waits);
        if (!more)
            return;
        record->waits = more;
        record->wait_room = room;
    }
    const struct tsr_race_word *word = &record->words[wait->thread][pending->sequence % RACE_WORDS];
    record->waits[record->wait_count++] =
        (struct tsr_race_latched){.place = {.thread = wait->thread,
                                            .core = -1,
                                            .unit = TSR_UNIT_SYNC,
                                            .sequence = pending->sequence,
                                            .word = word->word,
                                            .pc = word->pc},
                                  .cycles = wait->cycles};
}

void tsr_race_on_latched(struct tsr_races *races, const struct tsr_race_inst *inst,
                         bool on_semaphores, uint16_t block)
{
    struct tsr_race_record *record = tsr_race_record_of(races);
    struct tsr_race_pending *pending = &record->pending[inst->thread];
    (void)on_semaphores;
    pending->there = !tsr_race_is_ignored(record, inst->thread, inst->sequence);
    pending->block = block;
    pending->sequence = inst->sequence;
    pending->base = pending->clock = record->thread[inst->thread];
    memcpy(pending->packed, record->packed[inst->thread], sizeof pending->packed);
}

void tsr_race_on_released(struct tsr_races *races, const struct tsr_race_wait *wait)
{
    struct tsr_race_record *record = tsr_race_record_of(races);
    struct tsr_race_pending *pending = &record->pending[wait->thread];
    list_wait(record, pending, wait);
    if (wait->stream)
        tsr_race_join_stream(record, (wait->stream - 1u) % RACE_STREAMS, &pending->clock);
    if (wait->on_semaphores) {
        join_semaphores(record, wait, &pending->clock, &pending->base);
        return;
    }
    for (unsigned bit = 0; bit < TSR_CONDITION_BITS; bit++)
        if (wait->conditions >> bit & 1)
            join_condition(record, wait, tsr_condition_of_bit(record->setup.isa, bit), pending,
                           &pending->clock);
}

// ---------------------------------------------------------------- threads, units and cores at rest

// Nothing of the thread is under way any more.
static void join_thread(const struct tsr_race_record *record, struct tsr_race_clock *to,
                        unsigned thread)
{
    tsr_race_join(to, &record->thread[thread]);
    for (unsigned unit = 0; unit < TSR_UNIT_COUNT; unit++) {
        tsr_race_join(to, &record->unit[unit][thread]);
        tsr_race_raise(to, tsr_race_unit_agent(unit, thread),
                       record->thread[thread].at[RACE_THREAD + thread]);
    }
}

// FLUSHDMA has seen that these units have nothing of its thread, which waits for it.
static void join_flushed(struct tsr_race_record *record, unsigned thread, unsigned conditions)
{
    static const uint8_t units[] = {TSR_UNIT_SCALAR, TSR_UNIT_UNPACKER0, TSR_UNIT_UNPACKER1};
    struct tsr_race_clock *clock = &record->thread[thread];
    uint32_t sequence = (uint32_t)record->actor.sequence;
    for (unsigned bit = 0; bit < 3; bit++)
        if (conditions >> bit & 1)
            join_unit_upto(record, sequence, units[bit], thread, clock);
    if (conditions >> 3 & 1)
        join_packer(record, record->packed[thread], sequence, 0, thread, clock);
}

void tsr_race_everything(const struct tsr_race_record *record, struct tsr_race_clock *all)
{
    *all = (struct tsr_race_clock){.far = NULL};
    for (unsigned thread = 0; thread < TSR_THREADS; thread++)
        join_thread(record, all, thread);
    for (unsigned core = 0; core < RACE_CORES; core++) {
        tsr_race_join(all, &record->core[core]);
        tsr_race_raise(all, RACE_CORE + core, record->core_steps[core]);
        if (core < TSR_THREADS)
            tsr_race_raise(all, RACE_MOP + core, record->pushes[core]);
        if (core < RACE_PORTS)
            tsr_race_raise(all, RACE_PORT + core, record->core_steps[core]);
    }
}

void tsr_race_join_everything(struct tsr_race_record *record)
{
    struct tsr_race_clock all;
    tsr_race_everything(record, &all);
    for (unsigned thread = 0; thread < TSR_THREADS; thread++)
        record->thread[thread] = all;
    for (unsigned unit = 0; unit < TSR_UNIT_COUNT; unit++)
        for (unsigned thread = 0; thread < TSR_THREADS; thread++)
            record->unit[unit][thread] = all;
    for (unsigned core = 0; core < RACE_CORES; core++)
        record->core[core] = all;
}

// Auto TTSync: keeps what was known when the last instruction passed the gate that reads, or
// writes, each tracked resource.
static void note_uses(struct tsr_race_record *record, unsigned thread, unsigned reads,
                      unsigned writes)
{
    for (unsigned i = 0; i < RACE_TRACKED; i++) {
        if (reads >> i & 1)
            record->auto_uses[thread][0][i] = *record->actor.clock;
        if (writes >> i & 1)
            record->auto_uses[thread][1][i] = *record->actor.clock;
    }
}

// A core's access has waited for the instructions that write those resources; a store also for
// those that read them.
static void join_uses(struct tsr_race_record *record, unsigned thread, unsigned resources,
                      bool store)
{
    for (unsigned i = 0; i < RACE_TRACKED; i++) {
        if (!(resources >> i & 1))
            continue;
        tsr_race_join(record->actor.clock, &record->auto_uses[thread][1][i]);
        if (store)
            tsr_race_join(record->actor.clock, &record->auto_uses[thread][0][i]);
    }
}

// The mover is done with what is known to have been given to it.
static void join_mover(struct tsr_race_record *record, struct tsr_race_clock *to)
{
    for (unsigned thread = 0; thread < TSR_THREADS; thread++)
        tsr_race_raise(to, tsr_race_unit_agent(TSR_UNIT_MOVER, thread),
                       to->at[RACE_THREAD + thread]);
    tsr_race_join(to, &record->core[TSR_RACE_AGENT_TDMA]);
}

// ---------------------------------------------------------------- events

// The instruction that is accepted has waited for what this clock says: its thread and its unit
// know that from here on.
static void learn(struct tsr_race_record *record, const struct tsr_race_clock *clock)
{
    struct tsr_race_actor *actor = &record->actor;
    tsr_race_join(actor->clock, clock);
    if (actor->accepted)
        tsr_race_join(&actor->accepted->clock, clock);
}

// Semaphores, mutexes and flags of banks. False: the step is none of these.
static bool sync_threads(struct tsr_race_record *record, enum tsr_race_sync sync, unsigned which,
                         unsigned value, unsigned most)
{
    struct tsr_race_clock *clock = record->actor.clock;
    struct tsr_race_semaphore *semaphore = &record->semaphore[which % RACE_SEMAPHORES];
    switch (sync) {
    case TSR_RACE_POST:
        note_step(record, semaphore->post, &semaphore->posts);
        return true;
    case TSR_RACE_GET:
        note_step(record, semaphore->get, &semaphore->gets);
        return true;
    case TSR_RACE_INIT:
        init_semaphore(record, semaphore, value, most);
        return true;
    case TSR_RACE_SEMAPHORE:
        read_semaphore(record, semaphore, value);
        return true;
    case TSR_RACE_MUTEX_GET:
        learn(record, &record->mutex[which % RACE_MUTEXES]);
        return true;
    case TSR_RACE_MUTEX_GIVE:
        record->mutex[which % RACE_MUTEXES] = *clock;
        return true;
    case TSR_RACE_HAND_OVER:
        record->handed_over[which][value] = *clock;
        return true;
    case TSR_RACE_GIVE_BACK:
        record->given_back[which][value] = *clock;
        return true;
    case TSR_RACE_FOR_MATRIX:
        learn(record, &record->handed_over[which][value]);
        return true;
    case TSR_RACE_FOR_UNPACKER:
        learn(record, &record->given_back[which][value]);
        return true;
    default:
        return false;
    }
}

// What is over when units and expanders are idle, and what Auto TTSync has a core wait for. False:
// the step is none of these.
static bool sync_units(struct tsr_race_record *record, enum tsr_race_sync sync, unsigned which,
                       unsigned value, unsigned most)
{
    struct tsr_race_clock *clock = record->actor.clock;
    switch (sync) {
    case TSR_RACE_DRAINED:
    case TSR_RACE_MOPS_DONE:
        if (sync == TSR_RACE_DRAINED)
            join_thread(record, clock, which);
        tsr_race_raise(clock, RACE_MOP + which, record->pushes[which]);
        return true;
    case TSR_RACE_FLUSHED:
        join_flushed(record, which, value);
        return true;
    case TSR_RACE_MOVER_IDLE:
        join_mover(record, clock);
        return true;
    case TSR_RACE_AUTO_USES:
        note_uses(record, which, value, most);
        return true;
    case TSR_RACE_AUTO_WAITED:
        join_uses(record, which, value, most != 0);
        return true;
    default:
        return false;
    }
}

// What cores tell each other, and themselves.
static void sync_cores(struct tsr_race_record *record, enum tsr_race_sync sync, unsigned which,
                       unsigned value, unsigned most)
{
    struct tsr_race_clock *clock = record->actor.clock;
    struct tsr_race_channel *channel = &record->channel[which % TSR_RACE_CHANNELS];
    switch (sync) {
    case TSR_RACE_SEND:
        tsr_race_step(record);
        channel->word[channel->sent++ % RACE_CHANNEL_WORDS] = *clock;
        break;
    case TSR_RACE_RECEIVE:
        if (channel->received < channel->sent)
            tsr_race_join(clock, &channel->word[channel->received++ % RACE_CHANNEL_WORDS]);
        break;
    case TSR_RACE_STREAM_STORE:
        tsr_race_step(record);
        tsr_race_join(&record->stream[which % RACE_STREAMS], clock);
        break;
    case TSR_RACE_STREAM_LOAD:
        tsr_race_load_stream(record, which % RACE_STREAMS, value, most);
        break;
    case TSR_RACE_IRQ_RAISE:
        tsr_race_step(record);
        tsr_race_join(&record->irq[which % RACE_IRQS], clock);
        break;
    case TSR_RACE_IRQ_TAKE:
        tsr_race_join(clock, &record->irq[which % RACE_IRQS]);
        break;
    case TSR_RACE_READ_BACK:
        if (record->actor.is_core && record->actor.core < RACE_PORTS)
            tsr_race_raise(clock, RACE_PORT + record->actor.core,
                           record->core_steps[record->actor.core]);
        break;
    default:
        break;
    }
}

void tsr_race_on_sync(struct tsr_races *races, enum tsr_race_sync sync, unsigned which,
                      unsigned value, unsigned most)
{
    struct tsr_race_record *record = tsr_race_record_of(races);
    if (sync == TSR_RACE_EVERYTHING)
        tsr_race_join_everything(record);
    else if (record->actor.there && !sync_threads(record, sync, which, value, most) &&
             !sync_units(record, sync, which, value, most))
        sync_cores(record, sync, which, value, most);
}
