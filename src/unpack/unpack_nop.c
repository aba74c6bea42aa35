// SPDX-License-Identifier: Apache-2.0
// The forms of UNPACR_NOP: what an instruction word asks for on each chip. Pages:
// UNPACR_NOP_ZEROSRC.md, UNPACR_NOP_SETDVALID.md, UNPACR_NOP_SETREG.md,
// UNPACR_NOP_OverlayClear.md. Blackhole's encoding is on no page (docs/errata.md 220 to 224).
#include "unpack/unpack_nop.h"

#include "state/register_access.h"
#include "state/report.h"
#include "unpack/unpack_plan.h"

#include <string.h>

#define ALL 0xffffffffu

// ---------------------------------------------------------------- anomalies

// What is unusual about a form, in the order in which it is reported.
enum nop_anomaly {
    NOP_ANOMALY_RESERVED,
    NOP_ANOMALY_BOTH_BANKS,
    NOP_ANOMALY_SRCB_INFINITY,
    NOP_ANOMALY_ONE,
    NOP_ANOMALY_CONFIGURED_VALUE,
    NOP_ANOMALY_CLEAR_HANDS_OVER,
    NOP_ANOMALY_FORMAT_HANDS_OVER,
    NOP_ANOMALY_SET_REGISTER,
    NOP_ANOMALY_SELECTION,
    NOP_ANOMALY_CLEAR_MESSAGE,
    NOP_ANOMALY_COUNT
};

static const struct {
    enum tsr_finding code;
    const char *text;
} anomalies[NOP_ANOMALY_COUNT] = {
    [NOP_ANOMALY_RESERVED] = {FINDING_NO_SPECIFICATION,
                              "has 6 as its mode, which is reserved; it does nothing"},
    [NOP_ANOMALY_BOTH_BANKS] = {FINDING_LEGACY_MODE,
                                "clears both banks, and waits for one of them only"},
    [NOP_ANOMALY_SRCB_INFINITY] = {FINDING_LEGACY_MODE,
                                   "asks for -infinity in SrcB, which Wormhole clears to 0"},
    [NOP_ANOMALY_ONE] = {FINDING_UNDOCUMENTED_MODE, "clears to 1"},
    [NOP_ANOMALY_CONFIGURED_VALUE] = {FINDING_UNDOCUMENTED_MODE,
                                      "clears to the value of its NOP_REG_CLR_VAL"},
    [NOP_ANOMALY_CLEAR_HANDS_OVER] = {FINDING_UNDOCUMENTED_MODE,
                                      "clears a bank and hands it over by bit 6"},
    [NOP_ANOMALY_FORMAT_HANDS_OVER] = {FINDING_UNDOCUMENTED_MODE,
                                       "hands a bank over by Clr_to1_fmt_Ctrl=3, and nothing else"},
    [NOP_ANOMALY_SET_REGISTER] = {FINDING_LEGACY_MODE,
                                  "stores to a register, in order with its L1 reads alone"},
    [NOP_ANOMALY_SELECTION] = {FINDING_UNDOCUMENTED_MODE,
                               "selects a third or fourth register address; the first or second is "
                               "taken"},
    [NOP_ANOMALY_CLEAR_MESSAGE] =
        {FINDING_LEGACY_MODE, "frees a message of a NoC overlay stream, in order with its L1 reads "
                              "alone"},
};

struct form {
    const struct tsr_env *env;
    const struct tsr_inflight *inst;
    struct tsr_unpack_job *job;
    uint32_t read;      // bits of the word that the form has a use for
    uint32_t anomalies; // a bit for each
};

// Of an operand those bits that mean something here, so that they are not reserved.
static uint32_t take(struct form *form, enum tsr_operand_id id, uint32_t bits)
{
    struct tsr_operand_place place = form->env->isa->operand[form->inst->op][id];
    bits &= tsr_mask32(place.width);
    form->read |= bits << place.first_bit;
    return tsr_arg(form->env, form->inst, id) & bits;
}

// Bits that some other form of the instruction would read.
static uint32_t reserved_bits(const struct form *form)
{
    uint32_t own = form->env->isa->used_bits[form->inst->op];
    return form->inst->word & own & ~form->read;
}

static void anomaly(struct form *form, enum nop_anomaly which)
{
    form->anomalies |= 1u << which;
}

// ---------------------------------------------------------------- what both chips have

enum clear_value { CLEAR_TO_0, CLEAR_TO_INFINITY, CLEAR_TO_1, CLEAR_TO_CONFIGURED };

// The field has a datum as SrcA and SrcB store it: sign, mantissa, exponent.
static uint32_t configured_value(const struct form *form)
{
    uint32_t stored =
        tsr_cfg(form->env, tsr_state_id(form->env, form->job->thread),
                tsr_unpack_field_of(form->job->unpacker, UNPACK_FIELD_nop_reg_clr_val));
    return (stored & 1u << 18) | (stored & 0xff) << 10 | (stored >> 8 & 0x3ff);
}

static uint32_t one(struct form *form)
{
    // FP16; BF16 and TF32; integer "8", which lies over FP16 with 16 as its exponent.
    static const uint32_t values[3] = {15 << 10, 127 << 10, 16 << 10 | 1};
    return values[take(form, OPERAND_Clr_to1_fmt_Ctrl, ALL)];
}

static void clear(struct form *form, enum clear_value value, bool both, bool waits_like_unpacr)
{
    bool wormhole = form->env->chip->arch == TSR_WORMHOLE_B0;
    form->job->kind = UNPACK_CLEAR;
    form->job->nop.both = both;
    form->job->nop.waits_like_unpacr = waits_like_unpacr;
    if (both)
        anomaly(form, NOP_ANOMALY_BOTH_BANKS);
    if (value == CLEAR_TO_INFINITY && wormhole && form->job->unpacker == TSR_SRCB) {
        anomaly(form, NOP_ANOMALY_SRCB_INFINITY);
    } else if (value == CLEAR_TO_INFINITY) {
        form->job->nop.value = 0x7ffff;
    } else if (value == CLEAR_TO_1) {
        form->job->nop.value = one(form);
        anomaly(form, NOP_ANOMALY_ONE);
    } else if (value == CLEAR_TO_CONFIGURED) {
        form->job->nop.value = configured_value(form);
        anomaly(form, NOP_ANOMALY_CONFIGURED_VALUE);
    }
}

static void hand_over(struct form *form)
{
    form->job->kind = UNPACK_HAND_OVER;
    form->job->flip = true;
}

static void set_register(struct form *form, bool accumulate, uint32_t select, uint32_t value)
{
    struct tsr_unpack_nop *nop = &form->job->nop;
    form->job->kind = UNPACK_SET_REGISTER;
    nop->accumulate = accumulate;
    nop->select = (uint8_t)(select & 1);
    nop->middle = (uint8_t)take(form, OPERAND_Stream_Id, ALL);
    nop->value = value;
    anomaly(form, NOP_ANOMALY_SET_REGISTER);
    if (select > 1)
        anomaly(form, NOP_ANOMALY_SELECTION);
}

// `stream` counts if `count` is not 0. Addresses: noc_overlay_parameters.h of tt-metal.
static void clear_message(struct form *form, uint32_t count, uint32_t stream)
{
    static const uint32_t msg_data_clear[TSR_ARCH_COUNT] = {22, 266};
    struct tsr_unpack_job *job = form->job;
    if (count == 0)
        stream = tsr_thread_cfg(form->env, job->thread,
                                tsr_unpack_field_of(job->unpacker, UNPACK_FIELD_StreamId));
    job->kind = UNPACK_CLEAR_MESSAGE;
    job->nop.address =
        tsr_stream_register(form->env, stream, msg_data_clear[form->env->chip->arch]);
    job->nop.value = 1;
    anomaly(form, NOP_ANOMALY_CLEAR_MESSAGE);
}

// ---------------------------------------------------------------- Wormhole

// NoOp: three bits of mode; what the next two mean depends on it.
enum {
    NOOP_OVERLAY_CLEAR = 0, // of the configured stream
    NOOP_ZEROSRC = 1,
    NOOP_NOTHING = 2,            // but the cycle that it takes
    NOOP_OVERLAY_CLEAR_LONG = 3, // with a count and a stream
    NOOP_SETREG = 4,
    NOOP_NEGINFSRC = 5,
    NOOP_RESERVED = 6,
    NOOP_SETDVALID = 7,
    NOOP_MODES = 7,
    NOOP_BOTH_BANKS = 1 << 3,        // of a clear
    NOOP_WAITS_LIKE_UNPACR = 1 << 4, // of a clear
    NOOP_ACCUMULATES = 1 << 3,       // of SETREG
    NOOP_COUNT_LOW = 1 << 4          // of what has a count or a value: its lowest bit
};

static uint32_t long_count(struct form *form)
{
    bool low = take(form, OPERAND_NoOp, NOOP_COUNT_LOW);
    return take(form, OPERAND_Msg_Clr_Cnt, ALL) << 1 | low;
}

static void wormhole_clear(struct form *form, enum clear_value value)
{
    enum { HANDS_OVER = 1 << 1 }; // tt-llk: UNP_ZEROSRC_SET_DVALID
    clear(form, value, take(form, OPERAND_NoOp, NOOP_BOTH_BANKS),
          take(form, OPERAND_NoOp, NOOP_WAITS_LIKE_UNPACR));
    if (take(form, OPERAND_Msg_Clr_Cnt, HANDS_OVER)) {
        form->job->flip = true;
        anomaly(form, NOP_ANOMALY_CLEAR_HANDS_OVER);
    }
}

static void decode_wormhole(struct form *form)
{
    form->job->unpacker = (uint8_t)take(form, OPERAND_Unpack_block_selection, ALL);
    switch (take(form, OPERAND_NoOp, NOOP_MODES)) {
    case NOOP_OVERLAY_CLEAR:
        clear_message(form, 0, 0);
        break;
    case NOOP_ZEROSRC:
        wormhole_clear(form, CLEAR_TO_0);
        break;
    case NOOP_OVERLAY_CLEAR_LONG: {
        uint32_t count = long_count(form);
        clear_message(form, count, take(form, OPERAND_Stream_Id, ALL));
        break;
    }
    case NOOP_SETREG: {
        bool accumulate = take(form, OPERAND_NoOp, NOOP_ACCUMULATES);
        set_register(form, accumulate, take(form, OPERAND_AddrSel, ALL), long_count(form));
        break;
    }
    case NOOP_NEGINFSRC:
        wormhole_clear(form, CLEAR_TO_INFINITY);
        break;
    case NOOP_RESERVED:
        anomaly(form, NOP_ANOMALY_RESERVED);
        break;
    case NOOP_SETDVALID:
        hand_over(form);
        break;
    default: // NOOP_NOTHING
        break;
    }
}

// ---------------------------------------------------------------- Blackhole

// Unpack_Pop, the mode.
enum { POP_OVERLAY_CLEAR, POP_CLEAR, POP_NOTHING, POP_LONG };

static void blackhole_clear(struct form *form)
{
    enum clear_value value = (enum clear_value)take(form, OPERAND_Src_ClrVal_Ctrl, ALL);
    clear(form, value, take(form, OPERAND_Bank_Clr_Ctrl, ALL),
          take(form, OPERAND_Stall_Clr_Cntrl, ALL));
    form->job->flip = take(form, OPERAND_Set_Dvalid, 1);
}

// The eleven bits of a count lie over five operands of other forms.
static void blackhole_set_register(struct form *form)
{
    uint32_t value =
        take(form, OPERAND_Bank_Clr_Ctrl, ALL) | take(form, OPERAND_Stall_Clr_Cntrl, ALL) << 1 |
        take(form, OPERAND_Clr_to1_fmt_Ctrl, ALL) << 2 | take(form, OPERAND_Set_Dvalid, ALL) << 4 |
        take(form, OPERAND_Msg_Clr_Cnt, ALL) << 8;
    uint32_t select = take(form, OPERAND_AddrSel, ALL) << 1 | take(form, OPERAND_AddrSelLow, ALL);
    set_register(form, take(form, OPERAND_Src_ClrVal_Ctrl, 2), select, value);
}

// POP_LONG: with bit 2 of the word SETREG; but 7 and nothing else is the page's SETDVALID.
static void blackhole_long(struct form *form)
{
    if (!take(form, OPERAND_Src_ClrVal_Ctrl, 1)) {
        uint32_t count = take(form, OPERAND_Msg_Clr_Cnt, ALL);
        clear_message(form, count, take(form, OPERAND_Stream_Id, ALL));
    } else if (reserved_bits(form)) {
        blackhole_set_register(form);
    } else {
        hand_over(form);
    }
}

static void decode_blackhole(struct form *form)
{
    enum { FORMAT_HANDS_OVER = 3 };
    form->job->unpacker = (uint8_t)take(form, OPERAND_Unpacker_Select, ALL);
    uint32_t pop = take(form, OPERAND_Unpack_Pop, ALL);
    if (pop == POP_LONG) {
        blackhole_long(form);
        return;
    }
    if (tsr_arg(form->env, form->inst, OPERAND_Clr_to1_fmt_Ctrl) == FORMAT_HANDS_OVER) {
        take(form, OPERAND_Clr_to1_fmt_Ctrl, ALL);
        take(form, OPERAND_Src_ClrVal_Ctrl, ALL);
        anomaly(form, NOP_ANOMALY_FORMAT_HANDS_OVER);
        hand_over(form);
    } else if (pop == POP_OVERLAY_CLEAR) {
        clear_message(form, 0, 0);
    } else if (pop == POP_CLEAR) {
        blackhole_clear(form);
    }
}

// ---------------------------------------------------------------- accept

// False: stopped.
static bool report(struct tsr_env *env, const struct tsr_inflight *inst, const struct form *form)
{
    for (unsigned i = 0; i < NOP_ANOMALY_COUNT; i++)
        if ((form->anomalies >> i & 1) &&
            tsr_report(env, anomalies[i].code, inst, NULL, "UNPACR_NOP of unpacker %u %s.",
                       form->job->unpacker, anomalies[i].text) == TSR_HALT)
            return false;
    uint32_t reserved = reserved_bits(form);
    return !reserved ||
           tsr_report(env, FINDING_RESERVED_OPERAND_BITS, inst, NULL,
                      "UNPACR_NOP has bits 0x%06x set, for which this form of it has no "
                      "use.",
                      (unsigned)reserved) != TSR_HALT;
}

static struct form decode(const struct tsr_env *env, struct tsr_inflight *inst)
{
    struct form form = {.env = env, .inst = inst, .job = tsr_unpack_job_of(inst)};
    memset(form.job, 0, sizeof *form.job);
    form.job->thread = inst->thread;
    if (env->chip->arch == TSR_WORMHOLE_B0)
        decode_wormhole(&form);
    else
        decode_blackhole(&form);
    return form;
}

// For a hand-over.
static void sample(const struct tsr_env *env, uint8_t thread, unsigned unpacker, uint8_t *base,
                   uint8_t *format)
{
    *base = (uint8_t)(tsr_thread_cfg(env, thread,
                                     tsr_unpack_field_of(unpacker, UNPACK_FIELD_SRC_SET_Base))
                      << 4);
    *format = 0;
    if (env->chip->implied_formats)
        *format = (uint8_t)tsr_cfg(env, tsr_state_id(env, thread),
                                   tsr_unpack_field_of(unpacker, UNPACK_FIELD_Out_data_format));
}

void tsr_unpack_nop_sample(const struct tsr_env *env, uint8_t thread,
                           struct tsr_unpack_nop_form *form)
{
    form->changes = env->state->config.changes;
    form->thread = thread;
    sample(env, thread, form->unpacker, &form->src_row_base, &form->implied_format);
}

// What `form` says of the job.
static void take_form(const struct tsr_env *env, struct tsr_inflight *inst,
                      struct tsr_unpack_nop_form *form)
{
    struct tsr_unpack_job *job = tsr_unpack_job_of(inst);
    tsr_unpack_nop_update(env, inst->thread, form);
    job->thread = inst->thread;
    job->kind = form->kind;
    job->unpacker = form->unpacker;
    job->flip = form->flip;
    job->nop = form->nop;
    job->src_row_base = form->src_row_base;
    job->implied_format = form->implied_format;
}

// What reads configuration has an anomaly, but for what is sampled. False: there is one.
static bool keep_form(const struct tsr_env *env, const struct form *form)
{
    const struct tsr_unpack_job *job = form->job;
    if (form->anomalies != 0 || reserved_bits(form) != 0)
        return false;
    *tsr_unpack_nop_place(env, form->inst->word) =
        (struct tsr_unpack_nop_form){.word = form->inst->word,
                                     .kind = job->kind,
                                     .unpacker = job->unpacker,
                                     .flip = job->flip,
                                     .nop = job->nop,
                                     .changes = UINT64_MAX};
    return true;
}

struct tsr_unpack_nop_form *tsr_unpack_nop_form_made(struct tsr_env *env, uint32_t word)
{
    struct tsr_inflight inst;
    tsr_inflight_begin(&inst, word, OP_UNPACR_NOP, 0, TSR_UNIT_UNPACKER0);
    const struct form form = decode(env, &inst);
    return keep_form(env, &form) ? tsr_unpack_nop_place(env, word) : NULL;
}

bool tsr_unpack_nop_accept(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct tsr_unpack_nop_form *kept = tsr_unpack_nop_place(env, inst->word);
    if (kept->word == inst->word) {
        take_form(env, inst, kept);
        return true;
    }
    const struct form form = decode(env, inst);
    if (!report(env, inst, &form))
        return false;
    if (keep_form(env, &form))
        take_form(env, inst, kept);
    else
        sample(env, inst->thread, form.job->unpacker, &form.job->src_row_base,
               &form.job->implied_format);
    return true;
}
