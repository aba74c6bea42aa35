// SPDX-License-Identifier: Apache-2.0
// The table of modes, formats and destinations; see unpacr_table.h.
// Pages: as unpacr_model.h.
#include "oracle/unpacr_table.h"

static const struct {
    uint8_t in, out;
    const char *title;
} columns[] = {
    {F_FP32, F_FP32, "FP32"},      {F_FP32, F_TF32, "FP32→TF32"}, {F_FP32, F_BF16, "FP32→BF16"},
    {F_FP32, F_FP16, "FP32→FP16"}, {F_TF32, F_TF32, "TF32"},      {F_BF16, F_BF16, "BF16"},
    {F_FP16, F_FP16, "FP16"},      {F_FP8, F_FP8, "FP8"},         {F_INT32, F_INT32, "INT32"},
    {F_INT16, F_INT16, "INT16"},   {F_INT8, F_INT8, "INT8"},      {F_BFP8, F_BFP8, "BFP8"},
    {F_BFP4, F_BFP4, "BFP4"},      {F_BFP2, F_BFP2, "BFP2"},      {F_BFP8A, F_BFP8A, "BFP8a"},
    {F_BFP4A, F_BFP4A, "BFP4a"},   {F_BFP2A, F_BFP2A, "BFP2a"}};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const struct {
    uint8_t path;
    const char *title;
} rows[] = {{PATH_MULTI, "multi-context mode"},
            {PATH_SINGLE, "single-context mode"},
            {PATH_CONTEXT1, "context 1"},
            {PATH_CONTEXT2, "context 2"},
            {PATH_CONTEXT7, "context 7"},
            {PATH_CONTEXT_OFFSET, "context offset"},
            {PATH_CONTEXT_COUNTER, "context counter"},
            {PATH_FORMAT_OVERRIDE, "formats of the context"},
            {PATH_OTHER_ADC, "counters of another thread"},
            {PATH_ADC_STEP, "counters step"},
            {PATH_DIGEST, "DigestSize"},
            {PATH_ALL_ZERO, "all datums zero"},
            {PATH_FLIP, "bank handed over"},
            {PATH_SRCA_BY_SRC_ROW, "SrcA by SrcRow"},
            {PATH_SET_UPD, "SrcRow steps"},
            {PATH_DEST_ADDED, "destination added"},
            {PATH_UNALIGNED_OUT, "begins within a row"},
            {PATH_SRCA_WRAPS, "SrcA wraps"},
            {PATH_DST_FOLDS, "rows of Dst beyond 511"},
            {PATH_REMAP, "Dst remapped"},
            {PATH_SWIZZLE, "Dst swizzled"},
            {PATH_TRANSPOSE, "transpose"},
            {PATH_TILEIZE, "tileize, unpacker 0"},
            {PATH_TILEIZE_SRCB, "tileize, unpacker 1"},
            {PATH_TILEIZE_WIDE, "tileize, rows of 32"},
            {PATH_INT8_UNSIGNED, "INT8 unsigned"},
            {PATH_EXP4, "FP8 as e4m3"},
            {PATH_FORCED_EXP, "forced shared exponent"},
            {PATH_NO_EXP_SECTION, "no exponent section"},
            {PATH_WRAP_DATUMS_FIRST, "ring, first datum"},
            {PATH_WRAP_DATUMS_LATER, "ring, later datums"},
            {PATH_WRAP_EXP_FIRST, "ring, first exponent"},
            {PATH_WRAP_EXP_LATER, "ring, later exponents"},
            {PATH_LIMIT10, "ring of REG10"},
            {PATH_ROW_SEARCH, "RowSearch"},
            {PATH_ROW_SEARCH_BLOBS, "RowSearch, blobs"},
            {PATH_ROW_SEARCH_BLOBS_CONTEXT, "RowSearch, blobs of the context"},
            {PATH_UPSAMPLE1, "upsampling by 2"},
            {PATH_UPSAMPLE2, "upsampling by 4"},
            {PATH_UPSAMPLE3, "upsampling by 8"},
            {PATH_UPSAMPLE_SKIPS, "upsampling, interleaved"},
            {PATH_COL_SHIFT, "column shift"},
            {PATH_COL_SHIFT_TRANSPOSE, "column shift, transpose"},
            {PATH_ROW_WHOLE, "compressed, row"},
            {PATH_ROW_PART, "compressed, seek"},
            {PATH_ROW_DROP, "compressed, seek with a drop"},
            {PATH_COMPRESSED_SEARCH, "compressed, RowSearch"},
            {PATH_COMPRESSED_SEARCH_BLOBS, "compressed, RowSearch, blobs"},
            {PATH_COMPRESSED_BLOBS, "compressed, blobs"},
            {PATH_DELTAS, "compressed, zeroes inside"},
            {PATH_COMPRESSED_ALL_ZERO, "compressed, all datums zero"},
            {PATH_UPSAMPLE_COMPRESSED, "compressed, upsampling"},
            {PATH_WRAP_DELTAS_FIRST, "compressed, ring, first delta"},
            {PATH_WRAP_DELTAS_LATER, "compressed, ring, later deltas"}};
enum { ROWS = sizeof rows / sizeof *rows };

static void print_cell(FILE *file, const struct unpacr_counts *wh, const struct unpacr_counts *bh,
                       unsigned path, unsigned column)
{
    static const char both[] = "ABD", blackhole[] = "abd";
    char text[4] = "";
    unsigned used = 0, in = columns[column].in, out = columns[column].out;
    for (unsigned where = 0; where < 3; where++)
        if (bh->cell[path][where][in][out])
            text[used++] = wh->cell[path][where][in][out] ? both[where] : blackhole[where];
    fprintf(file, " %s |", text);
}

void unpacr_table_print(FILE *file, const struct unpacr_counts *wh, const struct unpacr_counts *bh)
{
    fprintf(file, "| mode |");
    for (unsigned column = 0; column < COLUMNS; column++)
        fprintf(file, " %s |", columns[column].title);
    fprintf(file, "\n|---|");
    for (unsigned column = 0; column < COLUMNS; column++)
        fprintf(file, "---|");
    for (unsigned row = 0; row < ROWS; row++) {
        fprintf(file, "\n| %s |", rows[row].title);
        for (unsigned column = 0; column < COLUMNS; column++)
            print_cell(file, wh, bh, rows[row].path, column);
    }
    fprintf(file, "\n");
}
