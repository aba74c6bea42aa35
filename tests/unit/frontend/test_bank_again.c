// SPDX-License-Identifier: Apache-2.0
// Rounds of threads 0 and 1 that go the way that they went before (bank_again.c): the tile is the
// same as when every word takes every stage, also where something is otherwise this time, before
// each kind of step. Random programs of the kind: tests/oracle/test_run_oracle.c.
// Pages: UNPACR_Regular.md, MOPExpander.md, SrcASrcB.md.
#include "rig/face_rig.h"
#include "rig/state_compare.h"

enum { FACES = 4, TILES = 16, EMPTY = 0x60000, NEVER = -1 };

// Both ways of running one program.
struct pair {
    tsr_tile *tile[2]; // TSR_PIPELINE_AUTO, TSR_PIPELINE_STAGED
};

// For each face thread 0 unpacks SrcA, and clears SrcB and hands it over; thread 1 moves the face
// to Dst and gives both back.
static void set_mops(tsr_tile *tile)
{
    static const char unpack[] = "UNPACR OvrdThreadId=1 SetDatValid=1 AddrMode=1";
    static const char *const zero[TSR_ARCH_COUNT][7] = {
        {unpack, "UNPACR_NOP Unpack_block_selection=1 NoOp=7", "NOP",
         "UNPACR_NOP Unpack_block_selection=1 NoOp=1", "NOP",
         "UNPACR_NOP Unpack_block_selection=1 NoOp=1",
         "UNPACR_NOP Unpack_block_selection=1 NoOp=1"},
        {unpack, "UNPACR_NOP Unpacker_Select=1 Unpack_Pop=3 Src_ClrVal_Ctrl=1", "NOP",
         "UNPACR_NOP Unpacker_Select=1 Unpack_Pop=1", "NOP",
         "UNPACR_NOP Unpacker_Select=1 Unpack_Pop=1", "UNPACR_NOP Unpacker_Select=1 Unpack_Pop=1"}};
    static const char move[] = "MOVA2D instr_mod=2 addr_mode=0";
    static const char *const one[7] = {
        "NOP", "SETRWC BitMask=3 clear_ab_vld=3", "NOP", move, "NOP", move, move};
    face_mop(tile, 0, FACES, 1, zero[tsr_tile_arch(tile)]);
    face_mop(tile, 1, FACES, 1, one);
}

static struct pair make_pair(int arch)
{
    static const tsr_pipeline pipelines[2] = {TSR_PIPELINE_AUTO, TSR_PIPELINE_STAGED};
    struct pair pair;
    for (int way = 0; way < 2; way++) {
        tsr_options options = tsr_options_default((tsr_arch)arch);
        options.pipeline = pipelines[way];
        options.profile = TSR_PROFILE_SILICON;
        tsr_tile *tile = pair.tile[way] = tile_with(&options);
        face_put(tile, FACE_A, face_a, 2 * FACES * FACE, 3);
        face_unpacker(tile);
        face_matrix(tile, arch);
        set_mops(tile);
    }
    return pair;
}

static void assert_same(const struct pair *pair, int at)
{
    const char *different = tile_difference(pair->tile[0], pair->tile[1]);
    if (different)
        fail_msg("%s differ(s) after tile %d", different, at);
}

// Rounds went as before, and ended before a step of that kind.
static void end_pair(const struct pair *pair, enum tsr_round_step_kind kind)
{
    assert_true(pair->tile[0]->engine.bank_rounds.taken > 0);
    assert_true(pair->tile[0]->engine.bank_rounds.ended[kind] > 0);
    for (int way = 0; way < 2; way++)
        tsr_tile_destroy(pair->tile[way]);
}

// One of the tiles, and what is otherwise in it.
static void run_tile(tsr_tile *tile, int at, int other, void (*change)(tsr_tile *tile, bool other))
{
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    if (change)
        change(tile, at == other);
    tile_field(tile, 1, FIELD_DEST_TARGET_REG_CFG_MATH_Offset,
               (uint32_t)(at % 2 ? 512 : 0) + (at == other && !change ? 4 : 0));
    tile_push(tile, 0, "SETADCZW CntSetMask=3 BitMask=15");
    tile_push(tile, 1, "SETRWC BitMask=15");
    tile_push(tile, 0, "MOP mop_type=1");
    tile_push(tile, 1, "MOP mop_type=1");
    (void)tsr_run(tile, &limits);
}

// Tiles one after the other, with a change before one of them. Returns how often the rounds ended
// before a step of that kind.
static uint64_t run_tiles(int arch, int other, void (*change)(tsr_tile *tile, bool other),
                          enum tsr_round_step_kind kind)
{
    struct pair pair = make_pair(arch);
    for (int at = 0; at < TILES; at++) {
        for (int way = 0; way < 2; way++)
            run_tile(pair.tile[way], at, other, change);
        assert_same(&pair, at);
    }
    const struct tsr_bank_rounds *rounds = &pair.tile[0]->engine.bank_rounds;
    uint64_t ended = rounds->ended[kind];
    if (rounds->taken < TILES / 4)
        fail_msg("%u rounds as before", (unsigned)rounds->taken);
    assert_int_equal(pair.tile[1]->engine.bank_rounds.taken, 0);
    for (int way = 0; way < 2; way++)
        tsr_tile_destroy(pair.tile[way]);
    return ended;
}

static void tiles_go_the_same_way(int arch)
{
    for (int kind = TSR_STEP_UNPACK; kind <= TSR_STEP_MOP; kind++)
        assert_int_equal(run_tiles(arch, NEVER, NULL, (enum tsr_round_step_kind)kind), 0);
}
TILE_BOTH(tiles_go_the_same_way)

static void read_elsewhere(tsr_tile *tile, bool other)
{
    tile_field(tile, 0, FIELD_THCON_SEC0_REG3_Base_address, (other ? EMPTY : FACE_A) / 16 - 1);
}

// Bytes that nobody wrote are reported by the first UNPACR that reads them.
static void unwritten_bytes(int arch)
{
    assert_true(run_tiles(arch, 8, read_elsewhere, TSR_STEP_UNPACK) > 0);
}
TILE_BOTH(unwritten_bytes)

// Rows of Dst that are no whole block further on are no part of a sequence.
static void rows_of_dst_elsewhere(int arch)
{
    assert_true(run_tiles(arch, 8, NULL, TSR_STEP_MATRIX) > 0);
}
TILE_BOTH(rows_of_dst_elsewhere)

static void count_otherwise(tsr_tile *tile, bool other)
{
    tile_field(tile, 1, FIELD_ADDR_MOD_DST_SEC0_DestIncr, other ? 16 : 8);
}

static void other_counters(int arch)
{
    assert_true(run_tiles(arch, 8, count_otherwise, TSR_STEP_MATRIX) > 0);
}
TILE_BOTH(other_counters)

// Of two MOPs of thread 1, the second comes in time, or not.
static void a_mop_that_comes_later(int arch)
{
    struct pair pair = make_pair(arch);
    for (int at = 0; at < TILES; at++) {
        bool late = at % 5 == 4;
        for (int way = 0; way < 2; way++) {
            tsr_limits limits = tsr_limits_default();
            tsr_tile *tile = pair.tile[way];
            limits.external = true;
            for (int i = 0; i < 2; i++) {
                tile_push(tile, 0, "SETADCZW CntSetMask=3 BitMask=15");
                tile_push(tile, 0, "MOP mop_type=1");
            }
            tile_push(tile, 1, "MOP mop_type=1");
            for (int i = late ? 0 : 1; i < 2; i++) {
                if (i == 1)
                    tile_push(tile, 1, "MOP mop_type=1");
                (void)tsr_run(tile, &limits);
            }
        }
        assert_same(&pair, at);
    }
    end_pair(&pair, TSR_STEP_MOP);
}
TILE_BOTH(a_mop_that_comes_later)

// By a SETC16 between two MOPs of thread 1: the sides whose bank SETRWC does not give back.
static void keep_banks(tsr_tile *tile, uint32_t sides)
{
    const struct tsr_field_place *place =
        &tile_env(tile)->isa->field[FIELD_CLR_DVALID_SrcA_Disable];
    char text[80];
    snprintf(text, sizeof text, "SETC16 setc16_reg=%u setc16_value=%u", (unsigned)place->addr32,
             (unsigned)(sides << place->first_bit));
    tile_push(tile, 1, text);
}

// SETRWC goes on to the next bank and stays owner of the one that it gave back the last times.
static void stay_at(int arch, uint32_t sides)
{
    struct pair pair = make_pair(arch);
    for (int at = 0; at < TILES / 2; at++) {
        for (int way = 0; way < 2; way++) {
            tsr_limits limits = tsr_limits_default();
            tsr_tile *tile = pair.tile[way];
            limits.external = true;
            for (int i = 0; i < 2; i++) {
                tile_push(tile, 0, "SETADCZW CntSetMask=3 BitMask=15");
                tile_push(tile, 0, "MOP mop_type=1");
                tile_push(tile, 1, "MOP mop_type=1");
                keep_banks(tile, i == 0 && at == TILES / 4 ? sides : 0);
            }
            (void)tsr_run(tile, &limits);
        }
        assert_same(&pair, at);
    }
    end_pair(&pair, TSR_STEP_MATRIX);
}

static void banks_that_stay(int arch)
{
    for (uint32_t sides = 1; sides <= 3; sides++)
        stay_at(arch, sides);
}
TILE_BOTH(banks_that_stay)

// ---------------------------------------------------------------- a finding that stops the tile

// Thread 0 unpacks faces of SrcA and one of SrcB; thread 1 moves two faces of SrcA, and gives both
// banks back at once, so that two UNPACRs that waited go one behind the other.
static void set_uneven_mops(tsr_tile *tile)
{
    static const char a[] = "UNPACR OvrdThreadId=1 SetDatValid=1 AddrMode=1";
    static const char b[] = "UNPACR Unpack_block_selection=1 OvrdThreadId=1 SetDatValid=1";
    static const char both[] = "SETRWC clear_ab_vld=2";
    static const char *const zero[7] = {"NOP", b, "NOP", a, b, b, b};
    static const char *const one[7] = {
        "NOP", "SETRWC BitMask=3 clear_ab_vld=1", both, "MOVA2D instr_mod=2 addr_mode=0", "NOP",
        both,  "MOVA2D instr_mod=2 addr_mode=0"};
    face_mop(tile, 0, 1, FACES, zero);
    face_mop(tile, 1, FACES, 2, one);
    face_put(tile, FACE_B, face_a, FACE, 3);
}

static void push_with_base(tsr_tile *tile, uint32_t base)
{
    const struct tsr_field_place *place =
        &tile_env(tile)->isa->field[FIELD_THCON_SEC0_REG3_Base_address];
    char text[80];
    snprintf(text, sizeof text, "WRCFG GprAddress=4 CfgReg=%u", (unsigned)place->addr32);
    tile_state(tile)->gprs.value[0][4] = base / 16 - 1;
    for (int i = 0; i < 2; i++) {
        if (i == 1)
            tile_push(tile, 0, text);
        tile_push(tile, 0, "SETADCZW CntSetMask=3 BitMask=15");
        tile_push(tile, 1, "SETRWC BitMask=15");
        tile_push(tile, 0, "MOP mop_type=1");
        tile_push(tile, 1, "MOP mop_type=1");
    }
}

// The faces of one tile are only `faces` up to the end of L1, or of what was written.
static void stop_at(int arch, bool uneven, bool ends, uint32_t faces)
{
    struct pair pair = make_pair(arch);
    const char *different = NULL;
    for (int at = 0; at <= TILES / 2 && !different; at++) {
        for (int way = 0; way < 2; way++) {
            tsr_tile *tile = pair.tile[way];
            tsr_limits limits = tsr_limits_default();
            uint32_t short_of = ends ? tile_state(tile)->l1.size - faces * FACE_BYTES : EMPTY;
            uint32_t base = at == TILES / 2 ? short_of : FACE_A;
            limits.external = true;
            if (at == 0) {
                face_put(tile, short_of, face_a, faces * FACE, 3);
                tsr_tile_set_policy(tile, "uninitialised-l1", TSR_ACTION_STOP);
                tsr_tile_set_policy(tile, "l1-out-of-range", TSR_ACTION_STOP);
                if (uneven)
                    set_uneven_mops(tile);
            }
            tile_field(tile, 0, FIELD_THCON_SEC0_REG3_Base_address,
                       (uneven ? FACE_A : base) / 16 - 1);
            if (!uneven) {
                run_tile(tile, at, NEVER, NULL);
                continue;
            }
            push_with_base(tile, base);
            (void)tsr_run(tile, &limits);
        }
        different = tile_difference(pair.tile[0], pair.tile[1]);
    }
    assert_true(pair.tile[0]->findings.stopped);
    assert_true(pair.tile[0]->engine.bank_rounds.taken > 0);
    if (different)
        fail_msg("%s differ(s): %s, %s, %u faces", different, uneven ? "uneven" : "even",
                 ends ? "end" : "unwritten", (unsigned)faces);
    for (int way = 0; way < 2; way++)
        tsr_tile_destroy(pair.tile[way]);
}

static void a_finding_stops(int arch)
{
    for (unsigned form = 0; form < 4; form++)
        for (uint32_t faces = 1; faces < FACES; faces++)
            stop_at(arch, form & 1, form & 2, faces);
}
TILE_BOTH(a_finding_stops)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(tiles_go_the_same_way), TILE_TEST(unwritten_bytes),
        TILE_TEST(rows_of_dst_elsewhere), TILE_TEST(other_counters),
        TILE_TEST(banks_that_stay),       TILE_TEST(a_mop_that_comes_later),
        TILE_TEST(a_finding_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
