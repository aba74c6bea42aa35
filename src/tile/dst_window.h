// SPDX-License-Identifier: Apache-2.0
// How cores access Dst: Blackhole's window for T cores, and the debug registers of both chips.
// Page: BlackholeA0 Dst.md, "RISCV access to Dst".
#ifndef TESSERA_TILE_DST_WINDOW_H
#define TESSERA_TILE_DST_WINDOW_H

#include "tile/access.h"

// A T core's access; the address is a multiple of the width.
tsr_status tsr_access_dst_window(struct tsr_access *access);
// A load of two columns by the debug registers: of `row` as it lies, from `column` on.
tsr_status tsr_load_dst_columns(struct tsr_access *access, unsigned row, unsigned column);

#endif
