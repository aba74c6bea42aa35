// SPDX-License-Identifier: Apache-2.0
// Places of a chip's grid as users write them, in NoC 0 coordinates: X,Y for a node, X-X,Y-Y for
// the Tensix tiles of a rectangle, and X,Y:ADDRESS for what is in a node; of several chips CHIP/ in
// front of it, a name or a number (chip_list.h).
#ifndef CLI_CHIP_PLACE_H
#define CLI_CHIP_PLACE_H

#include "common/message.h"

#include <tessera/chip.h>

// A chip's name with its end; the option, or file and line, that sentences begin with.
enum { CHIP_NAME = 16, FROM_TEXT = 240 };

struct chip_area {
    char chip[CHIP_NAME]; // empty: the first one
    unsigned on;          // its number, once all chips are known
    unsigned first_x, last_x, first_y, last_y;
    bool range; // - was written
};

struct chip_address {
    struct chip_area area;
    uint64_t address;
};

enum { AREA_TEXT = 48 };

// `what` is what the user has written it in, for the sentence.
bool area_parse(struct chip_area *area, const char *text, const char *what, struct message *why);
// The area up to the first colon of `word`, where *rest begins behind it.
bool area_before(struct chip_area *area, const char *word, const char **rest, const char *what,
                 struct message *why);
// X,Y:ADDRESS up to `end`.
bool address_parse(struct chip_address *place, const char *word, const char *end, const char *what,
                   struct message *why);
bool area_same(const struct chip_area *one, const struct chip_area *other);
void area_text(const struct chip_area *area, char text[AREA_TEXT]);

// A node is on the grid and no mere router; a range has a Tensix tile. `tensix`: the node must be
// one, too.
bool area_check(const struct chip_area *area, tsr_arch arch, bool tensix, const char *what,
                struct message *why);
// The nodes of an area that has been checked, row by row: *x and *y are the first one after an
// index, which begins at 0 and goes on; false after the last one.
bool area_next(const struct chip_area *area, tsr_arch arch, unsigned *index, unsigned *x,
               unsigned *y);

#endif
