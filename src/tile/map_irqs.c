// SPDX-License-Identifier: Apache-2.0
// Blackhole's interrupt controller: software's requests, each a word that a load takes away, and
// the hardware's. Cores are not interrupted, so whoever enables a request gets a finding; the NoC
// interfaces' requests are not there. Page: BlackholeA0/TensixTile/PIC.md.
#include "tile/map_irqs.h"

#include "state/races.h"

// Registers of a core: INT_EN for software's requests and for the hardware's, and INT_NO.
enum { SOFTWARE_EN, HARDWARE_EN, CORE_WORDS = 3, CORES = 2 };
enum { SOFTWARE = TSR_SOFTWARE_IRQS, HARDWARE = TSR_HARDWARE_IRQS, OF_NOC_0 = 1, OF_NOC_1 = 2 };

void tsr_irq_raise(struct tsr_env *env, unsigned irq)
{
    env->state->debug.irqs.hardware |= 1u << irq;
}

static tsr_status access_enable(struct tsr_access *access, uint32_t *enabled, uint32_t mask)
{
    if (!access->store) {
        access->value = *enabled;
        return TSR_OK;
    }
    *enabled = access->value & mask;
    return *enabled ? tsr_access_unimplemented(access, "interrupts of cores") : TSR_OK;
}

static tsr_status access_core(struct tsr_access *access, unsigned core, unsigned word)
{
    struct tsr_irqs *irqs = &access->env->state->debug.irqs;
    if (word == SOFTWARE_EN)
        return access_enable(access, &irqs->software_enabled[core], UINT32_MAX);
    if (word == HARDWARE_EN)
        return access_enable(access, &irqs->hardware_enabled[core], tsr_mask32(HARDWARE));
    if (!access->store) // INT_NO, of a core that was never interrupted
        access->value = 0;
    return TSR_OK;
}

static tsr_status access_request(struct tsr_access *access, unsigned irq)
{
    struct tsr_irqs *irqs = &access->env->state->debug.irqs;
    if (access->store) {
        irqs->software[irq] = access->value;
        if (access->value)
            tsr_race_sync(access->env, TSR_RACE_IRQ_RAISE, irq, 0, 0);
        return TSR_OK;
    }
    access->value = irqs->software[irq];
    if (access->value)
        tsr_race_sync(access->env, TSR_RACE_IRQ_TAKE, irq, 0, 0);
    irqs->software[irq] = 0;
    return TSR_OK;
}

static tsr_status access_hardware(struct tsr_access *access, unsigned irq)
{
    struct tsr_irqs *irqs = &access->env->state->debug.irqs;
    if (access->store)
        return TSR_OK;
    if (irq == OF_NOC_0 || irq == OF_NOC_1)
        return tsr_access_unimplemented(access, "interrupts of a NoC interface");
    access->value = irqs->hardware >> irq & 1;
    irqs->hardware &= ~(1u << irq);
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
