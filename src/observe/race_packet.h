// SPDX-License-Identifier: Apache-2.0
// Requests over the NoC as agents, and what orders them: see race_chip.h.
// Pages: NoC/Ordering.md, NoC/Counters.md, BabyRISCV/MemoryOrdering.md.
#ifndef TESSERA_OBSERVE_RACE_PACKET_H
#define TESSERA_OBSERVE_RACE_PACKET_H

#include "observe/race_request.h"
#include "observe/race_state.h"

enum {
    RACE_PACKETS = 1 << 15, // that are remembered; those before are taken to be over
    RACE_TRANSACTIONS = 16,
    RACE_NOCS = 2
};

// What a core had done when it sent a request.
struct tsr_race_release {
    struct tsr_race_release *next;
    bool marked;
    uint16_t node;
    uint8_t agent;
    uint32_t read_back;          // so many of its steps, of those that store to L1, have reached it
    struct tsr_race_clock clock; // its facts are the request's
};

struct tsr_race_packet {
    struct tsr_race_request request;
    uint32_t number;
    uint32_t waiting;       // parts without an answer
    uint32_t arrived, over; // its first and its last access, by the chip's count
    const struct tsr_race_release *release;
    const struct tsr_race_far *far;
};

// What a tile has sent: parts that wait for an answer.
struct tsr_race_sender {
    struct tsr_race_record *record; // NULL: nobody has touched the tile
    uint32_t of_kind[RACE_NOCS][TSR_RACE_NOC_KINDS], of_id[RACE_NOCS][RACE_TRANSACTIONS];
    // And of requests to it those packets that have not arrived.
    int32_t coming[RACE_NOCS][TSR_RACE_CLASSES];
};

struct tsr_race_memory_page; // of cells

struct tsr_race_chip {
    unsigned nodes, columns, memories;
    struct tsr_race_sender *sender;
    struct tsr_race_packet *packet; // RACE_PACKETS
    uint32_t last;                  // number of a request
    uint32_t accesses;              // of requests
    uint32_t settled;               // accesses up to this one come before all that is to come
    uint32_t steps;                 // requests and deliveries, when that was
    uint32_t settled_steps;
    uint32_t found;
    struct tsr_race_packet host; // what a host knows, as if it were a request
    bool host_knows;
    unsigned memory; // that is accessed now
    struct tsr_race_far_pool pool;
    struct tsr_race_release *releases;
    unsigned release_count, collect_at;
    struct tsr_race_memory_page **page; // a hash table
    unsigned page_count, page_room;
    uint64_t key[RACE_KEYS]; // of what was found, by its hash
    unsigned keys;
};

// What a request's entry in a cell says beside its number (tsr_race_entry.until).
enum { RACE_ROLE = 3, RACE_ENTRY_FLAG = 4, RACE_ENTRY_ATOMIC = 8, RACE_ENTRY_HOST = 16 };

// NULL: forgotten.
const struct tsr_race_packet *tsr_race_packet_of(const struct tsr_race_chip *chip, uint32_t number);

// Whether a request's access comes before what who acts now does in that memory.
enum tsr_race_order tsr_race_packet_order(const struct tsr_race_record *record,
                                          const struct tsr_race_entry *entry);
// Whether a core's store to L1 was there when the request that acts now was sent.
enum tsr_race_order tsr_race_store_order(const struct tsr_race_record *record,
                                         const struct tsr_race_entry *entry);
// Who acts has found what the request wrote in its tile's L1.
void tsr_race_packet_learn(struct tsr_race_record *record, uint32_t number, uint32_t granule);
// Under which key others know of what the sender knew and had done when it sent a request.
static inline uint64_t tsr_race_release_key(const struct tsr_race_request *request)
{
    return tsr_race_fact_key(FACT_RELEASE, request->node, tsr_race_sender_of(request), 0);
}
// The same as a fact.
struct tsr_race_fact tsr_race_packet_release(const struct tsr_race_packet *packet);
// What is known of a request that is found in a receiver's memory, as facts.
enum { RACE_LEARNT = 3 };
unsigned tsr_race_packet_facts(const struct tsr_race_chip *chip,
                               const struct tsr_race_packet *packet, unsigned to, uint32_t granule,
                               struct tsr_race_fact *facts);
// What a core of a tile knows now. NULL: no memory.
struct tsr_race_release *tsr_race_release_make(struct tsr_race_chip *chip, unsigned node,
                                               unsigned agent, const struct tsr_race_clock *clock);
// What the request knows, as it acts in that tile (or in none: NULL).
void tsr_race_packet_clock(const struct tsr_race_packet *packet,
                           const struct tsr_race_record *record, struct tsr_race_clock *clock);

void tsr_race_packet_place(const struct tsr_race_record *record, const struct tsr_race_entry *entry,
                           struct tsr_race_place *place);
// The wait that is missing, where a request is one of the two.
void tsr_race_packet_wait(const struct tsr_race_record *record, struct tsr_race_found *race,
                          const struct tsr_race_entry *earlier, const struct tsr_race_entry *later);

#endif
