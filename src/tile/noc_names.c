// SPDX-License-Identifier: Apache-2.0
// Names of NoC registers, from machine/noc_registers.def, for reports of a core that waits for one.
// Pages: NoC/MemoryMap.md, NoC/Counters.md of each chip.
#include "tile/noc_names.h"

#include <stdio.h>

enum { NOC_NONE = 0xffff, FIRST_OF_OTHERS = 48 }; // counters of what others ask for

enum fact {
#define NOC_FACT(name, wh, bh) FACT_##name,
#include "machine/noc_registers.def"
    FACT_COUNT
};

static const uint16_t facts[FACT_COUNT][TSR_ARCH_COUNT] = {
#define NOC_FACT(name, wh, bh) [FACT_##name] = {wh, bh},
#include "machine/noc_registers.def"
};

static const struct {
    const char *name;
    unsigned index, count;
} counters[] = {
#define NOC_COUNTER(name, index, count, width) {#name, index, count},
#include "machine/noc_registers.def"
};

static const struct {
    const char *name;
    uint16_t offset[TSR_ARCH_COUNT];
} initiators[] = {
#define NOC_INITIATOR(name, wh, bh) {#name, {wh, bh}},
#include "machine/noc_registers.def"
};

static void describe_counter(struct tsr_noc_words *words, unsigned noc, unsigned index)
{
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        unsigned first = counters[i].index;
        if (index < first || index - first >= counters[i].count)
            continue;
        if (counters[i].count > 1)
            snprintf(words->what, sizeof words->what, "%s of transaction %u of NoC %u",
                     counters[i].name, index - first, noc);
        else
            snprintf(words->what, sizeof words->what, "%s of NoC %u", counters[i].name, noc);
        snprintf(words->release, sizeof words->release,
                 index < FIRST_OF_OTHERS ? "what comes of this tile's requests on NoC %u"
                                         : "a request of another tile on NoC %u",
                 noc);
    }
}

static void describe_initiator(struct tsr_noc_words *words, tsr_arch arch, unsigned noc,
                               uint32_t offset)
{
    uint32_t step = facts[FACT_INITIATOR_STEP][arch];
    for (size_t i = 0; i < sizeof initiators / sizeof initiators[0]; i++)
        if (initiators[i].offset[arch] == offset % step)
            snprintf(words->what, sizeof words->what, "%s of initiator %u of NoC %u",
                     initiators[i].name, (unsigned)(offset / step), noc);
}

struct tsr_noc_words tsr_noc_words_of(tsr_arch arch, unsigned noc, uint32_t offset)
{
    struct tsr_noc_words words;
    uint32_t first = facts[FACT_COUNTERS][arch], end = facts[FACT_COUNTERS_END][arch];
    snprintf(words.what, sizeof words.what, "a register of NoC %u", noc);
    snprintf(words.release, sizeof words.release, "a change there");
    if (offset >= first && offset < end)
        describe_counter(&words, noc, (unsigned)(offset - first) / 4);
    else
        describe_initiator(&words, arch, noc, offset & ~3u);
    return words;
}
