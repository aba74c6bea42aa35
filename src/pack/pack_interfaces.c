// SPDX-License-Identifier: Apache-2.0
// Blackhole's four read interfaces into Dst: which of them take part, and the rows that they read.
// Pages: BlackholeA0 PACR.md, Packers/InputAddressGenerator.md.
#include "pack/pack_job.h"

#include "base/bits.h"

enum { ALL_INTERFACES = 0xf };

// With Auto_set_last_pacr_intf_sel the mask of the PACR that ends a plane covers just the rows that
// are left of it.
static uint32_t last_mask(const struct tsr_env *env, int s, int config, uint32_t mask)
{
    const struct tsr_packer *packer = &env->state->packers.packer[0];
    uint32_t rows = tsr_cfg(env, s, tsr_pack_field(config, PACK_FIELD_pack_reads_per_xy_plane));
    bool transposed = tsr_cfg(env, s, tsr_pack_field(config, PACK_FIELD_pack_yz_transposed)) != 0;
    uint32_t row = transposed ? packer->z : packer->y;
    uint32_t enabled = (uint32_t)__builtin_popcount(mask);
    return row < rows && rows - row <= enabled ? (1u << (rows - row)) - 1u : mask;
}

uint32_t tsr_pack_interface_mask(const struct tsr_env *env, const struct pack_operands *operands,
                                 int s, int config, bool sets_last)
{
    uint32_t mask = operands->interfaces ? operands->interfaces : (uint32_t)ALL_INTERFACES;
    return sets_last ? last_mask(env, s, config, mask) : mask;
}

// Bit k of the mask reads row StartRow + k, or with DstAccessMode row StartRow + 16 k.
// (A start that does not count is overwritten by the next: cheaper than to ask.)
unsigned tsr_pack_interfaces(const struct pack_operands *operands, uint32_t mask, uint16_t first,
                             uint16_t start[PACK_SEGMENTS])
{
    unsigned step = operands->strided ? 16 * 16 : 16, segments = 0;
    if (mask == ALL_INTERFACES) {
        for (unsigned k = 0; k < PACK_SEGMENTS; k++)
            start[k] = (uint16_t)((first + k * step) & 0x3fff);
        return PACK_SEGMENTS;
    }
    for (unsigned k = 0; k < PACK_SEGMENTS; k++) {
        start[segments] = (uint16_t)((first + k * step) & 0x3fff);
        segments += mask >> k & 1;
    }
    return segments;
}

static bool pass(struct pack_part *part, enum tsr_verdict verdict)
{
    part->tainted |= verdict == TSR_GO_TAINTED;
    return verdict != TSR_HALT;
}

// The page wants both orders for strides and leaves their interplay with the mask open; what is
// known are the masks 0, 1 and 3.
static bool check_strides(struct tsr_env *env, const struct tsr_inflight *inst,
                          struct pack_part *part, uint32_t mask)
{
    bool remap = tsr_cfg(env, 0, FIELD_DEST_ACCESS_CFG_remap_addrs);
    bool swizzle = tsr_cfg(env, 0, FIELD_DEST_ACCESS_CFG_swizzle_32b);
    if (remap && swizzle && (mask == ALL_INTERFACES || mask == 1 || mask == 3))
        return true;
    struct tsr_cited cited = {
        0, 2, {FIELD_DEST_ACCESS_CFG_remap_addrs, FIELD_DEST_ACCESS_CFG_swizzle_32b}};
    return pass(part, tsr_report(env, FINDING_UNDOCUMENTED_MODE, inst, &cited,
                                 "PACR with DstAccessMode and read interfaces 0x%x; known are the "
                                 "masks 0, 1 and 3 with remap_addrs and swizzle_32b set.",
                                 (unsigned)mask));
}

// A mask that leaves the aligned group of four rows is undefined, and going on reads on behind it
// (docs/errata.md).
bool tsr_pack_check_interfaces(struct tsr_env *env, const struct tsr_inflight *inst,
                               const struct pack_operands *operands, struct pack_part *part,
                               uint32_t mask)
{
    unsigned row = part->start[0] >> 4;
    if (operands->strided)
        return check_strides(env, inst, part, mask);
    return mask << (row & 3) <= ALL_INTERFACES ||
           pass(part, tsr_report(env, FINDING_PACK_INTERFACE_MASK, inst, NULL,
                                 "Read interfaces 0x%x from Dst row %u leave the group of four "
                                 "rows.",
                                 (unsigned)mask, row));
}
