// SPDX-License-Identifier: Apache-2.0
// Which wait would order two accesses, in words that a program can take over.
// Pages: STALLWAIT.md of each chip, SEMWAIT.md, SEMPOST.md, BackendConfiguration.md.
#include "observe/race_state.h"

#include <stdio.h>
#include <string.h>

// The constant for stall_res that blocks `op`, the one that names the fewest units. False: there is
// none.
static bool find_block(const struct tsr_isa *isa, enum tsr_op op, tsr_constant_info *best)
{
    tsr_constant_info constant;
    bool found = false;
    for (int i = 0; tsr_constant_at(isa->arch, i, &constant) == TSR_OK; i++) {
        if (strcmp(constant.operand, "stall_res") != 0 || !tsr_blocked(isa, op, constant.value))
            continue;
        *best = constant; // the later ones name fewer units
        found = true;
    }
    return found;
}

static uint32_t conditions_of(const struct tsr_isa *isa, unsigned unit)
{
    static const uint8_t first[TSR_UNIT_COUNT] = {
        [TSR_UNIT_UNPACKER0] = CONDITION_UNPACKER0,  [TSR_UNIT_UNPACKER1] = CONDITION_UNPACKER1,
        [TSR_UNIT_MATRIX] = CONDITION_MATRIX,        [TSR_UNIT_PACKER] = CONDITION_PACKER0,
        [TSR_UNIT_SCALAR] = CONDITION_SCALAR_MEMORY, [TSR_UNIT_VECTOR] = CONDITION_VECTOR,
        [TSR_UNIT_MOVER] = CONDITION_MOVER,          [TSR_UNIT_CONFIG] = CONDITION_CONFIG};
    unsigned last = unit == TSR_UNIT_PACKER ? CONDITION_PACKER3 : first[unit];
    uint32_t mask = 0;
    for (unsigned condition = first[unit]; condition <= last; condition++)
        if (isa->condition_bit[condition] != CONDITION_ABSENT)
            mask |= 1u << isa->condition_bit[condition];
    return mask;
}

static const char *condition_name(const struct tsr_isa *isa, uint32_t mask,
                                  tsr_constant_info *constant)
{
    for (int i = 0; tsr_constant_at(isa->arch, i, constant) == TSR_OK; i++)
        if (strcmp(constant->operand, "wait_res") == 0 && constant->value == mask)
            return constant->name;
    return NULL;
}

// "STALLWAIT stall_res=… wait_res=…", for a block of `op`.
static void stall_text(const struct tsr_isa *isa, enum tsr_op op, uint32_t conditions, char *text,
                       size_t size)
{
    tsr_constant_info block, condition;
    const char *name = condition_name(isa, conditions, &condition);
    text[0] = 0;
    if (find_block(isa, op, &block) && name)
        snprintf(text, size, "STALLWAIT stall_res=%s wait_res=%s", block.name, name);
}

// ---------------------------------------------------------------- semaphores

// A post or get of the earlier one's thread behind it.
struct step_found {
    bool there, get;
    unsigned semaphore;
    uint32_t count; // of the thread
    const struct tsr_race_step *step;
};

static void look_at(const struct tsr_race_step *step, bool get, unsigned semaphore,
                    const struct tsr_race_place *earlier, struct step_found *best)
{
    if (step->agent == RACE_THREAD + (unsigned)earlier->thread && step->count > earlier->sequence &&
        (!best->there || step->count < best->count))
        *best = (struct step_found){true, get, semaphore, step->count, step};
}

// The first that the later one knows of.
static struct step_found known_step(const struct tsr_race_record *record,
                                    const struct tsr_race_place *earlier)
{
    struct step_found best = {0};
    uint32_t known = record->actor.clock->at[RACE_THREAD + (unsigned)earlier->thread];
    for (unsigned i = 0; i < RACE_SEMAPHORES; i++) {
        const struct tsr_race_semaphore *semaphore = &record->semaphore[i];
        for (unsigned k = 0; k < RACE_STEPS; k++) {
            if (semaphore->post[k].count <= known)
                look_at(&semaphore->post[k], false, i, earlier, &best);
            if (semaphore->get[k].count <= known)
                look_at(&semaphore->get[k], true, i, earlier, &best);
        }
    }
    return best;
}

// The step that a SEMWAIT of the later one's would come after, in this run.
static struct step_found step_to_wait_for(const struct tsr_race_record *record,
                                          const struct tsr_race_place *earlier)
{
    struct step_found best = {0};
    for (unsigned i = 0; i < RACE_SEMAPHORES; i++) {
        int64_t post, get;
        const struct tsr_race_semaphore *semaphore = &record->semaphore[i];
        tsr_race_next_steps(record, semaphore, &post, &get);
        if (post >= 1 && post <= semaphore->posts && semaphore->posts - post < RACE_STEPS)
            look_at(&semaphore->post[post % RACE_STEPS], false, i, earlier, &best);
        if (get >= 1 && get <= semaphore->gets && semaphore->gets - get < RACE_STEPS)
            look_at(&semaphore->get[get % RACE_STEPS], true, i, earlier, &best);
    }
    return best;
}

// One that the program has initialised, and whose next post has not come yet in this run.
static struct step_found step_to_come(const struct tsr_race_record *record)
{
    struct step_found found = {0};
    for (unsigned i = RACE_SEMAPHORES; i-- > 0;) {
        int64_t post, get;
        const struct tsr_race_semaphore *semaphore = &record->semaphore[i];
        tsr_race_next_steps(record, semaphore, &post, &get);
        if (semaphore->max > 0 && post > semaphore->posts)
            found = (struct step_found){.there = true, .semaphore = i};
    }
    return found;
}

static unsigned unused_semaphore(const struct tsr_race_record *record)
{
    for (unsigned i = 0; i < RACE_SEMAPHORES; i++)
        if (record->semaphore[i].posts + record->semaphore[i].gets + record->semaphore[i].max == 0)
            return i;
    return RACE_SEMAPHORES - 1;
}

// ---------------------------------------------------------------- two threads

// The later one waits for a step that is there. `stall`: what the step has to wait for, or empty.
static void wait_for_step(const struct tsr_race_record *record, struct tsr_race_found *race,
                          const struct step_found *step, bool enough, const char *stall)
{
    const struct tsr_isa *isa = record->setup.isa;
    const struct tsr_race_place *earlier = &race->earlier, *later = &race->later;
    const char *name = step->get ? "SEMGET" : "SEMPOST";
    unsigned mask = 1u << step->semaphore;
    char first[260] = "";
    tsr_constant_info block = {.name = "p_stall.STALL_SYNC"};
    if (!enough && stall[0])
        snprintf(first, sizeof first, "%s (thread %d, before its %s sem_sel=%u); ", stall,
                 earlier->thread, name, mask);
    find_block(isa, tsr_op_of(isa, later->word), &block);
    snprintf(race->wait, sizeof race->wait,
             "%sSEMWAIT stall_res=%s wait_sem_cond=p_stall.%s sem_sel=%u (thread %d, before its "
             "%s)",
             first, block.name, step->get ? "STALL_ON_MAX" : "STALL_ON_ZERO", mask, later->thread,
             tsr_op_name(tsr_op_of(isa, later->word)));
}

// Nothing is there: a semaphore that nobody uses.
static void wait_for_new_step(const struct tsr_race_record *record, struct tsr_race_found *race,
                              const char *stall)
{
    const struct tsr_isa *isa = record->setup.isa;
    const struct tsr_race_place *earlier = &race->earlier, *later = &race->later;
    unsigned mask = 1u << unused_semaphore(record);
    char post[220], block[90] = "p_stall.STALL_SYNC";
    tsr_constant_info constant;
    snprintf(post, sizeof post, "%s%sSEMPOST sem_sel=%u (thread %d, behind its %s)", stall,
             stall[0] ? "; " : "", mask, earlier->thread,
             earlier->word ? tsr_op_name(tsr_op_of(isa, earlier->word)) : "MOP");
    if (later->thread < 0) {
        snprintf(race->wait, sizeof race->wait,
                 "%s; a load of semaphore %u that finds it (core %d)", post,
                 unused_semaphore(record), later->core);
        return;
    }
    if (find_block(isa, tsr_op_of(isa, later->word), &constant) &&
        strcmp(constant.name, block) != 0)
        snprintf(block, sizeof block, "%s|p_stall.STALL_SYNC", constant.name);
    snprintf(race->wait, sizeof race->wait,
             "%s; SEMWAIT stall_res=%s wait_sem_cond=p_stall.STALL_ON_ZERO sem_sel=%u; SEMGET "
             "sem_sel=%u (thread %d, before its %s)",
             post, block, mask, mask, later->thread, tsr_op_name(tsr_op_of(isa, later->word)));
}

static void between_threads(struct tsr_race_record *record, struct tsr_race_found *race,
                            const struct tsr_race_entry *earlier_entry,
                            const struct tsr_race_entry *later_entry)
{
    const struct tsr_isa *isa = record->setup.isa;
    const struct tsr_race_place *earlier = &race->earlier, *later = &race->later;
    char stall[160] = "";
    struct tsr_race_clock *clock = record->actor.clock, with;
    uint32_t known = clock->at[RACE_THREAD + (unsigned)earlier->thread];
    if (earlier->unit < TSR_UNIT_COUNT && race->storage != TSR_RACE_LREG) // one unit, in order
        stall_text(isa, OP_SEMPOST, conditions_of(isa, earlier->unit), stall, sizeof stall);
    struct step_found step = known_step(record, earlier);
    if (stall[0] && earlier_entry->agent < RACE_CORE && known >= earlier_entry->count &&
        step.there) {
        snprintf(race->wait, sizeof race->wait, "%s (thread %d, before its %s sem_sel=%u)", stall,
                 earlier->thread, step.get ? "SEMGET" : "SEMPOST", 1u << step.semaphore);
        return;
    }
    step = step_to_wait_for(record, earlier);
    if (!step.there)
        step = step_to_come(record);
    if (!step.there || later->thread < 0) {
        wait_for_new_step(record, race, stall);
        return;
    }
    if (!step.step) {
        wait_for_step(record, race, &step, true, stall);
        return;
    }
    with = *clock;
    tsr_race_join(&with, &step.step->clock);
    tsr_race_raise(&with, step.step->agent, step.step->count);
    record->actor.clock = &with;
    bool enough = tsr_race_comes_before(record, race->storage, earlier_entry, later_entry->agent,
                                        later_entry->write);
    record->actor.clock = clock;
    wait_for_step(record, race, &step, enough, stall);
}

// SETDVALID and the like hand a bank over without asking whether the matrix unit has given it back.
static bool free_bank_wait(const struct tsr_race_record *record, struct tsr_race_found *race)
{
    const struct tsr_isa *isa = record->setup.isa;
    static const enum tsr_condition conditions[2] = {CONDITION_SRCA_UNPACKER,
                                                     CONDITION_SRCB_UNPACKER};
    const struct tsr_race_place *later = &race->later;
    char stall[160];
    if (race->storage != TSR_RACE_SRC || race->earlier.unit != TSR_UNIT_MATRIX ||
        race->earlier.write || later->thread < 0 || !later->write)
        return false;
    stall_text(isa, tsr_op_of(isa, later->word),
               1u << isa->condition_bit[conditions[race->cell / 2]], stall, sizeof stall);
    if (stall[0])
        snprintf(race->wait, sizeof race->wait, "%s (thread %d, before its %s)", stall,
                 later->thread, tsr_op_name(tsr_op_of(isa, later->word)));
    return stall[0] != 0;
}

// MOVD2A and the like take a bank of Src without asking whether the unpacker has handed it over:
// the text of the wait that asks. False: it is not those two.
static bool bank_wait(const struct tsr_race_record *record, struct tsr_race_found *race)
{
    const struct tsr_isa *isa = record->setup.isa;
    static const enum tsr_condition conditions[2] = {CONDITION_SRCA_MATRIX, CONDITION_SRCB_MATRIX};
    const struct tsr_race_place *matrix =
        race->later.unit == TSR_UNIT_MATRIX ? &race->later : &race->earlier;
    const struct tsr_race_place *other = matrix == &race->later ? &race->earlier : &race->later;
    enum tsr_op op = tsr_op_of(isa, matrix->word);
    char stall[160];
    if (race->storage != TSR_RACE_SRC || race->kind == TSR_RACE_RELIED_SRC ||
        matrix->unit != TSR_UNIT_MATRIX || matrix->thread < 0 || other->thread < 0 ||
        other->unit > TSR_UNIT_UNPACKER1)
        return false;
    // It has asked, and SETDVALID had handed the bank over before the unpacker was done.
    const struct tsr_race_clock *over = &record->handed_over[race->cell / 2][race->cell % 2];
    unsigned thread = RACE_THREAD + (unsigned)other->thread;
    if (other == &race->earlier && over->at[thread] > other->sequence &&
        record->actor.clock->at[thread] > other->sequence) {
        stall_text(isa, OP_SETDVALID, conditions_of(isa, other->unit), stall, sizeof stall);
        snprintf(race->wait, sizeof race->wait, "%s (thread %d, before its SETDVALID)", stall,
                 other->thread);
        return stall[0] != 0;
    }
    stall_text(isa, op, 1u << isa->condition_bit[conditions[race->cell / 2]], stall, sizeof stall);
    if (stall[0])
        snprintf(race->wait, sizeof race->wait, "%s (thread %d, before its %s)", stall,
                 matrix->thread, tsr_op_name(op));
    return stall[0] != 0;
}

void tsr_race_wait_text(struct tsr_race_record *record, struct tsr_race_found *race,
                        const struct tsr_race_entry *earlier_entry,
                        const struct tsr_race_entry *later_entry)
{
    const struct tsr_isa *isa = record->setup.isa;
    const struct tsr_race_place *earlier = &race->earlier, *later = &race->later;
    bool outside = race->storage == TSR_RACE_GPR || race->storage == TSR_RACE_CONFIG;
    if (free_bank_wait(record, race) || bank_wait(record, race))
        return;
    if (earlier->thread < 0 && later->thread >= 0 && outside)
        stall_text(isa, tsr_op_of(isa, later->word),
                   1u << isa->condition_bit[CONDITION_CORE_REQUEST], race->wait, sizeof race->wait);
    else if (earlier->thread >= 0 && earlier->thread == later->thread &&
             earlier->unit < TSR_UNIT_COUNT)
        stall_text(isa, tsr_op_of(isa, later->word), conditions_of(isa, earlier->unit), race->wait,
                   sizeof race->wait);
    else if (earlier->thread >= 0)
        between_threads(record, race, earlier_entry, later_entry);
    else
        snprintf(race->wait, sizeof race->wait,
                 "a semaphore, a mailbox or a flag in L1 that the %s waits for",
                 later->thread >= 0 ? "core waits to be set before it pushes the instruction, and "
                                      "which the other"
                                    : "later core");
    if (race->wait[0] == 0)
        snprintf(race->wait, sizeof race->wait, "a STALLWAIT or a semaphore between the two");
}
