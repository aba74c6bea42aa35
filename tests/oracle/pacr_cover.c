// SPDX-License-Identifier: Apache-2.0
// What a PACR covers: which modes are at work in it, seen from the configuration that it meets.
// Pages: as pacr_model.h.
#include "oracle/pacr_cases.h"

#include "oracle/pacr_output.h"

const char *pacr_path_name(unsigned path)
{
    static const char *const names[] = {
#define P(name, text, chips) text,
        PACR_PATHS(P)
#undef P
    };
    return names[path];
}

unsigned pacr_path_chips(unsigned path)
{
    static const uint8_t chips_of[] = {
#define P(name, text, chips) chips,
        PACR_PATHS(P)
#undef P
    };
    return chips_of[path];
}

static void hit(struct pacr_counts *counts, unsigned path, bool is)
{
    counts->path[path] += is;
}

static void note_selection(struct pacr_counts *n, const struct pacr_model *m,
                           const struct pacr_step *step)
{
    static const uint8_t paths[16] = {
        [0] = PACR_PATH_ONE,     [1] = PACR_PATH_PACKER0, [2] = PACR_PATH_PACKER1,
        [4] = PACR_PATH_PACKER2, [8] = PACR_PATH_PACKER3, [3] = PACR_PATH_LOWER,
        [12] = PACR_PATH_UPPER,  [15] = PACR_PATH_ALL};
    const struct pacr_word *w = &step->word;
    if (!m->blackhole) {
        n->path[paths[w->select]]++;
        return;
    }
    if (!w->flush && !w->zero_write)
        n->path[PACR_PATH_INTF0 + w->select]++;
    hit(n, PACR_PATH_UNALIGNED, pacr_first_row(m, step->thread, w, 0) & 3 && !w->strided);
    hit(n, PACR_PATH_STRIDED, w->strided && !w->zero_write && !w->flush);
    hit(n, PACR_PATH_CONTEXT, w->cfg_context && !(w->ctxt_ctrl & 1));
    hit(n, PACR_PATH_TRACKED, w->ctxt_ctrl == 1);
    hit(n, PACR_PATH_UNTRACK, w->ctxt_ctrl == 2);
    hit(n, PACR_PATH_TRACKED3, w->ctxt_ctrl == 3);
    if (w->row_pad)
        n->path[w->row_pad < 4 ? PACR_PATH_PAD1 + w->row_pad - 1
                               : PACR_PATH_PAD5 + w->row_pad - 5]++;
}

static void note_masks(struct pacr_counts *n, const struct pacr_config *c, const uint32_t *s)
{
    bool masks = (s[PACR_S_MASK0] & s[PACR_S_MASK1] & s[PACR_S_MASK2] & s[PACR_S_MASK3]) != 0xffff;
    bool faces = s[PACR_S_FACES], inf = s[PACR_S_MINUS_INFINITY];
    hit(n, PACR_PATH_ROW_SETS, masks && !faces && !inf);
    hit(n, PACR_PATH_ROW_SETS_INF, masks && !faces && inf);
    hit(n, PACR_PATH_FACE_SETS, masks && faces && !inf);
    hit(n, PACR_PATH_FACE_SETS_INF, masks && faces && inf);
    hit(n, PACR_PATH_Z_OFFSET, masks && faces && c->z_offset[0] != 0);
}

static void note_shared(struct pacr_counts *n, const struct pacr_config *c, unsigned bank)
{
    const uint32_t *s = c->shared[bank];
    bool statistics = c->thread[0][PACR_T_STATISTICS] || c->thread[1][PACR_T_STATISTICS] ||
                      c->thread[2][PACR_T_STATISTICS];
    hit(n, PACR_PATH_DST16, !s[PACR_S_WIDE]);
    hit(n, PACR_PATH_DST32, s[PACR_S_WIDE]);
    hit(n, PACR_PATH_OVERRIDE, s[PACR_S_OVERRIDE]);
    n->path[PACR_PATH_RELU0 + (s[PACR_S_RELU] & 3)]++;
    hit(n, PACR_PATH_STATISTICS, statistics);
    hit(n, PACR_PATH_ROUND10, s[PACR_S_ROUND10]);
    hit(n, PACR_PATH_RAW, s[PACR_S_RAW]);
    hit(n, PACR_PATH_BANK1, bank == 1);
    hit(n, PACR_PATH_REMAP, c->global[PACR_G_REMAP]);
    hit(n, PACR_PATH_SWIZZLE, c->global[PACR_G_SWIZZLE]);
    note_masks(n, c, s);
}

static void note_output(struct pacr_counts *n, const struct pacr_model *m,
                        const struct pacr_step *step, unsigned i, unsigned bank)
{
    unsigned section = pacr_section(m, &step->word, i);
    const uint32_t *k = m->config.packer[bank][section];
    const struct pacr_packer *p = &m->packer[i];
    uint32_t dest = m->config.packer[bank][0][PACR_K_DEST];
    bool fresh = !p->data.placed;
    uint32_t address = k[PACR_K_DEST] + !k[PACR_K_NO_HEADER] +
                       pacr_l1_steps(m, step->thread, &step->word, i) +
                       (k[PACR_K_ADD_OFFSET] ? p->l1_dest_offset : 0);
    hit(n, PACR_PATH_APPEND, !fresh);
    hit(n, PACR_PATH_OFFSET, fresh && k[PACR_K_ADD_OFFSET] && p->l1_dest_offset);
    hit(n, PACR_PATH_WRAPS, fresh && k[PACR_K_FIFO_SIZE] && address > 2 * k[PACR_K_LIMIT] + 1);
    hit(n, PACR_PATH_AT_LIMIT, fresh && k[PACR_K_FIFO_SIZE] && address == 2 * k[PACR_K_LIMIT] + 1);
    hit(n, PACR_PATH_RELATIVE, fresh && i > 0 && dest >> 31);
    hit(n, PACR_PATH_YZW1, fresh && pacr_l1_steps(m, step->thread, &step->word, i) != 0);
    hit(n, PACR_PATH_NO_HEADER, fresh && k[PACR_K_NO_HEADER]);
    hit(n, PACR_PATH_ADD_HEADER, step->word.last && k[PACR_K_ADD_HEADER]);
    hit(n, PACR_PATH_OUT_FIFO, step->word.last && k[PACR_K_OUT_FIFO]);
    if (k[PACR_K_ACCUMULATE]) {
        hit(n, PACR_PATH_ACC_FP32, k[PACR_K_OUT] == PF_FP32);
        hit(n, PACR_PATH_ACC_FP16, k[PACR_K_OUT] == PF_FP16);
        hit(n, PACR_PATH_ACC_BF16, k[PACR_K_OUT] == PF_BF16);
        hit(n, PACR_PATH_ACC_INT32, k[PACR_K_OUT] == PF_INT32);
    }
    if (!pacr_compresses(m, section, bank) || step->word.flush)
        return;
    unsigned bits = pacr_element_bits(k[PACR_K_OUT]);
    n->path[bits == 4    ? PACR_PATH_COMPRESS4
            : bits == 8  ? PACR_PATH_COMPRESS8
            : bits == 16 ? PACR_PATH_COMPRESS16
                         : PACR_PATH_COMPRESS32]++;
    hit(n, PACR_PATH_CONCAT, p->row_open);
    hit(n, PACR_PATH_COMPRESS_ALL, m->config.shared[bank][PACR_S_ALL_COMPRESSION]);
}

static unsigned between(const uint32_t *s)
{
    return s[PACR_S_OVERRIDE] ? s[PACR_S_OVERRIDDEN] : s[PACR_S_BETWEEN];
}

static void note_input(struct pacr_counts *n, const struct pacr_model *m,
                       const struct pacr_step *step, unsigned i, unsigned bank)
{
    unsigned section = pacr_section(m, &step->word, i);
    const uint32_t *k = m->config.packer[bank][section], *s = m->config.shared[bank];
    const struct pacr_word *w = &step->word;
    const struct pacr_adc *adc = m->adc[step->thread];
    bool from_l1 = i == 0 && k[PACR_K_FROM_L1];
    bool from_dst = !w->zero_write && !from_l1;
    uint32_t count = adc[1].x - adc[0].x + 1;
    hit(n, PACR_PATH_ZERO_WRITE, w->zero_write);
    hit(n, PACR_PATH_LONG_ZERO, m->blackhole && w->zero_write && w->select == 0);
    hit(n, PACR_PATH_NO_FLAGS, !k[PACR_K_NO_COMPRESSION] && k[PACR_K_NO_FLAGS]);
    hit(n, PACR_PATH_LONG, count > 256);
    hit(n, PACR_PATH_L1_SOURCE, from_l1 && !w->zero_write);
    hit(n, PACR_PATH_L1_WIDTH, from_l1 && !w->zero_write && between(s) != k[PACR_K_IN]);
    hit(n, PACR_PATH_BY_PLANES, m->blackhole && w->ctxt_ctrl & 1 && k[PACR_K_PLANES]);
    hit(n, PACR_PATH_L1_AND_DST,
        from_dst && m->config.packer[bank][0][PACR_K_FROM_L1] && w->select & 1);
    hit(n, PACR_PATH_DOWNSAMPLE, k[PACR_K_DOWNSAMPLE] != 0 && k[PACR_K_DOWNSAMPLE] != 0xffff);
    hit(n, PACR_PATH_PART_ROW, adc[0].x != 0);
    hit(n, PACR_PATH_ODD, count % 16 != 0);
    hit(n, PACR_PATH_PART_BLOCK, m->packer[i].group_count > 0);
    hit(n, PACR_PATH_E4M3, k[PACR_K_E4M3]);
    hit(n, PACR_PATH_TWO_FORMATS,
        i > 0 && w->select & 1 && k[PACR_K_OUT] != m->config.packer[bank][0][PACR_K_OUT]);
    if (!from_dst)
        return;
    struct pacr_early e = {s[PACR_S_WIDE], s[PACR_S_RAW], s[PACR_S_ROUND10], s[PACR_S_UNSIGNED],
                           m->blackhole,   between(s),    k[PACR_K_OUT],     0};
    enum pacr_kind kind = pacr_middle_kind(&e, k[PACR_K_IN]);
    hit(n, PACR_PATH_MIXED, e.format != k[PACR_K_IN]);
    n->pair[e.wide][kind][e.out]++;
    uint32_t row = pacr_first_row(m, step->thread, w, i);
    hit(n, PACR_PATH_ROW512, e.wide && row >= 512);
    hit(n, PACR_PATH_INVALID, !m->dst_valid[row & 0x3ff] && !e.wide);
    hit(n, PACR_PATH_THRESHOLD, k[PACR_K_THRESHOLD_ON]);
    hit(n, PACR_PATH_TRANSPOSED, k[PACR_K_TRANSPOSED]);
    hit(n, PACR_PATH_PLANE, (k[PACR_K_TRANSPOSED] ? m->packer[i].y : m->packer[i].z) > 0);
    hit(n, PACR_PATH_AUTO,
        m->blackhole && k[PACR_K_AUTO_SELECT] && m->packer[i].y + 4 > k[PACR_K_READS] &&
            m->packer[i].y < k[PACR_K_READS]);
    if (e.format == PF_INT8 && e.wide && !e.raw && s[PACR_S_DESCALE])
        n->path[s[PACR_S_DESCALE_BY_Z] ? PACR_PATH_DESCALE_Z : PACR_PATH_DESCALE]++;
}

static void note_counters(struct pacr_counts *n, const struct pacr_model *m,
                          const struct pacr_step *step)
{
    const uint32_t *mod =
        &m->config.thread[step->thread][PACR_T_MOD0 + PACR_MOD_FIELDS * step->word.addr_mod];
    unsigned bank = m->config.thread[step->thread][PACR_T_STATE];
    unsigned named = m->blackhole ? step->word.adc : m->config.packer[bank][0][PACR_K_ADC];
    hit(n, PACR_PATH_YSRC_CR, mod[1] && !mod[2]);
    hit(n, PACR_PATH_SRC_CLEAR, mod[2] || mod[7]);
    hit(n, PACR_PATH_YDST_CR, mod[4] && !mod[5]);
    hit(n, PACR_PATH_DST_CLEAR, mod[5] || mod[9]);
    hit(n, PACR_PATH_OVRD, step->word.ovrd && named < 3);
    hit(n, PACR_PATH_OVRD3, step->word.ovrd && named == 3);
}

void pacr_note(struct pacr_counts *n, const struct pacr_model *m, const struct pacr_step *step)
{
    unsigned bank = m->config.thread[step->thread][PACR_T_STATE];
    unsigned mask = m->blackhole ? 1 : step->word.select ? step->word.select : 1;
    n->words++;
    hit(n, PACR_PATH_LAST, step->word.last);
    hit(n, PACR_PATH_FLUSH, step->word.flush);
    hit(n, PACR_PATH_CLEAR, step->clear);
    note_selection(n, m, step);
    note_counters(n, m, step);
    if (!step->word.flush)
        note_shared(n, &m->config, bank);
    for (unsigned i = 0; i < PACR_PACKERS && step->word.ctxt_ctrl != 2; i++) {
        if (!(mask >> i & 1))
            continue;
        note_output(n, m, step, i, bank);
        if (!step->word.flush)
            note_input(n, m, step, i, bank);
    }
}
