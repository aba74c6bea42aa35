// SPDX-License-Identifier: Apache-2.0
// What units, frontends, cores and the mover tell about accesses and about what orders them, so
// that observe/ can find races; without a listener nobody calls. Plain data: who listens knows
// neither state nor units. Pages: SyncUnit.md, STALLWAIT.md, SEMWAIT.md, SrcASrcB.md,
// BackendConfiguration.md ("RISCV writes to Config").
#ifndef TESSERA_BASE_RACE_EVENTS_H
#define TESSERA_BASE_RACE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

// What is accessed, and what `first` counts there; `mask` has a bit for each part of it.
enum tsr_race_storage {
    TSR_RACE_L1,         // granules of TSR_RACE_GRANULE bytes, a bit for each byte
    TSR_RACE_DST,        // physical rows, a bit for each column
    TSR_RACE_SRC,        // banks: 2 * side + bank
    TSR_RACE_GPR,        // 64 * thread + register
    TSR_RACE_CONFIG,     // words and their bits: tsr_race_config_cell()
    TSR_RACE_MOP_CONFIG, // TSR_RACE_MOP_CELLS * thread + word, as the thread's MOP expander takes
                         // it
    TSR_RACE_LREG,       // one cell; a bit for each LReg, and TSR_RACE_LANE_FLAGS and more
    TSR_RACE_COUNTERS,   // ADCs: 4 * thread + agent; a bit for each of 4 * channel + dimension
    TSR_RACE_TDMA,       // TDMA-RISC: tsr_race_tdma
    TSR_RACE_MEMORY,     // beyond the tile: TSR_RACE_MEMORY_BYTES of what the NoC reaches
    TSR_RACE_STORAGES
};

enum {
    TSR_RACE_GRANULE = 16,  // bytes of L1 that are judged together
    TSR_RACE_MOP_CELLS = 16 // more than the MOP configuration of a thread has words
};

// Registers of TDMA-RISC that are taken along later: the four parameters of commands first.
enum tsr_race_tdma {
    TSR_RACE_TDMA_UNPACK_ADDRESS = 4,                  // of UNPACR_NOP's stores
    TSR_RACE_TDMA_PACK_ADDRESS,                        // of PACR_SETREG
    TSR_RACE_TDMA_SCALERS,                             // of PACR_SETREG, four
    TSR_RACE_TDMA_OFFSETS = TSR_RACE_TDMA_SCALERS + 4, // l1_dest_addr_offset of the packers
    TSR_RACE_TDMA_BASES = TSR_RACE_TDMA_OFFSETS + 4,   // of compact commands: of B, T0, T1, T2
    TSR_RACE_TDMA_CELLS = TSR_RACE_TDMA_BASES + 4
};

enum { TSR_RACE_ALL = 0xffff, TSR_RACE_READERS = 5, TSR_RACE_CONTEXTS = 8 };

// Of the vector unit, beside LReg[0] to LReg[16].
enum { TSR_RACE_LANE_FLAGS = 1 << 17, TSR_RACE_VECTOR_CONFIG = 1 << 18 };

struct tsr_race_access {
    uint8_t storage; // enum tsr_race_storage
    bool write;
    bool taken;  // configuration: a page says that nobody looks again after acceptance
    bool value;  // configuration: it is read as a value, and nobody works by it
    bool atomic; // the scalar unit's ATINCGET or ATSWAP on L1
    uint32_t mask, first, count;
};

struct tsr_race_inst {
    uint32_t word;
    uint8_t op, thread, unit; // enum tsr_op, tsr_unit
    uint64_t sequence;
    uint32_t pc;   // that pushed it; 0: not known
    uint32_t push; // what `push` gave to its word, or to the MOP or REPLAY that it comes from
};

enum tsr_race_sync {
    TSR_RACE_POST,         // a semaphore
    TSR_RACE_GET,          // a semaphore
    TSR_RACE_INIT,         // a semaphore; value and maximum
    TSR_RACE_SEMAPHORE,    // a core has read a semaphore; its value
    TSR_RACE_MUTEX_GET,    // a mutex
    TSR_RACE_MUTEX_GIVE,   // a mutex
    TSR_RACE_HAND_OVER,    // side, bank: to the matrix unit
    TSR_RACE_GIVE_BACK,    // side, bank: to the unpackers
    TSR_RACE_FOR_MATRIX,   // side, bank: it waited until the matrix unit owns it
    TSR_RACE_FOR_UNPACKER, // side, bank: it waited until the unpackers own it
    TSR_RACE_DRAINED,      // a thread: all that was pushed to it is complete
    TSR_RACE_MOPS_DONE,    // a thread: its MOPs have been expanded
    TSR_RACE_FLUSHED,      // a thread: FLUSHDMA's conditions are met, a bit each
    TSR_RACE_SEND,         // a core, to another: mailbox or PC buffer; which channel
    TSR_RACE_RECEIVE,      // the next word of the channel
    TSR_RACE_MOVER_IDLE,   // a core has read that TDMA-RISC has no command and the mover no work
    TSR_RACE_READ_BACK,    // a core's loads see its own earlier stores outside L1
    TSR_RACE_AUTO_USES,    // an instruction of the thread: tracked resources it reads, and writes
    TSR_RACE_AUTO_WAITED,  // its core waited for those that use resources; whether it stores
    TSR_RACE_STREAM_STORE, // a stream of the overlay: into a register of it
    TSR_RACE_STREAM_LOAD,  // a stream, from a register of it: which, and the value
    TSR_RACE_IRQ_RAISE,    // a request of Blackhole's interrupt controller, by software
    TSR_RACE_IRQ_TAKE,     // a request, which is cleared by that
    TSR_RACE_EVERYTHING    // whatever happened before is over
};

// A latched wait that ended.
struct tsr_race_wait {
    uint8_t thread;
    bool on_semaphores;
    uint16_t conditions; // enum tsr_condition by bit of the chip, or TSR_SEMWAIT_WHILE_*
    uint8_t semaphores;
    uint8_t stream;                           // of the overlay, and 1 more; 0: it is for none
    uint8_t matrix_bank[2], unpacker_bank[2]; // by side, now
    uint64_t cycles;                          // that it held its thread
};

struct tsr_races;

struct tsr_race_ops {
    // The instruction passes the gate: what follows, up to executes(), is done by its thread.
    void (*accepts)(struct tsr_races *races, const struct tsr_race_inst *inst);
    // Its unit executes it: what follows, up to done(), is done by the unit.
    void (*executes)(struct tsr_races *races, const struct tsr_race_inst *inst);
    void (*done)(struct tsr_races *races, bool executed);
    // What follows, up to done(), is done by a core, TSR_AGENT_HOST, or TDMA-RISC (see below).
    void (*core)(struct tsr_races *races, int agent, uint32_t at, bool has_pc);
    // The core pushes a row of words to a thread, which has room for them: a number for it.
    uint32_t (*push)(struct tsr_races *races, int thread);
    // A MOP that came with that push is expanded: it reads the MOP configuration.
    void (*expands)(struct tsr_races *races, int thread, uint32_t push);
    void (*access)(struct tsr_races *races, const struct tsr_race_access *access);
    // A core reads bytes of L1 that tell it how far others are.
    void (*acquire)(struct tsr_races *races, uint32_t address, unsigned size);
    void (*sync)(struct tsr_races *races, enum tsr_race_sync sync, unsigned which, unsigned value,
                 unsigned most);
    void (*latched)(struct tsr_races *races, const struct tsr_race_inst *inst, bool on_semaphores,
                    uint16_t block);
    void (*released)(struct tsr_races *races, const struct tsr_race_wait *wait);
    // A configuration word gets other bits.
    void (*config_changes)(struct tsr_races *races, uint32_t cell, uint32_t changed);
    // The instruction that is accepted depends on all its unit's fields of the bank, but on none
    // of other contexts, while it is at work; `reader` is an enum tsr_config_reader.
    void (*config_used)(struct tsr_races *races, unsigned reader, unsigned state_id,
                        unsigned context);
    // Its unit is thrown out of what it holds (a soft reset).
    void (*aborted)(struct tsr_races *races, unsigned unit);
};

struct tsr_races {
    const struct tsr_race_ops *ops;
};

enum { TSR_RACE_AGENT_TDMA = 7 }; // between TSR_AGENT_HOST and TSR_AGENT_TENSIX

// Words of banks 0 and 1, and of the threads.
enum { TSR_RACE_BANK_CELLS = 256, TSR_RACE_THREAD_CELLS = 128 };
static inline uint32_t tsr_race_config_cell(bool thread_scope, int instance, unsigned addr32)
{
    return thread_scope
               ? 2u * TSR_RACE_BANK_CELLS + (unsigned)instance * TSR_RACE_THREAD_CELLS + addr32
               : (unsigned)instance * TSR_RACE_BANK_CELLS + addr32;
}

// Memories beyond Tensix tiles, by number: DRAM channels, then the L1 of Ethernet tiles.
enum { TSR_RACE_ETHERNET = 16, TSR_RACE_MEMORIES = 32 };
// Bytes of a cell of theirs, and of a bit of its mask.
enum { TSR_RACE_MEMORY_BYTES = 128, TSR_RACE_MEMORY_UNIT = TSR_RACE_MEMORY_BYTES / 32 };

// Channels of SEND and RECEIVE: mailboxes, then PC buffers, then TDMA-RISC's queue.
enum { TSR_RACE_PC_BUFFERS = 16, TSR_RACE_COMMANDS = 19, TSR_RACE_CHANNELS = 20 };

#endif
