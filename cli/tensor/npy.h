// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files, versions 1.0 to 3.0: little-endian arrays of plain numbers in C order.
#ifndef CLI_NPY_H
#define CLI_NPY_H

#include "common/message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum npy_type {
    NPY_FLOAT32,
    NPY_FLOAT16,
    NPY_INT8,
    NPY_INT16,
    NPY_INT32,
    NPY_UINT8,
    NPY_UINT16,
    NPY_UINT32,
    NPY_TYPE_COUNT
};

enum { NPY_MAX_DIMS = 32 };

struct npy_array {
    enum npy_type type;
    int dims;
    size_t shape[NPY_MAX_DIMS];
    size_t count;  // product of the shape; 1 for a scalar
    uint8_t *data; // count items, little-endian, owned by the array
};

size_t npy_item_size(enum npy_type type);
const char *npy_type_name(enum npy_type type); // "float32"
bool npy_is_float(enum npy_type type);

// Reads the file; on failure nothing has to be freed.
bool npy_read(const char *path, struct npy_array *array, struct message *why);
// False if a write failed.
bool npy_write(FILE *file, const struct npy_array *array);
void npy_free(struct npy_array *array);

// The item at `index` as its bits, or, for an integer type, as its value.
uint32_t npy_bits(const struct npy_array *array, size_t index);
int64_t npy_integer(const struct npy_array *array, size_t index);
void npy_store(struct npy_array *array, size_t index, uint32_t bits);

// "(128, 128)"; for sentences.
void npy_shape_text(const struct npy_array *array, char *text, size_t size);

#endif
