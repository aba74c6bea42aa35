// SPDX-License-Identifier: Apache-2.0
// How many millions of instructions the baby cores of one Wormhole tile execute in a second of the
// host's time, with timing off: one core alone and four together, on loops that compute, load and
// store L1, push Tensix NOPs, and push what kernels push; what cores cost that only poll; and
// qemu's user mode on the loop that computes, where qemu-riscv32 is installed.
// usage: bench_cores [MILLIONS [ROW [CORES]]]   instructions a row, 50; only that row, from 0, and
// only one run of it, on so many cores, for who counts instructions of the host
// Pages: BabyRISCV/README.md, PushTensixInstruction.md.
#include "rig/riscv_rig.h"

#include <tessera/tessera.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { CORES = 4, PLACE = 0x10000, DATA = 0x80000, LOOP_MOST = 32 };
enum { A = 10, B = 11, C = 12, D = 13, E = 14, AT = 5, COUNT = 16 };
enum work { COMPUTE, MEMORY, PUSH_NOPS, PUSH_MIX, POLL, WORKS };
static const char *const names[WORKS] = {"compute", "load and store L1", "push Tensix NOPs",
                                         "push a kernel's mix", "poll L1"};

struct words {
    uint32_t word[LOOP_MOST];
    int count;
};

static void add(struct words *words, uint32_t word)
{
    words->word[words->count++] = word;
}

static void check(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "bench_cores: %s\n", what);
    exit(1);
}

static void add_tensix(struct words *words, const char *text)
{
    uint32_t word;
    char error[100];
    check(tsr_assemble(TSR_WORMHOLE_B0, text, &word, error, sizeof error) == TSR_OK, text);
    add(words, rv_ttinsn(word));
}

// What stands between the loops of a kernel that sets its units up for a tile.
static void add_mix(struct words *words)
{
    static const char *const first[] = {
        "SETDMAREG RegIndex16b=16 Payload_SigSel=0x20", "SETDMAREG RegIndex16b=17 Payload_SigSel=1",
        "WRCFG GprAddress=8 CfgReg=76", "SETADCXX CntSetMask=3 x_end2=255"};
    static const char *const second[] = {"SETADCXY CntSetMask=3 BitMask=15",
                                         "SETADCZW CntSetMask=3 BitMask=15", "INCRWC rwc_d=1",
                                         "NOP"};
    for (int i = 0; i < 4; i++)
        add_tensix(words, first[i]);
    add(words, rv_i(RISCV_ADDI, A, A, 1));
    for (int i = 0; i < 4; i++)
        add_tensix(words, second[i]);
    add(words, rv_i(RISCV_ADDI, A, A, 1));
}

// A loop that never ends, or of as many passes as x16 says.
static void add_loop(struct words *words, enum work work)
{
    int top = words->count;
    switch (work) {
    case COMPUTE:
        add(words, rv_r(RISCV_ADD, A, A, B));
        add(words, rv_r(RISCV_XOR, C, A, D));
        add(words, rv_i(RISCV_SRLI, D, C, 3));
        add(words, rv_r(RISCV_MUL, E, D, C));
        add(words, rv_r(RISCV_SLTU, B, E, A));
        add(words, rv_r(RISCV_ADD, B, B, E));
        break;
    case MEMORY:
        add(words, rv_i(RISCV_LW, A, AT, 0));
        add(words, rv_i(RISCV_LW, B, AT, 4));
        add(words, rv_r(RISCV_ADD, A, A, B));
        add(words, rv_s(RISCV_SW, A, AT, 8));
        add(words, rv_i(RISCV_LBU, B, AT, 12));
        add(words, rv_s(RISCV_SW, B, AT, 0));
        break;
    case PUSH_NOPS:
        for (int i = 0; i < 6; i++)
            if (i == 2 || i == 5)
                add(words, rv_i(RISCV_ADDI, A, A, 1));
            else
                add_tensix(words, "NOP");
        break;
    case PUSH_MIX:
        add_mix(words);
        break;
    default:
        add(words, rv_i(RISCV_LW, A, AT, 0));
        add(words, rv_b(RISCV_BEQ, A, 0, -4));
        return;
    }
    add(words, rv_i(RISCV_ADDI, COUNT, COUNT, -1));
    add(words, rv_b(RISCV_BNE, COUNT, 0, 4 * (top - words->count)));
}

static void add_constant(struct words *words, unsigned rd, uint32_t value)
{
    uint32_t low = ((value & 0xfff) ^ 0x800) - 0x800;
    add(words, rv_u(RISCV_LUI, rd, value - low));
    add(words, rv_i(RISCV_ADDI, rd, rd, (int32_t)low));
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void start(tsr_tile *tile, tsr_core core, enum work work)
{
    struct words words = {.count = 0};
    // Core B begins at 0 whatever is said.
    uint32_t place = core == TSR_CORE_B ? 0 : PLACE + 0x1000 * (uint32_t)core;
    uint32_t data = DATA + 0x100 * (uint32_t)core;
    add_constant(&words, AT, data);
    add_loop(&words, work);
    for (int i = 0; i < words.count; i++)
        check(tsr_host_store(tile, place + 4 * (uint32_t)i, words.word[i], 4) == TSR_OK, "store");
    for (uint32_t i = 0; i < 4; i++)
        check(tsr_host_store(tile, data + 4 * i, 0, 4) == TSR_OK, "store");
    check(tsr_core_start(tile, core, place) == TSR_OK, "start");
}

// Seconds for `cycles` of the first `cores` cores on `work`, the others polling if `others`.
static double time_tile(enum work work, int cores, bool others, uint64_t cycles)
{
    tsr_options options = tsr_options_default(TSR_WORMHOLE_B0);
    tsr_tile *tile = NULL;
    options.cores = true;
    options.timing = false;
    options.profile = TSR_PROFILE_SILICON;
    check(tsr_tile_create(&options, &tile) == TSR_OK, "no tile");
    for (int core = 0; core < CORES; core++)
        if (core < cores || others)
            start(tile, (tsr_core)core, core < cores ? work : POLL);
    tsr_limits limits = tsr_limits_default();
    limits.max_cycles = cycles;
    double begin = seconds();
    check(tsr_run(tile, &limits) == TSR_END_TIMEOUT, "the run ended early");
    double end = seconds();
    tsr_tile_destroy(tile);
    return end - begin;
}

static void print_row(enum work work, int cores, uint64_t instructions)
{
    uint64_t cycles = instructions / (uint64_t)cores;
    double best = 1e9;
    for (int round = 0; round < 3; round++) {
        double now = time_tile(work, cores, false, cycles);
        best = now < best ? now : best;
    }
    printf("%-20s %d %s %8.1f million a second\n", names[work], cores,
           cores > 1 ? "cores" : "core ", (double)(cycles * (uint64_t)cores) / best * 1e-6);
}

// ---------------------------------------------------------------- qemu

static void put32(uint8_t *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

static bool write_elf(const char *file, const struct words *words)
{
    enum { HEAD = 84, BASE = 0x100000, SIZE = HEAD + 4 * LOOP_MOST };
    static const uint8_t ident[16] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
    const uint32_t head[17] = {2 | 243u << 16, 1, BASE + HEAD, 52, 0,    0,    52 | 32u << 16,
                               1 | 40u << 16,  0, 1,           0,  BASE, BASE, SIZE,
                               SIZE,           7, 0x1000};
    uint8_t image[SIZE] = {0};
    memcpy(image, ident, sizeof ident);
    for (int i = 0; i < 17; i++)
        put32(image + 16 + 4 * i, head[i]);
    for (int i = 0; i < words->count; i++)
        put32(image + HEAD + 4 * i, words->word[i]);
    FILE *out = fopen(file, "wb");
    bool good = out && fwrite(image, SIZE, 1, out) == 1;
    return (!out || fclose(out) == 0) && good;
}

static double child_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

static void print_qemu(uint64_t instructions)
{
    char file[64], command[256];
    struct words words = {.count = 0};
    add_constant(&words, COUNT, (uint32_t)(instructions / 8));
    add_loop(&words, COMPUTE);
    add_constant(&words, 10, 0);
    add_constant(&words, 17, 93); // exit
    add(&words, tsr_riscv_row(RISCV_ECALL)->match);
    snprintf(file, sizeof file, "/tmp/tessera-bench-%ld.elf", (long)getpid());
    snprintf(command, sizeof command,
             "command -v qemu-riscv32 >/dev/null && chmod +x %s && qemu-riscv32 %s", file, file);
    check(write_elf(file, &words), "no ELF file");
    double begin = child_seconds();
    bool ran = system(command) == 0;
    double time = child_seconds() - begin;
    remove(file);
    if (ran)
        printf("%-20s under qemu-riscv32 %.1f million a second\n", names[COMPUTE],
               (double)instructions / time * 1e-6);
    else
        printf("no qemu-riscv32\n");
}

int main(int argc, char **argv)
{
    uint64_t millions = argc > 1 ? strtoull(argv[1], NULL, 0) : 50;
    int only = argc > 2 ? atoi(argv[2]) : WORKS, cores = argc > 3 ? atoi(argv[3]) : 0;
    check(millions > 0 && only >= 0 && cores >= 0 && cores <= CORES,
          "usage: bench_cores [MILLIONS [ROW [CORES]]]");
    if (cores > 0 && only == POLL) { // beside one that computes, if there is more than one
        time_tile(COMPUTE, 1, cores > 1, millions * 1000000);
        return 0;
    }
    if (cores > 0 && only < WORKS) {
        time_tile((enum work)only, cores, false, millions * 1000000 / (uint64_t)cores);
        return 0;
    }
    for (int work = COMPUTE; work <= PUSH_MIX; work++) {
        if (only != WORKS && only != work)
            continue;
        print_row((enum work)work, 1, millions * 1000000);
        print_row((enum work)work, CORES, millions * 1000000);
    }
    if (only != WORKS)
        return 0;
    uint64_t cycles = millions * 1000000;
    double alone = 1e9, with = 1e9;
    for (int round = 0; round < 3; round++) { // in turn
        double now = time_tile(COMPUTE, 1, false, cycles);
        alone = now < alone ? now : alone;
        now = time_tile(COMPUTE, 1, true, cycles);
        with = now < with ? now : with;
    }
    printf("%-20s three beside one that computes: %.2f of its time alone\n", names[POLL],
           with / alone);
    print_qemu(millions * 4000000);
    return 0;
}
