// SPDX-License-Identifier: Apache-2.0
// Executes T2's vector instructions: what sets the type and the length, the shapes that compute
// element by element, and what the pipeline is told. No result depends on how groups overlap, tails
// and masked elements keep what they have, and vstart is always 0.
// Pages: InstructionSet.md, CSRs.md and README.md of BlackholeA0/TensixTile/BabyRISCV;
// docs/errata.md 425 to 431.
#include "riscv/riscv_vector.h"

#include "base/finding_codes.h"
#include "riscv/riscv_vector_ops.h"

#include <stdio.h>
#include <string.h>

enum { SENTENCE = 200, FIRST_VECTOR = RISCV_VSETVLI };

static const struct {
    uint8_t shape, operation;
} rows[] = {
#define RISCV_V(name, mnemonic, format, match, mask, shape, operation)                             \
    {VSHAPE_##shape, VOP_##operation},
#include "machine/riscv_vector.def"
};

bool tsr_riscv_is_vector(unsigned code)
{
    return code >= FIRST_VECTOR && code - FIRST_VECTOR < sizeof rows / sizeof rows[0];
}

static struct tsr_vector vector_of(struct tsr_hart *hart, const struct tsr_riscv_op *op)
{
    return tsr_vector_of(hart, op, rows[op->code - FIRST_VECTOR].shape,
                         rows[op->code - FIRST_VECTOR].operation);
}

// ---------------------------------------------------------------- element by element

static void compute(const struct tsr_vector *v, uint32_t i, bool bit)
{
    const uint8_t *file = v->hart->v;
    uint32_t a = v->a.registers ? tsr_vector_get(file, v->a.first, v->a.bits, i) : 0;
    uint32_t b = tsr_vector_second(v, i);
    if (v->shape == VSHAPE_COMPARES) {
        bool result = v->operation >= VOP_FADD ? tsr_vector_compares_floats(v, a, b)
                                               : tsr_vector_integer(v, a, b, 0, bit);
        tsr_vector_set_bit(v->out, v->d.first, i, result);
        return;
    }
    uint32_t d = tsr_vector_get(file, v->d.first, v->d.bits, i);
    d = v->operation >= VOP_FADD ? tsr_vector_float(v, a, b, d)
                                 : tsr_vector_integer(v, a, b, d, bit);
    tsr_vector_set(v->out, v->d.first, v->d.bits, i, d);
}

static void each_element(const struct tsr_vector *v)
{
    bool takes_bits = tsr_vector_takes_bits(v);
    for (uint32_t i = 0; i < v->length; i++) {
        bool active = tsr_vector_active(v, i);
        if (active || takes_bits)
            compute(v, i, takes_bits && v->masked && active);
    }
}

static void reduce(const struct tsr_vector *v)
{
    const uint8_t *file = v->hart->v;
    uint32_t sum = tsr_vector_get(file, v->b.first, v->b.bits, 0);
    for (uint32_t i = 0; i < v->length; i++) {
        if (!tsr_vector_active(v, i))
            continue;
        uint32_t a = tsr_vector_get(file, v->a.first, v->a.bits, i);
        if (v->operation >= VOP_FADD)
            sum = tsr_vector_float(v, a, sum, 0);
        else if (v->shape == VSHAPE_REDUCES_WIDE)
            sum += v->operation == VOP_WADD ? (uint32_t)tsr_vector_signed(a, v->sew) : a;
        else
            sum = tsr_vector_integer(v, a, sum, 0, false);
    }
    if (v->length > 0)
        tsr_vector_set(v->out, v->d.first, v->d.bits, 0, sum);
}

// ---------------------------------------------------------------- an instruction

static bool find(struct tsr_riscv *riscv, struct tsr_hart *hart, struct tsr_riscv_place place,
                 enum tsr_finding code, const struct tsr_riscv_op *op, const char *why)
{
    char text[SENTENCE];
    tsr_riscv_stand_at(riscv, hart, place);
    snprintf(text, sizeof text, "Core T2 executes %s (word 0x%08x, vtype 0x%02x), %s.",
             tsr_riscv_row(op->code)->mnemonic, (unsigned)op->word,
             (unsigned)hart->csr[TSR_CSR_VTYPE], why);
    return riscv->bus->find(riscv->bus->self, riscv->core, place.pc, (int)code, text);
}

static bool set_type(struct tsr_riscv *riscv, struct tsr_hart *hart, struct tsr_riscv_place place,
                     const struct tsr_riscv_op *op)
{
    enum tsr_vector_operation how = rows[op->code - FIRST_VECTOR].operation;
    uint32_t type = how == VOP_SETVLI    ? tsr_bits(op->word, 20, 11)
                    : how == VOP_SETIVLI ? tsr_bits(op->word, 20, 10)
                                         : hart->x[op->rs2];
    if (tsr_vector_type_is_reserved(type))
        return find(riscv, hart, place, FINDING_CORE_VECTOR_RESERVED, op,
                    "which sets a type that is reserved");
    uint32_t most = tsr_vector_most(type);
    uint32_t wanted = how == VOP_SETIVLI ? op->rs1 : hart->x[op->rs1];
    if (how != VOP_SETIVLI && op->rs1 == 0)
        wanted = op->rd == 0 ? hart->csr[TSR_CSR_VL] : UINT32_MAX;
    uint32_t length = wanted < most ? wanted : most;
    hart->csr[TSR_CSR_VTYPE] = type;
    hart->csr[TSR_CSR_VL] = length;
    if (op->rd != 0)
        hart->x[op->rd] = length;
    return true;
}

static void run(const struct tsr_vector *v)
{
    switch ((enum tsr_vector_shape)v->shape) {
    case VSHAPE_REDUCES:
    case VSHAPE_REDUCES_WIDE:
        reduce(v);
        return;
    case VSHAPE_MASKS:
    case VSHAPE_MASK_COUNTS:
    case VSHAPE_MASK_SETS:
    case VSHAPE_NUMBERS:
        tsr_vector_mask(v);
        return;
    case VSHAPE_SLIDES:
    case VSHAPE_GATHERS:
    case VSHAPE_GATHERS16:
    case VSHAPE_MOVES:
    case VSHAPE_TO_SCALAR:
    case VSHAPE_FROM_SCALAR:
        tsr_vector_permute(v);
        return;
    default:
        each_element(v);
        return;
    }
}

enum tsr_riscv_went tsr_riscv_execute_vector(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                             struct tsr_riscv_place place,
                                             const struct tsr_riscv_op *op)
{
    riscv->vectors++;
    if (rows[op->code - FIRST_VECTOR].shape == VSHAPE_SETS)
        return set_type(riscv, hart, place, op) ? TSR_RISCV_WENT : TSR_RISCV_RESTS;
    struct tsr_vector v = vector_of(hart, op);
    const char *why = tsr_vector_reserved(&v);
    if (why)
        return find(riscv, hart, place, FINDING_CORE_VECTOR_RESERVED, op, why) ? TSR_RISCV_WENT
                                                                               : TSR_RISCV_RESTS;
    if (v.shape >= VSHAPE_UNIT)
        return tsr_vector_memory(riscv, place, &v);
    if (tsr_vector_number_bits(&v) == 16 && !find(riscv, hart, place, FINDING_CORE_VECTOR_HALF, op,
                                                  "in half precision, of which V says nothing"))
        return TSR_RISCV_RESTS;
    uint8_t out[sizeof hart->v];
    memcpy(out, hart->v, sizeof out);
    v.out = out;
    run(&v);
    memcpy(hart->v, out, sizeof out);
    return TSR_RISCV_WENT;
}

// ---------------------------------------------------------------- what the pipeline is told

struct tsr_riscv_vector_use tsr_riscv_vector_uses(struct tsr_hart *hart,
                                                  const struct tsr_riscv_op *op)
{
    struct tsr_vector v = vector_of(hart, op);
    struct tsr_riscv_vector_use use = {.passes = 1};
    bool stores = v.format == RISCV_FORMAT_VSTORE || v.format == RISCV_FORMAT_VSTORES;
    if (tsr_vector_reserved(&v))
        return use;
    const struct tsr_vector_group *groups[] = {&v.a, &v.b, &v.d};
    for (int i = 0; i < 3; i++) {
        use.reads[i].first = groups[i]->first;
        use.reads[i].count = groups[i]->registers;
        if (groups[i]->registers > use.passes)
            use.passes = groups[i]->registers;
    }
    use.reads[3].count = v.masked;
    if (!stores) {
        use.writes.first = v.d.first;
        use.writes.count = v.d.registers;
    }
    if (v.shape < VSHAPE_UNIT)
        return use;
    use.loads = !stores;
    use.stores = stores;
    use.address = hart->x[op->rs1];
    use.step = TSR_VECTOR_BYTES;
    if (v.shape == VSHAPE_STRIDED || v.shape == VSHAPE_INDEXED) {
        use.passes = v.length * (tsr_bits(op->word, 29, 3) + 1);
        use.step = v.shape == VSHAPE_STRIDED ? hart->x[op->rs2] : TSR_VECTOR_BYTES;
    } else if (v.shape == VSHAPE_UNIT) {
        uint32_t bytes = v.length * (tsr_bits(op->word, 29, 3) + 1) * v.operation / 8;
        use.passes = (bytes + TSR_VECTOR_BYTES - 1) / TSR_VECTOR_BYTES;
    }
    return use;
}
