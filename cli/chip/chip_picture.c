// SPDX-License-Identifier: Apache-2.0
// Looking at the tiles of chips; see chip_picture.h.
#include "chip/chip_picture.h"

#include "run/core_run.h"

#include <stdio.h>

static struct finding_place place_of_none(const void *source, const tsr_diagnostic *finding)
{
    (void)finding;
    return (struct finding_place){.file = chip_job_path(source)};
}

static struct finding_place place_in_tile(const void *chip, unsigned x, unsigned y,
                                          const tsr_diagnostic *finding)
{
    const struct chip_job *job = chip;
    // Of a race, whose other place is on the same chip: the only one that has races looked for.
    const struct chip_group *group = chip_job_group(job, 0, x, y);
    const struct ethernet_tile *ethernet = ethernet_at(&job->ethernet, 0, x, y);

    return group != NULL      ? core_finding_place(&group->cores, finding)
           : ethernet != NULL ? ethernet_place(ethernet, finding)
                              : place_of_none(job, finding);
}

void picture_node(const struct chip_picture *chip, unsigned number, const tsr_node_info *node,
                  struct tile_picture *tile)
{
    const struct chip_group *group = chip_job_group(chip->job, number, node->x, node->y);
    const struct ethernet_tile *ethernet =
        ethernet_at(&chip->job->ethernet, number, node->x, node->y);

    tile->chip = number;
    tile->x = node->x;
    tile->y = node->y;
    chips_tile_text(&chip->job->chips, number, node->x, node->y, tile->name);
    tile->run = (struct run_picture){
        .path = chip_job_path(chip->job),
        .arch = chip->job->arch,
        .place = group != NULL      ? core_finding_place
                 : ethernet != NULL ? ethernet_place
                                    : place_of_none,
        .source = group != NULL      ? (const void *)&group->cores
                  : ethernet != NULL ? (const void *)ethernet
                                     : chip->job,
        .place_in = place_in_tile,
        .chip = chip->job,
        .tile_name = tile->name,
        .timing = chip->timing,
        .end = chip->end,
        .status = chip->status,
    };
}

static void look_at(const struct chip_picture *chip, const struct chip_group *group,
                    struct tile_picture *tile)
{
    struct run_picture *run = &tile->run;

    run->core_count = core_lines(&group->cores, run->tile, run->cores);
    if (chip->end == TSR_END_IDLE || chip->end == TSR_END_UNTIL)
        return;
    run->wait_count = tsr_waits(run->tile, run->waits, MAX_WAITS);
    if (run->wait_count > MAX_WAITS)
        run->wait_count = MAX_WAITS;
}

bool picture_next(const struct chip_picture *chip, unsigned *node, struct tile_picture *tile)
{
    unsigned columns = tsr_grid_columns(chip->job->arch), rows = tsr_grid_rows(chip->job->arch);

    while (*node < chip->job->chips.count * columns * rows) {
        tsr_node_info info;
        tsr_tile *of_node;
        unsigned x = *node % columns, y = *node / columns % rows, number = *node / columns / rows;
        const struct chip_group *group = chip_job_group(chip->job, number, x, y);
        ++*node;
        if (group == NULL || tsr_node_at(chip->job->arch, x, y, &info) != TSR_OK ||
            tsr_chip_tile(chip->chips[number], x, y, &of_node) != TSR_OK)
            continue;
        picture_node(chip, number, &info, tile);
        tile->run.tile = of_node;
        look_at(chip, group, tile);
        return true;
    }
    return false;
}

bool picture_next_ethernet(const struct chip_picture *chip, unsigned *number,
                           struct tile_picture *tile)
{
    const struct ethernet_programs *programs = &chip->job->ethernet;
    tsr_node_info info;

    if (*number >= (unsigned)programs->count)
        return false;
    const struct ethernet_tile *of = &programs->list[(*number)++];
    tsr_node_at(chip->job->arch, of->area.first_x, of->area.first_y, &info);
    picture_node(chip, of->area.on, &info, tile);
    tile->run.core_count = ethernet_lines(of, chip->chips[of->area.on], tile->run.cores);
    return true;
}

bool picture_finding(const struct chip_picture *chip, int index, struct chips_finding *out)
{
    return chips_finding_at(chip->chips, chip->job->chips.count, index, out);
}
