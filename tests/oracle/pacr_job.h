// SPDX-License-Identifier: Apache-2.0
// The inside of the model: one PACR in one packer, and the datums that it fetches.
// Pages: as pacr_model.h.
#ifndef TESTS_ORACLE_PACR_JOB_H
#define TESTS_ORACLE_PACR_JOB_H

#include "oracle/pacr_model.h"

// One PACR in one packer.
struct pacr_job {
    struct pacr_model *m;
    const struct pacr_word *word;
    struct pacr_packer *packer;
    unsigned which, bank;
    unsigned section; // of configuration: the packer's, or Blackhole's context
    const uint32_t *own, *shared;
    struct pacr_early early;
    enum pacr_kind kind; // that late conversion meets
    uint32_t x, count;
    uint32_t source; // datum of Dst, or byte of L1
    unsigned datum_bytes;
    unsigned interfaces; // Blackhole: a bit for each
    bool statistics, plane;
};

static inline void pacr_anomaly(struct pacr_model *m, const char *what)
{
    if (!m->anomaly)
        m->anomaly = what;
}

// A datum of Dst after ReLU and threshold, at position y and z; `number` counts those of the PACR.
struct pacr_datum pacr_fetch_dst(struct pacr_job *j, unsigned row, unsigned column, uint32_t y,
                                 uint32_t z, unsigned number);
struct pacr_datum pacr_fetch_l1(struct pacr_job *j, uint32_t address);
// Wormhole: the tile position, once a datum.
void pacr_advance(struct pacr_job *j);
// Blackhole: once a PACR, by the rows that it read. True: a new plane begins.
bool pacr_advance_rows(struct pacr_job *j, unsigned rows);

#endif
