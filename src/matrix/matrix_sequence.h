// SPDX-License-Identifier: Apache-2.0
// What is kept of a run of instructions that executes as one (matrix_block.h). It ends with the
// first that gives a bank back, so that all of it reads the same two banks. Rows of Dst are those
// that it was made with, and move with where the thread's Dst begins. Pages: RWCs.md, Dst.md.
#ifndef TESSERA_MATRIX_MATRIX_SEQUENCE_H
#define TESSERA_MATRIX_MATRIX_SEQUENCE_H

#include "kernels/kernels.h"
#include "matrix/matrix_job.h"

enum {
    TSR_SEQUENCES = 128,
    TSR_SEQUENCE_WORDS = 32,
    TSR_SEQUENCE_PARTS = 32,
    TSR_SEQUENCE_SPANS = 8
};

enum tsr_matrix_part_kind { TSR_PART_MOVE_A, TSR_PART_MOVE_B, TSR_PART_ELEMENT, TSR_PART_PRODUCT };

// One instruction, or several that are one call of their kernel.
struct tsr_matrix_part {
    uint8_t kind; // enum tsr_matrix_part_kind
    uint8_t row[2];
    uint8_t rows; // of Dst
    uint16_t dst;
    uint8_t op, phase;
    bool accumulate, broadcast_row, broadcast_column;
    bool prepares; // the first with its block of SrcA
    union {
        tsr_move_fn *move;
        tsr_element_fn *element;
        const tsr_dot_kernel *dot;
    } kernel;
};

struct tsr_matrix_rows {
    uint16_t first, count;
};

// With timing on, of a word that writes a block of Dst and no more.
struct tsr_matrix_timed_word {
    uint16_t dst;  // the block's first row
    uint8_t srca;  // row of SrcA
    tsr_rwc after; // counters
};

// All that the decoding of words depends on besides the words.
struct tsr_matrix_sequence_key {
    uint64_t stamp; // of the thread's plan; 0: nothing is made
    tsr_rwc before;
    uint16_t tags; // implied formats of the two banks
};

struct tsr_matrix_sequence {
    struct tsr_matrix_sequence_key from;
    uint32_t made; // which of all that were ever made
    uint8_t words; // 0: the first word does not execute so
    bool ends;     // the word that came next, if any, cannot be part of it
    uint8_t parts;
    uint32_t word[TSR_SEQUENCE_WORDS];
    tsr_rwc after, before_last; // counters after all words, and before the last
    uint8_t waits;              // sides whose bank it waits for
    uint8_t clears, keeps;      // the last instruction's clear-dvalid, and who stays owner
    bool asks;                  // ... which is SETRWC or CLEARDVALID: they wait for no bank
    bool wide;
    bool plain;       // of 16 bits, and no part broadcasts
    bool simple;      // ... and a single move or sum that reads no Dst: `mode` is all of its mode
    bool leaves_row;  // of SrcA, for SHIFTXA
    uint8_t srca_row; // ... this one
    struct tsr_matrix_rows src[2];
    uint16_t dst_offset;         // with which it was made
    uint16_t dst_first, dst_end; // rows of all parts
    uint8_t reads, writes;       // spans of Dst
    struct tsr_matrix_rows read[TSR_SEQUENCE_SPANS], written[TSR_SEQUENCE_SPANS];
    tsr_move_mode move[2];
    bool computes;         // some part is no move
    tsr_element_mode mode; // ... of which this is the mode, but for what the parts have
    struct tsr_matrix_part part[TSR_SEQUENCE_PARTS];
    // With timing on: so many of the first words execute one a cycle if the first of them does not
    // wait; each has its line.
    uint8_t timed_words;
    struct tsr_matrix_timed_word timed[TSR_SEQUENCE_WORDS];
};

#endif
