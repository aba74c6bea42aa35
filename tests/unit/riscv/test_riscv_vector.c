// SPDX-License-Identifier: Apache-2.0
// T2's vector arithmetic: an example or more for each row that computes element by element or
// reduces, worked by hand; what is masked, and what lies behind vl, stays as it was.
// Pages: InstructionSet.md and CSRs.md of BlackholeA0/TensixTile/BabyRISCV; the RISC-V manual for
// V.
#include "base/finding_codes.h"
#include "rig/riscv_rig.h"
#include "riscv/riscv_vector.h"
#include "riscv/riscv_vector_ops.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { RD = 16, VS1 = 12, VS2 = 8, FILLER = 0xa5 };
enum { SAT = 0x100 }; // of flags: vxsat
#define ONE 0x3f800000
#define TWO 0x40000000
#define THREE 0x40400000
#define MINUS 0x80000000

// Of all rows whose mnemonic is `name`, or that and one letter more: "vadd.v" is vadd.vv, .vx, .vi.
static const struct example {
    const char *name;
    unsigned sew;
    uint32_t a, b, d; // first elements of vs2, of vs1 or the scalar, of vd
    uint32_t result;
    unsigned flags; // of fcsr, or SAT
    bool bit;       // carry, or choice
} examples[] = {
    {"vadd.v", 8, 0x7f, 1, 0, 0x80, 0, false},
    {"vadd.v", 32, 0xffffffff, 0xffffffff, 0, 0xfffffffe, 0, false},
    {"vsub.v", 8, 0, 1, 0, 0xff, 0, false},
    {"vrsub.v", 16, 1, 0, 0, 0xffff, 0, false},
    {"vminu.v", 8, 0x80, 1, 0, 1, 0, false},
    {"vmin.v", 8, 0x80, 1, 0, 0x80, 0, false},
    {"vmaxu.v", 8, 0x80, 1, 0, 0x80, 0, false},
    {"vmax.v", 8, 0x80, 1, 0, 1, 0, false},
    {"vand.v", 16, 0xff0f, 15, 0, 15, 0, false},
    {"vor.v", 16, 0xf0f0, 5, 0, 0xf0f5, 0, false},
    {"vxor.v", 16, 0xff00, 0xffff, 0, 0x00ff, 0, false},
    {"vsll.v", 8, 0x81, 9, 0, 0x02, 0, false}, // of a shift only the bits that count
    {"vsrl.v", 8, 0x81, 9, 0, 0x40, 0, false},
    {"vsra.v", 8, 0x81, 9, 0, 0xc0, 0, false},
    {"vsra.v", 32, 0x80000000, 31, 0, 0xffffffff, 0, false},
    {"vadc.vvm", 8, 0xff, 0, 0, 0, 0, true},
    {"vadc.vxm", 8, 0xff, 1, 0, 1, 0, true},
    {"vadc.vim", 8, 1, 1, 0, 2, 0, false},
    {"vmadc.vvm", 8, 0xff, 0, 0, 1, 0, true},
    {"vmadc.vxm", 32, 0xffffffff, 0, 0, 1, 0, true},
    {"vmadc.vim", 8, 0xff, 0, 0, 0, 0, false},
    {"vmadc.v", 8, 0xff, 1, 0, 1, 0, false},
    {"vsbc.vvm", 8, 0, 0, 0, 0xff, 0, true},
    {"vsbc.vxm", 8, 0, 1, 0, 0xff, 0, false},
    {"vmsbc.vvm", 8, 0, 0, 0, 1, 0, true},
    {"vmsbc.vxm", 32, 0, 0xffffffff, 0, 1, 0, true},
    {"vmsbc.v", 8, 1, 1, 0, 0, 0, false},
    {"vmerge.vvm", 8, 3, 4, 0, 4, 0, true},
    {"vmerge.vxm", 8, 3, 4, 0, 3, 0, false},
    {"vmerge.vim", 32, 3, 0xfffffff0, 0, 0xfffffff0, 0, true},
    {"vmv.v.v", 16, 0, 0x1234, 0, 0x1234, 0, false},
    {"vmv.v.x", 16, 0, 0x12345678, 0, 0x5678, 0, false},
    {"vmv.v.i", 32, 0, 0xfffffff0, 0, 0xfffffff0, 0, false},
    {"vmseq.v", 8, 5, 5, 0, 1, 0, false},
    {"vmsne.v", 8, 5, 5, 0, 0, 0, false},
    {"vmsltu.v", 8, 0x80, 1, 0, 0, 0, false},
    {"vmslt.v", 8, 0x80, 1, 0, 1, 0, false},
    {"vmsleu.v", 8, 1, 1, 0, 1, 0, false},
    {"vmsle.v", 8, 0x80, 0xff, 0, 1, 0, false},
    {"vmsgtu.v", 8, 0x80, 1, 0, 1, 0, false},
    {"vmsgt.v", 8, 0x80, 1, 0, 0, 0, false},
    {"vsaddu.v", 8, 0xff, 1, 0, 0xff, SAT, false},
    {"vsaddu.v", 32, 0xfffffffe, 1, 0, 0xffffffff, 0, false},
    {"vsadd.v", 8, 0x7f, 1, 0, 0x7f, SAT, false},
    {"vsadd.v", 32, 0x80000000, 0xffffffff, 0, 0x80000000, SAT, false},
    {"vssubu.v", 8, 0, 1, 0, 0, SAT, false},
    {"vssub.v", 32, 0x80000000, 1, 0, 0x80000000, SAT, false},
    {"vaaddu.v", 8, 0xff, 2, 0, 0x81, 0, false},
    {"vaadd.v", 8, 0xff, 2, 0, 1, 0, false},
    {"vasubu.v", 8, 1, 2, 0, 0, 0, false},
    {"vasub.v", 8, 0x80, 1, 0, 0xc0, 0, false},
    {"vsmul.v", 8, 0x80, 0x80, 0, 0x7f, SAT, false},
    {"vsmul.v", 32, 0x40000000, 0x40000000, 0, 0x20000000, 0, false},
    {"vssrl.v", 8, 3, 1, 0, 2, 0, false},
    {"vssra.v", 8, 0xfd, 1, 0, 0xff, 0, false},
    {"vnclipu.w", 8, 0x1ff, 1, 0, 0xff, SAT, false},
    {"vnclip.w", 8, 0xff00, 1, 0, 0x80, 0, false},
    {"vnclip.w", 16, 0x7fffffff, 0, 0, 0x7fff, SAT, false},
    {"vnsrl.w", 8, 0x8001, 8, 0, 0x80, 0, false},
    {"vnsra.w", 16, 0x80000001, 28, 0, 0xfff8, 0, false},
    {"vwredsumu.v", 8, 0xff, 1, 0, 0x100, 0, false},
    {"vwredsum.v", 8, 0xff, 1, 0, 0, 0, false},
    {"vredsum.v", 8, 0xff, 1, 0, 0, 0, false},
    {"vredand.v", 8, 0xf0, 0x3c, 0, 0x30, 0, false},
    {"vredor.v", 8, 0xf0, 0x3c, 0, 0xfc, 0, false},
    {"vredxor.v", 8, 0xf0, 0x3c, 0, 0xcc, 0, false},
    {"vredminu.v", 8, 0x80, 1, 0, 1, 0, false},
    {"vredmin.v", 8, 0x80, 1, 0, 0x80, 0, false},
    {"vredmaxu.v", 8, 0x80, 1, 0, 0x80, 0, false},
    {"vredmax.v", 8, 0x80, 1, 0, 1, 0, false},
    {"vmulhu.v", 8, 0xff, 0xff, 0, 0xfe, 0, false},
    {"vmulhu.v", 32, 0xffffffff, 0xffffffff, 0, 0xfffffffe, 0, false},
    {"vmul.v", 8, 0xff, 0xff, 0, 1, 0, false},
    {"vmulhsu.v", 8, 0xff, 0xff, 0, 0xff, 0, false},
    {"vmulhsu.v", 32, 0x80000000, 0xffffffff, 0, 0x80000000, 0, false},
    {"vmulh.v", 8, 0x80, 0x80, 0, 0x40, 0, false},
    {"vmadd.v", 8, 1, 3, 5, 16, 0, false},
    {"vnmsub.v", 8, 1, 3, 5, 0xf2, 0, false},
    {"vmacc.v", 8, 1, 3, 5, 8, 0, false},
    {"vnmsac.v", 8, 1, 3, 5, 2, 0, false},
    {"vwaddu.v", 8, 0xff, 0xff, 0, 0x1fe, 0, false},
    {"vwaddu.w", 8, 0x100, 0xff, 0, 0x1ff, 0, false},
    {"vwadd.v", 8, 0xff, 0xff, 0, 0xfffe, 0, false},
    {"vwadd.w", 8, 0x100, 0xff, 0, 0xff, 0, false},
    {"vwsubu.v", 8, 1, 2, 0, 0xffff, 0, false},
    {"vwsubu.w", 8, 0x100, 0xff, 0, 1, 0, false},
    {"vwsub.v", 8, 0x80, 1, 0, 0xff7f, 0, false},
    {"vwsub.w", 8, 0x100, 0xff, 0, 0x101, 0, false},
    {"vwmulu.v", 8, 0xff, 0xff, 0, 0xfe01, 0, false},
    {"vwmulsu.v", 8, 0xff, 0xff, 0, 0xff01, 0, false},
    {"vwmul.v", 16, 0xffff, 0xffff, 0, 1, 0, false},
    {"vwmaccu.v", 8, 0xff, 0xff, 1, 0xfe02, 0, false},
    {"vwmacc.v", 8, 0xff, 0xff, 1, 2, 0, false},
    {"vwmaccsu.v", 8, 2, 0xff, 1, 0xffff, 0, false}, // the sign is vs1's
    {"vwmaccus.v", 8, 0xff, 2, 1, 0xffff, 0, false}, // vs2's
    {"vzext.vf2", 16, 0x80, 0, 0, 0x80, 0, false},
    {"vsext.vf2", 16, 0x80, 0, 0, 0xff80, 0, false},
    {"vzext.vf4", 32, 0x80, 0, 0, 0x80, 0, false},
    {"vsext.vf4", 32, 0x80, 0, 0, 0xffffff80, 0, false},

    {"vfadd.v", 32, ONE, TWO, 0, THREE, 0, false},
    {"vfadd.v", 32, 1, ONE, 0, ONE, 0, false}, // a denormal is a zero
    {"vfadd.v", 16, 0x3c00, 0x3c00, 0, 0x4000, 0, false},
    {"vfsub.v", 32, THREE, TWO, 0, ONE, 0, false},
    {"vfrsub.v", 32, ONE, THREE, 0, TWO, 0, false},
    {"vfmul.v", 32, TWO, TWO, 0, 0x40800000, 0, false},
    {"vfmul.v", 32, 0x00800000, 0x3f000000, 0, 0, 3, false}, // and so is the result
    {"vfmin.v", 32, ONE, TWO, 0, ONE, 0, false},
    {"vfmax.v", 32, ONE, 0x7fc00000, 0, ONE, 0, false},
    {"vfsgnj.v", 32, ONE, MINUS, 0, ONE | MINUS, 0, false},
    {"vfsgnjn.v", 32, ONE, MINUS, 0, ONE, 0, false},
    {"vfsgnjx.v", 32, ONE | MINUS, MINUS, 0, ONE, 0, false},
    {"vfmadd.v", 32, ONE, TWO, THREE, 0x40e00000, 0, false},
    {"vfnmadd.v", 32, ONE, TWO, THREE, 0xc0e00000, 0, false},
    {"vfmsub.v", 32, ONE, TWO, THREE, 0x40a00000, 0, false},
    {"vfnmsub.v", 32, ONE, TWO, THREE, 0xc0a00000, 0, false},
    {"vfmacc.v", 32, TWO, THREE, ONE, 0x40e00000, 0, false},
    {"vfnmacc.v", 32, TWO, THREE, ONE, 0xc0e00000, 0, false},
    {"vfmsac.v", 32, TWO, THREE, ONE, 0x40a00000, 0, false},
    {"vfnmsac.v", 32, TWO, THREE, ONE, 0xc0a00000, 0, false},
    {"vfredusum.v", 32, ONE, TWO, 0, THREE, 0, false},
    {"vfredosum.v", 32, ONE, TWO, 0, THREE, 0, false},
    {"vfredmin.v", 32, ONE, TWO, 0, ONE, 0, false},
    {"vfredmax.v", 32, ONE, TWO, 0, TWO, 0, false},
    {"vfmerge.vfm", 32, ONE, TWO, 0, TWO, 0, true},
    {"vfmerge.vfm", 32, ONE, TWO, 0, ONE, 0, false},
    {"vfmv.v.f", 32, 0, TWO, 0, TWO, 0, false},
    {"vmfeq.v", 32, 0, MINUS, 0, 1, 0, false},
    {"vmfle.v", 32, ONE, ONE, 0, 1, 0, false},
    {"vmflt.v", 32, ONE, 0x7fc00000, 0, 0, 16, false},
    {"vmfne.v", 32, 0x7fc00000, 0x7fc00000, 0, 1, 0, false},
    {"vmfgt.v", 32, TWO, ONE, 0, 1, 0, false},
    {"vmfge.v", 32, ONE, TWO, 0, 0, 0, false},
    {"vfclass.v", 32, MINUS, 0, 0, 8, 0, false},
    {"vfcvt.x.f.v", 32, 0xbfc00000, 0, 0, 0xfffffffe, 1, false}, // -1.5 to even
    {"vfcvt.xu.f.v", 32, 0xbf800000, 0, 0, 0, 16, false},
    {"vfcvt.rtz.x.f.v", 32, 0xbfc00000, 0, 0, 0xffffffff, 1, false},
    {"vfcvt.rtz.xu.f.v", 32, 0x3fe00000, 0, 0, 1, 1, false},
    {"vfcvt.f.x.v", 32, 0xffffffff, 0, 0, 0xbf800000, 0, false},
    {"vfcvt.f.xu.v", 32, 0xffffffff, 0, 0, 0x4f800000, 1, false},
    {"vfwcvt.f.x.v", 16, 0xffff, 0, 0, 0xbf800000, 0, false},
    {"vfwcvt.f.xu.v", 16, 0xffff, 0, 0, 0x477fff00, 0, false},
    {"vfwcvt.f.f.v", 16, 0x3c00, 0, 0, ONE, 0, false},
    {"vfwcvt.x.f.v", 16, 0xbe00, 0, 0, 0xfffffffe, 1, false},
    {"vfwcvt.xu.f.v", 16, 0x3e00, 0, 0, 2, 1, false},
    {"vfwcvt.rtz.x.f.v", 16, 0xbe00, 0, 0, 0xffffffff, 1, false},
    {"vfwcvt.rtz.xu.f.v", 16, 0x3e00, 0, 0, 1, 1, false},
    {"vfncvt.x.f.w", 16, 0xbfc00000, 0, 0, 0xfffe, 1, false},
    {"vfncvt.x.f.w", 16, 0x47c35000, 0, 0, 0x7fff, 16, false}, // 100000
    {"vfncvt.xu.f.w", 16, 0x47c35000, 0, 0, 0xffff, 16, false},
    {"vfncvt.rtz.x.f.w", 16, 0xbfc00000, 0, 0, 0xffff, 1, false},
    {"vfncvt.rtz.xu.f.w", 16, 0x3fe00000, 0, 0, 1, 1, false},
    {"vfncvt.f.x.w", 16, 3, 0, 0, 0x4200, 0, false},
    {"vfncvt.f.xu.w", 16, 0xffffffff, 0, 0, 0x7c00, 5, false},
    {"vfncvt.f.f.w", 16, ONE, 0, 0, 0x3c00, 0, false},
    {"vfncvt.rod.f.f.w", 16, 0x3f801000, 0, 0, 0x3c01, 1, false},
    {"vfwadd.v", 16, 0x3c00, 0x3c00, 0, TWO, 0, false},
    {"vfwadd.w", 16, ONE, 0x3c00, 0, TWO, 0, false},
    {"vfwsub.v", 16, 0x4000, 0x3c00, 0, ONE, 0, false},
    {"vfwsub.w", 16, TWO, 0x3c00, 0, ONE, 0, false},
    {"vfwmul.v", 16, 0x4000, 0x4000, 0, 0x40800000, 0, false},
    {"vfwmacc.v", 16, 0x4000, 0x4200, ONE, 0x40e00000, 0, false},
    {"vfwnmacc.v", 16, 0x4000, 0x4200, ONE, 0xc0e00000, 0, false},
    {"vfwmsac.v", 16, 0x4000, 0x4200, ONE, 0x40a00000, 0, false},
    {"vfwnmsac.v", 16, 0x4000, 0x4200, ONE, 0xc0a00000, 0, false},
    {"vfwredusum.v", 16, 0x3c00, ONE, 0, TWO, 0, false},
    {"vfwredosum.v", 16, 0x3c00, ONE, 0, TWO, 0, false},
};

static struct riscv_rig *new_rig(unsigned sew, uint32_t length)
{
    struct riscv_rig *rig = rig_new(TSR_BLACKHOLE_A0, TSR_CORE_T2);
    tsr_hart_reset(&rig->hart, RIG_CODE, 0);
    memset(rig->hart.v, FILLER, sizeof rig->hart.v);
    rig->hart.csr[TSR_CSR_VTYPE] = (sew == 32 ? 2u : sew / 16) << 3;
    rig->hart.csr[TSR_CSR_VL] = length;
    return rig;
}

static bool fits(const struct tsr_riscv_row *row, uint32_t b, unsigned sew)
{
    int32_t number = tsr_vector_signed(b, sew);
    if (row->format == RISCV_FORMAT_VI)
        return number >= -16 && number < 16;
    return row->format != RISCV_FORMAT_VU || b < 32;
}

// The bits of the result, and of the first operand.
static unsigned result_bits(const struct tsr_riscv_row *row, unsigned sew)
{
    bool wide = strncmp(row->mnemonic, "vw", 2) == 0 || strncmp(row->mnemonic, "vfw", 3) == 0;
    return wide ? 2 * sew : sew;
}

static unsigned operand_bits(const struct tsr_riscv_row *row, unsigned sew)
{
    const char *dot = strchr(row->mnemonic, '.');
    if (strstr(row->mnemonic, "ext.vf"))
        return sew / (unsigned)(row->mnemonic[strlen(row->mnemonic) - 1] - '0');
    return dot[1] == 'w' || strstr(dot, ".w") ? 2 * sew : sew;
}

static bool is_mask(const struct tsr_riscv_row *row)
{
    return strncmp(row->mnemonic, "vm", 2) == 0 && strncmp(row->mnemonic, "vmul", 4) != 0 &&
           strncmp(row->mnemonic, "vmin", 4) != 0 && strncmp(row->mnemonic, "vmax", 4) != 0 &&
           strncmp(row->mnemonic, "vmadd", 5) != 0 && strncmp(row->mnemonic, "vmacc", 5) != 0 &&
           strncmp(row->mnemonic, "vmerge", 6) != 0 && strncmp(row->mnemonic, "vmv", 3) != 0;
}

static bool reduces(const struct tsr_riscv_row *row)
{
    return strstr(row->mnemonic, ".vs") != NULL;
}

static uint32_t word_of(const struct tsr_riscv_row *row, uint32_t b, bool masked)
{
    uint32_t rs1 = row->format == RISCV_FORMAT_VI || row->format == RISCV_FORMAT_VU ? b & 31 : VS1;
    uint32_t free = RD << 7 | rs1 << 15 | VS2 << 20 | (masked ? 0 : 1u << 25);
    return row->match | (free & ~row->mask);
}

static void set_operands(struct tsr_hart *hart, const struct tsr_riscv_row *row,
                         const struct example *e)
{
    unsigned wide = result_bits(row, e->sew);
    tsr_vector_set(hart->v, VS2, operand_bits(row, e->sew), 0, e->a);
    tsr_vector_set(hart->v, VS1, reduces(row) ? wide : e->sew, 0, e->b);
    hart->x[VS1] = e->b;
    hart->f[VS1] = e->sew == 16 ? e->b | 0xffff0000u : e->b;
    tsr_vector_set(hart->v, RD, wide, 0, e->d);
    tsr_vector_set_bit(hart->v, 0, 0, e->bit);
}

static void check_example(const struct tsr_riscv_row *row, const struct example *e)
{
    struct riscv_rig *rig = new_rig(e->sew, 1);
    struct tsr_hart *hart = &rig->hart;
    uint8_t expected[sizeof hart->v];
    set_operands(hart, row, e);
    memcpy(expected, hart->v, sizeof expected);
    if (is_mask(row))
        tsr_vector_set_bit(expected, RD, 0, e->result);
    else
        tsr_vector_set(expected, RD, result_bits(row, e->sew), 0, e->result);
    rig_add(rig, word_of(row, e->b, false));
    assert_int_equal(tsr_riscv_run(rig->riscv, hart, 1), 1);
    unsigned flags = hart->csr[TSR_CSR_FCSR] | (hart->csr[TSR_CSR_VXSAT] ? SAT : 0);
    bool half = rig->findings > 0;
    if (half)
        assert_int_equal(rig->finding, FINDING_CORE_VECTOR_HALF);
    if (memcmp(expected, hart->v, sizeof expected) != 0 || flags != e->flags)
        fail_msg("%s %08x %08x: %08x and flags %x, not %08x and %x", row->mnemonic, (unsigned)e->a,
                 (unsigned)e->b, (unsigned)tsr_vector_get(hart->v, RD, result_bits(row, e->sew), 0),
                 flags, (unsigned)e->result, e->flags);
    rig_free(rig);
}

// With the element masked nothing changes, flags neither.
static void check_masked(const struct tsr_riscv_row *row, const struct example *e)
{
    if (row->mask >> 25 & 1 || reduces(row))
        return;
    struct riscv_rig *rig = new_rig(e->sew, 1);
    struct tsr_hart *hart = &rig->hart;
    uint8_t expected[sizeof hart->v];
    set_operands(hart, row, e);
    tsr_vector_set_bit(hart->v, 0, 0, false);
    memcpy(expected, hart->v, sizeof expected);
    rig_add(rig, word_of(row, e->b, true));
    assert_int_equal(tsr_riscv_run(rig->riscv, hart, 1), 1);
    assert_memory_equal(expected, hart->v, sizeof expected);
    assert_int_equal(hart->csr[TSR_CSR_FCSR] | hart->csr[TSR_CSR_VXSAT], 0);
    rig_free(rig);
}

static bool is_for(const struct example *e, const struct tsr_riscv_row *row)
{
    size_t length = strlen(e->name), whole = strlen(row->mnemonic);
    return strncmp(e->name, row->mnemonic, length) == 0 && whole - length <= 1 &&
           fits(row, e->b, e->sew);
}

static void test_examples(void **state)
{
    (void)state;
    bool used[sizeof examples / sizeof examples[0]] = {false};
    for (int code = RISCV_VADD_VV; code < RISCV_ROWS; code++) {
        const struct tsr_riscv_row *row = tsr_riscv_row(code);
        if (!row->implemented || !tsr_riscv_is_vector((unsigned)code))
            continue;
        for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
            if (!is_for(&examples[i], row))
                continue;
            used[i] = true;
            check_example(row, &examples[i]);
            check_masked(row, &examples[i]);
        }
    }
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++)
        if (!used[i])
            fail_msg("%s is no instruction", examples[i].name);
}

// What test_riscv_vector_moves.c shows is not here.
static void test_each_has_an_example(void **state)
{
    (void)state;
    static const char *const elsewhere[] = {
        "vslide",   "vfslide",  "vrgather", "vcompress", "vmand", "vmnand", "vmor",    "vmnor",
        "vmxor",    "vmxnor",   "vcpop",    "vfirst",    "viota", "vid",    "vmv.x.s", "vmv.s.x",
        "vfmv.f.s", "vfmv.s.f", "vmv1r",    "vmv2r",     "vmv4r", "vmv8r"};
    for (int code = RISCV_VADD_VV; code < RISCV_ROWS; code++) {
        const struct tsr_riscv_row *row = tsr_riscv_row(code);
        bool has = !row->implemented || !tsr_riscv_is_vector((unsigned)code);
        for (size_t i = 0; !has && i < sizeof elsewhere / sizeof elsewhere[0]; i++)
            has = strncmp(row->mnemonic, elsewhere[i], strlen(elsewhere[i])) == 0;
        has = has || strcmp(row->mnemonic, "vmsbf.m") == 0 ||
              strcmp(row->mnemonic, "vmsif.m") == 0 || strcmp(row->mnemonic, "vmsof.m") == 0;
        for (size_t i = 0; !has && i < sizeof examples / sizeof examples[0]; i++)
            has = is_for(&examples[i], row);
        if (!has)
            fail_msg("%s has no example", row->mnemonic);
    }
}

// vxrm: to nearest with ties up, to nearest even, down, to odd.
static void test_rounding(void **state)
{
    (void)state;
    static const uint8_t results[4][4] = {// 1/4, 2/4, 3/4, 6/4
                                          {0, 1, 1, 2},
                                          {0, 0, 1, 2},
                                          {0, 0, 0, 1},
                                          {1, 1, 1, 1}};
    for (uint32_t mode = 0; mode < 4; mode++) {
        struct riscv_rig *rig = new_rig(8, 4);
        static const uint8_t quarters[4] = {1, 2, 3, 6};
        memcpy(&rig->hart.v[VS2 * TSR_VECTOR_BYTES], quarters, 4);
        rig->hart.csr[TSR_CSR_VXRM] = mode;
        rig_add(rig, word_of(tsr_riscv_row(RISCV_VSSRL_VI), 2, false));
        assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 1);
        assert_memory_equal(&rig->hart.v[RD * TSR_VECTOR_BYTES], results[mode], 4);
        rig_free(rig);
    }
}

// A group of eight registers and a fraction of one; masks have a bit for each element.
static void test_groups(void **state)
{
    (void)state;
    for (uint32_t type = 0; type < 8; type++) {
        if (type == 4 || type == 5)
            continue;
        uint32_t most = type < 4 ? 16u << type : 16u >> (8 - type);
        struct riscv_rig *rig = new_rig(8, most);
        struct tsr_hart *hart = &rig->hart;
        uint8_t expected[sizeof hart->v];
        hart->csr[TSR_CSR_VTYPE] = type;
        for (size_t i = 0; i < sizeof hart->v; i++)
            hart->v[i] = (uint8_t)(i * 7);
        memcpy(expected, hart->v, sizeof expected);
        for (uint32_t i = 0; i < most; i++)
            if (expected[i / 8] >> i % 8 & 1)
                expected[RD * 16 + i] = (uint8_t)(expected[VS2 * 16 + i] + 3);
        uint32_t imm = word_of(tsr_riscv_row(RISCV_VADD_VI), 3, true);
        rig_add(rig, imm);
        assert_int_equal(tsr_riscv_run(rig->riscv, hart, 1), 1);
        assert_int_equal(rig->findings, 0);
        assert_memory_equal(expected, hart->v, sizeof expected);
        rig_free(rig);
    }
}

// In each width, all elements of a register; behind vl they stay.
static void test_tails(void **state)
{
    (void)state;
    for (unsigned sew = 8; sew <= 32; sew *= 2)
        for (uint32_t length = 0; length <= 128 / sew; length++) {
            struct riscv_rig *rig = new_rig(sew, length);
            rig_add(rig, word_of(tsr_riscv_row(RISCV_VMV_V_I), 7, false));
            assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 1);
            for (uint32_t i = 0; i < 128 / sew; i++)
                assert_int_equal(tsr_vector_get(rig->hart.v, RD, sew, i),
                                 i < length ? 7 : 0xa5a5a5a5u & tsr_mask32(sew));
            rig_free(rig);
        }
}

// A sum of all that is not masked; with vl 0 not even the first operand is copied.
static void test_reductions(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(32, 4);
    for (uint32_t i = 0; i < 4; i++)
        tsr_vector_set(rig->hart.v, VS2, 32, i, 1u << i);
    tsr_vector_set(rig->hart.v, VS1, 32, 0, 0x100);
    rig->hart.v[0] = 0x0b; // not element 2
    rig_add(rig, word_of(tsr_riscv_row(RISCV_VREDSUM_VS), 0, true));
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 1);
    assert_int_equal(tsr_vector_get(rig->hart.v, RD, 32, 0), 0x10b);
    assert_int_equal(tsr_vector_get(rig->hart.v, RD, 32, 1), 0xa5a5a5a5);
    rig->hart.csr[TSR_CSR_VL] = 0;
    tsr_vector_set(rig->hart.v, RD, 32, 0, 5);
    rig->hart.pc = RIG_CODE;
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 1);
    assert_int_equal(tsr_vector_get(rig->hart.v, RD, 32, 0), 5);
    rig_free(rig);
}

// cfg0 makes bfloat16 of half precision, here too; a half that is not boxed is a NaN.
static void test_half_formats(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(16, 1);
    rig->hart.csr[TSR_CSR_CFG0] |= 1u << 30;
    tsr_vector_set(rig->hart.v, VS2, 16, 0, 0x3f80);
    rig->hart.f[VS1] = 0xffff4000;
    rig_add(rig, word_of(tsr_riscv_row(RISCV_VFADD_VF), 0, false));
    rig_add(rig, word_of(tsr_riscv_row(RISCV_VFADD_VF), 0, false));
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 1);
    assert_int_equal(tsr_vector_get(rig->hart.v, RD, 16, 0), 0x4040);
    rig->hart.f[VS1] = 0x4000;
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 1);
    assert_int_equal(tsr_vector_get(rig->hart.v, RD, 16, 0), 0x7fc0);
    assert_int_equal(rig->findings, 2);
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),     cmocka_unit_test(test_each_has_an_example),
        cmocka_unit_test(test_rounding),     cmocka_unit_test(test_groups),
        cmocka_unit_test(test_tails),        cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_half_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
