// SPDX-License-Identifier: Apache-2.0
// The packers' part of the portable set: the loops of the templates for whatever the compiler's
// base target is. Pages: Packers/FormatConversion.md, Packers/README.md.
#include "kernels/kernel_set.h"

#define TSR_TARGET

#include "kernels/pack_tmpl.h"
#if TSR_PORTABLE_ADDS
#include "kernels/accumulate_tmpl.h"
#else
#define choose_accumulate NULL
#endif

const struct tsr_pack_kernels tsr_pack_portable = {choose_pack, choose_pack_block,
                                                   choose_accumulate, choose_larger};
