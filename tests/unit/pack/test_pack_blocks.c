// SPDX-License-Identifier: Apache-2.0
// PACRs that execute as one block (src/pack/pack_block.c) leave what single ones leave: random runs
// with the bypass, which offers blocks, against TSR_PIPELINE_STAGED, which does not. Each oddity
// is something that a block must notice: the comparison fails if the rule for it is dropped.
// Pages: PACR.md of each chip, Packers/README.md.
#include "rig/pack_pair.h"
#include "rig/sample.h"

enum { PROGRAMS = RIG_SAMPLE(24), TILES = 5 };

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

// Somewhere in the first lines of the next tile.
static void spoil_l1(struct pair *pair)
{
    uint32_t first = tsr_cfg(tile_env(pair->tile[0]), 0, PACKER(0, L1_Dest_addr)) + 1;
    unsigned granule = first + below(&pair->seed, 0x60);
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

// More datums than there are, of which the low bits alone would do.
static void set_far_x(struct pair *pair)
{
    uint32_t end = 15 + ((1 + below(&pair->seed, 3)) << 16);
    for (int i = 0; i < 2; i++)
        tile_state(pair->tile[i])->adcs.channel[0][TSR_ADC_PACKERS][1].x = end;
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

// Exponents at the end of L1, and data from its beginning, since addresses wrap before.
static void exponents_near_the_end_of_l1(struct pair *pair)
{
    uint32_t lines = tile_state(pair->tile[0])->l1.size / 16 - below(&pair->seed, 5);
    both_field(pair, 0, PACKER(0, L1_Dest_addr), lines - 1);
    both_field(pair, 0, PACKER(0, Exp_section_size), 0x20000 + 16 - lines);
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

static void same_tile_by_other_modes(struct pair *pair)
{
    for (int tile = 0; tile < 4; tile++) {
        address_mode(pair, 0, mode_word(1 + below(&pair->seed, 8), 0, 0, 0));
        both_push(pair, 0, "SETADCXY CntSetMask=4 BitMask=10");
        both_push(pair, 0, "SETADCZW CntSetMask=4 BitMask=15");
        for (int i = 0; i < 16; i++)
            both_push(pair, 0, pacr(pair, i == 15 ? 1 : 0, i == 15, ""));
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

static void change_metadata(struct pair *pair)
{
    for (int tile = 0; tile < 3; tile++) {
        both_field(pair, 0, PACKER(0, Enable_out_fifo), draw(&pair->seed) & 1);
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

// One packer of four has a finding that taints what it writes.
static void taint_one_packer(struct pair *pair)
{
    for (int i = 0; i < 2; i++)
        tile_env(pair->tile[i])->findings->action[FINDING_UNDOCUMENTED_MODE] = TSR_ACTION_USE;
    both_field(pair, 0, PACKER(2, Disable_zero_compress), 0);
    both_field(pair, 0, PACKER(2, Disable_pack_zero_flags), 1);
}

static void pack_by_all(struct pair *pair)
{
    both_push(pair, 0, "PACR PackSel=15 AddrMode=1 Last=1");
    both_push(pair, 0, "PACR PackSel=15 AddrMode=1 Last=1");
}

// From the same place in the tile, more or fewer datums.
static void same_words_of_other_counts(struct pair *pair)
{
    for (int tile = 0; tile < 4; tile++) {
        for (int i = 0; i < 2; i++) {
            struct tsr_packer *packer = &tile_state(pair->tile[i])->packers.packer[0];
            packer->x = packer->y = packer->z = 0;
        }
        both_push(pair, 0,
                  tile & 1 ? "SETADCXX CntSetMask=4 x_end2=31" : "SETADCXX CntSetMask=4 x_end2=15");
        both_push(pair, 0, pacr(pair, 1, true, ""));
        both_run(pair);
    }
}

// Kernels choose a tile of Dst by W: those whose rows begin anywhere, and go beyond its end.
static void same_words_of_other_tiles(struct pair *pair)
{
    both_run(pair);
    uint32_t stride = (uint32_t[]){1024, 512, 64, 16, 8}[below(&pair->seed, 5)];
    both_field(pair, 0, FIELD_PCK0_ADDR_CTRL_ZW_REG_0_Wstride, pair->bytes * stride);
    for (int tile = 0; tile < 6; tile++) {
        uint32_t all = TSR_DST_ROWS * 16 / stride, near_end = (all < 256 ? all : 256) - 4;
        uint32_t w = draw(&pair->seed) & 1 ? near_end + below(&pair->seed, 4) : (uint32_t)tile;
        for (int i = 0; i < 2; i++)
            tile_state(pair->tile[i])->adcs.channel[0][TSR_ADC_PACKERS][0].w = w;
        both_push(pair, 0, "SETADCXY CntSetMask=4 BitMask=10");
        for (int i = 0; i < 4; i++)
            both_push(pair, 0, pacr(pair, i == 3 ? 1 : 0, i == 3, ""));
        if (pair->arch == WH)
            both_push(pair, 0, "PACR PackSel=15 AddrMode=1 Last=1");
        both_run(pair);
    }
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

// Thread 1 looks at the first bank when thread 0 has left it.
static void other_bank_meanwhile(struct pair *pair)
{
    switch_bank(pair, 0);
    for (uint32_t tile = 0; tile < 3; tile++) {
        both_field(pair, 0, PACKER(0, L1_Dest_addr), OUT / 16 + 0x100 + tile);
        both_push(pair, 0, pacr(pair, 1, true, ""));
        both_run(pair);
    }
    for (int i = 0; i < 2; i++) {
        struct tsr_state *state = tile_state(pair->tile[i]);
        memcpy(state->config.bank[1], state->config.bank[0], sizeof state->config.bank[0]);
        memcpy(state->adcs.channel[1], state->adcs.channel[0], sizeof state->adcs.channel[0]);
    }
    both_field(pair, 1, PACKER(0, L1_Dest_addr), OUT / 16 + 0x77);
    switch_bank(pair, 1);
    both_run(pair);
    for (int i = 0; i < 2; i++)
        both_push(pair, 1, pacr(pair, 1, true, ""));
    both_run(pair);
    both_push(pair, 0, pacr(pair, 1, true, ""));
}

// Packers whose rows follow each other in Dst, and their tiles in L1; or one that does not.
static void other_offsets(struct pair *pair)
{
    both_run(pair);
    both_push(pair, 0, "SETADCXX CntSetMask=4 x_end2=63");
    for (uint32_t tile = 0; tile < 6; tile++) {
        uint32_t row = 16 * below(&pair->seed, 8), odd = below(&pair->seed, 12);
        for (uint32_t p = 0; p < 4; p++) {
            both_field(pair, 0, tsr_pack_field_of((int)p, PACK_FIELD_Offset),
                       row + 4 * p + (odd == p ? 4 : 0));
            both_field(pair, 0, PACKER(p, L1_Dest_addr),
                       OUT / 16 + 0x40 * tile + p * (64 * pair->bits / 128) + (odd == 4 + p));
        }
        both_push(pair, 0, "PACR PackSel=15 AddrMode=1 Last=1");
        both_run(pair);
    }
    both_push(pair, 0, "SETADCXX CntSetMask=4 x_end2=15");
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
    {"far x counters", NULL, set_far_x, "", -1},
    {"y counters", NULL, set_y, "", -1},
    {"end of Dst", NULL, near_the_end_of_dst, "", -1},
    {"end of L1", NULL, near_the_end_of_l1, "", -1},
    {"no room for exponents", set_blocks, exponents_near_the_end_of_l1, "", BH},
    {"order of rows", NULL, set_order, "", -1},
    {"the same rows in other orders", NULL, same_tile_in_other_orders, "", BH},
    {"the same words by other modes", NULL, same_tile_by_other_modes, "", -1},
    {"high halves", NULL, set_high_halves, "", -1},
    {"part of a line", NULL, leave_part, "", -1},
    {"part of another format's line", NULL, leave_exponents, "", -1},
    {"begun rows", NULL, compress_then_not, "", -1},
    {"sections that overlap", set_blocks, overlap_sections, "", -1},
    {"positions", NULL, move_position, "", -1},
    {"headers", NULL, change_headers, "", -1},
    {"metadata", NULL, change_metadata, "", -1},
    {"exponents at the end of L1", set_blocks, exponents_at_the_end_of_l1, "", -1},
    {"packers that overlap", NULL, pack_over_each_other, "", WH},
    {"a packer that taints", taint_one_packer, pack_by_all, "", WH},
    {"the same words of other counts", NULL, same_words_of_other_counts, "", WH},
    {"the same words of other tiles", NULL, same_words_of_other_tiles, "", -1},
    {"two banks", set_two_banks, leave_part_in_one_bank, "", -1},
    {"other counters", other_counters, pack_by_other_counters, "", WH},
    {"other threads", NULL, other_threads, "", -1},
    {"other bank", NULL, other_bank, "", -1},
    {"other bank meanwhile", NULL, other_bank_meanwhile, "", -1},
    {"other Dst offsets", NULL, other_offsets, "", WH},
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

// Flushes alone, of packers that hold nothing, a begun tile, or part of a line; by counters of the
// thread, or of one for each packer.
static void run_flushes(int arch, uint32_t seed)
{
    struct pair pair = pair_new(arch, seed);
    uint64_t before = pair.tile[0]->engine.in_blocks;
    place_tile(&pair);
    if (arch == WH) {
        other_counters(&pair);
        both_field(&pair, 0, FIELD_PCK0_ADDR_CTRL_ZW_REG_1_Zstride, 16 * below(&pair.seed, 4));
    }
    for (int i = 0; i < 200 && !pair.stopped; i++) {
        char text[80];
        unsigned kind = below(&pair.seed, 4);
        if (kind == 0)
            leave_part(&pair);
        if (kind == 1)
            both_push(&pair, 0, pacr(&pair, 0, false, ""));
        if (kind == 2)
            both_field(&pair, 0, PACKER(0, L1_Dest_addr), 0x1000 + below(&pair.seed, 0x100));
        snprintf(text, sizeof text, "PACR AddrMode=%u Flush=1", below(&pair.seed, 4));
        if (arch == WH)
            snprintf(text + strlen(text), sizeof text - strlen(text), " PackSel=%u OvrdThreadId=%u",
                     1 + below(&pair.seed, 15), below(&pair.seed, 2));
        for (unsigned flushes = 1 + below(&pair.seed, 2); flushes > 0; flushes--)
            both_push(&pair, 0, text);
        both_run(&pair);
    }
    assert_int_equal(pair.tile[1]->engine.in_blocks, 0);
    assert_false(pair.stopped);
    assert_true(arch != WH || pair.tile[0]->engine.in_blocks > before + 80);
    pair_free(&pair);
}

static void test_flushes(int arch)
{
    for (uint32_t seed = 5; seed < 5 + FORMATS; seed++)
        run_flushes(arch, seed);
}
TILE_BOTH(test_flushes)

// Words beside the plans, against a tile that reads all of them each time.
static void change_inputs(struct pair *pair)
{
    const struct tsr_state *state[2] = {tile_state(pair->tile[0]), tile_state(pair->tile[1])};
    place_tile(pair);
    both_run(pair);
    for (uint32_t i = 0; i < 12; i++) {
        uint32_t drawn = below(&pair->seed, 8);
        if (i % 4 == 0)
            both_field(pair, 0, FIELD_PCK0_ADDR_BASE_REG_0_Base, 16 * pair->bytes * drawn);
        else if (i % 4 == 1)
            both_field(pair, 0, FIELD_PCK0_ADDR_BASE_REG_1_Base, 0x100 * drawn);
        else if (i % 4 == 2)
            both_field(pair, 0, tsr_pack_field_of(0, PACK_FIELD_fifo_size), drawn);
        else
            both_field(pair, 0, tsr_pack_field_of(0, PACK_FIELD_limit_address),
                       drawn & 1 ? OUT / 32 - 1 : 0x1ffff);
        tsr_pack_plans_clear(tile_env(pair->tile[1])->pack_plans);
        both_push(pair, 0, pacr(pair, 1, true, ""));
        both_end(pair);
        assert_memory_equal(state[0]->l1.bytes, state[1]->l1.bytes, state[0]->l1.size);
        assert_memory_equal(&state[0]->packers, &state[1]->packers, sizeof state[0]->packers);
    }
}

static void test_inputs(int arch)
{
    for (uint32_t seed = 5; seed < 5 + FORMATS; seed++) {
        struct pair pair = pair_new(arch, seed);
        change_inputs(&pair);
        pair_free(&pair);
    }
}
TILE_BOTH(test_inputs)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_random_runs),
        TILE_TEST(test_flushes),
        TILE_TEST(test_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
