// SPDX-License-Identifier: Apache-2.0
// Words of options, and what must hold between them; see chip_job.h.
#include "chip/chip_job.h"

#include "common/cli_options.h"
#include "common/in_file.h"
#include "run/run_files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *chip_job_path(const struct chip_job *job)
{
    if (job->grid_path != NULL)
        return job->grid_path;
    if (job->group_count > 0)
        return core_job_path(&job->groups[0]->cores);
    if (job->ethernet.count == 0)
        return "--chip";
    const struct ethernet_tile *tile = &job->ethernet.list[0];
    return tile->paths[0] != NULL ? tile->paths[0] : tile->paths[1];
}

// Where a tile's group stands in group_of.
static unsigned place_of(const struct chip_job *job, unsigned chip, unsigned x, unsigned y)
{
    return (chip * tsr_grid_rows(job->arch) + y) * tsr_grid_columns(job->arch) + x;
}

struct chip_group *chip_job_group(const struct chip_job *job, unsigned chip, unsigned x, unsigned y)
{
    if (job->group_of == NULL || chip >= job->chips.count || x >= tsr_grid_columns(job->arch) ||
        y >= tsr_grid_rows(job->arch))
        return NULL;
    int group = job->group_of[place_of(job, chip, x, y)];
    return group < 0 ? NULL : job->groups[group];
}

bool chip_job_area(const struct chip_job *job, struct chip_area *area, bool tensix,
                   const char *what, struct message *why)
{
    return chips_find(&job->chips, area, what, why) &&
           area_check(area, job->arch, tensix, what, why);
}

// ---------------------------------------------------------------- makers

struct chip_group *chip_job_add_group(struct chip_job *job, const struct chip_area *area,
                                      const char *from, struct message *why)
{
    size_t count = (size_t)job->group_count + 1;
    struct chip_group **groups = realloc(job->groups, count * sizeof(struct chip_group *));
    struct chip_group *group = calloc(1, sizeof *group);

    if (groups != NULL)
        job->groups = groups;
    if (groups == NULL || group == NULL) {
        free(group);
        message_no_memory(why, from);
        return NULL;
    }
    snprintf(group->from, sizeof group->from, "%s", from);
    group->area = *area;
    group->cores.given = true;
    job->groups[job->group_count++] = group;
    return group;
}

static struct chip_data *add_data(struct chip_data **all, int *count, const char *from,
                                  struct message *why)
{
    struct chip_data *more = realloc(*all, ((size_t)*count + 1) * sizeof *more);

    if (more == NULL) {
        message_no_memory(why, from);
        return NULL;
    }
    *all = more;
    struct chip_data *data = &more[(*count)++];
    *data = (struct chip_data){0};
    snprintf(data->from, sizeof data->from, "%s", from);
    return data;
}

struct chip_data *chip_job_add_write(struct chip_job *job, const char *from, struct message *why)
{
    return add_data(&job->writes, &job->write_count, from, why);
}

struct chip_data *chip_job_add_dump(struct chip_job *job, const char *from, struct message *why)
{
    return add_data(&job->dumps, &job->dump_count, from, why);
}

struct chip_step *chip_job_add_step(struct chip_job *job, const char *from, struct message *why)
{
    struct chip_step *more = realloc(job->steps, ((size_t)job->step_count + 1) * sizeof *more);

    if (more == NULL) {
        message_no_memory(why, from);
        return NULL;
    }
    job->steps = more;
    struct chip_step *step = &more[job->step_count++];
    *step = (struct chip_step){.kind = STEP_CYCLES};
    snprintf(step->data.from, sizeof step->data.from, "%s", from);
    return step;
}

// ---------------------------------------------------------------- words of options

bool chip_job_elf(struct chip_job *job, const char *word, struct message *why)
{
    struct chip_area area;
    const char *programs;

    if (!area_before(&area, word, &programs, "--elf", why))
        return false;
    if (ethernet_means(programs))
        return ethernet_add(&job->ethernet, &area, programs, "--elf", why);
    for (int i = 0; i < job->group_count; i++)
        if (area_same(&job->groups[i]->area, &area))
            return core_job_elf(&job->groups[i]->cores, programs, why);
    struct chip_group *group = chip_job_add_group(job, &area, "--elf", why);
    return group != NULL && core_job_elf(&group->cores, programs, why);
}

static bool take_path(struct chip_data *data, const char *path, size_t length, struct message *why)
{
    data->path = strndup(path, length);
    return data->path != NULL || message_no_memory(why, data->from);
}

bool chip_job_noc_write(struct chip_job *job, const char *word, struct message *why)
{
    const char *equals = strchr(word, '=');
    struct chip_data *data = chip_job_add_write(job, "--noc-write", why);

    if (data == NULL)
        return false;
    if (equals == NULL || equals[1] == '\0')
        return message_set(why, "--noc-write: this is not X,Y:ADDRESS=FILE '%s'", word);
    return address_parse(&data->place, word, equals, "--noc-write", why) &&
           take_path(data, equals + 1, strlen(equals + 1), why);
}

bool chip_job_load(struct chip_job *job, const char *word, struct message *why)
{
    const char *at = strrchr(word, '@');
    struct chip_data *data = chip_job_add_write(job, "--load", why);

    if (data == NULL)
        return false;
    if (at == NULL || at == word)
        return message_set(why, "--load: this is not FILE@X,Y:ADDRESS '%s'", word);
    return address_parse(&data->place, at + 1, at + strlen(at), "--load", why) &&
           take_path(data, word, (size_t)(at - word), why);
}

bool chip_job_dump(struct chip_job *job, const char *word, struct message *why)
{
    const char *equals = strchr(word, '='), *colon = strchr(word, ':');
    struct chip_data *data = chip_job_add_dump(job, "--dump", why);

    if (data == NULL)
        return false;
    if (colon != NULL)
        colon = strchr(colon + 1, ':');
    if (equals == NULL || equals[1] == '\0' || colon == NULL || colon > equals)
        return message_set(why, "--dump: with --chip this is not X,Y:ADDRESS:LENGTH=FILE '%s'",
                           word);
    if (parse_digits(colon + 1, (size_t)(equals - colon - 1), &data->size) != NUMBER_OK)
        return message_set(why, "--dump: this is no length '%.*s'", (int)(equals - colon - 1),
                           colon + 1);
    if (data->size == 0)
        return message_set(why, "--dump: no bytes are asked for '%s'", word);
    return address_parse(&data->place, word, colon, "--dump", why) &&
           take_path(data, equals + 1, strlen(equals + 1), why);
}

bool chip_job_until(struct chip_job *job, const char *word, struct message *why)
{
    const char *equals = strchr(word, '=');
    uint64_t value;

    if (equals == NULL || !parse_number(equals + 1, &value) || value > UINT32_MAX)
        return message_set(why, "--until: with --chip this is not X,Y:ADDRESS=VALUE '%s'", word);
    job->until = true;
    job->until_value = (uint32_t)value;
    snprintf(job->until_from, sizeof job->until_from, "--until");
    return address_parse(&job->until_place, word, equals, "--until", why);
}

// ---------------------------------------------------------------- checks

static bool place_group(struct chip_job *job, int number, struct message *why)
{
    struct chip_group *group = job->groups[number];
    unsigned index = 0, x, y;

    if (!chip_job_area(job, &group->area, true, group->from, why))
        return false;
    while (area_next(&group->area, job->arch, &index, &x, &y)) {
        int *owner = &job->group_of[place_of(job, group->area.on, x, y)];
        char tile[AREA_TEXT], text[AREA_TEXT];
        if (*owner >= 0) {
            chips_tile_text(&job->chips, group->area.on, x, y, tile);
            area_text(&job->groups[*owner]->area, text);
            return message_set(why, "%s: tile %s has programs already, from '%s'", group->from,
                               tile, text);
        }
        *owner = number;
    }
    return core_job_read(&group->cores, job->arch, why);
}

static bool place_groups(struct chip_job *job, struct message *why)
{
    size_t nodes = place_of(job, job->chips.count, 0, 0);

    job->group_of = malloc(nodes * sizeof *job->group_of);
    if (job->group_of == NULL)
        return message_no_memory(why, chip_job_path(job));
    for (size_t i = 0; i < nodes; i++)
        job->group_of[i] = -1;
    for (int i = 0; i < job->group_count; i++)
        if (!place_group(job, i, why))
            return false;
    return true;
}

// Bytes of one node: a tile's L1 is looked at here, other nodes when their memory is read.
static bool check_bytes(const struct chip_job *job, struct chip_address *place, uint64_t size,
                        const char *from, struct message *why)
{
    tsr_node_info node;
    uint64_t l1 = tsr_l1_size(job->arch);

    if (place->area.range)
        return message_set(why, "%s: one node is meant here, not a range", from);
    if (!chip_job_area(job, &place->area, false, from, why))
        return false;
    tsr_node_at(job->arch, place->area.first_x, place->area.first_y, &node);
    return node.kind != TSR_NODE_TENSIX || (place->address <= l1 && size <= l1 - place->address) ||
           message_set(
               why, "%s: L1 has 0x%" PRIx64 " bytes, and 0x%" PRIx64 " at 0x%" PRIx64 " leave it",
               from, l1, size, place->address);
}

bool chip_job_spares(const struct chip_job *job, const char *from, const char *path,
                     struct message *why)
{
    if (job->grid_path != NULL && same_file(job->grid_path, path))
        return message_set(why, "%s: this file is the one of --grid '%s'", from, path);
    for (int i = 0; i < job->write_count; i++)
        if (job->writes[i].path != NULL && same_file(job->writes[i].path, path))
            return message_set(why, "%s: this file is read, too '%s'", from, path);
    for (int i = 0; i < job->group_count; i++)
        for (int k = 0; k < CORE_COUNT; k++)
            if (job->groups[i]->cores.paths[k] != NULL &&
                same_file(job->groups[i]->cores.paths[k], path))
                return message_set(why, "%s: this file is a program '%s'", from, path);
    for (int i = 0; i < job->ethernet.count; i++)
        for (int k = 0; k < ETHERNET_CORES; k++)
            if (job->ethernet.list[i].paths[k] != NULL &&
                same_file(job->ethernet.list[i].paths[k], path))
                return message_set(why, "%s: this file is a program '%s'", from, path);
    return true;
}

static bool check_dump(const struct chip_job *job, int number, struct message *why)
{
    struct chip_data *dump = &job->dumps[number];
    const uint64_t most = UINT64_C(1) << 30;

    if (dump->size > most)
        return message_set(why, "%s: more than 0x%" PRIx64 " bytes '%s'", dump->from, most,
                           dump->path);
    for (int i = 0; i < number; i++)
        if (same_file(job->dumps[i].path, dump->path))
            return message_set(why, "%s: two dumps go to the same file '%s'", dump->from,
                               dump->path);
    return chip_job_spares(job, dump->from, dump->path, why) &&
           check_bytes(job, &dump->place, dump->size, dump->from, why);
}

static bool check_word(const struct chip_job *job, struct chip_address *place, const char *from,
                       struct message *why)
{
    return check_bytes(job, place, 4, from, why) &&
           (place->address % 4 == 0 ||
            message_set(why, "%s: a word begins at a multiple of 4, not at 0x%" PRIx64, from,
                        place->address));
}

static bool check_step(const struct chip_job *job, struct chip_step *step, struct message *why)
{
    struct chip_data *data = &step->data;

    return step->kind == STEP_CYCLES ||
           (step->kind == STEP_WRITE ? chip_job_area(job, &data->place.area, false, data->from, why)
                                     : check_word(job, &data->place, data->from, why));
}

bool chip_job_check(struct chip_job *job, struct message *why)
{
    if (!job->arch_given)
        return message_set(why, "run: the chip is missing (--chip wh or --chip bh)");
    if (job->group_count == 0 && job->ethernet.count == 0)
        return message_set(why, "run: no tile has a program (--elf X,Y:CORE=FILE, or --grid)");
    if (!chips_check(&job->chips, job->arch, why))
        return false;
    for (int i = 0; i < job->write_count; i++)
        if (!chip_job_area(job, &job->writes[i].place.area, false, job->writes[i].from, why))
            return false;
    for (int i = 0; i < job->dump_count; i++)
        if (!check_dump(job, i, why))
            return false;
    for (int i = 0; i < job->step_count; i++)
        if (!check_step(job, &job->steps[i], why))
            return false;
    if (job->until && !check_word(job, &job->until_place, job->until_from, why))
        return false;
    for (int i = 0; i < job->ethernet.count; i++)
        if (!chips_find(&job->chips, &job->ethernet.list[i].area, job->ethernet.list[i].from, why))
            return false;
    return place_groups(job, why) && ethernet_read(&job->ethernet, job->arch, why);
}

// ---------------------------------------------------------------- the end

static void free_data(struct chip_data *data)
{
    free(data->path);
    free(data->words);
    tensor_free(&data->tensor);
    out_discard(&data->out);
}

void chip_job_free(struct chip_job *job)
{
    for (int i = 0; i < job->group_count; i++) {
        core_job_free(&job->groups[i]->cores);
        free(job->groups[i]);
    }
    free(job->groups);
    ethernet_free(&job->ethernet);
    for (int i = 0; i < job->write_count; i++)
        free_data(&job->writes[i]);
    for (int i = 0; i < job->dump_count; i++)
        free_data(&job->dumps[i]);
    for (int i = 0; i < job->step_count; i++)
        free_data(&job->steps[i].data);
    free(job->writes);
    free(job->dumps);
    free(job->steps);
    free(job->group_of);
    chips_free(&job->chips);
}
