// SPDX-License-Identifier: Apache-2.0
// A core as it leaves reset, and writes to memory that holds decoded code: the cores compare it
// again before they run it.
// Pages: BabyRISCV/InstructionCache.md, BlackholeA0/TensixTile/BabyRISCV/CSRs.md.
#include "base/hart.h"

#include <string.h>

static const uint32_t csr_after_reset[TSR_CSRS] = {
#define RISCV_CSR(enumerator, name, number, kind, value) value,
#include "machine/riscv_csrs.def"
};

void tsr_hart_reset(struct tsr_hart *hart, uint32_t pc, uint64_t now)
{
    memset(hart, 0, sizeof *hart); // its padding, too: states are compared
    hart->pc = pc;
    hart->cycles_from = now;
    for (int i = 0; i < TSR_CSRS; i++)
        hart->csr[i] = csr_after_reset[i];
}

void tsr_hart_invalidate_icache(struct tsr_hart *hart)
{
    memset(hart->times.icache, 0, sizeof hart->times.icache);
    hart->times.fetching = 0;
}

void tsr_code_changed(struct tsr_code_lines *code, uint32_t address, uint64_t size)
{
    uint64_t last = ((uint64_t)address + size - 1) / TSR_CODE_LINE;
    if (last >= TSR_CODE_LINES_MAX)
        last = TSR_CODE_LINES_MAX - 1;
    for (uint64_t line = address / TSR_CODE_LINE; line <= last; line++)
        if (code->line[line / 8] >> line % 8 & 1) {
            code->generation++;
            return;
        }
}

void tsr_code_mark(struct tsr_code_lines *code, uint32_t address, uint32_t size)
{
    uint64_t end = (uint64_t)address + size;
    if (end > (uint64_t)TSR_CODE_LINES_MAX * TSR_CODE_LINE)
        return;
    uint32_t first = address / TSR_CODE_LINE;
    uint32_t last = (uint32_t)(end - 1) / TSR_CODE_LINE;
    for (uint32_t line = first; line <= last; line++)
        code->line[line / 8] |= (uint8_t)(1u << line % 8);
    if (code->high == 0 || first * TSR_CODE_LINE < code->low)
        code->low = first * TSR_CODE_LINE;
    if ((last + 1) * TSR_CODE_LINE > code->high)
        code->high = (last + 1) * TSR_CODE_LINE;
}
