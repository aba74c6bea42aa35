// SPDX-License-Identifier: Apache-2.0
// What a PACR's word says.
#ifndef TESSERA_PACK_PACK_DECODE_H
#define TESSERA_PACK_PACK_DECODE_H

#include "state/state.h"

// What RowPadZero fills with zeroes to sixteen datums.
enum tsr_pack_padding { TSR_PACK_PAD_NONE, TSR_PACK_PAD_ROWS, TSR_PACK_PAD_SECTION };

struct tsr_pack_operands {
    uint32_t word; // 0: nothing was decoded yet
    uint8_t packers, interfaces, address_mode, counters, context_control, context, row_pad_zero;
    bool other_counters, strided, zero_write, flush, concat, last;
    // What follows from those alone.
    uint8_t padding;     // enum tsr_pack_padding
    bool closes;         // Last or Flush: the streams are padded, written, and get new addresses
    bool undescribed;    // it uses operands that no page describes
    bool resets_context; // ... and does nothing else
    bool tracks_context; // ... the packer's own, not the one that is named
    bool context_wraps;  // ... which goes back to 0 after the last
};

void tsr_pack_decode(const struct tsr_env *env, const struct tsr_inflight *inst,
                     struct tsr_pack_operands *operands);

#endif
