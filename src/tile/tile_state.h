// SPDX-License-Identifier: Apache-2.0
// What the opaque tsr_tile is.
#ifndef TESSERA_TILE_TILE_STATE_H
#define TESSERA_TILE_TILE_STATE_H

#include "base/findings.h"
#include "frontend/engine.h"
#include "state/config_watch.h"

struct tsr_tile {
    tsr_options options;
    struct tsr_engine engine;
    struct tsr_findings findings;
    struct tsr_plan_masks plan_masks;
    struct tsr_config_watch watch; // filled if options.watch_config
};

// The tile's address map as the port of tile->engine.env (address_map.c).
struct tsr_port tsr_address_map(struct tsr_tile *tile);
// A T core's access to Dst (dst_window.c); the address is a multiple of the width.
tsr_status tsr_dst_window(struct tsr_env *env, int core, uint32_t offset, int width, bool is_store,
                          uint32_t *value);

// Findings about what is left over, for a run that ends idle (idle_checks.c).
void tsr_check_idle(struct tsr_tile *tile);

#endif
