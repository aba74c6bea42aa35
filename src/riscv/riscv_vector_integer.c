// SPDX-License-Identifier: Apache-2.0
// Integer and fixed-point arithmetic of one vector element. All operands have SEW bits, but for the
// first of the instructions that narrow, or that widen what is wide already.
// Page: InstructionSet.md and CSRs.md (vxrm, vxsat) of BlackholeA0/TensixTile/BabyRISCV.
#include "riscv/riscv_vector_ops.h"

// An operation's operands with and without sign.
struct numbers {
    uint64_t au, bu, d;
    int64_t as, bs;
    unsigned bits, wide; // of the result and of `a`
    unsigned shift;
    bool bit;
};

static void saturate(const struct tsr_vector *v)
{
    v->hart->csr[TSR_CSR_VXSAT] |= 1;
}

// `value` >> `shift`, rounded as vxrm says.
static int64_t round_off(const struct tsr_vector *v, int64_t value, unsigned shift)
{
    enum { NEAREST_UP, NEAREST_EVEN, DOWN, ODD };
    if (shift == 0)
        return value;
    uint64_t all = (uint64_t)value, rest = all & ((1ull << shift) - 1), half = 1ull << (shift - 1);
    bool odd = all >> shift & 1, up = false;
    switch (v->hart->csr[TSR_CSR_VXRM] & 3) {
    case NEAREST_UP:
        up = rest >= half;
        break;
    case NEAREST_EVEN:
        up = rest > half || (rest == half && odd);
        break;
    case DOWN:
        break;
    default: // ODD
        up = !odd && rest != 0;
        break;
    }
    int64_t down = (int64_t)((all - rest) >> shift);
    if (value < 0)
        down = -(int64_t)((0 - (all - rest)) >> shift);
    return down + up;
}

static uint64_t clip(const struct tsr_vector *v, int64_t value, unsigned bits)
{
    int64_t most = ((int64_t)1 << (bits - 1)) - 1;
    if (value >= -most - 1 && value <= most)
        return (uint64_t)value;
    saturate(v);
    return (uint64_t)(value < 0 ? -most - 1 : most);
}

static uint64_t clip_unsigned(const struct tsr_vector *v, int64_t value, unsigned bits)
{
    int64_t most = ((int64_t)1 << bits) - 1;
    if (value >= 0 && value <= most)
        return (uint64_t)value;
    saturate(v);
    return (uint64_t)(value < 0 ? 0 : most);
}

static uint64_t fixed_point(const struct tsr_vector *v, const struct numbers *n)
{
    int64_t au = (int64_t)n->au, bu = (int64_t)n->bu;
    switch (v->operation) {
    case VOP_SADDU:
        return clip_unsigned(v, au + bu, n->bits);
    case VOP_SADD:
        return clip(v, n->as + n->bs, n->bits);
    case VOP_SSUBU:
        return clip_unsigned(v, au - bu, n->bits);
    case VOP_SSUB:
        return clip(v, n->as - n->bs, n->bits);
    case VOP_AADDU:
        return (uint64_t)round_off(v, au + bu, 1);
    case VOP_AADD:
        return (uint64_t)round_off(v, n->as + n->bs, 1);
    case VOP_ASUBU:
        return (uint64_t)round_off(v, au - bu, 1);
    case VOP_ASUB:
        return (uint64_t)round_off(v, n->as - n->bs, 1);
    case VOP_SMUL:
        return clip(v, round_off(v, n->as * n->bs, n->bits - 1), n->bits);
    case VOP_SSRL:
        return (uint64_t)round_off(v, au, n->shift);
    case VOP_SSRA:
        return (uint64_t)round_off(v, n->as, n->shift);
    case VOP_CLIPU:
        return clip_unsigned(v, round_off(v, au, n->shift), n->bits);
    default: // CLIP
        return clip(v, round_off(v, n->as, n->shift), n->bits);
    }
}

static uint64_t multiply(const struct tsr_vector *v, const struct numbers *n)
{
    uint64_t product = n->au * n->bu, of_signed = (uint64_t)(n->as * n->bs);
    switch (v->operation) {
    case VOP_MUL:
        return product;
    case VOP_WMUL:
        return of_signed;
    case VOP_WMULSU:
        return (uint64_t)(n->as * (int64_t)n->bu);
    case VOP_MULH:
        return of_signed >> n->bits;
    case VOP_MULHU:
        return product >> n->bits;
    case VOP_MULHSU:
        return (uint64_t)(n->as * (int64_t)n->bu) >> n->bits;
    case VOP_MACC:
        return n->d + product;
    case VOP_NMSAC:
        return n->d - product;
    case VOP_MADD:
        return n->bu * n->d + n->au;
    case VOP_NMSUB:
        return n->au - n->bu * n->d;
    case VOP_WMACC:
        return n->d + of_signed;
    case VOP_WMACCSU: // the second operand has a sign
        return n->d + (uint64_t)(n->bs * (int64_t)n->au);
    default: // WMACCUS
        return n->d + (uint64_t)((int64_t)n->bu * n->as);
    }
}

static uint64_t compare(const struct tsr_vector *v, const struct numbers *n)
{
    switch (v->operation) {
    case VOP_EQ:
        return n->au == n->bu;
    case VOP_NE:
        return n->au != n->bu;
    case VOP_LTU:
        return n->au < n->bu;
    case VOP_LT:
        return n->as < n->bs;
    case VOP_LEU:
        return n->au <= n->bu;
    case VOP_LE:
        return n->as <= n->bs;
    case VOP_GTU:
        return n->au > n->bu;
    case VOP_GT:
        return n->as > n->bs;
    case VOP_MADC:
        return (n->au + n->bu + n->bit) >> n->bits & 1;
    default: // MSBC
        return n->au < n->bu + n->bit;
    }
}

static uint64_t simple(const struct tsr_vector *v, const struct numbers *n)
{
    switch (v->operation) {
    case VOP_ADD:
        return n->au + n->bu;
    case VOP_WADD:
        return (uint64_t)(n->as + n->bs);
    case VOP_SUB:
        return n->au - n->bu;
    case VOP_WSUB:
        return (uint64_t)(n->as - n->bs);
    case VOP_RSUB:
        return n->bu - n->au;
    case VOP_AND:
        return n->au & n->bu;
    case VOP_OR:
        return n->au | n->bu;
    case VOP_XOR:
        return n->au ^ n->bu;
    case VOP_MINU:
        return n->au < n->bu ? n->au : n->bu;
    case VOP_MIN:
        return (uint64_t)(n->as < n->bs ? n->as : n->bs);
    case VOP_MAXU:
        return n->au > n->bu ? n->au : n->bu;
    case VOP_MAX:
        return (uint64_t)(n->as > n->bs ? n->as : n->bs);
    case VOP_SLL:
        return n->au << n->shift;
    case VOP_SRL:
        return n->au >> n->shift;
    case VOP_SRA: // as a signed division by a power of two that rounds down
        return n->as < 0 ? ~(~(uint64_t)n->as >> n->shift) : n->au >> n->shift;
    case VOP_ADC:
        return n->au + n->bu + n->bit;
    case VOP_SBC:
        return n->au - n->bu - n->bit;
    case VOP_ZEXT:
        return n->au;
    case VOP_SEXT:
        return (uint64_t)n->as;
    case VOP_MERGE:
    case VOP_FMERGE:
        return n->bit ? n->bu : n->au;
    default: // MV, FMV
        return n->bu;
    }
}

uint32_t tsr_vector_integer(const struct tsr_vector *v, uint32_t a, uint32_t b, uint32_t d,
                            bool bit)
{
    struct numbers n = {.au = a & tsr_mask32(v->a.bits),
                        .bu = b & tsr_mask32(v->sew),
                        .d = d,
                        .as = v->a.bits > 1 ? tsr_vector_signed(a, v->a.bits) : 0,
                        .bs = tsr_vector_signed(b, v->sew),
                        .bits = v->d.bits == 1 ? v->sew : v->d.bits,
                        .wide = v->a.bits,
                        .bit = bit};
    n.shift = b & (n.wide - 1);
    if (v->operation >= VOP_SSRL && v->operation <= VOP_ASUB)
        return (uint32_t)fixed_point(v, &n);
    if (v->operation == VOP_SMUL)
        return (uint32_t)fixed_point(v, &n);
    if (v->operation >= VOP_MUL && v->operation <= VOP_WMACCUS)
        return (uint32_t)multiply(v, &n);
    if (v->operation == VOP_MADC || v->operation == VOP_MSBC ||
        (v->operation >= VOP_EQ && v->operation <= VOP_GT))
        return (uint32_t)compare(v, &n);
    return (uint32_t)simple(v, &n);
}
