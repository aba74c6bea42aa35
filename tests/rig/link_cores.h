// SPDX-License-Identifier: Apache-2.0
// Programs on the first cores of two linked Ethernet tiles, whose chips have host threads.
// Pages: EthernetTile/BabyRISCV/README.md of each chip.
#ifndef TESSERA_TESTS_RIG_LINK_CORES_H
#define TESSERA_TESTS_RIG_LINK_CORES_H

#include "rig/core_rig.h"
#include "rig/link_rig.h"

// As pair_with(), without losses.
static inline struct pair pair_on_threads(int arch, bool timing, unsigned threads)
{
    tsr_chip_options options = tsr_chip_options_default((tsr_arch)arch);
    options.tile.timing = timing;
    options.threads = threads;
    options.threads_always = true;
    tsr_chip *one = NULL, *other = NULL;
    assert_int_equal(tsr_chip_create(&options, &one), TSR_OK);
    assert_int_equal(tsr_chip_create(&options, &other), TSR_OK);
    assert_int_equal(tsr_chip_connect(one, 8, other, 0, NULL), TSR_OK);
    return (struct pair){end_of(one, 8), end_of(other, 0)};
}

// Puts the program into L1, where the core begins, and lets it go.
static inline void start_core(struct end end, const struct code *code)
{
    assert_int_equal(
        tsr_chip_write(end.chip, end.x, end.y, code->first, code->words, code->at - code->first),
        TSR_OK);
    if (tsr_chip_arch(end.chip) == TSR_WORMHOLE_B0)
        store(end, 0, rv_jal(ZERO, (int32_t)code->first));
    else
        store(end, 0xffb14000u, code->first);
    store(end, AT_SOFT_RESET, load(end, AT_SOFT_RESET) & ~0x800u);
}

#endif
