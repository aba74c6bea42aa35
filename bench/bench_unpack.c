// SPDX-License-Identifier: Apache-2.0
// How fast a tile of 1024 datums goes from L1 to SrcA or Dst by one UNPACR, timing off, for each
// format and mode, beside a memcpy of the same bytes of L1 and beside the reference kernels, all
// measured in interleaved rounds; and how fast the ways of giving each tile its base address are.
// usage: bench_unpack [ROUNDS [WORD...]]   only the rows that contain all the words
//
// A core's store writes the base address of every tile, as shipped kernels do, and every tile runs
// until the coprocessor is idle. What arrives is compared with what the reference kernels leave.
// Pages: UNPACR_Regular.md, Packers/Compression.md, SrcASrcB.md.
#include "interleave.h"
#include "unpack_tiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 15 };

// ---------------------------------------------------------------- a tile that unpacks

// How a tile gets its base address, and whether its bank goes to the matrix unit and back.
enum way { WAY_KEEP, WAY_STORE, WAY_WRCFG, WAY_RMWCIB, WAYS };

static const char *const way_names[WAYS] = {
    "store, UNPACR",
    "store, UNPACR, SETRWC",
    "2 SETDMAREG, WRCFG, UNPACR, SETRWC",
    "3 RMWCIB, UNPACR, SETRWC",
};

struct bench {
    tsr_tile *tile;
    struct program program[TILES]; // what thread 0 gets for each tile
    uint32_t base[TILES];          // what a core stores before
    uint32_t window;               // where
    bool stores;
};

static void set_up_tile(struct bench *b, const struct unpack_row *row, const struct unpack_data *d)
{
    struct program set_up = program_new(row->arch);
    configure_unpack(b->tile, row, d);
    program_setc16(&set_up, "SRCA_SET_SetOvrdWithAddr", !row->format->to_dst);
    program_add(&set_up, "SETADCXX CntSetMask=1 x_end2=%u", d->datums_in - 1);
    program_add(&set_up, "SETADCXY CntSetMask=1 BitMask=10");
    program_add(&set_up, "SETADCZW CntSetMask=1 BitMask=15");
    feed(b->tile, set_up.words, set_up.count);
    finish(b->tile);
    program_free(&set_up);
}

static void add_rmwcib(struct program *program, const char *field, uint32_t value)
{
    unsigned addr32 = tsr_field_find(program->arch, field)->addr32;
    for (unsigned byte = 0; byte < 3; byte++)
        program_add(program, "RMWCIB%u CfgRegAddr=%u Mask=255 Data=%u", byte, addr32,
                    value >> 8 * byte & 0xff);
}

static struct program make_program(tsr_arch arch, enum way way, uint32_t base)
{
    static const char field[] = "THCON_SEC0_REG3_Base_address";
    struct program program = program_new(arch);
    if (way == WAY_WRCFG)
        program_wrcfg(&program, field, 0, base);
    if (way == WAY_RMWCIB)
        add_rmwcib(&program, field, base);
    program_add(&program, "UNPACR OvrdThreadId=1 Last=1 SetDatValid=%d", way != WAY_KEEP);
    if (way != WAY_KEEP)
        program_add(&program, "SETRWC BitMask=7 clear_ab_vld=1");
    return program;
}

static struct bench make_bench(const struct unpack_row *row, enum way way, const char *kernels,
                               const struct unpack_data *d)
{
    struct bench b = {.tile = bench_tile_new(row->arch, false, kernels),
                      .stores = way == WAY_KEEP || way == WAY_STORE};
    tsr_l1_write(b.tile, INPUT, d->bytes, TILES * d->stride);
    b.window =
        CONFIG_WINDOW + 4u * tsr_field_find(row->arch, "THCON_SEC0_REG3_Base_address")->addr32;
    set_up_tile(&b, row, d);
    for (uint32_t i = 0; i < TILES; i++) {
        b.base[i] = (INPUT + i * d->stride) / 16 - 1;
        b.program[i] = make_program(row->arch, way, b.base[i]);
    }
    return b;
}

static void free_bench(struct bench *b)
{
    for (int i = 0; i < TILES; i++)
        program_free(&b->program[i]);
    tsr_tile_destroy(b->tile);
}

static void unpack(struct bench *b, int i)
{
    static const tsr_limits limits = {.break_thread = -1};
    const struct program *program = &b->program[i];
    bool good = !b->stores || tsr_store(b->tile, TSR_CORE_T0, b->window, b->base[i], 4) == TSR_OK;
    for (size_t word = 0; word < program->count; word++)
        good &= tsr_push(b->tile, 0, program->words[word]) == TSR_OK;
    if (!good || tsr_run(b->tile, &limits) != TSR_END_IDLE)
        finish(b->tile); // says why
}

// ---------------------------------------------------------------- what arrives

static void same_rows(const struct unpack_row *row, const struct bench *one,
                      const struct bench *other)
{
    for (int i = 0; i < 2 * SRC_ROWS; i++) {
        tsr_src_row a = {0}, b = {0};
        tsr_view_src(one->tile, 0, i / SRC_ROWS, i % SRC_ROWS, &a);
        tsr_view_src(other->tile, 0, i / SRC_ROWS, i % SRC_ROWS, &b);
        if (memcmp(&a, &b, sizeof a) != 0)
            fatal("%s: row %d of SrcA differs", row->text, i);
    }
    for (int i = 0; i < 1024; i++) {
        tsr_dst_row a = {0}, b = {0};
        tsr_view_dst(one->tile, i, &a);
        tsr_view_dst(other->tile, i, &b);
        if (memcmp(a.bits, b.bits, sizeof a.bits) != 0 || a.written != b.written)
            fatal("%s: row %d of Dst differs", row->text, i);
    }
}

static bool something_arrived(const struct unpack_row *row, const struct bench *b)
{
    uint32_t any = 0;
    for (int i = 0; i < SRC_ROWS; i++) {
        tsr_src_row src;
        tsr_dst_row dst;
        tsr_view_src(b->tile, 0, 0, i, &src);
        tsr_view_dst(b->tile, i, &dst);
        any |= row->format->to_dst ? dst.bits[i % 16] : src.datum[i % 16];
    }
    return any != 0;
}

static void check(const struct unpack_row *row, struct bench *one, struct bench *other)
{
    for (int i = 0; i < TILES; i += 7) {
        unpack(one, i);
        unpack(other, i);
        same_rows(row, one, other);
    }
    if (!something_arrived(row, one))
        fatal("%s: nothing arrived", row->text);
}

// ---------------------------------------------------------------- measuring

enum { AUTO, REFERENCE, MEMCPY, SUBJECTS };

static void unpack_all(void *bench)
{
    for (int i = 0; i < TILES; i++)
        unpack(bench, i);
}

static void copy_all(void *data)
{
    static uint8_t target[TILE_MOST];
    const struct unpack_data *d = data;
    for (int i = 0; i < TILES; i++)
        copy_bytes(target, d->bytes + i * d->stride, d->bytes_in);
}

static void bench_row(const struct unpack_row *row, enum way way, int rounds)
{
    static struct unpack_data data;
    double best[SUBJECTS];
    make_unpack_data(row, &data);
    struct bench fast = make_bench(row, way, "auto", &data);
    struct bench slow = make_bench(row, way, "reference", &data);
    check(row, &fast, &slow);
    measure_interleaved(
        (struct timed_call[]){{unpack_all, &fast}, {unpack_all, &slow}, {copy_all, &data}},
        SUBJECTS, rounds, best);
    for (int i = 0; i < SUBJECTS; i++)
        best[i] /= TILES;
    printf("%-52s %8.3f %8.3f %8.3f %8.3f %8.2f %8.1f", row->text, 1e-6 / best[AUTO],
           1e-9 * DATUMS / best[AUTO], 1e-9 * DATUMS / best[REFERENCE],
           1e-9 * DATUMS / best[MEMCPY], best[AUTO] / best[MEMCPY], best[REFERENCE] / best[AUTO]);
    if (row->aim > 0)
        printf("   %.0f: %s", row->aim, 1e-6 / best[AUTO] >= row->aim ? "reached" : "missed");
    putchar('\n');
    fflush(stdout);
    free_bench(&fast);
    free_bench(&slow);
}

// ---------------------------------------------------------------- the table

static bool chosen(const struct unpack_row *row, char **words, int count)
{
    for (int i = 0; i < count; i++)
        if (!strstr(row->text, words[i]))
            return false;
    return true;
}

static void bench_ways(tsr_arch arch, int rounds, char **words, int count)
{
    for (int way = 0; way < WAYS; way++) {
        struct unpack_row row = {.arch = arch,
                                 .format = &unpack_formats[UNPACK_BF16],
                                 .mode = MODE_CONTIGUOUS,
                                 .aim = way == WAY_KEEP ? 2 : 0};
        snprintf(row.text, sizeof row.text, "%s %s: %s", tsr_arch_name(arch), row.format->name,
                 way_names[way]);
        if (chosen(&row, words, count))
            bench_row(&row, (enum way)way, rounds);
    }
}

static void bench_modes(tsr_arch arch, enum unpack_mode mode, int rounds, char **words, int count)
{
    for (int i = 0; i < UNPACK_FORMATS; i++) {
        struct unpack_row row = {.arch = arch, .format = &unpack_formats[i], .mode = mode};
        snprintf(row.text, sizeof row.text, "%s %s, %s", tsr_arch_name(arch), row.format->name,
                 unpack_mode_names[mode]);
        if (unpack_row_exists(&row) && chosen(&row, words, count))
            bench_row(&row, WAY_KEEP, rounds);
    }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : ROUNDS, words = argc > 2 ? argc - 2 : 0;
    if (rounds < 1)
        fatal("usage: bench_unpack [ROUNDS [WORD...]]");
    printf("A tile of %d datums for each UNPACR, timing off, a new base address for each; the best "
           "of %d rounds; 10^6 tiles/s, 10^9 datums/s.\n\n",
           DATUMS, rounds);
    printf("%-52s %8s %8s %8s %8s %8s %8s   %s\n", "", "Mtiles/s", "auto", "ref.", "memcpy",
           "x memcpy", "x ref", "aim (Mtiles/s)");
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++)
        bench_ways((tsr_arch)arch, rounds, argv + 2, words);
    for (int mode = 0; mode < UNPACK_MODES; mode++)
        bench_modes(TSR_WORMHOLE_B0, (enum unpack_mode)mode, rounds, argv + 2, words);
    bench_modes(TSR_BLACKHOLE_A0, MODE_CONTIGUOUS, rounds, argv + 2, words);
    return 0;
}
