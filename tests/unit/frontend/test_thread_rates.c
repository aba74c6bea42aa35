// SPDX-License-Identifier: Apache-2.0
// The rate of each thread while several want the same unit: after a grant the next thread that asks
// is served. Figures of cards (docs/timing.md, decision 29), which give threads equal rates.
// Pages: TensixCoprocessor/README.md, Dst.md.
#include "rig/tile_rig.h"

#include <tessera/trace.h>

// Instructions of a thread, and between which two of them its rate is taken: all threads still run.
// 128 of them step through all blocks of Dst once.
enum { LENGTH = 300, FROM = 50, TO = FROM + 128 };

struct rates {
    tsr_tile *tile;
    uint64_t before[TSR_THREADS]; // instructions that set the tile up
    uint64_t at[TSR_THREADS][LENGTH];
};

static void note(void *user, const tsr_event *event)
{
    struct rates *rates = user;
    uint64_t i = event->sequence - rates->before[event->thread] - 1;
    if (event->kind == TSR_EVENT_INSTRUCTION && i < LENGTH)
        rates->at[event->thread][i] = event->executed;
}

// BF16 in Src and Dst, a bank of each side with the matrix unit, and thread 1 as a matmul leaves
// it: its AddrMod 0 steps Dst by a block.
static void start(struct rates *rates, int arch)
{
    memset(rates, 0, sizeof *rates);
    rates->tile = tile_new(arch, true, TSR_PROFILE_SILICON);
    tile_field(rates->tile, 0, FIELD_ALU_FORMAT_SPEC_REG0_SrcA, 5);
    tile_field(rates->tile, 0, FIELD_ALU_FORMAT_SPEC_REG1_SrcB, 5);
    tile_field(rates->tile, 1, FIELD_ADDR_MOD_DST_SEC0_DestIncr, 8);
    if (arch == BH)
        for (int thread = 0; thread < TSR_THREADS; thread++) {
            tile_field(rates->tile, thread, FIELD_DISABLE_IMPLIED_SRCA_FMT_Base, 1);
            tile_field(rates->tile, thread, FIELD_DISABLE_IMPLIED_SRCB_FMT_Base, 1);
        }
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    tile_push(rates->tile, 0, "SETDVALID setvalid=3");
    assert_int_equal(tsr_run(rates->tile, &limits), TSR_END_IDLE);
    rates->before[0] = 1;
    tsr_tile_observe(rates->tile, note, rates);
}

// Each FIFO is filled up in every step, so no thread waits for another one's words.
static void feed(struct rates *rates, const char *const texts[TSR_THREADS])
{
    int pushed[TSR_THREADS] = {0};
    bool left = true;
    while (left) {
        left = false;
        for (int thread = 0; thread < TSR_THREADS; thread++) {
            if (!texts[thread])
                continue;
            uint32_t word = tile_word(rates->tile, texts[thread]);
            while (pushed[thread] < LENGTH && tsr_push(rates->tile, thread, word) == TSR_OK)
                pushed[thread]++;
            left |= pushed[thread] < LENGTH;
        }
        assert_true(tsr_step(rates->tile));
    }
    tile_run(rates->tile);
}

// Cycles an instruction, in hundredths, of each thread; 0: it has none.
struct row {
    const char *texts[TSR_THREADS];
    unsigned wanted[TSR_THREADS];
};

static int wrong_rates(int arch, const struct row *row)
{
    struct rates rates;
    int wrong = 0;
    start(&rates, arch);
    feed(&rates, row->texts);
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        uint64_t rate = (rates.at[thread][TO] - rates.at[thread][FROM]) * 100 / (TO - FROM);
        if (row->texts[thread] && rate != row->wanted[thread]) {
            print_error("T%d of %s, %s, %s: %u.%02u cycles\n", thread,
                        row->texts[0] ? row->texts[0] : "-", row->texts[1] ? row->texts[1] : "-",
                        row->texts[2] ? row->texts[2] : "-", (unsigned)(rate / 100),
                        (unsigned)(rate % 100));
            wrong++;
        }
    }
    tsr_tile_destroy(rates.tile);
    return wrong;
}

// One, two and three threads at one unit that takes an instruction each `cycles`.
static int wrong_shares(int arch, const char *text, unsigned cycles)
{
    int wrong = 0;
    for (unsigned mask = 1; mask < 8; mask++) {
        struct row row = {{NULL}, {0}};
        for (int thread = 0; thread < TSR_THREADS; thread++)
            if (mask >> thread & 1) {
                row.texts[thread] = text;
                row.wanted[thread] = 100 * cycles * (unsigned)__builtin_popcount(mask);
            }
        wrong += wrong_rates(arch, &row);
    }
    return wrong;
}

static void test_equal_shares(int arch)
{
    static const struct {
        const char *text;
        unsigned cycles;
    } rows[] = {{"DMANOP", 1},
                {"SETDMAREG RegIndex16b=8", 1},
                {"ADDDMAREG ResultRegIndex=8", 3},
                {"MULDMAREG ResultRegIndex=8", 3},
                {"SHIFTDMAREG ResultRegIndex=8", 3},
                {"CMPDMAREG ResultRegIndex=8", 3},
                {"SETRWC", 1},
                {"INCRWC", 1},
                {"MOVA2D", 1},
                {"SHIFTXB", 2},
                {"SEMPOST sem_sel=1", 1},
                {"WRCFG GprAddress=8 CfgReg=70", 1}};
    int wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        wrong += wrong_shares(arch, rows[i].text, rows[i].cycles);
    assert_int_equal(wrong, 0);
}
TILE_BOTH(test_equal_shares)

// A third thread at another unit changes nothing between two.
static void test_others(int arch)
{
    static const struct row rows[] = {
        {{"DMANOP", "DMANOP", "SETRWC"}, {200, 200, 100}},
        {{"DMANOP", "SETRWC", "DMANOP"}, {200, 100, 200}},
        {{"SETRWC", "DMANOP", "DMANOP"}, {100, 200, 200}},
        {{"SETADC", "SETRWC", "SETRWC"}, {100, 200, 200}},
        {{"DMANOP", "ADDDMAREG ResultRegIndex=8", NULL}, {400, 400, 0}},
        {{"RDCFG GprAddress=8 CfgReg=70", "RDCFG GprAddress=8 CfgReg=70", NULL}, {200, 200, 0}},
    };
    int wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        wrong += wrong_rates(arch, &rows[i]);
    assert_int_equal(wrong, 0);
}
TILE_BOTH(test_others)

// One block of Dst: a reader waits inside the unit, and the others behind it. Thread 1 steps from
// block to block (WH cards, on which a matmul has run), and meets another thread's once a round, or
// does not (BH cards). Cards: 1.03, 6.11 and 6.11, 12.13 for each of three; 6.01, 12.0 and 12.0.
static void test_one_block(int arch)
{
    static const char *const readers[] = {"MVMUL", "ELWMUL", "ELWADD", "ELWSUB"};
    int wrong = 0;
    for (int i = 0; i < 4; i++) {
        char stays[40];
        snprintf(stays, sizeof stays, "%s addr_mode=1", readers[i]);
        const struct row rows[] = {
            {{NULL, readers[i], NULL}, {0, 100, 0}},
            {{readers[i], readers[i], NULL}, {604, 604, 0}},
            {{NULL, readers[i], readers[i]}, {0, 604, 604}},
            {{readers[i], readers[i], readers[i]}, {1204, 1204, 1204}},
            {{NULL, stays, NULL}, {0, 600, 0}},
            {{readers[i], stays, NULL}, {1200, 1200, 0}},
            {{readers[i], stays, readers[i]}, {1800, 1800, 1800}},
            {{readers[i], "DMANOP", readers[i]}, {1200, 100, 1200}},
        };
        for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
            wrong += wrong_rates(arch, &rows[row]);
    }
    assert_int_equal(wrong, 0);
}
TILE_BOTH(test_one_block)

int main(void)
{
    const struct CMUnitTest tests[] = {TILE_TEST(test_equal_shares), TILE_TEST(test_others),
                                       TILE_TEST(test_one_block)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
