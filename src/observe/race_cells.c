// SPDX-License-Identifier: Apache-2.0
// The cells of all storages; see race_cells.h. Pages: L1.md, Dst.md, SrcASrcB.md, ScalarUnit.md.
#include "observe/race_cells.h"

#include "base/fresh_pages.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAGE_CELLS = 2048,
    L1_CELLS = 1536 * 1024 / TSR_RACE_GRANULE,
    PAGES = 1 + (L1_CELLS - 1) / PAGE_CELLS,
    DST_CELLS = 1024,
    SRC_CELLS = 4,
    GPR_CELLS = 64 * TSR_THREADS,
    CONFIG_CELLS = 2 * TSR_RACE_BANK_CELLS + TSR_THREADS * TSR_RACE_THREAD_CELLS,
    MOP_CONFIG_CELLS = TSR_RACE_MOP_CELLS * TSR_THREADS
};

// How many cells each storage has; that of L1 is in pages.
static const uint32_t sizes[TSR_RACE_STORAGES] = {
    [TSR_RACE_L1] = L1_CELLS,
    [TSR_RACE_DST] = DST_CELLS,
    [TSR_RACE_SRC] = SRC_CELLS,
    [TSR_RACE_GPR] = GPR_CELLS,
    [TSR_RACE_CONFIG] = CONFIG_CELLS,
    [TSR_RACE_MOP_CONFIG] = MOP_CONFIG_CELLS,
    [TSR_RACE_TDMA] = TSR_RACE_TDMA_CELLS,
};
// Where the cells of all but L1 begin.
enum {
    DST_AT = 0,
    SRC_AT = DST_AT + DST_CELLS,
    GPR_AT = SRC_AT + SRC_CELLS,
    CONFIG_AT = GPR_AT + GPR_CELLS,
    MOP_CONFIG_AT = CONFIG_AT + CONFIG_CELLS,
    TDMA_AT = MOP_CONFIG_AT + MOP_CONFIG_CELLS,
    OTHER_CELLS = TDMA_AT + TSR_RACE_TDMA_CELLS
};
static const uint16_t begins[TSR_RACE_STORAGES] = {
    [TSR_RACE_DST] = DST_AT,       [TSR_RACE_SRC] = SRC_AT,   [TSR_RACE_GPR] = GPR_AT,
    [TSR_RACE_CONFIG] = CONFIG_AT, [TSR_RACE_TDMA] = TDMA_AT, [TSR_RACE_MOP_CONFIG] = MOP_CONFIG_AT,
};

struct tsr_race_cells {
    struct tsr_race_cell *page[PAGES];
    struct tsr_race_cell other[OTHER_CELLS];
};

struct tsr_race_cells *tsr_race_cells_create(void)
{
    return calloc(1, sizeof(struct tsr_race_cells));
}

void tsr_race_cells_clear(struct tsr_race_cells *cells)
{
    for (unsigned i = 0; i < PAGES; i++)
        tsr_fresh_pages_free(cells->page[i], PAGE_CELLS * sizeof *cells->page[i]);
    memset(cells, 0, sizeof *cells);
}

void tsr_race_cells_destroy(struct tsr_race_cells *cells)
{
    if (!cells)
        return;
    tsr_race_cells_clear(cells);
    free(cells);
}

struct tsr_race_cell *tsr_race_cell_at(struct tsr_race_cells *cells, enum tsr_race_storage storage,
                                       uint32_t index, bool make)
{
    if (storage >= TSR_RACE_MEMORY || index >= sizes[storage])
        return NULL;
    if (storage == TSR_RACE_L1) {
        struct tsr_race_cell **page = &cells->page[index / PAGE_CELLS];
        if (!*page && make)
            *page = tsr_fresh_pages(PAGE_CELLS * sizeof **page);
        return *page ? &(*page)[index % PAGE_CELLS] : NULL;
    }
    return &cells->other[begins[storage] + index];
}

struct tsr_race_cell *tsr_race_cells_at(struct tsr_race_cells *cells, enum tsr_race_storage storage,
                                        uint32_t index, uint32_t *count)
{
    uint32_t room = storage == TSR_RACE_L1 ? PAGE_CELLS - index % PAGE_CELLS : UINT32_MAX;
    uint32_t left =
        storage < TSR_RACE_MEMORY && index < sizes[storage] ? sizes[storage] - index : 0;
    *count = *count < room ? *count : room;
    *count = *count < left ? *count : left;
    return tsr_race_cell_at(cells, storage, index, true);
}

static bool stands_for(const struct tsr_race_entry *fresh, const struct tsr_race_entry *old)
{
    return (fresh->write || !old->write) && (old->mask & ~fresh->mask) == 0 &&
           (old->atomic || !fresh->atomic) &&
           (fresh->write || (fresh->agent == old->agent && fresh->until == old->until &&
                             fresh->value == old->value));
}

// Entries have no gaps between them.
void tsr_race_cell_note(struct tsr_race_cell *cell, struct tsr_race_entry fresh, unsigned before)
{
    int kept = 0, oldest = 0, i = 0;
    for (; i < RACE_ENTRIES && cell->entry[i].mask; i++) {
        bool over = before >> i & 1;
        if (over && stands_for(&fresh, &cell->entry[i]))
            continue;
        if (!cell->entry[i].write && (over || cell->entry[i].agent == RACE_PACKET))
            oldest = kept;
        cell->entry[kept++] = cell->entry[i];
    }
    // Where all places are taken, one goes that this access comes after.
    cell->entry[kept < RACE_ENTRIES ? kept : oldest] = fresh;
    for (kept++; kept < i; kept++)
        cell->entry[kept].mask = 0;
}
