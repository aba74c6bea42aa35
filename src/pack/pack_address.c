// SPDX-License-Identifier: Apache-2.0
// Which datums a PACR takes: the input address generator, and the order in which the address
// generators see packers, counters and tile positions. Pages: Packers/InputAddressGenerator.md,
// ADCs.md, PACR.md of each chip.
#include "pack/pack_job.h"

// Whose counters: the thread's own, or another's by configuration (WH) or by the word (BH); 3 means
// thread 0.
unsigned tsr_pack_counters_of(const struct tsr_env *env, const struct tsr_inflight *inst, int s,
                              int config)
{
    const struct pack_operands *operands = tsr_pack_operands(env, inst);
    if (!operands->other_counters)
        return inst->thread;
    uint32_t which = env->chip->pack_interfaces > 1
                         ? operands->counters
                         : tsr_cfg(env, s, tsr_pack_field(config, PACK_FIELD_Addr_cnt_context));
    return which == 3 ? 0 : which;
}

static uint32_t input_address(const struct pack_inputs *inputs, const struct pack_strides *stride,
                              const tsr_adc_channel *adc)
{
    return inputs->base0 + adc->x * stride->x0 + adc->y * stride->y0 + adc->z * stride->z0 +
           adc->w * stride->w0;
}

// The part of X that counts datums within 16 bytes.
static uint32_t fine_mask(uint8_t datum_bytes)
{
    return datum_bytes == 4 ? 0x3 : datum_bytes == 2 ? 0x7 : 0xf;
}

uint16_t tsr_pack_input_start(const struct pack_inputs *inputs, uint8_t datum_bytes,
                              const struct pack_strides *stride, const tsr_adc_channel *adc)
{
    uint32_t x_mask = fine_mask(datum_bytes);
    unsigned shift = datum_bytes >> 1; // 4, 2, 1 bytes
    uint32_t datum = (input_address(inputs, stride, adc) >> shift & ~x_mask) + (adc->x & x_mask);
    return (uint16_t)((datum + ((uint32_t)inputs->rows << 4)) & 0x3fff);
}

// The byte of L1 from which packer 0 reads; the configuration holds the bits above 18.
static uint32_t l1_source(const struct pack_inputs *inputs, const struct pack_part *part,
                          const struct pack_strides *stride, const tsr_adc_channel *adc)
{
    uint32_t low = input_address(inputs, stride, adc) & 0x3fff0u;
    uint8_t bytes = part->shape.input_bytes;
    return (((uint32_t)inputs->l1_source << 18) + low + bytes * (adc->x & fine_mask(bytes))) &
           0x1fffff;
}

// Takes a verdict to the datums. False: the tile stops.
static bool pass(struct pack_part *part, enum tsr_verdict verdict)
{
    part->tainted |= verdict == TSR_GO_TAINTED;
    return verdict != TSR_HALT;
}

// The 32-bit view has 512 rows; those above fold onto them (decision 17). With bit 11 of the debug
// register the 16-bit view is half of it. False: the tile stops.
static bool rows_pass(struct tsr_env *env, const struct tsr_inflight *inst, struct pack_part *part,
                      unsigned order)
{
    bool wide = part->shape.mode.read_32b;
    if (!tsr_dst_folds(order, wide) || part->count == 0)
        return true;
    if (!wide && !pass(part, tsr_report(env, FINDING_LEGACY_MODE, inst, NULL,
                                        "PACR reads Dst in 16 bits, which bit 11 of "
                                        "DBG_FEATURE_DISABLE turns into the high halves of 32-bit "
                                        "datums.")))
        return false;
    for (unsigned i = 0; i < part->segments; i++) {
        unsigned last = (part->start[i] + part->count - 1u) >> 4;
        if (last < TSR_DST_ROWS / 2)
            continue;
        return pass(part, tsr_report(env, FINDING_DST_ROW_RANGE, inst, NULL,
                                     "PACR reads row %u of Dst, which has 512 rows of 32-bit "
                                     "datums.",
                                     last & 0x3ff));
    }
    return true;
}

// What of a part's addresses depends on word and configuration alone. Blackhole's ZeroWrite without
// a selection of interfaces writes any number of whole rows.
void tsr_pack_outline_part(const struct tsr_env *env, const struct tsr_inflight *inst, int s,
                           struct pack_part *part)
{
    const struct pack_operands *operands = tsr_pack_operands(env, inst);
    bool nothing = operands->zero_write || operands->flush;
    bool interfaces = env->chip->pack_interfaces > 1;
    part->source = nothing ? PACK_FROM_NOTHING : part->shape.from_l1 ? PACK_FROM_L1 : PACK_FROM_DST;
    part->counters = (uint8_t)tsr_pack_counters_of(env, inst, s, part->config);
    part->empty = operands->flush || part->shape.nothing;
    part->whole_rows = interfaces && nothing && operands->interfaces == 0;
    part->by_interface = interfaces && part->source != PACK_FROM_L1 && !part->whole_rows;
    const struct pack_shape *shape = &part->shape;
    part->only_rows = part->source == PACK_FROM_DST && !shape->general && !shape->masked &&
                      !shape->block && !shape->accumulate && operands->pad == PACK_PAD_NONE;
    part->by_four = part->by_interface && part->source == PACK_FROM_DST && !part->empty &&
                    !operands->strided && !shape->sets_last_mask &&
                    (operands->interfaces == 0 || operands->interfaces == 0xf);
}

// False: a finding stopped the tile. Going on packs nothing.
static bool count_datums(struct tsr_env *env, const struct tsr_inflight *inst,
                         struct pack_part *part, const tsr_adc_channel *ch0,
                         const tsr_adc_channel *ch1)
{
    part->count = 0;
    if (part->empty)
        return true;
    bool whole_rows = part->whole_rows;
    uint32_t count = ch1->x - ch0->x + 1;
    // A read interface has the rest of its row.
    uint32_t column = part->source == PACK_FROM_DST ? part->start[0] & 15u : 0;
    uint32_t most = part->by_interface ? 16u - column : TSR_DST_ROWS * 16;
    if (ch1->x >= ch0->x && count <= most && !(whole_rows && (ch0->x != 0 || count % 16 != 0))) {
        part->count = (uint16_t)count;
        return true;
    }
    tsr_report(env, FINDING_PACK_X_RANGE, inst, NULL,
               "X counters from %u to %u ask for no sensible number of datums (1 to %u%s).",
               (unsigned)ch0->x, (unsigned)ch1->x, (unsigned)most,
               whole_rows ? ", whole rows from X=0" : "");
    return !env->findings->stopped;
}

// Four whole rows by the four interfaces, as kernels ask for: nothing can be wrong with them.
// False: the datums are others.
static bool find_four_rows(const struct pack_job *job, const struct pack_plan *plan,
                           struct pack_part *part, const tsr_adc_channel adc[2])
{
    if (!part->by_four || adc[0].x != 0 || adc[1].x != 15 ||
        tsr_dst_folds(job->order, part->shape.mode.read_32b))
        return false;
    unsigned first =
        tsr_pack_input_start(&plan->inputs, part->shape.input_bytes, &plan->strides, &adc[0]);
    if (first % (16 * PACK_SEGMENTS) != 0)
        return false;
    for (unsigned k = 0; k < PACK_SEGMENTS; k++)
        part->start[k] = (uint16_t)(first + 16 * k);
    part->count = 16;
    part->segments = PACK_SEGMENTS;
    part->adjacent = true;
    part->at_once = part->only_rows;
    return true;
}

// The datums of a part, and the interfaces that bring them. False: the tile stops.
static bool find_datums(struct tsr_env *env, const struct tsr_inflight *inst,
                        const struct pack_operands *operands, const struct pack_job *job,
                        const struct pack_plan *plan, struct pack_part *part,
                        const tsr_adc_channel adc[2])
{
    const struct pack_inputs *inputs = &plan->inputs;
    part->segments = 1;
    part->start[0] = tsr_pack_input_start(inputs, part->shape.input_bytes, &plan->strides, &adc[0]);
    if (part->source == PACK_FROM_L1)
        part->l1_source = l1_source(inputs, part, &plan->strides, &adc[0]);
    if (!count_datums(env, inst, part, &adc[0], &adc[1]))
        return false;
    if (part->by_interface && part->count) {
        uint32_t mask = tsr_pack_interface_mask(env, operands, job->state_id, part->config,
                                                part->shape.sets_last_mask);
        if (part->source == PACK_FROM_DST &&
            !tsr_pack_check_interfaces(env, inst, operands, part, mask))
            return false;
        part->segments = (uint8_t)tsr_pack_interfaces(operands, mask, part->start[0], part->start);
    }
    unsigned last = part->segments - 1u;
    part->adjacent = part->start[last] == part->start[0] + 16 * last;
    bool whole_rows = (part->start[0] | part->count) % 16 == 0 && (last == 0 || part->count == 16);
    part->at_once = part->only_rows && part->adjacent && whole_rows && part->count > 0;
    return part->source != PACK_FROM_DST || rows_pass(env, inst, part, job->order);
}

// Only what comes from Dst has a place in the tile.
static void step_position(struct tsr_env *env, const struct pack_operands *operands, int s,
                          struct pack_part *part)
{
    struct tsr_packer *packer = &env->state->packers.packer[part->packer];
    struct pack_position at = {packer->x, packer->y, packer->z};
    unsigned planes = 0;
    part->position.x = at.x;
    part->position.y = at.y;
    part->position.z = at.z;
    if (part->source == PACK_FROM_DST && part->count > 0) {
        planes = env->chip->pack_interfaces > 1
                     ? tsr_pack_step_interfaces(&part->shape, &at, part->segments)
                     : tsr_pack_step_datums(&part->shape, &at, part->count);
        packer->x = (uint16_t)at.x;
        packer->y = (uint16_t)at.y;
        packer->z = (uint16_t)at.z;
    }
    if (env->chip->packers == 1)
        tsr_pack_step_context(env, operands, s, planes);
}

bool tsr_pack_address(struct tsr_env *env, struct tsr_inflight *inst,
                      const struct pack_outline *outline, struct pack_job *job)
{
    const struct pack_operands *operands = &outline->operands;
    unsigned threads = 0;
    struct pack_part *const end = job->part + job->parts;
    struct pack_plan *const *plan = outline->plan;
    for (struct pack_part *part = job->part; part < end; part++, plan++) {
        const tsr_adc_channel *adc = env->state->adcs.channel[part->counters][TSR_ADC_PACKERS];
        if (!find_four_rows(job, *plan, part, adc) &&
            !find_datums(env, inst, operands, job, *plan, part, adc))
            return false;
        tsr_pack_place_part(env, part, *plan, &adc[1]);
        threads |= 1u << part->counters;
    }
    for (struct pack_part *part = job->part; part < end; part++)
        step_position(env, operands, job->state_id, part);
    tsr_pack_step_counters(env, inst, operands, threads);
    return true;
}
