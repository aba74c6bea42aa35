// SPDX-License-Identifier: Apache-2.0
// Names of the public enumerators and of the cores and a phrase for each status, names of the data
// formats (FloatBitPatterns.md), of the wait conditions (STALLWAIT.md), and the list of findings.
#include "isa/isa.h"

#include "base/finding_codes.h"
#include "base/format_codes.h"
#include "isa/isa_words.h"

#include <string.h>

static const char *const arch_names[TSR_ARCH_COUNT] = {"wormhole_b0", "blackhole_a0"};

static const struct {
    const char *name;
    tsr_arch arch;
} arch_words[] = {
    {"wh", TSR_WORMHOLE_B0},  {"wormhole", TSR_WORMHOLE_B0},   {"wormhole_b0", TSR_WORMHOLE_B0},
    {"bh", TSR_BLACKHOLE_A0}, {"blackhole", TSR_BLACKHOLE_A0}, {"blackhole_a0", TSR_BLACKHOLE_A0},
};

static const char *const category_names[TSR_CATEGORY_COUNT] = {
    [TSR_UNDEFINED_BEHAVIOUR] = "undefined-behaviour",
    [TSR_UNPREDICTABLE_VALUE] = "unpredictable-value",
    [TSR_NON_CONTRACTUAL] = "non-contractual",
    [TSR_MISSING_SPECIFICATION] = "missing-specification",
    [TSR_UNIMPLEMENTED_FEATURE] = "unimplemented",
    [TSR_BAD_INPUT] = "bad-input",
    [TSR_DEADLOCK] = "deadlock",
    [TSR_RACE] = "race",
    [TSR_UNGUARANTEED_ORDER] = "unguaranteed-order",
};

static const char *const action_names[] = {
    [TSR_ACTION_STOP] = "stop",
    [TSR_ACTION_RECORD] = "record",
    [TSR_ACTION_USE] = "use",
    [TSR_ACTION_IGNORE] = "ignore",
};

static const char *const unit_names[TSR_UNIT_COUNT] = {
    [TSR_UNIT_UNPACKER0] = "unpacker 0",
    [TSR_UNIT_UNPACKER1] = "unpacker 1",
    [TSR_UNIT_MATRIX] = "matrix",
    [TSR_UNIT_VECTOR] = "vector",
    [TSR_UNIT_PACKER] = "packer",
    [TSR_UNIT_SCALAR] = "scalar",
    [TSR_UNIT_CONFIG] = "config",
    [TSR_UNIT_SYNC] = "sync",
    [TSR_UNIT_MISC] = "misc",
    [TSR_UNIT_MOVER] = "mover",
};

static const char *const reason_names[TSR_REASON_COUNT] = {
    [TSR_REASON_NONE] = "none",         [TSR_REASON_STALLWAIT] = "STALLWAIT",
    [TSR_REASON_SEMWAIT] = "SEMWAIT",   [TSR_REASON_UNIT_FULL] = "unit full",
    [TSR_REASON_SRCA] = "SrcA bank",    [TSR_REASON_SRCB] = "SrcB bank",
    [TSR_REASON_MUTEX] = "mutex",       [TSR_REASON_HOLD] = "instruction before",
    [TSR_REASON_DST] = "Dst write",     [TSR_REASON_EMPTY] = "nothing to issue",
    [TSR_REASON_L1] = "value in L1",    [TSR_REASON_FLUSH] = "FLUSHDMA",
    [TSR_REASON_REGISTER] = "register",
};

static const char *const condition_texts[CONDITION_COUNT] = {
#define CONDITION(name, wh, bh, text) [CONDITION_##name] = text,
#include "machine/waits.def"
};

static const struct tsr_format_row formats[16] = {
#define FORMAT(name, text, code, bits, block, exponent) [code] = {text, bits, block, exponent},
#include "machine/formats.def"
};

static const struct {
    const char *name;
    uint8_t code;
} format_words[] = {
#define FORMAT(name, text, code, bits, block, exponent) {text, code},
#define FORMAT_ALIAS(text, name) {text, TSR_FORMAT_##name},
#include "machine/formats.def"
};

static const struct {
    const char *name, *program;
} cores[TSR_CORE_E1 + 1] = {
#define CORE(name, program, reset_bit, pc, wh, bh, kept) [TSR_CORE_##name] = {#name, #program},
#define ETHERNET_CORE(chip, name, program, reset_bit, pc, pc_register)                             \
    [TSR_CORE_##name] = {#name, #program},
#include "machine/cores.def"
};

static const tsr_finding_info findings[FINDING_COUNT] = {
#define FINDING(name, code, category, page, text)                                                  \
    [FINDING_##name] = {code, TSR_##category, page, text},
#include "machine/findings.def"
};

const char *tsr_arch_name(tsr_arch arch)
{
    return (unsigned)arch < TSR_ARCH_COUNT ? arch_names[arch] : "none";
}

tsr_status tsr_arch_from_name(const char *name, tsr_arch *arch)
{
    if (!name || !arch)
        return TSR_BAD_ARGUMENT;
    for (size_t i = 0; i < sizeof arch_words / sizeof arch_words[0]; i++) {
        if (strcmp(name, arch_words[i].name) == 0) {
            *arch = arch_words[i].arch;
            return TSR_OK;
        }
    }
    return TSR_NOT_FOUND;
}

const char *tsr_core_name(tsr_core core)
{
    return (unsigned)core <= TSR_CORE_E1 && cores[core].name ? cores[core].name : "none";
}

const char *tsr_core_program_name(tsr_core core)
{
    return (unsigned)core <= TSR_CORE_E1 && cores[core].name ? cores[core].program : "none";
}

const char *tsr_category_name(tsr_category category)
{
    return (unsigned)category < TSR_CATEGORY_COUNT ? category_names[category] : "none";
}

const char *tsr_action_name(tsr_action action)
{
    return (unsigned)action <= TSR_ACTION_IGNORE ? action_names[action] : "none";
}

const char *tsr_unit_name(tsr_unit unit)
{
    return (unsigned)unit < TSR_UNIT_COUNT ? unit_names[unit] : "none";
}

const char *tsr_end_name(tsr_end end)
{
    static const char *const names[] = {
        [TSR_END_IDLE] = "idle",       [TSR_END_DEADLOCK] = "deadlock",
        [TSR_END_BLOCKED] = "blocked", [TSR_END_TIMEOUT] = "time-out",
        [TSR_END_STOPPED] = "stopped", [TSR_END_BREAK] = "break",
        [TSR_END_NO_TILE] = "no tile", [TSR_END_UNTIL] = "until",
        [TSR_END_WORDS] = "words",
    };
    return (unsigned)end < sizeof names / sizeof names[0] ? names[end] : "none";
}

const char *tsr_reason_name(tsr_reason reason)
{
    return (unsigned)reason < TSR_REASON_COUNT ? reason_names[reason] : "none";
}

const char *tsr_sub_unit_name(int sub_unit)
{
    static const char *const names[TSR_SUB_UNITS] = {[TSR_SUB_LOAD] = "load",
                                                     [TSR_SUB_SIMPLE] = "simple",
                                                     [TSR_SUB_MAD] = "MAD",
                                                     [TSR_SUB_ROUND] = "round",
                                                     [TSR_SUB_STORE] = "store"};
    return (unsigned)sub_unit < TSR_SUB_UNITS ? names[sub_unit] : "";
}

const char *tsr_condition_text(enum tsr_condition condition)
{
    return condition < CONDITION_COUNT ? condition_texts[condition] : "no such condition";
}

const struct tsr_format_row *tsr_format_at(uint8_t code)
{
    return &formats[code & 15];
}

tsr_status tsr_format_find(const char *name, uint8_t *code)
{
    if (!name || !code)
        return TSR_BAD_ARGUMENT;
    for (size_t i = 0; i < sizeof format_words / sizeof format_words[0]; i++) {
        if (tsr_same_word(name, strlen(name), format_words[i].name)) {
            *code = format_words[i].code;
            return TSR_OK;
        }
    }
    return TSR_NOT_FOUND;
}

const char *tsr_format_name(uint8_t code)
{
    if (code == 12)
        return "reserved12";
    if (code == 13)
        return "reserved13";
    return code < 16 ? formats[code].name : "reserved";
}

int tsr_finding_count(void)
{
    return FINDING_COUNT;
}

const tsr_finding_info *tsr_finding_at(int index)
{
    return index < 0 || index >= FINDING_COUNT ? NULL : &findings[index];
}

const tsr_finding_info *tsr_finding_find(const char *code)
{
    for (int i = 0; code && i < FINDING_COUNT; i++)
        if (strcmp(code, findings[i].code) == 0)
            return &findings[i];
    return NULL;
}

const char *tsr_status_text(tsr_status status)
{
    switch (status) {
    case TSR_OK:
        return "done";
    case TSR_BAD_ARGUMENT:
        return "an argument is outside what is allowed";
    case TSR_NO_MEMORY:
        return "out of memory";
    case TSR_BUSY:
        return "the core would have to wait";
    case TSR_STOPPED:
        return "a finding stopped the tile";
    case TSR_NOT_FOUND:
        return "nothing has that name";
    case TSR_UNMAPPED:
        return "nothing is mapped at that address";
    case TSR_UNIMPLEMENTED:
        return "unimplemented";
    }
    return "no status";
}
