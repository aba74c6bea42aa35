// SPDX-License-Identifier: Apache-2.0
// Kernels of one thread's words, or of MOPs of two, and what changes between their runs. Pages:
// UNPACR_Regular.md, SrcASrcB.md, MOPExpander.md.
#include "oracle/run_oracle_again.h"

#include "base/format_codes.h"

// By their place among the nine words of a MOP with mop_type 1 (page MOPExpander).
enum { OUTER_COUNT, INNER_COUNT, START, END_0, END_1, LOOP_0, LOOP_1, LAST_OF_ALL, LAST_INNER };

static uint32_t word_of(const tsr_tile *tile, const char *text, uint32_t value)
{
    char line[160];
    snprintf(line, sizeof line, text, value);
    return tile_word(tile, line);
}

static const char unpack_a[] = "UNPACR OvrdThreadId=1 SetDatValid=1 AddrMode=%u";
static const char unpack_b[] =
    "UNPACR Unpack_block_selection=1 OvrdThreadId=1 SetDatValid=1 AddrMode=%u";
static const char more_a[] = "UNPACR OvrdThreadId=1 AddrMode=%u";

// What an unpacker's bank gets without L1: `gives` hands it over.
static uint32_t nop_of(const tsr_tile *tile, unsigned unpacker, bool gives)
{
    static const char *const text[TSR_ARCH_COUNT][2] = {
        {"UNPACR_NOP NoOp=1 Unpack_block_selection=%u",
         "UNPACR_NOP NoOp=7 Unpack_block_selection=%u"},
        {"UNPACR_NOP Unpack_Pop=1 Unpacker_Select=%u",
         "UNPACR_NOP Unpack_Pop=1 Set_Dvalid=1 Unpacker_Select=%u"}};
    return word_of(tile, text[tsr_tile_arch(tile)][gives], unpacker);
}

// Of the matrix unit. `last`: it gives both banks back.
static uint32_t math_of(const tsr_tile *tile, uint64_t *random, bool last)
{
    static const char *const moves[TSR_ARCH_COUNT][6] = {
        {"MOVA2D instr_mod=2 dst=%u", "ELWADD dst=%u", "MOVB2D instr_mod=4 dst=%u",
         "ELWSUB addr_mode=%u", "MOVA2D instr_mod=2 addr_mode=%u", "ELWADD addr_mode=%u"},
        {"MOVA2D instr_mod=2 dst=%u", "ELWADD dst=%u", "MOVB2D movb2d_instr_mod=4 dst=%u",
         "ELWSUB addr_mode=%u", "MOVA2D instr_mod=2 addr_mode=%u", "ELWADD addr_mode=%u"}};
    static const char *const ends[] = {
        "SETRWC BitMask=3 clear_ab_vld=3 rwc_d=%u", "SETRWC BitMask=%u clear_ab_vld=3",
        "ELWADD clear_dvalid=3 addr_mode=%u", "SETRWC BitMask=3 clear_ab_vld=3 rwc_cr=%u"};
    if (last)
        return word_of(tile, ends[run_draw(random, 4)], run_draw(random, 4));
    const char *text = moves[tsr_tile_arch(tile)][run_draw(random, 6)];
    uint32_t value = run_draw(random, 3) ? 0 : run_draw(random, 4);
    if (strstr(text, "dst=") && run_draw(random, 8) != 0)
        value *= 8; // whole blocks
    return word_of(tile, text, value);
}

static void add(struct run_words *words, uint32_t word)
{
    if (words->count < RUN_WORDS)
        words->word[words->count++] = word;
}

static uint32_t steps(uint64_t *random)
{
    static const uint8_t some[] = {0, 0, 1, 1, 1, 1, 1, 17};
    return some[run_draw(random, sizeof some)];
}

// ---------------------------------------------------------------- one thread

static void add_face(const tsr_tile *tile, uint64_t *random, struct run_words *face)
{
    bool b_first = run_draw(random, 2);
    for (unsigned i = 0; i < 2; i++) {
        if ((i == 0) == b_first) {
            if (run_draw(random, 2))
                add(face, word_of(tile, unpack_b, steps(random)));
            else
                add(face, nop_of(tile, 1, false)), add(face, nop_of(tile, 1, true));
            continue;
        }
        if (run_draw(random, 4) == 0)
            add(face, word_of(tile, more_a, steps(random)));
        add(face, word_of(tile, unpack_a, steps(random)));
    }
    for (uint32_t i = run_draw(random, 4); i > 0; i--)
        add(face, math_of(tile, random, false));
    add(face, math_of(tile, random, true));
}

static void add_faces(const tsr_tile *tile, uint64_t *random, struct run_words *words)
{
    struct run_words face[2] = {{0}, {0}};
    add_face(tile, random, &face[0]);
    face[1] = face[0];
    if (run_draw(random, 4) == 0) {
        face[1].count = 0;
        add_face(tile, random, &face[1]);
    }
    for (uint32_t i = 0, faces = 2 + run_draw(random, 5); i < faces; i++)
        for (int k = 0; k < face[i % 2].count; k++)
            add(words, face[i % 2].word[k]);
}

// The same by a REPLAY that has loaded it.
static void add_replays(const tsr_tile *tile, uint64_t *random, struct run_words *words)
{
    struct run_words face = {0};
    add_face(tile, random, &face);
    const uint32_t length = (uint32_t)face.count;
    add(words, word_of(tile, "REPLAY load_mode=1 execute_while_loading=1 len=%u", length));
    for (int i = 0; i < face.count; i++)
        add(words, face.word[i]);
    for (uint32_t i = 1 + run_draw(random, 8); i > 0; i--)
        add(words, word_of(tile, "REPLAY len=%u", length));
}

// The same by a MOP.
static void make_mop_of_faces(const tsr_tile *tile, uint64_t *random, uint32_t mop[TSR_MOP_WORDS])
{
    for (int place = START; place < TSR_MOP_WORDS; place++)
        mop[place] = tile_word(tile, "NOP");
    mop[OUTER_COUNT] = 1 + run_draw(random, run_draw(random, 4) ? 8 : 40);
    mop[INNER_COUNT] = 1;
    mop[START] = word_of(tile, unpack_b, steps(random));
    mop[LOOP_0] = mop[LAST_OF_ALL] = mop[LAST_INNER] = word_of(tile, unpack_a, steps(random));
    mop[END_0] = math_of(tile, random, false);
    mop[END_1] = math_of(tile, random, true);
}

// ---------------------------------------------------------------- two threads

static void make_mop_of_unpackers(const tsr_tile *tile, uint64_t *random, unsigned faces,
                                  uint32_t mop[TSR_MOP_WORDS])
{
    const uint32_t a = word_of(tile, unpack_a, steps(random));
    const uint32_t b = word_of(tile, unpack_b, steps(random));
    const bool nests = run_draw(random, 2), clears = run_draw(random, 2);
    mop[OUTER_COUNT] = nests ? faces : 1;
    mop[INNER_COUNT] = nests ? 1 : faces;
    if (nests) { // A, then B, once for each face
        mop[START] = a;
        mop[LOOP_0] = mop[LAST_OF_ALL] = mop[LAST_INNER] = clears ? nop_of(tile, 1, false) : b;
        if (clears)
            mop[END_0] = nop_of(tile, 1, true);
    } else { // both in turn
        mop[LOOP_0] = clears && tsr_tile_arch(tile) == TSR_BLACKHOLE_A0 ? nop_of(tile, 1, true) : b;
        mop[LOOP_1] = mop[LAST_OF_ALL] = mop[LAST_INNER] = a;
    }
    if (run_draw(random, 3) == 0)
        mop[LAST_OF_ALL] = word_of(tile, nests ? unpack_b : unpack_a, steps(random));
}

static void make_mop_of_matrix(const tsr_tile *tile, uint64_t *random, unsigned faces,
                               uint32_t mop[TSR_MOP_WORDS])
{
    const uint32_t math = math_of(tile, random, false), last = math_of(tile, random, true);
    const bool nests = run_draw(random, 2);
    mop[OUTER_COUNT] = nests ? faces : 1;
    mop[INNER_COUNT] = nests ? 1 + run_draw(random, 2) : faces;
    if (nests) {
        mop[LOOP_0] = mop[LAST_OF_ALL] = mop[LAST_INNER] = math;
        mop[END_0] = last;
    } else {
        mop[LOOP_0] = math;
        mop[LOOP_1] = mop[LAST_OF_ALL] = mop[LAST_INNER] = last;
    }
    if (run_draw(random, 4) == 0)
        mop[LAST_OF_ALL] = math_of(tile, random, !nests);
}

static void make_mops(const tsr_tile *tile, uint64_t *random, struct run_kernel *kernel)
{
    static const uint32_t some[] = {3, 3, 3, 10, 10, 40}; // a tile's, or beyond an expansion
    unsigned faces = 2 + run_draw(random, some[run_draw(random, sizeof some / sizeof *some)]);
    for (int thread = 0; thread < 2; thread++)
        for (int place = START; place < TSR_MOP_WORDS; place++)
            kernel->mop[thread][place] = tile_word(tile, "NOP");
    make_mop_of_unpackers(tile, random, faces, kernel->mop[0]);
    if (run_draw(random, 8) == 0)
        faces = 1 + run_draw(random, 12);
    make_mop_of_matrix(tile, random, faces, kernel->mop[1]);
}

// ---------------------------------------------------------------- kernels

struct run_kernel run_kernel_any(const tsr_tile *tile, uint64_t *random)
{
    struct run_kernel kernel = {.by_two = run_draw(random, 2)};
    const uint32_t counters = tile_word(tile, "SETADCZW CntSetMask=3 BitMask=15");
    const uint32_t rows = tile_word(tile, "SETRWC BitMask=15");
    const bool begins = run_draw(random, 4) != 0;
    kernel.thread = run_draw(random, 12) ? 0 : (int)run_draw(random, TSR_THREADS);
    if (!kernel.by_two) {
        struct run_words *words = &kernel.words[kernel.thread];
        if (begins)
            add(words, counters), add(words, rows);
        const uint32_t form = run_draw(random, 4);
        if (form > 1) {
            add_faces(tile, random, words);
        } else if (form == 1) {
            add_replays(tile, random, words);
        } else if (kernel.thread < 2) {
            make_mop_of_faces(tile, random, kernel.mop[kernel.thread]);
            add(words, tile_word(tile, "MOP mop_type=1"));
        }
        return kernel;
    }
    kernel.thread = 0;
    make_mops(tile, random, &kernel);
    for (uint32_t i = 1 + run_draw(random, 3); i > 0; i--)
        for (int thread = 0; thread < 2; thread++) {
            if (begins)
                add(&kernel.words[thread], thread ? rows : counters);
            add(&kernel.words[thread], tile_word(tile, "MOP mop_type=1"));
        }
    return kernel;
}

void run_kernel_load(tsr_tile *tile, const struct run_kernel *kernel)
{
    for (uint32_t i = 0; i < 2 * TSR_MOP_WORDS; i++) {
        const uint32_t thread = i / TSR_MOP_WORDS, place = i % TSR_MOP_WORDS;
        if (kernel->mop[thread][OUTER_COUNT] == 0)
            continue;
        tsr_store(tile, (tsr_core)(TSR_CORE_T0 + (int)thread), 0xffb80000u + 4 * place,
                  kernel->mop[thread][place], 4);
    }
}

// ---------------------------------------------------------------- changes

static void put_base(tsr_tile *tile, uint64_t *random)
{
    uint32_t a = 0x100 + run_draw(random, 32) * (run_draw(random, 4) ? 128 : 1);
    uint32_t b = 0x200 + run_draw(random, 32) * (run_draw(random, 4) ? 128 : 1);
    if (run_draw(random, 24) == 0) // the last bytes that somebody wrote
        a = 0x4000 - 1 - 32 * run_draw(random, 8);
    for (int bank = 0; bank < 2; bank++) {
        tile_field(tile, bank, FIELD_THCON_SEC0_REG3_Base_address, a);
        tile_field(tile, bank, FIELD_THCON_SEC1_REG3_Base_address, b);
    }
}

static void change_field(tsr_tile *tile, uint64_t *random)
{
    static const struct {
        enum tsr_field field;
        uint32_t usual, below;
    } fields[] = {
        {FIELD_DEST_TARGET_REG_CFG_MATH_Offset, 0, 1024},
        {FIELD_DEST_REGW_BASE_Base, 0, 1024},
        {FIELD_ALU_FORMAT_SPEC_REG0_SrcA, TSR_FORMAT_BF16, 16},
        {FIELD_ALU_FORMAT_SPEC_REG1_SrcB, TSR_FORMAT_BF16, 16},
        {FIELD_THCON_SEC0_REG2_Out_data_format, TSR_FORMAT_BF16, 16},
        {FIELD_THCON_SEC1_REG2_Out_data_format, TSR_FORMAT_BF16, 16},
        {FIELD_THCON_SEC0_REG5_Dest_cntx0_address, 64, 1024},
        {FIELD_THCON_SEC0_REG3_Base_cntx1_address, 0x300, 0x1000},
        {FIELD_THCON_SEC0_REG2_Unpack_limit_address, 0, 0x1000},
        {FIELD_THCON_SEC0_REG2_Unpack_fifo_size, 0, 0x100},
        {FIELD_UNPACK_MISC_CFG_CfgContextOffset_0, 0, 2},
        {FIELD_UNPACK_MISC_CFG_CfgContextOffset_1, 0, 2},
        {FIELD_SRCB_SET_Base, 0, 4},
        {FIELD_CLR_DVALID_SrcA_Disable, 0, 2},
        {FIELD_CLR_DVALID_SrcB_Disable, 0, 2},
        {FIELD_CFG_STATE_ID_StateID, 0, 2},
        {FIELD_ALU_ACC_CTRL_Fp32_enabled, 0, 2},
        {FIELD_ALU_ROUNDING_MODE_Fpu_srnd_en, 0, 2},
        {FIELD_ALU_ACC_CTRL_Zero_Flag_disabled_src, 0, 2},
        {FIELD_FIDELITY_BASE_Phase, 0, 4},
        {FIELD_ADDR_MOD_AB_SEC0_SrcAIncr, 8, 64},
        {FIELD_ADDR_MOD_DST_SEC0_DestIncr, 8, 64},
        {FIELD_ADDR_MOD_DST_SEC1_DestCR, 0, 2},
        {FIELD_UNP0_ADDR_CTRL_ZW_REG_0_Zstride, 512, 1024},
    };
    uint32_t which = run_draw(random, sizeof fields / sizeof *fields);
    uint32_t value = run_draw(random, fields[which].below);
    if (run_draw(random, 3) == 0)
        value &= ~7u;
    if (run_draw(random, 2))
        value = fields[which].usual;
    if (tile_env(tile)->isa->field[fields[which].field].width == 0)
        return;
    for (int instance = 0; instance < 2; instance++)
        tile_field(tile, instance, fields[which].field, value);
}

static void change_bank(struct tsr_state *state, uint64_t *random)
{
    const unsigned side = run_draw(random, 2), i = run_draw(random, 2);
    struct tsr_src *src = &state->src[side];
    struct tsr_src_shadow *shadow = &state->src_shadow[side][i];
    const unsigned row = run_draw(random, TSR_SRC_ROWS);
    switch (run_draw(random, 9)) {
    case 0:
        src->unpacker_bank ^= 1;
        break;
    case 1:
        src->matrix_bank ^= 1;
        break;
    case 2:
        src->bank[i].matrix_owns ^= 1;
        break;
    case 3:
        src->bank[i].filled ^= 1;
        break;
    case 4:
        shadow->lent ^= 1;
        break;
    case 5:
        shadow->read ^= 1;
        break;
    case 6:
        shadow->waited_for ^= 1;
        break;
    case 7:
        src->bank[i].implied_format = (uint8_t)(run_draw(random, 2) ? 1 : TSR_FORMAT_BF16);
        break;
    default:
        src->bank[i].tainted[row] = 1;
        src->bank[i].uniform = false;
        tsr_src_mark(&src->bank[i], row, 1);
        break;
    }
}

static void change_counters(struct tsr_state *state, const struct run_kernel *kernel,
                            uint64_t *random)
{
    const int computes = kernel->by_two ? 1 : kernel->thread;
    const unsigned side = run_draw(random, 2);
    tsr_adc_channel *adc = state->adcs.channel[kernel->thread][side];
    switch (run_draw(random, 7)) {
    case 0:
        state->rwcs.thread[computes].dst = (uint16_t)(run_draw(random, 130) * 8);
        break;
    case 1:
        state->rwcs.thread[computes].srca = (uint8_t)(run_draw(random, 4) * 8);
        break;
    case 2:
        state->unpacker[side].src_row[kernel->thread] = (uint8_t)(run_draw(random, 4) * 16);
        break;
    case 3:
        adc[1].x = run_draw(random, 2) ? 255 : 127;
        break;
    case 4:
        adc[0].z = run_draw(random, 4);
        break;
    case 5:
        adc[1].z = run_draw(random, 2);
        break;
    default:
        state->unpacker[side].context_counter[kernel->thread] = (uint8_t)run_draw(random, 2);
        break;
    }
}

static void change_rest(tsr_tile *tile, uint64_t *random)
{
    struct tsr_state *state = tile_state(tile);
    static const uint8_t bytes[16] = {1, 2, 3};
    switch (run_draw(random, 4)) {
    case 0:
        state->debug.debug_feature_disable ^= 1u << 11;
        break;
    case 1:
        tsr_l1_mark(&state->l1, 0x2000 + 16 * run_draw(random, 0x400), 16,
                    run_draw(random, 8) == 0);
        break;
    case 2:
        assert_int_equal(tsr_l1_write(tile, 0x1000 + run_draw(random, 0x4000), bytes, sizeof bytes),
                         TSR_OK);
        break;
    default:
        tsr_tile_set_policy(tile, "src-bank-unordered",
                            run_draw(random, 8) ? TSR_ACTION_RECORD : TSR_ACTION_STOP);
        break;
    }
}

void run_kernel_change(tsr_tile *tile, const struct run_kernel *kernel, uint64_t random)
{
    if (run_draw(&random, 4) == 0)
        put_base(tile, &random);
    switch (run_draw(&random, 24)) {
    case 0:
    case 1:
        change_field(tile, &random);
        break;
    case 2:
        change_bank(tile_state(tile), &random);
        break;
    case 3:
        change_counters(tile_state(tile), kernel, &random);
        break;
    case 4:
        if (run_draw(&random, 4) == 0)
            change_rest(tile, &random);
        break;
    }
}
