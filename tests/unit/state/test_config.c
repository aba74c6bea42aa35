// SPDX-License-Identifier: Apache-2.0
// Backend configuration: who writes which bank, what a write does besides, and which plans it makes
// stale. Pages: BackendConfiguration.md of each chip, WRCFG.md, RDCFG.md, RMWCIB.md, SETC16.md.
#include "rig/tile_rig.h"
#include "state/plan_key.h"

static uint32_t word_at(tsr_tile *tile, int bank, unsigned addr32)
{
    return tile_state(tile)->config.bank[bank][addr32];
}

static void push_format(tsr_tile *tile, int thread, const char *format, unsigned a, unsigned b,
                        unsigned c)
{
    char text[120];
    snprintf(text, sizeof text, format, a, b, c);
    tile_do(tile, thread, text);
}

// ---------------------------------------------------------------- WRCFG, RDCFG

static void test_wrcfg_banks(int arch)
{
    tsr_tile *tile = tile_default(arch);
    unsigned global = tile_env(tile)->isa->layout.global_base;
    tile_set_gpr(tile, 0, 9, 0xdeadbeef);
    tile_set_gpr(tile, 2, 9, 0x12345678);
    tile_field(tile, 2, FIELD_CFG_STATE_ID_StateID, 1);
    push_format(tile, 0, "WRCFG GprAddress=%u CfgReg=%u", 9, 70, 0);
    assert_int_equal(word_at(tile, 0, 70), 0xdeadbeef);
    assert_int_equal(word_at(tile, 1, 70), 0);
    push_format(tile, 2, "WRCFG GprAddress=%u CfgReg=%u", 9, 70, 0);
    assert_int_equal(word_at(tile, 0, 70), 0xdeadbeef);
    assert_int_equal(word_at(tile, 1, 70), 0x12345678);
    push_format(tile, 2, "WRCFG GprAddress=%u CfgReg=%u", 9, global - 1, 0);
    assert_int_equal(word_at(tile, 0, global - 1), 0);
    push_format(tile, 2, "WRCFG GprAddress=%u CfgReg=%u", 9, global, 0);
    assert_int_equal(word_at(tile, 0, global), 0x12345678); // exists once
    assert_int_equal(word_at(tile, 1, global), 0x12345678);
    push_format(tile, 2, "RDCFG GprAddress=%u CfgReg=%u", 20, 70, 0);
    push_format(tile, 0, "RDCFG GprAddress=%u CfgReg=%u", 21, 70, 0);
    assert_int_equal(tile_gpr(tile, 2, 20), 0x12345678);
    assert_int_equal(tile_gpr(tile, 0, 21), 0xdeadbeef);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_wrcfg_banks)

// Four words; both indices lose their low two bits.
static void test_wrcfg_wide(int arch)
{
    tsr_tile *tile = tile_default(arch);
    for (int i = 0; i < 4; i++)
        tile_set_gpr(tile, 1, 12 + i, 0x100u + (unsigned)i);
    push_format(tile, 1, "WRCFG wr128b=1 GprAddress=%u CfgReg=%u", 14, 71, 0);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(word_at(tile, 0, 68 + i), 0x100 + i);
    assert_int_equal(word_at(tile, 0, 72), 0);
    assert_int_equal(word_at(tile, 0, 67), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_wrcfg_wide)

static void test_wrcfg_needs_its_gpr(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_push(tile, 0, "WRCFG GprAddress=3 CfgReg=70");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    const tsr_diagnostic *found = tile_found(tile, "uninitialised-gpr");
    assert_non_null(found);
    assert_non_null(strstr(found->sentence, "GPR 3"));
    assert_non_null(strstr(found->instruction, "WRCFG"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_wrcfg_needs_its_gpr)

static void test_index_out_of_range(int arch)
{
    static const char *const texts[] = {
        "WRCFG GprAddress=1 CfgReg=%u", "RDCFG GprAddress=1 CfgReg=%u",
        "RMWCIB0 Data=255 Mask=255 CfgRegAddr=%u", "SETC16 setc16_value=1 setc16_reg=%u"};
    const struct tsr_layout *layout = &tsr_isa((tsr_arch)arch)->layout;
    for (int i = 0; i < 4; i++) {
        char text[80];
        snprintf(text, sizeof text, texts[i], i == 3 ? layout->thread_words : layout->banked_words);
        for (int record = 0; record < 2; record++) {
            tsr_tile *tile = tile_default(arch);
            tile_set_gpr(tile, 0, 1, 77);
            if (record)
                tsr_tile_set_policy(tile, "config-index", TSR_ACTION_RECORD);
            struct tsr_config before = tile_state(tile)->config;
            tile_push(tile, 0, text);
            assert_int_equal(tile_run(tile), record ? TSR_END_IDLE : TSR_END_STOPPED);
            assert_non_null(tile_found(tile, "config-index"));
            assert_memory_equal(&before, &tile_state(tile)->config, sizeof before);
            assert_int_equal(tile_gpr(tile, 0, 1), 77);
            tsr_tile_destroy(tile);
        }
    }
}
TILE_BOTH(test_index_out_of_range)

// ---------------------------------------------------------------- RMWCIB, SETC16

static void test_rmwcib(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_state(tile)->config.bank[0][80] = 0x44332211;
    push_format(tile, 0, "RMWCIB0 Data=%u Mask=%u CfgRegAddr=%u", 0xff, 0x0f, 80);
    assert_int_equal(word_at(tile, 0, 80), 0x4433221f);
    push_format(tile, 0, "RMWCIB1 Data=%u Mask=%u CfgRegAddr=%u", 0x00, 0xf0, 80);
    assert_int_equal(word_at(tile, 0, 80), 0x4433021f);
    push_format(tile, 0, "RMWCIB2 Data=%u Mask=%u CfgRegAddr=%u", 0xa5, 0xff, 80);
    assert_int_equal(word_at(tile, 0, 80), 0x44a5021f);
    push_format(tile, 0, "RMWCIB3 Data=%u Mask=%u CfgRegAddr=%u", 0x81, 0x80, 80);
    assert_int_equal(word_at(tile, 0, 80), 0xc4a5021f);
    assert_int_equal(word_at(tile, 1, 80), 0);
    assert_int_equal(tile_state(tile)->config.bank_written[0][80], 0x80fff00f);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_rmwcib)

static void test_setc16(int arch)
{
    tsr_tile *tile = tile_default(arch);
    push_format(tile, 2, "SETC16 setc16_reg=%u setc16_value=%u", 30, 0xbeef, 0);
    assert_int_equal(tile_state(tile)->config.thread[2][30], 0xbeef);
    assert_int_equal(tile_state(tile)->config.thread[0][30], 0);
    assert_int_equal(tile_state(tile)->config.thread_written[2][30], 0xffff);
    assert_int_equal(tile_state(tile)->config.thread_written[1][30], 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_setc16)

// ---------------------------------------------------------------- side effects

static void test_state_reset(int arch)
{
    tsr_tile *tile = tile_default(arch);
    unsigned reset = tile_env(tile)->isa->field[FIELD_STATE_RESET_EN].addr32;
    unsigned global = tile_env(tile)->isa->layout.global_base;
    for (uint32_t value = 0; value < 2; value++) {
        for (int bank = 0; bank < 2; bank++)
            for (unsigned i = 0; i < tile_env(tile)->isa->layout.banked_words; i++)
                tile_state(tile)->config.bank[bank][i] = 5;
        tile_set_gpr(tile, 0, 4, value);
        push_format(tile, 0, "RMWCIB0 Data=1 Mask=255 CfgRegAddr=%u", reset, 0, 0);
        assert_int_equal(word_at(tile, 0, 0), 5); // a byte resets nothing
        assert_int_equal(word_at(tile, 0, reset), 1);
        push_format(tile, 0, "WRCFG GprAddress=%u CfgReg=%u", 4, reset, 0);
        for (unsigned i = 0; i < global; i++) {
            assert_int_equal(word_at(tile, 0, i), 0); // this word as well
            assert_int_equal(word_at(tile, 1, i), 5);
        }
        assert_int_equal(word_at(tile, 0, global), 5);
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_state_reset)

static void test_context_counter_reset(int arch)
{
    tsr_tile *tile = tile_default(arch);
    struct tsr_unpacker *unpacker = tile_state(tile)->unpacker;
    unsigned word = tile_env(tile)->isa->field[FIELD_UNPACK_MISC_CFG_CfgContextCntReset_0].addr32;
    for (int u = 0; u < 2; u++)
        for (int thread = 0; thread < TSR_THREADS; thread++)
            unpacker[u].context_counter[thread] = 3;
    push_format(tile, 1, "SETC16 setc16_reg=%u setc16_value=0", word + 1, 0, 0);
    assert_int_equal(unpacker[0].context_counter[1], 3);
    push_format(tile, 1, "SETC16 setc16_reg=%u setc16_value=0", word, 0, 0); // whatever the value
    assert_int_equal(unpacker[0].context_counter[1], 0);
    assert_int_equal(unpacker[1].context_counter[1], 0);
    assert_int_equal(unpacker[0].context_counter[0], 3);
    assert_int_equal(unpacker[1].context_counter[2], 3);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_context_counter_reset)

// ---------------------------------------------------------------- plan groups

static void test_generations(int arch)
{
    tsr_tile *tile = tile_default(arch);
    struct tsr_config *config = &tile_state(tile)->config;
    uint32_t before[PLAN_COUNT];
    memcpy(before, config->bank_generation[0], sizeof before);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_In_data_format, 5);
    for (int group = 0; group < PLAN_COUNT; group++)
        assert_int_equal(config->bank_generation[0][group], before[group] + (group == PLAN_PACK));
    assert_int_equal(config->bank_generation[1][PLAN_PACK], 0);
    memcpy(before, config->bank_generation[0], sizeof before);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_In_data_format, 5); // the same value
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_L1_Dest_addr, 99);  // an address: no plan's
    assert_memory_equal(before, config->bank_generation[0], sizeof before);
    tile_field(tile, 1, FIELD_ALU_FORMAT_SPEC_REG0_SrcA, 5);
    assert_int_equal(config->bank_generation[1][PLAN_ALU], 1);
    assert_memory_equal(before, config->bank_generation[0], sizeof before);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_generations)

// A mask that spares the field spares the plan; a word that exists once is both banks'.
static void test_generations_by_bits(int arch)
{
    tsr_tile *tile = tile_default(arch);
    struct tsr_env *env = tile_env(tile);
    struct tsr_config *config = &env->state->config;
    const struct tsr_field_place *place = &env->isa->field[FIELD_THCON_SEC0_REG1_In_data_format];
    uint32_t own = tsr_mask32(place->width) << place->first_bit;
    uint32_t all = env->plan_masks->bank[place->addr32][PLAN_PACK];
    tsr_config_write(env, 0, place->addr32, 0xffffffffu, ~all);
    assert_int_equal(config->bank_generation[0][PLAN_PACK], 0);
    tsr_config_write(env, 0, place->addr32, own, own);
    assert_int_equal(config->bank_generation[0][PLAN_PACK], 1);
    for (int field = 0; field < FIELD_COUNT; field++) {
        place = &env->isa->field[field];
        if (place->scope != TSR_SCOPE_UNBANKED || place->group == PLAN_NONE || !place->width)
            continue;
        uint32_t old0 = config->bank_generation[0][place->group];
        uint32_t old1 = config->bank_generation[1][place->group];
        uint32_t bit = 1u << place->first_bit;
        tsr_config_write(env, 1, place->addr32, ~config->bank[0][place->addr32], bit);
        assert_int_equal(config->bank_generation[0][place->group], old0 + 1);
        assert_int_equal(config->bank_generation[1][place->group], old1 + 1);
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_generations_by_bits)

static void test_thread_generations(int arch)
{
    tsr_tile *tile = tile_default(arch);
    struct tsr_config *config = &tile_state(tile)->config;
    const struct tsr_isa *isa = tile_env(tile)->isa;
    int tried = 0;
    for (int field = 0; field < FIELD_COUNT; field++) {
        const struct tsr_field_place *place = &isa->field[field];
        if (place->scope != TSR_SCOPE_THREAD || place->group == PLAN_NONE || !place->width)
            continue;
        uint32_t old = config->thread_generation[1][place->group];
        tile_field(tile, 1, (enum tsr_field)field, 1);
        assert_int_equal(config->thread_generation[1][place->group], old + 1);
        tile_field(tile, 1, (enum tsr_field)field, 1);
        assert_int_equal(config->thread_generation[1][place->group], old + 1);
        assert_int_equal(config->thread_generation[0][place->group], 0);
        tried++;
    }
    assert_true(tried > 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_thread_generations)

// A key holds while no generation of its bank and thread has risen, however many words outside the
// groups were written since.
static void test_plan_keys(int arch)
{
    tsr_tile *tile = tile_default(arch);
    struct tsr_config *config = &tile_state(tile)->config;
    struct tsr_plan_groups from = {0, 1, {PLAN_PACK}, {PLAN_RWC}}, other_bank = from,
                           other_thread = from;
    struct tsr_plan_key key = {0};
    other_bank.state_id = 1;
    other_thread.thread = 2;
    assert_false(tsr_plan_key_holds(&key, config, from));
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_In_data_format, 5);
    tile_field(tile, 1, FIELD_ADDR_MOD_AB_SEC0_SrcAIncr, 5);
    tsr_plan_key_set(&key, config, from);
    assert_true(tsr_plan_key_unchanged(&key, config));
    uint64_t changes = config->changes, stale = config->stale;
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_L1_Dest_addr, 99); // an address
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_L1_Dest_addr, 98);
    assert_true(config->changes > changes);
    assert_int_equal(config->stale, stale);
    assert_false(tsr_plan_key_unchanged(&key, config));
    assert_true(tsr_plan_key_holds(&key, config, from));
    assert_false(tsr_plan_key_holds(&key, config, other_bank));
    assert_false(tsr_plan_key_holds(&key, config, other_thread)); // whose generation is 0
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG0_SrcA, 3);      // another group
    assert_int_equal(config->stale, stale + 1);
    assert_true(tsr_plan_key_holds(&key, config, from));
    tile_field(tile, 1, FIELD_ADDR_MOD_AB_SEC0_SrcAIncr, 6);
    assert_int_equal(config->stale, stale + 2);
    assert_false(tsr_plan_key_holds(&key, config, from));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_plan_keys)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_wrcfg_banks),
        TILE_TEST(test_wrcfg_wide),
        TILE_TEST(test_wrcfg_needs_its_gpr),
        TILE_TEST(test_index_out_of_range),
        TILE_TEST(test_rmwcib),
        TILE_TEST(test_setc16),
        TILE_TEST(test_state_reset),
        TILE_TEST(test_context_counter_reset),
        TILE_TEST(test_generations),
        TILE_TEST(test_generations_by_bits),
        TILE_TEST(test_thread_generations),
        TILE_TEST(test_plan_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
