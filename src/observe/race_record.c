// SPDX-License-Identifier: Apache-2.0
// Events and accesses; see race_finding.h. Pages: STALLWAIT.md, SrcASrcB.md, Dst.md ("Instruction
// scheduling"), BackendConfiguration.md ("RISCV writes to Config").
#include "observe/race_state.h"

#include "base/port.h"

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

// ---------------------------------------------------------------- what comes before

// Matrix and vector unit write Dst a fixed time after they take an instruction, and who reads it by
// way of the matrix unit or the packers is held for that long (Dst.md): it is enough that the
// instruction was accepted. An unpacker comes later than the matrix unit anyway (docs/errata.md,
// 512).
static bool fixed_time(const struct tsr_race_actor *actor, const struct tsr_race_entry *entry)
{
    if (!tsr_race_is_unit(entry->agent) || actor->is_core || !actor->executes)
        return false;
    unsigned unit = tsr_race_unit_of(entry->agent);
    bool by_time = unit == TSR_UNIT_MATRIX || unit == TSR_UNIT_VECTOR;
    if (actor->unit == TSR_UNIT_VECTOR)
        return by_time && !entry->write;
    if (actor->unit == TSR_UNIT_UNPACKER0)
        return unit == TSR_UNIT_MATRIX;
    return by_time && (actor->unit == TSR_UNIT_MATRIX || actor->unit == TSR_UNIT_PACKER);
}

static bool comes_before(const struct tsr_race_record *record, enum tsr_race_storage storage,
                         const struct tsr_race_entry *entry, unsigned agent)
{
    const struct tsr_race_actor *actor = &record->actor;
    if (entry->agent == agent || actor->clock->at[entry->agent] >= entry->count)
        return true;
    // A core's accesses, by whichever way, are in order for itself.
    if (actor->is_core &&
        (entry->agent == RACE_CORE + actor->core || entry->agent == RACE_PORT + actor->core))
        return true;
    return storage == TSR_RACE_DST && fixed_time(actor, entry) &&
           actor->clock->at[RACE_THREAD + tsr_race_thread_of(entry->agent)] >= entry->count;
}

// ---------------------------------------------------------------- findings

static struct tsr_race_place place_of(const struct tsr_race_record *record,
                                      const struct tsr_race_entry *entry)
{
    struct tsr_race_place place = {.thread = -1, .core = -1, .write = entry->write};
    if (entry->agent >= RACE_MOP) { // the MOP's push is all that is known
        place.thread = (int)(entry->agent - RACE_MOP);
        place.unit = TSR_UNIT_COUNT;
        return place;
    }
    if (entry->agent >= RACE_CORE) {
        unsigned core = entry->agent >= RACE_PORT ? entry->agent - RACE_PORT + 0u
                                                  : entry->agent - RACE_CORE + 0u;
        place.core = (int)core;
        place.pc = entry->count % RACE_WORDS ? record->core_pc[core][entry->count % RACE_WORDS] : 0;
        return place;
    }
    unsigned thread = tsr_race_thread_of(entry->agent);
    const struct tsr_race_word *word = &record->words[thread][entry->count % RACE_WORDS];
    place.thread = (int)thread;
    place.unit = tsr_race_is_unit(entry->agent) ? tsr_race_unit_of(entry->agent) : TSR_UNIT_COUNT;
    place.sequence = entry->count;
    place.word = word->word;
    place.pc = word->pc;
    return place;
}

// Instructions that differ in a value are one place: those of a loop that was written out.
static uint32_t word_key(const struct tsr_isa *isa, uint32_t word)
{
    static const enum tsr_operand_id values[] = {OPERAND_Data, OPERAND_setc16_value};
    enum tsr_op op = tsr_op_of(isa, word);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct tsr_operand_place place = isa->operand[op][values[i]];
        word &= ~(((1u << place.width) - 1u) << place.first_bit);
    }
    return word;
}

static uint64_t place_key(const struct tsr_isa *isa, const struct tsr_race_place *place)
{
    uint64_t who = (uint64_t)(place->thread + 1) << 4 | (unsigned)(place->core + 1);
    uint64_t what = place->core >= 0 ? 0
                    : place->pc      ? place->word >> 24
                                     : word_key(isa, place->word);
    return ((who << 32 | what) * 0x9e3779b97f4a7c15u) ^ ((uint64_t)place->pc << 8);
}

// False: it was found before.
static bool is_new(struct tsr_race_record *record, const struct tsr_race_found *race)
{
    const struct tsr_isa *isa = record->setup.isa;
    // The same whichever of the two came first in this run.
    uint64_t a = place_key(isa, &race->earlier), b = place_key(isa, &race->later);
    uint64_t key = (a ^ b) * 31 + (a + b) + (uint64_t)race->storage * 0xff51afd7ed558ccdu + 1;
    unsigned slot = (unsigned)(key >> 40) % RACE_KEYS;
    for (; record->key[slot] != 0; slot = (slot + 1) % RACE_KEYS)
        if (record->key[slot] == key)
            return false;
    if (record->keys >= RACE_KEYS / 2)
        return false;
    record->keys++;
    record->key[slot] = key;
    return true;
}

static void found(struct tsr_race_record *record, enum tsr_race_kind kind,
                  enum tsr_race_storage storage, uint32_t cell, uint32_t mask,
                  const struct tsr_race_entry *earlier, const struct tsr_race_entry *later)
{
    struct tsr_race_found race = {.kind = kind,
                                  .storage = storage,
                                  .cell = cell,
                                  .mask = mask,
                                  .earlier = place_of(record, earlier),
                                  .later = place_of(record, later)};
    // Nobody inside knows what the host knows.
    if (race.earlier.core == TSR_AGENT_HOST || race.later.core == TSR_AGENT_HOST)
        return;
    if (!is_new(record, &race))
        return;
    unsigned thread = tsr_race_thread_of(earlier->agent);
    bool accepted = earlier->agent < RACE_CORE &&
                    record->actor.clock->at[RACE_THREAD + thread] >= earlier->count;
    tsr_race_wait_text(record, &race, accepted);
    record->setup.found(record->setup.user, &race);
}

// ---------------------------------------------------------------- accesses

static enum tsr_race_kind kind_of(enum tsr_race_storage storage, bool earlier_writes,
                                  bool later_writes)
{
    if (earlier_writes && later_writes)
        return TSR_RACE_WRITES;
    return storage == TSR_RACE_CONFIG && later_writes ? TSR_RACE_ADDRESS_IN_FLIGHT
                                                      : TSR_RACE_READ_WRITE;
}

static void touch(struct tsr_race_record *record, enum tsr_race_storage storage, uint32_t index,
                  struct tsr_race_entry fresh)
{
    struct tsr_race_cell *cell = tsr_race_cell_at(record->cells, storage, index, true);
    unsigned before = 0;
    if (!cell)
        return;
    for (unsigned i = 0; i < RACE_ENTRIES && cell->entry[i].mask; i++) {
        const struct tsr_race_entry *old = &cell->entry[i];
        if (comes_before(record, storage, old, fresh.agent))
            before |= 1u << i;
        else if ((old->write || fresh.write) && (old->mask & fresh.mask) != 0)
            found(record, kind_of(storage, old->write, fresh.write), storage, index,
                  old->mask & fresh.mask, old, &fresh);
    }
    tsr_race_cell_note(cell, fresh, before);
}

static void on_access(struct tsr_races *races, const struct tsr_race_access *access)
{
    struct tsr_race_record *record = tsr_race_record_of(races);
    enum tsr_race_storage storage = (enum tsr_race_storage)access->storage;
    if (!record->actor.there)
        return;
    struct tsr_race_entry fresh = tsr_race_entry_now(record, storage, access->write, access->mask);
    for (uint32_t i = 0; i < access->count; i++)
        touch(record, storage, access->first + i, fresh);
}

static void on_expands(struct tsr_races *races, int thread, uint32_t push)
{
    enum { MOP_CONFIG_WORDS = 9 };
    struct tsr_race_record *record = tsr_race_record_of(races);
    unsigned mop = RACE_MOP + (unsigned)thread;
    struct tsr_race_entry fresh = {.agent = (uint8_t)mop, .mask = TSR_RACE_ALL, .count = push};
    if (push == 0 || record->pushes[thread] - push >= RACE_PUSHES)
        return;
    // A core's access may have made it move.
    struct tsr_race_actor acting = record->actor;
    struct tsr_race_clock clock = record->push[thread][push % RACE_PUSHES];
    record->actor = (struct tsr_race_actor){
        .there = true, .thread = (uint8_t)thread, .unit = TSR_UNIT_COUNT, .clock = &clock};
    for (unsigned word = 0; word < MOP_CONFIG_WORDS; word++)
        touch(record, TSR_RACE_MOP_CONFIG, 16 * (unsigned)thread + word, fresh);
    record->actor = acting;
}

// Flags in memory are how cores learn of each other, and of what the scalar unit stores: who reads
// such bytes comes after who wrote them. Of other units' bytes nothing is learnt by looking.
static void on_acquire(struct tsr_races *races, uint32_t address, unsigned size)
{
    struct tsr_race_record *record = tsr_race_record_of(races);
    const struct tsr_race_cell *cell =
        tsr_race_cell_at(record->cells, TSR_RACE_L1, address / 16, false);
    uint32_t mask = ((1u << size) - 1u) << address % 16;
    struct tsr_race_actor *actor = &record->actor;
    if (!cell || !actor->there)
        return;
    unsigned self = RACE_CORE + actor->core;
    for (unsigned i = 0; i < RACE_ENTRIES; i++) {
        struct tsr_race_entry old = cell->entry[i];
        if (!old.write || !(old.mask & mask) || comes_before(record, TSR_RACE_L1, &old, self))
            continue;
        struct tsr_race_clock learnt;
        if (old.agent >= RACE_CORE && old.agent < RACE_PORT) {
            learnt = record->core[old.agent - RACE_CORE];
        } else if (tsr_race_is_unit(old.agent) && tsr_race_unit_of(old.agent) == TSR_UNIT_SCALAR) {
            learnt = record->unit[TSR_UNIT_SCALAR][tsr_race_thread_of(old.agent)];
        } else {
            struct tsr_race_entry fresh =
                tsr_race_entry_now(record, TSR_RACE_L1, false, old.mask & mask);
            found(record, TSR_RACE_READ_WRITE, TSR_RACE_L1, address / 16, fresh.mask, &old, &fresh);
            continue;
        }
        learnt.at[old.agent] = old.count;
        tsr_race_join(actor->clock, &learnt);
    }
}

// ---------------------------------------------------------------- configuration

static const uint8_t reader_units[TSR_RACE_READERS] = {TSR_UNIT_UNPACKER0, TSR_UNIT_UNPACKER1,
                                                       TSR_UNIT_MATRIX, TSR_UNIT_PACKER};

// The bits of a word that the unit's instructions depend on in a context: not those of others.
static uint32_t bits_read(const struct tsr_race_setup *setup, unsigned reader, unsigned context,
                          unsigned word)
{
    uint32_t others = 0;
    for (unsigned i = 0; i < TSR_RACE_CONTEXTS; i++)
        others |= i == context ? 0 : setup->of_context[i][word];
    return setup->reads[reader][word] & ~others;
}

// Who used the bits before. The matrix unit takes an instruction's configuration along when it
// accepts it, unpackers and packers may look until they have completed it (docs/errata.md, 511).
static void check_users(struct tsr_race_record *record, const struct tsr_race_entry *write,
                        uint32_t cell, unsigned reader, unsigned context)
{
    unsigned bank = cell / TSR_RACE_BANK_CELLS, unit = reader_units[reader];
    uint32_t read =
        bits_read(&record->setup, reader, context, cell % TSR_RACE_BANK_CELLS) & write->mask;
    for (unsigned thread = 0; thread < TSR_THREADS && read != 0; thread++) {
        uint64_t last = record->used[reader][thread][bank][context];
        struct tsr_race_entry use = {.agent = (uint8_t)(unit == TSR_UNIT_MATRIX
                                                            ? RACE_THREAD + thread
                                                            : tsr_race_unit_agent(unit, thread)),
                                     .mask = read,
                                     .count = (uint32_t)last};
        if (last != 0 && !comes_before(record, TSR_RACE_CONFIG, &use, write->agent))
            found(record, TSR_RACE_CONFIG_IN_FLIGHT, TSR_RACE_CONFIG, cell, read, &use, write);
    }
}

static void on_config_changes(struct tsr_races *races, uint32_t cell, uint32_t changed)
{
    struct tsr_race_record *record = tsr_race_record_of(races);
    unsigned bank = cell / TSR_RACE_BANK_CELLS, word = cell % TSR_RACE_BANK_CELLS;
    if (!record->actor.there)
        return;
    struct tsr_race_entry write = tsr_race_entry_now(record, TSR_RACE_CONFIG, true, changed);
    touch(record, TSR_RACE_CONFIG, cell, write);
    // A thread's own words are written by its own instructions alone, in their order.
    for (unsigned reader = 0; reader < TSR_RACE_READERS && bank < 2; reader++) {
        if ((record->setup.reads[reader][word] & changed) == 0)
            continue;
        for (unsigned context = 0; context < TSR_RACE_CONTEXTS; context++)
            check_users(record, &write, cell, reader, context);
        for (unsigned thread = 0; thread < TSR_THREADS; thread++)
            record->fresh[reader][thread][bank][word / 64] |= 1ull << word % 64;
    }
}

static void check_fresh(struct tsr_race_record *record, uint32_t index, unsigned reader,
                        unsigned context)
{
    const struct tsr_race_cell *cell =
        tsr_race_cell_at(record->cells, TSR_RACE_CONFIG, index, true);
    uint32_t read = bits_read(&record->setup, reader, context, index % TSR_RACE_BANK_CELLS);
    struct tsr_race_entry use = tsr_race_entry_now(record, TSR_RACE_CONFIG, false, read);
    for (unsigned i = 0; cell && i < RACE_ENTRIES; i++) {
        const struct tsr_race_entry *old = &cell->entry[i];
        if (old->write && (old->mask & read) != 0 &&
            !comes_before(record, TSR_RACE_CONFIG, old, use.agent))
            found(record, TSR_RACE_READ_WRITE, TSR_RACE_CONFIG, index, old->mask & read, old, &use);
    }
}

static void on_config_used(struct tsr_races *races, unsigned reader, unsigned state_id,
                           unsigned context)
{
    struct tsr_race_record *record = tsr_race_record_of(races);
    struct tsr_race_actor *actor = &record->actor;
    if (!actor->there || actor->is_core)
        return;
    context %= TSR_RACE_CONTEXTS;
    record->used[reader][actor->thread][state_id][context] = actor->sequence;
    uint64_t *fresh = record->fresh[reader][actor->thread][state_id];
    for (unsigned i = 0; i < TSR_RACE_BANK_CELLS / 64; i++)
        for (; fresh[i] != 0; fresh[i] &= fresh[i] - 1)
            check_fresh(record,
                        state_id * TSR_RACE_BANK_CELLS + 64 * i +
                            (unsigned)__builtin_ctzll(fresh[i]),
                        reader, context);
}

// ---------------------------------------------------------------- the record

static const struct tsr_race_ops ops = {.accepts = on_accepts,
                                        .executes = on_executes,
                                        .done = on_done,
                                        .core = on_core,
                                        .push = on_push,
                                        .expands = on_expands,
                                        .access = on_access,
                                        .acquire = on_acquire,
                                        .sync = tsr_race_on_sync,
                                        .latched = tsr_race_on_latched,
                                        .released = tsr_race_on_released,
                                        .config_changes = on_config_changes,
                                        .config_used = on_config_used,
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
    tsr_race_cells_clear(cells);
    free(record->waits);
    free(record->ignored);
    memset(record, 0, sizeof *record);
    record->races.ops = &ops;
    record->setup = setup;
    record->cells = cells;
}

int tsr_races_waits(const struct tsr_races *races)
{
    return ((const struct tsr_race_record *)(const void *)races)->wait_count;
}

struct tsr_race_latched tsr_races_wait_at(const struct tsr_races *races, int index)
{
    return ((const struct tsr_race_record *)(const void *)races)->waits[index];
}

bool tsr_races_ignore(struct tsr_races *races, int thread, uint64_t sequence)
{
    struct tsr_race_record *record = tsr_race_record_of(races);
    size_t size = ((size_t)record->ignored_count + 1) * sizeof *record->ignored;
    uint64_t *more = realloc(record->ignored, size);
    if (!more)
        return false;
    record->ignored = more;
    record->ignored[record->ignored_count++] = (uint64_t)thread << 32 | sequence;
    return true;
}
