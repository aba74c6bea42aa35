// SPDX-License-Identifier: Apache-2.0
// What is kept of plain UNPACRs and the counters that they find (unpack_plain.h): with it they
// leave what they leave when all of it is found anew, whatever has changed in between. Page:
// UNPACR_Regular.md.
#include "rig/each_chip.h"
#include "rig/state_compare.h"
#include "rig/unpack_rig.h"

enum { ROUNDS = 4000, TILE = 0x10000, DATUMS = 256, THREADS = 2 };

static uint32_t any(struct rig *r, uint32_t below)
{
    return rig_random(r) % below;
}

static void start(struct rig *r)
{
    static uint8_t bytes[0x4000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 167 >> 3);
    tsr_l1_put(&r->state->l1, TILE, bytes, sizeof bytes, false);
    tsr_findings_profile(&r->findings, TSR_PROFILE_SILICON);
    for (int unpacker = 0; unpacker < 2; unpacker++)
        rig_configure(r, unpacker, 5, 5, DATUMS);
}

// One thing at a time, and few values: most of it has been there before.
static void change(struct rig *r, uint32_t what, uint32_t how, int unpacker)
{
    tsr_adc_channel *adc = r->state->adcs.channel[0][unpacker];
    switch (what) {
    case 0:
    case 1:
        SET(r, unpacker, REG3_Base_address, TILE / 16 - 1 + 32 * (how % 4));
        break;
    case 2: // behind what was written
        SET(r, unpacker, REG3_Base_address, (TILE + 0x4000) / 16 - 33 - 16 * (how % 8));
        break;
    case 3: // where a circular buffer ends
        SET(r, unpacker, REG2_Unpack_limit_address, how % 3 ? TILE / 16 + 20 * how : 0);
        SET(r, unpacker, REG2_Unpack_fifo_size, 64);
        break;
    case 4:
        rig_set2(r, unpacker, FIELD_UNP0_ADDR_BASE_REG_1_Base, FIELD_UNP1_ADDR_BASE_REG_1_Base,
                 512 * (how % 3));
        break;
    case 5:
        rig_set(r, FIELD_THCON_SEC0_REG5_Dest_cntx0_address, 64 + 16 * (how % 3));
        break;
    case 6: // BFP8 and back
        SET(r, unpacker, REG0_TileDescriptor_InDataFormat, how % 2 ? 6 : 5);
        SET(r, unpacker, REG2_Out_data_format, how % 2 ? 6 : 5);
        break;
    case 7:
        adc[1].x = how % 2 ? DATUMS - 1 : 15;
        break;
    default:
        break;
    }
}

static void set_counters(struct rig *r, uint32_t some, int unpacker)
{
    for (int thread = 0; thread < THREADS; thread++) {
        tsr_adc_channel *adc = r->state->adcs.channel[thread][unpacker];
        adc[0].z = some % 4;
        adc[0].y = some >> 2 & 1;
        adc[0].w = some >> 4 & 15 ? 0 : 1;
        adc[1].y = some >> 8 & 15 ? 0 : 1;
        adc[1].z = adc[1].w = 0;
    }
}

static void run(struct rig *r, uint32_t word, uint8_t thread, bool block)
{
    if (block && tsr_unpack_ops.run_block(&r->env, thread, &word, 1) == 1)
        return;
    rig_decode(r, word);
    r->inst.thread = thread;
    r->inst.unit = (uint8_t)(TSR_UNIT_UNPACKER0 + (word >> 23 & 1));
    rig_run_decoded(r);
}

static void take_round(struct rig *kept, struct rig *anew)
{
    int unpacker = (int)any(kept, 2);
    uint32_t what = any(kept, 16), how = any(kept, 8);
    uint32_t word = UNPACR | MULTI | FLIP | (unpacker ? ONE : 0) | (any(kept, 4) ? 1u : 4u) << 15;
    uint8_t thread = (uint8_t)(any(kept, 4) == 0); // thread 1 reads thread 0's counters, too
    bool block = any(kept, 3) > 0;
    uint32_t counters = any(kept, 0x1000);
    for (int i = 0; i < 2; i++) {
        struct rig *r = i ? anew : kept;
        change(r, what, how, unpacker);
        set_counters(r, counters, unpacker);
        if (i)
            tsr_unpack_plans_clear(r->env.unpack_plans);
        run(r, word, thread, block);
        for (int bank = 0; bank < 2; bank++)
            r->state->src[unpacker].bank[bank].matrix_owns = false;
    }
}

static void test_same(int arch)
{
    struct rig *kept = rig_new((tsr_arch)arch), *anew = rig_new((tsr_arch)arch);
    start(kept);
    start(anew);
    for (int i = 0; i < ROUNDS; i++) {
        take_round(kept, anew);
        const char *different = state_difference(kept->state, anew->state);
        if (different)
            fail_msg("round %d of chip %d: %s", i, arch, different);
        assert_int_equal(kept->findings.reported, anew->findings.reported);
    }
    rig_free(kept);
    rig_free(anew);
}
TILE_BOTH(test_same)

int main(void)
{
    const struct CMUnitTest tests[] = {TILE_TEST(test_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
