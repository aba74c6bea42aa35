// SPDX-License-Identifier: Apache-2.0
// What exists once and threads alone access, in the order of their instructions: ADCs, which an
// instruction may name of another thread, and the vector unit's registers, flags and configuration.
// Each thread's last access says all about those before it.
// Pages: ADCs.md, SETADC.md, UNPACR_Regular.md, PACR.md, LReg.md, SFPCONFIG.md.
#include "observe/race_state.h"

// The last accesses of another thread, of one kind.
static void check_thread(struct tsr_race_record *record, enum tsr_race_storage storage,
                         uint32_t index, const struct tsr_race_shared *cell, unsigned thread,
                         bool wrote, const struct tsr_race_entry *fresh)
{
    for (uint32_t left = fresh->mask; left != 0; left &= left - 1) {
        unsigned part = (unsigned)__builtin_ctz(left);
        struct tsr_race_entry old = {
            .agent =
                (uint8_t)(storage == TSR_RACE_LREG ? tsr_race_unit_agent(TSR_UNIT_VECTOR, thread)
                                                   : RACE_THREAD + thread),
            .write = wrote,
            .mask = 1u << part,
            .count = cell->last[wrote][thread][part]};
        if (old.count != 0 &&
            !tsr_race_comes_before(record, storage, &old, fresh->agent, fresh->write))
            tsr_race_tell(record, wrote && fresh->write ? TSR_RACE_WRITES : TSR_RACE_READ_WRITE,
                          storage, index, old.mask, &old, fresh);
    }
}

void tsr_race_share(struct tsr_race_record *record, enum tsr_race_storage storage, uint32_t index,
                    const struct tsr_race_entry *fresh)
{
    unsigned own = record->actor.thread;
    index = storage == TSR_RACE_LREG ? RACE_SHARED - 1 : index;
    struct tsr_race_shared *cell = &record->shared[index];
    if (record->actor.is_core)
        return;
    for (unsigned thread = 0; cell->users & ~(1u << own) && thread < TSR_THREADS; thread++) {
        if (thread == own || !(cell->users >> thread & 1))
            continue;
        check_thread(record, storage, index, cell, thread, true, fresh);
        if (fresh->write)
            check_thread(record, storage, index, cell, thread, false, fresh);
    }
    cell->users |= (uint8_t)(1u << own);
    for (uint32_t left = fresh->mask; left != 0; left &= left - 1)
        cell->last[fresh->write][own][__builtin_ctz(left)] = fresh->count;
}
