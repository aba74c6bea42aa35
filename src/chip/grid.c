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

enum { MEMORY, DRAM0, CSM, APB, HOST, REGISTERS };
enum { MEMORY_OF_NODE = MEMORY };

struct memory_row {
    uint8_t arch, kind, what;
    uint64_t size;
};

static const struct memory_row memory_row[] = {
#define MEMORY(chip, kind, what, base, size) {TSR_##chip, TSR_NODE_##kind, what, size},
#include "../../machine/chip_memory.def"
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

// Rows of the same kind and unit before this one.
static unsigned port_of(size_t index)
{
    unsigned port = 0;
    for (size_t i = 0; i < index; i++)
        port += row_of[i].arch == row_of[index].arch && row_of[i].kind == row_of[index].kind &&
                row_of[i].unit == row_of[index].unit;
    return port;
}

static uint64_t memory_of(tsr_arch arch, tsr_node_kind kind)
{
    for (size_t i = 0; i < sizeof memory_row / sizeof *memory_row; i++)
        if (memory_row[i].arch == arch && memory_row[i].kind == kind &&
            memory_row[i].what == MEMORY_OF_NODE)
            return memory_row[i].size;
    return kind == TSR_NODE_TENSIX ? tsr_l1_size(arch) : 0;
}

static tsr_node_info find(tsr_arch arch, unsigned x, unsigned y)
{
    tsr_node_info info = {.kind = TSR_NODE_ROUTER, .x = x, .y = y};
    for (size_t i = 0; i < sizeof row_of / sizeof *row_of; i++)
        if (row_of[i].arch == arch && has(&row_of[i], x, y)) {
            info.kind = (tsr_node_kind)row_of[i].kind;
            info.unit = row_of[i].unit;
            info.port = info.kind == TSR_NODE_DRAM ? port_of(i) : 0;
        }
    info.memory = memory_of(arch, info.kind);
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
