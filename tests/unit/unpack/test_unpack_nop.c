// SPDX-License-Identifier: Apache-2.0
// UNPACR_NOP, form by form: vectors worked by hand from the pages, with their derivation, and what
// docs/errata.md 220 to 226 adds. Order and time are in test_unpack_nop_order.c. Pages:
// UNPACR_NOP_ZEROSRC.md, UNPACR_NOP_SETDVALID.md, UNPACR_NOP_SETREG.md,
// UNPACR_NOP_OverlayClear.md, TDMA-RISC.md, SrcASrcB.md.
#include "rig/nop_rig.h"

// ---------------------------------------------------------------- clears

// `banks` for an unpacker at bank 0: a bit for each that is cleared.
struct clear {
    int arch;
    uint32_t word;
    int side;
    uint32_t value;
    int banks;
    const char *code;
};

static const struct clear clears[] = {
    // WH: mode 1, bit 2 for -infinity, 3 for both banks, 4 for the wait, 23 for the unpacker.
    {WH, 0x43000001, 0, 0, 1, NULL},
    {WH, 0x43800001, 1, 0, 1, NULL},
    {WH, 0x43000005, 0, 0x7ffff, 1, NULL},    // nineteen ones
    {WH, 0x43000015, 0, 0x7ffff, 1, NULL},    // waits like UNPACR
    {WH, 0x43800005, 1, 0, 1, "legacy-mode"}, // bit 2 means nothing for SrcB
    {WH, 0x43000009, 0, 0, 3, "legacy-mode"}, // both banks
    {WH, 0x4300001d, 0, 0x7ffff, 3, "legacy-mode"},
    {WH, 0x43800019, 1, 0, 3, "legacy-mode"},
    // BH: mode 1, bits 3:2 for the value, 4 for both banks, 5 for the wait, 7:6 for the format.
    {BH, 0x43000001, 0, 0, 1, NULL},
    {BH, 0x43800001, 1, 0, 1, NULL},
    {BH, 0x43000005, 0, 0x7ffff, 1, NULL},
    {BH, 0x43800005, 1, 0x7ffff, 1, NULL}, // SrcB too on this chip
    {BH, 0x43800025, 1, 0x7ffff, 1, NULL}, // waits like UNPACR
    {BH, 0x43000011, 0, 0, 3, "legacy-mode"},
    {BH, 0x43800035, 1, 0x7ffff, 3, "legacy-mode"},
    // 1.0 in FP16: five bits of exponent, bias 15, three zero bits on top: 15 << 10.
    {BH, 0x43000009, 0, 0x03c00, 1, "undocumented-mode"},
    {BH, 0x43800009, 1, 0x03c00, 1, "undocumented-mode"},
    // 1.0 in BF16 and TF32: eight bits of exponent, bias 127: 127 << 10.
    {BH, 0x43000049, 0, 0x1fc00, 1, "undocumented-mode"},
    {BH, 0x43800069, 1, 0x1fc00, 1, "undocumented-mode"},
    // 1 in integer "8": a raw exponent of 16 and a magnitude of 1: 16 << 10 | 1.
    {BH, 0x43000089, 0, 0x04001, 1, "undocumented-mode"},
    {BH, 0x43800099, 1, 0x04001, 3, "undocumented-mode"},
};

static void test_clears(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof clears / sizeof clears[0]; i++)
        for (int first = 0; first < 2; first++)
            for (int timing = 0; timing < 2; timing++) {
                const struct clear *c = &clears[i];
                tsr_tile *tile = tile_new(c->arch, timing, TSR_PROFILE_STRICT);
                nop_mark(tile);
                tile_state(tile)->src[c->side].unpacker_bank = (uint8_t)first;
                nop_do(tile, 0, c->word);
                nop_holds(tile, c->side, first, c->value);
                nop_holds(tile, c->side, !first, c->banks == 3 ? c->value : NOP_MARK);
                nop_holds(tile, !c->side, 0, NOP_MARK);
                nop_holds(tile, !c->side, 1, NOP_MARK);
                assert_int_equal(tile_state(tile)->src[c->side].unpacker_bank, first);
                assert_false(nop_bank(tile, c->side, first)->matrix_owns);
                nop_says(tile, c->code);
                tsr_tile_destroy(tile);
            }
}

// BH, value 3: NOP_REG_CLR_VAL of the unpacker, in the bank of configuration that the thread uses.
// The field has the order of the storage: sign, ten bits of mantissa, eight of exponent.
static void test_configured_clear(void **state)
{
    (void)state;
    static const struct {
        uint32_t field, datum;
    } vectors[] = {
        {0x0002007f, 0x1fe00}, // 1.5: exponent 127, mantissa 0x200: 127 << 10 | 0x200
        {0x00040080, 0x60000}, // -2: sign, exponent 128: 1 << 18 | 128 << 10
        {0x00000100, 0x00001}, // the mantissa's lowest bit
        {0xfff80000, 0x00000}, // nineteen bits count
        {0xffffffff, 0x7ffff},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        for (int side = 0; side < 2; side++) {
            tsr_tile *tile = tile_default(BH);
            nop_mark(tile);
            tile_field(tile, 1, FIELD_CFG_STATE_ID_StateID, 1); // thread 1: bank 1
            tile_field(tile, 1,
                       side ? FIELD_UNP1_NOP_REG_CLR_VAL_nop_reg_clr_val
                            : FIELD_UNP0_NOP_REG_CLR_VAL_nop_reg_clr_val,
                       vectors[i].field);
            nop_do(tile, 1, 0x4300000d | (uint32_t)side << 23);
            nop_holds(tile, side, 0, vectors[i].datum);
            nop_holds(tile, !side, 0, NOP_MARK);
            nop_says(tile, "undocumented-mode");
            nop_do(tile, 0, 0x4300000d | (uint32_t)side << 23); // thread 0 uses bank 0, which is 0
            nop_holds(tile, side, 0, 0);
            tsr_tile_destroy(tile);
        }
}

// ---------------------------------------------------------------- hand-overs

struct given {
    int arch;
    uint32_t word;
    int side;
    uint32_t value; // NOP_MARK: the bank goes as it is
    const char *code;
};

static const struct given given[] = {
    // SETDVALID is 7 on both chips.
    {WH, 0x43000007, 0, NOP_MARK, "src-bank-never-filled"},
    {WH, 0x43800007, 1, NOP_MARK, "src-bank-never-filled"},
    {BH, 0x43000007, 0, NOP_MARK, "src-bank-never-filled"},
    {BH, 0x43800007, 1, NOP_MARK, "src-bank-never-filled"},
    // BH, tt-llk: 3 in bits 7:6, and nothing else happens, whatever the mode.
    {BH, 0x430000c2, 0, NOP_MARK, "undocumented-mode"},
    {BH, 0x438000c9, 1, NOP_MARK, "undocumented-mode"},
    {BH, 0x430000c1, 0, NOP_MARK, "undocumented-mode"},
    {BH, 0x438000c0, 1, NOP_MARK, "undocumented-mode"},
    // Cleared first: bit 6 on WH, on tt-llk's word alone, bit 8 on BH.
    {WH, 0x43000041, 0, 0, "undocumented-mode"},
    {WH, 0x43000055, 0, 0x7ffff, "undocumented-mode"},
    {WH, 0x43800051, 1, 0, "undocumented-mode"},
    {BH, 0x43000101, 0, 0, NULL},
    {BH, 0x43000105, 0, 0x7ffff, NULL},
    {BH, 0x43800121, 1, 0, NULL},
    {BH, 0x43800149, 1, 0x1fc00, "undocumented-mode"},
};

static void test_hand_overs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        for (int timing = 0; timing < 2; timing++) {
            const struct given *g = &given[i];
            tsr_tile *tile = tile_new(g->arch, timing, TSR_PROFILE_STRICT);
            nop_mark(tile);
            tile_field(tile, 0,
                       g->side ? FIELD_THCON_SEC1_REG2_Out_data_format
                               : FIELD_THCON_SEC0_REG2_Out_data_format,
                       5);
            tile_field(tile, 1, g->side ? FIELD_SRCB_SET_Base : FIELD_SRCA_SET_Base, 3);
            nop_do(tile, 1, g->word);
            struct tsr_src *src = &tile_state(tile)->src[g->side];
            assert_true(src->bank[0].matrix_owns);
            assert_false(src->bank[1].matrix_owns);
            assert_int_equal(src->unpacker_bank, 1);
            assert_int_equal(src->matrix_bank, 0);
            assert_int_equal(src->bank[0].implied_format, g->arch == BH ? 5 : 0);
            assert_int_equal(tile_state(tile)->unpacker[g->side].src_row[1], 3 << 4);
            assert_int_equal(tile_state(tile)->unpacker[g->side].src_row[0], 0);
            nop_holds(tile, g->side, 0, g->value);
            nop_holds(tile, g->side, 1, NOP_MARK);
            assert_false(nop_bank(tile, !g->side, 0)->matrix_owns);
            nop_says(tile, g->code);
            tsr_tile_destroy(tile);
        }
}

// SETDVALID waits for nobody: a bank that the matrix unit has already is undefined.
static void test_taken_bank(int arch)
{
    for (int going_on = 0; going_on < 2; going_on++) {
        tsr_tile *tile = tile_new(arch, false, going_on ? TSR_PROFILE_SILICON : TSR_PROFILE_STRICT);
        nop_bank(tile, 1, 0)->matrix_owns = true;
        tile_push_word(tile, 0, 0x43800007);
        assert_int_equal(tile_run(tile), going_on ? TSR_END_IDLE : TSR_END_STOPPED);
        tile_says(tile, "src-bank-taken", "UNPACR_NOP hands SrcB bank 0");
        assert_int_equal(tile_state(tile)->src[1].unpacker_bank, going_on);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_taken_bank)

// ---------------------------------------------------------------- SETREG

// Two addresses in 0xffb11024: ten bits each from bit 8 and 18, two each from bit 28 and 30.
enum {
    BASES_NEAR = 1u << 8 | 0x3ffu << 18 | 2u << 30, // 0x004; 2 << 18 | 0x3ff << 2 = 0x80ffc
    BASES_FAR = 0x155u << 8 | 1u << 28              // 1 << 18 | 0x155 << 2 = 0x40554; 0
};

struct set_register {
    int arch;
    uint32_t bases, word;
    uint32_t address, value;
    const char *code;
};

static const struct set_register registers[] = {
    // WH: mode 4, 3 accumulates, 14:4 the value, 21:16 address bits 17:12, 22 the base.
    {WH, BASES_NEAR, 0x43117ff4, 0xffb11004, 0x7ff, "legacy-mode"}, // 0x11 << 12 + 0x004
    {WH, BASES_NEAR, 0x43522a54, 0xffb92ffc, 0x2a5, "legacy-mode"}, // 0x12 << 12 + 0x80ffc
    {WH, BASES_NEAR, 0x43d22a54, 0xffb92ffc, 0x2a5, "legacy-mode"}, // by unpacker 1
    {WH, BASES_FAR, 0x433f0014, 0xffb7f554, 0x001, "legacy-mode"},  // 0x3f << 12 + 0x40554
    {WH, BASES_FAR, 0x43510004, 0xffb11000, 0x000, "legacy-mode"},  // a store of 0
    // BH: mode 7, the base's number in bits 22 and 15.
    {BH, BASES_NEAR, 0x43117ff7, 0xffb11004, 0x7ff, "legacy-mode"},
    {BH, BASES_NEAR, 0x4312aa57, 0xffb92ffc, 0x2a5, "legacy-mode"},
    {BH, BASES_NEAR, 0x4392aa57, 0xffb92ffc, 0x2a5, "legacy-mode"},
    {BH, BASES_FAR, 0x433f0017, 0xffb7f554, 0x001, "legacy-mode"},
    {BH, BASES_FAR, 0x43118007, 0xffb11000, 0x000, "legacy-mode"},
    {BH, BASES_NEAR, 0x43512a57, 0xffb11004, 0x2a5, "undocumented-mode"}, // base 2 is base 0
    {BH, BASES_NEAR, 0x4352aa57, 0xffb92ffc, 0x2a5, "undocumented-mode"}, // base 3 is base 1
};

static void test_set_register(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof registers / sizeof registers[0]; i++) {
        const struct set_register *v = &registers[i];
        struct scalar_port port = {.answer = TSR_OK, .value = 0xdeadbeef};
        tsr_tile *tile = tile_default(v->arch);
        nop_mark(tile);
        assert_int_equal(tsr_store(tile, TSR_CORE_T0, 0xffb11024, v->bases | 0x7f, 4), TSR_OK);
        scalar_plug(tile, &port);
        nop_do(tile, 2, v->word);
        assert_int_equal(port.stores, 1);
        assert_int_equal(port.address, v->address);
        assert_int_equal(port.value, v->value);
        assert_int_equal(port.agent, TSR_AGENT_TENSIX + 2);
        nop_says(tile, v->code);
        nop_holds(tile, 0, 0, NOP_MARK);
        nop_holds(tile, 1, 0, NOP_MARK);
        assert_int_equal(tile_state(tile)->src[0].unpacker_bank, 0);
        tsr_tile_destroy(tile);
    }
}

// WH: value << 4 | 8 | 4, BH: value << 4 | 8 | 7; the address is 0xffb11000.
static void accumulate(tsr_tile *tile, unsigned unpacker, uint32_t value)
{
    uint32_t mode = tsr_tile_arch(tile) == TSR_WORMHOLE_B0 ? 0xc : 0xf;
    nop_do(tile, 0, 0x43110000 | unpacker << 23 | value << 4 | mode);
}

// A sum of 17 bits for each unpacker; a value of 0 starts it anew and stores nothing.
static void test_accumulate(int arch)
{
    struct scalar_port port = {.answer = TSR_OK};
    tsr_tile *tile = tile_default(arch);
    struct tsr_port real = tile_env(tile)->port;
    scalar_plug(tile, &port);
    accumulate(tile, 0, 5);
    assert_int_equal(port.value, 5);
    accumulate(tile, 0, 0x7ff);
    assert_int_equal(port.value, 0x804); // 5 + 0x7ff
    accumulate(tile, 1, 9);
    assert_int_equal(port.value, 9);
    accumulate(tile, 0, 0);
    assert_int_equal(port.stores, 3);
    accumulate(tile, 0, 1);
    assert_int_equal(port.value, 1);
    for (int i = 0; i < 64; i++)
        accumulate(tile, 1, 0x7ff);
    assert_int_equal(port.value, 0x1ffc9); // 9 + 64 * 0x7ff = 9 + 0x1ffc0
    uint32_t value;
    tile_env(tile)->port = real; // TDMA-RISC shows sixteen bits here and the highest there
    assert_int_equal(tsr_load(tile, TSR_CORE_B, 0xffb1111c, &value, 4), TSR_OK);
    assert_int_equal(value, 0xffc90000);
    assert_int_equal(tsr_load(tile, TSR_CORE_B, 0xffb1113c, &value, 4), TSR_OK);
    assert_int_equal(value, 0x80000000);
    scalar_plug(tile, &port);
    accumulate(tile, 1, 0x37);
    assert_int_equal(port.value, 0); // 0x1ffc9 + 0x37 = 0x20000: the eighteenth bit is lost
    accumulate(tile, 1, 0x7ff);
    assert_int_equal(port.value, 0x7ff);
    assert_int_equal(tile_state(tile)->tdma.unpack_register_acc[0], 1);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_accumulate)

// Real registers, and addresses that have none.
static void test_addresses(int arch)
{
    uint32_t mode = arch == WH ? 4 : 7;
    tsr_tile *tile = tile_default(arch);
    nop_do(tile, 0, 0x43110000 | 0x123 << 4 | mode); // 0xffb11000: the mover's source
    assert_int_equal(tile_state(tile)->tdma.parameter[0], 0x123);
    tile_push_word(tile, 0, 0x43100000 | 0x123 << 4 | mode); // 0xffb10000
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    tile_says(tile, "mmio-address", "UNPACR_NOP addresses 0xffb10000");
    tsr_tile_destroy(tile);

    tile = tile_default(arch); // 3 << 18 | 0x3f << 12: past everything
    assert_int_equal(tsr_store(tile, TSR_CORE_T0, 0xffb11024, 3u << 28, 4), TSR_OK);
    tile_push_word(tile, 0, 0x433f0000 | 0x123 << 4 | mode);
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    tile_says(tile, "unmapped-address", "0xffbff000");
    tsr_tile_destroy(tile);

    struct scalar_port port = {.answer = TSR_OK};
    tile = tile_new(arch, false, TSR_PROFILE_SILICON); // going on stores nothing, and counts
    scalar_plug(tile, &port);
    nop_do(tile, 0, 0x43100000 | 0x123 << 4 | 8 | mode);
    assert_int_equal(port.stores, 0);
    assert_int_equal(tile_state(tile)->tdma.unpack_register_acc[0], 0x123);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_addresses)

// ---------------------------------------------------------------- overlay clear

struct message {
    int arch;
    uint32_t word;
    uint32_t address;
};

// Stream n is at 0xffb40000 + n * 0x1000; the register is word 22 on WH, 266 on BH. Thread 1's
// configuration says stream 5 for unpacker 0 and 33 for unpacker 1.
static const struct message messages[] = {
    {WH, 0x43000000, 0xffb45058}, // mode 0: configured
    {WH, 0x43800000, 0xffb61058}, // 33 = 0x21
    {WH, 0x43000003, 0xffb45058}, // mode 3 with a count of 0: configured
    {WH, 0x433f0003, 0xffb45058}, // ... whatever stream the word has
    {WH, 0x433f0013, 0xffb7f058}, // count 1
    {WH, 0x43874003, 0xffb47058}, // count 0x400
    {WH, 0x43007ff3, 0xffb40058}, // count 0x7ff, stream 0
    {BH, 0x43000000, 0xffb45428}, {BH, 0x43800000, 0xffb61428}, {BH, 0x43000003, 0xffb45428},
    {BH, 0x433f0003, 0xffb45428}, {BH, 0x433f1003, 0xffb7f428}, // the count is in bits 14:12
    {BH, 0x43874003, 0xffb47428}, {BH, 0x43007003, 0xffb40428},
};

static void test_messages(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        const struct message *m = &messages[i];
        struct scalar_port port = {.answer = TSR_OK};
        tsr_tile *tile = tile_default(m->arch);
        tile_field(tile, 1, FIELD_NOC_OVERLAY_MSG_CLEAR_StreamId_0, 5);
        tile_field(tile, 1, FIELD_NOC_OVERLAY_MSG_CLEAR_StreamId_1, 33);
        tile_field(tile, 0, FIELD_NOC_OVERLAY_MSG_CLEAR_StreamId_0, 6);
        scalar_plug(tile, &port);
        nop_do(tile, 1, m->word);
        assert_int_equal(port.stores, 1);
        assert_int_equal(port.address, m->address);
        assert_int_equal(port.value, 1);
        nop_says(tile, "legacy-mode");
        tsr_tile_destroy(tile);
    }
}

// The overlay itself is not there: the address map says so.
static void test_no_overlay(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_push_word(tile, 0, 0x43000000);
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    tile_says(tile, "unimplemented-mode", "NOC_OVERLAY at 0xffb40");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_no_overlay)

// ---------------------------------------------------------------- nothing

// Mode 2 changes nothing, and occupies the unpacker for one cycle.
static void test_no_effect(int arch)
{
    static const uint32_t words[3] = {0x43000002, 0x43800002, 0x43000002};
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    struct scalar_port port = {.answer = TSR_OK};
    scalar_plug(tile, &port);
    nop_mark(tile);
    for (int i = 0; i < 3; i++)
        nop_do(tile, i, words[i]);
    for (int i = 0; i < 4; i++)
        nop_holds(tile, i / 2, i % 2, NOP_MARK);
    assert_int_equal(port.stores, 0);
    nop_says(tile, NULL);
    tsr_run_report report;
    tsr_get_report(tile, &report);
    assert_int_equal(report.unit_busy[TSR_UNIT_UNPACKER0], 2);
    assert_int_equal(report.unit_busy[TSR_UNIT_UNPACKER1], 1);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_no_effect)

static const struct {
    int arch;
    uint32_t word;
    const char *words; // of the sentence
} reserved_bits[] = {
    {WH, 0x4300000a, "bits 0x000008"}, // mode 2 has no other bit
    {WH, 0x43000010, "bits 0x000010"}, // nor has mode 0
    {WH, 0x43000047, "bits 0x000040"}, // nor SETDVALID
    {WH, 0x43010021, "bits 0x010020"}, // a clear has bit 6 but not 5 and no stream
    {WH, 0x4340001b, "bits 0x400008"}, // an overlay clear does not accumulate
    {BH, 0x43000102, "bits 0x000100"}, // Set_Dvalid is for clears
    {BH, 0x43000041, "bits 0x000040"}, // a format is for clears to 1
    {BH, 0x43000201, "bits 0x000200"}, // of Set_Dvalid the lowest bit counts
    {BH, 0x43001001, "bits 0x001000"}, {BH, 0x4300000b, "bits 0x000008"},
    {BH, 0x43401013, "bits 0x400010"},
};

static void test_reserved_bits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof reserved_bits / sizeof reserved_bits[0]; i++) {
        tsr_tile *tile = tile_default(reserved_bits[i].arch);
        nop_mark(tile);
        tile_push_word(tile, 0, reserved_bits[i].word);
        assert_int_equal(tile_run(tile), TSR_END_STOPPED);
        tile_says(tile, "stray-operand-bits", reserved_bits[i].words);
        nop_holds(tile, 0, 0, NOP_MARK);
        tsr_tile_destroy(tile);
    }
}

// WH calls mode 6 reserved.
static void test_reserved(void **state)
{
    (void)state;
    tsr_tile *tile = tile_default(WH);
    nop_mark(tile);
    tile_push_word(tile, 0, 0x43000006);
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    tile_says(tile, "no-specification", "has 6 as its mode");
    nop_holds(tile, 0, 0, NOP_MARK);
    tsr_tile_destroy(tile);

    tile = tile_default(WH);
    assert_int_equal(tsr_tile_set_policy(tile, "no-specification", TSR_ACTION_RECORD), TSR_OK);
    nop_mark(tile);
    nop_do(tile, 0, 0x43000006);
    tile_says(tile, "no-specification", "has 6 as its mode");
    nop_holds(tile, 0, 0, NOP_MARK);
    assert_int_equal(tile_state(tile)->src[0].unpacker_bank, 0);
    tsr_tile_destroy(tile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clears),
        cmocka_unit_test(test_configured_clear),
        cmocka_unit_test(test_hand_overs),
        TILE_TEST(test_taken_bank),
        cmocka_unit_test(test_set_register),
        TILE_TEST(test_accumulate),
        TILE_TEST(test_addresses),
        cmocka_unit_test(test_messages),
        TILE_TEST(test_no_overlay),
        TILE_TEST(test_no_effect),
        cmocka_unit_test(test_reserved_bits),
        cmocka_unit_test(test_reserved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
