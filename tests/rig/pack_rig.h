// SPDX-License-Identifier: Apache-2.0
// A tile whose Dst is filled by hand and whose packers are configured by one call, for the tests of
// PACR.
#ifndef TESSERA_TESTS_PACK_RIG_H
#define TESSERA_TESTS_PACK_RIG_H

#include "rig/short_formats.h"
#include "rig/tile_rig.h"
#include "state/config_access.h"

#include <tessera/numerics.h>

enum { OUT = 0x40000 }; // where packer 0 writes

#define PACKER(i, name)                                                                            \
    ((i) == 0   ? FIELD_THCON_SEC0_REG1_##name                                                     \
     : (i) == 1 ? FIELD_THCON_SEC0_REG8_##name                                                     \
     : (i) == 2 ? FIELD_THCON_SEC1_REG1_##name                                                     \
                : FIELD_THCON_SEC1_REG8_##name)

static inline void pack_formats(tsr_tile *tile, int between, int out, bool wide)
{
    int packers = tsr_tile_arch(tile) == TSR_WORMHOLE_B0 ? 4 : 1;
    for (int i = 0; i < packers; i++) {
        tile_field(tile, 0, PACKER(i, In_data_format), (uint32_t)between);
        tile_field(tile, 0, PACKER(i, Out_data_format), (uint32_t)out);
        tile_field(tile, 0, PACKER(i, Disable_zero_compress), 1);
        tile_field(tile, 0, PACKER(i, L1_Dest_addr), OUT / 16 - 1 + 0x1000u * (uint32_t)i);
    }
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG2_Dstacc, (uint32_t)between);
    tile_field(tile, 0, FIELD_PCK_DEST_RD_CTRL_Read_32b_data, wide);
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC0_mask, 0xffff);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16);
}

// X counters: datums of a PACR (of each read interface on Blackhole).
static inline void pack_datums(tsr_tile *tile, uint32_t first, uint32_t count)
{
    tile_state(tile)->adcs.channel[0][TSR_ADC_PACKERS][0].x = first;
    tile_state(tile)->adcs.channel[0][TSR_ADC_PACKERS][1].x = first + count - 1;
}

static inline tsr_tile *pack_tile(int arch, tsr_profile profile, int between, int out, bool wide)
{
    tsr_tile *tile = tile_new(arch, false, profile);
    pack_formats(tile, between, out, wide);
    pack_datums(tile, 0, 16);
    return tile;
}

// One stored datum of a 16-bit row, or both halves of a 32-bit row.
static inline void dst_put(tsr_tile *tile, unsigned row, unsigned column, uint32_t stored,
                           bool wide)
{
    struct tsr_dst_view view = tsr_dst_at(&tile_state(tile)->dst, 0, row, wide);
    view.high[column] = (uint16_t)(wide ? stored >> 16 : stored);
    if (wide)
        view.low[column] = (uint16_t)stored;
    tsr_dst_wrote(&tile_state(tile)->dst, &view, (uint16_t)(1u << column), 0);
}

// INT16 passes unchanged: datum index + `add` in every cell of 1024 rows.
static inline void dst_count(tsr_tile *tile, unsigned add)
{
    for (unsigned i = 0; i < 1024 * 16; i++)
        dst_put(tile, i / 16, i % 16, (i + add) & 0xffff, false);
}

static inline uint32_t out_at(const tsr_tile *tile, uint32_t address, unsigned bytes)
{
    uint8_t b[4] = {0};
    assert_int_equal(tsr_l1_read(tile, address, b, bytes), TSR_OK);
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline uint32_t out16(const tsr_tile *tile, unsigned i)
{
    return out_at(tile, OUT + 2 * i, 2);
}

static inline bool was_written(tsr_tile *tile, uint32_t address, size_t size)
{
    return tsr_l1_first_unwritten(&tile_state(tile)->l1, address, size) != 0;
}

// A whole word of a mapping, whose sixteen entries have two bits each.
static inline void pack_mapping(tsr_tile *tile, enum tsr_field first, uint32_t entries)
{
    const struct tsr_field_place *place = &tile_env(tile)->isa->field[first];
    tsr_config_write(tile_env(tile), 0, place->addr32, entries, 0xffffffff);
}

// BF16 values into a row of the 16-bit view.
static inline void dst_bf16(tsr_tile *tile, unsigned row, const uint16_t *values, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        dst_put(tile, row, i, tsr_dst_encode_bf16(values[i]), false);
}

// A special SETDMAREG to GPR 8 of thread 0, of 32 bits.
static inline uint32_t pack_state(tsr_tile *tile, unsigned source, unsigned packers, unsigned word)
{
    char text[100];
    snprintf(text, sizeof text,
             "SETDMAREG SetSignalsMode=1 Payload_SigSelSize=1 Payload_SigSel=%u RegIndex16b=16",
             packers << 7 | source << 3 | word * 2);
    tile_do(tile, 0, text);
    return tile_gpr(tile, 0, 8);
}

// Wormhole: packer 0. Blackhole: read interface 0.
static inline void pack_one(tsr_tile *tile, const char *rest)
{
    char text[120];
    snprintf(text, sizeof text, "PACR %s=1 %s",
             tsr_tile_arch(tile) == TSR_WORMHOLE_B0 ? "PackSel" : "ReadIntfSel", rest);
    tile_do(tile, 0, text);
}

#endif
