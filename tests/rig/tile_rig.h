// SPDX-License-Identifier: Apache-2.0
// A whole tile, for tests of every unit: instructions as text, fields by their names, and what is
// left afterwards. The ways to make one:
//   tile_default(arch)                   the options' defaults: no timing, strict profile
//   tile_new(arch, timing, profile)      the two that most tests choose
//   tile_with(&options)                  any other option
// Rigs that set more up build on it: face_rig.h (a program of three threads), mover_rig.h,
// pack_rig.h, scalar_rig.h, sync_rig.h, vector_text.h. matrix_rig.h and unpack_rig.h have a unit
// and a state without a tile.
#ifndef TESSERA_TESTS_TILE_RIG_H
#define TESSERA_TESTS_TILE_RIG_H

#include "rig/each_chip.h"
#include "state/config_access.h"
#include "tile/tile_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static inline tsr_tile *tile_with(const tsr_options *options)
{
    tsr_tile *tile = NULL;
    assert_int_equal(tsr_tile_create(options, &tile), TSR_OK);
    return tile;
}

static inline tsr_tile *tile_new(int arch, bool timing, tsr_profile profile)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.timing = timing;
    options.profile = profile;
    return tile_with(&options);
}

static inline tsr_tile *tile_default(int arch)
{
    return tile_new(arch, false, TSR_PROFILE_STRICT);
}

static inline struct tsr_env *tile_env(tsr_tile *tile)
{
    return &tile->engine.env;
}

// The caller may change it.
static inline struct tsr_state *tile_state(tsr_tile *tile)
{
    tile->engine.env.touched |= TSR_TOUCHED_ALL;
    return tile->engine.env.state;
}

static inline uint32_t tile_word(const tsr_tile *tile, const char *text)
{
    char error[200] = "";
    uint32_t word = 0;
    if (tsr_assemble(tsr_tile_arch(tile), text, &word, error, sizeof error) != TSR_OK)
        fail_msg("%s: %s", text, error);
    return word;
}

static inline void tile_push_word(tsr_tile *tile, int thread, uint32_t word)
{
    tsr_status status;
    while ((status = tsr_push(tile, thread, word)) == TSR_BUSY)
        assert_true(tsr_step(tile));
    assert_int_equal(status, TSR_OK);
}

static inline void tile_push(tsr_tile *tile, int thread, const char *text)
{
    tile_push_word(tile, thread, tile_word(tile, text));
}

// A field of bank or thread `instance`.
static inline void tile_field(tsr_tile *tile, int instance, enum tsr_field field, uint32_t value)
{
    struct tsr_env *env = tile_env(tile);
    const struct tsr_field_place *place = &env->isa->field[field];
    assert_true(place->width > 0);
    uint32_t mask = tsr_mask32(place->width) << place->first_bit;
    if (place->scope == TSR_SCOPE_THREAD) {
        uint16_t old = env->state->config.thread[instance][place->addr32];
        uint16_t word = (uint16_t)((old & ~mask) | (value << place->first_bit & mask));
        tsr_thread_config_write(env, instance, place->addr32, word);
    } else {
        tsr_config_write(env, instance, place->addr32, value << place->first_bit, mask);
    }
}

static inline tsr_end tile_run(tsr_tile *tile)
{
    tsr_limits limits = tsr_limits_default();
    return tsr_run(tile, &limits);
}

static inline const tsr_diagnostic *tile_found(const tsr_tile *tile, const char *code)
{
    for (int i = 0; i < tsr_diagnostic_count(tile); i++)
        if (strcmp(tsr_diagnostic_at(tile, i)->code, code) == 0)
            return tsr_diagnostic_at(tile, i);
    return NULL;
}

// The finding is there, and its sentence has `part`.
static inline void tile_says(const tsr_tile *tile, const char *code, const char *part)
{
    const tsr_diagnostic *found = tile_found(tile, code);
    if (!found)
        fail_msg("no %s", code);
    else if (!strstr(found->sentence, part))
        fail_msg("\"%s\" is not in \"%s\"", part, found->sentence);
}

static inline void tile_idle(tsr_tile *tile)
{
    tsr_end end = tile_run(tile);
    if (end != TSR_END_IDLE && tsr_diagnostic_count(tile) > 0)
        fail_msg("end %d: %s", (int)end,
                 tsr_diagnostic_at(tile, tsr_diagnostic_count(tile) - 1)->sentence);
    assert_int_equal(end, TSR_END_IDLE);
}

static inline void tile_do(tsr_tile *tile, int thread, const char *text)
{
    tile_push(tile, thread, text);
    tile_idle(tile);
}

static inline uint32_t tile_gpr(const tsr_tile *tile, int thread, int index)
{
    uint32_t value;
    assert_int_equal(tsr_view_gpr(tile, thread, index, &value, NULL), TSR_OK);
    return value;
}

static inline void tile_set_gpr(tsr_tile *tile, int thread, int index, uint32_t value)
{
    tsr_core core = (tsr_core)(TSR_CORE_T0 + thread);
    assert_int_equal(tsr_store(tile, core, 0xffe00000u + 4u * (uint32_t)index, value, 4), TSR_OK);
}

static inline uint8_t tile_semaphore(const tsr_tile *tile, int index)
{
    uint8_t value, max;
    assert_int_equal(tsr_view_semaphore(tile, index, &value, &max), TSR_OK);
    return value;
}

static inline uint32_t tile_l1(const tsr_tile *tile, uint32_t address)
{
    uint8_t b[4];
    assert_int_equal(tsr_l1_read(tile, address, b, 4), TSR_OK);
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

#endif
