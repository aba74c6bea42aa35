// SPDX-License-Identifier: Apache-2.0
// Finding and reading what is to be checked; see check_items.h.
#include "check/check_items.h"

#include "check/text_lines.h"
#include "common/in_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_DEPTH = 32, MAX_PATH = 4096, MAX_FILE = 1 << 30 };

// ---------------------------------------------------------------- reading

static struct check_item *append(struct check_items *items, struct message *why)
{
    if (items->count == items->room) {
        size_t room = items->room > 0 ? 2 * items->room : 64;
        struct check_item *larger = realloc(items->items, room * sizeof *larger);
        if (larger == NULL) {
            message_no_memory(why, "check");
            return NULL;
        }
        items->items = larger;
        items->room = room;
    }
    struct check_item *item = &items->items[items->count++];
    memset(item, 0, sizeof *item);
    return item;
}

static bool add_case(struct check_items *items, const char *text, size_t size, const char *path,
                     unsigned line, struct message *why)
{
    struct check_item *item = append(items, why);

    if (item == NULL)
        return false;
    item->is_case = true;
    if (!case_parse(text, size, path, line, &item->item, why))
        return false;
    const char *arch = tsr_arch_name(item->item.arch);
    size_t length = strlen(item->item.name) + strlen(arch) + 4;
    item->label = malloc(length);
    if (item->label == NULL)
        return message_no_memory(why, path);
    snprintf(item->label, length, "%s [%s]", item->item.name, arch);
    return true;
}

static bool add_case_lines(struct check_items *items, const char *text, size_t size,
                           const char *path, struct message *why)
{
    const char *end = text + size;
    unsigned line = 1;
    size_t before = items->count;

    for (size_t length; text < end; text = line_after(text, length, end), line++) {
        length = line_length(text, end);
        if (!line_is_blank(text, length) && !add_case(items, text, length, path, line, why))
            return false;
    }
    return items->count > before || message_set(why, "%s: no case in it", path);
}

static bool add_vectors(struct check_items *items, char *text, const char *path,
                        struct message *why)
{
    struct check_item *item = append(items, why);

    if (item == NULL) {
        free(text);
        return false;
    }
    item->label = strdup(path);
    if (!vectors_open(path, text, &item->vectors, why))
        return false;
    return item->label != NULL || message_no_memory(why, path);
}

// ---------------------------------------------------------------- finding

enum file_kind { FILE_OTHER, FILE_CASE, FILE_CASE_LINES, FILE_VECTORS };

static enum file_kind kind_of(const char *path)
{
    const char *dot = strrchr(path, '.');

    if (is_standard_stream(path))
        return FILE_CASE_LINES;
    if (dot == NULL)
        return FILE_OTHER;
    if (strcmp(dot, ".json") == 0)
        return FILE_CASE;
    if (strcmp(dot, ".jsonl") == 0)
        return FILE_CASE_LINES;
    return strcmp(dot, ".txt") == 0 ? FILE_VECTORS : FILE_OTHER;
}

static bool add_file(struct check_items *items, const char *path, struct message *why)
{
    size_t size;
    enum file_kind kind = kind_of(path);

    if (kind == FILE_OTHER)
        return message_set(why, "%s: neither .json, .jsonl nor .txt", path);
    char *text = in_read(path, MAX_FILE, &size, why);
    if (text == NULL)
        return false;
    if (kind == FILE_VECTORS)
        return strlen(text) == size ? add_vectors(items, text, path, why)
                                    : (free(text), message_set(why, "%s: not a text", path));
    bool ok = strlen(text) != size ? message_set(why, "%s: not a text", path)
              : kind == FILE_CASE  ? add_case(items, text, size, path, 0, why)
                                   : add_case_lines(items, text, size, path, why);
    free(text);
    return ok;
}

static int by_name(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool add_folder(struct check_items *items, const char *path, int depth, struct message *why)
{
    struct dirent **entries;
    bool ok = true;

    if (depth == MAX_DEPTH)
        return message_set(why, "%s: folders are nested too deep", path);
    int count = scandir(path, &entries, is_visible, by_name);
    if (count < 0)
        return message_io(why, path, "opened", errno);
    for (int i = 0; i < count; i++) {
        char inner[MAX_PATH];
        struct stat status;
        const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
        int length = snprintf(inner, sizeof inner, "%s%s%s", path, slash, entries[i]->d_name);
        if (ok && length >= MAX_PATH)
            ok = message_set(why, "%s: the path is too long", path);
        else if (ok && lstat(inner, &status) != 0)
            ok = message_io(why, inner, "opened", errno);
        else if (ok && S_ISDIR(status.st_mode))
            ok = add_folder(items, inner, depth + 1, why);
        else if (ok && kind_of(inner) != FILE_OTHER)
            ok = add_file(items, inner, why);
        free(entries[i]);
    }
    free(entries);
    return ok;
}

bool items_add(struct check_items *items, const char *path, struct message *why)
{
    struct stat status;
    size_t before = items->count;

    if (is_standard_stream(path))
        return add_file(items, path, why);
    if (*path == '\0' || stat(path, &status) != 0)
        return message_io(why, path, "opened", *path == '\0' ? ENOENT : errno);
    if (!S_ISDIR(status.st_mode))
        return add_file(items, path, why);
    return add_folder(items, path, 0, why) &&
           (items->count > before ||
            message_set(why, "%s: no .json, .jsonl or .txt file in this folder", path));
}

void items_free(struct check_items *items)
{
    for (size_t i = 0; i < items->count; i++) {
        free(items->items[i].label);
        case_free(&items->items[i].item);
        vectors_close(&items->items[i].vectors);
    }
    free(items->items);
    *items = (struct check_items){0};
}
