// SPDX-License-Identifier: Apache-2.0
// What can be wrong with any access, whatever it is for: the address is not aligned, nothing is
// mapped there, or its register is unimplemented. The sentences of these findings are here, too.
// Page: BabyRISCV/README.md of each chip.
#include "tile/access.h"

const char *tsr_access_who(const struct tsr_access *access)
{
    static const char *const who[] = {"Core B", "Core T0", "Core T1", "Core T2", "Core NC"};
    static const char *const instructions[] = {
        "An instruction of thread 0", "An instruction of thread 1", "An instruction of thread 2"};
    if (access->agent == TSR_AGENT_HOST)
        return "The host";
    return access->agent <= TSR_CORE_NC ? who[access->agent] : instructions[access->thread];
}

tsr_status tsr_access_hangs(struct tsr_access *access, const char *why)
{
    TSR_ACCESS_REPORT(access, FINDING_UNMAPPED_ADDRESS, "%s %s %d bytes at 0x%08x, %s.",
                      tsr_access_who(access), access->store ? "stores" : "loads", access->width,
                      (unsigned)access->address, why);
    return access->env->findings->stopped ? TSR_STOPPED : TSR_UNMAPPED;
}

tsr_status tsr_access_unmapped(struct tsr_access *access)
{
    return tsr_access_hangs(access, "where nothing is mapped for it; a core on silicon would hang");
}

tsr_status tsr_access_unimplemented(struct tsr_access *access, const char *what)
{
    TSR_ACCESS_REPORT(access, FINDING_UNIMPLEMENTED_MODE,
                      "Access to %s at 0x%08x is unimplemented.", what, (unsigned)access->address);
    return access->env->findings->stopped ? TSR_STOPPED : TSR_UNIMPLEMENTED;
}

void tsr_access_align(struct tsr_access *access)
{
    uint32_t rest = access->address & ((uint32_t)access->width - 1); // of 1, 2 or 4
    if (rest == 0)
        return;
    TSR_ACCESS_REPORT(access, FINDING_UNALIGNED_ACCESS,
                      "%s %s %d bytes at 0x%08x, which is rounded down to 0x%08x.",
                      tsr_access_who(access), access->store ? "stores" : "loads", access->width,
                      (unsigned)access->address, (unsigned)(access->address - rest));
    access->address -= rest;
}
