// SPDX-License-Identifier: Apache-2.0
// Chips by name and number, and links between them; see chip_list.h.
#include "chip/chip_list.h"

#include "common/cli_options.h"
#include "common/nearest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- chips

static bool letter_of_name(char letter, bool first)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
           (!first && letter >= '0' && letter <= '9');
}

static bool check_name(const struct chip_list *list, const char *name, const char *from,
                       struct message *why)
{
    size_t length = strlen(name);

    for (size_t i = 0; i < length; i++)
        if (length >= CHIP_NAME || !letter_of_name(name[i], i == 0))
            return message_set(why,
                               "%s: a chip's name has letters, digits and _, begins with no digit, "
                               "and has at most %d of them: not '%.60s'",
                               from, CHIP_NAME - 1, name);
    for (unsigned i = 0; length > 0 && i < list->count; i++)
        if (strcmp(list->entry[i].name, name) == 0)
            return message_set(why, "%s: two chips are called '%s'", from, name);
    return true;
}

struct chip_entry *chips_add(struct chip_list *list, const char *name, const char *from,
                             struct message *why)
{
    if (!check_name(list, name, from, why))
        return NULL;
    if (list->count == TSR_CHIP_DEVICES) {
        message_set(why, "%s: there can be %d chips at most", from, TSR_CHIP_DEVICES);
        return NULL;
    }
    struct chip_entry *entry = &list->entry[list->count++];
    *entry = (struct chip_entry){.harvested = 0};
    snprintf(entry->name, sizeof entry->name, "%s", name);
    snprintf(entry->from, sizeof entry->from, "%s", from);
    return entry;
}

const char *chips_name(const struct chip_list *list, unsigned chip, char text[CHIP_NAME])
{
    if (list->entry[chip].name[0] != '\0')
        return list->entry[chip].name;
    snprintf(text, CHIP_NAME, "%u", chip);
    return text;
}

void chips_tile_text(const struct chip_list *list, unsigned chip, unsigned x, unsigned y,
                     char text[AREA_TEXT])
{
    char name[CHIP_NAME];

    if (list->count > 1)
        snprintf(text, AREA_TEXT, "%s/%u,%u", chips_name(list, chip, name), x, y);
    else
        snprintf(text, AREA_TEXT, "%u,%u", x, y);
}

// By name, by number, or the first one if the text is empty.
static bool find(const struct chip_list *list, const char *text, unsigned *number, const char *what,
                 struct message *why)
{
    struct nearest nearest = nearest_to(text);
    uint64_t value;

    *number = 0;
    if (text[0] == '\0')
        return true;
    for (unsigned i = 0; i < list->count; i++) {
        *number = i;
        if (strcmp(list->entry[i].name, text) == 0)
            return true;
        if (list->entry[i].name[0] != '\0')
            nearest_offer(&nearest, list->entry[i].name);
    }
    if (parse_number(text, &value) && value < list->count) {
        *number = (unsigned)value;
        return true;
    }
    const struct chip_entry *first = &list->entry[0];
    bool named = first->name[0] != '\0', of_option = what[0] == '-';
    return message_set(why, "%s: there %s %u chip%s%s%s%s, and none is '%s'%s%s", what,
                       list->count == 1 ? "is" : "are", list->count, list->count == 1 ? "" : "s",
                       named && of_option ? " (from " : "", named && of_option ? first->from : "",
                       named && of_option ? " on)" : "", text, nearest_text(&nearest).text,
                       named ? "" : "; chips have names by 'chips' of a description, else numbers");
}

bool chips_find(const struct chip_list *list, struct chip_area *area, const char *what,
                struct message *why)
{
    return find(list, area->chip, &area->on, what, why);
}

// ---------------------------------------------------------------- links

// CHIP:TILE; `length` characters.
static bool read_end(struct chip_link_end *end, const char *text, size_t length)
{
    const char *colon = memchr(text, ':', length);
    size_t name = colon == NULL ? 0 : (size_t)(colon - text);
    uint64_t tile;

    if (name == 0 || name >= CHIP_NAME ||
        parse_digits(colon + 1, length - name - 1, &tile) != NUMBER_OK || tile > UINT32_MAX)
        return false;
    memcpy(end->chip, text, name);
    end->chip[name] = '\0';
    end->tile = (unsigned)tile;
    return true;
}

struct chip_link *chips_add_link(struct chip_list *list, const char *word, size_t length,
                                 const char *from, struct message *why)
{
    const char *dash = memchr(word, '-', length);
    struct chip_link link = {.drop_every = 0};

    if (dash == NULL || !read_end(&link.end[0], word, (size_t)(dash - word)) ||
        !read_end(&link.end[1], dash + 1, (size_t)(word + length - dash - 1))) {
        message_set(why, "%s: this is not CHIP:TILE-CHIP:TILE '%.*s'", from,
                    (int)(length < 200 ? length : 200), word);
        return NULL;
    }
    snprintf(link.from, sizeof link.from, "%s", from);
    struct chip_link *more = realloc(list->links, ((size_t)list->link_count + 1) * sizeof *more);
    if (more == NULL) {
        message_no_memory(why, from);
        return NULL;
    }
    list->links = more;
    more[list->link_count] = link;
    return &more[list->link_count++];
}

bool chips_add_links(struct chip_list *list, const char *words, struct message *why)
{
    for (const char *at = words;; at++) {
        size_t length = strcspn(at, ",");
        if (chips_add_link(list, at, length, "--links", why) == NULL)
            return false;
        at += length;
        if (*at == '\0')
            return true;
    }
}

void chips_free(struct chip_list *list)
{
    free(list->links);
    list->links = NULL;
    list->link_count = 0;
}

// ---------------------------------------------------------------- checks

// Those of --links, if no description lists them.
static bool count_chips(struct chip_list *list, struct message *why)
{
    uint64_t most = 0, number;

    if (list->count > 0)
        return true;
    for (int i = 0; i < list->link_count; i++)
        for (int k = 0; k < 2; k++)
            if (parse_number(list->links[i].end[k].chip, &number) && number > most)
                most = number;
    for (uint64_t i = 0; i <= most; i++)
        if (chips_add(list, "", "--links", why) == NULL)
            return false;
    return true;
}

static unsigned ethernet_tiles(tsr_arch arch)
{
    unsigned count = 0;
    tsr_node_info node;

    for (unsigned y = 0; y < tsr_grid_rows(arch); y++)
        for (unsigned x = 0; x < tsr_grid_columns(arch); x++)
            count +=
                tsr_node_at(arch, x, y, &node) == TSR_OK && node.kind == TSR_NODE_ETHERNET ? 1 : 0;
    return count;
}

static bool same_end(const struct chip_link_end *one, const struct chip_link_end *other)
{
    return one->number == other->number && one->tile == other->tile;
}

static bool check_link(struct chip_list *list, int number, tsr_arch arch, struct message *why)
{
    struct chip_link *link = &list->links[number];
    unsigned tiles = ethernet_tiles(arch);

    for (int k = 0; k < 2; k++) {
        struct chip_link_end *end = &link->end[k];
        if (!find(list, end->chip, &end->number, link->from, why))
            return false;
        if (end->tile >= tiles)
            return message_set(why, "%s: the Ethernet tiles of %s are 0 to %u, not %u", link->from,
                               tsr_arch_name(arch), tiles - 1, end->tile);
        for (int i = 0; i < number; i++)
            if (same_end(&list->links[i].end[0], end) || same_end(&list->links[i].end[1], end))
                return message_set(why, "%s: Ethernet tile %u of chip '%s' has a link already (%s)",
                                   link->from, end->tile, end->chip, list->links[i].from);
    }
    return true;
}

// From the first one on, link by link.
static bool check_connected(const struct chip_list *list, struct message *why)
{
    bool reached[TSR_CHIP_DEVICES] = {true};
    char name[CHIP_NAME], first[CHIP_NAME];

    for (unsigned round = 0; round < list->count; round++)
        for (int i = 0; i < list->link_count; i++) {
            const struct chip_link_end *end = list->links[i].end;
            bool any = reached[end[0].number] || reached[end[1].number];
            reached[end[0].number] = reached[end[1].number] = any;
        }
    for (unsigned i = 0; i < list->count; i++)
        if (!reached[i])
            return message_set(why,
                               "%s: no link connects chip '%s' with '%s', directly or through "
                               "others, and the chips of a run share one clock",
                               list->entry[i].from, chips_name(list, i, name),
                               chips_name(list, 0, first));
    return true;
}

bool chips_check(struct chip_list *list, tsr_arch arch, struct message *why)
{
    if (!count_chips(list, why))
        return false;
    for (int i = 0; i < list->link_count; i++)
        if (!check_link(list, i, arch, why))
            return false;
    return check_connected(list, why);
}

// ---------------------------------------------------------------- findings

bool chips_finding_at(tsr_chip *const chips[], unsigned count, int index, struct chips_finding *out)
{
    for (unsigned i = 0; i < count && index >= 0; i++) {
        out->chip = i;
        if (tsr_chip_finding_at(chips[i], index, &out->found) == TSR_OK)
            return true;
        index -= tsr_chip_finding_count(chips[i]);
    }
    return false;
}

int chips_finding_count(tsr_chip *const chips[], unsigned count)
{
    int findings = 0;

    for (unsigned i = 0; i < count; i++)
        findings += tsr_chip_finding_count(chips[i]);
    return findings;
}
