// SPDX-License-Identifier: Apache-2.0
// The edge masks of a packer, and the tile position generator that selects one for each row.
// Wormhole steps the position by datums, Blackhole by enabled read interfaces; datums that do not
// come from Dst do not step it. It is kept from PACR to PACR of a section, and begins again with
// each section (docs/errata.md 64). Masked datums become 0 in tsr_pack_read_dst() (pack_source.c),
// or minus infinity in from_dst() (pack_datums.c), which no kernel does. Pages:
// Packers/EdgeMasking.md, BlackholeA0 PACR.md.
#include "pack/pack_edge_masking.h"

#include "pack/pack_inputs.h"

// ---------------------------------------------------------------- configuration

// Every row set that some face can select counts, reachable or not by the positions of this tile.
static bool masks_something(const struct tsr_pack_edges *edges)
{
    for (unsigned i = 0; i < 16; i++) {
        uint32_t rows = edges->rows[edges->faces >> (2 * i) & 3];
        for (unsigned row = 0; row < 16; row++)
            if (edges->mask[rows >> (2 * row) & 3] != 0xffff)
                return true;
    }
    return false;
}

// The sixteen two-bit entries of a mapping fill its word, and its words follow each other.
void tsr_pack_read_edges(const struct tsr_env *env, int state_id, int config_of,
                         struct tsr_pack_edges *edges)
{
    const uint32_t *bank = env->state->config.bank[state_id];
    unsigned rows = env->isa->field[FIELD_TILE_ROW_SET_MAPPING_0_row_set_mapping_0].addr32;
    unsigned faces = env->isa->field[FIELD_TILE_FACE_SET_MAPPING_0_face_set_mapping_0].addr32;
    unsigned shift = 2u * (unsigned)config_of;
    uint32_t row_set = tsr_cfg(env, state_id, FIELD_PCK_EDGE_TILE_ROW_SET_SELECT_select);
    uint32_t face_set = tsr_cfg(env, state_id, FIELD_PCK_EDGE_TILE_FACE_SET_SELECT_select);
    for (int set = 0; set < TSR_PACK_EDGE_SETS; set++) {
        edges->rows[set] = bank[rows + (unsigned)set];
        edges->mask[set] = (uint16_t)tsr_pack_cfg(env, state_id, set, PACK_FIELD_edge_mask);
    }
    edges->faces = tsr_cfg(env, state_id, FIELD_PCK_EDGE_TILE_FACE_SET_SELECT_enable)
                       ? bank[faces + (face_set >> shift & 3)]
                       : (row_set >> shift & 3) * 0x55555555u;
    edges->masked = masks_something(edges);
    edges->minus_infinity = edges->masked && tsr_cfg(env, state_id, FIELD_PCK_EDGE_MODE_mode) != 0;
    edges->reads_per_plane =
        (uint8_t)tsr_pack_cfg(env, state_id, config_of, PACK_FIELD_pack_reads_per_xy_plane);
    edges->yz_transposed =
        tsr_pack_cfg(env, state_id, config_of, PACK_FIELD_pack_yz_transposed) != 0;
}

// ---------------------------------------------------------------- the mask of a row

static uint32_t entry(uint32_t word, unsigned i)
{
    return word >> (2 * (i & 15)) & 3;
}

uint16_t tsr_pack_edge_mask(const struct tsr_pack_edges *edges, unsigned z_offset,
                            const struct tsr_pack_position *at)
{
    uint32_t row_set = entry(edges->faces, z_offset + at->z);
    return edges->mask[entry(edges->rows[row_set], at->y)];
}

bool tsr_pack_position_matters(const struct tsr_pack_edges *edges,
                               const struct tsr_pack_position *at)
{
    bool faces_alike = edges->faces == (edges->faces & 3) * 0x55555555u;
    return (at->x | (at->y & 15)) != 0 || (!faces_alike && (at->z & 15) != 0);
}

// ---------------------------------------------------------------- steps

// The coordinate that steps with every row, and the one that steps with every plane.
struct axes {
    uint32_t *row, *plane;
};

static struct axes axes_of(const struct tsr_pack_edges *edges, struct tsr_pack_position *position)
{
    if (edges->yz_transposed)
        return (struct axes){&position->z, &position->y};
    return (struct axes){&position->y, &position->z};
}

// The plane ends on equality alone: a row beyond it continues to count.
unsigned tsr_pack_step_datums(const struct tsr_pack_edges *edges,
                              struct tsr_pack_position *position, unsigned datums)
{
    struct axes axes = axes_of(edges, position);
    unsigned x = position->x + datums, rows = x / 16;
    unsigned size = edges->reads_per_plane, planes = 0, row = *axes.row + rows;
    position->x = x % 16;
    if (size == 0) // what ends on equality ends when sixteen bits overflow
        size = 1u << 16;
    if (*axes.row < size) {
        if (row >= size) {
            planes = row / size;
            row %= size;
        }
        *axes.row = row;
    } else {
        for (; rows > 0; rows--) {
            *axes.row = (uint16_t)(*axes.row + 1);
            if (*axes.row == size) {
                *axes.row = 0;
                planes++;
            }
        }
    }
    *axes.plane = (uint16_t)(*axes.plane + planes);
    return planes;
}

unsigned tsr_pack_step_interfaces(const struct tsr_pack_edges *edges,
                                  struct tsr_pack_position *position, unsigned interfaces)
{
    struct axes axes = axes_of(edges, position);
    *axes.row = (*axes.row + interfaces) & 0xff;
    if (*axes.row != edges->reads_per_plane)
        return 0;
    *axes.row = 0;
    *axes.plane = (uint16_t)(*axes.plane + 1);
    return 1;
}

struct tsr_pack_position tsr_pack_interface_position(const struct tsr_pack_edges *edges,
                                                     struct tsr_pack_position position, unsigned k)
{
    struct axes axes = axes_of(edges, &position);
    *axes.row = (uint16_t)(*axes.row + k);
    return position;
}
