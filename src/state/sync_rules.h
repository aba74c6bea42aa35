// SPDX-License-Identifier: Apache-2.0
// Posting and getting a semaphore, the same for SEMPOST, SEMGET and a core's store, and the words
// for who did it. Pages: SyncUnit.md, SEMPOST.md, SEMGET.md.
#ifndef TESSERA_STATE_SYNC_RULES_H
#define TESSERA_STATE_SYNC_RULES_H

#include "state/state.h"

#include <stddef.h>

// False: the value was at its end and did not change (decision 20 makes that a finding).
static inline bool tsr_semaphore_post(struct tsr_semaphore *semaphore, struct tsr_origin origin)
{
    if (semaphore->value >= TSR_SEMAPHORE_LIMIT)
        return false;
    semaphore->value++;
    semaphore->last_post = origin;
    return true;
}

static inline bool tsr_semaphore_get(struct tsr_semaphore *semaphore, struct tsr_origin origin)
{
    if (semaphore->value == 0)
        return false;
    semaphore->value--;
    semaphore->last_get = origin;
    return true;
}

// "T0's SEMPOST sem_sel=1 (instruction 7)", "core T1's store", "none yet".
void tsr_origin_text(const struct tsr_env *env, struct tsr_origin origin, char *text, size_t size);

#endif
