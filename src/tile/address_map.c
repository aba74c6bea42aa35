// SPDX-License-Identifier: Apache-2.0
// What a baby core finds at an address, and what its load or store there does. Every access takes
// effect at once; one that the core would have to wait for answers TSR_BUSY.
// Pages: BabyRISCV/README.md, PushTensixInstruction.md, PCBufs.md, TTSync.md of each chip,
// SyncUnit.md, BackendConfiguration.md, MOPExpander.md.
#include "tile/tile_state.h"

#include "state/report.h"
#include "state/sync_rules.h"

// One access; `offset` counts from the region's base.
struct access {
    struct tsr_tile *tile;
    struct tsr_env *env;
    int core, thread; // thread of a T core, else 0
    uint32_t address, offset, value;
    int width;
    bool store;
};

static tsr_status unmapped(struct access *access)
{
    tsr_report_core(access->env, FINDING_UNMAPPED_ADDRESS, access->core,
                    "Core %d %s %d bytes at 0x%08x, where nothing is mapped for it; a core on "
                    "silicon would hang.",
                    access->core, access->store ? "stores" : "loads", access->width,
                    access->address);
    return access->env->findings->stopped ? TSR_STOPPED : TSR_UNMAPPED;
}

static tsr_status unimplemented(struct access *access, enum tsr_region_id region)
{
    tsr_report_core(access->env, FINDING_UNIMPLEMENTED_MODE, access->core,
                    "Access to %s at 0x%08x is unimplemented.",
                    access->env->isa->region[region].name, access->address);
    return access->env->findings->stopped ? TSR_STOPPED : TSR_UNIMPLEMENTED;
}

static tsr_status access_l1(struct access *access)
{
    struct tsr_l1 *l1 = &access->env->state->l1;
    uint32_t address = access->address;
    unsigned width = (unsigned)access->width;
    if (!tsr_l1_holds(l1, address, width) || address % width != 0)
        return unmapped(access);
    if (access->store) {
        uint8_t bytes[4] = {(uint8_t)access->value, (uint8_t)(access->value >> 8),
                            (uint8_t)(access->value >> 16), (uint8_t)(access->value >> 24)};
        tsr_l1_put(l1, address, bytes, width, false);
        return TSR_OK;
    }
    access->value = 0;
    for (unsigned i = 0; i < width; i++)
        access->value |= (uint32_t)l1->bytes[address + i] << (8 * i);
    if (!tsr_l1_all_written(l1, address, width))
        tsr_report_core(access->env, FINDING_UNINITIALISED_L1, access->core,
                        "Core %d loads %d bytes at 0x%05x, which were never written.",
                        access->core, access->width, address);
    return access->env->findings->stopped ? TSR_STOPPED : TSR_OK;
}

// B sees the three threads' registers one after the other, a T core its own.
static tsr_status access_gprs(struct access *access)
{
    struct tsr_gprs *gprs = &access->env->state->gprs;
    unsigned index = access->offset / 4;
    unsigned thread = (unsigned)access->thread;
    if (access->core == TSR_CORE_B) {
        thread = index / TSR_GPRS;
        index %= TSR_GPRS;
    }
    if (thread >= TSR_THREADS || index >= TSR_GPRS)
        return unmapped(access);
    if (access->store) {
        gprs->value[thread][index] = access->value;
        gprs->written[thread] |= 1ull << index;
        gprs->tainted[thread] &= ~(1ull << index);
        return TSR_OK;
    }
    access->value = gprs->value[thread][index];
    if (!(gprs->written[thread] >> index & 1))
        tsr_report_core(access->env, FINDING_UNINITIALISED_GPR, access->core,
                        "Core %d loads GPR %u of thread %u, which was never written.",
                        access->core, index, thread);
    return access->env->findings->stopped ? TSR_STOPPED : TSR_OK;
}

// A T core's words come in before its MOP expander, B's behind it.
static tsr_status access_push(struct access *access, int thread, bool behind_mop)
{
    struct tsr_frontend *frontend = &access->env->state->frontend[thread];
    if (!access->store)
        return unmapped(access);
    if (behind_mop)
        return tsr_fifo_push(&frontend->before_replay, DEPTH_BEFORE_REPLAY, access->value)
                   ? TSR_OK
                   : TSR_BUSY;
    unsigned depth = thread == 0 ? DEPTH_FIFO_T0 : DEPTH_FIFO_T1;
    return tsr_fifo_push(&frontend->before_mop, depth, access->value) ? TSR_OK : TSR_BUSY;
}

// CoprocessorDoneCheck waits for the whole thread, MOPExpanderDoneCheck for its MOP instructions;
// the loaded value is undefined by the page and 0 here.
static tsr_status access_ttsync(struct access *access)
{
    const struct tsr_frontend *frontend = &access->env->state->frontend[access->thread];
    unsigned word = access->offset / 4; // 0: CoprocessorDoneCheck, 1: MOPExpanderDoneCheck
    if (word > 1)
        return unmapped(access);
    if (access->store)
        return TSR_OK;
    access->value = 0;
    if (word == 0)
        return tsr_frontend_drained(access->env, access->thread) ? TSR_OK : TSR_BUSY;
    bool queued = frontend->mop.active;
    for (unsigned i = 0; i < frontend->before_mop.count; i++)
        queued |= tsr_op_of(access->env->isa, frontend->before_mop.word[(
                                frontend->before_mop.first + i) % TSR_FIFO_MAX]) == OP_MOP;
    return queued ? TSR_BUSY : TSR_OK;
}

// A load gives the value; a store gets the semaphore if bit 0 is set, else posts it.
static tsr_status access_semaphore(struct access *access)
{
    unsigned index = access->offset / 4;
    if (index >= TSR_SEMAPHORES)
        return unmapped(access);
    struct tsr_semaphore *semaphore = &access->env->state->sync.semaphore[index];
    if (!access->store) {
        access->value = semaphore->value;
        return TSR_OK;
    }
    bool get = access->value & 1;
    bool changed = get ? tsr_semaphore_get(semaphore, 0) : tsr_semaphore_post(semaphore, 0);
    if (!changed)
        tsr_report_core(access->env,
                        get ? FINDING_SEMAPHORE_AT_ZERO : FINDING_SEMAPHORE_AT_MAXIMUM,
                        access->core, "Core %d %s semaphore %u, whose value is %u: no change.",
                        access->core, get ? "gets" : "posts", index, semaphore->value);
    return access->env->findings->stopped ? TSR_STOPPED : TSR_OK;
}

static tsr_status access_mop_config(struct access *access)
{
    struct tsr_frontend *frontend = &access->env->state->frontend[access->thread];
    unsigned index = access->offset / 4;
    if (!access->store)
        return unmapped(access); // write-only (MOPExpander.md)
    frontend->mop_config[index] = access->value;
    frontend->mop_config_written |= (uint16_t)(1u << index);
    return TSR_OK;
}

// Both banks, on Blackhole then a copy that writes both, then the threads' words, read-only.
static tsr_status access_config(struct access *access)
{
    const struct tsr_layout *layout = &access->env->isa->layout;
    struct tsr_config *config = &access->env->state->config;
    unsigned word = access->offset / 4, banks = access->env->chip->dual_write_window ? 3 : 2;
    if (word < banks * layout->banked_words) {
        unsigned bank = word / layout->banked_words, addr32 = word % layout->banked_words;
        if (!access->store) {
            access->value = config->bank[bank == 2 ? 0 : bank][addr32];
            return TSR_OK;
        }
        for (unsigned i = 0; i < 2; i++)
            if (bank == i || bank == 2)
                tsr_config_write(access->env, (int)i, addr32, access->value, 0xffffffffu);
        return TSR_OK;
    }
    uint32_t thread_offset = access->offset - banks * layout->banked_words * 4u;
    unsigned index = thread_offset / layout->thread_stride;
    if (access->store || index >= TSR_THREADS * layout->thread_words)
        return unmapped(access);
    unsigned thread = index / layout->thread_words, addr32 = index % layout->thread_words;
    // A value, then padding.
    access->value = thread_offset % layout->thread_stride < 4 ? config->thread[thread][addr32] : 0;
    return TSR_OK;
}

static tsr_status dispatch(struct access *access, enum tsr_region_id region)
{
    switch (region) {
    case REGION_L1:
        return access_l1(access);
    case REGION_GPRS:
        return access_gprs(access);
    case REGION_PUSH:
        return access_push(access, access->thread, access->core == TSR_CORE_B);
    case REGION_PUSH1:
        return access_push(access, 1, true);
    case REGION_PUSH2:
        return access_push(access, 2, true);
    case REGION_TTSYNC:
        return access_ttsync(access);
    case REGION_SEMAPHORES:
        return access_semaphore(access);
    case REGION_MOP_CONFIG:
        return access_mop_config(access);
    case REGION_CONFIG:
        return access_config(access);
    case REGION_COUNT:
        return unmapped(access);
    default:
        return unimplemented(access, region);
    }
}

// Outside L1 and Dst the tile's registers take whole words only; narrower loads take a part of one.
static tsr_status perform(struct access *access)
{
    struct tsr_env *env = access->env;
    if (env->findings->stopped)
        return TSR_STOPPED;
    access->thread = access->core >= TSR_CORE_T0 && access->core <= TSR_CORE_T2
                         ? access->core - TSR_CORE_T0
                         : 0;
    enum tsr_region_id region =
        tsr_region_at(env->isa, (tsr_core)access->core, access->address);
    if (region == REGION_COUNT || region == REGION_L1)
        return dispatch(access, region);
    access->offset = access->address - env->isa->region[region].base;
    bool aligned = access->address % (unsigned)access->width == 0;
    if (region == REGION_DST_WINDOW && aligned)
        return tsr_dst_window(env, access->core, access->offset, access->width, access->store,
                              &access->value);
    if (!aligned || (access->store && access->width != 4))
        return unmapped(access);
    unsigned shift = access->address % 4 * 8;
    tsr_status status = dispatch(access, region);
    if (!access->store && access->width < 4)
        access->value = access->value >> shift & tsr_mask32((unsigned)access->width * 8);
    return status;
}

static bool sane(int core, int width)
{
    return core >= TSR_CORE_B && core <= TSR_CORE_NC && (width == 1 || width == 2 || width == 4);
}

static tsr_status port_load(void *self, int agent, uint32_t address, uint32_t *value, int width)
{
    struct tsr_tile *tile = self;
    struct access access = {.tile = tile,
                            .env = &tile->engine.env,
                            .core = agent,
                            .address = address,
                            .width = width};
    tsr_status status = perform(&access);
    *value = access.value;
    return status;
}

static tsr_status port_store(void *self, int agent, uint32_t address, uint32_t value, int width)
{
    struct tsr_tile *tile = self;
    struct access access = {.tile = tile,
                            .env = &tile->engine.env,
                            .core = agent,
                            .address = address,
                            .value = value,
                            .width = width,
                            .store = true};
    return perform(&access);
}

struct tsr_port tsr_address_map(struct tsr_tile *tile)
{
    return (struct tsr_port){.self = tile, .load = port_load, .store = port_store};
}

tsr_status tsr_load(tsr_tile *tile, tsr_core core, uint32_t address, uint32_t *value, int width)
{
    if (!value || !sane((int)core, width))
        return TSR_BAD_ARGUMENT;
    return port_load(tile, (int)core, address, value, width);
}

tsr_status tsr_store(tsr_tile *tile, tsr_core core, uint32_t address, uint32_t value, int width)
{
    if (!sane((int)core, width))
        return TSR_BAD_ARGUMENT;
    return port_store(tile, (int)core, address, value, width);
}

tsr_status tsr_push(tsr_tile *tile, int thread, uint32_t word)
{
    if ((unsigned)thread >= TSR_THREADS)
        return TSR_BAD_ARGUMENT;
    if (tile->findings.stopped)
        return TSR_STOPPED;
    struct tsr_frontend *frontend = &tile->engine.env.state->frontend[thread];
    unsigned depth = thread == 0 ? DEPTH_FIFO_T0 : DEPTH_FIFO_T1;
    return tsr_fifo_push(&frontend->before_mop, depth, word) ? TSR_OK : TSR_BUSY;
}
