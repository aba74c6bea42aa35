// SPDX-License-Identifier: Apache-2.0
// SIGINT, SIGTERM and SIGHUP while files are being written under temporary names: the run stops
// soon, the files are finished or removed, and then the process ends as the signal asks.
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdbool.h>

// From here on such a signal is only noted. What the caller had ignored stays ignored.
void signals_watch(void);
bool signals_seen(void);
// Signals do again what they did before.
void signals_leave(void);
// Ends the process by the signal that was seen; returns if there was none.
void signals_end(void);

#endif
