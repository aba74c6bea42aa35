// SPDX-License-Identifier: Apache-2.0
// What --dump says of storages whose content is known: rows of Dst, SrcA and SrcB and tiles in L1
// as numbers, in the range that was asked for.
#include "run/state_dump.h"

#include "rig/tile_rig.h"

#include <tessera/numerics.h>

static char *dump_of(const tsr_tile *tile, const char *words)
{
    struct dump_list list = {.count = 0};
    struct message why;
    char *text;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    assert_non_null(file);
    if (!dump_parse(&list, words, &why) || !dump_check(&list, tsr_tile_arch(tile), &why))
        fail_msg("%s", why.text);
    dump_write(file, &list, tile);
    fclose(file);
    return text;
}

// Number `column` of the row with that label; the row must be there.
static double number_at(const char *text, int label, int column)
{
    char begin[16];

    snprintf(begin, sizeof begin, "\n%4d", label);
    const char *row = strstr(text, begin);
    if (row == NULL)
        fail_msg("no row %d in\n%s", label, text);
    row += strlen(begin);
    char *end;
    double number = strtod(row, &end);
    while (column-- > 0)
        number = strtod(end, &end);
    return number;
}

static int count_rows(const char *text)
{
    int rows = 0;

    for (const char *line = text; line != NULL; line = strchr(line + 1, '\n'))
        rows += strncmp(line, "\n ", 2) == 0;
    return rows;
}

static void put_dst(tsr_tile *tile, unsigned row, bool wide, uint32_t stored)
{
    struct tsr_dst *dst = &tile_state(tile)->dst;
    struct tsr_dst_view view = tsr_dst_at(dst, 0, row, wide);

    for (unsigned column = 0; column < 16; column++) {
        view.high[column] = (uint16_t)(wide ? stored >> 16 : stored);
        if (wide)
            view.low[column] = (uint16_t)stored;
    }
    tsr_dst_wrote(dst, &view, 0xffff, 0);
}

static uint32_t fp32_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void dst_as_numbers(int arch)
{
    tsr_tile *tile = tile_default(arch);

    for (unsigned row = 0; row < 20; row++)
        put_dst(tile, row, true, tsr_dst_encode_fp32(fp32_bits((float)row - 3.0625f)));
    char *text = dump_of(tile, "dst:fp32:2-18");
    assert_non_null(strstr(text, "dst as FP32"));
    assert_int_equal(count_rows(text), 17);
    for (int row = 2; row <= 18; row++)
        assert_true(number_at(text, row, 15) == row - 3.0625);
    free(text);
    text = dump_of(tile, "dst:1");
    assert_int_equal(count_rows(text), 1); // bits of one row
    free(text);
    put_dst(tile, 70, false, tsr_dst_encode_fp16(0x8000 | 31 << 10)); // FP16 has no infinity
    put_dst(tile, 71, false, tsr_dst_encode_bf16((uint16_t)(fp32_bits(-1.5f) >> 16)));
    put_dst(tile, 72, true, tsr_dst_encode_fp32(0x80000007));
    text = dump_of(tile, "dst:fp16:70");
    assert_true(number_at(text, 70, 3) == -65536);
    free(text);
    text = dump_of(tile, "dst:bf16:71");
    assert_true(number_at(text, 71, 3) == -1.5);
    free(text);
    text = dump_of(tile, "dst:int32:72");
    assert_true(number_at(text, 72, 3) == -7);
    free(text);
    tsr_tile_destroy(tile);
}
TILE_BOTH(dst_as_numbers)

static void src_as_numbers(int arch)
{
    tsr_tile *tile = tile_default(arch);
    struct tsr_src_bank *bank = &tile_state(tile)->src[0].bank[1];

    for (unsigned column = 0; column < 16; column++)
        bank->datum[5][column] = fp32_bits(1.0f + (float)column / 1024) >> 13;
    bank->written[5] = 0xfff7;
    char *text = dump_of(tile, "srca:tf32");
    assert_int_equal(count_rows(text), 1);
    assert_true(number_at(text, 5, 15) == 1.0146); // five digits tell eleven bits apart
    assert_non_null(strstr(text, "written fff7"));
    free(text);
    text = dump_of(tile, "srca:tf32:6-63,srcb:bf16");
    assert_int_equal(count_rows(text), 0);
    free(text);
    tsr_tile_destroy(tile);
}
TILE_BOTH(src_as_numbers)

static void l1_as_tiles(int arch)
{
    tsr_tile *tile = tile_default(arch);
    uint32_t datums[1024];
    uint8_t bytes[64 + 1024];

    // Four faces of 16 × 16, one after the other.
    for (unsigned i = 0; i < 1024; i++)
        datums[i] = fp32_bits((float)i);
    assert_int_equal(tsr_l1_write(tile, 0x2000, datums, sizeof datums), TSR_OK);
    char *text = dump_of(tile, "l1:0x1000:fp32:2");
    assert_non_null(strstr(text, "tile 1 at 0x2000"));
    const char *second = strstr(text, "tile 1");
    assert_true(number_at(second, 0, 15) == 15);
    assert_true(number_at(second, 0, 16) == 256);
    assert_true(number_at(second, 17, 2) == 512 + 16 + 2);
    assert_true(number_at(second, 31, 31) == 1023);
    free(text);
    // BFP8: 64 exponents, then the datums.
    memset(bytes, 127, 64);
    memset(bytes + 64, 0x40, 1024); // 1.0
    bytes[64 + 256 + 3] = 0xe0;     // -1.5
    assert_int_equal(tsr_l1_write(tile, 0x100, bytes, sizeof bytes), TSR_OK);
    text = dump_of(tile, "l1:0x100:bfp8");
    assert_true(number_at(text, 0, 18) == 1);
    assert_true(number_at(text, 0, 19) == -1.5);
    free(text);
    tsr_tile_destroy(tile);
}
TILE_BOTH(l1_as_tiles)

static void test_words(void **state)
{
    static const char *const bad[] = {
        "dst:fp33",     "dst:fp32:0-512", "dst:0-1024", "dst:3-2",       "srca:fp32",
        "srca:64",      "l1:0:bf16:0",    "l1:0:16:3",  "l1:0:bf16:1:1", "cfg:0",
        "dst:fp32:1:2", "dst:",           "x",
    };
    struct message why;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct dump_list list = {.count = 0};
        if (dump_parse(&list, bad[i], &why))
            fail_msg("'%s' is taken", bad[i]);
    }
    struct dump_list list = {.count = 0};
    assert_true(dump_parse(&list, "l1:0x16dff0:int32", &why));
    assert_false(dump_check(&list, TSR_WORMHOLE_B0, &why));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(dst_as_numbers),
        TILE_TEST(src_as_numbers),
        TILE_TEST(l1_as_tiles),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
