// SPDX-License-Identifier: Apache-2.0
// The assembler: expressions, blocks, labels, cfg, and the words and lines that come out.
#include "ttasm/ttasm.h"

#include "cli/cli_fixtures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct ttasm_program program;

static bool assemble(tsr_arch arch, const char *text, struct message *why)
{
    struct ttasm_files files = {.in_count = 0};

    return ttasm_assemble(fixture_file("t.ttasm", text, strlen(text)), arch, &files, &program, why);
}

static void must_assemble(tsr_arch arch, const char *text)
{
    struct message why;

    if (!assemble(arch, text, &why))
        fail_msg("%s", why.text);
}

// The words of a thread must be what tsr_assemble() makes of these lines.
static void expect_words(int thread, const char *const lines[], size_t count)
{
    assert_int_equal(program.threads[thread].count, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        char error[200], text[TSR_INSTRUCTION_TEXT];
        if (tsr_assemble(program.arch, lines[i], &word, error, sizeof error) != TSR_OK)
            fail_msg("%s", error);
        tsr_disassemble(program.arch, program.threads[thread].words[i], text, sizeof text);
        if (program.threads[thread].words[i] != word)
            fail_msg("word %zu: %s, not %s", i, text, lines[i]);
    }
}

#define EXPECT_WORDS(thread, ...)                                                                  \
    do {                                                                                           \
        static const char *const lines[] = {__VA_ARGS__};                                          \
        expect_words(thread, lines, sizeof lines / sizeof lines[0]);                               \
        ttasm_free(&program);                                                                      \
    } while (0)

// ---------------------------------------------------------------- expressions

static uint32_t value_of(const char *expression)
{
    char text[300];

    snprintf(text, sizeof text, ".equ two, 2\n.thread 0\n.word %s\n", expression);
    must_assemble(TSR_BLACKHOLE_A0, text);
    uint32_t value = program.threads[0].words[0];
    ttasm_free(&program);
    return value;
}

static void test_expressions(void **state)
{
    (void)state;
    assert_int_equal(value_of("1 + 2 * 3"), 7);
    assert_int_equal(value_of("(1 + 2) * 3"), 9);
    assert_int_equal(value_of("10 - 3 - 2"), 5);
    assert_int_equal(value_of("0x10 | 0b101"), 0x15);
    assert_int_equal(value_of("1 << 4 + 1"), 32);
    assert_int_equal(value_of("7 / two"), 3);
    assert_int_equal(value_of("-7 / 2 + 4"), 1);
    assert_int_equal(value_of("(-7 >> 1) + 4"), 0);
    assert_int_equal(value_of("7 % 4"), 3);
    assert_int_equal(value_of("~0 & 0xff"), 0xff);
    assert_int_equal(value_of("6 & 3 == 3"), 0); // as in C, == binds tighter
    assert_int_equal(value_of("1 < 2 && 2 <= 2 && !(3 > 4) || 0"), 1);
    assert_int_equal(value_of("5 ^ 1"), 4);
    assert_int_equal(value_of("0xffffffff"), 0xffffffff);
    assert_int_equal(value_of("bf16 * 16 + BFP8"), 0x56);
    assert_int_equal(value_of("ARCH == bh"), 1);
    assert_int_equal(value_of("ARCH == wh"), 0);
}

static void refuse(const char *line, const char *sentence)
{
    char text[400], expected[700];
    struct message why;

    snprintf(text, sizeof text, "# one\n.equ N, 3\n.thread 1\n%s\n", line);
    if (assemble(TSR_WORMHOLE_B0, text, &why))
        fail_msg("'%s' was taken", line);
    snprintf(expected, sizeof expected, ":4: %s", sentence);
    if (strstr(why.text, expected) == NULL || strstr(why.text, "t.ttasm:4: ") == NULL)
        fail_msg("'%s' gives '%s', not '%s'", line, why.text, expected);
}

static void refuse_whole(const char *text, const char *sentence)
{
    struct message why;

    if (assemble(TSR_WORMHOLE_B0, text, &why))
        fail_msg("'%s' was taken", text);
    if (strstr(why.text, sentence) == NULL)
        fail_msg("'%s' gives '%s', not '%s'", text, why.text, sentence);
}

static void test_wrong_expressions(void **state)
{
    (void)state;
    refuse(".word 1 / (N - 3)", "a division by zero '/'");
    refuse(".word 1 << 63", "a shift by 63 places '<<'");
    refuse(".word 0x7fffffffffffffff + 1", "the value leaves 64 bits '+'");
    refuse(".word 9223372036854775808",
           "a number has 63 bits at most, unlike '9223372036854775808'");
    refuse(".word 1 +", "a value is missing here at the end of the line");
    refuse(".word (1", "a ')' is missing before this at the end of the line");
    refuse(".word 1 2", "the line should end before this '2'");
    refuse(".word M", "unknown symbol 'M'");
    refuse(".word A.addr", "no tensor or constant of this name stands above 'A.addr'");
    refuse(".word 12ab", "this is not a number '12ab'");
    refuse(".word 0b12", "this is not a number '0b12'");
    refuse(".word 1 $ 2", "unknown character '$'");
    refuse(".word -1", "a word has 32 bits '-'");
    refuse(".word 0x100000000", "a word has 32 bits '0x100000000'");
}

static void test_wrong_statements(void **state)
{
    (void)state;
    refuse("ELWADDD dst=1", "wormhole_b0 has no such instruction 'ELWADDD'");
    refuse("ELWADD dest=1", "ELWADD has no such operand 'dest'");
    refuse("ELWADD dst=1024", "1024 does not fit the 10 bits of operand 'dst'");
    refuse("ELWADD dst=-1", "-1 does not fit the 10 bits of operand 'dst'");
    refuse("ELWADD dst=1 dst=2", "this operand is given twice 'dst'");
    refuse("ELWADD dst 1", "a '=' is missing before this '1'");
    refuse("ELWADD 1", "ELWADD has no such operand '1'");
    refuse(".thread 3", "a thread is 0, 1 or 2, not 3 '3'");
    refuse(".equ N, 4", "this symbol is defined already 'N'");
    refuse(".equ bf16, 4", "this name is built in 'bf16'");
    refuse(".equ A.b, 4", "this cannot be a symbol's name 'A.b'");
    refuse(".frob 1", "unknown directive '.frob'");
    refuse(".assert N == 4", "this assertion fails, which begins with 'N'");
    refuse("= 3", "an instruction or a directive should stand here, not '='");
    refuse(".rep -1\n.endr", "a repetition cannot have -1 rounds '-'");
    refuse(".rep 2\nNOP", "this block is never closed '.rep'");
    refuse(".endr", "nothing is open here '.endr'");
    refuse(".else", "nothing is open here '.else'");
    refuse("a: NOP a: NOP", "NOP has no such operand 'a'");
}

static void test_wrong_cfg(void **state)
{
    (void)state;
    refuse("cfg FROB = 1", "wormhole_b0 has no such configuration field 'FROB'");
    refuse("cfg CFG_STATE_ID_StateID = 2", "2 does not fit the 1 bits of field "
                                           "'CFG_STATE_ID_StateID'");
    refuse("cfg THCON_SEC0_REG2_Throttle_mode = gpr 1", "a GPR is written as a whole word, and");
    refuse("cfg CFG_STATE_ID_StateID = gpr 1", "no GPR can be written to a field of the thread");
    refuse("cfg THCON_SEC0_REG3_Base_address = gpr 64", "there is no GPR 64 '64'");
    refuse("cfg CFG_STATE_ID_StateID = 1, CFG_STATE_ID_StateID = 0",
           "one cfg gives these bits twice 'CFG_STATE_ID_StateID'");
    refuse("cfg THCON_SEC0_REG0_TileDescriptor = 1", "128 bits are more than one word; name a "
                                                     "part of field");
    refuse("cfg DISABLE_IMPLIED_SRCA_FMT_Base = 1",
           "only blackhole_a0, not wormhole_b0, has configuration field "
           "'DISABLE_IMPLIED_SRCA_FMT_Base'");
}

static void test_before_a_thread(void **state)
{
    struct message why;

    (void)state;
    assert_false(assemble(TSR_WORMHOLE_B0, "NOP\n", &why));
    assert_non_null(strstr(why.text, ":1: an instruction stands before the first .thread 'NOP'"));
    assert_false(assemble(TSR_WORMHOLE_B0, "cfg CFG_STATE_ID_StateID = 1\n", &why));
    assert_non_null(strstr(why.text, ":1: a cfg stands before the first .thread 'cfg'"));
    assert_false(assemble(TSR_WORMHOLE_B0, "\nx:\n", &why));
    assert_non_null(strstr(why.text, ":2: a label stands before the first .thread 'x'"));
    assert_false(assemble(TSR_WORMHOLE_B0, ".thread 0\n", &why));
    assert_non_null(strstr(why.text, "the program has no instruction"));
}

// ---------------------------------------------------------------- words

static void test_instructions(void **state)
{
    (void)state;
    must_assemble(TSR_WORMHOLE_B0, ".thread 2 ; two\n\tPACR PackSel = 15, Last=1 # pack\n"
                                   ".thread 0\r\nNOP // nothing\n.thread 2\nSETRWC BitMask=1+2\n");
    assert_int_equal(program.threads[0].count, 1);
    assert_int_equal(program.threads[1].count, 0);
    EXPECT_WORDS(2, "PACR PackSel=15 Last=1", "SETRWC BitMask=3");
    // The same mnemonic lies differently on Blackhole.
    must_assemble(TSR_BLACKHOLE_A0, ".thread 0\nELWADD addr_mode=5\n");
    EXPECT_WORDS(0, "ELWADD addr_mode=5");
}

static void test_repetitions(void **state)
{
    (void)state;
    must_assemble(TSR_WORMHOLE_B0, ".thread 0\n.rep 2 i\n.equ base, i * 10\n.rep 2, j\n"
                                   "ELWADD dst=base + j\n.endr\n.endr\n.rep 0\nFROB\n.endr\n");
    EXPECT_WORDS(0, "ELWADD dst=0", "ELWADD dst=1", "ELWADD dst=10", "ELWADD dst=11");
}

static void test_conditions(void **state)
{
    static const char text[] = ".thread 0\n.if ARCH == wh\nELWADD dst=1\n.else\n.if 0\nFROB\n"
                               ".else\nELWADD dst=2\n.endif\n.endif\n.if 0\nFROB\n.endif\n"
                               "ELWADD dst=3\n";

    (void)state;
    must_assemble(TSR_WORMHOLE_B0, text);
    EXPECT_WORDS(0, "ELWADD dst=1", "ELWADD dst=3");
    must_assemble(TSR_BLACKHOLE_A0, text);
    EXPECT_WORDS(0, "ELWADD dst=2", "ELWADD dst=3");
}

// The field's place comes from the public table, the words from what the pages say of SETC16.
static uint32_t in_word(const char *field, uint32_t value)
{
    return value << tsr_field_find(program.arch, field)->first_bit;
}

static void test_cfg_of_a_thread(void **state)
{
    (void)state;
    must_assemble(TSR_WORMHOLE_B0,
                  ".thread 0\ncfg ADDR_MOD_AB_SEC0_SrcAIncr = 8\n"
                  "cfg ADDR_MOD_AB_SEC0_SrcBIncr = 3\n"
                  "SETC16 setc16_reg=7 setc16_value=0xc080\ncfg ADDR_MOD_AB_SEC0_SrcAIncr = 1\n"
                  ".thread 1\ncfg ADDR_MOD_AB_SEC0_SrcBIncr = 2\n");
    const tsr_field_info *field = tsr_field_find(TSR_WORMHOLE_B0, "ADDR_MOD_AB_SEC0_SrcAIncr");
    assert_int_equal(field->addr32, 7);
    uint32_t values[] = {8, 8 | in_word("ADDR_MOD_AB_SEC0_SrcBIncr", 3), 0xc080, 0xc081};
    assert_int_equal(program.threads[0].count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(program.threads[0].words[i] & 0xffff, values[i]);
    // Another thread has words of its own.
    assert_int_equal(program.threads[1].words[0] & 0xffff, in_word("ADDR_MOD_AB_SEC0_SrcBIncr", 2));
    ttasm_free(&program);
}

static void test_cfg_of_bytes(void **state)
{
    (void)state;
    must_assemble(TSR_WORMHOLE_B0,
                  ".thread 1\ncfg THCON_SEC0_REG3_Base_address = 0x12345678\n"
                  "cfg THCON_SEC0_REG2_Out_data_format = 5, THCON_SEC0_REG2_Throttle_mode = 2\n"
                  "cfg THCON_SEC0_REG0_TileDescriptor.XDim = 0x100\n"
                  "cfg THCON_SEC0_REG3_Base_address = gpr 12\n");
    EXPECT_WORDS(
        1, "RMWCIB0 CfgRegAddr=64 Data=0x78 Mask=0xff", "RMWCIB1 CfgRegAddr=64 Data=0x56 Mask=0xff",
        "RMWCIB2 CfgRegAddr=64 Data=0x34 Mask=0xff", "RMWCIB3 CfgRegAddr=64 Data=0x12 Mask=0xff",
        "RMWCIB0 CfgRegAddr=60 Data=0x25 Mask=0x3f", "RMWCIB2 CfgRegAddr=52 Data=0x00 Mask=0xff",
        "RMWCIB3 CfgRegAddr=52 Data=0x01 Mask=0xff", "WRCFG GprAddress=12 CfgReg=64");
}

// ---------------------------------------------------------------- lines and labels

static void expect_label(int thread, const char *name, uint64_t expected)
{
    uint64_t sequence = 0;

    assert_int_equal(ttasm_label_sequence(&program, thread, name, &sequence), TSR_OK);
    assert_int_equal(sequence, expected);
}

static void test_lines_and_labels(void **state)
{
    uint64_t sequence;

    (void)state;
    must_assemble(TSR_WORMHOLE_B0, ".thread 1\nstart: NOP\n.rep 2\nround:\nNOP\n.rep 2\n"
                                   "inner: NOP\n.endr\n.endr\nend:\n.thread 2\nstart: NOP\n");
    expect_label(1, "start", 1);
    expect_label(2, "start", 1);
    expect_label(1, "round.0", 2);
    expect_label(1, "inner.0.1", 4);
    expect_label(1, "round.1", 5);
    expect_label(1, "end", 8);
    assert_int_equal(ttasm_label_sequence(&program, 0, "start", &sequence), TSR_NOT_FOUND);
    assert_int_equal(ttasm_label_sequence(&program, 1, "round", &sequence), TSR_NOT_FOUND);
    assert_int_equal(ttasm_place(&program, 1, 1).line, 2);
    assert_int_equal(ttasm_place(&program, 1, 2).line, 5);
    assert_int_equal(ttasm_place(&program, 1, 4).line, 7);
    assert_int_equal(ttasm_place(&program, 1, 5).line, 5);
    assert_int_equal(ttasm_place(&program, 1, 0).line, 0);
    assert_int_equal(ttasm_place(&program, 1, 8).line, 0);
    ttasm_free(&program);
}

static void test_replay_lines(void **state)
{
    (void)state;
    must_assemble(TSR_WORMHOLE_B0, ".thread 0\nREPLAY load_mode=1 len=2 start_idx=31\nNOP\nELWADD\n"
                                   "REPLAY load_mode=1 execute_while_loading=1 len=1 start_idx=5\n"
                                   "SETRWC\nplay: REPLAY len=2 start_idx=31\nafter: MOP_CFG\nNOP\n"
                                   "MOP\nlost: NOP\n");
    // Recorded only: lines 3 and 4. Recorded and issued: 6. Played: 3 and 4. Then 9.
    assert_int_equal(program.issued[0].count, 4);
    assert_int_equal(ttasm_place(&program, 0, 1).line, 6);
    assert_int_equal(ttasm_place(&program, 0, 2).line, 3);
    assert_int_equal(ttasm_place(&program, 0, 3).line, 4);
    assert_int_equal(ttasm_place(&program, 0, 4).line, 9);
    expect_label(0, "play", 2);
    expect_label(0, "after", 4);
    uint64_t sequence;
    assert_int_equal(ttasm_label_sequence(&program, 0, "lost", &sequence), TSR_BAD_ARGUMENT);
    assert_false(program.mapped_all[0]);
    assert_true(program.mapped_all[1]);
    ttasm_free(&program);
}

// A length of 0 is 32 words; those that nothing has recorded stand in no line.
static void test_replay_all(void **state)
{
    (void)state;
    must_assemble(TSR_WORMHOLE_B0, ".thread 0\nREPLAY load_mode=1 len=1 start_idx=1\nNOP\n"
                                   "REPLAY len=0\nafter: SETRWC\n");
    assert_int_equal(program.issued[0].count, 33);
    for (uint64_t sequence = 1; sequence <= 32; sequence++) {
        struct text_place place = ttasm_place(&program, 0, sequence);
        assert_string_equal(place.path, program.path);
        assert_int_equal(place.line, sequence == 2 ? 3 : 0);
    }
    assert_int_equal(ttasm_place(&program, 0, 33).line, 5);
    expect_label(0, "after", 33);
    ttasm_free(&program);
}

// Nothing that a program repeats takes for ever: rounds, lines, words and labels have bounds, and
// the sentence names line and column.
static void test_bounds(void **state)
{
    (void)state;
    refuse_whole(".thread 0\n  .rep 9000000000000000000\nNOP\n.endr\n",
                 ":2:8: with these 9000000000000000000 rounds the program runs more than 67108864 "
                 "lines and rounds");
    refuse_whole(
        ".rep 100000000\n.rep 100000\n.endr\n.endr\n",
        ":1:6: with these 100000000 rounds the program runs more than 67108864 lines and rounds");
    refuse_whole(
        ".rep 60000000\n\t.rep 10000000\n.endr\n.endr\n",
        ":2:7: with these 10000000 rounds the program runs more than 67108864 lines and rounds");
    refuse_whole(".rep 50000000\n.rep 0\n.endr\n.endr\n",
                 ":2:1: the program runs more than 67108864 lines and rounds");
    refuse_whole(".thread 2\n.rep 16777217\n NOP\n.endr\n",
                 ":3:2: thread 2 has more than 16777216 words");
    refuse_whole(".thread 0\n.rep 1000000\nlabel: NOP\n.endr\n",
                 ":3:1: there are more than 262144 labels");
    refuse_whole(".thread 0\nx: NOP\n.thread 1\nx: NOP\n.thread 0\nx: NOP\n",
                 ":6: this thread has this label already 'x'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions),      cmocka_unit_test(test_wrong_expressions),
        cmocka_unit_test(test_wrong_statements), cmocka_unit_test(test_wrong_cfg),
        cmocka_unit_test(test_before_a_thread),  cmocka_unit_test(test_instructions),
        cmocka_unit_test(test_repetitions),      cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_cfg_of_a_thread),  cmocka_unit_test(test_cfg_of_bytes),
        cmocka_unit_test(test_lines_and_labels), cmocka_unit_test(test_replay_lines),
        cmocka_unit_test(test_replay_all),       cmocka_unit_test(test_bounds),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    fixture_remove_all();
    return failed;
}
