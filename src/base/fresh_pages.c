// SPDX-License-Identifier: Apache-2.0
// Zeroed memory page by page; see fresh_pages.h. Where the system maps no memory, or a sanitizer is
// to see where a piece of it ends, calloc() does.
#if defined(__linux__)
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#endif
#include "base/fresh_pages.h"

#include <stdint.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#endif

#if defined(__linux__) && !defined(SANITIZED)
#include <sys/mman.h>

enum { PAGE = 4096, LINE = 64 };

// What begins each of many pieces would share the few cache lines that the same places of pages may
// have: pieces begin at different lines of their first page.
static size_t first_line(uintptr_t page)
{
    uint32_t mixed = (uint32_t)(page / PAGE) * 0x9e3779b1u;
    return (size_t)(mixed >> 26) * LINE;
}

void *tsr_fresh_pages(size_t size)
{
    void *pages =
        mmap(NULL, size + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : (uint8_t *)pages + first_line((uintptr_t)pages);
}

void tsr_fresh_pages_free(void *pages, size_t size)
{
    if (pages)
        munmap((uint8_t *)pages - (uintptr_t)pages % PAGE, size + PAGE);
}

#else

void *tsr_fresh_pages(size_t size)
{
    return calloc(1, size);
}

void tsr_fresh_pages_free(void *pages, size_t size)
{
    (void)size;
    free(pages);
}

#endif
