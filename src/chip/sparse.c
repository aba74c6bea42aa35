// SPDX-License-Identifier: Apache-2.0
// Sparse memory: a table of pages, of which those exist that something was written to.
#include "chip/sparse.h"

#include "base/fresh_pages.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = 1 << 16 };

// Pages are found again by the one made after them: a look through the whole table would touch
// more memory than most programs do.
struct made_page {
    size_t before; // as `newest`
    _Alignas(16) uint8_t bytes[PAGE_BYTES];
};

static struct made_page *made(uint8_t *page)
{
    return (void *)(page - offsetof(struct made_page, bytes));
}

static uint8_t *make_page(struct tsr_sparse *memory, size_t number)
{
    struct made_page *page = calloc(1, sizeof *page);
    if (!page)
        return NULL;
    page->before = memory->newest;
    memory->newest = number + 1;
    return page->bytes;
}

static void free_page(uint8_t *page)
{
    if (page)
        free(made(page));
}

static size_t pages(const struct tsr_sparse *memory)
{
    return (size_t)((memory->size + PAGE_BYTES - 1) / PAGE_BYTES);
}

bool tsr_sparse_init(struct tsr_sparse *memory, uint64_t size)
{
    memory->size = size;
    memory->page = calloc(pages(memory), sizeof *memory->page);
    return memory->page != NULL;
}

void tsr_sparse_clear(struct tsr_sparse *memory)
{
    if (memory->whole) {
        tsr_fresh_pages_free(memory->whole, pages(memory) * PAGE_BYTES);
        memory->whole = NULL;
        memset(memory->page, 0, pages(memory) * sizeof *memory->page);
    }
    while (memory->newest > 0) {
        uint8_t **page = &memory->page[memory->newest - 1];
        memory->newest = made(*page)->before;
        free_page(*page);
        *page = NULL;
    }
}

void tsr_sparse_free(struct tsr_sparse *memory)
{
    tsr_sparse_clear(memory);
    free(memory->page);
    memory->page = NULL;
}

static size_t part_of(uint64_t at, size_t size)
{
    size_t left = PAGE_BYTES - (size_t)(at % PAGE_BYTES);
    return size < left ? size : left;
}

void tsr_sparse_read(const struct tsr_sparse *memory, uint64_t at, void *bytes, size_t size)
{
    for (uint8_t *to = bytes; size > 0;) {
        size_t part = part_of(at, size);
        const uint8_t *page = memory->page[at / PAGE_BYTES];
        if (page)
            memcpy(to, page + at % PAGE_BYTES, part);
        else
            memset(to, 0, part);
        to += part;
        at += part;
        size -= part;
    }
}

bool tsr_sparse_write(struct tsr_sparse *memory, uint64_t at, const void *bytes, size_t size)
{
    for (const uint8_t *from = bytes; size > 0;) {
        size_t part = part_of(at, size);
        uint8_t **page = &memory->page[at / PAGE_BYTES];
        if (!*page) {
            *page = make_page(memory, (size_t)(at / PAGE_BYTES));
            if (!*page)
                return false;
        }
        memcpy(*page + at % PAGE_BYTES, from, part);
        from += part;
        at += part;
        size -= part;
    }
    return true;
}

uint8_t *tsr_sparse_whole(struct tsr_sparse *memory)
{
    size_t count = pages(memory);
    uint8_t *whole = memory->whole ? memory->whole : tsr_fresh_pages(count * PAGE_BYTES);
    if (!whole || memory->whole)
        return whole;
    for (size_t i = 0; i < count; i++) {
        uint8_t *page = whole + i * PAGE_BYTES;
        if (memory->page[i])
            memcpy(page, memory->page[i], PAGE_BYTES);
        free_page(memory->page[i]);
        memory->page[i] = page;
    }
    memory->newest = 0;
    return memory->whole = whole;
}
