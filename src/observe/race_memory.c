// SPDX-License-Identifier: Apache-2.0
// Cells of DRAM and the like in pages that are made when something is accessed; see race_memory.h.
// Pages: DRAMTile/README.md, EthernetTile/README.md.
#include "observe/race_memory.h"

#include <stdlib.h>

enum { PAGE_CELLS = 64, FIRST_ROOM = 1024 };

struct tsr_race_memory_page {
    uint64_t key;
    struct tsr_race_cell cell[PAGE_CELLS];
};

static unsigned slot_of(struct tsr_race_memory_page *const *pages, unsigned room, uint64_t key)
{
    unsigned slot = (unsigned)((key * 0x9e3779b97f4a7c15u) >> 32) & (room - 1);
    while (pages[slot] && pages[slot]->key != key)
        slot = (slot + 1) & (room - 1);
    return slot;
}

static bool make_room(struct tsr_race_chip *chip)
{
    if (2 * chip->page_count < chip->page_room)
        return true;
    unsigned room = chip->page_room ? 2 * chip->page_room : FIRST_ROOM;
    struct tsr_race_memory_page **pages = calloc(room, sizeof *pages);
    if (!pages)
        return false;
    for (unsigned i = 0; i < chip->page_room; i++)
        if (chip->page[i])
            pages[slot_of(pages, room, chip->page[i]->key)] = chip->page[i];
    free(chip->page);
    chip->page = pages;
    chip->page_room = room;
    return true;
}

static uint64_t key_of(unsigned memory, uint64_t granule)
{
    enum { MEMORY_AT = 48 };
    return (uint64_t)memory << MEMORY_AT | granule / PAGE_CELLS;
}

struct tsr_race_cell *tsr_race_memory_find(const struct tsr_race_chip *chip, unsigned memory,
                                           uint64_t granule)
{
    if (chip->page_room == 0)
        return NULL;
    struct tsr_race_memory_page *page =
        chip->page[slot_of(chip->page, chip->page_room, key_of(memory, granule))];
    return page ? &page->cell[granule % PAGE_CELLS] : NULL;
}

struct tsr_race_cell *tsr_race_memory_cell(struct tsr_race_chip *chip, unsigned memory,
                                           uint64_t granule)
{
    uint64_t key = key_of(memory, granule);
    if (!make_room(chip))
        return NULL;
    unsigned slot = slot_of(chip->page, chip->page_room, key);
    if (!chip->page[slot]) {
        chip->page[slot] = calloc(1, sizeof *chip->page[slot]);
        if (!chip->page[slot])
            return NULL;
        chip->page[slot]->key = key;
        chip->page_count++;
    }
    return &chip->page[slot]->cell[granule % PAGE_CELLS];
}

void tsr_race_memory_clear(struct tsr_race_chip *chip)
{
    for (unsigned i = 0; i < chip->page_room; i++)
        free(chip->page[i]);
    free(chip->page);
    chip->page = NULL;
    chip->page_count = chip->page_room = 0;
}

// ---------------------------------------------------------------- clocks of a record

static void mark(const struct tsr_race_clock *clock, size_t count)
{
    for (size_t i = 0; i < count; i++)
        tsr_race_far_mark(clock[i].far);
}

static void mark_thread(const struct tsr_race_record *record, unsigned thread)
{
    mark(&record->thread[thread], 1);
    mark(&record->pending[thread].base, 1);
    mark(&record->pending[thread].clock, 1);
    mark(record->push[thread], RACE_PUSHES);
    mark(record->auto_uses[thread][0], 2ul * RACE_TRACKED);
}

void tsr_race_mark_clocks(const struct tsr_race_record *record)
{
    for (unsigned thread = 0; thread < TSR_THREADS; thread++)
        mark_thread(record, thread);
    for (unsigned unit = 0; unit < TSR_UNIT_COUNT; unit++) {
        mark(record->unit[unit], TSR_THREADS);
        for (unsigned i = 0; i < RACE_QUEUE; i++)
            mark(&record->accepted[unit][i].clock, 1);
    }
    mark(record->core, RACE_CORES);
    mark(&record->work, 1);
    for (unsigned i = 0; i < RACE_SEMAPHORES; i++)
        for (unsigned k = 0; k < RACE_STEPS; k++) {
            mark(&record->semaphore[i].post[k].clock, 1);
            mark(&record->semaphore[i].get[k].clock, 1);
        }
    mark(record->mutex, RACE_MUTEXES);
    mark(record->handed_over[0], sizeof record->handed_over / sizeof record->handed_over[0][0]);
    mark(record->given_back[0], sizeof record->given_back / sizeof record->given_back[0][0]);
    for (unsigned i = 0; i < TSR_RACE_CHANNELS; i++)
        mark(record->channel[i].word, RACE_CHANNEL_WORDS);
    mark(&record->settled, 1);
    for (unsigned core = 0; core < RACE_LOADERS; core++)
        mark(record->stores[core].clock, RACE_STORES);
    mark(record->irq, RACE_IRQS);
    mark(record->stream, RACE_STREAMS);
    for (unsigned i = 0; i < RACE_STREAM_LOADS; i++)
        mark(&record->stream_load[i].told, 1);
}
