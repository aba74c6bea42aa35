// SPDX-License-Identifier: Apache-2.0
// SFPCONFIG, and instructions that are stored as templates (vector_config.c).
#ifndef TESSERA_VECTOR_VECTOR_CONFIG_H
#define TESSERA_VECTOR_VECTOR_CONFIG_H

#include "vector/vector_call.h"

tsr_vector_run_fn tsr_vector_run_config;

// The lanes in which an instruction whose VD is 12 or more executes; in the others it was stored.
uint32_t tsr_vector_store_template(struct tsr_vector *vector, const struct tsr_vector_args *args);

#endif
