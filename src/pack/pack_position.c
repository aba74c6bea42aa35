// SPDX-License-Identifier: Apache-2.0
// The tile position generator and the edge mask that it selects. Wormhole steps it by datums,
// Blackhole by enabled read interfaces; datums that do not come from Dst leave it alone. Its
// position survives from PACR to PACR and is never reset by Last or Flush (docs/errata.md).
// Pages: Packers/EdgeMasking.md, BlackholeA0 PACR.md.
#include "pack/pack_job.h"

static uint32_t entry(uint32_t word, unsigned i)
{
    return word >> (2 * (i & 15)) & 3;
}

uint16_t tsr_pack_edge_mask(const struct pack_part *part, const struct pack_position *at)
{
    const struct pack_edges *edges = &part->shape.edges;
    uint32_t row_set = entry(edges->faces, (unsigned)part->z_offset + at->z);
    return edges->mask[entry(edges->rows[row_set], at->y)];
}

// The coordinate that steps with every row, and the one that steps with every plane.
struct axes {
    uint16_t *row, *plane;
};

static struct axes axes_of(const struct pack_shape *shape, struct pack_position *position)
{
    if (shape->yz_transposed)
        return (struct axes){&position->z, &position->y};
    return (struct axes){&position->y, &position->z};
}

// The plane ends on equality alone; a row that is beyond it already goes on counting.
static unsigned step_rows(const struct pack_shape *shape, struct pack_position *position,
                          unsigned rows)
{
    struct axes axes = axes_of(shape, position);
    unsigned size = shape->reads_per_plane, planes = 0;
    if (size > 0 && *axes.row < size) {
        unsigned row = *axes.row + rows;
        planes = row / size;
        *axes.row = (uint16_t)(row % size);
    } else {
        for (; rows > 0; rows--)
            if (++*axes.row == size) {
                *axes.row = 0;
                planes++;
            }
    }
    *axes.plane = (uint16_t)(*axes.plane + planes);
    return planes;
}

unsigned tsr_pack_step_datums(const struct pack_shape *shape, struct pack_position *position,
                              unsigned datums)
{
    unsigned x = position->x + datums;
    position->x = (uint16_t)(x % 16);
    return step_rows(shape, position, x / 16);
}

unsigned tsr_pack_step_interfaces(const struct pack_shape *shape, struct pack_position *position,
                                  unsigned interfaces)
{
    struct axes axes = axes_of(shape, position);
    *axes.row = (uint16_t)((*axes.row + interfaces) & 0xff);
    if (*axes.row != shape->reads_per_plane)
        return 0;
    *axes.row = 0;
    ++*axes.plane;
    return 1;
}

struct pack_position tsr_pack_interface_position(const struct pack_shape *shape,
                                                 struct pack_position position, unsigned k)
{
    struct axes axes = axes_of(shape, &position);
    *axes.row = (uint16_t)(*axes.row + k);
    return position;
}
