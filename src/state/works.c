// SPDX-License-Identifier: Apache-2.0
// Which unit works for which thread. Pages: STALLWAIT.md of each chip, FLUSHDMA.md.
#include "state/works.h"

bool tsr_unit_works(const struct tsr_env *env, tsr_unit unit, int thread)
{
    const struct tsr_line *line = &env->state->flights.line[unit];
    for (unsigned i = 0; i < line->count; i++)
        if (thread < 0 || line->flight[(line->first + i) % TSR_LINE_DEPTH].thread == thread)
            return true;
    return false;
}

// A PACR gives work to the packers that it selects, and to packer 0 if it selects none.
bool tsr_packer_works(const struct tsr_env *env, unsigned packer, int thread)
{
    const struct tsr_line *line = &env->state->flights.line[TSR_UNIT_PACKER];
    for (unsigned i = 0; i < line->count; i++) {
        const struct tsr_flight *flight = &line->flight[(line->first + i) % TSR_LINE_DEPTH];
        uint32_t chosen = tsr_arg(env, flight, OPERAND_PackSel);
        if (flight->thread == thread && ((chosen ? chosen : 1) >> packer & 1))
            return true;
    }
    return false;
}

bool tsr_scalar_memory_works(const struct tsr_env *env, int thread)
{
    return env->state->scalar.outstanding[thread] > 0;
}
