// SPDX-License-Identifier: Apache-2.0
// Bytes a cycle that unpackers fetch, alone and together. Page: UNPACR_Regular.md (Performance).
#include "rig/short_formats.h"
#include "rig/tile_rig.h"

#include <tessera/trace.h>

#define SET(u, name, value)                                                                        \
    tile_field(tile, 0, (u) ? FIELD_THCON_SEC1_##name : FIELD_THCON_SEC0_##name, value)

enum { L1_TILE = 0x10000, UNPACKS = 80 };

struct log {
    uint64_t began[2], ended[2]; // cycles: of the first fetch, and the end of the last
    uint64_t ends[2][UNPACKS];
    int count[2];
};

static void note(void *user, const tsr_event *event)
{
    struct log *log = user;
    if (event->kind != TSR_EVENT_INSTRUCTION || event->unit > TSR_UNIT_UNPACKER1)
        return;
    int u = event->unit == TSR_UNIT_UNPACKER1;
    if (log->count[u] == 0)
        log->began[u] = event->executed;
    log->ended[u] = event->completed;
    log->ends[u][log->count[u]++] = event->completed;
}

// Tiles of `datums` 32-bit datums to SrcA and SrcB, again and again into the same bank.
static void configure(tsr_tile *tile, int u, uint32_t throttle, uint32_t datums)
{
    SET(u, REG0_TileDescriptor_InDataFormat, FP32);
    SET(u, REG0_TileDescriptor_IsUncompressed, 1);
    SET(u, REG0_TileDescriptor_XDim, datums);
    SET(u, REG0_TileDescriptor_YDim, 1);
    SET(u, REG2_Out_data_format, TF32);
    SET(u, REG2_Throttle_mode, throttle);
    SET(u, REG2_Disable_zero_compress_cntx0, 1);
    SET(u, REG2_Unpack_limit_address, 0x1ffff);
    SET(u, REG3_Base_address, L1_TILE / 16);
    if (u == 0) {
        SET(u, REG5_Tile_x_dim_cntx0, datums);
        SET(u, REG5_Dest_cntx0_address, 64);
    }
    for (int t = 0; t < 3; t++)
        tile_state(tile)->adcs.channel[t][u][1].x = datums - 1;
}

static tsr_tile *speed_tile(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    uint8_t zeroes[64 * 16 * 4 + 16] = {0};
    assert_int_equal(tsr_l1_write(tile, L1_TILE, zeroes, sizeof zeroes), TSR_OK);
    for (int t = 0; t < 3; t++)
        tile_field(tile, t, FIELD_SRCA_SET_SetOvrdWithAddr, 1);
    if (arch == BH)
        for (int u = 0; u < 2; u++)
            SET(u, REG1_ovrd_default_throttle_mode, 1);
    return tile;
}

static const char *unpacr(int u)
{
    return u ? "UNPACR Unpack_block_selection=1 OvrdThreadId=1"
             : "UNPACR Unpack_block_selection=0 OvrdThreadId=1";
}

// Each thread's FIFO has work as long as there is any, whatever the other's pace.
static void push_all(tsr_tile *tile)
{
    int pushed[2] = {0, 0};
    while (pushed[0] < UNPACKS || pushed[1] < UNPACKS) {
        bool moved = false;
        for (int u = 0; u < 2; u++)
            if (pushed[u] < UNPACKS && tsr_push(tile, u, tile_word(tile, unpacr(u))) == TSR_OK) {
                pushed[u]++;
                moved = true;
            }
        if (!moved)
            assert_true(tsr_step(tile));
    }
}

// Bytes a cycle in the time in which both fetched, between whole tiles.
static uint64_t rate(const struct log *log, int u, uint64_t from, uint64_t until, uint32_t bytes)
{
    uint64_t first = 0, last = 0;
    int tiles = 0;
    for (int i = 0; i < log->count[u]; i++) {
        if (log->ends[u][i] < from || log->ends[u][i] > until)
            continue;
        if (first == 0)
            first = log->ends[u][i];
        else
            tiles++;
        last = log->ends[u][i];
    }
    assert_true(tiles >= 4);
    assert_int_equal((uint64_t)tiles * bytes % (last - first), 0);
    return (uint64_t)tiles * bytes / (last - first);
}

static void pair(int arch, uint32_t throttle0, uint32_t throttle1, uint64_t want0, uint64_t want1)
{
    const uint32_t datums = 64 * 16, bytes = datums * 4;
    tsr_tile *tile = speed_tile(arch);
    struct log log = {{0}, {0}, {{0}}, {0}};
    configure(tile, 0, throttle0, datums);
    configure(tile, 1, throttle1, datums);
    tsr_tile_observe(tile, note, &log);
    push_all(tile);
    tile_idle(tile);
    assert_int_equal(log.count[0], UNPACKS);
    uint64_t from = log.began[0] > log.began[1] ? log.began[0] : log.began[1];
    uint64_t until = log.ended[0] < log.ended[1] ? log.ended[0] : log.ended[1];
    assert_int_equal(rate(&log, 0, from, until, bytes), want0);
    assert_int_equal(rate(&log, 1, from, until, bytes), want1);
    tsr_tile_destroy(tile);
}

// The page's table: rows by what unpacker 1 wants, columns by what unpacker 0 wants; a cell is what
// they get, in 16 bytes a cycle.
static void test_together(void **state)
{
    (void)state;
    static const struct {
        int get0, get1;
    } table[3][3] = {{{1, 1}, {2, 1}, {4, 1}}, {{1, 2}, {1, 1}, {2, 1}}, {{1, 4}, {1, 2}, {2, 2}}};
    for (uint32_t one = 0; one < 3; one++)
        for (uint32_t zero = 0; zero < 3; zero++)
            pair(WH, zero, one, 16u * (unsigned)table[one][zero].get0,
                 16u * (unsigned)table[one][zero].get1);
}

// Blackhole fetches 128 bytes a cycle at x4 where datums have 16 bits and more; x4 and x4 get half.
static void test_together_blackhole(void **state)
{
    (void)state;
    pair(BH, 0, 0, 16, 16);
    pair(BH, 1, 1, 16, 16);
    pair(BH, 2, 0, 128, 16);
    pair(BH, 2, 2, 64, 64);
}

// Alone: x1, x2, x4, whole tiles without a gap; the address phases overlap the fetches.
static void test_alone(void **state)
{
    (void)state;
    for (int u = 0; u < 2; u++)
        for (uint32_t throttle = 0; throttle < 3; throttle++) {
            tsr_tile *tile = speed_tile(WH);
            struct log log = {{0}, {0}, {{0}}, {0}};
            configure(tile, u, throttle, 64 * 16);
            tsr_tile_observe(tile, note, &log);
            for (int i = 0; i < UNPACKS; i++)
                tile_push(tile, u, unpacr(u));
            tile_idle(tile);
            assert_int_equal((log.ended[u] - log.began[u]) * (16u << throttle),
                             (uint64_t)UNPACKS * 64 * 16 * 4);
            tsr_tile_destroy(tile);
        }
}

// Unpacker 0 begins alone at x4 with 4096 bytes; unpacker 1, at x4 too, comes 20 cycles later with
// 1024 bytes. Cycles of unpacker 0: 20 at 64 bytes, then 32 at 32 bytes (1024 bytes at 32), then
// (4096 - 1280 - 1024) / 64 = 28 at 64 again: 80.
static void test_overlap(void **state)
{
    (void)state;
    tsr_tile *tile = speed_tile(WH);
    struct log log = {{0}, {0}, {{0}}, {0}};
    configure(tile, 0, 2, 64 * 16);
    configure(tile, 1, 2, 16 * 16);
    tsr_tile_observe(tile, note, &log);
    tile_push(tile, 0, unpacr(0));
    for (int i = 0; i < 20; i++)
        tile_push(tile, 1, "NOP");
    tile_push(tile, 1, unpacr(1));
    tile_idle(tile);
    uint64_t late = log.began[1] - log.began[0];
    assert_true(late > 10 && late < 40);
    assert_int_equal(log.ended[1] - log.began[1], 32);
    assert_int_equal(log.ended[0] - log.began[0], late + 32 + (4096 - 64 * late - 1024) / 64);
    tsr_tile_destroy(tile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_together), cmocka_unit_test(test_together_blackhole),
        cmocka_unit_test(test_alone), cmocka_unit_test(test_overlap)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
