// SPDX-License-Identifier: Apache-2.0
// SETDMAREG: half a GPR set to a constant, or up to four GPRs set to what the packers keep of the
// tiles that they wrote. Pages: SETDMAREG_Immediate.md, SETDMAREG_Special.md.
#include "control/scalar_setdmareg.h"

#include "state/report.h"

// Parts of the InputSource, WhichPackers and InputHalfReg that the payload holds.
enum { HALF_BITS = 3, SOURCE_BITS = 4, WHICH_BITS = 4 };

enum input_source {
    SOURCE_SIZES = 0,
    SOURCE_ZERO_FLAGS = 1,
    SOURCE_HEADER = 2, // of packer 0; 3 to 5: of packers 1 to 3
    SOURCE_HISTOGRAM = 6,
    SOURCE_HISTOGRAM_HIGH = 7,
    SOURCE_RESET_SIZES = 8,
    SOURCE_MAX_EXPONENT = 9,
};
enum result_size { RESULT_HALF, RESULT_WORD, RESULT_GROUP, RESULT_HEADER };

// A tile's header as TDMA-RISC's readers see it; the rest is reserved.
enum { HEADER_FORMAT = 16, HEADER_UNCOMPRESSED = 20 };
static const uint32_t header_fields[TSR_GPR_GROUP] = {0x0000ffffu, 0x00ff0000u, 0xffffffffu, 0};

static const enum tsr_field out_format[TSR_PACKERS] = {
    FIELD_THCON_SEC0_REG1_Out_data_format, FIELD_THCON_SEC0_REG8_Out_data_format,
    FIELD_THCON_SEC1_REG1_Out_data_format, FIELD_THCON_SEC1_REG8_Out_data_format};
static const enum tsr_field disable_compression[TSR_PACKERS] = {
    FIELD_THCON_SEC0_REG1_Disable_zero_compress, FIELD_THCON_SEC0_REG8_Disable_zero_compress,
    FIELD_THCON_SEC1_REG1_Disable_zero_compress, FIELD_THCON_SEC1_REG8_Disable_zero_compress};
static const enum tsr_field disable_flags[TSR_PACKERS] = {
    FIELD_THCON_SEC0_REG1_Disable_pack_zero_flags, FIELD_THCON_SEC0_REG8_Disable_pack_zero_flags,
    FIELD_THCON_SEC1_REG1_Disable_pack_zero_flags, FIELD_THCON_SEC1_REG8_Disable_pack_zero_flags};

static void set_half(struct tsr_scalar_job *job, unsigned half, uint32_t value)
{
    unsigned shift = half % 2 * 16;
    job->result = (struct tsr_gpr_write){.value = {value << shift},
                                         .mask = {0xffffu << shift},
                                         .gpr = (uint8_t)(half / 2),
                                         .words = 1};
}

static void sample_configuration(const struct tsr_env *env, const struct tsr_inflight *inst,
                                 struct tsr_scalar_job *job)
{
    int state_id = tsr_state_id(env, inst->thread);
    bool all =
        tsr_cfg(env, state_id, FIELD_THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd) != 0;
    // Blackhole has no bits for one packer each: then the override alone is all of them.
    bool has_bits = env->isa->field[FIELD_THCON_SEC0_REG1_All_pack_disable_zero_compress].width > 0;
    uint32_t of_all =
        has_bits ? tsr_cfg(env, state_id, FIELD_THCON_SEC0_REG1_All_pack_disable_zero_compress)
                 : 0xf;
    for (unsigned i = 0; i < TSR_PACKERS; i++) {
        job->format[i] = (uint8_t)tsr_cfg(env, state_id, out_format[i]);
        uint32_t off = all ? of_all >> i & 1 : tsr_cfg(env, state_id, disable_compression[i]);
        job->uncompressed[i] = (uint8_t)(off | tsr_cfg(env, state_id, disable_flags[i]));
    }
}

bool tsr_scalar_take_constant(const struct tsr_env *env, uint32_t word, struct tsr_scalar_job *job)
{
    const struct tsr_isa *isa = env->isa;
    if (tsr_operand(isa, OP_SETDMAREG, word, OPERAND_SetSignalsMode))
        return false;
    unsigned half = tsr_operand(isa, OP_SETDMAREG, word, OPERAND_RegIndex16b);
    uint32_t high = tsr_operand(isa, OP_SETDMAREG, word, OPERAND_Payload_SigSelSize);
    uint32_t low = tsr_operand(isa, OP_SETDMAREG, word, OPERAND_Payload_SigSel);
    unsigned shift = half % 2 * 16;
    job->constant = true;
    job->early = 0;
    job->gpr = (uint8_t)(half / 2);
    job->value = (high << 14 | low) << shift;
    job->mask = 0xffffu << shift;
    return true;
}

static bool accept_set(struct tsr_env *env, struct tsr_inflight *inst, struct tsr_scalar_job *job)
{
    uint32_t payload = tsr_arg(env, inst, OPERAND_Payload_SigSel);
    uint32_t size = tsr_arg(env, inst, OPERAND_Payload_SigSelSize);
    job->result_half = (uint8_t)tsr_arg(env, inst, OPERAND_RegIndex16b);
    job->input_half = (uint8_t)tsr_bits(payload, 0, HALF_BITS);
    job->source = (uint8_t)tsr_bits(payload, HALF_BITS, SOURCE_BITS);
    job->which = (uint8_t)tsr_bits(payload, HALF_BITS + SOURCE_BITS, WHICH_BITS);
    job->result_size = (uint8_t)size;
    sample_configuration(env, inst, job);
    // Blackhole has one packer; the headers of the others are reserved there.
    unsigned packer = job->source - SOURCE_HEADER;
    if (job->source < SOURCE_HEADER || job->source >= SOURCE_HISTOGRAM ||
        packer < env->chip->packers)
        return true;
    job->tainted = true;
    return tsr_report(env, FINDING_SETDMAREG_PACKER, inst, NULL,
                      "SETDMAREG with InputSource=%u asks for packer %u, and this chip has %u; "
                      "going on gives what a packer has that never packed.",
                      (unsigned)job->source, packer, env->chip->packers) != TSR_HALT;
}

// ---------------------------------------------------------------- what the packers keep

static uint32_t last_size(const struct tsr_packer *packer, unsigned thread)
{
    return packer->last_thread == thread ? packer->last_tile_size : 0;
}

static void read_packers(struct tsr_env *env, const struct tsr_inflight *inst,
                         const struct tsr_scalar_job *job, uint32_t values[TSR_GPR_GROUP])
{
    for (unsigned i = 0; i < TSR_PACKERS; i++) {
        struct tsr_packer *packer = &env->state->packers.packer[i];
        if (job->source == SOURCE_SIZES)
            values[i] = (uint32_t)packer->acc_tile_size[inst->thread] << 16 |
                        last_size(packer, inst->thread);
        else if (job->source == SOURCE_ZERO_FLAGS)
            values[i] = packer->all_zero_flags;
        else if (job->source == SOURCE_RESET_SIZES)
            values[0] |= (packer->all_zero_flags & 1) << i;
        if (job->source == SOURCE_RESET_SIZES && (job->which >> i & 1))
            for (unsigned thread = 0; thread < TSR_THREADS; thread++)
                packer->acc_tile_size[thread] = 0; // decision 21: of all threads, and no more
    }
}

static void read_header(const struct tsr_env *env, const struct tsr_inflight *inst,
                        const struct tsr_scalar_job *job, uint32_t values[TSR_GPR_GROUP])
{
    unsigned i = job->source - SOURCE_HEADER;
    const struct tsr_packer *packer = &env->state->packers.packer[i];
    values[0] = (last_size(packer, inst->thread) + 1) & 0xffffu;
    values[1] = (uint32_t)job->format[i] << HEADER_FORMAT | (uint32_t)job->uncompressed[i]
                                                                << HEADER_UNCOMPRESSED;
    values[2] = packer->all_zero_flags;
}

// Sixteen of a packer's 32 saturating counters, a byte each, or packer 0's largest exponent.
static void read_statistics(const struct tsr_env *env, const struct tsr_scalar_job *job,
                            uint32_t values[TSR_GPR_GROUP])
{
    const struct tsr_packer *packer = env->state->packers.packer;
    if (job->source == SOURCE_MAX_EXPONENT) {
        values[0] = packer[0].max_exponent;
        return;
    }
    const uint8_t *count =
        packer[job->which % TSR_PACKERS].exponent_count + (job->source - SOURCE_HISTOGRAM) * 16;
    for (unsigned i = 0; i < 16; i++)
        values[i / 4] |= (uint32_t)count[i] << (i % 4 * 8);
}

static void place_result(struct tsr_scalar_job *job, const uint32_t values[TSR_GPR_GROUP])
{
    unsigned half = job->result_half, in = job->input_half;
    switch (job->result_size) {
    case RESULT_HALF:
        set_half(job, half, values[in / 2] >> (in % 2 * 16) & 0xffffu);
        break;
    case RESULT_WORD:
        tsr_scalar_result(job, half / 2, values[in / 2], false);
        break;
    default:
        job->result =
            (struct tsr_gpr_write){.gpr = (uint8_t)(half / 2 & 0x3cu), .words = TSR_GPR_GROUP};
        for (unsigned i = 0; i < TSR_GPR_GROUP; i++) {
            job->result.value[i] = values[i];
            job->result.mask[i] =
                job->result_size == RESULT_HEADER ? header_fields[i] : 0xffffffffu;
        }
        break;
    }
}

static tsr_reason execute_set(struct tsr_env *env, struct tsr_inflight *inst,
                              struct tsr_scalar_job *job)
{
    uint32_t values[TSR_GPR_GROUP] = {0}; // sources beyond the last stay zero
    if (job->source >= SOURCE_HEADER && job->source < SOURCE_HISTOGRAM)
        read_header(env, inst, job, values);
    else if (job->source == SOURCE_HISTOGRAM || job->source == SOURCE_HISTOGRAM_HIGH ||
             job->source == SOURCE_MAX_EXPONENT)
        read_statistics(env, job, values);
    else
        read_packers(env, inst, job, values);
    place_result(job, values);
    job->result.tainted = job->tainted;
    return TSR_REASON_NONE;
}

const struct tsr_scalar_steps tsr_scalar_setdmareg = {.accept = accept_set, .execute = execute_set};
