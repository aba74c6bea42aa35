// SPDX-License-Identifier: Apache-2.0
// Executes a core's instructions block by block. What each does is in integer_ops.inc,
// memory_ops.inc and jump_ops.inc.
// Pages: BabyRISCV/README.md and PushTensixInstruction.md of each chip, DebugInterface.md (ebreak).
#include "riscv/riscv.h"

#include "riscv/riscv_access.h"
#include "riscv/riscv_blocks.h"
#include "riscv/riscv_integer.h"
#include "riscv/riscv_polls.h"
#include "riscv/riscv_rare.h"
#include "riscv/riscv_refuse.h"

#include <stdlib.h>

struct tsr_riscv *tsr_riscv_new(tsr_arch arch, int core, const struct tsr_riscv_bus *bus)
{
    struct tsr_riscv *riscv = calloc(1, sizeof *riscv);
    if (!riscv)
        return NULL;
    riscv->arch = arch;
    riscv->core = core;
    riscv->bus = bus;
    riscv->fuses = arch == TSR_BLACKHOLE_A0 && core >= TSR_CORE_T0 && core <= TSR_CORE_T2;
    return riscv;
}

void tsr_riscv_free(struct tsr_riscv *riscv)
{
    free(riscv);
}

uint64_t tsr_riscv_effects(const struct tsr_riscv *riscv)
{
    return riscv->effects;
}

// The block at the hart's pc; NULL: the hart rests.
static struct tsr_riscv_block *next_block(struct tsr_riscv *riscv, struct tsr_hart *hart)
{
    if (hart->pc & 3 && !tsr_riscv_align_pc(riscv, hart))
        return NULL;
    struct tsr_riscv_block *block = tsr_riscv_block_at(riscv, hart->pc);
    if (!block)
        tsr_riscv_no_code(riscv, hart);
    return block;
}

#define A x[op->rs1]
#define B x[op->rs2]
#define D x[op->rd]
#define I op->imm
#define PC (pc + 4 * (uint32_t)(op - first))
#define HERE ((struct tsr_riscv_place){PC, done + (uint64_t)(op - entry)})
#define OP(name, ...)                                                                              \
    case RISCV_##name:                                                                             \
        __VA_ARGS__;                                                                               \
        break;

// Executes from hart->pc to the end of a block, or `most` instructions, or until the hart rests,
// and returns how many that were. `done`: those before in this run.
static uint64_t run_block(struct tsr_riscv *riscv, struct tsr_hart *hart,
                          const struct tsr_riscv_block *block, uint64_t done, uint64_t most)
{
    uint32_t *x = hart->x;
    const uint32_t pc = block->pc;
    const struct tsr_riscv_op *const first = block->op, *const last = first + block->count;
    const struct tsr_riscv_op *op = first + (hart->pc - pc) / 4, *entry = op;
    const struct tsr_riscv_op *stop = most < (uint64_t)(last - op) ? op + most : last;
    uint32_t value, to;
    do {
        switch (op->code) {
#include "riscv/integer_ops.inc"
#include "riscv/jump_ops.inc"
#include "riscv/memory_ops.inc"
        case RISCV_ECALL:
        case RISCV_EBREAK:
            hart->rest = TSR_HART_PAUSED; // with the pc behind it
            goto changed;
        default:
            switch (tsr_riscv_execute_rare(riscv, hart, HERE, op)) {
            case TSR_RISCV_RESTS:
                goto rests;
            case TSR_RISCV_CODE:
                goto changed;
            default:
                break;
            }
            break;
        }
    } while (++op < stop);
    hart->pc = PC;
    return (uint64_t)(op - entry);
changed: // the instruction is executed; what follows may be another one now
    op++;
rests:
    hart->pc = PC;
    return (uint64_t)(op - entry);
taken:
    hart->pc = to;
    if (to <= PC && riscv->polls.jumps-- == 0)
        tsr_riscv_look_for_poll(riscv, hart);
    return (uint64_t)(op + 1 - entry);
}

uint64_t tsr_riscv_run(struct tsr_riscv *riscv, struct tsr_hart *hart, uint64_t most)
{
    if (hart->rest > TSR_HART_POLLS)
        return 0;
    tsr_riscv_wake(riscv, hart);
    hart->rest = TSR_HART_RUNS;
    riscv->start = *riscv->bus->now;
    uint64_t done = 0;
    while (done < most && hart->rest == TSR_HART_RUNS) {
        const struct tsr_riscv_block *block = next_block(riscv, hart);
        if (!block)
            break;
        uint64_t went = run_block(riscv, hart, block, done, most - done);
        done += went;
        if (went == 0)
            break; // the tile stopped, or the hart rests
    }
    if (hart->rest == TSR_HART_POLLS && riscv->polls.woken)
        done = 0; // it has read the same again
    hart->retired += done;
    *riscv->bus->now = riscv->start + done;
    return done;
}
