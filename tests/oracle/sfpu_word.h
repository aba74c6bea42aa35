// SPDX-License-Identifier: Apache-2.0
// Words of the vector unit, taken apart and put together for its second model. Where fields lie is
// what the public tables say; what they mean is here.
// Pages: as sfpu_model.h, and the diagrams of the SFP* pages.
#ifndef TESTS_ORACLE_SFPU_WORD_H
#define TESTS_ORACLE_SFPU_WORD_H

#include <tessera/tessera.h>

#include <stdbool.h>
#include <stdint.h>

// X(name, sub-unit), with the sub-units of SFPLOADMACRO.md's table.
#define SFPU_OPS(X)                                                                                \
    X(LOAD, LOAD)                                                                                  \
    X(LOADI, LOAD)                                                                                 \
    X(LOADMACRO, LOAD)                                                                             \
    X(NOP, LOAD)                                                                                   \
    X(STORE, STORE)                                                                                \
    X(ADD, MAD)                                                                                    \
    X(ADDI, MAD)                                                                                   \
    X(LUT, MAD)                                                                                    \
    X(LUTFP32, MAD)                                                                                \
    X(MAD, MAD)                                                                                    \
    X(MUL, MAD)                                                                                    \
    X(MULI, MAD)                                                                                   \
    X(MUL24, MAD)                                                                                  \
    X(SHFT2, ROUND)                                                                                \
    X(STOCH_RND, ROUND)                                                                            \
    X(ABS, SIMPLE)                                                                                 \
    X(AND, SIMPLE)                                                                                 \
    X(ARECIP, SIMPLE)                                                                              \
    X(CAST, SIMPLE)                                                                                \
    X(COMPC, SIMPLE)                                                                               \
    X(CONFIG, SIMPLE)                                                                              \
    X(DIVP2, SIMPLE)                                                                               \
    X(ENCC, SIMPLE)                                                                                \
    X(EXEXP, SIMPLE)                                                                               \
    X(EXMAN, SIMPLE)                                                                               \
    X(GT, SIMPLE)                                                                                  \
    X(IADD, SIMPLE)                                                                                \
    X(LE, SIMPLE)                                                                                  \
    X(LZ, SIMPLE)                                                                                  \
    X(MOV, SIMPLE)                                                                                 \
    X(NOT, SIMPLE)                                                                                 \
    X(OR, SIMPLE)                                                                                  \
    X(POPC, SIMPLE)                                                                                \
    X(PUSHC, SIMPLE)                                                                               \
    X(SETCC, SIMPLE)                                                                               \
    X(SETEXP, SIMPLE)                                                                              \
    X(SETMAN, SIMPLE)                                                                              \
    X(SETSGN, SIMPLE)                                                                              \
    X(SHFT, SIMPLE)                                                                                \
    X(SWAP, SIMPLE)                                                                                \
    X(TRANSP, SIMPLE)                                                                              \
    X(XOR, SIMPLE)

enum sfpu_op {
#define X(name, unit) SFPU_##name,
    SFPU_OPS(X)
#undef X
        SFPU_OP_COUNT
};

enum sfpu_unit {
    SFPU_UNIT_SIMPLE,
    SFPU_UNIT_MAD,
    SFPU_UNIT_ROUND,
    SFPU_UNIT_STORE,
    SFPU_UNIT_LOAD,
    SFPU_UNIT_COUNT
};

// An instruction as the pages name its fields. One that the encoding does not have is 0.
struct sfpu_insn {
    uint8_t op;             // enum sfpu_op
    uint8_t va, vb, vc, vd; // vd can be 16 for what SFPLOADMACRO schedules
    uint8_t mod;            // Mod0 or Mod1
    uint16_t imm;           // Imm16, Imm12, Imm10, Imm8, Imm5, Imm2 or Imm1
    uint8_t addr_mod;       // of SFPLOAD, SFPSTORE and SFPLOADMACRO
    uint8_t rounding;       // of SFPSTOCHRND
    uint8_t macro;          // MacroIndex of SFPLOADMACRO
    bool has_vb, has_vc;    // whether the encoding has them
    bool scheduled;         // by SFPLOADMACRO, whose VB and VC are then final
    bool vb_loaded;         // SFPLOADMACRO gave VB the register that it loads
    uint16_t address;       // of a scheduled SFPSTORE
    uint8_t thread;
    uint32_t word;
};

struct sfpu_words {
    tsr_arch arch;
    const tsr_instruction_info *info[SFPU_OP_COUNT]; // NULL: the chip has no such instruction
};

void sfpu_words_init(struct sfpu_words *w, tsr_arch arch);
// False: no instruction of the vector unit.
bool sfpu_decode(const struct sfpu_words *w, uint32_t word, struct sfpu_insn *insn);
uint32_t sfpu_encode(const struct sfpu_words *w, const struct sfpu_insn *insn);
enum sfpu_unit sfpu_unit_of(unsigned op);
const char *sfpu_op_name(unsigned op);
// Modifiers that the pages give to an operation, a bit each.
uint32_t sfpu_modifiers(unsigned op, bool blackhole);

#endif
