// SPDX-License-Identifier: Apache-2.0
// The buffers before L1: bytes are collected into aligned lines of 16 and written, or merged with
// what L1 holds, a line at a time. A flush pads a begun line with zeroes.
// Page: Packers/OutputAddressGenerator.md (output alignment).
#include "pack/pack_job.h"

#include <string.h>

void tsr_pack_place(struct tsr_pack_stream *stream, uint32_t address)
{
    stream->address = address;
    stream->filled = 0;
    stream->tainted = false;
    stream->lines = 0;
}

static void next_line(struct tsr_pack_stream *stream)
{
    stream->address += TSR_PACK_LINE;
    stream->filled = 0;
    stream->tainted = false;
    stream->lines++;
}

// How many of the lines' bytes lie in L1; the others are dropped.
static size_t fitting(struct pack_sink *sink, uint32_t address, size_t size)
{
    const struct tsr_l1 *l1 = &sink->env->state->l1;
    if (tsr_l1_holds(l1, address, size))
        return size;
    if (!sink->overflowed)
        tsr_report(sink->env, FINDING_L1_OUT_OF_RANGE, sink->inst, NULL,
                   "The packer writes at 0x%x, behind L1's %u bytes.",
                   (unsigned)(address > l1->size ? address : l1->size), (unsigned)l1->size);
    sink->overflowed = true;
    return !sink->env->findings->stopped && address < l1->size ? l1->size - address : 0;
}

static void write_lines(struct pack_sink *sink, uint32_t address, const uint8_t *bytes, size_t size,
                        bool tainted)
{
    struct tsr_l1 *l1 = &sink->env->state->l1;
    size = fitting(sink, address, size);
    if (size == 0)
        return;
    if (!sink->merge) {
        tsr_l1_put(l1, address, bytes, size, tainted);
        return;
    }
    if (!tsr_l1_all_written(l1, address, size) &&
        tsr_report(sink->env, FINDING_UNINITIALISED_L1, sink->inst, NULL,
                   "Pack_L1_Acc adds to L1 at 0x%x, which was never written.",
                   (unsigned)address) == TSR_HALT)
        return;
    tainted |= tsr_l1_any_tainted(l1, address, size);
    sink->merge(l1->bytes + address, bytes, size / sink->datum_bytes, sink->format);
    tsr_l1_mark(l1, address, size, tainted);
}

uint8_t *tsr_pack_lines(const struct pack_sink *sink, const struct tsr_pack_stream *stream,
                        size_t size)
{
    struct tsr_l1 *l1 = &sink->env->state->l1;
    if (sink->merge || stream->filled > 0 || size % TSR_PACK_LINE ||
        !tsr_l1_holds(l1, stream->address, size))
        return NULL;
    return l1->bytes + stream->address;
}

void tsr_pack_wrote_lines(struct pack_sink *sink, struct tsr_pack_stream *stream, size_t size,
                          bool tainted)
{
    tsr_l1_mark(&sink->env->state->l1, stream->address, size, tainted);
    tsr_pack_skip_lines(stream, size);
}

void tsr_pack_append(struct pack_sink *sink, struct tsr_pack_stream *stream, const uint8_t *bytes,
                     size_t size, bool tainted)
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

void tsr_pack_flush(struct pack_sink *sink, struct tsr_pack_stream *stream)
{
    if (stream->filled == 0)
        return;
    memset(stream->buffer + stream->filled, 0, (size_t)(TSR_PACK_LINE - stream->filled));
    write_lines(sink, stream->address, stream->buffer, TSR_PACK_LINE, stream->tainted);
    next_line(stream);
}

void tsr_pack_append_plain(struct pack_sink *sink, struct tsr_pack_stream *stream,
                           const uint8_t *bytes, size_t size, bool tainted)
{
    tsr_merge_fn *merge = sink->merge;
    sink->merge = NULL;
    tsr_pack_append(sink, stream, bytes, size, tainted);
    sink->merge = merge;
}

void tsr_pack_flush_plain(struct pack_sink *sink, struct tsr_pack_stream *stream)
{
    tsr_merge_fn *merge = sink->merge;
    sink->merge = NULL;
    tsr_pack_flush(sink, stream);
    sink->merge = merge;
}
