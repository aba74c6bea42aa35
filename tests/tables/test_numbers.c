// SPDX-License-Identifier: Apache-2.0
// The numbers by name that kernels need beside addresses.
// Pages: SoftReset.md, NoC/MemoryMap.md, NoC/Counters.md of each chip.
#include <tessera/tessera.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// Each name once; some that pages have.
static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t value[TSR_ARCH_COUNT];
    } known[] = {
        {"RESET_B", {0x800, 0x800}},           {"RESET_T2", {0x4000, 0x4000}},
        {"RESET_NC", {0x40000, 0x40000}},      {"NOC_CMD_CTRL", {0x28, 0x40}},
        {"NOC_CMD_RESP_MARKED", {0x10, 0x10}}, {"NOC_PACKET_TRANSACTION_ID", {0x3c00, 0x3c00}},
        {"NOC_ID_LOGICAL", {0x138, 0x148}},    {"NIU_SLV_POSTED_WR_REQ_RECEIVED", {59, 59}}};
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        tsr_number_info one, other;
        size_t found = 0;
        for (int i = 0; tsr_number_at((tsr_arch)arch, i, &one) == TSR_OK; i++) {
            for (int k = 0; k < i; k++) {
                assert_int_equal(tsr_number_at((tsr_arch)arch, k, &other), TSR_OK);
                assert_string_not_equal(one.name, other.name);
            }
            for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
                if (strcmp(known[k].name, one.name) == 0) {
                    assert_int_equal(one.value, known[k].value[arch]);
                    found++;
                }
        }
        assert_int_equal(found, sizeof known / sizeof known[0]);
        assert_int_equal(tsr_number_at((tsr_arch)arch, -1, &one), TSR_BAD_ARGUMENT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
