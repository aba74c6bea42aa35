// SPDX-License-Identifier: Apache-2.0
// The addresses of one UNPACR, and its updates of counters. Page: UNPACR_Regular.md.
#ifndef TESSERA_UNPACK_UNPACK_ADDRESS_H
#define TESSERA_UNPACK_UNPACK_ADDRESS_H

#include "unpack/unpack_inputs.h"
#include "unpack/unpack_job.h"

// Fills the job's addresses and counts from its configuration, the inputs and the counters.
tsr_unpack_anomalies tsr_unpack_address(const struct tsr_env *env,
                                        const struct tsr_unpack_operands *operands,
                                        const struct tsr_unpack_inputs *inputs,
                                        struct tsr_unpack_job *job);
static inline void tsr_unpack_step_channels(tsr_adc_channel channel[2], uint8_t increments,
                                            uint32_t y_mask, uint32_t z_mask)
{
    channel[0].z = (channel[0].z + (increments & 3u)) & z_mask;
    channel[0].y = (channel[0].y + (increments >> 2 & 3u)) & y_mask;
    channel[1].z = (channel[1].z + (increments >> 4 & 3u)) & z_mask;
    channel[1].y = (channel[1].y + (increments >> 6 & 3u)) & y_mask;
}

// Context counter and ADC increments (the end of the functional model).
static inline void tsr_unpack_step_counters(struct tsr_env *env,
                                            const struct tsr_unpack_operands *operands,
                                            const struct tsr_unpack_config *config)
{
    if (operands->counts_contexts) {
        uint8_t next = (uint8_t)((operands->context + 1) & 7);
        env->state->unpacker[operands->unpacker].context_counter[operands->thread] =
            next >= config->context_count ? 0 : next;
    }
    if (operands->increments == 0)
        return;
    uint32_t y_mask = tsr_mask32(TSR_ADC_Y_BITS), z_mask = tsr_mask32(env->chip->adc_zw_bits);
    tsr_adc_channel(*adc)[TSR_ADC_AGENTS][2] = env->state->adcs.channel;
    tsr_unpack_step_channels(adc[operands->thread][operands->unpacker], operands->increments,
                             y_mask, z_mask);
    if (operands->adc != operands->thread)
        tsr_unpack_step_channels(adc[operands->adc][operands->unpacker], operands->increments,
                                 y_mask, z_mask);
}

#endif
