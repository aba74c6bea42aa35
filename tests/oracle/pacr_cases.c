// SPDX-License-Identifier: Apache-2.0
// Random PACRs: a case is one configuration with some of the features below, up to eight PACRs that
// end with everything flushed, and small changes between them.
// Pages: as pacr_model.h.
#include "oracle/pacr_maker.h"

#include "oracle/pacr_output.h"

#include <string.h>

// ---------------------------------------------------------------- configuration of a case

static void choose_features(struct pacr_maker *g)
{
    g->features = 0;
    unsigned rare = 3 + below(g, 8);
    for (unsigned f = 0; f < FEATURES; f++)
        g->features |= (unsigned)chance(g, rare) << f;
    unsigned out = g->formats->early.out;
    if (has(g, HAS_ACCUMULATION) && !pacr_accumulates(out))
        g->features &= ~(1u << HAS_ACCUMULATION);
    if (pacr_element_bits(out) == 2 || has(g, HAS_ACCUMULATION))
        g->features &= ~(1u << HAS_COMPRESSION);
    if (has(g, HAS_COMPRESSION))
        g->features &= ~(1u << HAS_PAD);
    if (has(g, HAS_FACES))
        g->features |= 1u << HAS_MASKS;
    if (!g->m->blackhole || g->formats->e4m3)
        g->features &= ~(1u << HAS_CONTEXTS);
}

static void choose_masks(struct pacr_maker *g, struct pacr_config *c)
{
    uint32_t *s = c->shared[g->bank];
    bool on = has(g, HAS_MASKS);
    for (unsigned i = 0; i < 4; i++) {
        s[PACR_S_MASK0 + i] = !on || chance(g, 4) ? 0xffff : chance(g, 4) ? 0 : any(g, 16);
        c->row_map[g->bank][i] = any(g, 32);
        c->face_map[g->bank][i] = any(g, 32);
        c->z_offset[i] = chance(g, 2) ? any(g, 6) : 0;
    }
    s[PACR_S_ROW_SELECT] = any(g, 8);
    s[PACR_S_FACE_SELECT] = any(g, 8);
    s[PACR_S_FACES] = has(g, HAS_FACES);
    s[PACR_S_MINUS_INFINITY] = has(g, HAS_INFINITY) && g->formats->early.format < PF_INT32;
    if (has(g, HAS_INFINITY) && g->formats->early.format == PF_FP8)
        s[PACR_S_MINUS_INFINITY] = 1;
}

static uint32_t any_threshold(struct pacr_maker *g)
{
    unsigned format = g->formats->early.format;
    bool half = format == PF_FP16 || format == PF_FP8 || format == PF_BFP8A;
    uint32_t t = half && !g->formats->early.wide ? pacr_any_half(g, 16, 12)
                                                 : pacr_any_float(g, 127, 40) >> 16;
    // More bits than the format has would have to go somewhere.
    if (format == PF_FP8)
        t &= 0xff00;
    if (format == PF_BFP8A && g->formats->early.raw)
        t &= 0xfff8;
    return t & 0x7fff;
}

static void choose_shared(struct pacr_maker *g, struct pacr_config *c)
{
    const struct pacr_early *e = &g->formats->early;
    uint32_t *s = c->shared[g->bank];
    bool integer = e->format >= PF_INT32 && e->format != PF_FP8, over = has(g, HAS_OVERRIDE);
    s[PACR_S_WIDE] = e->wide;
    s[PACR_S_RAW] = e->raw;
    s[PACR_S_ROUND10] = e->round10;
    s[PACR_S_UNSIGNED] = e->is_unsigned;
    s[PACR_S_OVERRIDE] = over;
    s[PACR_S_BETWEEN] = over ? any(g, 4) : e->format;
    s[PACR_S_OVERRIDDEN] = over ? e->format : any(g, 4);
    s[PACR_S_RELU] = has(g, HAS_RELU) ? below(g, integer ? 2 : 4) : 0;
    s[PACR_S_RELU_THRESHOLD] = s[PACR_S_RELU] < 2 ? any(g, 16) : any_threshold(g);
    s[PACR_S_RELU] |= chance(g, 4) ? any(g, 2) << 2 : 0;
    s[PACR_S_DESCALE] = chance(g, 2);
    s[PACR_S_DESCALE_BY_Z] = chance(g, 2);
    for (unsigned i = 0; i < 16; i++)
        c->descale[i] = any(g, 32);
    choose_masks(g, c);
}

static void choose_strides(struct pacr_maker *g, struct pacr_config *c)
{
    uint32_t *s = c->shared[g->bank];
    bool wide1 = has(g, HAS_COUNTERS1);
    unsigned width = g->m->blackhole ? 16 : 12;
    unsigned size = g->formats->in & 3;
    uint32_t datum = size == 0 ? 4 : size == 1 ? 2 : 1;
    s[PACR_S_BASE0] = chance(g, 4) ? below(g, 1024) * 16 : 0;
    s[PACR_S_XSTRIDE0] = chance(g, 4) ? 0 : chance(g, 8) ? any(g, width) : datum;
    s[PACR_S_YSTRIDE0] = chance(g, 8) ? any(g, width) : below(g, 64) * 16 * datum & 0xfff;
    s[PACR_S_ZSTRIDE0] = chance(g, 8) ? any(g, width) : below(g, 64) * 16 * datum & 0xfff;
    s[PACR_S_WSTRIDE0] = chance(g, 8) ? any(g, 16) : below(g, 256) * 16 * datum & 0xffff;
    s[PACR_S_BASE1] = wide1 ? any(g, 16) : 0;
    s[PACR_S_YSTRIDE1] = wide1 ? any(g, width) : 0;
    s[PACR_S_ZSTRIDE1] = wide1 ? any(g, width) : 0;
    s[PACR_S_WSTRIDE1] = wide1 ? any(g, 16) : 0;
    for (unsigned i = 0; i < PACR_PACKERS; i++)
        c->dst_offset[i] = chance(g, 4) ? any(g, 12) : below(g, 64) * 16;
}

static bool compresses(struct pacr_maker *g)
{
    return has(g, HAS_COMPRESSION) && !chance(g, 4);
}

static void choose_packer(struct pacr_maker *g, struct pacr_config *c, unsigned i)
{
    uint32_t *k = c->packer[g->bank][i];
    const struct pacr_early *e = &g->formats->early;
    k[PACR_K_IN] = g->formats->in;
    k[PACR_K_OUT] = e->out;
    k[PACR_K_NO_COMPRESSION] = !compresses(g);
    k[PACR_K_NO_HEADER] = any(g, 1);
    k[PACR_K_ADD_OFFSET] = has(g, HAS_OFFSET);
    k[PACR_K_ROW_STARTS] = 2 + below(g, 6);
    k[PACR_K_EXPONENTS] = 8 + below(g, 30);
    k[PACR_K_DOWNSAMPLE] = chance(g, 2) ? 0 : 0xffff;
    if (has(g, HAS_DOWNSAMPLE))
        k[PACR_K_DOWNSAMPLE] = chance(g, 3) ? 1u << below(g, 16) : any(g, 16);
    k[PACR_K_THRESHOLD_ON] = has(g, HAS_THRESHOLD);
    k[PACR_K_THRESHOLD] = chance(g, 4) ? any(g, 8) : below(g, 2) ? below(g, 32) : 90 + below(g, 60);
    k[PACR_K_FROM_L1] = has(g, HAS_L1_SOURCE);
    k[PACR_K_ACCUMULATE] = has(g, HAS_ACCUMULATION);
    k[PACR_K_NO_FLAGS] = has(g, HAS_COMPRESSION) && chance(g, 4);
    k[PACR_K_ADD_HEADER] = any(g, 1);
    k[PACR_K_OUT_FIFO] = any(g, 1);
    k[PACR_K_ADC] = g->m->blackhole ? 0 : any(g, 2);
    k[PACR_K_E4M3] = g->formats->e4m3;
    k[PACR_K_AUTO_SELECT] = g->m->blackhole && has(g, HAS_AUTO);
    k[PACR_K_PLANES] = g->m->blackhole && chance(g, 2) ? below(g, 3) : 0;
    k[PACR_K_READS] = chance(g, 4) && !has(g, HAS_AUTO) ? any(g, 8) : 1 + below(g, 16);
    k[PACR_K_TRANSPOSED] = has(g, HAS_TRANSPOSED);
    const struct pacr_packer *p = &g->m->packer[g->m->blackhole ? 0 : i];
    if (chance(g, 3)) // a plane that ends soon
        k[PACR_K_READS] = ((k[PACR_K_TRANSPOSED] ? p->z : p->y) + 1 + below(g, 6)) & 0xff;
}

// Another output for each packer, from the same datums in between.
static void vary_formats(struct pacr_maker *g, struct pacr_config *c)
{
    for (unsigned i = 1; i < PACR_PACKERS; i++)
        for (unsigned n = 0; n < 40; n++) {
            const struct pacr_pair *p = &g->pair[0][below(g, g->pairs[0])];
            struct pacr_early e = g->formats->early;
            e.out = p->early.out;
            if (pacr_early_kind(&e) == KIND_NONE || pacr_element_bits(e.out) == 2 ||
                !pacr_late_exists(pacr_early_kind(&e), e.out))
                continue;
            c->packer[g->bank][i][PACR_K_OUT] = e.out;
            break;
        }
}

static void choose_override(struct pacr_maker *g, struct pacr_config *c)
{
    uint32_t *s = c->shared[g->bank];
    s[PACR_S_ALL_COMPRESSION] = !g->m->blackhole && chance(g, 4); // BH has no mask for it
    s[PACR_S_NONE_COMPRESSES] = 0;
    if (g->m->blackhole)
        return;
    for (unsigned i = 0; i < PACR_PACKERS; i++)
        s[PACR_S_NONE_COMPRESSES] |= (uint32_t)!compresses(g) << i;
}

static void choose_addr_mods(struct pacr_maker *g, struct pacr_config *c, int thread)
{
    for (unsigned n = 0; n < 4; n++) {
        uint32_t *mod = &c->thread[thread][PACR_T_MOD0 + PACR_MOD_FIELDS * n];
        bool on = has(g, HAS_STEPS);
        for (unsigned i = 0; i < PACR_MOD_FIELDS; i++)
            mod[i] = 0;
        mod[0] = on ? any(g, 4) : below(g, 2);
        mod[1] = on && chance(g, 3);
        mod[2] = on && chance(g, 5);
        mod[3] = on ? any(g, 4) : 0;
        mod[4] = on && chance(g, 3);
        mod[5] = on && chance(g, 5);
        for (unsigned i = 6; i < 10; i++)
            mod[i] = on && chance(g, 3);
    }
}

// A source in L1 has the width of In_data_format and the meaning of the format in between.
static void choose_width(struct pacr_maker *g, struct pacr_config *c)
{
    uint32_t in = 1 + below(g, 2) * 7 + below(g, 2); // FP16, BFP8a, INT32, INT16
    for (unsigned i = 0; i < (g->m->blackhole ? PACR_PACKERS : 1); i++)
        c->packer[g->bank][i][PACR_K_IN] = in;
}

static void choose_config(struct pacr_maker *g, struct pacr_config *c)
{
    bool remapped = g->m->blackhole && (has(g, HAS_REMAP) || has(g, HAS_STRIDE));
    choose_shared(g, c);
    choose_strides(g, c);
    choose_override(g, c);
    for (unsigned i = 0; i < PACR_PACKERS; i++)
        choose_packer(g, c, i);
    for (unsigned i = 1; i < PACR_PACKERS && g->m->blackhole; i++) // one section of L1 for all
        c->packer[g->bank][i][PACR_K_NO_COMPRESSION] = c->packer[g->bank][0][PACR_K_NO_COMPRESSION];
    if (has(g, HAS_L1_SOURCE) && has(g, HAS_OTHER_WIDTH))
        choose_width(g, c);
    if (has(g, HAS_TWO_FORMATS) && !g->m->blackhole && !has(g, HAS_ACCUMULATION) &&
        !has(g, HAS_L1_SOURCE))
        vary_formats(g, c);
    c->global[PACR_G_REMAP] = remapped && (has(g, HAS_STRIDE) || any(g, 1));
    c->global[PACR_G_SWIZZLE] = remapped && (has(g, HAS_STRIDE) || any(g, 1));
    for (int thread = 0; thread < 3; thread++) {
        c->thread[thread][PACR_T_STATISTICS] = has(g, HAS_STATISTICS) && chance(g, 2);
        choose_addr_mods(g, c, thread);
    }
}

// ---------------------------------------------------------------- one PACR

static unsigned any_count(struct pacr_maker *g, uint32_t *first)
{
    bool block = pacr_block(g->formats->early.out), odd = has(g, HAS_ODD);
    *first = 0;
    if (g->m->blackhole) {
        unsigned count = odd ? 1 + below(g, 16) : 16;
        *first = has(g, HAS_PART_ROW) ? below(g, 17 - count) : 0;
        return block && g->m->blackhole && !odd ? 16 : count;
    }
    *first = has(g, HAS_PART_ROW) ? below(g, 200) : 0;
    if (odd)
        return 1 + below(g, chance(g, 20) ? 1000 : 256);
    if (chance(g, 40))
        return 16 * (17 + below(g, 40));
    return chance(g, 3) ? 256 : 16 * (1 + below(g, 16));
}

static void choose_adc(struct pacr_maker *g, struct pacr_step *step)
{
    uint32_t z_end = g->m->blackhole ? 0x2000 : 0x100;
    for (unsigned i = 0; i < 6; i++) {
        struct pacr_adc *adc = &step->adc[i / 2][i % 2];
        bool large = chance(g, 6);
        adc->y = large ? any(g, 13) : below(g, 6);
        adc->z = large ? below(g, z_end) : below(g, 4);
        adc->w = large ? below(g, z_end) : below(g, 4);
        adc->y_cr = chance(g, 2) ? adc->y : any(g, 13);
        adc->z_cr = below(g, z_end);
        adc->w_cr = below(g, z_end);
        adc->x_cr = any(g, 18);
    }
    for (unsigned i = 0; i < 3; i++) {
        uint32_t first, count = any_count(g, &first);
        step->adc[i][0].x = first;
        step->adc[i][1].x = first + count - 1;
    }
}

static unsigned choose_select(struct pacr_maker *g)
{
    static const uint8_t sets[] = {0, 1, 2, 4, 8, 3, 12, 15, 15, 1};
    static const uint8_t strided[] = {0, 1, 3, 15};
    static const uint8_t rows[] = {0, 1, 3, 7, 15};
    if (!g->m->blackhole)
        return sets[below(g, sizeof sets)];
    if (has(g, HAS_L1_SOURCE))
        return 1;
    if (has(g, HAS_STRIDE))
        return strided[below(g, sizeof strided)];
    if (has(g, HAS_AUTO))
        return rows[below(g, sizeof rows)];
    return below(g, 16);
}

static void choose_word(struct pacr_maker *g, struct pacr_step *step)
{
    struct pacr_word *w = &step->word;
    memset(w, 0, sizeof *w);
    w->addr_mod = (uint8_t)below(g, 4);
    w->ovrd = has(g, HAS_OVRD) && any(g, 1);
    w->concat = chance(g, 3);
    w->select = (uint8_t)choose_select(g);
    w->zero_write = has(g, HAS_ZERO_WRITE) && any(g, 1);
    w->last = chance(g, 4);
    w->flush = chance(g, 10);
    if (!g->m->blackhole)
        return;
    w->adc = (uint8_t)(w->ovrd ? below(g, 4) : 0);
    w->strided = has(g, HAS_STRIDE);
    w->cfg_context = has(g, HAS_CONTEXTS) ? (uint8_t)below(g, 4) : 0;
    w->ctxt_ctrl = has(g, HAS_CONTEXTS) && !chance(g, 4) ? (uint8_t)below(g, 4) : 0;
    w->row_pad = has(g, HAS_PAD) ? (uint8_t)below(g, 8) : 0;
    if ((w->row_pad & 3) == 0)
        w->row_pad = 0;
}

// Blackhole: the selected rows stay in their group of four.
static void align_row(struct pacr_maker *g, struct pacr_step *step)
{
    struct pacr_model *m = g->m;
    unsigned mask = step->word.select ? step->word.select : 15;
    uint32_t row = pacr_first_row(m, step->thread, &step->word, 0);
    unsigned room = 0, odd = below(g, 4);
    while ((mask << (room + 1)) <= 15 && room < 3)
        room++;
    uint32_t wanted = (row & ~3u) + (odd <= room ? odd : 0);
    uint32_t *offset = &m->config.dst_offset[pacr_section(m, &step->word, 0)];
    *offset = (*offset + wanted - row) & 0xfff;
}

// L1_Dest_addr of packer i, so that its output begins at g->place[i].
static void aim(struct pacr_maker *g, struct pacr_step *step, unsigned i, uint32_t first)
{
    struct pacr_model *m = g->m;
    uint32_t *k = m->config.packer[g->bank][i];
    bool relative = first >> 31, wraps = g->wraps[i] || relative;
    uint32_t address = g->place[i];
    k[PACR_K_FIFO_SIZE] = has(g, HAS_WRAP) ? any(g, 12) : 0;
    if (wraps)
        address += 2 * k[PACR_K_FIFO_SIZE];
    k[PACR_K_LIMIT] = 0x1ffff;
    if (has(g, HAS_WRAP))
        k[PACR_K_LIMIT] = wraps ? (address - 2) / 2 - below(g, 2) * below(g, 100)
                                : address / 2 + below(g, 2) * below(g, 100);
    address -= pacr_l1_steps(m, step->thread, &step->word, i);
    if (k[PACR_K_ADD_OFFSET])
        address -= m->packer[m->blackhole ? 0 : i].l1_dest_offset;
    address -= !k[PACR_K_NO_HEADER];
    if (!has(g, HAS_WRAP) && !relative && chance(g, 4))
        address += any(g, 13) << 17; // beyond the bits that an address has
    k[PACR_K_DEST] = i > 0 && relative ? address - first : address;
}

static void aim_all(struct pacr_maker *g, struct pacr_step *step)
{
    struct pacr_model *m = g->m;
    uint32_t first = 0;
    for (unsigned i = 0; i < PACR_PACKERS; i++) {
        uint32_t *k = m->config.packer[g->bank][i];
        bool relative = has(g, HAS_RELATIVE) && !m->blackhole;
        if (!m->blackhole && m->packer[i].data.placed && i > 0 && chance(g, 3))
            k[PACR_K_DEST] = any(g, 32);
        else
            aim(g, step, i, i == 0 ? (relative ? 1u << 31 : 0) : first);
        if (i == 0 && relative)
            k[PACR_K_DEST] |= 1u << 31;
        if (i == 0)
            first = k[PACR_K_DEST] + !k[PACR_K_NO_HEADER];
        first = first >> 31 ? first : 0;
    }
}

// Places of the packers in L1, far enough from each other for all PACRs of a case.
static void choose_places(struct pacr_maker *g)
{
    for (unsigned i = 0; i < PACR_PACKERS; i++) {
        g->place[i] = 0x800 + 0x4800 * i + below(g, 0x3800);
        if (chance(g, 60))
            g->place[i] = g->m->l1_size / 16 - 100 + below(g, 150);
        g->wraps[i] = has(g, HAS_WRAP) && any(g, 1);
        if (has(g, HAS_ACCUMULATION) && (i == 0 || !g->m->blackhole))
            pacr_prepare_l1(g, g->place[i] * 16, 4096);
    }
}

static void aim_source(struct pacr_maker *g, const struct pacr_word *word)
{
    uint32_t *k = g->m->config.packer[g->bank][pacr_section(g->m, word, 0)];
    k[PACR_K_L1_SOURCE] = chance(g, 4) ? any(g, 8) & ~7u : 0;
    k[PACR_K_L1_SOURCE] |= below(g, chance(g, 6) ? 8 : 5);
}

// What changes between PACRs, if nothing keeps them together.
static void disturb(struct pacr_maker *g, struct pacr_step *step, bool first)
{
    step->thread = (int)below(g, 3);
    g->m->config.thread[step->thread][PACR_T_STATE] = g->bank;
    step->clear = chance(g, 40);
    step->tdma = chance(g, 12);
    step->tdma_value = any(g, 16) >> 4 | any(g, 4) << 16;
    if (first || chance(g, 3))
        choose_adc(g, step);
    if (!first && chance(g, 4))
        choose_masks(g, &g->m->config);
}

// Blackhole: without interfaces, X goes from 0 over as many blocks of 16 as one likes.
static void choose_long_zero(struct pacr_maker *g, struct pacr_step *step)
{
    uint32_t end = 16 * (1 + below(g, 20)) - 1;
    for (unsigned i = 0; i < 3; i++) {
        step->adc[i][0].x = 0;
        step->adc[i][1].x = end;
    }
}

static void make_step(struct pacr_maker *g, struct pacr_step *step, bool first)
{
    struct pacr_model *m = g->m;
    bool together = !first && g->now.burst;
    memcpy(step->adc, m->adc, sizeof step->adc);
    if (together)
        step->thread = g->now.step[0].thread;
    else
        disturb(g, step, first);
    choose_word(g, step);
    if (m->blackhole && step->word.zero_write && step->word.select == 0 && !together)
        choose_long_zero(g, step);
    step->config = m->config;
    pacr_apply(m, step);
    if (together)
        return;
    if (m->blackhole && !step->word.strided && step->word.ctxt_ctrl != 2)
        align_row(g, step);
    aim_all(g, step);
    if (has(g, HAS_L1_SOURCE))
        aim_source(g, &step->word);
    step->config = m->config;
}

void pacr_apply(struct pacr_model *m, const struct pacr_step *step)
{
    m->config = step->config;
    memcpy(m->adc, step->adc, sizeof m->adc);
    if (step->clear)
        pacr_clear_histograms(m);
    if (step->tdma)
        pacr_tdma_store(m, step->tdma_value);
}

static bool anything_open(const struct pacr_model *m)
{
    bool open = false;
    for (unsigned i = 0; i < PACR_PACKERS; i++)
        open |= m->packer[i].data.placed;
    return open;
}

bool pacr_make(struct pacr_maker *g)
{
    struct pacr_case *c = &g->now;
    struct pacr_model *m = g->m;
    unsigned wanted = 1 + below(g, PACR_STEPS - 1);
    memset(c, 0, sizeof *c);
    c->blackhole = m->blackhole;
    g->bank = any(g, 1);
    g->formats = pacr_choose_formats(g);
    choose_features(g);
    c->burst = has(g, HAS_BURST);
    choose_config(g, &m->config);
    pacr_fill_dst(g, m);
    choose_places(g);
    for (c->count = 0; c->count < wanted || anything_open(m); c->count++) {
        struct pacr_step *step = &c->step[c->count];
        if (c->count == PACR_STEPS)
            return false;
        make_step(g, step, c->count == 0);
        if (c->count + 1 >= wanted) { // everything has to end
            step->word.select = m->blackhole ? step->word.select : 15;
            step->word.last |= !step->word.flush;
            step->word.ctxt_ctrl &= step->word.ctxt_ctrl == 2 ? 0 : 3;
        }
        pacr_execute(m, step->thread, &step->word);
        if (m->undefined)
            return false;
    }
    return true;
}
