// SPDX-License-Identifier: Apache-2.0
// Loads and stores that are not to plain memory, and pushes of Tensix words: the core makes them
// over its bus (struct tsr_riscv_bus). An access that has to wait changes nothing and is tried
// again later.
// Pages: BabyRISCV/README.md (memory map, faults), PushTensixInstruction.md of each chip.
#include "riscv/riscv_access.h"

#include "riscv/riscv_integer.h"
#include "riscv/riscv_regions.h"

static enum tsr_riscv_went after(struct tsr_hart *hart, tsr_status status, uint32_t address,
                                 bool store)
{
    switch (status) {
    case TSR_OK:
    case TSR_UNIMPLEMENTED: // the bus has reported it, and what it is as if
        return TSR_RISCV_WENT;
    case TSR_BUSY:
        hart->rest = TSR_HART_BLOCKED;
        break;
    case TSR_STOPPED:
        return TSR_RISCV_RESTS; // the tile: the core would go on
    default:
        hart->rest = TSR_HART_HUNG;
        break;
    }
    hart->waits_at = address;
    hart->waits_to_store = store;
    return TSR_RISCV_RESTS;
}

void tsr_riscv_stand_at(struct tsr_riscv *riscv, struct tsr_hart *hart,
                        struct tsr_riscv_place place)
{
    hart->pc = place.pc;
    *riscv->bus->now = riscv->start + place.done;
}

enum tsr_riscv_went tsr_riscv_bus_load(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                       struct tsr_riscv_place place, uint32_t address,
                                       uint32_t width, uint32_t *value)
{
    const struct tsr_riscv_bus *bus = riscv->bus;
    if (width == 4 && tsr_riscv_load_clock(riscv, place.done, address, value))
        return TSR_RISCV_WENT;
    if (width == 4 && bus->glance && bus->glance(bus->self, riscv->core, address, value))
        return TSR_RISCV_WENT;
    tsr_riscv_stand_at(riscv, hart, place);
    uint64_t until = bus->quiet_until ? bus->quiet_until(bus->self, riscv->core, address) : 0;
    if (until == 0)
        riscv->effects++;
    else if (until < riscv->polls.until)
        riscv->polls.until = until;
    return after(hart, bus->load(bus->self, riscv->core, address, value, (int)width), address,
                 false);
}

enum tsr_riscv_went tsr_riscv_bus_store(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                        struct tsr_riscv_place place, uint32_t address,
                                        uint32_t width, uint32_t value)
{
    const struct tsr_riscv_bus *bus = riscv->bus;
    if (width == 4 && address == riscv->push_at &&
        tsr_riscv_view_push_word(&bus->pushes, value, place.pc))
        return TSR_RISCV_WENT;
    uint64_t generation = tsr_riscv_generation(riscv);
    tsr_riscv_stand_at(riscv, hart, place);
    enum tsr_riscv_went went =
        after(hart, bus->store(bus->self, riscv->core, address, value, (int)width), address, true);
    // Whoever the access set off may have written code, as well, and the core itself may be who is
    // interrupted.
    bool ends = tsr_riscv_generation(riscv) != generation || tsr_riscv_is_due(riscv);
    return went == TSR_RISCV_WENT && ends ? TSR_RISCV_CODE : went;
}

uint32_t tsr_riscv_width_of(int code)
{
    switch (code) {
#define BYTES(name, bytes, ...)                                                                    \
    case RISCV_##name:                                                                             \
        return bytes;
        TSR_RISCV_LOADS(BYTES)
        TSR_RISCV_STORES(BYTES)
#undef BYTES
    case RISCV_FLH:
    case RISCV_FSH:
        return 2;
    default:
        return 4;
    }
}

void tsr_riscv_peek(struct tsr_riscv *riscv, const struct tsr_hart *hart,
                    struct tsr_riscv_next *next)
{
    *next = (struct tsr_riscv_next){.pc = hart->pc};
    const struct tsr_riscv_block *block = hart->pc & 3 ? NULL : tsr_riscv_block_at(riscv, hart->pc);
    if (!block)
        return;
    const struct tsr_riscv_op *op = &block->op[(hart->pc - block->pc) / 4];
    bool atomic = op->kind == RISCV_KIND_ATOMIC;
    next->loads = op->kind == RISCV_KIND_LOADS || atomic;
    next->stores = op->kind == RISCV_KIND_STORES || atomic;
    next->pushes = op->kind == RISCV_KIND_PUSHES;
    if (!next->loads && !next->stores)
        return;
    next->address = hart->x[op->rs1] + (atomic ? 0 : op->imm);
    next->width = tsr_riscv_width_of(op->code);
}

unsigned tsr_riscv_push(struct tsr_riscv *riscv, struct tsr_hart *hart,
                        struct tsr_riscv_place place, const struct tsr_riscv_op *op, unsigned count,
                        unsigned together)
{
    const struct tsr_riscv_bus *bus = riscv->bus;
    const struct tsr_riscv_pushes *pushes = &bus->pushes;
    if (pushes->fifo && pushes->fifo->count >= pushes->depth && bus->make_room &&
        bus->make_room(bus->self, riscv->core)) {
        unsigned viewed = tsr_riscv_view_push(pushes, op, place.pc, count, together);
        if (viewed > 0)
            return viewed;
    }
    uint32_t address = tsr_riscv_push_address(riscv), words[TSR_BLOCK_WORDS];
    if (riscv->core == TSR_CORE_NC) // which cannot
        return tsr_riscv_bus_store(riscv, hart, place, address, 4, op->imm) != TSR_RISCV_RESTS;
    for (unsigned i = 0; i < count; i++)
        words[i] = op[i].imm;
    tsr_riscv_stand_at(riscv, hart, place);
    int taken = bus->push(bus->self, riscv->core, words, (int)count, (int)together);
    if (taken <= 0)
        after(hart, TSR_BUSY, address, true);
    return taken > 0 ? (unsigned)taken : 0;
}

bool tsr_riscv_push_word(struct tsr_riscv *riscv, struct tsr_hart *hart,
                         const struct tsr_riscv_op *op)
{
    const struct tsr_riscv_bus *bus = riscv->bus;
    uint32_t word = op->imm;
    riscv->effects++;
    if (bus->push(bus->self, riscv->core, &word, 1, 1) <= 0) {
        after(hart, TSR_BUSY, riscv->push_at, true);
        return false;
    }
    hart->pc += 4;
    hart->retired++;
    return true;
}
