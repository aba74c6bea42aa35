// SPDX-License-Identifier: Apache-2.0
// The debug interface of the cores that the tile interprets. A core that pauses does so between two
// instructions: breakpoints and watchpoints after the one that hits them, a pause that is asked for
// once the core's instruction can be completed. Page: BabyRISCV/DebugInterface.md.
#include "tile/core_debug.h"

#include "riscv/riscv_decode.h"
#include "state/report.h"
#include "tile/core_reset.h"

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
    PC = 32 // the register after x31
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

static struct tsr_hart *hart_of(struct tsr_env *env, unsigned core)
{
    return &env->state->cores.hart[core];
}

static bool is_slow(const struct tsr_core_debug *debug)
{
    return debug->command >> COMMAND_SLOW & 1;
}

static bool paused(struct tsr_env *env, unsigned core)
{
    return hart_of(env, core)->rest == TSR_HART_PAUSED && !tsr_core_held(env, core);
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
static void pause(struct tsr_env *env, unsigned core, uint32_t hit)
{
    struct tsr_core_debug *debug = &env->state->cores.debug[core];
    hart_of(env, core)->rest = TSR_HART_PAUSED;
    env->state->cores.rests_since[core] = tsr_now(env);
    debug->hit = (uint16_t)hit;
    debug->by_debugger = true;
    debug->asked = debug->step = false;
    note_looks(debug);
}

static void resume(struct tsr_env *env, unsigned core, bool step)
{
    struct tsr_core_debug *debug = &env->state->cores.debug[core];
    debug->pc_written = false;
    hart_of(env, core)->rest = TSR_HART_RUNS;
    debug->hit = 0;
    debug->by_debugger = debug->asked = debug->late = false;
    debug->step = step;
    debug->steps = 0;
    note_looks(debug);
}

// ---------------------------------------------------------------- while the core runs

bool tsr_core_debug_begin(struct tsr_tile *tile, unsigned core, struct tsr_riscv_next *next)
{
    struct tsr_env *env = &tile->engine.env;
    const struct tsr_hart *hart = hart_of(env, core);
    // What waits has to be completed first.
    if (env->state->cores.debug[core].asked && hart->rest != TSR_HART_BLOCKED) {
        pause(env, core, 0);
        return false;
    }
    tsr_riscv_peek(tile->cores.riscv[core], hart, next);
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

void tsr_core_debug_end(struct tsr_tile *tile, unsigned core, const struct tsr_riscv_next *next,
                        uint64_t executed)
{
    struct tsr_env *env = &tile->engine.env;
    struct tsr_core_debug *debug = &env->state->cores.debug[core];
    struct tsr_hart *hart = hart_of(env, core);
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
        pause(env, core, hit);
}

// ---------------------------------------------------------------- commands

static uint32_t status_of(struct tsr_env *env, unsigned core)
{
    const struct tsr_core_debug *debug = &env->state->cores.debug[core];
    if (!paused(env, core))
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

// In its own name and at once. One that would wait is given up (errata 419).
static void access_memory(struct tsr_env *env, unsigned core, bool store)
{
    struct tsr_core_debug *debug = &env->state->cores.debug[core];
    const struct tsr_port *port = &env->port;
    uint32_t value = 0;
    if (store)
        port->store(port->self, (int)core, debug->argument[0], debug->argument[1], 4);
    else if (port->load(port->self, (int)core, debug->argument[0], &value, 4) == TSR_OK)
        debug->result = value;
}

// A register or, unless the core is in slow execution mode, where a reset begins.
static uint32_t new_pc(struct tsr_env *env, unsigned core)
{
    static const uint8_t from[] = {
#define DEBUG_NEW_PC(chip, register) [chip] = register,
#include "machine/core_debug.def"
    };
    struct tsr_core_debug *debug = &env->state->cores.debug[core];
    return is_slow(debug) ? *kept_register(debug, from[env->chip->arch])
                          : tsr_core_reset_pc(env, core);
}

// One instruction, once as many commands have come as the chip wants.
static void step(struct tsr_env *env, unsigned core)
{
    static const uint8_t commands[] = {
#define DEBUG_STEPS(chip, commands) [chip] = commands,
#include "machine/core_debug.def"
    };
    struct tsr_core_debug *debug = &env->state->cores.debug[core];
    if (++debug->steps >= commands[env->chip->arch])
        resume(env, core, true);
}

static void execute(struct tsr_env *env, unsigned core, uint32_t command, bool by_itself)
{
    struct tsr_core_debug *debug = &env->state->cores.debug[core];
    struct tsr_hart *hart = hart_of(env, core);
    uint32_t index = debug->argument[0];
    if (command >> COMMAND_PAUSE & 1) {
        if (hart->rest == TSR_HART_BLOCKED || by_itself)
            debug->asked = debug->looks = true;
        else if (hart->rest != TSR_HART_HUNG)
            pause(env, core, 0);
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
        access_memory(env, core, false);
    if (command >> COMMAND_STORE & 1)
        access_memory(env, core, true);
    bool sets_pc = command >> COMMAND_WRITE_PC & 1;
    if (sets_pc) {
        hart->pc = new_pc(env, core);
        debug->pc_written = true;
        debug->late &= !is_slow(debug); // what was on its way is gone, and comes again one by one
    }
    if (command >> COMMAND_RESUME & 1)
        resume(env, core, false);
    else if (command >> COMMAND_STEP & 1 && !sets_pc) // beside it, bit 1 means nothing
        step(env, core);
}

// Wormhole's page: of the eight instructions that may be on their way while a core pauses, which
// slow execution mode makes one, only the first may be a load. They are followed up to a branch.
static bool is_unsafe(struct tsr_env *env, unsigned core)
{
    const struct tsr_core_debug *debug = &env->state->cores.debug[core];
    const struct tsr_l1 *l1 = &env->state->l1;
    uint32_t pc = hart_of(env, core)->pc;
    if (env->chip->arch != TSR_WORMHOLE_B0 || (is_slow(debug) && !debug->late))
        return false;
    for (int i = 0; i < 8 && pc <= l1->size - 4; i++) {
        const uint8_t *at = l1->bytes + pc;
        uint32_t word =
            at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        struct tsr_riscv_op op = tsr_riscv_decode(env->chip->arch, (int)core, pc, word, NULL);
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
static unsigned pauses_again(const struct tsr_env *env, unsigned core)
{
    static const uint8_t again[] = {
#define DEBUG_AGAIN(chip, instructions) [chip] = instructions,
#include "machine/core_debug.def"
    };
    const struct tsr_core_debug *debug = &env->state->cores.debug[core];
    return debug->by_debugger || debug->pc_written ? 0 : again[env->chip->arch];
}

// Whether a register keeps what is written to it.
static bool keeps(const struct tsr_env *env, unsigned core)
{
    return !tsr_core_held(env, core) || !tsr_core_reset_clears_debug(env, core);
}

// An access to memory is made by itself.
static bool is_contradiction(uint32_t commands)
{
    uint32_t accesses = commands & (1u << COMMAND_LOAD | 1u << COMMAND_STORE);
    return (accesses & (accesses - 1)) != 0 ||
           (accesses && commands & (1u << COMMAND_STEP | 1u << COMMAND_RESUME));
}

static tsr_status write_command(struct tsr_access *access, unsigned core, uint32_t value)
{
    struct tsr_env *env = access->env;
    struct tsr_core_debug *debug = &env->state->cores.debug[core];
    uint32_t allowed = 0;
    bool is_paused = paused(env, core);
    bool was_slow = is_slow(debug);
    if (keeps(env, core)) {
        debug->command = value;
        hart_of(env, core)->slow = is_slow(debug);
        debug->late |= !was_slow && (is_paused || (value >> COMMAND_PAUSE & 1));
    }
    for (int bit = 0; bit < 32; bit++)
        if (state_for[bit] == (is_paused ? STATE_PAUSED : STATE_RUNS))
            allowed |= 1u << bit;
    uint32_t commands = value & ~(1u << COMMAND_SLOW);
    if (tsr_core_held(env, core))
        allowed = 0;
    if (is_paused && is_contradiction(commands)) {
        TSR_ACCESS_REPORT(access, FINDING_CORE_DEBUG_COMMAND,
                          "%s gives core %s the debug command 0x%03x: an access to memory and "
                          "something else that does not go with it.",
                          tsr_access_who(access), tsr_core_name((tsr_core)core),
                          (unsigned)commands);
        commands &= ~(1u << COMMAND_LOAD | 1u << COMMAND_STORE);
    }
    // A second pause has no effect, and is as good as none.
    if (commands & ~allowed & ~(1u << COMMAND_PAUSE))
        TSR_ACCESS_REPORT(access, FINDING_CORE_DEBUG_COMMAND,
                          "%s gives core %s the debug command 0x%03x while it is %s.",
                          tsr_access_who(access), tsr_core_name((tsr_core)core), (unsigned)commands,
                          tsr_core_held(env, core) ? "in soft reset"
                          : is_paused              ? "paused"
                                                   : "not paused");
    unsigned again = commands & allowed & 1u << COMMAND_RESUME ? pauses_again(env, core) : 0;
    if (again && !(commands & 1u << COMMAND_WRITE_PC))
        TSR_ACCESS_REPORT(access, FINDING_CORE_DEBUG_EBREAK,
                          "%s resumes core %s behind an ebreak without writing its pc, 0x%08x; a "
                          "card may pause for it once more, %u instructions later.",
                          tsr_access_who(access), tsr_core_name((tsr_core)core),
                          (unsigned)hart_of(env, core)->pc, again);
    bool goes_on = commands & allowed & (1u << COMMAND_RESUME | 1u << COMMAND_STEP);
    if (goes_on && !(commands & 1u << COMMAND_WRITE_PC) && is_unsafe(env, core))
        TSR_ACCESS_REPORT(access, FINDING_CORE_DEBUG_RESUME,
                          "%s resumes core %s at 0x%08x, which was not in slow execution mode when "
                          "it paused and may have a load on its way.",
                          tsr_access_who(access), tsr_core_name((tsr_core)core),
                          (unsigned)hart_of(env, core)->pc);
    if (commands & allowed)
        execute(env, core, commands & allowed, access->agent == (int)core);
    return tsr_access_status(access);
}

// ---------------------------------------------------------------- registers

static uint32_t selected(uint32_t word, int first, int width)
{
    return word >> first & ((1u << width) - 1);
}

static tsr_status select_register(struct tsr_access *access)
{
    struct tsr_cores *cores = &access->env->state->cores;
    uint32_t before = cores->debug_select, word = access->value;
    cores->debug_select = word;
    if (!(word & ~before & 1u << SELECT_TRIGGER))
        return TSR_OK;
    unsigned core = selected(word, SELECT_CORE, WIDTH_CORE);
    uint32_t number = selected(word, SELECT_DR, WIDTH_DR);
    struct tsr_core_debug *debug = &cores->debug[core];
    uint32_t *kept = kept_register(debug, number);
    cores->debug_valid = !selected(word, SELECT_IS_WRITE, WIDTH_IS_WRITE);
    if (cores->debug_valid) {
        cores->debug_result = number == DR_STATUS ? status_of(access->env, core) : kept ? *kept : 0;
        return TSR_OK;
    }
    if (number == DR_COMMAND)
        return write_command(access, core, cores->debug_value);
    if (kept && number != DR_RESULT && keeps(access->env, core)) {
        *kept = cores->debug_value;
        note_looks(debug);
    }
    return TSR_OK;
}

static uint32_t echo(const struct tsr_cores *cores)
{
    uint32_t word = cores->debug_select;
    return selected(word, SELECT_DR, WIDTH_DR) << ECHO_DR |
           selected(word, SELECT_IS_WRITE, WIDTH_IS_WRITE)
               << (ECHO_IS_WRITE + selected(word, SELECT_CORE, WIDTH_CORE)) |
           (uint32_t)cores->debug_valid << ECHO_VALID |
           selected(word, SELECT_TRIGGER, WIDTH_TRIGGER) << ECHO_TRIGGER;
}

tsr_status tsr_access_core_debug(struct tsr_access *access, unsigned index)
{
    struct tsr_cores *cores = &access->env->state->cores;
    if (!access->env->interprets)
        return tsr_access_unimplemented(access, "the debug interface of cores that are not there");
    if (access->store && index == CONTROL_0)
        return select_register(access);
    if (access->store && index == CONTROL_1)
        cores->debug_value = access->value;
    if (access->store)
        return TSR_OK;
    access->value = index == CONTROL_0   ? cores->debug_select
                    : index == CONTROL_1 ? cores->debug_value
                    : index == STATUS_0  ? echo(cores)
                                         : cores->debug_result;
    return TSR_OK;
}
