// SPDX-License-Identifier: Apache-2.0
// Races: for each storage and for each thing that orders events a program in which nothing orders
// two accesses, which is found, and the same program with what orders them, which is not; on both
// chips, with timing on and off, and however the run is cut.
// Pages: STALLWAIT.md of each chip, SEMWAIT.md, ATGETM.md, Dst.md, BackendConfiguration.md.
#include "rig/tile_rig.h"

enum { WORDS = 8 };

// One program. `code`: the race that it has; NULL: none. `wait`: part of what is missing.
struct program {
    const char *name;
    const char *thread[TSR_THREADS][WORDS];
    const char *code, *wait;
};

#define ZERO_DST "ZEROACC clear_mode=3"
#define LOAD "SFPLOAD lreg_ind=0 instr_mod0=0 dest_reg_addr=0"
#define STORE "SFPSTORE lreg_ind=0 instr_mod0=0 dest_reg_addr=0"
#define LOAD_GPR "LOADIND AddrRegIndex=0 DataRegIndex=9 OffsetIndex=2 SizeSel=1"
#define POST "SEMPOST sem_sel=1"
#define GET "SEMGET sem_sel=1"
#define WAIT(block) "SEMWAIT sem_sel=1 wait_sem_cond=p_stall.STALL_ON_ZERO stall_res=p_stall." block
#define ROOM(block) "SEMWAIT sem_sel=1 wait_sem_cond=p_stall.STALL_ON_MAX stall_res=p_stall." block
#define STALL(block, wait) "STALLWAIT stall_res=p_stall." block " wait_res=p_stall." wait

static const struct program programs[] = {
    // A unit's result for another unit of the thread.
    {"vector unit after matrix unit",
     {[1] = {ZERO_DST, LOAD}},
     "race-read-write",
     "STALLWAIT stall_res=p_stall.STALL_SFPU wait_res=p_stall.MATH"},
    {"... with a wait", {[1] = {ZERO_DST, STALL("STALL_SFPU", "MATH"), LOAD}}, NULL, NULL},
    {"... with a wait that blocks others",
     {[1] = {ZERO_DST, STALL("STALL_PACK", "MATH"), LOAD}},
     "race-read-write",
     "STALL_SFPU"},
    {"... with a wait for others",
     {[1] = {ZERO_DST, STALL("STALL_SFPU", "PACK"), LOAD}},
     "race-read-write",
     "p_stall.MATH"},
    {"... behind what a wait holds",
     {[1] = {ZERO_DST, STALL("STALL_SYNC", "MATH"), POST, LOAD}},
     NULL,
     NULL},
    {"matrix unit after vector unit (Dst.md holds it)", {[1] = {STORE, ZERO_DST}}, NULL, NULL},
    // Threads.
    {"vector unit after another thread's matrix unit",
     {[0] = {LOAD}, [1] = {ZERO_DST}},
     "race-read-write",
     "SEMPOST"},
    {"... with a semaphore",
     {[0] = {WAIT("STALL_SFPU"), LOAD}, [1] = {ZERO_DST, STALL("STALL_SYNC", "MATH"), POST}},
     NULL,
     NULL},
    {"... with a semaphore, posted too early",
     {[0] = {WAIT("STALL_SFPU"), LOAD}, [1] = {ZERO_DST, POST}},
     "race-read-write",
     "STALLWAIT stall_res=p_stall.STALL_SYNC wait_res=p_stall.MATH"},
    {"... with a semaphore whose wait blocks others",
     {[0] = {WAIT("STALL_PACK"), LOAD}, [1] = {ZERO_DST, STALL("STALL_SYNC", "MATH"), POST}},
     "race-read-write",
     "SEMWAIT"},
    {"a semaphore that counts",
     {[0] = {WAIT("STALL_SYNC"), GET, WAIT("STALL_SFPU"), LOAD},
      [1] = {POST, ZERO_DST, STALL("STALL_SYNC", "MATH"), POST}},
     NULL,
     NULL},
    {"... of which one wait is missing",
     {[0] = {WAIT("STALL_SFPU"), LOAD}, [1] = {POST, ZERO_DST, STALL("STALL_SYNC", "MATH"), POST}},
     "race-read-write",
     NULL},
    {"a semaphore's maximum",
     {[0] = {"SEMINIT sem_sel=1 init_value=0 max_value=1", POST, ROOM("STALL_SFPU"), STORE},
      [1] = {WAIT("STALL_SFPU"), STORE, STALL("STALL_SYNC", "SFPU1"), GET}},
     NULL,
     NULL},
    {"... not waited for",
     {[0] = {"SEMINIT sem_sel=1 init_value=0 max_value=1", POST, STORE},
      [1] = {WAIT("STALL_SFPU"), STORE, STALL("STALL_SYNC", "SFPU1"), GET}},
     "race-writes",
     NULL},
    {"one unit, two threads", {[0] = {STORE}, [1] = {STORE}}, "race-writes", "SEMPOST"},
    {"... in order", {[0] = {WAIT("STALL_SFPU"), STORE}, [1] = {STORE, POST}}, NULL, NULL},
    {"... under a mutex",
     {[0] = {"ATGETM mutex_index=0", STORE, "ATRELM mutex_index=0"},
      [1] = {"ATGETM mutex_index=0", STORE, "ATRELM mutex_index=0"}},
     NULL,
     NULL},
    {"... under two mutexes",
     {[0] = {"ATGETM mutex_index=0", STORE, "ATRELM mutex_index=0"},
      [1] = {"ATGETM mutex_index=2", STORE, "ATRELM mutex_index=2"}},
     "race-writes",
     NULL},
    // Configuration.
    {"two threads set one field",
     {[0] = {"RMWCIB0 CfgRegAddr=80 Data=1 Mask=3"}, [1] = {"RMWCIB0 CfgRegAddr=80 Data=2 Mask=3"}},
     "race-writes",
     "SEMPOST"},
    {"two threads set different fields of a word",
     {[0] = {"RMWCIB0 CfgRegAddr=80 Data=1 Mask=3"},
      [1] = {"RMWCIB0 CfgRegAddr=80 Data=4 Mask=12"}},
     NULL,
     NULL},
    {"... one field, in order",
     {[0] = {WAIT("STALL_CFG"), "RMWCIB0 CfgRegAddr=80 Data=1 Mask=3"},
      [1] = {"RMWCIB0 CfgRegAddr=80 Data=2 Mask=3", POST}},
     NULL,
     NULL},
    // Configuration that is read as a value.
    {"a word is read that another thread changes",
     {[0] = {"RDCFG GprAddress=9 CfgReg=80"}, [1] = {"RMWCIB0 CfgRegAddr=80 Data=1 Mask=3"}},
     "race-read-write",
     "SEMPOST"},
    {"... in order",
     {[0] = {WAIT("STALL_CFG"), "RDCFG GprAddress=9 CfgReg=80"},
      [1] = {"RMWCIB0 CfgRegAddr=80 Data=1 Mask=3", POST}},
     NULL,
     NULL},
    {"... by the thread itself",
     {[0] = {"RMWCIB0 CfgRegAddr=80 Data=1 Mask=3", "RDCFG GprAddress=9 CfgReg=80",
             "RMWCIB0 CfgRegAddr=80 Data=2 Mask=3"}},
     NULL,
     NULL},
    {"... of another bank",
     {[0] = {"RDCFG GprAddress=9 CfgReg=80"},
      [1] = {"SETC16 setc16_reg=0 setc16_value=1", "RMWCIB0 CfgRegAddr=80 Data=1 Mask=3"}},
     NULL,
     NULL},
    // GPRs that come from L1.
    {"a loaded GPR is used",
     {[0] = {LOAD_GPR, "WRCFG GprAddress=9 CfgReg=80"}},
     "race-read-write",
     "STALLWAIT stall_res=p_stall.STALL_CFG wait_res=p_stall.THCON"},
    {"... with a wait",
     {[0] = {LOAD_GPR, STALL("STALL_CFG", "THCON"), "WRCFG GprAddress=9 CfgReg=80"}},
     NULL,
     NULL},
    {"... behind a FLUSHDMA",
     {[0] = {LOAD_GPR, "FLUSHDMA FlushSpec=1", "WRCFG GprAddress=9 CfgReg=80"}},
     NULL,
     NULL},
    {"... behind a FLUSHDMA for the unpackers",
     {[0] = {LOAD_GPR, "FLUSHDMA FlushSpec=6", "WRCFG GprAddress=9 CfgReg=80"}},
     "race-read-write",
     NULL},
    {"a GPR that is set is used",
     {[0] = {"SETDMAREG RegIndex16b=18", "WRCFG GprAddress=9 CfgReg=80"}},
     NULL,
     NULL},
    // L1.
    {"two threads store to one word of L1",
     {[0] = {"SETDMAREG Payload_SigSel=256 RegIndex16b=0", "SETDMAREG RegIndex16b=1",
             "SETDMAREG RegIndex16b=2",
             "STOREIND MemHierSel=1 SizeSel=0 RegSizeSel=1 AddrRegIndex=0 "
             "DataRegIndex=0 OffsetIndex=2"},
      [1] = {"SETDMAREG Payload_SigSel=256 RegIndex16b=0", "SETDMAREG RegIndex16b=1",
             "SETDMAREG RegIndex16b=2",
             "STOREIND MemHierSel=1 SizeSel=0 RegSizeSel=1 AddrRegIndex=0 "
             "DataRegIndex=0 OffsetIndex=2"}},
     "race-writes",
     "THCON"},
};

// Text with `p_stall.NAME` replaced by the chip's number.
static uint32_t word_of(const tsr_tile *tile, const char *text)
{
    char line[300];
    size_t used = 0;
    while (*text) {
        uint32_t value;
        char name[64];
        size_t length = strcspn(text, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, text);
        char *value_text = strstr(name, "=p_stall.");
        if (value_text) {
            assert_int_equal(tsr_constant_find(tsr_tile_arch(tile), value_text + 1, &value),
                             TSR_OK);
            used += (size_t)snprintf(line + used, sizeof line - used, "%.*s=%u ",
                                     (int)(value_text - name), name, (unsigned)value);
        } else {
            used += (size_t)snprintf(line + used, sizeof line - used, "%s ", name);
        }
        text += length + (text[length] == ' ');
    }
    return tile_word(tile, line);
}

// `first` is the thread whose words come first; `steps` of them are given a round each.
static tsr_tile *run_program(const struct program *program, int arch, bool timing, int first,
                             bool cut)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.timing = timing;
    options.profile = TSR_PROFILE_SILICON;
    options.find_races = true;
    tsr_tile *tile = tile_with(&options);
    for (int i = 0; i < TSR_THREADS; i++) {
        int thread = (first + i) % TSR_THREADS;
        for (int k = 0; k < WORDS && program->thread[thread][k]; k++) {
            tile_push_word(tile, thread, word_of(tile, program->thread[thread][k]));
            if (cut)
                tsr_step(tile);
        }
    }
    assert_int_equal(tile_run(tile), TSR_END_IDLE);
    return tile;
}

static void check_program(const struct program *program, const tsr_tile *tile)
{
    const tsr_diagnostic *found = NULL;
    for (int i = 0; i < tsr_diagnostic_count(tile); i++)
        if (tsr_diagnostic_at(tile, i)->category == TSR_RACE && !found)
            found = tsr_diagnostic_at(tile, i);
    if (!program->code) {
        if (found)
            fail_msg("%s: %s", program->name, found->sentence);
        return;
    }
    if (!found)
        fail_msg("%s: nothing was found", program->name);
    assert_string_equal(found->code, program->code);
    assert_true(found->has_other);
    assert_true(found->instruction[0] != 0 && found->other.instruction[0] != 0);
    if (program->wait && !strstr(found->wait, program->wait))
        fail_msg("%s: \"%s\" is not in \"%s\"", program->name, program->wait, found->wait);
}

static void check_programs(int arch)
{
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        for (int variant = 0; variant < 12; variant++) {
            tsr_tile *tile =
                run_program(&programs[i], arch, variant & 1, variant / 4, variant >> 1 & 1);
            check_program(&programs[i], tile);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(check_programs)

// ---------------------------------------------------------------- cores, as the caller plays them

static tsr_tile *watched(int arch)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.profile = TSR_PROFILE_SILICON;
    options.find_races = true;
    return tile_with(&options);
}

static int races(const tsr_tile *tile)
{
    int count = 0;
    for (int i = 0; i < tsr_diagnostic_count(tile); i++)
        count += tsr_diagnostic_at(tile, i)->category == TSR_RACE;
    return count;
}

// Two cores store to one word; a mailbox or a flag orders them, a flag beside the word, too.
static void check_cores(int arch)
{
    enum { DATA = 0x2000, FLAG = 0x2004 };
    uint32_t value;
    tsr_tile *tile = watched(arch);
    assert_int_equal(tsr_store(tile, TSR_CORE_T0, DATA, 1, 4), TSR_OK);
    assert_int_equal(tsr_store(tile, TSR_CORE_T1, DATA + 4, 2, 4), TSR_OK);
    assert_int_equal(races(tile), 0);
    assert_int_equal(tsr_store(tile, TSR_CORE_T1, DATA, 2, 4), TSR_OK);
    tile_says(tile, "race-writes", "core T1 writes L1 from 0x02000 on, which core T0 writes");
    tsr_tile_reset(tile);
    assert_int_equal(tsr_store(tile, TSR_CORE_T0, DATA, 1, 4), TSR_OK);
    assert_int_equal(tsr_store(tile, TSR_CORE_T0, FLAG, 1, 4), TSR_OK);
    assert_int_equal(tsr_load(tile, TSR_CORE_T1, FLAG, &value, 4), TSR_OK);
    assert_int_equal(tsr_store(tile, TSR_CORE_T1, DATA, 2, 4), TSR_OK);
    assert_int_equal(races(tile), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(check_cores)

// A core changes configuration that a thread's instruction used: nothing, unless it knows that the
// instruction is over.
static void check_drained(int arch)
{
    for (int drains = 0; drains < 2; drains++) {
        tsr_tile *tile = watched(arch);
        uint32_t window = tile_env(tile)->isa->region[REGION_CONFIG].base;
        unsigned addr32 = tile_env(tile)->isa->field[FIELD_THCON_SEC0_REG1_L1_Dest_addr].addr32;
        char text[80];
        snprintf(text, sizeof text, "RMWCIB0 CfgRegAddr=%u Data=1 Mask=255", addr32);
        tile_push(tile, 0, text);
        tile_run(tile);
        if (drains)
            assert_true(tsr_thread_drained(tile, 0));
        assert_int_equal(tsr_store(tile, TSR_CORE_T0, window + 4 * addr32, 2, 4), TSR_OK);
        assert_int_equal(races(tile), drains ? 0 : 1);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(check_drained)

// A core loads a word of configuration that an instruction changes: of a bank, of a thread.
static void check_config_load(int arch)
{
    for (int variant = 0; variant < 4; variant++) {
        bool drains = variant & 1, of_thread = variant & 2;
        uint32_t value;
        tsr_tile *tile = watched(arch);
        const struct tsr_isa *isa = tile_env(tile)->isa;
        const struct tsr_layout *layout = &isa->layout;
        uint32_t banks = arch == WH ? 2 : 3, word = of_thread ? 3 : 80;
        uint32_t address = isa->region[REGION_CONFIG].base + 4 * word;
        if (of_thread)
            address = isa->region[REGION_CONFIG].base + 4 * banks * layout->banked_words +
                      layout->thread_stride * (layout->thread_words + word);
        tile_push(tile, 1,
                  of_thread ? "SETC16 setc16_reg=3 setc16_value=5"
                            : "RMWCIB0 CfgRegAddr=80 Data=1 Mask=3");
        tile_run(tile);
        if (drains)
            assert_true(tsr_thread_drained(tile, 1));
        assert_int_equal(tsr_load(tile, TSR_CORE_T1, address, &value, 4), TSR_OK);
        assert_int_equal(value, of_thread ? 5 : 1);
        assert_int_equal(races(tile), !drains);
        if (!drains)
            tile_says(tile, "race-read-write", "core T1 reads");
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(check_config_load)

// A scratch word is taken that another thread changes.
static void check_scratch(void **state)
{
    (void)state;
    for (int ordered = 0; ordered < 2; ordered++) {
        char text[80];
        tsr_tile *tile = watched(BH);
        unsigned addr32 = tile_env(tile)->isa->field[FIELD_SCRATCH_SEC0_val].addr32;
        snprintf(text, sizeof text, "RMWCIB0 CfgRegAddr=%u Data=7 Mask=255", addr32);
        tile_push(tile, ordered ? 0 : 1, text);
        tile_push(tile, 0, "CFGSHIFTMASK CfgReg=80 scratch_sel=0 mask_width=31");
        tile_run(tile);
        assert_int_equal(races(tile), !ordered);
        if (!ordered)
            tile_says(tile, "race-read-write", "SCRATCH_SEC0_val");
        tsr_tile_destroy(tile);
    }
}

// The mover writes configuration some time after its thread has gone on.
static void check_moved_config(int arch)
{
    for (int waits = 0; waits < 2; waits++) {
        tsr_tile *tile = watched(arch);
        static const uint8_t line[16] = {7};
        assert_int_equal(tsr_l1_write(tile, 0x4000, line, sizeof line), TSR_OK);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG6_Source_address, 0x400);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG6_Destination_address, 4 * 80 / 16);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG6_Buffer_size, 1);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG6_Transfer_direction, TSR_MOVER_L1_TO_OUTSIDE);
        tile_push(tile, 0, "XMOV");
        if (waits)
            tile_push_word(tile, 0, word_of(tile, STALL("STALL_CFG", "XMOV")));
        tile_push(tile, 0, "RDCFG GprAddress=9 CfgReg=80");
        tile_run(tile);
        assert_int_equal(races(tile), !waits);
        if (!waits)
            tile_says(tile, "race-read-write", "which T0's XMOV writes");
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(check_moved_config)

// A core stores to a GPR that an instruction has read.
static void check_gprs(int arch)
{
    for (int drains = 0; drains < 2; drains++) {
        tsr_tile *tile = watched(arch);
        uint32_t gprs = tile_env(tile)->isa->region[REGION_GPRS].base;
        assert_int_equal(tsr_store(tile, TSR_CORE_T1, gprs + 4 * 5, 7, 4), TSR_OK);
        tile_push(tile, 1, "WRCFG GprAddress=5 CfgReg=80");
        tile_run(tile);
        assert_int_equal(races(tile), 0);
        if (drains)
            assert_true(tsr_thread_drained(tile, 1));
        assert_int_equal(tsr_store(tile, TSR_CORE_T1, gprs + 4 * 5, 8, 4), TSR_OK);
        assert_int_equal(races(tile), !drains);
        if (!drains)
            tile_says(tile, "race-read-write",
                      "core T1 writes GPR 5 of thread 1, which T1's WRCFG");
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(check_gprs)

// An instruction writes a GPR that a core has loaded before; a push tells it of the load.
static void check_loaded_gpr(int arch)
{
    for (int pushed = 0; pushed < 2; pushed++) {
        uint32_t value;
        tsr_tile *tile = watched(arch);
        const struct tsr_region *region = tile_env(tile)->isa->region;
        uint32_t word = tile_word(tile, "SETDMAREG RegIndex16b=10");
        assert_int_equal(tsr_load(tile, TSR_CORE_B, region[REGION_GPRS].base + 4 * 69, &value, 4),
                         TSR_OK);
        if (pushed)
            assert_int_equal(tsr_store(tile, TSR_CORE_B, region[REGION_PUSH1].base, word, 4),
                             TSR_OK);
        else
            tile_push_word(tile, 1, word);
        tile_run(tile);
        assert_int_equal(races(tile), !pushed);
        if (!pushed)
            tile_says(tile, "race-read-write",
                      "T1's SETDMAREG writes GPR 5 of thread 1, which core B reads");
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(check_loaded_gpr)

// A core changes the MOP configuration behind a MOP; TTSync tells when it may.
static void check_mop(int arch)
{
    for (int waits = 0; waits < 2; waits++) {
        uint32_t value;
        tsr_tile *tile = watched(arch);
        const struct tsr_region *region = tile_env(tile)->isa->region;
        for (unsigned i = 0; i < 9; i++)
            assert_int_equal(tsr_store(tile, TSR_CORE_T1, region[REGION_MOP_CONFIG].base + 4 * i,
                                       i < 2 ? 1 : 0x02000000, 4),
                             TSR_OK);
        tile_push(tile, 1, "MOP mop_type=1");
        tile_run(tile);
        assert_int_equal(races(tile), 0);
        if (waits)
            assert_int_equal(tsr_load(tile, TSR_CORE_T1, region[REGION_TTSYNC].base + 4, &value, 4),
                             TSR_OK);
        assert_int_equal(tsr_store(tile, TSR_CORE_T1, region[REGION_MOP_CONFIG].base, 2, 4),
                         TSR_OK);
        assert_int_equal(races(tile), !waits);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(check_mop)

// A wait that is ignored orders nothing: so it is told what it is for.
static void check_ignored(int arch)
{
    for (int ignored = 0; ignored < 2; ignored++) {
        tsr_finding_place wait;
        uint64_t cycles = 7;
        tsr_tile *tile = watched(arch);
        if (ignored)
            assert_int_equal(tsr_ignore_wait(tile, 1, 2), TSR_OK);
        tile_push(tile, 1, ZERO_DST);
        tile_push_word(tile, 1, word_of(tile, STALL("STALL_SFPU", "MATH")));
        tile_push(tile, 1, LOAD);
        tile_run(tile);
        assert_int_equal(races(tile), ignored);
        assert_int_equal(tsr_latched_wait_count(tile), 1);
        assert_int_equal(tsr_latched_wait_at(tile, 0, &wait, &cycles), TSR_OK);
        assert_int_equal(wait.thread, 1);
        assert_int_equal(wait.sequence, 2);
        assert_int_equal(cycles, 0);
        assert_non_null(strstr(wait.instruction, "STALLWAIT"));
        assert_int_equal(tsr_latched_wait_at(tile, 1, &wait, NULL), TSR_BAD_ARGUMENT);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(check_ignored)

// Nothing is found, and nothing costs, where nobody asks.
static void check_off(int arch)
{
    tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
    tile_push(tile, 1, ZERO_DST);
    tile_push(tile, 1, LOAD);
    tile_run(tile);
    assert_null(tile_env(tile)->races);
    assert_int_equal(races(tile), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(check_off)

// The kind of a race for configuration is what it is about, whichever of the two came first.
static void check_config_kinds(int arch)
{
    static const struct {
        enum tsr_field field;
        const char *code, *uses, *op;
    } cases[] = {{FIELD_THCON_SEC0_REG1_Out_data_format, "race-config", "PACR Last=1", "PACR"},
                 {FIELD_THCON_SEC0_REG1_L1_Dest_addr, "race-address", "PACR Last=1", "PACR"},
                 {FIELD_ALU_FORMAT_SPEC_REG1_SrcB, "race-config", LOAD, "SFPLOAD"},
                 {FIELD_DEST_REGW_BASE_Base, "race-config", STORE, "SFPSTORE"},
                 {FIELD_DEST_ACCESS_CFG_remap_addrs, "race-config", STORE, "SFPSTORE"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int change_first = 0; change_first <= 1; change_first++) {
            tsr_tile *tile = watched(arch);
            struct tsr_field_place place = tile_env(tile)->isa->field[cases[i].field];
            char change[80], says[40];
            snprintf(says, sizeof says, "T2's %s uses", cases[i].op);
            if (place.width == 0) { // the other chip's
                tsr_tile_destroy(tile);
                continue;
            }
            snprintf(change, sizeof change, "RMWCIB%u CfgRegAddr=%u Data=255 Mask=255",
                     place.first_bit / 8u, place.addr32);
            for (int step = 0; step < 2; step++) {
                bool changes = step != change_first;
                tile_push(tile, changes ? 1 : 2, changes ? change : cases[i].uses);
                tile_run(tile);
            }
            tile_says(tile, cases[i].code, change_first ? says : "T1's RMWCIB");
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(check_config_kinds)

int main(void)
{
    const struct CMUnitTest tests[] = {TILE_TEST(check_programs),
                                       TILE_TEST(check_cores),
                                       TILE_TEST(check_drained),
                                       TILE_TEST(check_gprs),
                                       TILE_TEST(check_mop),
                                       TILE_TEST(check_ignored),
                                       TILE_TEST(check_off),
                                       TILE_TEST(check_config_kinds),
                                       TILE_TEST(check_config_load),
                                       TILE_TEST(check_loaded_gpr),
                                       cmocka_unit_test(check_scratch),
                                       TILE_TEST(check_moved_config)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
