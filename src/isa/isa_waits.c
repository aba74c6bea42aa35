// SPDX-License-Identifier: Apache-2.0
// STALLWAIT and SEMWAIT with the names of their blocks and conditions, as an assembler takes them.
// Pages: STALLWAIT.md of each chip, SEMWAIT.md.
#include "isa/isa.h"

#include <stdio.h>
#include <string.h>

static int bits_in(uint32_t mask)
{
    return __builtin_popcount(mask);
}

// The name with the most of these bits and no other, of equal ones the shortest; false: none has
// any.
static bool widest(const struct tsr_isa *isa, const char *operand, uint32_t bits,
                   tsr_constant_info *best)
{
    tsr_constant_info constant;
    best->value = 0;
    for (int i = 0; tsr_constant_at(isa->arch, i, &constant) == TSR_OK; i++)
        if (strcmp(constant.operand, operand) == 0 && (constant.value & ~bits) == 0 &&
            (bits_in(constant.value) > bits_in(best->value) ||
             (constant.value == best->value && strlen(constant.name) < strlen(best->name))))
            *best = constant;
    return best->value != 0;
}

void tsr_mask_text(const struct tsr_isa *isa, const char *operand, uint32_t mask, char *text,
                   size_t size)
{
    tsr_constant_info constant;
    size_t used = 0;
    uint32_t left = mask;
    text[0] = 0;
    while (used < size && widest(isa, operand, left, &constant)) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "|" : "", constant.name);
        left &= ~constant.value;
    }
    if (used < size && (left != 0 || mask == 0))
        snprintf(text + used, size - used, "%s0x%x", used ? "|" : "", (unsigned)left);
}

void tsr_wait_text(const struct tsr_isa *isa, uint32_t word, char *text, size_t size)
{
    enum tsr_op op = tsr_op_of(isa, word);
    char block[200], condition[200];
    tsr_mask_text(isa, "stall_res", tsr_operand(isa, op, word, OPERAND_stall_res), block,
                  sizeof block);
    if (op == OP_STALLWAIT) {
        tsr_mask_text(isa, "wait_res", tsr_operand(isa, op, word, OPERAND_wait_res), condition,
                      sizeof condition);
        snprintf(text, size, "STALLWAIT stall_res=%s wait_res=%s", block, condition);
    } else if (op == OP_SEMWAIT) {
        tsr_mask_text(isa, "wait_sem_cond", tsr_operand(isa, op, word, OPERAND_wait_sem_cond),
                      condition, sizeof condition);
        snprintf(text, size, "SEMWAIT stall_res=%s wait_sem_cond=%s sem_sel=%u", block, condition,
                 (unsigned)tsr_operand(isa, op, word, OPERAND_sem_sel));
    } else {
        tsr_disassemble(isa->arch, word, text, size);
    }
}
