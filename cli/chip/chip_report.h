// SPDX-License-Identifier: Apache-2.0
// What `tessera run --chip` says after a run, as text or as JSON (docs/cli.md).
#ifndef CLI_CHIP_REPORT_H
#define CLI_CHIP_REPORT_H

#include "chip/chip_picture.h"

void chip_report_text(FILE *file, const struct chip_picture *picture);
// False if there is no memory.
bool chip_report_json(FILE *file, const struct chip_picture *picture);
// Why the run is none that completed, for stderr: a finding, or who waits and what hangs.
void chip_report_reason(FILE *file, const struct chip_picture *picture);

// The first finding that stopped one of `count` chips, or a tile of it; NULL: none.
const tsr_diagnostic *chip_stopping_finding(tsr_chip *const chips[], unsigned count);

#endif
