// SPDX-License-Identifier: Apache-2.0
// What a baby core finds at an address, and what its load or store there does. Every access takes
// effect at once; one that the core would have to wait for returns TSR_BUSY.
// Pages: BabyRISCV/README.md and PushTensixInstruction.md of each chip, SyncUnit.md,
// BackendConfiguration.md, MOPExpander.md.
#include "tile/address_map.h"

#include "frontend/auto_sync.h"
#include "frontend/bypass.h"
#include "frontend/expand.h"
#include "state/config_access.h"
#include "state/races.h"
#include "state/row_writers.h"
#include "tile/dst_window.h"
#include "tile/map_cores.h"
#include "tile/map_debug.h"
#include "tile/map_interrupts.h"
#include "tile/map_irqs.h"
#include "tile/map_noc.h"
#include "tile/map_tdma.h"

static tsr_status access_l1(struct tsr_access *access)
{
    struct tsr_l1 *l1 = &access->env->state->l1;
    uint32_t address = access->address;
    unsigned width = (unsigned)access->width;
    if (access->store) {
        tsr_l1_put_few(l1, address, access->value, width);
        tsr_race_l1(access->env, true, address, width);
        return TSR_OK;
    }
    if (access->env->races)
        access->env->races->ops->acquire(access->env->races, address, width);
    access->value = 0;
    for (unsigned i = 0; i < width; i++)
        access->value |= (uint32_t)l1->bytes[address + i] << (8 * i);
    if (!tsr_l1_few_written(l1, address, width) && !access->env->debugger_loads)
        TSR_ACCESS_REPORT(access, FINDING_UNINITIALISED_L1,
                          "%s loads %d bytes at 0x%05x, which were never written.",
                          tsr_access_who(access), access->width, (unsigned)address);
    return tsr_access_status(access);
}

// Core B has the registers of all three threads in its window, a T core its own; on Blackhole these
// repeat to the window's end.
static tsr_status access_gprs(struct tsr_access *access)
{
    struct tsr_gprs *gprs = &access->env->state->gprs;
    unsigned index = access->offset / 4;
    unsigned thread = access->thread;
    if (access->agent == TSR_CORE_B) {
        thread = index / TSR_GPRS;
        index %= TSR_GPRS;
    } else if (access->env->chip->arch == TSR_BLACKHOLE_A0) {
        index %= TSR_GPRS; // MemoryOrdering.md
    }
    if (thread >= TSR_THREADS || index >= TSR_GPRS)
        return tsr_access_unmapped(access);
    tsr_race_access(access->env, TSR_RACE_GPR, access->store, TSR_GPRS * thread + index, 1,
                    TSR_RACE_ALL);
    if (access->store) {
        gprs->value[thread][index] = access->value;
        gprs->written[thread] |= 1ull << index;
        gprs->tainted[thread] &= ~(1ull << index);
        return TSR_OK;
    }
    tsr_race_sync(access->env, TSR_RACE_READ_BACK, 0, 0, 0);
    access->value = gprs->value[thread][index];
    if (!(gprs->written[thread] >> index & 1))
        TSR_ACCESS_REPORT(access, FINDING_UNINITIALISED_GPR,
                          "%s loads GPR %u of thread %u, which was never written.",
                          tsr_access_who(access), index, thread);
    return tsr_access_status(access);
}

// A T core's words come in before its MOP expander, B's after it.
static tsr_status access_push(struct tsr_access *access, unsigned thread, bool after_mop)
{
    if (!access->store)
        return tsr_access_hangs(access, "where instructions alone can be stored");
    if (access->env->state->debug.push_control >> thread & 1) {
        TSR_ACCESS_REPORT(access, FINDING_DEBUG_PUSH,
                          "%s pushes 0x%08x to thread %u while RISCV_DEBUG_REG_INSTRN_BUF_CTRL0 "
                          "has its FIFO; the word is dropped.",
                          tsr_access_who(access), (unsigned)access->value, thread);
        return tsr_access_status(access);
    }
    if (access->env->races && !after_mop)
        tsr_auto_sync_pushes(access->env, (int)thread);
    if (after_mop)
        tsr_words_to_gates(access->engine); // the MOP's word that waits is before it
    if (tsr_frontend_push(access->env, (int)thread, &access->value, 1, 1, after_mop))
        return TSR_OK;
    return access->env->findings->stopped ? TSR_STOPPED : TSR_BUSY;
}

// Reports a get at zero and a post at the limit (docs/decisions.md, 20) or above the maximum of
// SEMINIT. False: that stopped the tile.
static bool semaphore_allows(struct tsr_access *access, const struct tsr_semaphore *semaphore,
                             unsigned index)
{
    bool get = access->value & 1;
    bool above = !get && semaphore->value < TSR_SEMAPHORE_LIMIT;
    if (get ? semaphore->value > 0 : above && tsr_semaphore_below_max(semaphore))
        return true;
    char pair[TSR_SEMAPHORE_PAIR];
    tsr_semaphore_pair(access->env, index, !get, pair, sizeof pair);
    enum tsr_finding code = get     ? FINDING_SEMAPHORE_AT_ZERO
                            : above ? FINDING_SEMAPHORE_ABOVE_MAX
                                    : FINDING_SEMAPHORE_AT_MAXIMUM;
    return TSR_ACCESS_REPORT(access, code,
                             "%s %s semaphore %u, whose value is %u and whose maximum is %u%s; "
                             "%s.",
                             tsr_access_who(access), get ? "gets" : "posts", index,
                             semaphore->value, semaphore->max, above ? "" : ": no change",
                             pair) != TSR_HALT;
}

// A load returns the value; a store gets the semaphore if bit 0 is set, else posts it.
static tsr_status access_semaphore(struct tsr_access *access)
{
    unsigned index = access->offset / 4;
    if (index >= TSR_SEMAPHORES)
        return tsr_access_unmapped(access);
    struct tsr_semaphore *semaphore = &access->env->state->sync.semaphore[index];
    if (!access->store) {
        access->value = semaphore->value;
        tsr_race_sync(access->env, TSR_RACE_SEMAPHORE, index, semaphore->value, 0);
        return TSR_OK;
    }
    if (!semaphore_allows(access, semaphore, index))
        return TSR_STOPPED;
    struct tsr_origin origin = tsr_origin_of_core(access->agent);
    bool post = !(access->value & 1);
    if (post ? tsr_semaphore_post(semaphore, origin) : tsr_semaphore_get(semaphore, origin))
        tsr_race_sync(access->env, post ? TSR_RACE_POST : TSR_RACE_GET, index, 0, 0);
    if (access->env->timing) // it takes the place of an instruction of this cycle (SyncUnit.md)
        access->env->state->sync.next_write =
            access->env->state->now + access->env->isa->issue_cycles[OP_SEMPOST];
    return tsr_access_status(access);
}

static tsr_status access_mop_config(struct tsr_access *access)
{
    struct tsr_frontend *frontend = &access->env->state->frontend[access->thread];
    unsigned index = access->offset / 4;
    if (!access->store)
        return tsr_access_hangs(access, "which can only be stored to");
    tsr_race_access(access->env, TSR_RACE_MOP_CONFIG, true,
                    TSR_RACE_MOP_CELLS * access->thread + index, 1, TSR_RACE_ALL);
    if (access->agent < TSR_AGENT_TENSIX)
        tsr_words_to_gates(access->engine); // the first word of a MOP that waits is known
    tsr_lend_nothing(frontend);             // words of a MOP were counted
    frontend->mop_config[index] = access->value;
    frontend->mop_config_written |= (uint16_t)(1u << index);
    return TSR_OK;
}

static tsr_status access_config(struct tsr_access *access)
{
    struct tsr_env *env = access->env;
    if (!access->store)
        tsr_race_sync(env, TSR_RACE_READ_BACK, 0, 0, 0);
    bool there = access->store ? tsr_config_window_write(env, access->offset, access->value)
                               : tsr_config_window_read(env, access->offset, &access->value);
    return there ? TSR_OK : tsr_access_unmapped(access);
}

static bool is_ram(enum tsr_region_id region)
{
    return region == REGION_L1 || region == REGION_LOCAL_RAM || region == REGION_LOCAL_RAM_T ||
           (region >= REGION_SLOW_RAM_B && region <= REGION_SLOW_RAM_T2);
}

_Static_assert(REGION_SLOW_RAM_NC == REGION_SLOW_RAM_B + 1 &&
                   REGION_SLOW_RAM_T0 == REGION_SLOW_RAM_B + 2 &&
                   REGION_SLOW_RAM_T2 == REGION_SLOW_RAM_B + 4,
               "the regions of the cores' RAMs are consecutive");

// What is inside the cores and between them.
static tsr_status dispatch_cores(struct tsr_access *access, enum tsr_region_id region)
{
    switch (region) {
    case REGION_LOCAL_RAM:
    case REGION_LOCAL_RAM_T:
        return tsr_access_local_ram(access, (unsigned)access->agent);
    case REGION_SLOW_RAM_B:
        return tsr_access_local_ram(access, TSR_CORE_B);
    case REGION_SLOW_RAM_NC:
        return tsr_access_local_ram(access, TSR_CORE_NC);
    case REGION_SLOW_RAM_T0:
    case REGION_SLOW_RAM_T1:
    case REGION_SLOW_RAM_T2:
        return tsr_access_local_ram(access, TSR_CORE_T0 + (region - REGION_SLOW_RAM_T0));
    case REGION_IRAM:
        return tsr_access_iram(access);
    case REGION_PC_SNAPSHOT:
        return tsr_access_pc_snapshot(access);
    case REGION_PC_BUFFER0:
    case REGION_PC_BUFFER1:
    case REGION_PC_BUFFER2:
        return tsr_access_pc_buffer(access, region - REGION_PC_BUFFER0);
    case REGION_PC_BUFFER_T:
        return tsr_access_pc_buffer_t(access);
    case REGION_MAILBOXES:
        return tsr_access_mailbox(access);
    default:
        return tsr_access_unimplemented(access, access->env->isa->region[region].name);
    }
}

static tsr_status dispatch(struct tsr_access *access, enum tsr_region_id region)
{
    switch (region) {
    case REGION_L1:
        return access_l1(access);
    case REGION_GPRS:
        return access_gprs(access);
    case REGION_PUSH:
        return access_push(access, access->thread, access->agent == TSR_CORE_B);
    case REGION_PUSH1:
        return access_push(access, 1, true);
    case REGION_PUSH2:
        return access_push(access, 2, true);
    case REGION_TTSYNC:
        return tsr_access_ttsync(access);
    case REGION_SEMAPHORES:
        return access_semaphore(access);
    case REGION_MOP_CONFIG:
        return access_mop_config(access);
    case REGION_CONFIG:
        return access_config(access);
    case REGION_TDMA:
        return tsr_access_tdma(access);
    case REGION_DEBUG:
        return tsr_access_debug(access);
    case REGION_PIC:
        return tsr_access_interrupts(access);
    case REGION_PIC_VECTORED:
        return tsr_access_irqs(access);
    case REGION_NOC0:
    case REGION_NOC1:
        return tsr_access_noc(access, region == REGION_NOC1);
    case REGION_NOC_OVERLAY:
        return tsr_access_noc(access, TSR_NOC_OVERLAY);
    default:
        return dispatch_cores(access, region);
    }
}

// Outside RAM the tile takes whole words only; a narrower load gets its part of a word.
static tsr_status perform_on_registers(struct tsr_access *access, enum tsr_region_id region)
{
    if (region == REGION_DST_WINDOW)
        return tsr_access_dst_window(access);
    if (access->store && access->width != 4)
        return tsr_access_hangs(access, "where whole words alone can be stored");
    unsigned shift = access->address % 4 * 8;
    access->offset &= ~3u;
    tsr_status status = dispatch(access, region);
    if (!access->store && access->width < 4)
        access->value = access->value >> shift & tsr_mask32((unsigned)access->width * 8);
    return status;
}

static bool is_unaligned_store(const struct tsr_access *access, unsigned column)
{
    const struct tsr_isa *isa = access->env->isa;
    return isa->arch == TSR_BLACKHOLE_A0 && access->store && access->agent <= TSR_CORE_NC &&
           access->address % (uint32_t)access->width != 0 &&
           tsr_region_find(access->regions, isa, column, access->address) == REGION_L1;
}

// An unaligned store to L1 by a core of Blackhole does not rotate the data: a byte gets what an
// aligned store would put there, as far as it lies in the same 16 bytes (errata 149).
static tsr_status store_unaligned(struct tsr_access *access)
{
    enum { LINE = 16 };
    uint32_t width = (uint32_t)access->width, end = access->address + width;
    uint32_t line_end = (access->address & ~(LINE - 1u)) + LINE;
    TSR_ACCESS_REPORT(access, FINDING_UNALIGNED_ACCESS,
                      "%s stores %d bytes at 0x%08x, each of which goes where an aligned store has "
                      "it.",
                      tsr_access_who(access), access->width, (unsigned)access->address);
    if (access->env->findings->stopped)
        return TSR_STOPPED;
    for (uint32_t at = access->address; at < end && at < line_end; at++) {
        struct tsr_access byte = *access;
        byte.address = at;
        byte.width = 1;
        byte.value = access->value >> (at % width * 8) & 0xff;
        (void)access_l1(&byte);
    }
    return tsr_access_status(access);
}

static tsr_status perform(struct tsr_access *access)
{
    struct tsr_env *env = access->env;
    if (env->findings->stopped)
        return TSR_STOPPED;
    bool instruction = access->agent >= TSR_AGENT_TENSIX;
    unsigned column = instruction ? TSR_CORE_TENSIX : (unsigned)access->agent;
    if (instruction)
        access->thread = (unsigned)(access->agent - TSR_AGENT_TENSIX);
    else if (tsr_is_t_core(access->agent))
        access->thread = (unsigned)(access->agent - TSR_CORE_T0);
    if (is_unaligned_store(access, column))
        return store_unaligned(access);
    tsr_access_align(access);
    enum tsr_region_id region = tsr_region_find(access->regions, env->isa, column, access->address);
    if (env->findings->stopped)
        return TSR_STOPPED;
    if (region == REGION_COUNT)
        return tsr_access_unmapped(access);
    access->offset = access->address - env->isa->region[region].base;
    if (is_ram(region))
        return dispatch(access, region);
    uint32_t word = access->offset & ~3u;
    if (tsr_is_t_core(access->agent) &&
        tsr_auto_sync_holds(env, (int)access->thread, region, word, access->store))
        return TSR_BUSY;
    if (tsr_is_t_core(access->agent) && env->races)
        tsr_auto_sync_waited(env, (int)access->thread, region, word, access->store);
    return perform_on_registers(access, region);
}

static bool is_width(int width)
{
    return width == 1 || width == 2 || width == 4;
}

static bool is_core(int core)
{
    return core >= TSR_CORE_B && core <= TSR_CORE_NC;
}

_Static_assert((int)TSR_AGENT_HOST == (int)TSR_CORE_NOC, "the host's column of the map");

// A core's findings are about its program counter if somebody knows it, else about the address.
static tsr_status perform_at(struct tsr_access *access)
{
    struct tsr_env *env = access->env;
    env->touched |= TSR_TOUCHED_ALL;
    if (!env->core_has_pc)
        env->core_at = access->address;
    bool told = env->races && access->agent < TSR_AGENT_TENSIX && !env->findings->stopped;
    if (told)
        env->races->ops->core(env->races, access->agent, env->core_at, env->core_has_pc);
    tsr_status status = perform(access);
    if (told)
        tsr_race_done(env, true);
    if (!env->core_has_pc)
        env->core_at = 0;
    return status;
}

static tsr_status port_load(void *self, int agent, uint32_t address, uint32_t *value, int width)
{
    struct tsr_tile *tile = self;
    struct tsr_access access = {.env = &tile->engine.env,
                                .regions = &tile->tables->regions,
                                .engine = &tile->engine,
                                .agent = agent,
                                .address = address,
                                .width = width};
    tsr_status status = perform_at(&access);
    *value = access.value;
    return status;
}

static tsr_status port_store(void *self, int agent, uint32_t address, uint32_t value, int width)
{
    struct tsr_tile *tile = self;
    struct tsr_access access = {.env = &tile->engine.env,
                                .regions = &tile->tables->regions,
                                .engine = &tile->engine,
                                .agent = agent,
                                .address = address,
                                .value = value,
                                .width = width,
                                .store = true};
    // An instruction's access is its own; a core's access belongs to no instruction.
    const struct tsr_inflight *acting = access.env->acting;
    if (agent < TSR_AGENT_TENSIX)
        access.env->acting = NULL;
    access.env->acting_core = (uint8_t)agent;
    tsr_status status = perform_at(&access);
    access.env->acting = acting;
    if (access.env->watch && !acting && agent < TSR_AGENT_TENSIX) {
        struct tsr_origin origin = tsr_origin_of_core(agent);
        tsr_rows_note(access.env->state, &origin);
    }
    return status;
}

struct tsr_port tsr_address_map(struct tsr_tile *tile)
{
    return (struct tsr_port){.self = tile, .load = port_load, .store = port_store};
}

tsr_status tsr_load(tsr_tile *tile, tsr_core core, uint32_t address, uint32_t *value, int width)
{
    if (!tile || !value || !is_core((int)core) || !is_width(width))
        return TSR_BAD_ARGUMENT;
    tile->cores.news++;
    return port_load(tile, (int)core, address, value, width);
}

tsr_status tsr_store(tsr_tile *tile, tsr_core core, uint32_t address, uint32_t value, int width)
{
    if (!tile || !is_core((int)core) || !is_width(width))
        return TSR_BAD_ARGUMENT;
    tile->cores.news++;
    return port_store(tile, (int)core, address, value, width);
}

tsr_status tsr_host_load(tsr_tile *tile, uint32_t address, uint32_t *value, int width)
{
    if (!tile || !value || !is_width(width))
        return TSR_BAD_ARGUMENT;
    tsr_status status = port_load(tile, TSR_AGENT_HOST, address, value, width);
    // A load from L1 changes nothing, but a finding of it may stop the tile.
    if (address >= tile->engine.env.state->l1.size || tile->findings.stopped)
        tile->cores.news++;
    return status;
}

tsr_status tsr_host_store(tsr_tile *tile, uint32_t address, uint32_t value, int width)
{
    if (!tile || !is_width(width))
        return TSR_BAD_ARGUMENT;
    tile->cores.news++;
    return port_store(tile, TSR_AGENT_HOST, address, value, width);
}

// A word that finds no room in the FIFO at once, or that somebody watches.
static __attribute__((noinline)) tsr_status push_watched(tsr_tile *tile, int thread, uint32_t word)
{
    struct tsr_env *env = &tile->engine.env;
    if (env->races)
        env->races->ops->core(env->races, TSR_CORE_T0 + thread, 0, false);
    bool taken = tsr_frontend_push(env, thread, &word, 1, 1, false) == 1;
    if (env->races)
        env->races->ops->done(env->races, true);
    return taken ? TSR_OK : tile->findings.stopped ? TSR_STOPPED : TSR_BUSY;
}

// The first word after something else was done to the tile, which counts as news; and finds how
// many may follow it by the short way of tsr_push().
static __attribute__((noinline)) tsr_status push_first(tsr_tile *tile, int thread, uint32_t word)
{
    struct tsr_env *env = &tile->engine.env;
    struct tsr_push_room *room = &tile->push_room;
    struct tsr_fifo *fifo = &env->state->frontend[thread].before_mop;
    bool known = room->news == tile->cores.news;
    if (!known || tile->findings.stopped)
        memset(room->of, 0, sizeof room->of);
    if (tile->findings.stopped)
        return TSR_STOPPED;
    env->touched |= 1u << (TSR_TOUCHED_THREADS + thread);
    room->news = ++tile->cores.news;
    if (!tsr_frontend_push_short(env, thread, word)) {
        memset(room->of, 0, sizeof room->of);
        return push_watched(tile, thread, word);
    }
    unsigned left = tsr_frontend_room(env, thread), spare = TSR_FIFO_MAX - (unsigned)fifo->count;
    room->of[thread].fifo = fifo;
    room->of[thread].left = left < spare ? left : spare;
    return TSR_OK;
}

tsr_status tsr_push(tsr_tile *tile, int thread, uint32_t word)
{
    if (!tile || (unsigned)thread >= TSR_THREADS)
        return TSR_BAD_ARGUMENT;
    struct tsr_fifo *fifo = tile->push_room.of[thread].fifo;
    unsigned left = tile->push_room.of[thread].left;
    if (left == 0 || tile->push_room.news != tile->cores.news)
        return push_first(tile, thread, word);
    tile->push_room.of[thread].left = left - 1;
    tsr_fifo_append(fifo, word, TSR_FROM_CORE);
    return TSR_OK;
}
