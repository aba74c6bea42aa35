// SPDX-License-Identifier: Apache-2.0
// Accesses of instructions to the tile's registers, on the name of the instruction.
// Page: BabyRISCV/README.md of each chip.
#include "state/mmio.h"

tsr_status tsr_mmio_load(struct tsr_env *env, const struct tsr_inflight *cause, uint32_t address,
                         uint32_t *value)
{
    env->port_cause = cause;
    tsr_status status =
        env->port.load(env->port.self, TSR_AGENT_TENSIX + cause->thread, address, value, 4);
    env->port_cause = NULL;
    return status;
}

tsr_status tsr_mmio_store(struct tsr_env *env, const struct tsr_inflight *cause, uint32_t address,
                          uint32_t value)
{
    env->port_cause = cause;
    tsr_status status =
        env->port.store(env->port.self, TSR_AGENT_TENSIX + cause->thread, address, value, 4);
    env->port_cause = NULL;
    return status;
}
