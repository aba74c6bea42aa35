// SPDX-License-Identifier: Apache-2.0
// Reads .ttasm files and checks that they hold text (docs/ttasm.md, "Lines and words").
#include "ttasm/source_file.h"

#include "common/in_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_FILE = 64 << 20 };

// Rejects overlong forms, surrogates and what lies beyond U+10FFFF (RFC 3629).
size_t utf8_length(const char *text, size_t left)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)text[0];
    size_t length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : 4;
    uint32_t point = length == 1 ? first : first & (0x7fu >> length);

    if (length > left || first >> 3 == 31 || (first >= 0x80 && first < 0xc0))
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        point = point << 6 | (text[i] & 0x3f);
    }
    bool surrogate = point >= 0xd800 && point < 0xe000;
    return length > 1 && (point < least[length] || point > 0x10ffff || surrogate) ? 0 : length;
}

static bool check_characters(const struct source_file *file, const char *path, struct message *why)
{
    int line = 1, column = 1;

    if (file->size >= 4 && memcmp(file->text, "\177ELF", 4) == 0)
        return message_set(why, "%s: this is an ELF file, no text; --elf CORE=FILE runs it", path);
    if (file->size >= 3 && memcmp(file->text, "\xef\xbb\xbf", 3) == 0)
        return message_set(why, "%s:1:1: the file begins with a byte order mark; save it without",
                           path);
    for (size_t at = 0; at < file->size; column++) {
        size_t length = utf8_length(file->text + at, file->size - at);
        if (length == 0)
            return message_set(why, "%s:%d:%d: this is not UTF-8 '0x%02x'", path, line, column,
                               (unsigned char)file->text[at]);
        if (file->text[at] == '\0')
            return message_set(why, "%s:%d:%d: a NUL byte stands here", path, line, column);
        if (file->text[at] == '\n') {
            line++;
            column = 0;
        }
        at += length;
    }
    return true;
}

bool source_file_read(struct source_file *file, const char *path, struct message *why)
{
    struct stat stat_of;

    *file = (struct source_file){.size = 0};
    file->text = in_read(path, MAX_FILE, &file->size, why);
    if (file->text == NULL)
        return false;
    if (!is_standard_stream(path) && stat(path, &stat_of) == 0) {
        file->device = stat_of.st_dev;
        file->number = stat_of.st_ino;
    }
    if (check_characters(file, path, why))
        return true;
    free(file->text);
    return false;
}
