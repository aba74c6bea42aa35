// SPDX-License-Identifier: Apache-2.0
// Auto TTSync and RESOURCEDECL on Blackhole: which of a T core's accesses wait for which of its
// thread's instructions (AutoTTSync.md). T1's instructions are kept at the gate by a SEMWAIT.
#include "rig/sync_rig.h"

enum {
    CONFIG = 0xffef0000,
    BANK = 224 * 4,
    GPRS = 0xffe00000,
    GLOBAL_WORD = 180,
    TRACK_CONFIG = 1,
    SUBDIVIDED = 2,
    TRACK_GPRS = 4,
    TRACK_TDMA = 8,
    TRACK_INSTRUCTIONS = 16,
    TRACK_ALL = 29
};

// A tile on which T1's frontend holds `text` after a SEMWAIT for semaphore 0.
static struct sync_rig *holding(tsr_arch arch, unsigned tracking, const char *text)
{
    struct sync_rig *rig = sync_new(arch, false, TSR_PROFILE_SILICON);
    char enable[60];
    snprintf(enable, sizeof enable, "SETC16 setc16_reg=56 setc16_value=%u", tracking);
    sync_push(rig, 1, enable);
    sync_push(rig, 1, "SEMWAIT wait_sem_cond=1 sem_sel=1 stall_res=0x1ff");
    if (text)
        sync_push(rig, 1, text);
    assert_int_equal(sync_run(rig, true), text ? TSR_END_BLOCKED : TSR_END_IDLE);
    return rig;
}

static bool waits(struct sync_rig *rig, tsr_core core, uint32_t address, bool store)
{
    uint32_t value = 0;
    tsr_status status = store ? tsr_store(rig->tile, core, address, value, 4)
                              : tsr_load(rig->tile, core, address, &value, 4);
    assert_true(status == TSR_BUSY || status == TSR_OK);
    return status == TSR_BUSY;
}

static void check(unsigned tracking, const char *text, uint32_t address, bool load_waits,
                  bool store_waits)
{
    struct sync_rig *rig = holding(TSR_BLACKHOLE_A0, tracking, text);
    if (waits(rig, TSR_CORE_T1, address, false) != load_waits)
        fail_msg("%s: load of 0x%08x", text, (unsigned)address);
    if (waits(rig, TSR_CORE_T1, address, true) != store_waits)
        fail_msg("%s: store to 0x%08x", text, (unsigned)address);
    // The other cores and threads are not looked after.
    assert_false(waits(rig, TSR_CORE_T0, address, false));
    sync_free(rig);
}

// Loads wait for those that write the resource, stores for those that read or write it.
static void test_classes(void **state)
{
    (void)state;
    const uint32_t rest = CONFIG + 4 * 70, gpr = GPRS + 4;
    check(TRACK_ALL, "SETDMAREG", gpr, true, true); // class 0
    check(TRACK_ALL, "SETDMAREG", rest, false, false);
    check(TRACK_ALL, "ATINCGET", gpr, true, true);      // 1
    check(TRACK_ALL, "REG2FLOP", gpr, true, true);      // 2
    check(TRACK_ALL, "LOADIND", gpr, true, true);       // 3
    check(TRACK_ALL, "CFGSHIFTMASK", rest, true, true); // 4
    check(TRACK_ALL, "CFGSHIFTMASK", gpr, false, false);
    check(TRACK_ALL, "STOREREG", gpr, false, true);  // 5
    check(TRACK_ALL, "LOADREG", gpr, true, true);    // 6
    check(TRACK_ALL, "FLUSHDMA", gpr, false, false); // 7
    check(TRACK_ALL, "WRCFG", gpr, false, true);     // 8
    check(TRACK_ALL, "WRCFG", rest, true, true);
    check(TRACK_ALL, "RDCFG", gpr, true, true); // 9
    check(TRACK_ALL, "RDCFG", rest, false, true);
    check(TRACK_ALL, "XMOV", gpr, true, true);     // 10
    check(TRACK_ALL, "UNPACR", rest, false, true); // 11
    check(TRACK_ALL, "UNPACR", gpr, false, false);
    check(TRACK_ALL, "PACR", rest, false, true);   // 12
    check(TRACK_ALL, "INCRWC", rest, false, true); // 15
    check(TRACK_ALL, "INCRWC", gpr, false, false);
    check(TRACK_ALL, "NOP", rest, false, false); // none, hard-wired
}

// Nothing is tracked unless both the kind of access and instructions are.
static void test_enables(void **state)
{
    (void)state;
    const uint32_t rest = CONFIG + 4 * 70, gpr = GPRS + 4;
    check(0, "XMOV", rest, false, false);
    check(TRACK_INSTRUCTIONS, "XMOV", rest, false, false);
    check(TRACK_CONFIG, "XMOV", rest, false, false);
    check(TRACK_CONFIG | TRACK_INSTRUCTIONS, "XMOV", rest, true, true);
    check(TRACK_CONFIG | TRACK_INSTRUCTIONS, "XMOV", gpr, false, false);
    check(TRACK_GPRS | TRACK_INSTRUCTIONS, "XMOV", gpr, true, true);
    check(TRACK_GPRS | TRACK_INSTRUCTIONS, "XMOV", rest, false, false);
    // Wormhole has no such thing.
    struct sync_rig *rig = holding(TSR_WORMHOLE_B0, TRACK_ALL, "SETDMAREG");
    assert_false(waits(rig, TSR_CORE_T1, gpr, true));
    sync_free(rig);
}

// Without the subdivision a word of a bank stands for the whole bank, all else for both.
static void test_banks(void **state)
{
    (void)state;
    const uint32_t dual = CONFIG + 2 * BANK;
    check(TRACK_ALL, "UNPACR", CONFIG + 4 * 72, false, true);
    check(TRACK_ALL, "UNPACR", CONFIG + BANK + 4 * 72, false, false); // StateID is 0
    check(TRACK_ALL, "UNPACR", CONFIG + BANK + 4 * GLOBAL_WORD, false, true);
    check(TRACK_ALL, "UNPACR", dual + 4 * 72, false, true);
    // A queued SETC16 of the state ID leaves the bank open.
    struct sync_rig *rig =
        holding(TSR_BLACKHOLE_A0, TRACK_ALL, "SETC16 setc16_reg=0 setc16_value=1");
    sync_push(rig, 1, "RDCFG");
    assert_int_equal(sync_run(rig, true), TSR_END_BLOCKED);
    assert_true(waits(rig, TSR_CORE_T1, CONFIG + BANK + 4 * 72, true));
    sync_free(rig);
}

// With the subdivision the page's table decides: words 64, 72..87 are unpacker 0's, 112, 120, 121
// unpacker 1's, 45 both, 48 all three, 65 (the rest of a descriptor) and others the remainder.
static void test_subdivided(void **state)
{
    (void)state;
    static const struct {
        unsigned word;
        bool unpacker0, unpacker1, rest;
    } rows[] = {
        {44, 1, 0, 0},  {45, 1, 1, 0},  {47, 0, 1, 0},  {48, 1, 1, 1},          {50, 1, 1, 1},
        {53, 1, 0, 0},  {56, 0, 0, 1},  {57, 0, 0, 1},  {58, 0, 1, 0},          {63, 0, 1, 0},
        {64, 1, 0, 0},  {65, 0, 0, 1},  {71, 0, 0, 1},  {72, 1, 0, 0},          {87, 1, 0, 0},
        {88, 0, 0, 1},  {92, 1, 0, 0},  {105, 1, 0, 0}, {106, 0, 0, 1},         {112, 0, 1, 0},
        {115, 0, 0, 1}, {121, 0, 1, 0}, {122, 0, 0, 1}, {125, 0, 1, 0},         {126, 0, 0, 1},
        {141, 0, 1, 0}, {142, 0, 0, 1}, {10, 0, 0, 1},  {GLOBAL_WORD, 0, 0, 1},
    };
    unsigned tracking = TRACK_ALL | SUBDIVIDED;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t address = CONFIG + 4 * rows[i].word;
        check(tracking, "UNPACR Unpack_block_selection=0", address, false, rows[i].unpacker0);
        check(tracking, "UNPACR Unpack_block_selection=1", address, false, rows[i].unpacker1);
        check(tracking, "PACR", address, false, rows[i].rest);
    }
    // The copy that writes both banks counts as the remainder of both, whatever the word.
    check(tracking, "PACR", CONFIG + 2 * BANK + 4 * 72, false, true);
    check(tracking, "UNPACR", CONFIG + 2 * BANK + 4 * 72, false, false);
}

// A MOP counts as one as long as any of its words is left, also out of a REPLAY in it.
static void test_expansions(void **state)
{
    (void)state;
    struct sync_rig *rig = sync_new(TSR_BLACKHOLE_A0, false, TSR_PROFILE_SILICON);
    for (int i = 0; i < 9; i++)
        tsr_store(rig->tile, TSR_CORE_T1, 0xffb80000u + 4u * (unsigned)i,
                  i < 2 ? 1 : tile_word(rig->tile, "INCRWC"), 4);
    sync_push(rig, 1, "SETC16 setc16_reg=56 setc16_value=29");
    sync_push(rig, 1, "REPLAY load_mode=1 len=2 start_idx=3");
    sync_push(rig, 1, "INCRWC");
    sync_push(rig, 1, "NOP");
    assert_int_equal(sync_run(rig, true), TSR_END_IDLE);
    sync_push(rig, 1, "SEMWAIT wait_sem_cond=1 sem_sel=1 stall_res=0x1ff");
    sync_push(rig, 1, "REPLAY len=2 start_idx=3");
    assert_int_equal(sync_run(rig, true), TSR_END_BLOCKED);
    assert_true(waits(rig, TSR_CORE_T1, GPRS + 4, true)); // class 14, though INCRWC is 15
    tsr_store(rig->tile, TSR_CORE_T1, 0xffe80020, 0, 4);
    assert_int_equal(sync_run(rig, true), TSR_END_IDLE);
    assert_false(waits(rig, TSR_CORE_T1, GPRS + 4, true));
    sync_push(rig, 1, "SEMGET sem_sel=1");
    sync_push(rig, 1, "SEMWAIT wait_sem_cond=1 sem_sel=1 stall_res=0x1ff");
    sync_push(rig, 1, "MOP mop_type=1");
    assert_int_equal(sync_run(rig, true), TSR_END_BLOCKED);
    assert_true(waits(rig, TSR_CORE_T1, GPRS + 4, true)); // class 13
    // What B pushes after the MOP expander is not looked after.
    tsr_store(rig->tile, TSR_CORE_T1, 0xffe80020, 0, 4);
    assert_int_equal(sync_run(rig, true), TSR_END_IDLE);
    sync_push(rig, 1, "SEMGET sem_sel=1");
    sync_push(rig, 1, "SEMWAIT wait_sem_cond=1 sem_sel=1 stall_res=0x1ff");
    assert_int_equal(sync_run(rig, true), TSR_END_IDLE);
    tsr_store(rig->tile, TSR_CORE_B, 0xffe50000, tile_word(rig->tile, "SETDMAREG"), 4);
    assert_int_equal(sync_run(rig, true), TSR_END_BLOCKED);
    assert_false(waits(rig, TSR_CORE_T1, GPRS + 4, true));
    sync_free(rig);
}

// RESOURCEDECL replaces a class's resources, for its thread; while it is queued, all accesses wait.
static void test_declare(void **state)
{
    (void)state;
    struct sync_rig *rig = sync_new(TSR_BLACKHOLE_A0, false, TSR_PROFILE_SILICON);
    sync_push(rig, 1, "SETC16 setc16_reg=56 setc16_value=29");
    sync_push(rig, 1, "RESOURCEDECL op_class=15 resources=0x40"); // others now write GPRs
    assert_int_equal(sync_run(rig, true), TSR_END_IDLE);
    tile_says(rig->tile, "undocumented-mode", "No page gives RESOURCEDECL's operands");
    sync_push(rig, 1, "SEMWAIT wait_sem_cond=1 sem_sel=1 stall_res=0x1ff");
    sync_push(rig, 1, "INCRWC");
    assert_int_equal(sync_run(rig, true), TSR_END_BLOCKED);
    assert_true(waits(rig, TSR_CORE_T1, GPRS + 4, false));
    assert_false(waits(rig, TSR_CORE_T1, CONFIG + 4 * 70, true));
    sync_push(rig, 1, "RESOURCEDECL op_class=0 resources=0 linger_time=3");
    assert_int_equal(sync_run(rig, true), TSR_END_BLOCKED);
    assert_true(waits(rig, TSR_CORE_T1, CONFIG + 4 * 70, true));
    sync_free(rig);
    rig = sync_new(TSR_BLACKHOLE_A0, false, TSR_PROFILE_STRICT);
    assert_int_equal(tsr_tile_set_policy(rig->tile, "undocumented-mode", TSR_ACTION_STOP), TSR_OK);
    sync_push(rig, 1, "RESOURCEDECL op_class=0");
    assert_int_equal(sync_run(rig, true), TSR_END_STOPPED);
    sync_free(rig);
    // The linger time has bits 13 to 16, and nothing comes after it.
    rig = sync_new(TSR_BLACKHOLE_A0, false, TSR_PROFILE_STRICT);
    uint32_t declares = tile_word(rig->tile, "RESOURCEDECL op_class=1 linger_time=15");
    assert_int_equal(declares, 0x0501e001);
    tile_push_word(rig->tile, 1, declares);
    assert_int_equal(sync_run(rig, true), TSR_END_IDLE);
    assert_null(tile_found(rig->tile, "stray-operand-bits"));
    tile_push_word(rig->tile, 1, declares | 1u << 17);
    assert_int_equal(sync_run(rig, true), TSR_END_STOPPED);
    tile_says(rig->tile, "stray-operand-bits", "which belong to no operand");
    sync_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes),    cmocka_unit_test(test_enables),
        cmocka_unit_test(test_banks),      cmocka_unit_test(test_subdivided),
        cmocka_unit_test(test_expansions), cmocka_unit_test(test_declare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
