// SPDX-License-Identifier: Apache-2.0
// Values that programs call by the names of vendor software: what a STALLWAIT or SEMWAIT blocks and
// waits for, the semaphores (STALLWAIT.md, SEMWAIT.md; machine/waits.def), and modifiers and
// registers of vector instructions (SFP*.md; machine/vector_modes.def).
#include "isa/isa.h"

#include <stdio.h>
#include <string.h>

enum constant_kind { KIND_BLOCK, KIND_WAIT, KIND_SEMWAIT, KIND_SEMAPHORE, KIND_MODE };
enum { NO_MODE = 0xff };

struct constant_row {
    const char *name;
    uint8_t kind;
    uint8_t first, last; // conditions; of a mode, its value on each chip; else a bit or a number
    const char *text;
    const char *prefix, *operand; // of a mode
};

static const struct constant_row rows[] = {
#define BLOCK_BIT(name, bit, text) {#name, KIND_BLOCK, bit, bit, text, NULL, NULL},
#define WAIT_NAME(name, first, last, text)                                                         \
    {#name, KIND_WAIT, CONDITION_##first, CONDITION_##last, text, NULL, NULL},
#define SEMWAIT_CONDITION(name, bit, text) {#name, KIND_SEMWAIT, bit, bit, text, NULL, NULL},
#define SEMAPHORE(name, number, text) {#name, KIND_SEMAPHORE, number, number, text, NULL, NULL},
#include "machine/waits.def"
#define VECTOR_MODE(prefix, name, operand, wh, bh, text)                                           \
    {#name, KIND_MODE, wh, bh, text, #prefix ".", operand},
#include "machine/vector_modes.def"
};

// The enumerators of base/vector_modes.h are the values of both chips.
#define VECTOR_MODE(prefix, name, operand, wh, bh, text)                                           \
    _Static_assert((wh) == (bh) || (wh) == NO_MODE, #name);
#include "machine/vector_modes.def"

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
    if (row->kind == KIND_MODE) {
        *value = arch == TSR_WORMHOLE_B0 ? row->first : row->last;
        return *value != NO_MODE;
    }
    *value = row->kind == KIND_SEMAPHORE ? row->first : 1u << row->first;
    if (row->kind != KIND_WAIT)
        return true;
    *value = 0;
    for (int i = row->first; i <= row->last; i++)
        if (bits[i] != CONDITION_ABSENT)
            *value |= 1u << bits[i];
    return *value != 0;
}

static const char *prefix_of(const struct constant_row *row)
{
    return row->kind == KIND_MODE ? row->prefix : prefixes[row->kind];
}

static void fill(const struct constant_row *row, uint32_t value, tsr_constant_info *out)
{
    snprintf(out->name, sizeof out->name, "%s%s", prefix_of(row), row->name);
    out->operand = row->kind == KIND_MODE ? row->operand : operands[row->kind];
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
        const char *prefix = prefix_of(&rows[i]);
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
