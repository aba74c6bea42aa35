// SPDX-License-Identifier: Apache-2.0
// An instruction word as text: mnemonic and operands in the order of the rows.
#include <tessera/tessera.h>

#include <inttypes.h>
#include <stdio.h>

// Appends like snprintf, at `length` characters into the text, which may be too short already.
static int append(char *text, size_t size, int length, const char *name, uint32_t value)
{
    size_t used = (size_t)length;
    if (used >= size)
        return length + snprintf(NULL, 0, " %s=%" PRIu32, name, value);
    return length + snprintf(text + used, size - used, " %s=%" PRIu32, name, value);
}

int tsr_disassemble(tsr_arch arch, uint32_t word, char *text, size_t size)
{
    const tsr_instruction_info *info = tsr_instruction_decode(arch, word);
    if (info == NULL)
        return snprintf(text, size, ".word 0x%08" PRIx32, word);
    int length = snprintf(text, size, "%s", info->mnemonic);
    for (int i = 0; i < info->operand_count; i++) {
        const tsr_operand_info *operand = &info->operands[i];
        uint32_t mask = (1u << operand->width) - 1u;
        uint32_t value = word >> operand->first_bit & mask;
        if (value != 0 || !operand->extra)
            length = append(text, size, length, operand->name, value);
    }
    return length;
}
