// SPDX-License-Identifier: Apache-2.0
// The streams of bytes that a packer writes to L1 in lines of 16.
// Page: Packers/OutputAddressGenerator.md.
#ifndef TESSERA_PACK_PACK_STREAM_H
#define TESSERA_PACK_PACK_STREAM_H

#include "kernels/kernels.h"
#include "pack/pack_job.h"
#include "state/state.h"

// Where the datums of a part go.
struct tsr_pack_sink {
    struct tsr_env *env;
    const struct tsr_inflight *inst;
    const struct tsr_pack_job *job;
    const struct tsr_pack_part *part;
    struct tsr_packer *packer;
    tsr_accumulate_fn *accumulate; // NULL: L1 is overwritten
    uint8_t format, datum_bytes;
    bool read_overflowed, write_overflowed; // reported once
};

void tsr_pack_begin_stream(struct tsr_pack_stream *stream, uint32_t address);
// After whole lines that were written.
static inline void tsr_pack_skip_lines(struct tsr_pack_stream *stream, size_t size)
{
    stream->address += (uint32_t)size;
    stream->lines = (uint16_t)(stream->lines + size / TSR_PACK_LINE);
}
void tsr_pack_append(struct tsr_pack_sink *sink, struct tsr_pack_stream *stream,
                     const uint8_t *bytes, size_t size, bool tainted);
void tsr_pack_flush(struct tsr_pack_sink *sink, struct tsr_pack_stream *stream);
// The same where L1 is overwritten even if datums are accumulated.
void tsr_pack_append_overwriting(struct tsr_pack_sink *sink, struct tsr_pack_stream *stream,
                                 const uint8_t *bytes, size_t size, bool tainted);
void tsr_pack_flush_overwriting(struct tsr_pack_sink *sink, struct tsr_pack_stream *stream);
// Where the stream's next `size` bytes lie in L1, if they are whole lines there that are
// overwritten; else NULL. After writing them call tsr_pack_wrote_lines().
uint8_t *tsr_pack_lines(const struct tsr_pack_sink *sink, const struct tsr_pack_stream *stream,
                        size_t size);
void tsr_pack_wrote_lines(struct tsr_pack_sink *sink, struct tsr_pack_stream *stream, size_t size,
                          bool tainted);

#endif
