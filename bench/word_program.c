// SPDX-License-Identifier: Apache-2.0
// Words, configuration and clocks for the benchmarks; see word_program.h.
// Pages: BackendConfiguration.md, WRCFG.md, SETC16.md, PushTensixInstruction.md.
#include "word_program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CONFIG_WINDOW = 0xffef0000u };

_Noreturn void fatal(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("bench: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

tsr_tile *bench_tile_new(tsr_arch arch, bool timing, const char *kernels)
{
    tsr_options options = tsr_options_default(arch);
    tsr_tile *tile;
    options.timing = timing;
    options.kernels = kernels;
    if (tsr_tile_create(&options, &tile) != TSR_OK)
        fatal("no tile of %s with kernels %s", tsr_arch_name(arch), kernels);
    return tile;
}

struct program program_new(tsr_arch arch)
{
    return (struct program){.arch = arch};
}

void program_free(struct program *program)
{
    free(program->words);
    program->words = NULL;
    program->count = program->capacity = 0;
}

static void add_word(struct program *program, uint32_t word)
{
    if (program->count == program->capacity) {
        program->capacity = program->capacity ? 2 * program->capacity : 256;
        program->words = realloc(program->words, program->capacity * sizeof *program->words);
        if (!program->words)
            fatal("no memory for %zu words", program->capacity);
    }
    program->words[program->count++] = word;
}

void program_add(struct program *program, const char *format, ...)
{
    char text[256], error[256];
    uint32_t word;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (tsr_assemble(program->arch, text, &word, error, sizeof error) != TSR_OK)
        fatal("\"%s\": %s", text, error);
    add_word(program, word);
}

void program_append(struct program *program, const struct program *more)
{
    for (size_t i = 0; i < more->count; i++)
        add_word(program, more->words[i]);
}

static const tsr_field_info *field_of(tsr_arch arch, const char *name)
{
    const tsr_field_info *field = tsr_field_find(arch, name);
    if (!field)
        fatal("%s has no field %s", tsr_arch_name(arch), name);
    return field;
}

void program_wrcfg(struct program *program, const char *field, unsigned gpr, uint32_t value)
{
    const tsr_field_info *info = field_of(program->arch, field);
    for (unsigned half = 0; half < 2; half++) {
        unsigned bits = value >> (16 * half) & 0xffff;
        program_add(program, "SETDMAREG RegIndex16b=%u Payload_SigSel=%u Payload_SigSelSize=%u",
                    2 * gpr + half, bits & 0x3fff, bits >> 14);
    }
    program_add(program, "WRCFG CfgReg=%u GprAddress=%u", info->addr32, gpr);
}

void program_setc16(struct program *program, const char *field, uint32_t value)
{
    const tsr_field_info *info = field_of(program->arch, field);
    if (info->scope != TSR_SCOPE_THREAD)
        fatal("%s is no field of a thread", field);
    program_add(program, "SETC16 setc16_reg=%u setc16_value=%u", info->addr32,
                value << info->first_bit);
}

void program_pack_tile(struct program *program)
{
    if (program->arch == TSR_WORMHOLE_B0) {
        program_add(program, "PACR PackSel=15 Last=1");
        return;
    }
    program_add(program, "SETADCXY CntSetMask=4 BitMask=2");
    for (int i = 0; i < 16; i++)
        program_add(program, "PACR Last=%d", i == 15);
}

void configure(tsr_tile *tile, const struct setting *settings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const tsr_field_info *field = field_of(tsr_tile_arch(tile), settings[i].field);
        uint32_t address = CONFIG_WINDOW + 4u * field->addr32, word = 0;
        uint32_t mask = (uint32_t)((1ull << field->width) - 1) << field->first_bit;
        if (tsr_load(tile, TSR_CORE_T0, address, &word, 4) != TSR_OK)
            fatal("%s cannot be read", settings[i].field);
        word = (word & ~mask) | (settings[i].value << field->first_bit & mask);
        if (tsr_store(tile, TSR_CORE_T0, address, word, 4) != TSR_OK)
            fatal("%s cannot be written", settings[i].field);
    }
}

static _Noreturn void explain(const tsr_tile *tile)
{
    tsr_wait waits[16];
    int found = tsr_diagnostic_count(tile), waiting = tsr_waits(tile, waits, 16);
    for (int i = 0; i < found; i++) {
        const tsr_diagnostic *finding = tsr_diagnostic_at(tile, i);
        fprintf(stderr, "%s: %s [%s]\n", finding->code, finding->sentence, finding->instruction);
    }
    for (int i = 0; i < waiting && i < 16; i++)
        fprintf(stderr, "%s: %s\n", waits[i].who, waits[i].what);
    fatal("the program did not run cleanly on %s", tsr_arch_name(tsr_tile_arch(tile)));
}

void configure_packer(tsr_tile *tile, unsigned packer, const struct setting *settings, size_t count)
{
    static const char *const place[4] = {"THCON_SEC0_REG1", "THCON_SEC0_REG8", "THCON_SEC1_REG1",
                                         "THCON_SEC1_REG8"};
    char name[80];
    struct setting setting = {name, 0};
    for (size_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s_%s", place[packer], settings[i].field);
        setting.value = settings[i].value;
        configure(tile, &setting, 1);
    }
    snprintf(name, sizeof name, "DEST_TARGET_REG_CFG_PACK_SEC%u_Offset", packer);
    setting.value = packer * 16;
    configure(tile, &setting, 1);
    snprintf(name, sizeof name, "PACK_COUNTERS_SEC%u_pack_reads_per_xy_plane", packer);
    setting.value = 16;
    configure(tile, &setting, 1);
}

// A full FIFO is looked at again after so many words that it is not empty by then. With timing off
// it runs until it needs more.
void feed(tsr_tile *tile, const uint32_t *words, size_t count)
{
    // Blackhole's three FIFOs hold 29 words together, Wormhole's 42.
    const unsigned most = tsr_tile_arch(tile) == TSR_WORMHOLE_B0 ? 28 : 18;
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    limits.max_words = tsr_cycle(tile) > 0 ? most : 0; // no time passes with timing off
    for (size_t i = 0; i < count;) {
        tsr_status status = tsr_push(tile, 0, words[i]);
        if (status == TSR_BUSY) {
            tsr_end end = tsr_run(tile, &limits);
            if (end != TSR_END_BLOCKED && end != TSR_END_IDLE && end != TSR_END_WORDS)
                explain(tile);
        } else if (status == TSR_OK) {
            i++;
        } else {
            explain(tile);
        }
    }
}

void finish(tsr_tile *tile)
{
    tsr_limits limits = tsr_limits_default();
    if (tsr_run(tile, &limits) != TSR_END_IDLE || tsr_diagnostic_count(tile) != 0)
        explain(tile);
}

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

double time_passes(tsr_tile *tile, const struct program *pass, int passes)
{
    double start = seconds_now();
    for (int i = 0; i < passes; i++)
        feed(tile, pass->words, pass->count);
    finish(tile);
    return seconds_now() - start;
}
