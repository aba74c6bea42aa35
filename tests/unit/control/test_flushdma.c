// SPDX-License-Identifier: Apache-2.0
// FLUSHDMA while the units that it asks for are at work: C1 and C2 (unpackers 0 and 1) and C3
// (packer 0), by whose work it is, and the cycle in which the thread goes on. C0 is in
// test_scalar_timing.c. Pages: FLUSHDMA.md, ScalarUnit.md, STALLWAIT.md, UNPACR_Regular.md.
#include "rig/event_log.h"
#include "rig/pack_rig.h"

enum { UNPACKER0 = 2, UNPACKER1 = 4, PACKER0 = 8 };

static void flush(tsr_tile *tile, int thread, unsigned mask)
{
    char text[40];
    snprintf(text, sizeof text, "FLUSHDMA FlushSpec=%u", mask);
    tile_push(tile, thread, text);
}

static void unpack(tsr_tile *tile, int thread, int unpacker)
{
    tile_push(tile, thread,
              unpacker ? "UNPACR OvrdThreadId=1 Unpack_block_selection=1"
                       : "UNPACR OvrdThreadId=1");
}

static bool selects(unsigned mask, unsigned condition)
{
    return mask == 0 || (mask & condition) != 0;
}

#define UNPACKER(i, name) ((i) == 0 ? FIELD_THCON_SEC0_##name : FIELD_THCON_SEC1_##name)

// 256 BF16 datums, 512 bytes, for each unpacker and thread, from zeroes of L1; throttle mode 2.
static tsr_tile *unpack_tile(int arch, bool timing)
{
    tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_SILICON);
    assert_int_equal(tsr_l1_mark_written(tile, 0x20000, 0x1000), TSR_OK);
    for (int u = 0; u < 2; u++) {
        tile_field(tile, 0, UNPACKER(u, REG0_TileDescriptor_InDataFormat), BF16);
        tile_field(tile, 0, UNPACKER(u, REG0_TileDescriptor_IsUncompressed), 1);
        tile_field(tile, 0, UNPACKER(u, REG0_TileDescriptor_YDim), 1);
        tile_field(tile, 0, UNPACKER(u, REG0_TileDescriptor_ZDim), 4);
        tile_field(tile, 0, UNPACKER(u, REG2_Out_data_format), BF16);
        tile_field(tile, 0, UNPACKER(u, REG2_Disable_zero_compress_cntx0), 1);
        tile_field(tile, 0, UNPACKER(u, REG2_Throttle_mode), 2);
        tile_field(tile, 0, UNPACKER(u, REG3_Base_address), 0x20000 / 16 - 1);
        for (int thread = 0; thread < TSR_THREADS; thread++)
            tile_state(tile)->adcs.channel[thread][u][1].x = 255;
    }
    tile_field(tile, 0, FIELD_THCON_SEC0_REG5_Tile_x_dim_cntx0, 256);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG5_Dest_cntx0_address, 64);
    tile_field(tile, 0, FIELD_THCON_SEC1_REG0_TileDescriptor_XDim, 256);
    for (int thread = 0; thread < TSR_THREADS; thread++)
        tile_field(tile, thread, FIELD_SRCA_SET_SetOvrdWithAddr, 1);
    tile_do(tile, 2, "SEMINIT sem_sel=7 init_value=0 max_value=15"); // semaphores 0 to 2
    return tile;
}

static void until_blocked(tsr_tile *tile)
{
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
}

// The matrix unit has the unpacker's bank, so that a UNPACR stays in its pipeline.
static void set_bank_owner(tsr_tile *tile, int unpacker, bool to_matrix)
{
    struct tsr_state *state = tile_state(tile);
    state->src[unpacker].bank[state->src[unpacker].unpacker_bank].matrix_owns = to_matrix;
}

// ---------------------------------------------------------------- who is waited for

// With and without timing: the SEMPOST after FLUSHDMA comes with the bank, or before.
static void test_waits_for_unpackers(int arch)
{
    for (int run = 0; run < 2 * 2 * 16; run++) {
        int timing = run & 1, unpacker = run >> 1 & 1;
        unsigned mask = (unsigned)run >> 2;
        tsr_tile *tile = unpack_tile(arch, timing);
        set_bank_owner(tile, unpacker, true);
        unpack(tile, 0, unpacker);
        flush(tile, 0, mask);
        tile_push(tile, 0, "SEMPOST sem_sel=1");
        until_blocked(tile);
        bool waits = selects(mask, unpacker ? UNPACKER1 : UNPACKER0);
        if (tile_semaphore(tile, 0) != !waits)
            fail_msg("unpacker %d, FlushSpec %u, timing %d: %s", unpacker, mask, timing,
                     waits ? "went on" : "waits");
        set_bank_owner(tile, unpacker, false);
        tile_idle(tile);
        assert_int_equal(tile_semaphore(tile, 0), 1);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_waits_for_unpackers)

// Thread 0's work is not thread 1's. Thread 1's counts in any stage, here after thread 0's.
static void test_whose_work(int arch)
{
    for (int run = 0; run < 2 * 2 * 2 * 16; run++) {
        int timing = run & 1, unpacker = run >> 1 & 1, own = run >> 2 & 1;
        unsigned mask = (unsigned)run >> 3;
        tsr_tile *tile = unpack_tile(arch, timing);
        set_bank_owner(tile, unpacker, true);
        unpack(tile, 0, unpacker);
        until_blocked(tile);
        if (own)
            unpack(tile, 1, unpacker);
        flush(tile, 1, mask);
        tile_push(tile, 1, "SEMPOST sem_sel=1");
        until_blocked(tile);
        bool waits = own && selects(mask, unpacker ? UNPACKER1 : UNPACKER0);
        if (tile_semaphore(tile, 0) != !waits)
            fail_msg("unpacker %d, FlushSpec %u, own %d, timing %d", unpacker, mask, own, timing);
        set_bank_owner(tile, unpacker, false);
        tile_idle(tile);
        assert_int_equal(tile_semaphore(tile, 0), 1);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_whose_work)

// All of the selected conditions at once: one bank is not enough.
static void test_both_unpackers(int arch)
{
    for (int run = 0; run < 2 * 2 * 16; run++) {
        int timing = run & 1, first = run >> 1 & 1;
        unsigned mask = (unsigned)run >> 2;
        tsr_tile *tile = unpack_tile(arch, timing);
        for (int u = 0; u < 2; u++) {
            set_bank_owner(tile, u, true);
            unpack(tile, 0, u);
        }
        flush(tile, 0, mask);
        tile_push(tile, 0, "SEMPOST sem_sel=1");
        until_blocked(tile);
        assert_int_equal(tile_semaphore(tile, 0),
                         !selects(mask, UNPACKER0) && !selects(mask, UNPACKER1));
        set_bank_owner(tile, first, false);
        until_blocked(tile);
        assert_int_equal(tile_semaphore(tile, 0), !selects(mask, first ? UNPACKER0 : UNPACKER1));
        set_bank_owner(tile, !first, false);
        tile_idle(tile);
        assert_int_equal(tile_semaphore(tile, 0), 1);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_both_unpackers)

// While it waits, it keeps the scalar unit from other threads, and nothing else.
static void test_keeps_the_unit(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = unpack_tile(arch, timing);
        set_bank_owner(tile, 0, true);
        unpack(tile, 0, 0);
        flush(tile, 0, UNPACKER0);
        until_blocked(tile);
        tile_push(tile, 1, "DMANOP");
        tile_push(tile, 1, "SEMPOST sem_sel=1");
        unpack(tile, 2, 1);
        tile_push(tile, 2, "SEMPOST sem_sel=2");
        until_blocked(tile);
        assert_int_equal(tile_semaphore(tile, 0), 0);
        assert_int_equal(tile_semaphore(tile, 1), 1);
        set_bank_owner(tile, 0, false);
        tile_idle(tile);
        assert_int_equal(tile_semaphore(tile, 0), 1);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_keeps_the_unit)

// ---------------------------------------------------------------- cycles

// FLUSHDMA is accepted at f and looks from f + 1 on. It takes the cycle in which it finds the units
// idle, so the next instruction is accepted at f + 2, or one after the cycle in which they are
// done.
static void check_next(const struct event_log *log, int thread, uint64_t flush_at, uint64_t done)
{
    uint64_t f = event_log_find(log, thread, flush_at)->accepted;
    uint64_t next = f + 2 > done + 1 ? f + 2 : done + 1;
    assert_int_equal(event_log_find(log, thread, flush_at)->completed, next);
    assert_int_equal(event_log_find(log, thread, flush_at + 1)->accepted, next);
}

// Another thread than 0 comes a NOP later, when what thread 0 has begun is at work.
static void flush_after(tsr_tile *tile, int thread, unsigned mask)
{
    if (thread != 0)
        tile_push(tile, thread, "NOP");
    flush(tile, thread, mask);
    tile_push(tile, thread, "SEMPOST sem_sel=1");
    tile_idle(tile);
    assert_int_equal(tile_semaphore(tile, 0), 1);
}

static void throttle(tsr_tile *tile, int unpacker, unsigned mode)
{
    tile_field(tile, 0, UNPACKER(unpacker, REG2_Throttle_mode), mode);
    if (tsr_tile_arch(tile) == TSR_BLACKHOLE_A0)
        tile_field(tile, 0, UNPACKER(unpacker, REG1_ovrd_default_throttle_mode), 1);
}

// 512 bytes at 16, 32 or 64 bytes a cycle; Blackhole's x4 moves datums of two bytes at 128.
static const uint64_t unpack_cycles[2][3] = {{32, 16, 8}, {32, 16, 4}};

// Two cycles of address phase hold the thread, then the data. Thread 1 asks for nothing of its own.
static void test_cycles_of_unpackers(int arch)
{
    static struct event_log log;
    for (unsigned run = 0; run < 3 * 2 * 2 * 16; run++) {
        unsigned mode = run % 3, mask = run / 12;
        int unpacker = run / 3 % 2, thread = run / 6 % 2;
        tsr_tile *tile = unpack_tile(arch, true);
        throttle(tile, unpacker, mode);
        event_log_start(&log, tile);
        unpack(tile, 0, unpacker);
        flush_after(tile, thread, mask);
        uint64_t start = event_log_find(&log, 0, 1)->accepted;
        uint64_t done = start + 2 + unpack_cycles[arch == BH][mode];
        assert_int_equal(event_log_find(&log, 0, 1)->completed, done);
        assert_int_equal(event_log_find(&log, thread, 2)->accepted, start + (thread == 0 ? 2 : 1));
        bool waits = thread == 0 && selects(mask, unpacker ? UNPACKER1 : UNPACKER0);
        check_next(&log, thread, 2, waits ? done : 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_cycles_of_unpackers)

// Unpacker 1 at 16 bytes a cycle ends after unpacker 0, which begins two cycles later at 32.
static void test_the_later_end(int arch)
{
    static struct event_log log;
    for (unsigned mask = 0; mask < 16; mask++) {
        tsr_tile *tile = unpack_tile(arch, true);
        throttle(tile, 0, 1);
        throttle(tile, 1, 0);
        event_log_start(&log, tile);
        unpack(tile, 0, 1);
        unpack(tile, 0, 0);
        flush_after(tile, 0, mask);
        uint64_t start = event_log_find(&log, 0, 1)->accepted, done = 0;
        assert_int_equal(event_log_find(&log, 0, 3)->accepted, start + 4);
        if (selects(mask, UNPACKER0))
            done = start + 2 + 2 + 16;
        if (selects(mask, UNPACKER1))
            done = start + 2 + 32;
        check_next(&log, 0, 3, done);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_the_later_end)

// Wormhole: 256 datums of BF16 a packer are 512 bytes, 32 cycles at 16 bytes a cycle, and a cycle
// before the next PACR. Blackhole: 16 datums of FP32 an interface are 64 bytes, two cycles at 32
// bytes a cycle.
static tsr_tile *packers_tile(int arch, bool timing)
{
    int out = arch == WH ? BF16 : FP32;
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_SILICON, BF16, out, false);
    tile_env(tile)->timing = timing;
    assert_int_equal(tsr_l1_mark_written(tile, OUT, 0x1000), TSR_OK);
    dst_count(tile, 0);
    pack_datums(tile, 0, arch == WH ? 256 : 16);
    tile_do(tile, 2, "SEMINIT sem_sel=7 init_value=0 max_value=15");
    return tile;
}

// From a PACR's completion until the bytes of its last packer are in L1. Each packer after the
// first reads its rows two cycles later, since they lie in one bank of Dst.
static uint64_t drain_cycles(int arch, int packers)
{
    return arch == WH ? 13 + 2 * (uint64_t)(packers - 1) : 0;
}

// The thread goes on one cycle after its PACR.
static void check_packers(int arch, const char *text, bool packer0, uint64_t cycles, uint64_t drain)
{
    static struct event_log log;
    for (unsigned run = 0; run < 2 * 16; run++) {
        unsigned mask = run / 2;
        int thread = run % 2;
        tsr_tile *tile = packers_tile(arch, true);
        event_log_start(&log, tile);
        tile_push(tile, 0, text);
        flush_after(tile, thread, mask);
        uint64_t start = event_log_find(&log, 0, 1)->accepted, done = start + cycles;
        assert_int_equal(event_log_find(&log, 0, 1)->completed, done);
        assert_int_equal(event_log_find(&log, thread, 2)->accepted, start + 1);
        bool waits = thread == 0 && packer0 && selects(mask, PACKER0);
        check_next(&log, thread, 2, waits ? done + drain : 0);
        tsr_tile_destroy(tile);
    }
}

// C3 is packer 0's pipeline: not that of Wormhole's others, and Blackhole's only one, whichever
// interfaces of Dst it reads.
static void test_cycles_of_packers(int arch)
{
    for (int select = 1; select < 16; select++) {
        char text[40];
        snprintf(text, sizeof text, "PACR %s=%d", arch == WH ? "PackSel" : "ReadIntfSel", select);
        check_packers(arch, text, arch == BH || (select & 1), arch == WH ? 33 : 2,
                      drain_cycles(arch, __builtin_popcount((unsigned)select)));
    }
}
TILE_BOTH(test_cycles_of_packers)

// A PACR that waits for another thread's is in the pipeline too. Without timing a packer is
// never found at work.
static void test_queued_packs(int arch)
{
    static struct event_log log;
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = packers_tile(arch, timing);
        const char *text = arch == WH ? "PACR PackSel=1" : "PACR ReadIntfSel=15";
        uint64_t cycles = arch == WH ? 33 : 2;
        tile_state(tile)->adcs.channel[1][TSR_ADC_PACKERS][1].x = arch == WH ? 255 : 15;
        event_log_start(&log, tile);
        tile_push(tile, 1, text);
        tile_push(tile, 0, "NOP");
        tile_push(tile, 0, text);
        flush(tile, 0, PACKER0);
        tile_push(tile, 0, "SEMPOST sem_sel=1");
        tile_idle(tile);
        assert_int_equal(tile_semaphore(tile, 0), 1);
        if (timing) {
            uint64_t done = event_log_find(&log, 1, 1)->accepted + 2 * cycles;
            assert_int_equal(event_log_find(&log, 0, 2)->completed, done);
            check_next(&log, 0, 3, done + drain_cycles(arch, 1));
        }
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_queued_packs)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_waits_for_unpackers), TILE_TEST(test_whose_work),
        TILE_TEST(test_both_unpackers),      TILE_TEST(test_keeps_the_unit),
        TILE_TEST(test_cycles_of_unpackers), TILE_TEST(test_the_later_end),
        TILE_TEST(test_cycles_of_packers),   TILE_TEST(test_queued_packs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
