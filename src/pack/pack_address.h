// SPDX-License-Identifier: Apache-2.0
// The addresses of one PACR: which datums it takes and where in L1 they go; and the counters that
// it steps.
// Pages: Packers/InputAddressGenerator.md, Packers/OutputAddressGenerator.md, ADCs.md.
#ifndef TESSERA_PACK_PACK_ADDRESS_H
#define TESSERA_PACK_PACK_ADDRESS_H

#include "pack/pack_job.h"
#include "pack/pack_plan.h"

// First datum in Dst, as row * 16 + column, with the counters of channel 0.
uint16_t tsr_pack_input_start(const struct tsr_pack_inputs *inputs, uint8_t datum_bytes,
                              const struct tsr_pack_strides *stride, const tsr_adc_channel *adc);
// The sum of the input address generator before it becomes a datum.
uint32_t tsr_pack_input_address(const struct tsr_pack_inputs *inputs,
                                const struct tsr_pack_strides *stride, const tsr_adc_channel *adc);
// The first of the four whole rows of Dst that a part whose four interfaces read brings with these
// counters; TSR_DST_ROWS: it brings something else.
unsigned tsr_pack_four_rows(const struct tsr_pack_plan *plan, const struct tsr_pack_part *part,
                            const tsr_adc_channel adc[2]);
// The counters of channel 1 in the output address, the same for all packers: bytes on Blackhole,
// 16-byte units on Wormhole. Its low four bits are lost, and OutputAddressGenerator.md requires
// that there are none.
static inline uint32_t tsr_pack_output_sum(const struct tsr_pack_plan *plan,
                                           const tsr_adc_channel *adc)
{
    const struct tsr_pack_strides *stride = &plan->strides;
    return plan->inputs->base1 + adc->y * stride->y1 + adc->z * stride->z1 + adc->w * stride->w1;
}

static inline bool tsr_pack_is_aligned(uint32_t sum)
{
    return (sum & 15u) == 0;
}

// What such a sum adds to the output address; and the address in L1 with it, of a part that has but
// one section.
static inline uint32_t tsr_pack_output_offset(const struct tsr_env *env, uint32_t sum)
{
    return env->chip->pack_interfaces > 1 ? sum >> 4 : sum & ~15u;
}

// In 16-byte units.
static inline uint32_t tsr_pack_output_address(const struct tsr_packer *packer,
                                               const struct tsr_pack_inputs *inputs,
                                               bool adds_offset, uint32_t offset)
{
    uint32_t address = inputs->destination + offset;
    if (adds_offset)
        address += packer->l1_dest_offset;
    return address > inputs->limit ? address - inputs->fifo_size : address;
}

static inline uint32_t tsr_pack_byte_address(uint32_t address)
{
    return (address & 0x1ffff) << 4;
}

static inline uint32_t tsr_pack_data_address(const struct tsr_packer packer[TSR_PACKERS],
                                             const struct tsr_pack_output *output, uint32_t offset)
{
    return tsr_pack_byte_address(tsr_pack_output_address(&packer[output->packer], output->inputs,
                                                         output->adds_offset, offset));
}

// The addresses in L1 of a part whose streams begin, with the counters of channel 1.
void tsr_pack_find_sections(const struct tsr_env *env, struct tsr_pack_part *part,
                            const struct tsr_pack_plan *plan, const tsr_adc_channel *adc);
// The words of a thread's ADDR_MOD_PACK sections; and both channels a step further by one of them.
const uint16_t *tsr_pack_address_modes(const struct tsr_env *env, unsigned thread);
void tsr_pack_step_channels(const struct tsr_env *env, uint32_t mode, tsr_adc_channel adc[2]);
// Those of the threads in `threads`, a bit for each, by a section of thread `of`.
void tsr_pack_step_counters(struct tsr_env *env, unsigned of, unsigned address_mode,
                            unsigned threads);
// Fills the job's addresses, `plan`: of each of its parts; then steps tile positions, context and
// ADCs, and keeps or releases the streams' addresses. False: a finding stopped the tile; nothing
// was changed.
bool tsr_pack_address(struct tsr_env *env, const struct tsr_inflight *inst,
                      const struct tsr_pack_operands *operands, struct tsr_pack_plan *const *plan,
                      struct tsr_pack_job *job);
// Nothing waits in the packer for the rest of a line, a block or a row.
static inline bool tsr_pack_holds_nothing(const struct tsr_packer *packer)
{
    return (packer->group.count | packer->rows.begun | packer->row_starts.filled |
            packer->exponents.filled | packer->data.filled) == 0;
}
// ... and all of these packers' next PACRs begin a tile.
bool tsr_pack_look_idle(struct tsr_env *env, unsigned packers);
static inline bool tsr_pack_are_idle(struct tsr_env *env, unsigned packers)
{
    return (packers & ~(unsigned)env->pack_plans->idle) == 0 || tsr_pack_look_idle(env, packers);
}
// The first PACR of a section begins at the beginning of a tile (docs/errata.md 64).
static inline void tsr_pack_begin_position(struct tsr_packer *packer)
{
    if (!packer->data.has_address)
        packer->x = packer->y = packer->z = 0;
}
// The next PACR in thread order continues the part's streams, or begins new ones.
void tsr_pack_keep_addresses(const struct tsr_pack_job *job, const struct tsr_pack_part *part,
                             struct tsr_packer *packer);
// The end of a tile: the next PACR of this packer in thread order begins at new addresses.
static inline void tsr_pack_release_addresses(struct tsr_packer *packer)
{
    packer->data.has_address = packer->exponents.has_address = false;
    packer->row_starts.has_address = false;
}

#endif
