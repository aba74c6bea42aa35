// SPDX-License-Identifier: Apache-2.0
// The grid of a chip as tables, made of machine/chip_grid.def.
#ifndef TESSERA_CHIP_GRID_H
#define TESSERA_CHIP_GRID_H

#include <tessera/chip.h>

enum { TSR_GRID_COLUMNS = 17, TSR_GRID_ROWS = 12 };      // the largest grid's
enum { TSR_DRAM_CHANNELS = 8, TSR_ETHERNET_TILES = 16 }; // at most

// Everything the rows say of a grid, as an array of columns x rows nodes, row by row.
void tsr_grid_fill(tsr_arch arch, tsr_node_info nodes[]);

#endif
