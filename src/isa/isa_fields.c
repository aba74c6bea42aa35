// SPDX-License-Identifier: Apache-2.0
// The public view of the configuration fields, by index or by name (BackendConfiguration.md).
#include "isa/isa.h"
#include "isa/row_macros.h"

#include <string.h>

#define PAGE(name, path) static const char PAGE_##name[] = path;
#include "machine/pages.def"

static const char GROUP_NONE[] = "";
static const char GROUP_UNPACK0[] = "unpack0";
static const char GROUP_UNPACK1[] = "unpack1";
static const char GROUP_PACK[] = "pack";
static const char GROUP_ALU[] = "alu";
static const char GROUP_RWC[] = "rwc";

#define PICK(wh, bh) wh
#define CHIP(name) wormhole_##name
#include "isa/field_rows.inc"
#undef PICK
#undef CHIP

#define PICK(wh, bh) bh
#define CHIP(name) blackhole_##name
#include "isa/field_rows.inc"
#undef PICK
#undef CHIP

static const tsr_field_info *const tables[TSR_ARCH_COUNT] = {wormhole_fields, blackhole_fields};
static const uint16_t *const kept[TSR_ARCH_COUNT] = {wormhole_present, blackhole_present};
static const int counts[TSR_ARCH_COUNT] = {
    sizeof wormhole_present / sizeof wormhole_present[0],
    sizeof blackhole_present / sizeof blackhole_present[0],
};

int tsr_field_count(tsr_arch arch)
{
    return (unsigned)arch < TSR_ARCH_COUNT ? counts[arch] : 0;
}

const tsr_field_info *tsr_field_at(tsr_arch arch, int index)
{
    if (index < 0 || index >= tsr_field_count(arch))
        return NULL;
    return &tables[arch][kept[arch][index]];
}

const char *tsr_field_name(enum tsr_field field)
{
    return wormhole_fields[field].name;
}

// The rows stand in the order of strcmp(); a table test holds them to it.
enum tsr_field tsr_field_id(const char *name)
{
    int low = 0, high = FIELD_COUNT;
    while (low < high) {
        int middle = (low + high) / 2;
        int order = strcmp(name, wormhole_fields[middle].name);
        if (order == 0)
            return (enum tsr_field)middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return FIELD_COUNT;
}

const tsr_field_info *tsr_field_find(tsr_arch arch, const char *name)
{
    if (!name || (unsigned)arch >= TSR_ARCH_COUNT)
        return NULL;
    enum tsr_field field = tsr_field_id(name);
    if (field == FIELD_COUNT || tables[arch][field].width == 0)
        return NULL;
    return &tables[arch][field];
}
