// SPDX-License-Identifier: Apache-2.0
// UNPACR against a model of its own: addresses as docs/arithmetic.md 4.4 and 4.5 give them, one
// datum at a time, random configurations on both chips. Then banks, contexts and counters.
#include "rig/unpack_rig.h"

#include "rig/dst_order.h"

// ---------------------------------------------------------------- the model

// One random case. Everything is chosen first and then written to the configuration.
struct sample {
    int unpacker;
    uint8_t in, out;
    bool to_dst, tileize, transpose, forced, zero;
    uint32_t x0, datums, x_dim, y_dim, y, z, digest, base, offset, stride, destination;
    uint8_t exponent, order; // order: of Dst's rows
};

static uint32_t bit_size(uint8_t format)
{
    static const uint8_t bits[16] = {32, 16, 8, 4, 32, 16, 8, 4, 32, 16, 8, 2, 0, 0, 8, 2};
    return bits[format];
}

static bool has_blocks(uint8_t format)
{
    return format == 2 || format == 3 || format == 6 || format == 7 || format == 11 || format == 15;
}

static uint32_t l1_bits(const struct tsr_l1 *l1, uint64_t at, uint32_t size)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < size; i++)
        value |= (uint32_t)(l1->bytes[(at + i) / 8] >> ((at + i) % 8) & 1) << i;
    return value;
}

// Datum i of the case as the target should hold it.
static uint32_t expected(const struct rig *r, const struct sample *c, uint32_t i)
{
    uint32_t size = bit_size(c->in);
    uint32_t first = c->x0 + (c->z * c->y_dim + c->y) * c->x_dim;
    uint64_t base = 16ull * (c->base + c->offset + 1 + c->digest), data = base;
    uint32_t width = r->env.chip->arch == TSR_BLACKHOLE_A0 && size >= 16 ? 32 : 16;
    uint64_t row = c->tileize ? c->stride : size * width / 8;
    uint8_t exponent = c->exponent;
    if (has_blocks(c->in) && !c->forced) {
        uint64_t exponents = ((uint64_t)c->x_dim * c->y_dim * 4 + 15) / 16;
        data += (exponents + 15) / 16 * 16;
        exponent = r->state->l1.bytes[(16 * base + first + i) / 16];
    }
    uint64_t at = 8 * data + (uint64_t)size * first + size * (i % width) + 8 * row * (i / width);
    tsr_unpack_mode mode = {
        .arch = r->env.chip->arch, .in_format = c->in, .out_format = c->out, .to_dst = c->to_dst};
    uint32_t value = 0;
    assert_int_equal(tsr_unpack_datum(&mode, l1_bits(&r->state->l1, at, size), exponent, &value),
                     TSR_OK);
    return c->zero ? 0 : value;
}

static uint32_t found(const struct rig *r, const struct sample *c, uint32_t i)
{
    uint32_t place = c->destination - (c->unpacker == 0 ? 64 : 0) + i;
    uint32_t row = place / 16, column = place % 16;
    if (c->to_dst && (c->out == 0 || c->out == 4 || c->out == 8)) {
        uint32_t physical = order_row(c->order, row, true);
        return (uint32_t)r->state->dst.bits[physical][column] << 16 |
               r->state->dst.bits[physical + 8][column];
    }
    if (c->to_dst)
        return r->state->dst.bits[order_row(c->order, row, false)][column];
    row &= 63;
    if (c->transpose) {
        uint32_t low = row & 15;
        row = (row & ~15u) | column;
        column = low;
    }
    return r->state->src[c->unpacker].bank[0].datum[row][column];
}

static void configure(struct rig *r, const struct sample *c)
{
    tsr_adc_channel *adc = r->state->adcs.channel[0][c->unpacker];
    memset(adc, 0, 2 * sizeof *adc);
    rig_configure(r, c->unpacker, c->in, c->out, c->x_dim);
    SET(r, c->unpacker, REG0_TileDescriptor_YDim, c->y_dim);
    SET(r, c->unpacker, REG0_TileDescriptor_DigestSize, c->digest);
    SET(r, c->unpacker, REG3_Base_address, c->base);
    SET(r, c->unpacker, REG7_Offset_address, c->offset);
    SET(r, c->unpacker, REG2_Force_shared_exp, c->forced);
    SET(r, c->unpacker, REG2_Tileize_mode, c->tileize);
    SET(r, c->unpacker, REG2_Haloize_mode, c->transpose);
    SET(r, c->unpacker, REG2_Shift_amount_cntx0, c->tileize ? c->stride >> 4 & 15 : 0);
    SET(r, c->unpacker, REG2_Shift_amount_cntx1, c->tileize ? c->stride >> 8 & 15 : 0);
    SET(r, c->unpacker, REG2_Shift_amount_cntx2, c->tileize ? c->stride >> 12 : 0);
    rig_set2(r, c->unpacker, FIELD_UNP0_FORCED_SHARED_EXP_shared_exp,
             FIELD_UNP1_FORCED_SHARED_EXP_shared_exp, c->exponent);
    adc[0].x = c->x0;
    adc[0].y = c->y;
    adc[0].z = c->z;
    adc[1].x = c->x0 + c->datums - 1;
    if (c->unpacker == 0) {
        SET(r, 0, REG2_Unpack_if_sel_cntx0, c->to_dst);
        if (r->env.chip->arch == TSR_BLACKHOLE_A0) {
            rig_set(r, FIELD_DEST_ACCESS_CFG_remap_addrs, c->order & 1);
            rig_set(r, FIELD_DEST_ACCESS_CFG_swizzle_32b, c->order >> 1 & 1);
        }
        r->state->debug.debug_feature_disable = c->order & 4 ? 1u << 11 : 0;
        rig_set(r, FIELD_SRCA_SET_SetOvrdWithAddr, !c->to_dst);
        rig_set(r, FIELD_THCON_SEC0_REG5_Dest_cntx0_address, c->destination);
        return;
    }
    // Unpacker 1 has no destination of its own: rows come through a stride.
    uint32_t bytes = bit_size(c->out) > 8 ? bit_size(c->out) / 8 : 1;
    rig_set(r, FIELD_UNP1_ADDR_CTRL_XY_REG_1_Ystride, 16 * bytes);
    adc[1].y = c->destination / 16;
}

static struct sample choose(struct rig *r, tsr_arch arch)
{
    static const uint8_t pairs[][2] = {{0, 4},   {0, 5},   {0, 1}, {1, 1}, {5, 5},   {6, 6},
                                       {7, 7},   {15, 15}, {2, 2}, {3, 3}, {11, 11}, {9, 9},
                                       {10, 10}, {14, 14}, {0, 0}, {4, 4}, {8, 8}};
    struct sample c = {.unpacker = (int)(rig_random(r) % 2)};
    uint32_t pair = rig_random(r) % 17;
    c.to_dst = c.unpacker == 0 && (pair >= 14 || rig_random(r) % 3 == 0);
    if (!c.to_dst)
        pair %= 14;
    c.in = pairs[pair][0];
    c.out = pairs[pair][1];
    uint32_t size = bit_size(c.in);
    c.tileize = c.unpacker == 0 && size >= 8 && rig_random(r) % 4 == 0;
    c.transpose = c.unpacker == 0 && !c.to_dst && rig_random(r) % 4 == 0;
    c.forced = rig_random(r) % 2;
    c.zero = rig_random(r) % 8 == 0;
    c.exponent = (uint8_t)(rig_random(r) % 16 + 10);
    c.order = (uint8_t)(rig_random(r) % 8 & (arch == TSR_BLACKHOLE_A0 ? 7 : 4));
    // Sub-byte datums reach a multiple of 16 bytes only in steps of 64.
    c.x_dim = (c.transpose ? 64 : 16) * (1 + rig_random(r) % 12);
    c.y_dim = 1 + rig_random(r) % 2;
    c.y = rig_random(r) % c.y_dim;
    c.z = rig_random(r) % 4;
    c.digest = rig_random(r) % 3;
    c.base = 0x1000 + rig_random(r) % 64;
    c.offset = rig_random(r) % 64;
    c.stride = 16 * (1 + rig_random(r) % 40);
    c.x0 = c.tileize || c.transpose ? 0 : rig_random(r) % 64;
    c.datums = 1 + rig_random(r) % 256;
    uint32_t rows = c.to_dst ? 400 : arch == TSR_BLACKHOLE_A0 && c.unpacker == 0 ? 64 : 40;
    c.destination = (c.unpacker == 0 ? 64 : 0) + rig_random(r) % rows / 8 * 8 * 16;
    return c;
}

static void check_random(tsr_arch arch, const char *kernels)
{
    struct rig *r = rig_new(arch);
    r->env.kernels = tsr_kernels_select(kernels);
    rig_fill_l1(r, 0x10000, 0x10000);
    // Exponents of a-formats must stay within five bits after normalising.
    tsr_findings_policy(&r->findings, "unpack-block-exponent", TSR_ACTION_RECORD);
    for (int n = 0; n < 3000; n++) {
        struct sample c = choose(r, arch);
        configure(r, &c);
        r->state->unpacker[c.unpacker].src_row[0] = 0;
        uint32_t word = UNPACR | MULTI | (uint32_t)c.unpacker << 23 | (c.zero ? ZERO : 0);
        assert_true(rig_run(r, word));
        for (uint32_t i = 0; i < c.datums; i++)
            assert_int_equal(found(r, &c, i), expected(r, &c, i));
    }
    rig_free(r);
}

static void test_random_wormhole(void **state)
{
    (void)state;
    check_random(TSR_WORMHOLE_B0, "auto");
}

static void test_random_blackhole(void **state)
{
    (void)state;
    check_random(TSR_BLACKHOLE_A0, "auto");
}

static void test_random_reference(void **state)
{
    (void)state;
    check_random(TSR_BLACKHOLE_A0, "reference");
}

// ---------------------------------------------------------------- stories

static void test_written_columns(void **state)
{
    (void)state;
    struct rig *r = rig_new(TSR_WORMHOLE_B0);
    struct tsr_src_bank *bank = &r->state->src[0].bank[0];
    rig_fill_l1(r, 0x10000, 0x1000);
    rig_configure(r, 0, 5, 5, 256);
    r->state->adcs.channel[0][0][1].x = 19;
    memset(bank->tainted, 0xff, sizeof bank->tainted);
    tsr_findings_policy(&r->findings, "srca-burst", TSR_ACTION_RECORD);
    assert_true(rig_run(r, UNPACR | MULTI));
    assert_int_equal(bank->written[0], 0xffff);
    assert_int_equal(bank->written[1], 0x000f);
    assert_int_equal(bank->written[2], 0);
    assert_int_equal(bank->tainted[0], 0);
    assert_int_equal(bank->tainted[1], 0xfff0);
    assert_true(bank->filled);
    rig_free(r);
}

static void test_dst_validity(void **state)
{
    (void)state;
    struct rig *r = rig_new(TSR_WORMHOLE_B0);
    struct tsr_dst *dst = &r->state->dst;
    rig_fill_l1(r, 0x10000, 0x1000);
    rig_configure(r, 0, 8, 8, 256);
    SET(r, 0, REG2_Unpack_if_sel_cntx0, 1);
    rig_set(r, FIELD_SRCA_SET_SetOvrdWithAddr, 0);
    r->state->adcs.channel[0][0][1].x = 3;
    memset(dst->written, 0xff, sizeof dst->written);
    r->state->src[0].bank[0].written[7] = 0xffff;
    dst->valid[0] = false;
    dst->valid[8] = false;
    assert_true(rig_run(r, UNPACR | MULTI));
    assert_true(dst->valid[0]);
    assert_false(dst->valid[8]);
    // What an invalid row kept in its other columns is as good as never written.
    assert_int_equal(dst->written[0], 0x000f);
    assert_int_equal(dst->written[8], 0x000f);
    assert_int_equal(dst->written[1], 0xffff);
    // An unpack to Dst leaves SrcA's bank unpredictable.
    assert_int_equal(r->state->src[0].bank[0].written[7], 0);
    rig_free(r);
}

static void test_taint_follows_bytes(void **state)
{
    (void)state;
    for (int transpose = 0; transpose < 2; transpose++) {
        struct rig *r = rig_new(TSR_WORMHOLE_B0);
        rig_fill_l1(r, 0x10000, 0x1000);
        tsr_l1_mark(&r->state->l1, 0x10000 + 2 * 21, 2, true);
        rig_configure(r, 0, 5, 5, 256);
        SET(r, 0, REG2_Haloize_mode, (uint32_t)transpose);
        assert_true(rig_run(r, UNPACR | MULTI));
        const struct tsr_src_bank *bank = &r->state->src[0].bank[0];
        assert_int_equal(bank->tainted[1], transpose ? 0 : 1 << 5);
        assert_int_equal(bank->tainted[5], transpose ? 1 << 1 : 0);
        rig_free(r);
    }
}

// ---------------------------------------------------------------- banks

static void test_bank_life(void **state)
{
    (void)state;
    static const tsr_reason reasons[2] = {TSR_REASON_SRCA, TSR_REASON_SRCB};
    for (int arch = 0; arch < 2; arch++) {
        for (int unpacker = 0; unpacker < 2; unpacker++) {
            struct rig *r = rig_new((tsr_arch)arch);
            struct tsr_src *src = &r->state->src[unpacker];
            char text[200] = "";
            rig_fill_l1(r, 0x10000, 0x1000);
            rig_configure(r, unpacker, 5, 5, 256);
            uint32_t word = UNPACR | MULTI | FLIP | (uint32_t)unpacker << 23;
            for (int bank = 0; bank < 2; bank++) {
                rig_decode(r, word);
                assert_true(tsr_unpack_ops.accept(&r->env, &r->inst));
                assert_int_equal(tsr_unpack_ops.execute(&r->env, &r->inst), TSR_REASON_NONE);
                assert_int_equal(src->unpacker_bank, bank ^ 1);
                assert_false(src->bank[bank].matrix_owns);
                assert_true(r->inst.has_bank);
                tsr_unpack_ops.complete(&r->env, &r->inst);
                assert_true(src->bank[bank].matrix_owns);
                assert_int_equal(src->bank[bank].implied_format, arch == TSR_BLACKHOLE_A0 ? 5 : 0);
            }
            rig_decode(r, word);
            assert_true(tsr_unpack_ops.accept(&r->env, &r->inst));
            uint32_t before = src->bank[0].datum[0][0];
            rig_fill_l1(r, 0x10000, 0x1000);
            assert_int_equal(tsr_unpack_ops.execute(&r->env, &r->inst), reasons[unpacker]);
            assert_int_equal(src->bank[0].datum[0][0], before);
            tsr_unpack_ops.explain(&r->env, &r->inst, text, sizeof text);
            assert_non_null(strstr(text, unpacker ? "SrcB bank 0" : "SrcA bank 0"));
            src->bank[0].matrix_owns = false;
            assert_int_equal(tsr_unpack_ops.execute(&r->env, &r->inst), TSR_REASON_NONE);
            assert_int_not_equal(src->bank[0].datum[0][0], before);
            rig_free(r);
        }
    }
}

// Configuration and counters belong to acceptance, data to execution.
static void test_sampling(void **state)
{
    (void)state;
    struct rig *r = rig_new(TSR_WORMHOLE_B0);
    rig_fill_l1(r, 0x10000, 0x4000);
    rig_configure(r, 1, 5, 5, 256);
    rig_decode(r, UNPACR | MULTI | ONE | 1 << 15);
    assert_true(tsr_unpack_ops.accept(&r->env, &r->inst));
    assert_int_equal(r->state->adcs.channel[0][1][0].z, 1);
    SET(r, 1, REG3_Base_address, 0x10ff);
    SET(r, 1, REG0_TileDescriptor_InDataFormat, 0);
    uint8_t one[2] = {0x80, 0x3f};
    tsr_l1_put(&r->state->l1, 0x10000, one, 2, false);
    assert_int_equal(tsr_unpack_ops.execute(&r->env, &r->inst), TSR_REASON_NONE);
    assert_int_equal(r->state->src[1].bank[0].datum[0][0], 0x3f80 << 3);
    rig_free(r);
}

static void test_src_row(void **state)
{
    (void)state;
    struct rig *r = rig_new(TSR_WORMHOLE_B0);
    rig_fill_l1(r, 0x10000, 0x1000);
    rig_configure(r, 0, 5, 5, 256);
    rig_set(r, FIELD_SRCA_SET_SetOvrdWithAddr, 0);
    rig_set(r, FIELD_SRCA_SET_Base, 1);
    SET(r, 0, REG2_Unpack_Src_Reg_Set_Upd, 1);
    assert_true(rig_run(r, UNPACR | MULTI));
    assert_true(rig_found(r, "legacy-mode"));
    assert_int_equal(r->state->unpacker[0].src_row[0], 32);
    assert_true(rig_run(r, UNPACR | MULTI));
    assert_int_equal(r->state->src[0].bank[0].written[31], 0);
    assert_int_equal(r->state->src[0].bank[0].written[32], 0xffff);
    assert_int_equal(r->state->src[0].bank[0].written[48], 0);
    assert_int_equal(r->state->unpacker[0].src_row[0], 0);
    assert_true(rig_run(r, UNPACR | MULTI | FLIP));
    assert_int_equal(r->state->unpacker[0].src_row[0], 16);
    assert_int_equal(r->state->unpacker[0].src_row[1], 0);
    rig_free(r);
}

// ---------------------------------------------------------------- contexts and counters

static void test_contexts(void **state)
{
    (void)state;
    struct rig *r = rig_new(TSR_WORMHOLE_B0);
    rig_fill_l1(r, 0x10000, 0x8000);
    rig_configure(r, 0, 5, 5, 256);
    rig_set(r, FIELD_THCON_SEC0_REG3_Base_cntx3_address, 0x1200);
    rig_set(r, FIELD_THCON_SEC0_REG7_Offset_cntx3_address, 0xff);
    rig_set(r, FIELD_THCON_SEC0_REG5_Tile_x_dim_cntx3, 256);
    rig_set(r, FIELD_THCON_SEC0_REG5_Dest_cntx3_address, 64 + 256);
    rig_set(r, FIELD_THCON_SEC0_REG2_Disable_zero_compress_cntx3, 1);
    SET(r, 0, REG2_Ovrd_data_format, 1);
    rig_set(r, FIELD_THCON_SEC0_REG7_Unpack_data_format_cntx3, 9);
    rig_set(r, FIELD_THCON_SEC0_REG7_Unpack_out_data_format_cntx3, 9);
    rig_set(r, FIELD_UNPACK_MISC_CFG_CfgContextOffset_0, 1);
    assert_true(rig_run(r, UNPACR | MULTI | 2 << 10));
    assert_true(rig_found(r, "legacy-mode"));
    const uint8_t *l1 = r->state->l1.bytes + 0x13000;
    uint32_t raw = l1[0] | (uint32_t)l1[1] << 8;
    uint32_t datum = (raw & 0x8000) << 3 | (raw & 0xff) << 10 | (raw >> 8 & 0x7f) << 3;
    assert_int_equal(r->state->src[0].bank[0].datum[16][0], datum);

    // The counter: starts at the offset, steps, and begins again at 1 << Context_count.
    rig_set(r, FIELD_UNPACK_MISC_CFG_CfgContextOffset_0, 0);
    SET(r, 0, REG2_Context_count, 1);
    SET(r, 0, REG2_Ovrd_data_format, 0);
    rig_set(r, FIELD_THCON_SEC0_REG3_Base_cntx1_address, 0x0fff);
    rig_set(r, FIELD_THCON_SEC0_REG5_Dest_cntx1_address, 64);
    assert_true(rig_run(r, UNPACR | MULTI | 1 << 3));
    assert_int_equal(r->state->unpacker[0].context_counter[0], 1);
    assert_true(rig_run(r, UNPACR | MULTI | 1 << 3));
    assert_int_equal(r->state->unpacker[0].context_counter[0], 0);
    assert_true(rig_run(r, UNPACR | 1 << 13));
    assert_int_equal(r->state->unpacker[0].context_counter[0], 1);
    assert_true(rig_run(r, UNPACR | 1 << 1));
    assert_int_equal(r->state->unpacker[0].context_counter[0], 1);
    rig_free(r);
}

static void test_single_context(void **state)
{
    (void)state;
    struct rig *r = rig_new(TSR_BLACKHOLE_A0);
    rig_fill_l1(r, 0x10000, 0x1000);
    rig_configure(r, 0, 5, 5, 256);
    rig_set(r, FIELD_UNPACK_MISC_CFG_CfgContextOffset_0, 3);
    SET(r, 0, REG0_TileDescriptor_IsUncompressed, 1);
    SET(r, 0, REG2_Unpack_if_sel_cntx0, 1); // belongs to the other mode
    rig_set(r, FIELD_UNP0_ADDR_BASE_REG_1_Base, 2 * (64 + 32));
    tsr_findings_policy(&r->findings, "srca-burst", TSR_ACTION_RECORD);
    assert_true(rig_run(r, UNPACR));
    assert_true(rig_found(r, "legacy-mode"));
    assert_int_equal(r->state->src[0].bank[0].written[1], 0);
    assert_int_equal(r->state->src[0].bank[0].written[2], 0xffff);
    rig_free(r);
}

static void test_increments(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        struct rig *r = rig_new((tsr_arch)arch);
        rig_fill_l1(r, 0x10000, 0x1000);
        rig_configure(r, 1, 5, 5, 16);
        tsr_adc_channel *own = r->state->adcs.channel[0][1];
        tsr_adc_channel *other = r->state->adcs.channel[2][1];
        own[0].z = 0; // read by the input side
        own[1].z = arch == TSR_WORMHOLE_B0 ? 255 : 8191;
        own[1].y = 8190;
        other[1].x = 15;
        // Channel 1: Y by 3, Z by 1; channel 0: Y by 2, Z by 1; counters of thread 2 as well.
        uint32_t step = 3u << 21 | 1u << 19 | 2u << 17 | 1u << 15;
        assert_true(rig_run(r, UNPACR | MULTI | ONE | step | 2 << 8));
        assert_int_equal(own[0].z, 1);
        assert_int_equal(own[0].y, 2);
        assert_int_equal(own[1].z, 0);
        assert_int_equal(own[1].y, 1);
        assert_int_equal(other[0].z, 1);
        assert_int_equal(other[1].y, 3);
        assert_int_equal(r->state->adcs.channel[1][1][0].z, 0);
        rig_free(r);
    }
}

static void test_destination_added(void **state)
{
    (void)state;
    struct rig *r = rig_new(TSR_WORMHOLE_B0);
    rig_fill_l1(r, 0x10000, 0x1000);
    rig_configure(r, 0, 5, 5, 16);
    rig_set(r, FIELD_UNP0_ADDR_CTRL_ZW_REG_1_Zstride, 0x200);
    r->state->adcs.channel[0][0][1].z = 2;
    assert_true(rig_run(r, UNPACR | MULTI));
    assert_int_equal(r->state->src[0].bank[0].written[0], 0xffff);
    rig_set(r, FIELD_UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, 1);
    assert_true(rig_run(r, UNPACR | MULTI));
    assert_int_equal(r->state->src[0].bank[0].written[32], 0xffff);
    rig_free(r);
}

// ---------------------------------------------------------------- wrap, plans, costs

static void test_fifo_wrap(void **state)
{
    (void)state;
    struct rig *r = rig_new(TSR_WORMHOLE_B0);
    rig_fill_l1(r, 0x10000, 0x1000);
    rig_configure(r, 1, 5, 5, 64);
    // Rows of 32 bytes from 0x10000; what begins beyond 0x10020 lies 0x40 bytes lower.
    SET(r, 1, REG2_Unpack_limit_address, 0x1002);
    SET(r, 1, REG2_Unpack_fifo_size, 4);
    assert_true(rig_run(r, UNPACR | MULTI | ONE));
    static const uint32_t rows[4] = {0x10000, 0x10020, 0x10000, 0x10020};
    for (int row = 0; row < 4; row++) {
        uint32_t raw = tsr_l1_word(&r->state->l1, rows[row]) & 0xffff;
        assert_int_equal(r->state->src[1].bank[0].datum[row][0], raw << 3);
    }
    rig_free(r);
}

// Exponents wrap where a line of 16 bytes ends, not within it.
static void test_exponent_wrap(void **state)
{
    (void)state;
    struct rig *r = rig_new(TSR_WORMHOLE_B0);
    const uint8_t *l1 = r->state->l1.bytes;
    tsr_unpack_mode mode = {.in_format = 6, .out_format = 6};
    rig_fill_l1(r, 0xff00, 0x1000);
    rig_configure(r, 1, 6, 6, 512);
    SET(r, 1, REG0_TileDescriptor_ZDim, 1);
    SET(r, 1, REG2_Unpack_limit_address, 0x1000);
    SET(r, 1, REG2_Unpack_fifo_size, 2);
    assert_true(rig_run(r, UNPACR | MULTI | ONE));
    for (uint32_t row = 0; row < 32; row++) {
        uint8_t exponent = row < 16 ? l1[0x10000 + row] : l1[0xfff0 + row - 16];
        uint32_t value, data = row % 2 == 0 ? 0x10000 : 0xfff0;
        assert_int_equal(tsr_unpack_datum(&mode, l1[data + 3], exponent, &value), TSR_OK);
        assert_int_equal(r->state->src[1].bank[0].datum[row][3], value);
    }
    rig_free(r);
}

static void test_plans(void **state)
{
    (void)state;
    struct rig *r = rig_new(TSR_WORMHOLE_B0);
    rig_fill_l1(r, 0x10000, 0x4000);
    rig_configure(r, 1, 5, 5, 256);
    for (uint32_t i = 0; i < 4; i++) {
        SET(r, 1, REG3_Base_address, 0x0fff + 32 * i);
        assert_true(rig_run(r, UNPACR | MULTI | ONE));
    }
    assert_int_equal(r->env.plans_made, 1);
    assert_int_equal(r->env.plans_reused, 3);
    SET(r, 1, REG2_Out_data_format, 4);
    SET(r, 1, REG0_TileDescriptor_InDataFormat, 0);
    assert_true(rig_run(r, UNPACR | MULTI | ONE));
    assert_int_equal(r->env.plans_made, 2);
    rig_set(r, FIELD_ALU_FORMAT_SPEC_REG0_SrcBUnsigned, 1);
    SET(r, 1, REG2_Out_data_format, 14);
    SET(r, 1, REG0_TileDescriptor_InDataFormat, 14);
    uint8_t byte = 0x85;
    tsr_l1_put(&r->state->l1, 0x10600, &byte, 1, false);
    assert_true(rig_run(r, UNPACR | MULTI | ONE));
    assert_int_equal(r->state->src[1].bank[0].datum[0][0], 0x04085);
    rig_set(r, FIELD_ALU_FORMAT_SPEC_REG0_SrcBUnsigned, 0);
    assert_true(rig_run(r, UNPACR | MULTI | ONE));
    assert_int_equal(r->state->src[1].bank[0].datum[0][0], 0x44005);
    rig_free(r);
}

static void test_costs(void **state)
{
    (void)state;
    struct rig *r = rig_new(TSR_WORMHOLE_B0);
    rig_fill_l1(r, 0x10000, 0x1000);
    rig_configure(r, 0, 5, 5, 256);
    static const uint32_t cycles[3] = {32, 16, 8};
    r->env.timing = true;
    for (uint32_t mode = 0; mode < 3; mode++) {
        SET(r, 0, REG2_Throttle_mode, mode);
        assert_true(rig_run(r, UNPACR | MULTI));
        assert_int_equal(r->inst.address, 2);
        assert_int_equal(r->inst.hold, 2);
        assert_int_equal(r->inst.duration, cycles[mode]);
    }
    SET(r, 0, REG0_TileDescriptor_InDataFormat, 15);
    SET(r, 0, REG2_Out_data_format, 15);
    SET(r, 0, REG2_Force_shared_exp, 1);
    assert_true(rig_run(r, UNPACR | MULTI));
    assert_int_equal(r->inst.duration, 4); // 64 bytes at x1
    rig_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_wormhole),
        cmocka_unit_test(test_random_blackhole),
        cmocka_unit_test(test_random_reference),
        cmocka_unit_test(test_written_columns),
        cmocka_unit_test(test_dst_validity),
        cmocka_unit_test(test_taint_follows_bytes),
        cmocka_unit_test(test_bank_life),
        cmocka_unit_test(test_sampling),
        cmocka_unit_test(test_src_row),
        cmocka_unit_test(test_contexts),
        cmocka_unit_test(test_single_context),
        cmocka_unit_test(test_increments),
        cmocka_unit_test(test_destination_added),
        cmocka_unit_test(test_fifo_wrap),
        cmocka_unit_test(test_exponent_wrap),
        cmocka_unit_test(test_plans),
        cmocka_unit_test(test_costs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
