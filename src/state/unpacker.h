// SPDX-License-Identifier: Apache-2.0
// What an unpacker keeps between instructions. Page: UNPACR_Regular.md, Unpackers/README.md.
#ifndef TESSERA_STATE_UNPACKER_H
#define TESSERA_STATE_UNPACKER_H

#include <stdint.h>

struct tsr_unpacker {
    uint8_t src_row[3];         // SrcRow of each thread
    uint8_t context_counter[3]; // of each thread
};

#endif
