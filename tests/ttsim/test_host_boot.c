// SPDX-License-Identifier: Apache-2.0
// The way of a test kernel from a host to its result, through the libraries: configuration space, a
// TLB window, soft reset, core B's commands, mailboxes. On both chips, and on Blackhole with T0
// alone released, too. Cores of an Ethernet tile as tt-metal starts them.
// Pages: PCIExpressTile/TLBs.md, SoftReset.md of each chip, EthernetTile/BabyRISCV/README.md.
#include "ttsim/host.h"

#include "rig/boot_kernels.h"
#include "rig/each_chip.h"

enum { IMAGE_BYTES = 0x32000 };

struct board {
    struct host host;
    unsigned x, y; // the first Tensix tile
};

static void put(struct board *board, uint32_t address, uint32_t word)
{
    host_put_word(&board->host, board->x, board->y, address, word);
}

static uint32_t get(struct board *board, uint32_t address)
{
    return host_word_of(&board->host, board->x, board->y, address);
}

static void wait_for(struct board *board, uint32_t address, uint32_t value)
{
    for (int i = 0; i < 2000 && get(board, address) != value; i++)
        board->host.clock(100);
    assert_int_equal(get(board, address), value);
}

static void begin(struct board *board, int arch)
{
    host_begin(&board->host, arch);
    board->x = 1;
    board->y = arch == WH ? 1 : 2;
    uint32_t id = board->host.config_read(0, 0);
    assert_int_equal(id & 0xffff, 0x1e52);
    assert_int_equal(id >> 16, arch == WH ? 0x401e : 0xb140);
}

// The kernels are written into a tile of their own; what that has in L1 is the image.
static void load(struct board *board, int arch, bool by_trisc0)
{
    static uint8_t image[IMAGE_BYTES];
    tsr_tile *maker = tile_with_cores(arch, false, TSR_PROFILE_SILICON);
    boot_write_brisc(maker, arch);
    boot_write_triscs(maker);
    if (by_trisc0)
        boot_write_trisc0(maker);
    assert_int_equal(tsr_l1_read(maker, 0, image, sizeof image), TSR_OK);
    tsr_tile_destroy(maker);
    host_put(&board->host, board->x, board->y, 0, image, sizeof image);
}

static void set_starts(struct board *board, int arch)
{
    for (uint32_t i = 0; i < 3; i++)
        put(board, arch == WH ? BOOT_STARTS + 4 * i : 0xffb12228u + 4 * i, boot_trisc_code[i]);
    if (arch == BH)
        put(board, 0xffb12234u, 7);
}

static void check_results(struct board *board)
{
    for (uint32_t i = 0; i < 3; i++)
        wait_for(board, BOOT_MAILBOXES + 4 * i, 0xff);
    assert_int_equal(get(board, BOOT_RESULTS), 3 + 107 + 5);
}

static void brisc_boots(int arch)
{
    struct board board;
    begin(&board, arch);
    put(&board, AT_SOFT_RESET, BOOT_HELD);
    load(&board, arch, false);
    set_starts(&board, arch);
    put(&board, AT_SOFT_RESET, 0x47000); // core B goes
    board.host.clock(2000);
    for (uint32_t served = 0; served < 6; served += 2) {
        put(&board, BOOT_RESULTS, 0);
        put(&board, BOOT_COMMANDS + 4 * (served & 1),
            arch == WH ? BOOT_NEW_STARTS : BOOT_START_TRISCS);
        wait_for(&board, BOOT_DONE, served + 1);
        check_results(&board);
        assert_int_equal(get(&board, AT_SOFT_RESET), 0x40000);
        put(&board, BOOT_COMMANDS + 4 * (~served & 1), BOOT_RESET_TRISCS);
        wait_for(&board, BOOT_DONE, served + 2);
        assert_int_equal(get(&board, AT_SOFT_RESET), 0x47000);
    }
    host_end(&board.host);
}

static void trisc0_boots(void **state)
{
    (void)state;
    struct board board;
    begin(&board, BH);
    put(&board, AT_SOFT_RESET, BOOT_HELD);
    load(&board, BH, true);
    put(&board, 0xffb1222cu, boot_trisc_code[1]);
    put(&board, 0xffb12230u, boot_trisc_code[2]);
    put(&board, 0xffb12234u, 6); // T1, T2
    put(&board, AT_SOFT_RESET, BOOT_HELD & ~(1u << 12));
    check_results(&board);
    host_end(&board.host);
}

// Firmware for the core of an Ethernet tile, as tt-metal loads it: reset, code, where it begins,
// release; then commands in its mailbox. On Blackhole it starts the second core.
static void ethernet_boots(int arch)
{
    enum { CODE = 0x33d0, SECOND = 0x9620, MAILBOX = 0x2000, GO = 0x80, DONE = 0, REPLY = 0x2010 };
    struct board board;
    uint32_t words[128];
    begin(&board, arch);
    board.x = 1;
    board.y = arch == WH ? 0 : 1;
    assert_int_equal(get(&board, AT_SOFT_RESET), arch == WH ? 0x800 : 0x1800);
    put(&board, AT_SOFT_RESET, arch == WH ? 0x800 : 0x1800);
    struct code code = code_in(words, CODE);
    if (arch == BH) {
        code_store(&code, 0xffb14008, SECOND);
        code_store(&code, AT_SOFT_RESET, 0);
        code_wait_for(&code, REPLY + 8, 5);
    }
    code_store(&code, MAILBOX, DONE);
    uint32_t loop = code.at;
    code_wait_for(&code, MAILBOX, GO);
    code_load(&code, A0, REPLY);
    code_addi(&code, A0, A0, 3);
    code_sw(&code, A0, A4, 4);
    code_store(&code, MAILBOX, DONE);
    code_jump(&code, loop);
    host_put(&board.host, board.x, board.y, CODE, words, code.at - CODE);
    code = code_in(words, SECOND);
    code_store(&code, REPLY + 8, 5);
    code_end(&code);
    host_put(&board.host, board.x, board.y, SECOND, words, code.at - SECOND);
    if (arch == WH)
        put(&board, 0, rv_jal(ZERO, CODE));
    else
        put(&board, 0xffb14000, CODE);
    put(&board, MAILBOX, 0x40);
    put(&board, AT_SOFT_RESET, get(&board, AT_SOFT_RESET) & ~0x800u);
    wait_for(&board, MAILBOX, DONE);
    for (uint32_t i = 0; i < 3; i++) {
        put(&board, REPLY, 7 * i);
        put(&board, MAILBOX, GO);
        wait_for(&board, MAILBOX, DONE);
        assert_int_equal(get(&board, REPLY + 4), 7 * i + 3);
    }
    host_end(&board.host);
}

TILE_BOTH(brisc_boots)
TILE_BOTH(ethernet_boots)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(brisc_boots),
        TILE_TEST(ethernet_boots),
        cmocka_unit_test(trisc0_boots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
