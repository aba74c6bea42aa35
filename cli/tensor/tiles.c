// SPDX-License-Identifier: Apache-2.0
// The order of datums in tiles: faces of 16 columns one after another, row by row within a face,
// as unpackers and packers read and write them (Unpackers/README.md, Packers/README.md).
#include "tensor/tiles.h"

#include <string.h>

bool tile_sides_ok(uint32_t rows, uint32_t cols)
{
    bool rows_ok = rows % MAX_FACE_ROWS == 0 || rows == 1 || rows == 2 || rows == 4 || rows == 8;

    return rows != 0 && cols != 0 && rows_ok && cols % FACE_COLS == 0 && rows <= MAX_TILE_SIDE &&
           cols <= MAX_TILE_SIDE;
}

size_t layout_tiles(const struct tile_layout *layout)
{
    if (!layout->tiled)
        return 1;
    return layout->rows / layout->tile_rows * (layout->cols / layout->tile_cols);
}

size_t layout_datums(const struct tile_layout *layout)
{
    if (!layout->tiled)
        return layout->rows * layout->cols;
    return (size_t)layout->tile_rows * layout->tile_cols;
}

static size_t round_up_16(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

size_t layout_exponents(const struct tile_layout *layout)
{
    if (layout->format->family != FAMILY_BLOCK)
        return 0;
    return round_up_16((layout_datums(layout) + 15) / 16);
}

size_t layout_tile_bytes(const struct tile_layout *layout)
{
    size_t data = (layout_datums(layout) * layout->format->bits + 7) / 8;

    return layout->header + layout_exponents(layout) + round_up_16(data);
}

uint32_t layout_face_rows(const struct tile_layout *layout)
{
    return layout->tile_rows < MAX_FACE_ROWS ? layout->tile_rows : MAX_FACE_ROWS;
}

size_t layout_index(const struct tile_layout *layout, size_t tile, size_t datum)
{
    if (!layout->tiled)
        return datum;
    size_t across = layout->cols / layout->tile_cols, face_rows = layout_face_rows(layout);
    size_t faces_across = layout->tile_cols / FACE_COLS, face_size = face_rows * FACE_COLS;
    size_t face = datum / face_size, inside = datum % face_size;
    size_t row =
        tile / across * layout->tile_rows + face / faces_across * face_rows + inside / FACE_COLS;
    size_t col =
        tile % across * layout->tile_cols + face % faces_across * FACE_COLS + inside % FACE_COLS;

    return row * layout->cols + col;
}

// ---------------------------------------------------------------- into tiles

// Put `width` bits (2, 4, 8, 16 or 32) at place `index` of a run of such datums.
static void put_datum(uint8_t *bytes, unsigned width, size_t index, uint32_t datum)
{
    if (width < 8) {
        unsigned shift = (unsigned)(index * width % 8);
        bytes[index * width / 8] |= (uint8_t)(datum << shift);
        return;
    }
    for (unsigned i = 0; i < width / 8; i++)
        bytes[index * (width / 8) + i] = (uint8_t)(datum >> (8 * i));
}

static uint32_t get_datum(const uint8_t *bytes, unsigned width, size_t index)
{
    uint32_t datum = 0;

    if (width < 8)
        return (uint32_t)bytes[index * width / 8] >> (index * width % 8) & ((1u << width) - 1);
    for (unsigned i = 0; i < width / 8; i++)
        datum |= (uint32_t)bytes[index * (width / 8) + i] << (8 * i);
    return datum;
}

static void encode_blocks(const struct tile_layout *layout, const struct npy_array *array,
                          size_t tile, uint8_t *bytes)
{
    unsigned width = layout->format->bits;
    uint8_t *data = bytes + layout_exponents(layout);

    for (size_t block = 0; block < layout_datums(layout) / 16; block++) {
        uint32_t in[16];
        uint8_t out[16];
        for (size_t i = 0; i < 16; i++)
            in[i] = item_float32(array, layout_index(layout, tile, block * 16 + i));
        bfp_encode((int)width, in, &bytes[block], out);
        for (size_t i = 0; i < 16; i++)
            put_datum(data, width, block * 16 + i, out[i]);
    }
}

static bool does_not_fit(const struct tile_layout *layout, const struct npy_array *array,
                         size_t index, struct message *why)
{
    char place[256] = "";
    size_t rest = index, used = 0, stride = array->count;

    for (int i = 0; i < array->dims && used < sizeof place; i++) {
        stride /= array->shape[i];
        used += (size_t)snprintf(place + used, sizeof place - used, "%s%zu", i > 0 ? ", " : "",
                                 rest / stride);
        rest %= stride;
    }
    return message_set(why, "element [%s] is outside %lld .. %lld of %s '%lld'", place,
                       (long long)layout->format->least, (long long)layout->format->most,
                       layout->format->name, (long long)npy_integer(array, index));
}

static bool encode_datums(const struct tile_layout *layout, const struct npy_array *array,
                          size_t tile, uint8_t *bytes, struct message *why)
{
    size_t count = layout_datums(layout);

    for (size_t i = 0; i < count; i++) {
        size_t index = layout_index(layout, tile, i);
        uint32_t datum;
        if (!datum_encode(layout->format, array, index, &datum))
            return does_not_fit(layout, array, index, why);
        put_datum(bytes, layout->format->bits, i, datum);
    }
    return true;
}

bool tiles_from_array(const struct tile_layout *layout, const struct npy_array *array,
                      uint8_t *bytes, struct message *why)
{
    size_t tiles = layout_tiles(layout), size = layout_tile_bytes(layout);

    memset(bytes, 0, tiles * size);
    for (size_t tile = 0; tile < tiles; tile++) {
        uint8_t *own = bytes + tile * size + layout->header;
        if (layout->format->family == FAMILY_BLOCK)
            encode_blocks(layout, array, tile, own);
        else if (!encode_datums(layout, array, tile, own, why))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- out of tiles

static uint32_t decode_one(const struct tile_layout *layout, const uint8_t *bytes, size_t datum)
{
    unsigned width = layout->format->bits;
    uint32_t bits = get_datum(bytes + layout_exponents(layout), width, datum);

    if (layout->format->family == FAMILY_BLOCK)
        return bfp_decode((int)width, bytes[datum / 16], (uint8_t)bits);
    return datum_decode(layout->format, bits);
}

void tiles_to_array(const struct tile_layout *layout, const uint8_t *bytes, struct npy_array *array)
{
    size_t tiles = layout_tiles(layout), count = layout_datums(layout);
    size_t size = layout_tile_bytes(layout);

    for (size_t tile = 0; tile < tiles; tile++)
        for (size_t i = 0; i < count; i++)
            npy_store(array, layout_index(layout, tile, i),
                      decode_one(layout, bytes + tile * size + layout->header, i));
}
