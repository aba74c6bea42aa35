// SPDX-License-Identifier: Apache-2.0
// Writing down a tile's race events; see race_log.h.
#include "race_log.h"

static struct race_log *log_of(struct tsr_races *races)
{
    return (struct race_log *)races;
}

static struct race_event *add(struct tsr_races *races, enum race_event_kind kind)
{
    struct race_log *log = log_of(races);
    struct race_event *event = &log->event[log->count];
    if (log->count < RACE_LOG_EVENTS - 1)
        log->count++;
    else
        log->full = true;
    *event = (struct race_event){.kind = kind};
    return event;
}

static void accepts(struct tsr_races *races, const struct tsr_race_inst *inst)
{
    add(races, EVENT_ACCEPTS)->inst = *inst;
    log_of(races)->record->ops->accepts(log_of(races)->record, inst);
}

static void executes(struct tsr_races *races, const struct tsr_race_inst *inst)
{
    add(races, EVENT_EXECUTES)->inst = *inst;
    log_of(races)->record->ops->executes(log_of(races)->record, inst);
}

static void done(struct tsr_races *races, bool executed)
{
    add(races, EVENT_DONE)->flag = executed;
    log_of(races)->record->ops->done(log_of(races)->record, executed);
}

static void core(struct tsr_races *races, int agent, uint32_t at, bool has_pc)
{
    struct race_event *event = add(races, EVENT_CORE);
    event->agent = agent;
    event->a = at;
    event->flag = has_pc;
    log_of(races)->record->ops->core(log_of(races)->record, agent, at, has_pc);
}

static uint32_t push(struct tsr_races *races, int thread)
{
    struct race_event *event = add(races, EVENT_PUSH);
    event->agent = thread;
    return event->a = log_of(races)->record->ops->push(log_of(races)->record, thread);
}

static void expands(struct tsr_races *races, int thread, uint32_t push_number)
{
    struct race_event *event = add(races, EVENT_EXPANDS);
    event->agent = thread;
    event->a = push_number;
    log_of(races)->record->ops->expands(log_of(races)->record, thread, push_number);
}

static void accesses(struct tsr_races *races, const struct tsr_race_access *access)
{
    add(races, EVENT_ACCESS)->access = *access;
    log_of(races)->record->ops->access(log_of(races)->record, access);
}

static void acquire(struct tsr_races *races, uint32_t address, unsigned size)
{
    struct race_event *event = add(races, EVENT_ACQUIRE);
    event->a = address;
    event->b = size;
    log_of(races)->record->ops->acquire(log_of(races)->record, address, size);
}

static void sync(struct tsr_races *races, enum tsr_race_sync kind, unsigned which, unsigned value,
                 unsigned most)
{
    struct race_event *event = add(races, EVENT_SYNC);
    event->sync = kind;
    event->a = which;
    event->b = value;
    event->c = most;
    log_of(races)->record->ops->sync(log_of(races)->record, kind, which, value, most);
}

static void latched(struct tsr_races *races, const struct tsr_race_inst *inst, bool on_semaphores,
                    uint16_t block)
{
    struct race_event *event = add(races, EVENT_LATCHED);
    event->inst = *inst;
    event->flag = on_semaphores;
    event->a = block;
    log_of(races)->record->ops->latched(log_of(races)->record, inst, on_semaphores, block);
}

static void released(struct tsr_races *races, const struct tsr_race_wait *wait)
{
    add(races, EVENT_RELEASED)->wait = *wait;
    log_of(races)->record->ops->released(log_of(races)->record, wait);
}

static void config_changes(struct tsr_races *races, uint32_t cell, uint32_t changed)
{
    struct race_event *event = add(races, EVENT_CONFIG_CHANGES);
    event->a = cell;
    event->b = changed;
    log_of(races)->record->ops->config_changes(log_of(races)->record, cell, changed);
}

static void config_used(struct tsr_races *races, unsigned reader, unsigned state_id,
                        unsigned context)
{
    struct race_event *event = add(races, EVENT_CONFIG_USED);
    event->a = reader;
    event->b = state_id;
    event->c = context;
    log_of(races)->record->ops->config_used(log_of(races)->record, reader, state_id, context);
}

static void aborted(struct tsr_races *races, unsigned unit)
{
    add(races, EVENT_ABORTED)->a = unit;
    log_of(races)->record->ops->aborted(log_of(races)->record, unit);
}

static const struct tsr_race_ops ops = {.accepts = accepts,
                                        .executes = executes,
                                        .done = done,
                                        .core = core,
                                        .push = push,
                                        .expands = expands,
                                        .access = accesses,
                                        .acquire = acquire,
                                        .sync = sync,
                                        .latched = latched,
                                        .released = released,
                                        .config_changes = config_changes,
                                        .config_used = config_used,
                                        .aborted = aborted};

static void found(void *user, const struct tsr_race_found *race)
{
    struct race_log *log = user;
    if (log->found < RACE_LOG_FOUND)
        log->finding[log->found++] = *race;
    else
        log->full = true;
}

// Races alone, without what only hardware orders.
static bool wants(void *user, enum tsr_race_kind kind)
{
    (void)user;
    return kind < TSR_RACE_RELIED_ADDRESS;
}

struct race_log *race_log_begin(tsr_tile *tile)
{
    struct tsr_env *env = tile_env(tile);
    struct race_log *log = malloc(sizeof *log);
    assert_non_null(log);
    log->races.ops = &ops;
    log->tile = tile;
    log->of_tile = env->races;
    log->count = log->found = 0;
    log->full = false;
    log->setup = (struct tsr_race_setup){.isa = env->isa,
                                         .has_ports = env->interprets,
                                         .config_goes_on = env->chip->config_stages,
                                         .waits_hold_thread = env->waits_hold_thread,
                                         .wants = wants,
                                         .found = found,
                                         .user = log};
    for (unsigned reader = 0; reader < TSR_RACE_READERS; reader++)
        log->setup.reads[reader] = tile->watch.race_reads[reader];
    for (unsigned context = 0; context < TSR_RACE_CONTEXTS; context++)
        log->setup.of_context[context] = tile->watch.of_context[context];
    log->record = tsr_races_create(&log->setup);
    assert_non_null(log->record);
    env->races = &log->races;
    return log;
}

void race_log_end(struct race_log *log)
{
    tile_env(log->tile)->races = log->of_tile;
    tsr_races_destroy(log->record);
    free(log);
}
