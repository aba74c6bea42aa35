// SPDX-License-Identifier: Apache-2.0
// Where a PACR's streams begin in L1, and the counters that it steps: the output address generator.
// Pages: Packers/OutputAddressGenerator.md, ADCs.md.
#include "pack/pack_job.h"

static uint32_t wrap(const struct pack_inputs *inputs, uint32_t address)
{
    return address > inputs->limit ? address - inputs->fifo_size : address;
}

// In 16-byte units.
static uint32_t output_address(const struct tsr_env *env, const struct pack_part *part,
                               const struct pack_plan *plan, const tsr_adc_channel *adc)
{
    const struct pack_inputs *inputs = &plan->inputs;
    const struct pack_strides *stride = &plan->strides;
    uint32_t address = inputs->destination;
    if (part->packer > 0 && inputs->first >> 31)
        address += inputs->first;
    uint32_t yzw = inputs->base1 + adc->y * stride->y1 + adc->z * stride->z1 + adc->w * stride->w1;
    address += env->chip->pack_interfaces > 1 ? yzw >> 4 : yzw & ~15u;
    if (part->shape.add_offset)
        address += env->state->packers.packer[part->packer].l1_dest_offset;
    return wrap(inputs, address);
}

static uint32_t byte_address(uint32_t address)
{
    return (address & 0x1ffff) << 4;
}

// The sections follow each other: row starts, exponents, data. An open stream keeps its place.
void tsr_pack_place_part(struct tsr_env *env, struct pack_part *part, const struct pack_plan *plan,
                         const tsr_adc_channel *adc)
{
    const struct tsr_packer *packer = &env->state->packers.packer[part->packer];
    const struct pack_shape *shape = &part->shape;
    part->fresh_row_starts = shape->compress & !packer->row_starts.placed;
    part->fresh_exponents = shape->small_output & !packer->exponents.placed;
    part->fresh_data = !packer->data.placed;
    if (!(part->fresh_row_starts | part->fresh_exponents | part->fresh_data))
        return;
    uint32_t address = output_address(env, part, plan, adc);
    part->row_start_address = byte_address(address);
    if (shape->compress)
        address += shape->row_start_section;
    part->exponent_address = byte_address(address);
    if (shape->small_output)
        address += shape->exponent_section;
    part->data_address = byte_address(address);
}

// An ADDR_MOD_PACK section is ten fields of one thread word.
struct step {
    uint32_t y_incr, y_cr, y_clear, z_incr, z_clear;
};

static void step_channel(const struct tsr_env *env, tsr_adc_channel *adc, const struct step *step)
{
    uint32_t y_mask = tsr_mask32(TSR_ADC_Y_BITS), z_mask = tsr_mask32(env->chip->adc_zw_bits);
    if (step->y_clear) {
        adc->y = adc->y_cr = 0;
    } else if (step->y_cr) {
        adc->y_cr = (adc->y_cr + step->y_incr) & y_mask;
        adc->y = adc->y_cr;
    } else {
        adc->y = (adc->y + step->y_incr) & y_mask;
    }
    if (step->z_clear)
        adc->z = adc->z_cr = 0;
    else
        adc->z = (adc->z + step->z_incr) & z_mask;
}

// The sections' words follow each other; only indices 0..3 can be named (docs/errata.md).
void tsr_pack_step_counters(struct tsr_env *env, const struct tsr_inflight *inst,
                            const struct pack_operands *operands, unsigned threads)
{
    const struct tsr_field_place *first = &env->isa->field[FIELD_ADDR_MOD_PACK_SEC0_YsrcIncr];
    uint32_t word = env->state->config.thread[inst->thread][first->addr32 + operands->address_mode];
    const struct step source = {tsr_bits(word, 0, 4), tsr_bits(word, 4, 1), tsr_bits(word, 5, 1),
                                tsr_bits(word, 12, 1), tsr_bits(word, 13, 1)};
    const struct step target = {tsr_bits(word, 6, 4), tsr_bits(word, 10, 1), tsr_bits(word, 11, 1),
                                tsr_bits(word, 14, 1), tsr_bits(word, 15, 1)};
    for (unsigned thread = 0; thread < TSR_THREADS; thread++) {
        if (!(threads >> thread & 1))
            continue;
        step_channel(env, &env->state->adcs.channel[thread][TSR_ADC_PACKERS][0], &source);
        step_channel(env, &env->state->adcs.channel[thread][TSR_ADC_PACKERS][1], &target);
    }
}
