// SPDX-License-Identifier: Apache-2.0
// A tile's state without a tile around it, for the tests of the unpackers: configuration by field,
// counters, L1, and the three stages of an instruction one after the other.
#ifndef TESTS_RIG_UNPACK_RIG_H
#define TESTS_RIG_UNPACK_RIG_H

#include "kernels/kernels.h"
#include "state/config_access.h"
#include "state/report.h"
#include "unpack/unpack_plan.h"
#include "unpack/unpack_unit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct rig {
    struct tsr_env env;
    struct tsr_state *state;
    struct tsr_findings findings;
    struct tsr_plan_masks masks;
    struct tsr_inflight inst;
    uint32_t random;
};

static inline struct rig *rig_new(tsr_arch arch)
{
    struct rig *r = calloc(1, sizeof *r);
    r->state = calloc(1, sizeof *r->state);
    r->env.state = r->state;
    r->env.isa = tsr_isa(arch);
    r->env.chip = tsr_chip_traits(arch);
    r->env.kernels = tsr_kernels_select("auto");
    r->env.findings = &r->findings;
    r->env.plan_masks = &r->masks;
    r->env.unpack_plans = tsr_unpack_plans_create();
    r->random = 12345;
    tsr_plan_masks_fill(&r->masks, r->env.isa);
    tsr_findings_profile(&r->findings, TSR_PROFILE_STRICT);
    tsr_state_reset(r->state, r->env.chip);
    return r;
}

static inline void rig_free(struct rig *r)
{
    tsr_unpack_plans_destroy(r->env.unpack_plans);
    free(r->state);
    free(r);
}

static inline uint32_t rig_random(struct rig *r)
{
    r->random = r->random * 1664525u + 1013904223u;
    return r->random >> 8;
}

// Write a field of bank 0, or of thread 0.
static inline void rig_set(struct rig *r, enum tsr_field field, uint32_t value)
{
    const struct tsr_field_place *p = &r->env.isa->field[field];
    assert_true(p->width > 0);
    if (p->scope == TSR_SCOPE_THREAD) {
        uint32_t old = r->state->config.thread[0][p->addr32];
        old &= ~(tsr_mask32(p->width) << p->first_bit);
        tsr_thread_config_write(&r->env, 0, p->addr32, (uint16_t)(old | value << p->first_bit));
        return;
    }
    tsr_config_write(&r->env, 0, p->addr32, value << p->first_bit,
                     tsr_mask32(p->width) << p->first_bit);
}

static inline void rig_set2(struct rig *r, int unpacker, enum tsr_field a, enum tsr_field b,
                            uint32_t value)
{
    rig_set(r, unpacker == 0 ? a : b, value);
}

#define SET(r, unpacker, name, value)                                                              \
    rig_set2(r, unpacker, FIELD_THCON_SEC0_##name, FIELD_THCON_SEC1_##name, value)

static inline void rig_fill_l1(struct rig *r, uint32_t address, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++) {
        uint8_t byte = (uint8_t)rig_random(r);
        tsr_l1_put(&r->state->l1, address + i, &byte, 1, false);
    }
}

enum { UNPACR = 0x42000000, MULTI = 1 << 7, FLIP = 1 << 6, ZERO = 1 << 4, ONE = 1 << 23 };

static inline void rig_decode(struct rig *r, uint32_t word)
{
    memset(&r->inst, 0, sizeof r->inst);
    r->inst.word = word;
    r->inst.op = (uint8_t)tsr_op_of(r->env.isa, word);
    r->inst.sequence = 1;
    tsr_findings_clear(&r->findings);
}

// All three stages of what is decoded. False: a finding stopped it.
static inline bool rig_run_decoded(struct rig *r)
{
    if (!tsr_unpack_ops.accept(&r->env, &r->inst))
        return false;
    assert_int_equal(tsr_unpack_ops.execute(&r->env, &r->inst), TSR_REASON_NONE);
    if (r->findings.stopped)
        return false;
    tsr_unpack_ops.complete(&r->env, &r->inst);
    return true;
}

static inline bool rig_run(struct rig *r, uint32_t word)
{
    rig_decode(r, word);
    return rig_run_decoded(r);
}

static inline bool rig_found(const struct rig *r, const char *code)
{
    for (int i = 0; i < r->findings.count; i++)
        if (strcmp(r->findings.kept[i].code, code) == 0)
            return true;
    return false;
}

// Uncompressed, contiguous datums: `format` to `out`, 16 datums a row, L1 base 0x10000, first row
// of the target.
static inline void rig_configure(struct rig *r, int unpacker, uint32_t format, uint32_t out,
                                 uint32_t datums)
{
    SET(r, unpacker, REG0_TileDescriptor_InDataFormat, format);
    SET(r, unpacker, REG0_TileDescriptor_XDim, datums);
    SET(r, unpacker, REG0_TileDescriptor_YDim, 1);
    SET(r, unpacker, REG0_TileDescriptor_ZDim, 4);
    SET(r, unpacker, REG2_Out_data_format, out);
    SET(r, unpacker, REG2_Disable_zero_compress_cntx0, 1);
    SET(r, unpacker, REG2_Disable_zero_compress_cntx1, 1);
    SET(r, unpacker, REG3_Base_address, 0x0fff);
    if (unpacker == 0) {
        rig_set(r, FIELD_THCON_SEC0_REG5_Tile_x_dim_cntx0, datums);
        rig_set(r, FIELD_THCON_SEC0_REG5_Dest_cntx0_address, 64);
        rig_set(r, FIELD_SRCA_SET_SetOvrdWithAddr, 1);
    }
    r->state->adcs.channel[0][unpacker][1].x = datums - 1;
}

#endif
