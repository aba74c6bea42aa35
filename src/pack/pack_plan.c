// SPDX-License-Identifier: Apache-2.0
// A packer's plan: formats, edge masks and sizes, with the checks that depend on them alone. Reused
// until a field of the plan groups PACK or ALU changes. Pages: Packers/README.md,
// Packers/FormatConversion.md, Packers/ReLU.md, Packers/EdgeMasking.md, PACR.md of each chip.
#include "pack/pack_job.h"

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
    memset(plans->plan, 0, sizeof plans->plan);
}

const struct pack_unbuilt tsr_pack_unbuilt[PACK_UNBUILT_OPERANDS] = {
    {OPERAND_ZeroWrite, "ZeroWrite"},
    {OPERAND_CtxtCtrl, "CtxtCtrl"},
    {OPERAND_RowPadZero, "RowPadZero"},
    {OPERAND_CfgContext, "CfgContext"}};

static uint32_t unbuilt_bits(const struct tsr_isa *isa)
{
    uint32_t bits = 0;
    for (int i = 0; i < PACK_UNBUILT_OPERANDS; i++) {
        struct tsr_operand_place place = isa->operand[OP_PACR][tsr_pack_unbuilt[i].operand];
        bits |= tsr_mask32(place.width) << place.first_bit;
    }
    return bits;
}

// Modes that are not there yet; each names itself.
struct unbuilt {
    const char *what;
    enum tsr_field field;
};

static bool refuse_mode(struct tsr_env *env, const struct tsr_flight *flight, int state_id,
                        enum tsr_field field, const char *what)
{
    struct tsr_cited cited = {state_id, 1, {field}};
    return tsr_report(env, FINDING_UNIMPLEMENTED_MODE, flight, &cited, "PACR with %s is "
                      "unimplemented.", what) == TSR_HALT;
}

// True: the tile stops.
static bool unbuilt_modes(struct tsr_env *env, const struct tsr_flight *flight, int s, int i)
{
    const struct unbuilt modes[] = {
        {"Downsample_mask", PACKER_FIELD(i, Downsample_mask)},
        {"Downsample_rate", PACKER_FIELD(i, Downsample_rate)},
        {"Exp_threshold_en", PACKER_FIELD(i, Exp_threshold_en)},
        {"Dis_shared_exp_assembler", PACKER_FIELD(i, Dis_shared_exp_assembler)},
        {"PCK_EDGE_MODE_mode=1 (minus infinity)", FIELD_PCK_EDGE_MODE_mode},
        {"PCK_EDGE_TILE_FACE_SET_SELECT_enable", FIELD_PCK_EDGE_TILE_FACE_SET_SELECT_enable},
        {"INT_DESCALE_Enable", FIELD_INT_DESCALE_Enable},
        {"stochastic rounding", FIELD_ALU_ROUNDING_MODE_Packer_srnd_en},
        {"stochastic rounding", FIELD_ALU_ROUNDING_MODE_Gasket_srnd_en},
    };
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++)
        if (tsr_cfg(env, s, modes[m].field) &&
            refuse_mode(env, flight, s, modes[m].field, modes[m].what))
            return true;
    if (i == 0 && tsr_cfg(env, s, FIELD_THCON_SEC0_REG1_Source_interface_selection) &&
        refuse_mode(env, flight, s, FIELD_THCON_SEC0_REG1_Source_interface_selection,
                    "L1 as its source"))
        return true;
    bool override = tsr_cfg(env, s, FIELD_THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd);
    bool has_bits =
        env->isa->field[FIELD_THCON_SEC0_REG1_All_pack_disable_zero_compress].width > 0;
    uint32_t bits = tsr_cfg(env, s, FIELD_THCON_SEC0_REG1_All_pack_disable_zero_compress);
    bool plain = override ? (!has_bits || (bits >> i & 1))
                          : tsr_cfg(env, s, PACKER_FIELD(i, Disable_zero_compress)) != 0;
    return !plain && refuse_mode(env, flight, s, PACKER_FIELD(i, Disable_zero_compress),
                                 "compression (Disable_zero_compress=0)");
}

static void read_edges(const struct tsr_env *env, int s, int i, struct pack_shape *shape)
{
    static const enum tsr_field mapping[4] = {FIELD_TILE_ROW_SET_MAPPING_0_row_set_mapping_0,
                                              FIELD_TILE_ROW_SET_MAPPING_1_row_set_mapping_0,
                                              FIELD_TILE_ROW_SET_MAPPING_2_row_set_mapping_0,
                                              FIELD_TILE_ROW_SET_MAPPING_3_row_set_mapping_0};
    static const enum tsr_field mask[4] = {
        FIELD_PCK_EDGE_OFFSET_SEC0_mask, FIELD_PCK_EDGE_OFFSET_SEC1_mask,
        FIELD_PCK_EDGE_OFFSET_SEC2_mask, FIELD_PCK_EDGE_OFFSET_SEC3_mask};
    uint32_t set = tsr_cfg(env, s, FIELD_PCK_EDGE_TILE_ROW_SET_SELECT_select) >> (2 * i) & 3;
    // The sixteen two-bit entries fill the word.
    uint32_t entries = env->state->config.bank[s][env->isa->field[mapping[set]].addr32];
    shape->edges = false;
    for (int row = 0; row < PACK_EDGE_ROWS; row++) {
        shape->edge_mask[row] = (uint16_t)tsr_cfg(env, s, mask[entries >> (2 * row) & 3]);
        shape->edges |= shape->edge_mask[row] != 0xffff;
    }
}

static void read_counters(const struct tsr_env *env, int s, int i, struct pack_shape *shape)
{
    static const enum tsr_field reads[TSR_PACKERS] = {
        FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane,
        FIELD_PACK_COUNTERS_SEC1_pack_reads_per_xy_plane,
        FIELD_PACK_COUNTERS_SEC2_pack_reads_per_xy_plane,
        FIELD_PACK_COUNTERS_SEC3_pack_reads_per_xy_plane};
    static const enum tsr_field transposed[TSR_PACKERS] = {
        FIELD_PACK_COUNTERS_SEC0_pack_yz_transposed, FIELD_PACK_COUNTERS_SEC1_pack_yz_transposed,
        FIELD_PACK_COUNTERS_SEC2_pack_yz_transposed, FIELD_PACK_COUNTERS_SEC3_pack_yz_transposed};
    shape->reads_per_plane = (uint8_t)tsr_cfg(env, s, reads[i]);
    shape->yz_transposed = tsr_cfg(env, s, transposed[i]) != 0;
}

static void read_shape(const struct tsr_env *env, int s, int i, struct pack_shape *shape)
{
    uint32_t in = tsr_cfg(env, s, PACKER_FIELD(i, In_data_format));
    uint32_t out = tsr_cfg(env, s, PACKER_FIELD(i, Out_data_format));
    bool override = tsr_cfg(env, s, FIELD_ALU_FORMAT_SPEC_REG_Dstacc_override) != 0;
    uint32_t between = tsr_cfg(env, s, override ? FIELD_ALU_FORMAT_SPEC_REG_Dstacc_val
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
    shape->input_bytes = tsr_pack_datum_bytes(in);
    shape->exponent_section = (uint16_t)tsr_cfg(env, s, PACKER_FIELD(i, Exp_section_size));
    shape->accumulate = tsr_cfg(env, s, PACKER_FIELD(i, Pack_L1_Acc)) != 0;
    shape->header = !tsr_cfg(env, s, PACKER_FIELD(i, Sub_l1_tile_header_size));
    shape->add_offset = tsr_cfg(env, s, PACKER_FIELD(i, Add_l1_dest_addr_offset)) != 0;
    read_edges(env, s, i, shape);
    read_counters(env, s, i, shape);
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

// True: the tile stops. Where there is no conversion, going on packs nothing.
static bool refuse_formats(struct tsr_env *env, const struct tsr_flight *flight, int s, int i,
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
    uint32_t in = tsr_cfg(env, s, PACKER_FIELD(i, In_data_format));
    enum tsr_verdict verdict = TSR_GO;
    if (in != mode->in_format)
        verdict = tsr_report(env, FINDING_PACK_FORMAT_PAIR, flight, &cited,
                             "Packer %d's In_data_format is %s, but the intermediate format is "
                             "%s.", i, tsr_format_name((uint8_t)in),
                             tsr_format_name(mode->in_format));
    if (verdict == TSR_HALT)
        return true;
    shape->doubtful = verdict == TSR_GO_TAINTED;
    shape->nothing = (shape->block ? plan->blocks == NULL : plan->plain == NULL) ||
                     (shape->accumulate && !plan->merge);
    return shape->nothing &&
           tsr_report(env, FINDING_PACK_FORMAT_PAIR, flight, &cited,
                      "No packer converts %d-bit Dst by %s to %s%s.", mode->read_32b ? 32 : 16,
                      tsr_format_name(mode->in_format), tsr_format_name(mode->out_format),
                      shape->accumulate ? " with Pack_L1_Acc" : "") == TSR_HALT;
}

// Formats and the edge mask have no value after reset that a program could mean; an address of
// zero is its own affair for packers 1 to 3, which may count from packer 0's.
static bool watch_reads(struct tsr_env *env, const struct tsr_flight *flight, int s, int i)
{
    bool override = tsr_cfg(env, s, FIELD_ALU_FORMAT_SPEC_REG_Dstacc_override) != 0;
    const enum tsr_field needed[5] = {
        PACKER_FIELD(i, In_data_format), PACKER_FIELD(i, Out_data_format),
        override ? FIELD_ALU_FORMAT_SPEC_REG_Dstacc_val : FIELD_ALU_FORMAT_SPEC_REG2_Dstacc,
        FIELD_PCK_EDGE_OFFSET_SEC0_mask, FIELD_THCON_SEC0_REG1_L1_Dest_addr};
    return tsr_config_watch_reads(env, flight, s, TSR_READER_PACKER, needed, i == 0 ? 5 : 4);
}

static bool make(struct tsr_env *env, const struct tsr_flight *flight, int s, int i,
                 struct pack_plan *plan)
{
    plan->made = false;
    if (env->watch && !watch_reads(env, flight, s, i))
        return false;
    if (unbuilt_modes(env, flight, s, i))
        return false;
    read_shape(env, s, i, &plan->shape);
    plan->strides = tsr_pack_strides(env, s);
    plan->unbuilt_bits = unbuilt_bits(env->isa);
    const tsr_pack_mode *mode = &plan->shape.mode;
    plan->plain = plan->shape.block ? NULL : tsr_kernels_pack(env->kernels, mode);
    plan->blocks = plan->shape.block ? tsr_kernels_pack_block(env->kernels, mode) : NULL;
    plan->merge =
        plan->shape.accumulate ? tsr_kernels_merge(env->kernels, mode->out_format) : NULL;
    if (refuse_formats(env, flight, s, i, plan))
        return false;
    plan->stamp = ++env->pack_plans->stamp;
    plan->made = true;
    return true;
}

const struct pack_plan *tsr_pack_plan_for(struct tsr_env *env, const struct tsr_flight *flight,
                                          int state_id, int packer)
{
    const uint32_t *generation = env->state->config.bank_generation[state_id];
    struct pack_plan *plan = &env->pack_plans->plan[state_id][packer];
    if (plan->made && plan->pack_generation == generation[PLAN_PACK] &&
        plan->alu_generation == generation[PLAN_ALU]) {
        env->plans_reused++;
        return plan;
    }
    if (!make(env, flight, state_id, packer, plan))
        return NULL;
    plan->pack_generation = generation[PLAN_PACK];
    plan->alu_generation = generation[PLAN_ALU];
    env->plans_made++;
    return plan;
}
