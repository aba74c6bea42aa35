// SPDX-License-Identifier: Apache-2.0
// The interface of the tile's address map: units and cores call it, tile/ implements it.
#ifndef TESSERA_BASE_PORT_H
#define TESSERA_BASE_PORT_H

#include <tessera/tessera.h>

struct tsr_port {
    void *self;
    // `agent` is a tsr_core, TSR_AGENT_HOST for who comes through the NoC, or TSR_AGENT_TENSIX +
    // thread for an instruction's own access.
    tsr_status (*load)(void *self, int agent, uint32_t address, uint32_t *value, int width);
    tsr_status (*store)(void *self, int agent, uint32_t address, uint32_t value, int width);
};

enum { TSR_AGENT_HOST = 6, TSR_AGENT_TENSIX = 8 };

#endif
