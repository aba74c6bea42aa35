// SPDX-License-Identifier: Apache-2.0
// Small ELF files for tests, made in memory: segments, and a section .loader_init.
#ifndef TESTS_ELF_BUILDER_H
#define TESTS_ELF_BUILDER_H

#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BUILD_SEGMENTS = 4, BUILD_DATA = 512 };

struct elf_build {
    Elf32_Ehdr header;
    Elf32_Phdr segments[BUILD_SEGMENTS];
    uint8_t data[BUILD_DATA];
    Elf32_Shdr sections[3]; // none, .loader_init, the names
    char names[32];
};

// One segment of 64 bytes at 0x6000, which is also the entry.
static inline void build_plain(struct elf_build *build)
{
    static const char names[] = "\0.loader_init\0.shstrtab";

    memset(build, 0, sizeof *build);
    memcpy(build->header.e_ident, ELFMAG, SELFMAG);
    build->header.e_ident[EI_CLASS] = ELFCLASS32;
    build->header.e_ident[EI_DATA] = ELFDATA2LSB;
    build->header.e_ident[EI_VERSION] = EV_CURRENT;
    build->header.e_type = ET_EXEC;
    build->header.e_machine = EM_RISCV;
    build->header.e_version = EV_CURRENT;
    build->header.e_entry = 0x6000;
    build->header.e_ehsize = sizeof build->header;
    build->header.e_phoff = offsetof(struct elf_build, segments);
    build->header.e_phentsize = sizeof(Elf32_Phdr);
    build->header.e_phnum = BUILD_SEGMENTS;
    build->header.e_shoff = offsetof(struct elf_build, sections);
    build->header.e_shentsize = sizeof(Elf32_Shdr);
    build->header.e_shnum = 3;
    build->header.e_shstrndx = 2;
    build->segments[0] = (Elf32_Phdr){.p_type = PT_LOAD,
                                      .p_offset = offsetof(struct elf_build, data),
                                      .p_vaddr = 0x6000,
                                      .p_paddr = 0x6000,
                                      .p_filesz = 64,
                                      .p_memsz = 64};
    memcpy(build->names, names, sizeof names);
    build->sections[1] = (Elf32_Shdr){.sh_name = 1, .sh_type = SHT_NOBITS};
    build->sections[2] = (Elf32_Shdr){.sh_name = 14,
                                      .sh_type = SHT_STRTAB,
                                      .sh_offset = offsetof(struct elf_build, names),
                                      .sh_size = sizeof names};
    for (int i = 0; i < BUILD_DATA; i++)
        build->data[i] = (uint8_t)i;
}

// A further segment of `size` bytes, whose bytes begin at data[64 * index].
static inline void build_segment(struct elf_build *build, int index, uint32_t address,
                                 uint32_t load, uint32_t size)
{
    build->segments[index] =
        (Elf32_Phdr){.p_type = PT_LOAD,
                     .p_offset = (uint32_t)offsetof(struct elf_build, data) + 64u * (uint32_t)index,
                     .p_vaddr = address,
                     .p_paddr = load,
                     .p_filesz = size,
                     .p_memsz = size};
}

static inline char *build_copy(const struct elf_build *build)
{
    char *file = malloc(sizeof *build);

    return file == NULL ? NULL : memcpy(file, build, sizeof *build);
}

#endif
