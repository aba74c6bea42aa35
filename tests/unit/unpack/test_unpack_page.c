// SPDX-License-Identifier: Apache-2.0
// UNPACR against the model of test_unpack_page_model.h. Random configurations, of which about two
// thirds are valid; whatever the page calls undefined must stop a strict tile, and nothing else
// may. Datums, stories, counters and banks are compared; plans live on from case to case.
#include "rig/sample.h"
#include "rig/unpack_page_model.h"

enum { CASES = RIG_SAMPLE(4000) };

// ---------------------------------------------------------------- random cases

static uint32_t any(struct bench *b, uint32_t below)
{
    return rig_random(b->r) % below;
}

static bool rarely(struct bench *b, uint32_t one_in)
{
    return any(b, one_in) == 0;
}

// Formats, and with them what decides most about the shape.
static double choose_formats(struct bench *b, bool to_dst)
{
    static const uint8_t pairs[][2] = {{0, 4},   {0, 5},   {0, 1}, {1, 1}, {5, 5},   {6, 6},
                                       {7, 7},   {15, 15}, {2, 2}, {3, 3}, {11, 11}, {9, 9},
                                       {10, 10}, {14, 14}, {0, 0}, {4, 4}, {8, 8}};
    unsigned pair = any(b, to_dst || rarely(b, 30) ? 17 : 14);
    uint8_t in = pairs[pair][0], out = rarely(b, 100) ? (uint8_t)any(b, 12) : pairs[pair][1];
    bool own = rarely(b, 3);
    put(b, SEC "2_Ovrd_data_format", 0, own);
    put(b, SEC "7_Unpack_data_format_cntx%u", b->context, in);
    put(b, SEC "7_Unpack_out_data_format_cntx%u", b->context, out);
    put(b, SEC "0_TileDescriptor.InDataFormat", 0, own && bit_of(b, 7) ? any(b, 12) : in);
    put(b, SEC "2_Out_data_format", 0, own && bit_of(b, 7) ? any(b, 12) : out);
    put(b, SEC "2_Force_shared_exp", 0, in_set(in, BLOCK_E5) ? !rarely(b, 8) : any(b, 2));
    put(b, SEC "0_TileDescriptor.NoBFPExpSection", 0, rarely(b, 4));
    put(b, "UNP%u_FORCED_SHARED_EXP_shared_exp", 0,
        in_set(in, BLOCK_E5) ? 8 + any(b, 24) : any(b, 256));
    put(b, SEC "1_Unp_LF8_4b_exp", 0, any(b, 2));
    put(b, "ALU_FORMAT_SPEC_REG0_SrcAUnsigned", 0, any(b, 2));
    put(b, "ALU_FORMAT_SPEC_REG0_SrcBUnsigned", 0, any(b, 2));
    return datum_bytes(in);
}

static bool is_compressed(struct bench *b)
{
    return !(bit_of(b, 7) ? get(b, SEC "2_Disable_zero_compress_cntx%u", b->context)
                          : get(b, SEC "0_TileDescriptor.IsUncompressed", 0));
}

// Row starts that mostly run forward, in steps of up to `most` datums.
static void write_row_starts(struct bench *b, uint32_t address, uint32_t most)
{
    uint32_t start = rarely(b, 8) ? any(b, 65000) : any(b, 200);
    for (uint32_t i = 0; i < 300 && address + 2 * i + 2 <= b->r->state->l1.size; i++) {
        uint8_t bytes[2] = {(uint8_t)start, (uint8_t)(start >> 8)};
        tsr_l1_put(&b->r->state->l1, address + 2 * i, bytes, 2, false);
        start = rarely(b, 300) ? start - any(b, 100) : start + any(b, most);
    }
}

static void choose_blobs(struct bench *b)
{
    uint32_t starts = 0;
    for (unsigned i = 0; i < 8; i++)
        starts |= (rarely(b, 20) ? any(b, 16) : i + any(b, 3)) << 4 * i;
    put(b, SEC "0_TileDescriptor.BlobsPerXYPlane", 0, any(b, 2) ? any(b, 8) : 0);
    put(b, SEC "0_TileDescriptor.BlobsYStart_lo", 0, starts & 0xffff);
    put(b, SEC "0_TileDescriptor.BlobsYStart_hi", 0, starts >> 16);
    put(b, "UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start", 0, rarely(b, 3) ? any(b, 1 << 24) : starts);
    put(b, "UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start", 0, rarely(b, 3) ? any(b, 1 << 24) : starts);
}

static void choose_input(struct bench *b, bool aligned)
{
    uint32_t far = rarely(b, 60) ? b->r->state->l1.size / 16 - any(b, 40) : 256 + any(b, 80000);
    uint32_t offset = any(b, 200);
    put(b, base_name(b->context), b->context, far - offset - 1);
    put(b, offset_name(b->context & 3), b->context & 3, offset);
    uint32_t digest = rarely(b, 4) ? any(b, 256) : 0;
    put(b, SEC "0_TileDescriptor.DigestSize", 0, digest);
    put(b, SEC "2_Disable_zero_compress_cntx%u", b->context, !rarely(b, aligned ? 20 : 4));
    put(b, SEC "0_TileDescriptor.IsUncompressed", 0, !rarely(b, 4));
    if (is_compressed(b))
        write_row_starts(b, (far + digest) * 16, 1 + any(b, 40));
    uint32_t x_dim = aligned || any(b, 2) ? 64 * (1 + any(b, 4)) : any(b, 100);
    put(b, SEC "0_TileDescriptor.XDim", 0, x_dim);
    put(b, SEC "5_Tile_x_dim_cntx%u", b->context & 3, x_dim);
    put(b, SEC "0_TileDescriptor.YDim", 0, any(b, 5));
    put(b, SEC "0_TileDescriptor.ZDim", 0, any(b, 4));
    put(b, SEC "0_TileDescriptor.WDim", 0, any(b, 4));
    bool circular = any(b, 2);
    for (unsigned i = 0; i < 2; i++) {
        const char *limit = i ? SEC "10_Unpack_limit_address" : SEC "2_Unpack_limit_address";
        put(b, limit, 0, circular ? far + any(b, any(b, 2) ? 8 : 400) : 0);
        put(b, i ? SEC "10_Unpack_fifo_size" : SEC "2_Unpack_fifo_size", 0,
            circular ? 1 + any(b, 200) : 0);
    }
    put(b, SEC "10_Unpack_limit_address_en", 0, any(b, 2));
}

static void choose_output(struct bench *b, double size, bool to_dst)
{
    uint32_t unit = size >= 4 ? 64 : size >= 2 ? 32 : 16; // may be wrong for FP32 as 16 bits
    bool by_stride = b->u == 1 || rarely(b, 3);
    put(b, "UNP%u_ADDR_BASE_REG_1_Base", 0, by_stride ? unit * any(b, 4) + rarely(b, 40) : 0);
    put(b, "UNP%u_ADDR_CTRL_XY_REG_1_Ystride", 0, by_stride ? unit * any(b, 3) : 0);
    put(b, "UNP%u_ADDR_CTRL_ZW_REG_1_Zstride", 0, by_stride ? unit * any(b, 2) : 0);
    put(b, "UNP%u_ADDR_CTRL_ZW_REG_1_Wstride", 0, by_stride ? unit * any(b, 2) : 0);
    put(b, "UNP%u_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr", 0, any(b, 2));
    uint32_t row = 4 + any(b, to_dst ? 1024 : 60) / (any(b, 4) ? 8 : 1) * (any(b, 4) ? 8 : 1);
    put(b, SEC "5_Dest_cntx%u_address", b->context & 3,
        rarely(b, 12) ? any(b, 400) : row * 16 + (rarely(b, 12) ? any(b, 16) : 0));
    put(b, "SRCA_SET_SetOvrdWithAddr", 0, to_dst ? rarely(b, 40) : !rarely(b, 4));
    put(b, b->u ? "SRCB_SET_Base" : "SRCA_SET_Base", 0, any(b, 4));
    put(b, SEC "2_Unpack_Src_Reg_Set_Upd", 0, rarely(b, 4));
}

static void choose_counters(struct bench *b, bool aligned)
{
    for (unsigned thread = 0; thread < 3; thread++)
        for (unsigned c = 0; c < 2; c++) {
            tsr_adc_channel *channel = &b->r->state->adcs.channel[thread][b->u][c];
            bool high = c == 0 && rarely(b, 4);
            channel->y = any(b, 6) + (high ? 256 * any(b, 32) : 0);
            channel->z = any(b, 4) + (high && blackhole(b) ? 256 * any(b, 32) : 0);
            channel->w = any(b, 3);
        }
    uint32_t count = rarely(b, 3) ? 16 * any(b, 65) : any(b, rarely(b, 2) ? 17 : 600);
    for (unsigned thread = 0; thread < 3; thread++) {
        tsr_adc_channel *channel = b->r->state->adcs.channel[thread][b->u];
        channel[0].x = rarely(b, 60) ? any(b, 9000) : aligned || any(b, 2) ? 0 : 1 + any(b, 90);
        channel[1].x = (channel[0].x + count - (rarely(b, 40) ? any(b, 40) : 1)) & 0x3ffff;
        if (is_compressed(b) && any(b, 2)) {
            channel[0].x = 0;
            channel[1].x = (get(b, SEC "0_TileDescriptor.XDim", 0) - 1) & 0x3ffff;
        }
        if (bit_of(b, 2) && !rarely(b, 20)) // of a blob or a row
            channel[0].x = channel[0].y + any(b, 2) + 256 * any(b, 8);
    }
}

static void choose(struct bench *b)
{
    b->u = any(b, 2);
    b->thread = any(b, 3);
    b->bank = any(b, 2);
    bool multi = !rarely(b, 6), counted = rarely(b, 5), to_dst = b->u == 0 && rarely(b, 3);
    unsigned number = rarely(b, 3) ? any(b, 2) : 0;
    unsigned offset = rarely(b, 3) ? any(b, b->u ? 2 : 8) : 0;
    b->word = UNPACR | b->u << 23 | (uint32_t)multi << 7 | (uint32_t)counted << 3 | number << 10;
    b->word |= (rarely(b, 8) ? any(b, 4) : 0) << 8 | any(b, 256) << 15;
    b->word |= (any(b, 4) == 0 ? FLIP : 0) | (rarely(b, 8) ? ZERO : 0) | any(b, 2);
    b->word |= rarely(b, 6) << 2;
    struct tsr_unpacker *unit = &b->r->state->unpacker[b->u];
    if (rarely(b, 2))
        unit->context_counter[b->thread] = 0;
    if (rarely(b, 2))
        unit->src_row[b->thread] = 0;
    b->context = counted ? unit->context_counter[b->thread] : number;
    b->context = multi ? (b->context + offset) & 7 : 0;
    put(b, "CFG_STATE_ID_StateID", 0, b->bank);
    put(b, context_offset_name(b), 0, offset);
    put(b, SEC "2_Context_count", 0, any(b, 4));
    put(b, SEC "2_Context_count_non_log2_en", 0, rarely(b, 4));
    put(b, SEC "2_Context_count_non_log2", 0, any(b, 8));
    put(b, SEC "2_Unpack_if_sel_cntx%u", b->context, to_dst);
    put(b, SEC "2_Unpack_If_Sel", 0, to_dst);
    bool tileize = rarely(b, 4), transpose = rarely(b, to_dst ? 40 : 4);
    put(b, SEC "2_Tileize_mode", 0, tileize);
    put(b, SEC "2_Haloize_mode", 0, transpose);
    for (unsigned i = 0; i < 4; i++)
        put(b, SEC "2_Shift_amount_cntx%u", i,
            tileize ? any(b, i == 2 ? 2 : 16) : rarely(b, to_dst ? 60 : 10) * any(b, 16));
    put(b, SEC "2_Throttle_mode", 0, any(b, rarely(b, 20) ? 4 : 3));
    put(b, SEC "1_ovrd_default_throttle_mode", 0, any(b, 2));
    put(b, SEC "2_Upsample_rate", 0, rarely(b, tileize ? 30 : 5) * any(b, 4));
    put(b, SEC "2_Upsample_and_interleave", 0, any(b, 2));
    double size = choose_formats(b, to_dst);
    choose_blobs(b);
    choose_input(b, tileize || transpose);
    choose_output(b, size, to_dst);
    choose_counters(b, tileize || transpose);
}

// The last case once more with other counters and the same configuration but for a bit of another
// plan group, so that plans are kept where they hold and made again where they do not.
static void choose_again(struct bench *b)
{
    put(b, "ALU_FORMAT_SPEC_REG0_SrcAUnsigned", 0, any(b, 2));
    put(b, "ALU_FORMAT_SPEC_REG0_SrcBUnsigned", 0, any(b, 2));
    b->word ^= rarely(b, 3) ? MULTI : 0;
    choose_counters(b, get(b, SEC "2_Tileize_mode", 0) || get(b, SEC "2_Haloize_mode", 0));
}

// Some tainted L1: somewhere of a pattern that is drawn once.
static void prepare_taint(struct bench *b, struct tsr_l1 *l1)
{
    enum { GRANULES = sizeof l1->tainted / sizeof l1->tainted[0] };
    static uint16_t pattern[GRANULES + 0x10000];
    static bool drawn;
    for (unsigned i = 0; !drawn && i < GRANULES + 0x10000; i += 1 + any(b, 16))
        pattern[i] = (uint16_t)any(b, 0x10000);
    drawn = true;
    if (l1->any_tainted)
        memset(l1->tainted, 0, sizeof l1->tainted);
    l1->any_tainted = rarely(b, 4);
    if (l1->any_tainted)
        memcpy(l1->tainted, pattern + any(b, 0x10000), sizeof l1->tainted);
}

// Random stories: banks that belong to the unpackers, some invalid rows of Dst, some tainted L1.
static void prepare(struct bench *b)
{
    struct tsr_state *s = b->r->state;
    for (unsigned side = 0; side < 2; side++)
        s->src[side].bank[s->src[side].unpacker_bank].matrix_owns = false;
    for (unsigned i = 0; i < 64; i++) {
        unsigned row = any(b, TSR_DST_ROWS);
        s->dst.valid[row] = any(b, 2);
        s->dst.written[row] = (uint16_t)any(b, 0x10000);
    }
    prepare_taint(b, &s->l1);
}

static void take(const struct tsr_state *s, struct effect *e)
{
    memcpy(e->src, s->src, sizeof e->src);
    memcpy(&e->dst, &s->dst, sizeof e->dst);
    memcpy(&e->adcs, &s->adcs, sizeof e->adcs);
    memcpy(e->unpacker, s->unpacker, sizeof e->unpacker);
    // Which rows were written is for row_writers.h, no page has it.
    memset(e->dst.marks, 0, sizeof e->dst.marks);
    for (int bank = 0; bank < 4; bank++)
        e->src[bank / 2].bank[bank % 2].marks = 0;
}

static const char *difference(const struct effect *a, const struct effect *b)
{
    if (memcmp(a->src, b->src, sizeof a->src) != 0)
        return "SrcA or SrcB";
    if (memcmp(&a->dst, &b->dst, sizeof a->dst) != 0)
        return "Dst";
    return memcmp(&a->adcs, &b->adcs, sizeof a->adcs) != 0 ? "ADCs" : "contexts or SrcRow";
}

static bool tile_runs(struct bench *b)
{
    struct rig *r = b->r;
    rig_decode(r, b->word);
    r->inst.thread = (uint8_t)b->thread;
    return rig_run_decoded(r);
}

static void follow_page(tsr_arch arch, const char *kernels, uint32_t seed)
{
    struct bench b = {.r = rig_new(arch)};
    struct effect *got = calloc(1, sizeof *got);
    unsigned valid = 0, of_mode[MODES] = {0};
    b.r->env.kernels = kernels ? tsr_kernels_select(kernels) : NULL;
    b.r->random = seed;
    struct tsr_l1 *l1 = &b.r->state->l1;
    rig_fill_l1(b.r, 0, l1->size);
    for (unsigned n = 0; n < CASES; n++) {
        if (n == 0 || !rarely(&b, 4))
            choose(&b);
        else
            choose_again(&b);
        prepare(&b);
        take(b.r->state, &b.want);
        bool right = page_run(&b), runs = tile_runs(&b);
        if (right != runs)
            print_error("case %u: the page %s, the tile %s (%s)\n", n, right ? "runs" : "stops",
                        runs ? "runs" : "stops",
                        b.r->findings.count ? b.r->findings.kept[0].code : "");
        assert_int_equal(right, runs);
        take(b.r->state, got);
        if (right && memcmp(got, &b.want, sizeof *got) != 0)
            fail_msg("case %u, seed %u: word 0x%08x of thread %u leaves other %s", n, seed, b.word,
                     b.thread, difference(got, &b.want));
        valid += right;
        for (unsigned mode = 0; mode < MODES; mode++)
            of_mode[mode] += right && b.mode[mode];
    }
    assert_true(valid > CASES / 3);
    for (unsigned mode = 0; mode < MODES; mode++)
        assert_true(of_mode[mode] > CASES / 1000);
    free(got);
    rig_free(b.r);
}

static void test_wormhole(void **state)
{
    (void)state;
    follow_page(TSR_WORMHOLE_B0, "auto", 1);
    follow_page(TSR_WORMHOLE_B0, "reference", 2);
    follow_page(TSR_WORMHOLE_B0, NULL, 3);
}

static void test_blackhole(void **state)
{
    (void)state;
    follow_page(TSR_BLACKHOLE_A0, "auto", 4);
    follow_page(TSR_BLACKHOLE_A0, "reference", 5);
    follow_page(TSR_BLACKHOLE_A0, NULL, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wormhole),
        cmocka_unit_test(test_blackhole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
