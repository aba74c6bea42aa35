// SPDX-License-Identifier: Apache-2.0
// The matrix unit's pipeline in a whole tile: costs in time change no bit of a thread's program,
// hold an instruction for exactly as long as the pages say, and never for ever. Pages, under
// "Instruction scheduling": Dst.md, MOVA2D.md, MOVB2D.md, MOVD2A.md, MOVD2B.md, MOVB2A.md.
#include "rig/sample.h"
#include "state/config_access.h"
#include "tile/tile_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 200, PROGRAMS = RIG_SAMPLE(300) };

static uint32_t draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

struct machine {
    tsr_tile *tile;
    int count[TSR_THREADS];
    uint64_t executed[TSR_THREADS][MOST];
};

static void watch(void *user, const tsr_event *event)
{
    struct machine *machine = user;
    if (event->kind == TSR_EVENT_INSTRUCTION && event->sequence <= MOST) {
        machine->executed[event->thread][event->sequence - 1] = event->executed;
        machine->count[event->thread]++;
    }
}

static void set_field(struct tsr_env *env, int thread, enum tsr_field field, uint32_t value)
{
    const struct tsr_field_place *place = &env->isa->field[field];
    uint32_t mask = tsr_mask32(place->width) << place->first_bit;
    value = value << place->first_bit & mask;
    if (place->scope != TSR_SCOPE_THREAD) {
        tsr_config_write(env, 0, place->addr32, value, mask);
        return;
    }
    uint32_t old = env->state->config.thread[thread][place->addr32];
    tsr_thread_config_write(env, thread, place->addr32, (uint16_t)((old & ~mask) | value));
}

// Storages full of numbers, all banks with the matrix unit; `keep` lets it flip without loss.
static void fill(struct tsr_env *env, bool keep, uint64_t seed)
{
    struct tsr_state *state = env->state;
    for (unsigned i = 0; i < TSR_DST_ROWS * 16; i++) {
        state->dst.bits[i / 16][i % 16] = (uint16_t)draw(&seed);
        state->dst.written[i / 16] = 0xffff;
    }
    for (unsigned i = 0; i < 4; i++) {
        struct tsr_src_bank *bank = &state->src[i / 2].bank[i % 2];
        for (unsigned j = 0; j < TSR_SRC_ROWS * 16; j++)
            bank->datum[j / 16][j % 16] = (draw(&seed) & 0x403f8) | (100 + draw(&seed) % 50) << 10;
        memset(bank->written, 0xff, sizeof bank->written);
        bank->matrix_owns = bank->filled = true;
        bank->implied_format = 5;
    }
    set_field(env, 0, FIELD_ALU_FORMAT_SPEC_REG0_SrcA, 5);
    set_field(env, 0, FIELD_ALU_FORMAT_SPEC_REG1_SrcB, 5);
    set_field(env, 0, FIELD_ALU_ACC_CTRL_Fp32_enabled, draw(&seed) % 2);
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        set_field(env, thread, FIELD_CLR_DVALID_SrcA_Disable, keep);
        set_field(env, thread, FIELD_CLR_DVALID_SrcB_Disable, keep);
        set_field(env, thread, FIELD_ADDR_MOD_AB_SEC1_SrcAIncr, draw(&seed) % 64);
        set_field(env, thread, FIELD_ADDR_MOD_AB_SEC1_SrcBIncr, draw(&seed) % 64);
        set_field(env, thread, FIELD_ADDR_MOD_DST_SEC1_DestIncr, draw(&seed) % 32);
    }
}

static void start(struct machine *machine, int arch, bool timing, bool keep, uint64_t seed)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.timing = timing;
    options.profile = TSR_PROFILE_SILICON;
    memset(machine, 0, sizeof *machine);
    assert_int_equal(tsr_tile_create(&options, &machine->tile), TSR_OK);
    tsr_tile_observe(machine->tile, watch, machine);
    fill(&machine->tile->engine.env, keep, seed);
}

static void push(struct machine *machine, int thread, uint32_t word)
{
    while (tsr_push(machine->tile, thread, word) == TSR_BUSY)
        assert_true(tsr_step(machine->tile));
}

static void finish(struct machine *machine)
{
    tsr_limits limits = tsr_limits_default();
    limits.max_steps = 100000;
    assert_int_equal(tsr_run(machine->tile, &limits), TSR_END_IDLE);
}

// ---------------------------------------------------------------- programs

static const uint8_t ops[] = {OP_MOVD2A,    OP_MOVD2B,  OP_MOVB2A, OP_MOVA2D, OP_MOVB2D,
                              OP_MVMUL,     OP_ELWMUL,  OP_ELWADD, OP_ELWSUB, OP_GMPOOL,
                              OP_GAPOOL,    OP_DOTPV,   OP_SETRWC, OP_INCRWC, OP_ZEROACC,
                              OP_TRNSPSRCB, OP_SHIFTXB, OP_ZEROSRC};

static uint32_t word_of(const struct tsr_isa *isa, unsigned op, uint32_t operands)
{
    unsigned opcode = 0;
    while (isa->op_of_opcode[opcode] != op)
        opcode++;
    return opcode << 24 | (operands & isa->used_bits[op]);
}

static uint32_t draw_word(const struct tsr_isa *isa, uint64_t *seed)
{
    unsigned op = ops[draw(seed) % sizeof ops];
    uint32_t operands = draw(seed);
    operands &= 0x00ffffff & ~(3u << 14 | 1u << 16); // AddrMod 0 or 1 of either chip, no index
    operands &= ~(0x3e7u);                           // few blocks of Dst, so that they meet
    operands |=
        (draw(seed) & 1) << (isa->arch == TSR_WORMHOLE_B0 || op == OP_GMPOOL || op == OP_GAPOOL
                                 ? 15
                                 : 14);
    if (op == OP_ZEROACC)
        operands &= ~(3u << 19);
    if (op == OP_ZEROSRC)
        operands &= ~3u;
    return word_of(isa, op, operands);
}

// Waits until the unpackers own the bank that they would fill, and says that they filled it.
static void push_refill(struct machine *machine, const struct tsr_isa *isa, uint32_t sides)
{
    enum { ALL_BLOCKED = 0x1ff };
    for (int side = 0; side < 2; side++) {
        if (!(sides >> side & 1))
            continue;
        unsigned bit = isa->condition_bit[side ? CONDITION_SRCB_UNPACKER : CONDITION_SRCA_UNPACKER];
        push(machine, 0, word_of(isa, OP_STALLWAIT, ALL_BLOCKED << 15 | 1u << bit));
        push(machine, 0, word_of(isa, OP_SETDVALID, 1u << side));
    }
}

static void run_program(struct machine *machine, int arch, bool timing, bool keep, uint64_t seed)
{
    const struct tsr_isa *isa = tsr_isa((tsr_arch)arch);
    start(machine, arch, timing, keep, seed);
    for (int i = 0; i < 60; i++) {
        uint32_t word = draw_word(isa, &seed);
        enum tsr_op op = tsr_op_of(isa, word);
        push(machine, 0, word);
        uint32_t given = tsr_operand(isa, op, word, OPERAND_clear_dvalid) |
                         tsr_operand(isa, op, word, OPERAND_clear_ab_vld);
        if (!keep)
            push_refill(machine, isa, given);
    }
    finish(machine);
}

static void same_bits(int arch)
{
    struct machine *one = calloc(2, sizeof *one), *two = one + 1;
    assert_non_null(one);
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        run_program(one, arch, false, seed & 1, seed);
        run_program(two, arch, true, seed & 1, seed);
        const struct tsr_state *a = one->tile->engine.env.state, *b = two->tile->engine.env.state;
        assert_memory_equal(&a->rwcs, &b->rwcs, sizeof a->rwcs);
        assert_memory_equal(&a->dst, &b->dst, sizeof a->dst);
        assert_memory_equal(a->src, b->src, sizeof a->src);
        assert_int_equal(one->count[0], two->count[0]);
        assert_int_equal(one->tile->findings.count, two->tile->findings.count);
        assert_true(tsr_cycle(two->tile) > 60);
        tsr_tile_destroy(one->tile);
        tsr_tile_destroy(two->tile);
    }
    free(one);
}

// ---------------------------------------------------------------- how long

static bool reads_dst(const struct tsr_isa *isa, uint32_t word, bool *listed)
{
    enum tsr_op op = tsr_op_of(isa, word);
    *listed = op == OP_MOVD2A || op == OP_MOVD2B || op == OP_ELWMUL || op == OP_MVMUL ||
              op == OP_DOTPV || op == OP_GMPOOL || op == OP_GAPOOL;
    return *listed || op == OP_ELWADD || op == OP_ELWSUB;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

// Until when `ahead`, executed at `at`, keeps `op` out of the unit.
static uint64_t closed(enum tsr_op first, uint64_t at, enum tsr_op op)
{
    if (first == OP_MOVD2B && op != OP_MOVD2B)
        return at + 4;
    if ((first == OP_MOVD2A || first == OP_MOVB2A) && op != OP_MOVD2A && op != OP_MOVB2A)
        return at + 2;
    return 0;
}

static bool writes_dst(enum tsr_op op)
{
    return op == OP_MOVA2D || op == OP_MOVB2D || op == OP_MVMUL || op == OP_DOTPV ||
           op == OP_GAPOOL || op == OP_GMPOOL || op == OP_ELWMUL || op == OP_ELWADD ||
           op == OP_ELWSUB;
}

// When the i'th instruction executes, on the same block as all before it: a reader waits inside the
// unit until four cycles after a writer, and who had to wait goes on one later. (A move to Dst
// holds readers for three cycles whatever they read, which is within those four.)
static uint64_t due_at(const struct tsr_isa *isa, const uint32_t *word, const uint64_t *at, int i)
{
    bool listed, reads = reads_dst(isa, word[i], &listed);
    uint64_t due = at[i - 1] + isa->issue_cycles[tsr_op_of(isa, word[i - 1])], open = 0;
    for (int j = 0; j < i; j++) {
        enum tsr_op first = tsr_op_of(isa, word[j]);
        due = later(due, closed(first, at[j], tsr_op_of(isa, word[i])));
        if (reads && writes_dst(first))
            open = later(open, at[j] + 5);
    }
    return due < open ? open + 1 : due;
}

// Short enough for the FIFO, on one block of Dst and with counters that stay.
static void exact_times(int arch)
{
    enum { LENGTH = 14 };
    const struct tsr_isa *isa = tsr_isa((tsr_arch)arch);
    struct machine *machine = calloc(1, sizeof *machine);
    assert_non_null(machine);
    for (uint64_t seed = 1; seed <= RIG_SAMPLE(2000); seed++) {
        uint64_t stream = seed;
        uint32_t word[LENGTH];
        start(machine, arch, true, true, seed);
        set_field(&machine->tile->engine.env, 0, FIELD_ALU_ACC_CTRL_Fp32_enabled, 0);
        for (int i = 0; i < LENGTH; i++) {
            do
                word[i] = word_of(isa, ops[draw(&stream) % sizeof ops], draw(&stream) & 0x200000);
            while (word[i] >> 24 == 0x10 || tsr_op_of(isa, word[i]) == OP_SETRWC);
            assert_int_equal(tsr_push(machine->tile, 0, word[i]), TSR_OK);
        }
        finish(machine);
        for (int i = 1; i < LENGTH; i++) {
            const uint64_t *at = machine->executed[0];
            uint64_t due = due_at(isa, word, at, i);
            if (at[i] != due)
                fail_msg("seed %u: %08x after %08x at %u, not %u", (unsigned)seed, word[i],
                         word[i - 1], (unsigned)at[i], (unsigned)due);
        }
        tsr_tile_destroy(machine->tile);
    }
    free(machine);
}

// Three threads at once: all of it ends, and every window holds for the other threads too.
static void nothing_hangs(int arch)
{
    enum { LENGTH = 100 };
    const struct tsr_isa *isa = tsr_isa((tsr_arch)arch);
    struct machine *machine = calloc(1, sizeof *machine);
    assert_non_null(machine);
    for (uint64_t seed = 1; seed <= RIG_SAMPLE(200); seed++) {
        uint64_t stream = seed;
        uint32_t word[TSR_THREADS][LENGTH];
        start(machine, arch, true, true, seed);
        for (int i = 0; i < LENGTH * TSR_THREADS; i++) {
            word[i % 3][i / 3] = draw_word(isa, &stream);
            push(machine, i % 3, word[i % 3][i / 3]);
        }
        finish(machine);
        for (int i = 0; i < LENGTH * TSR_THREADS; i++) {
            for (int j = 0; j < LENGTH * TSR_THREADS; j++) {
                uint64_t a = machine->executed[i % 3][i / 3], b = machine->executed[j % 3][j / 3];
                enum tsr_op op = tsr_op_of(isa, word[i % 3][i / 3]);
                if (a < b)
                    assert_true(b >= closed(op, a, tsr_op_of(isa, word[j % 3][j / 3])));
                assert_true(i == j || a != b); // one a cycle
            }
        }
        tsr_tile_destroy(machine->tile);
    }
    free(machine);
}

#define BOTH(function)                                                                             \
    static void function##_wh(void **state)                                                        \
    {                                                                                              \
        (void)state;                                                                               \
        function(TSR_WORMHOLE_B0);                                                                 \
    }                                                                                              \
    static void function##_bh(void **state)                                                        \
    {                                                                                              \
        (void)state;                                                                               \
        function(TSR_BLACKHOLE_A0);                                                                \
    }
BOTH(same_bits)
BOTH(exact_times)
BOTH(nothing_hangs)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_wh),     cmocka_unit_test(same_bits_bh),
        cmocka_unit_test(exact_times_wh),   cmocka_unit_test(exact_times_bh),
        cmocka_unit_test(nothing_hangs_wh), cmocka_unit_test(nothing_hangs_bh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
