// SPDX-License-Identifier: Apache-2.0
// Where the registers of an Ethernet tile's queues are and what their bits mean, as the rows of
// machine/ethernet_queues.def have it. Page: EthernetTile/EthernetTxRx.md of each chip.
#ifndef TESSERA_CHIP_ETHERNET_LAYOUT_H
#define TESSERA_CHIP_ETHERNET_LAYOUT_H

#include "base/bits.h"

#include <tessera/tessera.h>

enum tsr_queue_way { TSR_QUEUE_TX, TSR_QUEUE_RX, TSR_QUEUE_WAYS };
enum { TSR_QUEUE_REGISTERS = 24 }; // at most, each way
enum tsr_queue_fact_most {         // of the chips
#define QUEUE_FACT(name, wh, bh, source) QUEUE_MOST_##name = (wh) > (bh) ? (wh) : (bh),
#include "machine/ethernet_queues.def"
    TSR_ETHERNET_QUEUES = QUEUE_MOST_QUEUES // each way
};

enum tsr_txq_register {
#define TXQ(name, wh, bh, rule, wh_keeps, bh_keeps, wh_zero, bh_zero) name,
#include "machine/ethernet_queues.def"
    TSR_TXQ_COUNT
};
enum tsr_rxq_register {
#define RXQ(name, wh, bh, rule, wh_keeps, bh_keeps, wh_zero, bh_zero) name,
#include "machine/ethernet_queues.def"
    TSR_RXQ_COUNT
};
enum tsr_queue_bits {
#define QUEUE_BITS(name, first, width) name##_FIRST = first, name##_WIDTH = width,
#include "machine/ethernet_queues.def"
};
#define QUEUE_FIELD(word, name) ((word) >> name##_FIRST & tsr_mask32(name##_WIDTH))

enum tsr_queue_fact {
#define QUEUE_FACT(name, wh, bh, source) QUEUE_##name,
#include "machine/ethernet_queues.def"
    TSR_QUEUE_FACTS
};

enum tsr_queue_rule { QUEUE_KEPT, QUEUE_COUNTER, QUEUE_READ_ONLY, QUEUE_COMMAND, QUEUE_STATUS };

struct tsr_queue_register {
    const char *name;
    uint16_t offset[TSR_ARCH_COUNT];
    uint8_t rule; // enum tsr_queue_rule
    uint32_t keeps[TSR_ARCH_COUNT], zero[TSR_ARCH_COUNT];
};

struct tsr_ethernet_layout {
    uint16_t fact[TSR_QUEUE_FACTS];
    uint32_t base[TSR_QUEUE_WAYS]; // of queue 0
};

const struct tsr_ethernet_layout *tsr_ethernet_layout(tsr_arch arch);
// The register at the address, its queue and its row's number; NULL: none.
const struct tsr_queue_register *tsr_queue_register_at(tsr_arch arch, uint32_t address,
                                                       enum tsr_queue_way *way, unsigned *queue,
                                                       unsigned *number);
// What firmware has left in the registers of all queues of a tile.
void tsr_queue_firmware(tsr_arch arch, uint32_t tx[][TSR_QUEUE_REGISTERS],
                        uint32_t rx[][TSR_QUEUE_REGISTERS]);

#endif
