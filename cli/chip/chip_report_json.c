// SPDX-License-Identifier: Apache-2.0
// The report of a chip, or of several, as one JSON object (docs/cli.md, "The report as JSON").
#include "chip/chip_report.h"
#include "run/report_json.h"

#include <stdlib.h>
#include <string.h>

static json_t *chip_json(const struct chip_picture *picture, unsigned chip)
{
    char text[CHIP_NAME];

    return json_string(chips_name(&picture->job->chips, chip, text));
}

static void set_place(json_t *object, const struct chip_picture *picture,
                      const struct tile_picture *tile)
{
    if (picture->job->chips.count > 1)
        json_object_set_new(object, "chip", chip_json(picture, tile->chip));
    json_object_set_new(object, "x", json_integer((json_int_t)tile->x));
    json_object_set_new(object, "y", json_integer((json_int_t)tile->y));
}

static json_t *chips_json(const struct chip_picture *picture)
{
    json_t *chips = json_array();

    for (unsigned i = 0; i < picture->job->chips.count; i++)
        json_array_append_new(chips, chip_json(picture, i));
    return chips;
}

static json_t *tiles_json(const struct chip_picture *picture, struct tile_picture *tile)
{
    json_t *tiles = json_array();
    tsr_run_report report;

    for (unsigned node = 0; picture_next(picture, &node, tile);) {
        json_t *object = json_object();
        tsr_get_report(tile->run.tile, &report);
        set_place(object, picture, tile);
        json_object_set_new(object, "units", report_units_json(&tile->run, &report));
        json_t *refused = json_array();
        for (int thread = 0; thread < TSR_THREADS; thread++)
            json_array_append_new(refused, json_integer((json_int_t)report.refused[thread]));
        json_object_set_new(object, "refused", refused);
        json_object_set_new(object, "cores", report_cores_json(&tile->run));
        json_object_set_new(object, "waits", report_waits_json(&tile->run));
        json_object_set_new(object, "findings_dropped",
                            json_integer((json_int_t)tsr_diagnostics_dropped(tile->run.tile)));
        json_array_append_new(tiles, object);
    }
    for (unsigned number = 0; picture_next_ethernet(picture, &number, tile);) {
        json_t *object = json_object();
        set_place(object, picture, tile);
        json_object_set_new(object, "cores", report_cores_json(&tile->run));
        json_array_append_new(tiles, object);
    }
    return tiles;
}

static json_t *findings_json(const struct chip_picture *picture, struct tile_picture *tile)
{
    json_t *findings = json_array();
    struct chips_finding of;

    for (int i = 0; picture_finding(picture, i, &of); i++) {
        picture_node(picture, of.chip, &of.found.node, tile);
        tile->run.core_count = 1; // with the core's place
        json_t *object = report_finding_json(&tile->run, of.found.diagnostic);
        set_place(object, picture, tile);
        json_object_set_new(object, "node", json_string(tsr_node_kind_name(of.found.node.kind)));
        json_array_append_new(findings, object);
    }
    return findings;
}

bool chip_report_json(FILE *file, const struct chip_picture *picture)
{
    struct tile_picture *tile = malloc(sizeof *tile);
    const char *path = chip_job_path(picture->job);
    json_t *root = json_object();

    if (tile == NULL || root == NULL) {
        free(tile);
        json_decref(root);
        return false;
    }
    json_object_set_new(root, "tessera", json_string(tsr_version()));
    json_object_set_new(root, "program", report_text_json(path, strlen(path)));
    json_object_set_new(root, "arch", json_string(tsr_arch_name(picture->job->arch)));
    json_object_set_new(root, "timing", json_boolean(picture->timing));
    json_object_set_new(root, "end", json_string(tsr_end_name(picture->end)));
    json_object_set_new(root, "status", json_integer(picture->status));
    json_object_set_new(root, "cycles",
                        json_integer((json_int_t)tsr_chip_cycle(picture->chips[0])));
    if (picture->job->chips.count > 1)
        json_object_set_new(root, "chips", chips_json(picture));
    json_object_set_new(root, "tiles", tiles_json(picture, tile));
    json_object_set_new(root, "findings", findings_json(picture, tile));
    if (picture->wait_list != NULL)
        json_object_set(root, "wait_list", picture->wait_list);
    if (picture->dump != NULL)
        json_object_set_new(root, "dump", report_lines_json(picture->dump));
    bool ok = json_dumpf(root, file, JSON_INDENT(2)) == 0;
    fputc('\n', file);
    json_decref(root);
    free(tile);
    return ok;
}
