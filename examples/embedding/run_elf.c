// SPDX-License-Identifier: Apache-2.0
// A chip, and on one of its tiles an ELF file for core T0. docs/embedding.md goes through it.
//
//   run_elf wh|bh PROGRAM.elf
#include <tessera/chip.h>

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { X = 1, Y = 2 }; // NoC 0 coordinates of a Tensix tile on both chips

static bool fits(size_t offset, size_t size, size_t whole)
{
    return offset <= whole && size <= whole - offset;
}

// Segments go to their load addresses in L1. One for the core's private RAM has such an address,
// too (the linker scripts see to it): start.h copies it from there.
static bool load(tsr_chip *chip, const char *file, size_t size, uint32_t *entry)
{
    Elf32_Ehdr header;
    Elf32_Phdr segment;

    if (!fits(0, sizeof header, size))
        return false;
    memcpy(&header, file, sizeof header);
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_machine != EM_RISCV ||
        header.e_ident[EI_CLASS] != ELFCLASS32)
        return false;
    for (unsigned i = 0; i < header.e_phnum; i++) {
        size_t at = header.e_phoff + i * sizeof segment;
        if (!fits(at, sizeof segment, size))
            return false;
        memcpy(&segment, file + at, sizeof segment);
        if (segment.p_type != PT_LOAD || segment.p_filesz == 0)
            continue;
        if (!fits(segment.p_offset, segment.p_filesz, size) ||
            tsr_chip_write(chip, X, Y, segment.p_paddr, file + segment.p_offset,
                           segment.p_filesz) != TSR_OK)
            return false;
    }
    *entry = header.e_entry;
    return true;
}

static void tell(tsr_chip *chip, tsr_end end)
{
    tsr_core_state core;
    tsr_chip_finding finding;

    printf("the run ends: %s, after %" PRIu64 " cycles\n", tsr_end_name(end), tsr_chip_cycle(chip));
    if (tsr_chip_view_core(chip, X, Y, TSR_CORE_T0, &core) == TSR_OK)
        printf("T0 stands at 0x%08" PRIx32 "%s\n", core.pc,
               core.rest == TSR_CORE_ENDED ? ", its end" : "");
    for (int i = 0; tsr_chip_finding_at(chip, i, &finding) == TSR_OK; i++)
        printf("tile %u,%u: %s: %s\n", finding.node.x, finding.node.y, finding.diagnostic->code,
               finding.diagnostic->sentence);
}

// The program's exit status.
static int run(tsr_chip *chip, const char *path, const char *file, size_t size)
{
    tsr_tile *tile;
    uint32_t entry, word = 0;

    if (!load(chip, file, size, &entry) || tsr_chip_tile(chip, X, Y, &tile) != TSR_OK ||
        tsr_core_start(tile, TSR_CORE_T0, entry) != TSR_OK) {
        fprintf(stderr, "%s: this cannot be loaded\n", path);
        return 2;
    }
    tsr_end end = tsr_chip_run(chip, NULL);
    tell(chip, end);
    tsr_chip_read(chip, X, Y, 0x20000, &word, sizeof word);
    printf("L1 at 0x20000: %" PRIu32 "\n", word);
    return end == TSR_END_IDLE ? 0 : 1;
}

int main(int argc, char **argv)
{
    static char file[1 << 20];
    tsr_arch arch;
    tsr_chip *chip;

    FILE *input = argc == 3 ? fopen(argv[2], "rb") : NULL;
    if (input == NULL || tsr_arch_from_name(argv[1], &arch) != TSR_OK)
        return 2;
    size_t size = fread(file, 1, sizeof file, input);
    fclose(input);
    tsr_chip_options options = tsr_chip_options_default(arch);
    if (tsr_chip_create(&options, &chip) != TSR_OK)
        return 3;
    int status = run(chip, argv[2], file, size);
    tsr_chip_destroy(chip);
    return status;
}
