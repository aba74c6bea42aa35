// SPDX-License-Identifier: Apache-2.0
// With timing on: a scoreboard of registers, of the places of the retire order, of loads in flight
// and of the store queue says when a core's instruction can begin, and what it leaves behind there.
// Part of riscv_timed.c. Pages: BabyRISCV/README.md and MemoryOrdering.md of each chip,
// InstructionCache.md, L1.md, Blackhole's CSRs.md; docs/errata.md 480 to 484, 575, 576.
#ifndef TESSERA_RISCV_RISCV_SCOREBOARD_H
#define TESSERA_RISCV_RISCV_SCOREBOARD_H

#include "base/bits.h"
#include "riscv/riscv_access.h"
#include "riscv/riscv_integer.h"
#include "riscv/riscv_regions.h"
#include "riscv/riscv_vector.h"

enum cost {
#define RISCV_COST(name, ...) COST_##name,
#include "machine/riscv_timing.def"
    COSTS
};

static const uint8_t costs[TSR_ARCH_COUNT][COSTS] = {
    {
#define RISCV_COST(name, wh, bh, source) wh,
#include "machine/riscv_timing.def"
    },
    {
#define RISCV_COST(name, wh, bh, source) bh,
#include "machine/riscv_timing.def"
    },
};

static const uint16_t icache_bytes[TSR_ARCH_COUNT][TSR_CORE_E1 + 1] = {
    {
#define RISCV_ICACHE(core, wh, bh, source) [TSR_CORE_##core] = wh,
#include "machine/riscv_timing.def"
    },
    {
#define RISCV_ICACHE(core, wh, bh, source) [TSR_CORE_##core] = bh,
#include "machine/riscv_timing.def"
    },
};

#define RISCV_ICACHE(core, wh, bh, source)                                                         \
    _Static_assert(((wh) & ((wh)-1)) == 0 && ((bh) & ((bh)-1)) == 0, "of lines, see "              \
                                                                     "cache_set()");
#include "machine/riscv_timing.def"

// Which rules hold, known to the compiler where it matters for speed. `plain`: nothing is
// set that has_plain_rules() asks for, and no instruction that could set it.
struct rules {
    tsr_arch arch;
    bool plain;
    enum tsr_riscv_kind kind; // of the instruction
};

// Wormhole has no CSRs.
TSR_INLINE bool has_plain_rules(tsr_arch arch, const struct tsr_hart *hart)
{
    if (arch == TSR_WORMHOLE_B0)
        return !hart->slow;
    const uint32_t bits = UINT32_C(1) << TSR_CFG0_SyncAllOps | UINT32_C(1) << TSR_CFG0_DisCsrSync |
                          UINT32_C(1) << TSR_CFG0_DisRegForwarding;
    uint32_t fences = (hart->csr[TSR_CSR_PMACFG0] | hart->csr[TSR_CSR_PMACFG1]) & 1;
    return !hart->slow && ((hart->csr[TSR_CSR_CFG0] & bits) | fences) == 0;
}

TSR_INLINE bool is_slow(struct rules rules, const struct tsr_hart *hart)
{
    return !rules.plain && hart->slow;
}

TSR_INLINE bool has_cfg0(struct rules rules, const struct tsr_hart *hart, enum tsr_cfg0_bit bit)
{
    return !rules.plain && tsr_hart_cfg0(hart, bit);
}

TSR_INLINE bool is_wormhole(struct rules rules)
{
    return rules.arch == TSR_WORMHOLE_B0;
}

TSR_INLINE uint64_t cost(struct rules rules, enum cost name)
{
    return costs[rules.arch][name];
}

TSR_INLINE bool is_in(struct rules rules, enum tsr_region_id id, uint32_t address)
{
    const struct tsr_region *region = &tsr_isa(rules.arch)->region[id];
    return address - region->base < region->size;
}

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

// ---------------------------------------------------------------- when it can begin

// Its fields name no register that it does not have (riscv_decode.h).
TSR_INLINE bool names_its_own(struct rules rules)
{
    return rules.plain && (rules.kind <= RISCV_KIND_DIVIDES || rules.kind == RISCV_KIND_BRANCHES);
}

// Where all results are forwarded. What is not read counts as x0, which is always there. Nothing
// here branches: which registers are ready in time is as good as random. Blackhole: as long as two
// results for a register are on their way, only the very next instruction gets the later one.
TSR_INLINE uint64_t forwarded_ready(struct rules rules, const struct tsr_hart_times *times,
                                    const struct tsr_riscv_op *op, uint64_t at)
{
    _Static_assert(RISCV_READS_RS1 == 1 && RISCV_READS_RS2 == 2, "one bit each");
    bool all = names_its_own(rules);
    unsigned first = all ? op->rs1 : op->rs1 & (0u - (op->uses & 1u));
    unsigned second = all ? op->rs2 : op->rs2 & (0u - (op->uses >> 1 & 1u));
    uint64_t a = times->ready[first], b = times->ready[second];
    unsigned newest = times->forward_register;
    if (!is_wormhole(rules)) {
        uint64_t other = later(first == newest ? 0 : times->other[first],
                               second == newest ? 0 : times->other[second]);
        return later(later(at, other), later(a, b));
    }
    uint64_t forwarded = later(first == newest ? a : 0, second == newest ? b : 0);
    at = later(at, later(first == newest ? 0 : a, second == newest ? 0 : b));
    return later(at, at == times->forward ? 0 : forwarded);
}

// Without forwarding they come from the registers, which on Wormhole are written a cycle after the
// instruction has left the load/store unit.
TSR_INLINE uint64_t operands_ready(struct rules rules, const struct tsr_hart *hart,
                                   const struct tsr_riscv_op *op, uint64_t at)
{
    const struct tsr_hart_times *times = &hart->times;
    unsigned retires = is_wormhole(rules);
    const uint64_t *kept = is_wormhole(rules) ? times->ready : times->kept;
    bool reads[2] = {op->uses & RISCV_READS_RS1, op->uses & RISCV_READS_RS2};
    uint8_t from[2] = {op->rs1, op->rs2};
    if (!is_slow(rules, hart) && !has_cfg0(rules, hart, TSR_CFG0_DisRegForwarding))
        return forwarded_ready(rules, times, op, at);
    for (int i = 0; i < 2; i++)
        if (reads[i])
            at = later(at, kept[from[i]] > 0 ? kept[from[i]] + retires : 0);
    return at;
}

// Bits of the bytes of a line of 16.
static uint16_t line_bytes(uint32_t address, uint32_t width)
{
    return (uint16_t)(((1u << width) - 1) << (address & (16 - width)));
}

// A store that has not left the queue yet is not overtaken by a load of the same address
// (Wormhole), or of some of its bytes (Blackhole).
TSR_INLINE uint64_t behind_stores(struct rules rules, const struct tsr_hart_times *times,
                                  uint32_t address, uint32_t width, uint64_t at)
{
    for (int i = 0; i < TSR_STORE_PLACES; i++) {
        bool meets = is_wormhole(rules) ? times->stored[i] == address
                                        : times->stored[i] / 16 == address / 16 &&
                                              (times->stored_bytes[i] & line_bytes(address, width));
        if (meets)
            at = later(at, times->drained[i]);
    }
    return at;
}

// The same of a vector load, by lines.
static uint64_t behind_stores_of(const struct tsr_hart_times *times,
                                 const struct tsr_riscv_vector_use *use, uint64_t at)
{
    for (uint32_t access = 0; access < use->passes; access++)
        for (int i = 0; i < TSR_STORE_PLACES; i++)
            if (times->stored[i] / 16 == (use->address + access * use->step) / 16)
                at = later(at, times->drained[i]);
    return at;
}

// FENCE has been simplified to a NOP that is executed alone.
TSR_INLINE bool is_fence(struct rules rules, const struct tsr_riscv_op *op)
{
    return rules.kind == RISCV_KIND_ALONE && op->code == RISCV_NOP;
}

// Vector instructions take their operands from the register files.
static uint64_t vector_ready(const struct tsr_hart_times *times, const struct tsr_riscv_op *op,
                             const struct tsr_riscv_vector_use *use, uint64_t at)
{
    if (op->uses & RISCV_READS_RS1)
        at = later(at, times->kept[op->rs1]);
    if (op->uses & RISCV_READS_RS2)
        at = later(at, times->kept[op->rs2]);
    for (int i = 0; i < 4; i++)
        for (unsigned r = 0; r < use->reads[i].count; r++)
            at = later(at, times->vector_kept[(use->reads[i].first + r) % TSR_VECTORS]);
    if (use->loads)
        at = behind_stores_of(times, use, at);
    return use->stores ? later(at, times->drained[times->next_store]) : at;
}

// When the line of the pc is there, which comes behind the last one and is not in the cache. With
// as many requests on their way as a fetch takes cycles, or without a limit, it is there in time;
// with fewer it was asked for when a place was free.
static uint64_t prefetched(const struct tsr_riscv *riscv, const struct tsr_hart *hart, uint64_t now)
{
    const struct tsr_riscv_bus *bus = riscv->bus;
    const struct tsr_hart_times *times = &hart->times;
    uint64_t takes = costs[riscv->arch][COST_FETCH];
    uint64_t places = bus->prefetches ? bus->prefetches(bus->self, riscv->core,
                                                        hart->pc & ~(TSR_ICACHE_LINE - 1u))
                                      : takes;
    if (tsr_hart_cfg0(hart, TSR_CFG0_DisIcPrefetch) || places == 0)
        return later(now, times->free) + takes;
    return places >= takes || times->fetched == 0 ? 0
                                                  : times->fetched + (takes + places - 1) / places;
}

// The set of the line in the instruction cache, of which there is a power of two: its two ways, the
// newer one first (docs/errata.md, 482).
TSR_INLINE uint32_t *cache_set(tsr_arch arch, const struct tsr_riscv *riscv, struct tsr_hart *hart,
                               uint32_t line)
{
    uint32_t sets = icache_bytes[arch][riscv->core] / TSR_ICACHE_LINE / 2;
    return &hart->times.icache[2 * (line & (sets - 1))];
}

TSR_INLINE bool is_cached(tsr_arch arch, const struct tsr_riscv *riscv, struct tsr_hart *hart,
                          uint32_t line)
{
    const uint32_t *way = cache_set(arch, riscv, hart, line);
    return way[0] == line || way[1] == line;
}

// When a line is there that is not in the cache. What follows in L1 is prefetched; where a jump
// goes is fetched; NC's instruction RAM needs none.
static __attribute__((noinline)) uint64_t
line_fetched(const struct tsr_riscv *riscv, struct tsr_hart *hart, uint32_t line, uint64_t now)
{
    struct tsr_hart_times *times = &hart->times;
    if (!tsr_riscv_is_l1(riscv, hart->pc))
        return 0;
    bool follows = times->fetching != 0 && line == times->fetching + 1;
    times->fetched = follows ? prefetched(riscv, hart, now)
                             : later(now, times->free) + costs[riscv->arch][COST_FETCH];
    uint32_t *way = cache_set(riscv->arch, riscv, hart, line);
    way[1] = way[0];
    times->fetching = way[0] = line;
    return times->fetched;
}

// When the instruction at the pc is there.
TSR_INLINE uint64_t fetched(const struct tsr_riscv *riscv, struct tsr_hart *hart, uint64_t now)
{
    struct tsr_hart_times *times = &hart->times;
    uint32_t line = 1 + hart->pc / TSR_ICACHE_LINE;
    if (line == times->fetching)
        return times->fetched;
    if (!is_cached(riscv->arch, riscv, hart, line))
        return line_fetched(riscv, hart, line, now);
    times->fetching = line;
    return times->fetched = 0;
}

// It is. False: fetched() has to say.
TSR_INLINE bool is_fetched(tsr_arch arch, const struct tsr_riscv *riscv, struct tsr_hart *hart,
                           uint64_t now)
{
    struct tsr_hart_times *times = &hart->times;
    uint32_t line = 1 + hart->pc / TSR_ICACHE_LINE;
    if (line == times->fetching)
        return times->fetched <= now;
    if (!is_cached(arch, riscv, hart, line))
        return false;
    times->fetching = line;
    times->fetched = 0;
    return true;
}

TSR_INLINE bool accesses_memory(struct rules rules, const struct tsr_riscv_vector_use *use)
{
    return rules.kind == RISCV_KIND_LOADS || rules.kind == RISCV_KIND_STORES ||
           (rules.kind == RISCV_KIND_VECTOR && (use->loads || use->stores));
}

// Blackhole's pmacfg0 and pmacfg1: each load and store is as behind a FENCE.
TSR_INLINE bool is_fenced(struct rules rules, const struct tsr_hart *hart)
{
    return !rules.plain && (hart->csr[TSR_CSR_PMACFG0] | hart->csr[TSR_CSR_PMACFG1]) & 1;
}

TSR_INLINE uint64_t fenced(struct rules rules, const struct tsr_hart *hart, uint64_t at)
{
    const struct tsr_hart_times *times = &hart->times;
    if (!is_fenced(rules, hart))
        return at;
    return later(at, 1 + later(times->free, later(times->last_drained, times->last_left)));
}

// If it reads the register that the branch or store two instructions before it would write if
// those wrote any, it waits for that (docs/errata.md, 594).
TSR_INLINE uint64_t behind_false_rd(struct rules rules, const struct tsr_hart_times *times,
                                    const struct tsr_riscv_op *op, uint64_t at)
{
    const unsigned rd = cost(rules, COST_FALSE_RD) > 0 ? times->false_rd_before : 0;
    bool reads = rd != 0 && ((op->uses & RISCV_READS_RS1 && op->rs1 == rd) ||
                             (op->uses & RISCV_READS_RS2 && op->rs2 == rd));
    return reads ? later(at, times->free + cost(rules, COST_FALSE_RD)) : at;
}

TSR_INLINE uint64_t can_begin(struct rules rules, const struct tsr_hart *hart,
                              const struct tsr_riscv_op *op, const struct tsr_riscv_vector_use *use,
                              uint64_t now)
{
    const struct tsr_hart_times *times = &hart->times;
    uint64_t at = later(now, times->free);
    // Slow execution mode leaves one place in each queue.
    uint64_t room = is_slow(rules, hart) ? times->last_drained : times->drained[times->next_store];
    uint64_t last = times->last_left - (is_wormhole(rules) && times->last_left > 0);
    at = later(at, is_slow(rules, hart) ? last : times->left[times->next_left]);
    if (is_wormhole(rules)) // nothing enters the load/store unit while the store queue is full
        at = later(at, room);
    at = operands_ready(rules, hart, op, at);
    at = behind_false_rd(rules, times, op, at);
    bool is_vector = rules.kind == RISCV_KIND_VECTOR;
    uint32_t address = is_vector ? use->address : hart->x[op->rs1] + op->imm;
    bool own_ram = accesses_memory(rules, use) && is_in(rules, REGION_LOCAL_RAM, address);
    if (own_ram)
        at = later(at, times->ram_cleared);
    switch (rules.kind) {
    case RISCV_KIND_LOADS:
        if (!own_ram)
            at = later(at, times->load[times->next_load]);
        if (tsr_hart_cfg0(hart, TSR_CFG0_DisLdBufByp))
            at = later(at, times->last_drained);
        at = behind_stores(rules, times, address, tsr_riscv_width_of(op->code), at);
        return fenced(rules, hart, at);
    case RISCV_KIND_STORES:
        return fenced(rules, hart, later(at, room));
    case RISCV_KIND_PUSHES:
        return later(at, room);
    case RISCV_KIND_ATOMIC:
        return later(at, later(times->last_drained, times->last_left));
    case RISCV_KIND_ALONE: // Blackhole's FENCE waits for the store queue, CSRs do not
        return is_fence(rules, op) && !is_wormhole(rules) ? later(at, times->last_drained) : at;
    case RISCV_KIND_VECTOR:
        at = vector_ready(times, op, use, at);
        return accesses_memory(rules, use) ? fenced(rules, hart, at) : at;
    default:
        return at;
    }
}

// ---------------------------------------------------------------- what it leaves behind

static uint64_t division(tsr_arch arch, enum tsr_riscv_code code, uint32_t a, uint32_t b)
{
    bool is_signed = code == RISCV_DIV || code == RISCV_REM;
    if (b <= 1 || (is_signed && a == 0x80000000 && b == UINT32_MAX))
        return costs[arch][COST_DIVIDE_SHORT];
    uint32_t size = is_signed && a >> 31 ? 0u - a : a;
    uint64_t cycles = 1 + (32 - (uint64_t)tsr_riscv_clz(size));
    return later(cycles, costs[arch][COST_DIVIDE_LEAST]);
}

static bool in_cache(struct tsr_hart_times *times, uint32_t address)
{
    for (int i = 0; i < TSR_CACHE_LINES; i++)
        if (times->cached[i] == 1 + address / 16)
            return true;
    times->cached[times->next_line] = 1 + address / 16;
    times->next_line = (times->next_line + 1) % TSR_CACHE_LINES;
    return false;
}

static void flush_cache(struct tsr_hart_times *times)
{
    for (int i = 0; i < TSR_CACHE_LINES; i++)
        times->cached[i] = 0;
}

// The cycles from the begin of a load to its value.
TSR_INLINE uint64_t note_load(struct rules rules, const struct tsr_riscv *riscv,
                              struct tsr_hart *hart, uint32_t address, uint64_t now)
{
    struct tsr_hart_times *times = &hart->times;
    bool caches = cost(rules, COST_CACHED_LOAD) && !tsr_hart_cfg0(hart, TSR_CFG0_DisLowCash);
    if (caches && is_in(rules, REGION_L1, address) && in_cache(times, address))
        return cost(rules, COST_CACHED_LOAD);
    bool own_ram = is_in(rules, REGION_LOCAL_RAM, address);
    uint64_t cycles = address - tsr_isa(rules.arch)->region[REGION_LOCAL_RAM].base < riscv->ram_size
                          ? riscv->ram_cycles
                      : is_in(rules, REGION_L1, address) ? riscv->l1_cycles
                                                         : tsr_riscv_load_cycles(riscv, address);
    if (!own_ram) {
        times->load[times->next_load] = now + cycles - 1;
        times->next_load = (times->next_load + 1) % TSR_LOAD_PLACES;
    }
    return cycles;
}

// The last store of Blackhole's queue, if it goes to L1, waits for others to join it: until its 16
// bytes are complete, until another store comes that cannot, or as long as cfg0 says.
static uint64_t tail_drained(const struct tsr_hart *hart, uint16_t bytes, uint64_t now)
{
    bool waits = !tsr_hart_cfg0(hart, TSR_CFG0_DisStMerge) && bytes != 0xffff;
    uint64_t timer = waits ? hart->csr[TSR_CSR_CFG0] >> TSR_CFG0_StMergeTimer & 31 : 0;
    return later(now + 1 + timer, hart->times.least_drained);
}

// False: the store has to stand in the queue by itself.
static bool joins(struct tsr_hart *hart, uint32_t address, uint16_t bytes, uint64_t now)
{
    struct tsr_hart_times *times = &hart->times;
    unsigned newest = (times->next_store + TSR_STORE_PLACES - 1u) % TSR_STORE_PLACES;
    uint32_t last = times->stored[newest];
    if (times->drained[newest] <= now || last / 16 != address / 16 || last - address + 4 > 8 ||
        tsr_hart_cfg0(hart, TSR_CFG0_DisStMerge))
        return false;
    times->stored[newest] = address;
    times->stored_bytes[newest] |= bytes;
    times->drained[newest] = times->last_drained =
        tail_drained(hart, times->stored_bytes[newest], now);
    return true;
}

// As it comes when nothing more can join the one before it.
static void close_tail(struct tsr_hart_times *times, uint64_t now)
{
    unsigned newest = (times->next_store + TSR_STORE_PLACES - 1u) % TSR_STORE_PLACES;
    uint64_t closed = later(now + 1, times->least_drained);
    if (times->drained[newest] > closed)
        times->drained[newest] = times->last_drained = closed;
}

TSR_INLINE void note_store(struct rules rules, struct tsr_hart *hart, uint32_t address,
                           uint32_t width, uint64_t now)
{
    struct tsr_hart_times *times = &hart->times;
    bool to_l1 = is_in(rules, REGION_L1, address);
    uint16_t bytes = line_bytes(address, width);
    if (!is_wormhole(rules)) {
        for (int i = 0; i < TSR_CACHE_LINES; i++)
            if (times->cached[i] == 1 + address / 16)
                times->cached[i] = 0;
        if (to_l1 && joins(hart, address, bytes, now))
            return;
        close_tail(times, now);
    }
    uint64_t between = cost(rules, to_l1 ? COST_STORE_L1 : COST_STORE_ELSEWHERE);
    times->least_drained =
        later(now + 1, times->last_drained > 0 ? times->last_drained + between : 0);
    times->last_drained =
        to_l1 && !is_wormhole(rules) ? tail_drained(hart, bytes, now) : times->least_drained;
    times->drained[times->next_store] = times->last_drained;
    times->stored[times->next_store] = address;
    times->stored_bytes[times->next_store] = bytes;
    times->next_store = (times->next_store + 1) % TSR_STORE_PLACES;
}

// The place in the table of the branch predictor. Wormhole: 16 of them, by a hash, which branches
// share (docs/errata.md, 481).
TSR_INLINE uint32_t *expected_next(struct rules rules, struct tsr_hart_times *times, uint32_t pc)
{
    uint32_t place = pc >> 2;
    if (is_wormhole(rules)) {
        uint32_t pairs = pc ^ pc >> 1, far = pc ^ pc >> 2;
        place = (pc >> 2 & 1) | (~pairs >> 2 & 2) | (far >> 3 & 4) | (~far >> 3 & 8);
    }
    return &times->expected[place % TSR_PREDICTOR_PLACES];
}

// A branch or jump is expected to go on where the last one of its place went. For the first of a
// place: branches back are taken, those forward not, and jumps go where they go.
TSR_INLINE bool mispredicted(struct rules rules, const struct tsr_riscv *riscv,
                             struct tsr_hart *hart, const struct tsr_riscv_op *op, uint32_t pc)
{
    const struct tsr_riscv_bus *bus = riscv->bus;
    if (tsr_hart_cfg0(hart, TSR_CFG0_DisBp) ||
        (bus->predictor && (*bus->predictor & bus->predictor_off)))
        return hart->pc != pc + 4;
    uint32_t *expected = expected_next(rules, &hart->times, pc);
    bool by_direction = tsr_riscv_branches(op) && (hart->pc == op->imm) != (op->imm <= pc);
    bool wrong = *expected ? hart->pc != *expected : by_direction;
    *expected = hart->pc;
    hart->times.unexpected += wrong;
    return wrong;
}

// In order: each leaves a cycle after the one before it, at the earliest.
TSR_INLINE void leave(struct rules rules, struct tsr_hart_times *times, uint64_t leaves)
{
    times->last_left = later(leaves, times->last_left + 1);
    times->left[times->next_left] = times->last_left - is_wormhole(rules);
    times->next_left = (times->next_left + 1) % TSR_RETIRE_PLACES;
}

// An access or a register every cycle, if the load/store unit takes them; a place in the retire
// order for each register that is written.
static void note_vector(const struct tsr_riscv *riscv, struct tsr_hart *hart,
                        const struct tsr_riscv_op *op, const struct tsr_riscv_vector_use *use,
                        uint64_t now)
{
    struct tsr_hart_times *times = &hart->times;
    const struct rules rules = {riscv->arch, false, RISCV_KIND_VECTOR};
    uint64_t at = now, done = now + cost(rules, COST_VECTOR) + use->passes - 1;
    for (uint32_t i = 0; (use->loads || use->stores) && i < use->passes; i++, at++) {
        uint32_t address = use->address + i * use->step;
        if (use->stores) {
            at = later(at, times->drained[times->next_store]);
            note_store(rules, hart, address & ~15u, 16, at);
            done = at + 2;
        } else {
            if (!tsr_riscv_is_own_ram(riscv, address))
                at = later(at, times->load[times->next_load]);
            done = at + note_load(rules, riscv, hart, address, at);
        }
    }
    times->free = later(later(at, now + use->passes), now + 1);
    for (unsigned r = 0; r < use->writes.count; r++) {
        uint64_t behind = use->writes.count - 1u - r; // the registers come one by one
        leave(rules, times, later(done > behind ? done - behind : 0, now + 1));
        times->vector_kept[(use->writes.first + r) % TSR_VECTORS] = times->last_left;
    }
    if (use->writes.count == 0)
        leave(rules, times, done);
    times->forward_register = 0;
    if (op->uses & RISCV_WRITES_RD && op->rd != 0) {
        times->ready[op->rd] = done;
        times->other[op->rd] = times->kept[op->rd];
        times->kept[op->rd] = times->last_left;
        times->forward_register = op->rd;
    }
}

// What the instruction is, and what it found.
struct before {
    const struct tsr_riscv_op *op;
    const struct tsr_riscv_vector_use *use; // NULL: no vector instruction
    uint32_t pc, a, b;
};

// A wrong prediction hides it.
TSR_INLINE void note_false_rd(struct rules rules, struct tsr_hart_times *times,
                              const struct tsr_riscv_op *op, bool mispredicted)
{
    bool has = rules.kind == RISCV_KIND_STORES ||
               (rules.kind == RISCV_KIND_BRANCHES && tsr_riscv_branches(op));
    if (cost(rules, COST_FALSE_RD) == 0)
        return;
    times->false_rd_before = mispredicted ? 0 : times->false_rd;
    times->false_rd = has && !mispredicted ? (uint8_t)(op->word >> 7 & 31) : 0;
}

TSR_INLINE void note(struct rules rules, const struct tsr_riscv *riscv, struct tsr_hart *hart,
                     const struct before *was, uint64_t now)
{
    struct tsr_hart_times *times = &hart->times;
    const struct tsr_riscv_op *op = was->op;
    // Until it makes room for the next, and until there is a value; what the frontend loses.
    uint64_t holds = 1, cycles = 1, bubble = 0;
    if (!rules.plain && accesses_memory(rules, was->use) && is_fenced(rules, hart))
        flush_cache(times);
    switch (rules.kind) {
    case RISCV_KIND_MULTIPLIES:
        holds = cost(rules, COST_MULTIPLY_HOLDS);
        cycles = cost(rules, COST_MULTIPLY);
        break;
    case RISCV_KIND_DIVIDES:
        holds = cycles = division(rules.arch, (enum tsr_riscv_code)op->code, was->a, was->b);
        break;
    case RISCV_KIND_LOADS:
        cycles = note_load(rules, riscv, hart, was->a + op->imm, now);
        break;
    case RISCV_KIND_ATOMIC:
        cycles = cost(rules, COST_ATOMIC);
        flush_cache(times);
        break;
    case RISCV_KIND_STORES:
        note_store(rules, hart, was->a + op->imm, tsr_riscv_width_of(op->code), now);
        break;
    case RISCV_KIND_PUSHES:
        note_store(rules, hart, tsr_riscv_push_address(riscv), 4, now);
        break;
    case RISCV_KIND_BRANCHES:
        if (mispredicted(rules, riscv, hart, op, was->pc))
            bubble = cost(rules, COST_MISPREDICTED);
        break;
    case RISCV_KIND_ALONE:
        if (is_fence(rules, op))
            flush_cache(times);
        break;
    case RISCV_KIND_VECTOR:
        note_vector(riscv, hart, op, was->use, now);
        if (tsr_hart_cfg0(hart, TSR_CFG0_SyncAllOps))
            times->free = later(times->free, times->last_left);
        return;
    case RISCV_KIND_COMPUTES:
    case RISCV_KIND_FLOATS:
    case RISCV_KIND_ENDS:
        break;
    }
    leave(rules, times, is_wormhole(rules) ? later(now + holds + 1, now + cycles) : now + cycles);
    times->free = now + holds + bubble;
    note_false_rd(rules, times, op, bubble > 0);
    bool alone = rules.kind == RISCV_KIND_ALONE && !has_cfg0(rules, hart, TSR_CFG0_DisCsrSync);
    if (!is_wormhole(rules) && (alone || has_cfg0(rules, hart, TSR_CFG0_SyncAllOps)))
        times->free = later(times->free, times->last_left);
    // Wormhole: from where it leaves, or to the very next instruction as it passes. What is not
    // written goes to x0, which stays as it is.
    unsigned to = names_its_own(rules) ? op->rd : op->rd & (0u - (op->uses / RISCV_WRITES_RD & 1u));
    times->ready[to] = is_wormhole(rules) ? times->last_left : now + cycles;
    times->ready[0] = 0;
    if (!is_wormhole(rules)) {
        times->other[to] = times->kept[to];
        times->kept[to] = times->last_left;
        times->kept[0] = 0;
    }
    bool late = is_wormhole(rules) && rules.kind == RISCV_KIND_LOADS;
    times->forward_register = late ? 0 : (uint8_t)to;
    if (is_wormhole(rules))
        times->forward = now + holds;
}

#endif
