// SPDX-License-Identifier: Apache-2.0
// Shapes, files and attributes of tensors. Addresses and overlaps are checked by
// tensor_directive.c, which knows all tensors; data moves to and from a tile in tensor_io.c.
#include "tensor/tensor.h"

#include <tessera/tessera.h>

#include <string.h>

#define MAX_COUNT ((size_t)1 << 31) // of numbers in an array

static bool divides(const struct tensor *tensor, struct message *why)
{
    const struct tile_layout *layout = &tensor->layout;

    if (tensor->dims < 2)
        return message_set(why, "tensor '%s' has %d dimension%s, and tiles need two", tensor->name,
                           tensor->dims, tensor->dims == 1 ? "" : "s");
    size_t rows = tensor->shape[tensor->dims - 2], cols = tensor->shape[tensor->dims - 1];
    if (rows % layout->tile_rows == 0 && cols % layout->tile_cols == 0)
        return true;
    return message_set(why,
                       "the last dimensions of tensor '%s' do not divide into tiles of %ux%u "
                       "'%zux%zu'",
                       tensor->name, layout->tile_rows, layout->tile_cols, rows, cols);
}

bool tensor_fit(struct tensor *tensor, struct message *why)
{
    struct tile_layout *layout = &tensor->layout;
    size_t count = 1;

    for (int i = 0; i < tensor->dims; i++)
        if (__builtin_mul_overflow(count, tensor->shape[i], &count) || count > MAX_COUNT)
            return message_set(why, "tensor '%s' is larger than any L1", tensor->name);
    if (layout->tiled && !divides(tensor, why))
        return false;
    layout->rows = 1;
    for (int i = 0; i + 1 < tensor->dims; i++)
        layout->rows *= tensor->shape[i];
    layout->cols = tensor->dims == 0 ? 1 : tensor->shape[tensor->dims - 1];
    if (layout->format->family == FAMILY_BLOCK && layout_datums(layout) % 16 != 0)
        return message_set(why, "tensor '%s' has %zu datums, and %s shares an exponent among 16",
                           tensor->name, layout_datums(layout), layout->format->name);
    tensor->bytes = layout_tiles(layout) * layout_tile_bytes(layout);
    return true;
}

bool tensor_read(struct tensor *tensor, struct message *why)
{
    const struct array_format *format = tensor->layout.format;
    bool wants_float = format->family == FAMILY_FLOAT || format->family == FAMILY_BLOCK;

    if (!npy_read(tensor->in_path, &tensor->input, why))
        return false;
    if (npy_is_float(tensor->input.type) != wants_float)
        return message_set(why, "%s: tensor '%s' of format %s takes an array of %s, not '%s'",
                           tensor->in_path, tensor->name, format->name,
                           wants_float ? "floats" : "integers", npy_type_name(tensor->input.type));
    tensor->dims = tensor->input.dims;
    memcpy(tensor->shape, tensor->input.shape, sizeof tensor->shape);
    return true;
}

// ---------------------------------------------------------------- attributes

enum attribute {
    ATTRIBUTE_ADDR,
    ATTRIBUTE_BASE,
    ATTRIBUTE_BYTES,
    ATTRIBUTE_TILES,
    ATTRIBUTE_TILE_BYTES,
    ATTRIBUTE_TILE_ROWS,
    ATTRIBUTE_TILE_COLS,
    ATTRIBUTE_DATUMS,
    ATTRIBUTE_FACES,
    ATTRIBUTE_FACE_ROWS,
    ATTRIBUTE_EXP_BYTES,
    ATTRIBUTE_ROWS,
    ATTRIBUTE_COLS,
    ATTRIBUTE_TILES_DOWN,
    ATTRIBUTE_TILES_ACROSS,
    ATTRIBUTE_FORMAT,
    ATTRIBUTE_COUNT
};

static const char *const attributes[ATTRIBUTE_COUNT] = {
    [ATTRIBUTE_ADDR] = "addr",
    [ATTRIBUTE_BASE] = "base",
    [ATTRIBUTE_BYTES] = "bytes",
    [ATTRIBUTE_TILES] = "tiles",
    [ATTRIBUTE_TILE_BYTES] = "tile_bytes",
    [ATTRIBUTE_TILE_ROWS] = "tile_rows",
    [ATTRIBUTE_TILE_COLS] = "tile_cols",
    [ATTRIBUTE_DATUMS] = "datums",
    [ATTRIBUTE_FACES] = "faces",
    [ATTRIBUTE_FACE_ROWS] = "face_rows",
    [ATTRIBUTE_EXP_BYTES] = "exp_bytes",
    [ATTRIBUTE_ROWS] = "rows",
    [ATTRIBUTE_COLS] = "cols",
    [ATTRIBUTE_TILES_DOWN] = "tiles_down",
    [ATTRIBUTE_TILES_ACROSS] = "tiles_across",
    [ATTRIBUTE_FORMAT] = "format",
};

const char tensor_attribute_names[] = "addr, base, bytes, tiles, tile_bytes, tile_rows, tile_cols, "
                                      "datums, faces, face_rows, exp_bytes, rows, cols, "
                                      "tiles_down, tiles_across, format";

static int64_t attribute_value(const struct tensor *tensor, enum attribute attribute)
{
    const struct tile_layout *layout = &tensor->layout;
    bool tiled = layout->tiled;
    uint8_t code = 0;

    switch (attribute) {
    case ATTRIBUTE_ADDR:
        return tensor->address;
    case ATTRIBUTE_BASE: // of the first tile's own bytes, as unpackers and packers count
        return (int64_t)(tensor->address + layout->header) / 16 - 1;
    case ATTRIBUTE_BYTES:
        return (int64_t)tensor->bytes;
    case ATTRIBUTE_TILES:
        return (int64_t)layout_tiles(layout);
    case ATTRIBUTE_TILE_BYTES:
        return (int64_t)layout_tile_bytes(layout);
    case ATTRIBUTE_TILE_ROWS:
        return (int64_t)(tiled ? layout->tile_rows : layout->rows);
    case ATTRIBUTE_TILE_COLS:
        return (int64_t)(tiled ? layout->tile_cols : layout->cols);
    case ATTRIBUTE_DATUMS:
        return (int64_t)layout_datums(layout);
    case ATTRIBUTE_FACES:
        return !tiled ? 0
                      : (int64_t)(layout->tile_rows / layout_face_rows(layout) *
                                  (layout->tile_cols / FACE_COLS));
    case ATTRIBUTE_FACE_ROWS:
        return tiled ? layout_face_rows(layout) : 0;
    case ATTRIBUTE_EXP_BYTES:
        return (int64_t)layout_exponents(layout);
    case ATTRIBUTE_ROWS:
        return (int64_t)layout->rows;
    case ATTRIBUTE_COLS:
        return (int64_t)layout->cols;
    case ATTRIBUTE_TILES_DOWN:
        return tiled ? (int64_t)(layout->rows / layout->tile_rows) : 1;
    case ATTRIBUTE_TILES_ACROSS:
        return tiled ? (int64_t)(layout->cols / layout->tile_cols) : 1;
    default: // ATTRIBUTE_FORMAT
        tsr_format_find(layout->format->code_name, &code);
        return code;
    }
}

bool tensor_attribute(const struct tensor *tensor, const char *attribute, int64_t *value)
{
    for (int i = 0; i < ATTRIBUTE_COUNT; i++)
        if (strcmp(attribute, attributes[i]) == 0) {
            *value = attribute_value(tensor, (enum attribute)i);
            return true;
        }
    return false;
}

void tensor_free(struct tensor *tensor)
{
    npy_free(&tensor->input);
}
