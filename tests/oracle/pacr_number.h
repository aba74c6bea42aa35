// SPDX-License-Identifier: Apache-2.0
// Numbers on their way through the packers, for pacr_model.h: a datum is a kind and its bits, in
// the order of FP32 for eight bits of exponent and of FP16 for five. Integers only.
// Pages: Packers/FormatConversion.md, Packers/ReLU.md, FloatBitPatterns.md.
#ifndef TESTS_ORACLE_PACR_NUMBER_H
#define TESTS_ORACLE_PACR_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

// clang-format off
enum pacr_format {
    PF_FP32 = 0, PF_FP16 = 1, PF_BFP8A = 2, PF_BFP4A = 3, PF_TF32 = 4, PF_BF16 = 5, PF_BFP8 = 6,
    PF_BFP4 = 7, PF_INT32 = 8, PF_INT16 = 9, PF_FP8 = 10, PF_BFP2A = 11, PF_INT8 = 14,
    PF_BFP2 = 15
};
// clang-format on

// clang-format off
enum pacr_kind {
    KIND_NONE, // no such conversion
    KIND_FP32, KIND_TF32, KIND_BF16, KIND_E8M6,
    KIND_FP16, KIND_E5M7, KIND_E5M6, KIND_FP8,
    KIND_INT32, KIND_INT16, KIND_INT8, KIND_UINT8,
    KIND_COUNT
};
// clang-format on

struct pacr_datum {
    enum pacr_kind kind;
    uint32_t bits;
};

// PCK_DEST_RD_CTRL, the format in between, and what else the early conversion looks at.
struct pacr_early {
    bool wide, raw, round10, is_unsigned, blackhole;
    unsigned format, out;
    unsigned shift;
};

bool pacr_eight(enum pacr_kind kind); // bits of exponent
bool pacr_five(enum pacr_kind kind);
bool pacr_block(unsigned format);
unsigned pacr_element_bits(unsigned format); // in L1

// The kind that a configuration asks for; KIND_NONE: no page has it.
enum pacr_kind pacr_early_kind(const struct pacr_early *e);
// The kind that late conversion takes it for, by In_data_format; KIND_NONE: no page has it.
enum pacr_kind pacr_middle_kind(const struct pacr_early *e, unsigned in);
// A datum of so many bytes in L1, to the format in between.
struct pacr_datum pacr_from_l1(unsigned format, bool is_unsigned, unsigned bytes, uint32_t v);
// `stored` is as Dst holds it.
struct pacr_datum pacr_early(const struct pacr_early *e, uint32_t stored);
struct pacr_datum pacr_minus_infinity(enum pacr_kind kind);
struct pacr_datum pacr_relu(unsigned mode, uint32_t threshold, struct pacr_datum d);
unsigned pacr_exponent(struct pacr_datum d);

bool pacr_late_exists(enum pacr_kind kind, unsigned out);
// The datum in L1; of a block format what goes into the assembly: BF16, or an FP16 of seven
// mantissa bits.
uint32_t pacr_late(struct pacr_datum d, unsigned out, bool e4m3);
uint32_t pacr_to_fp16(uint32_t fp32);
// Sixteen patterns to elements; returns the exponent. `cut`: a mistake for the canary.
uint8_t pacr_assemble(unsigned format, const uint32_t *pattern, uint8_t *element, bool cut);
// Accumulation onto L1. `away`: a mistake for the canary.
uint32_t pacr_accumulate(unsigned format, uint32_t old, uint32_t datum, bool away);
bool pacr_accumulates(unsigned format);

uint32_t pacr_random(uint64_t *state);
uint32_t pacr_below(uint64_t *state, uint32_t end);

#endif
