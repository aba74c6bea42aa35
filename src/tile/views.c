// SPDX-License-Identifier: Apache-2.0
// The public functions that show what is in a tile's storages (tsr_view_…). They change nothing.
#include "state/pushes.h"
#include "tile/tile_state.h"

#include "state/dst_rules.h"

#include <string.h>

static const struct tsr_state *state_of(const tsr_tile *tile)
{
    return tile->engine.env.state;
}

tsr_status tsr_view_dst(const tsr_tile *tile, int row, tsr_dst_row *out)
{
    if (!tile || !out || row < 0 || row >= TSR_DST_ROWS)
        return TSR_BAD_ARGUMENT;
    const struct tsr_dst *dst = &state_of(tile)->dst;
    memcpy(out->bits, dst->bits[row], sizeof out->bits);
    out->valid = dst->valid[row];
    out->written = dst->written[row];
    out->tainted = dst->tainted[row];
    return TSR_OK;
}

tsr_status tsr_view_dst_datums(const tsr_tile *tile, bool wide, int row, tsr_dst_datums *out)
{
    if (!tile || !out)
        return TSR_BAD_ARGUMENT;
    const struct tsr_dst *dst = &state_of(tile)->dst;
    unsigned order = tsr_dst_order(&tile->engine.env);
    if (row < 0 || row >= TSR_DST_ROWS / (tsr_dst_folds(order, wide) ? 2 : 1))
        return TSR_BAD_ARGUMENT;
    unsigned high = tsr_dst_place(order, (unsigned)row, wide), low = high + TSR_DST_LOW;
    out->stored = (int)high;
    for (int column = 0; column < 16; column++)
        out->bits[column] = wide ? (uint32_t)dst->bits[high][column] << 16 | dst->bits[low][column]
                                 : dst->bits[high][column];
    out->valid = dst->valid[high];
    out->written = (uint16_t)(dst->written[high] & (wide ? dst->written[low] : 0xffff));
    out->tainted = (uint16_t)(dst->tainted[high] | (wide ? dst->tainted[low] : 0));
    return TSR_OK;
}

tsr_status tsr_view_src(const tsr_tile *tile, int which, int bank, int row, tsr_src_row *out)
{
    if (!tile || !out || (unsigned)which > 1 || (unsigned)bank > 1 || row < 0 ||
        row >= TSR_SRC_ROWS)
        return TSR_BAD_ARGUMENT;
    const struct tsr_src_bank *source = &state_of(tile)->src[which].bank[bank];
    memcpy(out->datum, source->datum[row], sizeof out->datum);
    out->written = source->written[row];
    out->tainted = source->tainted[row];
    return TSR_OK;
}

tsr_status tsr_view_src_banks(const tsr_tile *tile, int which, tsr_src_banks *out)
{
    if (!tile || !out || (unsigned)which > 1)
        return TSR_BAD_ARGUMENT;
    const struct tsr_src *src = &state_of(tile)->src[which];
    for (int bank = 0; bank < 2; bank++) {
        out->matrix_owns[bank] = src->bank[bank].matrix_owns;
        out->implied_format[bank] = src->bank[bank].implied_format;
    }
    out->unpacker_bank = src->unpacker_bank;
    out->matrix_bank = src->matrix_bank;
    return TSR_OK;
}

static tsr_row_writer row_writer(const struct tsr_origin *origin)
{
    tsr_row_writer writer = {.known = origin->kind != TSR_ORIGIN_NONE, .thread = -1, .core = -1};
    if (origin->kind == TSR_ORIGIN_THREAD)
        writer.thread = origin->which;
    if (origin->kind == TSR_ORIGIN_CORE)
        writer.core = origin->which <= TSR_CORE_NC ? origin->which : -1;
    writer.sequence = origin->sequence;
    writer.word = origin->word;
    return writer;
}

tsr_status tsr_view_dst_writer(const tsr_tile *tile, int row, tsr_row_writer *out)
{
    if (!tile || !out || row < 0 || row >= TSR_DST_ROWS)
        return TSR_BAD_ARGUMENT;
    *out = row_writer(&state_of(tile)->dst.writer[row]);
    return TSR_OK;
}

tsr_status tsr_view_src_writer(const tsr_tile *tile, int which, int bank, int row,
                               tsr_row_writer *out)
{
    if (!tile || !out || (unsigned)which > 1 || (unsigned)bank > 1 || row < 0 ||
        row >= TSR_SRC_ROWS)
        return TSR_BAD_ARGUMENT;
    *out = row_writer(&state_of(tile)->src[which].bank[bank].writer[row]);
    return TSR_OK;
}

tsr_status tsr_view_field(const tsr_tile *tile, const char *name, int instance, uint32_t *value,
                          bool *written)
{
    if (!tile || !name || !value)
        return TSR_BAD_ARGUMENT;
    const tsr_field_info *info = tsr_field_find(tile->options.arch, name);
    if (!info)
        return TSR_NOT_FOUND;
    const struct tsr_config *config = &state_of(tile)->config;
    unsigned width = info->width < 32 ? info->width : 32;
    uint32_t mask = tsr_mask32(width) << info->first_bit;
    uint32_t word, shadow;
    if (info->scope == TSR_SCOPE_THREAD) {
        if ((unsigned)instance >= TSR_THREADS)
            return TSR_BAD_ARGUMENT;
        word = config->thread[instance][info->addr32];
        shadow = config->thread_written[instance][info->addr32];
    } else {
        int state_id = info->scope == TSR_SCOPE_BANKED ? instance : 0;
        if ((unsigned)state_id > 1)
            return TSR_BAD_ARGUMENT;
        word = config->bank[state_id][info->addr32];
        shadow = config->bank_written[state_id][info->addr32];
    }
    *value = tsr_bits(word, info->first_bit, width);
    if (written)
        *written = (shadow & mask) == mask;
    return TSR_OK;
}

tsr_status tsr_view_field_writer(const tsr_tile *tile, const char *name, int instance,
                                 tsr_field_writer *out)
{
    if (!tile || !name || !out)
        return TSR_BAD_ARGUMENT;
    enum tsr_field field = tsr_field_id(name);
    if (!tsr_field_find(tile->options.arch, name))
        return TSR_NOT_FOUND;
    const struct tsr_field_place *place = &tile->engine.env.isa->field[field];
    unsigned limit = place->scope == TSR_SCOPE_THREAD ? TSR_THREADS : 2;
    unsigned index = place->scope == TSR_SCOPE_UNBANKED ? 0 : (unsigned)instance;
    if (index >= limit)
        return TSR_BAD_ARGUMENT;
    const struct tsr_config_writer *writer = &state_of(tile)->writers.of[index][field];
    *out = (tsr_field_writer){.known = writer->cycle_plus_1 != 0, .thread = -1, .core = -1};
    if (!out->known)
        return TSR_OK;
    out->cycle = writer->cycle_plus_1 - 1;
    out->sequence = writer->sequence;
    out->word = writer->word;
    if (writer->sequence)
        out->thread = writer->who;
    else if (writer->who >= TSR_AGENT_TENSIX)
        out->thread = writer->who - TSR_AGENT_TENSIX;
    else
        out->core = writer->who <= TSR_CORE_NC ? writer->who : -1;
    return TSR_OK;
}

tsr_status tsr_view_adc(const tsr_tile *tile, int thread, int agent, int channel,
                        tsr_adc_channel *out)
{
    if (!tile || !out || (unsigned)thread >= TSR_THREADS || (unsigned)agent >= TSR_ADC_AGENTS ||
        (unsigned)channel > 1)
        return TSR_BAD_ARGUMENT;
    *out = state_of(tile)->adcs.channel[thread][agent][channel];
    return TSR_OK;
}

tsr_status tsr_view_rwc(const tsr_tile *tile, int thread, tsr_rwc *out)
{
    if (!tile || !out || (unsigned)thread >= TSR_THREADS)
        return TSR_BAD_ARGUMENT;
    *out = state_of(tile)->rwcs.thread[thread];
    return TSR_OK;
}

tsr_status tsr_view_gpr(const tsr_tile *tile, int thread, int index, uint32_t *value, bool *written)
{
    if (!tile || !value || (unsigned)thread >= TSR_THREADS || index < 0 || index >= TSR_GPRS)
        return TSR_BAD_ARGUMENT;
    const struct tsr_gprs *gprs = &state_of(tile)->gprs;
    *value = gprs->value[thread][index];
    if (written)
        *written = gprs->written[thread] >> index & 1;
    return TSR_OK;
}

tsr_status tsr_view_lreg(const tsr_tile *tile, int lreg, tsr_lreg *out)
{
    if (!tile || !out || (unsigned)lreg >= TSR_LREGS)
        return TSR_BAD_ARGUMENT;
    const struct tsr_vector *vector = &state_of(tile)->vector;
    memcpy(out->value, vector->lreg[lreg], sizeof out->value);
    out->written = vector->written[lreg];
    out->tainted = vector->tainted[lreg];
    return TSR_OK;
}

tsr_status tsr_view_lanes(const tsr_tile *tile, tsr_lanes *out)
{
    if (!tile || !out)
        return TSR_BAD_ARGUMENT;
    const struct tsr_vector *vector = &state_of(tile)->vector;
    out->enabled = vector->enabled;
    out->flags = vector->flags;
    out->use_flags = vector->use_flags;
    for (unsigned i = 0; i < TSR_FLAG_STACK; i++) {
        out->stack_flags[i] = vector->stack_flags[i] & vector->depth[i];
        out->stack_use_flags[i] = vector->stack_use[i] & vector->depth[i];
        out->stack_used[i] = vector->depth[i];
    }
    memcpy(out->config, vector->lane_config, sizeof out->config);
    return TSR_OK;
}

tsr_status tsr_view_schedule(const tsr_tile *tile, tsr_schedule_step *out)
{
    if (!tile || !out)
        return TSR_BAD_ARGUMENT;
    if (tile->options.schedule == TSR_SCHEDULE_CARD)
        return TSR_NOT_FOUND;
    *out = tile->engine.schedule.step;
    if (out->thread >= 0 && out->sequence > 0)
        out->pushed = tsr_pushes_find(&tile->engine.env, out->thread, out->sequence,
                                      &out->pushed_core, &out->pushed_pc);
    return TSR_OK;
}

tsr_status tsr_view_semaphore(const tsr_tile *tile, int index, uint8_t *value, uint8_t *max)
{
    if (!tile || !value || !max || index < 0 || index >= TSR_SEMAPHORES)
        return TSR_BAD_ARGUMENT;
    const struct tsr_semaphore *semaphore = &state_of(tile)->sync.semaphore[index];
    *value = semaphore->value;
    *max = semaphore->max;
    return TSR_OK;
}
