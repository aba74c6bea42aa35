// SPDX-License-Identifier: Apache-2.0
// The words of --dump: a storage, and for some a format and a range; see dump_words.h.
#include "run/dump_words.h"

#include "common/cli_options.h"

#include <tessera/numerics.h>

#include <stdio.h>
#include <string.h>

enum { MAX_PARTS = 4, TILE_DATUMS = 1024 };

// A word and its parts, which colons separate.
struct dump_word {
    const char *whole;
    char text[64], *part[MAX_PARTS];
    int parts;
};

// False if there are too many parts.
static bool split(struct dump_word *word, const char *whole)
{
    word->whole = whole;
    word->parts = 0;
    snprintf(word->text, sizeof word->text, "%s", whole);
    for (char *at = word->text; at != NULL;) {
        if (word->parts == MAX_PARTS)
            return false;
        word->part[word->parts++] = at;
        at = strchr(at, ':');
        if (at != NULL)
            *at++ = '\0';
    }
    return true;
}

// ---------------------------------------------------------------- Dst, SrcA, SrcB

// N or N-M.
static bool parse_rows(struct dump_order *order, const char *text)
{
    char first[24];
    size_t length = strcspn(text, "-");
    uint64_t from, to;

    snprintf(first, sizeof first, "%.*s", (int)(length < 20 ? length : 20), text);
    if (!parse_number(first, &from) ||
        !parse_number(text[length] == '-' ? text + length + 1 : first, &to) || from > to ||
        to > order->last)
        return false;
    order->first = (uint32_t)from;
    order->last = (uint32_t)to;
    return true;
}

// The formats that datums of a storage can have, in the order of the sentence.
static const char *formats_of(enum dump_kind kind)
{
    return kind == DUMP_DST ? "fp32 tf32 bf16 fp16 int32 int16 int8" : "tf32 bf16 fp16 int16 int8";
}

static bool parse_row_format(struct dump_order *order, const char *text)
{
    const char *place = strstr(formats_of(order->kind), text);
    size_t length = strlen(text);

    if (place == NULL || length < 4 || (place[length] != ' ' && place[length] != '\0'))
        return false;
    order->numbers = true;
    return tsr_format_find(text, &order->format) == TSR_OK;
}

static bool parse_storage(struct dump_order *order, const struct dump_word *word,
                          struct message *why)
{
    int next = 1;

    order->last = order->kind == DUMP_DST ? 1023 : 63;
    if (next < word->parts && (word->part[next][0] < '0' || word->part[next][0] > '9')) {
        if (!parse_row_format(order, word->part[next]))
            return message_set(why, "--dump: %s has numbers of %s, not '%s'", word->part[0],
                               formats_of(order->kind), word->part[next]);
        next++;
    }
    if (order->numbers && order->kind == DUMP_DST && tsr_array_bytes(order->format, 1) == 4)
        order->last = 511;
    if (next < word->parts && !parse_rows(order, word->part[next]))
        return message_set(why, "--dump: rows are N or N-M, 0 to %u, not '%s'",
                           (unsigned)order->last, word->part[next]);
    return next + 1 >= word->parts ||
           message_set(why, "--dump: this is more than STORAGE:FORMAT:ROWS '%s'", word->whole);
}

// ---------------------------------------------------------------- L1

uint64_t dump_l1_bytes(const struct dump_order *order)
{
    if (!order->numbers)
        return order->size;
    return (uint64_t)order->size * (tsr_array_bytes(order->format, TILE_DATUMS) +
                                    tsr_array_exponents(order->format, TILE_DATUMS));
}

static bool parse_l1(struct dump_order *order, const struct dump_word *word, struct message *why)
{
    uint64_t address, size = 1;

    if (word->parts < 3 || !parse_number(word->part[1], &address) || address > UINT32_MAX)
        return message_set(why, "--dump: this is not l1:ADDRESS:LENGTH '%s'", word->whole);
    order->numbers = tsr_format_find(word->part[2], &order->format) == TSR_OK;
    const char *number = order->numbers ? (word->parts == 4 ? word->part[3] : "1") : word->part[2];
    if (!parse_number(number, &size) || size > UINT32_MAX || size == 0 ||
        (!order->numbers && word->parts == 4))
        return message_set(why, "--dump: this is neither l1:ADDRESS:LENGTH nor %s '%s'",
                           "l1:ADDRESS:FORMAT:TILES", word->whole);
    order->address = (uint32_t)address;
    order->size = (uint32_t)size;
    return true;
}

bool dump_check(const struct dump_list *list, tsr_arch arch, struct message *why)
{
    for (int i = 0; i < list->count; i++) {
        const struct dump_order *order = &list->orders[i];
        if (order->kind == DUMP_L1 && order->address + dump_l1_bytes(order) > tsr_l1_size(arch))
            return message_set(why, "--dump: l1 ends at 0x%zx, and %llu bytes at 0x%x leave it",
                               tsr_l1_size(arch), (unsigned long long)dump_l1_bytes(order),
                               order->address);
    }
    return true;
}

// ---------------------------------------------------------------- words

static bool parse_one(struct dump_list *list, const char *text, struct message *why)
{
    static const char *const names[] = {
        [DUMP_DST] = "dst",   [DUMP_SRCA] = "srca", [DUMP_SRCB] = "srcb", [DUMP_CFG] = "cfg",
        [DUMP_ADC] = "adc",   [DUMP_RWC] = "rwc",   [DUMP_GPR] = "gpr",   [DUMP_SEM] = "sem",
        [DUMP_LREG] = "lreg", [DUMP_L1] = "l1",
    };
    struct dump_word word;

    if (list->count == MAX_DUMPS)
        return message_set(why, "--dump: more than %d dumps", MAX_DUMPS);
    struct dump_order *order = &list->orders[list->count++];
    *order = (struct dump_order){.kind = DUMP_DST};
    bool fits = split(&word, text);
    for (int i = 0; i <= DUMP_L1; i++) {
        order->kind = (enum dump_kind)i;
        if (!fits || strcmp(word.part[0], names[i]) != 0)
            continue;
        if (i == DUMP_L1)
            return parse_l1(order, &word, why);
        if (i <= DUMP_SRCB)
            return parse_storage(order, &word, why);
        if (word.parts == 1)
            return true;
    }
    return message_set(why,
                       "--dump: this is none of dst, srca, srcb, cfg, adc, rwc, gpr, sem, lreg and "
                       "l1:ADDRESS:LENGTH '%s'",
                       text);
}

bool dump_parse(struct dump_list *list, const char *words, struct message *why)
{
    while (true) {
        char word[64];
        size_t length = strcspn(words, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), words);
        if (!parse_one(list, word, why))
            return false;
        if (words[length] == '\0')
            return true;
        words += length + 1;
    }
}
