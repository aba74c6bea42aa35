// SPDX-License-Identifier: Apache-2.0
// The NoC overlay of a tile as registers of its streams.
// Pages: NoC/Overlay/README.md, NoC/Overlay/AsGeneralUse.md.
#ifndef TESSERA_CHIP_OVERLAY_H
#define TESSERA_CHIP_OVERLAY_H

#include "chip/noc_state.h"

// As struct tsr_noc_port has them.
tsr_status tsr_overlay_load(struct tsr_noc_node *node, struct tsr_noc_access *access);
tsr_status tsr_overlay_store(struct tsr_noc_node *node, struct tsr_noc_access *access);
uint64_t tsr_overlay_quiet_until(const struct tsr_noc_node *node, uint32_t offset);

#endif
