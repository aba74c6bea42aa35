// SPDX-License-Identifier: Apache-2.0
// Everything that can be wrong or unusual about a PACR, one bit each. Each stage collects its
// anomalies first; pack_report.c reports them together, in the order in which they are listed here.
// Pages: Packers/*.md, PACR.md of each chip; docs/decisions.md 1, 10 and 15.
#ifndef TESSERA_PACK_PACK_ANOMALIES_H
#define TESSERA_PACK_PACK_ANOMALIES_H

#include "base/finding_codes.h"
#include "isa/unit_fields.h"

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
    TSR_PACK_ANOMALY_FORCED_UNCOMPRESSED,
    TSR_PACK_ANOMALY_IDLE_FIELD,
    TSR_PACK_ANOMALY_INTEGER_INFINITY,
    TSR_PACK_ANOMALY_LATE_NARROWING,
    TSR_PACK_ANOMALY_UPPER_HALVES,
    // The packers of one PACR.
    TSR_PACK_ANOMALY_DIFFERENT,
    // Where its datums lie.
    TSR_PACK_ANOMALY_X_RANGE,
    TSR_PACK_ANOMALY_STRIDES,
    TSR_PACK_ANOMALY_INTERFACES,
    TSR_PACK_ANOMALY_DST_HIGH_HALVES,
    TSR_PACK_ANOMALY_DST_ROW,
    TSR_PACK_ANOMALY_POSITION,
    // Where they go.
    TSR_PACK_ANOMALY_ALIGNMENT,
    // What is found there at execution.
    TSR_PACK_ANOMALY_UNWRITTEN_DST,
    TSR_PACK_ANOMALY_TAINTED_DST,
    TSR_PACK_ANOMALY_L1_READ_RANGE,
    TSR_PACK_ANOMALY_UNWRITTEN_L1,
    TSR_PACK_ANOMALY_L1_WRITE_RANGE,
    TSR_PACK_ANOMALY_UNWRITTEN_SUM,
    TSR_PACK_ANOMALY_COUNT
};

typedef uint32_t tsr_pack_anomalies; // a bit for each

#define TSR_PACK_ANOMALY(name) ((tsr_pack_anomalies)1 << TSR_PACK_ANOMALY_##name)

// How it is reported: the finding's code, the sentence, and the configuration fields to cite: those
// that packers share, the packer's own, and the other packer's.
enum { TSR_PACK_CITED = 5, TSR_PACK_NO_FIELD = 0, TSR_PACK_OWN_FIELDS = FIELD_COUNT + 1 };
enum { TSR_PACK_OTHER_FIELDS = TSR_PACK_OWN_FIELDS + PACK_FIELD_COUNT };
struct tsr_pack_anomaly_row {
    enum tsr_finding code;
    const char *text; // NULL: it has values in it (pack_report.c)
    int field[TSR_PACK_CITED];
};

extern const struct tsr_pack_anomaly_row tsr_pack_anomaly_rows[TSR_PACK_ANOMALY_COUNT];

// The field that a row names, of this packer.
static inline enum tsr_field tsr_pack_anomaly_field(int field, int packer)
{
    return field >= TSR_PACK_OWN_FIELDS
               ? tsr_pack_field_of(packer, (enum tsr_pack_field)(field - TSR_PACK_OWN_FIELDS))
               : (enum tsr_field)(field - 1);
}

// Fields that nothing here acts on, with what is known of them. Any value but 0 is reported.
enum { TSR_PACK_IDLE_ROWS = 7 };
struct tsr_pack_idle_row {
    int field; // as in the rows above, shared or own
    const char *name, *known;
};

extern const struct tsr_pack_idle_row tsr_pack_idle_rows[TSR_PACK_IDLE_ROWS];

#endif
