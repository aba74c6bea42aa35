// SPDX-License-Identifier: Apache-2.0
// Signals that are noted and answered later; see signals.h.
#include "common/signals.h"

#include <signal.h>
#include <stddef.h>

static const int watched[] = {SIGINT, SIGTERM, SIGHUP};

enum { WATCHED = sizeof watched / sizeof watched[0] };

static volatile sig_atomic_t seen;
static struct sigaction before[WATCHED];
static bool watching;

static void note(int number)
{
    seen = number;
}

void signals_watch(void)
{
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};

    sigemptyset(&action.sa_mask);
    for (int i = 0; i < WATCHED; i++)
        if (sigaction(watched[i], NULL, &before[i]) == 0 && before[i].sa_handler != SIG_IGN)
            sigaction(watched[i], &action, NULL);
    watching = true;
}

bool signals_seen(void)
{
    return seen != 0;
}

void signals_leave(void)
{
    for (int i = 0; watching && i < WATCHED; i++)
        sigaction(watched[i], &before[i], NULL);
    watching = false;
}

void signals_end(void)
{
    signals_leave();
    if (seen != 0)
        raise(seen);
}
