// SPDX-License-Identifier: Apache-2.0
// The findings of a chip: a list over those of the tiles, in the order of the windows, and those of
// accesses that concern no tile.
#include "chip/chip_findings.h"

#include "chip/ethernet_state.h"
#include "tile/tile_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tsr_chip_report(tsr_chip *chip, const struct tsr_node *node, enum tsr_finding code,
                     uint64_t address, const char *format, ...)
{
    // What concerns none came in, or should have, through the PCI Express tile.
    unsigned index = (unsigned)((node ? node : tsr_chip_node_of(chip, TSR_NODE_PCIE)) - chip->node);
    const struct tsr_finding_about place = {.thread = -1,
                                            .core = -1,
                                            .word = (uint32_t)(address >> 32) ^ index << 16,
                                            .at = (uint32_t)address};
    tsr_diagnostic *out = tsr_findings_add(chip->own, code, &place);
    if (out) {
        out->word = 0;
        out->cycle = chip->now;
        chip->own_node[chip->own->count - 1] = (uint16_t)index;
        va_list args;
        va_start(args, format);
        vsnprintf(out->sentence, sizeof out->sentence, format, args);
        va_end(args);
    }
    bool stops = chip->own->action[code] == TSR_ACTION_STOP;
    chip->own->stopped |= stops;
    return !stops;
}

static void append(tsr_chip *chip, struct tsr_found found)
{
    if (chip->found_count == chip->found_capacity) {
        int more = chip->found_capacity ? 2 * chip->found_capacity : 16;
        void *bigger = realloc(chip->found, (size_t)more * sizeof *chip->found);
        if (!bigger)
            return; // the tile has it still
        chip->found = bigger;
        chip->found_capacity = more;
    }
    chip->found[chip->found_count++] = found;
}

struct tsr_findings *tsr_chip_findings_of(const struct tsr_node *node)
{
    return node->tile ? &node->tile->findings : node->ethernet ? &node->ethernet->findings : NULL;
}

void tsr_chip_collect(tsr_chip *chip, struct tsr_node *node)
{
    int count = tsr_chip_findings_of(node)->count;
    if (count < node->findings_seen) // its user has reset it
        node->findings_seen = 0;
    for (; node->findings_seen < count; node->findings_seen++)
        append(chip, (struct tsr_found){.node = (uint16_t)(node - chip->node),
                                        .index = (uint16_t)node->findings_seen});
}

void tsr_chip_collect_own(tsr_chip *chip)
{
    for (; chip->own_seen < chip->own->count; chip->own_seen++)
        append(chip, (struct tsr_found){.node = chip->own_node[chip->own_seen],
                                        .own = true,
                                        .index = (uint16_t)chip->own_seen});
}

// Tiles that somebody acts on behind the chip's back are looked at when the list is.
static void collect_all(tsr_chip *chip)
{
    for (unsigned i = 0; chip->any_handed_out && i < chip->columns * chip->rows; i++)
        if (chip->node[i].handed_out)
            tsr_chip_collect(chip, &chip->node[i]);
    tsr_chip_collect_own(chip);
}

// What a host does must not stop a chip that runs, whatever the profile: hosts let cores go that
// Tessera does not interpret. A policy that names the code can.
void tsr_chip_findings_begin(tsr_chip *chip)
{
    tsr_findings_profile(chip->own, chip->options.tile.profile);
    memset(chip->own->action, TSR_ACTION_RECORD, sizeof chip->own->action);
}

void tsr_chip_findings_clear(tsr_chip *chip)
{
    chip->found_count = chip->own_seen = 0;
    tsr_findings_clear(chip->own);
    for (unsigned i = 0; i < chip->columns * chip->rows; i++)
        chip->node[i].findings_seen = 0;
}

int tsr_chip_finding_count(tsr_chip *chip)
{
    if (!chip)
        return 0;
    collect_all(chip);
    return chip->found_count;
}

tsr_status tsr_chip_finding_at(tsr_chip *chip, int index, tsr_chip_finding *out)
{
    if (!chip || !out)
        return TSR_BAD_ARGUMENT;
    if (index < 0 || index >= tsr_chip_finding_count(chip))
        return TSR_NOT_FOUND;
    const struct tsr_found *found = &chip->found[index];
    const struct tsr_node *node = &chip->node[found->node];
    const tsr_diagnostic *diagnostic =
        &(found->own ? chip->own : tsr_chip_findings_of(node))->kept[found->index];
    *out = (tsr_chip_finding){.node = node->info, .diagnostic = diagnostic};
    return TSR_OK;
}

// ---------------------------------------------------------------- policy

tsr_status tsr_chip_set_policy(tsr_chip *chip, const char *what, tsr_action action)
{
    if (!chip || !what || (unsigned)action > TSR_ACTION_IGNORE)
        return TSR_BAD_ARGUMENT;
    tsr_status status = tsr_findings_policy(chip->own, what, action);
    if (status != TSR_OK)
        return status;
    for (unsigned i = 0; i < chip->columns * chip->rows; i++) {
        struct tsr_node *node = &chip->node[i];
        if (node->tile)
            tsr_tile_set_policy(node->tile, what, action);
        else if (node->ethernet)
            tsr_findings_policy(&node->ethernet->findings, what, action);
    }
    return TSR_OK;
}
