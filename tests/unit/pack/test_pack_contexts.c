// SPDX-License-Identifier: Apache-2.0
// Blackhole: contexts of configuration and the interfaces that end a plane; both chips: what is
// reported about a PACR's configuration. Pages: BlackholeA0 PACR.md, Packers/*.md; decisions 1, 10.
#include "isa/unit_fields.h"
#include "rig/pack_rig.h"

// ---------------------------------------------------------------- contexts

// Context c has a destination, an offset into Dst and rows a plane of its own.
static tsr_tile *contexts(void)
{
    static const enum tsr_field offset[4] = {
        FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, FIELD_DEST_TARGET_REG_CFG_PACK_SEC1_Offset,
        FIELD_DEST_TARGET_REG_CFG_PACK_SEC2_Offset, FIELD_DEST_TARGET_REG_CFG_PACK_SEC3_Offset};
    static const enum tsr_field reads[4] = {FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane,
                                            FIELD_PACK_COUNTERS_SEC1_pack_reads_per_xy_plane,
                                            FIELD_PACK_COUNTERS_SEC2_pack_reads_per_xy_plane,
                                            FIELD_PACK_COUNTERS_SEC3_pack_reads_per_xy_plane};
    tsr_tile *tile = pack_tile(BH, TSR_PROFILE_STRICT, INT16, INT16, false);
    dst_count(tile, 0);
    for (unsigned c = 0; c < 4; c++) {
        tile_field(tile, 0, (enum tsr_field)PACKER(c, In_data_format), INT16);
        tile_field(tile, 0, (enum tsr_field)PACKER(c, Out_data_format), INT16);
        tile_field(tile, 0, (enum tsr_field)PACKER(c, Disable_zero_compress), 1);
        tile_field(tile, 0, (enum tsr_field)PACKER(c, L1_Dest_addr), OUT / 16 - 1 + 0x100 * c);
        tile_field(tile, 0, offset[c], 4 * c);
        tile_field(tile, 0, reads[c], 2);
    }
    return tile;
}

// Which context a PACR used: its first datum is the first of row 4 c. L1 is cleared after it.
static unsigned used(tsr_tile *tile)
{
    unsigned found = 99;
    for (unsigned c = 0; c < 4; c++) {
        uint32_t at = OUT + 0x1000 * c;
        if (out_at(tile, at + 2, 2) == 64 * c + 1)
            found = found == 99 ? c : 98;
        memset(tile_state(tile)->l1.bytes + at, 0, 64);
    }
    return found;
}

static void test_named_context(void **state)
{
    (void)state;
    tsr_tile *tile = contexts();
    tile_do(tile, 0, "PACR ReadIntfSel=1 Last=1");
    assert_int_equal(used(tile), 0);
    assert_null(tile_found(tile, "undocumented-mode"));
    for (unsigned c = 1; c < 4; c++) {
        char text[60];
        snprintf(text, sizeof text, "PACR ReadIntfSel=1 CfgContext=%u Last=1", c);
        tile_do(tile, 0, text);
        assert_int_equal(used(tile), c);
    }
    assert_non_null(tile_found(tile, "undocumented-mode"));
    tsr_tile_destroy(tile);
}

// The tracked context moves on after a Last, and is begun anew after the fourth, or with
// CtxtCtrl=3 stays there. CtxtCtrl=2 only resets it: no datums, no counters.
static void test_tracked_context(void **state)
{
    (void)state;
    tsr_tile *tile = contexts();
    for (unsigned i = 0; i < 6; i++) {
        tile_do(tile, 0, "PACR ReadIntfSel=1 CtxtCtrl=1 CfgContext=2");
        tile_do(tile, 0, "PACR ReadIntfSel=1 CtxtCtrl=1 CfgContext=3 Last=1");
        assert_int_equal(used(tile), i % 4);
    }
    tile_field(tile, 0, FIELD_ADDR_MOD_PACK_SEC0_YsrcIncr, 1);
    tile_do(tile, 0, "PACR CtxtCtrl=2 Last=1");
    assert_int_equal(used(tile), 99);
    assert_int_equal(tile_state(tile)->adcs.channel[0][TSR_ADC_PACKERS][0].y, 0);
    for (unsigned i = 0; i < 6; i++) {
        tile_do(tile, 0, "PACR ReadIntfSel=1 CtxtCtrl=3 Last=1");
        assert_int_equal(used(tile), i < 4 ? i : 3);
    }
    tsr_tile_destroy(tile);
}

// With a count it moves on after that many planes, of one row here, and not after Last.
static void test_context_by_planes(void **state)
{
    (void)state;
    tsr_tile *tile = contexts();
    for (unsigned c = 0; c < 3; c++)
        tile_field(tile, 0, tsr_pack_field_of((int)c, PACK_FIELD_pack_reads_per_xy_plane), 1);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_auto_ctxt_inc_xys_cnt, 3);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC1_auto_ctxt_inc_xys_cnt, 1);
    for (unsigned i = 0; i < 5; i++) {
        tile_do(tile, 0, "PACR ReadIntfSel=1 CtxtCtrl=1 Last=1");
        assert_int_equal(used(tile), i < 3 ? 0 : i < 4 ? 1 : 2);
    }
    tsr_tile_destroy(tile);
}

// ---------------------------------------------------------------- the end of a plane

// Seven rows a plane, four interfaces: the second PACR of each plane has three rows left.
static void test_last_interfaces(void **state)
{
    (void)state;
    for (unsigned on = 0; on < 2; on++) {
        tsr_tile *tile = pack_tile(BH, TSR_PROFILE_STRICT, INT16, INT16, false);
        dst_count(tile, 0);
        tile_field(tile, 0, PACKER(0, Auto_set_last_pacr_intf_sel), on);
        tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 7);
        for (unsigned i = 0; i < 4; i++)
            tile_do(tile, 0, i == 3 ? "PACR Last=1" : "PACR");
        unsigned rows = 0;
        for (unsigned i = 0; i < 4; i++)
            for (unsigned k = 0; k < (on && i % 2 ? 3 : 4); k++)
                assert_int_equal(out16(tile, 16 * rows++), 16 * k);
        assert_int_equal(tsr_l1_first_unwritten(&tile_state(tile)->l1, OUT, 4096), 32 * rows);
        assert_int_equal(tile_state(tile)->packers.packer[0].y, on ? 0 : 16);
        assert_int_equal(tile_state(tile)->packers.packer[0].z, on ? 2 : 0);
        tsr_tile_destroy(tile);
    }
}

// Two interfaces are too few to end a plane that has three rows left.
static void test_not_the_last(void **state)
{
    (void)state;
    tsr_tile *tile = pack_tile(BH, TSR_PROFILE_STRICT, INT16, INT16, false);
    dst_count(tile, 0);
    tile_field(tile, 0, PACKER(0, Auto_set_last_pacr_intf_sel), 1);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 3);
    tile_do(tile, 0, "PACR ReadIntfSel=3");
    tile_do(tile, 0, "PACR ReadIntfSel=3 Last=1");
    assert_int_equal(tsr_l1_first_unwritten(&tile_state(tile)->l1, OUT, 4096), 96);
    assert_int_equal(tile_state(tile)->packers.packer[0].z, 1);
    tsr_tile_destroy(tile);
}

// The mask that ends a plane has its rows side by side, whatever the instruction names.
static void test_last_mask(void **state)
{
    (void)state;
    tsr_tile *tile = pack_tile(BH, TSR_PROFILE_STRICT, INT16, INT16, false);
    dst_count(tile, 0);
    tile_field(tile, 0, PACKER(0, Auto_set_last_pacr_intf_sel), 1);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 4);
    tile_do(tile, 0, "PACR ReadIntfSel=5");
    tile_do(tile, 0, "PACR ReadIntfSel=5 Last=1");
    static const unsigned rows[4] = {0, 2, 0, 1};
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(out16(tile, 16 * i), 16 * rows[i]);
    tsr_tile_destroy(tile);
}

// ---------------------------------------------------------------- findings

struct anomaly {
    enum tsr_field field;
    uint32_t value;
    const char *code;
    bool stops; // a strict tile
};

static void check_anomaly(int arch, const struct anomaly *anomaly)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, BFP8, false);
    for (unsigned i = 0; i < 16; i++)
        dst_put(tile, 0, i, tsr_dst_encode_bf16(0x3f80), false);
    tile_field(tile, 0, FIELD_STACC_RELU_ApplyRelu, 2);
    tile_field(tile, 0, anomaly->field, anomaly->value);
    tile_push(tile, 0, arch == WH ? "PACR Last=1" : "PACR ReadIntfSel=1 Last=1");
    assert_int_equal(tile_run(tile), anomaly->stops ? TSR_END_STOPPED : TSR_END_IDLE);
    if (!tile_found(tile, anomaly->code))
        fail_msg("no %s", anomaly->code);
    tsr_tile_destroy(tile);
}

static void test_anomalies(int arch)
{
    static const struct anomaly anomalies[] = {
        {FIELD_STACC_RELU_ReluThreshold, 0x8000, "pack-relu-threshold", true},
        {FIELD_THCON_SEC0_REG1_Disable_zero_compress, 0, "legacy-mode", false},
        {FIELD_THCON_SEC0_REG1_Downsample_mask, 1, "legacy-mode", false},
        {FIELD_THCON_SEC0_REG1_Downsample_rate, 1, "field-without-effect", false},
        {FIELD_THCON_SEC0_REG1_Dis_shared_exp_assembler, 1, "undocumented-mode", false},
        {FIELD_ALU_ROUNDING_MODE_Packer_srnd_en, 1, "undocumented-mode", false},
        {FIELD_ALU_ROUNDING_MODE_Gasket_srnd_en, 1, "undocumented-mode", false}};
    for (size_t i = 0; i < sizeof anomalies / sizeof *anomalies; i++)
        check_anomaly(arch, &anomalies[i]);
}
TILE_BOTH(test_anomalies)

// BFP2a is no intermediate format either, so going on reports it twice.
static void test_threshold_of_bfp2a(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_SILICON, FP16, FP16, false);
    dst_count(tile, 0);
    tile_field(tile, 0, PACKER(0, In_data_format), BFP2A);
    tile_field(tile, 0, PACKER(0, Exp_threshold_en), 1);
    tile_field(tile, 0, PACKER(0, Exp_threshold), 255);
    tile_do(tile, 0, arch == WH ? "PACR Last=1" : "PACR ReadIntfSel=1 Last=1");
    assert_non_null(tile_found(tile, "pack-exponent-threshold"));
    assert_non_null(tile_found(tile, "pack-format-pair"));
    assert_true(tsr_l1_any_tainted(&tile_state(tile)->l1, OUT, 32));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_threshold_of_bfp2a)

// What older descriptions or vendor headers know and nothing here acts on: a program that sets one
// is told so, and packs as if it were 0.
static void test_idle_fields(int arch)
{
    static const struct {
        enum tsr_field field;
        const char *name;
        int chips; // a bit each
    } rows[] = {
        {FIELD_THCON_SEC0_REG1_Downsample_rate, "Downsample_rate", 3},
        {FIELD_PACK_COUNTERS_SEC0_pack_per_xy_plane, "pack_per_xy_plane", 3},
        {FIELD_PACK_COUNTERS_SEC0_pack_per_xy_plane_offset, "pack_per_xy_plane_offset", 1 << WH},
        {FIELD_PACK_COUNTERS_SEC0_pack_xys_per_tile, "pack_xys_per_tile", 3},
        {FIELD_THCON_SEC0_REG1_pack_start_intf_pos, "pack_start_intf_pos", 1 << BH},
        {FIELD_THCON_SEC0_REG1_pack_dis_y_pos_start_offset, "pack_dis_y_pos_start_offset", 1 << BH},
        {FIELD_ALU_ACC_CTRL_Zero_Flag_disabled_dst, "ALU_ACC_CTRL_Zero_Flag_disabled_dst", 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char sentence[80];
        if (!(rows[i].chips >> arch & 1))
            continue;
        tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, INT16, INT16, false);
        dst_count(tile, 1);
        pack_one(tile, "Last=1");
        assert_null(tile_found(tile, "field-without-effect"));
        tile_field(tile, 0, rows[i].field, 1);
        pack_one(tile, "Last=1");
        const tsr_diagnostic *found = tile_found(tile, "field-without-effect");
        assert_non_null(found);
        snprintf(sentence, sizeof sentence, "PACR with %s=1, without an effect here", rows[i].name);
        assert_ptr_equal(strstr(found->sentence, sentence), found->sentence);
        assert_int_equal(found->field_count, 1);
        assert_int_equal(found->fields[0].value, 1);
        for (unsigned n = 0; n < 16; n++)
            assert_int_equal(out16(tile, n), n + 1);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_idle_fields)

// Contexts 2 and 3 have the first field of the other section; two fields are in one finding.
static void test_idle_fields_of_contexts(void **state)
{
    (void)state;
    tsr_tile *tile = contexts();
    tile_field(tile, 0, FIELD_THCON_SEC1_REG1_pack_start_intf_pos, 2);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC3_pack_xys_per_tile, 5);
    tile_do(tile, 0, "PACR CfgContext=1 Last=1");
    assert_null(tile_found(tile, "field-without-effect"));
    tile_do(tile, 0, "PACR CfgContext=3 Last=1");
    tile_says(tile, "field-without-effect", "with pack_xys_per_tile=5, pack_start_intf_pos=2, ");
    assert_int_equal(tile_found(tile, "field-without-effect")->field_count, 2);
    tsr_tile_destroy(tile);
}

// Four packers, set alike, and then one of them otherwise.
static void test_packers_differ(void **state)
{
    (void)state;
    static const struct anomaly anomalies[] = {
        {FIELD_THCON_SEC1_REG8_Out_data_format, FP32, "packers-differ", false},
        {FIELD_THCON_SEC0_REG8_Disable_zero_compress, 0, "packers-differ", false},
        {FIELD_THCON_SEC1_REG1_Pack_L1_Acc, 1, "packers-differ", false},
        {FIELD_PACK_COUNTERS_SEC2_pack_reads_per_xy_plane, 3, "packers-differ", false}};
    for (size_t i = 0; i <= sizeof anomalies / sizeof *anomalies; i++) {
        tsr_tile *tile = pack_tile(WH, TSR_PROFILE_SILICON, BF16, BF16, false);
        dst_count(tile, 0);
        tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC1_pack_reads_per_xy_plane, 16);
        tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC2_pack_reads_per_xy_plane, 16);
        tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC3_pack_reads_per_xy_plane, 16);
        if (i > 0)
            tile_field(tile, 0, anomalies[i - 1].field, anomalies[i - 1].value);
        tile_do(tile, 0, "PACR PackSel=1");
        tile_do(tile, 0, "PACR PackSel=15 Last=1");
        assert_int_equal(tile_found(tile, "packers-differ") != NULL, i > 0);
        tsr_tile_destroy(tile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_named_context),
        cmocka_unit_test(test_tracked_context),
        cmocka_unit_test(test_context_by_planes),
        cmocka_unit_test(test_last_interfaces),
        cmocka_unit_test(test_not_the_last),
        cmocka_unit_test(test_last_mask),
        TILE_TEST(test_anomalies),
        TILE_TEST(test_threshold_of_bfp2a),
        TILE_TEST(test_idle_fields),
        cmocka_unit_test(test_idle_fields_of_contexts),
        cmocka_unit_test(test_packers_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
