// SPDX-License-Identifier: Apache-2.0
// Creating, resetting and destroying a tile; its policy, its L1 from outside, its findings.
// Page: TensixTile/README.md.
#include "state/config_access.h"
#include "state/config_watch.h"
#include "tile/address_map.h"
#include "tile/core_turns.h"
#include "tile/race_watch.h"
#include "tile/scheduled_round.h"
#include "tile/tile_state.h"
#include "tile/window.h"

#include "base/fresh_pages.h"
#include "frontend/events.h"
#include "kernels/kernels.h"
#include "matrix/matrix_unit.h"
#include "pack/pack_plan.h"
#include "state/pushes.h"
#include "state/races.h"
#include "state/report.h"
#include "unpack/unpack_plan.h"
#include "vector/vector_unit.h"

#include <string.h>

tsr_options tsr_options_default(tsr_arch arch)
{
    return (tsr_options){.arch = arch, .profile = TSR_PROFILE_STRICT, .kernels = "auto"};
}

static bool allocate(struct tsr_tile *tile)
{
    struct tsr_env *env = &tile->engine.env;
    env->state = tsr_fresh_pages(sizeof *env->state);
    env->unpack_plans = tsr_unpack_plans_create();
    env->pack_plans = tsr_pack_plans_create();
    env->matrix_plans = tsr_matrix_plans_create();
    env->matrix_blocks = tsr_matrix_blocks_create();
    env->vector_plans = tsr_vector_plans_create();
    return env->state && env->unpack_plans && env->pack_plans && env->matrix_plans &&
           env->matrix_blocks && env->vector_plans;
}

// Each unit that rounds stochastically has a stream of its own (decision 15).
static void seed_streams(struct tsr_tile *tile)
{
    tsr_matrix_seed(&tile->engine.env.state->matrix, tile->options.seed);
    tsr_packers_seed(&tile->engine.env.state->packers, tile->options.seed);
    tsr_vector_seed(&tile->engine.env.state->vector, tsr_prng_begin(tile->options.seed));
}

static void begin(struct tsr_tile *tile)
{
    seed_streams(tile);
    tsr_schedule_begin(&tile->engine.schedule, &tile->options);
    if (tile->options.cores)
        tsr_cores_begin(tile);
}

struct tsr_tile_tables *tsr_tile_tables_create(tsr_arch arch)
{
    struct tsr_tile_tables *tables = tsr_fresh_pages(sizeof *tables);
    if (tables) {
        tsr_plan_masks_fill(&tables->plan_masks, tsr_isa(arch));
        tsr_region_index_fill(&tables->regions, tsr_isa(arch));
        tsr_routes_fill(tables->route, tsr_isa(arch));
    }
    return tables;
}

void tsr_tile_tables_free(struct tsr_tile_tables *tables)
{
    tsr_fresh_pages_free(tables, sizeof *tables);
}

static bool options_hold(const tsr_options *options)
{
    return (unsigned)options->arch < TSR_ARCH_COUNT &&
           (unsigned)options->profile <= TSR_PROFILE_CONFORMANCE &&
           (unsigned)options->pipeline <= TSR_PIPELINE_STAGED &&
           (unsigned)options->schedule <= TSR_SCHEDULE_RANDOM &&
           !(options->timing && options->schedule != TSR_SCHEDULE_CARD);
}

tsr_status tsr_tile_create(const tsr_options *options, tsr_tile **out)
{
    return tsr_tile_create_with(options, NULL, out);
}

tsr_status tsr_tile_create_with(const tsr_options *options, const struct tsr_tile_tables *tables,
                                tsr_tile **out)
{
    if (!options || !out || !options_hold(options))
        return TSR_BAD_ARGUMENT;
    const struct tsr_kernels *kernels = tsr_kernels_select(options->kernels);
    if (!kernels)
        return TSR_BAD_ARGUMENT;
    struct tsr_tile *tile = tsr_fresh_pages(sizeof *tile);
    if (!tile)
        return TSR_NO_MEMORY;
    if (!tables)
        tables = tile->own_tables = tsr_tile_tables_create(options->arch);
    if (!tables) {
        tsr_tile_destroy(tile);
        return TSR_NO_MEMORY;
    }
    tile->tables = tables;
    tile->options = *options;
    tile->options.kernels = NULL; // the caller's string may go away
    struct tsr_env *env = &tile->engine.env;
    env->isa = tsr_isa(options->arch);
    env->chip = tsr_chip_traits(options->arch);
    env->kernels = kernels;
    env->findings = &tile->findings;
    env->plan_masks = &tables->plan_masks;
    env->timing = options->timing;
    env->interprets = options->cores;
    env->waits_hold_thread = options->waits_hold_thread;
    env->dst_rows_in_place = options->dst_rows_in_place;
    env->port = tsr_address_map(tile);
    env->touched = TSR_TOUCHED_ALL;
    tile->engine.break_thread = -1;
    tile->engine.staged = options->pipeline == TSR_PIPELINE_STAGED || options->find_races ||
                          options->schedule != TSR_SCHEDULE_CARD;
    env->scheduled = options->schedule > TSR_SCHEDULE_EAGER;
    tile->engine.route = tables->route;
    if (options->watch_config || options->find_races)
        tsr_config_watch_fill(&tile->watch, env->isa);
    if (options->watch_config)
        env->watch = &tile->watch;
    tsr_findings_profile(&tile->findings, options->profile);
    if (!allocate(tile) || (options->find_races && !tsr_race_watch_begin(tile)) ||
        (options->cores && !tsr_cores_create(tile))) {
        tsr_tile_destroy(tile);
        return TSR_NO_MEMORY;
    }
    // Its pages are fresh: a reset would touch every page of L1.
    tsr_state_power_on(env->state, env->chip);
    begin(tile);
    *out = tile;
    return TSR_OK;
}

void tsr_tile_destroy(tsr_tile *tile)
{
    if (!tile)
        return;
    tsr_cores_destroy(tile);
    tsr_races_destroy(tile->engine.env.races);
    tsr_fresh_pages_free(tile->engine.env.state, sizeof *tile->engine.env.state);
    tsr_unpack_plans_destroy(tile->engine.env.unpack_plans);
    tsr_pack_plans_destroy(tile->engine.env.pack_plans);
    tsr_matrix_plans_destroy(tile->engine.env.matrix_plans);
    tsr_matrix_blocks_destroy(tile->engine.env.matrix_blocks);
    tsr_vector_plans_destroy(tile->engine.env.vector_plans);
    tsr_tile_tables_free(tile->own_tables);
    tsr_fresh_pages_free(tile, sizeof *tile);
}

static void forget_plans(struct tsr_env *env)
{
    tsr_unpack_plans_clear(env->unpack_plans);
    tsr_pack_plans_clear(env->pack_plans);
    tsr_matrix_plans_clear(env->matrix_plans);
    tsr_vector_plans_clear(env->vector_plans);
}

void tsr_tile_reset(tsr_tile *tile)
{
    if (!tile)
        return;
    struct tsr_env *env = &tile->engine.env;
    struct tsr_code_lines code = env->state->l1.code; // cores keep what they have decoded
    tsr_state_reset(env->state, env->chip);
    if (env->races)
        tsr_races_reset(env->races);
    if (tile->options.cores) {
        memset(env->pushes, 0, sizeof *env->pushes);
        for (unsigned core = 0; core < TSR_CORE_COUNT; core++)
            tsr_riscv_forget_zeroes(tile->cores.riscv[core]);
        code.generation++;
        env->state->l1.code = code;
    }
    begin(tile);
    forget_plans(env);
    tsr_findings_clear(&tile->findings);
    memset(&tile->engine.tally, 0, sizeof tile->engine.tally);
    memset(&tile->engine.wait_counts, 0, sizeof tile->engine.wait_counts);
    env->plans_made = env->plans_reused = 0;
    env->touched = TSR_TOUCHED_ALL;
    tile->engine.broken_thread = tile->engine.rested = tile->engine.last_run = -1;
    tile->engine.still_rounds = 0;
}

tsr_arch tsr_tile_arch(const tsr_tile *tile)
{
    return tile ? tile->options.arch : TSR_WORMHOLE_B0;
}

tsr_status tsr_tile_set_policy(tsr_tile *tile, const char *what, tsr_action action)
{
    if (!tile || !what || (unsigned)action > TSR_ACTION_IGNORE)
        return TSR_BAD_ARGUMENT;
    forget_plans(&tile->engine.env); // what was found when they were made counts anew
    return tsr_findings_policy(&tile->findings, what, action);
}

void tsr_tile_observe(tsr_tile *tile, tsr_observer *observer, void *user)
{
    if (!tile)
        return;
    tile->engine.observer = observer;
    tile->engine.observer_user = user;
    tile->engine.env.observe_scheduled = observer ? tsr_scheduled_observe : NULL;
    tile->engine.env.observe_reset = observer ? tsr_reset_observe : NULL;
    tile->engine.env.observe_user = &tile->engine;
}

tsr_status tsr_l1_write(tsr_tile *tile, uint32_t address, const void *bytes, size_t size)
{
    if (!tile || (!bytes && size > 0))
        return TSR_BAD_ARGUMENT;
    struct tsr_l1 *l1 = &tile->engine.env.state->l1;
    if (!tsr_l1_holds(l1, address, size))
        return TSR_BAD_ARGUMENT;
    if (size > 0)
        tsr_l1_put(l1, address, bytes, size, false);
    // All that was is over. In a chip the NoC writes, too, and the chip knows who does.
    if (tile->engine.env.races && !tile->engine.env.noc.self && !tsr_has_work(tile))
        tsr_race_sync(&tile->engine.env, TSR_RACE_EVERYTHING, 0, 0, 0);
    tile->cores.news++;
    return TSR_OK;
}

tsr_status tsr_l1_read(const tsr_tile *tile, uint32_t address, void *bytes, size_t size)
{
    if (!tile || (!bytes && size > 0))
        return TSR_BAD_ARGUMENT;
    const struct tsr_l1 *l1 = &tile->engine.env.state->l1;
    if (!tsr_l1_holds(l1, address, size))
        return TSR_BAD_ARGUMENT;
    if (size > 0)
        memcpy(bytes, l1->bytes + address, size);
    return TSR_OK;
}

tsr_status tsr_l1_mark_written(tsr_tile *tile, uint32_t address, size_t size)
{
    if (!tile)
        return TSR_BAD_ARGUMENT;
    struct tsr_l1 *l1 = &tile->engine.env.state->l1;
    if (!tsr_l1_holds(l1, address, size))
        return TSR_BAD_ARGUMENT;
    tsr_l1_mark(l1, address, size, false);
    return TSR_OK;
}

int tsr_diagnostic_count(const tsr_tile *tile)
{
    return tile ? tile->findings.count : 0;
}

const tsr_diagnostic *tsr_diagnostic_at(const tsr_tile *tile, int index)
{
    return tile && index >= 0 && index < tile->findings.count ? &tile->findings.kept[index] : NULL;
}

uint64_t tsr_diagnostics_dropped(const tsr_tile *tile)
{
    return tile ? tile->findings.dropped : 0;
}
