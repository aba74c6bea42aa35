// SPDX-License-Identifier: Apache-2.0
// PACRs that execute as one block (src/pack/pack_block.c) leave what single ones leave: random runs
// with the bypass, which offers blocks, against TSR_PIPELINE_STAGED, which does not. Each oddity
// is something that a block must notice: the comparison fails if the rule for it is dropped.
// Pages: PACR.md of each chip, Packers/README.md.
#include "isa/unit_fields.h"
#include "pack/pack_plan.h"
#include "rig/pack_rig.h"
#include "rig/state_compare.h"

enum { PROGRAMS = 24, TILES = 5, REGION = 0x40000, OUTSIDE = 0x20000 };

static uint32_t draw(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed ^ *seed >> 15;
}

static uint32_t below(uint32_t *seed, uint32_t end)
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

static void both_field(struct pair *pair, int instance, enum tsr_field field, uint32_t value)
{
    for (int i = 0; i < 2; i++)
        tile_field(pair->tile[i], instance, field, value);
}

static void both_push(struct pair *pair, int thread, const char *text)
{
    uint32_t word = tile_word(pair->tile[0], text);
    for (int i = 0; i < 2; i++)
        while (tsr_push(pair->tile[i], thread, word) == TSR_BUSY && !pair->stopped)
            if (!tsr_step(pair->tile[i]))
                pair->stopped = true;
}

static void both_end(struct pair *pair)
{
    tsr_end end[2];
    for (int i = 0; i < 2; i++)
        end[i] = tile_run(pair->tile[i]);
    assert_int_equal(end[0], end[1]);
    pair->stopped |= end[0] == TSR_END_STOPPED;
}

static void both_run(struct pair *pair)
{
    both_end(pair);
    const char *different = tile_difference(pair->tile[0], pair->tile[1]);
    if (different)
        fail_msg("%s differ(s)", different);
}

static uint64_t blocks_run(const tsr_tile *tile)
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
};
enum { FORMATS = sizeof formats / sizeof *formats };

static void address_mode(struct pair *pair, unsigned mode, uint32_t word)
{
    for (int i = 0; i < 2; i++) {
        struct tsr_env *env = tile_env(pair->tile[i]);
        unsigned first = env->isa->field[FIELD_ADDR_MOD_PACK_SEC0_YsrcIncr].addr32;
        tsr_thread_config_write(env, 0, first + mode, (uint16_t)word);
    }
}

// Y of the source and of the target; what is cleared; Z of the source.
static uint32_t mode_word(uint32_t y, uint32_t y_clear, uint32_t z, uint32_t z_clear)
{
    return y | y_clear << 5 | y << 6 | y_clear << 11 | z << 12 | z_clear << 13;
}

static void configure(struct pair *pair)
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
    both_field(pair, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_1_Ystride, 64 * below(&pair->seed, 2));
    both_field(pair, 0, FIELD_STACC_RELU_ApplyRelu, draw(&pair->seed) & 1);
    uint32_t y = pair->arch == WH ? 1 : 4;
    address_mode(pair, 0, mode_word(y, 0, 0, 0));
    address_mode(pair, 1, mode_word(0, 1, 0, 1));
    address_mode(pair, 2, mode_word(0, 1, 1, 0));
    address_mode(pair, 3, draw(&pair->seed));
}

// Every row of Dst, and what lies where tiles go: somewhere of random bytes that are drawn once.
static void fill(struct pair *pair)
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

static struct pair pair_new(int arch, uint32_t seed)
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

static void pair_free(struct pair *pair)
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
static void push_tile(struct pair *pair, const char *rest)
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
static void push_mop(struct pair *pair)
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
static void place_packers(struct pair *pair, uint32_t datums)
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
static void place_tile(struct pair *pair)
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

// ---------------------------------------------------------------- oddities

struct oddity {
    const char *name;
    void (*begin)(struct pair *pair); // once; may be NULL
    void (*tile)(struct pair *pair);  // before each tile; may be NULL
    const char *rest;                 // operands of some of the words
    int chip;                         // the only one, or -1
};

static void set_downsampling(struct pair *pair)
{
    both_field(pair, 0, PACKER(0, Downsample_mask), 0x5555);
}

static void set_compression(struct pair *pair)
{
    if (!pair->block)
        both_field(pair, 0, PACKER(0, Disable_zero_compress), draw(&pair->seed) & 1);
}

static void set_edges(struct pair *pair)
{
    both_field(pair, 0, FIELD_PCK_EDGE_OFFSET_SEC0_mask, 0xffff & draw(&pair->seed));
    both_field(pair, 0, FIELD_PCK_EDGE_OFFSET_SEC1_mask, 0x0ff0);
    for (int i = 0; i < 2; i++)
        pack_mapping(pair->tile[i], FIELD_TILE_ROW_SET_MAPPING_0_row_set_mapping_0, 0x40104010);
}

static void set_no_conversion(struct pair *pair)
{
    both_field(pair, 0, PACKER(0, Out_data_format), INT32);
    both_field(pair, 0, PACKER(0, In_data_format), BF16);
    both_field(pair, 0, FIELD_ALU_FORMAT_SPEC_REG2_Dstacc, BF16);
    both_field(pair, 0, FIELD_PCK_DEST_RD_CTRL_Read_32b_data, 0);
}

static void set_mismatch(struct pair *pair)
{
    both_field(pair, 0, FIELD_ALU_FORMAT_SPEC_REG2_Dstacc, below(&pair->seed, 16));
}

static void set_source(struct pair *pair)
{
    both_field(pair, 0, PACKER(0, Source_interface_selection), draw(&pair->seed) & 1);
}

static void set_last_mask(struct pair *pair)
{
    both_field(pair, 0, PACKER(0, Auto_set_last_pacr_intf_sel), 1);
    both_field(pair, 0, FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 14);
}

static void set_reads(struct pair *pair)
{
    both_field(pair, 0, FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, below(&pair->seed, 20));
}

static void set_accumulation(struct pair *pair)
{
    if (!pair->block)
        both_field(pair, 0, PACKER(0, Pack_L1_Acc), 1);
}

// One of Dst's rows is not like the others.
static void spoil_dst(struct pair *pair)
{
    unsigned row = below(&pair->seed, 1024), how = below(&pair->seed, 3);
    for (int i = 0; i < 2; i++) {
        struct tsr_dst *dst = &tile_state(pair->tile[i])->dst;
        if (how == 0)
            dst->valid[row] = false;
        else if (how == 1)
            dst->written[row] = 0x7fff;
        else
            dst->tainted[row] = 0x0100;
    }
}

static void spoil_l1(struct pair *pair)
{
    unsigned granule = (OUT + below(&pair->seed, REGION / 4)) / TSR_L1_GRANULE;
    bool taint = draw(&pair->seed) & 1;
    for (int i = 0; i < 2; i++) {
        struct tsr_l1 *l1 = &tile_state(pair->tile[i])->l1;
        if (taint)
            l1->tainted[granule] = 0x10;
        else
            l1->written[granule] = 0xfff0;
        l1->any_tainted |= taint;
    }
}

static void set_histogram(struct pair *pair)
{
    both_field(pair, (int)below(&pair->seed, 3), FIELD_ENABLE_ACC_STATS_Enable,
               draw(&pair->seed) & 1);
}

static void set_modes(struct pair *pair)
{
    address_mode(pair, below(&pair->seed, 3), draw(&pair->seed));
}

static void set_strides(struct pair *pair)
{
    both_field(pair, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride,
               pair->bytes * (uint32_t[]){16, 4, 32, 15}[below(&pair->seed, 4)]);
}

static void set_base(struct pair *pair)
{
    both_field(pair, 0, FIELD_PCK0_ADDR_BASE_REG_0_Base, 16 * pair->bytes * below(&pair->seed, 9));
}

static void set_x(struct pair *pair)
{
    char text[100];
    snprintf(text, sizeof text, "SETADCXX CntSetMask=4 x_start=%u x_end2=%u",
             (unsigned)below(&pair->seed, 3) * 4, 15u + (unsigned)below(&pair->seed, 3) * 4);
    both_push(pair, 0, text);
}

static void set_y(struct pair *pair)
{
    char text[100];
    snprintf(text, sizeof text, "SETADCXY CntSetMask=4 BitMask=10 Ch0_Y=%u",
             (unsigned)below(&pair->seed, 8));
    both_push(pair, 0, text);
}

static void near_the_end_of_dst(struct pair *pair)
{
    both_field(pair, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset,
               (pair->wide ? 512u : 1024u) - 4 * below(&pair->seed, 17));
}

static void near_the_end_of_l1(struct pair *pair)
{
    uint32_t size = tile_state(pair->tile[0])->l1.size;
    both_field(pair, 0, PACKER(0, L1_Dest_addr), size / 16 - below(&pair->seed, 0x100));
}

static void set_order(struct pair *pair)
{
    if (pair->arch == WH)
        return;
    both_field(pair, 0, FIELD_DEST_ACCESS_CFG_remap_addrs, draw(&pair->seed) & 1);
    both_field(pair, 0, FIELD_DEST_ACCESS_CFG_swizzle_32b, draw(&pair->seed) & 1);
}

static void same_tile_in_other_orders(struct pair *pair)
{
    for (int tile = 0; tile < 4; tile++) {
        set_order(pair);
        for (int i = 0; i < 16; i++)
            both_push(pair, 0, pacr(pair, i == 15 ? 1 : i % 4 == 3 ? 2 : 0, i == 15, ""));
        both_run(pair);
    }
}

static void set_high_halves(struct pair *pair)
{
    uint32_t bits = (draw(&pair->seed) & 1) << 11;
    for (int i = 0; i < 2; i++)
        tile_state(pair->tile[i])->debug.debug_feature_disable = bits;
}

// A PACR that leaves a part of a line or of a block.
static void leave_part(struct pair *pair)
{
    both_push(pair, 0, "SETADCXX CntSetMask=4 x_end2=4");
    both_push(pair, 0, pacr(pair, 1, false, pair->arch == WH ? "" : "ReadIntfSel=1"));
    both_push(pair, 0, "SETADCXX CntSetMask=4 x_end2=15");
}

// ... and of a section of exponents, of a format that is not the next tile's.
static void leave_exponents(struct pair *pair)
{
    leave_part(pair);
    both_run(pair);
    configure(pair);
}

static void compress_then_not(struct pair *pair)
{
    both_field(pair, 0, PACKER(0, Disable_zero_compress), 0);
    leave_part(pair);
    both_run(pair);
    both_field(pair, 0, PACKER(0, Disable_zero_compress), 1);
}

static void overlap_sections(struct pair *pair)
{
    both_field(pair, 0, PACKER(0, Exp_section_size), below(&pair->seed, 2));
    both_field(pair, 0, tsr_pack_field_of(0, PACK_FIELD_fifo_size), draw(&pair->seed) & 0xff);
    both_field(pair, 0, tsr_pack_field_of(0, PACK_FIELD_limit_address), OUT / 32 + 0x80);
}

static void set_blocks(struct pair *pair)
{
    while (!pair->block)
        configure(pair);
}

// Where the position is in its row, and which of its coordinates counts rows, without a change of
// anything else.
static void move_position(struct pair *pair)
{
    both_run(pair);
    both_field(pair, 0, tsr_pack_field_of(0, PACK_FIELD_pack_yz_transposed), draw(&pair->seed) & 1);
    both_field(pair, 0, tsr_pack_field_of(0, PACK_FIELD_pack_reads_per_xy_plane), 16);
    for (int tile = 0; tile < 3; tile++) {
        for (int i = 0; i < 2; i++) {
            struct tsr_packer *packer = &tile_state(pair->tile[i])->packers.packer[0];
            packer->x = tile % 3 == 2 ? 5 : 0;
            packer->y = packer->z = 0;
        }
        for (int i = 0; i < 4; i++)
            both_push(pair, 0, pacr(pair, i == 3 ? 1 : 0, i == 3, ""));
        both_run(pair);
    }
}

static void change_headers(struct pair *pair)
{
    for (int tile = 0; tile < 3; tile++) {
        both_field(pair, 0, PACKER(0, Add_tile_header_size), draw(&pair->seed) & 1);
        for (int i = 0; i < 4; i++)
            both_push(pair, 0, pacr(pair, i == 3 ? 1 : 0, i == 3, ""));
        both_run(pair);
    }
}

// The section of exponents ends L1; data come after it, and addresses fold to where L1 begins.
static void exponents_at_the_end_of_l1(struct pair *pair)
{
    uint32_t size = tile_state(pair->tile[0])->l1.size / 16, at = size - below(&pair->seed, 8);
    both_run(pair);
    both_field(pair, 0, PACKER(0, L1_Dest_addr), at);
    both_field(pair, 0, PACKER(0, Exp_section_size), (0x20000 - at) + OUT / 16);
}

// Runs for all packers, of which one writes what another has written.
static void pack_over_each_other(struct pair *pair)
{
    both_run(pair);
    for (uint32_t i = 0; i < 4; i++)
        both_field(pair, 0, PACKER(i, L1_Dest_addr), OUT / 16 - 1 + i);
    for (int i = 0; i < 6; i++)
        both_push(pair, 0, i < 5 ? "PACR PackSel=15" : "PACR PackSel=15 Last=1");
}

static void switch_bank(struct pair *pair, unsigned bank)
{
    char text[80];
    unsigned word = tile_env(pair->tile[0])->isa->field[FIELD_CFG_STATE_ID_StateID].addr32;
    snprintf(text, sizeof text, "SETC16 setc16_reg=%u setc16_value=%u", word, bank);
    both_push(pair, 0, text);
}

// Blocks in bank 0, plain datums in bank 1.
static void set_two_banks(struct pair *pair)
{
    set_blocks(pair);
    for (int i = 0; i < 2; i++) {
        const uint32_t *bank = tile_state(pair->tile[i])->config.bank[0];
        for (unsigned word = 0; word < TSR_CONFIG_WORDS; word++)
            if (bank[word])
                tsr_config_write(tile_env(pair->tile[i]), 1, word, bank[word], 0xffffffff);
    }
    for (int i = 0; i < (pair->arch == WH ? 4 : 1); i++) {
        both_field(pair, 1, PACKER(i, In_data_format), BF16);
        both_field(pair, 1, PACKER(i, Out_data_format), BF16);
        both_field(pair, 1, PACKER(i, L1_Dest_addr), OUT / 16 + 0x2000);
    }
    both_field(pair, 1, FIELD_ALU_FORMAT_SPEC_REG2_Dstacc, BF16);
    both_field(pair, 1, FIELD_PCK_DEST_RD_CTRL_Read_32b_data, 0);
}

static void leave_part_in_one_bank(struct pair *pair)
{
    switch_bank(pair, draw(&pair->seed) & 1);
    leave_part(pair);
    switch_bank(pair, 1);
}

static void other_counters(struct pair *pair)
{
    for (int i = 0; i < 4; i++)
        both_field(pair, 0, PACKER(i, Addr_cnt_context), below(&pair->seed, 3));
    for (int i = 0; i < 2; i++)
        for (int thread = 1; thread < TSR_THREADS; thread++) {
            tsr_adc_channel *adc = tile_state(pair->tile[i])->adcs.channel[thread][TSR_ADC_PACKERS];
            adc[0].x = 0;
            adc[1].x = 15;
            adc[0].y = adc[1].z = (uint32_t)thread;
        }
}

static void pack_by_other_counters(struct pair *pair)
{
    both_push(pair, 0, "PACR PackSel=15 OvrdThreadId=1 AddrMode=0 Last=1");
    both_push(pair, 0, "PACR PackSel=15 OvrdThreadId=1 AddrMode=0 Last=1");
    both_push(pair, 0, "PACR PackSel=15 OvrdThreadId=1 AddrMode=0 Last=1");
}

static void other_threads(struct pair *pair)
{
    both_run(pair);
    for (int i = 0; i < 2; i++) {
        struct tsr_adcs *adcs = &tile_state(pair->tile[i])->adcs;
        memcpy(adcs->channel[1], adcs->channel[0], sizeof adcs->channel[0]);
        adcs->channel[1][TSR_ADC_PACKERS][0].y = 4;
    }
    for (int i = 0; i < 4; i++)
        both_push(pair, 1, pacr(pair, 0, i == 3, ""));
}

static void other_bank(struct pair *pair)
{
    both_run(pair);
    for (int i = 0; i < 2; i++) {
        struct tsr_config *config = &tile_state(pair->tile[i])->config;
        memcpy(config->bank[1], config->bank[0], sizeof config->bank[0]);
    }
    both_field(pair, 1, PACKER(0, L1_Dest_addr), OUT / 16 + 0x77);
    switch_bank(pair, draw(&pair->seed) & 1);
}

static const struct oddity oddities[] = {
    {"nothing", NULL, NULL, "", -1},
    {"plain words", NULL, NULL, "", -1},
    {"formats", NULL, configure, "", -1},
    {"downsampling", set_downsampling, NULL, "", -1},
    {"compression", NULL, set_compression, "", -1},
    {"edge masks", set_edges, NULL, "", -1},
    {"no conversion", NULL, set_no_conversion, "", -1},
    {"another Dst format", NULL, set_mismatch, "", -1},
    {"source L1", NULL, set_source, "", -1},
    {"last mask", set_last_mask, NULL, "", BH},
    {"reads a plane", NULL, set_reads, "", -1},
    {"sums", set_accumulation, NULL, "", -1},
    {"sums over spoilt bytes", set_accumulation, spoil_l1, "", -1},
    {"spoilt rows", NULL, spoil_dst, "", -1},
    {"histogram", NULL, set_histogram, "", -1},
    {"address modes", NULL, set_modes, "", -1},
    {"strides", NULL, set_strides, "", -1},
    {"base", NULL, set_base, "", -1},
    {"x counters", NULL, set_x, "", -1},
    {"y counters", NULL, set_y, "", -1},
    {"end of Dst", NULL, near_the_end_of_dst, "", -1},
    {"end of L1", NULL, near_the_end_of_l1, "", -1},
    {"order of rows", NULL, set_order, "", -1},
    {"the same rows in other orders", NULL, same_tile_in_other_orders, "", BH},
    {"high halves", NULL, set_high_halves, "", -1},
    {"part of a line", NULL, leave_part, "", -1},
    {"part of another format's line", NULL, leave_exponents, "", -1},
    {"begun rows", NULL, compress_then_not, "", -1},
    {"sections that overlap", set_blocks, overlap_sections, "", -1},
    {"positions", NULL, move_position, "", -1},
    {"headers", NULL, change_headers, "", -1},
    {"exponents at the end of L1", set_blocks, exponents_at_the_end_of_l1, "", -1},
    {"packers that overlap", NULL, pack_over_each_other, "", WH},
    {"two banks", set_two_banks, leave_part_in_one_bank, "", -1},
    {"other counters", other_counters, pack_by_other_counters, "", WH},
    {"other threads", NULL, other_threads, "", -1},
    {"other bank", NULL, other_bank, "", -1},
    {"some zeroes", NULL, NULL, "ZeroWrite=1", -1},
    {"some flushes", NULL, NULL, "Flush=1", -1},
    {"some concatenations", NULL, NULL, "Concat=1", -1},
    {"some by few interfaces", NULL, NULL, "ReadIntfSel=3", BH},
    {"some strided", NULL, NULL, "DstAccessMode=1", BH},
    {"some by context", NULL, NULL, "CtxtCtrl=1", BH},
    {"some with padding", NULL, NULL, "RowPadZero=3", BH},
    {"some by other packers", NULL, NULL, "PackSel=3", WH},
};
enum { ODDITIES = sizeof oddities / sizeof *oddities };

// ---------------------------------------------------------------- programs

static uint64_t run_program(int arch, const struct oddity *oddity, uint32_t seed)
{
    struct pair pair = pair_new(arch, seed);
    if (oddity->begin)
        oddity->begin(&pair);
    for (int tile = 0; tile < TILES && !pair.stopped; tile++) {
        place_tile(&pair);
        if (oddity->tile && (tile == 0 || below(&pair.seed, 2)))
            oddity->tile(&pair);
        if (below(&pair.seed, 4) == 0)
            push_mop(&pair);
        else
            push_tile(&pair, oddity->rest);
        both_run(&pair);
    }
    uint64_t blocks = blocks_run(pair.tile[0]);
    assert_int_equal(blocks_run(pair.tile[1]), 0);
    pair_free(&pair);
    return blocks;
}

static void test_random_runs(int arch)
{
    uint32_t seed = 1;
    for (unsigned i = 0; i < ODDITIES; i++) {
        uint64_t blocks = 0;
        if (oddities[i].chip >= 0 && oddities[i].chip != arch)
            continue;
        print_message("%s\n", oddities[i].name);
        for (int program = 0; program < PROGRAMS; program++)
            blocks += run_program(arch, &oddities[i], draw(&seed));
        if (i < 2)
            assert_true(blocks > PROGRAMS); // they are executed as one at all
    }
}
TILE_BOTH(test_random_runs)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_random_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
