// SPDX-License-Identifier: Apache-2.0
// Tiles in L1 and the configuration for them; see unpack_tiles.h.
// Pages: UNPACR_Regular.md, Packers/Compression.md, FloatBitPatterns.md.
#include "unpack_tiles.h"

#include "base/format_codes.h"
#include "rig/compress_tile.h"

#include <string.h>

// Tiles are no power of two apart: addresses that agree in their low twelve bits would be slow.
enum { EXPONENTS = DATUMS / 16, APART = 208 };

const char *const unpack_mode_names[UNPACK_MODES] = {"contiguous", "tileize", "transpose",
                                                     "compressed", "upsampled"};

#define FORMAT(text, in, out, bits, blocks, to_dst)                                                \
    {                                                                                              \
        text, TSR_FORMAT_##in, TSR_FORMAT_##out, bits, blocks, to_dst                              \
    }

const struct unpack_format unpack_formats[UNPACK_FORMATS] = {
    FORMAT("FP32 to TF32", FP32, TF32, 32, false, false),
    FORMAT("FP32 to BF16", FP32, BF16, 32, false, false),
    FORMAT("FP32 to FP16", FP32, FP16, 32, false, false),
    [UNPACK_BF16] = FORMAT("BF16", BF16, BF16, 16, false, false),
    FORMAT("FP16", FP16, FP16, 16, false, false),
    FORMAT("BFP8", BFP8, BFP8, 8, true, false),
    FORMAT("BFP4", BFP4, BFP4, 4, true, false),
    FORMAT("BFP2", BFP2, BFP2, 2, true, false),
    FORMAT("INT8", INT8, INT8, 8, false, false),
    FORMAT("FP8", FP8, FP8, 8, false, false),
    FORMAT("FP32 to Dst", FP32, FP32, 32, false, true),
    FORMAT("BF16 to Dst", BF16, BF16, 16, false, true),
    FORMAT("INT32 to Dst", INT32, INT32, 32, false, true),
};

bool unpack_row_exists(const struct unpack_row *row)
{
    const struct unpack_format *f = row->format;
    switch (row->mode) {
    case MODE_TILEIZE:
        return f->bits >= 8 && !f->blocks;
    case MODE_TRANSPOSE:
        return !f->to_dst;
    case MODE_COMPRESSED:
        return f->bits >= 4;
    default:
        return true;
    }
}

// ---------------------------------------------------------------- bytes

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

// Returns its size. `compressed` holds about as many datums as not.
static size_t compress(const struct unpack_format *f, uint32_t *seed, uint8_t *bytes)
{
    static struct sparse_tile sparse;
    static struct compressed_tile compressed;
    sparse =
        (struct sparse_tile){.rows = 1, .columns = DATUMS, .bits = f->bits, .blocks = f->blocks};
    for (unsigned i = 0; i < DATUMS; i++)
        if (next(seed) & 0x8000)
            sparse.datum[i] = (next(seed) ^ next(seed) << 16) & (uint32_t)((1ull << f->bits) - 1);
    memset(sparse.exponent, 127, sizeof sparse.exponent);
    compress_tile(&sparse, &compressed);
    memcpy(bytes, compressed.bytes, compressed.size);
    return compressed.size;
}

static size_t fill(const struct unpack_row *row, const struct unpack_data *d, uint32_t *seed,
                   uint8_t *bytes)
{
    const struct unpack_format *f = row->format;
    size_t exponents = f->blocks ? EXPONENTS : 0, datums = d->datums_in * f->bits / 8;
    size_t span = row->mode == MODE_TILEIZE ? SRC_ROWS * d->row_stride : datums;
    memset(bytes, 127, exponents);
    for (size_t i = 0; i < span; i++)
        bytes[exponents + i] = (uint8_t)next(seed);
    return exponents + datums;
}

void make_unpack_data(const struct unpack_row *row, struct unpack_data *d)
{
    uint32_t seed = 1;
    d->datums_in = row->mode == MODE_UPSAMPLED ? DATUMS / 2 : DATUMS;
    d->row_stride = 2 * 16 * row->format->bits / 8;
    d->stride = TILE_MOST;
    if (row->mode != MODE_TILEIZE && row->mode != MODE_COMPRESSED)
        d->stride = APART + EXPONENTS + d->datums_in * row->format->bits / 8;
    for (int i = 0; i < TILES; i++) {
        uint8_t *bytes = d->bytes + i * d->stride;
        d->bytes_in = row->mode == MODE_COMPRESSED ? compress(row->format, &seed, bytes)
                                                   : fill(row, d, &seed, bytes);
    }
}

// ---------------------------------------------------------------- configuration

void configure_unpack(tsr_tile *tile, const struct unpack_row *row, const struct unpack_data *d)
{
    const struct unpack_format *f = row->format;
    bool compressed = row->mode == MODE_COMPRESSED, tileize = row->mode == MODE_TILEIZE;
    uint32_t stride = tileize ? d->row_stride / 16 : 0;
    const struct setting settings[] = {
        {"UNP0_ADDR_CTRL_XY_REG_1_Ystride", 0},
        {"UNP0_ADDR_CTRL_ZW_REG_1_Zstride", 0},
        {"UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr", 0},
        {"ALU_ACC_CTRL_Fp32_enabled", f->to_dst && f->bits == 32},
        {"THCON_SEC0_REG0_TileDescriptor.InDataFormat", f->in},
        {"THCON_SEC0_REG0_TileDescriptor.IsUncompressed", !compressed},
        {"THCON_SEC0_REG0_TileDescriptor.XDim", d->datums_in},
        {"THCON_SEC0_REG0_TileDescriptor.YDim", 1},
        {"THCON_SEC0_REG0_TileDescriptor.ZDim", 1},
        {"THCON_SEC0_REG2_Out_data_format", f->out},
        {"THCON_SEC0_REG2_Throttle_mode", 2},
        {"THCON_SEC0_REG2_Disable_zero_compress_cntx0", !compressed},
        {"THCON_SEC0_REG2_Tileize_mode", tileize},
        {"THCON_SEC0_REG2_Haloize_mode", row->mode == MODE_TRANSPOSE},
        {"THCON_SEC0_REG2_Upsample_rate", row->mode == MODE_UPSAMPLED},
        {"THCON_SEC0_REG2_Shift_amount_cntx0", stride & 15},
        {"THCON_SEC0_REG2_Unpack_if_sel_cntx0", f->to_dst},
        {"THCON_SEC0_REG5_Dest_cntx0_address", 64},
        {"THCON_SEC0_REG5_Tile_x_dim_cntx0", d->datums_in},
        {"THCON_SEC0_REG7_Offset_address", 0},
    };
    configure(tile, settings, sizeof settings / sizeof *settings);
}
