// SPDX-License-Identifier: Apache-2.0
// Vectors of PACR worked by hand: settings, what Dst holds, operands, and what L1 holds afterwards.
// Dst's bit order is written out here once more (Dst.md), so that nothing of the packer's is used.
#ifndef TESSERA_TESTS_PACK_VECTORS_RIG_H
#define TESSERA_TESTS_PACK_VECTORS_RIG_H

#include "rig/pack_rig.h"

// What Dst holds: 16 bits as BF16, FP16 or raw; 32 bits as FP32 or INT32.
enum dst_kind { DST_BF16, DST_FP16, DST_RAW16, DST_32 };

struct setting {
    enum tsr_field field; // packer 0's or shared; a zero ends the list (no vector sets that field)
    uint32_t value;
};

struct vector {
    const char *what;
    enum dst_kind dst;
    int between, out;
    const char *rest; // operands of PACR beside packer or interface; NULL: Last=1
    struct setting set[7];
    uint32_t in[16]; // a row of Dst
    unsigned offset; // of the expected bytes in the output
    unsigned unit;   // bytes of each of them
    unsigned count;
    uint32_t expected[16];
};

// A field of packer 0's, for a vector's settings.
#define P0(name, value)                                                                            \
    {                                                                                              \
        FIELD_THCON_SEC0_REG1_##name, value                                                        \
    }
// What L1 holds from byte `at` of the output on, in units of `size` bytes.
#define GIVES(at, size, ...)                                                                       \
    .offset = (at), .unit = (size), .count = sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), \
    .expected = {__VA_ARGS__}

static inline uint16_t stored_bf16(uint32_t v) // S M7 E8
{
    return (uint16_t)((v & 0x8000) | (v & 0x7f) << 8 | (v >> 7 & 0xff));
}

static inline uint16_t stored_fp16(uint32_t v) // S M10 E5
{
    return (uint16_t)((v & 0x8000) | (v & 0x3ff) << 5 | (v >> 10 & 0x1f));
}

static inline uint32_t stored_32(uint32_t v) // the high half like a BF16, the low half as it is
{
    return (uint32_t)stored_bf16(v >> 16) << 16 | (v & 0xffff);
}

static inline void dst_value(tsr_tile *tile, enum dst_kind kind, unsigned row, unsigned column,
                             uint32_t value)
{
    if (kind == DST_32)
        dst_put(tile, row, column, stored_32(value), true);
    else if (kind == DST_BF16)
        dst_put(tile, row, column, stored_bf16(value), false);
    else if (kind == DST_FP16)
        dst_put(tile, row, column, stored_fp16(value), false);
    else
        dst_put(tile, row, column, value, false);
}

static inline void dst_row(tsr_tile *tile, enum dst_kind kind, unsigned row, const uint32_t in[16])
{
    for (unsigned i = 0; i < 16; i++)
        dst_value(tile, kind, row, i, in[i]);
}

// Row r of INT16 holds 0x100 r + column.
static inline void dst_rows16(tsr_tile *tile, unsigned rows)
{
    for (unsigned i = 0; i < rows * 16; i++)
        dst_put(tile, i / 16, i % 16, (i / 16) << 8 | i % 16, false);
}

// Undefined behaviour and what is not specified are recorded, and the tile goes on.
static inline tsr_tile *vec_tile(int arch, int between, int out, bool wide)
{
    return pack_tile(arch, TSR_PROFILE_SILICON, between, out, wide);
}

// The row that packer 0 (interface 0, and those beside it) starts at.
static inline void vec_at_row(tsr_tile *tile, unsigned row)
{
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, row);
}

static inline void vec_fill(tsr_tile *tile, uint32_t address, unsigned bytes, uint8_t value)
{
    for (unsigned i = 0; i < bytes; i++)
        assert_int_equal(tsr_l1_write(tile, address + i, &value, 1), TSR_OK);
}

static inline void vec_words16(tsr_tile *tile, uint32_t address, const uint16_t *words, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        uint8_t b[2] = {(uint8_t)words[i], (uint8_t)(words[i] >> 8)};
        assert_int_equal(tsr_l1_write(tile, address + 2 * i, b, 2), TSR_OK);
    }
}

static inline void vec_is(const tsr_tile *tile, const char *what, uint32_t address, unsigned unit,
                          const uint32_t *expected, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t got = out_at(tile, address + unit * i, unit);
        if (got != expected[i])
            fail_msg("%s: unit %u at 0x%x is 0x%x, and the page says 0x%x", what, i,
                     address + unit * i, got, expected[i]);
    }
}

#define IS(tile, what, address, unit, ...)                                                         \
    vec_is(tile, what, address, unit, (const uint32_t[]){__VA_ARGS__},                             \
           sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static inline void vec_found(const tsr_tile *tile, const char *what, const char *code)
{
    if (!tile_found(tile, code))
        fail_msg("%s: no %s", what, code);
}

static inline void vec_run_as(int arch, const struct vector *v, bool timing, const char *kernels)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    tsr_tile *tile = NULL;
    options.timing = timing;
    options.profile = TSR_PROFILE_SILICON;
    options.kernels = kernels;
    assert_int_equal(tsr_tile_create(&options, &tile), TSR_OK);
    pack_formats(tile, v->between, v->out, v->dst == DST_32);
    pack_datums(tile, 0, 16);
    for (int i = 0; i < 7 && v->set[i].field != 0; i++)
        tile_field(tile, 0, v->set[i].field, v->set[i].value);
    dst_row(tile, v->dst, 0, v->in);
    pack_one(tile, v->rest ? v->rest : "Last=1");
    vec_is(tile, v->what, OUT + v->offset, v->unit, v->expected, v->count);
    tsr_tile_destroy(tile);
}

// The bytes are the same with timing, and with whatever kernels.
static inline void vec_run(int arch, const struct vector *v)
{
    vec_run_as(arch, v, false, NULL);
    vec_run_as(arch, v, true, NULL);
    vec_run_as(arch, v, false, "reference");
}

#define RUN_ALL(arch, rows)                                                                        \
    do {                                                                                           \
        for (size_t run_i = 0; run_i < sizeof(rows) / sizeof *(rows); run_i++)                     \
            vec_run(arch, &(rows)[run_i]);                                                         \
    } while (0)

static inline uint32_t vec_load(tsr_tile *tile, uint32_t address)
{
    uint32_t value = 0xdeadbeef;
    assert_int_equal(tsr_load(tile, TSR_CORE_B, address, &value, 4), TSR_OK);
    return value;
}

#endif
