// SPDX-License-Identifier: Apache-2.0
// The unpackers' part of the portable set: the loops of the templates for whatever the compiler's
// base target is. Page: UNPACR_Regular.md.
#include "kernels/kernel_set.h"

#define TSR_TARGET

#include "kernels/unpack_block_tmpl.h"
#include "kernels/unpack_tmpl.h"

const struct tsr_unpack_kernels tsr_unpack_portable = {choose_unpack_src, choose_unpack_dst};
