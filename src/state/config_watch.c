// SPDX-License-Identifier: Apache-2.0
// The record of writers of configuration and the findings that it allows; see config_watch.h.
// Page: BackendConfiguration.md of each chip, "RISCV writes to Config".
#include "state/config_watch.h"

#include "state/report.h"

#include <stdio.h>
#include <string.h>

static const char *const reader_names[TSR_READER_COUNT] = {"unpacker 0", "unpacker 1",
                                                           "the matrix unit", "the packers"};
static const tsr_unit reader_units[TSR_READER_COUNT] = {TSR_UNIT_UNPACKER0, TSR_UNIT_UNPACKER1,
                                                        TSR_UNIT_MATRIX, TSR_UNIT_PACKER};

// ---------------------------------------------------------------- tables

static unsigned words_of(const struct tsr_field_place *place)
{
    return (place->width + 31u) / 32u;
}

static uint32_t bits_of(const struct tsr_field_place *place)
{
    return tsr_mask32(place->width) << place->first_bit;
}

// Lists the fields of each word of a scope in their order, from `next` on: counts them, makes ends
// of the counts, and fills each list from its end. Returns the end of the last.
static uint16_t list_scope(struct tsr_config_watch *watch, const struct tsr_isa *isa,
                           bool thread_scope, uint16_t *first, unsigned words, uint16_t next)
{
    memset(first, 0, words * sizeof *first);
    for (int pass = 0; pass < 2; pass++) {
        for (int field = FIELD_COUNT - 1; field >= 0; field--) {
            const struct tsr_field_place *place = &isa->field[field];
            unsigned in = (place->scope == TSR_SCOPE_THREAD) == thread_scope ? words_of(place) : 0;
            for (unsigned word = place->addr32; word < place->addr32 + in; word++)
                if (pass == 0)
                    first[word]++;
                else
                    watch->field[--first[word]] = (uint16_t)field;
        }
        for (unsigned word = 0; pass == 0 && word < words; word++)
            first[word] = next = (uint16_t)(next + first[word]);
    }
    first[words] = next;
    return next;
}

static void list_fields(struct tsr_config_watch *watch, const struct tsr_isa *isa)
{
    uint16_t next = list_scope(watch, isa, false, watch->first_of_word, TSR_CONFIG_WORDS, 0);
    list_scope(watch, isa, true, watch->first_of_thread_word, TSR_THREAD_CONFIG_WORDS, next);
}

static void add_read(struct tsr_config_watch *watch, const struct tsr_isa *isa,
                     enum tsr_config_reader reader, enum tsr_field field)
{
    const struct tsr_field_place *place = &isa->field[field];
    if (place->scope == TSR_SCOPE_THREAD) {
        watch->thread_reads[reader][place->addr32] |= (uint16_t)bits_of(place);
        return;
    }
    for (unsigned i = 0; i < words_of(place); i++)
        watch->bank_reads[reader][place->addr32 + i] |= bits_of(place);
}

// The plan groups UNPACK0, UNPACK1 and PACK are what one unit reads; of the group ALU each takes a
// part. Steps of counters (RWC, ADDR_MOD_PACK) are applied in thread order, so no write can come
// too early for them.
static void fill_reads(struct tsr_config_watch *watch, const struct tsr_isa *isa)
{
#define READ(reader, field) {TSR_READER_##reader, FIELD_##field},
#define TAKE(reader, field)
    static const struct {
        enum tsr_config_reader reader;
        enum tsr_field field;
    } reads[] = {
#include "machine/config_readers.def"
    };
    static const enum tsr_config_reader reader_of[PLAN_COUNT] = {
        [PLAN_NONE] = TSR_READER_COUNT,        [PLAN_UNPACK0] = TSR_READER_UNPACKER0,
        [PLAN_UNPACK1] = TSR_READER_UNPACKER1, [PLAN_PACK] = TSR_READER_PACKER,
        [PLAN_ALU] = TSR_READER_COUNT,         [PLAN_RWC] = TSR_READER_COUNT};
    for (int field = 0; field < FIELD_COUNT; field++) {
        const struct tsr_field_place *place = &isa->field[field];
        enum tsr_config_reader reader = reader_of[place->group];
        bool counts = place->scope == TSR_SCOPE_THREAD && place->group == PLAN_PACK;
        if (reader != TSR_READER_COUNT && !counts)
            add_read(watch, isa, reader, (enum tsr_field)field);
    }
    for (size_t i = 0; i < sizeof reads / sizeof reads[0]; i++)
        add_read(watch, isa, reads[i].reader, reads[i].field);
}

// What races look at: what fill_reads() has found, and what units sample besides (TAKE).
static void fill_race_reads(struct tsr_config_watch *watch, const struct tsr_isa *isa)
{
#define READ(reader, field)
#define TAKE(reader, field) {TSR_READER_##reader, FIELD_##field},
    static const struct {
        int reader;
        enum tsr_field field;
    } takes[] = {
#include "machine/config_readers.def"
    };
    memcpy(watch->race_reads, watch->bank_reads, sizeof watch->bank_reads);
    for (size_t i = 0; i < sizeof takes / sizeof takes[0]; i++) {
        const struct tsr_field_place *place = &isa->field[takes[i].field];
        if (place->width != 0)
            watch->race_reads[takes[i].reader][place->addr32] |= bits_of(place);
    }
}

// The context that a field belongs to stands in its name, as _cntx0 to _cntx7.
static void fill_contexts(struct tsr_config_watch *watch, const struct tsr_isa *isa)
{
    static const char mark[] = "_cntx";
    for (int field = 0; field < FIELD_COUNT; field++) {
        const struct tsr_field_place *place = &isa->field[field];
        const char *found = strstr(tsr_field_name((enum tsr_field)field), mark);
        unsigned context = found ? (unsigned)(found[sizeof mark - 1] - '0') : TSR_RACE_CONTEXTS;
        if (context < TSR_RACE_CONTEXTS && place->width != 0 && place->scope != TSR_SCOPE_THREAD)
            watch->of_context[context][place->addr32] |= bits_of(place);
    }
}

void tsr_config_watch_fill(struct tsr_config_watch *watch, const struct tsr_isa *isa)
{
    memset(watch, 0, sizeof *watch);
    list_fields(watch, isa);
    fill_reads(watch, isa);
    fill_race_reads(watch, isa);
    fill_contexts(watch, isa);
}

// ---------------------------------------------------------------- the record

struct field_list {
    const uint16_t *field, *end;
};

static struct field_list fields_in(const struct tsr_config_watch *watch, bool thread_scope,
                                   unsigned addr32)
{
    const uint16_t *first = thread_scope ? watch->first_of_thread_word : watch->first_of_word;
    return (struct field_list){watch->field + first[addr32], watch->field + first[addr32 + 1]};
}

void tsr_config_watch_note(struct tsr_env *env, bool thread_scope, int instance, unsigned addr32,
                           uint32_t mask)
{
    const struct tsr_inflight *by = env->acting;
    struct tsr_config_writer writer = {.cycle_plus_1 = env->state->now + 1,
                                       .sequence = by ? by->sequence : 0,
                                       .word = by ? by->word : 0,
                                       .who = by ? by->thread : env->acting_core};
    struct field_list list = fields_in(env->watch, thread_scope, addr32);
    for (; list.field < list.end; list.field++)
        if (bits_of(&env->isa->field[*list.field]) & mask)
            env->state->writers.of[instance][*list.field] = writer;
}

static void writer_text(const struct tsr_env *env, const struct tsr_config_writer *writer,
                        char *text, size_t size)
{
    if (writer->sequence)
        snprintf(text, size, "%s, instruction %llu of thread %u",
                 tsr_op_name(tsr_op_of(env->isa, writer->word)),
                 (unsigned long long)writer->sequence, (unsigned)writer->who);
    else if (writer->who >= TSR_AGENT_TENSIX)
        snprintf(text, size, "an access for thread %u", (unsigned)(writer->who - TSR_AGENT_TENSIX));
    else if (writer->who <= TSR_CORE_NC)
        snprintf(text, size, "a store of core %u", (unsigned)writer->who);
    else
        snprintf(text, size, "a store of the host");
}

// The thread that a writer acted for, as a T core does for its own; TSR_THREADS if for none (B, NC,
// the host).
static unsigned thread_of(const struct tsr_config_writer *writer)
{
    if (writer->sequence)
        return writer->who;
    if (writer->who >= TSR_AGENT_TENSIX)
        return (unsigned)writer->who - TSR_AGENT_TENSIX;
    unsigned thread = (unsigned)writer->who - TSR_CORE_T0;
    return thread < TSR_THREADS ? thread : TSR_THREADS;
}

// ---------------------------------------------------------------- instructions in flight

// The first field of at most 32 bits that has some of the bits in `mask` of the word; else one that
// covers several words; else FIELD_COUNT.
enum tsr_field tsr_config_field_at(const struct tsr_config_watch *watch, const struct tsr_isa *isa,
                                   bool thread_scope, unsigned addr32, uint32_t mask)
{
    struct field_list list = fields_in(watch, thread_scope, addr32);
    enum tsr_field whole = FIELD_COUNT;
    for (; list.field < list.end; list.field++) {
        const struct tsr_field_place *place = &isa->field[*list.field];
        if (!(bits_of(place) & mask))
            continue;
        if (place->width <= 32)
            return (enum tsr_field) * list.field;
        whole = (enum tsr_field) * list.field;
    }
    return whole;
}

static enum tsr_field field_with(const struct tsr_env *env, bool thread_scope, unsigned addr32,
                                 uint32_t mask)
{
    return tsr_config_field_at(env->watch, env->isa, thread_scope, addr32, mask);
}

static bool report_in_flight(struct tsr_env *env, const struct tsr_inflight *inst,
                             enum tsr_config_reader reader, enum tsr_field field)
{
    const char *text = "%s changes %s while %s %s, instruction %llu of thread %u, which was "
                       "accepted under the old value, is in %s. A STALLWAIT in between would make "
                       "the order certain.";
    const char *op = tsr_op_name((enum tsr_op)inst->op);
    const char *state = inst->executed ? "the unfinished" : "the waiting";
    unsigned long long sequence = inst->sequence;
    unsigned thread = inst->thread;
    if (!env->acting) {
        char who[32];
        if (env->acting_core <= TSR_CORE_NC)
            snprintf(who, sizeof who, "A store of core %u", (unsigned)env->acting_core);
        else
            snprintf(who, sizeof who, "A store of the host");
        return tsr_report_core(env, FINDING_CONFIG_IN_FLIGHT, env->acting_core, text, who,
                               tsr_field_name(field), state, op, sequence, thread,
                               reader_names[reader]) != TSR_HALT;
    }
    return tsr_report(env, FINDING_CONFIG_IN_FLIGHT, env->acting, NULL, text,
                      tsr_op_name((enum tsr_op)env->acting->op), tsr_field_name(field), state, op,
                      sequence, thread, reader_names[reader]) != TSR_HALT;
}

bool tsr_config_watch_before(struct tsr_env *env, bool thread_scope, int instance, unsigned addr32,
                             uint32_t changed)
{
    for (int reader = 0; reader < TSR_READER_COUNT; reader++) {
        uint32_t read = thread_scope ? env->watch->thread_reads[reader][addr32]
                                     : env->watch->bank_reads[reader][addr32];
        struct tsr_queue *queue = &env->state->queues.of[reader_units[reader]];
        if (!(read & changed))
            continue;
        for (unsigned i = 0; i < queue->count; i++) {
            const struct tsr_inflight *inst = tsr_queue_at(queue, i);
            bool same = (thread_scope ? inst->thread : inst->state_id) == instance;
            if (!same || inst == env->acting)
                continue;
            enum tsr_field field = field_with(env, thread_scope, addr32, read & changed);
            return report_in_flight(env, inst, (enum tsr_config_reader)reader, field);
        }
    }
    return true;
}

// ---------------------------------------------------------------- whole words

// A field that is part of the word, changes, and was written last for another thread; FIELD_COUNT
// if there is none.
static enum tsr_field foreign_field(const struct tsr_env *env, unsigned thread, int state_id,
                                    unsigned addr32, uint32_t changed)
{
    struct field_list list = fields_in(env->watch, false, addr32);
    for (; list.field < list.end; list.field++) {
        const struct tsr_field_place *place = &env->isa->field[*list.field];
        const struct tsr_config_writer *writer = &env->state->writers.of[state_id][*list.field];
        if (place->width >= 32 || !(bits_of(place) & changed) || !writer->cycle_plus_1)
            continue;
        if (thread_of(writer) != thread && thread_of(writer) != TSR_THREADS)
            return (enum tsr_field) * list.field;
    }
    return FIELD_COUNT;
}

static bool report_foreign(struct tsr_env *env, const struct tsr_inflight *inst, int state_id,
                           enum tsr_field field, unsigned addr32, uint32_t value)
{
    char who[80];
    const struct tsr_field_place *place = &env->isa->field[field];
    uint32_t old = env->state->config.bank[state_id][addr32];
    struct tsr_cited cited = {state_id, 1, {field}};
    writer_text(env, &env->state->writers.of[state_id][field], who, sizeof who);
    return tsr_report(env, FINDING_CONFIG_WHOLE_WORD, inst, &cited,
                      "%s writes the whole of word %u and so changes %s from 0x%x to 0x%x, "
                      "which %s wrote.",
                      tsr_op_name((enum tsr_op)inst->op), addr32, tsr_field_name(field),
                      tsr_bits(old, place->first_bit, place->width),
                      tsr_bits(value, place->first_bit, place->width), who) != TSR_HALT;
}

static unsigned units_with(const struct tsr_env *env, unsigned addr32, uint32_t bits)
{
    static const uint8_t groups[] = {PLAN_UNPACK0, PLAN_UNPACK1, PLAN_ALU, PLAN_PACK};
    unsigned units = 0;
    for (size_t i = 0; i < sizeof groups; i++)
        units += (env->plan_masks->bank[addr32][groups[i]] & bits) != 0;
    return units;
}

bool tsr_config_watch_whole_word(struct tsr_env *env, const struct tsr_inflight *inst, int state_id,
                                 unsigned addr32, uint32_t value)
{
    const struct tsr_config *config = &env->state->config;
    uint32_t old = config->bank[state_id][addr32];
    uint32_t changed = (old ^ value) & config->bank_written[state_id][addr32];
    if (!changed)
        return true;
    enum tsr_field field = foreign_field(env, inst->thread, state_id, addr32, changed);
    if (field < FIELD_COUNT)
        return report_foreign(env, inst, state_id, field, addr32, value);
    return units_with(env, addr32, changed) <= 1 ||
           tsr_report(env, FINDING_CONFIG_WHOLE_WORD, inst, NULL,
                      "%s writes the whole of word %u and so changes fields of several units at "
                      "once: bits 0x%08x.",
                      tsr_op_name((enum tsr_op)inst->op), addr32, changed) != TSR_HALT;
}

// ---------------------------------------------------------------- reads

static bool report_needed(struct tsr_env *env, const struct tsr_inflight *inst, int state_id,
                          const enum tsr_field *needed, unsigned count)
{
    struct tsr_cited cited = {.instance = state_id};
    for (unsigned i = 0; i < count && cited.count < TSR_DIAGNOSTIC_FIELDS; i++) {
        const struct tsr_field_place *place = &env->isa->field[needed[i]];
        uint32_t written = env->state->config.bank_written[state_id][place->addr32];
        if (place->width != 0 && !(written & bits_of(place)))
            cited.field[cited.count++] = needed[i];
    }
    return cited.count == 0 ||
           tsr_report(env, FINDING_CONFIG_NEVER_WRITTEN, inst, &cited,
                      "%s depends on %d field%s that nothing has written in bank %d since reset, "
                      "%s first.",
                      tsr_op_name((enum tsr_op)inst->op), cited.count, cited.count == 1 ? "" : "s",
                      state_id, tsr_field_name(cited.field[0])) != TSR_HALT;
}

// A bank that was chosen before it was filled: what the unit reads was written in the other one.
static bool report_other_bank(struct tsr_env *env, const struct tsr_inflight *inst, int state_id,
                              enum tsr_config_reader reader)
{
    const struct tsr_config *config = &env->state->config;
    for (unsigned addr32 = 0; addr32 < env->isa->layout.global_base; addr32++) {
        uint32_t missing = env->watch->bank_reads[reader][addr32] &
                           config->bank_written[!state_id][addr32] &
                           ~config->bank_written[state_id][addr32];
        if (!missing)
            continue;
        enum tsr_field field = field_with(env, false, addr32, missing);
        struct tsr_cited cited = {!state_id, 1, {field}};
        return tsr_report(env, FINDING_CONFIG_NEVER_WRITTEN, inst, &cited,
                          "%s takes its configuration from bank %d (CFG_STATE_ID_StateID), where "
                          "nothing has written %s; it was written in bank %d alone.",
                          tsr_op_name((enum tsr_op)inst->op), state_id, tsr_field_name(field),
                          !state_id) != TSR_HALT;
    }
    return true;
}

bool tsr_config_watch_reads(struct tsr_env *env, const struct tsr_inflight *inst, int state_id,
                            enum tsr_config_reader reader, const enum tsr_field *needed,
                            unsigned count)
{
    return report_other_bank(env, inst, state_id, reader) &&
           report_needed(env, inst, state_id, needed, count);
}
