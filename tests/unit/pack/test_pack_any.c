// SPDX-License-Identifier: Apache-2.0
// Any configuration, any counters, any PACR: nothing runs away, and what comes out depends on
// nothing but them, with timing off and on and with any kernels. Sense is not asked for; that is
// what the other tests of PACR do. Pages: PACR.md of each chip, Packers/README.md.
#include "rig/pack_rig.h"
#include "rig/sample.h"

enum { ROUNDS = RIG_SAMPLE(300), PACRS = 10 };

static uint32_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (uint32_t)((z ^ (z >> 31)) >> 16);
}

// Few bits more often than many: most modes alone, and all of them together now and then.
static uint32_t sparse(uint64_t *random)
{
    uint32_t word = next_random(random);
    for (unsigned i = next_random(random) % 5; i > 0; i--)
        word &= next_random(random);
    return word;
}

static void random_words(tsr_tile *tile, uint64_t *random, unsigned first, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        tsr_config_write(tile_env(tile), 0, first + i, sparse(random), 0xffffffff);
}

static unsigned word_of(const tsr_tile *tile, enum tsr_field field)
{
    return tile_env((tsr_tile *)tile)->isa->field[field].addr32;
}

// All words that packers read; formats mostly make a pair, since else nothing happens.
static void random_configuration(tsr_tile *tile, uint64_t *random)
{
    static const uint8_t pairs[8][3] = {{FP16, FP8, 0},   {BF16, BFP4, 0}, {BF16, BF16, 1},
                                        {FP32, FP16, 1},  {INT8, INT8, 1}, {INT16, INT16, 0},
                                        {FP16, BFP2A, 0}, {BF16, BFP8, 0}};
    const struct tsr_layout *layout = &tile_env(tile)->isa->layout;
    const uint8_t *pair = pairs[next_random(random) % 8];
    random_words(tile, random, 0, layout->unpack0_base); // ALU, packer 0
    tile_field(tile, 0, FIELD_STACC_RELU_ApplyRelu, next_random(random) % 6);
    tile_field(tile, 0, FIELD_PCK_DEST_RD_CTRL_Read_32b_data, pair[2]);
    tile_field(tile, 0, FIELD_PCK_DEST_RD_CTRL_Round_10b_mant, 0);
    tile_field(tile, 0, FIELD_PCK_DEST_RD_CTRL_Read_int8, 0);
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG_Dstacc_override, 0);
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG2_Dstacc, pair[0]);
    random_words(tile, random, word_of(tile, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset), 4);
    random_words(tile, random, word_of(tile, FIELD_INT_DESCALE_VALUES_SEC0_Value), 16);
    for (int i = 0; i < 4; i++) {
        random_words(tile, random, word_of(tile, (enum tsr_field)PACKER(i, Exp_section_size)), 4);
        if (next_random(random) % 8 == 0)
            continue;
        tile_field(tile, 0, (enum tsr_field)PACKER(i, In_data_format), pair[0]);
        tile_field(tile, 0, (enum tsr_field)PACKER(i, Out_data_format), pair[1]);
        tile_field(tile, 0, (enum tsr_field)PACKER(i, L1_Dest_addr), next_random(random) % 0x19000);
    }
}

static void random_counters(tsr_tile *tile, uint64_t *random)
{
    for (unsigned channel = 0; channel < 2; channel++) {
        tsr_adc_channel *adc = &tile_state(tile)->adcs.channel[0][TSR_ADC_PACKERS][channel];
        adc->x = channel * (next_random(random) % 16);
        if (next_random(random) % 8 == 0)
            adc->x = sparse(random) % 0x40000;
        adc->y = sparse(random) % 0x2000;
        adc->z = sparse(random) % 0x100;
        adc->w = sparse(random) % 0x100;
    }
}

// The same seed is the same program.
static tsr_tile *run(int arch, uint64_t seed, bool timing, const char *kernels)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    uint64_t random = seed;
    options.timing = timing;
    options.kernels = kernels;
    options.profile = TSR_PROFILE_SILICON;
    tsr_tile *tile = tile_with(&options);
    for (unsigned i = 0; i < 1024 * 16; i++)
        dst_put(tile, i / 16, i % 16, next_random(&random) % 7 ? next_random(&random) : 0, false);
    for (unsigned pacr = 0; pacr < PACRS; pacr++) {
        if (pacr % 4 == 0)
            random_configuration(tile, &random);
        tile_field(tile, 0, FIELD_ENABLE_ACC_STATS_Enable, next_random(&random) % 3 == 0);
        random_counters(tile, &random);
        uint32_t word = 0x41000000u | (sparse(&random) & 0xffffff);
        tile_push_word(tile, 0, pacr == PACRS - 1 ? word | 3 : word);
        tsr_end end = tile_run(tile);
        if (end != TSR_END_IDLE)
            fail_msg("seed %u, end %d: %s", (unsigned)seed, (int)end,
                     tsr_diagnostic_at(tile, tsr_diagnostic_count(tile) - 1)->sentence);
    }
    return tile;
}

static void assert_same(tsr_tile *a, tsr_tile *b, uint64_t seed)
{
    const struct tsr_state *p = tile_state(a), *q = tile_state(b);
    if (memcmp(p->l1.bytes, q->l1.bytes, p->l1.size) != 0 ||
        memcmp(&p->packers, &q->packers, sizeof p->packers) != 0 ||
        memcmp(&p->adcs, &q->adcs, sizeof p->adcs) != 0)
        fail_msg("seed %u differs", (unsigned)seed);
}

static void test_any(int arch)
{
    unsigned packed = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        tsr_tile *first = run(arch, seed, false, "auto");
        tsr_tile *second = run(arch, seed, true, "reference");
        assert_same(first, second, seed);
        packed += was_written(first, 0, 1) || tile_state(first)->packers.packer[0].last_tile_size;
        tsr_tile_destroy(first);
        tsr_tile_destroy(second);
    }
    assert_true(packed > ROUNDS / 4); // not all of it was refused
}
TILE_BOTH(test_any)

int main(void)
{
    const struct CMUnitTest tests[] = {TILE_TEST(test_any)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
