// SPDX-License-Identifier: Apache-2.0
// The tile position generator and the edge mask that it selects. Wormhole steps it by datums,
// Blackhole by enabled read interfaces. Its position survives from PACR to PACR and is never reset
// by Last or Flush (docs/errata.md). Pages: Packers/EdgeMasking.md, BlackholeA0 PACR.md.
#include "pack/pack_job.h"

uint16_t tsr_pack_edge_mask(const struct pack_shape *shape, const struct tsr_packer *packer,
                            unsigned rows_ahead)
{
    return shape->edge_mask[(packer->y + rows_ahead) % PACK_EDGE_ROWS];
}

static void step_row(const struct pack_shape *shape, struct tsr_packer *packer)
{
    uint16_t *inner = shape->yz_transposed ? &packer->z : &packer->y;
    uint16_t *outer = shape->yz_transposed ? &packer->y : &packer->z;
    if (++*inner == shape->reads_per_plane) {
        *inner = 0;
        ++*outer;
    }
}

void tsr_pack_step_datums(const struct pack_shape *shape, struct tsr_packer *packer,
                          unsigned datums)
{
    unsigned x = packer->x + datums;
    for (; x >= 16; x -= 16)
        step_row(shape, packer);
    packer->x = (uint16_t)x;
}

void tsr_pack_step_interfaces(const struct pack_shape *shape, struct tsr_packer *packer,
                              unsigned interfaces)
{
    packer->y = (uint16_t)((packer->y + interfaces) & 0xff);
    if (packer->y == shape->reads_per_plane) {
        packer->y = 0;
        packer->z++;
    }
}
