// SPDX-License-Identifier: Apache-2.0
// The types of the kernels, which are loops over rows of datums: conversions of the unpackers and
// packers, moves from Src to Dst, the FPU's operations. A mode says what a kernel computes; the
// reference set defines the result, bit for bit (tessera/numerics.h). A kernel knows no
// configuration and no storage. Included by those who write kernels (kernel_set.h) and by those who
// call them (kernels.h).
//
// Layout. L1: bytes, little endian, any alignment. Src: one canonical 19-bit datum in a 32-bit
// cell. Dst: 16-bit cells as stored; the high halves of 32-bit datums and the low halves are
// separate runs (Dst.md: rows a and a+8), and `low` is NULL where datums have 16 bits.
// A call may have any number of datums as long as every run is contiguous, so eight whole rows of
// one block are one call with 128. Outputs never overlap inputs unless a comment says so.
//
// Pages: Unpackers/FormatConversion.md, Packers/FormatConversion.md, MOVA2D.md, MOVB2D.md,
// ELWADD.md, ELWSUB.md, ELWMUL.md, MVMUL.md, Dst.md.
#ifndef TESSERA_KERNELS_KERNEL_TYPES_H
#define TESSERA_KERNELS_KERNEL_TYPES_H

#include <tessera/numerics.h>

// ---------------------------------------------------------------- unpack

// L1 to Src cells. `exponents`: a byte for each 16 datums, the first for datum 0; NULL for formats
// without. `bytes` and datum 0 begin on a byte: block formats must start at a multiple of 16.
typedef void tsr_unpack_src_fn(uint32_t *cells, const uint8_t *bytes, const uint8_t *exponents,
                               size_t datums, const tsr_unpack_mode *mode);
// L1 to Dst cells. `low` is NULL for 16-bit output formats.
typedef void tsr_unpack_dst_fn(uint16_t *high, uint16_t *low, const uint8_t *bytes,
                               const uint8_t *exponents, size_t datums,
                               const tsr_unpack_mode *mode);

// ---------------------------------------------------------------- moves

typedef enum tsr_move_kind {
    TSR_MOVE_BF16, // to Dst16; for a low-half move pass the row of low halves as `high`
    TSR_MOVE_FP16, // to Dst16
    TSR_MOVE_TF32, // to Dst32
    TSR_MOVE_KINDS
} tsr_move_kind;

typedef struct tsr_move_mode {
    tsr_move_kind kind; // tsr_move_kind_of() of the SrcA format, for MOVB2D too
    uint32_t mask;      // ANDed after the flush: ~0u for MOVA2D, tsr_fpu_operand_mask() for MOVB2D
    bool flush;         // a datum with exponent 0 becomes 0
} tsr_move_mode;

typedef void tsr_move_fn(uint16_t *high, uint16_t *low, const uint32_t *cells, size_t datums,
                         const tsr_move_mode *mode);

// ---------------------------------------------------------------- element-wise

typedef enum tsr_element_op {
    TSR_ELEMENT_ADD,
    TSR_ELEMENT_SUB,
    TSR_ELEMENT_MUL, // always accumulates
    TSR_ELEMENT_OPS
} tsr_element_op;

typedef struct tsr_element_mode {
    tsr_fpu_mode fpu; // e8 by the format of A, acc32: Dst has 32 bits; phase
    tsr_element_op op;
    bool accumulate; // add the old Dst value (ADD, SUB)
    bool int8;       // ALU_ACC_CTRL_INT8_math_enabled; needs acc32
    bool flush_b;    // not Zero_Flag_disabled_src
    uint8_t format_a, format_b;
    uint32_t *random; // stochastic rounding: the stream, a step for each datum; NULL: to nearest
} tsr_element_mode;

// Raw Src datums in, Dst cells in and out. `valid` false: the old Dst value reads as 0 whatever
// the cells hold; it holds for all datums of the call. `low` is NULL unless acc32.
typedef void tsr_element_fn(uint16_t *high, uint16_t *low, const uint32_t *a, const uint32_t *b,
                            size_t datums, bool valid, const tsr_element_mode *mode);

// Rows of MVMUL, at most TSR_DOT_ROWS (dot_block.h): column j of row i += sum of b[i][k] * a[k][j].
// Neither function reads `op` and `accumulate`. What many calls have in common is the block `a`:
// `prepare` makes of it what `run` takes, unless `block` holds that already. A block all zero holds
// nothing. `kept` is room for what `run` makes of rows that come again, or NULL; all zero it holds
// nothing.
typedef struct tsr_dot_block tsr_dot_block; // dot_block.h
typedef struct tsr_dot_rows tsr_dot_rows;
typedef struct tsr_dot_kernel {
    void (*prepare)(tsr_dot_block *block, const uint32_t (*a)[16], const tsr_element_mode *mode);
    void (*run)(uint16_t *high, uint16_t *low, tsr_dot_block *block, tsr_dot_rows *kept,
                const uint32_t (*b)[16], size_t rows, bool valid, const tsr_element_mode *mode);
} tsr_dot_kernel;

// ---------------------------------------------------------------- pack

// Dst cells to L1 datums of mode->out_format, which is no block format. `low` is NULL unless
// read_32b. Rows that are not valid: pass cells that hold 0.
typedef void tsr_pack_fn(uint8_t *bytes, const uint16_t *high, const uint16_t *low, size_t datums,
                         const tsr_pack_mode *mode);
// The same for block formats: `blocks` times 16 datums to 16, 8 or 4 bytes and one exponent each.
typedef void tsr_pack_block_fn(uint8_t *bytes, uint8_t *exponents, const uint16_t *high,
                               const uint16_t *low, size_t blocks, const tsr_pack_mode *mode);
// Whether the low bits of `mask`, at most eight, of some Dst cell are larger than `limit`. ReLU
// makes zeroes of cells with the top bit.
typedef bool tsr_pack_larger_fn(const uint16_t *cells, size_t count, uint16_t mask, uint8_t limit);
// Pack_L1_Acc: bytes = bytes (+) addends, both runs of FP32, FP16, BF16 or INT32 datums.
typedef void tsr_accumulate_fn(uint8_t *bytes, const uint8_t *addends, size_t datums,
                               uint8_t format);

#endif
