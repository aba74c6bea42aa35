// SPDX-License-Identifier: Apache-2.0
// What the text rows of the packers' and the unpackers' vectors share: words, "name=value" pairs,
// data, findings, and the three tiles that every vector runs on. Nothing is computed here.
#ifndef TESSERA_TESTS_VECTOR_TEXT_H
#define TESSERA_TESTS_VECTOR_TEXT_H

#include "rig/tile_rig.h"

enum { ON_WH = 1, ON_BH = 2, ON_BOTH = 3 };

// What came of one vector on one tile.
struct vector_result {
    const char *name;
    int arch;
    unsigned wrong;
};

static inline void vector_complain(struct vector_result *result, const char *format, ...)
{
    char text[200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (++result->wrong <= 6)
        print_error("%s %s: %s\n", result->arch == WH ? "WH" : "BH", result->name, text);
}

// Copies the next word of `*text` up to a blank or `stop`; false at the end. Steps over `stop`.
static inline bool vector_word(const char **text, char stop, char *word, size_t size)
{
    const char *p = *text + strspn(*text, " ");
    size_t n = stop == ';' ? strcspn(p, ";") : strcspn(p, " ;");
    if (n == 0 && *p == '\0')
        return false;
    assert_true(n < size);
    memcpy(word, p, n);
    word[n] = '\0';
    p += n;
    *text = *p == ';' && stop == ';' ? p + 1 : p;
    return true;
}

// "2:name=value" into its parts; 0 without "2:".
static inline void vector_split(char *word, int *instance, char **name, char **value)
{
    char *equals = strchr(word, '=');
    if (!equals)
        fail_msg("no '=' in %s", word);
    *equals = '\0';
    *value = equals + 1;
    *instance = 0;
    *name = word;
    if (word[0] >= '0' && word[0] <= '2' && word[1] == ':') {
        *instance = word[0] - '0';
        *name = word + 2;
    }
}

static inline void vector_pair(char *word, int *instance, char **name, uint32_t *value)
{
    char *text;
    vector_split(word, instance, name, &text);
    *value = (uint32_t)strtoul(text, NULL, 0);
}

struct vector_datum {
    unsigned digits;
    uint32_t value, count, step;
};

// A datum with its repetition: "0001*4" or "0001+16".
static inline struct vector_datum vector_datum(const char *word)
{
    char *end;
    struct vector_datum datum = {.value = (uint32_t)strtoul(word, &end, 16)};
    datum.digits = (unsigned)(end - word);
    if (datum.digits == 0)
        fail_msg("no number: %s", word);
    datum.count = *end == '*' || *end == '+' ? (uint32_t)strtoul(end + 1, NULL, 10) : 1;
    datum.step = *end == '+';
    return datum;
}

// "address: data", in tokens of 2, 4 or 8 digits for bytes, halves and words of L1.
static inline void vector_l1(tsr_tile *tile, const char *text)
{
    char word[40];
    char *colon;
    uint32_t address = (uint32_t)strtoul(text, &colon, 16);
    assert_int_equal(*colon, ':');
    text = colon + 1;
    while (vector_word(&text, ' ', word, sizeof word)) {
        struct vector_datum datum = vector_datum(word);
        assert_true(datum.digits == 2 || datum.digits == 4 || datum.digits == 8);
        for (; datum.count > 0; datum.count--, datum.value += datum.step) {
            const uint8_t bytes[4] = {(uint8_t)datum.value, (uint8_t)(datum.value >> 8),
                                      (uint8_t)(datum.value >> 16), (uint8_t)(datum.value >> 24)};
            assert_int_equal(tsr_l1_write(tile, address, bytes, datum.digits / 2), TSR_OK);
            address += datum.digits / 2;
        }
    }
}

// With the kernels of this CPU, with the reference ones, and with timing on.
enum { VECTOR_DEFAULT, VECTOR_REFERENCE, VECTOR_TIMED, VECTOR_WAYS };

static inline tsr_tile *vector_tile(int arch, int way)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.profile = TSR_PROFILE_SILICON; // what is undefined is recorded, and the tile goes on
    options.timing = way == VECTOR_TIMED;
    options.kernels = way == VECTOR_REFERENCE ? "reference" : NULL;
    return tile_with(&options);
}

// A table of vectors as a test on each chip; the rig has vector_run(), which returns 1 if something
// is wrong.
#define VECTORS(table)                                                                             \
    static void table##_run(int arch)                                                              \
    {                                                                                              \
        unsigned wrong = 0;                                                                        \
        for (size_t i = 0; i < sizeof table / sizeof *table; i++)                                  \
            for (int way = 0; way < VECTOR_WAYS; way++)                                            \
                if (table[i].chips & (arch == WH ? ON_WH : ON_BH))                                 \
                    wrong += vector_run(arch, &table[i], way);                                     \
        assert_int_equal(wrong, 0);                                                                \
    }                                                                                              \
    TILE_BOTH(table##_run)
#define VECTORS_TEST(table) TILE_TEST(table##_run)

#endif
