// SPDX-License-Identifier: Apache-2.0
// The decoded configuration of a packer: formats, modes and strides, but no addresses and no
// counters. Pages: Packers/README.md, Packers/FormatConversion.md.
#ifndef TESSERA_PACK_PACK_CONFIG_H
#define TESSERA_PACK_PACK_CONFIG_H

#include "pack/pack_anomalies.h"
#include "pack/pack_edge_masking.h"
#include "pack/pack_histogram.h"

// In the order of the pipeline.
struct tsr_pack_config {
    // Source.
    bool from_l1;           // Source_interface_selection, of packer 0
    bool sets_last_mask;    // Auto_set_last_pacr_intf_sel
    uint8_t in_data_format; // In_data_format, of addresses and of late conversion
    uint8_t input_bytes;    // that addresses count for a datum of it
    struct tsr_pack_edges edges;
    // Early conversion, ReLU, late conversion. mode.in_format is the intermediate format.
    tsr_pack_mode mode;
    bool random_early;  // stochastic rounding
    bool descale_by_z;  // INT_DESCALE_Mode 1
    uint8_t kind;       // tsr_pack_kind of the datums before late conversion
    bool no_conversion; // no packer makes these conversions: nothing is packed
    // Between ReLU and late conversion.
    struct tsr_pack_bound bound;
    uint8_t exponent_threshold; // Exp_threshold; 0: none
    uint16_t downsample_mask;   // all ones: everything is kept
    // Output.
    uint8_t out_bits;       // of a datum in L1
    bool block;             // datums share exponents
    bool unshared_exponent; // Dis_shared_exp_assembler
    bool random_blocks;     // stochastic rounding
    bool compress;
    bool forced_uncompressed;  // Disable_pack_zero_flags, though compression is on
    bool accumulate;           // Pack_L1_Acc
    bool has_exponent_section; // an exponent section is reserved, BFP or not
    uint16_t exponent_section, row_start_section; // 16-byte units
    bool add_l1_offset;                           // TDMA-RISC's offset counts
    // Together.
    bool only_by_datums; // a stage is on that kernels do not have
    bool tainted;        // undefined behaviour was recorded: what is packed is tainted
};

// Strides of the input (0) and output (1) address generators, in the units of the chip.
struct tsr_pack_strides {
    uint16_t x0, y0, z0, w0, y1, z1, w1;
};

void tsr_pack_config_make(const struct tsr_env *env, int state_id, int config_of,
                          struct tsr_pack_config *config);
struct tsr_pack_strides tsr_pack_read_strides(const struct tsr_env *env, int state_id);
// Sets `kind`. False: no packer has these conversions.
bool tsr_pack_find_kind(struct tsr_pack_config *config);
// What is wrong or unusual about it, once `kind` and `no_conversion` are known.
tsr_pack_anomalies tsr_pack_config_anomalies(const struct tsr_env *env, int state_id, int config_of,
                                             const struct tsr_pack_config *config);
// What addresses count for a datum of an input format.
static inline uint8_t tsr_pack_datum_bytes(uint32_t format)
{
    return (format & 3) == 0 ? 4 : (format & 3) == 1 ? 2 : 1;
}

#endif
