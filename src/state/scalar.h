// SPDX-License-Identifier: Apache-2.0
// What the scalar unit has under way besides the instruction that it works on: loads and atomics
// whose results have yet to reach their GPRs. Pages: ScalarUnit.md, LOADIND.md, ATINCGET.md.
#ifndef TESSERA_STATE_SCALAR_H
#define TESSERA_STATE_SCALAR_H

#include <stdbool.h>
#include <stdint.h>

enum { TSR_SCALAR_REQUESTS = 16, TSR_GPR_GROUP = 4 };

// Up to four consecutive GPRs, and which bits of each change.
struct tsr_gpr_write {
    uint32_t value[TSR_GPR_GROUP], mask[TSR_GPR_GROUP];
    uint8_t gpr, words; // words 0: nothing
    bool tainted;
};

struct tsr_scalar_request {
    struct tsr_gpr_write result;
    uint8_t thread;
    uint64_t due; // cycle
};

struct tsr_scalar {
    struct tsr_scalar_request request[TSR_SCALAR_REQUESTS];
    uint8_t requests;
    uint8_t outstanding[3]; // memory requests of each thread, those being sent among them
    uint64_t next_atomic;   // cycle
};

#endif
