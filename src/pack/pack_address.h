// SPDX-License-Identifier: Apache-2.0
// The addresses of one PACR: which datums it takes and where in L1 they go; and the counters that
// it steps.
// Pages: Packers/InputAddressGenerator.md, Packers/OutputAddressGenerator.md, ADCs.md.
#ifndef TESSERA_PACK_PACK_ADDRESS_H
#define TESSERA_PACK_PACK_ADDRESS_H

#include "pack/pack_job.h"
#include "pack/pack_plan.h"

// First datum in Dst, as row * 16 + column, with the counters of channel 0.
uint16_t tsr_pack_input_start(const struct tsr_pack_inputs *inputs, uint8_t datum_bytes,
                              const struct tsr_pack_strides *stride, const tsr_adc_channel *adc);
// Fills the job's addresses, `plan`: of each of its parts; then steps tile positions, context and
// ADCs, and keeps or releases the streams' addresses. False: a finding stopped the tile; nothing
// was changed.
bool tsr_pack_address(struct tsr_env *env, const struct tsr_inflight *inst,
                      const struct tsr_pack_operands *operands, struct tsr_pack_plan *const *plan,
                      struct tsr_pack_job *job);
// The end of a tile: the next PACR of this packer in thread order begins at new addresses.
void tsr_pack_release_addresses(struct tsr_packer *packer);

#endif
