// SPDX-License-Identifier: Apache-2.0
// The DMA engines of the PCI Express tile: single transfers as tt-umd asks for them, lists as
// Linux's driver writes them, and what goes wrong with either.
// Page: PCIExpressTile/README.md.
#include "rig/pcie_rig.h"

struct dma {
    tsr_chip *chip;
    struct host host;
    uint64_t base; // of the engines' registers
};

// DRAM channel 0 at the first window, the host's memory at an address of more than 32 bits.
static void dma_make(struct dma *dma, int arch)
{
    *dma = (struct dma){chip_make(arch), {.base = 0x123456000ull}, bar(arch, 2)};
    const tsr_host_memory memory = {&dma->host, host_read, host_write};
    assert_int_equal(tsr_chip_set_host_memory(dma->chip, &memory), TSR_OK);
    for (size_t i = 0; i < sizeof dma->host.bytes; i++)
        dma->host.bytes[i] = (uint8_t)(i + 1);
    set_window(dma->chip, arch, 0, arch == WH ? 20 : 21, (struct entry){.x = 0, .y = 0});
}

static void dma_words(struct dma *dma, const uint32_t (*words)[2], size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_word(dma->chip, dma->base + words[i][0], words[i][1]);
}

enum { HOST_LOW = 0x23456000, DONE = HOST_LOW + 0xf0, ABORT = HOST_LOW + 0xf4 };

// The register writes of tt-umd, to the device and back.
static void dma_wormhole(void **state)
{
    (void)state;
    struct dma dma;
    dma_make(&dma, WH);
    const uint32_t to_device[][2] = {
        {0x2c, 1},      {0xa8, 0},       {0x300, 0x10}, {0xcc, DONE},  {0xd0, 1},
        {0xdc, 0xfaca}, {0xd4, ABORT},   {0xd8, 1},     {0x308, 0x60}, {0x30c, HOST_LOW},
        {0x310, 1},     {0x314, 0x1000}, {0x318, 0},    {0x30, 0}};
    dma_words(&dma, to_device, sizeof to_device / sizeof *to_device);
    uint8_t read[0x60];
    uint32_t word = 0;
    assert_int_equal(tsr_chip_read(dma.chip, 0, 0, 0x1000, read, sizeof read), TSR_OK);
    assert_memory_equal(read, dma.host.bytes, sizeof read);
    memcpy(&word, dma.host.bytes + 0xf0, 4);
    assert_int_equal(word, 0xfaca);
    assert_int_equal(word_at(dma.chip, dma.base + 0x308), 0);
    assert_int_equal(word_at(dma.chip, dma.base + 0x300), 0x70); // stopped
    assert_int_equal(word_at(dma.chip, dma.base + 0xa0), 1);
    put_word(dma.chip, dma.base + 0xac, 1);
    assert_int_equal(word_at(dma.chip, dma.base + 0xa0), 0);
    // Back by channel 3, whose message is the upper half of another word.
    const uint32_t to_host[][2] = {
        {0x0c, 1},          {0x54, 0},     {0x800, 0x10},   {0x60, DONE}, {0x64, 1},
        {0x74, 0xbeef0000}, {0x808, 0x20}, {0x80c, 0x1010}, {0x810, 0},   {0x814, HOST_LOW + 0x80},
        {0x818, 1},         {0x10, 3}};
    dma_words(&dma, to_host, sizeof to_host / sizeof *to_host);
    assert_memory_equal(dma.host.bytes + 0x80, dma.host.bytes + 0x10, 0x20);
    memcpy(&word, dma.host.bytes + 0xf0, 4);
    assert_int_equal(word, 0xbeef);
    assert_int_equal(word_at(dma.chip, dma.base + 0x4c), 1u << 3);
    assert_int_equal(tsr_chip_finding_count(dma.chip), 0);
    tsr_chip_destroy(dma.chip);
}

static void dma_blackhole(void **state)
{
    (void)state;
    struct dma dma;
    dma_make(&dma, BH);
    const uint32_t words[][2] = {{0x188, 0x28}, {0x190, DONE},    {0x194, 1}, {0x1a0, ABORT},
                                 {0x1a4, 1},    {0x1a8, 0x12345}, {0x100, 1}, {0x120, HOST_LOW},
                                 {0x124, 1},    {0x128, 0x1000},  {0x12c, 0}, {0x11c, 0x60},
                                 {0x104, 1}};
    dma_words(&dma, words, sizeof words / sizeof *words);
    uint8_t read[0x60];
    uint32_t word = 0;
    assert_int_equal(word_at(dma.chip, dma.base + 0x11c), 0);
    assert_int_equal(tsr_chip_read(dma.chip, 0, 0, 0x1000, read, sizeof read), TSR_OK);
    assert_memory_equal(read, dma.host.bytes, sizeof read);
    memcpy(&word, dma.host.bytes + 0xf0, 4);
    assert_int_equal(word, 0x12345);
    assert_int_equal(word_at(dma.chip, dma.base + 0x180), 3);
    assert_int_equal(word_at(dma.chip, dma.base + 0x184), 1);
    assert_int_equal(tsr_chip_finding_count(dma.chip), 0);
    put_word(dma.chip, dma.base + 0x004, 1); // to the host
    assert_string_equal(last_found(dma.chip)->code, "unimplemented-mode");
    tsr_chip_reset(dma.chip);
    put_word(dma.chip, dma.base + 0x100, 1);
    put_word(dma.chip, dma.base + 0x134, 1); // a list
    put_word(dma.chip, dma.base + 0x104, 1);
    assert_string_equal(last_found(dma.chip)->code, "unimplemented-mode");
    tsr_chip_destroy(dma.chip);
}

enum { LIST = 0x4000, CYCLE = 1, TOGGLE = 2, LINK = 4, LOCAL = 8, REMOTE = 16 };

// An element of a list: what is copied, or where the list goes on.
static uint32_t put_element(struct dma *dma, uint32_t at, uint32_t head, uint32_t size,
                            uint64_t from, uint64_t to)
{
    const uint32_t words[6] = {
        head, size, (uint32_t)from, (uint32_t)(from >> 32), (uint32_t)to, (uint32_t)(to >> 32)};
    uint32_t bytes = head & LINK ? 16 : 24;
    assert_int_equal(tsr_chip_write(dma->chip, 0, 0, at, words, bytes), TSR_OK);
    return at + bytes;
}

static uint32_t host_word(const struct dma *dma, size_t at)
{
    uint32_t word;
    memcpy(&word, dma->host.bytes + at, 4);
    return word;
}

// As Linux's driver writes lists: elements of one cycle bit, then a link to the first one that
// toggles it; the next list needs a doorbell alone.
static void dma_lists(void **state)
{
    (void)state;
    const uint64_t host = 0x100000000ull + HOST_LOW;
    struct dma dma;
    dma_make(&dma, WH);
    const uint32_t words[][2] = {{0x2c, 1},     {0xa8, 0},     {0xcc, DONE}, {0xd0, 1},
                                 {0xdc, 0x55},  {0xd4, ABORT}, {0xd8, 1},    {0x300, 0x300},
                                 {0x31c, LIST}, {0x320, 0}};
    dma_words(&dma, words, sizeof words / sizeof *words);
    for (uint32_t cycle = 1; cycle < 3; cycle++) { // 1, then 0
        uint32_t own = cycle & CYCLE, to = 0x1000 * cycle;
        uint32_t at = put_element(&dma, LIST, own, 0x10, host + 0x20, to);
        if (cycle == 1) // the next one is shorter
            at = put_element(&dma, at, own, 0, 0, 0);
        at = put_element(&dma, at, own | LOCAL | REMOTE, 0x30, host, to + 0x10);
        put_element(&dma, at, (own ^ CYCLE) | TOGGLE | LINK, 0, LIST, 0);
        memset(dma.host.bytes + 0xf0, 0, 4);
        put_word(dma.chip, dma.base + 0x30, 0);
        uint8_t read[0x40];
        assert_int_equal(tsr_chip_read(dma.chip, 0, 0, to, read, sizeof read), TSR_OK);
        assert_memory_equal(read, dma.host.bytes + 0x20, 0x10);
        assert_memory_equal(read + 0x10, dma.host.bytes, 0x30);
        assert_int_equal(host_word(&dma, 0xf0), 0x55);
        assert_int_equal(word_at(dma.chip, dma.base + 0xa0), 1);
        assert_int_equal(word_at(dma.chip, dma.base + 0x300), 0x260 | (own ? 0 : 0x100));
        assert_int_equal(word_at(dma.chip, dma.base + 0x31c), LIST);
        put_word(dma.chip, dma.base + 0xac, 1);
    }
    // Nothing of the list is the engine's now.
    put_word(dma.chip, dma.base + 0x308, 0x77);
    put_word(dma.chip, dma.base + 0x30, 0);
    assert_int_equal(word_at(dma.chip, dma.base + 0x308), 0x77);
    assert_int_equal(word_at(dma.chip, dma.base + 0xa0), 0);
    // Back to the host, an element in another place.
    const uint32_t back[][2] = {{0x0c, 1},    {0x54, 0},      {0x60, DONE},  {0x64, 1},
                                {0x70, 0x66}, {0x200, 0x300}, {0x21c, LIST}, {0x220, 0}};
    put_element(&dma, LIST, LINK, 0, 2 * LIST, 0); // no toggle
    uint32_t at = put_element(&dma, 2 * LIST, CYCLE | REMOTE, 0x20, 0x1000, host + 0x80);
    put_element(&dma, at, 0, 0x20, 0x1000, host + 0xa0);
    dma_words(&dma, back, sizeof back / sizeof *back);
    uint8_t before[0x20];
    memcpy(before, dma.host.bytes + 0xa0, sizeof before);
    put_word(dma.chip, dma.base + 0x10, 0);
    assert_memory_equal(dma.host.bytes + 0x80, dma.host.bytes + 0x20, 0x10);
    assert_memory_equal(dma.host.bytes + 0xa0, before, sizeof before);
    assert_int_equal(host_word(&dma, 0xf0), 0x66);
    assert_int_equal(word_at(dma.chip, dma.base + 0x21c), 2 * LIST + 24);
    assert_int_equal(tsr_chip_finding_count(dma.chip), 0);
    tsr_chip_destroy(dma.chip);
}

// One that leads to itself, one beyond the device's memory, an element that copies nothing that is
// there.
static void dma_lists_go_wrong(void **state)
{
    (void)state;
    struct dma dma;
    dma_make(&dma, WH);
    const uint32_t words[][2] = {{0x2c, 1},     {0xa8, 0},   {0xd4, ABORT},
                                 {0xd8, 1},     {0xdc, 0x5}, {0x300, 0x310},
                                 {0x31c, LIST}, {0x320, 0},  {0x30, 0}};
    put_element(&dma, LIST, LINK, 0, LIST, 0);
    dma_words(&dma, words, sizeof words / sizeof *words);
    assert_string_equal(last_found(dma.chip)->code, "host-dma");
    assert_int_equal(word_at(dma.chip, dma.base + 0x300), 0x350);
    put_element(&dma, LIST, CYCLE, 0x10, 0x100000000ull + HOST_LOW, 0x1f000000);
    put_word(dma.chip, dma.base + 0x30, 0);
    assert_string_equal(last_found(dma.chip)->code, "host-unmapped");
    assert_int_equal(word_at(dma.chip, dma.base + 0xa0), 0); // nor does it say so
    put_element(&dma, LIST, CYCLE | REMOTE, 0x10, 0x100000000ull + HOST_LOW, 0x1f000000);
    put_word(dma.chip, dma.base + 0x30, 0);
    assert_int_equal(word_at(dma.chip, dma.base + 0xa0), 1u << 16);
    assert_int_equal(host_word(&dma, 0xf4), 5);
    put_word(dma.chip, dma.base + 0xac, 1u << 16);
    put_word(dma.chip, dma.base + 0x31c, 0x1f000000);
    put_word(dma.chip, dma.base + 0x30, 0);
    assert_int_equal(word_at(dma.chip, dma.base + 0xa0), 1u << 16);
    tsr_chip_destroy(dma.chip);
}

// Engines that are off, addresses at which nothing is, lists, masks, and words that are no
// registers.
static void dma_goes_wrong(void **state)
{
    (void)state;
    struct dma dma;
    dma_make(&dma, WH);
    const uint32_t words[][2] = {
        {0x300, 0x10}, {0xcc, DONE},      {0xd0, 1},  {0xd4, ABORT},       {0xd8, 1}, {0xdc, 0x77},
        {0x308, 0x20}, {0x30c, HOST_LOW}, {0x310, 1}, {0x314, 0x1f000000}, {0x30, 0}};
    uint32_t word = 0;
    dma_words(&dma, words, sizeof words / sizeof *words);
    assert_string_equal(last_found(dma.chip)->code, "host-dma");
    assert_int_equal(word_at(dma.chip, dma.base + 0xa0), 0);
    put_word(dma.chip, dma.base + 0x2c, 1);
    put_word(dma.chip, dma.base + 0x30, 0);
    assert_string_equal(last_found(dma.chip)->code, "host-unmapped");
    assert_int_equal(word_at(dma.chip, dma.base + 0xa0), 1u << 16);
    assert_int_equal(word_at(dma.chip, dma.base + 0x300), 0x50); // halted
    memcpy(&word, dma.host.bytes + 0xf4, 4);
    assert_int_equal(word, 0x77);
    put_word(dma.chip, dma.base + 0x314, 0x1000); // masked: nobody is told
    put_word(dma.chip, dma.base + 0xa8, 1);
    put_word(dma.chip, dma.base + 0x30, 0);
    assert_int_equal(word_at(dma.chip, dma.base + 0x308), 0);
    memcpy(&word, dma.host.bytes + 0xf0, 4);
    assert_int_equal(word, 0xf4f3f2f1);
    assert_int_equal(tsr_chip_host_read(dma.chip, dma.base + 0x1fc, &word, 4), TSR_UNMAPPED);
    assert_string_equal(last_found(dma.chip)->code, "node-missing");
    assert_int_equal(tsr_chip_host_write(dma.chip, dma.base + 0x30e, &word, 4), TSR_UNMAPPED);
    assert_string_equal(last_found(dma.chip)->code, "host-access-width");
    assert_int_equal(tsr_chip_set_host_memory(dma.chip, NULL), TSR_OK);
    const uint32_t alone[][2] = {{0x300, 0}, {0x308, 4}, {0x30, 0}};
    dma_words(&dma, alone, 3);
    assert_string_equal(last_found(dma.chip)->code, "host-memory");
    tsr_chip_reset(dma.chip);
    assert_int_equal(word_at(dma.chip, dma.base + 0x2c), 0);
    tsr_chip_destroy(dma.chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dma_wormhole),   cmocka_unit_test(dma_blackhole),
        cmocka_unit_test(dma_lists),      cmocka_unit_test(dma_lists_go_wrong),
        cmocka_unit_test(dma_goes_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
