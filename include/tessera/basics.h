// SPDX-License-Identifier: Apache-2.0
// Tessera: what every other header needs: how a call ends, the chips, the baby cores, a tile's
// name. <tessera/tessera.h> has all of it. Page: BabyRISCV/README.md.
#ifndef TESSERA_BASICS_H
#define TESSERA_BASICS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Values are promises: they never change, new ones are added at the end.
typedef enum tsr_status {
    TSR_OK = 0,
    TSR_BAD_ARGUMENT = 1, // an argument is outside what the function's comment allows
    TSR_NO_MEMORY = 2,
    TSR_BUSY = 3,         // the access would make the core wait now; run the tile and try again
    TSR_STOPPED = 4,      // a finding stopped the tile; tsr_tile_reset() makes it usable again
    TSR_NOT_FOUND = 5,    // nothing of that name, number or place
    TSR_UNMAPPED = 6,     // no such address for that core (a core on silicon would hang)
    TSR_UNIMPLEMENTED = 7 // specified, but not built; a finding or docs/status.md says what
} tsr_status;

typedef enum tsr_arch { TSR_WORMHOLE_B0 = 0, TSR_BLACKHOLE_A0 = 1 } tsr_arch;
enum { TSR_ARCH_COUNT = 2, TSR_THREADS = 3 };

// The baby cores, in the order of the ISA pages (BabyRISCV/README.md).
typedef enum tsr_core {
    TSR_CORE_B = 0,
    TSR_CORE_T0 = 1,
    TSR_CORE_T1 = 2,
    TSR_CORE_T2 = 3,
    TSR_CORE_NC = 4,
    // Of an Ethernet tile: Wormhole's, and Blackhole's two. No function of a tile takes them.
    TSR_CORE_E = 16,
    TSR_CORE_E0 = 17,
    TSR_CORE_E1 = 18
} tsr_core;
enum { TSR_CORES = 5 };                           // of a Tensix tile
const char *tsr_core_name(tsr_core core);         // "B", "T0", ..., "NC", "E", "E0"; else "none"
const char *tsr_core_program_name(tsr_core core); // "brisc", ..., "ncrisc", "erisc"; else "none"

const char *tsr_version(void);                  // "0.1.0"; static storage
const char *tsr_status_text(tsr_status status); // one phrase; static storage
const char *tsr_arch_name(tsr_arch arch);       // "wormhole_b0", "blackhole_a0"; else "none"
// Accepts wh, wormhole, wormhole_b0, bh, blackhole, blackhole_a0. TSR_NOT_FOUND otherwise.
tsr_status tsr_arch_from_name(const char *name, tsr_arch *arch);
size_t tsr_l1_size(tsr_arch arch); // bytes of L1 (L1.md); 0 if there is no such chip

typedef struct tsr_tile tsr_tile; // <tessera/tessera.h>

#ifdef __cplusplus
}
#endif
#endif
