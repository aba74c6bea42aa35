// SPDX-License-Identifier: Apache-2.0
// The cores' turns in a window. With timing off each executes as many instructions as the window
// has cycles, the first core first; with timing on an instruction each in a cycle. A loop that only
// polls sleeps until there is news or the clock changes what it reads.
// Page: EthernetTile/BabyRISCV/README.md of each chip.
#include "chip/ethernet_tile.h"

#include "base/fresh_pages.h"
#include "chip/chip_findings.h"
#include "chip/ethernet_bus.h"
#include "chip/ethernet_debug.h"
#include "chip/ethernet_findings.h"
#include "chip/ethernet_registers.h"
#include "chip/noc_registers.h"
#include "tile/core_polls.h"

#include <string.h>

// ---------------------------------------------------------------- making

struct tsr_ethernet *tsr_ethernet_make(struct tsr_node *node, struct tsr_sparse *l1,
                                       struct tsr_sparse *registers)
{
    struct tsr_chip *chip = node->chip;
    uint8_t *bytes = tsr_sparse_whole(l1);
    struct tsr_ethernet *tile = bytes ? tsr_fresh_pages(sizeof *tile) : NULL;
    if (!tile)
        return NULL;
    tile->node = node;
    tile->arch = chip->options.tile.arch;
    tile->timing = chip->options.tile.timing;
    tile->noc = tsr_noc_port_of(&chip->noc, (unsigned)(node - chip->node));
    tile->l1 = l1;
    tile->registers = registers;
    tile->stands = tile->now = chip->now;
    tsr_ethernet_control_begin(&tile->control);
    tsr_findings_profile(&tile->findings, chip->options.tile.profile);
    tsr_findings_policy_of(&tile->findings, chip->own);
    for (unsigned i = 0; i < tsr_ethernet_core_count(tile->arch); i++) {
        struct tsr_ethernet_core *core = &tile->core[i];
        tsr_ethernet_bus_fill(tile, i, bytes);
        core->riscv =
            tsr_riscv_new(tile->arch, (int)tsr_ethernet_core_name(tile->arch, i), &core->bus);
        if (!core->riscv) {
            tsr_ethernet_free(tile);
            return NULL;
        }
    }
    return tile;
}

void tsr_ethernet_free(struct tsr_ethernet *tile)
{
    for (unsigned i = 0; tile && i < TSR_ETHERNET_CORES; i++)
        if (tile->core[i].riscv)
            tsr_riscv_free(tile->core[i].riscv);
    tsr_fresh_pages_free(tile, sizeof *tile);
}

void tsr_ethernet_touch(struct tsr_node *node)
{
    struct tsr_ethernet *tile = node->ethernet;
    if (!tile)
        return;
    tile->news++;
    tile->now = node->chip->now;
    if (!node->active) {
        tile->stands = node->chip->now;
        node->active = node->chip->touched = true;
    }
}

void tsr_ethernet_wrote(struct tsr_node *node, uint64_t address, size_t size)
{
    if (node->ethernet)
        tsr_code_note_write(&node->ethernet->code, (uint32_t)address, size);
    tsr_ethernet_touch(node);
}

// ---------------------------------------------------------------- cores

bool tsr_ethernet_core_alive(const struct tsr_ethernet *tile, unsigned core)
{
    return core < tsr_ethernet_core_count(tile->arch) &&
           tile->core[core].hart.rest <= TSR_HART_POLLS && !tsr_ethernet_core_held(tile, core);
}

bool tsr_ethernet_has_work(const struct tsr_ethernet *tile)
{
    bool any = false;
    for (unsigned i = 0; i < tsr_ethernet_core_count(tile->arch); i++)
        any |= tsr_ethernet_core_alive(tile, i);
    return any;
}

bool tsr_ethernet_core_of(tsr_arch arch, tsr_core core, unsigned *number)
{
    unsigned count = tsr_ethernet_core_count(arch);
    for (*number = 0; *number < count; ++*number)
        if (tsr_ethernet_core_name(arch, *number) == core)
            return true;
    return false;
}

void tsr_ethernet_core_state(const struct tsr_ethernet *tile, unsigned core, tsr_core_state *out)
{
    const struct tsr_hart *hart = &tile->core[core].hart;
    *out = (tsr_core_state){.pc = hart->pc,
                            .retired = hart->retired,
                            .in_reset = tsr_ethernet_core_held(tile, core),
                            .rest = (tsr_core_rest)hart->rest,
                            .waits_to_store = hart->waits_to_store,
                            .waits_at = hart->waits_at};
    memcpy(out->x, hart->x, sizeof out->x);
    memcpy(out->f, hart->f, sizeof out->f);
}

static void note_run(struct tsr_ethernet *tile, struct tsr_ethernet_core *core, uint64_t effects)
{
    tile->news += tsr_riscv_effects(core->riscv) != effects;
    core->seen = tile->news;
}

// ---------------------------------------------------------------- timing off

// What it polls changes by itself by the end of the window.
static bool reads_anew(const struct tsr_ethernet_core *core, uint64_t end)
{
    return core->hart.rest == TSR_HART_POLLS && tsr_riscv_polls_until(core->riscv) < end;
}

// Of the pass that shows a poll a load may be older than what others have done since, unless a
// whole pass lies in this turn.
static void run_core(struct tsr_ethernet *tile, struct tsr_ethernet_core *core, uint64_t begin,
                     uint64_t most)
{
    struct tsr_hart *hart = &core->hart;
    uint64_t effects = tsr_riscv_effects(core->riscv), count = 0, more = 1;
    unsigned number = (unsigned)(core - tile->core);
    bool debugged = tsr_ethernet_debugged(tile, number);
    if (hart->rest == TSR_HART_POLLS && begin > core->since)
        hart->retired += begin - core->since; // it has executed its loop
    do {
        tile->now = begin + count;
        more = debugged ? tsr_ethernet_debug_execute(tile, number)
                        : tsr_riscv_run(core->riscv, hart, most - count);
        count += more;
    } while ((hart->rest == TSR_HART_POLLS || (debugged && hart->rest == TSR_HART_RUNS)) &&
             more > 0 && count < most);
    note_run(tile, core, effects);
    if (hart->rest == TSR_HART_POLLS && more > 0)
        core->seen = tile->news - 1;
    core->since = begin + count;
}

static void run_quantum(struct tsr_ethernet *tile, uint64_t begin, uint64_t end)
{
    for (unsigned i = 0; i < tsr_ethernet_core_count(tile->arch) && !tile->findings.stopped; i++) {
        struct tsr_ethernet_core *core = &tile->core[i];
        if (tsr_ethernet_core_alive(tile, i) &&
            (core->hart.rest == TSR_HART_RUNS || core->seen != tile->news || reads_anew(core, end)))
            run_core(tile, core, begin, end - begin);
    }
}

// ---------------------------------------------------------------- timing on

static void note_poll(struct tsr_ethernet *tile, struct tsr_ethernet_core *core)
{
    tsr_core_note_poll(&core->poll, &core->hart, core->riscv, core->next,
                       core->polled != tile->news);
    core->polled = tile->news;
}

static uint64_t due_at(const struct tsr_ethernet *tile, unsigned number)
{
    const struct tsr_ethernet_core *core = &tile->core[number];
    uint8_t rest = core->hart.rest;
    if (!tsr_ethernet_core_alive(tile, number))
        return UINT64_MAX;
    if (rest == TSR_HART_RUNS || core->seen != tile->news ||
        (rest == TSR_HART_POLLS && !core->poll.asleep))
        return core->next;
    return rest == TSR_HART_POLLS ? core->poll.wakes_at : UINT64_MAX;
}

// What is being loaded is executed.
static void tell_corruption(struct tsr_ethernet *tile, const struct tsr_ethernet_core *core)
{
    unsigned number = (unsigned)(core - tile->core);
    tile->control.iram_told = tsr_ethernet_in_iram(tile, number);
    if (tile->control.iram_told)
        tsr_ethernet_report_iram(tile, number, "while the core executes from it");
}

static void step_core(struct tsr_ethernet *tile, struct tsr_ethernet_core *core, uint64_t now)
{
    enum { NOT_TRIED = -1 };
    struct tsr_hart *hart = &core->hart;
    unsigned number = (unsigned)(core - tile->core);
    bool ran = hart->rest == TSR_HART_RUNS;
    if (hart->rest == TSR_HART_POLLS && core->poll.asleep)
        core->next = tsr_core_leave_poll(&core->poll, &core->hart, now);
    if (core->next > now)
        return;
    uint64_t effects = tsr_riscv_effects(core->riscv);
    tile->now = (uint64_t)NOT_TRIED;
    tile->due = now;
    uint64_t count = tsr_ethernet_debugged(tile, number)
                         ? tsr_ethernet_debug_execute(tile, number)
                         : tsr_riscv_step(core->riscv, hart, now, &core->next);
    if (tile->now == (uint64_t)NOT_TRIED)
        return; // the pipeline has no place for it yet
    if (tsr_ethernet_iram_busy(tile, now) && !tile->control.iram_told)
        tell_corruption(tile, core);
    // An access that is tried again, and waits again, has changed nothing.
    if (count == 0 && !ran && hart->rest == TSR_HART_BLOCKED) {
        core->seen = tile->news;
        return;
    }
    if (tsr_riscv_effects(core->riscv) != effects)
        core->poll.once = false;
    note_run(tile, core, effects);
    if (hart->rest == TSR_HART_POLLS)
        note_poll(tile, core);
    if (hart->rest != TSR_HART_RUNS && (ran || count > 0))
        core->since = now;
}

static void run_cycles(struct tsr_ethernet *tile, uint64_t begin, uint64_t end)
{
    unsigned count = tsr_ethernet_core_count(tile->arch);
    for (uint64_t now = begin; now < end && !tile->findings.stopped;) {
        uint64_t next = UINT64_MAX;
        for (unsigned i = 0; i < count && !tile->findings.stopped; i++)
            if (due_at(tile, i) <= now)
                step_core(tile, &tile->core[i], now);
        for (unsigned i = 0; i < count; i++) {
            uint64_t at = due_at(tile, i);
            next = at < next ? at : next;
        }
        now = next > now ? next : now + 1;
    }
}

// ---------------------------------------------------------------- windows

// A core has something to do in the window that begins at `now`, or later without anybody's help.
static bool goes_on(const struct tsr_ethernet *tile)
{
    for (unsigned i = 0; i < tsr_ethernet_core_count(tile->arch); i++) {
        const struct tsr_ethernet_core *core = &tile->core[i];
        if (!tsr_ethernet_core_alive(tile, i))
            continue;
        if (tile->timing ? due_at(tile, i) != UINT64_MAX
                         : core->hart.rest == TSR_HART_RUNS || core->seen != tile->news ||
                               reads_anew(core, UINT64_MAX))
            return true;
    }
    return false;
}

bool tsr_ethernet_run_to(struct tsr_ethernet *tile, uint64_t cycle)
{
    if (tile->timing)
        run_cycles(tile, tile->stands, cycle);
    else
        run_quantum(tile, tile->stands, cycle);
    tile->stands = tile->now = cycle;
    return tile->findings.stopped || !goes_on(tile);
}
