// SPDX-License-Identifier: Apache-2.0
// Memory of which pages exist where something was written: DRAM channels, and what other tiles
// have.
#ifndef TESSERA_CHIP_SPARSE_H
#define TESSERA_CHIP_SPARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tsr_sparse {
    uint64_t size; // in bytes
    uint8_t **page;
    size_t newest;  // 1 more than the number of the page made last; each knows the one before
    uint8_t *whole; // all pages in one piece; NULL: each by itself
};

// False: no memory. `memory` may be given to tsr_sparse_free() in any case.
bool tsr_sparse_init(struct tsr_sparse *memory, uint64_t size);
void tsr_sparse_free(struct tsr_sparse *memory);
void tsr_sparse_clear(struct tsr_sparse *memory); // all zero

// All of its bytes in one piece, until it is cleared. NULL: no memory.
uint8_t *tsr_sparse_whole(struct tsr_sparse *memory);

static inline bool tsr_sparse_holds(const struct tsr_sparse *memory, uint64_t at, size_t size)
{
    return at <= memory->size && size <= memory->size - at;
}

// Inside the memory only. What was never written reads as zero. False: no memory.
void tsr_sparse_read(const struct tsr_sparse *memory, uint64_t at, void *bytes, size_t size);
bool tsr_sparse_write(struct tsr_sparse *memory, uint64_t at, const void *bytes, size_t size);

#endif
