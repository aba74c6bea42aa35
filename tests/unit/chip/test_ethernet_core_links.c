// SPDX-License-Identifier: Apache-2.0
// Cores of Ethernet tiles use their queues: two of them hand a counter to and fro over a link, each
// waiting in L1 for the other's packet; what a queue finds is the core's; neither slices nor host
// threads change anything; a run ends by what happens on the other chip.
// Pages: EthernetTile/EthernetTxRx.md, EthernetTile/BabyRISCV/README.md of each chip.
#include "rig/link_cores.h"

enum { CODE = 0x9040, BALL = 0x20000, STAMPS = 0x21000, ROUNDS = 10 };

// Waits for each number of its turn, writes down when it came, and sends the next one.
static void put_player(struct end end, bool serves)
{
    uint32_t words[1024];
    bool bh = tsr_chip_arch(end.chip) == TSR_BLACKHOLE_A0;
    struct code code = code_in(words, CODE);
    code_store(&code, tx_at(0, TX_CTRL), KEEPALIVE | DIS_DROP);
    code_store(&code, tx_at(0, TX_START), BALL + 0x100);
    code_store(&code, tx_at(0, TX_SIZE), 16);
    code_store(&code, tx_at(0, TX_DEST), BALL);
    for (uint32_t turn = serves ? 1 : 2; turn <= ROUNDS; turn += 2) {
        if (turn != 1)
            code_wait_for(&code, BALL, turn - 1);
        code_load(&code, A3, AT_WALL_CLOCK);
        code_li(&code, A4, STAMPS + 4 * turn);
        code_sw(&code, A3, A4, 0);
        code_store(&code, BALL + 0x100, turn);
        code_store(&code, tx_at(0, TX_CMD), L1_WRITE);
        uint32_t wait = code.at;
        code_load(&code, A3, bh ? tx_at(0, TX_STATUS) : tx_at(0, TX_CMD));
        if (bh) {
            code_li(&code, A5, 1u << 16);
            code_put(&code, rv_r(RISCV_AND, A3, A3, A5));
        }
        code_branch(&code, RISCV_BNE, A3, ZERO, wait);
    }
    code_end(&code);
    start_core(end, &code);
}

static uint64_t play(int arch, bool timing, unsigned threads, uint64_t slice)
{
    enum { TOTAL = 60000 };
    struct pair pair = pair_on_threads(arch, timing, threads);
    struct end a = pair.a, b = pair.b;
    for (int i = 0; i < 2; i++) // the queue receives TT-link packets
        store(i ? b : a, tx_at(0, TX_CTRL), KEEPALIVE | DIS_DROP);
    put_player(a, true);
    put_player(b, false);
    for (uint64_t done = 0; done < TOTAL; done += slice)
        assert_int_equal(tsr_chip_clock(a.chip, slice < TOTAL - done ? slice : TOTAL - done),
                         TSR_OK);
    assert_int_equal(load(a, BALL), ROUNDS);
    assert_int_equal(load(b, BALL), ROUNDS - 1);
    uint64_t hash = 14695981039346656037u;
    for (uint32_t turn = 1; turn <= ROUNDS; turn++) {
        uint32_t stamp = load(turn % 2 ? a : b, STAMPS + 4 * turn);
        assert_true(turn == 1 || stamp > load(turn % 2 ? b : a, STAMPS + 4 * (turn - 1)));
        hash = (hash ^ stamp) * 1099511628211u;
    }
    no_findings(a.chip);
    no_findings(b.chip);
    pair_free(&pair);
    return hash;
}

static void hands_over(int arch)
{
    for (int timing = 0; timing <= 1; timing++) {
        uint64_t whole = play(arch, timing, 1, 60000);
        assert_true(play(arch, timing, 1, 64) == whole);
        assert_true(play(arch, timing, 1, 37) == whole);
        assert_true(play(arch, timing, 2, 5000) == whole);
    }
}

// A command that does not exist, and one without a link.
static void finds(int arch)
{
    static const struct {
        uint32_t command;
        const char *code;
    } cases[] = {{9, "ethernet-command"}, {L1_WRITE, "ethernet-link"}};
    for (int i = 0; i < 2; i++) {
        struct end end = end_of(chip_made(arch, false), 3);
        uint32_t words[128];
        struct code code = code_in(words, CODE);
        code_store(&code, tx_at(0, TX_CTRL), KEEPALIVE | DIS_DROP);
        code_store(&code, tx_at(0, TX_SIZE), 16);
        code_li(&code, A4, tx_at(0, TX_CMD));
        code_li(&code, A5, cases[i].command);
        uint32_t pc = code.at;
        code_sw(&code, A5, A4, 0);
        code_end(&code);
        start_core(end, &code);
        assert_int_equal(tsr_chip_clock(end.chip, 10 * WINDOW), TSR_OK);
        assert_int_equal(tsr_chip_finding_count(end.chip), 1);
        tsr_chip_finding finding;
        assert_int_equal(tsr_chip_finding_at(end.chip, 0, &finding), TSR_OK);
        assert_string_equal(finding.diagnostic->code, cases[i].code);
        assert_int_equal(finding.diagnostic->core, arch == WH ? TSR_CORE_E : TSR_CORE_E0);
        assert_true(finding.diagnostic->has_pc);
        assert_int_equal(finding.diagnostic->pc, pc);
        tsr_chip_destroy(end.chip);
    }
}

// What a core of chip b does.
static void put_ending(struct end b, tsr_end end)
{
    uint32_t words[128];
    struct code code = code_in(words, CODE);
    if (end == TSR_END_STOPPED)
        code_store(&code, 0xfff00000u, 1);
    else if (end == TSR_END_BREAK)
        code_put(&code, 0x100073); // ebreak
    else if (end == TSR_END_DEADLOCK)
        code_wait_for(&code, BALL, 1);
    code_end(&code);
    start_core(b, &code);
}

// A run of chip a ends by what happens on chip b if the limits say so, and otherwise by itself.
static void ends_of_a_group(int arch)
{
    static const tsr_end ends[] = {TSR_END_STOPPED, TSR_END_BREAK, TSR_END_DEADLOCK, TSR_END_IDLE};
    for (unsigned i = 0; i < 8; i++) {
        struct pair pair = pair_with(arch, i % 2 > 0, 0);
        assert_int_equal(tsr_chip_set_policy(pair.b.chip, "unmapped-address", TSR_ACTION_STOP),
                         TSR_OK);
        tsr_chip_limits limits = tsr_chip_limits_default();
        limits.break_at_pause = true;
        limits.max_cycles = 100000;
        put_ending(pair.b, ends[i / 2]);
        assert_int_equal(tsr_chip_run(pair.a.chip, &limits), TSR_END_IDLE);
        assert_int_equal(tsr_chip_run(pair.b.chip, &limits),
                         ends[i / 2] == TSR_END_DEADLOCK ? TSR_END_DEADLOCK : TSR_END_IDLE);
        pair_free(&pair);
        pair = pair_with(arch, i % 2 > 0, 0);
        assert_int_equal(tsr_chip_set_policy(pair.b.chip, "unmapped-address", TSR_ACTION_STOP),
                         TSR_OK);
        limits.group = true;
        put_ending(pair.b, ends[i / 2]);
        assert_int_equal(tsr_chip_run(pair.a.chip, &limits), ends[i / 2]);
        if (ends[i / 2] == TSR_END_STOPPED || ends[i / 2] == TSR_END_BREAK) // and goes on
            assert_int_equal(tsr_chip_run(pair.a.chip, &limits), TSR_END_IDLE);
        if (ends[i / 2] == TSR_END_DEADLOCK) {
            limits.external = true;
            assert_int_equal(tsr_chip_run(pair.a.chip, &limits), TSR_END_BLOCKED);
        }
        pair_free(&pair);
    }
}

// A finding that belongs to no tile stops its chip, and with it the group.
static void a_stopped_chip_ends_a_group(int arch)
{
    struct pair pair = pair_with(arch, false, 0);
    uint32_t word;
    assert_int_equal(tsr_chip_set_policy(pair.b.chip, "host-unmapped", TSR_ACTION_STOP), TSR_OK);
    assert_int_equal(tsr_chip_host_read(pair.b.chip, UINT64_MAX - 3, &word, sizeof word),
                     TSR_UNMAPPED);
    tsr_chip_limits limits = tsr_chip_limits_default();
    assert_int_equal(tsr_chip_run(pair.a.chip, &limits), TSR_END_IDLE);
    limits.group = true;
    assert_int_equal(tsr_chip_run(pair.a.chip, &limits), TSR_END_STOPPED);
    pair_free(&pair);
}

TILE_BOTH(hands_over)
TILE_BOTH(finds)
TILE_BOTH(ends_of_a_group)
TILE_BOTH(a_stopped_chip_ends_a_group)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(hands_over),
        TILE_TEST(finds),
        TILE_TEST(ends_of_a_group),
        TILE_TEST(a_stopped_chip_ends_a_group),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
