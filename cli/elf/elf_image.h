// SPDX-License-Identifier: Apache-2.0
// An ELF file for a baby core: what goes where in the tile, where the core begins, and which
// function and line an instruction comes from. Files are read with libelf, debug information with
// libdw.
#ifndef CLI_ELF_IMAGE_H
#define CLI_ELF_IMAGE_H

#include "common/message.h"

#include <tessera/tessera.h>

#include <stddef.h>

enum elf_room { ELF_L1, ELF_RAM, ELF_IRAM };

// Bytes that are loaded before the core starts. RAM: the core's private one.
struct elf_piece {
    enum elf_room room;
    uint32_t address; // in L1, or the offset in a RAM
    uint32_t size;
    const uint8_t *bytes;
};

enum { MAX_PIECES = 64 };

struct elf_image {
    const char *path;
    tsr_core core;
    uint32_t entry;
    int piece_count;
    struct elf_piece pieces[MAX_PIECES];
    char *file; // the whole
    size_t size;
};

// False if the file is none that this core can execute; one sentence says why.
bool elf_read(struct elf_image *image, const char *path, tsr_arch arch, tsr_core core,
              struct message *why);
// The same of a file that is in memory already; `file` becomes the image's, for free().
bool elf_parse(struct elf_image *image, const char *path, char *file, size_t size, tsr_arch arch,
               tsr_core core, struct message *why);
void elf_free(struct elf_image *image);
// False if two images want the same bytes.
bool elf_apart(const struct elf_image *one, const struct elf_image *other, struct message *why);
// The instruction that jumps from address 0 to an even entry below 1 MiB.
uint32_t elf_jump_to(uint32_t entry);

#endif
