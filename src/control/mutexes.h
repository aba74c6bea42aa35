// SPDX-License-Identifier: Apache-2.0
// ATGETM and ATRELM; see mutexes.c.
#ifndef TESSERA_CONTROL_MUTEXES_H
#define TESSERA_CONTROL_MUTEXES_H

#include "state/unit.h"

tsr_reason tsr_mutex_ready(const struct tsr_env *env, const struct tsr_inflight *inst);
bool tsr_mutex_accept(struct tsr_env *env, const struct tsr_inflight *inst);

#endif
