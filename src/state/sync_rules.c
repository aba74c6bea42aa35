// SPDX-License-Identifier: Apache-2.0
// Words for who touched a semaphore or a mutex last. Page: SyncUnit.md.
#include "state/sync_rules.h"

#include <stdio.h>

void tsr_site_text(const struct tsr_env *env, struct tsr_site site, char *text, size_t size)
{
    static const char *const cores[] = {"B", "T0", "T1", "T2", "NC"};
    char instruction[TSR_INSTRUCTION_TEXT];
    switch (site.kind) {
    case TSR_SITE_THREAD:
        tsr_disassemble(env->chip->arch, site.word, instruction, sizeof instruction);
        snprintf(text, size, "T%u's %s (instruction %llu)", site.which, instruction,
                 (unsigned long long)site.sequence);
        break;
    case TSR_SITE_CORE:
        snprintf(text, size, "core %s's store", site.which < 5 ? cores[site.which] : "?");
        break;
    default:
        snprintf(text, size, "none yet");
        break;
    }
}
