// SPDX-License-Identifier: Apache-2.0
// The portable set: the loops of the templates for whatever the compiler's base target is.
#include "kernels/kernel_set.h"

#define TSR_TARGET
#define TSR_SET tsr_kernels_portable
#define TSR_SET_NAME "portable"
#define TSR_SET_RUNS_HERE NULL

#include "kernels/kernels_tmpl.h"
