// SPDX-License-Identifier: Apache-2.0
// Where the cores' frontend expects to go on, and what it fetches, with timing on.
// Pages: BabyRISCV/README.md and InstructionCache.md; docs/errata.md 481, 482, 488, 575, 594.
#include "rig/riscv_rig.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { RD = 5, LONGEST = 200 };

static struct riscv_rig *new_rig(tsr_arch arch)
{
    struct riscv_rig *rig = rig_new(arch, TSR_CORE_T1);
    tsr_hart_reset(&rig->hart, RIG_CODE, 0);
    return rig;
}

static void add_nops(struct riscv_rig *rig, int count)
{
    for (int i = 0; i < count; i++)
        rig_add(rig, rv_i(RISCV_ADDI, 0, 0, 0));
}

// The cycles from the first instruction of the program to its last; frees the rig.
static uint64_t length(struct riscv_rig *rig)
{
    uint64_t first = 0, last = 0;
    bool began = false;
    for (uint64_t now = 0; rig->hart.pc != rig->end && now < LONGEST;) {
        uint64_t next, at = rig->now = now;
        if (tsr_riscv_step(rig->riscv, &rig->hart, at, &next)) {
            first = began ? first : at;
            began = true;
            last = at;
        }
        now = next;
    }
    assert_int_equal(rig->hart.pc, rig->end);
    rig_free(rig);
    return last - first;
}

// Expected by direction the first time, then where it went last.
static void test_branches(void **state)
{
    (void)state;
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        uint64_t bubble = arch == TSR_WORMHOLE_B0 ? 2 : 4;
        struct riscv_rig *rig = new_rig((tsr_arch)arch);
        rig_add(rig, rv_b(RISCV_BNE, 0, 0, 8)); // not taken
        add_nops(rig, 1);
        assert_int_equal(length(rig), 1);
        rig = new_rig((tsr_arch)arch);
        rig_add(rig, rv_b(RISCV_BEQ, 0, 0, 8));
        add_nops(rig, 2);
        assert_int_equal(length(rig), 1 + bubble);
        rig = new_rig((tsr_arch)arch);
        rig_add(rig, rv_jal(0, 8));
        add_nops(rig, 2);
        assert_int_equal(length(rig), 1);
        rig = new_rig((tsr_arch)arch); // a loop with a jump: taken, taken, left
        rig->hart.x[RD] = 3;
        rig_add(rig, rv_jal(0, 8));
        add_nops(rig, 1);
        rig_add(rig, rv_i(RISCV_ADDI, RD, RD, -1));
        rig_add(rig, rv_b(RISCV_BNE, RD, 0, -12));
        add_nops(rig, 1);
        assert_int_equal(length(rig), 9 + bubble);
    }
}

// Cycles of eight passes with a branch that is not taken, at `offset` of 512 bytes, and the one
// that goes back 8 bytes behind it.
static uint64_t two_branches(tsr_arch arch, uint32_t offset)
{
    struct riscv_rig *rig = new_rig(arch);
    while (rig->end % 512 != offset)
        add_nops(rig, 1);
    rig->hart.pc = rig->end;
    rig->hart.x[RD] = 8;
    rig_add(rig, rv_b(RISCV_BNE, 0, 0, 8));
    rig_add(rig, rv_i(RISCV_ADDI, RD, RD, -1));
    rig_add(rig, rv_b(RISCV_BNE, RD, 0, -8));
    add_nops(rig, 1);
    return length(rig);
}

// Two branches of one place expect each other's way. Wormhole's places are a hash; the offsets are
// those of a measurement on a card (docs/errata.md, 481).
static void test_shared_predictor_place(void **state)
{
    (void)state;
    assert_int_equal(two_branches(TSR_WORMHOLE_B0, 0x1e4), 24 + 2);      // places 11 and 9
    assert_int_equal(two_branches(TSR_WORMHOLE_B0, 0x1ec), 24 + 15 * 2); // both 9
    assert_int_equal(two_branches(TSR_BLACKHOLE_A0, 0x1e4), 24 + 4);
    assert_int_equal(two_branches(TSR_BLACKHOLE_A0, 0x1ec), 24 + 4);
}

// Cycles of a program that begins with that word, has `between` NOPs and reads that register then.
static uint64_t read_behind(tsr_arch arch, uint32_t word, int between, unsigned reg)
{
    struct riscv_rig *rig = new_rig(arch);
    rig->hart.x[RD] = RIG_RAM_AT;
    rig_add(rig, word);
    add_nops(rig, between);
    rig_add(rig, rv_i(RISCV_ADDI, 0, reg, 0));
    return length(rig);
}

// Wormhole: bits 11 to 7 of a store or branch are taken for a register by the second instruction
// behind it (docs/errata.md, 594).
static void test_false_rd(void **state)
{
    (void)state;
    const uint32_t store = rv_s(RISCV_SW, 0, RD, 12), branch = rv_b(RISCV_BNE, 0, 0, 24);
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        const uint64_t waits = arch == TSR_WORMHOLE_B0, bubble = waits ? 2 : 4;
        assert_int_equal(read_behind((tsr_arch)arch, store, 1, 12), 2 + waits);
        assert_int_equal(read_behind((tsr_arch)arch, branch, 1, 24), 2 + waits);
        assert_int_equal(read_behind((tsr_arch)arch, store, 1, 13), 2);
        for (int between = 0; between <= 2; between += 2) {
            assert_int_equal(read_behind((tsr_arch)arch, store, between, 12), between + 1);
            assert_int_equal(read_behind((tsr_arch)arch, branch, between, 24), between + 1);
        }
        const uint32_t of_x0 = rv_s(RISCV_SW, 0, RD, 0), jump = rv_jal(12, 4);
        assert_int_equal(read_behind((tsr_arch)arch, of_x0, 1, 0), 2);
        assert_int_equal(read_behind((tsr_arch)arch, jump, 1, 12), 2);
        struct riscv_rig *rig = new_rig((tsr_arch)arch); // hidden by a wrong prediction
        rig_add(rig, rv_b(RISCV_BEQ, 0, 0, 24));
        add_nops(rig, 6);
        rig_add(rig, rv_i(RISCV_ADDI, 0, 24, 0));
        assert_int_equal(length(rig), 2 + bubble);
        rig = new_rig((tsr_arch)arch); // behind the store
        rig->hart.x[RD] = RIG_RAM_AT;
        rig_add(rig, store);
        rig_add(rig, rv_b(RISCV_BEQ, 0, 0, 8));
        add_nops(rig, 1);
        rig_add(rig, rv_i(RISCV_ADDI, 0, 12, 0));
        assert_int_equal(length(rig), 2 + bubble);
    }
}

// Without a predictor the frontend goes straight on: what is taken costs the bubble, jumps too.
static void test_no_predictor(void **state)
{
    (void)state;
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++)
        for (int by_csr = 0; by_csr <= (arch == TSR_BLACKHOLE_A0); by_csr++)
            for (int jumps = 0; jumps < 3; jumps++) {
                static const uint8_t least[] = {6, 1, 1};
                static const uint32_t word = 4;
                uint64_t bubble = arch == TSR_WORMHOLE_B0 ? 2 : 4;
                struct riscv_rig *rig = new_rig((tsr_arch)arch);
                if (by_csr)
                    rig->hart.csr[TSR_CSR_CFG0] = 1u << TSR_CFG0_DisBp;
                else
                    rig->bus.predictor = &word, rig->bus.predictor_off = 4;
                rig->hart.x[RD] = 3;
                if (jumps == 0) { // a loop: taken, taken, left
                    rig_add(rig, rv_i(RISCV_ADDI, RD, RD, -1));
                    rig_add(rig, rv_b(RISCV_BNE, RD, 0, -4));
                } else {
                    rig_add(rig, jumps == 1 ? rv_jal(0, 8) : rv_b(RISCV_BNE, 0, 0, 8));
                    add_nops(rig, jumps == 1);
                }
                add_nops(rig, 1);
                static const uint8_t bubbles[] = {2, 1, 0};
                assert_int_equal(length(rig), least[jumps] + bubbles[jumps] * bubble);
            }
}

// The cycle in which the core comes to `pc` the next time, from `now` on.
static uint64_t comes_to(struct riscv_rig *rig, uint32_t pc, uint64_t now)
{
    for (bool left = false;; left |= rig->hart.pc != pc) {
        uint64_t next, at = rig->now = now;
        bool there = left && rig->hart.pc == pc;
        if (tsr_riscv_step(rig->riscv, &rig->hart, at, &next) && there)
            return at;
        now = next;
    }
}

// Cycles of a pass of a loop of so many instructions, of which the cache has what it can; and of
// one behind an invalidation.
static void check_loop(tsr_arch arch, int core, int count, uint64_t wanted)
{
    struct riscv_rig *rig = rig_new(arch, core);
    tsr_hart_reset(&rig->hart, RIG_CODE, 0);
    rig->bus.times_fetches = true;
    for (int i = 0; i < count - 1; i++) // a loop that did nothing would be at its end
        rig_add(rig, rv_i(RISCV_ADDI, RD, RD, 1));
    rig_add(rig, rv_jal(0, -4 * (count - 1)));
    uint64_t first = comes_to(rig, RIG_CODE, 0), second = comes_to(rig, RIG_CODE, first + 1);
    assert_int_equal(second - first, wanted);
    tsr_hart_invalidate_icache(&rig->hart);
    uint64_t third = comes_to(rig, RIG_CODE, second + 1);
    assert_true(third - second > (uint64_t)count && third - second <= (uint64_t)count + 16);
    rig_free(rig);
}

// InstructionCache.md: 512 bytes (T1, NC) or 2 KiB.
static void test_instruction_cache(void **state)
{
    (void)state;
    const int room[TSR_CORE_NC + 1] = {512, 512, 128, 512, 128};
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++)
        for (int core = 0; core <= TSR_CORE_NC; core++) {
            check_loop((tsr_arch)arch, core, 64, 64);
            check_loop((tsr_arch)arch, core, room[core], (uint64_t)room[core]);
            check_loop((tsr_arch)arch, core, room[core] + 4, (uint64_t)room[core] + 4 + 8);
        }
}

// Cycles of a pass through so many places, `apart` bytes from one another, that jump on; the jumps
// have places of their own in the predictor.
static uint64_t places_apart(tsr_arch arch, int core, int count, int32_t apart)
{
    struct riscv_rig *rig = rig_new(arch, core);
    tsr_hart_reset(&rig->hart, RIG_CODE, 0);
    rig->bus.times_fetches = true;
    for (int i = 0; i < count; i++) {
        uint32_t at = (uint32_t)(RIG_CODE + i * apart);
        for (int adds = 0; adds <= i; adds++, at += 4)
            rig_put(rig, at, rv_i(RISCV_ADDI, RD, RD, 1));
        uint32_t next = (uint32_t)(RIG_CODE + (i + 1) % count * apart);
        rig_put(rig, at, rv_jal(0, (int32_t)(next - at)));
    }
    uint64_t second = comes_to(rig, RIG_CODE, 0);
    uint64_t cycles = comes_to(rig, RIG_CODE, second + 1) - second;
    rig_free(rig);
    return cycles;
}

// Two ways: three lines of one set are fetched in each pass.
static void test_cache_ways(void **state)
{
    (void)state;
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        assert_int_equal(places_apart((tsr_arch)arch, TSR_CORE_T1, 2, 256), 5);
        assert_int_equal(places_apart((tsr_arch)arch, TSR_CORE_T1, 3, 256), 9 + 3 * 8);
        assert_int_equal(places_apart((tsr_arch)arch, TSR_CORE_T2, 3, 256), 9);
        assert_int_equal(places_apart((tsr_arch)arch, TSR_CORE_T2, 3, 1024), 9 + 3 * 8);
    }
}

// Blackhole's cfg0: each line is fetched when it is needed.
static void test_no_prefetch(void **state)
{
    (void)state;
    for (int off = 0; off < 2; off++) {
        struct riscv_rig *rig = new_rig(TSR_BLACKHOLE_A0);
        rig->bus.times_fetches = true;
        rig->hart.csr[TSR_CSR_CFG0] = (uint32_t)off << TSR_CFG0_DisIcPrefetch;
        add_nops(rig, 12);
        assert_int_equal(length(rig), off ? 11 + 2 * 8 : 11);
    }
}

static unsigned allowed(void *self, int core, uint32_t address)
{
    const struct riscv_rig *rig = self;
    (void)core;
    return address > RIG_CODE + 32 ? 0 : rig->device; // a limit behind the third line
}

// Lines come as many at a time as the prefetcher may ask for, up to where it may.
static void test_prefetcher(void **state)
{
    (void)state;
    static const uint8_t cycles[] = {2 * 8, 2 * 4, 0, 0}; // of two lines, more than in time
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++)
        for (uint32_t places = 0; places < 4; places++)
            for (int lines = 3; lines <= 4; lines++) {
                struct riscv_rig *rig = new_rig((tsr_arch)arch);
                rig->bus.times_fetches = true;
                rig->bus.prefetches = allowed;
                rig->device = places;
                add_nops(rig, 4 * lines);
                assert_int_equal(length(rig),
                                 4 * lines - 1 + cycles[places] + (lines == 4 ? 8 : 0));
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_branches),          cmocka_unit_test(test_shared_predictor_place),
        cmocka_unit_test(test_false_rd),          cmocka_unit_test(test_no_predictor),
        cmocka_unit_test(test_instruction_cache), cmocka_unit_test(test_cache_ways),
        cmocka_unit_test(test_no_prefetch),       cmocka_unit_test(test_prefetcher),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
