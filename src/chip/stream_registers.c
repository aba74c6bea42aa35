// SPDX-License-Identifier: Apache-2.0
// Which registers streams have, and what a store to one of them keeps and changes beside. What
// starts a stream, feeds it or takes from it is in overlay.c.
// Pages: WormholeB0/NoC/Overlay/README.md, AsGeneralUse.md, LoadConfigurationFromL1.md.
#include "chip/stream_registers.h"

#include "base/fresh_pages.h"
#include "isa/isa.h"

#include <string.h>

enum streams { ALL, GATHER, MCAST, DRAM, FIRST };

static const struct stream_row {
    uint16_t index[TSR_ARCH_COUNT];
    uint8_t width, streams, rule;
} rows[STREAM_REGISTERS] = {
#define STREAM(name, wh, bh, width, streams, rule) [name] = {{wh, bh}, width, streams, rule},
#include "machine/noc_streams.def"
};

static const struct stream_field_row {
    uint8_t reg[TSR_ARCH_COUNT], first[TSR_ARCH_COUNT], width;
} fields[STREAM_FIELDS] = {
#define STREAM_FIELD(name, wh, wh_bit, bh, bh_bit, width)                                          \
    [STREAM_##name] = {{wh, bh}, {wh_bit, bh_bit}, width},
#include "machine/noc_streams.def"
};

static bool on_ethernet(const struct tsr_noc_node *node)
{
    return node->place.info.kind == TSR_NODE_ETHERNET;
}

// ---------------------------------------------------------------- capabilities (README.md)

static bool has(const struct tsr_noc_node *node, unsigned stream, enum streams which)
{
    switch (which) {
    case GATHER:
        return on_ethernet(node) ? stream < 2 : stream < 6;
    case MCAST:
        return on_ethernet(node) ? stream < 2 : stream < 4;
    case DRAM:
        return tsr_stream_sends_to_dram(stream);
    case FIRST:
        return stream == 0;
    default:
        return true;
    }
}

bool tsr_stream_sends_to_several(const struct tsr_noc_node *node, unsigned id)
{
    return has(node, id, MCAST);
}

bool tsr_stream_sends_to_dram(unsigned id)
{
    return id < 4 || (id >= 8 && id < 12);
}

// The same streams.
bool tsr_stream_uses_link(const struct tsr_noc_node *node, unsigned id)
{
    return on_ethernet(node) && tsr_stream_sends_to_dram(id);
}

bool tsr_stream_has_headers(const struct tsr_noc_node *node, unsigned id)
{
    return !on_ethernet(node) && (id == 4 || id == 5);
}

unsigned tsr_stream_messages(const struct tsr_noc_node *node, unsigned id)
{
    enum { FEW = 2, SOME = 8 };
    if (on_ethernet(node))
        return tsr_stream_sends_to_dram(id) ? STREAM_MESSAGES : FEW;
    return id < 6 || (id >= 8 && id < 12) ? SOME : FEW;
}

unsigned tsr_stream_reads(const struct tsr_noc_node *node, unsigned id)
{
    return on_ethernet(node) && tsr_stream_sends_to_dram(id) ? STREAM_READS
                                                             : tsr_stream_messages(node, id);
}

// ---------------------------------------------------------------- places

static uint8_t width_on_ethernet(enum tsr_stream_register reg)
{
    switch (reg) {
#define STREAM_IN_ETHERNET(name, width)                                                            \
    case name:                                                                                     \
        return width;
#include "machine/noc_streams.def"
    default:
        return rows[reg].width;
    }
}

// Of a register, at most: some streams have less.
static unsigned words_of(unsigned reg)
{
    if (reg == STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE)
        return STREAM_DESTINATIONS;
    return reg == STREAM_RECEIVER_ENDPOINT_MSG_INFO ? STREAM_INFOS * STREAM_LONG_INFO : 1;
}

_Static_assert((int)TSR_STREAM_WORDS == (int)STREAM_BYTES / 4 && STREAM_REGISTERS <= 0xff,
               "each word has a place there, and a byte is enough for a register");

void tsr_stream_index(struct tsr_noc *noc)
{
    memset(noc->stream_register, STREAM_REGISTERS, sizeof noc->stream_register);
    for (unsigned i = STREAM_REGISTERS; i-- > 0;) {
        unsigned from = rows[i].index[noc->arch];
        for (unsigned at = from; at < from + words_of(i) && at < TSR_STREAM_WORDS; at++)
            noc->stream_register[at] = (uint8_t)i;
    }
}

struct tsr_stream_place tsr_stream_find(const struct tsr_noc_node *node, uint32_t offset)
{
    tsr_arch arch = node->noc->arch;
    unsigned streams = on_ethernet(node) ? STREAM_ETHERNET_STREAMS : STREAM_TENSIX_STREAMS;
    struct tsr_stream_place place = {.stream = offset / STREAM_BYTES, .reg = STREAM_REGISTERS};
    unsigned index = offset % STREAM_BYTES / 4;
    if (place.stream >= streams)
        return place;
    for (unsigned i = node->noc->stream_register[index]; i < STREAM_REGISTERS; i++) {
        unsigned count = words_of(i);
        if (i == STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE && !has(node, place.stream, MCAST))
            count = 1;
        if (index < rows[i].index[arch] || index >= rows[i].index[arch] + count)
            continue;
        place.reg = (enum tsr_stream_register)i;
        place.at = index - rows[i].index[arch];
        place.there = has(node, place.stream, (enum streams)rows[i].streams);
        place.width = on_ethernet(node) ? width_on_ethernet(place.reg) : rows[i].width;
        break;
    }
    return place;
}

uint32_t tsr_stream_address(const struct tsr_noc *noc, unsigned stream,
                            enum tsr_stream_register reg)
{
    return tsr_isa(noc->arch)->region[REGION_NOC_OVERLAY].base + stream * STREAM_BYTES +
           4u * rows[reg].index[noc->arch];
}

enum tsr_stream_rule tsr_stream_rule_of(enum tsr_stream_register reg)
{
    return (enum tsr_stream_rule)rows[reg].rule;
}

uint32_t tsr_stream_width(enum tsr_stream_register reg)
{
    return rows[reg].width;
}

uint32_t tsr_stream_field(const struct tsr_noc *noc, const struct tsr_stream *stream,
                          enum tsr_stream_field field)
{
    const struct stream_field_row *row = &fields[field];
    return tsr_bits(stream->value[row->reg[noc->arch]], row->first[noc->arch], row->width);
}

// ---------------------------------------------------------------- storage

struct tsr_stream *tsr_stream_of(struct tsr_noc_node *node, unsigned id)
{
    if (!node->overlay)
        node->overlay = tsr_fresh_pages(sizeof *node->overlay);
    if (!node->overlay)
        return NULL;
    struct tsr_stream **stream = &node->overlay->stream[id];
    if (!*stream) {
        *stream = &node->overlay->kept[id];
        (*stream)->id = (uint8_t)id;
        (*stream)->fifos = &node->overlay->fifos[id];
    }
    return *stream;
}

void tsr_stream_free(struct tsr_noc_node *node)
{
    tsr_fresh_pages_free(node->overlay, sizeof *node->overlay);
    node->overlay = NULL;
}

static void keep_plain(struct tsr_stream *stream, enum tsr_stream_register reg, uint32_t stored)
{
    stream->value[reg] = stored & tsr_mask32(rows[reg].width);
}

// LoadConfigurationFromL1.md.
static void keep_header(const struct tsr_noc *noc, struct tsr_stream *stream, uint32_t stored)
{
    enum { PHASE_BITS = 12, COUNT_BITS = 12, SIZE_BIT = 24 };
    uint32_t *value = stream->value;
    keep_plain(stream, STREAM_PHASE_AUTO_CFG_HEADER, stored & ~tsr_mask32(PHASE_BITS));
    keep_plain(stream, STREAM_CURR_PHASE,
               value[STREAM_CURR_PHASE] + (stored & tsr_mask32(PHASE_BITS)));
    stream->remaining = stream->to_receive = (uint16_t)tsr_bits(stored, PHASE_BITS, COUNT_BITS);
    if (tsr_stream_field(noc, stream, STREAM_PHASE_AUTO_CONFIG))
        keep_plain(stream, STREAM_PHASE_AUTO_CFG_PTR,
                   value[STREAM_PHASE_AUTO_CFG_PTR] + 4 * (stream->next_config + 1u));
    stream->next_config = (uint8_t)(stored >> SIZE_BIT);
}

static void add_space(struct tsr_stream *stream, uint32_t stored)
{
    uint32_t width = tsr_mask32(rows[STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE].width);
    uint32_t *space = &stream->space[stored & (STREAM_DESTINATIONS - 1)];
    *space = (*space + (stored >> STREAM_RECEIVER_BITS)) & width;
}

void tsr_stream_keep(const struct tsr_noc *noc, struct tsr_stream *stream,
                     const struct tsr_stream_place *place, uint32_t stored)
{
    uint32_t *value = stream->value;
    enum tsr_stream_register reg = place->reg;
    if (!place->there)
        return;
    switch (tsr_stream_rule_of(reg)) {
    case BUF_START:
        keep_plain(stream, reg, stored);
        value[STREAM_RD_PTR] = value[STREAM_WR_PTR] = stream->next_message = stream->held = 0;
        break;
    case RD_PTR:
        keep_plain(stream, reg, stored);
        value[STREAM_NEXT_RECEIVED_MSG_SIZE] = 0;
        value[STREAM_NEXT_RECEIVED_MSG_ADDR] = value[STREAM_BUF_START] + value[STREAM_RD_PTR];
        break;
    case PHASE:
        keep_plain(stream, reg, stored + value[STREAM_CURR_PHASE_BASE]);
        break;
    case CFG_PTR:
        keep_plain(stream, reg, stored + value[STREAM_PHASE_AUTO_CFG_PTR_BASE]);
        break;
    case HEADER:
        keep_header(noc, stream, stored);
        break;
    case DEST_BUF_SIZE:
        keep_plain(stream, reg, stored);
        for (unsigned i = 0; i < STREAM_DESTINATIONS; i++)
            stream->space[i] = value[reg];
        break;
    case DEST_BUF_START:
        keep_plain(stream, reg, stored);
        value[STREAM_REMOTE_DEST_WR_PTR] = 0;
        break;
    case SPACE_UPDATE:
        add_space(stream, stored);
        break;
    case PLAIN:
    case MISC_CFG:
        keep_plain(stream, reg, stored & tsr_mask32(place->width));
        if (reg == STREAM_WR_PTR)
            stream->next_message = value[reg];
        break;
    default:
        break;
    }
}
