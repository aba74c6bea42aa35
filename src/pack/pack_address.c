// SPDX-License-Identifier: Apache-2.0
// Where a PACR reads and writes: the input and output address generators and the counters that they
// step. Pages: Packers/InputAddressGenerator.md, Packers/OutputAddressGenerator.md, ADCs.md,
// PACR.md of each chip.
#include "pack/pack_job.h"

static tsr_adc_channel *channel_of(struct tsr_env *env, unsigned thread, unsigned channel)
{
    return &env->state->adcs.channel[thread][TSR_ADC_PACKERS][channel];
}

// Whose counters: the thread's own, or another's by configuration (WH) or by the word (BH); 3 means
// thread 0.
unsigned tsr_pack_counters_of(const struct tsr_env *env, const struct tsr_flight *flight, int s,
                              int packer)
{
    if (!tsr_arg(env, flight, OPERAND_OvrdThreadId))
        return flight->thread;
    uint32_t which = env->chip->pack_interfaces > 1
                         ? tsr_arg(env, flight, OPERAND_AddrCntContext)
                         : tsr_cfg(env, s, PACKER_FIELD(packer, Addr_cnt_context));
    return which == 3 ? 0 : which;
}

uint16_t tsr_pack_input_start(const struct tsr_env *env, int s, int packer, uint8_t datum_bytes,
                              const struct pack_strides *stride, const tsr_adc_channel *adc)
{
    static const enum tsr_field offset[TSR_PACKERS] = {
        FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, FIELD_DEST_TARGET_REG_CFG_PACK_SEC1_Offset,
        FIELD_DEST_TARGET_REG_CFG_PACK_SEC2_Offset, FIELD_DEST_TARGET_REG_CFG_PACK_SEC3_Offset};
    uint32_t x_mask = datum_bytes == 4 ? 0x3 : datum_bytes == 2 ? 0x7 : 0xf;
    uint32_t address = tsr_cfg(env, s, FIELD_PCK0_ADDR_BASE_REG_0_Base) +
                       adc->x * stride->x0 + adc->y * stride->y0 + adc->z * stride->z0 +
                       adc->w * stride->w0;
    unsigned shift = datum_bytes >> 1; // 4, 2, 1 bytes
    uint32_t datum = ((address >> shift) & ~x_mask) + (adc->x & x_mask);
    return (uint16_t)((datum + (tsr_cfg(env, s, offset[packer]) << 4)) & 0x3fff);
}

static uint32_t first_address(const struct tsr_env *env, int s, int packer, bool header)
{
    return tsr_cfg(env, s, PACKER_FIELD(packer, L1_Dest_addr)) + header;
}

// Limit and size of the circular buffer; which pair serves which packer is a reading of the fields'
// names (docs/errata.md).
static uint32_t wrap(const struct tsr_env *env, int s, int packer, uint32_t address)
{
    static const enum tsr_field limit[TSR_PACKERS] = {
        FIELD_THCON_SEC0_REG9_Pack_0_2_limit_address, FIELD_THCON_SEC0_REG9_Pack_1_3_limit_address,
        FIELD_THCON_SEC1_REG9_Pack_0_2_limit_address, FIELD_THCON_SEC1_REG9_Pack_1_3_limit_address};
    static const enum tsr_field size[TSR_PACKERS] = {
        FIELD_THCON_SEC0_REG9_Pack_0_2_fifo_size, FIELD_THCON_SEC0_REG9_Pack_1_3_fifo_size,
        FIELD_THCON_SEC1_REG9_Pack_0_2_fifo_size, FIELD_THCON_SEC1_REG9_Pack_1_3_fifo_size};
    if (address > tsr_cfg(env, s, limit[packer]) * 2 + 1)
        address -= tsr_cfg(env, s, size[packer]) * 2;
    return address;
}

// In 16-byte units.
static uint32_t output_address(const struct tsr_env *env, int s, const struct pack_part *part,
                               const struct pack_strides *stride, const tsr_adc_channel *adc)
{
    int packer = part->packer;
    uint32_t address = first_address(env, s, packer, part->shape.header);
    if (packer > 0) {
        bool header0 = !tsr_cfg(env, s, FIELD_THCON_SEC0_REG1_Sub_l1_tile_header_size);
        uint32_t first = first_address(env, s, 0, header0);
        if (first >> 31)
            address += first;
    }
    uint32_t yzw = tsr_cfg(env, s, FIELD_PCK0_ADDR_BASE_REG_1_Base) +
                   adc->y * stride->y1 + adc->z * stride->z1 + adc->w * stride->w1;
    address += env->chip->pack_interfaces > 1 ? yzw >> 4 : yzw & ~15u;
    if (part->shape.add_offset)
        address += env->state->packers.packer[packer].l1_dest_offset;
    return wrap(env, s, packer, address);
}

static void place(struct tsr_env *env, int s, struct pack_part *part,
                  const struct pack_strides *stride, const tsr_adc_channel *adc)
{
    const struct tsr_packer *packer = &env->state->packers.packer[part->packer];
    // Where a section goes on, nothing needs an address.
    if (packer->data.placed && (packer->exponents.placed || !part->shape.small_output)) {
        part->fresh_data = part->fresh_exponents = false;
        return;
    }
    uint32_t address = output_address(env, s, part, stride, adc);
    part->fresh_exponents = false;
    if (part->shape.small_output) {
        part->fresh_exponents = !packer->exponents.placed;
        part->exponent_address = (address & 0x1ffff) << 4;
        address += part->shape.exponent_section;
    }
    part->fresh_data = !packer->data.placed;
    part->data_address = (address & 0x1ffff) << 4;
}

// Takes a verdict to the datums. False: the tile stops.
static bool pass(struct pack_part *part, enum tsr_verdict verdict)
{
    part->tainted |= verdict == TSR_GO_TAINTED;
    return verdict != TSR_HALT;
}

// The 32-bit view has 512 rows; those above fold onto them (decision 17). With bit 11 of the debug
// register the 16-bit view is half of it. False: the tile stops.
static bool rows_pass(struct tsr_env *env, const struct tsr_flight *flight, struct pack_part *part,
                      unsigned order)
{
    bool wide = part->shape.mode.read_32b;
    if (!tsr_dst_folds(order, wide) || part->count == 0)
        return true;
    if (!wide && !pass(part, tsr_report(env, FINDING_LEGACY_MODE, flight, NULL,
                                        "PACR reads Dst in 16 bits, which bit 11 of "
                                        "DBG_FEATURE_DISABLE turns into the high halves of 32-bit "
                                        "datums.")))
        return false;
    for (unsigned i = 0; i < part->segments; i++) {
        unsigned last = (part->start[i] + part->count - 1u) >> 4;
        if (last < TSR_DST_ROWS / 2)
            continue;
        return pass(part, tsr_report(env, FINDING_DST_ROW_RANGE, flight, NULL,
                                     "PACR reads row %u of Dst, which has 512 rows of 32-bit "
                                     "datums.", last & 0x3ff));
    }
    return true;
}

static uint32_t interface_mask(const struct tsr_env *env, const struct tsr_flight *flight)
{
    uint32_t mask = tsr_arg(env, flight, OPERAND_ReadIntfSel);
    return mask ? mask : 0xf;
}

// Bit k of the mask reads row StartRow + k, or with DstAccessMode row StartRow + 16 k.
unsigned tsr_pack_interfaces(const struct tsr_env *env, const struct tsr_flight *flight,
                             uint16_t first, uint16_t start[PACK_SEGMENTS])
{
    unsigned row = first >> 4, column = first & 15, segments = 0;
    unsigned step = tsr_arg(env, flight, OPERAND_DstAccessMode) ? 16 : 1;
    uint32_t mask = interface_mask(env, flight);
    for (unsigned k = 0; k < PACK_SEGMENTS; k++)
        if (mask >> k & 1)
            start[segments++] = (uint16_t)(((row + k * step) & 0x3ff) << 4 | column);
    return segments;
}

// The page wants both orders for strides and leaves their interplay with the mask open; what is
// known are the masks 0, 1 and 3. False: the tile stops.
static bool check_strides(struct tsr_env *env, const struct tsr_flight *flight,
                          struct pack_part *part)
{
    uint32_t mask = interface_mask(env, flight);
    bool remap = tsr_cfg(env, 0, FIELD_DEST_ACCESS_CFG_remap_addrs);
    bool swizzle = tsr_cfg(env, 0, FIELD_DEST_ACCESS_CFG_swizzle_32b);
    if (remap && swizzle && (mask == 0xf || mask == 1 || mask == 3))
        return true;
    struct tsr_cited cited = {
        0, 2, {FIELD_DEST_ACCESS_CFG_remap_addrs, FIELD_DEST_ACCESS_CFG_swizzle_32b}};
    return pass(part, tsr_report(env, FINDING_UNDOCUMENTED_MODE, flight, &cited,
                                 "PACR with DstAccessMode and read interfaces 0x%x; known are the "
                                 "masks 0, 1 and 3 with remap_addrs and swizzle_32b set.",
                                 (unsigned)mask));
}

// A mask that leaves the aligned group of four rows is undefined, and going on reads on behind it
// (docs/errata.md). False: the tile stops.
static bool check_interfaces(struct tsr_env *env, const struct tsr_flight *flight,
                             struct pack_part *part, unsigned row)
{
    uint32_t mask = interface_mask(env, flight);
    if (tsr_arg(env, flight, OPERAND_DstAccessMode))
        return check_strides(env, flight, part);
    return mask << (row & 3) <= 0xf ||
           pass(part, tsr_report(env, FINDING_PACK_INTERFACE_MASK, flight, NULL,
                                 "Read interfaces 0x%x from Dst row %u leave the group of four "
                                 "rows.", (unsigned)mask, row));
}

static bool count_datums(struct tsr_env *env, const struct tsr_flight *flight,
                         struct pack_part *part, const tsr_adc_channel *ch0,
                         const tsr_adc_channel *ch1)
{
    bool interfaces = env->chip->pack_interfaces > 1;
    part->count = 0;
    if (tsr_arg(env, flight, OPERAND_Flush) || part->shape.nothing)
        return true;
    uint32_t count = ch1->x - ch0->x + 1;
    // A read interface has the rest of its row.
    uint32_t most = interfaces ? 16u - (part->start[0] & 15u) : 1024 * 16;
    if (ch1->x < ch0->x || count > most) {
        tsr_report(env, FINDING_PACK_X_RANGE, flight, NULL,
                   "X counters from %u to %u ask for no sensible number of datums (1 to %u).",
                   (unsigned)ch0->x, (unsigned)ch1->x, (unsigned)most);
        // Going on packs nothing.
        return !env->findings->stopped;
    }
    if (part->shape.block && count % 16 != 0) {
        tsr_report(env, FINDING_UNIMPLEMENTED_MODE, flight, NULL,
                   "PACR of %u datums to a block format is unimplemented: not a multiple of 16.",
                   (unsigned)count);
        return !env->findings->stopped;
    }
    part->count = (uint16_t)count;
    return true;
}

bool tsr_pack_address(struct tsr_env *env, struct tsr_flight *flight, struct pack_job *job)
{
    bool advance[TSR_THREADS] = {false};
    for (unsigned p = 0; p < job->parts; p++) {
        struct pack_part *part = &job->part[p];
        unsigned thread = tsr_pack_counters_of(env, flight, job->state_id, part->packer);
        const tsr_adc_channel *ch0 = channel_of(env, thread, 0), *ch1 = channel_of(env, thread, 1);
        const struct pack_strides *stride =
            &env->pack_plans->plan[job->state_id][part->packer].strides;
        uint16_t start = tsr_pack_input_start(env, job->state_id, part->packer,
                                              part->shape.input_bytes, stride, ch0);
        part->segments = 1;
        part->start[0] = start;
        if (!count_datums(env, flight, part, ch0, ch1))
            return false;
        if (env->chip->pack_interfaces > 1 && part->count) {
            if (!check_interfaces(env, flight, part, start >> 4))
                return false;
            part->segments = (uint8_t)tsr_pack_interfaces(env, flight, start, part->start);
        }
        if (!rows_pass(env, flight, part, job->order))
            return false;
        place(env, job->state_id, part, stride, ch1);
        advance[thread] = true;
    }
    tsr_pack_step_counters(env, flight, advance);
    return true;
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
void tsr_pack_step_counters(struct tsr_env *env, const struct tsr_flight *flight,
                            const bool advance[TSR_THREADS])
{
    const struct tsr_field_place *first = &env->isa->field[FIELD_ADDR_MOD_PACK_SEC0_YsrcIncr];
    uint32_t word = env->state->config.thread[flight->thread]
                        [first->addr32 + tsr_arg(env, flight, OPERAND_AddrMode)];
    const struct step source = {tsr_bits(word, 0, 4), tsr_bits(word, 4, 1), tsr_bits(word, 5, 1),
                                tsr_bits(word, 12, 1), tsr_bits(word, 13, 1)};
    const struct step target = {tsr_bits(word, 6, 4), tsr_bits(word, 10, 1), tsr_bits(word, 11, 1),
                                tsr_bits(word, 14, 1), tsr_bits(word, 15, 1)};
    for (unsigned thread = 0; thread < TSR_THREADS; thread++) {
        if (!advance[thread])
            continue;
        step_channel(env, channel_of(env, thread, 0), &source);
        step_channel(env, channel_of(env, thread, 1), &target);
    }
}
