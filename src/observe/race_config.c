// SPDX-License-Identifier: Apache-2.0
// Configuration: who used a word before it changes, and which words have changed before it is used.
// Pages: BackendConfiguration.md of each chip, PACR.md, UNPACR_Regular.md.
#include "observe/race_state.h"

static const uint8_t reader_units[TSR_RACE_READERS] = {
    TSR_UNIT_UNPACKER0, TSR_UNIT_UNPACKER1, TSR_UNIT_MATRIX, TSR_UNIT_PACKER, TSR_UNIT_VECTOR};

// The bits of a word that the unit's instructions depend on in a context: not those of others.
static uint32_t bits_read(const struct tsr_race_setup *setup, unsigned reader, unsigned context,
                          unsigned word)
{
    uint32_t others = 0;
    for (unsigned i = 0; i < TSR_RACE_CONTEXTS; i++)
        others |= i == context ? 0 : setup->of_context[i][word];
    return setup->reads[reader][word] & ~others;
}

// Who used the bits before. The matrix and the vector unit take an instruction's configuration
// along when they accept it, unpackers and packers may look until they have completed it
// (docs/errata.md, 511).
static void check_users(struct tsr_race_record *record, const struct tsr_race_entry *write,
                        uint32_t cell, unsigned reader, unsigned context)
{
    unsigned bank = cell / TSR_RACE_BANK_CELLS, unit = reader_units[reader];
    bool taken = unit == TSR_UNIT_MATRIX || unit == TSR_UNIT_VECTOR;
    uint32_t read =
        bits_read(&record->setup, reader, context, cell % TSR_RACE_BANK_CELLS) & write->mask;
    for (unsigned thread = 0; thread < TSR_THREADS && read != 0; thread++) {
        uint64_t last = record->used[reader][thread][bank][context];
        struct tsr_race_entry use = {
            .agent = (uint8_t)(taken ? RACE_THREAD + thread : tsr_race_unit_agent(unit, thread)),
            .mask = read,
            .count = (uint32_t)last};
        if (last == 0)
            continue;
        if (!tsr_race_comes_before(record, TSR_RACE_CONFIG, &use, write->agent, true)) {
            tsr_race_tell(record, TSR_RACE_CONFIG_IN_FLIGHT, TSR_RACE_CONFIG, cell, read, &use,
                          write);
            continue;
        }
        use.agent = (uint8_t)tsr_race_unit_agent(unit, thread);
        if (record->actor.clock->at[use.agent] < use.count)
            tsr_race_tell(record, TSR_RACE_RELIED_CONFIG, TSR_RACE_CONFIG, cell, read, &use, write);
    }
}

void tsr_race_on_config_changes(struct tsr_races *races, uint32_t cell, uint32_t changed)
{
    struct tsr_race_record *record = tsr_race_record_of(races);
    unsigned bank = cell / TSR_RACE_BANK_CELLS, word = cell % TSR_RACE_BANK_CELLS;
    if (!record->actor.there)
        return;
    struct tsr_race_entry write = tsr_race_entry_now(record, TSR_RACE_CONFIG, true, changed);
    tsr_race_touch(record, TSR_RACE_CONFIG, cell, write);
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
            !tsr_race_comes_before(record, TSR_RACE_CONFIG, old, use.agent, false))
            tsr_race_tell(record, TSR_RACE_CONFIG_IN_FLIGHT, TSR_RACE_CONFIG, index,
                          old->mask & read, old, &use);
    }
}

void tsr_race_on_config_used(struct tsr_races *races, unsigned reader, unsigned state_id,
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
