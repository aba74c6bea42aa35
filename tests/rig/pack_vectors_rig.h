// SPDX-License-Identifier: Apache-2.0
// Vectors for PACR as text: what is set, what lies in Dst and L1, what is issued, and what must be
// there afterwards. A table of them is run on a tile each; nothing is computed here. Dst's bit
// order is written out here once more (Dst.md), so that nothing of the packer's is used.
//
// `set`   the formats, "BF16>BFP8" or "INT16" for both sides, of every packer; then "name=value"
//         pairs. A name without its prefix is of packer 0, THCON_SEC0_REG1_x, or what
//         pack_field_id() knows; REG8_x is packer 1's. "1:name" is bank or thread 1's. x0 y0 z0 w0
//         ycr0 zcr0 (channel 0), x1 … (channel 1) are the packers' counters, gpr8 a register,
//         ffb1101c a word of TDMA-RISC; rowset0 … faceset3 take sixteen entries ("1,2,3"), out
//         takes an address in L1 instead of a line. x1 is 15 unless given.
// `cells` "d0: data" is Dst from row 0 column 0 on, and the rest of the last row is zero: words of
//         8 digits are FP32 or INT32, of 4 digits what the format between looks like (FP16, BF16
//         or raw). "d0-3:" is the same in rows 0 to 3; "d0-3+100:" adds 0x100 from row to row.
//         "8000: data" is L1, tokens of 2, 4 or 8 hexadecimal digits for bytes, halves and words,
//         with *n for n of them and +n for n that count up.
// `run`   steps with ";" between them, "" for "P Last=1":
//         "P Last=1"     PACR of packer 0 (interface 0, Blackhole); "rows 0 3": one for each row,
//                        the last with Last; another instruction as it is, "1:" for thread 1
//         "name=value"   as in `set`; "d1: data" as in `cells`
//         "40000: data"  L1 must hold that (0x40000 is packer 0's output); "--": nothing wrote it;
//                        "40000/100: data" has one datum every 0x100 bytes
//         "? name=value" counters, registers, TDMA-RISC words, s0.1.2 (SETDMAREG: source 0, packers
//                        1, word 2), max (largest exponent) must be that; "name&mask=value" for
//                        some bits of it, "name" to read it only
//         "bins 31=16"   packer 0's histogram is zero but for that; bins1 is packer 1's
//         "found code"   that finding is there
//         "4*step"       four times
// `after` further steps.
#ifndef TESSERA_TESTS_PACK_VECTORS_RIG_H
#define TESSERA_TESTS_PACK_VECTORS_RIG_H

#include "rig/pack_rig.h"
#include "rig/vector_text.h"

#include <ctype.h>

struct pack_vector {
    const char *name;
    int chips;
    const char *set, *cells, *run, *after;
};

struct pack_bench {
    const struct pack_vector *vector;
    tsr_tile *tile;
    struct vector_result result;
    int between; // the format
};

// A number, or the name of a format.
static inline uint32_t pack_value(const char *text)
{
    static const struct {
        const char *name;
        int code;
    } formats[] = {
        {"FP32", FP32},   {"FP16", FP16},   {"BFP8a", BFP8A}, {"TF32", TF32}, {"BF16", BF16},
        {"BFP8", BFP8},   {"BFP4", BFP4},   {"INT32", INT32}, {"INT8", INT8}, {"BFP4a", BFP4A},
        {"INT16", INT16}, {"BFP2a", BFP2A}, {"BFP2", BFP2},   {"FP8", FP8},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(text, formats[i].name) == 0)
            return (uint32_t)formats[i].code;
    char *end;
    uint32_t value = (uint32_t)strtoul(text, &end, 0);
    if (end == text || *end != '\0')
        fail_msg("neither a number nor a format: %s", text);
    return value;
}

static inline enum tsr_field pack_field_id(const char *name)
{
    static const char *const shorts[][2] = {
        {"raw", "PCK_DEST_RD_CTRL_Read_int8"},
        {"unsigned", "PCK_DEST_RD_CTRL_Read_unsigned"},
        {"exponents", "THCON_SEC0_REG1_Exp_section_size"}, // lines in front of the datums
        {"starts", "THCON_SEC0_REG1_Row_start_section_size"},
        {"threshold", "THCON_SEC0_REG1_Exp_threshold"},
        {"relu", "STACC_RELU_ApplyRelu"},
        {"relu_at", "STACC_RELU_ReluThreshold"},
        {"shift", "INT_DESCALE_VALUES_SEC0_Value"},
        {"mask0", "PCK_EDGE_OFFSET_SEC0_mask"},
        {"mask1", "PCK_EDGE_OFFSET_SEC1_mask"},
        {"mask2", "PCK_EDGE_OFFSET_SEC2_mask"},
        {"mask3", "PCK_EDGE_OFFSET_SEC3_mask"},
        {"infinity", "PCK_EDGE_MODE_mode"},
        {"dstacc", "ALU_FORMAT_SPEC_REG2_Dstacc"},
        {"row", "DEST_TARGET_REG_CFG_PACK_SEC0_Offset"}, // that packer 0 starts at
        {"row1", "DEST_TARGET_REG_CFG_PACK_SEC1_Offset"},
        {"row2", "DEST_TARGET_REG_CFG_PACK_SEC2_Offset"},
        {"row3", "DEST_TARGET_REG_CFG_PACK_SEC3_Offset"},
        {"plane", "PACK_COUNTERS_SEC0_pack_reads_per_xy_plane"},
        {"from_l1", "THCON_SEC0_REG1_Source_interface_selection"},
        {"xstride0", "PCK0_ADDR_CTRL_XY_REG_0_Xstride"},
        {"ystride0", "PCK0_ADDR_CTRL_XY_REG_0_Ystride"},
        {"zstride0", "PCK0_ADDR_CTRL_ZW_REG_0_Zstride"},
        {"wstride0", "PCK0_ADDR_CTRL_ZW_REG_0_Wstride"},
        {"ystride1", "PCK0_ADDR_CTRL_XY_REG_1_Ystride"},
        {"zstride1", "PCK0_ADDR_CTRL_ZW_REG_1_Zstride"},
        {"wstride1", "PCK0_ADDR_CTRL_ZW_REG_1_Wstride"},
        {"base0", "PCK0_ADDR_BASE_REG_0_Base"}, // of the input
        {"base1", "PCK0_ADDR_BASE_REG_1_Base"}, // of the output
    };
    static const char *const prefixes[] = {
        "", "THCON_SEC0_REG1_", "THCON_SEC0_", "THCON_", "ADDR_MOD_PACK_", "PCK_EDGE_TILE_",
    };
    char full[160];
    for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++)
        if (strcmp(name, shorts[i][0]) == 0)
            return tsr_field_id(shorts[i][1]);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        snprintf(full, sizeof full, "%s%s", prefixes[i], name);
        if (tsr_field_id(full) != FIELD_COUNT)
            return tsr_field_id(full);
    }
    fail_msg("no field %s", name);
    return FIELD_COUNT;
}

// Counter "y0", "zcr1" of the packers; NULL if it is none.
static inline uint32_t *pack_counter(struct pack_bench *bench, int thread, const char *name)
{
    size_t n = strlen(name);
    int channel = n > 0 ? name[n - 1] - '0' : -1;
    if ((n != 2 && n != 4) || !strchr("xyzw", name[0]) || (channel != 0 && channel != 1) ||
        (n == 4 && strncmp(name + 1, "cr", 2) != 0))
        return NULL;
    tsr_adc_channel *adc = &tile_state(bench->tile)->adcs.channel[thread][TSR_ADC_PACKERS][channel];
    uint32_t *const counters[2][4] = {{&adc->x, &adc->y, &adc->z, &adc->w},
                                      {&adc->x_cr, &adc->y_cr, &adc->z_cr, &adc->w_cr}};
    return counters[n == 4][strchr("xyzw", name[0]) - "xyzw"];
}

// Entries of two bits each: which row sets faces have, or which sections rows have.
static inline void pack_entries(struct pack_bench *bench, const char *name, const char *list)
{
    char field[80];
    const char *kind = name[0] == 'r' ? "row" : "face";
    uint32_t entries = 0;
    snprintf(field, sizeof field, "TILE_%s_SET_MAPPING_%c_%s_set_mapping_0",
             name[0] == 'r' ? "ROW" : "FACE", name[strlen(name) - 1], kind);
    for (unsigned i = 0; *list; i++, list += list[1] == ',' ? 2 : 1)
        entries |= (uint32_t)(*list - '0') << 2 * i;
    pack_mapping(bench->tile, tsr_field_id(field), entries);
}

static inline void pack_set(struct pack_bench *bench, const char *text)
{
    char word[120], *name, *value;
    int instance;
    while (vector_word(&text, ' ', word, sizeof word)) {
        vector_split(word, &instance, &name, &value);
        uint32_t *counter = pack_counter(bench, instance, name);
        if (strncmp(name, "rowset", 6) == 0 || strncmp(name, "faceset", 7) == 0)
            pack_entries(bench, name, value);
        else if (counter)
            *counter = pack_value(value);
        else if (strncmp(name, "gpr", 3) == 0)
            tile_set_gpr(bench->tile, instance, atoi(name + 3), pack_value(value));
        else if (strncmp(name, "ffb", 3) == 0)
            assert_int_equal(tsr_store(bench->tile, TSR_CORE_B, (uint32_t)strtoul(name, NULL, 16),
                                       pack_value(value), 4),
                             TSR_OK);
        else if (strcmp(name, "out") == 0)
            tile_field(bench->tile, instance, FIELD_THCON_SEC0_REG1_L1_Dest_addr,
                       pack_value(value) / 16 - 1);
        else
            tile_field(bench->tile, instance, pack_field_id(name), pack_value(value));
    }
}

static inline uint32_t stored_bf16(uint32_t v) // S M7 E8
{
    return (v & 0x8000) | (v & 0x7f) << 8 | (v >> 7 & 0xff);
}

static inline uint32_t stored_fp16(uint32_t v) // S M10 E5
{
    return (v & 0x8000) | (v & 0x3ff) << 5 | (v >> 10 & 0x1f);
}

static inline uint32_t stored_32(uint32_t v) // the high half like a BF16, the low half as it is
{
    return stored_bf16(v >> 16) << 16 | (v & 0xffff);
}

static inline void pack_put(struct pack_bench *bench, unsigned row, unsigned column, bool wide,
                            uint32_t value)
{
    int between = bench->between;
    if (wide) {
        tile_field(bench->tile, 0, FIELD_PCK_DEST_RD_CTRL_Read_32b_data, 1);
        value = stored_32(value);
    } else if (between == FP16 || between == FP8 || between == BFP8A || between == BFP4A ||
               between == BFP2A) {
        value = stored_fp16(value);
    } else if (between != INT16) {
        value = stored_bf16(value);
    }
    dst_put(bench->tile, row, column, value, wide);
}

static inline void pack_dst(struct pack_bench *bench, const char *text)
{
    char word[40], *at;
    unsigned first = (unsigned)strtoul(text + 1, &at, 10);
    unsigned last = *at == '-' ? (unsigned)strtoul(at + 1, &at, 10) : first;
    uint32_t add = *at == '+' ? (uint32_t)strtoul(at + 1, &at, 16) : 0;
    assert_int_equal(*at, ':');
    for (unsigned row = first; row <= last; row++) {
        const char *data = at + 1;
        unsigned i = row * 16;
        bool wide = false;
        while (vector_word(&data, ' ', word, sizeof word)) {
            struct vector_datum datum = vector_datum(word);
            wide = datum.digits == 8;
            for (; datum.count > 0; datum.count--, i++, datum.value += datum.step)
                pack_put(bench, i / 16, i % 16, wide, datum.value + add * (row - first));
        }
        for (; i % 16 != 0; i++)
            pack_put(bench, i / 16, i % 16, wide, 0);
    }
}

static inline void pack_check_l1(struct pack_bench *bench, const char *text)
{
    char word[40], *colon;
    uint32_t address = (uint32_t)strtoul(text, &colon, 16);
    uint32_t apart = *colon == '/' ? (uint32_t)strtoul(colon + 1, &colon, 16) : 0;
    assert_int_equal(*colon, ':');
    text = colon + 1;
    while (vector_word(&text, ' ', word, sizeof word)) {
        bool unwritten = strncmp(word, "--", 2) == 0;
        if (unwritten)
            memcpy(word, "00", 2);
        struct vector_datum datum = vector_datum(word);
        unsigned size = datum.digits / 2;
        assert_true(datum.digits == 2 || datum.digits == 4 || datum.digits == 8);
        for (; datum.count > 0; datum.count--, datum.value += datum.step) {
            uint32_t got = out_at(bench->tile, address, size);
            if (unwritten && was_written(bench->tile, address, 1))
                vector_complain(&bench->result, "0x%x was written", address);
            else if (!unwritten && got != datum.value)
                vector_complain(&bench->result, "0x%x has 0x%x, and the page says 0x%x", address,
                                got, datum.value);
            address += apart > 0 ? apart : size;
        }
    }
}

static inline uint32_t pack_look(struct pack_bench *bench, int thread, const char *name)
{
    const uint32_t *counter = pack_counter(bench, thread, name);
    unsigned source, packers, word;
    uint32_t value = 0xdeadbeef;
    if (counter)
        return *counter;
    if (strncmp(name, "gpr", 3) == 0)
        return tile_gpr(bench->tile, thread, atoi(name + 3));
    if (strcmp(name, "max") == 0)
        return pack_state(bench->tile, 9, 0, 0);
    if (sscanf(name, "s%u.%u.%u", &source, &packers, &word) == 3)
        return pack_state(bench->tile, source, packers, word);
    if (strncmp(name, "ffb", 3) != 0)
        fail_msg("nothing to look at: %s", name);
    assert_int_equal(
        tsr_load(bench->tile, TSR_CORE_B, (uint32_t)strtoul(name, NULL, 16), &value, 4), TSR_OK);
    return value;
}

static inline void pack_check(struct pack_bench *bench, const char *text)
{
    char word[120], *name;
    uint32_t want;
    int thread;
    while (vector_word(&text, ' ', word, sizeof word)) {
        if (!strchr(word, '=')) {
            pack_look(bench, 0, word);
            continue;
        }
        vector_pair(word, &thread, &name, &want);
        char *mask = strchr(name, '&');
        if (mask)
            *mask = '\0';
        uint32_t got = pack_look(bench, thread, name);
        if (mask)
            got &= (uint32_t)strtoul(mask + 1, NULL, 16);
        if (got != want)
            vector_complain(&bench->result, "%s is 0x%x, and the page says 0x%x", name, got, want);
    }
}

// Sources 6 and 7 of SETDMAREG have bins 0 to 15 and 16 to 31, four in a word.
static inline void pack_check_bins(struct pack_bench *bench, const char *text)
{
    char word[60], *name;
    uint32_t want[32] = {0}, count;
    int thread;
    unsigned packer = isdigit((unsigned char)text[0]) ? (unsigned)(*text++ - '0') : 0;
    while (vector_word(&text, ' ', word, sizeof word)) {
        vector_pair(word, &thread, &name, &count);
        want[atoi(name) & 31] = count;
    }
    for (unsigned i = 0; i < 8; i++) {
        uint32_t got = pack_state(bench->tile, 6 + i / 4, packer, i % 4);
        for (unsigned k = 0; k < 4; k++)
            if ((got >> 8 * k & 0xff) != want[4 * i + k])
                vector_complain(&bench->result, "bin %u is %u, and the page says %u", 4 * i + k,
                                (unsigned)(got >> 8 * k & 0xff), (unsigned)want[4 * i + k]);
    }
}

// "P" is a PACR of packer 0 (Wormhole), of interface 0 (Blackhole).
static inline void pack_issue(struct pack_bench *bench, const char *text)
{
    char packer[120];
    int thread = 0;
    if (text[0] != '\0' && text[1] == ':') {
        thread = text[0] - '0';
        text += 2;
    }
    if (text[0] == 'P' && (text[1] == ' ' || text[1] == '\0')) {
        snprintf(packer, sizeof packer, "PACR %s=1%s",
                 bench->result.arch == WH ? "PackSel" : "ReadIntfSel", text + 1);
        text = packer;
    }
    tile_do(bench->tile, thread, text);
}

static inline void pack_each_row(struct pack_bench *bench, const char *text)
{
    unsigned first, last;
    assert_int_equal(sscanf(text, "%u %u", &first, &last), 2);
    for (unsigned row = first; row <= last; row++) {
        tile_field(bench->tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, row);
        pack_issue(bench, row == last ? "P Last=1" : "P");
    }
}

static inline void pack_step(struct pack_bench *bench, const char *text)
{
    char *end;
    unsigned long times = strtoul(text, &end, 10);
    size_t first = strcspn(text, " ");
    if (times > 0 && *end == '*') {
        for (; times > 0; times--)
            pack_step(bench, end + 1);
    } else if (text[0] == 'd' && isdigit((unsigned char)text[1])) {
        pack_dst(bench, text);
    } else if (first > 0 && text[first - 1] == ':') {
        pack_check_l1(bench, text);
    } else if (strncmp(text, "? ", 2) == 0) {
        pack_check(bench, text + 2);
    } else if (strncmp(text, "bins", 4) == 0) {
        pack_check_bins(bench, text + 4);
    } else if (strncmp(text, "found ", 6) == 0) {
        if (!tile_found(bench->tile, text + 6))
            vector_complain(&bench->result, "no %s", text + 6);
    } else if (strncmp(text, "rows ", 5) == 0) {
        pack_each_row(bench, text + 5);
    } else if (memchr(text, '=', first)) {
        pack_set(bench, text);
    } else {
        pack_issue(bench, text);
    }
}

static inline void pack_steps(struct pack_bench *bench, const char *text)
{
    char one[800];
    while (vector_word(&text, ';', one, sizeof one))
        if (one[0])
            pack_step(bench, one);
}

// What is there before: the formats, fields, Dst and L1.
static inline void pack_begin(struct pack_bench *bench)
{
    const char *text = bench->vector->set, *cells = bench->vector->cells;
    char one[800], *out;
    assert_true(vector_word(&text, ' ', one, sizeof one));
    out = strchr(one, '>');
    if (out)
        *out++ = '\0';
    bench->between = (int)pack_value(one);
    pack_formats(bench->tile, bench->between, (int)pack_value(out ? out : one), false);
    pack_datums(bench->tile, 0, 16);
    pack_set(bench, text);
    while (vector_word(&cells, ';', one, sizeof one))
        if (one[0] == 'd')
            pack_dst(bench, one);
        else if (one[0])
            vector_l1(bench->tile, one);
}

static inline unsigned vector_run(int arch, const struct pack_vector *vector, int way)
{
    struct pack_bench bench = {
        .vector = vector, .tile = vector_tile(arch, way), .result = {vector->name, arch, 0}};
    pack_begin(&bench);
    pack_steps(&bench, vector->run[0] ? vector->run : "P Last=1");
    pack_steps(&bench, vector->after);
    tsr_tile_destroy(bench.tile);
    return bench.result.wrong > 0;
}

#endif
