// SPDX-License-Identifier: Apache-2.0
// The tables of niu_layout.h, one for each chip.
// Pages: NoC/MemoryMap.md, NoC/Counters.md of each chip.
#include "chip/niu_layout.h"

static const struct tsr_niu_layout wormhole_b0 = {
    .fact =
        {
#define NOC_FACT(name, wh, bh) [NOC_##name] = (wh),
#include "machine/noc_registers.def"
        },
    .initiator =
        {
#define NOC_INITIATOR(name, wh, bh) [name] = (wh),
#include "machine/noc_registers.def"
        },
    .config =
        {
#define NOC_CONFIG(name, wh, bh) [name] = (wh),
#include "machine/noc_registers.def"
        },
    .cost =
        {
#define NOC_COST(name, wh, bh, source) [NOC_COST_##name] = (wh),
#include "machine/noc_timing.def"
        },
};

static const struct tsr_niu_layout blackhole_a0 = {
    .fact =
        {
#define NOC_FACT(name, wh, bh) [NOC_##name] = (bh),
#include "machine/noc_registers.def"
        },
    .initiator =
        {
#define NOC_INITIATOR(name, wh, bh) [name] = (bh),
#include "machine/noc_registers.def"
        },
    .config =
        {
#define NOC_CONFIG(name, wh, bh) [name] = (bh),
#include "machine/noc_registers.def"
        },
    .cost =
        {
#define NOC_COST(name, wh, bh, source) [NOC_COST_##name] = (bh),
#include "machine/noc_timing.def"
        },
};

const struct tsr_niu_layout *tsr_niu_layout(tsr_arch arch)
{
    return arch == TSR_WORMHOLE_B0 ? &wormhole_b0 : &blackhole_a0;
}
