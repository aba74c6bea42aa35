// SPDX-License-Identifier: Apache-2.0
// Fields by name, words as a core gives them: nothing of the vector unit's own code is used.
// Pages: as sfpu_model.h.
#include "oracle/sfpu_tile.h"

#include "rig/tile_rig.h"

bool sfpu_tile_open(struct sfpu_tile *t, struct sfpu_tile_kind kind)
{
    tsr_options options = tsr_options_default(kind.blackhole ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0);
    memset(t, 0, sizeof *t);
    options.timing = kind.timing;
    options.kernels = kind.reference ? "reference" : NULL;
    options.pipeline = kind.staged ? TSR_PIPELINE_STAGED : TSR_PIPELINE_AUTO;
    options.profile = TSR_PROFILE_CONFORMANCE;
    return tsr_tile_create(&options, &t->tile) == TSR_OK;
}

void sfpu_tile_close(struct sfpu_tile *t)
{
    tsr_tile_destroy(t->tile);
    t->tile = NULL;
}

// ---------------------------------------------------------------- the beginning

static void set(struct sfpu_tile *t, int instance, const char *name, uint32_t value)
{
    for (unsigned field = 0; field < FIELD_COUNT; field++)
        if (strcmp(tsr_field_name((enum tsr_field)field), name) == 0) {
            if (tile_env(t->tile)->isa->field[field].width)
                tile_field(t->tile, instance, (enum tsr_field)field, value);
            return;
        }
    fail_msg("no field %s", name);
}

static void configure_mod(struct sfpu_tile *t, int thread, unsigned n,
                          const struct sfpu_addr_mod *a)
{
    const struct {
        const char *name;
        uint32_t value;
    } all[] = {{"ADDR_MOD_AB_SEC%u_SrcAIncr", a->srca_incr},
               {"ADDR_MOD_AB_SEC%u_SrcACR", a->srca_cr},
               {"ADDR_MOD_AB_SEC%u_SrcAClear", a->srca_clear},
               {"ADDR_MOD_AB_SEC%u_SrcBIncr", a->srcb_incr},
               {"ADDR_MOD_AB_SEC%u_SrcBCR", a->srcb_cr},
               {"ADDR_MOD_AB_SEC%u_SrcBClear", a->srcb_clear},
               {"ADDR_MOD_DST_SEC%u_DestIncr", a->dst_incr},
               {"ADDR_MOD_DST_SEC%u_DestCR", a->dst_cr},
               {"ADDR_MOD_DST_SEC%u_DestCToCR", a->dst_c_to_cr},
               {"ADDR_MOD_DST_SEC%u_DestClear", a->dst_clear},
               {"ADDR_MOD_DST_SEC%u_FidelityIncr", a->fidelity_incr},
               {"ADDR_MOD_DST_SEC%u_FidelityClear", a->fidelity_clear},
               {"ADDR_MOD_BIAS_SEC%u_BiasIncr", a->bias_incr},
               {"ADDR_MOD_BIAS_SEC%u_BiasClear", a->bias_clear}};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        char name[60];
        snprintf(name, sizeof name, all[i].name, n);
        if (all[i].value)
            set(t, thread, name, all[i].value);
    }
}

static void configure(struct sfpu_tile *t, const struct sfpu_config *c)
{
    for (int bank = 0; bank < 2; bank++) {
        set(t, bank, "ALU_ACC_CTRL_SFPU_Fp32_enabled", c->bank[bank].fp32);
        set(t, bank, "ALU_FORMAT_SPEC_REG1_SrcB", c->bank[bank].srcb);
        set(t, bank, "ALU_FORMAT_SPEC_REG_SrcB_override", c->bank[bank].override);
        set(t, bank, "ALU_FORMAT_SPEC_REG_SrcB_val", c->bank[bank].override_srcb);
        set(t, bank, "DEST_SP_BASE_Base", c->bank[bank].sp_base);
    }
    for (int thread = 0; thread < 3; thread++) {
        set(t, thread, "CFG_STATE_ID_StateID", c->thread[thread].bank);
        set(t, thread, "ADDR_MOD_SET_Base", c->thread[thread].mod_set);
        set(t, thread, "DEST_TARGET_REG_CFG_MATH_Offset", c->thread[thread].offset);
        set(t, thread, "SFPU_DEST_FMT_Enable", c->thread[thread].format_on);
        set(t, thread, "SFPU_DEST_FMT_Base", c->thread[thread].format);
        set(t, thread, "SFPU_STACK_Incr", c->thread[thread].stack_incr);
        for (unsigned n = 0; n < SFPU_MODS; n++)
            configure_mod(t, thread, n, &c->thread[thread].mod[n]);
    }
    set(t, 0, "DEST_ACCESS_CFG_remap_addrs", c->remap);
    set(t, 0, "DEST_ACCESS_CFG_swizzle_32b", c->swizzle);
}

void sfpu_tile_load(struct sfpu_tile *t, const struct sfpu_model *m, uint32_t prng_seed)
{
    tsr_tile_reset(t->tile);
    configure(t, &m->config);
    struct tsr_dst *dst = &tile_state(t->tile)->dst;
    memcpy(dst->bits, m->dst, sizeof m->dst);
    memset(dst->written, 0xff, sizeof dst->written);
    for (int thread = 0; thread < 3; thread++) {
        const struct sfpu_rwc *r = &m->rwc[thread];
        tsr_rwc *to = &tile_state(t->tile)->rwcs.thread[thread];
        to->dst = r->dst;
        to->dst_cr = r->dst_cr;
        to->srca = r->srca;
        to->srca_cr = r->srca_cr;
        to->srcb = r->srcb;
        to->srcb_cr = r->srcb_cr;
        to->fidelity = r->fidelity;
        to->extra_addr_mod = r->extra;
    }
    const tsr_field_info *seed = tsr_field_find(tsr_tile_arch(t->tile), "PRNG_SEED_Seed_Val");
    uint32_t address = 0xffef0000u + 4u * seed->addr32;
    assert_int_equal(tsr_store(t->tile, TSR_CORE_B, address, prng_seed, 4), TSR_OK);
}

// ---------------------------------------------------------------- words

static const char *run(struct sfpu_tile *t)
{
    tsr_end end = tile_run(t->tile);
    int found = tsr_diagnostic_count(t->tile);
    const tsr_diagnostic *last = found ? tsr_diagnostic_at(t->tile, found - 1) : NULL;
    if (end == TSR_END_IDLE)
        return NULL;
    t->refused = last && last->category == TSR_UNIMPLEMENTED_FEATURE;
    snprintf(t->message, sizeof t->message, "the tile ends with %d: %s", (int)end,
             last ? last->sentence : "no finding");
    return t->message;
}

const char *sfpu_tile_run(struct sfpu_tile *t, const struct sfpu_program *p, unsigned count)
{
    const char *wrong = NULL;
    for (unsigned i = 0; i < count && !wrong; i++) {
        if (sfpu_program_pauses(p, i))
            wrong = run(t);
        tsr_status status;
        while (!wrong && (status = tsr_push(t->tile, p->thread[i], p->word[i])) != TSR_OK)
            if (status != TSR_BUSY || p->idle_before[i])
                wrong = "a word cannot be pushed";
            else if (!tsr_step(t->tile))
                wrong = run(t);
    }
    return wrong ? wrong : run(t);
}

// ---------------------------------------------------------------- comparison

static const char *differs(struct sfpu_tile *t, const char *what, unsigned a, unsigned b,
                           uint32_t tile, uint32_t model)
{
    snprintf(t->message, sizeof t->message, "%s [%u][%u]: the tile has 0x%x, the page 0x%x", what,
             a, b, (unsigned)tile, (unsigned)model);
    return t->message;
}

static const char *rwcs_differ(struct sfpu_tile *t, const struct sfpu_rwc *b, int thread)
{
    tsr_rwc a;
    unsigned n = (unsigned)thread;
    assert_int_equal(tsr_view_rwc(t->tile, thread, &a), TSR_OK);
    if (a.dst != b->dst || a.dst_cr != b->dst_cr)
        return differs(t, "RWC Dst + 65536 Dst_Cr of thread", n, 0,
                       a.dst | (uint32_t)a.dst_cr << 16, b->dst | (uint32_t)b->dst_cr << 16);
    if (a.srca != b->srca || a.srca_cr != b->srca_cr)
        return differs(t, "RWC SrcA + 256 SrcA_Cr of thread", n, 0, a.srca | a.srca_cr << 8u,
                       b->srca | b->srca_cr << 8u);
    if (a.srcb != b->srcb || a.srcb_cr != b->srcb_cr)
        return differs(t, "RWC SrcB + 256 SrcB_Cr of thread", n, 0, a.srcb | a.srcb_cr << 8u,
                       b->srcb | b->srcb_cr << 8u);
    if (a.fidelity != b->fidelity || a.extra_addr_mod != b->extra)
        return differs(t, "RWC fidelity + 256 extra bit of thread", n, 0,
                       a.fidelity | a.extra_addr_mod << 8u, b->fidelity | b->extra << 8u);
    return NULL;
}

static const char *lregs_differ(struct sfpu_tile *t, const struct sfpu_model *m)
{
    for (unsigned reg = 0; reg < SFPU_LREGS; reg++) {
        tsr_lreg a;
        assert_int_equal(tsr_view_lreg(t->tile, (int)reg, &a), TSR_OK);
        for (unsigned lane = 0; lane < SFPU_LANES; lane++) {
            bool known = reg != 16 || m->staging_written >> lane & 1;
            if (known && a.value[lane] != m->lreg[reg][lane])
                return differs(t, "LReg", reg, lane, a.value[lane], m->lreg[reg][lane]);
        }
        if (reg == 16 && a.written != m->staging_written)
            return differs(t, "written lanes of LReg", reg, 0, a.written, m->staging_written);
    }
    return NULL;
}

static const char *lanes_differ(struct sfpu_tile *t, const struct sfpu_model *m)
{
    tsr_lanes a;
    assert_int_equal(tsr_view_lanes(t->tile, &a), TSR_OK);
    for (unsigned lane = 0; lane < SFPU_LANES; lane++) {
        bool masked = m->lane_config[lane & 7] >> (SFPU_ROW_MASK + lane / 8) & 1;
        bool enabled = !masked && (!m->uses_flags[lane] || m->flags[lane]);
        if ((a.flags >> lane & 1) != m->flags[lane])
            return differs(t, "LaneFlags", lane, 0, a.flags >> lane & 1, m->flags[lane]);
        if ((a.use_flags >> lane & 1) != m->uses_flags[lane])
            return differs(t, "UseLaneFlagsForLaneEnable", lane, 0, a.use_flags >> lane & 1,
                           m->uses_flags[lane]);
        if ((a.enabled >> lane & 1) != enabled)
            return differs(t, "LaneEnabled", lane, 0, a.enabled >> lane & 1, enabled);
        if (a.config[lane & 7] != m->lane_config[lane])
            return differs(t, "LaneConfig", lane, 0, a.config[lane & 7], m->lane_config[lane]);
        for (unsigned level = 0; level < SFPU_STACK; level++) {
            bool used = level < m->depth[lane];
            uint32_t flags = a.stack_flags[level] >> lane & 1;
            uint32_t uses = a.stack_use_flags[level] >> lane & 1;
            if ((a.stack_used[level] >> lane & 1) != used)
                return differs(t, "use of the stack", level, lane, !used, used);
            if (used &&
                (flags != m->stack[level][lane].flags || uses != m->stack[level][lane].uses_flags))
                return differs(t, "stack: flags + 2 * use", level, lane, flags + 2 * uses,
                               m->stack[level][lane].flags + 2u * m->stack[level][lane].uses_flags);
        }
    }
    return NULL;
}

const char *sfpu_tile_differs(struct sfpu_tile *t, const struct sfpu_model *m)
{
    const struct tsr_dst *dst = &tile_state(t->tile)->dst;
    const char *wrong = lregs_differ(t, m);
    if (!wrong)
        wrong = lanes_differ(t, m);
    for (int thread = 0; thread < 3 && !wrong; thread++)
        wrong = rwcs_differ(t, &m->rwc[thread], thread);
    if (wrong || memcmp(dst->bits, m->dst, sizeof m->dst) == 0)
        return wrong;
    for (unsigned row = 0;; row++)
        for (unsigned column = 0; column < 16; column++)
            if (dst->bits[row][column] != m->dst[row][column])
                return differs(t, "Dst", row, column, dst->bits[row][column], m->dst[row][column]);
}
