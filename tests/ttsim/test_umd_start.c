// SPDX-License-Identifier: Apache-2.0
// What tt-umd does with a simulator when it starts, access by access, from its public sources
// (device/simulation/tt_sim_communicator.cpp, device/tt_device/tt_sim_tt_device.cpp,
// device/tt_device/simulation_tt_device.cpp, device/pcie/tt_sim_tlb_handle.cpp): the library is
// opened, looked at and closed, then opened again; call-backs before init; identity and BARs from
// the configuration space; a TLB window; address translation over BAR 2; then each access sets the
// window anew, and a cycle passes after each read.
#include "ttsim/host.h"

#include "rig/core_rig.h"
#include "rig/each_chip.h"

#include <dlfcn.h>
#include <sys/stat.h>

enum { CHANNEL_BYTES = 1 << 12 };

static uint8_t memory[2][CHANNEL_BYTES]; // of the host, by channel of 1 GiB

static void read_memory(uint64_t address, void *bytes, uint32_t size)
{
    assert_true(address >> 30 < 2 && (address & 0x3fffffff) + size <= CHANNEL_BYTES);
    memcpy(bytes, memory[address >> 30] + (address & 0x3fffffff), size);
}

static void write_memory(uint64_t address, const void *bytes, uint32_t size)
{
    assert_true(address >> 30 < 2 && (address & 0x3fffffff) + size <= CHANNEL_BYTES);
    memcpy(memory[address >> 30] + (address & 0x3fffffff), bytes, size);
}

// No multichip interface is offered, so that tt-umd takes the way for one chip.
static void probe(int arch)
{
    void *library = dlopen(host_library_path(arch), RTLD_LAZY);
    assert_non_null(library);
    assert_null(dlsym(library, "libttsim_create_device_by_id"));
    assert_null(dlsym(library, "libttsim_select_device_by_id"));
    assert_int_equal(dlclose(library), 0);
}

// tt-metal's banks of DRAM: how many views there are, of what size, and the last one of them.
static void find_banks(const char *text, int arch)
{
    int views = 0;
    for (const char *at = text; (at = strstr(at, "\n  - {channel: ")) != NULL; at++)
        views++;
    assert_int_equal(views, arch == WH ? 12 : 8);
    assert_non_null(strstr(text, arch == WH ? "\ndram_view_size: 1073741824\n"
                                            : "\ndram_view_size: 4278190080\n"));
    assert_non_null(strstr(text, arch == WH ? "  - {channel: 5, eth_endpoint: [2, 2], "
                                              "worker_endpoint: [2, 2], "
                                              "address_offset: 1073741824}\n"
                                            : "  - {channel: 7, eth_endpoint: [0, 1], "
                                              "worker_endpoint: [0, 1], address_offset: 0}\n"));
}

// tt-umd looks for it in the folder of the library that it is given.
static void find_descriptor(int arch)
{
    char path[512];
    struct stat found;
    snprintf(path, sizeof path, "%s", host_library_path(arch));
    snprintf(strrchr(path, '/'), 64, "/soc_descriptor.yaml");
    assert_int_equal(stat(path, &found), 0);
    assert_true(found.st_size > 500);
    char text[8192] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_in_range(fread(text, 1, sizeof text - 1, file), 500, sizeof text);
    fclose(file);
    assert_non_null(strstr(text, arch == WH ? "\npcie: [0-3]\n" : "\npcie: [2-0]\n"));
    if (arch == BH) // in the order in which tt-umd counts them
        assert_non_null(strstr(text, "\nl2cpu: [8-3, 8-9, 8-5, 8-7]\n"));
    find_banks(text, arch);
}

static void configure_iatu(struct host *host, int arch, uint32_t region)
{
    uint64_t at = host->bar2 + (arch == WH ? 0x1200 : 0x1000) + region * 0x200ull;
    uint32_t base = region << 30, target = region << 30;
    const uint32_t writes[][2] = {
        {0x04, 0},      {0x00, 0}, {0x08, base},    {0x0c, 0}, {0x10, base + ((1u << 30) - 1)},
        {0x14, target}, {0x18, 0}, {0x04, 1u << 31}};
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++)
        host->write(at + writes[i][0], &writes[i][1], 4);
}

static void start(struct host *host, int arch)
{
    find_descriptor(arch);
    probe(arch);
    host_load(host, arch);
    host->set_memory(read_memory, write_memory);
    host->init();
    assert_int_equal(host->config_read(0, 0) & 0xffff, 0x1e52);
    assert_int_equal(host->config_read(0, 0) >> 16, arch == WH ? 0x401e : 0xb140);
    host->bar0 = host->config_read(0, 0x10);
    host->bar0 |= (uint64_t)host->config_read(0, 0x14) << 32;
    host->bar0 &= ~15ull;
    host->bar4 = host->config_read(0, 0x20);
    host->bar4 |= (uint64_t)host->config_read(0, 0x24) << 32;
    host->bar4 &= ~15ull;
    (void)host_window(host, 0, 0, 0); // the cached window, of an empty configuration
    for (uint32_t region = 0; region < 2; region++) {
        host->bar2 = host->config_read(0, 0x18);
        host->bar2 |= (uint64_t)host->config_read(0, 0x1c) << 32;
        host->bar2 &= ~15ull;
        configure_iatu(host, arch, region);
    }
}

static uint32_t read_word(struct host *host, unsigned x, unsigned y, uint64_t address)
{
    uint32_t word = host_word_of(host, x, y, address);
    host->clock(1);
    return word;
}

// assert_risc_reset() and deassert_risc_reset(): read, change, write.
static void change_reset(struct host *host, unsigned x, unsigned y, uint32_t set, uint32_t clear)
{
    uint32_t value = read_word(host, x, y, AT_SOFT_RESET);
    host_put_word(host, x, y, AT_SOFT_RESET, (value | set) & ~clear);
}

static void starts_and_runs(int arch)
{
    struct host host;
    start(&host, arch);
    for (unsigned arch_x = 1; arch_x <= 4; arch_x++) // every core is held first
        change_reset(&host, arch_x, 2, 0x47800, 0);
    tsr_tile *maker = tile_with_cores(arch, false, TSR_PROFILE_SILICON);
    struct code code = code_at(maker, 0);
    code_store(&code, 0x1000, 0x600d);
    code_end(&code);
    uint8_t image[64], back[64];
    assert_int_equal(tsr_l1_read(maker, 0, image, sizeof image), TSR_OK);
    tsr_tile_destroy(maker);
    host_put(&host, 3, 2, 0, image, sizeof image);
    host_get(&host, 3, 2, 0, back, sizeof back);
    host.clock(1);
    assert_memory_equal(image, back, sizeof image);
    change_reset(&host, 3, 2, 0, 1u << 11);
    int polls = 0;
    for (; polls < 10000 && read_word(&host, 3, 2, 0x1000) != 0x600d; polls++)
        continue;
    assert_in_range(polls, 1, 9999);
    assert_int_equal(read_word(&host, 4, 2, 0x1000), 0);
    host_end(&host);
}

// tt-umd of early 2026 accesses tiles so, a Tensix tile, an Ethernet tile and DRAM, by translated
// coordinates; its windows take the same.
static void translated(int arch)
{
    static const unsigned at[2][3][4] = {{{18, 18, 1, 1}, {25, 27, 9, 11}, {18, 16, 1, 0}},
                                         {{17, 12, 0, 0}, {18, 12, 9, 0}, {20, 25, 1, 1}}};
    struct host host;
    host_load(&host, arch);
    host_begin(&host, arch);
    for (unsigned i = 0; i < 3; i++) {
        const unsigned *place = at[arch == BH][i];
        uint32_t word = 0x5a5a0000 + i, read = 0;
        host.tile_write(place[0], place[1], 0x2000, &word, 4);
        host.tile_read(place[2], place[3], 0x2000, &read, 4);
        assert_int_equal(read, word);
        assert_int_equal(host_word_of(&host, place[0], place[1], 0x2000), word);
        read = 0;
        host.tile_read(place[0], place[1], 0x2000, &read, 4);
        assert_int_equal(read, word);
    }
    host_end(&host);
}

// Buffers of the host's memory, as a kernel's data lie there, and DRAM at both ends of a channel.
static void memories(int arch)
{
    struct host host;
    start(&host, arch);
    unsigned x = arch == WH ? 0 : 19, y = arch == WH ? 3 : 24; // Blackhole: translated
    uint64_t base = arch == WH ? 0x800000000ull : 4ull << 58;
    uint64_t value = 0x0102030405060708, read = 0;
    host_put(&host, x, y, base + (1u << 30) + 8, &value, 8);
    assert_memory_equal(memory[1] + 8, &value, 8);
    host_get(&host, x, y, base + (1u << 30) + 8, &read, 8);
    assert_true(read == value);
    uint64_t last = (arch == WH ? 1ull << 31 : 1ull << 32) - 8;
    host_put(&host, 0, 0, last, &value, 8);
    host_get(&host, 0, 11, last, &read, 8);
    assert_true(read == value);
    host_end(&host);
}

TILE_BOTH(starts_and_runs)
TILE_BOTH(memories)
TILE_BOTH(translated)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(starts_and_runs),
        TILE_TEST(memories),
        TILE_TEST(translated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
