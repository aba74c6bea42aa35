// SPDX-License-Identifier: Apache-2.0
// A core that pushes a STOREREG and loads the register which it names does not wait for it: until
// the write has reached the register, others than the scalar unit do not see it. Pages:
// STOREREG.md, PushTensixInstruction.md.
#include "tile/storereg_loads.h"

#include "isa/isa.h"
#include "isa/region_index.h"

static bool holds_store(const struct tsr_isa *isa, const struct tsr_fifo *fifo, uint32_t operand)
{
    for (unsigned i = 0; i < fifo->count; i++) {
        uint32_t word = fifo->word[(fifo->first + i) % TSR_FIFO_MAX];
        if (tsr_op_of(isa, word) == OP_STOREREG &&
            tsr_operand(isa, OP_STOREREG, word, OPERAND_RegAddr) == operand)
            return true;
    }
    return false;
}

bool tsr_storereg_is_passed(const struct tsr_env *env, unsigned core, uint32_t address)
{
    if (address < TSR_REGIONS_LOW || !tsr_is_t_core((int)core))
        return false;
    const uint32_t operand = (address - TSR_REGIONS_LOW) / 4;
    const struct tsr_frontend *frontend = &env->state->frontend[core - TSR_CORE_T0];
    return holds_store(env->isa, &frontend->before_mop, operand) ||
           holds_store(env->isa, &frontend->before_replay, operand) ||
           holds_store(env->isa, &frontend->before_gate, operand);
}
