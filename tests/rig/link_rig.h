// SPDX-License-Identifier: Apache-2.0
// Two chips with a link, and their queues' registers by name, as a host reaches them.
// Page: EthernetTile/EthernetTxRx.md of each chip.
#ifndef TESSERA_TESTS_RIG_LINK_RIG_H
#define TESSERA_TESTS_RIG_LINK_RIG_H

#include "rig/each_chip.h"

#include <tessera/chip.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RAW = 1, L1_WRITE = 2, MMIO_WRITE = 4 };
enum { WINDOW = 64 };
// Offsets that both chips have; pages name them.
enum {
    TX_CTRL = 0x00,
    TX_CMD = 0x04,
    TX_STATUS = 0x08, // Blackhole
    TX_MAX = 0x0c,
    TX_START = 0x14,
    TX_SIZE = 0x18,
    TX_DEST = 0x1c,
    TX_TRANSFERS = 0x30,
    TX_STARTED = 0x34,
    TX_ENDED = 0x3c,
    TX_WORDS = 0x40,
    TX_DATA = 0x44,
    TX_TIMEOUT = 0x48,
    TX_UPDATE = 0x4c,
    RX_CTRL = 0x00,
    RX_BYTES = 0x04, // Blackhole
    RX_PTR = 0x08,
    RX_START = 0x0c,
    RX_SIZE = 0x10,
    RX_WORDS = 0x14,
    RX_HDR = 0x18, // Blackhole
    RX_ENDED = 0x28,
    RX_EXPECTS = 0x40,
    RX_ACKNOWLEDGED = 0x44,
    RX_DROPS = 0x4c
};
enum { KEEPALIVE = 1, USE_TYPE = 4, DIS_DROP = 8, PACKET_MODE = 2, WRAP = 4, BACK_PRESSURE = 8 };

// The end of a link.
struct end {
    tsr_chip *chip;
    unsigned tile, x, y;
};

static inline struct end end_of(tsr_chip *chip, unsigned tile)
{
    tsr_arch arch = tsr_chip_arch(chip);
    struct end end = {.chip = chip, .tile = tile};
    for (unsigned y = 0; y < tsr_grid_rows(arch); y++)
        for (unsigned x = 0; x < tsr_grid_columns(arch); x++) {
            tsr_node_info info;
            assert_int_equal(tsr_node_at(arch, x, y, &info), TSR_OK);
            if (info.kind == TSR_NODE_ETHERNET && info.unit == tile) {
                end.x = x;
                end.y = y;
                return end;
            }
        }
    fail();
    return end;
}

static inline tsr_chip *chip_made(int arch, bool timing)
{
    tsr_chip_options options = tsr_chip_options_default((tsr_arch)arch);
    options.tile.timing = timing;
    tsr_chip *chip = NULL;
    assert_int_equal(tsr_chip_create(&options, &chip), TSR_OK);
    return chip;
}

static inline uint32_t load(struct end end, uint32_t address)
{
    uint32_t value = 0;
    assert_int_equal(tsr_chip_read(end.chip, end.x, end.y, address, &value, 4), TSR_OK);
    return value;
}

static inline void store(struct end end, uint32_t address, uint32_t value)
{
    assert_int_equal(tsr_chip_write(end.chip, end.x, end.y, address, &value, 4), TSR_OK);
}

static inline uint32_t tx_at(unsigned queue, uint32_t offset)
{
    return 0xffb90000u + queue * 0x1000 + offset;
}

static inline uint32_t rx_at(struct end end, unsigned queue, uint32_t offset)
{
    bool bh = tsr_chip_arch(end.chip) == TSR_BLACKHOLE_A0;
    return (bh ? 0xffb94000u : 0xffb92000u) + queue * 0x1000 + offset;
}

static inline uint32_t tx(struct end end, unsigned queue, uint32_t offset)
{
    return load(end, tx_at(queue, offset));
}

static inline uint32_t rx(struct end end, unsigned queue, uint32_t offset)
{
    return load(end, rx_at(end, queue, offset));
}

// Whether the queue still holds a command.
static inline bool held(struct end end, unsigned queue)
{
    bool bh = tsr_chip_arch(end.chip) == TSR_BLACKHOLE_A0;
    return bh ? tx(end, queue, TX_STATUS) >> 16 & 1 : tx(end, queue, TX_CMD) != 0;
}

static inline void send(struct end end, unsigned queue, uint32_t command, uint32_t from,
                        uint32_t size, uint32_t to)
{
    store(end, tx_at(queue, TX_START), from);
    store(end, tx_at(queue, TX_SIZE), size);
    store(end, tx_at(queue, TX_DEST), to);
    store(end, tx_at(queue, TX_CMD), command);
}

static inline void send_mmio(struct end end, unsigned queue, uint32_t to, uint32_t data)
{
    store(end, tx_at(queue, TX_DEST), to);
    store(end, tx_at(queue, TX_DATA), data);
    store(end, tx_at(queue, TX_CMD), MMIO_WRITE);
}

// Bytes that say where they stand.
static inline void fill(struct end end, uint32_t at, uint32_t size, unsigned seed)
{
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    for (uint32_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(seed + i * 7 + (i >> 8));
    assert_int_equal(tsr_chip_write(end.chip, end.x, end.y, at, bytes, size), TSR_OK);
    free(bytes);
}

static inline bool filled(struct end end, uint32_t at, uint32_t size, unsigned seed)
{
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(tsr_chip_read(end.chip, end.x, end.y, at, bytes, size), TSR_OK);
    bool same = true;
    for (uint32_t i = 0; i < size; i++)
        same &= bytes[i] == (uint8_t)(seed + i * 7 + (i >> 8));
    free(bytes);
    return same;
}

static inline int findings(tsr_chip *chip, const char *code)
{
    int count = 0;
    for (int i = 0; i < tsr_chip_finding_count(chip); i++) {
        tsr_chip_finding finding;
        assert_int_equal(tsr_chip_finding_at(chip, i, &finding), TSR_OK);
        count += strcmp(finding.diagnostic->code, code) == 0;
    }
    return count;
}

static inline void no_findings(tsr_chip *chip)
{
    for (int i = 0; i < tsr_chip_finding_count(chip); i++) {
        tsr_chip_finding finding;
        assert_int_equal(tsr_chip_finding_at(chip, i, &finding), TSR_OK);
        print_error("%s: %s\n", finding.diagnostic->code, finding.diagnostic->sentence);
    }
    assert_int_equal(tsr_chip_finding_count(chip), 0);
}

// Two chips, tile 8 of the first one with tile 0 of the second, as on an n300.
struct pair {
    struct end a, b;
};

static inline struct pair pair_with(int arch, bool timing, unsigned drop_every)
{
    tsr_chip *one = chip_made(arch, timing), *other = chip_made(arch, timing);
    tsr_link_options options = tsr_link_options_default();
    options.drop_every = drop_every;
    assert_int_equal(tsr_chip_connect(one, 8, other, 0, &options), TSR_OK);
    return (struct pair){end_of(one, 8), end_of(other, 0)};
}

static inline void pair_free(struct pair *pair)
{
    tsr_chip_destroy(pair->a.chip);
    tsr_chip_destroy(pair->b.chip);
}

#endif
