// SPDX-License-Identifier: Apache-2.0
// The tables of ethernet_layout.h. Page: EthernetTile/EthernetTxRx.md of each chip.
#include "chip/ethernet_layout.h"

static const struct tsr_ethernet_layout wormhole_b0 = {
    .fact =
        {
#define QUEUE_FACT(name, wh, bh, source) [QUEUE_##name] = (wh),
#include "machine/ethernet_queues.def"
        },
    .base =
        {
#define QUEUE_BASE(way, wh, bh) [TSR_QUEUE_##way] = (wh),
#include "machine/ethernet_queues.def"
        },
};

static const struct tsr_ethernet_layout blackhole_a0 = {
    .fact =
        {
#define QUEUE_FACT(name, wh, bh, source) [QUEUE_##name] = (bh),
#include "machine/ethernet_queues.def"
        },
    .base =
        {
#define QUEUE_BASE(way, wh, bh) [TSR_QUEUE_##way] = (bh),
#include "machine/ethernet_queues.def"
        },
};

static const struct tsr_queue_register txq[] = {
#define QUEUE_ROW(name, wh, bh, rule, wh_keeps, bh_keeps, wh_zero, bh_zero)                        \
    {#name, {wh, bh}, QUEUE_##rule, {wh_keeps, bh_keeps}, {wh_zero, bh_zero}},
#define TXQ QUEUE_ROW
#include "machine/ethernet_queues.def"
};
static const struct tsr_queue_register rxq[] = {
#define RXQ QUEUE_ROW
#include "machine/ethernet_queues.def"
};

static const struct first {
    uint8_t arch, way, queue, number;
    uint32_t value;
} first_of[] = {
#define QUEUE_FIRST(chip, way, queue, name, value)                                                 \
    {TSR_##chip, TSR_QUEUE_##way, queue, name, value},
#include "machine/ethernet_queues.def"
};

_Static_assert((int)TSR_TXQ_COUNT <= TSR_QUEUE_REGISTERS, "registers of a TX queue");
_Static_assert((int)TSR_RXQ_COUNT <= TSR_QUEUE_REGISTERS, "registers of an RX queue");

const struct tsr_ethernet_layout *tsr_ethernet_layout(tsr_arch arch)
{
    return arch == TSR_WORMHOLE_B0 ? &wormhole_b0 : &blackhole_a0;
}

const struct tsr_queue_register *tsr_queue_register_at(tsr_arch arch, uint32_t address,
                                                       enum tsr_queue_way *way, unsigned *queue,
                                                       unsigned *number)
{
    const struct tsr_ethernet_layout *layout = tsr_ethernet_layout(arch);
    for (int i = 0; i < TSR_QUEUE_WAYS; i++) {
        uint32_t at = address - layout->base[i];
        uint32_t step = layout->fact[QUEUE_STEP];
        if (at >= step * layout->fact[QUEUE_QUEUES])
            continue;
        *way = (enum tsr_queue_way)i;
        *queue = at / step;
        const struct tsr_queue_register *row = i == TSR_QUEUE_TX ? txq : rxq;
        unsigned count = i == TSR_QUEUE_TX ? TSR_TXQ_COUNT : TSR_RXQ_COUNT;
        for (*number = 0; *number < count; ++*number)
            if (row[*number].offset[arch] == at % step)
                return &row[*number];
    }
    return NULL;
}

void tsr_queue_firmware(tsr_arch arch, uint32_t tx[][TSR_QUEUE_REGISTERS],
                        uint32_t rx[][TSR_QUEUE_REGISTERS])
{
    for (size_t i = 0; i < sizeof first_of / sizeof *first_of; i++)
        if (first_of[i].arch == arch)
            (first_of[i].way == TSR_QUEUE_TX ? tx : rx)[first_of[i].queue][first_of[i].number] =
                first_of[i].value;
}
