// SPDX-License-Identifier: Apache-2.0
// What a packer fetches: rows of Dst with their masks, positions, early conversion, ReLU,
// statistics, threshold; or bytes of L1.
// Pages: Packers/EdgeMasking.md, Packers/ExponentHistogram.md, Packers/ExponentThresholding.md,
// Packers/InputAddressGenerator.md, the diagram in Packers/README.md, Dst.md.
#include "oracle/pacr_job.h"

#include "oracle/pacr_output.h"

// ---------------------------------------------------------------- Dst

static unsigned adj16(const struct pacr_model *m, unsigned row)
{
    row &= 0x3ff;
    if (m->config.global[PACR_G_REMAP])
        row = (row & 0x3c7) ^ (row & 0x030) >> 1 ^ (row & 0x008) << 2;
    return row;
}

static unsigned adj32(const struct pacr_model *m, unsigned row)
{
    row = adj16(m, row);
    if (m->config.global[PACR_G_SWIZZLE])
        row = (row & 0x3f3) ^ (row & 0x018) >> 1 ^ (row & 0x004) << 1;
    return (row & 0x1f8) << 1 | (row & 0x207);
}

static uint32_t read_dst(const struct pacr_model *m, bool wide, unsigned row, unsigned column)
{
    unsigned at = wide ? adj32(m, row) : adj16(m, row);
    if (!m->dst_valid[at])
        return 0;
    if (!wide)
        return m->dst[at][column];
    return (uint32_t)m->dst[at][column] << 16 | m->dst[at + 8][column];
}

// ---------------------------------------------------------------- position and masks

static bool mask_lets(const struct pacr_job *j, unsigned column, uint32_t y, uint32_t tile_z)
{
    const struct pacr_config *c = &j->m->config;
    unsigned shift = 2 * j->section, b;
    if (j->shared[PACR_S_FACES]) {
        unsigned z = c->z_offset[j->section] + tile_z;
        unsigned a = j->shared[PACR_S_FACE_SELECT] >> shift & 3;
        b = c->face_map[j->bank][a] >> 2 * (z & 15) & 3;
    } else {
        b = j->shared[PACR_S_ROW_SELECT] >> shift & 3;
    }
    unsigned entry = c->row_map[j->bank][b] >> 2 * (y & 15) & 3;
    return j->shared[PACR_S_MASK0 + entry] >> column & 1;
}

void pacr_advance(struct pacr_job *j)
{
    struct pacr_packer *p = j->packer;
    uint32_t reads = j->own[PACR_K_READS];
    if (++p->x < 16)
        return;
    p->x = 0;
    uint32_t *inner = j->own[PACR_K_TRANSPOSED] ? &p->z : &p->y;
    uint32_t *outer = j->own[PACR_K_TRANSPOSED] ? &p->y : &p->z;
    (*inner)++;
    if (*inner == reads || (j->m->fault == PACR_FAULT_POSITION && *inner > 16)) {
        *inner = 0;
        (*outer)++;
    }
}

bool pacr_advance_rows(struct pacr_job *j, unsigned rows)
{
    struct pacr_packer *p = j->packer;
    uint32_t *inner = j->own[PACR_K_TRANSPOSED] ? &p->z : &p->y;
    uint32_t *outer = j->own[PACR_K_TRANSPOSED] ? &p->y : &p->z;
    *inner = (*inner + rows) & 0xff;
    bool over = j->m->fault == PACR_FAULT_POSITION && *inner > 16;
    if (*inner != j->own[PACR_K_READS] && !over)
        return false;
    *inner = 0;
    (*outer)++;
    return true;
}

// ---------------------------------------------------------------- one datum

static unsigned descale(const struct pacr_job *j, uint32_t z)
{
    const uint32_t *values = j->m->config.descale;
    if (!j->shared[PACR_S_DESCALE])
        return 0;
    if (!j->shared[PACR_S_DESCALE_BY_Z])
        return values[0] & 31;
    return values[(z & 63) >> 2] >> (z & 3) * 8 & 31;
}

static void count_exponent(struct pacr_job *j, struct pacr_datum d)
{
    struct pacr_packer *p = j->packer;
    unsigned exponent = pacr_exponent(d);
    uint8_t *bin = &p->histogram[exponent & 31];
    if (j->statistics && *bin != 255)
        (*bin)++;
    if (exponent > p->max_exponent)
        p->max_exponent = (uint8_t)exponent;
}

static struct pacr_datum threshold(struct pacr_job *j, struct pacr_datum d)
{
    struct pacr_datum zero = {d.kind, 0};
    if (!j->own[PACR_K_THRESHOLD_ON])
        return d;
    switch (j->own[PACR_K_IN]) {
    case PF_FP32:
    case PF_TF32:
    case PF_BF16:
    case PF_BFP8:
    case PF_BFP4:
    case PF_FP16:
    case PF_FP8:
    case PF_BFP8A:
    case PF_BFP4A:
        // The exponent that the datum has here, which may be wider than the format's.
        return pacr_exponent(d) < j->own[PACR_K_THRESHOLD] ? zero : d;
    default:
        return d;
    }
}

static struct pacr_datum minus_infinity(struct pacr_job *j, enum pacr_kind kind)
{
    if (kind >= KIND_INT32)
        pacr_undefined(j->m, "minus infinity of an integer");
    return pacr_minus_infinity(kind);
}

struct pacr_datum pacr_fetch_dst(struct pacr_job *j, unsigned row, unsigned column, uint32_t y,
                                 uint32_t z, unsigned number)
{
    struct pacr_datum d = {pacr_early_kind(&j->early), 0};
    unsigned masked = j->m->fault == PACR_FAULT_COLUMN ? number & 15 : column;
    j->early.shift = descale(j, z);
    if (mask_lets(j, masked, y, z))
        d = pacr_early(&j->early, read_dst(j->m, j->early.wide, row, column));
    else if (j->shared[PACR_S_MINUS_INFINITY])
        d = minus_infinity(j, d.kind);
    d = pacr_relu(j->shared[PACR_S_RELU] & 3, j->shared[PACR_S_RELU_THRESHOLD], d);
    count_exponent(j, d);
    d.kind = j->kind;
    d = threshold(j, d);
    if (pacr_eight(d.kind) && j->own[PACR_K_IN] == PF_FP16 && j->early.format == PF_FP16)
        d = (struct pacr_datum){KIND_FP16, pacr_to_fp16(d.bits)};
    return d;
}

struct pacr_datum pacr_fetch_l1(struct pacr_job *j, uint32_t address)
{
    bool past = address + j->datum_bytes > j->m->l1_size; // reads as zeroes (docs/errata.md 249)
    uint32_t v = 0;
    j->m->reads_past_l1 |= past;
    if (!past)
        pacr_note_read(j->m, address);
    for (unsigned i = 0; i < j->datum_bytes && !past; i++)
        v |= (uint32_t)j->m->l1[address + i] << 8 * i;
    struct pacr_datum d = pacr_from_l1(j->early.format, j->early.is_unsigned, j->datum_bytes, v);
    if (d.kind == KIND_NONE)
        pacr_undefined(j->m, "a format that L1 has no source of");
    return d;
}
