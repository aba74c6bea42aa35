// SPDX-License-Identifier: Apache-2.0
// Parts of the report as JSON, for the reports of a tile and of a chip. NULL where memory ends,
// which jansson passes on.
#ifndef CLI_REPORT_JSON_H
#define CLI_REPORT_JSON_H

#include "run/run_report.h"

#include <jansson.h>

// `text` with U+FFFD for each byte that is no character.
json_t *report_text_json(const char *text, size_t length);
// `file` and `path`, the same with its folders; null if `file` is NULL. `path`: NULL if `file` has
// them.
void report_file_json(json_t *object, const char *file, const char *path);
// A list of its lines.
json_t *report_lines_json(const char *text);
json_t *report_units_json(const struct run_picture *picture, const tsr_run_report *report);
json_t *report_cores_json(const struct run_picture *picture);
json_t *report_waits_json(const struct run_picture *picture);
json_t *report_finding_json(const struct run_picture *picture, const tsr_diagnostic *finding);

#endif
