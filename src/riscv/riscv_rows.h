// SPDX-License-Identifier: Apache-2.0
// The rows of the cores' instructions (machine/riscv.def) as a table.
// Pages: BabyRISCV/README.md of each chip.
#ifndef TESSERA_RISCV_RISCV_ROWS_H
#define TESSERA_RISCV_RISCV_ROWS_H

#include <tessera/tessera.h>

#include <stdbool.h>
#include <stdint.h>

enum tsr_riscv_code {
#define RISCV(name, ...) RISCV_##name,
#include "machine/riscv.def"
    RISCV_ROWS,
    // What decoding makes besides: what a core must not execute, and what stands for a row.
    RISCV_UNKNOWN = RISCV_ROWS, // no instruction that Tessera knows
    RISCV_LACKING,              // an instruction that this core does not have
    RISCV_UNIMPLEMENTED,        // one that it has, and Tessera does not
    RISCV_NOP,                  // writes x0 and has no other effect
    RISCV_LI,                   // rd = imm: LUI, AUIPC, ADDI of x0
    RISCV_MV,
    RISCV_J,      // JAL that links nothing
    RISCV_ZEXT_H, // PACK with x0
    RISCV_REV8,   // GREVI by 24
    RISCV_TTINSN, // up to `length` words
    RISCV_CODES
};

enum tsr_riscv_format {
    RISCV_FORMAT_NONE,
    RISCV_FORMAT_R,
    RISCV_FORMAT_I,
    RISCV_FORMAT_S,
    RISCV_FORMAT_B,
    RISCV_FORMAT_U,
    RISCV_FORMAT_J,
    RISCV_FORMAT_SHIFT,
    RISCV_FORMAT_UNARY,
    RISCV_FORMAT_CSR,
    RISCV_FORMAT_CSRI,
    RISCV_FORMAT_AMO,
    RISCV_FORMAT_FLOAD,
    RISCV_FORMAT_FSTORE,
    RISCV_FORMAT_FR,
    RISCV_FORMAT_FUNARY,
    RISCV_FORMAT_R4,
    // Vectors: the first operand and the result are vector registers, and the second is a vector,
    // an integer register, a constant (signed or not), a floating-point register, or none.
    RISCV_FORMAT_VV,
    RISCV_FORMAT_VX,
    RISCV_FORMAT_VI,
    RISCV_FORMAT_VU,
    RISCV_FORMAT_VF,
    RISCV_FORMAT_V1,
    RISCV_FORMAT_VTOX, // V1 with an integer register for its result
    RISCV_FORMAT_VLOAD,
    RISCV_FORMAT_VLOADS, // with a stride in rs2
    RISCV_FORMAT_VSTORE,
    RISCV_FORMAT_VSTORES,
    RISCV_FORMAT_VSET,
    RISCV_FORMAT_VSETI, // the length is a constant
    RISCV_FORMAT_VSETR  // the type is in rs2
};

struct tsr_riscv_row {
    const char *mnemonic;
    uint32_t match, mask;
    uint8_t format;                // enum tsr_riscv_format
    uint8_t cores[TSR_ARCH_COUNT]; // a bit for each tsr_core
    bool implemented;
    uint8_t extension; // an index that tsr_riscv_extension_of() knows
};

struct tsr_riscv_extension {
    const char *name, *page;
};

const struct tsr_riscv_row *tsr_riscv_row(int index); // 0 .. RISCV_ROWS - 1
// The row of a word; NULL: none, or a .ttinsn.
const struct tsr_riscv_row *tsr_riscv_find_row(uint32_t word);
// The rows that words of each kind had last: no word has two, so that a row that matches is it.
enum { TSR_ROW_KINDS = 1024 };
struct tsr_riscv_recent_rows {
    uint16_t row[TSR_ROW_KINDS];
};
// As tsr_riscv_find_row(), with a look at the recent ones first.
const struct tsr_riscv_row *tsr_riscv_recent_row(struct tsr_riscv_recent_rows *recent,
                                                 uint32_t word);
const struct tsr_riscv_extension *tsr_riscv_extension_of(const struct tsr_riscv_row *row);

#endif
