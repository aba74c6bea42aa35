// SPDX-License-Identifier: Apache-2.0
// Running a chip until something holds, and how such a run ends.
#include "chip/chip_clock.h"
#include "chip/chip_findings.h"
#include "chip/ethernet_tile.h"
#include "chip/noc_races.h"
#include "chip/node_access.h"
#include "tile/tile_state.h"

tsr_chip_limits tsr_chip_limits_default(void)
{
    return (tsr_chip_limits){0};
}

// Looked at without touching: a tile that nobody has made holds zeros.
static uint32_t word_at(const struct tsr_node *node, uint64_t address)
{
    uint32_t word = 0;
    if (node->tile && address >> 32 == 0)
        (void)tsr_l1_read(node->tile, (uint32_t)address, &word, sizeof word);
    else if (node->memory && tsr_sparse_holds(node->memory, address, sizeof word))
        tsr_sparse_read(node->memory, address, &word, sizeof word);
    return word;
}

static bool until_holds(tsr_chip *chip, const tsr_chip_limits *limits)
{
    const struct tsr_node *node = tsr_chip_node(chip, limits->until_x, limits->until_y);
    bool holds =
        limits->until_mask && node &&
        ((word_at(node, limits->until_address) ^ limits->until_value) & limits->until_mask) == 0;
    if (holds && chip->noc.races)
        tsr_chip_races_host_read(chip, node, limits->until_address, sizeof(uint32_t));
    return holds;
}

// The next of the chips whose ends count; NULL behind the last one.
static const tsr_chip *next_of(const tsr_chip *chip, const tsr_chip *at,
                               const tsr_chip_limits *limits)
{
    return limits->group && at->next_connected != chip ? at->next_connected : NULL;
}

static unsigned stopped_tiles(const tsr_chip *chip)
{
    unsigned count = chip->own->stopped;
    for (unsigned i = 0; i < chip->columns * chip->rows; i++) {
        const struct tsr_findings *findings = tsr_chip_findings_of(&chip->node[i]);
        count += findings && findings->stopped;
    }
    return count;
}

static unsigned all_stopped(const tsr_chip *chip, const tsr_chip_limits *limits)
{
    unsigned count = 0;
    for (const tsr_chip *at = chip; at; at = next_of(chip, at, limits))
        count += stopped_tiles(at);
    return count;
}

// One more than before; all tiles are looked at only if one may have been.
static bool one_has_stopped(const tsr_chip *chip, const tsr_chip_limits *limits, unsigned before,
                            unsigned *stops)
{
    bool stopped = false;
    unsigned now = 0;
    for (const tsr_chip *at = chip; at; at = next_of(chip, at, limits)) {
        now += at->stops;
        stopped |= at->own->stopped;
    }
    bool same = now == *stops;
    *stops = now;
    return stopped || (!same && all_stopped(chip, limits) > before);
}

static unsigned paused_cores(const tsr_chip *chip)
{
    unsigned count = 0;
    for (unsigned i = 0; i < chip->columns * chip->rows; i++) {
        const struct tsr_node *node = &chip->node[i];
        tsr_core_state state;
        for (int core = TSR_CORE_B; (node->tile || node->ethernet) && core <= TSR_CORE_E1; core++)
            count += tsr_chip_view_core(chip, node->info.x, node->info.y, (tsr_core)core, &state) ==
                         TSR_OK &&
                     !state.in_reset && state.rest == TSR_CORE_PAUSED;
    }
    return count;
}

static unsigned all_paused(const tsr_chip *chip, const tsr_chip_limits *limits)
{
    unsigned count = 0;
    for (const tsr_chip *at = chip; limits->break_at_pause && at; at = next_of(chip, at, limits))
        count += paused_cores(at);
    return count;
}

tsr_status tsr_chip_view_core(const tsr_chip *chip, unsigned x, unsigned y, tsr_core core,
                              tsr_core_state *out)
{
    unsigned number;
    if (!chip || !out)
        return TSR_BAD_ARGUMENT;
    if (x >= chip->columns || y >= chip->rows)
        return TSR_NOT_FOUND;
    const struct tsr_node *node = &chip->node[y * chip->columns + x];
    if (node->tile && core <= TSR_CORE_NC)
        return tsr_view_core(node->tile, core, out);
    if (node->ethernet && tsr_ethernet_core_of(chip->options.tile.arch, core, &number)) {
        tsr_ethernet_core_state(node->ethernet, number, out);
        return TSR_OK;
    }
    return TSR_NOT_FOUND;
}

static bool has_work(const tsr_chip *chip)
{
    for (unsigned i = 0; i < chip->columns * chip->rows; i++) {
        const tsr_tile *tile = chip->node[i].tile;
        const struct tsr_ethernet *ethernet = chip->node[i].ethernet;
        if ((tile && !tile->findings.stopped && tsr_has_work(tile)) ||
            (ethernet && !ethernet->findings.stopped && tsr_ethernet_has_work(ethernet)))
            return true;
    }
    return false;
}

// Nothing moves any more.
static tsr_end end_without_motion(const tsr_chip *chip, const tsr_chip_limits *limits)
{
    for (const tsr_chip *at = chip; at; at = next_of(chip, at, limits))
        if (has_work(at))
            return limits->external ? TSR_END_BLOCKED : TSR_END_DEADLOCK;
    return TSR_END_IDLE;
}

tsr_end tsr_chip_run(tsr_chip *chip, const tsr_chip_limits *limits)
{
    const tsr_chip_limits none = tsr_chip_limits_default();
    if (!chip)
        return TSR_END_NO_TILE;
    if (!limits)
        limits = &none;
    uint64_t start = chip->now;
    unsigned stopped = all_stopped(chip, limits), paused = all_paused(chip, limits), stops = 0;
    (void)one_has_stopped(chip, limits, stopped, &stops);
    tsr_end end = TSR_END_TIMEOUT;
    tsr_chip_begin(chip, limits->max_cycles ? limits->max_cycles : UINT64_MAX);
    for (;;) {
        if (one_has_stopped(chip, limits, stopped, &stops))
            end = TSR_END_STOPPED;
        else if (until_holds(chip, limits))
            end = TSR_END_UNTIL;
        else if (all_paused(chip, limits) > paused)
            end = TSR_END_BREAK;
        else if (limits->max_cycles && chip->now - start >= limits->max_cycles)
            end = TSR_END_TIMEOUT;
        else if (tsr_chip_step(chip))
            continue;
        else
            end = end_without_motion(chip, limits);
        break;
    }
    if (chip->target < chip->now)
        chip->target = chip->now;
    tsr_chip_end(chip);
    return end;
}
