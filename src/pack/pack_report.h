// SPDX-License-Identifier: Apache-2.0
// Reporting the anomalies of a PACR.
// Page: PACR.md of each chip.
#ifndef TESSERA_PACK_PACK_REPORT_H
#define TESSERA_PACK_PACK_REPORT_H

#include "pack/pack_anomalies.h"
#include "pack/pack_decode.h"
#include "pack/pack_job.h"
#include "state/report.h"

// The values in the sentences; each needs some of them.
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
    struct tsr_pack_position position;
};

// Reports all of them. TSR_HALT as soon as one stops; otherwise TSR_GO_TAINTED if any taints what
// is packed.
enum tsr_verdict tsr_pack_report(struct tsr_env *env, const struct tsr_inflight *inst,
                                 const struct tsr_pack_subject *about,
                                 tsr_pack_anomalies anomalies);
// The same of one that is met at an address of L1.
enum tsr_verdict tsr_pack_report_l1(struct tsr_env *env, const struct tsr_inflight *inst,
                                    enum tsr_pack_anomaly which, uint32_t address);

#endif
