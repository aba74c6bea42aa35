// SPDX-License-Identifier: Apache-2.0
// The vector unit's kernels of every set against the reference set: every operation in every mode,
// on special values and on random ones that meet, with lanes off, with results over operands. The
// reference set itself is compared with tessera/numerics.h where it does more than call it.
// Usage: test_kernels_vector [OPERANDS [SEED]]: so many operands for the multiply-add of each set,
// a tenth for each other operation; 1000000000 is a long run.
#include "kernel_rig.h"

#include "numerics/sfpu.h"

enum { LANES = TSR_VECTOR_LANES, REGS = 7 };

static uint64_t operands_wanted = 1000000;

static const uint32_t SPECIALS[] = {
    0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x80800001, 0x00ffffff, 0x1f800000,
    0x20000000, 0x33000000, 0x33800000, 0x33800001, 0x34000000, 0x3effffff, 0x3f000000, 0x3f7fffff,
    0x3f800000, 0xbf800000, 0x3f800001, 0xbf800002, 0x3fb504f3, 0x3fffffff, 0xc0000000, 0x4b7fffff,
    0x4f000000, 0x5f000000, 0x5f800000, 0x7f000000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
    0x7f800001, 0x7fc00000, 0xffc01234, 0xffffffff, 0x7fffffff, 0x0000001f, 0xffffffe0, 0x00000020,
};
enum { SPECIAL_COUNT = sizeof SPECIALS / sizeof SPECIALS[0] };

static struct operands {
    uint32_t a[REGS * LANES], b[LANES], c[LANES], d[LANES];
} given;

// What two sets make of the same operands.
static struct results {
    uint32_t d[LANES], c[LANES], flags;
} results[2];

static uint32_t value(uint32_t near)
{
    switch (random_below(8)) {
    case 0:
        return random32();
    case 1:
        return SPECIALS[random_below(SPECIAL_COUNT)];
    case 2: // small integers of either sign
        return (random_below(2) != 0 ? 0u : ~0u) ^ random32() >> random_below(32);
    default:
        return hard_fp32(near);
    }
}

// Products are exact, or all but a bit or two, only where both factors end in zeros.
static uint32_t plain(void)
{
    uint32_t zeros = random_below(2) != 0 ? ~0u << random_below(23) : ~0u;
    return (random32() & 0x807fffffu & zeros) | (96 + random_below(64)) << 23;
}

// For the multiply-add: most sums in reach of each other, some that cancel but for a few units.
static uint32_t addend(uint32_t a, uint32_t b)
{
    uint32_t near = (a >> 23 & 255u) + (b >> 23 & 255u) - 127;
    if (random_below(8) == 0)
        return (tsr_sfpu_fma(TSR_BLACKHOLE_A0, a, b, 0) ^ 0x80000000u) + random_below(9) - 4;
    return random_below(4) == 0 ? value(127) : (plain() & 0x807fffffu) | (near & 255u) << 23;
}

// So that no lane needs more than the host's multiply-add: z is at most two places below the
// product, and what it takes away from it, or the product from z, is at most one leading place.
static uint32_t quick_addend(uint32_t a, uint32_t b)
{
    int places = (int)random_below(8) - 2; // above the product
    bool opposite = (places == -2 || places >= 3) && random_below(2) != 0;
    uint32_t near = (a >> 23 & 255u) + (b >> 23 & 255u) - 127 + (uint32_t)places;
    uint32_t sign = ((a ^ b) & 0x80000000u) ^ (opposite ? 0x80000000u : 0);
    return sign | near << 23 | (plain() & 0x7fffffu);
}

// z so far below the product, or nearly its opposite, that the chip's own cut decides; in reach of
// the ends of that.
static uint32_t apart_addend(uint32_t a, uint32_t b)
{
    uint32_t near = (a >> 23 & 255u) + (b >> 23 & 255u) - 127;
    if (random_below(4) == 0)
        return (tsr_sfpu_fma(TSR_BLACKHOLE_A0, a, b, 0) ^ 0x80000000u) + random_below(33) - 16;
    if (random_below(32) == 0)
        return random_below(2) << 31;
    uint32_t ones = random_below(4) == 0 ? 0x7ffff0u : 0;
    return (plain() & 0x807fffffu) | ones | (near - random_below(30)) << 23;
}

// One table in all lanes, as kernels have it, of any kind of value; |x| at and beside the places
// where lines meet, now and then zero.
static void fill_one_table(bool special)
{
    static const uint32_t meet[] = {0x3f000000, 0x3f800000, 0x3fc00000,
                                    0x40000000, 0x40400000, 0x40800000};
    for (int reg = 0; reg < REGS; reg++)
        for (int i = 0; i < LANES; i++)
            given.a[reg * LANES + i] = i == 0 && special ? value(127) : given.a[reg * LANES];
    for (int i = 0; i < LANES; i++) {
        uint32_t near = meet[random_below(6)] + random_below(5) - 2;
        uint32_t size =
            random_below(2) != 0 ? near : (random32() & 0x7fffffu) | (124 + random_below(8)) << 23;
        given.a[3 * LANES + i] = random_below(64) == 0 ? 0 : size | random_below(2) << 31;
    }
}

// Tables without surprises: lines of 16 bits twice in a word, some of them zero, and |x| about 1.
static void fill_lines(void)
{
    for (int i = 0; i < REGS * LANES; i++) {
        uint32_t low = random_below(8) == 0 ? 0x7c00u : (random32() & 0x83ffu) | 12u << 10;
        uint32_t high = random_below(4) == 0 ? 0x7c00u : (random32() & 0x83ffu) | 14u << 10;
        given.a[i] = random_below(2) != 0 ? high << 16 | low : low << 16 | low;
    }
    for (int i = 0; i < LANES; i++)
        given.a[3 * LANES + i] = (random32() & 0x807fffffu) | (125 + random_below(4)) << 23;
}

// What the caller of a multiply-add says that it knows is so.
static void fill_known(tsr_vector_mode *mode)
{
    mode->known = (uint8_t)random_below(4);
    uint32_t least = random_below(130);
    bool small = random_below(4) == 0; // numbers that cancel
    for (int i = 0; small && mode->known != TSR_VECTOR_PRODUCT && i < LANES; i++) {
        given.a[i] = (plain() & 0x807fffffu) | (least + 1 + random_below(4)) << 23;
        given.b[i] = given.a[i];
        given.c[i] = (given.a[i] ^ 0x80000000u) + random_below(5) - 2;
    }
    if (mode->known == TSR_VECTOR_PRODUCT)
        mode->negate_c = 0;
    if (mode->known == TSR_VECTOR_SUM_OF_B)
        mode->negate_a = 0;
    for (int i = 0; i < LANES; i++) {
        given.a[i] = mode->known == TSR_VECTOR_SUM_OF_B ? 0x3f800000u : given.a[i];
        given.b[i] = mode->known == TSR_VECTOR_SUM_OF_A ? 0x3f800000u : given.b[i];
        given.c[i] = mode->known == TSR_VECTOR_PRODUCT ? 0 : given.c[i];
    }
}

// Whole registers of one kind now and then: of zeros, ones, numbers without surprises, or operands
// that are quick in all lanes, or need the chip's cut.
static void fill(bool tables)
{
    uint32_t kind = random_below(9);
    for (int i = 0; i < (tables ? REGS * LANES : LANES); i++)
        given.a[i] = value(127);
    for (int i = 0; i < LANES; i++) {
        bool easy = kind < 5;
        given.a[i] = kind == 0 ? 0x3f800000u : easy ? plain() : given.a[i];
        given.b[i] = kind == 1 ? 0x3f800000u : easy ? plain() : value(127);
        given.c[i] = kind == 2 ? 0 : easy && random_below(4) != 0 ? plain() : value(127);
        given.d[i] = random_below(2) != 0 ? value(127) : random32();
        if (kind > 2 && random_below(4) != 0)
            given.c[i] = addend(given.a[i], given.b[i]);
        if (kind == 4)
            given.c[i] = quick_addend(given.a[i], given.b[i]);
        if (kind == 8) {
            given.a[i] = plain();
            given.b[i] = plain();
            given.c[i] = apart_addend(given.a[i], given.b[i]);
        }
        if (random_below(512) == 0)
            given.b[i] = value(127);
    }
}

static uint32_t some_lanes(void)
{
    switch (random_below(4)) {
    case 0:
        return random32();
    case 1:
        return 1u << random_below(LANES);
    default:
        return ~0u;
    }
}

// Results go over d, or over an operand in its place.
static void run(tsr_vector_fn *kernel, const tsr_vector_mode *mode, uint32_t lanes, unsigned over,
                bool no_a, bool no_b, struct results *into)
{
    struct operands own = given;
    uint32_t *out = over == 1 ? own.a : over == 2 ? own.b : over == 3 ? own.c : own.d;
    into->flags = kernel(out, no_a ? NULL : own.a, no_b ? NULL : own.b, own.c, lanes, mode);
    memcpy(into->d, out, sizeof into->d);
}

static void compare(const char *set_name, const char *what, const tsr_vector_mode *mode,
                    uint32_t lanes)
{
    for (int i = 0; i < LANES; i++) {
        if (results[0].d[i] == results[1].d[i] && results[0].c[i] == results[1].c[i])
            continue;
        print_error("set %s, %s %u, arch %d, modifier %u, rounding %u, immediate %x: a %08x b %08x "
                    "c %08x d %08x, lane %d: %08x, should be %08x (c %08x, %08x)\n",
                    set_name, what, mode->op, mode->arch, mode->modifier, mode->rounding,
                    mode->immediate, given.a[i], given.b[i], given.c[i], given.d[i], i,
                    results[1].d[i], results[0].d[i], results[1].c[i], results[0].c[i]);
        fail();
    }
    if (results[0].flags != results[1].flags)
        print_error("set %s, %s %u, modifier %u, lanes %08x: flags %08x, should be %08x\n",
                    set_name, what, mode->op, mode->modifier, lanes, results[1].flags,
                    results[0].flags);
    assert_int_equal(results[0].flags, results[1].flags);
}

static tsr_vector_mode random_mode(unsigned op)
{
    static const uint16_t immediates[] = {0, 1, 31, 32, 0x7ff, 0x800, 0xfe0, 0xfff, 0xffff, 0x8000};
    bool edge = random_below(2) != 0;
    return (tsr_vector_mode){
        .arch = random_below(2) != 0 ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0,
        .op = (uint8_t)op,
        .modifier = (uint8_t)random_below(16),
        .rounding = (uint8_t)random_below(4),
        .fp16a_inf = random_below(2) != 0,
        .immediate = edge ? immediates[random_below(10)] : (uint16_t)random32(),
        .negate_a = random_below(2) << 31,
        .negate_c = random_below(2) << 31,
        .inverted = random_below(2) != 0 ? random32() : 0,
    };
}

// The sets beside the reference that run here.
static const struct tsr_kernels *sets[SETS];
static const char *set_names[SETS];

static void find_sets(void)
{
    int count = 0;
    for (const char *name = next_set(NULL); name; name = next_set(name)) {
        sets[count] = tsr_kernels_select(name);
        set_names[count++] = name;
    }
}

// Whether something was inexact before decides which way a set without rounding in its instructions
// takes; no flag may change.
static unsigned usual_mode(void)
{
#if defined(__x86_64__)
    const unsigned usual = 0x1f80, inexact = 0x20;
    unsigned wanted = random_below(8) != 0 ? usual | inexact : usual;
    __builtin_ia32_ldmxcsr(wanted);
    return wanted;
#else
    return 0;
#endif
}

static void assert_mode_is(unsigned wanted)
{
#if defined(__x86_64__)
    assert_int_equal(__builtin_ia32_stmxcsr(), wanted);
#else
    (void)wanted;
#endif
}

static void check(const tsr_vector_mode *mode, bool table)
{
    tsr_vector_fn *expected = tsr_kernels_vector(reference, mode);
    bool round = mode->op == TSR_VECTOR_STOCH_RND || mode->op == TSR_VECTOR_CAST;
    bool no_a = round && random_below(4) == 0, no_b = round && random_below(2) == 0;
    unsigned over = random_below(table ? 2 : 4);
    uint32_t lanes = some_lanes();
    if ((no_a && over == 1) || (no_b && over == 2))
        over = 0;
    run(expected, mode, lanes, over, no_a, no_b, &results[0]);
    for (int set = 0; set < SETS && sets[set]; set++) {
        tsr_vector_fn *kernel = tsr_kernels_vector(sets[set], mode);
        if (kernel != expected) {
            run(kernel, mode, lanes, over, no_a, no_b, &results[1]);
            compare(set_names[set], "operation", mode, lanes);
        }
    }
}

static void test_operations(void **state)
{
    (void)state;
    for (unsigned op = 0; op < TSR_VECTOR_OPS; op++) {
        bool table = op == TSR_VECTOR_LUT || op == TSR_VECTOR_LUTFP32;
        uint64_t tries = operands_wanted / LANES / (op == TSR_VECTOR_FMA ? 1 : 10);
        for (uint64_t i = 0; i < tries; i++) {
            tsr_vector_mode mode = random_mode(op);
            fill(table);
            if (table && i % 2 != 0)
                fill_lines();
            if (table && i % 4 > 1)
                fill_one_table(i % 8 > 5);
            if (op == TSR_VECTOR_FMA && i % 2 != 0)
                fill_known(&mode);
            unsigned before = usual_mode();
            check(&mode, table);
            assert_mode_is(before);
        }
    }
}

// All triples of special values through the multiply-add, a lane each.
static void check_special_sums(const struct tsr_kernels *kernels, const char *set_name)
{
    for (unsigned i = 0; i < 2u * SPECIAL_COUNT * SPECIAL_COUNT * SPECIAL_COUNT; i += LANES) {
        tsr_vector_mode mode = {.op = TSR_VECTOR_FMA,
                                .arch = i / LANES % 2 != 0 ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0};
        for (unsigned lane = 0; lane < LANES; lane++) {
            unsigned triple =
                (i / LANES / 2 * LANES + lane) % (SPECIAL_COUNT * SPECIAL_COUNT * SPECIAL_COUNT);
            given.a[lane] = SPECIALS[triple % SPECIAL_COUNT];
            given.b[lane] = SPECIALS[triple / SPECIAL_COUNT % SPECIAL_COUNT];
            given.c[lane] = SPECIALS[triple / SPECIAL_COUNT / SPECIAL_COUNT];
        }
        run(tsr_kernels_vector(reference, &mode), &mode, ~0u, 0, false, false, &results[0]);
        run(tsr_kernels_vector(kernels, &mode), &mode, ~0u, 0, false, false, &results[1]);
        compare(set_name, "special sums", &mode, ~0u);
    }
}

// Sums and products of special values, which take the host's own instructions.
static void check_special_pairs(const struct tsr_kernels *kernels, const char *set_name)
{
    static const uint8_t knowns[] = {TSR_VECTOR_PRODUCT, TSR_VECTOR_SUM_OF_B, TSR_VECTOR_SUM_OF_A};
    for (unsigned i = 0; i < SPECIAL_COUNT * SPECIAL_COUNT; i++) {
        tsr_vector_mode mode = {.op = TSR_VECTOR_FMA,
                                .arch = i % 2 != 0 ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0};
        for (unsigned kind = 0; kind < 3; kind++) {
            for (unsigned lane = 0; lane < LANES; lane++) {
                uint32_t x = SPECIALS[(i + lane) % SPECIAL_COUNT];
                uint32_t y = SPECIALS[(i / SPECIAL_COUNT + lane * lane) % SPECIAL_COUNT];
                given.a[lane] = kind == 1 ? 0x3f800000u : x;
                given.b[lane] = kind == 2 ? 0x3f800000u : kind == 1 ? x : y;
                given.c[lane] = kind == 0 ? 0 : y;
            }
            run(tsr_kernels_vector(reference, &mode), &mode, ~0u, 0, false, false, &results[0]);
            for (int known = 0; known < 2; known++) {
                mode.known = known == 0 ? TSR_VECTOR_ANY : knowns[kind];
                run(tsr_kernels_vector(kernels, &mode), &mode, ~0u, 0, false, false, &results[1]);
                compare(set_name, "special pairs", &mode, ~0u);
            }
        }
    }
}

static void test_specials(void **state)
{
    (void)state;
    for (int set = 0; set < 2 * SETS && sets[set / 2]; set++) {
        unsigned before = usual_mode();
        check_special_sums(sets[set / 2], set_names[set / 2]);
        check_special_pairs(sets[set / 2], set_names[set / 2]);
        assert_mode_is(before);
    }
}

// However the host rounds and whatever it does with denormals, and though it would trap.
static void test_host_mode(void **state)
{
    (void)state;
#if defined(__x86_64__)
    const unsigned before = __builtin_ia32_stmxcsr();
    const unsigned up = 0x4000, down_to_zero = 0x6000, flush = 0x8040;
    for (int set = 0; set < SETS && sets[set]; set++) {
        for (unsigned i = 0; i < 2; i++) {
            __builtin_ia32_ldmxcsr(i == 0 ? up : down_to_zero | flush);
            check_special_sums(sets[set], set_names[set]);
            check_special_pairs(sets[set], set_names[set]);
            unsigned after = __builtin_ia32_stmxcsr();
            __builtin_ia32_ldmxcsr(before);
            assert_int_equal(after, i == 0 ? up : down_to_zero | flush);
        }
        for (unsigned op = 0; op < TSR_VECTOR_OPS; op++) {
            bool table = op == TSR_VECTOR_LUT || op == TSR_VECTOR_LUTFP32;
            for (unsigned i = 0; i < 100; i++) {
                tsr_vector_mode mode = random_mode(op);
                fill(table);
                if (op == TSR_VECTOR_FMA && i % 2 != 0)
                    fill_known(&mode);
                __builtin_ia32_ldmxcsr(down_to_zero | flush);
                check(&mode, table);
                unsigned after = __builtin_ia32_stmxcsr();
                __builtin_ia32_ldmxcsr(before);
                assert_int_equal(after, down_to_zero | flush);
            }
        }
    }
#endif
}

static void swap_with(const struct tsr_kernels *kernels, const tsr_vector_mode *mode,
                      uint32_t lanes, bool same, struct results *into)
{
    struct operands own = given;
    into->flags = tsr_kernels_vector_swap(kernels, mode)(same ? own.d : own.c, own.d, lanes, mode);
    memcpy(into->d, own.d, sizeof into->d);
    memcpy(into->c, own.c, sizeof into->c);
}

static void test_swaps(void **state)
{
    (void)state;
    FOR_EACH_SET(kernels)
    {
        for (uint64_t i = 0; i < operands_wanted / LANES / 10; i++) {
            tsr_vector_mode mode = random_mode(0);
            uint32_t lanes = some_lanes();
            bool same = random_below(16) == 0;
            fill(false);
            for (int lane = 0; lane < LANES; lane++)
                if (random_below(8) == 0)
                    given.c[lane] = given.d[lane];
            swap_with(reference, &mode, lanes, same, &results[0]);
            swap_with(kernels, &mode, lanes, same, &results[1]);
            compare(set_name, "swap", &mode, lanes);
        }
        memset(results, 0, sizeof results);
    }
}

// Cells of Dst with a guard behind each output.
static struct cells {
    uint16_t high[64 + 32], low[64 + 32];
} cells[2];

static void check_dst(const struct tsr_kernels *kernels, const char *set_name,
                      const tsr_vector_mode *mode)
{
    const struct tsr_kernels *const both[2] = {reference, kernels};
    bool odd = random_below(2) != 0;
    uint32_t lanes = some_lanes();
    hard_bytes((uint8_t *)cells, sizeof cells[0]);
    cells[1] = cells[0];
    for (int i = 0; i < 2; i++) {
        bool wide = tsr_sfpu_load_is_32(mode->modifier);
        results[i].flags = 0;
        memcpy(results[i].d, given.d, sizeof given.d);
        tsr_kernels_vector_load(both[i], mode)(results[i].d, cells[i].high,
                                               wide ? cells[i].low : NULL, odd, lanes, mode);
    }
    compare(set_name, "load", mode, lanes);
    for (int i = 0; i < 2; i++)
        tsr_kernels_vector_store(both[i], mode)(
            cells[i].high, tsr_sfpu_store_is_32(mode->modifier) ? cells[i].low : NULL, given.c, odd,
            lanes, mode);
    if (memcmp(&cells[0], &cells[1], sizeof cells[0]) != 0) {
        print_error("set %s, store, modifier %u, arch %d\n", set_name, mode->modifier, mode->arch);
        fail();
    }
}

static void test_dst(void **state)
{
    (void)state;
    FOR_EACH_SET(kernels)
    {
        for (uint64_t i = 0; i < operands_wanted / LANES / 10; i++) {
            tsr_vector_mode mode = random_mode(0);
            mode.modifier = (uint8_t)(1 + i % 15);
            fill(false);
            check_dst(kernels, set_name, &mode);
        }
    }
}

// The reference set: lanes that are off, and where lanes and columns meet.
static void test_reference(void **state)
{
    (void)state;
    tsr_vector_mode mode = {.op = TSR_VECTOR_IADD};
    fill(false);
    run(tsr_kernels_vector(reference, &mode), &mode, 0x0000ffff, 0, false, false, &results[0]);
    for (int i = 0; i < LANES; i++)
        assert_int_equal(results[0].d[i], i < 16 ? given.c[i] + given.d[i] : given.d[i]);
    assert_int_equal(results[0].flags >> 16, 0);
    for (uint16_t i = 0; i < 64; i++)
        cells[0].high[i] = i;
    mode.modifier = MOD0_FMT_UINT16;
    tsr_kernels_vector_load(reference, &mode)(results[0].d, cells[0].high, NULL, true, ~0u, &mode);
    for (uint32_t i = 0; i < LANES; i++)
        assert_int_equal(results[0].d[i], i / 8 * 16 + i % 8 * 2 + 1);
    tsr_kernels_vector_store(reference, &mode)(cells[0].high, NULL, results[0].d, false, ~0u,
                                               &mode);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(cells[0].high[i], i | 1u);
    tsr_vector_mode none = {.op = TSR_VECTOR_OPS};
    assert_null(tsr_kernels_vector(reference, &none));
}

int main(int argc, char **argv)
{
    reference = tsr_kernels_select("reference");
    find_sets();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference), cmocka_unit_test(test_operations),
        cmocka_unit_test(test_specials),  cmocka_unit_test(test_host_mode),
        cmocka_unit_test(test_swaps),     cmocka_unit_test(test_dst),
    };
    if (argc > 1)
        operands_wanted = strtoull(argv[1], NULL, 0);
    if (argc > 2)
        random_state ^= strtoull(argv[2], NULL, 0) << 32;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
