// SPDX-License-Identifier: Apache-2.0
// A core's pushes (core_push.c). Page: PushTensixInstruction.md of each chip.
#ifndef TESSERA_TILE_CORE_PUSH_H
#define TESSERA_TILE_CORE_PUSH_H

#include "tile/tile_state.h"

// ---------------------------------------------------------------- a core acts

// At its own cycle and program counter, until tsr_core_leave().
static inline void tsr_core_enter(struct tsr_tile *tile, int core)
{
    struct tsr_env *env = &tile->engine.env;
    env->core_has_pc = true;
    env->core_at = env->state->cores.hart[core].pc;
    env->local_offset = (uint32_t)(tile->cores.now - env->state->now);
}

static inline void tsr_core_leave(struct tsr_tile *tile)
{
    struct tsr_env *env = &tile->engine.env;
    env->core_has_pc = false;
    env->core_at = 0;
    env->local_offset = 0;
}

// ---------------------------------------------------------------- it pushes

// The debug registers have the thread's FIFO: what is pushed is refused by the address map.
static inline bool tsr_core_push_is_refused(const struct tsr_tile *tile, int thread)
{
    return tile->engine.env.state->debug.push_control >> thread & 1;
}

// Where the core's pushes go without a call, now: with timing off to the FIFO itself.
void tsr_core_push_view(struct tsr_tile *tile, int core);
// The thread to which the core pushes by a store there; -1: none.
int tsr_core_pushed_thread(const struct tsr_isa *isa, int core, uint32_t address);
// So many words, `together` in each cycle, to a thread whose FIFO is not refused. Returns how many
// were taken.
int tsr_core_push_words(struct tsr_tile *tile, int core, int thread, const uint32_t *words,
                        int count, int together);
// The coprocessor's turn (core_quanta.c), if small words are all that its threads hold: they
// execute here, and it can do nothing more. False: not so. If it begins here and does not end, the
// core pushes nothing before it has (tsr_cores_run.full).
bool tsr_core_run_small_words(struct tsr_tile *tile);
// Implements tsr_riscv_bus.make_room: a full FIFO has kept a word out. True: there is room now.
bool tsr_core_push_make_room(void *self, int core);

// With timing on: the core waits for room in a FIFO, and there is none.
bool tsr_core_push_waits(const struct tsr_tile *tile, unsigned core);
// With timing off: the core's turn begins, it waits for room in a FIFO, and its push would be
// refused once more; that has been noted. The coprocessor may have had a turn for it.
bool tsr_core_push_refused(struct tsr_tile *tile, unsigned core);

#endif
