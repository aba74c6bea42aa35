// SPDX-License-Identifier: Apache-2.0
// The bottom of the model's packers: streams of 16-byte lines, blocks, compression, sizes.
// Pages: Packers/OutputAddressGenerator.md, Packers/Compression.md, TDMA-RISC.md.
#ifndef TESTS_ORACLE_PACR_OUTPUT_H
#define TESTS_ORACLE_PACR_OUTPUT_H

#include "oracle/pacr_model.h"

// Before a PACR's datums: streams that need an address get theirs from `address`, in units of 16
// bytes. `own` is the configuration that it has for itself.
void pacr_place(struct pacr_model *m, struct pacr_packer *p, const uint32_t *own, bool compresses,
                uint32_t address);
void pacr_emit(struct pacr_model *m, struct pacr_packer *p, uint32_t pattern);
// What the end of a PACR does: rows, Last, Flush.
void pacr_end_word(struct pacr_model *m, struct pacr_packer *p, int thread,
                   const struct pacr_word *word);
void pacr_note_read(struct pacr_model *m, uint32_t address);
bool pacr_compresses(const struct pacr_model *m, unsigned section, unsigned bank);

#endif
