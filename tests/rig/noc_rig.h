// SPDX-License-Identifier: Apache-2.0
// A chip whose NoC requests are put together register by register, by the host in a tile's name.
// Coordinates in structs are those of the request's own NoC, as programs write them.
// Pages: NoC/MemoryMap.md, NoC/Counters.md of each chip.
#ifndef TESSERA_TESTS_RIG_NOC_RIG_H
#define TESSERA_TESTS_RIG_NOC_RIG_H

#include "chip/chip_state.h"
#include "chip/noc_delivery.h"
#include "rig/each_chip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WINDOW = 64 };
#define NIU_BASE(which) (0xffb20000u + (uint32_t)(which)*0x10000u)
#define CTRL(name) (1u << name##_FIRST)

struct place {
    unsigned x, y;
};
// A tile in NoC 0 coordinates, and what its NIU gets.
struct request {
    int noc, initiator;
    uint32_t control, tag;
    uint64_t targ, ret;
    struct place targ_at, ret_at, start; // `start`: of a broadcast's rectangle
    uint64_t length;                     // NOC_AT_LEN_BE
    uint32_t data, exclude;
};

static inline tsr_chip *chip_with(int arch, bool timing)
{
    tsr_chip_options options = tsr_chip_options_default((tsr_arch)arch);
    options.tile.timing = timing;
    tsr_chip *chip = NULL;
    assert_int_equal(tsr_chip_create(&options, &chip), TSR_OK);
    return chip;
}

static inline bool is_bh(tsr_chip *chip)
{
    return tsr_chip_arch(chip) == TSR_BLACKHOLE_A0;
}

// The n-th Tensix tile of row `row` of Tensix tiles, both from 0.
static inline struct place tensix(tsr_chip *chip, unsigned n, unsigned row)
{
    unsigned gap = is_bh(chip) ? 7 : 4, step = is_bh(chip) ? 2 : 1;
    return (struct place){1 + n + (n >= gap ? step : 0),
                          is_bh(chip) ? row + 2 : 1 + row + (row >= 5)};
}

// As a program names it: firmware translates the coordinates of Blackhole's NoC 1 to NoC 0's.
static inline struct place on_noc(tsr_chip *chip, int noc, struct place at)
{
    if (noc == 0 || is_bh(chip))
        return at;
    return (struct place){tsr_grid_columns(tsr_chip_arch(chip)) - 1 - at.x,
                          tsr_grid_rows(tsr_chip_arch(chip)) - 1 - at.y};
}

static inline uint32_t peek(tsr_chip *chip, struct place at, uint64_t address)
{
    uint32_t value = 0;
    assert_int_equal(tsr_chip_read(chip, at.x, at.y, address, &value, 4), TSR_OK);
    return value;
}

static inline void poke(tsr_chip *chip, struct place at, uint64_t address, uint32_t value)
{
    assert_int_equal(tsr_chip_write(chip, at.x, at.y, address, &value, 4), TSR_OK);
}

static inline void fill(tsr_chip *chip, struct place at, uint64_t address, size_t size,
                        unsigned seed)
{
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(seed + i * 7 + (i >> 8) * 13);
    assert_int_equal(tsr_chip_write(chip, at.x, at.y, address, bytes, size), TSR_OK);
    free(bytes);
}

// Whether `size` bytes are what fill() has put there from `seed` on.
static inline bool filled(tsr_chip *chip, struct place at, uint64_t address, size_t size,
                          unsigned seed)
{
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(tsr_chip_read(chip, at.x, at.y, address, bytes, size), TSR_OK);
    bool same = true;
    for (size_t i = 0; i < size; i++)
        same &= bytes[i] == (uint8_t)(seed + i * 7 + (i >> 8) * 13);
    free(bytes);
    return same;
}

static inline uint32_t niu_register(tsr_chip *chip, int noc, int initiator,
                                    enum tsr_noc_initiator which)
{
    const struct tsr_niu_layout *layout = tsr_niu_layout(tsr_chip_arch(chip));
    return NIU_BASE(noc) + (uint32_t)initiator * layout->fact[NOC_INITIATOR_STEP] +
           layout->initiator[which];
}

static inline uint32_t counter(tsr_chip *chip, struct place at, int noc, unsigned index)
{
    return peek(chip, at, NIU_BASE(noc) + 0x200 + 4 * index);
}

static inline void put_address(tsr_chip *chip, struct place tile, const struct request *request,
                               enum tsr_noc_initiator low, uint64_t address, struct place at,
                               struct place start)
{
    uint32_t place = at.x | at.y << 6 | start.x << 12 | start.y << 18;
    uint32_t mid = (uint32_t)(address >> 32) | (is_bh(chip) ? 0 : place << 4);
    int noc = request->noc, initiator = request->initiator;
    poke(chip, tile, niu_register(chip, noc, initiator, low), (uint32_t)address);
    poke(chip, tile, niu_register(chip, noc, initiator, low + 1), mid);
    if (is_bh(chip))
        poke(chip, tile, niu_register(chip, noc, initiator, low + 2), place);
}

// Everything but NOC_CMD_CTRL.
static inline void put_request(tsr_chip *chip, struct place tile, const struct request *request)
{
    int noc = request->noc, initiator = request->initiator;
    bool to_return = (request->control & 3) == NOC_CMD_WR;
    put_address(chip, tile, request, NOC_TARG_ADDR_LO, request->targ, request->targ_at,
                to_return ? (struct place){0, 0} : request->start);
    put_address(chip, tile, request, NOC_RET_ADDR_LO, request->ret, request->ret_at,
                to_return ? request->start : (struct place){0, 0});
    poke(chip, tile, niu_register(chip, noc, initiator, NOC_PACKET_TAG), request->tag);
    poke(chip, tile, niu_register(chip, noc, initiator, NOC_CTRL), request->control);
    poke(chip, tile, niu_register(chip, noc, initiator, NOC_AT_LEN_BE), (uint32_t)request->length);
    poke(chip, tile, niu_register(chip, noc, initiator, NOC_AT_DATA), request->data);
    if (is_bh(chip)) {
        poke(chip, tile, niu_register(chip, noc, initiator, NOC_AT_LEN_BE_1),
             (uint32_t)(request->length >> 32));
        poke(chip, tile, niu_register(chip, noc, initiator, NOC_BRCST_EXCLUDE), request->exclude);
    }
}

static inline void issue(tsr_chip *chip, struct place tile, const struct request *request)
{
    put_request(chip, tile, request);
    poke(chip, tile, niu_register(chip, request->noc, request->initiator, NOC_CMD_CTRL), 1);
}

// Until nothing is on the way.
static inline void settle(tsr_chip *chip)
{
    for (int i = 0; i < 1000 && tsr_noc_busy(&chip->noc); i++)
        assert_int_equal(tsr_chip_clock(chip, WINDOW), TSR_OK);
    assert_false(tsr_noc_busy(&chip->noc));
}

// The tile's findings of a code.
static inline int findings(tsr_chip *chip, struct place at, const char *code)
{
    tsr_tile *tile = NULL;
    int count = 0;
    assert_int_equal(tsr_chip_tile(chip, at.x, at.y, &tile), TSR_OK);
    for (int i = 0; i < tsr_diagnostic_count(tile); i++)
        count += strcmp(tsr_diagnostic_at(tile, i)->code, code) == 0;
    return count;
}

static inline int all_findings(tsr_chip *chip, struct place at)
{
    tsr_tile *tile = NULL;
    assert_int_equal(tsr_chip_tile(chip, at.x, at.y, &tile), TSR_OK);
    return tsr_diagnostic_count(tile);
}

// A request of one of the usual kinds; the test changes what it likes.
static inline struct request read_request(tsr_chip *chip, int noc, struct place from,
                                          uint64_t address, struct place to, uint64_t to_address,
                                          uint32_t length)
{
    return (struct request){.noc = noc,
                            .control = NOC_CMD_RD,
                            .targ = address,
                            .targ_at = on_noc(chip, noc, from),
                            .ret = to_address,
                            .ret_at = on_noc(chip, noc, to),
                            .length = length};
}

static inline struct request write_request(tsr_chip *chip, int noc, struct place tile,
                                           uint64_t from, struct place to, uint64_t to_address,
                                           uint32_t length)
{
    return (struct request){.noc = noc,
                            .control = NOC_CMD_WR | CTRL(NOC_CMD_RESP_MARKED),
                            .targ = from,
                            .targ_at = on_noc(chip, noc, tile),
                            .ret = to_address,
                            .ret_at = on_noc(chip, noc, to),
                            .length = length};
}

static inline struct request inline_request(tsr_chip *chip, int noc, struct place to,
                                            uint64_t address, uint32_t data, uint32_t mask)
{
    return (struct request){.noc = noc,
                            .control = NOC_CMD_WR | CTRL(NOC_CMD_WR_INLINE) | CTRL(NOC_CMD_WR_BE) |
                                       CTRL(NOC_CMD_RESP_MARKED),
                            .targ = address,
                            .targ_at = on_noc(chip, noc, to),
                            .length = mask,
                            .data = data};
}

static inline struct request atomic_request(tsr_chip *chip, int noc, struct place to,
                                            uint64_t address, struct place tile, uint64_t result_at,
                                            uint32_t operation, uint32_t data)
{
    return (struct request){.noc = noc,
                            .control = NOC_CMD_AT | CTRL(NOC_CMD_RESP_MARKED),
                            .targ = address,
                            .targ_at = on_noc(chip, noc, to),
                            .ret = result_at,
                            .ret_at = on_noc(chip, noc, tile),
                            .length = operation,
                            .data = data};
}

#endif
