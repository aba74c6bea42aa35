// SPDX-License-Identifier: Apache-2.0
// Blocks of PACRs whose rows lie in place in Dst, are there, and become lines of L1 that follow
// each other. Most begin a tile in each packer and end it, so what they leave there is the same
// each time but for addresses. Of one packer, others begin or end within the tile.
// Pages: PACR.md of each chip, Packers/OutputAddressGenerator.md, Packers/EdgeMasking.md.
#include "pack/pack_steady.h"

#include "pack/pack_address.h"
#include "pack/pack_execute.h"
#include "state/races.h"

// ---------------------------------------------------------------- the tile position

// Where the tile position of a part's packer goes in all words of the walk, from there on.
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

// ---------------------------------------------------------------- is it steady?

// Rows of 16 bits that lie in place, no metadata: then what tsr_pack_note_sizes() leaves depends on
// nothing but the sizes.
bool tsr_pack_is_steady(const struct tsr_env *env, struct tsr_pack_block *block)
{
    const struct tsr_pack_job *job = &block->job;
    if (!block->data_only || job->metadata != 0 || job->dst_order != 0 ||
        job->part[0].config.mode.read_32b)
        return false;
    for (unsigned p = 0; job->last && p < job->parts; p++) {
        const struct tsr_pack_part *part = &job->part[p];
        struct tsr_pack_output *output = &block->output[p];
        struct tsr_pack_move *move = &block->move[p];
        bool transposed = part->config.edges.yz_transposed;
        if (!move->known || move->from_x != 0 || move->from_row != 0)
            make_move(env, block, part, 0, 0, move);
        output->header = job->headers >> output->packer & 1;
        output->x = move->to_x;
        output->y = transposed ? move->planes : move->to_row;
        output->z = transposed ? move->to_row : move->planes;
    }
    return true;
}

// ---------------------------------------------------------------- rows

// Converts rows of all parts to L1, which has room. They are written and untainted.
static inline void move_rows(struct tsr_env *env, const struct tsr_pack_block *block,
                             const uint16_t *cells, unsigned rows, uint32_t address, size_t size)
{
    const struct tsr_pack_part *part = block->job.part;
    const struct tsr_pack_kernels *kernels = &block->plan[0]->kernels;
    const tsr_pack_mode *mode = &part->config.mode;
    struct tsr_state *state = env->state;
    if (block->packers & 1)
        tsr_pack_note_maximum(&state->packers.packer[0], &part->config.bound, kernels->larger, mode,
                              cells, NULL, part->count);
    kernels->datums(state->l1.bytes + address, cells, NULL, 16 * (size_t)rows, mode);
    tsr_l1_mark(&state->l1, address, size, part->tainted);
    tsr_race_l1(env, true, address, size);
}

// ---------------------------------------------------------------- whole tiles

// What packers keep when each has begun a tile and ended it. `address`: where the first one's data
// began.
static inline void leave_tiles(struct tsr_env *env, const struct tsr_pack_block *block,
                               uint32_t address, size_t size)
{
    const struct tsr_pack_output *end = block->output + block->job.parts;
    const unsigned thread = block->thread;
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
        if (TSR_RARELY(env->timing))
            continue; // sizes come when it completes
        packer->last_tile_size = lines;
        packer->last_thread = (uint8_t)thread;
        *sum = (uint16_t)(*sum + lines + output->header);
    }
}

bool tsr_pack_run_steady(struct tsr_env *env, struct tsr_pack_block *block,
                         const tsr_adc_channel *adc)
{
    if (!tsr_pack_are_idle(env, block->packers))
        return false;
    const struct tsr_pack_part *part = block->job.part;
    struct tsr_state *state = env->state;
    const unsigned parts = block->job.parts, rows = part->count / 16u;
    const size_t size = tsr_pack_part_bytes(part);
    const uint32_t sum = tsr_pack_output_sum(block->plan[0], adc);
    const uint32_t offset = tsr_pack_output_offset(env, sum);
    const struct tsr_pack_output *output = block->output, *end = output + parts;
    const uint32_t address = tsr_pack_data_address(state->packers.packer, output, offset);
    uint32_t next = address, apart = !tsr_pack_is_aligned(sum);
    while (++output < end) {
        next += (uint32_t)size;
        apart |= next ^ tsr_pack_data_address(state->packers.packer, output, offset);
    }
    const unsigned row = part->start[0] >> 4;
    const uint16_t *cells = state->dst.bits[row];
    if (apart != 0 || !tsr_l1_holds(&state->l1, address, parts * size) ||
        !tsr_dst_plain_untainted(&state->dst, row, parts * rows))
        return false;
    move_rows(env, block, cells, parts * rows, address, parts * size);
    leave_tiles(env, block, address, size);
    return true;
}

// ---------------------------------------------------------------- pieces of tiles

bool tsr_pack_run_piece(struct tsr_env *env, struct tsr_pack_block *block,
                        const tsr_adc_channel *adc)
{
    const struct tsr_pack_job *job = &block->job;
    const struct tsr_pack_part *part = job->part;
    struct tsr_state *state = env->state;
    struct tsr_packer *packer = &state->packers.packer[part->packer];
    const unsigned rows = part->count / 16u, row = part->start[0] >> 4;
    const size_t size = tsr_pack_part_bytes(part);
    const uint32_t sum = tsr_pack_output_sum(block->plan[0], adc);
    const bool begins = !packer->data.has_address;
    const uint32_t address = begins ? tsr_pack_data_address(state->packers.packer, block->output,
                                                            tsr_pack_output_offset(env, sum))
                                    : packer->data.address;
    if (!tsr_pack_is_aligned(sum) || !tsr_pack_holds_nothing(packer) ||
        !tsr_l1_holds(&state->l1, address, size) ||
        !tsr_dst_plain_untainted(&state->dst, row, rows))
        return false;
    move_rows(env, block, state->dst.bits[row], rows, address, size);
    tsr_pack_step_part(env, block, 0);
    if (begins)
        tsr_pack_begin_data(packer, address);
    tsr_pack_skip_lines(&packer->data, size);
    packer->data.has_address = true;
    env->pack_plans->idle &= (uint8_t)~block->packers;
    if (!job->last)
        return true;
    tsr_pack_release_addresses(packer);
    env->pack_plans->idle |= block->packers;
    if (!TSR_RARELY(env->timing))
        tsr_pack_note_sizes(env, job, block->thread);
    return true;
}
