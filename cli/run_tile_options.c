// SPDX-License-Identifier: Apache-2.0
// The options of `tessera run` for one tile; see run_tile_options.h.
#include "run_tile_options.h"
#include "common/in_file.h"
#include "run/finding_filter.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool add_binding(struct binding *bindings, int *count, const char *option, const char *word,
                        struct message *why)
{
    const char *equals = strchr(word, '=');

    if (equals == NULL || equals == word || equals[1] == '\0' ||
        (size_t)(equals - word) >= sizeof bindings[0].name)
        return message_set(why, "%s: this is not NAME=FILE '%s'", option, word);
    if (*count == MAX_BINDINGS)
        return message_set(why, "%s: more than %d files", option, MAX_BINDINGS);
    struct binding *binding = &bindings[*count];
    *binding = (struct binding){.path = equals + 1};
    memcpy(binding->name, word, (size_t)(equals - word));
    for (int i = 0; i < *count; i++)
        if (strcmp(bindings[i].name, binding->name) == 0)
            return message_set(why, "%s: two files for one tensor '%s'", option, binding->name);
    ++*count;
    return true;
}

static bool take_option(struct run_job *job, int option, const char *word, struct message *why)
{
    bool taken;

    job->waits |= option == RUN_WAITS;
    job->deletions |= option == RUN_DELETIONS;
    bool ok = run_choice(&job->choice, option, word, &taken, why);
    if (taken)
        return ok;
    switch (option) {
    case RUN_ARCH:
        return choose_arch(&job->choice, word, why);
    case RUN_ELF:
        return core_job_elf(&job->cores, word, why);
    case RUN_LOAD:
        return core_job_load(&job->cores, word, why);
    case RUN_UNTIL:
        return core_job_until(&job->cores, word, why);
    case RUN_IN:
        return add_binding(job->in, &job->files.in_count, "--in", word, why);
    case RUN_OUT:
        return add_binding(job->out, &job->files.out_count, "--out", word, why);
    case RUN_FINDINGS_FAIL:
        job->findings_fail = word == NULL ? "" : word;
        return word == NULL || filter_check(word, why);
    case RUN_TRACE:
        job->trace_path = word;
        return true;
    case RUN_TRACE_FROM:
        job->trace_window = true;
        return take_number(&job->trace_order.from, "--trace-from", word, why);
    case RUN_TRACE_TO:
        job->trace_window = true;
        return take_number(&job->trace_order.to, "--trace-to", word, why);
    case RUN_STOP_AT:
        job->stop_at = word;
        return true;
    case RUN_DUMP:
        return strchr(word, '=') != NULL ? core_job_dump(&job->cores, word, why)
                                         : dump_parse(&job->dumps, word, why);
    case RUN_DUMP_AT:
        return places_add(&job->places, word, why);
    case RUN_JSON:
        job->json = true;
        return true;
    case RUN_MAX_CYCLES:
        job->max_cycles_given = word;
        return take_number(&job->max_cycles, "--max-cycles", word, why);
    default:
        return message_set(why, "--%s needs --chip or --grid", run_options[option].name);
    }
}

struct run_files files_of(const struct run_job *job)
{
    return (struct run_files){job->path, job->trace_path, &job->files};
}

static bool window_fits(const struct run_job *job, struct message *why)
{
    if (!job->trace_window)
        return true;
    if (job->trace_path == NULL)
        return message_set(why, "--trace-from and --trace-to need --trace");
    if (!job->choice.options.timing)
        return message_set(why, "--trace-from and --trace-to need --timing on");
    return job->trace_order.from <= job->trace_order.to ||
           message_set(why, "--trace-to lies before --trace-from");
}

static bool spares_core_inputs(const struct core_job *cores, const char *option, const char *path,
                               struct message *why)
{
    for (int k = 0; k < CORE_COUNT; k++)
        if (cores->paths[k] != NULL && same_file(path, cores->paths[k]))
            return message_set(why, "%s: this file is a program '%s'", option, path);
    for (int k = 0; k < cores->load_count; k++)
        if (same_file(path, cores->loads[k].path))
            return message_set(why, "%s: this file is one of --load '%s'", option, path);
    return true;
}

static bool check_core_outputs(const struct run_job *job, struct message *why)
{
    const struct core_job *cores = &job->cores;

    for (int i = 0; i < cores->dump_count; i++) {
        const char *path = cores->dumps[i].path;
        if (!spares_core_inputs(cores, "--dump", path, why))
            return false;
        if (job->trace_path != NULL && same_file(path, job->trace_path))
            return message_set(why, "--trace: this is a file of --dump, too '%s'", path);
    }
    return !cores->given || job->trace_path == NULL ||
           spares_core_inputs(cores, "--trace", job->trace_path, why);
}

static bool check_core_options(const struct run_job *job, struct message *why)
{
    const struct core_job *cores = &job->cores;

    if (!cores->given && (cores->load_count > 0 || cores->until || cores->dump_count > 0))
        return message_set(why, "%s needs --elf",
                           cores->load_count > 0 ? "--load"
                           : cores->until        ? "--until"
                                                 : "--dump ADDRESS:LENGTH=FILE");
    if (!cores->given && job->deletions)
        return message_set(why, "--deletions needs --elf: a line of a .ttasm program can be "
                                "removed as it is");
    if (cores->given && (job->files.in_count > 0 || job->files.out_count > 0))
        return message_set(why,
                           "%s: compiled programs have no tensors; --load and --dump move "
                           "bytes",
                           job->files.in_count > 0 ? "--in" : "--out");
    if (job->places.count > 0 && job->dumps.count == 0)
        return message_set(why, "--dump-at needs --dump");
    return check_core_outputs(job, why);
}

static bool check_options(const struct run_job *job, struct message *why)
{
    if (!check_core_options(job, why) || !schedule_fits(&job->choice, why))
        return false;
    if (job->cores.given)
        return window_fits(job, why) && dump_check(&job->dumps, job->choice.options.arch, why);
    if (job->max_cycles_given != NULL && !job->choice.options.timing)
        return message_set(why, "--max-cycles: no cycles pass without --timing on '%s'",
                           job->max_cycles_given);
    struct run_files files = files_of(job);

    return files_check(&files, why) && window_fits(job, why) &&
           dump_check(&job->dumps, job->choice.options.arch, why);
}

int tile_options(struct run_job *job, const struct given_option *given, int count, int argc,
                 char **argv)
{
    struct message why;

    job->choice.options = tsr_options_default(TSR_WORMHOLE_B0);
    job->choice.options.watch_config = true;
    if (!choose_races_by_environment(&job->choice, &why))
        return report_message(&why);
    job->trace_order.to = UINT64_MAX;
    job->files = (struct ttasm_files){.in = job->in, .out = job->out};
    for (int i = 0; i < count; i++)
        if (!take_option(job, given[i].option, given[i].word, &why))
            return report_message(&why);
    if (job->cores.given && optind != argc)
        return report_bad_input("run: with --elf there is no program '%s'", argv[optind]);
    if (!job->cores.given && optind + 1 != argc)
        return optind == argc ? report_bad_input("run: a program is missing")
                              : report_bad_input("run: only one program can be run, not '%s'",
                                                 argv[optind + 1]);
    settle_seed(&job->choice);
    if (!job->choice.arch_given)
        return report_bad_input("run: the architecture is missing: --arch wh or --arch bh");
    job->path = job->cores.given ? core_job_path(&job->cores) : argv[optind];
    if (job->cores.given) {
        job->choice.options.cores = true;
        if (!job->choice.profile_given)
            job->choice.options.profile = TSR_PROFILE_SILICON;
    }
    return check_options(job, &why) ? STATUS_OK : report_message(&why);
}
