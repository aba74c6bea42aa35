// SPDX-License-Identifier: Apache-2.0
// One vector instruction while it executes: its operation and shape (machine/riscv_vector.def), its
// type, the elements of its registers. Operands are those from before it, results go to a copy.
// Page: BlackholeA0/TensixTile/BabyRISCV/InstructionSet.md, and the RISC-V manual for V.
#ifndef TESSERA_RISCV_RISCV_VECTOR_OPS_H
#define TESSERA_RISCV_RISCV_VECTOR_OPS_H

#include "base/bits.h"
#include "riscv/riscv_access.h"

enum tsr_vector_shape {
    VSHAPE_SETS,
    VSHAPE_SAME,
    VSHAPE_WIDENS,
    VSHAPE_WIDENS_W,
    VSHAPE_NARROWS,
    VSHAPE_EXTENDS2,
    VSHAPE_EXTENDS4,
    VSHAPE_COMPARES,
    VSHAPE_REDUCES,
    VSHAPE_REDUCES_WIDE,
    VSHAPE_MASKS,
    VSHAPE_MASK_COUNTS,
    VSHAPE_MASK_SETS,
    VSHAPE_NUMBERS,
    VSHAPE_SLIDES,
    VSHAPE_GATHERS,
    VSHAPE_GATHERS16,
    VSHAPE_MOVES,
    VSHAPE_TO_SCALAR,
    VSHAPE_FROM_SCALAR,
    VSHAPE_UNIT,
    VSHAPE_STRIDED,
    VSHAPE_INDEXED,
    VSHAPE_BITS,
    VSHAPE_WHOLE
};

// Of integers first, then of floating-point numbers. Memory has the width of a datum or an index.
enum tsr_vector_operation {
    VOP_8 = 8,
    VOP_16 = 16,
    VOP_32 = 32,
    VOP_SETVLI = 64,
    VOP_SETIVLI,
    VOP_SETVL,
    VOP_ADD,
    VOP_WADD,
    VOP_SUB,
    VOP_WSUB,
    VOP_RSUB,
    VOP_AND,
    VOP_OR,
    VOP_XOR,
    VOP_MINU,
    VOP_MIN,
    VOP_MAXU,
    VOP_MAX,
    VOP_SLL,
    VOP_SRL,
    VOP_SRA,
    VOP_SSRL,
    VOP_SSRA,
    VOP_CLIPU,
    VOP_CLIP,
    VOP_SADDU,
    VOP_SADD,
    VOP_SSUBU,
    VOP_SSUB,
    VOP_AADDU,
    VOP_AADD,
    VOP_ASUBU,
    VOP_ASUB,
    VOP_MUL,
    VOP_WMUL,
    VOP_WMULSU,
    VOP_MULH,
    VOP_MULHU,
    VOP_MULHSU,
    VOP_SMUL,
    VOP_MACC,
    VOP_NMSAC,
    VOP_MADD,
    VOP_NMSUB,
    VOP_WMACC,
    VOP_WMACCSU,
    VOP_WMACCUS,
    VOP_ADC,
    VOP_SBC,
    VOP_MADC,
    VOP_MSBC,
    VOP_MERGE,
    VOP_MV,
    VOP_ZEXT,
    VOP_SEXT,
    VOP_EQ,
    VOP_NE,
    VOP_LTU,
    VOP_LT,
    VOP_LEU,
    VOP_LE,
    VOP_GTU,
    VOP_GT,
    VOP_MANDN,
    VOP_MAND,
    VOP_MOR,
    VOP_MXOR,
    VOP_MORN,
    VOP_MNAND,
    VOP_MNOR,
    VOP_MXNOR,
    VOP_CPOP,
    VOP_FIRST,
    VOP_BEFORE,
    VOP_ONLY,
    VOP_INCLUDING,
    VOP_IOTA,
    VOP_ID,
    VOP_UP,
    VOP_DOWN,
    VOP_ONE_UP,
    VOP_ONE_DOWN,
    VOP_GATHER,
    VOP_COMPRESS,
    VOP_FMERGE, // moves of numbers: they look at no value
    VOP_FMV,
    VOP_FONE_UP,
    VOP_FONE_DOWN,
    VOP_FADD, // arithmetic from here on
    VOP_FSUB,
    VOP_FRSUB,
    VOP_FMUL,
    VOP_FMACC,
    VOP_FNMACC,
    VOP_FMSAC,
    VOP_FNMSAC,
    VOP_FMADD,
    VOP_FNMADD,
    VOP_FMSUB,
    VOP_FNMSUB,
    VOP_FMIN,
    VOP_FMAX,
    VOP_FSGNJ,
    VOP_FSGNJN,
    VOP_FSGNJX,
    VOP_FCLASS,
    VOP_FEQ,
    VOP_FNE,
    VOP_FLT,
    VOP_FLE,
    VOP_FGT,
    VOP_FGE,
    VOP_F_TO_XU, // conversions
    VOP_F_TO_X,
    VOP_F_TO_XU_ZERO,
    VOP_F_TO_X_ZERO,
    VOP_XU_TO_F,
    VOP_X_TO_F,
    VOP_F_TO_F,
    VOP_F_TO_F_ODD
};

// A group of registers: the first, and the bits of its elements. bits 1: a mask. 0: none.
struct tsr_vector_group {
    uint8_t first, bits, registers;
};

struct tsr_vector {
    struct tsr_hart *hart;
    const struct tsr_riscv_op *op;
    uint8_t shape, operation, format; // enum tsr_riscv_format
    unsigned sew;                     // bits
    int lmul;                         // a power of two, -3 .. 3
    uint32_t most, length;            // VLMAX and vl
    bool masked;
    struct tsr_vector_group a, b, d; // vs2, vs1 if it is a vector, vd
    uint8_t *out;                    // all registers as the instruction leaves them
};

static inline uint32_t tsr_vector_get(const uint8_t *file, unsigned first, unsigned bits,
                                      uint32_t index)
{
    uint32_t value = 0, at = first * TSR_VECTOR_BYTES + index * (bits / 8);
    for (unsigned i = 0; i < bits / 8; i++)
        value |= (uint32_t)file[(at + i) % (TSR_VECTORS * TSR_VECTOR_BYTES)] << (8 * i);
    return value;
}

static inline void tsr_vector_set(uint8_t *file, unsigned first, unsigned bits, uint32_t index,
                                  uint32_t value)
{
    uint32_t at = first * TSR_VECTOR_BYTES + index * (bits / 8);
    for (unsigned i = 0; i < bits / 8; i++)
        file[(at + i) % (TSR_VECTORS * TSR_VECTOR_BYTES)] = (uint8_t)(value >> (8 * i));
}

static inline bool tsr_vector_bit(const uint8_t *file, unsigned first, uint32_t index)
{
    return file[first * TSR_VECTOR_BYTES + index / 8] >> index % 8 & 1;
}

static inline void tsr_vector_set_bit(uint8_t *file, unsigned first, uint32_t index, bool value)
{
    uint8_t *byte = &file[first * TSR_VECTOR_BYTES + index / 8];
    *byte = (uint8_t)((*byte & ~(1u << index % 8)) | (unsigned)value << index % 8);
}

static inline bool tsr_vector_active(const struct tsr_vector *v, uint32_t index)
{
    return !v->masked || tsr_vector_bit(v->hart->v, 0, index);
}

static inline int32_t tsr_vector_signed(uint32_t value, unsigned bits)
{
    uint32_t sign = 1u << (bits - 1);
    return (int32_t)(((value & tsr_mask32(bits)) ^ sign) - sign);
}

// Is the mask an operand, a bit for each element: a carry, a borrow, a choice?
static inline bool tsr_vector_takes_bits(const struct tsr_vector *v)
{
    return (v->operation >= VOP_ADC && v->operation <= VOP_MERGE) || v->operation == VOP_FMERGE;
}

struct tsr_vector tsr_vector_of(struct tsr_hart *hart, const struct tsr_riscv_op *op,
                                enum tsr_vector_shape shape, enum tsr_vector_operation operation);
bool tsr_vector_type_is_reserved(uint32_t type);
uint32_t tsr_vector_most(uint32_t type); // VLMAX
// What RISC-V reserves of it; NULL: nothing.
const char *tsr_vector_reserved(const struct tsr_vector *v);
// The bits of the smallest number that it computes with, converts or moves; 0: integers only.
unsigned tsr_vector_number_bits(const struct tsr_vector *v);

// The second operand of element `index`, as many bits as an element has.
uint32_t tsr_vector_second(const struct tsr_vector *v, uint32_t index);

// One element; `bit` is the carry of ADC and its kin, or the choice of a merge.
uint32_t tsr_vector_integer(const struct tsr_vector *v, uint32_t a, uint32_t b, uint32_t d,
                            bool bit);
uint32_t tsr_vector_float(const struct tsr_vector *v, uint32_t a, uint32_t b, uint32_t d);
bool tsr_vector_compares_floats(const struct tsr_vector *v, uint32_t a, uint32_t b);

// The other shapes, all of their elements.
void tsr_vector_permute(const struct tsr_vector *v);
void tsr_vector_mask(const struct tsr_vector *v);

enum tsr_riscv_went tsr_vector_memory(struct tsr_riscv *riscv, struct tsr_riscv_place place,
                                      const struct tsr_vector *v);

#endif
