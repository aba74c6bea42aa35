// SPDX-License-Identifier: Apache-2.0
// Reads and writes .npy files. The format is NumPy's (numpy.lib.format): a magic, a version, the
// length of a header, the header as a Python dictionary in ASCII (UTF-8 in 3.0), and the items.
#include "tensor/npy.h"

#include "common/in_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_HEADER = 1 << 20 };
#define MAX_DATA ((size_t)1 << 31)

static const struct {
    const char *code; // without the byte order
    const char *name;
    uint8_t size;
} types[NPY_TYPE_COUNT] = {
    [NPY_FLOAT32] = {"f4", "float32", 4}, [NPY_FLOAT16] = {"f2", "float16", 2},
    [NPY_INT8] = {"i1", "int8", 1},       [NPY_INT16] = {"i2", "int16", 2},
    [NPY_INT32] = {"i4", "int32", 4},     [NPY_UINT8] = {"u1", "uint8", 1},
    [NPY_UINT16] = {"u2", "uint16", 2},   [NPY_UINT32] = {"u4", "uint32", 4},
};

size_t npy_item_size(enum npy_type type)
{
    return types[type].size;
}

const char *npy_type_name(enum npy_type type)
{
    return types[type].name;
}

bool npy_is_float(enum npy_type type)
{
    return type == NPY_FLOAT32 || type == NPY_FLOAT16;
}

// ---------------------------------------------------------------- the header's dictionary

struct header_reader {
    const char *path, *next;
    struct message *why;
    struct npy_array *array;
    bool seen_descr, seen_order, seen_shape;
};

static void skip_space(struct header_reader *reader)
{
    while (*reader->next == ' ' || *reader->next == '\n' || *reader->next == '\t')
        reader->next++;
}

static bool take(struct header_reader *reader, char wanted)
{
    skip_space(reader);
    if (*reader->next != wanted)
        return false;
    reader->next++;
    return true;
}

static bool bad_header(struct header_reader *reader)
{
    char word[24];

    snprintf(word, sizeof word, "%.20s", reader->next);
    return message_set(reader->why, "%s: the .npy header cannot be read at '%s'", reader->path,
                       word);
}

static bool read_string(struct header_reader *reader, char *text, size_t size)
{
    skip_space(reader);
    char quote = *reader->next;
    if (quote != '\'' && quote != '"')
        return bad_header(reader);
    const char *end = strchr(reader->next + 1, quote);
    if (end == NULL || (size_t)(end - reader->next) > size)
        return bad_header(reader);
    size_t length = (size_t)(end - reader->next - 1);
    memcpy(text, reader->next + 1, length);
    text[length] = '\0';
    reader->next = end + 1;
    return true;
}

static bool read_descr(struct header_reader *reader)
{
    char descr[32];

    reader->seen_descr = true;
    skip_space(reader);
    if (*reader->next == '[')
        return message_set(reader->why, "%s: a structured array cannot be a tensor", reader->path);
    if (!read_string(reader, descr, sizeof descr))
        return false;
    if (descr[0] == '>' && descr[1] != '\0' && descr[2] != '1')
        return message_set(reader->why, "%s: the array is big-endian '%s'", reader->path, descr);
    const char *code = strchr("<>|=", descr[0]) != NULL && descr[0] != '\0' ? descr + 1 : descr;
    for (int i = 0; i < NPY_TYPE_COUNT; i++)
        if (strcmp(code, types[i].code) == 0) {
            reader->array->type = (enum npy_type)i;
            return true;
        }
    if (strcmp(code, "f8") == 0 || strcmp(code, "i8") == 0 || strcmp(code, "u8") == 0)
        return message_set(reader->why,
                           "%s: 64-bit numbers are not taken, as no tile holds them; "
                           "convert the array first '%s'",
                           reader->path, descr);
    return message_set(reader->why, "%s: an array of this type is not taken '%s'", reader->path,
                       descr);
}

static bool read_order(struct header_reader *reader)
{
    reader->seen_order = true;
    skip_space(reader);
    if (strncmp(reader->next, "True", 4) == 0)
        return message_set(reader->why, "%s: the array is in Fortran order; save it in C order",
                           reader->path);
    if (strncmp(reader->next, "False", 5) != 0)
        return bad_header(reader);
    reader->next += 5;
    return true;
}

static bool read_extent(struct header_reader *reader, size_t *extent)
{
    size_t value = 0;

    skip_space(reader);
    if (*reader->next < '0' || *reader->next > '9')
        return bad_header(reader);
    for (; *reader->next >= '0' && *reader->next <= '9'; reader->next++)
        if (__builtin_mul_overflow(value, (size_t)10, &value) ||
            __builtin_add_overflow(value, (size_t)(*reader->next - '0'), &value))
            return bad_header(reader);
    if (*reader->next == 'L') // written by Python 2
        reader->next++;
    *extent = value;
    return true;
}

static bool read_shape(struct header_reader *reader)
{
    struct npy_array *array = reader->array;

    reader->seen_shape = true;
    if (!take(reader, '('))
        return bad_header(reader);
    array->dims = 0;
    array->count = 1;
    while (!take(reader, ')')) {
        size_t extent = 0;
        if (array->dims == NPY_MAX_DIMS || !read_extent(reader, &extent))
            return bad_header(reader);
        array->shape[array->dims++] = extent;
        if (__builtin_mul_overflow(array->count, extent, &array->count))
            return message_set(reader->why, "%s: no file holds as many items as its header says",
                               reader->path);
        if (!take(reader, ',')) {
            if (!take(reader, ')'))
                return bad_header(reader);
            break;
        }
    }
    return true;
}

static bool read_entry(struct header_reader *reader)
{
    char key[32];

    if (!read_string(reader, key, sizeof key))
        return false;
    if (!take(reader, ':'))
        return bad_header(reader);
    if (strcmp(key, "descr") == 0)
        return read_descr(reader);
    if (strcmp(key, "fortran_order") == 0)
        return read_order(reader);
    if (strcmp(key, "shape") == 0)
        return read_shape(reader);
    return message_set(reader->why, "%s: the .npy header has an unknown key '%s'", reader->path,
                       key);
}

static bool read_dictionary(const char *path, const char *text, struct npy_array *array,
                            struct message *why)
{
    struct header_reader reader = {.path = path, .next = text, .why = why, .array = array};

    if (!take(&reader, '{'))
        return bad_header(&reader);
    while (!take(&reader, '}')) {
        if (!read_entry(&reader))
            return false;
        if (!take(&reader, ',')) {
            if (!take(&reader, '}'))
                return bad_header(&reader);
            break;
        }
    }
    skip_space(&reader);
    if (*reader.next != '\0')
        return bad_header(&reader);
    if (!reader.seen_descr || !reader.seen_order || !reader.seen_shape)
        return message_set(why, "%s: the .npy header lacks descr, fortran_order or shape", path);
    return true;
}

// ---------------------------------------------------------------- the file

static bool read_prefix(FILE *file, const char *path, size_t *header_size, struct message *why)
{
    uint8_t bytes[12];

    if (fread(bytes, 1, 8, file) != 8 || memcmp(bytes, "\x93NUMPY", 6) != 0)
        return message_set(why, "%s: this is not a .npy file", path);
    if (bytes[6] < 1 || bytes[6] > 3)
        return message_set(why, "%s: .npy version %d.%d is not known", path, bytes[6], bytes[7]);
    size_t width = bytes[6] == 1 ? 2 : 4;
    if (fread(bytes, 1, width, file) != width)
        return message_set(why, "%s: the .npy file ends inside its header", path);
    *header_size = (size_t)bytes[0] | (size_t)bytes[1] << 8;
    if (width == 4)
        *header_size |= (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
    if (*header_size > MAX_HEADER)
        return message_set(why, "%s: the .npy header is longer than a megabyte", path);
    return true;
}

static bool read_header(FILE *file, const char *path, struct npy_array *array, struct message *why)
{
    size_t size = 0;

    if (!read_prefix(file, path, &size, why))
        return false;
    char *text = calloc(size + 1, 1);
    if (text == NULL)
        return message_no_memory(why, path);
    bool ok = fread(text, 1, size, file) == size
                  ? read_dictionary(path, text, array, why)
                  : message_set(why, "%s: the .npy file ends inside its header", path);
    free(text);
    return ok;
}

static bool read_items(FILE *file, const char *path, struct npy_array *array, struct message *why)
{
    size_t size;

    if (array->count == 0)
        return message_set(why, "%s: the array is empty", path);
    if (__builtin_mul_overflow(array->count, npy_item_size(array->type), &size) || size > MAX_DATA)
        return message_set(why, "%s: the array is larger than any L1", path);
    array->data = malloc(size);
    if (array->data == NULL)
        return message_no_memory(why, path);
    size_t found = fread(array->data, 1, size, file);
    if (found == size)
        return true;
    npy_free(array);
    return message_set(why, "%s: the file is cut short: %zu bytes of items where %zu belong", path,
                       found, size);
}

bool npy_read(const char *path, struct npy_array *array, struct message *why)
{
    FILE *file = in_open(path, why);

    *array = (struct npy_array){0};
    if (file == NULL)
        return false;
    bool ok = read_header(file, path, array, why) && read_items(file, path, array, why);
    if (!ok && ferror(file) != 0)
        message_io(why, path, "read", errno);
    in_close(file);
    return ok;
}

void npy_shape_text(const struct npy_array *array, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "(");

    for (int i = 0; i < array->dims && used < size; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s%zu", i > 0 ? ", " : "", array->shape[i]);
    if (used < size)
        snprintf(text + used, size - used, array->dims == 1 ? ",)" : ")");
}

bool npy_write(FILE *file, const struct npy_array *array)
{
    char shape[NPY_MAX_DIMS * 24], header[1024];
    size_t size = npy_item_size(array->type);

    npy_shape_text(array, shape, sizeof shape);
    int length =
        snprintf(header, sizeof header, "{'descr': '%c%s', 'fortran_order': False, 'shape': %s, }",
                 size == 1 ? '|' : '<', types[array->type].code, shape);
    // Magic, version, length and header together are a multiple of 64 bytes, newline last.
    size_t total = ((size_t)length + 1 + 10 + 63) / 64 * 64;
    int padded = (int)(total - 10);
    uint8_t prefix[10] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (uint8_t)padded, (uint8_t)(padded >> 8)};

    return fwrite(prefix, 1, sizeof prefix, file) == sizeof prefix &&
           fprintf(file, "%-*s\n", padded - 1, header) == padded &&
           fwrite(array->data, size, array->count, file) == array->count;
}

void npy_free(struct npy_array *array)
{
    free(array->data);
    array->data = NULL;
}

// ---------------------------------------------------------------- items

uint32_t npy_bits(const struct npy_array *array, size_t index)
{
    size_t size = npy_item_size(array->type);
    uint32_t bits = 0;

    for (size_t i = 0; i < size; i++)
        bits |= (uint32_t)array->data[index * size + i] << (8 * i);
    return bits;
}

int64_t npy_integer(const struct npy_array *array, size_t index)
{
    uint32_t bits = npy_bits(array, index);

    switch (array->type) {
    case NPY_INT8:
        return (int64_t)(bits ^ 0x80) - 0x80;
    case NPY_INT16:
        return (int64_t)(bits ^ 0x8000) - 0x8000;
    case NPY_INT32:
        return (int64_t)(bits ^ 0x80000000u) - 0x80000000ll;
    default:
        return bits;
    }
}

void npy_store(struct npy_array *array, size_t index, uint32_t bits)
{
    size_t size = npy_item_size(array->type);

    for (size_t i = 0; i < size; i++)
        array->data[index * size + i] = (uint8_t)(bits >> (8 * i));
}
