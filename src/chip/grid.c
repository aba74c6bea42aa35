// SPDX-License-Identifier: Apache-2.0
// What stands where on a chip's grid. Pages: WormholeB0/README.md, NoC/Coordinates.md.
#include "chip/grid.h"

struct size {
    uint8_t columns, rows;
};

static const struct size size_of[TSR_ARCH_COUNT] = {
#define GRID(chip, columns, rows) [TSR_##chip] = {columns, rows},
#include "machine/chip_grid.def"
};

struct row {
    uint8_t arch, kind, unit, first_x, last_x, first_y, last_y;
};

static const struct row row_of[] = {
#define NODES(chip, kind, unit, first_x, last_x, first_y, last_y)                                  \
    {TSR_##chip, TSR_NODE_##kind, unit, first_x, last_x, first_y, last_y},
#include "machine/chip_grid.def"
};

struct memory_row {
    uint8_t arch, kind, what;
    uint64_t size;
};

static const struct memory_row memory_row[] = {
#define MEMORY(chip, kind, what, base, size) {TSR_##chip, TSR_NODE_##kind, TSR_PART_##what, size},
#include "machine/chip_memory.def"
};

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

static uint64_t memory_of(tsr_arch arch, tsr_node_kind kind)
{
    for (size_t i = 0; i < sizeof memory_row / sizeof *memory_row; i++)
        if (memory_row[i].arch == arch && memory_row[i].kind == kind &&
            memory_row[i].what == TSR_PART_MEMORY)
            return memory_row[i].size;
    return kind == TSR_NODE_TENSIX ? tsr_l1_size(arch) : 0;
}

static void fill_row(tsr_arch arch, const struct row *row, tsr_node_info nodes[])
{
    unsigned columns = tsr_grid_columns(arch);
    for (unsigned y = row->first_y; y <= row->last_y; y++)
        for (unsigned x = row->first_x; x <= row->last_x; x++) {
            tsr_node_info *node = &nodes[y * columns + x];
            node->kind = (tsr_node_kind)row->kind;
            node->unit = row->unit;
        }
}

void tsr_grid_fill(tsr_arch arch, tsr_node_info nodes[])
{
    unsigned columns = tsr_grid_columns(arch), rows = tsr_grid_rows(arch), tensix = 0;
    unsigned ports[TSR_DRAM_CHANNELS] = {0};
    uint64_t memory[TSR_NODE_KIND_COUNT];
    for (int kind = 0; kind < TSR_NODE_KIND_COUNT; kind++)
        memory[kind] = memory_of(arch, (tsr_node_kind)kind);
    for (unsigned i = 0; i < columns * rows; i++)
        nodes[i] = (tsr_node_info){.kind = TSR_NODE_ROUTER, .x = i % columns, .y = i / columns};
    for (size_t i = 0; i < sizeof row_of / sizeof *row_of; i++) {
        const struct row *row = &row_of[i];
        if (row->arch != arch)
            continue;
        fill_row(arch, row, nodes);
        if (row->kind == TSR_NODE_DRAM)
            nodes[row->first_y * columns + row->first_x].port = ports[row->unit]++;
    }
    for (unsigned i = 0; i < columns * rows; i++) {
        nodes[i].memory = memory[nodes[i].kind];
        if (nodes[i].kind == TSR_NODE_TENSIX)
            nodes[i].unit = tensix++;
    }
}

bool tsr_grid_fused_off(tsr_arch arch, const tsr_node_info *node, uint32_t harvested)
{
    unsigned line = arch == TSR_WORMHOLE_B0 ? node->y : node->x;
    return node->kind == TSR_NODE_TENSIX && harvested >> line & 1;
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
