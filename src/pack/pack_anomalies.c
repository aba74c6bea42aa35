// SPDX-License-Identifier: Apache-2.0
// What a PACR's configuration and operands are told: points that a page calls undefined, modes that
// newer pages withdraw (decision 1), modes that no page describes (decisions 10 and 15), and
// packers that are set differently. Pages: Packers/*.md, PACR.md of each chip.
#include "pack/pack_job.h"

#include "numerics/format_codes.h"

// True: the tile stops.
static bool stops(struct pack_plan *plan, enum tsr_verdict verdict)
{
    plan->shape.anomalous |= verdict == TSR_GO_TAINTED;
    return verdict == TSR_HALT;
}

static bool undefined(struct tsr_env *env, const struct tsr_inflight *inst, int s, int i,
                      struct pack_plan *plan)
{
    const struct pack_shape *shape = &plan->shape;
    struct tsr_cited relu = {s, 2, {FIELD_STACC_RELU_ApplyRelu, FIELD_STACC_RELU_ReluThreshold}};
    struct tsr_cited threshold = {s,
                                  2,
                                  {tsr_pack_field(i, PACK_FIELD_Exp_threshold_en),
                                   tsr_pack_field(i, PACK_FIELD_In_data_format)}};
    struct tsr_cited out = {s,
                            2,
                            {tsr_pack_field(i, PACK_FIELD_Out_data_format),
                             tsr_pack_field(i, PACK_FIELD_Disable_zero_compress)}};
    if (!shape->from_l1 && shape->mode.relu_mode >= 2 && shape->mode.relu_threshold >> 15 &&
        stops(plan, tsr_report(env, FINDING_PACK_RELU_THRESHOLD, inst, &relu,
                               "ReLU of a packer with the threshold 0x%04x.",
                               (unsigned)shape->mode.relu_threshold)))
        return true;
    if (tsr_cfg(env, s, tsr_pack_field(i, PACK_FIELD_Exp_threshold_en)) &&
        shape->in_data_format == TSR_FORMAT_BFP2A &&
        stops(plan, tsr_report(env, FINDING_PACK_EXPONENT_THRESHOLD, inst, &threshold,
                               "Packer %d thresholds the exponents of BFP2a.", i)))
        return true;
    return shape->compress && shape->out_bits == 2 &&
           stops(plan, tsr_report(env, FINDING_PACK_COMPRESSION, inst, &out,
                                  "Packer %d compresses to %s.", i,
                                  tsr_format_name(shape->mode.out_format)));
}

static bool withdrawn(struct tsr_env *env, const struct tsr_inflight *inst, int s, int i,
                      struct pack_plan *plan)
{
    const struct pack_shape *shape = &plan->shape;
    struct tsr_cited cited = {s,
                              2,
                              {tsr_pack_field(i, PACK_FIELD_Disable_zero_compress),
                               tsr_pack_field(i, PACK_FIELD_Downsample_mask)}};
    return (shape->compress || shape->keep != 0xffff) &&
           stops(plan, tsr_report(env, FINDING_LEGACY_MODE, inst, &cited, "PACR with %s%s%s.",
                                  shape->compress ? "compression (Disable_zero_compress=0)" : "",
                                  shape->compress && shape->keep != 0xffff ? " and " : "",
                                  shape->keep != 0xffff ? "downsampling" : ""));
}

// Modes without a description; each names itself.
static bool undescribed(struct tsr_env *env, const struct tsr_inflight *inst, int s, int i,
                        struct pack_plan *plan)
{
    const struct pack_shape *shape = &plan->shape;
    const struct {
        bool on;
        enum tsr_field field;
        const char *what;
    } modes[] = {{shape->random_early, FIELD_ALU_ROUNDING_MODE_Gasket_srnd_en,
                  "stochastic rounding in the early conversion"},
                 {shape->random_blocks, FIELD_ALU_ROUNDING_MODE_Packer_srnd_en,
                  "stochastic rounding of blocks"},
                 {shape->unshared, tsr_pack_field(i, PACK_FIELD_Dis_shared_exp_assembler),
                  "Dis_shared_exp_assembler"},
                 {tsr_cfg(env, s, tsr_pack_field(i, PACK_FIELD_Downsample_rate)) != 0,
                  tsr_pack_field(i, PACK_FIELD_Downsample_rate),
                  "Downsample_rate, which has no effect"},
                 {shape->minus_infinity && shape->kind >= TSR_PACK_INT32, FIELD_PCK_EDGE_MODE_mode,
                  "minus infinity in place of masked integers"}};
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        struct tsr_cited cited = {s, 1, {modes[m].field}};
        if (modes[m].on && stops(plan, tsr_report(env, FINDING_UNDOCUMENTED_MODE, inst, &cited,
                                                  "PACR with %s.", modes[m].what)))
            return true;
    }
    return false;
}

bool tsr_pack_anomalies(struct tsr_env *env, const struct tsr_inflight *inst, int s, int i,
                        struct pack_plan *plan)
{
    return undefined(env, inst, s, i, plan) || withdrawn(env, inst, s, i, plan) ||
           undescribed(env, inst, s, i, plan);
}

bool tsr_pack_operand_anomalies(struct tsr_env *env, const struct tsr_inflight *inst)
{
    const struct pack_operands *operands = tsr_pack_operands(env, inst);
    unsigned control = operands->context_control, context = operands->context;
    unsigned padding = operands->padding;
    return operands->undescribed && tsr_report(env, FINDING_UNDOCUMENTED_MODE, inst, NULL,
                                               "PACR with CtxtCtrl=%u CfgContext=%u RowPadZero=%u.",
                                               control, context, padding) == TSR_HALT;
}

// The first part that is not like part 0; job->parts: there is none.
static unsigned first_other(const struct pack_job *job)
{
    unsigned p = 1;
    for (; p < job->parts; p++) {
        const struct pack_shape *a = &job->part[0].shape, *b = &job->part[p].shape;
        if (a->in_data_format != b->in_data_format || a->mode.out_format != b->mode.out_format ||
            a->accumulate != b->accumulate || a->compress != b->compress ||
            a->reads_per_plane != b->reads_per_plane)
            break;
    }
    return p;
}

bool tsr_pack_parts_differ(const struct pack_job *job)
{
    return first_other(job) < job->parts;
}

// The first difference is told.
bool tsr_pack_report_parts(struct tsr_env *env, const struct tsr_inflight *inst,
                           const struct pack_job *job)
{
    int i = job->part[0].packer, j = job->part[first_other(job)].packer;
    struct tsr_cited cited = {job->state_id,
                              4,
                              {tsr_pack_field(i, PACK_FIELD_Out_data_format),
                               tsr_pack_field(j, PACK_FIELD_Out_data_format),
                               tsr_pack_field(i, PACK_FIELD_pack_reads_per_xy_plane),
                               tsr_pack_field(j, PACK_FIELD_pack_reads_per_xy_plane)}};
    return tsr_report(env, FINDING_PACKERS_DIFFER, inst, &cited,
                      "Packers %d and %d of one PACR are configured differently.", i,
                      j) == TSR_HALT;
}
