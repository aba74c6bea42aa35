// SPDX-License-Identifier: Apache-2.0
// PC buffers with their override, mailboxes, local data RAM by both ways, the instruction RAM, and
// addresses that are not aligned. Pages: BabyRISCV/PCBufs.md, TTSync.md, Mailboxes.md, README.md of
// each chip, InstructionRAM.md.
#include "rig/mover_rig.h"

static const uint32_t pc_buffer = 0xffe80000u, ttsync = 0xffe80004u, mailboxes = 0xffec0000u,
                      local_ram = 0xffb00000u, override_bits = 0xffb12090u;

static tsr_status load(tsr_tile *tile, int core, uint32_t address, int width, uint32_t *value)
{
    return tsr_load(tile, (tsr_core)core, address, value, width);
}

static void assert_busy(tsr_tile *tile, int core, uint32_t address)
{
    uint32_t value;
    assert_int_equal(load(tile, core, address, 4, &value), TSR_BUSY);
}

static void assert_hangs(tsr_tile *tile, int core, uint32_t address, int width, bool store)
{
    uint32_t value;
    tsr_status status = store ? tsr_store(tile, (tsr_core)core, address, 1, width)
                              : load(tile, core, address, width, &value);
    assert_int_equal(status, TSR_STOPPED);
    assert_int_equal(tile_found(tile, "unmapped-address")->category, TSR_DEADLOCK);
    assert_int_equal(tile_found(tile, "unmapped-address")->core, core);
    tsr_tile_reset(tile);
}

// ---------------------------------------------------------------- PC buffers

static void test_pc_buffers(int arch)
{
    tsr_tile *tile = tile_default(arch);
    for (uint32_t i = 0; i < TSR_THREADS; i++) {
        uint32_t window = pc_buffer + 0x10000 * i;
        int reader = TSR_CORE_T0 + (int)i;
        for (uint32_t n = 0; n < 16; n++)
            put(tile, TSR_CORE_B, window + 0x444 * n, 100 * i + n);
        assert_int_equal(tsr_store(tile, TSR_CORE_B, window, 9, 4), TSR_BUSY);
        put(tile, reader, pc_buffer, 77); // discarded
        assert_busy(tile, TSR_CORE_B, window);
        for (uint32_t n = 0; n < 16; n++)
            assert_int_equal(get(tile, reader, pc_buffer), 100 * i + n);
        assert_busy(tile, TSR_CORE_B, window); // empty, but nobody waits for more
        assert_busy(tile, reader, pc_buffer);
        assert_int_equal(get(tile, TSR_CORE_B, window), 0);
        tile_push(tile, (int)i, "NOP"); // and the thread must be idle
        assert_busy(tile, TSR_CORE_B, window);
        tile_idle(tile);
        assert_int_equal(get(tile, TSR_CORE_B, window + 0xfffc), 0);
        put(tile, TSR_CORE_B, window, 5);
        assert_busy(tile, TSR_CORE_B, window);
        assert_int_equal(get(tile, reader, pc_buffer), 5);
        assert_busy(tile, TSR_CORE_B, window); // the load that waited has its word
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_pc_buffers)

// Enable at 10 i, busy at 10 i + 1, a value of eight bits at 10 i + 2.
static void test_pc_override(int arch)
{
    tsr_tile *tile = tile_default(arch);
    for (uint32_t i = 0; i < TSR_THREADS; i++) {
        uint32_t window = pc_buffer + 0x10000 * i, value;
        int reader = TSR_CORE_T0 + (int)i;
        put(tile, TSR_CORE_NC, override_bits, (1u | 0xa5u << 2) << (10 * i));
        assert_int_equal(get(tile, TSR_CORE_B, override_bits), (1u | 0xa5u << 2) << (10 * i));
        assert_int_equal(get(tile, reader, pc_buffer), 0xa5);
        put(tile, TSR_CORE_B, window, 0x12345678);
        assert_busy(tile, TSR_CORE_B, window);
        assert_int_equal(get(tile, reader, pc_buffer), 0x12345678); // what is there comes first
        put(tile, TSR_CORE_B, window, 1);
        put(tile, TSR_CORE_NC, override_bits, 3u << (10 * i));
        assert_int_equal(get(tile, TSR_CORE_B, window), 0);
        tile_push(tile, (int)i, "NOP");
        assert_int_equal(load(tile, reader, ttsync, 4, &value), TSR_OK); // it need not wait
        assert_int_equal(load(tile, reader, ttsync + 4, 4, &value), TSR_OK);
        put(tile, TSR_CORE_NC, override_bits, 2u << (10 * i)); // busy without enable
        assert_busy(tile, TSR_CORE_B, window);
        assert_busy(tile, reader, ttsync);
        tile_idle(tile);
        put(tile, TSR_CORE_NC, override_bits, 1u << ((10 * i + 10) % 30)); // another thread's
        get(tile, reader, pc_buffer);
        assert_busy(tile, reader, pc_buffer);
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_pc_override)

static void test_pc_buffers_hang(int arch)
{
    tsr_tile *tile = tile_default(arch);
    assert_hangs(tile, TSR_CORE_NC, pc_buffer, 4, false);
    assert_hangs(tile, TSR_CORE_T0, pc_buffer + 0x10000, 4, true);
    assert_hangs(tile, TSR_CORE_T1, pc_buffer + 0x20000, 4, false);
    assert_hangs(tile, TSR_CORE_B, pc_buffer, 2, true);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_pc_buffers_hang)

// ---------------------------------------------------------------- mailboxes

static uint32_t box(int other)
{
    return mailboxes + 0x1000 * (uint32_t)other;
}

static void test_mailboxes(int arch)
{
    tsr_tile *tile = tile_default(arch);
    for (int from = TSR_CORE_B; from <= TSR_CORE_T2; from++)
        for (int to = TSR_CORE_B; to <= TSR_CORE_T2; to++) {
            uint32_t word = 0x10101010u * (uint32_t)(1 + from) + (uint32_t)to, value;
            assert_int_equal(get(tile, to, box(from) + 4), 0);
            assert_busy(tile, to, box(from));
            put(tile, from, box(to) + 0xff8, word);
            put(tile, from, box(to), word + 1);
            for (int other = TSR_CORE_B; other <= TSR_CORE_T2; other++)
                if (other != to)
                    assert_int_equal(get(tile, other, box(from) + 4), 0);
            assert_int_equal(get(tile, to, box(from) + 4), 1);
            assert_int_equal(get(tile, to, box(from) + 0xff8), word);
            assert_int_equal(load(tile, to, box(from) + 2, 2, &value), TSR_OK); // pops as well
            assert_int_equal(value, (word + 1) >> 16);
            assert_int_equal(get(tile, to, box(from) + 4), 0);
        }
    assert_hangs(tile, TSR_CORE_NC, box(0), 4, false);
    assert_hangs(tile, TSR_CORE_T0, box(0), 1, true);
    assert_hangs(tile, TSR_CORE_T0, box(4), 4, true);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_mailboxes)

// Four words of one core at a time, wherever they go.
static void test_mailbox_room(int arch)
{
    tsr_tile *tile = tile_default(arch);
    for (int core = TSR_CORE_B; core <= TSR_CORE_T2; core++) {
        for (uint32_t i = 0; i < 4; i++)
            put(tile, core, box(core < 2 ? (int)i : 1), i);
        assert_int_equal(tsr_store(tile, (tsr_core)core, box(2), 4, 4), TSR_BUSY);
    }
    assert_int_equal(get(tile, TSR_CORE_T1, box(TSR_CORE_B)), 2);
    put(tile, TSR_CORE_B, box(3), 9);
    assert_int_equal(tsr_store(tile, TSR_CORE_B, box(2), 4, 4), TSR_BUSY);
    assert_int_equal(get(tile, TSR_CORE_T2, box(TSR_CORE_B)), 3);
    assert_int_equal(get(tile, TSR_CORE_T2, box(TSR_CORE_B)), 9);
    assert_int_equal(get(tile, TSR_CORE_T0, box(TSR_CORE_T2)), 0); // in the order of the stores
    assert_int_equal(get(tile, TSR_CORE_T0, box(TSR_CORE_T2)), 1);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_mailbox_room)

// ---------------------------------------------------------------- local RAM

static uint32_t ram_size(int arch, int core)
{
    uint32_t size = core == TSR_CORE_B || core == TSR_CORE_NC ? 4096 : 2048;
    return arch == WH ? size : 2 * size;
}

static void test_local_ram(int arch)
{
    tsr_tile *tile = tile_default(arch);
    uint32_t value;
    for (int core = TSR_CORE_B; core <= TSR_CORE_NC; core++) {
        uint32_t last = local_ram + ram_size(arch, core) - 4;
        put(tile, core, last, 0x44332211u + (uint32_t)core);
        assert_int_equal(tsr_store(tile, (tsr_core)core, last + 1, 0x5aa, 1), TSR_OK);
        assert_int_equal(tsr_store(tile, (tsr_core)core, last + 2, 0x7bbcc, 2), TSR_OK);
        assert_int_equal(get(tile, core, last), 0xbbccaa11u + (uint32_t)core);
        assert_int_equal(load(tile, core, last + 2, 2, &value), TSR_OK);
        assert_int_equal(value, 0xbbcc);
        assert_int_equal(load(tile, core, last + 1, 1, &value), TSR_OK);
        assert_int_equal(value, 0xaa);
        for (int other = TSR_CORE_B; other <= TSR_CORE_NC; other++) // each core has its own
            assert_int_equal(tile_state(tile)->cores.ram[other].bytes[last - local_ram] != 0,
                             other == core);
        tsr_tile_reset(tile);
        if (ram_size(arch, core) < (arch == WH ? 4096u : 8192u))
            assert_hangs(tile, core, last + 4, 4, true);
        assert_hangs(tile, core, local_ram + 0x2000, 1, false);
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_local_ram)

// Blackhole clears a core's RAM; on Wormhole nobody knows what is in it.
static void test_local_ram_never_written(int arch)
{
    tsr_tile *tile = tile_default(arch);
    uint32_t value;
    assert_int_equal(tsr_store(tile, TSR_CORE_T1, local_ram + 8, 7, 2), TSR_OK);
    assert_int_equal(load(tile, TSR_CORE_T1, local_ram + 8, 2, &value), TSR_OK);
    assert_int_equal(load(tile, TSR_CORE_T1, local_ram + 8, 4, &value),
                     arch == WH ? TSR_STOPPED : TSR_OK);
    assert_int_equal(tile_found(tile, "uninitialised-local-ram") != NULL, arch == WH);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_local_ram_never_written)

// 8 KiB each of B, NC, T0, T1, T2 from 0xffb14000, open to all; T cores' 4 KiB stand there twice.
static void test_slow_windows(void **state)
{
    (void)state;
    static const int owner[] = {TSR_CORE_B, TSR_CORE_NC, TSR_CORE_T0, TSR_CORE_T1, TSR_CORE_T2};
    tsr_tile *tile = tile_default(BH);
    uint32_t value;
    for (uint32_t i = 0; i < 5; i++) {
        uint32_t window = 0xffb14000u + 0x2000 * i, size = ram_size(BH, owner[i]);
        for (int core = TSR_CORE_B; core <= TSR_CORE_NC; core++) {
            put(tile, core, window + 0xffc, 0x1000 * i + (uint32_t)core);
            assert_int_equal(get(tile, owner[i], local_ram + 0xffc), 0x1000 * i + (uint32_t)core);
            assert_int_equal(get(tile, core, window + 0xffc + size % 0x2000),
                             0x1000 * i + (uint32_t)core);
        }
        assert_int_equal(tsr_store(tile, TSR_CORE_T2, window + 0x11, 0xab, 1), TSR_OK);
        assert_int_equal(load(tile, owner[i], local_ram + 0x10, 2, &value), TSR_OK);
        assert_int_equal(value, 0xab00);
    }
    tsr_tile_destroy(tile);
}

// Loads never return and stores are discarded; Blackhole has nothing there.
static void test_iram(int arch)
{
    tsr_tile *tile = tile_default(arch);
    if (arch == WH) {
        put(tile, TSR_CORE_NC, 0xffc00000u, 7);
        assert_int_equal(tile_state(tile)->cores.iram[0], 0);
        assert_int_equal(tsr_diagnostic_count(tile), 0);
    }
    assert_hangs(tile, TSR_CORE_NC, 0xffc00000u, 4, false);
    assert_hangs(tile, TSR_CORE_B, 0xffc00000u, 4, true);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_iram)

// ---------------------------------------------------------------- alignment

static void test_unaligned(int arch)
{
    tsr_tile *tile = tile_default(arch);
    uint32_t value;
    put(tile, TSR_CORE_B, 0x1000, 0x44332211);
    put(tile, TSR_CORE_T1, 0xffe00000u, 0x88776655);
    assert_int_equal(load(tile, TSR_CORE_B, 0x1002, 4, &value), TSR_OK);
    assert_int_equal(value, 0x44332211);
    assert_int_equal(tile_found(tile, "unaligned-access")->core, TSR_CORE_B);
    assert_int_equal(load(tile, TSR_CORE_NC, 0x1003, 2, &value), TSR_OK);
    assert_int_equal(value, 0x4433);
    assert_int_equal(load(tile, TSR_CORE_T1, 0xffe00003u, 4, &value), TSR_OK);
    assert_int_equal(value, 0x88776655);
    assert_int_equal(load(tile, TSR_CORE_T1, 0xffe00003u, 2, &value), TSR_OK);
    assert_int_equal(value, 0x8877);
    uint32_t expected = arch == WH ? 0x4433aabb : 0x44bbaa11;
    assert_int_equal(tsr_store(tile, TSR_CORE_T0, 0x1001, 0xaabb, 2), TSR_OK);
    assert_int_equal(tile_l1(tile, 0x1000), expected);
    tsr_tile_set_policy(tile, "unaligned-access", TSR_ACTION_STOP);
    assert_int_equal(tsr_store(tile, TSR_CORE_T0, 0x1001, 0xbbbb, 4), TSR_STOPPED);
    assert_int_equal(tile_l1(tile, 0x1000), expected);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_unaligned)

// Blackhole: an unaligned store changes the bytes from its address on, up to the end of 16, and
// does not turn the data.
static void test_unaligned_stores(void **state)
{
    (void)state;
    tsr_tile *tile = tile_default(BH);
    for (int core = TSR_CORE_B; core <= TSR_CORE_NC; core++)
        for (uint32_t width = 2; width <= 4; width += 2)
            for (uint32_t from = 0; from < 20; from++) {
                const uint32_t value = 0x1a2b3c4d, background = 0xdeadbeef;
                for (uint32_t at = 0; at < 32; at += 4)
                    put(tile, core, 0x2000 + at, background);
                assert_int_equal(tsr_store(tile, core, 0x2000 + from, value, (int)width), TSR_OK);
                for (uint32_t at = 0; at < 32; at++) {
                    bool within = at >= from && at < from + width;
                    bool same_line = at / 16 == from / 16;
                    uint32_t byte = within && same_line ? value >> (at % width * 8)
                                                        : background >> (at % 4 * 8);
                    assert_int_equal(tile_l1(tile, 0x2000 + (at & ~3u)) >> (at % 4 * 8) & 0xff,
                                     byte & 0xff);
                }
            }
    tsr_tile_destroy(tile);
}

// ---------------------------------------------------------------- instructions' own accesses

// They see what the NoC sees: no cores' own RAM, no GPRs, no configuration.
static void test_instructions_see(int arch)
{
    tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
    struct tsr_port port = tile_env(tile)->port;
    uint32_t value;
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        int agent = TSR_AGENT_TENSIX + thread;
        assert_int_equal(port.store(port.self, agent, tdma + 0x24, 0x100, 4), TSR_OK);
        assert_int_equal(port.load(port.self, agent, tdma + 0x24, &value, 4), TSR_OK);
        assert_int_equal(value, 0x100);
        assert_int_equal(port.store(port.self, agent, override_bits, 1, 4), TSR_OK);
        assert_int_equal(port.load(port.self, agent, local_ram, &value, 4), TSR_UNMAPPED);
        assert_non_null(
            strstr(tile_found(tile, "unmapped-address")->sentence, "An instruction of thread"));
        assert_int_equal(port.load(port.self, agent, 0xffe00000u, &value, 4), TSR_UNMAPPED);
        assert_int_equal(port.store(port.self, agent, 0xffef0000u, 1, 4), TSR_UNMAPPED);
        assert_int_equal(port.store(port.self, agent, pc_buffer, 1, 4), TSR_UNMAPPED);
        tsr_tile_set_policy(tile, "unimplemented", TSR_ACTION_RECORD);
        assert_int_equal(port.store(port.self, agent, 0xffb20000u, 1, 4), TSR_UNIMPLEMENTED);
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_instructions_see)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_pc_buffers),
        TILE_TEST(test_pc_override),
        TILE_TEST(test_pc_buffers_hang),
        TILE_TEST(test_mailboxes),
        TILE_TEST(test_mailbox_room),
        TILE_TEST(test_local_ram),
        TILE_TEST(test_local_ram_never_written),
        cmocka_unit_test(test_slow_windows),
        TILE_TEST(test_iram),
        TILE_TEST(test_unaligned),
        cmocka_unit_test(test_unaligned_stores),
        TILE_TEST(test_instructions_see),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
