// SPDX-License-Identifier: Apache-2.0
// What the NoC needs of its chip: memory of nodes, findings in the name of the node that has sent a
// request, interrupts, links, and waking cores that poll for what has just arrived. Also the check
// for cores that wait for a counter of their own requests when no request is under way any more.
// Page: NoC/README.md.
#include "chip/chip_noc.h"

#include "chip/chip_findings.h"
#include "chip/ethernet_findings.h"
#include "chip/ethernet_queues.h"
#include "chip/ethernet_tile.h"
#include "chip/niu.h"
#include "chip/niu_check.h"
#include "chip/noc_delivery.h"
#include "chip/noc_races.h"
#include "chip/noc_registers.h"
#include "chip/noc_route.h"
#include "chip/node_access.h"
#include "chip/node_memory.h"
#include "chip/node_tile.h"
#include "state/report.h"
#include "tile/core_turns.h"
#include "tile/map_interrupts.h"
#include "tile/map_irqs.h"

#include <stdio.h>
#include <string.h>

enum place_in_tile { IN_L1, BEYOND_L1, ELSEWHERE };

// Tensix tiles have L1 below their registers, with a gap that nobody answers for.
static enum place_in_tile place_of(const tsr_chip *chip, unsigned node, uint64_t address,
                                   size_t size)
{
    size_t l1 = tsr_l1_size(chip->options.tile.arch);
    if (chip->node[node].info.kind != TSR_NODE_TENSIX ||
        tsr_noc_space_of(&chip->noc, node, address) != TSR_SPACE_L1)
        return ELSEWHERE;
    return address <= l1 && size <= l1 - address ? IN_L1 : BEYOND_L1;
}

// Reading L1 wakes nobody. The registers of a tile that a finding has stopped are there, but read
// as zeros and keep nothing.
static bool read_node(void *self, unsigned node, uint64_t address, void *bytes, size_t size)
{
    tsr_chip *chip = self;
    enum place_in_tile place = place_of(chip, node, address, size);
    struct tsr_tile *tile = chip->node[node].tile;
    if (place == IN_L1 && tile)
        return tsr_l1_read(tile, (uint32_t)address, bytes, size) == TSR_OK;
    if (place == BEYOND_L1)
        return false;
    tsr_status status = tsr_node_read(chip, &chip->node[node], 0, address, bytes, size);
    if (status == TSR_STOPPED)
        memset(bytes, 0, size);
    return status == TSR_OK || status == TSR_STOPPED;
}

static bool write_node(void *self, unsigned node, uint64_t address, const void *bytes, size_t size)
{
    tsr_chip *chip = self;
    if (place_of(chip, node, address, size) == BEYOND_L1)
        return false;
    tsr_status status = tsr_node_write(chip, &chip->node[node], 0, address, bytes, size);
    return status == TSR_OK || status == TSR_STOPPED;
}

static bool misses(const void *self, unsigned node, uint64_t address)
{
    const tsr_chip *chip = self;
    return tsr_node_misses(chip, &chip->node[node], address);
}

// The sender's core has gone on since; an Ethernet tile may have none yet.
static void find(void *self, const struct tsr_noc_origin *origin, int finding, const char *sentence)
{
    tsr_chip *chip = self;
    struct tsr_tile *tile = chip->node[origin->node].tile;
    struct tsr_ethernet *ethernet = chip->node[origin->node].ethernet;
    if (ethernet)
        tsr_ethernet_core_report(ethernet, origin->agent, origin->has_pc, origin->at, chip->now,
                                 (enum tsr_finding)finding, sentence);
    chip->noc_reported |= ethernet != NULL;
    if (!tile && !ethernet) // a stream that a host has started
        tsr_chip_report(chip, &chip->node[origin->node], (enum tsr_finding)finding, origin->at,
                        "%s", sentence);
    if (!tile)
        return;
    struct tsr_env *env = &tile->engine.env;
    uint32_t core_at = env->core_at;
    bool core_has_pc = env->core_has_pc;
    env->core_at = origin->at;
    env->core_has_pc = origin->has_pc;
    tsr_report_core(env, (enum tsr_finding)finding, origin->agent, "%s", sentence);
    env->core_at = core_at;
    env->core_has_pc = core_has_pc;
    chip->noc_reported = true;
}

static void interrupt(void *self, unsigned node, unsigned irq, unsigned edge)
{
    tsr_chip *chip = self;
    struct tsr_ethernet *ethernet = chip->node[node].ethernet;
    if (chip->node[node].tile)
        tsr_interrupt_of_overlay(&chip->node[node].tile->engine.env, irq, edge);
    if (ethernet && ethernet->arch == TSR_WORMHOLE_B0)
        tsr_interrupts_raise(&ethernet->control.interrupts, irq, edge);
}

// Requests are kept where cores may look for them.
static void interface_raises(void *self, unsigned node, int noc, bool raises)
{
    tsr_chip *chip = self;
    struct tsr_tile *tile = raises ? tsr_node_tile(chip, &chip->node[node]) : chip->node[node].tile;
    if (tile)
        tsr_irq_of_noc(&tile->engine.env, (unsigned)noc, raises);
}

// A tile that nobody has touched has no core that waits.
static void wake(void *self, unsigned node)
{
    tsr_chip *chip = self;
    tsr_ethernet_touch(&chip->node[node]);
    if (!chip->node[node].tile)
        return;
    struct tsr_tile *tile = tsr_node_tile(chip, &chip->node[node]);
    tile->cores.news++;
}

static bool send_over_link(void *self, unsigned node, const struct tsr_noc_over_link *what)
{
    enum { VALUE_BYTES = 4 };
    tsr_chip *chip = self;
    struct tsr_overlay_piece piece = {.word = what->is_value, .stream = what->stream};
    if (what->is_value) {
        piece.to = what->address;
        piece.left = VALUE_BYTES;
        piece.data = what->value;
    } else {
        piece.from = what->from << NOC_WORD_SHIFT;
        piece.to = what->to << NOC_WORD_SHIFT;
        piece.left = what->words << NOC_WORD_SHIFT;
        piece.message = (struct tsr_tt_message){.first = what->first,
                                                .last = what->last,
                                                .stream = what->to_stream,
                                                .header_at = what->header_at};
    }
    return tsr_ethernet_queue_overlay(&chip->node[node], &piece);
}

bool tsr_chip_noc_create(struct tsr_chip *chip)
{
    const struct tsr_noc_chip offers = {.self = chip,
                                        .read = read_node,
                                        .write = write_node,
                                        .misses = misses,
                                        .find = find,
                                        .interrupt = interrupt,
                                        .interface_raises = interface_raises,
                                        .send_over_link = send_over_link,
                                        .wake = wake};
    return tsr_noc_create(&chip->noc, chip->options.tile.arch, chip->options.tile.timing,
                          &offers) &&
           tsr_chip_races_create(chip);
}

void tsr_chip_noc_reset(struct tsr_chip *chip)
{
    tsr_noc_reset(&chip->noc, chip->options.harvested, true);
    if (chip->noc.races)
        tsr_race_chip_reset(chip->noc.races);
}

void tsr_chip_noc_deliver(struct tsr_chip *chip)
{
    tsr_noc_deliver(&chip->noc, chip->now);
    if (chip->noc.races && tsr_chip_races_delivered(chip))
        chip->noc_reported = true;
}

bool tsr_chip_noc_busy(const struct tsr_chip *chip)
{
    return tsr_noc_busy(&chip->noc);
}

// What a core that may wait for a counter remembers; NULL: it does not wait.
struct waiting {
    const struct tsr_hart *hart; // NULL: the core does not rest in a loop that polls
    uint64_t since;
};

static struct waiting waiting_core(const struct tsr_node *node, unsigned core)
{
    struct waiting waiting = {NULL, 0};
    if (node->tile && tsr_core_alive(node->tile, core)) {
        const struct tsr_cores *cores = &node->tile->engine.env.state->cores;
        waiting = (struct waiting){&cores->hart[core], cores->rests_since[core]};
    } else if (node->ethernet && tsr_ethernet_core_alive(node->ethernet, core)) {
        const struct tsr_ethernet_core *of = &node->ethernet->core[core];
        waiting = (struct waiting){&of->hart, of->since};
    }
    if (waiting.hart && waiting.hart->rest != TSR_HART_POLLS)
        waiting.hart = NULL;
    return waiting;
}

// The loop that the core rests in reads the counter, rather than one before it that has ended.
static bool reads_it(const tsr_chip *chip, const struct tsr_hart *hart,
                     const struct tsr_noc_poll *poll)
{
    enum { LOOP_BYTES = 256 };
    const struct tsr_region *row =
        &tsr_isa(chip->options.tile.arch)->region[REGION_NOC0 + poll->noc];
    return hart->waits_at - row->base < row->size || poll->at - hart->pc < LOOP_BYTES;
}

// A core that rests has made the last pass of its loop just before. The counters of requests that
// others have sent can still change: a host may send some.
static bool waits_for(const tsr_chip *chip, const struct tsr_node *node, unsigned core,
                      const struct tsr_noc_poll *poll)
{
    const struct waiting waiting = waiting_core(node, core);
    return poll->loaded && poll->index < NIU_SLV_ATOMIC_RESP_SENT && waiting.hart &&
           reads_it(chip, waiting.hart, poll) && waiting.since <= poll->cycle + TSR_CHIP_WINDOW;
}

static void report_wait(tsr_chip *chip, unsigned node, unsigned core,
                        const struct tsr_noc_poll *poll)
{
    char sentence[TSR_NOC_SENTENCE];
    const struct tsr_noc_origin origin = {
        .node = (uint16_t)node, .agent = (uint8_t)core, .has_pc = true, .at = poll->at};
    snprintf(
        sentence, sizeof sentence,
        "The core waits for counter %u of NoC %u's interface (%s), which is %u, and no request "
        "is on its way.",
        poll->index, poll->noc, tsr_niu_counter_name(poll->index), (unsigned)poll->value);
    find(chip, &origin, FINDING_NOC_COUNTER_WAIT, sentence);
}

void tsr_chip_noc_stalled(struct tsr_chip *chip)
{
    const uint8_t *polled = chip->noc.polled, *end = polled + chip->columns * chip->rows;
    for (const uint8_t *at = polled; (at = memchr(at, 1, (size_t)(end - at))) != NULL; at++) {
        unsigned node = (unsigned)(at - polled);
        for (unsigned core = 0; core < TSR_NOC_POLLERS; core++)
            if (waits_for(chip, &chip->node[node], core, &chip->noc.node[node].poll[core]))
                report_wait(chip, node, core, &chip->noc.node[node].poll[core]);
        chip->noc.polled[node] = 0;
        if (at + 1 == end)
            break;
    }
}

// As the interface of the PCI Express tile, through which hosts come, translates them.
void tsr_chip_noc_place(const struct tsr_chip *chip, unsigned noc, unsigned *x, unsigned *y)
{
    const struct tsr_noc_node *pcie = chip->noc.node;
    while (pcie->place.info.kind != TSR_NODE_PCIE)
        pcie++;
    tsr_noc_translate(&chip->noc, &pcie->niu[noc], x, y);
    if (noc == 0 || *x >= chip->columns || *y >= chip->rows)
        return;
    *x = chip->columns - 1 - *x;
    *y = chip->rows - 1 - *y;
}

bool tsr_chip_noc_register(struct tsr_chip *chip, struct tsr_node *node, unsigned noc,
                           uint32_t offset, bool store, uint32_t *value)
{
    unsigned index = (unsigned)(node - chip->node);
    return tsr_noc_own_access(&chip->noc, index, (int)noc, offset, store, value) == TSR_OK;
}
