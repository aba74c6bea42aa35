// SPDX-License-Identifier: Apache-2.0
// What the record of races remembers. race_record.c knows who acts, race_access.c and race_config.c
// judge accesses, race_order.c knows what orders them, race_found.c tells what was found,
// race_wait.c which wait is missing. Pages: those of race_finding.h.
#ifndef TESSERA_OBSERVE_RACE_STATE_H
#define TESSERA_OBSERVE_RACE_STATE_H

#include "observe/race_cells.h"
#include "observe/race_clock.h"
#include "observe/race_finding.h"

enum {
    RACE_QUEUE = 16,   // accepted and not executed, of a unit
    RACE_PUSHES = 512, // of a thread, whose order is kept
    RACE_STEPS = 64,   // posts, and gets, of a semaphore
    RACE_SEMAPHORES = 8,
    RACE_MUTEXES = 8,
    RACE_PACKERS = 4,
    RACE_CHANNEL_WORDS = 16, // on their way through a mailbox or a PC buffer
    RACE_WORDS = 1 << 16     // of a thread, and accesses of a core: for places
};

// An instruction that waits for its unit, with what its thread knew.
struct tsr_race_accepted {
    struct tsr_race_clock clock;
    uint64_t sequence;
    uint8_t thread;
    bool there;
};

// A latched wait: what it blocks is ordered after what it waits for, and so is what follows that.
struct tsr_race_pending {
    bool there;
    uint16_t block;
    uint64_t sequence;
    uint32_t packed[RACE_PACKERS]; // packed[] of the record then
    struct tsr_race_clock base;    // what the thread knew then
    struct tsr_race_clock clock;   // what it knows when the wait has ended
};

// A post or a get.
struct tsr_race_step {
    uint8_t agent;
    uint32_t count;
    struct tsr_race_clock clock;
};

struct tsr_race_semaphore {
    uint32_t max, posts, gets; // a SEMINIT's value counts as posts
    struct tsr_race_step post[RACE_STEPS], get[RACE_STEPS];
};

struct tsr_race_channel {
    struct tsr_race_clock word[RACE_CHANNEL_WORDS];
    uint32_t sent, received;
};

struct tsr_race_word {
    uint32_t word, pc;
};

struct tsr_race_packet;
struct tsr_race_chip;

// Who does what is told now.
struct tsr_race_actor {
    bool there, is_core, executes;
    uint8_t thread, unit, core;
    uint8_t role;                         // of a request over the NoC
    const struct tsr_race_packet *packet; // NULL: none
    uint64_t sequence;
    struct tsr_race_clock *clock;
    struct tsr_race_accepted *accepted;
};

// Parts that threads alone access: who wrote and read each last, by its sequence number.
struct tsr_race_shared {
    uint8_t users;                     // a bit for each thread
    uint32_t last[2][TSR_THREADS][32]; // reads, writes
};
enum { RACE_SHARED = 4 * TSR_THREADS + 1 }; // ADCs, LRegs

enum { RACE_TRACKED = 8 }; // resources of Auto TTSync (frontend/auto_sync.c)

// A core's last stores to L1 with what it knew then, and up to which of its steps they are known to
// be there, because it has loaded from L1 since.
enum { RACE_LOADERS = 5, RACE_STORES = 8 };
struct tsr_race_stores {
    uint32_t address[RACE_STORES], step[RACE_STORES], count, read_back;
    struct tsr_race_clock clock[RACE_STORES];
};

enum { RACE_IRQS = 32, RACE_STREAMS = 64, RACE_STREAM_LOADS = 256, RACE_NO_GRANULE = 0xffffffffu };

// A register of a stream as it was loaded last: what its value told.
struct tsr_race_stream_load {
    bool there;
    uint16_t reg; // of all streams
    uint32_t value;
    struct tsr_race_clock told;
};

enum { RACE_KEYS = 4096, RACE_LOADS = 64 };

struct tsr_race_record {
    struct tsr_races races;
    struct tsr_race_setup setup;
    struct tsr_race_cells *cells;
    struct tsr_race_clock thread[TSR_THREADS];
    struct tsr_race_clock unit[TSR_UNIT_COUNT][TSR_THREADS];
    struct tsr_race_clock core[RACE_CORES];
    struct tsr_race_clock work; // of the instruction that executes
    struct tsr_race_accepted accepted[TSR_UNIT_COUNT][RACE_QUEUE];
    struct tsr_race_pending pending[TSR_THREADS];
    uint32_t packed[TSR_THREADS][RACE_PACKERS]; // the last instruction of each packer
    struct tsr_race_semaphore semaphore[RACE_SEMAPHORES];
    struct tsr_race_clock mutex[RACE_MUTEXES];
    struct tsr_race_clock handed_over[2][2], given_back[2][2]; // side, bank
    struct tsr_race_channel channel[TSR_RACE_CHANNELS];
    struct tsr_race_clock push[TSR_THREADS][RACE_PUSHES];
    uint32_t pushes[TSR_THREADS];
    // Configuration of units: the last use by each unit and thread of each bank and context, and
    // the words that were written since, a bit each.
    uint64_t used[TSR_RACE_READERS][TSR_THREADS][2][TSR_RACE_CONTEXTS];
    uint64_t fresh[TSR_RACE_READERS][TSR_THREADS][2][TSR_RACE_BANK_CELLS / 64];
    struct tsr_race_clock auto_uses[TSR_THREADS][2][RACE_TRACKED]; // reads, writes
    struct tsr_race_shared shared[RACE_SHARED];
    struct tsr_race_actor actor;
    uint32_t core_steps[RACE_CORES];
    struct tsr_race_word words[TSR_THREADS][RACE_WORDS];
    uint32_t core_pc[RACE_CORES][RACE_WORDS];
    struct tsr_race_latched *waits; // that have ended
    int wait_count, wait_room;
    struct tsr_race_latched loads[RACE_LOADS]; // of counters, once for each place
    int load_count;
    uint64_t *ignored; // tsr_race_wait_key()
    int ignored_count;
    uint64_t key[RACE_KEYS]; // of what was found, by its hash
    unsigned keys;
    // Of a tile of a chip.
    struct tsr_race_chip *chip; // NULL: the tile is alone
    uint16_t node;
    uint32_t granule;              // of L1, that is judged now; RACE_NO_GRANULE: another memory's
    struct tsr_race_clock settled; // what comes before all that other tiles do from now on
    struct tsr_race_clock irq[RACE_IRQS];       // who has raised a request
    struct tsr_race_clock stream[RACE_STREAMS]; // of the overlay: who stored into its registers
    struct tsr_race_stream_load stream_load[RACE_STREAM_LOADS]; // by a hash
    struct tsr_race_stores stores[RACE_LOADERS];
};

static inline struct tsr_race_record *tsr_race_record_of(struct tsr_races *races)
{
    return (struct tsr_race_record *)(void *)races;
}

// Of a thread's wait, by its number, or behind the threads a core's loads, by their place.
static inline uint64_t tsr_race_wait_key(unsigned who, uint64_t number)
{
    return (uint64_t)who << 32 | number;
}
bool tsr_race_is_ignored(const struct tsr_race_record *record, unsigned who, uint64_t number);

// The event of the agent that acts now.
uint32_t tsr_race_step(struct tsr_race_record *record);
struct tsr_race_entry tsr_race_entry_now(struct tsr_race_record *record,
                                         enum tsr_race_storage storage, bool write, uint32_t mask);

// Whether pages order an access before one of `agent`, or what units are known to do.
enum tsr_race_order { RACE_APART, RACE_RELIED_ON, RACE_BEFORE };
enum tsr_race_order tsr_race_order_of(const struct tsr_race_record *record,
                                      enum tsr_race_storage storage,
                                      const struct tsr_race_entry *entry, unsigned agent,
                                      bool write);
static inline bool tsr_race_comes_before(const struct tsr_race_record *record,
                                         enum tsr_race_storage storage,
                                         const struct tsr_race_entry *entry, unsigned agent,
                                         bool write)
{
    return tsr_race_order_of(record, storage, entry, agent, write) != RACE_APART;
}
// An access to what threads alone share.
void tsr_race_share(struct tsr_race_record *record, enum tsr_race_storage storage, uint32_t index,
                    const struct tsr_race_entry *fresh);
// An access to a storage of the tile: what was noted of the cell and conflicts with it is told, and
// the access is noted.
void tsr_race_touch(struct tsr_race_record *record, enum tsr_race_storage storage, uint32_t index,
                    struct tsr_race_entry fresh);
// As tsr_race_touch(), of a cell that the caller has: it may be of a memory that is no tile's.
void tsr_race_touch_cell(struct tsr_race_record *record, struct tsr_race_cell *cell,
                         enum tsr_race_storage storage, uint32_t index,
                         struct tsr_race_entry fresh);
// The matrix unit gives a bank of Src back, and a hand-over of it that does not wait for that is a
// race. That a bank may be given back before it was handed over is src-bank-unordered (301).
void tsr_race_give_back(struct tsr_race_record *record, uint32_t bank);
void tsr_race_hand_over(struct tsr_race_record *record, uint32_t bank);
void tsr_race_tell(struct tsr_race_record *record, enum tsr_race_kind kind,
                   enum tsr_race_storage storage, uint32_t cell, uint32_t mask,
                   const struct tsr_race_entry *earlier, const struct tsr_race_entry *later);

// All that has happened in the tile.
void tsr_race_everything(const struct tsr_race_record *record, struct tsr_race_clock *all);
void tsr_race_join_everything(struct tsr_race_record *record);

// A load of a register of a stream that found that value.
void tsr_race_load_stream(struct tsr_race_record *record, unsigned stream, unsigned reg,
                          uint32_t value);
// Who knows how far the stream is learns from it what those knew who have stored to its registers.
void tsr_race_join_stream(struct tsr_race_record *record, unsigned stream,
                          struct tsr_race_clock *to);

void tsr_race_on_access(struct tsr_races *races, const struct tsr_race_access *access);
void tsr_race_on_expands(struct tsr_races *races, int thread, uint32_t push);
void tsr_race_on_acquire(struct tsr_races *races, uint32_t address, unsigned size);
void tsr_race_on_config_changes(struct tsr_races *races, uint32_t cell, uint32_t changed);
void tsr_race_on_config_used(struct tsr_races *races, unsigned reader, unsigned state_id,
                             unsigned context);
void tsr_race_on_sync(struct tsr_races *races, enum tsr_race_sync sync, unsigned which,
                      unsigned value, unsigned most);
void tsr_race_on_latched(struct tsr_races *races, const struct tsr_race_inst *inst,
                         bool on_semaphores, uint16_t block);
void tsr_race_on_released(struct tsr_races *races, const struct tsr_race_wait *wait);

// Writes the wait that would order the two, where the earlier one is whose unit is known.
void tsr_race_wait_text(struct tsr_race_record *record, struct tsr_race_found *race,
                        const struct tsr_race_entry *earlier_entry,
                        const struct tsr_race_entry *later_entry);
// The post that a SEMWAIT for "not zero" would come after now, and the get that one for "below the
// maximum" would.
void tsr_race_next_steps(const struct tsr_race_record *record,
                         const struct tsr_race_semaphore *semaphore, int64_t *post, int64_t *get);

#endif
