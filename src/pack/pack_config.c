// SPDX-License-Identifier: Apache-2.0
// Decodes a packer's configuration in the order of the pipeline: source, edge masks, conversions,
// output to L1; with all anomalies that follow from configuration alone.
// Pages: Packers/README.md, Packers/FormatConversion.md, Packers/ReLU.md, Packers/Downsampling.md,
// Packers/Compression.md, PACR.md of each chip.
#include "pack/pack_config.h"

#include "base/format_codes.h"
#include "pack/pack_inputs.h"

#include <string.h>

struct reader {
    const struct tsr_env *env;
    int state_id, config_of;
};

static uint32_t get(const struct reader *r, enum tsr_field field)
{
    return tsr_cfg(r->env, r->state_id, field);
}

static uint32_t own(const struct reader *r, enum tsr_pack_field name)
{
    return tsr_pack_cfg(r->env, r->state_id, r->config_of, name);
}

// ---------------------------------------------------------------- conversions

// In_data_format, which selects the late conversion, may be another name for what early conversion
// makes of the intermediate format: the page lists these ways to the same bits.
static void unify_format_names(tsr_pack_mode *mode, uint8_t in)
{
    uint8_t intermediate = mode->in_format;
    bool raw = mode->read_raw, rounds = mode->round_10b && !raw, same = false;
    switch (in) {
    case TSR_FORMAT_FP32:
        same = mode->read_32b &&
               (intermediate == TSR_FORMAT_INT32 || (intermediate == TSR_FORMAT_TF32 && raw));
        break;
    case TSR_FORMAT_INT32:
        same = mode->read_32b && ((intermediate == TSR_FORMAT_FP32 && !rounds) ||
                                  (intermediate == TSR_FORMAT_TF32 && raw));
        break;
    case TSR_FORMAT_TF32:
        same = rounds && (intermediate == TSR_FORMAT_FP32 ||
                          (intermediate == TSR_FORMAT_BF16 && mode->out_format == TSR_FORMAT_FP16));
        break;
    case TSR_FORMAT_BF16:
        same = raw && intermediate == TSR_FORMAT_BFP8;
        break;
    default:
        break;
    }
    if (!same)
        return;
    mode->in_format = in;
    mode->round_10b = false;
}

static void read_conversions(const struct reader *r, struct tsr_pack_config *config)
{
    bool override = get(r, FIELD_ALU_FORMAT_SPEC_REG_Dstacc_override) != 0;
    tsr_pack_mode *mode = &config->mode;
    *mode =
        (tsr_pack_mode){.arch = r->env->chip->arch,
                        .read_32b = get(r, FIELD_PCK_DEST_RD_CTRL_Read_32b_data),
                        .read_unsigned = get(r, FIELD_PCK_DEST_RD_CTRL_Read_unsigned),
                        .read_raw = get(r, FIELD_PCK_DEST_RD_CTRL_Read_int8),
                        .round_10b = get(r, FIELD_PCK_DEST_RD_CTRL_Round_10b_mant),
                        .lf8_4b_exp = get(r, FIELD_THCON_SEC0_REG1_Pac_LF8_4b_exp),
                        .in_format = (uint8_t)get(r, override ? FIELD_ALU_FORMAT_SPEC_REG_Dstacc_val
                                                              : FIELD_ALU_FORMAT_SPEC_REG2_Dstacc),
                        .out_format = (uint8_t)own(r, PACK_FIELD_Out_data_format),
                        .relu_mode = get(r, FIELD_STACC_RELU_ApplyRelu) & 3,
                        .relu_threshold = (uint16_t)get(r, FIELD_STACC_RELU_ReluThreshold)};
    config->random_early = get(r, FIELD_ALU_ROUNDING_MODE_Gasket_srnd_en) != 0;
    // Mode 0 has one shift for all datums, mode 1 one for each Z of the tile.
    if (get(r, FIELD_INT_DESCALE_Enable) && mode->read_32b && mode->in_format == TSR_FORMAT_INT8) {
        config->descale_by_z = get(r, FIELD_INT_DESCALE_Mode) != 0;
        if (!config->descale_by_z)
            mode->int8_shift = get(r, FIELD_INT_DESCALE_VALUES_SEC0_Value) & 31;
    }
    if (!config->from_l1)
        unify_format_names(mode, config->in_data_format);
    config->bound = tsr_pack_bound_of(mode);
}

bool tsr_pack_find_kind(struct tsr_pack_config *config)
{
    const tsr_pack_mode *mode = &config->mode;
    tsr_pack_value value = {0};
    uint32_t pattern;
    tsr_status status = config->from_l1
                            ? tsr_pack_from_l1(mode, 8u * config->input_bytes, 0, &value)
                            : tsr_pack_early(mode, 0, NULL, &value);
    config->kind = (uint8_t)value.kind;
    if (status == TSR_OK && !config->from_l1)
        status = tsr_pack_relu(mode, &value);
    return status == TSR_OK && config->out_bits > 0 &&
           tsr_pack_late(mode, value, &pattern) == TSR_OK;
}

// ---------------------------------------------------------------- together

// Whether zeroes are to be compressed away: one bit for each packer instead of its own, if
// overridden.
static bool asks_to_compress(const struct reader *r)
{
    if (!get(r, FIELD_THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd))
        return !own(r, PACK_FIELD_Disable_zero_compress);
    bool has_bits =
        r->env->isa->field[FIELD_THCON_SEC0_REG1_All_pack_disable_zero_compress].width > 0;
    uint32_t disabled = get(r, FIELD_THCON_SEC0_REG1_All_pack_disable_zero_compress);
    return has_bits && !(disabled >> r->config_of & 1);
}

void tsr_pack_config_make(const struct tsr_env *env, int state_id, int config_of,
                          struct tsr_pack_config *config)
{
    const struct reader reader = {env, state_id, config_of}, *r = &reader;
    memset(config, 0, sizeof *config);
    bool reaches_l1 = config_of == 0 || env->chip->packers == 1; // Wormhole's 1 to 3 do not
    config->from_l1 = reaches_l1 && own(r, PACK_FIELD_Source_interface_selection) != 0;
    config->sets_last_mask = own(r, PACK_FIELD_Auto_set_last_pacr_intf_sel) != 0;
    config->in_data_format = (uint8_t)own(r, PACK_FIELD_In_data_format);
    config->input_bytes = tsr_pack_datum_bytes(config->in_data_format);
    tsr_pack_read_edges(env, state_id, config_of, &config->edges);
    read_conversions(r, config);

    if (own(r, PACK_FIELD_Exp_threshold_en))
        config->exponent_threshold = (uint8_t)own(r, PACK_FIELD_Exp_threshold);
    uint32_t downsample_mask = own(r, PACK_FIELD_Downsample_mask);
    config->downsample_mask = downsample_mask ? (uint16_t)downsample_mask : 0xffff;

    const struct tsr_format_row *out = tsr_format_at(config->mode.out_format);
    config->out_bits = out->l1_bits;
    config->block = out->block;
    config->unshared_exponent = config->block && own(r, PACK_FIELD_Dis_shared_exp_assembler) != 0;
    config->random_blocks = config->block && get(r, FIELD_ALU_ROUNDING_MODE_Packer_srnd_en) != 0;
    bool forced = own(r, PACK_FIELD_Disable_pack_zero_flags) != 0; // docs/errata.md 323
    config->compress = asks_to_compress(r) && !forced;
    config->forced_uncompressed = asks_to_compress(r) && forced;
    config->accumulate = own(r, PACK_FIELD_Pack_L1_Acc) != 0;
    config->has_exponent_section = (config->mode.out_format & 2) != 0;
    config->exponent_section = (uint16_t)own(r, PACK_FIELD_Exp_section_size);
    config->row_start_section = (uint16_t)own(r, PACK_FIELD_Row_start_section_size);
    config->add_l1_offset = own(r, PACK_FIELD_Add_l1_dest_addr_offset) != 0;

    config->only_by_datums = config->downsample_mask != 0xffff || config->exponent_threshold ||
                             config->from_l1 || config->compress || config->unshared_exponent ||
                             config->random_early || config->random_blocks ||
                             config->descale_by_z || config->edges.minus_infinity;
}

// Five-bit formats of a 32-bit Dst that no page has, or whose threshold no page has (docs/errata.md
// 243 and 321). Blackhole's FP16 itself was seen.
static bool narrows_late(const tsr_pack_mode *mode, bool threshold)
{
    bool fp16 = mode->in_format == TSR_FORMAT_FP16;
    return mode->read_32b && (mode->in_format == TSR_FORMAT_BFP8A ||
                              (fp16 && (threshold || mode->arch == TSR_WORMHOLE_B0)));
}

static bool sets_idle_field(const struct tsr_env *env, int state_id, int config_of)
{
    for (unsigned i = 0; i < TSR_PACK_IDLE_ROWS; i++)
        if (tsr_cfg(env, state_id, tsr_pack_anomaly_field(tsr_pack_idle_rows[i].field, config_of)))
            return true;
    return false;
}

tsr_pack_anomalies tsr_pack_config_anomalies(const struct tsr_env *env, int state_id, int config_of,
                                             const struct tsr_pack_config *config)
{
    const tsr_pack_mode *mode = &config->mode;
    bool downsamples = config->downsample_mask != 0xffff;
    bool threshold = tsr_pack_cfg(env, state_id, config_of, PACK_FIELD_Exp_threshold_en) != 0;
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
        [TSR_PACK_ANOMALY_FORCED_UNCOMPRESSED] = config->forced_uncompressed,
        [TSR_PACK_ANOMALY_IDLE_FIELD] = sets_idle_field(env, state_id, config_of),
        [TSR_PACK_ANOMALY_INTEGER_INFINITY] =
            config->edges.minus_infinity && config->kind >= TSR_PACK_INT32,
        [TSR_PACK_ANOMALY_LATE_NARROWING] = !config->from_l1 && !config->no_conversion &&
                                            narrows_late(mode, config->exponent_threshold != 0),
        [TSR_PACK_ANOMALY_UPPER_HALVES] = !config->from_l1 && !config->no_conversion &&
                                          !mode->read_32b && mode->in_format == TSR_FORMAT_FP32 &&
                                          config->kind == TSR_PACK_FP32};
    tsr_pack_anomalies anomalies = 0;
    for (unsigned i = 0; i < TSR_PACK_ANOMALY_COUNT; i++)
        anomalies |= (tsr_pack_anomalies)is_so[i] << i;
    return anomalies;
}

struct tsr_pack_strides tsr_pack_read_strides(const struct tsr_env *env, int state_id)
{
    const struct reader reader = {env, state_id, 0}, *r = &reader;
    return (struct tsr_pack_strides){.x0 = get(r, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Xstride) & 0xf,
                                     .y0 = (uint16_t)get(r, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride),
                                     .z0 = (uint16_t)get(r, FIELD_PCK0_ADDR_CTRL_ZW_REG_0_Zstride),
                                     .w0 = (uint16_t)get(r, FIELD_PCK0_ADDR_CTRL_ZW_REG_0_Wstride),
                                     .y1 = (uint16_t)get(r, FIELD_PCK0_ADDR_CTRL_XY_REG_1_Ystride),
                                     .z1 = (uint16_t)get(r, FIELD_PCK0_ADDR_CTRL_ZW_REG_1_Zstride),
                                     .w1 = (uint16_t)get(r, FIELD_PCK0_ADDR_CTRL_ZW_REG_1_Wstride)};
}
