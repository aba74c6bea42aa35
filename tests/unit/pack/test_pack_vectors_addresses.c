// SPDX-License-Identifier: Apache-2.0
// Where PACR writes and how its counters move, worked by hand from the ISA pages by a reader who
// had not seen the code.
// Pages: Packers/OutputAddressGenerator, Packers/InputAddressGenerator, TDMA-RISC, ADCs.

#include "rig/pack_vectors_rig.h"

// Datum c of row r is 0x100 r + c. What a row is packed to has an untouched line before it.
#define ROWS "d0-63+100: 0000+16"

static const struct pack_vector headers[] = {
    // L1_Dest_addr is a line before the output, unless Sub_l1_tile_header_size.
    {"after a header", ON_BOTH, "INT16", ROWS, "", "3fff0: --*16 0000+16"},
    {"without a header", ON_BOTH, "INT16 Sub_l1_tile_header_size=1", ROWS, "",
     "3ffe0: --*16 0000+16"},
    // Seventeen bits of the line count: 0x20000 lines more are nothing.
    {"17 bits", ON_BOTH, "INT16 L1_Dest_addr=0x23fff", ROWS, "", "3fff0: --*16 0000+16"},
};

// base + 16 bytes * (Y, Z, W by their strides): Wormhole counts lines and drops the low four bits,
// Blackhole counts bytes and drops them.
static const struct pack_vector strides[] = {
    {"Y", ON_WH, "INT16 ystride1=0x20 y1=3", ROWS, "", "405f0: --*16 0000+16"},
    {"Y", ON_BH, "INT16 ystride1=0x20 y1=3", ROWS, "", "40050: --*16 0000+16"},
    // 0x18 & ~15 lines; 0x18 >> 4 lines.
    {"Y of 1.5", ON_WH, "INT16 ystride1=0x18 y1=1", ROWS, "", "400f0: --*16 0000+16"},
    {"Y of 1.5", ON_BH, "INT16 ystride1=0x18 y1=1", ROWS, "", "40000: --*16 0000+16"},
    {"Y, Z, W", ON_WH,
     "INT16 base1=0x10 ystride1=0x20 zstride1=0x100 wstride1=0x400 y1=2 z1=1 w1=1", ROWS, "",
     "454f0: --*16 0000+16"},
    {"Y, Z, W", ON_BH,
     "INT16 base1=0x10 ystride1=0x20 zstride1=0x100 wstride1=0x400 y1=2 z1=1 w1=1", ROWS, "",
     "40540: --*16 0000+16"},
    {"base", ON_WH, "INT16 base1=0x1f ystride1=0x20", ROWS, "", "400f0: --*16 0000+16"},
    {"base", ON_BH, "INT16 base1=0x1f ystride1=0x20", ROWS, "", "40000: --*16 0000+16"},
    // The sum is 0x10.
    {"base and Y", ON_WH, "INT16 base1=0x8 ystride1=0x8 y1=1", ROWS, "", "400f0: --*16 0000+16"},
    {"base and Y", ON_BH, "INT16 base1=0x8 ystride1=0x8 y1=1", ROWS, "", "40000: --*16 0000+16"},
    {"Z", ON_WH, "INT16 zstride1=0x30 z1=5", ROWS, "", "40ef0: --*16 0000+16"},
    {"Z", ON_BH, "INT16 zstride1=0x30 z1=5", ROWS, "", "400e0: --*16 0000+16"},
    {"W", ON_WH, "INT16 wstride1=0x50 w1=3", ROWS, "", "40ef0: --*16 0000+16"},
    {"W", ON_BH, "INT16 wstride1=0x50 w1=3", ROWS, "", "400e0: --*16 0000+16"},
};

// An address beyond 2 * limit + 1 lines goes back by 2 * size lines, once.
#define LIMIT(limit) "INT16 REG9_Pack_0_2_fifo_size=0x80 REG9_Pack_0_2_limit_address=" #limit
static const struct pack_vector limits[] = {
    {"0x4000 > 0x3fff", ON_BOTH, LIMIT(0x1fff) " L1_Dest_addr=0x3fff", ROWS, "",
     "3eff0: --*16 0000+16"},
    {"not > 0x4001", ON_BOTH, LIMIT(0x2000) " L1_Dest_addr=0x3fff", ROWS, "",
     "3fff0: --*16 0000+16"},
    {"equal", ON_BOTH, LIMIT(0x2000) " L1_Dest_addr=0x4000", ROWS, "", "40000: --*16 0000+16"},
    {"0x4002", ON_BOTH, LIMIT(0x2000) " L1_Dest_addr=0x4001", ROWS, "", "3f010: --*16 0000+16"},
    {"once only", ON_BOTH, LIMIT(0x2000) " L1_Dest_addr=0x43ff", ROWS, "", "42ff0: --*16 0000+16"},
    // Only the start is compared: the second line of a row runs over the limit.
    {"over the limit", ON_BOTH, LIMIT(0x1fff) " L1_Dest_addr=0x3ffe", ROWS, "",
     "3ffe0: --*16 0000+16"},
};

static const struct pack_vector packers[] = {
    // Bit 31 of packer 0's address makes the others relative to it, also when packer 0 has no work;
    // its Y, Z and W are not in it. Y is 0x10 lines for each: 0x1000 + 0x4000 + 0x10 lines.
    {"relative", ON_WH,
     "INT16 row1=16 L1_Dest_addr=0x80003fff REG8_L1_Dest_addr=0x0fff ystride1=0x10 y1=1", ROWS,
     "PACR PackSel=3 Last=1", "500f0: --*16 1000+16; 400f0: --*16 0000+16"},
    {"relative, alone", ON_WH,
     "INT16 row1=16 L1_Dest_addr=0x80003fff REG8_L1_Dest_addr=0x0fff ystride1=0x10 y1=1", ROWS,
     "PACR PackSel=2 Last=1", "500f0: --*16 1000+16"},
    {"absolute", ON_WH, "INT16 row1=16 REG8_L1_Dest_addr=0x0fff", ROWS, "PACR PackSel=3 Last=1",
     "0fff0: --*16 1000+16"},
    // The offset that TDMA-RISC sets is each packer's: bit 17 is packer 1.
    {"TDMA-RISC", ON_WH,
     "INT16 row1=16 Add_l1_dest_addr_offset=1 REG8_Add_l1_dest_addr_offset=1 ffb1101c=0x00020008",
     ROWS, "PACR PackSel=3 Last=1", "3fff0: --*16 0000+16; 50070: --*16 1000+16"},
};

// One PACR with AddrMode 2: what both channels' counters are afterwards. The modifiers of the other
// channel are 0. Channel 0's Y and Z give row 0 in any case (strides 0).
#define AT(c, y, ycr, z, zcr) " y" #c "=" #y " ycr" #c "=" #ycr " z" #c "=" #z " zcr" #c "=" #zcr
static const struct pack_vector moves[] = {
    {"add, src", ON_BOTH, "INT16 SEC2_YsrcIncr=3" AT(0, 5, 2, 7, 1) AT(1, 5, 2, 7, 1), ROWS,
     "P AddrMode=2 Last=1", "?" AT(0, 8, 2, 7, 1) AT(1, 5, 2, 7, 1)},
    {"add, dst", ON_BOTH, "INT16 SEC2_YdstIncr=3" AT(0, 5, 2, 7, 1) AT(1, 5, 2, 7, 1), ROWS,
     "P AddrMode=2 Last=1", "?" AT(0, 5, 2, 7, 1) AT(1, 8, 2, 7, 1)},
    // Y_Cr 2 + 3, and Y from it.
    {"carriage return, src", ON_BOTH,
     "INT16 SEC2_YsrcIncr=3 SEC2_YsrcCR=1" AT(0, 9, 2, 7, 1) AT(1, 9, 2, 7, 1), ROWS,
     "P AddrMode=2 Last=1", "?" AT(0, 5, 5, 7, 1) AT(1, 9, 2, 7, 1)},
    {"carriage return, dst", ON_BOTH,
     "INT16 SEC2_YdstIncr=3 SEC2_YdstCR=1" AT(0, 9, 2, 7, 1) AT(1, 9, 2, 7, 1), ROWS,
     "P AddrMode=2 Last=1", "?" AT(0, 9, 2, 7, 1) AT(1, 5, 5, 7, 1)},
    {"return by 0, src", ON_BOTH, "INT16 SEC2_YsrcCR=1" AT(0, 9, 2, 7, 1) AT(1, 9, 2, 7, 1), ROWS,
     "P AddrMode=2 Last=1", "?" AT(0, 2, 2, 7, 1) AT(1, 9, 2, 7, 1)},
    {"return by 0, dst", ON_BOTH, "INT16 SEC2_YdstCR=1" AT(0, 9, 2, 7, 1) AT(1, 9, 2, 7, 1), ROWS,
     "P AddrMode=2 Last=1", "?" AT(0, 9, 2, 7, 1) AT(1, 2, 2, 7, 1)},
    {"clear, src", ON_BOTH,
     "INT16 SEC2_YsrcIncr=3 SEC2_YsrcClear=1" AT(0, 9, 2, 7, 1) AT(1, 9, 2, 7, 1), ROWS,
     "P AddrMode=2 Last=1", "?" AT(0, 0, 0, 7, 1) AT(1, 9, 2, 7, 1)},
    {"clear, dst", ON_BOTH,
     "INT16 SEC2_YdstIncr=3 SEC2_YdstClear=1" AT(0, 9, 2, 7, 1) AT(1, 9, 2, 7, 1), ROWS,
     "P AddrMode=2 Last=1", "?" AT(0, 9, 2, 7, 1) AT(1, 0, 0, 7, 1)},
    {"clear before return, src", ON_BOTH,
     "INT16 SEC2_YsrcIncr=3 SEC2_YsrcCR=1 SEC2_YsrcClear=1" AT(0, 9, 2, 7, 1) AT(1, 9, 2, 7, 1),
     ROWS, "P AddrMode=2 Last=1", "?" AT(0, 0, 0, 7, 1) AT(1, 9, 2, 7, 1)},
    {"clear before return, dst", ON_BOTH,
     "INT16 SEC2_YdstIncr=3 SEC2_YdstCR=1 SEC2_YdstClear=1" AT(0, 9, 2, 7, 1) AT(1, 9, 2, 7, 1),
     ROWS, "P AddrMode=2 Last=1", "?" AT(0, 9, 2, 7, 1) AT(1, 0, 0, 7, 1)},
    {"z, src", ON_BOTH, "INT16 SEC2_ZsrcIncr=1" AT(0, 9, 2, 7, 1) AT(1, 9, 2, 7, 1), ROWS,
     "P AddrMode=2 Last=1", "?" AT(0, 9, 2, 8, 1) AT(1, 9, 2, 7, 1)},
    {"z, dst", ON_BOTH, "INT16 SEC2_ZdstIncr=1" AT(0, 9, 2, 7, 1) AT(1, 9, 2, 7, 1), ROWS,
     "P AddrMode=2 Last=1", "?" AT(0, 9, 2, 7, 1) AT(1, 9, 2, 8, 1)},
    {"clear z, src", ON_BOTH,
     "INT16 SEC2_ZsrcIncr=1 SEC2_ZsrcClear=1" AT(0, 9, 2, 7, 1) AT(1, 9, 2, 7, 1), ROWS,
     "P AddrMode=2 Last=1", "?" AT(0, 9, 2, 0, 0) AT(1, 9, 2, 7, 1)},
    {"clear z, dst", ON_BOTH,
     "INT16 SEC2_ZdstIncr=1 SEC2_ZdstClear=1" AT(0, 9, 2, 7, 1) AT(1, 9, 2, 7, 1), ROWS,
     "P AddrMode=2 Last=1", "?" AT(0, 9, 2, 7, 1) AT(1, 9, 2, 0, 0)},
    {"thirteen bits, src", ON_BOTH,
     "INT16 SEC2_YsrcIncr=15" AT(0, 8184, 0, 0, 0) AT(1, 8184, 0, 0, 0), ROWS,
     "P AddrMode=2 Last=1", "?" AT(0, 7, 0, 0, 0) AT(1, 8184, 0, 0, 0)},
    {"thirteen bits, dst", ON_BOTH,
     "INT16 SEC2_YdstIncr=15" AT(0, 8184, 0, 0, 0) AT(1, 8184, 0, 0, 0), ROWS,
     "P AddrMode=2 Last=1", "?" AT(0, 8184, 0, 0, 0) AT(1, 7, 0, 0, 0)},
    // The counters that an instruction finds are the ones it uses: rows 0, 4, 8 to 0x100 bytes
    // apart. A flush moves them too.
    {"used as found", ON_WH, "INT16 ystride0=32 ystride1=0x10 SEC1_YsrcIncr=4 SEC1_YdstIncr=1",
     ROWS, "3*P AddrMode=1 Last=1",
     "3fff0: --*16 0000+16; 400f0: --*16 0400+16; 401f0: --*16 0800+16; P AddrMode=1 Flush=1; ? "
     "y0=16 y1=4"},
    {"used as found", ON_BH, "INT16 ystride0=32 ystride1=0x100 SEC1_YsrcIncr=4 SEC1_YdstIncr=1",
     ROWS, "3*P AddrMode=1 Last=1",
     "3fff0: --*16 0000+16; 400f0: --*16 0400+16; 401f0: --*16 0800+16; P AddrMode=1 Flush=1; ? "
     "y0=16 y1=4"},
};

VECTORS(headers)
VECTORS(strides)
VECTORS(limits)
VECTORS(packers)
VECTORS(moves)

int main(void)
{
    const struct CMUnitTest tests[] = {
        VECTORS_TEST(headers), VECTORS_TEST(strides), VECTORS_TEST(limits),
        VECTORS_TEST(packers), VECTORS_TEST(moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
