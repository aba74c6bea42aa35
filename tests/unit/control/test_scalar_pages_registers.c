// SPDX-License-Identifier: Apache-2.0
// Scalar unit: STOREREG, LOADREG and STOREIND over the whole window 0xffb00000 to 0xffbfffff,
// worked by hand from the ISA pages by a reader who had not seen the code.
// Pages: STOREREG, LOADREG, STOREIND_MMIO, BabyRISCV/README of both chips (the map's NoC column is
// the coprocessor's), TileControlDebugStatus, BackendConfiguration, PushTensixInstruction, PCBufs,
// DebugTimestamper, SoftReset, PIC, TDMA-RISC, MOPExpander, NoC/MemoryMap, NoC/Overlay.

#include "rig/scalar_rig.h"

enum { POISON = 0x99999999 };

// RegAddr has 18 bits: the address is 0xffb00000 + (RegAddr << 2).
static void store(tsr_tile *tile, int thread, uint32_t reg_addr, uint32_t value)
{
    tile_set_gpr(tile, thread, 9, value);
    scalar_do(tile, thread, "STOREREG TdmaDataRegIndex=9 RegAddr=%u", reg_addr);
}

static uint32_t fetch(tsr_tile *tile, int thread, uint32_t reg_addr)
{
    tile_set_gpr(tile, thread, 17, POISON);
    scalar_do(tile, thread, "LOADREG TdmaDataRegIndex=17 RegAddr=%u", reg_addr);
    return tile_gpr(tile, thread, 17);
}

static uint32_t core_load(tsr_tile *tile, int core, uint32_t address)
{
    uint32_t value = POISON;
    assert_int_equal(tsr_load(tile, (tsr_core)core, address, &value, 4), TSR_OK);
    return value;
}

static void core_store(tsr_tile *tile, int core, uint32_t address, uint32_t value)
{
    assert_int_equal(tsr_store(tile, (tsr_core)core, address, value, 4), TSR_OK);
}

// ---------------------------------------------------------------- debug registers

// What registers return, to an instruction and to core NC, which has the same region. All are
// stored before the first is read.
static void kept(int arch)
{
    static const struct {
        uint32_t before, reg_addr, address, value; // before: 0xbad where no page says
    } rows[] = {
        {3, 0x4880, 0xffb12200, 0x00000002},     // timestamper's control, 3 after reset
        {0xbad, 0x4882, 0xffb12208, 0x00000123}, // buffer 0: start
        {0xbad, 0x4883, 0xffb1220c, 0x00000456}, // end
        {0xbad, 0x4884, 0xffb12210, 0x00000789}, // buffer 1
        {0xbad, 0x4885, 0xffb12214, 0x00000abc},
        {0, 0x486c, 0xffb121b0, 0x00047800},     // soft reset of the five cores
        {0xbad, 0x4824, 0xffb12090, 0x0ffc0003}, // overrides of the PC buffers
    };
    tsr_tile *tile = tile_default(arch);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].before != 0xbad)
            assert_int_equal(fetch(tile, 1, rows[i].reg_addr), rows[i].before);
        store(tile, 1, rows[i].reg_addr, rows[i].value);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(core_load(tile, TSR_CORE_NC, rows[i].address), rows[i].value);
        assert_int_equal(fetch(tile, 2, rows[i].reg_addr), rows[i].value);
    }
    store(tile, 0, 0x4880, 0x80000001); // the raw word, also of the bit that holds the streams
    assert_int_equal(fetch(tile, 0, 0x4880), 0x80000001);
    tsr_tile_destroy(tile);
}

// Word x & 0x7ff of TENSIX_CFG_BASE, by 0xffb12058 (0x4816), shows at 0xffb12078 (0x481e).
// A bank has 188 words (Wormhole) or 224 (Blackhole), thread words are 57 and 68 a thread, at word
// 2 * 188 with four words each, or past three banks with one.
static void config_read_out(int arch)
{
    static const struct {
        uint32_t wh, bh, value;
    } rows[] = {
        {60, 60, 0xdeadbeef},              // bank 0
        {188 + 60, 224 + 60, 0x12345678},  // bank 1
        {0x83c, 0x83c, 0xdeadbeef},        // 0x83c & 0x7ff = 60
        {0xfffff8f8, 0, 0x12345678},       // & 0x7ff = 0xf8 = 248 = 188 + 60
        {0, 0xfffff91c, 0x12345678},       // & 0x7ff = 0x11c = 284 = 224 + 60
        {376 + 4 * 87, 672 + 98, 0x5a3c},  // thread 1's word 30: 57 + 30 = 87, 68 + 30 = 98
        {376 + 4 * 144, 672 + 166, 0x0777} // thread 2's: 114 + 30 = 144, 136 + 30 = 166
    };
    tsr_tile *tile = tile_default(arch);
    uint32_t bank = arch == WH ? 4 * 188 : 4 * 224;
    core_store(tile, TSR_CORE_B, 0xffef0000 + 4 * 60, 0xdeadbeef);
    core_store(tile, TSR_CORE_B, 0xffef0000 + bank + 4 * 60, 0x12345678);
    tile_do(tile, 1, "SETC16 setc16_reg=30 setc16_value=0x5a3c");
    tile_do(tile, 2, "SETC16 setc16_reg=30 setc16_value=0x0777");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t word = arch == WH ? rows[i].wh : rows[i].bh;
        if (!word)
            continue;
        store(tile, 0, 0x4816, word);
        assert_int_equal(fetch(tile, 0, 0x481e), rows[i].value);
    }
    tsr_tile_destroy(tile);
}

// Thread 0 pushes to the others: a control bit (0 to 2) and a rise of the bit four above it put
// the word of 0xffb120a4 (0x4829) in front of that thread's replay expander.
static void push_instructions(int arch)
{
    static const struct {
        uint32_t control;
        int semaphore; // how often it was posted by then
    } steps[] = {
        {0x02, 0}, // thread 1's FIFO, nothing rises
        {0x22, 1}, // bit 5 rises
        {0x22, 1}, // and is still up
        {0x02, 1}, // falls
        {0x22, 2}, // rises
        {0x00, 2}, // falls, and nobody has control
        {0x20, 2}, // rises without control
        {0x64, 3}, // thread 2's: bit 6 rises with bit 2; bit 5 stays
        {0x06, 3}, // fall
        {0x66, 5}, // both at once
    };
    tsr_tile *tile = tile_default(arch);
    tile_do(tile, 2, "SEMINIT sem_sel=8 init_value=0 max_value=15"); // semaphore 3
    store(tile, 0, 0x4829, tile_word(tile, "SEMPOST sem_sel=8"));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        store(tile, 0, 0x4828, steps[i].control); // 0xffb120a0
        if (tile_semaphore(tile, 3) != steps[i].semaphore)
            fail_msg("step %d: %d", (int)i, tile_semaphore(tile, 3));
    }
    // The word runs as its thread's: half 16 of thread 1, the low half of GPR 8.
    for (int thread = 0; thread < 3; thread++)
        tile_set_gpr(tile, thread, 8, POISON);
    store(tile, 0, 0x4828, 0);
    store(tile, 0, 0x4829, tile_word(tile, "SETDMAREG Payload_SigSel=0x1234 RegIndex16b=16"));
    store(tile, 0, 0x4828, 0x22);
    assert_int_equal(tile_gpr(tile, 0, 8), POISON);
    assert_int_equal(tile_gpr(tile, 1, 8), 0x99991234);
    assert_int_equal(tile_gpr(tile, 2, 8), POISON);
    tsr_tile_destroy(tile);
}

// 0xffb120a8 (0x482a): bits 0 to 2 say "not full", 4 to 6 "empty", of the FIFOs before replay.
static void push_status(int arch)
{
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    tsr_tile *tile = tile_default(arch);
    assert_int_equal(fetch(tile, 0, 0x482a), 0x77); // nothing anywhere
    store(tile, 0, 0x482a, 0);                      // read-only
    assert_int_equal(fetch(tile, 0, 0x482a), 0x77);
    tile_push(tile, 1, "SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=0x1ff"); // it is 0, so waits
    for (int i = 0; i < 10 + 3; i++) // two before the gate, eight before replay, three after
        tile_push(tile, 1, "SEMPOST sem_sel=2");
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
    tile_set_gpr(tile, 0, 17, POISON);
    tile_push(tile, 0, "LOADREG TdmaDataRegIndex=17 RegAddr=0x482a");
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
    assert_int_equal(tile_gpr(tile, 0, 17), 0x55); // thread 1: full (bit 1), not empty (bit 5)
    tsr_tile_destroy(tile);
}

// Bits 0, 10, 20 override what a T core reads of its empty buffer by the byte two bits above; with
// the bit between, core B's read does not wait.
static void pc_buffer_override(int arch)
{
    static const struct {
        uint32_t word;
        int core;
        uint32_t value;
    } rows[] = {
        {0x00000169, TSR_CORE_T0, 0x5a}, // 0x5a << 2 | 1
        {0x000a5400, TSR_CORE_T1, 0xa5}, // 0xa5 << 12 | 1 << 10
        {0x0f100000, TSR_CORE_T2, 0x3c}, // 0x3c << 22 | 1 << 20
        {0x3ff00003, TSR_CORE_T2, 0xff}, // 0xff << 22 | 3 << 20 | 3
        {0x3ff00003, TSR_CORE_B, 0},     // bits 0 and 1
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = tile_default(arch);
        uint32_t value;
        assert_int_equal(tsr_load(tile, (tsr_core)rows[i].core, 0xffe80000, &value, 4), TSR_BUSY);
        store(tile, 2, 0x4824, rows[i].word); // 0xffb12090
        assert_int_equal(core_load(tile, rows[i].core, 0xffe80000), rows[i].value);
        tsr_tile_destroy(tile);
    }
}

// Held at once on entering: owners and banks of SrcA (bit 15) and SrcB (16), packer 0's sizes (2).
static void soft_reset(int arch)
{
    static const struct {
        uint32_t value;
        int a, b, size; // what is left of bank 1 and of 0x1234
    } rows[] = {{0x00008000, 0, 1, 0x1234}, {0x00010000, 1, 0, 0x1234}, {0x00018004, 0, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = tile_default(arch);
        struct tsr_state *state = tile_state(tile);
        for (int side = 0; side < 2; side++) {
            state->src[side].unpacker_bank = state->src[side].matrix_bank = 1;
            state->src[side].bank[1].matrix_owns = true;
        }
        state->packers.packer[0].acc_tile_size[2] = 0x1234;
        assert_int_equal(fetch(tile, 0, 0x4427), 0x1234); // 0xffb1109c: packer 0, thread 2
        store(tile, 0, 0x486c, rows[i].value);
        assert_int_equal(state->src[0].unpacker_bank, rows[i].a);
        assert_int_equal(state->src[0].matrix_bank, rows[i].a);
        assert_int_equal(state->src[0].bank[1].matrix_owns, rows[i].a);
        assert_int_equal(state->src[1].unpacker_bank, rows[i].b);
        assert_int_equal(state->src[1].matrix_bank, rows[i].b);
        assert_int_equal(state->src[1].bank[1].matrix_owns, rows[i].b);
        assert_int_equal(fetch(tile, 0, 0x4427), rows[i].size);
        tsr_tile_destroy(tile);
    }
}

// ---------------------------------------------------------------- the timestamper

// 0xffb121f0 (0x487c), +4, +8. LOADREG keeps its thread three cycles and DMANOP one, and both loads
// come back equally late, so n DMANOPs between two loads make 3 + n cycles.
static void wall_clock(int arch)
{
    for (uint32_t n = 0; n < 12; n += 5) {
        tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
        tile_push(tile, 1, "LOADREG TdmaDataRegIndex=20 RegAddr=0x487c");
        for (uint32_t i = 0; i < n; i++)
            tile_push(tile, 1, "DMANOP");
        tile_do(tile, 1, "LOADREG TdmaDataRegIndex=21 RegAddr=0x487c");
        assert_true(tile_gpr(tile, 1, 20) > 0);
        assert_int_equal(tile_gpr(tile, 1, 21) - tile_gpr(tile, 1, 20), 3 + n);
        assert_int_equal(fetch(tile, 1, 0x487d), 0); // the high half now, and when it was sampled
        assert_int_equal(fetch(tile, 1, 0x487e), 0);
        tsr_tile_destroy(tile);
    }
    // The sample of the high half is that of the last access to the low one, a store's too.
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    tile_state(tile)->now = 0x700000000;
    assert_int_equal(fetch(tile, 0, 0x487d), 7);
    assert_int_equal(fetch(tile, 0, 0x487e), 0);
    store(tile, 0, 0x487c, 0);
    assert_int_equal(fetch(tile, 0, 0x487e), 7);
    tsr_tile_destroy(tile);
}

// Events at lines 0x200 to 0x202 (bytes 0x2000 to 0x202f); with timing off the clock stands at 0.
// Status: sticky bits 0 and 4 of buffer 0, words in hand at 8, 9 and 11, position at 14.
static void timestamps(int arch)
{
    static const struct {
        uint32_t event, status;
    } steps[] = {
        {0xabcdef08, 0x00004000}, // low bits 0: a line at once, {event, 0, 0, 0}
        {0x11111111, 0x00004100}, // 1: two words, so half of a line is in hand
        {0x22222221, 0x00008000}, // 1: {0x11111111, 0, 0x22222221, 0}
        {0x3333333a, 0x00008200}, // 2: one word, (event & 0xffff) + (0 << 11)
        {0x4444444a, 0x00008400}, {0x5555555a, 0x00008600},
        {0x6666666a, 0x0000c001}, // the third line, and the buffer is full
        {0x7777777c, 0x0000c801}, // 4: three words, (4 - 3) & 3 = 1 at bit 11
        {0x00000007, 0x0000c031}, // flush: no room, so every valid buffer has overflowed
    };
    static const uint32_t lines[3][4] = {
        {0xabcdef08, 0, 0, 0}, {0x11111111, 0, 0x22222221, 0}, {0x333a, 0x444a, 0x555a, 0x666a}};
    tsr_tile *tile = tile_default(arch);
    store(tile, 0, 0x4882, 0x200);
    store(tile, 0, 0x4883, 0x202); // the last line, not the one after it
    store(tile, 0, 0x4884, 0x301);
    store(tile, 0, 0x4885, 0x300); // buffer 1 has no room
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        store(tile, 0, 0x487f, steps[i].event);
        if (fetch(tile, 0, 0x4881) != steps[i].status)
            fail_msg("event %d: status 0x%x", (int)i, tile_gpr(tile, 0, 17));
    }
    for (uint32_t i = 0; i < 12; i++)
        assert_int_equal(tile_l1(tile, 0x2000 + 4 * i), lines[i / 4][i % 4]);
    assert_int_equal(fetch(tile, 0, 0x487f), 0);
    store(tile, 0, 0x4881, 0x21); // full and the position of buffer 0, overflow of buffer 1
    assert_int_equal(fetch(tile, 0, 0x4881), 0x10);
    tsr_tile_destroy(tile);
}

// ---------------------------------------------------------------- interrupts, data RAM, TDMA-RISC

// Wormhole: 0xffb13000 (0x4c00). Index 17 is a full buffer 0 of the timestamper, if enabled.
static void interrupts(void **unused)
{
    (void)unused;
    tsr_tile *tile = tile_default(WH);
    assert_int_equal(fetch(tile, 0, 0x4c00), 0);
    assert_int_equal(fetch(tile, 0, 0x4c01), 0);
    assert_int_equal(fetch(tile, 0, 0x4c02), 0);
    assert_int_equal(fetch(tile, 0, 0x4c04), 3); // PIC_CLKGT_HYST
    store(tile, 0, 0x4c04, 0xffffffff);          // seven bits
    assert_int_equal(fetch(tile, 0, 0x4c04), 0x7f);
    store(tile, 0, 0x4c0c, 0xfffffffe); // PIC_STREAM_IRQ_TYPE[7], two bits
    assert_int_equal(fetch(tile, 0, 0x4c0c), 2);
    store(tile, 0, 0x4c02, 0x00060000);
    assert_int_equal(fetch(tile, 0, 0x4c02), 0x00060000);
    store(tile, 0, 0x4882, 0x200);
    store(tile, 0, 0x4883, 0x200);
    store(tile, 0, 0x487f, 0); // one event fills the buffer
    assert_int_equal(fetch(tile, 0, 0x4c00), 0x00020000);
    assert_int_equal(fetch(tile, 0, 0x4c01), 17);
    store(tile, 0, 0x4c00, 0x00040000); // clears another
    assert_int_equal(fetch(tile, 0, 0x4c00), 0x00020000);
    store(tile, 0, 0x4c00, 0x00020000);
    assert_int_equal(fetch(tile, 0, 0x4c00), 0);
    tsr_tile_destroy(tile);
}

// Blackhole's slow way to the cores' RAM: B at 0x14000 (8 KiB), NC at 0x16000 (8 KiB), T0 at
// 0x18000, T1 at 0x1a000, T2 at 0x1c000 (4 KiB, seen twice).
static void data_ram(void **unused)
{
    static const struct {
        uint32_t reg_addr;
        int core;
        uint32_t address;
    } rows[] = {
        {0x5000, TSR_CORE_B, 0xffb00000},  {0x57ff, TSR_CORE_B, 0xffb01ffc},
        {0x5801, TSR_CORE_NC, 0xffb00004}, {0x5fff, TSR_CORE_NC, 0xffb01ffc},
        {0x6004, TSR_CORE_T0, 0xffb00010}, {0x6800, TSR_CORE_T1, 0xffb00000},
        {0x6c02, TSR_CORE_T1, 0xffb00008}, {0x73ff, TSR_CORE_T2, 0xffb00ffc},
        {0x7404, TSR_CORE_T2, 0xffb00010},
    };
    (void)unused;
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = tile_default(BH);
        store(tile, 1, rows[i].reg_addr, 0xa5000000 + i);
        assert_int_equal(core_load(tile, rows[i].core, rows[i].address), 0xa5000000 + i);
        for (int core = TSR_CORE_B; core <= TSR_CORE_NC; core++)
            if (core != rows[i].core && rows[i].address < 0xffb01000)
                assert_int_equal(core_load(tile, core, rows[i].address), 0); // theirs is another
        core_store(tile, rows[i].core, rows[i].address, 0x5a000000 + i);
        assert_int_equal(fetch(tile, 2, rows[i].reg_addr), 0x5a000000 + i);
        tsr_tile_destroy(tile);
    }
}

// Idle: the queue empty at bit 3, parameters at bit 5, four places at bit 8: 0x428.
static void tdma(int arch)
{
    tsr_tile *tile = tile_default(arch);
    scalar_ramp(tile);
    assert_int_equal(fetch(tile, 0, 0x4405), 0x428);
    store(tile, 0, 0x4405, 0xffffffff); // no effect
    store(tile, 0, 0x4404, 0x80000089); // a NOP
    assert_int_equal(fetch(tile, 0, 0x4405), 0x428);
    // 0x66: a word of parameter 2 to parameter 0; with bit 8, parameters 2 and 3.
    store(tile, 0, 0x4400, 0x2000);
    store(tile, 0, 0x4402, 0xcafef00d);
    store(tile, 0, 0x4403, 0x01234567);
    store(tile, 0, 0x4404, 0x666);
    assert_int_equal(tile_l1(tile, 0x2000), 0xcafef00d);
    store(tile, 0, 0x4400, 0x2008);
    store(tile, 0, 0x4404, 0x766);
    assert_int_equal(tile_l1(tile, 0x2008), 0xcafef00d);
    assert_int_equal(tile_l1(tile, 0x200c), 0x01234567);
    // 0x40: lines 0x100 to 0x300, one, from L1 to L1 (3).
    store(tile, 0, 0x4400, 0x100);
    store(tile, 0, 0x4401, 0x300);
    store(tile, 0, 0x4402, 1);
    store(tile, 0, 0x4403, 3);
    store(tile, 0, 0x4404, 0x40);
    assert_int_equal(tile_l1(tile, 0x3000), 0x33221100);
    assert_int_equal(tile_l1(tile, 0x300c), 0xffeeddcc);
    assert_int_equal(fetch(tile, 0, 0x4405), 0x428);
    // Who is no core B or T reads T0's base of compact commands.
    for (uint32_t core = TSR_CORE_B; core <= TSR_CORE_T2; core++)
        core_store(tile, (int)core, 0xffb1102c, 0x100 + core);
    assert_int_equal(fetch(tile, 2, 0x440b), 0x101);
    // 0xffb11038: the raw word << 8, above "packer 0's FIFO is empty" and three more on Wormhole.
    store(tile, 0, 0x440e, 0x12abcdef);
    assert_int_equal(fetch(tile, 0, 0x440e) & 0xffffff03, 0xabcdef01);
    if (arch == WH)
        assert_int_equal(fetch(tile, 0, 0x440e), 0xabcdef55);
    tsr_tile_destroy(tile);
}

// ---------------------------------------------------------------- what cannot be reached

struct nothing {
    uint32_t reg_addr;
    const char *wh, *bh, *words; // what is found, and what its sentence says
};

static const struct nothing nowhere[] = {
    // NoC 0 and 1: a request's target, its start (0x28), a counter (0x200).
    {0x08000, "unimplemented-mode", "unimplemented-mode", "0xffb20000"},
    {0x0800a, "unimplemented-mode", "unimplemented-mode", "0xffb20028"},
    {0x08080, "unimplemented-mode", "unimplemented-mode", "0xffb20200"},
    {0x0c000, "unimplemented-mode", "unimplemented-mode", "0xffb30000"},
    {0x0c00a, "unimplemented-mode", "unimplemented-mode", "0xffb30028"},
    {0x0ffff, "unimplemented-mode", "unimplemented-mode", "0xffb3fffc"},
    // Overlay: stream n at 0x40000 + n * 0x1000. Registers 252 and 297 of stream 0, the last.
    {0x100fc, "unimplemented-mode", "unimplemented-mode", "0xffb403f0"},
    {0x10129, "unimplemented-mode", "unimplemented-mode", "0xffb404a4"},
    {0x1ffff, "unimplemented-mode", "unimplemented-mode", "0xffb7fffc"},
    // Debug registers of parts that are not there: L1's, the debug bus, a core's interface.
    {0x04812, "unimplemented-mode", "unimplemented-mode", "0xffb12048"},
    {0x04815, "unimplemented-mode", "unimplemented-mode", "0xffb12054"},
    {0x04820, "unimplemented-mode", "unimplemented-mode", "0xffb12080"},
    // The MOP expanders' words are their T core's: the first, the last, and the one past it.
    {0x20000, "unmapped-address", "unmapped-address", "0xffb80000"},
    {0x20008, "unmapped-address", "unmapped-address", "0xffb80020"},
    {0x20009, "unmapped-address", "unmapped-address", "0xffb80024"},
    // Blackhole's window onto Dst is the T cores'; gaps of the map, and the window's end.
    {0x36000, "unmapped-address", "unmapped-address", "0xffbd8000"},
    {0x37fff, "unmapped-address", "unmapped-address", "0xffbdfffc"},
    {0x07800, "unmapped-address", "unmapped-address", "0xffb1e000"},
    {0x3ffff, "unmapped-address", "unmapped-address", "0xffbffffc"},
    // Data RAM has its slow way on Blackhole alone, and the snapshot of pc.
    {0x06004, "unmapped-address", NULL, "0xffb18010"},
    {0x04c4e, NULL, "unimplemented-mode", "0xffb13138"},
    // The issuing thread has no RAM of its own; nor is there anything up to TDMA-RISC.
    {0x00000, "mmio-address", "mmio-address", "0xffb00000"},
    {0x003ff, "mmio-address", "mmio-address", "0xffb00ffc"},
    {0x043ff, "mmio-address", "mmio-address", "0xffb10ffc"},
};

// What an unwanted store or push could change.
struct image {
    struct tsr_state state;
    uint8_t l1[0x4000];
};

static void look(const tsr_tile *tile, struct image *image)
{
    memset(image, 0, sizeof *image);
    image->state = *tile_state((tsr_tile *)tile);
    assert_int_equal(tsr_l1_read(tile, 0, image->l1, sizeof image->l1), TSR_OK);
}

#define SAME(field) assert_memory_equal(&a->state.field, &b->state.field, sizeof a->state.field)
static void same(const struct image *a, const struct image *b)
{
    SAME(config);
    SAME(packers);
    SAME(unpacker);
    SAME(src);
    SAME(adcs);
    for (int thread = 0; thread < 3; thread++)
        SAME(frontend[thread].mop_config);
    assert_memory_equal(a->l1, b->l1, sizeof a->l1);
}

// The tile stops at the instruction, and everything is as it was; a load leaves its GPR.
static void stops(tsr_tile *tile, const struct nothing *row, const char *code, const char *text)
{
    static struct image before, after;
    for (uint32_t i = 0; i < 9; i++)
        for (int thread = 0; thread < 3; thread++)
            core_store(tile, TSR_CORE_T0 + thread, 0xffb80000 + 4 * i, 0x02000000 + i);
    tile_set_gpr(tile, 1, 9, POISON);
    look(tile, &before);
    scalar_push(tile, 1, "%s TdmaDataRegIndex=9 RegAddr=%u", text, row->reg_addr);
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    tile_says(tile, code, row->words);
    assert_int_equal(tile_found(tile, code)->thread, 1);
    look(tile, &after);
    same(&before, &after);
    assert_int_equal(tile_gpr(tile, 1, 9), POISON);
}

static void unreachable(int arch)
{
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        const char *code = arch == WH ? nowhere[i].wh : nowhere[i].bh;
        for (int load = 0; load < 2 && code; load++) {
            tsr_tile *tile = tile_default(arch);
            stops(tile, &nowhere[i], code, load ? "LOADREG" : "STOREREG");
            tsr_tile_destroy(tile);
        }
    }
}

// STOREIND keeps bits 19:2 of its sum, so the cores' windows above 0xffc00000 are out of reach.
static void storeind_folds(int arch)
{
    static const struct {
        uint32_t base, offset; // the offset counts in sixteenths
        const char *code, *words;
    } rows[] = {
        {0xffe00004, 0, "mmio-address", "0xffb00004"},          // GPRs: 0x00004
        {0xffe40000, 0, "unimplemented-mode", "0xffb40000"},    // pushing: 0x40000
        {0xffe60000, 0, "unimplemented-mode", "0xffb60000"},    // to thread 2: 0x60000
        {0xffe80000, 0, "unmapped-address", "0xffb80000"},      // PC buffer
        {0xffe7ffe3, 0x0400, "unmapped-address", "0xffb80020"}, // semaphore 0: + 0x40, and 3 goes
        {0xffe8f020, 0xffff, "unmapped-address", "0xffb9001c"}, // 0x8f020 + 0xfff = 0x9001f
        {0xffec1000, 0, "unmapped-address", "0xffbc1000"},      // a mailbox
        {0xffef00f0, 0, "unmapped-address", "0xffbf00f0"},      // configuration
    };
    static struct image before, after;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = tile_default(arch);
        tile_set_gpr(tile, 0, 4, rows[i].base);
        tile_set_gpr(tile, 0, 6, rows[i].offset);
        tile_set_gpr(tile, 0, 9, 1);
        look(tile, &before);
        tile_push(tile, 0,
                  "STOREIND SizeSel=1 OffsetIndex=12 AutoIncSpec=1 DataRegIndex=9 AddrRegIndex=4");
        assert_int_equal(tile_run(tile), TSR_END_STOPPED);
        tile_says(tile, rows[i].code, rows[i].words);
        look(tile, &after);
        same(&before, &after);
        assert_int_equal(tile_semaphore(tile, 0), 0);
        assert_int_equal(tile_gpr(tile, 0, 6), rows[i].offset); // not executed, so not incremented
        for (int thread = 1; thread < 3; thread++)
            assert_true(tsr_thread_drained(tile, thread));
        tsr_tile_destroy(tile);
    }
}

// Going on, a store to where nothing is changes nothing, and the thread goes on after it.
static void unmapped_goes_on(int arch)
{
    static struct image before, after;
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        const char *code = arch == WH ? nowhere[i].wh : nowhere[i].bh;
        if (!code || strcmp(code, "unimplemented-mode") == 0)
            continue;
        tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
        look(tile, &before);
        store(tile, 0, nowhere[i].reg_addr, 0x12345678);
        look(tile, &after);
        same(&before, &after);
        assert_int_equal(fetch(tile, 0, nowhere[i].reg_addr), 0);
        tile_says(tile, code, nowhere[i].words);
        tsr_tile_destroy(tile);
    }
}

TILE_BOTH(kept)
TILE_BOTH(config_read_out)
TILE_BOTH(push_instructions)
TILE_BOTH(push_status)
TILE_BOTH(pc_buffer_override)
TILE_BOTH(soft_reset)
TILE_BOTH(wall_clock)
TILE_BOTH(timestamps)
TILE_BOTH(tdma)
TILE_BOTH(unreachable)
TILE_BOTH(storeind_folds)
TILE_BOTH(unmapped_goes_on)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(kept),
        TILE_TEST(config_read_out),
        TILE_TEST(push_instructions),
        TILE_TEST(push_status),
        TILE_TEST(pc_buffer_override),
        TILE_TEST(soft_reset),
        TILE_TEST(wall_clock),
        TILE_TEST(timestamps),
        cmocka_unit_test(interrupts),
        cmocka_unit_test(data_ram),
        TILE_TEST(tdma),
        TILE_TEST(unreachable),
        TILE_TEST(storeind_folds),
        TILE_TEST(unmapped_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
