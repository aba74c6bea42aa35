// SPDX-License-Identifier: Apache-2.0
// From YAML to a job; see grid_file.h.
#include "chip/grid_file.h"

#include "chip/grid_yaml.h"
#include "common/in_file.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- programs

// Those of a Tensix tile, and behind them those of an Ethernet tile.
enum { PROGRAM_CORES = CORE_COUNT + ETHERNET_CORES };

// The file of a core of a Tensix tile (number below CORE_COUNT), or of an Ethernet tile behind
// them.
static bool add_core(struct grid_reader *reader, struct chip_group *group,
                     const struct chip_area *area, int number, const char *name, const char *from)
{
    char *path = grid_path(reader, name);

    if (group == NULL)
        return path != NULL && ethernet_set(&reader->job->ethernet, area, number - CORE_COUNT, path,
                                            from, reader->why);
    group->cores.words[number] = path;
    group->cores.paths[number] = path;
    return path != NULL;
}

static bool add_cores(struct grid_reader *reader, const struct chip_area *area, const char *from,
                      const char *const names[PROGRAM_CORES], yaml_node_t *const values[])
{
    struct chip_group *group = NULL;

    for (int i = 0; i < PROGRAM_CORES; i++) {
        const char *name;
        if (values[i] == NULL)
            continue;
        if (i < CORE_COUNT && group == NULL) {
            group = chip_job_add_group(reader->job, area, from, reader->why);
            if (group == NULL)
                return false;
        }
        if (!grid_text(reader, values[i], names[i], &name) ||
            !add_core(reader, group, area, i, name, from))
            return false;
    }
    return true;
}

static bool take_program(struct grid_reader *reader, yaml_node_t *item)
{
    const char *names[1 + PROGRAM_CORES] = {"tiles"};
    struct grid_keys keys;
    struct chip_area area;
    char from[FROM_TEXT];
    const char *text;
    bool tensix = false, ethernet = false;

    for (int i = 0; i < PROGRAM_CORES; i++)
        names[1 + i] = i < CORE_COUNT ? tsr_core_program_name((tsr_core)i)
                                      : ethernet_core_name(i - CORE_COUNT);
    grid_line(reader, item, from);
    if (!grid_keys_of(reader, item, names, 1 + PROGRAM_CORES, &keys))
        return false;
    if (keys.value[0] == NULL)
        return grid_refuse(reader, item, "'tiles' is missing: X,Y or X-X,Y-Y");
    if (!grid_text(reader, keys.value[0], "tiles", &text) ||
        !area_parse(&area, text, from, reader->why))
        return false;
    for (int i = 0; i < PROGRAM_CORES; i++)
        *(i < CORE_COUNT ? &tensix : &ethernet) |= keys.value[1 + i] != NULL;
    if (tensix == ethernet)
        return grid_refuse(reader, item,
                           tensix
                               ? "a tile has cores of a Tensix tile (brisc, …) or of an Ethernet "
                                 "tile (erisc, erisc1), not both"
                               : "no core has a program here (brisc, trisc0, trisc1, trisc2 or "
                                 "ncrisc; of an Ethernet tile erisc or erisc1)");
    return add_cores(reader, &area, from, names + 1, keys.value + 1);
}

// ---------------------------------------------------------------- what is written and dumped

static bool read_place(struct grid_reader *reader, const yaml_node_t *item, yaml_node_t *node,
                       yaml_node_t *address, struct chip_address *place)
{
    char from[FROM_TEXT];
    const char *text;

    grid_line(reader, item, from);
    if (node == NULL || address == NULL)
        return grid_refuse(reader, item, "'%s' is missing", node == NULL ? "node" : "address");
    return grid_text(reader, node, "node", &text) &&
           area_parse(&place->area, text, from, reader->why) &&
           grid_number(reader, address, "address", UINT64_MAX, &place->address);
}

static bool set_array(struct grid_reader *reader, const yaml_node_t *item,
                      const yaml_node_t *format, const char *name, struct chip_data *data)
{
    const char *text;

    if (format == NULL)
        return grid_refuse(reader, item, "'format' of the array is missing, as in 'format: bf16'");
    if (!grid_text(reader, format, "format", &text))
        return false;
    data->array = true;
    snprintf(data->tensor.name, sizeof data->tensor.name, "%s", name);
    data->tensor.layout = (struct tile_layout){
        .format = array_format_find(text), .tiled = true, .tile_rows = 32, .tile_cols = 32};
    return data->tensor.layout.format != NULL ||
           grid_refuse(reader, format, "no format of arrays is called '%.60s'", text);
}

// From `file`, or `array` and its format.
static bool set_path(struct grid_reader *reader, const yaml_node_t *item, const yaml_node_t *file,
                     const yaml_node_t *array, const yaml_node_t *format, struct chip_data *data)
{
    const char *name;

    if (format != NULL && array == NULL)
        return grid_refuse(reader, format, "'format' goes with 'array' only");
    if (!grid_text(reader, file != NULL ? file : array, file != NULL ? "file" : "array", &name) ||
        (array != NULL && !set_array(reader, item, format, name, data)))
        return false;
    data->path = grid_path(reader, name);
    return data->path != NULL;
}

static bool set_words(struct grid_reader *reader, yaml_node_t *words, struct chip_data *data)
{
    if (words->type != YAML_SEQUENCE_NODE)
        return grid_refuse(reader, words, "'words' is a list of numbers, as in [1, 0x20]");
    size_t count = (size_t)(words->data.sequence.items.top - words->data.sequence.items.start);
    if (count == 0)
        return grid_refuse(reader, words, "'words' has no number, so nothing would be written");
    data->words = calloc(count, sizeof *data->words);
    if (data->words == NULL)
        return message_no_memory(reader->why, reader->path);
    for (size_t i = 0; i < count; i++) {
        uint64_t value;
        const yaml_node_t *item =
            yaml_document_get_node(&reader->document, words->data.sequence.items.start[i]);
        if (!grid_number(reader, item, "words", UINT32_MAX, &value))
            return false;
        data->words[i] = (uint32_t)value;
    }
    data->size = 4 * count;
    return true;
}

static bool read_write(struct grid_reader *reader, yaml_node_t *item, struct chip_data *data)
{
    enum { NODE, ADDRESS, FILE_NAME, ARRAY, FORMAT, WORDS, KEYS };
    static const char *const names[KEYS] = {"node", "address", "file", "array", "format", "words"};
    struct grid_keys keys;

    if (!grid_keys_of(reader, item, names, KEYS, &keys) ||
        !read_place(reader, item, keys.value[NODE], keys.value[ADDRESS], &data->place))
        return false;
    if ((keys.value[FILE_NAME] != NULL) + (keys.value[ARRAY] != NULL) +
            (keys.value[WORDS] != NULL) !=
        1)
        return grid_refuse(reader, item, "one of 'file', 'array' and 'words' says what is written");
    return keys.value[WORDS] != NULL ? set_words(reader, keys.value[WORDS], data)
                                     : set_path(reader, item, keys.value[FILE_NAME],
                                                keys.value[ARRAY], keys.value[FORMAT], data);
}

static bool take_write(struct grid_reader *reader, yaml_node_t *item)
{
    char from[FROM_TEXT];

    grid_line(reader, item, from);
    struct chip_data *data = chip_job_add_write(reader->job, from, reader->why);
    return data != NULL && read_write(reader, item, data);
}

static bool set_shape(struct grid_reader *reader, const yaml_node_t *item, yaml_node_t *shape,
                      struct chip_data *data)
{
    struct tensor *tensor = &data->tensor;
    struct message reason;

    if (shape == NULL || shape->type != YAML_SEQUENCE_NODE)
        return grid_refuse(reader, shape == NULL ? item : shape,
                           "an array has a shape, as in 'shape: [128, 128]'");
    const yaml_node_item_t *sides = shape->data.sequence.items.start;
    for (; sides < shape->data.sequence.items.top; sides++) {
        uint64_t side;
        if (tensor->dims == NPY_MAX_DIMS)
            return grid_refuse(reader, shape, "more than %d dimensions", NPY_MAX_DIMS);
        if (!grid_number(reader, yaml_document_get_node(&reader->document, *sides), "shape",
                         UINT32_MAX, &side))
            return false;
        if (side == 0)
            return grid_refuse(reader, shape, "an array has no dimension of 0");
        tensor->shape[tensor->dims++] = (size_t)side;
    }
    if (!tensor_fit(tensor, &reason))
        return grid_refuse(reader, shape, "%s", reason.text);
    data->size = tensor->bytes;
    return true;
}

static bool take_dump(struct grid_reader *reader, yaml_node_t *item)
{
    enum { NODE, ADDRESS, SIZE, FILE_NAME, ARRAY, FORMAT, SHAPE, KEYS };
    static const char *const names[KEYS] = {"node",  "address", "size", "file",
                                            "array", "format",  "shape"};
    struct grid_keys keys;
    char from[FROM_TEXT];

    grid_line(reader, item, from);
    if (!grid_keys_of(reader, item, names, KEYS, &keys))
        return false;
    struct chip_data *data = chip_job_add_dump(reader->job, from, reader->why);
    if (data == NULL ||
        !read_place(reader, item, keys.value[NODE], keys.value[ADDRESS], &data->place))
        return false;
    bool file = keys.value[FILE_NAME] != NULL;
    if (file == (keys.value[ARRAY] != NULL))
        return grid_refuse(reader, item, "one of 'file' and 'array' says where it is written");
    if (file != (keys.value[SIZE] != NULL) || (file && keys.value[SHAPE] != NULL))
        return grid_refuse(reader, item,
                           "a file comes with 'size', an array with 'format' and 'shape'");
    if (!set_path(reader, item, keys.value[FILE_NAME], keys.value[ARRAY], keys.value[FORMAT],
                  data) ||
        !(file ? grid_number(reader, keys.value[SIZE], "size", UINT64_MAX, &data->size)
               : set_shape(reader, item, keys.value[SHAPE], data)))
        return false;
    return data->size > 0 || grid_refuse(reader, item, "a dump of no bytes");
}

// ---------------------------------------------------------------- words that come

static bool read_until(struct grid_reader *reader, yaml_node_t *item, struct chip_address *place,
                       uint32_t *value)
{
    enum { NODE, ADDRESS, VALUE, KEYS };
    static const char *const names[KEYS] = {"node", "address", "value"};
    struct grid_keys keys;
    uint64_t number;

    if (!grid_keys_of(reader, item, names, KEYS, &keys) ||
        !read_place(reader, item, keys.value[NODE], keys.value[ADDRESS], place))
        return false;
    if (keys.value[VALUE] == NULL)
        return grid_refuse(reader, item, "'value' is missing");
    if (!grid_number(reader, keys.value[VALUE], "value", UINT32_MAX, &number))
        return false;
    *value = (uint32_t)number;
    return true;
}

static bool take_until(struct grid_reader *reader, yaml_node_t *item)
{
    struct chip_job *job = reader->job;

    if (item == NULL)
        return true;
    grid_line(reader, item, job->until_from);
    job->until = true;
    return read_until(reader, item, &job->until_place, &job->until_value);
}

static bool take_step(struct grid_reader *reader, yaml_node_t *item)
{
    enum { CYCLES, WRITE, UNTIL, KEYS };
    static const char *const names[KEYS] = {"cycles", "write", "until"};
    struct grid_keys keys;
    char from[FROM_TEXT];

    grid_line(reader, item, from);
    if (!grid_keys_of(reader, item, names, KEYS, &keys))
        return false;
    if ((keys.value[CYCLES] != NULL) + (keys.value[WRITE] != NULL) + (keys.value[UNTIL] != NULL) !=
        1)
        return grid_refuse(reader, item,
                           "a step of the host is one of 'cycles', 'write' and 'until'");
    struct chip_step *step = chip_job_add_step(reader->job, from, reader->why);
    if (step == NULL)
        return false;
    if (keys.value[CYCLES] != NULL)
        return grid_number(reader, keys.value[CYCLES], "cycles", UINT32_MAX, &step->cycles);
    step->kind = keys.value[WRITE] != NULL ? STEP_WRITE : STEP_UNTIL;
    return step->kind == STEP_WRITE
               ? read_write(reader, keys.value[WRITE], &step->data)
               : read_until(reader, keys.value[UNTIL], &step->data.place, &step->value);
}

// ---------------------------------------------------------------- chips, and the file

// One kind for all: what the file, its chips and --chip say.
static bool take_arch(struct grid_reader *reader, const yaml_node_t *node, const char *key)
{
    struct chip_job *job = reader->job;
    const char *text;
    tsr_arch arch;

    if (node == NULL)
        return true;
    if (!grid_text(reader, node, key, &text))
        return false;
    if (tsr_arch_from_name(text, &arch) != TSR_OK)
        return grid_refuse(reader, node, "no chip is called '%.60s' (wh or bh)", text);
    if (job->arch_given && job->arch != arch)
        return grid_refuse(reader, node,
                           job->chips.count > 0
                               ? "this chip is %s, and what it is linked with is %s"
                               : "the file is for %s, and --chip says %s",
                           tsr_arch_name(arch), tsr_arch_name(job->arch));
    job->arch_given = true;
    job->arch = arch;
    return true;
}

// A name alone, or what else there is to say of the chip.
static bool take_one_chip(struct grid_reader *reader, yaml_node_t *item)
{
    enum { NAME, ARCH, HARVESTED, KEYS };
    static const char *const names[KEYS] = {"name", "arch", "harvested"};
    struct grid_keys keys = {.value = {item}};
    char from[FROM_TEXT];
    const char *name = "";

    grid_line(reader, item, from);
    if (item->type != YAML_SCALAR_NODE && !grid_keys_of(reader, item, names, KEYS, &keys))
        return false;
    if (keys.value[NAME] != NULL && !grid_text(reader, keys.value[NAME], "name", &name))
        return false;
    struct chip_entry *entry = chips_add(&reader->job->chips, name, from, reader->why);
    return entry != NULL && take_arch(reader, keys.value[ARCH], "arch") &&
           (keys.value[HARVESTED] == NULL ||
            grid_number(reader, keys.value[HARVESTED], "harvested", UINT32_MAX, &entry->harvested));
}

// CHIP:TILE-CHIP:TILE, or that and which frames are lost.
static bool take_link(struct grid_reader *reader, yaml_node_t *item)
{
    enum { ENDS, DROP_EVERY, KEYS };
    static const char *const names[KEYS] = {"ends", "drop_every"};
    struct grid_keys keys = {.value = {item}};
    char from[FROM_TEXT];
    const char *ends;

    grid_line(reader, item, from);
    if (item->type != YAML_SCALAR_NODE && !grid_keys_of(reader, item, names, KEYS, &keys))
        return false;
    if (keys.value[ENDS] == NULL)
        return grid_refuse(reader, item, "'ends' is missing: CHIP:TILE-CHIP:TILE");
    if (!grid_text(reader, keys.value[ENDS], "ends", &ends))
        return false;
    struct chip_link *link =
        chips_add_link(&reader->job->chips, ends, strlen(ends), from, reader->why);
    return link != NULL && (keys.value[DROP_EVERY] == NULL ||
                            grid_number(reader, keys.value[DROP_EVERY], "drop_every", UINT32_MAX,
                                        &link->drop_every));
}

static bool take_document(struct grid_reader *reader)
{
    enum { CHIP, CHIPS, LINKS, PROGRAMS, WRITE, HOST, DUMP, UNTIL, KEYS };
    static const char *const names[KEYS] = {"chip",  "chips", "links", "programs",
                                            "write", "host",  "dump",  "until"};
    yaml_node_t *root = yaml_document_get_root_node(&reader->document);
    struct grid_keys keys;

    if (root == NULL)
        return message_set(reader->why, "%s: the file says nothing", reader->path);
    return grid_keys_of(reader, root, names, KEYS, &keys) &&
           take_arch(reader, keys.value[CHIP], "chip") &&
           grid_each(reader, keys.value[CHIPS], "chips", take_one_chip) &&
           grid_each(reader, keys.value[LINKS], "links", take_link) &&
           grid_each(reader, keys.value[PROGRAMS], "programs", take_program) &&
           grid_each(reader, keys.value[WRITE], "write", take_write) &&
           grid_each(reader, keys.value[HOST], "host", take_step) &&
           grid_each(reader, keys.value[DUMP], "dump", take_dump) &&
           take_until(reader, keys.value[UNTIL]);
}

static bool no_yaml(const struct grid_reader *reader, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return message_no_memory(reader->why, reader->path);
    return message_set(reader->why, "%s:%zu: this is no YAML: %s", reader->path,
                       parser->problem_mark.line + 1,
                       parser->problem == NULL ? "unknown reason" : parser->problem);
}

// Behind the first document.
static bool check_end(struct grid_reader *reader, yaml_parser_t *parser)
{
    yaml_document_t more;

    if (yaml_parser_load(parser, &more) == 0)
        return no_yaml(reader, parser);
    const yaml_node_t *root = yaml_document_get_root_node(&more);
    bool ends = root == NULL || grid_refuse(reader, root, "a second document begins here");
    yaml_document_delete(&more);
    return ends;
}

bool grid_file_parse(struct chip_job *job, const char *path, const char *text, size_t size,
                     struct message *why)
{
    struct grid_reader reader = {.job = job, .path = path, .why = why};
    yaml_parser_t parser;

    if (!yaml_parser_initialize(&parser))
        return message_no_memory(why, path);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    bool ok = yaml_parser_load(&parser, &reader.document) != 0;
    if (ok) {
        ok = take_document(&reader) && check_end(&reader, &parser);
        yaml_document_delete(&reader.document);
    } else {
        no_yaml(&reader, &parser);
    }
    yaml_parser_delete(&parser);
    return ok;
}

bool grid_file_read(struct chip_job *job, const char *path, struct message *why)
{
    enum { MOST = 1 << 20 };
    size_t size;
    char *text = in_read(path, MOST, &size, why);

    if (text == NULL)
        return false;
    job->grid_path = path;
    bool ok = grid_file_parse(job, path, text, size, why);
    free(text);
    return ok;
}
