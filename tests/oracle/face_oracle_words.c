// SPDX-License-Identifier: Apache-2.0
// Words of faces, of what stands between them, and of the threads beside. Pages:
// UNPACR_Regular.md, SrcASrcB.md, SETRWC.md, PACR.md, MOPExpander.md, REPLAY.md.
#include "oracle/face_oracle_words.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum { MOST_OF_FACE = 24 };
struct face {
    unsigned unpacks, count;
    uint32_t word[MOST_OF_FACE];
};

// What all words of a program have in common.
struct maker {
    const tsr_tile *tile;
    uint64_t *random;
    struct face_program *program;
    bool wild;      // not only what kernels have
    uint32_t rare;  // one in so many is unlike the others
    uint32_t every; // a word that is no face's comes before one in so many; 0: never
    bool small;     // small words stand between the faces
    bool packs;     // a tile of PACRs stands between the faces
};

static uint32_t draw(const struct maker *maker, uint32_t below)
{
    return run_draw(maker->random, below);
}

static bool one_in(const struct maker *maker, uint32_t n)
{
    return face_draw(maker->random, n);
}

// Of a chip that does not have this instruction or operand: NOP. One in so many of a wild program
// is unlike its text.
enum { UNLIKE = 60, OPERAND_BITS = 24 };
static uint32_t word_of(const struct maker *maker, const char *text)
{
    char error[200] = "";
    uint32_t word = 0;
    if (tsr_assemble(tsr_tile_arch(maker->tile), text, &word, error, sizeof error) != TSR_OK)
        word = tile_word(maker->tile, "NOP");
    if (maker->wild && one_in(maker, UNLIKE))
        word ^= 1u << draw(maker, OPERAND_BITS); // perhaps one that no operand owns
    return word;
}

static uint32_t any_of(const struct maker *maker, const char *const *texts, size_t count)
{
    return word_of(maker, texts[draw(maker, (uint32_t)count)]);
}

static void add(const struct maker *maker, int thread, uint32_t word)
{
    struct face_words *words = &maker->program->of[thread];
    if (words->count < FACE_ORACLE_WORDS)
        words->word[words->count++] = word;
}

static void add_text(const struct maker *maker, int thread, const char *text)
{
    add(maker, thread, word_of(maker, text));
}

// ---------------------------------------------------------------- tables

static const char *const from_a[] = {"MOVA2D instr_mod=2", "MOVA2D instr_mod=2",
                                     "MOVA2D instr_mod=2 addr_mode=1", "MOVA2D instr_mod=2 dst=16",
                                     "MOVA2D instr_mod=2 addr_mode=2"};
static const char *const from_b[] = {"MOVB2D", "MOVB2D addr_mode=1", "MOVB2D dst=16",
                                     "MOVB2D instr_mod=4", "MOVB2D movb2d_instr_mod=4"};
static const char *const from_both[] = {"ELWADD",
                                        "ELWADD addr_mode=1",
                                        "ELWADD dest_accum_en=1",
                                        "ELWADD instr_mod=1",
                                        "ELWADD instr_mod=3",
                                        "ELWADD addr_mode=3",
                                        "ELWSUB",
                                        "ELWMUL",
                                        "ELWMUL addr_mode=1",
                                        "ELWMUL addr_mode=3",
                                        "MVMUL",
                                        "GMPOOL"};
// The matrix unit's, as it comes.
static const char *const computes[] = {"MOVA2D instr_mod=0",
                                       "MOVA2D instr_mod=2 addr_mode=3",
                                       "MOVB2D",
                                       "MOVD2A",
                                       "MOVD2B",
                                       "MOVB2A",
                                       "ELWADD clear_dvalid=1",
                                       "ELWADD clear_dvalid=2",
                                       "ELWMUL clear_dvalid=3",
                                       "ELWADD dst=8",
                                       "ELWADD instr_mod=2",
                                       "ELWADD addr_mode=2",
                                       "ELWMUL instr_mod=1",
                                       "ELWSUB dest_accum_en=1 addr_mode=1",
                                       "MVMUL addr_mode=1",
                                       "MVMUL dst=8 addr_mode=2",
                                       "GAPOOL",
                                       "DOTPV",
                                       "ZEROACC",
                                       "ZEROACC clear_mode=3",
                                       "ZEROSRC",
                                       "SHIFTXA",
                                       "SHIFTXB",
                                       "TRNSPSRCB"};
// What gives no bank back and waits for nothing (lone_small.c), most of it.
static const char *const small[] = {"NOP",
                                    "NOP",
                                    "SETRWC BitMask=7",
                                    "INCRWC rwc_d=8",
                                    "INCRWC rwc_a=8 rwc_b=8",
                                    "SETADCZW CntSetMask=3 BitMask=15",
                                    "SETADCXX CntSetMask=7 x_end2=255",
                                    "SETADC CntSetMask=1",
                                    "INCADCZW CntSetMask=3 ch0_z=1",
                                    "INCADCXY CntSetMask=3 ch0_y=1",
                                    "ADDRCRZW CntSetMask=3",
                                    "SETDMAREG RegIndex16b=4 Payload_SigSel=77",
                                    "SETC16 setc16_reg=41 setc16_value=257",
                                    "WRCFG GprAddress=1 CfgReg=70",
                                    "DMANOP",
                                    "SFPNOP"};
static const char *const waits[] = {"STALLWAIT stall_res=511 wait_res=2",
                                    "STALLWAIT stall_res=511 wait_res=8",
                                    "STALLWAIT stall_res=511 wait_res=24",
                                    "STALLWAIT stall_res=64 wait_res=1",
                                    "STALLWAIT stall_res=64 wait_res=8",
                                    "STALLWAIT stall_res=64 wait_res=24",
                                    "STALLWAIT stall_res=8 wait_res=6",
                                    "STALLWAIT stall_res=4 wait_res=16",
                                    "SEMWAIT sem_sel=2 wait_sem_cond=1 stall_res=511",
                                    "SEMWAIT sem_sel=2 wait_sem_cond=1 stall_res=64",
                                    "SEMWAIT sem_sel=2 wait_sem_cond=2 stall_res=8"};
static const char *const others[] = {"SEMPOST sem_sel=2",
                                     "SEMGET sem_sel=2",
                                     "ATGETM mutex_index=2",
                                     "ATRELM mutex_index=2",
                                     "REPLAY len=3 load_mode=1 execute_while_loading=1",
                                     "REPLAY len=5 load_mode=1",
                                     "REPLAY len=4",
                                     "MOP_CFG zmask_hi16=3",
                                     "MOP mop_type=0 loop_count=2",
                                     "MOP mop_type=1 loop_count=2",
                                     "SETC16 setc16_reg=0 setc16_value=1",
                                     "SETC16 setc16_reg=0 setc16_value=0",
                                     "SETC16 setc16_reg=5 setc16_value=1",
                                     "SETC16 setc16_reg=5 setc16_value=0",
                                     "SETC16 setc16_reg=7 setc16_value=2",
                                     "SETC16 setc16_reg=7 setc16_value=0",
                                     "STOREREG TdmaDataRegIndex=2 RegAddr=0x4400",
                                     "LOADREG TdmaDataRegIndex=9 RegAddr=0x4410",
                                     "RMWCIB0 Mask=255 Data=3 CfgRegAddr=93",
                                     "RDCFG GprAddress=3 CfgReg=5",
                                     "ADDDMAREG OpBisConst=1 ResultRegIndex=3 OpARegIndex=2",
                                     "FLUSHDMA",
                                     "SETPKEDGOF",
                                     "CLEARDVALID cleardvalid=1",
                                     "CLEARDVALID cleardvalid=3",
                                     "CLEARDVALID cleardvalid=2 reset=2",
                                     "CLEARDVALID reset=1",
                                     "CLEARDVALID cleardvalid=3 reset=1",
                                     "SETDVALID setvalid=1",
                                     "SETDVALID setvalid=2",
                                     "SETRWC clear_ab_vld=1",
                                     "SETRWC clear_ab_vld=2",
                                     "SETRWC clear_ab_vld=3",
                                     "UNPACR SetDatValid=1",
                                     "UNPACR OvrdThreadId=1 SetDatValid=1",
                                     "UNPACR OvrdThreadId=1",
                                     "UNPACR Unpack_block_selection=1 OvrdThreadId=1 SetDatValid=1",
                                     "UNPACR_NOP NoOp=1",
                                     "UNPACR_NOP NoOp=7",
                                     "UNPACR_NOP Unpack_Pop=1 Set_Dvalid=1 Unpacker_Select=1",
                                     "SFPLOADI imm16=1",
                                     "SFPLOAD"};
// A PACR of a tile, one that ends it, and two of all packers or interfaces.
enum { PACKS = 4 };
static const char *const packs[TSR_ARCH_COUNT][PACKS] = {
    {"PACR PackSel=1", "PACR PackSel=1 Last=1", "PACR PackSel=15", "PACR PackSel=15 Last=1"},
    {"PACR", "PACR Last=1", "PACR ReadIntfSel=15", "PACR ReadIntfSel=15 Last=1"}};

static uint32_t pack(const struct maker *maker, unsigned which)
{
    return word_of(maker, packs[tsr_tile_arch(maker->tile)][which]);
}

static uint32_t any_small(const struct maker *maker)
{
    return any_of(maker, small, COUNT(small));
}

static uint32_t any_other(const struct maker *maker)
{
    switch (draw(maker, 6)) {
    case 0:
    case 1:
        return any_small(maker);
    case 2:
        return any_of(maker, waits, COUNT(waits));
    case 3:
        return pack(maker, draw(maker, PACKS));
    default:
        return any_of(maker, others, COUNT(others));
    }
}

// ---------------------------------------------------------------- a face

static uint32_t any_unpacr(const struct maker *maker, unsigned side)
{
    const uint32_t rare = maker->rare;
    uint32_t mode = one_in(maker, rare / 4) ? draw(maker, 8) : 1;
    if (maker->wild)
        mode = draw(maker, 256);
    const unsigned overrides = !(maker->wild && one_in(maker, 3));
    const unsigned hands_over = !one_in(maker, rare), last = one_in(maker, 10);
    const unsigned context = one_in(maker, rare) ? draw(maker, 3) : 0;
    const unsigned counters = one_in(maker, 8 * rare) ? draw(maker, 3) : 0;
    const unsigned counted = one_in(maker, 8 * rare), incremented = one_in(maker, 8 * rare);
    char text[240];
    snprintf(text, sizeof text,
             "UNPACR Unpack_block_selection=%u OvrdThreadId=%u SetDatValid=%u AddrMode=%u "
             "CfgContextId=%u CfgContextCntInc=%u AddrCntContextId=%u Last=%u AutoIncContextID=%u",
             side, overrides, hands_over, mode, context, counted, counters, last, incremented);
    return word_of(maker, text);
}

static uint32_t any_setrwc(const struct maker *maker, unsigned sides)
{
    static const uint8_t masks[] = {3, 3, 7, 15};
    char text[120];
    unsigned value[4] = {0};
    for (int i = 0; i < 4; i++)
        if (one_in(maker, 3 * maker->rare))
            value[i] = draw(maker, 16);
    snprintf(text, sizeof text,
             "SETRWC BitMask=%u clear_ab_vld=%u rwc_a=%u rwc_b=%u rwc_d=%u rwc_cr=%u",
             one_in(maker, 4) ? draw(maker, 16) : masks[draw(maker, 4)], sides, value[0], value[1],
             value[2], value[3]);
    return word_of(maker, text);
}

// What the matrix unit computes from these sides, bit 0 for SrcA.
static uint32_t any_compute(const struct maker *maker, unsigned sides)
{
    if (one_in(maker, maker->rare / 2))
        return any_of(maker, computes, COUNT(computes));
    if (sides == 3)
        return any_of(maker, from_both, COUNT(from_both));
    return sides == 1 ? any_of(maker, from_a, COUNT(from_a)) : any_of(maker, from_b, COUNT(from_b));
}

static struct face any_face(const struct maker *maker)
{
    struct face face = {0};
    const uint32_t rare = maker->rare;
    const unsigned first = draw(maker, 2);
    unsigned sides = 1u << first;
    face.word[face.count++] = any_unpacr(maker, first);
    if (draw(maker, 3) == 0) {
        face.word[face.count++] = any_unpacr(maker, first ^ 1);
        sides = 3;
    } else if (maker->wild && one_in(maker, 8)) {
        face.word[face.count++] = any_unpacr(maker, first);
    }
    face.unpacks = face.count;
    const unsigned most = one_in(maker, 5) ? 13 : 3, words = 1 + draw(maker, most);
    const uint32_t word = any_compute(maker, sides);
    for (unsigned i = 0; i < words; i++)
        face.word[face.count++] =
            one_in(maker, 2 * rare) ? any_of(maker, computes, COUNT(computes)) : word;
    face.word[face.count++] = any_setrwc(maker, one_in(maker, rare) ? draw(maker, 4) : sides);
    return face;
}

// ---------------------------------------------------------------- a thread with whole faces

static void add_small(const struct maker *maker, int thread)
{
    const unsigned count = 1 + draw(maker, 30);
    const uint32_t one = any_small(maker), other = any_small(maker);
    for (unsigned i = 0; i < count; i++) {
        const bool third = one_in(maker, 3);
        add(maker, thread, third ? any_small(maker) : draw(maker, 2) ? one : other);
    }
}

// The counters begin anew, and sixteen rows follow each other.
static void add_packs(const struct maker *maker, int thread)
{
    const unsigned all = maker->wild ? 2 * draw(maker, 2) : 0;
    add_text(maker, thread, "SETADCXY CntSetMask=4 BitMask=15");
    add_text(maker, thread, "SETADCZW CntSetMask=4 BitMask=15");
    if (!one_in(maker, 4))
        add_text(maker, thread, "STALLWAIT stall_res=4 wait_res=16");
    const unsigned count = one_in(maker, 4) ? 1 + draw(maker, 20) : 16;
    for (unsigned i = 1; i < count; i++)
        add(maker, thread, one_in(maker, 60) ? any_other(maker) : pack(maker, all));
    add(maker, thread, pack(maker, all + 1));
}

static void add_face(const struct maker *maker, int thread, const struct face *face)
{
    for (unsigned i = 0; i < face->count; i++) {
        uint32_t word = face->word[i];
        if (maker->every && one_in(maker, maker->every))
            add(maker, thread, any_other(maker));
        if (maker->wild && one_in(maker, 100))
            word ^= 1u << draw(maker, 24); // also a bit that no operand owns
        add(maker, thread, word);
    }
}

// A face that a REPLAY plays, at once the first time.
static void add_replay(const struct maker *maker, int thread, const struct face *face,
                       unsigned times)
{
    char text[80];
    snprintf(text, sizeof text, "REPLAY len=%u load_mode=1 execute_while_loading=%u", face->count,
             draw(maker, 2));
    add_text(maker, thread, text);
    for (unsigned i = 0; i < face->count; i++)
        add(maker, thread, face->word[i]);
    snprintf(text, sizeof text, "REPLAY len=%u", face->count);
    for (unsigned i = 0; i < times; i++)
        add_text(maker, thread, text);
}

static void add_faces(const struct maker *maker, int thread)
{
    const struct face face = any_face(maker);
    const unsigned times = 1 + draw(maker, one_in(maker, 2) ? 24 : 8), rewind = draw(maker, 6);
    const unsigned way = draw(maker, 16);
    if (way == 0) {
        add_replay(maker, thread, &face, times);
        return;
    }
    for (unsigned i = 0; i < times; i++) {
        if (i % (rewind ? rewind : 50) == 0)
            add_text(maker, thread, "SETADCZW CntSetMask=3 BitMask=15");
        if (way == 1)
            add_text(maker, thread, "MOP mop_type=1");
        else
            add_face(maker, thread, &face);
    }
}

// How many datums an UNPACR brings, mostly whole faces.
static void add_counters(const struct maker *maker, int thread)
{
    static const uint8_t ends[] = {255, 15, 127, 63, 31, 7, 255, 255};
    char text[80];
    unsigned mask = one_in(maker, 2) ? 1 + draw(maker, 3) : 7;
    unsigned end = ends[draw(maker, COUNT(ends))];
    snprintf(text, sizeof text, "SETADCXX CntSetMask=%u x_end2=%u", mask, end);
    add_text(maker, thread, text);
    if (one_in(maker, 3)) {
        mask = 1 + draw(maker, 2);
        end = 1 + draw(maker, 255);
        snprintf(text, sizeof text, "SETADCXX CntSetMask=%u x_end2=%u", mask, end);
        add_text(maker, thread, text);
    }
    if (maker->packs) {
        snprintf(text, sizeof text, "SETADCXX CntSetMask=4 x_end2=%u",
                 tsr_tile_arch(maker->tile) == TSR_WORMHOLE_B0 && one_in(maker, 2) ? 255 : 15);
        add_text(maker, thread, text);
    }
}

static void make_lone(const struct maker *maker, int thread)
{
    const struct face_words *words = &maker->program->of[thread];
    const unsigned most = 60 + draw(maker, 300);
    add_counters(maker, thread);
    while (words->count < most) {
        if (maker->small && one_in(maker, 2)) {
            add_small(maker, thread);
        } else {
            add_faces(maker, thread);
            if (maker->packs)
                add_packs(maker, thread);
        }
    }
}

// Little: it waits for what the units do, or comes after some cycles.
static void make_beside(const struct maker *maker, int thread)
{
    const unsigned parts = 1 + draw(maker, 20);
    for (unsigned i = 0; i < parts; i++) {
        switch (draw(maker, 6)) {
        case 0:
        case 1:
        case 2:
            for (unsigned cycles = draw(maker, one_in(maker, 4) ? 60 : 12); cycles > 0; cycles--)
                add_text(maker, thread, "NOP");
            break;
        case 3:
            add(maker, thread, any_of(maker, waits, COUNT(waits)));
            break;
        case 4:
            add(maker, thread, any_other(maker));
            break;
        default:
            add(maker, thread,
                one_in(maker, 2) ? any_unpacr(maker, draw(maker, 2)) : any_compute(maker, 3));
            break;
        }
    }
}

// ---------------------------------------------------------------- each thread has its part

static void add_part(const struct maker *maker, int thread, const uint32_t *word, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (maker->every && one_in(maker, maker->every))
            add(maker, thread, any_other(maker));
        add(maker, thread, word[i]);
    }
}

// Thread 0 unpacks, 1 computes, 2 packs, tile by tile; by MOPs or word by word.
static void make_shared(const struct maker *maker, const struct face *mop_face)
{
    const unsigned tiles = 1 + draw(maker, 12);
    add_counters(maker, 0);
    for (unsigned i = 0; i < tiles; i++) {
        const struct face face = one_in(maker, 4) ? any_face(maker) : *mop_face;
        const bool by_mops = !one_in(maker, 4);
        add_text(maker, 0, "SETADCZW CntSetMask=3 BitMask=15");
        for (unsigned times = by_mops ? 0 : 1 + draw(maker, 4); times > 0; times--) {
            add_part(maker, 0, face.word, face.unpacks);
            add_part(maker, 1, face.word + face.unpacks, face.count - face.unpacks);
        }
        for (int thread = 0; by_mops && thread < 2; thread++)
            add_text(maker, thread, "MOP mop_type=1");
        const int thread = (int)draw(maker, TSR_THREADS);
        if (one_in(maker, 4))
            add(maker, thread, any_other(maker));
        if (maker->packs)
            add_packs(maker, 2);
    }
}

// ---------------------------------------------------------------- MOPs

// By their place among the nine words of a MOP with mop_type 1 (page MOPExpander).
enum { OUTER_COUNT, INNER_COUNT, START, END_0, END_1, LOOP_0, LOOP_1, LAST_OF_ALL, LAST_INNER };

static void make_mops(const struct maker *maker, const struct face *face)
{
    const uint32_t nop = word_of(maker, "NOP"), outer = 1 + draw(maker, 6);
    const uint32_t *compute = face->word + face->unpacks;
    const unsigned count = face->count - face->unpacks;
    const uint32_t second = face->unpacks > 1 ? face->word[1] : nop;
    const uint32_t last = face->word[face->unpacks - 1], gives = face->word[face->count - 1];
    uint32_t mops[TSR_THREADS][TSR_MOP_WORDS] = {
        {outer, 1, nop, nop, nop, face->word[0], second, last, last},
        {outer, count, nop, nop, nop, compute[0], nop, gives, gives},
        {1, 15, nop, nop, nop, pack(maker, 0), nop, pack(maker, 1), pack(maker, 1)}};
    for (int thread = 0; thread < TSR_THREADS; thread++)
        memcpy(maker->program->mop[thread], mops[thread], sizeof mops[thread]);
    if (maker->program->lone < 0)
        return;
    uint32_t *mop = maker->program->mop[maker->program->lone]; // whole faces
    const bool both = face->unpacks > 1;
    mop[OUTER_COUNT] = outer;
    mop[INNER_COUNT] = both || count < 2 ? 1 : count - 1;
    mop[START] = face->word[0];
    mop[END_0] = gives;
    mop[END_1] = one_in(maker, 4) ? any_small(maker) : nop;
    mop[LOOP_0] = both ? second : compute[0];
    mop[LOOP_1] = both ? compute[0] : nop;
    mop[LAST_OF_ALL] = mop[LAST_INNER] = compute[0];
}

void face_program_any(const tsr_tile *tile, uint64_t *random, enum face_level level,
                      struct face_program *program)
{
    static const uint8_t every[] = {0, 0, 0, 0, 0, 200, 60, 24, 8};
    static const uint16_t rare[] = {400, 40, 5};
    struct maker maker = {.tile = tile, .random = random, .program = program};
    memset(program, 0, sizeof *program);
    maker.wild = level == FACE_WILD;
    maker.rare = rare[level];
    maker.every = every[draw(&maker, COUNT(every))];
    maker.small = one_in(&maker, 6);
    maker.packs = one_in(&maker, 5);
    program->lone = one_in(&maker, 6) ? (int)draw(&maker, TSR_THREADS) : 0;
    if (one_in(&maker, 5))
        program->lone = -1;
    const struct face face = any_face(&maker);
    make_mops(&maker, &face);
    if (program->lone < 0) {
        make_shared(&maker, &face);
        return;
    }
    make_lone(&maker, program->lone);
    const unsigned beside = one_in(&maker, 2) ? 0 : 1 + draw(&maker, 7);
    for (int thread = 0; thread < TSR_THREADS; thread++)
        if (thread != program->lone && (beside >> thread & 1))
            make_beside(&maker, thread);
}
