// SPDX-License-Identifier: Apache-2.0
// The packers' part of the AVX2 set: the same conversions as the portable set, compiled for AVX2,
// and sums of its own. Empty on other machines than x86.
// Pages: Packers/FormatConversion.md, Packers/README.md.
#include "kernels/kernel_set.h"

#if TSR_KERNELS_X86

#define TSR_TARGET __attribute__((target("avx2")))

#include "kernels/accumulate_avx2.h"
#include "kernels/pack_tmpl.h"

const struct tsr_pack_kernels tsr_pack_avx2 = {choose_pack, choose_pack_block, choose_accumulate,
                                               choose_larger};

#endif
