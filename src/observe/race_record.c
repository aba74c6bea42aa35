// SPDX-License-Identifier: Apache-2.0
// Events and accesses; see race_finding.h. Pages: STALLWAIT.md, SrcASrcB.md, Dst.md ("Instruction
// scheduling"), BackendConfiguration.md ("RISCV writes to Config").
#include "observe/race_state.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- who acts

static struct tsr_race_accepted *enqueue(struct tsr_race_record *record,
                                         const struct tsr_race_inst *inst)
{
    struct tsr_race_accepted *queue = record->accepted[inst->unit], *place = &queue[0];
    for (unsigned i = 0; i < RACE_QUEUE; i++)
        if (!queue[i].there)
            place = &queue[i];
    place->there = true;
    place->thread = inst->thread;
    place->sequence = inst->sequence;
    place->clock = record->thread[inst->thread];
    return place;
}

// Wormhole's PACRs name their packers; none is the first.
static void note_packers(struct tsr_race_record *record, const struct tsr_race_inst *inst)
{
    const struct tsr_isa *isa = record->setup.isa;
    uint32_t packers = 1;
    if (inst->unit != TSR_UNIT_PACKER)
        return;
    if (isa->condition_bit[CONDITION_PACKER1] != CONDITION_ABSENT)
        packers = tsr_operand(isa, (enum tsr_op)inst->op, inst->word, OPERAND_PackSel);
    for (unsigned packer = 0; packer < RACE_PACKERS; packer++)
        if ((packers ? packers : 1) >> packer & 1)
            record->packed[inst->thread][packer] = (uint32_t)inst->sequence;
}

static void on_accepts(struct tsr_races *races, const struct tsr_race_inst *inst)
{
    struct tsr_race_record *record = tsr_race_record_of(races);
    unsigned thread = inst->thread;
    struct tsr_race_clock *clock = &record->thread[thread];
    struct tsr_race_pending *pending = &record->pending[thread];
    clock->at[RACE_THREAD + thread] = (uint32_t)inst->sequence;
    if (inst->push != 0 && record->pushes[thread] - inst->push < RACE_PUSHES)
        tsr_race_join(clock, &record->push[thread][inst->push % RACE_PUSHES]);
    if (pending->there && (record->setup.waits_hold_thread ||
                           tsr_blocked(record->setup.isa, (enum tsr_op)inst->op, pending->block))) {
        tsr_race_join(clock, &pending->clock);
        pending->there = false;
    }
    if (inst->push != 0) // the MOPs before it have been expanded
        tsr_race_raise(clock, RACE_MOP + thread, inst->push - 1);
    note_packers(record, inst);
    record->words[thread][inst->sequence % RACE_WORDS] =
        (struct tsr_race_word){inst->word, inst->pc};
    record->actor = (struct tsr_race_actor){.there = true,
                                            .thread = inst->thread,
                                            .unit = inst->unit,
                                            .sequence = inst->sequence,
                                            .clock = clock,
                                            .accepted = enqueue(record, inst)};
}

// In its unit an instruction comes after those that were accepted before it.
static void on_executes(struct tsr_races *races, const struct tsr_race_inst *inst)
{
    struct tsr_race_record *record = tsr_race_record_of(races);
    struct tsr_race_accepted *queue = record->accepted[inst->unit], *place = NULL;
    for (unsigned i = 0; i < RACE_QUEUE; i++)
        if (queue[i].there && queue[i].thread == inst->thread &&
            queue[i].sequence == inst->sequence)
            place = &queue[i];
    record->work = place ? place->clock : record->thread[inst->thread];
    for (unsigned thread = 0; thread < TSR_THREADS; thread++)
        tsr_race_raise(&record->work, tsr_race_unit_agent(inst->unit, thread),
                       record->work.at[RACE_THREAD + thread]);
    tsr_race_join(&record->work, &record->unit[inst->unit][inst->thread]);
    record->actor = (struct tsr_race_actor){.there = true,
                                            .executes = true,
                                            .thread = inst->thread,
                                            .unit = inst->unit,
                                            .sequence = inst->sequence,
                                            .clock = &record->work,
                                            .accepted = place};
}

static void on_core(struct tsr_races *races, int agent, uint32_t at, bool has_pc)
{
    struct tsr_race_record *record = tsr_race_record_of(races);
    unsigned core = (unsigned)agent % RACE_CORES;
    record->core_pc[core][0] = has_pc ? at : 0;
    record->actor = (struct tsr_race_actor){
        .there = true, .is_core = true, .core = (uint8_t)core, .clock = &record->core[core]};
}

static void on_done(struct tsr_races *races, bool executed)
{
    struct tsr_race_record *record = tsr_race_record_of(races);
    struct tsr_race_actor *actor = &record->actor;
    if (actor->executes && executed) {
        record->unit[actor->unit][actor->thread] = record->work;
        if (actor->accepted)
            actor->accepted->there = false;
    }
    actor->there = false;
}

static void on_aborted(struct tsr_races *races, unsigned unit)
{
    struct tsr_race_record *record = tsr_race_record_of(races);
    for (unsigned i = 0; i < RACE_QUEUE; i++)
        record->accepted[unit][i].there = false;
}

static uint32_t on_push(struct tsr_races *races, int thread)
{
    struct tsr_race_record *record = tsr_race_record_of(races);
    uint32_t number = ++record->pushes[thread];
    number += number == 0; // 0 means none
    record->pushes[thread] = number;
    if (record->actor.there) {
        tsr_race_step(record);
        record->push[thread][number % RACE_PUSHES] = *record->actor.clock;
    }
    return number;
}

static void on_sync(struct tsr_races *races, enum tsr_race_sync sync, unsigned which,
                    unsigned value, unsigned most)
{
    struct tsr_race_record *record = tsr_race_record_of(races);
    if (record->actor.there && sync == TSR_RACE_HAND_OVER)
        tsr_race_hand_over(record, 2 * which + value);
    if (record->actor.there && sync == TSR_RACE_GIVE_BACK)
        tsr_race_give_back(record, 2 * which + value);
    tsr_race_on_sync(races, sync, which, value, most);
}

// ---------------------------------------------------------------- the record

static const struct tsr_race_ops ops = {.accepts = on_accepts,
                                        .executes = on_executes,
                                        .done = on_done,
                                        .core = on_core,
                                        .push = on_push,
                                        .expands = tsr_race_on_expands,
                                        .access = tsr_race_on_access,
                                        .acquire = tsr_race_on_acquire,
                                        .sync = on_sync,
                                        .latched = tsr_race_on_latched,
                                        .released = tsr_race_on_released,
                                        .config_changes = tsr_race_on_config_changes,
                                        .config_used = tsr_race_on_config_used,
                                        .aborted = on_aborted};

struct tsr_races *tsr_races_create(const struct tsr_race_setup *setup)
{
    struct tsr_race_record *record = calloc(1, sizeof *record);
    if (!record)
        return NULL;
    record->races.ops = &ops;
    record->setup = *setup;
    record->cells = tsr_race_cells_create();
    if (!record->cells) {
        free(record);
        return NULL;
    }
    return &record->races;
}

void tsr_races_destroy(struct tsr_races *races)
{
    if (!races)
        return;
    tsr_race_cells_destroy(tsr_race_record_of(races)->cells);
    free(tsr_race_record_of(races)->waits);
    free(tsr_race_record_of(races)->ignored);
    free(tsr_race_record_of(races));
}

void tsr_races_reset(struct tsr_races *races)
{
    struct tsr_race_record *record = tsr_race_record_of(races);
    struct tsr_race_setup setup = record->setup;
    struct tsr_race_cells *cells = record->cells;
    struct tsr_race_chip *chip = record->chip;
    uint16_t node = record->node;
    tsr_race_cells_clear(cells);
    free(record->waits);
    free(record->ignored);
    memset(record, 0, sizeof *record);
    record->races.ops = &ops;
    record->setup = setup;
    record->cells = cells;
    record->chip = chip;
    record->node = node;
}

int tsr_races_waits(const struct tsr_races *races)
{
    const struct tsr_race_record *record = (const struct tsr_race_record *)(const void *)races;
    return record->wait_count + record->load_count;
}

struct tsr_race_latched tsr_races_wait_at(const struct tsr_races *races, int index)
{
    const struct tsr_race_record *record = (const struct tsr_race_record *)(const void *)races;
    return index < record->wait_count ? record->waits[index]
                                      : record->loads[index - record->wait_count];
}

static bool ignore(struct tsr_race_record *record, uint64_t wait)
{
    size_t size = ((size_t)record->ignored_count + 1) * sizeof *record->ignored;
    uint64_t *more = realloc(record->ignored, size);
    if (!more)
        return false;
    record->ignored = more;
    record->ignored[record->ignored_count++] = wait;
    return true;
}

bool tsr_races_ignore(struct tsr_races *races, int thread, uint64_t sequence)
{
    return ignore(tsr_race_record_of(races), tsr_race_wait_key((unsigned)thread, sequence));
}

bool tsr_races_ignore_load(struct tsr_races *races, unsigned core, uint32_t pc)
{
    return ignore(tsr_race_record_of(races), tsr_race_wait_key(TSR_THREADS + core, pc));
}
