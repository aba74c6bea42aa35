// SPDX-License-Identifier: Apache-2.0
// Which formats and which width of Dst an instruction uses: as the thread's configuration has them,
// or on Blackhole the bank's tag. The last arithmetic mode is kept with its kernels. Pages:
// SrcASrcB.md ("Implied data format"), MVMUL.md, ELWADD.md, MOVA2D.md, MOVB2D.md.
#include "matrix/source_format.h"

#include "base/format_codes.h"
#include "matrix/banks.h"
#include "matrix/matrix_shadow.h"
#include "numerics/fpu.h"

#include <string.h>

uint8_t tsr_matrix_format(const struct tsr_matrix_call *call, int side)
{
    if (call->job->implied[side])
        return tsr_matrix_bank(call, side)->implied_format;
    return call->job->format[side];
}

// A bank that the unpackers own has no tag. Moves that do not wait for their bank can meet one.
bool tsr_matrix_move_format(const struct tsr_matrix_call *call, int side, uint8_t *format)
{
    const struct tsr_matrix_job *job = call->job;
    *format = job->format[TSR_SRCA];
    if (!job->implied[side])
        return true;
    *format = tsr_matrix_bank(call, side)->implied_format;
    if (tsr_matrix_bank_ready(call->env, side))
        return true;
    *format = (uint8_t)tsr_thread_cfg(call->env, call->inst->thread, FIELD_SFPU_DEST_FMT_Base);
    return tsr_report(call->env, FINDING_IMPLIED_FORMAT_ABSENT, call->inst, NULL,
                      "%s goes by the format of Src%c bank %u, which the unpackers own; so it is "
                      "that of SFPU_DEST_FMT_Base, %s.",
                      tsr_matrix_name(call), 'A' + side,
                      (unsigned)call->env->state->src[side].matrix_bank,
                      tsr_format_name(*format)) != TSR_HALT;
}

static bool pair_fits(uint8_t a, uint8_t b)
{
    bool known = tsr_format_at(a)->name && tsr_format_at(b)->name;
    return known && tsr_fpu_format_is_e5(a) == tsr_fpu_format_is_e5(b);
}

// Integers are not rounded, and need no formats that fit.
static bool decode_mode(const struct tsr_matrix_call *call, uint8_t a, uint8_t b,
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
    if (job->stochastic && !int8) {
        struct tsr_cited cited = {job->state_id, 1, {FIELD_ALU_ROUNDING_MODE_Fpu_srnd_en}};
        mode->random = &call->env->state->matrix.random;
        if (tsr_report(call->env, FINDING_STOCHASTIC_ROUNDING, call->inst, &cited,
                       "%s rounds by chance: its random bits are the tile's own, not silicon's.",
                       tsr_matrix_name(call)) == TSR_HALT)
            return false;
    }
    if (int8 || pair_fits(a, b))
        return true;
    struct tsr_cited cited = {
        job->state_id, 2, {FIELD_ALU_FORMAT_SPEC_REG0_SrcA, FIELD_ALU_FORMAT_SPEC_REG1_SrcB}};
    enum tsr_verdict verdict =
        tsr_report(call->env, FINDING_ALU_FORMAT_PAIR, call->inst, &cited,
                   "%s combines SrcA in %s with SrcB in %s.", tsr_matrix_name(call),
                   tsr_format_name(a), tsr_format_name(b));
    call->job->tainted |= verdict == TSR_GO_TAINTED;
    return verdict != TSR_HALT;
}

// The last mode is kept if it caused no finding. The key is all that decode_mode() depends on where
// no format is forced and rounding is not stochastic.
static bool find_mode(const struct tsr_matrix_call *call, tsr_element_mode *mode)
{
    const struct tsr_matrix_job *job = call->job;
    struct tsr_matrix_modes *modes = &call->env->matrix_plans->modes;
    if (job->fp16_force)
        return decode_mode(call, TSR_FORMAT_FP16, TSR_FORMAT_FP16, mode);
    uint8_t a = tsr_matrix_format(call, TSR_SRCA), b = tsr_matrix_format(call, TSR_SRCB);
    if (job->stochastic)
        return decode_mode(call, a, b, mode);
    uint32_t key = 1u << 31 | (uint32_t)job->fp32 << 18 | (uint32_t)job->int8 << 17 |
                   (uint32_t)job->flush << 16 | (uint32_t)a << 8 | b;
    if (modes->key != key) {
        if (!job->int8 && !pair_fits(a, b))
            return decode_mode(call, a, b, mode);
        memset(modes, 0, sizeof *modes);
        decode_mode(call, a, b, &modes->mode);
        modes->key = key;
    }
    *mode = modes->mode;
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

bool tsr_matrix_arithmetic_plain(const struct tsr_matrix_call *call)
{
    const struct tsr_matrix_job *job = call->job;
    return !job->stochastic &&
           (job->int8 || job->fp16_force ||
            pair_fits(tsr_matrix_format(call, TSR_SRCA), tsr_matrix_format(call, TSR_SRCB)));
}

// Whether the mode is the one that is kept, but for what instructions add to it.
static bool is_kept(const struct tsr_matrix_modes *modes, const tsr_element_mode *mode)
{
    const tsr_element_mode *kept = &modes->mode;
    return modes->key != 0 && !mode->random && mode->format_a == kept->format_a &&
           mode->format_b == kept->format_b && mode->fpu.acc32 == kept->fpu.acc32 &&
           mode->int8 == kept->int8 && mode->flush_b == kept->flush_b;
}

tsr_element_fn *tsr_matrix_element_kernel(const struct tsr_matrix_call *call,
                                          const tsr_element_mode *mode)
{
    struct tsr_matrix_modes *modes = &call->env->matrix_plans->modes;
    if (!is_kept(modes, mode))
        return tsr_kernels_element(call->env->kernels, mode);
    tsr_element_fn **kernel = &modes->element[mode->op][mode->accumulate][mode->fpu.phase];
    if (!*kernel)
        *kernel = tsr_kernels_element(call->env->kernels, mode);
    return *kernel;
}

const tsr_dot_kernel *tsr_matrix_dot_kernel(const struct tsr_matrix_call *call,
                                            const tsr_element_mode *mode)
{
    struct tsr_matrix_modes *modes = &call->env->matrix_plans->modes;
    if (!is_kept(modes, mode))
        return tsr_kernels_dot(call->env->kernels, mode);
    const tsr_dot_kernel **kernel = &modes->dot[mode->fpu.phase];
    if (!*kernel)
        *kernel = tsr_kernels_dot(call->env->kernels, mode);
    return *kernel;
}
