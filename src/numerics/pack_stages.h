// SPDX-License-Identifier: Apache-2.0
// The arithmetic stages of a packer one by one, for the packer itself, which has other stages
// between them (Packers/README.md). tsr_pack_datum is early, ReLU, late.
#ifndef NUMERICS_PACK_STAGES_H
#define NUMERICS_PACK_STAGES_H

#include <tessera/numerics.h>

// What a datum is between early and late conversion. Kinds with eight exponent bits carry their
// value in the frame of an FP32, kinds with five in the frame of an FP16, with zeros below their
// own mantissa; integers are as L1 would hold them.
typedef enum tsr_pack_kind {
    TSR_PACK_FP32,
    TSR_PACK_TF32,
    TSR_PACK_BF16, // also E8M6
    TSR_PACK_FP16,
    TSR_PACK_E5M7, // also E5M6 and FP8: five exponent bits, at most seven mantissa bits
    TSR_PACK_INT32,
    TSR_PACK_INT16,
    TSR_PACK_INT8,
    TSR_PACK_UINT8
} tsr_pack_kind;

typedef struct tsr_pack_value {
    tsr_pack_kind kind;
    uint32_t bits;
} tsr_pack_value;

static inline bool tsr_pack_kind_is_e8(tsr_pack_kind kind)
{
    return kind <= TSR_PACK_BF16;
}

static inline bool tsr_pack_kind_is_e5(tsr_pack_kind kind)
{
    return kind == TSR_PACK_FP16 || kind == TSR_PACK_E5M7;
}

// Each gives TSR_BAD_ARGUMENT for what no page defines.
tsr_status tsr_pack_early(const tsr_pack_mode *mode, uint32_t dst, tsr_pack_value *out);
// In place of early conversion when packer 0 reads L1; `width` is 8, 16 or 32 bits.
tsr_status tsr_pack_from_l1(const tsr_pack_mode *mode, unsigned width, uint32_t datum,
                            tsr_pack_value *out);
tsr_status tsr_pack_relu(const tsr_pack_mode *mode, tsr_pack_value *value);
tsr_status tsr_pack_late(const tsr_pack_mode *mode, tsr_pack_value value, uint32_t *out);

#endif
