// SPDX-License-Identifier: Apache-2.0
// Races over the NoCs of a chip: the records of its tiles know of each other by the requests that
// tiles send, by what these do to memories, and by the counters that tell when they are done.
// Pages: NoC/Ordering.md, NoC/Counters.md, NoC/MemoryMap.md, BabyRISCV/MemoryOrdering.md.
#ifndef TESSERA_OBSERVE_RACE_CHIP_H
#define TESSERA_OBSERVE_RACE_CHIP_H

#include "observe/race_request.h"

#include <stddef.h>

struct tsr_race_chip;

// A memory that the NoC reaches: a Tensix tile's L1, or another one by its number.
struct tsr_race_memory {
    bool l1;
    uint16_t node, number;
};

// NULL: no memory. `columns`: of the grid, whose nodes count row by row.
struct tsr_race_chip *tsr_race_chip_create(unsigned nodes, unsigned columns, unsigned memories);
void tsr_race_chip_destroy(struct tsr_race_chip *chip); // NULL is allowed
void tsr_race_chip_reset(struct tsr_race_chip *chip);
// The tile of a node has a record from here on.
void tsr_race_chip_attach(struct tsr_race_chip *chip, unsigned node, struct tsr_races *races);

// A tile sends a request. Returns its number, by which all else is told of it; 0: it is not looked
// at.
uint32_t tsr_race_chip_send(struct tsr_race_chip *chip, const struct tsr_race_request *request);
// The request accesses bytes of a memory.
void tsr_race_chip_access(struct tsr_race_chip *chip, uint32_t number, enum tsr_race_role role,
                          const struct tsr_race_memory *memory, uint64_t address, size_t size,
                          bool write);
// The request is about to store into a register of the node's tile.
void tsr_race_chip_signal(struct tsr_race_chip *chip, uint32_t number, unsigned node);
// Before a request is sent: so many of its packets go to that node.
void tsr_race_chip_expect(struct tsr_race_chip *chip, const struct tsr_race_request *request,
                          unsigned node, uint32_t packets);
// One of the request's packets has been carried out at that node.
void tsr_race_chip_served(struct tsr_race_chip *chip, uint32_t number, unsigned node);
// One of the request's packets told a stream of the node that it has come.
void tsr_race_chip_to_stream(struct tsr_race_chip *chip, uint32_t number, unsigned node,
                             unsigned stream);
// A part of the request has been answered.
void tsr_race_chip_answer(struct tsr_race_chip *chip, uint32_t number);

// The counter's name, and which of those with that name it is.
struct tsr_race_counter_name {
    const char *name;
    unsigned number;
};
enum tsr_race_counter {
    TSR_RACE_OF_KIND,
    TSR_RACE_OF_ID,
    TSR_RACE_OUTGOING,
    TSR_RACE_HAS_LEFT,
    TSR_RACE_SERVED,        // of requests to the tile, of a class
    TSR_RACE_SERVED_RELIED, // the same, by a counter that goes up before
    TSR_RACE_NO_COUNTER
};
// Who acts in the tile loads a counter of requests of a kind, or of a transaction.
// TSR_RACE_HAS_LEFT has `which` 1 for those with a response, else 0. `all`: no request that it
// counts is missing, as far as the interface knows, where the record does not know itself.
void tsr_race_chip_counter(struct tsr_race_chip *chip, unsigned node, unsigned noc,
                           enum tsr_race_counter counter, unsigned which, bool all,
                           struct tsr_race_counter_name name);
// A host acts: what was comes before what will be. `busy`: the tile's own work goes on.
void tsr_race_chip_settle(struct tsr_race_chip *chip, bool (*busy)(void *user, unsigned node),
                          void *user);
// A host reads memory.
void tsr_race_chip_host_read(struct tsr_race_chip *chip, const struct tsr_race_memory *memory,
                             uint64_t address, size_t size);
// Between two windows: memory that nobody needs any more is freed.
void tsr_race_chip_collect(struct tsr_race_chip *chip);
// How many races have been found.
uint32_t tsr_race_chip_found(const struct tsr_race_chip *chip);

#endif
