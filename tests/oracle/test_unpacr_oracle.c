// SPDX-License-Identifier: Apache-2.0
// UNPACR against the second model (unpacr_model.h) on random instructions that the page defines,
// on both chips. The last test shows that the comparison notices mistakes.
// Usage: test_unpacr_oracle [WORDS [SEED [TABLE]]]; a long run is 1000000 words. TABLE gets what
// met of modes, formats and destinations, as docs/unpackers.md has it.
// Pages: UNPACR_Regular.md, Unpackers/README.md, Packers/Compression.md.
#include "oracle/compressor.h"
#include "oracle/unpacr_table.h"
#include "rig/sample.h"

#include <tessera/tessera.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS = RIG_SAMPLE(10000), CANARY_WORDS = 10000 };

static uint64_t words_wanted = WORDS, first_seed;
static const char *table_file;

// ---------------------------------------------------------------- random instructions

static bool needs_blackhole(unsigned path)
{
    return path == PATH_TILEIZE_WIDE || path == PATH_EXP4 || path == PATH_SRCA_WRAPS ||
           path == PATH_REMAP || path == PATH_SWIZZLE || path == PATH_LIMIT10 ||
           path == PATH_NON_LOG2;
}

static unsigned print_paths(const struct unpacr_counts *wh, const struct unpacr_counts *bh)
{
    unsigned missing = 0;
    printf("%-28s %10s %10s\n", "cases with", "WH", "BH");
    for (unsigned path = 0; path < PATH_COUNT; path++) {
        bool only_bh = needs_blackhole(path);
        bool none = bh->path[path] == 0 || (wh->path[path] == 0 && !only_bh);
        printf("%-28s %10llu %10llu%s\n", unpacr_path_name(path),
               (unsigned long long)wh->path[path], (unsigned long long)bh->path[path],
               none ? "  <- none" : "");
        missing += none;
    }
    printf("%-28s %10llu %10llu\n", "waits for a bank", (unsigned long long)wh->waits,
           (unsigned long long)bh->waits);
    return missing + (wh->waits == 0) + (bh->waits == 0);
}

static bool pair_exists(unsigned where, unsigned in, unsigned out)
{
    bool to_dst = where == 2;
    if (in == F_FP32)
        return out == F_TF32 || out == F_BF16 || out == F_FP16 || (to_dst && out == F_FP32);
    return in == out && unpacr_size16(in) != 0 && (to_dst || (in != F_TF32 && in != F_INT32));
}

static unsigned print_pairs(const struct unpacr_counts *wh, const struct unpacr_counts *bh)
{
    static const char *const where_names[] = {"SrcA", "SrcB", "Dst"};
    unsigned missing = 0;
    for (unsigned i = 0; i < 3 * 16 * 16; i++) {
        unsigned where = i / 256, in = i / 16 % 16, out = i % 16;
        uint64_t a = wh->pair[where][in][out], b = bh->pair[where][in][out];
        if (!pair_exists(where, in, out))
            continue;
        bool none = a == 0 || b == 0;
        printf("%-4s %-7s -> %-12s %10llu %10llu%s\n", where_names[where], tsr_format_name(in),
               tsr_format_name(out), (unsigned long long)a, (unsigned long long)b,
               none ? "  <- none" : "");
        missing += none;
    }
    return missing;
}

static void write_table(const struct unpacr_counts *wh, const struct unpacr_counts *bh)
{
    if (!table_file)
        return;
    FILE *file = fopen(table_file, "w");
    assert_non_null(file);
    unpacr_table_print(file, wh, bh);
    assert_int_equal(fclose(file), 0);
}

static void test_random_words(void **state)
{
    (void)state;
    struct unpacr_trials *t = unpacr_trials_new(first_seed);
    assert_non_null(t);
    const char *wrong = unpacr_trials_run(t, words_wanted, FAULT_NONE);
    if (wrong)
        fail_msg("%s", wrong);
    const struct unpacr_counts *wh = unpacr_trials_counts(t, false);
    const struct unpacr_counts *bh = unpacr_trials_counts(t, true);
    printf("%llu UNPACRs on WH, %llu on BH\n", (unsigned long long)wh->words,
           (unsigned long long)bh->words);
    unsigned missing = print_paths(wh, bh) + print_pairs(wh, bh);
    write_table(wh, bh);
    unpacr_trials_free(t);
    if (words_wanted >= WORDS)
        assert_int_equal(missing, 0);
}

// ---------------------------------------------------------------- undefined instructions

enum { UNDEFINED = 1500, REASONS = 19 };

// What the page calls undefined does not pass unnoticed under the strict profile.
static void test_undefined_words(void **state)
{
    (void)state;
    struct unpacr_trials *t = unpacr_trials_new(first_seed + 17);
    const char *reason[REASONS + 1] = {0};
    unsigned seen[REASONS + 1] = {0}, reasons = 0;
    assert_non_null(t);
    for (int i = 0; i < UNDEFINED; i++) {
        const char *why, *wrong = unpacr_trials_undefined(t, &why);
        if (wrong)
            fail_msg("%s", wrong);
        unsigned at = 0;
        while (at < reasons && strcmp(reason[at], why) != 0)
            at++;
        assert_true(at < REASONS);
        reasons += at == reasons;
        reason[at] = why;
        seen[at]++;
    }
    for (unsigned i = 0; i < reasons; i++)
        printf("%-60s %6u\n", reason[i], seen[i]);
    unpacr_trials_free(t);
    assert_int_equal(reasons, REASONS);
}

// ---------------------------------------------------------------- the compressor

enum { ROUND_TRIPS = 400, TRIP_ROWS = 6, TRIP_DATUMS = 1200, TRIP_L1 = 16384 };

static uint32_t bits_at(const uint8_t *l1, uint32_t address, uint32_t first, unsigned count)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= (uint32_t)(l1[address + (first + i) / 8] >> (first + i) % 8 & 1) << i;
    return value;
}

// Reads a row back by the page's description of the form.
static uint32_t expand(const uint8_t *l1, const struct compressor_result *r, unsigned bits,
                       uint32_t row, uint32_t *out)
{
    uint32_t from = bits_at(l1, r->row_starts, row * 16, 16);
    uint32_t to = bits_at(l1, r->row_starts, row * 16 + 16, 16), length = 0;
    for (uint32_t i = from; i < to; i++) {
        uint32_t group = r->datums + (i >> 5) * (4 * bits + 16);
        out[length++] = bits_at(l1, group, (i & 31) * bits, bits);
        for (uint32_t n = bits_at(l1, group + 4 * bits, (i & 31) * 4, 4); n > 0; n--)
            out[length++] = 0;
    }
    return length;
}

static void test_compressor(void **state)
{
    (void)state;
    static uint8_t l1[TRIP_L1];
    uint32_t datum[TRIP_DATUMS], back[TRIP_DATUMS + 16];
    uint16_t length[TRIP_ROWS];
    uint64_t random = 77, dropped = 0;
    for (int trip = 0; trip < ROUND_TRIPS; trip++) {
        unsigned bits = 4u << unpacr_below(&random, 4), percent = 25 * unpacr_below(&random, 5);
        for (int i = 0; i < TRIP_DATUMS; i++)
            datum[i] =
                unpacr_below(&random, 100) < percent ? 0 : unpacr_random(&random) >> (32 - bits);
        for (int i = 0; i < TRIP_ROWS; i++)
            length[i] = (uint16_t)unpacr_below(&random, TRIP_DATUMS / TRIP_ROWS);
        struct compressor_tile tile = {bits, TRIP_ROWS, length, datum, 0, NULL};
        struct compressor_result r = compressor_write(l1, sizeof l1, 16, &tile);
        const uint32_t *at = datum;
        assert_true(r.end > 0);
        for (uint32_t row = 0; row < TRIP_ROWS; at += length[row++]) {
            assert_int_equal(expand(l1, &r, bits, row, back), length[row]);
            assert_memory_equal(back, at, length[row] * sizeof *at);
        }
        dropped += (uint64_t)(at - datum) - r.kept;
    }
    assert_true(dropped > ROUND_TRIPS * 100);
}

// ---------------------------------------------------------------- canaries

static void test_canaries(void **state)
{
    (void)state;
    for (unsigned fault = FAULT_NONE + 1; fault < FAULT_COUNT; fault++) {
        struct unpacr_trials *t = unpacr_trials_new(first_seed + 1000000 * fault);
        assert_non_null(t);
        const char *wrong = unpacr_trials_run(t, CANARY_WORDS, fault);
        uint64_t words =
            unpacr_trials_counts(t, false)->words + unpacr_trials_counts(t, true)->words;
        if (!wrong)
            fail_msg("%s was not found in %llu words", unpacr_fault_name(fault),
                     (unsigned long long)words);
        else
            printf("%-20s found after %5llu words: %s\n", unpacr_fault_name(fault),
                   (unsigned long long)words, wrong);
        unpacr_trials_free(t);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compressor),
        cmocka_unit_test(test_random_words),
        cmocka_unit_test(test_undefined_words),
        cmocka_unit_test(test_canaries),
    };
    if (argc > 1)
        words_wanted = strtoull(argv[1], NULL, 0);
    if (argc > 2)
        first_seed = strtoull(argv[2], NULL, 0) << 32;
    if (argc > 3)
        table_file = argv[3];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
