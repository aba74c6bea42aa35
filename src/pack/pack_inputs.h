// SPDX-License-Identifier: Apache-2.0
// The configuration words that a PACR's addresses come from and that belong to no plan group:
// writing them costs no new plan. Pages: Packers/InputAddressGenerator.md,
// Packers/OutputAddressGenerator.md.
#ifndef TESSERA_PACK_PACK_INPUTS_H
#define TESSERA_PACK_PACK_INPUTS_H

#include "state/state.h"

// In the units of their fields. They are decoded again if one of the words differs; destinations,
// which kernels rewrite for every tile, fill words of their own.
enum { TSR_PACK_INPUT_WORDS = 6 };
struct tsr_pack_inputs {
    uint16_t addr32[TSR_PACK_INPUT_WORDS], destination_addr32, first_addr32;
    uint32_t word[TSR_PACK_INPUT_WORDS];
    uint64_t changes;          // tsr_config.changes when they were read last
    uint32_t serial;           // counts how often something but destinations had changed
    bool header, first_header; // one unit is added to the destination, and to packer 0's
    bool behind_first;         // packer 0's counts, too, if its highest bit is set
    uint32_t base0, base1;     // of the address generators
    uint32_t destination;      // L1_Dest_addr with all that is added to it
    uint32_t limit, fifo_size; // of the circular buffer, in 16-byte units
    uint16_t rows;             // by which Dst is offset
    uint8_t z_offset;          // of the face sets
    uint8_t l1_source;
    bool tile_header, out_fifo; // Add_tile_header_size, Enable_out_fifo
};

void tsr_pack_inputs_make(const struct tsr_env *env, int state_id, int config_of,
                          struct tsr_pack_inputs *inputs);
// Reads what has changed since; no field of the group PACK has.
void tsr_pack_inputs_reread(const struct tsr_env *env, int state_id, int config_of,
                            struct tsr_pack_inputs *inputs);
static inline void tsr_pack_inputs_update(const struct tsr_env *env, int state_id, int config_of,
                                          struct tsr_pack_inputs *inputs)
{
    if (inputs->changes != env->state->config.changes)
        tsr_pack_inputs_reread(env, state_id, config_of, inputs);
}
// Whether some thread asks for the histogram of exponents.
bool tsr_pack_counts_exponents(const struct tsr_env *env);

#endif
