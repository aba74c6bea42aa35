// SPDX-License-Identifier: Apache-2.0
// Scalar unit: packers' state to GPRs, and GPRs to Src, the tile's registers, configuration and
// ADCs, worked by hand from the ISA pages by a reader who had not seen the code.
// Pages: SETDMAREG_Special, STOREIND_Src, STOREIND_MMIO, LOADREG, STOREREG, TDMA-RISC,
// REG2FLOP_Configuration, REG2FLOP_ADC.

#include "rig/scalar_rig.h"

// ---------------------------------------------------------------- SETDMAREG special

enum { POISON = 0x99999999 };

// Thread 1 reads with bank 1; GPRs 8 to 11 are poisoned. Packers 1 to 3 exist on Wormhole only.
static tsr_tile *packers_tile(int arch)
{
    static const struct {
        uint16_t sum, size;
        uint8_t thread;
        uint32_t zeroes;
    } packers[4] = {{0x1234, 0x0040, 1, 0xdeadbeef},
                    {0xabcd, 0x0077, 2, 0x00000002},
                    {0x0000, 0xffff, 1, 0xffffffff},
                    {0xffff, 0x0009, 0, 0x12345678}};
    tsr_tile *tile = tile_default(arch);
    tile_field(tile, 1, FIELD_CFG_STATE_ID_StateID, 1);
    for (int i = 0; i < (arch == WH ? 4 : 1); i++) {
        struct tsr_packer *packer = &tile_state(tile)->packers.packer[i];
        packer->acc_tile_size[0] = 0x5555;
        packer->acc_tile_size[1] = packers[i].sum;
        packer->last_tile_size = packers[i].size;
        packer->last_thread = packers[i].thread;
        packer->all_zero_flags = packers[i].zeroes;
        packer->max_exponent = (uint8_t)(0x8f + i);
        for (int bin = 0; bin < 32; bin++)
            packer->exponent_count[bin] = (uint8_t)(64 * i + bin);
    }
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Out_data_format, 5);
    tile_field(tile, 1, FIELD_THCON_SEC0_REG1_Out_data_format, 6);
    tile_field(tile, 1, FIELD_THCON_SEC0_REG1_Disable_zero_compress, 1);
    if (arch == WH) {
        tile_field(tile, 1, FIELD_THCON_SEC1_REG1_Out_data_format, 9);
        tile_field(tile, 1, FIELD_THCON_SEC1_REG1_Disable_zero_compress, 0);
    }
    for (int i = 8; i < 12; i++)
        tile_set_gpr(tile, 1, i, POISON);
    return tile;
}

struct special {
    int size, packers, source, in, out; // operands as the page names them
    uint32_t after[4];                  // GPRs 8 to 11
};

// The payload is WhichPackers << 7 | InputSource << 3 | InputHalfReg.
static void specials(int arch, const struct special *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct special *row = &rows[i];
        tsr_tile *tile = packers_tile(arch);
        scalar_do(tile, 1,
                  "SETDMAREG SetSignalsMode=1 Payload_SigSelSize=%d Payload_SigSel=%d "
                  "RegIndex16b=%d",
                  row->size, row->packers << 7 | row->source << 3 | row->in, row->out);
        for (int k = 0; k < 4; k++)
            if (tile_gpr(tile, 1, 8 + k) != row->after[k])
                fail_msg("row %d, GPR %d: 0x%x, and the page says 0x%x", (int)i, 8 + k,
                         tile_gpr(tile, 1, 8 + k), row->after[k]);
        tsr_tile_destroy(tile);
    }
}

static const struct special special_both[] = {
    // Source 0, packer 0: accumulated 0x1234 above the last size 0x40, which was thread 1's.
    {1, 0, 0, 0, 20, {POISON, POISON, 0x12340040, POISON}},
    {0, 0, 0, 1, 21, {POISON, POISON, 0x12349999, POISON}}, // high half to a high half
    {0, 0, 0, 0, 21, {POISON, POISON, 0x00409999, POISON}}, // low half to a high half
    {0, 0, 0, 1, 16, {0x99991234, POISON, POISON, POISON}}, // high half to a low half
    {1, 0, 0, 1, 21, {POISON, POISON, 0x12340040, POISON}}, // of 32 bits, odd halves are dropped
    // Source 1: the zero flags.
    {1, 0, 1, 0, 16, {0xdeadbeef, POISON, POISON, POISON}},
    {0, 0, 1, 1, 18, {POISON, 0x9999dead, POISON, POISON}},
    {0, 0, 1, 0, 22, {POISON, POISON, POISON, 0x9999beef}},
    // Source 2, a header: size 0x40 + 1; bank 1's format 6 at bit 16, no compression at bit 20.
    {2, 0, 2, 0, 22, {0x00000041, 0x00160000, 0xdeadbeef, 0}}, // GPR 11 & 0x3c = 8
    {1, 0, 2, 2, 16, {0x00160000, POISON, POISON, POISON}},    // word 1 of it
    // Size 3 keeps bits 31:16 of word 0, 15:0 and 31:24 of word 1, and word 3.
    {3, 0, 2, 0, 16, {0x99990041, 0x99169999, 0xdeadbeef, POISON}},
    // Sources from 10 on leave all values 0.
    {2, 0, 15, 0, 16, {0, 0, 0, 0}},
    {1, 0, 10, 4, 20, {POISON, POISON, 0, POISON}},
    {3, 0, 12, 0, 16, {0x99990000, 0x99009999, 0, POISON}},
};

static const struct special special_four[] = {
    // Source 0: a last tile of another thread counts as 0; 0xffff is thread 1's.
    {2, 0, 0, 0, 16, {0x12340040, 0xabcd0000, 0x0000ffff, 0xffff0000}},
    {1, 0, 0, 3, 16, {0xabcd0000, POISON, POISON, POISON}}, // 3 >> 1 = value 1
    // Size 3 takes the same words as a header: bits 23:16 of 0xabcd0000 are 0xcd.
    {3, 0, 0, 0, 16, {0x99990040, 0x99cd9999, 0x0000ffff, POISON}},
    {2, 0, 1, 0, 16, {0xdeadbeef, 0x00000002, 0xffffffff, 0x12345678}},
    {3, 0, 1, 0, 16, {0x9999beef, 0x99009999, 0xffffffff, POISON}},
    // Source 4, packer 2: 0xffff + 1 is 0 in 16 bits; SEC1_REG1 has format 9, compression on.
    {2, 0, 4, 0, 16, {0, 0x00090000, 0xffffffff, 0}},
    // Source 8: bits 0 of 0xdeadbeef, 2, 0xffffffff, 0x12345678 are 1, 0, 1, 0.
    {1, 0, 8, 0, 16, {5, POISON, POISON, POISON}},
    {2, 0, 8, 0, 16, {5, 0, 0, 0}},
    {3, 0, 8, 0, 16, {0x99990005, 0x99009999, 0, POISON}},
};

static const struct special statistics_both[] = {
    // Sources 6 and 7: bytes 0 to 15 and 16 to 31 of a histogram whose bin n holds n.
    {2, 0, 6, 0, 16, {0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c}},
    {2, 0, 7, 0, 16, {0x13121110, 0x17161514, 0x1b1a1918, 0x1f1e1d1c}},
    {0, 0, 7, 3, 17, {0x17169999, POISON, POISON, POISON}}, // half 3 is the high half of word 1
    // Source 9: the greatest exponent.
    {1, 0, 9, 0, 16, {0x8f, POISON, POISON, POISON}},
    {2, 0, 9, 0, 16, {0x8f, 0, 0, 0}},
    {0, 0, 9, 0, 17, {0x008f9999, POISON, POISON, POISON}},
};

static const struct special statistics_four[] = {
    // Packer 2's histogram: bin n holds 128 + n. WhichPackers 6 is 2 in two bits.
    {2, 6, 6, 0, 16, {0x83828180, 0x87868584, 0x8b8a8988, 0x8f8e8d8c}},
    // Source 9 is always packer 0.
    {1, 3, 9, 0, 16, {0x8f, POISON, POISON, POISON}},
};

static void special(int arch)
{
    specials(arch, special_both, sizeof special_both / sizeof *special_both);
    if (arch == WH)
        specials(arch, special_four, sizeof special_four / sizeof *special_four);
}

// Whether this build refuses the exponents' statistics in words, as it does while PACR counts none.
static bool statistics_refused(int arch)
{
    tsr_tile *tile = packers_tile(arch);
    tile_push(tile, 1,
              "SETDMAREG SetSignalsMode=1 Payload_SigSelSize=1 Payload_SigSel=0x48 "
              "RegIndex16b=16");
    bool refused = tile_run(tile) == TSR_END_STOPPED;
    if (refused)
        assert_int_equal(tsr_diagnostic_at(tile, 0)->category, TSR_UNIMPLEMENTED_FEATURE);
    tsr_tile_destroy(tile);
    return refused;
}

static void statistics(int arch)
{
    if (statistics_refused(arch))
        skip();
    specials(arch, statistics_both, sizeof statistics_both / sizeof *statistics_both);
    if (arch == WH)
        specials(arch, statistics_four, sizeof statistics_four / sizeof *statistics_four);
}

// The override takes packer 0's bit of All_pack_disable_zero_compress, here 0 and then 1.
static void special_override(void **unused)
{
    (void)unused;
    tsr_tile *tile = packers_tile(WH);
    tile_field(tile, 1, FIELD_THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd, 1);
    tile_field(tile, 1, FIELD_THCON_SEC0_REG1_All_pack_disable_zero_compress, 0xe);
    tile_do(tile, 1,
            "SETDMAREG SetSignalsMode=1 Payload_SigSelSize=1 Payload_SigSel=0x12 "
            "RegIndex16b=16");
    assert_int_equal(tile_gpr(tile, 1, 8), 0x00060000);
    tile_field(tile, 1, FIELD_THCON_SEC0_REG1_All_pack_disable_zero_compress, 1);
    tile_do(tile, 1,
            "SETDMAREG SetSignalsMode=1 Payload_SigSelSize=1 Payload_SigSel=0x12 "
            "RegIndex16b=16");
    assert_int_equal(tile_gpr(tile, 1, 8), 0x00160000);
    tsr_tile_destroy(tile);
}

// Source 8 resets the accumulated sizes of the packers in the mask: 1, and on Wormhole 5.
static void special_reset(int arch)
{
    tsr_tile *tile = packers_tile(arch);
    int mask = arch == WH ? 5 : 1;
    scalar_do(tile, 1,
              "SETDMAREG SetSignalsMode=1 Payload_SigSelSize=1 Payload_SigSel=%d "
              "RegIndex16b=16",
              mask << 7 | 8 << 3);
    assert_int_equal(tile_gpr(tile, 1, 8), arch == WH ? 5 : 1);
    const struct tsr_packer *packer = tile_state(tile)->packers.packer;
    assert_int_equal(packer[0].acc_tile_size[1], 0);
    assert_int_equal(packer[0].acc_tile_size[0], 0); // every thread's
    assert_int_equal(packer[1].acc_tile_size[1], arch == WH ? 0xabcd : 0);
    assert_int_equal(packer[3].acc_tile_size[1], arch == WH ? 0xffff : 0);
    tsr_tile_destroy(tile);
}

// ---------------------------------------------------------------- STOREIND to Src

// GPRs 8 and 9 are 0x3f80c07f and 0xbfc0007f. Low halves are sign, mantissa, exponent: 0xc07f is
// -1.5 and 0x007f is 1.0; high halves are BF16: 0x3f80 is 1.0 and 0xbfc0 is -1.5. As sign,
// exponent, mantissa of 19 bits, 1.0 is 0x7f << 10 and -1.5 is that with bits 18 and 9.
enum { ONE = 0x1fc00, MINUS_ONE_AND_HALF = 0x5fe00 };

struct to_src {
    int side, bank, src_row;
    uint32_t override, address, offset, increment, offset_after; // offset: high half of GPR 6
    int row, column;                                             // -1: nothing is written
};

static const struct to_src src_rows[] = {
    // SrcB: 22 is row 5, column 8; SrcRow 16; the offset's low four bits do not count.
    {1, 0, 16, 0, 22, 0x000f, 3, 0x001f, 21, 8},
    // 62 + (0x10 >> 4) = 63: row 15, column 12, SrcRow 48, in bank 1.
    {1, 1, 48, 0, 62, 0x0010, 1, 0x0012, 63, 12},
    {1, 0, 0, 0, 0, 0x0000, 0, 0x0000, 0, 0},
    // SrcA: 29 is row 7 - 4 = 3, column 4; SrcRow 32.
    {0, 0, 32, 0, 29, 0x0000, 2, 0x0004, 35, 4},
    // 64 + (0x00b0 >> 4) = 75: row 18 - 4 = 14, column 12.
    {0, 1, 0, 0, 64, 0x00b0, 0, 0x00b0, 14, 12},
    // With SetOvrdWithAddr all 64 rows and no SrcRow: 270 is row 67 - 4 = 63, column 8.
    {0, 0, 32, 1, 270, 0x0000, 1, 0x0002, 63, 8},
    // 15 is row 3 - 4: nothing, and the offset still grows.
    {0, 0, 0, 0, 15, 0x0001, 3, 0x0011, -1, 0},
};

static void src_is(const tsr_tile *tile, const struct to_src *row)
{
    static const uint32_t datums[4] = {MINUS_ONE_AND_HALF, ONE, ONE, MINUS_ONE_AND_HALF};
    for (int r = 0; r < 64; r++) {
        tsr_src_row got;
        assert_int_equal(tsr_view_src(tile, row->side, row->bank, r, &got), TSR_OK);
        assert_int_equal(got.written, r == row->row ? 0xf << row->column : 0);
        for (int i = 0; r == row->row && i < 4; i++)
            assert_int_equal(got.datum[row->column + i], datums[i]);
    }
}

static tsr_tile *src_tile(int arch, const struct to_src *row)
{
    tsr_tile *tile = tile_default(arch);
    tile_state(tile)->src[row->side].unpacker_bank = (uint8_t)row->bank;
    tile_state(tile)->unpacker[1 - row->side].src_row[0] = 3; // the other side's does not count
    tile_state(tile)->unpacker[row->side].src_row[0] = (uint8_t)row->src_row;
    tile_field(tile, 0, FIELD_SRCA_SET_SetOvrdWithAddr, row->override);
    tile_set_gpr(tile, 0, 4, row->address);
    tile_set_gpr(tile, 0, 6, row->offset << 16 | 0xbeef);
    tile_set_gpr(tile, 0, 8, 0x3f80c07f);
    tile_set_gpr(tile, 0, 9, 0xbfc0007f);
    scalar_push(tile, 0,
                "STOREIND RegSizeSel=%d OffsetIndex=13 AutoIncSpec=%u DataRegIndex=11 "
                "AddrRegIndex=4",
                row->side, row->increment); // 11 & 0x3c = 8
    return tile;
}

static void storeind_src(int arch)
{
    for (size_t i = 0; i < sizeof src_rows / sizeof *src_rows; i++) {
        tsr_tile *tile = src_tile(arch, &src_rows[i]);
        tile_idle(tile);
        src_is(tile, &src_rows[i]);
        assert_int_equal(tile_gpr(tile, 0, 6), src_rows[i].offset_after << 16 | 0xbeef);
        tsr_tile_destroy(tile);
    }
}

// A bank of the matrix unit's is waited for.
static void storeind_src_waits(int arch)
{
    for (int side = 0; side < 2; side++) {
        const struct to_src *row = &src_rows[side ? 0 : 3];
        const struct to_src nothing = {.side = side, .bank = row->bank, .row = -1};
        tsr_limits limits = tsr_limits_default();
        limits.external = true;
        limits.max_steps = 1000;
        tsr_tile *tile = src_tile(arch, row);
        tile_state(tile)->src[side].bank[row->bank].matrix_owns = true;
        tsr_end end = tsr_run(tile, &limits);
        assert_true(end == TSR_END_BLOCKED || end == TSR_END_TIMEOUT);
        src_is(tile, &nothing);
        tile_state(tile)->src[side].bank[row->bank].matrix_owns = false;
        tile_idle(tile);
        src_is(tile, row);
        tsr_tile_destroy(tile);
    }
}

// ---------------------------------------------------------------- the tile's registers

// 0xffb11024 reads back as written & 0xffffff7f, 0xffb11028 as written & 0x01ff007f.
static uint32_t reg(tsr_tile *tile, uint32_t address)
{
    uint32_t value;
    assert_int_equal(tsr_load(tile, TSR_CORE_B, address, &value, 4), TSR_OK);
    return value;
}

static void storeind_mmio(int arch)
{
    static const struct {
        uint32_t base, offset, increment, after, data, address, value;
    } rows[] = {
        {0x11020, 0x0040, 0, 0x0040, 0xffffffff, 0xffb11024, 0xffffff7f}, // + (0x40 >> 4)
        // The sum 0xfff11029 keeps bits 19:2, which are those of 0x11028.
        {0xfff11022, 0x0078, 2, 0x007c, 0x12345678, 0xffb11028, 0x00340078},
        {0x11024, 0x000f, 3, 0x001f, 0x12345680, 0xffb11024, 0x12345600}, // 15 >> 4 = 0
        {0x10025, 0xfff0, 1, 0xfff2, 0x00000041, 0xffb11024, 0x00000041}, // + 0xfff, unsigned
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = tile_default(arch);
        tile_set_gpr(tile, 2, 4, rows[i].base);
        tile_set_gpr(tile, 2, 6, rows[i].offset | 0xbeef0000); // low half: half 12
        tile_set_gpr(tile, 2, 9, rows[i].data);
        scalar_do(tile, 2,
                  "STOREIND SizeSel=1 OffsetIndex=12 AutoIncSpec=%u DataRegIndex=9 "
                  "AddrRegIndex=4",
                  rows[i].increment);
        assert_int_equal(reg(tile, rows[i].address), rows[i].value);
        assert_int_equal(tile_gpr(tile, 2, 6), rows[i].after | 0xbeef0000);
        tsr_tile_destroy(tile);
    }
}

static void storereg_loadreg(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_set_gpr(tile, 0, 9, 0x000000ff);
    tile_do(tile, 0, "STOREREG TdmaDataRegIndex=9 RegAddr=0x4409"); // 0x4409 << 2 = 0x11024
    assert_int_equal(reg(tile, 0xffb11024), 0x7f);
    tile_set_gpr(tile, 0, 63, 0xffffffff);
    tile_do(tile, 0, "STOREREG TdmaDataRegIndex=63 RegAddr=0x440a"); // 0x11028
    assert_int_equal(reg(tile, 0xffb11028), 0x01ff007f);
    // 0x1103c: three scalers of nine bits, read with five status bits above, all 0 when idle.
    tile_set_gpr(tile, 0, 9, 0xfa345678);
    tile_do(tile, 0, "STOREREG TdmaDataRegIndex=9 RegAddr=0x440f");
    assert_int_equal(reg(tile, 0xffb1103c), 0x02345678);

    tile_set_gpr(tile, 0, 0, POISON);
    tile_do(tile, 0, "LOADREG TdmaDataRegIndex=0 RegAddr=0x4409");
    assert_int_equal(tile_gpr(tile, 0, 0), 0x7f);
    tile_set_gpr(tile, 0, 63, POISON);
    tile_do(tile, 0, "LOADREG TdmaDataRegIndex=63 RegAddr=0x440f");
    assert_int_equal(tile_gpr(tile, 0, 63), 0x02345678);
    assert_int_equal(tsr_store(tile, TSR_CORE_B, 0xffb11000, 0x1234, 4), TSR_OK);
    tile_set_gpr(tile, 0, 5, POISON);
    tile_do(tile, 0, "LOADREG TdmaDataRegIndex=5 RegAddr=0x4400"); // a command parameter reads 0
    assert_int_equal(tile_gpr(tile, 0, 5), 0);
    tsr_tile_destroy(tile);
}

// ---------------------------------------------------------------- REG2FLOP

// THCON's words begin at 52 (Wormhole) or 64 (Blackhole) of a bank. Thread 2 writes bank 1.
static void reg2flop_config(int arch)
{
    tsr_tile *tile = tile_default(arch);
    uint32_t *words = &tile_state(tile)->config.bank[1][arch == WH ? 52 : 64];
    tile_field(tile, 2, FIELD_CFG_STATE_ID_StateID, 1);
    for (int i = 8; i < 12; i++)
        tile_set_gpr(tile, 2, i, 0x01010101u * (uint32_t)i);
    tile_do(tile, 2, "REG2FLOP SizeSel=0 FlopIndex=7 RegIndex=10"); // words 4 to 7, GPRs 8 to 11
    assert_int_equal(words[3], 0);
    assert_int_equal(words[4], 0x08080808);
    assert_int_equal(words[5], 0x09090909);
    assert_int_equal(words[6], 0x0a0a0a0a);
    assert_int_equal(words[7], 0x0b0b0b0b);
    assert_int_equal(words[8], 0);
    tile_do(tile, 2, "REG2FLOP SizeSel=1 FlopIndex=5 RegIndex=11"); // one word, no alignment
    assert_int_equal(words[5], 0x0b0b0b0b);
    tile_do(tile, 2, "REG2FLOP SizeSel=2 FlopIndex=1 RegIndex=10"); // 2 and 3 are 32 bits too
    assert_int_equal(words[1], 0x0a0a0a0a);
    tile_do(tile, 2, "REG2FLOP SizeSel=3 FlopIndex=0 RegIndex=9");
    assert_int_equal(words[0], 0x09090909);
    tile_do(tile, 2, "REG2FLOP SizeSel=0 FlopIndex=0 RegIndex=8");
    assert_int_equal(words[3], 0x0b0b0b0b);
    assert_int_equal(words[4], 0x08080808);
    assert_int_equal(tile_state(tile)->config.bank[0][arch == WH ? 56 : 68], 0); // other bank
    tsr_tile_destroy(tile);
}

// FlopIndex is Channel << 5 | ADCSel << 3 | Cr << 2 | XYZW. Thread 0 executes; all ADCs start at 7.
struct to_adc {
    int size, target, shift, select, flop;
    uint32_t gpr;
    int thread, agent, channel, field; // the counter that changes: x, x_cr, y, ...; field -1: none
    uint32_t wh, bh;
};

static const struct to_adc adc_rows[] = {
    {1, 2, 0, 0, 0, 0x00012345, 0, 0, 0, 0, 0x12345, 0x12345},  // 32 bits to X
    {1, 2, 0, 0, 0, 0x000fffff, 0, 0, 0, 0, 0x3ffff, 0x3ffff},  // X has 18 bits
    {1, 2, 1, 0, 0, 0x000fffff, 0, 0, 0, 0, 0, 0},              // 32 bits shifted are 0
    {2, 2, 2, 0, 0x29, 0xabcd1234, 0, 1, 1, 2, 0x0bcd, 0x0bcd}, // high half; Y has 13 bits
    {2, 2, 0, 0, 0x34, 0xabcd1234, 0, 2, 1, 1, 0x1234, 0x1234}, // low half to packers' X_Cr
    {2, 2, 1, 0, 0x34, 0xabcd1234, 0, 2, 1, 1, 0, 0},           // no other half
    {3, 2, 3, 0, 0x12, 0xabcd1234, 0, 2, 0, 4, 0xab, 0xab},     // byte 3 to Z
    {3, 2, 1, 0, 0x27, 0xabcd1234, 0, 0, 1, 7, 0x12, 0x12},     // byte 1 to W_Cr
    {3, 2, 0, 0, 0x0d, 0xabcd1234, 0, 1, 0, 3, 0x34, 0x34},     // byte 0 to Y_Cr
    {0, 2, 0, 0, 0x06, 0xabcd1234, 0, 0, 0, 5, 0, 0},           // 128 bits give 0
    {1, 2, 0, 0, 0x03, 0x0000ffff, 0, 0, 0, 6, 0xff, 0x1fff},   // W has 8 bits, and 13
    {1, 3, 0, 2, 0, 0x00000055, 2, 0, 0, 0, 0x55, 0x55},        // thread 2's
    {1, 2, 0, 1, 0, 0x00000055, 0, 0, 0, 0, 0x55, 0x55},        // ThreadSel without override
    {1, 3, 0, 3, 0, 0x00000055, 0, 0, 0, -1, 0, 0},             // there is no thread 3
    {1, 2, 0, 0, 0x18, 0x00000055, 0, 0, 0, -1, 0, 0},          // nor a fourth ADC
};

static const uint32_t *adc_field(const tsr_adc_channel *channel, int field)
{
    const uint32_t *fields[8] = {&channel->x, &channel->x_cr, &channel->y, &channel->y_cr,
                                 &channel->z, &channel->z_cr, &channel->w, &channel->w_cr};
    return fields[field];
}

static void adcs_are(const tsr_tile *tile, const struct to_adc *row, uint32_t value)
{
    for (int i = 0; i < 3 * 3 * 2; i++) {
        tsr_adc_channel got;
        int thread = i / 6, agent = i / 2 % 3, channel = i % 2;
        assert_int_equal(tsr_view_adc(tile, thread, agent, channel, &got), TSR_OK);
        bool here = thread == row->thread && agent == row->agent && channel == row->channel;
        for (int field = 0; field < 8; field++)
            assert_int_equal(*adc_field(&got, field), here && field == row->field ? value : 7);
    }
}

static void reg2flop_adc(int arch)
{
    for (size_t i = 0; i < sizeof adc_rows / sizeof *adc_rows; i++) {
        const struct to_adc *row = &adc_rows[i];
        tsr_tile *tile = tile_default(arch);
        for (int k = 0; k < 3 * 3 * 2; k++)
            tile_state(tile)->adcs.channel[k / 6][k / 2 % 3][k % 2] =
                (tsr_adc_channel){7, 7, 7, 7, 7, 7, 7, 7};
        tile_set_gpr(tile, 0, 9, row->gpr);
        scalar_do(tile, 0,
                  "REG2FLOP SizeSel=%d TargetSel=%d ByteOffset=%d ContextId_2=%d "
                  "FlopIndex=%d RegIndex=9",
                  row->size, row->target, row->shift, row->select, row->flop);
        adcs_are(tile, row, arch == WH ? row->wh : row->bh);
        tsr_tile_destroy(tile);
    }
}

TILE_BOTH(special)
TILE_BOTH(statistics)
TILE_BOTH(special_reset)
TILE_BOTH(storeind_src)
TILE_BOTH(storeind_src_waits)
TILE_BOTH(storeind_mmio)
TILE_BOTH(storereg_loadreg)
TILE_BOTH(reg2flop_config)
TILE_BOTH(reg2flop_adc)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(special),         TILE_TEST(statistics),
        TILE_TEST(special_reset),   cmocka_unit_test(special_override),
        TILE_TEST(storeind_src),    TILE_TEST(storeind_src_waits),
        TILE_TEST(storeind_mmio),   TILE_TEST(storereg_loadreg),
        TILE_TEST(reg2flop_config), TILE_TEST(reg2flop_adc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
