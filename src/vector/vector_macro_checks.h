// SPDX-License-Identifier: Apache-2.0
// Instructions that meet in a cycle because of SFPLOADMACRO (vector_macro_checks.c).
// Page: SFPLOADMACRO.md of each chip.
#ifndef TESSERA_VECTOR_VECTOR_MACRO_CHECKS_H
#define TESSERA_VECTOR_VECTOR_MACRO_CHECKS_H

#include "vector/vector_call.h"
#include "vector/vector_decode.h"

// A scheduled instruction as it runs: the template's operands, with those that were replaced.
struct tsr_macro_running {
    struct tsr_vector_args args;
    struct tsr_vector_job job;
    struct tsr_inflight inst; // for findings
    uint32_t lanes;
};

// The issued instruction, if there is one, meets a scheduled one in its sub-unit and is gone:
// `discarded` says so. False: a finding stopped.
bool tsr_macro_meet(struct tsr_vector_call *issued, const struct tsr_macro_running *running,
                    unsigned count, bool *discarded);
// All that executes in a cycle, for what is reported of two of them. False: a finding stopped.
bool tsr_macro_check_cycle(struct tsr_env *env, const struct tsr_vector_call *issued,
                           const struct tsr_macro_running *running, unsigned count);

#endif
