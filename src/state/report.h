// SPDX-License-Identifier: Apache-2.0
// How units report findings: with the instruction that caused it, the fields that were involved,
// and what the policy makes of it.
#ifndef TESSERA_STATE_REPORT_H
#define TESSERA_STATE_REPORT_H

#include "base/findings.h"
#include "state/state.h"

enum tsr_verdict {
    TSR_HALT = 0,      // the tile stops: leave without the effect
    TSR_GO = 1,        // go on as docs/errata.md says
    TSR_GO_TAINTED = 2 // the same, and taint what is written
};

struct tsr_cited {
    int instance; // bank or thread of the fields
    int count;
    enum tsr_field field[TSR_DIAGNOSTIC_FIELDS];
};

// What leads to a report lies apart from what runs: code that is met for each tile should fit the
// processor's instruction cache.
#if defined(__GNUC__)
#define TSR_PRINTF(text, first) __attribute__((format(printf, text, first), cold))
#else
#define TSR_PRINTF(text, first)
#endif

// `cause` and `cited` may be NULL. Undefined behaviour that is recorded is tainted too.
enum tsr_verdict tsr_report(struct tsr_env *env, enum tsr_finding code,
                            const struct tsr_inflight *cause, const struct tsr_cited *cited,
                            const char *format, ...) TSR_PRINTF(5, 6);
// The instruction is one of the unit's that nobody has written. False: the tile stops.
bool tsr_report_unimplemented(struct tsr_env *env, const struct tsr_inflight *cause);
// Bits of the word of `cause` that no operand owns.
enum tsr_verdict tsr_report_stray_bits(struct tsr_env *env, const struct tsr_inflight *cause);
// For findings whose sentence takes long to make and that kernels may raise for each tile: if this
// instruction word has raised it before, counts that, and gives what the policy makes of it.
bool tsr_report_again(struct tsr_env *env, enum tsr_finding code, const struct tsr_inflight *cause,
                      enum tsr_verdict *out);
// For blocks: if this word of the thread has raised it before and it stops nothing, counts it so
// many times more. False: the instruction must report it.
bool tsr_report_repeats(struct tsr_env *env, enum tsr_finding code, int thread, uint32_t word,
                        unsigned times);
// The same as tsr_report() for an access by a core or TSR_AGENT_HOST: once for each place of
// env->core_at.
enum tsr_verdict tsr_report_core(struct tsr_env *env, enum tsr_finding code, int core,
                                 const char *format, ...) TSR_PRINTF(4, 5);
// Whether it has been told of this place, and stops nothing. Counts nothing.
bool tsr_report_core_told(struct tsr_env *env, enum tsr_finding code, int core);

// Who did something: "T0's SEMPOST sem_sel=1 (instruction 7)", "core T1's store", "none yet".
void tsr_origin_text(const struct tsr_env *env, struct tsr_origin origin, char *text, size_t size);

// Of a post or get of a semaphore that is at its end: the step of the other kind that it should
// come after, and the wait that would order the two.
enum { TSR_SEMAPHORE_PAIR = 280 };
void tsr_semaphore_pair(const struct tsr_env *env, unsigned index, bool post, char *text,
                        size_t size);

#endif
