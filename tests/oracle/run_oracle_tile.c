// SPDX-License-Identifier: Apache-2.0
// Tiles of random programs: fields, memories, MOPs, and what disturbs them.
#include "oracle/run_oracle_tile.h"

#include "base/format_codes.h"
#include "oracle/run_oracle_words.h"
#include "state/config_access.h"

// A field of bank or thread `instance`, if the chip has it.
static void set_field(tsr_tile *tile, int instance, const char *name, uint32_t value)
{
    const tsr_field_info *field = tsr_field_find(tsr_tile_arch(tile), name);
    if (!field)
        return;
    struct tsr_env *env = tile_env(tile);
    uint32_t mask = tsr_mask32(field->width) << field->first_bit;
    if (field->scope == TSR_SCOPE_THREAD) {
        uint32_t old = env->state->config.thread[instance][field->addr32] & ~mask;
        tsr_thread_config_write(env, instance, field->addr32,
                                (uint16_t)(old | (value << field->first_bit & mask)));
    } else if (instance < 2) {
        tsr_config_write(env, instance, field->addr32, value << field->first_bit, mask);
    }
}

static void fill_l1(tsr_tile *tile)
{
    static uint8_t bytes[0x40000];
    uint32_t state = 1;
    for (size_t i = 0; i < sizeof bytes; i += 2) {
        state = state * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(state >> 8);
        bytes[i + 1] = (uint8_t)(0x3e | (state >> 24 & 0x81)); // a small BF16 number
    }
    assert_int_equal(tsr_l1_write(tile, 0, bytes, sizeof bytes), TSR_OK);
}

// Of both banks and all threads; fields that the chip does not have are left out.
static const struct {
    const char *name;
    uint32_t value;
} settings[] = {
    {"THCON_SEC0_REG0_TileDescriptor.InDataFormat", TSR_FORMAT_BF16},
    {"THCON_SEC0_REG0_TileDescriptor.IsUncompressed", 1},
    {"THCON_SEC0_REG0_TileDescriptor.XDim", 256},
    {"THCON_SEC0_REG0_TileDescriptor.YDim", 1},
    {"THCON_SEC0_REG0_TileDescriptor.ZDim", 4},
    {"THCON_SEC0_REG2_Out_data_format", TSR_FORMAT_BF16},
    {"THCON_SEC0_REG2_Throttle_mode", 2},
    {"THCON_SEC0_REG2_Disable_zero_compress_cntx0", 1},
    {"THCON_SEC0_REG2_Disable_zero_compress_cntx1", 1},
    {"THCON_SEC0_REG3_Base_address", 0x100},
    {"THCON_SEC0_REG3_Base_cntx1_address", 0x300},
    {"THCON_SEC0_REG5_Dest_cntx0_address", 64},
    {"THCON_SEC0_REG5_Dest_cntx1_address", 64},
    {"THCON_SEC0_REG5_Tile_x_dim_cntx0", 256},
    {"THCON_SEC0_REG5_Tile_x_dim_cntx1", 256},
    {"THCON_SEC1_REG0_TileDescriptor.InDataFormat", TSR_FORMAT_BF16},
    {"THCON_SEC1_REG0_TileDescriptor.IsUncompressed", 1},
    {"THCON_SEC1_REG0_TileDescriptor.XDim", 256},
    {"THCON_SEC1_REG0_TileDescriptor.YDim", 1},
    {"THCON_SEC1_REG0_TileDescriptor.ZDim", 4},
    {"THCON_SEC1_REG2_Out_data_format", TSR_FORMAT_BF16},
    {"THCON_SEC1_REG2_Throttle_mode", 2},
    {"THCON_SEC1_REG2_Disable_zero_compress_cntx0", 1},
    {"THCON_SEC1_REG3_Base_address", 0x200},
    {"UNP0_ADDR_CTRL_XY_REG_0_Ystride", 32},
    {"UNP0_ADDR_CTRL_ZW_REG_0_Zstride", 512},
    {"UNP1_ADDR_CTRL_ZW_REG_0_Zstride", 512},
    {"ALU_FORMAT_SPEC_REG0_SrcA", TSR_FORMAT_BF16},
    {"ALU_FORMAT_SPEC_REG1_SrcB", TSR_FORMAT_BF16},
    {"ALU_FORMAT_SPEC_REG2_Dstacc", TSR_FORMAT_BF16},
    {"PCK0_ADDR_CTRL_XY_REG_0_Ystride", 32},
    {"PCK0_ADDR_CTRL_ZW_REG_0_Zstride", 512},
    {"PCK_EDGE_OFFSET_SEC0_mask", 0xffff},
    {"SRCA_SET_SetOvrdWithAddr", 1},
    {"ADDR_MOD_AB_SEC0_SrcAIncr", 8},
    {"ADDR_MOD_AB_SEC0_SrcBIncr", 8},
    {"ADDR_MOD_DST_SEC0_DestIncr", 8},
    {"ADDR_MOD_AB_SEC1_SrcBIncr", 8},
    {"ADDR_MOD_AB_SEC2_SrcAIncr", 16},
    {"ADDR_MOD_DST_SEC2_DestCR", 1},
    {"ADDR_MOD_DST_SEC2_DestIncr", 16},
    {"ADDR_MOD_DST_SEC3_FidelityIncr", 1},
    {"ADDR_MOD_PACK_SEC0_YsrcIncr", 4},
    {"ADDR_MOD_PACK_SEC1_YsrcIncr", 1},
    {"ADDR_MOD_PACK_SEC1_YsrcCR", 1},
    {"ADDR_MOD_PACK_SEC2_YsrcClear", 1},
    {"ADDR_MOD_PACK_SEC2_ZsrcIncr", 1},
};

// What each packer has of its own, one behind the other in Dst and in L1.
static void configure_packer(tsr_tile *tile, unsigned packer)
{
    static const char *const place[4] = {"THCON_SEC0_REG1", "THCON_SEC0_REG8", "THCON_SEC1_REG1",
                                         "THCON_SEC1_REG8"};
    const struct {
        const char *name;
        uint32_t value;
    } fields[] = {{"Row_start_section_size", 0},
                  {"Disable_zero_compress", 1},
                  {"In_data_format", TSR_FORMAT_BF16},
                  {"Out_data_format", TSR_FORMAT_BF16},
                  {"L1_Dest_addr", 0x4000 + packer * 0x100}};
    char name[80];
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        snprintf(name, sizeof name, "%s_%s", place[packer], fields[i].name);
        set_field(tile, 0, name, fields[i].value);
    }
    snprintf(name, sizeof name, "PACK_COUNTERS_SEC%u_pack_reads_per_xy_plane", packer);
    set_field(tile, 0, name, 16);
    snprintf(name, sizeof name, "DEST_TARGET_REG_CFG_PACK_SEC%u_Offset", packer);
    set_field(tile, 0, name, packer * 16);
}

static void configure(tsr_tile *tile)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        for (int instance = 0; instance < TSR_THREADS; instance++) // or the two banks
            set_field(tile, instance, settings[i].name, settings[i].value);
    for (unsigned packer = 0; packer < 4; packer++)
        configure_packer(tile, packer);
}

static void write_mop(tsr_tile *tile, int thread, const uint32_t mop[TSR_MOP_WORDS])
{
    for (uint32_t i = 0; i < TSR_MOP_WORDS; i++)
        tsr_store(tile, (tsr_core)(TSR_CORE_T0 + thread), 0xffb80000u + 4 * i, mop[i], 4);
}

static void set_mop(tsr_tile *tile, uint64_t *random, int thread)
{
    uint32_t mop[TSR_MOP_WORDS];
    run_words_mop(tile, random, thread, mop);
    write_mop(tile, thread, mop);
}

void run_tile_set_turns(tsr_tile *tile, uint64_t random)
{
    bool in_step = run_draw(&random, 3) != 0;
    for (int thread = 0; thread < 2; thread++) {
        uint32_t mop[TSR_MOP_WORDS];
        run_words_turn_mop(tile, &random, thread, in_step, mop);
        write_mop(tile, thread, mop);
    }
}

// Most tiles begin with sources and Dst that something has written: nothing is reported or tainted
// when it is read, so that blocks have a chance.
static void fill_src_and_dst(tsr_tile *tile)
{
    struct tsr_state *state = tile_state(tile);
    for (int i = 0; i < 4; i++)
        tsr_src_fill(&state->src[i / 2].bank[i % 2], 0x1fc10u + (unsigned)i);
    for (unsigned row = 0; row < TSR_DST_ROWS; row++) {
        for (unsigned column = 0; column < TSR_COLUMNS; column++)
            state->dst.bits[row][column] = (uint16_t)(0x3f80 + row + column);
        state->dst.valid[row] = true;
        state->dst.written[row] = 0xffff;
    }
}

// What a thread begins with: replay memory, MOP, counters for whole faces, a semaphore.
static void set_thread(tsr_tile *tile, uint64_t *random, int thread)
{
    char text[80];
    run_words_replay(tile, random, thread, tile_state(tile)->frontend[thread].replay.word);
    set_mop(tile, random, thread);
    tile_push(tile, thread, "SETADCXX CntSetMask=3 x_end2=255");
    snprintf(text, sizeof text, "SETADCXX CntSetMask=4 x_end2=%u",
             tsr_tile_arch(tile) == TSR_WORMHOLE_B0 ? 255 : 15);
    tile_push(tile, thread, text);
    tile_push(tile, thread, "SEMINIT sem_sel=2 init_value=0 max_value=15");
}

tsr_tile *run_tile_new(int arch, bool timing, tsr_pipeline pipeline, uint64_t random)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.profile = TSR_PROFILE_SILICON;
    options.pipeline = pipeline;
    options.timing = timing;
    tsr_tile *tile = tile_with(&options);
    fill_l1(tile);
    configure(tile);
    if (run_draw(&random, 4) != 0)
        fill_src_and_dst(tile);
    for (int thread = 0; thread < TSR_THREADS; thread++)
        set_thread(tile, &random, thread);
    tile_idle(tile);
    return tile;
}

// ---------------------------------------------------------------- between two programs

static void change_field(tsr_tile *tile, uint64_t *random, int instance)
{
    static const char *const fields[] = {
        "THCON_SEC0_REG3_Base_address", "THCON_SEC1_REG3_Base_address",
        "THCON_SEC0_REG1_L1_Dest_addr", "THCON_SEC0_REG2_Out_data_format",
        "ALU_FORMAT_SPEC_REG0_SrcA",    "THCON_SEC0_REG1_Out_data_format",
        "ADDR_MOD_AB_SEC0_SrcAIncr",    "DEST_TARGET_REG_CFG_MATH_Offset",
        "PCK_EDGE_OFFSET_SEC0_mask",    "UNP0_ADDR_CTRL_ZW_REG_0_Zstride",
        "STACC_RELU_ApplyRelu",         "ALU_ACC_CTRL_Fp32_enabled",
        "CLR_DVALID_SrcA_Disable",      "ADDR_MOD_PACK_SEC0_YsrcIncr",
        "CFG_STATE_ID_StateID",         "ENABLE_ACC_STATS_Enable",
    };
    uint32_t value = run_draw(random, 4) ? run_draw(random, 64) : TSR_FORMAT_BF16;
    set_field(tile, instance, fields[run_draw(random, sizeof fields / sizeof *fields)], value);
}

static void reset_some(tsr_tile *tile, uint64_t *random)
{
    const uint32_t soft_reset = 0xffb121b0u;
    tsr_store(tile, TSR_CORE_B, soft_reset, 1u << run_draw(random, 24), 4);
    tsr_store(tile, TSR_CORE_B, soft_reset, 0, 4);
}

void run_tile_disturb(tsr_tile *tile, uint64_t random)
{
    int thread = (int)run_draw(&random, TSR_THREADS);
    switch (run_draw(&random, 6)) {
    case 0:
        change_field(tile, &random, thread);
        break;
    case 1:
        set_mop(tile, &random, thread);
        break;
    case 2:
        configure(tile);
        break;
    case 3:
        if (run_draw(&random, 20) == 0)
            reset_some(tile, &random);
        break;
    }
}

void run_tile_release(tsr_tile *tile)
{
    struct tsr_state *state = tile_state(tile);
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
        struct tsr_src *src = &state->src[side];
        src->unpacker_bank = src->matrix_bank ^ 1;
        src->bank[src->matrix_bank].matrix_owns = true;
        src->bank[src->unpacker_bank].matrix_owns = false;
    }
    for (int i = 0; i < TSR_SEMAPHORES; i++)
        state->sync.semaphore[i].value = 1;
}
