// SPDX-License-Identifier: Apache-2.0
// Behind late conversion: datums of plain formats go to the data stream, those of block formats
// wait until sixteen share an exponent. A block may take its datums from several PACRs.
// Pages: Packers/README.md (pipeline), Packers/FormatConversion.md.
#include "pack/pack_job.h"

#include "base/format_codes.h"

#include <string.h>

static uint32_t *generator(struct pack_sink *sink)
{
    return sink->part->shape.random_blocks ? &sink->env->state->packers.random : NULL;
}

// Without the assembler no exponent is formed, and none is written.
static void assemble(struct pack_sink *sink, uint8_t elements[16])
{
    struct tsr_pack_group *group = &sink->packer->group;
    uint32_t patterns[16];
    uint8_t exponent;
    if (group->unshared) {
        for (unsigned i = 0; i < 16; i++)
            elements[i] = tsr_pack_unshared(group->format, group->pattern[i]);
        return;
    }
    for (unsigned i = 0; i < 16; i++)
        patterns[i] = group->pattern[i];
    tsr_pack_block_rounded(group->format, patterns, generator(sink), &exponent, elements);
    tsr_pack_append_plain(sink, &sink->packer->exponents, &exponent, 1, group->tainted);
}

static void emit_group(struct pack_sink *sink)
{
    struct tsr_pack_group *group = &sink->packer->group;
    uint8_t elements[16], bytes[16] = {0};
    unsigned bits = 8 - tsr_format_block_shift(group->format);
    assemble(sink, elements);
    for (unsigned i = 0; i < 16; i++)
        bytes[i * bits / 8] |= (uint8_t)(elements[i] << (i * bits % 8));
    tsr_pack_append_plain(sink, &sink->packer->data, bytes, 2 * bits, group->tainted);
    group->count = 0;
    group->tainted = false;
}

void tsr_pack_end_group(struct pack_sink *sink)
{
    struct tsr_pack_group *group = &sink->packer->group;
    memset(group->pattern + group->count, 0, (16u - group->count) * sizeof *group->pattern);
    emit_group(sink);
}

static void put_in_group(struct pack_sink *sink, uint32_t pattern, bool tainted)
{
    const struct pack_shape *shape = &sink->part->shape;
    struct tsr_pack_group *group = &sink->packer->group;
    group->format = shape->mode.out_format;
    group->unshared = shape->unshared;
    group->pattern[group->count++] = (uint16_t)pattern;
    group->tainted |= tainted;
    if (group->count == 16)
        emit_group(sink);
}

// A block that was begun in another format ends where the format changes.
static bool group_fits(const struct pack_sink *sink)
{
    const struct pack_shape *shape = &sink->part->shape;
    const struct tsr_pack_group *group = &sink->packer->group;
    return group->count == 0 || (shape->block && group->format == shape->mode.out_format &&
                                 group->unshared == shape->unshared);
}

void tsr_pack_put(struct pack_sink *sink, const uint32_t *patterns, unsigned count, bool tainted)
{
    unsigned size = sink->datum_bytes;
    if (!group_fits(sink))
        tsr_pack_end_group(sink);
    if (sink->part->shape.block) {
        for (unsigned i = 0; i < count; i++)
            put_in_group(sink, patterns[i], tainted);
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        uint8_t bytes[4] = {(uint8_t)patterns[i], (uint8_t)(patterns[i] >> 8),
                            (uint8_t)(patterns[i] >> 16), (uint8_t)(patterns[i] >> 24)};
        tsr_pack_append(sink, &sink->packer->data, bytes, size, tainted);
    }
}
