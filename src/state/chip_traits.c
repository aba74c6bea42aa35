// SPDX-License-Identifier: Apache-2.0
// The two descriptors. Pages: BackendConfiguration.md, ADCs.md, UNPACR_Regular.md, PACR.md,
// SyncUnit.md of each chip. Sizes of the configuration are rows of machine/config_layout.def.
#include "state/chip_traits.h"

static const struct tsr_chip_traits chips[TSR_ARCH_COUNT] = {
    [TSR_WORMHOLE_B0] = {.arch = TSR_WORMHOLE_B0,
                         .adc_zw_bits = 8,
                         .packers = 4,
                         .pack_interfaces = 1,
                         .addr_mod_bank = true,
                         .mop_count_bits = 7,
                         .mutexes = 0xfd},
    [TSR_BLACKHOLE_A0] = {.arch = TSR_BLACKHOLE_A0,
                          .dual_write_window = true,
                          .adc_zw_bits = 13,
                          .packers = 1,
                          .pack_interfaces = 4,
                          .implied_formats = true,
                          .wide_unpack_rows = true,
                          .srca_rows_wrap = true,
                          .clears_local_ram = true,
                          .mop_count_bits = 10,
                          .mop_counts_in_word = true,
                          .mutexes = 0x1d,
                          .config_stages = true,
                          .movb2d_fp32 = true,
                          .dst_orders = true},
};

const struct tsr_chip_traits *tsr_chip_traits(tsr_arch arch)
{
    return &chips[arch];
}
