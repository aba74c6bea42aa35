// SPDX-License-Identifier: Apache-2.0
// The control, debug and status registers at 0xffb12000 and what they do: configuration read-out,
// pushing through the debug bus, feature bits, the timestamper, Wormhole's interrupts, soft reset.
// Pages: TileControlDebugStatus.md, BackendConfiguration.md, PushTensixInstruction.md,
// DebugTimestamper.md, PIC.md, SoftReset.md of each chip.
#include "rig/mover_rig.h"

static const uint32_t pic = 0xffb13000u;

enum {
    CONFIG_CONTROL = 0x58,
    FEATURES = 0x68,
    CONFIG_DATA = 0x78,
    PUSH_CONTROL = 0xa0,
    PUSH_WORD = 0xa4,
    PUSH_STATUS = 0xa8,
    SOFT_RESET = 0x1b0,
    CLOCK_L = 0x1f0,
    CLOCK_1 = 0x1f4,
    CLOCK_H = 0x1f8,
    STAMP = 0x1fc,
    STAMP_CONTROL = 0x200,
    STAMP_STATUS = 0x204,
    STAMP_BUFFERS = 0x208
};

static uint32_t debug(tsr_tile *tile, uint32_t offset)
{
    return get(tile, TSR_CORE_NC, debug_regs + offset);
}

static void set_debug(tsr_tile *tile, uint32_t offset, uint32_t value)
{
    put(tile, TSR_CORE_NC, debug_regs + offset, value);
}

// ---------------------------------------------------------------- which there are

// Every core sees them. What the simulator has no use for is kept, or says its name.
static void test_registers(int arch)
{
    tsr_tile *tile = tile_default(arch);
    uint32_t value;
    for (int core = TSR_CORE_B; core <= TSR_CORE_NC; core++) {
        put(tile, core, debug_regs + 0x70, 0x12345678u + (uint32_t)core);
        assert_int_equal(get(tile, (core + 1) % 5, debug_regs + 0x70),
                         0x12345678u + (uint32_t)core);
        assert_int_equal(tsr_load(tile, (tsr_core)core, debug_regs + 0x72, &value, 2), TSR_OK);
        assert_int_equal(value, 0x1234);
        assert_int_equal(tsr_load(tile, (tsr_core)core, debug_regs + 0x71, &value, 1), TSR_OK);
        assert_int_equal(value, 0x56);
        put(tile, core, debug_regs + 0x60, 1); // whether arrays are read, and where
        put(tile, core, debug_regs + 0x64, 0x1234);
        assert_int_equal(get(tile, core, debug_regs + 0x60), 1);
        assert_int_equal(get(tile, core, debug_regs + 0x64), 0x1234);
        assert_int_equal(tsr_load(tile, (tsr_core)core, debug_regs + 0x6c, &value, 4), TSR_STOPPED);
        assert_non_null(strstr(tile_found(tile, "unimplemented-mode")->sentence,
                               "RISCV_DEBUG_REG_DBG_ARRAY_RD_DATA"));
        tsr_tile_reset(tile);
        assert_int_equal(tsr_store(tile, (tsr_core)core, debug_regs + 0x70, 1, 2), TSR_STOPPED);
        assert_non_null(strstr(tile_found(tile, "unmapped-address")->sentence, "whole words"));
        tsr_tile_reset(tile);
    }
    // Blackhole's reset registers; Wormhole has them in its configuration.
    assert_int_equal(tsr_store(tile, TSR_CORE_B, debug_regs + 0x228, 0x6000, 4),
                     arch == BH ? TSR_OK : TSR_STOPPED);
    if (arch == BH)
        assert_int_equal(debug(tile, 0x228), 0x6000);
    tsr_tile_reset(tile);
    assert_int_equal(tsr_load(tile, TSR_CORE_B, debug_regs + 0xff0, &value, 4), TSR_STOPPED);
    assert_non_null(tile_found(tile, "unimplemented-mode"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_registers)

static void test_features(int arch)
{
    tsr_tile *tile = tile_default(arch);
    put(tile, TSR_CORE_T1, debug_regs + FEATURES, 0x800);
    assert_int_equal(tile_state(tile)->debug.debug_feature_disable, 0x800);
    assert_int_equal(debug(tile, FEATURES), 0x800);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    put(tile, TSR_CORE_T1, debug_regs + FEATURES, 0x801);
    assert_non_null(strstr(tile_found(tile, "undocumented-mode")->sentence, "0x00000001"));
    assert_int_equal(debug(tile, FEATURES), 0x801);
    tsr_tile_reset(tile);
    assert_int_equal(debug(tile, FEATURES), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_features)

// Kernels that look for special values clear the register, compute and load it.
static void test_sticky_bits(int arch)
{
    enum { STICKY_BITS = 0xb4 };
    tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
    put(tile, TSR_CORE_T1, debug_regs + STICKY_BITS, 0);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    assert_int_equal(debug(tile, STICKY_BITS), 0);
    tile_says(tile, "undocumented-mode", "RISCV_DEBUG_REG_FPU_STICKY_BITS");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_sticky_bits)

// Word x & 0x7ff of the configuration's window.
static void test_config_read(int arch)
{
    tsr_tile *tile = tile_default(arch);
    const struct tsr_layout *layout = &tile_env(tile)->isa->layout;
    tsr_config_write(tile_env(tile), 0, 40, 0x11, 0xffffffff);
    tsr_config_write(tile_env(tile), 1, 40, 0x22, 0xffffffff);
    tile_do(tile, 2, "SETC16 setc16_reg=3 setc16_value=0x4455");
    set_debug(tile, CONFIG_CONTROL, 0x12345000u | 40);
    assert_int_equal(debug(tile, CONFIG_CONTROL), 0x12345000u | 40);
    assert_int_equal(debug(tile, CONFIG_DATA), 0x11);
    set_debug(tile, CONFIG_CONTROL, layout->banked_words + 40u);
    assert_int_equal(debug(tile, CONFIG_DATA), 0x22);
    uint32_t copies = arch == WH ? 2 : 3, stride = arch == WH ? 4 : 1;
    set_debug(tile, CONFIG_CONTROL,
              copies * layout->banked_words + stride * (2u * layout->thread_words + 3u));
    assert_int_equal(debug(tile, CONFIG_DATA), 0x4455);
    set_debug(tile, CONFIG_CONTROL, 0x7ff);
    assert_int_equal(debug(tile, CONFIG_DATA), 0);
    set_debug(tile, CONFIG_CONTROL, 40);
    set_debug(tile, CONFIG_DATA, 99); // read-only
    assert_int_equal(debug(tile, CONFIG_DATA), 0x11);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_config_read)

// ---------------------------------------------------------------- pushing

static void test_push(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tsr_tile_set_policy(tile, "debug-push", TSR_ACTION_RECORD);
    assert_int_equal(debug(tile, PUSH_STATUS), 0x77);
    set_debug(tile, PUSH_WORD, tile_word(tile, "SEMPOST sem_sel=4"));
    for (uint32_t thread = 0; thread < TSR_THREADS; thread++) {
        set_debug(tile, PUSH_CONTROL, 0x10u << thread); // no control of that FIFO
        assert_int_equal(debug(tile, PUSH_STATUS), 0x77);
        set_debug(tile, PUSH_CONTROL, 1u << thread);
        set_debug(tile, PUSH_CONTROL, 0x11u << thread);
        set_debug(tile, PUSH_CONTROL, 0x11u << thread); // no rise, no push
        assert_int_equal(debug(tile, PUSH_CONTROL), 0x11u << thread);
        assert_int_equal(tile_state(tile)->frontend[thread].before_replay.count, 1);
        assert_int_equal(debug(tile, PUSH_STATUS), 0x77); // it goes on to the gate
        tile_idle(tile);
        assert_int_equal(tile_semaphore(tile, 2), thread + 1);
        for (uint32_t i = 0; i < 8 + 2; i++) { // two at the gate
            set_debug(tile, PUSH_CONTROL, 1u << thread);
            set_debug(tile, PUSH_CONTROL, 0x11u << thread);
        }
        assert_int_equal(debug(tile, PUSH_STATUS), 0x77 & ~(0x11u << thread));
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        set_debug(tile, PUSH_CONTROL, 1u << thread);
        set_debug(tile, PUSH_CONTROL, 0x11u << thread); // full
        assert_non_null(tile_found(tile, "debug-push"));
        assert_int_equal(tile_state(tile)->frontend[thread].before_replay.count, 8);
        tsr_tile_reset(tile);
        set_debug(tile, PUSH_WORD, tile_word(tile, "SEMPOST sem_sel=4"));
        for (uint32_t i = 0; i <= thread; i++)
            tile_do(tile, 0, "SEMPOST sem_sel=4");
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_push)

// While the debug bus has the FIFO, pushes of cores are lost.
static void test_cores_lose_control(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tsr_tile_set_policy(tile, "debug-push", TSR_ACTION_RECORD);
    set_debug(tile, PUSH_CONTROL, 2);
    put(tile, TSR_CORE_T1, 0xffe40000u, 0x02000000);
    put(tile, TSR_CORE_B, 0xffe50000u, 0x02000000);
    assert_int_equal(tsr_diagnostic_count(tile), 2);
    assert_non_null(tile_found(tile, "debug-push"));
    put(tile, TSR_CORE_T0, 0xffe40000u, 0x02000000);
    put(tile, TSR_CORE_B, 0xffe40000u, 0x02000000);
    tile_idle(tile);
    assert_int_equal(tile_state(tile)->frontend[0].sequence, 2);
    assert_int_equal(tile_state(tile)->frontend[1].sequence, 0);
    assert_int_equal(tsr_diagnostic_count(tile), 2);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_cores_lose_control)

// ---------------------------------------------------------------- timestamper

static void test_wall_clock(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    tile_state(tile)->now = 0x500000007ull;
    assert_int_equal(debug(tile, CLOCK_H), 0);
    assert_int_equal(debug(tile, CLOCK_L), 7);
    assert_int_equal(debug(tile, CLOCK_H), 5);
    tile_state(tile)->now = 0x600000009ull;
    assert_int_equal(debug(tile, CLOCK_H), 5);
    assert_int_equal(debug(tile, CLOCK_1), 6);
    set_debug(tile, CLOCK_1, 1);
    set_debug(tile, CLOCK_H, 1); // no effect
    assert_int_equal(debug(tile, CLOCK_H), 5);
    set_debug(tile, CLOCK_L, 1); // samples
    assert_int_equal(debug(tile, CLOCK_H), 6);
    assert_int_equal(debug(tile, CLOCK_L), 9);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_wall_clock)

static void test_clock_runs(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    for (int i = 0; i < 10; i++)
        tile_push(tile, 0, "NOP");
    tile_idle(tile);
    assert_int_equal(debug(tile, CLOCK_L), tsr_cycle(tile));
    assert_true(tsr_cycle(tile) >= 9);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_clock_runs)

static void buffer(tsr_tile *tile, uint32_t which, uint32_t start, uint32_t end)
{
    set_debug(tile, STAMP_BUFFERS + 8 * which, start);
    set_debug(tile, STAMP_BUFFERS + 8 * which + 4, end);
    assert_int_equal(debug(tile, STAMP_BUFFERS + 8 * which), start);
    assert_int_equal(debug(tile, STAMP_BUFFERS + 8 * which + 4), end);
}

// Clock 0x3_12345678: 32-bit events hold bits 20:5, (0x12345678 & 0x1fffe0) << 11 = 0xa2b30000.
static void test_event_sizes(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    const uint32_t at = 0x3000;
    tile_state(tile)->now = 0x312345678ull;
    assert_int_equal(debug(tile, STAMP_CONTROL), 3);
    buffer(tile, 0, at / 16, at / 16 + 99);
    set_debug(tile, STAMP, 0xabcdef00u);
    const uint32_t wide[4] = {0xabcdef00u, 0x12345678, 3, 0};
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(tile_l1(tile, at + 4 * i), wide[i]);
    assert_int_equal(debug(tile, STAMP_STATUS), 1u << 14);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(debug(tile, STAMP_STATUS), 1u << 14 | i << 9);
        set_debug(tile, STAMP, 0xffff0002u + 8 * i);
    }
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(tile_l1(tile, at + 0x10 + 4 * i), 0xa2b30002u + 8 * i);
    set_debug(tile, STAMP, 0x11111111); // 64 bits
    assert_int_equal(debug(tile, STAMP_STATUS), 2u << 14 | 1u << 8);
    set_debug(tile, STAMP, 0x22222221);
    assert_int_equal(tile_l1(tile, at + 0x20), 0x11111111);
    assert_int_equal(tile_l1(tile, at + 0x24), 0x12345678);
    assert_int_equal(tile_l1(tile, at + 0x28), 0x22222221);
    assert_int_equal(debug(tile, STAMP_STATUS), 3u << 14);
    set_debug(tile, STAMP, 0x11111114); // 96 bits: three words, one more to the line
    assert_int_equal(debug(tile, STAMP_STATUS), 3u << 14 | 1u << 11);
    set_debug(tile, STAMP, 0x2222222c);
    assert_int_equal(tile_l1(tile, at + 0x38), 3);
    assert_int_equal(tile_l1(tile, at + 0x3c), 0x2222222c);
    assert_int_equal(debug(tile, STAMP_STATUS), 4u << 14); // a line ends the size: 2 words are left
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_event_sizes)

static void test_event_flush(int arch)
{
    tsr_tile *tile = tile_default(arch);
    buffer(tile, 0, 0x300, 0x3ff);
    set_debug(tile, STAMP, 0x11111111);
    set_debug(tile, STAMP, 3);
    assert_int_equal(tile_l1(tile, 0x3000), 0x11111111);
    assert_int_equal(tile_l1(tile, 0x3008) | tile_l1(tile, 0x300c), 0);
    set_debug(tile, STAMP, 0x2222222c);
    set_debug(tile, STAMP, 7);
    assert_int_equal(tile_l1(tile, 0x3010), 0x2222222c);
    set_debug(tile, STAMP, 0x11111111);
    set_debug(tile, STAMP_CONTROL, 0x80000003u); // held in reset: nothing is kept
    set_debug(tile, STAMP, 0x22222222);
    assert_int_equal(debug(tile, STAMP_STATUS), 2u << 14);
    set_debug(tile, STAMP_CONTROL, 3);
    set_debug(tile, STAMP, 0x33333333 & ~7u);
    assert_int_equal(tile_l1(tile, 0x3020), 0x33333330);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_event_flush)

// A stream that is held in reset begins anew each cycle: what fills a line at once is written, what
// begins one is lost, and nothing stays full.
static void test_event_while_held(int arch)
{
    tsr_tile *tile = tile_default(arch);
    buffer(tile, 0, 0x300, 0x301);
    set_debug(tile, STAMP_CONTROL, 0x80000001u);
    set_debug(tile, STAMP, 0xabcdef00u);
    set_debug(tile, STAMP, 0x11111111);
    set_debug(tile, STAMP, 0x22222222); // another size: nothing is left of the one before
    assert_int_equal(debug(tile, STAMP_STATUS), 1u << 14);
    assert_int_equal(tile_l1(tile, 0x3000), 0xabcdef00u);
    set_debug(tile, STAMP, 3); // a flush writes a line of zeros, the last one; it is not full
    assert_int_equal(debug(tile, STAMP_STATUS), 2u << 14);
    assert_int_equal(tile_l1(tile, 0x3010) | tile_l1(tile, 0x301c), 0);
    set_debug(tile, STAMP, 0);
    assert_int_equal(debug(tile, STAMP_STATUS), 2u << 14); // lost, and no overflow
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_event_while_held)

static void test_events_undefined(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tsr_tile_set_policy(tile, "timestamp-event", TSR_ACTION_RECORD);
    buffer(tile, 0, 0x300, 0x3ff);
    for (uint32_t kind = 5; kind <= 6; kind++) {
        set_debug(tile, STAMP, kind);
        assert_non_null(tile_found(tile, "timestamp-event"));
        assert_int_equal(tile_state(tile)->debug.timestamps.words, 0);
        tsr_tile_reset(tile);
    }
    set_debug(tile, STAMP, 1);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    set_debug(tile, STAMP, 2); // another size
    assert_non_null(tile_found(tile, "timestamp-event"));
    assert_int_equal(tile_state(tile)->debug.timestamps.words, 2);
    tsr_tile_set_policy(tile, "l1-out-of-range", TSR_ACTION_RECORD);
    tsr_tile_reset(tile);
    buffer(tile, 0, 0x20000, 0x20001);
    set_debug(tile, STAMP, 0);
    assert_non_null(tile_found(tile, "l1-out-of-range"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_events_undefined)

// Two lines, then the other buffer's one, then overflow of both.
static void test_buffers(int arch)
{
    tsr_tile *tile = tile_default(arch);
    buffer(tile, 0, 0x300, 0x301);
    buffer(tile, 1, 0x400, 0x400);
    for (uint32_t i = 0; i < 4; i++) {
        static const uint32_t status[] = {1u << 14, 2u << 14 | 1, 2u << 14 | 3, 2u << 14 | 0x33};
        set_debug(tile, STAMP, 8 * (i + 1));
        assert_int_equal(debug(tile, STAMP_STATUS), status[i]);
    }
    assert_int_equal(tile_l1(tile, 0x3010), 16);
    assert_int_equal(tile_l1(tile, 0x4000), 24);
    set_debug(tile, STAMP_STATUS, 0x11); // buffer 0 starts over
    assert_int_equal(debug(tile, STAMP_STATUS), 0x22);
    set_debug(tile, STAMP, 80);
    assert_int_equal(tile_l1(tile, 0x3000), 80);
    set_debug(tile, STAMP_STATUS, 0x22);
    set_debug(tile, STAMP_CONTROL, 2); // the second alone
    set_debug(tile, STAMP, 88);
    assert_int_equal(tile_l1(tile, 0x4000), 88);
    set_debug(tile, STAMP_CONTROL, 0);
    set_debug(tile, STAMP, 96); // none: lost, and nothing overflows
    assert_int_equal(debug(tile, STAMP_STATUS), 1u << 14 | 2);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_buffers)

// ---------------------------------------------------------------- interrupts

// Requests 17 and 18: the timestamper's buffers become full.
static void test_interrupts(void **state)
{
    (void)state;
    tsr_tile *tile = tile_default(WH);
    uint32_t value;
    assert_int_equal(get(tile, TSR_CORE_NC, pic + 0x10), 3);
    assert_int_equal(get(tile, TSR_CORE_NC, pic + 0x0c), 1u << 16);
    assert_int_equal(get(tile, TSR_CORE_NC, pic + 0x04), 0);
    buffer(tile, 0, 0x300, 0x300);
    buffer(tile, 1, 0x400, 0x400);
    set_debug(tile, STAMP, 0);
    assert_int_equal(get(tile, TSR_CORE_NC, pic), 0); // not enabled when it came
    put(tile, TSR_CORE_B, pic + 8, 0x00060000);
    assert_int_equal(get(tile, TSR_CORE_B, pic + 8), 0x00060000);
    set_debug(tile, STAMP_STATUS, 1);
    set_debug(tile, STAMP, 0);
    set_debug(tile, STAMP, 0);
    assert_int_equal(get(tile, TSR_CORE_NC, pic), 0x00060000);
    assert_int_equal(get(tile, TSR_CORE_NC, pic + 4), 17);
    assert_int_equal(get(tile, TSR_CORE_NC, pic + 4), 18);
    assert_int_equal(get(tile, TSR_CORE_NC, pic + 4), 17);
    put(tile, TSR_CORE_NC, pic + 4, 5); // read-only
    put(tile, TSR_CORE_NC, pic, 0x00020001);
    assert_int_equal(get(tile, TSR_CORE_NC, pic), 0x00040000);
    put(tile, TSR_CORE_NC, pic + 0x0c, 0xffffffff);
    assert_int_equal(get(tile, TSR_CORE_NC, pic + 0x0c), 0x00010101);
    put(tile, TSR_CORE_NC, pic + 0x10, 0xffffffff);
    assert_int_equal(get(tile, TSR_CORE_NC, pic + 0x10), 0x7f);
    for (uint32_t i = 0; i < 8; i++) {
        put(tile, TSR_CORE_NC, pic + 0x14 + 4 * i, 4 + i % 4);
        assert_int_equal(get(tile, TSR_CORE_NC, pic + 0x14 + 4 * i), i % 4);
    }
    assert_int_equal(tsr_load(tile, TSR_CORE_B, pic + 0x34, &value, 4), TSR_STOPPED);
    assert_non_null(tile_found(tile, "unimplemented-mode"));
    tsr_tile_destroy(tile);
}

// Blackhole's: software's requests are words that a load takes away; what would interrupt a core is
// kept, with a finding, as the caller plays the cores.
static void test_vectored_interrupts(void **state)
{
    enum {
        INT_NO = 0x08,
        NEXT_CORE = 0x0c,
        SW_INT = 0x18,
        HW_INT = 0x98,
        SW_PC = 0xa8,
        END = 0x138
    };
    (void)state;
    tsr_tile *tile = tile_default(BH);
    for (uint32_t at = SW_INT; at < HW_INT; at += 4) {
        assert_int_equal(get(tile, TSR_CORE_NC, pic + at), 0);
        put(tile, TSR_CORE_B, pic + at, at);
    }
    put(tile, TSR_CORE_T1, pic + SW_INT + 4, 0);
    for (uint32_t at = SW_INT; at < HW_INT; at += 4) {
        assert_int_equal(get(tile, TSR_CORE_NC, pic + at), at == SW_INT + 4 ? 0 : at);
        assert_int_equal(get(tile, TSR_CORE_NC, pic + at), 0);
    }
    for (uint32_t at = SW_PC; at < END; at += 4)
        put(tile, TSR_CORE_B, pic + at, at << 16);
    for (uint32_t at = SW_PC; at < END; at += 4)
        assert_int_equal(get(tile, TSR_CORE_T0, pic + at), at << 16);
    put(tile, TSR_CORE_B, pic + HW_INT, 1); // read-only
    put(tile, TSR_CORE_B, pic + HW_INT + 12, 1);
    put(tile, TSR_CORE_B, pic + INT_NO, 1);
    put(tile, TSR_CORE_B, pic + NEXT_CORE + INT_NO, 1);
    assert_int_equal(
        get(tile, TSR_CORE_B, pic + HW_INT) | get(tile, TSR_CORE_B, pic + HW_INT + 12) |
            get(tile, TSR_CORE_B, pic + INT_NO) | get(tile, TSR_CORE_B, pic + NEXT_CORE + INT_NO),
        0);
    for (uint32_t at = 0; at < 2 * NEXT_CORE; at += 4)
        if (at % NEXT_CORE != INT_NO)
            put(tile, TSR_CORE_B, pic + at, 0);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_set_policy(tile, "unimplemented", TSR_ACTION_RECORD);
    assert_int_equal(tsr_store(tile, TSR_CORE_B, pic, 0xffffffff, 4), TSR_UNIMPLEMENTED);
    assert_int_equal(tsr_store(tile, TSR_CORE_B, pic + NEXT_CORE + 4, 0xffffffff, 4),
                     TSR_UNIMPLEMENTED);
    assert_int_equal(get(tile, TSR_CORE_B, pic), 0xffffffff);
    assert_int_equal(get(tile, TSR_CORE_B, pic + NEXT_CORE + 4), 0xf);
    assert_int_equal(get(tile, TSR_CORE_B, pic + 4) | get(tile, TSR_CORE_B, pic + NEXT_CORE), 0);
    assert_int_equal(get(tile, TSR_CORE_B, pic + HW_INT + 4), 0);
    tile_says(tile, "unimplemented-mode",
              "interrupts of cores that the caller plays at 0xffb13000");
    tsr_tile_destroy(tile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_registers),
        TILE_TEST(test_features),
        TILE_TEST(test_sticky_bits),
        TILE_TEST(test_config_read),
        TILE_TEST(test_push),
        TILE_TEST(test_cores_lose_control),
        TILE_TEST(test_wall_clock),
        TILE_TEST(test_clock_runs),
        TILE_TEST(test_event_sizes),
        TILE_TEST(test_event_flush),
        TILE_TEST(test_event_while_held),
        TILE_TEST(test_events_undefined),
        TILE_TEST(test_buffers),
        cmocka_unit_test(test_interrupts),
        cmocka_unit_test(test_vectored_interrupts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
