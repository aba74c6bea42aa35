// SPDX-License-Identifier: Apache-2.0
// usage: array_tiles pack ARRAY.npy TILES.bin
//        array_tiles unpack TILES.bin ARRAY.npy
// Between an array of 128 × 128 float32 and what stands in L1: tiles of 32 × 32 numbers in BF16,
// each of four faces of 16 × 16.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 128, COUNT = SIDE * SIDE };

static const char header[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (128, 128), }";

static void fail(const char *path)
{
    fprintf(stderr, "array_tiles: %s cannot be read or written\n", path);
    exit(2);
}

// Where the number of a row and column stands among the tiles.
static int place(int row, int column)
{
    int tile = row / 32 * (SIDE / 32) + column / 32;
    int face = row / 16 % 2 * 2 + column / 16 % 2;

    return tile * 1024 + face * 256 + row % 16 * 16 + column % 16;
}

// Rounded to the nearest, ties to even.
static uint16_t bf16(uint32_t bits)
{
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static void pack(const char *array, const char *tiles)
{
    static uint32_t numbers[COUNT];
    static uint16_t datums[COUNT];
    unsigned char head[10];
    FILE *in = fopen(array, "rb"), *out = fopen(tiles, "wb");

    if (in == NULL || fread(head, 1, 10, in) != 10 ||
        fseek(in, 10 + (head[8] | head[9] << 8), SEEK_SET) != 0 ||
        fread(numbers, sizeof numbers[0], COUNT, in) != COUNT)
        fail(array);
    for (int i = 0; i < COUNT; i++)
        datums[place(i / SIDE, i % SIDE)] = bf16(numbers[i]);
    if (out == NULL || fwrite(datums, sizeof datums[0], COUNT, out) != COUNT || fclose(out) != 0)
        fail(tiles);
    fclose(in);
}

static void unpack(const char *tiles, const char *array)
{
    static uint32_t numbers[COUNT];
    static uint16_t datums[COUNT];
    char head[128];
    FILE *in = fopen(tiles, "rb"), *out = fopen(array, "wb");

    if (in == NULL || fread(datums, sizeof datums[0], COUNT, in) != COUNT)
        fail(tiles);
    for (int i = 0; i < COUNT; i++)
        numbers[i] = (uint32_t)datums[place(i / SIDE, i % SIDE)] << 16;
    memset(head, ' ', sizeof head);
    memcpy(head, "\x93NUMPY\x01\x00\x76\x00", 10);
    memcpy(head + 10, header, sizeof header - 1);
    head[sizeof head - 1] = '\n';
    if (out == NULL || fwrite(head, sizeof head, 1, out) != 1 ||
        fwrite(numbers, sizeof numbers[0], COUNT, out) != COUNT || fclose(out) != 0)
        fail(array);
    fclose(in);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "pack") == 0)
        pack(argv[2], argv[3]);
    else if (argc == 4 && strcmp(argv[1], "unpack") == 0)
        unpack(argv[2], argv[3]);
    else
        return 2;
    return 0;
}
