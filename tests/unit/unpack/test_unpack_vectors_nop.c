// SPDX-License-Identifier: Apache-2.0
// UNPACR_NOP as bare words, worked by hand from the ISA pages by a reader who had not seen the
// code. Words are Wormhole's where the page's syntax gives them; Blackhole has another layout,
// which only tt-llk's instruction tables describe: a wider clear value moves BothBanks to bit 4 and
// WaitLikeUnpacr to bit 5. Bit 23 is unpacker 1. Pages: UNPACR_NOP_ZEROSRC.md,
// UNPACR_NOP_SETDVALID.md, UNPACR_NOP_SETREG.md, UNPACR_NOP_OverlayClear.md, TDMA-RISC.md.

#include "rig/unpack_vectors_rig.h"

static const struct unpack_vector clear[] = {
    {"SrcA", ON_BOTH, 0, "", "", "", "0x43000001", "a0: 0*1024", "", ""},
    {"SrcB", ON_BOTH, 1, "", "", "", "0x43800001", "b0: 0*1024", "", ""},
    {"the unpacker's bank", ON_BOTH, 0, "", "bank=1", "", "0x43000001", "A0: 0*1024", "", ""},
    {"over datums", ON_BOTH, 1, "", "x1=1", "10000: 0001 0002", B "; 0x43800001", "b0: 0*1024", "",
     ""},
    {"before datums", ON_BOTH, 1, "", "x1=1", "10000: 0001 0002", "0x43800001; " B,
     "b0: 1 2 0*1022", "", ""},
    // -infinity is nineteen ones.
    {"SrcA to -infinity", ON_BOTH, 0, "", "", "", "0x43000005", "a0: 7ffff*1024", "", ""},
    {"SrcA, bank 1, to -infinity", ON_BOTH, 0, "", "bank=1", "", "0x43000005", "A0: 7ffff*1024", "",
     ""},
    // SrcB becomes 0 on WH, which is not promised, and on BH -infinity.
    {"SrcB to -infinity", ON_WH, 1, "", "", "", "0x43800005", "b0: 0*1024", "", LEGACY},
    {"SrcB to -infinity", ON_BH, 1, "", "", "", "0x43800005", "b0: 7ffff*1024", "", ""},
    {"both banks", ON_WH, 0, "", "", "", "0x43000009", "a0: 0*1024; A0: 0*1024", "", LEGACY},
    {"both banks of SrcB", ON_WH, 1, "", "", "", "0x43800009", "b0: 0*1024; B0: 0*1024", "",
     LEGACY},
    {"both banks to -infinity", ON_WH, 0, "", "", "", "0x4300000d",
     "a0: 7ffff*1024; A0: 7ffff*1024", "", LEGACY},
    {"both banks", ON_BH, 0, "", "", "", "0x43000011", "a0: 0*1024; A0: 0*1024", "", LEGACY},
    {"both banks of SrcB", ON_BH, 1, "", "bank=1", "", "0x43800011", "b0: 0*1024; B0: 0*1024", "",
     LEGACY},
    {"both banks to -infinity", ON_BH, 0, "", "", "", "0x43000015",
     "a0: 7ffff*1024; A0: 7ffff*1024", "", LEGACY},
    // The matrix unit's bank is 0. Unless a vector says otherwise the clear of bank 1 waits for it.
    {"waits for the matrix unit's bank", ON_BOTH, 0, "", "bank=1 owner0=1", "", "~0x43000001", "",
     "", ""},
    {"waits for the matrix unit's bank, SrcB", ON_BOTH, 1, "", "bank=1 owner0=1", "", "~0x43800001",
     "", "", ""},
    {"waits for the unpacker's bank", ON_WH, 0, "", "bank=1 owner0=1", "", "0x43000011",
     "A0: 0*1024", "", ""},
    {"waits for the unpacker's bank", ON_BH, 1, "", "bank=1 owner0=1", "", "0x43800021",
     "B0: 0*1024", "", ""},
    {"waits for the unpacker's own bank", ON_WH, 1, "", "bank=1 owner1=1", "", "~0x43800011", "",
     "", ""},
    {"waits for the unpacker's own bank", ON_BH, 0, "", "bank=1 owner1=1", "", "~0x43000021", "",
     "", ""},
};

// Only tt-llk's table has these: clear to 1 in the format of bits 7:6 (FP16, BF16, INT8), and to
// what a field of configuration holds.
static const struct unpack_vector clear_bh[] = {
    {"to 1 in FP16", ON_BH, 0, "", "", "", "0x43000009", "a0: 3c00*1024", "", "undocumented-mode"},
    {"to 1 in BF16", ON_BH, 1, "", "", "", "0x43800049", "b0: 1fc00*1024", "", "undocumented-mode"},
    {"to 1 in INT8", ON_BH, 0, "", "", "", "0x43000089", "a0: 4001*1024", "", "undocumented-mode"},
    {"to the field, 0", ON_BH, 1, "UNP_NOP_REG_CLR_VAL_nop_reg_clr_val=0", "", "", "0x4380000d",
     "b0: 0*1024", "", "undocumented-mode"},
    {"to the field, all ones", ON_BH, 0, "UNP_NOP_REG_CLR_VAL_nop_reg_clr_val=0xffffffff", "", "",
     "0x4300000d", "a0: 7ffff*1024", "", "undocumented-mode"},
    {"and hand over", ON_BH, 0, "SRCA_SET_Base=1", "", "", "0x43000101", "a0: 0*1024",
     "owner0=1 bank=1 row=16", ""},
};

static const struct unpack_vector hand_over[] = {
    // SrcRow becomes SET_Base << 4.
    {"SrcA", ON_BOTH, 0, "SRCA_SET_Base=1", "", "", "0x43000001; 0x43000007", "a0: 0*1024",
     "owner0=1 bank=1 row=16", ""},
    {"SrcB", ON_BOTH, 1, "SRCB_SET_Base=2 SRCA_SET_Base=1", "bank=1 row=5", "",
     "0x43800001; 0x43800007", "B0: 0*1024", "owner1=1 bank=0 row=32", ""},
    {"SrcB by thread 1", ON_BOTH, 1, "1:SRCB_SET_Base=3 SRCB_SET_Base=1", "row=5 1:row=7", "",
     "0x43800001; 1:0x43800007", "b0: 0*1024", "owner0=1 bank=1 1:row=48", ""},
    {"after datums", ON_BOTH, 0, "", "x1=1 row=32", "10000: 0001 0002", A "; 0x43000007", "a0: 1 2",
     "owner0=1 bank=1 row=0", ""},
    // The implied format is the section's output format, not the context's.
    {"format of SrcA", ON_BH, 0, "in=0 out=4", "x1=0", "10000: 3f800000", A "; 0x43000007",
     "a0: 1fc00", "owner0=1 bank=1 format0=4", ""},
    {"format of SrcB", ON_BH, 1,
     "in=1 out=14 REG2_Ovrd_data_format=1 REG7_Unpack_data_format_cntx0=5 "
     "REG7_Unpack_out_data_format_cntx0=5",
     "x1=0", "10000: 3f80", B "; 0x43800007", "b0: 1fc00", "owner0=1 bank=1 format0=14", ""},
    // BH's own hand-over: mode 1 with 3 in bits 7:6, which clears nothing.
    {"BH's other word", ON_BH, 0, "", "x1=1", "10000: 0001 0002", A "; 0x430000c1", "a0: 1 2",
     "owner0=1 bank=1", "undocumented-mode"},
    {"BH's other word, SrcB", ON_BH, 1, "SRCB_SET_Base=3", "", "", "0x43800001; 0x438000c1",
     "b0: 0*1024", "owner0=1 bank=1 row=48", "undocumented-mode"},
};

static const struct unpack_vector nothing[] = {
    {"SrcA", ON_BOTH, 0, "", "row=3 ctx=1", "", "0x43000002", "", "", ""},
    {"SrcB", ON_BOTH, 1, "", "bank=1", "", "0x43800002", "", "", ""},
    {"thread 2", ON_BOTH, 0, "", "", "", "2:0x43000002", "", "", ""},
};

struct nop_port {
    int stores;
    uint32_t address, value;
};

static tsr_status nop_load(void *self, int agent, uint32_t address, uint32_t *value, int width)
{
    (void)self;
    (void)agent;
    (void)address;
    (void)width;
    *value = 0;
    return TSR_OK;
}

static tsr_status nop_store(void *self, int agent, uint32_t address, uint32_t value, int width)
{
    struct nop_port *port = self;
    (void)agent;
    assert_int_equal(width, 4);
    port->stores++;
    port->address = address;
    port->value = value;
    return TSR_OK;
}

static tsr_tile *port_tile(int arch, struct nop_port *port)
{
    tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
    tile_env(tile)->port = (struct tsr_port){port, nop_load, nop_store};
    return tile;
}

static void wrote(tsr_tile *tile, struct nop_port *port, int thread, uint32_t word,
                  uint32_t address, uint32_t value)
{
    int before = port->stores;
    tile_push_word(tile, thread, word);
    tile_idle(tile);
    assert_int_equal(port->stores, before + 1);
    assert_int_equal(port->address, address);
    assert_int_equal(port->value, value);
}

// SETREG: AddrSel << 22 | AddrMid << 16 | Value11 << 4 | Accumulate << 3 | 4; on BH mode 3 with bit
// 2, and AddrSel's lower bit is 15 there. SetRegBase is 0 after reset: the address is 0xffb00000 +
// (AddrMid << 12).
static uint32_t setreg(int arch, uint32_t rest)
{
    return (arch == WH ? 0x43000004u : 0x43000007u) | rest;
}

static void set_register(int arch)
{
    struct nop_port port = {0};
    tsr_tile *tile = port_tile(arch, &port);
    uint32_t second = arch == WH ? 1u << 22 : 1u << 15;
    wrote(tile, &port, 0, setreg(arch, 0x11 << 16 | 0x7ff << 4), 0xffb11000, 0x7ff);
    wrote(tile, &port, 1, setreg(arch, 1 << 23 | 0x2a << 16 | 0x123 << 4), 0xffb2a000, 0x123);
    wrote(tile, &port, 0, setreg(arch, second | 0x3f << 16 | 1 << 4), 0xffb3f000, 1);
    wrote(tile, &port, 2, setreg(arch, 0x12 << 16), 0xffb12000, 0); // a store of 0 is written
    assert_non_null(tile_found(tile, LEGACY));
    tsr_tile_destroy(tile);
}

// Accumulate: 5, then 5 + 7; a value of 0 clears the sum and writes nothing; then 0 + 9. Each
// unpacker has a sum of its own, of 17 bits: 0x1ffff + 2 is 1.
static void accumulate(int arch)
{
    struct nop_port port = {0};
    tsr_tile *tile = port_tile(arch, &port);
    const uint32_t add = 0x11 << 16 | 1 << 3, other = 1u << 23;
    wrote(tile, &port, 0, setreg(arch, add | 5 << 4), 0xffb11000, 5);
    wrote(tile, &port, 0, setreg(arch, add | 7 << 4), 0xffb11000, 12);
    wrote(tile, &port, 0, setreg(arch, other | add | 3 << 4), 0xffb11000, 3);
    int before = port.stores;
    tile_push_word(tile, 0, setreg(arch, add));
    tile_idle(tile);
    assert_int_equal(port.stores, before);
    wrote(tile, &port, 0, setreg(arch, add | 9 << 4), 0xffb11000, 9);
    tile_state(tile)->tdma.unpack_register_acc[1] = 0x1ffff;
    wrote(tile, &port, 0, setreg(arch, other | add | 2 << 4), 0xffb11000, 1);
    tsr_tile_destroy(tile);
}

// TDMA-RISC shows the sum in the upper half of 0xffb1101c, and of 0xffb1111c for unpacker 1.
static void sample_sum(int arch)
{
    tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
    uint32_t value = 0;
    tile_push_word(tile, 0, setreg(arch, 0x11 << 16 | 0x234 << 4 | 1 << 3));
    tile_push_word(tile, 0, setreg(arch, 1 << 23 | 0x11 << 16 | 0x077 << 4 | 1 << 3));
    tile_idle(tile);
    assert_int_equal(tsr_load(tile, TSR_CORE_B, 0xffb1101c, &value, 4), TSR_OK);
    assert_int_equal(value >> 16, 0x234);
    assert_int_equal(tsr_load(tile, TSR_CORE_B, 0xffb1111c, &value, 4), TSR_OK);
    assert_int_equal(value >> 16, 0x77);
    tsr_tile_destroy(tile);
}

static void cleared(tsr_tile *tile, struct nop_port *port, int thread, uint32_t word,
                    uint32_t stream)
{
    int before = port->stores;
    tile_push_word(tile, thread, word);
    tile_idle(tile);
    assert_int_equal(port->stores, before + 1);
    assert_int_equal((port->address - 0xffb40000) >> 12, stream); // each stream has 4 KiB
    assert_int_equal(port->value, 1);
}

// The stream is the instruction's if its ClearCount is not 0, else the thread's for this unpacker.
// 1 is written to its register.
static void overlay_clear(int arch)
{
    struct nop_port port = {0};
    tsr_tile *tile = port_tile(arch, &port);
    tile_field(tile, 0, FIELD_NOC_OVERLAY_MSG_CLEAR_StreamId_0, 9);
    tile_field(tile, 0, FIELD_NOC_OVERLAY_MSG_CLEAR_StreamId_1, 17);
    tile_field(tile, 1, FIELD_NOC_OVERLAY_MSG_CLEAR_StreamId_0, 30);
    cleared(tile, &port, 0, 0x43000000, 9);
    cleared(tile, &port, 0, 0x43800000, 17);
    cleared(tile, &port, 1, 0x43000000, 30);
    cleared(tile, &port, 0, 0x43000003 | 5 << 16 | 1 << 12, 5); // ClearCount 0x100
    cleared(tile, &port, 2, 0x43800003 | 63 << 16 | 7 << 12, 63);
    cleared(tile, &port, 0, 0x43000003 | 5 << 16, 9);
    assert_non_null(tile_found(tile, LEGACY));
    tsr_tile_destroy(tile);
}

VECTORS(clear)
VECTORS(clear_bh)
VECTORS(hand_over)
VECTORS(nothing)
TILE_BOTH(set_register)
TILE_BOTH(accumulate)
TILE_BOTH(sample_sum)
TILE_BOTH(overlay_clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        VECTORS_TEST(clear),   VECTORS_TEST(clear_bh),   VECTORS_TEST(hand_over),
        VECTORS_TEST(nothing), TILE_TEST(set_register),  TILE_TEST(accumulate),
        TILE_TEST(sample_sum), TILE_TEST(overlay_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
