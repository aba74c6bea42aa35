// SPDX-License-Identifier: Apache-2.0
// A chip with programs on the cores of Ethernet tiles, which a host puts there and lets go.
// Pages: EthernetTile/BabyRISCV/README.md of each chip, WormholeB0/EthernetTile/SoftReset.md.
#ifndef TESSERA_TESTS_RIG_ETHERNET_RIG_H
#define TESSERA_TESTS_RIG_ETHERNET_RIG_H

#include "rig/core_rig.h"
#include "rig/noc_rig.h"

enum { CODE = 0x9040, DATA = 0x18000, WORDS = 512, EBREAK = 0x100073 };
#define AT_RESET_PC 0xffb14000u
#define AT_IRAM 0xffc00000u
#define AT_TEST_SUM 0xffb94080u
#define AT_IRAM_LOAD 0xffb94098u
#define AT_WDT 0xffb121e0u

static const struct place tile_of[] = {{1, 0}, {1, 1}}, other_of[] = {{2, 0}, {2, 1}};

// As programs name it on NoC 1: on Blackhole by its translated coordinates.
static inline struct place named(int arch, struct place at)
{
    return arch == WH ? (struct place){9 - at.x, 11 - at.y}
                      : (struct place){at.x == 1 ? 20 : 22, 25};
}

static inline unsigned core_count(int arch)
{
    return arch == WH ? 1 : 2;
}

static inline tsr_core core_of(int arch, unsigned core)
{
    return arch == WH ? TSR_CORE_E : core == 0 ? TSR_CORE_E0 : TSR_CORE_E1;
}

static inline tsr_core_state view(tsr_chip *chip, struct place at, unsigned core)
{
    tsr_core_state state;
    assert_int_equal(
        tsr_chip_view_core(chip, at.x, at.y, core_of(tsr_chip_arch(chip), core), &state), TSR_OK);
    return state;
}

// Puts a program where the core begins: on Wormhole by a jump at 0.
static inline void put_program(tsr_chip *chip, struct place at, unsigned core,
                               const struct code *code)
{
    assert_int_equal(
        tsr_chip_write(chip, at.x, at.y, code->first, code->words, code->at - code->first), TSR_OK);
    if (tsr_chip_arch(chip) == TSR_WORMHOLE_B0)
        poke(chip, at, 0, rv_jal(ZERO, (int32_t)code->first));
    else
        poke(chip, at, AT_RESET_PC + 8 * core, code->first);
}

static inline void release(tsr_chip *chip, struct place at, unsigned core)
{
    uint32_t held = peek(chip, at, AT_SOFT_RESET);
    assert_true(held >> (11 + core) & 1);
    poke(chip, at, AT_SOFT_RESET, held & ~(UINT32_C(1) << (11 + core)));
}

// Ends the program, puts it there and lets the core go.
static inline void start_program(tsr_chip *chip, struct place at, unsigned core, struct code *code)
{
    code_end(code);
    put_program(chip, at, core, code);
    release(chip, at, core);
}

static inline const tsr_diagnostic *last_finding(tsr_chip *chip)
{
    tsr_chip_finding found;
    assert_int_equal(tsr_chip_finding_at(chip, tsr_chip_finding_count(chip) - 1, &found), TSR_OK);
    assert_int_equal(found.node.kind, TSR_NODE_ETHERNET);
    return found.diagnostic;
}

static inline void no_findings(tsr_chip *chip)
{
    tsr_chip_finding found;
    if (tsr_chip_finding_at(chip, 0, &found) == TSR_OK)
        print_error("%s\n", found.diagnostic->sentence);
    assert_int_equal(tsr_chip_finding_count(chip), 0);
}

#endif
