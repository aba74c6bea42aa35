// SPDX-License-Identifier: Apache-2.0
// Several chips behind one library: TESSERA_CHIPS gives a host as many devices, TESSERA_LINKS
// connects their Ethernet tiles.
#include "ttsim/host.h"

#include "rig/child.h"
#include "rig/core_rig.h"
#include "rig/link_rig.h"

enum { PLACE = 0x1000 };

static void with(const char *chips, const char *links)
{
    setenv("TESSERA_CHIPS", chips, 1);
    setenv("TESSERA_LINKS", links, 1);
}

// The same library, seen by the BARs of another device.
static struct host device_of(const struct host *host, unsigned number)
{
    struct host device = *host;
    uint64_t *const bar[3] = {&device.bar0, &device.bar2, &device.bar4};
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t high = host->config_read(number << 3, 0x14 + 8 * i);
        *bar[i] = high << 32 | (host->config_read(number << 3, 0x10 + 8 * i) & ~15u);
    }
    return device;
}

static void use_devices(int arch)
{
    struct host host;
    with("3", "");
    host_begin(&host, arch);
    for (unsigned i = 0; i < 3; i++) {
        struct host device = device_of(&host, i);
        assert_int_equal(host.config_read(i << 3, 0), host.config_read(0, 0));
        assert_int_equal(device.bar4 - host.bar4, device.bar0 - host.bar0);
        assert_true(i == 0 || device.bar0 - host.bar0 >= (uint64_t)i << 36);
        host_put_word(&device, 1, 2, PLACE, 100 + i);
    }
    assert_true(host.config_read(3 << 3, 0) == UINT32_MAX);
    host.config_write(3 << 3, 0x10, 1);
    host.clock(640);
    for (unsigned i = 0; i < 3; i++) {
        struct host device = device_of(&host, i);
        assert_int_equal(host_word_of(&device, 1, 2, PLACE), 100 + i);
        assert_int_equal(host_word_of(&device, 1, 2, AT_WALL_CLOCK), 640);
    }
    struct host device = device_of(&host, 1);
    uint32_t word = 0;
    host.read(device.bar0 + 0x1f000000, &word, 4); // of device 1, and nothing
    assert_true(word == UINT32_MAX);
    host.read(3 * (device.bar0 - host.bar0) + host.bar0, &word, 4); // of no device
    host.exit();
    host.init(); // anew
    device = device_of(&host, 2);
    assert_int_equal(host_word_of(&device, 1, 2, PLACE), 0);
    host_end(&host);
}

static void devices(int arch)
{
    assert_int_equal(child(arch, use_devices), 0);
    assert_said("tessera: device 1, tile ");
    assert_said("tessera: device 0, tile ");
    assert_int_equal(count_of("(host-"), 2);
}
TILE_BOTH(devices)

// A raw packet goes from chip 0 to chip 1; three linked chips have one clock, the fourth its own.
static void use_links(int arch)
{
    struct host host;
    with("4", "0:8-1:0,2:3-1:1");
    host_begin(&host, arch);
    struct host chip[4];
    for (unsigned i = 0; i < 4; i++)
        chip[i] = device_of(&host, i);
    tsr_chip *map = chip_made(arch, false);
    struct end from = end_of(map, 8), to = end_of(map, 0);
    host_put_word(&chip[1], to.x, to.y, rx_at(to, 1, RX_SIZE), 0x10);
    host_put_word(&chip[0], from.x, from.y, tx_at(1, TX_START), PLACE);
    host_put_word(&chip[0], from.x, from.y, tx_at(1, TX_SIZE), 48);
    host_put_word(&chip[0], from.x, from.y, tx_at(1, TX_CMD), RAW);
    host.clock(6400);
    assert_int_equal(host_word_of(&chip[1], to.x, to.y, rx_at(to, 1, RX_PTR)), 48);
    assert_int_equal(host_word_of(&chip[2], to.x, to.y, rx_at(to, 1, RX_PTR)), 0);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(host_word_of(&chip[i], 1, 2, AT_WALL_CLOCK), 6400);
    tsr_chip_destroy(map);
    host_end(&host);
}

static void links(int arch)
{
    assert_int_equal(child(arch, use_links), 0);
    assert_string_equal(said, "");
}
TILE_BOTH(links)

static void begin_misspelt(int arch)
{
    struct host host;
    with("33", "0:0-0:1");
    host_begin(&host, arch);
    assert_true(host.config_read(1 << 3, 0) == UINT32_MAX);
    host.exit();
    setenv("TESSERA_POLICY", "lenient", 1);
    with("2", "0:8-1:0,0:8-1:1,0:99-1:2,0:1,x,1:2-2:0,0:1-1:-3,0:2-1:3:");
    host.init();
    host_end(&host);
}

static void misspelt(int arch)
{
    assert_int_equal(child(arch, begin_misspelt), 0);
    assert_said("TESSERA_CHIPS=33 is ignored; expected a number from 1 to 32");
    assert_said("tessera: 0:8-1:1 of TESSERA_LINKS is ignored; expected CHIP:TILE-CHIP:TILE, chips "
                "below 2");
    assert_int_equal(count_of("of TESSERA_LINKS is ignored"), 7);
    assert_int_equal(count_of("lenient of TESSERA_POLICY is ignored"), 1);
}
TILE_BOTH(misspelt)

int main(void)
{
    const struct CMUnitTest tests[] = {TILE_TEST(devices), TILE_TEST(links), TILE_TEST(misspelt)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
