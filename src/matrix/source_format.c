// SPDX-License-Identifier: Apache-2.0
// Which formats and which width of Dst an instruction uses, sampled from the configuration bank
// that the thread selects, or on Blackhole from the bank's tag. Pages: SrcASrcB.md ("Implied data
// format"), MVMUL.md, ELWADD.md, MOVA2D.md, MOVB2D.md.
#include "matrix/matrix_plan.h"

#include "numerics/fpu.h"

#include <string.h>

// Sampled with each instruction: what the plan leaves out.
void tsr_matrix_sample_modes(const struct tsr_matrix_call *call)
{
    const struct tsr_env *env = call->env;
    struct tsr_matrix_job *job = call->job;
    *job = call->plan->start;
    job->before = env->state->rwcs.thread[call->inst->thread];
    job->order |= (uint8_t)tsr_dst_high_halves(&env->state->debug);
    job->dst_base = (uint16_t)((call->plan->dst_offset + job->before.dst) & (TSR_DST_ROWS - 1));
}

uint8_t tsr_matrix_format(const struct tsr_matrix_call *call, int side)
{
    if (call->job->implied[side])
        return tsr_matrix_bank(call, side)->implied_format;
    return call->job->format[side];
}

// A bank that is not the matrix unit's has no tag, which moves that do not wait for it can meet.
bool tsr_matrix_move_format(const struct tsr_matrix_call *call, int side, uint8_t *format)
{
    const struct tsr_matrix_job *job = call->job;
    *format =
        job->implied[side] ? tsr_matrix_bank(call, side)->implied_format : job->format[TSR_SRCA];
    if (!job->implied[side] || tsr_matrix_bank_ready(call->env, side))
        return true;
    *format = (uint8_t)tsr_thread_cfg(call->env, call->inst->thread, FIELD_SFPU_DEST_FMT_Base);
    return tsr_report(call->env, FINDING_IMPLIED_FORMAT_ABSENT, call->inst, NULL,
                      "%s goes by the format of Src%c bank %u, which the unpackers own; so it is "
                      "that of SFPU_DEST_FMT_Base, %s.",
                      tsr_op_name((enum tsr_op)call->inst->op), 'A' + side,
                      (unsigned)call->env->state->src[side].matrix_bank,
                      tsr_format_name(*format)) != TSR_HALT;
}

static bool pair_fits(uint8_t a, uint8_t b)
{
    bool known = tsr_format_at(a)->name && tsr_format_at(b)->name;
    return known && tsr_fpu_format_is_e5(a) == tsr_fpu_format_is_e5(b);
}

static bool check_pair(const struct tsr_matrix_call *call, uint8_t a, uint8_t b)
{
    if (pair_fits(a, b))
        return true;
    struct tsr_cited cited = {call->job->config_bank,
                              2,
                              {FIELD_ALU_FORMAT_SPEC_REG0_SrcA, FIELD_ALU_FORMAT_SPEC_REG1_SrcB}};
    enum tsr_verdict verdict = tsr_report(call->env, FINDING_ALU_FORMAT_PAIR, call->inst, &cited,
                                          "%s combines SrcA in %s with SrcB in %s.",
                                          tsr_op_name((enum tsr_op)call->inst->op),
                                          tsr_format_name(a), tsr_format_name(b));
    call->job->tainted |= verdict == TSR_GO_TAINTED;
    return verdict != TSR_HALT;
}

// Integers are not rounded.
static bool choose_rounding(const struct tsr_matrix_call *call, tsr_element_mode *mode)
{
    if (!call->job->stochastic || mode->int8)
        return true;
    mode->random = &call->env->state->matrix.random;
    struct tsr_cited cited = {call->job->config_bank, 1, {FIELD_ALU_ROUNDING_MODE_Fpu_srnd_en}};
    return tsr_report(call->env, FINDING_STOCHASTIC_ROUNDING, call->inst, &cited,
                      "%s rounds by chance: its random bits are the tile's own, not silicon's.",
                      tsr_op_name((enum tsr_op)call->inst->op)) != TSR_HALT;
}

static bool make_mode(const struct tsr_matrix_call *call, uint8_t a, uint8_t b,
                      tsr_element_mode *mode)
{
    const struct tsr_matrix_job *job = call->job;
    bool int8 = job->int8 && !job->fp16_force;
    *mode = (tsr_element_mode){
        .fpu = {.arch = call->env->chip->arch,
                .e8 = !tsr_fpu_format_is_e5(a),
                .acc32 = !job->fp16_force && (int8 || job->fp32)},
        .op = TSR_ELEMENT_MUL,
        .int8 = int8,
        .flush_b = job->flush,
        .format_a = a,
        .format_b = b,
    };
    return choose_rounding(call, mode) && (int8 || check_pair(call, a, b));
}

// All that make_mode() goes by where no format is forced and nothing is rounded by chance.
static uint32_t mode_key(const struct tsr_matrix_job *job, uint8_t a, uint8_t b)
{
    return 1u << 31 | (uint32_t)job->fp32 << 18 | (uint32_t)job->int8 << 17 |
           (uint32_t)job->flush << 16 | (uint32_t)a << 8 | b;
}

// The last mode is kept, if there was nothing to report about it.
static bool find_mode(const struct tsr_matrix_call *call, tsr_element_mode *mode)
{
    const struct tsr_matrix_job *job = call->job;
    struct tsr_matrix_plans *plans = call->env->matrix_plans;
    if (job->fp16_force)
        return make_mode(call, TSR_FORMAT_FP16, TSR_FORMAT_FP16, mode);
    uint8_t a = tsr_matrix_format(call, TSR_SRCA), b = tsr_matrix_format(call, TSR_SRCB);
    uint32_t key = mode_key(job, a, b);
    if (job->stochastic)
        return make_mode(call, a, b, mode);
    if (plans->mode_key != key) {
        if (!job->int8 && !pair_fits(a, b))
            return make_mode(call, a, b, mode);
        make_mode(call, a, b, &plans->mode);
        plans->mode_key = key;
        memset(plans->element, 0, sizeof plans->element);
        memset(plans->dot, 0, sizeof plans->dot);
    }
    *mode = plans->mode;
    return true;
}

bool tsr_matrix_arithmetic_mode(const struct tsr_matrix_call *call, tsr_element_mode *mode)
{
    if (!find_mode(call, mode))
        return false;
    mode->fpu.phase = call->job->phase;
    mode->accumulate = call->job->accumulate;
    return tsr_matrix_check_dst(call, mode->fpu.acc32);
}

// Whether the mode is the one that is kept, but for what instructions add to it.
static bool is_kept(const struct tsr_matrix_plans *plans, const tsr_element_mode *mode)
{
    const tsr_element_mode *kept = &plans->mode;
    return plans->mode_key != 0 && !mode->random && mode->format_a == kept->format_a &&
           mode->format_b == kept->format_b && mode->fpu.acc32 == kept->fpu.acc32 &&
           mode->int8 == kept->int8 && mode->flush_b == kept->flush_b;
}

tsr_element_fn *tsr_matrix_element_kernel(const struct tsr_matrix_call *call,
                                          const tsr_element_mode *mode)
{
    struct tsr_matrix_plans *plans = call->env->matrix_plans;
    if (!is_kept(plans, mode))
        return tsr_kernels_element(call->env->kernels, mode);
    tsr_element_fn **kernel = &plans->element[mode->op][mode->accumulate][mode->fpu.phase];
    if (!*kernel)
        *kernel = tsr_kernels_element(call->env->kernels, mode);
    return *kernel;
}

const tsr_dot_kernel *tsr_matrix_dot_kernel(const struct tsr_matrix_call *call,
                                            const tsr_element_mode *mode)
{
    struct tsr_matrix_plans *plans = call->env->matrix_plans;
    if (!is_kept(plans, mode))
        return tsr_kernels_dot(call->env->kernels, mode);
    const tsr_dot_kernel **kernel = &plans->dot[mode->fpu.phase];
    if (!*kernel)
        *kernel = tsr_kernels_dot(call->env->kernels, mode);
    return *kernel;
}
