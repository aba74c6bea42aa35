// SPDX-License-Identifier: Apache-2.0
// The mover's work in progress, the command queue of TDMA-RISC in front of it, and the fields that
// TDMA-RISC keeps for PACR_SETREG and UNPACR_NOP. Pages: Mover.md, TDMA-RISC.md.
#ifndef TESSERA_STATE_MOVER_H
#define TESSERA_STATE_MOVER_H

#include <stdbool.h>
#include <stdint.h>

enum { TSR_TDMA_QUEUE_MAX = 4, TSR_TDMA_PARAMETERS = 4, TSR_TDMA_CREDITS = 2 };

// Numbers of the directions (Mover.md calls what is not L1 "L0").
enum tsr_mover_way {
    TSR_MOVER_ZERO_TO_L1 = 0,
    TSR_MOVER_L1_TO_OUTSIDE = 1,
    TSR_MOVER_ZERO_TO_OUTSIDE = 2,
    TSR_MOVER_L1_TO_L1 = 3,
};

struct tsr_mover {
    bool busy;
    uint64_t started, until; // cycles
};

struct tsr_tdma_command {
    uint32_t word;
    uint32_t parameter[TSR_TDMA_PARAMETERS];
    uint8_t core; // who queued it
    bool taken;   // races: TDMA-RISC knows what that core knew
};

struct tsr_tdma {
    uint32_t parameter[TSR_TDMA_PARAMETERS];
    uint32_t move_base[4]; // of B, T0, T1, T2, for compact commands
    struct tsr_tdma_command queue[TSR_TDMA_QUEUE_MAX];
    uint8_t first, count, credits_used;
    uint64_t next_command; // cycle
    // For PACR_SETREG and UNPACR_NOP.
    uint32_t unpack_register_raw, scaler2_raw, pack_register_raw;
    uint32_t pack_register_base[2];
    uint16_t pack_scaler[4];
    uint32_t unpack_register_acc[2];
};

#endif
