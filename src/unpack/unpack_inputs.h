// SPDX-License-Identifier: Apache-2.0
// The configuration words that an UNPACR's addresses come from and that belong to no plan group:
// writing them costs no new plan. Page: UNPACR_Regular.md.
#ifndef TESSERA_UNPACK_UNPACK_INPUTS_H
#define TESSERA_UNPACK_UNPACK_INPUTS_H

#include "unpack/unpack_decode.h"

// Fields are read again if one of the words differs; base addresses, which kernels rewrite for
// every tile, fill words of their own.
enum { TSR_UNPACK_INPUT_WORDS = 7 };
struct tsr_unpack_inputs {
    uint16_t addr32[TSR_UNPACK_INPUT_WORDS], base_addr32, set_addr32, set_word;
    uint32_t word[TSR_UNPACK_INPUT_WORDS];
    uint32_t base_address;             // of the tile, in units of 16 bytes
    uint32_t offset_address;           // from it, in the same units
    uint32_t limit_address, fifo_size; // of a circular buffer, in the same units
    uint32_t out_base;                 // of the output address [ADDR_BASE_REG_1_Base]
    uint32_t context_out;              // output address of the context [CtxOutAddr]
    uint8_t src_row_base;              // [SrcRowBase]
};

// Finds the words of the operands' context and reads them.
void tsr_unpack_inputs_make(const struct tsr_env *env, const struct tsr_unpack_operands *operands,
                            struct tsr_unpack_inputs *inputs);
// Tells those who look for races which of the words the instruction uses;
// `compressed`: its input.
void tsr_unpack_inputs_tell(const struct tsr_env *env, const struct tsr_unpack_operands *operands,
                            bool compressed);
// Reads what has changed since. True: something beside the tile's base address has.
bool tsr_unpack_inputs_update(const struct tsr_env *env, const struct tsr_unpack_operands *operands,
                              struct tsr_unpack_inputs *inputs);

#endif
