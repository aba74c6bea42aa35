// SPDX-License-Identifier: Apache-2.0
// Every point at which UNPACR_Regular.md is undefined, unpredictable, not contractual, or which it
// leaves out: the strict profile stops with nothing changed, the conformance profile goes on
// as docs/decisions.md says. Then UNPACR_NOP.
#include "rig/unpack_rig.h"

// ---------------------------------------------------------------- one anomaly each

struct point {
    const char *code;
    void (*prepare)(struct rig *r);
    int unpacker;
    uint32_t bits; // of the instruction, besides MULTI
    int arch;      // 0, 1, or 2 for both
    bool single;   // without MULTI
};

static void none(struct rig *r)
{
    (void)r;
}

// A row of 16 datums from `first`, whose end the row starts give as `end`.
static void put_row(struct rig *r, uint16_t first, uint16_t end)
{
    uint8_t tile[0x1000] = {(uint8_t)first, (uint8_t)(first >> 8), (uint8_t)end};
    tsr_l1_put(&r->state->l1, 0x10000, tile, sizeof tile, false);
    SET(r, 0, REG2_Disable_zero_compress_cntx0, 0);
}

static void compressed(struct rig *r)
{
    put_row(r, 0, 16);
}

static void backward_row(struct rig *r)
{
    put_row(r, 20, 16);
}

static void backward_seek(struct rig *r)
{
    put_row(r, 0, 16);
    r->state->adcs.channel[0][0][0].x = 20;
    r->state->adcs.channel[0][0][1].x = 10;
}

static void rows_outside_l1(struct rig *r)
{
    put_row(r, 0, 16);
    SET(r, 0, REG3_Base_address, 0x18000);
}

static void long_row(struct rig *r) // 80 datums with deltas of 15: 1280, and SrcA has 1024
{
    put_row(r, 0, 80);
    uint8_t deltas[16];
    memset(deltas, 0xff, sizeof deltas);
    for (uint32_t group = 0; group < 3; group++) // after 16 bytes of row starts, 32 datums each
        tsr_l1_put(&r->state->l1, 0x10010 + group * 80 + 64, deltas, sizeof deltas, false);
}

static void ninth_blob(struct rig *r)
{
    SET(r, 1, REG0_TileDescriptor_BlobsPerXYPlane, 3);
    SET(r, 1, REG0_TileDescriptor_BlobsYStart_lo, 0x0002);
    r->state->adcs.channel[0][1][0].y = 1; // from entry 1, which is 0, to entry 8
    r->state->adcs.channel[0][1][0].x = 7;
}

static void tileize_upsampled(struct rig *r)
{
    SET(r, 0, REG2_Tileize_mode, 1);
    SET(r, 0, REG2_Upsample_rate, 1);
}

static void tileize_compressed(struct rig *r)
{
    SET(r, 0, REG2_Tileize_mode, 1);
    put_row(r, 0, 16);
}

static void shifted_to_dst(struct rig *r)
{
    SET(r, 0, REG2_Unpack_if_sel_cntx0, 1);
    rig_set(r, FIELD_SRCA_SET_SetOvrdWithAddr, 0);
    SET(r, 0, REG2_Shift_amount_cntx0, 1);
}

static void upsampled(struct rig *r)
{
    SET(r, 1, REG2_Upsample_rate, 2);
}

static void shifted(struct rig *r)
{
    SET(r, 0, REG2_Shift_amount_cntx0, 3);
}

static void high_halves(struct rig *r)
{
    SET(r, 0, REG2_Unpack_if_sel_cntx0, 1);
    rig_set(r, FIELD_SRCA_SET_SetOvrdWithAddr, 0);
    r->state->debug.debug_feature_disable = 1u << 11;
}

static void far_context(struct rig *r)
{
    rig_set(r, FIELD_UNPACK_MISC_CFG_CfgContextOffset_1, 2);
    rig_set(r, FIELD_THCON_SEC1_REG3_Base_cntx2_address, 0x0fff);
    rig_set(r, FIELD_THCON_SEC1_REG2_Disable_zero_compress_cntx2, 1);
}

static void bad_pair(struct rig *r)
{
    SET(r, 0, REG2_Out_data_format, 4);
}

static void reserved_format(struct rig *r)
{
    SET(r, 1, REG2_Out_data_format, 13);
    SET(r, 1, REG0_TileDescriptor_InDataFormat, 13);
}

static void wide_to_src(struct rig *r)
{
    SET(r, 1, REG2_Out_data_format, 0);
    SET(r, 1, REG0_TileDescriptor_InDataFormat, 0);
}

static void narrow_tileize(struct rig *r)
{
    SET(r, 0, REG2_Out_data_format, 7);
    SET(r, 0, REG0_TileDescriptor_InDataFormat, 7);
    SET(r, 0, REG2_Force_shared_exp, 1);
    SET(r, 0, REG2_Tileize_mode, 1);
}

static void throttled(struct rig *r)
{
    SET(r, 0, REG2_Throttle_mode, 3);
}

static void transposed_to_dst(struct rig *r)
{
    SET(r, 0, REG2_Unpack_if_sel_cntx0, 1);
    rig_set(r, FIELD_SRCA_SET_SetOvrdWithAddr, 0);
    SET(r, 0, REG2_Haloize_mode, 1);
}

static void dst_by_address(struct rig *r)
{
    SET(r, 0, REG2_Unpack_if_sel_cntx0, 1);
}

static void far_x(struct rig *r)
{
    r->state->adcs.channel[0][1][0].x = 4090;
    r->state->adcs.channel[0][1][1].x = 4096;
}

static void backward_x(struct rig *r)
{
    r->state->adcs.channel[0][1][0].x = 20;
    r->state->adcs.channel[0][1][1].x = 10;
}

static void crooked_input(struct rig *r)
{
    SET(r, 0, REG2_Haloize_mode, 1);
    r->state->adcs.channel[0][0][0].x = 1;
}

static void crooked_output(struct rig *r)
{
    rig_set(r, FIELD_UNP1_ADDR_BASE_REG_1_Base, 1);
}

static void outside_l1(struct rig *r)
{
    SET(r, 1, REG3_Base_address, 0x18000);
}

static void low_rows(struct rig *r)
{
    rig_set(r, FIELD_THCON_SEC0_REG5_Dest_cntx0_address, 64 + 56 * 16);
}

static void many_set_rows(struct rig *r)
{
    rig_set(r, FIELD_SRCA_SET_SetOvrdWithAddr, 0);
    rig_set(r, FIELD_THCON_SEC0_REG5_Dest_cntx0_address, 64 + 8 * 16);
}

static void low_srcb(struct rig *r)
{
    rig_set(r, FIELD_UNP1_ADDR_BASE_REG_1_Base, 2 * 16 * 40);
    r->state->unpacker[1].src_row[0] = 16;
}

static void crooked_burst(struct rig *r)
{
    SET(r, 0, REG2_Throttle_mode, 2);
    rig_set(r, FIELD_THCON_SEC0_REG5_Dest_cntx0_address, 64 + 16);
}

static void low_dst(struct rig *r)
{
    SET(r, 0, REG2_Out_data_format, 0);
    SET(r, 0, REG0_TileDescriptor_InDataFormat, 0);
    SET(r, 0, REG2_Unpack_if_sel_cntx0, 1);
    rig_set(r, FIELD_SRCA_SET_SetOvrdWithAddr, 0);
    rig_set(r, FIELD_THCON_SEC0_REG5_Dest_cntx0_address, 64 + 16 * 510);
}

static void block_exponent(struct rig *r)
{
    SET(r, 1, REG2_Out_data_format, 2);
    SET(r, 1, REG0_TileDescriptor_InDataFormat, 2);
    SET(r, 1, REG2_Force_shared_exp, 1);
    rig_set(r, FIELD_UNP1_FORCED_SHARED_EXP_shared_exp, 0x25);
}

static void unwritten(struct rig *r)
{
    SET(r, 1, REG3_Base_address, 0x1fff);
}

static void transposed_srcb(struct rig *r)
{
    SET(r, 1, REG2_Haloize_mode, 1);
}

static void interleaved(struct rig *r)
{
    SET(r, 1, REG2_Upsample_and_interleave, 1);
}

static void within_row(struct rig *r)
{
    rig_set(r, FIELD_UNP1_ADDR_BASE_REG_1_Base, 2 * 5);
}

static void dead_zone(struct rig *r)
{
    rig_set(r, FIELD_THCON_SEC0_REG5_Dest_cntx0_address, 0);
}

static void uncompressed(struct rig *r)
{
    SET(r, 1, REG0_TileDescriptor_IsUncompressed, 1);
}

static const struct point points[] = {
    {"unpack-x-range", backward_seek, 0, 0, 2, false},
    {"unpack-row-starts", backward_row, 0, 0, 2, false},
    {"l1-out-of-range", rows_outside_l1, 0, 0, 2, false},
    {"srca-row", long_row, 0, 0, 0, false},
    {"unpack-x-range", ninth_blob, 1, 1 << 2, 2, false},
    {"unpack-mode-clash", tileize_upsampled, 0, 0, 2, false},
    {"unpack-mode-clash", tileize_compressed, 0, 0, 2, false},
    {"unpack-mode-clash", shifted_to_dst, 0, 0, 2, false},
    {"undocumented-mode", none, 1, 1 << 5, 2, false},
    {"undocumented-mode", none, 0, 1 << 5, 2, false},
    {"legacy-mode", compressed, 0, 0, 2, false},
    {"legacy-mode", none, 0, 1 << 2, 2, false},
    {"legacy-mode", upsampled, 1, 0, 2, false},
    {"legacy-mode", shifted, 0, 0, 2, false},
    {"unpack-context", far_context, 1, 0, 2, false},
    {"unpack-context", none, 1, 3 << 8, 2, false},
    {"unpack-format-pair", bad_pair, 0, 0, 2, false},
    {"unpack-format-pair", reserved_format, 1, 0, 2, false},
    {"src-32bit-format", wide_to_src, 1, 0, 2, false},
    {"unpack-throttle", narrow_tileize, 0, 0, 2, false},
    {"unpack-throttle", throttled, 0, 0, 0, false},
    {"unpack-mode-clash", transposed_to_dst, 0, 0, 2, false},
    {"dst-ovrd-addr", dst_by_address, 0, 0, 2, false},
    {"unpack-x-range", far_x, 1, 0, 2, false},
    {"unpack-x-range", backward_x, 1, 0, 2, false},
    {"unpack-alignment", crooked_input, 0, 0, 2, false},
    {"unpack-alignment", crooked_output, 1, 0, 2, false},
    {"l1-out-of-range", outside_l1, 1, 0, 2, false},
    {"srca-row", low_rows, 0, 0, 0, false},
    {"srca-row", many_set_rows, 0, 0, 2, false},
    {"srcb-row", low_srcb, 1, 0, 2, false},
    {"srca-burst", crooked_burst, 0, 0, 2, false},
    {"dst-row-range", low_dst, 0, 0, 2, false},
    {"unpack-block-exponent", block_exponent, 1, 0, 2, false},
    {"uninitialised-l1", unwritten, 1, 0, 2, false},
    {"legacy-mode", transposed_srcb, 1, 0, 2, false},
    {"legacy-mode", interleaved, 1, 0, 2, false},
    {"legacy-mode", within_row, 1, 0, 2, false},
    {"legacy-mode", dead_zone, 0, 0, 2, false},
    {"legacy-mode", high_halves, 0, 0, 2, false},
    {"legacy-mode", none, 1, 1 << 8, 2, false},
    {"legacy-mode", uncompressed, 1, 0, 2, true},
};

static struct rig *prepare(const struct point *p, int arch)
{
    struct rig *r = rig_new((tsr_arch)arch);
    rig_fill_l1(r, 0x10000, 0x4000);
    rig_configure(r, p->unpacker, 5, 5, 256);
    p->prepare(r);
    return r;
}

static uint32_t word_of(const struct point *p)
{
    uint32_t word = UNPACR | FLIP | (uint32_t)p->unpacker << 23 | 3 << 15 | p->bits;
    return p->single ? word : word | MULTI;
}

static bool stops_strict(const char *code)
{
    tsr_category category = tsr_finding_find(code)->category;
    return category == TSR_UNDEFINED_BEHAVIOUR || category == TSR_UNPREDICTABLE_VALUE;
}

static int count_of(const struct rig *r, const char *code)
{
    int count = 0;
    for (int i = 0; i < r->findings.count; i++)
        count += strcmp(r->findings.kept[i].code, code) == 0;
    return count;
}

// In the strict profile, everything undefined or unpredictable stops before any effect.
static void test_strict(void **state)
{
    (void)state;
    struct tsr_state *before = malloc(sizeof *before);
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        for (int arch = 0; arch < 2; arch++) {
            const struct point *p = &points[i];
            if (p->arch != 2 && p->arch != arch)
                continue;
            struct rig *r = prepare(p, arch);
            bool stops = stops_strict(p->code);
            memcpy(before, r->state, sizeof *before);
            assert_int_equal(rig_run(r, word_of(p)), !stops);
            assert_true(rig_found(r, p->code));
            // What is compressed is not contractual besides.
            int others = strcmp(p->code, "legacy-mode") != 0 ? count_of(r, "legacy-mode") : 0;
            assert_int_equal(r->findings.count - others, 1);
            assert_true(strlen(r->findings.kept[0].sentence) < 300);
            if (stops) {
                memcpy(&before->adcs, &r->state->adcs, sizeof before->adcs); // late anomalies only
                assert_memory_equal(before, r->state, sizeof *before);
            }
            rig_free(r);
        }
    }
    free(before);
}

// A stop at acceptance leaves the counters alone as well.
static void test_strict_counters(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        const struct point *p = &points[i];
        struct rig *r = prepare(p, p->arch == 2 ? 0 : p->arch);
        struct tsr_adcs before = r->state->adcs;
        rig_decode(r, word_of(p));
        if (!tsr_unpack_ops.accept(&r->env, &r->inst))
            assert_memory_equal(&before, &r->state->adcs, sizeof before);
        else
            assert_int_not_equal(before.channel[0][p->unpacker][0].z + 3,
                                 before.channel[0][p->unpacker][0].z);
        rig_free(r);
    }
}

static bool any_tainted(const struct rig *r)
{
    for (int side = 0; side < 2; side++)
        for (int row = 0; row < TSR_SRC_ROWS; row++)
            if (r->state->src[side].bank[0].tainted[row])
                return true;
    for (int row = 0; row < TSR_DST_ROWS; row++)
        if (r->state->dst.tainted[row])
            return true;
    return false;
}

// Going on: the bank is handed over, and what is undefined leaves taint wherever it wrote.
static void test_going_on(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        for (int arch = 0; arch < 2; arch++) {
            const struct point *p = &points[i];
            tsr_category category = tsr_finding_find(p->code)->category;
            if ((p->arch != 2 && p->arch != arch) || category == TSR_UNIMPLEMENTED_FEATURE)
                continue;
            struct rig *r = prepare(p, arch);
            tsr_findings_profile(&r->findings, TSR_PROFILE_CONFORMANCE);
            assert_true(rig_run(r, word_of(p)));
            assert_true(rig_found(r, p->code));
            assert_true(r->state->src[p->unpacker].bank[0].matrix_owns);
            bool moved = p->prepare != backward_x && p->prepare != backward_row &&
                         p->prepare != backward_seek && p->prepare != rows_outside_l1;
            bool taints = moved && p->prepare != low_srcb; // rows that wrap taint nothing
            assert_int_equal(any_tainted(r), taints && category == TSR_UNDEFINED_BEHAVIOUR);
            rig_free(r);
        }
    }
}

// ---------------------------------------------------------------- what going on gives

static struct rig *go_on(tsr_arch arch, void (*set_up)(struct rig *), int unpacker)
{
    struct rig *r = rig_new(arch);
    rig_fill_l1(r, 0x10000, 0x4000);
    rig_configure(r, unpacker, 5, 5, 256);
    set_up(r);
    tsr_findings_profile(&r->findings, TSR_PROFILE_CONFORMANCE);
    assert_true(rig_run(r, UNPACR | MULTI | (uint32_t)unpacker << 23));
    return r;
}

static uint32_t half(const struct rig *r, uint32_t datum)
{
    return tsr_l1_word(&r->state->l1, 0x10000 + 2 * datum) & 0xffff;
}

static void test_decisions(void **state)
{
    (void)state;
    struct rig *r = go_on(TSR_WORMHOLE_B0, low_srcb, 1); // decision 3: rows 56..71 wrap
    assert_int_equal(r->state->src[1].bank[0].datum[7][2], half(r, 15 * 16 + 2) << 3);
    rig_free(r);

    r = go_on(TSR_WORMHOLE_B0, wide_to_src, 1); // decision 5: the top 19 bits
    assert_int_equal(r->state->src[1].bank[0].datum[0][1],
                     tsr_l1_word(&r->state->l1, 0x10004) >> 13);
    assert_int_equal(r->state->src[1].bank[0].tainted[0], 0xffff);
    rig_free(r);

    r = rig_new(TSR_WORMHOLE_B0); // decision 4: row 16 & 0x3cf is row 0
    rig_fill_l1(r, 0x10000, 0x4000);
    rig_configure(r, 0, 5, 5, 16);
    dst_by_address(r);
    rig_set(r, FIELD_THCON_SEC0_REG5_Dest_cntx0_address, 64 + 16 * 16);
    tsr_findings_profile(&r->findings, TSR_PROFILE_CONFORMANCE);
    assert_true(rig_run(r, UNPACR | MULTI));
    assert_int_equal(r->state->dst.written[0], 0xffff);
    assert_int_equal(r->state->dst.written[16], 0);
    rig_free(r);

    r = go_on(TSR_BLACKHOLE_A0, low_rows, 0); // Blackhole wraps SrcA's rows by contract
    assert_int_equal(r->findings.count, 0);
    assert_int_equal(r->state->src[0].bank[0].datum[7][2], half(r, 15 * 16 + 2) << 3);
    rig_free(r);

    r = go_on(TSR_WORMHOLE_B0, dead_zone, 0); // four rows are dropped
    assert_int_equal(r->state->src[0].bank[0].datum[0][0], half(r, 64) << 3);
    assert_int_equal(r->state->src[0].bank[0].written[12], 0);
    rig_free(r);
}

// Taint stays with the datums that it belongs to.
static void test_partial_taint(void **state)
{
    (void)state;
    struct rig *r = rig_new(TSR_WORMHOLE_B0);
    rig_fill_l1(r, 0x10000, 0x100);
    rig_fill_l1(r, 0x10102, 0x1000);
    rig_configure(r, 1, 5, 5, 256);
    tsr_findings_policy(&r->findings, "uninitialised-l1", TSR_ACTION_USE);
    assert_true(rig_run(r, UNPACR | MULTI | ONE));
    assert_non_null(strstr(r->findings.kept[0].sentence, "0x10100"));
    assert_int_equal(r->state->src[1].bank[0].tainted[8], 1);
    assert_int_equal(r->state->src[1].bank[0].tainted[9], 0);
    assert_true(rig_run(r, UNPACR | MULTI | ONE | ZERO)); // reads nothing that counts
    assert_int_equal(r->findings.count, 0);
    rig_free(r);

    // Two datums of BFP8a: exponent 2 with six leading zeroes underflows five bits, with none not.
    r = rig_new(TSR_WORMHOLE_B0);
    static const uint8_t datums[2] = {0x01, 0x40};
    tsr_l1_put(&r->state->l1, 0x10000, datums, 2, false);
    rig_configure(r, 1, 2, 2, 2);
    SET(r, 1, REG2_Force_shared_exp, 1);
    rig_set(r, FIELD_UNP1_FORCED_SHARED_EXP_shared_exp, 2);
    tsr_findings_profile(&r->findings, TSR_PROFILE_CONFORMANCE);
    assert_true(rig_run(r, UNPACR | MULTI | ONE));
    assert_true(rig_found(r, "unpack-block-exponent"));
    assert_int_equal(r->state->src[1].bank[0].tainted[0], 1);
    rig_free(r);
}

// A finding is reported by every instruction that it concerns, also when the plan is reused.
static void test_reported_again(void **state)
{
    (void)state;
    struct rig *r = rig_new(TSR_WORMHOLE_B0);
    rig_fill_l1(r, 0x10000, 0x4000);
    rig_configure(r, 1, 5, 5, 256);
    transposed_srcb(r);
    for (int i = 0; i < 2; i++) {
        assert_true(rig_run(r, UNPACR | MULTI | ONE));
        assert_true(rig_found(r, "legacy-mode"));
    }
    assert_int_equal(r->env.plans_reused, 1);
    tsr_findings_policy(&r->findings, "legacy-mode", TSR_ACTION_STOP);
    assert_false(rig_run(r, UNPACR | MULTI | ONE));
    rig_free(r);
}

// ---------------------------------------------------------------- UNPACR_NOP

// Only bytes that are read count: of discontiguous rows not those between, of rows that the FIFO
// wraps not those past its limit.
static void test_unwritten_rows(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        uint32_t row = arch == TSR_BLACKHOLE_A0 ? 64 : 32; // bytes before the stride
        struct rig *r = rig_new((tsr_arch)arch);
        rig_configure(r, 0, 5, 5, 64);
        SET(r, 0, REG2_Tileize_mode, 1);
        SET(r, 0, REG2_Shift_amount_cntx0, 8); // rows every 128 bytes
        for (uint32_t i = 0; i < 128 / row; i++)
            rig_fill_l1(r, 0x10000 + 128 * i, row);
        assert_true(rig_run(r, UNPACR | MULTI));
        rig_fill_l1(r, 0x10000, 0x400);
        r->state->l1.written[(0x10000 + 128) / TSR_L1_GRANULE] = 0;
        assert_false(rig_run(r, UNPACR | MULTI));
        assert_true(rig_found(r, "uninitialised-l1"));
        rig_free(r);

        r = rig_new((tsr_arch)arch);
        rig_configure(r, 0, 5, 5, 64);
        rig_fill_l1(r, 0x10000, 0x80);
        assert_true(rig_run(r, UNPACR | MULTI));
        SET(r, 0, REG2_Unpack_limit_address, 0x1003); // the rows from 0x10040 on
        SET(r, 0, REG2_Unpack_fifo_size, 0x100);
        assert_false(rig_run(r, UNPACR | MULTI));
        assert_true(rig_found(r, "uninitialised-l1"));
        rig_fill_l1(r, 0x0f040, 0x40);
        r->state->l1.written[0x10050 / TSR_L1_GRANULE] = 0;
        assert_true(rig_run(r, UNPACR | MULTI));
        rig_free(r);
    }
}

static void test_nop_clear(void **state)
{
    (void)state;
    struct rig *r = rig_new(TSR_WORMHOLE_B0);
    struct tsr_src *src = &r->state->src[0];
    src->bank[0].datum[63][15] = 5;
    src->bank[1].datum[0][0] = 6;
    assert_true(rig_run(r, 0x43000001));
    assert_int_equal(src->bank[0].datum[63][15], 0);
    assert_int_equal(src->bank[0].written[63], 0xffff);
    assert_int_equal(src->bank[1].datum[0][0], 6);
    assert_true(rig_run(r, 0x43000005));
    assert_int_equal(src->bank[0].datum[63][15], 0x7ffff);
    assert_true(rig_run(r, 0x43000009));
    assert_true(rig_found(r, "legacy-mode"));
    assert_int_equal(src->bank[1].datum[0][0], 0);
    r->state->src[1].bank[0].datum[0][0] = 7;
    assert_true(rig_run(r, 0x43800005)); // no -infinity in SrcB on Wormhole
    assert_true(rig_found(r, "legacy-mode"));
    assert_int_equal(r->state->src[1].bank[0].datum[0][0], 0);
    rig_free(r);
}

// The clear waits for the matrix unit's bank, or with bit 4 (5 on Blackhole) for the unpacker's.
static void test_nop_waits(void **state)
{
    (void)state;
    static const uint32_t waits_like_unpacr[2] = {1 << 4, 1 << 5};
    for (int arch = 0; arch < 2; arch++) {
        struct rig *r = rig_new((tsr_arch)arch);
        struct tsr_src *src = &r->state->src[1];
        src->bank[0].matrix_owns = true;
        src->unpacker_bank = 1;
        rig_decode(r, 0x43800001);
        assert_true(tsr_unpack_ops.accept(&r->env, &r->inst));
        assert_int_equal(tsr_unpack_ops.execute(&r->env, &r->inst), TSR_REASON_SRCB);
        assert_true(rig_run(r, 0x43800001 | waits_like_unpacr[arch]));
        assert_int_equal(src->bank[1].written[0], 0xffff);
        assert_int_equal(src->bank[0].written[0], 0);
        rig_free(r);
    }
}

static void test_nop_hand_over(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        struct rig *r = rig_new((tsr_arch)arch);
        struct tsr_src *src = &r->state->src[0];
        SET(r, 0, REG2_Out_data_format, 5);
        rig_set(r, FIELD_SRCA_SET_Base, 2);
        assert_true(rig_run(r, 0x43000007));
        assert_true(src->bank[0].matrix_owns);
        assert_int_equal(src->unpacker_bank, 1);
        assert_int_equal(src->bank[0].implied_format, arch == TSR_BLACKHOLE_A0 ? 5 : 0);
        assert_int_equal(r->state->unpacker[0].src_row[0], 32);
        src->unpacker_bank = 0;
        assert_false(rig_run(r, 0x43000007));
        assert_true(rig_found(r, "src-bank-taken"));
        assert_int_equal(src->unpacker_bank, 0);
        rig_free(r);
    }
    static const uint32_t clear_and_hand_over[2] = {0x43000045, 0x43000105}; // to all ones
    for (int arch = 0; arch < 2; arch++) {
        struct rig *r = rig_new((tsr_arch)arch);
        assert_true(rig_run(r, clear_and_hand_over[arch]));
        assert_int_equal(r->state->src[0].bank[0].datum[9][9], 0x7ffff);
        assert_true(r->state->src[0].bank[0].matrix_owns);
        assert_int_equal(r->state->src[0].unpacker_bank, 1);
        rig_free(r);
    }
}

// The forms that flush a cache or step the context counter drop what else is asked for: strict
// stops, other profiles say what is lost.
static void test_lost_operands(void **state)
{
    (void)state;
    enum { FLUSH = 1 << 1, COUNT = 1 << 13, LAST = 1 };
    static const struct {
        uint32_t bits;
        const char *lost; // NULL: nothing
    } cases[] = {
        {FLUSH | MULTI | LAST, NULL},
        {COUNT | MULTI | LAST, NULL},
        {FLUSH | FLIP, "SearchCacheFlush does nothing else: SetDatValid without effect, and no "
                       "bank is handed over."},
        {COUNT | FLIP, "CfgContextCntInc does nothing else: SetDatValid without effect, and no "
                       "bank is handed over."},
        {FLUSH | COUNT, "CfgContextCntInc without"},
        {FLUSH | 0x55 << 15, "AddrMode without"},
        {COUNT | ZERO | 1 << 10, "ZeroWrite2, CfgContextId without"},
        {COUNT | 1 << 8 | 1 << 2, "AddrCntContextId, RowSearch without"},
        {FLUSH | 1 << 3, "AutoIncContextID without"},
        {FLUSH | 1 << 5, "b"}, // rareb_en, srcb_bcast
    };
    for (int arch = 0; arch < 2; arch++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
            for (int strict = 0; strict < 2; strict++) {
                struct rig *r = rig_new((tsr_arch)arch);
                SET(r, 0, REG2_Context_count, 1);
                tsr_findings_profile(&r->findings,
                                     strict ? TSR_PROFILE_STRICT : TSR_PROFILE_SILICON);
                bool stops = strict && cases[i].lost;
                assert_int_equal(rig_run(r, UNPACR | cases[i].bits), !stops);
                assert_true(rig_found(r, "stray-operand-bits") == (cases[i].lost != NULL));
                if (cases[i].lost)
                    assert_non_null(strstr(r->findings.kept[0].sentence, cases[i].lost));
                assert_int_equal(r->state->src[0].unpacker_bank, 0);
                assert_int_equal(r->state->unpacker[0].context_counter[0],
                                 (cases[i].bits & (COUNT | FLUSH)) == COUNT && !stops);
                rig_free(r);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strict),        cmocka_unit_test(test_strict_counters),
        cmocka_unit_test(test_going_on),      cmocka_unit_test(test_decisions),
        cmocka_unit_test(test_partial_taint), cmocka_unit_test(test_reported_again),
        cmocka_unit_test(test_nop_clear),     cmocka_unit_test(test_nop_waits),
        cmocka_unit_test(test_nop_hand_over), cmocka_unit_test(test_unwritten_rows),
        cmocka_unit_test(test_lost_operands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
