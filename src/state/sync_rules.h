// SPDX-License-Identifier: Apache-2.0
// Posting and getting a semaphore, the same for SEMPOST, SEMGET and a core's store.
// Pages: SyncUnit.md, SEMPOST.md, SEMGET.md.
#ifndef TESSERA_STATE_SYNC_RULES_H
#define TESSERA_STATE_SYNC_RULES_H

#include "state/semaphores.h"

// False: the value was at its end and did not change (decision 20 makes that a finding).
static inline bool tsr_semaphore_post(struct tsr_semaphore *semaphore, uint32_t word)
{
    if (semaphore->value >= TSR_SEMAPHORE_LIMIT)
        return false;
    semaphore->value++;
    semaphore->last_post = word;
    return true;
}

static inline bool tsr_semaphore_get(struct tsr_semaphore *semaphore, uint32_t word)
{
    if (semaphore->value == 0)
        return false;
    semaphore->value--;
    semaphore->last_get = word;
    return true;
}

#endif
