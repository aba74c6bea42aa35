// SPDX-License-Identifier: Apache-2.0
// Runs of random vector instructions, executed as one and stage by stage: the same state, findings
// and counts. Most of a program is plain, so that runs are long; the rest is anything that the
// opcode allows: templates, macros, flags, configuration. A program comes several times, since
// blocks are kept from the second time on, each time behind something else: other flags, another
// row of Dst, rows that are not valid, LRegs that are tainted, another configuration. Some come as
// a core pushes a loop: from anywhere in it, in pieces of any length, now and then with a word
// changed.
#include "rig/state_compare.h"
#include "rig/vector_rig.h"

enum { PROGRAMS = 300, WORDS = 40, TIMES = 5, BEFORE = 3, PIECE = 12, LOOP_TIMES = 12 };

static uint32_t draw(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % below;
}

// Any vector instruction of the chip, with random operands.
static uint32_t any_word(tsr_arch arch, uint64_t *seed)
{
    const struct tsr_isa *isa = tsr_isa(arch);
    for (;;) {
        uint32_t word = (0x70 + draw(seed, 0x2a)) << 24;
        enum tsr_op op = tsr_op_of(isa, word);
        if (op == OP_NONE || isa->issue_unit[op] != ISSUE_VECTOR)
            continue;
        return word | (draw(seed, 1u << 24) & isa->used_bits[op]);
    }
}

static const char *const plain[] = {
    "SFPMAD lreg_src_a=%u lreg_src_b=1 lreg_src_c=2 lreg_dest=%u",
    "SFPADD lreg_src_a=10 lreg_src_b=%u lreg_src_c=3 lreg_dest=%u",
    "SFPIADD imm12_math=0xff0 lreg_c=%u lreg_dest=%u instr_mod1=5",
    "SFPIADD lreg_c=%u lreg_dest=%u instr_mod1=0",
    "SFPSETCC lreg_c=%u instr_mod1=4",
    "SFPENCC imm12_math=3 instr_mod1=10",
    "SFPLOAD dest_reg_addr=%u instr_mod0=2 lreg_ind=%u",
    "SFPSTORE dest_reg_addr=%u instr_mod0=4 lreg_ind=%u",
    "SFPLOAD dest_reg_addr=%u instr_mod0=0 lreg_ind=%u",
    "SFPSTORE dest_reg_addr=%u instr_mod0=0 lreg_ind=%u",
    "SFPSWAP lreg_src_c=%u lreg_dest=%u instr_mod1=1",
    "SFPLOADI imm16=%u lreg_ind=%u",
    "SFPPUSHC",
    "SFPPOPC",
    "SFPNOP",
    "SFP_STOCH_RND lreg_src_c=%u lreg_src_b=1 lreg_dest=%u instr_mod1=1",
    "SFPMOV lreg_c=%u lreg_dest=%u",
    "SFPTRANSP",
    "SFPMUL lreg_src_a=%u lreg_src_b=1 lreg_src_c=9 lreg_dest=%u",
    "SFPADD lreg_src_a=%u lreg_src_b=10 lreg_src_c=2 lreg_dest=%u",
    "SFPMAD lreg_src_a=10 lreg_src_b=%u lreg_src_c=9 lreg_dest=%u instr_mod1=1",
    "SFPMAD lreg_src_a=10 lreg_src_b=%u lreg_src_c=2 lreg_dest=%u instr_mod1=2",
    "SFPSETCC lreg_c=%u instr_mod1=%u",
    "SFPSETCC imm12_math=1 lreg_c=%u instr_mod1=%u",
    "SFPENCC imm12_math=0 lreg_c=%u instr_mod1=%u",
    "SFPENCC imm12_math=1 lreg_c=%u instr_mod1=%u",
    "SFPENCC imm12_math=2 lreg_c=%u instr_mod1=%u",
    "SFPENCC imm12_math=0 instr_mod1=%u",
    "SFPENCC imm12_math=2 instr_mod1=10",
    "SFPENCC imm12_math=3 instr_mod1=%u",
    "SFP_STOCH_RND rnd_mode=1 lreg_src_c=%u lreg_dest=%u instr_mod1=14",
    "SFP_STOCH_RND lreg_src_c=%u lreg_dest=%u instr_mod1=15",
    "SFPSHFT imm12_math=4090 lreg_c=%u lreg_dest=%u instr_mod1=1",
};

// More of them than a block keeps immediates.
static uint32_t immediate_word(const tsr_tile *tile, uint64_t *seed)
{
    char text[100];
    snprintf(text, sizeof text, "%s imm16_math=%u lreg_dest=%u",
             draw(seed, 2) ? "SFPMULI" : "SFPADDI", 0x3f00 + draw(seed, 0x100), draw(seed, 8));
    return tile_word(tile, text);
}

static uint32_t next_word(const tsr_tile *tile, uint64_t *seed)
{
    char text[100];
    if (draw(seed, 20) == 0)
        return any_word(tsr_tile_arch(tile), seed);
    if (draw(seed, 30) == 0)
        return tile_word(tile, "NOP");
    uint32_t which = draw(seed, sizeof plain / sizeof *plain);
    snprintf(text, sizeof text, plain[which], draw(seed, 8), draw(seed, 8));
    return tile_word(tile, text);
}

static tsr_tile *make(int arch, tsr_pipeline pipeline)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.profile = TSR_PROFILE_SILICON;
    options.pipeline = pipeline;
    return tile_with(&options);
}

// What a program may find when it comes again.
static const char *const before[] = {
    "SFPENCC imm12_math=3 instr_mod1=10",
    "SFPENCC imm12_math=0 instr_mod1=2",
    "SFPSETCC lreg_c=%u instr_mod1=4",
    "SFPMUL lreg_src_a=1 lreg_src_b=2 lreg_src_c=9 lreg_dest=%u",
    "SFPSWAP lreg_src_c=%u lreg_dest=3",
    "SFPSHFT2 lreg_src_c=%u lreg_dest=5 instr_mod1=3",
    "SETRWC BitMask=4 rwc_d=%u",
    "INCRWC rwc_d=%u",
    "ZEROACC clear_mode=3",
    "ZEROACC",
    "SFPCONFIG config_dest=15 imm16_math=%u instr_mod1=1",
    "SFPCONFIG config_dest=15 imm16_math=0 instr_mod1=1",
    "SFPPUSHC",
    "SFPPOPC instr_mod1=%u",
    "SFPLOADI imm16=%u lreg_ind=7",
    "SFPLOADI imm16=%u instr_mod0=3 lreg_ind=2",
    "SETC16 setc16_reg=1 setc16_value=%u",  // where Dst begins
    "SETC16 setc16_reg=1 setc16_value=508", // rows beyond the last in 32 bits
    "SETC16 setc16_reg=2 setc16_value=%u",  // Wormhole: the upper half of the AddrMods
    "SETC16 setc16_reg=23 setc16_value=%u", // Wormhole: the AddrMod's step in Dst
    "SETC16 setc16_reg=28 setc16_value=%u", // Blackhole
};

static void push_both(tsr_tile *one, tsr_tile *two, uint32_t word)
{
    tsr_status status = tsr_push(one, 1, word); // or they are stopped
    if (status == TSR_BUSY) {
        tile_run(one);
        tile_run(two);
        status = tsr_push(one, 1, word);
    }
    assert_int_equal(tsr_push(two, 1, word), status);
}

static void compare(tsr_tile *one, tsr_tile *two, int program, int pass)
{
    tile_run(one);
    tile_run(two);
    const char *differs = tile_difference(one, two);
    if (differs)
        fail_msg("program %d, pass %d: %s", program, pass, differs);
}

// Fields on which the meaning of a block depends, and the debug register's bit that makes 16-bit
// rows halves of others.
static void configure(tsr_tile *tile, unsigned what)
{
    static const enum tsr_field fields[] = {
        FIELD_ALU_ACC_CTRL_SFPU_Fp32_enabled, FIELD_ALU_FORMAT_SPEC_REG1_SrcB,
        FIELD_SFPU_DEST_FMT_Enable, FIELD_CHICKEN_BITS_sfpu_scbd_disable, FIELD_DEST_SP_BASE_Base};
    enum { FIELDS = sizeof fields / sizeof *fields, HIGH_HALVES = 1 << 11 };
    unsigned which = what % (FIELDS + 1);
    if (which == FIELDS)
        tile_state(tile)->debug.debug_feature_disable ^= HIGH_HALVES;
    else if (tile_env(tile)->isa->field[fields[which]].width)
        tile_field(tile, fields[which] == FIELD_SFPU_DEST_FMT_Enable ? 1 : 0, fields[which],
                   what / 8 % 2);
}

static void push_pieces(tsr_tile *one, tsr_tile *two, const uint32_t *words, uint64_t *seed)
{
    unsigned from = draw(seed, WORDS), changed = draw(seed, 4 * WORDS);
    for (unsigned i = 0; i < WORDS; i++) {
        unsigned at = (from + i) % WORDS;
        push_both(one, two, at == changed ? next_word(one, seed) : words[at]);
        if (draw(seed, PIECE) == 0) {
            tile_run(one);
            tile_run(two);
        }
    }
}

static void run_program(int arch, int program, uint64_t *seed)
{
    tsr_tile *one = make(arch, TSR_PIPELINE_AUTO), *two = make(arch, TSR_PIPELINE_STAGED);
    uint32_t words[WORDS];
    if (program % 3 == 0) { // where a block reports, it goes on
        tsr_tile_set_policy(one, "vector-flag-stack", TSR_ACTION_STOP);
        tsr_tile_set_policy(two, "vector-flag-stack", TSR_ACTION_STOP);
    }
    if (program % 2) {
        vector_fill(one);
        vector_fill(two);
    }
    for (int i = 0; i < WORDS; i++)
        words[i] = program % 7 == 0 ? immediate_word(one, seed) : next_word(one, seed);
    bool pieces = program % 5 > 2;
    for (int pass = 0; pass < (pieces ? LOOP_TIMES : TIMES); pass++) {
        for (unsigned i = draw(seed, BEFORE); i > 0; i--) {
            char text[100];
            snprintf(text, sizeof text, before[draw(seed, sizeof before / sizeof *before)],
                     draw(seed, 16));
            push_both(one, two, tile_word(one, text));
        }
        compare(one, two, program, pass);
        unsigned what = draw(seed, 32);
        if (what < 16) {
            configure(one, what);
            configure(two, what);
        }
        if (pieces)
            push_pieces(one, two, words, seed);
        for (int i = 0; i < WORDS && !pieces; i++)
            push_both(one, two, words[i]);
        compare(one, two, program, pass);
    }
    tsr_tile_destroy(one);
    tsr_tile_destroy(two);
}

static void test_runs(int arch)
{
    uint64_t seed = 11;
    for (int program = 0; program < PROGRAMS; program++)
        run_program(arch, program, &seed);
}
TILE_BOTH(test_runs)

// Where cores run, the clock moves with timing off, too: what a run leaves late says since when.
static void test_clock(int arch)
{
    tsr_tile *tile[2];
    for (int i = 0; i < 2; i++) {
        tsr_options options = tsr_options_default((tsr_arch)arch);
        options.cores = true;
        options.pipeline = i ? TSR_PIPELINE_STAGED : TSR_PIPELINE_AUTO;
        tile[i] = tile_with(&options);
        vector_fill(tile[i]);
        for (int pass = 0; pass < 4; pass++) {
            tsr_run_cycles(tile[i], 128);
            tile_push(tile[i], 1, "SFPMOV lreg_c=1 lreg_dest=2");
            tile_push(tile[i], 1, "SFPMOV lreg_c=1 lreg_dest=3");
            tile_push(tile[i], 1, "SFPMAD lreg_src_a=1 lreg_src_b=1 lreg_src_c=2 lreg_dest=4");
        }
        tsr_run_cycles(tile[i], 128);
    }
    assert_null(tile_difference(tile[0], tile[1]));
    assert_true(tile_state(tile[0])->vector.late.cycle > 0);
    tsr_tile_destroy(tile[0]);
    tsr_tile_destroy(tile[1]);
}
TILE_BOTH(test_clock)

int main(void)
{
    const struct CMUnitTest tests[] = {TILE_TEST(test_runs), TILE_TEST(test_clock)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
