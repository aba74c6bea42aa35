// SPDX-License-Identifier: Apache-2.0
// GMPOOL: the largest of 16 rows of SrcA in each column, with SrcB's exponents as scales, and the
// index of the largest. Page: GMPOOL.md.
#include "matrix/pools.h"

#include "base/format_codes.h"
#include "matrix/banks.h"
#include "matrix/matrix_shadow.h"
#include "matrix/source_format.h"

enum { INNER = 16, DST_ROWS = 4 };
enum style { STYLE_INT8, STYLE_FP16, STYLE_TF32, STYLE_BF16, STYLE_INT32 };

struct pool {
    enum style src, dst;
    bool wide, argmax;
};

// Sign, nine bits of exponent (two summed), ten of magnitude or mantissa.
struct datum {
    uint32_t sign, exponent, mantissa;
};

void tsr_matrix_sample_gmpool(const struct tsr_matrix_call *call)
{
    struct tsr_matrix_job *job = call->job;
    job->argmax = tsr_matrix_arg(call, OPERAND_max_pool_index_en);
    job->rows = DST_ROWS;
    job->row[TSR_SRCA] = job->before.srca & 0x30;
    job->row[TSR_SRCB] = job->before.srcb & 0x38;
    job->dst = (uint16_t)((call->args->dst + job->dst_base) & 0x3fc);
    job->clear_dvalid = call->args->clear_dvalid;
}

// ---------------------------------------------------------------- formats

static enum style dst_style(enum style src, bool wide, bool argmax)
{
    if (src == STYLE_TF32 && argmax)
        return STYLE_INT32;
    if (wide)
        return argmax ? src : STYLE_TF32;
    return src == STYLE_TF32 ? STYLE_BF16 : src;
}

static bool decode_pool(const struct tsr_matrix_call *call, struct pool *pool)
{
    tsr_element_mode mode;
    call->job->stochastic = false; // nothing is rounded
    if (!tsr_matrix_arithmetic_mode(call, &mode))
        return false;
    pool->wide = mode.fpu.acc32;
    pool->argmax = call->job->argmax;
    if (mode.int8) {
        pool->src = STYLE_INT8;
        pool->dst = STYLE_INT32;
        return true;
    }
    if (!mode.fpu.e8)
        pool->src = STYLE_FP16;
    else
        pool->src = mode.format_a == TSR_FORMAT_TF32 ? STYLE_TF32 : STYLE_BF16;
    pool->dst = dst_style(pool->src, pool->wide, pool->argmax);
    return true;
}

// ---------------------------------------------------------------- datums

// `stored` is what Dst32 holds, or a 16-bit datum in its upper half.
static struct datum read_dst(uint32_t stored, enum style style)
{
    struct datum datum = {.sign = stored >> 31};
    switch (style) {
    case STYLE_INT32: // 19 bits of the magnitude count
        datum.mantissa = stored & 0x3ff;
        datum.exponent = (stored >> 10 & 0x3f) | (stored >> 24 & 7) << 6;
        break;
    case STYLE_FP16:
        datum.exponent = (stored >> 16 & 0x1f) + 15;
        datum.mantissa = stored >> 21 & 0x3ff;
        break;
    default:
        datum.exponent = (stored >> 16 & 0xff) + 127;
        datum.mantissa = (stored >> 24 & 0x7f) << 3;
        if (style == STYLE_TF32)
            datum.mantissa |= stored >> 13 & 7;
        break;
    }
    return datum;
}

static uint32_t write_dst(struct datum datum, enum style style)
{
    uint32_t sign = datum.sign << 31;
    switch (style) {
    case STYLE_INT32:
        return sign | (datum.exponent & 7) << 10 | datum.mantissa;
    case STYLE_FP16:
        if ((datum.exponent & 0x3f) == 0)
            return 0;
        return sign | datum.mantissa << 21 | ((datum.exponent - 15) & 0x1f) << 16;
    default:
        if (datum.exponent == 0)
            return 0;
        return sign | (datum.mantissa & 0x3f8) << 21 | ((datum.exponent - 127) & 0xff) << 16 |
               (style == STYLE_TF32 ? (datum.mantissa & 7) << 13 : 0);
    }
}

static struct datum read_scaled(uint32_t a, uint32_t b, enum style style)
{
    uint32_t exponent_a = a >> 10 & 0xff, exponent_b = b >> 10 & 0xff;
    if (exponent_b == 0)
        return (struct datum){1, 0x1ff, 0x3ff}; // minus infinity
    if (exponent_a == 0)
        return (struct datum){0};
    struct datum datum = {a >> 18 & 1, exponent_a + exponent_b, a & 0x3ff};
    if (style == STYLE_INT8)
        datum.exponent = 0;
    else if (style == STYLE_FP16)
        datum.exponent = (exponent_a & 0x1f) + (exponent_b & 0x1f);
    else if (style == STYLE_BF16)
        datum.mantissa &= 0x3f8;
    return datum;
}

static int32_t rank(struct datum datum)
{
    int32_t size = (int32_t)(datum.exponent << 10 | datum.mantissa);
    return datum.sign ? -size : size;
}

// ---------------------------------------------------------------- a column

static uint32_t reduce(const struct tsr_matrix_call *call, const struct pool *pool, unsigned column,
                       uint32_t stored)
{
    static const uint8_t index_of_row[8] = {0, 3, 6, 1, 4, 7, 2, 5};
    const struct tsr_matrix_job *job = call->job;
    const struct tsr_src_bank *bank_a = tsr_matrix_bank(call, TSR_SRCA);
    const uint32_t *scales = tsr_matrix_bank(call, TSR_SRCB)->datum[job->row[TSR_SRCB]];
    struct datum largest = read_dst(stored, pool->dst);
    uint32_t index = stored & 0xff;
    uint32_t index_phase = (stored + 0x100) & 0xf00;
    for (unsigned step = 0; step < INNER; step++) {
        unsigned i = step < 8 ? step ^ 4 : step; // the order decides between equals
        uint32_t a = job->no_sources ? 0 : bank_a->datum[job->row[TSR_SRCA] + i][column];
        struct datum datum = read_scaled(a, scales[i], pool->src);
        if (rank(datum) < rank(largest))
            continue;
        largest = datum;
        if (i < 8)
            index = ((index_phase >> 4) + index_of_row[i]) & 0xff;
    }
    if (!pool->argmax)
        return write_dst(largest, pool->dst);
    if (pool->dst == STYLE_INT32)
        return index_phase | index;
    return write_dst(largest, pool->dst) | index_phase | index;
}

// Invalid rows read as all ones here, the least of all values.
static uint32_t load(const struct tsr_dst *dst, const struct tsr_dst_view *view, unsigned column)
{
    bool valid = tsr_dst_valid(dst, view);
    uint32_t high = valid ? view->high[column] : 0xffff;
    uint32_t low = view->wide ? (valid ? view->low[column] : 0xffffu) : 0;
    return high << 16 | low;
}

static bool read_shadow(const struct tsr_matrix_call *call, const struct pool *pool,
                        uint16_t tainted[DST_ROWS])
{
    const struct tsr_matrix_job *job = call->job;
    uint16_t of_a = job->tainted ? 0xffff : 0, of_b = 0;
    for (unsigned i = 0; i < INNER && !job->no_sources; i++)
        if (!tsr_matrix_read_src(call, TSR_SRCA, job->row[TSR_SRCA] + i, false, &of_a))
            return false;
    if (!tsr_matrix_read_src(call, TSR_SRCB, job->row[TSR_SRCB], false, &of_b))
        return false;
    for (unsigned i = 0; i < DST_ROWS; i++) {
        tainted[i] = 0;
        struct tsr_dst_view view = tsr_matrix_dst(call, i, pool->wide);
        bool reads = i == 0 || (pool->argmax && pool->wide);
        if (reads && !tsr_matrix_read_dst(call, &view, &tainted[i]))
            return false;
    }
    tainted[0] |= of_a | (of_b ? 0xffff : 0);
    return true;
}

// The page writes 1 there, vendor software has 0 for a single row.
static bool check_shape(const struct tsr_matrix_call *call)
{
    enum { SIXTEEN_ROWS = 1 };
    uint32_t shape = tsr_matrix_arg(call, OPERAND_instr_mod19);
    return call->inst->op != OP_GMPOOL || shape == SIXTEEN_ROWS ||
           tsr_report(call->env, FINDING_UNDOCUMENTED_MODE, call->inst, NULL,
                      "No page says what GMPOOL does with instr_mod19=%u; it takes 16 rows, as "
                      "with 1.",
                      (unsigned)shape) != TSR_HALT;
}

bool tsr_matrix_run_gmpool(const struct tsr_matrix_call *call)
{
    struct pool pool;
    uint16_t tainted[DST_ROWS];
    if (!check_shape(call) || !decode_pool(call, &pool) || !read_shadow(call, &pool, tainted))
        return false;
    struct tsr_dst *dst = &call->env->state->dst;
    for (unsigned i = 0; i < DST_ROWS; i++) {
        struct tsr_dst_view view = tsr_matrix_dst(call, i, pool.wide);
        for (unsigned column = 0; column < TSR_COLUMNS; column++) {
            uint32_t stored = load(dst, &view, column), value = 0;
            if (i == 0)
                value = reduce(call, &pool, column, stored);
            else if (pool.argmax && pool.wide)
                value = (stored + 0x100) & 0xf00;
            view.high[column] = (uint16_t)(value >> 16);
            if (view.wide)
                view.low[column] = (uint16_t)value;
        }
        tsr_matrix_wrote_dst(call, &view, 1, &tainted[i]);
    }
    tsr_matrix_flip_banks(call);
    return true;
}
