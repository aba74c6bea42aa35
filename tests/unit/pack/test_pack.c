// SPDX-License-Identifier: Apache-2.0
// PACR from Dst to L1: formats, streams of 16-byte lines, output addresses, accumulation. Pages:
// PACR.md, Packers/README.md, Packers/FormatConversion.md, Packers/ReLU.md,
// Packers/OutputAddressGenerator.md.
#include "rig/pack_rig.h"

// ---------------------------------------------------------------- formats

static uint32_t random_word(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed ^ *seed >> 15;
}

// Each pair of formats through a tile gives what the functions of numerics.h give.
static void check_pair(int arch, bool wide, int between, int out)
{
    tsr_pack_mode mode = {.arch = (tsr_arch)arch,
                          .read_32b = wide,
                          .in_format = (uint8_t)between,
                          .out_format = (uint8_t)out};
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, between, out, wide);
    bool block = out == BFP8 || out == BFP4 || out == BFP2;
    unsigned bits = block            ? (out == BFP8   ? 8u
                                        : out == BFP4 ? 4u
                                                      : 2u)
                    : (out & 3) == 0 ? 32u
                    : (out & 3) == 1 ? 16u
                                     : 8u;
    uint32_t seed = (uint32_t)(between * 16 + out), pattern[16];
    uint32_t data = OUT + ((out & 2) ? 32 : 0);
    tile_field(tile, 0, PACKER(0, Exp_section_size), 2);
    for (unsigned i = 0; i < 16; i++) {
        uint32_t stored = random_word(&seed);
        dst_put(tile, 0, i, stored, wide);
        assert_int_equal(tsr_pack_datum(&mode, wide ? stored : stored & 0xffff, &pattern[i]),
                         TSR_OK);
    }
    pack_one(tile, "Last=1");
    uint8_t exponent = 0, element[16];
    if (block) {
        assert_int_equal(tsr_pack_block((uint8_t)out, pattern, &exponent, element), TSR_OK);
        assert_int_equal(out_at(tile, OUT, 1), exponent);
    }
    for (unsigned i = 0; i < 16; i++) {
        uint32_t want = block ? element[i] : pattern[i] & tsr_mask32(bits);
        uint32_t got =
            bits >= 8 ? out_at(tile, data + i * bits / 8, bits / 8)
                      : out_at(tile, data + i * bits / 8, 1) >> (i * bits % 8) & tsr_mask32(bits);
        if (got != want)
            fail_msg("%d to %d, %s: datum %u is %x, not %x", between, out, wide ? "wide" : "narrow",
                     i, (unsigned)got, (unsigned)want);
    }
    tsr_tile_destroy(tile);
}

static void test_formats(int arch)
{
    static const struct {
        bool wide;
        int between, out;
    } pairs[] = {
        {false, FP16, FP32},   {false, FP16, FP16},  {false, FP16, BF16},  {false, BFP8A, BFP8},
        {false, BF16, FP32},   {false, BF16, BF16},  {false, BF16, BFP8},  {false, BF16, BFP4},
        {false, BF16, BFP2},   {false, BFP8, FP32},  {false, BFP8, BF16},  {false, BFP8, BFP8},
        {false, INT16, INT16}, {true, FP32, FP32},   {true, FP32, FP16},   {true, FP32, BFP8},
        {true, FP32, BFP4},    {true, FP32, BFP2},   {true, BF16, BF16},   {true, BFP8, BFP8},
        {true, BFP8, BFP4},    {true, INT32, INT32}, {true, INT16, INT16}, {true, INT8, INT8}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        check_pair(arch, pairs[i].wide, pairs[i].between, pairs[i].out);
}
TILE_BOTH(test_formats)

static void check_values(int arch, bool wide, int between, int out, const uint32_t *in,
                         const uint32_t *want, unsigned count, unsigned bytes)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, between, out, wide);
    for (unsigned i = 0; i < 16; i++) {
        uint32_t value = i < count ? in[i] : 0;
        dst_put(tile, 0, i,
                wide ? tsr_dst_encode_fp32(value) : tsr_dst_encode_bf16((uint16_t)value), wide);
    }
    pack_one(tile, "Last=1");
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(out_at(tile, OUT + bytes * i, bytes), want[i]);
    tsr_tile_destroy(tile);
}

// Worked examples, value for value.
static void test_examples(int arch)
{
    static const uint32_t a[] = {0x3f808000, 0xbf808000, 0x7f7fffff, 0xffc00000, 0x007f8000};
    static const uint32_t a_out[] = {0x3f81, 0xbf81, 0x7f80, 0xff80, 0x0080};
    check_values(arch, true, BF16, BF16, a, a_out, 5, 2);
    static const uint32_t b[] = {0x3f801fff, 0x38400000, 0x37ffffff, 0xffc00000};
    static const uint32_t b_out[] = {0x3c00, 0x0200, 0x0000, 0xffff};
    check_values(arch, true, FP32, FP16, b, b_out, 4, 2);
    static const uint32_t c[] = {0x3f80, 0x8000, 0x7fc0, 0x0001};
    static const uint32_t c_out[] = {0x3f800000, 0x00000000, 0x7f800000, 0x00000000};
    check_values(arch, false, BF16, FP32, c, c_out, 4, 4);
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, BFP8, false);
    static const uint16_t group[16] = {0x3f80, 0x3f81, 0xbfff, 0x4000, 0x3b80, 0xbb7f, 0x0001};
    static const uint8_t elements[16] = {0x20, 0x20, 0xc0, 0x40};
    for (unsigned i = 0; i < 16; i++)
        dst_put(tile, 0, i, tsr_dst_encode_bf16(group[i]), false);
    tile_field(tile, 0, PACKER(0, Exp_section_size), 1);
    pack_one(tile, "Last=1");
    assert_int_equal(out_at(tile, OUT, 1), 128);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(out_at(tile, OUT + 16 + i, 1), elements[i]);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_examples)

static void test_relu(int arch)
{
    static const uint32_t in[4] = {0x3f80, 0x3f81, 0xbf80, 0x4100};
    static const uint32_t want[4][4] = {{0x3f80, 0x3f81, 0xbf80, 0x4100},
                                        {0x3f80, 0x3f81, 0x0000, 0x4100},
                                        {0x0000, 0x3f81, 0x0000, 0x4100},
                                        {0x3f80, 0x3f80, 0x0000, 0x3f80}};
    for (uint32_t mode = 0; mode < 4; mode++) {
        tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, BF16, false);
        for (unsigned i = 0; i < 16; i++)
            dst_put(tile, 0, i, tsr_dst_encode_bf16((uint16_t)in[i % 4]), false);
        tile_field(tile, 0, FIELD_STACC_RELU_ApplyRelu, mode);
        tile_field(tile, 0, FIELD_STACC_RELU_ReluThreshold, 0x3f80);
        pack_one(tile, "Last=1");
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(out16(tile, i), want[mode][i]);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_relu)

// FP32 of a 16-bit Dst to FP32: each BF16 is an upper half, bits and all. The vendor's fast tilize
// does this row by row. To other formats there is no such pair.
static void test_upper_halves(int arch)
{
    static const uint16_t in[16] = {0x3f80, 0xc049, 0x8000, 0x0001, 0x7fc1, 0xff80, 0x4780, 0x3880};
    static const uint32_t want[8] = {0x3f800000, 0xc0490000, 0x80000000, 0x00010000,
                                     0x7fc10000, 0xff800000, 0x47800000, 0x38800000};
    static const int others[] = {BF16, FP16};
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, FP32, FP32, false);
    dst_bf16(tile, 0, in, 16);
    pack_one(tile, "Last=1");
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(out_at(tile, OUT + 4 * i, 4), want[i]);
    assert_non_null(strstr(tile_found(tile, "pack-format-reliance")->sentence, "fast tilize"));
    tsr_tile_destroy(tile);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        tile = pack_tile(arch, TSR_PROFILE_STRICT, FP32, others[i], false);
        dst_bf16(tile, 0, in, 16);
        tile_push(tile, 2, "PACR Last=1");
        assert_int_equal(tile_run(tile), TSR_END_STOPPED);
        tile_says(tile, "pack-format-pair", "16-bit Dst by FP32");
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_upper_halves)

static void test_format_pairs_refused(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, INT16, false);
    dst_count(tile, 0);
    tile_push(tile, 0, "PACR Last=1");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    const tsr_diagnostic *found = tile_found(tile, "pack-format-pair");
    assert_non_null(found);
    assert_int_equal(found->field_count, 5);
    assert_int_equal(found->fields[0].value, BF16);
    assert_int_equal(found->fields[2].value, INT16);
    tsr_tile_destroy(tile);
    tile = pack_tile(arch, TSR_PROFILE_SILICON, BF16, INT16, false); // goes on, packs nothing
    dst_count(tile, 0);
    tile_field(tile, 0, FIELD_ADDR_MOD_PACK_SEC0_YsrcIncr, 3);
    tile_do(tile, 0, "PACR Last=1");
    assert_false(was_written(tile, OUT, 64));
    assert_int_equal(tile_state(tile)->adcs.channel[0][TSR_ADC_PACKERS][0].y, 3);
    tsr_tile_destroy(tile);
    tile = pack_tile(arch, TSR_PROFILE_SILICON, BF16, BF16, false); // an anomaly, and a taint
    dst_count(tile, 0);
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG2_Dstacc, BFP8);
    tile_do(tile, 0, "PACR Last=1");
    assert_non_null(tile_found(tile, "pack-format-pair"));
    assert_true(tsr_l1_any_tainted(&tile_state(tile)->l1, OUT, 32));
    tsr_tile_reset(tile);
    pack_formats(tile, BF16, BF16, false); // a plan made afresh has forgotten it
    pack_datums(tile, 0, 16);
    dst_count(tile, 0);
    tile_do(tile, 0, "PACR Last=1");
    assert_false(tsr_l1_any_tainted(&tile_state(tile)->l1, OUT, 32));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_format_pairs_refused)

// ---------------------------------------------------------------- streams

// Datums follow each other over several PACRs; L1 is written in lines of 16 bytes.
static void test_streams(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, INT16, INT16, false);
    struct tsr_l1 *l1 = &tile_state(tile)->l1;
    dst_count(tile, 0x100);
    tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Xstride, 2);
    pack_datums(tile, 0, 3);
    pack_one(tile, "");
    assert_false(was_written(tile, OUT, 16)); // six bytes wait in the buffer
    pack_datums(tile, 3, 7);
    pack_one(tile, "");
    assert_int_equal(tsr_l1_first_unwritten(l1, OUT, 64), 16);
    pack_datums(tile, 10, 1);
    pack_one(tile, "Last=1");
    assert_int_equal(tsr_l1_first_unwritten(l1, OUT, 64), 32);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(out16(tile, i), i < 11 ? 0x100 + i : 0);
    pack_datums(tile, 0, 16); // a section of its own, at its own address
    tile_field(tile, 0, PACKER(0, L1_Dest_addr), OUT / 16 + 7);
    pack_one(tile, "");
    assert_int_equal(out_at(tile, OUT + 128, 2), 0x100);
    tile_field(tile, 0, PACKER(0, L1_Dest_addr), OUT / 16 + 99);
    pack_one(tile, "Last=1"); // the address has no say while the section goes on
    assert_int_equal(out_at(tile, OUT + 160, 2), 0x100);
    assert_false(was_written(tile, OUT + 1600, 64));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_streams)

// Wormhole: the first PACR that names a packer begins its section, and a Last of others ends it
// not: packer 1 goes on where it was while packer 0 is at its second section.
static void test_sections_of_packers(void **state)
{
    (void)state;
    tsr_tile *tile = pack_tile(WH, TSR_PROFILE_STRICT, INT16, INT16, false);
    dst_count(tile, 0x100);
    tile_field(tile, 0, PACKER(1, L1_Dest_addr), OUT / 16 + 0x3f);
    tile_do(tile, 0, "PACR PackSel=1");
    tile_field(tile, 0, PACKER(1, L1_Dest_addr), OUT / 16 + 0x7f);
    tile_do(tile, 0, "PACR PackSel=3");
    tile_do(tile, 0, "PACR PackSel=1 Last=1");
    tile_field(tile, 0, PACKER(0, L1_Dest_addr), OUT / 16 + 0xbf);
    tile_field(tile, 0, PACKER(1, L1_Dest_addr), OUT / 16 + 0xff);
    tile_do(tile, 0, "PACR PackSel=3 Last=1");
    static const struct {
        uint32_t at, datums;
    } want[] = {
        {OUT, 48}, {OUT + 0x400, 0}, {OUT + 0x800, 32}, {OUT + 0xc00, 16}, {OUT + 0x1000, 0}};
    for (unsigned section = 0; section < sizeof want / sizeof *want; section++) {
        uint32_t at = want[section].at, datums = want[section].datums;
        assert_false(was_written(tile, at + 2 * datums, 64));
        for (uint32_t i = 0; i < datums; i++)
            assert_int_equal(out_at(tile, at + 2 * i, 2), 0x100 + i % 16);
    }
    tsr_tile_destroy(tile);
}

// Flush packs nothing, writes what is left, and opens a new section.
static void test_flush(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, INT16, INT16, false);
    struct tsr_l1 *l1 = &tile_state(tile)->l1;
    dst_count(tile, 0x100);
    pack_one(tile, "Flush=1"); // nothing there
    assert_false(was_written(tile, OUT, 64));
    pack_datums(tile, 0, 5);
    pack_one(tile, "");
    pack_one(tile, "Flush=1");
    assert_int_equal(tsr_l1_first_unwritten(l1, OUT, 64), 16);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(out16(tile, i), i < 5 ? 0x100 + i : 0);
    tile_field(tile, 0, PACKER(0, L1_Dest_addr), OUT / 16 + 7);
    pack_one(tile, "Last=1");
    assert_int_equal(out_at(tile, OUT + 128, 2), 0x100);
    pack_datums(tile, 9, 0); // X backwards: a Flush does not look
    pack_one(tile, "Flush=1");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_flush)

static void test_exponent_stream(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, BFP4, false);
    struct tsr_l1 *l1 = &tile_state(tile)->l1;
    for (unsigned row = 0; row < 3; row++)
        for (unsigned i = 0; i < 16; i++)
            dst_put(tile, row, i, tsr_dst_encode_bf16((uint16_t)(0x3f80 + 0x80 * row)), false);
    tile_field(tile, 0, PACKER(0, Exp_section_size), 3);
    tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride, 32);
    tile_field(tile, 0, FIELD_ADDR_MOD_PACK_SEC0_YsrcIncr, 1);
    pack_one(tile, "");
    pack_one(tile, "");
    assert_false(was_written(tile, OUT, 16));
    assert_true(was_written(tile, OUT + 48, 16));
    pack_one(tile, "Last=1");
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(out_at(tile, OUT + i, 1), i < 3 ? 127 + i : 0);
    for (unsigned i = 0; i < 24; i++)
        assert_int_equal(out_at(tile, OUT + 48 + i, 1), 0x44);
    assert_int_equal(out_at(tile, OUT + 48 + 24, 4), 0); // the line's rest
    assert_int_equal(tsr_l1_first_unwritten(l1, OUT, 64), 16);
    assert_int_equal(tsr_l1_first_unwritten(l1, OUT + 48, 64), 32);
    tsr_tile_destroy(tile);
    // INT8 reserves the section too, and writes nothing there.
    tile = pack_tile(arch, TSR_PROFILE_STRICT, INT8, INT8, true);
    for (unsigned i = 0; i < 16; i++)
        dst_put(tile, 0, i, tsr_dst_encode_fp32(i + 1), true);
    tile_field(tile, 0, PACKER(0, Exp_section_size), 3);
    pack_one(tile, "Last=1");
    assert_false(was_written(tile, OUT, 48));
    assert_int_equal(out_at(tile, OUT + 48 + 4, 1), 5);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_exponent_stream)

// Groups of sixteen begin at the first datum, at whatever column of Dst that lies.
static void test_groups_off_a_row(void **state)
{
    (void)state;
    tsr_tile *tile = pack_tile(WH, TSR_PROFILE_STRICT, BF16, BFP8, false);
    for (unsigned i = 0; i < 1024; i++)
        dst_put(tile, i / 16, i % 16, tsr_dst_encode_bf16(0x3f80), false);
    tile_field(tile, 0, PACKER(0, Exp_section_size), 4);
    pack_datums(tile, 4, 512);
    pack_one(tile, "Last=1");
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(out_at(tile, OUT + i, 1), 127);
    for (unsigned i = 0; i < 512; i++)
        assert_int_equal(out_at(tile, OUT + 64 + i, 1), 0x40);
    tsr_tile_destroy(tile);
}

// ---------------------------------------------------------------- output addresses

static void test_output_address(int arch)
{
    static const uint32_t base = OUT / 16 - 1;
    for (int point = 0; point < 6; point++) {
        tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, INT16, INT16, false);
        tsr_adc_channel *adc = &tile_state(tile)->adcs.channel[0][TSR_ADC_PACKERS][1];
        uint32_t want = OUT;
        dst_count(tile, 0);
        switch (point) {
        case 0: // no room for a header
            tile_field(tile, 0, PACKER(0, Sub_l1_tile_header_size), 1);
            want = OUT - 16;
            break;
        case 1: // 16-byte units on Wormhole, of which 256 bytes count; bytes on Blackhole
            tile_field(tile, 0, FIELD_PCK0_ADDR_BASE_REG_1_Base, 3);
            tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_1_Ystride, 0x21);
            tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_ZW_REG_1_Zstride, 0x100);
            tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_ZW_REG_1_Wstride, 0x200);
            adc->y = 2, adc->z = 3, adc->w = 1; // 3 + 0x42 + 0x300 + 0x200
            want = arch == WH ? OUT + 0x540 * 16 : OUT + 0x540;
            break;
        case 2:
            tile_field(tile, 0, PACKER(0, Add_l1_dest_addr_offset), 1);
            tile_state(tile)->packers.packer[0].l1_dest_offset = 0x20;
            want = OUT + 0x200;
            break;
        case 3: // the offset without its enable
            tile_state(tile)->packers.packer[0].l1_dest_offset = 0x20;
            break;
        case 4: // past the circular buffer's last unit
            tile_field(tile, 0, FIELD_THCON_SEC0_REG9_Pack_0_2_limit_address, (base - 1) / 2);
            tile_field(tile, 0, FIELD_THCON_SEC0_REG9_Pack_0_2_fifo_size, 0x40);
            want = OUT - 0x80 * 16;
            break;
        default: // at its last unit, which is odd
            tile_field(tile, 0, PACKER(0, L1_Dest_addr), base + 1);
            tile_field(tile, 0, FIELD_THCON_SEC0_REG9_Pack_0_2_limit_address, (base + 1) / 2);
            tile_field(tile, 0, FIELD_THCON_SEC0_REG9_Pack_0_2_fifo_size, 0x40);
            want = OUT + 16;
            break;
        }
        pack_one(tile, "Last=1");
        assert_int_equal(out_at(tile, want + 4, 2), 2);
        assert_int_equal(out_at(tile, want + 30, 2), 15);
        assert_true(want == OUT || !was_written(tile, OUT, 1) || point == 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_output_address)

// Wormhole: packers 0 and 1 have the limits of section 0, packers 2 and 3 those of section 1, and
// each has an offset of its own from TDMA-RISC.
static void test_buffers_of_packers(void **state)
{
    (void)state;
    static const enum tsr_field limit[4] = {
        FIELD_THCON_SEC0_REG9_Pack_0_2_limit_address, FIELD_THCON_SEC0_REG9_Pack_1_3_limit_address,
        FIELD_THCON_SEC1_REG9_Pack_0_2_limit_address, FIELD_THCON_SEC1_REG9_Pack_1_3_limit_address};
    static const enum tsr_field size[4] = {
        FIELD_THCON_SEC0_REG9_Pack_0_2_fifo_size, FIELD_THCON_SEC0_REG9_Pack_1_3_fifo_size,
        FIELD_THCON_SEC1_REG9_Pack_0_2_fifo_size, FIELD_THCON_SEC1_REG9_Pack_1_3_fifo_size};
    for (unsigned beyond = 0; beyond < 4; beyond++) {
        tsr_tile *tile = pack_tile(WH, TSR_PROFILE_STRICT, INT16, INT16, false);
        dst_count(tile, 0);
        for (unsigned i = 0; i < 4; i++) {
            tile_field(tile, 0, (enum tsr_field)PACKER(i, L1_Dest_addr), OUT / 16 - 1 + 0x100 * i);
            tile_field(tile, 0, (enum tsr_field)PACKER(i, Add_l1_dest_addr_offset), 1);
            tile_state(tile)->packers.packer[i].l1_dest_offset = (uint16_t)(0x10 + i);
            tile_field(tile, 0, limit[i], i == beyond ? OUT / 32 - 1 : 0x1ffff);
            tile_field(tile, 0, size[i], 0x200 + i);
        }
        tile_do(tile, 0, "PACR PackSel=15 Last=1");
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t at = OUT + 0x1000 * i + 16 * (0x10 + i);
            at -= i == beyond ? 16 * 2 * (0x200 + i) : 0;
            assert_int_equal(out_at(tile, at + 2, 2), 1);
        }
        tsr_tile_destroy(tile);
    }
}

// Wormhole: with bit 31 of the first packer's address the others count from it.
static void test_relative_addresses(void **state)
{
    (void)state;
    tsr_tile *tile = pack_tile(WH, TSR_PROFILE_STRICT, INT16, INT16, false);
    dst_count(tile, 0);
    tile_field(tile, 0, PACKER(0, L1_Dest_addr), 0x80000000u + OUT / 16 - 1);
    for (int i = 1; i < 4; i++)
        tile_field(tile, 0, PACKER(i, L1_Dest_addr), 0x10u * (uint32_t)i - 1);
    tile_do(tile, 0, "PACR PackSel=15 Last=1");
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(out_at(tile, OUT + 0x100 * i + 2, 2), 1);
    tsr_tile_destroy(tile);
}

// The low four bits of what base, Y, Z and W add are lost, which is told once for each word that
// begins to write there.
static void test_alignment(int arch)
{
    static const struct {
        enum tsr_field field;
        const char *sentence[2];
    } parts[] = {{FIELD_PCK0_ADDR_BASE_REG_1_Base, {"0x108 units of 16 bytes", "0x108 bytes"}},
                 {FIELD_PCK0_ADDR_CTRL_XY_REG_1_Ystride, {"0x118 units", "0x118 bytes"}},
                 {FIELD_PCK0_ADDR_CTRL_ZW_REG_1_Zstride, {"0x118 units", "0x118 bytes"}},
                 {FIELD_PCK0_ADDR_CTRL_ZW_REG_1_Wstride, {"0x118 units", "0x118 bytes"}}};
    static const char *const first = "PACR Last=0", *const next = "PACR Last=1";
    for (unsigned variant = 0; variant < 16; variant++) {
        bool aligned = variant & 1, timing = variant & 2;
        unsigned part = variant / 4;
        tsr_options options = tsr_options_default((tsr_arch)arch);
        options.timing = timing;
        tsr_tile *tile = tile_with(&options);
        pack_formats(tile, INT16, INT16, false);
        pack_datums(tile, 0, 16);
        dst_count(tile, 0);
        tsr_adc_channel *adc = &tile_state(tile)->adcs.channel[0][TSR_ADC_PACKERS][1];
        adc->y = adc->z = adc->w = 3;
        uint32_t value = aligned ? 0x10 : 8;
        tile_field(tile, 0, FIELD_PCK0_ADDR_BASE_REG_1_Base, part == 0 ? 0x100 + value : 0x100);
        if (part > 0)
            tile_field(tile, 0, parts[part].field, value);
        tile_push(tile, 0, "PACR Flush=1"); // writes nothing
        tile_push(tile, 0, first);
        tile_push(tile, 0, next); // goes on behind it
        assert_int_equal(tile_run(tile), TSR_END_IDLE);
        const tsr_diagnostic *found = tile_found(tile, "pack-alignment");
        assert_int_equal(tsr_diagnostic_count(tile), !aligned);
        assert_int_equal(found == NULL, aligned);
        if (found) {
            assert_non_null(strstr(found->sentence, parts[part].sentence[arch]));
            assert_int_equal(found->word, tile_word(tile, first));
            assert_int_equal(found->repeats, 0);
        }
        uint32_t sum = 0x100 + value * (part == 0 ? 1 : 3);
        assert_true(was_written(tile, OUT + (arch == WH ? sum / 16 * 256 : sum / 16 * 16), 1));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_alignment)

static void test_out_of_range(int arch)
{
    uint32_t end = (uint32_t)tsr_l1_size((tsr_arch)arch);
    for (int stop = 0; stop < 2; stop++) {
        tsr_profile profile = stop ? TSR_PROFILE_STRICT : TSR_PROFILE_SILICON;
        tsr_tile *tile = pack_tile(arch, profile, INT32, INT32, true);
        for (unsigned i = 0; i < 16; i++)
            dst_put(tile, 0, i, tsr_dst_encode_fp32(i + 1), true);
        tile_field(tile, 0, PACKER(0, L1_Dest_addr), end / 16 - 3);
        tile_push(tile, 0, arch == WH ? "PACR Last=1" : "PACR ReadIntfSel=1 Last=1");
        assert_int_equal(tile_run(tile), stop ? TSR_END_STOPPED : TSR_END_IDLE);
        assert_non_null(tile_found(tile, "l1-out-of-range"));
        assert_int_equal(tsr_diagnostic_count(tile), 1);
        assert_int_equal(out_at(tile, end - 4, 4), stop ? 0 : 8); // the lines that L1 has
        assert_int_equal(out_at(tile, end - 32, 4), stop ? 0 : 1);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_out_of_range)

// ---------------------------------------------------------------- accumulation

static void put_l1(tsr_tile *tile, uint32_t address, uint32_t value, unsigned bytes)
{
    uint8_t b[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                    (uint8_t)(value >> 24)};
    assert_int_equal(tsr_l1_write(tile, address, b, bytes), TSR_OK);
}

static void test_accumulation(int arch)
{
    static const struct {
        int format;
        uint32_t old, datum, sum;
    } rows[] = {{BF16, 0x3f80, 0x3b80, 0x3f80}, {BF16, 0x3f81, 0x3b80, 0x3f82},
                {BF16, 0x3f80, 0xbf80, 0x0000}, {FP16, 0x3c00, 0xbc00, 0x0000},
                {FP16, 0x7bff, 0x7bff, 0x7fff}, {FP16, 0x3c00, 0x3c00, 0x4000}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, rows[r].format, rows[r].format, false);
        uint16_t datum = (uint16_t)rows[r].datum;
        tile_field(tile, 0, PACKER(0, Pack_L1_Acc), 1);
        for (unsigned i = 0; i < 16; i++) {
            dst_put(tile, 0, i,
                    rows[r].format == BF16 ? tsr_dst_encode_bf16(datum)
                                           : tsr_dst_encode_fp16(datum),
                    false);
            put_l1(tile, OUT + 2 * i, rows[r].old, 2);
        }
        pack_one(tile, "Last=1");
        for (unsigned i = 0; i < 16; i++)
            assert_int_equal(out16(tile, i), rows[r].sum);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_accumulation)

static void test_accumulation_fp32(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, FP32, FP32, true);
    tile_field(tile, 0, PACKER(0, Pack_L1_Acc), 1);
    for (unsigned i = 0; i < 16; i++) {
        dst_put(tile, 0, i, tsr_dst_encode_fp32(0x3f800000), true); // 1
        put_l1(tile, OUT + 4 * i, 0x40000000, 4);                   // 2
    }
    pack_datums(tile, 0, 6); // the rest of the last line gets zeroes added
    pack_one(tile, "Last=1");
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(out_at(tile, OUT + 4 * i, 4), i < 6 ? 0x40400000 : 0x40000000);
    tsr_tile_destroy(tile);
    tile = pack_tile(arch, TSR_PROFILE_STRICT, FP32, FP32, true);
    tile_field(tile, 0, PACKER(0, Pack_L1_Acc), 1);
    dst_put(tile, 0, 0, 0, true);
    pack_datums(tile, 0, 1);
    tile_push(tile, 0, arch == WH ? "PACR Last=1" : "PACR ReadIntfSel=1 Last=1");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_non_null(tile_found(tile, "uninitialised-l1"));
    tsr_tile_destroy(tile);
    tile = pack_tile(arch, TSR_PROFILE_STRICT, INT16, INT16, false);
    tile_field(tile, 0, PACKER(0, Pack_L1_Acc), 1);
    tile_push(tile, 0, "PACR Last=1");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_non_null(strstr(tile_found(tile, "pack-format-pair")->sentence, "Pack_L1_Acc"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_accumulation_fp32)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_formats),
        TILE_TEST(test_examples),
        TILE_TEST(test_relu),
        TILE_TEST(test_upper_halves),
        TILE_TEST(test_format_pairs_refused),
        TILE_TEST(test_streams),
        cmocka_unit_test(test_sections_of_packers),
        TILE_TEST(test_flush),
        TILE_TEST(test_exponent_stream),
        cmocka_unit_test(test_groups_off_a_row),
        TILE_TEST(test_output_address),
        cmocka_unit_test(test_buffers_of_packers),
        cmocka_unit_test(test_relative_addresses),
        TILE_TEST(test_alignment),
        TILE_TEST(test_out_of_range),
        TILE_TEST(test_accumulation),
        TILE_TEST(test_accumulation_fp32),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
