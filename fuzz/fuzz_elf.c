// SPDX-License-Identifier: Apache-2.0
// usage: fuzz_elf SECONDS SEED [FILE]
// Changes bytes of an executable (FILE, or a small one) and gives it to the reader: it is read or
// refused, nothing that is loaded leaves the file or the core's memories, and asking for functions
// and lines of any address ends.
#include "elf/elf_image.h"
#include "elf/elf_lines.h"

#include "cli/elf_builder.h"

#include <stdio.h>
#include <time.h>

static uint64_t state;

static uint32_t random_below(uint32_t limit) // xorshift64*
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * UINT64_C(2685821657736338717)) >> 33) % limit;
}

static void check_image(const struct elf_image *image, tsr_arch arch)
{
    for (int i = 0; i < image->piece_count; i++) {
        const struct elf_piece *piece = &image->pieces[i];
        const uint8_t *file = (const uint8_t *)image->file;
        uint32_t room = piece->room == ELF_L1 ? (uint32_t)tsr_l1_size(arch) : 0x10000;
        if (piece->bytes < file || piece->bytes + piece->size > file + image->size ||
            piece->address > room || piece->size > room - piece->address)
            abort();
    }
}

static void ask_lines(const struct elf_image *image)
{
    struct elf_lines *lines = elf_lines_open(image);
    struct elf_frame frames[MAX_FRAMES];
    uint32_t addresses[4];

    for (int i = 0; i < 8; i++)
        elf_frames(lines, image->entry + 4 * random_below(1024), frames);
    elf_place(lines, random_below(UINT32_MAX));
    elf_addresses(lines, "main", addresses, 4);
    elf_addresses(lines, "unpack.c:60", addresses, 4);
    elf_lines_close(lines);
}

static char *changed_copy(const char *file, size_t size)
{
    char *copy = malloc(size + 1);

    if (copy == NULL)
        exit(2);
    memcpy(copy, file, size);
    for (uint32_t n = random_below(8); n > 0; n--) {
        // Mostly in the headers, where a byte means most.
        uint32_t place = random_below(random_below(2) ? (uint32_t)size
                                      : size < 256    ? (uint32_t)size
                                                      : 256);
        copy[place] =
            random_below(2) ? (char)random_below(256) : (char)(copy[place] ^ 1 << random_below(8));
    }
    return copy;
}

static char *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *bytes = malloc(1 << 22);

    if (file == NULL || bytes == NULL)
        exit(2);
    *size = fread(bytes, 1, 1 << 22, file);
    fclose(file);
    return bytes;
}

int main(int argc, char **argv)
{
    time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 1);
    struct elf_build build;
    size_t size = sizeof build;
    unsigned long runs = 0, accepted = 0;

    state = argc > 2 ? strtoull(argv[2], NULL, 0) * 2 + 1 : 1;
    build_plain(&build);
    build_segment(&build, 1, 0xffb00010, 0x7000, 32);
    build_segment(&build, 2, 0xffb00040, 0xffb00040, 32);
    char *file = argc > 3 ? read_whole(argv[3], &size) : build_copy(&build);
    for (; time(NULL) < end; runs++) {
        tsr_arch arch = (tsr_arch)random_below(TSR_ARCH_COUNT);
        tsr_core core = (tsr_core)random_below(5);
        struct elf_image image;
        struct message why;
        size_t length = random_below(8) ? size : random_below((uint32_t)size);
        if (elf_parse(&image, "x.elf", changed_copy(file, size), length, arch, core, &why)) {
            accepted++;
            check_image(&image, arch);
            ask_lines(&image);
        }
        elf_free(&image);
    }
    free(file);
    printf("fuzz_elf: %lu files, %lu accepted\n", runs, accepted);
    return accepted > 0 ? 0 : 1;
}
