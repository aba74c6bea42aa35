// SPDX-License-Identifier: Apache-2.0
// The order of a log's events, edge by edge, as docs/races.md has them; see race_model.h.
// Pages: STALLWAIT.md of each chip, SEMWAIT.md, SyncUnit.md, SrcASrcB.md, ATGETM.md, Mailboxes.md.
#include "race_model.h"

// ---------------------------------------------------------------- nodes

bool race_model_before(const struct race_model *model, int earlier, int later)
{
    return earlier == later || (model->node[later].before[earlier / 64] >> (earlier % 64) & 1) != 0;
}

static void join(struct race_model *model, int to, int from, enum race_edge edge)
{
    if (from < 0 || to < 0 || from == to || edge == model->without)
        return;
    for (int i = 0; i < RACE_NODE_WORDS; i++)
        model->node[to].before[i] |= model->node[from].before[i];
    model->node[to].before[from / 64] |= 1ull << (from % 64);
}

static int add_node(struct race_model *model)
{
    if (model->nodes >= RACE_NODES - 1)
        model->full = true;
    int at = model->full ? RACE_NODES - 1 : model->nodes++;
    model->node[at] = (struct race_node){.thread = -1, .core = -1, .accepted = -1};
    for (int i = 0; i < model->barrier; i++)
        model->node[at].before[i / 64] |= 1ull << (i % 64);
    return at;
}

static void append(struct race_model *model, struct race_list *list, int node)
{
    if (list->count < RACE_LIST)
        list->node[list->count++] = node;
    else
        model->full = true;
}

static int known(const struct race_model *model, const struct race_list *list, int by)
{
    int count = 0;
    for (int i = 0; i < list->count; i++)
        count += race_model_before(model, list->node[i], by);
    return count;
}

// Those up to that number, from 1: in this run they were the first.
static void join_number(struct race_model *model, int to, const struct race_list *list, int number,
                        enum race_edge edge)
{
    for (int i = 0; i < number && i < list->count; i++)
        join(model, to, list->node[i], edge);
}

// ---------------------------------------------------------------- instructions

static int find(const struct race_model *model, const struct tsr_race_inst *inst)
{
    for (int i = model->insts - 1; i >= 0; i--)
        if (model->inst[i].inst.thread == inst->thread &&
            model->inst[i].inst.sequence == inst->sequence)
            return i;
    return -1;
}

// The thread goes on when these units are done: they take a small, fixed number of cycles
// (docs/errata.md, 520), or hold the thread until then (SETDMAREG.md and those like it).
static bool done_at_once(const struct tsr_race_inst *inst)
{
    switch (inst->unit) {
    case TSR_UNIT_CONFIG:
    case TSR_UNIT_SYNC:
    case TSR_UNIT_MISC:
        return true;
    case TSR_UNIT_SCALAR:
        switch (inst->op) {
        case OP_SETDMAREG:
        case OP_ADDDMAREG:
        case OP_SUBDMAREG:
        case OP_MULDMAREG:
        case OP_BITWOPDMAREG:
        case OP_SHIFTDMAREG:
        case OP_CMPDMAREG:
        case OP_REG2FLOP:
            return true;
        default:
            return false;
        }
    default:
        return false;
    }
}

static void accept(struct race_model *model, const struct tsr_race_inst *inst)
{
    const struct tsr_isa *isa = model->log->setup.isa;
    int thread = inst->thread, own = add_node(model);
    model->acting = own;
    if (model->full)
        return;
    struct race_node *node = &model->node[own];
    node->thread = thread;
    node->unit = inst->unit;
    node->sequence = inst->sequence;
    node->word = inst->word;
    node->pc = inst->pc;
    node->accepted = own;
    join(model, own, model->last_accepted[thread], RACE_EDGE_THREAD);
    model->last_accepted[thread] = own;
    for (int i = 0; i < model->pushes; i++)
        if (model->push[i].thread == thread && model->push[i].number == inst->push)
            join(model, own, model->push[i].node, RACE_EDGE_PUSH);
    for (int i = 0; i < model->expansions[thread].count; i++)
        if (model->expansion_push[thread][i] < inst->push)
            join(model, own, model->expansions[thread].node[i], RACE_EDGE_EXPANSION);
    for (int i = model->waits_from[thread]; i < model->waits[thread].count; i++)
        if (model->log->setup.waits_hold_thread ||
            tsr_blocked(isa, (enum tsr_op)inst->op, model->wait_block[thread][i]))
            join(model, own, model->waits[thread].node[i], RACE_EDGE_BLOCK);
    join(model, own, model->flushed[thread], RACE_EDGE_FLUSHED);
    // A SEMWAIT that passes may take the place of a wait that is still latched (SEMWAIT.md).
    if (inst->op == OP_SEMWAIT)
        model->waits_from[thread] = model->waits[thread].count;
    model->inst[model->insts].inst = *inst;
    model->inst[model->insts].accepted = own;
    model->inst[model->insts++].executed = done_at_once(inst) ? own : -1;
}

static void execute(struct race_model *model, const struct tsr_race_inst *inst)
{
    int of = find(model, inst);
    if (of < 0) {
        model->acting = -1;
        return;
    }
    int accepted = model->inst[of].accepted;
    if (model->inst[of].executed >= 0) {
        model->acting = model->inst[of].executed;
        return;
    }
    int own = add_node(model);
    model->acting = own;
    if (model->full)
        return;
    model->node[own] = (struct race_node){.thread = inst->thread,
                                          .core = -1,
                                          .unit = inst->unit,
                                          .sequence = inst->sequence,
                                          .word = inst->word,
                                          .pc = inst->pc,
                                          .accepted = accepted,
                                          .before = {0}};
    for (int i = 0; i < model->barrier; i++)
        model->node[own].before[i / 64] |= 1ull << (i % 64);
    join(model, own, accepted, RACE_EDGE_ACCEPTED);
    for (int i = 0; i < model->insts; i++)
        if (i != of && model->inst[i].inst.unit == inst->unit &&
            race_model_before(model, model->inst[i].accepted, accepted))
            join(model, own, model->inst[i].executed, RACE_EDGE_UNIT);
    model->inst[of].executed = own;
}

// An attempt that came to nothing: its accesses are forgotten.
static void done(struct race_model *model, bool executed)
{
    int own = model->acting;
    model->acting = -1;
    if (executed || own < 0)
        return;
    while (model->uses > 0 && model->use[model->uses - 1].node == own)
        model->uses--;
    for (int i = 0; i < model->insts; i++)
        if (model->inst[i].executed == own && model->inst[i].accepted != own)
            model->inst[i].executed = -1;
}

// The bank has changed hands when the instruction was done.
static int handed_over(const struct race_model *model, int from)
{
    for (int i = 0; from >= 0 && i < model->insts; i++)
        if (model->inst[i].accepted == from && model->inst[i].executed >= 0)
            return model->inst[i].executed;
    return from;
}

// ---------------------------------------------------------------- waits

// Whether an instruction is what that condition of its own thread waits for.
static bool concerns(const struct race_model *model, enum tsr_condition condition,
                     const struct tsr_race_inst *inst)
{
    uint32_t packers = 1;
    switch (condition) {
    case CONDITION_SCALAR_MEMORY:
        return inst->unit == TSR_UNIT_SCALAR;
    case CONDITION_UNPACKER0:
        return inst->unit == TSR_UNIT_UNPACKER0;
    case CONDITION_UNPACKER1:
        return inst->unit == TSR_UNIT_UNPACKER1;
    case CONDITION_PACKER0:
    case CONDITION_PACKER1:
    case CONDITION_PACKER2:
    case CONDITION_PACKER3:
        if (inst->unit != TSR_UNIT_PACKER)
            return false;
        if (model->log->setup.isa->condition_bit[CONDITION_PACKER1] != CONDITION_ABSENT &&
            inst->op == OP_PACR) // Wormhole
            packers = tsr_operand(model->log->setup.isa, OP_PACR, inst->word, OPERAND_PackSel);
        return ((packers ? packers : 1) >> (condition - CONDITION_PACKER0) & 1) != 0;
    case CONDITION_MATRIX:
        return inst->unit == TSR_UNIT_MATRIX;
    case CONDITION_VECTOR:
        return inst->unit == TSR_UNIT_VECTOR;
    default:
        return false;
    }
}

static void end_condition(struct race_model *model, enum tsr_condition condition,
                          const struct tsr_race_wait *wait, int latch, int own)
{
    for (int i = 0; i < model->insts; i++) {
        const struct tsr_race_inst *inst = &model->inst[i].inst;
        bool waited = inst->thread == wait->thread && concerns(model, condition, inst);
        waited |= condition == CONDITION_MOVER && inst->unit == TSR_UNIT_MOVER; // whoever asked
        if (waited && race_model_before(model, model->inst[i].accepted, latch))
            join(model, own, model->inst[i].executed, RACE_EDGE_STALLWAIT);
    }
    if (condition == CONDITION_MOVER)
        join(model, own, model->last_core[TSR_RACE_AGENT_TDMA], RACE_EDGE_STALLWAIT);
    for (int side = 0; side < 2; side++) {
        bool second = side == TSR_SRCB;
        if (condition == (second ? CONDITION_SRCB_MATRIX : CONDITION_SRCA_MATRIX))
            join(model, own, handed_over(model, model->filled[side][wait->matrix_bank[side]]),
                 RACE_EDGE_BANK_WAIT);
        if (condition == (second ? CONDITION_SRCB_UNPACKER : CONDITION_SRCA_UNPACKER))
            join(model, own, handed_over(model, model->emptied[side][wait->unpacker_bank[side]]),
                 RACE_EDGE_BANK_WAIT);
    }
}

static void end_wait(struct race_model *model, const struct tsr_race_wait *wait)
{
    enum { WHILE_ZERO = 1, WHILE_MAXIMUM = 2 };
    int thread = wait->thread, latch = model->latched[thread];
    int own = add_node(model);
    if (model->full || latch < 0)
        return;
    uint32_t block = model->wait_block[thread][model->waits[thread].count];
    join(model, own, latch, RACE_EDGE_COUNT);
    for (unsigned s = 0; wait->on_semaphores && s < 8; s++) {
        const struct race_list *posts = &model->posts[s], *gets = &model->gets[s];
        if (!(wait->semaphores >> s & 1))
            continue;
        if (wait->conditions & WHILE_ZERO)
            join_number(model, own, posts, known(model, gets, latch) + 1, RACE_EDGE_POST);
        if (wait->conditions & WHILE_MAXIMUM)
            join_number(model, own, gets, known(model, posts, latch) - (int)model->most[s] + 1,
                        RACE_EDGE_GET);
    }
    for (unsigned bit = 0; !wait->on_semaphores && bit < 16; bit++)
        if (wait->conditions >> bit & 1)
            end_condition(model, tsr_condition_of_bit(model->log->setup.isa, bit), wait, latch,
                          own);
    append(model, &model->waits[thread], own);
    if (model->waits[thread].count < RACE_LIST)
        model->wait_block[thread][model->waits[thread].count] = block;
}

// ---------------------------------------------------------------- what else orders

static void load_semaphore(struct race_model *model, unsigned s, int value)
{
    const struct race_list *posts = &model->posts[s], *gets = &model->gets[s];
    int got = known(model, gets, model->acting), posted = known(model, posts, model->acting);
    if (value > 0)
        join_number(model, model->acting, posts, got + value, RACE_EDGE_SEMAPHORE_READ);
    join_number(model, model->acting, gets, posted - value, RACE_EDGE_SEMAPHORE_READ);
}

static void everything(struct race_model *model)
{
    if (model->without == RACE_EDGE_EVERYTHING)
        return;
    model->barrier = model->nodes;
    if (model->acting >= 0)
        for (int i = 0; i < model->nodes; i++)
            join(model, model->acting, i, RACE_EDGE_EVERYTHING);
}

static void drained(struct race_model *model, int thread)
{
    for (int i = 0; i < model->insts; i++)
        if (model->inst[i].inst.thread == thread) {
            join(model, model->acting, model->inst[i].accepted, RACE_EDGE_DRAINED);
            join(model, model->acting, model->inst[i].executed, RACE_EDGE_DRAINED);
        }
}

// Its thread waits for FLUSHDMA, and it for units that have nothing of the thread left.
static void flush(struct race_model *model, uint32_t conditions)
{
    static const enum tsr_condition of[] = {CONDITION_SCALAR_MEMORY, CONDITION_UNPACKER0,
                                            CONDITION_UNPACKER1, CONDITION_PACKER0};
    int own = add_node(model);
    const struct race_node *node = &model->node[model->acting];
    join(model, own, node->accepted, RACE_EDGE_ACCEPTED);
    for (unsigned bit = 0; bit < 4; bit++)
        for (int i = 0; (conditions >> bit & 1) && i < model->insts; i++)
            if (model->inst[i].inst.thread == node->thread &&
                model->inst[i].inst.sequence < node->sequence &&
                concerns(model, of[bit], &model->inst[i].inst))
                join(model, own, model->inst[i].executed, RACE_EDGE_FLUSHED);
    model->flushed[node->thread] = own;
}

static void change_semaphore(struct race_model *model, const struct race_event *event)
{
    struct race_list *posts = &model->posts[event->a], *gets = &model->gets[event->a];
    if (event->sync == TSR_RACE_POST)
        append(model, posts, model->acting);
    if (event->sync == TSR_RACE_GET)
        append(model, gets, model->acting);
    if (event->sync != TSR_RACE_INIT)
        return;
    posts->count = gets->count = 0;
    for (uint32_t i = 0; i < event->b; i++)
        append(model, posts, model->acting);
    model->most[event->a] = event->c;
}

// What is known to have been given to the mover is done, and so is what TDMA-RISC has done.
static void mover_is_idle(struct race_model *model)
{
    for (int i = 0; i < model->insts; i++)
        if (model->inst[i].inst.unit == TSR_UNIT_MOVER &&
            race_model_before(model, model->inst[i].accepted, model->acting))
            join(model, model->acting, model->inst[i].executed, RACE_EDGE_MOVER_IDLE);
    join(model, model->acting, model->last_core[TSR_RACE_AGENT_TDMA], RACE_EDGE_MOVER_IDLE);
}

static void receive(struct race_model *model, unsigned channel)
{
    int next = model->channel_first[channel]++;
    if (next < model->channel[channel].count)
        join(model, model->acting, model->channel[channel].node[next], RACE_EDGE_CHANNEL);
}

static struct race_use *add_use(struct race_model *model, int at)
{
    if (model->uses >= RACE_USES - 1)
        model->full = true;
    struct race_use *use = &model->use[model->full ? RACE_USES - 1 : model->uses++];
    *use = (struct race_use){.node = model->acting, .at = at, .reader = -1, .until = -1};
    return use;
}

static struct race_use *use_bank(struct race_model *model, const struct race_event *event, int at)
{
    struct race_use *use = add_use(model, at);
    use->access = (struct tsr_race_access){.storage = TSR_RACE_SRC,
                                           .write = event->sync == TSR_RACE_HAND_OVER,
                                           .first = 2 * event->a + event->b,
                                           .count = 1,
                                           .mask = TSR_RACE_ALL};
    return use;
}

static void synchronise(struct race_model *model, const struct race_event *event, int at)
{
    int own = model->acting;
    switch (event->sync) {
    case TSR_RACE_POST:
    case TSR_RACE_GET:
    case TSR_RACE_INIT:
        change_semaphore(model, event);
        break;
    case TSR_RACE_SEMAPHORE:
        load_semaphore(model, event->a, (int)event->b);
        break;
    case TSR_RACE_MUTEX_GET:
        join(model, own, model->last_mutex[event->a], RACE_EDGE_MUTEX);
        break;
    case TSR_RACE_MUTEX_GIVE:
        model->last_mutex[event->a] = own;
        break;
    case TSR_RACE_HAND_OVER:
        use_bank(model, event, at)->hands = true;
        model->filled[event->a][event->b] = own;
        break;
    case TSR_RACE_GIVE_BACK:
        use_bank(model, event, at)->gives = true;
        model->emptied[event->a][event->b] = own;
        break;
    case TSR_RACE_FOR_MATRIX:
        join(model, own, handed_over(model, model->filled[event->a][event->b]),
             RACE_EDGE_FOR_MATRIX);
        break;
    case TSR_RACE_FOR_UNPACKER:
        join(model, own, handed_over(model, model->emptied[event->a][event->b]),
             RACE_EDGE_FOR_UNPACKER);
        break;
    case TSR_RACE_DRAINED:
        drained(model, (int)event->a);
        break;
    case TSR_RACE_MOPS_DONE:
        for (int i = 0; i < model->expansions[event->a].count; i++)
            join(model, own, model->expansions[event->a].node[i], RACE_EDGE_MOPS_DONE);
        break;
    case TSR_RACE_FLUSHED:
        flush(model, event->b);
        break;
    case TSR_RACE_SEND:
        append(model, &model->channel[event->a], own);
        break;
    case TSR_RACE_RECEIVE:
        receive(model, event->a);
        break;
    case TSR_RACE_EVERYTHING:
        everything(model);
        break;
    case TSR_RACE_MOVER_IDLE:
        mover_is_idle(model);
        break;
    case TSR_RACE_READ_BACK: // without interpreted cores stores take effect at once
    case TSR_RACE_AUTO_USES: // the programs leave Auto TTSync off
    case TSR_RACE_AUTO_WAITED:
    case TSR_RACE_STREAM_STORE: // and are alone
    case TSR_RACE_STREAM_LOAD:
    case TSR_RACE_IRQ_RAISE: // and use no Blackhole interrupt controller
    case TSR_RACE_IRQ_TAKE:
        break;
    }
}

// ---------------------------------------------------------------- accesses

static void use_config(struct race_model *model, const struct race_event *event, int at)
{
    struct race_use *use = add_use(model, at);
    use->reader = (int)event->a;
    use->state_id = event->b;
    use->context = event->c;
    use->access = (struct tsr_race_access){.storage = TSR_RACE_CONFIG};
}

bool race_model_tells(const struct race_model *model, const struct race_use *use)
{
    const struct race_node *node = &model->node[use->node];
    bool moved = node->core == TSR_RACE_AGENT_TDMA && use->access.mask == TSR_RACE_ALL;
    return (node->thread < 0 || node->unit == TSR_UNIT_SCALAR) && !moved;
}

// The newest write to a byte of L1 before that use, as a use; -1: none.
static int writer_of(const struct race_model *model, uint32_t byte, int behind)
{
    for (int i = behind - 1; i >= 0; i--) {
        const struct tsr_race_access *access = &model->use[i].access;
        if (access->storage == TSR_RACE_L1 && access->write && model->use[i].reader < 0 &&
            byte / 16 - access->first < access->count && (access->mask >> (byte % 16) & 1))
            return i;
    }
    return -1;
}

// A core's load finds what another core or the scalar unit wrote last to each byte. Bytes of the
// packers and the mover are read, as by anyone: they need an order from elsewhere.
static void acquire(struct race_model *model, uint32_t address, uint32_t size, int at)
{
    for (uint32_t byte = address; byte < address + size; byte++) {
        int from = writer_of(model, byte, model->uses);
        if (from < 0)
            continue;
        if (race_model_tells(model, &model->use[from]))
            join(model, model->acting, model->use[from].node, RACE_EDGE_FLAG);
        // Atomics change what atomics before them have left.
        while (model->use[from].access.atomic && (from = writer_of(model, byte, from)) >= 0 &&
               model->use[from].access.atomic)
            join(model, model->acting, model->use[from].node, RACE_EDGE_FLAG);
        struct race_use *use = add_use(model, at);
        use->access = (struct tsr_race_access){
            .storage = TSR_RACE_L1, .first = byte / 16, .count = 1, .mask = 1u << (byte % 16)};
        use->loads = true;
    }
}

// ---------------------------------------------------------------- a log

static void core(struct race_model *model, const struct race_event *event)
{
    int own = add_node(model);
    model->acting = own;
    model->node[own].core = event->agent;
    model->node[own].pc = event->flag ? event->a : 0;
    join(model, own, model->last_core[event->agent], RACE_EDGE_CORE);
    model->last_core[event->agent] = own;
}

static void expand(struct race_model *model, const struct race_event *event, int at)
{
    int kept = model->acting, own = add_node(model), thread = event->agent;
    model->acting = own;
    model->node[own].thread = thread;
    struct race_list *list = &model->expansions[thread];
    if (list->count > 0)
        join(model, own, list->node[list->count - 1], RACE_EDGE_EXPANSION);
    for (int i = 0; i < model->pushes; i++)
        if (model->push[i].thread == thread && model->push[i].number == event->a)
            join(model, own, model->push[i].node, RACE_EDGE_PUSH);
    if (list->count < RACE_LIST)
        model->expansion_push[thread][list->count] = event->a;
    append(model, list, own);
    add_use(model, at)->access = (struct tsr_race_access){.storage = TSR_RACE_MOP_CONFIG,
                                                          .first = 16u * (unsigned)thread,
                                                          .count = 16,
                                                          .mask = TSR_RACE_ALL};
    model->acting = kept;
}

static void latch(struct race_model *model, const struct race_event *event)
{
    int thread = event->inst.thread;
    model->latched[thread] = model->acting;
    if (model->waits[thread].count < RACE_LIST)
        model->wait_block[thread][model->waits[thread].count] = event->a;
}

static void push(struct race_model *model, const struct race_event *event)
{
    model->push[model->pushes].thread = event->agent;
    model->push[model->pushes].number = event->a;
    model->push[model->pushes++].node = model->acting;
    if (model->pushes >= RACE_NODES)
        model->full = true;
}

static void take(struct race_model *model, const struct race_event *event, int at)
{
    switch (event->kind) {
    case EVENT_ACCEPTS:
        accept(model, &event->inst);
        break;
    case EVENT_EXECUTES:
        execute(model, &event->inst);
        break;
    case EVENT_DONE:
        done(model, event->flag);
        break;
    case EVENT_CORE:
        core(model, event);
        break;
    case EVENT_PUSH:
        push(model, event);
        break;
    case EVENT_EXPANDS:
        expand(model, event, at);
        break;
    case EVENT_ACCESS:
        add_use(model, at)->access = event->access;
        break;
    case EVENT_ACQUIRE:
        acquire(model, event->a, event->b, at);
        break;
    case EVENT_SYNC:
        synchronise(model, event, at);
        break;
    case EVENT_LATCHED:
        latch(model, event);
        break;
    case EVENT_RELEASED:
        end_wait(model, &event->wait);
        break;
    case EVENT_CONFIG_CHANGES:
        add_use(model, at)->access = (struct tsr_race_access){.storage = TSR_RACE_CONFIG,
                                                              .write = true,
                                                              .first = event->a,
                                                              .count = 1,
                                                              .mask = event->b};
        break;
    case EVENT_CONFIG_USED:
        use_config(model, event, at);
        break;
    case EVENT_ABORTED:
        break;
    }
}

bool race_model_build(struct race_model *model, const struct race_log *log, enum race_edge without)
{
    memset(model, 0, offsetof(struct race_model, push));
    memset(model->last_accepted, 0xff, sizeof model->last_accepted);
    memset(model->last_core, 0xff, sizeof model->last_core);
    memset(model->last_mutex, 0xff, sizeof model->last_mutex);
    memset(model->filled, 0xff, sizeof model->filled);
    memset(model->emptied, 0xff, sizeof model->emptied);
    memset(model->latched, 0xff, sizeof model->latched);
    memset(model->flushed, 0xff, sizeof model->flushed);
    model->log = log;
    model->without = without;
    model->acting = -1;
    model->pushes = model->insts = 0;
    for (int i = 0; i < log->count && !model->full; i++)
        take(model, &log->event[i], i);
    for (int i = 0; i < model->uses; i++) {
        struct race_use *use = &model->use[i];
        for (int k = 0; use->reader >= 0 && k < model->insts; k++)
            if (model->inst[k].accepted == use->node)
                use->until = use->reader == TSR_READER_MATRIX || use->reader == TSR_READER_VECTOR
                                 ? use->node
                                 : model->inst[k].executed;
    }
    return !model->full && !log->full;
}
