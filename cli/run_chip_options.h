// SPDX-License-Identifier: Apache-2.0
// The options of `tessera run --chip` and `--grid`; docs/cli.md.
#ifndef CLI_RUN_CHIP_OPTIONS_H
#define CLI_RUN_CHIP_OPTIONS_H

#include "run_chip_order.h"

bool chip_options(struct chip_order *order, const struct given_option *given, int count,
                  struct message *why);

// Lets the run that comes end at a place that is in the programs of any tile, and takes that back.
bool place_stops(struct chip_order *order, const char *option, const char *word,
                 struct message *why);
void forget_stops(struct chip_order *order);

#endif
