// SPDX-License-Identifier: Apache-2.0
// A tile's state with only the matrix unit on it, for tests that drive the unit through its
// operations: instructions are given as text, configuration by the names of its fields.
#ifndef TESSERA_TESTS_MATRIX_RIG_H
#define TESSERA_TESTS_MATRIX_RIG_H

#include "kernels/kernels.h"
#include "matrix/matrix_unit.h"
#include "rig/each_chip.h"
#include "state/config_access.h"
#include "state/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct rig {
    struct tsr_env env;
    struct tsr_findings findings;
    struct tsr_plan_masks masks;
    struct tsr_state *state;
    struct tsr_inflight inst;
} rig;

static inline rig *rig_new(int arch, tsr_profile profile)
{
    rig *r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->state = calloc(1, sizeof *r->state);
    assert_non_null(r->state);
    r->env.state = r->state;
    r->env.isa = tsr_isa((tsr_arch)arch);
    r->env.chip = tsr_chip_traits((tsr_arch)arch);
    r->env.kernels = tsr_kernels_select(NULL);
    r->env.findings = &r->findings;
    r->env.matrix_plans = tsr_matrix_plans_create();
    assert_non_null(r->env.matrix_plans);
    tsr_plan_masks_fill(&r->masks, r->env.isa);
    r->env.plan_masks = &r->masks;
    tsr_state_reset(r->state, r->env.chip);
    tsr_findings_profile(&r->findings, profile);
    return r;
}

static inline void rig_free(rig *r)
{
    tsr_matrix_plans_destroy(r->env.matrix_plans);
    free(r->state);
    free(r);
}

// A field of thread 0, or of bank 0.
static inline void rig_set(rig *r, enum tsr_field field, uint32_t value)
{
    const struct tsr_field_place *place = &r->env.isa->field[field];
    assert_true(place->width > 0);
    uint32_t mask = tsr_mask32(place->width) << place->first_bit;
    if (place->scope == TSR_SCOPE_THREAD) {
        uint16_t old = r->state->config.thread[0][place->addr32];
        uint16_t word = (uint16_t)((old & ~mask) | (value << place->first_bit & mask));
        tsr_thread_config_write(&r->env, 0, place->addr32, word);
    } else {
        tsr_config_write(&r->env, 0, place->addr32, value << place->first_bit, mask);
    }
}

static inline void rig_formats(rig *r, uint8_t a, uint8_t b)
{
    rig_set(r, FIELD_ALU_FORMAT_SPEC_REG0_SrcA, a);
    rig_set(r, FIELD_ALU_FORMAT_SPEC_REG1_SrcB, b);
    if (r->env.chip->implied_formats) {
        rig_set(r, FIELD_DISABLE_IMPLIED_SRCA_FMT_Base, 1);
        rig_set(r, FIELD_DISABLE_IMPLIED_SRCB_FMT_Base, 1);
    }
}

// Both matrix banks written with `datum` and owned.
static inline void rig_fill_src(rig *r, int side, uint32_t datum)
{
    for (int i = 0; i < 2; i++) {
        struct tsr_src_bank *bank = &r->state->src[side].bank[i];
        for (int row = 0; row < TSR_SRC_ROWS; row++) {
            for (int column = 0; column < TSR_COLUMNS; column++)
                bank->datum[row][column] = datum;
            bank->written[row] = 0xffff;
        }
        bank->matrix_owns = bank->filled = true;
    }
}

static inline void rig_fill_dst(rig *r, uint16_t high, uint16_t low)
{
    struct tsr_dst *dst = &r->state->dst;
    for (int row = 0; row < TSR_DST_ROWS; row++) {
        for (int column = 0; column < TSR_COLUMNS; column++)
            dst->bits[row][column] = row & TSR_DST_LOW ? low : high;
        dst->written[row] = 0xffff;
        dst->valid[row] = true;
    }
}

static inline void rig_prepare(rig *r, const char *text)
{
    char error[200] = "";
    memset(&r->inst, 0, sizeof r->inst);
    tsr_status status = tsr_assemble(r->env.chip->arch, text, &r->inst.word, error, sizeof error);
    if (status != TSR_OK)
        fail_msg("%s: %s", text, error);
    r->inst.op = (uint8_t)tsr_op_of(r->env.isa, r->inst.word);
    r->inst.unit = TSR_UNIT_MATRIX;
}

static inline tsr_reason rig_ready(rig *r, const char *text)
{
    rig_prepare(r, text);
    uint64_t retry_at = 0;
    return tsr_matrix_ops.ready(&r->env, &r->inst, &retry_at);
}

// Accepted and executed, not completed. False: a finding stopped it.
static inline bool rig_begin(rig *r, const char *text)
{
    rig_prepare(r, text);
    if (!tsr_matrix_ops.accept(&r->env, &r->inst))
        return false;
    assert_int_equal(tsr_matrix_ops.execute(&r->env, &r->inst), TSR_REASON_NONE);
    return !r->findings.stopped;
}

static inline void rig_run(rig *r, const char *text)
{
    bool begun = rig_begin(r, text);
    if (!begun && r->findings.count > 0)
        fail_msg("%s: %s", text, r->findings.kept[r->findings.count - 1].sentence);
    assert_true(begun);
    tsr_matrix_ops.complete(&r->env, &r->inst);
}

// The newest finding's code; "" if there is none.
static inline const char *rig_found(const rig *r)
{
    return r->findings.count > 0 ? r->findings.kept[r->findings.count - 1].code : "";
}

static inline uint32_t rig_dst32(const rig *r, unsigned row, unsigned column)
{
    unsigned physical = tsr_dst_row32(row);
    return (uint32_t)r->state->dst.bits[physical][column] << 16 |
           r->state->dst.bits[physical + TSR_DST_LOW][column];
}

static inline void rig_put_dst32(rig *r, unsigned row, uint32_t stored)
{
    unsigned physical = tsr_dst_row32(row);
    for (int column = 0; column < TSR_COLUMNS; column++) {
        r->state->dst.bits[physical][column] = (uint16_t)(stored >> 16);
        r->state->dst.bits[physical + TSR_DST_LOW][column] = (uint16_t)stored;
    }
}

#endif
