// SPDX-License-Identifier: Apache-2.0
// Everything that can be wrong or unusual about a PACR: points that a page calls undefined, modes
// that newer pages withdraw (decision 1), modes that no page describes (decisions 10 and 15), and
// packers that are configured differently. Pages: Packers/*.md, PACR.md of each chip.
#include "pack/pack_anomalies.h"

#include "base/format_codes.h"
#include "isa/unit_fields.h"

// ---------------------------------------------------------------- what there is

// The sets of packers that the page lists, and operands that Wormhole does not have.
tsr_pack_anomalies tsr_pack_word_anomalies(const struct tsr_env *env,
                                           const struct tsr_pack_operands *operands)
{
    static const uint16_t listed =
        1u << 0 | 1u << 1 | 1u << 2 | 1u << 3 | 1u << 4 | 1u << 8 | 1u << 12 | 1u << 15;
    bool unlisted = env->chip->packers > 1 && !(listed >> operands->packers & 1);
    return tsr_pack_anomaly_if(unlisted, TSR_PACK_ANOMALY_SELECTION) |
           tsr_pack_anomaly_if(operands->undescribed, TSR_PACK_ANOMALY_OPERANDS);
}

tsr_pack_anomalies tsr_pack_config_anomalies(const struct tsr_env *env,
                                             const struct tsr_pack_subject *about)
{
    const struct tsr_pack_config *config = about->config;
    const tsr_pack_mode *mode = &config->mode;
    bool downsamples = config->downsample_mask != 0xffff;
    bool threshold = tsr_cfg(env, about->state_id,
                             tsr_pack_field_of(about->packer, PACK_FIELD_Exp_threshold_en)) != 0;
    bool rate = tsr_cfg(env, about->state_id,
                        tsr_pack_field_of(about->packer, PACK_FIELD_Downsample_rate)) != 0;
    const bool is_so[TSR_PACK_ANOMALY_COUNT] = {
        [TSR_PACK_ANOMALY_FORMAT_MISMATCH] = config->in_data_format != mode->in_format,
        [TSR_PACK_ANOMALY_NO_CONVERSION] = config->no_conversion,
        [TSR_PACK_ANOMALY_RELU_THRESHOLD] =
            !config->from_l1 && mode->relu_mode >= 2 && mode->relu_threshold >> 15,
        [TSR_PACK_ANOMALY_EXPONENT_THRESHOLD] =
            threshold && config->in_data_format == TSR_FORMAT_BFP2A,
        [TSR_PACK_ANOMALY_COMPRESSED_2_BITS] = config->compress && config->out_bits == 2,
        [TSR_PACK_ANOMALY_WITHDRAWN] = config->compress || downsamples,
        [TSR_PACK_ANOMALY_RANDOM_EARLY] = config->random_early,
        [TSR_PACK_ANOMALY_RANDOM_BLOCKS] = config->random_blocks,
        [TSR_PACK_ANOMALY_UNSHARED_EXPONENT] = config->unshared_exponent,
        [TSR_PACK_ANOMALY_DOWNSAMPLE_RATE] = rate,
        [TSR_PACK_ANOMALY_INTEGER_INFINITY] =
            config->edges.minus_infinity && config->kind >= TSR_PACK_INT32};
    tsr_pack_anomalies anomalies = 0;
    for (unsigned i = 0; i < TSR_PACK_ANOMALY_COUNT; i++)
        anomalies |= tsr_pack_anomaly_if(is_so[i], (enum tsr_pack_anomaly)i);
    return anomalies;
}

// The first packer that is not configured like the first of all.
tsr_pack_anomalies tsr_pack_job_anomalies(const struct tsr_pack_job *job,
                                          struct tsr_pack_subject *about)
{
    for (unsigned p = 1; p < job->parts; p++) {
        const struct tsr_pack_config *a = &job->part[0].config, *b = &job->part[p].config;
        if (a->in_data_format == b->in_data_format && a->mode.out_format == b->mode.out_format &&
            a->accumulate == b->accumulate && a->compress == b->compress &&
            a->edges.reads_per_plane == b->edges.reads_per_plane)
            continue;
        about->packer = job->part[0].packer;
        about->other_packer = job->part[p].packer;
        return tsr_pack_anomaly_if(true, TSR_PACK_ANOMALY_DIFFERENT);
    }
    return 0;
}

// ---------------------------------------------------------------- what is said of it

// Fields to cite: those that packers share, the packer's own, and the other packer's.
enum { CITED = 5, NO_FIELD = 0, FIRST_OWN = FIELD_COUNT + 1 };
enum { FIRST_OTHER = FIRST_OWN + PACK_FIELD_COUNT };
#define SHARED(name) (FIELD_##name + 1)
#define OWN(name) (FIRST_OWN + PACK_FIELD_##name)
#define OTHER(name) (FIRST_OTHER + PACK_FIELD_##name)
#define FORMATS                                                                                    \
    SHARED(ALU_FORMAT_SPEC_REG2_Dstacc), OWN(In_data_format), OWN(Out_data_format),                \
        SHARED(PCK_DEST_RD_CTRL_Read_32b_data), SHARED(PCK_DEST_RD_CTRL_Round_10b_mant)

struct anomaly_row {
    int code;         // enum tsr_finding
    const char *text; // NULL: it has values in it, see report_*()
    int field[CITED];
};
#define ANOMALY(which, finding, text, ...)                                                         \
    [TSR_PACK_ANOMALY_##which] = {FINDING_##finding, text, {__VA_ARGS__}}

static const struct anomaly_row rows[TSR_PACK_ANOMALY_COUNT] = {
    ANOMALY(SELECTION, PACK_SELECTION, NULL, NO_FIELD),
    ANOMALY(OPERANDS, UNDOCUMENTED_MODE, NULL, NO_FIELD),
    ANOMALY(FORMAT_MISMATCH, PACK_FORMAT_PAIR, NULL, FORMATS),
    ANOMALY(NO_CONVERSION, PACK_FORMAT_PAIR, NULL, FORMATS),
    ANOMALY(RELU_THRESHOLD, PACK_RELU_THRESHOLD, NULL, SHARED(STACC_RELU_ApplyRelu),
            SHARED(STACC_RELU_ReluThreshold)),
    ANOMALY(EXPONENT_THRESHOLD, PACK_EXPONENT_THRESHOLD, NULL, OWN(Exp_threshold_en),
            OWN(In_data_format)),
    ANOMALY(COMPRESSED_2_BITS, PACK_COMPRESSION, NULL, OWN(Out_data_format),
            OWN(Disable_zero_compress)),
    ANOMALY(WITHDRAWN, LEGACY_MODE, NULL, OWN(Disable_zero_compress), OWN(Downsample_mask)),
    ANOMALY(RANDOM_EARLY, UNDOCUMENTED_MODE,
            "PACR with stochastic rounding in the early conversion.",
            SHARED(ALU_ROUNDING_MODE_Gasket_srnd_en)),
    ANOMALY(RANDOM_BLOCKS, UNDOCUMENTED_MODE, "PACR with stochastic rounding of blocks.",
            SHARED(ALU_ROUNDING_MODE_Packer_srnd_en)),
    ANOMALY(UNSHARED_EXPONENT, UNDOCUMENTED_MODE, "PACR with Dis_shared_exp_assembler.",
            OWN(Dis_shared_exp_assembler)),
    ANOMALY(DOWNSAMPLE_RATE, UNDOCUMENTED_MODE, "PACR with Downsample_rate, which has no effect.",
            OWN(Downsample_rate)),
    ANOMALY(INTEGER_INFINITY, UNDOCUMENTED_MODE,
            "PACR with minus infinity in place of masked integers.", SHARED(PCK_EDGE_MODE_mode)),
    ANOMALY(DIFFERENT, PACKERS_DIFFER, NULL, OWN(Out_data_format), OTHER(Out_data_format),
            OWN(pack_reads_per_xy_plane), OTHER(pack_reads_per_xy_plane)),
    ANOMALY(X_RANGE, PACK_X_RANGE, NULL, NO_FIELD),
    ANOMALY(STRIDES, UNDOCUMENTED_MODE, NULL, SHARED(DEST_ACCESS_CFG_remap_addrs),
            SHARED(DEST_ACCESS_CFG_swizzle_32b)),
    ANOMALY(INTERFACES, PACK_INTERFACE_MASK, NULL, NO_FIELD),
    ANOMALY(DST_HIGH_HALVES, LEGACY_MODE,
            "PACR reads Dst in 16 bits, which bit 11 of DBG_FEATURE_DISABLE turns into the high "
            "halves of 32-bit datums.",
            NO_FIELD),
    ANOMALY(DST_ROW, DST_ROW_RANGE, NULL, NO_FIELD),
    ANOMALY(UNWRITTEN_DST, UNINITIALISED_DST, NULL, NO_FIELD),
    ANOMALY(TAINTED_DST, TAINTED_DATUM_USED, NULL, NO_FIELD),
    ANOMALY(L1_READ_RANGE, L1_OUT_OF_RANGE, NULL, NO_FIELD),
    ANOMALY(UNWRITTEN_L1, UNINITIALISED_L1, NULL, NO_FIELD),
    ANOMALY(L1_WRITE_RANGE, L1_OUT_OF_RANGE, NULL, NO_FIELD),
    ANOMALY(UNWRITTEN_SUM, UNINITIALISED_L1, NULL, NO_FIELD),
};

// What is packed is not tainted for these: operands and packers that are as they are set, or
// nothing is packed.
enum {
    TAINTS_NOTHING = 1u << TSR_PACK_ANOMALY_OPERANDS | 1u << TSR_PACK_ANOMALY_NO_CONVERSION |
                     1u << TSR_PACK_ANOMALY_DIFFERENT | 1u << TSR_PACK_ANOMALY_X_RANGE
};

static void cite(const struct tsr_pack_subject *about, const struct anomaly_row *row,
                 struct tsr_cited *cited)
{
    cited->instance = about->state_id;
    for (int i = 0; i < CITED && row->field[i] != NO_FIELD; i++) {
        int field = row->field[i];
        if (field >= FIRST_OTHER)
            cited->field[i] =
                tsr_pack_field_of(about->other_packer, (enum tsr_pack_field)(field - FIRST_OTHER));
        else if (field >= FIRST_OWN)
            cited->field[i] =
                tsr_pack_field_of(about->packer, (enum tsr_pack_field)(field - FIRST_OWN));
        else
            cited->field[i] = (enum tsr_field)(field - 1);
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

static enum tsr_verdict report_config(const struct finding *f, const struct tsr_pack_subject *about,
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
        struct finding finding = {env, inst, (enum tsr_finding)rows[i].code, {0}};
        struct finding *f = &finding;
        enum tsr_verdict one;
        cite(about, &rows[i], &f->cited);
        if (rows[i].text)
            one = REPORT("%s", rows[i].text);
        else if (which <= TSR_PACK_ANOMALY_OPERANDS || which == TSR_PACK_ANOMALY_DIFFERENT)
            one = report_word(f, about, which);
        else if (which < TSR_PACK_ANOMALY_DIFFERENT)
            one = report_config(f, about, which);
        else
            one = report_place(f, about, which);
        if (one == TSR_HALT)
            return TSR_HALT;
        if (one == TSR_GO_TAINTED && !(TAINTS_NOTHING >> i & 1))
            verdict = TSR_GO_TAINTED;
    }
    return verdict;
}

enum tsr_verdict tsr_pack_report_l1(struct tsr_env *env, const struct tsr_inflight *inst,
                                    enum tsr_pack_anomaly which, uint32_t address)
{
    const struct tsr_pack_subject about = {.address = address};
    return tsr_pack_report(env, inst, &about, tsr_pack_anomaly_if(true, which));
}
