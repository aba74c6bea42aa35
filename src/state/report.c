// SPDX-License-Identifier: Apache-2.0
// Findings with their place: fills in cycle, instruction text and the values of the cited fields.
// The words for who did something.
#include "state/report.h"

#include "state/pushes.h"

#include <stdarg.h>
#include <stdio.h>

static void cite(struct tsr_env *env, tsr_diagnostic *out, const struct tsr_cited *cited)
{
    if (!cited)
        return;
    for (int i = 0; i < cited->count && i < TSR_DIAGNOSTIC_FIELDS; i++) {
        enum tsr_field field = cited->field[i];
        const struct tsr_field_place *place = &env->isa->field[field];
        if (place->width == 0)
            continue;
        int at = out->field_count++;
        out->fields[at].name = tsr_field_name(field);
        out->fields[at].value = place->scope == TSR_SCOPE_THREAD
                                    ? tsr_thread_cfg(env, cited->instance, field)
                                    : tsr_cfg(env, cited->instance, field);
    }
}

static enum tsr_verdict verdict(struct tsr_env *env, enum tsr_finding code)
{
    tsr_action action = (tsr_action)env->findings->action[code];
    if (action == TSR_ACTION_STOP) {
        env->findings->stopped = true;
        return TSR_HALT;
    }
    if (action == TSR_ACTION_USE || tsr_finding_at((int)code)->category == TSR_UNDEFINED_BEHAVIOUR)
        return TSR_GO_TAINTED;
    return TSR_GO;
}

// Of these the instruction's page says more than the one page that a finding has.
static const char *page_of(const struct tsr_env *env, enum tsr_finding code,
                           const struct tsr_inflight *cause)
{
    const tsr_instruction_info *info = NULL;
    if (code == FINDING_VECTOR_MODE || code == FINDING_VECTOR_RESERVED ||
        code == FINDING_VECTOR_OPERAND || code == FINDING_VECTOR_TEMPLATE ||
        code == FINDING_VECTOR_STACK)
        info = tsr_instruction_decode(env->chip->arch, cause->word);
    return info ? info->page : tsr_finding_at((int)code)->page;
}

static struct tsr_finding_about place_of(const struct tsr_inflight *cause)
{
    return (struct tsr_finding_about){
        .thread = cause ? cause->thread : -1, .core = -1, .word = cause ? cause->word : 0};
}

bool tsr_report_again(struct tsr_env *env, enum tsr_finding code, const struct tsr_inflight *cause,
                      enum tsr_verdict *out)
{
    const struct tsr_finding_about place = place_of(cause);
    if (!tsr_findings_again(env->findings, code, &place))
        return false;
    *out = verdict(env, code);
    return true;
}

bool tsr_report_repeats(struct tsr_env *env, enum tsr_finding code, int thread, uint32_t word,
                        unsigned times)
{
    const struct tsr_finding_about place = {.thread = thread, .core = -1, .word = word};
    return env->findings->action[code] != TSR_ACTION_STOP &&
           tsr_findings_repeat(env->findings, code, &place, times);
}

enum tsr_verdict tsr_report(struct tsr_env *env, enum tsr_finding code,
                            const struct tsr_inflight *cause, const struct tsr_cited *cited,
                            const char *format, ...)
{
    const struct tsr_finding_about place = place_of(cause);
    tsr_diagnostic *out = tsr_findings_add(env->findings, code, &place);
    if (out) {
        out->cycle = tsr_now(env);
        if (cause) {
            out->sequence = cause->sequence;
            out->page = page_of(env, code, cause);
            out->pushed = tsr_pushes_find(env, cause->thread, cause->sequence, &out->pushed_core,
                                          &out->pushed_pc);
            tsr_disassemble(env->chip->arch, cause->word, out->instruction,
                            sizeof out->instruction);
        }
        cite(env, out, cited);
        va_list args;
        va_start(args, format);
        vsnprintf(out->sentence, sizeof out->sentence, format, args);
        va_end(args);
    }
    return verdict(env, code);
}

bool tsr_report_unimplemented(struct tsr_env *env, const struct tsr_inflight *cause)
{
    return tsr_report(env, FINDING_UNIMPLEMENTED_INSTRUCTION, cause, NULL, "%s is unimplemented.",
                      tsr_op_name((enum tsr_op)cause->op)) != TSR_HALT;
}

enum tsr_verdict tsr_report_stray_bits(struct tsr_env *env, const struct tsr_inflight *cause)
{
    enum tsr_op op = (enum tsr_op)cause->op;
    return tsr_report(env, FINDING_RESERVED_OPERAND_BITS, cause, NULL,
                      "%s has bits 0x%06x set, which belong to no operand.", tsr_op_name(op),
                      (unsigned)tsr_reserved_bits(env->isa, op, cause->word));
}

static struct tsr_finding_about place_of_core(const struct tsr_env *env, int core)
{
    return (struct tsr_finding_about){.thread = -1,
                                      .core = core <= TSR_CORE_NC ? core : -1,
                                      .has_pc = env->core_has_pc,
                                      .at = env->core_at};
}

bool tsr_report_core_told(struct tsr_env *env, enum tsr_finding code, int core)
{
    const struct tsr_finding_about place = place_of_core(env, core);
    return env->findings->action[code] != TSR_ACTION_STOP &&
           tsr_findings_repeat(env->findings, code, &place, 0);
}

enum tsr_verdict tsr_report_core(struct tsr_env *env, enum tsr_finding code, int core,
                                 const char *format, ...)
{
    const struct tsr_finding_about place = place_of_core(env, core);
    tsr_diagnostic *out = tsr_findings_add(env->findings, code, &place);
    if (out) {
        out->cycle = tsr_now(env);
        va_list args;
        va_start(args, format);
        vsnprintf(out->sentence, sizeof out->sentence, format, args);
        va_end(args);
    }
    return verdict(env, code);
}

void tsr_origin_text(const struct tsr_env *env, struct tsr_origin origin, char *text, size_t size)
{
    char instruction[TSR_INSTRUCTION_TEXT];
    switch (origin.kind) {
    case TSR_ORIGIN_THREAD:
        tsr_disassemble(env->chip->arch, origin.word, instruction, sizeof instruction);
        snprintf(text, size, "T%u's %s (instruction %llu)", origin.which, instruction,
                 (unsigned long long)origin.sequence);
        break;
    case TSR_ORIGIN_CORE:
        if (origin.which < TSR_CORES)
            snprintf(text, size, "core %s's store", tsr_core_name((tsr_core)origin.which));
        else
            snprintf(text, size, "the host's store");
        break;
    default:
        snprintf(text, size, "none yet");
        break;
    }
}

static void short_origin(const struct tsr_env *env, const struct tsr_origin *by, char *text,
                         size_t size)
{
    if (by->kind == TSR_ORIGIN_THREAD)
        snprintf(text, size, "T%u's %s (instruction %llu)", (unsigned)by->which,
                 tsr_op_name(tsr_op_of(env->isa, by->word)), (unsigned long long)by->sequence);
    else
        tsr_origin_text(env, *by, text, size);
}

void tsr_semaphore_pair(const struct tsr_env *env, unsigned index, bool post, char *text,
                        size_t size)
{
    const struct tsr_semaphore *semaphore = &env->state->sync.semaphore[index];
    const struct tsr_origin *other = post ? &semaphore->last_get : &semaphore->last_post;
    char last[60], block[40], condition[40];
    tsr_mask_text(env->isa, "stall_res", env->isa->block_bits[post ? OP_SEMPOST : OP_SEMGET], block,
                  sizeof block);
    tsr_mask_text(env->isa, "wait_sem_cond", post ? 2 : 1, condition, sizeof condition);
    short_origin(env, other, last, sizeof last);
    snprintf(text, size,
             "it must come after the next %s (the last %s: %s): SEMWAIT stall_res=%s "
             "wait_sem_cond=%s sem_sel=%u before it orders them",
             post ? "SEMGET" : "SEMPOST", post ? "SEMGET" : "SEMPOST", last, block, condition,
             1u << index);
}
