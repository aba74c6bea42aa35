// SPDX-License-Identifier: Apache-2.0
// What a PACR with Last leaves for SETDMAREG and TDMA-RISC: the size of its tile, the sizes summed
// up for the thread, and an entry of the metadata FIFO. A size counts the lines of 16 bytes that
// went to L1 (docs/errata.md). Page: TDMA-RISC.md.
#include "pack/pack_job.h"

static void push_metadata(struct tsr_packer *packer)
{
    if (packer->metadata_count >= DEPTH_TDMA_METADATA)
        return; // a full FIFO takes nothing
    unsigned at = (packer->metadata_first + packer->metadata_count) % TSR_METADATA_MAX;
    packer->metadata[at] =
        (struct tsr_tile_metadata){packer->last_tile_size, packer->all_zero_flags};
    packer->metadata_count++;
}

void tsr_pack_complete(struct tsr_env *env, struct tsr_inflight *inst)
{
    const struct pack_job *job = (const struct pack_job *)inst->job;
    for (unsigned p = 0; job->last && p < job->parts; p++) {
        const struct pack_part *part = &job->part[p];
        struct tsr_packer *packer = &env->state->packers.packer[part->packer];
        unsigned bit = 1u << part->packer;
        unsigned lines = packer->data.lines;
        if (part->shape.block)
            lines += packer->exponents.lines;
        if (part->shape.compress)
            lines += packer->row_starts.lines;
        packer->last_tile_size = (uint16_t)lines;
        packer->last_thread = inst->thread;
        packer->acc_tile_size[inst->thread] =
            (uint16_t)(packer->acc_tile_size[inst->thread] + packer->last_tile_size +
                       ((job->headers & bit) != 0));
        if (job->metadata & bit)
            push_metadata(packer);
    }
}

_Static_assert((int)DEPTH_TDMA_METADATA <= (int)TSR_METADATA_MAX, "a FIFO has room for its depth");
