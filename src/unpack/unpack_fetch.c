// SPDX-License-Identifier: Apache-2.0
// How long an unpacker fetches from L1. While both do, each gets the speed that the page's table
// gives it, and what is left of the other's fetch takes longer, or less long, from that cycle on.
// Page: UNPACR_Regular.md (Performance).
#include "unpack/unpack_job.h"

static uint32_t bytes_of(const struct tsr_unpack_job *job)
{
    unsigned delta_bits = job->shape.compressed ? 4 : 0; // Packers/Compression.md
    return (uint32_t)(((uint64_t)job->count * (job->shape.datum_bits + delta_bits) + 7) / 8);
}

// The fetch that goes on in an unpacker, if any; it executes one instruction at a time.
static struct tsr_flight *fetching(const struct tsr_env *env, unsigned unpacker)
{
    struct tsr_line *line = &env->state->flights.line[TSR_UNIT_UNPACKER0 + unpacker];
    struct tsr_flight *flight = tsr_line_at(line, 0);
    return line->executed > 0 && tsr_unpack_job(flight)->fetch.rate ? flight : NULL;
}

// From now on. What an unpacker wants beyond x4 is cut as x4 would be (docs/errata.md). Returns the
// cycles that are left.
static uint32_t go_on(struct tsr_unpack_job *job, uint64_t now, unsigned speed)
{
    struct tsr_unpack_fetch *fetch = &job->fetch;
    uint64_t done = (now - fetch->since) * fetch->rate;
    fetch->left = done < fetch->left ? fetch->left - (uint32_t)done : 0;
    fetch->since = now;
    fetch->rate = (uint16_t)(job->shape.bytes_per_cycle >> (job->shape.speed - speed));
    return (fetch->left + fetch->rate - 1u) / fetch->rate;
}

static void change(struct tsr_flight *flight, uint64_t now, unsigned speed)
{
    if (flight->completes_at > now)
        flight->completes_at = now + go_on(tsr_unpack_job(flight), now, speed);
}

void tsr_unpack_fetch_begin(struct tsr_env *env, struct tsr_flight *flight)
{
    struct tsr_unpack_job *job = tsr_unpack_job(flight);
    struct tsr_flight *other = fetching(env, job->unpacker ^ 1u);
    uint64_t now = env->state->now;
    unsigned own = job->shape.speed;
    job->fetch = (struct tsr_unpack_fetch){.since = now, .left = bytes_of(job)};
    if (job->fetch.left == 0)
        return;
    if (other) {
        unsigned others = tsr_unpack_job(other)->shape.speed;
        const struct tsr_unpack_share *share = job->unpacker ? &tsr_unpack_shares[others][own]
                                                             : &tsr_unpack_shares[own][others];
        change(other, now, share->get[job->unpacker ^ 1u]);
        own = share->get[job->unpacker];
    }
    flight->duration = go_on(job, now, own);
}

void tsr_unpack_fetch_end(struct tsr_env *env, struct tsr_flight *flight)
{
    struct tsr_unpack_job *job = tsr_unpack_job(flight);
    if (job->fetch.rate == 0)
        return;
    job->fetch.rate = 0;
    struct tsr_flight *other = fetching(env, job->unpacker ^ 1u);
    if (other)
        change(other, env->state->now, tsr_unpack_job(other)->shape.speed);
}
