// SPDX-License-Identifier: Apache-2.0
// The registers of the debug daisychain. They show 128 bits of state inside the tile, which
// daisy_signals.c provides: word by word, or written to L1 as lines of 16 bytes. State that Tessera
// does not have reads as 0. A line of it is still written, because software waits for the line.
// Page: DebugDaisychain.md.
#include "tile/debug_daisychain.h"

#include "base/bits.h"
#include "state/report.h"
#include "tile/daisy_signals.h"

#include <string.h>

enum {
#define DAISY_CONTROL(name, first, width)                                                          \
    CONTROL_##name = (first), CONTROL_##name##_WIDTH = (width),
#define DAISY_SAMPLE(name, first, width) SAMPLE_##name = (first), SAMPLE_##name##_WIDTH = (width),
#define DAISY_MODE(name, value) MODE_##name = (value),
#include "machine/debug_daisychain.def"
};

#define CONTROL(word, name) tsr_bits(word, CONTROL_##name, CONTROL_##name##_WIDTH)
#define SAMPLE(word, name) tsr_bits(word, SAMPLE_##name, SAMPLE_##name##_WIDTH)

static tsr_status not_there(struct tsr_access *access)
{
    return tsr_access_unimplemented(access, "the debug daisychain of cores that are not there");
}

// The bits that the control register chooses. Where no page has any they are 0, with a finding.
static tsr_status present(struct tsr_access *access, uint32_t word[TSR_DAISY_WORDS])
{
    uint32_t control = access->env->state->debug.daisychain.control;
    unsigned signal = CONTROL(control, SIGNAL), part = CONTROL(control, PART);
    memset(word, 0, TSR_DAISY_WORDS * sizeof *word);
    if (!CONTROL(control, ENABLED))
        return TSR_OK;
    if (tsr_daisy_signals(access->env, part, signal, word))
        return tsr_access_status(access);
    TSR_ACCESS_REPORT(access, FINDING_DAISYCHAIN_SIGNAL,
                      "%s reads signal %u of part %u of the debug daisychain as 0.",
                      tsr_access_who(access), signal, part);
    return tsr_access_status(access);
}

tsr_status tsr_access_daisy_control(struct tsr_access *access)
{
    struct tsr_daisychain *chain = &access->env->state->debug.daisychain;
    if (!access->env->interprets)
        return not_there(access);
    if (access->store)
        chain->control = access->value;
    else
        access->value = chain->control;
    return TSR_OK;
}

tsr_status tsr_access_daisy_data(struct tsr_access *access)
{
    uint32_t word[TSR_DAISY_WORDS];
    if (!access->env->interprets)
        return not_there(access);
    if (access->store)
        return TSR_OK;
    tsr_status status = present(access, word);
    access->value = word[CONTROL(access->env->state->debug.daisychain.control, WORD)];
    return status;
}

// `count` lines of what is there now.
static tsr_status write_lines(struct tsr_access *access, uint32_t count)
{
    struct tsr_state *state = access->env->state;
    struct tsr_daisychain *chain = &state->debug.daisychain;
    uint64_t address = ((uint64_t)chain->sample[0] + chain->lines) * TSR_L1_GRANULE;
    uint32_t word[TSR_DAISY_WORDS];
    uint8_t bytes[TSR_L1_GRANULE];
    tsr_status status = present(access, word);
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(word[i / 4] >> (i % 4 * 8));
    for (; count > 0 && status != TSR_STOPPED; count--, address += sizeof bytes) {
        if (!tsr_l1_holds(&state->l1, address, sizeof bytes)) {
            TSR_ACCESS_REPORT(access, FINDING_L1_OUT_OF_RANGE,
                              "%s has the debug daisychain write to line 0x%llx of 16 bytes, "
                              "behind L1's %u bytes.",
                              tsr_access_who(access), (unsigned long long)address / TSR_L1_GRANULE,
                              (unsigned)state->l1.size);
            return tsr_access_status(access);
        }
        tsr_l1_put(&state->l1, (uint32_t)address, bytes, sizeof bytes, false);
    }
    return status;
}

// WriteTrigger writes when it rises: a line, or all lines of a series, up to the one that
// DBG_L1_MEM_REG1 names.
static tsr_status sample(struct tsr_access *access)
{
    struct tsr_daisychain *chain = &access->env->state->debug.daisychain;
    uint32_t before = chain->sample[2], now = access->value;
    unsigned mode = SAMPLE(now, MODE);
    chain->sample[2] = now;
    if (mode == MODE_PREPARE)
        chain->lines = 0;
    if (!SAMPLE(now, TRIGGER) || SAMPLE(before, TRIGGER))
        return TSR_OK;
    if (mode == MODE_SERIES) {
        uint32_t first = chain->sample[0], end = chain->sample[1];
        return write_lines(access, end > first ? end - first : 0);
    }
    if (mode != MODE_SAME_LINE && mode != MODE_NEXT_LINE)
        return tsr_access_unimplemented(access, "a WriteMode that no page has");
    tsr_status status = write_lines(access, 1);
    chain->lines += mode == MODE_NEXT_LINE;
    return status;
}

tsr_status tsr_access_daisy_sample(struct tsr_access *access, unsigned index)
{
    struct tsr_daisychain *chain = &access->env->state->debug.daisychain;
    if (!access->env->interprets)
        return not_there(access);
    if (!access->store)
        access->value = chain->sample[index];
    else if (index == 2)
        return sample(access);
    else
        chain->sample[index] = access->value;
    return TSR_OK;
}
