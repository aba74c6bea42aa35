// SPDX-License-Identifier: Apache-2.0
// PACR_SETREG: in its turn after the PACRs before it, the packers' buffers go to L1 and one
// register of the tile is written. Blackhole's encoding, which has no page, writes the word that an
// earlier PACR_SETREG with ModeSel left, as tt-llk describes its operands.
// Pages: PACR_SETREG.md, TDMA-RISC.md, Packers/OutputAddressGenerator.md (flushes).
#include "pack/pack_setreg.h"

#include "pack/pack_address.h"
#include "pack/pack_execute.h"
#include "state/races.h"
#include "state/register_access.h"
#include "state/report.h"

#include <stdio.h>

#define WINDOW 0xffb00000u
#define WINDOW_FIRST 0xffb11000u // what is below is the cores' own
#define WINDOW_END 0xffb80000u   // what is from here on is dropped silently

enum { ALL_PACKERS = 0xf, ADDRESSES = 2, VALUE_BITS = 10, HIGH_BITS = 17, HIGH_SHIFT = 12 };

struct setreg_job {
    uint32_t address, value, mask;
    uint16_t half;      // of the write data, with ModeSel
    uint8_t half_index; // 0: bits 15:0
    uint8_t state_id;
    bool flush, store, load;
};
_Static_assert(sizeof(struct setreg_job) <= TSR_JOB_BYTES, "a job fits its instruction");

static struct setreg_job *job_of(struct tsr_inflight *inst)
{
    return (struct setreg_job *)(void *)inst->job;
}

// Records what no page describes. False: the tile stops.
static bool undocumented(struct tsr_env *env, const struct tsr_inflight *inst, const char *what)
{
    return tsr_report(env, FINDING_UNDOCUMENTED_MODE, inst, NULL, "PACR_SETREG with %s.", what) !=
           TSR_HALT;
}

// ---------------------------------------------------------------- accepted

// Both flags must be set, and on Wormhole all packers chosen, for the write to happen.
static bool read_flags(struct tsr_env *env, const struct tsr_inflight *inst, struct setreg_job *job)
{
    bool selects = env->chip->packers > 1, push = tsr_arg(env, inst, OPERAND_Push);
    job->mask = selects ? tsr_arg(env, inst, OPERAND_PackSel) : 1;
    job->flush = tsr_arg(env, inst, OPERAND_Flush);
    bool all = !selects || job->mask == ALL_PACKERS;
    job->store = push && job->flush && all;
    return (push || undocumented(env, inst, "Push=0 writes no register")) &&
           (job->flush || undocumented(env, inst, "Flush=0 flushes and writes nothing")) &&
           (all || undocumented(env, inst, "PackSel other than 15 writes no register")) &&
           (!tsr_arg(env, inst, OPERAND_Last) ||
            undocumented(env, inst, "Last=1 does what it does with 0")) &&
           (!tsr_arg(env, inst, OPERAND_DisableStall) ||
            undocumented(env, inst, "DisableStall keeps its place behind earlier PACRs"));
}

// The two addresses that TDMA-RISC has; Blackhole's operand has room for four. False: the tile
// stops.
static bool read_address(struct tsr_env *env, const struct tsr_inflight *inst,
                         struct setreg_job *job)
{
    uint32_t which = tsr_arg(env, inst, OPERAND_AddrSel);
    if (which >= ADDRESSES) {
        job->store = false;
        return undocumented(env, inst,
                            "AddrSel of 2 or 3, for which TDMA-RISC has no register, writes "
                            "nothing");
    }
    job->address = WINDOW + env->state->tdma.pack_register_base[which] +
                   (tsr_arg(env, inst, OPERAND_StreamId) << 12);
    if (job->address < WINDOW_FIRST) {
        enum tsr_verdict verdict = tsr_report(env, FINDING_MMIO_ADDRESS, inst, NULL,
                                              "PACR_SETREG addresses 0x%08x, below 0x%08x.",
                                              (unsigned)job->address, WINDOW_FIRST);
        job->store = false;
        return verdict != TSR_HALT;
    }
    job->store = job->address < WINDOW_END;
    return true;
}

// Ten bits, and above them the same number multiplied by the scaler of packer 0's datum size.
static uint32_t scaled(const struct tsr_env *env, const struct tsr_inflight *inst, int state_id)
{
    uint32_t value = tsr_arg(env, inst, OPERAND_WrData);
    uint32_t size = tsr_cfg(env, state_id, FIELD_THCON_SEC0_REG1_Out_data_format) & 3;
    uint32_t high = value * env->state->tdma.pack_scaler[size];
    return value + ((high & tsr_mask32(HIGH_BITS)) << HIGH_SHIFT);
}

static bool accept_half(struct tsr_env *env, const struct tsr_inflight *inst,
                        struct setreg_job *job)
{
    job->load = true;
    // The operands of the other mode lie where the half does.
    job->half_index = inst->word >> 2 & 1;
    job->half = (uint16_t)(inst->word >> 3);
    return undocumented(env, inst, "ModeSel=1 loads half of the packer's write data");
}

bool tsr_pack_setreg_accept(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct setreg_job *job = job_of(inst);
    *job = (struct setreg_job){0};
    job->state_id = (uint8_t)tsr_state_id(env, inst->thread);
    if (tsr_arg(env, inst, OPERAND_ModeSel))
        return accept_half(env, inst, job);
    if (!read_flags(env, inst, job))
        return false;
    if (env->chip->packers > 1)
        job->value = scaled(env, inst, job->state_id);
    else if (!undocumented(env, inst, "Blackhole's encoding"))
        return false;
    if (job->store && !read_address(env, inst, job))
        return false;
    for (int i = 0; job->flush && i < env->chip->packers; i++)
        if (job->mask >> i & 1)
            tsr_pack_release_addresses(&env->state->packers.packer[i]);
    return true;
}

// ---------------------------------------------------------------- executed

// As a PACR with Flush closes its streams.
static void flush_packer(struct tsr_env *env, const struct tsr_inflight *inst, int state_id, int i)
{
    struct tsr_pack_part part = {.packer = (uint8_t)i, .config_of = (uint8_t)i};
    tsr_pack_config_make(env, state_id, i, &part.config);
    struct tsr_pack_sink sink = {.env = env,
                                 .inst = inst,
                                 .part = &part,
                                 .packer = &env->state->packers.packer[i],
                                 .format = part.config.mode.out_format,
                                 .datum_bytes = (uint8_t)(part.config.out_bits / 8)};
    if (part.config.accumulate && sink.datum_bytes)
        sink.accumulate = tsr_kernels_accumulate(env->kernels, sink.format);
    tsr_pack_close_streams(&sink);
}

// The data go first: a core that is woken by the register must find them in L1.
tsr_reason tsr_pack_setreg_execute(struct tsr_env *env, struct tsr_inflight *inst)
{
    const struct setreg_job *job = job_of(inst);
    if (job->load) {
        uint32_t shift = 16u * job->half_index, *data = &env->state->packers.write_data;
        *data = (*data & ~(0xffffu << shift)) | (uint32_t)job->half << shift;
        return TSR_REASON_NONE;
    }
    for (int i = 0; job->flush && i < env->chip->packers; i++)
        if (job->mask >> i & 1)
            flush_packer(env, inst, job->state_id, i);
    if (!job->store || env->findings->stopped)
        return TSR_REASON_NONE;
    if (env->chip->packers > 1) // at some point of its evaluation (PACR_SETREG.md)
        tsr_race_access(env, TSR_RACE_TDMA, false, TSR_RACE_TDMA_SCALERS, 4, TSR_RACE_ALL);
    tsr_race_access(env, TSR_RACE_TDMA, false, TSR_RACE_TDMA_PACK_ADDRESS, 1, TSR_RACE_ALL);
    uint32_t value = env->chip->packers > 1 ? job->value : env->state->packers.write_data;
    // What the address map refuses, it has reported; going on drops it.
    return tsr_mmio_store(env, inst, job->address, value) == TSR_BUSY ? TSR_REASON_REGISTER
                                                                      : TSR_REASON_NONE;
}

void tsr_pack_setreg_explain(const struct tsr_inflight *inst, char *what, size_t size)
{
    const struct setreg_job *job = (const struct setreg_job *)(const void *)inst->job;
    snprintf(what, size, "PACR_SETREG waits for the register at 0x%08x", (unsigned)job->address);
}
