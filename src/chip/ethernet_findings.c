// SPDX-License-Identifier: Apache-2.0
// Findings of an Ethernet tile's cores, with the core and its program counter where one is to
// blame. Page: EthernetTile/BabyRISCV/README.md of each chip.
#include "chip/ethernet_findings.h"

#include "chip/ethernet_registers.h"

#include <stdio.h>

enum { SENTENCE = 200 };

bool tsr_ethernet_core_report(struct tsr_ethernet *tile, unsigned core, bool has_pc, uint32_t at,
                              uint64_t cycle, enum tsr_finding code, const char *sentence)
{
    bool known = core < TSR_ETHERNET_CORES;
    const struct tsr_finding_about about = {
        .thread = -1,
        .core = known ? (int)tsr_ethernet_core_name(tile->arch, core) : -1,
        .has_pc = has_pc,
        .at = at};
    tsr_diagnostic *out = tsr_findings_add(&tile->findings, code, &about);
    if (out) {
        out->cycle = cycle;
        snprintf(out->sentence, sizeof out->sentence, "%s", sentence);
    }
    bool stops = tile->findings.action[code] == TSR_ACTION_STOP;
    tile->findings.stopped |= stops;
    return !stops;
}

bool tsr_ethernet_report_iram(struct tsr_ethernet *tile, unsigned core, const char *why)
{
    char text[SENTENCE];
    bool known = core < TSR_ETHERNET_CORES;
    snprintf(text, sizeof text, "The instruction RAM is loaded %s.", why);
    return tsr_ethernet_core_report(tile, core, known, known ? tile->core[core].hart.pc : 0,
                                    tile->now, FINDING_IRAM_LOAD, text);
}
