// SPDX-License-Identifier: Apache-2.0
// Runs of random vector instructions, executed as one and stage by stage: the same state, findings
// and counts. Most of a program is plain, so that runs are long; the rest is anything that the
// opcode allows: templates, macros, flags, configuration.
#include "rig/state_compare.h"
#include "rig/vector_rig.h"

enum { PROGRAMS = 300, WORDS = 60 };

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
    "SFPSWAP lreg_src_c=%u lreg_dest=%u instr_mod1=1",
    "SFPLOADI imm16=%u lreg_ind=%u",
    "SFPPUSHC",
    "SFPPOPC",
    "SFPNOP",
    "SFP_STOCH_RND lreg_src_c=%u lreg_src_b=1 lreg_dest=%u instr_mod1=1",
    "SFPMOV lreg_c=%u lreg_dest=%u",
    "SFPTRANSP",
};

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

static void test_runs(int arch)
{
    uint64_t seed = 11;
    for (int program = 0; program < PROGRAMS; program++) {
        tsr_tile *one = make(arch, TSR_PIPELINE_AUTO), *two = make(arch, TSR_PIPELINE_STAGED);
        if (program % 2) {
            vector_fill(one);
            vector_fill(two);
        }
        for (int i = 0; i < WORDS; i++) {
            uint32_t word = next_word(one, &seed);
            tile_push_word(one, 1, word);
            tile_push_word(two, 1, word);
        }
        tile_run(one);
        tile_run(two);
        const char *differs = tile_difference(one, two);
        if (differs)
            fail_msg("program %d: %s", program, differs);
        tsr_tile_destroy(one);
        tsr_tile_destroy(two);
    }
}
TILE_BOTH(test_runs)

int main(void)
{
    const struct CMUnitTest tests[] = {TILE_TEST(test_runs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
