// SPDX-License-Identifier: Apache-2.0
// The small units, page by page: ADC counters (SETADC*.md, INCADC*.md, ADDRCR*.md), SETDVALID.md,
// semaphores (SEMINIT.md, SEMPOST.md, SEMGET.md), SETDMAREG_Immediate.md.
#include "rig/tile_rig.h"

static tsr_adc_channel *adc(tsr_tile *tile, int thread, int agent, int channel)
{
    return &tile_state(tile)->adcs.channel[thread][agent][channel];
}

// ---------------------------------------------------------------- ADC counters

static void test_setadcxx(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_do(tile, 1, "SETADCXX CntSetMask=5 x_start=7 x_end2=1023");
    for (int agent = 0; agent < TSR_ADC_AGENTS; agent++) {
        bool chosen = agent != 1;
        assert_int_equal(adc(tile, 1, agent, 0)->x, chosen ? 7 : 0);
        assert_int_equal(adc(tile, 1, agent, 0)->x_cr, chosen ? 7 : 0);
        assert_int_equal(adc(tile, 1, agent, 1)->x, chosen ? 1023 : 0);
        assert_int_equal(adc(tile, 1, agent, 1)->x_cr, chosen ? 1023 : 0);
        assert_int_equal(adc(tile, 0, agent, 1)->x, 0); // another thread's
    }
    assert_int_equal(adc(tile, 1, 0, 0)->y, 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_setadcxx)

// Every bit of the mask sets its own counter and that one's shadow, and nothing else.
static void test_setadc_pairs(int arch)
{
    for (unsigned bit = 0; bit < 4; bit++) {
        tsr_tile *tile = tile_default(arch);
        char text[120];
        snprintf(text, sizeof text,
                 "SETADCXY CntSetMask=2 BitMask=%u Ch0_X=1 Ch0_Y=2 Ch1_X=3 Ch1_Y=4", 1u << bit);
        tile_do(tile, 0, text);
        snprintf(text, sizeof text,
                 "SETADCZW CntSetMask=2 BitMask=%u Ch0_X=5 Ch0_Y=6 Ch1_X=7 Ch1_Y=3", 1u << bit);
        tile_do(tile, 0, text);
        const tsr_adc_channel *c0 = adc(tile, 0, 1, 0), *c1 = adc(tile, 0, 1, 1);
        uint32_t xy[4] = {c0->x, c0->y, c1->x, c1->y};
        uint32_t xy_cr[4] = {c0->x_cr, c0->y_cr, c1->x_cr, c1->y_cr};
        uint32_t zw[4] = {c0->z, c0->w, c1->z, c1->w};
        uint32_t zw_cr[4] = {c0->z_cr, c0->w_cr, c1->z_cr, c1->w_cr};
        static const uint32_t wanted[4] = {5, 6, 7, 3};
        for (unsigned i = 0; i < 4; i++) {
            assert_int_equal(xy[i], i == bit ? i + 1 : 0);
            assert_int_equal(xy_cr[i], i == bit ? i + 1 : 0);
            assert_int_equal(zw[i], i == bit ? wanted[i] : 0);
            assert_int_equal(zw_cr[i], i == bit ? wanted[i] : 0);
        }
        assert_int_equal(adc(tile, 0, 0, 0)->x | adc(tile, 0, 2, 1)->y, 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_setadc_pairs)

// Widths: X 18 bits, Y 13, Z and W 8 on Wormhole and 13 on Blackhole. The shadow stays.
static void test_incadc_wraps(int arch)
{
    tsr_tile *tile = tile_default(arch);
    uint32_t zw = arch == WH ? 0xff : 0x1fff;
    for (int channel = 0; channel < 2; channel++)
        *adc(tile, 2, 2, channel) = (tsr_adc_channel){.x = 0x3ffff,
                                                      .y = 0x1fff,
                                                      .z = zw,
                                                      .w = zw,
                                                      .x_cr = 1,
                                                      .y_cr = 2,
                                                      .z_cr = 3,
                                                      .w_cr = 4};
    tile_do(tile, 2, "INCADCXY CntSetMask=4 Ch0_X=1 Ch0_Y=2 Ch1_X=3 Ch1_Y=4");
    tile_do(tile, 2, "INCADCZW CntSetMask=4 Ch0_X=1 Ch0_Y=2 Ch1_X=3 Ch1_Y=7");
    const tsr_adc_channel *c0 = adc(tile, 2, 2, 0), *c1 = adc(tile, 2, 2, 1);
    assert_int_equal(c0->x, 0);
    assert_int_equal(c0->y, 1);
    assert_int_equal(c1->x, 2);
    assert_int_equal(c1->y, 3);
    assert_int_equal(c0->z, 0);
    assert_int_equal(c0->w, 1);
    assert_int_equal(c1->z, 2);
    assert_int_equal(c1->w, 6);
    assert_int_equal(c0->x_cr, 1);
    assert_int_equal(c1->w_cr, 4);
    tile_do(tile, 2, "INCADCXY CntSetMask=3 Ch0_X=5"); // other agents only
    assert_int_equal(c0->x, 0);
    assert_int_equal(adc(tile, 2, 0, 0)->x, 5);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_incadc_wraps)

static void test_addrcr(int arch)
{
    tsr_tile *tile = tile_default(arch);
    uint32_t zw = arch == WH ? 0xff : 0x1fff;
    for (int channel = 0; channel < 2; channel++)
        *adc(tile, 0, 0, channel) = (tsr_adc_channel){
            .x = 9, .y = 9, .z = 9, .w = 9, .x_cr = 0x3ffff, .y_cr = 0x1ffe, .z_cr = zw, .w_cr = 1};
    tile_do(tile, 0, "ADDRCRXY CntSetMask=1 BitMask=11 Ch0_X=3 Ch0_Y=1 Ch1_X=5 Ch1_Y=3");
    tile_do(tile, 0, "ADDRCRZW CntSetMask=1 BitMask=6 Ch0_X=3 Ch0_Y=1 Ch1_X=5 Ch1_Y=3");
    const tsr_adc_channel *c0 = adc(tile, 0, 0, 0), *c1 = adc(tile, 0, 0, 1);
    assert_int_equal(c0->x, 2);
    assert_int_equal(c0->x_cr, 2);
    assert_int_equal(c0->y, 0x1fff);
    assert_int_equal(c1->x, 9); // its bit is clear
    assert_int_equal(c1->x_cr, 0x3ffff);
    assert_int_equal(c1->y, 1);
    assert_int_equal(c0->z, 9);
    assert_int_equal(c0->w, 2);
    assert_int_equal(c1->z, 4);
    assert_int_equal(c1->w, 9);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_addrcr)

static void test_setadc(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_do(tile, 0, "SETADC CntSetMask=4 ChannelIndex=1 DimensionIndex=0 Value=0xffff");
    tile_do(tile, 0, "SETADC CntSetMask=4 ChannelIndex=0 DimensionIndex=1 Value=0xffff");
    tile_do(tile, 0, "SETADC CntSetMask=4 ChannelIndex=0 DimensionIndex=2 Value=0xfff1");
    tile_do(tile, 0, "SETADC CntSetMask=4 ChannelIndex=1 DimensionIndex=3 Value=0xfff2");
    assert_int_equal(adc(tile, 0, 2, 1)->x, 0xffff);
    assert_int_equal(adc(tile, 0, 2, 1)->x_cr, 0xffff);
    assert_int_equal(adc(tile, 0, 2, 0)->x, 0);
    assert_int_equal(adc(tile, 0, 2, 0)->y, 0x1fff);
    assert_int_equal(adc(tile, 0, 2, 0)->z, arch == WH ? 0xf1 : 0x1ff1);
    assert_int_equal(adc(tile, 0, 2, 1)->w_cr, arch == WH ? 0xf2 : 0x1ff2);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_setadc)

// Bits 17:16 name another thread, and are the top of X too.
static void test_setadc_override(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_do(tile, 0, "SETADC CntSetMask=1 Value=0x30005");
    assert_int_equal(adc(tile, 2, 0, 0)->x, 0x30005);
    assert_int_equal(adc(tile, 0, 0, 0)->x, 0);
    const tsr_diagnostic *found = tile_found(tile, "thread-override");
    assert_non_null(found);
    assert_int_equal(found->action, TSR_ACTION_RECORD);
    tile_do(tile, 1, "SETADC CntSetMask=1 DimensionIndex=2 Value=0x10007");
    assert_int_equal(adc(tile, 0, 0, 0)->z, 7);
    tsr_tile_destroy(tile);
    tile = tile_default(arch);
    tsr_tile_set_policy(tile, "thread-override", TSR_ACTION_STOP);
    tile_push(tile, 0, "SETADC CntSetMask=1 Value=0x30005");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_int_equal(adc(tile, 2, 0, 0)->x, 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_setadc_override)

// ThreadOverride of the pair forms, bits 19:18: thread 2 for 3, whoever issues it; 0 is its own.
static void test_pair_override(int arch)
{
    static const struct {
        const char *text;
        unsigned x, y, z, w; // of channel 1 of the packers' counters, which begin at 4, carriage 2
    } cases[] = {
        {"SETADCXY BitMask=12 Ch1_X=1 Ch1_Y=5", 1, 5, 4, 4},
        {"SETADCZW BitMask=12 Ch1_X=1 Ch1_Y=5", 4, 4, 1, 5},
        {"INCADCXY Ch1_X=1 Ch1_Y=5", 5, 9, 4, 4},
        {"INCADCZW Ch1_X=1 Ch1_Y=5", 4, 4, 5, 9},
        {"ADDRCRXY BitMask=12 Ch1_X=1 Ch1_Y=5", 3, 7, 4, 4},
        {"ADDRCRZW BitMask=12 Ch1_X=1 Ch1_Y=5", 4, 4, 3, 7},
    };
    static const tsr_adc_channel begin = {
        .x = 4, .y = 4, .z = 4, .w = 4, .x_cr = 2, .y_cr = 2, .z_cr = 2, .w_cr = 2};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int override = 0; override < 4; override++) {
            tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_STRICT);
            char text[100];
            int target = override ? override - 1 : 1;
            for (int thread = 0; thread < 3; thread++)
                *adc(tile, thread, 2, 1) = begin;
            snprintf(text, sizeof text, "%s CntSetMask=4 ThreadOverride=%d", cases[i].text,
                     override);
            tile_do(tile, 1, text);
            for (int thread = 0; thread < 3; thread++) {
                const tsr_adc_channel *now = adc(tile, thread, 2, 1);
                assert_int_equal(now->x, thread == target ? cases[i].x : 4);
                assert_int_equal(now->y, thread == target ? cases[i].y : 4);
                assert_int_equal(now->z, thread == target ? cases[i].z : 4);
                assert_int_equal(now->w, thread == target ? cases[i].w : 4);
            }
            assert_int_equal(tsr_diagnostic_count(tile), override != 0);
            assert_true((tile_found(tile, "thread-override") != NULL) == (override != 0));
            tsr_tile_set_policy(tile, "thread-override", TSR_ACTION_STOP);
            tile_push(tile, 1, text);
            assert_int_equal(tile_run(tile), override ? TSR_END_STOPPED : TSR_END_IDLE);
            if (override)
                assert_int_equal(adc(tile, target, 2, 1)->x, cases[i].x);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_pair_override)

// ---------------------------------------------------------------- SETDVALID

static void test_setdvalid(int arch)
{
    tsr_tile *tile = tile_default(arch);
    struct tsr_state *state = tile_state(tile);
    tile_field(tile, 1, FIELD_SRCA_SET_Base, 3);
    tile_field(tile, 1, FIELD_SRCB_SET_Base, 2);
    state->unpacker[0].src_row[1] = state->unpacker[1].src_row[1] = 5;
    state->unpacker[0].src_row[0] = 6;
    tile_do(tile, 1, "SETDVALID setvalid=1");
    assert_true(state->src[TSR_SRCA].bank[0].matrix_owns);
    assert_false(state->src[TSR_SRCA].bank[1].matrix_owns);
    assert_int_equal(state->src[TSR_SRCA].unpacker_bank, 1);
    assert_int_equal(state->src[TSR_SRCA].matrix_bank, 0);
    assert_int_equal(state->unpacker[0].src_row[1], 48);
    assert_int_equal(state->unpacker[0].src_row[0], 6);
    assert_int_equal(state->unpacker[1].src_row[1], 5);
    assert_false(state->src[TSR_SRCB].bank[0].matrix_owns);
    tile_do(tile, 1, "SETDVALID setvalid=2");
    assert_true(state->src[TSR_SRCB].bank[0].matrix_owns);
    assert_int_equal(state->unpacker[1].src_row[1], 32);
    assert_true(!tile_found(tile, "legacy-mode") == (arch == WH));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_setdvalid)

static void test_setdvalid_of_taken_bank(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_state(tile)->src[TSR_SRCB].bank[0].matrix_owns = true;
    tile_push(tile, 0, "SETDVALID setvalid=3");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_non_null(tile_found(tile, "src-bank-taken"));
    assert_int_equal(tile_state(tile)->src[TSR_SRCA].unpacker_bank, 0); // nothing happened
    assert_false(tile_state(tile)->src[TSR_SRCA].bank[0].matrix_owns);
    tsr_tile_destroy(tile);
    tile = tile_new(arch, false, TSR_PROFILE_SILICON);
    tile_state(tile)->src[TSR_SRCB].bank[0].matrix_owns = true;
    tile_do(tile, 0, "SETDVALID setvalid=3");
    assert_int_equal(tile_state(tile)->src[TSR_SRCB].unpacker_bank, 1);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_setdvalid_of_taken_bank)

// ---------------------------------------------------------------- semaphores

static void test_semaphores(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_do(tile, 0, "SEMINIT sem_sel=0x81 init_value=13 max_value=3");
    uint8_t value, max;
    tsr_view_semaphore(tile, 7, &value, &max);
    assert_int_equal(value, 13);
    assert_int_equal(max, 3);
    assert_int_equal(tile_semaphore(tile, 1), 0);
    tile_do(tile, 2, "SEMPOST sem_sel=0x83"); // max has no say
    assert_int_equal(tile_semaphore(tile, 0), 14);
    assert_int_equal(tile_semaphore(tile, 1), 1);
    assert_int_equal(tile_semaphore(tile, 7), 14);
    tile_do(tile, 1, "SEMGET sem_sel=2");
    assert_int_equal(tile_semaphore(tile, 1), 0);
    assert_int_equal(tile_semaphore(tile, 0), 14);
    assert_int_equal(tsr_diagnostic_count(tile), 4); // SEMINIT and SEMPOST, two each
    assert_non_null(tile_found(tile, "semaphore-multi"));
    assert_non_null(tile_found(tile, "semaphore-init"));
    assert_non_null(tile_found(tile, "semaphore-above-max"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_semaphores)

static void test_semaphores_at_their_ends(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_do(tile, 0, "SEMINIT sem_sel=1 init_value=15 max_value=15");
    tile_do(tile, 0, "SEMPOST sem_sel=3");
    assert_int_equal(tile_semaphore(tile, 0), 15);
    assert_int_equal(tile_semaphore(tile, 1), 1);
    const tsr_diagnostic *found = tile_found(tile, "semaphore-at-maximum");
    assert_non_null(found);
    assert_true(found && strstr(found->sentence, "semaphore 0"));
    assert_int_equal(found->category, TSR_NON_CONTRACTUAL);
    tile_do(tile, 0, "SEMGET sem_sel=6");
    assert_int_equal(tile_semaphore(tile, 1), 0);
    assert_int_equal(tile_semaphore(tile, 2), 0);
    found = tile_found(tile, "semaphore-at-zero");
    assert_non_null(found);
    assert_true(found && strstr(found->sentence, "semaphore 2"));
    tsr_tile_set_policy(tile, "semaphore-at-zero", TSR_ACTION_STOP);
    tile_push(tile, 1, "SEMGET sem_sel=5");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_int_equal(tile_semaphore(tile, 0), 15); // not even the one that could
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_semaphores_at_their_ends)

// ---------------------------------------------------------------- SETDMAREG

static void test_setdmareg(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_do(tile, 1, "SETDMAREG RegIndex16b=10 Payload_SigSel=0x1234 Payload_SigSelSize=2");
    assert_int_equal(tile_gpr(tile, 1, 5), 0x9234);
    tile_do(tile, 1, "SETDMAREG RegIndex16b=11 Payload_SigSel=0x3fff Payload_SigSelSize=3");
    assert_int_equal(tile_gpr(tile, 1, 5), 0xffff9234u);
    assert_int_equal(tile_gpr(tile, 0, 5), 0);
    uint32_t value;
    bool written;
    tsr_view_gpr(tile, 1, 5, &value, &written);
    assert_true(written);
    tsr_view_gpr(tile, 1, 6, &value, &written);
    assert_false(written);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_setdmareg)

// What is not there says so; a policy that passes it over drops it and goes on.
static void test_unimplemented(int arch)
{
    static const char *const texts[] = {"RSTDMA", "TBUFCMD"};
    static const char *const names[] = {"RSTDMA does nothing here", "TBUFCMD"};
    for (int i = 0; i < 2; i++) {
        tsr_tile *tile = tile_default(arch);
        tile_push(tile, 0, texts[i]);
        assert_int_equal(tile_run(tile), TSR_END_STOPPED);
        const tsr_diagnostic *found = tsr_diagnostic_at(tile, 0);
        assert_int_equal(found->category, TSR_UNIMPLEMENTED_FEATURE);
        assert_true(found && strstr(found->sentence, names[i]));
        assert_int_equal(found->sequence, 1);
        tsr_tile_reset(tile);
        tsr_tile_set_policy(tile, "unimplemented", TSR_ACTION_RECORD);
        tile_push(tile, 0, texts[i]);
        tile_do(tile, 0, "SETDMAREG RegIndex16b=8 Payload_SigSel=5");
        assert_int_equal(tile_gpr(tile, 0, 4), 5);
        assert_int_equal(tile_gpr(tile, 0, 1), 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_unimplemented)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_setadcxx),
        TILE_TEST(test_setadc_pairs),
        TILE_TEST(test_incadc_wraps),
        TILE_TEST(test_addrcr),
        TILE_TEST(test_setadc),
        TILE_TEST(test_setadc_override),
        TILE_TEST(test_pair_override),
        TILE_TEST(test_setdvalid),
        TILE_TEST(test_setdvalid_of_taken_bank),
        TILE_TEST(test_semaphores),
        TILE_TEST(test_semaphores_at_their_ends),
        TILE_TEST(test_setdmareg),
        TILE_TEST(test_unimplemented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
