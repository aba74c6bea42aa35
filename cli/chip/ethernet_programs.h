// SPDX-License-Identifier: Apache-2.0
// Programs for the cores of Ethernet tiles: words of --elf, ELF files, how a core is started, and
// what reports say of it. Page: EthernetTile/BabyRISCV/README.md of each chip.
#ifndef CLI_ETHERNET_PROGRAMS_H
#define CLI_ETHERNET_PROGRAMS_H

#include "chip/chip_place.h"
#include "run/core_run.h"

enum { ETHERNET_CORES = 2 };

// Those of one tile; of each core one at most.
struct ethernet_tile {
    struct chip_area area;
    char from[FROM_TEXT]; // the option, or file and line, that named it first
    char *paths[ETHERNET_CORES];
    struct elf_image images[ETHERNET_CORES];
    struct elf_lines *lines[ETHERNET_CORES];
};

struct ethernet_programs {
    struct ethernet_tile *list;
    int count;
};

// Whether the words behind X,Y: are for such a tile.
bool ethernet_means(const char *words);
// erisc=FILE[,erisc1=FILE]
bool ethernet_add(struct ethernet_programs *programs, const struct chip_area *area,
                  const char *words, const char *from, struct message *why);
// The same of one core, whose name is that of `number`; `path` is owned from now on.
bool ethernet_set(struct ethernet_programs *programs, const struct chip_area *area, int number,
                  char *path, const char *from, struct message *why);
// erisc or erisc1.
const char *ethernet_core_name(int number);
// Once the chip is known: places, files.
bool ethernet_read(struct ethernet_programs *programs, tsr_arch arch, struct message *why);
// Loads them and lets the first core of each tile go that has a program.
bool ethernet_begin(const struct ethernet_programs *programs, tsr_chip *const chips[],
                    struct message *why);
void ethernet_free(struct ethernet_programs *programs);

// NULL: the node has none.
const struct ethernet_tile *ethernet_at(const struct ethernet_programs *programs, unsigned chip,
                                        unsigned x, unsigned y);
int ethernet_lines(const struct ethernet_tile *tile, const tsr_chip *chip,
                   struct core_line lines[]);
struct finding_place ethernet_place(const void *tile, const tsr_diagnostic *finding);
// A core hangs or met an ebreak.
bool ethernet_fallen(const struct ethernet_programs *programs, tsr_chip *const chips[]);

#endif
