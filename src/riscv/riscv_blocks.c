// SPDX-License-Identifier: Apache-2.0
// Finds, decodes and compares the blocks of a core's code.
// Pages: BabyRISCV/README.md, InstructionCache.md, PushTensixInstruction.md.
#include "riscv/riscv_blocks.h"

#include <stddef.h>
#include <string.h>

static uint32_t word_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static bool same_words(const struct tsr_riscv *riscv, const struct tsr_riscv_block *block)
{
    uint32_t size = 0;
    const uint8_t *bytes = riscv->bus->fetch(riscv->bus->self, riscv->core, block->pc, &size);
    if (!bytes || size < 4 * block->count)
        return false;
    for (uint32_t i = 0; i < block->count; i++)
        if (word_at(bytes + 4 * (size_t)i) != block->op[i].word)
            return false;
    return true;
}

// Each .ttinsn gets the number of those that stand there without a gap.
static void find_rows(struct tsr_riscv_block *block)
{
    uint8_t length = 0;
    for (uint32_t i = block->count; i-- > 0;) {
        if (block->op[i].code != RISCV_TTINSN) {
            length = 0;
            continue;
        }
        block->op[i].length = ++length;
    }
}

// Bytes of L1 that nobody has written since reset.
static bool is_unwritten(const struct tsr_riscv *riscv, uint32_t pc)
{
    const struct tsr_riscv_view *l1 = &riscv->bus->l1;
    uint32_t at = pc - l1->base;
    return at < l1->size && l1->written && (l1->written[at / 8] >> at % 8 & 15) != 15;
}

static bool build(struct tsr_riscv *riscv, struct tsr_riscv_block *block, uint32_t pc)
{
    uint32_t size = 0;
    const uint8_t *bytes = riscv->bus->fetch(riscv->bus->self, riscv->core, pc, &size);
    block->count = 0;
    if (!bytes || size < 4)
        return false;
    block->pc = pc;
    block->unwritten = is_unwritten(riscv, pc);
    bool ends = false;
    while (!ends && block->count < TSR_BLOCK_WORDS && 4 * block->count + 4 <= size &&
           is_unwritten(riscv, pc + 4 * block->count) == block->unwritten) {
        uint32_t i = block->count++;
        block->op[i] =
            tsr_riscv_decode(riscv->arch, riscv->core, pc + 4 * i, word_at(bytes + 4 * (size_t)i));
        ends = tsr_riscv_ends_block(&block->op[i]);
    }
    find_rows(block);
    if (riscv->bus->l1.code)
        tsr_code_mark(riscv->bus->l1.code, pc, 4 * block->count);
    return true;
}

// Its words may be others now, or it is another block's place.
static __attribute__((noinline)) bool look_again(struct tsr_riscv *riscv,
                                                 struct tsr_riscv_block *block, uint32_t pc)
{
    bool there = pc - block->pc < 4 * block->count;
    if ((!there || !same_words(riscv, block)) && !build(riscv, block, pc))
        return false;
    block->unwritten = block->unwritten && is_unwritten(riscv, pc);
    block->generation = tsr_riscv_generation(riscv);
    return true;
}

struct tsr_riscv_block *tsr_riscv_block_at(struct tsr_riscv *riscv, uint32_t pc)
{
    struct tsr_riscv_block *block = riscv->last;
    if (!block || pc - block->pc >= 4 * block->count)
        block = &riscv->block[pc / 4 % TSR_BLOCKS];
    if ((pc - block->pc >= 4 * block->count || block->generation != tsr_riscv_generation(riscv)) &&
        !look_again(riscv, block, pc))
        return NULL;
    riscv->last = block;
    return block;
}
