// SPDX-License-Identifier: Apache-2.0
// Places of a run; see run_places.h. A run can break for one thread at a time, so there is a run
// for each thread, which breaks at its places one after the other.
#include "run/run_places.h"

#include "run/state_dump.h"
#include "run/tensor_io.h"
#include "ttasm/ttasm.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- words

static bool find_instruction(struct run_place *place, const char *option, const char *text,
                             const struct ttasm_program *program, struct message *why)
{
    int thread = place->thread;

    if (!parse_number(text, &place->number)) {
        tsr_status status = ttasm_label_sequence(program, thread, text, &place->number);
        if (status == TSR_NOT_FOUND)
            return message_set(why, "%s: thread %d has no such label '%s'", option, thread, text);
        if (status != TSR_OK)
            return message_set(why,
                               "%s: a MOP stands before this label, so that its instruction's "
                               "number is not known '%s'",
                               option, text);
    }
    if (place->number == 0 ||
        (program->mapped_all[thread] && place->number > program->issued[thread].count))
        return message_set(why, "%s: thread %d issues instructions 1 .. %zu, not '%s'", option,
                           thread, program->issued[thread].count, text);
    return true;
}

bool place_find(struct run_place *place, const char *option, const char *word,
                const struct ttasm_program *program, bool timing, struct message *why)
{
    if (word[0] >= '0' && word[0] < '0' + TSR_THREADS && word[1] == ':') {
        place->thread = word[0] - '0';
        return find_instruction(place, option, word + 2, program, why);
    }
    place->thread = -1;
    if (!parse_number(word, &place->number) || place->number == 0)
        return message_set(why, "%s: this is neither THREAD:NUMBER, THREAD:LABEL nor a cycle '%s'",
                           option, word);
    return timing || message_set(why, "%s: a cycle needs --timing on '%s'", option, word);
}

void place_break(const struct run_place *place, struct run_order *order)
{
    order->break_thread = place->thread;
    order->break_sequence = place->thread >= 0 ? place->number : 0;
    order->break_cycle = place->thread >= 0 ? 0 : place->number;
}

bool places_add(struct run_places *places, const char *words, struct message *why)
{
    while (true) {
        size_t length = strcspn(words, ",");
        if (places->count == MAX_PLACES)
            return message_set(why, "--dump-at: more than %d places", MAX_PLACES);
        struct run_place *place = &places->list[places->count++];
        if (length >= sizeof place->word)
            return message_set(why, "--dump-at: no place has so long a name '%s'", words);
        snprintf(place->word, sizeof place->word, "%.*s", (int)length, words);
        if (words[length] == '\0')
            return true;
        words += length + 1;
    }
}

bool places_find(struct run_places *places, const struct ttasm_program *program, bool timing,
                 struct message *why)
{
    for (int i = 0; i < places->count; i++) {
        struct run_place *place = &places->list[i];
        if (!place_find(place, "--dump-at", place->word, program, timing, why))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- dumps

bool place_keep_dump(struct run_place *place, const struct dump_list *dumps, const tsr_tile *tile)
{
    size_t size;
    FILE *file = open_memstream(&place->dump, &size);

    if (file == NULL)
        return false;
    dump_write(file, dumps, tile);
    return fclose(file) == 0;
}

// False if nothing could be done; a place that the run does not reach is none of that.
static bool run_to(struct run_place *place, const struct tile_choice *choice,
                   const struct dump_list *dumps, const struct run_order *order,
                   struct message *why)
{
    struct run_order own = *order;
    bool ok;

    own.tile = make_tile(choice, why);
    if (own.tile == NULL)
        return false;
    place_break(place, &own);
    ok = tensors_to_l1(order->program, own.tile, why);
    if (ok && program_run(&own).end == TSR_END_BREAK && !place_keep_dump(place, dumps, own.tile))
        ok = message_no_memory(why, "--dump-at");
    tsr_tile_destroy(own.tile);
    return ok;
}

bool places_dump(struct run_places *places, const struct tile_choice *choice,
                 const struct dump_list *dumps, const struct run_order *order, struct message *why)
{
    for (int i = 0; i < places->count; i++)
        if (!run_to(&places->list[i], choice, dumps, order, why))
            return false;
    return true;
}

void places_write(FILE *file, const struct run_places *places)
{
    for (int i = 0; i < places->count; i++)
        fprintf(file, "at %s:\n%s\n", places->list[i].word,
                places->list[i].dump == NULL ? "not reached\n" : places->list[i].dump);
}

const struct run_place *places_missed(const struct run_places *places)
{
    for (int i = 0; i < places->count; i++)
        if (places->list[i].dump == NULL)
            return &places->list[i];
    return NULL;
}

void places_free(struct run_places *places)
{
    for (int i = 0; i < places->count; i++)
        free(places->list[i].dump);
    places->count = 0;
}
