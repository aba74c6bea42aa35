// SPDX-License-Identifier: Apache-2.0
// What is between and inside the baby cores: PC buffers, TTSync, mailboxes, local data
// RAM, and the instruction RAM that they cannot reach. Pages: BabyRISCV/PCBufs.md, TTSync.md,
// Mailboxes.md, InstructionRAM.md, README.md of each chip.
#include "tile/map_cores.h"

#include "frontend/expand.h"
#include "state/races.h"
#include "tile/sync_loads.h"

// ---------------------------------------------------------------- PC buffers

// The override bits of a thread's PC buffer: enable, busy, value.
static bool pc_override(const struct tsr_env *env, unsigned thread, bool *busy, uint32_t *value)
{
    uint32_t bits = env->state->debug.pc_buffer_override >> (10 * thread);
    *busy = bits >> 1 & 1;
    *value = bits >> 2 & 0xff;
    return bits & 1;
}

// Core B's side. Its load waits until the T core has taken everything and waits for more, and the
// thread is idle.
tsr_status tsr_access_pc_buffer(struct tsr_access *access, unsigned thread)
{
    struct tsr_pc_buffer *buffer = &access->env->state->cores.pc_buffer[thread];
    bool busy;
    uint32_t value;
    if (access->store) {
        if (buffer->count >= DEPTH_PC_BUFFER)
            return TSR_BUSY;
        buffer->word[(buffer->first + buffer->count) % TSR_PC_BUFFER_MAX] = access->value;
        buffer->count++;
        tsr_race_sync(access->env, TSR_RACE_SEND, TSR_RACE_PC_BUFFERS + thread, 0, 0);
        return TSR_OK;
    }
    access->value = 0;
    if (pc_override(access->env, thread, &busy, &value) && busy)
        return TSR_OK;
    bool done = buffer->count == 0 && buffer->reader_waits &&
                tsr_frontend_drained(access->env, (int)thread);
    if (done)
        tsr_race_sync(access->env, TSR_RACE_DRAINED, thread, 0, 0);
    return done ? TSR_OK : TSR_BUSY;
}

// The T core's side.
tsr_status tsr_access_pc_buffer_t(struct tsr_access *access)
{
    struct tsr_pc_buffer *buffer = &access->env->state->cores.pc_buffer[access->thread];
    bool busy;
    uint32_t value;
    if (access->store)
        return TSR_OK; // discarded
    buffer->reader_waits = false;
    if (buffer->count > 0) {
        access->value = buffer->word[buffer->first];
        tsr_race_sync(access->env, TSR_RACE_RECEIVE, TSR_RACE_PC_BUFFERS + access->thread, 0, 0);
        buffer->first = (uint8_t)((buffer->first + 1) % TSR_PC_BUFFER_MAX);
        buffer->count--;
        return TSR_OK;
    }
    if (pc_override(access->env, access->thread, &busy, &value)) {
        access->value = value;
        return TSR_OK;
    }
    buffer->reader_waits = true;
    return TSR_BUSY;
}

// ---------------------------------------------------------------- TTSync

// The load returns.
static tsr_status sync_returns(struct tsr_access *access)
{
    struct tsr_sync_follower follower;
    const struct tsr_env *env = access->env;
    if (env->interprets && env->core_has_pc &&
        tsr_sync_is_passed(env, (unsigned)access->agent, &follower))
        TSR_ACCESS_REPORT(access, FINDING_SYNC_LOAD_PASSED,
                          "%s loads from 0x%08x at pc 0x%08x, and may do so before its load from "
                          "0x%08x (TTSync) has returned.",
                          tsr_access_who(access), (unsigned)follower.address, (unsigned)follower.pc,
                          (unsigned)access->address);
    return tsr_access_status(access);
}

bool tsr_has_mops(const struct tsr_env *env, unsigned thread)
{
    const struct tsr_frontend *frontend = &env->state->frontend[thread];
    const struct tsr_fifo *fifo = &frontend->before_mop;
    bool found = frontend->mop.active;
    for (unsigned i = 0; i < fifo->count; i++)
        found |= tsr_op_of(env->isa, fifo->word[(fifo->first + i) % TSR_FIFO_MAX]) == OP_MOP;
    return found;
}

// A wait that the gate still holds counts as an instruction in flight (docs/errata.md, 833).
static bool thread_is_done(const struct tsr_env *env, int thread)
{
    return tsr_frontend_drained(env, thread) && !env->state->sync.latch[thread].latched;
}

// CoprocessorDoneCheck waits for the whole thread, MOPExpanderDoneCheck for its MOP instructions,
// unless the PC buffer's override says not to; the value is undefined by the page and 0 here.
tsr_status tsr_access_ttsync(struct tsr_access *access)
{
    unsigned word = access->offset / 4; // 0: CoprocessorDoneCheck, 1: MOPExpanderDoneCheck
    if (word > 1)
        return tsr_access_unmapped(access);
    if (access->store)
        return TSR_OK;
    bool busy;
    uint32_t unused;
    access->value = 0;
    if (pc_override(access->env, access->thread, &busy, &unused) && busy)
        return sync_returns(access);
    if (word == 0 && !thread_is_done(access->env, (int)access->thread))
        return TSR_BUSY;
    if (word == 0) {
        tsr_race_sync(access->env, TSR_RACE_DRAINED, access->thread, 0, 0);
        return sync_returns(access);
    }
    tsr_expand_all(access->env, (int)access->thread);
    if (access->env->findings->stopped)
        return TSR_STOPPED;
    if (tsr_has_mops(access->env, access->thread))
        return TSR_BUSY;
    tsr_race_sync(access->env, TSR_RACE_MOPS_DONE, access->thread, 0, 0);
    return sync_returns(access);
}

// ---------------------------------------------------------------- mailboxes

// A store goes from this core to the one that the address names, a load comes the other way; B, T0,
// T1, T2. The depth is shared by all words that a core has written and no core has read.
tsr_status tsr_access_mailbox(struct tsr_access *access)
{
    struct tsr_cores *cores = &access->env->state->cores;
    unsigned self = (unsigned)access->agent, other = access->offset >> 12;
    if (access->store) {
        unsigned held = 0;
        for (unsigned to = 0; to < TSR_MAILBOX_CORES; to++)
            held += cores->mailbox[self][to].count;
        if (held >= DEPTH_MAILBOX)
            return TSR_BUSY;
        struct tsr_mailbox *box = &cores->mailbox[self][other];
        box->word[(box->first + box->count) % TSR_MAILBOX_MAX] = access->value;
        box->count++;
        tsr_race_sync(access->env, TSR_RACE_SEND, TSR_MAILBOX_CORES * self + other, 0, 0);
        return TSR_OK;
    }
    struct tsr_mailbox *box = &cores->mailbox[other][self];
    if (access->address & 4) {
        access->value = box->count > 0;
        return TSR_OK;
    }
    if (box->count == 0)
        return TSR_BUSY;
    access->value = box->word[box->first];
    tsr_race_sync(access->env, TSR_RACE_RECEIVE, TSR_MAILBOX_CORES * other + self, 0, 0);
    box->first = (uint8_t)((box->first + 1) % TSR_MAILBOX_MAX);
    box->count--;
    return TSR_OK;
}

_Static_assert((int)DEPTH_MAILBOX <= (int)TSR_MAILBOX_MAX &&
                   (int)DEPTH_PC_BUFFER <= (int)TSR_PC_BUFFER_MAX,
               "a FIFO has room for its depth");

// ---------------------------------------------------------------- local RAM

// The size of a core's RAM is that of the core's own window; Blackhole's other windows show a T
// core's RAM twice. Blackhole clears the RAM when its core leaves reset.
tsr_status tsr_access_local_ram(struct tsr_access *access, unsigned core)
{
    const struct tsr_region *region = access->env->isa->region;
    struct tsr_local_ram *ram = &access->env->state->cores.ram[core];
    uint32_t at = access->offset % region[tsr_local_ram_region((int)core)].size;
    unsigned width = (unsigned)access->width; // 1, 2 or 4, and `at` is aligned to it
    uint8_t mask = (uint8_t)(((1u << width) - 1u) << at % 8);
    if (access->store) {
        for (unsigned i = 0; i < width; i++)
            ram->bytes[at + i] = (uint8_t)(access->value >> (8 * i));
        ram->written[at / 8] |= mask;
        return TSR_OK;
    }
    for (unsigned i = 0; i < width; i++)
        access->value |= (uint32_t)ram->bytes[at + i] << (8 * i);
    if ((ram->written[at / 8] & mask) != mask && !access->env->chip->clears_local_ram &&
        !access->env->debugger_loads)
        TSR_ACCESS_REPORT(access, FINDING_UNINITIALISED_LOCAL_RAM,
                          "%s loads %d bytes of core %s's data RAM at 0x%08x, which were never "
                          "written.",
                          tsr_access_who(access), access->width, tsr_core_name((tsr_core)core),
                          (unsigned)access->address);
    return tsr_access_status(access);
}

// Only the mover writes there, and only the core's frontend reads.
tsr_status tsr_access_iram(struct tsr_access *access)
{
    if (access->store)
        return TSR_OK; // discarded
    return tsr_access_hangs(access, "and loads from the instruction RAM never return");
}

// The program counters, in the order B, NC, T0, T1, T2; here of the next instruction.
tsr_status tsr_access_pc_snapshot(struct tsr_access *access)
{
    static const uint8_t order[TSR_CORE_COUNT] = {TSR_CORE_B, TSR_CORE_NC, TSR_CORE_T0, TSR_CORE_T1,
                                                  TSR_CORE_T2};
    if (!access->env->interprets)
        return tsr_access_unimplemented(access, access->env->isa->region[REGION_PC_SNAPSHOT].name);
    if (!access->store)
        access->value = access->env->state->cores.hart[order[access->offset / 4]].pc;
    return TSR_OK;
}
