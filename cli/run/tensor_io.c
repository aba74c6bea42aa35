// SPDX-License-Identifier: Apache-2.0
// Moving tensors between .npy files and L1; see tensor_io.h.
#include "run/tensor_io.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- into L1

static bool one_to_l1(const struct tensor *tensor, tsr_tile *tile, struct message *why)
{
    struct message reason;
    uint8_t *bytes = malloc(tensor->bytes);

    if (bytes == NULL)
        return message_no_memory(why, tensor->in_path);
    bool ok = tiles_from_array(&tensor->layout, &tensor->input, bytes, &reason);
    if (!ok)
        message_set(why, "%s: %.500s", tensor->in_path, reason.text);
    else if (tsr_l1_write(tile, tensor->address, bytes, tensor->bytes) != TSR_OK)
        ok = message_set(why, "%s: L1 does not take the tensor", tensor->in_path);
    free(bytes);
    return ok;
}

bool tensors_to_l1(const struct ttasm_program *program, tsr_tile *tile, struct message *why)
{
    for (size_t i = 0; i < program->tensor_count; i++)
        if (program->tensors[i].in_path != NULL && !one_to_l1(&program->tensors[i], tile, why))
            return false;
    return true;
}

// ---------------------------------------------------------------- out of L1

bool outputs_open(struct tensor_outputs *outputs, const struct ttasm_program *program,
                  struct message *why)
{
    outputs->count = program->tensor_count;
    outputs->files = calloc(outputs->count + 1, sizeof *outputs->files);
    if (outputs->files == NULL)
        return message_no_memory(why, program->path);
    for (size_t i = 0; i < outputs->count; i++)
        if (program->tensors[i].out_path != NULL &&
            !out_open(&outputs->files[i], program->tensors[i].out_path, why)) {
            outputs_discard(outputs);
            return false;
        }
    return true;
}

static bool write_tensor(FILE *file, const struct tensor *tensor, const tsr_tile *tile,
                         struct message *why)
{
    struct npy_array array = {.type = tensor->layout.format->output, .dims = tensor->dims};
    uint8_t *bytes = malloc(tensor->bytes);
    bool ok = false;

    memcpy(array.shape, tensor->shape, sizeof array.shape);
    array.count = tensor->layout.rows * tensor->layout.cols;
    array.data = calloc(array.count, npy_item_size(array.type));
    if (bytes != NULL && array.data != NULL &&
        tsr_l1_read(tile, tensor->address, bytes, tensor->bytes) == TSR_OK) {
        tiles_to_array(&tensor->layout, bytes, &array);
        ok = (npy_write(file, &array) && fflush(file) == 0) ||
             message_io(why, tensor->out_path, "written", errno);
    } else {
        message_no_memory(why, tensor->out_path);
    }
    free(bytes);
    npy_free(&array);
    return ok;
}

bool outputs_commit(struct tensor_outputs *outputs, const struct ttasm_program *program,
                    const tsr_tile *tile, struct message *why)
{
    bool ok = true;

    for (size_t i = 0; ok && i < outputs->count; i++)
        if (outputs->files[i].file != NULL)
            ok = write_tensor(outputs->files[i].file, &program->tensors[i], tile, why);
    for (size_t i = 0; ok && i < outputs->count; i++)
        if (outputs->files[i].file != NULL)
            ok = out_commit(&outputs->files[i], why);
    outputs_discard(outputs);
    return ok;
}

void outputs_discard(struct tensor_outputs *outputs)
{
    for (size_t i = 0; i < outputs->count; i++)
        out_discard(&outputs->files[i]);
    free(outputs->files);
    *outputs = (struct tensor_outputs){0};
}
