// SPDX-License-Identifier: Apache-2.0
// Modes of the vector unit that the vendor's simulator refuses, so that no conformance case shows
// them: short programs whose results were worked out by hand from the page. Each runs on the second
// model and on a tile.
// Pages: SFP*.md of both chips, as the rows name them.
#include "oracle/sfpu_tile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { WH = 1, BH = 2, BOTH = 3, SEED = 0x12345678 };

// LRegs 0 to 7 begin with `lreg` in all lanes; `lane` of register `reg` ends with `expected`.
struct hand {
    unsigned chips;
    const char *what;
    uint32_t lreg[8];
    const char *program; // words, with semicolons between
    unsigned reg, lane;
    uint32_t expected;
};

#define NOP "; SFPNOP"
#define PUT(mode) "SFPSTORE dest_reg_addr=64 instr_mod0=" mode " lreg_ind=0"
#define GET(mode) "; SFPLOAD dest_reg_addr=64 lreg_ind=1 instr_mod0=" mode
#define RAW GET("6")
#define NO_LANES "; SFPENCC instr_mod1=10 imm12_math=1; "
#define ALL_LANES "; SFPENCC instr_mod1=10 imm12_math=3"

static const struct hand loads[] = {
    {BOTH, "SFPLOAD FP16: one", {0x000f}, PUT("6") GET("1"), 1, 0, 0x3f800000},
    {BOTH, "SFPLOAD FP16: largest", {0xffff}, PUT("6") GET("1"), 1, 31, 0xc7ffe000},
    {BOTH, "SFPLOAD FP16: denormal", {0x0020}, PUT("6") GET("1"), 1, 0, 0x00002000},
    {BOTH,
     "SFPLOAD FP16: infinity",
     {0x7fff},
     PUT("6") "; SFPCONFIG config_dest=15 instr_mod1=1 imm16_math=1" NOP GET("1"),
     1,
     0,
     0x7f800000},
    {WH, "SFPLOAD INT8: seven bits", {0xbff0}, PUT("6") GET("5"), 1, 0, 0x8000007f},
    {BH, "SFPLOAD INT8: eight bits", {0xbff0}, PUT("6") GET("5"), 1, 0, 0x800000ff},
    {BOTH, "SFPLOAD HI16", {0x1234, 0xffffffff}, PUT("6") GET("7"), 1, 0, 0x12340000},
    {BOTH, "SFPLOAD INT16", {0x8005}, PUT("6") GET("8"), 1, 0, 0x80000005},
    {BOTH, "SFPLOAD LO16", {0x8005, 0xffffffff}, PUT("6") GET("9"), 1, 0, 0x00008005},
    {BOTH,
     "SFPLOAD INT32_ALL: lanes that are off",
     {0x12345678},
     PUT("4") NO_LANES "SFPNOP" GET("10"),
     1,
     5,
     0x12345678},
    {BOTH,
     "SFPLOAD INT32: lanes that are off",
     {0x12345678, 7},
     PUT("4") NO_LANES "SFPNOP" GET("4"),
     1,
     5,
     7},
    {BOTH, "SFPLOAD ZERO", {1, 7}, PUT("6") GET("11"), 1, 0, 0},
    {WH, "SFPLOAD INT8_COMP: -5", {0x80b0}, PUT("6") GET("13"), 1, 0, 0xfffffffb},
    {BH, "SFPLOAD INT8_COMP: no conversion", {0x80b0}, PUT("6") GET("13"), 1, 0, 0x80000005},
};

static const struct hand stores[] = {
    {BOTH, "SFPSTORE FP16: one", {0x3f800000}, PUT("1") RAW, 1, 0, 0x000f},
    {BOTH, "SFPSTORE FP16: infinity", {0x7f800000}, PUT("1") RAW, 1, 0, 0x7fff},
    {BOTH, "SFPSTORE FP16: cuts", {0xb8ffffff}, PUT("1") RAW, 1, 0, 0xffe1},
    {BOTH, "SFPSTORE FP16: too small", {0xb87fffff}, PUT("1") RAW, 1, 0, 0x8000},
    {BOTH, "SFPSTORE INT8", {0x800003ff}, PUT("5") RAW, 1, 0, 0xfff0},
    {BOTH, "SFPSTORE INT16", {0x80012345}, PUT("8") RAW, 1, 0, 0xa345},
    {BOTH,
     "SFPSTORE INT32_ALL: lanes that are off",
     {0x12345678},
     "SFPENCC instr_mod1=10 imm12_math=1; " PUT("10") GET("10"),
     1,
     5,
     0x12345678},
    {BOTH, "SFPSTORE ZERO", {0x1234}, PUT("6") "; " PUT("11") RAW, 1, 0, 0},
    {WH, "SFPSTORE INT8_COMP: -5", {0xfffffffb}, PUT("13") RAW, 1, 0, 0x80b0},
    {BH, "SFPSTORE INT8_COMP: no conversion", {0xfffffffb}, PUT("13") RAW, 1, 0, 0xff70},
};

#define LUT(mod) "SFPLUT lreg_ind=4 instr_mod0=" mod NOP
#define LUT32(mod) "SFPLUTFP32 lreg_dest=7 instr_mod1=" mod NOP

static const struct hand multiplies[] = {
    // 0.5 * 0.5 + 0.25
    {BOTH, "SFPLUT 0", {0x1020, 0, 0, 0xbf000000}, LUT("0"), 4, 0, 0x3f000000},
    {BOTH, "SFPLUT 1", {0x1020, 0, 0, 0xbf000000}, LUT("1"), 4, 0, 0x3f000000},
    {BOTH, "SFPLUT 2", {0x1020, 0, 0, 0xbf000000}, LUT("2"), 4, 0, 0x3f000000},
    {BOTH, "SFPLUT 8", {0x1020, 0, 0, 0xbf000000, 0, 0, 0, 6}, LUT("8"), 6, 0, 0x3f000000},
    {BOTH, "SFPLUT 12", {0x1020, 0, 0, 0xbf000000, 0, 0, 0, 6}, LUT("12"), 6, 0, 0xbf000000},
    // 2 * 1.5 + 3
    {BOTH,
     "SFPLUTFP32 0",
     {0, 0x40000000, 0, 0x3fc00000, 0, 0x40400000},
     LUT32("0"),
     7,
     0,
     0x40c00000},
    {BOTH,
     "SFPLUTFP32 1",
     {0, 0x40000000, 0, 0x3fc00000, 0, 0x40400000},
     LUT32("1"),
     7,
     0,
     0x40c00000},
    {BOTH,
     "SFPLUTFP32 4",
     {0, 0x40000000, 0, 0xbfc00000, 0, 0x40400000},
     LUT32("4"),
     7,
     0,
     0xc0c00000},
    // 2 * 0.5 + 1, to the register that L7 names
    {BOTH,
     "SFPLUTFP32 10",
     {0x40003c00, 0, 0, 0x3f000000, 0, 0, 0, 6},
     LUT32("10"),
     6,
     0,
     0x40000000},
    // 3.5 is below 4 (1 * 3.5 + 2) and not below 3 (3 * 3.5 + 2^-15)
    {BOTH,
     "SFPLUTFP32 3",
     {0, 0, 0x42003c00, 0x40600000, 0, 0, 0x4000},
     LUT32("3"),
     7,
     0,
     0x40b00000},
    {BOTH,
     "SFPLUTFP32 2",
     {0, 0, 0x42003c00, 0x40600000, 0, 0, 0x4000},
     LUT32("2"),
     7,
     0,
     0x41280020},
    // 3 * 2 + 1
    {BOTH,
     "SFPMAD indirect VA",
     {0x3f800000, 0x40000000, 0x40400000, 0, 0, 0, 0, 2},
     "SFPMAD lreg_dest=4 lreg_src_a=9 lreg_src_b=1 lreg_src_c=0 instr_mod1=4" NOP,
     4,
     0,
     0x40e00000},
    {BOTH,
     "SFPMAD indirect VD",
     {0x3f800000, 0x40000000, 0x40400000, 0, 0, 0, 0, 0x35},
     "SFPMAD lreg_dest=4 lreg_src_a=2 lreg_src_b=1 lreg_src_c=0 instr_mod1=8" NOP,
     5,
     0,
     0x40e00000},
    {BH,
     "SFPMULI negates VC",
     {0, 0, 0, 0, 0x40400000},
     "SFPMULI lreg_dest=4 imm16_math=0x4000 instr_mod1=2" NOP,
     4,
     0,
     0xc0c00000},
    {BH,
     "SFPADDI negates VC",
     {0, 0, 0, 0, 0x40400000},
     "SFPADDI lreg_dest=4 imm16_math=0x4000 instr_mod1=2" NOP,
     4,
     0,
     0xbf800000},
};

#define RND(how) "SFP_STOCH_RND lreg_dest=1 lreg_src_c=0 lreg_src_b=2 " how

static const struct hand rounds[] = {
    {BOTH, "SFPSTOCHRND FP16A: tie", {0x3f801000}, RND("instr_mod1=0"), 1, 0, 0x3f802000},
    {BOTH, "SFPSTOCHRND FP16A: below", {0x3f800fff}, RND("instr_mod1=0"), 1, 0, 0x3f800000},
    {BOTH, "SFPSTOCHRND FP16A: NaN", {0xffc00001}, RND("instr_mod1=0"), 1, 0, 0xff800000},
    {BOTH, "SFPSTOCHRND FP16A: denormal", {0x807fffff}, RND("instr_mod1=0"), 1, 0, 0},
    // 519 >> 1 = 259.5, 519 >> 2 = 129.75, 519 >> 5 = 16.2
    {BOTH, "SFPSTOCHRND UINT8 by VB", {0x80000207, 0, 33}, RND("instr_mod1=4"), 1, 0, 255},
    {BOTH, "SFPSTOCHRND INT8 by VB", {0x80000207, 0, 5}, RND("instr_mod1=5"), 1, 0, 0x80000010},
    {BOTH, "SFPSTOCHRND UINT8 by Imm5", {0x80000207}, RND("instr_mod1=12 imm8_math=2"), 1, 0, 130},
    {BOTH,
     "SFPSTOCHRND INT8 by Imm5",
     {0x80000207},
     RND("instr_mod1=13 imm8_math=2"),
     1,
     0,
     0x8000007f},
    // The seed gives lane 0 0x837ee01d, of which the low 23 bits are 0x7ee01d.
    {BOTH,
     "SFPSTOCHRND stochastic: up",
     {0x3f80fdc0},
     RND("instr_mod1=1 rnd_mode=1"),
     1,
     0,
     0x3f810000},
    {BOTH,
     "SFPSTOCHRND stochastic: down",
     {0x3f80fdbf},
     RND("instr_mod1=1 rnd_mode=1"),
     1,
     0,
     0x3f800000},
    {BOTH,
     "SFPSTOCHRND stochastic: lane 31",
     {0x3f800359},
     RND("instr_mod1=0 rnd_mode=1"),
     1,
     31,
     0x3f802000},
    {BOTH,
     "SFPSTOCHRND to nearest draws, too",
     {0},
     RND("instr_mod1=0") "; SFPMOV lreg_dest=2 "
                         "lreg_c=9 instr_mod1=8",
     2,
     0,
     0x41bf700e},
    {BH, "SFPSTOCHRND to zero: its mistake", {0x3f7fffff}, RND("instr_mod1=3 rnd_mode=2"), 1, 0, 1},
    {BH, "SFPSTOCHRND to zero", {0x3fffffef}, RND("instr_mod1=3 rnd_mode=2"), 1, 0, 1},
    // What is cut off has 0x72 or 0x70 as its upper seven bits; lane 0 draws 0x70.
    {BOTH,
     "SFPCAST stochastic: up",
     {0x40000039},
     "SFPCAST lreg_dest=1 lreg_src_c=0 instr_mod1=1",
     1,
     0,
     0x4e800001},
    {BOTH,
     "SFPCAST stochastic: down",
     {0x40000038},
     "SFPCAST lreg_dest=1 lreg_src_c=0 instr_mod1=1",
     1,
     0,
     0x4e800000},
    {BH,
     "SFPCAST 2: absolute",
     {0xfffffffb},
     "SFPCAST lreg_dest=1 lreg_src_c=0 instr_mod1=2",
     1,
     0,
     5},
    {BH,
     "SFPCAST 3: -0",
     {0x80000000},
     "SFPCAST lreg_dest=1 lreg_src_c=0 instr_mod1=3",
     1,
     0,
     0x80000000},
};

#define ALIVE "SFPLOADI lreg_ind=6 imm16=1 instr_mod0=2"
#define COPY15(reg) "SFPMOV lreg_dest=" reg " lreg_c=15; "

static const struct hand others[] = {
    {BOTH,
     "SFPLZ 6: only a sign",
     {0x80000000},
     "SFPLZ lreg_dest=1 lreg_c=0 instr_mod1=6",
     1,
     0,
     32},
    {BOTH,
     "SFPLZ 6: the flag",
     {0x80000000},
     "SFPENCC instr_mod1=10 imm12_math=3; SFPLZ lreg_dest=1 lreg_c=0 instr_mod1=6; " ALIVE,
     6,
     0,
     0},
    {BOTH,
     "SFPPOPC 1: the top",
     {0},
     "SFPENCC instr_mod1=10 imm12_math=3; SFPPUSHC; SFPSETCC lreg_c=0 instr_mod1=2; "
     "SFPPOPC instr_mod1=1; " ALIVE,
     6,
     0,
     1},
    {BOTH,
     "SFPPOPC 3: both",
     {0},
     "SFPENCC instr_mod1=10 imm12_math=3; SFPPUSHC; SFPSETCC lreg_c=0 instr_mod1=2; "
     "SFPPOPC instr_mod1=3; " ALIVE,
     6,
     0,
     0},
    {BOTH,
     "SFPSETMAN immediate",
     {0xbf800000},
     "SFPSETMAN lreg_dest=1 lreg_c=0 instr_mod1=1 imm12_math=0xfff",
     1,
     0,
     0xbffff800},
    {BOTH, "SFPSHFT2 0: L0", {1, 2, 3, 4}, "SFPSHFT2 instr_mod1=0", 0, 0, 2},
    {BOTH, "SFPSHFT2 0: L3", {1, 2, 3, 4}, "SFPSHFT2 instr_mod1=0", 3, 0, 0},
    {BOTH, "SFPSHFT2 1: from the next row", {0}, COPY15("0") "SFPSHFT2 instr_mod1=1", 3, 5, 26},
    {BOTH, "SFPSHFT2 1: the last row", {0, 9, 9, 9}, COPY15("0") "SFPSHFT2 instr_mod1=1", 3, 24, 0},
    {BOTH,
     "SFPSHFT2 2: rotated",
     {1, 2, 3, 4},
     COPY15("4") "SFPSHFT2 instr_mod1=2 lreg_src_c=4" NOP,
     3,
     8,
     30},
    {BOTH,
     "SFPSHFT2 2: copied",
     {1, 2, 3, 4},
     COPY15("4") "SFPSHFT2 instr_mod1=2 lreg_src_c=4" NOP,
     2,
     8,
     4},
    {BH,
     "SFPSHFT2 4: a zero",
     {0, 9},
     "SFPSHFT2 instr_mod1=4 lreg_dest=1 lreg_src_c=15" NOP,
     1,
     8,
     0},
    {WH,
     "SFPSHFT2 4: its mistake",
     {0, 9},
     "SFPSHFT2 instr_mod1=3 lreg_dest=2 lreg_src_c=15" NOP
     "; SFPSHFT2 instr_mod1=4 lreg_dest=1 lreg_src_c=10" NOP,
     1,
     8,
     30},
    {BOTH,
     "SFPSHFT2 4: moves",
     {0, 9},
     "SFPSHFT2 instr_mod1=3 lreg_dest=2 lreg_src_c=9" NOP
     "; SFPSHFT2 instr_mod1=4 lreg_dest=1 lreg_src_c=15" NOP,
     1,
     13,
     24},
    {BOTH,
     "SFPSHFT2 6: left",
     {0, 0, 0, 5},
     "SFPSHFT2 instr_mod1=6 lreg_dest=1 imm12_math=3",
     1,
     0,
     40},
    {BOTH,
     "SFPSHFT2 6: right",
     {0},
     "SFPSHFT2 instr_mod1=6 lreg_dest=1 imm12_math=0xffd",
     1,
     0,
     0x17e59898},
    {BOTH,
     "SFPSWAP 4: least in row 0",
     {0, 5, 3},
     "SFPSWAP lreg_dest=1 lreg_src_c=2 instr_mod1=4" NOP,
     1,
     7,
     3},
    {BOTH,
     "SFPSWAP 4: most in row 1",
     {0, 5, 3},
     "SFPSWAP lreg_dest=1 lreg_src_c=2 instr_mod1=4" NOP,
     1,
     8,
     5},
    {BOTH,
     "SFPSWAP 4: least in row 3",
     {0, 5, 3},
     "SFPSWAP lreg_dest=1 lreg_src_c=2 instr_mod1=4" NOP,
     1,
     24,
     3},
    {BOTH,
     "SFPSWAP 5: least in row 0 alone",
     {0, 5, 3},
     "SFPSWAP lreg_dest=1 lreg_src_c=2 instr_mod1=5" NOP,
     1,
     24,
     5},
    {BOTH,
     "SFPSWAP 8: least in row 3 alone",
     {0, 5, 3},
     "SFPSWAP lreg_dest=1 lreg_src_c=2 instr_mod1=8" NOP,
     2,
     31,
     5},
    {BH,
     "SFPARECIP 1: reciprocal",
     {0xc0000000, 0x80000000},
     "SFPARECIP lreg_dest=2 lreg_c=0 imm12_math=1 instr_mod1=1",
     2,
     0,
     0x3eff0000},
    {BH,
     "SFPARECIP 1: unchanged",
     {0xc0000000, 0x7fffffff},
     "SFPARECIP lreg_dest=2 lreg_c=0 imm12_math=1 instr_mod1=1",
     2,
     0,
     0xc0000000},
    {BH,
     "SFPARECIP 2: e",
     {0xbf800000},
     "SFPARECIP lreg_dest=2 lreg_c=0 instr_mod1=2",
     2,
     0,
     0xc02d0000},
    {BH,
     "SFPGT changes the stack's top",
     {1, 2},
     "SFPENCC instr_mod1=10 imm12_math=3; SFPPUSHC; SFPGT lreg_dest=0 lreg_c=1 instr_mod1=2; "
     "SFPPOPC; " ALIVE,
     6,
     0,
     0},
    {BH,
     "SFPPUSHC 14 changes the stack's top",
     {1, 2},
     "SFPENCC instr_mod1=10 imm12_math=1; SFPPUSHC; SFPPUSHC instr_mod1=14; SFPPOPC; " ALIVE,
     6,
     0,
     1},
};

// Macro 0, its sequence in two halves; then one SFPLOADMACRO of row 64, and what software has
// to wait.
#define SEQUENCE(high, low)                                                                        \
    "; SFPLOADI imm16=" low " instr_mod0=10; SFPLOADI imm16=" high                                 \
    " instr_mod0=8; SFPCONFIG config_dest=4" NOP
#define MISC(bits) "; SFPCONFIG config_dest=8 instr_mod1=1 imm16_math=" bits NOP
#define MACRO(mode) "; SFPLOADMACRO lreg_ind=1 dest_reg_addr=64 instr_mod0=" mode
#define WAIT NOP NOP NOP NOP NOP NOP

static const struct hand macros[] = {
    // Cast at once, round a cycle later to L16, store that: 259 becomes 260 as BF16, 0x4382, which
    // Dst has as 0x0287.
    {BOTH,
     "SFPLOADMACRO: a pipeline",
     {259},
     PUT("6") "; SFPCAST lreg_dest=12 lreg_src_c=0; SFP_STOCH_RND lreg_dest=13 "
              "instr_mod1=1" SEQUENCE("0x534d", "0x0004") MISC("0x002") MACRO("6") WAIT RAW,
     1,
     0,
     0x0287},
    {BOTH,
     "SFPLOADMACRO: the register that it loads",
     {259},
     PUT("6") "; SFPCAST lreg_dest=12 lreg_src_c=0" SEQUENCE("0", "0x0004") MACRO("6") WAIT,
     1,
     3,
     0x43818000},
    // The sum is there two cycles after its sub-unit began: 3 + 4 from the loaded 3.
    {BOTH,
     "SFPLOADMACRO: SFPMAD",
     {0x40400000, 0, 0x40800000},
     PUT("3") "; SFPADD lreg_dest=12 lreg_src_a=10 lreg_src_b=2 lreg_src_c=9" SEQUENCE(
         "0x1300", "0x0400") MISC("0x003") MACRO("3") WAIT GET("3"),
     1,
     0,
     0x40e00000},
    // Two cycles later the loaded 7 becomes 8, and the instruction for L3 is discarded.
    {BOTH,
     "SFPLOADMACRO: a scheduled instruction comes before a given one",
     {7, 0, 0, 100},
     PUT("6") "; SFPIADD lreg_dest=12 instr_mod1=5 imm12_math=1" SEQUENCE("0", "0x000c") MACRO("6")
         NOP "; SFPIADD lreg_dest=3 lreg_c=3 instr_mod1=5 imm12_math=1" WAIT,
     3,
     0,
     100},
    {BOTH,
     "SFPLOADMACRO: and is done",
     {7, 0, 0, 100},
     PUT("6") "; SFPIADD lreg_dest=12 instr_mod1=5 imm12_math=1" SEQUENCE("0", "0x000c") MACRO("6")
         NOP "; SFPIADD lreg_dest=3 lreg_c=3 instr_mod1=5 imm12_math=1" WAIT,
     1,
     0,
     8},
    {BOTH,
     "SFPLOADMACRO: what it reads is from before the cycle",
     {7, 0},
     PUT("6") "; SFPIADD lreg_dest=12 instr_mod1=5 imm12_math=1" SEQUENCE("0", "0x0044")
         MACRO("6") "; SFPLOADI lreg_ind=1 imm16=50 instr_mod0=2" WAIT,
     1,
     0,
     50},
    // 7 is not below 0, so SFPSETCC turns the lanes off, though -1 is loaded beside it; that load
    // still
    // has its lanes, the next has none.
    {BOTH,
     "SFPLOADMACRO: SFPSETCC sees the register of the cycle before",
     {7, 0, 0, 9},
     PUT("6") ALL_LANES "; SFPSETCC lreg_dest=12" SEQUENCE("0", "0x0004")
         MACRO("6") "; SFPLOADI lreg_ind=1 imm16=0xffff instr_mod0=4; SFPLOADI lreg_ind=3 imm16=1 "
                    "instr_mod0=2" WAIT,
     3,
     0,
     9},
    {BOTH,
     "SFPLOADMACRO: the load beside SFPSETCC has the lanes of the cycle before",
     {7, 0, 0, 9},
     PUT("6") ALL_LANES "; SFPSETCC lreg_dest=12" SEQUENCE("0", "0x0004")
         MACRO("6") "; SFPLOADI lreg_ind=1 imm16=0xffff instr_mod0=4; SFPLOADI lreg_ind=3 imm16=1 "
                    "instr_mod0=2" WAIT,
     1,
     0,
     0xffffffff},
    {BOTH,
     "SFPLOADMACRO: its store sees the register of the cycle before",
     {7, 0},
     PUT("6") SEQUENCE("0x0300", "0") MISC("0x006")
         MACRO("6") "; SFPLOADI lreg_ind=1 imm16=50 instr_mod0=2" WAIT RAW,
     1,
     0,
     7},
    // Two macros in a row: the second schedules for the simple sub-unit when the first's is due,
    // which is forgotten.
    {BOTH,
     "SFPLOADMACRO: forgets",
     {7, 0},
     PUT("6") "; SFPIADD lreg_dest=12 instr_mod1=5 imm12_math=1" SEQUENCE(
         "0", "0x000c") "; SFPCONFIG config_dest=5 instr_mod1=1 imm16_math=4" NOP
         MACRO("6") "; SFPLOADMACRO lreg_ind=6 dest_reg_addr=64 instr_mod0=6" WAIT,
     1,
     0,
     7},
    {BOTH,
     "SFPLOADMACRO: another delay forgets nothing",
     {7, 0},
     PUT("6") "; SFPIADD lreg_dest=12 instr_mod1=5 imm12_math=1" SEQUENCE(
         "0", "0x000c") "; SFPCONFIG config_dest=5 instr_mod1=1 imm16_math=12" NOP
         MACRO("6") "; SFPLOADMACRO lreg_ind=6 dest_reg_addr=64 instr_mod0=6" WAIT,
     1,
     0,
     8},
    // By the page's text it would forget too; tt-llk's kernels, which run on cards, would then lose
    // results.
    {BOTH,
     "SFPLOADMACRO: nothing to schedule forgets nothing",
     {7, 0},
     PUT("6") "; SFPIADD lreg_dest=12 instr_mod1=5 imm12_math=1" SEQUENCE(
         "0", "0x000c") "; SFPCONFIG config_dest=5 instr_mod1=1" NOP
         MACRO("6") "; SFPLOADMACRO lreg_ind=6 dest_reg_addr=64 instr_mod0=6" WAIT,
     1,
     0,
     8},
};

static unsigned vectors, on_tiles;

static void add_words(struct sfpu_program *p, const struct sfpu_words *words, const char *text)
{
    char copy[1200], error[200], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *one = strtok_r(copy, ";", &rest); one; one = strtok_r(NULL, ";", &rest)) {
        assert_true(p->count < SFPU_WORDS_MAX);
        if (tsr_assemble(words->arch, one, &p->word[p->count++], error, sizeof error) != TSR_OK)
            fail_msg("%s: %s", one, error);
    }
}

static void run_on_tile(const struct hand *h, const struct sfpu_program *p,
                        const struct sfpu_model *before, const struct sfpu_model *after,
                        bool timing)
{
    struct sfpu_tile tile;
    if (tsr_instruction_find(before->words->arch, "SFPLOAD")->implemented == TSR_IMPLEMENTED_NONE)
        return;
    assert_true(sfpu_tile_open(&tile, (struct sfpu_tile_kind){p->blackhole, timing, false, false}));
    sfpu_tile_load(&tile, before, SEED);
    const char *wrong = sfpu_tile_run(&tile, p, p->count);
    if (!wrong)
        wrong = sfpu_tile_differs(&tile, after);
    if (wrong)
        fail_msg("%s, on %s, timing %s: %s", h->what, p->blackhole ? "BH" : "WH",
                 timing ? "on" : "off", wrong);
    sfpu_tile_close(&tile);
    on_tiles++;
}

// The result goes to Dst, too, as row 128.
static void run_vector(const struct hand *h, bool blackhole)
{
    static struct sfpu_words words;
    static struct sfpu_model before, m;
    struct sfpu_program p = {.blackhole = blackhole};
    uint32_t values[8][SFPU_LANES];
    char text[120];
    sfpu_words_init(&words, blackhole ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0);
    sfpu_model_reset(&before, &words);
    sfpu_model_seed(&before, SEED);
    for (unsigned i = 0; i < 8 * SFPU_LANES; i++)
        values[i / SFPU_LANES][i % SFPU_LANES] = h->lreg[i / SFPU_LANES];
    sfpu_lregs_to_dst(&before, values);
    for (unsigned reg = 0; reg < 8; reg++) {
        snprintf(text, sizeof text, "SFPLOAD lreg_ind=%u dest_reg_addr=%u instr_mod0=4", reg,
                 reg * 2);
        add_words(&p, &words, text);
    }
    add_words(&p, &words, h->program);
    snprintf(text, sizeof text,
             "SFPENCC instr_mod1=10 imm12_math=3; SFPSTORE lreg_ind=%u "
             "dest_reg_addr=128 instr_mod0=4",
             h->reg);
    add_words(&p, &words, text);
    m = before;
    for (unsigned i = 0; i < p.count; i++)
        sfpu_program_step(&p, &m, i);
    sfpu_model_idle(&m);
    if (m.undefined)
        fail_msg("%s: the model calls it undefined: %s", h->what, m.undefined);
    if (m.lreg[h->reg][h->lane] != h->expected)
        fail_msg("%s, on %s: the model has 0x%x", h->what, blackhole ? "BH" : "WH",
                 (unsigned)m.lreg[h->reg][h->lane]);
    vectors++;
    run_on_tile(h, &p, &before, &m, false);
    run_on_tile(h, &p, &before, &m, true);
}

static void run_all(const struct hand *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (unsigned chip = 0; chip < 2; chip++)
            if (all[i].chips >> chip & 1)
                run_vector(&all[i], chip);
    print_message("%u vectors so far, %u of them on tiles\n", vectors, on_tiles);
}

#define TEST(name)                                                                                 \
    static void test_##name(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        run_all(name, sizeof name / sizeof *name);                                                 \
    }

TEST(loads)
TEST(stores)
TEST(multiplies)
TEST(rounds)
TEST(others)
TEST(macros)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads),      cmocka_unit_test(test_stores),
        cmocka_unit_test(test_multiplies), cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_others),     cmocka_unit_test(test_macros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
