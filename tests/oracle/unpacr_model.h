// SPDX-License-Identifier: Apache-2.0
// A second model of UNPACR, written from its pages and from nothing else: one datum after the
// other, one bit after the other, integers only. It shares no code with the library.
// Pages: UNPACR_Regular.md (newest text, and the June 2025 text where that is silent),
// UNPACR_IncrementContextCounter.md, UNPACR_FlushCache.md, SrcASrcB.md, Dst.md, ADCs.md.
#ifndef TESTS_ORACLE_UNPACR_MODEL_H
#define TESTS_ORACLE_UNPACR_MODEL_H

#include <stdbool.h>
#include <stdint.h>

// clang-format off
enum {
    F_FP32 = 0, F_FP16 = 1, F_BFP8A = 2, F_BFP4A = 3, F_TF32 = 4, F_BF16 = 5, F_BFP8 = 6,
    F_BFP4 = 7, F_INT32 = 8, F_INT16 = 9, F_FP8 = 10, F_BFP2A = 11, F_INT8 = 14, F_BFP2 = 15
};
// clang-format on

// Configuration that exists once a bank and unpacker. Names ending in 0 begin an array by context.
// clang-format off
enum unpacr_field {
    U_IN_FORMAT, U_IS_UNCOMPRESSED, U_NO_EXP_SECTION, U_BLOBS, U_XDIM, U_YDIM, U_ZDIM, U_WDIM,
    U_BLOBS_Y_LOW, U_BLOBS_Y_HIGH, U_DIGEST,
    U_OUT_FORMAT, U_OVERRIDE, U_FORCE_EXP, U_HALOIZE, U_TILEIZE, U_THROTTLE, U_IF_SEL,
    U_SET_UPD, U_UPSAMPLE_RATE, U_INTERLEAVE, U_CONTEXT_COUNT, U_LIMIT, U_FIFO,
    U_BASE0, // 8
    U_OFFSET0 = U_BASE0 + 8, // 4
    U_UNCOMPRESSED0 = U_OFFSET0 + 4, // 8
    U_IF_SEL0 = U_UNCOMPRESSED0 + 8, // 8
    U_IN_FORMAT0 = U_IF_SEL0 + 8, // 8
    U_OUT_FORMAT0 = U_IN_FORMAT0 + 8, // 8
    U_SHIFT0 = U_OUT_FORMAT0 + 8, // 4
    U_DEST0 = U_SHIFT0 + 4, // 4
    U_XDIM0 = U_DEST0 + 4, // 4
    U_BLOBS_PAIR0 = U_XDIM0 + 4, // 2: contexts 0 and 1, contexts 2 and 3; unpacker 0 only
    U_OUT_BASE = U_BLOBS_PAIR0 + 2,
    U_YSTRIDE, U_ZSTRIDE, U_WSTRIDE, U_ADD_DEST, U_SHARED_EXP,
    U_UNSIGNED, // ALU_FORMAT_SPEC_REG0_SrcAUnsigned or SrcBUnsigned
    U_EXP4, U_NON_LOG2, U_NON_LOG2_EN, U_LIMIT10, U_FIFO10, U_LIMIT10_EN, U_OVRD_THROTTLE, // BH
    U_COUNT
};
// clang-format on

// clang-format off
enum unpacr_thread_field {
    T_STATE_ID, T_OFFSET0, T_OFFSET1, T_SRCA_BASE, T_SRCA_OVRD, T_SRCB_BASE, T_COUNT
};
// clang-format on
enum unpacr_global_field { G_REMAP, G_SWIZZLE, G_COUNT };

// What an instruction went through, so that a generator can count what it has made.
// clang-format off
#define UNPACR_PATHS(P)                                                                            \
    P(SRCA) P(SRCB) P(DST16) P(DST32)                                                              \
    P(MULTI) P(SINGLE) P(CONTEXT0) P(CONTEXT1) P(CONTEXT2) P(CONTEXT3) P(CONTEXT4) P(CONTEXT5)     \
    P(CONTEXT6) P(CONTEXT7) P(CONTEXT_COUNTER) P(COUNTER_TO_ZERO) P(CONTEXT_OFFSET) P(OTHER_ADC)   \
    P(FORMAT_OVERRIDE) P(STATE_ID1) P(FLIP) P(ALL_ZERO) P(SET_UPD) P(SRC_ROW)                      \
    P(SRCA_BY_SRC_ROW) P(TRANSPOSE) P(TRANSPOSE_IGNORED) P(TILEIZE) P(TILEIZE_SRCB)                \
    P(TILEIZE_WIDE) P(FORCED_EXP) P(EXP_SECTION) P(DIGEST) P(ADC_STEP) P(OUT_W)                    \
    P(ROW_SEARCH) P(ROW_SEARCH_BLOBS) P(ROW_SEARCH_BLOBS_CONTEXT) P(BLOBS_LAST)                    \
    P(COMPRESSED) P(ROW_WHOLE) P(ROW_PART) P(ROW_DROP) P(COMPRESSED_SEARCH)                        \
    P(COMPRESSED_SEARCH_BLOBS) P(COMPRESSED_BLOBS) P(COMPRESSED_MID_GROUP) P(DELTAS)               \
    P(COMPRESSED_BFP) P(COMPRESSED_QUARTERS) P(COMPRESSED_ALL_ZERO) P(COMPRESSED_TO_DST)           \
    P(NO_EXP_SECTION) P(EXP_ABOVE_31)                                                              \
    P(WRAP_DATUMS_FIRST) P(WRAP_DATUMS_LATER) P(WRAP_EXP_FIRST) P(WRAP_EXP_LATER)                  \
    P(WRAP_DELTAS_FIRST) P(WRAP_DELTAS_LATER) P(AT_LIMIT)                                          \
    P(UPSAMPLE1) P(UPSAMPLE2) P(UPSAMPLE3) P(UPSAMPLE_SKIPS) P(UPSAMPLE_COMPRESSED)                \
    P(UPSAMPLE_DST) P(COL_SHIFT) P(COL_SHIFT_TRANSPOSE) P(DEAD_ROWS) P(UNALIGNED_OUT)              \
    P(NO_DATUMS) P(DEST_ADDED) P(DEST_ALONE) P(INT8_UNSIGNED) P(EXP4) P(SRCA_WRAPS) P(REMAP)       \
    P(SWIZZLE) P(LIMIT10) P(NON_LOG2) P(DST_FOLDS) P(COUNT_ONLY) P(CACHE_FLUSH)
// clang-format on

enum unpacr_path {
#define UNPACR_ONE(name) PATH_##name,
    UNPACR_PATHS(UNPACR_ONE)
#undef UNPACR_ONE
        PATH_COUNT
};

// Mistakes that the model makes on request: a comparison that does not find them is asleep.
// clang-format off
#define UNPACR_FAULTS(P)                                                                           \
    P(NONE) P(DELTA_ROTATED) P(WRAP_AT_LIMIT) P(NO_COL_SHIFT) P(UPSAMPLE_COUNT) P(DROP_ONE_LESS)   \
    P(ZW_OF_OTHER_ADC) P(BLOBS_PAIR) P(COUNTER_LATE) P(EXP_OF_ROW) P(FP16_FLUSHED)                 \
    P(GROUP_NOT_SKIPPED) P(OFFSET_OF_CONTEXT7) P(STEP_ONE_ADC)
// clang-format on

enum unpacr_fault {
#define UNPACR_ONE(name) FAULT_##name,
    UNPACR_FAULTS(UNPACR_ONE)
#undef UNPACR_ONE
        FAULT_COUNT
};

struct unpacr_adc {
    uint32_t x, y, z, w;
};

struct unpacr_model {
    bool blackhole;
    uint32_t l1_size;
    uint8_t *l1;
    uint32_t config[2][2][U_COUNT]; // bank, unpacker
    uint32_t thread[3][T_COUNT];
    uint32_t global[G_COUNT];
    struct unpacr_adc adc[3][2][2]; // thread, unpacker, channel
    uint32_t src[2][2][64][16];     // SrcA and SrcB, bank; in the page's order: S, M10, E8
    uint16_t dst[1024][16];
    uint8_t src_bank[2], matrix_bank[2]; // by unpacker
    bool matrix_owns[2][2];
    uint8_t implied[2][2];
    uint8_t src_row[2][3], context_counter[2][3]; // unpacker, thread
    enum unpacr_fault fault;
    // About the last instruction.
    uint64_t paths[2]; // a bit for each unpacr_path
    uint8_t in_format, out_format;
    bool to_dst;
    uint32_t emitted;      // datums and zeroes that were placed or skipped over
    uint32_t bad_exponent; // address of the exponent that undid a five-bit format
    bool has_bad_exponent;
    bool endless;                         // the model gave up
    uint32_t first_address, last_address; // bytes of the datums that were read
    uint32_t first_exponent, last_exponent;
};

struct unpacr_word {
    uint8_t unpacker, ch0_y, ch0_z, ch1_y, ch1_z, context, adc;
    bool multi, flip, all_zero, use_counter, row_search;
    bool count_only;  // the form that increments the context counter
    bool cache_flush; // the form that empties the row start cache
};

// Does the instruction. NULL, or why the page calls it undefined; the state is then spoilt. The
// caller sees to it that the unpackers own the bank that is written.
const char *unpacr_run(struct unpacr_model *m, int thread, const struct unpacr_word *word);

// An instruction of the matrix unit that releases its bank of SrcA (0) or SrcB (1).
void unpacr_give_back(struct unpacr_model *m, int side);

// 1/16 bytes of a datum; 0 for a code without a format.
unsigned unpacr_size16(unsigned format);
bool unpacr_is_bfp(unsigned format);
bool unpacr_is_bfp_a(unsigned format);
const char *unpacr_path_name(enum unpacr_path path);
const char *unpacr_fault_name(enum unpacr_fault fault);

// unpacr_formats.c: one datum, in the order that SrcA and SrcB, or Dst, keep.
struct unpacr_conversion {
    unsigned in, out;
    bool to_dst, blackhole, exp4, int8_unsigned, fp16_flushed;
};
// False: the page calls it undefined.
bool unpacr_convert(const struct unpacr_conversion *c, uint32_t bits, uint8_t exponent,
                    uint32_t *datum);

// The form that moves datums.
static inline bool unpacr_moves(const struct unpacr_word *word)
{
    return !word->count_only && !word->cache_flush;
}

static inline bool unpacr_took(const struct unpacr_model *m, enum unpacr_path path)
{
    return m->paths[path / 64] >> (path % 64) & 1;
}

#endif
