// SPDX-License-Identifier: Apache-2.0
// Vector loads and stores: one access for each element, and of neighbours in Dst one for each word.
// An access that has to wait holds the instruction, which goes on with it.
// Pages: InstructionSet.md and README.md of BlackholeA0/TensixTile/BabyRISCV; "RISCV access to Dst"
// of BlackholeA0's Dst.md; docs/errata.md 432 and 433.
#include "base/finding_codes.h"
#include "riscv/riscv_regions.h"
#include "riscv/riscv_vector_ops.h"

#include <stdio.h>

enum { WORD = 4, SENTENCE = 200 };

struct accesses {
    uint32_t base, count; // elements times fields
    uint32_t fields, registers, width;
    bool stores, neighbours; // one element follows the other
};

static struct accesses accesses_of(const struct tsr_vector *v)
{
    struct accesses a = {.base = v->hart->x[v->op->rs1],
                         .fields = tsr_bits(v->op->word, 29, 3) + 1,
                         .width = v->d.bits / 8u,
                         .stores =
                             v->format == RISCV_FORMAT_VSTORE || v->format == RISCV_FORMAT_VSTORES};
    a.registers = v->d.registers / a.fields;
    a.count = v->length * a.fields;
    if (v->shape == VSHAPE_BITS) {
        a.count = (v->length + 7) / 8;
    } else if (v->shape == VSHAPE_WHOLE) {
        a.count = v->d.registers * TSR_VECTOR_BYTES / a.width;
        a.fields = 1;
    }
    a.neighbours = a.fields == 1 && v->shape != VSHAPE_STRIDED && v->shape != VSHAPE_INDEXED;
    return a;
}

static uint32_t address_of(const struct tsr_vector *v, const struct accesses *a, uint32_t access)
{
    uint32_t element = access / a->fields, field = access % a->fields;
    switch ((enum tsr_vector_shape)v->shape) {
    case VSHAPE_STRIDED:
        return a->base + element * v->hart->x[v->op->rs2] + field * a->width;
    case VSHAPE_INDEXED:
        return a->base + tsr_vector_get(v->hart->v, v->a.first, v->a.bits, element) +
               field * a->width;
    default:
        return a->base + access * a->width;
    }
}

// BITS and WHOLE have no mask.
static bool is_active(const struct tsr_vector *v, const struct accesses *a, uint32_t access)
{
    return v->shape == VSHAPE_BITS || v->shape == VSHAPE_WHOLE ||
           tsr_vector_active(v, access / a->fields);
}

// How many accesses are made as one, of a word: T2 reaches several datums of Dst at once, and less
// than a datum is nothing that Dst has.
static uint32_t joined(const struct tsr_riscv *riscv, const struct tsr_vector *v,
                       const struct accesses *a, uint32_t access, uint32_t address)
{
    uint32_t together = WORD / a->width;
    if (!a->neighbours || together == 1 || address % WORD || access + together > a->count ||
        !tsr_riscv_is_dst(riscv, address))
        return 1;
    for (uint32_t i = 0; i < together; i++)
        if (!is_active(v, a, access + i))
            return 1;
    return together;
}

// All of an access to Dst counts for its alignment. False: the tile stops.
static bool check_alignment(struct tsr_riscv *riscv, struct tsr_riscv_place place,
                            const struct tsr_vector *v, const struct accesses *a)
{
    uint32_t bytes = a->count * a->width, size = 1;
    while (size < bytes && size < TSR_VECTOR_BYTES)
        size *= 2;
    if (!a->neighbours || a->base % size == 0 || a->base % a->width ||
        !tsr_riscv_is_dst(riscv, a->base))
        return true;
    char text[SENTENCE];
    tsr_riscv_stand_at(riscv, v->hart, place);
    snprintf(text, sizeof text,
             "Core T2 %s %u bytes at 0x%08x in Dst by %s, which is no multiple of %u.",
             a->stores ? "stores" : "loads", (unsigned)bytes, (unsigned)a->base,
             tsr_riscv_row(v->op->code)->mnemonic, (unsigned)size);
    return riscv->bus->find(riscv->bus->self, riscv->core, place.pc, FINDING_UNALIGNED_ACCESS,
                            text);
}

// Access `first` and those behind it that go together with it.
static enum tsr_riscv_went access_one(struct tsr_riscv *riscv, struct tsr_riscv_place place,
                                      const struct tsr_vector *v, const struct accesses *a,
                                      uint32_t first, uint32_t together)
{
    uint8_t *file = v->hart->v;
    uint32_t address = address_of(v, a, first), width = together * a->width, value = 0;
    uint32_t element = first / a->fields;
    unsigned at = v->d.first + first % a->fields * a->registers, bits = v->d.bits;
    if (a->stores) {
        for (uint32_t i = 0; i < together; i++)
            value |= tsr_vector_get(file, at, bits, element + i) << (i * bits);
        return tsr_riscv_store(riscv, v->hart, place, address, width, value);
    }
    enum tsr_riscv_went went = tsr_riscv_load(riscv, v->hart, place, address, width, &value);
    for (uint32_t i = 0; went != TSR_RISCV_RESTS && i < together; i++)
        tsr_vector_set(file, at, bits, element + i, value >> (i * bits));
    return went;
}

enum tsr_riscv_went tsr_vector_memory(struct tsr_riscv *riscv, struct tsr_riscv_place place,
                                      const struct tsr_vector *v)
{
    struct tsr_hart *hart = v->hart;
    struct accesses a = accesses_of(v);
    uint32_t access = hart->begun_at == place.pc ? hart->begun : 0;
    if (access == 0 && !check_alignment(riscv, place, v, &a))
        return TSR_RISCV_RESTS;
    enum tsr_riscv_went result = TSR_RISCV_WENT;
    while (access < a.count) {
        if (!is_active(v, &a, access)) {
            access++;
            continue;
        }
        uint32_t together = joined(riscv, v, &a, access, address_of(v, &a, access));
        enum tsr_riscv_went went = access_one(riscv, place, v, &a, access, together);
        if (went == TSR_RISCV_RESTS) {
            hart->begun_at = place.pc;
            hart->begun = access;
            return went;
        }
        result = went == TSR_RISCV_CODE ? went : result;
        access += together;
    }
    hart->begun = 0;
    return result;
}
