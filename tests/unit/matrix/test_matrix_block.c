// SPDX-License-Identifier: Apache-2.0
// Runs of matrix instructions that execute as one (matrix/matrix_block.h) leave the same tile as
// one by one: random runs from cores, MOPs and REPLAYs on banks and rows in every state, against
// TSR_PIPELINE_STAGED, which has no such runs. Then what a run must not pass over, case by case.
#include "matrix/matrix_plan.h"
#include "rig/sample.h"
#include "rig/state_compare.h"
#include "rig/tile_rig.h"

enum { PROGRAMS = RIG_SAMPLE(60), CHUNKS = 24, WORDS = 40, MOP_OUTER = 3, MOP_INNER = 2 };

static uint32_t draw(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % below;
}

static bool one_in(uint64_t *seed, uint32_t times)
{
    return draw(seed, times) == 0;
}

struct pair {
    tsr_tile *tile[2]; // AUTO, STAGED
    uint64_t seed;
    unsigned made; // sequences of the first
};

static struct pair pair_new(int arch, tsr_profile profile, uint64_t seed)
{
    struct pair pair = {.seed = seed};
    for (int i = 0; i < 2; i++) {
        tsr_options options = tsr_options_default((tsr_arch)arch);
        options.profile = profile;
        options.pipeline = i ? TSR_PIPELINE_STAGED : TSR_PIPELINE_AUTO;
        pair.tile[i] = tile_with(&options);
    }
    return pair;
}

static unsigned sequences_of(const tsr_tile *tile)
{
    const struct tsr_matrix_plans *plans = tile->engine.env.matrix_plans;
    unsigned made = 0;
    for (int i = 0; i < TSR_SEQUENCES; i++)
        made += plans->sequence[i].from.stamp != 0 && plans->sequence[i].words > 1;
    return made;
}

static void pair_free(struct pair *pair)
{
    tsr_tile_destroy(pair->tile[0]);
    tsr_tile_destroy(pair->tile[1]);
}

static void set(struct pair *pair, int instance, enum tsr_field field, uint32_t value)
{
    tile_field(pair->tile[0], instance, field, value);
    tile_field(pair->tile[1], instance, field, value);
}

// A thread that waits loses what its FIFO has no room for.
static void push(struct pair *pair, int thread, uint32_t word)
{
    assert_int_equal(tsr_push(pair->tile[0], thread, word), tsr_push(pair->tile[1], thread, word));
}

static tsr_end compare(struct pair *pair)
{
    tsr_end end[2] = {tile_run(pair->tile[0]), tile_run(pair->tile[1])};
    const char *different = tile_difference(pair->tile[0], pair->tile[1]);
    if (different)
        fail_msg("%s differ(s) after instruction %llu of thread 0", different,
                 (unsigned long long)tile_state(pair->tile[0])->frontend[0].sequence);
    assert_int_equal(end[0], end[1]);
    pair->made += sequences_of(pair->tile[0]) > 0;
    return end[0];
}

// Banks for whoever waits, until nobody does.
static void release(struct pair *pair)
{
    for (int times = 0; times < 200 && compare(pair) == TSR_END_DEADLOCK; times++)
        for (int i = 0; i < 2; i++)
            for (int side = TSR_SRCA; side <= TSR_SRCB; side++)
                tsr_src_for_matrix(&tile_state(pair->tile[i])->src[side])->matrix_owns = true;
}

// ---------------------------------------------------------------- random words

static const char *const arithmetic[] = {"ELWADD", "ELWSUB", "ELWMUL"};

// Most go on where the last ended, by AddrMod or by operand.
static uint32_t random_word(struct pair *pair, unsigned kind, unsigned i)
{
    uint64_t *seed = &pair->seed;
    char text[160];
    unsigned mode = draw(seed, 4) ? 0 : draw(seed, 4);
    unsigned dst = draw(seed, 6) ? 0 : draw(seed, 16) * 4;
    unsigned clear = one_in(seed, 12) ? draw(seed, 4) : 0;
    switch (kind) {
    case 0:
        snprintf(text, sizeof text, "MOVA2D instr_mod=%u addr_mode=%u dst=%u dest_32b_lo=%u",
                 one_in(seed, 9) ? 0 : 2, mode, dst, one_in(seed, 20));
        break;
    case 1:
        snprintf(text, sizeof text, "MOVB2D %s=%u addr_mode=%u dst=%u src=%u",
                 tsr_tile_arch(pair->tile[0]) == TSR_WORMHOLE_B0 ? "instr_mod" : "movb2d_instr_mod",
                 one_in(seed, 3) ? draw(seed, 8) : 4, mode, dst, 4 * (i % 4));
        break;
    case 2:
        snprintf(text, sizeof text,
                 "%s instr_mod19=%u dest_accum_en=%u addr_mode=%u dst=%u clear_dvalid=%u",
                 arithmetic[draw(seed, 4) ? 0 : draw(seed, 3)], one_in(seed, 8) ? draw(seed, 4) : 0,
                 one_in(seed, 3), mode, dst, clear);
        break;
    case 3:
        snprintf(text, sizeof text, "MVMUL instr_mod19=%u addr_mode=%u dst=%u clear_dvalid=%u",
                 one_in(seed, 12), mode, dst, clear);
        break;
    case 4:
        snprintf(text, sizeof text,
                 "SETRWC clear_ab_vld=%u rwc_cr=%u rwc_d=%u rwc_b=%u rwc_a=%u BitMask=%u",
                 draw(seed, 4), one_in(seed, 4) ? draw(seed, 16) : 0,
                 one_in(seed, 4) ? draw(seed, 16) : 0, one_in(seed, 4) ? draw(seed, 16) : 0,
                 one_in(seed, 4) ? draw(seed, 16) : 0, draw(seed, 16));
        break;
    case 5:
        snprintf(text, sizeof text, "INCRWC rwc_a=8 rwc_b=%u rwc_d=8", 8 * draw(seed, 2));
        break;
    case 6:
        snprintf(text, sizeof text, "CLEARDVALID cleardvalid=%u reset=%u", draw(seed, 4),
                 one_in(seed, 4) ? draw(seed, 4) & 2 : 0);
        break;
    default:
        snprintf(text, sizeof text, "ZEROACC clear_mode=%u", draw(seed, 4));
    }
    return tile_word(pair->tile[0], text);
}

static unsigned random_kind(uint64_t *seed)
{
    return draw(seed, 5) ? draw(seed, 4) : 4 + draw(seed, 4);
}

// The loops that tt-llk programs: two of a kind and what ends a face; and sixteen of a REPLAY.
static void random_expanders(struct pair *pair, int thread)
{
    unsigned kind = draw(&pair->seed, 4);
    uint32_t nop = tile_word(pair->tile[0], "NOP");
    uint32_t inner = random_word(pair, kind, 0);
    uint32_t end = random_word(pair, 4, 0);
    uint32_t mop[7] = {nop, end, nop, inner, nop, inner, inner};
    uint32_t replay[TSR_REPLAY_WORDS];
    if (one_in(&pair->seed, 3))
        mop[4] = mop[5] = mop[6] = random_word(pair, random_kind(&pair->seed), 0);
    for (int i = 0; i < TSR_REPLAY_WORDS; i++)
        replay[i] = random_word(pair, one_in(&pair->seed, 8) ? random_kind(&pair->seed) : kind,
                                (unsigned)i);
    for (int i = 0; i < 2; i++) {
        struct tsr_frontend *frontend = &tile_state(pair->tile[i])->frontend[thread];
        memcpy(frontend->mop_config + 2, mop, sizeof mop);
        frontend->mop_config[0] = MOP_OUTER;
        frontend->mop_config[1] = MOP_INNER;
        frontend->mop_config_written = 0x1ff;
        memcpy(frontend->replay.word, replay, sizeof replay);
    }
}

static void random_chunk(struct pair *pair)
{
    uint64_t *seed = &pair->seed;
    int thread = one_in(seed, 3) ? (int)draw(seed, TSR_THREADS) : 0;
    char text[40];
    unsigned kind = random_kind(seed);
    switch (draw(seed, 4)) {
    case 0:
        random_expanders(pair, thread);
        break;
    case 1:
        for (int i = 0; i < 2; i++)
            push(pair, thread, tile_word(pair->tile[0], "MOP mop_type=1"));
        break;
    case 2:
        for (int i = 0; i < 2; i++) {
            snprintf(text, sizeof text, "REPLAY start_idx=%u len=16", 16 * draw(seed, 2));
            push(pair, thread, tile_word(pair->tile[0], text));
        }
        break;
    default:
        for (unsigned i = 0; i < WORDS; i++) {
            if (one_in(seed, 6))
                kind = random_kind(seed);
            push(pair, one_in(seed, 60) ? (int)draw(seed, TSR_THREADS) : thread,
                 random_word(pair, kind, i));
        }
    }
}

// ---------------------------------------------------------------- random state

static uint32_t random_float(uint64_t *seed)
{
    if (one_in(seed, 20))
        return draw(seed, 1 << 19);
    return (draw(seed, 1 << 19) & 0x403f8) | (100 + draw(seed, 40)) << 10;
}

// As unpackers make them of INT8, but for one in a few thousand.
static uint32_t random_integer(uint64_t *seed)
{
    uint32_t exponent = one_in(seed, 3000) ? 17 : 16;
    return one_in(seed, 8) ? draw(seed, 2) << 18 : (draw(seed, 1 << 19) & 0x403ff) | exponent << 10;
}

// Datums of every size, and now and then rows that nobody wrote, or that are tainted.
static void random_bank(struct pair *pair, int side, int number)
{
    uint64_t *seed = &pair->seed;
    struct tsr_src_bank *bank = &tile_state(pair->tile[0])->src[side].bank[number];
    bool integers = tsr_cfg(tile_env(pair->tile[0]), 0, FIELD_ALU_ACC_CTRL_INT8_math_enabled) ||
                    one_in(seed, 4);
    for (int row = 0; row < TSR_SRC_ROWS; row++) {
        for (int column = 0; column < TSR_COLUMNS; column++)
            bank->datum[row][column] = integers ? random_integer(seed) : random_float(seed);
        bank->written[row] = 0xffff;
        bank->tainted[row] = 0;
    }
    if (one_in(seed, 16))
        bank->written[draw(seed, TSR_SRC_ROWS)] = (uint16_t)draw(seed, 0x10000);
    if (one_in(seed, 16))
        bank->tainted[draw(seed, TSR_SRC_ROWS)] = 0x10;
    bank->implied_format = one_in(seed, 4) ? (uint8_t)draw(seed, 6) : 5;
}

static void random_banks(struct pair *pair)
{
    uint64_t *seed = &pair->seed;
    struct tsr_state *from = tile_state(pair->tile[0]), *to = tile_state(pair->tile[1]);
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
        for (int number = 0; number < 2; number++) {
            struct tsr_src_shadow *shadow = &from->src_shadow[side][number];
            if (one_in(seed, 3))
                random_bank(pair, side, number);
            from->src[side].bank[number].matrix_owns = !one_in(seed, 8);
            shadow->lent = true;
            shadow->read = shadow->waited_for = !one_in(seed, 4);
            shadow->released_by =
                (struct tsr_origin){.kind = TSR_ORIGIN_THREAD, .which = (uint8_t)draw(seed, 2)};
        }
    }
    memcpy(to->src, from->src, sizeof to->src);
    memcpy(to->src_shadow, from->src_shadow, sizeof to->src_shadow);
}

static void random_dst(struct pair *pair)
{
    uint64_t *seed = &pair->seed;
    struct tsr_state *from = tile_state(pair->tile[0]), *to = tile_state(pair->tile[1]);
    struct tsr_dst *dst = &from->dst;
    bool whole = one_in(seed, 2);
    for (unsigned row = 0; row < TSR_DST_ROWS; row++) {
        for (int column = 0; column < TSR_COLUMNS; column++)
            dst->bits[row][column] = (uint16_t)draw(seed, 0x10000);
        dst->valid[row] = whole || !one_in(seed, 8);
        dst->written[row] = dst->valid[row] ? 0xffff : 0;
        dst->tainted[row] = 0;
    }
    if (one_in(seed, 3))
        dst->written[draw(seed, 64)] &= (uint16_t)draw(seed, 0x10000);
    if (one_in(seed, 3))
        dst->tainted[draw(seed, 64)] = 1;
    memcpy(&to->dst, dst, sizeof *dst);
}

static void random_fields(struct pair *pair)
{
    static const enum tsr_field ab[] = {
        FIELD_ADDR_MOD_AB_SEC0_SrcAIncr, FIELD_ADDR_MOD_AB_SEC1_SrcAIncr,
        FIELD_ADDR_MOD_AB_SEC2_SrcAIncr, FIELD_ADDR_MOD_AB_SEC3_SrcAIncr};
    static const enum tsr_field b[] = {
        FIELD_ADDR_MOD_AB_SEC0_SrcBIncr, FIELD_ADDR_MOD_AB_SEC1_SrcBIncr,
        FIELD_ADDR_MOD_AB_SEC2_SrcBIncr, FIELD_ADDR_MOD_AB_SEC3_SrcBIncr};
    static const enum tsr_field dst[] = {
        FIELD_ADDR_MOD_DST_SEC0_DestIncr, FIELD_ADDR_MOD_DST_SEC1_DestIncr,
        FIELD_ADDR_MOD_DST_SEC2_DestIncr, FIELD_ADDR_MOD_DST_SEC3_DestIncr};
    uint64_t *seed = &pair->seed;
    int thread = one_in(seed, 3) ? (int)draw(seed, TSR_THREADS) : 0;
    unsigned mod = draw(seed, 4);
    set(pair, thread, ab[mod], mod ? draw(seed, 5) * 8 : 8);
    set(pair, thread, b[mod], mod ? draw(seed, 9) * 4 : 8);
    set(pair, thread, dst[mod], mod ? draw(seed, 9) * 4 : 8);
    set(pair, thread, FIELD_ADDR_MOD_DST_SEC2_FidelityIncr, draw(seed, 2));
    set(pair, thread, FIELD_ADDR_MOD_DST_SEC0_FidelityIncr, one_in(seed, 4));
    set(pair, thread, FIELD_ADDR_MOD_DST_SEC3_DestCR, draw(seed, 2));
    set(pair, thread, FIELD_ADDR_MOD_AB_SEC3_SrcAClear, draw(seed, 2));
    set(pair, thread, FIELD_FIDELITY_BASE_Phase, one_in(seed, 4) ? draw(seed, 4) : 0);
    set(pair, thread, FIELD_DEST_TARGET_REG_CFG_MATH_Offset,
        one_in(seed, 3) ? draw(seed, 128) * (one_in(seed, 4) ? 4 : 8) : 0);
    set(pair, thread, FIELD_CLR_DVALID_SrcA_Disable, one_in(seed, 8));
    set(pair, thread, FIELD_FP16A_FORCE_Enable, one_in(seed, 12));
    set(pair, 0, FIELD_ALU_FORMAT_SPEC_REG0_SrcA, one_in(seed, 6) ? draw(seed, 16) : 5);
    set(pair, 0, FIELD_ALU_FORMAT_SPEC_REG1_SrcB, one_in(seed, 6) ? draw(seed, 8) : 5);
    set(pair, 0, FIELD_ALU_ACC_CTRL_Fp32_enabled, one_in(seed, 3));
    set(pair, 0, FIELD_ALU_ACC_CTRL_INT8_math_enabled, one_in(seed, 10));
    set(pair, 0, FIELD_ALU_ACC_CTRL_Zero_Flag_disabled_src, one_in(seed, 4));
    set(pair, 0, FIELD_ALU_ROUNDING_MODE_Fpu_srnd_en, one_in(seed, 12));
    for (int i = 0; i < 2; i++) {
        tile_state(pair->tile[i])->matrix.kept_columns = 0;
        tile_state(pair->tile[i])->debug.debug_feature_disable = 0;
    }
    if (!tile_env(pair->tile[0])->chip->implied_formats)
        return;
    set(pair, 0, FIELD_DEST_ACCESS_CFG_remap_addrs, one_in(seed, 6));
    set(pair, 0, FIELD_DEST_ACCESS_CFG_swizzle_32b, one_in(seed, 6));
    set(pair, thread, FIELD_DISABLE_IMPLIED_SRCA_FMT_Base, one_in(seed, 2));
    set(pair, thread, FIELD_DISABLE_IMPLIED_SRCB_FMT_Base, one_in(seed, 2));
}

static void random_modes(struct pair *pair)
{
    uint64_t *seed = &pair->seed;
    uint16_t kept = one_in(seed, 8) ? (uint16_t)draw(seed, 0x10000) : 0;
    uint32_t high_halves = one_in(seed, 12) ? 1u << 11 : 0;
    for (int i = 0; i < 2; i++) {
        tile_state(pair->tile[i])->matrix.kept_columns = kept;
        tile_state(pair->tile[i])->debug.debug_feature_disable = high_halves;
    }
}

static void test_random_runs(int arch)
{
    unsigned made = 0;
    uint64_t seed = 5;
    for (int program = 0; program < PROGRAMS; program++) {
        struct pair pair = pair_new(arch, TSR_PROFILE_SILICON, seed++);
        random_dst(&pair);
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            random_banks(&pair);
            if (one_in(&pair.seed, 4))
                random_fields(&pair);
            if (one_in(&pair.seed, 8))
                random_dst(&pair);
            if (one_in(&pair.seed, 4))
                random_modes(&pair);
            for (int i = 0; i < 3; i++)
                random_chunk(&pair);
            release(&pair);
        }
        made += pair.made;
        pair_free(&pair);
    }
    assert_true(made > PROGRAMS * CHUNKS / 2);
}
TILE_BOTH(test_random_runs)

// ---------------------------------------------------------------- the same words again

static const char *const runs[][6] = {
    {"MOVA2D instr_mod=2", "MOVA2D instr_mod=2", "SETRWC clear_ab_vld=3 BitMask=3", NULL},
    {"ELWADD", "ELWADD", "ELWADD", "SETRWC clear_ab_vld=1 BitMask=7", NULL},
    {"ELWMUL dest_accum_en=1", "ELWMUL", "ELWMUL clear_dvalid=2", NULL},
    {"MVMUL", "MVMUL dst=16", "MVMUL dst=8", "SETRWC BitMask=7", NULL},
    {"INCRWC rwc_d=8", "ELWSUB", "SETRWC BitMask=15", NULL},
};
enum { RUNS = sizeof runs / sizeof *runs, AGAIN = 600 };

// One thing that a kept run must not miss. The threads' AddrMods differ.
static int change_something(struct pair *pair)
{
    uint64_t *seed = &pair->seed;
    bool blackhole = tile_env(pair->tile[0])->chip->implied_formats;
    uint32_t high_halves = 0;
    int thread = one_in(seed, 4) ? (int)draw(seed, TSR_THREADS) : 0;
    switch (draw(seed, 12)) {
    case 0:
    case 1:
    case 2:
        set(pair, thread, FIELD_DEST_TARGET_REG_CFG_MATH_Offset,
            draw(seed, 3) ? draw(seed, 128) * 8 : draw(seed, 1024));
        break;
    case 3:
        set(pair, thread, FIELD_FIDELITY_BASE_Phase, draw(seed, 4));
        break;
    case 4:
        set(pair, thread, FIELD_CLR_DVALID_SrcA_Disable, draw(seed, 2));
        set(pair, thread, FIELD_CLR_DVALID_SrcB_Disable, draw(seed, 2));
        break;
    case 5:
        set(pair, 0, FIELD_ALU_ACC_CTRL_Fp32_enabled, draw(seed, 2));
        break;
    case 6:
        set(pair, 0, FIELD_ALU_FORMAT_SPEC_REG0_SrcA, draw(seed, 2) ? 5 : 4);
        break;
    case 7:
        high_halves = draw(seed, 2) << 11;
        for (int i = 0; i < 2; i++)
            tile_state(pair->tile[i])->debug.debug_feature_disable = high_halves;
        break;
    case 8:
        for (int i = 0; i < 2; i++)
            tile_state(pair->tile[i])->matrix.kept_columns = high_halves ? 0 : 3;
        break;
    case 9:
        if (blackhole)
            set(pair, 0, FIELD_DEST_ACCESS_CFG_remap_addrs, draw(seed, 2));
        break;
    case 10:
        if (blackhole)
            set(pair, 0, FIELD_DEST_ACCESS_CFG_swizzle_32b, draw(seed, 2));
        break;
    default:
        set(pair, 0, FIELD_ADDR_MOD_DST_SEC0_DestIncr, draw(seed, 3) * 8);
    }
    if (one_in(seed, 3))
        for (int i = 0; i < 2; i++) {
            tile_state(pair->tile[i])->debug.debug_feature_disable = 0;
            tile_state(pair->tile[i])->matrix.kept_columns = 0;
        }
    return thread;
}

static struct pair pair_for_runs(int arch)
{
    struct pair pair = pair_new(arch, TSR_PROFILE_SILICON, 77);
    random_dst(&pair);
    set(&pair, 0, FIELD_ALU_FORMAT_SPEC_REG0_SrcA, 5);
    set(&pair, 0, FIELD_ALU_FORMAT_SPEC_REG1_SrcB, 5);
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        set(&pair, thread, FIELD_ADDR_MOD_AB_SEC0_SrcAIncr, 8);
        set(&pair, thread, FIELD_ADDR_MOD_AB_SEC0_SrcBIncr, 8);
        set(&pair, thread, FIELD_ADDR_MOD_DST_SEC0_DestIncr, thread == 2 ? 16 : 8);
        if (tile_env(pair.tile[0])->chip->implied_formats) {
            set(&pair, thread, FIELD_DISABLE_IMPLIED_SRCA_FMT_Base, 1);
            set(&pair, thread, FIELD_DISABLE_IMPLIED_SRCB_FMT_Base, 1);
        }
    }
    return pair;
}

static void test_same_words_again(int arch)
{
    struct pair pair = pair_for_runs(arch);
    for (int i = 0; i < AGAIN; i++) {
        int thread = change_something(&pair);
        const char *const *run = runs[draw(&pair.seed, RUNS)];
        random_banks(&pair);
        if (one_in(&pair.seed, 8))
            random_dst(&pair);
        for (; *run; run++)
            push(&pair, thread, tile_word(pair.tile[0], *run));
        release(&pair);
    }
    pair_free(&pair);
}
TILE_BOTH(test_same_words_again)

// A run is first looked for where it was the last time, after the one before it: the same run over
// and over, of two threads whose AddrMods differ, in every phase.
static void test_same_run_again(int arch)
{
    struct pair pair = pair_for_runs(arch);
    for (int i = 0; i < AGAIN / 4; i++) {
        int thread = one_in(&pair.seed, 3) ? 2 : 0;
        if (one_in(&pair.seed, 2))
            set(&pair, thread, FIELD_FIDELITY_BASE_Phase, draw(&pair.seed, 4));
        random_banks(&pair);
        for (const char *const *run = runs[i * 4 * RUNS / AGAIN]; *run; run++)
            push(&pair, thread, tile_word(pair.tile[0], *run));
        release(&pair);
    }
    pair_free(&pair);
}
TILE_BOTH(test_same_run_again)

// Thread 0 hands a bank of both sides over, and nothing orders `thread` after it.
static void lend_unordered(struct pair *pair)
{
    random_banks(pair);
    for (int i = 0; i < 2; i++) {
        struct tsr_state *state = tile_state(pair->tile[i]);
        for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
            struct tsr_src *src = &state->src[side];
            struct tsr_src_shadow *shadow = &state->src_shadow[side][src->matrix_bank];
            tsr_src_fill(&src->bank[src->matrix_bank], 100 << 10);
            src->bank[src->matrix_bank].matrix_owns = true;
            src->bank[src->matrix_bank].implied_format = 5;
            shadow->read = shadow->waited_for = false;
            shadow->released_by = (struct tsr_origin){.kind = TSR_ORIGIN_THREAD, .which = 0};
        }
    }
}

static uint64_t times_unordered(const tsr_tile *tile)
{
    uint64_t times = 0;
    for (int i = 0; i < tsr_diagnostic_count(tile); i++)
        if (strcmp(tsr_diagnostic_at(tile, i)->code, "src-bank-unordered") == 0)
            times += 1 + tsr_diagnostic_at(tile, i)->repeats;
    return times;
}

// What a SETRWC has reported it may report again as part of a run, or alone, and that is counted;
// not the first time, not for another word or thread, and not if it stops the tile from now on.
static void test_unordered_again(int arch)
{
    static const char *const face[] = {"MOVA2D instr_mod=2", "MOVA2D instr_mod=2",
                                       "SETRWC clear_ab_vld=3"};
    struct pair pair = pair_for_runs(arch);
    tsr_tile *tile = pair.tile[0];
    for (int round = 0; round < 12; round++) {
        int thread = round == 5 ? 2 : 1;
        uint64_t before = tile->engine.in_blocks, times = times_unordered(tile);
        lend_unordered(&pair);
        if (round == 10)
            for (int i = 0; i < 2; i++)
                tsr_tile_set_policy(pair.tile[i], "src-bank-unordered", TSR_ACTION_STOP);
        for (int i = round % 2 ? 2 : 0; i < 3; i++)
            push(&pair, thread, tile_word(tile, face[i]));
        assert_int_equal(compare(&pair), round < 10 ? TSR_END_IDLE : TSR_END_STOPPED);
        bool known = round > 0 && round != 5 && round < 10;
        unsigned words = round % 2 ? 1 : 3;
        if (round >= 10)
            break;
        // Of both sides if nothing of the run has waited for SrcA.
        assert_int_equal(times_unordered(tile) - times, round % 2 ? 2 : 1);
        assert_int_equal(tile->engine.in_blocks - before, known ? words : words - 1);
    }
    pair_free(&pair);
}
TILE_BOTH(test_unordered_again)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_random_runs),
        TILE_TEST(test_same_words_again),
        TILE_TEST(test_same_run_again),
        TILE_TEST(test_unordered_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
