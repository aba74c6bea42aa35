// SPDX-License-Identifier: Apache-2.0
// With timing on, random programs of four cores that compute, load, store, poll and push: a tile
// that visits what may move (TSR_PIPELINE_AUTO) remembers after each slice what one remembers that
// visits everything (TSR_PIPELINE_STAGED), so nothing may go unnoticed that a core's access
// changes (tile/core_bus.c). And the rules of riscv_timed.c that are compiled for what kernels have
// give the cycles of those that look at everything, and a run that is cut comes to what one in one
// go comes to. Pages: BabyRISCV/README.md, MemoryOrdering.md of each chip, CSRs.md.
#include "rig/core_rig.h"
#include "rig/state_compare.h"

enum { PROGRAMS = 150, SLICES = 12, CORES = 4, CLEARED = 2500 };
enum { DATA = 0x10000, SHARED = 5, OWN = 6, PUSH = 7, SEMAPHORE = 28, CLOCK = 29, COUNT = 30 };
enum { SCRATCH = 31, FIRST = A0, REGISTERS = 8 };

static uint64_t seed = 1;

static uint32_t draw(uint32_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

static unsigned any(void)
{
    return FIRST + draw(REGISTERS);
}

// ---------------------------------------------------------------- programs

static const char *any_word(void)
{
    static const char *const texts[] = {
        "NOP",
        "SETRWC BitMask=7",
        "SETDMAREG RegIndex16b=16 Payload_SigSel=0x20",
        "SETADCXX CntSetMask=3 x_end2=255",
        "STALLWAIT stall_res=64 wait_res=8",
        "STALLWAIT stall_res=1 wait_res=1",
        "SEMINIT max_value=15 sem_sel=2",
        "SEMPOST sem_sel=2",
        "SEMGET sem_sel=2",
        "SEMWAIT stall_res=511 wait_sem_cond=1 sem_sel=2",
        "ADDDMAREG OpBRegIndex=4 OpARegIndex=5 ResultRegIndex=6",
        "SETC16 setc16_reg=20 setc16_value=1",
        "MOVA2D instr_mod=2",
        "SETDVALID setvalid=3",
        "CLEARDVALID cleardvalid=3",
    };
    return texts[draw(sizeof texts / sizeof *texts)];
}

// Registers, memory, branches: what a core does by itself, and stores to L1.
static void add_own(struct code *code)
{
    static const enum tsr_riscv_code arithmetic[] = {RISCV_ADD,   RISCV_SUB, RISCV_SLTU, RISCV_MUL,
                                                     RISCV_MULHU, RISCV_DIV, RISCV_REMU, RISCV_SLL};
    unsigned base = draw(2) ? SHARED : OWN;
    int at = 4 * (int)draw(16);
    switch (draw(6)) {
    case 0:
        code_lw(code, any(), base, at);
        break;
    case 1:
        code_sw(code, any(), base, at);
        break;
    case 2:
        code_put(code, rv_s(RISCV_SB, any(), base, at + 1));
        break;
    case 3:
        code_branch(code, draw(2) ? RISCV_BEQ : RISCV_BLT, any(), any(), code->at + 8);
        code_addi(code, any(), any(), 1);
        break;
    case 4:
        code_addi(code, any(), any(), (int)draw(100) - 50);
        break;
    default:
        code_put(code, rv_r(arithmetic[draw(8)], any(), any(), any()));
    }
}

static void add_shared(struct code *code)
{
    switch (draw(6)) {
    case 0:
        code_lw(code, any(), CLOCK, 0);
        break;
    case 1:
        code_lw(code, any(), CLOCK, 8);
        break;
    case 2:
        code_lw(code, any(), SEMAPHORE, 4);
        break;
    case 4: // SEMPOST
        code_sw(code, ZERO, SEMAPHORE, 4);
        break;
    case 3:
        code_li(code, SCRATCH, tile_word(code->tile, any_word()));
        code_sw(code, SCRATCH, PUSH, 0);
        break;
    default:
        for (uint32_t i = draw(5) + 1; i > 0; i--)
            code_push(code, any_word());
    }
}

static void add_loop(struct code *code)
{
    code_addi(code, COUNT, ZERO, 1 + (int)draw(12));
    uint32_t top = code->at;
    for (uint32_t i = draw(8); i > 0; i--)
        add_own(code);
    code_addi(code, COUNT, COUNT, -1);
    code_branch(code, RISCV_BNE, COUNT, ZERO, top);
}

static void add_poll(struct code *code)
{
    uint32_t top = code->at;
    code_lw(code, SCRATCH, SHARED, 4 * (int)draw(16));
    code_branch(code, RISCV_BEQ, SCRATCH, ZERO, top);
}

static void add_program(tsr_tile *tile, uint32_t at, bool shares)
{
    struct code code = code_at(tile, at);
    code_li(&code, SHARED, DATA);
    code_li(&code, OWN, AT_RAM + 0x100);
    code_li(&code, PUSH, AT_PUSH);
    code_li(&code, SEMAPHORE, at == 0 ? AT_RAM : AT_SEMAPHORES); // B's loads there would wait
    code_li(&code, CLOCK, AT_WALL_CLOCK);
    for (int i = 0; i < 17; i++)
        code_sw(&code, ZERO, OWN, 4 * i);
    for (unsigned i = 0; i < REGISTERS; i++)
        code_li(&code, FIRST + i, draw(1u << (4 + draw(27))));
    uint32_t top = code.at;
    for (uint32_t i = 10 + draw(40); i > 0; i--)
        switch (shares ? draw(16) : draw(8)) {
        case 0:
            add_loop(&code);
            break;
        case 8:
            add_poll(&code);
            break;
        case 9:
        case 10:
        case 11:
        case 12:
            add_shared(&code);
            break;
        default:
            add_own(&code);
        }
    code_jump(&code, draw(2) ? top : code.at);
}

static tsr_tile *tile_of(int arch, tsr_pipeline pipeline)
{
    static const uint8_t zeros[256];
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.timing = options.cores = true;
    options.profile = TSR_PROFILE_SILICON;
    options.pipeline = pipeline;
    tsr_tile *tile = tile_with(&options);
    tsr_l1_write(tile, DATA, zeros, sizeof zeros);
    return tile;
}

// Most cores have one.
static tsr_tile *with_programs(int arch, tsr_pipeline pipeline)
{
    tsr_tile *tile = tile_of(arch, pipeline);
    for (int core = 0; core < CORES; core++)
        if (draw(4)) {
            uint32_t at = core == TSR_CORE_B ? 0 : 0x2000 + 0x1000 * (uint32_t)core;
            add_program(tile, at, true);
            core_start(tile, (tsr_core)core, at);
        }
    return tile;
}

// ---------------------------------------------------------------- what is visited

static tsr_end run_slice(tsr_tile *tile, bool first)
{
    tsr_limits limits = tsr_limits_default();
    limits.external = draw(2);
    limits.max_cycles = draw(draw(2) ? 20 : 400) + 1 + (first ? CLEARED : 0);
    tsr_end end = tsr_run(tile, &limits);
    if (draw(4) == 0)
        tsr_host_store(tile, DATA + 4 * draw(16), draw(1000), 4);
    if (draw(16) == 0)
        tsr_core_hold(tile, (tsr_core)draw(CORES));
    return end;
}

static void test_visits(int arch)
{
    for (int program = 0; program < PROGRAMS; program++) {
        tsr_tile *tile[2];
        uint64_t from = seed;
        for (int way = 0; way < 2; way++) {
            seed = from;
            tile[way] = with_programs(arch, way ? TSR_PIPELINE_STAGED : TSR_PIPELINE_AUTO);
        }
        for (int slice = 0; slice < SLICES; slice++) {
            from = seed;
            tsr_end end = run_slice(tile[0], slice == 0);
            seed = from;
            assert_int_equal(run_slice(tile[1], slice == 0), end);
            const char *differs = tile_difference(tile[0], tile[1]);
            if (differs)
                fail_msg("program %d, slice %d: %s", program, slice, differs);
        }
        tsr_tile_destroy(tile[0]);
        tsr_tile_destroy(tile[1]);
    }
}

TILE_BOTH(test_visits)

// Between what a host does, a run that is cut comes to the same as one that is not.
static void test_cuts(int arch)
{
    for (int program = 0; program < PROGRAMS; program++) {
        tsr_tile *tile[2];
        uint64_t from = seed;
        for (int way = 0; way < 2; way++) {
            seed = from;
            tile[way] = with_programs(arch, TSR_PIPELINE_AUTO);
        }
        for (int slice = 0; slice < SLICES; slice++) {
            uint64_t cycles = draw(400) + 1 + (slice == 0 ? CLEARED : 0), cut;
            (void)tsr_run_cycles(tile[0], cycles);
            for (uint64_t done = 0; done < cycles; done += cut) {
                tsr_limits limits = tsr_limits_default();
                uint64_t start = tsr_cycle(tile[1]);
                limits.external = true;
                limits.max_cycles = 1 + draw(draw(2) ? 5 : 60);
                if (limits.max_cycles > cycles - done)
                    limits.max_cycles = cycles - done;
                limits.max_steps = draw(3) ? 0 : 1 + draw(5);
                (void)tsr_run(tile[1], &limits);
                cut = tsr_cycle(tile[1]) - start;
            }
            const char *differs = tile_difference(tile[0], tile[1]);
            if (differs)
                fail_msg("program %d, slice %d: %s", program, slice, differs);
            uint32_t at = DATA + 4 * draw(16), value = draw(1000);
            for (int way = 0; way < 2 && slice % 3 == 2; way++)
                tsr_host_store(tile[way], at, value, 4);
        }
        tsr_tile_destroy(tile[0]);
        tsr_tile_destroy(tile[1]);
    }
}

TILE_BOTH(test_cuts)

// ---------------------------------------------------------------- rules

// DisCsrSync changes nothing where no CSR is accessed, but takes the rules that look at everything.
// The first store to the own RAM waits for the same cycle in both.
static void test_rules(void **state)
{
    const int arch = BH;
    int passed = 0;
    (void)state;
    const uint32_t dis_csr_sync = 1 << 10, dis_status = 1 << 29;
    for (int program = 0; program < PROGRAMS; program++) {
        struct tsr_hart hart[2];
        uint64_t from = seed;
        for (int way = 0; way < 2; way++) {
            tsr_tile *tile = tile_of(arch, TSR_PIPELINE_AUTO);
            struct code code = code_at(tile, 0);
            code_li(&code, A0, way ? dis_csr_sync : dis_status);
            code_put(&code, 0x7c052073); // csrrs zero, cfg0, a0
            seed = from;
            add_program(tile, code.at, false);
            core_start(tile, TSR_CORE_B, 0);
            assert_int_equal(tsr_run_cycles(tile, CLEARED + 500), TSR_END_TIMEOUT);
            hart[way] = tile_state(tile)->cores.hart[TSR_CORE_B];
            tsr_tile_destroy(tile);
        }
        passed += hart[0].retired > 100;
        assert_int_equal(hart[0].retired, hart[1].retired);
        assert_int_equal(hart[0].pc, hart[1].pc);
        assert_memory_equal(hart[0].x, hart[1].x, sizeof hart[0].x);
        assert_int_equal(hart[0].times.free, hart[1].times.free);
        assert_int_equal(hart[0].times.last_left, hart[1].times.last_left);
    }
    assert_true(passed > PROGRAMS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TILE_TEST(test_visits), TILE_TEST(test_cuts),
                                       cmocka_unit_test(test_rules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
