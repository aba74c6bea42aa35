// SPDX-License-Identifier: Apache-2.0
// The debug daisychain: mailboxes, PC buffers, expanders, gates, counters, banks and lanes as a
// host reads them, against the tile's views; a series of lines; and what is not there, which never
// leaves a host waiting. Page: DebugDaisychain.md.
#include "rig/core_rig.h"

enum { DATA = 0x80000, LINES = 0x90000 };
enum { MODE_SERIES = 4, MODE_NEXT_LINE = 1, PREPARE = 15, TRIGGER = 1 << 12, ON = 1 << 29 };
enum { PART_GATES = 1, PART_RWCS = 3, PART_ADCS = 6, PART_CORES = 7, PART_PORTS = 8 };
#define AT_LINE 0xffb12048u
#define AT_END (AT_LINE + 4)
#define AT_MODE (AT_LINE + 8)
#define AT_CONTROL (AT_LINE + 12)
#define AT_DATA (AT_CONTROL + 8)

static void host_store(tsr_tile *tile, uint32_t address, uint32_t value)
{
    assert_int_equal(tsr_host_store(tile, address, value, 4), TSR_OK);
}

// Bits of what a part shows.
static uint32_t bits(tsr_tile *tile, unsigned part, unsigned signal, int first, int width)
{
    uint64_t both = 0;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t word = ((uint32_t)first / 32 + i) % 4, value = 0;
        host_store(tile, AT_CONTROL, signal | part << 16 | word << 25 | ON);
        assert_int_equal(tsr_host_load(tile, AT_DATA, &value, 4), TSR_OK);
        both |= (uint64_t)value << 32 * i;
    }
    return (uint32_t)(both >> first % 32 & ((UINT64_C(1) << width) - 1));
}

static void issue(tsr_tile *tile, int thread, const char *text)
{
    tile_push(tile, thread, text);
    tsr_run_cycles(tile, 200);
}

static tsr_tile *with(int arch, bool timing)
{
    return tile_with_cores(arch, timing, TSR_PROFILE_SILICON);
}

// B sends to each T core and reads an answer of T0; T1 waits for a mailbox that stays empty.
static void mailboxes(int arch, bool timing)
{
    tsr_tile *tile = with(arch, timing);
    struct code code = code_at(tile, 0);
    code_load(&code, A1, AT_MAILBOXES + 0x1000); // from T0
    code_store(&code, AT_PC_BUFFER + 0x10000, 0xabcd1234);
    code_load(&code, A1, AT_MAILBOXES + 0x3000); // from T2: none
    code_end(&code);
    core_start(tile, TSR_CORE_B, 0);
    code = code_at(tile, 0x10000);
    code_store(&code, AT_MAILBOXES, 0x12345678); // to B
    code_load(&code, A1, AT_PC_BUFFER);
    code_end(&code);
    core_start(tile, TSR_CORE_T0, 0x10000);
    code = code_at(tile, 0x11000);
    code_load(&code, A1, AT_MAILBOXES); // from B: none
    code_end(&code);
    core_start(tile, TSR_CORE_T1, 0x11000);
    tsr_run_cycles(tile, 2000);
    assert_int_equal(bits(tile, PART_CORES, 18, 70, 32), 0x12345678);
    assert_int_equal(bits(tile, PART_CORES, 18, 106, 4), 15);
    assert_int_equal(bits(tile, PART_CORES, 22, 106, 4), 15 & ~1); // B waits for T2
    assert_int_equal(bits(tile, PART_CORES, 1, 115, 4), 15 & ~4);  // T1 for B
    assert_int_equal(bits(tile, PART_CORES, 19, 31, 1), 1);        // T0 for its PC buffer
    assert_int_equal(bits(tile, PART_CORES, 19, 23, 2), 1);
    assert_int_equal(bits(tile, PART_CORES, 21, 0, 23), 0xabcd1234 >> 9); // T1's holds a word
    assert_int_equal(bits(tile, PART_CORES, 20, 119, 9), 0x34);
    assert_int_equal(bits(tile, PART_CORES, 21, 23, 2), 0);
    assert_int_equal(bits(tile, PART_CORES, 21, 31, 1), 0);
    tsr_tile_destroy(tile);
}

// A thread that a semaphore holds: its instruction at the gate, those behind it, the rest at the
// MOP expander.
static void frontends(int arch, bool timing)
{
    static const uint8_t gate[] = {12, 8, 4};
    int first = arch == TSR_WORMHOLE_B0 ? 55 : 40, empty = arch == TSR_WORMHOLE_B0 ? 87 : 73;
    for (unsigned thread = 0; thread < 3; thread++) {
        tsr_tile *tile = with(arch, timing);
        uint32_t word = tile_word(tile, "NOP");
        unsigned of_core = 19 + 2 * thread;
        assert_int_equal(bits(tile, PART_GATES, gate[thread], empty, 1), 1);
        assert_int_equal(bits(tile, PART_CORES, of_core, 25, 2), 0);
        issue(tile, (int)thread, "SEMINIT max_value=2 init_value=0 sem_sel=1");
        issue(tile, (int)thread, "SEMWAIT stall_res=511 sem_sel=1 wait_sem_cond=1");
        issue(tile, (int)thread, "NOP");
        assert_int_equal(bits(tile, PART_GATES, gate[thread], empty, 1), 0);
        assert_int_equal(bits(tile, PART_GATES, gate[thread], first, 32), word);
        assert_int_equal(bits(tile, PART_GATES, gate[thread], empty + 2, 2), 2); // full, empty
        assert_int_equal(bits(tile, PART_CORES, of_core, 25, 2), 2);
        assert_int_equal(bits(tile, PART_CORES, of_core, 118, 1), 0);
        for (int i = 0; i < 12; i++)
            issue(tile, (int)thread, "NOP");
        assert_int_equal(bits(tile, PART_GATES, gate[thread], empty + 2, 2), 1);
        assert_int_equal(bits(tile, PART_CORES, of_core, 118, 1), 1);
        assert_int_equal(bits(tile, PART_CORES, of_core, 86, 32), word);
        issue(tile, (int)thread, "MOP mop_type=1");
        assert_int_equal(bits(tile, PART_CORES, of_core, 25, 2), 3);
        assert_int_equal(bits(tile, PART_CORES, of_core, 125, 1), 0);
        tsr_tile_destroy(tile);
    }
}

static void counters(int arch, bool timing)
{
    static const char *const sets[] = {
        "SETADCXY CntSetMask=7 BitMask=15 Ch0_X=2 Ch0_Y=7 Ch1_X=1 Ch1_Y=3",
        "SETADCZW CntSetMask=7 BitMask=15 Ch0_X=3 Ch0_Y=4 Ch1_X=5 Ch1_Y=6",
        "SETADCXX CntSetMask=7 x_end2=1000 x_start=300"};
    static const uint8_t threads[] = {0, 0, 2}, agents[] = {0, 1, 2};
    tsr_tile *tile = with(arch, timing);
    for (int thread = 0; thread < 3; thread += 2)
        for (unsigned i = 0; i < sizeof sets / sizeof *sets; i++)
            issue(tile, thread, sets[i]);
    for (unsigned i = 0; i < 6; i++) {
        tsr_adc_channel channel;
        assert_int_equal(tsr_view_adc(tile, threads[i / 2], agents[i / 2], (int)(i % 2), &channel),
                         TSR_OK);
        assert_int_equal(bits(tile, PART_ADCS, i, 0, 18), channel.x);
        assert_int_not_equal(channel.x, 0);
        assert_int_equal(bits(tile, PART_ADCS, i, 18, 18), channel.x_cr);
        assert_int_equal(bits(tile, PART_ADCS, i, 64, 13), channel.y);
        assert_int_equal(bits(tile, PART_ADCS, i, 80, 13), channel.y_cr);
        assert_int_equal(bits(tile, PART_ADCS, i, 96, 8), channel.z);
        assert_int_equal(bits(tile, PART_ADCS, i, 104, 8), channel.z_cr);
        assert_int_equal(bits(tile, PART_ADCS, i, 112, 8), channel.w);
        assert_int_equal(bits(tile, PART_ADCS, i, 120, 8), channel.w_cr);
    }
    tsr_tile_destroy(tile);
}

// Blackhole's RWCs, where tt-exalens looks for them.
static void rwcs_of_blackhole(bool timing)
{
    static const uint8_t srca[] = {0, 24, 40}, srcb[] = {60, 84, 100};
    tsr_tile *tile = with(TSR_BLACKHOLE_A0, timing);
    for (int thread = 0; thread < 3; thread++) {
        char text[80];
        tsr_rwc rwc;
        snprintf(text, sizeof text, "SETRWC BitMask=7 rwc_a=%d rwc_b=%d rwc_d=%d", thread + 1,
                 thread + 4, thread + 7);
        issue(tile, thread, text);
        for (int i = 0; i < 40; i++)
            issue(tile, thread, "INCRWC rwc_d=8");
        assert_int_equal(tsr_view_rwc(tile, thread, &rwc), TSR_OK);
        assert_int_equal(bits(tile, PART_RWCS, 2, srca[thread], 6), rwc.srca);
        assert_int_equal(bits(tile, PART_RWCS, 2, srcb[thread], 6), rwc.srcb);
        assert_int_equal(rwc.srcb, thread + 4);
        uint32_t dst = thread
                           ? bits(tile, PART_RWCS, 3, 20 * thread - 8, 10)
                           : bits(tile, PART_RWCS, 2, 120, 8) | bits(tile, PART_RWCS, 3, 0, 2) << 8;
        assert_true(rwc.dst > 0xff);
        assert_int_equal(dst, rwc.dst);
    }
    tsr_tile_destroy(tile);
}

// RWCs, banks of SrcA and SrcB, lanes: of Wormhole.
static void matrix_and_vector(bool timing)
{
    tsr_tile *tile = with(TSR_WORMHOLE_B0, timing);
    tsr_src_banks banks[2];
    for (int thread = 0; thread < 3; thread++) {
        char text[80];
        tsr_rwc rwc;
        int at = 16 * thread;
        snprintf(text, sizeof text, "SETRWC BitMask=7 rwc_a=%d rwc_b=%d rwc_d=%d", thread + 1,
                 thread + 2, thread + 3);
        issue(tile, thread, text);
        tile_state(tile)->rwcs.thread[thread].fidelity = (uint8_t)(thread + 1);
        assert_int_equal(tsr_view_rwc(tile, thread, &rwc), TSR_OK);
        assert_int_equal(rwc.srca, thread + 1);
        assert_int_equal(bits(tile, PART_RWCS, 2, at, 6), rwc.srca);
        assert_int_equal(bits(tile, PART_RWCS, 2, 8 + at, 6), rwc.srca_cr);
        assert_int_equal(bits(tile, PART_RWCS, 2, 48 + at, 6), rwc.srcb);
        assert_int_equal(bits(tile, PART_RWCS, 2, 56 + at, 6), rwc.srcb_cr);
        unsigned signal = thread ? 3 : 2;
        int dst = thread ? 32 * (thread - 1) : 96;
        assert_int_equal(bits(tile, PART_RWCS, signal, dst, 10), rwc.dst);
        assert_int_equal(bits(tile, PART_RWCS, signal, dst + 16, 10), rwc.dst_cr);
        assert_int_equal(bits(tile, PART_RWCS, 4, 62 + 2 * thread, 2), thread + 1);
    }
    issue(tile, 0, "UNPACR_NOP Unpack_block_selection=1 NoOp=7"); // SrcB to the matrix unit
    for (int which = 0; which < 2; which++) {
        assert_int_equal(tsr_view_src_banks(tile, which, &banks[which]), TSR_OK);
        assert_int_equal(bits(tile, PART_ADCS, 9, 92 + 16 * which, 1), banks[which].matrix_bank);
        assert_int_equal(bits(tile, PART_ADCS, 9, 94 + 16 * which, 1), banks[which].unpacker_bank);
        assert_int_equal(bits(tile, PART_ADCS, 9, 85 + 16 * which, 1), which);
        assert_int_equal(bits(tile, PART_ADCS, 9, 90 + 16 * which, 2), which ? 2 : 0);
        assert_int_equal(bits(tile, PART_ADCS, 9, 84 + 16 * which, 1), 1);
    }
    assert_int_equal(bits(tile, PART_CORES, 28, 0, 32), 0xffffffff);
    issue(tile, 1, "SFPENCC imm12_math=3 instr_mod1=10"); // flags decide
    issue(tile, 1, "SFPSETCC lreg_c=15 instr_mod1=6"); // LReg 15 has the lanes' numbers: of 0 only
    tsr_lanes lanes;
    uint32_t shown = 0;
    assert_int_equal(tsr_view_lanes(tile, &lanes), TSR_OK);
    for (unsigned lane = 0; lane < 32; lane++)
        shown |= (lanes.enabled >> lane & 1) << (lane % 8 * 4 + lane / 8);
    assert_int_not_equal(lanes.enabled, 0xffffffff);
    assert_int_equal(bits(tile, PART_CORES, 28, 0, 32), shown);
    tsr_tile_destroy(tile);
}

// A series has as many lines as it was asked for, and the line behind them stays as it was.
static void series(int arch, bool timing)
{
    for (uint32_t count = 1; count < 50; count += 12) {
        tsr_tile *tile = with(arch, timing);
        uint32_t guard = 0x5eed, line[4];
        host_store(tile, AT_CONTROL, 255 | PART_CORES << 16 | ON);
        assert_int_equal(tsr_l1_write(tile, LINES + 16 * count, &guard, 4), TSR_OK);
        host_store(tile, AT_MODE, PREPARE);
        host_store(tile, AT_LINE, LINES / 16);
        host_store(tile, AT_END, LINES / 16 + count);
        host_store(tile, AT_MODE, MODE_SERIES | 9 << 4);
        host_store(tile, AT_MODE, MODE_SERIES | 9 << 4 | TRIGGER);
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(tsr_l1_read(tile, LINES + 16 * i, line, sizeof line), TSR_OK);
            assert_int_equal(line[0], PART_CORES);
            assert_int_equal(line[1], 0xa5a5a5a5);
            assert_int_equal(line[2], 0x5a5a5a5a);
            assert_int_equal(line[3], 0xa5a5a5a5);
        }
        assert_int_equal(tsr_l1_read(tile, LINES + 16 * count, line, 4), TSR_OK);
        assert_int_equal(line[0], guard);
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        tsr_tile_destroy(tile);
    }
}

// What no page has is a finding, and a line of zeros: a host that waits for it goes on.
static void not_there(int arch, bool timing)
{
    tsr_tile *tile = with(arch, timing);
    uint32_t line[4] = {1, 2, 3, 4}, none[4] = {0};
    assert_int_equal(tsr_l1_write(tile, LINES, line, sizeof line), TSR_OK);
    host_store(tile, AT_CONTROL, 2 | PART_PORTS << 16 | ON);
    host_store(tile, AT_MODE, PREPARE);
    host_store(tile, AT_LINE, LINES / 16);
    host_store(tile, AT_MODE, MODE_NEXT_LINE);
    host_store(tile, AT_MODE, MODE_NEXT_LINE | TRIGGER);
    assert_string_equal(tsr_diagnostic_at(tile, 0)->code, "daisychain-signal");
    assert_int_not_equal(tsr_diagnostic_at(tile, 0)->action, TSR_ACTION_STOP);
    assert_int_equal(tsr_l1_read(tile, LINES, line, sizeof line), TSR_OK);
    assert_memory_equal(line, none, sizeof line);
    tsr_tile_destroy(tile);
}

#define BOTH_MODES(name)                                                                           \
    static void test_##name(int arch)                                                              \
    {                                                                                              \
        name(arch, false);                                                                         \
        name(arch, true);                                                                          \
    }                                                                                              \
    TILE_BOTH(test_##name)
BOTH_MODES(mailboxes)
BOTH_MODES(frontends)
BOTH_MODES(counters)
BOTH_MODES(series)
BOTH_MODES(not_there)

static void test_matrix_and_vector(void **context)
{
    (void)context;
    for (int timing = 0; timing <= 1; timing++) {
        matrix_and_vector(timing);
        rwcs_of_blackhole(timing);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_mailboxes), TILE_TEST(test_frontends),
        TILE_TEST(test_counters),  TILE_TEST(test_series),
        TILE_TEST(test_not_there), cmocka_unit_test(test_matrix_and_vector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
