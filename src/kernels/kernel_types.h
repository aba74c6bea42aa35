// SPDX-License-Identifier: Apache-2.0
// The types of the kernels, which are loops over rows of datums: conversions of the unpackers and
// packers, moves from Src to Dst, the FPU's operations, the vector unit's. A mode says what a
// kernel computes; the reference set defines the result, bit for bit (tessera/numerics.h). A kernel
// knows no configuration and no storage. Included by those who write kernels (kernel_set.h) and by
// those who call them (kernels.h).
//
// Layout. L1: bytes, little endian, any alignment. Src: one canonical 19-bit datum in a 32-bit
// cell. Dst: 16-bit cells as stored; the high halves of 32-bit datums and the low halves are
// separate runs (Dst.md: rows a and a+8), and `low` is NULL where datums have 16 bits.
// A call may have any number of datums as long as every run is contiguous, so eight whole rows of
// one block are one call with 128. Outputs never overlap inputs unless a comment says so.
//
// Pages: Unpackers/FormatConversion.md, Packers/FormatConversion.md, MOVA2D.md, MOVB2D.md,
// ELWADD.md, ELWSUB.md, ELWMUL.md, MVMUL.md, Dst.md, SFP*.md.
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

// ---------------------------------------------------------------- vector unit

// The operation on 32 lanes; each is the function of tessera/numerics.h with its name, with the
// operands a, b, c, d that it has there.
typedef enum tsr_vector_op {
    TSR_VECTOR_FMA,     // a*b + c
    TSR_VECTOR_LUT,     // of a: LReg 0 to 3, 32 lanes each, one after the other
    TSR_VECTOR_LUTFP32, // of a: LReg 0 to 6
    TSR_VECTOR_MUL24,
    TSR_VECTOR_CAST,      // of c; a: random bits, or NULL if it does not round by them
    TSR_VECTOR_STOCH_RND, // of c, shifted by the immediate, or by b unless that is NULL; a: as CAST
    TSR_VECTOR_ARECIP,
    TSR_VECTOR_DIVP2,
    TSR_VECTOR_EXEXP, // returns lanes whose result is negative
    TSR_VECTOR_EXMAN,
    TSR_VECTOR_SETEXP,
    TSR_VECTOR_SETMAN,
    TSR_VECTOR_SETSGN,
    TSR_VECTOR_ABS,
    TSR_VECTOR_LZ,   // returns lanes that have a one where it counts zeros
    TSR_VECTOR_IADD, // returns lanes whose result is negative
    TSR_VECTOR_SHFT,
    TSR_VECTOR_SHFT2,  // of b by c or the immediate
    TSR_VECTOR_LOADI,  // the immediate
    TSR_VECTOR_AND,    // b & c
    TSR_VECTOR_OR,     // b | c
    TSR_VECTOR_XOR,    // b ^ c
    TSR_VECTOR_NOT,    // ~c
    TSR_VECTOR_MOV,    // c; modifier bit 0: with the other sign
    TSR_VECTOR_RANDOM, // AdvancePRNG() of the states d; their values before are for the caller to
                       // keep
    TSR_VECTOR_LESS,   // returns lanes with b < c in the order of SFPSWAP; d stays, and may be NULL
    TSR_VECTOR_TEST,   // returns lanes whose c is negative; modifier bit 1: is not 0. d as LESS
    TSR_VECTOR_OPS
} tsr_vector_op;

enum { TSR_VECTOR_LANES = 32 };

// What holds for the operands of FMA in all lanes, before signs are inverted; a set may make use of
// it. The sign of what is constant here is not inverted.
enum tsr_vector_known {
    TSR_VECTOR_ANY,
    TSR_VECTOR_PRODUCT,  // c is +0
    TSR_VECTOR_SUM_OF_A, // b is 1
    TSR_VECTOR_SUM_OF_B  // a is 1
};

typedef struct tsr_vector_mode {
    tsr_arch arch;
    uint8_t op;         // tsr_vector_op; no kernel of loads, stores and swaps reads it
    uint8_t modifier;   // Mod1 or Mod0
    uint8_t rounding;   // of tsr_sfpu_stoch_rnd()
    bool fp16a_inf;     // of tsr_sfpu_load(), for all lanes
    uint8_t known;      // tsr_vector_known
    uint16_t immediate; // 5, 8, 12 or 16 bits
    // Sign bits to invert in a and c of FMA (BH's modifiers that negate): 0 or 0x80000000.
    uint32_t negate_a, negate_c;
    uint32_t inverted; // lanes of a swap whose decision LaneConfig's EXCHANGE_SRCB_SRCC inverts
} tsr_vector_mode;

// d = op(a, b, c, d) in the lanes of the mask; the others keep d. An operand that the operation
// does not have is not read, and may be NULL. d may be the same array as any operand, but for LUT
// and LUTFP32 it overlaps `a` in whole registers only. Returns lanes of the mask, or 0.
typedef uint32_t tsr_vector_fn(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                               uint32_t lanes, const tsr_vector_mode *mode);
// SFPSWAP in the lanes of the mask, by its modifier; c and d may be the same. Returns the lanes
// that were exchanged.
typedef uint32_t tsr_vector_swap_fn(uint32_t *c, uint32_t *d, uint32_t lanes,
                                    const tsr_vector_mode *mode);
// SFPLOAD and SFPSTORE between 32 lanes and the even or odd columns of four rows of Dst, which are
// contiguous; the modifier is not 0. `low` is NULL for modes of 16 bits.
typedef void tsr_vector_load_fn(uint32_t *d, const uint16_t *high, const uint16_t *low, bool odd,
                                uint32_t lanes, const tsr_vector_mode *mode);
typedef void tsr_vector_store_fn(uint16_t *high, uint16_t *low, const uint32_t *d, bool odd,
                                 uint32_t lanes, const tsr_vector_mode *mode);

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
