// SPDX-License-Identifier: Apache-2.0
// Compares files by name and by what the names lead to.
#include "run/run_files.h"

#include "common/in_file.h"

#include <string.h>
#include <sys/stat.h>

bool same_file(const char *left, const char *right)
{
    struct stat a, b;

    if (strcmp(left, right) == 0)
        return true;
    return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

// An output that is there is replaced, which an input must not be: neither is the run repeatable
// then, nor is the array left if the run goes wrong.
static bool spares_inputs(const struct run_files *files, const char *option, const char *path,
                          struct message *why)
{
    const struct ttasm_files *arrays = files->arrays;

    if (is_standard_stream(path))
        return true; // input and output are two streams
    if (same_file(path, files->program))
        return message_set(why, "%s: this file is the program '%s'", option, path);
    for (int i = 0; i < arrays->in_count; i++)
        if (same_file(path, arrays->in[i].path))
            return message_set(why, "%s: this file is the array of --in %s '%s'", option,
                               arrays->in[i].name, path);
    return true;
}

static bool check_outputs(const struct run_files *files, struct message *why)
{
    const struct ttasm_files *arrays = files->arrays;

    for (int i = 0; i < arrays->out_count; i++) {
        const char *path = arrays->out[i].path;
        if (files->trace != NULL && same_file(path, files->trace))
            return message_set(why, "--trace and --out name the same file '%s'", path);
        for (int k = 0; k < i; k++)
            if (same_file(path, arrays->out[k].path))
                return message_set(why, "--out: two tensors name the same file '%s'", path);
        if (!spares_inputs(files, "--out", path, why))
            return false;
    }
    return files->trace == NULL || spares_inputs(files, "--trace", files->trace, why);
}

bool files_check(const struct run_files *files, struct message *why)
{
    int streams = is_standard_stream(files->program);

    for (int i = 0; i < files->arrays->in_count; i++)
        streams += is_standard_stream(files->arrays->in[i].path);
    if (streams > 1)
        return message_set(why, "run: more than one file is the standard input '-'");
    return check_outputs(files, why);
}

static bool spares_includes(const struct ttasm_program *program, const char *option,
                            const char *path, struct message *why)
{
    if (is_standard_stream(path))
        return true;
    for (size_t i = 0; i < program->path_count; i++)
        if (same_file(path, program->paths[i]))
            return message_set(why, "%s: this file is a part of the program '%s'", option, path);
    return true;
}

bool files_spare_includes(const struct run_files *files, const struct ttasm_program *program,
                          struct message *why)
{
    const struct ttasm_files *arrays = files->arrays;

    for (int i = 0; i < arrays->out_count; i++)
        if (!spares_includes(program, "--out", arrays->out[i].path, why))
            return false;
    return files->trace == NULL || spares_includes(program, "--trace", files->trace, why);
}

bool files_take_output(const struct run_files *files)
{
    bool taken = files->trace != NULL && is_standard_stream(files->trace);

    for (int i = 0; i < files->arrays->out_count; i++)
        taken = taken || is_standard_stream(files->arrays->out[i].path);
    return taken;
}
