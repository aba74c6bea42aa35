// SPDX-License-Identifier: Apache-2.0
// What the environment says about a simulator that a host loads.
#ifndef TTSIM_ENVIRONMENT_H
#define TTSIM_ENVIRONMENT_H

#include <tessera/chip.h>

#include <stdio.h>

struct ttsim_environment {
    tsr_chip_options options;
    bool exits;             // TESSERA_ON_FINDING=exit
    uint32_t access_cycles; // TESSERA_ACCESS_CYCLES: of a host's access
    FILE *findings;         // TESSERA_FINDINGS; NULL: none
    FILE *waits;            // TESSERA_WAITS; NULL: none
    FILE *trace;            // TESSERA_TRACE; NULL: none
    const char *policy;     // the exceptions of TESSERA_POLICY; NULL: none
    unsigned chips;         // TESSERA_CHIPS, at most TSR_CHIP_DEVICES
    const char *links;      // TESSERA_LINKS; NULL: none
};

// What it refuses it says in one sentence on stderr, and goes on without.
struct ttsim_environment ttsim_environment_read(tsr_arch arch);
// The exceptions of TESSERA_POLICY, CODE=ACTION with commas between them. What is none is said on
// stderr if `says`: of the first chip alone.
void ttsim_environment_apply(const struct ttsim_environment *environment, tsr_chip *chip,
                             bool says);
// Connects the Ethernet tiles that TESSERA_LINKS names. `group`, for each chip: the first one that
// it is connected with, directly or through others; itself, if with none before it.
void ttsim_environment_link(const struct ttsim_environment *environment, tsr_chip *const *chips,
                            unsigned *group);
void ttsim_environment_close(struct ttsim_environment *environment);

#endif
