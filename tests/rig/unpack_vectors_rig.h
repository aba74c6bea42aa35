// SPDX-License-Identifier: Apache-2.0
// Vectors for the unpackers as text: what is set, what lies in L1, what is issued, and everything
// that must be there afterwards. A table of them is run on a tile each; nothing is computed here.
//
// `set`    fields, "name=value" each. REG2_x stands for THCON_SECn_REG2_x and TD.x for a part of
//          the TileDescriptor of the vector's unpacker n, UNP_x for UNPn_x; "1:name" is thread 1's,
//          or bank 1's. in, out, fmt (both), xdim, ydim, zdim, wdim are short for what
//          bench_field() lists, on top of what bench_begin() sets.
// `counts` the unpacker's counters: x0 y0 z0 w0 (channel 0) x1 y1 z1 w1, ctx (context counter), row
//          (SrcRow); thread 0's without "n:". bank is the unpacker's bank. x1 is 15 unless given.
// `l1`     "address: data;", tokens of 2, 4 or 8 hex digits for bytes, halves and words, with *n
//          for n of them and +n for n that count up. All else nearby is 0xa5.
// `run`    instructions, with ";" between them, "1:" for thread 1, "0x…" for a bare word, "~" in
//          front of one that must be held for ever.
// `cells`  "a0: data;" is SrcA bank 0 from row 0 column 0 on, "a4.3:" row 4 column 3; A is bank 1,
//          b and B are SrcB, d is Dst as stored by physical row. Hexadecimal, * and + as above, "-"
//          is a datum that nothing wrote, "!" after one says tainted: out of undefined behaviour.
//          What is not named was never written. "?": no page says.
// `after`  counters that changed, as in `counts`; owner0, owner1 (1: the matrix unit), format0, 1.
// `found`  the codes of all findings.
#ifndef TESSERA_TESTS_UNPACK_VECTORS_RIG_H
#define TESSERA_TESTS_UNPACK_VECTORS_RIG_H

#include "rig/vector_text.h"

#define A "UNPACR OvrdThreadId=1"
#define B "UNPACR OvrdThreadId=1 Unpack_block_selection=1"
#define LEGACY "legacy-mode"

struct unpack_vector {
    const char *mode;
    int chips, unpacker;
    const char *set, *counts, *l1, *run, *cells, *after, *found;
};

struct unpack_counts {
    uint32_t adc[3][8], ctx[3], row[3], bank, owner[2], format[2];
    bool format_given[2];
};

struct unpack_bench {
    const struct unpack_vector *vector;
    tsr_tile *tile;
    struct vector_result result;
    uint32_t cell[5][TSR_DST_ROWS][16]; // a A b B d
    uint8_t want[5][TSR_DST_ROWS][16];  // 1: that value, 2: and tainted
};

enum { UNPACK_FILL = 0xf000, UNPACK_FILL_SIZE = 0x5000 };

static inline void bench_field(struct unpack_bench *bench, int instance, const char *name,
                               uint32_t value)
{
    static const char *const shorts[][3] = {
        {"in", "TD.InDataFormat", ""},
        {"out", "REG2_Out_data_format", ""},
        {"fmt", "TD.InDataFormat", "REG2_Out_data_format"},
        {"xdim", "TD.XDim", "REG5_Tile_x_dim_cntx0"},
        {"ydim", "TD.YDim", ""},
        {"zdim", "TD.ZDim", ""},
        {"wdim", "TD.WDim", ""},
    };
    int n = bench->vector->unpacker;
    char full[160];
    for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++)
        if (strcmp(name, shorts[i][0]) == 0) {
            bench_field(bench, instance, shorts[i][1], value);
            if (shorts[i][2][0])
                bench_field(bench, instance, shorts[i][2], value);
            return;
        }
    if (strncmp(name, "REG", 3) == 0)
        snprintf(full, sizeof full, "THCON_SEC%d_%s", n, name);
    else if (strncmp(name, "TD.", 3) == 0)
        snprintf(full, sizeof full, "THCON_SEC%d_REG0_TileDescriptor.%s", n, name + 3);
    else if (strncmp(name, "UNP_", 4) == 0)
        snprintf(full, sizeof full, "UNP%d_%s", n, name + 4);
    else
        snprintf(full, sizeof full, "%s", name);
    enum tsr_field field = tsr_field_id(full);
    if (field == FIELD_COUNT)
        fail_msg("no field %s", full);
    tile_field(bench->tile, instance, field, value);
}

static inline void bench_fields(struct unpack_bench *bench, const char *text)
{
    char word[120], *name;
    uint32_t value;
    int thread;
    while (vector_word(&text, ' ', word, sizeof word)) {
        vector_pair(word, &thread, &name, &value);
        bench_field(bench, thread, name, value);
    }
}

static inline void bench_begin(struct unpack_bench *bench)
{
    static uint8_t fill[UNPACK_FILL_SIZE];
    memset(fill, 0xa5, sizeof fill);
    assert_int_equal(tsr_l1_write(bench->tile, UNPACK_FILL, fill, sizeof fill), TSR_OK);
    bench_fields(bench, "fmt=1 xdim=16 ydim=16 zdim=1 wdim=1 TD.IsUncompressed=1 "
                        "REG3_Base_address=0xfff " // (0xfff + 1) * 16: the tile begins at 0x10000
                        "REG5_Dest_cntx0_address=64 REG5_Dest_cntx1_address=64 "
                        "REG5_Dest_cntx2_address=64 REG5_Dest_cntx3_address=64 "
                        "SRCA_SET_SetOvrdWithAddr=1 1:SRCA_SET_SetOvrdWithAddr=1 "
                        "2:SRCA_SET_SetOvrdWithAddr=1");
    for (int context = 0; context < 8; context++) {
        char name[60];
        snprintf(name, sizeof name, "REG2_Disable_zero_compress_cntx%d", context);
        bench_field(bench, 0, name, 1);
    }
    bench_fields(bench, bench->vector->set);
}

static inline void bench_counts(const struct unpack_bench *bench, const char *text,
                                struct unpack_counts *counts)
{
    static const char axes[] = "xyzw";
    char word[60], *name;
    uint32_t value;
    int thread;
    while (vector_word(&text, ' ', word, sizeof word)) {
        vector_pair(word, &thread, &name, &value);
        const char *axis = strchr(axes, name[0]);
        if (axis && (name[1] == '0' || name[1] == '1') && name[2] == '\0')
            counts->adc[thread][(name[1] - '0') * 4 + (axis - axes)] = value;
        else if (strcmp(name, "ctx") == 0)
            counts->ctx[thread] = value;
        else if (strcmp(name, "row") == 0)
            counts->row[thread] = value;
        else if (strcmp(name, "bank") == 0)
            counts->bank = value;
        else if (strncmp(name, "owner", 5) == 0)
            counts->owner[name[5] & 1] = value;
        else if (strncmp(name, "format", 6) == 0) {
            counts->format[name[6] & 1] = value;
            counts->format_given[name[6] & 1] = true;
        } else
            fail_msg("%s: no counter %s", bench->vector->mode, name);
    }
}

static inline void bench_put_counts(struct unpack_bench *bench, const struct unpack_counts *counts)
{
    struct tsr_state *state = tile_state(bench->tile);
    int n = bench->vector->unpacker;
    for (int thread = 0; thread < 3; thread++) {
        for (int channel = 0; channel < 2; channel++) {
            tsr_adc_channel *adc = &state->adcs.channel[thread][n][channel];
            const uint32_t *from = &counts->adc[thread][channel * 4];
            *adc = (tsr_adc_channel){.x = from[0], .y = from[1], .z = from[2], .w = from[3]};
        }
        state->unpacker[n].context_counter[thread] = (uint8_t)counts->ctx[thread];
        state->unpacker[n].src_row[thread] = (uint8_t)counts->row[thread];
    }
    state->src[n].unpacker_bank = (uint8_t)counts->bank;
    for (int bank = 0; bank < 2; bank++)
        state->src[n].bank[bank].matrix_owns = counts->owner[bank] != 0;
}

static inline void bench_equal(struct unpack_bench *bench, const char *what, int which,
                               uint32_t got, uint32_t want)
{
    if (got != want)
        vector_complain(&bench->result, "%s %d is 0x%x, and the page says 0x%x", what, which, got,
                        want);
}

static inline void bench_check_counts(struct unpack_bench *bench, const struct unpack_counts *want)
{
    static const char *const names[8] = {"x0", "y0", "z0", "w0", "x1", "y1", "z1", "w1"};
    const struct tsr_state *state = tile_state(bench->tile);
    int n = bench->vector->unpacker;
    for (int thread = 0; thread < 3; thread++) {
        for (int channel = 0; channel < 2; channel++) {
            const tsr_adc_channel *adc = &state->adcs.channel[thread][n][channel];
            const uint32_t got[4] = {adc->x, adc->y, adc->z, adc->w};
            for (int i = 0; i < 4; i++)
                bench_equal(bench, names[channel * 4 + i], thread, got[i],
                            want->adc[thread][channel * 4 + i]);
        }
        bench_equal(bench, "context counter", thread, state->unpacker[n].context_counter[thread],
                    want->ctx[thread]);
        bench_equal(bench, "SrcRow", thread, state->unpacker[n].src_row[thread], want->row[thread]);
    }
    bench_equal(bench, "unpacker bank", n, state->src[n].unpacker_bank, want->bank);
    for (int bank = 0; bank < 2; bank++) {
        bench_equal(bench, "owner of bank", bank, state->src[n].bank[bank].matrix_owns,
                    want->owner[bank]);
        if (want->format_given[bank])
            bench_equal(bench, "implied format", bank, state->src[n].bank[bank].implied_format,
                        want->format[bank]);
    }
}

static inline void bench_l1_section(struct unpack_bench *bench, const char *text)
{
    vector_l1(bench->tile, text);
}

static inline void bench_cells_section(struct unpack_bench *bench, const char *text)
{
    static const char places[] = "aAbBd";
    const char *place = strchr(places, text[0]);
    char word[40];
    char *at;
    assert_non_null(place);
    unsigned row = (unsigned)strtoul(text + 1, &at, 10);
    unsigned i = row * 16 + (*at == '.' ? (unsigned)strtoul(at + 1, &at, 10) : 0);
    assert_int_equal(*at, ':');
    text = at + 1;
    while (vector_word(&text, ' ', word, sizeof word)) {
        struct vector_datum datum = {.count = 1};
        bool written = word[0] != '-';
        if (written)
            datum = vector_datum(word);
        else if (word[1] == '*')
            datum.count = (uint32_t)strtoul(word + 2, NULL, 10);
        for (; datum.count > 0; datum.count--, i++, datum.value += datum.step) {
            assert_true(i < TSR_DST_ROWS * 16);
            bench->cell[place - places][i / 16][i % 16] = datum.value;
            bench->want[place - places][i / 16][i % 16] = (uint8_t)(!written            ? 0
                                                                    : strchr(word, '!') ? 2
                                                                                        : 1);
        }
    }
}

static inline void bench_sections(struct unpack_bench *bench, const char *text,
                                  void (*section)(struct unpack_bench *, const char *))
{
    char one[400];
    while (vector_word(&text, ';', one, sizeof one))
        if (one[0])
            section(bench, one);
}

static inline void bench_check_row(struct unpack_bench *bench, int place, int row,
                                   const uint32_t *datum, uint16_t written, uint16_t tainted)
{
    for (int i = 0; i < 16; i++) {
        uint8_t want = bench->want[place][row][i];
        uint32_t value = bench->cell[place][row][i];
        if ((written >> i & 1) != (want != 0))
            vector_complain(&bench->result, "%c%d.%d is %s", "aAbBd"[place], row, i,
                            want ? "not written" : "written, and should not be");
        else if (want && datum[i] != value)
            vector_complain(&bench->result, "%c%d.%d is 0x%x, and the page says 0x%x",
                            "aAbBd"[place], row, i, datum[i], value);
        else if (want && (tainted >> i & 1) != (want == 2))
            vector_complain(&bench->result, "%c%d.%d is %stainted", "aAbBd"[place], row, i,
                            want == 2 ? "not " : "");
    }
}

static inline void bench_check_cells(struct unpack_bench *bench)
{
    for (int place = 0; place < 4; place++)
        for (int row = 0; row < TSR_SRC_ROWS; row++) {
            tsr_src_row src;
            assert_int_equal(tsr_view_src(bench->tile, place / 2, place & 1, row, &src), TSR_OK);
            bench_check_row(bench, place, row, src.datum, src.written, src.tainted);
        }
    for (int row = 0; row < TSR_DST_ROWS; row++) {
        tsr_dst_row dst;
        uint32_t datum[16];
        assert_int_equal(tsr_view_dst(bench->tile, row, &dst), TSR_OK);
        for (int i = 0; i < 16; i++)
            datum[i] = dst.bits[i];
        bench_check_row(bench, 4, row, datum, dst.written, dst.tainted);
    }
}

static inline bool bench_lists(const char *found, const char *code)
{
    size_t n = strlen(code);
    for (const char *at = found; (at = strstr(at, code)) != NULL; at += n)
        if ((at == found || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
            return true;
    return false;
}

static inline void bench_check_found(struct unpack_bench *bench)
{
    const char *listed = bench->vector->found;
    char code[60];
    for (int i = 0; i < tsr_diagnostic_count(bench->tile); i++) {
        const tsr_diagnostic *one = tsr_diagnostic_at(bench->tile, i);
        if (!bench_lists(listed, one->code))
            vector_complain(&bench->result, "found %s: %s", one->code, one->sentence);
    }
    while (vector_word(&listed, ' ', code, sizeof code))
        if (!tile_found(bench->tile, code))
            vector_complain(&bench->result, "did not find %s", code);
}

static inline void bench_issue(struct unpack_bench *bench, const char *text)
{
    tsr_limits limits = tsr_limits_default();
    int thread = 0;
    bool held = text[0] == '~';
    text += held;
    limits.external = true; // a pending owner or pointer is no mistake here
    if (text[0] != '\0' && text[1] == ':') {
        thread = text[0] - '0';
        text += 2;
    }
    if (text[0] == '0')
        tile_push_word(bench->tile, thread, (uint32_t)strtoul(text, NULL, 16));
    else
        tile_push(bench->tile, thread, text);
    tsr_end end = tsr_run(bench->tile, &limits);
    if (end != (held ? TSR_END_BLOCKED : TSR_END_IDLE))
        vector_complain(&bench->result, "the tile ends with %d", (int)end);
}

static inline unsigned vector_run(int arch, const struct unpack_vector *vector, int way)
{
    static struct unpack_bench bench;
    struct unpack_counts counts = {.adc = {[0] = {[4] = 15}}};
    memset(&bench, 0, sizeof bench);
    bench.vector = vector;
    bench.result = (struct vector_result){vector->mode, arch, 0};
    bench.tile = vector_tile(arch, way);
    bench_begin(&bench);
    bench_sections(&bench, vector->l1, bench_l1_section);
    if (vector->cells[0] != '?')
        bench_sections(&bench, vector->cells, bench_cells_section);
    bench_counts(&bench, vector->counts, &counts);
    bench_put_counts(&bench, &counts);
    bench_sections(&bench, vector->run, bench_issue);
    bench_counts(&bench, vector->after, &counts);
    bench_check_counts(&bench, &counts);
    if (vector->cells[0] != '?')
        bench_check_cells(&bench);
    bench_check_found(&bench);
    tsr_tile_destroy(bench.tile);
    return bench.result.wrong > 0;
}

#endif
