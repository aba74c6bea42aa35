// SPDX-License-Identifier: Apache-2.0
// Streams of the NoC overlay as registers: widths, what a store does beside, which stream has what,
// for the tile itself and over the NoC, and for an instruction. Page: NoC/Overlay/AsGeneralUse.md.
#include "rig/noc_rig.h"
#include "rig/tile_rig.h"

static uint32_t stream(unsigned id, int arch, unsigned wh, unsigned bh)
{
    return 0xffb40000u + id * 0x1000 + 4 * (arch == WH ? wh : bh);
}

static void test_widths(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0);
    const struct {
        unsigned wh, bh;
        uint32_t first, other; // what of all ones stays in streams 0 and 63
    } of[] = {{7, 18, 0x1ffff, 0x1ffff}, {244, 28, 0xfffff, 0xfffff}, {48, 224, 0xffffff, 0},
              {14, 25, 0x3f, 0},         {40, 6, 0xf, 0xf},           {242, 9, 0x7fff, 0},
              {2, 7, 0x3ffff, 0x3ffff},  {0, 4, 0xffffff, 0xffffff},  {250, 38, 0xffffff, 0},
              {18, 259, 0, 0},           {17, 33, 0x3fff, 0}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        poke(chip, a, stream(0, arch, of[i].wh, of[i].bh), 0xffffffff);
        poke(chip, a, stream(63, arch, of[i].wh, of[i].bh), 0xffffffff);
        assert_int_equal(peek(chip, a, stream(0, arch, of[i].wh, of[i].bh)), of[i].first);
        assert_int_equal(peek(chip, a, stream(63, arch, of[i].wh, of[i].bh)), of[i].other);
    }
    assert_int_equal(peek(chip, a, stream(9, arch, 35, 257)), 1); // waits for software
    tsr_chip_destroy(chip);
}

// Credits: a size sets them, updates add to one of them.
static void test_space(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0);
    uint32_t update = stream(2, arch, 34, 270), space = stream(2, arch, 64, 297);
    uint32_t status = stream(2, arch, 226, 503);
    enum { READ_COMPLETE_HAS_ROOM = 1, ALL_HAVE_SPACE = 8 };
    assert_int_equal(peek(chip, a, status), READ_COMPLETE_HAS_ROOM); // in no phase either
    poke(chip, a, stream(2, arch, 4, 10), 100);
    poke(chip, a, update, 7 << 6 | 5);
    poke(chip, a, update, (0x1ffff - 99) << 6 | 31);
    assert_int_equal(peek(chip, a, space), 100);
    assert_int_equal(peek(chip, a, space + 4 * 5), 107);
    assert_int_equal(peek(chip, a, space + 4 * 31), 0);
    assert_int_equal(peek(chip, a, status) & ALL_HAVE_SPACE, 0);
    poke(chip, a, update, 1 << 6 | 31);
    assert_int_equal(peek(chip, a, status), READ_COMPLETE_HAS_ROOM | ALL_HAVE_SPACE);
    uint32_t other = stream(20, arch, 64, 297);
    poke(chip, a, stream(20, arch, 34, 270), 3 << 6);
    assert_int_equal(peek(chip, a, other), 3);
    tsr_chip_destroy(chip);
}

// Ethernet tiles have 32 streams to gather from.
static void test_ethernet_masks(int arch)
{
    static const uint32_t wide[][2] = {{0xffffff, 0xffffff}, {0xffffff, 0xff}, {0xffff, 0}};
    tsr_chip *chip = chip_with(arch, false);
    struct place tile[] = {tensix(chip, 0, 0), {1, arch == WH ? 0 : 1}};
    for (unsigned t = 0; t < 2; t++)
        for (unsigned i = 0; i < 3; i++) {
            uint32_t at = stream(1, arch, 48 + i, 224 + i);
            poke(chip, tile[t], at, 0xffffffff);
            assert_int_equal(peek(chip, tile[t], at), wide[i][t]);
        }
    tsr_chip_destroy(chip);
}

static void test_side_effects(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0);
    uint32_t read = stream(4, arch, 24, 19), write = stream(4, arch, 25, 20);
    poke(chip, a, write, 9);
    poke(chip, a, stream(4, arch, 6, 17), 1000);
    assert_int_equal(peek(chip, a, write), 0);
    poke(chip, a, read, 20);
    assert_int_equal(peek(chip, a, stream(4, arch, 19, 262)), 1020);
    uint32_t phase = stream(4, arch, 11, 29), header = stream(4, arch, 36, 34);
    poke(chip, a, phase, 5);
    poke(chip, a, header, 0x12345000 | 3);
    assert_int_equal(peek(chip, a, phase), 8);
    assert_int_equal(peek(chip, a, header) >> 12, 0x12345);
    poke(chip, a, stream(4, arch, 244, 28), 2);
    assert_int_equal(peek(chip, a, phase), 6);
    uint32_t info = stream(4, arch, 8, 22), can = stream(4, arch, 41, 275);
    assert_int_equal(peek(chip, a, can), 1);
    poke(chip, a, info, 5);
    assert_int_equal(peek(chip, a, can), 0);
    poke(chip, a, stream(4, arch, 26, 23), 5);
    assert_int_equal(peek(chip, a, can), 1);
    tsr_chip_destroy(chip);
}

// The one memory where a plain write over the NoC adds.
static void test_over_the_noc(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 5, 5);
    for (int i = 0; i < 3; i++) {
        struct request request =
            inline_request(chip, i & 1, b, stream(12, arch, 34, 270), 2 << 6, 0xf);
        issue(chip, a, &request);
    }
    settle(chip);
    assert_int_equal(peek(chip, b, stream(12, arch, 64, 297)), 6);
    assert_int_equal(all_findings(chip, a), 0);
    tsr_chip_destroy(chip);
}

static void test_missing(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0);
    uint32_t value = 1;
    assert_int_not_equal(tsr_chip_write(chip, a.x, a.y, stream(0, arch, 31, 271), &value, 4),
                         TSR_OK); // resets a stream
    assert_int_equal(findings(chip, a, "unimplemented-mode"), 1);
    tsr_chip_destroy(chip);
}

// STREAMWRCFG moves a register into the configuration.
static void test_instruction(void **state)
{
    (void)state;
    tsr_chip *chip = chip_with(BH, false);
    struct place a = tensix(chip, 0, 0);
    tsr_tile *tile = NULL;
    assert_int_equal(tsr_chip_tile(chip, a.x, a.y, &tile), TSR_OK);
    tile_field(tile, 1, FIELD_STREAM_ID_SYNC_SEC2_BankSel, 33);
    poke(chip, a, stream(33, BH, 7, 18), 0x1234);
    tile_push(tile, 1, "STREAMWRCFG CfgReg=76 StreamRegAddr=18 stream_id_sel=2");
    tsr_chip_clock(chip, WINDOW);
    assert_int_equal(tile_state(tile)->config.bank[0][76], 0x1234);
    assert_int_equal(all_findings(chip, a), 0);
    tsr_chip_destroy(chip);
}

// A stream from and to software, with a message of 5 words that was taken.
static void begin_stream(tsr_chip *chip, struct place a, int arch, unsigned id)
{
    poke(chip, a, stream(id, arch, 10, 3), 1 << 4 | 1 << 6);
    poke(chip, a, stream(id, arch, 11, 29), 6);
    poke(chip, a, stream(id, arch, 36, 34), 3 << 12);
    poke(chip, a, stream(id, arch, 7, 18), 100);
    poke(chip, a, stream(id, arch, 27, 267), 1);
}

static void push_message(tsr_chip *chip, struct place a, int arch, unsigned id)
{
    poke(chip, a, stream(id, arch, 29, 0), 0x400 | 5 << 17);
}

// STREAMWAIT waits for a stream's phase (C0) or messages (C1), and says so.
static void stream_wait(bool timing)
{
    enum { ID = 21 };
    tsr_chip *chip = chip_with(BH, timing);
    struct place a = tensix(chip, 0, 0);
    tsr_tile *tile = NULL;
    tsr_wait wait;
    assert_int_equal(tsr_chip_tile(chip, a.x, a.y, &tile), TSR_OK);
    tile_field(tile, 0, FIELD_STREAM_ID_SYNC_SEC3_BankSel, ID);
    tile_push(tile, 0, "STREAMWAIT target_sel=0 target_value=6 wait_stream_sel=3 stall_res=0x1ff");
    tile_push(tile, 0, "SETDMAREG Payload_SigSel=1 RegIndex16b=2");
    tile_push(tile, 0, "STREAMWAIT target_sel=1 target_value=2 wait_stream_sel=3 stall_res=0x1ff");
    tile_push(tile, 0, "SETDMAREG Payload_SigSel=2 RegIndex16b=2");
    tsr_chip_clock(chip, 20 * WINDOW);
    assert_int_equal(tsr_waits(tile, &wait, 1), 1);
    assert_non_null(strstr(wait.what, "the phase of stream 21 of the NoC overlay, 0 now, to come "
                                      "to 6"));
    begin_stream(chip, a, BH, ID);
    tsr_chip_clock(chip, 20 * WINDOW);
    assert_int_equal(tile_state(tile)->gprs.value[0][1] & 0xffff, 1);
    push_message(chip, a, BH, ID);
    tsr_chip_clock(chip, 20 * WINDOW);
    assert_int_equal(tsr_waits(tile, &wait, 1), 1);
    assert_non_null(strstr(wait.what, "the messages received of stream 21 of the NoC overlay, 1 "
                                      "now, to come to 2"));
    push_message(chip, a, BH, ID);
    tsr_chip_clock(chip, 20 * WINDOW);
    assert_int_equal(tile_state(tile)->gprs.value[0][1] & 0xffff, 2);
    assert_int_equal(all_findings(chip, a), 0);
    tsr_chip_destroy(chip);
}

// The page latches StreamSelect: a wait goes on with the stream that it means by then.
static void stream_changes(bool timing)
{
    enum { FIRST = 21, SECOND = 22 };
    tsr_chip *chip = chip_with(BH, timing);
    struct place a = tensix(chip, 0, 0);
    tsr_tile *tile = NULL;
    tsr_wait wait;
    assert_int_equal(tsr_chip_tile(chip, a.x, a.y, &tile), TSR_OK);
    begin_stream(chip, a, BH, SECOND); // its phase is 6
    tile_field(tile, 0, FIELD_STREAM_ID_SYNC_SEC1_BankSel, FIRST);
    tile_push(tile, 0, "STREAMWAIT target_value=6 wait_stream_sel=1 stall_res=0x20"); // B5
    tile_push(tile, 0, "SETDMAREG Payload_SigSel=1 RegIndex16b=2");
    tsr_chip_clock(chip, 20 * WINDOW);
    assert_int_equal(tsr_waits(tile, &wait, 1), 1);
    assert_non_null(strstr(wait.what, "the phase of stream 21 of the NoC overlay, 0 now"));
    tsr_chip_destroy(chip);
    chip = chip_with(BH, timing);
    assert_int_equal(tsr_chip_tile(chip, a.x, a.y, &tile), TSR_OK);
    begin_stream(chip, a, BH, SECOND);
    tile_field(tile, 0, FIELD_STREAM_ID_SYNC_SEC1_BankSel, FIRST);
    tile_push(tile, 0, "STREAMWAIT target_value=6 wait_stream_sel=1 stall_res=0x20");
    tile_push(tile, 0, "SETC16 setc16_reg=60 setc16_value=22"); // which B5 lets pass
    tile_push(tile, 0, "SETDMAREG Payload_SigSel=1 RegIndex16b=2");
    tsr_chip_clock(chip, 20 * WINDOW);
    assert_int_equal(tile_state(tile)->gprs.value[0][1] & 0xffff, 1);
    assert_int_equal(all_findings(chip, a), 0);
    tsr_chip_destroy(chip);
}

static void test_stream_wait(void **state)
{
    (void)state;
    for (int timing = 0; timing < 2; timing++) {
        stream_wait(timing);
        stream_changes(timing);
    }
}

// UNPACR_NOP frees the room of a message that was taken, also where ThreadConfig names the stream.
static void test_clear(int arch)
{
    enum { ID = 33 };
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0);
    tsr_tile *tile = NULL;
    assert_int_equal(tsr_chip_tile(chip, a.x, a.y, &tile), TSR_OK);
    begin_stream(chip, a, arch, ID);
    for (int i = 0; i < 2; i++) {
        push_message(chip, a, arch, ID);
        poke(chip, a, stream(ID, arch, 21, 265), 1);
        assert_int_equal(peek(chip, a, stream(ID, arch, 24, 19)), 5 * i);
        if (arch == WH)
            tile_push(tile, 0, i ? "UNPACR_NOP NoOp=0" : "UNPACR_NOP NoOp=19 Stream_Id=33");
        else
            tile_push(tile, 0,
                      i ? "UNPACR_NOP Unpack_Pop=0"
                        : "UNPACR_NOP Unpack_Pop=3 Msg_Clr_Cnt=1 Stream_Id=33");
        tile_field(tile, 0, FIELD_NOC_OVERLAY_MSG_CLEAR_StreamId_0, ID);
        tsr_chip_clock(chip, 4 * WINDOW);
        assert_int_equal(peek(chip, a, stream(ID, arch, 24, 19)), 5 * (i + 1));
    }
    tsr_chip_destroy(chip);
}

TILE_BOTH(test_widths)
TILE_BOTH(test_space)
TILE_BOTH(test_ethernet_masks)
TILE_BOTH(test_side_effects)
TILE_BOTH(test_over_the_noc)
TILE_BOTH(test_missing)
TILE_BOTH(test_clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_widths),
        TILE_TEST(test_space),
        TILE_TEST(test_ethernet_masks),
        TILE_TEST(test_side_effects),
        TILE_TEST(test_over_the_noc),
        TILE_TEST(test_missing),
        cmocka_unit_test(test_instruction),
        TILE_TEST(test_clear),
        cmocka_unit_test(test_stream_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
