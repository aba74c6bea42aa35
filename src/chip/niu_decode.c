// SPDX-License-Identifier: Apache-2.0
// Wormhole has coordinates behind 36 bits of address, Blackhole in a word of their own.
// Page: NoC/MemoryMap.md of each chip.
#include "chip/niu_decode.h"

#include "chip/noc_route.h"

#include <string.h>

enum { PLACE_BITS = 4 * NOC_COORDINATE_BITS, WORMHOLE_HIGH_BITS = 4 };

// ---------------------------------------------------------------- addresses and places

static uint64_t address_at(const struct tsr_noc *noc, const uint32_t *words,
                           enum tsr_noc_initiator low)
{
    uint64_t high = words[low + 1];
    if (noc->arch == TSR_WORMHOLE_B0)
        high &= tsr_mask32(WORMHOLE_HIGH_BITS);
    return high << 32 | words[low];
}

static uint32_t place_at(const struct tsr_noc *noc, const uint32_t *words,
                         enum tsr_noc_initiator low)
{
    uint32_t place =
        noc->arch == TSR_WORMHOLE_B0 ? words[low + 1] >> WORMHOLE_HIGH_BITS : words[low + 2];
    return place & tsr_mask32(PLACE_BITS);
}

void tsr_niu_put_place(const struct tsr_noc *noc, uint32_t *words, enum tsr_noc_initiator low,
                       uint32_t place)
{
    if (noc->arch == TSR_WORMHOLE_B0)
        words[low + 1] = (words[low + 1] & ~(tsr_mask32(PLACE_BITS) << WORMHOLE_HIGH_BITS)) |
                         place << WORMHOLE_HIGH_BITS;
    else
        words[low + 2] = (words[low + 2] & ~tsr_mask32(PLACE_BITS)) | place;
}

void tsr_niu_step_address(const struct tsr_noc *noc, uint32_t *words, enum tsr_noc_initiator low,
                          uint32_t by)
{
    uint64_t address = (uint64_t)words[low] + by;
    words[low] = (uint32_t)address;
    if (noc->arch == TSR_BLACKHOLE_A0)
        words[low + 1] += (uint32_t)(address >> 32);
}

static unsigned coordinate(uint32_t place, unsigned index)
{
    return tsr_bits(place, index * NOC_COORDINATE_BITS, NOC_COORDINATE_BITS);
}

unsigned tsr_niu_chosen_channel(const struct tsr_niu_request *request)
{
    return NOC_BITS(request->control, NOC_CMD_VC_STATIC) ? 1 + request->virtual_channel : 0;
}

static uint32_t translate_pair(const struct tsr_noc *noc, const struct tsr_niu *niu, uint32_t place,
                               unsigned index)
{
    unsigned x = coordinate(place, index), y = coordinate(place, index + 1);
    unsigned shift = index * NOC_COORDINATE_BITS;
    tsr_noc_translate(noc, niu, &x, &y);
    place &= ~(tsr_mask32(2 * NOC_COORDINATE_BITS) << shift);
    return place | (y << NOC_COORDINATE_BITS | x) << shift;
}

static uint32_t translate(const struct tsr_noc *noc, const struct tsr_niu *niu, uint32_t place,
                          bool rectangle)
{
    place = translate_pair(noc, niu, place, 0);
    return rectangle ? translate_pair(noc, niu, place, 2) : place;
}

// ---------------------------------------------------------------- the request

static void put_receiver(struct tsr_noc_packet *packet, uint32_t place)
{
    packet->x = (uint8_t)coordinate(place, 0);
    packet->y = (uint8_t)coordinate(place, 1);
    packet->start_x = (uint8_t)coordinate(place, 2);
    packet->start_y = (uint8_t)coordinate(place, 3);
}

static void put_response(struct tsr_noc_packet *packet, uint32_t place)
{
    packet->response_x = (uint8_t)coordinate(place, 0);
    packet->response_y = (uint8_t)coordinate(place, 1);
}

static uint32_t own_place(const struct tsr_noc_node *node, int which)
{
    unsigned x, y;
    tsr_noc_coordinates(node->noc, which, node->index, &x, &y);
    return y << NOC_COORDINATE_BITS | x;
}

static void decode_control(struct tsr_noc_packet *packet, uint32_t control, uint32_t tag)
{
    static const uint8_t kinds[] = {[NOC_CMD_RD] = NOC_READ,
                                    [NOC_CMD_AT] = NOC_ATOMIC,
                                    [NOC_CMD_WR] = NOC_WRITE,
                                    [NOC_CMD_RESERVED] = NOC_WRITE};
    packet->kind = kinds[NOC_BITS(control, REQUEST_TYPE)];
    bool write = packet->kind == NOC_WRITE;
    packet->marked = packet->kind == NOC_READ || NOC_BITS(control, NOC_CMD_RESP_MARKED);
    packet->inline_data = write && NOC_BITS(control, NOC_CMD_WR_INLINE);
    packet->masked = write && NOC_BITS(control, NOC_CMD_WR_BE);
    packet->broadcast = packet->kind != NOC_READ && NOC_BITS(control, NOC_CMD_BRCST_PACKET);
    packet->y_major = NOC_BITS(control, NOC_CMD_BRCST_XY);
    packet->include_self = NOC_BITS(control, NOC_CMD_BRCST_SRC_INCLUDE);
    packet->reserves = NOC_BITS(control, NOC_CMD_PATH_RESERVE);
    packet->header_store = write && !packet->marked && NOC_BITS(tag, NOC_PACKET_TAG_HEADER_STORE);
    if (write && NOC_BITS(tag, NOC_PACKET_TAG_OVERLAY)) {
        packet->to_stream = (uint8_t)(1 + NOC_BITS(tag, NOC_PACKET_TAG_STREAM));
        packet->ends_message = NOC_BITS(tag, NOC_PACKET_TAG_LAST);
    }
    packet->transaction = (uint8_t)NOC_BITS(tag, NOC_PACKET_TRANSACTION_ID);
}

void tsr_niu_decode(const struct tsr_noc_node *node, int which, unsigned initiator,
                    struct tsr_niu_request *request)
{
    const struct tsr_noc *noc = node->noc;
    const struct tsr_niu *niu = &node->niu[which];
    const uint32_t *words = niu->initiator[initiator];
    struct tsr_noc_packet *packet = &request->packet;
    bool blackhole = noc->arch == TSR_BLACKHOLE_A0;
    memset(request, 0, sizeof *request);
    request->control = words[NOC_CTRL];
    request->tag = words[NOC_PACKET_TAG];
    request->virtual_channel = NOC_BITS(request->control, NOC_CMD_STATIC_VC);
    decode_control(packet, request->control, request->tag);
    packet->node = node->index;
    packet->noc = (uint8_t)which;
    packet->data = words[NOC_AT_DATA];
    packet->operation = words[NOC_AT_LEN_BE];
    packet->mask = packet->operation | (blackhole ? (uint64_t)words[NOC_AT_LEN_BE_1] << 32 : 0);
    packet->exclude = blackhole ? words[NOC_BRCST_EXCLUDE] : 0;
    request->length = packet->mask;
    bool to_return = packet->kind == NOC_WRITE && !packet->inline_data;
    request->targ_place = translate(noc, niu, place_at(noc, words, NOC_TARG_ADDR_LO),
                                    packet->broadcast && !to_return);
    request->ret_place =
        translate(noc, niu, place_at(noc, words, NOC_RET_ADDR_LO), packet->broadcast && to_return);
    uint64_t target = address_at(noc, words, NOC_TARG_ADDR_LO);
    uint64_t back = address_at(noc, words, NOC_RET_ADDR_LO);
    packet->address = to_return ? back : target;
    packet->response_address = to_return ? 0 : back;
    request->source = target;
    put_receiver(packet, to_return ? request->ret_place : request->targ_place);
    put_response(packet, to_return             ? request->targ_place
                         : packet->inline_data ? own_place(node, which)
                                               : request->ret_place);
}
