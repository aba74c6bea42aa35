// SPDX-License-Identifier: Apache-2.0
// Blackhole's four read interfaces into Dst: which of them take part, and the rows that they read.
// Pages: BlackholeA0 PACR.md, Packers/InputAddressGenerator.md.
#include "pack/pack_interfaces.h"

#include "pack/pack_inputs.h"

enum { ALL_INTERFACES = 0xf };

// With Auto_set_last_pacr_intf_sel the mask of the PACR that ends a plane covers just the rows that
// are left of it.
uint32_t tsr_pack_interface_mask(const struct tsr_env *env,
                                 const struct tsr_pack_operands *operands, int state_id,
                                 int config_of, bool sets_last)
{
    uint32_t mask = operands->interfaces ? operands->interfaces : (uint32_t)ALL_INTERFACES;
    if (!sets_last)
        return mask;
    const struct tsr_packer *packer = &env->state->packers.packer[0];
    uint32_t rows = tsr_pack_cfg(env, state_id, config_of, PACK_FIELD_pack_reads_per_xy_plane);
    bool transposed = tsr_pack_cfg(env, state_id, config_of, PACK_FIELD_pack_yz_transposed) != 0;
    uint32_t row = !packer->data.has_address ? 0 : transposed ? packer->z : packer->y;
    uint32_t enabled = (uint32_t)__builtin_popcount(mask);
    return row < rows && rows - row <= enabled ? (1u << (rows - row)) - 1u : mask;
}

// Bit k of the mask reads row StartRow + k, or with DstAccessMode row StartRow + 16 k.
// (The start of a disabled interface is overwritten by the next: cheaper than a branch.)
unsigned tsr_pack_interface_starts(const struct tsr_pack_operands *operands, uint32_t mask,
                                   uint16_t first, uint16_t start[TSR_PACK_SEGMENTS])
{
    unsigned step = operands->strided ? 16 * 16 : 16, segments = 0;
    if (mask == ALL_INTERFACES) {
        for (unsigned k = 0; k < TSR_PACK_SEGMENTS; k++)
            start[k] = (uint16_t)((first + k * step) & 0x3fff);
        return TSR_PACK_SEGMENTS;
    }
    for (unsigned k = 0; k < TSR_PACK_SEGMENTS; k++) {
        start[segments] = (uint16_t)((first + k * step) & 0x3fff);
        segments += mask >> k & 1;
    }
    return segments;
}

// A mask that leaves the aligned group of four rows is undefined, and going on reads the rows after
// it (docs/errata.md 66). For strides the page requires remap_addrs and swizzle_32b and does not
// say what the mask does then; known are the masks 0, 1 and 3.
tsr_pack_anomalies tsr_pack_interface_anomalies(const struct tsr_env *env,
                                                const struct tsr_pack_operands *operands,
                                                uint32_t mask, unsigned row)
{
    if (!operands->strided)
        return mask << (row & 3) > ALL_INTERFACES ? TSR_PACK_ANOMALY(INTERFACES) : 0;
    bool remap = tsr_cfg(env, 0, FIELD_DEST_ACCESS_CFG_remap_addrs);
    bool swizzle = tsr_cfg(env, 0, FIELD_DEST_ACCESS_CFG_swizzle_32b);
    bool known = remap && swizzle && (mask == ALL_INTERFACES || mask == 1 || mask == 3);
    return known ? 0 : TSR_PACK_ANOMALY(STRIDES);
}
