// SPDX-License-Identifier: Apache-2.0
// The configuration fields that each packer has of its own (machine/pack_fields.def).
// Pages: PACR.md of each chip, Packers/OutputAddressGenerator.md, Packers/EdgeMasking.md.
#ifndef TESSERA_ISA_PACK_FIELDS_H
#define TESSERA_ISA_PACK_FIELDS_H

#include "isa/isa.h"

enum tsr_pack_field {
#define PACK_FIELD(name, of0, of1, of2, of3) PACK_FIELD_##name,
#include "machine/pack_fields.def"
    PACK_FIELD_COUNT
};

// By packer (Blackhole: by context; edge masks: by number), then by name.
extern const uint16_t tsr_pack_fields[4][PACK_FIELD_COUNT]; // enum tsr_field

static inline enum tsr_field tsr_pack_field_of(int packer, enum tsr_pack_field name)
{
    return (enum tsr_field)tsr_pack_fields[packer][name];
}

#endif
