// SPDX-License-Identifier: Apache-2.0
// What the mover does: lines of 16 bytes out of L1, or zeroes, to L1, the configuration or core
// NC's instruction RAM. Everything is moved when the work begins; the mover stays busy for the time
// that its measured rates say (docs/errata.md). Pages: Mover.md, InstructionRAM.md.
#include "control/mover_work.h"

#include "base/bits.h"
#include "state/config_access.h"
#include "state/l1_traffic.h"
#include "state/races.h"
#include "state/report.h"

#include <string.h>

enum { LINE = TSR_L1_GRANULE };

enum target { TO_L1, TO_CONFIG, TO_IRAM, TO_NOWHERE };

// One line on its way, with its shadow state.
struct line {
    uint8_t bytes[LINE];
    uint16_t tainted;
};

// The same sentence for both kinds of clients.
#define REPORT(env, client, code, ...)                                                             \
    ((client)->inst ? tsr_report(env, code, (client)->inst, NULL, __VA_ARGS__)                     \
                    : tsr_report_core(env, code, (client)->core, __VA_ARGS__))

static bool from_l1(const struct tsr_mover_move *move)
{
    return move->way == TSR_MOVER_L1_TO_OUTSIDE || move->way == TSR_MOVER_L1_TO_L1;
}

static enum target target_of(const struct tsr_env *env, const struct tsr_mover_move *move)
{
    if (move->way == TSR_MOVER_L1_TO_L1 || move->way == TSR_MOVER_ZERO_TO_L1)
        return TO_L1;
    if (move->target <= 0xffff)
        return TO_CONFIG;
    if (move->target >> 16 == 4 && env->isa->region[REGION_IRAM].size)
        return TO_IRAM;
    return TO_NOWHERE;
}

static uint32_t cycles(const struct tsr_env *env, const struct tsr_mover_move *move)
{
    const uint16_t *rate = env->isa->rate;
    uint32_t lines = move->bytes / LINE;
    if (!env->timing)
        return 0;
    if (!from_l1(move))
        return (move->bytes + rate[RATE_MOVER_SET_BYTES] - 1u) / rate[RATE_MOVER_SET_BYTES];
    return (lines * rate[RATE_MOVER_COPY_CYCLES] + rate[RATE_MOVER_COPY_LINES] - 1u) /
           rate[RATE_MOVER_COPY_LINES];
}

// Each check returns its verdict; the worst one counts.
static enum tsr_verdict worse(enum tsr_verdict one, enum tsr_verdict other)
{
    if (one == TSR_HALT || other == TSR_HALT)
        return TSR_HALT;
    return one == TSR_GO_TAINTED || other == TSR_GO_TAINTED ? TSR_GO_TAINTED : TSR_GO;
}

static enum tsr_verdict check_target(struct tsr_env *env, const struct tsr_mover_client *client,
                                     const struct tsr_mover_move *move, enum target target)
{
    const struct tsr_l1 *l1 = &env->state->l1;
    if (target == TO_L1) {
        if (move->target < l1->size && tsr_l1_holds(l1, move->target, move->bytes))
            return TSR_GO;
        return REPORT(env, client, FINDING_L1_OUT_OF_RANGE,
                      "The mover writes %u bytes at 0x%x, behind L1's %u bytes.",
                      (unsigned)move->bytes, (unsigned)move->target, (unsigned)l1->size);
    }
    enum tsr_verdict verdict = TSR_GO;
    if ((move->target & 0xffff) + move->bytes > 0x10000)
        verdict = REPORT(env, client, FINDING_MOVER_RANGE,
                         "The mover writes %u bytes at 0x%x, which leaves a region of 64 KiB.",
                         (unsigned)move->bytes, (unsigned)move->target);
    if (move->target >> 16 == 4 && target == TO_NOWHERE)
        verdict = worse(verdict, REPORT(env, client, FINDING_UNDOCUMENTED_MODE,
                                        "The mover writes to 0x%x, core NC's instruction RAM, "
                                        "which no page gives this chip; nothing is written.",
                                        (unsigned)move->target));
    return verdict;
}

static enum tsr_verdict check_source(struct tsr_env *env, const struct tsr_mover_client *client,
                                     const struct tsr_mover_move *move, enum target target)
{
    const struct tsr_l1 *l1 = &env->state->l1;
    if (!from_l1(move))
        return TSR_GO;
    if (move->source >= l1->size || !tsr_l1_holds(l1, move->source, move->bytes))
        return REPORT(env, client, FINDING_L1_OUT_OF_RANGE,
                      "The mover reads %u bytes at 0x%x, behind L1's %u bytes.",
                      (unsigned)move->bytes, (unsigned)move->source, (unsigned)l1->size);
    enum tsr_verdict verdict = TSR_GO;
    if (!tsr_l1_all_written(l1, move->source, move->bytes)) {
        size_t first = tsr_l1_first_unwritten(l1, move->source, move->bytes);
        verdict = REPORT(env, client, FINDING_UNINITIALISED_L1,
                         "The mover reads 0x%05x, which was never written.",
                         (unsigned)(move->source + first));
    }
    bool tainted = target == TO_CONFIG && tsr_l1_any_tainted(l1, move->source, move->bytes);
    if (tainted)
        verdict = worse(verdict, REPORT(env, client, FINDING_TAINTED_DATUM_USED,
                                        "The mover takes configuration from 0x%05x on, where "
                                        "bytes came out of undefined behaviour.",
                                        (unsigned)move->source));
    uint32_t apart =
        move->target > move->source ? move->target - move->source : move->source - move->target;
    if (target == TO_L1 && apart < move->bytes)
        verdict = worse(verdict, REPORT(env, client, FINDING_MOVER_OVERLAP,
                                        "The mover copies %u bytes from 0x%05x to 0x%05x, and "
                                        "these overlap.",
                                        (unsigned)move->bytes, (unsigned)move->source,
                                        (unsigned)move->target));
    return verdict;
}

// What is past the end of L1 reads as tainted zeroes.
static struct line read_line(const struct tsr_env *env, const struct tsr_mover_move *move,
                             uint32_t at)
{
    const struct tsr_l1 *l1 = &env->state->l1;
    struct line line = {{0}, 0};
    if (!from_l1(move))
        return line;
    uint64_t address = (uint64_t)move->source + at;
    if (!tsr_l1_holds(l1, address, LINE)) {
        line.tainted = 0xffff;
        return line;
    }
    memcpy(line.bytes, l1->bytes + address, LINE);
    line.tainted = l1->tainted[address / LINE];
    return line;
}

// Words that are not there, or that no core could write, are left out, and reported once.
static void write_config(struct tsr_env *env, const struct tsr_mover_client *client,
                         uint32_t offset, const struct line *line, bool *reported)
{
    for (unsigned i = 0; i < LINE; i += 4) {
        uint32_t value = tsr_word_at(line->bytes + i);
        if (tsr_config_window_write(env, offset + i, value) || *reported)
            continue;
        *reported = true;
        REPORT(env, client, FINDING_CONFIG_INDEX,
               "The mover writes at 0x%x of the configuration's window, where no word can be "
               "written; it is left out.",
               (unsigned)(offset + i));
    }
}

// What is past the end of L1 is discarded.
static void write_l1(struct tsr_l1 *l1, uint64_t address, const struct line *line)
{
    if (!tsr_l1_holds(l1, address, LINE))
        return;
    tsr_l1_put(l1, (uint32_t)address, line->bytes, LINE, false);
    l1->tainted[address / LINE] = line->tainted;
    l1->any_tainted |= line->tainted != 0;
}

static void move_lines(struct tsr_env *env, const struct tsr_mover_client *client,
                       const struct tsr_mover_move *move, enum target target, bool tainted)
{
    bool reported = false;
    if (target == TO_NOWHERE)
        return;
    for (uint32_t at = 0; at < move->bytes; at += LINE) {
        uint64_t address = (uint64_t)move->target + at;
        uint32_t offset = (uint32_t)address & 0xffff;
        struct line line = read_line(env, move, at);
        if (tainted)
            line.tainted = 0xffff;
        if (target == TO_L1)
            write_l1(&env->state->l1, address, &line);
        else if ((move->target & 0xffff) + at > 0xffff)
            return; // past the end of the region: discarded
        else if (target == TO_CONFIG)
            write_config(env, client, (uint32_t)address, &line, &reported);
        else if (offset <= TSR_IRAM_BYTES - LINE)
            tsr_iram_put(env->state, offset, line.bytes, LINE);
    }
}

// From now on it is busy, and uses L1, for as long as the move takes.
static void occupy(struct tsr_env *env, const struct tsr_mover_move *move, enum target target)
{
    uint32_t needed = cycles(env, move);
    env->state->mover.busy = needed > 0;
    env->state->mover.started = env->state->now;
    env->state->mover.until = env->state->now + needed;
    // Halves of a cycle, so that a shared port halves the speed.
    if (from_l1(move))
        tsr_l1_begin(env, TSR_L1_MOVER_READ, 2 * needed, 2, 0);
    if (target == TO_L1)
        tsr_l1_begin(env, TSR_L1_MOVER_WRITE, 2 * needed, 2, 0);
}

bool tsr_mover_run(struct tsr_env *env, const struct tsr_mover_client *client,
                   const struct tsr_mover_move *move)
{
    enum target target = target_of(env, move);
    enum tsr_verdict source = check_source(env, client, move, target);
    enum tsr_verdict verdict = worse(check_target(env, client, move, target), source);
    if (verdict == TSR_HALT)
        return false;
    if (from_l1(move))
        tsr_race_l1(env, false, move->source, move->bytes);
    if (target == TO_L1)
        tsr_race_l1(env, true, move->target, move->bytes);
    move_lines(env, client, move, target, verdict == TSR_GO_TAINTED);
    occupy(env, move, target);
    return true;
}
