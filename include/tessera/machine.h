// SPDX-License-Identifier: Apache-2.0
// Tessera: the machine as data, without a tile: instructions, configuration fields, formats,
// constants, the address map, and words to text and back. <tessera/tessera.h> has all of it.
// NULL and indexes as there. Pages: those that each entry names.
#ifndef TESSERA_MACHINE_H
#define TESSERA_MACHINE_H

#include <tessera/basics.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_operand_info {
    const char *name;
    uint8_t first_bit;
    uint8_t width;
    bool extra; // printed only where it is not 0
} tsr_operand_info;

enum { TSR_MAX_OPERANDS = 13 };

typedef enum tsr_implemented {
    TSR_IMPLEMENTED_NONE = 0,
    TSR_IMPLEMENTED_PART = 1,
    TSR_IMPLEMENTED_FULL = 2,
    TSR_IMPLEMENTED_REFUSED = 3 // nothing says what it does: reported, without an effect
} tsr_implemented;

typedef struct tsr_instruction_info {
    const char *mnemonic;
    uint8_t opcode; // bits 31:24 of a word
    const char *unit;
    const char *page;
    tsr_implemented implemented;
    const char *note; // what is missing; "" if nothing is
    int operand_count;
    tsr_operand_info operands[TSR_MAX_OPERANDS]; // in the order in which they are printed
} tsr_instruction_info;

typedef enum tsr_field_scope {
    TSR_SCOPE_THREAD = 0,
    TSR_SCOPE_BANKED = 1,
    TSR_SCOPE_UNBANKED = 2
} tsr_field_scope;

typedef struct tsr_field_info {
    const char *name;
    tsr_field_scope scope;
    uint16_t addr32; // index of the 32-bit word (16-bit value for thread scope)
    uint8_t first_bit;
    uint8_t width; // 1..32, or 128 for a whole TileDescriptor, whose parts are fields too
    const char *section;
    const char *plan_group;      // "" if no plan depends on it
    tsr_implemented implemented; // whether a unit reads it
    const char *page;
} tsr_field_info;

// Of a chip that is none the counts are 0. tsr_instruction_at() and tsr_field_at() give NULL
// outside 0 .. count-1, the other functions NULL for what is unknown and for a name that is NULL.
int tsr_instruction_count(tsr_arch arch);
const tsr_instruction_info *tsr_instruction_at(tsr_arch arch, int index);
const tsr_instruction_info *tsr_instruction_find(tsr_arch arch, const char *mnemonic);
// The instruction that a word encodes; NULL for an unknown opcode or set bits that no operand owns.
const tsr_instruction_info *tsr_instruction_decode(tsr_arch arch, uint32_t word);

// An instruction of the baby RISC-V cores.
typedef struct tsr_core_instruction_info {
    const char *mnemonic;          // as the RISC-V manual has it
    const char *extension;         // "RV32I", "Zbb", ...
    const char *page;              // path in tt-isa-documentation
    uint8_t cores[TSR_ARCH_COUNT]; // a bit for each tsr_core that has it
    bool implemented;
} tsr_core_instruction_info;

int tsr_core_instruction_count(void);
// False outside 0 .. count-1, and if `info` is NULL.
bool tsr_core_instruction_at(int index, tsr_core_instruction_info *info);
int tsr_field_count(tsr_arch arch);
const tsr_field_info *tsr_field_at(tsr_arch arch, int index);
const tsr_field_info *tsr_field_find(tsr_arch arch, const char *name);
// 4-bit code of an L1 or register format by name, any case ("bf16", "BFP8a"); FloatBitPatterns.md.
tsr_status tsr_format_find(const char *name, uint8_t *code);
const char *tsr_format_name(uint8_t code); // "reserved12" for a code without a format

// A value with the name that vendor software has for it, and a dot: `p_stall.STALL_CFG` and
// `semaphore.MATH_PACK` (machine/waits.def), `p_sfpu.LREG3` (machine/vector_modes.def). Blocks and
// conditions are masks, all others numbers.
typedef struct tsr_constant_info {
    char name[64];
    const char *operand; // that takes it: "stall_res", "wait_res", "sem_sel", "instr_mod1", …
    uint32_t value;
    const char *text; // what it names
} tsr_constant_info;

// `out` may be NULL. TSR_NOT_FOUND beyond the last constant of the chip; TSR_BAD_ARGUMENT below 0.
tsr_status tsr_constant_at(tsr_arch arch, int index, tsr_constant_info *out);
// TSR_NOT_FOUND if this chip has no such constant; a NULL name is none. `value` may be NULL.
tsr_status tsr_constant_find(tsr_arch arch, const char *name, uint32_t *value);

// A part of the address map as baby cores see it (BabyRISCV/README.md), in the order of
// machine/addresses.def.
typedef struct tsr_memory_info {
    const char *name; // "L1", "LOCAL_RAM_T", "PUSH", …
    uint32_t base, size;
    uint8_t cores; // a bit for each tsr_core that sees it
    const char *page;
} tsr_memory_info;

// A control, debug or status register (TileControlDebugStatus.md), as all cores see it.
typedef struct tsr_register_info {
    const char *name; // as in vendor software, without RISCV_DEBUG_REG_
    uint32_t address;
    const char *page;
} tsr_register_info;

// A number that programs for the cores need beside addresses: the mask of a core's bit of soft
// reset ("RESET_T0"), and of a NoC interface the offset of a register ("NOC_CMD_CTRL", from the
// initiator's, or from the interface's), the mask of a field ("NOC_CMD_RESP_MARKED"), or a
// counter's index ("NIU_MST_WR_ACK_RECEIVED").
typedef struct tsr_number_info {
    char name[64];
    uint32_t value;
} tsr_number_info;

// TSR_NOT_FOUND beyond the last one of the chip; TSR_BAD_ARGUMENT below 0. `out` may be NULL.
tsr_status tsr_number_at(tsr_arch arch, int index, tsr_number_info *out);
tsr_status tsr_memory_at(tsr_arch arch, int index, tsr_memory_info *out);
tsr_status tsr_register_at(tsr_arch arch, int index, tsr_register_info *out);

// `MNEMONIC name=value …`, or `.word 0x…` for what is no instruction. Always terminated; returns
// the length that the whole text needs (like snprintf). `text` may be NULL: then nothing is
// written.
int tsr_disassemble(tsr_arch arch, uint32_t word, char *text, size_t size);
// The inverse of tsr_disassemble; operands may come in any order, with or without commas, a missing
// one is 0, numbers are decimal, 0x… or 0b…, and a comment may follow, as in .ttasm
// (docs/ttasm.md). On failure `error` (may be NULL) gets one sentence that names the word.
tsr_status tsr_assemble(tsr_arch arch, const char *text, uint32_t *word, char *error,
                        size_t error_size);

#ifdef __cplusplus
}
#endif
#endif
