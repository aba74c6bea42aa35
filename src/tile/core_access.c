// SPDX-License-Identifier: Apache-2.0
// The baby cores from outside: starting and holding them, their memories, and what they are at.
// Pages: SoftReset.md, BabyRISCV/README.md and InstructionRAM.md of each chip.
#include "tile/core_reset.h"
#include "tile/core_turns.h"
#include "tile/tile_state.h"

#include <string.h>

static bool there(const struct tsr_tile *tile, tsr_core core)
{
    return tile && tile->options.cores && (unsigned)core < TSR_CORE_COUNT;
}

static tsr_status store_resets(struct tsr_tile *tile, uint32_t value)
{
    struct tsr_env *env = &tile->engine.env;
    tile->cores.news++;
    return env->port.store(env->port.self, TSR_AGENT_HOST, TSR_SOFT_RESET_0, value, 4);
}

tsr_status tsr_core_hold(tsr_tile *tile, tsr_core core)
{
    if (!there(tile, core))
        return TSR_BAD_ARGUMENT;
    uint32_t held = tile->engine.env.state->debug.soft_reset;
    return store_resets(tile, held | tsr_core_reset_bit((unsigned)core));
}

tsr_status tsr_core_start(tsr_tile *tile, tsr_core core, uint32_t pc)
{
    tsr_status status = tsr_core_hold(tile, core);
    if (status != TSR_OK)
        return status;
    if (!tsr_core_set_reset_pc(&tile->engine.env, (unsigned)core, pc))
        return TSR_BAD_ARGUMENT;
    uint32_t held = tile->engine.env.state->debug.soft_reset;
    return store_resets(tile, held & ~tsr_core_reset_bit((unsigned)core));
}

// ---------------------------------------------------------------- memories

static bool in_ram(const struct tsr_tile *tile, tsr_core core, uint32_t offset, const void *bytes,
                   size_t size)
{
    if (!tile || (unsigned)core >= TSR_CORE_COUNT || (!bytes && size > 0))
        return false;
    uint32_t end = tile->engine.env.isa->region[tsr_local_ram_region((int)core)].size;
    return offset <= end && size <= end - offset;
}

tsr_status tsr_core_ram_write(tsr_tile *tile, tsr_core core, uint32_t offset, const void *bytes,
                              size_t size)
{
    if (!in_ram(tile, core, offset, bytes, size))
        return TSR_BAD_ARGUMENT;
    struct tsr_local_ram *ram = &tile->engine.env.state->cores.ram[core];
    if (size > 0)
        memcpy(ram->bytes + offset, bytes, size);
    for (uint32_t at = offset; at < offset + size; at++)
        ram->written[at / 8] |= (uint8_t)(1u << at % 8);
    tile->cores.news++;
    return TSR_OK;
}

tsr_status tsr_core_ram_read(const tsr_tile *tile, tsr_core core, uint32_t offset, void *bytes,
                             size_t size)
{
    if (!in_ram(tile, core, offset, bytes, size))
        return TSR_BAD_ARGUMENT;
    if (size > 0)
        memcpy(bytes, tile->engine.env.state->cores.ram[core].bytes + offset, size);
    return TSR_OK;
}

static bool in_iram(const struct tsr_tile *tile, uint32_t offset, const void *bytes, size_t size)
{
    return tile && (bytes || size == 0) && tile->engine.env.isa->region[REGION_IRAM].size > 0 &&
           offset <= TSR_IRAM_BYTES && size <= TSR_IRAM_BYTES - offset;
}

tsr_status tsr_iram_write(tsr_tile *tile, uint32_t offset, const void *bytes, size_t size)
{
    if (!in_iram(tile, offset, bytes, size))
        return TSR_BAD_ARGUMENT;
    if (size > 0)
        tsr_iram_put(tile->engine.env.state, offset, bytes, size);
    tile->cores.news++;
    return TSR_OK;
}

tsr_status tsr_iram_read(const tsr_tile *tile, uint32_t offset, void *bytes, size_t size)
{
    if (!in_iram(tile, offset, bytes, size))
        return TSR_BAD_ARGUMENT;
    if (size > 0)
        memcpy(bytes, tile->engine.env.state->cores.iram + offset, size);
    return TSR_OK;
}

// ---------------------------------------------------------------- what a core is at

_Static_assert((int)TSR_CORE_ENDED == (int)TSR_HART_ENDED, "the public values are the hart's");

tsr_status tsr_view_core(const tsr_tile *tile, tsr_core core, tsr_core_state *out)
{
    if (!tile || !out || (unsigned)core >= TSR_CORE_COUNT)
        return TSR_BAD_ARGUMENT;
    const struct tsr_env *env = &tile->engine.env;
    const struct tsr_hart *hart = &env->state->cores.hart[core];
    *out = (tsr_core_state){.pc = hart->pc,
                            .retired = tsr_core_retired(tile, (unsigned)core),
                            .in_reset = tsr_core_held(env, (unsigned)core),
                            .rest = (tsr_core_rest)hart->rest,
                            .waits_to_store = hart->waits_to_store,
                            .waits_at = hart->waits_at,
                            .vl = hart->csr[TSR_CSR_VL],
                            .vtype = hart->csr[TSR_CSR_VTYPE]};
    memcpy(out->x, hart->x, sizeof out->x);
    memcpy(out->f, hart->f, sizeof out->f);
    memcpy(out->v, hart->v, sizeof out->v);
    return TSR_OK;
}
