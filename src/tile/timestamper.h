// SPDX-License-Identifier: Apache-2.0
// The debug timestamper's registers, which are among the debug registers.
// Page: DebugTimestamper.md.
#ifndef TESSERA_TILE_TIMESTAMPER_H
#define TESSERA_TILE_TIMESTAMPER_H

#include "riscv/riscv.h"
#include "tile/access.h"

tsr_status tsr_access_timestamper(struct tsr_access *access);
// The wall clock as a core may load it without a call (riscv/riscv.h).
struct tsr_riscv_clock tsr_wall_clock(const struct tsr_env *env);

#endif
