// SPDX-License-Identifier: Apache-2.0
// The bytes in front of a frame's body. Pages: EthernetTile/EthernetTxRx.md of each chip; the
// TT-link header's layout is this project's (errata 464), but for its length and the bit that tells
// MMIO writes, which are Blackhole's.
#include "chip/ethernet_header.h"

#include <string.h>

enum { MAC_BYTES = 6, TYPE_AT = 12 };

static void put_big16(uint8_t *bytes, uint32_t value)
{
    bytes[0] = (uint8_t)(value >> 8);
    bytes[1] = (uint8_t)value;
}

static void put_little(uint8_t *bytes, uint32_t value, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

static uint32_t get_little32(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

uint32_t tsr_ethernet_header_size(const struct tsr_ethernet_queues *queues, unsigned queue,
                                  enum tsr_header_use use)
{
    (void)queues;
    (void)queue;
    (void)use;
    return TSR_ETHERNET_HEADER;
}

void tsr_ethernet_header_put(const struct tsr_ethernet_queues *queues, unsigned queue,
                             enum tsr_header_use use, uint8_t *frame, uint32_t size)
{
    const uint32_t *word = queues->tx[queue].word;
    (void)use;
    put_little(frame, word[ETH_TXQ_DEST_MAC_ADDR_LO], 4);
    put_little(frame + 4, word[ETH_TXQ_DEST_MAC_ADDR_HI], 2);
    put_little(frame + MAC_BYTES, word[ETH_TXQ_SRC_MAC_ADDR_LO], 4);
    put_little(frame + MAC_BYTES + 4, word[ETH_TXQ_SRC_MAC_ADDR_HI], 2);
    bool type = QUEUE_FIELD(word[ETH_TXQ_CTRL], ETH_TXQ_CTRL_USE_TYPE);
    put_big16(frame + TYPE_AT, type ? word[ETH_TXQ_ETH_TYPE] : size - TSR_ETHERNET_HEADER);
}

// ---------------------------------------------------------------- TT-link

enum {
    SEQUENCE_AT = 0,
    EXPECTS_AT = 1,
    KIND_AT = 2,
    DROP_AT = 3,
    ADDRESS_AT = 4,
    DATA_AT = 8,
    MMIO_AT = 13 // bit 216 of the frame
};

void tsr_tt_header_put(const struct tsr_tt_header *header, uint8_t bytes[TSR_TT_HEADER])
{
    memset(bytes, 0, TSR_TT_HEADER);
    bytes[SEQUENCE_AT] = header->sequence;
    bytes[EXPECTS_AT] = header->expects;
    bytes[KIND_AT] = header->kind;
    bytes[DROP_AT] = header->drop_notice;
    put_little(bytes + ADDRESS_AT, header->address, 4);
    put_little(bytes + DATA_AT, header->data, 4);
    bytes[MMIO_AT] = header->kind == TT_MMIO_WRITE;
}

bool tsr_tt_header_get(const uint8_t bytes[TSR_TT_HEADER], uint32_t size,
                       struct tsr_tt_header *header)
{
    *header = (struct tsr_tt_header){.kind = bytes[KIND_AT],
                                     .sequence = bytes[SEQUENCE_AT],
                                     .expects = bytes[EXPECTS_AT],
                                     .drop_notice = bytes[DROP_AT] & 1,
                                     .address = get_little32(bytes + ADDRESS_AT),
                                     .data = get_little32(bytes + DATA_AT)};
    return header->kind < TT_KINDS && bytes[MMIO_AT] == (header->kind == TT_MMIO_WRITE) &&
           size == (header->kind == TT_L1_WRITE ? header->data : 0);
}
