// SPDX-License-Identifier: Apache-2.0
// Datums in Dst and the packers' configuration; see pack_tiles.h.
// Pages: PACR.md of each chip, Packers/README.md, Packers/OutputAddressGenerator.md.
#include "pack_tiles.h"

#include "base/format_codes.h"

#include <string.h>

enum { FACE_DATUMS = 256, FACE_ROWS = 16, FACES = 4, STAGE = INPUT, ONE = 0x3f80 };

#define FORMAT(text, fill, between, out, wide, bits, blocks, extra, ...)                           \
    {                                                                                              \
        text, TSR_FORMAT_##fill, TSR_FORMAT_##between, TSR_FORMAT_##out, wide, bits, blocks,       \
            EXTRA_##extra,                                                                         \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

const struct pack_format pack_formats[PACK_FORMATS] = {
    FORMAT("BF16", BF16, BF16, BF16, false, 16, false, NONE, 2, 2),
    FORMAT("FP16", FP16, FP16, FP16, false, 16, false, NONE, 0),
    FORMAT("BF16 to FP32", BF16, BF16, FP32, false, 32, false, NONE, 0),
    FORMAT("FP32", FP32, FP32, FP32, true, 32, false, NONE, 0),
    FORMAT("FP32 to BF16", FP32, FP32, BF16, true, 16, false, NONE, 0),
    FORMAT("FP32 to FP16", FP32, FP32, FP16, true, 16, false, NONE, 0),
    FORMAT("FP32 to BFP8", FP32, FP32, BFP8, true, 8, true, NONE, 0),
    FORMAT("BF16 to BFP8", BF16, BF16, BFP8, false, 8, true, NONE, 0.5, 0.5),
    FORMAT("BF16 to BFP4", BF16, BF16, BFP4, false, 4, true, NONE, 0),
    FORMAT("BF16 to BFP2", BF16, BF16, BFP2, false, 2, true, NONE, 0),
    FORMAT("FP16 to FP8", FP16, FP16, FP8, false, 8, false, NONE, 0),
    FORMAT("FP16 to BFP8a", FP16, FP16, BFP8A, false, 8, true, NONE, 0),
    FORMAT("INT32", INT32, INT32, INT32, true, 32, false, NONE, 0),
    FORMAT("INT8 of INT32", INT32, INT8, INT8, true, 8, false, NONE, 0),
    FORMAT("BF16, ReLU", BF16, BF16, BF16, false, 16, false, RELU, 0),
    FORMAT("FP16, ReLU", FP16, FP16, FP16, false, 16, false, RELU, 0),
    FORMAT("FP32, ReLU", FP32, FP32, FP32, true, 32, false, RELU, 0),
    FORMAT("BF16, ReLU from 1 on", BF16, BF16, BF16, false, 16, false, RELU_MIN, 0),
    FORMAT("BF16, ReLU up to 1", BF16, BF16, BF16, false, 16, false, RELU_MAX, 0),
    FORMAT("FP32, ReLU up to 1", FP32, FP32, FP32, true, 32, false, RELU_MAX, 0),
    FORMAT("BF16, edge mask", BF16, BF16, BF16, false, 16, false, EDGES, 0),
    FORMAT("BF16, L1 accumulation", BF16, BF16, BF16, false, 16, false, ACCUMULATE, 0),
    FORMAT("FP16, L1 accumulation", FP16, FP16, FP16, false, 16, false, ACCUMULATE, 0),
    FORMAT("FP32, L1 accumulation", FP32, FP32, FP32, true, 32, false, ACCUMULATE, 0),
    FORMAT("INT32, L1 accumulation", INT32, INT32, INT32, true, 32, false, ACCUMULATE, 0),
    FORMAT("BF16, histogram", BF16, BF16, BF16, false, 16, false, STATISTICS, 0),
};

// As ApplyRelu has it: zero, from a threshold on, up to one.
static uint8_t relu_mode(const struct pack_format *format)
{
    bool relu = format->extra >= EXTRA_RELU && format->extra <= EXTRA_RELU_MAX;
    return relu ? (uint8_t)(format->extra - EXTRA_RELU + 1) : 0;
}

tsr_pack_mode pack_mode_of(const struct pack_format *format, tsr_arch arch)
{
    return (tsr_pack_mode){.arch = arch,
                           .read_32b = format->wide,
                           .in_format = format->between,
                           .out_format = format->out,
                           .relu_mode = relu_mode(format),
                           .relu_threshold = ONE};
}

size_t pack_bytes(const struct pack_format *format, size_t datums)
{
    return datums * format->bits / 8 + (format->blocks ? datums / 16 : 0);
}

// ---------------------------------------------------------------- datums

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

// Exponents of a few steps on both sides of 1, both signs; integers that fit eight bits or do not.
static uint32_t datum(uint8_t format, uint32_t random)
{
    uint32_t sign = random >> 23 & 1;
    switch (format) {
    case TSR_FORMAT_FP16:
        return sign << 15 | (12 + (random >> 16 & 7)) << 10 | (random & 0x3ff);
    case TSR_FORMAT_BF16:
        return sign << 15 | (122 + (random >> 16 & 7)) << 7 | (random & 0x7f);
    case TSR_FORMAT_FP32:
        return sign << 31 | (122 + (random >> 16 & 7)) << 23 | (random * 0x9e5u & 0x7fffff);
    default:
        return sign << 31 | (random & 0xff);
    }
}

void make_pack_data(const struct pack_format *format, uint8_t *bytes, unsigned datums)
{
    uint32_t seed = 1;
    unsigned size = format->wide ? 4 : 2;
    for (unsigned i = 0; i < datums; i++) {
        uint32_t value = datum(format->fill, next(&seed));
        for (unsigned byte = 0; byte < size; byte++)
            bytes[size * i + byte] = (uint8_t)(value >> 8 * byte);
    }
}

void fill_dst(tsr_tile *tile, const struct pack_format *format)
{
    static struct unpack_data data;
    tsr_arch arch = tsr_tile_arch(tile);
    struct unpack_format to_dst = {
        .in = format->fill, .out = format->fill, .to_dst = true, .bits = format->wide ? 32 : 16};
    struct unpack_row row = {.arch = arch, .format = &to_dst};
    struct program program = program_new(arch);
    data.datums_in = DATUMS;
    make_pack_data(format, data.bytes, DATUMS);
    tsr_l1_write(tile, STAGE, data.bytes, DATUMS * to_dst.bits / 8);
    configure_unpack(tile, &row, &data);
    configure(tile, &(struct setting){"THCON_SEC0_REG3_Base_address", STAGE / 16 - 1}, 1);
    program_setc16(&program, "SRCA_SET_SetOvrdWithAddr", 0);
    program_add(&program, "SETADCXX CntSetMask=1 x_end2=%u", DATUMS - 1);
    program_add(&program, "SETADCXY CntSetMask=5 BitMask=10");
    program_add(&program, "SETADCZW CntSetMask=5 BitMask=15");
    program_add(&program, "UNPACR OvrdThreadId=1 Last=1");
    program_add(&program, "SETADCXX CntSetMask=4 x_end2=%d",
                arch == TSR_WORMHOLE_B0 ? FACE_DATUMS - 1 : 15);
    program_setc16(&program, "ADDR_MOD_PACK_SEC0_YsrcIncr", arch == TSR_WORMHOLE_B0 ? 0 : 4);
    program_setc16(&program, "ENABLE_ACC_STATS_Enable", format->extra == EXTRA_STATISTICS);
    feed(tile, program.words, program.count);
    finish(tile);
    program_free(&program);
}

// ---------------------------------------------------------------- configuration

// After packer 0 by its offset and the unit that every address lacks.
static void configure_format(tsr_tile *tile, const struct pack_format *f, unsigned packer)
{
    uint32_t exponents = f->blocks ? 1 : 0;
    uint32_t face = FACE_DATUMS * f->bits / 8 / 16 + exponents;
    const struct setting settings[] = {{"Row_start_section_size", 0},
                                       {"Exp_section_size", exponents},
                                       {"Disable_zero_compress", 1},
                                       {"In_data_format", f->between},
                                       {"Out_data_format", f->out},
                                       {"Pack_L1_Acc", f->extra == EXTRA_ACCUMULATE},
                                       {"L1_Dest_addr", packer ? packer * face - 1 : 0}};
    configure_packer(tile, packer, settings, sizeof settings / sizeof *settings);
}

void configure_pack(tsr_tile *tile, const struct pack_format *f)
{
    uint32_t datum_bytes = f->between == TSR_FORMAT_INT8 ? 1 : f->wide ? 4 : 2;
    const struct setting settings[] = {
        {"ALU_FORMAT_SPEC_REG2_Dstacc", f->between},
        {"PCK0_ADDR_CTRL_XY_REG_0_Xstride", datum_bytes},
        {"PCK0_ADDR_CTRL_XY_REG_0_Ystride", 16 * datum_bytes},
        {"PCK0_ADDR_CTRL_ZW_REG_0_Zstride", FACE_DATUMS * datum_bytes},
        {"PCK0_ADDR_CTRL_XY_REG_1_Ystride", 0},
        {"PCK0_ADDR_CTRL_ZW_REG_1_Zstride", 0},
        {"PCK_DEST_RD_CTRL_Read_32b_data", f->wide},
        {"PCK_EDGE_OFFSET_SEC0_mask", f->extra == EXTRA_EDGES ? 0x0fff : 0xffff},
        {"STACC_RELU_ApplyRelu", relu_mode(f)},
        {"STACC_RELU_ReluThreshold", ONE},
    };
    configure(tile, settings, sizeof settings / sizeof *settings);
    for (unsigned i = 0; i < (tsr_tile_arch(tile) == TSR_WORMHOLE_B0 ? FACES : 1u); i++)
        configure_format(tile, f, i);
}
