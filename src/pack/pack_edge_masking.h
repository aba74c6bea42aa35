// SPDX-License-Identifier: Apache-2.0
// The edge masks of a packer and the tile position that selects among them.
// Page: Packers/EdgeMasking.md.
#ifndef TESSERA_PACK_PACK_EDGE_MASKING_H
#define TESSERA_PACK_PACK_EDGE_MASKING_H

#include "state/state.h"

enum { TSR_PACK_EDGE_SETS = 4 };

// The mappings from rows of the tile to edge masks: entries of two bits, sixteen a word.
struct tsr_pack_edges {
    uint32_t faces;                    // by Z: a row set; all entries equal without face sets
    uint32_t rows[TSR_PACK_EDGE_SETS]; // of each row set, by Y: a mask
    uint16_t mask[TSR_PACK_EDGE_SETS];
    uint8_t reads_per_plane;
    bool yz_transposed;
    bool masked;         // some mask is not all ones
    bool minus_infinity; // what masked datums become; else zero
};

// The position of the tile position generator, sixteen bits each. (As halves of a word they would
// be written one by one and read together, which stalls the host's store forwarding.)
struct tsr_pack_position {
    uint32_t x, y, z;
};

void tsr_pack_read_edges(const struct tsr_env *env, int state_id, int config_of,
                         struct tsr_pack_edges *edges);
// Of the row at `at`; `z_offset` is that of the face sets.
uint16_t tsr_pack_edge_mask(const struct tsr_pack_edges *edges, unsigned z_offset,
                            const struct tsr_pack_position *at);
// Whether masks there may be others than at the beginning of a tile.
bool tsr_pack_position_matters(const struct tsr_pack_edges *edges,
                               const struct tsr_pack_position *at);
// Steps the position; both return how many planes that completes.
unsigned tsr_pack_step_datums(const struct tsr_pack_edges *edges,
                              struct tsr_pack_position *position, unsigned datums);
unsigned tsr_pack_step_interfaces(const struct tsr_pack_edges *edges,
                                  struct tsr_pack_position *position, unsigned interfaces);
// The position of the k-th enabled interface.
struct tsr_pack_position tsr_pack_interface_position(const struct tsr_pack_edges *edges,
                                                     struct tsr_pack_position position, unsigned k);

#endif
