// SPDX-License-Identifier: Apache-2.0
// The assembler's text: one grammar with tsr_assemble(), characters that are refused, included
// files, constants by name, and the names that are offered for a wrong one.
#include "ttasm/ttasm.h"

#include "cli/cli_fixtures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct ttasm_program program;

static bool assemble_bytes(tsr_arch arch, const char *text, size_t size, struct message *why)
{
    return ttasm_assemble_words(fixture_file("t.ttasm", text, size), arch, &program, why);
}

static bool assemble(tsr_arch arch, const char *text, struct message *why)
{
    return assemble_bytes(arch, text, strlen(text), why);
}

static uint32_t value_of(tsr_arch arch, const char *expression)
{
    struct message why;
    char text[300];

    snprintf(text, sizeof text, ".word %s\n", expression);
    if (!assemble(arch, text, &why))
        fail_msg("%s", why.text);
    uint32_t value = program.threads[0].words[0];
    ttasm_free(&program);
    return value;
}

static void refuse_bytes(const char *text, size_t size, const char *sentence)
{
    struct message why;

    if (assemble_bytes(TSR_WORMHOLE_B0, text, size, &why))
        fail_msg("'%s' was taken", text);
    if (strstr(why.text, sentence) == NULL)
        fail_msg("'%s' gives '%s', not '%s'", text, why.text, sentence);
}

static void refuse(const char *text, const char *sentence)
{
    refuse_bytes(text, strlen(text), sentence);
}

// ---------------------------------------------------------------- one grammar

static const char *const good_lines[] = {
    "ELWADD dst=1 addr_mode=2",
    "ELWADD dst=1, addr_mode=2",
    "ELWADD dst=1,addr_mode=2",
    "ELWADD dst = 0x1 , addr_mode = 0b10 # two",
    "\telwadd addr_mode=2\tdst=1; a comment",
    "ElwAdd dst=1 addr_mode=2// a comment",
    "ELWADD dst=1 addr_mode=2;",
    "NOP",
    "nop # nothing",
    "NOP\r",
    ".word 0XFf",
    ".WORD 7 // seven",
};

static const char *const bad_lines[] = {
    "ELWADD dst=1,",
    "ELWADD ,dst=1",
    "ELWADD dst=1,,addr_mode=2",
    "ELWADD dst 1",
    "ELWADD Dst=1",
    "ELWADD dst=12a",
    "ELWADD dst=0b12",
    "ELWADD dst=0x",
    "ELWADD dst=",
    "ELWADD =1",
    "ELWADD dst=1024",
    "ELWADD dst=1 dst=1",
    "NOP NOP",
    "NOP, NOP",
    ".word",
    ".word 1 2",
    ".word 1, 2",
    ".word 1,",
    ".word 0x100000000",
    "ELWADDD",
    "NOP \xc3\xa4",
    "ELWADD dst=-1",
    "ELWADD dst=1 \"x\"",
    "1",
    "ELWADD dst=1x1",
    "ELWADD dst=/1",
};

static void test_one_grammar(void **state)
{
    struct message why;
    uint32_t word;

    (void)state;
    for (size_t i = 0; i < sizeof good_lines / sizeof good_lines[0]; i++) {
        char error[200];
        if (!assemble(TSR_WORMHOLE_B0, good_lines[i], &why))
            fail_msg("%s", why.text);
        if (tsr_assemble(TSR_WORMHOLE_B0, good_lines[i], &word, error, sizeof error) != TSR_OK)
            fail_msg("'%s': %s", good_lines[i], error);
        assert_int_equal(program.threads[0].count, 1);
        assert_int_equal(program.threads[0].words[0], word);
        ttasm_free(&program);
    }
    for (size_t i = 0; i < sizeof bad_lines / sizeof bad_lines[0]; i++) {
        if (assemble(TSR_WORMHOLE_B0, bad_lines[i], &why))
            fail_msg("a program takes '%s'", bad_lines[i]);
        if (tsr_assemble(TSR_WORMHOLE_B0, bad_lines[i], &word, NULL, 0) == TSR_OK)
            fail_msg("tsr_assemble() takes '%s'", bad_lines[i]);
    }
}

static void test_words_alone(void **state)
{
    struct message why;

    (void)state;
    assert_true(assemble(TSR_BLACKHOLE_A0, "# nothing\n", &why));
    ttasm_free(&program);
    assert_true(assemble(TSR_BLACKHOLE_A0,
                         "first: NOP\n.thread 2\nNOP\n.REP 2\ncfg ADDR_MOD_SET_Base=0\n.EndR\n",
                         &why) == false); // Wormhole's field
    assert_true(assemble(TSR_WORMHOLE_B0,
                         "first: NOP\n.thread 2\nNOP\n.REP 2\ncfg ADDR_MOD_SET_Base=0\n.EndR\n",
                         &why));
    assert_int_equal(program.threads[0].count, 1);
    assert_int_equal(program.threads[2].count, 3);
    ttasm_free(&program);
    refuse(".tensor A, bf16, row-major, 0, shape 16\n", "tessera run takes 'A'");
}

// ---------------------------------------------------------------- characters

static void test_characters(void **state)
{
    struct message why;

    (void)state;
    // Other alphabets may stand in comments and in quotes.
    assert_true(assemble(TSR_WORMHOLE_B0, "NOP # \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\n", &why));
    ttasm_free(&program);
    refuse_bytes("NOP\nNO\0P\n", 9, "t.ttasm:2:3: a NUL byte stands here");
    refuse_bytes("NOP # \xc3\xa4\0", 9, "t.ttasm:1:8: a NUL byte stands here");
    refuse("\xef\xbb\xbfNOP\n", "t.ttasm:1:1: the file begins with a byte order mark");
    refuse("NOP # caf\xe9\n", "t.ttasm:1:10: this is not UTF-8 '0xe9'");
    refuse("\xff\xfeN", "t.ttasm:1:1: this is not UTF-8 '0xff'");
    refuse("# \xc0\xaf\n", ":1:3: this is not UTF-8 '0xc0'");         // overlong
    refuse("# \xed\xa0\x80\n", ":1:3: this is not UTF-8 '0xed'");     // a surrogate
    refuse("# \xf4\x90\x80\x80\n", ":1:3: this is not UTF-8 '0xf4'"); // beyond U+10FFFF
    refuse("#\n# \xe2\x82", ":2:3: this is not UTF-8 '0xe2'");        // cut short
    refuse("NOP\nNOP \xe2\x82\xac\n", "t.ttasm:2: unknown character '\xe2\x82\xac'");
    refuse(".include \"x\nNOP\n", ":1: the closing quote is missing '\"x'");
}

// ---------------------------------------------------------------- included files

static void test_include(void **state)
{
    struct message why;

    (void)state;
    fixture_file("inner.ttasm", ".equ two, 2\nNOP\n", 16);
    assert_true(assemble(TSR_WORMHOLE_B0,
                         ".rep 2\n.include \"inner.ttasm\" # here\n.word two\n.endr\n", &why));
    assert_int_equal(program.threads[0].count, 4);
    assert_int_equal(program.threads[0].words[3], 2);
    assert_non_null(strstr(program.threads[0].places[0].path, "/inner.ttasm"));
    assert_int_equal(program.threads[0].places[0].line, 2);
    assert_non_null(strstr(program.threads[0].places[1].path, "/t.ttasm"));
    assert_int_equal(program.threads[0].places[1].line, 3);
    ttasm_free(&program);
}

static void test_wrong_include(void **state)
{
    (void)state;
    fixture_file("inner1.ttasm", "NOP\n\nELWADDD\n", 13);
    refuse("NOP\n.include \"inner1.ttasm\"\n",
           "/inner1.ttasm:3: wormhole_b0 has no such instruction "
           "'ELWADDD' (nearest: 'ELWADD')");
    fixture_file("inner2.ttasm", "NOP\n.rep 2\n", 11);
    refuse(".include \"inner2.ttasm\"\n.endr\n", "/t.ttasm:2: nothing is open here '.endr'");
    refuse(".include \"inner2.ttasm\"\n", "/inner2.ttasm:2: this block is never closed '.rep'");
    fixture_file("inner3.ttasm", ".include \"./t.ttasm\"\n", 21);
    refuse("NOP\n.include \"inner3.ttasm\"\n", "/inner3.ttasm:1: this file includes itself");
    fixture_file("inner4.ttasm", "# \xff\n", 4);
    refuse(".include \"inner4.ttasm\"\n", "/t.ttasm:1: .include: ");
    refuse(".include \"inner4.ttasm\"\n", "/inner4.ttasm:1:3: this is not UTF-8 '0xff'");
    refuse("NOP\n.include \"inner4.tasm\"\n", "(nearest: 'inner4.ttasm')");
    refuse("NOP\n.include inner4.ttasm\n", ":2: '.include' takes one path in quotes");
}

// ---------------------------------------------------------------- constants

static void test_constants(void **state)
{
    (void)state;
    assert_int_equal(value_of(TSR_WORMHOLE_B0, "p_stall.STALL_CFG | p_stall.STALL_MATH"), 0xc0);
    assert_int_equal(value_of(TSR_WORMHOLE_B0, "p_stall.PACK"), 0x78);
    assert_int_equal(value_of(TSR_BLACKHOLE_A0, "p_stall.PACK"), 0x08);
    assert_int_equal(value_of(TSR_WORMHOLE_B0, "p_stall.MATH"), 0x80);
    assert_int_equal(value_of(TSR_BLACKHOLE_A0, "p_stall.MATH"), 0x10);
    assert_int_equal(value_of(TSR_BLACKHOLE_A0, "p_stall.CFGEXU"), 0x1000);
    assert_int_equal(value_of(TSR_BLACKHOLE_A0, "p_stall.STALL_ON_MAX"), 2);
    assert_int_equal(value_of(TSR_BLACKHOLE_A0, "1 << semaphore.MATH_PACK"), 2);
    refuse(".word p_stall.CFGEXU\n", "no tensor or constant of this name stands above");
    refuse(".word p_stall.STAL_CFG\n", "'p_stall.STAL_CFG' (nearest: 'p_stall.STALL_CFG')");
    refuse(".equ p_stall, 1\n", "this name is built in 'p_stall'");
}

// ---------------------------------------------------------------- the nearest name

static void test_nearest(void **state)
{
    (void)state;
    refuse("MVMLU\n", "has no such instruction 'MVMLU' (nearest: 'MVMUL')");
    refuse("XYZZY\n", "has no such instruction 'XYZZY'");
    refuse("SFPMUL24\n", "only blackhole_a0, not wormhole_b0, has instruction 'SFPMUL24'");
    refuse("ELWADD adr_mode=1\n", "has no such operand 'adr_mode' (nearest: 'addr_mode')");
    refuse("ELWADD Dst=1\n", "has no such operand 'Dst' (nearest: 'dst')");
    refuse("cfg THCON_SEC0_REG2_Out_data_fromat = 1\n",
           "'THCON_SEC0_REG2_Out_data_fromat' (nearest: 'THCON_SEC0_REG2_Out_data_format')");
    refuse("cfg Throttle_mode = 1\n", "'Throttle_mode' (nearest: 'THCON_SEC0_REG2_Throttle_mode')");
    refuse(".thread 0\n.ednr\n", "unknown directive '.ednr' (nearest: '.endr')");
    refuse(".equ TILES, 3\n.word TILE\n", "unknown symbol 'TILE' (nearest: 'TILES')");
    refuse(".word bf61\n", "unknown symbol 'bf61' (nearest: 'BF16')");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_grammar),   cmocka_unit_test(test_words_alone),
        cmocka_unit_test(test_characters),    cmocka_unit_test(test_include),
        cmocka_unit_test(test_wrong_include), cmocka_unit_test(test_constants),
        cmocka_unit_test(test_nearest),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    fixture_remove_all();
    return failed;
}
