// SPDX-License-Identifier: Apache-2.0
// The libraries' calls beside their normal use: before init, twice, after exit, of nothing; forked
// simulators; what is said on stderr and in TESSERA_FINDINGS; each environment variable.
#include "ttsim/host.h"

#include "rig/child.h"
#include "rig/core_rig.h"
#include "rig/each_chip.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// A core stores where nothing is; another one goes on.
static void wild_kernel(struct host *host)
{
    tsr_tile *maker = tile_with_cores(host->arch, false, TSR_PROFILE_SILICON);
    struct code code = code_at(maker, 0);
    code_store(&code, 0xfff00000u, 1);
    code_end(&code);
    uint8_t image[64];
    assert_int_equal(tsr_l1_read(maker, 0, image, sizeof image), TSR_OK);
    tsr_tile_destroy(maker);
    host_put(host, 2, 3, 0, image, sizeof image);
    host_put_word(host, 2, 3, AT_SOFT_RESET, 0x47000);
    host->clock(1000);
    host->clock(1000);
}

// ---------------------------------------------------------------- life

static void out_of_order(int arch)
{
    struct host host;
    uint32_t word = 0;
    host_load(&host, arch);
    host.clock(1);
    host.read(0, &word, 4);
    assert_true(word == UINT32_MAX);
    host.tile_read(1, 2, 0, &word, 4);
    assert_true(host.config_read(0, 0) == UINT32_MAX);
    host.exit();
    host.init();
    host.init();
    host.tile_write(1, 2, 0x100, "abcd", 4);
    host.exit();
    host.init();
    host.tile_read(1, 2, 0x100, &word, 4);
    assert_int_equal(word, 0);
    host.exit();
}

static void life(int arch)
{
    assert_int_equal(child(arch, out_of_order), 0);
    assert_said("libttsim_clock() does nothing before libttsim_init()");
    assert_said("libttsim_init() does nothing while the simulator runs");
    assert_int_equal(count_of("\n"), 6);
}

static void odd_accesses(int arch)
{
    struct host host;
    uint8_t bytes[16];
    host_begin(&host, arch);
    host.read(0, bytes, 16);
    host.read(UINT64_MAX - 3, bytes, 16);
    host.write(host.bar0 + 0x1f000000, bytes, 16);
    host.read(host.bar0, NULL, 0);
    host.read(host.bar0, NULL, 4);
    host.write(host.bar2 + 1, bytes, 3);
    host.tile_read(1000, 1000, 0, bytes, 4);
    host.tile_read(0, 0, UINT64_MAX, bytes, 16);
    host.tile_write(1, 2, UINT64_MAX - 7, bytes, 16);
    host.tile_read(1, 2, 0xffb121b1u, bytes, 9);
    assert_true(host.config_read(1 << 3, 0) == UINT32_MAX); // no such device
    host.config_write(2 << 3, 0x10, 1);
    assert_true(host.config_read(1, 0) == UINT32_MAX);
    host.config_write(1 << 8, 0x10, 1);
    (void)host.config_read(0, 3);
    host.config_write(0, 0x10, 1);
    host.clock(UINT32_MAX);
    host_end(&host);
}

static void nothing_crashes(int arch)
{
    assert_int_equal(child(arch, odd_accesses), 0);
    assert_said("host-unmapped");
    assert_said("host-access-width");
    assert_said("host-config-write");
    assert_said("libttsim_pci_config_rd32() knows no function but 0 of bus 0, not 0x1.\n");
    assert_said("libttsim_pci_config_wr32() knows no function but 0 of bus 0, not 0x100.\n");
    assert_int_equal(count_of("knows no function"), 2);
}

// A fork gives two simulators, of which each goes its own way.
static void forks(int arch)
{
    struct host host;
    setenv("TESSERA_THREADS", "2,always", 1);
    host_begin(&host, arch);
    unsetenv("TESSERA_THREADS");
    host_put_word(&host, 1, 2, 0x100, 1);
    for (unsigned x = 2; x < 4; x++) { // each counts for ever
        host_put_word(&host, x, 2, 0, rv_i(RISCV_ADDI, A0, A0, 1));
        host_put_word(&host, x, 2, 4, rv_jal(ZERO, -4));
        host_put_word(&host, x, 2, AT_SOFT_RESET, 0x47000);
    }
    host.clock(6400);
    pid_t pid = fork();
    if (pid == 0) {
        host.clock(6400);
        host_put_word(&host, 1, 2, 0x100, 2);
        _exit(host_word_of(&host, 1, 2, 0x100) == 2 ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    host.clock(6400);
    assert_int_equal(host_word_of(&host, 1, 2, 0x100), 1);
    host_end(&host);
}

// ---------------------------------------------------------------- findings and the environment

static void run_wild(int arch)
{
    struct host host;
    host_begin(&host, arch);
    wild_kernel(&host);
    host_end(&host);
}

static void file_text(const char *path, char *text, size_t size)
{
    int file = open(path, O_RDONLY);
    assert_true(file >= 0);
    ssize_t got = read(file, text, size - 1);
    text[got > 0 ? got : 0] = 0;
    close(file);
}

static void findings_are_told(int arch)
{
    char path[] = "/tmp/tessera_findingsXXXXXX", text[4000];
    close(mkstemp(path));
    setenv("TESSERA_FINDINGS", path, 1);
    assert_int_equal(child(arch, run_wild), 0);
    unsetenv("TESSERA_FINDINGS");
    assert_said("tile 2-3 (tensix), core B, pc 0x000000");
    assert_said("page: WormholeB0/");
    assert_int_equal(count_of("unmapped-address): "), 1);
    file_text(path, text, sizeof text);
    assert_non_null(strstr(text, "{\"x\":2,\"y\":3,\"chip\":\""));
    assert_non_null(strstr(text, "\"tile\":\"tensix\",\"code\":"
                                 "\"unmapped-address\",\"category\":\"deadlock\""));
    unlink(path);
}

// A host writes to stderr, too: each finding is one write, which a socket of packets keeps apart.
static void findings_are_not_torn(int arch)
{
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    assert_int_equal(child_through(ends, arch, run_wild), 0);
    assert_said("unmapped-address): ");
    assert_int_equal(said_torn, 0);
}

// A core reads DRAM into its L1 and does not wait.
static void run_without_barrier(int arch)
{
    enum { NIU = 0xffb20000, BUFFER = 0x4000, BYTES = 64 };
    bool bh = arch == TSR_BLACKHOLE_A0;
    uint32_t here = 2 | 3 << 6;
    struct host host;
    host_begin(&host, arch);
    tsr_tile *maker = tile_with_cores(arch, false, TSR_PROFILE_SILICON);
    struct code code = code_at(maker, 0);
    code_store(&code, NIU + 0x00u, 0);
    code_store(&code, NIU + 0x04u, 0);
    code_store(&code, NIU + 0x08u, 0);
    code_store(&code, NIU + 0x0cu, BUFFER);
    code_store(&code, NIU + 0x10u, bh ? 0 : here << 4);
    code_store(&code, NIU + 0x14u, bh ? here : 0);
    code_store(&code, NIU + 0x18u, 0);
    code_store(&code, NIU + 0x1cu, 0);
    code_store(&code, NIU + 0x20u, BYTES);
    code_store(&code, NIU + (bh ? 0x40u : 0x28u), 1);
    uint32_t again = code.at;
    code_load(&code, A0, BUFFER);
    code_jump(&code, again);
    uint8_t image[512];
    assert_int_equal(tsr_l1_read(maker, 0, image, sizeof image), TSR_OK);
    tsr_tile_destroy(maker);
    host_put(&host, 2, 3, 0, image, sizeof image);
    host_put_word(&host, 2, 3, AT_SOFT_RESET, 0x47000);
    host.clock(4096);
    host_end(&host);
}

static void races_are_told(int arch)
{
    char path[] = "/tmp/tessera_findingsXXXXXX", text[8000];
    close(mkstemp(path));
    setenv("TESSERA_FINDINGS", path, 1);
    assert_int_equal(child(arch, run_without_barrier), 0);
    assert_int_equal(count_of("race-noc"), 0);
    setenv("TESSERA_RACES", "1", 1);
    assert_int_equal(child(arch, run_without_barrier), 0);
    unsetenv("TESSERA_RACES");
    unsetenv("TESSERA_FINDINGS");
    assert_said("tile 2-3 (tensix), core B, pc 0x000000");
    assert_said("core B reads L1 from 0x04000 on, which the read on NoC 0 of core B writes");
    assert_said("    other: core B pc 0x000000");
    assert_said("    missing: tt_noc_wait(0, 0): NIU_MST_REQS_OUTSTANDING_ID(0) of NoC 0 is 0");
    file_text(path, text, sizeof text);
    assert_non_null(strstr(text, "\"missing\":\"tt_noc_wait(0, 0)"));
    unlink(path);
}

// Only what stops ends the process.
static void endings(int arch)
{
    setenv("TESSERA_ON_FINDING", "exit", 1);
    assert_int_equal(child(arch, run_wild), 0);
    setenv("TESSERA_POLICY", "silicon,unmapped-address=stop", 1);
    assert_int_equal(child(arch, run_wild), 1);
    unsetenv("TESSERA_ON_FINDING");
    assert_int_equal(child(arch, run_wild), 0);
    assert_said("the tile stops");
    setenv("TESSERA_POLICY", "strict", 1);
    assert_int_equal(child(arch, run_wild), 0);
    assert_said("the tile stops");
    unsetenv("TESSERA_POLICY");
}

static void misspelt(int arch)
{
    static const char *const variables[][2] = {
        {"TESSERA_ON_FINDING", "die"},     {"TESSERA_FINDINGS", "/nowhere/at/all"},
        {"TESSERA_POLICY", "lenient"},     {"TESSERA_TIMING", "maybe"},
        {"TESSERA_TRACE", "/nowhere/x"},   {"TESSERA_THREADS", "2,alway"},
        {"TESSERA_WAITS", "/nowhere/y"},   {"TTSIM_SEMIHOSTING", "1"},
        {"TESSERA_ACCESS_CYCLES", "many"}, {"TESSERA_HARVESTED", "0x20000"},
        {"TESSERA_RACES", "maybe"}};
    enum { COUNT = sizeof variables / sizeof *variables };
    for (int i = 0; i < COUNT; i++)
        setenv(variables[i][0], variables[i][1], 1);
    assert_int_equal(child(arch, run_wild), 0);
    for (int i = 0; i < COUNT; i++) {
        assert_said(variables[i][0]);
        unsetenv(variables[i][0]);
    }
    assert_int_equal(count_of("is ignored; expected"), COUNT);
    assert_said(arch == WH ? "a bit for each of 12 rows" : "a bit for each of 17 columns");
    setenv("TESSERA_TIMIMG", "on", 1);
    setenv("TESSERA_TIMING", "off", 1);
    assert_int_equal(child(arch, run_wild), 0);
    unsetenv("TESSERA_TIMIMG");
    unsetenv("TESSERA_TIMING");
    assert_said("no variable is called TESSERA_TIMIMG; it is ignored.");
    assert_int_equal(count_of("no variable is called"), 1);
}

// What does not fit on a disk is not lost without a word.
static void full_disk(int arch)
{
    static const char *const names[] = {"TESSERA_FINDINGS", "TESSERA_WAITS", "TESSERA_TRACE"};
    for (int i = 0; i < 3; i++)
        setenv(names[i], "/dev/full", 1);
    assert_int_equal(child(arch, run_wild), 0);
    for (int i = 0; i < 3; i++)
        unsetenv(names[i]);
    assert_said("TESSERA_FINDINGS: not all of the file could be written.");
}

static void write_beside(int arch)
{
    struct host host;
    host_begin(&host, arch);
    unsigned x = arch == WH ? 2 : 16;
    host_put_word(&host, x, 3, 0x100, 5);
    host_put_word(&host, 4, 5, 0x100, 6);
    fprintf(stderr, "they are 0x%x and 0x%x\n", (unsigned)host_word_of(&host, x, 3, 0x100),
            (unsigned)host_word_of(&host, 4, 5, 0x100));
    host_end(&host);
}

// Nobody answers for a row that is fused off; a column of Blackhole, where TLB windows take
// translated coordinates, comes last.
static void harvested_tiles(int arch)
{
    assert_int_equal(child(arch, write_beside), 0);
    assert_said("they are 0x5 and 0x6\n");
    setenv("TESSERA_HARVESTED", arch == WH ? "0x8" : "4", 1);
    assert_int_equal(child(arch, write_beside), 0);
    unsetenv("TESSERA_HARVESTED");
    assert_said("they are 0xffffffff and 0x6\n");
    assert_said("host-unmapped");
}

// What nothing guarantees is not told of, if a host says so.
static void policies(int arch)
{
    setenv("TESSERA_POLICY", "strict,unguaranteed-order=ignore,unmapped-address=record", 1);
    assert_int_equal(child(arch, run_wild), 0);
    unsetenv("TESSERA_POLICY");
    assert_int_equal(count_of("is ignored; expected"), 0);
    assert_int_equal(count_of("the tile stops"), 0);
}

// With TESSERA_ACCESS_CYCLES a core is seen to work by a host that never calls libttsim_clock().
// What the host writes behind the start of the core is there last.
static void count_by_accesses(int arch, bool writes)
{
    struct host host;
    host_begin(&host, arch);
    tsr_tile *maker = tile_with_cores(arch, false, TSR_PROFILE_SILICON);
    struct code code = code_at(maker, 0);
    code_store(&code, 0x1000, 0x600d);
    code_end(&code);
    uint8_t image[64];
    assert_int_equal(tsr_l1_read(maker, 0, image, sizeof image), TSR_OK);
    tsr_tile_destroy(maker);
    host_put(&host, 4, 5, 0, image, sizeof image);
    host_put_word(&host, 4, 5, AT_SOFT_RESET, 0x47000);
    if (writes)
        host_put_word(&host, 4, 5, 0x1000, 5);
    fprintf(stderr, "it is 0x%x\n", (unsigned)host_word_of(&host, 4, 5, 0x1000));
    host_end(&host);
}

static void count_by_reads(int arch)
{
    count_by_accesses(arch, false);
}

static void count_by_writes(int arch)
{
    count_by_accesses(arch, true);
}

static void accesses_take_time(int arch)
{
    assert_int_equal(child(arch, count_by_reads), 0);
    assert_said("it is 0x0\n");
    setenv("TESSERA_ACCESS_CYCLES", "1000", 1);
    assert_int_equal(child(arch, count_by_reads), 0);
    assert_said("it is 0x600d\n");
    assert_int_equal(child(arch, count_by_writes), 0);
    assert_said("it is 0x5\n");
    unsetenv("TESSERA_ACCESS_CYCLES");
}

// With timing on the trace has cycles; with either there is the instruction and its tile.
static void run_instruction(int arch)
{
    struct host host;
    host_begin(&host, arch);
    tsr_tile *maker = tile_with_cores(arch, false, TSR_PROFILE_SILICON);
    struct code code = code_at(maker, 0);
    code_push(&code, "SEMINIT sem_sel=4 max_value=1");
    code_end(&code);
    uint8_t image[64];
    assert_int_equal(tsr_l1_read(maker, 0, image, sizeof image), TSR_OK);
    tsr_tile_destroy(maker);
    host_put(&host, 4, 5, 0, image, sizeof image);
    host_put_word(&host, 4, 5, AT_SOFT_RESET, 0x47000);
    host.clock(640);
    host_end(&host);
}

static void traces(int arch)
{
    char path[] = "/tmp/tessera_traceXXXXXX", text[4000];
    close(mkstemp(path));
    setenv("TESSERA_TRACE", path, 1);
    setenv("TESSERA_TIMING", "on", 1);
    assert_int_equal(child(arch, run_instruction), 0);
    unsetenv("TESSERA_TRACE");
    unsetenv("TESSERA_TIMING");
    file_text(path, text, sizeof text);
    assert_true(strncmp(text, "4-5\t-1\tfrontend\t0\t", 18) == 0);
    assert_non_null(strstr(text, "\tcore B starts at 0x00000000\n4-5\t0\tsync\t"));
    assert_non_null(strstr(text, "\tSEMINIT "));
    unlink(path);
}

// What was traced before a fork stands in the file once.
static void forks_with_trace(int arch)
{
    char path[] = "/tmp/tessera-trace-XXXXXX", text[8192];
    close(mkstemp(path));
    setenv("TESSERA_TRACE", path, 1);
    struct host host;
    host_begin(&host, arch);
    unsetenv("TESSERA_TRACE");
    wild_kernel(&host);
    pid_t pid = fork();
    if (pid == 0) {
        fflush(NULL); // as exit() does
        _exit(0);
    }
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    host_end(&host);
    file_text(path, text, sizeof text);
    const char *first = strstr(text, "starts at");
    assert_non_null(first);
    assert_null(strstr(first + 1, "starts at"));
    unlink(path);
}

TILE_BOTH(life)
TILE_BOTH(forks_with_trace)
TILE_BOTH(nothing_crashes)
TILE_BOTH(forks)
TILE_BOTH(findings_are_told)
TILE_BOTH(findings_are_not_torn)
TILE_BOTH(races_are_told)
TILE_BOTH(endings)
TILE_BOTH(misspelt)
TILE_BOTH(full_disk)
TILE_BOTH(harvested_tiles)
TILE_BOTH(policies)
TILE_BOTH(accesses_take_time)
TILE_BOTH(traces)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(life),
        TILE_TEST(nothing_crashes),
        TILE_TEST(forks),
        TILE_TEST(forks_with_trace),
        TILE_TEST(findings_are_told),
        TILE_TEST(findings_are_not_torn),
        TILE_TEST(endings),
        TILE_TEST(misspelt),
        TILE_TEST(full_disk),
        TILE_TEST(harvested_tiles),
        TILE_TEST(policies),
        TILE_TEST(accesses_take_time),
        TILE_TEST(races_are_told),
        TILE_TEST(traces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
