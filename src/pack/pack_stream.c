// SPDX-License-Identifier: Apache-2.0
// The buffers before L1: bytes are collected into aligned lines of 16 and written, or added to what
// L1 holds (Pack_L1_Acc: write_lines(); the sums are kernels/accumulate_*.h, the reference's
// numerics/l1_accumulate.c). A flush pads a partial line with zeroes.
// Page: Packers/OutputAddressGenerator.md (output alignment).
#include "pack/pack_stream.h"

#include "pack/pack_report.h"
#include "state/races.h"

#include <string.h>

void tsr_pack_begin_stream(struct tsr_pack_stream *stream, uint32_t address)
{
    stream->address = address;
    stream->filled = 0;
    stream->tainted = false;
    stream->lines = 0;
}

// The buffer holds nothing but what waits, however the bytes came.
static void next_line(struct tsr_pack_stream *stream)
{
    memset(stream->buffer, 0, sizeof stream->buffer);
    stream->address += TSR_PACK_LINE;
    stream->filled = 0;
    stream->tainted = false;
    stream->lines++;
}

// Bytes after the end of L1 are dropped.
static void write_lines(struct tsr_pack_sink *sink, uint32_t address, const uint8_t *bytes,
                        size_t size, bool tainted)
{
    struct tsr_env *env = sink->env;
    struct tsr_l1 *l1 = &env->state->l1;
    if (!tsr_l1_holds(l1, address, size)) {
        if (!sink->write_overflowed)
            tsr_pack_report_l1(env, sink->inst, TSR_PACK_ANOMALY_L1_WRITE_RANGE,
                               address > l1->size ? address : (uint32_t)l1->size);
        sink->write_overflowed = true;
        if (env->findings->stopped || address >= l1->size)
            return;
        size = l1->size - address;
    }
    tsr_race_l1(env, true, address, size);
    if (!sink->accumulate) {
        tsr_l1_put(l1, address, bytes, size, tainted);
        return;
    }
    if (!tsr_l1_all_written(l1, address, size) &&
        tsr_pack_report_l1(env, sink->inst, TSR_PACK_ANOMALY_UNWRITTEN_SUM, address) == TSR_HALT)
        return;
    tainted |= tsr_l1_any_tainted(l1, address, size);
    sink->accumulate(l1->bytes + address, bytes, size / sink->datum_bytes, sink->format);
    tsr_l1_mark(l1, address, size, tainted);
}

uint8_t *tsr_pack_lines(const struct tsr_pack_sink *sink, const struct tsr_pack_stream *stream,
                        size_t size)
{
    struct tsr_l1 *l1 = &sink->env->state->l1;
    if (sink->accumulate || stream->filled > 0 || size % TSR_PACK_LINE ||
        !tsr_l1_holds(l1, stream->address, size))
        return NULL;
    return l1->bytes + stream->address;
}

void tsr_pack_wrote_lines(struct tsr_pack_sink *sink, struct tsr_pack_stream *stream, size_t size,
                          bool tainted)
{
    tsr_l1_mark(&sink->env->state->l1, stream->address, size, tainted);
    tsr_race_l1(sink->env, true, stream->address, size);
    tsr_pack_skip_lines(stream, size);
}

void tsr_pack_append(struct tsr_pack_sink *sink, struct tsr_pack_stream *stream,
                     const uint8_t *bytes, size_t size, bool tainted)
{
    if (stream->filled == 0 && size >= TSR_PACK_LINE) {
        size_t whole = size & ~(size_t)(TSR_PACK_LINE - 1);
        write_lines(sink, stream->address, bytes, whole, tainted);
        tsr_pack_skip_lines(stream, whole);
        bytes += whole;
        size -= whole;
    }
    while (size > 0) {
        size_t room = (size_t)(TSR_PACK_LINE - stream->filled);
        size_t count = size < room ? size : room;
        memcpy(stream->buffer + stream->filled, bytes, count);
        stream->filled = (uint8_t)(stream->filled + count);
        stream->tainted |= tainted;
        bytes += count;
        size -= count;
        if (stream->filled == TSR_PACK_LINE) {
            write_lines(sink, stream->address, stream->buffer, TSR_PACK_LINE, stream->tainted);
            next_line(stream);
        }
    }
}

void tsr_pack_flush(struct tsr_pack_sink *sink, struct tsr_pack_stream *stream)
{
    if (stream->filled == 0)
        return;
    memset(stream->buffer + stream->filled, 0, (size_t)(TSR_PACK_LINE - stream->filled));
    write_lines(sink, stream->address, stream->buffer, TSR_PACK_LINE, stream->tainted);
    next_line(stream);
}

void tsr_pack_append_overwriting(struct tsr_pack_sink *sink, struct tsr_pack_stream *stream,
                                 const uint8_t *bytes, size_t size, bool tainted)
{
    tsr_accumulate_fn *accumulate = sink->accumulate;
    sink->accumulate = NULL;
    tsr_pack_append(sink, stream, bytes, size, tainted);
    sink->accumulate = accumulate;
}

void tsr_pack_flush_overwriting(struct tsr_pack_sink *sink, struct tsr_pack_stream *stream)
{
    tsr_accumulate_fn *accumulate = sink->accumulate;
    sink->accumulate = NULL;
    tsr_pack_flush(sink, stream);
    sink->accumulate = accumulate;
}
