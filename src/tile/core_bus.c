// SPDX-License-Identifier: Apache-2.0
// What a core that the tile interprets sees of it: memory, the rest of the address map in its name,
// where its instructions come from, and whom it tells its findings.
// Pages: BabyRISCV/README.md, InstructionRAM.md, PushTensixInstruction.md of each chip.
#include "tile/core_bus.h"

#include "base/bits.h"
#include "frontend/events.h"
#include "state/report.h"
#include "tile/core_push.h"
#include "tile/core_reset.h"
#include "tile/core_status.h"
#include "tile/core_stores.h"
#include "tile/map_irqs.h"
#include "tile/map_tdma.h"
#include "tile/storereg_loads.h"
#include "tile/timestamper.h"

#include <limits.h>

static const uint8_t *bus_fetch(void *self, int core, uint32_t address, uint32_t *size)
{
    const struct tsr_tile *tile = self;
    const struct tsr_state *state = tile->engine.env.state;
    const struct tsr_region *iram = &tile->engine.env.isa->region[REGION_IRAM];
    if (address < state->l1.size) {
        *size = state->l1.size - address;
        return state->l1.bytes + address;
    }
    if (core != TSR_CORE_NC || iram->size == 0 || address - iram->base >= TSR_IRAM_BYTES)
        return NULL;
    *size = TSR_IRAM_BYTES - (address - iram->base);
    return state->cores.iram + (address - iram->base);
}

// What the core does at env->core_at has no effect.
static void note_refused(struct tsr_tile *tile, int core, enum tsr_finding code)
{
    uint32_t pc = tile->engine.env.core_at, size;
    const uint8_t *bytes = bus_fetch(tile, core, pc, &size);
    uint32_t word = bytes && size >= 4 ? tsr_word_at(bytes) : 0;
    tsr_note_core_refused(&tile->engine, core, pc, word, tsr_finding_at((int)code)->code);
}

// With timing on: what the engine must look at again after a core's store there, as after the
// instruction that does the same.
static uint32_t touched_by_store(const struct tsr_tile *tile, int core, uint32_t address)
{
    const struct tsr_isa *isa = tile->engine.env.isa;
    switch (tsr_region_find(&tile->tables->regions, isa, (unsigned)core, address)) {
    case REGION_SEMAPHORES:
        return 1u << TSR_UNIT_SYNC;
    case REGION_CONFIG:
        return 1u << TSR_UNIT_CONFIG;
    case REGION_GPRS:
        return 1u << TSR_UNIT_SCALAR;
    default:
        return TSR_TOUCHED_ALL;
    }
}

// A core that puts itself into reset goes no further.
static __attribute__((noinline)) tsr_status store_any(void *self, int core, uint32_t address,
                                                      uint32_t value, int width)
{
    struct tsr_tile *tile = self;
    const struct tsr_port *port = &tile->engine.env.port;
    uint32_t *touched = &tile->engine.env.touched, before = *touched;
    tsr_core_enter(tile, core);
    tsr_status status = port->store(port->self, core, address, value, width);
    if (status == TSR_UNIMPLEMENTED)
        note_refused(tile, core, FINDING_UNIMPLEMENTED_MODE);
    tsr_core_leave(tile);
    tsr_core_push_view(tile, core);
    if (tile->engine.env.timing && status == TSR_OK)
        *touched = before | (*touched & ~(uint32_t)TSR_TOUCHED_ALL) |
                   touched_by_store(tile, core, address);
    return tsr_core_held(&tile->engine.env, (unsigned)core) ? TSR_STOPPED : status;
}

// A push to a thread whose FIFO the debug registers have: the address map drops the word.
static __attribute__((noinline)) tsr_status drop_word(struct tsr_tile *tile, int core,
                                                      uint32_t address, uint32_t word)
{
    tsr_status status = store_any(tile, core, address, word, 4);
    tsr_core_enter(tile, core);
    if (status == TSR_OK)
        note_refused(tile, core, FINDING_DEBUG_PUSH);
    tsr_core_leave(tile);
    return status;
}

static int bus_push(void *self, int core, const uint32_t *words, int count, int together)
{
    struct tsr_tile *tile = self;
    int thread = core == TSR_CORE_B ? 0 : core - TSR_CORE_T0;
    if (tsr_core_push_is_refused(tile, thread)) {
        uint32_t address = tile->engine.env.isa->region[REGION_PUSH].base;
        return drop_word(tile, core, address, words[0]) == TSR_OK;
    }
    return tsr_core_push_words(tile, core, thread, words, count, together);
}

static inline bool store_at_once(struct tsr_tile *tile, int core, uint32_t address, uint32_t value)
{
    tsr_core_enter(tile, core);
    bool stored = tsr_core_store_at_once(tile, core, address, value);
    tsr_core_leave(tile);
    return stored;
}

// A store that pushes nothing. Words that a post of the core's lets go sample configuration before
// the core's next store changes it (docs/errata.md, 832).
static tsr_status store_plainly(struct tsr_tile *tile, int core, uint32_t address, uint32_t value,
                                int width)
{
    if (tsr_core_store_overtakes(tile, core, address, value)) {
        tile->cores.full = true; // the coprocessor has its turn now, and the core goes on
        tile->cores.makes_room = false;
        return TSR_BUSY;
    }
    tsr_status status = width == 4 && store_at_once(tile, core, address, value)
                            ? TSR_OK
                            : store_any(tile, core, address, value, width);
    if (status == TSR_OK)
        tsr_core_note_post(tile, core, address, value);
    return status;
}

static tsr_status bus_store(void *self, int core, uint32_t address, uint32_t value, int width)
{
    struct tsr_tile *tile = self;
    int thread = width == 4 ? tsr_core_pushed_thread(tile->engine.env.isa, core, address) : -1;
    if (thread < 0)
        return store_plainly(tile, core, address, value, width);
    if (tsr_core_push_is_refused(tile, thread))
        return drop_word(tile, core, address, value);
    if (tsr_core_push_words(tile, core, thread, &value, 1, 1) == 1)
        return TSR_OK;
    return tile->findings.stopped ? TSR_STOPPED : TSR_BUSY;
}

// Findings after which a core goes on as if the instruction were a nop.
static bool skips(enum tsr_finding finding)
{
    return finding == FINDING_CORE_UNKNOWN_INSTRUCTION ||
           finding == FINDING_CORE_LACKS_INSTRUCTION ||
           finding == FINDING_CORE_UNIMPLEMENTED_INSTRUCTION ||
           finding == FINDING_CORE_VECTOR_RESERVED;
}

// How often the pass of a loop that polls is looked at anew depends on who asks, so that what it
// tells again does not count.
static bool bus_find(void *self, int core, uint32_t pc, int finding, const char *sentence)
{
    struct tsr_tile *tile = self;
    enum tsr_finding code = (enum tsr_finding)finding;
    tsr_core_enter(tile, core);
    tile->engine.env.core_at = pc;
    bool again = tsr_riscv_looks_again(tile->cores.riscv[core]) &&
                 tsr_report_core_told(&tile->engine.env, code, core);
    bool goes_on =
        again || tsr_report_core(&tile->engine.env, code, core, "%s", sentence) != TSR_HALT;
    if (goes_on && !again && skips(code))
        note_refused(tile, core, code);
    tsr_core_leave(tile);
    return goes_on;
}

static uint64_t noc_quiet_until(const struct tsr_tile *tile, enum tsr_region_id region,
                                uint32_t offset)
{
    const struct tsr_noc_port *noc = &tile->engine.env.noc;
    int unit = region == REGION_NOC0 ? 0 : region == REGION_NOC1 ? 1 : TSR_NOC_OVERLAY;
    return noc->self ? noc->quiet_until(noc->self, unit, offset, tile->cores.now) : 0;
}

// Registers of which a load changes something or depends on the time.
static uint64_t bus_quiet_until(void *self, int core, uint32_t address)
{
    const struct tsr_tile *tile = self;
    const struct tsr_isa *isa = tile->engine.env.isa;
    enum tsr_region_id region =
        tsr_region_find(&tile->tables->regions, isa, (unsigned)core, address);
    uint32_t offset = region < REGION_COUNT ? (address - isa->region[region].base) & ~3u : 0;
    switch (region) {
    case REGION_L1:
    case REGION_LOCAL_RAM:
    case REGION_LOCAL_RAM_T:
    case REGION_SLOW_RAM_B:
    case REGION_SLOW_RAM_NC:
    case REGION_SLOW_RAM_T0:
    case REGION_SLOW_RAM_T1:
    case REGION_SLOW_RAM_T2:
    case REGION_GPRS:
    case REGION_SEMAPHORES:
    case REGION_CONFIG:
        return UINT64_MAX;
    case REGION_MAILBOXES:
        return address & 4 ? UINT64_MAX : 0;
    case REGION_TDMA:
        return tsr_tdma_quiet(offset) ? UINT64_MAX : 0;
    case REGION_DEBUG:
        return address == TSR_SOFT_RESET_0 ? UINT64_MAX : 0;
    case REGION_NOC0:
    case REGION_NOC1:
    case REGION_NOC_OVERLAY:
        return noc_quiet_until(tile, region, offset);
    default:
        return 0;
    }
}

// A load from there changes nothing that a unit, a thread or a wait looks at.
static bool touches_nothing(struct tsr_tile *tile, int core, uint32_t address)
{
    const struct tsr_riscv_clock clock = tsr_wall_clock(&tile->engine.env);
    return address == clock.low_at || address == clock.high_at ||
           bus_quiet_until(tile, core, address) == UINT64_MAX;
}

// A T core loads from a register to which a STOREREG of its own is still on its way. With timing
// off the coprocessor has had no turn since that was pushed, and gets one first (docs/errata.md,
// 830). False: the load comes again behind it, for which it is not counted, or a finding has
// stopped the tile.
static bool may_pass_storereg(struct tsr_tile *tile, int core, uint32_t address)
{
    struct tsr_env *env = &tile->engine.env;
    tsr_core_enter(tile, core);
    bool stops = !tsr_report_core_told(env, FINDING_STOREREG_PASSED, core) &&
                 tsr_report_core(env, FINDING_STOREREG_PASSED, core,
                                 "Core %s loads from 0x%08x, and a STOREREG that it has pushed "
                                 "before has not written that register yet.",
                                 tsr_core_name((tsr_core)core), (unsigned)address) == TSR_HALT;
    tsr_core_leave(tile);
    if (stops || env->timing || tsr_core_run_small_words(tile))
        return !stops;
    tile->cores.full = true; // the coprocessor has its turn now, and the core goes on with its own
    return false;
}

static tsr_status bus_load(void *self, int core, uint32_t address, uint32_t *value, int width)
{
    struct tsr_tile *tile = self;
    struct tsr_env *env = &tile->engine.env;
    uint32_t touched = env->touched;
    if (!tile->cores.makes_room && tsr_storereg_is_passed(env, (unsigned)core, address) &&
        !may_pass_storereg(tile, core, address))
        return tile->findings.stopped ? TSR_STOPPED : TSR_BUSY;
    tsr_core_enter(tile, core);
    tsr_status status = env->port.load(env->port.self, core, address, value, width);
    if (status == TSR_UNIMPLEMENTED)
        note_refused(tile, core, FINDING_UNIMPLEMENTED_MODE);
    tsr_core_leave(tile);
    tsr_core_push_view(tile, core); // some loads move words on
    if (env->timing && status == TSR_OK && touches_nothing(tile, core, address))
        env->touched = touched;
    return status;
}

// The value of a semaphore, which kernels ask for again and again, with timing off and where nobody
// looks for races. Auto TTSync holds no load of it.
static bool bus_glance(void *self, int core, uint32_t address, uint32_t *value)
{
    const struct tsr_tile *tile = self;
    const struct tsr_env *env = &tile->engine.env;
    uint32_t offset = address - env->isa->region[REGION_SEMAPHORES].base;
    if (offset >= 4 * TSR_SEMAPHORES || (offset & 3) || env->timing || env->races ||
        tile->findings.stopped || !(env->isa->region[REGION_SEMAPHORES].cores >> core & 1))
        return false;
    *value = env->state->sync.semaphore[offset / 4].value;
    return true;
}

static uint32_t bus_status(void *self, int core, bool busy)
{
    const struct tsr_tile *tile = self;
    return tsr_core_status(&tile->engine.env, core, busy);
}

static bool bus_stream(void *self, int core, unsigned which, uint32_t *value)
{
    const struct tsr_tile *tile = self;
    return tsr_core_stream(&tile->engine.env, core, which, value);
}

static void bus_returned(void *self, int core)
{
    struct tsr_tile *tile = self;
    (void)core;
    tsr_irqs_weigh(&tile->engine.env);
}

// As long as nobody has written the word with the bits that enable it, a prefetcher works without a
// limit (errata 488).
static unsigned bus_prefetches(void *self, int core, uint32_t address)
{
    static const struct {
        uint16_t enable, end;
        uint8_t bit;
    } rows[TSR_CORE_COUNT] = {
#define PREFETCH(name, enable, bit, end) [TSR_CORE_##name] = {FIELD_##enable, FIELD_##end, bit},
#include "machine/cores.def"
    };
    const struct tsr_tile *tile = self;
    const struct tsr_env *env = &tile->engine.env;
    enum tsr_field enable = (enum tsr_field)rows[core].enable;
    uint32_t end = tsr_cfg(env, 0, (enum tsr_field)rows[core].end);
    if (end != 0 && address > end)
        return 0;
    if (env->state->config.bank_written[0][env->isa->field[enable].addr32] == 0)
        return UINT_MAX;
    return tsr_cfg(env, 0, enable) >> rows[core].bit & 1
               ? tsr_cfg(env, 0, FIELD_RISC_PREFETCH_CTRL_Max_Req_Count)
               : 0;
}

static void find_predictor(const struct tsr_env *env, unsigned core, struct tsr_riscv_bus *bus)
{
    static const struct {
        uint16_t disable;
        uint8_t bit;
    } rows[TSR_CORE_COUNT] = {
#define PREDICTOR(name, disable, bit) [TSR_CORE_##name] = {FIELD_##disable, bit},
#include "machine/cores.def"
    };
    const struct tsr_field_place *field = &env->isa->field[rows[core].disable];
    bus->predictor = field->width > 0 ? &env->state->config.bank[0][field->addr32] : NULL;
    bus->predictor_off = UINT32_C(1) << (field->first_bit + rows[core].bit);
}

void tsr_core_bus_fill(struct tsr_tile *tile, unsigned core, struct tsr_riscv_bus *bus)
{
    struct tsr_state *state = tile->engine.env.state;
    const struct tsr_region *ram = &tile->engine.env.isa->region[tsr_local_ram_region((int)core)];
    bool knows_writes = !tile->engine.env.chip->clears_local_ram;
    *bus = (struct tsr_riscv_bus){
        .self = tile,
        .regions = &tile->tables->regions,
        .recent = &tile->cores.recent,
        .load = bus_load,
        .store = bus_store,
        .glance = bus_glance,
        .push = bus_push,
        .make_room = tsr_core_push_make_room,
        .find = bus_find,
        .quiet_until = bus_quiet_until,
        .status = bus_status,
        .stream = bus_stream,
        .fetch = bus_fetch,
        .interrupts = &state->debug.irqs.due,
        .returned = bus_returned,
        .times_fetches = true,
        .prefetches = bus_prefetches,
        .now = &tile->cores.now,
        .l1 = {.bytes = state->l1.bytes,
               .written = (uint8_t *)state->l1.written,
               .code = &state->l1.code},
        .ram = {.base = ram->base,
                .size = ram->size,
                .bytes = state->cores.ram[core].bytes,
                .written = knows_writes ? state->cores.ram[core].written : NULL}};
    find_predictor(&tile->engine.env, core, bus);
}

// A bit for each byte of L1 lies where the core looks for it on a little-endian host only.
void tsr_core_bus_views(struct tsr_tile *tile, unsigned core)
{
    struct tsr_riscv_bus *bus = &tile->cores.bus[core];
    const union {
        uint16_t word;
        uint8_t first;
    } order = {1};
    const struct tsr_l1 *l1 = &tile->engine.env.state->l1;
    bool direct = !l1->any_tainted && order.first && !tile->engine.env.races;
    bus->l1.size = direct ? l1->size : 0;
    // A T core's load may have to wait (Auto TTSync).
    if (core != TSR_CORE_B || tile->engine.env.races)
        bus->clock.high = NULL;
    else if (!bus->clock.high)
        bus->clock = tsr_wall_clock(&tile->engine.env);
    if (tile->engine.env.timing)
        return; // it has no other: each push is an event
    tsr_core_push_view(tile, (int)core);
}
