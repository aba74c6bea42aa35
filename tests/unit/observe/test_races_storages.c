// SPDX-License-Identifier: Apache-2.0
// Races on storages as units access them, with all configured: L1 by unpackers, packers, mover and
// cores, Dst by an unpacker, both banks of configuration; and mailboxes, PC buffers and replay
// buffers, which order what they carry. What else there is, is in the other tests of this folder.
// Pages: L1.md, PACR.md, UNPACR_Regular.md, XMOV.md, Mailboxes.md, PCBufs.md, REPLAY.md.
#include "rig/face_rig.h"
#include "rig/short_formats.h"

static tsr_tile *configured(int arch, bool timing)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.profile = TSR_PROFILE_SILICON;
    options.timing = timing;
    options.find_races = true;
    tsr_tile *tile = tile_with(&options);
    face_put(tile, FACE_A, face_a, FACE, 1);
    face_put(tile, FACE_B, face_b, FACE, 1);
    face_unpacker(tile);
    face_matrix(tile, arch);
    face_packer(tile, arch);
    const struct {
        enum tsr_field field;
        uint32_t value;
    } settings[] = {{FIELD_THCON_SEC0_REG6_Source_address, FACE_B / 16},
                    {FIELD_THCON_SEC0_REG6_Destination_address, FACE_A / 16 + 1},
                    {FIELD_THCON_SEC0_REG6_Buffer_size, 2},
                    {FIELD_THCON_SEC0_REG6_Transfer_direction, TSR_MOVER_L1_TO_L1},
                    {FIELD_THCON_SEC0_REG2_Unpack_if_sel_cntx1, 1}, // to Dst
                    {FIELD_THCON_SEC0_REG5_Tile_x_dim_cntx1, FACE},
                    {FIELD_THCON_SEC0_REG3_Base_cntx1_address, FACE_A / 16 - 1}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        tile_field(tile, 0, settings[i].field, settings[i].value);
    return tile;
}

static const tsr_diagnostic *race_of(const tsr_tile *tile)
{
    for (int i = 0; i < tsr_diagnostic_count(tile); i++)
        if (tsr_diagnostic_at(tile, i)->category == TSR_RACE)
            return tsr_diagnostic_at(tile, i);
    return NULL;
}

// ---------------------------------------------------------------- units

#define POST "SEMPOST sem_sel=1"
#define WAIT "SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=511"
#define UNPACR0 "UNPACR Unpack_block_selection=0 OvrdThreadId=1 AddrMode=0"

// Two threads, and with `wait` between the first one's instruction and its post they are in order.
static const struct {
    const char *name, *first, *second, *wait, *storage;
    bool packs_to_a; // the packer writes what the unpacker reads
} pairs[] = {
    {"packer, unpacker", "PACR Last=1", UNPACR0, "PACK", "L1 from 0x20", true},
    {"unpacker, packer", UNPACR0, "PACR Last=1", "UNPACK0", "L1 from 0x20", true},
    {"mover, unpacker", "XMOV", UNPACR0, "XMOV", "L1 from 0x20010 on", false},
    {"unpacker, mover", UNPACR0, "XMOV", "UNPACK0", "L1 from 0x20010 on", false},
    {"mover, packer", "XMOV", "PACR Last=1", "XMOV", "L1 from 0x20010 on", true},
    {"unpacker to Dst, packer", "UNPACR OvrdThreadId=1 CfgContextId=1", "PACR Last=1", "UNPACK0",
     "Dst from physical row", false},
    {"unpacker to Dst, matrix unit", "UNPACR OvrdThreadId=1 CfgContextId=1", "ZEROACC clear_mode=3",
     "UNPACK0", "Dst from physical row", false},
};

static void check_pair(size_t which, int arch, bool timing, bool ordered)
{
    tsr_tile *tile = configured(arch, timing);
    uint32_t unit;
    char stall[80], name[40];
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_L1_Dest_addr,
               (pairs[which].packs_to_a ? FACE_A : FACE_C) / 16 - 1);
    snprintf(name, sizeof name, "p_stall.%s", pairs[which].wait);
    assert_int_equal(tsr_constant_find((tsr_arch)arch, name, &unit), TSR_OK);
    snprintf(stall, sizeof stall, "STALLWAIT stall_res=2 wait_res=%u", (unsigned)unit);
    tile_push(tile, 0, pairs[which].first);
    if (ordered)
        tile_push(tile, 0, stall);
    tile_push(tile, 0, POST);
    tile_push(tile, 2, WAIT);
    tile_push(tile, 2, pairs[which].second);
    assert_int_equal(tile_run(tile), TSR_END_IDLE);
    const tsr_diagnostic *race = race_of(tile);
    if ((race == NULL) != ordered)
        fail_msg("%s: %s", pairs[which].name, race ? race->sentence : "nothing");
    if (race && (!strstr(race->sentence, pairs[which].storage) || !strstr(race->wait, name)))
        fail_msg("%s: %s %s", pairs[which].name, race->sentence, race->wait);
    tsr_tile_destroy(tile);
}

static void test_pairs(int arch)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int variant = 0; variant < 4; variant++)
            check_pair(i, arch, variant & 1, variant & 2);
}
TILE_BOTH(test_pairs)

// Who knows by a FLUSHDMA, or by a STALLWAIT, that an unpacker is done knows what it waited for,
// too: the third UNPACR waits for the bank that thread 1 gives back behind its RMWCIB.
static void check_known_by_wait(int arch, const char *wait, int side, bool ordered, bool timing)
{
    tsr_tile *tile = configured(arch, timing);
    uint32_t valid;
    unsigned word = tile_env(tile)->isa->field[FIELD_THCON_SEC0_REG6_Buffer_size].addr32; // XMOV's
    char stall[80], unpack[100], give[40], write[2][80];
    assert_int_equal(
        tsr_constant_find((tsr_arch)arch, side ? "p_stall.SRCB_VLD" : "p_stall.SRCA_VLD", &valid),
        TSR_OK);
    snprintf(stall, sizeof stall, "STALLWAIT stall_res=128 wait_res=%u", (unsigned)valid);
    snprintf(unpack, sizeof unpack,
             "UNPACR Unpack_block_selection=%d OvrdThreadId=1 AddrMode=0 SetDatValid=1", side);
    snprintf(give, sizeof give, "SETRWC clear_ab_vld=%d", side + 1);
    for (int i = 0; i < 2; i++)
        snprintf(write[i], sizeof write[i], "RMWCIB0 CfgRegAddr=%u Data=%d Mask=12", word,
                 4 * i + 4);
    for (int i = 0; i < 3; i++)
        tile_push(tile, 0, unpack);
    tile_push(tile, 0, wait);
    tile_push(tile, 0, write[0]);
    tile_push(tile, 1, stall);
    tile_push(tile, 1, write[1]);
    tile_push(tile, 1, give);
    assert_int_equal(tile_run(tile), TSR_END_IDLE);
    const tsr_diagnostic *race = race_of(tile);
    if ((race == NULL) != ordered)
        fail_msg("%s: %s", wait, race ? race->sentence : "nothing");
    if (race)
        assert_string_equal(race->code, "race-writes");
    tsr_tile_destroy(tile);
}

static void test_known_by_wait(int arch)
{
    static const char *const waits[] = {
        "STALLWAIT stall_res=128 wait_res=2", "STALLWAIT stall_res=128 wait_res=4",
        "FLUSHDMA FlushSpec=2", "FLUSHDMA FlushSpec=4", "FLUSHDMA FlushSpec=9"};
    for (int i = 0; i < 5; i++)
        for (int variant = 0; variant < 4; variant++) {
            int side = variant & 1;
            check_known_by_wait(arch, waits[i], side, i < 4 && i % 2 == side, variant & 2);
        }
}
TILE_BOTH(test_known_by_wait)

// What hardware keeps in order goes on through an instruction that writes the whole row: an UNPACR
// comes after a ZEROACC, which comes after a store of the vector unit.
static void test_row_in_between(int arch)
{
    for (int variant = 0; variant < 4; variant++) {
        bool between = variant & 1, timing = variant & 2;
        tsr_tile *tile = configured(arch, timing);
        tile_push(tile, 1, "SFPSTORE lreg_ind=0 instr_mod0=0 dest_reg_addr=0");
        if (between)
            tile_push(tile, 1, "ZEROACC clear_mode=3");
        tile_push(tile, 1, "UNPACR OvrdThreadId=1 CfgContextId=1"); // to Dst
        assert_int_equal(tile_run(tile), TSR_END_IDLE);
        assert_int_equal(race_of(tile) == NULL, between);
        if (!between)
            tile_says(tile, "race-writes", "T1's UNPACR writes Dst");
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_row_in_between)

// A core reads what the packer writes; a core writes what an unpacker reads.
static void test_cores(int arch)
{
    for (int variant = 0; variant < 4; variant++) {
        bool stores = variant & 1, drains = variant & 2;
        uint32_t value;
        tsr_tile *tile = configured(arch, false);
        tile_push(tile, 0, stores ? UNPACR0 : "PACR Last=1");
        tile_run(tile);
        if (drains)
            assert_true(tsr_thread_drained(tile, 0));
        if (stores)
            assert_int_equal(tsr_store(tile, TSR_CORE_T0, FACE_A, 1, 4), TSR_OK);
        else
            assert_int_equal(tsr_load(tile, TSR_CORE_T0, FACE_C, &value, 4), TSR_OK);
        assert_int_equal(race_of(tile) == NULL, drains);
        if (!drains)
            tile_says(tile, "race-read-write",
                      stores ? "core T0 writes L1 from 0x20000 on, which T0's UNPACR reads"
                             : "core T0 reads L1 from 0x40000 on, which T0's PACR writes");
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_cores)

// Of compressed input an unpacker reads two row starts and 32 datums with the deltas after them.
static void test_compressed_input(int arch)
{
    enum { STARTS = FACE_A, DATUMS = FACE_A + 16, DELTAS = DATUMS + 64, SIZE = 0x100 };
    static const struct {
        uint32_t address;
        bool is_read;
    } rows[] = {{STARTS, true}, {STARTS + 4, false}, {DATUMS, true},      {DELTAS - 4, true},
                {DELTAS, true}, {DELTAS + 12, true}, {DELTAS + 16, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = configured(arch, false);
        const uint8_t input[SIZE] = {0, 0, 32};
        assert_int_equal(tsr_l1_write(tile, STARTS, input, sizeof input), TSR_OK);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG0_TileDescriptor_IsUncompressed, 0);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG2_Disable_zero_compress_cntx0, 0);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG0_TileDescriptor_ZDim, 1);
        tile_push(tile, 0, UNPACR0);
        assert_int_equal(tile_run(tile), TSR_END_IDLE);
        assert_int_equal(tsr_store(tile, TSR_CORE_T0, rows[i].address, 1, 4), TSR_OK);
        assert_int_equal(race_of(tile) != NULL, rows[i].is_read);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_compressed_input)

// An ATINCGET or ATSWAP behind a wait for the packer is a flag, as a STOREIND is: a core that finds
// it may read what was packed. Without the wait, or the flag, it may not.
static void test_atomic_flags(int arch)
{
    enum { FLAG = FACE_C + 0x1000, ONE = 4 };
    static const char *const flags[] = {
        "STOREIND MemHierSel=1 SizeSel=0 RegSizeSel=1 AddrRegIndex=0 DataRegIndex=4 OffsetIndex=2",
        "ATINCGET MemHierSel=0 WrapVal=31 Sel32b=0 DataRegIndex=4 AddrRegIndex=0",
        "ATSWAP MemHierSel=0 SwapMask=3 DataRegIndex=4 AddrRegIndex=0"};
    uint32_t packer, value;
    assert_int_equal(tsr_constant_find((tsr_arch)arch, "p_stall.PACK", &packer), TSR_OK);
    for (size_t i = 0; i < 3 * sizeof flags / sizeof *flags; i++) {
        bool waits = i % 3 > 0, finds = i % 3 < 2;
        char stall[80];
        tsr_tile *tile = configured(arch, false);
        assert_int_equal(tsr_l1_write(tile, FLAG, &(const uint32_t){0}, 4), TSR_OK);
        for (unsigned gpr = 0; gpr < 8; gpr++)
            tile_set_gpr(tile, 2, (int)gpr, gpr == 0 ? FLAG / 16 : gpr == ONE);
        snprintf(stall, sizeof stall, "STALLWAIT stall_res=511 wait_res=%u", (unsigned)packer);
        tile_push(tile, 2, "PACR Last=1");
        if (waits)
            tile_push(tile, 2, stall);
        tile_push(tile, 2, flags[i / 3]);
        assert_int_equal(tile_run(tile), TSR_END_IDLE);
        if (finds) {
            assert_int_equal(tsr_load(tile, TSR_CORE_B, FLAG, &value, 4), TSR_OK);
            assert_int_equal(value, 1);
        }
        assert_int_equal(tsr_load(tile, TSR_CORE_B, FACE_C, &value, 4), TSR_OK);
        assert_int_equal(race_of(tile) == NULL, waits && finds);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_atomic_flags)

// Two threads' atomics are in some order; with a store of another thread they are none.
static void test_atomics(int arch)
{
    enum { WORD = FACE_C + 0x1000 };
    static const struct {
        const char *first, *second;
        bool is_race;
        const char *then; // in the first thread
    } rows[] = {
        {"ATINCGET WrapVal=31 DataRegIndex=4", "ATINCGET WrapVal=31 DataRegIndex=4", false, NULL},
        {"ATINCGET WrapVal=31 DataRegIndex=4", "ATSWAP SwapMask=3 DataRegIndex=4", false, NULL},
        {"ATSWAP SwapMask=3 DataRegIndex=4", "PACR Last=1", true, NULL},
        {"ATSWAP SwapMask=0x30 DataRegIndex=4", "PACR Last=1", true, NULL},
        {"STOREIND MemHierSel=1 SizeSel=0 RegSizeSel=1 DataRegIndex=4 OffsetIndex=2",
         "ATINCGET WrapVal=31 DataRegIndex=4", true, NULL},
        {"STOREIND MemHierSel=1 SizeSel=0 RegSizeSel=1 DataRegIndex=4 OffsetIndex=2",
         "ATINCGET WrapVal=31 Sel32b=1 DataRegIndex=4", false, NULL},
        {"STOREIND MemHierSel=1 SizeSel=0 RegSizeSel=1 DataRegIndex=4 OffsetIndex=2",
         "ATSWAP SwapMask=0xfc DataRegIndex=4", false, NULL},
        {"STOREIND MemHierSel=1 SizeSel=0 RegSizeSel=1 DataRegIndex=4 OffsetIndex=2",
         "ATINCGET WrapVal=31 DataRegIndex=4", true, "ATINCGET WrapVal=31 DataRegIndex=4"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = configured(arch, false);
        bool packs = strncmp(rows[i].second, "PACR", 4) == 0;
        assert_int_equal(tsr_l1_write(tile, WORD, (const uint8_t[16]){0}, 16), TSR_OK);
        for (int thread = 0; thread < 3; thread += 2)
            for (unsigned gpr = 0; gpr < 8; gpr++)
                tile_set_gpr(tile, thread, (int)gpr, gpr == 0 ? (packs ? FACE_C : WORD) / 16 : 0);
        tile_push(tile, 0, rows[i].first);
        if (rows[i].then)
            tile_push(tile, 0, rows[i].then);
        tile_push(tile, 2, rows[i].second);
        assert_int_equal(tile_run(tile), TSR_END_IDLE);
        if ((race_of(tile) != NULL) != rows[i].is_race)
            fail_msg("%s, %s: %s", rows[i].first, rows[i].second,
                     race_of(tile) ? race_of(tile)->sentence : "nothing");
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_atomics)

// Packer 0 reads 16 datums of L1 and no more: of four bytes, of two and of one.
static void test_packer_from_l1(int arch)
{
    enum { SOURCE = 0x80000 };
    static const struct {
        uint32_t format, bytes;
    } rows[] = {{FP32, 64}, {BF16, 32}, {INT8, 16}};
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        bool inside = i % 2 == 0;
        uint32_t format = rows[i / 2].format, last = rows[i / 2].bytes - 4;
        tsr_tile *tile = configured(arch, false);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Source_interface_selection, 1);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG1_L1_source_addr, SOURCE >> 18);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG1_In_data_format, format);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Out_data_format, format);
        tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG2_Dstacc, format);
        tile_state(tile)->adcs.channel[2][TSR_ADC_PACKERS][1].x = 15;
        tile_push(tile, 2, "PACR Last=1");
        assert_int_equal(tile_run(tile), TSR_END_IDLE);
        uint32_t at = SOURCE + last + (inside ? 0 : 4);
        assert_int_equal(tsr_store(tile, TSR_CORE_T0, at, 1, 4), TSR_OK);
        assert_int_equal(race_of(tile) != NULL, inside);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_packer_from_l1)

// Threads that have chosen bank 1 share it, too; one each does not matter.
static void test_banks(int arch)
{
    for (int both = 0; both < 2; both++) {
        tsr_tile *tile = configured(arch, false);
        tile_push(tile, 0, "SETC16 setc16_reg=0 setc16_value=1");
        if (both)
            tile_push(tile, 1, "SETC16 setc16_reg=0 setc16_value=1");
        tile_push(tile, 0, "RMWCIB0 CfgRegAddr=80 Data=1 Mask=3");
        tile_push(tile, 1, "RMWCIB0 CfgRegAddr=80 Data=2 Mask=3");
        tile_run(tile);
        assert_int_equal(race_of(tile) == NULL, !both);
        if (both)
            tile_says(tile, "race-writes", "of bank 1");
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_banks)

// ---------------------------------------------------------------- what carries an order

// A word of a mailbox or PC buffer orders what was before it; without it there is a race.
static void test_channels(int arch)
{
    for (int variant = 0; variant < 4; variant++) {
        bool pc_buffer = variant & 1, sends = variant & 2;
        uint32_t value;
        tsr_tile *tile = configured(arch, false);
        const struct tsr_region *region = tile_env(tile)->isa->region;
        uint32_t to = pc_buffer ? region[REGION_PC_BUFFER0].base
                                : region[REGION_MAILBOXES].base + 0x1000 * TSR_CORE_T0;
        uint32_t from = pc_buffer ? region[REGION_PC_BUFFER_T].base : region[REGION_MAILBOXES].base;
        assert_int_equal(tsr_store(tile, TSR_CORE_B, 0x1000, 7, 4), TSR_OK);
        if (sends) {
            assert_int_equal(tsr_store(tile, TSR_CORE_B, to, 1, 4), TSR_OK);
            assert_int_equal(tsr_load(tile, TSR_CORE_T0, from, &value, 4), TSR_OK);
        }
        assert_int_equal(tsr_store(tile, TSR_CORE_T0, 0x1000, 8, 4), TSR_OK);
        assert_int_equal(race_of(tile) == NULL, sends);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_channels)

// So does a request of Blackhole's interrupt controller that the other core finds raised.
static void test_requests(void **state)
{
    (void)state;
    for (int raises = 0; raises < 2; raises++) {
        uint32_t value;
        tsr_tile *tile = configured(BH, false);
        uint32_t request = tile_env(tile)->isa->region[REGION_PIC_VECTORED].base + 0x18 + 4 * 31;
        assert_int_equal(tsr_store(tile, TSR_CORE_B, 0x1000, 7, 4), TSR_OK);
        assert_int_equal(tsr_store(tile, TSR_CORE_B, request, (uint32_t)raises, 4), TSR_OK);
        assert_int_equal(tsr_load(tile, TSR_CORE_T0, request, &value, 4), TSR_OK);
        assert_int_equal(tsr_store(tile, TSR_CORE_T0, 0x1000, 8, 4), TSR_OK);
        assert_int_equal(race_of(tile) == NULL, raises);
        tsr_tile_destroy(tile);
    }
}

// What a thread loads into its replay buffer and plays is in the order of its words, and each word
// that comes out is judged for itself.
static void test_replay(int arch)
{
    tsr_tile *tile = configured(arch, false);
    tile_push(tile, 1, "REPLAY load_mode=1 len=2");
    tile_push(tile, 1, "ZEROACC clear_mode=3");
    tile_push(tile, 1, "NOP");
    tile_push(tile, 1, "REPLAY load_mode=0 len=2");
    tile_run(tile);
    assert_null(race_of(tile));
    tile_push(tile, 1, "SFPLOAD lreg_ind=0 instr_mod0=0 dest_reg_addr=0");
    tile_run(tile);
    tile_says(tile, "race-read-write", "T1's SFPLOAD reads Dst");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_replay)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_pairs),    TILE_TEST(test_known_by_wait),    TILE_TEST(test_row_in_between),
        TILE_TEST(test_cores),    TILE_TEST(test_compressed_input), TILE_TEST(test_atomic_flags),
        TILE_TEST(test_atomics),  TILE_TEST(test_packer_from_l1),   TILE_TEST(test_banks),
        TILE_TEST(test_channels), cmocka_unit_test(test_requests),  TILE_TEST(test_replay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
