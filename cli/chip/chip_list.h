// SPDX-License-Identifier: Apache-2.0
// The chips of a run and the links between their Ethernet tiles: what a description or --links
// says, how chips are named, and the chips themselves. Links: docs/ethernet-links.md.
#ifndef CLI_CHIP_LIST_H
#define CLI_CHIP_LIST_H

#include "chip/chip_place.h"

#include <tessera/chip.h>

struct chip_entry {
    char name[CHIP_NAME]; // empty: its number alone
    char from[FROM_TEXT]; // file and line, for sentences
    uint64_t harvested;
};

struct chip_link_end {
    char chip[CHIP_NAME];
    unsigned number, tile; // of the chip, once all are known; of the Ethernet tile
};

struct chip_link {
    char from[FROM_TEXT];
    struct chip_link_end end[2];
    uint64_t drop_every;
};

struct chip_list {
    struct chip_entry entry[TSR_CHIP_DEVICES];
    unsigned count;
    struct chip_link *links;
    int link_count;
};

// NULL: no memory, too many, or no such name, and `why` is set. `name` may be empty.
struct chip_entry *chips_add(struct chip_list *list, const char *name, const char *from,
                             struct message *why);
// CHIP:TILE-CHIP:TILE, `length` characters.
struct chip_link *chips_add_link(struct chip_list *list, const char *word, size_t length,
                                 const char *from, struct message *why);
// Several with commas, of --links.
bool chips_add_links(struct chip_list *list, const char *words, struct message *why);
void chips_free(struct chip_list *list);

// Once all is known. Chips that nobody has listed are those that links name by numbers, or a single
// one. Each tile has one link, and links connect all chips, which share one clock.
bool chips_check(struct chip_list *list, tsr_arch arch, struct message *why);
// The chip that a place names: area->on.
bool chips_find(const struct chip_list *list, struct chip_area *area, const char *what,
                struct message *why);
// "left/1,2", or "1,2" of a single chip.
void chips_tile_text(const struct chip_list *list, unsigned chip, unsigned x, unsigned y,
                     char text[AREA_TEXT]);
// "left", or "0" of a chip without a name; `text` may be used for it.
const char *chips_name(const struct chip_list *list, unsigned chip, char text[CHIP_NAME]);

// A finding of any of `count` chips, chip by chip. False: there is none with that number.
struct chips_finding {
    unsigned chip;
    tsr_chip_finding found;
};
bool chips_finding_at(tsr_chip *const chips[], unsigned count, int index,
                      struct chips_finding *out);
int chips_finding_count(tsr_chip *const chips[], unsigned count);

#endif
