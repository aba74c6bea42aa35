// SPDX-License-Identifier: Apache-2.0
// Requests at their receiver: memory, counters, the response; responses at theirs. Addresses that
// nobody has read as zero and swallow what is written, with a finding of the sender's.
// Pages: NoC/MemoryMap.md, NoC/Atomics.md, NoC/Counters.md of each chip.
#include "chip/noc_perform.h"

#include "base/bits.h"
#include "base/finding_codes.h"
#include "chip/niu.h"
#include "chip/niu_check.h"
#include "chip/niu_outbox.h"
#include "chip/noc_races.h"
#include "chip/noc_registers.h"
#include "chip/noc_route.h"
#include "chip/stream_phase.h"

#include <stdio.h>
#include <string.h>

enum { WORD = 4 }; // of a register

struct visit {
    struct tsr_noc *noc;
    const struct tsr_noc_packet *packet;
    unsigned node;
    uint32_t *counter; // of the interface where the packet is
};

// ---------------------------------------------------------------- memory

static void nothing_there(const struct visit *visit, const char *what, uint64_t address,
                          size_t size)
{
    char sentence[TSR_NOC_SENTENCE];
    unsigned x, y;
    bool missing = visit->noc->chip.misses(visit->noc->chip.self, visit->node, address);
    tsr_noc_coordinates(visit->noc, visit->packet->noc, visit->node, &x, &y);
    snprintf(sentence, sizeof sentence,
             "%s %zu bytes at 0x%llx of (%u, %u) on NoC %u, a tile of kind %s, %s.", what, size,
             (unsigned long long)address, x, y, visit->packet->noc,
             tsr_node_kind_name(visit->noc->node[visit->node].place.info.kind),
             missing ? "which is unimplemented" : "where nothing is");
    visit->noc->chip.find(visit->noc->chip.self, &visit->packet->origin,
                          missing ? FINDING_NODE_MISSING : FINDING_NOC_ADDRESS, sentence);
}

static void put_word(uint8_t *bytes, uint32_t word)
{
    for (unsigned i = 0; i < WORD; i++)
        bytes[i] = (uint8_t)(word >> (8 * i));
}

static void read_bytes(const struct visit *visit, uint64_t address, uint8_t *bytes, size_t size)
{
    struct tsr_noc *noc = visit->noc;
    int unit;
    unsigned node = visit->node;
    uint32_t offset, value = 0;
    bool there;
    if (noc->races && visit->packet->kind != NOC_ATOMIC)
        tsr_noc_race_access(noc, visit->packet, node, address, size, false);
    if (tsr_noc_own_registers(noc, &node, visit->packet->noc, address, &unit, &offset)) {
        there = tsr_noc_own_access(noc, node, unit, offset, false, &value) == TSR_OK;
        uint8_t word[WORD];
        put_word(word, value);
        memset(bytes, 0, size);
        memcpy(bytes, word, size < WORD ? size : WORD);
    } else {
        there = noc->chip.read(noc->chip.self, visit->node, address, bytes, size);
    }
    if (!there) {
        memset(bytes, 0, size);
        nothing_there(visit, "A request reads", address, size);
    }
}

static void write_bytes(const struct visit *visit, uint64_t address, const uint8_t *bytes,
                        size_t size)
{
    struct tsr_noc *noc = visit->noc;
    int unit;
    unsigned node = visit->node;
    uint32_t offset, value = size >= WORD ? tsr_word_at(bytes) : 0;
    bool there;
    if (noc->races)
        tsr_noc_race_access(noc, visit->packet, node, address, size, true);
    if (tsr_noc_own_registers(noc, &node, visit->packet->noc, address, &unit, &offset))
        there = tsr_noc_own_access(noc, node, unit, offset, true, &value) == TSR_OK;
    else
        there = noc->chip.write(noc->chip.self, visit->node, address, bytes, size);
    if (!there)
        nothing_there(visit, "A request writes", address, size);
}

// ---------------------------------------------------------------- writes

static void write_masked(const struct visit *visit, uint64_t base, const uint8_t *bytes,
                         uint64_t mask, unsigned size)
{
    for (unsigned i = 0; i < size;) {
        unsigned end = i;
        while (end < size && mask >> end & 1)
            end++;
        if (end > i)
            write_bytes(visit, base + i, bytes + i, end - i);
        i = end + 1;
    }
}

static void write_inline(const struct visit *visit)
{
    const struct tsr_noc_packet *packet = visit->packet;
    uint8_t bytes[NOC_WORD_BYTES];
    for (unsigned i = 0; i < NOC_WORD_BYTES; i += WORD)
        put_word(bytes + i, packet->data);
    if (tsr_noc_space_of(visit->noc, visit->node, packet->address) == TSR_SPACE_MMIO) {
        write_bytes(visit, packet->address & ~3ull, bytes, WORD);
        return;
    }
    uint32_t mask = (packet->operation | packet->operation >> 16) & 0xffff;
    write_masked(visit, packet->address & ~15ull, bytes, mask, NOC_WORD_BYTES);
}

// MemoryMap.md, NIU_CFG_0: tiles without an overlay can ignore the flag.
static bool stores_header(const struct visit *visit)
{
    const struct tsr_noc *noc = visit->noc;
    const struct tsr_noc_node *node = &noc->node[visit->node];
    uint32_t config = node->niu[visit->packet->noc].config[noc->layout->config[NIU_CFG_0]];
    tsr_node_kind kind = node->place.info.kind;
    return kind == TSR_NODE_TENSIX || kind == TSR_NODE_ETHERNET ||
           !NOC_BITS(config, NIU_CFG_0_DOUBLE_STORE_DISABLE);
}

static void write_data(const struct visit *visit)
{
    const struct tsr_noc_packet *packet = visit->packet;
    bool mmio = tsr_noc_space_of(visit->noc, visit->node, packet->address) == TSR_SPACE_MMIO;
    unsigned mask_bytes = visit->noc->layout->fact[NOC_MASK_BYTES];
    if (packet->masked && mmio)
        write_bytes(visit, packet->address & ~3ull, packet->bytes + (packet->address & 12), WORD);
    else if (packet->masked)
        write_masked(visit, packet->address & ~15ull, packet->bytes, packet->mask, mask_bytes);
    else if (mmio && packet->length >= WORD)
        write_bytes(visit, packet->address & ~3ull, packet->bytes, WORD);
    else if (packet->length > 0)
        write_bytes(visit, packet->address, packet->bytes, packet->length);
    if (packet->header_store && packet->length > 0 && stores_header(visit))
        write_bytes(visit, (uint64_t)packet->data << NOC_WORD_SHIFT, packet->bytes,
                    packet->length < NOC_WORD_BYTES ? packet->length : NOC_WORD_BYTES);
}

static void count_write(const struct visit *visit)
{
    const struct tsr_noc_packet *packet = visit->packet;
    uint32_t *counter = visit->counter;
    uint32_t words = packet->inline_data ? 1 : packet->flits;
    counter[packet->marked ? NIU_SLV_NONPOSTED_WR_REQ_STARTED : NIU_SLV_POSTED_WR_REQ_STARTED]++;
    counter[packet->marked ? NIU_SLV_NONPOSTED_WR_REQ_RECEIVED : NIU_SLV_POSTED_WR_REQ_RECEIVED]++;
    counter[packet->marked ? NIU_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED
                           : NIU_SLV_POSTED_WR_DATA_WORD_RECEIVED] += words;
}

// ---------------------------------------------------------------- atomics

static void put_atomic(const struct visit *visit, uint64_t address, uint32_t value, unsigned size)
{
    uint8_t bytes[WORD];
    put_word(bytes, value);
    write_bytes(visit, address, bytes, size);
}

static uint32_t perform_atomic(const struct visit *visit)
{
    const struct tsr_noc_packet *packet = visit->packet;
    uint32_t operation = packet->operation, data = packet->data;
    uint64_t base = packet->address & ~15ull;
    uint8_t bytes[NOC_WORD_BYTES];
    read_bytes(visit, base, bytes, sizeof bytes);
    unsigned index = NOC_BITS(operation, NOC_AT_IND_32);
    uint32_t old = tsr_word_at(bytes + index * WORD);
    switch (NOC_BITS(operation, NOC_AT_INS)) {
    case NOC_ATOMIC_INCREMENT: {
        uint32_t mask = tsr_mask32(NOC_BITS(operation, NOC_AT_WRAP) + 1);
        put_atomic(visit, base + index * WORD, ((old + data) & mask) | (old & ~mask), WORD);
        break;
    }
    case NOC_ATOMIC_COMPARE_SWAP:
        if (old == NOC_BITS(operation, NOC_AT_COMPARE))
            put_atomic(visit, base + index * WORD, NOC_BITS(operation, NOC_AT_SWAP), WORD);
        break;
    case NOC_ATOMIC_SWAP_MASK:
        for (unsigned i = 0; i < NOC_WORD_BYTES / 2; i++)
            if (NOC_BITS(operation, NOC_AT_SWAP_MASK) >> i & 1)
                put_atomic(visit, base + i * 2, i & 1 ? data >> 16 : data & 0xffff, 2);
        break;
    case NOC_ATOMIC_SWAP_INDEX_4:
        index = NOC_BITS(operation, NOC_AT_SWAP_INDEX_4);
        put_atomic(visit, base + index * WORD, data, WORD);
        break;
    default: // NOC_ATOMIC_SWAP_INDEX: no other is sent
        put_atomic(visit, base + index * WORD, data, WORD);
        break;
    }
    return tsr_word_at(bytes + (packet->address & 12));
}

// ---------------------------------------------------------------- requests

static void begin_response(const struct visit *visit, enum tsr_noc_packet_kind kind,
                           struct tsr_noc_packet *response)
{
    const struct tsr_noc_packet *packet = visit->packet;
    *response = (struct tsr_noc_packet){.due = packet->due,
                                        .node = (uint16_t)visit->node,
                                        .noc = packet->noc,
                                        .kind = (uint8_t)kind,
                                        .transaction = packet->transaction,
                                        .x = packet->response_x,
                                        .y = packet->response_y,
                                        .address = packet->response_address,
                                        .length = packet->length,
                                        .race = packet->race,
                                        .origin = packet->origin};
}

static bool perform_read(const struct visit *visit, struct tsr_noc_packet *response)
{
    const struct tsr_noc_packet *packet = visit->packet;
    begin_response(visit, NOC_READ_RESPONSE, response);
    response->flits = tsr_niu_data_flits(visit->noc->layout, packet->address, packet->length);
    response->bytes = packet->bytes;
    if (packet->length > 0)
        read_bytes(visit, packet->address, response->bytes, packet->length);
    visit->counter[NIU_SLV_REQ_ACCEPTED]++;
    visit->counter[NIU_SLV_RD_REQ_RECEIVED]++;
    visit->counter[NIU_SLV_RD_RESP_SENT]++;
    visit->counter[NIU_SLV_RD_DATA_WORD_SENT] += response->flits;
    return true;
}

static bool perform_write(const struct visit *visit, struct tsr_noc_packet *response)
{
    const struct tsr_noc_packet *packet = visit->packet;
    tsr_node_kind kind = visit->noc->node[visit->node].place.info.kind;
    if (packet->inline_data)
        write_inline(visit);
    else if (packet->bytes)
        write_data(visit);
    if (packet->to_stream && (kind == TSR_NODE_TENSIX || kind == TSR_NODE_ETHERNET)) {
        tsr_stream_arrived(&visit->noc->node[visit->node], packet->to_stream - 1u,
                           packet->length / NOC_WORD_BYTES, packet->ends_message);
        visit->noc->streams[visit->node] = 1;
    }
    count_write(visit);
    if (!packet->marked)
        return false;
    visit->counter[NIU_SLV_WR_ACK_SENT]++;
    begin_response(visit, NOC_WRITE_ACK, response);
    // MemoryMap.md: a hardware bug of Wormhole.
    if (visit->noc->arch == TSR_WORMHOLE_B0 && (kind == TSR_NODE_PCIE || kind == TSR_NODE_ARC))
        response->transaction = 0;
    return true;
}

static bool perform_at(const struct visit *visit, struct tsr_noc_packet *response)
{
    const struct tsr_noc_packet *packet = visit->packet;
    uint32_t result = perform_atomic(visit);
    visit->counter[NIU_SLV_REQ_ACCEPTED]++;
    visit->counter[packet->marked ? NIU_SLV_NONPOSTED_ATOMIC_RECEIVED
                                  : NIU_SLV_POSTED_ATOMIC_RECEIVED]++;
    if (!packet->marked)
        return false;
    visit->counter[NIU_SLV_ATOMIC_RESP_SENT]++;
    begin_response(visit, NOC_ATOMIC_RESPONSE, response);
    response->data = result;
    return true;
}

// ---------------------------------------------------------------- responses

static void perform_response(const struct visit *visit)
{
    const struct tsr_noc_packet *packet = visit->packet;
    struct tsr_niu *niu = &visit->noc->node[visit->node].niu[packet->noc];
    uint8_t result[WORD];
    switch (packet->kind) {
    case NOC_READ_RESPONSE:
        if (packet->bytes && packet->length > 0)
            write_bytes(visit, packet->address, packet->bytes, packet->length);
        visit->counter[NIU_MST_RD_RESP_RECEIVED]++;
        visit->counter[NIU_MST_RD_DATA_WORD_RECEIVED] += packet->flits;
        break;
    case NOC_WRITE_ACK:
        visit->counter[NIU_MST_WR_ACK_RECEIVED]++;
        break;
    default:
        put_word(result, packet->data);
        write_bytes(visit, packet->address & ~3ull, result, WORD);
        visit->counter[NIU_MST_ATOMIC_RESP_RECEIVED]++;
        break;
    }
    tsr_niu_outstanding(niu, packet->transaction, -1);
    if (niu->reached_zero != 0)
        tsr_niu_weigh(&visit->noc->node[visit->node], packet->noc);
    if (visit->noc->races && packet->race)
        tsr_race_chip_answer(visit->noc->races, packet->race);
}

bool tsr_noc_perform(struct tsr_noc *noc, const struct tsr_noc_packet *packet, unsigned node,
                     struct tsr_noc_packet *response)
{
    const struct visit visit = {.noc = noc,
                                .packet = packet,
                                .node = node,
                                .counter = noc->node[node].niu[packet->noc].counter};
    bool answers = false;
    switch (packet->kind) {
    case NOC_READ:
        answers = perform_read(&visit, response);
        break;
    case NOC_WRITE:
        answers = perform_write(&visit, response);
        break;
    case NOC_ATOMIC:
        answers = perform_at(&visit, response);
        break;
    default:
        perform_response(&visit);
        break;
    }
    if (noc->races && packet->kind <= NOC_ATOMIC)
        tsr_noc_race_served(noc, packet, node);
    noc->delivered++;
    noc->chip.wake(noc->chip.self, node);
    return answers;
}
