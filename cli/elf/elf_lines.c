// SPDX-License-Identifier: Apache-2.0
// Functions and lines of code; see elf_lines.h. A file without debug information, or with such that
// cannot be read, still has its symbols.
#include "elf/elf_lines.h"

#include "common/cli_options.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct elf_lines {
    Elf *elf;
    Dwarf *dwarf; // a null pointer: none
};

struct elf_lines *elf_lines_open(const struct elf_image *image)
{
    struct elf_lines *lines = calloc(1, sizeof *lines);

    if (lines == NULL)
        return NULL;
    elf_version(EV_CURRENT);
    lines->elf = elf_memory(image->file, image->size);
    if (lines->elf != NULL)
        lines->dwarf = dwarf_begin_elf(lines->elf, DWARF_C_READ, NULL);
    return lines;
}

void elf_lines_close(struct elf_lines *lines)
{
    if (lines == NULL)
        return;
    if (lines->dwarf != NULL)
        dwarf_end(lines->dwarf);
    if (lines->elf != NULL)
        elf_end(lines->elf);
    free(lines);
}

static const char *base_name(const char *path)
{
    const char *slash = path == NULL ? NULL : strrchr(path, '/');

    return slash != NULL ? slash + 1 : path == NULL ? "" : path;
}

static const char *or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

// ---------------------------------------------------------------- symbols

// Calls `see` for each function of the symbol table until it returns true.
static bool each_function(struct elf_lines *lines,
                          bool (*see)(void *self, const char *name, const GElf_Sym *symbol),
                          void *self)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(lines->elf, section)) != NULL;) {
        GElf_Shdr header; // copies: in a broken file a table may stand at any address
        GElf_Sym symbol;
        Elf_Data *data;
        if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_SYMTAB ||
            (data = elf_getdata(section, NULL)) == NULL)
            continue;
        for (int i = 0; gelf_getsym(data, i, &symbol) != NULL; i++) {
            const char *name = elf_strptr(lines->elf, header.sh_link, symbol.st_name);
            if (name != NULL && GELF_ST_TYPE(symbol.st_info) == STT_FUNC &&
                symbol.st_shndx != SHN_UNDEF && see(self, name, &symbol))
                return true;
        }
    }
    return false;
}

struct symbol_search {
    uint32_t pc;
    const char *name;
    uint32_t address;
};

static bool holds_pc(void *self, const char *name, const GElf_Sym *symbol)
{
    struct symbol_search *search = self;

    search->name = name;
    return search->pc - symbol->st_value < symbol->st_size;
}

static bool has_name(void *self, const char *name, const GElf_Sym *symbol)
{
    struct symbol_search *search = self;

    search->address = (uint32_t)symbol->st_value;
    return strcmp(name, search->name) == 0;
}

// ---------------------------------------------------------------- from an address

// The compilation unit that holds the address: few files have a table of them that is complete.
static bool find_unit(Dwarf *dwarf, uint32_t pc, Dwarf_Die *unit)
{
    if (dwarf_addrdie(dwarf, pc, unit) != NULL)
        return true;
    Dwarf_CU *next = NULL;
    while (dwarf_get_units(dwarf, next, &next, NULL, NULL, unit, NULL) == 0)
        if (dwarf_haspc(unit, pc) > 0)
            return true;
    return false;
}

// `path`: NULL is allowed.
static void set_path(struct elf_frame *frame, const char *path)
{
    frame->path = or_empty(path);
    frame->file = base_name(path);
}

// Where an inlined function was called.
static void call_place(Dwarf_Die *unit, Dwarf_Die *scope, struct elf_frame *caller)
{
    Dwarf_Attribute attribute;
    Dwarf_Word number;
    Dwarf_Files *files;
    size_t count;

    caller->line = 0;
    caller->file = caller->path = "";
    if (dwarf_formudata(dwarf_attr(scope, DW_AT_call_line, &attribute), &number) == 0)
        caller->line = (int)number;
    if (dwarf_formudata(dwarf_attr(scope, DW_AT_call_file, &attribute), &number) == 0 &&
        dwarf_getsrcfiles(unit, &files, &count) == 0 && number < count)
        set_path(caller, dwarf_filesrc(files, number, NULL, NULL));
}

// The function that holds the address and those inlined around it, innermost first: each has the
// place to which the one before was inlined.
static int scope_frames(Dwarf_Die *unit, uint32_t pc, struct elf_frame *frames)
{
    Dwarf_Die *inner = NULL, *scopes = NULL;
    int scope_count = 0, count = 0;

    // The first call tells the innermost scope, the second what is around it.
    if (dwarf_getscopes(unit, pc, &inner) > 0)
        scope_count = dwarf_getscopes_die(&inner[0], &scopes);
    for (int i = 0; i < scope_count && count < MAX_FRAMES; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
            continue;
        frames[count++].function = or_empty(dwarf_diename(&scopes[i]));
        if (tag == DW_TAG_subprogram)
            break;
        if (count < MAX_FRAMES)
            call_place(unit, &scopes[i], &frames[count]);
    }
    free(inner);
    free(scopes);
    return count;
}

int elf_frames(struct elf_lines *lines, uint32_t pc, struct elf_frame frames[MAX_FRAMES])
{
    struct symbol_search search = {.pc = pc};
    Dwarf_Die unit;
    int count = 0;

    for (int i = 0; i < MAX_FRAMES; i++)
        frames[i] = (struct elf_frame){"", "", "", 0};
    if (lines == NULL || lines->elf == NULL)
        return 0;
    if (lines->dwarf != NULL && find_unit(lines->dwarf, pc, &unit)) {
        Dwarf_Line *line = dwarf_getsrc_die(&unit, pc);
        if (line != NULL) {
            dwarf_lineno(line, &frames[0].line);
            set_path(&frames[0], dwarf_linesrc(line, NULL, NULL));
        }
        count = scope_frames(&unit, pc, frames);
        count = count == 0 && frames[0].line > 0 ? 1 : count;
    }
    if ((count == 0 || frames[count - 1].function[0] == '\0') &&
        each_function(lines, holds_pc, &search)) {
        count = count == 0 ? 1 : count;
        frames[count - 1].function = search.name;
    }
    return count;
}

struct elf_frame elf_place(struct elf_lines *lines, uint32_t pc)
{
    struct elf_frame frames[MAX_FRAMES];
    int count = elf_frames(lines, pc, frames);
    Dwarf_Die unit;

    if (count > 1 && lines->dwarf != NULL && find_unit(lines->dwarf, pc, &unit)) {
        const char *compiled = base_name(dwarf_diename(&unit));
        for (int i = 0; i < count; i++)
            if (strcmp(frames[i].file, compiled) == 0)
                return frames[i];
        return frames[count - 1]; // a function of a header, with others inlined
    }
    return frames[0];
}

// ---------------------------------------------------------------- to an address

struct place_search {
    const char *name; // of a file or a function
    int line;         // the least from the wanted one on that has code
    int capacity, count;
    uint32_t *addresses;
};

static void add_address(struct place_search *search, Dwarf_Addr address)
{
    if (search->count < search->capacity)
        search->addresses[search->count] = (uint32_t)address;
    search->count++;
}

static bool line_at(Dwarf_Lines *table, size_t index, const char *file, int *number,
                    Dwarf_Addr *address)
{
    Dwarf_Line *line = dwarf_onesrcline(table, index);
    bool statement;

    return line != NULL && dwarf_lineno(line, number) == 0 && dwarf_lineaddr(line, address) == 0 &&
           dwarf_linebeginstatement(line, &statement) == 0 && statement &&
           strcmp(base_name(dwarf_linesrc(line, NULL, NULL)), file) == 0;
}

// Where code of the line begins: one line of a loop may have several such places. A line without
// code stands for the next one that has some.
static void search_lines(Dwarf_Die *unit, struct place_search *search)
{
    Dwarf_Lines *table;
    size_t count;
    Dwarf_Addr address;
    int number, nearest = INT32_MAX;
    bool in_line = false;

    if (dwarf_getsrclines(unit, &table, &count) != 0)
        return;
    for (size_t i = 0; i < count; i++)
        if (line_at(table, i, search->name, &number, &address) && number >= search->line &&
            number < nearest)
            nearest = number;
    for (size_t i = 0; i < count; i++) {
        bool here = line_at(table, i, search->name, &number, &address) && number == nearest;
        if (here && !in_line)
            add_address(search, address);
        in_line = here;
    }
}

// Where the function was inlined.
static void search_inlined(Dwarf_Die *parent, struct place_search *search, int depth)
{
    Dwarf_Die die;

    if (depth == 0 || dwarf_child(parent, &die) != 0)
        return;
    do {
        Dwarf_Addr address;
        const char *name =
            dwarf_tag(&die) == DW_TAG_inlined_subroutine ? dwarf_diename(&die) : NULL;
        if (name != NULL && strcmp(name, search->name) == 0 && dwarf_entrypc(&die, &address) == 0)
            add_address(search, address);
        search_inlined(&die, search, depth - 1);
    } while (dwarf_siblingof(&die, &die) == 0);
}

int elf_addresses(struct elf_lines *lines, const char *word, uint32_t *addresses, int capacity)
{
    enum { DEPTH = 24 };
    struct symbol_search function = {.name = word};
    struct place_search search = {.name = word, .capacity = capacity, .addresses = addresses};
    const char *colon = strrchr(word, ':');
    uint64_t line;
    char file[256];
    Dwarf_CU *next = NULL;
    Dwarf_Die unit;

    if (lines == NULL || lines->elf == NULL)
        return 0;
    bool in_file = colon != NULL && parse_number(colon + 1, &line) && line > 0 && line <= INT32_MAX;
    if (in_file) {
        snprintf(file, sizeof file, "%.*s", (int)(colon - word < 255 ? colon - word : 255), word);
        search.name = base_name(file);
        search.line = (int)line;
    } else if (each_function(lines, has_name, &function)) {
        add_address(&search, function.address);
    }
    while (lines->dwarf != NULL &&
           dwarf_get_units(lines->dwarf, next, &next, NULL, NULL, &unit, NULL) == 0)
        if (in_file)
            search_lines(&unit, &search);
        else
            search_inlined(&unit, &search, DEPTH);
    return search.count;
}
