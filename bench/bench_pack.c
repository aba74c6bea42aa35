// SPDX-License-Identifier: Apache-2.0
// How fast a tile of 1024 datums goes from Dst to L1, timing off, for each format, beside a memcpy
// of the same bytes of L1 and beside the reference kernels, measured in interleaved rounds: by one
// PACR of four packers on Wormhole, by sixteen PACRs of four rows each on Blackhole. usage:
// bench_pack [ROUNDS [WORD...]]   only the rows that contain all the words
//
// Every tile gets a destination of its own, as shipped kernels give it, by a core's store or by
// the thread's words, and runs until the coprocessor is idle. What arrives is compared with what
// the reference kernels leave. Pages: PACR.md of each chip, Packers/OutputAddressGenerator.md.
#include "interleave.h"
#include "pack_tiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 15, OUTPUT = 0x40000, APART = 4096 + 208 };

// How a tile gets its destination.
enum way { WAY_STORE, WAY_WRCFG, WAYS };
static const char *const way_names[WAYS] = {"store", "2 SETDMAREG, WRCFG"};

struct row {
    tsr_arch arch;
    const struct pack_format *format;
    enum way way;
    char text[80];
};

struct bench {
    tsr_tile *tile;
    struct program program[TILES]; // what thread 0 gets for each tile
    uint32_t target[TILES];        // what a core stores before
    uint32_t window;               // where
    bool stores;
};

// ---------------------------------------------------------------- a tile that packs

// Units of 16 bytes, less one; bit 31 makes Wormhole's packers 1 to 3 count from here.
static uint32_t target_of(tsr_arch arch, uint32_t tile)
{
    return ((OUTPUT + tile * APART) / 16 - 1) | (arch == TSR_WORMHOLE_B0 ? 1u << 31 : 0);
}

static struct bench make_bench(const struct row *row, const char *kernels)
{
    static const char field[] = "THCON_SEC0_REG1_L1_Dest_addr";
    static const uint8_t zeroes[TILES * APART];
    struct bench b = {.tile = bench_tile_new(row->arch, false, kernels),
                      .stores = row->way == WAY_STORE};
    if (row->format->extra == EXTRA_ACCUMULATE)
        tsr_l1_write(b.tile, OUTPUT, zeroes, sizeof zeroes);
    fill_dst(b.tile, row->format);
    configure_pack(b.tile, row->format);
    b.window = CONFIG_WINDOW + 4u * tsr_field_find(row->arch, field)->addr32;
    for (uint32_t i = 0; i < TILES; i++) {
        b.target[i] = target_of(row->arch, i);
        b.program[i] = program_new(row->arch);
        if (row->way == WAY_WRCFG)
            program_wrcfg(&b.program[i], field, 0, b.target[i]);
        program_pack_tile(&b.program[i]);
    }
    return b;
}

static void free_bench(struct bench *b)
{
    for (int i = 0; i < TILES; i++)
        program_free(&b->program[i]);
    tsr_tile_destroy(b->tile);
}

static void pack(struct bench *b, int i)
{
    static const tsr_limits limits = {.break_thread = -1};
    const struct program *program = &b->program[i];
    bool good = !b->stores || tsr_store(b->tile, TSR_CORE_T0, b->window, b->target[i], 4) == TSR_OK;
    for (size_t word = 0; word < program->count; word++)
        good &= tsr_push(b->tile, 0, program->words[word]) == TSR_OK;
    if (!good || tsr_run(b->tile, &limits) != TSR_END_IDLE)
        finish(b->tile); // says why
}

// ---------------------------------------------------------------- what arrives

static void read_output(const struct row *row, const struct bench *b, uint8_t *bytes)
{
    if (tsr_l1_read(b->tile, OUTPUT, bytes, TILES * APART) != TSR_OK ||
        tsr_diagnostic_count(b->tile) != 0)
        fatal("%s: nothing can be read, or something was found", row->text);
}

static void check(const struct row *row, struct bench *one, struct bench *other)
{
    static uint8_t a[TILES * APART], b[TILES * APART];
    size_t size = pack_bytes(row->format, DATUMS), changed = 0;
    for (int i = 0; i < TILES; i++) {
        pack(one, i);
        pack(other, i);
    }
    read_output(row, one, a);
    read_output(row, other, b);
    if (memcmp(a, b, sizeof a) != 0)
        fatal("%s: the kernels differ from the reference", row->text);
    for (size_t i = 1; i < size; i++)
        changed += a[(TILES - 1) * APART + i] != a[(TILES - 1) * APART + i - 1];
    if (changed < size / 16)
        fatal("%s: nothing arrived", row->text);
}

// ---------------------------------------------------------------- measuring

static void pack_all(void *bench)
{
    for (int i = 0; i < TILES; i++)
        pack(bench, i);
}

static void copy_all(void *format)
{
    static uint8_t from[TILES * APART], to[TILES * APART];
    for (size_t i = 0; i < TILES; i++)
        copy_bytes(to + i * APART, from + i * APART, pack_bytes(format, DATUMS));
}

static void bench_row(const struct row *row, int rounds)
{
    enum { AUTO, REFERENCE, MEMCPY, SUBJECTS };
    double best[SUBJECTS];
    struct pack_format format = *row->format;
    struct bench fast = make_bench(row, "auto"), slow = make_bench(row, "reference");
    check(row, &fast, &slow);
    measure_interleaved(
        (struct timed_call[]){{pack_all, &fast}, {pack_all, &slow}, {copy_all, &format}}, SUBJECTS,
        rounds, best);
    double tiles = 1e-6 * TILES, datums = 1e-9 * TILES * DATUMS, aim = format.aim[row->arch];
    printf("%-44s %8.3f %8.3f %8.3f %8.3f %8.2f %8.1f", row->text, tiles / best[AUTO],
           datums / best[AUTO], datums / best[REFERENCE], datums / best[MEMCPY],
           best[AUTO] / best[MEMCPY], best[REFERENCE] / best[AUTO]);
    if (aim > 0)
        printf("   %.1f: %s", aim, tiles / best[AUTO] >= aim ? "reached" : "missed");
    putchar('\n');
    fflush(stdout);
    free_bench(&fast);
    free_bench(&slow);
}

// ---------------------------------------------------------------- the table

static bool chosen(const struct row *row, char **words, int count)
{
    for (int i = 0; i < count; i++)
        if (!strstr(row->text, words[i]))
            return false;
    return true;
}

static void bench_formats(tsr_arch arch, enum way way, int formats, int rounds, char **words,
                          int count)
{
    for (int i = 0; i < formats; i++) {
        struct row row = {.arch = arch, .format = &pack_formats[i], .way = way};
        snprintf(row.text, sizeof row.text, "%s %s: %s", tsr_arch_name(arch), row.format->name,
                 way_names[way]);
        if (chosen(&row, words, count))
            bench_row(&row, rounds);
    }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : ROUNDS, words = argc > 2 ? argc - 2 : 0;
    if (rounds < 1)
        fatal("usage: bench_pack [ROUNDS [WORD...]]");
    printf("Tiles of %d datums, timing off, a new destination for each; the best of %d rounds; "
           "10^6 tiles/s, 10^9 datums/s.\n\n",
           DATUMS, rounds);
    printf("%-44s %8s %8s %8s %8s %8s %8s   %s\n", "", "Mtiles/s", "auto", "ref.", "memcpy",
           "x memcpy", "x ref", "aim (Mtiles/s)");
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        bench_formats((tsr_arch)arch, WAY_STORE, PACK_FORMATS, rounds, argv + 2, words);
        bench_formats((tsr_arch)arch, WAY_WRCFG, 1, rounds, argv + 2, words);
    }
    return 0;
}
