// SPDX-License-Identifier: Apache-2.0
// A run of vector instructions, decoded once into steps, that may execute as one (vector_block.h).
// vector_block_make.c says which words it takes. Pages: VectorUnit.md, SFPMAD.md.
#ifndef TESSERA_VECTOR_VECTOR_BLOCK_MAKE_H
#define TESSERA_VECTOR_VECTOR_BLOCK_MAKE_H

#include "vector/vector_call.h"

enum { TSR_VECTOR_BLOCK_WORDS = 64, TSR_VECTOR_IMMEDIATES = 8 };

enum tsr_vector_step_kind {
    TSR_VECTOR_STEP_KERNEL, // a kernel into VD
    TSR_VECTOR_STEP_SWAP,
    TSR_VECTOR_STEP_LOAD,
    TSR_VECTOR_STEP_STORE,
    TSR_VECTOR_STEP_ROUND, // a kernel into VD with the PRNGs
    TSR_VECTOR_STEP_TEST,  // SFPSETCC
    TSR_VECTOR_STEP_ENCC,
    TSR_VECTOR_STEP_STACK, // quiet unless the flag stack is full or empty
    TSR_VECTOR_STEP_OTHER  // by its run function
};

struct tsr_vector_step {
    union {
        tsr_vector_fn *kernel; // of TEST; NULL: the same flag everywhere
        tsr_vector_swap_fn *swap;
        tsr_vector_load_fn *load; // NULL: into an LReg that is not written
        tsr_vector_store_fn *store;
    } how;
    uint32_t *d;
    const uint32_t *a, *b, *c;
    const tsr_vector_mode *mode;
    uint32_t keep, flip; // of flags, or of UseLaneFlagsForLaneEnable
    uint16_t imm;        // of an address
    uint8_t addr_mode;   // of loads and stores
    uint8_t kind;
    uint8_t vd;
    uint8_t dst_mode; // Mod0, resolved
    bool wide;
    uint8_t word; // which one of the block
};

// What the meaning of a block's words depends on: what MOD0_FMT_SRCB stands for, and whether
// hardware holds early readers.
struct tsr_vector_block_key {
    bool made;
    uint8_t srcb_mode;
    bool stalls;
};

struct tsr_vector_block {
    uint8_t words;    // how many it has; 0: none begins with these
    unsigned offered; // how many there were
    uint8_t steps;
    uint8_t immediates;
    struct tsr_vector_block_key made_under;
    uint32_t reads, writes;
    bool is_late; // the last word's result
    uint32_t word[TSR_VECTOR_BLOCK_WORDS];
    struct tsr_vector_step step[TSR_VECTOR_BLOCK_WORDS];
    struct tsr_vector_args args[TSR_VECTOR_BLOCK_WORDS];
    uint32_t immediate[TSR_VECTOR_IMMEDIATES][TSR_LANES];
};

// As many of the words as can be a block, `block->words`.
void tsr_vector_block_make(const struct tsr_env *env, const uint32_t *words, unsigned count,
                           struct tsr_vector_block *block);

#endif
