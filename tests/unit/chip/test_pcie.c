// SPDX-License-Identifier: Apache-2.0
// The chip as a host sees it: configuration space, TLB windows of every kind, address translation,
// the registers of ARC and Ethernet tiles, harvested tiles, and accesses of nothing.
// Pages: PCIExpressTile/README.md, PCIExpressTile/TLBs.md, ARCTile/README.md.
#include "rig/pcie_rig.h"

// As tt-umd reads them.
static void config_space(int arch)
{
    tsr_chip *chip = chip_make(arch);
    uint32_t value, high;
    assert_int_equal(tsr_chip_config_read(chip, 0, &value), TSR_OK);
    assert_int_equal(value, arch == WH ? 0x401e1e52u : 0xb1401e52u);
    for (int number = 0; number < 6; number += 2) {
        uint32_t offset = 0x10 + 4 * (uint32_t)number;
        assert_int_equal(tsr_chip_config_read(chip, offset, &value), TSR_OK);
        assert_int_equal(tsr_chip_config_read(chip, offset + 4, &high), TSR_OK);
        assert_int_equal(value & 7, 4); // 64 bits
        assert_true(((value & ~15ull) | (uint64_t)high << 32) == bar(arch, number));
    }
    assert_int_equal(tsr_chip_config_read(chip, 2, &value), TSR_UNMAPPED);
    assert_true(value == UINT32_MAX);
    assert_string_equal(last_found(chip)->code, "host-access-width");
    assert_non_null(strstr(last_found(chip)->sentence, "space at 0x2, where no word"));
    assert_int_equal(tsr_chip_config_write(chip, 0x10, 0), TSR_OK);
    assert_string_equal(last_found(chip)->code, "host-config-write");
    tsr_chip_destroy(chip);
}

// A chip answers where the BARs of its device are, and nowhere else.
static void devices(int arch)
{
    tsr_chip_options options = tsr_chip_options_default((tsr_arch)arch);
    tsr_chip *chip = NULL;
    options.device = 32;
    assert_int_equal(tsr_chip_create(&options, &chip), TSR_BAD_ARGUMENT);
    options.device = 31;
    assert_int_equal(tsr_chip_create(&options, &chip), TSR_OK);
    uint32_t low, high, word;
    assert_int_equal(tsr_chip_config_read(chip, 0x10, &low), TSR_OK);
    assert_int_equal(tsr_chip_config_read(chip, 0x14, &high), TSR_OK);
    uint64_t bar0 = (low & ~15ull) | (uint64_t)high << 32;
    assert_int_equal(tsr_chip_device_at(bar0), 31);
    assert_int_equal(tsr_chip_device_at(bar(arch, 4)), 0);
    assert_int_equal(tsr_chip_device_at(UINT64_MAX), 0);
    put_word(chip, bar0 + TLB_CONFIG, 5);
    assert_int_equal(word_at(chip, bar0 + TLB_CONFIG), 5);
    assert_int_equal(tsr_chip_host_read(chip, bar(arch, 0) + TLB_CONFIG, &word, 4), TSR_UNMAPPED);
    assert_string_equal(last_found(chip)->code, "host-unmapped");
    tsr_chip_destroy(chip);
}

// ---------------------------------------------------------------- TLB windows

struct window {
    int bar;
    unsigned index, bits;
    uint64_t base;
};

static const struct window windows[2][6] = {{{0, 0, 20, 0},
                                             {0, 155, 20, 155ull << 20},
                                             {0, 156, 21, 0x09c00000},
                                             {0, 165, 21, 0x0ae00000},
                                             {0, 166, 24, 0x0b000000},
                                             {0, 185, 24, 0x1e000000}},
                                            {{0, 0, 21, 0},
                                             {0, 1, 21, 1ull << 21},
                                             {0, 201, 21, 201ull << 21},
                                             {4, 202, 32, 0},
                                             {4, 203, 32, 1ull << 32},
                                             {4, 209, 32, 7ull << 32}}};

// Through the first and last window of each size to L1 and to DRAM, with either NoC's coordinates.
static void windows_reach_nodes(int arch)
{
    tsr_chip *chip = chip_make(arch);
    unsigned columns = tsr_grid_columns((tsr_arch)arch), rows = tsr_grid_rows((tsr_arch)arch);
    for (unsigned i = 0; i < 6; i++) {
        const struct window *window = &windows[arch][i];
        uint64_t at = bar(arch, window->bar) + window->base;
        uint32_t read = 0, value = 0x1000 + i;
        set_window(chip, arch, window->index, window->bits, (struct entry){.x = 2, .y = 3});
        put_word(chip, at + 0x120, value);
        assert_int_equal(tsr_chip_read(chip, 2, 3, 0x120, &read, 4), TSR_OK);
        assert_int_equal(read, value);
        uint64_t dram = 0x40000000ull >> window->bits;
        // The DRAM tile at 0-0, on Blackhole by the coordinates that firmware translates.
        unsigned x = arch == BH ? 17 : columns - 1, y = arch == BH ? 12 : rows - 1;
        set_window(chip, arch, window->index, window->bits,
                   (struct entry){.local = dram, .x = x, .y = y, .noc = 1});
        put_word(chip, at + 0x80, value);
        assert_int_equal(tsr_chip_read(chip, 0, 0, (dram << window->bits) + 0x80, &read, 4),
                         TSR_OK);
        assert_int_equal(read, value);
        assert_int_equal(word_at(chip, at + 0x80), value);
    }
    assert_int_equal(tsr_chip_finding_count(chip), 0);
    tsr_chip_destroy(chip);
}

// ARC's tile has both interfaces at one address: who comes by NoC 1 sees NoC 1's.
static void windows_show_their_noc(int arch)
{
    tsr_chip *chip = chip_make(arch);
    const struct window *window = &windows[arch][0];
    uint64_t id = arch == WH ? 0xfffb2002c : 0xffffffffff000044;
    unsigned expected[2] = {arch == WH ? 0 | 10 << 6 : 8, arch == WH ? 9 | 1 << 6 : 8 | 11 << 6};
    for (unsigned noc = 0; noc < 2; noc++) {
        struct entry entry = {.local = id >> window->bits, .x = 8, .noc = noc};
        if (arch == WH) {
            entry.x = noc == 0 ? 0 : 9;
            entry.y = noc == 0 ? 10 : 1;
        }
        set_window(chip, arch, 0, window->bits, entry);
        uint64_t at = bar(arch, 0) + (id & ((1u << window->bits) - 1));
        assert_int_equal(word_at(chip, at) & 0xfff, expected[noc]);
    }
    assert_int_equal(tsr_chip_finding_count(chip), 0);
    tsr_chip_destroy(chip);
}

// The registers behind a window, and an access that crosses from one window into the next.
static void windows_reach_registers(int arch)
{
    tsr_chip *chip = chip_make(arch);
    const struct window *window = &windows[arch][arch == WH ? 4 : 0];
    uint64_t at = bar(arch, 0) + window->base, size = 1ull << window->bits;
    set_window(chip, arch, window->index, window->bits,
               (struct entry){.local = 0xffb121b0u >> window->bits, .x = 1, .y = 2});
    assert_int_equal(word_at(chip, at + (0xffb121b0u & (size - 1))), 0x47800);
    set_window(chip, arch, window->index, window->bits, (struct entry){.x = 0, .y = 0});
    set_window(chip, arch, window->index + 1, window->bits,
               (struct entry){.local = 3, .x = 0, .y = 11});
    uint64_t value = 0x1122334455667788, read = 0;
    put(chip, at + size - 4, &value, sizeof value);
    assert_int_equal(tsr_chip_read(chip, 0, 0, size - 4, &read, 4), TSR_OK);
    assert_int_equal(read, 0x55667788);
    assert_int_equal(tsr_chip_read(chip, 0, 0, 3 * size, &read, 4), TSR_OK);
    assert_int_equal(read, 0x11223344);
    tsr_chip_destroy(chip);
}

// Tensix tiles of a rectangle alone; across the edge of the torus, and in NoC 1's coordinates.
static void windows_multicast(int arch)
{
    tsr_chip *chip = chip_make(arch);
    uint64_t at = bar(arch, 0);
    unsigned columns = tsr_grid_columns((tsr_arch)arch), rows = tsr_grid_rows((tsr_arch)arch);
    unsigned bits = arch == WH ? 20 : 21, counts[2] = {0};
    set_window(chip, arch, 0, bits,
               (struct entry){.start_x = 1, .start_y = 2, .x = 3, .y = 4, .multicast = 1});
    put_word(chip, at + 0x40, 7);
    // Firmware has Blackhole's NoC 1 take the coordinates of NoC 0, but it still goes backwards.
    struct entry around = {.start_x = columns - 2, .start_y = 2, .x = 1, .y = 2};
    if (arch == BH)
        around = (struct entry){.start_x = 1, .start_y = rows - 3, .x = columns - 2, .y = rows - 3};
    around.noc = around.multicast = 1;
    set_window(chip, arch, 0, bits, around);
    put_word(chip, at + 0x44, 9);
    for (unsigned i = 0; i < columns * rows; i++) {
        tsr_node_info info;
        uint32_t read[2] = {0, 0};
        unsigned x = i % columns, y = i / columns;
        tsr_node_at((tsr_arch)arch, x, y, &info);
        if (info.kind != TSR_NODE_TENSIX)
            continue;
        assert_int_equal(tsr_chip_read(chip, x, y, 0x40, read, 8), TSR_OK);
        assert_int_equal(read[0], x <= 3 && y >= 2 && y <= 4 ? 7 : 0);
        bool second = y == rows - 3 && (x <= 1 || x >= columns - 2);
        assert_int_equal(read[1], second ? 9 : 0);
        counts[0] += read[0] == 7;
        counts[1] += read[1] == 9;
    }
    assert_int_equal(counts[0], 9);
    assert_int_equal(counts[1], 3);
    uint32_t read;
    assert_int_equal(tsr_chip_host_read(chip, at, &read, 4), TSR_UNMAPPED);
    assert_string_equal(last_found(chip)->code, "host-multicast");
    tsr_chip_destroy(chip);
}

// Blackhole's first 32 windows can leave tiles out of the rectangle. In coordinates of NoC 0:
struct left_out {
    struct entry window;
    uint32_t strided;
    bool (*receives)(unsigned x, unsigned y);
    bool found;
};

static bool each_third(unsigned x, unsigned y)
{
    return (x == 2 || x == 5) && (y == 3 || y == 4);
}

static bool each_third_back(unsigned x, unsigned y)
{
    return (x == 7 || x == 4) && (y == 6 || y == 5);
}

static bool every_other_around(unsigned x, unsigned y) // 15 and 0 to 2, of which 0 has no tile
{
    return y == 3 && (x == 15 || x == 1);
}

static bool but_a_corner(unsigned x, unsigned y)
{
    return x >= 1 && x <= 5 && y >= 2 && y <= 5 && !(x >= 3 && y <= 4);
}

static bool but_a_corner_back(unsigned x, unsigned y)
{
    return x >= 1 && x <= 5 && y >= 2 && y <= 5 && !(x <= 3 && y <= 4);
}

static bool but_the_last_around(unsigned x, unsigned y) // from column 1 of 15, 16, 1 and 2 on
{
    return y == 3 && (x == 15 || x == 16);
}

static bool whole(unsigned x, unsigned y)
{
    return x >= 1 && x <= 2 && y == 3;
}

static bool one_tile(unsigned x, unsigned y)
{
    return x == 2 && y == 3;
}

#define KEEP(x, x_skip, y, y_skip)                                                                 \
    ((uint32_t)(x) | (uint32_t)(x_skip) << 2 | (uint32_t)(y) << 4 | (uint32_t)(y_skip) << 6)
#define EXCLUDE(x, y, right, down)                                                                 \
    ((uint32_t)(x) << 8 | (uint32_t)(y) << 13 | (uint32_t)(right) << 17 | (uint32_t)(down) << 18 | \
     1u << 19)
#define RECEIVERS(n) ((uint32_t)(n) << 21)

static void windows_left_out(void **state)
{
    (void)state;
    const struct left_out cases[] = {
        {{0, 7, 6, 2, 3, 0, 1}, KEEP(1, 2, 2, 2) | RECEIVERS(4), each_third, false},
        {{0, 2, 3, 7, 6, 1, 1}, KEEP(1, 2, 2, 2) | RECEIVERS(4), each_third_back, false},
        {{0, 2, 3, 15, 3, 0, 1}, KEEP(1, 1, 0, 3) | RECEIVERS(2), every_other_around, false},
        {{0, 5, 5, 1, 2, 0, 1}, EXCLUDE(3, 4, 1, 0) | RECEIVERS(11), but_a_corner, false},
        // raw coordinates of NoC 1: columns from 13 on, rows from 7 on
        {{0, 1, 2, 5, 5, 1, 1}, EXCLUDE(13, 7, 1, 1) | RECEIVERS(11), but_a_corner_back, false},
        {{0, 2, 3, 15, 3, 0, 1}, EXCLUDE(1, 3, 1, 0) | RECEIVERS(2), but_the_last_around, false},
        {{0, 2, 3, 1, 3, 0, 1}, RECEIVERS(2) | 7u << 29, whole, false},
        {{0, 2, 3, 1, 3, 0, 1}, KEEP(3, 0, 0, 1), whole, false}, // both must be there
        {{0, 2, 3, 1, 3, 0, 0}, KEEP(1, 1, 1, 1) | EXCLUDE(0, 0, 1, 1), one_tile, false},
        // software is wrong about the receivers, or goes round with a pattern that cannot
        {{0, 2, 3, 1, 3, 0, 1}, RECEIVERS(3), whole, true},
        {{0, 5, 5, 1, 2, 0, 1}, EXCLUDE(3, 4, 1, 0), but_a_corner, true},
        {{0, 2, 3, 15, 3, 0, 1}, KEEP(2, 1, 0, 0) | RECEIVERS(3), NULL, true},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        tsr_chip *chip = chip_make(BH);
        uint64_t strided = bar(BH, 0) + TLB_CONFIG + 210 * 12 + 31 * 4;
        set_window(chip, BH, 31, 21, cases[i].window);
        put_word(chip, strided, cases[i].strided);
        assert_int_equal(word_at(chip, strided), cases[i].strided);
        put_word(chip, bar(BH, 0) + (31u << 21) + 0x40, 7);
        for (unsigned y = 2; y < 12 && cases[i].receives; y++)
            for (unsigned x = 1; x < 17; x++) {
                uint32_t read = 0;
                if (x != 8 && x != 9)
                    assert_int_equal(tsr_chip_read(chip, x, y, 0x40, &read, 4), TSR_OK);
                bool has = x != 8 && x != 9 && cases[i].receives(x, y);
                if (read != (has ? 7 : 0))
                    fail_msg("case %u: %u at %u-%u", i, (unsigned)read, x, y);
            }
        assert_int_equal(tsr_chip_finding_count(chip), cases[i].found);
        if (cases[i].found)
            assert_string_equal(last_found(chip)->code, "host-multicast");
        tsr_chip_destroy(chip);
    }
}

// ---------------------------------------------------------------- other parts

// The register writes of tt-umd for one region, then the device's accesses of the host.
static void host_memory(int arch)
{
    tsr_chip *chip = chip_make(arch);
    struct host host = {.base = 0x123456000ull};
    uint64_t iatu = bar(arch, 2) + (arch == WH ? 0x1200 : 0x1000) + 2 * 0x200;
    uint64_t node = arch == WH ? 0x800000000ull : 1ull << 60, value = 0x1234567890abcdef, read = 1;
    unsigned x = arch == WH ? 0 : 2, y = arch == WH ? 3 : 0;
    assert_int_equal(tsr_chip_read(chip, x, y, node, &read, 8), TSR_OK);
    assert_int_equal(read, 0);
    assert_string_equal(last_found(chip)->code, "host-memory");
    const tsr_host_memory memory = {&host, host_read, host_write};
    assert_int_equal(tsr_chip_set_host_memory(chip, &memory), TSR_OK);
    const uint32_t words[][2] = {{0x04, 0}, {0x00, 0},          {0x08, 0x80000000},
                                 {0x0c, 0}, {0x10, 0x800000ff}, {0x14, (uint32_t)host.base},
                                 {0x18, 1}, {0x04, 1u << 31}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        put_word(chip, iatu + words[i][0], words[i][1]);
    node += 0x80000000;
    assert_int_equal(tsr_chip_write(chip, x, y, node + 0x10, &value, 8), TSR_OK);
    assert_memory_equal(host.bytes + 0x10, &value, 8);
    assert_int_equal(tsr_chip_read(chip, x, y, node + 0x10, &read, 8), TSR_OK);
    assert_true(read == value);
    host.base = 0x80000100; // behind the region: as it is
    assert_int_equal(tsr_chip_write(chip, x, y, node + 0x100, &value, 8), TSR_OK);
    assert_memory_equal(host.bytes, &value, 8);
    assert_int_equal(word_at(chip, iatu + 0x10), 0x800000ff);
    read = 0;
    assert_int_equal(tsr_chip_host_read(chip, iatu + 2, &read, 8), TSR_UNMAPPED);
    assert_true(read == UINT64_MAX); // the whole word in it as well
    assert_string_equal(last_found(chip)->code, "host-access-width");
    assert_non_null(strstr(last_found(chip)->sentence, "The host reads 8 bytes at 0x"));
    assert_non_null(strstr(last_found(chip)->sentence, " of BAR 2, which takes aligned words"));
    const uint32_t kept = word_at(chip, iatu);
    assert_int_equal(tsr_chip_host_write(chip, iatu, &read, 6), TSR_UNMAPPED);
    assert_int_equal(word_at(chip, iatu), kept);
    assert_int_equal(tsr_chip_host_write(chip, iatu + 0x100, &read, 4), TSR_UNMAPPED);
    assert_non_null(strstr(last_found(chip)->sentence, "inbound address translation"));
    tsr_chip_destroy(chip);
}

// ARC by its BAR and through the NoC, and who would have to answer.
static void arc_and_ethernet(int arch)
{
    tsr_chip *chip = chip_make(arch);
    uint64_t csm = bar(arch, 0) + 0x1fe80000u, apb = bar(arch, 0) + 0x1ff00000u;
    uint64_t by_noc = arch == WH ? 0x810000000ull : 0x10000000ull;
    unsigned x = arch == WH ? 0 : 8, y = arch == WH ? 10 : 0;
    uint32_t read = 0;
    put_word(chip, csm + 0x783c4, 5);
    assert_int_equal(tsr_chip_read(chip, x, y, by_noc + 0x783c4, &read, 4), TSR_OK);
    assert_int_equal(read, 5);
    assert_int_equal(word_at(chip, apb + 0x30060), 0xc0de0001); // post code: up
    assert_int_equal(word_at(chip, apb + 0x300e0), 0);
    assert_int_equal(tsr_chip_clock(chip, 64000), TSR_OK);
    assert_int_equal(word_at(chip, apb + 0x300e0), 64 * 27);
    assert_int_equal(tsr_chip_finding_count(chip), 0);
    put_word(chip, apb + 0x30100, 1u << 16);
    assert_string_equal(last_found(chip)->code, "node-core");
    tsr_node_info ethernet = {0};
    for (x = 0; ethernet.kind != TSR_NODE_ETHERNET; x++)
        tsr_node_at((tsr_arch)arch, x, arch == WH ? 0 : 1, &ethernet);
    read = 0;
    int before = tsr_chip_finding_count(chip);
    assert_int_equal(tsr_chip_write(chip, ethernet.x, ethernet.y, 0xffb121b0u, &read, 4), TSR_OK);
    assert_int_equal(tsr_chip_write(chip, ethernet.x, ethernet.y, 0xffb12444u, &before, 4), TSR_OK);
    assert_int_equal(tsr_chip_read(chip, ethernet.x, ethernet.y, 0xffb12444u, &read, 4), TSR_OK);
    assert_int_equal(read, before); // kept, as most are
    assert_int_equal(tsr_chip_finding_count(chip), before);
    assert_int_equal(tsr_chip_write(chip, ethernet.x, ethernet.y, 0x1000, &read, 4), TSR_OK);
    // What pages say is there and is not: an Ethernet tile's queues, a controller, an L2CPU tile.
    const struct {
        unsigned x, y;
        uint64_t address;
    } missing[2][3] = {
        {{ethernet.x, ethernet.y, 0xffba0008}, {0, 0, 0x100000000}, {0, 3, 0x8fffe0000}},
        {{ethernet.x, ethernet.y, 0xffba0008}, {8, 3, 0x30000000}, {8, 2, 0}}};
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(tsr_chip_read(chip, missing[arch][i].x, missing[arch][i].y,
                                       missing[arch][i].address, &read, 4),
                         TSR_UNMAPPED);
        assert_string_equal(last_found(chip)->code, "node-missing");
    }
    assert_int_equal(tsr_chip_write(chip, ethernet.x, ethernet.y, 0xffb80000, &read, 4),
                     TSR_UNMAPPED);
    assert_string_equal(last_found(chip)->code, "host-unmapped");
    // None of this stops the chip, unless the policy names it.
    chip_load_busy(chip_tile(chip, 1, 2), 100);
    assert_int_equal(tsr_chip_clock(chip, 6400), TSR_OK);
    assert_int_equal(tsr_chip_read(chip, 1, 2, CHIP_DONE, &read, 4), TSR_OK);
    assert_int_equal(read, 0xff);
    assert_int_equal(tsr_chip_set_policy(chip, "node-core", TSR_ACTION_STOP), TSR_OK);
    put_word(chip, apb + 0x30100, 1u << 16);
    assert_int_equal(tsr_chip_run(chip, NULL), TSR_END_STOPPED);
    tsr_chip_destroy(chip);
}

static void nothing_is_there(int arch)
{
    tsr_chip *chip = chip_make(arch);
    uint64_t value = 0;
    const uint64_t places[] = {0,
                               UINT64_MAX,
                               bar(arch, 0) - 1,
                               bar(arch, 0) + 0x1f000000u,
                               bar(arch, 0) + 0x20000000u - 4,
                               bar(arch, 2) + 0x80000};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        value = 0;
        assert_int_equal(tsr_chip_host_read(chip, places[i], &value, 8), TSR_UNMAPPED);
        assert_true(value >> 32 == UINT32_MAX);
        assert_string_equal(last_found(chip)->code, "host-unmapped");
        assert_int_equal(tsr_chip_host_write(chip, places[i], &value, 8), TSR_UNMAPPED);
    }
    set_window(chip, arch, 0, arch == WH ? 20 : 21, (struct entry){.x = 40, .y = 2});
    assert_int_equal(tsr_chip_host_read(chip, bar(arch, 0), &value, 4), TSR_UNMAPPED);
    assert_non_null(strstr(last_found(chip)->sentence, "40-2"));
    tsr_chip_destroy(chip);
}

static void harvested_tiles_are_gone(int arch)
{
    tsr_chip_options options = tsr_chip_options_default((tsr_arch)arch);
    options.harvested = 1u << 3; // y = 3, or x = 3
    tsr_chip *chip = chip_with(&options);
    tsr_tile *tile = NULL;
    unsigned x = arch == WH ? 1 : 3, y = arch == WH ? 3 : 2;
    assert_int_equal(tsr_chip_tile(chip, x, y, &tile), TSR_NOT_FOUND);
    uint32_t value = 0;
    assert_int_equal(tsr_chip_read(chip, x, y, 0, &value, 4), TSR_UNMAPPED);
    assert_int_equal(tsr_chip_tile(chip, 4, 4, &tile), TSR_OK);
    tsr_chip_destroy(chip);
}

TILE_BOTH(config_space)
TILE_BOTH(windows_reach_nodes)
TILE_BOTH(windows_reach_registers)
TILE_BOTH(windows_show_their_noc)
TILE_BOTH(windows_multicast)
TILE_BOTH(devices)
TILE_BOTH(host_memory)
TILE_BOTH(arc_and_ethernet)
TILE_BOTH(nothing_is_there)
TILE_BOTH(harvested_tiles_are_gone)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(config_space),
        TILE_TEST(devices),
        TILE_TEST(windows_reach_nodes),
        TILE_TEST(windows_reach_registers),
        TILE_TEST(windows_show_their_noc),
        TILE_TEST(windows_multicast),
        cmocka_unit_test(windows_left_out),
        TILE_TEST(host_memory),
        TILE_TEST(arc_and_ethernet),
        TILE_TEST(nothing_is_there),
        TILE_TEST(harvested_tiles_are_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
