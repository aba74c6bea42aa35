// SPDX-License-Identifier: Apache-2.0
// With timing on: random programs take the same cycles, and leave the same core, whether what the
// compiler knows of each kind of instruction is used or not.
// Pages: BabyRISCV/README.md and MemoryOrdering.md of each chip.
#include "base/bits.h"
#include "base/random.h"
#include "rig/riscv_rig.h"
#include "riscv/riscv_decode.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { AT = 6, WORDS = 40, LONGEST = 2000, PROGRAMS = 400 };

struct source {
    uint64_t seed, drawn;
};

static uint32_t draw(struct source *source)
{
    return tsr_prng_begin(source->seed << 20 | source->drawn++);
}

static uint32_t below(struct source *source, uint32_t count)
{
    return draw(source) % count;
}

static enum tsr_riscv_code pick(struct source *source, enum tsr_riscv_code first,
                                enum tsr_riscv_code last)
{
    return (enum tsr_riscv_code)(first + (int)below(source, last - first + 1u));
}

// A word of a row that computes, with any bits where the row has none of its own.
static uint32_t computing(struct source *source, tsr_arch arch)
{
    for (;;) {
        const struct tsr_riscv_row *row = tsr_riscv_row((int)below(source, RISCV_ROWS));
        uint32_t bits = draw(source);
        uint32_t word = row->match | (bits & ~row->mask);
        struct tsr_riscv_op op = tsr_riscv_decode(arch, TSR_CORE_T1, 0, word, NULL);
        bool computes = op.kind <= RISCV_KIND_DIVIDES || op.kind == RISCV_KIND_FLOATS;
        bool known = op.code < RISCV_UNKNOWN || op.code > RISCV_UNIMPLEMENTED;
        if (computes && known && tsr_bits(word, 7, 5) != AT)
            return word;
    }
}

// Few registers, so that instructions wait for each other.
static uint32_t any_word(struct source *source, tsr_arch arch, int left)
{
    unsigned to = 1 + below(source, 5), from = below(source, 7);
    int32_t offset = (int32_t)(4 * below(source, 8));
    switch (below(source, 9)) {
    case 0:
        return rv_i(pick(source, RISCV_LB, RISCV_LHU), to, AT, offset);
    case 1:
        return rv_s(pick(source, RISCV_SB, RISCV_SW), from, AT, offset);
    case 2:
        if (left < 4)
            return rv_i(RISCV_ADDI, to, from, offset);
        return below(source, 3)
                   ? rv_b(pick(source, RISCV_BEQ, RISCV_BGEU), from, to, 8 + offset % 8)
                   : rv_jal(from < AT ? from : 0, 8);
    case 3:
        return rv_ttinsn(0x02000000 + (uint32_t)offset);
    case 4:
        return rv_r(pick(source, RISCV_MUL, RISCV_REMU), to, from, below(source, 7));
    case 5:
    case 6:
        return rv_r(pick(source, RISCV_ADD, RISCV_AND), to, from, below(source, 7));
    default:
        return computing(source, arch);
    }
}

static struct riscv_rig *new_rig(tsr_arch arch, uint64_t seed)
{
    static const uint32_t at[] = {0xffb00000, 0x8000, 0xffe80020};
    struct source source = {seed, 0};
    struct riscv_rig *rig = rig_new(arch, TSR_CORE_T1);
    assert_non_null(rig);
    tsr_hart_reset(&rig->hart, RIG_CODE, 0);
    rig->bus.times_fetches = below(&source, 2);
    rig->hart.x[AT] = at[below(&source, 3)];
    rig->hart.retired = 1;
    for (int i = 0; i < WORDS; i++)
        rig_add(rig, any_word(&source, arch, WORDS - i));
    rig_put(rig, rig->end, rv_i(RISCV_ADDI, 0, 0, 0)); // ends a row of .ttinsn
    return rig;
}

static void step(struct riscv_rig *rig, bool plainly, uint64_t cycle[WORDS])
{
    int count = 0;
    for (uint64_t now = 0; rig->hart.pc != rig->end && now < LONGEST;) {
        uint64_t next, at = rig->now = now;
        if (!plainly)
            rig->hart.retired = 0; // as fresh from reset, it is asked by the longer way
        if (tsr_riscv_step(rig->riscv, &rig->hart, at, &next))
            cycle[count++] = at;
        assert_true(next > now);
        now = next;
    }
    assert_int_equal(rig->hart.pc, rig->end);
    rig->hart.retired = (uint64_t)count;
}

static void test_same_either_way(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
        tsr_arch arch = (tsr_arch)(seed % TSR_ARCH_COUNT);
        struct riscv_rig *rig[2] = {new_rig(arch, seed), new_rig(arch, seed)};
        uint64_t cycle[2][WORDS] = {{0}};
        for (int way = 0; way < 2; way++)
            step(rig[way], way == 0, cycle[way]);
        assert_memory_equal(cycle[0], cycle[1], sizeof cycle[0]);
        assert_memory_equal(rig[0]->hart.x, rig[1]->hart.x, sizeof rig[0]->hart.x);
        assert_memory_equal(&rig[0]->hart.times, &rig[1]->hart.times, sizeof rig[0]->hart.times);
        assert_memory_equal(rig[0]->l1, rig[1]->l1, sizeof rig[0]->l1);
        assert_memory_equal(rig[0]->ram, rig[1]->ram, sizeof rig[0]->ram);
        assert_int_equal(rig[0]->hart.retired, rig[1]->hart.retired);
        assert_int_equal(rig[0]->pushes, rig[1]->pushes);
        rig_free(rig[0]);
        rig_free(rig[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_either_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
