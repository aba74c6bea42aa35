// SPDX-License-Identifier: Apache-2.0
// A core alone: a hart, 64 KiB of L1 and 4 KiB of local RAM, and a bus that notes what it is asked.
// Instruction words are made of the rows of machine/riscv.def.
// Pages: BabyRISCV/README.md, PushTensixInstruction.md of each chip.
#ifndef TESSERA_TESTS_RIG_RISCV_RIG_H
#define TESSERA_TESTS_RIG_RISCV_RIG_H

#include "riscv/riscv.h"
#include "riscv/riscv_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RIG_L1 = 64 * 1024,
    RIG_RAM = 4 * 1024,
    RIG_CODE = 0x1000, // where programs begin
    RIG_DATA = 0x8000,
    RIG_PUSHES = 64
};
static const uint32_t RIG_RAM_AT = 0xffb00000, RIG_DEVICE = 0xffe80020;

struct riscv_rig {
    struct tsr_riscv *riscv;
    struct tsr_hart hart;
    struct tsr_riscv_bus bus;
    struct tsr_region_index regions;
    struct tsr_riscv_recent_rows recent;
    struct tsr_code_lines code;
    uint64_t now;
    uint8_t l1[RIG_L1], l1_written[RIG_L1 / 8];
    uint8_t ram[RIG_RAM], ram_written[RIG_RAM / 8];
    uint32_t end; // of the program
    // What the bus does and saw.
    uint32_t device;   // what a load outside of memory gives
    tsr_status status; // of accesses outside of memory
    bool quiet;        // what the bus says about loads there
    int loads, stores; // that took the bus
    uint32_t stored_at, stored;
    int room, rows, groups, pushes; // of the Tensix FIFO: calls, instructions, words
    uint32_t pushed[RIG_PUSHES];
    int findings, finding; // how many, and the last one
    uint32_t finding_pc;
    char said[200]; // its sentence
    bool stops;     // the tile stops at a finding
};

static inline tsr_status rig_load(void *self, int core, uint32_t address, uint32_t *value,
                                  int width)
{
    struct riscv_rig *rig = self;
    (void)core;
    rig->loads++;
    if (rig->status != TSR_OK)
        return rig->status;
    *value = rig->device;
    address &= ~((uint32_t)width - 1);
    if (address < RIG_L1) { // a watched or unaligned access
        *value = 0;
        for (int i = 0; i < width; i++)
            *value |= (uint32_t)rig->l1[address + (uint32_t)i] << (8 * i);
    }
    return TSR_OK;
}

static inline tsr_status rig_store(void *self, int core, uint32_t address, uint32_t value,
                                   int width)
{
    struct riscv_rig *rig = self;
    (void)core;
    rig->stores++;
    if (rig->status != TSR_OK)
        return rig->status;
    rig->stored_at = address;
    rig->stored = value;
    address &= ~((uint32_t)width - 1);
    for (int i = 0; i < width && address < RIG_L1; i++) {
        rig->l1[address + (uint32_t)i] = (uint8_t)(value >> (8 * i));
        tsr_code_note_write(&rig->code, address + (uint32_t)i, 1);
    }
    return TSR_OK;
}

static inline int rig_push(void *self, int core, const uint32_t *words, int count, int together)
{
    struct riscv_rig *rig = self;
    (void)core;
    int taken = count < rig->room ? count : rig->room;
    for (int i = 0; i < taken; i++)
        rig->pushed[rig->pushes++ % RIG_PUSHES] = words[i];
    rig->room -= taken;
    rig->rows++;
    rig->groups += (taken + together - 1) / together;
    return taken;
}

static inline bool rig_find(void *self, int core, uint32_t pc, int finding, const char *sentence)
{
    struct riscv_rig *rig = self;
    (void)core;
    snprintf(rig->said, sizeof rig->said, "%s", sentence);
    rig->findings++;
    rig->finding = finding;
    rig->finding_pc = pc;
    return !rig->stops;
}

static inline uint64_t rig_quiet_until(void *self, int core, uint32_t address)
{
    (void)core;
    (void)address;
    return ((struct riscv_rig *)self)->quiet ? UINT64_MAX : 0;
}

static inline const uint8_t *rig_fetch(void *self, int core, uint32_t address, uint32_t *size)
{
    struct riscv_rig *rig = self;
    (void)core;
    if (address >= RIG_L1)
        return NULL;
    *size = RIG_L1 - address;
    return rig->l1 + address;
}

static inline void rig_free(struct riscv_rig *rig)
{
    tsr_riscv_free(rig->riscv);
    free(rig);
}

// All of memory counts as written, and the FIFO has room for RIG_PUSHES words.
static inline struct riscv_rig *rig_new(tsr_arch arch, int core)
{
    struct riscv_rig *rig = calloc(1, sizeof *rig);
    if (!rig)
        return NULL;
    memset(rig->l1_written, 0xff, sizeof rig->l1_written);
    memset(rig->ram_written, 0xff, sizeof rig->ram_written);
    rig->room = RIG_PUSHES;
    rig->end = rig->hart.pc = RIG_CODE;
    rig->bus = (struct tsr_riscv_bus){
        .self = rig,
        .regions = &rig->regions,
        .recent = &rig->recent,
        .load = rig_load,
        .store = rig_store,
        .push = rig_push,
        .find = rig_find,
        .quiet_until = rig_quiet_until,
        .fetch = rig_fetch,
        .now = &rig->now,
        .l1 = {0, RIG_L1, rig->l1, rig->l1_written, &rig->code},
        .ram = {RIG_RAM_AT, RIG_RAM, rig->ram, rig->ram_written, NULL},
    };
    tsr_region_index_fill(&rig->regions, tsr_isa(arch));
    rig->riscv = tsr_riscv_new(arch, core, &rig->bus);
    if (!rig->riscv) {
        free(rig);
        return NULL;
    }
    return rig;
}

static inline void rig_put(struct riscv_rig *rig, uint32_t address, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        rig->l1[address + i] = (uint8_t)(word >> (8 * i));
    tsr_code_note_write(&rig->code, address, 4);
}

static inline uint32_t rig_get(const struct riscv_rig *rig, uint32_t address)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < 4; i++)
        word |= (uint32_t)rig->l1[address + i] << (8 * i);
    return word;
}

// Appends a word to the program.
static inline void rig_add(struct riscv_rig *rig, uint32_t word)
{
    rig_put(rig, rig->end, word);
    rig->end += 4;
}

// ---------------------------------------------------------------- instruction words

static inline uint32_t rv_r(enum tsr_riscv_code code, unsigned rd, unsigned rs1, unsigned rs2)
{
    return tsr_riscv_row(code)->match | rd << 7 | rs1 << 15 | rs2 << 20;
}

// Loads, immediates, JALR, shifts by a constant, and CSRs.
static inline uint32_t rv_i(enum tsr_riscv_code code, unsigned rd, unsigned rs1, int32_t imm)
{
    return tsr_riscv_row(code)->match | rd << 7 | rs1 << 15 | (uint32_t)imm << 20;
}

static inline uint32_t rv_s(enum tsr_riscv_code code, unsigned rs2, unsigned rs1, int32_t imm)
{
    uint32_t bits = (uint32_t)imm;
    return tsr_riscv_row(code)->match | (bits & 31) << 7 | rs1 << 15 | rs2 << 20 |
           (bits >> 5 & 0x7f) << 25;
}

static inline uint32_t rv_b(enum tsr_riscv_code code, unsigned rs1, unsigned rs2, int32_t offset)
{
    uint32_t bits = (uint32_t)offset;
    return tsr_riscv_row(code)->match | (bits >> 11 & 1) << 7 | (bits >> 1 & 15) << 8 | rs1 << 15 |
           rs2 << 20 | (bits >> 5 & 0x3f) << 25 | (bits >> 12 & 1) << 31;
}

static inline uint32_t rv_u(enum tsr_riscv_code code, unsigned rd, uint32_t imm)
{
    return tsr_riscv_row(code)->match | rd << 7 | (imm & 0xfffff000);
}

static inline uint32_t rv_jal(unsigned rd, int32_t offset)
{
    uint32_t bits = (uint32_t)offset;
    return tsr_riscv_row(RISCV_JAL)->match | rd << 7 | (bits >> 12 & 0xff) << 12 |
           (bits >> 11 & 1) << 20 | (bits >> 1 & 0x3ff) << 21 | (bits >> 20 & 1) << 31;
}

static inline uint32_t rv_ttinsn(uint32_t word)
{
    return word << 2 | word >> 30;
}

// Any constant in two instructions.
static inline void rig_li(struct riscv_rig *rig, unsigned rd, uint32_t value)
{
    uint32_t low = ((value & 0xfff) ^ 0x800) - 0x800;
    rig_add(rig, rv_u(RISCV_LUI, rd, value - low));
    rig_add(rig, rv_i(RISCV_ADDI, rd, rd, (int32_t)low));
}

#endif
