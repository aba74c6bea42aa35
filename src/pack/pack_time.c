// SPDX-License-Identifier: Apache-2.0
// How long a PACR keeps the packers: until the last of its bytes has left Dst, and a cycle more on
// Wormhole, where packers begin one after another: their reads go to four banks of Dst's rows, and
// of those that ask for one bank the lowest packer is served (docs/errata.md, 595).
// Pages: Packers/README.md, L1.md (ports).
#include "pack/pack_time.h"

// Cycles in which a packer reads a row at its rate.
static uint32_t row_cycles(const struct tsr_env *env, const struct tsr_pack_part *part)
{
    const uint32_t bytes = TSR_COLUMNS * part->config.out_bits / 8u;
    const uint32_t rate = env->isa->rate[RATE_PACK_BYTES];
    return bytes > rate ? bytes / rate : 1;
}

// Cycles by which the part begins late that waits longest for others to read the bank of its first
// row.
static uint32_t longest_delay(const struct tsr_env *env, const struct tsr_pack_part *part,
                              unsigned parts)
{
    const unsigned banks = env->isa->rate[RATE_PACK_DST_BANKS];
    uint32_t taken = 0, longest = 0;
    for (unsigned p = 0; p < parts; p++) {
        if (part[p].source != TSR_PACK_FROM_DST || part[p].count == 0)
            continue;
        unsigned row = part[p].start[0] / TSR_COLUMNS, behind = 0;
        while (behind + 1 < banks && (taken >> ((row - behind) % banks) & 1))
            behind++;
        taken |= 1u << (row - behind) % banks;
        const uint32_t delay = behind * row_cycles(env, &part[p]);
        longest = delay > longest ? delay : longest;
    }
    return longest;
}

void tsr_pack_note_drain(struct tsr_env *env, const struct tsr_pack_part *part, unsigned parts)
{
    const uint16_t *rate = env->isa->rate;
    struct tsr_drain *drain = &env->state->queues.drain;
    drain->next_cycles = (uint8_t)(rate[RATE_PACK_TO_L1_CYCLES] + longest_delay(env, part, parts) -
                                   rate[RATE_PACK_IDLE_CYCLES]);
    drain->next_packers = 0;
    for (unsigned p = 0; p < parts; p++)
        drain->next_packers |= (uint8_t)(1u << part[p].packer);
}

void tsr_pack_start_drain(struct tsr_env *env, const struct tsr_inflight *inst)
{
    struct tsr_drain *drain = &env->state->queues.drain;
    const uint64_t until = inst->completes_at + drain->next_cycles;
    if (drain->until <= env->state->now || drain->thread != inst->thread)
        drain->until = drain->packers = 0;
    drain->until = until > drain->until ? until : drain->until;
    drain->packers |= drain->next_packers;
    drain->thread = inst->thread;
    drain->next_cycles = 0;
}
