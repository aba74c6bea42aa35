// SPDX-License-Identifier: Apache-2.0
// Which configuration field means the same to unpacker 0 and to unpacker 1: a table made of the
// rows in machine/unpack_fields.def. Page: UNPACR_Regular.md.
#ifndef TESSERA_ISA_UNPACK_FIELDS_H
#define TESSERA_ISA_UNPACK_FIELDS_H

#include "isa/isa.h"

// Those of contexts follow each other, so that a context can be added to the first.
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

#endif
