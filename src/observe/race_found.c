// SPDX-License-Identifier: Apache-2.0
// Two accesses that nothing orders, told once for a pair of places.
// Pages: STALLWAIT.md of each chip, PushTensixInstruction.md.
#include "observe/race_packet.h"

#include "base/port.h"

static struct tsr_race_place place_of(const struct tsr_race_record *record,
                                      const struct tsr_race_entry *entry)
{
    struct tsr_race_place place = {.thread = -1, .core = -1, .write = entry->write};
    if (entry->agent == RACE_PACKET) {
        tsr_race_packet_place(record, entry, &place);
        return place;
    }
    if (entry->agent >= RACE_MOP) { // the MOP's push is all that is known
        place.thread = (int)(entry->agent - RACE_MOP);
        place.unit = TSR_UNIT_COUNT;
        return place;
    }
    if (entry->agent >= RACE_CORE) {
        unsigned core = entry->agent;
        core -= entry->agent >= RACE_PORT ? RACE_PORT : RACE_CORE;
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
    uint64_t what = place->core >= 0 ? place->pc == 0 && place->write
                    : place->pc      ? place->request ? 0 : place->word >> 24
                                     : word_key(isa, place->word);
    return ((who << 32 | what) * 0x9e3779b97f4a7c15u) ^ ((uint64_t)place->pc << 8);
}

// False: the two places have been told before: by this tile or, over the NoC, by any.
static bool is_new(struct tsr_race_record *record, const struct tsr_race_found *race)
{
    bool over_noc = race->earlier.request || race->later.request;
    uint64_t *keys = over_noc ? record->chip->key : record->key;
    unsigned *count = over_noc ? &record->chip->keys : &record->keys;
    const struct tsr_isa *isa = record->setup.isa;
    // The same whichever of the two came first in this run.
    uint64_t a = place_key(isa, &race->earlier), b = place_key(isa, &race->later);
    uint64_t key = (a ^ b) * 31 + (a + b) + (uint64_t)race->storage * 0xff51afd7ed558ccdu +
                   (race->kind >= TSR_RACE_RELIED_ADDRESS ? 3 : 1);
    unsigned slot = (unsigned)(key >> 40) % RACE_KEYS;
    for (; keys[slot] != 0; slot = (slot + 1) % RACE_KEYS)
        if (keys[slot] == key)
            return false;
    if (*count >= RACE_KEYS / 2)
        return false;
    ++*count;
    keys[slot] = key;
    return true;
}

static const struct tsr_race_packet *request_of(const struct tsr_race_record *record,
                                                const struct tsr_race_entry *entry)
{
    return entry->agent == RACE_PACKET ? tsr_race_packet_of(record->chip, entry->count) : NULL;
}

// Whose record tells: that of the tile that has sent the request which is named second, so that the
// place is one of its own; else that of the tile in which it was found.
static struct tsr_race_record *teller(struct tsr_race_record *record,
                                      const struct tsr_race_entry *second)
{
    const struct tsr_race_packet *packet = request_of(record, second);
    return packet ? record->chip->sender[packet->request.node].record : record;
}

static void put_tile(const struct tsr_race_chip *chip, unsigned node, unsigned *x, unsigned *y)
{
    *x = node % chip->columns;
    *y = node / chip->columns;
}

// In whose tile a place is, as seen from the one that tells.
static void place_tile(const struct tsr_race_record *record, const struct tsr_race_record *home,
                       const struct tsr_race_entry *entry, struct tsr_race_place *place)
{
    const struct tsr_race_packet *packet = request_of(record, entry);
    unsigned node = packet ? packet->request.node : record->node;
    place->elsewhere = node != home->node;
    put_tile(record->chip, node, &place->x, &place->y);
}

static void place_tiles(const struct tsr_race_record *record, const struct tsr_race_record *home,
                        const struct tsr_race_entry *earlier, const struct tsr_race_entry *later,
                        struct tsr_race_found *race)
{
    place_tile(record, home, earlier, &race->earlier);
    place_tile(record, home, later, &race->later);
    race->elsewhere = race->storage == TSR_RACE_L1 && record != home;
    put_tile(record->chip, record->node, &race->x, &race->y);
    if (race->storage == TSR_RACE_MEMORY)
        race->memory = record->chip->memory;
    record->chip->found++;
}

// Whether the two are a request, and what its sender does: a request or an access of its own.
static bool is_of_sender(const struct tsr_race_record *record, const struct tsr_race_entry *entry,
                         const struct tsr_race_request *request)
{
    const struct tsr_race_packet *packet = request_of(record, entry);
    if (packet)
        return packet->request.node == request->node &&
               tsr_race_sender_of(&packet->request) == tsr_race_sender_of(request);
    return record->node == request->node && !request->stream &&
           entry->agent == RACE_CORE + request->agent;
}

// Whether what the sender of a request has done comes behind it in its program.
static bool is_behind(const struct tsr_race_record *record, const struct tsr_race_entry *entry,
                      const struct tsr_race_packet *request)
{
    const struct tsr_race_packet *packet = request_of(record, entry);
    if (!is_of_sender(record, entry, &request->request))
        return false;
    return packet ? packet->number > request->number
                  : request->release && request->release->clock.at[entry->agent] < entry->count;
}

// Of two accesses by one sender the earlier one is that which comes first in its program.
static void put_in_order(const struct tsr_race_record *record,
                         const struct tsr_race_entry **earlier, const struct tsr_race_entry **later)
{
    const struct tsr_race_entry *first = *earlier, *second = *later;
    const struct tsr_race_packet *packet = request_of(record, second);
    if (!packet || !is_behind(record, first, packet))
        return;
    *earlier = second;
    *later = first;
}

// If no program orders the two, it is chance which one comes first in a run, so that they are named
// in a fixed order: a request before an access, and two requests by their tiles, then senders.
static bool is_reversed(const struct tsr_race_record *record, const struct tsr_race_entry *earlier,
                        const struct tsr_race_entry *later)
{
    const struct tsr_race_packet *first = request_of(record, earlier);
    const struct tsr_race_packet *second = request_of(record, later);
    if (!first || !second)
        return second && !is_of_sender(record, earlier, &second->request);
    const struct tsr_race_request *a = &first->request, *b = &second->request;
    if (a->node != b->node)
        return a->node > b->node;
    return tsr_race_sender_of(a) > tsr_race_sender_of(b);
}

// A read by a host, which is judged (race_host.c).
static bool is_host_read(const struct tsr_race_entry *entry)
{
    return entry->agent == RACE_PACKET && (entry->until & RACE_ENTRY_HOST);
}

// One of the two is a request. Returns the record that tells it.
static struct tsr_race_record *tell_over_noc(struct tsr_race_record *record,
                                             struct tsr_race_found *race,
                                             const struct tsr_race_entry *earlier,
                                             const struct tsr_race_entry *later)
{
    bool reversed = !is_host_read(later) && is_reversed(record, earlier, later);
    struct tsr_race_record *home = teller(record, reversed ? earlier : later);
    place_tiles(record, home, earlier, later, race);
    tsr_race_packet_wait(record, race, earlier, later);
    if (reversed) {
        struct tsr_race_place kept = race->earlier;
        race->earlier = race->later;
        race->later = kept;
    }
    return home;
}

// A host itself, not a stream that it has started.
static bool is_host(const struct tsr_race_record *record, const struct tsr_race_entry *entry,
                    const struct tsr_race_place *place)
{
    const struct tsr_race_packet *packet = request_of(record, entry);
    return place->core == TSR_AGENT_HOST && !(packet && packet->request.stream);
}

void tsr_race_tell(struct tsr_race_record *record, enum tsr_race_kind kind,
                   enum tsr_race_storage storage, uint32_t cell, uint32_t mask,
                   const struct tsr_race_entry *earlier, const struct tsr_race_entry *later)
{
    if (!record->setup.wants(record->setup.user, kind))
        return;
    put_in_order(record, &earlier, &later);
    struct tsr_race_found race = {.kind = kind,
                                  .storage = storage,
                                  .cell = cell,
                                  .mask = mask,
                                  .earlier = place_of(record, earlier),
                                  .later = place_of(record, later)};
    // Nobody inside knows what a host knows, so its other accesses are not told.
    if (is_host(record, earlier, &race.earlier) ||
        (is_host(record, later, &race.later) && !is_host_read(later)))
        return;
    if (!is_new(record, &race))
        return;
    struct tsr_race_record *home = record;
    if (kind == TSR_RACE_OVER_NOC || kind == TSR_RACE_RELIED_NOC)
        home = tell_over_noc(record, &race, earlier, later);
    else
        tsr_race_wait_text(record, &race, earlier, later);
    home->setup.found(home->setup.user, &race);
}
