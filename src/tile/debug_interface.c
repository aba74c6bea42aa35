// SPDX-License-Identifier: Apache-2.0
// The debug interface of cores that are interpreted. A core that pauses does so between two
// instructions: breakpoints and watchpoints after the one that hits them, a pause that is asked for
// once the core's instruction can be completed. Page: BabyRISCV/DebugInterface.md.
#include "tile/debug_interface.h"

#include "base/bits.h"
#include "isa/isa.h"
#include "riscv/riscv_decode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
#define DEBUG_DR(name, number) DR_##name = (number),
#define DEBUG_STATUS(name, bit) STATUS_##name = (bit),
#define DEBUG_COMMAND(name, bit, state) COMMAND_##name = (bit),
#define DEBUG_WATCH(name, mode) WATCH_##name = (mode),
#define DEBUG_SELECT(name, first, width) SELECT_##name = (first), WIDTH_##name = (width),
#define DEBUG_ECHO(name, first) ECHO_##name = (first),
#include "machine/core_debug.def"
    CONTROL_0 = 0,
    CONTROL_1,
    STATUS_0,
    STATUS_1,
    PC = 32, // the register after x31
    SENTENCE = 320
};

// The commands that need a paused core, and that need one that is not.
enum {
    STATE_ANY = 0,
    STATE_RUNS = 1,
    STATE_PAUSED = 2,
};
static const uint8_t state_for[32] = {
#define DEBUG_COMMAND(name, bit, state) [bit] = STATE_##state,
#include "machine/core_debug.def"
};

static bool is_held(const struct tsr_debugger *on, unsigned core)
{
    return on->ops->held(on->self, core);
}

static bool is_slow(const struct tsr_core_debug *debug)
{
    return debug->command >> COMMAND_SLOW & 1;
}

static bool paused(const struct tsr_debugger *on, unsigned core)
{
    return on->hart[core]->rest == TSR_HART_PAUSED && !is_held(on, core);
}

static __attribute__((format(printf, 4, 5))) void
report(const struct tsr_debugger *on, int agent, enum tsr_finding code, const char *format, ...)
{
    char sentence[SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    on->ops->find(on->self, agent, code, sentence);
}

static const char *name_of(const struct tsr_debugger *on, unsigned core)
{
    return tsr_core_name((tsr_core)(on->first + (int)core));
}

static void note_looks(struct tsr_core_debug *debug)
{
    debug->looks = debug->asked || debug->step;
    for (int i = 0; i < TSR_BREAKPOINTS; i++) {
        uint32_t mode = debug->modes >> (4 * i) & 15;
        debug->looks |= mode >= WATCH_EXECUTE && mode <= WATCH_READ_WRITE;
    }
}

// `hit`: what of DR(0) says why.
static void pause(const struct tsr_debugger *on, unsigned core, uint32_t hit)
{
    struct tsr_core_debug *debug = &on->debug[core];
    on->hart[core]->rest = TSR_HART_PAUSED;
    on->ops->rests(on->self, core);
    debug->hit = (uint16_t)hit;
    debug->by_debugger = true;
    debug->asked = debug->step = false;
    note_looks(debug);
}

static void resume(const struct tsr_debugger *on, unsigned core, bool step)
{
    struct tsr_core_debug *debug = &on->debug[core];
    debug->pc_written = false;
    on->hart[core]->rest = TSR_HART_RUNS;
    debug->hit = 0;
    debug->by_debugger = debug->asked = debug->late = false;
    debug->step = step;
    debug->steps = 0;
    note_looks(debug);
}

// ---------------------------------------------------------------- while the core runs

bool tsr_debug_begin(const struct tsr_debugger *on, unsigned core, struct tsr_riscv *riscv,
                     struct tsr_riscv_next *next)
{
    const struct tsr_hart *hart = on->hart[core];
    // What waits has to be completed first.
    if (on->debug[core].asked && hart->rest != TSR_HART_BLOCKED) {
        pause(on, core, 0);
        return false;
    }
    tsr_riscv_peek(riscv, hart, next);
    return true;
}

static bool hits(const struct tsr_riscv_next *next, uint32_t mode, uint32_t address, uint32_t end)
{
    bool touches = address - next->address < next->width;
    switch (mode) {
    case WATCH_EXECUTE: // some words may have been pushed together
        return address == next->pc || (next->pushes && address - next->pc < end - next->pc);
    case WATCH_READ:
        return touches && next->loads;
    case WATCH_WRITE:
        return touches && next->stores;
    case WATCH_READ_WRITE:
        return touches && (next->loads || next->stores);
    default:
        return false;
    }
}

void tsr_debug_end(const struct tsr_debugger *on, unsigned core, const struct tsr_riscv_next *next,
                   uint64_t executed)
{
    struct tsr_core_debug *debug = &on->debug[core];
    struct tsr_hart *hart = on->hart[core];
    uint32_t hit = 0;
    if (executed == 0 || hart->rest >= TSR_HART_PAUSED)
        return;
    for (int i = 0; i < TSR_BREAKPOINTS; i++) {
        uint32_t mode = debug->modes >> (4 * i) & 15;
        if (hits(next, mode, debug->address[i], hart->pc))
            hit |= 1u << (STATUS_HIT0 + i) |
                   1u << (mode == WATCH_EXECUTE ? STATUS_BREAKPOINT : STATUS_WATCHPOINT);
    }
    if (hit != 0 || debug->step || debug->asked)
        pause(on, core, hit);
}

// ---------------------------------------------------------------- commands

static uint32_t status_of(const struct tsr_debugger *on, unsigned core)
{
    const struct tsr_core_debug *debug = &on->debug[core];
    if (!paused(on, core))
        return 0;
    return 1u << STATUS_PAUSED | debug->hit | (debug->by_debugger ? 0 : 1u << STATUS_EBREAK);
}

static uint32_t *kept_register(struct tsr_core_debug *debug, uint32_t number)
{
    switch (number) {
    case DR_COMMAND:
        return &debug->command;
    case DR_ARGUMENT0:
    case DR_ARGUMENT1:
        return &debug->argument[number - DR_ARGUMENT0];
    case DR_RESULT:
        return &debug->result;
    case DR_MODES:
        return &debug->modes;
    default:
        return number >= DR_ADDRESS0 && number <= DR_ADDRESS7
                   ? &debug->address[number - DR_ADDRESS0]
                   : NULL;
    }
}

// A load or store as the core itself makes it, but at once: one that would wait is given up (errata
// 419).
static void access_memory(const struct tsr_debugger *on, unsigned core, bool store)
{
    struct tsr_core_debug *debug = &on->debug[core];
    uint32_t value = 0;
    if (store)
        on->ops->store(on->self, core, debug->argument[0], debug->argument[1]);
    else if (on->ops->load(on->self, core, debug->argument[0], &value) == TSR_OK)
        debug->result = value;
}

// Where a command sets the pc: in slow execution mode to what a register says, else to where a
// reset begins.
static uint32_t new_pc(const struct tsr_debugger *on, unsigned core)
{
    static const uint8_t from[] = {
#define DEBUG_NEW_PC(chip, register) [chip] = register,
#include "machine/core_debug.def"
    };
    struct tsr_core_debug *debug = &on->debug[core];
    uint32_t number = on->new_pc ? on->new_pc : from[on->arch];
    return is_slow(debug) ? *kept_register(debug, number) : on->ops->reset_pc(on->self, core);
}

// Lets the core execute one instruction, once as many commands for it have come as the chip wants.
static void step(const struct tsr_debugger *on, unsigned core)
{
    static const uint8_t commands[] = {
#define DEBUG_STEPS(chip, commands) [chip] = commands,
#include "machine/core_debug.def"
    };
    struct tsr_core_debug *debug = &on->debug[core];
    if (++debug->steps >= commands[on->arch])
        resume(on, core, true);
}

static void execute(const struct tsr_debugger *on, unsigned core, uint32_t command, bool by_itself)
{
    struct tsr_core_debug *debug = &on->debug[core];
    struct tsr_hart *hart = on->hart[core];
    uint32_t index = debug->argument[0];
    if (command >> COMMAND_PAUSE & 1) {
        if (hart->rest == TSR_HART_BLOCKED || by_itself)
            debug->asked = debug->looks = true;
        else if (hart->rest != TSR_HART_HUNG)
            pause(on, core, 0);
        return;
    }
    if (command >> COMMAND_READ_REGISTER & 1)
        debug->result = index < PC ? hart->x[index] : index == PC ? hart->pc : 0;
    if (command >> COMMAND_WRITE_REGISTER & 1 && index > 0 && index < PC)
        hart->x[index] = debug->argument[1];
    if (command >> COMMAND_CLEAR_REGISTERS & 1)
        for (int i = 1; i < PC; i++)
            hart->x[i] = 0;
    if (command >> COMMAND_LOAD & 1)
        access_memory(on, core, false);
    if (command >> COMMAND_STORE & 1)
        access_memory(on, core, true);
    bool sets_pc = command >> COMMAND_WRITE_PC & 1;
    if (sets_pc) {
        hart->pc = new_pc(on, core);
        debug->pc_written = true;
        debug->late &= !is_slow(debug); // what was on its way is gone, and comes again one by one
    }
    if (command >> COMMAND_RESUME & 1)
        resume(on, core, false);
    else if (command >> COMMAND_STEP & 1 && !sets_pc) // beside it, bit 1 means nothing
        step(on, core);
}

// Wormhole's page: of the eight instructions that may be on their way while a core pauses, which
// slow execution mode makes one, only the first may be a load. They are followed up to a branch.
static bool is_unsafe(const struct tsr_debugger *on, unsigned core)
{
    const struct tsr_core_debug *debug = &on->debug[core];
    uint32_t pc = on->hart[core]->pc;
    if (on->arch != TSR_WORMHOLE_B0 || (is_slow(debug) && !debug->late))
        return false;
    for (int i = 0; i < 8 && pc <= on->l1_bytes - 4; i++) {
        uint32_t word = tsr_word_at(on->l1 + pc);
        struct tsr_riscv_op op = tsr_riscv_decode(on->arch, on->first + (int)core, pc, word, NULL);
        if (i > 0 && op.kind == RISCV_KIND_LOADS)
            return true;
        if (op.kind == RISCV_KIND_BRANCHES && op.code != RISCV_JAL)
            return false;
        pc = op.code == RISCV_JAL ? op.imm : pc + 4;
    }
    return false;
}

// Instructions after which a Blackhole card pauses once more for the ebreak that is resumed so,
// without the program counter having been written; 0: it does not (errata 421).
static unsigned pauses_again(const struct tsr_debugger *on, unsigned core)
{
    static const uint8_t again[] = {
#define DEBUG_AGAIN(chip, instructions) [chip] = instructions,
#include "machine/core_debug.def"
    };
    const struct tsr_core_debug *debug = &on->debug[core];
    return debug->by_debugger || debug->pc_written ? 0 : again[on->arch];
}

// Whether a register keeps what is written to it.
static bool keeps(const struct tsr_debugger *on, unsigned core)
{
    return !is_held(on, core) || on->ops->keeps(on->self, core);
}

// An access to memory goes with no other one, and with nothing that lets the core go on.
static bool is_contradiction(uint32_t commands)
{
    uint32_t accesses = commands & (1u << COMMAND_LOAD | 1u << COMMAND_STORE);
    return (accesses & (accesses - 1)) != 0 ||
           (accesses && commands & (1u << COMMAND_STEP | 1u << COMMAND_RESUME));
}

// What the register keeps of a command, and whether the core is in slow execution mode from now on.
static void keep_command(const struct tsr_debugger *on, unsigned core, uint32_t value)
{
    struct tsr_core_debug *debug = &on->debug[core];
    bool was_slow = is_slow(debug);
    if (!keeps(on, core))
        return;
    debug->command = value;
    on->hart[core]->slow = is_slow(debug);
    debug->late |= !was_slow && (paused(on, core) || (value >> COMMAND_PAUSE & 1));
}

// The commands that the core takes in its state.
static uint32_t allowed_commands(const struct tsr_debugger *on, unsigned core)
{
    unsigned state = paused(on, core) ? STATE_PAUSED : STATE_RUNS;
    uint32_t allowed = 0;
    for (int bit = 0; bit < 32 && !is_held(on, core); bit++)
        if (state_for[bit] == state)
            allowed |= 1u << bit;
    return allowed;
}

// Reports commands that are not executed. Returns the others.
static uint32_t check_commands(const struct tsr_debugger *on, int agent, unsigned core,
                               uint32_t commands)
{
    uint32_t allowed = allowed_commands(on, core);
    bool is_paused = paused(on, core);
    if (is_paused && is_contradiction(commands)) {
        report(on, agent, FINDING_CORE_DEBUG_COMMAND,
               "%s gives core %s the debug command 0x%03x: an access to memory and "
               "something else that does not go with it.",
               on->who, name_of(on, core), (unsigned)commands);
        commands &= ~(1u << COMMAND_LOAD | 1u << COMMAND_STORE);
    }
    // To pause a core that has paused has no effect, and is no mistake.
    if (commands & ~allowed & ~(1u << COMMAND_PAUSE))
        report(on, agent, FINDING_CORE_DEBUG_COMMAND,
               "%s gives core %s the debug command 0x%03x while it is %s.", on->who,
               name_of(on, core), (unsigned)commands,
               is_held(on, core) ? "in soft reset"
               : is_paused       ? "paused"
                                 : "not paused");
    return commands & allowed;
}

// Reports what may go wrong on a card if the core goes on where it has paused.
static void check_resume(const struct tsr_debugger *on, int agent, unsigned core, uint32_t commands)
{
    unsigned pc = (unsigned)on->hart[core]->pc;
    unsigned again = commands & 1u << COMMAND_RESUME ? pauses_again(on, core) : 0;
    bool goes_on = commands & (1u << COMMAND_RESUME | 1u << COMMAND_STEP);
    if (commands & 1u << COMMAND_WRITE_PC)
        return;
    if (again)
        report(on, agent, FINDING_CORE_DEBUG_EBREAK,
               "%s resumes core %s behind an ebreak without writing its pc, 0x%08x; a card may "
               "pause for it once more, %u instructions later.",
               on->who, name_of(on, core), pc, again);
    if (goes_on && is_unsafe(on, core))
        report(on, agent, FINDING_CORE_DEBUG_RESUME,
               "%s resumes core %s at 0x%08x, which was not in slow execution mode when "
               "it paused and may have a load on its way.",
               on->who, name_of(on, core), pc);
}

static void write_command(const struct tsr_debugger *on, int agent, unsigned core, uint32_t value)
{
    keep_command(on, core, value);
    uint32_t commands = check_commands(on, agent, core, value & ~(1u << COMMAND_SLOW));
    check_resume(on, agent, core, commands);
    if (commands)
        execute(on, core, commands, agent == on->first + (int)core);
}

// ---------------------------------------------------------------- registers

static void select_register(const struct tsr_debugger *on, int agent, uint32_t word)
{
    struct tsr_debug_select *select = on->select;
    uint32_t before = select->word;
    select->word = word;
    if (!(word & ~before & 1u << SELECT_TRIGGER))
        return;
    unsigned core = tsr_bits(word, SELECT_CORE, WIDTH_CORE);
    uint32_t number = tsr_bits(word, SELECT_DR, WIDTH_DR);
    select->valid = !tsr_bits(word, SELECT_IS_WRITE, WIDTH_IS_WRITE);
    if (core >= on->cores) {
        select->result = 0;
        return;
    }
    struct tsr_core_debug *debug = &on->debug[core];
    uint32_t *kept = kept_register(debug, number);
    if (select->valid) {
        select->result = number == DR_STATUS ? status_of(on, core) : kept ? *kept : 0;
        return;
    }
    if (number == DR_COMMAND)
        write_command(on, agent, core, select->value);
    else if (kept && number != DR_RESULT && keeps(on, core)) {
        *kept = select->value;
        note_looks(debug);
    }
}

static uint32_t echo(const struct tsr_debugger *on)
{
    const struct tsr_debug_select *select = on->select;
    uint32_t word = select->word;
    return tsr_bits(word, SELECT_DR, WIDTH_DR) << ECHO_DR |
           tsr_bits(word, SELECT_IS_WRITE, WIDTH_IS_WRITE)
               << (ECHO_IS_WRITE + tsr_bits(word, SELECT_CORE, WIDTH_CORE)) |
           (uint32_t)select->valid << (on->valid_bit ? on->valid_bit : ECHO_VALID) |
           tsr_bits(word, SELECT_TRIGGER, WIDTH_TRIGGER) << ECHO_TRIGGER;
}

void tsr_debug_store(const struct tsr_debugger *on, int agent, unsigned index, uint32_t value)
{
    if (index == CONTROL_0)
        select_register(on, agent, value);
    else if (index == CONTROL_1)
        on->select->value = value;
}

uint32_t tsr_debug_load(const struct tsr_debugger *on, unsigned index)
{
    const struct tsr_debug_select *select = on->select;
    return index == CONTROL_0   ? select->word
           : index == CONTROL_1 ? select->value
           : index == STATUS_0  ? echo(on)
                                : select->result;
}

void tsr_debug_enter_reset(struct tsr_core_debug *debug, struct tsr_hart *hart)
{
    memset(debug, 0, sizeof *debug);
    hart->slow = false;
}

void tsr_debug_leave_reset(struct tsr_core_debug *debug)
{
    debug->hit = 0;
    debug->steps = 0;
    debug->by_debugger = debug->pc_written = debug->late = false;
}
