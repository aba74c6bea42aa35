// SPDX-License-Identifier: Apache-2.0
// Findings of an Ethernet tile's cores. Page: EthernetTile/BabyRISCV/README.md of each chip.
#ifndef TESSERA_CHIP_ETHERNET_FINDINGS_H
#define TESSERA_CHIP_ETHERNET_FINDINGS_H

#include "chip/ethernet_state.h"

// A finding in the name of core number `core` of the tile; of none: TSR_ETHERNET_CORES. False: the
// tile stops.
bool tsr_ethernet_core_report(struct tsr_ethernet *tile, unsigned core, bool has_pc, uint32_t at,
                              uint64_t cycle, enum tsr_finding code, const char *sentence);
// The load of Wormhole's instruction RAM goes wrong: `why` follows "is loaded".
bool tsr_ethernet_report_iram(struct tsr_ethernet *tile, unsigned core, const char *why);

#endif
