// SPDX-License-Identifier: Apache-2.0
// Blocks of vector instructions that are kept, and which of them some words are. Page:
// VectorUnit.md.
#include "vector/vector_blocks.h"

#include "base/fresh_pages.h"

#include <string.h>

struct tsr_vector_blocks *tsr_vector_blocks_create(void)
{
    return tsr_fresh_pages(sizeof(struct tsr_vector_blocks));
}

void tsr_vector_blocks_destroy(struct tsr_vector_blocks *blocks)
{
    tsr_fresh_pages_free(blocks, sizeof *blocks);
}

// What came before a reset comes for the second time behind it.
void tsr_vector_blocks_clear(struct tsr_vector_blocks *blocks)
{
    blocks->asked = NULL;
    for (unsigned i = 0; i < TSR_VECTOR_BLOCKS; i++)
        blocks->block[i].made_under.made = false;
}

// Words that are pushed one by one come in pieces that begin and end anywhere, so a block is found
// by how it begins.
static uint32_t hash_of(const uint32_t *words)
{
    uint32_t hash = words[0] * 0x9e3779b1u ^ words[1] * 0x85ebca6bu;
    return (hash ^ hash >> 15) * 0x9e3779b1u | 1u;
}

// NULL: none is kept there.
static inline struct tsr_vector_block *find(struct tsr_vector_blocks *blocks, uint32_t hash)
{
    unsigned first = (hash >> 28) % TSR_VECTOR_SETS * TSR_VECTOR_WAYS;
    for (unsigned i = first; i < first + TSR_VECTOR_WAYS; i++)
        if (blocks->hash[i] == hash)
            return &blocks->block[i];
    return NULL;
}

// For words that come for the first time, in the place of those that did so longest ago.
static void keep_place(struct tsr_vector_blocks *blocks, uint32_t hash)
{
    unsigned set = (hash >> 28) % TSR_VECTOR_SETS,
             place = set * TSR_VECTOR_WAYS + blocks->oldest[set]++ % TSR_VECTOR_WAYS;
    blocks->hash[place] = hash;
    blocks->block[place].made_under.made = false;
}

// How many of the words are the block's first ones.
static inline unsigned alike(const struct tsr_vector_block *block, const uint32_t *words,
                             unsigned count)
{
    unsigned most = block->words < count ? block->words : count, n = 0;
    if (memcmp(block->word, words, most * sizeof *words) == 0)
        return most;
    while (block->word[n] == words[n])
        n++;
    return n;
}

// It ended where the words that were there did, and now there are more.
static inline bool may_grow(const struct tsr_vector_block *block, unsigned count)
{
    return block->words == block->offered && count > block->offered &&
           block->words < TSR_VECTOR_BLOCK_WORDS;
}

// Decoding pays where words come again.
const struct tsr_vector_block *tsr_vector_block_of(const struct tsr_env *env,
                                                   const struct tsr_vector_plan *plan,
                                                   const uint32_t *words, unsigned *count)
{
    struct tsr_vector_blocks *blocks = env->vector_plans->blocks;
    uint32_t hash = hash_of(words);
    struct tsr_vector_block *block = find(blocks, hash);
    if (!block) {
        keep_place(blocks, hash);
        return NULL;
    }
    bool made = tsr_vector_block_stands(block, plan);
    unsigned n = made ? alike(block, words, *count) : 0;
    if (!made || (n == block->words && may_grow(block, *count))) {
        block->made_under = tsr_vector_block_key_of(plan);
        tsr_vector_block_make(env, words, *count, block);
        n = block->words;
    }
    *count = n;
    return n > 0 ? block : NULL;
}

unsigned tsr_vector_kept_block(struct tsr_env *env, const uint32_t *words, unsigned count)
{
    struct tsr_vector_blocks *blocks = env->vector_plans->blocks;
    struct tsr_vector_block *block = find(blocks, hash_of(words));
    blocks->asked = NULL;
    if (!block || !block->made_under.made || may_grow(block, count))
        return 0;
    unsigned n = alike(block, words, count);
    if (n < 2)
        return 0;
    blocks->asked = block;
    return n;
}
