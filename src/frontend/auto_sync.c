// SPDX-License-Identifier: Apache-2.0
// Auto TTSync: a T core's load or store of configuration, GPRs or TDMA registers waits until the
// instructions that were pushed before it, and use the same resource, have passed the wait gate.
// The other direction needs nothing: a core's access takes effect at once. Instructions out of a
// MOP or a REPLAY count as the MOP or the REPLAY, as long as any of them is left.
// Page: BlackholeA0/TensixTile/BabyRISCV/AutoTTSync.md.
#include "frontend/auto_sync.h"

#include "frontend/expand.h"

#include "state/races.h"
#include "state/report.h"

// The bits of RESOURCEDECL.
enum {
    CFG_R = 1,
    CFG_W = 2,
    UNP0 = 4,
    UNP1 = 8,
    REST = 16,
    GPR_R = 32,
    GPR_W = 64,
    TDMA_R = 128,
    TDMA_W = 256,
    ALL_PARTS = UNP0 | UNP1 | REST
};

enum { CLASS_UNPACK = 11, CLASS_MOP = 13, CLASS_REPLAY = 14, CLASS_OTHER = 15 };

// The eight tracked resources: three parts of each bank, GPRs, TDMA.
enum { BANK0 = 0, BANK1 = 3, GPRS = 1 << 6, TDMA = 1 << 7, EVERYTHING = 0xff };

static const uint16_t defaults[TSR_RESOURCE_CLASSES] = {
#define RESOURCE_DEFAULT(class, resources) [class] = (resources),
#include "machine/resources.def"
};

// Class + 1; 0: class 15.
static const uint8_t classes[OP_COUNT] = {
#define RESOURCE_CLASS(mnemonic, class) [OP_##mnemonic] = (class) + 1,
#include "machine/resources.def"
};

static const struct {
    uint8_t first, last, parts;
} words[] = {
#define RESOURCE_WORDS(first, last, parts) {first, last, parts},
#include "machine/resources.def"
};

// ---------------------------------------------------------------- what a core's access touches

static unsigned parts_in(unsigned parts, unsigned banks)
{
    unsigned three = parts / UNP0;
    return (banks & 1 ? three << BANK0 : 0) | (banks & 2 ? three << BANK1 : 0);
}

static unsigned parts_of_word(unsigned addr32)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (addr32 >= words[i].first && addr32 <= words[i].last)
            return words[i].parts;
    return REST;
}

// Both banks, the copy that writes both, the threads' words.
static unsigned touched_config(const struct tsr_env *env, int thread, uint32_t offset)
{
    const struct tsr_layout *layout = &env->isa->layout;
    unsigned word = offset / 4, bank = word / layout->banked_words;
    unsigned addr32 = word % layout->banked_words;
    bool one_bank = bank < 2 && addr32 < layout->global_base;
    if (!tsr_thread_cfg(env, thread, FIELD_TENSIX_TRISC_SYNC_EnSubdividedCfgForUnpacr))
        return parts_in(ALL_PARTS, one_bank ? 1u << bank : 3);
    if (one_bank)
        return parts_in(parts_of_word(addr32), 1u << bank);
    bool thread_words = bank > 2;
    unsigned math_offset = env->isa->field[FIELD_DEST_TARGET_REG_CFG_MATH_Offset].addr32;
    if (thread_words && word - 3u * layout->banked_words == math_offset)
        return parts_in(UNP0 | UNP1, 3);
    return parts_in(REST, 3);
}

static unsigned touched(const struct tsr_env *env, int thread, enum tsr_region_id region,
                        uint32_t offset)
{
    if (!tsr_thread_cfg(env, thread, FIELD_TENSIX_TRISC_SYNC_TrackTensixInstructions))
        return 0;
    switch (region) {
    case REGION_GPRS:
        return tsr_thread_cfg(env, thread, FIELD_TENSIX_TRISC_SYNC_TrackGPR) ? GPRS : 0;
    case REGION_TDMA:
        return tsr_thread_cfg(env, thread, FIELD_TENSIX_TRISC_SYNC_TrackTDMARegs) ? TDMA : 0;
    case REGION_CONFIG:
        return tsr_thread_cfg(env, thread, FIELD_TENSIX_TRISC_SYNC_TrackGlobalCfg)
                   ? touched_config(env, thread, offset)
                   : 0;
    default:
        return 0;
    }
}

// ---------------------------------------------------------------- what instructions use

// The search for a queued instruction that conflicts with the access.
struct search {
    const struct tsr_env *env;
    int thread;
    unsigned touched;
    bool store;
    bool any_bank; // a queued SETC16 may change the bank
    bool clash;
    unsigned reads, writes; // of the last instruction that was looked at
};

static unsigned declared(const struct search *search, unsigned class)
{
    const struct tsr_frontend *frontend = &search->env->state->frontend[search->thread];
    return frontend->declared >> class & 1 ? frontend->resources[class] : defaults[class];
}

static void use(struct search *search, unsigned resources)
{
    unsigned banks = search->any_bank ? 3 : 1u << tsr_state_id(search->env, search->thread);
    unsigned config = parts_in(resources & ALL_PARTS, banks);
    unsigned reads = (resources & CFG_R ? config : 0) | (resources & GPR_R ? GPRS : 0) |
                     (resources & TDMA_R ? TDMA : 0);
    unsigned writes = (resources & CFG_W ? config : 0) | (resources & GPR_W ? GPRS : 0) |
                      (resources & TDMA_W ? TDMA : 0);
    search->clash |= (search->touched & (search->store ? reads | writes : writes)) != 0;
    search->reads = reads;
    search->writes = writes;
}

static unsigned resources_of(const struct search *search, enum tsr_op op, uint32_t word)
{
    unsigned class = classes[op] ? classes[op] - 1u : CLASS_OTHER;
    unsigned resources = declared(search, class);
    if (class != CLASS_UNPACK || !tsr_thread_cfg(search->env, search->thread,
                                                 FIELD_TENSIX_TRISC_SYNC_EnSubdividedCfgForUnpacr))
        return resources;
    return (resources & ~(unsigned)ALL_PARTS) | (word >> 23 & 1 ? UNP1 : UNP0);
}

static void look_at(struct search *search, uint32_t word, uint8_t source)
{
    enum tsr_op op = tsr_op_of(search->env->isa, word);
    if (source == TSR_FROM_MOP)
        use(search, declared(search, CLASS_MOP));
    else if (source == TSR_FROM_REPLAY)
        use(search, declared(search, CLASS_REPLAY));
    else if (op == OP_RESOURCEDECL) // what follows may be declared anew
        search->clash = true;
    else if (source != TSR_FROM_B && op != OP_NONE && op != OP_NOP && op != OP_MOP_CFG)
        use(search, resources_of(search, op, word));
}

static bool changes_bank(const struct tsr_env *env, uint32_t word)
{
    return tsr_op_of(env->isa, word) == OP_SETC16 &&
           tsr_operand(env->isa, OP_SETC16, word, OPERAND_setc16_reg) ==
               env->isa->field[FIELD_CFG_STATE_ID_StateID].addr32;
}

static void look_through(struct search *search, const struct tsr_fifo *fifo)
{
    for (unsigned i = 0; i < fifo->count; i++)
        search->any_bank |= changes_bank(search->env, fifo->word[(fifo->first + i) % TSR_FIFO_MAX]);
    for (unsigned i = 0; i < fifo->count; i++) {
        unsigned at = (fifo->first + i) % TSR_FIFO_MAX;
        look_at(search, fifo->word[at], fifo->tag[at] & TSR_TAG_SOURCE);
    }
}

bool tsr_auto_sync_holds(struct tsr_env *env, int thread, enum tsr_region_id region,
                         uint32_t offset, bool store)
{
    const struct tsr_frontend *frontend = &env->state->frontend[thread];
    if (env->isa->field[FIELD_TENSIX_TRISC_SYNC_TrackTensixInstructions].width == 0)
        return false;
    struct search search = {.env = env,
                            .thread = thread,
                            .touched = touched(env, thread, region, offset),
                            .store = store};
    if (search.touched == 0)
        return false;
    tsr_expand_all(env, thread);
    // From the gate backwards, because a SETC16 concerns what follows it.
    look_through(&search, &frontend->before_gate);
    if (frontend->replay.play_left)
        look_at(&search, 0, frontend->replay.source);
    look_through(&search, &frontend->before_replay);
    if (frontend->mop.active)
        look_at(&search, 0, TSR_FROM_MOP);
    look_through(&search, &frontend->before_mop);
    return search.clash;
}

// ---------------------------------------------------------------- for those who look for races

static bool tracks(const struct tsr_env *env, int thread)
{
    return env->isa->field[FIELD_TENSIX_TRISC_SYNC_TrackTensixInstructions].width != 0 &&
           tsr_thread_cfg(env, thread, FIELD_TENSIX_TRISC_SYNC_TrackTensixInstructions);
}

void tsr_auto_sync_uses(struct tsr_env *env, int thread, enum tsr_op op, uint32_t word,
                        uint64_t tag)
{
    struct search search = {.env = env, .thread = thread};
    if (!tracks(env, thread) || op == OP_RESOURCEDECL)
        return;
    look_at(&search, word, tag & TSR_TAG_SOURCE);
    if (search.reads | search.writes)
        tsr_race_sync(env, TSR_RACE_AUTO_USES, (unsigned)thread, search.reads, search.writes);
}

void tsr_auto_sync_waited(struct tsr_env *env, int thread, enum tsr_region_id region,
                          uint32_t offset, bool store)
{
    if (!tracks(env, thread))
        return;
    unsigned resources = touched(env, thread, region, offset);
    if (resources)
        tsr_race_sync(env, TSR_RACE_AUTO_WAITED, (unsigned)thread, resources, store);
}

void tsr_auto_sync_pushes(struct tsr_env *env, int thread)
{
    if (tracks(env, thread) &&
        tsr_thread_cfg(env, thread, FIELD_TENSIX_TRISC_SYNC_TrackGlobalCfg) &&
        tsr_thread_cfg(env, thread, FIELD_TENSIX_TRISC_SYNC_TrackGPR))
        tsr_race_sync(env, TSR_RACE_READ_BACK, 0, 0, 0);
}

// ---------------------------------------------------------------- RESOURCEDECL

bool tsr_auto_sync_declare(struct tsr_env *env, int thread, uint32_t word)
{
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    struct tsr_inflight cause = {.word = word,
                                 .op = OP_RESOURCEDECL,
                                 .thread = (uint8_t)thread,
                                 .sequence = frontend->sequence + 1};
    if (tsr_report(env, FINDING_UNDOCUMENTED_MODE, &cause, NULL,
                   "No page gives RESOURCEDECL's operands; they are taken as vendor software "
                   "describes them, and the linger time costs nothing.") == TSR_HALT)
        return false;
    unsigned class = (unsigned)tsr_operand(env->isa, OP_RESOURCEDECL, word, OPERAND_op_class);
    frontend->resources[class] =
        (uint16_t)tsr_operand(env->isa, OP_RESOURCEDECL, word, OPERAND_resources);
    frontend->declared |= (uint16_t)(1u << class);
    return true;
}
