// SPDX-License-Identifier: Apache-2.0
// Numbers by name that programs for the cores need beside addresses: the cores' bits of soft reset
// (SoftReset.md; machine/cores.def), and offsets, bits and counters of the NoC interfaces
// (NoC/MemoryMap.md, NoC/Counters.md; machine/noc_registers.def).
#include "base/bits.h"
#include "isa/isa.h"

#include <stdio.h>

enum number_kind {
    PLAIN, // as it stands
    BITS,  // the mask of a field
    WORDS  // of the interface's configuration
};
enum {
    NOC_NONE = 0xffff,
#define NOC_FACT(name, wh, bh) FACT_##name = (wh),
#include "machine/noc_registers.def"
};

static const struct number_row {
    const char *prefix, *name;
    uint8_t kind, width;
    uint16_t value[TSR_ARCH_COUNT];
} rows[] = {
#define CORE(name, program, bit, pc, wh, bh, kept) {"RESET_", #name, BITS, 1, {bit, bit}},
#include "machine/cores.def"
#define NOC_FACT(name, wh, bh) {"NOC_", #name, PLAIN, 0, {wh, bh}},
#define NOC_INITIATOR(name, wh, bh) {"", #name, PLAIN, 0, {wh, bh}},
#define NOC_CTRL_BITS(name, first, width) {"", #name, BITS, width, {first, first}},
#define NOC_TAG_BITS(name, first, width) {"", #name, BITS, width, {first, first}},
#define NOC_CONFIG(name, wh, bh) {"", #name, WORDS, 0, {wh, bh}},
#define NOC_COUNTER(name, index, count, width) {"", #name, PLAIN, 0, {index, index}},
#include "machine/noc_registers.def"
};

tsr_status tsr_number_at(tsr_arch arch, int index, tsr_number_info *out)
{
    if ((unsigned)arch >= TSR_ARCH_COUNT || index < 0)
        return TSR_BAD_ARGUMENT;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t value = rows[i].value[arch];
        if (value == NOC_NONE || index-- > 0)
            continue;
        if (rows[i].kind == BITS)
            value = tsr_mask32(rows[i].width) << value;
        else if (rows[i].kind == WORDS)
            value = FACT_CONFIG + 4 * value;
        if (out) {
            *out = (tsr_number_info){.value = value};
            snprintf(out->name, sizeof out->name, "%s%s", rows[i].prefix, rows[i].name);
        }
        return TSR_OK;
    }
    return TSR_NOT_FOUND;
}
