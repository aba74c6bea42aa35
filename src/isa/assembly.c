// SPDX-License-Identifier: Apache-2.0
// Instruction words to text and back: `MNEMONIC name=value ...` with the operands in the order of
// the rows, or `.word VALUE`. From text the operands may come in any order. Words, commas, comments
// and numbers are those of .ttasm (docs/ttasm.md), but a value is a number and no expression.
#include "isa/isa.h"
#include "isa/isa_words.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- words to text

// Appends like snprintf, at `length` characters into the text, which may be too short already.
static int append(char *text, size_t size, int length, const char *name, uint32_t value)
{
    size_t used = (size_t)length;
    if (used >= size)
        return length + snprintf(NULL, 0, " %s=%" PRIu32, name, value);
    return length + snprintf(text + used, size - used, " %s=%" PRIu32, name, value);
}

int tsr_disassemble(tsr_arch arch, uint32_t word, char *text, size_t size)
{
    if (text == NULL)
        size = 0;
    const tsr_instruction_info *info = tsr_instruction_decode(arch, word);
    if (info == NULL)
        return snprintf(text, size, ".word 0x%08" PRIx32, word);
    int length = snprintf(text, size, "%s", info->mnemonic);
    for (int i = 0; i < info->operand_count; i++) {
        const tsr_operand_info *operand = &info->operands[i];
        uint32_t mask = (1u << operand->width) - 1u;
        uint32_t value = word >> operand->first_bit & mask;
        if (value != 0 || !operand->extra)
            length = append(text, size, length, operand->name, value);
    }
    return length;
}

// ---------------------------------------------------------------- text to words

struct reader {
    const char *at;
    char *error;
    size_t error_size;
};

static tsr_status fail(const struct reader *reader, tsr_status status, const char *format, ...)
{
    if (reader->error != NULL && reader->error_size > 0) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(reader->error, reader->error_size, format, arguments);
        va_end(arguments);
    }
    return status;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool comment_begins(const char *at)
{
    return *at == '#' || *at == ';' || (at[0] == '/' && at[1] == '/');
}

// Blanks, and a comment up to the end of its line.
static void skip_spaces(struct reader *reader)
{
    while (is_space(*reader->at) || comment_begins(reader->at))
        reader->at += is_space(*reader->at) ? 1 : strcspn(reader->at, "\n");
}

static bool word_ends(const char *at)
{
    return *at == '\0' || *at == ',' || is_space(*at) || comment_begins(at);
}

// The characters up to the next blank, comma or comment; the reader moves past them.
static size_t take_word(struct reader *reader, const char **word)
{
    *word = reader->at;
    while (!word_ends(reader->at))
        reader->at++;
    return (size_t)(reader->at - *word);
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = tsr_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

// Decimal, 0x... or 0b...; values that need more than 32 bits become UINT64_MAX.
static bool parse_number(const char *word, size_t length, uint64_t *value)
{
    int base = 10;
    if (length > 2 && word[0] == '0' && tsr_lower(word[1]) == 'x')
        base = 16;
    else if (length > 2 && word[0] == '0' && tsr_lower(word[1]) == 'b')
        base = 2;
    size_t i = base == 10 ? 0 : 2;
    if (i == length)
        return false;
    uint64_t sum = 0;
    for (; i < length; i++) {
        int digit = digit_value(word[i]);
        if (digit >= base)
            return false;
        if (sum <= UINT32_MAX)
            sum = sum * (uint64_t)base + (uint64_t)digit;
    }
    *value = sum <= UINT32_MAX ? sum : UINT64_MAX;
    return true;
}

// "%.*s" takes an int; no sensible word is longer.
static int shown(size_t length)
{
    return length < 80 ? (int)length : 80;
}

static const tsr_operand_info *find_operand(const tsr_instruction_info *info, const char *word,
                                            size_t length)
{
    for (int i = 0; i < info->operand_count; i++) {
        const char *name = info->operands[i].name;
        if (strncmp(word, name, length) == 0 && name[length] == '\0')
            return &info->operands[i];
    }
    return NULL;
}

static tsr_status read_value(struct reader *reader, const tsr_operand_info *operand,
                             uint32_t *value)
{
    skip_spaces(reader);
    const char *word;
    size_t length = take_word(reader, &word);
    uint64_t number;
    if (length == 0)
        return fail(reader, TSR_BAD_ARGUMENT, "A number is missing after \"%s=\".", operand->name);
    if (!parse_number(word, length, &number))
        return fail(reader, TSR_BAD_ARGUMENT, "\"%.*s\" is not a number (operand %s).",
                    shown(length), word, operand->name);
    uint32_t largest = (1u << operand->width) - 1u;
    if (number > largest)
        return fail(reader, TSR_BAD_ARGUMENT, "%s=%.*s is out of range 0 to %" PRIu32 ".",
                    operand->name, shown(length), word, largest);
    *value = (uint32_t)number;
    return TSR_OK;
}

// One `name=value`; `named` has a bit for each operand that the line has already named.
static tsr_status read_operand(struct reader *reader, const tsr_instruction_info *info,
                               uint32_t *named, uint32_t *word)
{
    const char *name = reader->at;
    size_t length = 0;
    while (name[length] != '=' && !word_ends(name + length))
        length++;
    if (length == 0)
        return fail(reader, TSR_BAD_ARGUMENT, "A name is missing before %s.",
                    *name == '\0'  ? "the end"
                    : *name == ',' ? "','"
                                   : "'='");
    const tsr_operand_info *operand = find_operand(info, name, length);
    reader->at += length;
    skip_spaces(reader);
    // A known name lacks its '='; what stands before the '=' of another name is unknown itself.
    if (*reader->at != '=' && (operand != NULL || strchr(reader->at, '=') == NULL))
        return fail(reader, TSR_BAD_ARGUMENT, "'=' is missing after \"%.*s\".", shown(length),
                    name);
    if (operand == NULL)
        return fail(reader, TSR_NOT_FOUND, "%s has no operand \"%.*s\".", info->mnemonic,
                    shown(length), name);
    uint32_t bit = 1u << (operand - info->operands);
    if ((*named & bit) != 0)
        return fail(reader, TSR_BAD_ARGUMENT, "Operand %s is given twice.", operand->name);
    *named |= bit;
    reader->at++;
    uint32_t value = 0;
    tsr_status status = read_value(reader, operand, &value);
    if (status == TSR_OK)
        *word |= value << operand->first_bit;
    return status;
}

static tsr_status read_raw_word(struct reader *reader, uint32_t *word)
{
    skip_spaces(reader);
    const char *text;
    size_t length = take_word(reader, &text);
    uint64_t number;
    if (length == 0)
        return fail(reader, TSR_BAD_ARGUMENT, "A number is missing after .word.");
    if (!parse_number(text, length, &number))
        return fail(reader, TSR_BAD_ARGUMENT, "\"%.*s\" is not a number.", shown(length), text);
    if (number > UINT32_MAX)
        return fail(reader, TSR_BAD_ARGUMENT, "%.*s is out of range 0 to 0xffffffff.",
                    shown(length), text);
    skip_spaces(reader);
    const char *rest = reader->at;
    length = take_word(reader, &text);
    if (*rest != '\0')
        return fail(reader, TSR_BAD_ARGUMENT, "\"%.*s\" is too much after .word.",
                    length == 0 ? 1 : shown(length), rest);
    *word = (uint32_t)number;
    return TSR_OK;
}

static tsr_status refuse_mnemonic(const struct reader *reader, tsr_arch arch, const char *name,
                                  size_t length)
{
    if (length == 0)
        return fail(reader, TSR_BAD_ARGUMENT, "The line has no instruction.");
    tsr_arch other = arch == TSR_WORMHOLE_B0 ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0;
    bool there = tsr_instruction_find_word(other, name, length) != NULL;
    return fail(reader, TSR_NOT_FOUND, "\"%.*s\" is no instruction%s%s%s.", shown(length), name,
                there ? " of " : "", there ? tsr_arch_name(arch) : "",
                there ? ", only of the other chip" : "");
}

tsr_status tsr_assemble(tsr_arch arch, const char *text, uint32_t *word, char *error,
                        size_t error_size)
{
    struct reader reader = {text, error, error_size};
    if (text == NULL || word == NULL || (unsigned)arch >= TSR_ARCH_COUNT)
        return fail(&reader, TSR_BAD_ARGUMENT, "An argument is missing, or there is no such chip.");
    skip_spaces(&reader);
    const char *name;
    size_t length = take_word(&reader, &name);
    if (tsr_same_word(name, length, ".word"))
        return read_raw_word(&reader, word);
    const tsr_instruction_info *info = tsr_instruction_find_word(arch, name, length);
    if (info == NULL)
        return refuse_mnemonic(&reader, arch, name, length);
    uint32_t result = (uint32_t)info->opcode << 24;
    uint32_t named = 0;
    skip_spaces(&reader);
    for (bool comma = false; *reader.at != '\0' || comma;) {
        tsr_status status = read_operand(&reader, info, &named, &result);
        if (status != TSR_OK)
            return status;
        skip_spaces(&reader);
        comma = *reader.at == ',';
        reader.at += comma;
        skip_spaces(&reader);
    }
    *word = result;
    return TSR_OK;
}
