// SPDX-License-Identifier: Apache-2.0
// Bytes between files and nodes of a chip; see chip_io.h.
#include "chip/chip_io.h"

#include "common/in_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool chip_connect_all(const struct chip_job *job, tsr_chip *const chips[], struct message *why)
{
    for (int i = 0; i < job->chips.link_count; i++) {
        const struct chip_link *link = &job->chips.links[i];
        const struct chip_link_end *end = link->end;
        tsr_link_options options = tsr_link_options_default();
        options.drop_every = (unsigned)link->drop_every;
        if (tsr_chip_connect(chips[end[0].number], end[0].tile, chips[end[1].number], end[1].tile,
                             &options) != TSR_OK)
            return message_no_memory(why, link->from);
    }
    return true;
}

// ---------------------------------------------------------------- into the chip

// The array is read again by each run that writes it, so nothing of it is kept.
static uint8_t *bytes_of_array(struct chip_data *data, size_t *size, struct message *why)
{
    struct tensor *tensor = &data->tensor;
    struct message reason;
    uint8_t *bytes = NULL;

    tensor->in_path = data->path;
    if (tensor_read(tensor, why) && tensor_fit(tensor, why)) {
        bytes = malloc(tensor->bytes + 1);
        if (bytes == NULL) {
            message_no_memory(why, data->path);
        } else if (!tiles_from_array(&tensor->layout, &tensor->input, bytes, &reason)) {
            message_set(why, "%s: %.500s", data->path, reason.text);
            free(bytes);
            bytes = NULL;
        }
    }
    *size = tensor->bytes;
    tensor_free(tensor);
    return bytes;
}

static uint8_t *bytes_of_words(const struct chip_data *data, size_t *size, struct message *why)
{
    uint8_t *bytes = malloc((size_t)data->size + 1);

    if (bytes == NULL)
        message_no_memory(why, data->from);
    else
        for (size_t i = 0; i < data->size; i++)
            bytes[i] = (uint8_t)(data->words[i / 4] >> 8 * (i % 4));
    *size = (size_t)data->size;
    return bytes;
}

bool chip_write(const struct chip_job *job, struct chip_data *data, tsr_chip *const chips[],
                struct message *why)
{
    enum { MOST = 1 << 30 };
    size_t size = 0;
    unsigned index = 0, x, y;
    uint8_t *bytes = data->path == NULL ? bytes_of_words(data, &size, why)
                     : data->array      ? bytes_of_array(data, &size, why)
                                        : (uint8_t *)in_read(data->path, MOST, &size, why);
    bool ok = bytes != NULL;

    while (ok && area_next(&data->place.area, job->arch, &index, &x, &y))
        if (tsr_chip_write(chips[data->place.area.on], x, y, data->place.address, bytes, size) !=
            TSR_OK) {
            char node[AREA_TEXT];
            chips_tile_text(&job->chips, data->place.area.on, x, y, node);
            ok = message_set(why, "%s: node %s does not take 0x%zx bytes at 0x%" PRIx64, data->from,
                             node, size, data->place.address);
        }
    free(bytes);
    return ok;
}

static bool begin_tiles(const struct chip_job *job, unsigned number, tsr_chip *chip,
                        struct message *why)
{
    for (unsigned y = 0; y < tsr_grid_rows(job->arch); y++)
        for (unsigned x = 0; x < tsr_grid_columns(job->arch); x++) {
            struct chip_group *group = chip_job_group(job, number, x, y);
            tsr_tile *tile;
            if (group == NULL)
                continue;
            if (tsr_chip_tile(chip, x, y, &tile) != TSR_OK)
                return message_no_memory(why, "a tile");
            if (!core_job_begin(&group->cores, tile, why))
                return false;
        }
    return true;
}

bool chip_begin(struct chip_job *job, tsr_chip *const chips[], struct message *why)
{
    for (int i = 0; i < job->write_count; i++)
        if (!chip_write(job, &job->writes[i], chips, why))
            return false;
    for (unsigned i = 0; i < job->chips.count; i++)
        if (!begin_tiles(job, i, chips[i], why))
            return false;
    return ethernet_begin(&job->ethernet, chips, why);
}

// ---------------------------------------------------------------- out of the chip

static bool nothing_to_read(const struct chip_job *job, const struct chip_data *dump,
                            struct message *why)
{
    const struct chip_area *area = &dump->place.area;
    char node[AREA_TEXT];

    chips_tile_text(&job->chips, area->on, area->first_x, area->first_y, node);
    return message_set(why, "%s: node %s has nothing to read in 0x%" PRIx64 " bytes at 0x%" PRIx64,
                       dump->from, node, dump->size, dump->place.address);
}

bool chip_open_dumps(struct chip_job *job, tsr_chip *const chips[], struct message *why)
{
    for (int i = 0; i < job->dump_count; i++) {
        struct chip_data *dump = &job->dumps[i];
        tsr_chip *chip = chips[dump->place.area.on];
        unsigned x = dump->place.area.first_x, y = dump->place.area.first_y;
        uint64_t last = dump->place.address + dump->size - 1;
        uint8_t byte;
        if (dump->size > 0 && (tsr_chip_read(chip, x, y, dump->place.address, &byte, 1) != TSR_OK ||
                               tsr_chip_read(chip, x, y, last, &byte, 1) != TSR_OK))
            return nothing_to_read(job, dump, why);
        if (!out_open(&dump->out, dump->path, why))
            return false;
    }
    return true;
}

static bool write_array(const struct chip_data *dump, const uint8_t *bytes, struct message *why)
{
    const struct tensor *tensor = &dump->tensor;
    struct npy_array array = {.type = tensor->layout.format->output, .dims = tensor->dims};

    memcpy(array.shape, tensor->shape, sizeof array.shape);
    array.count = tensor->layout.rows * tensor->layout.cols;
    array.data = calloc(array.count + 1, npy_item_size(array.type));
    if (array.data == NULL)
        return message_no_memory(why, dump->path);
    tiles_to_array(&tensor->layout, bytes, &array);
    bool ok = npy_write(dump->out.file, &array) || message_io(why, dump->path, "written", errno);
    npy_free(&array);
    return ok;
}

static bool write_dump(struct chip_data *dump, tsr_chip *chip, struct message *why)
{
    size_t size = (size_t)dump->size;
    uint8_t *bytes = malloc(size + 1);

    if (bytes == NULL)
        return message_no_memory(why, dump->path);
    bool ok = tsr_chip_read(chip, dump->place.area.first_x, dump->place.area.first_y,
                            dump->place.address, bytes, size) == TSR_OK ||
              message_set(why, "%s: 0x%zx bytes at 0x%" PRIx64 " cannot all be read", dump->from,
                          size, dump->place.address);
    if (ok && dump->array)
        ok = write_array(dump, bytes, why);
    else if (ok)
        ok = fwrite(bytes, 1, size, dump->out.file) == size ||
             message_io(why, dump->path, "written", errno);
    free(bytes);
    return ok && out_commit(&dump->out, why);
}

bool chip_write_dumps(struct chip_job *job, tsr_chip *const chips[], struct message *why)
{
    for (int i = 0; i < job->dump_count; i++)
        if (!write_dump(&job->dumps[i], chips[job->dumps[i].place.area.on], why))
            return false;
    return true;
}
