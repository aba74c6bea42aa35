// SPDX-License-Identifier: Apache-2.0
// The tables of machine/unpack_fields.def and machine/pack_fields.def, by unit and name.
// Pages: UNPACR_Regular.md, PACR.md of each chip.
#include "isa/unit_fields.h"

const uint16_t tsr_unpack_fields[2][UNPACK_FIELD_COUNT] = {
    {
#define UNPACK_FIELD(name, of0, of1) FIELD_##of0,
#include "machine/unpack_fields.def"
    },
    {
#define UNPACK_FIELD(name, of0, of1) FIELD_##of1,
#include "machine/unpack_fields.def"
    },
};

// Names are made by pasting digits to them: the first and the last of each group must be apart by
// as many contexts as it has.
#define GROUP(name, last)                                                                          \
    _Static_assert(UNPACK_FIELD_##name##last - UNPACK_FIELD_##name##0 == (last),                   \
                   "a row for each context, in order")
GROUP(Tile_x_dim_cntx, 3);
GROUP(blobs_y_start_pair, 1);
GROUP(Disable_zero_compress_cntx, 7);
GROUP(Unpack_data_format_cntx, 7);
GROUP(Unpack_out_data_format_cntx, 7);
GROUP(Base_address_cntx, 7);
GROUP(Offset_address_cntx, 3);
GROUP(Shift_amount_cntx, 3);
GROUP(Unpack_if_sel_cntx, 7);
GROUP(Dest_address_cntx, 3);

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
