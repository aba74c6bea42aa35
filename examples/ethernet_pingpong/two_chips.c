// SPDX-License-Identifier: Apache-2.0
// A host of two chips: connects two of their Ethernet tiles by a link, puts the same program on a
// core of each, and looks at what they have handed to and fro.
//
//   two_chips wh|bh PROGRAM [timing] [threads]
//
// PROGRAM: bytes to be placed at 0x9040.
#include "ball_job.h"

#include <tessera/chip.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CODE = 0x9040, CODE_BYTES = 0x7fc0, ROUNDS = 20 };
enum { CORE_BIT = 1 << 11, KEEPALIVE = 1 << 0, DIS_DROP = 1 << 3 };
#define SOFT_RESET 0xffb121b0u
#define TXQ_CTRL 0xffb90000u

struct end {
    tsr_chip *chip;
    tsr_node_info node;
};

static void check(tsr_status status, const char *what)
{
    if (status == TSR_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, tsr_status_text(status));
    exit(1);
}

static void put(const struct end *end, uint64_t address, uint32_t word)
{
    check(tsr_chip_write(end->chip, end->node.x, end->node.y, address, &word, sizeof word), "put");
}

static uint32_t get(const struct end *end, uint64_t address)
{
    uint32_t word = 0;
    check(tsr_chip_read(end->chip, end->node.x, end->node.y, address, &word, sizeof word), "get");
    return word;
}

// The Ethernet tile with this number.
static tsr_node_info find_tile(tsr_arch arch, unsigned unit)
{
    tsr_node_info node = {0};
    for (unsigned y = 0; y < tsr_grid_rows(arch); y++)
        for (unsigned x = 0; x < tsr_grid_columns(arch); x++)
            if (tsr_node_at(arch, x, y, &node) == TSR_OK && node.kind == TSR_NODE_ETHERNET &&
                node.unit == unit)
                return node;
    check(TSR_NOT_FOUND, "an Ethernet tile");
    return node;
}

static void begin(const struct end *end, tsr_arch arch, const void *code, size_t size, bool serves)
{
    uint32_t first_pc = arch == TSR_WORMHOLE_B0 ? 0xffb9409cu : 0xffb14000u;
    check(tsr_chip_write(end->chip, end->node.x, end->node.y, CODE, code, size), "the program");
    put(end, TURNS, ROUNDS);
    put(end, FIRST, serves ? 1 : 2);
    for (uint32_t i = 0; serves && i < NUMBERS; i++)
        put(end, BALL_IN + 4 * i, 1000 * i);
    put(end, first_pc, CODE);
    put(end, SOFT_RESET, get(end, SOFT_RESET) & ~(uint32_t)CORE_BIT);
}

static int print_findings(tsr_chip *chip)
{
    int count = tsr_chip_finding_count(chip);
    tsr_chip_finding found;
    for (int i = 0; i < count && tsr_chip_finding_at(chip, i, &found) == TSR_OK; i++)
        printf("%s: %s\n", found.diagnostic->code, found.diagnostic->sentence);
    return count;
}

int main(int argc, char **argv)
{
    static unsigned char code[CODE_BYTES];
    FILE *file = argc > 2 ? fopen(argv[2], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "usage: two_chips wh|bh PROGRAM [timing] [threads]\n");
        return 2;
    }
    size_t size = fread(code, 1, sizeof code, file);
    fclose(file);
    tsr_arch arch = strcmp(argv[1], "wh") == 0 ? TSR_WORMHOLE_B0 : TSR_BLACKHOLE_A0;
    tsr_chip_options options = tsr_chip_options_default(arch);
    for (int i = 3; i < argc; i++) {
        options.tile.timing |= strcmp(argv[i], "timing") == 0;
        options.threads = strcmp(argv[i], "threads") == 0 ? 2 : options.threads;
    }
    options.threads_always = options.threads > 1;

    // As on an n300: tile 8 of the left chip with tile 0 of the right one.
    struct end left = {.node = find_tile(arch, 8)}, right = {.node = find_tile(arch, 0)};
    check(tsr_chip_create(&options, &left.chip), "a chip");
    check(tsr_chip_create(&options, &right.chip), "a chip");
    check(tsr_chip_connect(left.chip, left.node.unit, right.chip, right.node.unit, NULL), "a link");
    put(&left, TXQ_CTRL, KEEPALIVE | DIS_DROP); // as firmware leaves it
    put(&right, TXQ_CTRL, KEEPALIVE | DIS_DROP);
    begin(&left, arch, code, size, true);
    begin(&right, arch, code, size, false);
    for (int i = 0; i < 1000 && get(&left, CYCLES) == 0; i++)
        check(tsr_chip_clock(left.chip, 640), "time"); // of both: they share a clock

    bool right_numbers = get(&left, CYCLES) != 0;
    for (uint32_t i = 0; i < NUMBERS; i++)
        right_numbers &= get(&left, BALL_IN + 4 * i) == 1000 * i + ROUNDS * (ROUNDS + 1) / 2;
    int findings = print_findings(left.chip) + print_findings(right.chip);
    printf("%s: %d bytes went over %d times, %s", argv[1], (int)BALL_BYTES, (int)ROUNDS,
           right_numbers ? "all numbers are right" : "NUMBERS ARE WRONG");
    if (options.tile.timing)
        printf(", %u cycles a turn", (unsigned)(get(&left, CYCLES) / ROUNDS));
    printf("\n");
    tsr_chip_destroy(left.chip);
    tsr_chip_destroy(right.chip);
    return right_numbers && findings == 0 ? 0 : 1;
}
