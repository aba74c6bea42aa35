// SPDX-License-Identifier: Apache-2.0
// Random sequences of PACRs that the pages define, and what each of them covers.
// Pages: as pacr_model.h.
#ifndef TESTS_ORACLE_PACR_CASES_H
#define TESTS_ORACLE_PACR_CASES_H

#include "oracle/pacr_model.h"

enum { PACR_STEPS = 8 };

struct pacr_step {
    struct pacr_config config;
    struct pacr_adc adc[3][2];
    int thread;
    struct pacr_word word;
    bool clear; // CLREXPHIST before it
    bool tdma;  // a store to TDMA-RISC before it
    uint32_t tdma_value;
};

struct pacr_case {
    bool blackhole;
    bool burst; // all PACRs are pushed at once
    unsigned count;
    struct pacr_step step[PACR_STEPS];
};

// name, on which chips: 1 WH, 2 BH, 3 both
// clang-format off
#define PACR_PATHS(P)                                                                              \
    P(DST16, "16-bit Dst", 3) P(DST32, "32-bit Dst", 3) P(INVALID, "rows that are not valid", 3)   \
    P(ROW512, "32-bit rows from 512 on", 3) P(PART_ROW, "X not from 0", 3)                         \
    P(ONE, "packer 0 by mask 0", 1) P(PACKER0, "packer 0 alone", 1)                                \
    P(PACKER1, "packer 1 alone", 1) P(PACKER2, "packer 2 alone", 1)                                \
    P(PACKER3, "packer 3 alone", 1) P(LOWER, "packers 0 and 1", 1) P(UPPER, "packers 2 and 3", 1)  \
    P(ALL, "all packers", 1) P(INTF0, "interfaces 0 (all)", 2) P(INTF1, "interfaces 0001", 2)      \
    P(INTF2, "interfaces 0010", 2) P(INTF3, "interfaces 0011", 2) P(INTF4, "interfaces 0100", 2)   \
    P(INTF5, "interfaces 0101", 2) P(INTF6, "interfaces 0110", 2) P(INTF7, "interfaces 0111", 2)   \
    P(INTF8, "interfaces 1000", 2) P(INTF9, "interfaces 1001", 2) P(INTF10, "interfaces 1010", 2)  \
    P(INTF11, "interfaces 1011", 2) P(INTF12, "interfaces 1100", 2)                                \
    P(INTF13, "interfaces 1101", 2) P(INTF14, "interfaces 1110", 2)                                \
    P(INTF15, "interfaces 1111", 2) P(UNALIGNED, "start row not a multiple of 4", 2)               \
    P(STRIDED, "rows 16 apart", 2) P(REMAP, "remap_addrs", 2) P(SWIZZLE, "swizzle_32b", 2)         \
    P(AUTO, "selection cut at the plane's end", 2) P(PAD1, "RowPadZero 1", 2)                      \
    P(PAD2, "RowPadZero 2", 2) P(PAD3, "RowPadZero 3", 2) P(PAD5, "RowPadZero 5", 2)               \
    P(PAD6, "RowPadZero 6", 2) P(PAD7, "RowPadZero 7", 2)                                          \
    P(OVERRIDE, "Dstacc_override", 3) P(RELU0, "ReLU off", 3) P(RELU1, "ReLU to zero", 3)          \
    P(RELU2, "ReLU, minimum", 3) P(RELU3, "ReLU, maximum", 3)                                      \
    P(ROW_SETS, "row sets, zero", 3) P(ROW_SETS_INF, "row sets, minus infinity", 3)                \
    P(FACE_SETS, "face sets, zero", 3) P(FACE_SETS_INF, "face sets, minus infinity", 3)            \
    P(Z_OFFSET, "face sets with ZOffset", 3) P(TRANSPOSED, "Y and Z transposed", 3)                \
    P(PLANE, "position reaches a new plane", 3) P(THRESHOLD, "exponent threshold", 3)              \
    P(DOWNSAMPLE, "downsampling", 3) P(STATISTICS, "histogram on", 3) P(CLEAR, "CLREXPHIST", 3)    \
    P(DESCALE, "INT_DESCALE", 3) P(DESCALE_Z, "INT_DESCALE by Z", 3)                               \
    P(COMPRESS4, "compression, 4 bits", 3) P(COMPRESS8, "compression, 8 bits", 3)                  \
    P(COMPRESS16, "compression, 16 bits", 3) P(COMPRESS32, "compression, 32 bits", 3)              \
    P(CONCAT, "compressed row goes on", 3) P(COMPRESS_ALL, "compression by override", 1)           \
    P(ZERO_WRITE, "ZeroWrite", 3) P(L1_SOURCE, "L1 source", 3)                                     \
    P(L1_AND_DST, "L1 source beside Dst", 1) P(ACC_FP32, "accumulate FP32", 3)                     \
    P(ACC_FP16, "accumulate FP16", 3) P(ACC_BF16, "accumulate BF16", 3)                            \
    P(ACC_INT32, "accumulate INT32", 3) P(OFFSET, "Add_l1_dest_addr_offset", 3)                    \
    P(WRAPS, "circular output wraps", 3) P(AT_LIMIT, "circular output at its limit", 3)            \
    P(RELATIVE, "addresses relative to packer 0", 1) P(YZW1, "L1 counters", 3)                     \
    P(YSRC_CR, "Ysrc carriage return", 3) P(YDST_CR, "Ydst carriage return", 3)                    \
    P(SRC_CLEAR, "source counters cleared", 3) P(DST_CLEAR, "L1 counters cleared", 3)              \
    P(OVRD, "counters of a thread by number", 3) P(OVRD3, "counters of thread 3 (0)", 3)           \
    P(LAST, "Last", 3) P(FLUSH, "Flush", 3) P(APPEND, "appends to an open section", 3)             \
    P(PART_BLOCK, "block that one PACR does not fill", 3) P(ODD, "count not a multiple of 16", 3)  \
    P(NO_HEADER, "Sub_l1_tile_header_size", 3) P(ADD_HEADER, "Add_tile_header_size", 3)            \
    P(OUT_FIFO, "Enable_out_fifo", 3) P(BANK1, "configuration bank 1", 3)                          \
    P(E4M3, "FP8 with four exponent bits", 2) P(ROUND10, "Round_10b_mant", 3)                      \
    P(RAW, "Read_raw", 3)                                                                          \
    P(TWO_FORMATS, "packers with different outputs", 1)                                            \
    P(MIXED, "In_data_format of another name", 3) P(L1_WIDTH, "L1 source of another width", 3)     \
    P(BURST, "several PACRs at once", 3) P(CONTEXT, "CfgContext", 2)                               \
    P(TRACKED, "CtxtCtrl 1", 2) P(UNTRACK, "CtxtCtrl 2", 2) P(TRACKED3, "CtxtCtrl 3", 2)           \
    P(BY_PLANES, "context moves by planes", 2) P(LONG_ZERO, "ZeroWrite without interfaces", 2)     \
    P(NO_FLAGS, "Disable_pack_zero_flags", 3) P(LONG, "more than 256 datums", 1)           \
    P(PAST_L1, "output past the end of L1", 3) P(FROM_PAST_L1, "source past the end of L1", 3)
// clang-format on

enum pacr_path {
#define P(name, text, chips) PACR_PATH_##name,
    PACR_PATHS(P)
#undef P
        PACR_PATH_COUNT
};

struct pacr_counts {
    uint64_t words, cases, undefined;
    uint64_t path[PACR_PATH_COUNT];
    uint64_t pair[2][KIND_COUNT][16]; // width of Dst, intermediate kind, output
    uint64_t special[10], result[4], tdma;
};

const char *pacr_path_name(unsigned path);
unsigned pacr_path_chips(unsigned path);

// A configuration of the early and late conversions that the pages have.
struct pacr_pair {
    struct pacr_early early;
    unsigned in;
    bool e4m3;
};

// Pairs that make the same conversion.
struct pacr_class {
    unsigned first, count;
};

struct pacr_maker {
    struct pacr_model *m; // advances while a case is made
    uint64_t random;
    struct pacr_case now;
    struct pacr_pair pair[2][4000];
    unsigned pairs[2];
    struct pacr_class class[2][400];
    unsigned classes[2];
    uint64_t next_class;
    // Of the case in the making.
    unsigned features, bank;
    const struct pacr_pair *formats;
    uint32_t place[PACR_PACKERS];
    bool wraps[PACR_PACKERS];
};

void pacr_maker_begin(struct pacr_maker *g, uint64_t seed, unsigned cases);
// Fills g->now and leaves the model in the state after it. False: the pages do not define it.
bool pacr_make(struct pacr_maker *g);
void pacr_apply(struct pacr_model *m, const struct pacr_step *step); // all but the PACR
// What a case covers, counted when the model stands before each step.
void pacr_note(struct pacr_counts *counts, const struct pacr_model *m,
               const struct pacr_step *step);
void pacr_fill_dst(struct pacr_maker *g, struct pacr_model *m);
void pacr_fill_l1(struct pacr_maker *g, struct pacr_model *m);

#endif
