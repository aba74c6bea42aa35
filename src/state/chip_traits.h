// SPDX-License-Identifier: Apache-2.0
// What differs between the chips in size and feature, one descriptor each. Where behaviour differs,
// a unit chooses a small function once. Facts: chips.md (a1-a6) and the pages that it names.
#ifndef TESSERA_STATE_CHIP_TRAITS_H
#define TESSERA_STATE_CHIP_TRAITS_H

#include <tessera/tessera.h>

struct tsr_chip_traits {
    tsr_arch arch;
    bool dual_write_window; // a third copy of the bank words writes both banks
    uint8_t adc_zw_bits;
    uint8_t packers;
    uint8_t pack_interfaces;
    bool addr_mod_bank; // 2-bit AddrMod plus ADDR_MOD_SET_Base or the RWC's bias bit
    bool implied_formats;
    bool wide_unpack_rows; // 32 datums a row for datums of two bytes and more
    bool srca_rows_wrap;
    bool clears_local_ram;   // a baby core leaves reset with its data RAM zeroed
    uint8_t mop_count_bits;  // of template 1
    bool mop_counts_in_word; // template 1 may have its counts in the instruction
    uint8_t mutexes;         // a bit for each index that exists
    bool config_stages;      // the configuration unit is a pipeline
    bool movb2d_fp32;        // MOVB2D writes 32-bit rows with ALU_ACC_CTRL_Fp32_enabled
    bool dst_orders;         // DEST_ACCESS_CFG_remap_addrs, _swizzle_32b
};

const struct tsr_chip_traits *tsr_chip_traits(tsr_arch arch);

#endif
