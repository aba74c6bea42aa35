// SPDX-License-Identifier: Apache-2.0
// Fields by name, each storage separately: nothing of the unpackers' own code is used.
// Pages: as unpacr_model.h.
#include "oracle/unpacr_tile.h"

#include "rig/tile_rig.h"

struct place {
    unsigned field;
    enum tsr_field tile[2];
};

static const struct place places[] = {
#define MAP_SEC(field, name) {field, {FIELD_THCON_SEC0_##name, FIELD_THCON_SEC1_##name}},
#define MAP_UNP(field, name) {field, {FIELD_UNP0_##name, FIELD_UNP1_##name}},
#define MAP_TWO(field, first, second) {field, {first, second}},
#include "oracle/unpacr_fields.h"
#undef MAP_SEC
#undef MAP_UNP
#undef MAP_TWO
};

static const enum tsr_field thread_places[T_COUNT] = {
    [T_STATE_ID] = FIELD_CFG_STATE_ID_StateID,
    [T_OFFSET0] = FIELD_UNPACK_MISC_CFG_CfgContextOffset_0,
    [T_OFFSET1] = FIELD_UNPACK_MISC_CFG_CfgContextOffset_1,
    [T_SRCA_BASE] = FIELD_SRCA_SET_Base,
    [T_SRCA_OVRD] = FIELD_SRCA_SET_SetOvrdWithAddr,
    [T_SRCB_BASE] = FIELD_SRCB_SET_Base};

static const enum tsr_field global_places[G_COUNT] = {
    [G_REMAP] = FIELD_DEST_ACCESS_CFG_remap_addrs, [G_SWIZZLE] = FIELD_DEST_ACCESS_CFG_swizzle_32b};

enum { PLACES = sizeof places / sizeof *places };

bool unpacr_tile_open(struct unpacr_tile *t, bool blackhole, bool timing, bool reference)
{
    tsr_options options = tsr_options_default(blackhole ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0);
    memset(t, 0, sizeof *t);
    options.timing = t->timing = timing;
    options.kernels = reference ? "reference" : NULL;
    if (tsr_tile_create(&options, &t->tile) != TSR_OK)
        return false;
    // Datums may get lost on silicon; what moves is the same.
    tsr_tile_set_policy(t->tile, "srca-burst", TSR_ACTION_RECORD);
    tsr_l1_mark_written(t->tile, 0, tsr_l1_size(options.arch));
    return true;
}

void unpacr_tile_close(struct unpacr_tile *t)
{
    tsr_tile_destroy(t->tile);
    t->tile = NULL;
}

static void set(struct unpacr_tile *t, int instance, enum tsr_field field, uint32_t *known,
                uint32_t value)
{
    if (*known == value)
        return;
    const struct tsr_field_place *place = &tile_env(t->tile)->isa->field[field];
    if (field == FIELD_COUNT || place->width == 0 || value > tsr_mask32(place->width))
        fail_msg("%s cannot be %u", field == FIELD_COUNT ? "a field" : tsr_field_name(field),
                 value);
    tile_field(t->tile, instance, field, value);
    *known = value;
}

static void put_counters(struct unpacr_tile *t, const struct unpacr_model *m)
{
    struct tsr_state *state = tile_state(t->tile);
    for (int i = 0; i < 12; i++) {
        const struct unpacr_adc *from = &m->adc[i / 4][i / 2 % 2][i % 2];
        tsr_adc_channel *to = &state->adcs.channel[i / 4][i / 2 % 2][i % 2];
        to->x = from->x;
        to->y = from->y;
        to->z = from->z;
        to->w = from->w;
    }
}

void unpacr_tile_configure(struct unpacr_tile *t, const struct unpacr_model *m)
{
    for (int bank = 0; bank < 2; bank++)
        for (int u = 0; u < 2; u++)
            for (unsigned i = 0; i < PLACES; i++) {
                unsigned field = places[i].field;
                set(t, bank, places[i].tile[u], &t->config[bank][u][field],
                    m->config[bank][u][field]);
            }
    for (int thread = 0; thread < 3; thread++)
        for (int i = 0; i < T_COUNT; i++)
            set(t, thread, thread_places[i], &t->thread[thread][i], m->thread[thread][i]);
    for (int i = 0; i < G_COUNT; i++)
        set(t, 0, global_places[i], &t->global[i], m->global[i]);
    put_counters(t, m);
}

void unpacr_tile_l1(struct unpacr_tile *t, const struct unpacr_model *m, uint32_t address,
                    uint32_t size)
{
    assert_int_equal(tsr_l1_write(t->tile, address, m->l1 + address, size), TSR_OK);
}

// Sign, exponent, mantissa from sign, mantissa, exponent.
static uint32_t in_tile_order(uint32_t datum)
{
    return (datum & 0x40000) | (datum & 0xff) << 10 | (datum >> 8 & 0x3ff);
}

void unpacr_tile_load(struct unpacr_tile *t, const struct unpacr_model *m)
{
    struct tsr_state *state = tile_state(t->tile);
    unpacr_tile_configure(t, m);
    unpacr_tile_l1(t, m, 0, m->l1_size);
    for (int side = 0; side < 2; side++) {
        struct tsr_src *src = &state->src[side];
        src->unpacker_bank = m->src_bank[side];
        src->matrix_bank = m->matrix_bank[side];
        for (int bank = 0; bank < 2; bank++) {
            src->bank[bank].matrix_owns = m->matrix_owns[side][bank];
            src->bank[bank].implied_format = m->implied[side][bank];
            for (int i = 0; i < 64 * 16; i++)
                src->bank[bank].datum[i / 16][i % 16] =
                    in_tile_order(m->src[side][bank][i / 16][i % 16]);
            memset(src->bank[bank].written, 0xff, sizeof src->bank[bank].written);
        }
        memcpy(state->unpacker[side].src_row, m->src_row[side], 3);
        memcpy(state->unpacker[side].context_counter, m->context_counter[side], 3);
    }
    memcpy(state->dst.bits, m->dst, sizeof m->dst);
    memset(state->dst.written, 0xff, sizeof state->dst.written);
}

uint32_t unpacr_tile_word(const struct unpacr_tile *t, const struct unpacr_word *w)
{
    const struct tsr_operand_place *place = tile_env(t->tile)->isa->operand[OP_UNPACR];
    uint32_t steps = (uint32_t)w->ch1_y << 6 | w->ch1_z << 4 | w->ch0_y << 2 | w->ch0_z;
    uint32_t word = 0x42u << 24 | (uint32_t)w->unpacker
                                      << place[OPERAND_Unpack_block_selection].first_bit;
    if (w->count_only)
        return word | 1u << place[OPERAND_CfgContextCntInc].first_bit;
    word |= (uint32_t)w->multi << place[OPERAND_OvrdThreadId].first_bit;
    if (w->cache_flush)
        return word | 1u << place[OPERAND_SearchCacheFlush].first_bit;
    return word | steps << place[OPERAND_AddrMode].first_bit |
           (uint32_t)w->context << place[OPERAND_CfgContextId].first_bit |
           (uint32_t)w->adc << place[OPERAND_AddrCntContextId].first_bit |
           (uint32_t)w->flip << place[OPERAND_SetDatValid].first_bit |
           (uint32_t)w->all_zero << place[OPERAND_ZeroWrite2].first_bit |
           (uint32_t)w->use_counter << place[OPERAND_AutoIncContextID].first_bit |
           (uint32_t)w->row_search << place[OPERAND_RowSearch].first_bit;
}

void unpacr_tile_release_bank(struct unpacr_tile *t, int thread, int side)
{
    tile_push(t->tile, thread, side ? "CLEARDVALID cleardvalid=2" : "CLEARDVALID cleardvalid=1");
}

void unpacr_tile_push(struct unpacr_tile *t, const struct unpacr_case *c)
{
    for (unsigned i = 0; i < c->count; i++)
        tile_push_word(t->tile, c->thread, unpacr_tile_word(t, &c->word[i]));
}

const char *unpacr_tile_run(struct unpacr_tile *t, bool blocked)
{
    tsr_limits limits = tsr_limits_default();
    limits.external = blocked;
    tsr_findings_clear(&t->tile->findings);
    tsr_end end = t->end = tsr_run(t->tile, &limits);
    if (end == (blocked ? TSR_END_BLOCKED : TSR_END_IDLE))
        return NULL;
    int last = tsr_diagnostic_count(t->tile) - 1;
    snprintf(t->message, sizeof t->message, "the tile ends with %d, %s", (int)end,
             last < 0 ? "no finding" : tsr_diagnostic_at(t->tile, last)->code);
    if (last >= 0) {
        size_t used = strlen(t->message);
        snprintf(t->message + used, sizeof t->message - used, ": %s",
                 tsr_diagnostic_at(t->tile, last)->sentence);
    }
    return t->message;
}

static const char *differs(struct unpacr_tile *t, const char *what, unsigned a, unsigned b,
                           unsigned c, uint32_t tile, uint32_t model)
{
    snprintf(t->message, sizeof t->message, "%s [%u][%u][%u]: the tile has 0x%x, the page 0x%x",
             what, a, b, c, tile, model);
    return t->message;
}

static const char *datums_differ(struct unpacr_tile *t, const struct unpacr_model *m)
{
    const struct tsr_state *state = tile_state(t->tile);
    for (unsigned n = 0; n < 4; n++)
        for (unsigned i = 0; i < 64 * 16; i++) {
            uint32_t tile = state->src[n / 2].bank[n % 2].datum[i / 16][i % 16];
            uint32_t model = in_tile_order(m->src[n / 2][n % 2][i / 16][i % 16]);
            if (tile != model)
                return differs(t, n / 2 ? "SrcB" : "SrcA", n % 2, i / 16, i % 16, tile, model);
        }
    if (memcmp(state->dst.bits, m->dst, sizeof m->dst) == 0)
        return NULL;
    for (unsigned i = 0; i < 1024 * 16; i++)
        if (state->dst.bits[i / 16][i % 16] != m->dst[i / 16][i % 16])
            return differs(t, "DstBits", 0, i / 16, i % 16, state->dst.bits[i / 16][i % 16],
                           m->dst[i / 16][i % 16]);
    return NULL;
}

static const char *banks_differ(struct unpacr_tile *t, const struct unpacr_model *m)
{
    const struct tsr_state *state = tile_state(t->tile);
    for (unsigned u = 0; u < 2; u++) {
        const struct tsr_src *src = &state->src[u];
        if (src->unpacker_bank != m->src_bank[u])
            return differs(t, "SrcBank", u, 0, 0, src->unpacker_bank, m->src_bank[u]);
        for (unsigned bank = 0; bank < 2; bank++) {
            if (src->bank[bank].matrix_owns != m->matrix_owns[u][bank])
                return differs(t, "AllowedClient", u, bank, 0, src->bank[bank].matrix_owns,
                               m->matrix_owns[u][bank]);
            if (m->blackhole && src->bank[bank].implied_format != m->implied[u][bank])
                return differs(t, "ImpliedFmt", u, bank, 0, src->bank[bank].implied_format,
                               m->implied[u][bank]);
        }
        for (unsigned i = 0; i < 3; i++) {
            const struct tsr_unpacker *unpacker = &state->unpacker[u];
            if (unpacker->src_row[i] != m->src_row[u][i])
                return differs(t, "SrcRow", u, i, 0, unpacker->src_row[i], m->src_row[u][i]);
            if (unpacker->context_counter[i] != m->context_counter[u][i])
                return differs(t, "ContextCounter", u, i, 0, unpacker->context_counter[i],
                               m->context_counter[u][i]);
        }
    }
    return NULL;
}

static const char *counters_differ(struct unpacr_tile *t, const struct unpacr_model *m)
{
    static const char *const names[] = {"ADC X", "ADC Y", "ADC Z", "ADC W"};
    const struct tsr_state *state = tile_state(t->tile);
    for (unsigned i = 0; i < 12; i++) {
        const tsr_adc_channel *a = &state->adcs.channel[i / 4][i / 2 % 2][i % 2];
        const struct unpacr_adc *b = &m->adc[i / 4][i / 2 % 2][i % 2];
        const uint32_t tile[] = {a->x, a->y, a->z, a->w}, model[] = {b->x, b->y, b->z, b->w};
        for (unsigned k = 0; k < 4; k++)
            if (tile[k] != model[k])
                return differs(t, names[k], i / 4, i / 2 % 2, i % 2, tile[k], model[k]);
    }
    return NULL;
}

const char *unpacr_tile_differs(struct unpacr_tile *t, const struct unpacr_model *m)
{
    const char *what = datums_differ(t, m);
    if (!what)
        what = banks_differ(t, m);
    return what ? what : counters_differ(t, m);
}

// ---------------------------------------------------------------- a report

struct text {
    char *at;
    size_t left;
};

static void add(struct text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(t->at, t->left, format, list);
    va_end(list);
    size_t used = length < 0 ? 0 : (size_t)length;
    used = used < t->left ? used : t->left;
    t->at += used;
    t->left -= used;
}

void unpacr_tile_describe(const struct unpacr_tile *t, const struct unpacr_model *m,
                          const struct unpacr_case *c, char *text, size_t size)
{
    struct text out = {text, size};
    unsigned u = c->word[0].unpacker, bank = m->thread[c->thread][T_STATE_ID];
    for (unsigned i = 0; i < c->count; i++) {
        char word[TSR_INSTRUCTION_TEXT];
        tsr_disassemble(tsr_tile_arch(t->tile), unpacr_tile_word(t, &c->word[i]), word,
                        sizeof word);
        add(&out, "T%d: %s\n", c->thread, word);
    }
    for (unsigned i = 0; i < PLACES; i++) {
        uint32_t value = m->config[bank][u][places[i].field];
        if (value)
            add(&out, "  %s = 0x%x\n", tsr_field_name(places[i].tile[u]), value);
    }
    for (int i = 0; i < T_COUNT; i++)
        if (m->thread[c->thread][i])
            add(&out, "  %s = 0x%x\n", tsr_field_name(thread_places[i]), m->thread[c->thread][i]);
    for (int i = 0; i < G_COUNT; i++)
        if (m->global[i])
            add(&out, "  %s = 0x%x\n", tsr_field_name(global_places[i]), m->global[i]);
    for (int i = 0; i < 6; i++) {
        const struct unpacr_adc *adc = &m->adc[i / 2][u][i % 2];
        if (adc->x | adc->y | adc->z | adc->w)
            add(&out, "  ADC T%d channel %d: X %u Y %u Z %u W %u\n", i / 2, i % 2, adc->x, adc->y,
                adc->z, adc->w);
    }
    add(&out, "  SrcRow %u, context counter %u, bank %u\n", m->src_row[u][c->thread],
        m->context_counter[u][c->thread], m->src_bank[u]);
}
