// SPDX-License-Identifier: Apache-2.0
// What the threads of random programs say: tables of phrases, as the assembler reads them, and
// programs, MOPs and replay memories that are made of them. Pages: MOPExpander.md, REPLAY.md.
#include "oracle/run_oracle_words.h"

// A run of one line, or of two in turn; a %u is a random number below `below`.
struct phrase {
    const char *text[2];
    uint32_t below;
    uint8_t most; // times
};

// By the thread that has them most often: unpackers, matrix unit, packers. The fourth are anyone's,
// and the last are rare: what reaches through the address map, and more waits.
enum { ROLES = 4, ANYONE = 3, RARE = ROLES, PHRASES = 12 };
static const struct phrase phrases[ROLES + 1][PHRASES] = {
    {
        {{"UNPACR Unpack_block_selection=0 OvrdThreadId=1 SetDatValid=1 AddrMode=%u"}, 256, 4},
        {{"UNPACR Unpack_block_selection=0 OvrdThreadId=1 SetDatValid=1 AddrMode=17",
          "UNPACR Unpack_block_selection=1 OvrdThreadId=1 SetDatValid=1 AddrMode=%u"},
         4,
         6},
        {{"UNPACR Unpack_block_selection=1 OvrdThreadId=1 AddrMode=%u"}, 256, 4},
        {{"UNPACR Unpack_block_selection=0 OvrdThreadId=1 AddrMode=1 CfgContextId=%u"}, 2, 3},
        {{"UNPACR_NOP Unpack_block_selection=%u NoOp=1"}, 2, 2},
        {{"SETADCXX CntSetMask=3 x_end2=%u"}, 64, 1},
        {{"SETADCZW CntSetMask=3 BitMask=%u"}, 16, 1},
        {{"SETADCXY CntSetMask=3 BitMask=%u Ch0_Y=1 Ch1_Y=2"}, 16, 1},
        {{"ZEROSRC src_mask=%u"}, 4, 1},
        {{"SETDVALID setvalid=%u"}, 4, 2},
        {{"REPLAY len=%u"}, 8, 2},
        {{"MOP mop_type=1"}, 1, 1},
    },
    {
        {{"MOVA2D instr_mod=2 dst=%u"}, 8, 9},
        {{"ELWADD dst=%u"}, 8, 9},
        {{"ELWMUL dest_accum_en=1 dst=%u"}, 8, 9},
        {{"MVMUL dst=%u"}, 64, 16},
        {{"MVMUL addr_mode=%u", "MVMUL dst=8 addr_mode=1"}, 4, 16},
        {{"MOVB2D movb2d_instr_mod=4 dst=%u"}, 64, 9},
        {{"SETRWC BitMask=3 clear_ab_vld=%u"}, 4, 1},
        {{"SETRWC BitMask=%u rwc_a=8 rwc_d=16"}, 16, 2},
        {{"ELWADD clear_dvalid=%u"}, 4, 2},
        {{"ZEROACC clear_mode=%u"}, 4, 1},
        {{"REPLAY len=%u"}, 16, 2},
        {{"MOP mop_type=1"}, 1, 1},
    },
    {
        {{"PACR PackSel=1 Last=%u"}, 2, 16},
        {{"PACR PackSel=15 Last=%u"}, 2, 4},
        {{"PACR PackSel=1 AddrMode=%u", "PACR PackSel=1"}, 4, 16},
        {{"PACR PackSel=1 AddrMode=1", "PACR PackSel=1 Last=1"}, 1, 8},
        {{"PACR ReadIntfSel=%u"}, 16, 8},
        {{"SETADCXY CntSetMask=4 BitMask=%u"}, 16, 1},
        {{"SETADC CntSetMask=4 DimensionIndex=3 Value=%u"}, 2, 1},
        {{"INCADCXY CntSetMask=4 Ch0_Y=%u"}, 4, 1},
        {{"STALLWAIT stall_res=4 wait_res=16"}, 1, 1},
        {{"ZEROACC clear_mode=%u"}, 4, 1},
        {{"REPLAY len=%u"}, 17, 1},
        {{"MOP mop_type=1"}, 1, 2},
    },
    {
        {{"SETDMAREG RegIndex16b=%u Payload_SigSel=77"}, 16, 3},
        {{"SETDMAREG RegIndex16b=%u Payload_SigSel=3", "WRCFG GprAddress=0 CfgReg=13"}, 16, 2},
        {{"SETC16 setc16_reg=1 setc16_value=%u"}, 512, 1},
        {{"SEMPOST sem_sel=%u"}, 4, 1},
        {{"SEMGET sem_sel=%u"}, 4, 1},
        {{"STALLWAIT stall_res=64 wait_res=%u"}, 1024, 1},
        {{"SEMWAIT stall_res=%u wait_sem_cond=1 sem_sel=2"}, 512, 1},
        {{"INCRWC rwc_a=%u rwc_d=8"}, 16, 1},
        {{"NOP"}, 1, 2},
        {{"SEMINIT sem_sel=2 init_value=%u max_value=15"}, 3, 1},
        {{"MOP_CFG zmask_hi16=%u"}, 4, 1},
        {{"MOP mop_type=0 mop_type=%u"}, 2, 1},
    },
    {
        {{"STALLWAIT stall_res=511 wait_res=%u"}, 8192, 1},
        {{"LOADREG TdmaDataRegIndex=9 RegAddr=0x44%u0"}, 4, 2},
        {{"STOREREG TdmaDataRegIndex=%u RegAddr=0x4404"}, 8, 2},
        {{"LOADIND AddrRegIndex=%u DataRegIndex=6 OffsetIndex=4 SizeSel=1"}, 8, 2},
        {{"ADDDMAREG OpBisConst=1 ResultRegIndex=3 OpBRegIndex=2 OpARegIndex=%u"}, 8, 3},
        {{"XMOV Last=%u"}, 1, 1},
        {{"FLUSHDMA FlushSpec=%u"}, 16, 1},
        {{"ATGETM mutex_index=%u", "ATRELM mutex_index=%u"}, 1, 4},
        {{"RDCFG GprAddress=%u CfgReg=5"}, 8, 2},
        {{"RMWCIB0 Mask=255 Data=3 CfgRegAddr=%u"}, 40, 4},
        {{"SEMWAIT stall_res=511 wait_sem_cond=%u sem_sel=1"}, 4, 1},
        {{"MOVD2A instr_mod=2 src=%u", "MOVD2B src=%u"}, 8, 3},
    },
};

// Faces that threads 0 and 1 hand to each other through the banks of Src, again and again.
enum { FACES = 8 };
static const struct phrase faces[2][FACES] = {
    {
        {{"UNPACR OvrdThreadId=1 SetDatValid=1 AddrMode=%u"}, 2, 9},
        {{"UNPACR OvrdThreadId=1 SetDatValid=1 AddrMode=1",
          "UNPACR Unpack_block_selection=1 OvrdThreadId=1 SetDatValid=1"},
         1,
         16},
        {{"UNPACR OvrdThreadId=1 SetDatValid=1", "UNPACR_NOP Unpack_block_selection=1 NoOp=7"},
         1,
         16},
        {{"UNPACR OvrdThreadId=1 SetDatValid=1",
          "UNPACR_NOP Unpack_Pop=1 Set_Dvalid=1 Unpacker_Select=1"},
         1,
         16},
        {{"UNPACR_NOP Unpack_block_selection=%u NoOp=1",
          "UNPACR Unpack_block_selection=1 OvrdThreadId=1 SetDatValid=1"},
         2,
         9},
        {{"UNPACR OvrdThreadId=1 SetDatValid=1 AddrMode=1",
          "UNPACR Unpack_block_selection=1 OvrdThreadId=1 SetDatValid=1"},
         1,
         16},
        {{"UNPACR Unpack_block_selection=%u OvrdThreadId=1 SetDatValid=1"}, 2, 6},
        {{"MOP mop_type=1"}, 1, 2},
    },
    {
        {{"MOVA2D instr_mod=2 dst=%u", "SETRWC clear_ab_vld=3"}, 8, 16},
        {{"ELWADD dst=%u", "SETRWC clear_ab_vld=3"}, 8, 16},
        {{"ELWADD clear_dvalid=3 dst=%u"}, 8, 9},
        {{"MOVA2D instr_mod=2", "SETRWC clear_ab_vld=%u"}, 4, 9},
        {{"MVMUL clear_dvalid=3 dst=%u"}, 8, 6},
        {{"MOVB2D movb2d_instr_mod=4 dst=%u", "SETRWC clear_ab_vld=2"}, 8, 9},
        {{"SETRWC clear_ab_vld=%u"}, 4, 3},
        {{"MOP mop_type=1"}, 1, 2},
    },
};

// What MOPs of theirs are made of that do so face by face.
enum { TURNS = 8 };
static const struct phrase turns[2][TURNS] = {
    {
        {{"UNPACR OvrdThreadId=1 SetDatValid=1 AddrMode=%u"}, 4, 1},
        {{"UNPACR Unpack_block_selection=1 OvrdThreadId=1 SetDatValid=1 AddrMode=%u"}, 4, 1},
        {{"UNPACR Unpack_block_selection=%u OvrdThreadId=1 SetDatValid=1"}, 2, 1},
        {{"UNPACR Unpack_block_selection=%u OvrdThreadId=1 AddrMode=1"}, 2, 1},
        {{"UNPACR_NOP Unpack_block_selection=%u NoOp=7"}, 2, 1},
        {{"UNPACR_NOP Unpack_block_selection=%u NoOp=1"}, 2, 1},
        {{"UNPACR_NOP Unpack_Pop=1 Set_Dvalid=1 Unpacker_Select=%u"}, 2, 1},
        {{"UNPACR_NOP Unpack_Pop=1 Unpacker_Select=%u"}, 2, 1},
    },
    {
        {{"MOVA2D instr_mod=2 dst=%u"}, 8, 1},
        {{"MOVA2D instr_mod=2 addr_mode=%u"}, 4, 1},
        {{"MOVB2D movb2d_instr_mod=4 dst=%u"}, 8, 1},
        {{"ELWADD dst=%u"}, 8, 1},
        {{"ELWADD clear_dvalid=%u"}, 4, 1},
        {{"MVMUL clear_dvalid=%u"}, 4, 1},
        {{"SETRWC clear_ab_vld=3 BitMask=%u"}, 4, 1},
        {{"SETRWC clear_ab_vld=%u"}, 4, 1},
    },
};

// One in so many is unlike its text.
enum { UNLIKE = 80, OPERAND_BITS = 24 };
static uint32_t word_of(const tsr_tile *tile, uint64_t *random, const char *text, uint32_t below)
{
    char line[160], error[200] = "";
    uint32_t word = 0;
    snprintf(line, sizeof line, text, run_draw(random, below));
    if (tsr_assemble(tsr_tile_arch(tile), line, &word, error, sizeof error) != TSR_OK)
        word = tile_word(tile, "NOP"); // an operand that only the other chip has
    if (run_draw(random, UNLIKE) == 0)
        word ^= 1u << run_draw(random, OPERAND_BITS); // perhaps one that no operand owns
    return word;
}

static void add_word(struct run_words *words, uint32_t word)
{
    assert_true(words->count < RUN_WORDS);
    words->word[words->count++] = word;
}

static void add_phrase(const tsr_tile *tile, uint64_t *random, struct run_words *words,
                       const struct phrase *phrase)
{
    uint32_t of[2];
    of[0] = word_of(tile, random, phrase->text[0], phrase->below);
    of[1] = phrase->text[1] ? word_of(tile, random, phrase->text[1], phrase->below) : of[0];
    uint32_t times = 1 + run_draw(random, phrase->most);
    for (uint32_t i = 0; i < times && words->count < RUN_WORDS; i++)
        add_word(words, of[i % 2]);
}

static const struct phrase *any_phrase(uint64_t *random, int role)
{
    if (run_draw(random, 20) == 0)
        return &phrases[RARE][run_draw(random, PHRASES)];
    if (run_draw(random, 8) == 0)
        role = (int)run_draw(random, ROLES);
    return &phrases[role][run_draw(random, PHRASES)];
}

// A word that reaches through the address map, or may start what is not a thread's.
static const struct phrase *foreign_phrase(uint64_t *random)
{
    int role = run_draw(random, 2) ? RARE : ANYONE;
    return &phrases[role][run_draw(random, PHRASES)];
}

// What plays later: a REPLAY that loads a phrase, and executes it or not.
static void add_replay(const tsr_tile *tile, uint64_t *random, struct run_words *words, int thread)
{
    struct run_words loaded = {0};
    add_phrase(tile, random, &loaded, &phrases[thread][run_draw(random, PHRASES - 2)]);
    if (words->count + loaded.count + 1 > RUN_WORDS)
        return;
    char text[80];
    snprintf(text, sizeof text, "REPLAY load_mode=1 execute_while_loading=%u len=%d",
             run_draw(random, 2), loaded.count);
    add_word(words, tile_word(tile, text));
    for (int i = 0; i < loaded.count; i++)
        add_word(words, loaded.word[i]);
}

struct run_words run_words_any(const tsr_tile *tile, uint64_t *random, int thread, bool alone)
{
    struct run_words words = {0};
    uint32_t most = run_draw(random, 12);
    for (uint32_t i = 0; i < most; i++) {
        int role = thread;
        if (run_draw(random, alone ? 6 : 3) == 0)
            role = ANYONE;
        else if (alone)
            role = (int)run_draw(random, ANYONE);
        add_phrase(tile, random, &words, any_phrase(random, role));
    }
    if (run_draw(random, 8) == 0)
        add_replay(tile, random, &words, thread);
    return words;
}

struct run_words run_words_faces(const tsr_tile *tile, uint64_t *random, int thread)
{
    struct run_words words = {0};
    uint32_t most = 1 + run_draw(random, 5);
    for (uint32_t i = 0; i < most; i++) {
        add_phrase(tile, random, &words, &faces[thread][run_draw(random, FACES)]);
        if (run_draw(random, 6) == 0)
            add_phrase(tile, random, &words, foreign_phrase(random));
    }
    return words;
}

struct run_words run_words_turns(const tsr_tile *tile, uint64_t *random)
{
    enum { BETWEEN = 6 };
    static const char *const between[BETWEEN] = {
        "SETRWC BitMask=%u rwc_a=8", "SETC16 setc16_value=%u", "SEMPOST sem_sel=%u",
        "SEMGET sem_sel=%u",         "INCRWC rwc_d=%u",        "SETADC Value=%u"};
    struct run_words words = {0};
    uint32_t most = 1 + run_draw(random, 6);
    for (uint32_t i = 0; i < most; i++) {
        add_word(&words, tile_word(tile, "MOP mop_type=1"));
        if (run_draw(random, 2))
            add_word(&words, word_of(tile, random, between[run_draw(random, BETWEEN)], 4));
        if (run_draw(random, 12) == 0)
            add_phrase(tile, random, &words, foreign_phrase(random));
    }
    return words;
}

// ---------------------------------------------------------------- what MOPs and REPLAYs run

// By their place among the nine words of a MOP with mop_type 1 (page MOPExpander).
enum { OUTER_COUNT, INNER_COUNT, START, END_0, END_1, LOOP_0, LOOP_1, LAST_OF_ALL, LAST_INNER };

void run_words_mop(const tsr_tile *tile, uint64_t *random, int thread, uint32_t mop[TSR_MOP_WORDS])
{
    uint32_t nop = tile_word(tile, "NOP");
    const struct phrase *phrase;
    if (thread < 2 && run_draw(random, 2))
        phrase = &faces[thread][run_draw(random, FACES - 1)];
    else
        phrase = any_phrase(random, thread);
    uint32_t loop = word_of(tile, random, phrase->text[0], phrase->below);
    uint32_t last = word_of(tile, random, any_phrase(random, thread)->text[0], 4);
    uint32_t in_turn = last;
    if (run_draw(random, 3))
        in_turn = nop;
    else if (phrase->text[1] && run_draw(random, 2))
        in_turn = word_of(tile, random, phrase->text[1], phrase->below);
    mop[OUTER_COUNT] = 1 + run_draw(random, 3);
    mop[INNER_COUNT] = 1 + run_draw(random, 17);
    mop[START] = nop;
    mop[END_0] = run_draw(random, 2) ? nop : last;
    mop[END_1] = nop;
    mop[LOOP_0] = loop;
    mop[LOOP_1] = in_turn;
    mop[LAST_OF_ALL] = run_draw(random, 2) ? loop : last;
    mop[LAST_INNER] = loop;
}

// The word of such a place that gives a face to the other thread, or takes one from it.
static const struct phrase *phrase_in_step(uint64_t *random, tsr_arch arch, int thread, int place)
{
    if (thread == 0) {
        if (place == LOOP_0)
            return &turns[0][0];
        if (run_draw(random, 2))
            return &turns[0][1];
        return &turns[0][arch == TSR_BLACKHOLE_A0 ? 6 : 4];
    }
    return &turns[1][place == LOOP_0 ? run_draw(random, 4) : 6];
}

void run_words_turn_mop(const tsr_tile *tile, uint64_t *random, int thread, bool in_step,
                        uint32_t mop[TSR_MOP_WORDS])
{
    for (int place = 0; place < TSR_MOP_WORDS; place++) {
        const struct phrase *phrase = &turns[thread][run_draw(random, TURNS)];
        bool left_out;
        if (in_step) {
            left_out = place < LOOP_0 || (thread == 1 && place == LOOP_1);
            phrase = phrase_in_step(random, tsr_tile_arch(tile), thread, place);
        } else {
            left_out = run_draw(random, 4) == 0;
        }
        mop[place] = word_of(tile, random, left_out ? "NOP" : phrase->text[0], phrase->below);
        if (place <= INNER_COUNT)
            mop[place] = 1 + run_draw(random, 4);
    }
}

void run_words_replay(const tsr_tile *tile, uint64_t *random, int thread,
                      uint32_t word[TSR_REPLAY_WORDS])
{
    struct run_words words = {0};
    while (words.count < TSR_REPLAY_WORDS)
        add_phrase(tile, random, &words, &phrases[thread][run_draw(random, PHRASES - 2)]);
    memcpy(word, words.word, sizeof(uint32_t) * TSR_REPLAY_WORDS);
}
