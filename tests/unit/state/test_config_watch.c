// SPDX-License-Identifier: Apache-2.0
// Who wrote which configuration, and the findings that follow from it: a whole-word write that
// takes another's fields along, a change under an instruction in flight, and reads of what nothing
// has written. Page: BackendConfiguration.md of each chip ("Danger one", "Danger two").
#include "rig/face_rig.h"

enum { CONFIG_BASE = 0xffef0000u };

static tsr_tile *watching(int arch, bool timing, tsr_profile profile)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.timing = timing;
    options.profile = profile;
    options.watch_config = true;
    return tile_with(&options);
}

static tsr_tile *watching_silicon(int arch)
{
    return watching(arch, false, TSR_PROFILE_SILICON);
}

static tsr_field_writer writer_of(const tsr_tile *tile, const char *name, int instance)
{
    tsr_field_writer writer;
    assert_int_equal(tsr_view_field_writer(tile, name, instance, &writer), TSR_OK);
    return writer;
}

static unsigned addr32_of(tsr_tile *tile, enum tsr_field field)
{
    return tile_env(tile)->isa->field[field].addr32;
}

static void do_format(tsr_tile *tile, int thread, const char *format, unsigned value)
{
    char text[120];
    snprintf(text, sizeof text, format, value);
    tile_do(tile, thread, text);
}

static void store(tsr_tile *tile, tsr_core core, int bank, unsigned addr32, uint32_t value)
{
    unsigned words = tile_env(tile)->isa->layout.banked_words;
    uint32_t address = CONFIG_BASE + 4 * ((uint32_t)bank * words + addr32);
    assert_int_equal(tsr_store(tile, core, address, value, 4), TSR_OK);
}

// ---------------------------------------------------------------- the record

static void test_instructions(int arch)
{
    tsr_tile *tile = watching_silicon(arch);
    assert_false(writer_of(tile, "ALU_FORMAT_SPEC_REG0_SrcA", 0).known);
    tile_do(tile, 2, "NOP");
    // Bits 17 to 20 of word 1: SrcA, in byte 2.
    tile_do(tile, 2, "RMWCIB2 Mask=0x1e Data=0x0a CfgRegAddr=1");
    tsr_field_writer writer = writer_of(tile, "ALU_FORMAT_SPEC_REG0_SrcA", 0);
    assert_true(writer.known);
    assert_int_equal(writer.thread, 2);
    assert_int_equal(writer.core, -1);
    assert_int_equal(writer.sequence, 2);
    assert_int_equal(writer.word, tile_word(tile, "RMWCIB2 Mask=0x1e Data=0x0a CfgRegAddr=1"));
    // Neighbours in the same byte and word, and the other bank, were not touched.
    assert_false(writer_of(tile, "ALU_FORMAT_SPEC_REG0_SrcAUnsigned", 0).known);
    assert_false(writer_of(tile, "ALU_FORMAT_SPEC_REG1_SrcB", 0).known);
    assert_false(writer_of(tile, "ALU_FORMAT_SPEC_REG0_SrcA", 1).known);
    tile_field(tile, 0, FIELD_CFG_STATE_ID_StateID, 1);
    tile_set_gpr(tile, 0, 4, 0);
    tile_do(tile, 0, "WRCFG GprAddress=4 CfgReg=1");
    assert_int_equal(writer_of(tile, "ALU_FORMAT_SPEC_REG0_SrcA", 1).thread, 0);
    assert_int_equal(writer_of(tile, "ALU_FORMAT_SPEC_REG1_SrcB", 1).sequence, 1);
    assert_int_equal(writer_of(tile, "ALU_FORMAT_SPEC_REG0_SrcA", 0).thread, 2);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_instructions)

static void test_threads_and_single_words(int arch)
{
    tsr_tile *tile = watching_silicon(arch);
    do_format(tile, 1, "SETC16 setc16_reg=%u setc16_value=64",
              addr32_of(tile, FIELD_DEST_TARGET_REG_CFG_MATH_Offset));
    assert_int_equal(writer_of(tile, "DEST_TARGET_REG_CFG_MATH_Offset", 1).thread, 1);
    assert_false(writer_of(tile, "DEST_TARGET_REG_CFG_MATH_Offset", 0).known);
    tsr_field_writer writer;
    assert_int_equal(tsr_view_field_writer(tile, "DEST_TARGET_REG_CFG_MATH_Offset", 3, &writer),
                     TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_view_field_writer(tile, "ALU_FORMAT_SPEC_REG0_SrcA", 2, &writer),
                     TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_view_field_writer(tile, "NO_SUCH_FIELD", 0, &writer), TSR_NOT_FOUND);
    tile_set_gpr(tile, 0, 4, 1);
    do_format(tile, 0, "WRCFG GprAddress=4 CfgReg=%u", addr32_of(tile, FIELD_PRNG_SEED_Seed_Val));
    assert_int_equal(writer_of(tile, "PRNG_SEED_Seed_Val", 0).thread, 0); // whatever the instance
    assert_int_equal(writer_of(tile, "PRNG_SEED_Seed_Val", 7).thread, 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_threads_and_single_words)

static void test_cores_and_descriptors(int arch)
{
    tsr_tile *tile = watching_silicon(arch);
    unsigned addr32 = addr32_of(tile, FIELD_THCON_SEC0_REG0_TileDescriptor_InDataFormat);
    store(tile, TSR_CORE_T1, 0, addr32, 5);
    tsr_field_writer writer = writer_of(tile, "THCON_SEC0_REG0_TileDescriptor.InDataFormat", 0);
    assert_int_equal(writer.core, TSR_CORE_T1);
    assert_int_equal(writer.thread, -1);
    assert_int_equal(writer.sequence, 0);
    assert_int_equal(writer.word, 0);
    // The third word belongs to the descriptor as a whole, not to the format in the first.
    tile_set_gpr(tile, 0, 4, 1);
    do_format(tile, 0, "WRCFG GprAddress=4 CfgReg=%u", addr32 + 2);
    assert_int_equal(writer_of(tile, "THCON_SEC0_REG0_TileDescriptor", 0).thread, 0);
    assert_int_equal(writer_of(tile, "THCON_SEC0_REG0_TileDescriptor.InDataFormat", 0).core,
                     TSR_CORE_T1);
    // REG2FLOP writes too, though another unit executes it.
    do_format(tile, 0, "REG2FLOP SizeSel=1 RegIndex=4 FlopIndex=%u",
              addr32 - tile_env(tile)->isa->layout.thcon_base);
    assert_int_equal(writer_of(tile, "THCON_SEC0_REG0_TileDescriptor.InDataFormat", 0).sequence, 2);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_cores_and_descriptors)

static void test_cycle_and_reset(int arch)
{
    tsr_tile *tile = watching(arch, true, TSR_PROFILE_STRICT);
    for (int i = 0; i < 5; i++)
        tile_push(tile, 0, "NOP");
    tile_do(tile, 0, "RMWCIB2 Mask=0x1e Data=0x0a CfgRegAddr=1");
    uint64_t ended = tsr_cycle(tile);
    tsr_field_writer writer = writer_of(tile, "ALU_FORMAT_SPEC_REG0_SrcA", 0);
    // It took the one cycle before; on Blackhole a wait would see it for one more.
    assert_int_equal(writer.cycle, ended - (arch == BH ? 2 : 1));
    // The word that zeroes a bank is the last writer of all of it.
    tile_set_gpr(tile, 1, 4, 1);
    do_format(tile, 1, "WRCFG GprAddress=4 CfgReg=%u", addr32_of(tile, FIELD_STATE_RESET_EN));
    assert_int_equal(writer_of(tile, "ALU_FORMAT_SPEC_REG0_SrcA", 0).thread, 1);
    assert_false(writer_of(tile, "ALU_FORMAT_SPEC_REG0_SrcA", 1).known);
    tsr_tile_reset(tile);
    assert_false(writer_of(tile, "ALU_FORMAT_SPEC_REG0_SrcA", 0).known);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_cycle_and_reset)

static void test_off(int arch)
{
    tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
    tile_do(tile, 2, "RMWCIB2 Mask=0x1e Data=0x0a CfgRegAddr=1");
    assert_false(writer_of(tile, "ALU_FORMAT_SPEC_REG0_SrcA", 0).known);
    tile_set_gpr(tile, 0, 4, 0);
    tile_do(tile, 0, "WRCFG GprAddress=4 CfgReg=1");
    assert_null(tile_found(tile, "config-whole-word"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_off)

// ---------------------------------------------------------------- whole words

// Word 1 holds the formats of SrcA, SrcB and Dst. Thread 1 sets one of them; thread 0 writes all.
static void test_whole_word(int arch)
{
    tsr_tile *tile = watching_silicon(arch);
    tile_do(tile, 1, "RMWCIB2 Mask=0x1e Data=0x0a CfgRegAddr=1"); // SrcA = 5
    tile_set_gpr(tile, 0, 4, 5u << 17 | 3u << 21);                // the same SrcA, SrcB = 3
    tile_do(tile, 0, "WRCFG GprAddress=4 CfgReg=1");
    assert_null(tile_found(tile, "config-whole-word"));           // nobody had set SrcB
    tile_do(tile, 1, "RMWCIB2 Mask=0x1e Data=0x0c CfgRegAddr=1"); // SrcA = 6
    tile_do(tile, 0, "WRCFG GprAddress=4 CfgReg=1");
    const tsr_diagnostic *found = tile_found(tile, "config-whole-word");
    assert_true(found && found->thread == 0 && found->sequence == 2);
    assert_true(found && found->category == TSR_NON_CONTRACTUAL);
    assert_true(found && strcmp(found->fields[0].name, "ALU_FORMAT_SPEC_REG0_SrcA") == 0);
    assert_true(found && strstr(found->sentence, "from 0x6 to 0x5, which RMWCIB2, instruction 2 of "
                                                 "thread 1 wrote"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_whole_word)

static void test_whole_word_exceptions(int arch)
{
    tsr_tile *tile = watching_silicon(arch);
    tile_set_gpr(tile, 0, 4, 0x11111111);
    tile_do(tile, 0, "RMWCIB2 Mask=0x1e Data=0x0a CfgRegAddr=1"); // one's own
    tile_do(tile, 0, "WRCFG GprAddress=4 CfgReg=1");
    store(tile, TSR_CORE_B, 0, 1, 0x22222222); // B prepares for all
    tile_do(tile, 0, "WRCFG GprAddress=4 CfgReg=1");
    // A word with one field alone takes nobody's along.
    unsigned addr32 = addr32_of(tile, FIELD_PRNG_SEED_Seed_Val);
    store(tile, TSR_CORE_T2, 0, addr32, 5);
    do_format(tile, 0, "WRCFG GprAddress=4 CfgReg=%u", addr32);
    // RMWCIB names its bits: what it changes is meant.
    store(tile, TSR_CORE_T2, 0, 1, 0x33333333);
    tile_do(tile, 0, "RMWCIB2 Mask=0xff Data=0x55 CfgRegAddr=1");
    assert_null(tile_found(tile, "config-whole-word"));
    tile_do(tile, 0, "WRCFG GprAddress=4 CfgReg=1"); // what T2 wrote counts as thread 2's
    const tsr_diagnostic *found = tile_found(tile, "config-whole-word");
    assert_true(found && strstr(found->sentence, "a store of core 3"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_whole_word_exceptions)

// Word 2 holds flags of the matrix unit (bits 0, 1) and the packers' ReLU (bits 2 to 21).
static void test_whole_word_units(int arch)
{
    tsr_tile *tile = watching_silicon(arch);
    tile_set_gpr(tile, 0, 4, 0);
    tile_do(tile, 0, "RMWCIB0 Mask=0xff Data=0x04 CfgRegAddr=2");
    tile_do(tile, 0, "WRCFG GprAddress=4 CfgReg=2"); // ReLU alone changes
    assert_null(tile_found(tile, "config-whole-word"));
    tile_do(tile, 0, "RMWCIB0 Mask=0xff Data=0x05 CfgRegAddr=2");
    tile_do(tile, 0, "WRCFG GprAddress=4 CfgReg=2");
    const tsr_diagnostic *found = tile_found(tile, "config-whole-word");
    assert_true(found && strstr(found->sentence, "several units at once: bits 0x00000005"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_whole_word_units)

// 128 bits are four whole words. A policy that stops leaves all four as they were.
static void test_whole_words_wide(int arch)
{
    tsr_tile *tile = watching_silicon(arch);
    assert_int_equal(tsr_tile_set_policy(tile, "config-whole-word", TSR_ACTION_STOP), TSR_OK);
    for (int i = 0; i < 4; i++)
        tile_set_gpr(tile, 0, 4 + i, 0x11111111);
    tile_do(tile, 1, "RMWCIB2 Mask=0x1e Data=0x0a CfgRegAddr=1");
    tile_push(tile, 0, "WRCFG wr128b=1 GprAddress=4 CfgReg=0");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_non_null(tile_found(tile, "config-whole-word"));
    assert_int_equal(tile_state(tile)->config.bank[0][0], 0);
    assert_int_equal(tile_state(tile)->config.bank[0][1], 5u << 17);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_whole_words_wide)

// ---------------------------------------------------------------- in flight

// An UNPACR that waits in unpacker 0 for its bank.
static tsr_tile *with_waiting_unpacr(int arch)
{
    tsr_tile *tile = watching_silicon(arch);
    face_put(tile, FACE_A, face_a, FACE, 1);
    face_unpacker(tile);
    tile_state(tile)->src[TSR_SRCA].bank[0].matrix_owns = true;
    tile_push(tile, 0, "UNPACR OvrdThreadId=1 SetDatValid=1 Last=1");
    assert_int_equal(tile_run(tile), TSR_END_DEADLOCK);
    assert_int_equal(tile_state(tile)->queues.of[TSR_UNIT_UNPACKER0].count, 1);
    return tile;
}

static void test_in_flight(int arch)
{
    tsr_tile *tile = with_waiting_unpacr(arch);
    unsigned addr32 = addr32_of(tile, FIELD_THCON_SEC0_REG2_Out_data_format);
    uint32_t word = tile_state(tile)->config.bank[0][addr32];
    store(tile, TSR_CORE_T0, 0, addr32, word); // no change
    store(tile, TSR_CORE_T0, 1, addr32, 0);    // the other bank
    store(tile, TSR_CORE_T0, 0, addr32_of(tile, FIELD_THCON_SEC0_REG3_Base_address), 9); // no shape
    store(tile, TSR_CORE_T0, 0, addr32_of(tile, FIELD_THCON_SEC1_REG2_Out_data_format), 0);
    assert_null(tile_found(tile, "config-in-flight"));
    store(tile, TSR_CORE_T0, 0, addr32, word ^ 1);
    const tsr_diagnostic *found = tile_found(tile, "config-in-flight");
    assert_true(found && found->core == TSR_CORE_T0 && found->thread == -1);
    assert_true(found && strstr(found->sentence,
                                "A store of core 1 changes THCON_SEC0_REG2_Out_data_format while "
                                "the waiting UNPACR, instruction 1 of thread 0"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_in_flight)

static void test_in_flight_by_instruction(int arch)
{
    tsr_tile *tile = with_waiting_unpacr(arch);
    // What an unpacker takes of the ALU's configuration is the sign of SrcA, bit 15 of word 1.
    tile_push(tile, 1, "RMWCIB2 Mask=0x1e Data=0x0a CfgRegAddr=1");
    tile_run(tile);
    assert_null(tile_found(tile, "config-in-flight"));
    tile_push(tile, 1, "RMWCIB1 Mask=0x80 Data=0x80 CfgRegAddr=1");
    tile_run(tile);
    const tsr_diagnostic *found = tile_found(tile, "config-in-flight");
    assert_true(found && found->thread == 1 && found->sequence == 2);
    assert_true(found && strstr(found->sentence, "ALU_FORMAT_SPEC_REG0_SrcAUnsigned"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_in_flight_by_instruction)

// The bank counts that was selected at acceptance, and of a thread's words those of its own thread.
static void test_in_flight_whose(int arch)
{
    tsr_tile *tile = with_waiting_unpacr(arch);
    unsigned addr32 = addr32_of(tile, FIELD_THCON_SEC0_REG2_Out_data_format);
    unsigned set = addr32_of(tile, FIELD_SRCA_SET_SetOvrdWithAddr);
    char text[80];
    tile_push(tile, 0, "SETC16 setc16_reg=0 setc16_value=1"); // CFG_STATE_ID_StateID
    snprintf(text, sizeof text, "SETC16 setc16_reg=%u setc16_value=0", set);
    tile_push(tile, 1, text);
    tile_run(tile);
    store(tile, TSR_CORE_T0, 1, addr32, 0x77);
    assert_int_equal(addr32_of(tile, FIELD_CFG_STATE_ID_StateID), 0);
    assert_null(tile_found(tile, "config-in-flight"));
    assert_int_equal(tsr_tile_set_policy(tile, "config-in-flight", TSR_ACTION_STOP), TSR_OK);
    uint16_t before = tile_state(tile)->config.thread[0][set];
    tile_push(tile, 0, text);
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_non_null(tile_found(tile, "config-in-flight"));
    assert_int_equal(tile_state(tile)->config.thread[0][set], before);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_in_flight_whose)

// The matrix unit and the packers, with time: an ELWADD takes five cycles, and a PACR its own.
static void test_in_flight_units(int arch)
{
    tsr_tile *tile = watching(arch, true, TSR_PROFILE_SILICON);
    face_matrix(tile, arch);
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++)
        tile_state(tile)->src[side].bank[0].matrix_owns = true;
    tile_push(tile, 1, "ELWADD");
    tile_push(tile, 1, "RMWCIB2 Mask=0x1e Data=0x02 CfgRegAddr=1");
    tile_idle(tile);
    const tsr_diagnostic *found = tile_found(tile, "config-in-flight");
    assert_true(found && strstr(found->sentence, "the unfinished ELWADD"));
    tsr_tile_destroy(tile);
    tile = watching(arch, true, TSR_PROFILE_SILICON);
    face_matrix(tile, arch);
    face_packer(tile, arch);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Out_data_format, 0); // FP32; 16 bits take BH a cycle
    tile_push(tile, 2, "PACR Last=1");
    tile_push(tile, 2, "RMWCIB3 Mask=0x1e Data=0x00 CfgRegAddr=1"); // Dstacc, bits 25 to 28
    tile_idle(tile);
    found = tile_found(tile, "config-in-flight");
    assert_true(found && strstr(found->sentence, "ALU_FORMAT_SPEC_REG2_Dstacc while the unfinished "
                                                 "PACR"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_in_flight_units)

// ---------------------------------------------------------------- never written

static void test_unpacr_without_formats(int arch)
{
    tsr_tile *tile = watching_silicon(arch);
    face_put(tile, FACE_A, face_a, FACE, 1);
    const char *text = "UNPACR OvrdThreadId=1 SetDatValid=1 Last=1";
    tile_field(tile, 0, FIELD_THCON_SEC0_REG3_Base_address, FACE_A / 16 - 1);
    tile_field(tile, 0, FIELD_SRCA_SET_SetOvrdWithAddr, 1);
    tile_push(tile, 0, text);
    tile_run(tile);
    const tsr_diagnostic *found = tile_found(tile, "config-never-written");
    assert_true(found && found->field_count == 2 && found->thread == 0);
    assert_true(found &&
                strcmp(found->fields[0].name, "THCON_SEC0_REG0_TileDescriptor.InDataFormat") == 0);
    assert_true(found && strcmp(found->fields[1].name, "THCON_SEC0_REG2_Out_data_format") == 0);
    assert_int_equal(found->repeats, 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_unpacr_without_formats)

// Filled is bank 0, selected bank 1.
static void test_other_bank(int arch)
{
    tsr_tile *tile = watching_silicon(arch);
    face_put(tile, FACE_A, face_a, FACE, 1);
    face_unpacker(tile);
    tile_field(tile, 0, FIELD_CFG_STATE_ID_StateID, 1);
    tile_push(tile, 0, "UNPACR OvrdThreadId=1 SetDatValid=1 Last=1");
    tile_run(tile);
    const tsr_diagnostic *found = tile_found(tile, "config-never-written");
    assert_true(found && strstr(found->sentence, "from bank 1 (CFG_STATE_ID_StateID)"));
    assert_true(found && found->field_count == 1);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_other_bank)

// What is kept for the matrix unit's instructions does not hide what becomes worth a word later.
static void test_other_bank_filled_later(int arch)
{
    tsr_tile *tile = watching_silicon(arch);
    tile_field(tile, 0, FIELD_CFG_STATE_ID_StateID, 1);
    tile_field(tile, 1, FIELD_ALU_FORMAT_SPEC_REG0_SrcA, 5);
    tile_field(tile, 1, FIELD_ALU_FORMAT_SPEC_REG1_SrcB, 5);
    tile_do(tile, 0, "SETDVALID setvalid=3");
    tile_push(tile, 0, "ELWADD dst=0");
    tile_run(tile);
    assert_null(tile_found(tile, "config-never-written"));
    tile_field(tile, 0, FIELD_ALU_ACC_CTRL_Fp32_enabled, 0); // what it is already
    tile_push(tile, 0, "ELWADD dst=8");
    tile_run(tile);
    const tsr_diagnostic *found = tile_found(tile, "config-never-written");
    assert_true(found && strstr(found->sentence, "from bank 1 (CFG_STATE_ID_StateID)"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_other_bank_filled_later)

// Bits of a TileDescriptor that no part of it has are still the descriptor's.
static void test_bits_without_a_name(int arch)
{
    tsr_tile *tile = watching_silicon(arch);
    face_put(tile, FACE_A, face_a, FACE, 1);
    face_unpacker(tile);
    tile_state(tile)->src[TSR_SRCA].bank[0].matrix_owns = true;
    tile_push(tile, 0, "UNPACR OvrdThreadId=1 SetDatValid=1 Last=1");
    tile_run(tile); // it waits for its bank
    for (unsigned bit = 0; bit < 8; bit++) {
        char text[80];
        unsigned addr32 = addr32_of(tile, FIELD_THCON_SEC0_REG0_TileDescriptor);
        snprintf(text, sizeof text, "RMWCIB0 Mask=%u Data=%u CfgRegAddr=%u", 1u << bit,
                 (~tile_state(tile)->config.bank[0][addr32] & 1u << bit), addr32);
        tile_push(tile, 1, text);
        tile_run(tile);
    }
    unsigned found = 0;
    for (int i = 0; i < tsr_diagnostic_count(tile); i++) {
        const tsr_diagnostic *d = tsr_diagnostic_at(tile, i);
        if (strcmp(d->code, "config-in-flight") != 0)
            continue;
        found++;
        assert_non_null(strstr(d->sentence, "changes THCON_SEC0_REG0_TileDescriptor"));
    }
    assert_int_equal(found, 8);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_bits_without_a_name)

static void test_matrix_without_formats(int arch)
{
    tsr_tile *tile = watching_silicon(arch);
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++)
        tile_state(tile)->src[side].bank[0].matrix_owns = true;
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG1_SrcB, BF16);
    tile_do(tile, 1, "ELWADD");
    const tsr_diagnostic *found = tile_found(tile, "config-never-written");
    if (arch == WH) {
        assert_true(found && found->field_count == 1);
        assert_true(found && strcmp(found->fields[0].name, "ALU_FORMAT_SPEC_REG0_SrcA") == 0);
    } else {
        assert_null(found); // the banks bring their formats
        tile_field(tile, 1, FIELD_DISABLE_IMPLIED_SRCA_FMT_Base, 1);
        tile_do(tile, 1, "ELWADD");
        assert_non_null(tile_found(tile, "config-never-written"));
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_matrix_without_formats)

static void test_packer_without_edges(int arch)
{
    tsr_tile *tile = watching_silicon(arch);
    face_matrix(tile, arch);
    face_packer(tile, arch);
    unsigned edge = addr32_of(tile, FIELD_PCK_EDGE_OFFSET_SEC0_mask);
    tile_state(tile)->config.bank_written[0][edge] = 0;
    tile_state(tile)->config.bank_written[1][edge] = 0;
    assert_int_equal(tsr_tile_set_policy(tile, "config-never-written", TSR_ACTION_STOP), TSR_OK);
    tile_push(tile, 2, "PACR Last=1");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    const tsr_diagnostic *found = tile_found(tile, "config-never-written");
    assert_true(found && strcmp(found->fields[0].name, "PCK_EDGE_OFFSET_SEC0_mask") == 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_packer_without_edges)

// RDCFG says it without being asked to watch.
static void test_rdcfg(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_do(tile, 0, "RDCFG GprAddress=3 CfgReg=70");
    const tsr_diagnostic *found = tile_found(tile, "config-never-written");
    assert_true(found && strstr(found->sentence, "RDCFG reads word 70 of bank 0"));
    tsr_tile_reset(tile);
    tile_do(tile, 0, "RMWCIB1 Mask=1 Data=0 CfgRegAddr=70");
    tile_do(tile, 0, "RDCFG GprAddress=3 CfgReg=70");
    assert_null(tile_found(tile, "config-never-written"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_rdcfg)

// A program as it should be has none of these findings, with time or without.
static void test_quiet(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = watching(arch, timing, TSR_PROFILE_STRICT);
        face_load(tile, arch, 11);
        tile_idle(tile);
        assert_true(face_right(tile, 11));
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_quiet)

// ---------------------------------------------------------------- side effects

// Seeds and invalidations are noted, and cores that have cached something have to fetch it again.
static void test_effects(int arch)
{
    tsr_tile *tile = tile_default(arch);
    const struct tsr_config *config = &tile_state(tile)->config;
    struct tsr_hart *hart = tile_state(tile)->cores.hart;
    unsigned seed = addr32_of(tile, FIELD_PRNG_SEED_Seed_Val);
    unsigned caches = addr32_of(tile, FIELD_RISCV_IC_INVALIDATE_InvalidateAll);
    store(tile, TSR_CORE_T0, 0, seed, 0x1234);
    store(tile, TSR_CORE_T0, 1, seed, 0x1234); // the same value seeds again
    assert_int_equal(config->prng_seed, 0x1234);
    assert_int_equal(config->prng_seedings, 2);
    for (int core = 0; core < TSR_CORE_COUNT; core++)
        hart[core].times.icache[1] = hart[core].times.fetching = 2;
    store(tile, TSR_CORE_B, 0, caches, 0x5);
    for (int core = 0; core < TSR_CORE_COUNT; core++) {
        assert_int_equal(hart[core].times.icache[1], 0x5 >> core & 1 ? 0 : 2);
        assert_int_equal(hart[core].times.fetching, 0x5 >> core & 1 ? 0 : 2);
    }
    do_format(tile, 0, "RMWCIB0 Mask=0x12 Data=0x12 CfgRegAddr=%u", caches);
    assert_int_equal(config->icache_invalid, 0x17);
    assert_int_equal(config->bank[1][caches], 0x17);
    store(tile, TSR_CORE_B, 0, seed + 1, 1);
    assert_int_equal(config->prng_seedings, 2);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_effects)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_instructions),
        TILE_TEST(test_threads_and_single_words),
        TILE_TEST(test_cores_and_descriptors),
        TILE_TEST(test_cycle_and_reset),
        TILE_TEST(test_off),
        TILE_TEST(test_whole_word),
        TILE_TEST(test_whole_word_exceptions),
        TILE_TEST(test_whole_word_units),
        TILE_TEST(test_whole_words_wide),
        TILE_TEST(test_in_flight),
        TILE_TEST(test_in_flight_by_instruction),
        TILE_TEST(test_in_flight_whose),
        TILE_TEST(test_in_flight_units),
        TILE_TEST(test_unpacr_without_formats),
        TILE_TEST(test_other_bank),
        TILE_TEST(test_other_bank_filled_later),
        TILE_TEST(test_bits_without_a_name),
        TILE_TEST(test_matrix_without_formats),
        TILE_TEST(test_packer_without_edges),
        TILE_TEST(test_rdcfg),
        TILE_TEST(test_quiet),
        TILE_TEST(test_effects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
