// SPDX-License-Identifier: Apache-2.0
// The decoded configuration of an UNPACR: formats, dimensions, strides, modes and speed, but no
// addresses and no counters. The page's names stand in brackets where they differ.
// Pages: UNPACR_Regular.md, Unpackers/FormatConversion.md.
#ifndef TESSERA_UNPACK_UNPACK_CONFIG_H
#define TESSERA_UNPACK_UNPACK_CONFIG_H

#include "kernels/kernels.h"
#include "unpack/unpack_anomalies.h"
#include "unpack/unpack_decode.h"

struct tsr_unpack_config {
    tsr_unpack_mode mode; // a pair that exists: the nearest one if the configured one does not
    uint8_t in_format, out_format; // as configured
    uint8_t datum_bits;            // [DatumSizeBytes * 8]
    uint8_t row_width; // datums in L1 before the row stride: the page's 16, or Blackhole's 32
    uint8_t out_shift; // output addresses are bytes >> out_shift
    uint8_t forced_exponent;
    uint8_t burst_rows;       // of a burst to SrcA, for the page's rule
    uint8_t context_count;    // where the context counter starts again
    uint8_t places_per_datum; // 1 without upsampling [UpsampleZeroes + 1]
    uint8_t column_shift;     // [ColShift]
    uint8_t blobs;            // [BlobsPerXYPlane]
    bool keeps_gaps;          // what upsampling inserts is not written [UpsampleInterleave]
    bool compressed;          // [!IsUncompressed]
    bool multi_context;
    bool blocks;       // BFP
    bool l1_exponents; // BFP, and the exponents come from L1
    bool to_dst;       // [UnpackToDst]
    bool wide;         // 32-bit datums in Dst
    bool tileize;      // [DiscontiguousInputRows]
    bool transpose;
    bool has_context_out;     // the context has an output address [CtxOutAddr]
    bool adds_context_out;    // ... which is added, not taken instead
    bool row_from_address;    // SetOvrdWithAddr
    bool steps_src_row;       // Unpack_Src_Reg_Set_Upd
    bool allows_kernel;       // a kernel can convert whole rows of it
    bool expands;             // compressed, and a kernel can convert what is not a zero
    uint16_t x_limit;         // positions that the input side reaches
    uint16_t bytes_per_cycle; // of an unpacker that fetches alone
    uint8_t speed;            // enum tsr_unpack_speed
    uint8_t digest_size;      // [DigestSize]
    uint32_t row_stride;      // bytes [RowStride]
    uint32_t row_start_bytes; // of the row starts' section; 0: none
    uint32_t blob_starts;     // four bits each [BlobsYStart]
    uint64_t exponent_bytes;  // of the exponents' section; 0: none
    uint16_t x_dim;
    uint8_t y_dim, z_dim, w_dim;
    uint16_t y_stride, z_stride, w_stride; // of the output address
    tsr_unpack_anomalies anomalies;
};

// Decodes the configuration of the operands' unpacker, context, thread and state ID.
void tsr_unpack_config_make(const struct tsr_env *env, const struct tsr_unpack_operands *operands,
                            struct tsr_unpack_config *config);

#endif
