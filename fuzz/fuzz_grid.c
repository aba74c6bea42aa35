// SPDX-License-Identifier: Apache-2.0
// usage: fuzz_grid SECONDS SEED
// Changes bytes of a description of a run of chips and gives it to the reader: it, its chips and
// its links are taken or refused with one sentence.
#include "chip/grid_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char description[] = "chip: bh\n"
                                  "chips:\n"
                                  "  - left\n"
                                  "  - {name: right, arch: bh, harvested: 0x4}\n"
                                  "  - harvested: 2\n"
                                  "links:\n"
                                  "  - left:8-right:0\n"
                                  "  - {ends: '1:9-2:1', drop_every: 7}\n"
                                  "programs:\n"
                                  "  - tiles: 1-4,2-5\n"
                                  "    brisc: b.elf\n"
                                  "    trisc0: t.elf\n"
                                  "  - tiles: left/5,1\n"
                                  "    erisc: e.elf\n"
                                  "    erisc1: f.elf\n"
                                  "write:\n"
                                  "  - node: 0,0\n"
                                  "    address: 0x1000\n"
                                  "    array: a.npy\n"
                                  "    format: bf16\n"
                                  "  - {node: \"1-4,2-5\", address: 0x300, words: [1, 0x20]}\n"
                                  "  - {node: '1,2', address: 0, file: x.bin}\n"
                                  "host:\n"
                                  "  - cycles: 64\n"
                                  "  - write: {node: '1,2', address: 4, words: [1]}\n"
                                  "  - until: {node: 'right/1,2', address: 8, value: 2}\n"
                                  "dump:\n"
                                  "  - node: 0,1\n"
                                  "    address: 0x8000\n"
                                  "    array: c.npy\n"
                                  "    format: bfp8\n"
                                  "    shape: [2, 128, 128]\n"
                                  "until: {node: '1,2', address: 0x300, value: 7}\n";

static uint64_t state;

static uint32_t random_below(uint32_t limit) // xorshift64*
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * UINT64_C(2685821657736338717)) >> 33) % limit;
}

// Overwrites, or copies a piece of the text over another.
static void change(char *text, uint32_t size)
{
    static const char telling[] = "\n :-,[]{}&*#'\"0x\t|>!%@";

    for (uint32_t n = random_below(6); n > 0; n--) {
        uint32_t place = random_below(size), other = random_below(size);
        uint32_t longest = size - (place > other ? place : other);
        if (random_below(4) == 0)
            memmove(text + place, text + other, random_below(longest < 24 ? longest : 24));
        else
            text[place] = random_below(2) ? telling[random_below(sizeof telling - 1)]
                                          : (char)random_below(256);
    }
}

int main(int argc, char **argv)
{
    time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 1);
    unsigned long runs = 0, accepted = 0;
    char text[sizeof description];

    state = argc > 2 ? strtoull(argv[2], NULL, 0) * 2 + 1 : 1;
    for (; time(NULL) < end; runs++) {
        struct chip_job job = {0};
        struct message why = {.text = ""};
        memcpy(text, description, sizeof text);
        change(text, sizeof text - 1);
        size_t size = random_below(8) ? sizeof text - 1 : random_below(sizeof text);
        if (grid_file_parse(&job, "folder/x.yaml", text, size, &why) &&
            chips_check(&job.chips, job.arch, &why))
            accepted++;
        else if (why.text[0] == '\0' || strchr(why.text, '\n') != NULL)
            abort();
        chip_job_free(&job);
    }
    printf("fuzz_grid: %lu descriptions, %lu accepted\n", runs, accepted);
    return accepted > 0 ? 0 : 1;
}
