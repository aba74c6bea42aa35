// SPDX-License-Identifier: Apache-2.0
// After late conversion: datums of block formats wait until sixteen share an exponent, others go to
// the data stream. A block may take its datums from several PACRs.
// Pages: Packers/README.md (pipeline), Packers/FormatConversion.md.
#include "pack/pack_assembly.h"

#include "base/format_codes.h"

#include <string.h>

// Without the assembler no exponent is formed, and none is written.
static void emit_group(struct tsr_pack_sink *sink)
{
    struct tsr_pack_group *group = &sink->packer->group;
    uint8_t elements[16], bytes[16] = {0};
    if (group->unshared) {
        for (unsigned i = 0; i < 16; i++)
            elements[i] = tsr_pack_unshared(group->format, group->pattern[i]);
    } else {
        bool stochastic = sink->part->config.random_blocks;
        uint32_t patterns[16], *random = stochastic ? &sink->env->state->packers.random : NULL;
        uint8_t exponent;
        for (unsigned i = 0; i < 16; i++)
            patterns[i] = group->pattern[i];
        tsr_pack_block_rounded(group->format, patterns, random, &exponent, elements);
        tsr_pack_append_overwriting(sink, &sink->packer->exponents, &exponent, 1, group->tainted);
    }
    unsigned bits = 8 - tsr_format_block_shift(group->format);
    for (unsigned i = 0; i < 16; i++)
        bytes[i * bits / 8] |= (uint8_t)(elements[i] << (i * bits % 8));
    tsr_pack_append_overwriting(sink, &sink->packer->data, bytes, 2 * bits, group->tainted);
    group->count = 0;
    group->tainted = false;
}

void tsr_pack_end_group(struct tsr_pack_sink *sink)
{
    struct tsr_pack_group *group = &sink->packer->group;
    memset(group->pattern + group->count, 0, (16u - group->count) * sizeof *group->pattern);
    emit_group(sink);
}

void tsr_pack_put(struct tsr_pack_sink *sink, const uint32_t *patterns, unsigned count,
                  bool tainted)
{
    const struct tsr_pack_config *config = &sink->part->config;
    struct tsr_pack_group *group = &sink->packer->group;
    uint8_t format = config->mode.out_format;
    // A partial block of another format ends here.
    if (group->count > 0 &&
        !(config->block && group->format == format && group->unshared == config->unshared_exponent))
        tsr_pack_end_group(sink);
    if (!config->block) {
        for (unsigned i = 0; i < count; i++) {
            uint8_t bytes[4] = {(uint8_t)patterns[i], (uint8_t)(patterns[i] >> 8),
                                (uint8_t)(patterns[i] >> 16), (uint8_t)(patterns[i] >> 24)};
            tsr_pack_append(sink, &sink->packer->data, bytes, sink->datum_bytes, tainted);
        }
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        group->format = format;
        group->unshared = config->unshared_exponent;
        group->pattern[group->count++] = (uint16_t)patterns[i];
        group->tainted |= tainted;
        if (group->count == 16)
            emit_group(sink);
    }
}
