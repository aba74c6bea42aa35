// SPDX-License-Identifier: Apache-2.0
// Times of the common kernels in each set, in ns for a datum, for calls of one row (16 datums) and
// of one face (256), and how many times faster than the reference set that is.
#ifndef TESTS_KERNEL_BENCH_H
#define TESTS_KERNEL_BENCH_H

#include "kernel_inputs.h"

#include "base/format_codes.h"
#include "kernels/dot_block.h"
#include "kernels/kernels.h"

#include <stdio.h>
#include <time.h>

enum { FACE = 256 };

struct bench_data {
    uint32_t a[FACE], b[FACE];
    uint16_t high[FACE], low[FACE];
    uint8_t bytes[4 * FACE], exponents[FACE / 16];
};

struct bench_row {
    const char *name;
    enum {
        BENCH_UNPACK,
        BENCH_UNPACK_DST,
        BENCH_MOVE,
        BENCH_ELEMENT,
        BENCH_DOT,
        BENCH_PACK,
        BENCH_BLOCK
    } kind;
    tsr_unpack_mode unpack;
    tsr_move_mode move;
    tsr_element_mode element;
    tsr_pack_mode pack;
};

#define BENCH_ELEMENT_ROW(text, operation, wide, accumulating)                                     \
    {                                                                                              \
        .name = text, .kind = BENCH_ELEMENT,                                                       \
        .element = {.fpu = {.e8 = true, .acc32 = wide},                                            \
                    .op = operation,                                                               \
                    .accumulate = accumulating,                                                    \
                    .flush_b = true,                                                               \
                    .format_a = TSR_FORMAT_BF16,                                                   \
                    .format_b = TSR_FORMAT_BF16},                                                  \
    }
#define BENCH_DOT_ROW(text, wide, integers)                                                        \
    {                                                                                              \
        .name = text, .kind = BENCH_DOT,                                                           \
        .element = {.fpu = {.e8 = true, .acc32 = wide},                                            \
                    .int8 = integers,                                                              \
                    .flush_b = true,                                                               \
                    .format_a = TSR_FORMAT_BF16,                                                   \
                    .format_b = TSR_FORMAT_BF16},                                                  \
    }
#define BENCH_UNPACK_ROW(text, in, out)                                                            \
    {                                                                                              \
        .name = text, .kind = BENCH_UNPACK,                                                        \
        .unpack = {.in_format = TSR_FORMAT_##in, .out_format = TSR_FORMAT_##out},                  \
    }
#define BENCH_MOVE_ROW(text, what)                                                                 \
    {                                                                                              \
        .name = text, .kind = BENCH_MOVE, .move = {.kind = what, .mask = ~0u, .flush = true},      \
    }
#define BENCH_PACK_ROW(text, what, wide, in, out)                                                  \
    {                                                                                              \
        .name = text, .kind = what,                                                                \
        .pack = {.read_32b = wide, .in_format = TSR_FORMAT_##in, .out_format = TSR_FORMAT_##out},  \
    }

static const struct bench_row bench_rows[] = {
    BENCH_UNPACK_ROW("unpack BF16", BF16, BF16),
    BENCH_UNPACK_ROW("unpack FP16", FP16, FP16),
    BENCH_UNPACK_ROW("unpack FP32 to TF32", FP32, TF32),
    BENCH_UNPACK_ROW("unpack FP32 to BF16", FP32, BF16),
    BENCH_UNPACK_ROW("unpack FP32 to FP16", FP32, FP16),
    BENCH_UNPACK_ROW("unpack BFP8", BFP8, BFP8),
    BENCH_UNPACK_ROW("unpack BFP4", BFP4, BFP4),
    BENCH_UNPACK_ROW("unpack BFP2", BFP2, BFP2),
    BENCH_UNPACK_ROW("unpack INT8", INT8, INT8),
    BENCH_UNPACK_ROW("unpack FP8", FP8, FP8),
    {.name = "unpack FP32 to Dst", .kind = BENCH_UNPACK_DST, .unpack = {.to_dst = true}},
    BENCH_MOVE_ROW("move BF16", TSR_MOVE_BF16),
    BENCH_MOVE_ROW("move FP16", TSR_MOVE_FP16),
    BENCH_MOVE_ROW("move TF32", TSR_MOVE_TF32),
    BENCH_ELEMENT_ROW("add BF16, Dst16", TSR_ELEMENT_ADD, false, false),
    BENCH_ELEMENT_ROW("add BF16, Dst16, acc", TSR_ELEMENT_ADD, false, true),
    BENCH_ELEMENT_ROW("add BF16, Dst32", TSR_ELEMENT_ADD, true, false),
    BENCH_ELEMENT_ROW("add BF16, Dst32, acc", TSR_ELEMENT_ADD, true, true),
    BENCH_ELEMENT_ROW("mul BF16, Dst16", TSR_ELEMENT_MUL, false, false),
    BENCH_ELEMENT_ROW("mul BF16, Dst32", TSR_ELEMENT_MUL, true, false),
    BENCH_DOT_ROW("dot BF16, Dst16", false, false),
    BENCH_DOT_ROW("dot BF16, Dst32", true, false),
    BENCH_DOT_ROW("dot INT8", true, true),
    BENCH_PACK_ROW("pack BF16", BENCH_PACK, false, BF16, BF16),
    BENCH_PACK_ROW("pack BF16 to FP32", BENCH_PACK, false, BF16, FP32),
    BENCH_PACK_ROW("pack FP16", BENCH_PACK, false, FP16, FP16),
    BENCH_PACK_ROW("pack FP32", BENCH_PACK, true, FP32, FP32),
    BENCH_PACK_ROW("pack FP32 rounded BF16", BENCH_PACK, true, BF16, BF16),
    BENCH_PACK_ROW("pack FP32 to FP16", BENCH_PACK, true, FP32, FP16),
    BENCH_PACK_ROW("pack BF16 to BFP8", BENCH_BLOCK, false, BF16, BFP8),
    BENCH_PACK_ROW("pack BF16 to BFP4", BENCH_BLOCK, false, BF16, BFP4),
    BENCH_PACK_ROW("pack FP32 to BFP8", BENCH_BLOCK, true, FP32, BFP8),
};

// Sixteen products a datum.
static void bench_dot(const struct tsr_kernels *kernels, const tsr_element_mode *mode,
                      struct bench_data *d, size_t rows)
{
    static tsr_dot_block block;
    static tsr_dot_rows kept;
    const tsr_dot_kernel *kernel = tsr_kernels_dot(kernels, mode);
    kernel->prepare(&block, (const uint32_t(*)[16])d->a, mode);
    for (size_t i = 0, some; i < rows; i += some) {
        some = rows - i < TSR_DOT_ROWS ? rows - i : TSR_DOT_ROWS;
        kernel->run(d->high + 16 * i, mode->fpu.acc32 ? d->low + 16 * i : NULL, &block, &kept,
                    (const uint32_t(*)[16])(d->b + 16 * i), some, true, mode);
    }
}

static void bench_once(const struct tsr_kernels *kernels, const struct bench_row *row,
                       struct bench_data *d, size_t datums, unsigned repeats)
{
    switch (row->kind) {
    case BENCH_UNPACK: {
        tsr_unpack_src_fn *kernel = tsr_kernels_unpack_src(kernels, &row->unpack);
        for (unsigned i = 0; i < repeats; i++)
            kernel(d->a, d->bytes, d->exponents, datums, &row->unpack);
        break;
    }
    case BENCH_UNPACK_DST: {
        tsr_unpack_dst_fn *kernel = tsr_kernels_unpack_dst(kernels, &row->unpack);
        for (unsigned i = 0; i < repeats; i++)
            kernel(d->high, d->low, d->bytes, d->exponents, datums, &row->unpack);
        break;
    }
    case BENCH_MOVE: {
        tsr_move_fn *kernel = tsr_kernels_move(kernels, &row->move);
        for (unsigned i = 0; i < repeats; i++)
            kernel(d->high, d->low, d->a, datums, &row->move);
        break;
    }
    case BENCH_ELEMENT: {
        tsr_element_fn *kernel = tsr_kernels_element(kernels, &row->element);
        for (unsigned i = 0; i < repeats; i++) {
            kernel(d->high, row->element.fpu.acc32 ? d->low : NULL, d->a, d->b, datums, true,
                   &row->element);
        }
        break;
    }
    case BENCH_DOT:
        for (unsigned i = 0; i < repeats; i++)
            bench_dot(kernels, &row->element, d, datums / 16);
        break;
    case BENCH_PACK: {
        tsr_pack_fn *kernel = tsr_kernels_pack(kernels, &row->pack);
        for (unsigned i = 0; i < repeats; i++)
            kernel(d->bytes, d->high, row->pack.read_32b ? d->low : NULL, datums, &row->pack);
        break;
    }
    case BENCH_BLOCK: {
        tsr_pack_block_fn *kernel = tsr_kernels_pack_block(kernels, &row->pack);
        for (unsigned i = 0; i < repeats; i++) {
            kernel(d->bytes, d->exponents, d->high, row->pack.read_32b ? d->low : NULL, datums / 16,
                   &row->pack);
        }
    }
    }
}

static double bench_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

// The best of several runs of about a millisecond: others use the machine as well.
static double bench_time(const struct tsr_kernels *kernels, const struct bench_row *row,
                         struct bench_data *d, size_t datums)
{
    unsigned repeats = (unsigned)(100000 / datums);
    double best = 1e30;
    for (int run = 0; run < 9; run++) {
        double start = bench_now();
        bench_once(kernels, row, d, datums, repeats);
        double time = (bench_now() - start) / ((double)repeats * (double)datums);
        best = time < best ? time : best;
    }
    return best;
}

static int bench_kernels(void)
{
    static struct bench_data data;
    for (size_t i = 0; i < FACE; i++) {
        data.a[i] = hard_datum(1, 127);
        data.b[i] = hard_datum(1, 127);
        data.high[i] = (uint16_t)random32();
        data.low[i] = (uint16_t)random32();
    }
    hard_bytes(data.bytes, sizeof data.bytes);
    hard_bytes(data.exponents, sizeof data.exponents);
    static const char *const sets[] = {"portable", "avx2", "avx512"};
    printf("%-24s %10s", "ns a datum (row, face)", "reference");
    for (int s = 0; s < 3; s++)
        printf("   %-25s", sets[s]);
    printf("\n");
    for (size_t i = 0; i < sizeof bench_rows / sizeof bench_rows[0]; i++) {
        double base = bench_time(tsr_kernels_select("reference"), &bench_rows[i], &data, FACE);
        printf("%-24s %10.2f", bench_rows[i].name, base);
        for (int s = 0; s < 3; s++) {
            const struct tsr_kernels *kernels = tsr_kernels_select(sets[s]);
            if (kernels) {
                double row = bench_time(kernels, &bench_rows[i], &data, 16);
                double face = bench_time(kernels, &bench_rows[i], &data, FACE);
                printf("   %6.3f %6.3f %8.1fx  ", row, face, base / face);
            }
        }
        printf("\n");
    }
    return 0;
}

#endif
