// SPDX-License-Identifier: Apache-2.0
// Speeds of what goes between L1 and the unpackers, packers and mover, from machine/timing.def.
// Pages: UNPACR_Regular.md (Performance), L1.md (ports).
#include "state/l1_traffic.h"

static bool goes_on(const struct tsr_l1_stream *stream)
{
    return stream->rate > 0;
}

// While both unpackers fetch. A speed above x4 is reduced as x4 would be (docs/errata.md).
static void share_fetches(struct tsr_l1_stream *zero, struct tsr_l1_stream *one)
{
    const struct tsr_unpack_share *share = &tsr_unpack_shares[zero->speed][one->speed];
    zero->rate = (uint16_t)(zero->alone >> (zero->speed - share->get[0]));
    one->rate = (uint16_t)(one->alone >> (one->speed - share->get[1]));
}

// Two clients of one port get every second of its cycles, and neither moves more than that lets it.
static void share_ports(const struct tsr_env *env, struct tsr_l1_stream *stream)
{
    for (unsigned i = 0; i < TSR_L1_SHARED_PORTS; i++) {
        const struct tsr_l1_port *port = &env->isa->shared_port[i];
        struct tsr_l1_stream *one = &stream[port->client[0]], *other = &stream[port->client[1]];
        if (port->shared && goes_on(one) && goes_on(other)) {
            one->rate /= 2;
            other->rate /= 2;
        }
    }
}

uint32_t tsr_l1_cycles(const struct tsr_env *env, enum tsr_l1_client first, unsigned count)
{
    const struct tsr_l1_stream *stream = env->state->traffic.stream;
    uint32_t most = 0;
    for (unsigned i = first; i < first + count; i++) {
        if (!goes_on(&stream[i]))
            continue;
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
    inst->completes_at = env->state->now + cycles;
    env->touched |= 1u << unit;
}

static void change_rates(struct tsr_env *env)
{
    struct tsr_l1_stream *stream = env->state->traffic.stream;
    uint64_t now = env->state->now;
    for (unsigned i = 0; i < TSR_L1_CLIENTS; i++) {
        if (!goes_on(&stream[i]))
            continue;
        uint64_t done = (now - stream[i].since) * stream[i].rate; // at the old rate
        stream[i].left = done < stream[i].left ? stream[i].left - (uint32_t)done : 0;
        stream[i].since = now;
        stream[i].rate = stream[i].alone;
    }
    if (goes_on(&stream[TSR_L1_UNPACKER0]) && goes_on(&stream[TSR_L1_UNPACKER1]))
        share_fetches(&stream[TSR_L1_UNPACKER0], &stream[TSR_L1_UNPACKER1]);
    share_ports(env, stream);
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
    const struct tsr_l1_stream *stream = env->state->traffic.stream;
    for (unsigned i = 0; i < TSR_L1_CLIENTS; i++)
        if (goes_on(&stream[i]))
            return false;
    return true;
}

static bool is_packer(unsigned client)
{
    return client >= TSR_L1_PACKER0 && client < TSR_L1_PACKER0 + TSR_PACKERS;
}

// Only this client and, of a packer, the others of its unit move bytes: then no rate changes, and
// nothing that has executed completes later.
static bool alone(const struct tsr_env *env, unsigned client)
{
    const struct tsr_l1_stream *stream = env->state->traffic.stream;
    bool packs = is_packer(client);
    for (unsigned i = 0; i < TSR_L1_CLIENTS; i++)
        if (goes_on(&stream[i]) && i != client && !(packs && is_packer(i)))
            return false;
    return true;
}

void tsr_l1_begin(struct tsr_env *env, enum tsr_l1_client client, uint32_t bytes, uint16_t rate,
                  unsigned speed)
{
    if (bytes == 0)
        return;
    env->state->traffic.stream[client] =
        (struct tsr_l1_stream){env->state->now, bytes, rate, rate, (uint8_t)speed};
    if (!alone(env, client))
        change_rates(env);
}

void tsr_l1_end(struct tsr_env *env, enum tsr_l1_client client)
{
    struct tsr_l1_stream *stream = &env->state->traffic.stream[client];
    if (!goes_on(stream))
        return;
    stream->rate = 0;
    if (!alone(env, client))
        change_rates(env);
}
