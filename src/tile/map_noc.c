// SPDX-License-Identifier: Apache-2.0
// A core's accesses to NoC interfaces and NoC overlay. The chip around the tile answers them, by
// the port that it has attached; for a tile without a chip they are unimplemented.
// Pages: BabyRISCV/README.md, NoC/MemoryMap.md of each chip.
#include "tile/map_noc.h"

#include "state/races.h"

tsr_status tsr_access_noc(struct tsr_access *access, int unit)
{
    enum { STREAM_BYTES = 0x1000 };
    static const enum tsr_region_id regions[] = {REGION_NOC0, REGION_NOC1, REGION_NOC_OVERLAY};
    static const char *const names[] = {"a register of the interface to NoC 0 that is not there",
                                        "a register of the interface to NoC 1 that is not there",
                                        "a register of the NoC overlay that is not there"};
    struct tsr_env *env = access->env;
    const struct tsr_noc_port *port = &env->noc;
    if (!port->self)
        return tsr_access_unimplemented(access, env->isa->region[regions[unit]].name);
    struct tsr_noc_access at = {.unit = unit,
                                .agent = access->agent,
                                .offset = access->offset,
                                .value = access->value,
                                .has_pc = env->core_has_pc,
                                .at = env->core_at,
                                .now = tsr_now(env)};
    tsr_status status;
    for (;;) {
        status = access->store ? port->store(port->self, &at) : port->load(port->self, &at);
        if (status != TSR_BUSY || at.finding < 0)
            break;
        if (TSR_ACCESS_REPORT(access, (enum tsr_finding)at.finding, "%s", at.sentence) == TSR_HALT)
            return TSR_STOPPED;
        at.reported++;
    }
    if (status == TSR_UNMAPPED)
        return tsr_access_unimplemented(access, names[unit]);
    access->value = at.value;
    if (unit == TSR_NOC_OVERLAY)
        tsr_race_sync(env, access->store ? TSR_RACE_STREAM_STORE : TSR_RACE_STREAM_LOAD,
                      access->offset / STREAM_BYTES, access->offset % STREAM_BYTES / 4,
                      access->value);
    return status == TSR_OK ? tsr_access_status(access) : status;
}
