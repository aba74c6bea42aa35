// SPDX-License-Identifier: Apache-2.0
// Compressed input of UNPACR: addresses and counts worked out by hand from UNPACR_Regular.md and
// Packers/Compression.md, the shadow state of every byte, anomalies, costs; then random sparse
// tiles that are compressed and must come back, in all formats that can be compressed.
#include "rig/unpack_rig.h"

#include "rig/compress_tile.h"
#include "rig/dst_order.h"

#include <stdio.h>

enum {
    TILE = 0x10000
}; // where row starts lie: the base address of rig_configure() and one more line

static void put_bytes(struct rig *r, uint32_t address, const void *bytes, size_t size)
{
    tsr_l1_put(&r->state->l1, address, bytes, size, false);
}

static void put_halves(struct rig *r, uint32_t address, const uint16_t *halves, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint8_t bytes[2] = {(uint8_t)halves[i], (uint8_t)(halves[i] >> 8)};
        put_bytes(r, address + 2 * i, bytes, 2);
    }
}

#define HALVES(r, address, ...)                                                                    \
    put_halves(r, address, (const uint16_t[]){__VA_ARGS__},                                        \
               sizeof((const uint16_t[]){__VA_ARGS__}) / 2)
#define BYTES(r, address, ...)                                                                     \
    put_bytes(r, address, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void set_x(struct rig *r, int unpacker, uint32_t first, uint32_t last)
{
    r->state->adcs.channel[0][unpacker][0].x = first;
    r->state->adcs.channel[0][unpacker][1].x = last;
}

// BF16 into SrcB, rows of `columns` datums.
static struct rig *bf16_rig(tsr_arch arch, uint32_t columns, uint32_t rows)
{
    struct rig *r = rig_new(arch);
    rig_configure(r, 1, 5, 5, columns);
    SET(r, 1, REG0_TileDescriptor_YDim, rows);
    SET(r, 1, REG0_TileDescriptor_ZDim, 1);
    SET(r, 1, REG2_Disable_zero_compress_cntx0, 0);
    return r;
}

static uint32_t srcb(const struct rig *r, uint32_t datum)
{
    return r->state->src[1].bank[0].datum[datum / 16][datum % 16];
}

static void assert_bf16(const struct rig *r, const uint16_t *want, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(srcb(r, i), (uint32_t)want[i] << 3);
    uint16_t columns = (uint16_t)(count % 16 ? (1u << count % 16) - 1 : 0);
    assert_int_equal(r->state->src[1].bank[0].written[count / 16], columns);
}

#define WANT(r, ...)                                                                               \
    assert_bf16(r, (const uint16_t[]){__VA_ARGS__}, sizeof((const uint16_t[]){__VA_ARGS__}) / 2)

// ---------------------------------------------------------------- by hand

// Two rows of eight. Row starts need (2 + 1) * 2 bytes, so a line of 16; the first group of 32
// datums of two bytes begins after it, its deltas 64 bytes later, low nibble first.
static void write_two_rows(struct rig *r)
{
    HALVES(r, TILE, 0, 3, 5);
    HALVES(r, TILE + 16, 0x3f80, 0x4000, 0x4040, 0x4080, 0x40a0);
    BYTES(r, TILE + 80, 0x02, 0x63, 0x00); // 2, 0, 3; 6, 0
}

static void test_rows(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        struct rig *r = bf16_rig((tsr_arch)arch, 8, 2);
        write_two_rows(r);
        assert_true(rig_run(r, UNPACR | MULTI | ONE));
        assert_true(rig_found(r, "legacy-mode"));
        WANT(r, 0x3f80, 0, 0, 0x4000, 0x4040, 0, 0, 0);
        memset(r->state->src[1].bank[0].written, 0, 128);
        r->state->adcs.channel[0][1][0].y = 0x101; // eight bits count
        assert_true(rig_run(r, UNPACR | MULTI | ONE));
        WANT(r, 0x4080, 0, 0, 0, 0, 0, 0, 0x40a0);
        rig_free(r);
    }
}

// With other X positions datums are counted: a seek may begin among zeroes, end among them, and run
// into the next row, whose start it never asks for.
static void test_seek(void **state)
{
    (void)state;
    static const uint16_t rows[16] = {0x3f80, 0, 0, 0x4000, 0x4040, 0, 0, 0,
                                      0x4080, 0, 0, 0,      0,      0, 0, 0x40a0};
    for (uint32_t first = 0; first < 16; first++)
        for (uint32_t end = first; end <= 16; end++) {
            struct rig *r = bf16_rig(TSR_WORMHOLE_B0, 8, 2);
            write_two_rows(r);
            set_x(r, 1, first, end - 1);
            assert_true(rig_run(r, UNPACR | MULTI | ONE));
            assert_bf16(r, rows + first, end - first);
            rig_free(r);
        }
}

// RowSearch: from the row of Y to the end of the row of X, eight bits of each.
static void test_row_search(void **state)
{
    (void)state;
    struct rig *r = bf16_rig(TSR_BLACKHOLE_A0, 8, 2);
    write_two_rows(r);
    set_x(r, 1, 0x301, 2);
    assert_true(rig_run(r, UNPACR | MULTI | ONE | 1 << 2));
    WANT(r, 0x3f80, 0, 0, 0x4000, 0x4040, 0, 0, 0, 0x4080, 0, 0, 0, 0, 0, 0, 0x40a0);
    rig_free(r);
}

// Row starts of a tile with Z and W: entry (W * ZDim + Z) * YDim + Y. 3 * 2 * 2 rows need 26 bytes,
// so two lines.
static void test_planes(void **state)
{
    (void)state;
    struct rig *r = bf16_rig(TSR_WORMHOLE_B0, 8, 3);
    SET(r, 1, REG0_TileDescriptor_ZDim, 2);
    SET(r, 1, REG0_TileDescriptor_WDim, 2);
    HALVES(r, TILE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 8, 0);
    HALVES(r, TILE + 32, 0, 0, 0, 0, 0, 0x3f80, 0x4000, 0x4040);
    BYTES(r, TILE + 96, 0, 0, 0x10, 0x30);
    tsr_adc_channel *adc = r->state->adcs.channel[0][1];
    adc[0].w = 1;
    adc[0].z = 1;
    adc[0].y = 1;
    assert_true(rig_run(r, UNPACR | MULTI | ONE));
    WANT(r, 0x3f80, 0, 0x4000, 0x4040, 0, 0, 0);
    rig_free(r);
}

// Blobs: BlobsPerXYPlane entries a plane in the section of row starts; with RowSearch they are also
// what a plane has in place of YDim, without it YDim stays.
static void test_blobs(void **state)
{
    (void)state;
    for (uint32_t search = 0; search < 2; search++) {
        struct rig *r = bf16_rig(TSR_WORMHOLE_B0, 8, 4);
        SET(r, 1, REG0_TileDescriptor_ZDim, 4);
        SET(r, 1, REG0_TileDescriptor_BlobsPerXYPlane, 2);
        // (2 * 4 + 1) * 2 bytes: two lines. Entries 3 and 4, or 5 and 6.
        HALVES(r, TILE, 9, 9, 9, 0, 2, 2, 3, 9, 9);
        HALVES(r, TILE + 32, 0x3f80, 0x4000, 0x4040);
        BYTES(r, TILE + 96, 0x10, 0x02);
        tsr_adc_channel *adc = r->state->adcs.channel[0][1];
        adc[0].z = 1;
        adc[0].y = 1;
        adc[0].x = search; // end entry: blob 1 + 1
        assert_true(rig_run(r, UNPACR | MULTI | ONE | search << 2));
        if (search)
            WANT(r, 0x3f80, 0x4000, 0);
        else
            WANT(r, 0x4040, 0, 0);
        rig_free(r);
    }
}

// A row from datum 30 on ends in the second group, 80 bytes after the first.
static void test_groups(void **state)
{
    (void)state;
    struct rig *r = bf16_rig(TSR_WORMHOLE_B0, 8, 1);
    HALVES(r, TILE, 30, 34);
    HALVES(r, TILE + 16 + 60, 0x3f80, 0x4000);
    BYTES(r, TILE + 80 + 15, 0x21);
    HALVES(r, TILE + 96, 0x4040, 0x4080);
    BYTES(r, TILE + 160, 0x10);
    assert_true(rig_run(r, UNPACR | MULTI | ONE));
    WANT(r, 0x3f80, 0, 0x4000, 0, 0, 0x4040, 0x4080, 0);
    rig_free(r);
}

// Exponents lie between row starts and datums, one for every 16 datums that are there: datums 15
// and 16 of a row that begins with datum 15 have the first and the second.
static void test_exponents(void **state)
{
    (void)state;
    struct rig *r = rig_new(TSR_WORMHOLE_B0);
    rig_configure(r, 1, 6, 6, 32);
    SET(r, 1, REG0_TileDescriptor_YDim, 10);
    SET(r, 1, REG0_TileDescriptor_ZDim, 1);
    SET(r, 1, REG2_Disable_zero_compress_cntx0, 0);
    r->state->adcs.channel[0][1][0].y = 9;
    // 11 row starts: 32 bytes. 320 datums: 20 exponents, 32 bytes. Datums from 64 on, then deltas.
    HALVES(r, TILE + 18, 15, 17);
    BYTES(r, TILE + 32, 127, 128);
    BYTES(r, TILE + 64 + 15, 0x40, 0xc0);
    BYTES(r, TILE + 64 + 32 + 7, 0x10, 0x00);
    assert_true(rig_run(r, UNPACR | MULTI | ONE));
    assert_int_equal(srcb(r, 0), 127 << 10);
    assert_int_equal(srcb(r, 1), 0);
    assert_int_equal(srcb(r, 2), 1 << 18 | 128 << 10);
    assert_int_equal(r->state->src[1].bank[0].written[0], 7);
    rig_free(r);
}

// What begins beyond the limit lies a FIFO's size lower: the datums when sixteen have been read,
// the deltas when a group ends. Row starts never wrap.
static void test_wrap(void **state)
{
    (void)state;
    struct rig *r = bf16_rig(TSR_WORMHOLE_B0, 33, 1);
    SET(r, 1, REG2_Unpack_limit_address, (TILE + 16 + 80) / 16 - 1);
    SET(r, 1, REG2_Unpack_fifo_size, 0x10);
    HALVES(r, TILE, 0, 33);
    rig_fill_l1(r, TILE + 16, 64);
    BYTES(r, TILE + 80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    // The datums reach TILE + 80 while datum 31 is read, skip the deltas to TILE + 96, and are not
    // compared with the limit before datum 47. The deltas go on from 160 to 160 - 256.
    HALVES(r, TILE + 96, 0x3f80);
    BYTES(r, TILE + 160 - 256, 2);
    assert_true(rig_run(r, UNPACR | MULTI | ONE));
    assert_int_equal(srcb(r, 32), 0x3f80 << 3);
    assert_int_equal(r->state->src[1].bank[0].written[2], 7);
    rig_free(r);
}

// AllDatumsAreZero: the row's datums without what they carry.
static void test_zero(void **state)
{
    (void)state;
    struct rig *r = bf16_rig(TSR_WORMHOLE_B0, 8, 2);
    write_two_rows(r);
    assert_true(rig_run(r, UNPACR | MULTI | ONE | ZERO));
    WANT(r, 0, 0, 0);
    set_x(r, 1, 1, 6);
    assert_true(rig_run(r, UNPACR | MULTI | ONE | ZERO));
    WANT(r, 0, 0, 0, 0, 0, 0);
    rig_free(r);
}

// The counters are sampled when the instruction is accepted, row starts and deltas when it moves.
static void test_sampling(void **state)
{
    (void)state;
    struct rig *r = bf16_rig(TSR_WORMHOLE_B0, 8, 2);
    rig_decode(r, UNPACR | MULTI | ONE | 1 << 17); // Y by one
    assert_true(tsr_unpack_ops.accept(&r->env, &r->inst));
    assert_int_equal(r->state->adcs.channel[0][1][0].y, 1);
    write_two_rows(r);
    set_x(r, 1, 5, 6);
    assert_int_equal(tsr_unpack_ops.execute(&r->env, &r->inst), TSR_REASON_NONE);
    WANT(r, 0x3f80, 0, 0, 0x4000, 0x4040, 0, 0, 0);
    rig_free(r);
}

// Unpacker 0 by context: transposed to SrcA, and to Dst.
static void test_targets(void **state)
{
    (void)state;
    struct rig *r = rig_new(TSR_WORMHOLE_B0);
    rig_configure(r, 0, 5, 5, 8);
    SET(r, 0, REG0_TileDescriptor_YDim, 2);
    SET(r, 0, REG0_TileDescriptor_ZDim, 1);
    rig_set(r, FIELD_UNPACK_MISC_CFG_CfgContextOffset_0, 3);
    rig_set(r, FIELD_THCON_SEC0_REG2_Disable_zero_compress_cntx3, 0);
    rig_set(r, FIELD_THCON_SEC0_REG3_Base_cntx3_address, 0x0fff);
    rig_set(r, FIELD_THCON_SEC0_REG5_Tile_x_dim_cntx3, 8);
    rig_set(r, FIELD_THCON_SEC0_REG5_Dest_cntx3_address, 64 + 32);
    SET(r, 0, REG2_Haloize_mode, 1);
    write_two_rows(r);
    assert_true(rig_run(r, UNPACR | MULTI));
    const struct tsr_src_bank *bank = &r->state->src[0].bank[0];
    assert_int_equal(bank->datum[0][2], 0x3f80 << 3);
    assert_int_equal(bank->datum[3][2], 0x4000 << 3);
    assert_int_equal(bank->written[7], 1 << 2);
    assert_int_equal(bank->written[8], 0);

    SET(r, 0, REG2_Haloize_mode, 0);
    rig_set(r, FIELD_THCON_SEC0_REG2_Unpack_if_sel_cntx3, 1);
    rig_set(r, FIELD_SRCA_SET_SetOvrdWithAddr, 0);
    assert_true(rig_run(r, UNPACR | MULTI));
    assert_int_equal(r->state->dst.written[2], 0xff);
    assert_int_equal(r->state->dst.bits[2][3], 0x0080); // 0x4000: mantissa 0, exponent 0x80
    rig_free(r);
}

// ---------------------------------------------------------------- stories

static uint16_t tainted_by(uint32_t address, uint32_t bits)
{
    struct rig *r = bf16_rig(TSR_WORMHOLE_B0, 8, 2);
    write_two_rows(r);
    tsr_l1_mark(&r->state->l1, address, 1, true);
    r->state->src[1].bank[0].tainted[0] = 0;
    if (bits & 1)
        set_x(r, 1, 2, 5);
    assert_true(rig_run(r, UNPACR | MULTI | ONE | (bits & 2 ? ZERO : 0)));
    uint16_t tainted = r->state->src[1].bank[0].tainted[0];
    rig_free(r);
    return tainted;
}

// Row 0 is 3f80 0 0 4000 4040 0 0 0. A tainted datum taints itself; a delta, which moves all that
// comes later, everything after its datum; a row start everything.
static void test_taint(void **state)
{
    (void)state;
    assert_int_equal(tainted_by(TILE + 16, 0), 0x01);
    assert_int_equal(tainted_by(TILE + 18, 0), 0x08);
    assert_int_equal(tainted_by(TILE + 22, 0), 0); // row 1
    assert_int_equal(tainted_by(TILE + 80, 0), 0xfe);
    assert_int_equal(tainted_by(TILE + 81, 0), 0xe0);
    assert_int_equal(tainted_by(TILE, 0), 0xff);
    assert_int_equal(tainted_by(TILE + 3, 0), 0xff);
    assert_int_equal(tainted_by(TILE + 4, 0), 0);
    // A seek for positions 2 to 5 (0 4000 4040 0) reads no row's end, and drops the first datum.
    assert_int_equal(tainted_by(TILE + 1, 1), 0x0f);
    assert_int_equal(tainted_by(TILE + 2, 1), 0);
    assert_int_equal(tainted_by(TILE + 16, 1), 0);
    assert_int_equal(tainted_by(TILE + 80, 1), 0x0f);
    assert_int_equal(tainted_by(TILE + 81, 1), 0x08);
    // Zeroes need a row's length and nothing else; those of a seek need nothing.
    assert_int_equal(tainted_by(TILE + 2, 2), 0x07);
    assert_int_equal(tainted_by(TILE + 16, 2), 0);
    assert_int_equal(tainted_by(TILE + 80, 2), 0);
    assert_int_equal(tainted_by(TILE, 3), 0);
}

static void test_tainted_exponent(void **state)
{
    (void)state;
    struct rig *r = rig_new(TSR_WORMHOLE_B0);
    rig_configure(r, 1, 6, 6, 32);
    SET(r, 1, REG0_TileDescriptor_ZDim, 1);
    SET(r, 1, REG2_Disable_zero_compress_cntx0, 0);
    HALVES(r, TILE, 0, 20);
    uint8_t rest[80] = {127, 128};
    put_bytes(r, TILE + 16, rest, sizeof rest);
    tsr_l1_mark(&r->state->l1, TILE + 17, 1, true);
    assert_true(rig_run(r, UNPACR | MULTI | ONE));
    assert_int_equal(r->state->src[1].bank[0].tainted[0], 0);
    assert_int_equal(r->state->src[1].bank[0].tainted[1], 0x000f);
    rig_free(r);
}

// The same for bytes that nobody wrote, if the policy is to go on until they are used.
static void test_unwritten(void **state)
{
    (void)state;
    static const struct {
        uint32_t address, bits;
        uint16_t tainted;
    } holes[] = {{TILE, 0, 0xff},      {TILE + 2, 0, 0xff},    {TILE + 16, 0, 0x01},
                 {TILE + 81, 0, 0xe0}, {TILE + 2, ZERO, 0x07}, {TILE + 16, ZERO, 0}};
    for (size_t i = 0; i < sizeof holes / sizeof *holes; i++) {
        struct rig *r = bf16_rig(TSR_WORMHOLE_B0, 8, 2);
        char address[16];
        write_two_rows(r);
        uint16_t *written = &r->state->l1.written[holes[i].address / 16];
        *written &= (uint16_t) ~(1u << holes[i].address % 16);
        bool matters = holes[i].tainted != 0;
        uint32_t word = UNPACR | MULTI | ONE | holes[i].bits;
        assert_int_equal(rig_run(r, word), !matters);
        assert_int_equal(rig_found(r, "uninitialised-l1"), matters);
        snprintf(address, sizeof address, "0x%x.", holes[i].address);
        if (matters)
            assert_non_null(strstr(r->findings.kept[r->findings.count - 1].sentence, address));
        tsr_findings_policy(&r->findings, "uninitialised-l1", TSR_ACTION_USE);
        r->findings.stopped = false;
        assert_true(rig_run(r, word));
        assert_int_equal(r->state->src[1].bank[0].tainted[0], holes[i].tainted);
        rig_free(r);
    }
}

// ---------------------------------------------------------------- nonsense, costs

static void test_backward_row(void **state)
{
    (void)state;
    struct rig *r = bf16_rig(TSR_WORMHOLE_B0, 8, 2);
    write_two_rows(r);
    HALVES(r, TILE, 3, 0);
    assert_false(rig_run(r, UNPACR | MULTI | ONE));
    const tsr_diagnostic *found = &r->findings.kept[r->findings.count - 1];
    assert_string_equal(found->code, "unpack-row-starts");
    assert_non_null(strstr(found->sentence, "from 3 to before 0"));
    tsr_findings_profile(&r->findings, TSR_PROFILE_CONFORMANCE);
    r->findings.stopped = false;
    assert_true(rig_run(r, UNPACR | MULTI | ONE));
    assert_int_equal(r->state->src[1].bank[0].written[0], 0);
    rig_free(r);
}

// Which fields a finding cites: those of the instruction's own context.
static void test_cited(void **state)
{
    (void)state;
    for (uint32_t multi = 0; multi < 2; multi++) {
        struct rig *r = bf16_rig(TSR_WORMHOLE_B0, 8, 2);
        write_two_rows(r);
        rig_set(r, FIELD_UNPACK_MISC_CFG_CfgContextOffset_1, 1);
        SET(r, 1, REG2_Disable_zero_compress_cntx1, 0);
        SET(r, 1, REG3_Base_cntx1_address, 0x0fff);
        tsr_findings_policy(&r->findings, "legacy-mode", TSR_ACTION_STOP);
        assert_false(rig_run(r, UNPACR | ONE | (multi ? MULTI : 0)));
        const tsr_diagnostic *found = &r->findings.kept[0];
        assert_non_null(strstr(found->sentence, "compressed"));
        assert_string_equal(found->fields[0].name,
                            multi ? "THCON_SEC1_REG2_Disable_zero_compress_cntx1"
                                  : "THCON_SEC1_REG0_TileDescriptor.IsUncompressed");
        rig_free(r);
    }
}

// Two bits a datum have no layout on the page; 32 of them are half a line, and the model's
// arithmetic goes on from there.
static void test_two_bits(void **state)
{
    (void)state;
    struct rig *r = rig_new(TSR_WORMHOLE_B0);
    rig_configure(r, 1, 15, 15, 4);
    SET(r, 1, REG0_TileDescriptor_ZDim, 1);
    SET(r, 1, REG2_Force_shared_exp, 1);
    rig_set(r, FIELD_UNP1_FORCED_SHARED_EXP_shared_exp, 127);
    SET(r, 1, REG2_Disable_zero_compress_cntx0, 0);
    HALVES(r, TILE, 0, 2);
    BYTES(r, TILE + 16, 0x0d); // 1 (+1.0), 3 (-1.0)
    BYTES(r, TILE + 24, 0x12); // 2, 1
    assert_true(rig_run(r, UNPACR | MULTI | ONE));
    assert_true(rig_found(r, "undocumented-mode"));
    assert_int_equal(srcb(r, 0), 127 << 10);
    assert_int_equal(srcb(r, 1), 0);
    assert_int_equal(srcb(r, 3), 1 << 18 | 127 << 10);
    assert_int_equal(r->state->src[1].bank[0].written[0], 0x1f);
    rig_free(r);
}

// Whatever L1 and the counters hold, it ends and stays within its storages.
static void test_garbage(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        struct rig *r = rig_new((tsr_arch)arch);
        tsr_findings_profile(&r->findings, TSR_PROFILE_CONFORMANCE);
        rig_fill_l1(r, 0, r->state->l1.size);
        static const uint8_t formats[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15, 12};
        for (int n = 0; n < 150; n++) {
            int unpacker = n % 2;
            rig_configure(r, unpacker, formats[n % 15], formats[n % 15], rig_random(r) % 600);
            SET(r, unpacker, REG2_Disable_zero_compress_cntx0, 0);
            SET(r, unpacker, REG3_Base_address, rig_random(r) % 0x18000);
            SET(r, unpacker, REG2_Unpack_limit_address, rig_random(r) & 0x1ffff);
            SET(r, unpacker, REG2_Unpack_fifo_size, rig_random(r) & 0x1ffff);
            SET(r, unpacker, REG2_Upsample_rate, rig_random(r) % 4);
            SET(r, unpacker, REG2_Tileize_mode, n % 7 == 0);
            SET(r, unpacker, REG0_TileDescriptor_YDim, rig_random(r) & 255);
            if (unpacker == 0)
                SET(r, 0, REG2_Unpack_if_sel_cntx0, n / 2 % 2);
            tsr_adc_channel *adc = r->state->adcs.channel[0][unpacker];
            adc[0].y = rig_random(r) & 0x1fff;
            uint32_t most = n % 8 ? 0x7fff : 0x3ffff; // twice Dst, or whatever fits a counter
            set_x(r, unpacker, n % 3 ? 0 : rig_random(r) & most, rig_random(r) & most);
            uint32_t word = UNPACR | MULTI | (uint32_t)unpacker << 23 | rig_random(r) % 64;
            assert_true(rig_run(r, word & ~2u));
        }
        rig_free(r);
    }
}

static void test_costs(void **state)
{
    (void)state;
    struct rig *r = bf16_rig(TSR_WORMHOLE_B0, 64, 1);
    r->env.timing = true;
    SET(r, 1, REG2_Throttle_mode, 2);
    HALVES(r, TILE, 0, 40);
    uint8_t groups[160] = {0};
    put_bytes(r, TILE + 16, groups, sizeof groups);
    set_x(r, 1, 0, 63);
    assert_true(rig_run(r, UNPACR | MULTI | ONE));
    assert_int_equal(r->inst.address, 2 + r->env.isa->rate[RATE_UNPACK_ROW_START_CYCLES]);
    assert_int_equal(r->inst.hold, r->inst.address);
    assert_int_equal(r->inst.duration, 7); // 40 times 2.5 bytes, always at x1
    rig_free(r);
}

// ---------------------------------------------------------------- there and back

struct way {
    uint8_t in, out;
    bool to_dst;
};

static const struct way ways[] = {
    {0, 4, false}, {0, 5, false}, {0, 1, false}, {1, 1, false}, {5, 5, false},   {9, 9, false},
    {6, 6, false}, {7, 7, false}, {2, 2, false}, {3, 3, false}, {10, 10, false}, {14, 14, false},
    {0, 0, true},  {4, 4, true},  {8, 8, true},  {5, 5, true},  {1, 1, true},    {9, 9, true},
    {6, 6, true},  {2, 2, true},  {7, 7, true},  {3, 3, true},  {10, 10, true}};

static struct sparse_tile sparse(struct rig *r, uint8_t format)
{
    static const uint8_t bits[16] = {32, 16, 8, 4, 32, 16, 8, 4, 32, 16, 8, 2, 0, 0, 8, 2};
    struct sparse_tile t = {.rows = 1 + rig_random(r) % 8, .columns = 1 + rig_random(r) % 120};
    t.bits = bits[format];
    t.blocks = format == 2 || format == 3 || format == 6 || format == 7;
    uint32_t zeroes = rig_random(r) % 33; // of 32
    for (unsigned i = 0; i < t.rows * t.columns; i++)
        if (rig_random(r) % 32 >= zeroes)
            t.datum[i] = (rig_random(r) ^ rig_random(r) << 12) & tsr_mask32(t.bits);
    for (unsigned i = 0; i < sizeof t.exponent; i++) // of five bits, less six leading zeroes
        t.exponent[i] =
            (uint8_t)(format == 2 || format == 3 ? 6 + rig_random(r) % 26 : rig_random(r));
    return t;
}

static uint32_t found_at(const struct rig *r, const struct way *w, int unpacker, uint32_t i)
{
    const uint16_t(*bits)[16] = (const uint16_t(*)[16])r->state->dst.bits;
    uint32_t row = i / 16, column = i % 16;
    if (w->to_dst && (w->out == 0 || w->out == 4 || w->out == 8)) {
        row = order_row(0, row, true);
        return (uint32_t)bits[row][column] << 16 | bits[row + 8][column];
    }
    return w->to_dst ? bits[row][column] : r->state->src[unpacker].bank[0].datum[row][column];
}

// Some rows, one row, or positions from somewhere to somewhere; returns the instruction's bits.
static uint32_t choose_part(struct rig *r, const struct sparse_tile *t, int unpacker,
                            uint32_t *first, uint32_t *end)
{
    tsr_adc_channel *adc = r->state->adcs.channel[0][unpacker];
    uint32_t row = rig_random(r) % t->rows, last = row + rig_random(r) % (t->rows - row);
    adc[0].y = row;
    *first = row * t->columns;
    switch (rig_random(r) % 3) {
    case 0:
        set_x(r, unpacker, last, rig_random(r) % 100);
        *end = (last + 1) * t->columns;
        return 1 << 2;
    case 1:
        set_x(r, unpacker, 0, t->columns - 1);
        *end = *first + t->columns;
        return 0;
    default:
        *end = t->rows * t->columns;
        set_x(r, unpacker, rig_random(r) % (*end - *first), 0);
        *first += adc[0].x;
        adc[1].x = adc[0].x + rig_random(r) % (*end - *first);
        *end = *first + adc[1].x - adc[0].x + 1;
        return 0;
    }
}

static void configure(struct rig *r, const struct way *w, const struct sparse_tile *t, int unpacker)
{
    rig_configure(r, unpacker, w->in, w->out, t->columns);
    SET(r, unpacker, REG0_TileDescriptor_YDim, t->rows);
    SET(r, unpacker, REG0_TileDescriptor_ZDim, 1);
    SET(r, unpacker, REG2_Disable_zero_compress_cntx0, 0);
    if (unpacker == 0) {
        SET(r, 0, REG2_Unpack_if_sel_cntx0, w->to_dst);
        rig_set(r, FIELD_SRCA_SET_SetOvrdWithAddr, !w->to_dst);
    }
}

static void there_and_back(struct rig *r, const struct way *w)
{
    struct compressed_tile *c = malloc(sizeof *c);
    struct sparse_tile t = sparse(r, w->in);
    int unpacker = w->to_dst ? 0 : (int)(rig_random(r) % 2);
    uint32_t first, end, value;
    tsr_unpack_mode mode = {
        .arch = r->env.chip->arch, .in_format = w->in, .out_format = w->out, .to_dst = w->to_dst};
    compress_tile(&t, c);
    put_bytes(r, TILE, c->bytes, c->size);
    configure(r, w, &t, unpacker);
    uint32_t bits = choose_part(r, &t, unpacker, &first, &end);
    assert_true(rig_run(r, UNPACR | MULTI | (uint32_t)unpacker << 23 | bits));
    for (uint32_t i = first; i < end; i++) {
        assert_int_equal(tsr_unpack_datum(&mode, t.datum[i], t.exponent[c->place[i] / 16], &value),
                         TSR_OK);
        assert_int_equal(found_at(r, w, unpacker, i - first), value);
    }
    free(c);
}

static void test_there_and_back(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        struct rig *r = rig_new((tsr_arch)arch);
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
            for (int n = 0; n < 60; n++)
                there_and_back(r, &ways[i]);
        rig_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_seek),
        cmocka_unit_test(test_row_search),
        cmocka_unit_test(test_planes),
        cmocka_unit_test(test_blobs),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_exponents),
        cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_zero),
        cmocka_unit_test(test_sampling),
        cmocka_unit_test(test_targets),
        cmocka_unit_test(test_taint),
        cmocka_unit_test(test_tainted_exponent),
        cmocka_unit_test(test_unwritten),
        cmocka_unit_test(test_backward_row),
        cmocka_unit_test(test_cited),
        cmocka_unit_test(test_two_bits),
        cmocka_unit_test(test_garbage),
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_there_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
