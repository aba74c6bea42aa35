// SPDX-License-Identifier: Apache-2.0
// From an address of the code to functions, files and lines, and back: DWARF with libdw, and the
// symbols where there is none.
#ifndef CLI_ELF_LINES_H
#define CLI_ELF_LINES_H

#include "elf/elf_image.h"

// The debug information of an image, which must live longer. NULL if there is no memory.
struct elf_lines;
struct elf_lines *elf_lines_open(const struct elf_image *image);
void elf_lines_close(struct elf_lines *lines); // NULL ok

// Where an instruction stands. The strings live as long as the image.
struct elf_frame {
    const char *function; // "" if not known
    const char *file;     // without its folders; "" if not known
    const char *path;     // with them, as the compiler had them
    int line;             // 0 if not known
};

enum { MAX_FRAMES = 8 };

// The function that holds the instruction, and above it (from index 0 on) the functions that were
// inlined there, innermost first. Returns how many there are; 0 if nothing is known.
int elf_frames(struct elf_lines *lines, uint32_t pc, struct elf_frame frames[MAX_FRAMES]);
// The frame that an author looks for first: the innermost one in the file that was compiled, and
// not in a header.
struct elf_frame elf_place(struct elf_lines *lines, uint32_t pc);

// Addresses of FUNCTION, also where it was inlined, or of FILE:LINE (where code of that line
// begins, or of the next one that has some). Returns how many there are, at most `capacity` of
// which are filled.
int elf_addresses(struct elf_lines *lines, const char *word, uint32_t *addresses, int capacity);

#endif
