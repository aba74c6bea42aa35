// SPDX-License-Identifier: Apache-2.0
// The constant tables of both chips, expanded from the rows in machine/, and look-ups that need no
// names.
#include "isa/isa.h"
#include "isa/row_macros.h"

enum {
    CORES_B = 1 << TSR_CORE_B,
    CORES_T = 1 << TSR_CORE_T0 | 1 << TSR_CORE_T1 | 1 << TSR_CORE_T2,
    CORES_B_T = CORES_B | CORES_T,
    CORES_B_NC = CORES_B | 1 << TSR_CORE_NC,
    CORES_NC = 1 << TSR_CORE_NC,
    CORES_B_T_X = CORES_B_T | 1 << TSR_CORE_TENSIX,
    CORES_ALL = CORES_B_T_X | CORES_NC | 1 << TSR_CORE_NOC,
    NO_BIT = CONDITION_ABSENT
};

static const struct tsr_isa wormhole_b0 = {
    .arch = TSR_WORMHOLE_B0,
#define PICK(wh, bh) wh
#include "isa/chip_rows.inc"
#undef PICK
};

static const struct tsr_isa blackhole_a0 = {
    .arch = TSR_BLACKHOLE_A0,
#define PICK(wh, bh) bh
#include "isa/chip_rows.inc"
#undef PICK
};

const struct tsr_unpack_share tsr_unpack_shares[UNPACK_SPEEDS][UNPACK_SPEEDS] = {
#define UNPACK_SHARE(want0, want1, get0, get1, source)                                             \
    [UNPACK_##want0][UNPACK_##want1] = {{UNPACK_##get0, UNPACK_##get1}},
#include "machine/timing.def"
};

const struct tsr_isa *tsr_isa(tsr_arch arch)
{
    return arch == TSR_WORMHOLE_B0 ? &wormhole_b0 : &blackhole_a0;
}

size_t tsr_l1_size(tsr_arch arch)
{
    return (unsigned)arch < TSR_ARCH_COUNT ? tsr_isa(arch)->region[REGION_L1].size : 0;
}

bool tsr_unit_of(const struct tsr_isa *isa, uint32_t word, tsr_unit *unit)
{
    static const tsr_unit units[ISSUE_COUNT] = {
        [ISSUE_MATRIX] = TSR_UNIT_MATRIX, [ISSUE_VECTOR] = TSR_UNIT_VECTOR,
        [ISSUE_PACKER] = TSR_UNIT_PACKER, [ISSUE_SCALAR] = TSR_UNIT_SCALAR,
        [ISSUE_CONFIG] = TSR_UNIT_CONFIG, [ISSUE_SYNC] = TSR_UNIT_SYNC,
        [ISSUE_MISC] = TSR_UNIT_MISC,     [ISSUE_MOVER] = TSR_UNIT_MOVER,
    };
    enum tsr_issue_unit issue = (enum tsr_issue_unit)isa->issue_unit[tsr_op_of(isa, word)];
    if (issue == ISSUE_FRONTEND)
        return false;
    if (issue == ISSUE_UNPACKER) // bit 23 of UNPACR and UNPACR_NOP says which
        *unit = (word >> 23 & 1) ? TSR_UNIT_UNPACKER1 : TSR_UNIT_UNPACKER0;
    else
        *unit = units[issue];
    return true;
}
