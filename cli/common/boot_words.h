// SPDX-License-Identifier: Apache-2.0
// Words of L1 by which vendor software agrees with its host: where the T cores begin (Wormhole; on
// Blackhole there are registers), and which of them has come to its end. `run --elf` is such a
// host.
#ifndef CLI_BOOT_WORDS_H
#define CLI_BOOT_WORDS_H

enum { BOOT_START_WORDS = 0x16dff0, BOOT_DONE_WORDS = 0x1ffb8 };

#endif
