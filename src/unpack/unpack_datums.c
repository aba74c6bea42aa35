// SPDX-License-Identifier: Apache-2.0
// The general path of UNPACR's main loop: datum by datum in the order of the page, with the zeroes
// of decompression and upsampling, with transposition in put_src(), and with everything else that
// no kernel does.
// Pages: UNPACR_Regular.md, Unpackers/README.md (Decompression, Upsampling), SrcASrcB.md, Dst.md.
#include "unpack/unpack_datums.h"

#include "state/dst_rules.h"
#include "unpack/unpack_source.h"
#include "unpack/unpack_target.h"

enum { BROADCAST_ROWS = 8 };

// Whether a five-bit exponent comes out of a block's exponent and the datum's leading zeroes.
static bool overflows(const struct tsr_unpack_config *c, const struct tsr_unpack_input *in)
{
    const struct tsr_format_row *format = tsr_format_at(c->mode.in_format);
    if (!c->blocks || format->exponent_bits != 5)
        return false;
    unsigned zeroes = 0;
    uint32_t magnitude = in->datum << (8 - format->l1_bits) & 0x7f;
    if (magnitude == 0)
        return false;
    while (!(magnitude << zeroes & 0x40))
        zeroes++;
    return ((in->exponent - zeroes) & 0xe0) != 0;
}

bool tsr_unpack_exponents_overflow(const struct tsr_l1 *l1, const struct tsr_unpack_job *job)
{
    if (!job->config.blocks || job->all_zero ||
        tsr_format_at(job->config.mode.in_format)->exponent_bits != 5)
        return false;
    for (struct tsr_unpack_cursor at = tsr_unpack_begin(job); at.left > 0;
         tsr_unpack_advance(job, &at, 1)) {
        struct tsr_unpack_input in = tsr_unpack_read(l1, job, &at);
        if (overflows(&job->config, &in))
            return true;
    }
    return false;
}

// ---------------------------------------------------------------- one place

struct output {
    uint32_t bits; // as the target stores them
    bool tainted;
};

// The output side: the place of the next datum, and what is put between datums.
struct sink {
    struct tsr_env *env;
    const struct tsr_unpack_job *job;
    struct tsr_src_bank *bank;
    unsigned src_row;
    uint32_t out_address; // [OutAddr]
    uint32_t drop, left;  // [DecompressDrop, DecompressNumDatums]
    struct output zero;   // tainted from a tainted delta on, which moves all that follows
};

static void put_src(struct tsr_src_bank *bank, bool transpose, unsigned row, unsigned column,
                    struct output value)
{
    if (transpose) {
        unsigned low = row & 15;
        row = (row & ~15u) | column;
        column = low;
    }
    uint16_t mask = tsr_unpack_columns(column, 1);
    bank->datum[row][column] = value.bits;
    tsr_unpack_src_wrote(bank, row, mask, value.tainted ? mask : 0);
}

static void put_dst(struct tsr_env *env, const struct tsr_unpack_job *job, unsigned row,
                    unsigned column, struct output value)
{
    struct tsr_dst *dst = &env->state->dst;
    bool wide = job->config.wide;
    struct tsr_dst_view view = tsr_dst_at(dst, job->dst_order, row, wide);
    uint16_t mask = tsr_unpack_columns(column, 1);
    view.high[column] = (uint16_t)(wide ? value.bits >> 16 : value.bits);
    if (wide)
        view.low[column] = (uint16_t)value.bits;
    tsr_dst_wrote(dst, &view, mask, value.tainted ? mask : 0);
    tsr_dst_note_write(env, &view);
}

static void put(const struct sink *s, struct output value)
{
    const struct tsr_unpack_job *job = s->job;
    unsigned column = s->out_address & 15, shift = job->config.column_shift;
    int row = tsr_unpack_target_row(job, s->src_row, s->out_address / 16);
    if (row < 0 || column < shift)
        return;
    if (job->config.to_dst) {
        put_dst(s->env, job, (unsigned)row, column, value);
        return;
    }
    // docs/errata.md, 213: the row that an srcb_bcast begins with goes to eight.
    unsigned rows =
        job->broadcasts && s->out_address / 16 == job->out_address / 16 ? BROADCAST_ROWS : 1;
    for (unsigned i = 0; i < rows; i++)
        put_src(s->bank, job->config.transpose, ((unsigned)row + i) & (TSR_SRC_ROWS - 1),
                column - shift, value);
}

// ---------------------------------------------------------------- one datum

static struct output convert(const struct tsr_unpack_job *job, const struct tsr_unpack_input *in)
{
    struct output out = {0, job->tainted};
    if (job->all_zero)
        return out;
    out.tainted |=
        in->tainted || (in->unwritten && job->taints_unwritten) || overflows(&job->config, in);
    // The plan made sure that the pair exists.
    (void)tsr_unpack_datum(&job->config.mode, in->datum, in->exponent, &out.bits);
    return out;
}

// One datum that comes out, and what upsampling puts after it: zeroes, or gaps that keep what was
// there.
static void emit(struct sink *s, struct output value)
{
    const struct tsr_unpack_config *config = &s->job->config;
    if (s->drop > 0) {
        s->drop--;
        return;
    }
    if (s->left == 0)
        return;
    s->left--;
    put(s, value);
    s->out_address++;
    for (unsigned i = 1; i < config->places_per_datum; i++, s->out_address++)
        if (!config->keeps_gaps)
            put(s, s->zero);
}

static void emit_zeroes(struct sink *s, const struct tsr_unpack_cursor *at)
{
    struct tsr_unpack_input delta = tsr_unpack_delta(&s->env->state->l1, at);
    s->zero.tainted |= delta.tainted || (delta.unwritten && s->job->taints_unwritten);
    for (uint32_t i = 0; i < delta.datum; i++)
        emit(s, s->zero);
}

void tsr_unpack_move_datums(struct tsr_env *env, const struct tsr_unpack_job *job,
                            struct tsr_src_bank *bank, unsigned src_row)
{
    struct sink sink = {.env = env, .job = job, .bank = bank, .src_row = src_row};
    sink.out_address = job->out_address;
    sink.drop = job->drop_datums;
    sink.left = job->output_datums;
    sink.zero.tainted = job->tainted;
    for (struct tsr_unpack_cursor at = tsr_unpack_begin(job); at.left > 0;
         tsr_unpack_advance(job, &at, 1)) {
        struct tsr_unpack_input in = tsr_unpack_read(&env->state->l1, job, &at);
        struct output value = convert(job, &in);
        value.tainted |= sink.zero.tainted;
        emit(&sink, value);
        if (job->config.compressed && !job->all_zero)
            emit_zeroes(&sink, &at);
    }
}
