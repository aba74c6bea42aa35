// SPDX-License-Identifier: Apache-2.0
// What the tests of the command share: files of a test's own, and a fixed random sequence.
#ifndef TESTS_CLI_FIXTURES_H
#define TESTS_CLI_FIXTURES_H

#include <stddef.h>
#include <stdint.h>

// Writes a file below the folder of temporary files and gives its path, which is valid until the
// next but seven call.
const char *fixture_file(const char *name, const void *bytes, size_t size);
void fixture_remove_all(void);

uint32_t fixture_random(void); // xorshift32, the same numbers in every run

#endif
