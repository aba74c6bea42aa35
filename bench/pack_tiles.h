// SPDX-License-Identifier: Apache-2.0
// Formats of a tile that PACR packs, for the benchmarks of the packers: what lies in Dst for it,
// and the configuration that it needs.
#ifndef TESSERA_PACK_TILES_H
#define TESSERA_PACK_TILES_H

#include "unpack_tiles.h"

#include <tessera/numerics.h>

enum pack_extra {
    EXTRA_NONE,
    EXTRA_ACCUMULATE,
    EXTRA_RELU, // and by a threshold, in the order of ApplyRelu
    EXTRA_RELU_MIN,
    EXTRA_RELU_MAX,
    EXTRA_EDGES,
    EXTRA_STATISTICS
};

struct pack_format {
    const char *name;
    uint8_t fill; // what is unpacked to Dst: a format of L1
    uint8_t between, out;
    bool wide;     // Dst has 32 bits
    unsigned bits; // of a datum in L1
    bool blocks;   // BFP: an exponent for each 16 datums
    enum pack_extra extra;
    double aim[2]; // of WH and BH, 10^6 tiles/s; 0: none
};

enum { PACK_FORMATS = 26 };
extern const struct pack_format pack_formats[PACK_FORMATS];

tsr_pack_mode pack_mode_of(const struct pack_format *format, tsr_arch arch);
// Bytes of L1 that `datums` come to.
size_t pack_bytes(const struct pack_format *format, size_t datums);
// Numbers of middling size, as the fill format has them in L1; the same for each call.
void make_pack_data(const struct pack_format *format, uint8_t *bytes, unsigned datums);

// Wormhole's packers each write a face, from the address of packer 0 on.
void configure_pack(tsr_tile *tile, const struct pack_format *format);
// Brings the datums to Dst by an UNPACR, and sets the packers' counters.
void fill_dst(tsr_tile *tile, const struct pack_format *format);

#endif
