// SPDX-License-Identifier: Apache-2.0
// What the benchmarks share: a list of instruction words written as text, configuration by field
// name, feeding a thread, and the median of several timed runs. Public interface only. What cannot
// go wrong in a sound tree ends the program with one sentence.
#ifndef TESSERA_WORD_PROGRAM_H
#define TESSERA_WORD_PROGRAM_H

#include <tessera/tessera.h>

#include <stdbool.h>

struct program {
    tsr_arch arch;
    uint32_t *words;
    size_t count, capacity;
};

struct program program_new(tsr_arch arch);
void program_free(struct program *program);
// printf-like; the text is one instruction as tsr_assemble() takes it.
void program_add(struct program *program, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void program_append(struct program *program, const struct program *more);
// SETDMAREG of both halves of a GPR, then WRCFG of the word that the field begins.
void program_wrcfg(struct program *program, const char *field, unsigned gpr, uint32_t value);
// SETC16 of the word that holds the field; its other fields become 0.
void program_setc16(struct program *program, const char *field, uint32_t value);

// PACR of a tile: all four faces at Dst's row 0.
void program_pack_tile(struct program *program);

// With default options but these.
tsr_tile *bench_tile_new(tsr_arch arch, bool timing, const char *kernels);

struct setting {
    const char *field;
    uint32_t value;
};
// Stores by core T0 to bank 0, as a kernel sets a unit up; the rest of a word stays.
void configure(tsr_tile *tile, const struct setting *settings, size_t count);
// Fields of a packer (0..3) by their names without THCON_SECn_REGn; and its 16 rows of Dst.
void configure_packer(tsr_tile *tile, unsigned packer, const struct setting *settings,
                      size_t count);

// Pushes the words to thread 0 as its core would: a full FIFO makes it wait for the tile.
void feed(tsr_tile *tile, const uint32_t *words, size_t count);
// Runs until the tile is idle; anything else, and any finding, ends the program.
void finish(tsr_tile *tile);

// Seconds of feeding `pass` so many times and finishing.
double time_passes(tsr_tile *tile, const struct program *pass, int passes);

double seconds_now(void);                 // of processor time: others use the machine as well
double median(double *values, int count); // sorts them

_Noreturn void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
