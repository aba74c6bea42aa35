// SPDX-License-Identifier: Apache-2.0
// How instructions access registers: the GPRs of their thread, with the findings that a read can
// lead to and the shadow state that a write leaves, and the memory-mapped registers that the tile
// shows them at 0xffbxxxxx. Pages: ScalarUnit.md; BabyRISCV/README.md of each chip (memory map,
// column "NoC").
#ifndef TESSERA_STATE_REGISTER_ACCESS_H
#define TESSERA_STATE_REGISTER_ACCESS_H

#include "state/state.h"

// Reads a GPR of the instruction's thread, and sets *tainted if it holds a tainted value. A GPR
// that was never written, that a load has yet to write, or that is tainted is a finding. False: the
// tile stops.
bool tsr_gpr_read(struct tsr_env *env, const struct tsr_inflight *inst, unsigned gpr,
                  uint32_t *value, bool *tainted);
// A GPR that an RDCFG of the same thread is still writing is a finding; its value is there already
// (docs/errata.md, 100). False: the tile stops.
bool tsr_gpr_settled(struct tsr_env *env, const struct tsr_inflight *inst, unsigned gpr);
void tsr_gpr_put(struct tsr_gprs *gprs, int thread, const struct tsr_gpr_write *write);

// 32 bits of a memory-mapped register, through the tile's address map, whose findings name `cause`.
tsr_status tsr_mmio_load(struct tsr_env *env, const struct tsr_inflight *cause, uint32_t address,
                         uint32_t *value);
tsr_status tsr_mmio_store(struct tsr_env *env, const struct tsr_inflight *cause, uint32_t address,
                          uint32_t value);

// Where a stream of the NoC overlay has a register (noc_overlay_parameters.h of tt-metal).
static inline uint32_t tsr_stream_register(const struct tsr_env *env, unsigned stream,
                                           unsigned index)
{
    enum { STREAM_BYTES = 0x1000 };
    return env->isa->region[REGION_NOC_OVERLAY].base + stream * STREAM_BYTES + 4 * index;
}

#endif
