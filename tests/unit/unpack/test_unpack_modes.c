// SPDX-License-Identifier: Apache-2.0
// Modes of UNPACR that newer pages call unsupported, on uncompressed input, by hand from
// UNPACR_Regular.md: upsampling, column shift, RowSearch with and without blobs, broadcast of a
// row, and the speeds that they force. Besides, the longest stride between rows.
#include "rig/unpack_rig.h"

// `datums` of BF16 from 0x10000 on, the first of them 1, 2, 3, ... as bit patterns.
static struct rig *bf16_rig(tsr_arch arch, int unpacker, uint32_t datums)
{
    struct rig *r = rig_new(arch);
    rig_configure(r, unpacker, 5, 5, datums);
    for (uint32_t i = 0; i < 1024; i++) {
        uint8_t bytes[2] = {(uint8_t)(i + 1), (uint8_t)((i + 1) >> 8)};
        tsr_l1_put(&r->state->l1, 0x10000 + 2 * i, bytes, 2, false);
    }
    // What nobody writes shows.
    for (int row = 0; row < TSR_SRC_ROWS; row++)
        for (int column = 0; column < TSR_COLUMNS; column++)
            r->state->src[unpacker].bank[0].datum[row][column] = 0x77;
    return r;
}

static uint32_t run(struct rig *r, int unpacker, uint32_t bits)
{
    return rig_run(r, UNPACR | MULTI | (uint32_t)unpacker << 23 | bits);
}

// The datum that a row and column hold, counted from 1; 0: a zero; -1: not written.
static int at(const struct rig *r, int unpacker, uint32_t row, uint32_t column)
{
    const struct tsr_src_bank *bank = &r->state->src[unpacker].bank[0];
    if (!(bank->written[row] >> column & 1)) {
        assert_int_equal(bank->datum[row][column], 0x77);
        return -1;
    }
    return (int)(bank->datum[row][column] >> 3);
}

// ---------------------------------------------------------------- upsampling

// (1 << rate) - 1 zeroes after each datum, or places left alone.
static void test_upsampling(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++)
        for (uint32_t rate = 0; rate < 4; rate++)
            for (uint32_t gaps = 0; gaps < 2; gaps++) {
                struct rig *r = bf16_rig((tsr_arch)arch, 1, 20);
                SET(r, 1, REG2_Upsample_rate, rate);
                SET(r, 1, REG2_Upsample_and_interleave, gaps);
                assert_true(run(r, 1, 0));
                assert_int_equal(rig_found(r, "legacy-mode"), rate || gaps);
                uint32_t step = 1u << rate;
                for (uint32_t i = 0; i < 20 * step; i++) {
                    int want = i % step == 0 ? (int)(i / step) + 1 : gaps ? -1 : 0;
                    assert_int_equal(at(r, 1, i / 16, i % 16), want);
                }
                // The last places of gaps are none; zeroes end where the next datum would begin.
                assert_int_equal(at(r, 1, 20 * step / 16, 20 * step % 16), -1);
                rig_free(r);
            }
}

static void test_upsampling_to_dst(void **state)
{
    (void)state;
    struct rig *r = bf16_rig(TSR_WORMHOLE_B0, 0, 16);
    SET(r, 0, REG2_Upsample_rate, 1);
    SET(r, 0, REG2_Unpack_if_sel_cntx0, 1);
    rig_set(r, FIELD_SRCA_SET_SetOvrdWithAddr, 0);
    assert_true(run(r, 0, 0));
    assert_int_equal(r->state->dst.written[0], 0xffff);
    assert_int_equal(r->state->dst.written[1], 0xffff);
    assert_int_equal(r->state->dst.written[2], 0);
    assert_int_equal(r->state->dst.bits[1][0], 9 << 8); // BF16 0x0009: mantissa 9
    assert_int_equal(r->state->dst.bits[1][1], 0);
    rig_free(r);
}

// Rows are counted with what upsampling puts in: 256 datums fit 64 rows at rate 2, not from row 1
// on; gaps after the last datum reach nothing.
static void test_upsampled_rows(void **state)
{
    (void)state;
    static const struct {
        uint32_t rate, gaps, datums, base;
        bool fits;
    } cases[] = {{2, 0, 256, 0, true}, {2, 0, 256, 32, false}, {2, 1, 256, 32, false},
                 {3, 0, 127, 0, true}, {3, 0, 128, 16, false}, {3, 1, 128, 14, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rig *r = bf16_rig(TSR_WORMHOLE_B0, 1, cases[i].datums);
        SET(r, 1, REG2_Upsample_rate, cases[i].rate);
        SET(r, 1, REG2_Upsample_and_interleave, cases[i].gaps);
        rig_set(r, FIELD_UNP1_ADDR_BASE_REG_1_Base, cases[i].base);
        assert_int_equal(run(r, 1, 0), cases[i].fits);
        assert_int_equal(rig_found(r, "srcb-row"), !cases[i].fits);
        rig_free(r);
    }
}

// Zeroes between datums are certain, whatever the datums are.
static void test_upsampled_taint(void **state)
{
    (void)state;
    struct rig *r = bf16_rig(TSR_WORMHOLE_B0, 1, 4);
    SET(r, 1, REG2_Upsample_rate, 1);
    tsr_l1_mark(&r->state->l1, 0x10002, 2, true);
    assert_true(run(r, 1, 0));
    assert_int_equal(r->state->src[1].bank[0].tainted[0], 1 << 2);
    rig_free(r);
}

// ---------------------------------------------------------------- column shift

// Columns before the shift are lost, the others move down; the context chooses among four fields.
static void test_column_shift(void **state)
{
    (void)state;
    struct rig *r = bf16_rig(TSR_WORMHOLE_B0, 0, 32);
    rig_set(r, FIELD_UNPACK_MISC_CFG_CfgContextOffset_0, 6);
    rig_set(r, FIELD_THCON_SEC0_REG2_Disable_zero_compress_cntx6, 1);
    rig_set(r, FIELD_THCON_SEC0_REG4_Base_cntx6_address, 0x0fff);
    rig_set(r, FIELD_THCON_SEC0_REG5_Tile_x_dim_cntx2, 32);
    rig_set(r, FIELD_THCON_SEC0_REG5_Dest_cntx2_address, 64);
    SET(r, 0, REG2_Shift_amount_cntx2, 5);
    SET(r, 0, REG2_Shift_amount_cntx0, 9);
    assert_true(run(r, 0, 0));
    assert_true(rig_found(r, "legacy-mode"));
    assert_string_equal(r->findings.kept[0].fields[0].name, "THCON_SEC0_REG2_Shift_amount_cntx2");
    for (uint32_t row = 0; row < 2; row++)
        for (uint32_t column = 0; column < 16; column++)
            assert_int_equal(at(r, 0, row, column),
                             column < 11 ? (int)(16 * row + column + 6) : -1);

    SET(r, 0, REG2_Haloize_mode, 1); // the shift comes first
    assert_true(run(r, 0, 0));
    assert_int_equal(at(r, 0, 10, 1), 32);
    assert_int_equal(at(r, 0, 11, 1), -1);
    rig_free(r);

    r = bf16_rig(TSR_WORMHOLE_B0, 1, 32); // SrcB is not shifted
    SET(r, 1, REG2_Shift_amount_cntx0, 5);
    assert_true(run(r, 1, 0));
    assert_int_equal(r->findings.count, 0);
    assert_int_equal(at(r, 1, 1, 15), 32);
    rig_free(r);
}

// A row counts as reached only if some column of it is written: datum 1024 of 1025 would be in row
// 64, and the shift loses it.
static void test_shifted_rows(void **state)
{
    (void)state;
    for (uint32_t datums = 1026; datums > 1024; datums--) {
        struct rig *r = bf16_rig(TSR_WORMHOLE_B0, 0, datums);
        tsr_l1_put(&r->state->l1, 0x10800, "\1\2\3\4", 4, false);
        SET(r, 0, REG2_Shift_amount_cntx0, 1);
        assert_int_equal(run(r, 0, 0), datums == 1025);
        assert_int_equal(rig_found(r, "srca-row"), datums != 1025);
        rig_free(r);
    }
}

// ---------------------------------------------------------------- row search

// Without blobs: from position 0 to before channel 1's X.
static void test_row_search(void **state)
{
    (void)state;
    struct rig *r = bf16_rig(TSR_WORMHOLE_B0, 1, 16);
    SET(r, 1, REG0_TileDescriptor_YDim, 4);
    tsr_adc_channel *adc = r->state->adcs.channel[0][1];
    adc[0].x = 7;
    adc[1].x = 10;
    adc[0].y = 2;
    assert_true(run(r, 1, 1 << 2));
    assert_true(rig_found(r, "legacy-mode"));
    assert_int_equal(at(r, 1, 0, 0), 33);
    assert_int_equal(at(r, 1, 0, 9), 42);
    assert_int_equal(at(r, 1, 0, 10), -1);
    rig_free(r);
}

// With blobs a plane is one long row, and BlobsYStart holds sixteenths of X: from the blob of Y to
// the one after the blob of X, or to XDim & 0x1f0 after the last.
static void test_blobs(void **state)
{
    (void)state;
    static const struct {
        uint32_t x, y;
        int first, end;
    } cases[] = {{0, 0, 0, 32}, {1, 1, 32, 48}, {1, 0, 0, 48}, {2, 2, 48, 80}, {10, 9, 32, 80}};
    for (int arch = 0; arch < 2; arch++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct rig *r = bf16_rig((tsr_arch)arch, 1, 92);
            SET(r, 1, REG0_TileDescriptor_YDim, 2);
            SET(r, 1, REG0_TileDescriptor_BlobsPerXYPlane, 3);
            SET(r, 1, REG0_TileDescriptor_BlobsYStart_lo, 0x0320);
            tsr_adc_channel *adc = r->state->adcs.channel[0][1];
            adc[0].x = cases[i].x;
            adc[0].y = cases[i].y;
            adc[0].z = 1; // 2 * 92 datums further
            assert_true(run(r, 1, 1 << 2));
            int count = cases[i].end - cases[i].first;
            assert_int_equal(at(r, 1, 0, 0), 2 * 92 + cases[i].first + 1);
            assert_int_equal(at(r, 1, (uint32_t)(count - 1) / 16, 15), 2 * 92 + cases[i].end);
            assert_int_equal(at(r, 1, (uint32_t)count / 16, 0), -1);
            rig_free(r);
        }
}

// Unpacker 0 has starts of its own for each pair of contexts; without contexts the descriptor's.
static void test_blobs_of_contexts(void **state)
{
    (void)state;
    for (uint32_t context = 0; context < 9; context++) {
        struct rig *r = bf16_rig(TSR_BLACKHOLE_A0, 0, 256);
        bool multi = context < 8;
        rig_set(r, FIELD_UNPACK_MISC_CFG_CfgContextOffset_0, context & 7);
        for (unsigned i = 0; i < 8; i++)
            rig_set(r, (enum tsr_field)(FIELD_THCON_SEC0_REG2_Disable_zero_compress_cntx0 + i), 1);
        for (unsigned i = 0; i < 4; i++) {
            rig_set(r, (enum tsr_field)(FIELD_THCON_SEC0_REG5_Tile_x_dim_cntx0 + i), 256);
            rig_set(r, (enum tsr_field)(FIELD_THCON_SEC0_REG5_Dest_cntx0_address + i), 64);
        }
        for (unsigned i = 0; i < 3; i++)
            rig_set(r, (enum tsr_field)(FIELD_THCON_SEC0_REG3_Base_cntx1_address + i), 0x0fff);
        for (unsigned i = 0; i < 4; i++)
            rig_set(r, (enum tsr_field)(FIELD_THCON_SEC0_REG4_Base_cntx4_address + i), 0x0fff);
        rig_set(r, FIELD_UNP0_ADDR_BASE_REG_1_Base, 2 * 64);
        SET(r, 0, REG0_TileDescriptor_IsUncompressed, 1);
        SET(r, 0, REG0_TileDescriptor_BlobsPerXYPlane, 2);
        SET(r, 0, REG0_TileDescriptor_BlobsYStart_lo, 0x60);
        rig_set(r, FIELD_UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start, 0x40);
        rig_set(r, FIELD_UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start, 0x80);
        r->state->adcs.channel[0][0][0].y = 1;
        r->state->adcs.channel[0][0][0].x = 1; // to the plane's end
        assert_true(rig_run(r, UNPACR | (multi ? MULTI : 0) | 1 << 2));
        int want = !multi ? 6 : context & 2 ? 8 : 4;
        assert_int_equal(at(r, 0, 0, 0), 16 * want + 1);
        rig_free(r);
    }
}

// ---------------------------------------------------------------- one row to eight

// docs/errata.md 243: the row that the unpack begins with is written to eight rows of SrcB; datums
// after it go where they go without the bit.
static void test_broadcast(void **state)
{
    (void)state;
    struct rig *r = bf16_rig(TSR_BLACKHOLE_A0, 1, 16);
    rig_set(r, FIELD_UNP1_ADDR_BASE_REG_1_Base, 2 * 16 * 3);
    assert_true(run(r, 1, 1 << 5));
    assert_true(rig_found(r, "undocumented-mode"));
    assert_int_equal(at(r, 1, 2, 0), -1);
    for (uint32_t row = 3; row < 11; row++)
        for (uint32_t column = 0; column < 16; column++)
            assert_int_equal(at(r, 1, row, column), (int)column + 1);
    assert_int_equal(at(r, 1, 11, 0), -1);
    r->state->adcs.channel[0][1][1].x = 19;
    assert_true(run(r, 1, 1 << 5));
    assert_int_equal(at(r, 1, 4, 3), 20);
    assert_int_equal(at(r, 1, 4, 4), 5);
    rig_set(r, FIELD_UNP1_ADDR_BASE_REG_1_Base, 2 * 16 * 57); // rows 57 to 64
    assert_false(run(r, 1, 1 << 5));
    assert_true(rig_found(r, "srcb-row"));
    rig_free(r);

    // SrcA knows no broadcast, and Wormhole's bit 5 is another one, which does nothing here.
    for (int arch = 0; arch < 2; arch++) {
        int unpacker = arch == TSR_WORMHOLE_B0;
        r = bf16_rig((tsr_arch)arch, unpacker, 16);
        assert_true(run(r, unpacker, 1 << 5));
        assert_true(rig_found(r, "undocumented-mode"));
        assert_int_equal(at(r, unpacker, 0, 15), 16);
        assert_int_equal(at(r, unpacker, 1, 0), -1);
        rig_free(r);
    }
}

// ---------------------------------------------------------------- longest stride

// Three fields of four bits: 65,520 bytes. A row in L1 has 16 datums, on Blackhole 32 if they have
// more than a byte.
static void check_stride(tsr_arch arch, uint8_t format, uint32_t size)
{
    struct rig *r = rig_new(arch);
    uint32_t width = arch == TSR_BLACKHOLE_A0 && size == 2 ? 32 : 16, want;
    tsr_unpack_mode mode = {.arch = arch, .in_format = format, .out_format = format};
    rig_configure(r, 0, format, format, 128);
    SET(r, 0, REG2_Tileize_mode, 1);
    SET(r, 0, REG2_Shift_amount_cntx0, 15);
    SET(r, 0, REG2_Shift_amount_cntx1, 15);
    SET(r, 0, REG2_Shift_amount_cntx2, 15);
    rig_fill_l1(r, 0x10000, 8 * 65520);
    assert_true(run(r, 0, 0));
    for (uint32_t i = 0; i < 128; i++) {
        uint32_t address = 0x10000 + i / width * 65520 + i % width * size;
        uint32_t datum = tsr_l1_word(&r->state->l1, address) & tsr_mask32(8 * size);
        assert_int_equal(tsr_unpack_datum(&mode, datum, 0, &want), TSR_OK);
        assert_int_equal(r->state->src[0].bank[0].datum[i / 16][i % 16], want);
    }
    rig_free(r);
}

static void test_longest_stride(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        check_stride((tsr_arch)arch, 5, 2);
        check_stride((tsr_arch)arch, 14, 1);
    }
}

// ---------------------------------------------------------------- speeds, clashes

static uint32_t cycles(struct rig *r, int unpacker)
{
    assert_true(run(r, unpacker, 0));
    return r->inst.duration;
}

// 512 bytes at x4 are 8 cycles on Wormhole; one zero after a datum allows x2, more x1.
static void test_speeds(void **state)
{
    (void)state;
    static const uint32_t wormhole[4] = {8, 16, 32, 32}, blackhole[4] = {4, 16, 32, 32};
    for (uint32_t rate = 0; rate < 3; rate++) {
        struct rig *r = bf16_rig(TSR_WORMHOLE_B0, 1, 256);
        r->env.timing = true;
        SET(r, 1, REG2_Throttle_mode, 2);
        SET(r, 1, REG2_Upsample_rate, rate);
        assert_int_equal(cycles(r, 1), wormhole[rate]);
        SET(r, 1, REG2_Throttle_mode, 0);
        assert_int_equal(cycles(r, 1), 32);
        rig_free(r);
        r = bf16_rig(TSR_BLACKHOLE_A0, 1, 256);
        r->env.timing = true;
        SET(r, 1, REG2_Upsample_rate, rate);
        assert_int_equal(cycles(r, 1), blackhole[rate]);
        rig_free(r);
    }
}

// Modes that exclude each other, and what going on makes of them.
static void test_clashes(void **state)
{
    (void)state;
    struct rig *r = bf16_rig(TSR_WORMHOLE_B0, 0, 32);
    tsr_findings_profile(&r->findings, TSR_PROFILE_CONFORMANCE);
    SET(r, 0, REG2_Tileize_mode, 1);
    SET(r, 0, REG2_Shift_amount_cntx0, 4); // a stride of 64 bytes, no shift
    SET(r, 0, REG2_Upsample_rate, 1);
    assert_true(run(r, 0, 0));
    assert_true(rig_found(r, "unpack-mode-clash"));
    assert_int_equal(at(r, 0, 0, 2), 2);
    assert_int_equal(at(r, 0, 2, 0), 33); // both
    assert_int_equal(at(r, 0, 2, 1), 0);
    assert_int_equal(r->state->src[0].bank[0].tainted[2], 0xffff);
    rig_free(r);

    r = bf16_rig(TSR_WORMHOLE_B0, 0, 16);
    tsr_findings_profile(&r->findings, TSR_PROFILE_CONFORMANCE);
    SET(r, 0, REG2_Unpack_if_sel_cntx0, 1);
    rig_set(r, FIELD_SRCA_SET_SetOvrdWithAddr, 0);
    SET(r, 0, REG2_Shift_amount_cntx0, 4);
    assert_true(run(r, 0, 0));
    assert_true(rig_found(r, "unpack-mode-clash"));
    assert_int_equal(r->state->dst.bits[0][3], 4 << 8); // not shifted
    assert_int_equal(r->state->dst.tainted[0], 0xffff);
    rig_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_upsampling),        cmocka_unit_test(test_upsampling_to_dst),
        cmocka_unit_test(test_upsampled_rows),    cmocka_unit_test(test_upsampled_taint),
        cmocka_unit_test(test_column_shift),      cmocka_unit_test(test_shifted_rows),
        cmocka_unit_test(test_row_search),        cmocka_unit_test(test_blobs),
        cmocka_unit_test(test_blobs_of_contexts), cmocka_unit_test(test_broadcast),
        cmocka_unit_test(test_longest_stride),    cmocka_unit_test(test_speeds),
        cmocka_unit_test(test_clashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
