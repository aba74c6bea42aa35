// SPDX-License-Identifier: Apache-2.0
// Which datums a PACR takes and where in L1 they go: the address generators, packer by packer; then
// the steps of tile positions, streams and counters. Which edge mask a position selects is in
// pack_edge_masking.c.
// Pages: Packers/InputAddressGenerator.md, Packers/OutputAddressGenerator.md, ADCs.md, PACR.md of
// each chip.
#include "pack/pack_address.h"

#include "isa/unit_fields.h"
#include "pack/pack_interfaces.h"
#include "pack/pack_report.h"

// ---------------------------------------------------------------- input address

uint32_t tsr_pack_input_address(const struct tsr_pack_inputs *inputs,
                                const struct tsr_pack_strides *stride, const tsr_adc_channel *adc)
{
    return inputs->base0 + adc->x * stride->x0 + adc->y * stride->y0 + adc->z * stride->z0 +
           adc->w * stride->w0;
}

// The part of X that counts datums within 16 bytes.
static uint32_t fine_mask(uint8_t datum_bytes)
{
    return 0xfu >> (datum_bytes >> 1); // 4, 2, 1 bytes
}

uint16_t tsr_pack_input_start(const struct tsr_pack_inputs *inputs, uint8_t datum_bytes,
                              const struct tsr_pack_strides *stride, const tsr_adc_channel *adc)
{
    uint32_t x_mask = fine_mask(datum_bytes);
    unsigned shift = datum_bytes >> 1; // 4, 2, 1 bytes
    uint32_t datum =
        (tsr_pack_input_address(inputs, stride, adc) >> shift & ~x_mask) + (adc->x & x_mask);
    return (uint16_t)((datum + ((uint32_t)inputs->rows << 4)) & 0x3fff);
}

// The byte of L1 from which packer 0 reads; the configuration holds the bits above 18.
static uint32_t l1_source(const struct tsr_pack_inputs *inputs, uint8_t datum_bytes,
                          const struct tsr_pack_strides *stride, const tsr_adc_channel *adc)
{
    uint32_t low = tsr_pack_input_address(inputs, stride, adc) & 0x3fff0u;
    return (((uint32_t)inputs->l1_source << 18) + low +
            datum_bytes * (adc->x & fine_mask(datum_bytes))) &
           0x1fffff;
}

unsigned tsr_pack_four_rows(const struct tsr_pack_plan *plan, const struct tsr_pack_part *part,
                            const tsr_adc_channel adc[2])
{
    unsigned first =
        tsr_pack_input_start(plan->inputs, part->config.input_bytes, &plan->strides, &adc[0]);
    bool whole = adc[0].x == 0 && adc[1].x == 15 && first % (16 * TSR_PACK_SEGMENTS) == 0;
    return whole ? first / 16 : TSR_DST_ROWS;
}

// Four whole rows by the four interfaces, the common case, in which there is no anomaly. False: it
// is another.
static bool find_four_rows(const struct tsr_pack_job *job, const struct tsr_pack_plan *plan,
                           struct tsr_pack_part *part, const tsr_adc_channel adc[2])
{
    if (!part->all_interfaces || tsr_dst_folds(job->dst_order, part->config.mode.read_32b))
        return false;
    unsigned row = tsr_pack_four_rows(plan, part, adc);
    if (row >= TSR_DST_ROWS)
        return false;
    for (unsigned k = 0; k < TSR_PACK_SEGMENTS; k++)
        part->start[k] = (uint16_t)(16 * (row + k));
    part->count = 16;
    part->segments = TSR_PACK_SEGMENTS;
    part->contiguous_rows = true;
    return true;
}

// A read interface has the rest of its row.
static uint32_t most_datums(const struct tsr_pack_part *part)
{
    uint32_t column = part->source == TSR_PACK_FROM_DST ? part->start[0] & 15u : 0;
    return part->by_interface ? 16u - column : TSR_DST_ROWS * 16;
}

// The 32-bit view has 512 rows; those above fold onto them (decision 17). 0: it reads none of them.
static unsigned folded_row(const struct tsr_pack_part *part)
{
    for (unsigned i = 0; i < part->segments; i++) {
        unsigned last = (part->start[i] + part->count - 1u) >> 4;
        if (last >= TSR_DST_ROWS / 2)
            return last;
    }
    return 0;
}

// False: a finding stopped the tile.
static bool report_datums(struct tsr_env *env, const struct tsr_inflight *inst,
                          const struct tsr_pack_operands *operands, int state_id, uint16_t first,
                          const tsr_adc_channel adc[2], tsr_pack_anomalies anomalies,
                          struct tsr_pack_part *part)
{
    struct tsr_pack_subject about = {
        .state_id = state_id,
        .first_x = adc[0].x,
        .last_x = adc[1].x,
        .most_datums = most_datums(part),
        .whole_rows = part->whole_rows,
        .interfaces = tsr_pack_interface_mask(env, operands, state_id, part->config_of,
                                              part->config.sets_last_mask),
        .row = first >> 4,
        .last_row = folded_row(part) & 0x3ff};
    enum tsr_verdict verdict = tsr_pack_report(env, inst, &about, anomalies);
    part->tainted |= verdict == TSR_GO_TAINTED;
    return verdict != TSR_HALT;
}

// The datums of a part, and the interfaces that bring them: none if the X counters are out of
// range. False: a finding stopped the tile.
static bool find_datums(struct tsr_env *env, const struct tsr_inflight *inst,
                        const struct tsr_pack_operands *operands, const struct tsr_pack_job *job,
                        const struct tsr_pack_plan *plan, struct tsr_pack_part *part,
                        const tsr_adc_channel adc[2])
{
    const struct tsr_pack_inputs *inputs = plan->inputs;
    uint8_t bytes = part->config.input_bytes;
    bool from_dst = part->source == TSR_PACK_FROM_DST, wide = part->config.mode.read_32b;
    uint16_t first = tsr_pack_input_start(inputs, bytes, &plan->strides, &adc[0]);
    tsr_pack_anomalies anomalies = 0;
    part->segments = 1;
    part->start[0] = first;
    part->count = 0;
    if (part->source == TSR_PACK_FROM_L1)
        part->l1_source = l1_source(inputs, bytes, &plan->strides, &adc[0]);

    uint32_t count = adc[1].x - adc[0].x + 1;
    bool sensible = adc[1].x >= adc[0].x && count <= most_datums(part) &&
                    !(part->whole_rows && (adc[0].x != 0 || count % 16 != 0));
    if (sensible && !part->empty)
        part->count = (uint16_t)count;
    if (!sensible && !part->empty)
        anomalies |= TSR_PACK_ANOMALY(X_RANGE);
    if (part->by_interface && part->count) {
        uint32_t mask = tsr_pack_interface_mask(env, operands, job->state_id, part->config_of,
                                                part->config.sets_last_mask);
        if (from_dst)
            anomalies |= tsr_pack_interface_anomalies(env, operands, mask, first >> 4);
        part->segments = (uint8_t)tsr_pack_interface_starts(operands, mask, first, part->start);
    }
    unsigned last = part->segments - 1u;
    part->contiguous_rows = part->count > 0 && (part->start[0] | part->count) % 16 == 0 &&
                            (last == 0 || part->count == 16) &&
                            part->start[last] == part->start[0] + 16 * last;
    // With bit 11 of the debug register the 16-bit view is half of the 32-bit view.
    if (from_dst && part->count && tsr_dst_folds(job->dst_order, wide)) {
        if (!wide)
            anomalies |= TSR_PACK_ANOMALY(DST_HIGH_HALVES);
        if (folded_row(part) != 0)
            anomalies |= TSR_PACK_ANOMALY(DST_ROW);
    }
    return anomalies == 0 ||
           report_datums(env, inst, operands, job->state_id, first, adc, anomalies, part);
}

// ---------------------------------------------------------------- output address

// The sections follow each other: row starts, exponents, data. A stream that has an address
// continues.
void tsr_pack_find_sections(const struct tsr_env *env, struct tsr_pack_part *part,
                            const struct tsr_pack_plan *plan, const tsr_adc_channel *adc)
{
    const struct tsr_packer *packer = &env->state->packers.packer[part->packer];
    const struct tsr_pack_config *config = &part->config;
    part->new_row_start_address = config->compress & !packer->row_starts.has_address;
    part->new_exponent_address = config->has_exponent_section & !packer->exponents.has_address;
    part->new_data_address = !packer->data.has_address;
    if (!(part->new_row_start_address | part->new_exponent_address | part->new_data_address))
        return;
    uint32_t offset = tsr_pack_output_offset(env, tsr_pack_output_sum(plan, adc));
    uint32_t address = tsr_pack_output_address(packer, plan->inputs, config->add_l1_offset, offset);
    part->row_start_address = tsr_pack_byte_address(address);
    if (config->compress)
        address += config->row_start_section;
    part->exponent_address = tsr_pack_byte_address(address);
    if (config->has_exponent_section)
        address += config->exponent_section;
    part->data_address = tsr_pack_byte_address(address);
}

// The section that begins gets another mask than it would where the last one ended. False: a
// finding stopped the tile.
static bool check_position(struct tsr_env *env, const struct tsr_inflight *inst,
                           const struct tsr_pack_job *job, struct tsr_pack_part *part)
{
    const struct tsr_packer *packer = &env->state->packers.packer[part->packer];
    const struct tsr_pack_position end = {packer->x, packer->y, packer->z};
    if (!part->config.edges.masked || !part->new_data_address || part->count == 0 ||
        part->source != TSR_PACK_FROM_DST || !tsr_pack_position_matters(&part->config.edges, &end))
        return true;
    struct tsr_pack_subject about = {
        .state_id = job->state_id, .packer = part->packer, .position = end};
    enum tsr_verdict verdict = tsr_pack_report(env, inst, &about, TSR_PACK_ANOMALY(POSITION));
    return verdict != TSR_HALT;
}

// Of an address at which something will be written. False: a finding stopped the tile.
static bool check_alignment(struct tsr_env *env, const struct tsr_inflight *inst,
                            const struct tsr_pack_job *job, const struct tsr_pack_plan *plan,
                            struct tsr_pack_part *part, const tsr_adc_channel *adc)
{
    uint32_t sum = tsr_pack_output_sum(plan, adc);
    bool begins = part->new_row_start_address | part->new_exponent_address | part->new_data_address;
    if (tsr_pack_is_aligned(sum) || !begins || (part->count == 0 && job->closes))
        return true;
    struct tsr_pack_subject about = {.state_id = job->state_id, .address = sum};
    enum tsr_verdict verdict = tsr_pack_report(env, inst, &about, TSR_PACK_ANOMALY(ALIGNMENT));
    part->tainted |= verdict == TSR_GO_TAINTED;
    return verdict != TSR_HALT;
}

// ---------------------------------------------------------------- steps

void tsr_pack_keep_addresses(const struct tsr_pack_job *job, const struct tsr_pack_part *part,
                             struct tsr_packer *packer)
{
    packer->data.has_address = true;
    packer->exponents.has_address |= part->config.has_exponent_section;
    packer->row_starts.has_address |= part->config.compress;
    if (job->closes)
        tsr_pack_release_addresses(packer);
}

__attribute__((noinline)) bool tsr_pack_look_idle(struct tsr_env *env, unsigned packers)
{
    for (unsigned p = 0; p < TSR_PACKERS; p++) {
        const struct tsr_packer *packer = &env->state->packers.packer[p];
        bool begins = !(packer->data.has_address | packer->exponents.has_address |
                        packer->row_starts.has_address);
        if (packers >> p & 1 && !(begins && tsr_pack_holds_nothing(packer)))
            return false;
    }
    env->pack_plans->idle |= (uint8_t)packers;
    return true;
}

// The context moves on after the last PACR of a tile, or after so many planes. After the last
// context it starts again at 0, or stays.
static void step_context(struct tsr_env *env, const struct tsr_pack_operands *operands,
                         int state_id, unsigned planes)
{
    struct tsr_packers *packers = &env->state->packers;
    if (!operands->tracks_context)
        return;
    uint32_t limit =
        tsr_pack_cfg(env, state_id, packers->context, PACK_FIELD_auto_ctxt_inc_xys_cnt);
    uint32_t passed = packers->planes + planes;
    packers->planes = (uint8_t)(passed < 0xff ? passed : 0xff);
    if (limit ? packers->planes < limit : !operands->last)
        return;
    packers->planes = 0;
    if (packers->context < TSR_PACKERS - 1)
        packers->context++;
    else if (operands->context_wraps)
        packers->context = 0;
}

// Only what comes from Dst has a place in the tile.
static void step_position(struct tsr_env *env, const struct tsr_pack_operands *operands,
                          int state_id, struct tsr_pack_part *part)
{
    struct tsr_packer *packer = &env->state->packers.packer[part->packer];
    tsr_pack_begin_position(packer);
    struct tsr_pack_position at = {packer->x, packer->y, packer->z};
    unsigned planes = 0;
    part->position.x = at.x;
    part->position.y = at.y;
    part->position.z = at.z;
    if (part->source == TSR_PACK_FROM_DST && part->count > 0) {
        const struct tsr_pack_edges *edges = &part->config.edges;
        planes = env->chip->pack_interfaces > 1
                     ? tsr_pack_step_interfaces(edges, &at, part->segments)
                     : tsr_pack_step_datums(edges, &at, part->count);
        packer->x = (uint16_t)at.x;
        packer->y = (uint16_t)at.y;
        packer->z = (uint16_t)at.z;
    }
    if (env->chip->packers == 1)
        step_context(env, operands, state_id, planes);
}

// An ADDR_MOD_PACK section is ten fields of one thread word: of each channel Y's increment, CR and
// Clear, and Z's increment and Clear.
static inline void step_channel(const struct tsr_env *env, tsr_adc_channel *adc, uint32_t y,
                                uint32_t z)
{
    enum { INCREMENT = 0xf, CR = 1 << 4, CLEAR = 1 << 5, Z_INCREMENT = 1, Z_CLEAR = 2 };
    uint32_t y_mask = tsr_mask32(TSR_ADC_Y_BITS), z_mask = tsr_mask32(env->chip->adc_zw_bits);
    if (y & CLEAR) {
        adc->y = adc->y_cr = 0;
    } else if (y & CR) {
        adc->y_cr = (adc->y_cr + (y & INCREMENT)) & y_mask;
        adc->y = adc->y_cr;
    } else {
        adc->y = (adc->y + (y & INCREMENT)) & y_mask;
    }
    if (z & Z_CLEAR)
        adc->z = adc->z_cr = 0;
    else if (z & Z_INCREMENT)
        adc->z = (adc->z + 1) & z_mask;
}

// The sections' words follow each other; only indices 0..3 can be named (docs/errata.md).
const uint16_t *tsr_pack_address_modes(const struct tsr_env *env, unsigned thread)
{
    const struct tsr_field_place *first = &env->isa->field[FIELD_ADDR_MOD_PACK_SEC0_YsrcIncr];
    return env->state->config.thread[thread] + first->addr32;
}

void tsr_pack_step_channels(const struct tsr_env *env, uint32_t mode, tsr_adc_channel adc[2])
{
    step_channel(env, &adc[0], mode, mode >> 12);
    step_channel(env, &adc[1], mode >> 6, mode >> 14);
}

void tsr_pack_step_counters(struct tsr_env *env, unsigned of, unsigned address_mode,
                            unsigned threads)
{
    uint32_t mode = tsr_pack_address_modes(env, of)[address_mode];
    for (unsigned thread = 0; thread < TSR_THREADS; thread++)
        if (threads >> thread & 1)
            tsr_pack_step_channels(env, mode, env->state->adcs.channel[thread][TSR_ADC_PACKERS]);
}

// ---------------------------------------------------------------- all of it

bool tsr_pack_address(struct tsr_env *env, const struct tsr_inflight *inst,
                      const struct tsr_pack_operands *operands, struct tsr_pack_plan *const *plan,
                      struct tsr_pack_job *job)
{
    struct tsr_pack_part *const end = job->part + job->parts;
    unsigned threads = 0;
    for (struct tsr_pack_part *part = job->part; part < end; part++, plan++) {
        const tsr_adc_channel *adc = env->state->adcs.channel[part->counters][TSR_ADC_PACKERS];
        if (!find_four_rows(job, *plan, part, adc) &&
            !find_datums(env, inst, operands, job, *plan, part, adc))
            return false;
        tsr_pack_find_sections(env, part, *plan, &adc[1]);
        if (!check_position(env, inst, job, part) ||
            !check_alignment(env, inst, job, *plan, part, &adc[1]))
            return false;
        threads |= 1u << part->counters;
    }
    for (struct tsr_pack_part *part = job->part; part < end; part++) {
        step_position(env, operands, job->state_id, part);
        tsr_pack_keep_addresses(job, part, &env->state->packers.packer[part->packer]);
    }
    tsr_pack_step_counters(env, inst->thread, operands->address_mode, threads);
    return true;
}
