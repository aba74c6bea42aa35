// SPDX-License-Identifier: Apache-2.0
// The grid of a chip as tables, made of machine/chip_grid.def.
#ifndef TESSERA_CHIP_GRID_H
#define TESSERA_CHIP_GRID_H

#include <tessera/chip.h>

enum { TSR_GRID_COLUMNS = 17, TSR_GRID_ROWS = 12 };      // the largest grid's
enum { TSR_DRAM_CHANNELS = 8, TSR_ETHERNET_TILES = 16 }; // at most

// What a row of machine/chip_memory.def has at its addresses.
enum tsr_memory_part {
    TSR_PART_MEMORY,
    TSR_PART_DRAM0,
    TSR_PART_CSM,
    TSR_PART_APB,
    TSR_PART_HOST,
    TSR_PART_REGISTERS,
    TSR_PART_CONTROL,
    TSR_PART_MISSING
};

// Everything the rows say of a grid, as an array of columns x rows nodes, row by row.
void tsr_grid_fill(tsr_arch arch, tsr_node_info nodes[]);
// Whether a node is a Tensix tile that is fused off: its row's bit of `harvested` (Blackhole: its
// column's) is set.
bool tsr_grid_fused_off(tsr_arch arch, const tsr_node_info *node, uint32_t harvested);

#endif
