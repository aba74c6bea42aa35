// SPDX-License-Identifier: Apache-2.0
// .npy files: what NumPy writes is read, what cannot be a tensor is refused with its sentence.
#include "tensor/npy.h"

#include "cli/cli_fixtures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MAX_FILE = 4096 };

// A file with that version and header, and `items` bytes 0, 1, 2, ….
static const char *npy_file(int version, const char *header, size_t items)
{
    static uint8_t bytes[MAX_FILE];
    size_t length = strlen(header), prefix = version == 1 ? 10 : 12;

    memcpy(bytes, "\x93NUMPY", 6);
    bytes[6] = (uint8_t)version;
    bytes[7] = 0;
    for (size_t i = 8; i < prefix; i++)
        bytes[i] = (uint8_t)(length >> (8 * (i - 8)));
    memcpy(bytes + prefix, header, length);
    for (size_t i = 0; i < items; i++)
        bytes[prefix + length + i] = (uint8_t)i;
    return fixture_file("array.npy", bytes, prefix + length + items);
}

static void test_reads_versions(void **state)
{
    (void)state;
    for (int version = 1; version <= 3; version++) {
        struct npy_array array;
        struct message why;
        const char *path = npy_file(
            version, "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }   \n", 12);
        assert_true(npy_read(path, &array, &why));
        assert_int_equal(array.type, NPY_INT16);
        assert_int_equal(array.dims, 2);
        assert_int_equal(array.shape[0], 2);
        assert_int_equal(array.shape[1], 3);
        assert_int_equal(array.count, 6);
        assert_int_equal(npy_integer(&array, 5), 0x0b0a);
        npy_free(&array);
    }
}

static void test_reads_orders_of_keys(void **state)
{
    struct npy_array array;
    struct message why;

    (void)state;
    const char *path = npy_file(1, "{\"shape\":(4,),\"fortran_order\":False,\"descr\":\"|u1\"}", 4);
    assert_true(npy_read(path, &array, &why));
    assert_int_equal(array.type, NPY_UINT8);
    assert_int_equal(array.dims, 1);
    npy_free(&array);
    assert_true(npy_read(npy_file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': ()}", 4),
                         &array, &why));
    assert_int_equal(array.dims, 0);
    assert_int_equal(array.count, 1);
    npy_free(&array);
}

static void refuse(int version, const char *header, size_t items, const char *part)
{
    struct npy_array array;
    struct message why = {.text = ""};

    assert_false(npy_read(npy_file(version, header, items), &array, &why));
    if (strstr(why.text, part) == NULL)
        fail_msg("'%s' lacks '%s'", why.text, part);
}

static void test_refuses(void **state)
{
    (void)state;
    refuse(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", 8, "64-bit");
    refuse(1, "{'descr': '<i8', 'fortran_order': False, 'shape': (1,)}", 8, "64-bit");
    refuse(1, "{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}", 4, "big-endian '>f4'");
    refuse(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (1,)}", 1, "not taken '|b1'");
    refuse(1, "{'descr': [('x','<f4')], 'fortran_order': False, 'shape': (1,)}", 4, "structured");
    refuse(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (1,)}", 4, "Fortran");
    refuse(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", 7, "cut short");
    refuse(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4)}", 0, "empty");
    refuse(1, "{'descr': '<f4', 'fortran_order': False}", 4, "lacks");
    refuse(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}", 8, "key 'x'");
    refuse(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", 8,
           "header");
    refuse(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296,)}", 8, "larger");
    refuse(1, "{'descr", 0, "header");
    refuse(4, "{}", 0, "version 4.0");
}

static void test_refuses_other_files(void **state)
{
    struct npy_array array;
    struct message why;

    (void)state;
    assert_false(npy_read(fixture_file("text", "hello, world", 12), &array, &why));
    assert_non_null(strstr(why.text, "not a .npy file"));
    assert_false(npy_read("/nowhere/at/all.npy", &array, &why));
    assert_non_null(strstr(why.text, "/nowhere/at/all.npy: the file cannot be opened"));
}

static void test_writes_what_it_reads(void **state)
{
    (void)state;
    for (int type = 0; type < NPY_TYPE_COUNT; type++) {
        uint8_t items[4 * 30];
        struct npy_array array = {.type = (enum npy_type)type,
                                  .dims = 3,
                                  .shape = {2, 3, 5},
                                  .count = 30,
                                  .data = items},
                         again;
        struct message why;
        for (size_t i = 0; i < sizeof items; i++)
            items[i] = (uint8_t)fixture_random();
        const char *path = fixture_file("out.npy", "", 0);
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        assert_true(npy_write(file, &array));
        size_t size = npy_item_size(array.type) * 30;
        assert_int_equal((size_t)ftell(file) % 64, size % 64);
        fclose(file);
        assert_true(npy_read(path, &again, &why));
        assert_int_equal(again.type, type);
        assert_int_equal(again.dims, 3);
        assert_memory_equal(again.shape, array.shape, 3 * sizeof array.shape[0]);
        assert_memory_equal(again.data, items, size);
        npy_free(&again);
    }
}

static void test_integers(void **state)
{
    static const struct {
        enum npy_type type;
        uint32_t bits;
        int64_t value;
    } cases[] = {
        {NPY_INT8, 0x80, -128},
        {NPY_INT8, 0x7f, 127},
        {NPY_INT16, 0xffff, -1},
        {NPY_UINT16, 0xffff, 65535},
        {NPY_INT32, 0x80000000, INT32_MIN},
        {NPY_UINT32, 0x80000000, 0x80000000ll},
        {NPY_UINT8, 0xff, 255},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t item[4];
        struct npy_array array = {.type = cases[i].type, .count = 1, .data = item};
        npy_store(&array, 0, cases[i].bits);
        assert_int_equal(npy_integer(&array, 0), cases[i].value);
        assert_int_equal(npy_bits(&array, 0), cases[i].bits);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_versions),
        cmocka_unit_test(test_reads_orders_of_keys),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_refuses_other_files),
        cmocka_unit_test(test_writes_what_it_reads),
        cmocka_unit_test(test_integers),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    fixture_remove_all();
    return failed;
}
