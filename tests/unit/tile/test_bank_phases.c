// SPDX-License-Identifier: Apache-2.0
// Cycles a tile of a matmul loop (two UNPACRs of a BF16 tile, 16 MVMULs for each fidelity phase),
// with the bank pointers of unpackers and matrix unit in step and out of step, beside what cards
// take (docs/timing.md). Pages: SrcASrcB.md, UNPACR_Regular.md (Performance).
#include "rig/short_formats.h"
#include "rig/tile_rig.h"

enum { L1_TILE = 0x10000, TILE_DATUMS = 1024 };

#define SET(u, name, value)                                                                        \
    tile_field(tile, 0, (u) ? FIELD_THCON_SEC1_##name : FIELD_THCON_SEC0_##name, value)

static void configure(tsr_tile *tile, int u)
{
    SET(u, REG0_TileDescriptor_InDataFormat, BF16);
    SET(u, REG0_TileDescriptor_IsUncompressed, 1);
    SET(u, REG0_TileDescriptor_XDim, TILE_DATUMS);
    SET(u, REG0_TileDescriptor_YDim, 1);
    SET(u, REG2_Out_data_format, BF16);
    SET(u, REG2_Throttle_mode, 2);
    SET(u, REG2_Disable_zero_compress_cntx0, 1);
    SET(u, REG2_Unpack_limit_address, 0x1ffff);
    SET(u, REG3_Base_address, L1_TILE / 16);
    if (u == 0) {
        SET(u, REG5_Tile_x_dim_cntx0, TILE_DATUMS);
        SET(u, REG5_Dest_cntx0_address, 64);
    }
    tile_state(tile)->adcs.channel[0][u][1].x = TILE_DATUMS - 1;
}

static tsr_tile *loop_tile(int arch, bool timing)
{
    static const uint8_t zeroes[2 * TILE_DATUMS + 16];
    tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_SILICON);
    assert_int_equal(tsr_l1_write(tile, L1_TILE, zeroes, sizeof zeroes), TSR_OK);
    tile_field(tile, 0, FIELD_SRCA_SET_SetOvrdWithAddr, 1);
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG0_SrcA, BF16);
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG1_SrcB, BF16);
    configure(tile, 0);
    configure(tile, 1);
    return tile;
}

static bool push(tsr_tile *tile, int thread, int at, int phases)
{
    char text[100];
    int step = at % (16 * phases);
    if (thread == 0)
        snprintf(text, sizeof text, "UNPACR Unpack_block_selection=%d OvrdThreadId=1 SetDatValid=1",
                 at % 2);
    else
        snprintf(text, sizeof text, "MVMUL dst=%d clear_dvalid=%d", step % 8 * 8,
                 step == 16 * phases - 1 ? 3 : 0);
    return tsr_push(tile, thread, tile_word(tile, text)) == TSR_OK;
}

// Three stray SETDVALIDs leave both banks with the matrix unit, whose pointer is at the first, and
// the unpackers' at the second.
static tsr_tile *run_loop(int arch, bool timing, int phases, int tiles, int strays)
{
    tsr_tile *tile = loop_tile(arch, timing);
    for (int i = 0; i < strays; i++)
        tile_push(tile, 0, "SETDVALID setvalid=3");
    tile_idle(tile);
    int at[2] = {0, 0}, words[2] = {2 * tiles, 16 * phases * tiles};
    while (at[0] < words[0] || at[1] < words[1]) {
        bool moved = false;
        for (int thread = 0; thread < 2; thread++)
            if (at[thread] < words[thread] && push(tile, thread, at[thread], phases)) {
                at[thread]++;
                moved = true;
            }
        if (!moved)
            assert_true(tsr_step(tile));
    }
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    tsr_run(tile, &limits);
    return tile;
}

static double cycles_a_tile(int arch, int phases, int strays)
{
    uint64_t cycles[2];
    for (int i = 0; i < 2; i++) {
        tsr_tile *tile = run_loop(arch, true, phases, i ? 60 : 20, strays);
        cycles[i] = tsr_cycle(tile);
        tsr_tile_destroy(tile);
    }
    return (double)(cycles[1] - cycles[0]) / 40;
}

// LoFi, HiFi2, HiFi4. Cards take a cycle or two more in each loop, and three more in step.
static void test_cycles(int arch)
{
    static const struct {
        double here, card;
    } figures[2][2][3] = {
        {{{64, 68}, {64, 68}, {64, 68}}, {{77, 77.7}, {93, 94.5}, {125, 126.7}}},
        {{{32, 34.7}, {32, 34.9}, {64, 67.0}}, {{34.5, 34.8}, {50.5, 51.5}, {82.5, 83.5}}}};
    for (int apart = 0; apart < 2; apart++)
        for (int i = 0; i < 3; i++) {
            double seen = cycles_a_tile(arch, 1 << i, apart ? 3 : 0);
            double card = figures[arch][apart][i].card;
            if (seen != figures[arch][apart][i].here)
                fail_msg("%s, %d phases: %.2f cycles", apart ? "apart" : "in step", 1 << i, seen);
            assert_true(seen > card * (apart ? 0.97 : 0.91) && seen < card * 1.02);
        }
}
TILE_BOTH(test_cycles)

// Said once, with timing and without; never in step, with stray hand-overs or none.
static void test_finding(int arch)
{
    for (int timing = 0; timing < 2; timing++)
        for (int strays = 0; strays < 4; strays++) {
            tsr_tile *tile = run_loop(arch, timing, 1, 20, strays);
            int found = 0;
            for (int i = 0; i < tsr_diagnostic_count(tile); i++)
                if (strcmp(tsr_diagnostic_at(tile, i)->code, "src-bank-turns") == 0)
                    found += 1 + tsr_diagnostic_at(tile, i)->repeats;
            assert_int_equal(found, strays == 3);
            if (found)
                tile_says(tile, "src-bank-turns", "wait for SrcA bank 1 while bank 0 is theirs");
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_finding)

int main(void)
{
    const struct CMUnitTest tests[] = {TILE_TEST(test_cycles), TILE_TEST(test_finding)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
