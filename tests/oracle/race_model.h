// SPDX-License-Identifier: Apache-2.0
// What happened before what, slowly: each acceptance, execution and access of a core in a log is a
// node with the set of all nodes before it, every access is kept, and all pairs that conflict are
// compared. Written from docs/races.md and the pages, for comparison with src/observe/.
// Pages: STALLWAIT.md of each chip, SEMWAIT.md, SyncUnit.md, SrcASrcB.md, ATGETM.md, Dst.md.
#ifndef TESSERA_TESTS_ORACLE_RACE_MODEL_H
#define TESSERA_TESTS_ORACLE_RACE_MODEL_H

#include "race_log.h"

// What comes before what; the model can do without any one, to see that it would be missed.
#define RACE_EDGES(EDGE)                                                                           \
    EDGE(THREAD, "an instruction of a thread, the next one")                                       \
    EDGE(ACCEPTED, "acceptance, execution")                                                        \
    EDGE(UNIT, "an instruction in a unit, the next one")                                           \
    EDGE(CORE, "an access of a core, its next one")                                                \
    EDGE(PUSH, "a push, the acceptance")                                                           \
    EDGE(EXPANSION, "a MOP's expansion, later pushes")                                             \
    EDGE(STALLWAIT, "work in a unit, the end of a STALLWAIT")                                      \
    EDGE(FLUSHED, "work in a unit, the end of a FLUSHDMA")                                         \
    EDGE(BANK_WAIT, "the hand-over of a bank, the end of a STALLWAIT")                             \
    EDGE(POST, "a post, the end of a SEMWAIT")                                                     \
    EDGE(GET, "a get, the end of a SEMWAIT")                                                       \
    EDGE(BLOCK, "the end of a wait, what it blocks")                                               \
    EDGE(SEMAPHORE_READ, "a post or get, a core's load")                                           \
    EDGE(MUTEX, "a mutex")                                                                         \
    EDGE(FOR_MATRIX, "the hand-over of a bank to the matrix unit")                                 \
    EDGE(FOR_UNPACKER, "the hand-over of a bank to the unpackers")                                 \
    EDGE(DRAINED, "all of a thread")                                                               \
    EDGE(MOPS_DONE, "all expansions of a thread")                                                  \
    EDGE(CHANNEL, "a mailbox or PC buffer")                                                        \
    EDGE(FLAG, "a store to L1, a core's load")                                                     \
    EDGE(MOVER_IDLE, "a command of TDMA-RISC, a load that finds it and the mover idle")            \
    EDGE(EVERYTHING, "everything")                                                                 \
    EDGE(DST, "the matrix and the vector unit are done with Dst a fixed time after acceptance")    \
    EDGE(SRC, "the matrix unit has cleared banks a fixed time after acceptance")

enum race_edge {
#define EDGE(name, text) RACE_EDGE_##name,
    RACE_EDGES(EDGE)
#undef EDGE
        RACE_EDGE_COUNT
};

enum { RACE_NODES = 3072, RACE_NODE_WORDS = RACE_NODES / 64, RACE_USES = 30000, RACE_LIST = 400 };

// An acceptance, an execution, an access of a core, an expansion, or the end of a wait.
struct race_node {
    int thread; // -1: a core
    int core;
    unsigned unit;
    uint64_t sequence;
    uint32_t word, pc;
    int accepted; // the node of the acceptance; -1: none
    uint64_t before[RACE_NODE_WORDS];
};

// An access. `reader` >= 0: configuration that an instruction uses until node `until` (-1: it never
// came). `loads`: a core reads L1. `gives`, `hands`: a bank of Src, back and over.
struct race_use {
    int node, at;
    struct tsr_race_access access;
    int reader, until;
    uint32_t state_id, context;
    bool loads, gives, hands;
};

struct race_list {
    int count, node[RACE_LIST];
};

struct race_model {
    const struct race_log *log;
    enum race_edge without; // RACE_EDGE_COUNT: all
    bool full;
    int nodes, uses;
    int acting; // the node whose turn it is; -1: nobody's
    int barrier;
    // By thread, core, unit and so on: the newest node; -1: none.
    int last_accepted[3], last_core[8], last_mutex[8], filled[2][2], emptied[2][2];
    struct race_list expansions[3], waits[3], posts[8], gets[8], channel[TSR_RACE_CHANNELS];
    uint32_t expansion_push[3][RACE_LIST], wait_block[3][RACE_LIST];
    int channel_first[TSR_RACE_CHANNELS];
    unsigned most[8];
    int latched[3]; // the node of the wait
    int waits_from[3];
    int flushed[3]; // the node of the newest FLUSHDMA; -1: none
    // Pushes of a thread, by number.
    struct {
        int thread, node;
        uint32_t number;
    } push[RACE_NODES];
    int pushes;
    // Accepted instructions.
    struct {
        struct tsr_race_inst inst;
        int accepted, executed; // executed: -1, not yet
    } inst[RACE_NODES];
    int insts;
    struct race_node node[RACE_NODES];
    struct race_use use[RACE_USES];
};

// Nodes, their order and their accesses. False: the log is longer than the model has room for.
bool race_model_build(struct race_model *model, const struct race_log *log, enum race_edge without);

// Whether a node comes before another, or is it.
bool race_model_before(const struct race_model *model, int earlier, int later);
// Whether a core that loads what was written learns of the writer: cores' and the scalar unit's
// stores are flags, lines that the mover has moved are not, whoever asked for it.
bool race_model_tells(const struct race_model *model, const struct race_use *use);

// Whether these two accesses, by their numbers in the log's order, are a race. `kind` is set then.
bool race_model_races(const struct race_model *model, int earlier, int later,
                      enum tsr_race_kind *kind);
// The cells that both touch, as a range of the storage; false: none.
bool race_model_shared(const struct race_model *model, int earlier, int later, uint32_t *first,
                       uint32_t *count);

#endif
