// SPDX-License-Identifier: Apache-2.0
// The cores against a second engine, qemu's user mode, on random programs of what both have: RV32IM
// for Wormhole, with Zaamo, Zba and Zbb for Blackhole, and T2's vectors. Where qemu-riscv32 is not
// installed (Debian: qemu-user) the comparison is skipped. The last test shows that it notices
// mistakes. Usage: test_riscv_qemu [WORDS [SEED]]; a long run is 1000000 words. Page:
// BabyRISCV/README.md of each chip.
#include "oracle/riscv_program.h"
#include "rig/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static uint64_t words_wanted = RIG_SAMPLE(100000), first_seed = 1;

static const char *find_qemu(void)
{
    static const char *const places[] = {"/usr/bin/qemu-riscv32", "/usr/local/bin/qemu-riscv32"};
    for (int i = 0; i < 2; i++)
        if (access(places[i], X_OK) == 0)
            return places[i];
    return NULL;
}

static void temporary(char file[64])
{
    snprintf(file, 64, "/tmp/tessera-qemu-%ld.elf", (long)getpid());
}

static void test_random_programs(void **state)
{
    (void)state;
    const char *qemu = find_qemu();
    if (!qemu) {
        printf("no qemu-riscv32: skipped\n");
        skip();
    }
    struct program *program = malloc(sizeof *program);
    char file[64];
    uint64_t words = 0, seed = first_seed;
    temporary(file);
    for (; words < words_wanted; seed++) {
        tsr_arch arch = seed & 1 ? TSR_WORMHOLE_B0 : TSR_BLACKHOLE_A0;
        program_make(program, arch, seed);
        const char *wrong = program_run(program, arch);
        if (!wrong)
            wrong = program_compare(program, qemu, file);
        words += program->instructions;
        if (wrong)
            fail_msg("seed %llu: %s", (unsigned long long)seed, wrong);
    }
    remove(file);
    printf("%llu programs, %llu instructions: no difference\n",
           (unsigned long long)(seed - first_seed), (unsigned long long)words);
    free(program);
}

static void test_random_vectors(void **state)
{
    (void)state;
    const char *qemu = find_qemu();
    if (!qemu) {
        printf("no qemu-riscv32: skipped\n");
        skip();
    }
    struct program *program = malloc(sizeof *program);
    char file[64];
    uint64_t words = 0, seed = first_seed;
    temporary(file);
    for (; words < words_wanted; seed++) {
        program_make_vectors(program, seed);
        const char *wrong = program_run(program, TSR_BLACKHOLE_A0);
        if (!wrong)
            wrong = program_compare(program, qemu, file);
        words += program->instructions;
        if (wrong)
            fail_msg("seed %llu of vectors: %s", (unsigned long long)seed, wrong);
    }
    remove(file);
    printf("%llu programs with vectors, %llu instructions: no difference\n",
           (unsigned long long)(seed - first_seed), (unsigned long long)words);
    free(program);
}

// A word that Tessera executes and qemu does not, or the other way round.
static void test_canary(void **state)
{
    (void)state;
    const char *qemu = find_qemu();
    if (!qemu)
        skip();
    struct program *program = malloc(sizeof *program);
    char file[64];
    temporary(file);
    program_make(program, TSR_BLACKHOLE_A0, 5);
    assert_null(program_run(program, TSR_BLACKHOLE_A0));
    assert_null(program_compare(program, qemu, file));
    program->word[1] ^= 1u << 20; // what x1 is at first; it may be lost on the way
    program->word[program->count - 31] =
        tsr_riscv_row(RISCV_ADDI)->match | 1 << 7 | 1 << 15 | 1 << 20;
    assert_non_null(program_compare(program, qemu, file));
    remove(file);
    free(program);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_programs),
        cmocka_unit_test(test_random_vectors),
        cmocka_unit_test(test_canary),
    };
    if (argc > 1)
        words_wanted = strtoull(argv[1], NULL, 0);
    if (argc > 2)
        first_seed = strtoull(argv[2], NULL, 0) << 32;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
