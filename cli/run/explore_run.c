// SPDX-License-Identifier: Apache-2.0
// A run in a schedule; see explore_run.h. Several may go on at once: they share the program, which
// none of them changes.
#include "run/explore_run.h"

#include "common/signals.h"
#include "run/core_run.h"
#include "run/program_run.h"
#include "run/state_dump.h"
#include "run/tensor_io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool run_cores(struct explore_program *program, tsr_tile *tile, struct outcome *outcome,
                      struct message *why)
{
    if (!core_job_begin(&program->cores, tile, why))
        return false;
    outcome->end = core_run(&program->cores, tile, program->max_cycles, signals_seen).end;
    int fallen = core_fallen(&program->cores, tile);
    if (fallen >= 0)
        snprintf(outcome->finding, sizeof outcome->finding, "%s has fallen",
                 tsr_core_program_name((tsr_core)fallen));
    return true;
}

static bool run_words(struct explore_program *program, tsr_tile *tile, struct outcome *outcome,
                      struct message *why)
{
    const struct run_order order = {
        .program = &program->program, .tile = tile, .break_thread = -1, .stop = signals_seen};

    if (!tensors_to_l1(&program->program, tile, why))
        return false;
    outcome->end = program_run(&order).end;
    return true;
}

static bool keep_dump(const struct explore_program *program, const tsr_tile *tile,
                      struct outcome *outcome, struct message *why)
{
    size_t size;

    if (program->dumps.count == 0)
        return true;
    FILE *file = open_memstream(&outcome->dump, &size);
    if (file == NULL)
        return message_no_memory(why, program->path);
    dump_write(file, &program->dumps, tile);
    return fclose(file) == 0 || message_no_memory(why, program->path);
}

static bool keep_races(const struct explore_program *program, const tsr_tile *tile,
                       struct outcome *outcome, struct message *why)
{
    int count = tsr_diagnostic_count(tile);

    outcome->races = malloc(((size_t)count + 1) * sizeof *outcome->races);
    if (outcome->races == NULL)
        return message_no_memory(why, program->path);
    for (int i = 0; i < count; i++)
        if (tsr_diagnostic_at(tile, i)->category == TSR_RACE)
            outcome->races[outcome->race_count++] = *tsr_diagnostic_at(tile, i);
    return true;
}

static bool keep(const struct explore_program *program, const tsr_tile *tile,
                 struct outcome *outcome, struct message *why)
{
    size_t size = tsr_l1_size(program->choice.options.arch);
    const tsr_diagnostic *finding = stopping_finding(tile);

    if (finding != NULL && outcome->end == TSR_END_STOPPED) {
        snprintf(outcome->finding, sizeof outcome->finding, "%s", finding->code);
        snprintf(outcome->sentence, sizeof outcome->sentence, "%s", finding->sentence);
    }
    if (outcome->end == TSR_END_DEADLOCK) {
        tsr_wait wait;
        if (tsr_waits(tile, &wait, 1) > 0)
            snprintf(outcome->sentence, sizeof outcome->sentence, "%.40s: %.250s", wait.who,
                     wait.what);
    }
    outcome->cycles = tsr_cycle(tile);
    if (tsr_view_schedule(tile, &outcome->step) != TSR_OK)
        outcome->step = (tsr_schedule_step){0};
    outcome->l1 = malloc(size);
    if (outcome->l1 == NULL)
        return message_no_memory(why, program->path);
    tsr_l1_read(tile, 0, outcome->l1, size);
    return keep_dump(program, tile, outcome, why);
}

bool explore_run(struct explore_program *program, const struct schedule_choice *choice,
                 struct outcome *outcome, struct message *why)
{
    struct tile_choice mine = program->choice;

    *outcome = (struct outcome){0};
    mine.options.schedule = choice->schedule;
    mine.options.schedule_seed = choice->seed;
    mine.options.schedule_cut = choice->cut;
    mine.options.find_races = choice->find_races;
    tsr_tile *tile = make_tile(&mine, why);
    if (tile == NULL)
        return false;
    bool ok = program->cores.given ? run_cores(program, tile, outcome, why)
                                   : run_words(program, tile, outcome, why);
    ok = ok && keep(program, tile, outcome, why) &&
         (!choice->find_races || keep_races(program, tile, outcome, why));
    tsr_tile_destroy(tile);
    if (!ok)
        outcome_free(outcome);
    return ok;
}

bool outcomes_differ(const struct explore_program *program, const struct outcome *one,
                     const struct outcome *other)
{
    return one->end != other->end || strcmp(one->finding, other->finding) != 0 ||
           memcmp(one->l1, other->l1, tsr_l1_size(program->choice.options.arch)) != 0 ||
           (one->dump != NULL && strcmp(one->dump, other->dump) != 0);
}

struct l1_difference l1_differs(const struct explore_program *program, const struct outcome *one,
                                const struct outcome *other)
{
    struct l1_difference difference = {0};
    size_t size = tsr_l1_size(program->choice.options.arch);

    for (size_t i = size; i-- > 0;)
        if (one->l1[i] != other->l1[i]) {
            difference.first = (uint32_t)i;
            difference.count++;
        }
    return difference;
}

void outcome_free(struct outcome *outcome)
{
    free(outcome->l1);
    free(outcome->dump);
    free(outcome->races);
    outcome->races = NULL;
    outcome->l1 = NULL;
    outcome->dump = NULL;
}
