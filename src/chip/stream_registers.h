// SPDX-License-Identifier: Apache-2.0
// The registers of streams as storage: which one is where, what it keeps, and its fields.
// Pages: WormholeB0/NoC/Overlay/README.md, AsGeneralUse.md.
#ifndef TESSERA_CHIP_STREAM_REGISTERS_H
#define TESSERA_CHIP_STREAM_REGISTERS_H

#include "chip/stream_state.h"

enum tsr_stream_rule {
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
    MESSAGES,
    STATUS,
    ADVANCE,
    BUF_SPACE,
    NEW_MESSAGE,
    MORE_MESSAGES,
    INFO_CLEAR,
    DATA_CLEAR,
    DEST_READY,
    SRC_READY,
    COMPRESS,
    ZERO_MASK,
    MESSAGE_INFO,
    DONE,
    NEXT_DONE,
    FULL
};

struct tsr_stream_place {
    unsigned stream, at;          // `at`: which one of several
    enum tsr_stream_register reg; // STREAM_REGISTERS: no page has one there
    bool there;                   // this stream has it
    uint8_t width;                // in this tile
};

// Of a new NoC: what tsr_stream_find() begins with.
void tsr_stream_index(struct tsr_noc *noc);
struct tsr_stream_place tsr_stream_find(const struct tsr_noc_node *node, uint32_t offset);
// Where the register is in the tile's address space.
uint32_t tsr_stream_address(const struct tsr_noc *noc, unsigned stream,
                            enum tsr_stream_register reg);
enum tsr_stream_rule tsr_stream_rule_of(enum tsr_stream_register reg);
// In Tensix tiles.
uint32_t tsr_stream_width(enum tsr_stream_register reg);
uint32_t tsr_stream_field(const struct tsr_noc *noc, const struct tsr_stream *stream,
                          enum tsr_stream_field field);

// NULL: no memory.
struct tsr_stream *tsr_stream_of(struct tsr_noc_node *node, unsigned id);
void tsr_stream_free(struct tsr_noc_node *node); // all of the node
bool tsr_stream_sends_to_several(const struct tsr_noc_node *node, unsigned id);
bool tsr_stream_sends_to_dram(unsigned id);
// Whether it can be linked with a stream at the other end of an Ethernet link.
bool tsr_stream_uses_link(const struct tsr_noc_node *node, unsigned id);
// Messages that its metadata FIFO holds, and entries of its L1 read complete FIFO.
unsigned tsr_stream_messages(const struct tsr_noc_node *node, unsigned id);
unsigned tsr_stream_reads(const struct tsr_noc_node *node, unsigned id);
// Whether the metadata have a copy of the header.
bool tsr_stream_has_headers(const struct tsr_noc_node *node, unsigned id);

// What a store keeps and changes beside, in this stream alone.
void tsr_stream_keep(const struct tsr_noc *noc, struct tsr_stream *stream,
                     const struct tsr_stream_place *place, uint32_t stored);

#endif
