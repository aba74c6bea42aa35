// SPDX-License-Identifier: Apache-2.0
// What a packer keeps between instructions: the open output streams with their partial 16-byte
// buffers, the tile position, the accumulated sizes. Pages: Packers/OutputAddressGenerator.md,
// Packers/EdgeMasking.md, Packers/README.md.
#ifndef TESSERA_STATE_PACKER_H
#define TESSERA_STATE_PACKER_H

#include <stdbool.h>
#include <stdint.h>

enum { TSR_PACKERS = 4, TSR_PACK_LINE = 16 };

struct tsr_pack_stream {
    uint32_t address;              // L1 byte address of the buffer's first byte
    uint8_t buffer[TSR_PACK_LINE];
    uint8_t filled;                // bits of the buffer in use / 8; sub-byte rest in `bits`
    uint8_t bits;
    bool tainted;
};

struct tsr_packer {
    bool open;                     // an output section is open: no new address is needed
    bool last_pending;
    struct tsr_pack_stream data, exponents;
    uint16_t x, y, z;              // tile position
    uint16_t l1_dest_offset;       // TDMA-RISC
};

struct tsr_packers {
    struct tsr_packer packer[TSR_PACKERS];
};

#endif
