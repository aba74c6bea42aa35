// SPDX-License-Identifier: Apache-2.0
// PACR against the second model (pacr_model.h) on random sequences that the pages define, on both
// chips. The last test shows that the comparison notices mistakes.
// Usage: test_pacr_oracle [WORDS [SEED]]; a long run is 1000000 words.
// Pages: as pacr_model.h.
#include "oracle/pacr_trials.h"

#include <tessera/tessera.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { WORDS = 14000, CANARY_WORDS = 10000 };

static uint64_t words_wanted = WORDS, first_seed;

static const char *const kinds[KIND_COUNT] = {"none",  "FP32", "TF32", "BF16", "E8M6",
                                              "FP16",  "E5M7", "E5M6", "FP8",  "INT32",
                                              "INT16", "INT8", "UINT8"};

static unsigned print_row(const char *name, uint64_t wh, uint64_t bh, unsigned chips)
{
    bool none = (chips & 1 && wh == 0) || (chips & 2 && bh == 0);
    printf("%-34s %10llu %10llu%s\n", name, (unsigned long long)wh, (unsigned long long)bh,
           none ? "  <- none" : "");
    return none;
}

static unsigned print_paths(const struct pacr_counts *wh, const struct pacr_counts *bh)
{
    unsigned missing = 0;
    printf("%-34s %10s %10s\n", "PACRs with", "WH", "BH");
    for (unsigned path = 0; path < PACR_PATH_COUNT; path++)
        missing +=
            print_row(pacr_path_name(path), wh->path[path], bh->path[path], pacr_path_chips(path));
    for (unsigned i = 0; i < 10; i++) {
        char name[40];
        snprintf(name, sizeof name, "SETDMAREG InputSource %u", i);
        missing += print_row(name, wh->special[i], bh->special[i], i > 2 && i < 6 ? 1 : 3);
    }
    for (unsigned i = 0; i < 4; i++) {
        char name[40];
        snprintf(name, sizeof name, "SETDMAREG ResultSize %u", i);
        missing += print_row(name, wh->result[i], bh->result[i], 3);
    }
    return missing + print_row("loads from TDMA-RISC", wh->tdma, bh->tdma, 3);
}

// On which chips the pages, or docs/arithmetic.md, have the conversion from Dst to `kind`.
static unsigned chips_with(bool wide, enum pacr_kind kind, unsigned out)
{
    unsigned chips = 0;
    for (unsigned bits = 0; bits < 16; bits++)
        for (unsigned format = 0; format < 16 * 2; format++) {
            struct pacr_early e = {wide,       bits & 1,    bits >> 1 & 1, bits >> 2 & 1,
                                   format & 1, format >> 1, out,           0};
            if (pacr_early_kind(&e) == kind && pacr_late_exists(kind, out))
                chips |= 1u << (format & 1);
        }
    return chips;
}

static unsigned print_pairs(const struct pacr_counts *wh, const struct pacr_counts *bh)
{
    unsigned missing = 0;
    for (unsigned i = 0; i < 2 * KIND_COUNT * 16; i++) {
        unsigned wide = i / 16 / KIND_COUNT, kind = i / 16 % KIND_COUNT, out = i % 16;
        unsigned chips = kind ? chips_with(wide, (enum pacr_kind)kind, out) : 0;
        if (!chips)
            continue;
        char name[60];
        snprintf(name, sizeof name, "%u bits, %s to %s", wide ? 32u : 16u, kinds[kind],
                 tsr_format_name((uint8_t)out));
        missing += print_row(name, wh->pair[wide][kind][out], bh->pair[wide][kind][out], chips);
    }
    return missing;
}

static void test_random_words(void **state)
{
    (void)state;
    struct pacr_trials *t = pacr_trials_new(first_seed);
    assert_non_null(t);
    const char *wrong = pacr_trials_run(t, words_wanted, PACR_FAULT_NONE);
    const struct pacr_counts *wh = pacr_trials_counts(t, false);
    const struct pacr_counts *bh = pacr_trials_counts(t, true);
    printf("%llu PACRs on WH, %llu on BH, in %llu cases; %llu refused, %llu undefined\n",
           (unsigned long long)wh->words, (unsigned long long)bh->words,
           (unsigned long long)(wh->cases + bh->cases), (unsigned long long)pacr_trials_refused(t),
           (unsigned long long)(wh->undefined + bh->undefined));
    if (wrong)
        fail_msg("%s", wrong);
    unsigned missing = print_paths(wh, bh) + print_pairs(wh, bh);
    uint64_t refused = pacr_trials_refused(t);
    pacr_trials_free(t);
    assert_int_equal(missing, 0);
    assert_int_equal(refused, 0);
}

static void test_canaries(void **state)
{
    (void)state;
    for (unsigned fault = PACR_FAULT_NONE + 1; fault < PACR_FAULT_COUNT; fault++) {
        struct pacr_trials *t = pacr_trials_new(first_seed + 1000000 * fault);
        assert_non_null(t);
        const char *wrong = pacr_trials_run(t, CANARY_WORDS, (enum pacr_fault)fault);
        uint64_t words = pacr_trials_counts(t, false)->words + pacr_trials_counts(t, true)->words;
        if (!wrong)
            fail_msg("%s was not found in %llu words", pacr_fault_name((enum pacr_fault)fault),
                     (unsigned long long)words);
        else
            printf("%-22s found after %5llu words: %s\n", pacr_fault_name((enum pacr_fault)fault),
                   (unsigned long long)words, wrong);
        pacr_trials_free(t);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_words),
        cmocka_unit_test(test_canaries),
    };
    if (argc > 1)
        words_wanted = strtoull(argv[1], NULL, 0);
    if (argc > 2)
        first_seed = strtoull(argv[2], NULL, 0) << 32;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
