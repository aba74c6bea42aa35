// SPDX-License-Identifier: Apache-2.0
// Random vector programs for T2 that run as well under qemu. Each instruction has a type, a length
// and registers with which it is not reserved, which Tessera itself is asked; what qemu refuses of
// them is a difference. At last all vector registers and CSRs are stored into the program's data.
// Pages: InstructionSet.md of BlackholeA0/TensixTile/BabyRISCV; the RISC-V manual for V.
#include "oracle/riscv_program.h"

#include "riscv/riscv.h"
#include "riscv/riscv_vector.h"

#include <stdlib.h>
#include <string.h>

enum {
    STRIDE = 28,
    ADDRESS = 29,
    NUMBERS = 1536,   // of the data: 512 bytes of floats that nobody overwrites
    FIRST_NUMBER = 8, // v8 to v31 have floats before floating-point instructions
    FIRST_SCALAR = 8, // f8 to f15 have
    LEFT_AT = 2560,   // of the data: the vector registers are stored here at last
    MIDDLE = 1700,    // from the pointer: loads and stores reach 1024 bytes from there
    DIGEST = 0,       // from the pointer: what all results come to
    SAVED = 128,
    TRIALS = 1000
};
enum { CSR_VXSAT = 0x009, CSR_VXRM = 0x00a, CSR_FCSR = 0x003, CSR_VL = 0xc20, CSR_VTYPE = 0xc21 };

// A core that executes one word to see whether it may be.
struct trial {
    struct tsr_hart hart;
    struct tsr_riscv_bus bus;
    struct tsr_region_index regions;
    struct tsr_riscv *riscv;
    struct tsr_code_lines code;
    uint64_t now;
    uint8_t word[4];
    bool found;
};

static tsr_status any_load(void *self, int core, uint32_t address, uint32_t *value, int width)
{
    (void)self, (void)core, (void)address, (void)width;
    *value = 0;
    return TSR_OK;
}

static tsr_status any_store(void *self, int core, uint32_t address, uint32_t value, int width)
{
    (void)self, (void)core, (void)address, (void)width, (void)value;
    return TSR_OK;
}

static bool note(void *self, int core, uint32_t pc, int finding, const char *sentence)
{
    (void)core, (void)pc, (void)finding, (void)sentence;
    ((struct trial *)self)->found = true;
    return true;
}

static const uint8_t *fetch(void *self, int core, uint32_t address, uint32_t *size)
{
    (void)core;
    *size = 4;
    return address == 0 ? ((struct trial *)self)->word : NULL;
}

struct maker {
    struct program *program;
    uint64_t seed;
    struct trial trial;
    uint32_t type;
};

static uint32_t below(struct maker *m, uint32_t limit)
{
    return (uint32_t)(program_random(&m->seed) >> 32) % limit;
}

static bool may_be(struct maker *m, uint32_t word)
{
    struct trial *t = &m->trial;
    for (int i = 0; i < 4; i++)
        t->word[i] = (uint8_t)(word >> (8 * i));
    tsr_hart_reset(&t->hart, 0, 0);
    t->hart.csr[TSR_CSR_VTYPE] = m->type;
    t->hart.csr[TSR_CSR_VL] = 1;
    t->found = false;
    t->code.generation++; // the word is another one
    return tsr_riscv_run(t->riscv, &t->hart, 1) == 1 && !t->found;
}

static void add(struct maker *m, uint32_t word)
{
    m->program->word[m->program->count++] = word;
}

static void add_i(struct maker *m, enum tsr_riscv_code code, uint32_t rd, uint32_t rs1, int32_t imm)
{
    add(m, tsr_riscv_row(code)->match | rd << 7 | rs1 << 15 | (uint32_t)imm << 20);
}

static void set_type(struct maker *m, uint32_t type)
{
    m->type = type;
    switch (below(m, 4)) {
    case 0: // as long as can be
        add(m, tsr_riscv_row(RISCV_VSETVLI)->match | (1 + below(m, 27)) << 7 | type << 20);
        return;
    case 1: // any length
        add(m, tsr_riscv_row(RISCV_VSETVLI)->match | below(m, 28) << 7 | (1 + below(m, 27)) << 15 |
                   type << 20);
        return;
    case 2:
        program_constant(m->program, STRIDE, type);
        add(m, tsr_riscv_row(RISCV_VSETVL)->match | below(m, 28) << 7 | (1 + below(m, 27)) << 15 |
                   STRIDE << 20);
        return;
    default:
        add(m, tsr_riscv_row(RISCV_VSETIVLI)->match | below(m, 28) << 7 | below(m, 32) << 15 |
                   type << 20);
        return;
    }
}

static uint32_t any_type(struct maker *m)
{
    for (;;) {
        uint32_t type = below(m, 3) << 3 | below(m, 8);
        int lmul = type & 4 ? (int)(type & 7) - 8 : (int)(type & 7);
        if (lmul > -4 && (lmul >= 0 || 8u << (type >> 3) <= 32u >> -lmul))
            return type | below(m, 4) << 6;
    }
}

// ---------------------------------------------------------------- instructions

static bool is_format(enum tsr_riscv_code code, enum tsr_riscv_format format)
{
    return tsr_riscv_row(code)->format == format;
}

static bool is_memory(enum tsr_riscv_code code)
{
    return is_format(code, RISCV_FORMAT_VLOAD) || is_format(code, RISCV_FORMAT_VLOADS) ||
           is_format(code, RISCV_FORMAT_VSTORE) || is_format(code, RISCV_FORMAT_VSTORES);
}

static bool computes_with_numbers(enum tsr_riscv_code code)
{
    uint32_t funct3 = tsr_riscv_row(code)->match >> 12 & 7;
    return !is_memory(code) && (funct3 == 1 || funct3 == 5);
}

// Multiply-add rounds otherwise, and qemu 7.2 ends with an assertion at "rtz".
static bool comparable(enum tsr_riscv_code code)
{
    uint32_t funct6 = tsr_riscv_row(code)->match >> 26;
    return tsr_riscv_is_vector((unsigned)code) && (tsr_riscv_row(code)->match & 0x7057) != 0x7057 &&
           !(computes_with_numbers(code) && funct6 >= 0x28) &&
           !strstr(tsr_riscv_row(code)->mnemonic, "rtz");
}

static uint32_t aligned(struct maker *m, uint32_t first)
{
    uint32_t unit = 1u << below(m, 4);
    return first + below(m, (32 - first) / unit) * unit;
}

// A word of the row whose free fields are anything that may be; 0: none was found.
static uint32_t any_word(struct maker *m, enum tsr_riscv_code code)
{
    const struct tsr_riscv_row *row = tsr_riscv_row(code);
    bool numbers = computes_with_numbers(code);
    uint32_t first = numbers ? FIRST_NUMBER : 0;
    for (int i = 0; i < TRIALS; i++) {
        uint32_t rd = aligned(m, first), rs1 = aligned(m, first), rs2 = aligned(m, first);
        if (row->format == RISCV_FORMAT_VX || is_memory(code))
            rs1 = is_memory(code) ? ADDRESS : 1 + below(m, 27);
        if (row->format == RISCV_FORMAT_VLOADS || row->format == RISCV_FORMAT_VSTORES)
            rs2 = STRIDE;
        if (row->format == RISCV_FORMAT_VI || row->format == RISCV_FORMAT_VU)
            rs1 = below(m, 32);
        if (row->format == RISCV_FORMAT_VF)
            rs1 = FIRST_SCALAR + below(m, 8);
        if (row->format == RISCV_FORMAT_VTOX)
            rd = below(m, 28);
        if (code == RISCV_VFMV_F_S)
            rd = 16 + below(m, 16);
        uint32_t free = rd << 7 | rs1 << 15 | rs2 << 20 | below(m, 2) << 25;
        uint32_t word = row->match | (free & ~row->mask);
        if (may_be(m, word))
            return word;
    }
    return 0;
}

// Floats into v8 to v31.
static void load_numbers(struct maker *m)
{
    add_i(m, RISCV_ADDI, ADDRESS, PROGRAM_POINTER,
          PROGRAM_FIRST_DATA + NUMBERS + 4 * (int)below(m, 32));
    for (uint32_t v = FIRST_NUMBER; v < 32; v += 8) {
        add(m, tsr_riscv_row(RISCV_VL8RE32)->match | v << 7 | ADDRESS << 15);
        add_i(m, RISCV_ADDI, ADDRESS, ADDRESS, 64);
    }
}

// Indices of some words, into the group that the word at the end of the program takes them from.
static void make_indices(struct maker *m, enum tsr_riscv_code code)
{
    static const struct {
        enum tsr_riscv_code first;
        uint32_t bits;
    } kinds[] = {{RISCV_VLUXEI8, 0},  {RISCV_VLOXEI8, 0},  {RISCV_VLUXEI16, 1},
                 {RISCV_VLOXEI16, 1}, {RISCV_VLUXEI32, 2}, {RISCV_VLOXEI32, 2},
                 {RISCV_VSUXEI8, 0},  {RISCV_VSOXEI8, 0},  {RISCV_VSUXEI16, 1},
                 {RISCV_VSOXEI16, 1}, {RISCV_VSUXEI32, 2}, {RISCV_VSOXEI32, 2}};
    uint32_t word = m->program->word[--m->program->count], type = m->type, bits = 3;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (code >= kinds[i].first && code < kinds[i].first + 8)
            bits = kinds[i].bits;
    if (bits == 3) {
        add(m, word);
        return;
    }
    // vtype of the indices: their bits, and the multiplier that goes with them.
    int lmul = type & 4 ? (int)(type & 7) - 8 : (int)(type & 7);
    lmul += (int)bits - (int)(type >> 3 & 7);
    uint32_t of_indices = bits << 3 | ((uint32_t)lmul & 7), group = word >> 20 & 31;
    if (lmul < 0 && 8u << bits > 32u >> -lmul) // more than the fraction holds: a whole register
        of_indices = bits << 3;
    program_constant(m->program, STRIDE, bits == 0 ? 0x7c : 0x1fc);
    add(m, tsr_riscv_row(RISCV_VSETVLI)->match | 1 << 7 | of_indices << 20); // as many as there are
    add(m, tsr_riscv_row(RISCV_VAND_VX)->match | group << 7 | STRIDE << 15 | group << 20 | 1 << 25);
    // vl is VLMAX of the type, or less.
    add(m, tsr_riscv_row(RISCV_VSETVLI)->match | (1 + below(m, 27)) << 7 |
               (below(m, 3) ? 1 + below(m, 27) : 0) << 15 | type << 20);
    add(m, word);
}

// Takes the result into the digest, so that nothing that overwrites it hides a difference.
static void digest(struct maker *m, uint32_t word)
{
    uint32_t rd = word >> 7 & 31, group = rd & 24, other = group ^ 8;
    uint32_t other_rd = other << 7, all = 1u << 25;
    add(m, tsr_riscv_row(RISCV_VSETVLI)->match | 1 << 7 | (2 << 3 | 3) << 20); // e32, m8
    add_i(m, RISCV_ADDI, ADDRESS, PROGRAM_POINTER, SAVED);
    add(m, tsr_riscv_row(RISCV_VS8R)->match | other_rd | ADDRESS << 15);
    add_i(m, RISCV_ADDI, ADDRESS, PROGRAM_POINTER, DIGEST);
    add(m, tsr_riscv_row(RISCV_VL8RE32)->match | other_rd | ADDRESS << 15);
    program_constant(m->program, STRIDE, 0x9e3779b1);
    add(m, tsr_riscv_row(RISCV_VMUL_VX)->match | other_rd | STRIDE << 15 | other << 20 | all);
    add(m, tsr_riscv_row(RISCV_VADD_VV)->match | other_rd | group << 15 | other << 20 | all);
    add(m, tsr_riscv_row(RISCV_VXOR_VX)->match | other_rd | (rd < 28 ? rd : 0) << 15 | other << 20 |
               all);
    add(m, tsr_riscv_row(RISCV_VS8R)->match | other_rd | ADDRESS << 15);
    add_i(m, RISCV_ADDI, ADDRESS, PROGRAM_POINTER, SAVED);
    add(m, tsr_riscv_row(RISCV_VL8RE32)->match | other_rd | ADDRESS << 15);
}

static void add_random(struct maker *m, enum tsr_riscv_code code)
{
    if (below(m, 16) == 0)
        add(m, tsr_riscv_row(RISCV_CSRRWI)->match | below(m, 4) << 15 | CSR_VXRM << 20);
    for (int i = 0; i < 8; i++) { // types until one fits
        m->type =
            computes_with_numbers(code) && below(m, 2) ? (2u << 3 | below(m, 4)) : any_type(m);
        uint32_t word = any_word(m, code);
        if (!word)
            continue;
        if (computes_with_numbers(code))
            load_numbers(m);
        set_type(m, m->type);
        if (is_memory(code)) {
            program_constant(m->program, STRIDE, 4 * (below(m, 5) - 2));
            add_i(m, RISCV_ADDI, ADDRESS, PROGRAM_POINTER, MIDDLE + 4 * (int)below(m, 64));
        }
        add(m, word);
        if (is_memory(code))
            make_indices(m, code);
        digest(m, word);
        return;
    }
}

void program_make_vectors(struct program *program, uint64_t seed)
{
    struct maker *m = calloc(1, sizeof *m);
    *m = (struct maker){.program = program, .seed = seed ^ 0x7ec7};
    m->trial.bus = (struct tsr_riscv_bus){.self = &m->trial,
                                          .regions = &m->trial.regions,
                                          .load = any_load,
                                          .store = any_store,
                                          .find = note,
                                          .fetch = fetch,
                                          .now = &m->trial.now,
                                          .l1 = {.code = &m->trial.code}};
    tsr_region_index_fill(&m->trial.regions, tsr_isa(TSR_BLACKHOLE_A0));
    m->trial.riscv = tsr_riscv_new(TSR_BLACKHOLE_A0, TSR_CORE_T2, &m->trial.bus);
    enum tsr_riscv_code codes[RISCV_ROWS];
    uint32_t count = 0;
    for (int code = 0; code < RISCV_ROWS; code++)
        if (comparable((enum tsr_riscv_code)code))
            codes[count++] = (enum tsr_riscv_code)code;
    uint32_t top = program_begin(program, &m->seed);
    program->core = TSR_CORE_T2;
    for (int i = 0; i < 128; i++) { // normal numbers that stay normal when they are multiplied
        uint32_t number = (uint32_t)program_random(&m->seed);
        number = (number & 0x807fffff) | (90 + below(m, 80)) << 23;
        for (int byte = 0; byte < 4; byte++)
            program->data[NUMBERS + 4 * i + byte] = (uint8_t)(number >> (8 * byte));
    }
    for (uint32_t f = 0; f < 8; f++)
        add(m, tsr_riscv_row(RISCV_FLW)->match | (FIRST_SCALAR + f) << 7 | PROGRAM_POINTER << 15 |
                   (uint32_t)(PROGRAM_FIRST_DATA + NUMBERS + 4 * (int)f) << 20);
    for (uint32_t v = 0; v < 32; v += 8) {
        add_i(m, RISCV_ADDI, ADDRESS, PROGRAM_POINTER, PROGRAM_FIRST_DATA + 16 * (int)v);
        add(m, tsr_riscv_row(RISCV_VL8RE8)->match | v << 7 | ADDRESS << 15);
    }
    while (program->count < PROGRAM_WORDS - 160) {
        enum tsr_riscv_code code = codes[below(m, count)];
        if (!is_memory(code) || below(m, 4) == 0) // there are many of those, for segments
            add_random(m, code);
    }
    static const uint32_t csrs[] = {CSR_VXSAT, CSR_VXRM, CSR_FCSR, CSR_VL, CSR_VTYPE};
    for (uint32_t i = 0; i < 5; i++)
        add(m, tsr_riscv_row(RISCV_CSRRS)->match | (1 + i) << 7 | csrs[i] << 20);
    for (uint32_t v = 0; v < 32; v += 8) {
        add_i(m, RISCV_ADDI, ADDRESS, PROGRAM_POINTER, PROGRAM_FIRST_DATA + LEFT_AT + 16 * (int)v);
        add(m, tsr_riscv_row(RISCV_VS8R)->match | v << 7 | ADDRESS << 15);
    }
    program_end(program, top);
    tsr_riscv_free(m->trial.riscv);
    free(m);
}
