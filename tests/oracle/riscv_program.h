// SPDX-License-Identifier: Apache-2.0
// Random RISC-V programs that run as well under qemu-riscv32, without a compiler: the words, a
// static ELF file around them, and what a core of Tessera leaves after them.
// Pages: BabyRISCV/README.md of each chip; the RISC-V manual and the ELF specification.
#ifndef TESSERA_TESTS_ORACLE_RISCV_PROGRAM_H
#define TESSERA_TESTS_ORACLE_RISCV_PROGRAM_H

#include "riscv/riscv_rows.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    PROGRAM_BASE = 0x100000, // where it is loaded, and what memory there is
    PROGRAM_BYTES = 64 * 1024,
    PROGRAM_DATA = PROGRAM_BASE + 0xc000, // x31: the middle of 4 KiB that it loads and stores
    PROGRAM_WORDS = 6000,
    PROGRAM_COUNTER = 30, // x30 counts the passes
    PROGRAM_POINTER = 31,
    PROGRAM_FIRST_DATA = -2048, // from where x31 points
    PROGRAM_LEFT = 0x1000       // bytes: its data, in which the registers are stored at last
};

struct program {
    int core; // that executes it
    uint32_t word[PROGRAM_WORDS + 64];
    bool target[PROGRAM_WORDS + 64]; // somebody jumps there
    uint32_t count;                  // of words, before those that end it
    uint8_t data[4096];              // at first
    uint64_t instructions;           // that the core executed
    uint8_t left[PROGRAM_LEFT];
};

// For a core of `arch`; what both chips have, or with Blackhole's extensions.
void program_make(struct program *program, tsr_arch arch, uint64_t seed);
// For T2: vector instructions of all kinds, but for floating point of what qemu rounds differently
// (multiply-add, denormals) or does not have (half precision).
void program_make_vectors(struct program *program, uint64_t seed);
// Executes it in Tessera, in slices of different lengths. NULL, or what went wrong.
const char *program_run(struct program *program, tsr_arch arch);
// Executes it by `qemu` and compares. NULL, or what differs. `file`: for the ELF file.
const char *program_compare(const struct program *program, const char *qemu, const char *file);

// For those that make programs: data and constants in all registers (the word at which a pass
// begins), the loop's end and what stores the registers, a constant, random bits.
uint32_t program_begin(struct program *program, uint64_t *seed);
void program_end(struct program *program, uint32_t top);
void program_constant(struct program *program, uint32_t rd, uint32_t constant);
uint64_t program_random(uint64_t *seed);

#endif
