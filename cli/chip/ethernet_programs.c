// SPDX-License-Identifier: Apache-2.0
// Words, files and cores of Ethernet tiles; see ethernet_programs.h. The command does what a host
// does: code into L1, where the core begins, soft reset.
// Page: EthernetTile/BabyRISCV/README.md of each chip.
#include "chip/ethernet_programs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static tsr_core core_of(tsr_arch arch, int number)
{
    return (tsr_core)((arch == TSR_WORMHOLE_B0 ? TSR_CORE_E : TSR_CORE_E0) + number);
}

const char *ethernet_core_name(int number)
{
    return tsr_core_program_name((tsr_core)(TSR_CORE_E0 + number));
}

// The core's number; -1: none is called so.
static int number_of(const char *name, size_t length)
{
    for (int i = 0; i < ETHERNET_CORES; i++) {
        const char *program = ethernet_core_name(i);
        if (strlen(program) == length && strncmp(program, name, length) == 0)
            return i;
    }
    return -1;
}

// ---------------------------------------------------------------- words

bool ethernet_means(const char *words)
{
    const char *equals = strchr(words, '=');

    return equals != NULL && number_of(words, (size_t)(equals - words)) >= 0;
}

static struct ethernet_tile *tile_for(struct ethernet_programs *programs,
                                      const struct chip_area *area, const char *from)
{
    for (int i = 0; i < programs->count; i++)
        if (area_same(&programs->list[i].area, area))
            return &programs->list[i];
    struct ethernet_tile *more =
        realloc(programs->list, ((size_t)programs->count + 1) * sizeof *more);
    if (more == NULL)
        return NULL;
    programs->list = more;
    more += programs->count++;
    *more = (struct ethernet_tile){.area = *area};
    snprintf(more->from, sizeof more->from, "%s", from);
    return more;
}

bool ethernet_set(struct ethernet_programs *programs, const struct chip_area *area, int number,
                  char *path, const char *from, struct message *why)
{
    struct ethernet_tile *tile = path == NULL ? NULL : tile_for(programs, area, from);

    if (tile != NULL && tile->paths[number] == NULL) {
        tile->paths[number] = path;
        return true;
    }
    if (tile != NULL)
        message_set(why, "%s: two files for a core of an Ethernet tile '%s=%s'", from,
                    ethernet_core_name(number), path);
    else
        message_no_memory(why, from);
    free(path);
    return false;
}

bool ethernet_add(struct ethernet_programs *programs, const struct chip_area *area,
                  const char *words, const char *from, struct message *why)
{
    for (const char *word = words; word != NULL;) {
        const char *equals = strchr(word, '='), *comma = strchr(word, ',');
        size_t length = comma == NULL ? strlen(word) : (size_t)(comma - word);
        int core = equals == NULL ? -1 : number_of(word, (size_t)(equals - word));
        if (core < 0 || equals + 1 >= word + length)
            return message_set(why, "%s: this is not erisc=FILE or erisc1=FILE '%.*s'", from,
                               (int)length, word);
        char *path = strndup(equals + 1, length - (size_t)(equals + 1 - word));
        if (!ethernet_set(programs, area, core, path, from, why))
            return false;
        word = comma == NULL ? NULL : comma + 1;
    }
    return true;
}

// ---------------------------------------------------------------- files

static bool read_tile(struct ethernet_tile *tile, tsr_arch arch, struct message *why)
{
    tsr_node_info node;

    if (tile->area.range)
        return message_set(why, "%s: an Ethernet tile is one node, not a range", tile->from);
    if (tsr_node_at(arch, tile->area.first_x, tile->area.first_y, &node) != TSR_OK)
        return area_check(&tile->area, arch, false, tile->from, why);
    if (node.kind != TSR_NODE_ETHERNET)
        return message_set(why, "%s: node %u,%u of %s is no Ethernet tile, but %s", tile->from,
                           node.x, node.y, tsr_arch_name(arch), tsr_node_kind_name(node.kind));
    if (arch == TSR_WORMHOLE_B0 && tile->paths[1] != NULL)
        return message_set(why, "%s: an Ethernet tile of %s has one core '%s'", tile->from,
                           tsr_arch_name(arch), tile->paths[1]);
    for (int i = 0; i < ETHERNET_CORES; i++) {
        if (tile->paths[i] == NULL)
            continue;
        if (!elf_read(&tile->images[i], tile->paths[i], arch, core_of(arch, i), why) ||
            (i > 0 && !elf_apart(&tile->images[0], &tile->images[i], why)))
            return false;
        tile->lines[i] = elf_lines_open(&tile->images[i]);
    }
    return true;
}

// That no other one is the same tile by another name of its chip.
static bool check_alone(const struct ethernet_programs *programs, int number, struct message *why)
{
    const struct chip_area *area = &programs->list[number].area;
    char text[AREA_TEXT], other[AREA_TEXT];

    for (int i = 0; i < number; i++) {
        const struct chip_area *before = &programs->list[i].area;
        if (before->on != area->on || before->first_x != area->first_x ||
            before->first_y != area->first_y)
            continue;
        area_text(area, text);
        area_text(before, other);
        return message_set(why, "%s: tile %s has programs already, from '%s'",
                           programs->list[number].from, text, other);
    }
    return true;
}

bool ethernet_read(struct ethernet_programs *programs, tsr_arch arch, struct message *why)
{
    for (int i = 0; i < programs->count; i++)
        if (!check_alone(programs, i, why) || !read_tile(&programs->list[i], arch, why))
            return false;
    return true;
}

// ---------------------------------------------------------------- starting

static bool put_word(tsr_chip *chip, const struct ethernet_tile *tile, uint64_t address,
                     uint32_t word)
{
    const uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                              (uint8_t)(word >> 24)};

    return tsr_chip_write(chip, tile->area.first_x, tile->area.first_y, address, bytes,
                          sizeof bytes) == TSR_OK;
}

static bool load(tsr_chip *chip, const struct ethernet_tile *tile, const struct elf_image *image)
{
    bool ok = true;

    for (int i = 0; i < image->piece_count && ok; i++)
        ok = tsr_chip_write(chip, tile->area.first_x, tile->area.first_y, image->pieces[i].address,
                            image->pieces[i].bytes, image->pieces[i].size) == TSR_OK;
    return ok;
}

// Code into L1, where each core begins, and the first one leaves soft reset.
static bool begin(tsr_chip *chip, const struct ethernet_tile *tile, struct message *why)
{
    tsr_arch arch = tsr_chip_arch(chip);
    tsr_ethernet_core_info info;
    uint64_t reset = 0;
    uint32_t held = 0;
    int first = tile->paths[0] != NULL ? 0 : 1;
    bool ok = true;

    for (int i = 0; i < ETHERNET_CORES && ok; i++) {
        if (tsr_ethernet_core_at(arch, core_of(arch, i), &info) != TSR_OK)
            break;
        reset = info.soft_reset;
        held |= i == first ? 0 : 1u << info.soft_reset_bit;
        if (tile->paths[i] != NULL)
            ok = load(chip, tile, &tile->images[i]) &&
                 put_word(chip, tile, info.pc, tile->images[i].entry);
    }
    return (ok && put_word(chip, tile, reset, held)) || message_no_memory(why, tile->paths[first]);
}

bool ethernet_begin(const struct ethernet_programs *programs, tsr_chip *const chips[],
                    struct message *why)
{
    for (int i = 0; i < programs->count; i++)
        if (!begin(chips[programs->list[i].area.on], &programs->list[i], why))
            return false;
    return true;
}

void ethernet_free(struct ethernet_programs *programs)
{
    for (int i = 0; i < programs->count; i++)
        for (int k = 0; k < ETHERNET_CORES; k++) {
            elf_lines_close(programs->list[i].lines[k]);
            elf_free(&programs->list[i].images[k]);
            free(programs->list[i].paths[k]);
        }
    free(programs->list);
    *programs = (struct ethernet_programs){NULL, 0};
}

// ---------------------------------------------------------------- reports

const struct ethernet_tile *ethernet_at(const struct ethernet_programs *programs, unsigned chip,
                                        unsigned x, unsigned y)
{
    for (int i = 0; i < programs->count; i++) {
        const struct chip_area *area = &programs->list[i].area;
        if (area->on == chip && area->first_x == x && area->first_y == y)
            return &programs->list[i];
    }
    return NULL;
}

static bool core_state(const struct ethernet_tile *tile, const tsr_chip *chip, int number,
                       tsr_core_state *state)
{
    return tile->paths[number] != NULL &&
           tsr_chip_view_core(chip, tile->area.first_x, tile->area.first_y,
                              core_of(tsr_chip_arch(chip), number), state) == TSR_OK;
}

int ethernet_lines(const struct ethernet_tile *tile, const tsr_chip *chip, struct core_line lines[])
{
    int count = 0;
    tsr_core_state state;

    for (int i = 0; i < ETHERNET_CORES; i++)
        if (core_state(tile, chip, i, &state))
            core_line_fill(&lines[count++], core_of(tsr_chip_arch(chip), i), &state, tile->lines[i],
                           false);
    return count;
}

struct finding_place ethernet_place(const void *source, const tsr_diagnostic *finding)
{
    const struct ethernet_tile *tile = source;
    int number = finding->core == TSR_CORE_E1 ? 1 : 0;
    const char *path = tile->paths[number] != NULL ? tile->paths[number] : tile->paths[1 - number];

    if (finding->core < TSR_CORE_E || tile->paths[number] == NULL)
        return (struct finding_place){.file = path};
    return core_place_of(tile->lines[number], path, finding);
}

bool ethernet_fallen(const struct ethernet_programs *programs, tsr_chip *const chips[])
{
    tsr_core_state state;

    for (int i = 0; i < programs->count; i++)
        for (int k = 0; k < ETHERNET_CORES; k++)
            if (core_state(&programs->list[i], chips[programs->list[i].area.on], k, &state) &&
                !state.in_reset && (state.rest == TSR_CORE_HUNG || state.rest == TSR_CORE_PAUSED))
                return true;
    return false;
}
