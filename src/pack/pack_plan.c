// SPDX-License-Identifier: Apache-2.0
// A packer's plan: formats, edge masks and sizes, with the checks that depend on them alone. Reused
// until a field of the plan groups PACK or ALU changes. Pages: Packers/README.md,
// Packers/FormatConversion.md, Packers/ReLU.md, Packers/EdgeMasking.md, PACR.md of each chip.
#include "pack/pack_job.h"
#include "state/config_watch.h"

#include "numerics/format_codes.h"
#include "pack/pack_unit.h"

#include <stdlib.h>
#include <string.h>

struct tsr_pack_plans *tsr_pack_plans_create(void)
{
    return calloc(1, sizeof(struct tsr_pack_plans));
}

void tsr_pack_plans_destroy(struct tsr_pack_plans *plans)
{
    free(plans);
}

void tsr_pack_plans_clear(struct tsr_pack_plans *plans)
{
    uint32_t stamp = plans->stamp; // none comes again
    memset(plans, 0, sizeof *plans);
    plans->stamp = stamp;
}

// Whether zeroes are compressed away: one bit for each packer instead of its own, if overridden.
static bool compresses(const struct tsr_env *env, int s, int i)
{
    bool override = tsr_cfg(env, s, FIELD_THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd);
    bool has_bits = env->isa->field[FIELD_THCON_SEC0_REG1_All_pack_disable_zero_compress].width > 0;
    uint32_t bits = tsr_cfg(env, s, FIELD_THCON_SEC0_REG1_All_pack_disable_zero_compress);
    bool plain = override ? (!has_bits || (bits >> i & 1))
                          : tsr_cfg(env, s, PACKER_FIELD(i, Disable_zero_compress)) != 0;
    return !plain;
}

// Every row set that some face can select counts, reachable or not by the positions of this tile.
static bool masks_something(const struct pack_edges *edges)
{
    for (unsigned i = 0; i < 16; i++) {
        uint32_t rows = edges->rows[edges->faces >> (2 * i) & 3];
        for (unsigned row = 0; row < 16; row++)
            if (edges->mask[rows >> (2 * row) & 3] != 0xffff)
                return true;
    }
    return false;
}

// The sixteen two-bit entries of a mapping fill its word, and its words follow each other.
static void read_edges(const struct tsr_env *env, int s, int i, struct pack_shape *shape)
{
    static const enum tsr_field mask[PACK_EDGE_SETS] = {
        FIELD_PCK_EDGE_OFFSET_SEC0_mask, FIELD_PCK_EDGE_OFFSET_SEC1_mask,
        FIELD_PCK_EDGE_OFFSET_SEC2_mask, FIELD_PCK_EDGE_OFFSET_SEC3_mask};
    const uint32_t *bank = env->state->config.bank[s];
    unsigned rows = env->isa->field[FIELD_TILE_ROW_SET_MAPPING_0_row_set_mapping_0].addr32;
    unsigned faces = env->isa->field[FIELD_TILE_FACE_SET_MAPPING_0_face_set_mapping_0].addr32;
    uint32_t row_set = tsr_cfg(env, s, FIELD_PCK_EDGE_TILE_ROW_SET_SELECT_select) >> (2 * i) & 3;
    uint32_t face_set = tsr_cfg(env, s, FIELD_PCK_EDGE_TILE_FACE_SET_SELECT_select) >> (2 * i) & 3;
    for (unsigned set = 0; set < PACK_EDGE_SETS; set++) {
        shape->edges.rows[set] = bank[rows + set];
        shape->edges.mask[set] = (uint16_t)tsr_cfg(env, s, mask[set]);
    }
    shape->edges.faces = tsr_cfg(env, s, FIELD_PCK_EDGE_TILE_FACE_SET_SELECT_enable)
                             ? bank[faces + face_set]
                             : row_set * 0x55555555u;
    shape->masked = masks_something(&shape->edges);
    shape->minus_infinity = shape->masked && tsr_cfg(env, s, FIELD_PCK_EDGE_MODE_mode) != 0;
    shape->reads_per_plane =
        (uint8_t)tsr_cfg(env, s, SECTION_FIELD(i, PACK_COUNTERS_SEC, pack_reads_per_xy_plane));
    shape->yz_transposed =
        tsr_cfg(env, s, SECTION_FIELD(i, PACK_COUNTERS_SEC, pack_yz_transposed)) != 0;
}

// Mode 0 has one shift for all datums, mode 1 one for each Z of the tile.
static void read_descale(const struct tsr_env *env, int s, struct pack_shape *shape)
{
    if (!tsr_cfg(env, s, FIELD_INT_DESCALE_Enable) || !shape->mode.read_32b ||
        shape->mode.in_format != TSR_FORMAT_INT8)
        return;
    shape->descale_by_z = tsr_cfg(env, s, FIELD_INT_DESCALE_Mode) != 0;
    if (!shape->descale_by_z)
        shape->mode.int8_shift = tsr_cfg(env, s, FIELD_INT_DESCALE_VALUES_SEC0_Value) & 31;
}

static void read_stages(const struct tsr_env *env, int s, int i, struct pack_shape *shape)
{
    uint32_t keep = tsr_cfg(env, s, PACKER_FIELD(i, Downsample_mask));
    shape->keep = keep ? (uint16_t)keep : 0xffff;
    if (tsr_cfg(env, s, PACKER_FIELD(i, Exp_threshold_en)))
        shape->threshold = (uint8_t)tsr_cfg(env, s, PACKER_FIELD(i, Exp_threshold));
    bool reaches_l1 = i == 0 || env->chip->packers == 1; // Wormhole's packers 1 to 3 do not
    shape->from_l1 =
        reaches_l1 && tsr_cfg(env, s, PACKER_FIELD(i, Source_interface_selection)) != 0;
    shape->compress = compresses(env, s, i);
    shape->sets_last_mask = tsr_cfg(env, s, PACKER_FIELD(i, Auto_set_last_pacr_intf_sel)) != 0;
    shape->row_start_section = (uint16_t)tsr_cfg(env, s, PACKER_FIELD(i, Row_start_section_size));
    shape->no_zero_flags = tsr_cfg(env, s, PACKER_FIELD(i, Disable_pack_zero_flags)) != 0;
    shape->unshared =
        shape->block && tsr_cfg(env, s, PACKER_FIELD(i, Dis_shared_exp_assembler)) != 0;
    shape->random_early = tsr_cfg(env, s, FIELD_ALU_ROUNDING_MODE_Gasket_srnd_en) != 0;
    shape->random_blocks =
        shape->block && tsr_cfg(env, s, FIELD_ALU_ROUNDING_MODE_Packer_srnd_en) != 0;
    read_descale(env, s, shape);
    shape->general = shape->keep != 0xffff || shape->threshold || shape->from_l1 ||
                     shape->compress || shape->unshared || shape->random_early ||
                     shape->random_blocks || shape->descale_by_z || shape->minus_infinity;
}

// In_data_format, which late conversion goes by, may be another name for what early conversion
// makes of the intermediate format: the page lists these ways to the same bits.
static void take_names_together(tsr_pack_mode *mode, uint8_t in)
{
    uint8_t between = mode->in_format;
    bool raw = mode->read_raw, rounds = mode->round_10b && !raw, same = false;
    switch (in) {
    case TSR_FORMAT_FP32:
        same =
            mode->read_32b && (between == TSR_FORMAT_INT32 || (between == TSR_FORMAT_TF32 && raw));
        break;
    case TSR_FORMAT_INT32:
        same = mode->read_32b &&
               ((between == TSR_FORMAT_FP32 && !rounds) || (between == TSR_FORMAT_TF32 && raw));
        break;
    case TSR_FORMAT_TF32:
        same = rounds && (between == TSR_FORMAT_FP32 ||
                          (between == TSR_FORMAT_BF16 && mode->out_format == TSR_FORMAT_FP16));
        break;
    case TSR_FORMAT_BF16:
        same = raw && between == TSR_FORMAT_BFP8;
        break;
    default:
        break;
    }
    if (!same)
        return;
    mode->in_format = in;
    mode->round_10b = false;
}

void tsr_pack_read_shape(const struct tsr_env *env, int s, int i, struct pack_shape *shape)
{
    uint32_t in = tsr_cfg(env, s, PACKER_FIELD(i, In_data_format));
    uint32_t out = tsr_cfg(env, s, PACKER_FIELD(i, Out_data_format));
    bool override = tsr_cfg(env, s, FIELD_ALU_FORMAT_SPEC_REG_Dstacc_override) != 0;
    uint32_t between = tsr_cfg(env, s,
                               override ? FIELD_ALU_FORMAT_SPEC_REG_Dstacc_val
                                        : FIELD_ALU_FORMAT_SPEC_REG2_Dstacc);
    const struct tsr_format_row *row = tsr_format_at((uint8_t)out);
    memset(shape, 0, sizeof *shape);
    shape->mode = (tsr_pack_mode){
        .arch = env->chip->arch,
        .read_32b = tsr_cfg(env, s, FIELD_PCK_DEST_RD_CTRL_Read_32b_data),
        .read_unsigned = tsr_cfg(env, s, FIELD_PCK_DEST_RD_CTRL_Read_unsigned),
        .read_raw = tsr_cfg(env, s, FIELD_PCK_DEST_RD_CTRL_Read_int8),
        .round_10b = tsr_cfg(env, s, FIELD_PCK_DEST_RD_CTRL_Round_10b_mant),
        .lf8_4b_exp = tsr_cfg(env, s, FIELD_THCON_SEC0_REG1_Pac_LF8_4b_exp),
        .in_format = (uint8_t)between,
        .out_format = (uint8_t)out,
        .relu_mode = tsr_cfg(env, s, FIELD_STACC_RELU_ApplyRelu) & 3,
        .relu_threshold = (uint16_t)tsr_cfg(env, s, FIELD_STACC_RELU_ReluThreshold)};
    shape->out_bits = row->l1_bits;
    shape->block = row->block;
    shape->small_output = (out & 2) != 0;
    shape->in_data_format = (uint8_t)in;
    shape->input_bytes = tsr_pack_datum_bytes(in);
    shape->exponent_section = (uint16_t)tsr_cfg(env, s, PACKER_FIELD(i, Exp_section_size));
    shape->accumulate = tsr_cfg(env, s, PACKER_FIELD(i, Pack_L1_Acc)) != 0;
    shape->header = !tsr_cfg(env, s, PACKER_FIELD(i, Sub_l1_tile_header_size));
    shape->add_offset = tsr_cfg(env, s, PACKER_FIELD(i, Add_l1_dest_addr_offset)) != 0;
    read_edges(env, s, i, shape);
    read_stages(env, s, i, shape);
    if (!shape->from_l1)
        take_names_together(&shape->mode, shape->in_data_format);
}

struct pack_strides tsr_pack_strides(const struct tsr_env *env, int s)
{
    return (struct pack_strides){
        .x0 = tsr_cfg(env, s, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Xstride) & 0xf,
        .y0 = (uint16_t)tsr_cfg(env, s, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride),
        .z0 = (uint16_t)tsr_cfg(env, s, FIELD_PCK0_ADDR_CTRL_ZW_REG_0_Zstride),
        .w0 = (uint16_t)tsr_cfg(env, s, FIELD_PCK0_ADDR_CTRL_ZW_REG_0_Wstride),
        .y1 = (uint16_t)tsr_cfg(env, s, FIELD_PCK0_ADDR_CTRL_XY_REG_1_Ystride),
        .z1 = (uint16_t)tsr_cfg(env, s, FIELD_PCK0_ADDR_CTRL_ZW_REG_1_Zstride),
        .w1 = (uint16_t)tsr_cfg(env, s, FIELD_PCK0_ADDR_CTRL_ZW_REG_1_Wstride)};
}

// The kind of datums between early and late conversion. False: no packer has these conversions.
static bool find_kind(struct pack_shape *shape)
{
    const tsr_pack_mode *mode = &shape->mode;
    tsr_pack_value value = {0};
    uint32_t pattern;
    tsr_status status = shape->from_l1 ? tsr_pack_from_l1(mode, 8u * shape->input_bytes, 0, &value)
                                       : tsr_pack_early(mode, 0, NULL, &value);
    shape->kind = (uint8_t)value.kind;
    if (status == TSR_OK && !shape->from_l1)
        status = tsr_pack_relu(mode, &value);
    return status == TSR_OK && shape->out_bits > 0 &&
           tsr_pack_late(mode, value, &pattern) == TSR_OK;
}

// True: the tile stops. Where there is no conversion, going on packs nothing.
static bool refuse_formats(struct tsr_env *env, const struct tsr_inflight *inst, int s, int i,
                           struct pack_plan *plan)
{
    struct pack_shape *shape = &plan->shape;
    const tsr_pack_mode *mode = &shape->mode;
    struct tsr_cited cited = {s,
                              5,
                              {FIELD_ALU_FORMAT_SPEC_REG2_Dstacc, PACKER_FIELD(i, In_data_format),
                               PACKER_FIELD(i, Out_data_format),
                               FIELD_PCK_DEST_RD_CTRL_Read_32b_data,
                               FIELD_PCK_DEST_RD_CTRL_Round_10b_mant}};
    enum tsr_verdict verdict = TSR_GO;
    if (shape->in_data_format != mode->in_format)
        verdict =
            tsr_report(env, FINDING_PACK_FORMAT_PAIR, inst, &cited,
                       "Packer %d's In_data_format is %s, but the intermediate format is "
                       "%s.",
                       i, tsr_format_name(shape->in_data_format), tsr_format_name(mode->in_format));
    if (verdict == TSR_HALT)
        return true;
    shape->anomalous |= verdict == TSR_GO_TAINTED;
    shape->nothing = !find_kind(shape) || (shape->accumulate && !plan->merge);
    if (!shape->nothing)
        return false;
    int bits = shape->from_l1 ? 8 * shape->input_bytes : mode->read_32b ? 32 : 16;
    return tsr_report(env, FINDING_PACK_FORMAT_PAIR, inst, &cited,
                      "No packer converts %d-bit %s by %s to %s with ReLU mode %u%s.", bits,
                      shape->from_l1 ? "L1" : "Dst", tsr_format_name(mode->in_format),
                      tsr_format_name(mode->out_format), mode->relu_mode,
                      shape->accumulate ? " and Pack_L1_Acc" : "") == TSR_HALT;
}

// A PACR that reads nothing need not have a conversion from L1, if there is one from Dst; the plan
// then holds for this instruction only.
static bool forget_l1(const struct tsr_env *env, const struct tsr_inflight *inst,
                      struct pack_shape *shape)
{
    struct pack_shape from_dst = *shape;
    from_dst.from_l1 = false;
    if (!shape->from_l1 || find_kind(shape) || !find_kind(&from_dst) ||
        !(tsr_arg(env, inst, OPERAND_Flush) || tsr_arg(env, inst, OPERAND_ZeroWrite)))
        return false;
    *shape = from_dst;
    return true;
}

// Formats and the edge mask have no value after reset that a program could mean; an address of
// zero is its own affair for packers 1 to 3, which may count from packer 0's.
static bool watch_reads(struct tsr_env *env, const struct tsr_inflight *inst, int s, int i)
{
    bool override = tsr_cfg(env, s, FIELD_ALU_FORMAT_SPEC_REG_Dstacc_override) != 0;
    const enum tsr_field needed[5] = {
        PACKER_FIELD(i, In_data_format), PACKER_FIELD(i, Out_data_format),
        override ? FIELD_ALU_FORMAT_SPEC_REG_Dstacc_val : FIELD_ALU_FORMAT_SPEC_REG2_Dstacc,
        FIELD_PCK_EDGE_OFFSET_SEC0_mask, FIELD_THCON_SEC0_REG1_L1_Dest_addr};
    return tsr_config_watch_reads(env, inst, s, TSR_READER_PACKER, needed, i == 0 ? 5 : 4);
}

static bool make(struct tsr_env *env, const struct tsr_inflight *inst, int s, int i,
                 struct pack_plan *plan)
{
    plan->made = false;
    if (env->watch && !watch_reads(env, inst, s, i))
        return false;
    tsr_pack_read_shape(env, s, i, &plan->shape);
    plan->strides = tsr_pack_strides(env, s);
    const tsr_pack_mode *mode = &plan->shape.mode;
    plan->plain = plan->shape.block ? NULL : tsr_kernels_pack(env->kernels, mode);
    plan->blocks = plan->shape.block ? tsr_kernels_pack_block(env->kernels, mode) : NULL;
    plan->merge = plan->shape.accumulate ? tsr_kernels_merge(env->kernels, mode->out_format) : NULL;
    plan->shape.bound = tsr_pack_bound_of(mode);
    bool reads_nothing = forget_l1(env, inst, &plan->shape);
    if (refuse_formats(env, inst, s, i, plan) || tsr_pack_anomalies(env, inst, s, i, plan))
        return false;
    tsr_pack_read_inputs(env, s, i, &plan->inputs);
    plan->stamp = ++env->pack_plans->stamp;
    plan->made = !reads_nothing;
    return true;
}

struct pack_plan *tsr_pack_plan_for(struct tsr_env *env, const struct tsr_inflight *inst,
                                    int state_id, int config)
{
    const uint32_t *generation = env->state->config.bank_generation[state_id];
    struct pack_plan *plan = &env->pack_plans->plan[state_id][config];
    if (plan->made && plan->pack_generation == generation[PLAN_PACK] &&
        plan->alu_generation == generation[PLAN_ALU]) {
        env->plans_reused++;
        tsr_pack_renew_inputs(env, state_id, config, &plan->inputs);
        return plan;
    }
    if (!make(env, inst, state_id, config, plan))
        return NULL;
    plan->pack_generation = generation[PLAN_PACK];
    plan->alu_generation = generation[PLAN_ALU];
    env->plans_made++;
    return plan;
}
