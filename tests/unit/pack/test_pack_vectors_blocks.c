// SPDX-License-Identifier: Apache-2.0
// Blocks that PACRs share or cut, and accumulation in L1, worked by hand from the ISA pages by a
// reader who had not seen the code.
// Pages: Packers/FormatConversion, Packers/OutputAddressGenerator (output alignment), L1.

#include "rig/pack_vectors_rig.h"

// Sixteen datums share an exponent, not a PACR's.
static const struct pack_vector blocks[] = {
    // Two PACRs of eight are one block with X = 128.
    {"8 and 8", ON_BOTH, "BF16>BFP8 exponents=1 x1=7", "d0: 3f80*16 4000*16", "rows 0 1",
     "40000: 80 00*3; 40010: 20*8 40*8"},
    // 8 and 16: the second block is the last eight, with their own exponent 128.
    {"8 and 16", ON_BOTH, "BF16>BFP8 exponents=1 x1=7", "d0: 3f80*16 4000*16",
     "P; row=1 x1=15; P Last=1", "40000: 80 80 00 00; 40020: 40*8 00*8"},
    // The next section is at fresh addresses and starts a fresh block.
    {"after a cut", ON_BOTH, "BF16>BFP8 exponents=1 x1=3", "d0: 4000*16 3f80*16",
     "P Last=1; out=0x40100 row=1; P Last=1", "40000: 80 00; 40100: 7f 00; 40110: 40*4 00 00"},
};

// Last with a part of a block: its exponent is that of the datums there are, not of 4380 beyond the
// PACR; the line is filled, and nothing but one line.
#define CUT "d0: 3f80*15 4380 4000*16; 40000: ee*64"
static const struct pack_vector cuts[] = {
    {"BFP8", ON_BOTH, "BF16>BFP8 exponents=1 x1=3", CUT, "",
     "40000: 7f 00*3; 40010: 40*4 00*4; 40020: ee*2"},
    {"BFP4", ON_BOTH, "BF16>BFP4 exponents=1 x1=5", CUT, "",
     "40000: 7f 00*3; 40010: 44*3 00*5; 40020: ee*2"},
    {"BFP2", ON_BOTH, "BF16>BFP2 exponents=1 x1=4", CUT, "",
     "40000: 7f 00*3; 40010: 55 01 00*6; 40020: ee*2"},
    {"BFP8a", ON_BOTH, "BF16>BFP8a exponents=1 x1=2", CUT, "",
     "40000: 0f 00*3; 40010: 40*3 00*5; 40020: ee*2"},
};

static const struct pack_vector sums[] = {
    // L1 += datum, sign and magnitude, saturating. Without the bit the same datums replace what is
    // there.
    {"INT32", ON_BOTH, "INT32 Pack_L1_Acc=1",
     "40000: 00000001 00000005 00000003 7fffffff ffffffff 80000007 7fffffff 7ffffff0 80000001 "
     "00000007; d0: 00000002 80000003 80000005 00000001 80000001 80000001 ffffffff 7ffffff0 "
     "00000003 00000000",
     "",
     "40000: 00000003 00000002 80000002 7fffffff ffffffff 80000008 00000000 7fffffff 00000002 "
     "00000007; Pack_L1_Acc=0; P Last=1; 40000: 00000002 80000003 80000005 00000001"},
    // L1 has an adder for FP32, INT32, FP16 and BF16 alone; anything else is a finding.
    {"BFP8", ON_BOTH, "BF16>BFP8 exponents=1 Pack_L1_Acc=1", "d0: 3f80*32", "",
     "found pack-format-pair"},
    {"BFP4", ON_BOTH, "BF16>BFP4 exponents=1 Pack_L1_Acc=1", "d0: 3f80*32", "",
     "found pack-format-pair"},
    {"BFP2", ON_BOTH, "BF16>BFP2 exponents=1 Pack_L1_Acc=1", "d0: 3f80*32", "",
     "found pack-format-pair"},
};

VECTORS(blocks)
VECTORS(cuts)
VECTORS(sums)

int main(void)
{
    const struct CMUnitTest tests[] = {
        VECTORS_TEST(blocks),
        VECTORS_TEST(cuts),
        VECTORS_TEST(sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
