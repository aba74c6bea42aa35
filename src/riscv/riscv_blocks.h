// SPDX-License-Identifier: Apache-2.0
// Decoded code of one core: runs of instructions up to a jump, found by where they begin. Behind a
// branch a block goes on with what is executed if it does not jump. A block that memory no longer
// agrees with is decoded again before it runs. All blocks stand close together, so that a core
// touches memory for the code that it has and no more. Pages: BabyRISCV/README.md,
// InstructionCache.md.
#ifndef TESSERA_RISCV_RISCV_BLOCKS_H
#define TESSERA_RISCV_RISCV_BLOCKS_H

#include "riscv/riscv.h"
#include "riscv/riscv_decode.h"

#include <stddef.h>

enum {
    TSR_STRETCH_WORDS = 32, // without a branch
    TSR_BLOCK_WORDS = 64,
    TSR_BLOCKS = 4096,
    TSR_BLOCK_UNIT = 16,          // bytes
    TSR_CODE_BYTES = 1024 * 1024, // of all blocks
    TSR_FUSED_WORDS = 4,
    TSR_POLL_LOADS = 4
};

struct tsr_riscv_block {
    uint32_t pc;
    uint32_t count;           // instructions; 0: no block here
    uint64_t generation;      // of the code when it was last compared with memory
    bool unwritten;           // nobody wrote its bytes, and that is not reported yet
    uint8_t room;             // instructions that `op` has place for
    struct tsr_riscv_op op[]; // behind the last one another, which leads out of the block
};

// Where run_block() executes what stands in a block (riscv_run.c): each code, then the way out of
// a block, then jumps inside a block, forward and backward (BEQ to BGEU and J), then what follows.
enum {
    TSR_GO_ENDS = RISCV_CODES,
    TSR_GO_FORWARD,
    TSR_GO_BACKWARD = TSR_GO_FORWARD + 7,
    TSR_GO_NOWHERE = TSR_GO_BACKWARD + 7, // a load whose value is not kept
    TSR_GO_CLOCK,                         // a jump back of a loop that may wait for the wall clock
    TSR_GO_PLACES
};

// What a core keeps to find out that a loop only waits (riscv_polls.h).
struct tsr_riscv_polls {
    bool armed;
    bool woken;           // and nothing has changed since
    int32_t jumps, pause; // backward jumps until the next look, and from one to the next
    uint32_t looks;       // at jumps inside the loop, before it is given up
    uint32_t pc;
    uint64_t effects, vectors;
    uint64_t until; // before that cycle its loads are quiet
    // With timing on: when this pass began and with how many instructions, and what it came to.
    uint64_t began, retired, cycles, length;
    uint32_t unexpected; // branches until then that went elsewhere than expected
    bool again;          // it repeats the one before, in which there were such
    uint32_t x[32], f[32];
    // What the loop that waits loads, all of it bytes in memory; 0: not known.
    unsigned watched;
    uint64_t code; // its generation then
    struct {
        uint32_t address, width, value;
    } watch[TSR_POLL_LOADS];
};

struct tsr_riscv {
    // For each pc where its block is in units of TSR_BLOCK_UNIT; 0: an empty one. They go down from
    // the pc that had the first block, so that those which most cores need, what all cores need and
    // the first blocks stand together.
    uint16_t block[TSR_BLOCKS];
    uint32_t end; // the pc of block[0], in words
    tsr_arch arch;
    int core;
    const struct tsr_riscv_bus *bus;
    bool fuses;       // up to four adjacent .ttinsn are pushed in one instruction
    uint64_t effects; // stores, pushes, and loads that change something or may differ
    uint64_t vectors; // vector instructions: any may change what the next pass of a loop does
    uint32_t load_at; // the address of the last load
    uint64_t start;   // *bus->now when this run began
    const void *const *go_to; // TSR_GO_PLACES of them
    // While run_block() executes: the op at which the run ends, and where it is executed else.
    struct tsr_riscv_op *held;
    const void *held_goes;
    uint32_t push_at;              // where .ttinsn is stored to
    uint32_t ram_size;             // of the own RAM, as the core sees it
    uint8_t ram_cycles, l1_cycles; // of a load from there
    uint64_t elsewhere;            // the generation of code that nobody watches: it never changes
    struct tsr_riscv_polls polls;
    struct tsr_riscv_block *last; // ran last
    // With timing on: the instruction that comes next, if that stands at the pc and code has the
    // generation `next_generation`. Nobody has left its bytes unwritten.
    const struct tsr_riscv_op *next_op;
    uint64_t next_generation;
    uint32_t used;                                         // bytes of `code` that blocks have
    _Alignas(TSR_BLOCK_UNIT) uint8_t code[TSR_CODE_BYTES]; // all blocks, from the bottom
};

// A loop that reads nothing has not loaded from anywhere.
enum { TSR_NO_LOAD = 1 };

static inline uint16_t *tsr_riscv_block_number(struct tsr_riscv *riscv, uint32_t pc)
{
    return &riscv->block[(riscv->end - pc / 4) % TSR_BLOCKS];
}

// `number`: of riscv->block.
static inline struct tsr_riscv_block *tsr_riscv_block(struct tsr_riscv *riscv, uint16_t number)
{
    return (void *)(riscv->code + (size_t)TSR_BLOCK_UNIT * number);
}

static inline uint64_t tsr_riscv_generation(const struct tsr_riscv *riscv)
{
    const struct tsr_code_lines *code = riscv->bus->l1.code;
    return code ? code->generation : riscv->elsewhere;
}

// Forgets all blocks.
void tsr_riscv_clear_blocks(struct tsr_riscv *riscv);
// The block with the instruction at `pc`, which is a multiple of 4; NULL: none can be fetched.
struct tsr_riscv_block *tsr_riscv_block_at(struct tsr_riscv *riscv, uint32_t pc);
// The same where nothing need be looked at; NULL: tsr_riscv_block_at() has to say.
static inline const struct tsr_riscv_block *tsr_riscv_known_block(struct tsr_riscv *riscv,
                                                                  uint32_t pc)
{
    struct tsr_riscv_block *block = tsr_riscv_block(riscv, *tsr_riscv_block_number(riscv, pc));
    if (pc & 3 || pc - block->pc >= 4 * block->count || block->unwritten ||
        block->generation != tsr_riscv_generation(riscv))
        return NULL;
    riscv->last = block;
    return block;
}

#endif
