// SPDX-License-Identifier: Apache-2.0
// What the opaque tsr_chip is: a node for each place of the grid, the memories that several nodes
// share, and the clock.
#ifndef TESSERA_CHIP_CHIP_STATE_H
#define TESSERA_CHIP_CHIP_STATE_H

#include "base/findings.h"
#include "chip/ethernet_queue_state.h"
#include "chip/grid.h"
#include "chip/noc_state.h"
#include "chip/pace.h"
#include "chip/pcie_state.h"
#include "chip/sparse.h"
#include "chip/workers.h"

#include <stdatomic.h>

// The length of a window; with timing off it is the quantum of the cores (machine/timing.def).
enum { TSR_CHIP_WINDOW = 64 };

struct tsr_node {
    tsr_node_info info;
    struct tsr_chip *chip; // for whoever is given the node alone
    tsr_tile *tile;        // of a Tensix node that was touched
    // Of an Ethernet node with a register accessed that does something (ethernet_tile.h).
    struct tsr_ethernet *ethernet;
    // The tile, or what there is of an Ethernet tile, has something to do, or somebody outside has
    // acted on it since it rested. A tile that rests stands at the cycle at which it came to rest,
    // until it is touched.
    bool active;
    bool found;                // the tile had findings that the list lacks when its window ended
    bool handed_out;           // by tsr_chip_tile(): its user may act on it at any time
    int findings_seen;         // of the tile's, how many stand in the chip's list
    struct tsr_sparse *memory; // DRAM: its channel's. Ethernet: its L1. NULL: none
    bool harvested;            // a Tensix tile that is fused off
};

// Where a finding is: the tile's list, or the chip's own.
struct tsr_found {
    uint16_t node;
    bool own;
    uint16_t index;
};

struct tsr_chip {
    tsr_chip_options options;
    char *kernels;                  // options.tile.kernels
    struct tsr_tile_tables *tables; // of all tiles
    unsigned columns, rows;
    struct tsr_node *node; // columns x rows of them, row by row
    struct tsr_sparse dram[TSR_DRAM_CHANNELS];
    struct tsr_sparse ethernet[TSR_ETHERNET_TILES], ethernet_registers[TSR_ETHERNET_TILES];
    struct tsr_sparse arc_csm, arc_apb;
    struct tsr_ethernet_queues *queues[TSR_ETHERNET_TILES]; // NULL: nobody has touched them
    atomic_bool queues_made;                                // some were; tiles of any thread say it
    struct tsr_ethernet_link link[TSR_ETHERNET_TILES];
    struct tsr_chip *next_connected; // a ring of the chips whose clock this one shares
    struct tsr_chip *was_next;       // while the ring is made anew
    struct tsr_pcie pcie;
    struct tsr_noc noc;
    struct tsr_findings *own; // findings that concern no tile, and the policy for all of them
    uint16_t own_node[TSR_FINDINGS_KEPT];
    int own_seen;
    struct tsr_found *found; // all, in order
    int found_count, found_capacity;
    uint16_t active[TSR_GRID_COLUMNS * TSR_GRID_ROWS]; // nodes whose tiles run in this window
    unsigned active_count;
    bool touched;                // a tile has become active, and the list does not have it
    unsigned stops;              // counts windows in which a tile may have been stopped
    bool noc_reported;           // the NoC has reported in the name of a tile that may rest
    struct tsr_workers *workers; // while the chip runs, once they are worth it
    struct tsr_pace pace;
    tsr_chip_observer *observer;
    void *observer_user;
    bool any_handed_out;
    uint64_t now;    // the end of the last window
    uint64_t target; // up to where tsr_chip_clock() has been told to go
};

// The node at NoC 0 coordinates; NULL outside the grid.
static inline struct tsr_node *tsr_chip_node(tsr_chip *chip, unsigned x, unsigned y)
{
    return x < chip->columns && y < chip->rows ? &chip->node[y * chip->columns + x] : NULL;
}

// The first of a kind.
static inline struct tsr_node *tsr_chip_node_of(tsr_chip *chip, tsr_node_kind kind)
{
    for (unsigned i = 0; i < chip->columns * chip->rows; i++)
        if (chip->node[i].info.kind == kind && chip->node[i].info.unit == 0)
            return &chip->node[i];
    return NULL;
}

#endif
