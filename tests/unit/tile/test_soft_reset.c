// SPDX-License-Identifier: Apache-2.0
// RISCV_DEBUG_REG_SOFT_RESET_0: what each bit does when it is set, while it is held, and when it is
// cleared. The mover's bit is in test_mover.c, TDMA-RISC's and the packers' in test_tdma.c.
// Pages: SoftReset.md of each chip.
#include "rig/mover_rig.h"
#include "rig/pack_rig.h"

enum { SOFT_RESET = 0x1b0, UNPACKERS = 0x83 };

static void hold(tsr_tile *tile, uint32_t bits)
{
    put(tile, TSR_CORE_B, debug_regs + SOFT_RESET, bits);
    assert_int_equal(get(tile, TSR_CORE_NC, debug_regs + SOFT_RESET), bits);
}

static tsr_end run(tsr_tile *tile)
{
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    return tsr_run(tile, &limits);
}

// The instruction waits while `bits` are held and goes on after that.
static void assert_waits(int arch, uint32_t bits, const char *text)
{
    tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
    hold(tile, bits);
    tile_push(tile, 0, text);
    assert_int_equal(run(tile), TSR_END_BLOCKED);
    assert_int_equal(tile_state(tile)->frontend[0].sequence, 0);
    tsr_wait wait;
    assert_int_equal(tsr_waits(tile, &wait, 1), 1);
    assert_non_null(strstr(wait.what, "held in soft reset"));
    assert_non_null(strstr(wait.release, "SOFT_RESET_0"));
    hold(tile, 0);
    tsr_end end = run(tile); // what it needs besides may be missing, and is said then
    assert_true(tile_state(tile)->frontend[0].sequence == 1 || end == TSR_END_STOPPED);
    tsr_tile_destroy(tile);
}

static void assert_passes(int arch, uint32_t bits, const char *text)
{
    tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
    hold(tile, bits);
    tile_push(tile, 0, text);
    run(tile);
    assert_int_equal(tile_state(tile)->frontend[0].sequence, 1);
    assert_null(tile_found(tile, "unimplemented-mode"));
    tsr_tile_destroy(tile);
}

static void assert_unbuilt(int arch, uint32_t bits, const char *text)
{
    tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
    hold(tile, bits);
    tile_push(tile, 0, text);
    assert_int_equal(run(tile), TSR_END_STOPPED);
    assert_non_null(strstr(tile_found(tile, "unimplemented-mode")->sentence, "SOFT_RESET_0"));
    assert_int_equal(tile_state(tile)->frontend[0].sequence, 0);
    tsr_tile_destroy(tile);
}

static void test_held_units(int arch)
{
    assert_waits(arch, UNPACKERS, "UNPACR SetDatValid=1");
    assert_waits(arch, 1u << 8, "UNPACR SetDatValid=1"); // glue
    assert_waits(arch, 1u << 8, "PACR Last=1");
    assert_waits(arch, 1u << 8, "SETDMAREG RegIndex16b=1");
    assert_waits(arch, 1u << 8, "XMOV");
    assert_waits(arch, 1u << 2, "PACR Last=1");
    assert_waits(arch, 1u << 10, "SETRWC");
    assert_passes(arch, 1u << 9, "SETDMAREG RegIndex16b=1");
    assert_passes(arch, 1u << 6, "SETDMAREG RegIndex16b=1");
    assert_passes(arch, UNPACKERS, "SETRWC");
    assert_passes(arch, 1u << 8, "SETRWC");
    assert_passes(arch, 1u << 8, "SEMPOST sem_sel=1");
    // A PACR of packer 0 does not care for the others.
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_SILICON, INT16, INT16, false);
    hold(tile, 0xeu << 2);
    pack_one(tile, "Last=1");
    assert_true(was_written(tile, OUT, 32));
    tsr_tile_destroy(tile);
    if (arch == WH)
        assert_waits(arch, 4u << 2, "PACR PackSel=15 Last=1");
}
TILE_BOTH(test_held_units)

static void test_held_storage(int arch)
{
    assert_unbuilt(arch, 1u << 15, "UNPACR SetDatValid=1");
    assert_unbuilt(arch, 1u << 19, "UNPACR SetDatValid=1");
    assert_unbuilt(arch, 1u << 10, "UNPACR SetDatValid=1"); // SrcA, and Dst's way
    assert_unbuilt(arch, 1u << 22, "SETRWC");
    assert_unbuilt(arch, 1u << 16, "SETRWC");
    assert_unbuilt(arch, 1u << 16, "SETDVALID setvalid=2");
    assert_unbuilt(arch, 1u << 17, "PACR Last=1");
    assert_passes(arch, 1u << 16, "SEMPOST sem_sel=1");
}
TILE_BOTH(test_held_storage)

// ELWADD waits for a bank, and is offered again whenever something may have given it one.
static void test_held_storage_is_told_once(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_SILICON);
        tsr_tile_set_policy(tile, "unimplemented", TSR_ACTION_RECORD);
        hold(tile, 1u << 22);
        tile_push(tile, 1, "ELWADD");
        for (int i = 0; i < 5; i++) {
            tile_push(tile, 0, "SEMPOST sem_sel=1");
            run(tile);
        }
        const tsr_diagnostic *found = tile_found(tile, "unimplemented-mode");
        assert_non_null(found);
        assert_int_equal(found->repeats, 0);
        assert_int_equal(tile_state(tile)->frontend[1].sequence, 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_held_storage_is_told_once)

static void test_part_of_unpackers(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tsr_tile_set_policy(tile, "soft-reset-part", TSR_ACTION_RECORD);
    hold(tile, 3);
    assert_non_null(tile_found(tile, "soft-reset-part"));
    tile_push(tile, 0, "SEMPOST sem_sel=1");
    tile_idle(tile);
    tsr_tile_set_policy(tile, "soft-reset-part", TSR_ACTION_STOP);
    tsr_tile_reset(tile);
    assert_int_equal(tsr_store(tile, TSR_CORE_B, debug_regs + SOFT_RESET, 0x80, 4), TSR_STOPPED);
    assert_int_equal(tile_state(tile)->debug.soft_reset, 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_part_of_unpackers)

// What is in flight is forgotten, and its thread is idle. The UNPACR waits for its bank for ever.
static void test_abort(int arch)
{
    tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
    static const enum tsr_field ones[] = {FIELD_THCON_SEC0_REG0_TileDescriptor_IsUncompressed,
                                          FIELD_THCON_SEC0_REG2_Disable_zero_compress_cntx0,
                                          FIELD_SRCA_SET_SetOvrdWithAddr};
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
        tile_field(tile, i < 2 ? 0 : 1, ones[i], 1);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG5_Dest_cntx0_address, 64);
    tile_state(tile)->src[TSR_SRCA].bank[0].matrix_owns = true;
    tile_push(tile, 1, "UNPACR SetDatValid=1");
    assert_int_equal(run(tile), TSR_END_BLOCKED);
    assert_false(tsr_thread_drained(tile, 1));
    hold(tile, UNPACKERS);
    assert_true(tsr_thread_drained(tile, 1));
    tile_idle(tile);
    hold(tile, 0);
    tile_idle(tile);
    assert_false(tile_state(tile)->src[TSR_SRCA].bank[1].matrix_owns);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_abort)

static void test_abort_matrix(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_SILICON);
    for (int side = 0; side < 2; side++)
        tile_state(tile)->src[side].bank[0].matrix_owns = true;
    tile_push(tile, 0, "ELWADD");
    while (tile_state(tile)->queues.of[TSR_UNIT_MATRIX].count == 0)
        assert_true(tsr_step(tile));
    hold(tile, 1u << 10);
    assert_int_equal(tile_state(tile)->queues.of[TSR_UNIT_MATRIX].count, 0);
    assert_int_equal(tile_state(tile)->queues.active, 0);
    assert_true(tsr_thread_drained(tile, 0));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_abort_matrix)

// Wormhole: packer 1 alone cannot leave a PACR that others go on with.
static void test_part_of_a_pacr(void **state)
{
    (void)state;
    for (int all = 0; all < 2; all++) {
        tsr_tile *tile = pack_tile(WH, TSR_PROFILE_SILICON, INT16, INT16, false);
        tile_env(tile)->timing = true;
        pack_datums(tile, 0, 256);
        tile_push(tile, 0, "PACR PackSel=15");
        while (tile_state(tile)->queues.of[TSR_UNIT_PACKER].count == 0)
            assert_true(tsr_step(tile));
        assert_int_equal(
            tsr_store(tile, TSR_CORE_B, debug_regs + SOFT_RESET, (all ? 15u : 2u) << 2, 4),
            all ? TSR_OK : TSR_STOPPED);
        assert_int_equal(tile_found(tile, "unimplemented-mode") != NULL, !all);
        assert_int_equal(tsr_thread_drained(tile, 0), all);
        tsr_tile_destroy(tile);
    }
}

// ---------------------------------------------------------------- storages

static void test_sources(int arch)
{
    tsr_tile *tile = tile_default(arch);
    struct tsr_src *src = tile_state(tile)->src;
    for (int side = 0; side < 2; side++)
        for (int bank = 0; bank < 2; bank++) {
            memset(src[side].bank[bank].datum, 0x11, sizeof src[side].bank[bank].datum);
            memset(src[side].bank[bank].tainted, 0xff, sizeof src[side].bank[bank].tainted);
            src[side].bank[bank].matrix_owns = true;
            src[side].unpacker_bank = src[side].matrix_bank = 1;
        }
    hold(tile, 1u << 20); // columns 4 to 7 of SrcA
    for (int bank = 0; bank < 2; bank++) {
        assert_int_equal(src[0].bank[bank].datum[63][3], 0x11111111);
        assert_int_equal(src[0].bank[bank].datum[63][4] | src[0].bank[bank].datum[0][7], 0);
        assert_int_equal(src[0].bank[bank].datum[63][8], 0x11111111);
        assert_int_equal(src[0].bank[bank].written[5], 0x00f0);
        assert_int_equal(src[0].bank[bank].tainted[5], 0xff0f);
        assert_int_equal(src[1].bank[bank].datum[63][4], 0x11111111);
    }
    hold(tile, 1u << 15); // owners of SrcA
    assert_int_equal(src[0].unpacker_bank | src[0].matrix_bank, 0);
    assert_false(src[0].bank[0].matrix_owns || src[0].bank[1].matrix_owns);
    assert_int_equal(src[0].bank[0].datum[63][3], 0x11111111);
    assert_true(src[1].bank[0].matrix_owns);
    hold(tile, 1u << 16); // SrcB altogether
    assert_int_equal(src[1].unpacker_bank | src[1].matrix_bank, 0);
    assert_false(src[1].bank[0].matrix_owns || src[1].bank[1].matrix_owns);
    assert_int_equal(src[1].bank[0].datum[0][0] | src[1].bank[1].datum[63][15], 0);
    hold(tile, 1u << 10);
    assert_int_equal(src[0].bank[0].datum[0][0] | src[0].bank[1].datum[63][15], 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_sources)

// Bit 10: the vector unit begins anew as it is let go, and both units' PRNGs with it.
static void test_leave_vector(int arch)
{
    tsr_tile *tile = tile_default(arch);
    struct tsr_vector *vector = &tile_state(tile)->vector;
    struct tsr_matrix *matrix = &tile_state(tile)->matrix;
    const struct tsr_vector before = *vector;
    const uint32_t random = matrix->random;
    memset(vector->lreg[3], 0x11, sizeof vector->lreg[3]);
    vector->lreg[11][31] = vector->lreg[16][5] = vector->prng[9] = matrix->random = 1;
    vector->use_flags = ~0u;
    vector->depth[0] = 0xff;
    vector->macro.sequence[1][2] = vector->macro.template_word[3][7] = 1;
    vector->macro.uniform = false;
    tsr_vector_configure_lanes(vector, 6, 0xf << TSR_LANE_ROW_MASK);
    matrix->kept_columns = 1;
    hold(tile, 1u << 10);
    assert_int_equal(vector->lreg[3][31], 0x11111111);
    hold(tile, 0);
    assert_int_equal(vector->lreg[3][0] | vector->lreg[3][31] | vector->lreg[16][5], 0);
    assert_int_equal(vector->lreg[11][31], 0xbf800000);
    assert_int_equal(vector->lreg[15][31], 62);
    assert_int_equal(vector->written[3] & vector->written[11] & ~vector->unclean, ~0u);
    assert_int_equal(vector->enabled, ~0u);
    assert_int_equal(vector->depth[0] | vector->lane_config[6] | matrix->kept_columns, 0);
    assert_memory_equal(&vector->macro, &before.macro, sizeof before.macro);
    assert_memory_equal(vector->prng, before.prng, sizeof before.prng);
    assert_int_equal(matrix->random, random);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_leave_vector)

// Bit 17: rows of Dst get back what ZEROACC hid, and a ZEROACC is dropped.
static void test_dst(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    const char *zeroacc = arch == WH ? "ZEROACC clear_mode=3" : "ZEROACC clear_mode=3";
    tile_do(tile, 0, zeroacc);
    assert_false(tile_state(tile)->dst.valid[7]);
    hold(tile, 1u << 17);
    assert_true(tile_state(tile)->dst.valid[7]);
    tile_do(tile, 0, zeroacc);
    assert_true(tile_state(tile)->dst.valid[7]);
    assert_int_equal(tile_state(tile)->frontend[0].sequence, 2);
    hold(tile, 0);
    tile_do(tile, 0, zeroacc);
    assert_false(tile_state(tile)->dst.valid[7]);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_dst)

// Bit 9: THCON's configuration of both banks, and no writes to it.
static void test_thcon(int arch)
{
    tsr_tile *tile = tile_default(arch);
    const struct tsr_layout *layout = &tile_env(tile)->isa->layout;
    const struct tsr_config *config = &tile_state(tile)->config;
    const unsigned inside[] = {layout->thcon_base, layout->global_base - 1u};
    const unsigned outside[] = {layout->thcon_base - 1u, layout->global_base};
    for (int i = 0; i < 2; i++)
        for (int bank = 0; bank < 2; bank++) {
            tsr_config_write(tile_env(tile), bank, inside[i], 0x77, 0xffffffff);
            tsr_config_write(tile_env(tile), bank, outside[i], 0x77, 0xffffffff);
        }
    hold(tile, 1u << 9);
    for (int i = 0; i < 2; i++)
        for (int bank = 0; bank < 2; bank++) {
            assert_int_equal(config->bank[bank][inside[i]], 0);
            assert_int_equal(config->bank[bank][outside[i]], 0x77);
            tsr_config_write(tile_env(tile), bank, inside[i], 0x88, 0xffffffff);
            assert_int_equal(config->bank[bank][inside[i]], 0);
        }
    for (int i = 0; i < 2; i++) {
        tsr_config_write(tile_env(tile), 0, outside[i], 0x88, 0xffffffff);
        assert_int_equal(config->bank[0][outside[i]], 0x88);
    }
    hold(tile, 0);
    put(tile, TSR_CORE_B, 0xffef0000u + 4 * layout->thcon_base, 0x99);
    assert_int_equal(config->bank[0][layout->thcon_base], 0x99);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_thcon)

// ---------------------------------------------------------------- cores

static void test_cores(int arch)
{
    tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
    struct tsr_state *state = tile_state(tile);
    for (int core = TSR_CORE_B; core <= TSR_CORE_NC; core++) {
        tsr_tile_reset(tile);
        for (int from = TSR_CORE_B; from <= TSR_CORE_T2; from++)
            put(tile, from, 0xffec1000u, 3);
        for (int t = 0; t < TSR_THREADS; t++) {
            put(tile, TSR_CORE_B, 0xffe80000u + 0x10000u * (uint32_t)t, 4);
            assert_int_equal(tsr_push(tile, t, 0x02000000), TSR_OK);
            state->frontend[t].mop.active = true;
        }
        for (int i = TSR_CORE_B; i <= TSR_CORE_NC; i++)
            put(tile, i, 0xffb00000u, 0x1234);
        hold(tile, core == TSR_CORE_NC ? 1u << 18 : 1u << (11 + core));
        for (int from = TSR_CORE_B; from <= TSR_CORE_T2; from++)
            assert_int_equal(state->cores.mailbox[from][1].count, from != core);
        for (int t = 0; t < TSR_THREADS; t++) {
            assert_int_equal(state->frontend[t].before_mop.count, core != TSR_CORE_T0 + t);
            assert_int_equal(state->frontend[t].mop.active, core != TSR_CORE_T0 + t);
            assert_int_equal(state->cores.pc_buffer[t].count, 1);
        }
        hold(tile, 0);
        for (int t = 0; t < TSR_THREADS; t++)
            assert_int_equal(state->cores.pc_buffer[t].count, core != TSR_CORE_T0 + t);
        for (int i = TSR_CORE_B; i <= TSR_CORE_NC; i++) // Blackhole clears the core's data RAM
            assert_int_equal(get(tile, i, 0xffb00000u), arch == BH && i == core ? 0 : 0x1234);
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_cores)

// The words of a T core in reset are lost before the MOP expander only: with timing off, too, all
// that the FIFOs behind it have room for are there.
static void test_words_behind_expander(int arch)
{
    for (int words = 3; words <= 13; words += 10) {
        tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
        const struct tsr_frontend *frontend = &tile_state(tile)->frontend[1];
        for (int i = 0; i < words; i++)
            assert_int_equal(tsr_push(tile, 1, 0x02000000), TSR_OK);
        hold(tile, 1u << 13);
        assert_int_equal(frontend->before_mop.count, 0);
        assert_int_equal(frontend->before_replay.count + frontend->before_gate.count,
                         words < 10 ? words : 10);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_words_behind_expander)

// Bits 0, 2, 4 (T0 to T2), 6 (B) and 8 (NC) of Blackhole's DISABLE_RESET keep the data RAM.
static void test_ram_kept(void **state)
{
    (void)state;
    static const uint32_t keeps[] = {1u << 6, 1u << 0, 1u << 2, 1u << 4, 1u << 8};
    tsr_tile *tile = tile_default(BH);
    for (int core = TSR_CORE_B; core <= TSR_CORE_NC; core++)
        for (int other = TSR_CORE_B; other <= TSR_CORE_NC; other++) {
            put(tile, other, 0xffb00000u, 0x1234);
            put(tile, TSR_CORE_B, debug_regs + 0x224, keeps[core]);
            hold(tile, other == TSR_CORE_NC ? 1u << 18 : 1u << (11 + other));
            hold(tile, 0);
            assert_int_equal(get(tile, other, 0xffb00000u), core == other ? 0x1234 : 0);
        }
    tsr_tile_destroy(tile);
}

// Bit 23, of which Blackhole's page has the name.
static void test_auto_sync(int arch)
{
    tsr_tile *tile = tile_default(arch);
    hold(tile, 1u << 24);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    hold(tile, 1u << 23);
    assert_int_equal(tsr_diagnostic_count(tile), arch == BH);
    if (arch == BH)
        tile_says(tile, "undocumented-mode", "holds Auto TTSync in soft reset");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_auto_sync)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_held_units),
        TILE_TEST(test_held_storage),
        TILE_TEST(test_held_storage_is_told_once),
        TILE_TEST(test_part_of_unpackers),
        TILE_TEST(test_abort),
        TILE_TEST(test_abort_matrix),
        cmocka_unit_test(test_part_of_a_pacr),
        TILE_TEST(test_sources),
        TILE_TEST(test_leave_vector),
        TILE_TEST(test_dst),
        TILE_TEST(test_thcon),
        TILE_TEST(test_cores),
        TILE_TEST(test_words_behind_expander),
        cmocka_unit_test(test_ram_kept),
        TILE_TEST(test_auto_sync),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
