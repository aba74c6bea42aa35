// SPDX-License-Identifier: Apache-2.0
// Lines of 16 bytes on their way to L1, blocks with their exponents, compressed rows, and the sizes
// that are kept of a tile.
// Pages: Packers/OutputAddressGenerator.md, Packers/Compression.md, TDMA-RISC.md,
// SETDMAREG_Special.md; docs/decisions.md 11, 21, 27; docs/errata.md 70, 147.
#include "oracle/pacr_output.h"

#include <string.h>

bool pacr_compresses(const struct pacr_model *m, unsigned section, unsigned bank)
{
    const uint32_t *s = m->config.shared[bank];
    if (m->config.packer[bank][section][PACR_K_NO_FLAGS])
        return false;
    if (s[PACR_S_ALL_COMPRESSION])
        return !(s[PACR_S_NONE_COMPRESSES] >> section & 1);
    return !m->config.packer[bank][section][PACR_K_NO_COMPRESSION];
}

// ---------------------------------------------------------------- lines

static uint32_t element(const uint8_t *at, unsigned bytes)
{
    uint32_t v = 0;
    for (unsigned i = 0; i < bytes; i++)
        v |= (uint32_t)at[i] << 8 * i;
    return v;
}

static void accumulate(const struct pacr_model *m, unsigned format, const uint8_t *old,
                       uint8_t *line)
{
    unsigned bytes = pacr_element_bits(format) / 8;
    bool away = m->fault == PACR_FAULT_TIE;
    for (unsigned i = 0; i < 16; i += bytes) {
        uint32_t sum =
            pacr_accumulate(format, element(old + i, bytes), element(line + i, bytes), away);
        for (unsigned b = 0; b < bytes; b++)
            line[i + b] = (uint8_t)(sum >> 8 * b);
    }
}

static bool remember(struct pacr_model *m, uint32_t address, uint8_t stream)
{
    struct pacr_undo *undo = &m->undo[m->undone];
    if (m->undone == PACR_UNDO_MAX) {
        pacr_undefined(m, "too many lines for the model");
        return false;
    }
    m->undone++;
    undo->address = address;
    undo->stream = stream;
    memcpy(undo->old, m->l1 + address, 16);
    return true;
}

void pacr_note_read(struct pacr_model *m, uint32_t address)
{
    address &= ~15u;
    if (m->undone == 0 || m->undo[m->undone - 1].address != address)
        remember(m, address, PACR_READER);
}

// `format`: accumulate; -1: replace. Past the end of L1 a line is dropped (docs/errata.md 73).
static void write_line(struct pacr_model *m, struct pacr_stream *s, int format)
{
    uint32_t address = m->fault == PACR_FAULT_END ? s->address % m->l1_size : s->address;
    m->writes_past_l1 |= s->address > m->l1_size - 16;
    if (address <= m->l1_size - 16 && remember(m, address, s->id)) {
        uint8_t *at = m->l1 + address;
        if (format >= 0)
            accumulate(m, (unsigned)format, at, s->line);
        memcpy(at, s->line, 16);
    }
    s->address += 16;
    s->lines++;
    s->bits = 0;
    memset(s->line, 0, sizeof s->line);
}

static void push(struct pacr_model *m, struct pacr_stream *s, uint32_t value, unsigned bits,
                 int format)
{
    for (unsigned i = 0; i < bits; i++, s->bits++)
        s->line[s->bits / 8] |= (uint8_t)((value >> i & 1) << s->bits % 8);
    if (s->bits == 128)
        write_line(m, s, format);
}

static void push_data(struct pacr_model *m, struct pacr_packer *p, uint32_t value, unsigned bits)
{
    const uint32_t *own = p->own;
    unsigned format = own[PACR_K_OUT];
    if (own[PACR_K_ACCUMULATE] && !pacr_accumulates(format))
        pacr_undefined(m, "accumulation of a format without a sum");
    push(m, &p->data, value, bits, own[PACR_K_ACCUMULATE] ? (int)format : -1);
}

static void flush_stream(struct pacr_model *m, struct pacr_stream *s, int format)
{
    if (s->bits > 0)
        write_line(m, s, format);
    s->placed = false;
}

void pacr_take_back(struct pacr_model *m)
{
    while (m->undone > 0) {
        m->undone--;
        memcpy(m->l1 + m->undo[m->undone].address, m->undo[m->undone].old, 16);
    }
}

void pacr_forget(struct pacr_model *m)
{
    m->undone = 0;
    m->undefined = NULL;
}

static void place(struct pacr_stream *s, uint32_t address)
{
    if (s->placed)
        return;
    s->placed = true;
    s->address = (address & 0x1ffff) << 4;
    s->lines = 0;
}

void pacr_place(struct pacr_model *m, struct pacr_packer *p, const uint32_t *own, bool compresses,
                uint32_t address)
{
    unsigned which = (unsigned)(p - m->packer);
    if (p->data.placed && (p->compresses != compresses || p->format != own[PACR_K_OUT]))
        pacr_undefined(m, "another output within a section");
    p->own = own;
    p->compresses = compresses;
    p->format = own[PACR_K_OUT];
    if (!p->data.placed)
        p->packed = p->zero_flags = 0; // flags are the newest section's (docs/errata.md 254)
    p->data.id = (uint8_t)(3 * which + 1);
    p->exponents.id = (uint8_t)(3 * which + 2);
    p->row_starts.id = (uint8_t)(3 * which + 3);
    if (compresses) {
        place(&p->row_starts, address);
        address += own[PACR_K_ROW_STARTS];
    }
    if (own[PACR_K_OUT] & 2) {
        place(&p->exponents, address);
        address += own[PACR_K_EXPONENTS];
    }
    place(&p->data, address);
}

// ---------------------------------------------------------------- datums

static void push_group(struct pacr_model *m, struct pacr_packer *p)
{
    unsigned format = p->own[PACR_K_OUT];
    uint8_t elements[16];
    uint8_t exponent = pacr_assemble(format, p->group, elements, m->fault == PACR_FAULT_ROUND);
    push(m, &p->exponents, exponent, 8, -1);
    for (unsigned i = 0; i < p->group_count; i++)
        push_data(m, p, elements[i], pacr_element_bits(format));
    p->group_count = 0;
    memset(p->group, 0, sizeof p->group);
}

static void push_pattern(struct pacr_model *m, struct pacr_packer *p, uint32_t pattern)
{
    unsigned format = p->own[PACR_K_OUT];
    if (!pacr_block(format)) {
        push_data(m, p, pattern, pacr_element_bits(format));
        return;
    }
    p->group[p->group_count++] = pattern;
    if (p->group_count == 16)
        push_group(m, p);
}

// ---------------------------------------------------------------- compression

static void push_counts(struct pacr_model *m, struct pacr_packer *p)
{
    for (unsigned i = 0; i < 32; i++)
        push_data(m, p, p->counts[i], 4);
    memset(p->counts, 0, sizeof p->counts);
}

static void push_augmented(struct pacr_model *m, struct pacr_packer *p, uint32_t pattern,
                           unsigned zeroes)
{
    push_pattern(m, p, pattern);
    p->counts[p->augmented++ % 32] = (uint8_t)zeroes;
    if (p->augmented % 32 == 0)
        push_counts(m, p);
}

static void end_row(struct pacr_model *m, struct pacr_packer *p)
{
    bool all_zero = true;
    for (unsigned i = 0; i < p->row_count;) {
        unsigned zeroes = 0, next = i + 1;
        all_zero &= p->row[i] == 0;
        while (next + 1 < p->row_count && p->row[next] == 0 && zeroes < 15) {
            zeroes++;
            next++;
        }
        push_augmented(m, p, p->row[i], zeroes);
        i = next;
    }
    if (p->rows == 0)
        push(m, &p->row_starts, 0, 16, -1);
    if (all_zero && p->rows < 32)
        p->zero_flags |= 1u << p->rows;
    p->rows++;
    push(m, &p->row_starts, p->augmented & 0xffff, 16, -1);
    p->row_count = 0;
    p->row_open = false;
}

// The last group is filled with datums and counts of zero.
static void end_rows(struct pacr_model *m, struct pacr_packer *p)
{
    unsigned bits = pacr_element_bits(p->own[PACR_K_OUT]);
    unsigned left = (32 - p->augmented % 32) % 32;
    if (p->group_count > 0) {
        left -= 16 - p->group_count;
        p->group_count = 16;
        push_group(m, p);
    }
    if (left > 0 || p->augmented % 32) {
        for (unsigned i = 0; i < left; i++)
            push_data(m, p, 0, bits);
        push_counts(m, p);
    }
    p->augmented = p->rows = 0;
}

void pacr_emit(struct pacr_model *m, struct pacr_packer *p, uint32_t pattern)
{
    p->packed++;
    if (!p->compresses) {
        push_pattern(m, p, pattern);
        return;
    }
    if (pacr_element_bits(p->own[PACR_K_OUT]) == 2)
        pacr_undefined(m, "compression of datums of two bits");
    if (p->own[PACR_K_ACCUMULATE])
        pacr_undefined(m, "accumulation of compressed datums");
    if (p->row_count == PACR_ROW_MAX) {
        pacr_undefined(m, "a row too long for the model");
        return;
    }
    p->row[p->row_count++] = pattern;
}

// ---------------------------------------------------------------- the end of a PACR

static void end_tile(struct pacr_model *m, struct pacr_packer *p, int thread)
{
    const uint32_t *own = p->own;
    bool header = own[PACR_K_ADD_HEADER] && m->fault != PACR_FAULT_SIZE;
    p->last_size = (uint16_t)(p->data.lines + p->exponents.lines + p->row_starts.lines);
    p->last_thread = (uint8_t)thread;
    p->acc_size[thread] = (uint16_t)(p->acc_size[thread] + p->last_size + header);
    if (own[PACR_K_OUT_FIFO] && p->fifo_count < PACR_FIFO) {
        p->fifo[p->fifo_count].size = p->last_size;
        p->fifo[p->fifo_count++].zero_flags = p->zero_flags;
    }
}

void pacr_end_word(struct pacr_model *m, struct pacr_packer *p, int thread,
                   const struct pacr_word *word)
{
    const uint32_t *own = p->own;
    bool compresses = p->compresses, ends = word->last || word->flush;
    if (compresses && (!word->flush || p->row_open)) {
        p->row_open = true;
        if (!word->concat || ends)
            end_row(m, p);
    }
    if (!ends)
        return;
    if (compresses)
        end_rows(m, p);
    if (p->group_count > 0)
        push_group(m, p);
    flush_stream(m, &p->data, own[PACR_K_ACCUMULATE] ? (int)own[PACR_K_OUT] : -1);
    flush_stream(m, &p->exponents, -1);
    flush_stream(m, &p->row_starts, -1);
    if (word->last)
        end_tile(m, p, thread);
    p->data.lines = p->exponents.lines = p->row_starts.lines = 0;
}

// ---------------------------------------------------------------- what is read back

void pacr_clear_histograms(struct pacr_model *m)
{
    for (int i = 0; i < PACR_PACKERS; i++) {
        memset(m->packer[i].histogram, 0, sizeof m->packer[i].histogram);
        m->packer[i].max_exponent = 0;
    }
}

static void clear_sizes(struct pacr_packer *p)
{
    memset(p->acc_size, 0, sizeof p->acc_size);
}

static uint32_t last_size(const struct pacr_packer *p, int thread)
{
    return p->last_thread == thread ? p->last_size : 0;
}

static void header_of(const struct pacr_model *m, int thread, unsigned which, uint32_t values[4])
{
    const struct pacr_packer *p = &m->packer[which];
    unsigned bank = m->config.thread[thread][PACR_T_STATE];
    uint32_t format = m->config.packer[bank][which][PACR_K_OUT];
    values[0] = (last_size(p, thread) + 1) & 0xffff;
    values[1] = format << 16 | (uint32_t)!pacr_compresses(m, which, bank) << 20;
    values[2] = p->zero_flags;
}

void pacr_special(struct pacr_model *m, int thread, unsigned source, unsigned which,
                  uint32_t values[4])
{
    memset(values, 0, 16);
    if (source >= 2 && source <= 5)
        header_of(m, thread, source - 2, values);
    else if (source == 9)
        values[0] = m->packer[0].max_exponent;
    for (unsigned i = 0; i < 4; i++) {
        struct pacr_packer *p = &m->packer[i];
        const uint8_t *bins = &m->packer[which & 3].histogram[(source & 1) * 16 + 4 * i];
        if (source == 0)
            values[i] = (uint32_t)p->acc_size[thread] << 16 | last_size(p, thread);
        else if (source == 1)
            values[i] = p->zero_flags;
        else if (source == 6 || source == 7)
            values[i] = element(bins, 4);
        else if (source == 8)
            values[0] |= (p->zero_flags & 1) << i;
        if (source == 8 && which >> i & 1)
            clear_sizes(p);
    }
}

void pacr_tdma_store(struct pacr_model *m, uint32_t value)
{
    for (unsigned i = 0; i < PACR_PACKERS; i++) {
        if (!(value >> (16 + i) & 1))
            continue;
        clear_sizes(&m->packer[i]);
        if (i == 0 || m->fault != PACR_FAULT_OFFSET)
            m->packer[i].l1_dest_offset = (uint16_t)value;
    }
}

static uint32_t pop(struct pacr_packer *p)
{
    uint32_t flags = p->fifo[0].zero_flags;
    memmove(p->fifo, p->fifo + 1, sizeof p->fifo - sizeof p->fifo[0]);
    p->fifo_count--;
    return flags;
}

// `offset` from TDMA-RISC's first register. The FIFO must not be empty where it is looked at.
uint32_t pacr_tdma_load(struct pacr_model *m, uint32_t offset)
{
    struct pacr_packer *p = &m->packer[offset >> 8 & 3];
    int thread = (int)(offset >> 6 & 3);
    uint32_t status = 0;
    switch (offset & 0x3f) {
    case 0x18:
        return last_size(p, thread);
    case 0x1c:
        return p->acc_size[thread];
    case 0x20:
        return p->zero_flags;
    case 0x30:
        return p->fifo[0].size;
    case 0x34:
        return pop(p);
    default: // 0x38
        for (unsigned i = 0; i < PACR_PACKERS; i++) {
            status |= (m->packer[i].fifo_count == 0 ? 1u : 0) << 2 * i;
            status |= (m->packer[i].fifo_count == PACR_FIFO ? 2u : 0) << 2 * i;
        }
        return status;
    }
}
