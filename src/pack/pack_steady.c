// SPDX-License-Identifier: Apache-2.0
// Blocks of PACRs whose rows lie in place in Dst, are there, and become lines of L1 that follow
// each other. Most begin a tile in each packer and end it: what they leave there is the same each
// time but for addresses and sizes.
// Pages: PACR.md of each chip, Packers/OutputAddressGenerator.md, Packers/EdgeMasking.md.
#include "pack/pack_steady.h"

#include "pack/pack_address.h"
#include "pack/pack_execute.h"
#include "state/races.h"

// ---------------------------------------------------------------- the tile position

static void make_move(const struct tsr_env *env, const struct tsr_pack_block *block,
                      const struct tsr_pack_part *part, uint16_t x, uint16_t row,
                      struct tsr_pack_move *move)
{
    const struct tsr_pack_edges *edges = &part->config.edges;
    bool transposed = edges->yz_transposed;
    struct tsr_pack_position at = {x, transposed ? 0 : row, transposed ? row : 0};
    unsigned planes = 0;
    if (env->chip->pack_interfaces == 1)
        planes = tsr_pack_step_datums(edges, &at, part->count);
    for (unsigned i = 0; env->chip->pack_interfaces > 1 && i < block->walk.words; i++)
        planes += tsr_pack_step_interfaces(edges, &at, TSR_PACK_SEGMENTS);
    *move = (struct tsr_pack_move){.known = true,
                                   .from_x = x,
                                   .from_row = row,
                                   .to_x = (uint16_t)at.x,
                                   .to_row = (uint16_t)(transposed ? at.z : at.y),
                                   .planes = (uint16_t)planes};
}

void tsr_pack_step_part(struct tsr_env *env, struct tsr_pack_block *block, unsigned p)
{
    const struct tsr_pack_part *part = &block->job.part[p];
    struct tsr_packer *packer = &env->state->packers.packer[part->packer];
    bool transposed = part->config.edges.yz_transposed;
    uint16_t *row = transposed ? &packer->z : &packer->y;
    uint16_t *plane = transposed ? &packer->y : &packer->z;
    struct tsr_pack_move *move = &block->move[p];
    tsr_pack_begin_position(packer);
    if (!move->known || move->from_x != packer->x || move->from_row != *row)
        make_move(env, block, part, packer->x, *row, move);
    packer->x = move->to_x;
    *row = move->to_row;
    *plane = (uint16_t)(*plane + move->planes);
}

// ---------------------------------------------------------------- what packers keep

// What tsr_pack_note_sizes() leaves depends on nothing but the sizes.
static bool leaves_sizes_alone(const struct tsr_pack_job *job)
{
    bool alone = job->last && job->metadata == 0;
    for (unsigned p = 0; p < job->parts; p++)
        alone &= !job->part[p].config.compress && !job->part[p].config.block;
    return alone;
}

// `address`: of what the first packer has written. `begins`: all of them begin a tile.
static __attribute__((noinline)) void leave(struct tsr_env *env, struct tsr_pack_block *block,
                                            uint32_t address, size_t size, bool begins)
{
    const struct tsr_pack_job *job = &block->job;
    for (unsigned p = 0; p < job->parts; p++, address += (uint32_t)size) {
        struct tsr_packer *packer = &env->state->packers.packer[job->part[p].packer];
        tsr_pack_step_part(env, block, p);
        if (!packer->data.has_address)
            tsr_pack_begin_data(packer, address);
        packer->data.has_address = true;
        if (job->closes)
            tsr_pack_release_addresses(packer);
        tsr_pack_skip_lines(&packer->data, size);
        block->output[p].x = packer->x;
        block->output[p].y = packer->y;
        block->output[p].z = packer->z;
    }
    if (job->last && !env->timing)
        tsr_pack_note_sizes(env, job, block->thread);
    block->whole = begins && job->closes && !env->timing && leaves_sizes_alone(job);
}

// The same where it was so the last time, and is again: all of them begin a tile and end it.
static inline void leave_whole(struct tsr_env *env, const struct tsr_pack_block *block,
                               uint32_t address, size_t size)
{
    const struct tsr_pack_output *end = block->output + block->job.parts;
    const unsigned headers = block->job.headers, thread = block->thread;
    const uint16_t lines = (uint16_t)(size / TSR_PACK_LINE);
    for (const struct tsr_pack_output *output = block->output; output < end; output++) {
        struct tsr_packer *packer = &env->state->packers.packer[output->packer];
        uint16_t *sum = &packer->acc_tile_size[thread];
        address += (uint32_t)size;
        packer->x = output->x;
        packer->y = output->y;
        packer->z = output->z;
        packer->data.tainted = false;
        packer->data.address = address;
        packer->data.lines = lines;
        packer->beyond_sixteen = 0;
        packer->all_zero_flags = 0;
        packer->last_tile_size = lines;
        packer->last_thread = (uint8_t)thread;
        *sum = (uint16_t)(*sum + lines + (headers >> output->packer & 1));
    }
}

// ---------------------------------------------------------------- all of it

bool tsr_pack_run_steady(struct tsr_env *env, struct tsr_pack_block *block,
                         const tsr_adc_channel *adc)
{
    const struct tsr_pack_part *part = block->job.part;
    const struct tsr_pack_kernels *kernels = &block->plan[0]->kernels;
    const tsr_pack_mode *mode = &part->config.mode;
    struct tsr_state *state = env->state;
    const unsigned parts = block->job.parts, rows = part->count / 16u;
    const size_t size = tsr_pack_part_bytes(part);
    const uint32_t sum = tsr_pack_output_sum(block->plan[0], adc);
    const uint32_t offset = tsr_pack_output_offset(env, sum);
    const struct tsr_pack_output *output = block->output, *end = output + parts;
    uint32_t address = 0, next = 0, holds = !tsr_pack_is_aligned(sum);
    bool begins = true;
    for (; output < end; output++, next += (uint32_t)size) {
        const struct tsr_packer *packer = &state->packers.packer[output->packer];
        uint32_t data = packer->data.address;
        if (packer->data.has_address)
            begins = false;
        else
            data = tsr_pack_data_address(packer, output, offset);
        holds |= !tsr_pack_is_empty(packer);
        if (output == block->output)
            address = next = data;
        holds |= data ^ next;
    }
    const struct tsr_dst_view view = tsr_dst_at(&state->dst, 0, part->start[0] >> 4, false);
    if (holds != 0 || !tsr_l1_holds(&state->l1, address, parts * size) ||
        tsr_dst_untainted_rows(&state->dst, &view, parts * rows) < parts * rows)
        return false;
    if (block->output[0].packer == 0)
        tsr_pack_note_maximum(&state->packers.packer[0], &part->config.bound, kernels->larger, mode,
                              view.high, NULL, 16 * rows);
    kernels->datums(state->l1.bytes + address, view.high, NULL, 16 * (size_t)(parts * rows), mode);
    tsr_l1_mark(&state->l1, address, parts * size, part->tainted);
    tsr_race_l1(env, true, address, parts * size);
    if (begins && block->whole)
        leave_whole(env, block, address, size);
    else
        leave(env, block, address, size, begins);
    return true;
}
