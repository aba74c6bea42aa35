// SPDX-License-Identifier: Apache-2.0
// Blackhole's window through which T cores access Dst.
// Page: BlackholeA0 Dst.md, "RISCV access to Dst".
#ifndef TESSERA_TILE_DST_WINDOW_H
#define TESSERA_TILE_DST_WINDOW_H

#include "tile/access.h"

// A T core's access; the address is a multiple of the width.
tsr_status tsr_access_dst_window(struct tsr_access *access);

#endif
