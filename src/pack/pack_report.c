// SPDX-License-Identifier: Apache-2.0
// Reports the anomalies of a PACR in their fixed order, with the values that they are about and the
// configuration fields that they follow from. Pages: Packers/*.md, PACR.md of each chip.
#include "pack/pack_report.h"

#include <stdio.h>
#include <string.h>

// What is packed is not tainted for these: operands and packers that are as they are set, or
// nothing is packed.
static const tsr_pack_anomalies taints_nothing =
    TSR_PACK_ANOMALY(OPERANDS) | TSR_PACK_ANOMALY(NO_CONVERSION) | TSR_PACK_ANOMALY(DIFFERENT) |
    TSR_PACK_ANOMALY(X_RANGE);

static void cite(const struct tsr_pack_subject *about, const struct tsr_pack_anomaly_row *row,
                 struct tsr_cited *cited)
{
    cited->instance = about->state_id;
    for (int i = 0; i < TSR_PACK_CITED && row->field[i] != TSR_PACK_NO_FIELD; i++) {
        int field = row->field[i];
        if (field >= TSR_PACK_OTHER_FIELDS)
            cited->field[i] = tsr_pack_field_of(
                about->other_packer, (enum tsr_pack_field)(field - TSR_PACK_OTHER_FIELDS));
        else
            cited->field[i] = tsr_pack_anomaly_field(field, about->packer);
        cited->count++;
    }
}

// One anomaly on its way to the findings.
struct finding {
    struct tsr_env *env;
    const struct tsr_inflight *inst;
    enum tsr_finding code;
    struct tsr_cited cited;
};
#define REPORT(...) tsr_report(f->env, f->code, f->inst, &f->cited, __VA_ARGS__)

// All fields of the table that are set; a word has one finding of a code.
static enum tsr_verdict report_idle(struct finding *f, const struct tsr_pack_subject *about)
{
    _Static_assert((int)TSR_PACK_IDLE_ROWS <= (int)TSR_DIAGNOSTIC_FIELDS,
                   "all of them can be cited");
    char fields[256] = "";
    const char *known = "";
    for (unsigned i = 0; i < TSR_PACK_IDLE_ROWS; i++) {
        const struct tsr_pack_idle_row *row = &tsr_pack_idle_rows[i];
        enum tsr_field field = tsr_pack_anomaly_field(row->field, about->packer);
        uint32_t value = tsr_cfg(f->env, about->state_id, field);
        if (value == 0)
            continue;
        size_t length = strlen(fields);
        snprintf(fields + length, sizeof fields - length, "%s%s=%u", length ? ", " : "", row->name,
                 (unsigned)value);
        known = length ? known : row->known;
        f->cited.field[f->cited.count++] = field;
    }
    return REPORT("PACR with %s, without an effect here: %s.", fields, known);
}

static enum tsr_verdict report_config(struct finding *f, const struct tsr_pack_subject *about,
                                      enum tsr_pack_anomaly which)
{
    const struct tsr_pack_config *config = about->config;
    const tsr_pack_mode *mode = &config->mode;
    bool downsamples = config->downsample_mask != 0xffff;
    int packer = about->packer;
    int bits = config->from_l1 ? 8 * config->input_bytes : mode->read_32b ? 32 : 16;
    switch (which) {
    case TSR_PACK_ANOMALY_FORMAT_MISMATCH:
        return REPORT("Packer %d's In_data_format is %s, but the intermediate format is %s.",
                      packer, tsr_format_name(config->in_data_format),
                      tsr_format_name(mode->in_format));
    case TSR_PACK_ANOMALY_NO_CONVERSION:
        return REPORT("No packer converts %d-bit %s by %s to %s with ReLU mode %u%s.", bits,
                      config->from_l1 ? "L1" : "Dst", tsr_format_name(mode->in_format),
                      tsr_format_name(mode->out_format), mode->relu_mode,
                      config->accumulate ? " and Pack_L1_Acc" : "");
    case TSR_PACK_ANOMALY_RELU_THRESHOLD:
        return REPORT("ReLU of a packer with the threshold 0x%04x.",
                      (unsigned)mode->relu_threshold);
    case TSR_PACK_ANOMALY_EXPONENT_THRESHOLD:
        return REPORT("Packer %d thresholds the exponents of BFP2a.", packer);
    case TSR_PACK_ANOMALY_COMPRESSED_2_BITS:
        return REPORT("Packer %d compresses to %s.", packer, tsr_format_name(mode->out_format));
    case TSR_PACK_ANOMALY_IDLE_FIELD:
        return report_idle(f, about);
    default:
        return REPORT(
            "PACR with %s%s%s.", config->compress ? "compression (Disable_zero_compress=0)" : "",
            config->compress && downsamples ? " and " : "", downsamples ? "downsampling" : "");
    }
}

static enum tsr_verdict report_word(const struct finding *f, const struct tsr_pack_subject *about,
                                    enum tsr_pack_anomaly which)
{
    const struct tsr_pack_operands *operands = about->operands;
    if (which == TSR_PACK_ANOMALY_SELECTION)
        return REPORT("PackSel=%u is no set of packers that the page lists.",
                      (unsigned)operands->packers);
    if (which == TSR_PACK_ANOMALY_OPERANDS)
        return REPORT("PACR with CtxtCtrl=%u CfgContext=%u RowPadZero=%u.",
                      (unsigned)operands->context_control, (unsigned)operands->context,
                      (unsigned)operands->row_pad_zero);
    return REPORT("Packers %d and %d of one PACR are configured differently.", about->packer,
                  about->other_packer);
}

static enum tsr_verdict report_place(const struct finding *f, const struct tsr_pack_subject *about,
                                     enum tsr_pack_anomaly which)
{
    unsigned address = (unsigned)about->address, size = (unsigned)f->env->state->l1.size;
    switch (which) {
    case TSR_PACK_ANOMALY_X_RANGE:
        return REPORT("X counters from %u to %u ask for no sensible number of datums (1 to %u%s).",
                      (unsigned)about->first_x, (unsigned)about->last_x,
                      (unsigned)about->most_datums,
                      about->whole_rows ? ", whole rows from X=0" : "");
    case TSR_PACK_ANOMALY_STRIDES:
        return REPORT(
            "PACR with DstAccessMode and read interfaces 0x%x; known are the masks 0, 1 and 3 "
            "with remap_addrs and swizzle_32b set.",
            (unsigned)about->interfaces);
    case TSR_PACK_ANOMALY_INTERFACES:
        return REPORT("Read interfaces 0x%x from Dst row %u leave the group of four rows.",
                      (unsigned)about->interfaces, about->row);
    case TSR_PACK_ANOMALY_DST_ROW:
        return REPORT("PACR reads row %u of Dst, which has 512 rows of 32-bit datums.",
                      about->last_row);
    case TSR_PACK_ANOMALY_POSITION:
        return REPORT("The tile position of packer %d begins again with this section; the last one "
                      "ended at row %u of face %u, and its edge masks would be others there.",
                      about->packer, (unsigned)about->position.y, (unsigned)about->position.z);
    case TSR_PACK_ANOMALY_ALIGNMENT:
        return REPORT("The counters' part of the output address, 0x%x %s, is no multiple of 16.",
                      address, f->env->chip->pack_interfaces > 1 ? "bytes" : "units of 16 bytes");
    case TSR_PACK_ANOMALY_UNWRITTEN_DST:
        return REPORT("Row %u of Dst (%d-bit view) has columns 0x%04x that were never written.",
                      about->row, about->wide ? 32 : 16, (unsigned)about->unwritten);
    case TSR_PACK_ANOMALY_TAINTED_DST:
        return REPORT(
            "Row %u of Dst holds datums in columns 0x%04x that came out of undefined behaviour, "
            "and they go to L1.",
            about->row, (unsigned)about->tainted);
    case TSR_PACK_ANOMALY_L1_READ_RANGE:
        return REPORT("Packer 0 reads at 0x%x, behind L1's %u bytes.", address, size);
    case TSR_PACK_ANOMALY_UNWRITTEN_L1:
        return REPORT("Packer 0 reads L1 at 0x%x, which was never written.", address);
    case TSR_PACK_ANOMALY_L1_WRITE_RANGE:
        return REPORT("The packer writes at 0x%x, behind L1's %u bytes.", address, size);
    default:
        return REPORT("Pack_L1_Acc adds to L1 at 0x%x, which was never written.", address);
    }
}

enum tsr_verdict tsr_pack_report(struct tsr_env *env, const struct tsr_inflight *inst,
                                 const struct tsr_pack_subject *about, tsr_pack_anomalies anomalies)
{
    enum tsr_verdict verdict = TSR_GO;
    for (unsigned i = 0; anomalies != 0; i++, anomalies >>= 1) {
        if (!(anomalies & 1))
            continue;
        enum tsr_pack_anomaly which = (enum tsr_pack_anomaly)i;
        const struct tsr_pack_anomaly_row *row = &tsr_pack_anomaly_rows[i];
        struct finding finding = {env, inst, row->code, {0}};
        struct finding *f = &finding;
        enum tsr_verdict one;
        cite(about, row, &f->cited);
        if (row->text)
            one = REPORT("%s", row->text);
        else if (which <= TSR_PACK_ANOMALY_OPERANDS || which == TSR_PACK_ANOMALY_DIFFERENT)
            one = report_word(f, about, which);
        else if (which < TSR_PACK_ANOMALY_DIFFERENT)
            one = report_config(f, about, which);
        else
            one = report_place(f, about, which);
        if (one == TSR_HALT)
            return TSR_HALT;
        if (one == TSR_GO_TAINTED && !(taints_nothing >> i & 1))
            verdict = TSR_GO_TAINTED;
    }
    return verdict;
}

enum tsr_verdict tsr_pack_report_l1(struct tsr_env *env, const struct tsr_inflight *inst,
                                    enum tsr_pack_anomaly which, uint32_t address)
{
    const struct tsr_pack_subject about = {.address = address};
    return tsr_pack_report(env, inst, &about, (tsr_pack_anomalies)1 << which);
}
