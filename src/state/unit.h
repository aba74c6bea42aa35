// SPDX-License-Identifier: Apache-2.0
// The interface of a unit towards the gate and the engine: the three stages of an instruction.
#ifndef TESSERA_STATE_UNIT_H
#define TESSERA_STATE_UNIT_H

#include "state/state.h"

enum { TSR_TIMED_BLOCK = 32 };

struct tsr_small_word;

// Executes a small word in its unit at once, if it neither waits nor reports. False: nothing was
// changed. `sequence` is its own.
typedef bool tsr_small_run(struct tsr_env *env, int thread, const struct tsr_small_word *small,
                           uint64_t sequence);

// A word that stands between the tiles of a kernel: it need not wait for others to be a block. What
// only the word and the chip decide is decoded once (tsr_unit_ops.decode_small).
struct tsr_small_word {
    uint32_t word;
    uint8_t kind;       // frontend/small_words.h's
    uint8_t unit;       // tsr_unit
    tsr_small_run *run; // NULL: it takes the stages
    uint32_t arg[6];    // the unit's own
};

struct tsr_unit_ops {
    // Whether the gate lets the instruction pass now: TSR_REASON_NONE, or what it must wait for.
    // Reads only. Where only the clock ends the wait, it sets *retry_at, which is 0, to the cycle
    // in which to try again. NULL: always.
    tsr_reason (*ready)(struct tsr_env *env, const struct tsr_inflight *inst, uint64_t *retry_at);
    // Accepted: sample configuration and counters into inst->job, apply counter updates, set
    // costs. False: a finding stopped the tile; nothing was changed.
    bool (*accept)(struct tsr_env *env, struct tsr_inflight *inst);
    // With timing off: whether the word would wait inside the unit if this were empty; a guess, on
    // which only speed depends. Reads only. NULL: nothing is known.
    bool (*would_wait)(const struct tsr_env *env, uint32_t word);
    // Executed: read the bank pointer and data, write data. Anything but TSR_REASON_NONE: it waits
    // inside the unit, nothing was changed, and it is called again. A finding that stops shows in
    // env->findings->stopped. NULL: nothing to do.
    tsr_reason (*execute)(struct tsr_env *env, struct tsr_inflight *inst);
    // Whether execute, which has returned a reason for this instruction, would return it again and
    // do nothing else. Reads only. NULL: execute must be asked.
    bool (*still_waits)(const struct tsr_env *env, const struct tsr_inflight *inst);
    // With timing off, and nobody to tell: executes and completes the oldest instructions of the
    // queue, of which none has executed, up to one that waits or reports, and leaves them there.
    // How many; the next one waits on for *reason, or, where that is still TSR_REASON_NONE, execute
    // must be asked. NULL: always.
    unsigned (*finish)(struct tsr_env *env, struct tsr_queue *queue, tsr_reason *reason);
    // Completed: publish owner and format of a bank, a GPR. NULL: nothing to do.
    void (*complete)(struct tsr_env *env, struct tsr_inflight *inst);
    // One sentence on what execute waits for, and what would release it (may be NULL).
    void (*explain)(struct tsr_env *env, const struct tsr_inflight *inst, char *what, size_t size);
    // With timing off: executes as one as many of a thread's next `count` words, which all go to
    // units with these operations, as it can, and says how many. 0: one by one, please. It takes
    // only words of which none waits or reports, and leaves all that single instructions leave.
    // The units hold nothing else, and nobody observes. NULL: never.
    unsigned (*run_block)(struct tsr_env *env, int thread, const uint32_t *words, unsigned count);
    // Sets `run` and its arguments for `small->word`, an instruction `op` of the unit, unless it is
    // never small. NULL: none is.
    void (*decode_small)(const struct tsr_env *env, enum tsr_op op, struct tsr_small_word *small);
    // How many of the words, at least two unless blocks_of_one, are one block that run_block has
    // kept: they were offered to it before. It is asked first; 0: none. NULL: none ever.
    unsigned (*kept_block)(struct tsr_env *env, const uint32_t *words, unsigned count);
    // With timing on: executes as one as many words of one opcode as it can that it accepts one a
    // cycle from now on, each of which executes in its cycle and takes as long as its row in
    // machine/timing.def says. At most TSR_TIMED_BLOCK, and only instructions that have executed
    // are in the unit. Otherwise as run_block. NULL: never.
    unsigned (*run_timed_block)(struct tsr_env *env, int thread, const uint32_t *words,
                                unsigned count);
    // With timing on: accepts and executes the word of `inst`, for which the unit has room and
    // which `ready` lets pass, if all that becomes of it is known now: it neither waits nor
    // reports. It executes inst->address cycles later, before which nothing changes that it reads.
    // Of `inst` all is filled but its job, its duration and its bank; `complete` is called as for
    // others. False: it takes the stages, and nothing was changed. NULL: always.
    bool (*take_whole)(struct tsr_env *env, struct tsr_inflight *inst);
    // With timing on: the same of a word that executes in the cycle of its issue, into a unit that
    // holds nothing. It asks itself whether the word may pass; others may be awake. False: it takes
    // the stages, and nothing was changed. NULL: always.
    bool (*take_at_once)(struct tsr_env *env, struct tsr_inflight *inst);
    // The job of a word of the latest run_timed_block, or of a small one, with what `complete` has
    // to publish, which is mostly nothing. NULL: none has.
    void (*leave_job)(const struct tsr_env *env, struct tsr_inflight *inst);
    bool blocks_behind_wait; // nothing that a wait is for depends on what these two do
    bool blocks_of_one;      // a single word is offered too: it may be cheaper so
    bool blocks_to_refused;  // run_block goes on to a word that it would not take alone, either
};

#endif
