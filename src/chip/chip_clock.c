// SPDX-License-Identifier: Apache-2.0
// The chip's time: windows counted from reset, in which the tiles run on their own, and at whose
// ends the NoC delivers. Page: WormholeB0/NoC/Ordering.md.
#include "chip/chip_clock.h"

#include "chip/chip_findings.h"
#include "chip/chip_noc.h"
#include "chip/noc_races.h"
#include "chip/node_tile.h"
#include "tile/window.h"

// The nodes whose tiles run in this window, from north-west to south-east. False: there is none,
// and nothing is on its way.
static bool find_active(tsr_chip *chip)
{
    if (chip->touched) {
        chip->active_count = 0;
        for (unsigned i = 0; i < chip->columns * chip->rows; i++)
            if (chip->node[i].active)
                chip->active[chip->active_count++] = (uint16_t)i;
        chip->touched = false;
    }
    return chip->active_count > 0 || tsr_chip_noc_busy(chip);
}

// Those that rest now leave the list. The tiles themselves stay out of this thread's cache.
static void keep_active(tsr_chip *chip)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < chip->active_count; i++) {
        struct tsr_node *node = &chip->node[chip->active[i]];
        if (node->found)
            tsr_chip_collect(chip, node);
        if (node->active)
            chip->active[kept++] = chip->active[i];
        else
            chip->stops += node->tile->findings.stopped;
    }
    chip->active_count = kept;
}

// What the NoC has found is a finding of the sender's tile, which may rest by then.
static void collect_from_noc(tsr_chip *chip)
{
    for (unsigned i = 0; chip->noc_reported && i < chip->columns * chip->rows; i++)
        if (chip->node[i].tile)
            tsr_chip_collect(chip, &chip->node[i]);
    chip->stops += chip->noc_reported;
    chip->noc_reported = false;
}

// A node is written only where it changes: the other host threads read its neighbours.
static void run_tile(void *context, unsigned index)
{
    tsr_chip *chip = context;
    struct tsr_node *node = &chip->node[chip->active[index]];
    if (tsr_tile_run_to(node->tile, chip->now + TSR_CHIP_WINDOW))
        node->active = false;
    bool found = tsr_diagnostic_count(node->tile) != node->findings_seen;
    if (found != node->found)
        node->found = found;
}

bool tsr_chip_step(tsr_chip *chip)
{
    if (chip->own->stopped)
        return false;
    if (!find_active(chip)) {
        tsr_chip_noc_stalled(chip);
        collect_from_noc(chip);
        if (chip->noc.races)
            tsr_chip_races_settle(chip);
        return false;
    }
    tsr_workers_run(chip->workers, chip->active_count, run_tile, chip);
    chip->now += TSR_CHIP_WINDOW;
    keep_active(chip);
    tsr_chip_noc_deliver(chip);
    collect_from_noc(chip);
    return true;
}

// Who has a tile in hand may have acted on it, and sees it at the chip's cycle.
static void touch_handed_out(tsr_chip *chip)
{
    for (unsigned i = 0; chip->any_handed_out && i < chip->columns * chip->rows; i++)
        if (chip->node[i].handed_out)
            tsr_node_tile(chip, &chip->node[i]);
}

void tsr_chip_begin(tsr_chip *chip, uint64_t cycles)
{
    enum { WINDOWS_WORTH_THREADS = 8 };
    touch_handed_out(chip);
    // Records of races know each other.
    if (chip->options.threads > 1 && !chip->observer && !chip->noc.races &&
        cycles >= WINDOWS_WORTH_THREADS * TSR_CHIP_WINDOW && find_active(chip) &&
        chip->active_count > 1)
        chip->workers = tsr_workers_start(chip->options.threads);
}

void tsr_chip_end(tsr_chip *chip)
{
    tsr_workers_stop(chip->workers);
    chip->workers = NULL;
    touch_handed_out(chip);
}

tsr_status tsr_chip_clock(tsr_chip *chip, uint64_t cycles)
{
    if (!chip || cycles > UINT64_MAX / 2 - chip->target)
        return TSR_BAD_ARGUMENT;
    chip->target += cycles;
    if (chip->target - chip->now < TSR_CHIP_WINDOW)
        return TSR_OK;
    tsr_chip_begin(chip, chip->target - chip->now);
    while (chip->target - chip->now >= TSR_CHIP_WINDOW && tsr_chip_step(chip))
        continue;
    chip->now = chip->target - chip->target % TSR_CHIP_WINDOW;
    tsr_chip_end(chip);
    return TSR_OK;
}

uint64_t tsr_chip_cycle(const tsr_chip *chip)
{
    return chip ? chip->now : 0;
}
