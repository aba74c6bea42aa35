// SPDX-License-Identifier: Apache-2.0
// The arithmetic stages of a packer as separate functions, for the packer itself, which has other
// stages between them (Packers/README.md). tsr_pack_datum() is early, ReLU, late.
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

// Each returns TSR_BAD_ARGUMENT for what no page defines. `random`: the generator of stochastic
// rounding, NULL to round to nearest.
tsr_status tsr_pack_early(const tsr_pack_mode *mode, uint32_t dst, uint32_t *random,
                          tsr_pack_value *out);
// In place of early conversion when packer 0 reads L1; `width` is 8, 16 or 32 bits.
tsr_status tsr_pack_from_l1(const tsr_pack_mode *mode, unsigned width, uint32_t datum,
                            tsr_pack_value *out);
// What an edge mask puts in place of a datum, of the kind that early conversion makes.
tsr_pack_value tsr_pack_minus_infinity(const tsr_pack_mode *mode, tsr_pack_kind kind);
tsr_status tsr_pack_relu(const tsr_pack_mode *mode, tsr_pack_value *value);
// The exponent field that the histogram counts; decision 21 for INT8.
uint8_t tsr_pack_exponent(tsr_pack_value value);
// In_data_format says whether there is an exponent to look at.
void tsr_pack_threshold(uint8_t in_data_format, uint8_t threshold, tsr_pack_value *value);
tsr_status tsr_pack_late(const tsr_pack_mode *mode, tsr_pack_value value, uint32_t *out);
// Sixteen patterns to a block, as tsr_pack_block.
tsr_status tsr_pack_block_rounded(uint8_t out_format, const uint32_t in[16], uint32_t *random,
                                  uint8_t *exponent, uint8_t out[16]);
// Dis_shared_exp_assembler: an element keeps its sign and the upper bits of its own mantissa.
uint8_t tsr_pack_unshared(uint8_t out_format, uint32_t pattern);

#endif
