// SPDX-License-Identifier: Apache-2.0
// Which pairs of formats there are, found by asking for a conversion of zero (Unpackers/ and
// Packers/FormatConversion.md), and what the operands of STALLWAIT and its like can name.
#include "explain/explain_tables.h"

#include "common/format_list.h"

#include <tessera/numerics.h>

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- pairs

typedef bool pair_exists(tsr_arch arch, uint8_t in, uint8_t out, bool wide);

static bool unpacker_has(tsr_arch arch, uint8_t in, uint8_t out, bool to_dst)
{
    tsr_unpack_mode mode = {.arch = arch, .in_format = in, .out_format = out, .to_dst = to_dst};
    uint32_t datum;

    // Src has 19 bits: what stays at 32 is src-32bit-format.
    bool stays_wide = in == out && (in & 3) == 0;
    return !(stays_wide && !to_dst) && tsr_unpack_datum(&mode, 0, 0, &datum) == TSR_OK;
}

static bool packer_has(tsr_arch arch, uint8_t in, uint8_t out, bool read_32b)
{
    tsr_pack_mode mode = {.arch = arch, .in_format = in, .out_format = out, .read_32b = read_32b};
    uint32_t pattern;

    return tsr_pack_datum(&mode, 0, &pattern) == TSR_OK;
}

static uint32_t outputs_of(pair_exists *exists, tsr_arch arch, uint8_t in, bool wide)
{
    uint32_t outputs = 0;

    for (uint8_t out = 0; out < FORMAT_CODES; out++)
        outputs |= (uint32_t)exists(arch, in, out, wide) << out;
    return outputs;
}

static void print_formats(uint32_t formats)
{
    for (uint8_t code = 0; code < FORMAT_CODES; code++)
        if (formats >> code & 1)
            printf(" %s", tsr_format_name(code));
    if (formats == 0)
        fputs(" none", stdout);
}

static void print_table(pair_exists *exists, tsr_arch arch, bool wide)
{
    for (uint8_t in = 0; in < FORMAT_CODES; in++) {
        uint32_t outputs = outputs_of(exists, arch, in, wide);
        if (outputs == 0)
            continue;
        printf("    %-7s to", tsr_format_name(in));
        print_formats(outputs);
        putchar('\n');
    }
}

static bool chips_agree(pair_exists *exists, bool wide)
{
    for (uint8_t in = 0; in < FORMAT_CODES; in++)
        if (outputs_of(exists, TSR_WORMHOLE_B0, in, wide) !=
            outputs_of(exists, TSR_BLACKHOLE_A0, in, wide))
            return false;
    return true;
}

static void print_tables(const char *title, pair_exists *exists, bool wide,
                         const bool archs[TSR_ARCH_COUNT])
{
    bool together = chips_agree(exists, wide);

    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        if (!archs[arch])
            continue;
        printf("  %s%s%s\n", title, together ? "" : ", ",
               together ? "" : tsr_arch_name((tsr_arch)arch));
        print_table(exists, (tsr_arch)arch, wide);
        if (together)
            return;
    }
}

void print_legal_pairs(const char *code, const bool archs[TSR_ARCH_COUNT])
{
    if (strcmp(code, "unpack-format-pair") == 0) {
        print_tables("legal to SrcA and SrcB (InDataFormat to Out_data_format)", unpacker_has,
                     false, archs);
        print_tables("legal to Dst", unpacker_has, true, archs);
        puts("  FP32, TF32 and INT32 as they are to SrcA or SrcB: src-32bit-format");
    } else if (strcmp(code, "pack-format-pair") == 0) {
        print_tables("legal from a 16-bit Dst (In_data_format to Out_data_format)", packer_has,
                     false, archs);
        print_tables("legal from a 32-bit Dst (PCK_DEST_RD_CTRL_Read_32b_data = 1)", packer_has,
                     true, archs);
        puts("  PCK_DEST_RD_CTRL_Read_int8 and _Round_10b_mant allow more: docs/packers.md, "
             "Formats");
    }
}

// ---------------------------------------------------------------- constants

static bool has_operand(const tsr_instruction_info *info, const char *name)
{
    for (int i = 0; i < info->operand_count; i++)
        if (strcmp(info->operands[i].name, name) == 0)
            return true;
    return false;
}

// What names of an instruction's modes begin with, where that is not its own name.
static const char *mode_prefix(const char *mnemonic)
{
    static const char *const rows[][2] = {
        {"SFPLOAD", "MOD0_FMT"},      {"SFPSTORE", "MOD0_FMT"},
        {"SFPLOADMACRO", "MOD0_FMT"}, {"SFP_STOCH_RND", "SFPSTOCHRND_"},
        {"SFPADD", "SFPMAD_"},        {"SFPMUL", "SFPMAD_"},
        {"SFPADDI", "SFPMAD_"},       {"SFPMULI", "SFPMAD_"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(mnemonic, rows[i][0]) == 0)
            return rows[i][1];
    return mnemonic;
}

static void print_modes(const tsr_instruction_info *info, tsr_arch arch)
{
    const char *prefix = mode_prefix(info->mnemonic);
    size_t length = strlen(prefix);
    tsr_constant_info constant;
    bool any = false;

    for (int at = 0; tsr_constant_at(arch, at, &constant) == TSR_OK; at++) {
        const char *name = constant.name + strlen("sfpu.");
        if (strncmp(constant.name, "sfpu.", strlen("sfpu.")) != 0 ||
            strncmp(name, prefix, length) != 0 || (prefix == info->mnemonic && name[length] != '_'))
            continue;
        if (!any)
            printf("  names for modes\n");
        any = true;
        printf("    %-10s %2u  %-44s %s\n", constant.operand, (unsigned)constant.value,
               constant.name, constant.text);
    }
}

void print_constants(const tsr_instruction_info *info, tsr_arch arch)
{
    static const char *const titles[][2] = {
        {"stall_res", "blocks: instructions of the unit are held"},
        {"wait_res", "waits while"},
        {"wait_sem_cond", "waits while"},
        {"sem_sel", "semaphores: 1 << the number"},
    };
    tsr_constant_info constant;

    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        if (!has_operand(info, titles[i][0]))
            continue;
        printf("  %-12s %s\n", titles[i][0], titles[i][1]);
        for (int at = 0; tsr_constant_at(arch, at, &constant) == TSR_OK; at++)
            if (strcmp(constant.operand, titles[i][0]) == 0)
                printf("    0x%04x  %-30s %s\n", (unsigned)constant.value, constant.name,
                       constant.text);
    }
    print_modes(info, arch);
}
