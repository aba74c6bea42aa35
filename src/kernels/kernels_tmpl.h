// SPDX-License-Identifier: Apache-2.0
// A vectorised set: all loops and the table of them. The includer defines TSR_TARGET (a function
// attribute), TSR_WITH_ELEMENT, TSR_WITH_DOT, TSR_SET (the table's symbol), TSR_SET_NAME and
// TSR_SET_RUNS_HERE. What is not covered (accumulation in L1, element-wise INT8, raw reads,
// rounding by chance) falls to the reference set.
#include "kernels/kernel_set.h"

#include "kernels/pack_tmpl.h"
#include "kernels/unpack_tmpl.h"

#if TSR_WITH_ELEMENT
#include "kernels/element_tmpl.h"
#else
static tsr_element_fn *choose_element(const tsr_element_mode *mode)
{
    (void)mode;
    return NULL;
}
#endif

#if TSR_WITH_DOT
#include "kernels/dot_tmpl.h"
#else
static const tsr_dot_kernel *choose_dot(const tsr_element_mode *mode)
{
    (void)mode;
    return NULL;
}
#endif

static tsr_merge_fn *choose_merge(uint8_t format)
{
    (void)format;
    return NULL;
}

const struct tsr_kernel_set TSR_SET = {
    .name = TSR_SET_NAME,
    .runs_here = TSR_SET_RUNS_HERE,
    .unpack_src = choose_unpack_src,
    .unpack_dst = choose_unpack_dst,
    .move = choose_move,
    .element = choose_element,
    .dot = choose_dot,
    .pack = choose_pack,
    .pack_block = choose_pack_block,
    .merge = choose_merge,
};
