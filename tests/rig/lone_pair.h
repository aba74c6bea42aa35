// SPDX-License-Identifier: Apache-2.0
// Two tiles with timing on, one with TSR_PIPELINE_STAGED, that are given the same and compared
// after each run. Their sources and Dst are written, and plain words go through all units.
#ifndef TESSERA_TESTS_RIG_LONE_PAIR_H
#define TESSERA_TESTS_RIG_LONE_PAIR_H

#include "rig/pack_rig.h"
#include "rig/state_compare.h"

struct pair {
    tsr_tile *tile[2]; // TSR_PIPELINE_AUTO, TSR_PIPELINE_STAGED
    bool stuck;
    bool by_words; // runs are cut after so many words, not cycles
    uint64_t tag;  // of the last word that was pushed: each has another one
};

static inline void field(struct pair *pair, enum tsr_field name, uint32_t value)
{
    for (int way = 0; way < 2; way++)
        for (int instance = 0; instance < 2; instance++)
            tile_field(pair->tile[way], instance, name, value);
}

// Sources and Dst are written, and the matrix unit owns the first banks.
static inline void fill(tsr_tile *tile)
{
    struct tsr_state *state = tile_state(tile);
    for (int i = 0; i < 4; i++)
        tsr_src_fill(&state->src[i / 2].bank[i % 2], 0x1fc10u + (unsigned)i);
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++)
        tsr_src_for_matrix(&state->src[side])->matrix_owns = true;
    for (unsigned row = 0; row < TSR_DST_ROWS; row++)
        for (unsigned column = 0; column < TSR_COLUMNS; column++)
            state->dst.bits[row][column] = (uint16_t)(0x3f80 + row + column);
    memset(state->dst.valid, true, sizeof state->dst.valid);
    memset(state->dst.written, 0xff, sizeof state->dst.written);
}

// With timing as the options say.
static inline struct pair pair_of(const tsr_options *both)
{
    struct pair pair = {.stuck = false};
    for (int way = 0; way < 2; way++) {
        tsr_options options = *both;
        options.pipeline = way == 0 ? TSR_PIPELINE_AUTO : TSR_PIPELINE_STAGED;
        pair.tile[way] = tile_with(&options);
        pack_formats(pair.tile[way], BF16, BF16, false);
        fill(pair.tile[way]);
    }
    field(&pair, FIELD_ALU_FORMAT_SPEC_REG0_SrcA, BF16);
    field(&pair, FIELD_ALU_FORMAT_SPEC_REG1_SrcB, BF16);
    field(&pair, FIELD_ADDR_MOD_AB_SEC0_SrcAIncr, 8);
    field(&pair, FIELD_ADDR_MOD_AB_SEC0_SrcBIncr, 8);
    field(&pair, FIELD_ADDR_MOD_DST_SEC0_DestIncr, 8);
    field(&pair, FIELD_ADDR_MOD_AB_SEC1_SrcAIncr, 8);
    field(&pair, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Xstride, 2);
    field(&pair, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride, 32);
    field(&pair, FIELD_ADDR_MOD_PACK_SEC0_YsrcIncr, 4);
    field(&pair, FIELD_ADDR_MOD_PACK_SEC1_YsrcIncr, 1);
    field(&pair, PACKER(0, L1_Dest_addr), OUT / 16 - 1);
    return pair;
}

static inline struct pair pair_made(const tsr_options *both)
{
    tsr_options options = *both;
    options.timing = true;
    return pair_of(&options);
}

static inline struct pair pair_with(int arch, tsr_profile profile)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.profile = profile;
    return pair_made(&options);
}

static inline struct pair pair_new(int arch)
{
    return pair_with(arch, TSR_PROFILE_SILICON);
}

static inline void pair_free(struct pair *pair)
{
    tsr_tile_destroy(pair->tile[0]);
    tsr_tile_destroy(pair->tile[1]);
}

// Of Blackhole's PACR without the operand that it does not have.
static inline uint32_t line_word(const struct pair *pair, const char *text)
{
    static const char packer[] = "PACR PackSel=1";
    char other[80];
    bool packs = strncmp(text, packer, sizeof packer - 1) == 0;
    if (packs && tsr_tile_arch(pair->tile[0]) == TSR_BLACKHOLE_A0) {
        snprintf(other, sizeof other, "PACR%s", text + sizeof packer - 1);
        text = other;
    }
    return tile_word(pair->tile[0], text);
}

static inline void push(struct pair *pair, int thread, const char *text, int times)
{
    const uint32_t word = line_word(pair, text);
    for (int i = 0; i < times; i++) {
        pair->tag += TSR_TAG_SOURCE + 1;
        for (int way = 0; way < 2; way++) {
            struct tsr_fifo *fifo = &tile_state(pair->tile[way])->frontend[thread].before_mop;
            tile_push_word(pair->tile[way], thread, word);
            fifo->tag[(fifo->first + fifo->count - 1u) % TSR_FIFO_MAX] |= pair->tag;
        }
    }
}

// In runs of so many cycles or words, compared after each; 0: as one. How many words went in
// blocks.
static inline uint64_t run(struct pair *pair, uint64_t cycles, const char *what)
{
    uint64_t before = pair->tile[0]->engine.in_blocks;
    tsr_limits limits = tsr_limits_default();
    *(pair->by_words ? &limits.max_words : &limits.max_cycles) = cycles;
    tsr_end end;
    do {
        end = tsr_run(pair->tile[0], &limits);
        assert_int_equal(end, tsr_run(pair->tile[1], &limits));
        const char *different = tile_difference(pair->tile[0], pair->tile[1]);
        if (different)
            fail_msg("%s, %u %s: %s differ(s)", what, (unsigned)cycles,
                     pair->by_words ? "words" : "cycles", different);
    } while (end == TSR_END_TIMEOUT || end == TSR_END_WORDS);
    pair->stuck = end != TSR_END_IDLE;
    return pair->tile[0]->engine.in_blocks - before;
}

// The lines in turn, after a word that makes plans; cut after some numbers of cycles or words.
static inline uint64_t run_cut(int arch, const char *const *lines, int times, const char *set_up)
{
    static const uint8_t cuts[] = {0, 1, 2, 3, 5, 8, 13, 21};
    uint64_t most = 0;
    for (size_t cut = 0; cut < 2 * sizeof cuts; cut++) {
        struct pair pair = pair_new(arch);
        pair.by_words = cut % 2;
        for (int again = 0; again < 3 && !pair.stuck; again++) {
            if (set_up)
                push(&pair, 0, set_up, 1);
            for (const char *const *line = lines; *line; line++)
                push(&pair, 0, *line, times);
            uint64_t in_blocks = run(&pair, cuts[cut / 2], lines[0]);
            most = in_blocks > most ? in_blocks : most;
        }
        pair_free(&pair);
    }
    return most;
}

#endif
