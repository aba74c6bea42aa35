// SPDX-License-Identifier: Apache-2.0
// Decoding words, and the table of the unit's instructions: what each runs, which LRegs it reads,
// and which bits of its modifier mean something on each chip.
// Pages: VectorUnit.md of each chip and the page of each instruction; for `seen_reads` SFPMAD.md
// of Blackhole.
#include "vector/vector_decode.h"

#include "vector/vector_config.h"
#include "vector/vector_dst.h"
#include "vector/vector_flags.h"
#include "vector/vector_lanewise.h"
#include "vector/vector_mad.h"
#include "vector/vector_moves.h"

// ---------------------------------------------------------------- the instructions

// Where an instruction has its registers, and what it reads of them.
enum {
    READS_A = 1,
    READS_B = 2,
    READS_C = 4,
    READS_D = 8,         // through VB, which is VD
    READS_D_NO_IMM = 16, // ... unless ARG_IMM, bit 0 of the modifier, has the immediate instead
    READS_L0 = 32,
    READS_LUT = 64,      // LRegs 0 to 3
    READS_LUT_FP32 = 128 // ... and 4 to 6
};

struct operation {
    tsr_vector_run_fn *run;
    uint16_t reads;
    uint16_t mods[TSR_ARCH_COUNT]; // bits of the modifier that the chip's page knows
    bool has_vd;
    uint8_t computes; // tsr_vector_op
};

static bool run_nothing(const struct tsr_vector_call *call)
{
    (void)call;
    return true;
}

static const struct operation operations[OP_COUNT] = {
    [OP_SFPLOAD] = {tsr_vector_run_load, 0, {15, 15}, true, TSR_VECTOR_OPS},
    [OP_SFPLOADI] = {tsr_vector_run_loadi, 0, {15, 15}, true, TSR_VECTOR_LOADI},
    [OP_SFPSTORE] = {tsr_vector_run_store, 0, {15, 15}, true, TSR_VECTOR_OPS},
    [OP_SFPLOADMACRO] = {tsr_vector_run_load, 0, {15, 15}, false, TSR_VECTOR_OPS},
    [OP_SFPNOP] = {run_nothing, 0, {0, 0}, false, TSR_VECTOR_OPS},
    [OP_SFPLUT] = {tsr_vector_run_lut, READS_LUT, {12, 12}, true, TSR_VECTOR_LUT},
    [OP_SFPLUTFP32] = {tsr_vector_run_lut, READS_LUT_FP32, {15, 15}, true, TSR_VECTOR_LUTFP32},
    [OP_SFPMULI] = {tsr_vector_run_muli, READS_C, {8, 10}, true, TSR_VECTOR_FMA},
    [OP_SFPADDI] = {tsr_vector_run_addi, READS_C, {8, 10}, true, TSR_VECTOR_FMA},
    [OP_SFPMAD] = {tsr_vector_run_mad, READS_A | READS_B | READS_C, {12, 15}, true, TSR_VECTOR_FMA},
    [OP_SFPADD] = {tsr_vector_run_mad, READS_A | READS_B | READS_C, {12, 15}, true, TSR_VECTOR_FMA},
    [OP_SFPMUL] = {tsr_vector_run_mad, READS_A | READS_B | READS_C, {12, 15}, true, TSR_VECTOR_FMA},
    [OP_SFPMUL24] =
        {tsr_vector_run_mul24, READS_A | READS_B | READS_C, {0, 13}, true, TSR_VECTOR_MUL24},
    [OP_SFPDIVP2] = {tsr_vector_run_lanewise, READS_C, {1, 1}, true, TSR_VECTOR_DIVP2},
    [OP_SFPEXEXP] = {tsr_vector_run_exexp, READS_C, {11, 11}, true, TSR_VECTOR_EXEXP},
    [OP_SFPEXMAN] = {tsr_vector_run_lanewise, READS_C, {1, 1}, true, TSR_VECTOR_EXMAN},
    [OP_SFPIADD] = {tsr_vector_run_iadd, READS_C | READS_D_NO_IMM, {15, 15}, true, TSR_VECTOR_IADD},
    [OP_SFPSHFT] = {tsr_vector_run_lanewise, READS_C | READS_D, {1, 7}, true, TSR_VECTOR_SHFT},
    [OP_SFPSETCC] = {tsr_vector_run_setcc, READS_C, {15, 15}, true, TSR_VECTOR_TEST},
    [OP_SFPMOV] = {tsr_vector_run_mov, READS_C, {11, 11}, true, TSR_VECTOR_MOV},
    [OP_SFPABS] = {tsr_vector_run_lanewise, READS_C, {1, 1}, true, TSR_VECTOR_ABS},
    [OP_SFPAND] = {tsr_vector_run_lanewise, READS_C | READS_D, {0, 1}, true, TSR_VECTOR_AND},
    [OP_SFPOR] = {tsr_vector_run_lanewise, READS_C | READS_D, {0, 1}, true, TSR_VECTOR_OR},
    [OP_SFPXOR] = {tsr_vector_run_lanewise, READS_C | READS_D, {0, 0}, true, TSR_VECTOR_XOR},
    [OP_SFPNOT] = {tsr_vector_run_lanewise, READS_C, {0, 0}, true, TSR_VECTOR_NOT},
    [OP_SFPLZ] = {tsr_vector_run_lz, READS_C, {14, 14}, true, TSR_VECTOR_LZ},
    [OP_SFPSETEXP] =
        {tsr_vector_run_lanewise, READS_C | READS_D_NO_IMM, {3, 3}, true, TSR_VECTOR_SETEXP},
    [OP_SFPSETMAN] =
        {tsr_vector_run_lanewise, READS_C | READS_D_NO_IMM, {1, 1}, true, TSR_VECTOR_SETMAN},
    [OP_SFPSETSGN] =
        {tsr_vector_run_lanewise, READS_C | READS_D_NO_IMM, {1, 1}, true, TSR_VECTOR_SETSGN},
    [OP_SFPPUSHC] = {tsr_vector_run_pushc, 0, {0, 15}, true, TSR_VECTOR_OPS},
    [OP_SFPPOPC] = {tsr_vector_run_popc, 0, {15, 15}, true, TSR_VECTOR_OPS},
    [OP_SFPENCC] = {tsr_vector_run_encc, 0, {11, 11}, true, TSR_VECTOR_OPS},
    [OP_SFPCOMPC] = {tsr_vector_run_compc, 0, {0, 0}, true, TSR_VECTOR_OPS},
    [OP_SFPTRANSP] = {tsr_vector_run_transp, 0, {0, 0}, true, TSR_VECTOR_OPS},
    [OP_SFP_STOCH_RND] = {tsr_vector_run_stoch_rnd, READS_C, {15, 15}, true, TSR_VECTOR_STOCH_RND},
    [OP_SFPCAST] = {tsr_vector_run_cast, READS_C, {1, 3}, true, TSR_VECTOR_CAST},
    [OP_SFPCONFIG] = {tsr_vector_run_config, 0, {15, 15}, false, TSR_VECTOR_OPS},
    [OP_SFPSWAP] = {tsr_vector_run_swap, 0, {15, 15}, true, TSR_VECTOR_OPS},
    [OP_SFPSHFT2] = {tsr_vector_run_shft2, 0, {15, 15}, true, TSR_VECTOR_SHFT2},
    [OP_SFPLE] = {tsr_vector_run_le, READS_C | READS_D, {0, 15}, true, TSR_VECTOR_LESS},
    [OP_SFPGT] = {tsr_vector_run_gt, READS_C | READS_D, {0, 15}, true, TSR_VECTOR_LESS},
    [OP_SFPARECIP] = {tsr_vector_run_lanewise, READS_C, {0, 3}, true, TSR_VECTOR_ARECIP},
};

// ---------------------------------------------------------------- a word's operands

enum {
    ALL_LREGS = 0xff,
    L7 = 1 << TSR_LREG7,
    INDIRECT_VD = SFPMAD_MOD1_INDIRECT_VD // of all that have it
};

static bool is_mad(uint8_t op)
{
    return op == OP_SFPMAD || op == OP_SFPADD || op == OP_SFPMUL || op == OP_SFPMUL24;
}

bool tsr_vector_names_va(const struct tsr_vector_args *args)
{
    return is_mad(args->op) && args->mod & SFPMAD_MOD1_INDIRECT_VA;
}

bool tsr_vector_names_vd(const struct tsr_vector_args *args)
{
    bool has_bit = is_mad(args->op) || args->op == OP_SFPMULI || args->op == OP_SFPADDI ||
                   args->op == OP_SFPLUT || args->op == OP_SFPLUTFP32;
    return has_bit && args->mod & INDIRECT_VD && args->vd != TSR_LREG_MACRO;
}

static uint32_t lreg_bit(unsigned lreg)
{
    return 1u << lreg;
}

static uint32_t reads_of_shft2(const struct tsr_vector_args *args)
{
    switch (args->mod) {
    case SFPSHFT2_MOD1_COPY4:
    case SFPSHFT2_MOD1_SUBVEC_CHAINED_COPY4:
        return 0xf; // L0 to L3
    case SFPSHFT2_MOD1_SUBVEC_SHFLROR1_AND_COPY4:
        return 0xe | lreg_bit(args->vc);
    case SFPSHFT2_MOD1_SUBVEC_SHFLROR1:
    case SFPSHFT2_MOD1_SUBVEC_SHFLSHR1:
        return lreg_bit(args->vc);
    case SFPSHFT2_MOD1_SHFT_LREG:
        return lreg_bit(args->vb) | lreg_bit(args->vc);
    case SFPSHFT2_MOD1_SHFT_IMM:
        return lreg_bit(args->vb);
    default:
        return 0;
    }
}

// Loads that leave the other half of VD as it is.
static bool loads_half(const struct tsr_vector_args *args)
{
    enum {
        LOADI_HALVES = 1 << SFPLOADI_MOD0_UPPER | 1 << SFPLOADI_MOD0_LOWER,
        HALVES = 1 << MOD0_FMT_LO16_ONLY | 1 << MOD0_FMT_HI16_ONLY
    };
    bool loads = args->op == OP_SFPLOAD || args->op == OP_SFPLOADMACRO;
    unsigned modes = args->op == OP_SFPLOADI ? LOADI_HALVES : loads ? HALVES : 0;
    return modes >> args->mod & 1 && args->vd < TSR_LREGS_PLAIN;
}

static uint32_t reads_of(const struct tsr_vector_args *args)
{
    enum { FP16_3_ENTRIES = SFPLUTFP32_MOD1_FP16_3ENTRY_TABLE, ARG_IMM = SFPIADD_MOD1_ARG_IMM };
    uint16_t kinds = operations[args->op].reads;
    uint32_t reads = 0;
    if (kinds & READS_A)
        reads |= tsr_vector_names_va(args) ? 0xffff : lreg_bit(args->va);
    if (kinds & READS_B || kinds & READS_D || (kinds & READS_D_NO_IMM && !(args->mod & ARG_IMM)))
        reads |= lreg_bit(args->vb);
    if (kinds & READS_C)
        reads |= lreg_bit(args->vc);
    if (kinds & (READS_LUT | READS_LUT_FP32))
        reads |= 0xf;
    if (kinds & READS_LUT_FP32 && (args->mod & FP16_3_ENTRIES) != FP16_3_ENTRIES)
        reads |= 0x70;
    if (tsr_vector_names_vd(args) || tsr_vector_names_va(args))
        reads |= L7;
    switch (args->op) {
    case OP_SFPLOAD:
    case OP_SFPLOADI:
    case OP_SFPLOADMACRO:
        return loads_half(args) ? lreg_bit(args->vd) : 0;
    case OP_SFPSTORE:
        return lreg_bit(args->vd);
    case OP_SFPSWAP: // VB is VD, but for what SFPLOADMACRO has scheduled
        return lreg_bit(args->vb) | lreg_bit(args->vc);
    case OP_SFPTRANSP:
        return ALL_LREGS;
    case OP_SFPSHFT2:
        return reads_of_shft2(args);
    case OP_SFPMOV:
        return args->mod & SFPMOV_MOD1_FROM_SPECIAL ? 0 : reads;
    case OP_SFPCONFIG:
        return args->mod & SFPCONFIG_MOD1_IMM16_IS_VALUE && args->vd > 3 ? 0 : lreg_bit(0);
    case OP_SFP_STOCH_RND:
        if (args->mod == SFPSTOCHRND_MOD1_INT32_TO_UINT8 ||
            args->mod == SFPSTOCHRND_MOD1_INT32_TO_INT8)
            reads |= lreg_bit(args->vb);
        return reads;
    case OP_SFPARECIP:
        return args->mod == SFPARECIP_MOD1_COND_RECIP ? reads | lreg_bit(args->vb) : reads;
    case OP_SFPSHFT: // Blackhole may shift VC instead of VD
        if (!(args->mod & SFPSHFT_MOD1_ARG_IMM))
            return reads;
        return lreg_bit(args->mod & ~args->stray_mod & SFPSHFT_MOD1_ARG_IMM_USE_VC ? args->vc
                                                                                   : args->vb);
    case OP_SFPSETCC: // a constant
        return args->mod & (SFPSETCC_MOD1_IMM_BIT0 | SFPSETCC_MOD1_CLEAR) ? 0 : reads;
    default:
        return reads;
    }
}

// SFPSHFT2 in the modes that take two cycles.
static bool shuffles(const struct tsr_vector_args *args)
{
    return args->op == OP_SFPSHFT2 && args->mod >= SFPSHFT2_MOD1_SUBVEC_SHFLROR1_AND_COPY4 &&
           args->mod <= SFPSHFT2_MOD1_SUBVEC_SHFLSHR1;
}

// What Blackhole's stalling logic takes for the reads of an instruction.
static uint32_t seen_reads_of(const struct tsr_vector_args *args)
{
    switch (args->op) {
    case OP_SFPAND:
    case OP_SFPOR:
        return lreg_bit(args->vd & 15) | lreg_bit(args->vc);
    case OP_SFPIADD:
    case OP_SFPSHFT:
        return lreg_bit(args->vc);
    case OP_SFPCONFIG:
        return 0;
    case OP_SFPSWAP:
        return args->mod == SFPSWAP_MOD1_SWAP ? args->reads : 0;
    case OP_SFPSHFT2:
        if (shuffles(args))
            return 0;
        return args->mod >= SFPSHFT2_MOD1_SHFT_LREG ? lreg_bit(args->vd & 15) | lreg_bit(args->vc)
                                                    : args->reads;
    case OP_SFP_STOCH_RND:
        return lreg_bit(args->vb) | lreg_bit(args->vc);
    case OP_SFPLUTFP32: // by a second copy of the modifier
        return args->mirror & INDIRECT_VD ? ALL_LREGS : ALL_LREGS & ~(uint32_t)L7;
    default:
        return tsr_vector_names_va(args) ? ALL_LREGS : args->reads;
    }
}

static void find_late(const struct tsr_env *env, struct tsr_vector_args *args)
{
    args->shuffles = shuffles(args);
    args->late_lregs = args->late_kept = 0;
    if (args->sub_unit == TSR_SUB_MAD) {
        args->late_lregs = tsr_vector_names_vd(args)       ? (uint32_t)ALL_LREGS
                           : tsr_vector_writable(args->vd) ? lreg_bit(args->vd)
                                                           : 0;
    } else if (args->shuffles && env->chip->arch == TSR_WORMHOLE_B0) {
        bool copies = args->mod == SFPSHFT2_MOD1_SUBVEC_SHFLROR1_AND_COPY4;
        args->late_lregs = copies ? 0xf : tsr_vector_writable(args->vd) ? lreg_bit(args->vd) : 0;
        args->late_kept = copies ? 0xe : 0;
    }
    args->seen_late = args->late_lregs;
    if (args->op == OP_SFPLUTFP32)
        args->seen_late = args->mirror & INDIRECT_VD      ? (uint32_t)ALL_LREGS
                          : tsr_vector_writable(args->vd) ? lreg_bit(args->vd)
                                                          : 0;
}

void tsr_vector_args_reads(const struct tsr_env *env, struct tsr_vector_args *args)
{
    bool shft2 = args->op == OP_SFPSHFT2;
    args->reads = reads_of(args);
    args->uses = args->reads;
    if (args->op == OP_SFPTRANSP || (shft2 && args->mod <= SFPSHFT2_MOD1_SUBVEC_CHAINED_COPY4) ||
        args->sub_unit == TSR_SUB_LOAD) // of two halves one comes first
        args->uses = 0;
    else if (shft2 && args->mod == SFPSHFT2_MOD1_SUBVEC_SHFLROR1_AND_COPY4)
        args->uses = lreg_bit(args->vc);
    args->seen_reads = seen_reads_of(args);
    find_late(env, args);
}

// What may report something depends on more than its operands, or on operands that report.
static bool is_quiet(const struct tsr_env *env, const struct tsr_vector_args *args)
{
    if (args->stray_mod || tsr_vector_is_template(args))
        return false;
    switch (args->op) {
    case OP_SFPLOADMACRO:
    case OP_SFPCONFIG:
    case OP_SFPPUSHC:
    case OP_SFPPOPC:
        return false;
    case OP_SFPLOADI:
        return TSR_VECTOR_LOADI_MODES >> args->mod & 1;
    case OP_SFPSWAP:
        return args->mod < TSR_VECTOR_SWAP_MODES;
    case OP_SFPMUL24:
        return args->vc == TSR_LCONST_0;
    case OP_SFPADD:
    case OP_SFPMUL:
        return tsr_vector_is_sum_or_product(args);
    case OP_SFPSHFT2:
        return args->mod <= SFPSHFT2_MOD1_SHFT_IMM &&
               (args->mod != SFPSHFT2_MOD1_SUBVEC_SHFLSHR1 || env->chip->arch != TSR_WORMHOLE_B0);
    default:
        return true;
    }
}

// Of VD from 8 to 11 nothing is written; these do nothing else.
static bool has_no_effect(const struct tsr_vector_args *args)
{
    if (!args->has_vd || args->vd < TSR_LREGS_PLAIN || tsr_vector_is_template(args) ||
        !args->kernel || tsr_vector_names_vd(args))
        return false;
    switch (args->op) {
    case OP_SFPSETCC:
    case OP_SFPLE:
    case OP_SFPGT:
        return false;
    case OP_SFPSHFT2:
        return args->mod >= SFPSHFT2_MOD1_SHFT_LREG;
    default:
        return true;
    }
}

// The operand has one of several names.
static uint32_t any(const struct tsr_env *env, enum tsr_op op, uint32_t word,
                    const enum tsr_operand_id *names, unsigned count)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= tsr_operand(env->isa, op, word, names[i]);
    return value;
}
#define ANY(...)                                                                                   \
    any(env, op, word, (const enum tsr_operand_id[]){__VA_ARGS__},                                 \
        sizeof((const enum tsr_operand_id[]){__VA_ARGS__}) / sizeof(enum tsr_operand_id))

// What it computes in each lane, as kernels are asked for it.
static void choose_kernel(const struct tsr_env *env, struct tsr_vector_args *args)
{
    enum { ROUNDING = 3, STOCH_RND_MODES = 7 };
    bool wormhole = env->chip->arch == TSR_WORMHOLE_B0;
    tsr_vector_mode *mode = &args->mode;
    uint32_t rounding = tsr_operand(env->isa, (enum tsr_op)args->op, args->word, OPERAND_rnd_mode);
    *mode = (tsr_vector_mode){.arch = env->chip->arch,
                              .op = operations[args->op].computes,
                              .modifier = args->mod,
                              .rounding = (uint8_t)(rounding & (wormhole ? 1 : ROUNDING)),
                              .immediate = args->imm};
    if (args->op == OP_SFP_STOCH_RND)
        mode->modifier &= STOCH_RND_MODES;
    else if (args->op == OP_SFPMOV)
        mode->modifier &= SFPMOV_MOD1_NEGATE;
    else if (args->op == OP_SFPSETCC)
        mode->modifier &= SFPSETCC_MOD1_LREG_NE0;
    uint32_t sign_c = !wormhole && args->mod & SFPMAD_MOD1_NEGATE_VC ? 1u << 31 : 0;
    if (is_mad(args->op)) {
        mode->negate_a = !wormhole && args->mod & SFPMAD_MOD1_NEGATE_VA ? 1u << 31 : 0;
        mode->negate_c = sign_c;
    } else if (args->op == OP_SFPMULI) { // which multiplies what the page calls VC
        mode->negate_a = sign_c;
    } else if (args->op == OP_SFPADDI) {
        mode->negate_c = sign_c;
    }
    if (mode->op != TSR_VECTOR_OPS)
        args->kernel = tsr_kernels_vector(env->kernels, mode);
    if (args->op == OP_SFPSWAP)
        args->swap = tsr_kernels_vector_swap(env->kernels, mode);
}

void tsr_vector_args_make(const struct tsr_env *env, uint32_t word, struct tsr_vector_args *args)
{
    enum { VB_SHIFT = 0, VB_BITS = 15 };
    enum tsr_op op = tsr_op_of(env->isa, word);
    const struct operation *operation = &operations[op];
    *args = (struct tsr_vector_args){
        .word = word,
        .op = (uint8_t)op,
        .sub_unit = env->isa->sub_unit[op],
        .mod = (uint8_t)ANY(OPERAND_instr_mod0, OPERAND_instr_mod1),
        .vd = (uint8_t)ANY(OPERAND_lreg_ind, OPERAND_lreg_dest, OPERAND_config_dest),
        .vc = (uint8_t)ANY(OPERAND_lreg_c, OPERAND_lreg_src_c),
        .vb = (uint8_t)tsr_operand(env->isa, op, word, OPERAND_lreg_src_b),
        .va = (uint8_t)tsr_operand(env->isa, op, word, OPERAND_lreg_src_a),
        .mirror = (uint8_t)tsr_operand(env->isa, op, word, OPERAND_Mod1Mirror),
        .addr_mode = (uint8_t)tsr_operand(env->isa, op, word, OPERAND_sfpu_addr_mode),
        .imm = (uint16_t)ANY(OPERAND_dest_reg_addr, OPERAND_imm16, OPERAND_imm16_math,
                             OPERAND_imm12_math, OPERAND_imm8_math),
        .has_vd = operation->has_vd,
        .run = operation->run,
    };
    args->crosses = op == OP_SFPSHFT2 && args->mod >= SFPSHFT2_MOD1_SUBVEC_CHAINED_COPY4 &&
                    args->mod <= SFPSHFT2_MOD1_SUBVEC_SHFLSHR1;
    args->stray_mod = (uint16_t)(args->mod & ~operation->mods[env->chip->arch]);
    if (op == OP_SFPSHFT && !(args->mod & SFPSHFT_MOD1_ARG_IMM)) // which LReg a constant shifts
        args->stray_mod = (uint16_t)(args->stray_mod | (args->mod & SFPSHFT_MOD1_ARG_IMM_USE_VC));
    if (op == OP_SFPLOADMACRO) // the low bits of VD and the high one lie apart
        args->vd = (uint8_t)((args->vd & 3) | (args->imm & 1) << 2);
    bool uses_vb = op == OP_SFPARECIP || op == OP_SFPSHFT2 ||
                   ((op == OP_SFPAND || op == OP_SFPOR) && env->chip->arch != TSR_WORMHOLE_B0 &&
                    args->mod & SFPAND_MOD1_USE_VB);
    if (uses_vb)
        args->vb = (uint8_t)(args->imm >> VB_SHIFT & VB_BITS);
    else if (op == OP_SFPMULI || op == OP_SFPADDI)
        args->vc = args->vd;
    else if (!is_mad((uint8_t)op) && op != OP_SFP_STOCH_RND)
        args->vb = args->vd;
    tsr_vector_args_reads(env, args);
    choose_kernel(env, args);
    args->no_effect = has_no_effect(args);
    args->quiet = is_quiet(env, args);
}
#undef ANY
