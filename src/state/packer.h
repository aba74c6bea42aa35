// SPDX-License-Identifier: Apache-2.0
// What a packer keeps between instructions: the open output streams with their partial 16-byte
// buffers, the tile position, the accumulated sizes, and what TDMA-RISC shows of finished tiles.
// Pages: Packers/OutputAddressGenerator.md, Packers/EdgeMasking.md, Packers/README.md,
// TDMA-RISC.md.
#ifndef TESSERA_STATE_PACKER_H
#define TESSERA_STATE_PACKER_H

#include <stdbool.h>
#include <stdint.h>

enum { TSR_PACKERS = 4, TSR_PACK_LINE = 16, TSR_METADATA_MAX = 8 };

// Bytes on their way to L1, which packers write in lines of 16.
struct tsr_pack_stream {
    bool placed;                   // by thread order: the next PACR appends, no new address
    uint8_t filled;                // bytes of the buffer in use
    bool tainted;                  // one of those came from a tainted datum
    uint32_t address;              // L1 byte address of the buffer's first byte
    uint16_t lines;                // sent to L1 since the stream was placed
    uint8_t buffer[TSR_PACK_LINE];
};

// An entry of a packer's metadata FIFO.
struct tsr_tile_metadata {
    uint16_t size;
    uint32_t zero_flags;
};

// Sizes are in lines of 16 bytes (docs/errata.md).
struct tsr_packer {
    struct tsr_pack_stream data, exponents;
    uint16_t x, y, z;              // tile position generator
    uint16_t l1_dest_offset;       // set by TDMA-RISC
    uint16_t last_tile_size;       // of the tile that the last PACR with Last ended
    uint8_t last_thread;           // whose PACR that was
    uint16_t acc_tile_size[3];     // of each thread
    uint32_t all_zero_flags;       // computed with compression only, which is not built
    uint8_t metadata_first, metadata_count;
    struct tsr_tile_metadata metadata[TSR_METADATA_MAX];
    // Exponents seen since CLREXPHIST (Packers/ExponentHistogram.md). A PACR that would count is
    // refused as unimplemented, so these stand at 0.
    uint8_t exponent_count[32], max_exponent;
};

struct tsr_packers {
    struct tsr_packer packer[TSR_PACKERS];
    uint32_t write_data;           // Blackhole: what PACR_SETREG writes
};

#endif
