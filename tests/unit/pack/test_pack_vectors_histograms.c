// SPDX-License-Identifier: Apache-2.0
// The packers' exponent histograms, worked by hand from the ISA pages by a reader who had not seen
// the code. Nothing is computed by the test.
// Pages: Packers/ExponentHistogram, CLREXPHIST, SETDMAREG_Special; decision 21.

#include "rig/pack_vectors_rig.h"

struct histogram {
    const char *what;
    enum dst_kind dst;
    int between, out;
    struct setting set[4];
    uint32_t in[16];
    uint32_t low[4], high[4]; // bins 0 to 15 and 16 to 31, four a word, the first in the low byte
    uint32_t max;
};

#define MASK(value)                                                                                \
    {                                                                                              \
        FIELD_PCK_EDGE_OFFSET_SEC0_mask, value                                                     \
    }

// The bin is the exponent's low five bits. 127 is bin 31, 128 bin 0, 129 bin 1; zeroes are in 0.
static const struct histogram histograms[] = {
    {"BF16",
     DST_BF16,
     BF16,
     BF16,
     {{0}},
     {0x3f80, 0xbf80, 0x3fff, 0x4000, 0xc000, 0x4080},
     {0x0000010c, 0, 0, 0},
     {0, 0, 0, 0x03000000},
     129}, // ten zeroes and two of 128
    // Raw five bits: 15 five times, 30 twice, 1 once, 0 eight times.
    {"FP16",
     DST_FP16,
     FP16,
     FP16,
     {{0}},
     {0x3c00, 0x3c01, 0xbc00, 0x3dff, 0x3fff, 0x7bff, 0xf800, 0x0400},
     {0x00000108, 0, 0, 0x05000000},
     {0, 0, 0, 0x00020000},
     30},
    {"FP32",
     DST_32,
     FP32,
     FP32,
     {{0}},
     {0x3f800001, 0xff800000, 0x00800000},
     {0x0000010d, 0, 0, 0},
     {0, 0, 0, 0x02000000},
     255}, // 127, 255: both bin 31
    // INT32 is looked at as an FP32.
    {"INT32",
     DST_32,
     INT32,
     INT32,
     {{0}},
     {5, 0x00800000, 0x81000000, 0x3f800000},
     {0x0001010d, 0, 0, 0},
     {0, 0, 0, 0x01000000},
     127},
    // INT16: the low eight bits. 0x34 is bin 20, 0xff bin 31, 0x80 bin 0.
    {"INT16",
     DST_RAW16,
     INT16,
     INT16,
     {{0}},
     {0x1234, 0x80ff, 0x0080},
     {0x0000000e, 0, 0, 0},
     {0, 0x00000001, 0, 0x01000000},
     255},
    // Behind ReLU: negatives have become 0.
    {"ReLU",
     DST_BF16,
     BF16,
     BF16,
     {{FIELD_STACC_RELU_ApplyRelu, 1}},
     {0x3f80, 0xc080, 0xc080},
     {0x0000000f, 0, 0, 0},
     {0, 0, 0, 0x01000000},
     127},
    // Behind edge masks: two zeroes for 129 and 129.
    {"edge",
     DST_BF16,
     BF16,
     BF16,
     {MASK(0xfff9)},
     {0x3f80, 0x4080, 0x4080},
     {0x0000000f, 0, 0, 0},
     {0, 0, 0, 0x01000000},
     127},
    {"minus infinity",
     DST_BF16,
     BF16,
     BF16,
     {MASK(0xfff9), {FIELD_PCK_EDGE_MODE_mode, 1}},
     {0x3f80, 0x4080, 0x4080},
     {0x0000000d, 0, 0, 0},
     {0, 0, 0, 0x03000000},
     255}, // 127 and twice 255: bin 31
    // Before thresholds and downsampling: both would leave nothing.
    {"threshold",
     DST_BF16,
     BF16,
     BF16,
     {P0(Exp_threshold_en, 1), P0(Exp_threshold, 255)},
     {0x3f80, 0x4080},
     {0x0000010e, 0, 0, 0},
     {0, 0, 0, 0x01000000},
     129},
    {"downsampled",
     DST_BF16,
     BF16,
     BF16,
     {P0(Downsample_mask, 0x8000)},
     {0x3f80, 0x4080},
     {0x0000010e, 0, 0, 0},
     {0, 0, 0, 0x01000000},
     129},
    // FP16's minus infinity is its largest magnitude, exponent 31.
    {"FP16 infinity",
     DST_FP16,
     FP16,
     FP16,
     {MASK(0xfff9), {FIELD_PCK_EDGE_MODE_mode, 1}},
     {0x3c00, 0x4000, 0x4000},
     {0x0000000d, 0, 0, 0x01000000},
     {0, 0, 0, 0x02000000},
     31},
    // Other formats between: 3fff and c1ff have 15 and 16 as FP8; E5M6 rounds 3fff up to 16; TF32
    // rounds 3fffffff up to 128; E8M6 rounds 3fff to 128.
    {"FP8",
     DST_FP16,
     FP8,
     FP8,
     {{FIELD_PCK_DEST_RD_CTRL_Read_int8, 1}},
     {0x3fff, 0xc1ff},
     {0x0000000e, 0, 0, 0x01000000},
     {0x00000001, 0, 0, 0},
     16},
    {"E5M6",
     DST_FP16,
     BFP8A,
     FP16,
     {{0}},
     {0x3fff, 0x3c00},
     {0x0000000e, 0, 0, 0x01000000},
     {0x00000001, 0, 0, 0},
     16},
    {"TF32",
     DST_32,
     TF32,
     TF32,
     {{0}},
     {0x3fffffff, 0x3f800000},
     {0x0000000f, 0, 0, 0},
     {0, 0, 0, 0x01000000},
     128},
    {"E8M6",
     DST_BF16,
     BFP8,
     BF16,
     {{0}},
     {0x3fff, 0x3f80},
     {0x0000000f, 0, 0, 0},
     {0, 0, 0, 0x01000000},
     128},
    // Before the late conversion: exponents of BF16, also for an FP16 output.
    {"BF16 to FP16",
     DST_BF16,
     BF16,
     FP16,
     {{0}},
     {0x3f80, 0x4080},
     {0x0000010e, 0, 0, 0},
     {0, 0, 0, 0x01000000},
     129},
};

static void histogram_is(tsr_tile *tile, const char *what, unsigned packer, const uint32_t *low,
                         const uint32_t *high)
{
    for (unsigned word = 0; word < 4; word++) {
        uint32_t a = pack_state(tile, 6, packer, word), b = pack_state(tile, 7, packer, word);
        if (a != low[word] || b != high[word])
            fail_msg("%s: word %u is 0x%x and 0x%x, and the page says 0x%x and 0x%x", what, word, a,
                     b, low[word], high[word]);
    }
}

static void max_is(tsr_tile *tile, const char *what, uint32_t max)
{
    uint32_t got = pack_state(tile, 9, 0, 0);
    if (got != max)
        fail_msg("%s: largest exponent %u, and the page says %u", what, got, max);
}

static const uint32_t none[4] = {0, 0, 0, 0};

// Counted if any thread enables it; the largest is kept in any case. CLREXPHIST resets both.
static void exponents(int arch)
{
    for (size_t i = 0; i < sizeof histograms / sizeof *histograms; i++)
        for (int enabled = -1; enabled < 3; enabled++) {
            const struct histogram *h = &histograms[i];
            tsr_tile *tile = vec_tile(arch, h->between, h->out, h->dst == DST_32);
            if (enabled >= 0)
                tile_field(tile, enabled, FIELD_ENABLE_ACC_STATS_Enable, 1);
            for (int k = 0; k < 4 && h->set[k].field != 0; k++)
                tile_field(tile, 0, h->set[k].field, h->set[k].value);
            dst_row(tile, h->dst, 0, h->in);
            pack_one(tile, "Last=1");
            histogram_is(tile, h->what, 0, enabled < 0 ? none : h->low,
                         enabled < 0 ? none : h->high);
            max_is(tile, h->what, h->max);
            tile_do(tile, 0, "CLREXPHIST");
            histogram_is(tile, "cleared", 0, none, none);
            max_is(tile, "cleared", 0);
            tsr_tile_destroy(tile);
        }
}

// INT8: bin of the magnitude & 31 (decision 21). 100 is bin 4, -5 bin 5, 0 bin 0.
static void exponents_int8(int arch)
{
    tsr_tile *tile = vec_tile(arch, INT8, INT8, true);
    tile_field(tile, 0, FIELD_ENABLE_ACC_STATS_Enable, 1);
    dst_row(tile, DST_32, 0, (const uint32_t[16]){100, 0x80000005, 36});
    pack_one(tile, "Last=1");
    histogram_is(tile, "INT8", 0, (const uint32_t[4]){0x0000000d, 0x00000102, 0, 0}, none);
    tsr_tile_destroy(tile);
}

// A bin stops at 255: seventeen rows of 127 are 272. It is a sum over PACRs, and Last resets none.
static void exponents_saturate(int arch)
{
    tsr_tile *tile = vec_tile(arch, BF16, BF16, false);
    tile_field(tile, 0, FIELD_ENABLE_ACC_STATS_Enable, 1);
    for (unsigned i = 0; i < 16; i++)
        dst_value(tile, DST_BF16, 0, i, 0x3f80);
    for (int i = 0; i < 3; i++)
        pack_one(tile, "Last=1");
    histogram_is(tile, "48", 0, none, (const uint32_t[4]){0, 0, 0, 48u << 24});
    for (int i = 3; i < 17; i++)
        pack_one(tile, "Last=1");
    histogram_is(tile, "272", 0, none, (const uint32_t[4]){0, 0, 0, 0xff000000});
    max_is(tile, "272", 127);
    tsr_tile_destroy(tile);
}

// Only datums that come from Dst are counted.
static void exponents_of_no_dst(int arch)
{
    static const uint16_t words[16] = {0x3f80, 0x4080};
    tsr_tile *tile = vec_tile(arch, BF16, BF16, false);
    tile_field(tile, 0, FIELD_ENABLE_ACC_STATS_Enable, 1);
    dst_row(tile, DST_BF16, 0, (const uint32_t[16]){0x4000});
    pack_one(tile, "ZeroWrite=1 Last=1");
    pack_one(tile, "Flush=1");
    histogram_is(tile, "zero write", 0, none, none);
    vec_words16(tile, 0x8000, words, 16);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Source_interface_selection, 1);
    tile_field(tile, 0, FIELD_PCK0_ADDR_BASE_REG_0_Base, 0x8000);
    pack_one(tile, "Last=1");
    IS(tile, "from L1", OUT, 2, 0x3f80, 0x4080);
    histogram_is(tile, "from L1", 0, none, none);
    max_is(tile, "from L1", 0);
    tsr_tile_destroy(tile);
}

// Each packer has its own; WhichPackers is the index; the largest is packer 0's alone.
static void exponents_of_packers(int arch)
{
    (void)arch;
    static const uint32_t ones[4] = {0, 0, 0, 16u << 24};
    tsr_tile *tile = vec_tile(WH, BF16, BF16, false);
    tile_field(tile, 0, FIELD_ENABLE_ACC_STATS_Enable, 1);
    for (unsigned i = 0; i < 16; i++)
        dst_value(tile, DST_BF16, 0, i, 0x3f80);
    tile_do(tile, 0, "PACR PackSel=2 Last=1");
    histogram_is(tile, "packer 0", 0, none, none);
    histogram_is(tile, "packer 1", 1, none, ones);
    histogram_is(tile, "packer 5 & 3", 5, none, ones);
    max_is(tile, "packer 1", 0);
    tile_do(tile, 0, "PACR PackSel=12 Last=1");
    histogram_is(tile, "packer 2", 2, none, ones);
    histogram_is(tile, "packer 3", 3, none, ones);
    tile_do(tile, 0, "CLREXPHIST"); // of all four
    for (unsigned packer = 0; packer < 4; packer++)
        histogram_is(tile, "cleared", packer, none, none);
    tsr_tile_destroy(tile);
}

TILE_BOTH(exponents)
TILE_BOTH(exponents_int8)
TILE_BOTH(exponents_saturate)
TILE_BOTH(exponents_of_no_dst)

static void exponents_of_packers_wh(void **state)
{
    (void)state;
    exponents_of_packers(WH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(exponents),
        TILE_TEST(exponents_int8),
        TILE_TEST(exponents_saturate),
        TILE_TEST(exponents_of_no_dst),
        cmocka_unit_test(exponents_of_packers_wh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
