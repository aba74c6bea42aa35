// SPDX-License-Identifier: Apache-2.0
// The chip's time. It is divided into windows, counted from reset: within a window each tile runs
// on its own, and at the end of a window the NoC delivers what was sent.
// Page: WormholeB0/NoC/Ordering.md.
#include "chip/chip_clock.h"

#include "chip/chip_findings.h"
#include "chip/chip_noc.h"
#include "chip/ethernet_links.h"
#include "chip/ethernet_tile.h"
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
            chip->stops += tsr_chip_findings_of(node)->stopped;
    }
    chip->active_count = kept;
}

// What the NoC has found is a finding of the sender's tile, which may rest by then.
static void collect_from_noc(tsr_chip *chip)
{
    for (unsigned i = 0; chip->noc_reported && i < chip->columns * chip->rows; i++)
        if (tsr_chip_findings_of(&chip->node[i]))
            tsr_chip_collect(chip, &chip->node[i]);
    chip->stops += chip->noc_reported;
    chip->noc_reported = false;
}

// A node is written only where it changes: the other host threads read its neighbours.
static void run_tile(void *context, unsigned index)
{
    tsr_chip *chip = context;
    struct tsr_node *node = &chip->node[chip->active[index]];
    uint64_t end = chip->now + TSR_CHIP_WINDOW;
    if (node->ethernet ? tsr_ethernet_run_to(node->ethernet, end)
                       : tsr_tile_run_to(node->tile, end))
        node->active = false;
    bool found = tsr_chip_findings_of(node)->count != node->findings_seen;
    if (found != node->found)
        node->found = found;
}

// Since a time of tsr_workers_now(), whose clock somebody may set.
static uint64_t since(uint64_t begin)
{
    uint64_t now = tsr_workers_now();
    return now > begin ? now - begin : 0;
}

// The window of all tiles, on as many host threads as make it faster.
static void run_tiles(tsr_chip *chip)
{
    struct tsr_pace *pace = &chip->pace;
    unsigned count = chip->active_count;
    bool together = tsr_pace_next(pace, count, chip->workers != NULL);
    bool watched = tsr_pace_watches(pace, count);
    uint64_t begin = watched ? tsr_workers_now() : 0;
    if (together && !chip->workers) {
        chip->workers = tsr_workers_start(pace->threads);
        tsr_pace_threads_took(pace, since(begin));
        begin = tsr_workers_now();
    }
    tsr_workers_run(together ? chip->workers : NULL, count, run_tile, chip);
    if (watched)
        tsr_pace_took(pace, count, together, since(begin));
    pace->left -= pace->left > 0;
}

// Nothing moves on the chip, nor on those that links connect with it.
static void stand_still(tsr_chip *chip)
{
    tsr_chip_noc_stalled(chip);
    collect_from_noc(chip);
    if (chip->noc.races)
        tsr_chip_races_settle(chip);
}

// The tiles of a window, and the NoC at its end.
static void run_window(tsr_chip *chip)
{
    if (chip->active_count > 0)
        run_tiles(chip);
    chip->now += TSR_CHIP_WINDOW;
    keep_active(chip);
    tsr_chip_noc_deliver(chip);
    collect_from_noc(chip);
}

// What one chip does to another happens behind all windows, so their order makes no difference.
static void exchange(tsr_chip *chip)
{
    tsr_chip *at = chip;
    do
        tsr_chip_links_send(at);
    while ((at = at->next_connected) != chip);
    do
        tsr_chip_links_deliver(at);
    while ((at = at->next_connected) != chip);
}

bool tsr_chip_step(tsr_chip *chip)
{
    if (chip->own->stopped)
        return false;
    bool moves = false;
    tsr_chip *at = chip;
    do
        moves |= !at->own->stopped && (find_active(at) || tsr_chip_links_busy(at));
    while ((at = at->next_connected) != chip);
    if (!moves) {
        do
            stand_still(at);
        while ((at = at->next_connected) != chip);
        return false;
    }
    do {
        if (at->own->stopped)
            continue;
        at->target += at == chip ? 0 : TSR_CHIP_WINDOW;
        run_window(at);
    } while ((at = at->next_connected) != chip);
    exchange(chip);
    return true;
}

// Who has a tile in hand may have acted on it, and sees it at the chip's cycle.
static void touch_handed_out(tsr_chip *chip)
{
    for (unsigned i = 0; chip->any_handed_out && i < chip->columns * chip->rows; i++)
        if (chip->node[i].handed_out)
            tsr_node_tile(chip, &chip->node[i]);
}

static void begin(tsr_chip *chip, uint64_t cycles)
{
    touch_handed_out(chip);
    // Records of races know each other.
    unsigned threads = chip->observer || chip->noc.races ? 1 : chip->options.threads;
    if (chip->pace.threads != threads)
        tsr_pace_begin(&chip->pace, threads, chip->options.threads_always);
    tsr_pace_call(&chip->pace, cycles / TSR_CHIP_WINDOW);
}

void tsr_chip_begin(tsr_chip *chip, uint64_t cycles)
{
    tsr_chip *at = chip;
    do
        begin(at, cycles);
    while ((at = at->next_connected) != chip);
}

static void end(tsr_chip *chip)
{
    if (chip->workers) {
        uint64_t begin = tsr_workers_now();
        tsr_workers_stop(chip->workers);
        tsr_pace_threads_took(&chip->pace, since(begin));
    }
    chip->workers = NULL;
    touch_handed_out(chip);
}

void tsr_chip_end(tsr_chip *chip)
{
    tsr_chip *at = chip;
    do
        end(at);
    while ((at = at->next_connected) != chip);
}

// Nothing moves up to the target.
static void pass_time(tsr_chip *chip, uint64_t cycles)
{
    chip->now += cycles;
    for (tsr_chip *at = chip->next_connected; at != chip; at = at->next_connected) {
        at->now += at->own->stopped ? 0 : cycles;
        at->target += at->own->stopped ? 0 : cycles;
    }
    exchange(chip);
}

tsr_status tsr_chip_clock(tsr_chip *chip, uint64_t cycles)
{
    if (!chip || cycles > UINT64_MAX / 2 - chip->target)
        return TSR_BAD_ARGUMENT;
    chip->target += cycles;
    if (chip->target - chip->now < TSR_CHIP_WINDOW)
        return TSR_OK;
    tsr_chip_begin(chip, chip->target - chip->now);
    while (chip->target - chip->now >= TSR_CHIP_WINDOW) {
        if (tsr_chip_step(chip))
            continue;
        uint64_t left = chip->target - chip->target % TSR_CHIP_WINDOW - chip->now;
        uint64_t idle = tsr_chip_links_idle(chip, left) + TSR_CHIP_WINDOW - 1;
        idle -= idle % TSR_CHIP_WINDOW;
        pass_time(chip, idle < left ? idle : left);
    }
    tsr_chip_end(chip);
    return TSR_OK;
}

uint64_t tsr_chip_cycle(const tsr_chip *chip)
{
    return chip ? chip->now : 0;
}
