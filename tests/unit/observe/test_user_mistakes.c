// SPDX-License-Identifier: Apache-2.0
// Mistakes that people reported from cards, as small programs: what each tells today, and that the
// program with the wait tells nothing. The issue stands beside each.
// Pages: STALLWAIT.md of each chip, SEMGET.md, CLEARDVALID.md, BackendConfiguration.md.
#include "rig/tile_rig.h"

enum { WORDS = 8 };

struct mistake {
    const char *issue;
    const char *thread[TSR_THREADS][WORDS];
    const char *code, *part, *wait; // NULL: any
};

#define STALL(block, wait) "STALLWAIT stall_res=p_stall." block " wait_res=p_stall." wait

static const struct mistake mistakes[] = {
    {"llk#1655, llk#1658: WRCFG of a word in which another thread sets its own bits",
     {[1] = {"RMWCIB0 CfgRegAddr=2 Data=1 Mask=1"},
      [2] = {"SETDMAREG Payload_SigSel=64 RegIndex16b=0", "SETDMAREG RegIndex16b=1",
             "WRCFG GprAddress=0 CfgReg=2"}},
     "race-writes",
     "T2's WRCFG writes",
     "SEMPOST"},
    {"llk#1655: masked, each its own bits",
     {[1] = {"RMWCIB0 CfgRegAddr=2 Data=1 Mask=1"}, [2] = {"RMWCIB0 CfgRegAddr=2 Data=64 Mask=64"}},
     NULL,
     NULL,
     NULL},
    {"metal#20784: which units run beside each other",
     {[1] = {"ZEROACC clear_mode=3", "SFPLOAD instr_mod0=1"}},
     "race-read-write",
     "T1's SFPLOAD reads Dst",
     "STALLWAIT stall_res=p_stall.STALL_SFPU wait_res=p_stall.MATH"},
    {"metal#20784: ordered",
     {[1] = {"ZEROACC clear_mode=3", STALL("STALL_SFPU", "MATH"), "SFPLOAD instr_mod0=1"}},
     NULL,
     NULL,
     NULL},
    {"metal#53394: a post before the vector unit is done",
     {[0] = {"SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=p_stall.STALL_SFPU",
             "SFPLOAD instr_mod0=1"},
      [1] = {"ZEROACC clear_mode=3", "SEMPOST sem_sel=1"}},
     "race-read-write",
     "T0's SFPLOAD reads Dst",
     "STALLWAIT stall_res=p_stall.STALL_SYNC wait_res=p_stall.MATH"},
    {"metal#53413: SETRWC clears the valid bits of banks that may not have been handed over",
     {[0] = {"ZEROSRC src_mask=3 bank_mask=1", "SETDVALID setvalid=3"},
      [1] = {"SETRWC clear_ab_vld=3"}},
     "src-bank-unordered",
     "waits for T0's SETDVALID",
     NULL},
    {"llk#1662: CLEARDVALID of a bank that nothing has filled",
     {[1] = {"CLEARDVALID cleardvalid=1"}},
     "src-bank-taken",
     "gives SrcA bank 0 back, which the unpackers own already",
     NULL},
    {"metal#21244: the banks' pointers are out of step at the end",
     {[1] = {"CLEARDVALID cleardvalid=1"}},
     "src-bank-parity",
     NULL,
     NULL},
    {"metal#19201: SEMGET of a semaphore that is 0 is dropped",
     {[0] = {"SEMGET sem_sel=1"}},
     "semaphore-at-zero",
     "it must come after the next SEMPOST",
     NULL},
    {"one post too many",
     {[0] = {"SEMINIT sem_sel=1 init_value=1 max_value=1", "SEMPOST sem_sel=1"}},
     "semaphore-above-max",
     "SEMWAIT stall_res=p_stall.STALL_SYNC wait_sem_cond=p_stall.STALL_ON_MAX sem_sel=1 before it "
     "orders them",
     NULL},
};

// With `p_stall.NAME` replaced by the chip's number.
static uint32_t word_of(const tsr_tile *tile, const char *text)
{
    char line[300] = "", copy[200];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
        size_t used = strlen(line);
        char *constant = strstr(word, "=p_stall.");
        uint32_t value;
        if (!constant) {
            snprintf(line + used, sizeof line - used, "%s ", word);
            continue;
        }
        assert_int_equal(tsr_constant_find(tsr_tile_arch(tile), constant + 1, &value), TSR_OK);
        snprintf(line + used, sizeof line - used, "%.*s=%u ", (int)(constant - word), word,
                 (unsigned)value);
    }
    return tile_word(tile, line);
}

static tsr_tile *watched(int arch, tsr_schedule schedule)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.profile = TSR_PROFILE_SILICON;
    options.find_races = true;
    options.schedule = schedule;
    return tile_with(&options);
}

static void check(const struct mistake *mistake, int arch, tsr_schedule schedule)
{
    tsr_tile *tile = watched(arch, schedule);
    for (int thread = 0; thread < TSR_THREADS; thread++)
        for (int i = 0; i < WORDS && mistake->thread[thread][i]; i++)
            tile_push_word(tile, thread, word_of(tile, mistake->thread[thread][i]));
    assert_int_equal(tile_run(tile), TSR_END_IDLE);
    if (mistake->code) {
        const tsr_diagnostic *found = tile_found(tile, mistake->code);
        if (!found)
            fail_msg("%s: no %s", mistake->issue, mistake->code);
        if (mistake->part && !strstr(found->sentence, mistake->part))
            fail_msg("%s: \"%s\" is not in \"%s\"", mistake->issue, mistake->part, found->sentence);
        if (mistake->wait && !strstr(found->wait, mistake->wait))
            fail_msg("%s: \"%s\" is not in \"%s\"", mistake->issue, mistake->wait, found->wait);
    } else {
        for (int i = 0; i < tsr_diagnostic_count(tile); i++)
            if (tsr_diagnostic_at(tile, i)->category == TSR_RACE)
                fail_msg("%s: %s", mistake->issue, tsr_diagnostic_at(tile, i)->sentence);
    }
    tsr_tile_destroy(tile);
}

static void test_programs(int arch)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        check(&mistakes[i], arch, TSR_SCHEDULE_CARD);
        check(&mistakes[i], arch, TSR_SCHEDULE_EAGER);
    }
}
TILE_BOTH(test_programs)

static uint32_t config_address(const tsr_tile *tile, enum tsr_field field)
{
    const struct tsr_isa *isa = tile->engine.env.isa;
    return isa->region[REGION_CONFIG].base + 4u * isa->field[field].addr32;
}

// metal#50972, as far as it is known by the audit of metal#49657: configuration is written anew
// before the unit that uses it has been waited for. A wait for another unit, or one that holds
// another unit, does not count; each is told with the unit's own.
static void test_reconfiguration(int arch)
{
    static const struct {
        const char *name, *uses, *wait;
        enum tsr_field field;
        bool races;
        const char *missing;
    } rows[] = {
        {"no wait", "PACR Last=1", NULL, FIELD_THCON_SEC0_REG1_Out_data_format, true,
         "STALLWAIT stall_res=p_stall.STALL_CFG wait_res=p_stall.PACK"},
        {"a wait for the scalar unit alone", "PACR Last=1", STALL("STALL_CFG", "THCON"),
         FIELD_THCON_SEC0_REG1_Out_data_format, true, "wait_res=p_stall.PACK"},
        {"one that holds the packer, not the change", "PACR Last=1", STALL("STALL_PACK", "PACK"),
         FIELD_THCON_SEC0_REG1_Out_data_format, true, "stall_res=p_stall.STALL_CFG"},
        {"with its wait", "PACR Last=1", STALL("STALL_CFG", "PACK"),
         FIELD_THCON_SEC0_REG1_Out_data_format, false, NULL},
        {"an unpacker's format", "UNPACR OvrdThreadId=1 Last=1", STALL("STALL_CFG", "THCON"),
         FIELD_THCON_SEC0_REG2_Out_data_format, true,
         "STALLWAIT stall_res=p_stall.STALL_CFG wait_res=p_stall.UNPACK0"},
        {"the other unpacker's wait", "UNPACR OvrdThreadId=1 Last=1", STALL("STALL_CFG", "UNPACK1"),
         FIELD_THCON_SEC0_REG2_Out_data_format, true, "wait_res=p_stall.UNPACK0"},
        {"with its wait", "UNPACR OvrdThreadId=1 Last=1", STALL("STALL_CFG", "UNPACK0"),
         FIELD_THCON_SEC0_REG2_Out_data_format, false, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = watched(arch, TSR_SCHEDULE_CARD);
        const struct tsr_field_place *place = &tile_env(tile)->isa->field[rows[i].field];
        char change[80];
        snprintf(change, sizeof change, "RMWCIB%u CfgRegAddr=%u Data=255 Mask=%u",
                 place->first_bit / 8u, place->addr32, 1u << place->first_bit % 8);
        tile_push(tile, 0, rows[i].uses);
        if (rows[i].wait)
            tile_push_word(tile, 0, word_of(tile, rows[i].wait));
        tile_push(tile, 0, change);
        tile_run(tile);
        const tsr_diagnostic *race = tile_found(tile, "race-config");
        if ((race != NULL) != rows[i].races)
            fail_msg("%s: %s", rows[i].name, race ? race->sentence : "nothing");
        if (race && !strstr(race->wait, rows[i].missing))
            fail_msg("%s: \"%s\" is not in \"%s\"", rows[i].name, rows[i].missing, race->wait);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_reconfiguration)

// metal#22298: a core rewrites the unpacker's base address while its UNPACR is on its way. With
// AllDatumsAreZero no datum depends on it, but the length of a compressed row does (errata 422).
static void test_base_address(int arch)
{
    static const struct {
        const char *uses;
        bool compressed, races;
    } rows[] = {{"UNPACR OvrdThreadId=1 Last=1", false, true},
                {"UNPACR OvrdThreadId=1 Last=1 ZeroWrite2=1", false, false},
                {"UNPACR OvrdThreadId=1 Last=1 ZeroWrite2=1", true, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = watched(arch, TSR_SCHEDULE_CARD);
        uint32_t address = config_address(tile, FIELD_THCON_SEC0_REG3_Base_address);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG2_Disable_zero_compress_cntx0, !rows[i].compressed);
        assert_int_equal(tsr_store(tile, TSR_CORE_T0, address, 0x1fff, 4), TSR_OK);
        tile_push(tile, 0, rows[i].uses);
        tile_run(tile);
        assert_int_equal(tsr_store(tile, TSR_CORE_T0, address, 0x2fff, 4), TSR_OK);
        const tsr_diagnostic *race = tile_found(tile, "race-address");
        if ((race != NULL) != rows[i].races)
            fail_msg("row %zu: %s", i, race ? race->sentence : "nothing");
        assert_true(race == NULL || strstr(race->sentence, "Base_address"));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_base_address)

// llk#1664, metal#53412: MOVD2A does not wait until the unpacker, which zeroes the bank, has handed
// it over.
static void test_unasked_bank(int arch)
{
    static const char *const wait =
        "STALLWAIT stall_res=p_stall.STALL_MATH wait_res=p_stall.SRCA_VLD";
    for (int waits = 0; waits < 2; waits++) {
        tsr_tile *tile = watched(arch, TSR_SCHEDULE_CARD);
        tile_push(tile, 0, arch == BH ? "UNPACR_NOP Unpack_Pop=1" : "UNPACR_NOP NoOp=1");
        tile_push_word(tile, 0, word_of(tile, STALL("STALL_TDMA", "UNPACK0")));
        tile_push(tile, 0, "SETDVALID setvalid=1");
        if (waits)
            tile_push_word(tile, 1, word_of(tile, wait));
        tile_push(tile, 1, "MOVD2A instr_mod=2");
        tile_run(tile);
        const tsr_diagnostic *race = tile_found(tile, "race-writes");
        if (waits) {
            assert_null(race);
        } else {
            tile_says(tile, "race-writes", "writes SrcA bank 0");
            assert_non_null(strstr(race->wait, wait));
            assert_non_null(strstr(race->wait, "(thread 1, before its MOVD2A)"));
        }
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_unasked_bank)

// metal#44077: the matrix unit has a bank that is not the one that was meant, since it was handed
// over while the unpacker still filled it. (The report itself is in no public index; this is what
// is known of it.)
static void test_bank_too_early(int arch)
{
    for (int waits = 0; waits < 2; waits++) {
        tsr_tile *tile = watched(arch, TSR_SCHEDULE_CARD);
        tile_push(tile, 0, arch == BH ? "UNPACR_NOP Unpack_Pop=1" : "UNPACR_NOP NoOp=1");
        if (waits)
            tile_push_word(tile, 0, word_of(tile, STALL("STALL_TDMA", "UNPACK0")));
        tile_push(tile, 0, "SETDVALID setvalid=1");
        tile_push(tile, 1, "MOVA2D instr_mod=2");
        tile_run(tile);
        if (waits) {
            assert_null(tile_found(tile, "race-read-write"));
        } else {
            tile_says(tile, "race-read-write",
                      "T1's MOVA2D reads SrcA bank 0, which T0's UNPACR_NOP");
            const char *wait = tile_found(tile, "race-read-write")->wait;
            assert_string_equal(wait, "STALLWAIT stall_res=p_stall.STALL_TDMA "
                                      "wait_res=p_stall.UNPACK0 (thread 0, before its SETDVALID)");
        }
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_bank_too_early)

// The other way round: a bank is handed over once more, and nobody has waited until the matrix unit
// has given it back. In this run it had.
static void test_bank_still_used(int arch)
{
    static const char *const wait =
        "STALLWAIT stall_res=p_stall.STALL_TDMA wait_res=p_stall.SRCA_CLR";
    for (int waits = 0; waits < 2; waits++) {
        tsr_tile *tile = watched(arch, TSR_SCHEDULE_CARD);
        for (int bank = 0; bank < 2; bank++) {
            tile_push(tile, 0, arch == BH ? "UNPACR_NOP Unpack_Pop=1" : "UNPACR_NOP NoOp=1");
            tile_push_word(tile, 0, word_of(tile, STALL("STALL_TDMA", "UNPACK0")));
            tile_push(tile, 0, "SETDVALID setvalid=1");
        }
        tile_push(tile, 0, "SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=1");
        if (waits)
            tile_push_word(tile, 0, word_of(tile, wait));
        tile_push(tile, 0, "SETDVALID setvalid=1");
        tile_push(tile, 1, "MOVA2D instr_mod=2");
        tile_push(tile, 1, "SEMPOST sem_sel=1");
        tile_push(tile, 1, "SETRWC clear_ab_vld=1");
        tile_run(tile);
        if (waits) {
            assert_null(tile_found(tile, "race-read-write"));
        } else {
            tile_says(tile, "race-read-write",
                      "T0's SETDVALID hands SrcA bank 0 over, which T1's SETRWC uses, and nothing");
            const char *missing = tile_found(tile, "race-read-write")->wait;
            assert_non_null(strstr(missing, wait));
            assert_non_null(strstr(missing, "(thread 0, before its SETDVALID)"));
        }
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_bank_still_used)

// llk#1671: two cores read a word, change their own bits and write it whole: an update is lost.
static void test_lost_update(int arch)
{
    tsr_tile *tile = watched(arch, TSR_SCHEDULE_CARD);
    uint32_t address = config_address(tile, FIELD_ALU_FORMAT_SPEC_REG0_SrcA), old[2];
    assert_int_equal(tsr_load(tile, TSR_CORE_T0, address, &old[0], 4), TSR_OK);
    assert_int_equal(tsr_load(tile, TSR_CORE_T1, address, &old[1], 4), TSR_OK);
    assert_int_equal(tsr_store(tile, TSR_CORE_T0, address, old[0] | 1, 4), TSR_OK);
    assert_int_equal(tsr_store(tile, TSR_CORE_T1, address, old[1] | 2, 4), TSR_OK);
    tile_says(tile, "race-writes", "core T1");
    tile_says(tile, "race-read-write", "which core T1 reads");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_lost_update)

// metal#19201: the dropped SEMGET, and the hang that follows, with who changed the semaphore last.
static void test_hang(int arch)
{
    tsr_tile *tile = watched(arch, TSR_SCHEDULE_CARD);
    tile_push(tile, 1, "SEMGET sem_sel=1");
    assert_int_equal(tile_run(tile), TSR_END_IDLE);
    tile_push(tile, 0, "SEMPOST sem_sel=1");
    tile_push(tile, 0, "SEMGET sem_sel=1");
    tile_push(tile, 1, "SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=0x1ff");
    tile_push(tile, 1, "NOP");
    assert_int_equal(tile_run(tile), TSR_END_DEADLOCK);
    tile_says(tile, "semaphore-at-zero", "SEMGET of semaphore 0, whose value is 0");
    tile_says(tile, "instruction-deadlock", "last changed by thread 0's SEMGET, instruction 2");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_hang)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_programs),        TILE_TEST(test_reconfiguration),
        TILE_TEST(test_base_address),    TILE_TEST(test_lost_update),
        TILE_TEST(test_unasked_bank),    TILE_TEST(test_bank_too_early),
        TILE_TEST(test_bank_still_used), TILE_TEST(test_hang)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
