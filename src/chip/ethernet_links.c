// SPDX-License-Identifier: Apache-2.0
// Links between Ethernet tiles of chips. Chips that links connect share one clock: their windows
// end together, and frames go over then, so that nothing depends on who is run first.
// Page: WormholeB0/EthernetTile/EthernetTxRx.md.
#include "chip/ethernet_links.h"

#include "chip/ethernet_queues.h"
#include "chip/ethernet_receive.h"
#include "chip/ethernet_send.h"
#include "chip/ethernet_tile.h"
#include "chip/stream_phase.h"

#include <stdlib.h>

static struct tsr_node *node_of(tsr_chip *chip, unsigned tile)
{
    return &chip->node[chip->link[tile].node];
}

static bool has_tile(const tsr_chip *chip, unsigned tile)
{
    return tile < TSR_ETHERNET_TILES &&
           chip->node[chip->link[tile].node].info.kind == TSR_NODE_ETHERNET;
}

void tsr_chip_links_begin(tsr_chip *chip)
{
    chip->next_connected = chip;
    for (unsigned i = 0; i < chip->columns * chip->rows; i++)
        if (chip->node[i].info.kind == TSR_NODE_ETHERNET)
            chip->link[chip->node[i].info.unit].node = i;
}

// ---------------------------------------------------------------- groups

static bool in_group(const tsr_chip *chip, const tsr_chip *other)
{
    for (const tsr_chip *at = chip->next_connected; at != chip; at = at->next_connected)
        if (at == other)
            return true;
    return chip == other;
}

static void join(tsr_chip *a, tsr_chip *b)
{
    if (in_group(a, b))
        return;
    tsr_chip *next = a->next_connected;
    a->next_connected = b->next_connected;
    b->next_connected = next;
}

// A link is gone: which chips are still together follows from the others.
static void regroup(tsr_chip *chip)
{
    tsr_chip *rest = chip;
    // What was one ring is a list by `was_next` while rings are made anew.
    for (tsr_chip *at = chip->next_connected; at != chip; at = at->next_connected) {
        at->was_next = rest;
        rest = at;
    }
    chip->was_next = NULL;
    for (tsr_chip *at = rest; at; at = at->was_next)
        at->next_connected = at;
    for (tsr_chip *at = rest; at; at = at->was_next)
        for (unsigned i = 0; i < TSR_ETHERNET_TILES; i++)
            if (at->link[i].chip)
                join(at, at->link[i].chip);
}

// ---------------------------------------------------------------- connecting

tsr_link_options tsr_link_options_default(void)
{
    return (tsr_link_options){0};
}

static bool attach(tsr_chip *chip, unsigned tile, tsr_chip *other, unsigned other_tile,
                   const tsr_link_options *options)
{
    struct tsr_ethernet_queues *queues = tsr_ethernet_queues_of(node_of(chip, tile));
    if (!queues)
        return false;
    struct tsr_ethernet_link *link = &chip->link[tile];
    link->chip = other;
    link->tile = other_tile;
    link->options = *options;
    link->entered = 0;
    queues->linked = true;
    for (unsigned i = 0; i < TSR_ETHERNET_QUEUES; i++)
        queues->tx[i].last = chip->now;
    tsr_ethernet_touch(node_of(chip, tile));
    return true;
}

// Nobody reads the messages of the overlay any more that are on their way.
static void forget_messages(tsr_chip *chip, unsigned tile)
{
    struct tsr_ethernet_queues *queues = chip->queues[tile];
    struct tsr_noc_node *node = &chip->noc.node[chip->link[tile].node];
    const struct tsr_tx_queue *tx = &queues->tx[TSR_OVERLAY_QUEUE];
    const struct tsr_overlay_pieces *pieces = &queues->overlay;
    for (unsigned i = 0; i < tx->count; i++) {
        const struct tsr_tt_packet *packet = &tx->packet[(tx->first + i) % TSR_TT_PACKETS];
        if (packet->kind == TT_OVERLAY && packet->message.last)
            tsr_stream_was_read(node, packet->stream);
    }
    for (unsigned i = 0; i < pieces->count; i++) {
        const struct tsr_overlay_piece *piece =
            &pieces->piece[(pieces->first + i) % pieces->capacity];
        if (!piece->word && piece->message.last)
            tsr_stream_was_read(node, piece->stream);
    }
    tsr_overlay_pieces_drop(queues);
}

static void detach(tsr_chip *chip, unsigned tile)
{
    struct tsr_ethernet_queues *queues = chip->queues[tile];
    chip->link[tile].chip = NULL;
    if (!queues)
        return;
    queues->linked = false;
    forget_messages(chip, tile);
    tsr_frames_drop(&queues->out);
    tsr_frames_drop(&queues->in);
    for (unsigned i = 0; i < TSR_ETHERNET_QUEUES; i++) {
        queues->tx[i].paused = false;
        queues->tx[i].count = queues->tx[i].resends = 0;
        queues->tx[i].drop_notice = false;
        queues->tx[i].made = true; // a command that is held ends
    }
    tsr_ethernet_touch(node_of(chip, tile));
}

tsr_status tsr_chip_connect(tsr_chip *a, unsigned ethernet_a, tsr_chip *b, unsigned ethernet_b,
                            const tsr_link_options *options)
{
    const tsr_link_options usual = tsr_link_options_default();
    if (!a || !b || !has_tile(a, ethernet_a) || !has_tile(b, ethernet_b) ||
        a->options.tile.arch != b->options.tile.arch ||
        a->options.tile.timing != b->options.tile.timing)
        return TSR_BAD_ARGUMENT;
    if (a->link[ethernet_a].chip || b->link[ethernet_b].chip)
        return TSR_BUSY;
    if (!options)
        options = &usual;
    if (!attach(a, ethernet_a, b, ethernet_b, options) ||
        !attach(b, ethernet_b, a, ethernet_a, options)) {
        detach(a, ethernet_a);
        return TSR_NO_MEMORY;
    }
    join(a, b);
    return TSR_OK;
}

tsr_status tsr_chip_disconnect(tsr_chip *chip, unsigned ethernet)
{
    if (!chip || !has_tile(chip, ethernet))
        return TSR_BAD_ARGUMENT;
    const struct tsr_ethernet_link link = chip->link[ethernet];
    if (!link.chip)
        return TSR_NOT_FOUND;
    detach(chip, ethernet);
    detach(link.chip, link.tile);
    regroup(chip);
    return TSR_OK;
}

tsr_status tsr_chip_peer(const tsr_chip *chip, unsigned ethernet, tsr_chip **peer,
                         unsigned *peer_ethernet)
{
    if (!chip || !has_tile(chip, ethernet))
        return TSR_BAD_ARGUMENT;
    const struct tsr_ethernet_link *link = &chip->link[ethernet];
    if (!link->chip)
        return TSR_NOT_FOUND;
    if (peer)
        *peer = link->chip;
    if (peer_ethernet)
        *peer_ethernet = link->tile;
    return TSR_OK;
}

void tsr_chip_links_reset(tsr_chip *chip)
{
    for (unsigned i = 0; i < TSR_ETHERNET_TILES; i++) {
        if (!has_tile(chip, i))
            continue;
        tsr_ethernet_queues_free(node_of(chip, i));
        if (chip->link[i].chip)
            (void)tsr_ethernet_queues_of(node_of(chip, i));
    }
}

void tsr_chip_links_destroy(tsr_chip *chip)
{
    if (!chip->node)
        return;
    for (unsigned i = 0; i < TSR_ETHERNET_TILES; i++)
        (void)tsr_chip_disconnect(chip, i);
    for (unsigned i = 0; i < TSR_ETHERNET_TILES; i++)
        if (chip->queues[i])
            tsr_ethernet_queues_free(node_of(chip, i));
}

// ---------------------------------------------------------------- windows' ends

static bool is_lost(struct tsr_ethernet_link *link)
{
    unsigned every = link->options.drop_every;
    link->entered++;
    return every > 0 && link->entered % every == 0;
}

// The RX queue takes no frames (Wormhole).
static bool has_backpressure(const struct tsr_ethernet_queues *queues, unsigned receiver)
{
    return queues && queues->arch == TSR_WORMHOLE_B0 &&
           QUEUE_FIELD(queues->rx[receiver].word[ETH_RXQ_CTRL], ETH_RXQ_CTRL_FORCE_BPRESSURE);
}

// The other side has begun or ended to hold the queue by backpressure.
static bool changes_pause(const struct tsr_ethernet_link *link, const struct tsr_tx_queue *tx)
{
    return link->chip && tx->paused != has_backpressure(link->chip->queues[link->tile],
                                                        tx->word[ETH_TXQ_DEST_MAC_ADDR_LO] & 1);
}

static void send_out(tsr_chip *chip, unsigned tile)
{
    struct tsr_ethernet_queues *queues = chip->queues[tile];
    struct tsr_ethernet_link *link = &chip->link[tile];
    struct tsr_ethernet_queues *to = link->chip->queues[link->tile];
    uint64_t latency = queues->timing ? queues->layout->fact[QUEUE_LATENCY] : 0;
    while (queues->out.count > 0 && queues->out.frame[queues->out.first].leaves <= chip->now) {
        struct tsr_frame frame = tsr_frames_pop(&queues->out);
        if (!to || is_lost(link)) {
            free(frame.bytes);
            continue;
        }
        frame.leaves = frame.leaves + latency + link->chip->now - chip->now;
        (void)tsr_frames_push(&to->in, &frame);
    }
}

// False: each window may pass the links by.
static inline bool any_queues(const tsr_chip *chip)
{
    return atomic_load_explicit(&chip->queues_made, memory_order_relaxed);
}

void tsr_chip_links_send(tsr_chip *chip)
{
    for (unsigned i = 0; any_queues(chip) && i < TSR_ETHERNET_TILES; i++) {
        struct tsr_ethernet_queues *queues = chip->queues[i];
        if (!queues)
            continue;
        struct tsr_ethernet_link *link = &chip->link[i];
        bool moved = false;
        for (unsigned k = 0; k < queues->layout->fact[QUEUE_QUEUES]; k++) {
            bool changes = changes_pause(link, &queues->tx[k]);
            queues->tx[k].paused ^= changes;
            if (changes)
                tsr_ethernet_update_from(queues, k, chip->now);
            moved |= changes;
        }
        moved |= tsr_ethernet_advance(queues, chip->now);
        if (moved)
            tsr_ethernet_touch(node_of(chip, i));
        if (link->chip)
            send_out(chip, i);
    }
}

void tsr_chip_links_deliver(tsr_chip *chip)
{
    for (unsigned i = 0; any_queues(chip) && i < TSR_ETHERNET_TILES; i++) {
        struct tsr_ethernet_queues *queues = chip->queues[i];
        struct tsr_node *node = node_of(chip, i);
        while (queues && queues->in.count > 0 &&
               queues->in.frame[queues->in.first].leaves <= chip->now) {
            const struct tsr_frame *frame = &queues->in.frame[queues->in.first];
            if (!tsr_ethernet_receive(node, frame))
                break;
            free(tsr_frames_pop(&queues->in).bytes);
            tsr_ethernet_touch(node);
        }
        if (queues)
            tsr_ethernet_report(node);
    }
}

bool tsr_chip_links_busy(const tsr_chip *chip)
{
    for (unsigned i = 0; i < TSR_ETHERNET_TILES; i++) {
        const struct tsr_ethernet_queues *queues = chip->queues[i];
        if (!queues)
            continue;
        const struct tsr_frames *in = &queues->in;
        if (tsr_ethernet_sends(queues))
            return true;
        for (unsigned k = 0; k < queues->layout->fact[QUEUE_QUEUES]; k++)
            if (changes_pause(&chip->link[i], &queues->tx[k]))
                return true;
        if (in->count > 0 &&
            has_backpressure(queues, tsr_ethernet_receiver(in->frame[in->first].bytes)))
            continue;
        for (unsigned k = 0; k < in->count; k++)
            if (!in->frame[(in->first + k) % in->capacity].quiet)
                return true;
    }
    return false;
}

// The earliest cycle in which something of the tile leaves, comes, or is sent because it is time.
static uint64_t next_of(const struct tsr_ethernet_queues *queues)
{
    uint64_t next = tsr_ethernet_next_update(queues);
    if (queues->out.count > 0 && queues->out.frame[queues->out.first].leaves < next)
        next = queues->out.frame[queues->out.first].leaves;
    if (queues->in.count > 0 && queues->in.frame[queues->in.first].leaves < next)
        next = queues->in.frame[queues->in.first].leaves;
    return next;
}

uint64_t tsr_chip_links_idle(const tsr_chip *chip, uint64_t most)
{
    enum { ENOUGH = 1 << 16 }; // the updates of these cycles exist at once
    bool heard = false, linked = false;
    uint64_t idle = most;
    const tsr_chip *at = chip;
    do
        for (unsigned i = 0; i < TSR_ETHERNET_TILES; i++) {
            const struct tsr_ethernet *cores = at->node[at->link[i].node].ethernet;
            if (!at->link[i].chip || !at->queues[i])
                continue;
            linked = true;
            heard |= cores && tsr_ethernet_has_work(cores);
            uint64_t next = next_of(at->queues[i]);
            uint64_t left = next > at->now ? next - at->now : 1;
            if (left < idle)
                idle = left;
        }
    while ((at = at->next_connected) != chip);
    return heard ? idle : linked && most > ENOUGH ? ENOUGH : most;
}
