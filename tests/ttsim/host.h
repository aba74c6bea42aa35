// SPDX-License-Identifier: Apache-2.0
// A host of the vendor's interface: a library that it loads, entry points that it finds by name,
// and the accesses that hosts make through it.
#ifndef TESSERA_TESTS_TTSIM_HOST_H
#define TESSERA_TESTS_TTSIM_HOST_H

#include "rig/ttsim_host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// Loads the library of the build and finds all names; does not begin.
void host_load(struct host *host, int arch);
void host_unload(struct host *host);
// Begins, and reads where the BARs are.
void host_begin(struct host *host, int arch);
void host_end(struct host *host);

// Points the first window of 16 MiB (Wormhole) or 2 MiB (Blackhole) at a node's address, written as
// hosts do, and returns the physical address of `address`.
uint64_t host_window(struct host *host, unsigned x, unsigned y, uint64_t address);
void host_put(struct host *host, unsigned x, unsigned y, uint64_t address, const void *bytes,
              uint32_t size);
void host_get(struct host *host, unsigned x, unsigned y, uint64_t address, void *bytes,
              uint32_t size);
void host_put_word(struct host *host, unsigned x, unsigned y, uint64_t address, uint32_t word);
uint32_t host_word_of(struct host *host, unsigned x, unsigned y, uint64_t address);

#endif
