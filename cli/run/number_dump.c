// SPDX-License-Identifier: Apache-2.0
// Dumps as numbers; see number_dump.h. The library says what bits mean, here they are only printed.
#include "run/number_dump.h"

#include "tensor/tiles.h"

#include <tessera/numerics.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { COLUMNS = 16, TILE_SIDE = 32, TILE_DATUMS = TILE_SIDE * TILE_SIDE };

// As many digits as tell any two numbers of the format apart.
static int digits_of(const char *format)
{
    static const struct {
        const char *name;
        int digits;
    } rows[] = {{"fp32", 9}, {"int32", 10}, {"tf32", 5}, {"fp16", 5}, {"int16", 5}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcasecmp(rows[i].name, format) == 0)
            return rows[i].digits;
    return 4;
}

static void print_numbers(FILE *file, uint8_t format, const double *numbers, int count)
{
    int digits = digits_of(tsr_format_name(format));

    // Sign, point and an exponent beside the digits.
    for (int i = 0; i < count; i++)
        fprintf(file, " %*.*g", digits + 6, digits, numbers[i]);
}

static void print_row(FILE *file, const struct dump_order *order, bool to_dst, const uint32_t *bits)
{
    const tsr_unpack_mode mode = {.out_format = order->format, .to_dst = to_dst};
    double numbers[COLUMNS];

    if (tsr_datum_numbers(&mode, bits, COLUMNS, numbers) == TSR_OK)
        print_numbers(file, order->format, numbers, COLUMNS);
}

void dump_marks(FILE *file, uint16_t written, uint16_t tainted)
{
    if (written != 0xffff)
        fprintf(file, "  written %04x", written);
    if (tainted != 0)
        fprintf(file, "  tainted %04x", tainted);
}

static void print_writer(FILE *file, const tsr_tile *tile, const tsr_row_writer *writer)
{
    char text[TSR_INSTRUCTION_TEXT];

    if (writer->known && writer->core >= 0) {
        fprintf(file, "  by core %s", tsr_core_name((tsr_core)writer->core));
    } else if (writer->known) {
        tsr_disassemble(tsr_tile_arch(tile), writer->word, text, sizeof text);
        fprintf(file, "  by thread %d #%" PRIu64 " %.*s", writer->thread, writer->sequence,
                (int)strcspn(text, " "), text);
    }
    fputc('\n', file);
}

void dump_dst_writer(FILE *file, const tsr_tile *tile, int row)
{
    tsr_row_writer writer = {.known = false};

    (void)tsr_view_dst_writer(tile, row, &writer);
    print_writer(file, tile, &writer);
}

void dump_src_writer(FILE *file, const tsr_tile *tile, int which, int bank, int row)
{
    tsr_row_writer writer = {.known = false};

    (void)tsr_view_src_writer(tile, which, bank, row, &writer);
    print_writer(file, tile, &writer);
}

void dump_dst_numbers(FILE *file, const tsr_tile *tile, const struct dump_order *order)
{
    bool wide = tsr_array_bytes(order->format, 1) == 4;

    fprintf(file,
            "dst as %s: rows of %d bits as instructions address them; rows never written are left "
            "out\n",
            tsr_format_name(order->format), wide ? 32 : 16);
    for (uint32_t row = order->first; row <= order->last; row++) {
        tsr_dst_datums view;
        if (tsr_view_dst_datums(tile, wide, (int)row, &view) != TSR_OK || view.written == 0)
            continue;
        fprintf(file, "%4u%s", (unsigned)row, view.valid ? " " : "!");
        print_row(file, order, true, view.bits);
        if (!view.valid)
            fputs("  invalid", file);
        dump_marks(file, view.written, view.tainted);
        dump_dst_writer(file, tile, view.stored);
    }
}

void dump_src_numbers(FILE *file, const struct dump_order *order, const tsr_src_row *row)
{
    print_row(file, order, false, row->datum);
}

// ---------------------------------------------------------------- L1

static void print_tile(FILE *file, const struct dump_order *order, const uint8_t *bytes)
{
    const struct tile_layout layout = {
        .tiled = true, .tile_rows = 32, .tile_cols = 32, .rows = 32, .cols = 32};
    const tsr_unpack_mode mode = {
        .in_format = order->format, .out_format = order->format, .to_dst = true};
    size_t exponents = tsr_array_exponents(order->format, TILE_DATUMS);
    double numbers[TILE_DATUMS], rows[TILE_DATUMS];

    if (tsr_unpack_array(&mode, bytes + exponents, exponents > 0 ? bytes : NULL, TILE_DATUMS, NULL,
                         numbers) != TSR_OK) {
        fputs("no unpacker reads this format\n", file);
        return;
    }
    for (size_t i = 0; i < TILE_DATUMS; i++)
        rows[layout_index(&layout, 0, i)] = numbers[i];
    for (int row = 0; row < TILE_SIDE; row++) {
        fprintf(file, "%4d ", row);
        print_numbers(file, order->format, rows + row * TILE_SIDE, TILE_SIDE);
        fputc('\n', file);
    }
}

void dump_l1_numbers(FILE *file, const tsr_tile *tile, const struct dump_order *order)
{
    size_t size = (size_t)dump_l1_bytes(order), tile_size = size / order->size;
    uint8_t *bytes = malloc(size);

    fprintf(file, "l1 as %s: %u tiles of 32 x 32 at 0x%x\n", tsr_format_name(order->format),
            order->size, order->address);
    if (bytes == NULL || tsr_l1_read(tile, order->address, bytes, size) != TSR_OK)
        fputs("not read\n", file);
    else
        for (uint32_t i = 0; i < order->size; i++) {
            fprintf(file, "tile %u at 0x%zx\n", i, order->address + i * tile_size);
            print_tile(file, order, bytes + i * tile_size);
        }
    free(bytes);
}
