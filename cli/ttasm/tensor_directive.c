// SPDX-License-Identifier: Apache-2.0
// The .tensor directive: format, layout, place and shape of an array, and whether it fits beside
// the others into L1 (docs/ttasm.md, "Tensors").
#include "ttasm/tensor_directive.h"

#include "ttasm/expression.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// "2x64x64" to numbers; the lexer has checked the form.
static bool shape_numbers(struct cursor *cursor, const struct token *token, int most, int *dims,
                          size_t *shape)
{
    const char *text = token->text;

    *dims = 0;
    while (true) {
        char *end;
        unsigned long extent = strtoul(text, &end, 10);
        if (*dims == most)
            return fail_at(cursor, token, "more than %d dimensions", most);
        if (extent == 0 || extent > (1ul << 31))
            return fail_at(cursor, token, "a dimension is 0 or too large");
        shape[(*dims)++] = extent;
        if (*end == '\0')
            return true;
        text = end + 1;
    }
}

static bool parse_name(struct cursor *cursor, struct tensor *tensor)
{
    const struct token *token = cursor->next++;

    if (token->kind != TOKEN_NAME || strchr(token->text, '.') != NULL ||
        strlen(token->text) >= sizeof tensor->name)
        return fail_at(cursor, token, "this cannot be a tensor's name");
    // define_symbol() knows every name that is taken; the symbol itself is not kept.
    if (!define_symbol(cursor, token, 0))
        return false;
    cursor->assembler->symbol_count--;
    snprintf(tensor->name, sizeof tensor->name, "%s", token->text);
    return true;
}

static bool parse_format(struct cursor *cursor, struct tensor *tensor)
{
    const struct token *token = cursor->next++;

    tensor->layout.format = array_format_find(token->text);
    if (tensor->layout.format != NULL)
        return true;
    return fail_at(cursor, token,
                   "there is no such array format (fp32, bf16, fp16, bfp8, bfp4, "
                   "bfp2, int32, int16, int8, uint16, uint8)");
}

static bool parse_layout(struct cursor *cursor, struct tensor *tensor)
{
    const struct token *token = cursor->next;

    if (take_word(cursor, "row")) {
        tensor->layout.tiled = false;
        return expect_sign(cursor, "-") &&
               (take_word(cursor, "major") || fail_at(cursor, token,
                                                      "the layout is 'tiled ROWSxCOLS'"
                                                      " or 'row-major', not this"));
    }
    if (!take_word(cursor, "tiled"))
        return fail_at(cursor, token, "the layout is 'tiled ROWSxCOLS' or 'row-major', not this");
    size_t sides[2];
    int dims;
    token = cursor->next++;
    if (token->kind != TOKEN_SHAPE)
        return fail_at(cursor, token, "a tile's size such as 32x32 is missing here");
    if (!shape_numbers(cursor, token, 2, &dims, sides))
        return false;
    if (sides[0] > MAX_TILE_SIDE || sides[1] > MAX_TILE_SIDE ||
        !tile_sides_ok((uint32_t)sides[0], (uint32_t)sides[1]))
        return fail_at(cursor, token,
                       "no tile has this size: columns are a multiple of 16, rows "
                       "1, 2, 4, 8 or a multiple of 16");
    tensor->layout.tiled = true;
    tensor->layout.tile_rows = (uint32_t)sides[0];
    tensor->layout.tile_cols = (uint32_t)sides[1];
    return true;
}

static bool parse_address(struct cursor *cursor, struct tensor *tensor)
{
    const struct token *token = cursor->next;
    int64_t address;

    if (!expression(cursor, &address))
        return false;
    if (address < 0)
        return fail_at(cursor, token, "an address of L1 is not negative, as %lld is",
                       (long long)address);
    if (address % 16 != 0)
        return fail_at(cursor, token, "an address is a multiple of 16, and 0x%llx is not",
                       (long long)address);
    if (address >= (int64_t)tsr_l1_size(cursor->assembler->program->arch))
        return fail_at(cursor, token, "address 0x%llx is outside L1", (long long)address);
    tensor->address = (uint32_t)address;
    return true;
}

// ---------------------------------------------------------------- options

static bool option_like(struct cursor *cursor, struct tensor *tensor)
{
    const struct token *token = cursor->next++;
    const struct ttasm_program *program = cursor->assembler->program;
    const struct tensor *other = find_tensor(program, token->text, strlen(token->text));
    struct nearest nearest = nearest_to(token->text);

    for (size_t i = 0; i < program->tensor_count; i++)
        nearest_offer(&nearest, program->tensors[i].name);
    if (token->kind != TOKEN_NAME || other == NULL)
        return fail_near(cursor, token, &nearest, "no tensor of this name stands above");
    tensor->dims = other->dims;
    memcpy(tensor->shape, other->shape, sizeof tensor->shape);
    return true;
}

static bool option_shape(struct cursor *cursor, struct tensor *tensor)
{
    const struct token *token = cursor->next++;

    if (token->kind == TOKEN_NUMBER && token->value > 0 && token->value <= (1ll << 31)) {
        tensor->dims = 1;
        tensor->shape[0] = (size_t)token->value;
        return true;
    }
    if (token->kind != TOKEN_SHAPE)
        return fail_at(cursor, token, "a shape such as 128x128 is missing here");
    return shape_numbers(cursor, token, NPY_MAX_DIMS, &tensor->dims, tensor->shape);
}

static bool option_header(struct cursor *cursor, struct tensor *tensor)
{
    const struct token *token = cursor->next;
    int64_t bytes;

    if (!expression(cursor, &bytes))
        return false;
    if (bytes < 0 || bytes > 4096 || bytes % 16 != 0)
        return fail_at(cursor, token, "a header is a multiple of 16 bytes up to 4096");
    tensor->layout.header = (uint32_t)bytes;
    return true;
}

static bool parse_option(struct cursor *cursor, struct tensor *tensor)
{
    static const struct {
        const char *word;
        enum tensor_use use;
    } uses[] = {{"in", TENSOR_IN},
                {"out", TENSOR_OUT},
                {"inout", TENSOR_INOUT},
                {"scratch", TENSOR_SCRATCH}};

    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++)
        if (take_word(cursor, uses[i].word)) {
            tensor->use = uses[i].use;
            return true;
        }
    if (take_word(cursor, "like"))
        return option_like(cursor, tensor);
    if (take_word(cursor, "shape"))
        return option_shape(cursor, tensor);
    if (take_word(cursor, "header"))
        return option_header(cursor, tensor);
    return fail_at(cursor, cursor->next,
                   "this is none of in, out, inout, scratch, like, shape and "
                   "header");
}

// ---------------------------------------------------------------- files

static struct binding *find_binding(struct binding *bindings, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(bindings[i].name, name) == 0)
            return &bindings[i];
    return NULL;
}

static bool bind_files(struct cursor *cursor, const struct token *name, struct tensor *tensor)
{
    struct ttasm_files *files = cursor->assembler->files;
    struct binding *in = find_binding(files->in, files->in_count, tensor->name);
    struct binding *out = find_binding(files->out, files->out_count, tensor->name);

    if (tensor->use == TENSOR_UNSAID) {
        if (in == NULL && out == NULL)
            return fail_at(cursor, name,
                           "neither --in %s=FILE nor --out %s=FILE is given for "
                           "this tensor",
                           name->text, name->text);
        tensor->use = out == NULL ? TENSOR_IN : in == NULL ? TENSOR_OUT : TENSOR_INOUT;
    }
    bool reads = tensor->use == TENSOR_IN || tensor->use == TENSOR_INOUT;
    bool writes = tensor->use == TENSOR_OUT || tensor->use == TENSOR_INOUT;
    if (reads != (in != NULL))
        return fail_at(cursor, name,
                       reads ? "no --in gives a file for this tensor"
                             : "--in gives a file, and the program does not read "
                               "this tensor");
    if (writes != (out != NULL) && !(writes && files->outs_may_lack))
        return fail_at(cursor, name,
                       writes ? "no --out gives a file for this tensor"
                              : "--out gives a file, and the program does not "
                                "write this tensor");
    tensor->in_path = in == NULL ? NULL : in->path;
    tensor->out_path = out == NULL ? NULL : out->path;
    if (in != NULL)
        in->used = true;
    if (out != NULL)
        out->used = true;
    return true;
}

bool all_files_used(struct assembler *assembler)
{
    struct ttasm_files *files = assembler->files;
    const char *path = assembler->program->path;

    for (int i = 0; i < files->in_count; i++)
        if (!files->in[i].used)
            return message_set(assembler->why, "--in: %s has no tensor '%s'", path,
                               files->in[i].name);
    for (int i = 0; i < files->out_count; i++)
        if (!files->out[i].used)
            return message_set(assembler->why, "--out: %s has no tensor '%s'", path,
                               files->out[i].name);
    return true;
}

// ---------------------------------------------------------------- place

static bool check_place(struct cursor *cursor, const struct token *name,
                        const struct tensor *tensor)
{
    const struct ttasm_program *program = cursor->assembler->program;
    size_t end = tensor->address + tensor->bytes, size = tsr_l1_size(program->arch);

    if (end > size)
        return fail_at(cursor, name, "the tensor ends at 0x%zx, and L1 of %s at 0x%zx", end,
                       tsr_arch_name(program->arch), size);
    for (size_t i = 0; i < program->tensor_count; i++) {
        const struct tensor *other = &program->tensors[i];
        if (tensor->address < other->address + other->bytes && other->address < end)
            return fail_at(cursor, name,
                           "the tensor at 0x%x .. 0x%zx overlaps tensor '%s' of "
                           "line %d at 0x%x .. 0x%zx",
                           tensor->address, end - 1, other->name, other->line, other->address,
                           other->address + other->bytes - 1);
    }
    return true;
}

static bool take_shape(struct cursor *cursor, const struct token *name, struct tensor *tensor)
{
    struct assembler *assembler = cursor->assembler;
    struct message reason;
    size_t said[NPY_MAX_DIMS];
    int said_dims = tensor->dims;

    memcpy(said, tensor->shape, sizeof said);
    if (tensor->in_path != NULL && !tensor_read(tensor, &reason))
        return fail_plain(assembler, &reason);
    if (tensor->dims == 0 && tensor->in_path == NULL)
        return fail_at(cursor, name, "the shape is missing: 'like TENSOR' or 'shape ROWSxCOLS'");
    if (said_dims != 0 && (said_dims != tensor->dims ||
                           memcmp(said, tensor->shape, (size_t)said_dims * sizeof said[0]) != 0)) {
        char shape[200];
        npy_shape_text(&tensor->input, shape, sizeof shape);
        return fail_at(cursor, name,
                       "%s has shape %s, and the program gives another one to this "
                       "tensor",
                       tensor->in_path, shape);
    }
    if (!tensor_fit(tensor, &reason))
        return fail_plain(assembler, &reason);
    return true;
}

static bool parse_tensor(struct cursor *cursor, const struct token **name, struct tensor *tensor)
{
    *name = cursor->next;
    tensor->line = cursor->assembler->place.line;
    if (!parse_name(cursor, tensor) || !expect_sign(cursor, ",") || !parse_format(cursor, tensor) ||
        !expect_sign(cursor, ",") || !parse_layout(cursor, tensor) || !expect_sign(cursor, ",") ||
        !parse_address(cursor, tensor))
        return false;
    while (cursor->next->kind != TOKEN_END) {
        take_sign(cursor, ",");
        if (!parse_option(cursor, tensor))
            return false;
    }
    return true;
}

bool tensor_directive(struct cursor *cursor)
{
    struct ttasm_program *program = cursor->assembler->program;
    struct tensor tensor = {0};
    const struct token *name;

    if (cursor->assembler->words_only)
        return fail_at(cursor, cursor->next, "words alone have no tensors; tessera run takes");
    if (program->tensor_count == MAX_TENSORS)
        return fail_at(cursor, cursor->next, "there are more than %d tensors", MAX_TENSORS);
    if (program->tensors == NULL) {
        program->tensors = calloc(MAX_TENSORS, sizeof *program->tensors);
        if (program->tensors == NULL)
            return fail_memory(cursor->assembler);
    }
    if (!parse_tensor(cursor, &name, &tensor) || !bind_files(cursor, name, &tensor))
        return false;
    if (take_shape(cursor, name, &tensor) && check_place(cursor, name, &tensor)) {
        program->tensors[program->tensor_count++] = tensor;
        return true;
    }
    tensor_free(&tensor);
    return false;
}
