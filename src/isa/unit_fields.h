// SPDX-License-Identifier: Apache-2.0
// The configuration fields that each unpacker and each packer has of its own: tables by unit and by
// a name that all of them share, made of the rows in machine/unpack_fields.def and
// machine/pack_fields.def.
// Pages: UNPACR_Regular.md, PACR.md of each chip, Packers/OutputAddressGenerator.md,
// Packers/EdgeMasking.md.
#ifndef TESSERA_ISA_UNIT_FIELDS_H
#define TESSERA_ISA_UNIT_FIELDS_H

#include "isa/isa.h"

// Fields of contexts are consecutive, so that a context can be added to the first one.
enum tsr_unpack_field {
#define UNPACK_FIELD(name, of0, of1) UNPACK_FIELD_##name,
#include "machine/unpack_fields.def"
    UNPACK_FIELD_COUNT
};

extern const uint16_t tsr_unpack_fields[2][UNPACK_FIELD_COUNT]; // enum tsr_field, by unpacker

static inline enum tsr_field tsr_unpack_field_of(unsigned unpacker, unsigned field)
{
    return (enum tsr_field)tsr_unpack_fields[unpacker][field];
}

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
