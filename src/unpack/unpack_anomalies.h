// SPDX-License-Identifier: Apache-2.0
// Everything that can be wrong or unusual about an UNPACR, one bit each. Each stage collects its
// anomalies first; unpack_report.c reports them together, in the order in which they stand here.
// Pages: UNPACR_Regular.md (UndefinedBehavior, UnsupportedFunctionality, NonContractualBehavior),
// docs/decisions.md 1 to 5, 7, 14 and 17.
#ifndef TESSERA_UNPACK_UNPACK_ANOMALIES_H
#define TESSERA_UNPACK_UNPACK_ANOMALIES_H

#include "base/finding_codes.h"
#include "isa/unit_fields.h"

enum tsr_unpack_anomaly {
    // Undefined.
    ANOMALY_CONTEXT,
    ANOMALY_ADC,
    ANOMALY_BLOB,
    ANOMALY_FORMAT_PAIR,
    ANOMALY_SRC_32BIT,
    ANOMALY_NARROW_TILEIZE,
    ANOMALY_THROTTLE,
    ANOMALY_TRANSPOSE_TO_DST,
    ANOMALY_SHIFT_TO_DST,
    ANOMALY_TILEIZE_CLASH,
    ANOMALY_DST_OVRD,
    ANOMALY_X_LIMIT,
    ANOMALY_X_ORDER,
    ANOMALY_ROW_ORDER,
    ANOMALY_INPUT_ALIGNMENT,
    ANOMALY_OUTPUT_ALIGNMENT,
    ANOMALY_L1_RANGE,
    ANOMALY_SRCA_ROW,
    ANOMALY_SRCA_SET_ROW,
    ANOMALY_SRCB_ROW,
    ANOMALY_BURST,
    ANOMALY_DST_ROW,
    ANOMALY_BLOCK_EXPONENT,
    // Unpredictable.
    ANOMALY_UNWRITTEN,
    // On no page.
    ANOMALY_ROW_BROADCAST,
    ANOMALY_RAREFY,
    ANOMALY_NARROW_COMPRESSED,
    // Not contractual.
    ANOMALY_COMPRESSED,
    ANOMALY_ROW_SEARCH,
    ANOMALY_UPSAMPLE,
    ANOMALY_COLUMN_SHIFT,
    ANOMALY_SINGLE_CONTEXT,
    ANOMALY_CONTEXT_COUNTER,
    ANOMALY_CONTEXT_NUMBER,
    ANOMALY_OTHER_ADC,
    ANOMALY_TRANSPOSE_SRCB,
    ANOMALY_RELATIVE_SRCA,
    ANOMALY_INTERLEAVE,
    ANOMALY_OUTPUT_START,
    ANOMALY_DST_HIGH_HALVES,
    ANOMALY_COUNT
};

typedef uint64_t tsr_unpack_anomalies; // a bit for each

#define TSR_UNPACK_ANOMALY(name) ((tsr_unpack_anomalies)1 << (name))

// How it is reported: the finding's code, the sentence, and the configuration fields to cite. Of a
// field that each context has, that is the first.
enum { TSR_UNPACK_NO_FIELD = UNPACK_FIELD_COUNT };
struct tsr_unpack_anomaly_row {
    enum tsr_finding code;
    const char *text;
    uint16_t field[2]; // enum tsr_unpack_field, or TSR_UNPACK_NO_FIELD
};

extern const struct tsr_unpack_anomaly_row tsr_unpack_anomaly_rows[ANOMALY_COUNT];

#endif
