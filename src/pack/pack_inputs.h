// SPDX-License-Identifier: Apache-2.0
// The configuration words that a PACR's addresses come from and that belong to no plan group:
// writing them costs no new plan. Pages: Packers/InputAddressGenerator.md,
// Packers/OutputAddressGenerator.md.
#ifndef TESSERA_PACK_PACK_INPUTS_H
#define TESSERA_PACK_PACK_INPUTS_H

#include "isa/unit_fields.h"
#include "state/state.h"

// A field that each packer has of its own; on Blackhole each context has.
static inline uint32_t tsr_pack_cfg(const struct tsr_env *env, int state_id, int config_of,
                                    enum tsr_pack_field name)
{
    return tsr_cfg(env, state_id, tsr_pack_field_of(config_of, name));
}

// Of a packer, or of one of Blackhole's contexts, in the units of their fields.
struct tsr_pack_inputs {
    uint32_t base0, base1;     // of the address generators
    uint32_t destination;      // L1_Dest_addr with all that is added to it
    uint32_t limit, fifo_size; // of the circular buffer, in 16-byte units
    uint16_t rows;             // by which Dst is offset
    uint8_t z_offset;          // of the face sets
    uint8_t l1_source;
    bool tile_header, out_fifo; // Add_tile_header_size, Enable_out_fifo
};

// The words that they come from, and what these held. `source` has what shows of a tile's size,
// too.
struct tsr_pack_input_words {
    uint16_t limit_addr32, size_addr32, source_addr32, offset_addr32, destination_addr32;
    uint32_t limit, size, source, offset;
    uint32_t header;       // one unit is added to the destination, or none
    uint32_t behind_first; // a mask of what packer 0's destination adds
};

// Those of a state ID, of the first configurations. They are decoded again if one of the words
// differs; destinations, which kernels rewrite for every tile, fill words of their own.
struct tsr_pack_bank_inputs {
    uint64_t changes; // tsr_config.changes when they were read last
    uint32_t serial;  // counts how often something but destinations and Dst's offsets had changed
    uint32_t moves;   // ... one of Dst's offsets
    uint8_t threads;  // a bit for each that is known to have selected the bank then
    uint8_t configs;
    uint16_t base_addr32[2];
    uint32_t base[2];
    struct tsr_pack_input_words words[TSR_PACKERS];
    struct tsr_pack_inputs of[TSR_PACKERS];
};

// All of them, with those of a configuration, whose fields of the group PACK may have changed.
void tsr_pack_inputs_make(const struct tsr_env *env, int state_id, int config_of,
                          struct tsr_pack_bank_inputs *inputs);
// Reads what has changed since; no field of the group PACK has.
void tsr_pack_inputs_reread(const struct tsr_env *env, int state_id,
                            struct tsr_pack_bank_inputs *inputs);
static inline void tsr_pack_inputs_update(const struct tsr_env *env, int state_id,
                                          struct tsr_pack_bank_inputs *inputs)
{
    if (inputs->changes != env->state->config.changes)
        tsr_pack_inputs_reread(env, state_id, inputs);
}
// Whether some thread asks for the histogram of exponents.
bool tsr_pack_counts_exponents(const struct tsr_env *env);

#endif
