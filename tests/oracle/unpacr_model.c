// SPDX-License-Identifier: Apache-2.0
// The model: the page's functional model in the page's order, and nothing that would make it fast.
// The input side is unpacr_input.c, the conversion of a datum unpacr_formats.c.
// Pages: as unpacr_model.h.
#include "oracle/unpacr_job.h"

#include <stddef.h>

enum { DATUM_LIMIT = 200000 };

// ---------------------------------------------------------------- the selection of configuration

static void choose_context(struct unpacr_job *j)
{
    const struct unpacr_word *w = j->word;
    took(j, w->multi ? PATH_MULTI : PATH_SINGLE);
    if (!w->multi) {
        j->context = 0;
        j->adc = (unsigned)j->thread;
        return;
    }
    uint32_t offset = j->m->thread[j->thread][T_OFFSET0 + j->u];
    uint32_t number = w->use_counter ? j->m->context_counter[j->u][j->thread] : w->context;
    j->context = (number + offset) & 7;
    j->adc = w->adc;
    took(j, PATH_CONTEXT0 + j->context);
    took_if(j, w->use_counter, PATH_CONTEXT_COUNTER);
    took_if(j, offset != 0, PATH_CONTEXT_OFFSET);
    took_if(j, j->adc != (unsigned)j->thread, PATH_OTHER_ADC);
    if (j->u == 1 && j->context >= 2)
        undefined(j, "unpacker 1 has two contexts");
    if (j->adc == 3)
        undefined(j, "there are three sets of counters");
}

static void choose_tile(struct unpacr_job *j)
{
    const uint32_t *c = j->config;
    bool multi = j->word->multi;
    j->is_uncompressed = c[multi ? U_UNCOMPRESSED0 + j->context : U_IS_UNCOMPRESSED];
    j->xdim = multi && j->u == 0 ? c[U_XDIM0 + (j->context & 3)] : c[U_XDIM];
    j->ydim = c[U_YDIM];
    j->zdim = c[U_ZDIM] ? c[U_ZDIM] : 1;
    j->wdim = c[U_WDIM] ? c[U_WDIM] : 1;
    bool override = multi && c[U_OVERRIDE];
    took_if(j, override, PATH_FORMAT_OVERRIDE);
    j->conversion.in = c[override ? U_IN_FORMAT0 + j->context : U_IN_FORMAT];
    j->conversion.out = c[override ? U_OUT_FORMAT0 + j->context : U_OUT_FORMAT];
    j->conversion.blackhole = j->m->blackhole;
    j->conversion.exp4 = j->m->blackhole && c[U_EXP4];
    j->conversion.int8_unsigned = c[U_UNSIGNED];
    j->conversion.fp16_flushed = j->m->fault == FAULT_FP16_FLUSHED;
    j->m->in_format = (uint8_t)j->conversion.in;
    j->m->out_format = (uint8_t)j->conversion.out;
    took_if(j, j->conversion.in == F_INT8 && c[U_UNSIGNED], PATH_INT8_UNSIGNED);
    took_if(j, j->conversion.in == F_FP8 && j->conversion.exp4, PATH_EXP4);
    j->size = unpacr_size16(j->conversion.in);
    if (j->size == 0)
        undefined(j, "a code without a format");
    took_if(j, !j->is_uncompressed && j->size < NIBBLE, PATH_COMPRESSED_QUARTERS);
}

// ---------------------------------------------------------------- the output side

static void place(struct unpacr_job *j)
{
    const uint32_t *c = j->config;
    const struct unpacr_adc *at = &j->m->adc[j->thread][j->u][1];
    j->transpose = c[U_HALOIZE] && j->u == 0;
    took_if(j, c[U_HALOIZE] && j->u == 1, PATH_TRANSPOSE_IGNORED);
    if (j->u == 0)
        j->to_dst = c[j->word->multi ? U_IF_SEL0 + j->context : U_IF_SEL];
    j->conversion.to_dst = j->m->to_dst = j->to_dst;
    j->out = c[U_OUT_BASE] + at->y * c[U_YSTRIDE] + at->z * c[U_ZSTRIDE] + at->w * c[U_WSTRIDE];
    took_if(j, at->w * c[U_WSTRIDE] != 0, PATH_OUT_W);
    uint32_t out_size = unpacr_size16(j->conversion.out);
    if (out_size == 64) {
        if (j->out & 3)
            undefined(j, "an output address within a datum of four bytes");
        j->out >>= 2;
    } else if (out_size == 32) {
        if (j->out & 1)
            undefined(j, "an output address within a datum of two bytes");
        j->out >>= 1;
    }
    if (j->word->multi && j->u == 0) {
        uint32_t own = c[U_DEST0 + (j->context & 3)];
        bool add = j->to_dst || c[U_ADD_DEST];
        took(j, add ? PATH_DEST_ADDED : PATH_DEST_ALONE);
        j->out = add ? j->out + own : own;
    }
    took_if(j, j->out & 15, PATH_UNALIGNED_OUT);
}

static void choose_upsampling(struct unpacr_job *j)
{
    const uint32_t *c = j->config;
    unsigned rate = c[U_UPSAMPLE_RATE];
    j->zeroes = (1u << rate) - 1;
    if (j->m->fault == FAULT_UPSAMPLE_COUNT && rate)
        j->zeroes = 1u << (rate - 1);
    j->skips = c[U_INTERLEAVE];
    took_if(j, rate == 1, PATH_UPSAMPLE1);
    took_if(j, rate == 2, PATH_UPSAMPLE2);
    took_if(j, rate == 3, PATH_UPSAMPLE3);
    took_if(j, rate && j->skips, PATH_UPSAMPLE_SKIPS);
    took_if(j, rate && !j->is_uncompressed, PATH_UPSAMPLE_COMPRESSED);
    took_if(j, rate && j->to_dst, PATH_UPSAMPLE_DST);
    if (!j->tileize && j->u == 0)
        j->col_shift = c[U_SHIFT0 + (j->context & 3)];
    took_if(j, j->col_shift, PATH_COL_SHIFT);
    took_if(j, j->col_shift && j->transpose, PATH_COL_SHIFT_TRANSPOSE);
}

static void check_modes(struct unpacr_job *j)
{
    if ((j->transpose || j->tileize) && j->datums % SIXTEEN_BYTES)
        undefined(j, "a first datum that is not aligned");
    if (j->tileize && (j->zeroes || !j->is_uncompressed))
        undefined(j, "tileize with upsampling or compressed");
    if (j->to_dst && (j->col_shift || j->transpose))
        undefined(j, "to Dst with a column shift or transposed");
    if (j->to_dst && j->m->thread[j->thread][T_SRCA_OVRD])
        undefined(j, "to Dst with SetOvrdWithAddr");
    if (!j->m->blackhole && j->config[U_THROTTLE] == 3)
        undefined(j, "throttle mode 3");
    if (j->m->fault == FAULT_NO_COL_SHIFT)
        j->col_shift = 0;
}

static uint32_t adj16(const struct unpacr_model *m, uint32_t row)
{
    if (m->global[G_REMAP])
        row = (row & 0x3c7) ^ (row & 0x030) >> 1 ^ (row & 0x008) << 2;
    return row;
}

static uint32_t adj32(const struct unpacr_model *m, uint32_t row)
{
    row = adj16(m, row);
    if (m->global[G_SWIZZLE])
        row = (row & 0x3f3) ^ (row & 0x018) >> 1 ^ (row & 0x004) << 1;
    return (row & 0x1f8) << 1 | (row & 0x207);
}

static void write_dst(struct unpacr_job *j, uint32_t row, uint32_t column, uint32_t datum)
{
    struct unpacr_model *m = j->m;
    bool wide = unpacr_size16(j->conversion.out) == 64;
    row = (row - 4) & 0x3ff;
    took(j, wide ? PATH_DST32 : PATH_DST16);
    took_if(j, wide && row >= 512, PATH_DST_FOLDS);
    took_if(j, m->global[G_REMAP], PATH_REMAP);
    took_if(j, wide && m->global[G_SWIZZLE], PATH_SWIZZLE);
    took_if(j, !j->is_uncompressed, PATH_COMPRESSED_TO_DST);
    if (!wide) {
        m->dst[adj16(m, row)][column] = (uint16_t)datum;
        return;
    }
    m->dst[adj32(m, row)][column] = (uint16_t)(datum >> 16);
    m->dst[adj32(m, row) + 8][column] = (uint16_t)datum;
}

static void write_srca(struct unpacr_job *j, uint32_t row, uint32_t column, uint32_t datum)
{
    struct unpacr_model *m = j->m;
    took_if(j, row < 4, PATH_DEAD_ROWS);
    if (row < 4 || column < j->col_shift)
        return;
    row -= 4;
    column -= j->col_shift;
    if (m->thread[j->thread][T_SRCA_OVRD]) {
        took_if(j, row >= 64 && m->blackhole, PATH_SRCA_WRAPS);
        if (m->blackhole)
            row &= 63;
    } else {
        if (row >= 16)
            undefined(j, "SrcA by SrcRow beyond 16 rows");
        row += m->src_row[0][j->thread];
        took(j, PATH_SRCA_BY_SRC_ROW);
        took_if(j, m->src_row[0][j->thread], PATH_SRC_ROW);
    }
    if (row >= 64) {
        undefined(j, "a row of SrcA beyond 63");
        return;
    }
    if (j->transpose) {
        uint32_t low = row & 15;
        row = (row & ~15u) | column;
        column = low;
        took(j, PATH_TRANSPOSE);
    }
    took(j, PATH_SRCA);
    m->src[0][m->src_bank[0]][row][column] = datum;
}

static void write_out(struct unpacr_job *j, uint32_t datum)
{
    struct unpacr_model *m = j->m;
    uint32_t row = j->out / 16, column = j->out % 16;
    if (j->u == 0 && j->to_dst) {
        write_dst(j, row, column, datum);
    } else if (j->u == 0) {
        write_srca(j, row, column, datum);
    } else {
        row += m->src_row[1][j->thread];
        took(j, PATH_SRCB);
        took_if(j, m->src_row[1][j->thread], PATH_SRC_ROW);
        if (row >= 64)
            undefined(j, "a row of SrcB beyond 63");
        else
            m->src[1][m->src_bank[1]][row][column] = datum;
    }
}

// ---------------------------------------------------------------- the loop

// A datum and the zeroes after it.
static void emit(struct unpacr_job *j, uint32_t datum, unsigned zeroes)
{
    for (unsigned i = 0; i <= zeroes; i++, datum = 0) {
        if (j->drop) {
            j->drop--;
            took(j, PATH_ROW_DROP);
            continue;
        }
        for (unsigned k = 0; k <= j->zeroes; k++, datum = 0, j->out++) {
            if (k == 0 || !j->skips)
                write_out(j, datum);
            j->m->emitted++;
        }
        if (--j->output_count == 0)
            break;
    }
}

static void move_datums(struct unpacr_job *j)
{
    for (uint32_t i = 0; i < j->input_count && j->output_count && !j->undefined;) {
        uint32_t bits = unpacr_next_datum(j, ++i), datum = 0;
        uint8_t exponent = unpacr_next_exponent(j);
        unsigned zeroes = unpacr_next_delta(j);
        if (!j->undefined && !unpacr_convert(&j->conversion, bits, exponent, &datum)) {
            j->m->has_bad_exponent = unpacr_is_bfp_a(j->conversion.in) &&
                                     j->conversion.in == j->conversion.out &&
                                     !j->config[U_FORCE_EXP];
            undefined(j, "a conversion that no unpacker has");
        }
        took_if(j, unpacr_is_bfp_a(j->conversion.in) && exponent > 31, PATH_EXP_ABOVE_31);
        if (j->word->all_zero) {
            datum = 0;
            zeroes = 0;
            took(j, PATH_ALL_ZERO);
            took_if(j, !j->is_uncompressed, PATH_COMPRESSED_ALL_ZERO);
        }
        emit(j, datum, zeroes);
        if (i > DATUM_LIMIT || j->m->emitted > DATUM_LIMIT) {
            j->m->endless = true;
            undefined(j, "more datums than the model has patience for");
        }
    }
    took_if(j, j->m->emitted == 0, PATH_NO_DATUMS);
}

// ---------------------------------------------------------------- counters and banks

static void step_context(struct unpacr_job *j, unsigned from)
{
    const uint32_t *c = j->config;
    bool other = j->m->blackhole && c[U_NON_LOG2_EN];
    unsigned count = other ? c[U_NON_LOG2] : 1u << c[U_CONTEXT_COUNT];
    unsigned next = (from + 1) & 7;
    took_if(j, other, PATH_NON_LOG2);
    if (j->m->fault == FAULT_COUNTER_LATE ? next > count : next >= count) {
        next = 0;
        took(j, PATH_COUNTER_TO_ZERO);
    }
    j->m->context_counter[j->u][j->thread] = (uint8_t)next;
}

static void step_adcs(struct unpacr_job *j)
{
    const struct unpacr_word *w = j->word;
    uint32_t z_mask = j->m->blackhole ? 0x1fff : 0xff;
    took_if(j, w->ch0_y | w->ch0_z | w->ch1_y | w->ch1_z, PATH_ADC_STEP);
    for (unsigned i = 0; i < 3; i++) {
        bool other = i == j->adc && j->m->fault != FAULT_STEP_ONE_ADC;
        if (i != (unsigned)j->thread && !other)
            continue;
        struct unpacr_adc *adc = j->m->adc[i][j->u];
        adc[0].y = (adc[0].y + w->ch0_y) & 0x1fff;
        adc[0].z = (adc[0].z + w->ch0_z) & z_mask;
        adc[1].y = (adc[1].y + w->ch1_y) & 0x1fff;
        adc[1].z = (adc[1].z + w->ch1_z) & z_mask;
    }
}

static void hand_over(struct unpacr_job *j)
{
    struct unpacr_model *m = j->m;
    unsigned u = j->u;
    uint32_t base = m->thread[j->thread][u ? T_SRCB_BASE : T_SRCA_BASE] << 4;
    uint8_t *src_row = &m->src_row[u][j->thread];
    if (j->word->flip) {
        took(j, PATH_FLIP);
        m->matrix_owns[u][m->src_bank[u]] = true;
        if (m->blackhole)
            m->implied[u][m->src_bank[u]] = (uint8_t)j->conversion.out;
        m->src_bank[u] ^= 1;
        *src_row = base & 0x3f;
    } else if (j->config[U_SET_UPD]) {
        took(j, PATH_SET_UPD);
        *src_row = (*src_row + 16 + base) & 0x3f;
    }
}

static void run_regular(struct unpacr_job *j)
{
    choose_context(j);
    if (j->undefined)
        return;
    choose_tile(j);
    if (j->undefined)
        return;
    unpacr_input_begin(j);
    place(j);
    choose_upsampling(j);
    check_modes(j);
    move_datums(j);
    if (j->word->multi && j->word->use_counter)
        step_context(j, j->context);
    step_adcs(j);
    hand_over(j);
}

const char *unpacr_run(struct unpacr_model *m, int thread, const struct unpacr_word *word)
{
    struct unpacr_job j = {.m = m, .word = word, .thread = thread, .u = word->unpacker};
    unsigned bank = m->thread[thread][T_STATE_ID];
    j.config = m->config[bank][j.u];
    j.output_count = UINT32_MAX;
    m->paths[0] = m->paths[1] = 0;
    m->emitted = 0;
    m->has_bad_exponent = m->endless = false;
    m->first_address = m->first_exponent = UINT32_MAX;
    m->last_address = m->last_exponent = 0;
    took_if(&j, bank == 1, PATH_STATE_ID1);
    if (word->cache_flush) {
        took(&j, PATH_CACHE_FLUSH);
    } else if (word->count_only) {
        took(&j, PATH_COUNT_ONLY);
        step_context(&j, m->context_counter[j.u][thread]);
    } else {
        run_regular(&j);
    }
    return j.undefined;
}

void unpacr_give_back(struct unpacr_model *m, int side)
{
    m->matrix_owns[side][m->matrix_bank[side]] = false;
    m->matrix_bank[side] ^= 1;
}

const char *unpacr_path_name(enum unpacr_path path)
{
    static const char *const names[] = {
#define UNPACR_ONE(name) #name,
        UNPACR_PATHS(UNPACR_ONE)
#undef UNPACR_ONE
    };
    return names[path];
}

const char *unpacr_fault_name(enum unpacr_fault fault)
{
    static const char *const names[] = {
#define UNPACR_ONE(name) #name,
        UNPACR_FAULTS(UNPACR_ONE)
#undef UNPACR_ONE
    };
    return names[fault];
}
