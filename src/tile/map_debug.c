// SPDX-License-Identifier: Apache-2.0
// The tile's control, debug and status registers: which there are, and those that concern the
// frontends and the configuration. Clock gaters have no behaviour here, so their registers only
// keep what is written. Pages: TileControlDebugStatus.md, BabyRISCV/PushTensixInstruction.md,
// BackendConfiguration.md.
#include "tile/map_debug.h"

#include "frontend/expand.h"
#include "state/config_access.h"
#include "tile/core_debug.h"
#include "tile/debug_daisychain.h"
#include "tile/dst_window.h"
#include "tile/map_counters.h"
#include "tile/soft_reset.h"
#include "tile/timestamper.h"

#include <stdio.h>

enum rule {
    NOT_BUILT,
    KEPT,
    CONFIG_READ,
    CONFIG_DATA,
    FEATURES,
    ARRAY_CONTROL,
    ARRAY_DATA,
    STICKY_BITS,
    PC_OVERRIDE,
    CORE_DEBUG,
    DAISY_CONTROL,
    DAISY_DATA,
    DAISY_SAMPLE,
    PUSH_CONTROL,
    PUSH_WORD,
    PUSH_STATUS,
    SOFT_RESET,
    TIMESTAMPER,
    COUNTERS
};

enum chips { WH = 1 << TSR_WORMHOLE_B0, BH = 1 << TSR_BLACKHOLE_A0, BOTH = WH | BH };

struct debug_register {
    const char *name;
    uint8_t chips, rule;
};

enum { WORDS = 0x400 / 4 };

enum word {
#define DEBUG_REGISTER(name, offset, ...) name##_WORD = (offset) / 4,
#include "machine/debug_registers.def"
};

// By word, since kernels that wait by the wall clock come here again and again.
static const struct debug_register registers[WORDS] = {
#define DEBUG_REGISTER(name, offset, chips, rule, page) [(offset) / 4] = {#name, chips, rule},
#include "machine/debug_registers.def"
};

static const struct debug_register *find(const struct tsr_env *env, uint32_t offset)
{
    if (offset / 4 >= WORDS)
        return NULL;
    const struct debug_register *row = &registers[offset / 4];
    return row->chips >> env->chip->arch & 1 ? row : NULL;
}

// Of registers in a row that one part owns, from the first.
static unsigned place_of(uint32_t offset)
{
    const struct debug_register *row = &registers[offset / 4], *first = row;
    while (first > registers && first[-1].rule == row->rule)
        first--;
    return (unsigned)(row - first);
}

enum { FEATURES_BUILT = 1u << 11, CONFIG_WORDS_SEEN = 0x7ff };

// Bit 11 is Dst's (Dst.md); what the others turn off is on no page.
static tsr_status features(struct tsr_access *access)
{
    struct tsr_debug *debug = &access->env->state->debug;
    if (!access->store) {
        access->value = debug->debug_feature_disable;
        return TSR_OK;
    }
    uint32_t strange = access->value & ~(uint32_t)FEATURES_BUILT;
    if (strange)
        TSR_ACCESS_REPORT(access, FINDING_UNDOCUMENTED_MODE,
                          "%s stores 0x%08x to RISCV_DEBUG_REG_DBG_FEATURE_DISABLE, where no page "
                          "says what 0x%08x turns off.",
                          tsr_access_who(access), (unsigned)access->value, (unsigned)strange);
    if (!access->env->findings->stopped)
        debug->debug_feature_disable = access->value;
    return tsr_access_status(access);
}

// The configuration's window, read a few cycles later on silicon and at once here. Where the window
// has nothing the data become 0.
static tsr_status read_config(struct tsr_access *access)
{
    struct tsr_debug *debug = &access->env->state->debug;
    if (!access->store) {
        access->value = debug->config_read_control;
        return TSR_OK;
    }
    debug->config_read_control = access->value;
    debug->config_read_data = 0;
    tsr_config_window_read(access->env, (access->value & CONFIG_WORDS_SEEN) * 4,
                           &debug->config_read_data);
    return TSR_OK;
}

// Bits 6:4 push the prepared word when they rise, if bits 2:0 connect the debug bus to the FIFO.
static tsr_status push_control(struct tsr_access *access)
{
    struct tsr_env *env = access->env;
    struct tsr_debug *debug = &env->state->debug;
    if (!access->store) {
        access->value = debug->push_control;
        return TSR_OK;
    }
    uint32_t rising = access->value & ~debug->push_control;
    debug->push_control = access->value & 0xff;
    for (unsigned thread = 0; thread < TSR_THREADS; thread++) {
        struct tsr_fifo *fifo = &env->state->frontend[thread].before_replay;
        if (!(rising >> (4 + thread) & 1) || !(access->value >> thread & 1))
            continue;
        tsr_expand_all(env, (int)thread);
        if (!tsr_fifo_push(fifo, DEPTH_BEFORE_REPLAY, debug->push_word))
            TSR_ACCESS_REPORT(access, FINDING_DEBUG_PUSH,
                              "%s pushes 0x%08x through the debug registers into thread %u's FIFO, "
                              "which is full; the word is dropped.",
                              tsr_access_who(access), (unsigned)debug->push_word, thread);
    }
    return tsr_access_status(access);
}

static uint32_t push_status(struct tsr_env *env)
{
    uint32_t status = 0;
    for (unsigned thread = 0; thread < TSR_THREADS; thread++) {
        tsr_expand_all(env, (int)thread);
        unsigned count = env->state->frontend[thread].before_replay.count;
        status |= (uint32_t)(count < DEPTH_BEFORE_REPLAY) << thread;
        status |= (uint32_t)(count == 0) << (4 + thread);
    }
    return status;
}

static tsr_status read_write(struct tsr_access *access, uint32_t *word)
{
    if (access->store)
        *word = access->value;
    else
        access->value = *word;
    return TSR_OK;
}

// A word is two columns of a row of Dst; of SrcA and SrcB kernels expect what no page explains.
static tsr_status read_array(struct tsr_access *access)
{
    enum { DST = 2 };
    const struct tsr_debug *debug = &access->env->state->debug;
    uint32_t command = debug->kept[DBG_ARRAY_RD_CMD_WORD];
    unsigned row = command & 0xfff, pair = command >> 12 & 15, array = command >> 16 & 7;
    if (access->store || !(debug->kept[DBG_ARRAY_RD_EN_WORD] & 1) || array != DST ||
        row >= TSR_DST_ROWS || pair >= 8)
        return tsr_access_unimplemented(access, "RISCV_DEBUG_REG_DBG_ARRAY_RD_DATA");
    return tsr_load_dst_columns(access, row, pair * 2);
}

// Kernels clear them and ask for special values later; what sets which is on no page.
static tsr_status sticky_bits(struct tsr_access *access, uint32_t *word)
{
    if (!access->store)
        TSR_ACCESS_REPORT(access, FINDING_UNDOCUMENTED_MODE,
                          "%s loads RISCV_DEBUG_REG_FPU_STICKY_BITS, where no page says what sets "
                          "which bit: it gets what was stored last.",
                          tsr_access_who(access));
    if (!access->env->findings->stopped)
        read_write(access, word);
    return tsr_access_status(access);
}

static tsr_status read_only(struct tsr_access *access, uint32_t value)
{
    if (!access->store)
        access->value = value;
    return TSR_OK;
}

tsr_status tsr_access_debug(struct tsr_access *access)
{
    struct tsr_debug *debug = &access->env->state->debug;
    uint32_t offset = access->offset & ~3u;
    const struct debug_register *row = find(access->env, offset);
    char what[80];
    switch (row ? (enum rule)row->rule : NOT_BUILT) {
    case KEPT:
    case ARRAY_CONTROL:
        return read_write(access, &debug->kept[offset / 4]);
    case CONFIG_READ:
        return read_config(access);
    case CONFIG_DATA:
        return read_only(access, debug->config_read_data);
    case FEATURES:
        return features(access);
    case ARRAY_DATA:
        return read_array(access);
    case STICKY_BITS:
        return sticky_bits(access, &debug->kept[offset / 4]);
    case PC_OVERRIDE:
        return read_write(access, &debug->pc_buffer_override);
    case CORE_DEBUG:
        return tsr_access_core_debug(access, place_of(offset));
    case DAISY_CONTROL:
        return tsr_access_daisy_control(access);
    case DAISY_DATA:
        return tsr_access_daisy_data(access);
    case DAISY_SAMPLE:
        return tsr_access_daisy_sample(access, place_of(offset));
    case PUSH_CONTROL:
        return push_control(access);
    case PUSH_WORD:
        return read_write(access, &debug->push_word);
    case PUSH_STATUS:
        return read_only(access, push_status(access->env));
    case SOFT_RESET:
        return tsr_access_soft_reset(access);
    case TIMESTAMPER:
        return tsr_access_timestamper(access);
    case COUNTERS:
        return tsr_access_counters(access);
    default:
        snprintf(what, sizeof what, "RISCV_DEBUG_REG_%s", row ? row->name : "(no such name)");
        return tsr_access_unimplemented(access, what);
    }
}
