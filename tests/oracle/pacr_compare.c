// SPDX-License-Identifier: Apache-2.0
// Where a tile and the model differ: in their storages, and in what instructions and cores read.
// Pages: as pacr_model.h.
#include "oracle/pacr_tile.h"

#include "rig/tile_rig.h"

// ---------------------------------------------------------------- comparison

static const char *differs(struct pacr_tile *t, const char *what, unsigned a, unsigned b,
                           uint32_t tile, uint32_t model)
{
    snprintf(t->message, sizeof t->message, "%s [%u][%u]: the tile has 0x%x, the page 0x%x", what,
             a, b, (unsigned)tile, (unsigned)model);
    return t->message;
}

static const char *counters_differ(struct pacr_tile *t, const struct pacr_model *m)
{
    for (unsigned i = 0; i < 6; i++) {
        const tsr_adc_channel *a =
            &tile_state(t->tile)->adcs.channel[i / 2][TSR_ADC_PACKERS][i % 2];
        const struct pacr_adc *b = &m->adc[i / 2][i % 2];
        if (a->x != b->x || a->x_cr != b->x_cr)
            return differs(t, "ADC X", i / 2, i % 2, a->x, b->x);
        if (a->y != b->y || a->y_cr != b->y_cr)
            return differs(t, "ADC Y + 65536 Y_Cr", i / 2, i % 2, a->y | a->y_cr << 16,
                           b->y | b->y_cr << 16);
        if (a->z != b->z || a->z_cr != b->z_cr)
            return differs(t, "ADC Z + 65536 Z_Cr", i / 2, i % 2, a->z | a->z_cr << 16,
                           b->z | b->z_cr << 16);
        if (a->w != b->w || a->w_cr != b->w_cr)
            return differs(t, "ADC W", i / 2, i % 2, a->w, b->w);
    }
    return NULL;
}

static const char *packers_differ(struct pacr_tile *t, const struct pacr_model *m)
{
    for (unsigned i = 0; i < (t->blackhole ? 1 : PACR_PACKERS); i++) {
        const struct tsr_packer *a = &tile_state(t->tile)->packers.packer[i];
        const struct pacr_packer *b = &m->packer[i];
        if (a->x != (b->x & 0xffff))
            return differs(t, "tile position X", i, 0, a->x, b->x);
        if (a->y != (b->y & 0xffff))
            return differs(t, "tile position Y", i, 0, a->y, b->y);
        if (a->z != (b->z & 0xffff))
            return differs(t, "tile position Z", i, 0, a->z, b->z);
        if (a->l1_dest_offset != b->l1_dest_offset)
            return differs(t, "l1_dest_addr_offset", i, 0, a->l1_dest_offset, b->l1_dest_offset);
        if (a->last_tile_size != b->last_size)
            return differs(t, "LastTileSize", i, 0, a->last_tile_size, b->last_size);
        for (unsigned thread = 0; thread < 3; thread++)
            if (a->acc_tile_size[thread] != b->acc_size[thread])
                return differs(t, "AccTileSize", i, thread, a->acc_tile_size[thread],
                               b->acc_size[thread]);
        for (unsigned bin = 0; bin < 32; bin++)
            if (a->exponent_count[bin] != b->histogram[bin])
                return differs(t, "ExponentHistogram", i, bin, a->exponent_count[bin],
                               b->histogram[bin]);
        if (i == 0 && a->max_exponent != b->max_exponent) // others cannot be seen
            return differs(t, "ExponentHistogramMaxExponent", i, 0, a->max_exponent,
                           b->max_exponent);
        if (t->blackhole && tile_state(t->tile)->packers.context != m->context)
            return differs(t, "tracked context", i, 0, tile_state(t->tile)->packers.context,
                           m->context);
        if (t->blackhole && tile_state(t->tile)->packers.planes != m->planes)
            return differs(t, "planes since the context moved", i, 0,
                           tile_state(t->tile)->packers.planes, m->planes);
        if (!b->data.placed && a->all_zero_flags != b->zero_flags)
            return differs(t, "AllZeroFlags", i, 0, a->all_zero_flags, b->zero_flags);
    }
    return NULL;
}

const char *pacr_tile_differs(struct pacr_tile *t, const struct pacr_model *m, bool l1)
{
    const uint8_t *bytes = tile_state(t->tile)->l1.bytes;
    const char *wrong = counters_differ(t, m);
    if (!wrong)
        wrong = packers_differ(t, m);
    if (wrong || !l1 || memcmp(bytes, m->l1, m->l1_size) == 0)
        return wrong;
    uint32_t at = 0, count = 0;
    while (bytes[at] == m->l1[at])
        at++;
    for (uint32_t i = at; i < m->l1_size; i++)
        count += bytes[i] != m->l1[i];
    at &= ~15u;
    char *p = t->message;
    size_t left = sizeof t->message;
    int used = snprintf(p, left, "L1 differs in %u bytes; first line 0x%x: the tile has",
                        (unsigned)count, (unsigned)at);
    for (unsigned side = 0; side < 2; side++) {
        for (unsigned i = 0; i < 16; i++)
            used += snprintf(p + used, left - (size_t)used, " %02x",
                             side ? m->l1[at + i] : bytes[at + i]);
        used += snprintf(p + used, left - (size_t)used, side ? "" : ", the page");
    }
    return t->message;
}

// ---------------------------------------------------------------- what is read back

static const char *special_differs(struct pacr_tile *t, struct pacr_model *m, uint64_t *random,
                                   struct pacr_counts *counts)
{
    unsigned source = pacr_below(random, 10), which = pacr_below(random, 16);
    unsigned size = pacr_below(random, 4), half = pacr_below(random, 8);
    unsigned result = pacr_below(random, 128);
    int thread = (int)pacr_below(random, 3);
    if (t->blackhole && ((source > 2 && source < 6) || ((source == 6 || source == 7))))
        which &= ~3u;
    if (t->blackhole && source > 2 && source < 6)
        return NULL; // headers of packers that are not there
    uint32_t values[4], want[4], first = result >> 1 & 0x3c;
    for (unsigned i = 0; i < 4; i++) {
        want[i] = pacr_random(random);
        tile_set_gpr(t->tile, thread, (int)(first + i), want[i]);
    }
    pacr_special(m, thread, source, which, values);
    static const uint32_t header[4] = {0xffff, 0x00ff0000, 0xffffffff, 0};
    uint32_t half_value = values[half >> 1] >> (half & 1) * 16 & 0xffff;
    uint32_t *single = &want[result >> 1 & 3];
    if (size == 0)
        *single = (*single & (result & 1 ? 0xffff : 0xffff0000)) | half_value << (result & 1) * 16;
    else if (size == 1)
        *single = values[half >> 1];
    for (unsigned i = 0; i < 4 && size > 1; i++)
        want[i] = size == 2 ? values[i] : (want[i] & ~header[i]) | (values[i] & header[i]);
    char text[160];
    snprintf(text, sizeof text,
             "SETDMAREG RegIndex16b=%u SetSignalsMode=1 Payload_SigSel=%u Payload_SigSelSize=%u",
             result, which << 7 | source << 3 | half, size);
    tsr_findings_clear(&t->tile->findings);
    tile_push(t->tile, thread, text);
    if (pacr_tile_run(t))
        return t->message;
    counts->special[source]++;
    counts->result[size]++;
    for (unsigned i = 0; i < 4; i++)
        if (tile_gpr(t->tile, thread, (int)(first + i)) != want[i])
            return differs(t, text, source, i, tile_gpr(t->tile, thread, (int)(first + i)),
                           want[i]);
    return NULL;
}

static const char *load_differs(struct pacr_tile *t, struct pacr_model *m, uint64_t *random,
                                struct pacr_counts *counts)
{
    static const uint8_t offsets[] = {0x18, 0x1c, 0x58, 0x5c, 0x98, 0x9c, 0x20, 0x30, 0x34, 0x38};
    uint32_t packer = t->blackhole ? 0 : pacr_below(random, 4);
    uint32_t offset = offsets[pacr_below(random, sizeof offsets)], value = 0;
    if (offset != 0x38)
        offset |= packer << 8;
    if ((offset & 0x3f) >= 0x30 && offset != 0x38 && m->packer[packer].fifo_count == 0)
        return NULL; // would wait, or is undefined
    uint32_t want = pacr_tdma_load(m, offset);
    tsr_status status = tsr_load(t->tile, TSR_CORE_B, 0xffb11000u + offset, &value, 4);
    counts->tdma++;
    if (status != TSR_OK)
        return differs(t, "a load from TDMA-RISC ends with a status", offset, 0, status, TSR_OK);
    if (t->blackhole && offset == 0x38) {
        value &= 3;
        want &= 3;
    }
    return value == want ? NULL : differs(t, "TDMA-RISC", offset, 0, value, want);
}

const char *pacr_tile_reads_back(struct pacr_tile *t, struct pacr_model *m, uint64_t *random,
                                 struct pacr_counts *counts)
{
    for (unsigned i = 0; i < 2; i++) {
        const char *wrong = special_differs(t, m, random, counts);
        if (!wrong)
            wrong = load_differs(t, m, random, counts);
        if (wrong)
            return wrong;
    }
    return NULL;
}
