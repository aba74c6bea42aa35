// SPDX-License-Identifier: Apache-2.0
// What a packer keeps between instructions: the open output streams with their partial 16-byte
// buffers, the tile position, the accumulated sizes. Pages: Packers/OutputAddressGenerator.md,
// Packers/EdgeMasking.md, Packers/README.md.
#ifndef TESSERA_STATE_PACKER_H
#define TESSERA_STATE_PACKER_H

#include <stdbool.h>
#include <stdint.h>

enum { TSR_PACKERS = 4, TSR_PACK_LINE = 16 };

// Bytes on their way to L1, which packers write in lines of 16.
struct tsr_pack_stream {
    bool placed;                   // by thread order: the next PACR appends, no new address
    uint8_t filled;                // bytes of the buffer in use
    bool tainted;                  // one of those came from a tainted datum
    uint32_t address;              // L1 byte address of the buffer's first byte
    uint8_t buffer[TSR_PACK_LINE];
};

struct tsr_packer {
    struct tsr_pack_stream data, exponents;
    uint16_t x, y, z;              // tile position generator
    uint16_t l1_dest_offset;       // set by TDMA-RISC
    // Exponents seen since CLREXPHIST (Packers/ExponentHistogram.md); PACR does not count them yet.
    uint8_t exponent_count[32], max_exponent;
};

struct tsr_packers {
    struct tsr_packer packer[TSR_PACKERS];
};

#endif
