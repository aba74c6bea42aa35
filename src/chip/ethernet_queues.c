// SPDX-License-Identifier: Apache-2.0
// What loads and stores of the queues' registers do, and what is wrong with a command.
// Page: EthernetTile/EthernetTxRx.md of each chip.
#include "chip/ethernet_queues.h"

#include "chip/chip_findings.h"
#include "chip/ethernet_header.h"
#include "chip/ethernet_send.h"

#include <stdlib.h>

// ---------------------------------------------------------------- making them

static struct tsr_ethernet_queues **place(struct tsr_node *node)
{
    return &node->chip->queues[node->info.unit];
}

static void firmware(struct tsr_ethernet_queues *queues)
{
    uint32_t tx[TSR_ETHERNET_QUEUES][TSR_QUEUE_REGISTERS] = {{0}};
    uint32_t rx[TSR_ETHERNET_QUEUES][TSR_QUEUE_REGISTERS] = {{0}};
    tsr_queue_firmware(queues->arch, tx, rx);
    for (unsigned i = 0; i < TSR_ETHERNET_QUEUES; i++)
        for (unsigned k = 0; k < TSR_QUEUE_REGISTERS; k++) {
            queues->tx[i].word[k] = tx[i][k];
            queues->rx[i].word[k] = rx[i][k];
        }
    tsr_frame_words_reset(&queues->frames);
}

struct tsr_ethernet_queues *tsr_ethernet_queues_of(struct tsr_node *node)
{
    if (node->info.kind != TSR_NODE_ETHERNET)
        return NULL;
    struct tsr_ethernet_queues *queues = *place(node);
    if (queues)
        return queues;
    queues = calloc(1, sizeof *queues);
    if (!queues)
        return NULL;
    queues->arch = node->chip->options.tile.arch;
    queues->layout = tsr_ethernet_layout(queues->arch);
    queues->timing = node->chip->options.tile.timing;
    queues->l1 = node->memory;
    queues->linked = node->chip->link[node->info.unit].chip != NULL;
    firmware(queues);
    *place(node) = queues;
    atomic_store_explicit(&node->chip->queues_made, true, memory_order_relaxed);
    return queues;
}

void tsr_ethernet_queues_free(struct tsr_node *node)
{
    struct tsr_ethernet_queues *queues = *place(node);
    if (!queues)
        return;
    tsr_frames_drop(&queues->out);
    tsr_frames_drop(&queues->in);
    tsr_overlay_pieces_drop(queues);
    free(queues);
    *place(node) = NULL;
}

void tsr_ethernet_report(struct tsr_node *node)
{
    struct tsr_ethernet_queues *queues = *place(node);
    for (unsigned i = 0; queues && i < queues->faults; i++)
        tsr_chip_report(node->chip, node, queues->fault[i].code, queues->fault[i].address, "%s",
                        queues->fault[i].sentence);
    if (queues)
        queues->faults = 0;
}

// ---------------------------------------------------------------- commands

// False: nothing is sent.
static bool size_holds(struct tsr_ethernet_queues *queues, unsigned queue, unsigned command)
{
    const uint32_t *word = queues->tx[queue].word;
    uint32_t start = word[ETH_TXQ_TRANSFER_START_ADDR], size = word[ETH_TXQ_TRANSFER_SIZE_BYTES];
    uint32_t most = word[ETH_TXQ_MAX_PKT_SIZE_BYTES];
    uint32_t least = command == ETH_TXQ_CMD_L1 ? queues->layout->fact[QUEUE_ALIGNMENT] : 1;
    if (size < least) {
        tsr_ethernet_fault(queues, FINDING_ETHERNET_SIZE, ETH_TXQ_TRANSFER_SIZE_BYTES,
                           "TX queue %u is to send %u bytes.", queue, (unsigned)size);
        return false;
    }
    if (start > queues->l1->size || size > queues->l1->size - start) {
        tsr_ethernet_fault(queues, FINDING_ETHERNET_SIZE, ETH_TXQ_TRANSFER_START_ADDR,
                           "TX queue %u is to send %u bytes from 0x%x on, and L1 ends at 0x%x.",
                           queue, (unsigned)size, (unsigned)start, (unsigned)queues->l1->size);
        return false;
    }
    uint32_t packet = size < most ? size : most;
    if (most < least || packet > TSR_FRAME_BYTES - TSR_HEADERS_MAX - TSR_TT_HEADER) {
        tsr_ethernet_fault(queues, FINDING_ETHERNET_SIZE, ETH_TXQ_MAX_PKT_SIZE_BYTES,
                           "TX queue %u is to send %u bytes in packets of at most %u bytes.", queue,
                           (unsigned)size, (unsigned)most);
        return false;
    }
    return true;
}

static void check_alignment(struct tsr_ethernet_queues *queues, unsigned queue, unsigned command)
{
    const uint32_t *word = queues->tx[queue].word;
    uint32_t align = command == ETH_TXQ_CMD_L1 ? queues->layout->fact[QUEUE_ALIGNMENT] : 4;
    uint32_t all = word[ETH_TXQ_DEST_ADDR];
    if (command == ETH_TXQ_CMD_L1)
        all |= word[ETH_TXQ_TRANSFER_START_ADDR] | word[ETH_TXQ_TRANSFER_SIZE_BYTES];
    if (all % align != 0)
        tsr_ethernet_fault(queues, FINDING_ETHERNET_ALIGNMENT, ETH_TXQ_DEST_ADDR,
                           "TX queue %u sends 0x%x bytes from 0x%x to 0x%x, of which not all are "
                           "multiples of %u.",
                           queue, (unsigned)word[ETH_TXQ_TRANSFER_SIZE_BYTES],
                           (unsigned)word[ETH_TXQ_TRANSFER_START_ADDR],
                           (unsigned)word[ETH_TXQ_DEST_ADDR], (unsigned)align);
}

static void check_mode(struct tsr_ethernet_queues *queues, unsigned queue, bool tt)
{
    uint32_t control = queues->tx[queue].word[ETH_TXQ_CTRL];
    bool keeps = QUEUE_FIELD(control, ETH_TXQ_CTRL_KEEPALIVE);
    bool drops = queues->arch == TSR_WORMHOLE_B0 && !QUEUE_FIELD(control, ETH_TXQ_CTRL_DIS_DROP);
    if (tt != keeps || (tt && drops))
        tsr_ethernet_fault(queues, FINDING_ETHERNET_MODE, ETH_TXQ_CTRL,
                           "TX queue %u sends a %s packet, and its ETH_TXQ_CTRL is 0x%x.", queue,
                           tt ? "TT-link" : "raw", (unsigned)control);
}

static void check_header(struct tsr_ethernet_queues *queues, unsigned queue,
                         enum tsr_header_use use)
{
    static const char *const says[] = {[HEADER_MISSING] = "is not there",
                                       [HEADER_RESERVED] = "has a reserved type or length",
                                       [HEADER_UNIMPLEMENTED] = "wants an RoCE iCRC"};
    enum tsr_header_fault fault = tsr_ethernet_header_check(queues, queue, use);
    if (fault != HEADER_FITS)
        tsr_ethernet_fault(
            queues,
            fault == HEADER_UNIMPLEMENTED ? FINDING_UNIMPLEMENTED_MODE : FINDING_ETHERNET_HEADER,
            FRAME_INSERT_CTL + (unsigned)use,
            "The entry of the header table that TX queue %u uses (0x%x) %s.", queue,
            (unsigned)queues->tx[queue].word[use >= TSR_HEADER_STREAM ? ETH_TXQ_TXPKT_CFG_SEL_OVL
                                                                      : ETH_TXQ_TXPKT_CFG_SEL_SW],
            says[fault]);
}

static void take_command(struct tsr_ethernet_queues *queues, unsigned queue, uint32_t command,
                         uint64_t now)
{
    const struct tsr_tx_queue *tx = &queues->tx[queue];
    if (command == 0)
        return;
    if (command != ETH_TXQ_CMD_RAW && command != ETH_TXQ_CMD_L1 && command != ETH_TXQ_CMD_MMIO) {
        tsr_ethernet_fault(queues, FINDING_ETHERNET_COMMAND, ETH_TXQ_CMD,
                           "ETH_TXQ_CMD of TX queue %u got 0x%x, which is none of 1, 2 and 4.",
                           queue, (unsigned)command);
        return;
    }
    if (tx->command) {
        tsr_ethernet_fault(queues, FINDING_ETHERNET_COMMAND, ETH_TXQ_CMD + 1,
                           "TX queue %u got command %u, and command %u is still held.", queue,
                           (unsigned)command, tx->command);
        return;
    }
    if (command == ETH_TXQ_CMD_MMIO && queue >= queues->layout->fact[QUEUE_MMIO_QUEUES]) {
        tsr_ethernet_fault(queues, FINDING_ETHERNET_QUEUE, queue,
                           "TX queue %u has no MMIO write packets.", queue);
        return;
    }
    if (command != ETH_TXQ_CMD_MMIO && !size_holds(queues, queue, command))
        return;
    if (command != ETH_TXQ_CMD_RAW)
        check_alignment(queues, queue, command);
    check_mode(queues, queue, command != ETH_TXQ_CMD_RAW);
    check_header(queues, queue,
                 command == ETH_TXQ_CMD_RAW    ? TSR_HEADER_RAW
                 : command == ETH_TXQ_CMD_MMIO ? TSR_HEADER_MMIO
                                               : TSR_HEADER_DATA);
    if (!queues->linked)
        tsr_ethernet_fault(queues, FINDING_ETHERNET_LINK, queue,
                           "TX queue %u is to send, and the tile has no link.", queue);
    tsr_ethernet_command(queues, queue, command, now);
}

bool tsr_ethernet_queue_overlay(struct tsr_node *node, const struct tsr_overlay_piece *piece)
{
    struct tsr_ethernet_queues *queues = tsr_ethernet_queues_of(node);
    if (queues && !queues->linked)
        tsr_ethernet_fault(queues, FINDING_ETHERNET_LINK, TSR_ETHERNET_QUEUES,
                           "Stream %u of the NoC overlay is to send, and the tile has no link.",
                           piece->stream);
    if (!queues || !queues->linked)
        return false;
    check_mode(queues, TSR_OVERLAY_QUEUE, true);
    check_header(queues, TSR_OVERLAY_QUEUE,
                 (enum tsr_header_use)(TSR_HEADER_STREAM + piece->stream));
    return tsr_ethernet_send_piece(queues, piece, node->chip->now);
}

// ---------------------------------------------------------------- registers

struct found {
    const struct tsr_queue_register *row; // NULL: it is a word of the header table or classifier
    enum tsr_queue_way way;
    unsigned queue, number;
};

// Blackhole's header table and classifier.
static bool has_frame_words(const struct tsr_node *node)
{
    return node->info.kind == TSR_NODE_ETHERNET &&
           node->chip->options.tile.arch == TSR_BLACKHOLE_A0;
}

static bool find(const struct tsr_node *node, uint32_t address, struct found *found)
{
    if (node->info.kind != TSR_NODE_ETHERNET)
        return false;
    found->row = tsr_queue_register_at(node->chip->options.tile.arch, address, &found->way,
                                       &found->queue, &found->number);
    return found->row || (has_frame_words(node) && tsr_frame_word_at(address));
}

static uint32_t *word_of(struct tsr_ethernet_queues *queues, const struct found *found)
{
    return found->way == TSR_QUEUE_TX ? &queues->tx[found->queue].word[found->number]
                                      : &queues->rx[found->queue].word[found->number];
}

tsr_status tsr_ethernet_queue_load(struct tsr_node *node, uint32_t address, uint32_t *value,
                                   uint64_t now)
{
    struct found found = {0};
    if (!find(node, address, &found))
        return TSR_UNMAPPED;
    struct tsr_ethernet_queues *queues = tsr_ethernet_queues_of(node);
    if (!queues)
        return TSR_NO_MEMORY;
    if (!found.row) {
        *value = tsr_frame_words_load(&queues->frames, address);
        return TSR_OK;
    }
    tsr_ethernet_advance(queues, now);
    bool held = found.way == TSR_QUEUE_TX && queues->tx[found.queue].command != 0;
    if (found.row->rule == QUEUE_COMMAND)
        *value = queues->arch == TSR_WORMHOLE_B0 ? held : 0;
    else if (found.row->rule == QUEUE_STATUS)
        *value = (uint32_t)held << ETH_TXQ_STATUS_CMD_ONGOING_BIT_FIRST;
    else
        *value = *word_of(queues, &found);
    return TSR_OK;
}

static uint64_t quiet_until(const struct tsr_ethernet_queues *queues, const struct found *found)
{
    if (found->way == TSR_QUEUE_RX || found->row->rule == QUEUE_KEPT)
        return UINT64_MAX;
    if (found->row->rule == QUEUE_COUNTER && found->number != ETH_TXQ_TRANSFER_CNT)
        return tsr_ethernet_counts_at(queues);
    return tsr_ethernet_moves(queues, found->queue) ? 0 : UINT64_MAX;
}

bool tsr_ethernet_queue_quiet(const struct tsr_node *node, uint32_t address, uint64_t *until)
{
    struct found found = {0};
    const struct tsr_ethernet_queues *queues = node->chip->queues[node->info.unit];
    if (!find(node, address, &found))
        return false;
    *until = found.row && queues ? quiet_until(queues, &found) : UINT64_MAX;
    return true;
}

static bool belongs_to_command(const struct found *found)
{
    if (found->way != TSR_QUEUE_TX)
        return false;
    return found->number == ETH_TXQ_TRANSFER_START_ADDR ||
           found->number == ETH_TXQ_TRANSFER_SIZE_BYTES || found->number == ETH_TXQ_DEST_ADDR ||
           found->number == ETH_TXQ_REMOTE_REG_DATA || found->number == ETH_TXQ_TXPKT_CFG_SEL_SW;
}

tsr_status tsr_ethernet_queue_store(struct tsr_node *node, uint32_t address, uint32_t value,
                                    uint64_t now)
{
    struct found found = {0};
    if (!find(node, address, &found))
        return TSR_UNMAPPED;
    struct tsr_ethernet_queues *queues = tsr_ethernet_queues_of(node);
    if (!queues)
        return TSR_NO_MEMORY;
    tsr_ethernet_advance(queues, now);
    if (!found.row) {
        tsr_frame_words_store(&queues->frames, address, value);
        return TSR_OK;
    }
    if (found.row->rule == QUEUE_COMMAND) {
        take_command(queues, found.queue, value, now);
        return TSR_OK;
    }
    if (value & found.row->zero[queues->arch])
        tsr_ethernet_fault(queues, FINDING_ETHERNET_RESERVED, address,
                           "%s of queue %u gets 0x%x, of which 0x%x should be zero.",
                           found.row->name, found.queue, (unsigned)value,
                           (unsigned)(value & found.row->zero[queues->arch]));
    uint32_t *word = word_of(queues, &found);
    value &= found.row->keeps[queues->arch];
    if (belongs_to_command(&found) && queues->tx[found.queue].command && *word != value)
        tsr_ethernet_fault(queues, FINDING_ETHERNET_HELD, address,
                           "%s of TX queue %u changes while command %u is held.", found.row->name,
                           found.queue, queues->tx[found.queue].command);
    if (found.row->keeps[queues->arch] != 0)
        *word = value;
    if (found.way == TSR_QUEUE_TX &&
        (found.number == ETH_TXQ_CTRL || found.number == ETH_TXQ_LOCAL_SEQ_UPDATE_TIMEOUT))
        tsr_ethernet_update_from(queues, found.queue, now);
    tsr_ethernet_advance(queues, now);
    return TSR_OK;
}
