// SPDX-License-Identifier: Apache-2.0
// Reading places of the grid; see chip_place.h.
#include "chip/chip_place.h"

#include "common/cli_options.h"

#include <stdio.h>
#include <string.h>

static bool bad_area(const char *text, int length, const char *what, struct message *why)
{
    return message_set(why, "%s: this is neither X,Y nor X-X,Y-Y '%.*s'", what,
                       length < 200 ? length : 200, text);
}

// N or N-N, `length` characters.
static bool read_span(const char *text, size_t length, unsigned *first, unsigned *last, bool *range)
{
    enum { MOST = 1000 };
    const char *dash = memchr(text, '-', length);
    size_t left = dash == NULL ? length : (size_t)(dash - text);
    uint64_t one, other;

    if (parse_digits(text, left, &one) != NUMBER_OK)
        return false;
    other = one;
    if (dash != NULL && parse_digits(dash + 1, length - left - 1, &other) != NUMBER_OK)
        return false;
    if (one > other || other > MOST)
        return false;
    *first = (unsigned)one;
    *last = (unsigned)other;
    *range |= dash != NULL;
    return true;
}

static bool parse(struct chip_area *area, const char *text, size_t length, const char *what,
                  struct message *why)
{
    const char *slash = memchr(text, '/', length);
    size_t name = slash == NULL ? 0 : (size_t)(slash - text);

    *area = (struct chip_area){.range = false};
    if (slash != NULL && (name == 0 || name >= CHIP_NAME))
        return bad_area(text, (int)length, what, why);
    memcpy(area->chip, text, name);
    text += slash == NULL ? 0 : name + 1;
    length -= slash == NULL ? 0 : name + 1;
    const char *comma = memchr(text, ',', length);
    if (comma == NULL)
        return bad_area(text, (int)length, what, why);
    size_t left = (size_t)(comma - text);
    const char *behind = comma + 1;
    while (behind < text + length && *behind == ' ')
        behind++;
    return (read_span(text, left, &area->first_x, &area->last_x, &area->range) &&
            read_span(behind, (size_t)(text + length - behind), &area->first_y, &area->last_y,
                      &area->range)) ||
           bad_area(text, (int)length, what, why);
}

bool area_parse(struct chip_area *area, const char *text, const char *what, struct message *why)
{
    return parse(area, text, strlen(text), what, why);
}

bool area_before(struct chip_area *area, const char *word, const char **rest, const char *what,
                 struct message *why)
{
    const char *colon = strchr(word, ':');

    if (colon == NULL)
        return message_set(why, "%s: the tile is missing, X,Y: in front of '%s'", what, word);
    *rest = colon + 1;
    return parse(area, word, (size_t)(colon - word), what, why);
}

bool address_parse(struct chip_address *place, const char *word, const char *end, const char *what,
                   struct message *why)
{
    const char *number = end;

    if (!area_before(&place->area, word, &number, what, why))
        return false;
    if (number < end && parse_digits(number, (size_t)(end - number), &place->address) == NUMBER_OK)
        return true;
    return message_set(why, "%s: no address stands behind X,Y: in '%s'", what, word);
}

bool area_same(const struct chip_area *one, const struct chip_area *other)
{
    return strcmp(one->chip, other->chip) == 0 && one->first_x == other->first_x &&
           one->last_x == other->last_x && one->first_y == other->first_y &&
           one->last_y == other->last_y && one->range == other->range;
}

void area_text(const struct chip_area *area, char text[AREA_TEXT])
{
    const char *slash = area->chip[0] == '\0' ? "" : "/";

    if (!area->range)
        snprintf(text, AREA_TEXT, "%s%s%u,%u", area->chip, slash, area->first_x, area->first_y);
    else
        snprintf(text, AREA_TEXT, "%s%s%u-%u,%u-%u", area->chip, slash, area->first_x, area->last_x,
                 area->first_y, area->last_y);
}

bool area_check(const struct chip_area *area, tsr_arch arch, bool tensix, const char *what,
                struct message *why)
{
    unsigned columns = tsr_grid_columns(arch), rows = tsr_grid_rows(arch), index = 0, x, y;
    char text[AREA_TEXT];
    tsr_node_info node;

    area_text(area, text);
    if (area->last_x >= columns || area->last_y >= rows)
        return message_set(why, "%s: the grid of %s has %u columns and %u rows, and %s leaves it",
                           what, tsr_arch_name(arch), columns, rows, text);
    if (area->range)
        return area_next(area, arch, &index, &x, &y) ||
               message_set(why, "%s: no Tensix tile of %s is in %s", what, tsr_arch_name(arch),
                           text);
    tsr_node_at(arch, area->first_x, area->first_y, &node);
    if (tensix ? node.kind != TSR_NODE_TENSIX : node.kind == TSR_NODE_ROUTER)
        return message_set(why, "%s: node %s of %s is no %s, but %s", what, text,
                           tsr_arch_name(arch), tensix ? "Tensix tile" : "memory",
                           tsr_node_kind_name(node.kind));
    return true;
}

bool area_next(const struct chip_area *area, tsr_arch arch, unsigned *index, unsigned *x,
               unsigned *y)
{
    unsigned width = area->last_x - area->first_x + 1, height = area->last_y - area->first_y + 1;
    tsr_node_info node;

    while (*index < width * height) {
        *x = area->first_x + *index % width;
        *y = area->first_y + *index / width;
        ++*index;
        if (!area->range ||
            (tsr_node_at(arch, *x, *y, &node) == TSR_OK && node.kind == TSR_NODE_TENSIX))
            return true;
    }
    return false;
}
