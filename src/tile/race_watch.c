// SPDX-License-Identifier: Apache-2.0
// Races as findings: both places, what they share, and the wait that is missing.
// Pages: STALLWAIT.md of each chip, BackendConfiguration.md ("RISCV writes to Config").
#include "tile/race_watch.h"

#include "state/races.h"
#include "state/report.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- words

// "T2's PACR", "the PACR of thread 2 of tile 1-2", "the read on NoC 0 of core B", "core T0".
static void who_text(const struct tsr_env *env, const struct tsr_race_place *place, char *text,
                     size_t size)
{
    char agent[48];
    const char *op = place->word ? tsr_op_name(tsr_op_of(env->isa, place->word)) : "MOP";
    tsr_race_agent_text(place, place->elsewhere, agent, sizeof agent);
    if (place->request)
        snprintf(text, size, "the %s of %s", place->request, agent);
    else if (place->thread < 0)
        snprintf(text, size, "%s", agent);
    else if (place->elsewhere)
        snprintf(text, size, "the %s of %s", op, agent);
    else
        snprintf(text, size, "T%d's %s", place->thread, op);
}

static void counter_text(const struct tsr_race_found *race, char *text, size_t size)
{
    static const char *const agents[] = {"unpacker 0", "unpacker 1", "the packers"};
    unsigned counter = (unsigned)__builtin_ctz(race->mask);
    snprintf(text, size, "%c of channel %u of the ADC of %s of thread %u", "XYZW"[counter % 4],
             counter / 4, agents[race->cell % 4 % 3], (unsigned)(race->cell / 4));
}

static void tdma_text(uint32_t cell, char *text, size_t size)
{
    if (cell < TSR_RACE_TDMA_UNPACK_ADDRESS)
        snprintf(text, size, "parameter %u of TDMA-RISC's commands", (unsigned)cell);
    else if (cell < TSR_RACE_TDMA_SCALERS)
        snprintf(text, size, "TDMA-RISC's address of %s",
                 cell == TSR_RACE_TDMA_PACK_ADDRESS ? "PACR_SETREG" : "UNPACR_NOP");
    else if (cell < TSR_RACE_TDMA_OFFSETS)
        snprintf(text, size, "TDMA-RISC's scaler %u", (unsigned)(cell - TSR_RACE_TDMA_SCALERS));
    else if (cell >= TSR_RACE_TDMA_BASES)
        snprintf(text, size, "XMOV_L1_BASE_ADDR of %s",
                 tsr_race_core_name((cell - TSR_RACE_TDMA_BASES) % 4));
    else
        snprintf(text, size, "l1_dest_addr_offset of packer %u",
                 (unsigned)(cell - TSR_RACE_TDMA_OFFSETS));
}

static void vector_text(const struct tsr_race_found *race, char *text, size_t size)
{
    if (race->mask == TSR_RACE_LANE_FLAGS)
        snprintf(text, size, "the vector unit's lane flags");
    else if (race->mask == TSR_RACE_VECTOR_CONFIG)
        snprintf(text, size, "the vector unit's own configuration");
    else
        snprintf(text, size, "LReg[%u]", (unsigned)__builtin_ctz(race->mask));
}

static void config_text(const struct tsr_env *env, const struct tsr_race_found *race, char *text,
                        size_t size)
{
    bool thread_scope = race->cell >= 2 * TSR_RACE_BANK_CELLS;
    uint32_t cell = thread_scope ? race->cell - 2 * TSR_RACE_BANK_CELLS : race->cell;
    unsigned cells = thread_scope ? TSR_RACE_THREAD_CELLS : TSR_RACE_BANK_CELLS;
    unsigned addr32 = cell % cells;
    enum tsr_field field =
        tsr_config_field_at(env->reads, env->isa, thread_scope, addr32, race->mask);
    const char *of = thread_scope                            ? "of thread"
                     : addr32 < env->isa->layout.global_base ? "of bank"
                                                             : "";
    char which[16] = "";
    if (of[0])
        snprintf(which, sizeof which, " %u", (unsigned)(cell / cells));
    if (field < FIELD_COUNT)
        snprintf(text, size, "%s%s%s%s", tsr_field_name(field), of[0] ? " " : "", of, which);
    else
        snprintf(text, size, "configuration word %u%s%s%s", addr32, of[0] ? " " : "", of, which);
}

static void l1_text(const struct tsr_race_found *race, unsigned first, char *text, size_t size)
{
    char tile[24] = "";
    if (race->elsewhere)
        snprintf(tile, sizeof tile, " of tile %u-%u", race->x, race->y);
    snprintf(text, size, "L1%s from 0x%05x on", tile, (unsigned)(16 * race->cell + first));
}

static void storage_text(const struct tsr_env *env, const struct tsr_race_found *race, char *text,
                         size_t size)
{
    unsigned first = 0, last = 15;
    while (race->mask != 0 && !(race->mask >> first & 1))
        first++;
    while (last > first && !(race->mask >> last & 1))
        last--;
    switch (race->storage) {
    case TSR_RACE_L1:
        l1_text(race, first, text, size);
        break;
    case TSR_RACE_MEMORY:
        snprintf(text, size, "%s %u from 0x%llx on",
                 race->memory < TSR_RACE_ETHERNET ? "DRAM channel" : "the L1 of Ethernet tile",
                 race->memory % TSR_RACE_ETHERNET,
                 (unsigned long long)race->cell * TSR_RACE_MEMORY_BYTES +
                     (unsigned)TSR_RACE_MEMORY_UNIT * (unsigned)__builtin_ctz(race->mask));
        break;
    case TSR_RACE_DST:
        snprintf(text, size, "Dst from physical row %u on", (unsigned)race->cell);
        break;
    case TSR_RACE_SRC:
        snprintf(text, size, "Src%c bank %u", 'A' + (int)(race->cell / 2),
                 (unsigned)(race->cell % 2));
        break;
    case TSR_RACE_GPR:
        snprintf(text, size, "GPR %u of thread %u", (unsigned)(race->cell % 64),
                 (unsigned)(race->cell / 64));
        break;
    case TSR_RACE_CONFIG:
        config_text(env, race, text, size);
        break;
    case TSR_RACE_TDMA:
        tdma_text(race->cell, text, size);
        break;
    case TSR_RACE_COUNTERS:
        counter_text(race, text, size);
        break;
    case TSR_RACE_LREG:
        vector_text(race, text, size);
        break;
    default:
        snprintf(text, size, "the MOP configuration");
    }
}

// ---------------------------------------------------------------- findings

static void fill_place(const struct tsr_env *env, const struct tsr_race_place *place,
                       tsr_finding_place *out)
{
    out->thread = place->thread;
    out->core = place->core <= TSR_CORE_NC ? place->core : -1;
    out->sequence = place->sequence;
    out->word = place->word;
    out->has_node = place->elsewhere;
    out->node_x = place->elsewhere ? place->x : 0;
    out->node_y = place->elsewhere ? place->y : 0;
    if (place->request || place->thread < 0) {
        // Of a thread's request the core that pushed it is not known.
        out->has_pc = place->thread < 0 && place->pc != 0 && env->interprets;
        out->pc = place->pc;
        return;
    }
    if (place->word)
        tsr_disassemble(env->chip->arch, place->word, out->instruction, sizeof out->instruction);
    out->pushed = place->pc != 0;
    out->pushed_core = TSR_CORE_T0 + place->thread;
    out->pushed_pc = place->pc;
}

static const char *access_text(const struct tsr_race_place *place)
{
    return place->write ? "writes" : "reads";
}

// A unit that writes a bank of Src asks whose it is; a hand-over of what is still read does not.
static bool is_hand_over(const struct tsr_race_found *race)
{
    return race->storage == TSR_RACE_SRC && race->earlier.unit == TSR_UNIT_MATRIX &&
           !race->earlier.write && race->later.unit != TSR_UNIT_MATRIX;
}

static void sentence_text(const struct tsr_env *env, const struct tsr_race_found *race, char *text,
                          size_t size)
{
    const struct tsr_race_place *later = &race->later, *earlier = &race->earlier;
    char who[64], other[64], what[108];
    who_text(env, later, who, sizeof who);
    who_text(env, earlier, other, sizeof other);
    storage_text(env, race, what, sizeof what);
    switch (race->kind) {
    case TSR_RACE_RELIED_ADDRESS:
    case TSR_RACE_RELIED_CONFIG:
        snprintf(text, size,
                 "%s changes %s while %s, which uses it, may be at work: no page says that it has "
                 "been read.",
                 who, what, other);
        break;
    case TSR_RACE_RELIED_DST:
    case TSR_RACE_RELIED_SRC:
    case TSR_RACE_RELIED_GPR:
    case TSR_RACE_RELIED_NOC:
        snprintf(text, size,
                 "%s %s %s, which %s %s: they are in order by what hardware does, and by no page.",
                 who, access_text(later), what, other, access_text(earlier));
        break;
    case TSR_RACE_CONFIG_IN_FLIGHT:
    case TSR_RACE_ADDRESS_IN_FLIGHT:
        if (later->write)
            snprintf(text, size,
                     "%s changes %s, and nothing makes sure that %s, which uses it, is complete.",
                     who, what, other);
        else
            snprintf(text, size, "%s uses %s, which %s changes, and nothing orders the two.", who,
                     what, other);
        break;
    default:
        if (is_hand_over(race))
            snprintf(text, size, "%s hands %s over, which %s uses, and nothing orders the two.",
                     who, what, other);
        else
            snprintf(text, size, "%s %s %s, which %s %s, and nothing orders the two.", who,
                     access_text(later), what, other, access_text(earlier));
    }
}

static void fill(const struct tsr_env *env, const struct tsr_race_found *race, tsr_diagnostic *out)
{
    tsr_finding_place own = {0};
    fill_place(env, &race->later, &own);
    out->cycle = tsr_now(env);
    out->sequence = own.sequence;
    memcpy(out->instruction, own.instruction, sizeof out->instruction);
    out->pushed = own.pushed;
    out->pushed_core = own.pushed_core;
    out->pushed_pc = own.pushed_pc;
    out->has_other = true;
    fill_place(env, &race->earlier, &out->other);
    memcpy(out->wait, race->wait, sizeof out->wait);
    sentence_text(env, race, out->sentence, sizeof out->sentence);
}

static const enum tsr_finding codes[TSR_RACE_KINDS] = {
    [TSR_RACE_WRITES] = FINDING_RACE_WRITES,
    [TSR_RACE_READ_WRITE] = FINDING_RACE_READ_WRITE,
    [TSR_RACE_CONFIG_IN_FLIGHT] = FINDING_RACE_CONFIG,
    [TSR_RACE_ADDRESS_IN_FLIGHT] = FINDING_RACE_ADDRESS,
    [TSR_RACE_OVER_NOC] = FINDING_RACE_NOC,
    [TSR_RACE_RELIED_NOC] = FINDING_UNGUARANTEED_NOC,
    [TSR_RACE_RELIED_ADDRESS] = FINDING_UNGUARANTEED_ADDRESS,
    [TSR_RACE_RELIED_CONFIG] = FINDING_UNGUARANTEED_CONFIG,
    [TSR_RACE_RELIED_DST] = FINDING_UNGUARANTEED_DST,
    [TSR_RACE_RELIED_SRC] = FINDING_UNGUARANTEED_SRC,
    [TSR_RACE_RELIED_GPR] = FINDING_UNGUARANTEED_GPR,
};

static bool wants(void *user, enum tsr_race_kind kind)
{
    const struct tsr_tile *tile = user;
    return tile->findings.action[codes[kind]] != TSR_ACTION_IGNORE;
}

static void found(void *user, const struct tsr_race_found *race)
{
    struct tsr_tile *tile = user;
    struct tsr_env *env = &tile->engine.env;
    const struct tsr_race_place *later = &race->later, *earlier = &race->earlier;
    // The record tells each pair of places once, so no two are to be taken for repeats.
    const struct tsr_finding_about place = {
        .thread = later->thread,
        .core = later->core <= TSR_CORE_NC ? later->core : -1,
        .word = later->word,
        .has_pc = later->thread < 0 && later->pc != 0 && env->interprets,
        .at = later->thread < 0 ? later->pc
                                : (uint32_t)(earlier->sequence * 8 + (unsigned)earlier->thread +
                                             ((uint64_t)later->sequence << 16) + earlier->pc)};
    tsr_diagnostic *out = tsr_findings_add(&tile->findings, codes[race->kind], &place);
    if (out)
        fill(env, race, out);
    if (tile->findings.action[codes[race->kind]] == TSR_ACTION_STOP)
        tile->findings.stopped = true;
}

// ---------------------------------------------------------------- the tile

_Static_assert((int)TSR_RACE_READER_COUNT == (int)TSR_RACE_READERS, "the same units read");

bool tsr_race_watch_begin(struct tsr_tile *tile)
{
    struct tsr_env *env = &tile->engine.env;
    struct tsr_race_setup setup = {.isa = env->isa,
                                   .has_ports = env->interprets,
                                   .config_goes_on = env->chip->config_stages,
                                   .waits_hold_thread = env->waits_hold_thread,
                                   .wants = wants,
                                   .found = found,
                                   .user = tile};
    for (unsigned reader = 0; reader < TSR_RACE_READERS; reader++)
        setup.reads[reader] = tile->watch.race_reads[reader];
    for (unsigned context = 0; context < TSR_RACE_CONTEXTS; context++)
        setup.of_context[context] = tile->watch.of_context[context];
    env->reads = &tile->watch;
    env->races = tsr_races_create(&setup);
    return env->races != NULL;
}

void tsr_race_watch_drained(const struct tsr_tile *tile, int thread)
{
    const struct tsr_env *env = &tile->engine.env;
    if (!env->races)
        return;
    env->races->ops->core(env->races, TSR_CORE_T0 + thread, 0, false);
    tsr_race_sync(env, TSR_RACE_DRAINED, (unsigned)thread, 0, 0);
    env->races->ops->done(env->races, true);
}

// ---------------------------------------------------------------- waits, from outside

int tsr_latched_wait_count(const tsr_tile *tile)
{
    return tile && tile->engine.env.races ? tsr_races_waits(tile->engine.env.races) : 0;
}

static void counter_load_text(const struct tsr_race_latched *wait, char *text, size_t size)
{
    size_t length = strlen(wait->counter);
    bool numbered = length > 3 && strcmp(wait->counter + length - 3, "_ID") == 0;
    char number[16] = "";
    if (numbered)
        snprintf(number, sizeof number, "(%u)", wait->number);
    snprintf(text, size, "load of %s%s of NoC %u", wait->counter, number, wait->noc);
}

tsr_status tsr_latched_wait_at(const tsr_tile *tile, int index, tsr_finding_place *out,
                               uint64_t *cycles)
{
    if (!tile || !out || index < 0 || index >= tsr_latched_wait_count(tile))
        return TSR_BAD_ARGUMENT;
    struct tsr_race_latched wait = tsr_races_wait_at(tile->engine.env.races, index);
    *out = (tsr_finding_place){0};
    fill_place(&tile->engine.env, &wait.place, out);
    if (out->word)
        tsr_wait_text(tile->engine.env.isa, out->word, out->instruction, sizeof out->instruction);
    if (wait.counter)
        counter_load_text(&wait, out->instruction, sizeof out->instruction);
    if (cycles)
        *cycles = wait.cycles;
    return TSR_OK;
}

tsr_status tsr_ignore_wait(tsr_tile *tile, int thread, uint64_t sequence)
{
    if (!tile || !tile->engine.env.races || (unsigned)thread >= TSR_THREADS)
        return TSR_BAD_ARGUMENT;
    return tsr_races_ignore(tile->engine.env.races, thread, sequence) ? TSR_OK : TSR_NO_MEMORY;
}

tsr_status tsr_ignore_load(tsr_tile *tile, tsr_core core, uint32_t pc)
{
    if (!tile || !tile->engine.env.races || (unsigned)core > TSR_CORE_NC)
        return TSR_BAD_ARGUMENT;
    return tsr_races_ignore_load(tile->engine.env.races, core, pc) ? TSR_OK : TSR_NO_MEMORY;
}
