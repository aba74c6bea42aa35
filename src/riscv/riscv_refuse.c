// SPDX-License-Identifier: Apache-2.0
// Findings about instructions: one that no core has, one that this core lacks, one that Tessera
// does not execute yet, and a pc from which nothing can be fetched. Pages: BabyRISCV/README.md of
// each chip (instruction set, frontend, faults).
#include "riscv/riscv_refuse.h"

#include "base/finding_codes.h"

#include <stdio.h>

enum { SENTENCE = 200 };

static bool find(struct tsr_riscv *riscv, uint32_t pc, enum tsr_finding code, const char *sentence)
{
    return riscv->bus->find(riscv->bus->self, riscv->core, pc, (int)code, sentence);
}

bool tsr_riscv_refuse(struct tsr_riscv *riscv, struct tsr_hart *hart, struct tsr_riscv_place place,
                      const struct tsr_riscv_op *op)
{
    char text[SENTENCE];
    const char *core = tsr_core_name((tsr_core)riscv->core);
    const struct tsr_riscv_row *row = tsr_riscv_find_row(op->imm);
    enum tsr_finding code = FINDING_CORE_UNKNOWN_INSTRUCTION;
    tsr_riscv_stand_at(riscv, hart, place);
    if (!row) {
        snprintf(text, sizeof text, "Core %s executes 0x%08x, which is no instruction.", core,
                 (unsigned)op->imm);
    } else {
        bool lacking = op->code == RISCV_LACKING;
        code = lacking ? FINDING_CORE_LACKS_INSTRUCTION : FINDING_CORE_UNIMPLEMENTED_INSTRUCTION;
        uint8_t has = row->cores[riscv->arch];
        const char *why = !lacking                   ? "Tessera does not execute yet"
                          : has == 1u << TSR_CORE_T2 ? "only core T2 has"
                          : has                      ? "only cores B and NC have"
                                                     : "this chip's cores do not have";
        snprintf(text, sizeof text, "Core %s executes %s (%s, word 0x%08x), which %s.", core,
                 row->mnemonic, tsr_riscv_extension_of(row)->name, (unsigned)op->imm, why);
    }
    return find(riscv, place.pc, code, text);
}

bool tsr_riscv_refuse_csr(struct tsr_riscv *riscv, struct tsr_hart *hart,
                          struct tsr_riscv_place place, uint32_t number, const char *name,
                          const char *why)
{
    char text[SENTENCE];
    tsr_riscv_stand_at(riscv, hart, place);
    snprintf(text, sizeof text, "Core %s uses CSR 0x%03x%s%s, which %s.",
             tsr_core_name((tsr_core)riscv->core), (unsigned)number, name ? ", " : "",
             name ? name : "", name ? why : "this chip's cores do not have");
    return find(riscv, place.pc,
                name ? FINDING_CORE_UNIMPLEMENTED_INSTRUCTION : FINDING_CORE_LACKS_INSTRUCTION,
                text);
}

bool tsr_riscv_some_stream(struct tsr_riscv *riscv, struct tsr_hart *hart,
                           struct tsr_riscv_place place, const char *name)
{
    char text[SENTENCE];
    tsr_riscv_stand_at(riscv, hart, place);
    snprintf(text, sizeof text,
             "Core %s uses CSR %s, which shows a stream of the NoC overlay; no page says which. "
             "Here its number is the CSR's modulo 4.",
             tsr_core_name((tsr_core)riscv->core), name);
    return find(riscv, place.pc, FINDING_UNDOCUMENTED_MODE, text);
}

bool tsr_riscv_unwritten_code(struct tsr_riscv *riscv, struct tsr_hart *hart)
{
    char text[SENTENCE];
    snprintf(text, sizeof text, "Core %s executes L1 at 0x%08x, which nobody has written.",
             tsr_core_name((tsr_core)riscv->core), (unsigned)hart->pc);
    return find(riscv, hart->pc, FINDING_CORE_UNWRITTEN_CODE, text);
}

bool tsr_riscv_return_from_nothing(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                   struct tsr_riscv_place place)
{
    char text[SENTENCE];
    tsr_riscv_stand_at(riscv, hart, place);
    snprintf(text, sizeof text,
             "Core %s executes mret outside of an interrupt's handler; it goes to 0x%08x.",
             tsr_core_name((tsr_core)riscv->core), (unsigned)hart->mret_to);
    return find(riscv, place.pc, FINDING_UNDOCUMENTED_MODE, text);
}

bool tsr_riscv_write_in_handler(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                struct tsr_riscv_place place, const char *name)
{
    char text[SENTENCE];
    tsr_riscv_stand_at(riscv, hart, place);
    snprintf(text, sizeof text,
             "Core %s writes CSR %s in an interrupt's handler; it stays as it is.",
             tsr_core_name((tsr_core)riscv->core), name);
    return find(riscv, place.pc, FINDING_CORE_HANDLER_CSR, text);
}

bool tsr_riscv_atomic_elsewhere(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                struct tsr_riscv_place place, uint32_t address)
{
    char text[SENTENCE];
    tsr_riscv_stand_at(riscv, hart, place);
    snprintf(text, sizeof text, "Core %s executes an atomic instruction on 0x%08x, outside of L1.",
             tsr_core_name((tsr_core)riscv->core), (unsigned)address);
    return find(riscv, place.pc, FINDING_CORE_ATOMIC_OUTSIDE_L1, text);
}

bool tsr_riscv_align_pc(struct tsr_riscv *riscv, struct tsr_hart *hart)
{
    char text[SENTENCE];
    snprintf(text, sizeof text, "Core %s jumps to 0x%08x, which is no multiple of 4.",
             tsr_core_name((tsr_core)riscv->core), (unsigned)hart->pc);
    if (!find(riscv, hart->pc, FINDING_CORE_MISALIGNED_JUMP, text))
        return false;
    hart->pc &= ~3u;
    return true;
}

bool tsr_riscv_no_code(struct tsr_riscv *riscv, struct tsr_hart *hart)
{
    char text[SENTENCE];
    snprintf(text, sizeof text, "Core %s goes to 0x%08x, where no instruction can be fetched.",
             tsr_core_name((tsr_core)riscv->core), (unsigned)hart->pc);
    if (find(riscv, hart->pc, FINDING_CORE_FETCH, text))
        hart->rest = TSR_HART_HUNG;
    return false;
}
