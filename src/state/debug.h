// SPDX-License-Identifier: Apache-2.0
// The tile's control and debug registers at 0xffb12000, and the programmable interrupt controller
// after them. Registers without a rule of their own are kept as written.
// Pages: TileControlDebugStatus.md, SoftReset.md of each chip, DebugTimestamper.md,
// DebugDaisychain.md, PIC.md.
#ifndef TESSERA_STATE_DEBUG_H
#define TESSERA_STATE_DEBUG_H

#include <stdbool.h>
#include <stdint.h>

// RISCV_DEBUG_REG_SOFT_RESET_0, and its bits but those of the cores (machine/cores.def).
#define TSR_SOFT_RESET_0 0xffb121b0u
enum {
    TSR_RESET_UNPACKERS = 1u << 0 | 1u << 1 | 1u << 7, // all three or none
    TSR_RESET_PACKER0 = 1u << 2,                       // packer i: shifted by i
    TSR_RESET_PACKERS = 0xfu << 2,
    TSR_RESET_MOVER = 1u << 6,
    TSR_RESET_TDMA = 1u << 8, // and the glue
    TSR_RESET_THCON = 1u << 9,
    TSR_RESET_MATRIX = 1u << 10, // with the vector unit, and SrcA's data
    TSR_RESET_SRCA_OWNERS = 1u << 15,
    TSR_RESET_SRCB = 1u << 16,          // owners and data
    TSR_RESET_DST = 1u << 17,           // the packers' way to Dst, and ZEROACC
    TSR_RESET_SRCA_COLUMNS0 = 1u << 19, // four columns; the next ones: shifted by i
    TSR_RESET_SRCA_COLUMNS = 0xfu << 19,
    TSR_RESET_AUTO_SYNC = 1u << 23,   // Blackhole
    TSR_RESET_COPROCESSOR = 0x7b87ff, // all but the cores
};

enum { TSR_TIMESTAMP_WORDS = 4, TSR_TIMESTAMP_BOTH_BUFFERS = 3, TSR_INTERRUPT_HYSTERESIS = 3 };

// A buffer of timestamps in L1; start, end and position count lines of 16 bytes.
struct tsr_timestamp_buffer {
    uint32_t start, end, position;
    bool full, overflow;
};

struct tsr_timestamps {
    uint32_t control; // bits 0, 1: a buffer is in use; 31: streams are held in reset
    struct tsr_timestamp_buffer buffer[2];
    uint32_t word[TSR_TIMESTAMP_WORDS];
    uint8_t words, event_bits; // event_bits 0: any size may come
    uint32_t clock_high_at;    // of the last read of the wall clock's low half
};

struct tsr_interrupts {
    uint32_t pending, enabled, clock_gate, hysteresis;
    uint32_t stream_type[8];
    uint8_t next; // where PIC_NEXT_IRQ goes on to look
};

// Blackhole's: what each of software's requests holds, which of the hardware's are raised, which of
// both may interrupt cores B and NC, and where to.
enum { TSR_SOFTWARE_IRQS = 32, TSR_HARDWARE_IRQS = 4 };
struct tsr_irqs {
    uint32_t software_enabled[2], hardware_enabled[2], raised, hardware;
    uint32_t software[TSR_SOFTWARE_IRQS], pc[TSR_SOFTWARE_IRQS + TSR_HARDWARE_IRQS];
    uint8_t number[2]; // the request that has interrupted the core last; of the hardware's 32 more
    uint8_t next[2];   // where to go on to look
    uint8_t due;       // by tsr_core: it is interrupted as soon as it can be
    bool reach_cores;  // which the tile interprets
};

// A bank of performance counters: while it runs, cycle and counts as they were when it started;
// afterwards what it has counted. `ends_at`: where its reference period ends; 0: it has none.
enum { TSR_PERF_BANKS = 5, TSR_PERF_COUNTERS = 80 };
struct tsr_perf_bank {
    uint32_t period, mode, control;
    bool running;
    uint64_t cycles, ends_at, count[TSR_PERF_COUNTERS];
};

// What the debug daisychain shows, and where in L1 it goes: DBG_BUS_CNTL_REG, DBG_L1_MEM_REG0 to 2,
// and the lines of 16 bytes that were written since it was prepared.
struct tsr_daisychain {
    uint32_t control, sample[3], lines;
};

struct tsr_debug {
    uint32_t debug_feature_disable; // RISCV_DEBUG_REG_DBG_FEATURE_DISABLE
    uint32_t soft_reset;
    uint32_t config_read_control, config_read_data; // CFGREG_RD_CNTL, CFGREG_RDDATA
    uint32_t pc_buffer_override;
    uint32_t push_control, push_word; // INSTRN_BUF_CTRL0, INSTRN_BUF_CTRL1
    uint32_t kept[1024];              // registers that only keep what was written, by word
    struct tsr_daisychain daisychain;
    struct tsr_timestamps timestamps;
    struct tsr_perf_bank perf[TSR_PERF_BANKS];
    uint64_t perf_due;                // the first end of a reference period; 0: none
    struct tsr_interrupts interrupts; // Wormhole's
    struct tsr_irqs irqs;
};

#endif
