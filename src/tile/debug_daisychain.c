// SPDX-License-Identifier: Apache-2.0
// The debug daisychain: 128 bits of what the tile has inside, a word at a time or as a line in L1.
// Of all that it can show there are the program counters of the baby cores that the tile
// interprets: what debuggers read. Instructions are not in a pipeline here, so the bits that say
// that one is at a certain place are 0, as between two instructions. Page: DebugDaisychain.md.
#include "tile/debug_daisychain.h"

#include "state/report.h"

#include <stdio.h>

enum {
#define DAISY_CONTROL(name, first, width)                                                          \
    CONTROL_##name = (first), CONTROL_##name##_WIDTH = (width),
#define DAISY_SAMPLE(name, first, width) SAMPLE_##name = (first), SAMPLE_##name##_WIDTH = (width),
#define DAISY_MODE(name, value) MODE_##name = (value),
#include "machine/debug_daisychain.def"
    CORES = 7, // DaisySel
    WORDS = TSR_L1_GRANULE / 4,
};

enum group { NONE, A, B };

struct signal {
    uint8_t core, group;
};
static const struct signal signals[] = {
#define DAISY_CORE(select, core, group) [select] = {core, group},
#include "machine/debug_daisychain.def"
};

struct place {
    uint8_t group, first, width;
};
static const struct place places[] = {
#define DAISY_PC(group, first, width) {group, first, width},
#include "machine/debug_daisychain.def"
};

static uint32_t field(uint32_t word, int first, int width)
{
    return word >> first & ((1u << width) - 1);
}

#define CONTROL(word, name) field(word, CONTROL_##name, CONTROL_##name##_WIDTH)
#define SAMPLE(word, name) field(word, SAMPLE_##name, SAMPLE_##name##_WIDTH)

static tsr_status not_there(struct tsr_access *access)
{
    return tsr_access_unimplemented(access, "the debug daisychain of cores that are not there");
}

// False: it is not there, which is reported.
static bool present(struct tsr_access *access, uint32_t word[WORDS], tsr_status *status)
{
    struct tsr_state *state = access->env->state;
    uint32_t control = state->debug.daisychain.control;
    unsigned select = CONTROL(control, SIGNAL), chain = CONTROL(control, CHAIN);
    char what[80];
    for (int i = 0; i < WORDS; i++)
        word[i] = 0;
    *status = TSR_OK;
    if (!CONTROL(control, ENABLED))
        return true;
    if (chain != CORES || select >= sizeof signals / sizeof *signals ||
        signals[select].group == NONE) {
        snprintf(what, sizeof what, "signal %u of part %u of the debug daisychain", select, chain);
        *status = tsr_access_unimplemented(access, what);
        return false;
    }
    uint32_t pc = state->cores.hart[signals[select].core].pc;
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
        if (places[i].group == signals[select].group)
            word[places[i].first / 32] |= field(pc, 0, places[i].width) << places[i].first % 32;
    return true;
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
    uint32_t word[WORDS];
    tsr_status status = TSR_OK;
    if (!access->env->interprets)
        return not_there(access);
    if (!access->store && present(access, word, &status))
        access->value = word[CONTROL(access->env->state->debug.daisychain.control, WORD)];
    return status;
}

static tsr_status write_line(struct tsr_access *access)
{
    struct tsr_state *state = access->env->state;
    struct tsr_daisychain *chain = &state->debug.daisychain;
    uint64_t address = ((uint64_t)chain->sample[0] + chain->lines) * TSR_L1_GRANULE;
    uint32_t word[WORDS];
    uint8_t bytes[TSR_L1_GRANULE];
    tsr_status status;
    if (!present(access, word, &status))
        return status;
    if (!tsr_l1_holds(&state->l1, address, sizeof bytes)) {
        TSR_ACCESS_REPORT(access, FINDING_L1_OUT_OF_RANGE,
                          "%s has the debug daisychain write to line 0x%llx of 16 bytes, behind "
                          "L1's %u bytes.",
                          tsr_access_who(access), (unsigned long long)address / TSR_L1_GRANULE,
                          (unsigned)state->l1.size);
        return tsr_access_status(access);
    }
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(word[i / 4] >> (i % 4 * 8));
    tsr_l1_put(&state->l1, (uint32_t)address, bytes, sizeof bytes, false);
    return TSR_OK;
}

// WriteTrigger writes a line when it rises.
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
    if (mode != MODE_SAME_LINE && mode != MODE_NEXT_LINE)
        return tsr_access_unimplemented(access, mode == MODE_SERIES
                                                    ? "a series of samples of the debug daisychain"
                                                    : "a WriteMode that no page has");
    tsr_status status = write_line(access);
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
