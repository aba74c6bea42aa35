// SPDX-License-Identifier: Apache-2.0
// Feeds random instructions, random words, random configuration and random core accesses to tiles
// of both chips: nothing may crash, hang or trip a sanitizer. A second tile takes the same through
// all stages and visits (TSR_PIPELINE_STAGED) and must end in the same state. Canaries show that
// the checks are awake. Usage: fuzz_tile SECONDS [SEED]
#include "random_source.h"

#include "rig/state_compare.h"

#include <tessera/tessera.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Mostly well-formed instructions, often with small operands; now and then any word.
static uint32_t random_word(struct source *source, tsr_arch arch)
{
    if (below(source, 16) == 0)
        return next(source);
    int count = tsr_instruction_count(arch);
    const tsr_instruction_info *info;
    do
        info = tsr_instruction_at(arch, (int)below(source, (uint32_t)count));
    while (info->implemented == TSR_IMPLEMENTED_NONE && below(source, 32) != 0);
    uint32_t word = (uint32_t)info->opcode << 24;
    for (int i = 0; i < info->operand_count; i++) {
        uint32_t mask = (1u << info->operands[i].width) - 1u;
        uint32_t value = next(source);
        if (below(source, 3))
            value &= next(source) & next(source);
        word |= (value & mask) << info->operands[i].first_bit;
    }
    return word;
}

static void set_field(tsr_tile *tile, tsr_arch arch, const char *name, uint32_t value)
{
    const tsr_field_info *field = tsr_field_find(arch, name);
    if (!field || field->width > 32)
        return;
    uint32_t address = 0xffef0000u + 4u * field->addr32, old = 0;
    uint32_t mask =
        field->width == 32 ? 0xffffffffu : ((1u << field->width) - 1u) << field->first_bit;
    tsr_load(tile, TSR_CORE_T0, address, &old, 4);
    tsr_store(tile, TSR_CORE_T0, address, (old & ~mask) | ((value << field->first_bit) & mask), 4);
}

// Modes that random bits would hardly ever set together, so that units get to their data.
static void working_configuration(struct source *source, tsr_tile *tile, tsr_arch arch)
{
    static const uint8_t formats[] = {0, 1, 5, 5, 6, 7, 8, 9, 10, 14, 15};
    static const char *const packers[] = {"THCON_SEC0_REG1", "THCON_SEC0_REG8", "THCON_SEC1_REG1",
                                          "THCON_SEC1_REG8"};
    char name[80];
    uint32_t in = formats[below(source, sizeof formats)];
    uint32_t out = below(source, 2) ? in : formats[below(source, sizeof formats)];
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "%s_Disable_zero_compress", packers[i]);
        set_field(tile, arch, name, 1);
        snprintf(name, sizeof name, "%s_In_data_format", packers[i]);
        set_field(tile, arch, name, in);
        snprintf(name, sizeof name, "%s_Out_data_format", packers[i]);
        set_field(tile, arch, name, out);
        snprintf(name, sizeof name, "%s_L1_Dest_addr", packers[i]);
        set_field(tile, arch, name, below(source, 0x1000));
    }
    set_field(tile, arch, "ALU_FORMAT_SPEC_REG2_Dstacc", in);
    set_field(tile, arch, "ALU_FORMAT_SPEC_REG0_SrcA", formats[below(source, sizeof formats)]);
    set_field(tile, arch, "ALU_FORMAT_SPEC_REG1_SrcB", formats[below(source, sizeof formats)]);
    set_field(tile, arch, "PCK_DEST_RD_CTRL_Read_32b_data", below(source, 2));
    for (int unpacker = 0; unpacker < 2; unpacker++) {
        static const char *const parts[] = {"InDataFormat", "IsUncompressed", "XDim", "YDim",
                                            "ZDim"};
        uint32_t format = formats[below(source, sizeof formats)];
        uint32_t uncompressed = below(source, 4) != 0; // else L1 holds row starts that mean nothing
        const uint32_t values[] = {format, uncompressed, 256, 1, 4};
        for (int part = 0; part < 5; part++) {
            snprintf(name, sizeof name, "THCON_SEC%d_REG0_TileDescriptor.%s", unpacker,
                     parts[part]);
            set_field(tile, arch, name, values[part]);
        }
        snprintf(name, sizeof name, "THCON_SEC%d_REG2_Out_data_format", unpacker);
        set_field(tile, arch, name, below(source, 4) ? format : below(source, 16));
        snprintf(name, sizeof name, "THCON_SEC%d_REG2_Disable_zero_compress_cntx0", unpacker);
        set_field(tile, arch, name, uncompressed);
        snprintf(name, sizeof name, "THCON_SEC%d_REG3_Base_address", unpacker);
        set_field(tile, arch, name, below(source, 64));
    }
}

static void push_text(tsr_tile *tile, tsr_arch arch, int thread, const char *text)
{
    uint32_t word;
    if (tsr_assemble(arch, text, &word, NULL, 0) == TSR_OK)
        tsr_push(tile, thread, word);
}

// Formats and strides that make sense together are rare in random words; seed some.
static void plausible_configuration(struct source *source, tsr_tile *tile, tsr_arch arch)
{
    int count = tsr_field_count(arch);
    for (int i = 0; i < 40; i++) {
        const tsr_field_info *field = tsr_field_at(arch, (int)below(source, (uint32_t)count));
        if (field->implemented == TSR_IMPLEMENTED_NONE || field->scope == TSR_SCOPE_THREAD)
            continue;
        uint32_t address = 0xffef0000u + 4u * field->addr32, old = 0;
        tsr_load(tile, TSR_CORE_T0, address, &old, 4);
        uint32_t bits = below(source, 2) ? next(source) & next(source) : 1u << below(source, 8);
        uint32_t width = field->width < 32 ? field->width : 32;
        uint32_t mask = width == 32 ? 0xffffffffu : ((1u << width) - 1u) << field->first_bit;
        tsr_store(tile, TSR_CORE_T0, address, (old & ~mask) | ((bits << field->first_bit) & mask),
                  4);
    }
}

static void random_access(struct source *source, tsr_tile *tile)
{
    static const uint32_t bases[] = {0xffe00000u, 0xffe80000u, 0xffe80020u, 0xffb80000u,
                                     0xffef0000u, 0xffe40000u, 0x0u,        0xffb11000u,
                                     0xffb12000u, 0xffec0000u, 0xffbd8000u, 0x00180000u};
    uint32_t address = bases[below(source, sizeof bases / sizeof *bases)] + below(source, 0x1200);
    tsr_core core = (tsr_core)below(source, 5);
    int width = 1 << below(source, 3);
    uint32_t value;
    if (below(source, 2))
        tsr_store(tile, core, address, next(source), width);
    else
        tsr_load(tile, core, address, &value, width);
}

static void fill_l1(struct source *source, tsr_tile *tile)
{
    uint8_t bytes[4096];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)next(source);
    tsr_l1_write(tile, below(source, 64) * 16, bytes, sizeof bytes);
}

// A tile and its twin.
struct pair {
    tsr_tile *tile, *staged;
};

static bool make_tiles(struct source *source, tsr_arch arch, struct pair *pair)
{
    static const char *const relaxed[] = {"unimplemented", "bad-input", "undefined-behaviour",
                                          "unpredictable-value", "deadlock"};
    tsr_options options = tsr_options_default(arch);
    options.timing = below(source, 2) != 0;
    options.profile = (tsr_profile)below(source, 3);
    options.kernels = below(source, 4) ? "auto" : "reference";
    options.watch_config = below(source, 4) == 0;
    options.find_races = below(source, 8) == 0; // then both are staged
    if (tsr_tile_create(&options, &pair->tile) != TSR_OK)
        return false;
    options.pipeline = TSR_PIPELINE_STAGED;
    if (tsr_tile_create(&options, &pair->staged) != TSR_OK)
        return false;
    for (size_t i = 0; i < sizeof relaxed / sizeof *relaxed; i++) {
        if (below(source, 8) == 0)
            continue;
        tsr_action action = below(source, 8) ? TSR_ACTION_RECORD : TSR_ACTION_USE;
        tsr_tile_set_policy(pair->tile, relaxed[i], action);
        tsr_tile_set_policy(pair->staged, relaxed[i], action);
    }
    return true;
}

// How it ended. `done` collects how many instructions each unit took, to show that they are reached
// at all. What is drawn from `source` does not depend on the tile.
static tsr_end one_program(struct source *source, tsr_tile *tile, tsr_arch arch,
                           uint64_t done[TSR_UNIT_COUNT])
{
    fill_l1(source, tile);
    if (below(source, 4))
        working_configuration(source, tile, arch);
    if (below(source, 2))
        plausible_configuration(source, tile, arch);
    for (int thread = 0; thread < 3; thread++)
        push_text(tile, arch, thread,
                  below(source, 2) ? "SETADCXX CntSetMask=7 x_end2=255"
                                   : "SETADCXX CntSetMask=7 x_end2=15");
    uint32_t length = 1 + below(source, 200);
    tsr_limits limits = tsr_limits_default();
    limits.max_steps = tile->options.timing ? 4000 : 1000000;
    for (uint32_t i = 0; i < length; i++) {
        int thread = (int)below(source, 3);
        if (tsr_push(tile, thread, random_word(source, arch)) == TSR_BUSY)
            tsr_run(tile, &limits);
        if (below(source, 16) == 0)
            random_access(source, tile);
        if (below(source, 64) == 0)
            plausible_configuration(source, tile, arch);
    }
    tsr_end end = tsr_run(tile, &limits);
    tsr_wait waits[16];
    tsr_waits(tile, waits, 16);
    tsr_run_report report;
    tsr_get_report(tile, &report);
    for (int unit = 0; unit < TSR_UNIT_COUNT; unit++)
        done[unit] += report.unit_instructions[unit];
    return end;
}

static void reset(struct pair *pair)
{
    tsr_tile_reset(pair->tile);
    tsr_tile_reset(pair->staged);
}

// The same program on both tiles. What differs afterwards; NULL: nothing.
static const char *program_on_both(struct source *source, struct pair *pair, tsr_arch arch,
                                   uint64_t done[TSR_UNIT_COUNT], unsigned long *compared)
{
    struct source again = *source;
    uint64_t ignored[TSR_UNIT_COUNT] = {0};
    tsr_end end = one_program(source, pair->tile, arch, done);
    tsr_end end_staged = one_program(&again, pair->staged, arch, ignored);
    bool timeout = end == TSR_END_TIMEOUT || end_staged == TSR_END_TIMEOUT;
    if (timeout && !pair->tile->options.timing) { // steps are of different sizes
        reset(pair);
        return NULL;
    }
    ++*compared;
    return end != end_staged ? "the run's end" : tile_difference(pair->tile, pair->staged);
}

static int unreached(const uint64_t done[TSR_UNIT_COUNT])
{
    static const tsr_unit must[] = {TSR_UNIT_UNPACKER0, TSR_UNIT_UNPACKER1, TSR_UNIT_MATRIX,
                                    TSR_UNIT_VECTOR,    TSR_UNIT_PACKER,    TSR_UNIT_SCALAR,
                                    TSR_UNIT_CONFIG,    TSR_UNIT_SYNC,      TSR_UNIT_MISC};
    int missing = 0;
    for (size_t i = 0; i < sizeof must / sizeof *must; i++) {
        printf("%s%s %llu", i ? ", " : "fuzz_tile: ", tsr_unit_name(must[i]),
               (unsigned long long)done[must[i]]);
        missing += done[must[i]] == 0;
    }
    printf(" instructions\n");
    return missing;
}

// The same seed must give the same state: a comparison that must hold, and one that must not.
static int canary(void)
{
    tsr_dst_row first, second;
    int differ = 0;
    for (int round = 0; round < 2; round++) {
        struct source source = {7u + (uint64_t)round};
        tsr_options options = tsr_options_default(TSR_WORMHOLE_B0);
        tsr_tile *tile = NULL;
        if (tsr_tile_create(&options, &tile) != TSR_OK)
            return 1;
        uint32_t value = next(&source);
        tsr_store(tile, TSR_CORE_T0, 0x100, value, 4);
        uint8_t back[4];
        tsr_l1_read(tile, 0x100, back, 4);
        differ += memcmp(back, &value, 4) != 0;
        tsr_view_dst(tile, 0, round ? &second : &first);
        tsr_tile_destroy(tile);
    }
    return differ != 0 || memcmp(&first.bits, &second.bits, sizeof first.bits) != 0;
}

// The comparison of two tiles sees each section.
static const char *comparison_misses(tsr_arch arch)
{
    tsr_options options = tsr_options_default(arch);
    struct pair pair = {NULL, NULL};
    const char *missed = "a tile";
    if (tsr_tile_create(&options, &pair.tile) == TSR_OK &&
        tsr_tile_create(&options, &pair.staged) == TSR_OK)
        missed = state_compare_canary(pair.tile, pair.staged);
    tsr_tile_destroy(pair.tile);
    tsr_tile_destroy(pair.staged);
    return missed;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: fuzz_tile SECONDS [SEED]\n");
        return 2;
    }
    long seconds = strtol(argv[1], NULL, 10);
    struct source source = {argc > 2 ? strtoull(argv[2], NULL, 0) : 1u};
    if (canary()) {
        fprintf(stderr, "fuzz_tile: a store does not read back; the checks cannot be trusted\n");
        return 1;
    }
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        const char *missed = comparison_misses((tsr_arch)arch);
        if (missed) {
            fprintf(stderr, "fuzz_tile: a difference in %s goes unnoticed\n", missed);
            return 1;
        }
    }
    time_t end = time(NULL) + seconds;
    unsigned long programs = 0, compared = 0;
    uint64_t done[TSR_UNIT_COUNT] = {0};
    do {
        tsr_arch arch = (tsr_arch)below(&source, TSR_ARCH_COUNT);
        uint64_t seed = source.state;
        struct pair pair = {NULL, NULL};
        if (!make_tiles(&source, arch, &pair)) {
            fprintf(stderr, "fuzz_tile: no tile (seed 0x%llx)\n", (unsigned long long)seed);
            return 1;
        }
        for (int i = 0; i < 4; i++) {
            const char *different = program_on_both(&source, &pair, arch, done, &compared);
            if (different) {
                fprintf(stderr,
                        "fuzz_tile: %s: %s differs through all stages (seed 0x%llx, program %d)\n",
                        tsr_arch_name(arch), different, (unsigned long long)seed, i);
                return 1;
            }
            if (below(&source, 2))
                reset(&pair);
            programs++;
        }
        tsr_tile_destroy(pair.tile);
        tsr_tile_destroy(pair.staged);
    } while (time(NULL) < end);
    printf("fuzz_tile: %lu programs, %lu compared, no fault\n", programs, compared);
    if (unreached(done) || compared == 0) {
        fprintf(stderr, "fuzz_tile: a unit never got an instruction, or nothing was compared"
                        "; the fuzzer is asleep\n");
        return 1;
    }
    return 0;
}
