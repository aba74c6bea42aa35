// SPDX-License-Identifier: Apache-2.0
// What comes before what where requests over the NoC take part. A request comes after what its core
// did before, but for stores to L1 that may still be on their way; what comes after a request is
// what is known of it: by counters of its tile, by what it wrote and a core found, and by requests
// behind it on the same virtual channel.
// Pages: NoC/Ordering.md ("Ordering properties of two packets"), NoC/Counters.md,
// BabyRISCV/MemoryOrdering.md ("Enforcing stronger ordering").
#include "observe/race_packet.h"

#include <stdlib.h>

const struct tsr_race_packet *tsr_race_packet_of(const struct tsr_race_chip *chip, uint32_t number)
{
    const struct tsr_race_packet *packet = &chip->packet[number % RACE_PACKETS];
    return packet->number == number && number != 0 ? packet : NULL;
}

// ---------------------------------------------------------------- what is known of a request

// Whether a fact of that key holds for the request.
static bool holds(const struct tsr_race_far *far, uint64_t key,
                  const struct tsr_race_packet *packet)
{
    return tsr_race_far_upto(far, key) >= packet->number;
}

static bool has_arrived(const struct tsr_race_packet *packet, const struct tsr_race_far *far)
{
    const struct tsr_race_request *request = &packet->request;
    uint64_t by_kind =
        tsr_race_fact_key(FACT_DONE_KIND, request->node, request->noc, request->kind);
    uint64_t by_id =
        tsr_race_fact_key(FACT_DONE_ID, request->node, request->noc, request->transaction);
    return request->answered && (holds(far, by_kind, packet) || holds(far, by_id, packet));
}

static bool channel_tells(const struct tsr_race_packet *packet, const struct tsr_race_far *far,
                          unsigned to)
{
    const struct tsr_race_request *request = &packet->request;
    uint64_t key = tsr_race_fact_key(FACT_CHANNEL_RELIED, request->node, to,
                                     request->channel << 1 | request->noc);
    return request->channel != 0 && (request->kind != TSR_RACE_NOC_READ || request->linked) &&
           holds(far, key, packet);
}

// What a counter of the receiver's, or the receiving stream, says of it.
static enum tsr_race_order order_at_receiver(const struct tsr_race_packet *packet,
                                             const struct tsr_race_far *far, unsigned node)
{
    const struct tsr_race_request *request = &packet->request;
    unsigned class = tsr_race_class_of(request);
    uint64_t stream = tsr_race_fact_key(FACT_DONE_STREAM, request->node, node, request->stream);
    uint64_t served = tsr_race_fact_key(FACT_SERVED, node, request->noc, class);
    uint64_t relied = tsr_race_fact_key(FACT_SERVED_RELIED, node, request->noc, class);
    if ((request->stream && holds(far, stream, packet)) || holds(far, served, packet))
        return RACE_BEFORE;
    return holds(far, relied, packet) ? RACE_RELIED_ON : RACE_APART;
}

// A write whose data are overwritten.
static enum tsr_race_order order_of_source(const struct tsr_race_packet *packet,
                                           const struct tsr_race_far *far)
{
    const struct tsr_race_request *request = &packet->request;
    uint64_t sent =
        tsr_race_fact_key(FACT_SENT_ID, request->node, request->noc, request->transaction);
    uint64_t relied =
        tsr_race_fact_key(FACT_SENT_RELIED, request->node, request->noc, request->answered);
    uint64_t stream = tsr_race_fact_key(FACT_SENT_STREAM, request->node, 0, request->stream);
    if (holds(far, sent, packet) || (request->stream && holds(far, stream, packet)))
        return RACE_BEFORE;
    return holds(far, relied, packet) || channel_tells(packet, far, request->to) ? RACE_RELIED_ON
                                                                                 : RACE_APART;
}

// Two requests of a tile to the same receiver that take one virtual channel. The page has a write
// before a read, a linked read before all, and an atomic with a response before an atomic; vendor
// kernels rely on writes and atomics to be in order (docs/errata.md, 517).
static enum tsr_race_order order_on_channel(const struct tsr_race_packet *first, bool first_writes,
                                            const struct tsr_race_packet *second)
{
    const struct tsr_race_request *a = &first->request, *b = &second->request;
    if (a->node != b->node || a->noc != b->noc || a->channel == 0 || a->channel != b->channel ||
        (!a->broadcast && a->to != b->to) || first->number > second->number)
        return RACE_APART;
    if (a->kind == TSR_RACE_NOC_READ)
        return a->linked && !first_writes ? RACE_BEFORE : RACE_APART;
    if (b->kind == TSR_RACE_NOC_READ)
        return a->kind == TSR_RACE_NOC_WRITE ? RACE_BEFORE : RACE_RELIED_ON;
    return RACE_RELIED_ON;
}

enum tsr_race_order tsr_race_packet_order(const struct tsr_race_record *record,
                                          const struct tsr_race_entry *entry)
{
    const struct tsr_race_chip *chip = record->chip;
    uint32_t granule = record->granule;
    const struct tsr_race_actor *actor = &record->actor;
    const struct tsr_race_packet *packet = tsr_race_packet_of(chip, entry->count);
    const struct tsr_race_far *far = actor->clock->far;
    unsigned role = entry->until & RACE_ROLE;
    if (!packet || packet == actor->packet || packet->over <= chip->settled ||
        has_arrived(packet, far))
        return RACE_BEFORE;
    if (role == TSR_RACE_AT_SOURCE)
        return order_of_source(packet, far);
    if (role == TSR_RACE_AT_RETURN)
        return RACE_APART;
    unsigned node = granule == RACE_NO_GRANULE ? packet->request.to : record->node;
    if (granule != RACE_NO_GRANULE &&
        tsr_race_far_upto(far, tsr_race_fact_key(FACT_FOUND, node, 0, granule)) >= packet->arrived)
        return RACE_BEFORE;
    enum tsr_race_order by_receiver = order_at_receiver(packet, far, node);
    if (by_receiver != RACE_APART)
        return by_receiver;
    if (channel_tells(packet, far, node))
        return RACE_RELIED_ON;
    return actor->packet && actor->role == TSR_RACE_AT_TARGET
               ? order_on_channel(packet, entry->write, actor->packet)
               : RACE_APART;
}

// A core's own stores to L1 that it has not read back may come later than its store to the
// interface (docs/errata.md, 518).
enum tsr_race_order tsr_race_store_order(const struct tsr_race_record *record,
                                         const struct tsr_race_entry *entry)
{
    const struct tsr_race_actor *actor = &record->actor;
    const struct tsr_race_packet *packet = actor->packet;
    return record->setup.has_ports && entry->write && actor->role == TSR_RACE_AT_SOURCE &&
                   entry->agent == RACE_CORE + packet->request.agent &&
                   packet->release->read_back < entry->count
               ? RACE_RELIED_ON
               : RACE_BEFORE;
}

// ---------------------------------------------------------------- what a request knows

// What has been released to others by the tile's own cores.
static void join_releases(const struct tsr_race_far *far, unsigned node,
                          struct tsr_race_clock *clock)
{
    uint64_t key = tsr_race_fact_key(FACT_RELEASE, node, 0, 0);
    uint64_t end = tsr_race_fact_key(FACT_RELEASE, node + 1, 0, 0);
    for (unsigned i = tsr_race_far_from(far, key); far && i < far->count && far->fact[i].key < end;
         i++)
        for (unsigned agent = 0; agent < RACE_AGENTS; agent++)
            tsr_race_raise(clock, agent, far->fact[i].release->clock.at[agent]);
}

void tsr_race_packet_clock(const struct tsr_race_packet *packet,
                           const struct tsr_race_record *record, struct tsr_race_clock *clock)
{
    *clock = (struct tsr_race_clock){.far = packet->far};
    if (!record)
        return;
    *clock = record->settled;
    clock->far = packet->far;
    join_releases(packet->far, record->node, clock);
    if (packet->release && packet->request.node == record->node)
        for (unsigned agent = 0; agent < RACE_AGENTS; agent++)
            tsr_race_raise(clock, agent, packet->release->clock.at[agent]);
}

struct tsr_race_fact tsr_race_packet_release(const struct tsr_race_packet *packet)
{
    return (struct tsr_race_fact){.key = tsr_race_release_key(&packet->request),
                                  .upto = packet->number,
                                  .release = packet->release};
}

unsigned tsr_race_packet_facts(const struct tsr_race_chip *chip,
                               const struct tsr_race_packet *packet, unsigned to, uint32_t granule,
                               struct tsr_race_fact *facts)
{
    const struct tsr_race_request *request = &packet->request;
    facts[0] = tsr_race_packet_release(packet);
    facts[1] = (struct tsr_race_fact){.key = tsr_race_fact_key(FACT_FOUND, to, 0, granule),
                                      .upto = chip->accesses};
    facts[2] =
        (struct tsr_race_fact){.key = tsr_race_fact_key(FACT_CHANNEL_RELIED, request->node, to,
                                                        request->channel << 1 | request->noc),
                               .upto = packet->number};
    return request->channel != 0 ? 3 : 2;
}

void tsr_race_packet_learn(struct tsr_race_record *record, uint32_t number, uint32_t granule)
{
    struct tsr_race_chip *chip = record->chip;
    const struct tsr_race_packet *packet = tsr_race_packet_of(chip, number);
    struct tsr_race_clock *clock = record->actor.clock, knows;
    struct tsr_race_fact facts[RACE_LEARNT];
    if (!packet)
        return;
    tsr_race_packet_clock(packet, record, &knows);
    tsr_race_join(clock, &knows);
    unsigned count = tsr_race_packet_facts(chip, packet, record->node, granule, facts);
    for (unsigned i = 0; i < count; i++)
        clock->far = tsr_race_far_with(&chip->pool, clock->far, &facts[i]);
}

struct tsr_race_release *tsr_race_release_make(struct tsr_race_chip *chip, unsigned node,
                                               unsigned agent, const struct tsr_race_clock *clock)
{
    struct tsr_race_release *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return NULL;
    fresh->next = chip->releases;
    chip->releases = fresh;
    chip->release_count++;
    fresh->node = (uint16_t)node;
    fresh->agent = (uint8_t)agent;
    if (clock)
        fresh->clock = *clock;
    fresh->clock.far = NULL;
    return fresh;
}
