// SPDX-License-Identifier: Apache-2.0
// How the NoC says that an access is wrong (struct tsr_noc_access): a step that finds something
// says so and leaves, nothing done; called again it goes on, and says what it finds next.
// Page: NoC/MemoryMap.md.
#ifndef TESSERA_CHIP_NOC_FAULT_H
#define TESSERA_CHIP_NOC_FAULT_H

#include "base/port.h"

#include <stdarg.h>
#include <stdio.h>

// Before the steps of an access.
static inline void tsr_noc_faults_begin(struct tsr_noc_access *access)
{
    access->finding = -1;
    access->found = 0;
}

// True: leave, with TSR_BUSY. False: this has been reported, or somebody does not ask.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static inline bool
tsr_noc_fault(struct tsr_noc_access *access, int finding, const char *format, ...)
{
    if (access->found++ < access->reported)
        return false;
    access->finding = finding;
    va_list args;
    va_start(args, format);
    vsnprintf(access->sentence, sizeof access->sentence, format, args);
    va_end(args);
    return true;
}

#endif
