// SPDX-License-Identifier: Apache-2.0
// Looks for a hardware bug that a kernel can run into. While a T core's load from TTSync has not
// returned, another load from the PC buffer, TTSync, the semaphores or a mailbox may get a wrong
// value or hang. The first load has returned for certain once an instruction has used its value, or
// seven instructions later. Here every load returns at once, so the bug cannot show; instead the
// code behind the load is searched for such a second load, as far as known registers say where code
// and load go.
// Pages: BabyRISCV/TTSync.md, ManualTTSync.md, MemoryOrdering.md.
#include "tile/sync_loads.h"

#include "riscv/riscv_decode.h"

#include <string.h>

enum {
    BEHIND = 7, // places in the retire order beside the load's own
    FENCE = 0x000f,
    FENCE_BITS = 0x707f // of an instruction, without those that say what a fence is for
};

struct walk {
    uint32_t x[32];
    uint32_t known; // a bit for each
    unsigned rd;    // has the value of TTSync; 0: no register has, or no longer
};

static struct tsr_riscv_op op_at(const struct tsr_env *env, unsigned core, uint32_t pc)
{
    return tsr_riscv_decode(env->chip->arch, (int)core, pc, tsr_l1_word(&env->state->l1, pc), NULL);
}

static bool is_forbidden(const struct tsr_isa *isa, uint32_t address)
{
    enum { PC_BUFFER_BYTES = 0x10000 }; // TTSync and the semaphores among them
    const struct tsr_region *mailboxes = &isa->region[REGION_MAILBOXES];
    return address - isa->region[REGION_PC_BUFFER_T].base < PC_BUFFER_BYTES ||
           address - mailboxes->base < mailboxes->size;
}

// It enters the pipeline when the value is there.
static bool waits_for_value(const struct walk *walk, const struct tsr_riscv_op *op)
{
    return walk->rd != 0 && (((op->uses & RISCV_READS_RS1) && op->rs1 == walk->rd) ||
                             ((op->uses & RISCV_READS_RS2) && op->rs2 == walk->rd));
}

// What keeps loads behind it back, or leads where it is not known. Wormhole's FENCE is a nop.
static bool ends_search(const struct tsr_env *env, const struct tsr_riscv_op *op)
{
    if ((op->word & FENCE_BITS) == FENCE)
        return env->isa->arch != TSR_WORMHOLE_B0;
    return op->kind == RISCV_KIND_BRANCHES || op->kind == RISCV_KIND_ATOMIC ||
           op->kind == RISCV_KIND_ALONE || op->kind == RISCV_KIND_ENDS;
}

static bool is_known(const struct walk *walk, unsigned reg)
{
    return walk->known >> reg & 1;
}

static void write_register(struct walk *walk, const struct tsr_riscv_op *op)
{
    if (!(op->uses & RISCV_WRITES_RD) || op->rd == 0)
        return;
    bool adds = op->code == RISCV_ADDI || op->code == RISCV_MV;
    bool known = op->code == RISCV_LI || (adds && is_known(walk, op->rs1));
    walk->known = (walk->known & ~(1u << op->rd)) | (uint32_t)known << op->rd;
    walk->x[op->rd] =
        op->code == RISCV_LI ? op->imm : walk->x[op->rs1] + (op->code == RISCV_MV ? 0 : op->imm);
    if (op->rd == walk->rd)
        walk->rd = 0;
}

bool tsr_sync_is_passed(const struct tsr_env *env, unsigned core,
                        struct tsr_sync_follower *follower)
{
    uint32_t pc = env->core_at;
    struct walk walk;
    if (!tsr_l1_holds(&env->state->l1, pc, 4 * (BEHIND + 1)))
        return false;
    const struct tsr_riscv_op load = op_at(env, core, pc);
    memcpy(walk.x, env->state->cores.hart[core].x, sizeof walk.x);
    walk.rd = load.rd;
    walk.known = ~(1u << load.rd) | 1;
    walk.x[0] = 0;
    if (load.kind != RISCV_KIND_LOADS)
        return false;
    for (int i = 0; i < BEHIND; i++) {
        pc += 4;
        const struct tsr_riscv_op op = op_at(env, core, pc);
        if (waits_for_value(&walk, &op) || ends_search(env, &op))
            return false;
        uint32_t address = walk.x[op.rs1] + op.imm;
        if (op.kind == RISCV_KIND_LOADS && is_known(&walk, op.rs1) &&
            is_forbidden(env->isa, address)) {
            *follower = (struct tsr_sync_follower){pc, address};
            return true;
        }
        write_register(&walk, &op);
    }
    return false;
}
