// SPDX-License-Identifier: Apache-2.0
// Tiles for programs of faces. Pages: UNPACR_Regular.md, SrcASrcB.md, MatrixUnit.md; the
// performance counters: machine/perf_counters.def.
#include "oracle/face_oracle_tile.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

// In both banks or for all threads, if the chip has it.
static void set(const struct pair *pair, enum tsr_field field, uint32_t value)
{
    const struct tsr_field_place *place = &tile_env(pair->tile[0])->isa->field[field];
    if (place->width == 0)
        return;
    const int instances = place->scope == TSR_SCOPE_THREAD ? TSR_THREADS : 2;
    for (int way = 0; way < 2; way++)
        for (int i = 0; i < instances; i++)
            tile_field(pair->tile[way], i, field, value & tsr_mask32(place->width));
}

// ---------------------------------------------------------------- configuration

// The other context of the unpackers, like the first, and what the rigs set for some threads.
static const struct {
    enum tsr_field field;
    uint32_t value;
} settings[] = {
    {FIELD_THCON_SEC0_REG3_Base_cntx1_address, FACE_A / 16 + 31},
    {FIELD_THCON_SEC1_REG3_Base_cntx1_address, FACE_B / 16 + 63},
    {FIELD_THCON_SEC0_REG5_Dest_cntx1_address, 64},
    {FIELD_THCON_SEC0_REG5_Tile_x_dim_cntx1, FACE},
    {FIELD_THCON_SEC1_REG5_Tile_x_dim_cntx1, FACE},
    {FIELD_THCON_SEC0_REG2_Disable_zero_compress_cntx1, 1},
    {FIELD_THCON_SEC1_REG2_Disable_zero_compress_cntx1, 1},
    {FIELD_UNP0_ADDR_CTRL_ZW_REG_0_Zstride, FACE_BYTES},
    {FIELD_UNP1_ADDR_CTRL_ZW_REG_0_Zstride, FACE_BYTES},
    {FIELD_SRCA_SET_SetOvrdWithAddr, 1},
    {FIELD_ADDR_MOD_AB_SEC0_SrcAIncr, 8},
    {FIELD_ADDR_MOD_AB_SEC0_SrcBIncr, 8},
    {FIELD_ADDR_MOD_DST_SEC0_DestIncr, 8},
    {FIELD_ADDR_MOD_AB_SEC1_SrcAIncr, 8},
    {FIELD_ADDR_MOD_PACK_SEC0_YsrcIncr, 4},
    {FIELD_ADDR_MOD_PACK_SEC1_YsrcIncr, 1},
};

// What is another value in one program of `one_in`, and in others less often.
enum { VALUES = 4 };
static const struct {
    enum tsr_field field;
    uint32_t one_in;
    uint32_t value[VALUES];
} changes[] = {
    {FIELD_THCON_SEC0_REG2_Throttle_mode, 2, {0, 1, 2, 3}},
    {FIELD_THCON_SEC1_REG2_Throttle_mode, 2, {0, 1, 2, 3}},
    {FIELD_THCON_SEC0_REG2_Context_count, 12, {1, 1, 1, 2}},
    {FIELD_THCON_SEC1_REG2_Context_count, 12, {1, 1, 1, 2}},
    {FIELD_THCON_SEC0_REG3_Base_address, 16, {0x60000 / 16 - 1, 0x40000 / 16 - 16, 1, FACE_B / 16}},
    {FIELD_THCON_SEC1_REG3_Base_address, 16, {0x60000 / 16 - 1, 0x40000 / 16 - 16, 1, FACE_A / 16}},
    {FIELD_ALU_ACC_CTRL_Fp32_enabled, 4, {1, 1, 1, 1}},
    {FIELD_ALU_ACC_CTRL_INT8_math_enabled, 10, {1, 1, 1, 1}},
    {FIELD_CLR_DVALID_SrcA_Disable, 12, {1, 1, 1, 1}},
    {FIELD_CLR_DVALID_SrcB_Disable, 12, {1, 1, 1, 1}},
    {FIELD_DISABLE_IMPLIED_SRCA_FMT_Base, 4, {1, 1, 1, 1}},
    {FIELD_DISABLE_IMPLIED_SRCB_FMT_Base, 4, {1, 1, 1, 1}},
    {FIELD_SRCA_SET_SetOvrdWithAddr, 8, {0, 0, 0, 0}},
    {FIELD_ADDR_MOD_AB_SEC0_SrcAIncr, 6, {0, 8, 16, 3}},
    {FIELD_ADDR_MOD_AB_SEC0_SrcBIncr, 6, {0, 8, 16, 5}},
    {FIELD_ADDR_MOD_DST_SEC0_DestIncr, 6, {0, 8, 16, 4}},
    {FIELD_ADDR_MOD_AB_SEC1_SrcBIncr, 4, {8, 8, 16, 1}},
    {FIELD_ADDR_MOD_AB_SEC1_SrcAClear, 8, {1, 1, 1, 1}},
    {FIELD_ADDR_MOD_AB_SEC1_SrcBClear, 8, {1, 1, 1, 1}},
    {FIELD_ADDR_MOD_DST_SEC1_DestIncr, 4, {8, 8, 16, 2}},
    {FIELD_ADDR_MOD_AB_SEC2_SrcAIncr, 4, {8, 8, 16, 9}},
    {FIELD_ADDR_MOD_DST_SEC2_DestIncr, 4, {8, 16, 16, 8}},
    {FIELD_ADDR_MOD_DST_SEC2_DestCR, 8, {1, 1, 1, 1}},
    {FIELD_ADDR_MOD_DST_SEC3_FidelityIncr, 4, {1, 1, 2, 3}},
    {FIELD_PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 8, {FACE_BYTES, FACE_BYTES, 32, 64}},
    {FIELD_ADDR_MOD_PACK_SEC0_YsrcIncr, 8, {1, 4, 2, 16}},
    {FIELD_CFG_STATE_ID_StateID, 16, {1, 1, 1, 1}},
};

// In L1 and in Src; the first of these make plain faces.
static const uint8_t formats[][2] = {{BF16, BF16}, {FP16, FP16}, {FP32, TF32}, {FP32, BF16},
                                     {BFP8, BF16}, {BFP4, BFP8}, {BF16, TF32}, {INT8, INT8},
                                     {FP32, FP32}, {BF16, FP16}};

static void configure(const struct pair *pair, enum face_level level, uint64_t *random)
{
    static const enum tsr_field format[2][2] = {
        {FIELD_THCON_SEC0_REG0_TileDescriptor_InDataFormat, FIELD_THCON_SEC0_REG2_Out_data_format},
        {FIELD_THCON_SEC1_REG0_TileDescriptor_InDataFormat, FIELD_THCON_SEC1_REG2_Out_data_format}};
    for (size_t i = 0; i < COUNT(settings); i++)
        set(pair, settings[i].field, settings[i].value);
    static const uint32_t rarer[] = {32, 4, 1};
    for (size_t i = 0; i < COUNT(changes); i++)
        if (face_draw(random, rarer[level] * changes[i].one_in))
            set(pair, changes[i].field, changes[i].value[run_draw(random, VALUES)]);
    for (int unpacker = 0; unpacker < 2; unpacker++) {
        if (!face_draw(random, 6))
            continue;
        const uint8_t *of = formats[run_draw(random, level == FACE_PLAIN ? 3 : COUNT(formats))];
        set(pair, format[unpacker][0], of[0]);
        set(pair, format[unpacker][1], of[1]);
    }
}

// ---------------------------------------------------------------- memories and banks

static void fill_memories(const struct pair *pair)
{
    static uint8_t bytes[OUT - FACE_A];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i % 2 ? 0x3f : i * 5 + i / FACE_BYTES);
    for (int way = 0; way < 2; way++) {
        assert_int_equal(tsr_l1_write(pair->tile[way], FACE_A, bytes, sizeof bytes), TSR_OK);
        for (int gpr = 0; gpr < TSR_GPRS * TSR_THREADS; gpr++)
            tile_set_gpr(pair->tile[way], gpr / TSR_GPRS, gpr % TSR_GPRS, (uint32_t)gpr);
    }
}

static void set_banks(struct tsr_state *state, uint32_t owners, uint32_t pointers)
{
    for (unsigned i = 0; i < 4; i++)
        state->src[i / 2].bank[i % 2].matrix_owns = owners >> i & 1;
    for (unsigned side = 0; side < 2; side++) {
        state->src[side].matrix_bank = pointers >> side & 1;
        state->src[side].unpacker_bank = pointers >> (2 + side) & 1;
    }
}

struct pair face_tiles_new(int arch, bool timing, enum face_level level, uint64_t *random)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.profile = face_draw(random, 10) ? TSR_PROFILE_STRICT : TSR_PROFILE_SILICON;
    options.timing = timing;
    options.watch_config = face_draw(random, 12);
    struct pair pair = pair_of(&options);
    pair_unpackers(&pair);
    fill_memories(&pair);
    configure(&pair, level, random);
    const bool any_banks = face_draw(random, level == FACE_PLAIN ? 12 : 4);
    const uint32_t owners = any_banks ? run_draw(random, 16) : 0;
    const uint32_t pointers = any_banks && face_draw(random, 2) ? run_draw(random, 16) : 0;
    const uint32_t unwritten = face_draw(random, 16) ? 1 + run_draw(random, 400) : 0;
    for (int way = 0; way < 2; way++) {
        struct tsr_state *state = tile_state(pair.tile[way]);
        set_banks(state, owners, pointers);
        memset(state->dst.written, 0, unwritten * sizeof *state->dst.written);
    }
    return pair;
}

void face_tiles_set_mops(const struct pair *pair, int thread, const uint32_t mop[TSR_MOP_WORDS])
{
    for (int way = 0; way < 2; way++)
        for (uint32_t i = 0; i < TSR_MOP_WORDS; i++)
            tsr_store(pair->tile[way], (tsr_core)(TSR_CORE_T0 + thread), 0xffb80000u + 4 * i,
                      mop[i], 4);
}

void face_tiles_release(const struct pair *pair, uint64_t *random)
{
    const uint32_t how = run_draw(random, 4);
    const uint8_t value = (uint8_t)run_draw(random, 3);
    for (int way = 0; way < 2; way++) {
        struct tsr_state *state = tile_state(pair->tile[way]);
        for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
            struct tsr_src *src = &state->src[side];
            if (how == 2)
                src->unpacker_bank = src->matrix_bank ^ 1;
            if (how != 1)
                tsr_src_for_unpacker(src)->matrix_owns = false;
            tsr_src_for_matrix(src)->matrix_owns = how != 3;
        }
        for (int i = 0; i < TSR_SEMAPHORES; i++)
            state->sync.semaphore[i].value = value;
    }
}

// ---------------------------------------------------------------- performance counters

enum counter_bank {
#define PERF_BANK(name, registers, outputs) BANK_##name,
#include "machine/perf_counters.def"
    COUNTER_BANKS
};

static const struct {
    uint32_t registers, outputs;
} counter_banks[COUNTER_BANKS] = {
#define PERF_BANK(name, registers, outputs) {registers, outputs},
#include "machine/perf_counters.def"
};

static const struct {
    uint8_t bank;
    uint16_t number;
} counters[] = {
#define PERF_COUNTER(bank, number, name, what, index) {BANK_##bank, number},
#include "machine/perf_counters.def"
};

enum { DEBUG_REGISTERS = 0xb12000 }; // below 0xff000000

// A tile that has stopped takes none.
static void put(const struct pair *pair, uint32_t offset, uint32_t value)
{
    const uint32_t address = 0xff000000u + DEBUG_REGISTERS + offset;
    assert_int_equal(tsr_host_store(pair->tile[0], address, value, 4),
                     tsr_host_store(pair->tile[1], address, value, 4));
}

void face_tiles_count(const struct pair *pair)
{
    for (int bank = 0; bank < COUNTER_BANKS; bank++) {
        const uint32_t registers = counter_banks[bank].registers;
        put(pair, registers, 0xffffffff);
        put(pair, registers + 4, 0);
        put(pair, registers + 8, 0);
        put(pair, registers + 8, 1);
    }
}

bool face_tiles_same_counts(const struct pair *pair, uint64_t *random)
{
    enum { LOOKS = 8, OUTPUTS = 2 };
    bool same = true;
    for (int look = 0; look < LOOKS; look++) {
        const size_t which = run_draw(random, COUNT(counters));
        const unsigned bank = counters[which].bank;
        put(pair, counter_banks[bank].registers + 4, (uint32_t)counters[which].number << 8);
        for (uint32_t output = 0; output < OUTPUTS; output++) {
            uint32_t value[2] = {0, 0};
            for (int way = 0; way < 2; way++)
                tsr_host_load(pair->tile[way],
                              0xff000000u + DEBUG_REGISTERS + counter_banks[bank].outputs +
                                  4 * output,
                              &value[way], 4);
            if (value[0] != value[1])
                print_message("bank %u number %u output %u: %x %x\n", bank, counters[which].number,
                              output, value[0], value[1]);
            same &= value[0] == value[1];
        }
    }
    return same;
}
