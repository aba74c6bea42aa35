// SPDX-License-Identifier: Apache-2.0
// With timing off, a tile that runs blocks and takes the bypass (TSR_PIPELINE_AUTO) against one in
// which every word takes every stage (TSR_PIPELINE_STAGED); with timing on, one that visits only
// what may move against one that visits everything in each round. After each of many random
// programs of three threads both must remember the same, findings and the cycle included. Programs
// look like kernels: runs of one unit's instructions, from the FIFO, MOPs and REPLAYs, with waits,
// semaphores, configuration writes, resets, breaks and slices in between. Nobody observes, so that
// blocks may run. Usage: test_run_oracle [WORDS [SEED]]: a program for every ten WORDS
#include "rig/state_compare.h"
#include "rig/tile_rig.h"

enum { DEFAULT_PROGRAMS = 600, MOST_WORDS = 64, PROGRAMS_A_TILE = 20 };

static uint64_t seed = 1;
static int programs = DEFAULT_PROGRAMS;

static uint32_t draw(uint32_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

// ---------------------------------------------------------------- programs

struct words {
    int count;
    uint32_t word[MOST_WORDS];
};

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

static uint32_t word_of(const tsr_tile *tile, const char *text, uint32_t below)
{
    char line[160], error[200] = "";
    uint32_t word = 0;
    snprintf(line, sizeof line, text, draw(below));
    if (tsr_assemble(tsr_tile_arch(tile), line, &word, error, sizeof error) != TSR_OK)
        word = tile_word(tile, "NOP"); // an operand that only the other chip has
    return word;
}

static void add_phrase(const tsr_tile *tile, struct words *words, const struct phrase *phrase)
{
    uint32_t of[2] = {word_of(tile, phrase->text[0], phrase->below), 0};
    of[1] = phrase->text[1] ? word_of(tile, phrase->text[1], phrase->below) : of[0];
    uint32_t times = 1 + draw(phrase->most);
    for (uint32_t i = 0; i < times && words->count < MOST_WORDS; i++)
        words->word[words->count++] = of[i % 2];
}

static const struct phrase *any_phrase(int role)
{
    if (draw(20) == 0)
        return &phrases[RARE][draw(PHRASES)];
    return &phrases[draw(8) == 0 ? draw(ROLES) : (unsigned)role][draw(PHRASES)];
}

// `alone`: the thread does everything.
static struct words make_words(const tsr_tile *tile, int thread, bool alone)
{
    struct words words = {0};
    uint32_t most = draw(12);
    for (uint32_t i = 0; i < most; i++) {
        int role = draw(alone ? 6 : 3) == 0 ? ANYONE : alone ? (int)draw(ANYONE) : thread;
        add_phrase(tile, &words, any_phrase(role));
    }
    if (draw(8) != 0)
        return words;
    // What plays later: a REPLAY that loads a phrase, and executes it or not.
    struct words loaded = {0};
    add_phrase(tile, &loaded, &phrases[thread][draw(PHRASES - 2)]);
    if (words.count + loaded.count + 1 > MOST_WORDS)
        return words;
    char text[80];
    snprintf(text, sizeof text, "REPLAY load_mode=1 execute_while_loading=%u len=%d", draw(2),
             loaded.count);
    words.word[words.count++] = tile_word(tile, text);
    for (int i = 0; i < loaded.count; i++)
        words.word[words.count++] = loaded.word[i];
    return words;
}

// A word that reaches through the address map, or may start what is not a thread's, is among them
// now and then.
static struct words make_faces(const tsr_tile *tile, int thread)
{
    struct words words = {0};
    for (uint32_t i = 0, most = 1 + draw(5); i < most; i++) {
        add_phrase(tile, &words, &faces[thread][draw(FACES)]);
        if (draw(6) == 0)
            add_phrase(tile, &words, &phrases[draw(2) ? RARE : ANYONE][draw(PHRASES)]);
    }
    return words;
}

// MOPs like those of set_turns(), and between them what stands there in kernels, or anything.
static struct words make_turns(const tsr_tile *tile)
{
    static const char *const between[6] = {"SETRWC BitMask=%u rwc_a=8", "SETC16 setc16_value=%u",
                                           "SEMPOST sem_sel=%u",        "SEMGET sem_sel=%u",
                                           "INCRWC rwc_d=%u",           "SETADC Value=%u"};
    struct words words = {0};
    for (uint32_t i = 0, most = 1 + draw(6); i < most; i++) {
        words.word[words.count++] = tile_word(tile, "MOP mop_type=1");
        if (draw(2))
            words.word[words.count++] = word_of(tile, between[draw(6)], 4);
        if (draw(12) == 0)
            add_phrase(tile, &words, &phrases[draw(2) ? RARE : ANYONE][draw(PHRASES)]);
    }
    return words;
}

// ---------------------------------------------------------------- tiles

// A field of bank or thread `instance`, if the chip has it.
static void set_field(tsr_tile *tile, int instance, const char *name, uint32_t value)
{
    const tsr_field_info *field = tsr_field_find(tsr_tile_arch(tile), name);
    if (!field)
        return;
    struct tsr_env *env = tile_env(tile);
    uint32_t mask = tsr_mask32(field->width) << field->first_bit;
    if (field->scope == TSR_SCOPE_THREAD) {
        uint32_t old = env->state->config.thread[instance][field->addr32] & ~mask;
        tsr_thread_config_write(env, instance, field->addr32,
                                (uint16_t)(old | (value << field->first_bit & mask)));
    } else if (instance < 2) {
        tsr_config_write(env, instance, field->addr32, value << field->first_bit, mask);
    }
}

static void fill_l1(tsr_tile *tile)
{
    static uint8_t bytes[0x40000];
    uint32_t state = 1;
    for (size_t i = 0; i < sizeof bytes; i += 2) {
        state = state * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(state >> 8);
        bytes[i + 1] = (uint8_t)(0x3e | (state >> 24 & 0x81)); // a small BF16 number
    }
    assert_int_equal(tsr_l1_write(tile, 0, bytes, sizeof bytes), TSR_OK);
}

static void configure(tsr_tile *tile)
{
    enum { BF16 = 5 };
    static const struct {
        const char *name;
        uint32_t value;
    } settings[] = {
        {"THCON_SEC0_REG0_TileDescriptor.InDataFormat", BF16},
        {"THCON_SEC0_REG0_TileDescriptor.IsUncompressed", 1},
        {"THCON_SEC0_REG0_TileDescriptor.XDim", 256},
        {"THCON_SEC0_REG0_TileDescriptor.YDim", 1},
        {"THCON_SEC0_REG0_TileDescriptor.ZDim", 4},
        {"THCON_SEC0_REG2_Out_data_format", BF16},
        {"THCON_SEC0_REG2_Throttle_mode", 2},
        {"THCON_SEC0_REG2_Disable_zero_compress_cntx0", 1},
        {"THCON_SEC0_REG2_Disable_zero_compress_cntx1", 1},
        {"THCON_SEC0_REG3_Base_address", 0x100},
        {"THCON_SEC0_REG3_Base_cntx1_address", 0x300},
        {"THCON_SEC0_REG5_Dest_cntx0_address", 64},
        {"THCON_SEC0_REG5_Dest_cntx1_address", 64},
        {"THCON_SEC0_REG5_Tile_x_dim_cntx0", 256},
        {"THCON_SEC0_REG5_Tile_x_dim_cntx1", 256},
        {"THCON_SEC1_REG0_TileDescriptor.InDataFormat", BF16},
        {"THCON_SEC1_REG0_TileDescriptor.IsUncompressed", 1},
        {"THCON_SEC1_REG0_TileDescriptor.XDim", 256},
        {"THCON_SEC1_REG0_TileDescriptor.YDim", 1},
        {"THCON_SEC1_REG0_TileDescriptor.ZDim", 4},
        {"THCON_SEC1_REG2_Out_data_format", BF16},
        {"THCON_SEC1_REG2_Throttle_mode", 2},
        {"THCON_SEC1_REG2_Disable_zero_compress_cntx0", 1},
        {"THCON_SEC1_REG3_Base_address", 0x200},
        {"UNP0_ADDR_CTRL_XY_REG_0_Ystride", 32},
        {"UNP0_ADDR_CTRL_ZW_REG_0_Zstride", 512},
        {"UNP1_ADDR_CTRL_ZW_REG_0_Zstride", 512},
        {"ALU_FORMAT_SPEC_REG0_SrcA", BF16},
        {"ALU_FORMAT_SPEC_REG1_SrcB", BF16},
        {"ALU_FORMAT_SPEC_REG2_Dstacc", BF16},
        {"PCK0_ADDR_CTRL_XY_REG_0_Ystride", 32},
        {"PCK0_ADDR_CTRL_ZW_REG_0_Zstride", 512},
        {"PCK_EDGE_OFFSET_SEC0_mask", 0xffff},
        {"SRCA_SET_SetOvrdWithAddr", 1},
        {"ADDR_MOD_AB_SEC0_SrcAIncr", 8},
        {"ADDR_MOD_AB_SEC0_SrcBIncr", 8},
        {"ADDR_MOD_DST_SEC0_DestIncr", 8},
        {"ADDR_MOD_AB_SEC1_SrcBIncr", 8},
        {"ADDR_MOD_AB_SEC2_SrcAIncr", 16},
        {"ADDR_MOD_DST_SEC2_DestCR", 1},
        {"ADDR_MOD_DST_SEC2_DestIncr", 16},
        {"ADDR_MOD_DST_SEC3_FidelityIncr", 1},
        {"ADDR_MOD_PACK_SEC0_YsrcIncr", 4},
        {"ADDR_MOD_PACK_SEC1_YsrcIncr", 1},
        {"ADDR_MOD_PACK_SEC1_YsrcCR", 1},
        {"ADDR_MOD_PACK_SEC2_YsrcClear", 1},
        {"ADDR_MOD_PACK_SEC2_ZsrcIncr", 1},
    };
    static const char *const place[4] = {"THCON_SEC0_REG1", "THCON_SEC0_REG8", "THCON_SEC1_REG1",
                                         "THCON_SEC1_REG8"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        for (int instance = 0; instance < TSR_THREADS; instance++) // or the two banks
            set_field(tile, instance, settings[i].name, settings[i].value);
    for (unsigned packer = 0; packer < 4; packer++) {
        const struct {
            const char *name;
            uint32_t value;
        } of_packer[] = {{"Row_start_section_size", 0},
                         {"Disable_zero_compress", 1},
                         {"In_data_format", BF16},
                         {"Out_data_format", BF16},
                         {"L1_Dest_addr", 0x4000 + packer * 0x100}};
        char name[80];
        for (size_t i = 0; i < sizeof of_packer / sizeof *of_packer; i++) {
            snprintf(name, sizeof name, "%s_%s", place[packer], of_packer[i].name);
            set_field(tile, 0, name, of_packer[i].value);
        }
        snprintf(name, sizeof name, "PACK_COUNTERS_SEC%u_pack_reads_per_xy_plane", packer);
        set_field(tile, 0, name, 16);
        snprintf(name, sizeof name, "DEST_TARGET_REG_CFG_PACK_SEC%u_Offset", packer);
        set_field(tile, 0, name, packer * 16);
    }
}

// MOPs of one loop word, of two in turn, or of a REPLAY.
static void set_mop(tsr_tile *tile, int thread)
{
    uint32_t nop = tile_word(tile, "NOP");
    const struct phrase *phrase =
        thread < 2 && draw(2) ? &faces[thread][draw(FACES - 1)] : any_phrase(thread);
    uint32_t loop = word_of(tile, phrase->text[0], phrase->below);
    uint32_t last = word_of(tile, any_phrase(thread)->text[0], 4);
    uint32_t in_turn = draw(3)                      ? nop
                       : phrase->text[1] && draw(2) ? word_of(tile, phrase->text[1], phrase->below)
                                                    : last;
    uint32_t words[TSR_MOP_WORDS] = {1 + draw(3), 1 + draw(17), nop,     draw(2) ? nop : last,
                                     nop,         loop,         in_turn, draw(2) ? loop : last,
                                     loop};
    for (uint32_t i = 0; i < TSR_MOP_WORDS; i++)
        tsr_store(tile, (tsr_core)(TSR_CORE_T0 + thread), 0xffb80000u + 4 * i, words[i], 4);
}

// MOPs of threads 0 and 1 that hand faces to each other: in step, or of any such words.
static void set_turns(tsr_tile *tile, uint64_t from)
{
    uint64_t kept = seed;
    seed = from;
    bool in_step = draw(3) != 0;
    for (int thread = 0; thread < 2; thread++)
        for (uint32_t i = 0; i < TSR_MOP_WORDS; i++) {
            const struct phrase *phrase = &turns[thread][draw(TURNS)];
            bool left_out = in_step ? i < 5 || (thread == 1 && i == 6) : draw(4) == 0;
            if (in_step && thread == 0)
                phrase = &turns[0][i == 5    ? 0
                                   : draw(2) ? 1
                                             : 4 + 2 * (tsr_tile_arch(tile) == TSR_BLACKHOLE_A0)];
            else if (in_step)
                phrase = &turns[1][i == 5 ? draw(4) : 6];
            uint32_t word = word_of(tile, left_out ? "NOP" : phrase->text[0], phrase->below);
            tsr_store(tile, (tsr_core)(TSR_CORE_T0 + thread), 0xffb80000u + 4 * i,
                      i < 2 ? 1 + draw(4) : word, 4);
        }
    seed = kept;
}

// Most tiles begin with sources and Dst that something has written: nothing is reported or tainted
// when it is read, so that blocks have a chance.
static void fill_src_and_dst(tsr_tile *tile)
{
    struct tsr_state *state = tile_state(tile);
    for (int i = 0; i < 4; i++)
        tsr_src_fill(&state->src[i / 2].bank[i % 2], 0x1fc10u + (unsigned)i);
    for (unsigned row = 0; row < TSR_DST_ROWS; row++) {
        for (unsigned column = 0; column < TSR_COLUMNS; column++)
            state->dst.bits[row][column] = (uint16_t)(0x3f80 + row + column);
        state->dst.valid[row] = true;
        state->dst.written[row] = 0xffff;
    }
}

// Replay memories of phrases; an unwritten one would hold no instructions.
static void fill_replay(tsr_tile *tile, int thread)
{
    struct words words = {0};
    while (words.count < TSR_REPLAY_WORDS)
        add_phrase(tile, &words, &phrases[thread][draw(PHRASES - 2)]);
    memcpy(tile_state(tile)->frontend[thread].replay.word, words.word,
           sizeof(uint32_t) * TSR_REPLAY_WORDS);
}

static tsr_tile *make_tile(int arch, bool timing, tsr_pipeline pipeline, uint64_t from)
{
    uint64_t kept = seed;
    seed = from;
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.profile = TSR_PROFILE_SILICON;
    options.pipeline = pipeline;
    options.timing = timing;
    tsr_tile *tile = tile_with(&options);
    fill_l1(tile);
    configure(tile);
    if (draw(4) != 0)
        fill_src_and_dst(tile);
    uint32_t x_end = arch == WH ? 255 : 15;
    char text[80];
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        fill_replay(tile, thread);
        set_mop(tile, thread);
        tile_push(tile, thread, "SETADCXX CntSetMask=3 x_end2=255");
        snprintf(text, sizeof text, "SETADCXX CntSetMask=4 x_end2=%u", x_end);
        tile_push(tile, thread, text);
        tile_push(tile, thread, "SEMINIT sem_sel=2 init_value=0 max_value=15");
    }
    tile_idle(tile);
    seed = kept;
    return tile;
}

// ---------------------------------------------------------------- both ways

// What changes between programs, of the words' source alone: the same for both tiles.
static void disturb(tsr_tile *tile, uint64_t from)
{
    uint64_t kept = seed;
    seed = from;
    int thread = (int)draw(TSR_THREADS);
    static const char *const fields[] = {
        "THCON_SEC0_REG3_Base_address", "THCON_SEC1_REG3_Base_address",
        "THCON_SEC0_REG1_L1_Dest_addr", "THCON_SEC0_REG2_Out_data_format",
        "ALU_FORMAT_SPEC_REG0_SrcA",    "THCON_SEC0_REG1_Out_data_format",
        "ADDR_MOD_AB_SEC0_SrcAIncr",    "DEST_TARGET_REG_CFG_MATH_Offset",
        "PCK_EDGE_OFFSET_SEC0_mask",    "UNP0_ADDR_CTRL_ZW_REG_0_Zstride",
        "STACC_RELU_ApplyRelu",         "ALU_ACC_CTRL_Fp32_enabled",
        "CLR_DVALID_SrcA_Disable",      "ADDR_MOD_PACK_SEC0_YsrcIncr",
        "CFG_STATE_ID_StateID",         "ENABLE_ACC_STATS_Enable",
    };
    switch (draw(6)) {
    case 0:
        set_field(tile, thread, fields[draw(sizeof fields / sizeof *fields)],
                  draw(4) ? draw(64) : 5);
        break;
    case 1:
        set_mop(tile, thread);
        break;
    case 2:
        configure(tile);
        break;
    case 3:
        if (draw(20) == 0) { // a soft reset of some of the tile, there and back
            tsr_store(tile, TSR_CORE_B, 0xffb121b0u, 1u << draw(24), 4);
            tsr_store(tile, TSR_CORE_B, 0xffb121b0u, 0, 4);
        }
        break;
    }
    seed = kept;
}

// What another thread would do for one that waits.
static void release(tsr_tile *tile)
{
    struct tsr_state *state = tile_state(tile);
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
        struct tsr_src *src = &state->src[side];
        src->unpacker_bank = src->matrix_bank ^ 1;
        src->bank[src->matrix_bank].matrix_owns = true;
        src->bank[src->unpacker_bank].matrix_owns = false;
    }
    for (int i = 0; i < TSR_SEMAPHORES; i++)
        state->sync.semaphore[i].value = 1;
}

struct feed {
    struct words words[TSR_THREADS];
    uint32_t off;       // words to the break
    int slice;          // words of a thread at a time
    int breaks;         // thread that breaks after each slice, so many words on; -1: none
    int rounds, cycles; // with timing on: at most so many in a run; 0: no limit
};

static tsr_end run_sliced(tsr_tile *tile, const struct feed *feed, bool external)
{
    tsr_limits limits = tsr_limits_default();
    limits.external = external;
    if (feed->breaks >= 0) {
        limits.break_thread = feed->breaks;
        limits.break_sequence = tile_state(tile)->frontend[feed->breaks].sequence + feed->off;
        tsr_run(tile, &limits);
        limits.break_thread = -1;
    }
    limits.max_steps = (uint64_t)feed->rounds;
    limits.max_cycles = (uint64_t)feed->cycles;
    limits.max_words = feed->rounds + feed->cycles == 0 && feed->slice > 16 ? 5 : 0;
    if (external && feed->rounds == 1)
        return tsr_step(tile) ? TSR_END_TIMEOUT : TSR_END_BLOCKED;
    tsr_end end = tsr_run(tile, &limits);
    while (end == TSR_END_WORDS || (!external && end == TSR_END_TIMEOUT))
        end = tsr_run(tile, &limits);
    return end;
}

static tsr_end go(tsr_tile *tile, const struct feed *feed)
{
    int at[TSR_THREADS] = {0};
    bool left = true;
    for (int rounds = 0; left && rounds < MOST_WORDS; rounds++) {
        left = false;
        for (int thread = 0; thread < TSR_THREADS; thread++) {
            const struct words *words = &feed->words[thread];
            for (int i = 0; i < feed->slice && at[thread] < words->count; i++, at[thread]++)
                if (tsr_push(tile, thread, words->word[at[thread]]) != TSR_OK)
                    break;
            left |= at[thread] < words->count;
        }
        run_sliced(tile, feed, true);
    }
    return run_sliced(tile, feed, false);
}

static void compare(tsr_tile *one, tsr_tile *two, int program, const struct feed *feed)
{
    const char *different = tile_difference(one, two);
    if (!different)
        return;
    for (int thread = 0; thread < TSR_THREADS; thread++)
        for (int i = 0; i < feed->words[thread].count; i++) {
            char text[TSR_INSTRUCTION_TEXT];
            tsr_disassemble(tsr_tile_arch(one), feed->words[thread].word[i], text, sizeof text);
            print_message("T%d %s\n", thread, text);
        }
    fail_msg("%s differ(s) after program %d", different, program);
}

// How often each reason held a thread or an instruction in its unit: what is never held need not be
// visited, and proves nothing.
static void count_reasons(const tsr_tile *tile, uint64_t cycles[TSR_REASON_COUNT])
{
    tsr_run_report report;
    tsr_get_report(tile, &report);
    for (int i = 0; i < TSR_THREADS * TSR_REASON_COUNT; i++)
        cycles[i % TSR_REASON_COUNT] += report.waited[i / TSR_REASON_COUNT][i % TSR_REASON_COUNT];
}

static void assert_all_waits(const uint64_t cycles[TSR_REASON_COUNT])
{
    static const tsr_reason met[] = {TSR_REASON_STALLWAIT, TSR_REASON_SEMWAIT, TSR_REASON_UNIT_FULL,
                                     TSR_REASON_SRCA,      TSR_REASON_SRCB,    TSR_REASON_HOLD,
                                     TSR_REASON_DST,       TSR_REASON_EMPTY};
    for (size_t i = 0; i < sizeof met / sizeof *met; i++)
        if (cycles[met[i]] < (unsigned)programs / 8)
            fail_msg("%s: waited %llu cycles only", tsr_reason_name(met[i]),
                     (unsigned long long)cycles[met[i]]);
}

static void set_stop(tsr_tile *one, tsr_tile *two, uint32_t which)
{
    static const char *const stops[6] = {"src-bank-unordered", "src-bank-never-filled",
                                         "uninitialised-src",  "uninitialised-dst",
                                         "src-bank-left",      "tainted-datum-used"};
    assert_int_equal(tsr_tile_set_policy(one, stops[which], TSR_ACTION_STOP), TSR_OK);
    assert_int_equal(tsr_tile_set_policy(two, stops[which], TSR_ACTION_STOP), TSR_OK);
}

// `by_turns`: threads 0 and 1 hand faces to each other all the time.
static void same_both_ways(int arch, bool timing, bool by_turns)
{
    tsr_tile *one = NULL, *two = NULL;
    uint64_t in_blocks = 0, issued = 0, in_turns = 0, waited[TSR_REASON_COUNT] = {0};
    for (int program = 0; program < programs / 2; program++) {
        if (!one) {
            one = make_tile(arch, timing, TSR_PIPELINE_AUTO, seed);
            two = make_tile(arch, timing, TSR_PIPELINE_STAGED, seed);
            draw(2);
        }
        struct feed feed = {.slice = 1 << draw(7), .breaks = draw(6) ? -1 : (int)draw(3)};
        feed.off = by_turns ? 1 + draw(40) : 3;
        if (timing && draw(4) == 0)
            feed.rounds = draw(4) ? 1 + (int)draw(40) : 1;
        if (timing && draw(4) == 0)
            feed.cycles = 1 + (int)draw(60);
        uint64_t disturbance = seed;
        draw(2);
        disturb(one, disturbance);
        disturb(two, disturbance);
        int alone = timing && draw(2) ? (int)draw(TSR_THREADS) : -1;
        bool hands_faces = !timing && draw(2) == 0;
        if (by_turns && draw(3) == 0) {
            set_turns(one, disturbance);
            set_turns(two, disturbance);
        }
        if (by_turns && draw(8) == 0)
            set_stop(one, two, draw(6));
        for (int thread = 0; thread < TSR_THREADS; thread++)
            if (alone < 0 || alone == thread)
                feed.words[thread] = by_turns && thread < 2 ? make_turns(one)
                                     : hands_faces && thread < 2
                                         ? make_faces(one, thread)
                                         : make_words(one, thread, alone >= 0);
        tsr_end end = go(one, &feed);
        assert_int_equal(end, go(two, &feed));
        compare(one, two, program, &feed);
        if (end == TSR_END_STOPPED || program % PROGRAMS_A_TILE == PROGRAMS_A_TILE - 1) {
            in_blocks += one->engine.in_blocks;
            in_turns += one->engine.in_turns;
            count_reasons(one, waited);
            for (int thread = 0; thread < TSR_THREADS; thread++)
                issued += tile_state(one)->frontend[thread].sequence;
            assert_int_equal(two->engine.in_blocks, 0);
            tsr_tile_destroy(one);
            tsr_tile_destroy(two);
            one = two = NULL;
            continue;
        }
        for (int i = 0; i < 3; i++) {
            release(one);
            release(two);
            assert_int_equal(run_sliced(one, &feed, false), run_sliced(two, &feed, false));
            compare(one, two, program, &feed);
        }
    }
    tsr_tile_destroy(one);
    tsr_tile_destroy(two);
    print_message("%s: %d programs, %llu instructions, %llu of them in blocks, %llu in turns\n",
                  tsr_arch_name((tsr_arch)arch), programs / 2, (unsigned long long)issued,
                  (unsigned long long)in_blocks, (unsigned long long)in_turns);
    assert_true(issued > 10u * (unsigned)programs);
    assert_true(in_blocks > issued / (timing ? 200 : 20));
    assert_true(timing ? in_turns == 0 : !by_turns || in_turns > issued / 100);
    if (timing && programs >= DEFAULT_PROGRAMS)
        assert_all_waits(waited);
}

// clang-format off
static void timing_off(int arch) { same_both_ways(arch, false, false); }
TILE_BOTH(timing_off)
static void turns_at_banks(int arch) { same_both_ways(arch, false, true); }
TILE_BOTH(turns_at_banks)
static void timing_on(int arch) { same_both_ways(arch, true, false); }
TILE_BOTH(timing_on)
// clang-format on

int main(int argc, char **argv)
{
    if (argc > 1)
        programs = atoi(argv[1]) / 10;
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 0);
    const struct CMUnitTest tests[] = {TILE_TEST(timing_off), TILE_TEST(timing_on),
                                       TILE_TEST(turns_at_banks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
