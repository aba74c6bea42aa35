// SPDX-License-Identifier: Apache-2.0
// The chip's part of the record: requests, what they access, and what counters tell of them; see
// race_chip.h. Pages: NoC/Ordering.md, NoC/Counters.md.
#include "observe/race_chip.h"

#include "base/port.h"
#include "observe/race_memory.h"
#include "observe/race_packet.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_COLLECTION = 4096 }; // facts and releases that are there before any are collected

// ---------------------------------------------------------------- making one

struct tsr_race_chip *tsr_race_chip_create(unsigned nodes, unsigned columns, unsigned memories)
{
    struct tsr_race_chip *chip = calloc(1, sizeof *chip);
    if (!chip)
        return NULL;
    chip->nodes = nodes;
    chip->columns = columns;
    chip->memories = memories;
    chip->sender = calloc(nodes, sizeof *chip->sender);
    chip->packet = calloc(RACE_PACKETS, sizeof *chip->packet);
    if (!chip->sender || !chip->packet) {
        tsr_race_chip_destroy(chip);
        return NULL;
    }
    tsr_race_chip_reset(chip);
    return chip;
}

static void forget(struct tsr_race_chip *chip)
{
    for (unsigned i = 0; chip->packet && i < RACE_PACKETS; i++)
        chip->packet[i].number = 0;
    tsr_race_far_sweep(&chip->pool); // nothing is marked
    while (chip->releases) {
        struct tsr_race_release *release = chip->releases;
        chip->releases = release->next;
        free(release);
    }
    tsr_race_memory_clear(chip);
}

void tsr_race_chip_destroy(struct tsr_race_chip *chip)
{
    if (!chip)
        return;
    forget(chip);
    free(chip->sender);
    free(chip->packet);
    free(chip);
}

void tsr_race_chip_reset(struct tsr_race_chip *chip)
{
    forget(chip);
    struct tsr_race_chip fresh = {.nodes = chip->nodes,
                                  .columns = chip->columns,
                                  .memories = chip->memories,
                                  .sender = chip->sender,
                                  .packet = chip->packet,
                                  .accesses = 1,
                                  .host.request = {.node = UINT16_MAX, .agent = TSR_AGENT_HOST},
                                  .collect_at = FIRST_COLLECTION};
    *chip = fresh;
    memset(chip->packet, 0, RACE_PACKETS * sizeof *chip->packet);
    for (unsigned i = 0; i < chip->nodes; i++) {
        struct tsr_race_record *record = chip->sender[i].record;
        chip->sender[i] = (struct tsr_race_sender){.record = record};
    }
}

void tsr_race_chip_attach(struct tsr_race_chip *chip, unsigned node, struct tsr_races *races)
{
    struct tsr_race_record *record = tsr_race_record_of(races);
    record->chip = chip;
    record->node = (uint16_t)node;
    chip->sender[node].record = record;
}

uint32_t tsr_race_chip_found(const struct tsr_race_chip *chip)
{
    return chip->found;
}

// ---------------------------------------------------------------- requests

// What comes before it: what its core did and knows, or what its stream was told.
static const struct tsr_race_release *release(struct tsr_race_chip *chip,
                                              struct tsr_race_record *record,
                                              const struct tsr_race_request *request,
                                              const struct tsr_race_clock *known)
{
    struct tsr_race_release *fresh =
        tsr_race_release_make(chip, request->node, tsr_race_sender_of(request), known);
    if (fresh && request->agent < RACE_LOADERS)
        fresh->read_back = record->stores[request->agent].read_back;
    return fresh;
}

uint32_t tsr_race_chip_send(struct tsr_race_chip *chip, const struct tsr_race_request *request)
{
    struct tsr_race_sender *sender = &chip->sender[request->node];
    struct tsr_race_record *record = sender->record;
    if (!record)
        return 0;
    const struct tsr_race_clock *clock =
        request->stream       ? &record->stream[(request->stream - 1u) % RACE_STREAMS]
        : record->actor.there ? record->actor.clock
                              : NULL;
    if (clock && !request->stream)
        tsr_race_step(record);
    const struct tsr_race_release *known = release(chip, record, request, clock);
    if (!known)
        return 0;
    uint32_t number = ++chip->last;
    struct tsr_race_packet *packet = &chip->packet[number % RACE_PACKETS];
    *packet = (struct tsr_race_packet){.request = *request,
                                       .number = number,
                                       .waiting = request->parts,
                                       .arrived = UINT32_MAX,
                                       .over = UINT32_MAX,
                                       .release = known,
                                       .far = clock ? clock->far : NULL};
    if (request->answered) {
        sender->of_kind[request->noc][request->kind] += request->parts;
        sender->of_id[request->noc][request->transaction] += request->parts;
    }
    chip->steps++;
    return number;
}

void tsr_race_chip_answer(struct tsr_race_chip *chip, uint32_t number)
{
    struct tsr_race_packet *packet = &chip->packet[number % RACE_PACKETS];
    const struct tsr_race_request *request = &packet->request;
    struct tsr_race_sender *sender = &chip->sender[request->node];
    if (packet->number != number || packet->waiting == 0 || !request->answered)
        return;
    packet->waiting--;
    sender->of_kind[request->noc][request->kind]--;
    sender->of_id[request->noc][request->transaction]--;
}

// ---------------------------------------------------------------- arrivals

void tsr_race_chip_expect(struct tsr_race_chip *chip, const struct tsr_race_request *request,
                          unsigned node, uint32_t packets)
{
    if (node < chip->nodes)
        chip->sender[node].coming[request->noc][tsr_race_class_of(request)] += (int32_t)packets;
}

void tsr_race_chip_served(struct tsr_race_chip *chip, uint32_t number, unsigned node)
{
    const struct tsr_race_packet *packet = tsr_race_packet_of(chip, number);
    if (packet)
        chip->sender[node].coming[packet->request.noc][tsr_race_class_of(&packet->request)]--;
}

void tsr_race_chip_to_stream(struct tsr_race_chip *chip, uint32_t number, unsigned node,
                             unsigned stream)
{
    const struct tsr_race_packet *packet = tsr_race_packet_of(chip, number);
    struct tsr_race_record *record = chip->sender[node].record;
    struct tsr_race_clock clock;
    if (!packet || !record)
        return;
    const struct tsr_race_request *request = &packet->request;
    tsr_race_packet_clock(packet, record, &clock);
    const struct tsr_race_fact facts[] = {
        tsr_race_packet_release(packet),
        {.key = tsr_race_fact_key(FACT_DONE_STREAM, request->node, node, request->stream),
         .upto = number}};
    for (unsigned i = 0; i < (request->stream ? 2 : 1); i++)
        clock.far = tsr_race_far_with(&chip->pool, clock.far, &facts[i]);
    tsr_race_join(&record->stream[stream % RACE_STREAMS], &clock);
}

// ---------------------------------------------------------------- accesses

// From here on the request acts in the record. Returns who did before, to be put back.
static struct tsr_race_actor act(struct tsr_race_record *record,
                                 const struct tsr_race_packet *packet, enum tsr_race_role role,
                                 struct tsr_race_clock *clock)
{
    struct tsr_race_actor before = record->actor;
    record->actor = (struct tsr_race_actor){.there = true,
                                            .unit = TSR_UNIT_COUNT,
                                            .role = (uint8_t)role,
                                            .packet = packet,
                                            .clock = clock};
    return before;
}

static void touch_l1(struct tsr_race_record *record, struct tsr_race_entry fresh, uint64_t address,
                     size_t size)
{
    while (size > 0) {
        unsigned first = address % TSR_RACE_GRANULE;
        size_t part = TSR_RACE_GRANULE - first < size ? TSR_RACE_GRANULE - first : size;
        fresh.mask = ((1u << part) - 1u) << first;
        tsr_race_touch(record, TSR_RACE_L1, (uint32_t)(address / TSR_RACE_GRANULE), fresh);
        address += part;
        size -= part;
    }
}

static void touch_memory(struct tsr_race_record *record, struct tsr_race_entry fresh,
                         unsigned memory, uint64_t address, size_t size)
{
    enum { UNIT = TSR_RACE_MEMORY_UNIT };
    uint64_t end = address + size;
    record->chip->memory = memory;
    while (address < end) {
        uint64_t granule = address / TSR_RACE_MEMORY_BYTES, base = granule * TSR_RACE_MEMORY_BYTES;
        uint64_t last = end - base < TSR_RACE_MEMORY_BYTES ? end - base : TSR_RACE_MEMORY_BYTES;
        unsigned from = (unsigned)(address - base) / UNIT;
        unsigned to = (unsigned)(last + UNIT - 1) / UNIT;
        struct tsr_race_cell *cell = tsr_race_memory_cell(record->chip, memory, granule);
        fresh.mask = (uint32_t)(((1ull << (to - from)) - 1) << from);
        if (cell)
            tsr_race_touch_cell(record, cell, TSR_RACE_MEMORY, (uint32_t)granule, fresh);
        address = base + TSR_RACE_MEMORY_BYTES;
    }
}

// An atomic carries on what those before it told (and stands for them in the cell).
static void absorb_atomics(struct tsr_race_chip *chip, struct tsr_race_record *record,
                           struct tsr_race_packet *packet, uint64_t address)
{
    const struct tsr_race_cell *cell =
        tsr_race_cell_at(record->cells, TSR_RACE_L1, (uint32_t)(address / TSR_RACE_GRANULE), false);
    unsigned wanted = TSR_RACE_AT_TARGET | RACE_ENTRY_FLAG | RACE_ENTRY_ATOMIC;
    struct tsr_race_fact facts[RACE_LEARNT];
    for (unsigned i = 0; cell && i < RACE_ENTRIES && cell->entry[i].mask; i++) {
        const struct tsr_race_entry *entry = &cell->entry[i];
        const struct tsr_race_packet *other =
            entry->agent == RACE_PACKET && entry->until == wanted &&
                    (entry->mask & 1u << address % TSR_RACE_GRANULE)
                ? tsr_race_packet_of(chip, entry->count)
                : NULL;
        if (!other || other == packet)
            continue;
        unsigned count = tsr_race_packet_facts(chip, other, record->node,
                                               (uint32_t)(address / TSR_RACE_GRANULE), facts);
        packet->far = tsr_race_far_join(packet->far, other->far);
        for (unsigned k = 0; k < count; k++)
            packet->far = tsr_race_far_with(&chip->pool, packet->far, &facts[k]);
    }
}

static struct tsr_race_entry entry_of(const struct tsr_race_packet *packet, enum tsr_race_role role,
                                      bool write)
{
    const struct tsr_race_request *request = &packet->request;
    bool flag = request->flag && role == TSR_RACE_AT_TARGET;
    unsigned bits = (unsigned)role | (flag ? RACE_ENTRY_FLAG : 0u) |
                    (request->kind == TSR_RACE_NOC_ATOMIC ? RACE_ENTRY_ATOMIC : 0u);
    return (struct tsr_race_entry){
        .agent = RACE_PACKET, .until = (uint8_t)bits, .write = write, .count = packet->number};
}

void tsr_race_chip_access(struct tsr_race_chip *chip, uint32_t number, enum tsr_race_role role,
                          const struct tsr_race_memory *memory, uint64_t address, size_t size,
                          bool write)
{
    struct tsr_race_packet *packet = &chip->packet[number % RACE_PACKETS];
    if (number == 0 || packet->number != number || size == 0)
        return;
    struct tsr_race_record *own = chip->sender[packet->request.node].record;
    struct tsr_race_record *record = memory->l1 ? chip->sender[memory->node].record : own;
    struct tsr_race_clock clock;
    chip->accesses++;
    if (packet->arrived == UINT32_MAX && role == TSR_RACE_AT_TARGET)
        packet->arrived = chip->accesses;
    if (role != TSR_RACE_AT_SOURCE)
        packet->over = chip->accesses;
    if (!record)
        return;
    tsr_race_packet_clock(packet, memory->l1 ? record : NULL, &clock);
    if (memory->l1 && packet->request.kind == TSR_RACE_NOC_ATOMIC && role == TSR_RACE_AT_TARGET)
        absorb_atomics(chip, record, packet, address);
    struct tsr_race_actor before = act(record, packet, role, &clock);
    if (memory->l1)
        touch_l1(record, entry_of(packet, role, write), address, size);
    else
        touch_memory(record, entry_of(packet, role, write), memory->number, address, size);
    record->actor = before;
}

// A store from outside acts in a tile as its host does.
void tsr_race_chip_signal(struct tsr_race_chip *chip, uint32_t number, unsigned node)
{
    const struct tsr_race_packet *packet = tsr_race_packet_of(chip, number);
    struct tsr_race_record *record = chip->sender[node].record;
    struct tsr_race_clock clock;
    if (!packet || !record)
        return;
    tsr_race_packet_clock(packet, record, &clock);
    const struct tsr_race_fact released = tsr_race_packet_release(packet);
    clock.far = tsr_race_far_with(&chip->pool, clock.far, &released);
    tsr_race_join(&record->core[TSR_AGENT_HOST], &clock);
}

// ---------------------------------------------------------------- counters

// Whether what the core's load of a counter tells counts: not if the caller has this load ignored,
// to see what it is needed for. The load is noted for the list of waits, once for each place.
static bool counts_as_wait(struct tsr_race_record *record, unsigned noc,
                           struct tsr_race_counter_name name)
{
    unsigned core = record->actor.core;
    uint32_t pc = record->core_pc[core][0];
    if (!record->setup.has_ports || pc == 0) // the caller plays the cores
        return true;
    bool listed = false;
    for (int i = 0; i < record->load_count && !listed; i++)
        listed = record->loads[i].place.core == (int)core && record->loads[i].place.pc == pc;
    if (!listed && record->load_count < RACE_LOADS)
        record->loads[record->load_count++] =
            (struct tsr_race_latched){.place = {.thread = -1, .core = (int)core, .pc = pc},
                                      .counter = name.name,
                                      .number = name.number,
                                      .noc = noc};
    return !tsr_race_is_ignored(record, TSR_THREADS + core, pc);
}

void tsr_race_chip_counter(struct tsr_race_chip *chip, unsigned node, unsigned noc,
                           enum tsr_race_counter counter, unsigned which, bool all,
                           struct tsr_race_counter_name name)
{
    static const enum tsr_race_fact_kind kinds[] = {
        [TSR_RACE_OF_KIND] = FACT_DONE_KIND, [TSR_RACE_OF_ID] = FACT_DONE_ID,
        [TSR_RACE_OUTGOING] = FACT_SENT_ID,  [TSR_RACE_HAS_LEFT] = FACT_SENT_RELIED,
        [TSR_RACE_SERVED] = FACT_SERVED,     [TSR_RACE_SERVED_RELIED] = FACT_SERVED_RELIED};
    const struct tsr_race_sender *sender = &chip->sender[node];
    struct tsr_race_record *record = sender->record;
    if (!record || !record->actor.there || !record->actor.is_core)
        return;
    if (counter == TSR_RACE_OF_KIND)
        all = sender->of_kind[noc][which] == 0;
    else if (counter == TSR_RACE_OF_ID)
        all = sender->of_id[noc][which] == 0;
    else if (counter == TSR_RACE_SERVED || counter == TSR_RACE_SERVED_RELIED)
        all = sender->coming[noc][which] == 0;
    if (!all || chip->last == 0 || !counts_as_wait(record, noc, name))
        return;
    const struct tsr_race_fact fact = {.key = tsr_race_fact_key(kinds[counter], node, noc, which),
                                       .upto = chip->last};
    record->actor.clock->far = tsr_race_far_with(&chip->pool, record->actor.clock->far, &fact);
}

// ---------------------------------------------------------------- hosts

void tsr_race_chip_settle(struct tsr_race_chip *chip, bool (*busy)(void *user, unsigned node),
                          void *user)
{
    if (chip->settled_steps == chip->steps)
        return;
    chip->settled_steps = chip->steps;
    chip->settled = chip->accesses;
    chip->host_knows = false;
    for (unsigned node = 0; node < chip->nodes; node++) {
        struct tsr_race_record *record = chip->sender[node].record;
        if (!record)
            continue;
        tsr_race_everything(record, &record->settled);
        record->settled.far = NULL;
        if (!busy(user, node))
            tsr_race_join_everything(record);
    }
}

// ---------------------------------------------------------------- memory

static void mark_packets(struct tsr_race_chip *chip)
{
    tsr_race_far_mark(chip->host.far);
    for (unsigned i = 0; i < RACE_PACKETS; i++) {
        const struct tsr_race_packet *packet = &chip->packet[i];
        if (packet->number == 0)
            continue;
        ((struct tsr_race_release *)packet->release)->marked = true;
        tsr_race_far_mark(packet->far);
    }
}

static void mark_releases(struct tsr_race_chip *chip)
{
    for (const struct tsr_race_far *far = chip->pool.all; far; far = far->next)
        for (unsigned i = 0; far->marked && i < far->count; i++)
            if (far->fact[i].release)
                ((struct tsr_race_release *)far->fact[i].release)->marked = true;
}

void tsr_race_chip_collect(struct tsr_race_chip *chip)
{
    chip->steps++;
    if (chip->pool.count + chip->release_count < chip->collect_at)
        return;
    for (unsigned node = 0; node < chip->nodes; node++)
        if (chip->sender[node].record)
            tsr_race_mark_clocks(chip->sender[node].record);
    mark_packets(chip);
    mark_releases(chip);
    tsr_race_far_sweep(&chip->pool);
    for (struct tsr_race_release **link = &chip->releases; *link;) {
        struct tsr_race_release *each = *link;
        if (each->marked) {
            each->marked = false;
            link = &each->next;
            continue;
        }
        *link = each->next;
        chip->release_count--;
        free(each);
    }
    chip->collect_at = 2 * (chip->pool.count + chip->release_count) + FIRST_COLLECTION;
}
