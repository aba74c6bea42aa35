// SPDX-License-Identifier: Apache-2.0
// The datums of a part as they are stored, run by run.
// Pages: Packers/InputAddressGenerator.md, Dst.md.
#ifndef TESSERA_PACK_PACK_SOURCE_H
#define TESSERA_PACK_PACK_SOURCE_H

#include "pack/pack_stream.h"

// Datums that share a row of Dst and a row of the tile.
struct tsr_pack_run {
    uint16_t start; // datum index in Dst
    uint16_t segment;
    uint16_t count; // at most 16
    struct tsr_pack_position at;
};
// How far the datums of a part were taken.
struct tsr_pack_cursor {
    const struct tsr_pack_part *part;
    struct tsr_pack_position at;
    unsigned segment, left;
    uint16_t start;
    bool by_interface, by_datum; // what steps the position, if a stage looks at it
};

void tsr_pack_begin_runs(const struct tsr_env *env, const struct tsr_pack_part *part,
                         struct tsr_pack_cursor *cursor);
static inline bool tsr_pack_runs_end(const struct tsr_pack_cursor *cursor)
{
    return cursor->left == 0 && cursor->segment + 1u >= cursor->part->segments;
}
// At most `room` datums; false: there are no more.
bool tsr_pack_next_run(struct tsr_pack_cursor *cursor, unsigned room, struct tsr_pack_run *run);
// How many contiguous rows can be read in place, and where.
unsigned tsr_pack_next_rows(struct tsr_pack_cursor *cursor, struct tsr_pack_sink *sink,
                            const uint16_t **high, const uint16_t **low);
// Cells of a run, 0 where the row is not valid or the mask is 0. False: a finding stopped the tile.
bool tsr_pack_read_dst(const struct tsr_pack_sink *sink, const struct tsr_pack_run *run,
                       uint16_t mask, uint16_t *high, uint16_t *low, bool *tainted);
// The same from L1: datums `first` and following of the part.
bool tsr_pack_read_l1(struct tsr_pack_sink *sink, unsigned first, unsigned count, uint32_t *datums,
                      bool *tainted);

#endif
