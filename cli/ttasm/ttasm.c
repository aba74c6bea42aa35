// SPDX-License-Identifier: Apache-2.0
// Walks a .ttasm file once, from top to bottom: threads, labels, repetitions, conditions
// (docs/ttasm.md). What a symbol or a tensor is must stand above its use.
#include "ttasm/ttasm.h"

#include "ttasm/assembler.h"
#include "ttasm/emit.h"
#include "ttasm/expression.h"
#include "ttasm/issue_map.h"
#include "ttasm/tensor_directive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_STEPS = 1 << 26 };

static bool count_step(struct assembler *assembler, const struct token *place)
{
    return ++assembler->steps <= MAX_STEPS ||
           fail_limit(assembler, place, "the program runs more than %d lines and rounds",
                      MAX_STEPS);
}

// ---------------------------------------------------------------- labels

// The slot of that label in assembler->label_slots, or the empty one where it belongs.
static uint32_t *label_slot(struct assembler *assembler, const struct ttasm_label *label)
{
    const size_t size = sizeof assembler->label_slots / sizeof assembler->label_slots[0];
    uint32_t hash = 2166136261u + (uint32_t)label->thread;

    for (const char *next = label->name; *next != '\0'; next++)
        hash = (hash ^ (unsigned char)*next) * 16777619u;
    for (size_t slot = hash % size;; slot = (slot + 1) % size) {
        uint32_t index = assembler->label_slots[slot];
        if (index == 0)
            return &assembler->label_slots[slot];
        const struct ttasm_label *other = &assembler->program->labels[index - 1];
        if (other->thread == label->thread && strcmp(other->name, label->name) == 0)
            return &assembler->label_slots[slot];
    }
}

// Inside repetitions a label has the rounds after its name: `tile.3`, `face.3.1`.
static bool label_statement(struct cursor *cursor, const struct token *token)
{
    struct assembler *assembler = cursor->assembler;
    struct ttasm_program *program = assembler->program;
    struct ttasm_label label = {.thread = assembler->thread};

    if (assembler->thread < 0 && assembler->words_only)
        assembler->thread = 0;
    if (assembler->thread < 0)
        return fail_at(cursor, token, "a label stands before the first .thread");
    size_t used = (size_t)snprintf(label.name, sizeof label.name, "%s", token->text);
    for (int i = 0; i < assembler->depth && used < sizeof label.name; i++)
        used += (size_t)snprintf(label.name + used, sizeof label.name - used, ".%zu",
                                 assembler->rounds[i]);
    if (used >= sizeof label.name)
        return fail_at(cursor, token, "the label is too long");
    label.position = program->threads[assembler->thread].count;
    uint32_t *slot = label_slot(assembler, &label);
    if (*slot != 0)
        return fail_at(cursor, token, "this thread has this label already");
    if (program->label_count == MAX_LABELS)
        return fail_limit(assembler, token, "there are more than %d labels", MAX_LABELS);
    if (program->label_count == program->label_capacity) {
        size_t capacity = program->label_capacity == 0 ? 64 : 2 * program->label_capacity;
        struct ttasm_label *grown = realloc(program->labels, capacity * sizeof *grown);
        if (grown == NULL)
            return fail_memory(assembler);
        program->labels = grown;
        program->label_capacity = capacity;
    }
    program->labels[program->label_count++] = label;
    *slot = (uint32_t)program->label_count;
    return true;
}

// ---------------------------------------------------------------- directives

static bool thread_directive(struct cursor *cursor)
{
    const struct token *token = cursor->next;
    int64_t thread;

    if (!expression(cursor, &thread))
        return false;
    if (thread < 0 || thread >= TSR_THREADS)
        return fail_at(cursor, token, "a thread is 0, 1 or 2, not %lld", (long long)thread);
    cursor->assembler->thread = (int)thread;
    return true;
}

static bool equ_directive(struct cursor *cursor)
{
    const struct token *name = cursor->next++;
    int64_t value;

    if (name->kind == TOKEN_END)
        return fail_at(cursor, name, "a name is missing");
    take_sign(cursor, ",");
    return expression(cursor, &value) && define_symbol(cursor, name, value);
}

static bool word_directive(struct cursor *cursor)
{
    const struct token *token = cursor->next;
    int64_t value;

    if (!expression(cursor, &value))
        return false;
    if (value < 0 || value > UINT32_MAX)
        return fail_at(cursor, token, "a word has 32 bits");
    return emit_word(cursor, (uint32_t)value);
}

static bool assert_directive(struct cursor *cursor)
{
    const struct token *token = cursor->next;
    int64_t value;

    if (!expression(cursor, &value))
        return false;
    return value != 0 || fail_at(cursor, token, "this assertion fails, which begins with");
}

static bool directive(struct cursor *cursor)
{
    static const struct {
        const char *name;
        bool (*run)(struct cursor *cursor);
    } directives[] = {
        {".thread", thread_directive}, {".equ", equ_directive},       {".tensor", tensor_directive},
        {".word", word_directive},     {".assert", assert_directive},
    };
    // Those that source.c has seen to.
    static const char *const others[] = {".rep", ".endr", ".if", ".else", ".endif", ".include"};
    const struct token *name = cursor->next++;
    struct nearest nearest = nearest_to(name->text);

    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++)
        if (strcasecmp(name->text, directives[i].name) == 0)
            return directives[i].run(cursor) && expect_end(cursor);
    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++)
        nearest_offer(&nearest, directives[i].name);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        nearest_offer(&nearest, others[i]);
    return fail_near(cursor, name, &nearest, "unknown directive");
}

static bool statement(struct cursor *cursor)
{
    const struct token *first = cursor->next;

    if (first->kind == TOKEN_NAME && first[1].kind == TOKEN_SIGN &&
        strcmp(first[1].text, ":") == 0) {
        cursor->next += 2;
        if (!label_statement(cursor, first))
            return false;
        first = cursor->next;
        if (first->kind == TOKEN_END)
            return true;
    }
    if (first->kind != TOKEN_NAME)
        return fail_at(cursor, first, "an instruction or a directive should stand here, not");
    if (first->text[0] == '.')
        return directive(cursor);
    if (take_word(cursor, "cfg"))
        return cfg_statement(cursor);
    return instruction_statement(cursor);
}

// ---------------------------------------------------------------- blocks

static bool run_lines(struct assembler *assembler, int first, int end);

static bool one_round(struct assembler *assembler, struct cursor *cursor,
                      const struct token *variable, size_t round, int first, int end)
{
    struct text_place place = assembler->place;
    int symbols = assembler->symbol_count;

    assembler->rounds[assembler->depth - 1] = round;
    if (variable != NULL && !define_symbol(cursor, variable, (int64_t)round))
        return false;
    if (!run_lines(assembler, first, end))
        return false;
    assembler->symbol_count = symbols;
    assembler->place = place;
    return true;
}

static bool rep_block(struct assembler *assembler, int index)
{
    const struct source_line *line = &assembler->source.lines[index];
    struct cursor cursor = {assembler, line->tokens + 1};
    const struct token *place = cursor.next, *variable = NULL;
    int64_t count;

    if (!expression(&cursor, &count))
        return false;
    if (count < 0)
        return fail_at(&cursor, place, "a repetition cannot have %lld rounds", (long long)count);
    // Each round is a step: what cannot end well is refused before it begins.
    if ((uint64_t)count > MAX_STEPS - assembler->steps)
        return fail_limit(assembler, place,
                          "with these %lld rounds the program runs more than %d lines and rounds",
                          (long long)count, MAX_STEPS);
    take_sign(&cursor, ",");
    if (cursor.next->kind == TOKEN_NAME)
        variable = cursor.next++;
    if (!expect_end(&cursor))
        return false;
    if (assembler->depth == MAX_DEPTH)
        return fail_at(&cursor, place, "repetitions are nested too deeply");
    assembler->depth++;
    for (int64_t round = 0; round < count; round++)
        if (!count_step(assembler, place) ||
            !one_round(assembler, &cursor, variable, (size_t)round, index + 1, line->match))
            return false;
    assembler->depth--;
    return true;
}

static bool if_block(struct assembler *assembler, int index, int *after)
{
    const struct source_line *lines = assembler->source.lines;
    struct cursor cursor = {assembler, lines[index].tokens + 1};
    int middle = lines[index].match;
    bool has_else = lines[middle].kind == LINE_ELSE;
    int64_t value;

    if (!expression(&cursor, &value) || !expect_end(&cursor))
        return false;
    *after = (has_else ? lines[middle].match : middle) + 1;
    if (value != 0)
        return run_lines(assembler, index + 1, middle);
    return !has_else || run_lines(assembler, middle + 1, *after - 1);
}

static bool run_lines(struct assembler *assembler, int first, int end)
{
    for (int i = first; i < end;) {
        const struct source_line *line = &assembler->source.lines[i];
        struct cursor cursor = {assembler, line->tokens};
        int after = i + 1;
        bool ok;
        assembler->place = line->place;
        assembler->first = line->tokens;
        if (!count_step(assembler, line->tokens))
            return false;
        if (line->kind == LINE_REP) {
            ok = rep_block(assembler, i);
            after = line->match + 1;
        } else if (line->kind == LINE_IF) {
            ok = if_block(assembler, i, &after);
        } else {
            ok = statement(&cursor);
        }
        if (!ok)
            return false;
        i = after;
    }
    return true;
}

// ---------------------------------------------------------------- programs

static bool map_all(struct assembler *assembler)
{
    struct ttasm_program *program = assembler->program;
    size_t words = 0;

    if (!all_files_used(assembler))
        return false;
    for (int i = 0; i < TSR_THREADS; i++)
        words += program->threads[i].count;
    if (words == 0)
        return message_set(assembler->why, "%s: the program has no instruction", program->path);
    for (int i = 0; i < TSR_THREADS; i++)
        if (!map_issue(program, i))
            return message_no_memory(assembler->why, program->path);
    return true;
}

static bool assemble(const char *path, tsr_arch arch, struct ttasm_files *files,
                     struct ttasm_program *program, struct message *why)
{
    struct assembler *assembler = calloc(1, sizeof *assembler);

    *program = (struct ttasm_program){.path = path, .arch = arch};
    if (assembler == NULL)
        return message_no_memory(why, path);
    assembler->program = program;
    assembler->files = files;
    assembler->words_only = files == NULL;
    assembler->why = why;
    assembler->thread = -1;
    struct source *source = &assembler->source;
    bool ok = source_read(source, path, why) && run_lines(assembler, 0, source->line_count) &&
              (assembler->words_only || map_all(assembler));
    program->paths = source->paths;
    program->path_count = source->file_count;
    source_free(source);
    free(assembler);
    if (!ok)
        ttasm_free(program);
    return ok;
}

bool ttasm_assemble(const char *path, tsr_arch arch, struct ttasm_files *files,
                    struct ttasm_program *program, struct message *why)
{
    return assemble(path, arch, files, program, why);
}

bool ttasm_assemble_words(const char *path, tsr_arch arch, struct ttasm_program *program,
                          struct message *why)
{
    return assemble(path, arch, NULL, program, why);
}
