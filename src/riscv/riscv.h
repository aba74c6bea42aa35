// SPDX-License-Identifier: Apache-2.0
// Baby cores: RV32IM with what each chip adds, one hart at a time. Everything outside the core is
// reached through a bus that the tile implements; plain memory through views of it.
// Pages: BabyRISCV/README.md, PushTensixInstruction.md, DebugInterface.md of each chip.
#ifndef TESSERA_RISCV_RISCV_H
#define TESSERA_RISCV_RISCV_H

#include "base/fifo.h"
#include "base/hart.h"
#include "isa/region_index.h"

#include <tessera/tessera.h>

// Memory that a core loads from and stores to without a call: the bytes of [base, base + size) and
// a bit for each byte that was written. `size` 0: there is no such view now (somebody watches, or
// some bytes are tainted), and every access takes the bus.
struct tsr_riscv_view {
    uint32_t base, size;
    uint8_t *bytes;
    uint8_t *written;            // NULL: all bytes count as written
    struct tsr_code_lines *code; // NULL: no code in this memory. L1's is there if `size` is 0, too
};

// Where the words of a core's .ttinsn go without a call, while the FIFO holds less than `depth`.
// NULL: the bus has to say.
struct tsr_riscv_pushes {
    struct tsr_fifo *fifo;
    uint8_t depth;
    uint8_t source; // enum tsr_word_source
};

// The wall clock's registers, which kernels that wait for a time load again and again: loads of
// whole words take no call. `high` is what a load of the lower half leaves for the upper one. NULL:
// there is no such view now.
struct tsr_riscv_clock {
    uint32_t low_at, high_at;
    uint32_t *high;
};

struct tsr_riscv_bus {
    void *self;
    const struct tsr_region_index *regions; // of the chip
    // Which cores that run in turn may share: they decode the same kinds of words. NULL: none.
    struct tsr_riscv_recent_rows *recent;
    // As tsr_load() and tsr_store(), in the name of `core`. TSR_BUSY: the core waits, and nothing
    // has changed.
    tsr_status (*load)(void *self, int core, uint32_t address, uint32_t *value, int width);
    tsr_status (*store)(void *self, int core, uint32_t address, uint32_t value, int width);
    // A load of a whole word that succeeds, changes nothing and gives the same again unless
    // something in the tile changes. False: quiet_until() and load() have to say. NULL: always.
    bool (*glance)(void *self, int core, uint32_t address, uint32_t *value);
    // Tensix words of adjacent .ttinsn of a core that can push, B to thread 0, `together` of which
    // are one instruction; returns how many were taken.
    int (*push)(void *self, int core, const uint32_t *words, int count, int together);
    // The FIFO that `pushes` shows is full. True: there is room in it now, which took no time.
    // NULL: there never is.
    bool (*make_room)(void *self, int core);
    // A finding of the core at `pc`. False: the tile stopped.
    bool (*find)(void *self, int core, uint32_t pc, int finding, const char *sentence);
    // Before which cycle a load from `address` changes nothing, and gives the same again unless
    // something in the tile changes; UINT64_MAX: only that ends it. 0: a clock, a FIFO. NULL: no
    // load that takes the bus is quiet.
    uint64_t (*quiet_until)(void *self, int core, uint32_t address);
    // tt_cfg_qstatus, or tt_cfg_bstatus if `busy` (Blackhole); NULL: nothing to show.
    uint32_t (*status)(void *self, int core, bool busy);
    // What the T cores' tt_cfg_sstatus0 to 7 show of the NoC overlay. False: it is not there. NULL:
    // the same.
    bool (*stream)(void *self, int core, unsigned which, uint32_t *value);
    // Bytes from which instructions may be fetched now (L1, NC's instruction RAM); NULL: none
    // there.
    const uint8_t *(*fetch)(void *self, int core, uint32_t address, uint32_t *size);
    // Blackhole: which cores are to be interrupted, a bit each; a core has returned from that.
    // NULL: none ever is.
    const uint8_t *interrupts;
    void (*returned)(void *self, int core);
    bool times_fetches; // with timing on: fetching from L1 takes time
    // How many lines the prefetcher of the core's cache may have on their way when it comes to the
    // one at `address`; 0: it does not fetch that. NULL: as many as are of use.
    unsigned (*prefetches)(void *self, int core, uint32_t address);
    // With timing on: the word of configuration that switches the core's branch predictor off, and
    // the bit of it that does. NULL: nothing does.
    const uint32_t *predictor;
    uint32_t predictor_off;
    uint64_t *now; // the tile's clock as the core sees it while it runs (wall clock)
    struct tsr_riscv_view l1, ram;
    struct tsr_riscv_pushes pushes;
    struct tsr_riscv_clock clock;
};

// Decoded code of a core, and how it executes. Made once a tile and core. NULL: no memory.
struct tsr_riscv;
struct tsr_riscv *tsr_riscv_new(tsr_arch arch, int core, const struct tsr_riscv_bus *bus);
void tsr_riscv_free(struct tsr_riscv *riscv); // NULL ok
// A reset leaves L1 as zeroes that nobody wrote, which is told anew where they are executed.
void tsr_riscv_forget_zeroes(struct tsr_riscv *riscv);

// Executes at most `most` instructions, one a tick of *bus->now (timing off). Returns how many it
// executed; hart->rest says why it ended early, if not for an interrupt. A resting hart tries again
// what it rests on; a loop that polls (TSR_HART_POLLS, the pc at its head) and reads the same again
// returns 0.
uint64_t tsr_riscv_run(struct tsr_riscv *riscv, struct tsr_hart *hart, uint64_t most);

// An interrupt whose handler is at `pc` comes before the hart's next instruction, whatever loop it
// is in.
void tsr_riscv_interrupt(struct tsr_hart *hart, uint32_t pc);

// What a run of one instruction executes, `op` being the instruction at the pc, of a hart that runs
// and is not fresh from reset: it begins at `now`. False: it rests.
struct tsr_riscv_op;
bool tsr_riscv_run_op(struct tsr_riscv *riscv, struct tsr_hart *hart, const struct tsr_riscv_op *op,
                      uint64_t now);

// Of a hart that rests on TSR_HART_POLLS: its loop loads bytes of memory only, and they are still
// the same, so that a run would return 0. False: a run has to say. The views are those of now.
bool tsr_riscv_still_polls(const struct tsr_riscv *riscv);

// With timing on: executes the instruction that is next if it can enter the pipeline at cycle
// `now`, and returns how many that were, 0 or 1. `*next` is the first cycle at which to ask again.
// What is on its way stands in hart->times.
uint64_t tsr_riscv_step(struct tsr_riscv *riscv, struct tsr_hart *hart, uint64_t now,
                        uint64_t *next);

// The instruction at the hart's pc, and what memory it will touch. `width` 0: none.
struct tsr_riscv_next {
    uint32_t pc, address, width;
    bool loads, stores, pushes;
};
void tsr_riscv_peek(struct tsr_riscv *riscv, const struct tsr_hart *hart,
                    struct tsr_riscv_next *next);

// How often the core did what others can see: stores, pushes, and loads that the bus does not call
// quiet. A run that leaves it as it was gives nobody a reason to wake.
uint64_t tsr_riscv_effects(const struct tsr_riscv *riscv);
// It executes the pass of a loop that polled to see whether it still does.
bool tsr_riscv_looks_again(const struct tsr_riscv *riscv);
// Of a hart that polls: before which cycle all loads of its loop are quiet.
uint64_t tsr_riscv_polls_until(const struct tsr_riscv *riscv);
// With timing on, of a hart that has just begun to poll or ended: a pass of its loop in cycles, and
// in instructions.
void tsr_riscv_pass(const struct tsr_riscv *riscv, uint64_t *cycles, uint64_t *length);

#endif
