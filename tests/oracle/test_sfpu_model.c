// SPDX-License-Identifier: Apache-2.0
// The second model of the vector unit against the golden vectors of tests/conformance/numerics:
// a model that has to judge the unit has to be right itself.
// Pages: as sfpu_model.h.
#include "oracle/sfpu_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static FILE *open_vectors(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/conformance/numerics/%s", TESSERA_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("cannot open %s", path);
    return file;
}

static void run_fma(const char *name, bool blackhole)
{
    FILE *file = open_vectors(name);
    char line[200];
    unsigned x, y, z, expected, count = 0;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%x %x %x %x", &x, &y, &z, &expected) != 4)
            continue;
        uint32_t got = blackhole ? sfpu_fma_bh(x, y, z, SFPU_FAULT_NONE)
                                 : sfpu_fma_wh(x, y, z, SFPU_FAULT_NONE);
        if (got != expected)
            fail_msg("%s: the model has %x: %s", name, (unsigned)got, line);
        count++;
    }
    fclose(file);
    assert_true(count > 5000);
}

static void test_multiply_add(void **state)
{
    (void)state;
    run_fma("fma_wh.txt", false);
    run_fma("fma_bh.txt", true);
}

// L0 and L1 hold the inputs; the result is in L2, or in Dst's first row.
static uint32_t run_operation(const struct sfpu_words *words, struct sfpu_insn *i, uint32_t a,
                              uint32_t b)
{
    static struct sfpu_model m;
    sfpu_model_reset(&m, words);
    for (unsigned lane = 0; lane < SFPU_LANES; lane++) {
        m.lreg[0][lane] = a;
        m.lreg[1][lane] = b;
    }
    sfpu_model_issue(&m, 0, sfpu_encode(words, i));
    sfpu_model_idle(&m);
    if (m.undefined)
        fail_msg("%s: %s", sfpu_op_name(i->op), m.undefined);
    if (i->op != SFPU_STORE)
        return m.lreg[2][7];
    bool wide = i->mod == 3 || i->mod == 4 || i->mod == 12 || i->mod == 7 || i->mod == 9;
    return wide ? (uint32_t)m.dst[0][0] << 16 | m.dst[8][0] : m.dst[0][0];
}

static void test_operations(void **state)
{
    (void)state;
    struct sfpu_words words[2];
    sfpu_words_init(&words[0], TSR_WORMHOLE_B0);
    sfpu_words_init(&words[1], TSR_BLACKHOLE_A0);
    FILE *file = open_vectors("sfpu_ops.txt");
    char line[200], chip[8], name[16];
    unsigned mod, a, b, expected, count = 0;
    while (fgets(line, sizeof line, file)) {
        static const struct {
            const char *name;
            struct sfpu_insn insn;
        } all[] = {{"STORE", {.op = SFPU_STORE}},
                   {"STOCHRND", {.op = SFPU_STOCH_RND, .vd = 2}},
                   {"CAST", {.op = SFPU_CAST, .vd = 2}},
                   {"ARECIP", {.op = SFPU_ARECIP, .vd = 2}},
                   {"MUL24", {.op = SFPU_MUL24, .vd = 2, .vb = 1, .vc = 9}}};
        b = 0;
        if (line[0] == '#')
            continue;
        if (sscanf(line, "%7s %15s %u %x,%x %x", chip, name, &mod, &a, &b, &expected) != 6)
            assert_int_equal(sscanf(line, "%7s %15s %u %x %x", chip, name, &mod, &a, &expected), 5);
        unsigned n = 0;
        while (n < 5 && strcmp(all[n].name, name) != 0)
            n++;
        assert_true(n < 5);
        struct sfpu_insn i = all[n].insn;
        i.mod = (uint8_t)mod;
        uint32_t got = run_operation(&words[chip[0] == 'b'], &i, a, b);
        if (got != expected)
            fail_msg("the model has %x: %s", (unsigned)got, line);
        count++;
    }
    fclose(file);
    assert_true(count > 7000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_multiply_add),
        cmocka_unit_test(test_operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
