// SPDX-License-Identifier: Apache-2.0
// Two tiles with timing on (lone_pair.h) whose unpackers bring faces, and words for faces.
#ifndef TESSERA_TESTS_RIG_LONE_FACES_H
#define TESSERA_TESTS_RIG_LONE_FACES_H

#include "rig/face_rig.h"
#include "rig/lone_pair.h"

// Their unpackers bring faces of BF16, and all banks of Src are the unpackers'.
static inline void pair_unpackers(struct pair *pair)
{
    enum { IN_BYTES = 4 * FACE_BYTES };
    uint8_t bytes[IN_BYTES];
    for (unsigned i = 0; i < IN_BYTES; i++)
        bytes[i] = (uint8_t)(i % 2 ? 0x3f : i * 5);
    for (int way = 0; way < 2; way++) {
        face_unpacker(pair->tile[way]);
        for (int i = 0; i < 4; i++)
            tile_state(pair->tile[way])->src[i / 2].bank[i % 2].matrix_owns = false;
        assert_int_equal(tsr_l1_write(pair->tile[way], FACE_A, bytes, IN_BYTES), TSR_OK);
        assert_int_equal(tsr_l1_write(pair->tile[way], FACE_B, bytes, IN_BYTES), TSR_OK);
    }
}

static inline struct pair pair_with_unpackers(int arch, tsr_profile profile)
{
    struct pair pair = pair_with(arch, profile);
    pair_unpackers(&pair);
    return pair;
}

static const char set_x[] = "SETADCXX CntSetMask=7 x_end2=255";
static const char set_short_x[] = "SETADCXX CntSetMask=7 x_end2=15";
static const char rewind_z[] = "SETADCZW CntSetMask=3 BitMask=15";
static const char unpack_a[] = "UNPACR OvrdThreadId=1 SetDatValid=1 AddrMode=1";
static const char unpack_b[] =
    "UNPACR Unpack_block_selection=1 OvrdThreadId=1 SetDatValid=1 AddrMode=1";
static const char move[] = "MOVA2D instr_mod=2", give_a[] = "SETRWC BitMask=1 clear_ab_vld=1";
static const char give_both[] = "SETRWC BitMask=3 clear_ab_vld=3";
static const char pack_last[] = "PACR PackSel=1 Last=1";

// The lines in turn, `times` of each text that is the first of its kind; cut after some numbers of
// cycles or words. How many words went in blocks.
static inline uint64_t run_faces(int arch, const char *const *lines, int times, const char *x)
{
    static const uint8_t cuts[] = {0, 1, 2, 3, 4, 5, 7, 9, 11, 13, 24};
    uint64_t most = 0;
    for (size_t cut = 0; cut < 2 * sizeof cuts; cut++) {
        struct pair pair = pair_with_unpackers(arch, TSR_PROFILE_SILICON);
        pair.by_words = cut % 2;
        for (int again = 0; again < 3 && !pair.stuck; again++) {
            push(&pair, 0, x, 1);
            push(&pair, 0, rewind_z, 1);
            for (int i = 0; i < times; i++)
                for (const char *const *line = lines; *line; line++)
                    push(&pair, 0, *line, 1);
            uint64_t in_blocks = run(&pair, cuts[cut / 2], lines[0]);
            most = in_blocks > most ? in_blocks : most;
        }
        pair_free(&pair);
    }
    return most;
}

#endif
