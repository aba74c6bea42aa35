// SPDX-License-Identifier: Apache-2.0
// Makes and runs random RISC-V programs. A program runs through its words four times: x30 counts,
// x31 points at its data, and all other registers are anything. It jumps forwards only, loads and
// stores aligned, and at last stores its registers into its data.
// Pages: BabyRISCV/README.md of each chip; the RISC-V manual and the ELF specification.
#include "oracle/riscv_program.h"

#include "riscv/riscv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 4, MESSAGE = 160 };
enum { COUNTER = PROGRAM_COUNTER, POINTER = PROGRAM_POINTER, FIRST_DATA = PROGRAM_FIRST_DATA };

// ---------------------------------------------------------------- random words

uint64_t program_random(uint64_t *seed)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint32_t below(uint64_t *seed, uint32_t limit)
{
    return (uint32_t)(program_random(seed) >> 32) % limit;
}

// Small numbers, edges and anything.
static uint32_t value(uint64_t *seed)
{
    static const uint32_t edges[] = {0,          1,          0xffffffff, 0x80000000,
                                     0x7fffffff, 0x80000001, 0x0000ffff, 0xff00ff00};
    uint32_t any = (uint32_t)program_random(seed);
    switch (below(seed, 4)) {
    case 0:
        return edges[any % 8];
    case 1:
        return any >> any % 32;
    default:
        return any;
    }
}

static void add(struct program *program, uint32_t word)
{
    program->word[program->count++] = word;
}

static uint32_t in_s_format(uint32_t match, uint32_t rs1, uint32_t rs2, int32_t imm)
{
    uint32_t bits = (uint32_t)imm;
    return match | (bits & 31) << 7 | rs1 << 15 | rs2 << 20 | (bits >> 5 & 0x7f) << 25;
}

static uint32_t in_b_format(uint32_t match, uint32_t rs1, uint32_t rs2, uint32_t bits)
{
    return match | (bits >> 11 & 1) << 7 | (bits >> 1 & 15) << 8 | rs1 << 15 | rs2 << 20 |
           (bits >> 5 & 0x3f) << 25 | (bits >> 12 & 1) << 31;
}

static uint32_t in_j_format(uint32_t rd, uint32_t bits)
{
    return tsr_riscv_row(RISCV_JAL)->match | rd << 7 | (bits >> 12 & 0xff) << 12 |
           (bits >> 11 & 1) << 20 | (bits >> 1 & 0x3ff) << 21 | (bits >> 20 & 1) << 31;
}

// An offset from x31 that fits the width; the registers are stored at the end of the data.
static int32_t data_offset(uint64_t *seed, uint32_t width)
{
    return FIRST_DATA + (int32_t)(below(seed, 3800) & ~(width - 1));
}

static void add_memory(struct program *program, uint64_t *seed, enum tsr_riscv_code code,
                       uint32_t rd, uint32_t rs2)
{
    uint32_t match = tsr_riscv_row(code)->match;
    uint32_t width = 1u << (match >> 12 & 3);
    int32_t offset = data_offset(seed, width);
    if (tsr_riscv_row(code)->format == RISCV_FORMAT_S)
        add(program, in_s_format(match, POINTER, rs2, offset));
    else
        add(program, match | rd << 7 | POINTER << 15 | (uint32_t)offset << 20);
}

// JALR behind an AUIPC of its register, and atomics behind the address of their operand.
static void add_pair(struct program *program, uint64_t *seed, enum tsr_riscv_code code, uint32_t rd,
                     uint32_t rs2)
{
    uint32_t address = 1 + below(seed, COUNTER - 1);
    while (program->target[program->count + 1]) // nobody jumps between the two
        add(program, tsr_riscv_row(RISCV_ADDI)->match);
    if (code == RISCV_JALR) {
        uint32_t forward = 2 + below(seed, 4);
        program->target[program->count + forward] = true;
        add(program, tsr_riscv_row(RISCV_AUIPC)->match | address << 7);
        add(program, tsr_riscv_row(code)->match | rd << 7 | address << 15 |
                         (4 * forward + below(seed, 2)) << 20);
        return;
    }
    add(program, tsr_riscv_row(RISCV_ADDI)->match | address << 7 | POINTER << 15 |
                     (uint32_t)data_offset(seed, 4) << 20);
    add(program,
        tsr_riscv_row(code)->match | rd << 7 | address << 15 | rs2 << 20 | below(seed, 4) << 25);
}

static void add_random(struct program *program, uint64_t *seed, enum tsr_riscv_code code)
{
    const struct tsr_riscv_row *row = tsr_riscv_row(code);
    uint32_t rd = below(seed, COUNTER), rs1 = below(seed, 32), rs2 = below(seed, 32);
    uint32_t registers = rd << 7 | rs1 << 15;
    uint32_t forward = 4 + 4 * below(seed, 6);
    if (row->format == RISCV_FORMAT_B || row->format == RISCV_FORMAT_J)
        program->target[program->count + forward / 4] = true;
    switch (row->format) {
    case RISCV_FORMAT_R:
        add(program, row->match | registers | rs2 << 20);
        return;
    case RISCV_FORMAT_U:
        add(program, row->match | rd << 7 | (value(seed) & 0xfffff000));
        return;
    case RISCV_FORMAT_SHIFT:
        if (code == RISCV_GREVI) // qemu has two of them
            rs2 = rs2 & 1 ? 24 : 7;
        add(program, row->match | registers | rs2 << 20);
        return;
    case RISCV_FORMAT_UNARY:
        add(program, row->match | registers);
        return;
    case RISCV_FORMAT_B:
        add(program, in_b_format(row->match, rs1, rs2, forward));
        return;
    case RISCV_FORMAT_J:
        add(program, in_j_format(rd, forward));
        return;
    case RISCV_FORMAT_S:
        add_memory(program, seed, code, rd, rs2);
        return;
    case RISCV_FORMAT_AMO:
        add_pair(program, seed, code, rd, rs2);
        return;
    default:
        break;
    }
    if (code == RISCV_JALR)
        add_pair(program, seed, code, rd, rs2);
    else if ((row->match & 0x7f) == 0x03)
        add_memory(program, seed, code, rd, rs2);
    else
        add(program, row->match | registers | value(seed) << 20);
}

// FENCE and what stops, and CSRs, which a user program under qemu does not have.
static bool comparable(const struct tsr_riscv_row *row, tsr_arch arch)
{
    return row->cores[arch] && row->implemented && row->format != RISCV_FORMAT_NONE &&
           row->format <= RISCV_FORMAT_AMO && row->format != RISCV_FORMAT_CSR &&
           row->format != RISCV_FORMAT_CSRI;
}

void program_constant(struct program *program, uint32_t rd, uint32_t constant)
{
    uint32_t low = ((constant & 0xfff) ^ 0x800) - 0x800;
    add(program, tsr_riscv_row(RISCV_LUI)->match | rd << 7 | (constant - low));
    add(program, tsr_riscv_row(RISCV_ADDI)->match | rd << 7 | rd << 15 | low << 20);
}

uint32_t program_begin(struct program *program, uint64_t *seed)
{
    *program = (struct program){0};
    for (size_t i = 0; i < sizeof program->data; i++)
        program->data[i] = (uint8_t)program_random(seed);
    for (uint32_t rd = 1; rd < 32; rd++)
        program_constant(program, rd,
                         rd == COUNTER   ? PASSES
                         : rd == POINTER ? PROGRAM_DATA
                                         : value(seed));
    return program->count;
}

void program_end(struct program *program, uint32_t top)
{
    for (int i = 0; i < 8; i++) // where the last jumps may end
        add(program, tsr_riscv_row(RISCV_ADDI)->match);
    add(program, tsr_riscv_row(RISCV_ADDI)->match | COUNTER << 7 | COUNTER << 15 | 0xfffu << 20);
    add(program, in_b_format(tsr_riscv_row(RISCV_BEQ)->match, COUNTER, 0, 8));
    add(program, in_j_format(0, (top - program->count) * 4));
    for (uint32_t i = 1; i < 32; i++)
        add(program, in_s_format(tsr_riscv_row(RISCV_SW)->match, POINTER, i,
                                 FIRST_DATA + PROGRAM_LEFT - 128 + 4 * (int32_t)i));
}

void program_make(struct program *program, tsr_arch arch, uint64_t seed)
{
    int codes[RISCV_ROWS], count = 0;
    for (int code = 0; code < RISCV_ROWS; code++)
        if (comparable(tsr_riscv_row(code), arch))
            codes[count++] = code;
    uint32_t top = program_begin(program, &seed);
    program->core = TSR_CORE_B;
    while (program->count < PROGRAM_WORDS - 80)
        add_random(program, &seed, (enum tsr_riscv_code)codes[below(&seed, (uint32_t)count)]);
    program_end(program, top);
}

// ---------------------------------------------------------------- in Tessera

struct machine {
    uint8_t memory[PROGRAM_BYTES], written[PROGRAM_BYTES / 8];
    struct tsr_code_lines code;
    struct tsr_riscv_bus bus;
    struct tsr_region_index regions;
    struct tsr_hart hart;
    uint64_t now;
    char wrong[MESSAGE];
};

static tsr_status no_load(void *self, int core, uint32_t address, uint32_t *got, int width)
{
    struct machine *machine = self;
    (void)core, (void)width;
    *got = 0;
    snprintf(machine->wrong, sizeof machine->wrong, "a load from 0x%08x", (unsigned)address);
    return TSR_UNMAPPED;
}

static tsr_status no_store(void *self, int core, uint32_t address, uint32_t stored, int width)
{
    struct machine *machine = self;
    (void)core, (void)width, (void)stored;
    snprintf(machine->wrong, sizeof machine->wrong, "a store to 0x%08x", (unsigned)address);
    return TSR_UNMAPPED;
}

static bool note_finding(void *self, int core, uint32_t pc, int finding, const char *sentence)
{
    struct machine *machine = self;
    (void)core, (void)pc, (void)finding;
    snprintf(machine->wrong, sizeof machine->wrong, "%s", sentence);
    return false;
}

static const uint8_t *fetch(void *self, int core, uint32_t address, uint32_t *size)
{
    struct machine *machine = self;
    (void)core;
    if (address - PROGRAM_BASE >= PROGRAM_BYTES)
        return NULL;
    *size = PROGRAM_BASE + PROGRAM_BYTES - address;
    return machine->memory + (address - PROGRAM_BASE);
}

static void put_words(uint8_t *bytes, const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < 4 * count; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> i % 4 * 8);
}

static struct machine *machine_new(const struct program *program)
{
    struct machine *machine = calloc(1, sizeof *machine);
    if (!machine)
        return NULL;
    memset(machine->written, 0xff, sizeof machine->written);
    put_words(machine->memory, program->word, program->count);
    put_words(machine->memory + (size_t)4 * program->count, &tsr_riscv_row(RISCV_EBREAK)->match, 1);
    memcpy(machine->memory + (PROGRAM_DATA + FIRST_DATA - PROGRAM_BASE), program->data,
           sizeof program->data);
    tsr_hart_reset(&machine->hart, PROGRAM_BASE, 0);
    machine->bus = (struct tsr_riscv_bus){
        .self = machine,
        .regions = &machine->regions,
        .load = no_load,
        .store = no_store,
        .find = note_finding,
        .fetch = fetch,
        .now = &machine->now,
        .l1 = {PROGRAM_BASE, PROGRAM_BYTES, machine->memory, machine->written, &machine->code}};
    return machine;
}

const char *program_run(struct program *program, tsr_arch arch)
{
    struct machine *machine = machine_new(program);
    if (machine)
        tsr_region_index_fill(&machine->regions, tsr_isa(arch));
    struct tsr_riscv *riscv = machine ? tsr_riscv_new(arch, program->core, &machine->bus) : NULL;
    const char *wrong = riscv ? NULL : "no memory";
    uint64_t slices = 1;
    while (!wrong && machine->hart.rest == TSR_HART_RUNS) {
        uint64_t most = 1 + slices++ % 97;
        if (tsr_riscv_run(riscv, &machine->hart, most) == 0)
            wrong = "no way on";
    }
    if (!wrong && machine->hart.rest != TSR_HART_PAUSED)
        wrong = machine->wrong[0] ? "an access or an instruction that should not be" : "no end";
    if (!wrong) {
        program->instructions = machine->hart.retired;
        memcpy(program->left, machine->memory + (PROGRAM_DATA + FIRST_DATA - PROGRAM_BASE),
               PROGRAM_LEFT);
    }
    tsr_riscv_free(riscv);
    free(machine);
    return wrong;
}

// ---------------------------------------------------------------- under qemu

// What a static ELF file of 32 bits for RISC-V begins with: a header, and one segment, all of it.
enum { ELF_HEAD = 84, SEGMENT_ALIGN = 0x1000 };

static bool write_elf(const struct program *program, const char *file)
{
    // write(1, data, 4096); exit(0)
    struct program whole = *program;
    program_constant(&whole, 10, 1);
    program_constant(&whole, 11, PROGRAM_DATA + FIRST_DATA);
    program_constant(&whole, 12, PROGRAM_LEFT);
    program_constant(&whole, 17, 64);
    add(&whole, tsr_riscv_row(RISCV_ECALL)->match);
    program_constant(&whole, 10, 0);
    program_constant(&whole, 17, 93);
    add(&whole, tsr_riscv_row(RISCV_ECALL)->match);
    static const uint8_t ident[16] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
    const uint32_t head[17] = {2 | 243u << 16,
                               1,
                               PROGRAM_BASE,
                               52,
                               0,
                               0,
                               52 | 32u << 16,
                               1 | 40u << 16,
                               0, // file
                               1,
                               SEGMENT_ALIGN,
                               PROGRAM_BASE,
                               PROGRAM_BASE,
                               PROGRAM_BYTES,
                               PROGRAM_BYTES,
                               7,
                               SEGMENT_ALIGN};
    uint8_t *image = calloc(1, SEGMENT_ALIGN + PROGRAM_BYTES);
    if (!image)
        return false;
    memcpy(image, ident, sizeof ident);
    put_words(image + sizeof ident, head, 17);
    put_words(image + SEGMENT_ALIGN, whole.word, whole.count);
    memcpy(image + SEGMENT_ALIGN + (PROGRAM_DATA + FIRST_DATA - PROGRAM_BASE), program->data,
           sizeof program->data);
    FILE *out = fopen(file, "wb");
    bool written = out && fwrite(image, SEGMENT_ALIGN + PROGRAM_BYTES, 1, out) == 1;
    written = (!out || fclose(out) == 0) && written;
    free(image);
    return written;
}

const char *program_compare(const struct program *program, const char *qemu, const char *file)
{
    static const char options[] = "-cpu rv32,zba=true,zbb=true,zbkb=true,v=true,vext_spec=v1.0,"
                                  "vlen=128,elen=32";
    char command[1024];
    uint8_t left[PROGRAM_LEFT];
    if (!write_elf(program, file))
        return "the ELF file cannot be written";
    snprintf(command, sizeof command, "chmod +x %s && %s %s %s", file, qemu, options, file);
    FILE *in = popen(command, "r");
    if (!in)
        return "qemu cannot be started";
    size_t count = fread(left, 1, sizeof left, in);
    if (pclose(in) != 0 || count != sizeof left)
        return "qemu fails";
    for (size_t i = 0; i < PROGRAM_LEFT; i++)
        if (left[i] != program->left[i])
            return i < PROGRAM_LEFT - 128 ? "a byte of memory differs" : "a register differs";
    return NULL;
}
