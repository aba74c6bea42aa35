// SPDX-License-Identifier: Apache-2.0
// The table of machine/pack_fields.def: which configuration field is which packer's own.
#include "isa/pack_fields.h"

const uint16_t tsr_pack_fields[4][PACK_FIELD_COUNT] = {
    {
#define PACK_FIELD(name, of0, of1, of2, of3) FIELD_##of0,
#include "machine/pack_fields.def"
    },
    {
#define PACK_FIELD(name, of0, of1, of2, of3) FIELD_##of1,
#include "machine/pack_fields.def"
    },
    {
#define PACK_FIELD(name, of0, of1, of2, of3) FIELD_##of2,
#include "machine/pack_fields.def"
    },
    {
#define PACK_FIELD(name, of0, of1, of2, of3) FIELD_##of3,
#include "machine/pack_fields.def"
    },
};
