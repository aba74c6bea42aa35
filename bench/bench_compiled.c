// SPDX-License-Identifier: Apache-2.0
// What compiled kernels get done in a second of the host's time, from their first instruction to
// their last, with timing off and on: examples/eltwise_c (additions of 32 × 32 numbers, on a tile
// alone and on one of a chip), the same and copies by faces and MOPs, as most kernels have them
// (bench/faces), and examples/grid_matmul (products, on sixteen tiles of a chip).
// usage: bench_compiled [SECONDS [THREADS]]   at least, a figure, 1; of the host, at most, 2
// Pages: BabyRISCV/README.md, NoC/README.md.
#include "chip/chip_io.h"
#include "chip/grid_file.h"
#include "run/core_job.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ADDITIONS = 16, PRODUCTS = 64, PATH_TEXT = 600 };

static const char *const arch_words[TSR_ARCH_COUNT] = {"wh", "bh"};
static char folder[] = "/tmp/tessera-compiled.XXXXXX";

static void check(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "bench_compiled: %s\n", what);
    exit(1);
}

// Time that has passed.
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

__attribute__((format(printf, 1, 2))) static bool shell(const char *format, ...)
{
    char command[4 * PATH_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    return system(command) == 0;
}

// The command beside this program's folder makes headers and linker scripts.
static void compile(const char *program)
{
    const char *examples = TESSERA_SOURCE_DIR "/examples";
    const char *bench = TESSERA_SOURCE_DIR "/bench";
    check(mkdtemp(folder) != NULL, "no folder below /tmp");
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        const char *word = arch_words[arch];
        check(
            shell("T=$(dirname %s)/../tessera; for e in eltwise_c/build grid_matmul/build_grid; "
                  "do TESSERA=$T sh %s/$e.sh %s %s/$(dirname $e)_%s || exit 1; done",
                  program, examples, word, folder, word) &&
                shell("cp %s/grid_matmul/%s.yaml %s/matmul/*.npy %s/grid_matmul_%s", examples, word,
                      examples, folder, word) &&
                shell("TESSERA=$(dirname %s)/../tessera sh %s/faces/build_faces.sh %s %s/faces_%s",
                      program, bench, word, folder, word) &&
                shell("TESSERA=$(dirname %s)/../tessera sh %s/faces/build_faces.sh %s "
                      "%s/copies_%s COPIES",
                      program, bench, word, folder, word),
            "the programs are not compiled");
    }
}

// ---------------------------------------------------------------- additions

static void read_adders(struct core_job *job, tsr_arch arch, const char *program)
{
    static const char *const names[] = {"brisc", "unpack", "math", "pack"};
    struct message why;
    for (int i = 0; i < 4; i++) {
        char word[PATH_TEXT];
        snprintf(word, sizeof word, "%s=%s/%s_%s/%s.elf", tsr_core_program_name((tsr_core)i),
                 folder, program, arch_words[arch], names[i]);
        check(core_job_elf(job, word, &why), "the name of a program");
    }
    check(core_job_read(job, arch, &why), "a program");
}

static double add_once(struct core_job *job, tsr_arch arch, bool timing)
{
    tsr_options options = tsr_options_default(arch);
    tsr_tile *tile = NULL;
    struct message why;
    options.cores = true;
    options.timing = timing;
    options.profile = TSR_PROFILE_SILICON;
    check(tsr_tile_create(&options, &tile) == TSR_OK && core_job_begin(job, tile, &why), "a tile");
    double begin = seconds();
    tsr_end end = tsr_run(tile, NULL);
    double time = seconds() - begin;
    check(end == TSR_END_IDLE, "the additions have no end");
    tsr_tile_destroy(tile);
    return time;
}

static double add_on_chip(struct core_job *job, tsr_arch arch, bool timing)
{
    tsr_chip_options options = tsr_chip_options_default(arch);
    tsr_chip *chip = NULL;
    tsr_tile *tile = NULL;
    struct message why;
    options.tile.timing = timing;
    check(tsr_chip_create(&options, &chip) == TSR_OK &&
              tsr_chip_tile(chip, 1, 2, &tile) == TSR_OK && core_job_begin(job, tile, &why),
          "a chip");
    double begin = seconds();
    tsr_end end = tsr_chip_run(chip, NULL);
    double time = seconds() - begin;
    check(end == TSR_END_IDLE, "the additions have no end");
    tsr_chip_destroy(chip);
    return time;
}

// ---------------------------------------------------------------- products

static double multiply(tsr_arch arch, bool timing, unsigned threads)
{
    tsr_chip_options options = tsr_chip_options_default(arch);
    struct chip_job job = {0};
    tsr_chip *chip = NULL;
    struct message why;
    char path[PATH_TEXT];
    snprintf(path, sizeof path, "%s/grid_matmul_%s/%s.yaml", folder, arch_words[arch],
             arch_words[arch]);
    options.tile.timing = timing;
    options.threads = threads;
    check(grid_file_read(&job, path, &why) && chip_job_check(&job, &why), "a description");
    check(tsr_chip_create(&options, &chip) == TSR_OK && chip_begin(&job, &chip, &why), "a chip");
    double begin = seconds();
    tsr_end end = tsr_chip_run(chip, NULL);
    double time = seconds() - begin;
    check(end == TSR_END_IDLE && tsr_chip_finding_count(chip) == 0, "the products have no end");
    tsr_chip_destroy(chip);
    chip_job_free(&job);
    return time;
}

// ---------------------------------------------------------------- rows

// Of the first rows each job has two: on a tile alone, and on one of a chip.
enum { JOBS = 3, MULTIPLY = 2 * JOBS, MULTIPLY_2, ROWS };
static const char *const job_names[JOBS] = {"eltwise_c", "faces", "copies"};

static double run(int row, struct core_job jobs[JOBS], tsr_arch arch, bool timing)
{
    if (row >= MULTIPLY)
        return multiply(arch, timing, row == MULTIPLY ? 1 : 2);
    return row % 2 ? add_on_chip(&jobs[row / 2], arch, timing)
                   : add_once(&jobs[row / 2], arch, timing);
}

static void print_row(int row, struct core_job jobs[JOBS], tsr_arch arch, double least)
{
    static const char *const what[ROWS] = {
        "additions of tiles, a tile alone", "additions of tiles, one tile of the chip",
        "additions by faces, a tile alone", "additions by faces, one tile of the chip",
        "copies by faces, a tile alone",    "copies by faces, one tile of the chip",
        "products of tiles, 16 tiles",      "products of tiles, 16 tiles, 2 host threads"};
    printf("%-14s %-44s", tsr_arch_name(arch), what[row]);
    for (int timing = 0; timing < 2; timing++) {
        double begin = seconds(), best = 1e9;
        for (int i = 0; i < 3 || seconds() - begin < least; i++) {
            double time = run(row, jobs, arch, timing);
            best = time < best ? time : best;
        }
        printf("%s %9.0f a second", timing ? "; timing on" : "",
               (row < MULTIPLY ? ADDITIONS : PRODUCTS) / best);
        fflush(stdout);
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    double least = argc > 1 ? strtod(argv[1], NULL) : 1;
    int rows = argc > 2 && atoi(argv[2]) < 2 ? MULTIPLY_2 : ROWS;
    if (!shell("command -v riscv64-unknown-elf-gcc >/dev/null")) {
        puts("no compiler for RISC-V");
        return 0;
    }
    compile(argv[0]);
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        struct core_job jobs[JOBS] = {0};
        for (int job = 0; job < JOBS; job++)
            read_adders(&jobs[job], (tsr_arch)arch, job_names[job]);
        for (int row = 0; row < rows; row++)
            print_row(row, jobs, (tsr_arch)arch, least);
        for (int job = 0; job < JOBS; job++)
            core_job_free(&jobs[job]);
    }
    shell("rm -r %s", folder);
    return 0;
}
