// SPDX-License-Identifier: Apache-2.0
// Zeroed memory for tables of which a tile uses a part, or nothing: pages take memory where they
// are written. C libraries clear small pieces, and map large ones; glibc clears large ones, too,
// once a piece of that size has been freed.
#ifndef TESSERA_BASE_FRESH_PAGES_H
#define TESSERA_BASE_FRESH_PAGES_H

#include <stdlib.h>

// For free(). NULL: no memory.
static inline void *tsr_fresh_pages(size_t size)
{
    enum { LARGE = 160 << 10 }; // glibc maps 128 KiB and more
    return calloc(1, size > LARGE ? size : LARGE);
}

#endif
