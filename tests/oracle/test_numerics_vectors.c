// SPDX-License-Identifier: Apache-2.0
// Runs the golden vectors of tests/conformance/numerics against the public numerics: every line of
// every file, with the legend in its first line. CASES_DIR in the environment names
// another folder.
#include <tessera/numerics.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifndef TESSERA_SOURCE_DIR
#define TESSERA_SOURCE_DIR "."
#endif

enum { MAX_TOKENS = 64, MAX_LINE = 1024, SHOWN = 10 };

// One line, cut at blanks, commas and the arrow before the result.
typedef struct tokens {
    int count;
    char *at[MAX_TOKENS];
    char text[MAX_LINE];
} tokens;

typedef bool (*line_check)(const tokens *t, tsr_arch arch, uint32_t *expected, uint32_t *got);

static FILE *open_vectors(const char *name)
{
    const char *environment = getenv("CASES_DIR");
    const char *folders[] = {
        environment,
        TESSERA_SOURCE_DIR "/tests/conformance/numerics",
        TESSERA_SOURCE_DIR "/../shared/cases/numerics",
    };
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char path[1024];
        if (folders[i] == NULL)
            continue;
        snprintf(path, sizeof path, "%s/%s", folders[i], name);
        FILE *file = fopen(path, "r");
        if (file != NULL || i == 0)
            return file; // a folder asked for by name is not silently replaced
    }
    return NULL;
}

static void split_line(const char *line, tokens *t)
{
    t->count = 0;
    snprintf(t->text, sizeof t->text, "%s", line);
    for (char *word = strtok(t->text, " ,\r\n"); word != NULL; word = strtok(NULL, " ,\r\n")) {
        assert_true(t->count < MAX_TOKENS);
        if (strcmp(word, "->") != 0)
            t->at[t->count++] = word;
    }
}

static uint32_t hex(const tokens *t, int index)
{
    assert_true(index < t->count);
    return (uint32_t)strtoul(t->at[index], NULL, 16);
}

static uint32_t dec(const tokens *t, int index)
{
    assert_true(index < t->count);
    return (uint32_t)strtoul(t->at[index], NULL, 10);
}

static tsr_arch arch_of(const char *word)
{
    assert_true(strcmp(word, "wh") == 0 || strcmp(word, "bh") == 0);
    return word[0] == 'w' ? TSR_WORMHOLE_B0 : TSR_BLACKHOLE_A0;
}

static void run_file(const char *name, tsr_arch arch, int minimum, line_check check)
{
    FILE *file = open_vectors(name);
    if (file == NULL)
        fail_msg("cannot open %s", name);
    char line[MAX_LINE];
    tokens t;
    int lines = 0;
    int failures = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#')
            continue;
        uint32_t expected = 0;
        uint32_t got = 0;
        split_line(line, &t);
        lines++;
        if (!check(&t, arch, &expected, &got) && ++failures <= SHOWN)
            print_error("%s: expected %x, got %x: %s", name, expected, got, line);
    }
    fclose(file);
    print_message("%s: %d lines, %d failures\n", name, lines, failures);
    assert_true(lines >= minimum);
    assert_int_equal(failures, 0);
}

static bool check_dot16(const tokens *t, tsr_arch arch, uint32_t *expected, uint32_t *got)
{
    tsr_fpu_mode mode = {arch, dec(t, 0) != 0, dec(t, 1) != 0, (uint8_t)dec(t, 2)};
    uint32_t a[16];
    uint32_t b[16];
    for (int k = 0; k < 16; k++) {
        a[k] = hex(t, 4 + k);
        b[k] = hex(t, 20 + k);
    }
    *expected = hex(t, 36);
    *got = tsr_fpu_dot16(&mode, hex(t, 3), a, b);
    return *expected == *got;
}

static bool check_elwmul(const tokens *t, tsr_arch arch, uint32_t *expected, uint32_t *got)
{
    tsr_fpu_mode mode = {arch, dec(t, 0) != 0, dec(t, 1) != 0, (uint8_t)dec(t, 2)};
    *expected = hex(t, 6);
    *got = tsr_fpu_mul(&mode, hex(t, 5), hex(t, 3), hex(t, 4), true);
    return *expected == *got;
}

static bool check_elwadd(const tokens *t, tsr_arch arch, uint32_t *expected, uint32_t *got)
{
    tsr_fpu_mode mode = {arch, dec(t, 0) != 0, dec(t, 1) != 0, 0};
    *expected = hex(t, 6);
    *got = tsr_fpu_add(&mode, dec(t, 2) != 0, hex(t, 5), hex(t, 3), hex(t, 4), true);
    return *expected == *got;
}

static bool check_unpack(const tokens *t, tsr_arch arch, uint32_t *expected, uint32_t *got)
{
    (void)arch;
    tsr_unpack_mode mode = {
        .arch = arch_of(t->at[0]),
        .to_dst = strcmp(t->at[1], "Dst") == 0,
        .in_format = (uint8_t)dec(t, 2),
        .out_format = (uint8_t)dec(t, 3),
        .int8_unsigned = dec(t, 4) != 0,
        .lf8_4b_exp = dec(t, 5) != 0,
    };
    uint8_t exponent = t->at[7][0] == '-' ? 0 : (uint8_t)dec(t, 7);
    *expected = hex(t, 8);
    tsr_status status = tsr_unpack_datum(&mode, hex(t, 6), exponent, got);
    if (!mode.to_dst)
        *got <<= 13; // the files give a Src datum where an FP32 has its top bits
    return status == TSR_OK && *expected == *got;
}

static bool check_pack(const tokens *t, tsr_arch arch, uint32_t *expected, uint32_t *got)
{
    (void)arch;
    tsr_pack_mode mode = {
        .arch = arch_of(t->at[0]),
        .read_32b = dec(t, 1) != 0,
        .in_format = (uint8_t)dec(t, 2),
        .out_format = (uint8_t)dec(t, 3),
        .relu_mode = (uint8_t)dec(t, 4),
        .read_unsigned = dec(t, 5) != 0,
        .round_10b = dec(t, 6) != 0,
        .relu_threshold = (uint16_t)hex(t, 7),
        .lf8_4b_exp = true, // every FP8 in the file is e4m3
    };
    *expected = hex(t, 9);
    return tsr_pack_datum(&mode, hex(t, 8), got) == TSR_OK && *expected == *got;
}

static bool check_pack_bfp(const tokens *t, tsr_arch arch, uint32_t *expected, uint32_t *got)
{
    (void)arch;
    tsr_pack_mode mode = {
        .arch = arch_of(t->at[0]),
        .read_32b = dec(t, 1) != 0,
        .in_format = (uint8_t)dec(t, 2),
        .out_format = (uint8_t)dec(t, 3),
        .relu_mode = (uint8_t)dec(t, 4),
        .relu_threshold = (uint16_t)hex(t, 5),
    };
    uint32_t patterns[16];
    uint8_t elements[16];
    uint8_t exponent;
    for (int i = 0; i < 16; i++)
        if (tsr_pack_datum(&mode, hex(t, 6 + i), &patterns[i]) != TSR_OK)
            return false;
    if (tsr_pack_block(mode.out_format, patterns, &exponent, elements) != TSR_OK)
        return false;
    *expected = dec(t, 22);
    *got = exponent;
    for (int i = 0; i < 16 && *expected == *got; i++) {
        *expected = hex(t, 23 + i);
        *got = elements[i];
    }
    return *expected == *got;
}

static bool check_l1acc(const tokens *t, tsr_arch arch, uint32_t *expected, uint32_t *got)
{
    (void)arch;
    const char *kind = t->at[0];
    uint8_t format = strcmp(kind, "fp32") == 0 ? 0 : strcmp(kind, "fp16") == 0 ? 1 : 5;
    *expected = hex(t, 3);
    return tsr_pack_accumulate(format, hex(t, 1), hex(t, 2), got) == TSR_OK && *expected == *got;
}

static bool check_fma(const tokens *t, tsr_arch arch, uint32_t *expected, uint32_t *got)
{
    *expected = hex(t, 3);
    *got = tsr_sfpu_fma(arch, hex(t, 0), hex(t, 1), hex(t, 2));
    return *expected == *got;
}

// Chip, instruction, mode, operands, result.
static bool check_sfpu(const tokens *t, tsr_arch arch, uint32_t *expected, uint32_t *got)
{
    const char *name = t->at[1];
    unsigned mode = dec(t, 2);
    uint32_t in = hex(t, 3);
    arch = arch_of(t->at[0]);
    *expected = hex(t, t->count - 1);
    if (strcmp(name, "STOCHRND") == 0)
        *got = tsr_sfpu_stoch_rnd(mode, 0, in, 0, 0);
    else if (strcmp(name, "CAST") == 0)
        *got = tsr_sfpu_cast(arch, mode, in, 0);
    else if (strcmp(name, "ARECIP") == 0)
        *got = tsr_sfpu_arecip(mode, 0, in);
    else if (strcmp(name, "MUL24") == 0)
        *got = tsr_sfpu_mul24(mode, in, hex(t, 4), 0);
    else if (strcmp(name, "STORE") == 0)
        *got = tsr_sfpu_store(arch, mode, in);
    else
        fail_msg("no instruction is called %s", name);
    return *expected == *got;
}

static void test_dot16(void **state)
{
    (void)state;
    run_file("dot16_wh.txt", TSR_WORMHOLE_B0, 1000, check_dot16);
    run_file("dot16_bh.txt", TSR_BLACKHOLE_A0, 1000, check_dot16);
}

static void test_elwmul(void **state)
{
    (void)state;
    run_file("elwmul_wh.txt", TSR_WORMHOLE_B0, 1000, check_elwmul);
    run_file("elwmul_bh.txt", TSR_BLACKHOLE_A0, 1000, check_elwmul);
}

static void test_elwadd(void **state)
{
    (void)state;
    run_file("elwadd_wh.txt", TSR_WORMHOLE_B0, 1000, check_elwadd);
    run_file("elwadd_bh.txt", TSR_BLACKHOLE_A0, 1000, check_elwadd);
}

static void test_unpack(void **state)
{
    (void)state;
    run_file("unpack.txt", TSR_WORMHOLE_B0, 1000, check_unpack);
}

static void test_pack(void **state)
{
    (void)state;
    run_file("pack.txt", TSR_WORMHOLE_B0, 1000, check_pack);
}

static void test_pack_bfp(void **state)
{
    (void)state;
    run_file("pack_bfp.txt", TSR_WORMHOLE_B0, 100, check_pack_bfp);
}

static void test_l1acc(void **state)
{
    (void)state;
    run_file("l1acc.txt", TSR_WORMHOLE_B0, 1000, check_l1acc);
}

static void test_fma(void **state)
{
    (void)state;
    run_file("fma_wh.txt", TSR_WORMHOLE_B0, 5000, check_fma);
    run_file("fma_bh.txt", TSR_BLACKHOLE_A0, 5000, check_fma);
}

static void test_sfpu_ops(void **state)
{
    (void)state;
    run_file("sfpu_ops.txt", TSR_WORMHOLE_B0, 5000, check_sfpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dot16),    cmocka_unit_test(test_elwmul),
        cmocka_unit_test(test_elwadd),   cmocka_unit_test(test_unpack),
        cmocka_unit_test(test_pack),     cmocka_unit_test(test_pack_bfp),
        cmocka_unit_test(test_l1acc),    cmocka_unit_test(test_fma),
        cmocka_unit_test(test_sfpu_ops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
