// SPDX-License-Identifier: Apache-2.0
// The header of a chip for kernels in C; see kernel_header.h.
#include "kernel/kernel_header.h"

#include "common/boot_words.h"
#include "common/format_list.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

int kernel_core_find(const char *name)
{
    for (int i = 0; i < TSR_CORES; i++)
        if (strcmp(tsr_core_program_name((tsr_core)i), name) == 0)
            return i;
    return -1;
}

// What is no letter of an identifier, as the dots of names, becomes an underscore.
static void print_name(FILE *file, const char *name)
{
    for (; *name != '\0'; name++)
        fputc(isalnum((unsigned char)*name) ? *name : '_', file);
}

static uint32_t low_bits(unsigned width)
{
    return (uint32_t)((UINT64_C(1) << width) - 1);
}

static void print_instructions(FILE *file, tsr_arch arch)
{
    fputs("\n// Instruction words: TT_WORD_NAME | TT_NAME_operand(value) | …\n", file);
    for (int i = 0; i < tsr_instruction_count(arch); i++) {
        const tsr_instruction_info *info = tsr_instruction_at(arch, i);
        fprintf(file, "#define TT_WORD_%s 0x%08" PRIx32 "u\n", info->mnemonic,
                (uint32_t)info->opcode << 24);
        for (int k = 0; k < info->operand_count; k++) {
            const tsr_operand_info *operand = &info->operands[k];
            fprintf(file, "#define TT_%s_%s(value) (((uint32_t)(value) & 0x%" PRIx32 "u) << %d)\n",
                    info->mnemonic, operand->name, low_bits(operand->width), operand->first_bit);
        }
    }
}

// Of a whole TileDescriptor, which is wider than a word, only the place.
static void print_field(FILE *file, const tsr_field_info *field)
{
    const struct {
        const char *what;
        uint32_t value;
    } lines[] = {
        {"ADDR32", field->addr32},
        {"SHAMT", field->first_bit},
        {"MASK", low_bits(field->width <= 32 ? field->width : 0) << field->first_bit},
    };

    for (int i = 0; i < (field->width <= 32 ? 3 : 1); i++) {
        fputs("#define ", file);
        print_name(file, field->name);
        fprintf(file, i == 2 ? "_%s 0x%" PRIx32 "u\n" : "_%s %" PRIu32 "\n", lines[i].what,
                lines[i].value);
    }
}

static void print_fields(FILE *file, tsr_arch arch)
{
    static const struct {
        tsr_field_scope scope;
        const char *head;
    } parts[] = {
        {TSR_SCOPE_THREAD, "Fields of a thread: ADDR32 counts values of 16 bits (SETC16)"},
        {TSR_SCOPE_BANKED, "Fields of the two banks: ADDR32 counts words (RMWCIB, WRCFG)"},
        {TSR_SCOPE_UNBANKED, "Fields that exist once"},
    };

    for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++) {
        fprintf(file, "\n// %s.\n", parts[part].head);
        for (int i = 0; i < tsr_field_count(arch); i++)
            if (tsr_field_at(arch, i)->scope == parts[part].scope)
                print_field(file, tsr_field_at(arch, i));
    }
}

static void print_constants(FILE *file, tsr_arch arch)
{
    tsr_constant_info constant;

    fputs("\n// Values of operands, and the codes of formats.\n", file);
    for (int i = 0; tsr_constant_at(arch, i, &constant) == TSR_OK; i++) {
        fputs("#define ", file);
        print_name(file, constant.name);
        fprintf(file, " 0x%" PRIx32 "u\n", constant.value);
    }
    for (uint8_t code = 0; code < FORMAT_CODES; code++) {
        if (!is_format(code))
            continue;
        fputs("#define TT_FORMAT_", file);
        print_name(file, tsr_format_name(code));
        fprintf(file, " %u\n", code);
    }
}

static void print_addresses(FILE *file, tsr_arch arch)
{
    tsr_memory_info region;
    tsr_register_info reg;

    fputs("\n// The address map of the cores, and the debug registers.\n", file);
    for (int i = 0; tsr_memory_at(arch, i, &region) == TSR_OK; i++)
        fprintf(file, "#define TT_%s_BASE 0x%08" PRIx32 "u\n#define TT_%s_SIZE 0x%" PRIx32 "u\n",
                region.name, region.base, region.name, region.size);
    for (int i = 0; tsr_register_at(arch, i, &reg) == TSR_OK; i++)
        fprintf(file, "#define TT_DEBUG_%s 0x%08" PRIx32 "u\n", reg.name, reg.address);
}

static void print_numbers(FILE *file, tsr_arch arch)
{
    tsr_number_info number;

    fputs("\n// Soft reset and the NoC interfaces.\n", file);
    for (int i = 0; tsr_number_at(arch, i, &number) == TSR_OK; i++)
        fprintf(file, "#define TT_%s 0x%" PRIx32 "u\n", number.name, number.value);
}

static void print_boot_words(FILE *file, tsr_arch arch)
{
    fputs("\n// Words of L1: where T0, T1 and T2 begin, and 0xff when they are done.\n", file);
    if (arch == TSR_WORMHOLE_B0)
        fprintf(file, "#define TT_START_WORDS 0x%xu\n", (unsigned)BOOT_START_WORDS);
    fprintf(file, "#define TT_DONE_WORDS 0x%xu\n", (unsigned)BOOT_DONE_WORDS);
}

void kernel_header_print(FILE *file, tsr_arch arch)
{
    const char *name = tsr_arch_name(arch);

    fprintf(file,
            "// SPDX-License-Identifier: Apache-2.0\n"
            "// %s for kernels in C: made by `tessera kernel-header` of Tessera %s.\n"
            "#ifndef TESSERA_KERNEL_ROWS_H\n"
            "#define TESSERA_KERNEL_ROWS_H\n\n"
            "#include <stdint.h>\n",
            name, tsr_version());
    print_addresses(file, arch);
    print_numbers(file, arch);
    print_boot_words(file, arch);
    print_constants(file, arch);
    print_instructions(file, arch);
    print_fields(file, arch);
    fputs("\n#endif\n", file);
}
