// SPDX-License-Identifier: Apache-2.0
// Streams as general-purpose registers: what their registers keep, and what a store to one of them
// does to others. No stream ever leaves its idle state: what would start one, feed it messages, or
// take them, is not there.
// Pages: NoC/Overlay/AsGeneralUse.md, NoC/Overlay/README.md.
#include "chip/overlay.h"

#include <stdlib.h>

enum stream_fact {
#define STREAM_FACT(name, value) STREAM_##name = value,
#include "../../machine/noc_streams.def"
};
enum stream_register {
#define STREAM(name, wh, bh, width, streams, rule) name,
#include "../../machine/noc_streams.def"
    STREAM_REGISTERS
};
enum streams { ALL, GATHER, MCAST, DRAM, FIRST };
enum rule {
    PLAIN,
    READ_ONLY,
    BUF_START,
    RD_PTR,
    PHASE,
    CFG_PTR,
    MISC_CFG,
    CAN_PUSH,
    HEADER,
    DEST_BUF_SIZE,
    DEST_BUF_START,
    SPACE,
    SPACE_UPDATE,
    SPACE_STATUS,
    IDLE_STATUS
};

static const struct stream_row {
    uint16_t index[TSR_ARCH_COUNT];
    uint8_t width, streams, rule;
} rows[STREAM_REGISTERS] = {
#define STREAM(name, wh, bh, width, streams, rule) [name] = {{wh, bh}, width, streams, rule},
#include "../../machine/noc_streams.def"
};

struct tsr_overlay {
    uint32_t value[STREAM_TENSIX_STREAMS][STREAM_REGISTERS];
    uint32_t space[STREAM_TENSIX_STREAMS][STREAM_DESTINATIONS];
};

static struct tsr_overlay *overlay_of(struct tsr_noc_node *node)
{
    if (!node->overlay)
        node->overlay = calloc(1, sizeof *node->overlay);
    return node->overlay;
}

// ---------------------------------------------------------------- where an offset leads

struct place {
    unsigned stream, destination;
    enum stream_register reg; // STREAM_REGISTERS: no page has one there
    bool there;               // this stream has it
};

// Overlay/README.md, Stream Capabilities.
static bool has(const struct tsr_noc_node *node, unsigned stream, enum streams which)
{
    bool ethernet = node->place.info.kind == TSR_NODE_ETHERNET;
    switch (which) {
    case GATHER:
        return ethernet ? stream < 2 : stream < 6;
    case MCAST:
        return ethernet ? stream < 2 : stream < 4;
    case DRAM:
        return stream < 4 || (stream >= 8 && stream < 12);
    case FIRST:
        return stream == 0;
    default:
        return true;
    }
}

static struct place find(const struct tsr_noc_node *node, uint32_t offset)
{
    unsigned streams = node->place.info.kind == TSR_NODE_ETHERNET ? STREAM_ETHERNET_STREAMS
                                                                  : STREAM_TENSIX_STREAMS;
    struct place place = {.stream = offset / STREAM_BYTES, .reg = STREAM_REGISTERS};
    unsigned index = offset % STREAM_BYTES / 4;
    if (place.stream >= streams)
        return place;
    unsigned destinations = has(node, place.stream, MCAST) ? STREAM_DESTINATIONS : 1;
    unsigned space = rows[STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE].index[node->noc->arch];
    if (index >= space && index < space + destinations) {
        place.reg = STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE;
        place.destination = index - space;
        place.there = true;
        return place;
    }
    for (unsigned i = 0; i < STREAM_REGISTERS; i++)
        if (rows[i].index[node->noc->arch] == index) {
            place.reg = (enum stream_register)i;
            place.there = has(node, place.stream, (enum streams)rows[i].streams);
        }
    return place;
}

// ---------------------------------------------------------------- loads

static uint32_t space_status(const struct tsr_overlay *overlay, const struct tsr_noc_node *node,
                             unsigned stream)
{
    enum { ALL_HAVE_SPACE = 1 << 3 };
    unsigned destinations = has(node, stream, MCAST) ? STREAM_DESTINATIONS : 1;
    for (unsigned i = 0; i < destinations; i++)
        if (overlay->space[stream][i] == 0)
            return 0;
    return ALL_HAVE_SPACE;
}

tsr_status tsr_overlay_load(struct tsr_noc_node *node, struct tsr_noc_access *access)
{
    struct place place = find(node, access->offset);
    struct tsr_overlay *overlay = overlay_of(node);
    access->finding = -1;
    access->value = 0;
    if (!overlay)
        return TSR_NO_MEMORY;
    if (place.reg == STREAM_REGISTERS)
        return TSR_UNMAPPED;
    if (!place.there)
        return TSR_OK;
    const uint32_t *value = overlay->value[place.stream];
    const struct stream_row *row = &rows[place.reg];
    switch ((enum rule)row->rule) {
    case PHASE:
        access->value = value[place.reg] - value[STREAM_CURR_PHASE_BASE];
        break;
    case CFG_PTR:
        access->value = value[place.reg] - value[STREAM_PHASE_AUTO_CFG_PTR_BASE];
        break;
    case CAN_PUSH:
        access->value = value[STREAM_MSG_INFO_PTR] == value[STREAM_MSG_INFO_WR_PTR];
        break;
    case SPACE:
        access->value = overlay->space[place.stream][place.destination];
        break;
    case SPACE_STATUS:
        access->value = space_status(overlay, node, place.stream);
        break;
    case SPACE_UPDATE:
        break;
    case IDLE_STATUS:
        access->value = 1; // WAIT_SW_PHASE_ADVANCE_SIGNAL
        break;
    default:
        access->value = value[place.reg];
        break;
    }
    access->value &= tsr_mask32(row->width);
    return TSR_OK;
}

// ---------------------------------------------------------------- stores

static void store_plain(struct tsr_overlay *overlay, const struct place *place, uint32_t stored)
{
    overlay->value[place->stream][place->reg] = stored & tsr_mask32(rows[place->reg].width);
}

// What a store does beside keeping the value.
static void store_by_rule(struct tsr_overlay *overlay, const struct place *place, uint32_t stored)
{
    enum { INCREMENT_BITS = 12, DESTINATION_BITS = 6 };
    uint32_t *value = overlay->value[place->stream], *space = overlay->space[place->stream];
    uint32_t width = tsr_mask32(rows[STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE].width);
    switch ((enum rule)rows[place->reg].rule) {
    case BUF_START:
        store_plain(overlay, place, stored);
        value[STREAM_RD_PTR] = value[STREAM_WR_PTR] = 0;
        break;
    case RD_PTR:
        store_plain(overlay, place, stored);
        value[STREAM_NEXT_RECEIVED_MSG_SIZE] = 0;
        value[STREAM_NEXT_RECEIVED_MSG_ADDR] = value[STREAM_BUF_START] + value[STREAM_RD_PTR];
        break;
    case PHASE:
        store_plain(overlay, place, stored + value[STREAM_CURR_PHASE_BASE]);
        break;
    case CFG_PTR:
        store_plain(overlay, place, stored + value[STREAM_PHASE_AUTO_CFG_PTR_BASE]);
        break;
    case HEADER:
        store_plain(overlay, place, stored & ~tsr_mask32(INCREMENT_BITS));
        value[STREAM_CURR_PHASE] =
            (value[STREAM_CURR_PHASE] + (stored & tsr_mask32(INCREMENT_BITS))) &
            tsr_mask32(rows[STREAM_CURR_PHASE].width);
        break;
    case DEST_BUF_SIZE:
        store_plain(overlay, place, stored);
        for (unsigned i = 0; i < STREAM_DESTINATIONS; i++)
            space[i] = stored & width;
        break;
    case DEST_BUF_START:
        store_plain(overlay, place, stored);
        value[STREAM_REMOTE_DEST_WR_PTR] = 0;
        break;
    case SPACE_UPDATE: {
        uint32_t *counter = &space[stored & tsr_mask32(DESTINATION_BITS) & 31];
        *counter = (*counter + (stored >> DESTINATION_BITS)) & width;
        break;
    }
    case READ_ONLY:
    case CAN_PUSH:
    case SPACE:
    case SPACE_STATUS:
    case IDLE_STATUS:
        break;
    default:
        store_plain(overlay, place, stored);
        break;
    }
}

tsr_status tsr_overlay_store(struct tsr_noc_node *node, struct tsr_noc_access *access)
{
    enum { PHASE_AUTO_CONFIG = 9 };
    struct place place = find(node, access->offset);
    struct tsr_overlay *overlay = overlay_of(node);
    access->finding = -1;
    if (!overlay)
        return TSR_NO_MEMORY;
    if (place.reg == STREAM_REGISTERS ||
        (rows[place.reg].rule == MISC_CFG && node->noc->arch == TSR_WORMHOLE_B0 &&
         access->value >> PHASE_AUTO_CONFIG & 1)) // it would load its configuration
        return TSR_UNMAPPED;
    if (place.there)
        store_by_rule(overlay, &place, access->value);
    return TSR_OK;
}
