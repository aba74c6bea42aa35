// SPDX-License-Identifier: Apache-2.0
// Blackhole's four read interfaces into Dst.
// Page: BlackholeA0 PACR.md.
#ifndef TESSERA_PACK_PACK_INTERFACES_H
#define TESSERA_PACK_PACK_INTERFACES_H

#include "pack/pack_decode.h"
#include "pack/pack_job.h"

// Those that take part. `sets_last`: Auto_set_last_pacr_intf_sel.
uint32_t tsr_pack_interface_mask(const struct tsr_env *env,
                                 const struct tsr_pack_operands *operands, int state_id,
                                 int config_of, bool sets_last);
// The start of each, from the first datum; returns how many.
unsigned tsr_pack_interface_starts(const struct tsr_pack_operands *operands, uint32_t mask,
                                   uint16_t first, uint16_t start[TSR_PACK_SEGMENTS]);
// What is wrong with them, where the first reads `row` of Dst.
tsr_pack_anomalies tsr_pack_interface_anomalies(const struct tsr_env *env,
                                                const struct tsr_pack_operands *operands,
                                                uint32_t mask, unsigned row);

#endif
