// SPDX-License-Identifier: Apache-2.0
// Decoding a run of vector instructions into steps. A block takes words that never report, but for
// what vector_block.c asks when it runs; it ends before one that comes too early for the result of
// the one ahead, and before what may report by itself. An instruction that is one call of a kernel
// becomes that call; SFPNOP becomes nothing. Pages: VectorUnit.md, SFPMAD.md, SFPLOAD.md.
#include "vector/vector_block_make.h"

#include "numerics/sfpu.h"
#include "vector/vector_decode.h"
#include "vector/vector_hazards.h"

// The result depends on nothing but operands, and no flags follow from it: one call of a kernel.
static bool is_one_call(const struct tsr_env *env, const struct tsr_vector_args *args)
{
    enum {
        INDIRECT_VD = SFPMAD_MOD1_INDIRECT_VD, // of all that have it
        INDIRECT = SFPMAD_MOD1_INDIRECT_VA | INDIRECT_VD,
        IADD_CC = SFPIADD_MOD1_CC_NONE | SFPIADD_MOD1_CC_GTE0,
        EXEXP_CC = SFPEXEXP_MOD1_SET_CC_SGN_EXP | SFPEXEXP_MOD1_SET_CC_COMP_EXP,
        LZ_CC = SFPLZ_MOD1_CC_NE0 | SFPLZ_MOD1_CC_COMP,
        MOV_RESERVED = 4
    };
    unsigned cast_modes = env->chip->arch == TSR_WORMHOLE_B0 ? 1 : 3;
    if (!args->kernel || args->vd >= TSR_LREGS_PLAIN)
        return false;
    switch (args->op) {
    case OP_SFPMAD:
    case OP_SFPADD:
    case OP_SFPMUL:
    case OP_SFPMUL24:
        return !(args->mod & INDIRECT);
    case OP_SFPMULI:
    case OP_SFPADDI:
    case OP_SFPLUT:
    case OP_SFPLUTFP32:
        return !(args->mod & INDIRECT_VD);
    case OP_SFPIADD:
        return (args->mod & IADD_CC) == SFPIADD_MOD1_CC_NONE;
    case OP_SFPEXEXP:
        return !(args->mod & EXEXP_CC);
    case OP_SFPLZ:
        return !(args->mod & LZ_CC);
    case OP_SFPCAST:
        return (args->mod & cast_modes) != SFPCAST_MOD1_SM32_TO_FP32_RNS;
    case OP_SFPMOV:
        return !(args->mod & SFPMOV_MOD1_FROM_SPECIAL) &&
               (args->mod & ~(unsigned)MOV_RESERVED) != SFPMOV_MOD1_ALL_LANES_ENABLED;
    case OP_SFPSHFT2:
        return args->mod >= SFPSHFT2_MOD1_SHFT_LREG;
    case OP_SFPSETCC:
    case OP_SFPLE:
    case OP_SFPGT:
    case OP_SFP_STOCH_RND:
        return false;
    default:
        return true;
    }
}

// An immediate in all lanes. NULL: the block has no room for one more.
static const uint32_t *splat(struct tsr_vector_block *block, uint32_t value)
{
    if (block->immediates == TSR_VECTOR_IMMEDIATES)
        return NULL;
    uint32_t *to = block->immediate[block->immediates++];
    for (unsigned i = 0; i < TSR_LANES; i++)
        to[i] = value;
    return to;
}

// What the LRegs that are constants say of a sum or product: LReg[9] is zero, LReg[10] is one.
static uint8_t known_of(const struct tsr_vector_args *args)
{
    bool has_va = args->op == OP_SFPMAD || args->op == OP_SFPADD || args->op == OP_SFPMUL;
    if (args->op == OP_SFPMULI || (has_va && args->vc == TSR_LCONST_0 && !args->mode.negate_c))
        return TSR_VECTOR_PRODUCT;
    if (has_va && args->va == TSR_LCONST_1 && !args->mode.negate_a)
        return TSR_VECTOR_SUM_OF_B;
    if (args->op == OP_SFPADDI || (has_va && args->vb == TSR_LCONST_1))
        return TSR_VECTOR_SUM_OF_A;
    return TSR_VECTOR_ANY;
}

// The operands as the run functions of vector_mad.c and vector_lanewise.c choose them.
static bool add_call(const struct tsr_env *env, struct tsr_vector_block *block,
                     struct tsr_vector_args *args, struct tsr_vector_step *step)
{
    struct tsr_vector *vector = &env->state->vector;
    step->kind = TSR_VECTOR_STEP_KERNEL;
    args->mode.known = known_of(args);
    step->how.kernel = args->mode.known == TSR_VECTOR_ANY
                           ? args->kernel
                           : tsr_kernels_vector(env->kernels, &args->mode);
    step->d = vector->lreg[args->vd];
    step->a = NULL;
    step->b = vector->lreg[args->vb];
    step->c = vector->lreg[args->vc];
    switch (args->op) {
    case OP_SFPMULI:
        step->a = step->c;
        step->b = splat(block, (uint32_t)args->imm << 16);
        step->c = vector->lreg[TSR_LCONST_0];
        return step->b != NULL;
    case OP_SFPADDI:
        step->a = splat(block, (uint32_t)args->imm << 16);
        step->b = vector->lreg[TSR_LCONST_1];
        return step->a != NULL;
    case OP_SFPMAD:
    case OP_SFPADD:
    case OP_SFPMUL:
    case OP_SFPMUL24:
        step->a = vector->lreg[args->va];
        return true;
    case OP_SFPLUT:
    case OP_SFPLUTFP32:
        step->a = vector->lreg[0];
        return true;
    default:
        return true;
    }
}

// False: the mode reports, or counts rows otherwise than by Dst's counter alone.
static bool add_access(const struct tsr_env *env, const struct tsr_vector_block *block,
                       const struct tsr_vector_args *args, struct tsr_vector_step *step)
{
    bool stores = args->op == OP_SFPSTORE, wormhole = env->chip->arch == TSR_WORMHOLE_B0;
    unsigned mode = args->mod;
    if (mode == MOD0_FMT_SRCB)
        mode = block->made_under.srcb_mode;
    if (mode == MOD0_FMT_INT32_ALL ||
        (!wormhole && (mode == MOD0_FMT_INT32_SM || mode == MOD0_FMT_INT8_COMP)))
        return false;
    const struct tsr_vector_dst_mode *found = tsr_vector_dst_mode(env, mode);
    step->dst_mode = (uint8_t)mode;
    step->mode = &found->mode;
    step->d = env->state->vector.lreg[args->vd];
    step->imm = args->imm;
    step->addr_mode = args->addr_mode;
    if (stores) {
        step->kind = TSR_VECTOR_STEP_STORE;
        step->how.store = found->store;
        step->wide = tsr_sfpu_store_is_32(mode);
    } else {
        step->kind = TSR_VECTOR_STEP_LOAD;
        step->how.load = args->vd < TSR_LREGS_PLAIN ? found->load : NULL;
        step->wide = tsr_sfpu_load_is_32(mode);
    }
    return true;
}

static void add_round(struct tsr_vector *vector, const struct tsr_vector_args *args,
                      struct tsr_vector_step *step)
{
    enum { USE_IMMEDIATE = 8 };
    if (args->vd >= TSR_LREGS_PLAIN)
        return;
    step->kind = TSR_VECTOR_STEP_ROUND;
    step->how.kernel = args->kernel;
    step->d = vector->lreg[args->vd];
    step->b = args->mod & USE_IMMEDIATE ? NULL : vector->lreg[args->vb];
    step->c = vector->lreg[args->vc];
}

// As tsr_vector_run_setcc().
static void add_test(struct tsr_vector *vector, const struct tsr_vector_args *args,
                     struct tsr_vector_step *step)
{
    bool immediate = args->mod & SFPSETCC_MOD1_IMM_BIT0, clear = args->mod & SFPSETCC_MOD1_CLEAR;
    bool constant = immediate || clear;
    bool set = !clear && immediate && args->imm & 1;
    step->kind = TSR_VECTOR_STEP_TEST;
    step->how.kernel = constant ? NULL : args->kernel;
    step->c = vector->lreg[args->vc];
    step->flip = set || (!constant && args->mod & SFPSETCC_MOD1_LREG_GTE0) ? ~0u : 0;
}

// As tsr_vector_run_encc().
static void add_encc(const struct tsr_vector_args *args, struct tsr_vector_step *step)
{
    bool by_immediate = args->mod & SFPENCC_MOD1_EI;
    bool flip = by_immediate ? args->imm & SFPENCC_IMM2_E : args->mod & SFPENCC_MOD1_EC;
    step->kind = TSR_VECTOR_STEP_ENCC;
    step->keep = by_immediate ? 0 : ~0u;
    step->flip = flip ? ~0u : 0;
    step->imm = !(args->mod & SFPENCC_MOD1_RI) || args->imm & SFPENCC_IMM2_R;
}

// False: it cannot be part of a block.
static bool add_step(const struct tsr_env *env, struct tsr_vector_block *block,
                     struct tsr_vector_args *args, unsigned word)
{
    struct tsr_vector *vector = &env->state->vector;
    struct tsr_vector_step *step = &block->step[block->steps];
    *step = (struct tsr_vector_step){
        .kind = TSR_VECTOR_STEP_OTHER, .mode = &args->mode, .vd = args->vd, .word = (uint8_t)word};
    switch (args->op) {
    case OP_SFPNOP:
        return true;
    case OP_SFPLOAD:
    case OP_SFPSTORE:
        if (!add_access(env, block, args, step))
            return false;
        break;
    case OP_SFPPUSHC:
    case OP_SFPPOPC:
        step->kind = TSR_VECTOR_STEP_STACK;
        break;
    case OP_SFP_STOCH_RND:
        add_round(vector, args, step);
        break;
    case OP_SFPSETCC:
        add_test(vector, args, step);
        break;
    case OP_SFPENCC:
        add_encc(args, step);
        break;
    case OP_SFPSWAP:
        if (args->vc >= TSR_LREGS_PLAIN || args->vd >= TSR_LREGS_PLAIN)
            break;
        step->kind = TSR_VECTOR_STEP_SWAP;
        step->how.swap = args->swap;
        step->c = vector->lreg[args->vc];
        step->d = vector->lreg[args->vd];
        break;
    default:
        if (is_one_call(env, args) && !add_call(env, block, args, step))
            step->kind = TSR_VECTOR_STEP_OTHER;
        break;
    }
    block->steps++;
    return true;
}

void tsr_vector_block_make(const struct tsr_env *env, const uint32_t *words, unsigned count,
                           struct tsr_vector_block *block)
{
    struct tsr_vector_late late;
    unsigned word = 0;
    block->steps = block->immediates = 0;
    block->reads = block->writes = 0;
    block->is_late = false;
    for (; word < count && word < TSR_VECTOR_BLOCK_WORDS; word++) {
        struct tsr_vector_args *args = &block->args[word];
        *args = *tsr_vector_args_of(env, words[word]);
        if (!tsr_vector_may_be_quiet(args) ||
            (block->is_late && !tsr_vector_late_is_quiet(env, &late, args)) ||
            !add_step(env, block, args, word))
            break;
        block->word[word] = words[word];
        block->reads |= args->reads | args->uses;
        if (args->has_vd && args->sub_unit != TSR_SUB_STORE && tsr_vector_writable(args->vd))
            block->writes |= 1u << args->vd;
        block->is_late = tsr_vector_late_behind(env, args, &late);
    }
    block->words = (uint8_t)word;
    block->offered = count;
}
