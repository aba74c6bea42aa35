// SPDX-License-Identifier: Apache-2.0
// Reads and writes of CSRs. Registers that only keep what is written do just that; what of cfg0
// changes results or findings is looked up where it matters.
// Page: BlackholeA0/TensixTile/BabyRISCV/CSRs.md.
#include "riscv/riscv_csr.h"

#include "isa/region_index.h"
#include "riscv/riscv_refuse.h"

#include <stddef.h>

enum csr_kind {
    CSR_FIXED,
    CSR_PLAIN,
    CSR_FLOAT,
    CSR_LOW_TWO,
    CSR_LOW_BIT,
    CSR_CYCLE,
    CSR_CYCLE_HIGH,
    CSR_RETIRED,
    CSR_RETIRED_HIGH,
    CSR_EVENTS,
    CSR_STATUS,
    CSR_STREAM
};

static const struct {
    const char *name;
    uint16_t number;
    uint8_t kind; // enum csr_kind
} csrs[TSR_CSRS] = {
#define RISCV_CSR(enumerator, name, number, kind, value) {name, number, CSR_##kind},
#include "machine/riscv_csrs.def"
};

static int find_csr(uint32_t number)
{
    for (int i = 0; i < TSR_CSRS; i++)
        if (csrs[i].number == number)
            return i;
    return -1;
}

static uint64_t cycles(const struct tsr_riscv *riscv, const struct tsr_hart *hart,
                       struct tsr_riscv_place place)
{
    return riscv->start + place.done - hart->cycles_from;
}

static uint64_t retired(const struct tsr_hart *hart, struct tsr_riscv_place place)
{
    return hart->retired + place.done - hart->retired_from;
}

enum { STREAMS = 1 + TSR_CSR_TT_CFG_SSTATUS7 - TSR_CSR_TT_CFG_SSTATUS0 };

// What the coprocessor and the NoC overlay show, unless cfg0 keeps it as it is.
static void refresh_status(const struct tsr_riscv *riscv, struct tsr_hart *hart)
{
    const struct tsr_riscv_bus *bus = riscv->bus;
    if (tsr_hart_cfg0(hart, TSR_CFG0_DisTTStatusReg))
        return;
    if (bus->status) {
        hart->csr[TSR_CSR_TT_CFG_QSTATUS] = bus->status(bus->self, riscv->core, false);
        hart->csr[TSR_CSR_TT_CFG_BSTATUS] = bus->status(bus->self, riscv->core, true);
    }
    for (unsigned i = 0; i < STREAMS && bus->stream && tsr_is_t_core(riscv->core); i++)
        bus->stream(bus->self, riscv->core, i, &hart->csr[TSR_CSR_TT_CFG_SSTATUS0 + i]);
}

static uint32_t read_events(struct tsr_hart *hart, int csr)
{
    uint32_t value = hart->csr[csr];
    if (tsr_hart_cfg0(hart, TSR_CFG0_PmcClrOnRd))
        hart->csr[csr] = 0;
    return value;
}

static uint32_t read_csr(const struct tsr_riscv *riscv, struct tsr_hart *hart,
                         struct tsr_riscv_place place, int csr)
{
    switch (csrs[csr].kind) {
    case CSR_EVENTS:
        return read_events(hart, csr);
    case CSR_STATUS:
    case CSR_STREAM:
        refresh_status(riscv, hart);
        return hart->csr[csr];
    case CSR_CYCLE:
        return (uint32_t)cycles(riscv, hart, place);
    case CSR_CYCLE_HIGH:
        return (uint32_t)(cycles(riscv, hart, place) >> 32);
    case CSR_RETIRED:
        return (uint32_t)retired(hart, place);
    case CSR_RETIRED_HIGH:
        return (uint32_t)(retired(hart, place) >> 32);
    default:
        return hart->csr[csr];
    }
}

// Half of a counter is replaced: what it counts from moves by as much the other way.
static uint64_t moved(uint64_t from, uint64_t count, uint32_t value, bool high)
{
    uint64_t changed =
        high ? (count & 0xffffffff) | (uint64_t)value << 32 : (count >> 32 << 32) | value;
    return from + count - changed;
}

static void write_csr(struct tsr_riscv *riscv, struct tsr_hart *hart, struct tsr_riscv_place place,
                      int csr, uint32_t value)
{
    enum csr_kind kind = csrs[csr].kind;
    if (csr == TSR_CSR_CFG0) // which may freeze it as it is now
        refresh_status(riscv, hart);
    switch (kind) {
    case CSR_FIXED:
        return;
    case CSR_FLOAT:
        hart->csr[csr] = value & 0xff;
        return;
    case CSR_LOW_TWO:
    case CSR_LOW_BIT:
        hart->csr[csr] = value & (kind == CSR_LOW_TWO ? 3 : 1);
        return;
    case CSR_CYCLE:
    case CSR_CYCLE_HIGH:
        hart->cycles_from =
            moved(hart->cycles_from, cycles(riscv, hart, place), value, kind == CSR_CYCLE_HIGH);
        return;
    case CSR_RETIRED:
    case CSR_RETIRED_HIGH: // the next instruction reads what this one wrote
        hart->retired_from =
            1 + moved(hart->retired_from, retired(hart, place), value, kind == CSR_RETIRED_HIGH);
        return;
    default:
        hart->csr[csr] = value;
        return;
    }
}

// Why the CSR cannot be used now; NULL: it can.
static const char *missing(const struct tsr_riscv *riscv, const struct tsr_hart *hart, int csr)
{
    bool third = csr == TSR_CSR_MHPMCOUNTER3 || csr == TSR_CSR_MHPMCOUNTER3H;
    uint32_t value;
    switch (csrs[csr].kind) {
    case CSR_EVENTS:
        return hart->csr[third ? TSR_CSR_MHPMEVENT3 : TSR_CSR_MHPMEVENT4]
                   ? "counts an event that no page has"
                   : NULL;
    case CSR_STREAM:
        return tsr_is_t_core(riscv->core) && !tsr_hart_cfg0(hart, TSR_CFG0_DisTTStatusReg) &&
                       !(riscv->bus->stream &&
                         riscv->bus->stream(riscv->bus->self, riscv->core,
                                            (unsigned)(csr - TSR_CSR_TT_CFG_SSTATUS0), &value))
                   ? "shows a stream of the NoC overlay, which is not there"
                   : NULL;
    default:
        return NULL;
    }
}

bool tsr_riscv_execute_csr(struct tsr_riscv *riscv, struct tsr_hart *hart,
                           struct tsr_riscv_place place, const struct tsr_riscv_op *op)
{
    int csr = find_csr(op->imm);
    const char *why = csr < 0 ? NULL : missing(riscv, hart, csr);
    if (csr < 0 || why)
        return tsr_riscv_refuse_csr(riscv, hart, place, op->imm, csr < 0 ? NULL : csrs[csr].name,
                                    why);
    if (csrs[csr].kind == CSR_STREAM && tsr_is_t_core(riscv->core) &&
        !tsr_hart_cfg0(hart, TSR_CFG0_DisTTStatusReg) &&
        !tsr_riscv_some_stream(riscv, hart, place, csrs[csr].name))
        return false;
    bool swaps = op->code == RISCV_CSRRW || op->code == RISCV_CSRRWI;
    bool writes = swaps || op->rs1 != 0, constant = op->code >= RISCV_CSRRWI;
    if (writes && hart->interrupted) {
        if (!tsr_riscv_write_in_handler(riscv, hart, place, csrs[csr].name))
            return false;
        writes = false;
    }
    uint32_t operand = constant ? op->rs1 : hart->x[op->rs1];
    tsr_riscv_stand_at(riscv, hart, place);
    uint32_t old = read_csr(riscv, hart, place, csr);
    riscv->effects++; // counters go on by themselves, and others may read what is written
    bool sets = op->code == RISCV_CSRRS || op->code == RISCV_CSRRSI;
    if (writes)
        write_csr(riscv, hart, place, csr, swaps ? operand : sets ? old | operand : old & ~operand);
    if (op->rd != 0)
        hart->x[op->rd] = old;
    return true;
}
