// SPDX-License-Identifier: Apache-2.0
// The AVX-512 set: the FPU's kernels, for which it has masks, shifts of 16-bit lanes one by one and
// counted leading zeros, and the commonest move to Dst. All else is as fast in the AVX2 set, which
// stands behind this one. Empty on other machines than x86.
#include "kernels/kernel_set.h"

#if TSR_KERNELS_X86

#include "kernels/lane.h"

#include <immintrin.h>

#define TSR_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd")))
#define ELEMENT_WITH_ROWS 1
#define DOT_WITH_ROWS 1

static bool cpu_has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512cd");
}

#include "kernels/dot_tmpl.h"
#include "kernels/element_tmpl.h"
#include "kernels/move_avx512.h"

const struct tsr_kernel_set tsr_kernels_avx512 = {
    .name = "avx512",
    .runs_here = cpu_has_avx512,
    .move = choose_move,
    .element = choose_element,
    .dot = choose_dot,
};

#endif
