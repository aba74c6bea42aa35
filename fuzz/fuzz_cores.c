// SPDX-License-Identifier: Apache-2.0
// Runs random code on the five baby cores of tiles of both chips, while a host resets cores, stores
// to every region and loads new code: nothing may crash, hang or trip a sanitizer. A second tile
// does the same in other slices, through all stages, and must end in the same state.
// A canary shows that differences are seen. Usage: fuzz_cores SECONDS [SEED]
#include "random_source.h"

#include "rig/state_compare.h"
#include "riscv/riscv_rows.h"

#include <tessera/tessera.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The last: of a thread's words in a run. MOPs of a million words each would take minutes.
enum { CODE_WORDS = 96, QUANTUM = 64, MOST_WORDS = 1 << 18 };
static const uint32_t code_base[5] = {0, 0x6000, 0xa000, 0xe000, 0x12000};
// Each region of the address map, those with many registers at several places.
static const uint32_t regions[] = {
    0x00000000u, 0x00020000u, 0x0016dff0u, 0xffb00000u, 0xffb11000u, 0xffb12000u, 0xffb12080u,
    0xffb12100u, 0xffb121b0u, 0xffb121f0u, 0xffb12220u, 0xffb13000u, 0xffb13138u, 0xffb14000u,
    0xffb16000u, 0xffb18000u, 0xffb1a000u, 0xffb1c000u, 0xffb20000u, 0xffb30000u, 0xffb40000u,
    0xffb80000u, 0xffbd8000u, 0xffc00000u, 0xffe00000u, 0xffe40000u, 0xffe50000u, 0xffe60000u,
    0xffe80000u, 0xffe80004u, 0xffe80020u, 0xffe90000u, 0xffea0000u, 0xffec0000u, 0xffec1000u,
    0xffec2000u, 0xffec3000u, 0xffef0000u, 0xffef0280u};

static uint32_t random_tensix(struct source *source, tsr_arch arch)
{
    static const char *const plain[] = {"NOP",
                                        "SEMPOST sem_sel=2",
                                        "SEMGET sem_sel=2",
                                        "SETDMAREG Payload_SigSel=5 RegIndex16b=6",
                                        "STALLWAIT wait_res=1 stall_res=1",
                                        "SETADCXX CntSetMask=7 x_end2=15",
                                        "ATGETM mutex_index=0",
                                        "ATRELM mutex_index=0"};
    uint32_t word = 0;
    if (below(source, 4)) {
        tsr_assemble(arch, plain[below(source, sizeof plain / sizeof *plain)], &word, NULL, 0);
        return word;
    }
    int count = tsr_instruction_count(arch);
    const tsr_instruction_info *info =
        tsr_instruction_at(arch, (int)below(source, (uint32_t)count));
    return (uint32_t)info->opcode << 24 | (next(source) & next(source) & 0xffffff);
}

// x8 to x15 hold addresses of regions most of the time, so that loads and stores go there.
static uint32_t random_word(struct source *source, tsr_arch arch)
{
    const struct tsr_riscv_row *row;
    switch (below(source, 16)) {
    case 0:
        return next(source);
    case 1:
    case 2: {
        uint32_t tensix = random_tensix(source, arch);
        return tensix << 2 | tensix >> 30;
    }
    case 3: // sets one of them anew
        return (regions[below(source, sizeof regions / sizeof *regions)] & 0xfffff000u) |
               (8 + below(source, 8)) << 7 | 0x37;
    case 4:
    case 5: { // a short branch, back or forth
        int32_t offset = ((int32_t)below(source, 16) - 8) * 4;
        uint32_t bits = (uint32_t)offset;
        return 0x63 | below(source, 2) << 12 | below(source, 8) << 15 | below(source, 8) << 20 |
               (bits >> 11 & 1) << 7 | (bits >> 1 & 15) << 8 | (bits >> 5 & 0x3f) << 25 |
               (bits >> 12 & 1) << 31;
    }
    case 6:
    case 7:
    case 8: { // a load or store of a word
        uint32_t offset = below(source, 64) * 4, base = 8 + below(source, 8);
        if (below(source, 2))
            return 0x2003 | below(source, 8) << 7 | base << 15 | offset << 20;
        return 0x2023 | (offset & 31) << 7 | base << 15 | below(source, 8) << 20 |
               (offset >> 5) << 25;
    }
    case 9:
    case 10: // T2's vectors, half of them with a type before it that others may use
        if (below(source, 2))
            return tsr_riscv_row(RISCV_VSETIVLI)->match | below(source, 32) << 15 |
                   (below(source, 3) << 3 | below(source, 4)) << 20;
        row = tsr_riscv_row((int)(RISCV_VSETVLI + below(source, RISCV_ROWS - RISCV_VSETVLI)));
        return row->match | (next(source) & ~row->mask & ~(8u << 7));
    default:
        row = tsr_riscv_row((int)below(source, RISCV_VSETVLI));
        return row->match | (next(source) & ~row->mask & ~(8u << 7) & ~(8u << 15));
    }
}

static void random_code(struct source *source, tsr_tile *tile, int core)
{
    uint32_t code[CODE_WORDS], at = code_base[core] + below(source, 2) * 4 * below(source, 32);
    for (int i = 0; i < 8; i++)
        code[i] = (regions[below(source, sizeof regions / sizeof *regions)] & 0xfffff000u) |
                  (8 + (uint32_t)i) << 7 | 0x37;
    for (int i = 8; i < CODE_WORDS - 1; i++)
        code[i] = random_word(source, tsr_tile_arch(tile));
    code[CODE_WORDS - 1] = 0x0000006f | 0xe91ff000u; // back into it
    tsr_l1_write(tile, at, code, sizeof code);
    if (core == TSR_CORE_NC && below(source, 4) == 0)
        tsr_iram_write(tile, 0, code, sizeof code);
}

static void host_acts(struct source *source, tsr_tile *tile)
{
    uint32_t core = below(source, 5), value = next(source);
    switch (below(source, 8)) {
    case 0:
        random_code(source, tile, (int)core);
        break;
    case 1:
        tsr_core_hold(tile, (tsr_core)core);
        break;
    case 2:
        tsr_core_start(tile, (tsr_core)core,
                       below(source, 8)   ? code_base[core]
                       : below(source, 2) ? 0xffc00000u
                                          : value);
        break;
    case 3: // all at once
        tsr_host_store(tile, 0xffb121b0u, below(source, 2) ? 0x47800 : 0, 4);
        break;
    case 4:
        tsr_store(tile, (tsr_core)core,
                  regions[below(source, sizeof regions / sizeof *regions)] + 4 * below(source, 32),
                  value, 4);
        break;
    default:
        tsr_host_store(
            tile, regions[below(source, sizeof regions / sizeof *regions)] + below(source, 0x80),
            value & next(source), 1 << below(source, 3));
        break;
    }
}

// A tile and its twin, which is run in slices.
struct pair {
    tsr_tile *tile, *sliced;
};

static bool make_tiles(struct source *source, tsr_arch arch, struct pair *pair)
{
    static const char *const relaxed[] = {"unimplemented", "bad-input", "undefined-behaviour",
                                          "unpredictable-value", "deadlock"};
    tsr_options options = tsr_options_default(arch);
    options.timing = below(source, 4) == 0;
    options.profile = (tsr_profile)below(source, 3);
    options.cores = true;
    options.find_races = below(source, 8) == 0;
    if (tsr_tile_create(&options, &pair->tile) != TSR_OK)
        return false;
    if (below(source, 2))
        options.pipeline = TSR_PIPELINE_STAGED;
    if (tsr_tile_create(&options, &pair->sliced) != TSR_OK)
        return false;
    for (size_t i = 0; i < sizeof relaxed / sizeof *relaxed; i++) {
        if (below(source, 16) == 0)
            continue;
        tsr_tile_set_policy(pair->tile, relaxed[i], TSR_ACTION_RECORD);
        tsr_tile_set_policy(pair->sliced, relaxed[i], TSR_ACTION_RECORD);
    }
    return true;
}

// Both come to the same cycle, if nothing stops them. False: there are too many words up to there.
static bool run_both(struct source *source, struct pair *pair)
{
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    limits.max_cycles = (1 + below(source, 40)) * QUANTUM;
    limits.max_words = MOST_WORDS;
    uint64_t end = tsr_cycle(pair->sliced) + limits.max_cycles;
    if (tsr_run(pair->tile, &limits) == TSR_END_WORDS)
        return false;
    while (tsr_cycle(pair->sliced) < end) {
        uint64_t most = 1 + below(source, 4 * QUANTUM), left = end - tsr_cycle(pair->sliced);
        limits.max_cycles = most < left ? most : left;
        limits.max_words = below(source, 4) ? 0 : 1 + below(source, 500);
        if (tsr_run(pair->sliced, &limits) == TSR_END_STOPPED)
            break;
    }
    return true;
}

// What differs in the end; NULL: nothing. `*cut`: the program has too many words.
static const char *one_program(struct source *source, struct pair *pair, uint64_t *retired,
                               bool *cut)
{
    const uint8_t zeroes[4096] = {0};
    tsr_l1_write(pair->tile, 0x20000, zeroes, sizeof zeroes);
    tsr_l1_write(pair->sliced, 0x20000, zeroes, sizeof zeroes);
    for (int core = 0; core < 5; core++) {
        struct source again = *source;
        random_code(source, pair->tile, core);
        random_code(&again, pair->sliced, core);
    }
    tsr_host_store(pair->tile, 0xffb121b0u, 0, 4);
    tsr_host_store(pair->sliced, 0xffb121b0u, 0, 4);
    for (int i = 0; i < 12; i++) {
        *cut = !run_both(source, pair);
        if (*cut)
            return NULL;
        const char *different = tile_difference(pair->tile, pair->sliced);
        if (different)
            return different;
        for (int core = 0; core < 5; core++) {
            tsr_core_state view;
            if (tsr_view_core(pair->tile, (tsr_core)core, &view) == TSR_OK)
                *retired += view.retired;
        }
        for (uint32_t acts = below(source, 6); acts > 0; acts--) {
            struct source again = *source;
            host_acts(source, pair->tile);
            host_acts(&again, pair->sliced);
        }
    }
    tsr_wait waits[20];
    tsr_waits(pair->tile, waits, 20);
    return NULL;
}

// A register of a core that differs must be seen.
static bool sees_difference(void)
{
    struct source source = {3};
    struct pair pair = {NULL, NULL};
    uint64_t retired = 0;
    bool cut, seen = make_tiles(&source, TSR_WORMHOLE_B0, &pair) &&
                     !one_program(&source, &pair, &retired, &cut);
    if (seen) {
        pair.sliced->engine.env.state->cores.hart[TSR_CORE_T2].x[31] ^= 1;
        seen = tile_difference(pair.tile, pair.sliced) != NULL;
    }
    tsr_tile_destroy(pair.tile);
    tsr_tile_destroy(pair.sliced);
    return seen;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: fuzz_cores SECONDS [SEED]\n");
        return 2;
    }
    long seconds = strtol(argv[1], NULL, 10);
    struct source source = {argc > 2 ? strtoull(argv[2], NULL, 0) : 1u};
    if (!sees_difference()) {
        fprintf(stderr, "fuzz_cores: a difference goes unnoticed\n");
        return 1;
    }
    time_t end = time(NULL) + seconds;
    unsigned long programs = 0, cuts = 0;
    uint64_t retired = 0;
    do {
        tsr_arch arch = (tsr_arch)below(&source, TSR_ARCH_COUNT);
        uint64_t seed = source.state;
        struct pair pair = {NULL, NULL};
        if (!make_tiles(&source, arch, &pair)) {
            fprintf(stderr, "fuzz_cores: no tile (seed 0x%llx)\n", (unsigned long long)seed);
            return 1;
        }
        bool cut = false;
        for (int i = 0; i < 4 && !cut; i++) {
            const char *different = one_program(&source, &pair, &retired, &cut);
            if (different) {
                fprintf(stderr, "fuzz_cores: %s: %s differs in slices (seed 0x%llx, program %d)\n",
                        tsr_arch_name(arch), different, (unsigned long long)seed, i);
                return 1;
            }
            programs++;
            cuts += cut;
            tsr_tile_reset(pair.tile);
            tsr_tile_reset(pair.sliced);
        }
        tsr_tile_destroy(pair.tile);
        tsr_tile_destroy(pair.sliced);
    } while (time(NULL) < end);
    printf("fuzz_cores: %lu programs, %lu of them too long, %llu instructions, no fault\n",
           programs, cuts, (unsigned long long)retired);
    if (retired < 100 * programs || cuts > programs / 10) {
        fprintf(stderr, "fuzz_cores: the cores hardly ran; the fuzzer is asleep\n");
        return 1;
    }
    return 0;
}
