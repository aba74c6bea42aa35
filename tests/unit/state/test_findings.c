// SPDX-License-Identifier: Apache-2.0
// Findings and what becomes of them: profiles, policies by code and by category, the list that is
// kept, and a taint's way from undefined behaviour to L1 (docs/architecture.md, findings).
#include "rig/face_rig.h"

#include "state/report.h"

static tsr_action action_of(tsr_tile *tile, const char *code)
{
    return (tsr_action)tile->findings.action[tsr_finding_find(code) - tsr_finding_at(0)];
}

// ---------------------------------------------------------------- profiles and policies

static void test_profiles(void **state)
{
    (void)state;
    static const bool stops[3][TSR_CATEGORY_COUNT] = {
        [TSR_PROFILE_STRICT] = {true, true, false, false, true, true, true},
        [TSR_PROFILE_SILICON] = {false, false, false, false, true, true, false},
        [TSR_PROFILE_CONFORMANCE] = {false, false, false, false, true, true, true}};
    for (int profile = 0; profile < 3; profile++) {
        tsr_tile *tile = tile_new(WH, false, (tsr_profile)profile);
        for (int i = 0; i < tsr_finding_count(); i++)
            assert_int_equal(tile->findings.action[i],
                             stops[profile][tsr_finding_at(i)->category] ? TSR_ACTION_STOP
                             : tsr_finding_at(i)->category == TSR_UNGUARANTEED_ORDER &&
                                     profile != TSR_PROFILE_STRICT
                                 ? TSR_ACTION_IGNORE
                                 : TSR_ACTION_RECORD);
        tsr_tile_destroy(tile);
    }
}

// The same without a tile.
static void test_profile_actions(void **state)
{
    (void)state;
    assert_int_equal(tsr_profile_action(TSR_PROFILE_CONFORMANCE, TSR_DEADLOCK), TSR_ACTION_STOP);
    assert_int_equal(tsr_profile_action(TSR_PROFILE_SILICON, TSR_UNGUARANTEED_ORDER),
                     TSR_ACTION_IGNORE);
    assert_int_equal(tsr_profile_action((tsr_profile)3, TSR_DEADLOCK), TSR_ACTION_RECORD);
    assert_int_equal(tsr_profile_action(TSR_PROFILE_STRICT, TSR_CATEGORY_COUNT), TSR_ACTION_RECORD);
}

static void test_policies(void **state)
{
    (void)state;
    tsr_tile *tile = tile_default(WH);
    assert_int_equal(tsr_tile_set_policy(tile, "no-such-code", TSR_ACTION_STOP), TSR_NOT_FOUND);
    assert_int_equal(tsr_tile_set_policy(tile, NULL, TSR_ACTION_STOP), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_tile_set_policy(tile, "srca-row", (tsr_action)4), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_tile_set_policy(tile, "srca-row", TSR_ACTION_IGNORE), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_tile_set_policy(tile, "unguaranteed-dst", TSR_ACTION_IGNORE), TSR_OK);
    assert_int_equal(action_of(tile, "unguaranteed-dst"), TSR_ACTION_IGNORE);
    assert_int_equal(tsr_tile_set_policy(tile, "srca-row", TSR_ACTION_RECORD), TSR_OK);
    assert_int_equal(action_of(tile, "srca-row"), TSR_ACTION_RECORD);
    assert_int_equal(action_of(tile, "srcb-row"), TSR_ACTION_STOP);
    assert_int_equal(tsr_tile_set_policy(tile, "unpredictable-value", TSR_ACTION_RECORD), TSR_OK);
    assert_int_equal(action_of(tile, "uninitialised-l1"), TSR_ACTION_RECORD);
    assert_int_equal(action_of(tile, "uninitialised-gpr"), TSR_ACTION_RECORD);
    tsr_tile_reset(tile); // keeps the policy
    assert_int_equal(action_of(tile, "srca-row"), TSR_ACTION_RECORD);
    tsr_tile_destroy(tile);
    // "use" arms the finding about a tainted datum, unless that one was named itself.
    tile = tile_new(WH, false, TSR_PROFILE_SILICON);
    assert_int_equal(action_of(tile, "tainted-datum-used"), TSR_ACTION_RECORD);
    tsr_tile_set_policy(tile, "undefined-behaviour", TSR_ACTION_USE);
    assert_int_equal(action_of(tile, "srcb-row"), TSR_ACTION_USE);
    assert_int_equal(action_of(tile, "tainted-datum-used"), TSR_ACTION_STOP);
    tsr_tile_destroy(tile);
    tile = tile_new(WH, false, TSR_PROFILE_SILICON);
    tsr_tile_set_policy(tile, "tainted-datum-used", TSR_ACTION_RECORD);
    tsr_tile_set_policy(tile, "unpredictable-value", TSR_ACTION_USE);
    assert_int_equal(action_of(tile, "uninitialised-dst"), TSR_ACTION_USE);
    assert_int_equal(action_of(tile, "tainted-datum-used"), TSR_ACTION_RECORD);
    tsr_tile_destroy(tile);
}

static void test_verdicts(void **state)
{
    (void)state;
    tsr_tile *tile = tile_default(BH);
    struct tsr_env *env = tile_env(tile);
    assert_int_equal(tsr_report(env, FINDING_LEGACY_MODE, NULL, NULL, "x"), TSR_GO);
    tsr_tile_set_policy(tile, "legacy-mode", TSR_ACTION_USE);
    assert_int_equal(tsr_report(env, FINDING_LEGACY_MODE, NULL, NULL, "x"), TSR_GO_TAINTED);
    tsr_tile_set_policy(tile, "srca-row", TSR_ACTION_RECORD); // recorded undefined behaviour too
    assert_int_equal(tsr_report(env, FINDING_SRCA_ROW, NULL, NULL, "x"), TSR_GO_TAINTED);
    assert_false(tile->findings.stopped);
    assert_int_equal(tsr_report(env, FINDING_SRCB_ROW, NULL, NULL, "x"), TSR_HALT);
    assert_true(tile->findings.stopped);
    tsr_tile_destroy(tile);
}

// ---------------------------------------------------------------- what is kept

static void test_diagnostic(void **state)
{
    (void)state;
    tsr_tile *tile = tile_default(WH);
    tile_field(tile, 1, FIELD_SRCA_SET_Base, 2);
    tile_field(tile, 1, FIELD_THCON_SEC0_REG1_In_data_format, 9);
    struct tsr_inflight cause = {.word = tile_word(tile, "SEMPOST sem_sel=4"),
                                 .op = OP_SEMPOST,
                                 .thread = 1,
                                 .sequence = 17};
    struct tsr_cited cited = {1,
                              3,
                              {FIELD_SRCA_SET_Base, FIELD_THCON_SEC0_REG1_In_data_format,
                               FIELD_DISABLE_IMPLIED_SRCA_FMT_Base}};
    tsr_report(tile_env(tile), FINDING_LEGACY_MODE, &cause, &cited, "value %d", 5);
    const tsr_diagnostic *d = tsr_diagnostic_at(tile, 0);
    assert_string_equal(d->code, "legacy-mode");
    assert_string_equal(d->sentence, "value 5");
    assert_string_equal(d->instruction, "SEMPOST sem_sel=4");
    assert_int_equal(d->thread, 1);
    assert_int_equal(d->core, -1);
    assert_int_equal(d->sequence, 17);
    assert_int_equal(d->field_count, 2); // Wormhole does not have the third
    assert_string_equal(d->fields[0].name, "SRCA_SET_Base");
    assert_int_equal(d->fields[0].value, 2); // of thread 1
    assert_int_equal(d->fields[1].value, 9); // of bank 1
    assert_string_equal(d->page, tsr_finding_find("legacy-mode")->page);
    assert_null(tsr_diagnostic_at(tile, 1));
    assert_null(tsr_diagnostic_at(tile, -1));
    tsr_tile_destroy(tile);
}

static void test_repeats(void **state)
{
    (void)state;
    tsr_tile *tile = tile_new(WH, false, TSR_PROFILE_SILICON);
    for (int i = 0; i < 4; i++)
        tile_do(tile, 0, "SEMGET sem_sel=1");
    tile_do(tile, 1, "SEMGET sem_sel=1"); // another thread
    tile_do(tile, 0, "SEMGET sem_sel=2"); // another word
    assert_int_equal(tsr_diagnostic_count(tile), 3);
    assert_int_equal(tsr_diagnostic_at(tile, 0)->repeats, 3);
    assert_int_equal(tsr_diagnostic_at(tile, 1)->repeats, 0);
    uint32_t value;
    for (int core = TSR_CORE_NC; core >= TSR_CORE_B; core--) // each core has its own
        for (int i = 0; i <= core; i++)
            tsr_load(tile, (tsr_core)core, 0x100, &value, 4);
    assert_int_equal(tsr_diagnostic_count(tile), 3 + 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(tsr_diagnostic_at(tile, 3 + i)->core, TSR_CORE_NC - i);
        assert_int_equal(tsr_diagnostic_at(tile, 3 + i)->repeats, TSR_CORE_NC - i);
        assert_int_equal(tsr_diagnostic_at(tile, 3 + i)->word, 0);
    }
    tsr_tile_destroy(tile);
}

static void test_full_list(void **state)
{
    (void)state;
    tsr_tile *tile = tile_new(WH, false, TSR_PROFILE_SILICON);
    for (unsigned i = 0; i < 300; i++)
        tile_push_word(tile, 0,
                       0xa5000000u | i << 10 | 4); // SEMGETs distinguished by reserved bits
    tile_idle(tile);
    assert_int_equal(tsr_diagnostic_count(tile), TSR_FINDINGS_KEPT);
    assert_int_equal(tsr_diagnostics_dropped(tile), 299 + 300 - TSR_FINDINGS_KEPT);
    tsr_tile_reset(tile);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    assert_int_equal(tsr_diagnostics_dropped(tile), 0);
    tsr_tile_destroy(tile);
}

static void test_codes(void **state)
{
    (void)state;
    assert_int_equal(tsr_finding_count(), FINDING_COUNT);
    assert_null(tsr_finding_at(-1));
    assert_null(tsr_finding_at(FINDING_COUNT));
    assert_null(tsr_finding_find("l1"));
    for (int i = 0; i < FINDING_COUNT; i++) {
        const tsr_finding_info *info = tsr_finding_at(i);
        assert_ptr_equal(tsr_finding_find(info->code), info);
        assert_non_null(info->page);
        assert_true(strlen(info->text) > 20);
        for (int other = 0; other < TSR_CATEGORY_COUNT; other++) // no code is a category's name
            assert_string_not_equal(info->code, tsr_category_name((tsr_category)other));
    }
}

// ---------------------------------------------------------------- stop

static void test_stop(int arch)
{
    tsr_tile *tile = tile_default(arch);
    uint32_t value;
    tile_push_word(tile, 0, 0xff000000);
    tile_push(tile, 1, "SEMPOST sem_sel=1");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_false(tsr_step(tile));
    assert_int_equal(tsr_push(tile, 0, 0), TSR_STOPPED);
    assert_int_equal(tsr_load(tile, TSR_CORE_B, 0, &value, 4), TSR_STOPPED);
    assert_int_equal(tsr_diagnostic_count(tile), 1); // and can be looked at
    tsr_tile_reset(tile);
    tile_do(tile, 1, "SEMPOST sem_sel=1");
    assert_int_equal(tile_semaphore(tile, 0), 1);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_stop)

// ---------------------------------------------------------------- taint

// A 32-bit format to SrcA without conversion is undefined: its datums are tainted from SrcA through
// Dst to L1, where "use" stops and "record" marks the bytes.
static void load_tainted(tsr_tile *tile, int arch)
{
    face_load(tile, arch, 3);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG0_TileDescriptor_InDataFormat, 0);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG2_Out_data_format, 0);
    tsr_l1_mark_written(tile, FACE_A, 8 * FACE);
}

static bool any_tainted(tsr_tile *tile)
{
    return tsr_l1_any_tainted(&tile_state(tile)->l1, FACE_C, 2 * FACE_BYTES);
}

static void test_taint(int arch)
{
    tsr_tile *tile = tile_default(arch);
    load_tainted(tile, arch);
    assert_int_equal(tile_run(tile), TSR_END_STOPPED); // strict: at once
    assert_non_null(tile_found(tile, "src-32bit-format"));
    tsr_tile_destroy(tile);

    tile = tile_default(arch);
    tsr_tile_set_policy(tile, "undefined-behaviour", TSR_ACTION_USE);
    load_tainted(tile, arch);
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_int_equal(tile_found(tile, "src-32bit-format")->action, TSR_ACTION_USE);
    const tsr_diagnostic *used = tile_found(tile, "tainted-datum-used");
    assert_non_null(used);
    assert_non_null(strstr(used->instruction, "PACR"));
    assert_false(any_tainted(tile)); // it stopped before
    tsr_dst_row row;
    tsr_view_dst(tile, 3, &row);
    assert_int_equal(row.tainted, 0xffff);
    tsr_tile_destroy(tile);

    tile = tile_new(arch, false, TSR_PROFILE_SILICON);
    load_tainted(tile, arch);
    tile_idle(tile);
    assert_non_null(tile_found(tile, "tainted-datum-used"));
    assert_true(any_tainted(tile));
    face_put(tile, FACE_C, face_a, 2 * FACE, 1); // written afresh, clean
    assert_false(any_tainted(tile));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_taint)

static void report_number(tsr_tile *tile, unsigned number)
{
    const enum tsr_finding code =
        number & 1 ? FINDING_RESERVED_OPERAND_BITS : FINDING_UNINITIALISED_CONFIG;
    const struct tsr_inflight cause = {
        .op = OP_NOP, .word = 7 + (number >> 1 & 1), .thread = (uint8_t)(number >> 2)};
    tsr_report(tile_env(tile), code, &cause, NULL, "Number %u.", number);
}

// What was repeated last is found first: not for another code, thread or word, nor after a reset.
static void test_repeats_in_turn(void **state)
{
    (void)state;
    tsr_tile *tile = tile_new(WH, false, TSR_PROFILE_SILICON);
    for (unsigned i = 0; i < 64; i++)
        report_number(tile, i / 2 % 8);
    assert_int_equal(tsr_diagnostic_count(tile), 8);
    for (int i = 0; i < 8; i++) {
        const tsr_diagnostic *found = tsr_diagnostic_at(tile, i);
        assert_int_equal(found->repeats, 7);
        assert_int_equal(found->word, 7 + (i >> 1 & 1));
        assert_int_equal(found->thread, i >> 2);
    }
    tsr_tile_reset(tile);
    report_number(tile, 7); // the one that was last
    assert_int_equal(tsr_diagnostic_count(tile), 1);
    assert_int_equal(tsr_diagnostic_at(tile, 0)->repeats, 0);
    tsr_tile_destroy(tile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profiles),
        cmocka_unit_test(test_policies),
        cmocka_unit_test(test_profile_actions),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_diagnostic),
        cmocka_unit_test(test_repeats),
        cmocka_unit_test(test_full_list),
        cmocka_unit_test(test_codes),
        TILE_TEST(test_stop),
        cmocka_unit_test(test_repeats_in_turn),
        TILE_TEST(test_taint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
