// SPDX-License-Identifier: Apache-2.0
// Zeroed memory for what is large and of which a tile uses a part, or nothing: pages take memory
// and time where they are touched. calloc() does not do: once a piece of that size has been freed,
// glibc keeps it and clears it as a whole for the next one.
#ifndef TESSERA_BASE_FRESH_PAGES_H
#define TESSERA_BASE_FRESH_PAGES_H

#include <stddef.h>

// Aligned for any type. NULL: no memory.
void *tsr_fresh_pages(size_t size);
// `size` is the one of tsr_fresh_pages(). NULL is allowed.
void tsr_fresh_pages_free(void *pages, size_t size);

#endif
