// SPDX-License-Identifier: Apache-2.0
// What cores of three tiles do to each other over the NoC, step by step, played by the caller: for
// tests that look for races. Pages: NoC/MemoryMap.md, NoC/Counters.md.
#ifndef TESSERA_TESTS_RIG_NOC_STEPS_H
#define TESSERA_TESTS_RIG_NOC_STEPS_H

#include "rig/noc_rig.h"

enum op {
    END,
    STORE,    // a word to L1
    LOAD,     // a word from L1
    READ,     // L1 or DRAM of `to` at `far` into L1 at `at`
    WRITE,    // the reverse
    POSTED,   // the same without a response
    WORD,     // an inline write of a word
    ADD,      // an atomic, without a response
    ROW,      // a write to both other tiles
    COMPLETE, // all of transaction `id` is complete
    SENT,     // its data have been read
    ACKS,     // all writes are acknowledged
    READS,    // all reads have come
    LEFT,     // a counter says that all writes with a response have left
    SIGNAL,   // an inline write to a stream's register
    LOOK      // a load of that register
};
enum { DRAM = 3, STEPS = 14, STATIC = 1, OTHER_CHANNEL = 2, LINKED = 4, NOC1 = 8, SHORT = 16 };
enum { A = 0x20000, B = 0x30000, FLAG = 0x40000, BYTES = 512 };
enum { CORE_B = TSR_CORE_B, CORE_T = TSR_CORE_T0, CORE_NC = TSR_CORE_NC };

struct step {
    unsigned tile, core;
    enum op op;
    unsigned to, at, far, id, flags;
};

static inline uint32_t stream_register(tsr_chip *chip)
{
    enum { SPACE_WH = 28, SPACE_BH = 260 }; // STREAM_BUF_SPACE_AVAILABLE
    return 0xffb40000u + 0x1000u * 5 + 4u * (is_bh(chip) ? SPACE_BH : SPACE_WH);
}

static inline struct place place_of(tsr_chip *chip, unsigned tile)
{
    if (tile == DRAM)
        return (struct place){0, 0};
    return tensix(chip, tile, 0);
}

static inline tsr_tile *tile_of(tsr_chip *chip, unsigned tile)
{
    struct place at = place_of(chip, tile);
    tsr_tile *of = NULL;
    assert_int_equal(tsr_chip_tile(chip, at.x, at.y, &of), TSR_OK);
    return of;
}

static inline void put(tsr_chip *chip, const struct step *step, uint32_t address, uint32_t value)
{
    assert_int_equal(tsr_store(tile_of(chip, step->tile), (tsr_core)step->core, address, value, 4),
                     TSR_OK);
}

static inline void get(tsr_chip *chip, const struct step *step, uint32_t address)
{
    uint32_t value;
    assert_int_equal(tsr_load(tile_of(chip, step->tile), (tsr_core)step->core, address, &value, 4),
                     TSR_OK);
}

static inline void put_place(tsr_chip *chip, const struct step *step, int noc,
                             enum tsr_noc_initiator low, uint64_t address, uint32_t place)
{
    put(chip, step, niu_register(chip, noc, 0, low), (uint32_t)address);
    put(chip, step, niu_register(chip, noc, 0, low + 1), is_bh(chip) ? 0 : place << 4);
    if (is_bh(chip))
        put(chip, step, niu_register(chip, noc, 0, low + 2), place);
}

static inline uint32_t control_of(const struct step *step)
{
    static const uint32_t kinds[] = {
        [READ] = NOC_CMD_RD,
        [WRITE] = NOC_CMD_WR | CTRL(NOC_CMD_RESP_MARKED),
        [POSTED] = NOC_CMD_WR,
        [WORD] = NOC_CMD_WR | CTRL(NOC_CMD_WR_INLINE) | CTRL(NOC_CMD_WR_BE),
        [SIGNAL] = NOC_CMD_WR | CTRL(NOC_CMD_WR_INLINE) | CTRL(NOC_CMD_WR_BE),
        [ADD] = NOC_CMD_AT,
        [ROW] = NOC_CMD_WR | CTRL(NOC_CMD_RESP_MARKED) | CTRL(NOC_CMD_BRCST_PACKET)};
    uint32_t control = kinds[step->op];
    if (step->flags & (STATIC | OTHER_CHANNEL))
        control |= CTRL(NOC_CMD_VC_STATIC) |
                   (step->flags & OTHER_CHANNEL ? 1u << NOC_CMD_STATIC_VC_FIRST : 0);
    return control | (step->flags & LINKED ? CTRL(NOC_CMD_VC_LINKED) : 0);
}

static inline void send(tsr_chip *chip, const struct step *step)
{
    int noc = step->flags & NOC1 ? 1 : 0;
    struct place own = on_noc(chip, noc, place_of(chip, step->tile));
    struct place to = on_noc(chip, noc, place_of(chip, step->to));
    uint32_t here = own.x | own.y << 6, there = to.x | to.y << 6;
    bool data = step->op == WRITE || step->op == POSTED || step->op == ROW;
    uint32_t length = step->op == ADD                          ? 1u << 12 | 31u << 2
                      : step->op == WORD || step->op == SIGNAL ? 15
                      : step->flags & SHORT                    ? 4
                                                               : BYTES;
    uint64_t far = step->op == SIGNAL ? stream_register(chip) : step->far;
    if (step->op == ROW) {
        struct place last = on_noc(chip, noc, place_of(chip, 2));
        there = (to.x | to.y << 6) << 12 | last.x | last.y << 6;
    }
    put_place(chip, step, noc, data ? NOC_RET_ADDR_LO : NOC_TARG_ADDR_LO, far, there);
    put_place(chip, step, noc, data ? NOC_TARG_ADDR_LO : NOC_RET_ADDR_LO, step->at, here);
    put(chip, step, niu_register(chip, noc, 0, NOC_PACKET_TAG), step->id << 10);
    put(chip, step, niu_register(chip, noc, 0, NOC_CTRL), control_of(step));
    put(chip, step, niu_register(chip, noc, 0, NOC_AT_LEN_BE), length);
    put(chip, step, niu_register(chip, noc, 0, NOC_AT_DATA), 1);
    if (is_bh(chip)) {
        put(chip, step, niu_register(chip, noc, 0, NOC_AT_LEN_BE_1), 0);
        put(chip, step, niu_register(chip, noc, 0, NOC_BRCST_EXCLUDE), 0);
    }
    put(chip, step, niu_register(chip, noc, 0, NOC_CMD_CTRL), 1);
}

static inline void act(tsr_chip *chip, const struct step *step)
{
    static const unsigned counters[] = {[COMPLETE] = NIU_MST_REQS_OUTSTANDING_ID,
                                        [SENT] = NIU_MST_WRITE_REQS_OUTGOING_ID,
                                        [ACKS] = NIU_MST_WR_ACK_RECEIVED,
                                        [READS] = NIU_MST_RD_RESP_RECEIVED,
                                        [LEFT] = NIU_MST_NONPOSTED_WR_REQ_SENT};
    switch (step->op) {
    case STORE:
        put(chip, step, step->at, 1);
        break;
    case LOAD:
        settle(chip);
        get(chip, step, step->at);
        break;
    case COMPLETE:
    case SENT:
    case ACKS:
    case READS:
    case LEFT:
        settle(chip);
        get(chip, step, NIU_BASE(0) + 0x200 + 4 * (counters[step->op] + step->id));
        break;
    case LOOK:
        settle(chip);
        get(chip, step, stream_register(chip));
        break;
    default:
        send(chip, step);
        if (chip->options.tile.timing && step[1].op != END)
            while (peek(chip, place_of(chip, step->tile),
                        niu_register(chip, step->flags & NOC1 ? 1 : 0, 0, NOC_CMD_CTRL)) != 0)
                tsr_chip_clock(chip, WINDOW);
    }
}

#endif
