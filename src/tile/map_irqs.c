// SPDX-License-Identifier: Apache-2.0
// Blackhole's interrupt controller: software's requests, each a word that a load takes away, the
// hardware's, and which of them interrupts core B or NC. Pages: BlackholeA0/TensixTile/PIC.md,
// BlackholeA0/NoC/Interrupts.md.
#include "tile/map_irqs.h"

#include "state/races.h"

// Registers of a core: INT_EN for software's requests and for the hardware's, and INT_NO.
enum { SOFTWARE_EN, HARDWARE_EN, CORE_WORDS = 3, CORES = 2 };
enum { SOFTWARE = TSR_SOFTWARE_IRQS, HARDWARE = TSR_HARDWARE_IRQS, OF_WATCHDOG = 3 };

static uint64_t requests_of(const struct tsr_irqs *irqs, unsigned which)
{
    return (irqs->raised & irqs->software_enabled[which]) |
           (uint64_t)(irqs->hardware & irqs->hardware_enabled[which]) << SOFTWARE;
}

void tsr_irqs_weigh(struct tsr_env *env)
{
    static const uint8_t core[CORES] = {TSR_CORE_B, TSR_CORE_NC};
    struct tsr_irqs *irqs = &env->state->debug.irqs;
    irqs->due = 0;
    for (unsigned i = 0; i < CORES && irqs->reach_cores; i++)
        if (requests_of(irqs, i) && !env->state->cores.hart[core[i]].interrupted)
            irqs->due |= (uint8_t)(1u << core[i]);
}

unsigned tsr_irqs_choose(struct tsr_env *env, unsigned core)
{
    enum { ALL = SOFTWARE + HARDWARE };
    struct tsr_irqs *irqs = &env->state->debug.irqs;
    unsigned which = core == TSR_CORE_NC, irq = irqs->next[which];
    uint64_t requests = requests_of(irqs, which);
    while (requests && !(requests >> irq & 1))
        irq = (irq + 1) % ALL;
    irqs->next[which] = (uint8_t)((irq + 1) % ALL);
    irqs->number[which] = (uint8_t)irq;
    return irq;
}

void tsr_irq_raise(struct tsr_env *env, unsigned irq)
{
    env->state->debug.irqs.hardware |= 1u << irq;
    tsr_irqs_weigh(env);
}

void tsr_irq_of_noc(struct tsr_env *env, unsigned noc, bool raised)
{
    uint32_t bit = 1u << (TSR_NOC_IRQ + noc), *hardware = &env->state->debug.irqs.hardware;
    *hardware = raised ? *hardware | bit : *hardware & ~bit;
    tsr_irqs_weigh(env);
}

// The watchdog and the ECC scrubber are not there, and cores that a caller plays have no pc.
static tsr_status access_enable(struct tsr_access *access, uint32_t *enabled, uint32_t mask,
                                uint32_t missing)
{
    if (!access->store) {
        access->value = *enabled;
        return TSR_OK;
    }
    *enabled = access->value & mask;
    tsr_irqs_weigh(access->env);
    if (*enabled && !access->env->state->debug.irqs.reach_cores)
        return tsr_access_unimplemented(access, "interrupts of cores that the caller plays");
    return *enabled & missing ? tsr_access_unimplemented(access, "the watchdog's interrupt")
                              : TSR_OK;
}

static tsr_status access_core(struct tsr_access *access, unsigned core, unsigned word)
{
    struct tsr_irqs *irqs = &access->env->state->debug.irqs;
    if (word == SOFTWARE_EN)
        return access_enable(access, &irqs->software_enabled[core], UINT32_MAX, 0);
    if (word == HARDWARE_EN)
        return access_enable(access, &irqs->hardware_enabled[core], tsr_mask32(HARDWARE),
                             1u << OF_WATCHDOG);
    if (!access->store)
        access->value = irqs->number[core];
    return TSR_OK;
}

static tsr_status access_request(struct tsr_access *access, unsigned irq)
{
    struct tsr_irqs *irqs = &access->env->state->debug.irqs;
    bool was_raised = irqs->raised >> irq & 1;
    if (!access->store) {
        access->value = irqs->software[irq];
        if (was_raised)
            tsr_race_sync(access->env, TSR_RACE_IRQ_TAKE, irq, 0, 0);
    } else if (access->value) {
        tsr_race_sync(access->env, TSR_RACE_IRQ_RAISE, irq, 0, 0);
    }
    irqs->software[irq] = access->store ? access->value : 0;
    irqs->raised &= ~(1u << irq);
    irqs->raised |= (uint32_t)(irqs->software[irq] != 0) << irq;
    tsr_irqs_weigh(access->env);
    return TSR_OK;
}

// A NoC interface raises its request again at once, as long as it has reason to.
static tsr_status access_hardware(struct tsr_access *access, unsigned irq)
{
    struct tsr_irqs *irqs = &access->env->state->debug.irqs;
    if (access->store)
        return TSR_OK;
    access->value = irqs->hardware >> irq & 1;
    if (irq == TSR_OVERLAY_IRQ)
        irqs->hardware &= ~(1u << irq);
    tsr_irqs_weigh(access->env);
    return TSR_OK;
}

tsr_status tsr_access_irqs(struct tsr_access *access)
{
    struct tsr_irqs *irqs = &access->env->state->debug.irqs;
    unsigned word = access->offset / 4;
    if (word < CORES * CORE_WORDS)
        return access_core(access, word / CORE_WORDS, word % CORE_WORDS);
    word -= CORES * CORE_WORDS;
    if (word < SOFTWARE)
        return access_request(access, word);
    word -= SOFTWARE;
    if (word < HARDWARE)
        return access_hardware(access, word);
    uint32_t *pc = &irqs->pc[word - HARDWARE];
    if (access->store)
        *pc = access->value;
    else
        access->value = *pc;
    return TSR_OK;
}
