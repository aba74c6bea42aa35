// SPDX-License-Identifier: Apache-2.0
// What a packer keeps between instructions: the open output streams with their partial 16-byte
// buffers, a begun block, the compression row, the tile position, the accumulated sizes, and what
// TDMA-RISC shows of finished tiles. Pages: Packers/OutputAddressGenerator.md,
// Packers/EdgeMasking.md, Packers/Compression.md, Packers/README.md, TDMA-RISC.md.
#ifndef TESSERA_STATE_PACKER_H
#define TESSERA_STATE_PACKER_H

#include "base/random.h"

#include <stdbool.h>
#include <stdint.h>

enum { TSR_PACKERS = 4, TSR_PACK_LINE = 16, TSR_METADATA_MAX = 8 };

// Bytes on their way to L1, which packers write in lines of 16.
struct tsr_pack_stream {
    bool has_address; // by thread order: the next PACR appends; else it takes a new address
    uint8_t filled;   // bytes of the buffer in use
    bool tainted;     // one of those came from a tainted datum
    uint32_t address; // L1 byte address of the buffer's first byte
    uint16_t lines;   // sent to L1 since the stream got its address
    uint8_t buffer[TSR_PACK_LINE];
};

// Datums that wait for the rest of their block of 16.
struct tsr_pack_group {
    uint16_t pattern[16]; // as assembly takes them
    uint8_t count;
    uint8_t format; // that they wait for
    bool unshared;  // Dis_shared_exp_assembler
    bool tainted;
};

// Where compression stands in its section.
struct tsr_pack_rows {
    bool begun; // the section has row starts
    bool open;  // the next datum goes on with the row
    bool first; // ... and is its first
    bool held;  // a zero that is dropped if it is not the last of its row
    bool held_tainted;
    bool all_zero;                 // so far, the row
    uint8_t dropped;               // after the last datum that was kept
    uint8_t row;                   // number in the section, up to 255
    uint32_t datums;               // kept so far in the section
    uint8_t counts[TSR_PACK_LINE]; // of the last 32 kept, four bits each
};

// An entry of a packer's metadata FIFO.
struct tsr_tile_metadata {
    uint16_t size;
    uint32_t zero_flags;
};

// Sizes are in lines of 16 bytes (docs/errata.md).
struct tsr_packer {
    struct tsr_pack_stream data, exponents, row_starts;
    struct tsr_pack_group group;
    struct tsr_pack_rows rows;
    uint8_t beyond_sixteen;    // datums of the open section, modulo 16
    uint16_t x, y, z;          // tile position generator, by thread order
    uint16_t l1_dest_offset;   // set by TDMA-RISC
    uint16_t last_tile_size;   // of the tile that the last PACR with Last ended
    uint8_t last_thread;       // whose PACR that was
    uint16_t acc_tile_size[3]; // of each thread
    uint32_t all_zero_flags;   // a bit a compression row of the newest section
    uint8_t metadata_first, metadata_count;
    struct tsr_tile_metadata metadata[TSR_METADATA_MAX];
    // Exponents seen since CLREXPHIST (Packers/ExponentHistogram.md). Only packer 0's maximum can
    // be read, and only it is kept.
    uint8_t exponent_count[32], max_exponent;
};

struct tsr_packers {
    struct tsr_packer packer[TSR_PACKERS];
    uint32_t write_data;   // Blackhole: what PACR_SETREG writes
    uint32_t random, seed; // of stochastic rounding (decision 15)
    // Blackhole: the context that CtxtCtrl tracks, and the planes since it moved on.
    uint8_t context, planes;
};

// CLREXPHIST, and a soft reset of the packers' way to Dst.
static inline void tsr_packer_reset_exponents(struct tsr_packer *packer)
{
    for (int bin = 0; bin < 32; bin++)
        packer->exponent_count[bin] = 0;
    packer->max_exponent = 0;
}

static inline void tsr_packers_seed(struct tsr_packers *packers, uint64_t seed)
{
    packers->random = packers->seed = tsr_prng_begin(seed);
}

#endif
