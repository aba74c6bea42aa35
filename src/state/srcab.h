// SPDX-License-Identifier: Apache-2.0
// SrcA and SrcB: two banks each of 64 rows of 16 datums, who owns a bank, and the format that the
// unpacker left with it. Page: SrcASrcB.md.
//
// A datum is 19 bits in the order sign, exponent (8), mantissa (10). Silicon keeps sign, mantissa,
// exponent; the difference shows only where an instruction reads or writes the image (STOREIND).
#ifndef TESSERA_STATE_SRCAB_H
#define TESSERA_STATE_SRCAB_H

#include "state/origin.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { TSR_SRC_ROWS = 64, TSR_COLUMNS = 16, TSR_SRCA = 0, TSR_SRCB = 1 };

struct tsr_src_bank {
    uint32_t datum[TSR_SRC_ROWS][TSR_COLUMNS];
    uint16_t written[TSR_SRC_ROWS]; // a bit for each column
    uint16_t tainted[TSR_SRC_ROWS];
    uint64_t marks; // a bit for each row that was written since tsr_rows_note() looked
    struct tsr_origin writer[TSR_SRC_ROWS];
    bool matrix_owns; // AllowedClient is the matrix unit
    bool filled;      // something was written since the unpackers got it
    bool uniform; // nothing was changed but owners since all rows were cleared: see tsr_src_fill()
    uint8_t implied_format;
    uint8_t rest[52]; // of its last line
};

// Kernels move rows of datums, each a line of the host's cache: none should lie across two.
struct tsr_src {
    struct tsr_src_bank bank[2];
    uint8_t unpacker_bank, matrix_bank;
    uint8_t rest[62];
};
_Static_assert(sizeof(struct tsr_src_bank) % 64 == 0 && sizeof(struct tsr_src) % 64 == 0,
               "rows of Src fill lines");

// For findings: who handed a bank to the matrix unit last, whether that has used it since, and
// whether a wait at a gate was for the hand-over.
struct tsr_src_shadow {
    struct tsr_origin released_by;
    bool read, waited_for;
    bool lent; // handed over and not given back, from when pointers move; owners change later
};

// The last ZEROSRC that chose the matrix unit's banks, or both of each side: the cycle after it (0:
// none), and a bit for each bank. A clear by UNPACR_NOP in its cycle takes the same choice
// (UNPACR_NOP_ZEROSRC.md).
struct tsr_src_zeroed {
    uint64_t before;
    uint8_t banks[2];
};

static inline void tsr_src_mark(struct tsr_src_bank *bank, unsigned row, unsigned rows)
{
    if (rows == 0)
        return;
    bank->marks |= UINT64_MAX >> (64 - rows) << row;
    bank->uniform = false;
}

// What a fill leaves where the same datum is everywhere already.
static inline void tsr_src_fill_uniform(struct tsr_src_bank *bank)
{
    bank->marks = UINT64_MAX;
    bank->filled = true;
}

// The same datum everywhere: what ZEROSRC and UNPACR_NOP's clears do. Kernels clear a bank of SrcB
// for each face, and mostly nobody has written to it: then the rows and their shadow are right.
static inline void tsr_src_fill(struct tsr_src_bank *bank, uint32_t value)
{
    uint32_t *datum = bank->datum[0];
    bool stored = bank->uniform && datum[0] == value;
    for (unsigned i = 0; i < TSR_SRC_ROWS * TSR_COLUMNS && !stored; i++)
        datum[i] = value;
    if (!bank->uniform) {
        memset(bank->written, 0xff, sizeof bank->written);
        memset(bank->tainted, 0, sizeof bank->tainted);
    }
    bank->uniform = true;
    tsr_src_fill_uniform(bank);
}

static inline struct tsr_src_bank *tsr_src_for_matrix(struct tsr_src *src)
{
    return &src->bank[src->matrix_bank];
}

// Whether the unpackers' next bank is lent and their other one is not. As long as the two pointers
// are in step, the first bank to be lent is the first to come back, and this cannot be.
static inline bool tsr_src_takes_turns(const struct tsr_src *src,
                                       const struct tsr_src_shadow shadow[2])
{
    return shadow[src->unpacker_bank].lent && !shadow[src->unpacker_bank ^ 1].lent;
}

static inline struct tsr_src_bank *tsr_src_for_unpacker(struct tsr_src *src)
{
    return &src->bank[src->unpacker_bank];
}

// Why an instruction waits for a bank of that side.
static inline tsr_reason tsr_src_reason(unsigned side)
{
    return side == TSR_SRCA ? TSR_REASON_SRCA : TSR_REASON_SRCB;
}

#endif
