// SPDX-License-Identifier: Apache-2.0
// Fields by name, each storage separately: nothing of the packers' own code is used.
// Pages: as pacr_model.h.
#include "oracle/pacr_tile.h"
#include "state/config_access.h"

#include "rig/tile_rig.h"

struct place {
    unsigned field;
    enum tsr_field tile[4];
};

#define SEC(n, name) FIELD_THCON_SEC##n##_##name
static const struct place packer_places[] = {
#define PACR_PACKER(name, field)                                                                   \
    {PACR_K_##name,                                                                                \
     {SEC(0, REG1_##field), SEC(0, REG8_##field), SEC(1, REG1_##field), SEC(1, REG8_##field)}},
#define PACR_PACKER_WH PACR_PACKER
#define PACR_PACKER_BH(name, field)                                                                \
    {PACR_K_##name, {SEC(0, REG1_##field), FIELD_COUNT, SEC(1, REG1_##field), FIELD_COUNT}},
#define PACR_COUNTER(name, field)                                                                  \
    {PACR_K_##name,                                                                                \
     {FIELD_PACK_COUNTERS_SEC0_##field, FIELD_PACK_COUNTERS_SEC1_##field,                          \
      FIELD_PACK_COUNTERS_SEC2_##field, FIELD_PACK_COUNTERS_SEC3_##field}},
#define PACR_CIRCLE(name, field)                                                                   \
    {PACR_K_##name,                                                                                \
     {SEC(0, REG9_Pack_0_2_##field), SEC(0, REG9_Pack_1_3_##field), SEC(1, REG9_Pack_0_2_##field), \
      SEC(1, REG9_Pack_1_3_##field)}},
#define PACR_FIELDS_OF_PACKERS
#include "oracle/pacr_fields.h"
};

static const enum tsr_field shared_places[PACR_S_COUNT] = {
#define PACR_SHARED(name, field) [PACR_S_##name] = FIELD_##field,
#define PACR_SHARED_WH PACR_SHARED
#define PACR_FIELDS_SHARED
#include "oracle/pacr_fields.h"
};

static const enum tsr_field global_places[PACR_G_COUNT] = {
#define PACR_GLOBAL_BH(name, field) [PACR_G_##name] = FIELD_##field,
#define PACR_FIELDS_GLOBAL
#include "oracle/pacr_fields.h"
};

static const enum tsr_field thread_places[PACR_T_COUNT] = {
#define PACR_THREAD(name, field) [PACR_T_##name] = FIELD_##field,
#define PACR_FIELDS_OF_THREADS
#include "oracle/pacr_fields.h"
};

enum { PLACES = sizeof packer_places / sizeof *packer_places };

bool pacr_tile_open(struct pacr_tile *t, bool blackhole, bool timing, bool reference)
{
    tsr_options options = tsr_options_default(blackhole ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0);
    memset(t, 0, sizeof *t);
    t->blackhole = blackhole;
    options.timing = timing;
    options.kernels = reference ? "reference" : NULL;
    if (tsr_tile_create(&options, &t->tile) != TSR_OK)
        return false;
    // The page has pairs of intermediate format and In_data_format that differ.
    tsr_tile_set_policy(t->tile, "pack-format-pair", TSR_ACTION_RECORD);
    tsr_tile_set_policy(t->tile, "l1-out-of-range", TSR_ACTION_RECORD);
    tsr_l1_mark_written(t->tile, 0, tsr_l1_size(options.arch));
    return true;
}

void pacr_tile_close(struct pacr_tile *t)
{
    tsr_tile_destroy(t->tile);
    t->tile = NULL;
}

// ---------------------------------------------------------------- configuration

static void set(struct pacr_tile *t, int instance, enum tsr_field field, uint32_t *known,
                uint32_t value)
{
    if (*known == value)
        return;
    *known = value;
    const struct tsr_field_place *place = &tile_env(t->tile)->isa->field[field];
    if (field == FIELD_COUNT || place->width == 0)
        return; // the other chip's
    if (value > tsr_mask32(place->width))
        fail_msg("%s cannot be %u", tsr_field_name(field), (unsigned)value);
    tile_field(t->tile, instance, field, value);
}

// Sixteen fields of two bits that fill a word.
static void set_map(struct pacr_tile *t, int bank, enum tsr_field first, uint32_t *known,
                    uint32_t value)
{
    if (*known == value)
        return;
    *known = value;
    struct tsr_env *env = tile_env(t->tile);
    tsr_config_write(env, bank, env->isa->field[first].addr32, value, 0xffffffff);
}

static void configure_bank(struct pacr_tile *t, const struct pacr_config *c, int bank)
{
    static const enum tsr_field row_maps[4] = {FIELD_TILE_ROW_SET_MAPPING_0_row_set_mapping_0,
                                               FIELD_TILE_ROW_SET_MAPPING_1_row_set_mapping_0,
                                               FIELD_TILE_ROW_SET_MAPPING_2_row_set_mapping_0,
                                               FIELD_TILE_ROW_SET_MAPPING_3_row_set_mapping_0};
    static const enum tsr_field face_maps[4] = {FIELD_TILE_FACE_SET_MAPPING_0_face_set_mapping_0,
                                                FIELD_TILE_FACE_SET_MAPPING_1_face_set_mapping_0,
                                                FIELD_TILE_FACE_SET_MAPPING_2_face_set_mapping_0,
                                                FIELD_TILE_FACE_SET_MAPPING_3_face_set_mapping_0};
    struct pacr_config *known = &t->known;
    for (unsigned i = 0; i < PLACES; i++)
        for (unsigned p = 0; p < PACR_PACKERS; p++) {
            unsigned field = packer_places[i].field;
            set(t, bank, packer_places[i].tile[p], &known->packer[bank][p][field],
                c->packer[bank][p][field]);
        }
    for (unsigned i = 0; i < PACR_S_COUNT; i++)
        set(t, bank, shared_places[i], &known->shared[bank][i], c->shared[bank][i]);
    for (unsigned i = 0; i < 4; i++) {
        set_map(t, bank, row_maps[i], &known->row_map[bank][i], c->row_map[bank][i]);
        set_map(t, bank, face_maps[i], &known->face_map[bank][i], c->face_map[bank][i]);
    }
}

static void configure(struct pacr_tile *t, const struct pacr_config *c)
{
    static const enum tsr_field offsets[4] = {
        FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, FIELD_DEST_TARGET_REG_CFG_PACK_SEC1_Offset,
        FIELD_DEST_TARGET_REG_CFG_PACK_SEC2_Offset, FIELD_DEST_TARGET_REG_CFG_PACK_SEC3_Offset};
    static const enum tsr_field z_offsets[4] = {
        FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_ZOffset, FIELD_DEST_TARGET_REG_CFG_PACK_SEC1_ZOffset,
        FIELD_DEST_TARGET_REG_CFG_PACK_SEC2_ZOffset, FIELD_DEST_TARGET_REG_CFG_PACK_SEC3_ZOffset};
#define VALUE(n) FIELD_INT_DESCALE_VALUES_SEC##n##_Value
    static const enum tsr_field values[16] = {
        VALUE(0), VALUE(1), VALUE(2),  VALUE(3),  VALUE(4),  VALUE(5),  VALUE(6),  VALUE(7),
        VALUE(8), VALUE(9), VALUE(10), VALUE(11), VALUE(12), VALUE(13), VALUE(14), VALUE(15)};
    struct pacr_config *known = &t->known;
    configure_bank(t, c, 0);
    configure_bank(t, c, 1);
    for (unsigned i = 0; i < 4; i++) {
        set(t, 0, offsets[i], &known->dst_offset[i], c->dst_offset[i]);
        set(t, 0, z_offsets[i], &known->z_offset[i], c->z_offset[i]);
    }
    for (unsigned i = 0; i < 16; i++)
        set(t, 0, values[i], &known->descale[i], c->descale[i]);
    for (unsigned i = 0; i < PACR_G_COUNT; i++)
        set(t, 0, global_places[i], &known->global[i], c->global[i]);
    for (int thread = 0; thread < 3; thread++)
        for (unsigned i = 0; i < PACR_T_COUNT; i++)
            set(t, thread, thread_places[i], &known->thread[thread][i], c->thread[thread][i]);
}

static tsr_adc_channel *adc_of(const struct pacr_tile *t, unsigned i)
{
    return &tile_state(t->tile)->adcs.channel[i / 2][TSR_ADC_PACKERS][i % 2];
}

static void put_counters(struct pacr_tile *t, const struct pacr_adc adc[3][2])
{
    for (unsigned i = 0; i < 6; i++) {
        const struct pacr_adc *from = &adc[i / 2][i % 2];
        *adc_of(t, i) = (tsr_adc_channel){from->x, from->x_cr, from->y, from->y_cr,
                                          from->z, from->z_cr, from->w, from->w_cr};
    }
}

// ---------------------------------------------------------------- storages

void pacr_tile_l1(struct pacr_tile *t, const struct pacr_model *m, uint32_t address, uint32_t size)
{
    assert_int_equal(tsr_l1_write(t->tile, address, m->l1 + address, size), TSR_OK);
}

void pacr_tile_dst(struct pacr_tile *t, const struct pacr_model *m)
{
    struct tsr_dst *dst = &tile_state(t->tile)->dst;
    memcpy(dst->bits, m->dst, sizeof m->dst);
    memcpy(dst->valid, m->dst_valid, sizeof m->dst_valid);
    memset(dst->written, 0xff, sizeof dst->written);
}

static void put_packer(struct tsr_packer *to, const struct pacr_packer *from)
{
    memset(to, 0, sizeof *to);
    to->x = (uint16_t)from->x;
    to->y = (uint16_t)from->y;
    to->z = (uint16_t)from->z;
    to->l1_dest_offset = from->l1_dest_offset;
    to->last_tile_size = from->last_size;
    to->last_thread = from->last_thread;
    to->all_zero_flags = from->zero_flags;
    to->max_exponent = from->max_exponent;
    memcpy(to->acc_tile_size, from->acc_size, sizeof to->acc_tile_size);
    memcpy(to->exponent_count, from->histogram, sizeof to->exponent_count);
    to->metadata_count = (uint8_t)from->fifo_count;
    for (unsigned i = 0; i < from->fifo_count; i++)
        to->metadata[i] = (struct tsr_tile_metadata){from->fifo[i].size, from->fifo[i].zero_flags};
}

void pacr_tile_load(struct pacr_tile *t, const struct pacr_model *m)
{
    tsr_tile_reset(t->tile);
    memset(&t->known, 0, sizeof t->known);
    tile_state(t->tile)->packers.context = (uint8_t)m->context;
    tile_state(t->tile)->packers.planes = (uint8_t)m->planes;
    tsr_l1_mark_written(t->tile, 0, m->l1_size);
    configure(t, &m->config);
    put_counters(t, m->adc);
    pacr_tile_l1(t, m, 0, m->l1_size);
    pacr_tile_dst(t, m);
    for (unsigned i = 0; i < PACR_PACKERS; i++)
        put_packer(&tile_state(t->tile)->packers.packer[i], &m->packer[i]);
}

// ---------------------------------------------------------------- a step

static uint32_t operand(const struct pacr_tile *t, enum tsr_operand_id id, uint32_t value)
{
    const struct tsr_operand_place *place = &tile_env(t->tile)->isa->operand[OP_PACR][id];
    return value << place->first_bit;
}

static uint32_t encode(const struct pacr_tile *t, const struct pacr_word *w)
{
    uint32_t word =
        0x41u << 24 | operand(t, OPERAND_Last, w->last) | operand(t, OPERAND_Flush, w->flush) |
        operand(t, OPERAND_Concat, w->concat) | operand(t, OPERAND_OvrdThreadId, w->ovrd) |
        operand(t, OPERAND_ZeroWrite, w->zero_write) | operand(t, OPERAND_AddrMode, w->addr_mod);
    if (!t->blackhole)
        return word | operand(t, OPERAND_PackSel, w->select);
    return word | operand(t, OPERAND_ReadIntfSel, w->select) |
           operand(t, OPERAND_AddrCntContext, w->adc) |
           operand(t, OPERAND_DstAccessMode, w->strided) |
           operand(t, OPERAND_RowPadZero, w->row_pad) | operand(t, OPERAND_CtxtCtrl, w->ctxt_ctrl) |
           operand(t, OPERAND_CfgContext, w->cfg_context);
}

const char *pacr_tile_run(struct pacr_tile *t)
{
    tsr_end end = tile_run(t->tile);
    int last = tsr_diagnostic_count(t->tile) - 1;
    t->refused = false;
    if (end == TSR_END_IDLE)
        return NULL;
    for (int i = 0; i <= last; i++)
        t->refused |= tsr_diagnostic_at(t->tile, i)->category == TSR_UNIMPLEMENTED_FEATURE;
    snprintf(t->message, sizeof t->message, "the tile ends with %d, %s: %s", (int)end,
             last < 0 ? "no finding" : tsr_diagnostic_at(t->tile, last)->code,
             last < 0 ? "" : tsr_diagnostic_at(t->tile, last)->sentence);
    return t->message;
}

static const char *prepare(struct pacr_tile *t, const struct pacr_step *step)
{
    tsr_findings_clear(&t->tile->findings);
    configure(t, &step->config);
    put_counters(t, step->adc);
    if (step->tdma)
        tsr_store(t->tile, TSR_CORE_B, 0xffb1101cu, step->tdma_value, 4);
    if (!step->clear)
        return NULL;
    tile_push(t->tile, step->thread, "CLREXPHIST");
    return pacr_tile_run(t);
}

const char *pacr_tile_burst(struct pacr_tile *t, const struct pacr_case *c)
{
    const char *wrong = prepare(t, &c->step[0]);
    for (unsigned i = 0; i < c->count && !wrong; i++)
        tile_push_word(t->tile, c->step[i].thread, encode(t, &c->step[i].word));
    return wrong ? wrong : pacr_tile_run(t);
}

const char *pacr_tile_step(struct pacr_tile *t, const struct pacr_step *step)
{
    const char *wrong = prepare(t, step);
    if (wrong)
        return wrong;
    tile_push_word(t->tile, step->thread, encode(t, &step->word));
    return pacr_tile_run(t);
}

bool pacr_tile_past_l1(const struct pacr_tile *t)
{
    return tile_found(t->tile, "l1-out-of-range") != NULL;
}

const char *pacr_tile_differs_past_l1(struct pacr_tile *t, bool found)
{
    snprintf(t->message, sizeof t->message, "the tile finds %s past L1, the page %s",
             found ? "an address" : "nothing", found ? "nothing" : "an address");
    return t->message;
}

// ---------------------------------------------------------------- words for a reader

static void say(char **text, size_t *left, const char *name, uint32_t value)
{
    int used = snprintf(*text, *left, " %s=%s%x", name, value > 9 ? "0x" : "", (unsigned)value);
    if (used > 0 && (size_t)used < *left) {
        *text += used;
        *left -= (size_t)used;
    }
}

static void describe_config(const struct pacr_config *c, const struct pacr_step *step, char **text,
                            size_t *left)
{
    static const char *const maps[2][4] = {
        {"row_set_mapping0", "row_set_mapping1", "row_set_mapping2", "row_set_mapping3"},
        {"face_set_mapping0", "face_set_mapping1", "face_set_mapping2", "face_set_mapping3"}};
    unsigned bank = c->thread[step->thread][PACR_T_STATE];
    for (unsigned i = 0; i < PLACES; i++)
        for (unsigned p = 0; p < PACR_PACKERS; p++) {
            uint32_t value = c->packer[bank][p][packer_places[i].field];
            if (value && packer_places[i].tile[p] != FIELD_COUNT)
                say(text, left, tsr_field_name(packer_places[i].tile[p]), value);
        }
    for (unsigned i = 0; i < PACR_S_COUNT; i++)
        if (c->shared[bank][i])
            say(text, left, tsr_field_name(shared_places[i]), c->shared[bank][i]);
    for (unsigned i = 0; i < 4; i++) {
        if (c->row_map[bank][i])
            say(text, left, maps[0][i], c->row_map[bank][i]);
        if (c->face_map[bank][i])
            say(text, left, maps[1][i], c->face_map[bank][i]);
        if (c->dst_offset[i])
            say(text, left, "Dst offset of a packer", c->dst_offset[i]);
        if (c->z_offset[i])
            say(text, left, "ZOffset of a packer", c->z_offset[i]);
    }
    for (unsigned i = 0; i < 16; i++)
        if (c->descale[i])
            say(text, left, "INT_DESCALE value", c->descale[i]);
    for (unsigned i = 0; i < PACR_G_COUNT; i++)
        if (c->global[i])
            say(text, left, tsr_field_name(global_places[i]), c->global[i]);
    for (unsigned i = 0; i < PACR_T_COUNT; i++)
        if (c->thread[step->thread][i])
            say(text, left, tsr_field_name(thread_places[i]), c->thread[step->thread][i]);
}

void pacr_tile_describe(const struct pacr_tile *t, const struct pacr_case *c, char *text,
                        size_t size)
{
    static const char *const names[8] = {"x", "x_cr", "y", "y_cr", "z", "z_cr", "w", "w_cr"};
    for (unsigned i = 0; i < c->count; i++) {
        const struct pacr_step *step = &c->step[i];
        char word[TSR_INSTRUCTION_TEXT];
        tsr_disassemble(tsr_tile_arch(t->tile), encode(t, &step->word), word, sizeof word);
        int used = snprintf(text, size, "\n thread %d: %s%s\n ", step->thread, word,
                            step->clear ? " (CLREXPHIST before)" : "");
        if (used < 0 || (size_t)used >= size)
            return;
        text += used;
        size -= (size_t)used;
        if (step->tdma)
            say(&text, &size, "TDMA-RISC +0x1c", step->tdma_value);
        for (unsigned n = 0; n < 6; n++) {
            uint32_t v[8];
            memcpy(v, &step->adc[n / 2][n % 2], sizeof v);
            for (unsigned f = 0; f < 8; f++)
                if (v[f]) {
                    char name[40];
                    snprintf(name, sizeof name, "ADC%u.ch%u.%s", n / 2, n % 2, names[f]);
                    say(&text, &size, name, v[f]);
                }
        }
        describe_config(&step->config, step, &text, &size);
    }
}
