// SPDX-License-Identifier: Apache-2.0
// The arithmetic and the conversions of the data path as plain functions: bits in, bits out.
// They are what the units themselves use, so a golden value never has to be written twice.
//
// Src datums are 19 bits in the order sign, exponent (8), mantissa (10). Accumulators are in the
// frame of an FP32: sign, exponent (8), mantissa (23); see docs/arithmetic.md. Formats are the
// 4-bit codes of tsr_format_find(). For NULL, what returns a tsr_status gives TSR_BAD_ARGUMENT and
// writes nothing, unless a comment allows it; the others say what they return.
#ifndef TESSERA_NUMERICS_H
#define TESSERA_NUMERICS_H

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_fpu_mode {
    tsr_arch arch;
    bool e8;       // 8-bit exponents (BF16, TF32); false: 5-bit (FP16, FP8)
    bool acc32;    // accumulate in a 32-bit Dst
    uint8_t phase; // fidelity phase, 0..3
} tsr_fpu_mode;

// acc + a[0]*b[0] + … + a[15]*b[15] as MVMUL forms it for one element (MVMUL.md); `acc` itself if
// `mode`, `a` or `b` is NULL.
uint32_t tsr_fpu_dot16(const tsr_fpu_mode *mode, uint32_t acc, const uint32_t a[16],
                       const uint32_t b[16]);
// acc + a*b as ELWMUL forms it (ELWMUL.md); `flush_b` is false with Zero_Flag_disabled_src. `acc`
// itself if `mode` is NULL.
uint32_t tsr_fpu_mul(const tsr_fpu_mode *mode, uint32_t acc, uint32_t a, uint32_t b, bool flush_b);
// a+b, or acc+(a+b) if `accumulate` (ELWADD.md). For ELWSUB invert b's sign first. A phase other
// than 0 divides the sum, as the page says. `acc` itself if `mode` is NULL.
uint32_t tsr_fpu_add(const tsr_fpu_mode *mode, bool accumulate, uint32_t acc, uint32_t a,
                     uint32_t b, bool flush_b);

typedef struct tsr_unpack_mode {
    tsr_arch arch;
    uint8_t in_format, out_format;
    bool to_dst;        // Dst instead of SrcA or SrcB
    bool int8_unsigned; // ALU_FORMAT_SPEC_REG0_SrcAUnsigned or SrcBUnsigned
    bool lf8_4b_exp;    // Unp_LF8_4b_exp (Blackhole)
} tsr_unpack_mode;

// One datum as it lies in L1 (low bits of `datum`, with the shared exponent of block formats) to a
// Src datum, or to the bits that Dst stores: 16 bits, or 32 with the high half in the upper bits
// (UNPACR_Regular.md). TSR_BAD_ARGUMENT for a pair that no unpacker converts.
tsr_status tsr_unpack_datum(const tsr_unpack_mode *mode, uint32_t datum, uint8_t exponent,
                            uint32_t *out);

typedef struct tsr_pack_mode {
    tsr_arch arch;
    bool read_32b;                 // PCK_DEST_RD_CTRL_Read_32b_data
    bool read_unsigned;            // PCK_DEST_RD_CTRL_Read_unsigned
    bool read_raw;                 // PCK_DEST_RD_CTRL_Read_int8
    bool round_10b;                // PCK_DEST_RD_CTRL_Round_10b_mant
    bool lf8_4b_exp;               // Pac_LF8_4b_exp (Blackhole)
    uint8_t in_format, out_format; // intermediate (In_data_format) and L1 format
    uint8_t relu_mode;             // STACC_RELU_ApplyRelu & 3
    uint16_t relu_threshold;
    uint8_t int8_shift; // right shift of INT_DESCALE, 0..31, for in_format INT8 from 32 bits
} tsr_pack_mode;

// One stored Dst datum (16 bits, or 32 with read_32b) through early conversion, ReLU and late
// conversion (Packers/FormatConversion.md). For block formats the result is the BF16 (or, for the
// a-formats, FP16) pattern that assembly takes. TSR_BAD_ARGUMENT for a pair that no packer
// converts.
tsr_status tsr_pack_datum(const tsr_pack_mode *mode, uint32_t dst, uint32_t *out);
// Sixteen such patterns to a shared exponent and sixteen elements of 8, 4 or 2 bits, each a sign
// and a magnitude. TSR_BAD_ARGUMENT if out_format is not a block format.
tsr_status tsr_pack_block(uint8_t out_format, const uint32_t in[16], uint8_t *exponent,
                          uint8_t out[16]);
// What a packer with Pack_L1_Acc stores over `old`; FP32, FP16, BF16 or INT32 (docs/arithmetic.md).
tsr_status tsr_pack_accumulate(uint8_t format, uint32_t old_value, uint32_t datum, uint32_t *out);

// ---------------------------------------------------------------- whole arrays
// Golden models of an unpacker and a packer, without a tile: the units' own conversions, over
// arrays of the caller, which must not overlap. Pages: UNPACR_Regular.md,
// Packers/FormatConversion.md, FloatBitPatterns.md.

// Bytes that `count` datums of a format take in L1, contiguous; and, of block formats,
// their shared exponents, a byte for each sixteen datums (0 for other formats).
size_t tsr_array_bytes(uint8_t format, size_t count);
size_t tsr_array_exponents(uint8_t format, size_t count);
// tsr_array_bytes() of mode->in_format, and the exponents (NULL where there are none), to `count`
// datums as tsr_unpack_datum() gives them and to the numbers that they stand for: `numbers` is an
// array of `count` doubles. Either may be NULL. Of numbers with eight bits of exponent the largest
// means infinity or NaN, as in IEEE; FP16 has neither (FloatBitPatterns.md). INT8 and INT32 are
// sign and magnitude, INT16 is two's complement. TSR_BAD_ARGUMENT as tsr_unpack_datum(), if both
// results are NULL, and for a missing array; with a `count` of 0 every array may be NULL.
tsr_status tsr_unpack_array(const tsr_unpack_mode *mode, const void *bytes,
                            const uint8_t *exponents, size_t count, uint32_t *datums,
                            void *numbers);
// The numbers that `count` datums of mode->out_format stand for where they lie in Src or, with
// mode->to_dst, in Dst, as tsr_unpack_array() gives them. TSR_BAD_ARGUMENT for a missing array or
// what is no format.
tsr_status tsr_datum_numbers(const tsr_unpack_mode *mode, const uint32_t *datums, size_t count,
                             void *numbers);
// `count` stored Dst datums (as tsr_pack_datum() takes them) to L1's bytes of mode->out_format, and
// to a shared exponent for each sixteen of block formats (else NULL). A last block that is not full
// has zeroes after its datums. TSR_BAD_ARGUMENT as tsr_pack_datum(), and for a missing array; with
// a `count` of 0 every array may be NULL.
tsr_status tsr_pack_array(const tsr_pack_mode *mode, const uint32_t *datums, size_t count,
                          void *bytes, uint8_t *exponents);

// ---------------------------------------------------------------- the vector unit
// What one lane of an SFPU instruction computes, named after the instruction: the pages SFP*.md,
// docs/arithmetic.md. `modifier` is the instruction's Mod1 (SFPLUT, SFPLOADI, SFPLOAD, SFPSTORE:
// Mod0), of which only bits that change the value count; a, b, c and d are what the lane holds in
// VA, VB, VC and VD before the instruction. Lane flags, lanes that are off and indirect registers
// are the unit's. `random` is what AdvancePRNG() gives the lane, unless rounding needs none.

// a*b + c as every instruction computes it that multiplies or adds floats: partially fused, each
// chip with its own flushes, NaNs and zeros. Blackhole's modifiers that negate invert the sign
// bit of `a` or `c` before.
uint32_t tsr_sfpu_fma(tsr_arch arch, uint32_t a, uint32_t b, uint32_t c);
// SFPLUT's and SFPLUTFP32's coefficients as FP32, and their results from the first LRegs (0 for
// NULL). Modifier bits 0 to 2, and 3 of SFPLUTFP32.
uint32_t tsr_sfpu_lut8(uint8_t coefficient);
uint32_t tsr_sfpu_lut16(uint16_t coefficient);
uint32_t tsr_sfpu_lut(tsr_arch arch, unsigned modifier, const uint32_t lreg[4]);
uint32_t tsr_sfpu_lutfp32(tsr_arch arch, unsigned modifier, const uint32_t lreg[7]);

uint32_t tsr_sfpu_cast(tsr_arch arch, unsigned modifier, uint32_t c, uint32_t random);
// `rounding`: 0 to nearest, 2 toward zero (Blackhole), else stochastic. `shift` is for modes 4
// and 5; of either source the lowest five bits.
uint32_t tsr_sfpu_stoch_rnd(unsigned modifier, unsigned rounding, uint32_t c, unsigned shift,
                            uint32_t random);
uint32_t tsr_sfpu_loadi(unsigned modifier, uint16_t immediate, uint32_t d);
// One datum as Dst stores it: 16 bits, or 32 with the high half in the upper bits. Mode 0 has to be
// resolved before; here it is BF16. `fp16a_inf` is LaneConfig's ENABLE_FP16A_INF.
uint32_t tsr_sfpu_load(tsr_arch arch, unsigned modifier, uint32_t stored, uint32_t d,
                       bool fp16a_inf);
uint32_t tsr_sfpu_store(tsr_arch arch, unsigned modifier, uint32_t d);

uint32_t tsr_sfpu_divp2(unsigned modifier, uint8_t immediate, uint32_t c);
uint32_t tsr_sfpu_exexp(unsigned modifier, uint32_t c);
uint32_t tsr_sfpu_exman(unsigned modifier, uint32_t c);
uint32_t tsr_sfpu_setexp(unsigned modifier, uint8_t immediate, uint32_t c, uint32_t d);
uint32_t tsr_sfpu_setman(unsigned modifier, uint16_t immediate, uint32_t c, uint32_t d);
uint32_t tsr_sfpu_setsgn(unsigned modifier, unsigned immediate, uint32_t c, uint32_t d);
uint32_t tsr_sfpu_abs(unsigned modifier, uint32_t c);

// Immediates of twelve bits, with a sign.
uint32_t tsr_sfpu_lz(unsigned modifier, uint32_t c);
uint32_t tsr_sfpu_iadd(unsigned modifier, uint16_t immediate, uint32_t c, uint32_t d);
uint32_t tsr_sfpu_shft(tsr_arch arch, unsigned modifier, uint16_t immediate, uint32_t c,
                       uint32_t d);
// Modes 5 and 6 of SFPSHFT2, which shift bits.
uint32_t tsr_sfpu_shft2(unsigned modifier, uint16_t immediate, uint32_t b, uint32_t c);
// The order of SFPSWAP, SFPGT and SFPLE: sign and magnitude, or floats with -NaN first and +NaN
// last.
bool tsr_sfpu_less_than(uint32_t a, uint32_t b);

// Blackhole only.
uint32_t tsr_sfpu_arecip(unsigned modifier, uint32_t b, uint32_t c);
uint32_t tsr_sfpu_mul24(unsigned modifier, uint32_t a, uint32_t b, uint32_t c);

// AdvancePRNG() of a lane: its bits, which then step. And the state of each lane after a write of
// PRNG_SEED. Nothing, or 0, for NULL.
uint32_t tsr_sfpu_random(uint32_t *state);
void tsr_sfpu_seed(uint32_t seed, uint32_t states[32]);

// Dst's bit order (Dst.md): stored bits from and to the usual sign, exponent, mantissa order.
uint16_t tsr_dst_encode_bf16(uint16_t value);
uint16_t tsr_dst_decode_bf16(uint16_t stored);
uint16_t tsr_dst_encode_fp16(uint16_t value);
uint16_t tsr_dst_decode_fp16(uint16_t stored);
uint32_t tsr_dst_encode_fp32(uint32_t value); // also INT32
uint32_t tsr_dst_decode_fp32(uint32_t stored);

#ifdef __cplusplus
}
#endif
#endif
