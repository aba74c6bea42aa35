// SPDX-License-Identifier: Apache-2.0
// Arithmetic between two GPRs, or between a GPR and a six-bit constant. Pages: ADDDMAREG.md,
// SUBDMAREG.md, MULDMAREG.md, BITWOPDMAREG.md, SHIFTDMAREG.md, CMPDMAREG.md.
#include "control/scalar_arithmetic.h"

#include "state/register_access.h"
#include "state/report.h"

enum { SHIFT_BITS = 5, OPERATIONS = 3 };

static uint32_t compute(unsigned op, uint32_t operation, uint32_t left, uint32_t right)
{
    switch (op) {
    case OP_ADDDMAREG:
        return left + right;
    case OP_SUBDMAREG:
        return left - right;
    case OP_MULDMAREG:
        return (left & 0xffffu) * (right & 0xffffu);
    case OP_BITWOPDMAREG:
        return operation == 0 ? left & right : operation == 1 ? left | right : left ^ right;
    case OP_SHIFTDMAREG:
        right &= tsr_mask32(SHIFT_BITS);
        return operation == 0 ? left << right : left >> right;
    default: // CMPDMAREG
        return operation == 0 ? left > right : operation == 1 ? left < right : left == right;
    }
}

// Operations that the page lists: three, of SHIFTDMAREG two.
static bool is_defined(enum tsr_op op, uint32_t operation)
{
    return operation < (op == OP_SHIFTDMAREG ? OPERATIONS - 1u : OPERATIONS);
}

static bool accept_arithmetic(struct tsr_env *env, struct tsr_inflight *inst,
                              struct tsr_scalar_job *job)
{
    uint32_t left, right, operation = tsr_arg(env, inst, OPERAND_OpSel);
    unsigned left_gpr = tsr_arg(env, inst, OPERAND_OpARegIndex);
    unsigned right_gpr = tsr_arg(env, inst, OPERAND_OpBRegIndex);
    bool is_constant = tsr_arg(env, inst, OPERAND_OpBisConst) != 0, tainted = false;
    bool defined = is_defined((enum tsr_op)inst->op, operation);
    if (!defined) {
        enum tsr_verdict verdict =
            tsr_report(env, FINDING_GPR_OPERATION, inst, NULL,
                       "OpSel=%u is no operation of %s; the result is 0.", (unsigned)operation,
                       tsr_op_name((enum tsr_op)inst->op));
        tainted |= verdict == TSR_GO_TAINTED;
        if (verdict == TSR_HALT)
            return false;
    }
    if (!tsr_gpr_read(env, inst, left_gpr, &left, &tainted))
        return false;
    if (is_constant) {
        // SHIFTDMAREG's constant has five bits, one less than the place of a GPR's number.
        right = right_gpr;
        if (inst->op == OP_SHIFTDMAREG && right > tsr_mask32(SHIFT_BITS) &&
            tsr_report(env, FINDING_RESERVED_OPERAND_BITS, inst, NULL,
                       "SHIFTDMAREG shifts by a constant of five bits, and OpBRegIndex=%u has six.",
                       (unsigned)right) == TSR_HALT)
            return false;
    } else if (!tsr_gpr_read(env, inst, right_gpr, &right, &tainted)) {
        return false;
    }
    uint32_t value = defined ? compute(inst->op, operation, left, right) : 0;
    tsr_scalar_result(job, tsr_arg(env, inst, OPERAND_ResultRegIndex), value, tainted);
    if (env->timing) {
        job->early = (uint8_t)env->isa->rate[RATE_SCALAR_RESULT_EARLY];
        if (!is_constant && left_gpr / TSR_GPR_GROUP != right_gpr / TSR_GPR_GROUP)
            inst->duration += env->isa->rate[RATE_SCALAR_FAR_OPERAND];
    }
    return true;
}

// The thread may go on before the end, and must find the result then. It is held until that.
static tsr_reason put_result(struct tsr_env *env, struct tsr_inflight *inst,
                             struct tsr_scalar_job *job)
{
    tsr_gpr_put(&env->state->gprs, inst->thread, &job->result);
    job->result.words = 0;
    return TSR_REASON_NONE;
}

// ---------------------------------------------------------------- small words

enum { SMALL_OP, SMALL_OPERATION, SMALL_LEFT, SMALL_RIGHT, SMALL_CONSTANT, SMALL_RESULT };

static bool run_small(struct tsr_env *env, int thread, const struct tsr_small_word *small,
                      uint64_t sequence)
{
    struct tsr_gprs *gprs = &env->state->gprs;
    const uint32_t *arg = small->arg;
    const uint64_t settled = gprs->written[thread] & ~gprs->tainted[thread];
    uint32_t right = arg[SMALL_RIGHT];
    (void)sequence;
    if (!(settled >> arg[SMALL_LEFT] & 1) || env->state->scalar.requests > 0 ||
        (!arg[SMALL_CONSTANT] && !(settled >> right & 1)))
        return false;
    if (!arg[SMALL_CONSTANT])
        right = gprs->value[thread][right];
    gprs->value[thread][arg[SMALL_RESULT]] = compute((uint8_t)arg[SMALL_OP], arg[SMALL_OPERATION],
                                                     gprs->value[thread][arg[SMALL_LEFT]], right);
    gprs->written[thread] |= 1ull << arg[SMALL_RESULT];
    gprs->tainted[thread] &= ~(1ull << arg[SMALL_RESULT]);
    return true;
}

void tsr_scalar_arithmetic_decode(const struct tsr_isa *isa, enum tsr_op op,
                                  struct tsr_small_word *small)
{
    const uint32_t word = small->word;
    uint32_t *arg = small->arg;
    arg[SMALL_OP] = (uint32_t)op;
    arg[SMALL_OPERATION] = tsr_operand(isa, op, word, OPERAND_OpSel);
    arg[SMALL_LEFT] = tsr_operand(isa, op, word, OPERAND_OpARegIndex);
    arg[SMALL_RIGHT] = tsr_operand(isa, op, word, OPERAND_OpBRegIndex);
    arg[SMALL_CONSTANT] = tsr_operand(isa, op, word, OPERAND_OpBisConst);
    arg[SMALL_RESULT] = tsr_operand(isa, op, word, OPERAND_ResultRegIndex);
    bool far =
        op == OP_SHIFTDMAREG && arg[SMALL_CONSTANT] && arg[SMALL_RIGHT] > tsr_mask32(SHIFT_BITS);
    if (is_defined(op, arg[SMALL_OPERATION]) && !far)
        small->run = run_small;
}

const struct tsr_scalar_steps tsr_scalar_arithmetic = {.accept = accept_arithmetic,
                                                       .execute = put_result};
