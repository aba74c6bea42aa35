// SPDX-License-Identifier: Apache-2.0
// Words for who touched a semaphore or a mutex last. Page: SyncUnit.md.
#include "state/sync_rules.h"

#include <stdio.h>

void tsr_origin_text(const struct tsr_env *env, struct tsr_origin origin, char *text, size_t size)
{
    static const char *const cores[] = {"B", "T0", "T1", "T2", "NC"};
    char instruction[TSR_INSTRUCTION_TEXT];
    switch (origin.kind) {
    case TSR_ORIGIN_THREAD:
        tsr_disassemble(env->chip->arch, origin.word, instruction, sizeof instruction);
        snprintf(text, size, "T%u's %s (instruction %llu)", origin.which, instruction,
                 (unsigned long long)origin.sequence);
        break;
    case TSR_ORIGIN_CORE:
        snprintf(text, size, "core %s's store", origin.which < 5 ? cores[origin.which] : "?");
        break;
    default:
        snprintf(text, size, "none yet");
        break;
    }
}
