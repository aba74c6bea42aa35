// SPDX-License-Identifier: Apache-2.0
// The codes and sentences of everything that can be wrong or unusual about a PACR: points that a
// page calls undefined, modes that newer pages withdraw (decision 1), modes that no page describes
// (decisions 10 and 15), and packers that are configured differently.
// Pages: Packers/*.md, PACR.md of each chip.
#include "pack/pack_anomalies.h"

#define NONE TSR_PACK_NO_FIELD
#define SHARED(name) (FIELD_##name + 1)
#define OWN(name) (TSR_PACK_OWN_FIELDS + PACK_FIELD_##name)
#define OTHER(name) (TSR_PACK_OTHER_FIELDS + PACK_FIELD_##name)
#define FORMATS                                                                                    \
    SHARED(ALU_FORMAT_SPEC_REG2_Dstacc), OWN(In_data_format), OWN(Out_data_format),                \
        SHARED(PCK_DEST_RD_CTRL_Read_32b_data), SHARED(PCK_DEST_RD_CTRL_Round_10b_mant)

#define ANOMALY(which, finding, text, ...)                                                         \
    [TSR_PACK_ANOMALY_##which] = {FINDING_##finding, text, {__VA_ARGS__}}

const struct tsr_pack_anomaly_row tsr_pack_anomaly_rows[TSR_PACK_ANOMALY_COUNT] = {
    ANOMALY(SELECTION, PACK_SELECTION, NULL, NONE),
    ANOMALY(OPERANDS, UNDOCUMENTED_MODE, NULL, NONE),
    ANOMALY(FORMAT_MISMATCH, PACK_FORMAT_PAIR, NULL, FORMATS),
    ANOMALY(NO_CONVERSION, PACK_FORMAT_PAIR, NULL, FORMATS),
    ANOMALY(RELU_THRESHOLD, PACK_RELU_THRESHOLD, NULL, SHARED(STACC_RELU_ApplyRelu),
            SHARED(STACC_RELU_ReluThreshold)),
    ANOMALY(EXPONENT_THRESHOLD, PACK_EXPONENT_THRESHOLD, NULL, OWN(Exp_threshold_en),
            OWN(In_data_format)),
    ANOMALY(COMPRESSED_2_BITS, PACK_COMPRESSION, NULL, OWN(Out_data_format),
            OWN(Disable_zero_compress)),
    ANOMALY(WITHDRAWN, LEGACY_MODE, NULL, OWN(Disable_zero_compress), OWN(Downsample_mask)),
    ANOMALY(RANDOM_EARLY, UNDOCUMENTED_MODE,
            "PACR with stochastic rounding in the early conversion.",
            SHARED(ALU_ROUNDING_MODE_Gasket_srnd_en)),
    ANOMALY(RANDOM_BLOCKS, UNDOCUMENTED_MODE, "PACR with stochastic rounding of blocks.",
            SHARED(ALU_ROUNDING_MODE_Packer_srnd_en)),
    ANOMALY(UNSHARED_EXPONENT, UNDOCUMENTED_MODE, "PACR with Dis_shared_exp_assembler.",
            OWN(Dis_shared_exp_assembler)),
    ANOMALY(FORCED_UNCOMPRESSED, UNDOCUMENTED_MODE,
            "PACR with Disable_pack_zero_flags packs uncompressed, though Disable_zero_compress is "
            "0.",
            OWN(Disable_pack_zero_flags), OWN(Disable_zero_compress)),
    ANOMALY(IDLE_FIELD, FIELD_WITHOUT_EFFECT, NULL, NONE),
    ANOMALY(INTEGER_INFINITY, UNDOCUMENTED_MODE,
            "PACR with minus infinity in place of masked integers.", SHARED(PCK_EDGE_MODE_mode)),
    ANOMALY(LATE_NARROWING, PACK_FORMAT_RELIANCE,
            "PACR from a 32-bit Dst keeps exponents at eight bits up to late conversion, also for "
            "the exponent threshold, though the format named has five; tt-llk relies on it.",
            FORMATS),
    ANOMALY(
        UPPER_HALVES, PACK_FORMAT_RELIANCE,
        "PACR reads a 16-bit Dst as FP32: each BF16 is the upper half of an FP32, which no page "
        "says; tt-llk's fast tilize relies on it.",
        FORMATS),
    ANOMALY(DIFFERENT, PACKERS_DIFFER, NULL, OWN(Out_data_format), OTHER(Out_data_format),
            OWN(pack_reads_per_xy_plane), OTHER(pack_reads_per_xy_plane)),
    ANOMALY(X_RANGE, PACK_X_RANGE, NULL, NONE),
    ANOMALY(STRIDES, UNDOCUMENTED_MODE, NULL, SHARED(DEST_ACCESS_CFG_remap_addrs),
            SHARED(DEST_ACCESS_CFG_swizzle_32b)),
    ANOMALY(INTERFACES, PACK_INTERFACE_MASK, NULL, NONE),
    ANOMALY(DST_HIGH_HALVES, LEGACY_MODE,
            "PACR reads Dst in 16 bits, which bit 11 of DBG_FEATURE_DISABLE turns into the high "
            "halves of 32-bit datums.",
            NONE),
    ANOMALY(DST_ROW, DST_ROW_RANGE, NULL, NONE),
    ANOMALY(POSITION, PACK_POSITION_BEGINS, NULL, OWN(pack_reads_per_xy_plane)),
    ANOMALY(ALIGNMENT, PACK_ALIGNMENT, NULL, SHARED(PCK0_ADDR_BASE_REG_1_Base),
            SHARED(PCK0_ADDR_CTRL_XY_REG_1_Ystride), SHARED(PCK0_ADDR_CTRL_ZW_REG_1_Zstride),
            SHARED(PCK0_ADDR_CTRL_ZW_REG_1_Wstride)),
    ANOMALY(UNWRITTEN_DST, UNINITIALISED_DST, NULL, NONE),
    ANOMALY(TAINTED_DST, TAINTED_DATUM_USED, NULL, NONE),
    ANOMALY(L1_READ_RANGE, L1_OUT_OF_RANGE, NULL, NONE),
    ANOMALY(UNWRITTEN_L1, UNINITIALISED_L1, NULL, NONE),
    ANOMALY(L1_WRITE_RANGE, L1_OUT_OF_RANGE, NULL, NONE),
    ANOMALY(UNWRITTEN_SUM, UNINITIALISED_L1, NULL, NONE),
};

// Vendor register comments and older descriptions say this much; docs/errata.md 324.
#define IDLE(place, name, known)                                                                   \
    {                                                                                              \
        place(name), #name, known                                                                  \
    }

const struct tsr_pack_idle_row tsr_pack_idle_rows[TSR_PACK_IDLE_ROWS] = {
    IDLE(OWN, Downsample_rate, "hardware would pair it with Downsample_mask"),
    IDLE(OWN, pack_per_xy_plane, "hardware would set Last by itself after so many PACRs a plane"),
    IDLE(OWN, pack_per_xy_plane_offset, "hardware would begin to count the PACRs of a plane there"),
    IDLE(OWN, pack_xys_per_tile, "hardware would set Last by itself after so many planes"),
    IDLE(OWN, pack_start_intf_pos, "hardware would begin a tile at another read interface"),
    IDLE(OWN, pack_dis_y_pos_start_offset, "hardware would select edge masks from another row"),
    IDLE(SHARED, ALU_ACC_CTRL_Zero_Flag_disabled_dst,
         "hardware would not read Dst's zero flags, and rows that ZEROACC cleared are zeroes here"),
};
