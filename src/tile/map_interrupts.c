// SPDX-License-Identifier: Apache-2.0
// Wormhole's interrupt controller: pending requests and which are enabled. The timestamper and the
// NoC overlay raise them. No core's clock stops, because none has one. Page: PIC.md.
#include "tile/map_interrupts.h"

#include "tile/map_irqs.h"

enum register_offset {
    PENDING = 0x00,
    NEXT = 0x04,
    ENABLED = 0x08,
    CLOCK_GATE = 0x0c,
    HYSTERESIS = 0x10,
    STREAM_TYPE = 0x14,
    END = 0x34
};

enum { CLOCK_GATE_BITS = 1u << 0 | 1u << 8, CLOCK_ACTIVE = 1u << 16, IRQS = 19 };

void tsr_interrupt_raise(struct tsr_env *env, unsigned irq)
{
    struct tsr_interrupts *interrupts = &env->state->debug.interrupts;
    interrupts->pending |= 1u << irq & interrupts->enabled;
}

void tsr_interrupts_raise(struct tsr_interrupts *interrupts, unsigned irq, unsigned edge)
{
    if (irq >= TSR_STREAM_IRQS || interrupts->stream_type[irq] & edge)
        interrupts->pending |= 1u << irq & interrupts->enabled;
}

void tsr_interrupt_of_overlay(struct tsr_env *env, unsigned irq, unsigned edge)
{
    if (irq == TSR_STREAMS_DONE_IRQ)
        tsr_irq_raise(env, TSR_OVERLAY_IRQ);
    tsr_interrupts_raise(&env->state->debug.interrupts, irq, edge);
}

// Repeated loads go round the requests that are pending.
static uint32_t next_irq(struct tsr_interrupts *interrupts)
{
    for (unsigned i = 0; i < IRQS; i++) {
        unsigned irq = (interrupts->next + i) % IRQS;
        if (interrupts->pending >> irq & 1) {
            interrupts->next = (uint8_t)((irq + 1) % IRQS);
            return irq;
        }
    }
    return 0;
}

static uint32_t load_register(struct tsr_interrupts *interrupts, uint32_t offset)
{
    switch (offset) {
    case PENDING:
        return interrupts->pending;
    case NEXT:
        return next_irq(interrupts);
    case ENABLED:
        return interrupts->enabled;
    case CLOCK_GATE:
        return interrupts->clock_gate | CLOCK_ACTIVE;
    case HYSTERESIS:
        return interrupts->hysteresis;
    default:
        return interrupts->stream_type[(offset - STREAM_TYPE) / 4];
    }
}

static void store_register(struct tsr_interrupts *interrupts, uint32_t offset, uint32_t value)
{
    switch (offset) {
    case PENDING:
        interrupts->pending &= ~value;
        break;
    case NEXT:
        break;
    case ENABLED:
        interrupts->enabled = value;
        break;
    case CLOCK_GATE:
        interrupts->clock_gate = value & CLOCK_GATE_BITS;
        break;
    case HYSTERESIS:
        interrupts->hysteresis = value & 0x7f;
        break;
    default:
        interrupts->stream_type[(offset - STREAM_TYPE) / 4] = value & 3;
        break;
    }
}

bool tsr_interrupts_load(struct tsr_interrupts *interrupts, uint32_t offset, uint32_t *value)
{
    if (offset >= END)
        return false;
    *value = load_register(interrupts, offset & ~3u);
    return true;
}

bool tsr_interrupts_store(struct tsr_interrupts *interrupts, uint32_t offset, uint32_t value)
{
    if (offset >= END)
        return false;
    store_register(interrupts, offset & ~3u, value);
    return true;
}

tsr_status tsr_access_interrupts(struct tsr_access *access)
{
    struct tsr_interrupts *interrupts = &access->env->state->debug.interrupts;
    bool there = access->store ? tsr_interrupts_store(interrupts, access->offset, access->value)
                               : tsr_interrupts_load(interrupts, access->offset, &access->value);
    return there ? TSR_OK
                 : tsr_access_unimplemented(access, "a register of the PIC that no page has");
}
