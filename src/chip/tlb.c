// SPDX-License-Identifier: Apache-2.0
// Where a TLB window sends what a host reads and writes in it. Ordering, linked and static_vc
// change nothing here: a host's access is performed at once. Pages: PCIExpressTile/TLBs.md,
// Blackhole's PCIExpressTile/HostToDeviceTLBs.md; docs/errata.md 593.
#include "chip/tlb.h"

#include "chip/noc_route.h"

struct windows {
    uint8_t arch, bar, bits;
    uint16_t count;
    uint64_t base;
};

struct entry {
    uint8_t bytes, address_bits;
};

enum field { X_END, Y_END, X_START, Y_START, NOC_SEL, MCAST, FIELDS };

struct place {
    uint8_t first, width;
};

static const struct windows windows_of[] = {
#define TLB(chip, bar, base, count, bits) {TSR_##chip, bar, bits, count, base},
#include "machine/tlb.def"
};

static const struct entry entry_of[TSR_ARCH_COUNT] = {
#define TLB_ENTRY(chip, bytes, address_bits) [TSR_##chip] = {bytes, address_bits},
#include "machine/tlb.def"
};

static const struct place place_of[TSR_ARCH_COUNT][FIELDS] = {
#define TLB_FIELD(chip, name, first, width) [TSR_##chip][name] = {first, width},
#include "machine/tlb.def"
};

static const uint8_t strided_windows[TSR_ARCH_COUNT] = {
#define TLB_STRIDED(chip, windows) [TSR_##chip] = windows,
#include "machine/tlb.def"
};

enum {
#define TLB_STRIDED_FIELD(name, first, width) name##_FIRST = (first), name##_WIDTH = (width),
#include "machine/tlb.def"
};

#define STRIDED(word, name) ((word) >> name##_FIRST & ((1u << name##_WIDTH) - 1))

// Bits of an entry, which is up to 96 bits long.
static uint64_t bits_of(const uint8_t *entry, unsigned bytes, unsigned first, unsigned width)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < width;) {
        unsigned bit = first + i;
        if (bit / 8 < bytes)
            value |= (uint64_t)(entry[bit / 8] >> bit % 8) << i;
        i += 8 - bit % 8;
    }
    return width < 64 ? value & ((1ull << width) - 1) : value;
}

static const struct windows *windows_at(tsr_arch arch, unsigned bar, uint64_t offset,
                                        unsigned *index)
{
    unsigned first = 0;
    for (unsigned i = 0; i < sizeof windows_of / sizeof *windows_of; i++) {
        const struct windows *windows = &windows_of[i];
        if (windows->arch != arch)
            continue;
        uint64_t size = (uint64_t)windows->count << windows->bits;
        if (windows->bar == bar && offset >= windows->base && offset - windows->base < size) {
            *index = first + (unsigned)((offset - windows->base) >> windows->bits);
            return windows;
        }
        first += windows->count;
    }
    return NULL;
}

static uint32_t strided_of(const tsr_chip *chip, unsigned index)
{
    tsr_arch arch = chip->options.tile.arch;
    unsigned entries = 0;
    if (index >= strided_windows[arch])
        return 0;
    for (unsigned i = 0; i < sizeof windows_of / sizeof *windows_of; i++)
        entries += windows_of[i].arch == arch ? windows_of[i].count : 0;
    return (uint32_t)bits_of(&chip->pcie.tlb[entries * entry_of[arch].bytes + index * 4], 4, 0, 32);
}

bool tsr_tlb_find(const tsr_chip *chip, unsigned bar, uint64_t offset,
                  struct tsr_tlb_target *target)
{
    tsr_arch arch = chip->options.tile.arch;
    unsigned index = 0;
    const struct windows *windows = windows_at(arch, bar, offset, &index);
    if (!windows)
        return false;
    const struct entry *form = &entry_of[arch];
    const uint8_t *entry = &chip->pcie.tlb[index * form->bytes];
    unsigned local = form->address_bits - windows->bits;
    uint64_t field[FIELDS];
    for (unsigned i = 0; i < FIELDS; i++)
        field[i] =
            bits_of(entry, form->bytes, local + place_of[arch][i].first, place_of[arch][i].width);
    uint64_t within = (offset - windows->base) & ((1ull << windows->bits) - 1);
    *target = (struct tsr_tlb_target){
        .address = bits_of(entry, form->bytes, 0, local) << windows->bits | within,
        .left = (1ull << windows->bits) - within,
        .noc = (unsigned)field[NOC_SEL] & 1,
        .multicast = field[MCAST] != 0,
        .x = (unsigned)field[X_END],
        .y = (unsigned)field[Y_END],
        .start_x = (unsigned)field[X_START],
        .start_y = (unsigned)field[Y_START],
        .strided = strided_of(chip, index)};
    return true;
}

// ---------------------------------------------------------------- what a multicast leaves out

struct pattern {
    unsigned keep, skip, coordinate;
    bool up;
};

static void patterns_of(uint32_t strided, struct pattern of[2])
{
    of[0] = (struct pattern){STRIDED(strided, X_KEEP), STRIDED(strided, X_SKIP),
                             STRIDED(strided, X_EXCLUDE_COORD),
                             STRIDED(strided, X_EXCLUDE_DIRECTION) != 0};
    of[1] = (struct pattern){STRIDED(strided, Y_KEEP), STRIDED(strided, Y_SKIP),
                             STRIDED(strided, Y_EXCLUDE_COORD),
                             STRIDED(strided, Y_EXCLUDE_DIRECTION) != 0};
}

static bool is_masked(const struct pattern *pattern)
{
    return pattern->keep > 0 && pattern->skip > 0;
}

bool tsr_tlb_leaves_out(uint32_t strided, const struct tsr_tlb_rectangle *in, const unsigned at[2])
{
    struct pattern of[2];
    bool beyond = STRIDED(strided, APPLY_EXCLUSION) != 0;
    patterns_of(strided, of);
    for (unsigned i = 0; i < 2; i++) {
        if (is_masked(&of[i]) && (at[i] - in->start[i]) % (of[i].keep + of[i].skip) >= of[i].keep)
            return true;
        beyond &= tsr_noc_beyond(at[i], of[i].coordinate, of[i].up, in->start[i], in->end[i],
                                 in->size[i]);
    }
    return beyond;
}

bool tsr_tlb_is_right(uint32_t strided, const struct tsr_tlb_rectangle *in, unsigned receivers)
{
    struct pattern of[2];
    unsigned said = STRIDED(strided, NUM_DESTINATIONS_OVERRIDE);
    bool counts = !STRIDED(strided, APPLY_EXCLUSION);
    patterns_of(strided, of);
    for (unsigned i = 0; i < 2; i++) {
        unsigned sum = of[i].keep + of[i].skip;
        if (is_masked(&of[i]) && (sum & (sum - 1)) != 0 && in->start[i] > in->end[i])
            return false;
        counts &= !is_masked(&of[i]);
    }
    return said == receivers || (said == 0 && counts);
}
