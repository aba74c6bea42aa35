// SPDX-License-Identifier: Apache-2.0
// TDMA-RISC: the mover's command queue, the fields for PACR_SETREG and UNPACR_NOP, and what packers
// report of their tiles. Page: TDMA-RISC.md.
#include "rig/mover_rig.h"
#include "rig/pack_rig.h"

// Its registers for packer `i` and thread `t`.
#define PACKED_SIZE(i, t) (tdma + 0x18 + 0x100u * (i) + 0x40u * (t))
#define ACC_PACKED_SIZE(i, t) (tdma + 0x1c + 0x100u * (i) + 0x40u * (t))
#define FIFO_SIZE(i) (tdma + 0x30 + 0x100u * (i))
#define FIFO_ZEROMASK(i) (tdma + 0x34 + 0x100u * (i))

enum { COMMAND = 0x10, STATUS = 0x14, BASE = 0x2c };

static void parameters(tsr_tile *tile, int core, uint32_t p0, uint32_t p1, uint32_t p2, uint32_t p3)
{
    const uint32_t p[4] = {p0, p1, p2, p3};
    for (uint32_t i = 0; i < 4; i++)
        put(tile, core, tdma + 4 * i, p[i]);
}

// ---------------------------------------------------------------- commands

// Command 0x40 with parameters: source, target and size in units of 16 bytes, direction.
static void test_move_command(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_STRICT);
        fill(tile, FROM, 0x100);
        fill(tile, TO + 0x200, 0x20);
        parameters(tile, TSR_CORE_B, FROM / 16, TO / 16, 0x70008, 0xfffffff3u);
        put(tile, TSR_CORE_B, tdma + COMMAND, 0x40);
        parameters(tile, TSR_CORE_B, 0, (TO + 0x200) / 16, 2, ZERO_TO_L1);
        put(tile, TSR_CORE_B, tdma + COMMAND, 0x7fffff40u);
        tile_idle(tile);
        assert_true(same(tile, FROM, TO, 0x80));
        assert_false(tile_state(tile)->l1.written[(TO + 0x80) / 16]);
        assert_int_equal(tile_l1(tile, TO + 0x200) | tile_l1(tile, TO + 0x21c), 0);
        // 11 cycles and 2, the second from the cycle in which the first ends.
        assert_int_equal(tsr_cycle(tile), timing ? 13 : 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_move_command)

// Compact: bits 15:8 are added to the queuing core's base, 23:16 the target, 29:24 the size, bit 30
// the direction. 0x81124340: base 0x1000 + 0x43 = 0x1043 -> source 0x10430, target 0x120, 16 bytes,
// to configuration. 0xc5ff0140: source (0x1000 + 1) << 4, target 0xff0, 5 * 16 bytes, L1 to L1.
static void test_compact_command(int arch)
{
    static const int cores[] = {TSR_CORE_B, TSR_CORE_T0, TSR_CORE_T1, TSR_CORE_T2};
    for (int i = 0; i < 4; i++) {
        tsr_tile *tile = tile_default(arch);
        fill(tile, FROM, 0x500);
        put(tile, cores[i], tdma + BASE, FROM / 16);
        assert_int_equal(get(tile, cores[i], tdma + BASE), FROM / 16);
        assert_int_equal(get(tile, cores[(i + 1) % 4], tdma + BASE), 0);
        put(tile, cores[i], tdma + COMMAND, 0x81124340u);
        put(tile, cores[i], tdma + COMMAND, 0xc5ff0140u);
        tile_idle(tile);
        assert_int_equal(tile_state(tile)->config.bank[0][72], tile_l1(tile, FROM + 0x430));
        assert_int_equal(tile_state(tile)->config.bank[0][75], tile_l1(tile, FROM + 0x43c));
        assert_true(same(tile, FROM + 0x10, 0xff0, 0x50));
        assert_false(tile_state(tile)->l1.written[0x1040 / 16]);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_compact_command)

// Core NC, which Wormhole lets in, shares T0's base.
static void test_base_of_nc(void **state)
{
    (void)state;
    tsr_tile *tile = tile_default(WH);
    put(tile, TSR_CORE_NC, tdma + BASE, 0x1234);
    assert_int_equal(get(tile, TSR_CORE_T0, tdma + BASE), 0x1234);
    assert_int_equal(get(tile, TSR_CORE_T1, tdma + BASE), 0);
    tsr_tile_destroy(tile);
}

// 0x66: 32 bits (0x666 lacks bit 8), or 64 with it (0x766); parameter 1 is not used.
static void test_write_command(int arch)
{
    tsr_tile *tile = tile_default(arch);
    parameters(tile, TSR_CORE_T1, 0x3004, 99, 0x44332211, 0x88776655);
    put(tile, TSR_CORE_T1, tdma + COMMAND, 0x666);
    parameters(tile, TSR_CORE_T1, 0x3010, 99, 0xddccbbaa, 0x0ff0ee00);
    put(tile, TSR_CORE_T1, tdma + COMMAND, 0x766);
    tile_idle(tile);
    assert_int_equal(tile_l1(tile, 0x3004), 0x44332211);
    assert_int_equal(tile_state(tile)->l1.written[0x300], 0x00f0);
    assert_int_equal(tile_l1(tile, 0x3010), 0xddccbbaa);
    assert_int_equal(tile_l1(tile, 0x3014), 0x0ff0ee00);
    assert_int_equal(tile_state(tile)->l1.written[0x301], 0x00ff);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_write_command)

// Bit 0 mover busy, 2 queue full, 3 empty, 4 both parameter sets in use, 5 none, 15:8 room.
static void test_queue(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    fill(tile, FROM, 0x100);
    assert_int_equal(get(tile, TSR_CORE_B, tdma + STATUS), 0x428);
    parameters(tile, TSR_CORE_B, FROM / 16, TO / 16, 16, L1_TO_L1);
    put(tile, TSR_CORE_B, tdma + COMMAND, 0x40);
    assert_int_equal(get(tile, TSR_CORE_B, tdma + STATUS), 0x300);
    put(tile, TSR_CORE_B, tdma + COMMAND, 0x46); // parameters come with it
    assert_int_equal(get(tile, TSR_CORE_B, tdma + STATUS), 0x210);
    put(tile, TSR_CORE_B, tdma + COMMAND, 0x80000089u);
    put(tile, TSR_CORE_B, tdma + COMMAND, 0x80000089u);
    assert_int_equal(get(tile, TSR_CORE_B, tdma + STATUS), 0x014);
    assert_int_equal(tsr_store(tile, TSR_CORE_B, tdma + COMMAND, 0x80000089u, 4), TSR_BUSY);
    assert_true(tsr_step(tile)); // the move begins
    assert_int_equal(get(tile, TSR_CORE_B, tdma + STATUS), 0x101);
    while (tile_state(tile)->mover.busy) {
        assert_int_equal(get(tile, TSR_CORE_B, tdma + STATUS), 0x101); // 0x46 waits
        assert_true(tsr_step(tile));
    }
    tile_idle(tile);
    assert_int_equal(get(tile, TSR_CORE_B, tdma + STATUS), 0x428);
    assert_int_equal(get(tile, TSR_CORE_B, tdma + COMMAND), 0);
    assert_int_equal(get(tile, TSR_CORE_B, tdma), 0); // parameters cannot be read
    // 22 cycles from cycle 0; the wait passes at 22, the NOPs at 23 and 24.
    assert_int_equal(tsr_cycle(tile), 24);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_queue)

static void assert_refused(int arch, const char *code, uint32_t p0, uint32_t command)
{
    tsr_tile *tile = tile_default(arch);
    parameters(tile, TSR_CORE_T2, p0, 0, 5, 6);
    put(tile, TSR_CORE_T2, tdma + COMMAND, command);
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_int_equal(tile_found(tile, code)->core, TSR_CORE_T2);
    tsr_tile_reset(tile);
    tsr_tile_set_policy(tile, code, TSR_ACTION_RECORD);
    parameters(tile, TSR_CORE_T2, p0, 0, 5, 6);
    put(tile, TSR_CORE_T2, tdma + COMMAND, command);
    tile_idle(tile);
    assert_non_null(tile_found(tile, code));
    assert_int_equal(get(tile, TSR_CORE_B, tdma + STATUS), 0x428); // it is gone
    bool aligned = p0 % 4 == 0;
    assert_int_equal(tile_state(tile)->l1.written[0x300], aligned ? 0 : 0x000f);
    tsr_tile_destroy(tile);
}

static void test_undefined_commands(int arch)
{
    uint32_t end = (uint32_t)tsr_l1_size((tsr_arch)arch);
    assert_refused(arch, "tdma-command", 0x3000, 0x41);
    assert_refused(arch, "tdma-command", 0x3000, 0x80000000u);
    assert_refused(arch, "tdma-command", 0x3000, 0x80000666u);
    assert_refused(arch, "tdma-command", 0x3000, 0x466);
    assert_refused(arch, "tdma-command", 0x3002, 0x666);
    assert_refused(arch, "l1-out-of-range", end, 0x666);
    assert_refused(arch, "l1-out-of-range", end - 4, 0x766);
}
TILE_BOTH(test_undefined_commands)

static void test_credits(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tsr_tile_set_policy(tile, "tdma-command", TSR_ACTION_RECORD);
    parameters(tile, TSR_CORE_B, 0x3000, 0, 7, 0);
    put(tile, TSR_CORE_B, tdma + COMMAND, 0x666);
    put(tile, TSR_CORE_B, tdma + COMMAND, 0x666);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    put(tile, TSR_CORE_B, tdma + COMMAND, 0x666);
    assert_non_null(tile_found(tile, "tdma-command"));
    assert_int_equal(tile_state(tile)->tdma.count, 2);
    put(tile, TSR_CORE_B, tdma + COMMAND, 0x80000089u); // compact ones need none
    assert_int_equal(tile_state(tile)->tdma.count, 3);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_credits)

static void test_reset(int arch)
{
    tsr_tile *tile = tile_default(arch);
    parameters(tile, TSR_CORE_B, 0x3000, 0, 7, 0);
    put(tile, TSR_CORE_B, tdma + COMMAND, 0x666);
    put(tile, TSR_CORE_B, debug_regs + 0x1b0, 1u << 8);
    assert_int_equal(get(tile, TSR_CORE_B, tdma + STATUS), 0x428);
    assert_int_equal(tile_state(tile)->tdma.parameter[0], 0);
    put(tile, TSR_CORE_B, tdma + COMMAND, 0x80000089u); // discarded
    put(tile, TSR_CORE_B, tdma, 5);
    assert_int_equal(tile_state(tile)->tdma.parameter[0], 0);
    put(tile, TSR_CORE_B, debug_regs + 0x1b0, 0);
    tile_idle(tile);
    assert_false(tile_state(tile)->l1.written[0x300]);
    put(tile, TSR_CORE_B, tdma, 5);
    assert_int_equal(tile_state(tile)->tdma.parameter[0], 5);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_reset)

// ---------------------------------------------------------------- PACR_SETREG and UNPACR_NOP

static void test_set_register_fields(int arch)
{
    tsr_tile *tile = tile_default(arch);
    const struct tsr_tdma *fields = &tile_state(tile)->tdma;
    put(tile, TSR_CORE_T2, tdma + 0x24, 0xffffffff);
    assert_int_equal(get(tile, TSR_CORE_T2, tdma + 0x24), 0xffffff7f);
    put(tile, TSR_CORE_T2, tdma + 0x28, 0xffffffff);
    assert_int_equal(get(tile, TSR_CORE_T2, tdma + 0x28), 0x01ff007f);
    assert_int_equal(fields->pack_scaler[3], 0x1ff);
    assert_int_equal(fields->pack_scaler[0], 0);
    put(tile, TSR_CORE_T2, tdma + 0x3c, 0x101u | 0x0abu << 9 | 0x155u << 18 | 1u << 27);
    assert_int_equal(fields->pack_scaler[0], 0x101);
    assert_int_equal(fields->pack_scaler[1], 0x0ab);
    assert_int_equal(fields->pack_scaler[2], 0x155);
    assert_int_equal(fields->pack_scaler[3], 0x1ff);
    assert_int_equal(get(tile, TSR_CORE_T2, tdma + 0x13c), 0x101u | 0x0abu << 9 | 0x155u << 18);
    // Ten bits each of the middle, two each of the top: (2 << 18) + (0x3ff << 2), (1 << 18) + 4.
    put(tile, TSR_CORE_T2, tdma + 0x38, 0x3ffu | 1u << 10 | 2u << 20 | 1u << 22);
    assert_int_equal(fields->pack_register_base[0], 0x80ffc);
    assert_int_equal(fields->pack_register_base[1], 0x40004);
    // All FIFOs are empty; the raw value stands above them.
    assert_int_equal(get(tile, TSR_CORE_T2, tdma + 0x38),
                     (0x3ffu | 1u << 10 | 2u << 20 | 1u << 22) << 8 | 0x55);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_set_register_fields)

// Bits 30:27 of the scalers: packers that work for `thread`.
static uint32_t at_work(int arch, int thread, const char *word)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_SILICON, INT16, INT16, false);
    tile_env(tile)->timing = true;
    dst_count(tile, 0);
    tile_push(tile, thread, word);
    while (tile_state(tile)->queues.of[TSR_UNIT_PACKER].count == 0)
        assert_true(tsr_step(tile));
    uint32_t value = get(tile, TSR_CORE_B, tdma + 0x3c);
    tile_idle(tile);
    assert_int_equal(get(tile, TSR_CORE_B, tdma + 0x3c), 0);
    tsr_tile_destroy(tile);
    return value;
}

// Of thread 2 alone, and each packer for itself: no set means packer 0.
static void test_packers_at_work(int arch)
{
    assert_int_equal(at_work(arch, 2, "PACR Last=1"), 0x08000000);
    assert_int_equal(at_work(arch, 1, "PACR Last=1"), 0);
    if (arch != WH)
        return;
    assert_int_equal(at_work(arch, 2, "PACR PackSel=12 Last=1"), 0x60000000);
    assert_int_equal(at_work(arch, 2, "PACR PackSel=15 Last=1"), 0x78000000);
}
TILE_BOTH(test_packers_at_work)

// ---------------------------------------------------------------- sizes of tiles

// INT16 datums of two bytes: n * 16 datums are n * 2 lines of 16 bytes. Tiles of 2 and 6 lines.
static void test_sizes(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, INT16, INT16, false);
    dst_count(tile, 0);
    pack_one(tile, "Last=1");
    assert_int_equal(get(tile, TSR_CORE_B, PACKED_SIZE(0, 0)), 2);
    assert_int_equal(get(tile, TSR_CORE_B, ACC_PACKED_SIZE(0, 0)), 2);
    pack_one(tile, ""); // a tile of three PACRs
    pack_one(tile, "");
    assert_int_equal(get(tile, TSR_CORE_B, PACKED_SIZE(0, 0)), 2); // not finished
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Add_tile_header_size, 1);
    pack_one(tile, "Last=1");
    assert_int_equal(get(tile, TSR_CORE_B, PACKED_SIZE(0, 0)), 6);
    assert_int_equal(get(tile, TSR_CORE_B, ACC_PACKED_SIZE(0, 0)), 2 + 6 + 1);
    assert_int_equal(get(tile, TSR_CORE_B, PACKED_SIZE(0, 1)), 0); // another thread
    assert_int_equal(get(tile, TSR_CORE_B, ACC_PACKED_SIZE(0, 1)), 0);
    assert_int_equal(get(tile, TSR_CORE_B, PACKED_SIZE(1, 0)), 0); // another packer
    pack_one(tile, "Flush=1");                                     // ends no tile
    assert_int_equal(get(tile, TSR_CORE_B, ACC_PACKED_SIZE(0, 0)), 9);
    // Bits 19:16 choose packers; their sums start over, and bits 15:0 are their offset.
    put(tile, TSR_CORE_B, ACC_PACKED_SIZE(0, 0), 0x00021234);
    assert_int_equal(get(tile, TSR_CORE_B, ACC_PACKED_SIZE(0, 0)), 9);
    assert_int_equal(tile_state(tile)->packers.packer[1].l1_dest_offset, 0x1234);
    put(tile, TSR_CORE_B, ACC_PACKED_SIZE(3, 2), 0x00010100);
    assert_int_equal(get(tile, TSR_CORE_B, ACC_PACKED_SIZE(0, 0)), 0);
    assert_int_equal(get(tile, TSR_CORE_B, PACKED_SIZE(0, 0)), 6);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_sizes)

// The offset moves a PACR's output, in lines, where the configuration lets it.
static void test_offset(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, INT16, INT16, false);
    dst_count(tile, 5);
    put(tile, TSR_CORE_T2, ACC_PACKED_SIZE(0, 0), 0x00010040);
    pack_one(tile, "Last=1");
    assert_false(was_written(tile, OUT + 0x400, 16));
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Add_l1_dest_addr_offset, 1);
    pack_one(tile, "Last=1");
    assert_true(was_written(tile, OUT + 0x400, 16));
    assert_int_equal(out_at(tile, OUT + 0x400, 2), 5);
    put(tile, TSR_CORE_B, debug_regs + 0x1b0, 1u << 2); // leaving soft reset takes it back
    assert_int_equal(tile_state(tile)->packers.packer[0].l1_dest_offset, 0x40);
    put(tile, TSR_CORE_B, debug_regs + 0x1b0, 0);
    assert_int_equal(tile_state(tile)->packers.packer[0].l1_dest_offset, 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_offset)

// Exponents of block formats are lines of the tile too: 16 blocks of BFP8 are 256 bytes and 16,
// by one PACR or by 16 of them.
static void test_block_size(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_SILICON, BF16, BFP8, false);
    dst_count(tile, 0);
    pack_datums(tile, 0, arch == WH ? 256 : 16);
    for (int i = 0; i < 15 && arch == BH; i++)
        pack_one(tile, "");
    pack_one(tile, "Last=1");
    assert_int_equal(get(tile, TSR_CORE_B, PACKED_SIZE(0, 0)), 16 + 1);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_block_size)

// Decision 27: four entries a packer; a full FIFO takes no more.
static void test_metadata(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, INT16, INT16, false);
    uint32_t value;
    dst_count(tile, 0);
    pack_one(tile, "Last=1"); // not asked for
    assert_int_equal(get(tile, TSR_CORE_B, tdma + 0x38), 0x55);
    assert_int_equal(tsr_load(tile, TSR_CORE_B, FIFO_SIZE(0), &value, 4), TSR_BUSY);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Enable_out_fifo, 1);
    for (uint32_t i = 1; i <= 5; i++) {
        pack_datums(tile, 0, arch == WH ? 16 * i : 16);
        pack_one(tile, "Last=1");
        assert_int_equal(get(tile, TSR_CORE_B, tdma + 0x38), i < 4 ? 0x54 : 0x56);
    }
    for (uint32_t i = 1; i <= 4; i++) {
        assert_int_equal(get(tile, TSR_CORE_T2, FIFO_SIZE(0)), arch == WH ? 2 * i : 2);
        if (i % 2)
            assert_int_equal(get(tile, TSR_CORE_T2, FIFO_ZEROMASK(0)), 0);
        else
            put(tile, TSR_CORE_T2, FIFO_ZEROMASK(0), 1);
    }
    assert_int_equal(get(tile, TSR_CORE_B, tdma + 0x38), 0x55);
    assert_int_equal(get(tile, TSR_CORE_B, tdma + 0x20), 0); // AllZeroFlags: no compression
    assert_int_equal(tsr_load(tile, TSR_CORE_T0, FIFO_ZEROMASK(0), &value, 4), TSR_STOPPED);
    assert_int_equal(tile_found(tile, "metadata-fifo-empty")->core, TSR_CORE_T0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_metadata)

static void test_packer_reset(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, INT16, INT16, false);
    dst_count(tile, 0);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Enable_out_fifo, 1);
    pack_one(tile, "Last=1");
    pack_datums(tile, 0, 4);
    pack_one(tile, ""); // half a line waits in the buffer
    assert_int_equal(tile_state(tile)->packers.packer[0].data.filled, 8);
    put(tile, TSR_CORE_B, debug_regs + 0x1b0, 0xfu << 2);
    assert_int_equal(tile_state(tile)->packers.packer[0].data.filled, 0);
    assert_int_equal(get(tile, TSR_CORE_B, PACKED_SIZE(0, 0)), 0);
    assert_int_equal(get(tile, TSR_CORE_B, ACC_PACKED_SIZE(0, 0)), 0);
    assert_int_equal(get(tile, TSR_CORE_B, tdma + 0x38), 0x55);
    tile_push(tile, 0, arch == WH ? "PACR PackSel=1 Last=1" : "PACR ReadIntfSel=1 Last=1");
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
    tsr_wait wait;
    assert_int_equal(tsr_waits(tile, &wait, 1), 1);
    assert_non_null(strstr(wait.what, "held in soft reset"));
    put(tile, TSR_CORE_B, debug_regs + 0x1b0, 0);
    tile_idle(tile);
    assert_int_equal(get(tile, TSR_CORE_B, PACKED_SIZE(0, 0)), 1);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_packer_reset)

// ---------------------------------------------------------------- the rest of the map

static void test_holes(int arch)
{
    static const uint32_t holes[] = {0x040, 0x054, 0x0d8, 0x110, 0x124, 0x138, 0x23c, 0x400, 0xffc};
    tsr_tile *tile = tile_default(arch);
    uint32_t value;
    for (size_t i = 0; i < sizeof holes / sizeof *holes; i++) {
        assert_int_equal(tsr_load(tile, TSR_CORE_T1, tdma + holes[i], &value, 4), TSR_STOPPED);
        assert_non_null(tile_found(tile, "unimplemented-mode"));
        tsr_tile_reset(tile);
    }
    put(tile, TSR_CORE_B, tdma + STATUS, 0xffffffff); // no effect
    put(tile, TSR_CORE_B, PACKED_SIZE(0, 0), 0xffffffff);
    assert_int_equal(get(tile, TSR_CORE_B, tdma + STATUS), 0x428);
    assert_int_equal(tsr_load(tile, TSR_CORE_B, tdma + STATUS + 1, &value, 1), TSR_OK);
    assert_int_equal(value, 4);
    assert_int_equal(tsr_load(tile, TSR_CORE_B, tdma + STATUS, &value, 2), TSR_OK);
    assert_int_equal(value, 0x428);
    assert_int_equal(tsr_store(tile, TSR_CORE_B, tdma, 1, 1), TSR_STOPPED);
    tsr_tile_reset(tile);
    // Blackhole keeps core NC out.
    assert_int_equal(tsr_load(tile, TSR_CORE_NC, tdma + STATUS, &value, 4),
                     arch == WH ? TSR_OK : TSR_STOPPED);
    assert_int_equal(tile_found(tile, "unmapped-address") != NULL, arch == BH);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_holes)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_move_command),
        TILE_TEST(test_compact_command),
        cmocka_unit_test(test_base_of_nc),
        TILE_TEST(test_write_command),
        TILE_TEST(test_queue),
        TILE_TEST(test_undefined_commands),
        TILE_TEST(test_credits),
        TILE_TEST(test_reset),
        TILE_TEST(test_set_register_fields),
        TILE_TEST(test_packers_at_work),
        TILE_TEST(test_sizes),
        TILE_TEST(test_offset),
        TILE_TEST(test_block_size),
        TILE_TEST(test_metadata),
        TILE_TEST(test_packer_reset),
        TILE_TEST(test_holes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
