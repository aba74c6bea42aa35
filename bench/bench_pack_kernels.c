// SPDX-License-Identifier: Apache-2.0
// How fast the packers' kernels convert a face of 256 datums that the cache holds, beside a memcpy
// of the same bytes of L1 and beside the reference kernels, measured in interleaved rounds. With L1
// accumulation, what is timed is the sum alone.
// usage: bench_pack_kernels [ROUNDS]
//
// What is timed is compared with the reference first. Pages: Packers/FormatConversion.md,
// Packers/README.md (L1 accumulation).
#include "interleave.h"
#include "pack_tiles.h"

#include "kernels/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACE = 256, BURST = 50, ROUNDS = 25 };

struct face {
    _Alignas(64) uint16_t high[FACE];
    _Alignas(64) uint16_t low[FACE];
    _Alignas(64) uint8_t bytes[4 * FACE];
    uint8_t exponents[FACE / 16];
    _Alignas(64) uint8_t from[4 * FACE + FACE / 16];
    _Alignas(64) uint8_t to[4 * FACE + FACE / 16];
};

struct subject {
    const struct pack_format *format;
    tsr_pack_mode mode;
    tsr_pack_fn *convert; // without any of the three: memcpy
    tsr_pack_block_fn *blocks;
    tsr_accumulate_fn *accumulate;
    struct face *face;
};

static struct subject subject_of(const struct pack_format *format, const char *kernels,
                                 struct face *face)
{
    const struct tsr_kernels *choice = tsr_kernels_select(kernels);
    struct subject subject = {
        .format = format, .mode = pack_mode_of(format, TSR_WORMHOLE_B0), .face = face};
    if (format->extra == EXTRA_ACCUMULATE)
        subject.accumulate = tsr_kernels_accumulate(choice, format->out);
    else if (format->blocks)
        subject.blocks = tsr_kernels_pack_block(choice, &subject.mode);
    else
        subject.convert = tsr_kernels_pack(choice, &subject.mode);
    if (!subject.accumulate && !subject.blocks && !subject.convert)
        fatal("no kernel for %s", format->name);
    return subject;
}

static void once(const struct subject *s)
{
    struct face *face = s->face;
    const uint16_t *low = s->format->wide ? face->low : NULL;
    if (s->convert)
        s->convert(face->bytes, face->high, low, FACE, &s->mode);
    else if (s->blocks)
        s->blocks(face->bytes, face->exponents, face->high, low, FACE / 16, &s->mode);
    else if (s->accumulate)
        s->accumulate(face->bytes, face->from, FACE, s->format->out);
    else
        copy_bytes(face->to, face->from, pack_bytes(s->format, FACE));
}

static void burst(void *context)
{
    for (int i = 0; i < BURST; i++)
        once(context);
}

// As tests write Dst: by the numerics.
static uint32_t stored(const struct pack_format *format, const uint8_t *bytes, unsigned i)
{
    uint32_t value = 0;
    for (unsigned byte = 0; byte < (format->wide ? 4u : 2u); byte++)
        value |= (uint32_t)bytes[(format->wide ? 4 : 2) * i + byte] << 8 * byte;
    if (format->wide)
        return tsr_dst_encode_fp32(value);
    return format->fill == pack_formats[0].fill ? tsr_dst_encode_bf16((uint16_t)value)
                                                : tsr_dst_encode_fp16((uint16_t)value);
}

static void fill(const struct pack_format *format, struct face *face)
{
    memset(face, 0, sizeof *face);
    make_pack_data(format, face->from, FACE);
    for (unsigned i = 0; i < FACE; i++) {
        uint32_t datum = stored(format, face->from, i);
        face->high[i] = (uint16_t)(format->wide ? datum >> 16 : datum);
        face->low[i] = (uint16_t)datum;
    }
}

static void check(const struct subject *fast, const struct subject *slow)
{
    fill(fast->format, fast->face);
    fill(slow->format, slow->face);
    for (int i = 0; i < 3; i++) { // sums grow
        once(fast);
        once(slow);
    }
    if (memcmp(fast->face, slow->face, sizeof *fast->face) != 0)
        fatal("%s: the kernels differ from the reference", fast->format->name);
}

static void bench_row(const struct pack_format *format, int rounds)
{
    static struct face faces[3];
    enum { MEMCPY, AUTO, REFERENCE, SUBJECTS };
    struct subject subjects[SUBJECTS] = {{.format = format, .face = &faces[0]},
                                         subject_of(format, "auto", &faces[1]),
                                         subject_of(format, "reference", &faces[2])};
    struct timed_call calls[SUBJECTS];
    double best[SUBJECTS];
    check(&subjects[AUTO], &subjects[REFERENCE]);
    for (int i = 0; i < SUBJECTS; i++)
        calls[i] = (struct timed_call){burst, &subjects[i]};
    measure_interleaved(calls, SUBJECTS, rounds, best);
    double datums = 1e-9 * FACE * BURST;
    printf("%-24s %9.3f %9.3f %9.3f %9.2f %9.1f\n", format->name, datums / best[MEMCPY],
           datums / best[AUTO], datums / best[REFERENCE], best[AUTO] / best[MEMCPY],
           best[REFERENCE] / best[AUTO]);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;
    if (rounds < 1)
        fatal("usage: bench_pack_kernels [ROUNDS]");
    printf("Packers' kernels, a face of %d datums; 10^9 datums/s, the best of %d rounds; kernel "
           "sets: %s.\n\n",
           FACE, rounds, tsr_kernel_sets());
    printf("%-24s %9s %9s %9s %9s %9s\n", "format", "memcpy", "auto", "reference", "x memcpy",
           "x ref");
    for (int i = 0; i < PACK_FORMATS; i++)
        if (pack_formats[i].extra != EXTRA_EDGES && pack_formats[i].extra != EXTRA_STATISTICS)
            bench_row(&pack_formats[i], rounds);
    return 0;
}
