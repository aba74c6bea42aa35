// SPDX-License-Identifier: Apache-2.0
// Numeric vectors against include/tessera/numerics.h. A line is split into words, the words become
// numbers, and one small function a kind turns them into a call and a comparison.
#include "check/check_vectors.h"

#include "check/text_lines.h"

#include <tessera/numerics.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 40, MAX_NUMBERS = 48, LANES = 16, FORMAT_FP8 = 10 };

// A line as numbers, in the order of its kind's columns.
struct vector {
    tsr_arch arch;
    size_t count;
    uint32_t number[MAX_NUMBERS];
};

// What a vector wants and what came out: `count` numbers each.
struct outcome {
    tsr_status status;
    size_t count;
    uint32_t want[LANES + 1], got[LANES + 1];
};

// One letter a column: c chip, t target (SrcA, SrcB, Dst), a format by its name, o instruction of
// the vector unit, X sixteen hexadecimal numbers with commas between them, 2 one or two of them, or
// a number of number_columns.
struct vector_kind {
    const char *stem;
    const char *columns;
    void (*run)(const struct vector *vector, struct outcome *outcome);
    bool needs_suffix; // neither a column nor the operation itself says which chip
};

static void set_single(struct outcome *outcome, uint32_t want, uint32_t got)
{
    outcome->count = 1;
    outcome->want[0] = want;
    outcome->got[0] = got;
}

// ---------------------------------------------------------------- operations

static tsr_fpu_mode fpu_mode(const struct vector *vector)
{
    return (tsr_fpu_mode){
        .arch = vector->arch, .e8 = vector->number[0] != 0, .acc32 = vector->number[1] != 0};
}

static void run_dot16(const struct vector *vector, struct outcome *outcome)
{
    const uint32_t *number = vector->number;
    tsr_fpu_mode mode = fpu_mode(vector);

    mode.phase = (uint8_t)number[2];
    set_single(outcome, number[4 + 2 * LANES],
               tsr_fpu_dot16(&mode, number[3], number + 4, number + 4 + LANES));
}

static void run_elwmul(const struct vector *vector, struct outcome *outcome)
{
    const uint32_t *number = vector->number;
    tsr_fpu_mode mode = fpu_mode(vector);

    mode.phase = (uint8_t)number[2];
    set_single(outcome, number[6], tsr_fpu_mul(&mode, number[5], number[3], number[4], true));
}

static void run_elwadd(const struct vector *vector, struct outcome *outcome)
{
    const uint32_t *number = vector->number;
    tsr_fpu_mode mode = fpu_mode(vector);

    set_single(outcome, number[6],
               tsr_fpu_add(&mode, number[2] != 0, number[5], number[3], number[4], true));
}

static void run_unpack(const struct vector *vector, struct outcome *outcome)
{
    const uint32_t *number = vector->number;
    bool to_dst = number[1] != 0;
    tsr_unpack_mode mode = {.arch = vector->arch,
                            .in_format = (uint8_t)number[2],
                            .out_format = (uint8_t)number[3],
                            .to_dst = to_dst,
                            .int8_unsigned = number[4] != 0,
                            .lf8_4b_exp = number[5] != 0};
    uint32_t got = 0;

    outcome->status = tsr_unpack_datum(&mode, number[6], (uint8_t)number[7], &got);
    // The file has a Src datum as the top 19 bits of a 32-bit word.
    set_single(outcome, number[8], to_dst ? got : got << 13);
}

static void run_pack(const struct vector *vector, struct outcome *outcome)
{
    const uint32_t *number = vector->number;
    tsr_pack_mode mode = {.arch = vector->arch,
                          .read_32b = number[1] != 0,
                          .in_format = (uint8_t)number[2],
                          .out_format = (uint8_t)number[3],
                          .relu_mode = (uint8_t)number[4],
                          .read_unsigned = number[5] != 0,
                          .round_10b = number[6] != 0,
                          .relu_threshold = (uint16_t)number[7]};
    uint32_t got = 0;

    // No column says so, but every FP8 in the file was made with a 4-bit exponent.
    mode.lf8_4b_exp = mode.out_format == FORMAT_FP8;
    outcome->status = tsr_pack_datum(&mode, number[8], &got);
    set_single(outcome, number[9], got);
}

static void run_pack_bfp(const struct vector *vector, struct outcome *outcome)
{
    const uint32_t *number = vector->number;
    const uint32_t *results = number + 6 + LANES;
    tsr_pack_mode mode = {.arch = vector->arch,
                          .read_32b = number[1] != 0,
                          .in_format = (uint8_t)number[2],
                          .out_format = (uint8_t)number[3],
                          .relu_mode = (uint8_t)number[4],
                          .relu_threshold = (uint16_t)number[5]};
    uint32_t patterns[LANES];
    uint8_t exponent = 0, datums[LANES] = {0};

    outcome->status = TSR_OK;
    for (int i = 0; i < LANES && outcome->status == TSR_OK; i++)
        outcome->status = tsr_pack_datum(&mode, number[6 + i], &patterns[i]);
    if (outcome->status == TSR_OK)
        outcome->status = tsr_pack_block(mode.out_format, patterns, &exponent, datums);
    outcome->count = LANES + 1;
    outcome->got[0] = exponent;
    outcome->want[0] = results[0];
    for (int i = 0; i < LANES; i++) {
        outcome->got[1 + i] = datums[i];
        outcome->want[1 + i] = results[1 + i];
    }
}

static void run_l1acc(const struct vector *vector, struct outcome *outcome)
{
    const uint32_t *number = vector->number;
    uint32_t got = 0;

    outcome->status = tsr_pack_accumulate((uint8_t)number[0], number[1], number[2], &got);
    set_single(outcome, number[3], got);
}

static void run_fma(const struct vector *vector, struct outcome *outcome)
{
    const uint32_t *number = vector->number;

    set_single(outcome, number[3], tsr_sfpu_fma(vector->arch, number[0], number[1], number[2]));
}

// In the order of read_column()'s names.
enum { SFPU_STOCHRND, SFPU_CAST, SFPU_ARECIP, SFPU_MUL24, SFPU_STORE };

static void run_sfpu(const struct vector *vector, struct outcome *outcome)
{
    unsigned mode = vector->number[2];
    uint32_t in = vector->number[3], got = 0;

    switch (vector->number[1]) {
    case SFPU_STOCHRND:
        got = tsr_sfpu_stoch_rnd(mode, 0, in, 0, 0);
        break;
    case SFPU_CAST:
        got = tsr_sfpu_cast(vector->arch, mode, in, 0);
        break;
    case SFPU_ARECIP:
        got = tsr_sfpu_arecip(mode, 0, in);
        break;
    case SFPU_MUL24:
        got = tsr_sfpu_mul24(mode, in, vector->number[4], 0);
        break;
    case SFPU_STORE:
        got = tsr_sfpu_store(vector->arch, mode, in);
        break;
    }
    set_single(outcome, vector->number[5], got);
}

static const struct vector_kind kinds[] = {
    {"dot16",
     "bbpx"
     "ssssssssssssssss"
     "ssssssssssssssss"
     "x",
     run_dot16, true},
    {"elwmul", "bbpssxx", run_elwmul, true},
    {"elwadd", "bbbssxx", run_elwadd, true},
    {"unpack", "ctffbbxex", run_unpack, false},
    {"pack", "cbffpbbhxx", run_pack, false},
    {"pack_bfp", "cbffphXeX", run_pack_bfp, false},
    {"l1acc", "axxx", run_l1acc, false},
    {"fma", "xxxx", run_fma, true},
    {"sfpu_ops", "cof2x", run_sfpu, false},
};

// ---------------------------------------------------------------- words to numbers

static const struct {
    char letter;
    uint8_t base;
    uint32_t most;
} number_columns[] = {
    {'b', 10, 1},       // flag
    {'p', 10, 3},       // fidelity phase, ReLU mode
    {'f', 10, 15},      // format code
    {'e', 10, 255},     // exponent; '-' is 0
    {'h', 16, 0xffff},  // threshold
    {'s', 16, 0x7ffff}, // Src datum
    {'x', 16, UINT32_MAX},
};

// A hexadecimal or decimal number of at most 32 bits that ends where `end` says.
static bool read_number(const char *text, const char *end, uint32_t base, uint32_t *number)
{
    uint64_t value = 0;

    for (const char *digit = text; digit < end; digit++) {
        const char *digits = "0123456789abcdef";
        const char *found = memchr(digits, *digit, base);
        if (found == NULL)
            return false;
        value = value * base + (uint64_t)(found - digits);
        if (value > UINT32_MAX)
            return false;
    }
    *number = (uint32_t)value;
    return text < end;
}

static bool read_sixteen(const char *text, uint32_t *numbers)
{
    for (int i = 0; i < LANES; i++) {
        size_t length = strcspn(text, ",");
        if (!read_number(text, text + length, 16, &numbers[i]))
            return false;
        text += length;
        if ((*text == ',') != (i < LANES - 1))
            return false;
        text += *text == ',';
    }
    return true;
}

// The second number is 0 where there is none.
static bool read_pair(const char *text, uint32_t *numbers)
{
    size_t length = strcspn(text, ",");
    const char *rest = text + length;

    numbers[1] = 0;
    return read_number(text, rest, 16, &numbers[0]) &&
           (*rest == '\0' || read_number(rest + 1, rest + strlen(rest), 16, &numbers[1]));
}

// The place of `word` in a list that ends with a null pointer; -1 if it is not there.
static int find_word(const char *const *list, const char *word)
{
    for (int i = 0; list[i] != NULL; i++)
        if (strcmp(list[i], word) == 0)
            return i;
    return -1;
}

static bool read_number_column(char column, const char *word, uint32_t *number)
{
    size_t i = 0;

    while (number_columns[i].letter != column)
        i++;
    if (column == 'e' && strcmp(word, "-") == 0)
        return true;
    return read_number(word, word + strlen(word), number_columns[i].base, number) &&
           *number <= number_columns[i].most;
}

static bool read_column(char column, const char *word, struct vector *vector)
{
    static const char *const chips[] = {"wh", "bh", NULL};
    static const char *const targets[] = {"SrcA", "SrcB", "Dst", NULL};
    static const char *const names[] = {"STOCHRND", "CAST", "ARECIP", "MUL24", "STORE", NULL};
    uint32_t *number = &vector->number[vector->count];
    uint8_t code;

    vector->count += column == 'X' ? LANES : column == '2' ? 2 : 1;
    *number = 0;
    switch (column) {
    case 'c':
        return find_word(chips, word) >= 0 && tsr_arch_from_name(word, &vector->arch) == TSR_OK;
    case 't':
        *number = find_word(targets, word) == 2;
        return find_word(targets, word) >= 0;
    case 'a':
        if (tsr_format_find(word, &code) != TSR_OK)
            return false;
        *number = code;
        return true;
    case 'o':
        *number = (uint32_t)find_word(names, word);
        return find_word(names, word) >= 0;
    case 'X':
        return read_sixteen(word, number);
    case '2':
        return read_pair(word, number);
    default:
        return read_number_column(column, word, number);
    }
}

// `line` is cut into words in place.
static bool read_vector(const struct vector_file *file, char *line, struct vector *vector,
                        struct message *why)
{
    const char *columns = file->kind->columns;
    size_t wanted = strlen(columns);
    size_t found = 0;
    char *rest = NULL;

    *vector = (struct vector){.arch = file->arch};
    for (char *word = strtok_r(line, " \t\r", &rest); word != NULL;
         word = strtok_r(NULL, " \t\r", &rest), found++)
        if (found < wanted && !read_column(columns[found], word, vector))
            return message_set(why, "column %zu cannot be '%.64s'", found + 1, word);
    return found == wanted || message_set(why, "%zu columns instead of %zu", found, wanted);
}

// ---------------------------------------------------------------- files

// Walks the lines after the legend. Line numbers begin at 1.
struct line_reader {
    const char *rest, *end;
    unsigned number;
    char line[1024];
};

static void lines_begin(struct line_reader *reader, const char *text)
{
    reader->end = text + strlen(text);
    reader->rest = line_after(text, line_length(text, reader->end), reader->end);
    reader->number = 1;
}

// False at the end. A line that does not fit is cut, which no kind's columns survive.
static bool lines_next(struct line_reader *reader)
{
    while (reader->rest < reader->end) {
        const char *line = reader->rest;
        size_t length = line_length(line, reader->end);
        size_t kept = length < sizeof reader->line ? length : sizeof reader->line - 1;
        reader->rest = line_after(line, length, reader->end);
        reader->number++;
        if (line_is_blank(line, length))
            continue;
        memcpy(reader->line, line, kept);
        reader->line[kept] = '\0';
        return true;
    }
    return false;
}

// `dot16_wh.txt` is dot16 of Wormhole; `pack_bfp.txt` names no chip.
static bool find_kind(struct vector_file *file, struct message *why)
{
    char stem[64];
    const char *slash = strrchr(file->path, '/');
    bool has_suffix = false;

    snprintf(stem, sizeof stem, "%s", slash != NULL ? slash + 1 : file->path);
    stem[strcspn(stem, ".")] = '\0';
    size_t length = strlen(stem);
    if (length > 3 && stem[length - 3] == '_')
        has_suffix = tsr_arch_from_name(stem + length - 2, &file->arch) == TSR_OK;
    if (has_suffix)
        stem[length - 3] = '\0';
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(stem, kinds[i].stem) == 0) {
            file->kind = &kinds[i];
            return has_suffix || !kinds[i].needs_suffix ||
                   message_set(why, "%s: the name must end with _wh.txt or _bh.txt", file->path);
        }
    char names[256] = "";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", kinds[i].stem);
    }
    return message_set(why, "%s: no kind of vectors is called '%s' (%s)", file->path, stem, names);
}

static bool check_lines(const struct vector_file *file, struct message *why)
{
    struct line_reader reader;
    struct message what;
    struct vector vector;
    unsigned count = 0;

    for (lines_begin(&reader, file->text); lines_next(&reader); count++)
        if (!read_vector(file, reader.line, &vector, &what))
            return message_set(why, "%s:%u: %s", file->path, reader.number, what.text);
    return count > 0 || message_set(why, "%s: no vectors after the legend", file->path);
}

bool vectors_open(const char *path, char *text, struct vector_file *file, struct message *why)
{
    *file = (struct vector_file){.path = strdup(path), .text = text};
    if (file->path == NULL)
        return message_no_memory(why, path);
    return find_kind(file, why) && check_lines(file, why);
}

void vectors_close(struct vector_file *file)
{
    free(file->path);
    free(file->text);
    *file = (struct vector_file){0};
}

// ---------------------------------------------------------------- running

static void describe(const struct outcome *outcome, char *text, size_t size)
{
    size_t i = 0;

    while (i < outcome->count - 1 && outcome->got[i] == outcome->want[i])
        i++;
    int length = snprintf(text, size, "expected %" PRIx32, outcome->want[i]);
    if (outcome->status != TSR_OK)
        length += snprintf(text + length, size - (size_t)length, ", got none: %s",
                           tsr_status_text(outcome->status));
    else
        length += snprintf(text + length, size - (size_t)length, ", got %" PRIx32, outcome->got[i]);
    if (outcome->count > 1)
        snprintf(text + length, size - (size_t)length, " as result %zu of %zu", i + 1,
                 outcome->count);
}

void vectors_run(const struct vector_file *file, struct check_result *result)
{
    struct line_reader reader;
    struct message ignored;
    struct vector vector;
    unsigned lines = 0, failures = 0, first = 0;
    char what[200] = "";

    for (lines_begin(&reader, file->text); lines_next(&reader); lines++) {
        struct outcome outcome = {.status = TSR_OK};
        read_vector(file, reader.line, &vector, &ignored);
        file->kind->run(&vector, &outcome);
        size_t bytes = outcome.count * sizeof outcome.got[0];
        bool agrees = outcome.status == TSR_OK && memcmp(outcome.got, outcome.want, bytes) == 0;
        if (agrees || failures++ > 0)
            continue;
        first = reader.number;
        describe(&outcome, what, sizeof what);
    }
    result->verdict = failures > 0 ? CHECK_FAILED : CHECK_PASSED;
    snprintf(result->text, sizeof result->text, "line %u: %s (%u of %u lines differ)", first, what,
             failures, lines);
}
