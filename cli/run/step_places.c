// SPDX-License-Identifier: Apache-2.0
// Places where compiled programs wait for each other; see step_places.h.
#include "run/step_places.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What the run is seen with: where a core's accesses mean something.
struct watch {
    struct step_places *places;
    const struct core_job *job;
    tsr_tile *tile;
    tsr_memory_info push, semaphores, sync;
    tsr_core_state before[CORE_COUNT];
    bool full; // there are more places than room for them
};

enum { LOAD_WORD = 0x2003, STORE_WORD = 0x2023, OPCODE_MASK = 0x707f };

// ---------------------------------------------------------------- instructions

static bool is_step(tsr_arch arch, uint32_t word)
{
    static const char *const steps[] = {"STALLWAIT", "SEMWAIT", "SEMPOST",    "SEMGET",  "SEMINIT",
                                        "ATGETM",    "ATRELM",  "STREAMWAIT", "FLUSHDMA"};

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const tsr_instruction_info *info = tsr_instruction_find(arch, steps[i]);
        if (info != NULL && info->opcode == word >> 24)
            return true;
    }
    return false;
}

// In the stream a Tensix word stands turned by two bits, the lowest of which are not both set
// (PushTensixInstruction.md).
static bool is_tensix(uint32_t instruction)
{
    return (instruction & 3) != 3;
}

static uint32_t tensix_word(uint32_t instruction)
{
    return instruction >> 2 | instruction << 30;
}

static uint32_t offset_of(uint32_t instruction, bool store)
{
    uint32_t bits = store ? (instruction >> 25 << 5 | (instruction >> 7 & 31)) : instruction >> 20;

    return (bits ^ 0x800) - 0x800;
}

static bool lies_in(const tsr_memory_info *memory, int core, uint32_t address)
{
    return (memory->cores >> core & 1) != 0 && address - memory->base < memory->size;
}

// ---------------------------------------------------------------- the list

static void add(struct watch *watch, const struct step_place *place)
{
    struct step_places *places = watch->places;

    for (int i = 0; i < places->count; i++)
        if (places->list[i].core == place->core && places->list[i].pc == place->pc) {
            places->list[i].value = place->value;
            return;
        }
    if (places->count < MAX_STEP_PLACES)
        places->list[places->count++] = *place;
    else
        watch->full = true;
}

// Adjacent words may go in one step of the core.
static void add_stream(struct watch *watch, int core, uint32_t pc)
{
    struct step_place place = {.kind = STEP_IN_STREAM, .core = core, .pc = pc};

    while (tsr_l1_read(watch->tile, place.pc, &place.instruction, 4) == TSR_OK &&
           is_tensix(place.instruction)) {
        place.word = tensix_word(place.instruction);
        if (is_step(watch->places->arch, place.word))
            add(watch, &place);
        place.pc += 4;
    }
}

// A core was at an instruction and has executed it.
static void look(struct watch *watch, int core, const tsr_core_state *after)
{
    const tsr_core_state *before = &watch->before[core];
    struct step_place place = {.core = core, .pc = before->pc};
    uint32_t bits;

    if (tsr_l1_read(watch->tile, before->pc, &bits, 4) != TSR_OK)
        return;
    place.instruction = bits;
    if (is_tensix(bits)) {
        add_stream(watch, core, before->pc);
        return;
    }
    bool store = (bits & OPCODE_MASK) == STORE_WORD;
    if (!store && (bits & OPCODE_MASK) != LOAD_WORD)
        return;
    uint32_t address = before->x[bits >> 15 & 31] + offset_of(bits, store);
    place.value = store ? before->x[bits >> 20 & 31] : after->x[bits >> 7 & 31];
    if (store && lies_in(&watch->push, core, address) &&
        is_step(watch->places->arch, place.value)) {
        place.kind = STEP_PUSHED;
        place.word = place.value;
    } else if (lies_in(&watch->semaphores, core, address)) {
        place.kind = store ? STEP_SEMAPHORE_STORE : STEP_SEMAPHORE_LOAD;
        place.word = (address - watch->semaphores.base) / 4;
    } else if (!store && lies_in(&watch->sync, core, address)) {
        place.kind = STEP_SYNC_LOAD;
    } else {
        return;
    }
    add(watch, &place);
}

static tsr_memory_info memory_named(tsr_arch arch, const char *name)
{
    tsr_memory_info info;

    for (int i = 0; tsr_memory_at(arch, i, &info) == TSR_OK; i++)
        if (strcmp(info.name, name) == 0)
            return info;
    return (tsr_memory_info){0};
}

static void run(struct watch *watch, uint64_t cycles, bool (*stop)(void))
{
    tsr_limits limits = tsr_limits_default();
    tsr_end end = TSR_END_TIMEOUT;

    limits.max_cycles = 1;
    for (int i = 0; i < CORE_COUNT; i++)
        tsr_view_core(watch->tile, (tsr_core)i, &watch->before[i]);
    while (end == TSR_END_TIMEOUT && tsr_cycle(watch->tile) < cycles && !stop()) {
        end = tsr_run(watch->tile, &limits);
        for (int i = 0; i < CORE_COUNT; i++) {
            tsr_core_state after;
            if (watch->job->paths[i] == NULL ||
                tsr_view_core(watch->tile, (tsr_core)i, &after) != TSR_OK)
                continue;
            if (after.retired > watch->before[i].retired)
                look(watch, i, &after);
            watch->before[i] = after;
        }
    }
}

static int compare(const void *left, const void *right)
{
    const struct step_place *one = left, *other = right;

    if (one->core != other->core)
        return one->core < other->core ? -1 : 1;
    return one->pc < other->pc ? -1 : one->pc > other->pc;
}

bool step_places_find(struct step_places *places, struct core_job *job,
                      const struct tile_choice *choice, uint64_t cycles, bool (*stop)(void),
                      struct message *why)
{
    struct tile_choice mine = *choice;
    tsr_arch arch = choice->options.arch;
    struct watch watch = {.places = places,
                          .job = job,
                          .push = memory_named(arch, "PUSH"),
                          .semaphores = memory_named(arch, "SEMAPHORES"),
                          .sync = memory_named(arch, "TTSYNC")};

    // With timing off a run goes by quanta.
    mine.options.timing = true;
    mine.options.schedule = TSR_SCHEDULE_CARD;
    mine.options.find_races = false;
    places->arch = arch;
    places->count = 0;
    watch.tile = make_tile(&mine, why);
    if (watch.tile == NULL)
        return false;
    bool ok = core_job_begin(job, watch.tile, why);
    if (ok)
        run(&watch, cycles, stop);
    tsr_tile_destroy(watch.tile);
    qsort(places->list, (size_t)places->count, sizeof places->list[0], compare);
    if (ok && watch.full) {
        message_set(why, "--deletions: the programs have more than %d places", MAX_STEP_PLACES);
        why->status = STATUS_LACKING;
    }
    return ok && !watch.full;
}

// ---------------------------------------------------------------- one place

void step_place_text(const struct step_places *places, const struct step_place *place, char *text,
                     size_t size)
{
    switch (place->kind) {
    case STEP_IN_STREAM:
    case STEP_PUSHED:
        tsr_disassemble(places->arch, place->word, text, size);
        return;
    case STEP_SEMAPHORE_STORE:
        snprintf(text, size, "%s of semaphore %" PRIu32, place->value & 1 ? "a get" : "a post",
                 place->word);
        return;
    case STEP_SEMAPHORE_LOAD:
        snprintf(text, size, "a load of semaphore %" PRIu32, place->word);
        return;
    case STEP_SYNC_LOAD:
        snprintf(text, size, "a load of TTSync");
    }
}

uint32_t step_place_removed(const struct step_place *place)
{
    enum { ADDI = 0x13, IMMEDIATE_END = 0x800 };
    uint32_t target = place->instruction & 0xf80;

    switch (place->kind) {
    case STEP_IN_STREAM:
        return 0x02000000u << 2; // NOP
    case STEP_PUSHED:
    case STEP_SEMAPHORE_STORE:
        return ADDI; // of nothing to x0
    case STEP_SEMAPHORE_LOAD:
    case STEP_SYNC_LOAD:
        return place->value < IMMEDIATE_END ? place->value << 20 | target | ADDI : 0;
    }
    return 0;
}
