// SPDX-License-Identifier: Apache-2.0
// Where an unpack's datums and exponents lie in L1, run by run, and what is known about the bytes.
// Page: UNPACR_Regular.md (main loop), Packers/Compression.md.
#ifndef TESSERA_UNPACK_UNPACK_SOURCE_H
#define TESSERA_UNPACK_UNPACK_SOURCE_H

#include "unpack/unpack_job.h"

// ---------------------------------------------------------------- addresses

// [WrapAddr]: one subtraction, and only beyond the limit.
static inline int64_t tsr_unpack_wrap(const struct tsr_unpack_job *job, int64_t address,
                                      int64_t unit)
{
    return address > job->limit_address * unit ? address - job->fifo_size * unit : address;
}

// The same in bits, and in sixteenths of a byte.
static inline int64_t tsr_unpack_wrap_bits(const struct tsr_unpack_job *job, int64_t bits)
{
    return tsr_unpack_wrap(job, bits, 16 * 8);
}

static inline int64_t tsr_unpack_wrap_16ths(const struct tsr_unpack_job *job, int64_t sixteenths)
{
    return tsr_unpack_wrap(job, sixteenths, 16 * 16);
}

// Once the first addresses are known: whether datums and exponents go on without gaps and wraps.
void tsr_unpack_set_contiguous(struct tsr_unpack_job *job);

// A place in the input: the next datum, and the exponent and the delta that belong to it.
struct tsr_unpack_cursor {
    int64_t datum_bit;
    int64_t exponent_16th;
    int64_t delta_bit;   // of compressed input
    uint32_t done, left; // datums
};

struct tsr_unpack_cursor tsr_unpack_begin(const struct tsr_unpack_job *job);
// How many datums follow without a gap in the datums, the exponents or the deltas.
uint32_t tsr_unpack_run(const struct tsr_unpack_job *job, const struct tsr_unpack_cursor *at);
// Go on by at most tsr_unpack_run() datums.
void tsr_unpack_advance(const struct tsr_unpack_job *job, struct tsr_unpack_cursor *at,
                        uint32_t datums);

// ---------------------------------------------------------------- one datum

// One datum as read. Bytes outside L1 read as 0.
struct tsr_unpack_input {
    uint32_t datum;
    uint8_t exponent;
    bool tainted;   // some byte of it was, or lies outside L1
    bool unwritten; // some byte of it was never written
};

// A byte of L1; outside it is 0. Adds the byte's shadow state to `in`.
uint8_t tsr_unpack_byte(const struct tsr_l1 *l1, int64_t address, struct tsr_unpack_input *in);
struct tsr_unpack_input tsr_unpack_read(const struct tsr_l1 *l1, const struct tsr_unpack_job *job,
                                        const struct tsr_unpack_cursor *at);
// The zeroes after a datum of compressed input; `datum` is their number.
struct tsr_unpack_input tsr_unpack_delta(const struct tsr_l1 *l1,
                                         const struct tsr_unpack_cursor *at);

// ---------------------------------------------------------------- all of it

// What may be wrong with bytes that are read. Those outside L1 are neither written nor tainted.
enum { UNPACK_L1_OUTSIDE = 1, UNPACK_L1_UNWRITTEN = 2, UNPACK_L1_TAINTED = 4 };

struct tsr_unpack_scan {
    uint8_t asked, found;                        // UNPACK_L1_*
    uint32_t outside_address, unwritten_address; // the first ones, if found
};

// Adds what is found in the bytes from `first` to before `end`.
void tsr_unpack_scan_span(struct tsr_unpack_scan *scan, const struct tsr_l1 *l1, int64_t first,
                          int64_t end);
// Adds what is found in the datums, exponents and deltas that the job reads.
void tsr_unpack_scan(struct tsr_unpack_scan *scan, const struct tsr_l1 *l1,
                     const struct tsr_unpack_job *job);

// A contiguous job without a byte outside L1: no need to scan for that.
static inline bool tsr_unpack_all_in_l1(const struct tsr_l1 *l1, const struct tsr_unpack_job *job)
{
    int64_t size = l1->size, count = job->input_datums;
    if (!job->contiguous || job->first_datum_bit < 0 ||
        job->first_datum_bit + count * job->config.datum_bits > size * 8)
        return false;
    return !job->config.l1_exponents ||
           (job->first_exponent_16th >= 0 && job->first_exponent_16th + count <= size * 16);
}

// A contiguous job for a kernel, which lies in L1 if it reads anything, reads written bytes only.
static inline bool tsr_unpack_all_written(const struct tsr_l1 *l1, const struct tsr_unpack_job *job)
{
    uint64_t bits = (uint64_t)job->input_datums * job->config.datum_bits;
    return job->uses_kernel && job->contiguous && job->input_datums > 0 &&
           tsr_l1_all_written(l1, (uint32_t)(job->first_datum_bit / 8), (bits + 7) / 8) &&
           (!job->config.l1_exponents ||
            tsr_l1_all_written(l1, (uint32_t)(job->first_exponent_16th / 16),
                               (job->input_datums + 15) / 16));
}

#endif
