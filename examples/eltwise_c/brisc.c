// SPDX-License-Identifier: Apache-2.0
// Core B: gets the semaphore ready, starts the three threads, waits until all of them are done, and
// says so by a word in L1.
#include "job.h"

#include <tessera/kernel/start.h>

int main(void)
{
    for (uint32_t thread = 0; thread < 3; thread++)
        tt_store(TT_DONE_WORDS + 4 * thread, 0);
    TTI(SEMINIT, FULL_HALVES, init_value(0), max_value(2));
    tt_set_starts();
    tt_release(TT_RESET_TRISCS);
    for (uint32_t thread = 0; thread < 3; thread++)
        tt_wait_done(thread);
    tt_reset(TT_RESET_TRISCS);
    return 0;
}
