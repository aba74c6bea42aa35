// SPDX-License-Identifier: Apache-2.0
// REG2FLOP: the scalar unit moves GPRs to configuration between the THCON and the GLOBAL base, or
// to one ADC counter. It takes effect when it is accepted and holds its thread for the unit's
// cycles; that others may delay it there is not modelled. Both forms are legacy on Blackhole, the
// ADC form and 128 bits on Wormhole too (decision 1).
// Pages: REG2FLOP_Configuration.md, REG2FLOP_ADC.md.
#include "control/reg2flop.h"

#include "control/config_unit.h"
#include "state/config_access.h"
#include "state/races.h"
#include "state/report.h"

enum { TARGET_CONFIG = 0, TARGET_LOCAL = 1, TARGET_ADC = 2, TARGET_ADC_OF_THREAD = 3 };
enum { SIZE_128 = 0, SIZE_32 = 1, SIZE_16 = 2, SIZE_8 = 3 };

static bool legacy(struct tsr_env *env, const struct tsr_inflight *inst, const char *what)
{
    return tsr_report(env, FINDING_LEGACY_MODE, inst, NULL,
                      "REG2FLOP %s is unsupported by its page, which describes it with little "
                      "confidence.",
                      what) != TSR_HALT;
}

// ---------------------------------------------------------------- configuration

static bool to_config(struct tsr_env *env, const struct tsr_inflight *inst)
{
    const struct tsr_layout *layout = &env->isa->layout;
    uint32_t size = tsr_arg(env, inst, OPERAND_SizeSel);
    unsigned index = tsr_arg(env, inst, OPERAND_FlopIndex);
    unsigned gpr = tsr_arg(env, inst, OPERAND_RegIndex), words = size == SIZE_128 ? 4 : 1;
    uint32_t value[4];
    int state_id = tsr_state_id(env, inst->thread);
    if (index >= (unsigned)(layout->global_base - layout->thcon_base)) {
        tsr_report(env, FINDING_CONFIG_INDEX, inst, NULL,
                   "REG2FLOP names word %u of the THCON configuration, which has %d; it does "
                   "nothing.",
                   index, layout->global_base - layout->thcon_base);
        return !env->findings->stopped;
    }
    // Operands of the form for ADCs, which vendor software describes for this one too, as a place
    // within the register. The page has none; they are ignored.
    uint32_t offset = tsr_arg(env, inst, OPERAND_ByteOffset);
    uint32_t context = tsr_arg(env, inst, OPERAND_ContextId_2);
    if ((offset | context) != 0 &&
        tsr_report(env, FINDING_UNDOCUMENTED_MODE, inst, NULL,
                   "REG2FLOP to configuration with ByteOffset=%u and ContextId_2=%u: no page "
                   "says what they do there, and they do nothing.",
                   (unsigned)offset, (unsigned)context) == TSR_HALT)
        return false;
    if ((env->chip->arch != TSR_WORMHOLE_B0 && !legacy(env, inst, "on Blackhole")) ||
        (words == 4 && !legacy(env, inst, "of 128 bits")))
        return false;
    if (words == 4) {
        index &= ~3u;
        gpr &= ~3u;
    }
    for (unsigned i = 0; i < words; i++)
        if (!tsr_config_take_gpr(env, inst, gpr + i, &value[i]))
            return false;
    for (unsigned i = 0; i < words && !env->findings->stopped; i++)
        tsr_config_write(env, state_id, layout->thcon_base + index + i, value[i], 0xffffffffu);
    return !env->findings->stopped;
}

// ---------------------------------------------------------------- ADCs

// The part of the register; 0 for a shift that the size does not allow.
static uint32_t part_of(uint32_t value, uint32_t size, uint32_t shift8)
{
    switch (size) {
    case SIZE_32:
        return shift8 == 0 ? value : 0;
    case SIZE_16:
        return shift8 == 0 ? value & 0xffff : shift8 == 2 ? value >> 16 : 0;
    case SIZE_8:
        return value >> (shift8 * 8) & 0xff;
    default:
        return 0;
    }
}

static bool to_adc(struct tsr_env *env, const struct tsr_inflight *inst, bool other_thread)
{
    uint32_t index = tsr_arg(env, inst, OPERAND_FlopIndex);
    uint32_t dimension = index & 3, agent = index >> 3 & 3, channel = index >> 5 & 1;
    uint32_t size = tsr_arg(env, inst, OPERAND_SizeSel), value = 0;
    uint32_t thread = other_thread ? tsr_arg(env, inst, OPERAND_ContextId_2) : inst->thread;
    if (!legacy(env, inst, "to an ADC"))
        return false;
    if (size != SIZE_128 &&
        !tsr_config_take_gpr(env, inst, tsr_arg(env, inst, OPERAND_RegIndex), &value))
        return false;
    if (thread >= TSR_THREADS || agent >= TSR_ADC_AGENTS)
        return true; // there is no such counter, as the page has it
    tsr_race_counters(env, true, thread, agent, 1u << (4 * channel + dimension));
    struct tsr_adc_counter at = tsr_adc_counter(&env->state->adcs.channel[thread][agent][channel],
                                                dimension, env->chip->adc_zw_bits);
    *(index >> 2 & 1 ? at.carriage : at.value) =
        part_of(value, size, tsr_arg(env, inst, OPERAND_ByteOffset)) & at.mask;
    return true;
}

bool tsr_reg2flop_accept(struct tsr_env *env, struct tsr_inflight *inst)
{
    uint32_t target = tsr_arg(env, inst, OPERAND_TargetSel);
    inst->hold = inst->duration;
    env->acting = inst;
    bool done;
    if (target == TARGET_CONFIG)
        done = to_config(env, inst);
    else if (target == TARGET_LOCAL)
        done = tsr_report(env, FINDING_UNDOCUMENTED_MODE, inst, NULL,
                          "REG2FLOP with TargetSel=1: no page has it. Vendor software calls the "
                          "target local registers; nothing is written.") != TSR_HALT;
    else
        done = to_adc(env, inst, target == TARGET_ADC_OF_THREAD);
    env->acting = NULL;
    return done;
}

bool tsr_reg2flop_run_word(struct tsr_env *env, int thread, uint32_t word)
{
    const struct tsr_isa *isa = env->isa;
    const struct tsr_gprs *gprs = &env->state->gprs;
    unsigned index = tsr_operand(isa, OP_REG2FLOP, word, OPERAND_FlopIndex);
    unsigned gpr = tsr_operand(isa, OP_REG2FLOP, word, OPERAND_RegIndex);
    bool settled = (gprs->written[thread] & ~gprs->tainted[thread]) >> gpr & 1;
    if (env->chip->arch != TSR_WORMHOLE_B0 || !settled ||
        tsr_operand(isa, OP_REG2FLOP, word, OPERAND_TargetSel) != TARGET_CONFIG ||
        tsr_operand(isa, OP_REG2FLOP, word, OPERAND_SizeSel) == SIZE_128 ||
        tsr_operand(isa, OP_REG2FLOP, word, OPERAND_ByteOffset) ||
        tsr_operand(isa, OP_REG2FLOP, word, OPERAND_ContextId_2) ||
        index >= (unsigned)(isa->layout.global_base - isa->layout.thcon_base))
        return false;
    tsr_config_write(env, tsr_state_id(env, thread), isa->layout.thcon_base + index,
                     gprs->value[thread][gpr], 0xffffffffu);
    return true;
}
