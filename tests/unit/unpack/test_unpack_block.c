// SPDX-License-Identifier: Apache-2.0
// Runs of UNPACRs as one (unpack_block.c): on random runs with random configuration they leave what
// single instructions leave, and a canary for each rule shows that a word which breaks it is not
// taken along.
#include "rig/each_chip.h"
#include "rig/sample.h"
#include "rig/state_compare.h"
#include "rig/unpack_rig.h"

enum { CASES = RIG_SAMPLE(500), WORDS = 12, TILE = 0x10000, DATUMS = 256, NOP_WORD = 0x43000000 };

static void fill_l1(struct rig *r)
{
    static uint8_t bytes[0x8000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)rig_random(r);
    tsr_l1_put(&r->state->l1, TILE, bytes, sizeof bytes, false);
}

static void configure(struct rig *r)
{
    fill_l1(r);
    for (int unpacker = 0; unpacker < 2; unpacker++)
        rig_configure(r, unpacker, 5, 5, DATUMS);
}

// ---------------------------------------------------------------- both ways

static uint32_t any(struct rig *r, uint32_t below)
{
    return rig_random(r) % below;
}

// What the plans are made of.
static void choose_modes(struct rig *r, int unpacker)
{
    static const uint8_t pairs[][2] = {{5, 5}, {5, 5}, {6, 6}, {0, 4}, {1, 1}, {7, 7}, {8, 8}};
    const uint8_t *pair = pairs[any(r, sizeof pairs / sizeof *pairs)];
    SET(r, unpacker, REG0_TileDescriptor_InDataFormat, pair[0]);
    SET(r, unpacker, REG2_Out_data_format, pair[1]);
    SET(r, unpacker, REG2_Haloize_mode, any(r, 5) == 0);
    SET(r, unpacker, REG2_Tileize_mode, any(r, 5) == 0);
    SET(r, unpacker, REG2_Shift_amount_cntx0, 0);
    SET(r, unpacker, REG2_Shift_amount_cntx1, any(r, 3));
    SET(r, unpacker, REG2_Throttle_mode, 2);
    SET(r, unpacker, REG2_Unpack_Src_Reg_Set_Upd, any(r, 3) == 0);
    SET(r, unpacker, REG2_Force_shared_exp, any(r, 6) == 0);
    SET(r, unpacker, REG2_Disable_zero_compress_cntx0, any(r, 12) != 0);
    if (unpacker == 0) {
        SET(r, unpacker, REG2_Unpack_if_sel_cntx0, pair[0] == 8 || any(r, 6) == 0);
        rig_set(r, FIELD_SRCA_SET_SetOvrdWithAddr, any(r, 12) != 0);
    }
}

// Where the datums come from and go to.
static void choose_addresses(struct rig *r, int unpacker)
{
    bool circular = any(r, 4) == 0;
    uint32_t base = any(r, 12) == 0 ? r->state->l1.size / 16 - any(r, 40) : TILE / 16 + any(r, 512);
    SET(r, unpacker, REG3_Base_address, base - 1);
    SET(r, unpacker, REG2_Unpack_limit_address, circular ? base + any(r, 80) : 0);
    SET(r, unpacker, REG2_Unpack_fifo_size, circular ? any(r, 64) : 0);
    if (unpacker == 0)
        rig_set(r, FIELD_THCON_SEC0_REG5_Dest_cntx0_address,
                64 + 16 * (any(r, 3) ? 0 : any(r, 64)) + (any(r, 10) == 0));
    rig_set2(r, unpacker, FIELD_UNP0_ADDR_BASE_REG_1_Base, FIELD_UNP1_ADDR_BASE_REG_1_Base,
             any(r, 6)   ? 0
             : any(r, 2) ? 32 * any(r, 8)
                         : any(r, 128));
    rig_set(r, unpacker ? FIELD_SRCB_SET_Base : FIELD_SRCA_SET_Base, any(r, 3));
    tsr_adc_channel *channel = r->state->adcs.channel[0][unpacker];
    channel[0].x = any(r, 5) ? 0 : any(r, 40);
    channel[1].x = (any(r, 3) ? 256u : any(r, 2) ? 1024u : any(r, 300)) - 1;
    channel[0].z = any(r, 4);
    r->state->unpacker[unpacker].src_row[0] = (uint8_t)(any(r, 4) ? 0 : 16 * any(r, 4));
}

static void choose_banks(struct rig *r, int unpacker)
{
    struct tsr_src *src = &r->state->src[unpacker];
    src->unpacker_bank = (uint8_t)any(r, 2);
    for (unsigned bank = 0; bank < 2; bank++)
        src->bank[bank].matrix_owns = any(r, 6) == 0;
}

static void choose_shadow(struct rig *r)
{
    uint32_t at = TILE + any(r, 0x2000);
    if (any(r, 8) == 0)
        r->state->l1.written[at / 16] &= 0xfffe;
    if (any(r, 8) == 0)
        tsr_l1_mark(&r->state->l1, at, 4, true);
}

// UNPACR_NOP: nothing, a bank cleared, handed over, both; and with bits of other forms, but for
// those that store to a register.
static uint32_t choose_nop(struct rig *r)
{
    enum { HAND_OVER = 7 };
    static const uint32_t forms[] = {1, 1, 1 | 1 << 5, 1 | 1 << 4, 1 | 1 << 8, 2, HAND_OVER, 5};
    uint32_t form = forms[any(r, sizeof forms / sizeof *forms)];
    if (form != HAND_OVER && any(r, 6) == 0)
        form ^= 1u << (3 + any(r, 19));
    return NOP_WORD | any(r, 2) * (uint32_t)ONE | form;
}

static uint32_t choose_word(struct rig *r)
{
    if (any(r, 5) == 0)
        return choose_nop(r);
    uint32_t word = UNPACR | MULTI | any(r, 2) * (uint32_t)ONE;
    word |= (any(r, 3) ? 0 : any(r, 256)) << 15;
    word |= any(r, 3) ? 0 : (uint32_t)FLIP;
    if (any(r, 12) == 0)
        word ^= (uint32_t)ZERO;
    if (any(r, 25) == 0)
        word ^= 1u << any(r, 23);
    return word;
}

static void choose(struct rig *r, uint32_t words[WORDS])
{
    memset(r->state, 0, sizeof *r->state);
    tsr_state_reset(r->state, r->env.chip);
    configure(r);
    for (int unpacker = 0; unpacker < 2; unpacker++) {
        if (any(r, 3))
            choose_modes(r, unpacker);
        choose_addresses(r, unpacker);
        choose_banks(r, unpacker);
    }
    choose_shadow(r);
    uint32_t repeated[2] = {choose_word(r), choose_word(r)}, kind = any(r, 3);
    for (int i = 0; i < WORDS; i++)
        words[i] = kind == 0 ? repeated[0] : kind == 1 ? repeated[i % 2] : choose_word(r);
}

// False: it waits, or a finding stopped the tile.
static bool run_single(struct rig *r, uint32_t word)
{
    struct tsr_inflight *inst = &r->inst;
    memset(inst, 0, sizeof *inst);
    inst->word = word;
    inst->op = (uint8_t)tsr_op_of(r->env.isa, word);
    inst->unit = (uint8_t)(TSR_UNIT_UNPACKER0 + (word >> 23 & 1));
    inst->sequence = r->state->frontend[0].sequence + 1;
    if (!tsr_unpack_ops.accept(&r->env, inst) || r->findings.stopped)
        return false;
    r->state->frontend[0].sequence++;
    if (tsr_unpack_ops.execute(&r->env, inst) != TSR_REASON_NONE || r->findings.stopped)
        return false;
    tsr_unpack_ops.complete(&r->env, inst);
    return true;
}

static void run_singles(struct rig *r, const uint32_t words[WORDS])
{
    for (int i = 0; i < WORDS && run_single(r, words[i]); i++) {
    }
}

// How many went in blocks.
static unsigned run_blocks(struct rig *r, const uint32_t words[WORDS])
{
    unsigned taken = 0;
    for (unsigned i = 0; i < WORDS;) {
        unsigned done = tsr_unpack_ops.run_block(&r->env, 0, words + i, WORDS - i);
        r->state->frontend[0].sequence += done;
        taken += done;
        i += done;
        if (i < WORDS && !run_single(r, words[i++]))
            break;
    }
    return taken;
}

static bool same_counts(const struct rig *a, const struct rig *b)
{
    const struct tsr_findings *x = &a->findings, *y = &b->findings;
    bool same = a->env.plans_made == b->env.plans_made &&
                a->env.plans_reused == b->env.plans_reused && x->reported == y->reported &&
                x->stopped == y->stopped && x->count == y->count;
    for (int i = 0; same && i < x->count; i++)
        same = same_finding(&x->kept[i], &y->kept[i]);
    return same;
}

static void test_random_runs(void **unused)
{
    unsigned taken = 0;
    (void)unused;
    for (int arch = 0; arch < 2; arch++) {
        struct rig *a = rig_new((tsr_arch)arch), *b = rig_new((tsr_arch)arch);
        for (int i = 0; i < CASES; i++) {
            uint32_t words[WORDS];
            tsr_profile profile = any(a, 3) ? TSR_PROFILE_SILICON : TSR_PROFILE_STRICT;
            choose(a, words);
            memcpy(b->state, a->state, sizeof *b->state);
            tsr_unpack_plans_clear(a->env.unpack_plans);
            tsr_unpack_plans_clear(b->env.unpack_plans);
            tsr_findings_clear(&a->findings);
            tsr_findings_clear(&b->findings);
            tsr_findings_profile(&a->findings, profile);
            tsr_findings_profile(&b->findings, profile);
            b->env.kernels = i % 4 ? NULL : a->env.kernels; // NULL: datum by datum
            taken += run_blocks(a, words);
            run_singles(b, words);
            const char *different = state_difference(a->state, b->state);
            if (different)
                fail_msg("case %d of chip %d: %s", i, arch, different);
            if (!same_counts(a, b))
                fail_msg("case %d of chip %d: findings or plans", i, arch);
        }
        rig_free(a);
        rig_free(b);
    }
    assert_true(taken > CASES); // of at most 24 times as many words
}

// ---------------------------------------------------------------- what is accepted, in one step

// Whether `finish` took it; then it leaves what the stages leave, or says for what it waits.
static bool finish_single(struct rig *r, uint32_t word, bool *goes_on)
{
    struct tsr_queue queue = {.count = 1};
    struct tsr_inflight *inst = &queue.inst[0];
    tsr_reason waits_for = TSR_REASON_NONE;
    inst->word = word;
    inst->op = (uint8_t)tsr_op_of(r->env.isa, word);
    inst->unit = (uint8_t)(TSR_UNIT_UNPACKER0 + (word >> 23 & 1));
    inst->sequence = r->state->frontend[0].sequence + 1;
    *goes_on = tsr_unpack_ops.accept(&r->env, inst) && !r->findings.stopped;
    if (!*goes_on)
        return false;
    r->state->frontend[0].sequence++;
    if (tsr_unpack_ops.finish(&r->env, &queue, &waits_for))
        return true;
    tsr_reason reason = tsr_unpack_ops.execute(&r->env, inst);
    if (waits_for != TSR_REASON_NONE)
        assert_int_equal(reason, waits_for);
    *goes_on = reason == TSR_REASON_NONE && !r->findings.stopped;
    if (*goes_on)
        tsr_unpack_ops.complete(&r->env, inst);
    return false;
}

static void test_random_finishes(void **unused)
{
    unsigned finished = 0, asked = 0;
    (void)unused;
    for (int arch = 0; arch < 2; arch++) {
        struct rig *a = rig_new((tsr_arch)arch), *b = rig_new((tsr_arch)arch);
        for (int i = 0; i < CASES; i++) {
            uint32_t words[WORDS];
            bool goes_on = true;
            choose(a, words);
            memcpy(b->state, a->state, sizeof *b->state);
            tsr_unpack_plans_clear(a->env.unpack_plans);
            tsr_unpack_plans_clear(b->env.unpack_plans);
            tsr_findings_clear(&a->findings);
            tsr_findings_clear(&b->findings);
            for (int j = 0; j < WORDS && goes_on; j++, asked++)
                finished += finish_single(a, words[j], &goes_on);
            run_singles(b, words);
            const char *different = state_difference(a->state, b->state);
            if (different)
                fail_msg("case %d of chip %d: %s", i, arch, different);
            if (!same_counts(a, b))
                fail_msg("case %d of chip %d: findings or plans", i, arch);
        }
        rig_free(a);
        rig_free(b);
    }
    assert_true(finished > asked / 8 && finished < asked);
}

// Where rows of a bank that was cleared change in another way, the next clear clears them again.
static void test_clear_again(int arch)
{
    struct rig *r = rig_new((tsr_arch)arch);
    configure(r);
    SET(r, 0, REG2_Unpack_if_sel_cntx0, 1);
    rig_set(r, FIELD_SRCA_SET_SetOvrdWithAddr, 0);
    struct tsr_src_bank *bank = &r->state->src[TSR_SRCA].bank[0];
    assert_true(run_single(r, NOP_WORD | 1));
    assert_true(run_single(r, UNPACR | MULTI));
    assert_int_equal(bank->written[0], 0); // on the way to Dst
    for (int i = 0; i < 2; i++) {
        assert_true(run_single(r, NOP_WORD | 1));
        for (int row = 0; row < TSR_SRC_ROWS; row++)
            assert_int_equal(bank->written[row], 0xffff);
    }
    bank->tainted[3] = 1;
    bank->written[3] = 0;
    tsr_src_mark(bank, 3, 1);
    assert_true(run_single(r, NOP_WORD | 1));
    assert_int_equal(bank->written[3], 0xffff);
    assert_int_equal(bank->tainted[3], 0);
    rig_free(r);
}
TILE_BOTH(test_clear_again)

// ---------------------------------------------------------------- a canary for each rule

// How many of four UNPACRs of SrcA and SrcB in turn go as one, after one of each has made the
// plans. Tests change the rig or a word before.
struct canary {
    struct rig *r;
    uint32_t words[4];
};

static struct canary canary_new(int arch)
{
    struct canary c = {rig_new((tsr_arch)arch), {0}};
    configure(c.r);
    for (int i = 0; i < 4; i++) {
        c.words[i] = UNPACR | MULTI | FLIP | (i % 2 ? ONE : 0);
        if (i < 2)
            assert_true(rig_run(c.r, c.words[i]));
    }
    for (int side = 0; side < 2; side++)
        c.r->state->src[side].bank[0].matrix_owns = false;
    return c;
}

static void takes(struct canary *c, unsigned want)
{
    uint64_t reused = c->r->env.plans_reused, made = c->r->env.plans_made;
    uint64_t reported = c->r->findings.reported;
    unsigned done = tsr_unpack_ops.run_block(&c->r->env, 0, c->words, 4);
    assert_int_equal(done, want);
    assert_int_equal(c->r->env.plans_reused, reused + want);
    assert_int_equal(c->r->env.plans_made, made);
    assert_int_equal(c->r->findings.reported, reported);
    rig_free(c->r);
}

static void test_whole_run(int arch)
{
    struct canary c = canary_new(arch);
    takes(&c, 4);
}
TILE_BOTH(test_whole_run)

static void test_bank_of_the_matrix_unit(int arch)
{
    struct canary c = canary_new(arch);
    struct tsr_src *src = &c.r->state->src[TSR_SRCB];
    src->bank[src->unpacker_bank ^ 1].matrix_owns = true;
    takes(&c, 3); // A, B, A
}
TILE_BOTH(test_bank_of_the_matrix_unit)

static void test_plan_that_changed(int arch)
{
    struct canary c = canary_new(arch);
    rig_set(c.r, FIELD_THCON_SEC1_REG0_TileDescriptor_InDataFormat, 1);
    rig_set(c.r, FIELD_THCON_SEC1_REG2_Out_data_format, 1);
    takes(&c, 1);
    c = canary_new(arch); // an address is no part of the plan
    rig_set(c.r, FIELD_THCON_SEC1_REG3_Base_address, TILE / 16);
    takes(&c, 4);
}
TILE_BOTH(test_plan_that_changed)

// Another thread's plan was never made.
static void test_other_thread(int arch)
{
    struct canary c = canary_new(arch);
    assert_int_equal(tsr_unpack_ops.run_block(&c.r->env, 1, c.words, 4), 0);
    takes(&c, 4);
}
TILE_BOTH(test_other_thread)

// What was found for a word is kept until the next one of its unpacker, and until a write: the
// context decides which plan it is, and a single instruction of another thread may come between.
static struct canary canary_after_one(int arch)
{
    struct canary c = canary_new(arch);
    assert_int_equal(tsr_unpack_ops.run_block(&c.r->env, 0, c.words, 1), 1);
    c.r->state->src[TSR_SRCA].bank[0].matrix_owns = false;
    c.r->state->src[TSR_SRCA].bank[1].matrix_owns = false;
    return c;
}

static void test_word_again(int arch)
{
    struct canary c = canary_after_one(arch);
    takes(&c, 4);
    c = canary_after_one(arch);
    rig_set(c.r, FIELD_UNPACK_MISC_CFG_CfgContextOffset_0, 1); // whose plan was never made
    takes(&c, 0);
    c = canary_after_one(arch);
    assert_int_equal(tsr_unpack_ops.run_block(&c.r->env, 1, c.words, 1), 0); // no plan of thread 1
    takes(&c, 4);
    c = canary_after_one(arch);
    c.words[0] &= ~(uint32_t)MULTI;
    takes(&c, 0);
}
TILE_BOTH(test_word_again)

// A word that executed singly leaves nothing that a block could go on with.
static void test_single_between(int arch)
{
    struct canary c = canary_new(arch);
    struct tsr_inflight inst = {.word = c.words[0], .op = OP_UNPACR};
    struct tsr_unpack_operands *operands = &c.r->env.unpack_plans->operands[0];
    assert_int_equal(tsr_unpack_ops.run_block(&c.r->env, 0, c.words, 1), 1);
    assert_non_null(operands->current);
    tsr_unpack_decode(&c.r->env, &inst, operands);
    assert_null(operands->current);
    rig_free(c.r);
}
TILE_BOTH(test_single_between)

static void test_anomaly_of_a_word(int arch)
{
    struct canary c = canary_new(arch);
    c.words[2] &= ~(uint32_t)MULTI; // a legacy mode
    takes(&c, 2);
}
TILE_BOTH(test_anomaly_of_a_word)

static void test_small_variants(int arch)
{
    struct canary c = canary_new(arch);
    c.words[3] |= 1u << 1; // SearchCacheFlush
    takes(&c, 3);
    c = canary_new(arch);
    c.words[3] |= 1u << 13; // CfgContextCntInc
    takes(&c, 3);
}
TILE_BOTH(test_small_variants)

// How many of SrcA's UNPACR, an UNPACR_NOP and another UNPACR go as one. `spoil` changes the banks.
static unsigned with_nop(int arch, uint32_t nop, void (*spoil)(struct tsr_src *src))
{
    struct canary c = canary_new(arch);
    const uint32_t words[3] = {c.words[1], NOP_WORD | nop, c.words[1]};
    for (int side = 0; side < 2; side++)
        for (int bank = 0; bank < 2; bank++)
            c.r->state->src[side].bank[bank].matrix_owns = false;
    if (spoil)
        spoil(c.r->state->src);
    unsigned done = tsr_unpack_ops.run_block(&c.r->env, 0, words, 3);
    assert_int_equal(c.r->findings.reported, 0);
    rig_free(c.r);
    return done;
}

static void lend(struct tsr_src *src)
{
    src[0].bank[src[0].unpacker_bank].matrix_owns = true;
}

static void lend_to_matrix(struct tsr_src *src)
{
    src[0].matrix_bank = src[0].unpacker_bank ^ 1;
    src[0].bank[src[0].matrix_bank].matrix_owns = true;
}

static void never_filled(struct tsr_src *src)
{
    src[0].bank[src[0].unpacker_bank].filled = false;
}

static void filled(struct tsr_src *src)
{
    src[0].bank[src[0].unpacker_bank].filled = true;
}

static void test_nops(int arch)
{
    enum { CLEAR = 1, WAITS = 1 << 5, NOTHING = 2, HAND_OVER = 7, BOTH = 1 << 4 };
    uint32_t waits = arch == WH ? 1 << 4 : WAITS, both = arch == WH ? 1 << 3 : BOTH;
    assert_int_equal(with_nop(arch, NOTHING, NULL), 3);
    assert_int_equal(with_nop(arch, CLEAR, NULL), 3);
    assert_int_equal(with_nop(arch, CLEAR, lend_to_matrix), 1); // waits for the matrix unit's bank
    assert_int_equal(with_nop(arch, CLEAR | waits, lend_to_matrix), 3);
    assert_int_equal(with_nop(arch, CLEAR | waits, lend), 1);
    assert_int_equal(with_nop(arch, CLEAR | both, NULL), 1); // a legacy mode
    assert_int_equal(with_nop(arch, HAND_OVER, filled), 3);
    assert_int_equal(with_nop(arch, HAND_OVER, never_filled), 1);
    assert_int_equal(with_nop(arch, HAND_OVER, lend), 1);
    assert_int_equal(with_nop(arch, NOTHING | 1 << 21, NULL), 1); // a reserved bit
    assert_int_equal(with_nop(arch, 4, NULL), 1);                 // a register
}
TILE_BOTH(test_nops)

static void test_other_instruction(int arch)
{
    struct canary c = canary_new(arch);
    c.words[1] = NOP_WORD; // a message of a stream is freed
    takes(&c, 1);
}
TILE_BOTH(test_other_instruction)

static void test_anomaly_of_configuration(int arch)
{
    struct canary c = canary_new(arch);
    rig_set(c.r, FIELD_THCON_SEC1_REG2_Disable_zero_compress_cntx0, 0); // compressed input
    tsr_findings_profile(&c.r->findings, TSR_PROFILE_SILICON);
    struct tsr_inflight kept = c.r->inst;
    assert_true(rig_run(c.r, c.words[1])); // makes the plan
    c.r->inst = kept;
    tsr_findings_clear(&c.r->findings);
    c.r->state->src[TSR_SRCB].bank[1].matrix_owns = false;
    c.r->state->src[TSR_SRCB].bank[0].matrix_owns = false;
    takes(&c, 1);
}
TILE_BOTH(test_anomaly_of_configuration)

static void test_anomaly_of_an_address(int arch)
{
    struct canary c = canary_new(arch);
    rig_set(c.r, FIELD_THCON_SEC1_REG3_Base_address, c.r->state->l1.size / 16); // outside L1
    takes(&c, 1);
}
TILE_BOTH(test_anomaly_of_an_address)

static void test_anomaly_of_counters(int arch)
{
    struct canary c = canary_new(arch);
    c.r->state->adcs.channel[0][1][1].x = 70000; // beyond the input side
    takes(&c, 1);
}
TILE_BOTH(test_anomaly_of_counters)

static void test_rows_that_are_not_there(int arch)
{
    struct canary c = canary_new(arch);
    c.r->state->unpacker[1].src_row[0] = 56;
    takes(&c, 1);
}
TILE_BOTH(test_rows_that_are_not_there)

static void test_unwritten_bytes(int arch)
{
    struct canary c = canary_new(arch);
    rig_set(c.r, FIELD_THCON_SEC1_REG3_Base_address, TILE / 16 - 2); // 16 bytes before the input
    takes(&c, 1);
}
TILE_BOTH(test_unwritten_bytes)

// Nothing is moved, so the bank that is handed over was never filled.
static void test_bank_never_filled(int arch)
{
    struct canary c = canary_new(arch);
    c.r->state->adcs.channel[0][1][0].x = DATUMS;
    c.r->state->src[TSR_SRCB].bank[1].filled = false;
    c.words[1] |= (uint32_t)ZERO;
    takes(&c, 1);
    c = canary_new(arch);
    c.r->state->adcs.channel[0][1][0].x = DATUMS;
    c.r->state->src[TSR_SRCB].bank[1].filled = true;
    c.r->state->src[TSR_SRCB].bank[0].filled = true;
    takes(&c, 4);
}
TILE_BOTH(test_bank_never_filled)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_runs),
        cmocka_unit_test(test_random_finishes),
        TILE_TEST(test_clear_again),
        TILE_TEST(test_whole_run),
        TILE_TEST(test_bank_of_the_matrix_unit),
        TILE_TEST(test_plan_that_changed),
        TILE_TEST(test_other_thread),
        TILE_TEST(test_word_again),
        TILE_TEST(test_single_between),
        TILE_TEST(test_anomaly_of_a_word),
        TILE_TEST(test_small_variants),
        TILE_TEST(test_nops),
        TILE_TEST(test_other_instruction),
        TILE_TEST(test_anomaly_of_configuration),
        TILE_TEST(test_anomaly_of_an_address),
        TILE_TEST(test_anomaly_of_counters),
        TILE_TEST(test_rows_that_are_not_there),
        TILE_TEST(test_unwritten_bytes),
        TILE_TEST(test_bank_never_filled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
