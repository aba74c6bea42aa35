// SPDX-License-Identifier: Apache-2.0
// Core T0 of bench_compiled's additions and copies by faces: as in examples/eltwise_c, but a tile
// is four faces of 256 datums, and one MOP unpacks them to banks of SrcA and SrcB of their own.
// With COPIES the banks of SrcB are cleared instead.
#include "job.h"

#include <tessera/kernel/start.h>

enum { ROWS = 4, ROW = DATUMS / ROWS }; // faces
#include "../../examples/common/set_mop.h"
#include "../../examples/common/unpack_bf16.h"

// For each face one UNPACR of each unpacker, which goes on by a face.
static void prepare_mop(void)
{
#if !defined COPIES
    static const uint32_t words[MOP_WORDS] = {
        ROWS,
        1,
        TT(NOP),
        TT(UNPACR, Unpack_block_selection(1), AddrMode(1), OvrdThreadId(1), SetDatValid(1),
           Last(1)),
        TT(NOP),
        TT(UNPACR, Unpack_block_selection(0), AddrMode(1), OvrdThreadId(1), SetDatValid(1),
           Last(1)),
        TT(NOP),
        TT(UNPACR, Unpack_block_selection(0), AddrMode(1), OvrdThreadId(1), SetDatValid(1),
           Last(1)),
        TT(UNPACR, Unpack_block_selection(0), AddrMode(1), OvrdThreadId(1), SetDatValid(1),
           Last(1)),
    };
#else
#ifdef ARCH_WORMHOLE
#define CLEAR TT(UNPACR_NOP, Unpack_block_selection(1), NoOp(1))
#define GIVE TT(UNPACR_NOP, Unpack_block_selection(1), NoOp(7))
#else
#define CLEAR TT(UNPACR_NOP, Unpacker_Select(1), Unpack_Pop(1))
#define GIVE TT(UNPACR_NOP, Unpacker_Select(1), Unpack_Pop(3), Src_ClrVal_Ctrl(1))
#endif
    static const uint32_t words[MOP_WORDS] = {
        ROWS,
        1,
        TT(UNPACR, Unpack_block_selection(0), AddrMode(1), OvrdThreadId(1), SetDatValid(1),
           Last(1)),
        GIVE,
        TT(NOP),
        CLEAR,
        TT(NOP),
        CLEAR,
        CLEAR,
    };
#endif

    set_mop(words);
}

int main(void)
{
    configure_unpackers();
    prepare_mop();
    for (uint32_t tile = 0; tile < TILES; tile++) {
        // The base addresses may change only when no unpacker works with the old ones.
        TTI(STALLWAIT, stall_res(p_stall_STALL_CFG), wait_res(p_stall_UNPACK));
        TT_CFG_PUSH(THCON_SEC0_REG3_Base_address, A_BASE + tile * TILE_UNITS);
        TT_CFG_PUSH(THCON_SEC1_REG3_Base_address, B_BASE + tile * TILE_UNITS);
        TTI(SETADCZW, CntSetMask(3), BitMask(15));
        TTI(MOP, mop_type(1));
    }
    tt_done(0);
    return 0;
}
