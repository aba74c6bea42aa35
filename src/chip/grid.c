// SPDX-License-Identifier: Apache-2.0
// What stands where on a chip's grid. Pages: WormholeB0/README.md, NoC/Coordinates.md.
#include "chip/grid.h"

struct size {
    uint8_t columns, rows;
};

static const struct size size_of[TSR_ARCH_COUNT] = {
#define GRID(chip, columns, rows) [TSR_##chip] = {columns, rows},
#include "../../machine/chip_grid.def"
};

struct row {
    uint8_t arch, kind, unit, first_x, last_x, first_y, last_y;
};

static const struct row row_of[] = {
#define NODES(chip, kind, unit, first_x, last_x, first_y, last_y)                                  \
    {TSR_##chip, TSR_NODE_##kind, unit, first_x, last_x, first_y, last_y},
#include "../../machine/chip_grid.def"
};

static bool has(const struct row *row, unsigned x, unsigned y)
{
    return x >= row->first_x && x <= row->last_x && y >= row->first_y && y <= row->last_y;
}

const char *tsr_node_kind_name(tsr_node_kind kind)
{
    static const char *const names[] = {"router", "tensix", "dram",     "ethernet",
                                        "arc",    "pcie",   "security", "l2cpu"};
    return (unsigned)kind < TSR_NODE_KIND_COUNT ? names[kind] : "";
}

unsigned tsr_grid_columns(tsr_arch arch)
{
    return (unsigned)arch < TSR_ARCH_COUNT ? size_of[arch].columns : 0;
}

unsigned tsr_grid_rows(tsr_arch arch)
{
    return (unsigned)arch < TSR_ARCH_COUNT ? size_of[arch].rows : 0;
}

static tsr_node_info find(tsr_arch arch, unsigned x, unsigned y)
{
    tsr_node_info info = {.kind = TSR_NODE_ROUTER, .x = x, .y = y};
    for (size_t i = 0; i < sizeof row_of / sizeof *row_of; i++)
        if (row_of[i].arch == arch && has(&row_of[i], x, y)) {
            info.kind = (tsr_node_kind)row_of[i].kind;
            info.unit = row_of[i].unit;
        }
    return info;
}

void tsr_grid_fill(tsr_arch arch, tsr_node_info nodes[])
{
    unsigned columns = tsr_grid_columns(arch), rows = tsr_grid_rows(arch), tensix = 0;
    for (unsigned i = 0; i < columns * rows; i++) {
        nodes[i] = find(arch, i % columns, i / columns);
        if (nodes[i].kind == TSR_NODE_TENSIX)
            nodes[i].unit = tensix++;
    }
}

tsr_status tsr_node_at(tsr_arch arch, unsigned x, unsigned y, tsr_node_info *out)
{
    if (!out || (unsigned)arch >= TSR_ARCH_COUNT)
        return TSR_BAD_ARGUMENT;
    unsigned columns = tsr_grid_columns(arch);
    if (x >= columns || y >= tsr_grid_rows(arch))
        return TSR_NOT_FOUND;
    tsr_node_info nodes[TSR_GRID_COLUMNS * TSR_GRID_ROWS];
    tsr_grid_fill(arch, nodes);
    *out = nodes[y * columns + x];
    return TSR_OK;
}
