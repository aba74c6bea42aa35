// SPDX-License-Identifier: Apache-2.0
// Accesses to all storages: whether each comes after those before it that it conflicts with.
// Pages: Dst.md ("Instruction scheduling"), SFPLOAD.md, L1.md, MOPExpander.md.
#include "observe/race_packet.h"

// Whether the entry's instruction is known to be accepted; its unit may execute it later.
static bool is_accepted(const struct tsr_race_actor *actor, const struct tsr_race_entry *entry)
{
    return tsr_race_is_unit(entry->agent) &&
           actor->clock->at[RACE_THREAD + tsr_race_thread_of(entry->agent)] >= entry->count;
}

// Whether the core is known to have made the store; outside L1 it may arrive later.
static bool is_stored(const struct tsr_race_actor *actor, const struct tsr_race_entry *entry)
{
    return entry->agent >= RACE_PORT && entry->agent < RACE_MOP &&
           actor->clock->at[entry->agent - RACE_PORT + RACE_CORE] >= entry->count;
}

// Rows of Dst that the matrix and the vector unit have written are kept from matrix instructions
// and PACRs until they are there (Dst.md), and a vector load may come after three other
// instructions (SFPLOAD.md). Beyond that these units work a fixed time after they accept, and an
// unpacker later than the matrix unit (docs/errata.md, 512).
static enum tsr_race_order dst_order(const struct tsr_race_actor *actor,
                                     const struct tsr_race_entry *entry, bool write)
{
    enum { FAR = 4 };
    if (!is_accepted(actor, entry) || actor->is_core || !actor->executes)
        return RACE_APART;
    unsigned unit = tsr_race_unit_of(entry->agent);
    bool matrix = unit == TSR_UNIT_MATRIX, vector = unit == TSR_UNIT_VECTOR;
    bool held = actor->unit == TSR_UNIT_MATRIX || actor->unit == TSR_UNIT_PACKER;
    if (entry->write && !write && (matrix || vector) && held)
        return RACE_BEFORE;
    if (entry->write && matrix && actor->unit == TSR_UNIT_VECTOR) {
        bool far = actor->thread == tsr_race_thread_of(entry->agent) &&
                   actor->sequence >= (uint64_t)entry->count + FAR;
        // The page speaks of loads; that a store so far behind is as late is relied on.
        return !far ? RACE_APART : write ? RACE_RELIED_ON : RACE_BEFORE;
    }
    bool relied = (actor->unit == TSR_UNIT_VECTOR && (matrix || vector) && !entry->write) ||
                  (actor->unit == TSR_UNIT_UNPACKER0 && matrix) || ((matrix || vector) && held);
    return relied ? RACE_RELIED_ON : RACE_APART;
}

// ZEROSRC may clear banks that are an unpacker's, without a wait, and a fixed time after it is
// accepted; an unpacker has to read first (docs/errata.md, 529).
static enum tsr_race_order src_order(const struct tsr_race_actor *actor,
                                     const struct tsr_race_entry *entry)
{
    bool unpacks = !actor->is_core && actor->executes &&
                   (actor->unit == TSR_UNIT_UNPACKER0 || actor->unit == TSR_UNIT_UNPACKER1);
    bool by_matrix = is_accepted(actor, entry) && tsr_race_unit_of(entry->agent) == TSR_UNIT_MATRIX;
    return unpacks && by_matrix && entry->write ? RACE_RELIED_ON : RACE_APART;
}

// A write to what an instruction has read when it was accepted, which its unit may use until it is
// done. Vendor kernels rely on that it has taken its addresses along (510); no page says so of all.
static enum tsr_race_order until_done(const struct tsr_race_actor *actor,
                                      const struct tsr_race_entry *entry)
{
    unsigned unit = tsr_race_unit_agent(entry->until - 1u, tsr_race_thread_of(entry->agent));
    return actor->clock->at[unit] >= entry->count ? RACE_BEFORE : RACE_RELIED_ON;
}

enum tsr_race_order tsr_race_order_of(const struct tsr_race_record *record,
                                      enum tsr_race_storage storage,
                                      const struct tsr_race_entry *entry, unsigned agent,
                                      bool write)
{
    const struct tsr_race_actor *actor = &record->actor;
    if (entry->agent == RACE_PACKET)
        return record->chip ? tsr_race_packet_order(record, entry) : RACE_BEFORE;
    bool over = actor->clock->at[entry->agent] >= entry->count;
    if (actor->packet && over)
        return tsr_race_store_order(record, entry);
    if (entry->agent == agent || over)
        return entry->until && write ? until_done(actor, entry) : RACE_BEFORE;
    // A core's accesses, by whichever way, are in order for itself.
    if (actor->is_core &&
        (entry->agent == RACE_CORE + actor->core || entry->agent == RACE_PORT + actor->core))
        return RACE_BEFORE;
    if (storage == TSR_RACE_DST)
        return dst_order(actor, entry, write);
    if (storage == TSR_RACE_SRC)
        return src_order(actor, entry);
    // TDMA-RISC takes a core's stores and commands in their order.
    if (storage == TSR_RACE_TDMA && actor->is_core && actor->core == TSR_RACE_AGENT_TDMA &&
        is_stored(actor, entry))
        return RACE_BEFORE;
    if (storage != TSR_RACE_GPR)
        return RACE_APART;
    // Blackhole's RDCFG is over a few cycles after its acceptance (556).
    bool by_rdcfg = is_accepted(actor, entry) && tsr_race_unit_of(entry->agent) == TSR_UNIT_CONFIG;
    // What a core stored to a GPR before it pushed (513).
    return by_rdcfg || is_stored(actor, entry) ? RACE_RELIED_ON : RACE_APART;
}

// ---------------------------------------------------------------- accesses

static enum tsr_race_kind kind_of(enum tsr_race_storage storage,
                                  const struct tsr_race_entry *earlier,
                                  const struct tsr_race_entry *later)
{
    if (earlier->agent == RACE_PACKET || later->agent == RACE_PACKET)
        return TSR_RACE_OVER_NOC;
    if (earlier->write && later->write)
        return TSR_RACE_WRITES;
    bool works_by = storage == TSR_RACE_CONFIG && !earlier->value && !later->value;
    return works_by ? TSR_RACE_ADDRESS_IN_FLIGHT : TSR_RACE_READ_WRITE;
}

static void tell_relied_on(struct tsr_race_record *record, enum tsr_race_storage storage,
                           uint32_t index, const struct tsr_race_entry *old,
                           const struct tsr_race_entry *fresh)
{
    struct tsr_race_entry earlier = *old;
    bool over_noc = old->agent == RACE_PACKET || fresh->agent == RACE_PACKET;
    enum tsr_race_kind kind = over_noc                          ? TSR_RACE_RELIED_NOC
                              : storage == TSR_RACE_DST         ? TSR_RACE_RELIED_DST
                              : storage == TSR_RACE_SRC         ? TSR_RACE_RELIED_SRC
                              : storage == TSR_RACE_GPR         ? TSR_RACE_RELIED_GPR
                              : index < 2 * TSR_RACE_BANK_CELLS ? TSR_RACE_RELIED_ADDRESS
                                                                : TSR_RACE_RELIED_CONFIG;
    if (earlier.until && !over_noc) // the wait is for the unit
        earlier.agent =
            (uint8_t)tsr_race_unit_agent(earlier.until - 1u, tsr_race_thread_of(earlier.agent));
    tsr_race_tell(record, kind, storage, index, old->mask & fresh->mask, &earlier, fresh);
}

// Atomics of requests, of one kind: each is one step, and in any order they leave the same.
static bool are_atomics(const struct tsr_race_entry *old, const struct tsr_race_entry *fresh)
{
    return old->agent == RACE_PACKET && fresh->agent == RACE_PACKET && old->until == fresh->until &&
           (old->until & RACE_ENTRY_ATOMIC);
}

// The same of the scalar unit's, of whichever threads. But a later one does not stand for an
// earlier one: their threads know different things.
static bool are_steps(const struct tsr_race_entry *old, const struct tsr_race_entry *fresh)
{
    return old->atomic && fresh->atomic;
}

// What a core has loaded from L1 others may change without waiting for it, as flags are there to be
// polled: all but writes over the NoC that are no flags.
static bool may_change(enum tsr_race_storage storage, const struct tsr_race_entry *old,
                       const struct tsr_race_entry *fresh)
{
    bool loaded = storage == TSR_RACE_L1 && !old->write && old->agent >= RACE_CORE &&
                  old->agent < RACE_CORE + RACE_LOADERS;
    return loaded && (fresh->agent != RACE_PACKET || (fresh->until & RACE_ENTRY_FLAG));
}

static bool is_use_by_matrix(const struct tsr_race_entry *entry)
{
    return !entry->write && tsr_race_is_unit(entry->agent) &&
           tsr_race_unit_of(entry->agent) == TSR_UNIT_MATRIX;
}

static unsigned uses_by_matrix(const struct tsr_race_cell *cell)
{
    unsigned uses = 0;
    for (unsigned i = 0; i < RACE_ENTRIES && cell->entry[i].mask; i++)
        uses |= (unsigned)is_use_by_matrix(&cell->entry[i]) << i;
    return uses;
}

void tsr_race_touch_cell(struct tsr_race_record *record, struct tsr_race_cell *cell,
                         enum tsr_race_storage storage, uint32_t index, struct tsr_race_entry fresh)
{
    unsigned before = 0;
    // The same access by the same agent again, and no other one in between, as in a loop.
    struct tsr_race_entry *only = &cell->entry[0];
    if (cell->entry[1].mask == 0 && only->agent == fresh.agent && only->until == fresh.until &&
        only->write == fresh.write && only->value == fresh.value && only->atomic == fresh.atomic &&
        only->mask == fresh.mask && fresh.agent != RACE_PACKET) {
        only->count = fresh.count;
        return;
    }
    record->granule = storage == TSR_RACE_L1 ? index : RACE_NO_GRANULE;
    for (unsigned i = 0; i < RACE_ENTRIES && cell->entry[i].mask; i++) {
        const struct tsr_race_entry *old = &cell->entry[i];
        enum tsr_race_order order =
            are_atomics(old, &fresh)
                ? RACE_BEFORE
                : tsr_race_order_of(record, storage, old, fresh.agent, fresh.write);
        bool conflict = (old->write || fresh.write) && (old->mask & fresh.mask) != 0 &&
                        !may_change(storage, old, &fresh) && !are_steps(old, &fresh);
        if (order != RACE_APART)
            before |= 1u << i;
        if (!conflict)
            continue;
        if (order == RACE_RELIED_ON)
            tell_relied_on(record, storage, index, old, &fresh);
        else if (order == RACE_APART)
            tsr_race_tell(record, kind_of(storage, old, &fresh), storage, index,
                          old->mask & fresh.mask, old, &fresh);
    }
    // A write into a bank has waited for the matrix unit's uses of it. They stay noted for a
    // hand-over, which may ask nobody (527).
    if (storage == TSR_RACE_SRC && fresh.write)
        before &= ~uses_by_matrix(cell);
    tsr_race_cell_note(cell, fresh, before);
}

void tsr_race_touch(struct tsr_race_record *record, enum tsr_race_storage storage, uint32_t index,
                    struct tsr_race_entry fresh)
{
    struct tsr_race_cell *cell = tsr_race_cell_at(record->cells, storage, index, true);
    if (cell)
        tsr_race_touch_cell(record, cell, storage, index, fresh);
}

void tsr_race_give_back(struct tsr_race_record *record, uint32_t bank)
{
    struct tsr_race_cell *cell = tsr_race_cell_at(record->cells, TSR_RACE_SRC, bank, true);
    struct tsr_race_entry fresh = tsr_race_entry_now(record, TSR_RACE_SRC, false, TSR_RACE_ALL);
    unsigned before = 0;
    if (!cell)
        return;
    for (unsigned i = 0; i < RACE_ENTRIES && cell->entry[i].mask; i++)
        if (tsr_race_order_of(record, TSR_RACE_SRC, &cell->entry[i], fresh.agent, false) !=
            RACE_APART)
            before |= 1u << i;
    tsr_race_cell_note(cell, fresh, before);
}

void tsr_race_hand_over(struct tsr_race_record *record, uint32_t bank)
{
    struct tsr_race_cell *cell = tsr_race_cell_at(record->cells, TSR_RACE_SRC, bank, false);
    struct tsr_race_entry fresh = tsr_race_entry_now(record, TSR_RACE_SRC, true, TSR_RACE_ALL);
    for (unsigned i = 0; cell && i < RACE_ENTRIES && cell->entry[i].mask; i++) {
        const struct tsr_race_entry *old = &cell->entry[i];
        if (is_use_by_matrix(old) &&
            tsr_race_order_of(record, TSR_RACE_SRC, old, fresh.agent, true) == RACE_APART)
            tsr_race_tell(record, TSR_RACE_READ_WRITE, TSR_RACE_SRC, bank, TSR_RACE_ALL, old,
                          &fresh);
    }
}

// Keeps a core's store to L1, which is on its way for some time, with what the core knew.
static void note_store(struct tsr_race_record *record, const struct tsr_race_access *access,
                       uint32_t step)
{
    struct tsr_race_stores *stores = &record->stores[record->actor.core];
    unsigned at = stores->count++ % RACE_STORES;
    stores->address[at] = TSR_RACE_GRANULE * access->first + (unsigned)__builtin_ctz(access->mask);
    stores->step[at] = step;
    stores->clock[at] = *record->actor.clock;
}

// What the core knew when it stored; of stores that lie further back what it knows now.
static const struct tsr_race_clock *clock_of_store(const struct tsr_race_record *record,
                                                   unsigned core, uint32_t step)
{
    for (unsigned i = 0; core < RACE_LOADERS && i < RACE_STORES; i++)
        if (record->stores[core].step[i] == step)
            return &record->stores[core].clock[i];
    return &record->core[core];
}

// A load from L1 comes after a store to the same address, and after those with three stores behind
// them (MemoryOrdering.md).
static void note_load(struct tsr_race_record *record, uint32_t address)
{
    enum { BEHIND = 3 };
    struct tsr_race_stores *stores = &record->stores[record->actor.core];
    for (unsigned back = 1; back <= RACE_STORES && back <= stores->count; back++) {
        unsigned at = (stores->count - back) % RACE_STORES;
        if ((stores->address[at] == address || back > BEHIND) &&
            stores->read_back < stores->step[at])
            stores->read_back = stores->step[at];
    }
}

void tsr_race_on_access(struct tsr_races *races, const struct tsr_race_access *access)
{
    struct tsr_race_record *record = tsr_race_record_of(races);
    enum tsr_race_storage storage = (enum tsr_race_storage)access->storage;
    if (!record->actor.there)
        return;
    struct tsr_race_entry fresh = tsr_race_entry_now(record, storage, access->write, access->mask);
    if (access->taken)
        fresh.until = 0;
    fresh.value = access->value;
    fresh.atomic = access->atomic;
    if (storage == TSR_RACE_L1 && fresh.write && record->actor.is_core &&
        record->actor.core < RACE_LOADERS)
        note_store(record, access, fresh.count);
    if (storage == TSR_RACE_LREG || storage == TSR_RACE_COUNTERS) {
        tsr_race_share(record, storage, access->first, &fresh);
        return;
    }
    uint32_t left = access->count, first = access->first;
    while (left > 0) {
        uint32_t run = left;
        struct tsr_race_cell *cell = tsr_race_cells_at(record->cells, storage, first, &run);
        for (uint32_t i = 0; cell && i < run; i++)
            tsr_race_touch_cell(record, &cell[i], storage, first + i, fresh);
        if (!cell || run == 0)
            return;
        first += run;
        left -= run;
    }
}

void tsr_race_on_expands(struct tsr_races *races, int thread, uint32_t push)
{
    enum { MOP_CONFIG_WORDS = 9 };
    struct tsr_race_record *record = tsr_race_record_of(races);
    unsigned mop = RACE_MOP + (unsigned)thread;
    struct tsr_race_entry fresh = {.agent = (uint8_t)mop, .mask = TSR_RACE_ALL, .count = push};
    if (push == 0 || record->pushes[thread] - push >= RACE_PUSHES)
        return;
    // This may happen within a core's access, which goes on then.
    struct tsr_race_actor acting = record->actor;
    struct tsr_race_clock clock = record->push[thread][push % RACE_PUSHES];
    record->actor = (struct tsr_race_actor){
        .there = true, .thread = (uint8_t)thread, .unit = TSR_UNIT_COUNT, .clock = &clock};
    for (unsigned word = 0; word < MOP_CONFIG_WORDS; word++)
        tsr_race_touch(record, TSR_RACE_MOP_CONFIG, TSR_RACE_MOP_CELLS * (unsigned)thread + word,
                       fresh);
    record->actor = acting;
}

// The core that acts finds what a request wrote. By a flag, whose bytes come at once, it learns
// what the request knew; that a longer write is over it must know by something else.
static void acquire_packet(struct tsr_race_record *record, const struct tsr_race_entry *old,
                           uint32_t mask)
{
    struct tsr_race_entry fresh = tsr_race_entry_now(record, TSR_RACE_L1, false, old->mask & mask);
    uint32_t granule = record->granule;
    enum tsr_race_order order;
    if (old->until & RACE_ENTRY_FLAG)
        tsr_race_packet_learn(record, old->count, granule);
    else if ((order = tsr_race_packet_order(record, old)) == RACE_RELIED_ON)
        tell_relied_on(record, TSR_RACE_L1, granule, old, &fresh);
    else if (order == RACE_APART)
        tsr_race_tell(record, TSR_RACE_OVER_NOC, TSR_RACE_L1, granule, fresh.mask, old, &fresh);
}

// The core that acts finds what somebody in the tile wrote. By a store of a core's or of the scalar
// unit's it learns what that knew; by what others write it learns nothing, so that is a race.
static void acquire_store(struct tsr_race_record *record, const struct tsr_race_entry *old,
                          uint32_t mask)
{
    struct tsr_race_clock learnt;
    bool by_mover = old->agent == RACE_CORE + TSR_RACE_AGENT_TDMA && old->mask == TSR_RACE_ALL;
    if (old->agent >= RACE_CORE && old->agent < RACE_PORT && !by_mover) {
        learnt = *clock_of_store(record, old->agent - RACE_CORE, old->count);
    } else if (tsr_race_is_unit(old->agent) && tsr_race_unit_of(old->agent) == TSR_UNIT_SCALAR) {
        learnt = record->unit[TSR_UNIT_SCALAR][tsr_race_thread_of(old->agent)];
    } else {
        struct tsr_race_entry fresh =
            tsr_race_entry_now(record, TSR_RACE_L1, false, old->mask & mask);
        tsr_race_tell(record, TSR_RACE_READ_WRITE, TSR_RACE_L1, record->granule, fresh.mask, old,
                      &fresh);
        return;
    }
    learnt.at[old->agent] = old->count;
    tsr_race_join(record->actor.clock, &learnt);
}

// Notes the load, which stands for the core's earlier ones.
static void note_loaded(struct tsr_race_record *record, struct tsr_race_cell *cell, uint32_t mask)
{
    struct tsr_race_entry fresh = tsr_race_entry_now(record, TSR_RACE_L1, false, mask);
    unsigned before = 0;
    for (unsigned i = 0; i < RACE_ENTRIES && cell->entry[i].mask; i++)
        before |= (unsigned)(cell->entry[i].agent == fresh.agent) << i;
    tsr_race_cell_note(cell, fresh, before);
}

// Bytes of an entry that others in the tile have overwritten, so that who loads does not find it. A
// request's are always found, as flags add to what is there; an atomic does not overwrite another.
static uint32_t written_behind(const struct tsr_race_cell *cell, unsigned at)
{
    uint32_t mask = 0;
    for (unsigned i = at + 1; i < RACE_ENTRIES && cell->entry[at].agent != RACE_PACKET; i++)
        if (cell->entry[i].write && cell->entry[i].agent != RACE_PACKET &&
            !are_steps(&cell->entry[at], &cell->entry[i]))
            mask |= cell->entry[i].mask;
    return mask;
}

// Flags in memory are how cores learn of each other, of what the scalar unit stores, and of other
// tiles: who reads such bytes comes after who wrote them.
void tsr_race_on_acquire(struct tsr_races *races, uint32_t address, unsigned size)
{
    struct tsr_race_record *record = tsr_race_record_of(races);
    const struct tsr_race_actor *actor = &record->actor;
    bool loads = record->chip && actor->is_core && actor->core < RACE_LOADERS;
    struct tsr_race_cell *cell =
        tsr_race_cell_at(record->cells, TSR_RACE_L1, address / TSR_RACE_GRANULE, loads);
    uint32_t mask = ((1u << size) - 1u) << address % TSR_RACE_GRANULE;
    if (!actor->there)
        return;
    if (loads)
        note_load(record, address);
    if (!cell)
        return;
    unsigned self = RACE_CORE + actor->core;
    record->granule = address / TSR_RACE_GRANULE;
    for (unsigned i = 0; i < RACE_ENTRIES; i++) {
        struct tsr_race_entry old = cell->entry[i];
        if (!old.write || !(old.mask & mask & ~written_behind(cell, i)))
            continue;
        if (old.agent == RACE_PACKET)
            acquire_packet(record, &old, mask);
        else if (!tsr_race_comes_before(record, TSR_RACE_L1, &old, self, false))
            acquire_store(record, &old, mask);
    }
    if (loads)
        note_loaded(record, cell, mask);
}
