// SPDX-License-Identifier: Apache-2.0
// The packers' exponent histograms, worked by hand from the ISA pages by a reader who had not seen
// the code.
// Pages: Packers/ExponentHistogram, CLREXPHIST, SETDMAREG_Special; decision 21.

#include "rig/pack_vectors_rig.h"

// What is counted if any thread enables it (`run` has the bins), and the largest, which is kept in
// any case (`after`). The bin is the exponent's low five bits. 127 is bin 31, 128 bin 0, 129 bin 1;
// zeroes are in 0.
static const struct pack_vector histograms[] = {
    // ten zeroes and two of 128
    {"BF16", ON_BOTH, "BF16", "d0: 3f80 bf80 3fff 4000 c000 4080", "bins 0=12 1=1 31=3",
     "? max=129"},
    // Raw five bits: 15 five times, 30 twice, 1 once, 0 eight times.
    {"FP16", ON_BOTH, "FP16", "d0: 3c00 3c01 bc00 3dff 3fff 7bff f800 0400",
     "bins 0=8 1=1 15=5 30=2", "? max=30"},
    // 127, 255: both bin 31
    {"FP32", ON_BOTH, "FP32", "d0: 3f800001 ff800000 00800000", "bins 0=13 1=1 31=2", "? max=255"},
    // INT32 is looked at as an FP32.
    {"INT32", ON_BOTH, "INT32", "d0: 00000005 00800000 81000000 3f800000", "bins 0=13 1=1 2=1 31=1",
     "? max=127"},
    // INT16: the low eight bits. 0x34 is bin 20, 0xff bin 31, 0x80 bin 0.
    {"INT16", ON_BOTH, "INT16", "d0: 1234 80ff 0080", "bins 0=14 20=1 31=1", "? max=255"},
    // After ReLU: negatives have become 0.
    {"ReLU", ON_BOTH, "BF16 relu=1", "d0: 3f80 c080 c080", "bins 0=15 31=1", "? max=127"},
    // After edge masks: two zeroes for 129 and 129.
    {"edge", ON_BOTH, "BF16 mask0=0xfff9", "d0: 3f80 4080 4080", "bins 0=15 31=1", "? max=127"},
    // 127 and twice 255: bin 31
    {"minus infinity", ON_BOTH, "BF16 mask0=0xfff9 infinity=1", "d0: 3f80 4080 4080",
     "bins 0=13 31=3", "? max=255"},
    // Before thresholds and downsampling: both would leave nothing.
    {"threshold", ON_BOTH, "BF16 Exp_threshold_en=1 threshold=255", "d0: 3f80 4080",
     "bins 0=14 1=1 31=1", "? max=129"},
    {"downsampled", ON_BOTH, "BF16 Downsample_mask=0x8000", "d0: 3f80 4080", "bins 0=14 1=1 31=1",
     "? max=129"},
    // FP16's minus infinity is its largest magnitude, exponent 31.
    {"FP16 infinity", ON_BOTH, "FP16 mask0=0xfff9 infinity=1", "d0: 3c00 4000 4000",
     "bins 0=13 15=1 31=2", "? max=31"},
    // Other formats between: 3fff and c1ff have 15 and 16 as FP8; E5M6 rounds 3fff up to 16; TF32
    // rounds 3fffffff up to 128; E8M6 rounds 3fff to 128.
    {"FP8", ON_BOTH, "FP8 raw=1", "d0: 3fff c1ff", "bins 0=14 15=1 16=1", "? max=16"},
    {"E5M6", ON_BOTH, "BFP8a>FP16", "d0: 3fff 3c00", "bins 0=14 15=1 16=1", "? max=16"},
    {"TF32", ON_BOTH, "TF32", "d0: 3fffffff 3f800000", "bins 0=15 31=1", "? max=128"},
    {"E8M6", ON_BOTH, "BFP8>BF16", "d0: 3fff 3f80", "bins 0=15 31=1", "? max=128"},
    // Before the late conversion: exponents of BF16, also for an FP16 output.
    {"BF16 to FP16", ON_BOTH, "BF16>FP16", "d0: 3f80 4080", "bins 0=14 1=1 31=1", "? max=129"},
};

// CLREXPHIST resets both.
static void histograms_run(int arch)
{
    static const char *const enable[] = {"", " ENABLE_ACC_STATS_Enable=1",
                                         " 1:ENABLE_ACC_STATS_Enable=1",
                                         " 2:ENABLE_ACC_STATS_Enable=1"};
    for (size_t i = 0; i < sizeof histograms / sizeof *histograms; i++)
        for (int k = 0; k < 4; k++) {
            struct pack_vector vector = histograms[i];
            char set[200], run[200];
            snprintf(set, sizeof set, "%s%s", vector.set, enable[k]);
            snprintf(run, sizeof run, "P Last=1; %s; %s; CLREXPHIST; bins; ? max=0",
                     k > 0 ? vector.run : "bins", vector.after);
            vector.set = set;
            vector.run = run;
            vector.after = "";
            for (int way = 0; way < VECTOR_WAYS; way++)
                assert_int_equal(vector_run(arch, &vector, way), 0);
        }
}

TILE_BOTH(histograms_run)

#define COUNTED " ENABLE_ACC_STATS_Enable=1"
static const struct pack_vector counted[] = {
    // INT8: bin of the magnitude & 31 (decision 21). 100 is bin 4, -5 bin 5, 0 bin 0.
    {"INT8", ON_BOTH, "INT8" COUNTED, "d0: 00000064 80000005 00000024", "", "bins 0=13 4=2 5=1"},
    // A bin stops at 255: seventeen rows of 127 are 272. It is a sum over PACRs, and Last resets
    // none.
    {"saturates", ON_BOTH, "BF16" COUNTED, "d0: 3f80*16", "3*P Last=1; bins 31=48; 14*P Last=1",
     "bins 31=255; ? max=127"},
    // Only datums that come from Dst are counted: no zeroes, and none from L1.
    {"not of Dst", ON_BOTH, "BF16 base0=0x8000" COUNTED, "d0: 4000; 8000: 3f80 4080 0000*14",
     "P ZeroWrite=1 Last=1; P Flush=1; bins; from_l1=1; P Last=1",
     "40000: 3f80 4080; bins; ? max=0"},
    // Each packer has its own; WhichPackers is the index, and 5 is 1; the largest is packer 0's
    // alone. CLREXPHIST is of all four.
    {"packers", ON_WH, "BF16" COUNTED, "d0: 3f80*16",
     "PACR PackSel=2 Last=1; bins; bins1 31=16; bins5 31=16; ? max=0; PACR PackSel=12 Last=1; "
     "bins2 31=16; bins3 31=16",
     "CLREXPHIST; bins; bins1; bins2; bins3"},
};

VECTORS(counted)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(histograms_run),
        VECTORS_TEST(counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
