// SPDX-License-Identifier: Apache-2.0
// Everything that can be wrong or unusual about an UNPACR, one bit each. Each stage collects its
// anomalies first; unpack_report.c reports them together, in the order in which they are listed
// here.
// Pages: UNPACR_Regular.md (UndefinedBehavior, UnsupportedFunctionality, NonContractualBehavior),
// docs/decisions.md 1 to 5, 7, 14 and 17.
#ifndef TESSERA_UNPACK_UNPACK_ANOMALIES_H
#define TESSERA_UNPACK_UNPACK_ANOMALIES_H

#include "base/finding_codes.h"
#include "isa/unit_fields.h"

enum tsr_unpack_anomaly {
    // Undefined.
    TSR_UNPACK_ANOMALY_CONTEXT,
    TSR_UNPACK_ANOMALY_ADC,
    TSR_UNPACK_ANOMALY_BLOB,
    TSR_UNPACK_ANOMALY_FORMAT_PAIR,
    TSR_UNPACK_ANOMALY_NARROW_BLOCK,
    TSR_UNPACK_ANOMALY_SRC_32BIT,
    TSR_UNPACK_ANOMALY_NARROW_TILEIZE,
    TSR_UNPACK_ANOMALY_THROTTLE,
    TSR_UNPACK_ANOMALY_TRANSPOSE_TO_DST,
    TSR_UNPACK_ANOMALY_SHIFT_TO_DST,
    TSR_UNPACK_ANOMALY_TILEIZE_CLASH,
    TSR_UNPACK_ANOMALY_DST_OVRD,
    TSR_UNPACK_ANOMALY_X_LIMIT,
    TSR_UNPACK_ANOMALY_X_ORDER,
    TSR_UNPACK_ANOMALY_ROW_ORDER,
    TSR_UNPACK_ANOMALY_INPUT_ALIGNMENT,
    TSR_UNPACK_ANOMALY_OUTPUT_ALIGNMENT,
    TSR_UNPACK_ANOMALY_L1_RANGE,
    TSR_UNPACK_ANOMALY_SRCA_ROW,
    TSR_UNPACK_ANOMALY_SRCA_SET_ROW,
    TSR_UNPACK_ANOMALY_SRCB_ROW,
    TSR_UNPACK_ANOMALY_BURST,
    TSR_UNPACK_ANOMALY_DST_ROW,
    TSR_UNPACK_ANOMALY_BLOCK_EXPONENT,
    // Unpredictable.
    TSR_UNPACK_ANOMALY_UNWRITTEN,
    // On no page.
    TSR_UNPACK_ANOMALY_ROW_BROADCAST,
    TSR_UNPACK_ANOMALY_RAREFY,
    TSR_UNPACK_ANOMALY_NARROW_COMPRESSED,
    // Not contractual.
    TSR_UNPACK_ANOMALY_COMPRESSED,
    TSR_UNPACK_ANOMALY_ROW_SEARCH,
    TSR_UNPACK_ANOMALY_UPSAMPLE,
    TSR_UNPACK_ANOMALY_COLUMN_SHIFT,
    TSR_UNPACK_ANOMALY_SINGLE_CONTEXT,
    TSR_UNPACK_ANOMALY_CONTEXT_COUNTER,
    TSR_UNPACK_ANOMALY_CONTEXT_NUMBER,
    TSR_UNPACK_ANOMALY_OTHER_ADC,
    TSR_UNPACK_ANOMALY_TRANSPOSE_SRCB,
    TSR_UNPACK_ANOMALY_RELATIVE_SRCA,
    TSR_UNPACK_ANOMALY_INTERLEAVE,
    TSR_UNPACK_ANOMALY_OUTPUT_START,
    TSR_UNPACK_ANOMALY_DST_HIGH_HALVES,
    TSR_UNPACK_ANOMALY_COUNT
};

typedef uint64_t tsr_unpack_anomalies; // a bit for each

#define TSR_UNPACK_ANOMALY(name) ((tsr_unpack_anomalies)1 << TSR_UNPACK_ANOMALY_##name)
// No kernel moves what lies outside L1 or SrcA.
#define TSR_UNPACK_NO_KERNEL                                                                       \
    (TSR_UNPACK_ANOMALY(L1_RANGE) | TSR_UNPACK_ANOMALY(SRCA_ROW) | TSR_UNPACK_ANOMALY(SRCA_SET_ROW))

// How it is reported: the finding's code, the sentence, and the configuration fields to cite. Of a
// field that each context has, that is the first.
enum { TSR_UNPACK_NO_FIELD = UNPACK_FIELD_COUNT };
struct tsr_unpack_anomaly_row {
    enum tsr_finding code;
    const char *text;
    uint16_t field[2]; // enum tsr_unpack_field, or TSR_UNPACK_NO_FIELD
};

extern const struct tsr_unpack_anomaly_row tsr_unpack_anomaly_rows[TSR_UNPACK_ANOMALY_COUNT];

#endif
