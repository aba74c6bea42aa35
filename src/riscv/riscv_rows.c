// SPDX-License-Identifier: Apache-2.0
// The table of the cores' instructions, made of the rows of machine/riscv.def.
// Pages: BabyRISCV/README.md of each chip.
#include "riscv/riscv_rows.h"

#include <stddef.h>

enum { EVERY_CORE = 0x1f, T2_ONLY = 1 << TSR_CORE_T2 };

#define CORES_ALL                                                                                  \
    {                                                                                              \
        EVERY_CORE, EVERY_CORE                                                                     \
    }
#define CORES_WH                                                                                   \
    {                                                                                              \
        EVERY_CORE, 0                                                                              \
    }
#define CORES_BH                                                                                   \
    {                                                                                              \
        0, EVERY_CORE                                                                              \
    }
#define CORES_B_NC                                                                                 \
    {                                                                                              \
        0, 1 << TSR_CORE_B | 1 << TSR_CORE_NC                                                      \
    }
#define CORES_T2                                                                                   \
    {                                                                                              \
        0, T2_ONLY                                                                                 \
    }
#define CORES_NOWHERE                                                                              \
    {                                                                                              \
        0, 0                                                                                       \
    }
#define IMPLEMENTED_FULL true
#define IMPLEMENTED_NONE false

enum {
#define RISCV_EXTENSION(extension, name, page) EXTENSION_##extension,
#include "machine/riscv.def"
    EXTENSIONS
};

static const struct tsr_riscv_extension extensions[EXTENSIONS] = {
#define RISCV_EXTENSION(extension, name, page) {name, page},
#include "machine/riscv.def"
};

static const struct tsr_riscv_row rows[RISCV_ROWS] = {
#define RISCV(name, mnemonic, format, match, mask, cores, implemented, extension)                  \
    {mnemonic,                                                                                     \
     match,                                                                                        \
     mask,                                                                                         \
     RISCV_FORMAT_##format,                                                                        \
     CORES_##cores,                                                                                \
     IMPLEMENTED_##implemented,                                                                    \
     EXTENSION_##extension},
#include "machine/riscv.def"
};

const struct tsr_riscv_row *tsr_riscv_row(int index)
{
    return &rows[index];
}

const struct tsr_riscv_row *tsr_riscv_find_row(uint32_t word)
{
    if ((word & 3) != 3)
        return NULL;
    for (int i = 0; i < RISCV_ROWS; i++)
        if ((word & rows[i].mask) == rows[i].match)
            return &rows[i];
    return NULL;
}

const struct tsr_riscv_row *tsr_riscv_recent_row(struct tsr_riscv_recent_rows *recent,
                                                 uint32_t word)
{
    // The opcode without its two lowest bits, funct3, and two bits of funct7.
    uint32_t kind =
        (word >> 2 & 31) | (word >> 12 & 7) << 5 | (word >> 25 & 1) << 8 | (word >> 30 & 1) << 9;
    const struct tsr_riscv_row *row = &rows[recent->row[kind]];
    if ((word & row->mask) == row->match)
        return row;
    row = tsr_riscv_find_row(word);
    if (row)
        recent->row[kind] = (uint16_t)(row - rows);
    return row;
}

int tsr_core_instruction_count(void)
{
    return RISCV_ROWS;
}

bool tsr_core_instruction_at(int index, tsr_core_instruction_info *info)
{
    if (index < 0 || index >= RISCV_ROWS || !info)
        return false;
    const struct tsr_riscv_row *row = &rows[index];
    *info = (tsr_core_instruction_info){
        .mnemonic = row->mnemonic,
        .extension = extensions[row->extension].name,
        .page = extensions[row->extension].page,
        .cores = {row->cores[TSR_WORMHOLE_B0], row->cores[TSR_BLACKHOLE_A0]},
        .implemented = row->implemented,
    };
    return true;
}

const struct tsr_riscv_extension *tsr_riscv_extension_of(const struct tsr_riscv_row *row)
{
    return &extensions[row->extension];
}
