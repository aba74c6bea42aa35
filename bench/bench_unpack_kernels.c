// SPDX-License-Identifier: Apache-2.0
// How fast the unpackers' kernels convert a face of 256 datums that the cache holds, beside a
// memcpy of the same bytes of L1 and beside the reference kernels, measured in interleaved rounds.
// usage: bench_unpack_kernels [ROUNDS]
//
// What is timed is compared with the reference first. Pages: UNPACR_Regular.md (formats).
#include "interleave.h"
#include "word_program.h"

#include "base/format_codes.h"
#include "kernels/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACE = 256, MOST_BYTES = 4 * FACE, BURST = 50, ROUNDS = 25 };

struct row {
    const char *name;
    tsr_unpack_mode mode;
    unsigned bits, exponents; // of a datum in L1; bytes of a face
    double aim;               // times a memcpy's time; 0: none
};

#define SRC(text, in, out, size, shared, times)                                                    \
    {                                                                                              \
        text, {.in_format = TSR_FORMAT_##in, .out_format = TSR_FORMAT_##out}, size, shared, times  \
    }
#define DST(text, in, out, size, shared, times)                                                    \
    {                                                                                              \
        text, {.in_format = TSR_FORMAT_##in, .out_format = TSR_FORMAT_##out, .to_dst = true},      \
            size, shared, times                                                                    \
    }
#define E4M3(text, dst)                                                                            \
    {                                                                                              \
        text,                                                                                      \
            {.arch = TSR_BLACKHOLE_A0,                                                             \
             .in_format = TSR_FORMAT_FP8,                                                          \
             .out_format = TSR_FORMAT_FP8,                                                         \
             .lf8_4b_exp = true,                                                                   \
             .to_dst = dst},                                                                       \
            8, 0, 0                                                                                \
    }

static const struct row rows[] = {
    SRC("FP32 to TF32", FP32, TF32, 32, 0, 4),
    SRC("FP32 to BF16", FP32, BF16, 32, 0, 4),
    SRC("FP32 to FP16", FP32, FP16, 32, 0, 4),
    SRC("BF16", BF16, BF16, 16, 0, 4),
    SRC("FP16", FP16, FP16, 16, 0, 0),
    SRC("INT16", INT16, INT16, 16, 0, 0),
    SRC("BFP8", BFP8, BFP8, 8, FACE / 16, 8),
    SRC("BFP4", BFP4, BFP4, 4, FACE / 16, 0),
    SRC("BFP2", BFP2, BFP2, 2, FACE / 16, 0),
    SRC("INT8", INT8, INT8, 8, 0, 0),
    SRC("FP8 e5m2", FP8, FP8, 8, 0, 0),
    E4M3("FP8 e4m3", false),
    SRC("BFP8a", BFP8A, BFP8A, 8, FACE / 16, 0),
    DST("FP32, Dst", FP32, FP32, 32, 0, 4),
    DST("INT32, Dst", INT32, INT32, 32, 0, 0),
    DST("FP32 to BF16, Dst", FP32, BF16, 32, 0, 0),
    DST("BF16, Dst", BF16, BF16, 16, 0, 4),
    DST("FP16, Dst", FP16, FP16, 16, 0, 0),
    DST("BFP8, Dst", BFP8, BFP8, 8, FACE / 16, 0),
    DST("INT8, Dst", INT8, INT8, 8, 0, 0),
    DST("FP8 e5m2, Dst", FP8, FP8, 8, 0, 0),
};

// ---------------------------------------------------------------- what is timed

struct face {
    _Alignas(64) uint8_t bytes[MOST_BYTES];
    uint8_t exponents[FACE / 16];
    _Alignas(64) uint32_t cells[FACE];
    _Alignas(64) uint16_t high[FACE], low[FACE];
    _Alignas(64) uint8_t copy[MOST_BYTES + FACE / 16];
};

struct subject {
    const char *kernels; // NULL: memcpy
    tsr_unpack_src_fn *src;
    tsr_unpack_dst_fn *dst;
};

static bool is_wide(const struct row *row)
{
    return row->mode.to_dst && row->bits == 32 && row->mode.out_format != TSR_FORMAT_BF16;
}

static struct subject subject_of(const struct row *row, const char *kernels)
{
    const struct tsr_kernels *choice = tsr_kernels_select(kernels);
    struct subject subject = {.kernels = kernels};
    if (row->mode.to_dst)
        subject.dst = tsr_kernels_unpack_dst(choice, &row->mode);
    else
        subject.src = tsr_kernels_unpack_src(choice, &row->mode);
    if (!subject.src && !subject.dst)
        fatal("no kernel for %s", row->name);
    return subject;
}

static size_t bytes_of(const struct row *row)
{
    return FACE * row->bits / 8 + row->exponents;
}

static void once(const struct subject *subject, const struct row *row, struct face *face)
{
    if (subject->src)
        subject->src(face->cells, face->bytes, face->exponents, FACE, &row->mode);
    else if (subject->dst)
        subject->dst(face->high, is_wide(row) ? face->low : NULL, face->bytes, face->exponents,
                     FACE, &row->mode);
    else
        copy_bytes(face->copy, face->bytes, bytes_of(row));
}

static void fill(struct face *face)
{
    uint32_t seed = 1;
    for (size_t i = 0; i < sizeof face->bytes; i++) {
        seed = seed * 1664525u + 1013904223u;
        face->bytes[i] = (uint8_t)(seed >> 24);
    }
    for (size_t i = 0; i < sizeof face->exponents; i++)
        face->exponents[i] = (uint8_t)(100 + 3 * i);
}

static void check(const struct row *row, const struct subject *subject,
                  const struct subject *reference)
{
    static struct face got, want;
    memset(&got, 0, sizeof got);
    fill(&got);
    want = got;
    once(subject, row, &got);
    once(reference, row, &want);
    if (memcmp(&got, &want, sizeof got) != 0)
        fatal("%s: kernels %s differ from the reference", row->name, subject->kernels);
}

// ---------------------------------------------------------------- measuring

enum { MEMCPY, AUTO, REFERENCE, SUBJECTS };

struct burst {
    struct subject subject;
    const struct row *row;
    struct face *face;
};

static void run_burst(void *context)
{
    const struct burst *burst = context;
    for (int n = 0; n < BURST; n++)
        once(&burst->subject, burst->row, burst->face);
}

// Nanoseconds a face.
static void measure(const struct row *row, int rounds, double best[SUBJECTS])
{
    static struct face face;
    struct burst bursts[SUBJECTS] = {{{0}, row, &face},
                                     {subject_of(row, "auto"), row, &face},
                                     {subject_of(row, "reference"), row, &face}};
    struct timed_call calls[SUBJECTS];
    check(row, &bursts[AUTO].subject, &bursts[REFERENCE].subject);
    fill(&face);
    for (int i = 0; i < SUBJECTS; i++)
        calls[i] = (struct timed_call){run_burst, &bursts[i]};
    measure_interleaved(calls, SUBJECTS, rounds, best);
    for (int i = 0; i < SUBJECTS; i++)
        best[i] *= 1e9 / BURST;
}

static void print_row(const struct row *row, const double best[SUBJECTS])
{
    double times = best[AUTO] / best[MEMCPY];
    printf("%-19s %9.3f %9.3f %9.3f %9.2f %9.1f", row->name, FACE / best[MEMCPY], FACE / best[AUTO],
           FACE / best[REFERENCE], times, best[REFERENCE] / best[AUTO]);
    if (row->aim > 0)
        printf("   %.0f: %s", row->aim, times <= row->aim ? "reached" : "missed");
    putchar('\n');
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;
    if (rounds < 1)
        fatal("usage: bench_unpack_kernels [ROUNDS]");
    printf("Unpackers' kernels, a face of %d datums; 10^9 datums/s, the best of %d rounds; kernel "
           "sets: %s.\n\n",
           FACE, rounds, tsr_kernel_sets());
    printf("%-19s %9s %9s %9s %9s %9s   %s\n", "format", "memcpy", "auto", "reference", "x memcpy",
           "x ref", "aim (x memcpy)");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double best[SUBJECTS];
        measure(&rows[i], rounds, best);
        print_row(&rows[i], best);
    }
    return 0;
}
