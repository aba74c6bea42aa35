// SPDX-License-Identifier: Apache-2.0
// Unpackers, packers and the mover where two of them have one port of L1, on Wormhole.
// Page: L1.md (port assignments).
#include "rig/mover_rig.h"
#include "rig/pack_rig.h"

#include <tessera/trace.h>

enum { L1_TILE = 0x10000, DATUMS = 1024, IDLE = 1 };
// IDLE: a cycle between PACRs, in which a packer keeps its share of the port.

struct span {
    uint64_t from, until;
};

struct log {
    struct span unpacked, packed;
};

static void note(void *user, const tsr_event *event)
{
    struct log *log = user;
    struct span span = {event->executed, event->completed};
    if (event->kind == TSR_EVENT_INSTRUCTION && event->unit == TSR_UNIT_UNPACKER1)
        log->unpacked = span;
    if (event->kind == TSR_EVENT_INSTRUCTION && event->unit == TSR_UNIT_PACKER)
        log->packed = span;
}

// 4096 bytes to SrcB, and 256 datums of 16 bits by the packers of `pacr`, at the same time.
static struct log together_at(int arch, const char *pacr, uint32_t throttle)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    struct log log = {{0, 0}, {0, 0}};
    uint8_t zeroes[4 * DATUMS + 16] = {0};
    assert_int_equal(tsr_l1_write(tile, L1_TILE, zeroes, sizeof zeroes), TSR_OK);
    pack_formats(tile, INT16, INT16, false);
    dst_count(tile, 0);
    pack_datums(tile, 0, arch == WH ? 256 : 16);
    tile_field(tile, 0, FIELD_THCON_SEC1_REG0_TileDescriptor_InDataFormat, FP32);
    tile_field(tile, 0, FIELD_THCON_SEC1_REG0_TileDescriptor_XDim, DATUMS);
    tile_field(tile, 0, FIELD_THCON_SEC1_REG0_TileDescriptor_YDim, 1);
    tile_field(tile, 0, FIELD_THCON_SEC1_REG2_Out_data_format, TF32);
    tile_field(tile, 0, FIELD_THCON_SEC1_REG2_Throttle_mode, throttle);
    tile_field(tile, 0, FIELD_THCON_SEC1_REG2_Disable_zero_compress_cntx0, 1);
    tile_field(tile, 0, FIELD_THCON_SEC1_REG2_Unpack_limit_address, 0x1ffff);
    tile_field(tile, 0, FIELD_THCON_SEC1_REG3_Base_address, L1_TILE / 16);
    if (arch == BH)
        tile_field(tile, 0, FIELD_THCON_SEC1_REG1_ovrd_default_throttle_mode, 1);
    tile_state(tile)->adcs.channel[0][1][1].x = DATUMS - 1; // AddrCntContextId=0
    tsr_tile_observe(tile, note, &log);
    tile_push(tile, 1, "UNPACR Unpack_block_selection=1 OvrdThreadId=1");
    for (int i = 0; i < 10; i++)
        tile_push(tile, 0, "NOP");
    tile_push(tile, 0, pacr);
    tile_idle(tile);
    tsr_tile_destroy(tile);
    return log;
}

static struct log together(int arch, const char *pacr)
{
    return together_at(arch, pacr, 1);
}

static uint64_t length(struct span span)
{
    return span.until - span.from;
}

// 128 cycles at 32 bytes alone. From when packer 1 begins both move at half their speed: 512 bytes
// at 8 a cycle take 64 cycles, in which the unpacker moves 64 * 16 bytes, 32 cycles' worth.
static void test_packer_1(void **state)
{
    (void)state;
    struct log log = together(WH, "PACR PackSel=2 Last=1");
    assert_true(log.packed.from > log.unpacked.from && log.packed.until < log.unpacked.until);
    assert_int_equal(length(log.packed), 64 + IDLE);
    assert_int_equal(length(log.unpacked), 128 + 32 + IDLE);
}

// Of four packers, packer 1 is the last, and the others wait for nobody.
static void test_all_packers(void **state)
{
    (void)state;
    struct log log = together(WH, "PACR PackSel=15 Last=1");
    assert_int_equal(length(log.packed), 64 + IDLE);
    assert_int_equal(length(log.unpacked), 128 + 32 + IDLE);
}

// The other packers have ports without unpacker 1, and wait where it reads their bank of L1: at x2
// two of the 16 in a cycle, so that a line takes 18/16 of a cycle. 512 bytes at 14 a cycle.
static void test_others(void **state)
{
    (void)state;
    static const char *const texts[] = {"PACR PackSel=1 Last=1", "PACR PackSel=4 Last=1",
                                        "PACR PackSel=8 Last=1"};
    for (int i = 0; i < 3; i++) {
        struct log log = together(WH, texts[i]);
        assert_int_equal(length(log.packed), 37 + IDLE);
        assert_int_equal(length(log.unpacked), 128);
    }
}

// The more banks are read, the longer: 15, 14 and 13 bytes a cycle.
static void test_banks(void **state)
{
    (void)state;
    static const uint64_t cycles[] = {35, 37, 40};
    for (uint32_t mode = 0; mode < 3; mode++) {
        struct log log = together_at(WH, "PACR PackSel=1 Last=1", mode);
        assert_true(log.packed.until < log.unpacked.until);
        assert_int_equal(length(log.packed), cycles[mode] + IDLE);
    }
}

// ---------------------------------------------------------------- the mover

// 1024 bytes from L1 to L1 take 64 * 11 / 8 = 88 cycles alone; or zeroes, 64. Thread 1's XMOV
// begins before thread 0's PACR. Returns the cycles in which the mover was busy.
static uint64_t beside_mover(int arch, int way, const char *pacr, struct log *log)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    tsr_run_report report;
    fill(tile, FROM, 0x400);
    pack_formats(tile, INT16, INT16, false);
    dst_count(tile, 0);
    pack_datums(tile, 0, 256);
    move_fields(tile, 0, way, TO, FROM, 0x400);
    tsr_tile_observe(tile, note, log);
    tile_push(tile, 1, "XMOV");
    for (int i = 0; i < 10; i++)
        tile_push(tile, 0, "NOP");
    tile_push(tile, 0, pacr);
    tile_idle(tile);
    tsr_get_report(tile, &report);
    tsr_tile_destroy(tile);
    return report.unit_busy[TSR_UNIT_MOVER];
}

// It reads where packer 2 writes, and writes where packer 3 does. While both are at work each has
// half of its speed: the PACR's 64 cycles are 32 of the mover's.
static void test_mover(void **state)
{
    (void)state;
    static const struct {
        const char *pacr;
        int way;
        uint64_t packed, moved;
    } rows[] = {{"PACR PackSel=1 Last=1", L1_TO_L1, 32, 88},
                {"PACR PackSel=2 Last=1", L1_TO_L1, 32, 88},
                {"PACR PackSel=4 Last=1", L1_TO_L1, 64, 88 + 32 + IDLE},
                {"PACR PackSel=8 Last=1", L1_TO_L1, 64, 88 + 32 + IDLE},
                {"PACR PackSel=4 Last=1", ZERO_TO_L1, 32, 64},
                {"PACR PackSel=8 Last=1", ZERO_TO_L1, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct log log = {{0, 0}, {0, 0}};
        uint64_t moved = beside_mover(WH, rows[i].way, rows[i].pacr, &log);
        if (rows[i].packed == 0) { // the mover's 64 cycles end before the PACR's
            assert_true(length(log.packed) > 32 && moved > 64);
            continue;
        }
        if (length(log.packed) != rows[i].packed + IDLE || moved != rows[i].moved)
            fail_msg("row %d: packed in %d cycles, moved in %d", (int)i, (int)length(log.packed),
                     (int)moved);
    }
}

// No limit is known of Blackhole's ports: four read interfaces of 32 bytes, at 32 bytes a cycle
// each.
static void test_blackhole(void **state)
{
    (void)state;
    struct log log = together(BH, "PACR ReadIntfSel=15 Last=1");
    assert_int_equal(length(log.packed), 1);
    assert_int_equal(length(log.unpacked), 128);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packer_1), cmocka_unit_test(test_all_packers),
        cmocka_unit_test(test_others),   cmocka_unit_test(test_banks),
        cmocka_unit_test(test_mover),    cmocka_unit_test(test_blackhole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
