// SPDX-License-Identifier: Apache-2.0
// Which formats and which width of Dst an instruction uses, sampled from the configuration bank
// that the thread selects, or on Blackhole from the bank's tag. Pages: SrcASrcB.md ("Implied data
// format"), MVMUL.md, ELWADD.md, MOVA2D.md, MOVB2D.md.
#include "matrix/matrix_job.h"

#include "numerics/fpu.h"

static uint8_t configured(const struct tsr_matrix_call *call, enum tsr_field override,
                          enum tsr_field value, enum tsr_field plain)
{
    int bank = call->job->config_bank;
    if (tsr_cfg(call->env, bank, override))
        return (uint8_t)tsr_cfg(call->env, bank, value);
    return (uint8_t)tsr_cfg(call->env, bank, plain);
}

static void sample_formats(const struct tsr_matrix_call *call)
{
    struct tsr_matrix_job *job = call->job;
    job->format[TSR_SRCA] =
        configured(call, FIELD_ALU_FORMAT_SPEC_REG_SrcA_override,
                   FIELD_ALU_FORMAT_SPEC_REG_SrcA_val, FIELD_ALU_FORMAT_SPEC_REG0_SrcA);
    job->format[TSR_SRCB] =
        configured(call, FIELD_ALU_FORMAT_SPEC_REG_SrcB_override,
                   FIELD_ALU_FORMAT_SPEC_REG_SrcB_val, FIELD_ALU_FORMAT_SPEC_REG1_SrcB);
}

// Blackhole: the banks' tags.
static void sample_blackhole(const struct tsr_matrix_call *call)
{
    const struct tsr_env *env = call->env;
    struct tsr_matrix_job *job = call->job;
    int thread = call->flight->thread;
    job->implied[TSR_SRCA] = !tsr_thread_cfg(env, thread, FIELD_DISABLE_IMPLIED_SRCA_FMT_Base);
    job->implied[TSR_SRCB] = !tsr_thread_cfg(env, thread, FIELD_DISABLE_IMPLIED_SRCB_FMT_Base);
}

static void sample_dst_base(const struct tsr_matrix_call *call)
{
    const struct tsr_env *env = call->env;
    struct tsr_matrix_job *job = call->job;
    uint32_t offset =
        tsr_thread_cfg(env, call->flight->thread, FIELD_DEST_TARGET_REG_CFG_MATH_Offset);
    uint32_t base = tsr_cfg(env, job->config_bank, FIELD_DEST_REGW_BASE_Base);
    job->dst_base = (uint16_t)((offset + base + job->before.dst) & (TSR_DST_ROWS - 1));
}

void tsr_matrix_sample_modes(const struct tsr_matrix_call *call)
{
    const struct tsr_env *env = call->env;
    struct tsr_matrix_job *job = call->job;
    int bank = tsr_state_id(env, call->flight->thread);
    job->config_bank = (uint8_t)bank;
    job->order = tsr_dst_order(env);
    job->fp16_force = tsr_thread_cfg(env, call->flight->thread, FIELD_FP16A_FORCE_Enable) != 0;
    job->fp32 = tsr_cfg(env, bank, FIELD_ALU_ACC_CTRL_Fp32_enabled) != 0;
    job->int8 = tsr_cfg(env, bank, FIELD_ALU_ACC_CTRL_INT8_math_enabled) != 0;
    job->flush = tsr_cfg(env, bank, FIELD_ALU_ACC_CTRL_Zero_Flag_disabled_src) == 0;
    job->stochastic = tsr_cfg(env, bank, FIELD_ALU_ROUNDING_MODE_Fpu_srnd_en) != 0;
    sample_formats(call);
    if (env->chip->implied_formats)
        sample_blackhole(call);
    sample_dst_base(call);
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
    *format = job->implied[side] ? tsr_matrix_bank(call, side)->implied_format
                                 : job->format[TSR_SRCA];
    if (!job->implied[side] || tsr_matrix_bank_ready(call->env, side))
        return true;
    *format = (uint8_t)tsr_thread_cfg(call->env, call->flight->thread, FIELD_SFPU_DEST_FMT_Base);
    return tsr_report(call->env, FINDING_IMPLIED_FORMAT_ABSENT, call->flight, NULL,
                      "%s goes by the format of Src%c bank %u, which the unpackers own; so it is "
                      "that of SFPU_DEST_FMT_Base, %s.",
                      tsr_op_name((enum tsr_op)call->flight->op), 'A' + side,
                      (unsigned)call->env->state->src[side].matrix_bank,
                      tsr_format_name(*format)) != TSR_HALT;
}

static bool check_pair(const struct tsr_matrix_call *call, uint8_t a, uint8_t b)
{
    bool known = tsr_format_at(a)->name && tsr_format_at(b)->name;
    if (known && tsr_fpu_format_is_e5(a) == tsr_fpu_format_is_e5(b))
        return true;
    struct tsr_cited cited = {call->job->config_bank,
                              2,
                              {FIELD_ALU_FORMAT_SPEC_REG0_SrcA, FIELD_ALU_FORMAT_SPEC_REG1_SrcB}};
    enum tsr_verdict verdict =
        tsr_report(call->env, FINDING_ALU_FORMAT_PAIR, call->flight, &cited,
                   "%s combines SrcA in %s with SrcB in %s.",
                   tsr_op_name((enum tsr_op)call->flight->op), tsr_format_name(a),
                   tsr_format_name(b));
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
    return tsr_report(call->env, FINDING_STOCHASTIC_ROUNDING, call->flight, &cited,
                      "%s rounds by chance: its random bits are the tile's own, not silicon's.",
                      tsr_op_name((enum tsr_op)call->flight->op)) != TSR_HALT;
}

bool tsr_matrix_arithmetic_mode(const struct tsr_matrix_call *call, tsr_element_mode *mode)
{
    const struct tsr_matrix_job *job = call->job;
    uint8_t a = job->fp16_force ? TSR_FORMAT_FP16 : tsr_matrix_format(call, TSR_SRCA);
    uint8_t b = job->fp16_force ? TSR_FORMAT_FP16 : tsr_matrix_format(call, TSR_SRCB);
    bool int8 = job->int8 && !job->fp16_force;
    *mode = (tsr_element_mode){
        .fpu = {.arch = call->env->chip->arch,
                .e8 = !tsr_fpu_format_is_e5(a),
                .acc32 = !job->fp16_force && (int8 || job->fp32),
                .phase = job->phase},
        .op = TSR_ELEMENT_MUL,
        .accumulate = job->accumulate,
        .int8 = int8,
        .flush_b = job->flush,
        .format_a = a,
        .format_b = b,
    };
    return choose_rounding(call, mode) && (int8 || check_pair(call, a, b)) &&
           tsr_matrix_check_dst(call, mode->fpu.acc32);
}
