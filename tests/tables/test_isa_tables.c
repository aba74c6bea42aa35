// SPDX-License-Identifier: Apache-2.0
// The tables that src/isa makes of the rows in machine/: counts, overlaps, unused bits, look-up,
// and what the specification's CSV files say where they are at hand (SHARED_DIR in the environment,
// or ../shared beside the repository).
#include "isa/isa.h"
#include "isa/region_index.h"

#include "tables/csv_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const tsr_arch archs[] = {TSR_WORMHOLE_B0, TSR_BLACKHOLE_A0};
static const char *const short_names[] = {"wh", "bh"};

// ---------------------------------------------------------------- instructions

static void test_instruction_counts(void **state)
{
    (void)state;
    assert_int_equal(tsr_instruction_count(TSR_WORMHOLE_B0), 128);
    assert_int_equal(tsr_instruction_count(TSR_BLACKHOLE_A0), 137);
    assert_int_equal(OP_COUNT - 1, 137);
    for (int a = 0; a < TSR_ARCH_COUNT; a++) {
        assert_null(tsr_instruction_at(archs[a], -1));
        assert_null(tsr_instruction_at(archs[a], tsr_instruction_count(archs[a])));
        for (int i = 0; i < tsr_instruction_count(archs[a]); i++) {
            const tsr_instruction_info *info = tsr_instruction_at(archs[a], i);
            assert_ptr_equal(tsr_instruction_find(archs[a], info->mnemonic), info);
        }
    }
    assert_null(tsr_instruction_find(TSR_WORMHOLE_B0, "SFPARECIP"));
    assert_non_null(tsr_instruction_find(TSR_BLACKHOLE_A0, "sfparecip"));
    assert_null(tsr_instruction_find(TSR_BLACKHOLE_A0, "SFPARECI"));
}

// The public rows and the units' tables say the same.
static void test_tables_agree(void **state)
{
    (void)state;
    for (int a = 0; a < TSR_ARCH_COUNT; a++) {
        const struct tsr_isa *isa = tsr_isa(archs[a]);
        assert_int_equal(isa->arch, archs[a]);
        for (int i = 0; i < tsr_instruction_count(archs[a]); i++) {
            const tsr_instruction_info *info = tsr_instruction_at(archs[a], i);
            enum tsr_op op = (enum tsr_op)isa->op_of_opcode[info->opcode];
            assert_string_equal(tsr_op_name(op), info->mnemonic);
            uint32_t sum = 0;
            int present = 0;
            for (int id = 0; id < OPERAND_COUNT; id++)
                present += isa->operand[op][id].width != 0;
            for (int k = 0; k < info->operand_count; k++)
                sum += ((1u << info->operands[k].width) - 1) << info->operands[k].first_bit;
            assert_int_equal(present, info->operand_count);
            assert_int_equal(sum, isa->used_bits[op]);
            assert_int_equal(isa->implemented[op], info->implemented);
            bool own_rule = isa->issue_unit[op] == ISSUE_CONFIG;
            assert_in_range(isa->issue_cycles[op], own_rule ? 0 : 1, 15);
            assert_true(isa->latency[op] >= isa->issue_cycles[op]);
        }
    }
}

// Every bit below the opcode either belongs to an operand or makes the word no instruction.
static void test_unused_bits(void **state)
{
    (void)state;
    for (int a = 0; a < TSR_ARCH_COUNT; a++) {
        const struct tsr_isa *isa = tsr_isa(archs[a]);
        for (uint32_t opcode = 0; opcode < 256; opcode++) {
            enum tsr_op op = (enum tsr_op)isa->op_of_opcode[opcode];
            const tsr_instruction_info *info = tsr_instruction_decode(archs[a], opcode << 24);
            assert_true((op == OP_NONE) == (info == NULL));
            for (int bit = 0; bit < 24; bit++) {
                uint32_t word = opcode << 24 | 1u << bit;
                bool used = op != OP_NONE && (isa->used_bits[op] >> bit & 1);
                assert_true(used == (tsr_instruction_decode(archs[a], word) != NULL));
                if (op != OP_NONE)
                    assert_true(used == (tsr_reserved_bits(isa, op, word) == 0));
            }
        }
    }
}

// An AddrMod chooses one of four of Wormhole's sections, one of eight of Blackhole's.
static void test_address_modes(void **state)
{
    (void)state;
    for (int a = 0; a < TSR_ARCH_COUNT; a++) {
        unsigned choosers = 0, bits = archs[a] == TSR_BLACKHOLE_A0 ? 3 : 2;
        for (int op = 1; op < OP_COUNT; op++) {
            const struct tsr_operand_place *operands = tsr_isa(archs[a])->operand[op];
            unsigned width =
                operands[OPERAND_addr_mode].width + operands[OPERAND_pool_addr_mode].width;
            assert_true(width == 0 || width == bits);
            choosers += width != 0;
        }
        assert_int_equal(choosers, bits == 3 ? 23 : 21);
    }
}

static uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

// A word of any bits, or (mostly) one whose bits an instruction of the chip owns.
static uint32_t random_word(const struct tsr_isa *isa, uint64_t *random)
{
    uint32_t word = next_random(random);
    enum tsr_op op = (enum tsr_op)(1 + next_random(random) % (OP_COUNT - 1));
    const tsr_instruction_info *info = tsr_instruction_find(isa->arch, tsr_op_name(op));
    if (info == NULL || next_random(random) % 8 == 0)
        return word;
    word = (word & isa->used_bits[op]) | (uint32_t)info->opcode << 24;
    return next_random(random) % 8 == 0 ? word ^ 1u << next_random(random) % 24 : word;
}

static void test_encode_is_the_inverse_of_decode(void **state)
{
    (void)state;
    for (int a = 0; a < TSR_ARCH_COUNT; a++) {
        const struct tsr_isa *isa = tsr_isa(archs[a]);
        uint64_t random = 2026;
        int instructions = 0;
        for (int i = 0; i < 200000; i++) {
            uint32_t word = random_word(isa, &random);
            char text[TSR_INSTRUCTION_TEXT], error[200] = "";
            int length = tsr_disassemble(archs[a], word, text, sizeof text);
            assert_in_range(length, 3, sizeof text - 1);
            assert_int_equal(length, strlen(text));
            uint32_t back = ~word;
            if (tsr_assemble(archs[a], text, &back, error, sizeof error) != TSR_OK)
                fail_msg("0x%08x: %s: %s", (unsigned)word, text, error);
            if (back != word)
                fail_msg("0x%08x became 0x%08x by %s", (unsigned)word, (unsigned)back, text);
            instructions += text[0] != '.';
        }
        assert_in_range(instructions, 100000, 190000);
    }
}

static void assert_text(tsr_arch arch, uint32_t word, const char *expected)
{
    char text[TSR_INSTRUCTION_TEXT];
    tsr_disassemble(arch, word, text, sizeof text);
    assert_string_equal(text, expected);
}

static void test_disassembly(void **state)
{
    (void)state;
    assert_text(TSR_WORMHOLE_B0, 0x02000000, "NOP");
    assert_text(TSR_WORMHOLE_B0, 0x02000001, ".word 0x02000001");
    assert_text(TSR_WORMHOLE_B0, 0x00000000, ".word 0x00000000");
    assert_text(TSR_WORMHOLE_B0, 0x28c18005,
                "ELWADD dst=5 addr_mode=3 instr_mod19=0 dest_accum_en=0 clear_dvalid=3");
    assert_text(TSR_BLACKHOLE_A0, 0x28c18005,
                "ELWADD dst=5 addr_mode=6 instr_mod19=0 dest_accum_en=0 clear_dvalid=3");
    assert_text(TSR_WORMHOLE_B0, 0x28004000, ".word 0x28004000"); // bit 14 is no operand's
    assert_text(TSR_WORMHOLE_B0, 0xb2010abc, "SETC16 setc16_value=2748 setc16_reg=1");
    assert_text(TSR_WORMHOLE_B0, 0x05000000, ".word 0x05000000"); // Blackhole only
    assert_text(TSR_BLACKHOLE_A0, 0x05000000, "RESOURCEDECL op_class=0 resources=0 linger_time=0");
    assert_text(TSR_WORMHOLE_B0, 0x35000002,
                "GATESRCRST reset_srca_gate_control=0 reset_srcb_gate_control=1");

    char text[8];
    memset(text, 'x', sizeof text);
    assert_int_equal(tsr_disassemble(TSR_WORMHOLE_B0, 0xb2010abc, text, sizeof text),
                     strlen("SETC16 setc16_value=2748 setc16_reg=1"));
    assert_string_equal(text, "SETC16 ");
    assert_int_equal(tsr_disassemble(TSR_WORMHOLE_B0, 0x02000000, NULL, 0), 3);
}

static void assert_assembles(const char *text, uint32_t expected)
{
    uint32_t word = 0;
    char error[200] = "";
    if (tsr_assemble(TSR_WORMHOLE_B0, text, &word, error, sizeof error) != TSR_OK)
        fail_msg("%s: %s", text, error);
    assert_int_equal(word, expected);
}

static void assert_refused(const char *text, tsr_status status, const char *expected)
{
    uint32_t word = 0x12345678;
    char error[200] = "";
    assert_int_equal(tsr_assemble(TSR_WORMHOLE_B0, text, &word, error, sizeof error), status);
    assert_string_equal(error, expected);
    assert_int_equal(word, 0x12345678);
    assert_int_equal(tsr_assemble(TSR_WORMHOLE_B0, text, &word, NULL, 0), status);
}

static void test_assembly(void **state)
{
    (void)state;
    assert_assembles("NOP", 0x02000000);
    assert_assembles("  nop\r\n", 0x02000000);
    assert_assembles("SetC16 setc16_reg=0x1 setc16_value=0b101", 0xb2010005);
    assert_assembles("SETC16 setc16_reg = 1\tsetc16_value= 0XaB", 0xb20100ab);
    assert_assembles("SETC16", 0xb2000000);
    assert_assembles(".WORD 0xffffffff", 0xffffffff);
    assert_assembles(".word 7", 7);
    assert_assembles("GATESRCRST reset_srcb_gate_control=1", 0x35000002);
    assert_assembles("GATESRCRST reset_srcb_gate_control=1 reset_srca_gate_control=1", 0x35000003);

    assert_assembles("SETC16 setc16_reg=1,setc16_value=2 # three", 0xb2010002);
    assert_assembles("SETC16 setc16_reg=1 ; setc16_value=2", 0xb2010000);
    assert_assembles("SETC16// setc16_value=2", 0xb2000000);

    assert_refused("SETC16 setc16_reg=1,", TSR_BAD_ARGUMENT, "A name is missing before the end.");
    assert_refused("SETC16 ,setc16_reg=1", TSR_BAD_ARGUMENT, "A name is missing before ','.");
    assert_refused(".word 1, 2", TSR_BAD_ARGUMENT, "\",\" is too much after .word.");
    assert_refused("", TSR_BAD_ARGUMENT, "The line has no instruction.");
    assert_refused("MVMULL dst=1", TSR_NOT_FOUND, "\"MVMULL\" is no instruction.");
    assert_refused("SFPARECIP", TSR_NOT_FOUND,
                   "\"SFPARECIP\" is no instruction of wormhole_b0, only of the other chip.");
    assert_refused("MVMUL dts=1", TSR_NOT_FOUND, "MVMUL has no operand \"dts\".");
    assert_refused("MVMUL dst=1 dts=2", TSR_NOT_FOUND, "MVMUL has no operand \"dts\".");
    assert_refused("MVMUL junk dst=1", TSR_NOT_FOUND, "MVMUL has no operand \"junk\".");
    assert_refused("GATESRCRST reset srca gate control=1", TSR_NOT_FOUND,
                   "GATESRCRST has no operand \"reset\".");
    assert_refused("MVMUL dst", TSR_BAD_ARGUMENT, "'=' is missing after \"dst\".");
    assert_refused("MVMUL dst 1 addr_mode=0", TSR_BAD_ARGUMENT, "'=' is missing after \"dst\".");
    assert_refused("MVMUL =1", TSR_BAD_ARGUMENT, "A name is missing before '='.");
    assert_refused("MVMUL dst=", TSR_BAD_ARGUMENT, "A number is missing after \"dst=\".");
    assert_refused("MVMUL dst=1x", TSR_BAD_ARGUMENT, "\"1x\" is not a number (operand dst).");
    assert_refused("MVMUL dst=-1", TSR_BAD_ARGUMENT, "\"-1\" is not a number (operand dst).");
    assert_refused("MVMUL dst=0x", TSR_BAD_ARGUMENT, "\"0x\" is not a number (operand dst).");
    assert_refused("MVMUL dst=1024", TSR_BAD_ARGUMENT, "dst=1024 is out of range 0 to 1023.");
    assert_refused("MVMUL dst=0x10000000000000001", TSR_BAD_ARGUMENT,
                   "dst=0x10000000000000001 is out of range 0 to 1023.");
    assert_refused("MVMUL dst=1 dst=1", TSR_BAD_ARGUMENT, "Operand dst is given twice.");
    assert_refused(".word", TSR_BAD_ARGUMENT, "A number is missing after .word.");
    assert_refused(".word x", TSR_BAD_ARGUMENT, "\"x\" is not a number.");
    assert_refused(".word 0x100000000", TSR_BAD_ARGUMENT,
                   "0x100000000 is out of range 0 to 0xffffffff.");
    assert_refused(".word 1 2", TSR_BAD_ARGUMENT, "\"2\" is too much after .word.");
}

// The block table's bits follow from the unit, but for the wait instructions (STALLWAIT.md).
static void test_block_bits(void **state)
{
    (void)state;
    static const uint16_t bits[ISSUE_COUNT] = {
        [ISSUE_MISC] = 1,      [ISSUE_SYNC] = 2,      [ISSUE_PACKER] = 5,
        [ISSUE_UNPACKER] = 9,  [ISSUE_MOVER] = 0x11,  [ISSUE_SCALAR] = 0x21,
        [ISSUE_MATRIX] = 0x40, [ISSUE_CONFIG] = 0x80, [ISSUE_VECTOR] = 0x100,
    };
    for (int a = 0; a < TSR_ARCH_COUNT; a++) {
        const struct tsr_isa *isa = tsr_isa(archs[a]);
        for (int i = 0; i < tsr_instruction_count(archs[a]); i++) {
            const tsr_instruction_info *info = tsr_instruction_at(archs[a], i);
            enum tsr_op op = (enum tsr_op)isa->op_of_opcode[info->opcode];
            uint16_t expected = bits[isa->issue_unit[op]];
            if (op == OP_STALLWAIT || op == OP_STREAMWAIT ||
                (op == OP_SEMWAIT && archs[a] == TSR_BLACKHOLE_A0))
                expected = 0x1ff;
            assert_int_equal(isa->block_bits[op], expected);
            tsr_unit unit = TSR_UNIT_COUNT;
            bool has_unit = tsr_unit_of(isa, (uint32_t)info->opcode << 24, &unit);
            assert_true(has_unit == (isa->issue_unit[op] != ISSUE_FRONTEND));
            assert_true(has_unit == (unit != TSR_UNIT_COUNT));
        }
        assert_true(tsr_blocked(isa, OP_ELWADD, 0x40));
        assert_false(tsr_blocked(isa, OP_ELWADD, 0x1bf));
        assert_true(tsr_blocked(isa, OP_NOP, 0x1ff));
        assert_false(tsr_blocked(isa, OP_NOP, 0x1fe));
        tsr_unit unit;
        assert_true(tsr_unit_of(isa, 0x42800000, &unit));
        assert_int_equal(unit, TSR_UNIT_UNPACKER1);
    }
}

static void test_wait_conditions(void **state)
{
    (void)state;
    static const int counts[] = {15, 13};
    static const uint16_t defaults[] = {0x7f, 0x0f};
    for (int a = 0; a < TSR_ARCH_COUNT; a++) {
        const struct tsr_isa *isa = tsr_isa(archs[a]);
        for (int bit = 0; bit < TSR_CONDITION_BITS; bit++) {
            enum tsr_condition condition = tsr_condition_of_bit(isa, (unsigned)bit);
            assert_true((condition != CONDITION_ABSENT) == (bit < counts[a]));
            assert_true(tsr_condition_text(condition)[0] != '\0');
        }
        assert_int_equal(isa->default_conditions, defaults[a]);
        assert_int_equal(isa->default_block, 0x40);
    }
    assert_int_equal(tsr_condition_of_bit(tsr_isa(TSR_WORMHOLE_B0), 7), CONDITION_MATRIX);
    assert_int_equal(tsr_condition_of_bit(tsr_isa(TSR_BLACKHOLE_A0), 4), CONDITION_MATRIX);
    assert_int_equal(tsr_condition_of_bit(tsr_isa(TSR_BLACKHOLE_A0), 12), CONDITION_CONFIG);
}

// ---------------------------------------------------------------- configuration

// Constants are the bits of the conditions, under other names.
static void test_constants(void **state)
{
    (void)state;
    static const int counts[] = {169, 188};
    for (int a = 0; a < TSR_ARCH_COUNT; a++) {
        const struct tsr_isa *isa = tsr_isa(archs[a]);
        tsr_constant_info constant;
        uint32_t blocks = 0, conditions = 0, semaphores = 0, value;
        int count = 0;
        for (; tsr_constant_at(archs[a], count, &constant) == TSR_OK; count++) {
            assert_int_equal(tsr_constant_find(archs[a], constant.name, &value), TSR_OK);
            assert_int_equal(value, constant.value);
            assert_true(constant.text[0] != '\0');
            if (strcmp(constant.operand, "stall_res") == 0)
                blocks |= value;
            else if (strcmp(constant.operand, "wait_res") == 0)
                conditions |= value;
            else if (strcmp(constant.operand, "sem_sel") == 0)
                semaphores |= 1u << value;
        }
        assert_int_equal(count, counts[a]);
        assert_int_equal(blocks, (1u << TSR_BLOCK_BITS) - 1);
        assert_int_equal(semaphores, 0xff);
        for (unsigned bit = 0; bit < TSR_CONDITION_BITS; bit++)
            assert_true((conditions >> bit & 1) ==
                        (tsr_condition_of_bit(isa, bit) != CONDITION_ABSENT));
    }
    assert_int_equal(tsr_constant_at(TSR_WORMHOLE_B0, -1, NULL), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_constant_at(TSR_WORMHOLE_B0, 0, NULL), TSR_OK);
    assert_int_equal(tsr_constant_find(TSR_WORMHOLE_B0, "p_stall.CFGEXU", NULL), TSR_NOT_FOUND);
    assert_int_equal(tsr_constant_find(TSR_BLACKHOLE_A0, "p_stall.CFGEXU", NULL), TSR_OK);
    assert_int_equal(tsr_constant_find(TSR_BLACKHOLE_A0, NULL, NULL), TSR_NOT_FOUND);
    uint32_t mode;
    const char *negate = "sfpu.SFPMAD_MOD1_NEGATE_VC";
    assert_int_equal(tsr_constant_find(TSR_WORMHOLE_B0, negate, &mode), TSR_NOT_FOUND);
    assert_int_equal(tsr_constant_find(TSR_BLACKHOLE_A0, negate, &mode), TSR_OK);
    assert_int_equal(mode, 2);
}

// What the public functions give is the map that the tile looks up.
static void test_addresses(void **state)
{
    (void)state;
    static const int regions[] = {23, 29}, registers[] = {53, 66};
    for (int a = 0; a < TSR_ARCH_COUNT; a++) {
        tsr_memory_info region;
        tsr_register_info reg, before = {.address = 0};
        int count = 0;
        for (; tsr_memory_at(archs[a], count, &region) == TSR_OK; count++) {
            assert_true(region.size > 0 && region.cores > 0 && region.cores < 32);
            int same = 0;
            for (int i = 0; i < REGION_COUNT; i++) {
                const struct tsr_region *row = &tsr_isa(archs[a])->region[i];
                same += strcmp(row->name, region.name) == 0 && row->base == region.base &&
                        row->size == region.size && (row->cores & 31) == region.cores;
            }
            assert_int_equal(same, 1);
        }
        assert_int_equal(count, regions[a]);
        for (count = 0; tsr_register_at(archs[a], count, &reg) == TSR_OK; count++) {
            assert_true(reg.address > before.address);
            before = reg;
            if (strcmp(reg.name, "SOFT_RESET_0") == 0)
                assert_int_equal(reg.address, 0xffb121b0);
        }
        assert_true(count >= registers[a]);
        assert_int_equal(tsr_memory_at(archs[a], -1, &region), TSR_BAD_ARGUMENT);
        assert_int_equal(tsr_register_at(archs[a], -1, &reg), TSR_BAD_ARGUMENT);
    }
}

static void test_field_counts_and_look_up(void **state)
{
    (void)state;
    assert_int_equal(tsr_field_count(TSR_WORMHOLE_B0), 813);
    assert_int_equal(tsr_field_count(TSR_BLACKHOLE_A0), 842);
    for (int field = 1; field < FIELD_COUNT; field++) {
        const char *before = tsr_field_name((enum tsr_field)(field - 1));
        if (strcmp(before, tsr_field_name((enum tsr_field)field)) >= 0)
            fail_msg("rows are not in the order of strcmp() after %s", before);
    }
    for (int a = 0; a < TSR_ARCH_COUNT; a++) {
        const struct tsr_isa *isa = tsr_isa(archs[a]);
        int present = 0;
        for (int field = 0; field < FIELD_COUNT; field++)
            present += isa->field[field].width != 0;
        assert_int_equal(present, tsr_field_count(archs[a]));
        for (int i = 0; i < present; i++) {
            const tsr_field_info *info = tsr_field_at(archs[a], i);
            const struct tsr_field_place *place = &isa->field[tsr_field_id(info->name)];
            assert_ptr_equal(tsr_field_find(archs[a], info->name), info);
            assert_int_equal(place->addr32, info->addr32);
            assert_int_equal(place->first_bit, info->first_bit);
            assert_int_equal(place->width, info->width);
            assert_int_equal(place->scope, info->scope);
            assert_true((place->group == PLAN_NONE) == (info->plan_group[0] == '\0'));
        }
        assert_null(tsr_field_at(archs[a], -1));
        assert_null(tsr_field_at(archs[a], present));
        assert_null(tsr_field_find(archs[a], "ALU_FORMAT_SPEC_REG0_SrcC"));
        assert_null(tsr_field_find(archs[a], ""));
        assert_null(tsr_field_find(archs[a], "zzz"));
    }
    assert_null(tsr_field_find(TSR_BLACKHOLE_A0, "ADDR_MOD_SET_Base"));
    assert_non_null(tsr_field_find(TSR_WORMHOLE_B0, "ADDR_MOD_SET_Base"));
}

// The one kind of alias: a TileDescriptor covers its parts, which are named after it.
static bool is_part_of(const tsr_field_info *part, const tsr_field_info *whole)
{
    size_t length = strlen(whole->name);
    return whole->width == 128 && strncmp(part->name, whole->name, length) == 0 &&
           part->name[length] == '.';
}

static void test_field_overlaps(void **state)
{
    (void)state;
    for (int a = 0; a < TSR_ARCH_COUNT; a++) {
        int count = tsr_field_count(archs[a]), aliases = 0;
        for (int i = 0; i < count; i++) {
            const tsr_field_info *one = tsr_field_at(archs[a], i);
            for (int k = i + 1; k < count; k++) {
                const tsr_field_info *other = tsr_field_at(archs[a], k);
                bool thread = one->scope == TSR_SCOPE_THREAD;
                if (thread != (other->scope == TSR_SCOPE_THREAD))
                    continue; // words of their own
                int begin = one->addr32 * 32 + one->first_bit;
                int other_begin = other->addr32 * 32 + other->first_bit;
                if (begin >= other_begin + other->width || other_begin >= begin + one->width)
                    continue;
                if (!is_part_of(other, one) && !is_part_of(one, other))
                    fail_msg("%s: %s overlaps %s", tsr_arch_name(archs[a]), one->name, other->name);
                aliases++;
            }
        }
        assert_int_equal(aliases, 22);
    }
}

static int group_of(const char *name)
{
    return tsr_isa(TSR_WORMHOLE_B0)->field[tsr_field_id(name)].group;
}

// Addresses and counters are inputs of an execution, never part of a plan.
static void test_plan_groups(void **state)
{
    (void)state;
    assert_int_equal(group_of("THCON_SEC0_REG3_Base_address"), PLAN_NONE);
    assert_int_equal(group_of("THCON_SEC0_REG7_Offset_cntx1_address"), PLAN_NONE);
    assert_int_equal(group_of("THCON_SEC0_REG1_L1_Dest_addr"), PLAN_NONE);
    assert_int_equal(group_of("DEST_TARGET_REG_CFG_PACK_SEC0_Offset"), PLAN_NONE);
    assert_int_equal(group_of("THCON_SEC0_REG5_Dest_cntx0_address"), PLAN_NONE);
    assert_int_equal(group_of("UNPACK_MISC_CFG_CfgContextOffset_0"), PLAN_NONE);
    assert_int_equal(group_of("CFG_STATE_ID_StateID"), PLAN_NONE);
    assert_int_equal(group_of("THCON_SEC0_REG2_Out_data_format"), PLAN_UNPACK0);
    assert_int_equal(group_of("THCON_SEC1_REG0_TileDescriptor.XDim"), PLAN_UNPACK1);
    assert_int_equal(group_of("THCON_SEC1_REG1_Out_data_format"), PLAN_PACK);
    assert_int_equal(group_of("UNP1_ADDR_CTRL_ZW_REG_1_Zstride"), PLAN_UNPACK1);
    assert_int_equal(group_of("ALU_ACC_CTRL_Fp32_enabled"), PLAN_ALU);
    assert_int_equal(group_of("ADDR_MOD_AB_SEC0_SrcAIncr"), PLAN_RWC);
    assert_int_equal(group_of("ADDR_MOD_PACK_SEC0_YsrcIncr"), PLAN_PACK);
}

// ---------------------------------------------------------------- names, regions, formats

static void test_formats(void **state)
{
    (void)state;
    static const char *const names[16] = {
        "FP32",  "FP16",  "BFP8a", "BFP4a", "TF32",       "BF16",       "BFP8", "BFP4",
        "INT32", "INT16", "FP8",   "BFP2a", "reserved12", "reserved13", "INT8", "BFP2",
    };
    static const uint8_t bits[16] = {32, 16, 8, 4, 32, 16, 8, 4, 32, 16, 8, 2, 0, 0, 8, 2};
    for (uint8_t code = 0; code < 16; code++) {
        uint8_t found = 0xff;
        assert_string_equal(tsr_format_name(code), names[code]);
        assert_int_equal(tsr_format_at(code)->l1_bits, bits[code]);
        if (bits[code] != 0) {
            assert_int_equal(tsr_format_find(names[code], &found), TSR_OK);
            assert_int_equal(found, code);
        }
    }
    uint8_t code = 0;
    assert_int_equal(tsr_format_find("bfp8A", &code), TSR_OK);
    assert_int_equal(code, 2);
    assert_int_equal(tsr_format_find("lf8", &code), TSR_OK);
    assert_int_equal(code, 10);
    assert_int_equal(tsr_format_find("bf17", &code), TSR_NOT_FOUND);
    assert_int_equal(tsr_format_find("reserved12", &code), TSR_NOT_FOUND);
}

static void test_regions(void **state)
{
    (void)state;
    static struct tsr_region_index wh, bh;
    tsr_region_index_fill(&wh, tsr_isa(TSR_WORMHOLE_B0));
    tsr_region_index_fill(&bh, tsr_isa(TSR_BLACKHOLE_A0));
    assert_int_equal(tsr_l1_size(TSR_WORMHOLE_B0), 1464 * 1024);
    assert_int_equal(tsr_l1_size(TSR_BLACKHOLE_A0), 1536 * 1024);
    assert_int_equal(tsr_region_find(&wh, tsr_isa(TSR_WORMHOLE_B0), TSR_CORE_T1, 0), REGION_L1);
    assert_int_equal(tsr_region_find(&wh, tsr_isa(TSR_WORMHOLE_B0), TSR_CORE_T1, 1464 * 1024),
                     REGION_COUNT);
    assert_int_equal(tsr_region_find(&wh, tsr_isa(TSR_WORMHOLE_B0), TSR_CORE_T0, 0xffe80020),
                     REGION_SEMAPHORES);
    assert_int_equal(tsr_region_find(&wh, tsr_isa(TSR_WORMHOLE_B0), TSR_CORE_T0, 0xffe80004),
                     REGION_TTSYNC);
    assert_int_equal(tsr_region_find(&wh, tsr_isa(TSR_WORMHOLE_B0), TSR_CORE_T0, 0xffe80000),
                     REGION_PC_BUFFER_T);
    assert_int_equal(tsr_region_find(&wh, tsr_isa(TSR_WORMHOLE_B0), TSR_CORE_B, 0xffe80020),
                     REGION_PC_BUFFER0);
    assert_int_equal(tsr_region_find(&wh, tsr_isa(TSR_WORMHOLE_B0), TSR_CORE_T2, 0xffe50000),
                     REGION_COUNT);
    assert_int_equal(tsr_region_find(&wh, tsr_isa(TSR_WORMHOLE_B0), TSR_CORE_T2, 0xffbd8000),
                     REGION_COUNT);
    assert_int_equal(tsr_region_find(&bh, tsr_isa(TSR_BLACKHOLE_A0), TSR_CORE_T2, 0xffbd8000),
                     REGION_DST_WINDOW);
    assert_int_equal(tsr_region_find(&bh, tsr_isa(TSR_BLACKHOLE_A0), TSR_CORE_NC, 0xffe00000),
                     REGION_COUNT);
    // The host sees what the NoC does.
    assert_int_equal(tsr_region_find(&wh, tsr_isa(TSR_WORMHOLE_B0), TSR_CORE_NOC, 0xffb11000),
                     REGION_TDMA);
    assert_int_equal(tsr_region_find(&bh, tsr_isa(TSR_BLACKHOLE_A0), TSR_CORE_NOC, 0xffb11000),
                     REGION_COUNT);
    assert_int_equal(tsr_region_find(&wh, tsr_isa(TSR_WORMHOLE_B0), TSR_CORE_NOC, 0xffef0000),
                     REGION_COUNT);
    // No core sees two regions at one address.
    for (int a = 0; a < TSR_ARCH_COUNT; a++) {
        const struct tsr_region *regions = tsr_isa(archs[a])->region;
        for (int i = 0; i < REGION_COUNT; i++) {
            for (int k = i + 1; k < REGION_COUNT; k++) {
                const struct tsr_region *one = &regions[i], *two = &regions[k];
                bool apart = (uint64_t)one->base + one->size <= two->base ||
                             (uint64_t)two->base + two->size <= one->base;
                if (!apart && one->size && two->size && (one->cores & two->cores))
                    fail_msg("%s overlaps %s", one->name, two->name);
            }
        }
    }
}

static void test_names(void **state)
{
    (void)state;
    static const char *const words[] = {"wh", "wormhole",  "wormhole_b0",
                                        "bh", "blackhole", "blackhole_a0"};
    for (int i = 0; i < 6; i++) {
        tsr_arch arch = i < 3 ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0;
        assert_int_equal(tsr_arch_from_name(words[i], &arch), TSR_OK);
        assert_int_equal(arch, i < 3 ? TSR_WORMHOLE_B0 : TSR_BLACKHOLE_A0);
    }
    tsr_arch arch;
    assert_int_equal(tsr_arch_from_name("grayskull", &arch), TSR_NOT_FOUND);
    for (int i = 0; i < TSR_CATEGORY_COUNT; i++)
        assert_true(strlen(tsr_category_name((tsr_category)i)) > 3);
    static const char *const cores[TSR_CORES][2] = {
        {"B", "brisc"}, {"T0", "trisc0"}, {"T1", "trisc1"}, {"T2", "trisc2"}, {"NC", "ncrisc"}};
    for (int i = 0; i < TSR_CORES; i++) {
        assert_string_equal(tsr_core_name((tsr_core)i), cores[i][0]);
        assert_string_equal(tsr_core_program_name((tsr_core)i), cores[i][1]);
    }
    for (int i = 0; i < TSR_UNIT_COUNT; i++)
        assert_true(strlen(tsr_unit_name((tsr_unit)i)) > 3);
    for (int i = 0; i < TSR_REASON_COUNT; i++)
        assert_true(strlen(tsr_reason_name((tsr_reason)i)) > 3);
    for (int i = 0; i < tsr_finding_count(); i++) {
        const tsr_finding_info *info = tsr_finding_at(i);
        assert_ptr_equal(tsr_finding_find(info->code), info); // so codes are distinct
        assert_true(strlen(info->text) > 20 && strstr(info->page, ".md") != NULL);
    }
    assert_null(tsr_finding_at(tsr_finding_count()));
    assert_null(tsr_finding_find("no-such-finding"));
}

// ---------------------------------------------------------------- the specification's files

static FILE *open_csv(const char *format, tsr_arch arch)
{
    char name[64];
    snprintf(name, sizeof name, format, short_names[arch]);
    FILE *file = csv_open(name);
    if (file == NULL) {
        print_message("%s is not at hand (SHARED_DIR): not compared\n", name);
        skip();
    }
    return file;
}

// Where a page overrules the specification's row (docs/errata.md, tables): DOTPV gives back two
// banks, and Blackhole's STALLWAIT has a thirteenth condition. Of addr_mode some rows know only the
// gap to the next operand, and so does that of RESOURCEDECL's linger time.
static unsigned long operand_width(tsr_arch arch, const struct csv_row *row, int operand)
{
    const char *mnemonic = row->cell[0], *name = row->cell[operand];
    if (strcmp(mnemonic, "DOTPV") == 0 && strcmp(name, "clear_dvalid") == 0)
        return 2;
    if (strcmp(name, "addr_mode") == 0 || strcmp(name, "pool_addr_mode") == 0)
        return arch == TSR_BLACKHOLE_A0 ? 3 : 2;
    if (strcmp(mnemonic, "STALLWAIT") == 0 && strcmp(name, "wait_res") == 0 &&
        arch == TSR_BLACKHOLE_A0)
        return 13;
    if (strcmp(name, "linger_time") == 0)
        return 4;
    return strtoul(row->cell[operand + 2], NULL, 10); // drops d and g
}

static void compare_instruction(tsr_arch arch, const struct csv_row *row)
{
    enum { FIRST_OPERAND = 8 };
    const tsr_instruction_info *info = tsr_instruction_find(arch, row->cell[0]);
    if (info == NULL)
        fail_msg("%s is missing", row->cell[0]);
    assert_string_equal(info->mnemonic, row->cell[0]);
    assert_int_equal(info->opcode, strtoul(row->cell[1], NULL, 16));
    int count = 0;
    for (int i = FIRST_OPERAND; i + 2 < row->count && row->cell[i][0] != '\0'; i += 3) {
        const tsr_operand_info *operand = &info->operands[count++];
        assert_true(count <= info->operand_count);
        for (char *space = row->cell[i]; (space = strchr(space, ' ')) != NULL;)
            *space = '_';
        assert_string_equal(operand->name, row->cell[i]);
        assert_int_equal(operand->first_bit, strtoul(row->cell[i + 1], NULL, 10));
        assert_int_equal(operand->width, operand_width(arch, row, i));
    }
    while (count < info->operand_count && info->operands[count].extra)
        count++;
    assert_int_equal(count, info->operand_count);
}

static void test_instructions_agree_with_the_specification(void **state)
{
    (void)state;
    for (int a = 0; a < TSR_ARCH_COUNT; a++) {
        FILE *file = open_csv("instructions_%s.csv", archs[a]);
        struct csv_row row;
        int rows = 0;
        csv_read(file, &row); // the heading
        while (csv_read(file, &row)) {
            compare_instruction(archs[a], &row);
            rows++;
        }
        fclose(file);
        assert_int_equal(rows, tsr_instruction_count(archs[a]));
    }
}

static void test_fields_agree_with_the_specification(void **state)
{
    (void)state;
    static const char *const scopes[] = {"thread", "state-banked", "unbanked"};
    for (int a = 0; a < TSR_ARCH_COUNT; a++) {
        FILE *file = open_csv("config_%s.csv", archs[a]);
        struct csv_row row;
        int rows = 0;
        csv_read(file, &row);
        while (csv_read(file, &row)) {
            const tsr_field_info *info = tsr_field_find(archs[a], row.cell[0]);
            if (info == NULL)
                fail_msg("%s is missing", row.cell[0]);
            assert_string_equal(scopes[info->scope], row.cell[1]);
            assert_int_equal(info->addr32, strtoul(row.cell[2], NULL, 10));
            assert_int_equal(info->first_bit, strtoul(row.cell[3], NULL, 10));
            assert_int_equal(info->width, strtoul(row.cell[4], NULL, 10));
            assert_string_equal(info->section, row.cell[5]);
            rows++;
        }
        fclose(file);
        assert_int_equal(rows, tsr_field_count(archs[a]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instruction_counts),
        cmocka_unit_test(test_tables_agree),
        cmocka_unit_test(test_unused_bits),
        cmocka_unit_test(test_address_modes),
        cmocka_unit_test(test_encode_is_the_inverse_of_decode),
        cmocka_unit_test(test_disassembly),
        cmocka_unit_test(test_assembly),
        cmocka_unit_test(test_block_bits),
        cmocka_unit_test(test_wait_conditions),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_field_counts_and_look_up),
        cmocka_unit_test(test_field_overlaps),
        cmocka_unit_test(test_plan_groups),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_instructions_agree_with_the_specification),
        cmocka_unit_test(test_fields_agree_with_the_specification),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
