// SPDX-License-Identifier: Apache-2.0
// How long a PACR keeps the packers: until the last of its bytes has left Dst, and a cycle more on
// Wormhole, where packers begin one after another: their reads go to four banks of Dst's rows, and
// of those that ask for one bank the lowest packer is served (docs/errata.md, 595).
// Pages: Packers/README.md, L1.md (ports).
#include "pack/pack_time.h"

#include "state/l1_traffic.h"

// Cycles in which a packer reads a row at its rate.
static uint32_t row_cycles(const struct tsr_env *env, const struct tsr_pack_part *part)
{
    const uint32_t bytes = TSR_COLUMNS * part->config.out_bits / 8u;
    const uint32_t rate = env->isa->rate[RATE_PACK_BYTES];
    return bytes > rate ? bytes / rate : 1;
}

// Cycles by which each part begins late, while others read the bank of its first row.
static void find_delays(const struct tsr_env *env, const struct tsr_pack_part *part, unsigned parts,
                        uint32_t delay[TSR_PACKERS])
{
    const unsigned banks = env->isa->rate[RATE_PACK_DST_BANKS];
    uint32_t taken = 0;
    for (unsigned p = 0; p < parts; p++) {
        delay[p] = 0;
        if (part[p].source != TSR_PACK_FROM_DST || part[p].count == 0)
            continue;
        unsigned row = part[p].start[0] / TSR_COLUMNS, behind = 0;
        while (behind + 1 < banks && (taken >> ((row - behind) % banks) & 1))
            behind++;
        taken |= 1u << (row - behind) % banks;
        delay[p] = behind * row_cycles(env, &part[p]);
    }
}

void tsr_pack_take_time(struct tsr_env *env, const struct tsr_pack_part *part, unsigned parts,
                        struct tsr_inflight *inst)
{
    const uint16_t *rate = env->isa->rate;
    const uint32_t cycles = tsr_l1_cycles(env, TSR_L1_PACKER0, TSR_PACKERS);
    const uint32_t least = rate[RATE_PACK_CYCLES_LEAST], idle = rate[RATE_PACK_IDLE_CYCLES];
    uint32_t delay[TSR_PACKERS];
    inst->duration = (cycles > least ? cycles : least) + idle;
    if (rate[RATE_PACK_TO_L1_CYCLES] == 0 || cycles == 0)
        return;
    find_delays(env, part, parts, delay);
    for (unsigned p = 0; p < parts; p++)
        env->state->queues.drain.behind[part[p].packer] =
            (uint8_t)(rate[RATE_PACK_TO_L1_CYCLES] + delay[p] - idle);
}

void tsr_pack_begin_drain(struct tsr_env *env, const struct tsr_inflight *inst)
{
    struct tsr_drain *drain = &env->state->queues.drain;
    for (unsigned p = 0; p < TSR_PACKERS; p++) {
        if (drain->behind[p] == 0)
            continue;
        drain->until[p] = inst->completes_at + drain->behind[p];
        drain->thread[p] = inst->thread;
        drain->behind[p] = 0;
    }
    tsr_drain_look(drain, env->state->now);
}
