// SPDX-License-Identifier: Apache-2.0
// A queue of commands in the host's memory, as runtimes dispatch programs by it: the host writes a
// command to its memory and a size of 16 bits to the first tile's L1; that tile fetches the command
// over PCI Express and hands it to the second; the second multicasts it to workers, lets them go by
// another multicast, waits for them at a stream's credits, and writes a result and how many there
// are to the host's memory, which the host looks at between single clocks.
// Pages: NoC/MemoryMap.md, NoC/Atomics.md, NoC/Counters.md, NoC/Overlay/AsGeneralUse.md,
// PCIExpressTile/README.md.
#include "rig/child.h"
#include "rig/core_rig.h"
#include "rig/noc_rig.h"
#include "ttsim/host.h"

enum {
    WORKERS = 2,
    COMMANDS = 7,
    IN_FLIGHT = 3,
    ENTRIES = 2, // of the first tile's queue, which wraps
    COMMAND = 64,
    RESULT = 64
};
// In L1.
enum {
    QUEUE = 0x8000,
    SERVED = 0x8100, // commands that the first tile has fetched
    ARRIVED = 0x8200,
    TOTAL = 0x8300, // what the workers have added up
    GO = 0x8400,
    DATA = 0x9000,
    ANSWER = 0xa000
};
// In the host's memory.
enum { RING = 0x1000, ANSWERS = 0x8000, ANSWERED = 0xf000, MEMORY = 0x10000 };
enum { S1 = 9 };
enum { STREAM = 40, CREDIT = 1 << 6 };

static uint8_t memory[MEMORY];

static void memory_read(uint64_t address, void *bytes, uint32_t size)
{
    if (address + size > MEMORY)
        _exit(9);
    memcpy(bytes, memory + address, size);
}

static void memory_write(uint64_t address, const void *bytes, uint32_t size)
{
    if (address + size > MEMORY)
        _exit(9);
    memcpy(memory + address, bytes, size);
}

static uint32_t memory_word(uint32_t address)
{
    uint32_t word;
    memcpy(&word, memory + address, sizeof word);
    return word;
}

// ---------------------------------------------------------------- requests of programs

struct program {
    struct code code;
    uint32_t words[512];
    int arch;
    unsigned x, y;
};

static void begin(struct program *program, int arch, unsigned x, unsigned y)
{
    *program = (struct program){.arch = arch, .x = x, .y = y};
    program->code = code_in(program->words, 0);
}

static uint32_t niu(const struct program *program, enum tsr_noc_initiator which)
{
    return NIU_BASE(0) + tsr_niu_layout((tsr_arch)program->arch)->initiator[which];
}

// `at`: a place, or the two corners of a rectangle; `high`: what lies above the address's low word.
static void put_far(struct program *program, enum tsr_noc_initiator low, uint32_t at, uint32_t high)
{
    bool wh = program->arch == WH;
    code_store(&program->code, niu(program, low + 1), wh ? high | at << 4 : high);
    if (!wh)
        code_store(&program->code, niu(program, low + 2), at);
}

// Sends a request from or to L1 of this tile; the far address and the length are registers, 0:
// `far` and `length`.
static void put_transfer(struct program *program, uint32_t control, uint32_t near, uint32_t at,
                         uint32_t high, uint32_t far, uint32_t length, unsigned far_in,
                         unsigned length_in)
{
    struct code *code = &program->code;
    bool read = (control & 3) == NOC_CMD_RD;
    enum tsr_noc_initiator ours = read ? NOC_RET_ADDR_LO : NOC_TARG_ADDR_LO;
    enum tsr_noc_initiator theirs = read ? NOC_TARG_ADDR_LO : NOC_RET_ADDR_LO;
    code_store(code, niu(program, ours), near);
    put_far(program, ours, program->x | program->y << 6, 0);
    code_store(code, niu(program, theirs), far);
    if (far_in) {
        code_li(code, A4, niu(program, theirs));
        code_sw(code, far_in, A4, 0);
    }
    put_far(program, theirs, at, high);
    // A multicast leaves the count of its transaction's requests wrong.
    code_store(code, niu(program, NOC_PACKET_TAG),
               control & CTRL(NOC_CMD_BRCST_PACKET) ? 1 << 10 : 0);
    code_store(code, niu(program, NOC_CTRL), control);
    code_store(code, niu(program, NOC_AT_LEN_BE), length);
    if (length_in) {
        code_li(code, A4, niu(program, NOC_AT_LEN_BE));
        code_sw(code, length_in, A4, 0);
    }
    code_store(code, niu(program, NOC_CMD_CTRL), 1);
}

static uint32_t counter_at(unsigned index)
{
    return NIU_BASE(0) + 0x200 + 4 * index;
}

static void wait_for_all(struct program *program)
{
    code_wait_for(&program->code, counter_at(NIU_MST_REQS_OUTSTANDING_ID), 0);
}

// S1 counts the acknowledgements that are due.
static void wait_for_acks(struct program *program, int more)
{
    struct code *code = &program->code;
    code_addi(code, S1, S1, more);
    code_li(code, A4, counter_at(NIU_MST_WR_ACK_RECEIVED));
    uint32_t loop = code->at;
    code_lw(code, A3, A4, 0);
    code_branch(code, RISCV_BNE, A3, S1, loop);
}

// A request without data of L1's: an inline write of `value` or, by `length`, an atomic.
static void put_value(struct program *program, uint32_t control, uint32_t at, uint32_t far,
                      uint32_t length, uint32_t value, unsigned value_in)
{
    struct code *code = &program->code;
    code_store(code, niu(program, NOC_TARG_ADDR_LO), far);
    put_far(program, NOC_TARG_ADDR_LO, at, 0);
    code_store(code, niu(program, NOC_RET_ADDR_LO), ANSWER + 0x100);
    put_far(program, NOC_RET_ADDR_LO, program->x | program->y << 6, 0);
    code_store(code, niu(program, NOC_PACKET_TAG), 0);
    code_store(code, niu(program, NOC_CTRL), control | CTRL(NOC_CMD_RESP_MARKED));
    code_store(code, niu(program, NOC_AT_LEN_BE), length);
    code_store(code, niu(program, NOC_AT_DATA), value);
    if (value_in) {
        code_li(code, A4, niu(program, NOC_AT_DATA));
        code_sw(code, value_in, A4, 0);
    }
    code_store(code, niu(program, NOC_CMD_CTRL), 1);
    wait_for_all(program);
}

static void put_increment(struct program *program, uint32_t at, uint32_t far, unsigned value_in)
{
    uint32_t length = NOC_ATOMIC_INCREMENT << 12 | 31u << 2;
    put_value(program, NOC_CMD_AT, at, far, length, 1, value_in);
}

static uint32_t stream_register(int arch, uint32_t wh, uint32_t bh)
{
    return 0xffb40000u + 0x1000u * STREAM + 4 * (arch == WH ? wh : bh);
}

// ---------------------------------------------------------------- programs

struct board {
    struct host host;
    unsigned y;            // of all tiles: the first at x = 1, the second at 2, workers behind
    uint32_t pcie, memory; // its place; what lies above the low word of the host's memory
};

// A0: the queue's next entry; A1: where its command is; A2: commands fetched.
static void write_fetcher(struct board *board, struct program *program)
{
    struct code *code = &program->code;
    begin(program, board->host.arch, 1, board->y);
    code_li(code, A1, RING);
    code_li(code, A2, 0);
    uint32_t wrap = code->at;
    code_li(code, A0, QUEUE);
    uint32_t loop = code->at;
    code_put(code, rv_i(RISCV_LHU, A3, A0, 0));
    code_branch(code, RISCV_BEQ, A3, ZERO, loop);
    code_put(code, rv_i(RISCV_SLLI, SP, A3, 4));
    uint32_t second = 2 | board->y << 6, answer = CTRL(NOC_CMD_RESP_MARKED);
    put_transfer(program, NOC_CMD_RD | answer, DATA, board->pcie, board->memory, 0, 0, A1, SP);
    wait_for_all(program);
    put_transfer(program, NOC_CMD_WR | answer, DATA, second, 0, DATA, 0, 0, SP);
    wait_for_all(program);
    put_increment(program, second, ARRIVED, 0);
    code_put(code, rv_r(RISCV_ADD, A1, A1, SP));
    code_put(code, rv_s(RISCV_SH, ZERO, A0, 0));
    code_addi(code, A2, A2, 1);
    code_li(code, A4, SERVED);
    code_sw(code, A2, A4, 0);
    // The second tile has room for one command: it says when the room is free.
    code_li(code, A4, ARRIVED);
    uint32_t room = code->at;
    code_lw(code, A3, A4, 0);
    code_branch(code, RISCV_BLTU, A3, A2, room);
    code_addi(code, A0, A0, 2);
    code_li(code, A4, QUEUE + 2 * ENTRIES);
    code_branch(code, RISCV_BLTU, A0, A4, loop);
    code_jump(code, wrap);
}

// A0: commands served; A1: where the next result goes.
static void write_dispatcher(struct board *board, struct program *program)
{
    struct code *code = &program->code;
    int arch = board->host.arch;
    uint32_t credits = stream_register(arch, 64, 297);
    uint32_t many = CTRL(NOC_CMD_RESP_MARKED) | CTRL(NOC_CMD_BRCST_PACKET);
    uint32_t rectangle = (3 | board->y << 6) << 12 | (2 + WORKERS) | board->y << 6;
    begin(program, arch, 2, board->y);
    code_li(code, A0, 0);
    code_li(code, A1, ANSWERS);
    code_load(code, RA, credits); // what there is to begin with
    code_load(code, S1, counter_at(NIU_MST_WR_ACK_RECEIVED));
    uint32_t loop = code->at;
    code_addi(code, A0, A0, 1);
    code_li(code, A4, ARRIVED);
    uint32_t poll = code->at;
    code_lw(code, A3, A4, 0);
    code_branch(code, RISCV_BLTU, A3, A0, poll);
    put_transfer(program, NOC_CMD_WR | many, DATA, rectangle, 0, DATA, COMMAND, 0, 0);
    wait_for_acks(program, WORKERS);
    code_li(code, A4, GO);
    code_sw(code, A0, A4, 0);
    code_lw(code, A3, A4, 0);
    put_transfer(program, NOC_CMD_WR | many, GO, rectangle, 0, GO, 16, 0, 0);
    wait_for_acks(program, WORKERS);
    code_addi(code, RA, RA, WORKERS);
    code_li(code, A4, credits);
    poll = code->at;
    code_lw(code, A3, A4, 0);
    code_branch(code, RISCV_BNE, A3, RA, poll);
    code_load(code, A3, TOTAL);
    code_li(code, A4, ANSWER);
    code_sw(code, A0, A4, 0);
    code_sw(code, A3, A4, 4);
    code_lw(code, A3, A4, 4);
    put_transfer(program, NOC_CMD_WR | CTRL(NOC_CMD_RESP_MARKED), ANSWER, board->pcie,
                 board->memory, 0, RESULT, A1, 0);
    wait_for_acks(program, 1);
    put_transfer(program, NOC_CMD_WR | CTRL(NOC_CMD_RESP_MARKED), ANSWER, board->pcie,
                 board->memory, ANSWERED, 16, 0, 0);
    wait_for_acks(program, 1);
    code_addi(code, A1, A1, RESULT);
    put_increment(program, 1 | board->y << 6, ARRIVED, 0);
    code_jump(code, loop);
}

// A0: times that it was let go.
static void write_worker(struct board *board, struct program *program, unsigned x)
{
    struct code *code = &program->code;
    uint32_t second = 2 | board->y << 6;
    begin(program, board->host.arch, x, board->y);
    code_li(code, A0, 0);
    uint32_t loop = code->at;
    code_addi(code, A0, A0, 1);
    code_li(code, A4, GO);
    uint32_t poll = code->at;
    code_lw(code, A3, A4, 0);
    code_branch(code, RISCV_BNE, A3, A0, poll);
    code_load(code, A1, DATA);
    code_load(code, A2, DATA + COMMAND - 4);
    code_put(code, rv_r(RISCV_ADD, A1, A1, A2));
    code_addi(code, A1, A1, (int)x);
    put_increment(program, second, TOTAL, A1);
    put_value(program, NOC_CMD_WR | CTRL(NOC_CMD_WR_INLINE) | CTRL(NOC_CMD_WR_BE), second,
              stream_register(board->host.arch, 34, 270), 15, CREDIT, 0);
    code_jump(code, loop);
}

// ---------------------------------------------------------------- the host

static void load(struct board *board, unsigned x, const struct program *program)
{
    static const uint8_t nothing[0x3000];
    host_put(&board->host, x, board->y, QUEUE, nothing, sizeof nothing);
    host_put(&board->host, x, board->y, 0, program->words, program->code.at);
    host_put_word(&board->host, x, board->y, AT_SOFT_RESET, 0x47000);
}

static void start(struct board *board, int arch)
{
    static struct program program;
    host_load(&board->host, arch);
    board->host.set_memory(memory_read, memory_write);
    host_start(&board->host);
    board->y = arch == WH ? 1 : 2;
    board->pcie = arch == WH ? 0 | 3 << 6 : 2;
    board->memory = arch == WH ? 8 : 1u << 28;
    write_fetcher(board, &program);
    load(board, 1, &program);
    write_dispatcher(board, &program);
    load(board, 2, &program);
    for (unsigned x = 3; x < 3 + WORKERS; x++) {
        write_worker(board, &program, x);
        load(board, x, &program);
    }
}

static uint32_t first_of(uint32_t command)
{
    return 1000 * command + 7;
}

static void enqueue(struct board *board, uint32_t command)
{
    uint32_t words[COMMAND / 4] = {first_of(command), [COMMAND / 4 - 1] = 3 * command};
    uint16_t size = COMMAND / 16;
    memcpy(memory + RING + COMMAND * command, words, sizeof words);
    host_put(&board->host, 1, board->y, QUEUE + 2 * (command % ENTRIES), &size, sizeof size);
}

static void dispatch(int arch)
{
    struct board board;
    uint32_t sent = 0, answered = 0, total = 0;
    start(&board, arch);
    for (int i = 0; i < 200000 && answered < COMMANDS; i++) {
        uint32_t served = host_word_of(&board.host, 1, board.y, SERVED);
        if (sent < COMMANDS && sent - answered < IN_FLIGHT && sent - served < ENTRIES)
            enqueue(&board, sent++);
        board.host.clock(1);
        for (; answered < memory_word(ANSWERED); answered++) {
            for (uint32_t x = 3; x < 3 + WORKERS; x++)
                total += first_of(answered) + 3 * answered + x;
            assert_int_equal(memory_word(ANSWERS + RESULT * answered), answered + 1);
            assert_int_equal(memory_word(ANSWERS + RESULT * answered + 4), total);
        }
    }
    assert_int_equal(answered, COMMANDS);
    host_end(&board.host);
}

// The programs wait for all that they use, so there is nothing to find, races looked for or not.
static void commands_are_dispatched(int arch)
{
    static const char *const modes[][3] = {{"off", "1", "off"},        {"on", "1", "off"},
                                           {"off", "2,always", "off"}, {"on", "2,always", "off"},
                                           {"off", "1", "on"},         {"on", "1", "on"}};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        setenv("TESSERA_TIMING", modes[i][0], 1);
        setenv("TESSERA_THREADS", modes[i][1], 1);
        setenv("TESSERA_RACES", modes[i][2], 1);
        assert_int_equal(child(arch, dispatch), 0);
        assert_string_equal(said, "");
    }
    unsetenv("TESSERA_TIMING");
    unsetenv("TESSERA_THREADS");
    unsetenv("TESSERA_RACES");
}

TILE_BOTH(commands_are_dispatched)

int main(void)
{
    const struct CMUnitTest tests[] = {TILE_TEST(commands_are_dispatched)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
