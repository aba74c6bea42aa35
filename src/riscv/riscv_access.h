// SPDX-License-Identifier: Apache-2.0
// Loads and stores of a core: plain memory through views, everything else by the bus.
// Pages: BabyRISCV/README.md (memory map, faults), MemoryOrdering.md.
#ifndef TESSERA_RISCV_RISCV_ACCESS_H
#define TESSERA_RISCV_RISCV_ACCESS_H

#include "base/bits.h"
#include "riscv/riscv_blocks.h"

#include <stddef.h>

// Where a core is in its run: the pc of the instruction and the instructions before it in this run.
struct tsr_riscv_place {
    uint32_t pc;
    uint64_t done;
};

enum tsr_riscv_went {
    TSR_RISCV_WENT,    // the access happened
    TSR_RISCV_CODE,    // and changed bytes that may be decoded code
    TSR_RISCV_RESTS,   // nothing happened; the hart says what it waits for
    TSR_RISCV_JUMPS,   // to the hart's pc
    TSR_RISCV_RETURNS, // the same, from an interrupt
    TSR_RISCV_NOT_HERE
};

// `width` is 1, 2 or 4, which divides the view's size.
static inline bool tsr_riscv_in_view(const struct tsr_riscv_view *view, uint32_t offset,
                                     uint32_t width)
{
    // Bits that would make it unaligned come to the top.
    uint32_t index = offset / width | (width > 1 ? offset * (UINT32_MAX / width + 1) : 0);
    return index < view->size / width;
}

// The memory that has all of these bytes, and where they are in it; NULL: none that is viewed.
static inline const struct tsr_riscv_view *
tsr_riscv_view_of(const struct tsr_riscv *riscv, uint32_t address, uint32_t width, uint32_t *offset)
{
    const struct tsr_riscv_bus *bus = riscv->bus;
    *offset = address - bus->ram.base;
    if (tsr_riscv_in_view(&bus->ram, *offset, width))
        return &bus->ram;
    *offset = address - bus->l1.base;
    return tsr_riscv_in_view(&bus->l1, *offset, width) ? &bus->l1 : NULL;
}

// False: the bus has to say. Bytes that nobody wrote are worth a finding.
static inline bool tsr_riscv_view_load(const struct tsr_riscv *riscv, uint32_t address,
                                       uint32_t width, uint32_t *value)
{
    uint32_t offset;
    const struct tsr_riscv_view *view = tsr_riscv_view_of(riscv, address, width, &offset);
    if (!view)
        return false;
    uint32_t all = (1u << width) - 1;
    if (view->written && (view->written[offset / 8] >> offset % 8 & all) != all)
        return false;
    const uint8_t *bytes = view->bytes + offset;
    // Each an expression of its own: compilers make one load of it.
    if (width == 4)
        *value = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                 (uint32_t)bytes[3] << 24;
    else
        *value = width == 2 ? bytes[0] | (uint32_t)bytes[1] << 8 : bytes[0];
    return true;
}

static inline enum tsr_riscv_went tsr_riscv_view_store(const struct tsr_riscv *riscv,
                                                       uint32_t address, uint32_t width,
                                                       uint32_t value)
{
    uint32_t offset;
    const struct tsr_riscv_view *view = tsr_riscv_view_of(riscv, address, width, &offset);
    if (!view)
        return TSR_RISCV_NOT_HERE;
    uint8_t *bytes = view->bytes + offset;
    bytes[0] = (uint8_t)value;
    if (width >= 2)
        bytes[1] = (uint8_t)(value >> 8);
    if (width == 4) {
        bytes[2] = (uint8_t)(value >> 16);
        bytes[3] = (uint8_t)(value >> 24);
    }
    if (view->written)
        view->written[offset / 8] |= (uint8_t)(((1u << width) - 1) << offset % 8);
    struct tsr_code_lines *code = view->code;
    if (!code || address >= code->high || address + width <= code->low)
        return TSR_RISCV_WENT;
    tsr_code_changed(code, address, width);
    return TSR_RISCV_CODE;
}

// The wall clock, `done` instructions after the run began. False: it is no load of it.
static inline bool tsr_riscv_load_clock(struct tsr_riscv *riscv, uint64_t done, uint32_t address,
                                        uint32_t *value)
{
    const struct tsr_riscv_clock *clock = &riscv->bus->clock;
    uint64_t now = riscv->start + done;
    if (!clock->high)
        return false;
    if (address == clock->low_at) {
        *clock->high = (uint32_t)(now >> 32);
        *value = (uint32_t)now;
    } else if (address == clock->high_at) {
        *value = *clock->high;
    } else {
        return false;
    }
    riscv->effects++; // the next load gives another time
    return true;
}

// The core is to be interrupted: no instruction is executed before that.
static inline bool tsr_riscv_is_due(const struct tsr_riscv *riscv)
{
    return riscv->bus->interrupts && *riscv->bus->interrupts >> riscv->core & 1;
}

// The hart's pc and the core's clock, as others shall see them now.
void tsr_riscv_stand_at(struct tsr_riscv *riscv, struct tsr_hart *hart,
                        struct tsr_riscv_place place);

// How many adjacent .ttinsn are one instruction now. cfg0's DisTriscCache ends fusion (CSRs.md).
static inline unsigned tsr_riscv_together(const struct tsr_riscv *riscv,
                                          const struct tsr_hart *hart)
{
    return riscv->fuses && !tsr_hart_cfg0(hart, TSR_CFG0_DisTriscCache) ? TSR_FUSED_WORDS : 1;
}

// By the bus, in the name of the instruction at `place`.
enum tsr_riscv_went tsr_riscv_bus_load(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                       struct tsr_riscv_place place, uint32_t address,
                                       uint32_t width, uint32_t *value);
enum tsr_riscv_went tsr_riscv_bus_store(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                        struct tsr_riscv_place place, uint32_t address,
                                        uint32_t width, uint32_t value);
// As many of `count` adjacent words as the FIFO has room for, `together` (a power of two) at a
// time; 0: the bus has to say. Rows are short, so four words are written at a time, whatever their
// number.
static inline unsigned tsr_riscv_view_push(const struct tsr_riscv_pushes *pushes,
                                           const struct tsr_riscv_op *op, uint32_t pc,
                                           unsigned count, unsigned together)
{
    struct tsr_fifo *fifo = pushes->fifo;
    if (!fifo)
        return 0;
    unsigned held = fifo->count, depth = pushes->depth, at = fifo->first + held;
    if (held >= depth)
        return 0;
    unsigned room = together > 1 ? (depth - held + together - 1) & (0u - together) : depth - held;
    count = count < room ? count : room;
    if (at + count > TSR_FIFO_MAX)
        return 0; // where its memory begins again
    fifo->count = (uint8_t)(held + count);
    uint32_t *word = fifo->word + at, *end = word + count;
    uint64_t *tag = fifo->tag + at, next = tsr_tag(pc, pushes->source);
    for (; word < end; word += 4, tag += 4, op += 4, next += 16) {
        word[0] = op[0].imm;
        word[1] = op[1].imm;
        tag[0] = next;
        tag[1] = next + 4;
        if (word + 2 >= end)
            break;
        word[2] = op[2].imm;
        word[3] = op[3].imm;
        tag[2] = next + 8;
        tag[3] = next + 12;
    }
    return count;
}

// All of them, if there is room, one at a time. False: tsr_riscv_view_push() has to say.
TSR_INLINE bool tsr_riscv_view_push_all(const struct tsr_riscv_pushes *pushes,
                                        const struct tsr_riscv_op *op, uint32_t pc, unsigned count)
{
    struct tsr_fifo *fifo = pushes->fifo;
    if (!fifo)
        return false;
    unsigned held = fifo->count, at = fifo->first + held;
    if (held + count > pushes->depth || at + count > TSR_FIFO_MAX)
        return false;
    fifo->count = (uint8_t)(held + count);
    uint32_t *word = fifo->word + at;
    uint64_t *tag = fifo->tag + at, next = tsr_tag(pc, pushes->source);
    word[0] = op[0].imm;
    word[1] = op[1].imm;
    tag[0] = next;
    tag[1] = next + 4;
    for (unsigned i = 2; i < count; i += 2) {
        word[i] = op[i].imm;
        word[i + 1] = op[i + 1].imm;
        tag[i] = next + 4 * i;
        tag[i + 1] = next + 4 * i + 4;
    }
    return true;
}

// The same by the view once there is room in it, or by the bus; 0: the hart rests.
unsigned tsr_riscv_push(struct tsr_riscv *riscv, struct tsr_hart *hart,
                        struct tsr_riscv_place place, const struct tsr_riscv_op *op, unsigned count,
                        unsigned together);

// Executes a .ttinsn of a core whose FIFO is behind the bus (timing on) and that pushes one at a
// time. False: the hart rests.
bool tsr_riscv_push_word(struct tsr_riscv *riscv, struct tsr_hart *hart,
                         const struct tsr_riscv_op *op);

// tsr_riscv_view_push() for one word that the core stores to its FIFO's address.
static inline bool tsr_riscv_view_push_word(const struct tsr_riscv_pushes *pushes, uint32_t word,
                                            uint32_t pc)
{
    return pushes->fifo &&
           tsr_fifo_push_from(pushes->fifo, pushes->depth, word, tsr_tag(pc, pushes->source));
}

static inline enum tsr_riscv_went tsr_riscv_load(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                                 struct tsr_riscv_place place, uint32_t address,
                                                 uint32_t width, uint32_t *value)
{
    riscv->load_at = address;
    if (tsr_riscv_view_load(riscv, address, width, value))
        return TSR_RISCV_WENT;
    return tsr_riscv_bus_load(riscv, hart, place, address, width, value);
}

static inline enum tsr_riscv_went tsr_riscv_store(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                                  struct tsr_riscv_place place, uint32_t address,
                                                  uint32_t width, uint32_t value)
{
    riscv->effects++;
    enum tsr_riscv_went went = tsr_riscv_view_store(riscv, address, width, value);
    if (went == TSR_RISCV_NOT_HERE)
        went = tsr_riscv_bus_store(riscv, hart, place, address, width, value);
    return went;
}

// Bytes that a scalar load, store or atomic instruction accesses.
uint32_t tsr_riscv_width_of(int code);

#endif
