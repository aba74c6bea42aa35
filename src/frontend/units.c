// SPDX-License-Identifier: Apache-2.0
// Which units there are, how many instructions each may hold, and where each opcode goes.
// Depths: machine/timing.def (decision 24 for unpackers and packers).
#include "frontend/units.h"

#include "control/config_unit.h"
#include "control/misc_unit.h"
#include "control/mover_unit.h"
#include "control/scalar_unit.h"
#include "control/sync_unit.h"
#include "matrix/matrix_unit.h"
#include "pack/pack_unit.h"
#include "unpack/unpack_unit.h"
#include "vector/vector_unit.h"

static const struct tsr_unit_ops *const units[TSR_UNIT_COUNT] = {
    [TSR_UNIT_UNPACKER0] = &tsr_unpack_ops, [TSR_UNIT_UNPACKER1] = &tsr_unpack_ops,
    [TSR_UNIT_MATRIX] = &tsr_matrix_ops,    [TSR_UNIT_PACKER] = &tsr_pack_ops,
    [TSR_UNIT_SCALAR] = &tsr_scalar_ops,    [TSR_UNIT_CONFIG] = &tsr_config_ops,
    [TSR_UNIT_SYNC] = &tsr_sync_ops,        [TSR_UNIT_MISC] = &tsr_misc_ops,
    [TSR_UNIT_MOVER] = &tsr_mover_ops,      [TSR_UNIT_VECTOR] = &tsr_vector_ops,
};

const struct tsr_unit_ops *tsr_unit_ops_of(tsr_unit unit)
{
    return units[unit];
}

unsigned tsr_unit_depth(tsr_unit unit)
{
    switch (unit) {
    case TSR_UNIT_UNPACKER0:
    case TSR_UNIT_UNPACKER1:
        return 1 + DEPTH_UNPACKER_WAITING;
    case TSR_UNIT_PACKER:
        return 1 + DEPTH_PACKER_WAITING;
    case TSR_UNIT_SCALAR:
    case TSR_UNIT_MOVER:
        return 1;
    default:
        return TSR_QUEUE_DEPTH;
    }
}

// These take an instruction of each thread in a cycle; the others take one in all. The sync unit
// counts its places itself. Pages: MiscellaneousUnit.md, ConfigurationUnit.md.
static bool serves_each_thread(tsr_unit unit, enum tsr_op op)
{
    return unit == TSR_UNIT_MISC || unit == TSR_UNIT_SYNC || op == OP_SETC16;
}

// What a register is or does may depend on the instruction that accesses it: it is seen in its
// queue, and a soft reset of its own unit must find it there.
static bool reaches_registers(enum tsr_op op)
{
    switch (op) {
    case OP_LOADIND:
    case OP_LOADREG:
    case OP_STOREIND:
    case OP_STOREREG:
    case OP_ATINCGET:
    case OP_ATINCGETPTR:
    case OP_ATSWAP:
    case OP_ATCAS:
    case OP_PACR_SETREG:
    case OP_UNPACR_NOP:
        return true;
    default:
        return false;
    }
}

// Of the matrix unit's words only these may be small: the others would be asked for nothing.
static bool may_be_small(tsr_unit unit, enum tsr_op op)
{
    return unit != TSR_UNIT_MATRIX || op == OP_INCRWC || op == OP_SETRWC;
}

// With timing on: as a small word it waits for its unit's time alone, it executes when it is
// accepted, and nothing is left for later that somebody could miss before its thread goes on. What
// keeps RMWCIB and RDCFG out depends on what the configuration unit holds.
static bool takes_a_cycle(const struct tsr_isa *isa, const struct tsr_route *route)
{
    if (isa->rate[RATE_EXPAND_CYCLES] != 1)
        return false;
    if (route->op == OP_NOP)
        return isa->issue_cycles[OP_NOP] == 1;
    if (!route->small || route->issue_cycles > 1 || route->latency == 0)
        return false;
    if (route->op == OP_SETDMAREG)
        return route->latency == 1;
    return route->latency <= 2 && (route->unit == TSR_UNIT_MISC || route->unit == TSR_UNIT_MATRIX ||
                                   route->op == OP_SETC16 || route->op == OP_WRCFG);
}

// Those that tsr_unit_ops.take_whole knows.
static bool goes_whole(enum tsr_op op)
{
    return op == OP_UNPACR || op == OP_PACR || op == OP_SETRWC || op == OP_STALLWAIT;
}

static struct tsr_route route_of(const struct tsr_isa *isa, uint8_t opcode)
{
    uint32_t word = (uint32_t)opcode << 24;
    enum tsr_op op = tsr_op_of(isa, word);
    struct tsr_route route = {
        .op = (uint8_t)op, .expands = tsr_expands(op), .small = op == OP_NOP, .plain = true};
    tsr_unit unit;
    if (op == OP_NOP || op == OP_RESOURCEDECL)
        route.reserved = tsr_reserved_bits(isa, op, 0x00ffffff);
    route.timed_small = op == OP_NOP && takes_a_cycle(isa, &route);
    if (op == OP_NONE || isa->implemented[op] == TSR_IMPLEMENTED_NONE ||
        isa->implemented[op] == TSR_IMPLEMENTED_REFUSED || !tsr_unit_of(isa, word, &unit))
        return route;
    route.ops = tsr_unit_ops_of(unit);
    route.reserved = tsr_reserved_bits(isa, op, 0x00ffffff);
    route.unit = (uint8_t)unit;
    route.asks = route.ops ? 1u << unit : 0;
    route.second = unit == TSR_UNIT_UNPACKER0 ? 1u << 23 : 0;
    route.depth = (uint8_t)tsr_unit_depth(unit);
    route.issue_cycles = isa->issue_cycles[op];
    route.hold = unit == TSR_UNIT_MISC ? route.issue_cycles : 1;
    route.serves_each_thread = serves_each_thread(unit, op);
    // What XMOV starts goes on between rounds.
    route.bypass = route.ops && !reaches_registers(op) && unit != TSR_UNIT_MOVER;
    route.small = route.bypass && route.ops->decode_small && may_be_small(unit, op);
    route.plain = route.bypass;
    // Of UNPACR_NOP the forms that reach registers are part of no block.
    route.blocks = (route.bypass || op == OP_UNPACR_NOP) && route.ops->run_block;
    route.block_of = (uint8_t)(route.blocks ? unit + 1 : 0);
    route.among = route.second ? UINT32_MAX : route.asks | 1u << TSR_UNIT_SCALAR;
    route.parks = route.blocks && route.ops->would_wait && route.ops->still_waits;
    route.block_least = route.blocks && route.ops->blocks_of_one ? 1 : 2;
    route.block_behind_wait = route.bypass && route.ops->blocks_behind_wait;
    route.latency = isa->latency[op];
    route.timed_blocks = route.bypass && route.ops->run_timed_block && route.hold == 1 &&
                         route.issue_cycles <= 1 && route.latency > 0 &&
                         route.latency <= route.depth && isa->rate[RATE_EXPAND_CYCLES] == 1;
    route.timed_whole =
        route.bypass && goes_whole(op) && isa->rate[RATE_EXPAND_CYCLES] == 1 && route.latency > 0;
    route.timed_at_once = route.bypass && route.ops->take_at_once;
    route.timed_small = takes_a_cycle(isa, &route);
    return route;
}

void tsr_routes_fill(struct tsr_route route[256], const struct tsr_isa *isa)
{
    for (unsigned opcode = 0; opcode < 256; opcode++)
        route[opcode] = route_of(isa, (uint8_t)opcode);
}
