// SPDX-License-Identifier: Apache-2.0
// What the opaque tsr_tile is.
#ifndef TESSERA_TILE_TILE_STATE_H
#define TESSERA_TILE_TILE_STATE_H

#include "base/findings.h"
#include "frontend/engine.h"
#include "isa/region_index.h"
#include "state/config_watch.h"

struct tsr_tile {
    tsr_options options;
    struct tsr_engine engine;
    struct tsr_findings findings;
    struct tsr_plan_masks plan_masks;
    struct tsr_region_index regions;
    struct tsr_config_watch watch; // filled if options.watch_config
};

#endif
