// SPDX-License-Identifier: Apache-2.0
// The rows of cli/explain/fields.def: every field that a unit reads has one, every pattern names a
// field, and the instructions that they name are there.
#include "explain/meanings.h"

#include <tessera/tessera.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *name_of(int arch, int index)
{
    return tsr_field_at((tsr_arch)arch, index)->name;
}

static void test_all_fields(void **state)
{
    (void)state;
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++)
        for (int i = 0; i < tsr_field_count((tsr_arch)arch); i++) {
            const tsr_field_info *field = tsr_field_at((tsr_arch)arch, i);
            const struct meaning *meaning = field_meaning(field->name);
            if (field->implemented != TSR_IMPLEMENTED_NONE && meaning == NULL)
                fail_msg("%s has no meaning", field->name);
            if (meaning != NULL && meaning->values == value_is_format && field->width != 4)
                fail_msg("%s holds no format", field->name);
        }
}

static bool names_a_field(const char *pattern)
{
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++)
        for (int i = 0; i < tsr_field_count((tsr_arch)arch); i++)
            if (pattern_fits(pattern, name_of(arch, i)))
                return true;
    return false;
}

static void test_all_patterns(void **state)
{
    (void)state;
    for (int i = 0; i < meaning_count(); i++) {
        const struct meaning *meaning = meaning_at(i);
        char patterns[1000];
        snprintf(patterns, sizeof patterns, "%s", meaning->fields);
        for (const char *one = strtok(patterns, "|"); one != NULL; one = strtok(NULL, "|"))
            if (!names_a_field(one))
                fail_msg("no field is '%s'", one);
        assert_true(meaning->means[0] != '\0' && meaning->readers[0] != '\0');
    }
}

// Words in capitals are mnemonics of one of the chips.
static void test_readers(void **state)
{
    (void)state;
    for (int i = 0; i < meaning_count(); i++) {
        char readers[300];
        snprintf(readers, sizeof readers, "%s", meaning_at(i)->readers);
        for (const char *word = strtok(readers, " ,"); word != NULL; word = strtok(NULL, " ,"))
            if (word[0] >= 'A' && word[0] <= 'Z' &&
                tsr_instruction_find(TSR_WORMHOLE_B0, word) == NULL &&
                tsr_instruction_find(TSR_BLACKHOLE_A0, word) == NULL)
                fail_msg("no instruction is '%s'", word);
    }
}

static void test_patterns(void **state)
{
    (void)state;
    assert_true(pattern_fits("A|B*_C", "B12_C"));
    assert_true(pattern_fits("B*_C|A", "A"));
    assert_false(pattern_fits("B*_C|A", "B_C"));
    assert_false(pattern_fits("A*", "A1x"));
    assert_null(field_meaning("FROB"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_fields),
        cmocka_unit_test(test_all_patterns),
        cmocka_unit_test(test_readers),
        cmocka_unit_test(test_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
