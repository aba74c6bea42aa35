// SPDX-License-Identifier: Apache-2.0
// An assembled program: growing its streams of words, looking up tensors, lines and labels.
#include "ttasm/program.h"

#include <stdlib.h>
#include <string.h>

bool ttasm_append(struct ttasm_stream *stream, uint32_t word, struct text_place place)
{
    if (stream->count == stream->capacity) {
        size_t capacity = stream->capacity == 0 ? 1024 : 2 * stream->capacity;
        uint32_t *words = realloc(stream->words, capacity * sizeof *words);
        if (words == NULL)
            return false;
        stream->words = words;
        struct text_place *places = realloc(stream->places, capacity * sizeof *places);
        if (places == NULL)
            return false;
        stream->places = places;
        stream->capacity = capacity;
    }
    stream->words[stream->count] = word;
    stream->places[stream->count++] = place;
    return true;
}

const struct tensor *find_tensor(const struct ttasm_program *program, const char *name,
                                 size_t length)
{
    for (size_t i = 0; i < program->tensor_count; i++)
        if (strlen(program->tensors[i].name) == length &&
            memcmp(program->tensors[i].name, name, length) == 0)
            return &program->tensors[i];
    return NULL;
}

struct text_place ttasm_place(const struct ttasm_program *program, int thread, uint64_t sequence)
{
    if (thread < 0 || thread >= TSR_THREADS || sequence == 0 ||
        sequence > program->issued[thread].count)
        return (struct text_place){program->path, 0};
    return program->issued[thread].places[sequence - 1];
}

tsr_status ttasm_label_sequence(const struct ttasm_program *program, int thread, const char *name,
                                uint64_t *sequence)
{
    for (size_t i = 0; i < program->label_count; i++) {
        const struct ttasm_label *label = &program->labels[i];
        if (label->thread != thread || strcmp(label->name, name) != 0)
            continue;
        *sequence = label->sequence;
        return label->sequence == 0 ? TSR_BAD_ARGUMENT : TSR_OK;
    }
    return TSR_NOT_FOUND;
}

static void free_stream(struct ttasm_stream *stream)
{
    free(stream->words);
    free(stream->places);
}

void ttasm_free(struct ttasm_program *program)
{
    for (int i = 0; i < TSR_THREADS; i++) {
        free_stream(&program->threads[i]);
        free_stream(&program->issued[i]);
    }
    for (size_t i = 0; i < program->tensor_count; i++)
        tensor_free(&program->tensors[i]);
    free(program->tensors);
    free(program->labels);
    for (size_t i = 0; i < program->path_count; i++)
        free(program->paths[i]);
    free(program->paths);
    *program = (struct ttasm_program){0};
}
