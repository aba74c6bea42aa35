// SPDX-License-Identifier: Apache-2.0
// A word of a MOP that waits for a bank or a full queue may lie in the MOP while cores run. Cores,
// and whoever looks from outside, must find what they would find were it at the gate: random
// programs of cores that push MOPs, change their configuration and ask what is left of them, with
// core B's words in between, which come behind the MOP expander, beside the same ones with a break
// that never comes, for which such a word goes to the gate each time. Pages: MOPExpander.md,
// PushTensixInstruction.md, TTSync.md.
#include "rig/core_rig.h"
#include "rig/each_chip.h"
#include "rig/state_compare.h"

enum { CODE = 0x4000, PER_CORE = 0x1000, STEPS = 14, CYCLES = 768 };
static const uint32_t AT_MOP_CONFIG = 0xffb80000, AT_MOPS_LEFT = 0xffe80004;

static uint32_t pick(uint32_t *seed, uint32_t count)
{
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 10) % count;
}

static const char *const words[TSR_ARCH_COUNT][2][7] = {
    {{"UNPACR_NOP NoOp=1", "UNPACR_NOP Unpack_block_selection=1 NoOp=1",
      "UNPACR_NOP Unpack_block_selection=1 NoOp=7", "UNPACR_NOP NoOp=7", "NOP", "UNPACR_NOP NoOp=7",
      "UNPACR_NOP NoOp=7"},
     {"ELWADD dst=0", "SETRWC clear_ab_vld=3", "NOP", "ELWADD dst=8", "NOP", "ELWADD dst=8",
      "ELWADD dst=8"}},
    {{"UNPACR_NOP Unpack_Pop=1", "UNPACR_NOP Unpacker_Select=1 Unpack_Pop=1",
      "UNPACR_NOP Unpacker_Select=1 Unpack_Pop=3 Src_ClrVal_Ctrl=1",
      "UNPACR_NOP Unpack_Pop=3 Src_ClrVal_Ctrl=1", "NOP",
      "UNPACR_NOP Unpack_Pop=3 Src_ClrVal_Ctrl=1", "UNPACR_NOP Unpack_Pop=3 Src_ClrVal_Ctrl=1"},
     {"ELWADD dst=0", "SETRWC clear_ab_vld=3", "NOP", "ELWADD dst=8", "NOP", "ELWADD dst=8",
      "ELWADD dst=8"}}};

static void add_step(struct code *code, tsr_arch arch, int thread, uint32_t *seed)
{
    static const char *const between[] = {"SETRWC BitMask=3", "SETC16", "NOP",
                                          "ELWADD dst=0 clear_dvalid=3"};
    switch (pick(seed, 8)) {
    case 0:
        code_push(code, between[pick(seed, thread == 1 ? 4 : 3)]);
        break;
    case 1:
        code_spend(code, 1 + pick(seed, 40));
        break;
    case 2: // another word of the loop, or other counts
        if (pick(seed, 3))
            code_store(code, AT_MOP_CONFIG + 4 * (2 + pick(seed, 7)),
                       tile_word(code->tile, words[arch][thread][pick(seed, 7)]));
        else
            code_store(code, AT_MOP_CONFIG + 4 * pick(seed, 2), 1 + pick(seed, 4));
        break;
    case 3:
        if (pick(seed, 3) == 0)
            code_load(code, A3, AT_MOPS_LEFT);
        break;
    case 4: // as many as fill its FIFO
        for (unsigned count = pick(seed, 2) ? 20 + pick(seed, 16) : 1; count > 0; count--)
            code_push(code, thread == 1 ? "ELWADD dst=0" : words[arch][0][1]);
        break;
    default:
        code_push(code, "MOP mop_type=1");
    }
}

// Core B's words are before those of a MOP that has not come so far.
static void add_words_of_b(tsr_tile *tile, uint32_t *seed)
{
    static const char *const text[] = {"NOP", "SETRWC BitMask=3", "SETC16", "ZEROSRC src_mask=3"};
    struct code code = code_at(tile, 0);
    for (int i = 0; i < 2 * STEPS; i++)
        if (pick(seed, 4))
            code_spend(&code, 1 + pick(seed, 40));
        else
            code_store(&code, AT_PUSH + 0x10000 * pick(seed, 2),
                       tile_word(tile, text[pick(seed, 4)]));
    code_end(&code);
    core_start(tile, TSR_CORE_B, 0);
}

static tsr_tile *make(tsr_arch arch, uint32_t seed)
{
    tsr_tile *tile = tile_with_cores(arch, false, TSR_PROFILE_SILICON);
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG0_SrcA, 5);
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG1_SrcB, 5);
    for (int thread = 0; thread < 2; thread++) {
        struct tsr_frontend *frontend = &tile_state(tile)->frontend[thread];
        struct code code = code_at(tile, CODE + PER_CORE * (uint32_t)thread);
        frontend->mop_config[0] = 4;
        frontend->mop_config[1] = 1;
        for (int i = 0; i < 7; i++)
            frontend->mop_config[2 + i] = tile_word(tile, words[arch][thread][i]);
        frontend->mop_config_written = 0x1ff;
        for (int i = 0; i < STEPS; i++)
            add_step(&code, arch, thread, &seed);
        code_end(&code);
        core_start(tile, TSR_CORE_T0 + thread, CODE + PER_CORE * (uint32_t)thread);
    }
    if (pick(&seed, 2))
        add_words_of_b(tile, &seed);
    return tile;
}

// `count` times some cycles, as long as the tile is not stopped.
static void same_on(tsr_arch arch, uint32_t seed, uint64_t *in_turns)
{
    tsr_tile *tile = make(arch, seed), *other = make(arch, seed);
    for (uint64_t done = 0; done < CYCLES;) {
        tsr_limits limits = tsr_limits_default();
        limits.external = true;
        limits.max_cycles = 64 * (1 + pick(&seed, 6));
        tsr_end end = tsr_run(tile, &limits);
        limits.break_thread = 2;
        limits.break_sequence = UINT64_MAX;
        assert_int_equal(tsr_run(other, &limits), end);
        const char *different = tile_difference(tile, other);
        if (different)
            fail_msg("seed %u, cycle %u: %s differ(s)", (unsigned)seed, (unsigned)done, different);
        done += limits.max_cycles;
    }
    *in_turns += tile->engine.in_turns;
    tsr_tile_destroy(tile);
    tsr_tile_destroy(other);
}

static void cores_see_no_difference(void **unused)
{
    uint64_t in_turns = 0;
    (void)unused;
    for (uint32_t seed = 1; seed <= 600; seed++)
        same_on(seed % 2 ? TSR_WORMHOLE_B0 : TSR_BLACKHOLE_A0, seed * 7919, &in_turns);
    assert_true(in_turns > 600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cores_see_no_difference)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
