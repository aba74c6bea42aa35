// SPDX-License-Identifier: Apache-2.0
// In which cycle each instruction executes, with timing on.
// Pages: BabyRISCV/README.md (pipelines, latencies) and MemoryOrdering.md of each chip.
#include "rig/riscv_rig.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { RD = 5, AT = 6, ANY = 7, LONGEST = 200, MOST = 40 };

static struct riscv_rig *new_rig(tsr_arch arch)
{
    struct riscv_rig *rig = rig_new(arch, TSR_CORE_T1);
    tsr_hart_reset(&rig->hart, RIG_CODE, 0);
    rig->hart.x[AT] = RIG_DATA;
    return rig;
}

static void add_nops(struct riscv_rig *rig, int count)
{
    for (int i = 0; i < count; i++)
        rig_add(rig, rv_i(RISCV_ADDI, 0, 0, 0));
}

// Runs the program; cycle[i] is the one in which its i-th instruction executes.
static int run(struct riscv_rig *rig, uint64_t cycle[MOST])
{
    int count = 0;
    for (uint64_t now = 0; rig->hart.pc != rig->end && now < LONGEST;) {
        uint64_t next, at = rig->now = now;
        if (tsr_riscv_step(rig->riscv, &rig->hart, at, &next))
            cycle[count++] = at;
        assert_true(next > now);
        now = next;
    }
    return count;
}

// The cycles from the first instruction of the program to its last; frees the rig.
static uint64_t length(struct riscv_rig *rig)
{
    uint64_t cycle[MOST];
    int count = run(rig, cycle);
    assert_int_equal(rig->hart.pc, rig->end);
    rig_free(rig);
    return cycle[count - 1] - cycle[0];
}

static void test_one_a_cycle(void **state)
{
    (void)state;
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        struct riscv_rig *rig = new_rig((tsr_arch)arch);
        for (int i = 0; i < 20; i++)
            rig_add(rig, rv_i(RISCV_ADDI, RD, RD, 1));
        assert_int_equal(length(rig), 19);
    }
}

// A latency of N: N - 1 others hide it.
static void check_load(tsr_arch arch, uint32_t address, uint64_t latency)
{
    for (int others = 0; others < 10; others++) {
        struct riscv_rig *rig = new_rig(arch);
        rig->hart.x[AT] = address;
        rig_add(rig, rv_i(RISCV_LW, RD, AT, 0));
        add_nops(rig, others);
        rig_add(rig, rv_r(RISCV_ADD, ANY, RD, RD));
        uint64_t least = (uint64_t)others + 1;
        assert_int_equal(length(rig), least > latency ? least : latency);
    }
}

static void test_latencies(void **state)
{
    (void)state;
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        check_load((tsr_arch)arch, RIG_RAM_AT, 2);
        check_load((tsr_arch)arch, RIG_DATA, 8);
        check_load((tsr_arch)arch, 0xffe80020, 3); // semaphores
        check_load((tsr_arch)arch, 0xffe00000, 4); // GPRs
        check_load((tsr_arch)arch, 0xffb121f0, 7); // wall clock
    }
    check_load(TSR_WORMHOLE_B0, 0xffb11000, 7); // TDMA-RISC
    check_load(TSR_BLACKHOLE_A0, 0xffb11000, 4);
}

// Wormhole's example of MemoryOrdering.md: a result reaches the very next instruction, or whoever
// comes after it has left, which is behind the load.
static void test_forwarding(void **state)
{
    (void)state;
    for (int broken = 0; broken < 2; broken++)
        for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
            struct riscv_rig *rig = new_rig((tsr_arch)arch);
            rig_add(rig, rv_i(RISCV_LW, RD, AT, 0));
            rig_add(rig, rv_i(RISCV_ADDI, ANY, AT, 0));
            rig_add(rig, rv_i(RISCV_ADDI, broken ? 0 : ANY, broken ? 0 : ANY, 0));
            rig_add(rig, rv_i(RISCV_ADDI, ANY, ANY, 0));
            bool waits = broken && arch == TSR_WORMHOLE_B0;
            assert_int_equal(length(rig), waits ? 9 : 3);
        }
}

// Blackhole's example of MemoryOrdering.md: of two results for the same register that are both on
// their way, only the very next instruction gets the later one; others wait until one has retired.
static void test_two_results(void **state)
{
    (void)state;
    enum { CHAIN, NOP_BEHIND, ONE_RESULT };
    for (int kind = CHAIN; kind <= ONE_RESULT; kind++) {
        struct riscv_rig *rig = new_rig(TSR_BLACKHOLE_A0);
        rig_add(rig, rv_i(RISCV_LW, RD, AT, 0));
        rig_add(rig, rv_i(RISCV_ADDI, ANY, AT, 0));
        rig_add(rig, rv_i(RISCV_ORI, kind == ONE_RESULT ? 0 : ANY, ANY, 0));
        rig_add(rig, rv_i(RISCV_ADDI, kind == CHAIN ? ANY : 0, kind == CHAIN ? ANY : 0, 0));
        rig_add(rig, rv_s(RISCV_SW, AT, ANY, 0));
        // The load retires in cycle 8, the first ADDI behind it.
        assert_int_equal(length(rig), kind == NOP_BEHIND ? 9 : 4);
    }
}

static void test_loads_in_flight(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(TSR_BLACKHOLE_A0);
    uint64_t cycle[MOST];
    rig->hart.x[AT] = 0xffb121f0;
    rig_add(rig, rv_i(RISCV_LW, RD, AT, 0));
    for (int i = 0; i < 7; i++)
        rig_add(rig, rv_i(RISCV_LW, 10 + (unsigned)i, AT, 0));
    run(rig, cycle);
    assert_int_equal(cycle[3] - cycle[0], 3);
    assert_int_equal(cycle[4] - cycle[0], 6); // four loads every N - 1 cycles
    assert_int_equal(cycle[7] - cycle[0], 9);
    rig_free(rig);
}

// Eight instructions are on their way at most: the load, and seven behind it.
static void test_retire_order(void **state)
{
    (void)state;
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        uint64_t cycle[MOST];
        struct riscv_rig *rig = new_rig((tsr_arch)arch);
        rig_add(rig, rv_r(RISCV_DIV, RD, 0, AT)); // later than the cycles of a new tile
        rig_add(rig, rv_i(RISCV_LW, RD, AT, 0));
        rig_add(rig, arch ? rv_r(RISCV_AMOADD_W, RD, AT, 0) : rv_i(RISCV_LW, RD, AT, 64));
        add_nops(rig, 9);
        run(rig, cycle);
        // Wormhole: the second load leaves at 9, its eighth follower enters the unit then.
        uint64_t leaves = arch ? cycle[2] + 12 : cycle[2] + 8;
        assert_int_equal(cycle[9] - cycle[2], 7);
        assert_int_equal(cycle[10], arch ? leaves : cycle[2] + 8);
        rig_free(rig);
    }
}

static void test_multiply_and_divide(void **state)
{
    (void)state;
    static const struct {
        enum tsr_riscv_code code;
        uint32_t a, b;
        uint64_t wormhole, blackhole; // to the next instruction, which does not need it
        uint64_t value;               // to one that does
    } rows[] = {
        {RISCV_MUL, 3, 4, 2, 1, 2},          {RISCV_DIV, 7, 0, 2, 2, 2},
        {RISCV_DIVU, 7, 1, 2, 2, 2},         {RISCV_REM, 0x80000000, 0xffffffff, 2, 2, 2},
        {RISCV_DIV, 1, 5, 6, 6, 6},          {RISCV_DIVU, 0xffffffff, 5, 33, 33, 33},
        {RISCV_DIV, 0xffffffff, 5, 6, 6, 6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int needs = 0; needs < 2; needs++)
            for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
                struct riscv_rig *rig = new_rig((tsr_arch)arch);
                rig->hart.x[AT] = rows[i].a;
                rig->hart.x[ANY] = rows[i].b;
                rig_add(rig, rv_r(rows[i].code, RD, AT, ANY));
                rig_add(rig, rv_i(RISCV_ADDI, 10, needs ? RD : 0, 1));
                uint64_t free = arch == TSR_WORMHOLE_B0 ? rows[i].wormhole : rows[i].blackhole;
                assert_int_equal(length(rig), needs ? rows[i].value : free);
            }
}

// The debug interface's slow execution mode: a place in each queue, operands from the registers.
static void test_slow_execution(void **state)
{
    (void)state;
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++)
        for (int slow = 0; slow < 2; slow++) {
            bool wormhole = arch == TSR_WORMHOLE_B0;
            struct riscv_rig *rig = new_rig((tsr_arch)arch);
            rig->hart.slow = slow;
            add_nops(rig, 5);
            assert_int_equal(length(rig), 4);
            rig = new_rig((tsr_arch)arch);
            rig->hart.slow = slow;
            for (int i = 0; i < 5; i++)
                rig_add(rig, rv_i(RISCV_ADDI, RD, RD, 1));
            assert_int_equal(length(rig), slow && wormhole ? 4 * 3 : 4);
            rig = new_rig((tsr_arch)arch);
            rig->hart.slow = slow;
            rig_add(rig, rv_i(RISCV_LW, RD, AT, 0));
            add_nops(rig, 1);
            assert_int_equal(length(rig), !slow ? 1 : wormhole ? 7 : 8);
            rig = new_rig((tsr_arch)arch);
            rig->hart.slow = slow;
            rig->hart.x[AT] = RIG_DEVICE;
            for (int i = 0; i < 5; i++)
                rig_add(rig, rv_s(RISCV_SW, 0, AT, 0));
            assert_int_equal(length(rig), 4);
            rig = new_rig(TSR_WORMHOLE_B0);
            rig->hart.slow = slow;
            for (int i = 0; i < 3; i++)
                rig_add(rig, rv_s(RISCV_SW, 0, AT, 0));
            assert_int_equal(length(rig), slow ? 6 : 2);
        }
}

static void test_stores(void **state)
{
    (void)state;
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        uint64_t cycle[MOST];
        struct riscv_rig *rig = new_rig((tsr_arch)arch);
        for (int i = 0; i < 12; i++)
            rig_add(rig, rv_s(RISCV_SW, RD, AT, 64 * i));
        run(rig, cycle);
        assert_int_equal(cycle[3] - cycle[0], 3); // a queue of four
        assert_int_equal(cycle[11] - cycle[10], 5);
        rig_free(rig);
        rig = new_rig((tsr_arch)arch);
        for (int i = 0; i < 12; i++)
            rig_add(rig, rv_s(RISCV_SW, RD, AT, 4 * i));
        run(rig, cycle);
        assert_int_equal(cycle[11] - cycle[0] == 11, arch == TSR_BLACKHOLE_A0); // joined
        rig_free(rig);
    }
}

// Wormhole: what is neither a load nor a store passes through the load/store unit too, and nothing
// enters it while the store queue is full.
static void test_full_store_queue(void **state)
{
    (void)state;
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        uint64_t cycle[MOST];
        struct riscv_rig *rig = new_rig((tsr_arch)arch);
        for (int i = 0; i < 7; i++)
            rig_add(rig, rv_s(RISCV_SW, RD, AT, 64 * i));
        add_nops(rig, 2);
        run(rig, cycle);
        assert_int_equal(cycle[7] - cycle[6], arch == TSR_WORMHOLE_B0 ? 5 : 1);
        assert_int_equal(cycle[8] - cycle[7], 1);
        rig_free(rig);
    }
}

// A load waits for a store to the same address that is still in the queue.
static void test_load_behind_store(void **state)
{
    (void)state;
    for (int same = 0; same < 2; same++) {
        struct riscv_rig *rig = new_rig(TSR_WORMHOLE_B0);
        rig_add(rig, rv_s(RISCV_SW, RD, AT, 64));
        rig_add(rig, rv_s(RISCV_SW, RD, AT, 0));
        rig_add(rig, rv_i(RISCV_LW, RD, AT, same ? 0 : 128));
        assert_int_equal(length(rig), same ? 6 : 2);
    }
}

// Blackhole's data cache: four lines; FENCE, atomics and own stores empty it or a line, a CSR does
// not, and cfg0 turns it off.
static void test_data_cache(void **state)
{
    (void)state;
    static const uint32_t between[][2] = {
        {0, 2},          {0x0000000f, 8}, {1, 8}, // nothing, FENCE, a store
        {0xc0002073, 2}, {0x7c046073, 8},         // cycle is read, DisLowCash is set
    };
    for (int i = 0; i < 5; i++) {
        struct riscv_rig *rig = new_rig(TSR_BLACKHOLE_A0);
        rig_add(rig, rv_i(RISCV_LW, RD, AT, 0));
        rig_add(rig, rv_r(RISCV_ADD, RD, RD, RD));
        if (between[i][0])
            rig_add(rig, between[i][0] == 1 ? rv_s(RISCV_SW, 0, AT, 12) : between[i][0]);
        add_nops(rig, 8);
        rig_add(rig, rv_i(RISCV_LW, RD, AT, 4));
        rig_add(rig, rv_r(RISCV_ADD, RD, RD, RD));
        uint64_t cycle[MOST];
        int count = run(rig, cycle);
        assert_int_equal(cycle[count - 1] - cycle[count - 2], between[i][1]);
        rig_free(rig);
    }
}

static void test_serializing(void **state)
{
    (void)state;
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        struct riscv_rig *rig = new_rig((tsr_arch)arch);
        rig_add(rig, rv_i(RISCV_LW, RD, AT, 0));
        rig_add(rig, 0x0ff0000f);
        add_nops(rig, 1);
        assert_int_equal(length(rig), arch == TSR_BLACKHOLE_A0 ? 9 : 2);
    }
}

// Blackhole's FENCE begins when the store queue is empty; a CSR has no such wait.
static void test_fence_behind_store(void **state)
{
    (void)state;
    static const uint32_t between[] = {0x0ff0000f, 0xc0002073}; // FENCE, cycle is read
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++)
        for (int i = 0; i < (arch == TSR_BLACKHOLE_A0 ? 2 : 1); i++) {
            struct riscv_rig *rig = new_rig((tsr_arch)arch);
            rig_add(rig, rv_s(RISCV_SW, RD, AT, 0));
            rig_add(rig, between[i]);
            add_nops(rig, 1);
            assert_int_equal(length(rig), arch == TSR_BLACKHOLE_A0 && i == 0 ? 18 : 2);
        }
}

// Blackhole's cfg0 and pmacfg. Sequences of two or three instructions, and how many cycles lie
// between the first and the last one.
enum sequence {
    COMPUTES,     // two that need nothing
    CSR,          // one that reads a CSR behind a load
    STORE_FENCE,  // a store to L1, FENCE, nop
    STORES_FENCE, // four that make 16 bytes
    STORE_LOAD,   // to L1, from another address there, used
    STORE_SAME,   // from a byte of the same word
    STORE_ELSE,   // to L1, to a device, FENCE, nop
    STORES_APART, // two to L1 of one line that are not neighbours, FENCE, nop
    MULTIPLY,     // the product is used
    LOAD_LOAD,    // of the same line, used
};

static uint64_t sequence(enum sequence which, uint32_t cfg0, uint32_t pmacfg)
{
    struct riscv_rig *rig = new_rig(TSR_BLACKHOLE_A0);
    rig->hart.csr[TSR_CSR_CFG0] = cfg0;
    rig->hart.csr[TSR_CSR_PMACFG1] = pmacfg;
    rig->hart.x[ANY] = RIG_DEVICE;
    const uint32_t fence = 0x0ff0000f, nop = rv_i(RISCV_ADDI, 0, 0, 0);
    const uint32_t store = rv_s(RISCV_SW, 0, AT, 0), use = rv_r(RISCV_ADD, 10, RD, RD);
    const uint32_t words[][6] = {
        [COMPUTES] = {nop, nop},
        [CSR] = {rv_i(RISCV_LW, 11, AT, 0), 0xc0002073, nop},
        [STORE_FENCE] = {store, fence, nop},
        [STORES_FENCE] = {store, rv_s(RISCV_SW, 0, AT, 4), rv_s(RISCV_SW, 0, AT, 8),
                          rv_s(RISCV_SW, 0, AT, 12), fence, nop},
        [STORE_LOAD] = {store, rv_i(RISCV_LW, RD, AT, 64), use},
        [STORE_SAME] = {store, rv_i(RISCV_LBU, RD, AT, 3), use},
        [STORE_ELSE] = {store, rv_s(RISCV_SW, 0, ANY, 0), fence, nop},
        [STORES_APART] = {store, rv_s(RISCV_SW, 0, AT, 8), fence, nop},
        [MULTIPLY] = {rv_r(RISCV_MUL, RD, AT, AT), use},
        [LOAD_LOAD] = {rv_i(RISCV_LW, 11, AT, 0), rv_i(RISCV_LW, RD, AT, 4), use},
    };
    for (int i = 0; i < 6 && words[which][i] != 0; i++)
        rig_add(rig, words[which][i]);
    return length(rig);
}

static void test_cfg0(void **state)
{
    (void)state;
    enum { RESET = 16 << TSR_CFG0_StMergeTimer };
    static const struct {
        enum sequence which;
        uint32_t cfg0, pmacfg;
        uint64_t cycles;
    } rows[] = {
        {COMPUTES, RESET, 0, 1},
        {COMPUTES, RESET | 1 << TSR_CFG0_SyncAllOps, 0, 1},
        {CSR, RESET, 0, 9},
        {CSR, RESET | 1 << TSR_CFG0_DisCsrSync, 0, 2},
        {STORE_FENCE, RESET, 0, 18}, // StMergeTimer
        {STORE_FENCE, 0, 0, 2},
        {STORE_FENCE, 5 << TSR_CFG0_StMergeTimer, 0, 7},
        {STORE_FENCE, RESET | 1 << TSR_CFG0_DisStMerge, 0, 2},
        {STORES_FENCE, RESET, 0, 5}, // nothing more can join
        {STORES_FENCE, RESET | 1 << TSR_CFG0_DisStMerge, 0, 17},
        {STORE_LOAD, RESET, 0, 9},
        {STORE_LOAD, RESET | 1 << TSR_CFG0_DisLdBufByp, 0, 25},
        {STORE_SAME, RESET, 0, 25},
        {STORE_SAME, 0, 0, 9},
        {STORE_ELSE, RESET, 0, 4},
        {STORES_APART, RESET, 0, 19},
        {MULTIPLY, RESET, 0, 2},
        {MULTIPLY, RESET | 1 << TSR_CFG0_DisRegForwarding, 0, 2},
        {MULTIPLY, RESET | 1 << TSR_CFG0_SyncAllOps, 0, 2},
        {LOAD_LOAD, RESET, 0, 3}, // the second hits the data cache
        {LOAD_LOAD, RESET | 1 << TSR_CFG0_DisRegForwarding, 0, 9},
        {LOAD_LOAD, RESET | 1 << TSR_CFG0_SyncAllOps, 0, 10},
        {LOAD_LOAD, RESET, 1, 17}, // a FENCE flushes it
        {LOAD_LOAD, RESET, 2, 3},
        {STORE_LOAD, RESET, 1, 26},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t took = sequence(rows[i].which, rows[i].cfg0, rows[i].pmacfg);
        if (took != rows[i].cycles)
            fail_msg("row %d: %d", (int)i, (int)took);
    }
}

// It rests without having executed, and begins where it is let go.
static void test_blocked(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(TSR_WORMHOLE_B0);
    uint64_t next;
    rig->status = TSR_BUSY;
    rig->hart.x[AT] = RIG_DEVICE;
    rig_add(rig, rv_i(RISCV_LW, RD, AT, 0));
    rig_add(rig, rv_r(RISCV_ADD, RD, RD, RD));
    assert_int_equal(tsr_riscv_step(rig->riscv, &rig->hart, 10, &next), 0);
    assert_int_equal(rig->hart.rest, TSR_HART_BLOCKED);
    rig->status = TSR_OK;
    assert_int_equal(tsr_riscv_step(rig->riscv, &rig->hart, 50, &next), 1);
    assert_int_equal(next, 51);
    assert_int_equal(tsr_riscv_step(rig->riscv, &rig->hart, 51, &next), 0);
    assert_int_equal(next, 53);
    rig_free(rig);
}

// How often an access that waits is tried depends on who looks, so trying leaves nothing behind:
// the instruction is not fetched again, not even if the cache has been emptied.
static void test_blocked_again(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(TSR_WORMHOLE_B0);
    uint64_t next;
    rig->bus.times_fetches = true;
    rig->status = TSR_BUSY;
    rig->hart.x[AT] = RIG_DEVICE;
    rig_add(rig, rv_i(RISCV_LW, RD, AT, 0));
    assert_int_equal(tsr_riscv_step(rig->riscv, &rig->hart, 10, &next), 0);
    assert_int_equal(rig->hart.rest, TSR_HART_RUNS); // it is fetched
    assert_int_equal(tsr_riscv_step(rig->riscv, &rig->hart, next, &next), 0);
    assert_int_equal(rig->hart.rest, TSR_HART_BLOCKED);
    tsr_hart_invalidate_icache(&rig->hart);
    struct tsr_hart_times times = rig->hart.times;
    assert_int_equal(tsr_riscv_step(rig->riscv, &rig->hart, 40, &next), 0);
    assert_memory_equal(&rig->hart.times, &times, sizeof times);
    rig->status = TSR_OK;
    assert_int_equal(tsr_riscv_step(rig->riscv, &rig->hart, 50, &next), 1);
    rig_free(rig);
}

// Its next instruction is asked for at `at`. Returns how many executed.
static uint64_t ask(struct riscv_rig *rig, uint64_t at, uint64_t *next)
{
    rig->now = at;
    return tsr_riscv_step(rig->riscv, &rig->hart, at, next);
}

// Asked too early, it waits; asked late on Wormhole, the one cycle in which it could have had the
// last result early is over.
static void test_asked_at_other_times(void **state)
{
    (void)state;
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        struct riscv_rig *rig = new_rig((tsr_arch)arch);
        uint64_t next, now = 0;
        add_nops(rig, 1);
        rig_add(rig, rv_i(RISCV_LW, RD, AT, 0));
        rig_add(rig, rv_i(RISCV_ADDI, ANY, 0, 1)); // leaves behind the load
        rig_add(rig, rv_r(RISCV_ADD, ANY, ANY, ANY));
        for (int i = 0; i < 2; now = next)
            i += (int)ask(rig, now, &next);
        assert_int_equal(ask(rig, now - 1, &next), 0);
        assert_int_equal(next, now);
        assert_int_equal(ask(rig, now, &next), 1);
        now = next;
        assert_int_equal(ask(rig, now + 1, &next), arch == TSR_BLACKHOLE_A0);
        if (arch == TSR_WORMHOLE_B0)
            assert_true(next > now + 2);
        rig_free(rig);
    }
}

// Not only the first instruction after a reset waits for the data RAM.
static void test_ram_not_cleared(void **state)
{
    enum { CLEARED = 50 };
    (void)state;
    struct riscv_rig *rig = new_rig(TSR_BLACKHOLE_A0);
    uint64_t cycle[MOST];
    rig->hart.x[AT] = RIG_RAM_AT;
    rig->hart.times.ram_cleared = CLEARED;
    add_nops(rig, 1);
    rig_add(rig, rv_i(RISCV_LW, RD, AT, 0));
    assert_int_equal(run(rig, cycle), 2);
    assert_int_equal(cycle[1], CLEARED);
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_a_cycle),
        cmocka_unit_test(test_latencies),
        cmocka_unit_test(test_forwarding),
        cmocka_unit_test(test_two_results),
        cmocka_unit_test(test_loads_in_flight),
        cmocka_unit_test(test_retire_order),
        cmocka_unit_test(test_multiply_and_divide),
        cmocka_unit_test(test_slow_execution),
        cmocka_unit_test(test_stores),
        cmocka_unit_test(test_full_store_queue),
        cmocka_unit_test(test_load_behind_store),
        cmocka_unit_test(test_data_cache),
        cmocka_unit_test(test_serializing),
        cmocka_unit_test(test_fence_behind_store),
        cmocka_unit_test(test_blocked),
        cmocka_unit_test(test_cfg0),
        cmocka_unit_test(test_blocked_again),
        cmocka_unit_test(test_asked_at_other_times),
        cmocka_unit_test(test_ram_not_cleared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
