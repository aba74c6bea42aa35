// SPDX-License-Identifier: Apache-2.0
// Finds, decodes and compares the blocks of a core's code.
// Pages: BabyRISCV/README.md, InstructionCache.md, PushTensixInstruction.md.
#include "riscv/riscv_blocks.h"

#include "base/bits.h"
#include "riscv/riscv_clock_loop.h"

#include <stddef.h>
#include <string.h>

static bool same_words(const struct tsr_riscv *riscv, const struct tsr_riscv_block *block)
{
    uint32_t size = 0;
    const uint8_t *bytes = riscv->bus->fetch(riscv->bus->self, riscv->core, block->pc, &size);
    if (!bytes || size < 4 * block->count)
        return false;
    for (uint32_t i = 0; i < block->count; i++)
        if (tsr_word_at(bytes + 4 * (size_t)i) != block->op[i].word)
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

static uint32_t in_units(size_t bytes)
{
    return (uint32_t)((bytes + TSR_BLOCK_UNIT - 1) / TSR_BLOCK_UNIT * TSR_BLOCK_UNIT);
}

static bool has_blocks(const struct tsr_riscv *riscv)
{
    return riscv->used > in_units(sizeof(struct tsr_riscv_block));
}

void tsr_riscv_clear_blocks(struct tsr_riscv *riscv)
{
    static const struct tsr_riscv_op nowhere = {.pc = 1}; // where no pc is
    struct tsr_riscv_block *none = tsr_riscv_block(riscv, 0);
    riscv->next_op = &nowhere;
    if (has_blocks(riscv)) // a core that never ran has touched no memory for it
        memset(riscv->block, 0, sizeof riscv->block);
    *none = (struct tsr_riscv_block){0};
    riscv->last = none;
    riscv->used = in_units(sizeof *none);
}

void tsr_riscv_forget_zeroes(struct tsr_riscv *riscv)
{
    for (unsigned i = 0; i < TSR_BLOCKS && has_blocks(riscv); i++) {
        struct tsr_riscv_block *block = tsr_riscv_block(riscv, riscv->block[i]);
        for (uint32_t at = 0; at < block->count; at++)
            if (block->op[at].word == 0)
                block->count = 0;
    }
}

// The block that begins at `pc`, with room for `count` instructions. Where there is none for
// another block, all blocks go: code that is in use is soon back.
static struct tsr_riscv_block *make_room(struct tsr_riscv *riscv, uint32_t pc, uint32_t count)
{
    enum {
        SPARE = TSR_FIFO_SPARE * sizeof(struct tsr_riscv_op)
    }; // .ttinsn are read four at a time
    uint16_t *number = tsr_riscv_block_number(riscv, pc);
    if (tsr_riscv_block(riscv, *number)->room < count) {
        uint32_t size =
            in_units(sizeof(struct tsr_riscv_block) + (count + 1) * sizeof(struct tsr_riscv_op));
        if (riscv->used + size + SPARE > TSR_CODE_BYTES)
            tsr_riscv_clear_blocks(riscv);
        *number = (uint16_t)(riscv->used / TSR_BLOCK_UNIT);
        riscv->used += size;
        tsr_riscv_block(riscv, *number)->room = (uint8_t)count;
    }
    return tsr_riscv_block(riscv, *number);
}

// What can be fetched at `pc` and how much of it, and whether nobody wrote it.
struct code {
    const uint8_t *bytes;
    uint32_t pc, size;
    bool unwritten;
};

// Up to a branch or what ends a block, from the instruction `from` on, `count` of them at most.
// Returns how many there are then; `*whole`: they end in that way.
static uint32_t decode_stretch(struct tsr_riscv *riscv, const struct code *code,
                               struct tsr_riscv_op *op, uint32_t from, uint32_t most, bool *whole)
{
    uint32_t count = from;
    *whole = false;
    while (!*whole && count < from + most && 4 * count + 4 <= code->size &&
           is_unwritten(riscv, code->pc + 4 * count) == code->unwritten) {
        op[count] =
            tsr_riscv_decode(riscv->arch, riscv->core, code->pc + 4 * count,
                             tsr_word_at(code->bytes + 4 * (size_t)count), riscv->bus->recent);
        *whole = tsr_riscv_branches(&op[count]) || tsr_riscv_ends_block(&op[count]);
        count++;
    }
    return count;
}

// Where each op is executed, and jumps inside the block without a look for where they go.
static void link_ops(const struct tsr_riscv *riscv, struct tsr_riscv_block *block)
{
    for (uint32_t i = 0; i < block->count; i++) {
        struct tsr_riscv_op *op = &block->op[i];
        unsigned place = op->code;
        uint32_t to = (op->imm - block->pc) / 4;
        struct tsr_riscv_clock_loads loads;
        bool jumps = tsr_riscv_branches(op) || op->code == RISCV_J;
        if (op->kind == RISCV_KIND_LOADS && op->code <= RISCV_LHU && op->rd == 0)
            place = TSR_GO_NOWHERE;
        if (jumps && op->imm % 4 == 0 && to < block->count) {
            op->skip = ((int32_t)to - (int32_t)i) * (int32_t)sizeof *op;
            place = (to > i ? TSR_GO_FORWARD : TSR_GO_BACKWARD) +
                    (op->code == RISCV_J ? 6u : (unsigned)op->code - RISCV_BEQ);
            if (to < i && tsr_riscv_clock_loop(&block->op[to], op, &loads))
                place = TSR_GO_CLOCK;
        }
        op->go = riscv->go_to[place];
    }
    block->op[block->count] = (struct tsr_riscv_op){.go = riscv->go_to[TSR_GO_ENDS],
                                                    .pc = block->pc + 4 * block->count,
                                                    .code = RISCV_NOP,
                                                    .kind = RISCV_KIND_ENDS};
}

// NULL: nothing can be fetched there. How many adjacent .ttinsn a core pushes at once depends on
// where the block begins if the stretch has no end of its own, so such a stretch is a block of its
// own. So is what nobody wrote, up to a branch, since each is told.
static struct tsr_riscv_block *build(struct tsr_riscv *riscv, uint32_t pc)
{
    struct tsr_riscv_op op[TSR_BLOCK_WORDS];
    struct code code = {.pc = pc, .unwritten = is_unwritten(riscv, pc)};
    code.bytes = riscv->bus->fetch(riscv->bus->self, riscv->core, pc, &code.size);
    if (!code.bytes || code.size < 4)
        return NULL;
    bool whole;
    uint32_t count = decode_stretch(riscv, &code, op, 0, TSR_STRETCH_WORDS, &whole);
    while (whole && !code.unwritten && !tsr_riscv_ends_block(&op[count - 1])) {
        uint32_t room = TSR_BLOCK_WORDS - count;
        uint32_t end = decode_stretch(riscv, &code, op, count,
                                      room < TSR_STRETCH_WORDS ? room : TSR_STRETCH_WORDS, &whole);
        count = whole ? end : count;
    }
    struct tsr_riscv_block *block = make_room(riscv, pc, count);
    block->pc = pc;
    block->count = count;
    block->unwritten = code.unwritten;
    memcpy(block->op, op, count * sizeof *op);
    find_rows(block);
    link_ops(riscv, block);
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
    if (pc - block->pc >= 4 * block->count) {
        if (!has_blocks(riscv))
            riscv->end = pc / 4 + TSR_BLOCKS - 1;
        block = tsr_riscv_block(riscv, *tsr_riscv_block_number(riscv, pc));
    }
    if (pc - block->pc >= 4 * block->count || block->generation != tsr_riscv_generation(riscv))
        block = look_again(riscv, block, pc);
    if (block)
        riscv->last = block;
    return block;
}
