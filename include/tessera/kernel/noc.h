// SPDX-License-Identifier: Apache-2.0
// The NoC for C programs of the baby cores B and NC (the other cores reach it, too): reads, writes,
// broadcasts and atomics of one request each, and waiting for them.
//
// `noc` is 0 or 1; x and y are coordinates as that NoC's interface takes them: firmware translates
// those from 16 on (Wormhole), or all of them to NoC 0's (Blackhole). `id` is a transaction, 0 to
// 15. A function returns when the request has been handed over; tt_noc_wait() returns when all of a
// transaction is done. Each kind of request has an initiator of its own, so that cores which send
// the same kind on the same NoC must take turns.
// Addresses and lengths: NoC/Alignment.md. L1 to L1 needs both congruent modulo 16, what comes
// from DRAM modulo 32 (Wormhole) or 64 (Blackhole).
//
// Pages: NoC/MemoryMap.md, NoC/Counters.md, NoC/Atomics.md, NoC/Coordinates.md.
#ifndef TESSERA_KERNEL_NOC_H
#define TESSERA_KERNEL_NOC_H

#include <tessera/kernel/kernel.h>

// ---------------------------------------------------------------- registers

// Offsets, the bits of NOC_CTRL and the counters' indexes have their names from the chip's header:
// TT_NOC_CMD_CTRL, TT_NOC_CMD_RESP_MARKED, TT_NIU_MST_WR_ACK_RECEIVED, …; these are the requests.
enum { TT_NOC_CMD_RD = 0, TT_NOC_CMD_AT = 1, TT_NOC_CMD_WR = 2 };
#define TT_NOC_FIELD_(mask, value) ((uint32_t)(value) * ((mask) & (0u - (mask))))
#define TT_NOC_STATIC_VC(channel) TT_NOC_FIELD_(TT_NOC_CMD_STATIC_VC, channel)

// The initiator of each kind of request.
enum { TT_NOC_WRITES = 0, TT_NOC_READS = 1, TT_NOC_STORES = 2, TT_NOC_ATOMICS = 3 };

TT_INLINE uint32_t tt_noc_base(uint32_t noc)
{
    return TT_NOC0_BASE + noc * (TT_NOC1_BASE - TT_NOC0_BASE);
}

TT_INLINE void tt_noc_put(uint32_t noc, uint32_t initiator, uint32_t offset, uint32_t value)
{
    tt_store(tt_noc_base(noc) + initiator * TT_NOC_INITIATOR_STEP + offset, value);
}

TT_INLINE uint32_t tt_noc_get(uint32_t noc, uint32_t initiator, uint32_t offset)
{
    return tt_load(tt_noc_base(noc) + initiator * TT_NOC_INITIATOR_STEP + offset);
}

// ---------------------------------------------------------------- places

// Of one tile, or the far corner of a rectangle that begins at TT_NOC_FROM.
#define TT_NOC_XY(x, y) ((uint32_t)(x) | (uint32_t)(y) << 6)
#define TT_NOC_FROM(x, y) (TT_NOC_XY(x, y) << 12)

// This tile's own place.
TT_INLINE uint32_t tt_noc_here(uint32_t noc)
{
    return tt_load(tt_noc_base(noc) + TT_NOC_ID_LOGICAL) & 0xfffu;
}

TT_INLINE void tt_noc_put_address(uint32_t noc, uint32_t initiator, uint32_t low, uint32_t place,
                                  uint64_t address)
{
    uint32_t high = (uint32_t)(address >> 32);
    tt_noc_put(noc, initiator, low, (uint32_t)address);
#ifdef ARCH_WORMHOLE
    tt_noc_put(noc, initiator, low + 4, high | place << 4);
#else
    tt_noc_put(noc, initiator, low + 4, high);
    tt_noc_put(noc, initiator, low + 8, place);
#endif
}

// ---------------------------------------------------------------- counters and waiting

TT_INLINE uint32_t tt_noc_counter(uint32_t noc, uint32_t index)
{
    return tt_load(tt_noc_base(noc) + TT_NOC_COUNTERS + 4 * index);
}

// Until all reads, atomics with a result, and writes of the transaction are done. Not for
// broadcasts, whose responses are counted one by one.
TT_INLINE void tt_noc_wait(uint32_t noc, uint32_t id)
{
    while (tt_noc_counter(noc, TT_NIU_MST_REQS_OUTSTANDING_ID + id) != 0)
        continue;
    tt_fence();
}

// Until what the transaction's writes and broadcasts read may be overwritten.
TT_INLINE void tt_noc_wait_sent(uint32_t noc, uint32_t id)
{
    while (tt_noc_counter(noc, TT_NIU_MST_WRITE_REQS_OUTGOING_ID + id) != 0)
        continue;
}

// Acknowledgements of writes so far; and until there are `count` more than `before`.
TT_INLINE uint32_t tt_noc_acks(uint32_t noc)
{
    return tt_noc_counter(noc, TT_NIU_MST_WR_ACK_RECEIVED);
}

TT_INLINE void tt_noc_wait_acks(uint32_t noc, uint32_t before, uint32_t count)
{
    while (tt_noc_acks(noc) - before < count)
        continue;
}

// After broadcasts with acknowledgements.
TT_INLINE void tt_noc_clear(uint32_t noc, uint32_t id)
{
    tt_store(tt_noc_base(noc) + TT_NOC_CLEAR_OUTSTANDING, 1u << id);
}

TT_INLINE void tt_noc_ready(uint32_t noc, uint32_t initiator)
{
    while (tt_noc_get(noc, initiator, TT_NOC_CMD_CTRL) != 0)
        continue;
}

// A counter that is loaded afterwards knows of the request.
TT_INLINE void tt_noc_go(uint32_t noc, uint32_t initiator, uint32_t id, uint32_t control)
{
    tt_noc_put(noc, initiator, TT_NOC_PACKET_TAG, TT_NOC_FIELD_(TT_NOC_PACKET_TRANSACTION_ID, id));
    tt_noc_put(noc, initiator, TT_NOC_CTRL, control);
    tt_noc_put(noc, initiator, TT_NOC_CMD_CTRL, 1);
    tt_wait_for(tt_noc_get(noc, initiator, TT_NOC_CMD_CTRL));
}

TT_INLINE void tt_noc_put_length(uint32_t noc, uint32_t initiator, uint32_t length)
{
    tt_noc_put(noc, initiator, TT_NOC_AT_LEN_BE, length);
#ifdef ARCH_BLACKHOLE
    tt_noc_put(noc, initiator, TT_NOC_AT_LEN_BE_1, 0);
    tt_noc_put(noc, initiator, TT_NOC_BRCST_EXCLUDE, 0);
#endif
}

// ---------------------------------------------------------------- requests

// Bytes of another tile into this one.
TT_INLINE void tt_noc_read(uint32_t noc, uint32_t id, uint32_t place, uint64_t address, uint32_t to,
                           uint32_t bytes)
{
    tt_noc_ready(noc, TT_NOC_READS);
    tt_noc_put_address(noc, TT_NOC_READS, TT_NOC_TARG_ADDR_LO, place, address);
    tt_noc_put_address(noc, TT_NOC_READS, TT_NOC_RET_ADDR_LO, tt_noc_here(noc), to);
    tt_noc_put_length(noc, TT_NOC_READS, bytes);
    tt_noc_go(noc, TT_NOC_READS, id, TT_NOC_CMD_RD);
}

// With flags of NOC_CTRL. A broadcast's place is TT_NOC_FROM(x, y) | TT_NOC_XY(x, y), in the
// direction in which its NoC flows: on NoC 1 the corner with the larger translated coordinates
// comes first.
TT_INLINE void tt_noc_write_with(uint32_t flags, uint32_t noc, uint32_t id, uint32_t from,
                                 uint32_t place, uint64_t address, uint32_t bytes)
{
    tt_noc_ready(noc, TT_NOC_WRITES);
    tt_noc_put_address(noc, TT_NOC_WRITES, TT_NOC_TARG_ADDR_LO, tt_noc_here(noc), from);
    tt_noc_put_address(noc, TT_NOC_WRITES, TT_NOC_RET_ADDR_LO, place, address);
    tt_noc_put_length(noc, TT_NOC_WRITES, bytes);
    tt_noc_go(noc, TT_NOC_WRITES, id, TT_NOC_CMD_WR | flags);
}

TT_INLINE void tt_noc_write(uint32_t noc, uint32_t id, uint32_t from, uint32_t place,
                            uint64_t address, uint32_t bytes)
{
    tt_noc_write_with(TT_NOC_CMD_RESP_MARKED, noc, id, from, place, address, bytes);
}

// To all Tensix tiles of a rectangle but this one; `flags` may have TT_NOC_CMD_BRCST_SRC_INCLUDE.
// Every receiver acknowledges: tt_noc_wait_acks().
TT_INLINE void tt_noc_multicast(uint32_t flags, uint32_t noc, uint32_t id, uint32_t from,
                                uint32_t place, uint64_t address, uint32_t bytes)
{
    tt_noc_write_with(TT_NOC_CMD_BRCST_PACKET | TT_NOC_CMD_PATH_RESERVE | TT_NOC_CMD_RESP_MARKED |
                          flags,
                      noc, id, from, place, address, bytes);
}

// A word into a register of another tile; on Wormhole into its L1, too.
TT_INLINE void tt_noc_store(uint32_t noc, uint32_t id, uint32_t place, uint64_t address,
                            uint32_t value)
{
    tt_noc_ready(noc, TT_NOC_STORES);
    tt_noc_put_address(noc, TT_NOC_STORES, TT_NOC_TARG_ADDR_LO, place, address);
    tt_noc_put_length(noc, TT_NOC_STORES, 0xfu << (address & 12));
    tt_noc_put(noc, TT_NOC_STORES, TT_NOC_AT_DATA, value);
    tt_noc_go(noc, TT_NOC_STORES, id,
              TT_NOC_CMD_WR | TT_NOC_CMD_WR_INLINE | TT_NOC_CMD_WR_BE | TT_NOC_CMD_RESP_MARKED);
}

// An operation on a word of L1 in another tile; the word that was there comes to `result`. With
// TT_NOC_CMD_BRCST_PACKET in `flags` on that of each tile of a rectangle.
TT_INLINE void tt_noc_atomic(uint32_t flags, uint32_t noc, uint32_t id, uint32_t place,
                             uint32_t address, uint32_t result, uint32_t operation, uint32_t data)
{
    tt_noc_ready(noc, TT_NOC_ATOMICS);
    tt_noc_put_address(noc, TT_NOC_ATOMICS, TT_NOC_TARG_ADDR_LO, place, address);
    tt_noc_put_address(noc, TT_NOC_ATOMICS, TT_NOC_RET_ADDR_LO, tt_noc_here(noc), result);
    tt_noc_put_length(noc, TT_NOC_ATOMICS, operation);
    tt_noc_put(noc, TT_NOC_ATOMICS, TT_NOC_AT_DATA, data);
    tt_noc_go(noc, TT_NOC_ATOMICS, id, TT_NOC_CMD_AT | flags);
}

// Adds, and nobody hears of it.
TT_INLINE void tt_noc_increment(uint32_t noc, uint32_t place, uint32_t address, uint32_t by)
{
    tt_noc_atomic(0, noc, 0, place, address, 0, 1u << 12 | 31u << 2 | (address >> 2 & 3), by);
}

TT_INLINE void tt_noc_fetch_add(uint32_t noc, uint32_t id, uint32_t place, uint32_t address,
                                uint32_t result, uint32_t by)
{
    tt_noc_atomic(TT_NOC_CMD_RESP_MARKED, noc, id, place, address, result,
                  1u << 12 | 31u << 2 | (address >> 2 & 3), by);
}

TT_INLINE void tt_noc_swap(uint32_t noc, uint32_t id, uint32_t place, uint32_t address,
                           uint32_t result, uint32_t value)
{
    tt_noc_atomic(TT_NOC_CMD_RESP_MARKED, noc, id, place, address, result,
                  6u << 12 | (address >> 2 & 3), value);
}

// Puts `value` there if `expected` stands there; both are 0 to 15.
TT_INLINE void tt_noc_compare_swap(uint32_t noc, uint32_t id, uint32_t place, uint32_t address,
                                   uint32_t result, uint32_t expected, uint32_t value)
{
    tt_noc_atomic(TT_NOC_CMD_RESP_MARKED, noc, id, place, address, result,
                  4u << 12 | value << 6 | expected << 2 | (address >> 2 & 3), 0);
}

#endif
