// SPDX-License-Identifier: Apache-2.0
// Who waits for what at the moment, as text: threads, units and cores, and for each what would end
// the wait.
// Pages: STALLWAIT.md, SEMWAIT.md, ATGETM.md, SrcASrcB.md.
#include "frontend/reset_gate.h"
#include "frontend/wait_gate.h"
#include "state/pushes.h"
#include "tile/core_waits.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const thread_names[TSR_THREADS] = {"thread 0", "thread 1", "thread 2"};

// Appends to a list of things in words.
static __attribute__((format(printf, 3, 4))) void add_text(char *text, size_t size,
                                                           const char *format, ...)
{
    va_list arguments;
    size_t used = strlen(text);
    if (used > 0 && text[used - 1] != ' ') {
        snprintf(text + used, size - used, ", ");
        used = strlen(text);
    }
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

static void note_change(const struct tsr_env *env, const struct tsr_origin *by, tsr_wait *wait)
{
    if (wait->changed[0] != '\0' || by->kind == TSR_ORIGIN_NONE)
        return;
    if (by->kind == TSR_ORIGIN_CORE) {
        bool core = by->which < TSR_CORES;
        snprintf(wait->changed, sizeof wait->changed, "a store of %s%s", core ? "core " : "",
                 core ? tsr_core_name((tsr_core)by->which) : "the host");
        return;
    }
    wait->changed_thread = by->which;
    wait->changed_sequence = by->sequence;
    wait->changed_pushed = tsr_pushes_find(env, by->which, by->sequence, &wait->changed_pushed_core,
                                           &wait->changed_pushed_pc);
    snprintf(wait->changed, sizeof wait->changed, "thread %u's %s, instruction %" PRIu64,
             (unsigned)by->which, tsr_op_name(tsr_op_of(env->isa, by->word)), by->sequence);
}

static void note_semaphore(const struct tsr_env *env, unsigned index, tsr_wait *wait)
{
    const struct tsr_semaphore *semaphore = &env->state->sync.semaphore[index];
    if (semaphore->last_change != TSR_SEMAPHORE_NEVER)
        note_change(env,
                    semaphore->last_change == TSR_SEMAPHORE_POST  ? &semaphore->last_post
                    : semaphore->last_change == TSR_SEMAPHORE_GET ? &semaphore->last_get
                                                                  : &semaphore->last_init,
                    wait);
}

// The oldest instruction in the unit, of the thread if it is not -1.
static void note_unit(const struct tsr_env *env, tsr_unit unit, int thread, tsr_wait *wait)
{
    const struct tsr_queue *queue = &env->state->queues.of[unit];
    for (unsigned i = 0; i < queue->count; i++) {
        const struct tsr_inflight *inst = &queue->inst[(queue->first + i) % TSR_QUEUE_DEPTH];
        const struct tsr_origin by = tsr_origin_of(inst);
        if (thread < 0 || inst->thread == thread)
            note_change(env, &by, wait);
    }
}

// Who handed a bank of that side over last.
static void note_bank(const struct tsr_env *env, int side, tsr_wait *wait)
{
    unsigned last = env->state->src[side].unpacker_bank ^ 1u;
    note_change(env, &env->state->src_shadow[side][last].released_by, wait);
}

static void note_condition(const struct tsr_env *env, int thread, enum tsr_condition condition,
                           tsr_wait *wait)
{
    switch (condition) {
    case CONDITION_UNPACKER0:
        note_unit(env, TSR_UNIT_UNPACKER0, thread, wait);
        break;
    case CONDITION_UNPACKER1:
        note_unit(env, TSR_UNIT_UNPACKER1, thread, wait);
        break;
    case CONDITION_PACKER0:
    case CONDITION_PACKER1:
    case CONDITION_PACKER2:
    case CONDITION_PACKER3:
        note_unit(env, TSR_UNIT_PACKER, thread, wait);
        break;
    case CONDITION_MATRIX:
        note_unit(env, TSR_UNIT_MATRIX, thread, wait);
        break;
    case CONDITION_VECTOR:
        note_unit(env, TSR_UNIT_VECTOR, thread, wait);
        break;
    case CONDITION_SRCA_UNPACKER:
    case CONDITION_SRCA_MATRIX:
        note_bank(env, TSR_SRCA, wait);
        break;
    case CONDITION_SRCB_UNPACKER:
    case CONDITION_SRCB_MATRIX:
        note_bank(env, TSR_SRCB, wait);
        break;
    default:
        break;
    }
}

static void explain_semaphores(const struct tsr_env *env, const struct tsr_gate_latch *latch,
                               tsr_wait *wait)
{
    for (unsigned i = 0; i < TSR_SEMAPHORES; i++) {
        const struct tsr_semaphore *semaphore = &env->state->sync.semaphore[i];
        if (!(latch->semaphores >> i & 1))
            continue;
        if ((latch->conditions & TSR_SEMWAIT_WHILE_ZERO) && semaphore->value == 0) {
            add_text(wait->what, sizeof wait->what, "semaphore %u, which is 0", i);
            add_text(wait->release, sizeof wait->release, "a SEMPOST of semaphore %u", i);
            note_semaphore(env, i, wait);
        }
        if ((latch->conditions & TSR_SEMWAIT_WHILE_MAXIMUM) && semaphore->value >= semaphore->max) {
            add_text(wait->what, sizeof wait->what, "semaphore %u, which is %u of at most %u", i,
                     semaphore->value, semaphore->max);
            add_text(wait->release, sizeof wait->release, "a SEMGET of semaphore %u", i);
            note_semaphore(env, i, wait);
        }
    }
}

static void explain_conditions(const struct tsr_env *env, int thread,
                               const struct tsr_gate_latch *latch, tsr_wait *wait)
{
    for (unsigned bit = 0; bit < TSR_CONDITION_BITS; bit++) {
        if (!(latch->conditions >> bit & 1) || !tsr_condition_holds(env, thread, bit))
            continue;
        add_text(wait->what, sizeof wait->what, "C%u (%s)", bit,
                 tsr_condition_text(tsr_condition_of_bit(env->isa, bit)));
        add_text(wait->release, sizeof wait->release, "the end of C%u", bit);
        note_condition(env, thread, tsr_condition_of_bit(env->isa, bit), wait);
    }
}

static void explain_bank(const struct tsr_env *env, int side, const char *mnemonic, tsr_wait *wait)
{
    const struct tsr_src *src = &env->state->src[side];
    char name = side == TSR_SRCA ? 'A' : 'B';
    snprintf(wait->what, sizeof wait->what, "%s waits for Src%c bank %u, which the unpackers own",
             mnemonic, name, src->matrix_bank);
    snprintf(wait->release, sizeof wait->release,
             "an UNPACR of unpacker %d with SetDatValid=1, or a SETDVALID of Src%c", side, name);
    note_bank(env, side, wait);
}

static void explain_mutex(const struct tsr_env *env, enum tsr_op op, uint32_t word, tsr_wait *wait)
{
    unsigned index = (unsigned)tsr_operand(env->isa, op, word, OPERAND_mutex_index);
    if (index >= TSR_MUTEXES || !(env->chip->mutexes >> index & 1)) {
        snprintf(wait->what, sizeof wait->what,
                 "%s waits for ever for mutex %u, which this chip does not have", tsr_op_name(op),
                 index);
        snprintf(wait->release, sizeof wait->release, "nothing");
        return;
    }
    unsigned holder = env->state->sync.mutex[index].held_by;
    if (holder == 0) {
        snprintf(wait->what, sizeof wait->what,
                 "%s waits for mutex %u, which another thread gets first", tsr_op_name(op), index);
        snprintf(wait->release, sizeof wait->release, "that thread's ATRELM");
        return;
    }
    snprintf(wait->what, sizeof wait->what, "%s waits for mutex %u, which thread %u holds",
             tsr_op_name(op), index, holder - 1);
    snprintf(wait->release, sizeof wait->release, "an ATRELM of mutex %u by thread %u", index,
             holder - 1);
    note_change(env, &env->state->sync.mutex[index].acquired, wait);
}

static void explain_stream(const struct tsr_env *env, int thread,
                           const struct tsr_gate_latch *latch, tsr_wait *wait)
{
    uint32_t stream = tsr_thread_cfg(env, thread, tsr_stream_selected(latch->select));
    uint32_t value = 0;
    (void)tsr_stream_holds(env, thread, latch, &value);
    add_text(wait->what, sizeof wait->what,
             "%s of stream %u of the NoC overlay, %u now, to come to %u",
             latch->messages ? "the messages received" : "the phase", (unsigned)stream,
             (unsigned)value, (unsigned)latch->target);
    snprintf(wait->release, sizeof wait->release, "%s",
             latch->messages ? "a message for the stream" : "a later phase of the stream");
}

static void note_instruction(const struct tsr_env *env, int thread, uint64_t sequence,
                             uint32_t word, tsr_wait *wait)
{
    wait->thread = thread;
    wait->sequence = sequence;
    wait->word = word;
    wait->pushed = tsr_pushes_find(env, thread, sequence, &wait->pushed_core, &wait->pushed_pc);
}

static void explain_gate(const struct tsr_env *env, int thread, tsr_wait *wait)
{
    const struct tsr_frontend *frontend = &env->state->frontend[thread];
    const struct tsr_gate_latch *latch = &env->state->sync.latch[thread];
    uint32_t word = tsr_fifo_front(&frontend->before_gate);
    enum tsr_op op = tsr_op_of(env->isa, word);
    const char *mnemonic = op == OP_NONE ? "a word" : tsr_op_name(op);
    note_instruction(env, thread, frontend->sequence + 1, word, wait);
    switch (frontend->reason) {
    case TSR_REASON_SEMWAIT:
    case TSR_REASON_STALLWAIT:
        snprintf(wait->what, sizeof wait->what, "%s is held by a %s for ", mnemonic,
                 latch->on_semaphores ? "SEMWAIT"
                 : latch->on_stream   ? "STREAMWAIT"
                                      : "STALLWAIT");
        if (latch->met)
            add_text(wait->what, sizeof wait->what, "one cycle more, its conditions being met");
        else if (latch->on_semaphores)
            explain_semaphores(env, latch, wait);
        else if (latch->on_stream)
            explain_stream(env, thread, latch, wait);
        else
            explain_conditions(env, thread, latch, wait);
        break;
    case TSR_REASON_SRCA:
        explain_bank(env, TSR_SRCA, mnemonic, wait);
        break;
    case TSR_REASON_SRCB:
        explain_bank(env, TSR_SRCB, mnemonic, wait);
        break;
    case TSR_REASON_MUTEX:
        explain_mutex(env, op, word, wait);
        break;
    case TSR_REASON_HOLD:
        snprintf(wait->what, sizeof wait->what,
                 "%s waits behind its thread's instruction in the "
                 "scalar unit",
                 mnemonic);
        snprintf(wait->release, sizeof wait->release, "the end of that instruction");
        break;
    case TSR_REASON_UNIT_FULL: {
        tsr_unit unit;
        bool known = tsr_unit_of(env->isa, word, &unit);
        bool in_reset = known && tsr_reset_gate(env, op, word, unit) == TSR_RESET_HOLD;
        snprintf(wait->what, sizeof wait->what, "%s waits for %s, which is %s", mnemonic,
                 known ? tsr_unit_name(unit) : "a unit", in_reset ? "held in soft reset" : "full");
        snprintf(wait->release, sizeof wait->release, "%s",
                 in_reset ? "a core's store to RISCV_DEBUG_REG_SOFT_RESET_0"
                          : "the end of an instruction in that unit");
        if (known && !in_reset)
            note_unit(env, unit, -1, wait);
        break;
    }
    case TSR_REASON_DST:
        snprintf(wait->what, sizeof wait->what,
                 "%s waits to read rows of Dst that were just written", mnemonic);
        snprintf(wait->release, sizeof wait->release, "cycle %" PRIu64, frontend->retry_at);
        break;
    default:
        snprintf(wait->what, sizeof wait->what, "%s is at the wait gate", mnemonic);
        break;
    }
}

static void explain_unit(struct tsr_env *env, tsr_unit unit, tsr_wait *wait)
{
    struct tsr_queue *queue = &env->state->queues.of[unit];
    const struct tsr_inflight *inst = tsr_queue_at(queue, queue->executed);
    const struct tsr_unit_ops *ops = tsr_unit_ops_of(unit);
    note_instruction(env, inst->thread, inst->sequence, inst->word, wait);
    if (ops->explain) {
        ops->explain(env, inst, wait->what, sizeof wait->what);
    } else {
        snprintf(wait->what, sizeof wait->what, "%s waits for %s",
                 tsr_op_name((enum tsr_op)inst->op), tsr_reason_name(queue->reason));
    }
    switch (queue->reason) {
    case TSR_REASON_SRCA:
    case TSR_REASON_SRCB: {
        int side = queue->reason == TSR_REASON_SRCA ? TSR_SRCA : TSR_SRCB;
        unsigned bank = env->state->src[side].unpacker_bank;
        snprintf(wait->release, sizeof wait->release,
                 "a matrix instruction that clears the bank's valid bit");
        note_change(env, &env->state->src_shadow[side][bank].released_by, wait);
        break;
    }
    case TSR_REASON_DST:
        snprintf(wait->release, sizeof wait->release, "cycle %" PRIu64,
                 inst->accepted_at + inst->address);
        break;
    case TSR_REASON_L1:
        snprintf(wait->release, sizeof wait->release, "a write to that place in L1");
        break;
    case TSR_REASON_FLUSH:
        snprintf(wait->release, sizeof wait->release, "the end of that work");
        break;
    case TSR_REASON_REGISTER:
        snprintf(wait->release, sizeof wait->release, "whatever the register waits for");
        break;
    default:
        break;
    }
}

// The caller's array, and how many waits there are, whether or not they fit.
struct wait_list {
    tsr_wait *waits;
    int capacity, count;
};

// Counts another wait. NULL: the array has no place for it.
static tsr_wait *add_wait(struct wait_list *list)
{
    int at = list->count++;
    if (at >= list->capacity)
        return NULL;
    list->waits[at] = (tsr_wait){.core = -1, .unit = -1, .thread = -1, .changed_thread = -1};
    return &list->waits[at];
}

static void list_gate(const struct tsr_env *env, int thread, struct wait_list *list)
{
    const struct tsr_frontend *frontend = &env->state->frontend[thread];
    tsr_wait *wait = frontend->before_gate.count == 0 ? NULL : add_wait(list);
    if (!wait)
        return;
    wait->who = thread_names[thread];
    wait->since = frontend->waits_since;
    explain_gate(env, thread, wait);
}

static void list_unit(struct tsr_env *env, tsr_unit unit, struct wait_list *list)
{
    const struct tsr_queue *queue = &env->state->queues.of[unit];
    bool waits = queue->count != queue->executed && queue->reason != TSR_REASON_NONE;
    tsr_wait *wait = waits ? add_wait(list) : NULL;
    if (!wait)
        return;
    wait->who = tsr_unit_name(unit);
    wait->unit = (int)unit;
    wait->since = queue->waits_since;
    explain_unit(env, unit, wait);
}

static void list_core(const tsr_tile *tile, unsigned core, struct wait_list *list)
{
    tsr_wait *wait = tsr_core_waits(tile, core) ? add_wait(list) : NULL;
    if (wait)
        tsr_core_explain(tile, core, wait);
}

int tsr_waits(const tsr_tile *tile, tsr_wait *waits, int capacity)
{
    if (!tile)
        return 0;
    struct wait_list list = {waits, waits ? capacity : 0, 0};
    // The explanations only read; units take a pointer that is not const for their other stages.
    struct tsr_env env = tile->engine.env;
    for (int thread = 0; thread < TSR_THREADS; thread++)
        list_gate(&env, thread, &list);
    for (int unit = 0; unit < TSR_UNIT_COUNT; unit++)
        list_unit(&env, (tsr_unit)unit, &list);
    for (unsigned core = 0; core < TSR_CORE_COUNT; core++)
        list_core(tile, core, &list);
    return list.count;
}
