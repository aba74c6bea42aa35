// SPDX-License-Identifier: Apache-2.0
// The data format codes of machine/formats.def as tests write them: BF16, INT8, …
#ifndef TESSERA_TESTS_SHORT_FORMATS_H
#define TESSERA_TESTS_SHORT_FORMATS_H

enum {
#define FORMAT(name, text, code, bits, block, exponent) name = (code),
#include "machine/formats.def"
};

#endif
