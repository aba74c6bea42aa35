// SPDX-License-Identifier: Apache-2.0
// The debug timestamper's registers, which are among the debug registers.
// Page: DebugTimestamper.md.
#ifndef TESSERA_TILE_TIMESTAMPER_H
#define TESSERA_TILE_TIMESTAMPER_H

#include "tile/access.h"

tsr_status tsr_access_timestamper(struct tsr_access *access);

#endif
