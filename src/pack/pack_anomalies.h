// SPDX-License-Identifier: Apache-2.0
// Everything that can be wrong or unusual about a PACR: one bit each, reported in the order below.
#ifndef TESSERA_PACK_PACK_ANOMALIES_H
#define TESSERA_PACK_PACK_ANOMALIES_H

#include "pack/pack_decode.h"
#include "pack/pack_job.h"
#include "state/report.h"

enum tsr_pack_anomaly {
    // The word.
    TSR_PACK_ANOMALY_SELECTION,
    TSR_PACK_ANOMALY_OPERANDS,
    // A packer's configuration.
    TSR_PACK_ANOMALY_FORMAT_MISMATCH,
    TSR_PACK_ANOMALY_NO_CONVERSION,
    TSR_PACK_ANOMALY_RELU_THRESHOLD,
    TSR_PACK_ANOMALY_EXPONENT_THRESHOLD,
    TSR_PACK_ANOMALY_COMPRESSED_2_BITS,
    TSR_PACK_ANOMALY_WITHDRAWN,
    TSR_PACK_ANOMALY_RANDOM_EARLY,
    TSR_PACK_ANOMALY_RANDOM_BLOCKS,
    TSR_PACK_ANOMALY_UNSHARED_EXPONENT,
    TSR_PACK_ANOMALY_DOWNSAMPLE_RATE,
    TSR_PACK_ANOMALY_INTEGER_INFINITY,
    // The packers of one PACR.
    TSR_PACK_ANOMALY_DIFFERENT,
    // Where its datums lie.
    TSR_PACK_ANOMALY_X_RANGE,
    TSR_PACK_ANOMALY_STRIDES,
    TSR_PACK_ANOMALY_INTERFACES,
    TSR_PACK_ANOMALY_DST_HIGH_HALVES,
    TSR_PACK_ANOMALY_DST_ROW,
    // What it meets there when it executes.
    TSR_PACK_ANOMALY_UNWRITTEN_DST,
    TSR_PACK_ANOMALY_TAINTED_DST,
    TSR_PACK_ANOMALY_L1_READ_RANGE,
    TSR_PACK_ANOMALY_UNWRITTEN_L1,
    TSR_PACK_ANOMALY_L1_WRITE_RANGE,
    TSR_PACK_ANOMALY_UNWRITTEN_SUM,
    TSR_PACK_ANOMALY_COUNT
};

typedef uint32_t tsr_pack_anomalies;
static inline tsr_pack_anomalies tsr_pack_anomaly_if(bool is_so, enum tsr_pack_anomaly which)
{
    return (tsr_pack_anomalies)is_so << which;
}

// What the sentences say besides; each needs some of it.
struct tsr_pack_subject {
    int state_id, packer, other_packer; // by whose configuration
    const struct tsr_pack_operands *operands;
    const struct tsr_pack_config *config;
    uint32_t first_x, last_x, most_datums; // X counters
    bool whole_rows;
    uint32_t interfaces;         // their mask
    unsigned row, last_row;      // of Dst
    bool wide;                   // ... in the 32-bit view
    uint16_t unwritten, tainted; // its columns
    uint32_t address;            // in L1
};

// Each collects what is wrong with the word, with the configuration of a packer (`config`), and
// between the packers of a job (it sets `packer` and `other_packer`).
tsr_pack_anomalies tsr_pack_word_anomalies(const struct tsr_env *env,
                                           const struct tsr_pack_operands *operands);
tsr_pack_anomalies tsr_pack_config_anomalies(const struct tsr_env *env,
                                             const struct tsr_pack_subject *about);
tsr_pack_anomalies tsr_pack_job_anomalies(const struct tsr_pack_job *job,
                                          struct tsr_pack_subject *about);

// Up to the first that stops the tile. TSR_GO_TAINTED: what is packed must be tainted.
enum tsr_verdict tsr_pack_report(struct tsr_env *env, const struct tsr_inflight *inst,
                                 const struct tsr_pack_subject *about,
                                 tsr_pack_anomalies anomalies);
// The same of one that is met at an address of L1.
enum tsr_verdict tsr_pack_report_l1(struct tsr_env *env, const struct tsr_inflight *inst,
                                    enum tsr_pack_anomaly which, uint32_t address);

#endif
