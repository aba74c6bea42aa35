// SPDX-License-Identifier: Apache-2.0
// Where an unpack's datums and exponents lie in L1, run by run, and what is known about the bytes.
#ifndef TESSERA_UNPACK_UNPACK_SOURCE_H
#define TESSERA_UNPACK_UNPACK_SOURCE_H

#include "unpack/unpack_job.h"

// A place in the input: the next datum, and the exponent and the delta that belong to it.
struct tsr_unpack_cursor {
    int64_t bits;
    int64_t exponents;
    int64_t deltas;      // of compressed input, in bits
    uint32_t done, left; // datums
};

// One datum as read. Bytes outside L1 read as 0.
struct tsr_unpack_input {
    uint32_t datum;
    uint8_t exponent;
    bool tainted;   // some byte of it was, or lies outside L1
    bool unwritten; // some byte of it was never written
};

// A byte of L1; outside it is 0. Adds the byte's story to `in`.
uint8_t tsr_unpack_byte(const struct tsr_l1 *l1, int64_t address, struct tsr_unpack_input *in);

int64_t tsr_unpack_wrap(int64_t address, int64_t limit, int64_t fifo);
struct tsr_unpack_cursor tsr_unpack_begin(const struct tsr_unpack_job *job);
// How many datums follow without a gap in the datums, the exponents or the deltas.
uint32_t tsr_unpack_run(const struct tsr_unpack_job *job, const struct tsr_unpack_cursor *at);
// Go on by at most tsr_unpack_run() datums.
void tsr_unpack_advance(const struct tsr_unpack_job *job, struct tsr_unpack_cursor *at,
                        uint32_t datums);
struct tsr_unpack_input tsr_unpack_read(const struct tsr_l1 *l1, const struct tsr_unpack_job *job,
                                        const struct tsr_unpack_cursor *at);
// The zeroes behind a datum of compressed input; `datum` is their number.
struct tsr_unpack_input tsr_unpack_delta(const struct tsr_l1 *l1,
                                         const struct tsr_unpack_cursor *at);

enum tsr_unpack_question { TSR_ANY_OUTSIDE, TSR_ANY_UNWRITTEN, TSR_ANY_TAINTED };
// Whether that is so for any byte from `first` to before `end`; `address` is the first such byte
// (the first of all, for taint).
bool tsr_unpack_span_is(const struct tsr_l1 *l1, int64_t first, int64_t end,
                        enum tsr_unpack_question question, uint32_t *address);
// The same for the datums, exponents and deltas that the job reads.
bool tsr_unpack_source_is(const struct tsr_l1 *l1, const struct tsr_unpack_job *job,
                          enum tsr_unpack_question question, uint32_t *address);

#endif
