// SPDX-License-Identifier: Apache-2.0
// usage: fuzz_links SECONDS SEED
// Two chips with links between their Ethernet tiles: random stores to queues, header table,
// classifier and streams, code for the cores, resets, links that are cut. The same is done to two
// more chips, whose time goes in other steps; they come to the same bits. A difference is made
// first, which must be seen.
#include "random_source.h"

#include <tessera/chip.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GROUPS = 2, CHIPS = 2, ENDS = 3, QUEUES = 3, STREAMS = 12 };
enum { TX_BASE = (int)0xffb90000, RX_WH = (int)0xffb92000, RX_BH = (int)0xffb94000 };
enum { HEADERS = (int)0xffb98200, CLASSIFIER = (int)0xffb9c000, OVERLAY_STEP = 0x1000 };
enum { SOFT_RESET = (int)0xffb121b0, OVERLAY = (int)0xffb40000, L1_USED = 0x8000 };

struct tile {
    unsigned x, y, unit;
};

static tsr_chip *chip_of[GROUPS][CHIPS];
static struct tile tile_of[CHIPS][ENDS];
static tsr_arch arch;

static void fail(const char *why)
{
    fprintf(stderr, "fuzz_links: %s\n", why);
    abort();
}

// ---------------------------------------------------------------- setting up

static void find_tiles(struct source *source)
{
    for (unsigned c = 0; c < CHIPS; c++)
        for (unsigned i = 0; i < ENDS; i++) {
            struct tile *tile = &tile_of[c][i];
            tile->unit = 4 * i + below(source, 4);
            for (unsigned at = 0; at < tsr_grid_rows(arch) * tsr_grid_columns(arch); at++) {
                unsigned x = at % tsr_grid_columns(arch), y = at / tsr_grid_columns(arch);
                tsr_node_info info;
                if (tsr_node_at(arch, x, y, &info) == TSR_OK && info.kind == TSR_NODE_ETHERNET &&
                    info.unit == tile->unit) {
                    tile->x = x;
                    tile->y = y;
                }
            }
        }
}

// The third tile of each chip has no link at first.
static void link_up(unsigned group, unsigned drop_every)
{
    tsr_link_options options = tsr_link_options_default();
    options.drop_every = drop_every;
    for (unsigned i = 0; i < 2; i++)
        (void)tsr_chip_connect(chip_of[group][0], tile_of[0][i].unit, chip_of[group][1],
                               tile_of[1][i].unit, &options);
}

static void make(struct source *source)
{
    arch = below(source, 2) ? TSR_WORMHOLE_B0 : TSR_BLACKHOLE_A0;
    find_tiles(source);
    tsr_chip_options options = tsr_chip_options_default(arch);
    options.tile.timing = below(source, 2);
    unsigned drop_every = below(source, 2) ? 0 : 3 + below(source, 9);
    for (unsigned group = 0; group < GROUPS; group++) {
        options.threads = group + 1;
        options.threads_always = below(source, 4) == 0;
        for (unsigned c = 0; c < CHIPS; c++)
            if (tsr_chip_create(&options, &chip_of[group][c]) != TSR_OK)
                fail("no memory");
        link_up(group, drop_every);
    }
}

static void drop(void)
{
    for (unsigned group = 0; group < GROUPS; group++)
        for (unsigned c = 0; c < CHIPS; c++)
            tsr_chip_destroy(chip_of[group][c]);
}

// ---------------------------------------------------------------- accesses

static void write_all(unsigned c, const struct tile *tile, uint32_t address, const void *bytes,
                      size_t size)
{
    tsr_status status[GROUPS];
    for (unsigned group = 0; group < GROUPS; group++)
        status[group] = tsr_chip_write(chip_of[group][c], tile->x, tile->y, address, bytes, size);
    if (status[0] != status[1])
        fail("writes end differently");
}

static void store_all(unsigned c, const struct tile *tile, uint32_t address, uint32_t value)
{
    write_all(c, tile, address, &value, sizeof value);
}

static uint32_t random_value(struct source *source)
{
    switch (below(source, 8)) {
    case 0:
        return next(source);
    case 1:
        return 1u << below(source, 32);
    case 2:
        return below(source, 0x10000);
    case 3:
        return below(source, 0x800) * 16;
    case 4:
        return 0;
    default:
        return below(source, 16);
    }
}

// Most stores make sense by themselves.
static void store_queue(struct source *source, unsigned c, const struct tile *tile)
{
    static const uint8_t tx[] = {0x00, 0x0c, 0x14, 0x18, 0x1c, 0x30, 0x34, 0x3c, 0x40, 0x44,
                                 0x48, 0x4c, 0x50, 0x54, 0x58, 0x5c, 0x60, 0x80, 0x84, 0x88};
    static const uint8_t rx[] = {0x00, 0x04, 0x08, 0x0c, 0x10, 0x14, 0x18,
                                 0x24, 0x28, 0x40, 0x44, 0x48, 0x4c, 0x50};
    uint32_t queue = below(source, QUEUES) << 12, value = random_value(source), at;
    if (below(source, 3)) {
        at = tx[below(source, sizeof tx)];
        if (at == 0x00)
            value = below(source, 16);
        else if (at == 0x0c)
            value = below(source, 4) ? 64 + below(source, 1500) : value;
        else if (at == 0x14 || at == 0x1c)
            value = below(source, 4) ? below(source, L1_USED / 16) * 16 : value;
        else if (at == 0x18)
            value = below(source, 0x80) * 16 + (below(source, 4) ? 0 : below(source, 16));
        else if (at == 0x48 || at == 0x4c)
            value = below(source, 4) ? 0x100 + below(source, 0x4000) : below(source, 64);
        store_all(c, tile, (uint32_t)TX_BASE + queue + at, value);
        return;
    }
    at = rx[below(source, sizeof rx)];
    if (at == 0x00)
        value = below(source, 16);
    else if (at == 0x08 || at == 0x0c || at == 0x10)
        value = below(source, 0x400);
    store_all(c, tile, (uint32_t)(arch == TSR_WORMHOLE_B0 ? RX_WH : RX_BH) + queue + at, value);
}

static void command(struct source *source, unsigned c, const struct tile *tile)
{
    static const uint8_t commands[] = {1, 1, 2, 2, 2, 4, 4, 3};
    uint32_t queue = (uint32_t)TX_BASE + (below(source, QUEUES) << 12);
    if (below(source, 2))
        store_all(c, tile, queue + 0x18, 16 + below(source, 0x100) * 16);
    if (below(source, 2))
        store_all(c, tile, queue + 0x1c,
                  below(source, 4) ? below(source, 0x400) * 16 : (uint32_t)RX_WH + 0x54);
    store_all(c, tile, queue + 4, commands[below(source, sizeof commands)]);
}

static void store_stream(struct source *source, unsigned c, const struct tile *tile)
{
    uint32_t at = (uint32_t)OVERLAY + below(source, STREAMS) * OVERLAY_STEP;
    if (below(source, 8) == 0) { // a stream with the other end of the link
        bool wh = arch == TSR_WORMHOLE_B0;
        uint32_t peer = 63 | 63 << 6 | below(source, STREAMS) << 12;
        uint32_t change = wh ? 3u << 12 : 3u << 11;
        store_all(c, tile, at + 4 * (wh ? 0 : 4), peer);
        store_all(c, tile, at + 4 * (wh ? 2 : 7), peer);
        store_all(c, tile, at + 4 * (wh ? 10 : 3),
                  change | (below(source, 2) ? 1u << 4 | 1u << 8 : 1u << 5 | 1u << 6));
        store_all(c, tile, at + 4 * (wh ? 36 : 34), (1 + below(source, 4)) << 12);
        store_all(c, tile, at + 4 * (wh ? 6 : 17), 0x100);
        store_all(c, tile, at + 4 * (wh ? 7 : 18), 0x100);
        store_all(c, tile, at + 4 * (wh ? 3 : 8), 0x100);
        store_all(c, tile, at + 4 * (wh ? 4 : 10), below(source, 0x200));
        store_all(c, tile, at + 4 * (wh ? 27 : 267), 1);
        return;
    }
    if (below(source, 4) == 0) { // a message
        store_all(c, tile, at + 4 * (arch == TSR_WORMHOLE_B0 ? 29 : 0),
                  0x100 | (1 + below(source, 0x80)) << 17);
        return;
    }
    store_all(c, tile, at + 4 * below(source, arch == TSR_WORMHOLE_B0 ? 64 : 300),
              random_value(source));
}

static void store_frames(struct source *source, unsigned c, const struct tile *tile)
{
    uint32_t at = below(source, 2)
                      ? (uint32_t)HEADERS + below(source, 10) * 0x80 + below(source, 0x20) * 4
                      : (uint32_t)CLASSIFIER + below(source, 0x500) * 4;
    uint32_t value = random_value(source);
    store_all(c, tile, at, below(source, 8) ? value : value | 0x80000000u);
}

static void put_code(struct source *source, unsigned c, const struct tile *tile)
{
    uint32_t words[16];
    // lui, lw, sw, addi, bne, jal: mostly of a register of the queues.
    static const uint32_t some[] = {0xffb90537, 0xffb92537, 0xffb94537, 0x00452583,
                                    0x00b52223, 0x02852583, 0x00152583, 0xfe059ee3,
                                    0xff5ff06f, 0x00158593, 0x0000006f, 0x00052023};
    for (unsigned i = 0; i < 16; i++)
        words[i] =
            below(source, 8) ? some[below(source, sizeof some / sizeof *some)] : next(source);
    write_all(c, tile, 0, words, sizeof words);
    store_all(c, tile, (uint32_t)SOFT_RESET, below(source, 2) ? 0 : 0x1800);
}

static void fill(struct source *source, unsigned c, const struct tile *tile)
{
    uint8_t bytes[256];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)next(source);
    write_all(c, tile, below(source, L1_USED), bytes, 1 + below(source, sizeof bytes));
}

// ---------------------------------------------------------------- links and time

// The second group's time goes in pieces.
static void clock_all(struct source *source)
{
    unsigned cycles = below(source, 4) ? below(source, 0x400) : below(source, 0x6000);
    (void)tsr_chip_clock(chip_of[0][0], cycles);
    while (cycles > 0) {
        unsigned part = 1 + below(source, cycles < 300 ? cycles : 300);
        (void)tsr_chip_clock(chip_of[1][0], part);
        cycles -= part;
    }
}

static void change_links(struct source *source)
{
    unsigned what = below(source, 4), i = below(source, ENDS), c = below(source, CHIPS);
    unsigned k = below(source, ENDS);
    for (unsigned group = 0; group < GROUPS; group++)
        if (what < 2)
            (void)tsr_chip_disconnect(chip_of[group][c], tile_of[c][i].unit);
        else
            (void)tsr_chip_connect(chip_of[group][c], tile_of[c][i].unit, chip_of[group][1 - c],
                                   tile_of[1 - c][k].unit, NULL);
}

// ---------------------------------------------------------------- comparing

static bool same_range(unsigned c, const struct tile *tile, uint32_t address, size_t size)
{
    static uint8_t bytes[GROUPS][L1_USED];
    tsr_status status[GROUPS];
    for (unsigned group = 0; group < GROUPS; group++) {
        memset(bytes[group], 0, size);
        status[group] =
            tsr_chip_read(chip_of[group][c], tile->x, tile->y, address, bytes[group], size);
    }
    return status[0] == status[1] && memcmp(bytes[0], bytes[1], size) == 0;
}

static bool same_tile(unsigned c, const struct tile *tile)
{
    enum { REGISTERS = 0x90 };
    uint32_t rx = (uint32_t)(arch == TSR_WORMHOLE_B0 ? RX_WH : RX_BH);
    bool same = same_range(c, tile, 0, L1_USED);
    for (uint32_t queue = 0; queue < QUEUES; queue++)
        for (uint32_t at = queue << 12; at < (queue << 12) + REGISTERS; at += 4)
            same = same && same_range(c, tile, (uint32_t)TX_BASE + at, 4) &&
                   same_range(c, tile, rx + at, 4);
    return same;
}

// NULL: none.
static const char *difference(void)
{
    for (unsigned c = 0; c < CHIPS; c++) {
        if (tsr_chip_cycle(chip_of[0][c]) != tsr_chip_cycle(chip_of[1][c]))
            return "cycles differ";
        for (unsigned i = 0; i < ENDS; i++)
            if (!same_tile(c, &tile_of[c][i]))
                return "slices make a difference";
        if (tsr_chip_finding_count(chip_of[0][c]) != tsr_chip_finding_count(chip_of[1][c]))
            return "findings differ";
    }
    return NULL;
}

static void compare(void)
{
    const char *different = difference();
    if (different)
        fail(different);
}

// A byte that one group alone has, and a packet.
static bool sees_difference(void)
{
    struct source source = {1};
    uint8_t byte = 1;
    uint32_t command = 1;
    make(&source);
    const struct tile *tile = &tile_of[1][2], *sends = &tile_of[0][0];
    bool seen = difference() == NULL;
    (void)tsr_chip_write(chip_of[1][1], tile->x, tile->y, L1_USED - 1, &byte, sizeof byte);
    seen &= difference() != NULL;
    byte = 0;
    (void)tsr_chip_write(chip_of[1][1], tile->x, tile->y, L1_USED - 1, &byte, sizeof byte);
    seen &= difference() == NULL;
    store_all(0, sends, (uint32_t)TX_BASE + 0x1018, 16);
    (void)tsr_chip_write(chip_of[1][0], sends->x, sends->y, (uint32_t)TX_BASE + 0x1004, &command,
                         sizeof command);
    seen &= difference() != NULL;
    drop();
    return seen;
}

static void act(struct source *source)
{
    unsigned c = below(source, CHIPS);
    const struct tile *tile = &tile_of[c][below(source, ENDS)];
    unsigned what = below(source, 32);
    if (what < 8)
        store_queue(source, c, tile);
    else if (what < 16)
        command(source, c, tile);
    else if (what < 20)
        store_stream(source, c, tile);
    else if (what < 22)
        store_frames(source, c, tile);
    else if (what < 24)
        fill(source, c, tile);
    else if (what == 24)
        put_code(source, c, tile);
    else if (what == 25 && below(source, 4) == 0)
        change_links(source);
    else if (what == 26 && below(source, 8) == 0)
        for (unsigned group = 0; group < GROUPS; group++)
            tsr_chip_reset(chip_of[group][c]);
    else
        clock_all(source);
}

int main(int argc, char **argv)
{
    enum { ACTS = 400, BETWEEN = 50 };
    time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 1);
    struct source source = {argc > 2 ? strtoull(argv[2], NULL, 0) : 1};
    unsigned long runs = 0;
    if (!sees_difference())
        fail("a difference is not seen");
    for (; time(NULL) < end; runs++) {
        uint64_t before = source.state;
        make(&source);
        for (unsigned i = 0; i < ACTS; i++) {
            act(&source);
            if (i % BETWEEN == 0)
                compare();
        }
        compare();
        drop();
        if (argc > 3)
            printf("%lu: seed %llu\n", runs, (unsigned long long)before);
    }
    printf("fuzz_links: %lu runs of %d acts\n", runs, ACTS);
    return runs > 0 ? 0 : 1;
}
