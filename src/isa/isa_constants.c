// SPDX-License-Identifier: Apache-2.0
// Values that programs call by the names of vendor software: what a STALLWAIT or SEMWAIT blocks and
// waits for, and the semaphores (STALLWAIT.md, SEMWAIT.md; machine/waits.def).
#include "isa/isa.h"

#include <stdio.h>
#include <string.h>

enum constant_kind { KIND_BLOCK, KIND_WAIT, KIND_SEMWAIT, KIND_SEMAPHORE };

struct constant_row {
    const char *name;
    uint8_t kind;
    uint8_t first, last; // conditions; a bit or a number for the other kinds
    const char *text;
};

static const struct constant_row rows[] = {
#define BLOCK_BIT(name, bit, text) {#name, KIND_BLOCK, bit, bit, text},
#define WAIT_NAME(name, first, last, text)                                                         \
    {#name, KIND_WAIT, CONDITION_##first, CONDITION_##last, text},
#define SEMWAIT_CONDITION(name, bit, text) {#name, KIND_SEMWAIT, bit, bit, text},
#define SEMAPHORE(name, number, text) {#name, KIND_SEMAPHORE, number, number, text},
#include "machine/waits.def"
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static const char *const prefixes[] = {
    [KIND_BLOCK] = "p_stall.STALL_",
    [KIND_WAIT] = "p_stall.",
    [KIND_SEMWAIT] = "p_stall.",
    [KIND_SEMAPHORE] = "semaphore.",
};

static const char *const operands[] = {
    [KIND_BLOCK] = "stall_res",
    [KIND_WAIT] = "wait_res",
    [KIND_SEMWAIT] = "wait_sem_cond",
    [KIND_SEMAPHORE] = "sem_sel",
};

// False if this chip has none of the conditions.
static bool value_of(tsr_arch arch, const struct constant_row *row, uint32_t *value)
{
    const uint8_t *bits = tsr_isa(arch)->condition_bit;
    *value = row->kind == KIND_SEMAPHORE ? row->first : 1u << row->first;
    if (row->kind != KIND_WAIT)
        return true;
    *value = 0;
    for (int i = row->first; i <= row->last; i++)
        if (bits[i] != CONDITION_ABSENT)
            *value |= 1u << bits[i];
    return *value != 0;
}

static void fill(const struct constant_row *row, uint32_t value, tsr_constant_info *out)
{
    snprintf(out->name, sizeof out->name, "%s%s", prefixes[row->kind], row->name);
    out->operand = operands[row->kind];
    out->value = value;
    out->text = row->text;
    if (row->text[0] == '\0')
        out->text = tsr_condition_text((enum tsr_condition)row->first);
}

tsr_status tsr_constant_at(tsr_arch arch, int index, tsr_constant_info *out)
{
    uint32_t value;
    if (index < 0)
        return TSR_BAD_ARGUMENT;
    for (int i = 0; i < ROW_COUNT; i++) {
        if (!value_of(arch, &rows[i], &value) || index-- > 0)
            continue;
        if (out != NULL)
            fill(&rows[i], value, out);
        return TSR_OK;
    }
    return TSR_NOT_FOUND;
}

tsr_status tsr_constant_find(tsr_arch arch, const char *name, uint32_t *value)
{
    uint32_t found;
    if (name == NULL)
        return TSR_NOT_FOUND;
    for (int i = 0; i < ROW_COUNT; i++) {
        const char *prefix = prefixes[rows[i].kind];
        size_t length = strlen(prefix);
        if (strncmp(name, prefix, length) != 0 || strcmp(name + length, rows[i].name) != 0 ||
            !value_of(arch, &rows[i], &found))
            continue;
        if (value != NULL)
            *value = found;
        return TSR_OK;
    }
    return TSR_NOT_FOUND;
}
