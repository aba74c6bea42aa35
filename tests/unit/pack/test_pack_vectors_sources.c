// SPDX-License-Identifier: Apache-2.0
// Where PACR reads and whose counters it uses, worked by hand from the ISA pages by a reader who
// had not seen the code: L1 as the source, ZeroWrite, Flush, OvrdThreadId, and the selection of
// packers. Nothing is computed by the test.
// Pages: Packers/InputAddressGenerator, Packers/OutputAddressGenerator, Packers/README, PACR.

#include "rig/pack_vectors_rig.h"

// Packer 0 reads L1 at `base`, which has 18 bits together with what is above it.
static tsr_tile *l1_tile(int arch, int between, int out, uint32_t base)
{
    tsr_tile *tile = vec_tile(arch, between, out, false);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Source_interface_selection, 1);
    tile_field(tile, 0, FIELD_PCK0_ADDR_BASE_REG_0_Base, base);
    return tile;
}

static const uint16_t words[16] = {0x3f80, 0xbf80, 0x0001, 0x8000, 0x7fc1, 0x4000, 0x4040, 0x4080,
                                   0x1234, 0x5678, 0x9abc, 0xdef0, 0x1111, 0x2222, 0x3333, 0x4444};

// No early conversion, mask, ReLU or threshold is on the way from L1: denormals and NaN stay.
static void from_l1(int arch)
{
    static const int formats[] = {BF16, FP16, INT16};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        tsr_tile *tile = l1_tile(arch, formats[i], formats[i], 0x8000);
        vec_words16(tile, 0x8000, words, 16);
        tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC0_mask, 0);
        tile_field(tile, 0, FIELD_STACC_RELU_ApplyRelu, 1);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Exp_threshold_en, 1);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Exp_threshold, 255);
        pack_one(tile, "Last=1");
        for (unsigned k = 0; k < 16; k++)
            IS(tile, "16 bits", OUT + 2 * k, 2, words[k]);
        tsr_tile_destroy(tile);
    }
    // 32 bits: two halves a datum, low half first.
    static const int wide[] = {FP32, INT32};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        tsr_tile *tile = l1_tile(arch, wide[i], wide[i], 0x8000);
        vec_words16(tile, 0x8000, words, 16);
        pack_datums(tile, 0, 8);
        pack_one(tile, "Last=1");
        IS(tile, "32 bits", OUT, 4, 0xbf803f80, 0x80000001, 0x40007fc1, 0x40804040, 0x56781234,
           0xdef09abc, 0x22221111, 0x44443333);
        tsr_tile_destroy(tile);
    }
}

// Eight bits, and the late conversions.
static void from_l1_converted(int arch)
{
    tsr_tile *tile = l1_tile(arch, INT8, INT8, 0x8000);
    vec_words16(tile, 0x8000, words, 8);
    pack_one(tile, "Last=1");
    IS(tile, "INT8", OUT, 4, 0xbf803f80, 0x80000001, 0x40007fc1, 0x40804040);
    tsr_tile_destroy(tile);
    tile = l1_tile(arch, FP8, FP8, 0x8000);
    vec_words16(tile, 0x8000, words, 8);
    pack_one(tile, "Last=1");
    IS(tile, "FP8", OUT, 4, 0xbf803f80, 0x80000001, 0x40007fc1, 0x40804040);
    tsr_tile_destroy(tile);
    // FP32 to BF16 truncates: the high halves.
    tile = l1_tile(arch, FP32, BF16, 0x8000);
    static const uint16_t fp32[6] = {0xffff, 0x3f80, 0x8000, 0xc000, 0x1234, 0x4049};
    vec_words16(tile, 0x8000, fp32, 6);
    pack_datums(tile, 0, 8);
    pack_one(tile, "Last=1");
    IS(tile, "FP32 to BF16", OUT, 2, 0x3f80, 0xc000, 0x4049, 0);
    tsr_tile_destroy(tile);
    // BF16 to BFP8: 127, 128: (128 + 2) / 4 and (128 + 1) / 2.
    tile = l1_tile(arch, BF16, BFP8, 0x8000);
    static const uint16_t bf16[3] = {0x3f80, 0x4000, 0xbf80};
    vec_words16(tile, 0x8000, bf16, 3);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Exp_section_size, 1);
    pack_one(tile, "Last=1");
    IS(tile, "exponent", OUT, 1, 128, 0);
    IS(tile, "BF16 to BFP8", OUT + 16, 1, 0x20, 0x40, 0xa0, 0);
    tsr_tile_destroy(tile);
    // BFP8 in L1: sign and magnitude, exponent 0. Out as BF16, which keeps denormals: c5 is 8045.
    tile = l1_tile(arch, BFP8, BF16, 0x8000);
    static const uint16_t bytes[2] = {0x45c5, 0x8000};
    vec_words16(tile, 0x8000, bytes, 2);
    pack_one(tile, "Last=1");
    IS(tile, "BFP8 without exponents", OUT, 2, 0x8045, 0x0045, 0, 0x8000);
    tsr_tile_destroy(tile);
}

// The address: X alone is finer than 16 bytes; the bits above 18 are L1_source_addr's.
static void from_l1_address(int arch)
{
    // X 3 of 16 bits, X stride 0: 0x8000 + 2 * 3.
    tsr_tile *tile = l1_tile(arch, INT16, INT16, 0x8000);
    vec_words16(tile, 0x8000, words, 16);
    pack_datums(tile, 3, 8);
    pack_one(tile, "Last=1");
    IS(tile, "X 3", OUT, 2, 0x8000, 0x7fc1, 0x4000, 0x4040, 0x4080, 0x1234, 0x5678, 0x9abc);
    tsr_tile_destroy(tile);

    // 0x800b: its low four bits are dropped. Source 1 is 0x40000 above.
    tile = l1_tile(arch, INT16, INT16, 0x900b);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_L1_source_addr, 1);
    vec_words16(tile, 0x49000, words, 16);
    pack_one(tile, "Last=1");
    IS(tile, "source 1", OUT, 2, 0x3f80, 0xbf80, 0x0001, 0x8000);
    tsr_tile_destroy(tile);

    // Y 2 of 0x20 bytes, and X 8 with a stride of two bytes: 0x8000 + 0x40 + 0x10 + 2 * (8 & 7).
    tile = l1_tile(arch, INT16, INT16, 0x8000);
    vec_words16(tile, 0x8040, words, 16);
    tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride, 0x20);
    tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Xstride, 2);
    tile_state(tile)->adcs.channel[0][TSR_ADC_PACKERS][0].y = 2;
    pack_datums(tile, 8, 8);
    pack_one(tile, "Last=1");
    IS(tile, "Y 2, X 8", OUT, 2, 0x1234, 0x5678, 0x9abc, 0xdef0, 0x1111, 0x2222, 0x3333, 0x4444);
    tsr_tile_destroy(tile);

    // Downsampling is on this way too.
    tile = l1_tile(arch, INT16, INT16, 0x8000);
    vec_words16(tile, 0x8000, words, 16);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Downsample_mask, 0x0102);
    pack_one(tile, "Last=1");
    IS(tile, "downsampled", OUT, 2, 0xbf80, 0x1234, 0, 0, 0, 0, 0, 0);
    tsr_tile_destroy(tile);
}

// Zeroes, as many as X says, whatever Dst holds.
static void zero_write(int arch)
{
    tsr_tile *tile = vec_tile(arch, INT16, INT16, false);
    dst_rows16(tile, 4);
    vec_fill(tile, OUT, 96, 0xee);
    pack_one(tile, "ZeroWrite=1 Last=1");
    IS(tile, "16 datums", OUT, 4, 0, 0, 0, 0, 0, 0, 0, 0);
    IS(tile, "behind", OUT + 32, 1, 0xee);
    vec_fill(tile, OUT, 96, 0xee);
    pack_datums(tile, 0, 4); // half a line, then datums of Dst behind them
    pack_one(tile, "ZeroWrite=1");
    pack_datums(tile, 1, 4);
    pack_one(tile, "Last=1");
    IS(tile, "then Dst", OUT, 2, 0, 0, 0, 0, 1, 2, 3, 4);
    tsr_tile_destroy(tile);

    // Masks and minus infinity are for datums of Dst.
    tile = vec_tile(arch, BF16, BF16, false);
    vec_fill(tile, OUT, 32, 0xee);
    tile_field(tile, 0, FIELD_PCK_EDGE_MODE_mode, 1);
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC0_mask, 0);
    pack_one(tile, "ZeroWrite=1 Last=1");
    IS(tile, "no edge", OUT, 4, 0, 0, 0, 0, 0, 0, 0, 0);
    tsr_tile_destroy(tile);

    // A block of zeroes has exponent 0.
    tile = vec_tile(arch, BF16, BFP8, false);
    vec_fill(tile, OUT, 48, 0xee);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Exp_section_size, 1);
    pack_one(tile, "ZeroWrite=1 Last=1");
    IS(tile, "block", OUT, 4, 0, 0, 0, 0, 0, 0, 0, 0);
    IS(tile, "behind the block", OUT + 32, 1, 0xee);
    tsr_tile_destroy(tile);

    // Zeroes accumulated leave what is there.
    tile = vec_tile(arch, BF16, BF16, false);
    vec_words16(tile, OUT, (const uint16_t[]){0x3f80, 0xc000}, 2);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Pack_L1_Acc, 1);
    pack_one(tile, "ZeroWrite=1 Last=1");
    IS(tile, "accumulated", OUT, 2, 0x3f80, 0xc000, 0, 0);
    tsr_tile_destroy(tile);
}

// Flush packs nothing, fills the line up and makes the next PACR take a fresh address.
static void flush(int arch)
{
    tsr_tile *tile = vec_tile(arch, INT16, INT16, false);
    dst_rows16(tile, 1);
    vec_fill(tile, OUT, 64, 0xee);
    tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Xstride, 2); // so that X 8 is column 8
    pack_datums(tile, 1, 4);
    pack_one(tile, "");
    IS(tile, "half a line stays inside", OUT, 4, 0xeeeeeeee, 0xeeeeeeee, 0xeeeeeeee, 0xeeeeeeee);
    pack_one(tile, "Flush=1"); // four datums are asked for, none is packed
    IS(tile, "flushed", OUT, 2, 1, 2, 3, 4, 0, 0, 0, 0);
    IS(tile, "one line", OUT + 16, 2, 0xeeee, 0xeeee);
    pack_one(tile, "Flush=1"); // nothing is left
    IS(tile, "still one line", OUT + 16, 2, 0xeeee, 0xeeee);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_L1_Dest_addr, OUT / 16 - 1 + 0x10);
    pack_datums(tile, 8, 8);
    pack_one(tile, ""); // a fresh address
    IS(tile, "next section", OUT + 0x100, 2, 8, 9, 10, 11, 12, 13, 14, 15);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_L1_Dest_addr, OUT / 16 - 1 + 0x20);
    pack_datums(tile, 0, 8);
    pack_one(tile, ""); // appended: no Last or Flush before
    IS(tile, "appended", OUT + 0x110, 2, 0, 1, 2, 3, 4, 5, 6, 7);
    pack_one(tile, "Flush=1");
    pack_one(tile, "Last=1");
    IS(tile, "third section", OUT + 0x200, 2, 0, 1, 2, 3, 4, 5, 6, 7);
    tsr_tile_destroy(tile);
}

static tsr_adc_channel *adc(tsr_tile *tile, int thread, int channel)
{
    return &tile_state(tile)->adcs.channel[thread][TSR_ADC_PACKERS][channel];
}

// Thread t's counters stand at row t + 1; rows have 32 bytes.
static tsr_tile *contexts_tile(int arch)
{
    tsr_tile *tile = vec_tile(arch, INT16, INT16, false);
    dst_rows16(tile, 64);
    tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride, 32);
    for (int thread = 0; thread < 3; thread++) {
        adc(tile, thread, 0)->y = (uint32_t)thread + 1;
        adc(tile, thread, 1)->x = 15;
        tile_field(tile, thread, FIELD_ADDR_MOD_PACK_SEC0_YsrcIncr, 4 + (uint32_t)thread);
    }
    return tile;
}

// A PACR of `thread` with context `context`: an operand on Blackhole, a field on Wormhole.
static void pack_context(tsr_tile *tile, int arch, int thread, bool override, unsigned context)
{
    char text[120];
    if (arch == WH) {
        tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Addr_cnt_context, context);
        snprintf(text, sizeof text, "PACR PackSel=1 OvrdThreadId=%d Last=1", override);
    } else {
        snprintf(text, sizeof text, "PACR ReadIntfSel=1 OvrdThreadId=%d AddrCntContext=%u Last=1",
                 override, context);
    }
    tile_do(tile, thread, text);
}

// The counters of the context are used and advanced, with the address modifier of the thread that
// issued; context 3 is 0.
static void override_thread(int arch)
{
    static const struct {
        int thread;
        bool override;
        unsigned context, from;
    } rows[] = {{0, true, 2, 2}, {1, true, 0, 0},  {1, true, 3, 0},
                {2, true, 1, 1}, {1, false, 2, 1}, {0, true, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = contexts_tile(arch);
        if (arch == BH) // rows of one interface are groups of four: take whole groups
            for (int thread = 0; thread < 3; thread++)
                adc(tile, thread, 0)->y = 4 * ((uint32_t)thread + 1);
        uint32_t row = (rows[i].from + 1) * (arch == BH ? 4 : 1);
        pack_context(tile, arch, rows[i].thread, rows[i].override, rows[i].context);
        IS(tile, "row", OUT, 2, row << 8, row << 8 | 1, row << 8 | 2);
        for (unsigned thread = 0; thread < 3; thread++) {
            uint32_t y = (thread + 1) * (arch == BH ? 4 : 1);
            if (thread == rows[i].from)
                y += 4 + (uint32_t)rows[i].thread;
            assert_int_equal(adc(tile, (int)thread, 0)->y, y);
        }
        tsr_tile_destroy(tile);
    }
}

// The number of datums is of the same counters.
static void override_count(int arch)
{
    tsr_tile *tile = contexts_tile(arch);
    vec_fill(tile, OUT, 32, 0xee);
    adc(tile, 1, 0)->y = 4;
    adc(tile, 1, 0)->x = 2;
    adc(tile, 1, 1)->x = 4; // 2, 3, 4
    pack_context(tile, arch, 0, true, 1);
    IS(tile, "three", OUT, 2, 0x402, 0x403, 0x404, 0, 0, 0, 0, 0, 0xeeee);
    tsr_tile_destroy(tile);
}

// Wormhole: each packer has a context of its own; a set of counters moves once however many use it.
static void override_packers(int arch)
{
    (void)arch;
    tsr_tile *tile = contexts_tile(WH);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Addr_cnt_context, 1);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG8_Addr_cnt_context, 2);
    tile_field(tile, 0, FIELD_THCON_SEC1_REG1_Addr_cnt_context, 2);
    tile_field(tile, 0, FIELD_THCON_SEC1_REG8_Addr_cnt_context, 3);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC2_Offset, 16);
    tile_do(tile, 0, "PACR PackSel=15 OvrdThreadId=1 Last=1");
    IS(tile, "packer 0", OUT, 2, 0x200, 0x201);
    IS(tile, "packer 1", OUT + 0x10000, 2, 0x300, 0x301);
    IS(tile, "packer 2", OUT + 0x20000, 2, 0x1300, 0x1301); // row 3 + 16
    IS(tile, "packer 3", OUT + 0x30000, 2, 0x100, 0x101);   // context 3 is 0
    assert_int_equal(adc(tile, 0, 0)->y, 1 + 4);
    assert_int_equal(adc(tile, 1, 0)->y, 2 + 4);
    assert_int_equal(adc(tile, 2, 0)->y, 3 + 4);
    tsr_tile_destroy(tile);
}

// Which packers work: packer i reads from row 16 i on and writes 0x10000 i further.
static void selections(int arch)
{
    (void)arch;
    static const struct {
        const char *text;
        unsigned packers;
    } rows[] = {{"PACR PackSel=0 Last=1", 1},
                {"PACR PackSel=2 Last=1", 2},
                {"PACR PackSel=4 Last=1", 4},
                {"PACR PackSel=8 Last=1", 8},
                {"PACR PackSel=12 Last=1", 12}};
    for (size_t i = 0; i <= sizeof rows / sizeof *rows; i++) {
        bool undefined = i == sizeof rows / sizeof *rows;
        tsr_tile *tile = vec_tile(WH, INT16, INT16, false);
        dst_rows16(tile, 64);
        tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC1_Offset, 16);
        tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC2_Offset, 32);
        tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC3_Offset, 48);
        tile_do(tile, 0, undefined ? "PACR PackSel=5 Last=1" : rows[i].text);
        unsigned worked = 0;
        for (unsigned p = 0; p < 4; p++)
            if (was_written(tile, OUT + 0x10000 * p, 32)) {
                worked |= 1u << p;
                IS(tile, "packer", OUT + 0x10000 * p, 2, 0x1000 * p, 0x1000 * p + 1);
            }
        if (undefined) { // at least one of 0 and 2, and no other
            vec_found(tile, "PackSel 5", "pack-selection");
            assert_true((worked & 5) != 0 && (worked & 10) == 0);
        } else {
            assert_int_equal(worked, rows[i].packers);
        }
        tsr_tile_destroy(tile);
    }
}

TILE_BOTH(from_l1)
TILE_BOTH(from_l1_converted)
TILE_BOTH(from_l1_address)
TILE_BOTH(zero_write)
TILE_BOTH(flush)
TILE_BOTH(override_thread)
TILE_BOTH(override_count)

static void override_packers_wh(void **state)
{
    (void)state;
    override_packers(WH);
}

static void selections_wh(void **state)
{
    (void)state;
    selections(WH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(from_l1),
        TILE_TEST(from_l1_converted),
        TILE_TEST(from_l1_address),
        TILE_TEST(zero_write),
        TILE_TEST(flush),
        TILE_TEST(override_thread),
        TILE_TEST(override_count),
        cmocka_unit_test(override_packers_wh),
        cmocka_unit_test(selections_wh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
