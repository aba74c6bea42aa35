// SPDX-License-Identifier: Apache-2.0
// With timing on, words of a lone thread that their unit takes as a whole, and the cycles up to the
// next word (src/frontend/lone_step.c): each case must leave what TSR_PIPELINE_STAGED leaves,
// cycles and findings included, wherever a run is cut. The first cases must have such words, the
// others are what must be noticed. Random programs: oracle/test_run_oracle.c.
// Pages: UNPACR_Regular.md, SETRWC.md, PACR.md of each chip, STALLWAIT.md.
#include "rig/lone_faces.h"

// ---------------------------------------------------------------- what goes as a whole

static void test_copies(int arch)
{
    static const char *const face[] = {unpack_a, move, move, give_a, NULL};
    assert_true(run_faces(arch, face, 4, set_x) >= 14);
    assert_true(run_faces(arch, face, 4, set_short_x) >= 12);
}
TILE_BOTH(test_copies)

// Both unpackers share what L1 brings, so that the first one's bytes take longer.
static void test_sums(int arch)
{
    static const char *const face[] = {unpack_a, unpack_b, "ELWADD", "ELWADD", give_both, NULL};
    assert_true(run_faces(arch, face, 4, set_x) >= 17);
    run_faces(arch, face, 4, set_short_x);
}
TILE_BOTH(test_sums)

static void test_packing(int arch)
{
    char wait[60], other[60];
    snprintf(wait, sizeof wait, "STALLWAIT stall_res=4 wait_res=%d", arch == WH ? 0x80 : 0x10);
    snprintf(other, sizeof other, "STALLWAIT stall_res=64 wait_res=%d", arch == WH ? 0x78 : 8);
    const char *const tile[] = {unpack_a, move,     move, give_a, wait, pack_last,
                                other,    unpack_a, move, give_a, NULL};
    const char *const packs[] = {pack_last, pack_last, "NOP", pack_last, other, "NOP", move, NULL};
    assert_true(run_faces(arch, tile, 2, set_short_x) >= 16);
    run_faces(arch, tile, 2, set_x);
    for (int way = 0; way < 2; way++) {
        struct pair pair = pair_with(arch, TSR_PROFILE_SILICON);
        push(&pair, 0, set_short_x, 1);
        for (const char *const *line = packs; *line; line++)
            push(&pair, 0, *line, 1 + way);
        run(&pair, 0, "PACRs with Last");
        pair_free(&pair);
    }
}
TILE_BOTH(test_packing)

// ---------------------------------------------------------------- what must be noticed

// Words in turn around UNPACRs: transfers that end in an address phase, banks that are not there,
// findings, waits that hold the next word or not.
static void test_among_others(int arch)
{
    static const char *const words[] = {"NOP",
                                        unpack_a,
                                        unpack_b,
                                        "UNPACR OvrdThreadId=1",
                                        "UNPACR Unpack_block_selection=1 OvrdThreadId=1",
                                        set_short_x,
                                        set_x,
                                        move,
                                        "ELWADD",
                                        give_a,
                                        give_both,
                                        "SETRWC clear_ab_vld=2",
                                        pack_last,
                                        "PACR PackSel=1",
                                        "STALLWAIT stall_res=511 wait_res=2",
                                        "STALLWAIT stall_res=8 wait_res=6",
                                        "STALLWAIT stall_res=64 wait_res=24",
                                        "STALLWAIT stall_res=511 wait_res=4096",
                                        "STALLWAIT stall_res=511 wait_res=512",
                                        "RMWCIB0 Mask=255 Data=3 CfgRegAddr=93",
                                        "SEMWAIT stall_res=511 wait_sem_cond=2 sem_sel=4",
                                        "ADDDMAREG OpBRegIndex=1 OpARegIndex=2 ResultRegIndex=3",
                                        "SETDMAREG RegIndex16b=8 Payload_SigSel=77",
                                        "WRCFG GprAddress=4 CfgReg=92",
                                        "STOREREG TdmaDataRegIndex=2 RegAddr=0x4400",
                                        "CLEARDVALID cleardvalid=1"};
    enum { WORDS = sizeof words / sizeof *words };
    for (unsigned seed = 0; seed < 400; seed++) {
        struct pair pair =
            pair_with_unpackers(arch, seed % 3 ? TSR_PROFILE_SILICON : TSR_PROFILE_STRICT);
        uint32_t random = seed * 2654435761u + 1;
        push(&pair, 0, "SETDMAREG RegIndex16b=4 Payload_SigSel=3", 1);
        push(&pair, 0, rewind_z, 1);
        for (int again = 0; again < 3 && !pair.stuck; again++) {
            for (int i = 0; i < 20; i++) {
                random = random * 1664525u + 1013904223u;
                push(&pair, 0, words[(random >> 16) % (i % 2 ? 14 : WORDS)], 1);
            }
            for (int i = 0; seed % 2 && i < 6; i++) {
                unsigned first = seed % 4 == 1 ? 14 : 0;
                random = random * 1664525u + 1013904223u;
                push(&pair, 1, words[first + (random >> 16) % (WORDS - first)], 1);
            }
            run(&pair, seed % 5 == 4 ? seed % 23 : 0, "among others");
        }
        pair_free(&pair);
    }
}
TILE_BOTH(test_among_others)

// An UNPACR waits in its unit when others come.
static void test_beside_waiting(int arch)
{
    static const char *const lines[] = {unpack_a, unpack_a, unpack_a, give_a, "NOP",
                                        give_a,   "NOP",    "NOP",    "NOP",  "NOP",
                                        "NOP",    "NOP",    "NOP",    give_a, NULL};
    run_faces(arch, lines, 1, set_x);
    run_faces(arch, lines, 2, set_short_x);
}
TILE_BOTH(test_beside_waiting)

// What an expander begins while the bytes have not been read yet: the tile stops there.
static void test_expanders(int arch)
{
    static const char *const behind[] = {"REPLAY len=40", "MOP mop_type=1", "MOP_CFG zmask_hi16=3"};
    static const char *const stops[] = {"undocumented-mode", "uninitialised-config"};
    for (int words = 0; words < 16; words++)
        for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
            struct pair pair = pair_with_unpackers(arch, TSR_PROFILE_STRICT);
            for (int way = 0; way < 2; way++)
                for (size_t code = 0; code < sizeof stops / sizeof *stops; code++)
                    assert_int_equal(
                        tsr_tile_set_policy(pair.tile[way], stops[code], TSR_ACTION_STOP), TSR_OK);
            push(&pair, 0, set_x, 1);
            push(&pair, 0, unpack_a, 1);
            push(&pair, 0, give_a, 1);
            push(&pair, 0, "NOP", 5);
            push(&pair, 0, unpack_b, 1);
            push(&pair, 0, "NOP", words);
            push(&pair, 0, behind[i], 1);
            push(&pair, 0, "NOP", 3);
            run(&pair, 0, behind[i]);
            pair_free(&pair);
        }
}
TILE_BOTH(test_expanders)

// Another thread waits for what the units do, and goes on in the cycle in which it is done.
static void test_listeners(int arch)
{
    for (int condition = 0; condition < 13; condition++)
        for (int delay = 0; delay < 30; delay += 3) {
            struct pair pair = pair_with_unpackers(arch, TSR_PROFILE_SILICON);
            char text[80];
            snprintf(text, sizeof text, "STALLWAIT stall_res=511 wait_res=%d", 1 << condition);
            push(&pair, 0, set_x, 1);
            push(&pair, 1, "NOP", delay);
            push(&pair, 1, text, 1);
            push(&pair, 1, "SEMINIT sem_sel=4 init_value=1 max_value=3", 1);
            for (int face = 0; face < 2; face++) {
                push(&pair, 0, unpack_a, 1);
                push(&pair, 0, move, 2);
                push(&pair, 0, give_a, 1);
                push(&pair, 0, unpack_b, 1);
                push(&pair, 0, pack_last, 1);
            }
            run(&pair, 0, text);
            push(&pair, 0, "SETRWC clear_ab_vld=2", 1);
            run(&pair, 0, text);
            pair_free(&pair);
        }
}
TILE_BOTH(test_listeners)

// A bank that is the unpackers' already is given back once more, behind a word that takes longer:
// what UNPACR brings there comes after that.
static void test_given_back_twice(int arch)
{
    static const char fill_a[] = "UNPACR OvrdThreadId=1 AddrMode=1";
    static const char *const longer[] = {move, "ELWADD", "MVMUL"};
    for (int i = 0; i < 3 * 3; i++)
        for (int times = 1; times < 4; times++) {
            struct pair pair = pair_with_unpackers(arch, TSR_PROFILE_SILICON);
            push(&pair, 0, i % 3 ? set_x : set_short_x, 1);
            push(&pair, 0, unpack_b, 1);
            push(&pair, 0, unpack_a, 1);
            push(&pair, 0, fill_a, 1);
            run(&pair, 0, "plans");
            push(&pair, 0, rewind_z, 1);
            push(&pair, 0, longer[i / 3], 1);
            push(&pair, 0, give_a, times);
            push(&pair, 0, fill_a, 1 + i % 3);
            push(&pair, 0, "NOP", 3);
            run(&pair, 0, longer[i / 3]);
            pair_free(&pair);
        }
}
TILE_BOTH(test_given_back_twice)

// The last word at the gate passes a wait that stays latched, and an expander keeps the one behind.
static void test_kept_behind_wait(int arch)
{
    for (int words = 0; words < 12; words++)
        for (int cut = 0; cut < 4; cut++) {
            struct pair pair = pair_with_unpackers(arch, TSR_PROFILE_SILICON);
            pair.by_words = true;
            push(&pair, 1, "SEMWAIT stall_res=64 wait_sem_cond=1 sem_sel=4", 1);
            push(&pair, 1, "NOP", words);
            push(&pair, 1, "REPLAY len=5 load_mode=1", 1);
            run(&pair, cut * 3, "kept behind a wait");
            pair_free(&pair);
        }
}
TILE_BOTH(test_kept_behind_wait)

// Who wrote what is kept word by word.
static void test_watched(int arch)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.watch_config = true;
    struct pair pair = pair_made(&options);
    push(&pair, 0, set_short_x, 1);
    push(&pair, 0, pack_last, 1);
    push(&pair, 0, "SETRWC clear_ab_vld=1", 1);
    push(&pair, 0, pack_last, 2);
    assert_int_equal(run(&pair, 0, "watched"), 0);
    pair_free(&pair);
}
TILE_BOTH(test_watched)

// Sums in L1 take longer, blocks have exponents, and rows of Dst that nobody wrote are reported.
static void test_unusual_packing(int arch)
{
    for (int kind = 0; kind < 3; kind++) {
        struct pair pair = pair_with(arch, TSR_PROFILE_STRICT);
        push(&pair, 0, set_short_x, 1);
        push(&pair, 0, pack_last, 2);
        run(&pair, 0, "plans");
        if (kind == 0)
            field(&pair, PACKER(0, Pack_L1_Acc), 1);
        for (int way = 0; way < 2; way++) {
            if (kind == 1)
                pack_formats(pair.tile[way], BF16, BFP8, false);
            if (kind == 2)
                memset(tile_state(pair.tile[way])->dst.written, 0, 64);
        }
        for (int again = 0; again < 3 && !pair.stuck; again++) {
            push(&pair, 0, "NOP", 3);
            push(&pair, 0, pack_last, 1);
            push(&pair, 0, "NOP", 3);
            push(&pair, 0, pack_last, 2);
            run(&pair, 0, "unusual packing");
        }
        pair_free(&pair);
    }
}
TILE_BOTH(test_unusual_packing)

// Bytes that nobody wrote, and rows that SrcB does not have: the finding has its cycle.
static void test_findings(int arch)
{
    for (int way = 0; way < 2; way++)
        for (int base = 0; base < 2; base++) {
            struct pair pair =
                pair_with_unpackers(arch, way ? TSR_PROFILE_SILICON : TSR_PROFILE_STRICT);
            push(&pair, 0, set_x, 1);
            push(&pair, 0, unpack_b, 1);
            push(&pair, 0, unpack_a, 1);
            push(&pair, 0, "SETRWC clear_ab_vld=3", 1);
            run(&pair, 0, "findings");
            if (pair.stuck) {
                pair_free(&pair);
                continue;
            }
            if (base)
                field(&pair, FIELD_THCON_SEC1_REG3_Base_address, 0x60000 / 16 - 1);
            push(&pair, 0, unpack_a, 1);
            push(&pair, 0, base ? unpack_b : "UNPACR Unpack_block_selection=1 OvrdThreadId=1", 5);
            push(&pair, 0, "NOP", 2);
            run(&pair, 0, "findings");
            pair_free(&pair);
        }
}
TILE_BOTH(test_findings)

// More words than their latency before the SETRWC that goes with them, and the other unpacker's
// bytes under way.
static void test_longer_faces(int arch)
{
    static const char *const moves[] = {unpack_a, move, move, move, move, move, give_a, NULL};
    static const char *const sums[] = {unpack_a, unpack_b, "ELWADD",  "ELWADD", "ELWADD",
                                       "ELWADD", "ELWADD", give_both, NULL};
    static const char *const both[] = {
        unpack_a, unpack_b, move, move, give_a, "NOP", "NOP", "SETRWC clear_ab_vld=2", NULL};
    static const char *const three[] = {unpack_b, unpack_a, move, move, move, give_both, NULL};
    static const char *const banks[] = {unpack_a, unpack_a, "NOP", move,   move,
                                        give_a,   move,     move,  give_a, NULL};
    static const char *const stores[] = {
        unpack_a, move, move, give_a, "STOREREG TdmaDataRegIndex=2 RegAddr=0x4400",
        unpack_a, move, move, give_a, NULL};
    static const char *const late[] = {
        unpack_a, move, move, unpack_b, give_a, "SETRWC clear_ab_vld=2", NULL};
    const char *const *const faces[] = {moves, sums, both, three, banks, stores, late};
    for (int i = 0; i < 7; i++) {
        assert_true(run_faces(arch, faces[i], 3, set_x) >= (faces[i] == late ? 6 : 14));
        run_faces(arch, faces[i], 3, set_short_x);
        run_faces(arch, faces[i], 3, "SETADCXX CntSetMask=1 x_end2=127");
    }
}
TILE_BOTH(test_longer_faces)

// A wait for one unit's bytes ends earlier when another's end, which shared what L1 brings.
static void test_shared_bytes(int arch)
{
    static const char long_a[] = "SETADCXX CntSetMask=1 x_end2=255";
    static const char *const other[] = {unpack_b, "PACR PackSel=2 Last=1", pack_last};
    static const char *const longer[] = {unpack_a, unpack_b};
    for (int condition = -2; condition < 13; condition++)
        for (int i = 0; i < (arch == WH ? 9 : 6); i++) {
            struct pair pair = pair_with_unpackers(arch, TSR_PROFILE_SILICON);
            const char *first = longer[i / 3 % 2], *beside = other[i % 3];
            char wait[80];
            snprintf(wait, sizeof wait, "STALLWAIT stall_res=511 wait_res=%d",
                     condition < 0 ? 0 : 1 << condition);
            if (arch != WH && i % 3 == 1)
                beside = pack_last;
            if (first == beside)
                first = unpack_a;
            push(&pair, 0, set_short_x, 1);
            push(&pair, 0, i < 6 ? long_a : set_x, 1);
            push(&pair, 0, i % 2 ? beside : first, 1);
            push(&pair, 0, i % 2 ? first : beside, 1);
            push(&pair, 0, first == unpack_a && condition % 2 ? unpack_b : "NOP", 1);
            if (condition >= 0)
                push(&pair, 0, wait, 1);
            push(&pair, 0, condition == -2 ? "ELWADD" : move, 2);
            push(&pair, 0, give_a, 1);
            run(&pair, i == 5 ? 7 : 0, wait);
            pair_free(&pair);
        }
}
TILE_BOTH(test_shared_bytes)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_copies),           TILE_TEST(test_sums),
        TILE_TEST(test_packing),          TILE_TEST(test_among_others),
        TILE_TEST(test_expanders),        TILE_TEST(test_beside_waiting),
        TILE_TEST(test_findings),         TILE_TEST(test_listeners),
        TILE_TEST(test_watched),          TILE_TEST(test_unusual_packing),
        TILE_TEST(test_given_back_twice), TILE_TEST(test_shared_bytes),
        TILE_TEST(test_longer_faces),     TILE_TEST(test_kept_behind_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
