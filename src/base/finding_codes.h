// SPDX-License-Identifier: Apache-2.0
// The enumerators of the findings, from machine/findings.def.
#ifndef TESSERA_BASE_FINDING_CODES_H
#define TESSERA_BASE_FINDING_CODES_H

enum tsr_finding {
#define FINDING(name, code, category, page, text) FINDING_##name,
#include "machine/findings.def"
    FINDING_COUNT
};

#endif
