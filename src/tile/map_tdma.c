// SPDX-License-Identifier: Apache-2.0
// TDMA-RISC's registers: commands for the mover, fields for PACR_SETREG and UNPACR_NOP, and what
// packers report of their tiles. Page: TDMA-RISC.md.
#include "tile/map_tdma.h"

#include "state/busy.h"
#include "state/races.h"

enum register_offset {
#define TDMA_REGISTER(name, offset, loads) name = (offset),
#include "machine/tdma_registers.def"
};

bool tsr_tdma_quiet(uint32_t offset)
{
    enum { OTHER, SAME };
    switch (offset) {
#define TDMA_REGISTER(name, offset, loads)                                                         \
    case name:                                                                                     \
        return loads == SAME;
#include "machine/tdma_registers.def"
    default:
        return false;
    }
}

// ---------------------------------------------------------------- the mover's queue

static tsr_status enqueue(struct tsr_access *access)
{
    struct tsr_tdma *tdma = &access->env->state->tdma;
    bool compact = access->value >> 31;
    if (tdma->count >= DEPTH_TDMA_QUEUE)
        return TSR_BUSY;
    if (!compact && tdma->credits_used >= TSR_TDMA_CREDITS) {
        TSR_ACCESS_REPORT(access, FINDING_TDMA_COMMAND,
                          "%s queues command 0x%08x while both sets of parameters are in use; it "
                          "is left out.",
                          tsr_access_who(access), (unsigned)access->value);
        return tsr_access_status(access);
    }
    struct tsr_tdma_command *command =
        &tdma->queue[(tdma->first + tdma->count) % TSR_TDMA_QUEUE_MAX];
    *command = (struct tsr_tdma_command){.word = access->value, .core = (uint8_t)access->agent};
    if (!compact)
        tsr_race_access(access->env, TSR_RACE_TDMA, false, 0, TSR_TDMA_PARAMETERS, TSR_RACE_ALL);
    tsr_race_sync(access->env, TSR_RACE_SEND, TSR_RACE_COMMANDS, 0, 0);
    for (unsigned i = 0; i < TSR_TDMA_PARAMETERS && !compact; i++)
        command->parameter[i] = tdma->parameter[i];
    if (!compact)
        tdma->credits_used++;
    if (tdma->count++ == 0 && tdma->next_command < access->env->state->now)
        tdma->next_command = access->env->state->now;
    return TSR_OK;
}

_Static_assert((int)DEPTH_TDMA_QUEUE <= (int)TSR_TDMA_QUEUE_MAX, "the queue has room");

static uint32_t status_bits(const struct tsr_env *env)
{
    const struct tsr_tdma *tdma = &env->state->tdma;
    return (uint32_t)tsr_mover_busy(env) | (uint32_t)(tdma->count == DEPTH_TDMA_QUEUE) << 2 |
           (uint32_t)(tdma->count == 0) << 3 |
           (uint32_t)(tdma->credits_used == TSR_TDMA_CREDITS) << 4 |
           (uint32_t)(tdma->credits_used == 0) << 5 |
           (uint32_t)(DEPTH_TDMA_QUEUE - tdma->count) << 8;
}

static uint32_t *move_base(struct tsr_access *access)
{
    unsigned core = access->agent <= TSR_CORE_T2 ? (unsigned)access->agent : TSR_CORE_T0;
    if (access->store)
        tsr_race_access(access->env, TSR_RACE_TDMA, true, TSR_RACE_TDMA_BASES + core, 1,
                        TSR_RACE_ALL);
    return &access->env->state->tdma.move_base[core];
}

// ---------------------------------------------------------------- PACR_SETREG and UNPACR_NOP

// Three scalers of nine bits from `first` on. The last comes alone, from bit 16.
static void set_scalers(const struct tsr_env *env, unsigned first, uint32_t values)
{
    struct tsr_tdma *tdma = &env->state->tdma;
    tsr_race_access(env, TSR_RACE_TDMA, true, TSR_RACE_TDMA_SCALERS + first, first == 3 ? 1 : 3,
                    TSR_RACE_ALL);
    if (first == 3)
        values >>= 16;
    for (unsigned i = first; i < first + 3 && i < 4; i++, values >>= 9)
        tdma->pack_scaler[i] = values & 0x1ff;
}

static uint32_t scalers_and_status(const struct tsr_env *env, unsigned unpacker)
{
    const struct tsr_tdma *tdma = &env->state->tdma;
    uint32_t result = 0;
    for (unsigned i = 0; i < 3; i++)
        result |= (uint32_t)tdma->pack_scaler[i] << (9 * i);
    // The signals that a STALLWAIT of thread 2 would wait for.
    for (unsigned i = 0; i < env->chip->packers; i++)
        result |= (uint32_t)tsr_packer_busy(env, i, 2) << (27 + i);
    if (tdma->unpack_register_acc[unpacker] & 0x10000)
        result |= 1u << 31;
    return result;
}

// ---------------------------------------------------------------- what packers report

static uint32_t metadata_status(const struct tsr_env *env)
{
    uint32_t result = env->state->tdma.pack_register_raw << 8;
    for (unsigned i = 0; i < TSR_PACKERS; i++) {
        unsigned count = env->state->packers.packer[i].metadata_count;
        result |= (uint32_t)(count == 0) << (2 * i);
        result |= (uint32_t)(count == DEPTH_TDMA_METADATA) << (2 * i + 1);
    }
    return result;
}

static void reset_sizes(struct tsr_env *env, uint32_t value)
{
    for (unsigned i = 0; i < TSR_PACKERS; i++) {
        struct tsr_packer *packer = &env->state->packers.packer[i];
        if (!(value >> (16 + i) & 1))
            continue;
        for (unsigned thread = 0; thread < TSR_THREADS; thread++)
            packer->acc_tile_size[thread] = 0;
        tsr_race_access(env, TSR_RACE_TDMA, true, TSR_RACE_TDMA_OFFSETS + i, 1, TSR_RACE_ALL);
        packer->l1_dest_offset = (uint16_t)value;
    }
}

static tsr_status pop_metadata(struct tsr_access *access, struct tsr_packer *packer)
{
    access->value = 0;
    if (packer->metadata_count == 0) {
        TSR_ACCESS_REPORT(access, FINDING_METADATA_FIFO_EMPTY,
                          "%s pops a packer's metadata at 0x%08x, and there is none.",
                          tsr_access_who(access), (unsigned)access->address);
        return tsr_access_status(access);
    }
    access->value = packer->metadata[packer->metadata_first].zero_flags;
    packer->metadata_first = (uint8_t)((packer->metadata_first + 1) % TSR_METADATA_MAX);
    packer->metadata_count--;
    return TSR_OK;
}

// ---------------------------------------------------------------- the registers

// Bits 9:8 of an offset choose the packer, for two registers 7:6 the thread. Registers that do not
// depend on them have one address.
struct place {
    unsigned at, packer, thread;
    bool known;
};

static struct place place_of(uint32_t offset)
{
    struct place place = {offset & 0x3f, offset >> 8 & 3, offset >> 6 & 3, true};
    bool by_thread = place.at == PACKED_SIZE || place.at == ACC_PACKED_SIZE;
    bool by_packer = by_thread || place.at == ALL_ZERO_FLAGS || place.at == FIFO_PACKED_TILE_SIZE ||
                     place.at == FIFO_PACKED_TILE_ZEROMASK;
    bool two = place.at == SCALERS && place.packer < 2;
    place.known = offset >> 10 == 0 && place.thread < TSR_THREADS &&
                  (by_packer || two || place.packer == 0) && (by_thread || place.thread == 0);
    return place;
}

static tsr_status load_register(struct tsr_access *access, const struct place *place)
{
    struct tsr_env *env = access->env;
    const struct tsr_tdma *tdma = &env->state->tdma;
    struct tsr_packer *packer = &env->state->packers.packer[place->packer];
    access->value = 0;
    tsr_race_sync(env, TSR_RACE_READ_BACK, 0, 0, 0);
    switch (place->at) {
    case STATUS:
        access->value = status_bits(env);
        if (!tsr_mover_busy(env) && tdma->count == 0)
            tsr_race_sync(env, TSR_RACE_MOVER_IDLE, 0, 0, 0);
        break;
    case PACKED_SIZE:
        access->value = packer->last_thread == place->thread ? packer->last_tile_size : 0;
        break;
    case ACC_PACKED_SIZE:
        access->value = (tdma->unpack_register_acc[place->packer & 1] & 0xffff) << 16 |
                        packer->acc_tile_size[place->thread];
        break;
    case ALL_ZERO_FLAGS:
        access->value = packer->all_zero_flags;
        break;
    case CLK_GATE_EN:
        access->value = tdma->unpack_register_raw;
        break;
    case CLK_GATE_HYST:
        access->value = tdma->scaler2_raw;
        break;
    case XMOV_L1_BASE_ADDR:
        access->value = *move_base(access);
        break;
    case FIFO_PACKED_TILE_SIZE:
        if (packer->metadata_count == 0)
            return TSR_BUSY;
        access->value = packer->metadata[packer->metadata_first].size;
        break;
    case FIFO_PACKED_TILE_ZEROMASK:
        return pop_metadata(access, packer);
    case FIFO_PACKED_TILE_STATUS:
        access->value = metadata_status(env);
        break;
    case SCALERS:
        access->value = scalers_and_status(env, place->packer);
        break;
    default:
        break; // parameters and command read as 0
    }
    return TSR_OK;
}

static tsr_status store_register(struct tsr_access *access, const struct place *place)
{
    struct tsr_env *env = access->env;
    struct tsr_tdma *tdma = &env->state->tdma;
    uint32_t value = access->value;
    if (env->state->debug.soft_reset & TSR_RESET_TDMA)
        return TSR_OK; // discarded (SoftReset.md)
    switch (place->at) {
    case COMMAND_ADDR:
        return enqueue(access);
    case ACC_PACKED_SIZE:
        reset_sizes(env, value);
        break;
    case CLK_GATE_EN:
        tsr_race_access(env, TSR_RACE_TDMA, true, TSR_RACE_TDMA_UNPACK_ADDRESS, 1, TSR_RACE_ALL);
        tdma->unpack_register_raw = value & 0xffffff7f;
        break;
    case CLK_GATE_HYST:
        tdma->scaler2_raw = value & 0x01ff007f;
        set_scalers(env, 3, value);
        break;
    case XMOV_L1_BASE_ADDR:
        *move_base(access) = value;
        break;
    case FIFO_PACKED_TILE_ZEROMASK:
        return pop_metadata(access, &env->state->packers.packer[place->packer]);
    case FIFO_PACKED_TILE_STATUS:
        tsr_race_access(env, TSR_RACE_TDMA, true, TSR_RACE_TDMA_PACK_ADDRESS, 1, TSR_RACE_ALL);
        tdma->pack_register_raw = value;
        for (unsigned i = 0; i < 2; i++)
            tdma->pack_register_base[i] =
                ((value >> (20 + 2 * i) & 3) << 18) + ((value >> (10 * i) & 0x3ff) << 2);
        break;
    case SCALERS:
        set_scalers(env, 0, value);
        break;
    default:
        if (place->at > XMOV_DIRECTION)
            break;
        tsr_race_access(env, TSR_RACE_TDMA, true, place->at / 4, 1, TSR_RACE_ALL);
        tdma->parameter[place->at / 4] = value;
        break; // stores to the others have no effect
    }
    return TSR_OK;
}

tsr_status tsr_access_tdma(struct tsr_access *access)
{
    struct place place = place_of(access->offset & ~3u);
    if (!place.known)
        return tsr_access_unimplemented(access, "a register of TDMA-RISC that no page has");
    return access->store ? store_register(access, &place) : load_register(access, &place);
}
