// SPDX-License-Identifier: Apache-2.0
// Vector instructions that move elements from place to place, and those on masks.
// Page: InstructionSet.md of BlackholeA0/TensixTile/BabyRISCV, and the RISC-V manual for V.
#include "riscv/riscv_vector_ops.h"

#include <string.h>

static uint32_t first_of(const struct tsr_vector *v, uint64_t index)
{
    return index < v->most ? tsr_vector_get(v->hart->v, v->a.first, v->a.bits, (uint32_t)index) : 0;
}

static void set(const struct tsr_vector *v, uint32_t index, uint32_t value)
{
    tsr_vector_set(v->out, v->d.first, v->d.bits, index, value);
}

static void slide(const struct tsr_vector *v)
{
    uint32_t by = tsr_vector_second(v, 0);
    bool by_one = v->operation != VOP_UP && v->operation != VOP_DOWN;
    bool up = v->operation == VOP_UP || v->operation == VOP_ONE_UP || v->operation == VOP_FONE_UP;
    uint32_t entered = up ? 0 : v->length - 1; // where slide1 puts its operand
    uint64_t offset = by_one ? 1 : by;
    for (uint32_t i = 0; i < v->length; i++) {
        if (!tsr_vector_active(v, i))
            continue;
        if (by_one && i == entered)
            set(v, i, by);
        else if (!up)
            set(v, i, first_of(v, i + offset));
        else if (i >= offset)
            set(v, i, first_of(v, i - offset));
    }
}

static void gather(const struct tsr_vector *v)
{
    for (uint32_t i = 0; i < v->length; i++)
        if (tsr_vector_active(v, i))
            set(v, i, first_of(v, tsr_vector_second(v, i)));
}

static void compress(const struct tsr_vector *v)
{
    uint32_t to = 0;
    for (uint32_t i = 0; i < v->length; i++)
        if (tsr_vector_second(v, i))
            set(v, to++, first_of(v, i));
}

static void to_scalar(const struct tsr_vector *v)
{
    uint32_t value = tsr_vector_get(v->hart->v, v->a.first, v->sew, 0);
    if (v->operation == VOP_FMV)
        v->hart->f[v->op->rd] = value | ~tsr_mask32(v->sew);
    else if (v->op->rd != 0)
        v->hart->x[v->op->rd] = (uint32_t)tsr_vector_signed(value, v->sew);
}

void tsr_vector_permute(const struct tsr_vector *v)
{
    switch ((enum tsr_vector_shape)v->shape) {
    case VSHAPE_SLIDES:
        slide(v);
        return;
    case VSHAPE_GATHERS:
    case VSHAPE_GATHERS16:
        if (v->operation == VOP_COMPRESS)
            compress(v);
        else
            gather(v);
        return;
    case VSHAPE_MOVES:
        memcpy(v->out + v->d.first * TSR_VECTOR_BYTES, v->hart->v + v->a.first * TSR_VECTOR_BYTES,
               (size_t)v->d.registers * TSR_VECTOR_BYTES);
        return;
    case VSHAPE_TO_SCALAR:
        to_scalar(v);
        return;
    default: // FROM_SCALAR
        if (v->length > 0)
            set(v, 0, tsr_vector_second(v, 0));
        return;
    }
}

// ---------------------------------------------------------------- masks

static bool logic(unsigned operation, bool a, bool b)
{
    switch (operation) {
    case VOP_MANDN:
        return a && !b;
    case VOP_MAND:
        return a && b;
    case VOP_MOR:
        return a || b;
    case VOP_MXOR:
        return a != b;
    case VOP_MORN:
        return a || !b;
    case VOP_MNAND:
        return !(a && b);
    case VOP_MNOR:
        return !(a || b);
    default: // MXNOR
        return a == b;
    }
}

static void count(const struct tsr_vector *v)
{
    uint32_t bits = 0, first = UINT32_MAX;
    for (uint32_t i = 0; i < v->length; i++) {
        if (!tsr_vector_active(v, i) || !tsr_vector_bit(v->hart->v, v->a.first, i))
            continue;
        bits++;
        first = first == UINT32_MAX ? i : first;
    }
    if (v->op->rd != 0)
        v->hart->x[v->op->rd] = v->operation == VOP_CPOP ? bits : first;
}

// Bits before the first that is set, that one alone, or all up to it.
static void set_up_to_first(const struct tsr_vector *v)
{
    bool found = false;
    for (uint32_t i = 0; i < v->length; i++) {
        if (!tsr_vector_active(v, i))
            continue;
        bool bit = tsr_vector_bit(v->hart->v, v->a.first, i);
        bool result =
            !found && (v->operation == VOP_INCLUDING || bit == (v->operation == VOP_ONLY));
        tsr_vector_set_bit(v->out, v->d.first, i, result);
        found |= bit;
    }
}

static void number(const struct tsr_vector *v)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < v->length; i++) {
        if (!tsr_vector_active(v, i))
            continue;
        set(v, i, v->operation == VOP_ID ? i : before);
        before += v->operation == VOP_IOTA && tsr_vector_bit(v->hart->v, v->a.first, i);
    }
}

void tsr_vector_mask(const struct tsr_vector *v)
{
    if (v->shape == VSHAPE_MASK_COUNTS)
        count(v);
    else if (v->shape == VSHAPE_MASK_SETS)
        set_up_to_first(v);
    else if (v->shape == VSHAPE_NUMBERS)
        number(v);
    else
        for (uint32_t i = 0; i < v->length; i++)
            tsr_vector_set_bit(v->out, v->d.first, i,
                               logic(v->operation, tsr_vector_bit(v->hart->v, v->a.first, i),
                                     tsr_vector_second(v, i)));
}
