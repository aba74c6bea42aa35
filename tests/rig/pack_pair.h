// SPDX-License-Identifier: Apache-2.0
// Two tiles that get the same configuration and the same PACRs, one with blocks and one through the
// stages, and random tiles to pack as vendor software gives them. For test_pack_blocks.c.
// Pages: PACR.md of each chip, Packers/InputAddressGenerator.md.
#ifndef TESSERA_TESTS_PACK_PAIR_H
#define TESSERA_TESTS_PACK_PAIR_H

#include "isa/unit_fields.h"
#include "pack/pack_plan.h"
#include "rig/pack_rig.h"
#include "rig/state_compare.h"

enum { REGION = 0x40000 };

static inline uint32_t draw(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed ^ *seed >> 15;
}

static inline uint32_t below(uint32_t *seed, uint32_t end)
{
    return draw(seed) % end;
}

// ---------------------------------------------------------------- two tiles

struct pair {
    int arch;
    tsr_tile *tile[2]; // with blocks, without
    uint32_t bytes;    // that addresses count for a datum
    uint32_t bits;     // of a datum in L1
    bool wide, block, stopped;
    uint32_t seed;
};

static inline void both_field(struct pair *pair, int instance, enum tsr_field field, uint32_t value)
{
    for (int i = 0; i < 2; i++)
        tile_field(pair->tile[i], instance, field, value);
}

static inline void both_push(struct pair *pair, int thread, const char *text)
{
    uint32_t word = tile_word(pair->tile[0], text);
    for (int i = 0; i < 2; i++)
        while (tsr_push(pair->tile[i], thread, word) == TSR_BUSY && !pair->stopped)
            if (!tsr_step(pair->tile[i]))
                pair->stopped = true;
}

static inline void both_end(struct pair *pair)
{
    tsr_end end[2];
    for (int i = 0; i < 2; i++)
        end[i] = tile_run(pair->tile[i]);
    assert_int_equal(end[0], end[1]);
    pair->stopped |= end[0] == TSR_END_STOPPED;
}

static inline void both_run(struct pair *pair)
{
    both_end(pair);
    const char *different = tile_difference(pair->tile[0], pair->tile[1]);
    if (different)
        fail_msg("%s differ(s)", different);
}

static inline uint64_t blocks_run(const tsr_tile *tile)
{
    return tile->engine.env.pack_plans->blocks_run;
}

// ---------------------------------------------------------------- what is plain

static const struct {
    int between, out, bytes, bits;
    bool wide, block;
} formats[] = {
    {BF16, BF16, 2, 16, false, false}, {FP16, FP16, 2, 16, false, false},
    {BF16, FP32, 2, 32, false, false}, {FP32, FP32, 4, 32, true, false},
    {FP32, BF16, 4, 16, true, false},  {INT32, INT32, 4, 32, true, false},
    {BF16, BFP8, 2, 8, false, true},   {FP32, BFP8, 4, 8, true, true},
    {BF16, BFP4, 2, 4, false, true},   {INT8, INT8, 1, 8, true, false},
    {FP16, FP8, 2, 8, false, false},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static inline void address_mode(struct pair *pair, unsigned mode, uint32_t word)
{
    for (int i = 0; i < 2; i++) {
        struct tsr_env *env = tile_env(pair->tile[i]);
        unsigned first = env->isa->field[FIELD_ADDR_MOD_PACK_SEC0_YsrcIncr].addr32;
        tsr_thread_config_write(env, 0, first + mode, (uint16_t)word);
    }
}

// Y of the source and of the target; what is cleared; Z of the source.
static inline uint32_t mode_word(uint32_t y, uint32_t y_clear, uint32_t z, uint32_t z_clear)
{
    return y | y_clear << 5 | y << 6 | y_clear << 11 | z << 12 | z_clear << 13;
}

static inline void configure(struct pair *pair)
{
    unsigned format = below(&pair->seed, FORMATS);
    uint32_t bytes = pair->bytes = (uint32_t)formats[format].bytes;
    pair->bits = (uint32_t)formats[format].bits;
    pair->wide = formats[format].wide;
    pair->block = formats[format].block;
    for (int i = 0; i < 2; i++)
        pack_formats(pair->tile[i], formats[format].between, formats[format].out, pair->wide);
    for (int i = 0; i < (pair->arch == WH ? 4 : 1); i++) {
        both_field(pair, 0, tsr_pack_field_of(i, PACK_FIELD_pack_reads_per_xy_plane), 16);
        both_field(pair, 0, PACKER(i, Exp_section_size), 4);
        both_field(pair, 0, PACKER(i, Add_tile_header_size), draw(&pair->seed) & 1);
    }
    both_field(pair, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Xstride, bytes);
    both_field(pair, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride, 16 * bytes);
    both_field(pair, 0, FIELD_PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 256 * bytes);
    both_field(pair, 0, FIELD_PCK0_ADDR_CTRL_ZW_REG_0_Wstride, 1024 * bytes);
    static const uint32_t y_strides[] = {0, 64, 72}; // the last one is not aligned
    both_field(pair, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_1_Ystride, y_strides[below(&pair->seed, 3)]);
    both_field(pair, 0, FIELD_STACC_RELU_ApplyRelu, draw(&pair->seed) & 1);
    uint32_t y = pair->arch == WH ? 1 : 4;
    address_mode(pair, 0, mode_word(y, 0, 0, 0));
    address_mode(pair, 1, mode_word(0, 1, 0, 1));
    address_mode(pair, 2, mode_word(0, 1, 1, 0));
    address_mode(pair, 3, draw(&pair->seed));
}

// Every row of Dst, and what lies where tiles go: somewhere of random bytes that are drawn once.
static inline void fill(struct pair *pair)
{
    static uint8_t drawn[REGION + REGION / 4];
    static bool done;
    uint32_t seed = 1;
    for (unsigned i = 0; !done && i < sizeof drawn; i++)
        drawn[i] = (uint8_t)draw(&seed);
    done = true;
    const uint8_t *bytes = drawn + below(&pair->seed, sizeof drawn - REGION);
    for (int i = 0; i < 2; i++) {
        struct tsr_dst *dst = &tile_state(pair->tile[i])->dst;
        memcpy(dst->bits, bytes, sizeof dst->bits);
        memset(dst->valid, true, sizeof dst->valid);
        memset(dst->written, 0xff, sizeof dst->written);
        tsr_l1_write(pair->tile[i], OUT, bytes, REGION);
    }
}

static inline struct pair pair_new(int arch, uint32_t seed)
{
    struct pair pair = {.arch = arch, .seed = seed};
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.profile = TSR_PROFILE_SILICON;
    for (int i = 0; i < 2; i++) {
        options.pipeline = i == 0 ? TSR_PIPELINE_AUTO : TSR_PIPELINE_STAGED;
        pair.tile[i] = tile_with(&options);
    }
    fill(&pair);
    configure(&pair);
    return pair;
}

static inline void pair_free(struct pair *pair)
{
    for (int i = 0; i < 2; i++)
        tsr_tile_destroy(pair->tile[i]);
}

// ---------------------------------------------------------------- words of a tile

static const char *pacr(const struct pair *pair, unsigned mode, bool last, const char *rest)
{
    static char text[120];
    snprintf(text, sizeof text, "PACR %s AddrMode=%u Last=%d %s",
             pair->arch == WH && !strstr(rest, "PackSel") ? "PackSel=1" : "", mode, last, rest);
    return text;
}

// As vendor software gives them: faces of four PACRs; then mode 0 alone; then any.
static inline void push_tile(struct pair *pair, const char *rest)
{
    unsigned kind = below(&pair->seed, 4), faces = 1 + below(&pair->seed, 5), n = 0;
    if (pair->arch == WH && kind == 0) {
        both_push(pair, 0, "PACR PackSel=15 AddrMode=1 Last=1");
        return;
    }
    for (unsigned face = 0; face < faces; face++)
        for (unsigned i = 0; i < 4; i++, n++) {
            bool end = face + 1 == faces && i == 3;
            unsigned mode = kind == 1 ? 0 : i < 3 ? 0 : end ? 1 : 2;
            if (kind == 2 && below(&pair->seed, 8) == 0)
                mode = draw(&pair->seed) & 3;
            bool last = kind == 2 ? below(&pair->seed, 8) == 0 : end;
            both_push(pair, 0, pacr(pair, mode, last, below(&pair->seed, 8) ? "" : rest));
        }
}

// The same by a MOP of two loops.
static inline void push_mop(struct pair *pair)
{
    if (pair->arch == WH)
        return;
    for (int i = 0; i < 2; i++) {
        struct tsr_frontend *frontend = &tile_state(pair->tile[i])->frontend[0];
        uint32_t nop = tile_word(pair->tile[i], "NOP");
        const uint32_t config[9] = {4,
                                    4,
                                    nop,
                                    nop,
                                    nop,
                                    tile_word(pair->tile[i], pacr(pair, 0, false, "")),
                                    nop,
                                    tile_word(pair->tile[i], pacr(pair, 1, true, "")),
                                    tile_word(pair->tile[i], pacr(pair, 2, false, ""))};
        memcpy(frontend->mop_config, config, sizeof config);
        frontend->mop_config_written = 0x1ff;
    }
    both_push(pair, 0, "MOP mop_type=1");
}

// Wormhole's packers take rows that follow each other, to lines that do, or not.
static inline void place_packers(struct pair *pair, uint32_t datums)
{
    static const enum tsr_field offset[4] = {
        FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, FIELD_DEST_TARGET_REG_CFG_PACK_SEC1_Offset,
        FIELD_DEST_TARGET_REG_CFG_PACK_SEC2_Offset, FIELD_DEST_TARGET_REG_CFG_PACK_SEC3_Offset};
    uint32_t lines = datums * pair->bits / 8 / 16, first = OUT / 16 - 1 + below(&pair->seed, 0x300);
    uint32_t apart = below(&pair->seed, 4) ? datums / 16 : below(&pair->seed, 8);
    if (below(&pair->seed, 2))
        lines = 0x400;
    for (uint32_t i = 0; i < (pair->arch == WH ? 4 : 1); i++) {
        both_field(pair, 0, PACKER(i, L1_Dest_addr), first + lines * i);
        if (i > 0)
            both_field(pair, 0, offset[i], apart * i);
    }
}

// Where the next tile comes from and goes to.
static inline void place_tile(struct pair *pair)
{
    char text[100];
    uint32_t rows = pair->wide ? 512 : 1024, first = draw(&pair->seed) & 1;
    uint32_t count = pair->arch == WH ? 16u << below(&pair->seed, 2) : 16;
    snprintf(text, sizeof text, "SETADCXX CntSetMask=4 x_end2=%u", count - 1);
    both_push(pair, 0, text);
    both_push(pair, 0, "SETADCXY CntSetMask=4 BitMask=10");
    snprintf(text, sizeof text, "SETADCZW CntSetMask=4 BitMask=15 Ch0_Y=%u",
             (unsigned)below(&pair->seed, pair->arch == WH ? 7 : 4));
    both_push(pair, 0, text);
    both_end(pair); // counters alone, which the tile's end shows
    place_packers(pair, count);
    if (first)
        both_field(pair, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset,
                   4 * below(&pair->seed, rows / 16));
    else if (pair->arch == WH)
        both_field(pair, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, 0);
}

#endif
