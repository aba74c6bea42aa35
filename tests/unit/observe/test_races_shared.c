// SPDX-License-Identifier: Apache-2.0
// Races for what threads share beside memories: ADCs, the vector unit's registers and flags, what
// the mover takes from the configuration, Dst as cores see it; and orders that no page guarantees,
// which are told to those who ask for the letter.
// Pages: ADCs.md, SETADC.md, LReg.md, XMOV.md, Dst.md of each chip, SFPLOAD.md, PACR.md.
#include "rig/tile_rig.h"

enum { WORDS = 8 };

struct program {
    const char *name;
    const char *thread[TSR_THREADS][WORDS];
    const char *code, *part, *wait; // NULL: none, any
};

#define POST "SEMPOST sem_sel=1"
#define AFTER_POST(block) "SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=" block
#define MISC "1"
#define VECTOR "256"
#define ZERO_DST "ZEROACC clear_mode=3"
#define LOAD "SFPLOAD lreg_ind=0 instr_mod0=1 dest_reg_addr=0"
#define STORE "SFPSTORE lreg_ind=0 instr_mod0=1 dest_reg_addr=0"
// Y of channel 1 of the packers' ADC; of thread 1 if `Value` has 2 in bits 17:16.
#define SET_ADC(value) "SETADC CntSetMask=4 ChannelIndex=1 DimensionIndex=1 Value=" value

static const struct program programs[] = {
    // ADCs.
    {"a thread's own counters", {[0] = {SET_ADC("3")}, [1] = {SET_ADC("3")}}, NULL, NULL, NULL},
    {"another thread's counters",
     {[0] = {SET_ADC("131072")}, [1] = {SET_ADC("3")}},
     "race-writes",
     "writes Y of channel 1 of the ADC of the packers of thread 1, which",
     "SEMPOST"},
    {"... after a semaphore",
     {[0] = {AFTER_POST(MISC), SET_ADC("131072")}, [1] = {SET_ADC("3"), POST}},
     NULL,
     NULL,
     NULL},
    {"... other ones",
     {[0] = {SET_ADC("131072")}, [1] = {"SETADCXX CntSetMask=4 x_end2=5 x_start=0"}},
     NULL,
     NULL,
     NULL},
    {"... that an instruction uses",
     {[0] = {SET_ADC("131072")}, [1] = {"PACR Last=1"}},
     "race-read-write",
     "of the ADC of the packers of thread 1",
     NULL},
    {"... by several steps",
     {[0] = {"INCADCXY CntSetMask=2 ThreadOverride=3 Ch0_Y=1"},
      [2] = {"SETADCXY CntSetMask=2 BitMask=2 Ch0_Y=1"}},
     "race-writes",
     "Y of channel 0 of the ADC of unpacker 1 of thread 2",
     NULL},
    // The vector unit.
    {"one register, two threads",
     {[0] = {"SFPLOADI lreg_ind=1 instr_mod0=2"}, [1] = {"SFPLOADI lreg_ind=1 instr_mod0=2"}},
     "race-writes",
     "writes LReg[1], which",
     "SEMPOST"},
    {"... in order",
     {[0] = {AFTER_POST(VECTOR), "SFPLOADI lreg_ind=1 instr_mod0=2"},
      [1] = {"SFPLOADI lreg_ind=1 instr_mod0=2", POST}},
     NULL,
     NULL,
     NULL},
    {"a register each",
     {[0] = {"SFPLOADI lreg_ind=1 instr_mod0=2"}, [1] = {"SFPLOADI lreg_ind=2 instr_mod0=2"}},
     NULL,
     NULL,
     NULL},
    {"lane flags",
     {[0] = {"SFPLOADI lreg_ind=1 instr_mod0=2"}, [1] = {"SFPENCC imm12_math=3 instr_mod1=10"}},
     "race-read-write",
     "the vector unit's lane flags",
     NULL},
    // A vector load comes after three others (SFPLOAD.md).
    {"three unrelated instructions",
     {[1] = {ZERO_DST, "NOP", "NOP", "NOP", LOAD}},
     NULL,
     NULL,
     NULL},
    {"... and a store", {[1] = {ZERO_DST, "NOP", "NOP", "NOP", LOAD, STORE}}, NULL, NULL, NULL},
    {"two", {[1] = {ZERO_DST, "NOP", "NOP", LOAD}}, "race-read-write", "reads Dst", "MATH"},
    {"... of another thread",
     {[0] = {AFTER_POST(VECTOR), "NOP", "NOP", "NOP", LOAD}, [1] = {ZERO_DST, POST}},
     "race-read-write",
     "reads Dst",
     NULL},
};

// With orders that no page guarantees, or without.
static tsr_tile *watched(int arch, bool timing, bool to_the_letter)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.profile = TSR_PROFILE_SILICON;
    options.timing = timing;
    options.find_races = true;
    tsr_tile *tile = tile_with(&options);
    if (to_the_letter)
        assert_int_equal(tsr_tile_set_policy(tile, "unguaranteed-order", TSR_ACTION_RECORD),
                         TSR_OK);
    return tile;
}

static tsr_tile *run(const struct program *program, int arch, bool timing, int first,
                     bool to_the_letter)
{
    tsr_tile *tile = watched(arch, timing, to_the_letter);
    for (int i = 0; i < TSR_THREADS; i++) {
        int thread = (first + i) % TSR_THREADS;
        for (int k = 0; k < WORDS && program->thread[thread][k]; k++)
            tile_push(tile, thread, program->thread[thread][k]);
    }
    assert_int_equal(tile_run(tile), TSR_END_IDLE);
    return tile;
}

static const tsr_diagnostic *first_of(const tsr_tile *tile, tsr_category category)
{
    for (int i = 0; i < tsr_diagnostic_count(tile); i++)
        if (tsr_diagnostic_at(tile, i)->category == category)
            return tsr_diagnostic_at(tile, i);
    return NULL;
}

static void check_found(const struct program *program, const tsr_diagnostic *found)
{
    if (!program->code) {
        if (found)
            fail_msg("%s: %s", program->name, found->sentence);
        return;
    }
    if (!found)
        fail_msg("%s: nothing was found", program->name);
    assert_string_equal(found->code, program->code);
    assert_true(found->has_other);
    if (program->part && !strstr(found->sentence, program->part))
        fail_msg("%s: \"%s\" is not in \"%s\"", program->name, program->part, found->sentence);
    if (program->wait && !strstr(found->wait, program->wait))
        fail_msg("%s: \"%s\" is not in \"%s\"", program->name, program->wait, found->wait);
}

static void check_programs(int arch)
{
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        for (int variant = 0; variant < 6; variant++) {
            tsr_tile *tile = run(&programs[i], arch, variant & 1, variant / 2, false);
            check_found(&programs[i], first_of(tile, TSR_RACE));
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(check_programs)

// ---------------------------------------------------------------- the mover

// An XMOV has its addresses when it starts: its thread may change them, others must know of it.
static void check_mover(int arch)
{
    for (int same = 0; same < 2; same++) {
        tsr_tile *tile = watched(arch, false, true);
        unsigned addr32 = tile_env(tile)->isa->field[FIELD_THCON_SEC0_REG6_Source_address].addr32;
        char text[80];
        snprintf(text, sizeof text, "RMWCIB0 CfgRegAddr=%u Data=1 Mask=255", addr32);
        tile_push(tile, 0, "XMOV");
        tile_push(tile, same ? 0 : 1, text);
        tile_run(tile);
        assert_int_equal(first_of(tile, TSR_RACE) == NULL, same);
        assert_null(first_of(tile, TSR_UNGUARANTEED_ORDER));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(check_mover)

// ---------------------------------------------------------------- TDMA-RISC

enum { SOURCE = 0, TARGET = 4, SIZE = 8, DIRECTION = 12, COMMAND = 16, STATUS = 20 };

static void set_move(tsr_tile *tile, tsr_core core, uint32_t source, uint32_t target)
{
    enum { ONE_LINE = 1, L1_TO_L1 = 3, MOVE = 0x40 };
    uint32_t tdma = tile_env(tile)->isa->region[REGION_TDMA].base;
    assert_int_equal(tsr_store(tile, core, tdma + SOURCE, source >> 4, 4), TSR_OK);
    assert_int_equal(tsr_store(tile, core, tdma + TARGET, target >> 4, 4), TSR_OK);
    assert_int_equal(tsr_store(tile, core, tdma + SIZE, ONE_LINE, 4), TSR_OK);
    assert_int_equal(tsr_store(tile, core, tdma + DIRECTION, L1_TO_L1, 4), TSR_OK);
    assert_int_equal(tsr_store(tile, core, tdma + COMMAND, MOVE, 4), TSR_OK);
}

// A command is done when TDMA-RISC says that it has none and that the mover is idle.
static void check_moved(int arch)
{
    for (int asks = 0; asks < 2; asks++) {
        tsr_tile *tile = watched(arch, false, false);
        uint32_t value, tdma = tile_env(tile)->isa->region[REGION_TDMA].base;
        assert_int_equal(tsr_store(tile, TSR_CORE_B, 0x4000, 1, 4), TSR_OK);
        set_move(tile, TSR_CORE_B, 0x4000, 0x5000);
        tile_run(tile);
        assert_null(first_of(tile, TSR_RACE));
        if (asks)
            assert_int_equal(tsr_load(tile, TSR_CORE_B, tdma + STATUS, &value, 4), TSR_OK);
        assert_int_equal(tsr_load(tile, TSR_CORE_B, 0x5000, &value, 4), TSR_OK);
        assert_int_equal(tsr_store(tile, TSR_CORE_B, 0x4000, 2, 4), TSR_OK);
        assert_int_equal(first_of(tile, TSR_RACE) == NULL, asks);
        if (!asks)
            tile_says(tile, "race-read-write", "core B reads L1 from 0x05000 on, which TDMA-RISC");
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(check_moved)

// Two cores share the parameters of commands.
static void check_parameters(int arch)
{
    tsr_tile *tile = watched(arch, false, false);
    set_move(tile, TSR_CORE_B, 0x4000, 0x5000);
    set_move(tile, TSR_CORE_T0, 0x6000, 0x7000);
    const tsr_diagnostic *found = first_of(tile, TSR_RACE);
    assert_non_null(found);
    assert_non_null(strstr(found->sentence, "parameter 0 of TDMA-RISC's commands"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(check_parameters)

// The base of a core's compact commands is taken when the command is done.
static void check_base(int arch)
{
    enum { BASE = 0x2c, COMPACT = 0x80000000, L1_TO_L1 = 1 << 30, LINE = 1 << 24, TO = 0x80 << 16 };
    for (int asks = 0; asks < 2; asks++) {
        tsr_tile *tile = watched(arch, false, false);
        uint32_t value, tdma = tile_env(tile)->isa->region[REGION_TDMA].base;
        assert_int_equal(tsr_store(tile, TSR_CORE_T1, 0x4000, 1, 4), TSR_OK);
        assert_int_equal(tsr_store(tile, TSR_CORE_T1, tdma + BASE, 0x400, 4), TSR_OK);
        assert_int_equal(
            tsr_store(tile, TSR_CORE_T1, tdma + COMMAND, COMPACT | L1_TO_L1 | LINE | TO | 0x40, 4),
            TSR_OK);
        tile_run(tile);
        assert_null(first_of(tile, TSR_RACE));
        if (asks)
            assert_int_equal(tsr_load(tile, TSR_CORE_T1, tdma + STATUS, &value, 4), TSR_OK);
        assert_int_equal(tsr_store(tile, TSR_CORE_T1, tdma + BASE, 0x500, 4), TSR_OK);
        assert_int_equal(first_of(tile, TSR_RACE) == NULL, asks);
        if (!asks)
            tile_says(tile, "race-read-write",
                      "core T1 writes XMOV_L1_BASE_ADDR of core T1, which TDMA-RISC reads");
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(check_base)

// ---------------------------------------------------------------- Dst as cores see it

static void check_window(void **state)
{
    (void)state;
    for (int drains = 0; drains < 2; drains++) {
        uint32_t value;
        tsr_tile *tile = watched(TSR_BLACKHOLE_A0, false, false);
        uint32_t window = tile_env(tile)->isa->region[REGION_DST_WINDOW].base;
        tile_push(tile, 1, ZERO_DST);
        tile_run(tile);
        if (drains)
            assert_true(tsr_thread_drained(tile, 1));
        assert_int_equal(tsr_load(tile, TSR_CORE_T1, window, &value, 4), TSR_OK);
        assert_int_equal(first_of(tile, TSR_RACE) == NULL, drains);
        if (!drains)
            tile_says(tile, "race-read-write",
                      "core T1 reads Dst from physical row 0 on, which T1");
        tsr_tile_destroy(tile);
    }
}

// ---------------------------------------------------------------- Auto TTSync

// A T core's store to configuration waits for instructions of its thread that use it, if they are
// tracked (Blackhole); without that nothing tells it of their acceptance.
static void check_auto_sync(void **state)
{
    (void)state;
    enum { TRACK_ALL = 29 };
    for (int tracked = 0; tracked < 2; tracked++) {
        char text[80];
        tsr_tile *tile = watched(TSR_BLACKHOLE_A0, false, false);
        const struct tsr_isa *isa = tile_env(tile)->isa;
        unsigned addr32 = isa->field[FIELD_THCON_SEC0_REG1_L1_Dest_addr].addr32;
        uint32_t address = isa->region[REGION_CONFIG].base + 4 * addr32;
        snprintf(text, sizeof text, "SETC16 setc16_reg=56 setc16_value=%d",
                 tracked ? TRACK_ALL : 0);
        tile_push(tile, 0, text);
        snprintf(text, sizeof text, "RMWCIB0 CfgRegAddr=%u Data=1 Mask=255", addr32);
        tile_push(tile, 0, text);
        tile_run(tile);
        assert_int_equal(tsr_store(tile, TSR_CORE_T0, address, 2, 4), TSR_OK);
        assert_int_equal(first_of(tile, TSR_RACE) == NULL, tracked);
        // Other cores are not looked after.
        assert_int_equal(tsr_store(tile, TSR_CORE_T1, address, 3, 4), TSR_OK);
        tile_says(tile, "race-writes", "core T");
        tsr_tile_destroy(tile);
    }
}

// ---------------------------------------------------------------- orders without a page

static const struct program relied_on = {
    "a vector store, then a matrix write",
    {[1] = {STORE, ZERO_DST}},
    "unguaranteed-dst",
    "they are in order by what hardware does, and by no page",
    "STALLWAIT stall_res=p_stall.STALL_MATH wait_res=p_stall.SFPU1"};

static void check_relied_on(int arch)
{
    tsr_tile *tile = run(&relied_on, arch, false, 0, false);
    assert_null(first_of(tile, TSR_UNGUARANTEED_ORDER));
    tsr_tile_destroy(tile);
    tile = run(&relied_on, arch, false, 0, true);
    const tsr_diagnostic *found = first_of(tile, TSR_UNGUARANTEED_ORDER);
    check_found(&relied_on, found);
    assert_null(first_of(tile, TSR_RACE));
    assert_int_equal(tsr_tile_set_policy(tile, "race", TSR_ACTION_IGNORE), TSR_BAD_ARGUMENT);
    tsr_tile_destroy(tile);
    struct program waits = relied_on;
    uint32_t unit;
    char stall[80];
    assert_int_equal(tsr_constant_find((tsr_arch)arch, "p_stall.SFPU1", &unit), TSR_OK);
    snprintf(stall, sizeof stall, "STALLWAIT stall_res=64 wait_res=%u", (unsigned)unit);
    waits.thread[1][1] = stall;
    waits.thread[1][2] = ZERO_DST;
    tile = run(&waits, arch, false, 0, true);
    assert_null(first_of(tile, TSR_UNGUARANTEED_ORDER));
    tsr_tile_destroy(tile);
}
TILE_BOTH(check_relied_on)

// Blackhole's kernels of tt-metal begin so, with an UNPACR. Another thread knows nothing of the
// acceptance.
static void check_cleared_bank(int arch)
{
    const char *unpack = arch ? "UNPACR_NOP Unpack_Pop=1" : "UNPACR_NOP NoOp=1";
    const struct program cleared[] = {{"ZEROSRC of both banks, then an unpacker's clear",
                                       {[0] = {"ZEROSRC src_mask=3 bank_mask=1", unpack}},
                                       "unguaranteed-src",
                                       "T0's UNPACR_NOP writes SrcA bank 0",
                                       "wait_res=p_stall.MATH"},
                                      {"ZEROSRC of both banks, and another thread's clear",
                                       {[0] = {unpack}, [1] = {"ZEROSRC src_mask=3 bank_mask=1"}},
                                       "race-writes",
                                       "SrcA bank 0",
                                       NULL}};
    for (int i = 0; i < 2; i++) {
        tsr_tile *tile = run(&cleared[i], arch, false, 0, true);
        bool race = first_of(tile, TSR_RACE) != NULL;
        check_found(&cleared[i], first_of(tile, race ? TSR_RACE : TSR_UNGUARANTEED_ORDER));
        assert_int_equal(race, i == 1);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(check_cleared_bank)

// An address of the packer is changed behind a PACR: hardware has taken it, and PACR.md leaves open
// when.
static void check_address(int arch)
{
    for (int waits = 0; waits < 2; waits++) {
        tsr_tile *tile = watched(arch, true, true);
        unsigned addr32 = tile_env(tile)->isa->field[FIELD_THCON_SEC0_REG1_L1_Dest_addr].addr32;
        char text[80];
        snprintf(text, sizeof text, "RMWCIB0 CfgRegAddr=%u Data=9 Mask=255", addr32);
        tile_push(tile, 2, "PACR Last=1");
        if (waits)
            tile_push(tile, 2, "STALLWAIT stall_res=128 wait_res=8");
        tile_push(tile, 2, text);
        tile_run(tile);
        assert_null(first_of(tile, TSR_RACE));
        assert_int_equal(first_of(tile, TSR_UNGUARANTEED_ORDER) == NULL, waits);
        if (!waits)
            tile_says(tile, "unguaranteed-address",
                      "changes THCON_SEC0_REG1_L1_Dest_addr of bank 0 while T2's PACR");
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(check_address)

// Configuration behind a matrix instruction, and a thread's own words behind an UNPACR.
static void check_config(int arch)
{
    static const struct {
        const char *before, *uses, *wait;
        enum tsr_field field;
        const char *sentence;
    } rows[] = {
        {"SETDVALID setvalid=3", "MOVB2D", "STALLWAIT stall_res=128 wait_res=%u",
         FIELD_ALU_ACC_CTRL_Zero_Flag_disabled_src,
         "changes ALU_ACC_CTRL_Zero_Flag_disabled_src of bank 0 while T1's MOVB2D"},
        {NULL, "UNPACR", "STALLWAIT stall_res=128 wait_res=2", FIELD_SRCA_SET_SetOvrdWithAddr,
         "changes SRCA_SET_SetOvrdWithAddr of thread 1 while T1's UNPACR"},
        {NULL, "UNPACR OvrdThreadId=1 AutoIncContextID=1", "STALLWAIT stall_res=128 wait_res=2",
         FIELD_UNPACK_MISC_CFG_CfgContextCntReset_0,
         "changes UNPACK_MISC_CFG_CfgContextCntReset_0 of thread 1 while T1's UNPACR"},
    };
    uint32_t matrix;
    assert_int_equal(tsr_constant_find((tsr_arch)arch, "p_stall.MATH", &matrix), TSR_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int waits = 0; waits < 2; waits++) {
            tsr_tile *tile = watched(arch, true, true);
            const struct tsr_field_place *place = &tile_env(tile)->isa->field[rows[i].field];
            uint32_t value = 1u << place->first_bit;
            char text[80], stall[80];
            if (place->scope == TSR_SCOPE_THREAD)
                snprintf(text, sizeof text, "SETC16 setc16_reg=%u setc16_value=%u", place->addr32,
                         (unsigned)value);
            else
                snprintf(text, sizeof text, "RMWCIB%u CfgRegAddr=%u Data=%u Mask=%u",
                         place->first_bit / 8u, place->addr32, 1u << place->first_bit % 8,
                         1u << place->first_bit % 8);
            snprintf(stall, sizeof stall, rows[i].wait, (unsigned)matrix);
            if (rows[i].before)
                tile_push(tile, 1, rows[i].before);
            tile_push(tile, 1, rows[i].uses);
            if (waits)
                tile_push(tile, 1, stall);
            tile_push(tile, 1, text);
            tile_run(tile);
            assert_null(first_of(tile, TSR_RACE));
            assert_int_equal(first_of(tile, TSR_UNGUARANTEED_ORDER) == NULL, waits);
            if (!waits)
                tile_says(tile, "unguaranteed-config", rows[i].sentence);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(check_config)

// Blackhole's RDCFG does not hold its thread; vendor kernels use its result at once.
static void check_rdcfg(int arch)
{
    for (int waits = 0; waits < (arch == WH ? 1 : 2); waits++) {
        uint32_t config = 0;
        char stall[80];
        tsr_tile *tile = watched(arch, true, true);
        if (waits)
            assert_int_equal(tsr_constant_find((tsr_arch)arch, "p_stall.CFGEXU", &config), TSR_OK);
        snprintf(stall, sizeof stall, "STALLWAIT stall_res=128 wait_res=%u", (unsigned)config);
        tile_push(tile, 0, "RDCFG GprAddress=9 CfgReg=80");
        if (waits)
            tile_push(tile, 0, stall);
        tile_push(tile, 0, "WRCFG GprAddress=9 CfgReg=90");
        tile_run(tile);
        assert_null(first_of(tile, TSR_RACE));
        const tsr_diagnostic *found = first_of(tile, TSR_UNGUARANTEED_ORDER);
        assert_int_equal(found == NULL, waits || arch == WH);
        if (found) {
            tile_says(tile, "unguaranteed-gpr",
                      "T0's WRCFG reads GPR 9 of thread 0, which T0's RDCFG");
            assert_non_null(strstr(found->wait, "STALLWAIT stall_res=p_stall.STALL_CFG"));
        }
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(check_rdcfg)

// What an interpreted core stores may come after what it pushes: to configuration, of which pages
// warn and which is a race, and to GPRs, of which they warn, too, and vendor kernels do not care.
static void check_late_stores(int arch)
{
    for (int variant = 0; variant < 4; variant++) {
        bool loads = variant & 1, config = variant & 2;
        uint32_t value;
        tsr_options options = tsr_options_default((tsr_arch)arch);
        options.profile = TSR_PROFILE_SILICON;
        options.find_races = options.cores = true;
        tsr_tile *tile = tile_with(&options);
        tsr_tile_set_policy(tile, "unguaranteed-gpr", TSR_ACTION_RECORD);
        const struct tsr_isa *isa = tile_env(tile)->isa;
        enum { WORD = 80, GPR = 5 };
        uint32_t address = config ? isa->region[REGION_CONFIG].base + 4 * WORD
                                  : isa->region[REGION_GPRS].base + 4 * GPR;
        assert_int_equal(tsr_store(tile, TSR_CORE_T1, address, 1, 4), TSR_OK);
        if (loads)
            assert_int_equal(tsr_load(tile, TSR_CORE_T1, address, &value, 4), TSR_OK);
        tile_push(tile, 1,
                  config ? "RMWCIB0 CfgRegAddr=80 Data=2 Mask=3" : "WRCFG GprAddress=5 CfgReg=90");
        tile_run(tile);
        assert_int_equal(first_of(tile, TSR_RACE) == NULL, loads || !config);
        assert_int_equal(first_of(tile, TSR_UNGUARANTEED_ORDER) == NULL, loads || config);
        if (!loads && !config)
            tile_says(tile, "unguaranteed-gpr",
                      "T1's WRCFG reads GPR 5 of thread 1, which core T1");
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(check_late_stores)

int main(void)
{
    const struct CMUnitTest tests[] = {TILE_TEST(check_programs),
                                       TILE_TEST(check_mover),
                                       TILE_TEST(check_moved),
                                       TILE_TEST(check_parameters),
                                       TILE_TEST(check_base),
                                       cmocka_unit_test(check_window),
                                       cmocka_unit_test(check_auto_sync),
                                       TILE_TEST(check_relied_on),
                                       TILE_TEST(check_cleared_bank),
                                       TILE_TEST(check_address),
                                       TILE_TEST(check_config),
                                       TILE_TEST(check_rdcfg),
                                       TILE_TEST(check_late_stores)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
