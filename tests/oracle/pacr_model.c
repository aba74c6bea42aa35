// SPDX-License-Identifier: Apache-2.0
// PACR from its counters to the last stage before L1: addresses, selections, datums, contexts.
// Pages: PACR.md of both chips, Packers/InputAddressGenerator.md, Packers/Downsampling.md,
// Packers/OutputAddressGenerator.md, the diagram in Packers/README.md.
#include "oracle/pacr_job.h"

#include "oracle/pacr_output.h"

const char *pacr_fault_name(enum pacr_fault fault)
{
    static const char *const names[PACR_FAULT_COUNT] = {[PACR_FAULT_NONE] = "none",
                                                        [PACR_FAULT_COLUMN] = "mask by datum",
                                                        [PACR_FAULT_ROUND] = "blocks are cut",
                                                        [PACR_FAULT_WRAP] = "wrap at the limit",
                                                        [PACR_FAULT_FLUSH] = "flush keeps counters",
                                                        [PACR_FAULT_CARRIAGE] = "no carriage",
                                                        [PACR_FAULT_TIE] = "ties away",
                                                        [PACR_FAULT_SIZE] = "no header in size",
                                                        [PACR_FAULT_OFFSET] = "offset of packer 0",
                                                        [PACR_FAULT_POSITION] =
                                                            "position wraps early",
                                                        [PACR_FAULT_END] = "L1 goes round"};
    return names[fault];
}

// ---------------------------------------------------------------- the datums

static void keep(struct pacr_job *j, struct pacr_datum d)
{
    unsigned out = j->own[PACR_K_OUT];
    bool e4m3 = j->m->blackhole && j->own[PACR_K_E4M3];
    if (d.kind == KIND_NONE) {
        pacr_emit(j->m, j->packer, 0);
        return;
    }
    pacr_emit(j->m, j->packer, pacr_late(d, out, e4m3));
}

// The late table's "No" is about a packer's configuration: it has no such conversion, whether or
// not Downsample_mask leaves a datum that would need it.
static void ask_late(struct pacr_job *j, struct pacr_datum d)
{
    if (d.kind != KIND_NONE && !pacr_late_exists(d.kind, j->own[PACR_K_OUT]))
        pacr_undefined(j->m, "no late conversion");
}

static uint32_t rotate(uint32_t mask)
{
    return (mask >> 1 | mask << 15) & 0xffff;
}

static uint32_t first_mask(const struct pacr_job *j)
{
    uint32_t mask = j->own[PACR_K_DOWNSAMPLE];
    return mask ? mask : 0xffff;
}

static bool from_l1(const struct pacr_job *j)
{
    return j->which == 0 && j->own[PACR_K_FROM_L1] && !j->word->zero_write;
}

static bool pads(const struct pacr_job *j)
{
    unsigned when = j->word->row_pad & 3;
    return when == 1 || (when == 2 && !j->word->concat) || (when == 3 && j->word->last);
}

static void pad(struct pacr_job *j, unsigned from)
{
    for (; from % 16; from++)
        pacr_emit(j->m, j->packer, 0);
}

static void run_queue(struct pacr_job *j)
{
    uint32_t mask = first_mask(j), kept = 0;
    for (uint32_t i = 0; i < j->count; i++, mask = rotate(mask)) {
        struct pacr_datum d = {KIND_NONE, 0};
        uint32_t at = j->source + i;
        if (from_l1(j)) {
            d = pacr_fetch_l1(j, j->source + i * j->datum_bytes);
        } else if (!j->word->zero_write) {
            d = pacr_fetch_dst(j, at >> 4 & 0x3ff, at & 15, j->packer->y, j->packer->z, i);
            pacr_advance(j);
        }
        ask_late(j, d);
        if (mask & 1) {
            keep(j, d);
            kept++;
        }
    }
    if (pads(j) && !(j->word->row_pad & 4))
        pad(j, kept);
}

// One interface's row, the `taken`th of this PACR. Returns how many datums were kept.
static unsigned run_row(struct pacr_job *j, unsigned row, unsigned column, unsigned taken)
{
    uint32_t mask = first_mask(j), y = j->packer->y, z = j->packer->z;
    unsigned kept = 0;
    *(j->own[PACR_K_TRANSPOSED] ? &z : &y) += taken;
    for (unsigned i = 0; i < j->count; i++, mask = rotate(mask)) {
        struct pacr_datum d = {KIND_NONE, 0};
        if (!j->word->zero_write)
            d = pacr_fetch_dst(j, row & 0x3ff, (column + i) & 15, y, z, i);
        ask_late(j, d);
        if (mask & 1) {
            keep(j, d);
            kept++;
        }
    }
    return kept;
}

// Blackhole: bit k of the selection is row StartRow + k, or + 16 k.
static void run_rows(struct pacr_job *j)
{
    unsigned row = j->source >> 4 & 0x3ff, column = j->source & 15, taken = 0;
    if (column + j->count > 16)
        pacr_undefined(j->m, "more columns than a read interface has");
    if (!j->word->zero_write && !j->word->strided && (j->interfaces << (row & 3)) > 15)
        pacr_undefined(j->m, "an interface outside the group of four rows");
    for (unsigned k = 0; k < 4; k++) {
        if (!(j->interfaces >> k & 1))
            continue;
        unsigned kept = run_row(j, row + (j->word->strided ? 16 * k : k), column, taken++);
        if (pads(j) && !(j->word->row_pad & 4))
            pad(j, kept);
    }
    j->plane = !j->word->zero_write && pacr_advance_rows(j, taken);
}

// ---------------------------------------------------------------- addresses

static unsigned whose_counters(const struct pacr_model *m, int thread, const struct pacr_word *word,
                               const uint32_t *own)
{
    if (!word->ovrd)
        return (unsigned)thread;
    unsigned which = m->blackhole ? word->adc : own[PACR_K_ADC];
    return which == 3 ? 0 : which;
}

static const uint32_t x_masks[4] = {3, 7, 15, 15};

static unsigned datum_bytes(const uint32_t *own)
{
    unsigned size = own[PACR_K_IN] & 3;
    return size == 0 ? 4 : size == 1 ? 2 : 1;
}

static uint32_t input_address(const uint32_t *s, const struct pacr_adc *adc)
{
    return s[PACR_S_BASE0] + adc->x * (s[PACR_S_XSTRIDE0] & 15) + adc->y * s[PACR_S_YSTRIDE0] +
           adc->z * s[PACR_S_ZSTRIDE0] + adc->w * s[PACR_S_WSTRIDE0];
}

static uint32_t dst_datum(const uint32_t *own, const uint32_t *shared, const struct pacr_adc *adc,
                          uint32_t offset)
{
    uint32_t mask = x_masks[own[PACR_K_IN] & 3];
    uint32_t datum = (input_address(shared, adc) / datum_bytes(own)) & ~mask;
    return (datum + (adc->x & mask) + (offset << 4)) & 0x3fff;
}

static void place_input(struct pacr_job *j, const struct pacr_adc *adc)
{
    j->datum_bytes = datum_bytes(j->own);
    j->x = adc[0].x;
    j->count = j->word->flush ? 0 : adc[1].x - adc[0].x + 1;
    if (j->count > 4096) {
        pacr_undefined(j->m, "X runs backwards, or very far");
        j->count = 0;
    }
    j->source = dst_datum(j->own, j->shared, adc, j->m->config.dst_offset[j->section]);
    if (from_l1(j)) {
        uint32_t low = input_address(j->shared, adc) & 0x3ffff;
        uint32_t address = (j->own[PACR_K_L1_SOURCE] << 18) + low;
        uint32_t x = adc->x & x_masks[j->own[PACR_K_IN] & 3];
        j->source = ((address & ~15u) + j->datum_bytes * x) & 0x1fffff;
    }
}

static uint32_t place_output(const struct pacr_job *j, const struct pacr_adc *adc, uint32_t address)
{
    const uint32_t *s = j->shared, *own = j->own;
    uint32_t yzw = s[PACR_S_BASE1] + adc[1].y * s[PACR_S_YSTRIDE1] + adc[1].z * s[PACR_S_ZSTRIDE1] +
                   adc[1].w * s[PACR_S_WSTRIDE1];
    bool at_limit = j->m->fault == PACR_FAULT_WRAP;
    address += j->m->blackhole ? yzw >> 4 : yzw & ~15u; // 16 or 256 bytes at a time
    if (own[PACR_K_ADD_OFFSET])
        address += j->packer->l1_dest_offset;
    if (address > own[PACR_K_LIMIT] * 2 + !at_limit)
        address -= own[PACR_K_FIFO_SIZE] * 2;
    return address;
}

// Y and Z of one channel; `mod` are Incr, CR, Clear of Y, then Incr, Clear of Z.
static void step(const struct pacr_model *m, struct pacr_adc *adc, const uint32_t *y,
                 const uint32_t *z)
{
    uint32_t z_mask = m->blackhole ? 0x1fff : 0xff;
    if (y[2]) {
        adc->y = adc->y_cr = 0;
    } else if (y[1]) {
        if (m->fault != PACR_FAULT_CARRIAGE)
            adc->y_cr = (adc->y_cr + y[0]) & 0x1fff;
        adc->y = adc->y_cr;
    } else {
        adc->y = (adc->y + y[0]) & 0x1fff;
    }
    if (z[1])
        adc->z = adc->z_cr = 0;
    else
        adc->z = (adc->z + z[0]) & z_mask;
}

static void step_counters(struct pacr_model *m, int thread, const struct pacr_word *word,
                          unsigned used)
{
    const uint32_t *mod = &m->config.thread[thread][PACR_T_MOD0 + PACR_MOD_FIELDS * word->addr_mod];
    if (m->fault == PACR_FAULT_FLUSH && word->flush)
        return;
    for (unsigned i = 0; i < 3; i++) {
        if (!(used >> i & 1))
            continue;
        step(m, &m->adc[i][0], mod, mod + 6);
        step(m, &m->adc[i][1], mod + 3, mod + 8);
    }
}

unsigned pacr_section(const struct pacr_model *m, const struct pacr_word *word, unsigned which)
{
    if (!m->blackhole)
        return which;
    return word->ctxt_ctrl & 1 ? m->context : word->cfg_context;
}

uint32_t pacr_first_row(const struct pacr_model *m, int thread, const struct pacr_word *word,
                        unsigned which)
{
    unsigned bank = m->config.thread[thread][PACR_T_STATE];
    unsigned section = pacr_section(m, word, which);
    const uint32_t *own = m->config.packer[bank][section];
    const struct pacr_adc *adc = m->adc[whose_counters(m, thread, word, own)];
    return dst_datum(own, m->config.shared[bank], adc, m->config.dst_offset[section]) >> 4;
}

uint32_t pacr_l1_steps(const struct pacr_model *m, int thread, const struct pacr_word *word,
                       unsigned which)
{
    unsigned bank = m->config.thread[thread][PACR_T_STATE];
    const uint32_t *s = m->config.shared[bank];
    const uint32_t *own = m->config.packer[bank][pacr_section(m, word, which)];
    const struct pacr_adc *adc = &m->adc[whose_counters(m, thread, word, own)][1];
    uint32_t yzw = s[PACR_S_BASE1] + adc->y * s[PACR_S_YSTRIDE1] + adc->z * s[PACR_S_ZSTRIDE1] +
                   adc->w * s[PACR_S_WSTRIDE1];
    return m->blackhole ? yzw >> 4 : yzw & ~15u;
}

// ---------------------------------------------------------------- the instruction

static void read_early(struct pacr_job *j)
{
    const uint32_t *s = j->shared;
    j->early.wide = s[PACR_S_WIDE];
    j->early.raw = s[PACR_S_RAW];
    j->early.round10 = s[PACR_S_ROUND10];
    j->early.is_unsigned = s[PACR_S_UNSIGNED];
    j->early.blackhole = j->m->blackhole;
    j->early.format = s[PACR_S_OVERRIDE] ? s[PACR_S_OVERRIDDEN] : s[PACR_S_BETWEEN];
    j->early.out = j->own[PACR_K_OUT];
    j->kind = pacr_middle_kind(&j->early, j->own[PACR_K_IN]);
    if (j->kind == KIND_NONE && !(j->which == 0 && j->own[PACR_K_FROM_L1]))
        pacr_undefined(j->m, "no early conversion");
}

// Blackhole: which interfaces a PACR uses. The last one of a plane can be made to stop at its end.
static unsigned choose_interfaces(const struct pacr_job *j)
{
    unsigned mask = j->word->select ? j->word->select : 15, count = 0;
    for (unsigned k = 0; k < 4; k++)
        count += mask >> k & 1;
    if (!j->own[PACR_K_AUTO_SELECT])
        return mask;
    uint32_t position = j->own[PACR_K_TRANSPOSED] ? j->packer->z : j->packer->y;
    uint32_t left = j->own[PACR_K_READS] - position;
    if (mask & (mask + 1) || j->own[PACR_K_TRANSPOSED])
        pacr_undefined(j->m, "a chosen selection with gaps");
    return position < j->own[PACR_K_READS] && left < count ? (1u << left) - 1 : mask;
}

static void run(struct pacr_job *j, int thread)
{
    struct pacr_model *m = j->m;
    if (!j->word->flush) {
        if (m->blackhole && from_l1(j) && j->word->select != 1)
            pacr_undefined(m, "L1 source with several interfaces");
        bool long_zero = j->word->zero_write && j->word->select == 0;
        if (long_zero && m->blackhole && (j->x != 0 || j->count % 16 != 0))
            pacr_undefined(m, "ZeroWrite without interfaces, not from 0 or not by blocks");
        if (m->blackhole && !from_l1(j) && !long_zero) {
            j->interfaces = choose_interfaces(j);
            run_rows(j);
        } else {
            run_queue(j);
        }
        if (m->blackhole && pads(j) && j->word->row_pad & 4)
            pad(j, j->packer->packed);
    }
    pacr_end_word(m, j->packer, thread, j->word);
}

static bool takes_part(const struct pacr_model *m, const struct pacr_word *word, unsigned i)
{
    if (m->blackhole)
        return i == 0;
    return (word->select ? word->select : 1) >> i & 1;
}

// Blackhole: the tracked context moves on after Last, or after some planes.
static void track_context(struct pacr_model *m, const struct pacr_job *j)
{
    const struct pacr_word *word = j->word;
    bool moves = word->last;
    m->planes += m->planes < 255 && j->plane;
    if (j->own[PACR_K_PLANES] != 0)
        moves = m->planes >= j->own[PACR_K_PLANES];
    if (!moves)
        return;
    m->planes = 0;
    if (m->context < 3)
        m->context++;
    else if (word->ctxt_ctrl == 1)
        m->context = 0;
}

static struct pacr_job make_job(struct pacr_model *m, int thread, const struct pacr_word *word,
                                unsigned which)
{
    unsigned bank = m->config.thread[thread][PACR_T_STATE];
    unsigned section = pacr_section(m, word, which);
    struct pacr_job j = {.m = m,
                         .word = word,
                         .packer = &m->packer[which],
                         .which = which,
                         .bank = bank,
                         .section = section,
                         .own = m->config.packer[bank][section],
                         .shared = m->config.shared[bank]};
    j.statistics = m->config.thread[0][PACR_T_STATISTICS] ||
                   m->config.thread[1][PACR_T_STATISTICS] || m->config.thread[2][PACR_T_STATISTICS];
    return j;
}

void pacr_execute(struct pacr_model *m, int thread, const struct pacr_word *word)
{
    uint32_t first = 0;
    unsigned used = 0;
    m->writes_past_l1 = m->reads_past_l1 = false;
    if (m->blackhole && word->ctxt_ctrl == 2) {
        m->context = m->planes = 0;
        return;
    }
    for (unsigned i = 0; i < PACR_PACKERS; i++) {
        struct pacr_job j = make_job(m, thread, word, i);
        uint32_t address = j.own[PACR_K_DEST] + !j.own[PACR_K_NO_HEADER];
        if (i == 0)
            first = address;
        else if (first >> 31)
            address += first;
        if (!takes_part(m, word, i))
            continue;
        unsigned whose = whose_counters(m, thread, word, j.own);
        used |= 1u << whose;
        if (!j.packer->data.placed)
            j.packer->x = j.packer->y = j.packer->z = 0;
        read_early(&j);
        place_input(&j, m->adc[whose]);
        pacr_place(m, j.packer, j.own, pacr_compresses(m, j.section, j.bank),
                   place_output(&j, m->adc[whose], address));
        // The stages rely on what is defined: that a section keeps its output, for one.
        if (m->undefined)
            return;
        run(&j, thread);
        if (m->blackhole && word->ctxt_ctrl & 1)
            track_context(m, &j);
    }
    step_counters(m, thread, word, used);
}
