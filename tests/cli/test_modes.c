// SPDX-License-Identifier: Apache-2.0
// The rows of cli/mnemonics.def and cli/modes.def: what they name exists, and nothing is forgotten.
#include "explain/meanings.h"
#include "explain/modes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LONGEST = 110 };

static bool is_operand(tsr_arch arch, const char *mnemonic, const char *word)
{
    const tsr_instruction_info *info = tsr_instruction_find(arch, mnemonic);
    for (int i = 0; info && i < info->operand_count; i++)
        if (strcmp(info->operands[i].name, word) == 0)
            return true;
    return false;
}

static bool is_field(tsr_arch arch, const char *word)
{
    for (int i = 0; i < tsr_field_count(arch); i++)
        if (pattern_fits(word, tsr_field_at(arch, i)->name))
            return true;
    return false;
}

static void test_sentences(void **state)
{
    (void)state;
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++)
        for (int i = 0; i < tsr_instruction_count((tsr_arch)arch); i++) {
            const char *name = tsr_instruction_at((tsr_arch)arch, i)->mnemonic;
            size_t length = strlen(mnemonic_does(name));
            if (length < 10 || length > LONGEST || mnemonic_does(name)[length - 1] != '.')
                fail_msg("%s: a sentence of %zu bytes", name, length);
        }
    assert_string_equal(mnemonic_does("XYZ"), "");
}

static void check_mode(const struct mode *mode)
{
    char word[MODE_WORD];
    assert_in_range(mode->chips, 1, 3);
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        const char *list = mode->selected_by;
        while ((mode->chips >> arch & 1) && mode_word(&list, word))
            if (!is_operand((tsr_arch)arch, mode->mnemonic, word) &&
                !is_field((tsr_arch)arch, word))
                fail_msg("%s, %s: %s has neither an operand nor a field '%s'", mode->mnemonic,
                         mode->name, tsr_arch_name((tsr_arch)arch), word);
    }
    for (const char *list = mode->findings; mode_word(&list, word);)
        if (!tsr_finding_find(word))
            fail_msg("%s, %s: no finding '%s'", mode->mnemonic, mode->name, word);
    if (mode->tests[0] == '\0')
        fail_msg("%s, %s: no test", mode->mnemonic, mode->name);
}

static void test_rows(void **state)
{
    (void)state;
    for (int i = 0; i < mode_count(); i++)
        check_mode(mode_at(i));
}

// `mnemonic`: NULL for any.
static bool is_named(tsr_arch arch, const char *mnemonic, const char *name)
{
    char word[MODE_WORD];
    for (int i = 0; i < mode_count(); i++) {
        const struct mode *mode = mode_at(i);
        const char *list = mode->selected_by;
        if ((mnemonic && strcmp(mode->mnemonic, mnemonic) != 0) || !(mode->chips >> arch & 1))
            continue;
        while (mode_word(&list, word))
            if (pattern_fits(word, name))
                return true;
    }
    return false;
}

// Every operand selects something.
static void test_operands(void **state)
{
    (void)state;
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++)
        for (int i = 0; i < mode_count(); i++) {
            const tsr_instruction_info *info =
                tsr_instruction_find((tsr_arch)arch, mode_at(i)->mnemonic);
            assert_non_null(info);
            for (int k = 0; k < info->operand_count; k++)
                if (!is_named((tsr_arch)arch, info->mnemonic, info->operands[k].name))
                    fail_msg("no mode of %s, %s, names %s", info->mnemonic,
                             tsr_arch_name((tsr_arch)arch), info->operands[k].name);
        }
}

// So does every field that a plan of unpackers or packers is made of. A TileDescriptor is named by
// its parts.
static void test_fields(void **state)
{
    static const char *const groups[] = {"unpack0", "unpack1", "pack"};
    int seen = 0;
    (void)state;
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++)
        for (int i = 0; i < tsr_field_count((tsr_arch)arch); i++) {
            const tsr_field_info *field = tsr_field_at((tsr_arch)arch, i);
            if (field->implemented == TSR_IMPLEMENTED_NONE || field->width > 32)
                continue;
            for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
                if (strcmp(field->plan_group, groups[g]) != 0)
                    continue;
                seen++;
                if (!is_named((tsr_arch)arch, NULL, field->name))
                    fail_msg("no mode names %s", field->name);
            }
        }
    assert_true(seen > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
