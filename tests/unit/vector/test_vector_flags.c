// SPDX-License-Identifier: Apache-2.0
// Lane flags and their stack: every mode of SFPENCC, SFPSETCC, SFPPUSHC, SFPPOPC, SFPCOMPC and,
// on Blackhole, SFPLE and SFPGT, against a model of one lane. Pages: those of the instructions.
#include "rig/vector_rig.h"

struct entry {
    bool flags, use;
};

// A lane as the pages have it.
struct lane {
    bool flags, use;
    struct entry stack[8];
    int size;
};

static void random_state(tsr_tile *tile, uint32_t *seed, struct lane lanes[TSR_LANES], int size)
{
    struct tsr_vector *vector = vector_of(tile);
    memset(vector->depth, 0, sizeof vector->depth);
    for (unsigned i = 0; i < TSR_LANES; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        uint32_t bits = *seed >> 8;
        lanes[i] = (struct lane){.flags = bits & 1, .use = bits >> 1 & 1, .size = size};
        for (int level = 0; level < 8; level++)
            lanes[i].stack[level] =
                (struct entry){bits >> (2 + level) & 1, bits >> (10 + level) & 1};
    }
    vector->flags = vector->use_flags = 0;
    for (unsigned i = 0; i < TSR_LANES; i++) {
        vector->flags |= (uint32_t)lanes[i].flags << i;
        vector->use_flags |= (uint32_t)lanes[i].use << i;
    }
    for (int level = 0; level < 8; level++) {
        vector->stack_flags[level] = vector->stack_use[level] = 0;
        vector->depth[level] = level < size ? ~0u : 0;
        for (unsigned i = 0; i < TSR_LANES; i++) {
            vector->stack_flags[level] |= (uint32_t)lanes[i].stack[level].flags << i;
            vector->stack_use[level] |= (uint32_t)lanes[i].stack[level].use << i;
        }
    }
    tsr_vector_enable(vector);
}

static void compare(tsr_tile *tile, const struct lane lanes[TSR_LANES], const char *text)
{
    tsr_lanes view;
    assert_int_equal(tsr_view_lanes(tile, &view), TSR_OK);
    for (unsigned i = 0; i < TSR_LANES; i++) {
        bool same = (view.flags >> i & 1) == lanes[i].flags &&
                    (view.use_flags >> i & 1) == lanes[i].use &&
                    (view.enabled >> i & 1) == (!lanes[i].use || lanes[i].flags);
        for (int level = 0; level < 8; level++) {
            bool used = level < lanes[i].size;
            same = same && (view.stack_used[level] >> i & 1) == used;
            if (used)
                same = same && (view.stack_flags[level] >> i & 1) == lanes[i].stack[level].flags &&
                       (view.stack_use_flags[level] >> i & 1) == lanes[i].stack[level].use;
        }
        if (!same)
            fail_msg("%s: lane %u differs", text, i);
    }
}

static bool boolean(unsigned mod, bool a, bool b)
{
    // The page's table, a row for each mode: results for (a, b) = 00, 01, 10, 11.
    static const uint8_t rows[13] = {0, 0xa, 0x5, 0x8, 0xe, 0x4, 0xd, 0x2, 0xb, 0x1, 0x7, 0x6, 0x9};
    return rows[mod] >> (2 * a + b) & 1;
}

static void push(int arch, struct lane *lane, unsigned mod)
{
    if (arch == WH || mod == 0) {
        struct entry fresh = {lane->flags, lane->use};
        if (lane->size == 8)
            lane->stack[0] = fresh; // errata 406
        else
            lane->stack[lane->size++] = fresh;
        return;
    }
    if (lane->size == 0)
        return;
    struct entry *top = &lane->stack[lane->size - 1];
    if (mod <= 12) {
        *top = (struct entry){boolean(mod, top->flags, lane->flags), lane->use};
    } else if (mod == 13) {
        lane->flags = !lane->flags;
        *top = (struct entry){lane->flags, lane->use};
    } else {
        *top = (struct entry){mod == 14, true};
    }
}

static void pop(int arch, struct lane *lane, unsigned mod)
{
    struct entry top = {false, false};
    if (lane->size > 0)
        top = lane->stack[lane->size - 1];
    if (mod == 0) {
        lane->size -= lane->size > 0;
        lane->flags = top.flags;
        lane->use = top.use;
        return;
    }
    if (lane->size == 8 && arch == WH)
        lane->stack[0] = top;
    if (mod <= 12) {
        lane->use = top.use;
        lane->flags = boolean(mod, lane->flags, top.flags);
    } else if (mod == 13) {
        lane->flags = !lane->flags;
    } else {
        lane->use = true;
        lane->flags = mod == 14;
    }
}

static void complement(int arch, struct lane *lane, unsigned mod)
{
    (void)arch, (void)mod;
    struct entry top = {true, true};
    if (lane->size > 0)
        top = lane->stack[lane->size - 1];
    lane->flags = top.use && lane->use && top.flags && !lane->flags;
}

static void check_stack(int arch, const char *name, unsigned mods,
                        void (*model)(int, struct lane *, unsigned))
{
    static const int sizes[] = {0, 1, 3, 7, 8};
    tsr_tile *tile = vector_tile(arch);
    uint32_t seed = 7;
    struct lane lanes[TSR_LANES];
    for (unsigned mod = 0; mod < mods; mod++)
        for (unsigned i = 0; i < 5; i++) {
            char text[60];
            random_state(tile, &seed, lanes, sizes[i]);
            snprintf(text, sizeof text, "%s instr_mod1=%u", name, mod);
            vector_do(tile, text);
            for (unsigned lane = 0; lane < TSR_LANES; lane++)
                model(arch, &lanes[lane], mod);
            compare(tile, lanes, text);
        }
    tsr_tile_destroy(tile);
}

static void test_stack(int arch)
{
    check_stack(arch, "SFPPUSHC", 16, push);
    check_stack(arch, "SFPPOPC", 16, pop);
    check_stack(arch, "SFPCOMPC", 1, complement);
}
TILE_BOTH(test_stack)

static void test_stack_findings(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_push(tile, 1, "SFPPOPC");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    tile_says(tile, "vector-flag-stack", "empty in the lanes of mask 0xffffffff");
    assert_non_null(strstr(tile_found(tile, "vector-flag-stack")->page, "/SFPPOPC.md"));
    tsr_tile_reset(tile);
    for (int i = 0; i < 8; i++)
        vector_do(tile, "SFPPUSHC");
    tile_push(tile, 1, "SFPPUSHC");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    tile_says(tile, "vector-flag-stack", "eight entries");
    tsr_tile_reset(tile);
    for (int i = 0; i < 8; i++)
        vector_do(tile, "SFPPUSHC");
    vector_do(tile, "SFPPOPC instr_mod1=3");
    assert_true((tile_found(tile, "vector-stack-bug") != NULL) == (arch == WH));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_stack_findings)

static void test_encc(int arch)
{
    tsr_tile *tile = vector_tile(arch);
    for (unsigned mod = 0; mod < 16; mod++)
        for (unsigned imm = 0; imm < 4; imm++) {
            char text[80];
            struct lane lanes[TSR_LANES];
            uint32_t seed = mod * 4 + imm;
            random_state(tile, &seed, lanes, 0);
            snprintf(text, sizeof text, "SFPENCC imm12_math=%u instr_mod1=%u", imm, mod);
            vector_do(tile, text);
            for (unsigned i = 0; i < TSR_LANES; i++) {
                if (mod & 2)
                    lanes[i].use = imm & 1;
                else if (mod & 1)
                    lanes[i].use = !lanes[i].use;
                lanes[i].flags = mod & 8 ? imm & 2 : true;
            }
            compare(tile, lanes, text);
        }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_encc)

static void test_setcc(int arch)
{
    tsr_tile *tile = vector_tile(arch);
    for (unsigned lane = 0; lane < TSR_LANES; lane++)
        vector_of(tile)->lreg[2][lane] = lane % 3 == 0 ? 0 : lane % 3 == 1 ? 5u : 0x80000001u;
    for (unsigned mod = 0; mod < 16; mod++)
        for (unsigned imm = 0; imm < 2; imm++) {
            char text[80];
            struct lane lanes[TSR_LANES];
            uint32_t seed = mod * 2 + imm + 99;
            random_state(tile, &seed, lanes, 0);
            snprintf(text, sizeof text, "SFPSETCC lreg_c=2 imm12_math=%u instr_mod1=%u", imm, mod);
            vector_do(tile, text);
            for (unsigned i = 0; i < TSR_LANES; i++) {
                int32_t c = (int32_t)vector_of(tile)->lreg[2][i];
                bool holds = mod & 8    ? false
                             : mod & 1  ? imm
                             : mod == 0 ? c < 0
                             : mod == 2 ? c != 0
                             : mod == 4 ? c >= 0
                                        : c == 0;
                if (!lanes[i].use)
                    lanes[i].flags = false;
                else if (lanes[i].flags)
                    lanes[i].flags = holds;
            }
            compare(tile, lanes, text);
        }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_setcc)

// SFPLE and SFPGT: into VD and the flags of enabled lanes, and into the stack of all.
static void test_compare(void **state)
{
    (void)state;
    tsr_tile *tile = vector_tile(BH);
    for (unsigned mod = 0; mod < 16; mod++)
        for (unsigned greater = 0; greater < 2; greater++) {
            char text[80];
            struct lane lanes[TSR_LANES];
            uint32_t seed = mod * 2 + greater + 1000;
            vector_fill(tile);
            vector_of(tile)->lreg[1][4] = vector_of(tile)->lreg[2][4];
            vector_of(tile)->lreg[1][5] = 0;
            vector_of(tile)->lreg[2][5] = 0x80000000;
            random_state(tile, &seed, lanes, (int)mod % 4);
            struct tsr_vector before = *vector_of(tile);
            snprintf(text, sizeof text, "%s lreg_c=1 lreg_dest=2 instr_mod1=%u",
                     greater ? "SFPGT" : "SFPLE", mod);
            vector_do(tile, text);
            for (unsigned i = 0; i < TSR_LANES; i++) {
                uint32_t d = before.lreg[2][i], c = before.lreg[1][i];
                int64_t x = d >> 31 ? -1 - (int64_t)(d & 0x7fffffff) : (int64_t)d;
                int64_t y = c >> 31 ? -1 - (int64_t)(c & 0x7fffffff) : (int64_t)c;
                bool holds = greater ? x > y : x <= y, on = before.enabled >> i & 1;
                struct entry *top = lanes[i].size ? &lanes[i].stack[lanes[i].size - 1] : NULL;
                if (mod & 2 && top)
                    top->flags = mod & 4 ? top->flags || holds : top->flags && holds;
                if (mod & 1 && on)
                    lanes[i].flags = holds;
                assert_int_equal(vector_lane(tile, 2, i), mod & 8 && on ? (holds ? ~0u : 0) : d);
            }
            compare(tile, lanes, text);
        }
    tsr_tile_destroy(tile);
}

static void test_lanes_left(int arch)
{
    tsr_tile *tile = tile_default(arch);
    vector_do(tile, "SFPENCC imm12_math=3 instr_mod1=10");
    assert_null(tile_found(tile, "vector-lanes-left"));
    vector_do(tile, "SFPSETCC lreg_c=15 instr_mod1=6");
    tile_says(tile, "vector-lanes-left", "mask 0xfffffffe");
    assert_string_equal(tile_found(tile, "vector-lanes-left")->instruction,
                        "SFPSETCC instr_mod1=6 lreg_dest=0 lreg_c=15 imm12_math=0");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_lanes_left)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_stack), TILE_TEST(test_stack_findings), TILE_TEST(test_encc),
        TILE_TEST(test_setcc), cmocka_unit_test(test_compare), TILE_TEST(test_lanes_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
