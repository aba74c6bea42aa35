// SPDX-License-Identifier: Apache-2.0
// Speeds of what goes between L1 and the unpackers, packers and mover, from machine/timing.def.
// Pages: UNPACR_Regular.md (Performance), L1.md (ports).
#include "state/l1_traffic.h"

static inline bool goes_on(const struct tsr_l1_traffic *traffic, unsigned client)
{
    return traffic->going >> client & 1;
}

// While both unpackers fetch. A speed above x4 is reduced as x4 would be (docs/errata.md).
static void share_fetches(struct tsr_l1_stream *zero, struct tsr_l1_stream *one)
{
    const struct tsr_unpack_share *share = &tsr_unpack_shares[zero->speed][one->speed];
    zero->rate = (uint16_t)(zero->alone >> (zero->speed - share->get[0]));
    one->rate = (uint16_t)(one->alone >> (one->speed - share->get[1]));
}

// Two clients of one port get every second of its cycles, and neither moves more than that lets it.
static void share_ports(const struct tsr_env *env)
{
    struct tsr_l1_traffic *traffic = &env->state->traffic;
    for (unsigned i = 0; i < TSR_L1_SHARED_PORTS; i++) {
        const struct tsr_l1_port *port = &env->isa->shared_port[i];
        unsigned one = port->client[0], other = port->client[1];
        if (port->shared && goes_on(traffic, one) && goes_on(traffic, other)) {
            traffic->stream[one].rate /= 2;
            traffic->stream[other].rate /= 2;
        }
    }
}

// A packer writes a line a cycle, to one bank of L1, and waits a cycle where an unpacker reads that
// bank. Unpackers read one bank for each line that they fetch in a cycle (docs/errata.md, 596).
static void wait_for_banks(const struct tsr_env *env)
{
    struct tsr_l1_traffic *traffic = &env->state->traffic;
    struct tsr_l1_stream *const unpacker = &traffic->stream[TSR_L1_UNPACKER0];
    struct tsr_l1_stream *const packer = &traffic->stream[TSR_L1_PACKER0];
    const unsigned banks = env->isa->rate[RATE_L1_BANKS];
    unsigned read = 0;
    if (!env->isa->rate[RATE_PACK_WAITS_FOR_BANKS])
        return;
    for (unsigned i = 0; i < 2; i++)
        if (goes_on(traffic, TSR_L1_UNPACKER0 + i))
            read += unpacker[i].rate / env->isa->rate[RATE_L1_BYTES];
    if (read == 0)
        return;
    for (unsigned i = 0; i < TSR_PACKERS; i++) // one that shares its port has other waits
        if (goes_on(traffic, TSR_L1_PACKER0 + i) && packer[i].rate == packer[i].alone)
            packer[i].rate =
                (uint16_t)((packer[i].alone * banks + (banks + read) / 2) / (banks + read));
}

uint32_t tsr_l1_cycles(const struct tsr_env *env, enum tsr_l1_client first, unsigned count)
{
    const struct tsr_l1_traffic *traffic = &env->state->traffic;
    const struct tsr_l1_stream *stream = traffic->stream;
    uint32_t asked = ((1u << count) - 1) << first, most = 0;
    for (uint32_t left = traffic->going & asked; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        uint32_t cycles = (stream[i].left + stream[i].rate - 1u) / stream[i].rate;
        most = cycles > most ? cycles : most;
    }
    return most;
}

// The instruction whose bytes these are, if it executed before and goes on.
static void complete_later(struct tsr_env *env, tsr_unit unit, enum tsr_l1_client first,
                           unsigned count)
{
    struct tsr_queue *queue = &env->state->queues.of[unit];
    struct tsr_inflight *inst = tsr_queue_at(queue, 0);
    uint32_t cycles = tsr_l1_cycles(env, first, count);
    if (queue->executed == 0 || inst->completes_at <= env->state->now || cycles == 0)
        return;
    inst->completes_at = env->state->now + cycles +
                         (unit == TSR_UNIT_PACKER ? env->isa->rate[RATE_PACK_IDLE_CYCLES] : 0u);
    env->touched |= 1u << unit;
}

static void change_rates(struct tsr_env *env)
{
    struct tsr_l1_traffic *traffic = &env->state->traffic;
    struct tsr_l1_stream *stream = traffic->stream;
    uint64_t now = env->state->now;
    for (uint32_t left = traffic->going; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        uint64_t done = (now - stream[i].since) * stream[i].rate; // at the old rate
        stream[i].left = done < stream[i].left ? stream[i].left - (uint32_t)done : 0;
        stream[i].since = now;
        stream[i].rate = stream[i].alone;
    }
    if (goes_on(traffic, TSR_L1_UNPACKER0) && goes_on(traffic, TSR_L1_UNPACKER1))
        share_fetches(&stream[TSR_L1_UNPACKER0], &stream[TSR_L1_UNPACKER1]);
    share_ports(env);
    wait_for_banks(env);
    complete_later(env, TSR_UNIT_UNPACKER0, TSR_L1_UNPACKER0, 1);
    complete_later(env, TSR_UNIT_UNPACKER1, TSR_L1_UNPACKER1, 1);
    complete_later(env, TSR_UNIT_PACKER, TSR_L1_PACKER0, TSR_PACKERS);
    struct tsr_mover *mover = &env->state->mover; // it goes on when its instruction is complete
    uint32_t cycles = tsr_l1_cycles(env, TSR_L1_MOVER_READ, 2);
    if (mover->busy && mover->until > now && cycles > 0)
        mover->until = now + cycles;
}

bool tsr_l1_quiet(const struct tsr_env *env)
{
    return env->state->traffic.going == 0;
}

// Only this client and, of a packer, the others of its unit move bytes: then no rate changes, and
// nothing that has executed completes later.
static bool alone(const struct tsr_env *env, unsigned client)
{
    const uint32_t packers = ((1u << TSR_PACKERS) - 1) << TSR_L1_PACKER0;
    uint32_t own = 1u << client & packers ? packers : 1u << client;
    return (env->state->traffic.going & ~own) == 0;
}

void tsr_l1_begin_quietly(struct tsr_env *env, enum tsr_l1_client client, uint64_t since,
                          uint32_t bytes, uint16_t rate)
{
    struct tsr_l1_stream *stream = &env->state->traffic.stream[client];
    stream->since = since;
    stream->left = bytes;
    stream->alone = stream->rate = rate;
    env->state->traffic.going |= 1u << client;
}

void tsr_l1_begin(struct tsr_env *env, enum tsr_l1_client client, uint32_t bytes, uint16_t rate,
                  unsigned speed)
{
    if (bytes == 0)
        return;
    tsr_l1_begin_quietly(env, client, env->state->now, bytes, rate);
    env->state->traffic.stream[client].speed = (uint8_t)speed;
    if (!alone(env, client))
        change_rates(env);
}

void tsr_l1_packers_began(struct tsr_env *env)
{
    if (!alone(env, TSR_L1_PACKER0))
        change_rates(env);
}

void tsr_l1_end(struct tsr_env *env, enum tsr_l1_client client)
{
    struct tsr_l1_traffic *traffic = &env->state->traffic;
    if (!goes_on(traffic, client))
        return;
    traffic->stream[client].rate = 0;
    traffic->going &= ~(1u << client);
    if (!alone(env, client))
        change_rates(env);
}

void tsr_l1_end_packers(struct tsr_env *env)
{
    const uint32_t packers = ((1u << TSR_PACKERS) - 1) << TSR_L1_PACKER0;
    struct tsr_l1_traffic *traffic = &env->state->traffic;
    uint32_t going = traffic->going & packers;
    if (going == 0)
        return;
    traffic->going &= ~packers;
    for (; going; going &= going - 1)
        traffic->stream[__builtin_ctz(going)].rate = 0;
    if (!alone(env, TSR_L1_PACKER0))
        change_rates(env);
}
