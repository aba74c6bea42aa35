// SPDX-License-Identifier: Apache-2.0
// Which wait would order two accesses, in words that a program can take over.
// Pages: STALLWAIT.md of each chip, SEMWAIT.md, SEMPOST.md, BackendConfiguration.md.
#include "observe/race_state.h"

#include <stdio.h>
#include <string.h>

// The name for the value of an operand of a wait: of those that `fits` accepts the narrowest.
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

static void between_threads(const struct tsr_isa *isa, struct tsr_race_found *race, bool accepted)
{
    const struct tsr_race_place *earlier = &race->earlier, *later = &race->later;
    char stall[160] = "", block[80] = "";
    tsr_constant_info constant;
    if (earlier->unit < TSR_UNIT_COUNT && race->storage != TSR_RACE_LREG) // one unit, in order
        stall_text(isa, OP_SEMPOST, conditions_of(isa, earlier->unit), stall, sizeof stall);
    if (accepted && stall[0]) {
        snprintf(race->wait, sizeof race->wait,
                 "%s (thread %d, before the SEMPOST or SEMGET that "
                 "thread %d waits for)",
                 stall, earlier->thread, later->thread);
        return;
    }
    if (later->thread >= 0 && find_block(isa, tsr_op_of(isa, later->word), &constant))
        snprintf(block, sizeof block, " stall_res=%s", constant.name);
    snprintf(race->wait, sizeof race->wait,
             "%s%sSEMPOST (thread %d); SEMWAIT wait_sem_cond=p_stall.STALL_ON_ZERO%s (%s %d)",
             stall, stall[0] ? ", " : "", earlier->thread, block,
             later->thread >= 0 ? "thread" : "or a load of the semaphore: core",
             later->thread >= 0 ? later->thread : later->core);
}

void tsr_race_wait_text(const struct tsr_race_record *record, struct tsr_race_found *race,
                        bool accepted_before)
{
    const struct tsr_isa *isa = record->setup.isa;
    const struct tsr_race_place *earlier = &race->earlier, *later = &race->later;
    bool outside = race->storage == TSR_RACE_GPR || race->storage == TSR_RACE_CONFIG;
    if (earlier->thread < 0 && later->thread >= 0 && outside)
        stall_text(isa, tsr_op_of(isa, later->word),
                   1u << isa->condition_bit[CONDITION_CORE_REQUEST], race->wait, sizeof race->wait);
    else if (earlier->thread >= 0 && earlier->thread == later->thread &&
             earlier->unit < TSR_UNIT_COUNT)
        stall_text(isa, tsr_op_of(isa, later->word), conditions_of(isa, earlier->unit), race->wait,
                   sizeof race->wait);
    else if (earlier->thread >= 0)
        between_threads(isa, race, accepted_before);
    else
        snprintf(race->wait, sizeof race->wait,
                 "a semaphore, a mailbox or a flag in L1 that the %s waits for",
                 later->thread >= 0 ? "core waits to be set before it pushes the instruction, and "
                                      "which the other"
                                    : "later core");
    if (race->wait[0] == 0)
        snprintf(race->wait, sizeof race->wait, "a STALLWAIT or a semaphore between the two");
}
