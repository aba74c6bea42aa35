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

void tsr_riscv_clear_blocks(struct tsr_riscv *riscv)
{
    struct tsr_riscv_block *none = tsr_riscv_block(riscv, 0);
    memset(riscv->block, 0, sizeof riscv->block);
    *none = (struct tsr_riscv_block){0};
    riscv->last = none;
    riscv->used = sizeof *none;
}

// The block that begins at `pc`, with room for `count` instructions. Where there is none for
// another block, all blocks go: code that is in use is soon back.
static struct tsr_riscv_block *make_room(struct tsr_riscv *riscv, uint32_t pc, uint32_t count)
{
    enum {
        SPARE = TSR_FIFO_SPARE * sizeof(struct tsr_riscv_op)
    }; // .ttinsn are read four at a time
    uint16_t *number = &riscv->block[pc / 4 % TSR_BLOCKS];
    if (tsr_riscv_block(riscv, *number)->room < count) {
        uint32_t size =
            (uint32_t)(sizeof(struct tsr_riscv_block) + count * sizeof(struct tsr_riscv_op));
        if (riscv->used + size + SPARE > TSR_CODE_BYTES)
            tsr_riscv_clear_blocks(riscv);
        *number = (uint16_t)(riscv->used / TSR_BLOCK_UNIT);
        riscv->used += size;
        tsr_riscv_block(riscv, *number)->room = (uint8_t)count;
    }
    return tsr_riscv_block(riscv, *number);
}

// NULL: nothing can be fetched there.
static struct tsr_riscv_block *build(struct tsr_riscv *riscv, uint32_t pc)
{
    struct tsr_riscv_op op[TSR_BLOCK_WORDS];
    uint32_t size = 0, count = 0;
    const uint8_t *bytes = riscv->bus->fetch(riscv->bus->self, riscv->core, pc, &size);
    if (!bytes || size < 4)
        return NULL;
    bool unwritten = is_unwritten(riscv, pc), ends = false;
    while (!ends && count < TSR_BLOCK_WORDS && 4 * count + 4 <= size &&
           is_unwritten(riscv, pc + 4 * count) == unwritten) {
        op[count] = tsr_riscv_decode(riscv->arch, riscv->core, pc + 4 * count,
                                     word_at(bytes + 4 * (size_t)count));
        ends = tsr_riscv_ends_block(&op[count++]);
    }
    struct tsr_riscv_block *block = make_room(riscv, pc, count);
    block->pc = pc;
    block->count = count;
    block->unwritten = unwritten;
    memcpy(block->op, op, count * sizeof *op);
    find_rows(block);
    if (riscv->bus->l1.code)
        tsr_code_mark(riscv->bus->l1.code, pc, 4 * count);
    return block;
}

// Its words may be others now, or it is another block's place.
static __attribute__((noinline)) struct tsr_riscv_block *
look_again(struct tsr_riscv *riscv, struct tsr_riscv_block *block, uint32_t pc)
{
    bool there = pc - block->pc < 4 * block->count;
    if (!there || !same_words(riscv, block))
        block = build(riscv, pc);
    if (!block)
        return NULL;
    block->unwritten = block->unwritten && is_unwritten(riscv, pc);
    block->generation = tsr_riscv_generation(riscv);
    return block;
}

struct tsr_riscv_block *tsr_riscv_block_at(struct tsr_riscv *riscv, uint32_t pc)
{
    struct tsr_riscv_block *block = riscv->last;
    if (pc - block->pc >= 4 * block->count)
        block = tsr_riscv_block(riscv, riscv->block[pc / 4 % TSR_BLOCKS]);
    if (pc - block->pc >= 4 * block->count || block->generation != tsr_riscv_generation(riscv))
        block = look_again(riscv, block, pc);
    if (block)
        riscv->last = block;
    return block;
}
