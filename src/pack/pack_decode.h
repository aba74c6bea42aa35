// SPDX-License-Identifier: Apache-2.0
// What a PACR's word asks for: operands, packers, whose configuration and whose counters.
// Page: PACR.md of each chip.
#ifndef TESSERA_PACK_PACK_DECODE_H
#define TESSERA_PACK_PACK_DECODE_H

#include "pack/pack_anomalies.h"
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
    bool resets_context; // ... and does nothing else
    bool tracks_context; // ... the packer's own, not the one that is named
    bool context_wraps;  // ... which starts again at 0 after the last
    tsr_pack_anomalies anomalies;
};

void tsr_pack_decode(const struct tsr_env *env, const struct tsr_inflight *inst,
                     struct tsr_pack_operands *operands);

// A bit for each packer that takes part.
unsigned tsr_pack_packers(const struct tsr_env *env, const struct tsr_pack_operands *operands);
// Whose configuration a packer uses.
int tsr_pack_config_of(const struct tsr_env *env, const struct tsr_pack_operands *operands,
                       int packer);
// The thread whose counters a PACR of `thread` uses.
unsigned tsr_pack_counters_of(const struct tsr_env *env, const struct tsr_pack_operands *operands,
                              int thread, int state_id, int config_of);

#endif
