// SPDX-License-Identifier: Apache-2.0
// The baby cores' part of soft reset: what entering and leaving it does to a core and to what is
// between the cores, and the program counter that a core begins with.
// Page: SoftReset.md of each chip.
#include "tile/core_reset.h"

#include "frontend/expand.h"
#include "isa/region_index.h"
#include "state/config_access.h"
#include "tile/debug_interface.h"
#include "tile/map_irqs.h"

#include <string.h>

struct core_row {
    uint8_t kept_bit; // of DISABLE_RESET: of the data RAM; that of the debug registers is next
    uint32_t pc;
    struct {
        uint16_t enable, pc; // fields, or offsets of registers
        uint8_t bit;
        bool there;
    } override[TSR_ARCH_COUNT];
};

static const struct core_row rows[TSR_CORE_COUNT] = {
#define WH(enable, bit, pc)                                                                        \
    {                                                                                              \
        FIELD_##enable, FIELD_##pc, bit, true                                                      \
    }
#define BH(enable, bit, pc)                                                                        \
    {                                                                                              \
        enable, pc, bit, true                                                                      \
    }
#define WH_NONE                                                                                    \
    {                                                                                              \
        0                                                                                          \
    }
#define BH_NONE                                                                                    \
    {                                                                                              \
        0                                                                                          \
    }
#define CORE(name, program, reset_bit, pc, wh, bh, kept) [TSR_CORE_##name] = {kept, pc, {wh, bh}},
#include "machine/cores.def"
};

enum { DISABLE_RESET = 0x224 };

uint32_t tsr_core_reset_pc(const struct tsr_env *env, unsigned core)
{
    const struct core_row *row = &rows[core];
    tsr_arch arch = env->chip->arch;
    uint32_t enabled, pc;
    if (!row->override[arch].there)
        return row->pc;
    if (arch == TSR_WORMHOLE_B0) {
        enabled = tsr_cfg(env, 0, (enum tsr_field)row->override[arch].enable);
        pc = tsr_cfg(env, 0, (enum tsr_field)row->override[arch].pc);
    } else {
        enabled = env->state->debug.kept[row->override[arch].enable / 4];
        pc = env->state->debug.kept[row->override[arch].pc / 4];
    }
    return enabled >> row->override[arch].bit & 1 ? pc : row->pc;
}

bool tsr_core_set_reset_pc(struct tsr_env *env, unsigned core, uint32_t pc)
{
    const struct core_row *row = &rows[core];
    tsr_arch arch = env->chip->arch;
    if (!row->override[arch].there)
        return pc == row->pc;
    uint32_t bit = 1u << row->override[arch].bit;
    if (arch == TSR_WORMHOLE_B0) {
        const struct tsr_field_place *field = env->isa->field;
        const struct tsr_field_place *enable = &field[row->override[arch].enable];
        tsr_config_write(env, 0, field[row->override[arch].pc].addr32, pc, 0xffffffffu);
        bit <<= enable->first_bit;
        tsr_config_write(env, 0, enable->addr32, bit, bit);
    } else {
        env->state->debug.kept[row->override[arch].pc / 4] = pc;
        env->state->debug.kept[row->override[arch].enable / 4] |= bit;
    }
    return true;
}

bool tsr_core_reset_clears_debug(const struct tsr_env *env, unsigned core)
{
    return !(env->state->debug.kept[DISABLE_RESET / 4] >> (rows[core].kept_bit + 1) & 1);
}

// Clears a core's debug registers and its mailboxes, and for a T core the words before and in its
// MOP expander, after those that have room behind it have gone there. A load from its PC buffer
// that it waited for is given up.
static void enter(struct tsr_env *env, unsigned core)
{
    struct tsr_state *state = env->state;
    if (env->observe_reset)
        env->observe_reset(env->observe_user, core, true, 0);
    if (core < TSR_DEBUGGED_CORES && tsr_core_reset_clears_debug(env, core))
        tsr_debug_enter_reset(&state->cores.debug[core], &state->cores.hart[core]);
    for (unsigned to = 0; core < TSR_MAILBOX_CORES && to < TSR_MAILBOX_CORES; to++)
        state->cores.mailbox[core][to].first = state->cores.mailbox[core][to].count = 0;
    if (!tsr_is_t_core((int)core))
        return;
    tsr_expand_all(env, (int)(core - TSR_CORE_T0));
    struct tsr_frontend *frontend = &state->frontend[core - TSR_CORE_T0];
    frontend->before_mop.first = frontend->before_mop.count = 0;
    frontend->mop.active = false;
    state->cores.pc_buffer[core - TSR_CORE_T0].reader_waits = false;
}

static void leave(struct tsr_env *env, unsigned core)
{
    struct tsr_cores *cores = &env->state->cores;
    uint32_t disable_reset = env->state->debug.kept[DISABLE_RESET / 4];
    if (tsr_is_t_core((int)core)) {
        struct tsr_pc_buffer *buffer = &cores->pc_buffer[core - TSR_CORE_T0];
        buffer->first = buffer->count = 0;
    }
    bool clears = env->chip->clears_local_ram && !(disable_reset >> rows[core].kept_bit & 1);
    uint32_t ram_size = env->isa->region[tsr_local_ram_region((int)core)].size;
    if (clears)
        memset(cores->ram[core].bytes, 0, ram_size);
    bool slow = cores->hart[core].slow; // as its debug registers have it, which it survives
    tsr_hart_reset(&cores->hart[core], tsr_core_reset_pc(env, core), tsr_now(env));
    cores->hart[core].slow = slow;
    tsr_irqs_weigh(env); // it executes no handler any more
    if (clears)          // a word a cycle
        cores->hart[core].times.ram_cleared = tsr_now(env) + ram_size / 4;
    memset(&cores->poll[core], 0, sizeof cores->poll[core]);
    if (core < TSR_DEBUGGED_CORES) // it paused in its life before, if at all
        tsr_debug_leave_reset(&cores->debug[core]);
    if (env->observe_reset)
        env->observe_reset(env->observe_user, core, false, tsr_core_reset_pc(env, core));
}

void tsr_cores_enter_reset(struct tsr_env *env, uint32_t entering)
{
    for (unsigned core = 0; core < TSR_CORE_COUNT; core++)
        if (entering & tsr_core_reset_bit(core))
            enter(env, core);
}

void tsr_cores_leave_reset(struct tsr_env *env, uint32_t leaving)
{
    for (unsigned core = 0; core < TSR_CORE_COUNT; core++)
        if (leaving & tsr_core_reset_bit(core))
            leave(env, core);
}

void tsr_cores_power_on(struct tsr_state *state)
{
    for (unsigned core = 0; core < TSR_CORE_COUNT; core++)
        state->debug.soft_reset |= tsr_core_reset_bit(core);
}
