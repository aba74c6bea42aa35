// SPDX-License-Identifier: Apache-2.0
// What a vector instruction works on: its type and length, the groups of registers of its operands
// and its result, the second operand, and what RISC-V reserves of all that.
// Pages: InstructionSet.md and CSRs.md of BlackholeA0/TensixTile/BabyRISCV, and the RISC-V manual
// for V; docs/errata.md 425, 427 and 428.
#include "riscv/riscv_float.h"
#include "riscv/riscv_vector_ops.h"

enum { VLEN = 8 * TSR_VECTOR_BYTES, ELEN = 32 };

// ---------------------------------------------------------------- type and operands

static int log2_of(unsigned value)
{
    int log2 = 0;
    while (value >>= 1)
        log2++;
    return log2;
}

// The elements of so many registers: two to `exponent`.
static uint32_t elements(int exponent, unsigned sew)
{
    return exponent < 0 ? VLEN / sew >> -exponent : VLEN / sew << exponent;
}

static int multiplier(uint32_t type)
{
    int field = (int)tsr_bits(type, 0, 3);
    return field > 4 ? field - 8 : field;
}

bool tsr_vector_type_is_reserved(uint32_t type)
{
    unsigned sew = 8u << tsr_bits(type, 3, 3);
    int lmul = multiplier(type);
    return type >> 8 || sew > ELEN || lmul == 4 || (lmul < 0 && sew > (unsigned)ELEN >> -lmul);
}

uint32_t tsr_vector_most(uint32_t type)
{
    return elements(multiplier(type), 8u << tsr_bits(type, 3, 2));
}

static struct tsr_vector_group group(const struct tsr_vector *v, unsigned first, unsigned bits)
{
    int emul = bits == 1 ? 0 : v->lmul + log2_of(bits) - log2_of(v->sew);
    return (struct tsr_vector_group){(uint8_t)first, (uint8_t)bits,
                                     (uint8_t)(emul <= 0  ? 1
                                               : emul > 3 ? 0
                                                          : 1 << emul)};
}

static struct tsr_vector_group single(unsigned first, unsigned bits)
{
    return (struct tsr_vector_group){(uint8_t)first, (uint8_t)bits, 1};
}

// The bits of the elements of vs2, vs1 and vd.
static void find_groups(struct tsr_vector *v)
{
    const struct tsr_riscv_op *op = v->op;
    unsigned sew = v->sew, a = sew, b = sew, d = sew;
    switch ((enum tsr_vector_shape)v->shape) {
    case VSHAPE_WIDENS:
    case VSHAPE_WIDENS_W:
        d = 2 * sew;
        a = v->shape == VSHAPE_WIDENS ? sew : d;
        break;
    case VSHAPE_NARROWS:
        a = 2 * sew;
        break;
    case VSHAPE_EXTENDS2:
        a = sew / 2;
        break;
    case VSHAPE_EXTENDS4:
        a = sew / 4;
        break;
    case VSHAPE_COMPARES:
        d = 1;
        break;
    case VSHAPE_MASKS:
    case VSHAPE_MASK_COUNTS:
    case VSHAPE_MASK_SETS:
        a = b = d = 1;
        break;
    case VSHAPE_NUMBERS:
        a = 1;
        break;
    case VSHAPE_GATHERS:
        b = v->operation == VOP_COMPRESS ? 1 : sew;
        break;
    case VSHAPE_GATHERS16:
        b = 16;
        break;
    default:
        break;
    }
    v->a = group(v, op->rs2, a);
    v->d = group(v, op->rd, d);
    if (v->operation == VOP_ID || (v->shape == VSHAPE_SAME && v->operation == VOP_MV) ||
        (v->shape == VSHAPE_SAME && v->operation == VOP_FMV))
        v->a = (struct tsr_vector_group){.bits = (uint8_t)sew};
    if (v->format == RISCV_FORMAT_VV)
        v->b = group(v, op->rs1, b);
}

// Groups that do not follow the length multiplier.
static void find_single_groups(struct tsr_vector *v)
{
    const struct tsr_riscv_op *op = v->op;
    unsigned sew = v->sew;
    switch ((enum tsr_vector_shape)v->shape) {
    case VSHAPE_REDUCES:
    case VSHAPE_REDUCES_WIDE:
        v->d = single(op->rd, v->shape == VSHAPE_REDUCES ? sew : 2 * sew);
        v->b = single(op->rs1, v->d.bits);
        break;
    case VSHAPE_MOVES:
        v->a = single(op->rs2, sew);
        v->d = single(op->rd, sew);
        v->a.registers = v->d.registers = (uint8_t)(op->rs1 + 1);
        break;
    case VSHAPE_MASK_COUNTS:
        v->d = (struct tsr_vector_group){0};
        break;
    case VSHAPE_TO_SCALAR:
        v->a = single(op->rs2, sew);
        v->d = (struct tsr_vector_group){0};
        break;
    case VSHAPE_FROM_SCALAR:
        v->a = (struct tsr_vector_group){.bits = (uint8_t)sew};
        v->d = single(op->rd, sew);
        break;
    default:
        break;
    }
}

// Of memory: vs2 has the indices, and vd has all fields of a segment.
static void find_memory_groups(struct tsr_vector *v)
{
    const struct tsr_riscv_op *op = v->op;
    unsigned fields = tsr_bits(op->word, 29, 3) + 1, bits = v->operation;
    v->a = (struct tsr_vector_group){0};
    if (v->shape == VSHAPE_INDEXED) {
        v->a = group(v, op->rs2, bits);
        bits = v->sew;
    }
    v->d = v->shape == VSHAPE_WHOLE || v->shape == VSHAPE_BITS ? single(op->rd, bits)
                                                               : group(v, op->rd, bits);
    v->d.registers = (uint8_t)(v->d.registers * fields);
}

struct tsr_vector tsr_vector_of(struct tsr_hart *hart, const struct tsr_riscv_op *op,
                                enum tsr_vector_shape shape, enum tsr_vector_operation operation)
{
    uint32_t type = hart->csr[TSR_CSR_VTYPE];
    struct tsr_vector v = {.hart = hart,
                           .op = op,
                           .shape = (uint8_t)shape,
                           .operation = (uint8_t)operation,
                           .format = tsr_riscv_row(op->code)->format,
                           .sew = 8u << tsr_bits(type, 3, 2),
                           .lmul = multiplier(type),
                           .masked = !tsr_bits(op->word, 25, 1)};
    v.most = tsr_vector_most(type);
    v.length = hart->csr[TSR_CSR_VL] < v.most ? hart->csr[TSR_CSR_VL] : v.most;
    if (v.shape >= VSHAPE_UNIT) {
        find_memory_groups(&v);
    } else {
        find_groups(&v);
        find_single_groups(&v);
    }
    return v;
}

// ---------------------------------------------------------------- the second operand

uint32_t tsr_vector_second(const struct tsr_vector *v, uint32_t index)
{
    const struct tsr_riscv_op *op = v->op;
    switch ((enum tsr_riscv_format)v->format) {
    case RISCV_FORMAT_VV:
        return v->b.bits == 1 ? tsr_vector_bit(v->hart->v, op->rs1, index)
                              : tsr_vector_get(v->hart->v, op->rs1, v->b.bits, index);
    case RISCV_FORMAT_VX:
        return v->hart->x[op->rs1];
    case RISCV_FORMAT_VI:
        return (uint32_t)tsr_vector_signed(op->rs1, 5);
    case RISCV_FORMAT_VU:
        return op->rs1;
    case RISCV_FORMAT_VF:
        return tsr_riscv_number_in(v->hart, op->rs1,
                                   v->sew == 32 ? &tsr_float32 : tsr_riscv_half_format(v->hart));
    default:
        return 0;
    }
}

// ---------------------------------------------------------------- what is reserved

static bool is_move(const struct tsr_vector *v)
{
    return v->shape == VSHAPE_MOVES || v->shape == VSHAPE_WHOLE;
}

static bool overlap(struct tsr_vector_group x, struct tsr_vector_group y)
{
    return x.registers && y.registers && x.first < y.first + y.registers &&
           y.first < x.first + x.registers;
}

// A result may lie on an operand of other width in the lowest registers of the operand, or in the
// highest of its own.
static bool bad_overlap(const struct tsr_vector *v, struct tsr_vector_group of)
{
    struct tsr_vector_group d = v->d;
    if (!overlap(d, of))
        return false;
    bool apart = v->shape == VSHAPE_GATHERS || v->shape == VSHAPE_GATHERS16 ||
                 v->shape == VSHAPE_MASK_SETS || v->shape == VSHAPE_NUMBERS ||
                 v->operation == VOP_UP || v->operation == VOP_ONE_UP ||
                 v->operation == VOP_FONE_UP;
    if (apart)
        return true;
    if (v->shape == VSHAPE_REDUCES || v->shape == VSHAPE_REDUCES_WIDE || is_move(v) ||
        d.bits == of.bits)
        return false;
    if (d.bits < of.bits)
        return d.first != of.first;
    int emul = v->lmul + (of.bits == 1 ? 0 : log2_of(of.bits) - log2_of(v->sew));
    return emul < 0 || of.first + of.registers != d.first + d.registers;
}

unsigned tsr_vector_number_bits(const struct tsr_vector *v)
{
    if (v->shape >= VSHAPE_UNIT || v->operation < VOP_FMERGE)
        return 0;
    if (v->operation >= VOP_F_TO_XU && v->operation <= VOP_F_TO_X_ZERO)
        return v->a.bits;
    if (v->operation == VOP_XU_TO_F || v->operation == VOP_X_TO_F)
        return v->d.bits;
    return v->sew;
}

static const char *reserved_group(const struct tsr_vector *v)
{
    const struct tsr_vector_group *groups[] = {&v->a, &v->b, &v->d};
    for (int i = 0; i < 3; i++) {
        const struct tsr_vector_group *g = groups[i];
        int emul = v->lmul + log2_of(g->bits) - log2_of(v->sew);
        bool counts = g->bits > 1 && !is_move(v) && v->shape != VSHAPE_BITS;
        if (counts && (g->bits > ELEN || g->bits < 8))
            return "whose elements would have more than 32 bits, or less than 8";
        bool grows = g == &v->a || v->shape != VSHAPE_REDUCES_WIDE; // or is one register
        if (counts && grows && (emul > 3 || emul < -3))
            return "whose group would have more than 8 registers, or less than an eighth";
    }
    return NULL;
}

static const char *reserved_registers(const struct tsr_vector *v)
{
    unsigned fields = tsr_bits(v->op->word, 29, 3) + 1;
    unsigned unit = v->d.registers;
    if (v->shape >= VSHAPE_UNIT) {
        if (unit > 8 || v->d.first + unit > TSR_VECTORS)
            return "whose segments would have more than 8 registers, or end behind the last one";
        if (v->shape != VSHAPE_WHOLE)
            unit /= fields;
    }
    if ((unit && v->d.first % unit) || (v->a.registers && v->a.first % v->a.registers) ||
        (v->b.registers && v->b.first % v->b.registers))
        return "whose registers do not begin a group";
    bool of_mask = v->d.bits == 1 && v->shape == VSHAPE_COMPARES;
    bool stores = v->format == RISCV_FORMAT_VSTORE || v->format == RISCV_FORMAT_VSTORES;
    if (v->masked && v->d.registers && v->d.first == 0 && !of_mask && !stores &&
        v->shape != VSHAPE_REDUCES && v->shape != VSHAPE_REDUCES_WIDE)
        return "which overwrites its mask";
    bool segments = v->shape == VSHAPE_INDEXED && fields > 1;
    if (!stores &&
        (bad_overlap(v, v->a) || bad_overlap(v, v->b) || (segments && overlap(v->d, v->a))))
        return "whose result overlaps an operand";
    return NULL;
}

const char *tsr_vector_reserved(const struct tsr_vector *v)
{
    if (tsr_vector_type_is_reserved(v->hart->csr[TSR_CSR_VTYPE]) && !is_move(v))
        return "while vtype is reserved";
    const char *why = reserved_group(v);
    if (!why && tsr_vector_number_bits(v) == 8)
        why = "on numbers of 8 bits";
    return why ? why : reserved_registers(v);
}
