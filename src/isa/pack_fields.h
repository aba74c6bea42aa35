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

// By name, then by packer (Blackhole: by context; edge masks: by number).
extern const uint16_t tsr_pack_fields[PACK_FIELD_COUNT][4]; // enum tsr_field

static inline enum tsr_field tsr_pack_field(int packer, enum tsr_pack_field name)
{
    return (enum tsr_field)tsr_pack_fields[name][packer];
}

#endif
