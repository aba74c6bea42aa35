// SPDX-License-Identifier: Apache-2.0
// TX queues: a command is split into packets, TT-link packets are kept until they are acknowledged
// and sent again when that takes too long, and updates go when nothing else does.
// Page: EthernetTile/EthernetTxRx.md of each chip; errata 463 to 467.
#include "chip/ethernet_send.h"

#include "chip/ethernet_header.h"
#include "chip/sparse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tsr_ethernet_fault(struct tsr_ethernet_queues *queues, enum tsr_finding code, uint32_t address,
                        const char *format, ...)
{
    if (queues->faults == TSR_ETHERNET_FAULTS)
        return;
    struct tsr_ethernet_fault *fault = &queues->fault[queues->faults++];
    fault->code = code;
    fault->address = address;
    va_list args;
    va_start(args, format);
    vsnprintf(fault->sentence, sizeof fault->sentence, format, args);
    va_end(args);
}

// ---------------------------------------------------------------- frames

// A full ring of items of `size` bytes, made larger, with the oldest item first. NULL: no memory,
// and it stays as it was.
static void *larger_ring(void *items, size_t size, unsigned *first, unsigned *capacity)
{
    unsigned full = *capacity, behind = full - *first;
    char *more = malloc((full ? 2 * full : 16) * size);
    if (!more)
        return NULL;
    if (full) {
        memcpy(more, (const char *)items + *first * size, behind * size);
        memcpy(more + behind * size, items, *first * size);
    }
    free(items);
    *first = 0;
    *capacity = full ? 2 * full : 16;
    return more;
}

bool tsr_frames_push(struct tsr_frames *frames, const struct tsr_frame *frame)
{
    if (frames->count == frames->capacity) {
        struct tsr_frame *more =
            larger_ring(frames->frame, sizeof *more, &frames->first, &frames->capacity);
        if (!more) {
            free(frame->bytes);
            return false;
        }
        frames->frame = more;
    }
    frames->frame[(frames->first + frames->count++) % frames->capacity] = *frame;
    return true;
}

struct tsr_frame tsr_frames_pop(struct tsr_frames *frames)
{
    struct tsr_frame frame = frames->frame[frames->first];
    frames->first = (frames->first + 1) % frames->capacity;
    frames->count--;
    return frame;
}

void tsr_overlay_pieces_drop(struct tsr_ethernet_queues *queues)
{
    free(queues->overlay.piece);
    queues->overlay = (struct tsr_overlay_pieces){0};
}

void tsr_frames_drop(struct tsr_frames *frames)
{
    while (frames->count > 0)
        free(tsr_frames_pop(frames).bytes);
    free(frames->frame);
    *frames = (struct tsr_frames){0};
}

static uint64_t wire_cycles(const struct tsr_ethernet_layout *layout, uint32_t size)
{
    enum { BITS = 8, MEGABITS = 1000 };
    const uint16_t *fact = layout->fact;
    uint64_t bits = (uint64_t)(size + fact[QUEUE_WIRE_BYTES]) * BITS * fact[QUEUE_MEGAHERTZ];
    uint64_t rate = (uint64_t)fact[QUEUE_GIGABITS] * MEGABITS;
    return (bits + rate - 1) / rate;
}

// The sequence number that the own RX queue expects next goes with every TT-link packet.
static void put_tt_header(const struct tsr_ethernet_queues *queues, unsigned queue,
                          const struct tsr_tt_packet *packet, uint8_t bytes[TSR_TT_HEADER])
{
    const struct tsr_tt_header header = {
        .kind = packet->kind,
        .sequence = packet->sequence,
        .expects = (uint8_t)queues->rx[queue].word[ETH_RXQ_LOCAL_RX_SEQ_NUM],
        .drop_notice = packet->kind == TT_UPDATE && queues->tx[queue].drop_notice,
        .address = packet->to,
        .data = packet->kind == TT_MMIO_WRITE ? packet->data : packet->size,
        .message = packet->message};
    tsr_tt_header_put(&header, bytes);
}

// What L1 does not have reads as zeros.
static void read_l1(const struct tsr_ethernet_queues *queues, uint32_t from, uint8_t *to,
                    uint32_t size)
{
    uint64_t end = queues->l1->size;
    uint32_t there = from >= end ? 0 : size <= end - from ? size : (uint32_t)(end - from);
    tsr_sparse_read(queues->l1, there > 0 ? from : 0, to, there);
    memset(to + there, 0, size - there);
}

static enum tsr_header_use header_use(const struct tsr_tt_packet *packet)
{
    if (!packet)
        return TSR_HEADER_RAW;
    if (packet->of_stream)
        return (enum tsr_header_use)(TSR_HEADER_STREAM + packet->stream);
    return packet->kind == TT_L1_WRITE     ? TSR_HEADER_DATA
           : packet->kind == TT_MMIO_WRITE ? TSR_HEADER_MMIO
                                           : TSR_HEADER_UPDATE;
}

// A frame with a TT-link packet, or (NULL) with a raw one, whose body is read now. The cycle in
// which it has left.
static uint64_t emit(struct tsr_ethernet_queues *queues, unsigned queue,
                     const struct tsr_tt_packet *packet, uint32_t from, uint32_t size, uint64_t now)
{
    struct tsr_frame frame = {.starts = now, .leaves = now, .queue = (uint8_t)queue};
    uint32_t tt = packet ? TSR_TT_HEADER : 0;
    bool has_body = !packet || packet->kind == TT_L1_WRITE || packet->kind == TT_OVERLAY;
    uint32_t body = has_body ? size : 0;
    frame.bytes = malloc(TSR_HEADERS_MAX + tt + body);
    if (!frame.bytes)
        return now;
    enum tsr_header_use use = header_use(packet);
    uint32_t at = tsr_ethernet_header_size(queues, queue, use);
    if (packet)
        put_tt_header(queues, queue, packet, frame.bytes + at);
    read_l1(queues, from, frame.bytes + at + tt, body);
    frame.size = at + tt + body;
    tsr_ethernet_header_put(queues, queue, use, frame.bytes, frame.size);
    if (queues->timing) {
        if (frame.starts < queues->link_free)
            frame.starts = queues->link_free;
        frame.leaves = frame.starts + wire_cycles(queues->layout, frame.size);
        queues->link_free = frame.leaves;
    }
    frame.quiet = packet && packet->kind == TT_UPDATE && queues->tx[queue].count == 0;
    if (packet) {
        queues->tx[queue].last = frame.leaves;
        queues->tx[queue].drop_notice &= packet->kind != TT_UPDATE;
    }
    return tsr_frames_push(&queues->out, &frame) ? frame.leaves : now;
}

static void count_frames(struct tsr_ethernet_queues *queues, uint64_t now)
{
    struct tsr_frames *out = &queues->out;
    for (unsigned i = 0; i < out->count; i++) {
        struct tsr_frame *frame = &out->frame[(out->first + i) % out->capacity];
        uint32_t *word = queues->tx[frame->queue].word;
        uint32_t unit = queues->layout->fact[QUEUE_WORD_BYTES];
        if (frame->starts > now)
            return;
        word[ETH_TXQ_PKT_START_CNT] += !frame->started;
        frame->started = true;
        if (frame->leaves > now)
            return;
        if (!frame->ended) {
            word[ETH_TXQ_PKT_END_CNT]++;
            word[ETH_TXQ_WORD_CNT] += (frame->size + unit - 1) / unit;
        }
        frame->ended = true;
    }
}

// ---------------------------------------------------------------- commands

static void send_tt(struct tsr_ethernet_queues *queues, unsigned queue,
                    struct tsr_tt_packet *packet, uint64_t now)
{
    packet->sent = emit(queues, queue, packet, packet->from, packet->size, now);
}

static struct tsr_tt_packet *kept(struct tsr_tx_queue *tx, unsigned i)
{
    return &tx->packet[(tx->first + i) % TSR_TT_PACKETS];
}

// The next packet of the command that is held. The cycle in which it has left.
static uint64_t make_packet(struct tsr_ethernet_queues *queues, unsigned queue, uint64_t now)
{
    struct tsr_tx_queue *tx = &queues->tx[queue];
    uint32_t most = tx->word[ETH_TXQ_MAX_PKT_SIZE_BYTES], size = tx->left;
    if (tx->command == ETH_TXQ_CMD_L1)
        most -= most % queues->layout->fact[QUEUE_ALIGNMENT];
    if (tx->command != ETH_TXQ_CMD_MMIO && most > 0 && size > most)
        size = most;
    uint64_t leaves = now;
    if (tx->command == ETH_TXQ_CMD_RAW) {
        leaves = emit(queues, queue, NULL, tx->from, size, now);
    } else {
        struct tsr_tt_packet *packet = kept(tx, tx->count++);
        *packet = (struct tsr_tt_packet){.kind = tx->command == ETH_TXQ_CMD_MMIO ? TT_MMIO_WRITE
                                                                                 : TT_L1_WRITE,
                                         .sequence = tx->next++,
                                         .from = tx->from,
                                         .to = tx->to,
                                         .size = size,
                                         .data = tx->data};
        send_tt(queues, queue, packet, now);
    }
    tx->from += size;
    tx->to += size;
    tx->left -= size;
    tx->made = tx->left == 0;
    return leaves;
}

static uint32_t largest_packet(const struct tsr_ethernet_queues *queues, unsigned queue)
{
    uint32_t align = queues->layout->fact[QUEUE_ALIGNMENT];
    uint32_t most = queues->tx[queue].word[ETH_TXQ_MAX_PKT_SIZE_BYTES];
    uint32_t room = TSR_FRAME_BYTES - TSR_HEADERS_MAX - TSR_TT_HEADER;
    most = most < room ? most : room;
    return most < align ? align : most - most % align;
}

// What the overlay wants to send, as far as there is room for packets.
static void send_pieces(struct tsr_ethernet_queues *queues, uint64_t now)
{
    struct tsr_tx_queue *tx = &queues->tx[TSR_OVERLAY_QUEUE];
    struct tsr_overlay_pieces *pieces = &queues->overlay;
    uint32_t most = largest_packet(queues, TSR_OVERLAY_QUEUE);
    while (pieces->count > 0 && !tx->paused &&
           tx->count < queues->layout->fact[QUEUE_UNACKNOWLEDGED]) {
        struct tsr_overlay_piece *piece = &pieces->piece[pieces->first];
        uint32_t size = piece->left < most ? piece->left : most;
        struct tsr_tt_packet *packet = kept(tx, tx->count++);
        *packet = (struct tsr_tt_packet){.kind = piece->word ? TT_MMIO_WRITE : TT_OVERLAY,
                                         .sequence = tx->next++,
                                         .of_stream = true,
                                         .stream = piece->stream,
                                         .from = piece->from,
                                         .to = piece->to,
                                         .size = size,
                                         .data = piece->data,
                                         .message = piece->message};
        packet->message.last &= size == piece->left;
        send_tt(queues, TSR_OVERLAY_QUEUE, packet, now);
        piece->message.first = false;
        piece->from += size;
        piece->to += size;
        piece->left -= size;
        if (piece->left > 0)
            continue;
        pieces->first = (pieces->first + 1) % pieces->capacity;
        pieces->count--;
    }
}

bool tsr_ethernet_send_piece(struct tsr_ethernet_queues *queues,
                             const struct tsr_overlay_piece *piece, uint64_t now)
{
    struct tsr_overlay_pieces *pieces = &queues->overlay;
    if (pieces->count == pieces->capacity) {
        struct tsr_overlay_piece *more =
            larger_ring(pieces->piece, sizeof *more, &pieces->first, &pieces->capacity);
        if (!more)
            return false;
        pieces->piece = more;
    }
    pieces->piece[(pieces->first + pieces->count++) % pieces->capacity] = *piece;
    send_pieces(queues, now);
    return true;
}

// Raw packets are held until they have been read, which is as fast as they leave; others until
// their metadata have been latched.
static void go_on(struct tsr_ethernet_queues *queues, unsigned queue, uint64_t now)
{
    struct tsr_tx_queue *tx = &queues->tx[queue];
    bool raw = tx->command == ETH_TXQ_CMD_RAW;
    unsigned room = queues->layout->fact[QUEUE_UNACKNOWLEDGED];
    while (tx->command && !tx->made && !tx->paused && (raw || tx->count < room)) {
        uint64_t leaves = make_packet(queues, queue, now);
        tx->latched = raw ? leaves : queues->timing ? now + queues->layout->fact[QUEUE_LATCH] : now;
    }
    if (tx->command && tx->made && tx->latched <= now) {
        tx->command = 0;
        tx->word[ETH_TXQ_TRANSFER_CNT]++;
    }
    if (queue == TSR_OVERLAY_QUEUE)
        send_pieces(queues, now);
}

void tsr_ethernet_command(struct tsr_ethernet_queues *queues, unsigned queue, unsigned command,
                          uint64_t now)
{
    struct tsr_tx_queue *tx = &queues->tx[queue];
    uint32_t align = command == ETH_TXQ_CMD_L1     ? queues->layout->fact[QUEUE_ALIGNMENT]
                     : command == ETH_TXQ_CMD_MMIO ? 4
                                                   : 1;
    uint32_t start = tx->word[ETH_TXQ_TRANSFER_START_ADDR];
    uint32_t size = tx->word[ETH_TXQ_TRANSFER_SIZE_BYTES], to = tx->word[ETH_TXQ_DEST_ADDR];
    tx->command = (uint8_t)command;
    tx->made = !queues->linked;
    tx->from = start - start % align;
    tx->to = to - to % align;
    tx->left = command == ETH_TXQ_CMD_MMIO ? 0 : size - size % align;
    tx->data = tx->word[ETH_TXQ_REMOTE_REG_DATA];
    tx->latched = now;
    go_on(queues, queue, now);
    count_frames(queues, now);
}

// ---------------------------------------------------------------- what time brings

// Receivers take packets in sequence only, so all of them go again. What nobody acknowledges after
// so many times stays where it is.
static void send_again(struct tsr_ethernet_queues *queues, unsigned queue, uint64_t now)
{
    struct tsr_tx_queue *tx = &queues->tx[queue];
    for (unsigned i = 0; i < tx->count; i++)
        send_tt(queues, queue, kept(tx, i), now);
    if (++tx->resends == TSR_RESENDS)
        tsr_ethernet_fault(queues, FINDING_ETHERNET_UNACKNOWLEDGED, queue,
                           "TX queue %u has sent TT-link packet %u %u times, and nobody has "
                           "acknowledged it.",
                           queue, kept(tx, 0)->sequence, TSR_RESENDS + 1);
}

static void send_update(struct tsr_ethernet_queues *queues, unsigned queue, uint64_t now)
{
    const struct tsr_tt_packet update = {.kind = TT_UPDATE, .sequence = queues->tx[queue].next};
    emit(queues, queue, &update, 0, 0, now);
}

static uint64_t again_at(const struct tsr_tx_queue *tx)
{
    uint32_t timeout = tx->word[ETH_TXQ_REMOTE_SEQ_TIMEOUT];
    bool waits = tx->count > 0 && timeout > 0 && tx->resends < TSR_RESENDS && !tx->paused;
    return waits ? tx->packet[tx->first].sent + timeout : UINT64_MAX;
}

static uint64_t update_at(const struct tsr_tx_queue *tx)
{
    uint32_t period = tx->word[ETH_TXQ_LOCAL_SEQ_UPDATE_TIMEOUT];
    bool updates = QUEUE_FIELD(tx->word[ETH_TXQ_CTRL], ETH_TXQ_CTRL_KEEPALIVE) && !tx->paused;
    return updates && period > 0 ? tx->last + period : UINT64_MAX;
}

// What is due by cycle `now`, of all queues in the order of time: they share the way out.
static void keep_time(struct tsr_ethernet_queues *queues, uint64_t now)
{
    unsigned count = queues->layout->fact[QUEUE_QUEUES];
    for (unsigned i = 0; i < count; i++) {
        const struct tsr_tx_queue *tx = &queues->tx[i];
        if (tx->drop_notice && !tx->paused &&
            QUEUE_FIELD(tx->word[ETH_TXQ_CTRL], ETH_TXQ_CTRL_KEEPALIVE))
            send_update(queues, i, tx->noticed);
    }
    for (;;) {
        uint64_t next = UINT64_MAX;
        unsigned queue = 0;
        for (unsigned i = 0; i < count; i++) {
            uint64_t again = again_at(&queues->tx[i]), update = update_at(&queues->tx[i]);
            uint64_t at = again < update ? again : update;
            queue = at < next ? i : queue;
            next = at < next ? at : next;
        }
        if (next > now)
            return;
        if (again_at(&queues->tx[queue]) == next)
            send_again(queues, queue, next);
        else
            send_update(queues, queue, next);
    }
}

void tsr_ethernet_update_from(struct tsr_ethernet_queues *queues, unsigned queue, uint64_t now)
{
    struct tsr_tx_queue *tx = &queues->tx[queue];
    uint32_t period = tx->word[ETH_TXQ_LOCAL_SEQ_UPDATE_TIMEOUT];
    if (tx->last + period < now)
        tx->last = now - period;
}

bool tsr_ethernet_advance(struct tsr_ethernet_queues *queues, uint64_t now)
{
    bool moved = false;
    if (queues->linked)
        keep_time(queues, now);
    for (unsigned i = 0; i < queues->layout->fact[QUEUE_QUEUES]; i++) {
        const struct tsr_tx_queue *tx = &queues->tx[i];
        bool held = tx->command != 0;
        uint32_t left = tx->left;
        go_on(queues, i, now);
        moved |= held && (!tx->command || tx->left != left);
    }
    count_frames(queues, now);
    return moved;
}

bool tsr_ethernet_moves(const struct tsr_ethernet_queues *queues, unsigned queue)
{
    const struct tsr_tx_queue *tx = &queues->tx[queue];
    bool room =
        tx->command == ETH_TXQ_CMD_RAW || tx->count < queues->layout->fact[QUEUE_UNACKNOWLEDGED];
    return tx->command && (tx->made || (room && !tx->paused));
}

uint64_t tsr_ethernet_counts_at(const struct tsr_ethernet_queues *queues)
{
    for (unsigned i = 0; i < queues->layout->fact[QUEUE_QUEUES]; i++) {
        const struct tsr_tx_queue *tx = &queues->tx[i];
        bool tells = tx->drop_notice && QUEUE_FIELD(tx->word[ETH_TXQ_CTRL], ETH_TXQ_CTRL_KEEPALIVE);
        if (tsr_ethernet_moves(queues, i) || tx->count > 0 || tells)
            return 0;
    }
    for (unsigned i = 0; i < queues->out.count; i++)
        if (!queues->out.frame[(queues->out.first + i) % queues->out.capacity].ended)
            return 0;
    return tsr_ethernet_next_update(queues);
}

uint64_t tsr_ethernet_next_update(const struct tsr_ethernet_queues *queues)
{
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; queues->linked && i < queues->layout->fact[QUEUE_QUEUES]; i++) {
        uint64_t at = update_at(&queues->tx[i]);
        next = at < next ? at : next;
    }
    return next;
}

void tsr_ethernet_acknowledge(struct tsr_ethernet_queues *queues, unsigned queue, uint8_t expects,
                              bool dropped, uint64_t now)
{
    struct tsr_tx_queue *tx = &queues->tx[queue];
    while (tx->count > 0) {
        uint8_t ahead = (uint8_t)(expects - kept(tx, 0)->sequence);
        if (ahead == 0 || ahead > TSR_TT_PACKETS)
            break;
        if (kept(tx, 0)->kind == TT_OVERLAY && kept(tx, 0)->message.last)
            queues->read_messages[kept(tx, 0)->stream % TSR_LINK_STREAMS]++;
        tx->first = (tx->first + 1) % TSR_TT_PACKETS;
        tx->count--;
        tx->resends = 0;
    }
    bool timeouts_only = QUEUE_FIELD(tx->word[ETH_TXQ_CTRL], ETH_TXQ_CTRL_DIS_DROP);
    if (dropped && !timeouts_only && tx->count > 0 && kept(tx, 0)->sequence == expects)
        send_again(queues, queue, now);
    go_on(queues, queue, now);
}

bool tsr_ethernet_sends(const struct tsr_ethernet_queues *queues)
{
    for (unsigned i = 0; i < queues->layout->fact[QUEUE_QUEUES]; i++) {
        const struct tsr_tx_queue *tx = &queues->tx[i];
        bool waits = tx->command && (tx->made || tx->count == 0);
        waits |= i == TSR_OVERLAY_QUEUE && queues->overlay.count > 0 && tx->count == 0;
        bool again = tx->count > 0 && tx->word[ETH_TXQ_REMOTE_SEQ_TIMEOUT] > 0;
        if (!tx->paused && (waits || (again && tx->resends < TSR_RESENDS)))
            return true;
    }
    for (unsigned i = 0; i < queues->out.count; i++)
        if (!queues->out.frame[(queues->out.first + i) % queues->out.capacity].quiet)
            return true;
    return false;
}
