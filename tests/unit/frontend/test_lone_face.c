// SPDX-License-Identifier: Apache-2.0
// With timing on, faces that a lone thread brings to Src and computes on
// (src/frontend/lone_face.c): each case must leave what TSR_PIPELINE_STAGED leaves, cycles and
// findings included, wherever a run is cut. The first cases must have whole faces, the others are
// what must be noticed. Random programs: oracle/test_face_oracle.c. Pages: UNPACR_Regular.md,
// SETRWC.md, SrcASrcB.md.
#include "rig/lone_faces.h"

// ---------------------------------------------------------------- a thread whose FIFOs stay full

// The words, as many as go into the FIFOs at a time, and runs of so many words or cycles between;
// 0: until nothing moves. How many went in whole faces.
static uint64_t stream_words(struct pair *pair, const uint32_t *words, unsigned count, unsigned cut)
{
    const uint64_t before = pair->tile[0]->engine.in_faces;
    tsr_limits limits = tsr_limits_default();
    *(pair->by_words ? &limits.max_words : &limits.max_cycles) = cut;
    tsr_end end = TSR_END_IDLE;
    for (unsigned at = 0; at < count && !pair->stuck;) {
        const tsr_status status = tsr_push(pair->tile[0], 0, words[at]);
        assert_int_equal(status, tsr_push(pair->tile[1], 0, words[at]));
        at += status == TSR_OK;
        if (status == TSR_OK && at < count)
            continue;
        end = tsr_run(pair->tile[0], &limits);
        assert_int_equal(end, tsr_run(pair->tile[1], &limits));
        const char *different = tile_difference(pair->tile[0], pair->tile[1]);
        if (different)
            fail_msg("cut %u %s, word %u: %s differ(s)", cut, pair->by_words ? "words" : "cycles",
                     at, different);
        pair->stuck = end != TSR_END_IDLE && end != TSR_END_TIMEOUT && end != TSR_END_WORDS;
    }
    if (!pair->stuck)
        run(pair, 0, "the rest");
    return pair->tile[0]->engine.in_faces - before;
}

enum { MOST_LINES = 160 };

static uint64_t stream(struct pair *pair, const char *const *lines, unsigned count, unsigned cut)
{
    uint32_t words[MOST_LINES];
    for (unsigned i = 0; i < count; i++)
        words[i] = line_word(pair, lines[i]);
    return stream_words(pair, words, count, cut);
}

static unsigned repeat(const char *all[MOST_LINES], const char *const *lines)
{
    unsigned count = 0;
    while (count + 12 < MOST_LINES) {
        all[count++] = rewind_z;
        for (int face = 0; face < 4; face++)
            for (const char *const *line = lines; *line && count < MOST_LINES; line++)
                all[count++] = *line;
    }
    return count;
}

// The lines again and again, in runs of several lengths. How many words went in whole faces, at
// most.
static uint64_t stream_faces(int arch, const char *const *lines, const char *x)
{
    static const uint8_t cuts[] = {0, 1, 3, 8, 12, 13, 33, 41, 64, 100};
    const char *all[MOST_LINES];
    const unsigned count = repeat(all, lines);
    uint64_t most = 0;
    for (size_t cut = 0; cut < 2 * sizeof cuts; cut++) {
        struct pair pair = pair_with_unpackers(arch, TSR_PROFILE_SILICON);
        pair.by_words = cut % 2;
        push(&pair, 0, x, 1);
        uint64_t in_faces = stream(&pair, all, count, cuts[cut / 2]);
        most = in_faces > most ? in_faces : most;
        pair_free(&pair);
    }
    return most;
}

// ---------------------------------------------------------------- whole faces

static void test_copies(int arch)
{
    static const char *const face[] = {unpack_a, move, move, give_a, NULL};
    assert_true(stream_faces(arch, face, set_x) >= 60);
    assert_true(stream_faces(arch, face, set_short_x) >= 60);
}
TILE_BOTH(test_copies)

// Both unpackers share what L1 brings, so that the first one's bytes take longer.
static void test_sums(int arch)
{
    static const char *const sum[] = {unpack_a, unpack_b, "ELWADD", "ELWADD", give_both, NULL};
    static const char *const other[] = {unpack_b, unpack_a, "ELWSUB", "ELWSUB", give_both, NULL};
    assert_true(stream_faces(arch, sum, set_x) >= 60);
    assert_true(stream_faces(arch, other, set_x) >= 60);
    stream_faces(arch, sum, "SETADCXX CntSetMask=1 x_end2=127");
    stream_faces(arch, other, "SETADCXX CntSetMask=2 x_end2=63");
    stream_faces(arch, sum, set_short_x); // the first one's are there before the other's begin
}
TILE_BOTH(test_sums)

// The bytes of both may be there in one cycle: they end in the order of the units, whichever word
// came first.
static void test_bytes_of_both(int arch)
{
    static const char *const face[] = {unpack_b, unpack_a, "ELWADD", "ELWADD", give_both, NULL};
    const char *all[MOST_LINES];
    const unsigned count = repeat(all, face);
    for (unsigned datums = 16; datums <= 256; datums += 16)
        for (unsigned cut = 6; cut < 20; cut++) {
            char more[40];
            snprintf(more, sizeof more, "SETADCXX CntSetMask=2 x_end2=%u", datums - 1);
            struct pair pair = pair_with_unpackers(arch, TSR_PROFILE_SILICON);
            pair.by_words = true;
            push(&pair, 0, set_short_x, 1);
            push(&pair, 0, more, 1);
            stream(&pair, all, count, cut);
            pair_free(&pair);
        }
}
TILE_BOTH(test_bytes_of_both)

// More words than their latency before the SETRWC that goes with them.
static void test_longer_faces(int arch)
{
    static const char *const moves[] = {unpack_a, move, move, move, move, move, move, give_a, NULL};
    static const char *const from_b[] = {unpack_b, "MOVB2D", "MOVB2D", "SETRWC clear_ab_vld=2",
                                         NULL};
    static const char *const products[] = {unpack_a, unpack_b,  "ELWMUL", "ELWMUL",
                                           "ELWMUL", give_both, NULL};
    assert_true(stream_faces(arch, moves, set_x) >= 40);
    stream_faces(arch, from_b, set_x);
    stream_faces(arch, products, set_x);
    stream_faces(arch, moves, set_short_x);
}
TILE_BOTH(test_longer_faces)

// As many words as a face may have (TSR_FACE_WORDS), some fewer and some more.
static void test_longest_faces(int arch)
{
    enum { SHORTEST = TSR_FACE_WORDS - 3, LONGEST = TSR_FACE_WORDS + 2 };
    for (int words = SHORTEST; words <= LONGEST; words++) {
        const char *lines[LONGEST + 1] = {unpack_a};
        for (int i = 1; i < words - 1; i++)
            lines[i] = move;
        lines[words - 1] = give_a;
        lines[words] = NULL;
        const uint64_t in_faces = stream_faces(arch, lines, set_x);
        if (words > TSR_FACE_WORDS)
            assert_int_equal(in_faces, 0);
        else if (arch == WH) // BH's FIFOs hold fewer than a face needs behind it
            assert_true(in_faces >= (uint64_t)words);
    }
}
TILE_BOTH(test_longest_faces)

static void test_one_word(int arch)
{
    static const char *const copy[] = {unpack_a, move, give_a, NULL};
    static const char *const sum[] = {unpack_b, unpack_a, "ELWADD", give_both, NULL};
    assert_true(stream_faces(arch, copy, set_x) >= 40);
    assert_true(stream_faces(arch, sum, set_x) >= 40);
}
TILE_BOTH(test_one_word)

// ---------------------------------------------------------------- what must be noticed

// A run ends while bytes are on their way, or in the cycles of the block behind them.
static void test_slow_bytes(int arch)
{
    static const char *const faces[][6] = {{unpack_a, move, move, give_a},
                                           {unpack_a, unpack_b, "ELWADD", "ELWADD", give_both}};
    for (int i = 0; i < 2; i++)
        for (unsigned cut = 30; cut < 80; cut++) {
            const char *all[MOST_LINES];
            const unsigned count = repeat(all, faces[i]);
            struct pair pair = pair_with_unpackers(arch, TSR_PROFILE_SILICON);
            for (int way = 0; way < 2; way++) {
                tile_field(pair.tile[way], 0, FIELD_THCON_SEC0_REG2_Throttle_mode, 0);
                tile_field(pair.tile[way], 0, FIELD_THCON_SEC1_REG2_Throttle_mode, 0);
            }
            push(&pair, 0, set_x, 1);
            stream(&pair, all, count, cut);
            pair_free(&pair);
        }
}
TILE_BOTH(test_slow_bytes)

// Each word of a face once with a bit that no operand owns.
static void test_reserved_bits(int arch)
{
    static const char again_a[] = "UNPACR OvrdThreadId=1 SetDatValid=1",
                      again_b[] = "UNPACR Unpack_block_selection=1 OvrdThreadId=1 SetDatValid=1";
    static const char *const faces[][5] = {{again_a, again_b, "ELWADD", "ELWADD", give_both},
                                           {again_a, move, move, move, give_a}};
    enum { WORDS = 120 };
    for (int i = 0; i < 2; i++)
        for (int place = 15; place < 70; place++) {
            struct pair pair = pair_with_unpackers(arch, TSR_PROFILE_SILICON);
            uint32_t words[WORDS];
            for (int word = 0; word < WORDS; word++)
                words[word] = line_word(&pair, faces[i][word % 5]);
            const uint32_t reserved = pair.tile[0]->engine.route[words[place] >> 24].reserved;
            words[place] |= reserved & (0u - reserved);
            words[place + 5] = words[place];
            pair.by_words = true;
            push(&pair, 0, set_x, 1);
            assert_true(stream_words(&pair, words, WORDS, 0) >= 5);
            if (reserved != 0)
                assert_non_null(tile_found(pair.tile[0], "stray-operand-bits"));
            pair_free(&pair);
        }
}
TILE_BOTH(test_reserved_bits)

// A word of another thread waits in the matrix unit until it may read Dst; that thread has no
// other.
static void test_beside_waiting(int arch)
{
    static const char *const face[] = {unpack_a, move, move, give_a, NULL};
    static const char sum[] = "ELWADD dest_accum_en=1";
    for (int delay = 0; delay < 12; delay++)
        for (int words = 1; words < 4; words++) {
            const char *all[MOST_LINES];
            repeat(all, face);
            struct pair pair = pair_with_unpackers(arch, TSR_PROFILE_SILICON);
            for (int way = 0; way < 2; way++)
                for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
                    struct tsr_src *src = &tile_state(pair.tile[way])->src[side];
                    tsr_src_for_matrix(src)->matrix_owns = true;
                    src->unpacker_bank = src->matrix_bank ^ 1;
                }
            field(&pair, FIELD_ADDR_MOD_DST_SEC0_DestIncr, 0);
            push(&pair, 1, "NOP", delay);
            push(&pair, 1, sum, words);
            push(&pair, 0, set_short_x, 1);
            stream(&pair, all, 40, 0);
            pair_free(&pair);
        }
}
TILE_BOTH(test_beside_waiting)

// What looks like a face and is none, or one whose end nobody knows: a bank that is not brought, is
// not given back, or is given back without a wait for it; bytes of the other side that come later.
static void test_unlike_faces(int arch)
{
    static const char only_fill[] = "UNPACR OvrdThreadId=1 AddrMode=1";
    static const char give_b[] = "SETRWC clear_ab_vld=2", give_none[] = "SETRWC BitMask=1";
    static const char store[] = "STOREREG TdmaDataRegIndex=2 RegAddr=0x4400";
    static const char *const faces[][10] = {
        {unpack_a, unpack_b, move, move, give_a, give_b},
        {unpack_a, unpack_b, move, move, give_both},
        {unpack_a, move, move, give_both},
        {unpack_a, move, move, give_none, give_a},
        {unpack_a, unpack_a, move, move, give_a, move, move, give_a},
        {only_fill, unpack_a, move, move, give_a},
        {unpack_a, only_fill, move, move, give_a},
        {unpack_b, unpack_a, only_fill, move, move, give_both},
        {unpack_a, move, move, give_a, store},
        {unpack_a, move, "MOVA2D instr_mod=0", give_a},
        {unpack_a, unpack_b, "ELWADD", move, give_both},
        {unpack_a, unpack_b, "ELWADD dest_accum_en=1", "ELWADD dest_accum_en=1", give_both},
        {unpack_a, unpack_b, "MVMUL", "MVMUL", give_both},
        {unpack_a, unpack_b, "MVMUL addr_mode=1", "MVMUL addr_mode=1", "MVMUL", give_both},
        {unpack_a, unpack_b, "ELWADD addr_mode=1", "ELWADD addr_mode=1", give_both},
        {unpack_a, move, move, "SETRWC BitMask=1 clear_ab_vld=1 rwc_a=8"},
        {unpack_a, move, move, "CLEARDVALID cleardvalid=1"},
        {unpack_a, move, move, "NOP", give_a},
        {unpack_a, "NOP", move, move, give_a, give_a, unpack_a, move, move, give_a},
    };
    for (size_t i = 0; i < sizeof faces / sizeof *faces; i++) {
        const char *lines[11] = {NULL};
        memcpy(lines, faces[i], sizeof faces[i]);
        stream_faces(arch, lines, set_x);
        stream_faces(arch, lines, set_short_x);
    }
}
TILE_BOTH(test_unlike_faces)

// Faces with another word here and there, while other threads wait for what the units do or come
// after some cycles.
static void test_among_others(int arch)
{
    static const char *const faces[][7] = {{unpack_a, move, move, give_a},
                                           {unpack_a, unpack_b, "ELWADD", "ELWADD", give_both},
                                           {unpack_b, unpack_a, "ELWADD", "ELWADD", give_both},
                                           {unpack_a, move, move, move, move, give_a}};
    static const char *const others[] = {rewind_z,
                                         set_x,
                                         set_short_x,
                                         "NOP",
                                         pack_last,
                                         "PACR PackSel=1",
                                         give_a,
                                         unpack_b,
                                         move,
                                         "INCRWC rwc_d=8",
                                         "SETRWC BitMask=7",
                                         "STALLWAIT stall_res=511 wait_res=2",
                                         "STALLWAIT stall_res=64 wait_res=24",
                                         "STALLWAIT stall_res=8 wait_res=6",
                                         "REPLAY len=3 load_mode=1 execute_while_loading=1",
                                         "MOP_CFG zmask_hi16=3",
                                         "STOREREG TdmaDataRegIndex=2 RegAddr=0x4400",
                                         "RMWCIB0 Mask=255 Data=3 CfgRegAddr=93",
                                         "SETC16 setc16_reg=41 setc16_value=257",
                                         "CLEARDVALID cleardvalid=1"};
    enum { FACES = sizeof faces / sizeof *faces, OTHERS = sizeof others / sizeof *others };
    uint64_t in_faces = 0;
    for (unsigned seed = 0; seed < 600; seed++) {
        struct pair pair =
            pair_with_unpackers(arch, seed % 4 ? TSR_PROFILE_SILICON : TSR_PROFILE_STRICT);
        uint32_t random = seed * 2654435761u + 7;
        const char *all[MOST_LINES];
        unsigned count = 0;
        while (count + 16 < 120) {
            const char *const *face = faces[(seed + (random >> 28)) % (seed % 3 ? 1 : FACES)];
            for (int again = 0; again < 2; again++)
                for (const char *const *line = face; *line; line++) {
                    random = random * 1664525u + 1013904223u;
                    if ((random >> 8) % 24 == 0)
                        all[count++] = others[(random >> 16) % OTHERS];
                    all[count++] = *line;
                }
            random = random * 1664525u + 1013904223u;
            if (random >> 30)
                all[count++] = rewind_z;
        }
        for (int i = 0; seed % 2 && i < 8; i++) {
            random = random * 1664525u + 1013904223u;
            push(&pair, 1, others[random >> 31 ? 3 : 11 + (random >> 16) % 3], 1 + random % 9);
        }
        pair.by_words = seed % 5 < 3;
        push(&pair, 0, set_x, 1);
        in_faces += stream(&pair, all, count, seed % 7 < 4 ? 0 : 5 + seed % 40);
        pair_free(&pair);
    }
    assert_true(in_faces > 4000);
}
TILE_BOTH(test_among_others)

// The bytes of a face are not all written: the finding has its cycle.
static void test_findings(int arch)
{
    static const char *const face[] = {unpack_a, unpack_b, "ELWADD", "ELWADD", give_both};
    for (int first = 0; first < 4; first++)
        for (int strict = 0; strict < 2; strict++) {
            struct pair pair =
                pair_with_unpackers(arch, strict ? TSR_PROFILE_STRICT : TSR_PROFILE_SILICON);
            const char *all[40];
            for (int i = 0; i < 40; i++)
                all[i] = face[i % 5];
            push(&pair, 0, set_x, 1);
            for (int side = 0; side < 2; side++)
                for (int way = 0; way < 2 && first & 1 << side; way++)
                    tile_field(pair.tile[way], 0,
                               side ? FIELD_THCON_SEC1_REG3_Base_address
                                    : FIELD_THCON_SEC0_REG3_Base_address,
                               0x60000 / 16 - 1);
            stream(&pair, all, 40, 0);
            pair_free(&pair);
        }
}
TILE_BOTH(test_findings)

// A bank is given back while bytes are on their way to it, before it is handed over.
static void test_given_back_early(int arch)
{
    static const char *const faces[][6] = {
        {unpack_a, "MOVB2D", "MOVB2D", give_both, "MOVB2D"},
        {unpack_a, "MOVB2D", "MOVB2D", "CLEARDVALID cleardvalid=3", "MOVB2D"},
        {unpack_a, "MOVB2D", "MOVB2D", "CLEARDVALID reset=1", "MOVB2D"}};
    for (size_t i = 0; i < sizeof faces / sizeof *faces; i++)
        for (unsigned words = 3; words < 24; words++) {
            const char *all[24];
            for (unsigned at = 0; at < words; at++)
                all[at] = faces[i][at % 5];
            struct pair pair = pair_with_unpackers(arch, TSR_PROFILE_SILICON);
            for (int way = 0; way < 2; way++) {
                tsr_src_for_matrix(&tile_state(pair.tile[way])->src[TSR_SRCB])->matrix_owns = true;
                tile_field(pair.tile[way], 0, FIELD_THCON_SEC0_REG2_Throttle_mode, 0);
            }
            push(&pair, 0, set_x, 1);
            stream(&pair, all, words, 0);
            pair_free(&pair);
        }
}
TILE_BOTH(test_given_back_early)

// An expander stops the tile in the cycle in which a word leaves the gate.
static void test_stopped_behind(int arch)
{
    static const char *const before[] = {"NOP",  rewind_z, "SETRWC BitMask=7",
                                         give_a, unpack_a, move};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        for (size_t k = 0; k < sizeof before / sizeof *before; k++)
            for (unsigned words = 1; words < 16; words++) {
                const char *all[MOST_LINES];
                for (unsigned at = 0; at < 20; at++)
                    all[at] = at == words ? "MOP mop_type=1" : before[at % 2 ? k : i];
                struct pair pair = pair_with_unpackers(arch, TSR_PROFILE_STRICT);
                for (int way = 0; way < 2; way++)
                    tsr_src_for_matrix(&tile_state(pair.tile[way])->src[TSR_SRCA])->matrix_owns =
                        words % 2;
                stream(&pair, all, 20, 0);
                pair_free(&pair);
            }
}
TILE_BOTH(test_stopped_behind)

// Dst is not open yet for a block that reads it, or other moves keep the matrix unit's words out.
static void test_behind_moves(int arch)
{
    static const char *const before[] = {"MOVD2A",  "MOVD2B", "MOVB2A", "MVMUL",
                                         "ZEROACC", "GMPOOL", "SHIFTXA"};
    static const char *const face[] = {unpack_a, unpack_b, "ELWADD dest_accum_en=1",
                                       "ELWADD dest_accum_en=1", give_both};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        for (int words = 1; words < 9; words++) {
            struct pair pair = pair_with_unpackers(arch, TSR_PROFILE_SILICON);
            const char *all[60];
            unsigned count = 0;
            for (int again = 0; again < 3; again++) {
                for (int word = 0; word < words; word++)
                    all[count++] = before[i];
                for (int word = 0; word < 10; word++)
                    all[count++] = face[word % 5];
            }
            for (int way = 0; way < 2; way++)
                for (int side = TSR_SRCA; side <= TSR_SRCB; side++)
                    tsr_src_for_matrix(&tile_state(pair.tile[way])->src[side])->matrix_owns =
                        words % 2;
            push(&pair, 0, set_short_x, 1);
            stream(&pair, all, count, 0);
            pair_free(&pair);
        }
}
TILE_BOTH(test_behind_moves)

// The last word of another thread waits in the matrix unit for Dst when a face begins.
static void test_behind_waiting(int arch)
{
    static const char *const face[] = {unpack_a, move, move, give_a};
    for (unsigned begins = 3; begins < 16; begins++) {
        const char *all[60] = {unpack_a, unpack_b, "MOVB2D"}; // the FIFOs fill
        for (unsigned i = 3; i < 60; i++)
            all[i] = i < begins ? "NOP" : face[(i - begins) % 4];
        struct pair pair = pair_with_unpackers(arch, TSR_PROFILE_SILICON);
        field(&pair, FIELD_ADDR_MOD_DST_SEC0_DestIncr, 0);
        push(&pair, 1, "ELWADD", 1);
        push(&pair, 1, "ELWADD dest_accum_en=1", 1);
        push(&pair, 0, set_x, 1);
        stream(&pair, all, 60, 0);
        pair_free(&pair);
    }
}
TILE_BOTH(test_behind_waiting)

// What lone_face.c relies on: a unit that holds nothing keeps no word out, and a SETRWC takes a
// cycle of its thread and goes as a whole.
static void test_costs(int arch)
{
    tsr_tile *tile = tile_default(arch);
    const struct tsr_isa *isa = tile_env(tile)->isa;
    const struct tsr_route *setrwc = &tile->engine.route[tile_word(tile, give_a) >> 24];
    assert_true(setrwc->op == OP_SETRWC && setrwc->timed_whole && setrwc->hold == 1);
    for (int opcode = 0; opcode < 256; opcode++) {
        const struct tsr_route *route = &tile->engine.route[opcode];
        if (route->ops && route->unit == TSR_UNIT_MATRIX)
            assert_true(route->issue_cycles <= route->latency);
    }
    assert_true(isa->rate[RATE_MATRIX_MOVD2A_HOLD] < isa->latency[OP_MOVD2A]);
    assert_true(isa->rate[RATE_MATRIX_MOVD2A_HOLD] < isa->latency[OP_MOVB2A]);
    assert_true(isa->rate[RATE_MATRIX_MOVD2B_HOLD] < isa->latency[OP_MOVD2B]);
    assert_true(isa->issue_cycles[OP_UNPACR] <= isa->rate[RATE_UNPACK_ADDRESS_CYCLES]);
    assert_true(isa->issue_cycles[OP_UNPACR_NOP] <= isa->latency[OP_UNPACR_NOP]);
    assert_int_equal(isa->rate[RATE_EXPAND_CYCLES], 1);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_costs)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_copies),           TILE_TEST(test_sums),
        TILE_TEST(test_longer_faces),     TILE_TEST(test_unlike_faces),
        TILE_TEST(test_among_others),     TILE_TEST(test_findings),
        TILE_TEST(test_behind_moves),     TILE_TEST(test_one_word),
        TILE_TEST(test_slow_bytes),       TILE_TEST(test_reserved_bits),
        TILE_TEST(test_beside_waiting),   TILE_TEST(test_bytes_of_both),
        TILE_TEST(test_given_back_early), TILE_TEST(test_stopped_behind),
        TILE_TEST(test_behind_waiting),   TILE_TEST(test_costs),
        TILE_TEST(test_longest_faces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
