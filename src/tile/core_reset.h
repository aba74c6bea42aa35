// SPDX-License-Identifier: Apache-2.0
// The baby cores' part of soft reset, and where they begin after it.
// Page: SoftReset.md of each chip.
#ifndef TESSERA_TILE_CORE_RESET_H
#define TESSERA_TILE_CORE_RESET_H

#include "state/state.h"

// The core's bit of RISCV_DEBUG_REG_SOFT_RESET_0.
static inline uint32_t tsr_core_reset_bit(unsigned core)
{
    static const uint32_t bits[TSR_CORE_COUNT] = {
#define CORE(name, program, reset_bit, pc, wh, bh, kept) [TSR_CORE_##name] = 1u << (reset_bit),
#include "machine/cores.def"
    };
    return bits[core];
}
static inline bool tsr_core_held(const struct tsr_env *env, unsigned core)
{
    return env->state->debug.soft_reset & tsr_core_reset_bit(core);
}

// What soft reset clears of the core's debug registers, and what is written to them meanwhile, is
// lost, unless Blackhole's RISCV_DEBUG_REG_DISABLE_RESET says otherwise.
bool tsr_core_reset_clears_debug(const struct tsr_env *env, unsigned core);

// For the cores whose bits are set.
void tsr_cores_enter_reset(struct tsr_env *env, uint32_t entering);
void tsr_cores_leave_reset(struct tsr_env *env, uint32_t leaving);

// Makes the core begin at `pc` when it leaves reset next. False: the chip has no means to.
bool tsr_core_set_reset_pc(struct tsr_env *env, unsigned core, uint32_t pc);
// Where the core begins when it leaves reset next.
uint32_t tsr_core_reset_pc(const struct tsr_env *env, unsigned core);
// As a tile of interpreted cores starts.
void tsr_cores_power_on(struct tsr_state *state);

#endif
