// SPDX-License-Identifier: Apache-2.0
// One `.tensor`: an array, its file, and the tiles that it becomes in L1.
#ifndef CLI_TENSOR_H
#define CLI_TENSOR_H

#include "tensor/tiles.h"

// NAME=FILE of an --in or --out.
struct binding {
    char name[64];
    const char *path;
    bool used;
};

enum tensor_use {
    TENSOR_UNSAID, // as --in and --out say
    TENSOR_IN,
    TENSOR_OUT,
    TENSOR_INOUT,
    TENSOR_SCRATCH // neither read from a file nor written to one
};

struct tensor {
    char name[64];
    int line;
    enum tensor_use use;
    struct tile_layout layout;
    uint32_t address;
    size_t bytes;
    int dims; // shape of the array; from --in, `like` or `shape`
    size_t shape[NPY_MAX_DIMS];
    struct npy_array input; // data is a null pointer without an --in
    const char *in_path, *out_path;
};

// Takes rows, columns and bytes from the shape. Fails if the shape does not divide into tiles.
bool tensor_fit(struct tensor *tensor, struct message *why);
// Reads in_path, takes the shape from it, and checks that the format can hold its type.
bool tensor_read(struct tensor *tensor, struct message *why);
// The value of NAME.attribute in an expression; false if there is no such attribute.
bool tensor_attribute(const struct tensor *tensor, const char *attribute, int64_t *value);
// The names of all attributes, for sentences.
extern const char tensor_attribute_names[];

void tensor_free(struct tensor *tensor);

#endif
