// SPDX-License-Identifier: Apache-2.0
// A tile for the tests of the scalar unit and of UNPACR_NOP: a line of L1, formatted instructions,
// and a port in place of the tile's registers.
#ifndef TESSERA_TESTS_SCALAR_RIG_H
#define TESSERA_TESTS_SCALAR_RIG_H

#include "rig/tile_rig.h"

static inline void scalar_push(tsr_tile *tile, int thread, const char *format, ...)
{
    char text[200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tile_push(tile, thread, text);
}

static inline void scalar_do(tsr_tile *tile, int thread, const char *format, ...)
{
    char text[200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tile_do(tile, thread, text);
}

static inline void scalar_words(tsr_tile *tile, uint32_t address, const uint32_t *words, int count)
{
    for (int i = 0; i < count; i++) {
        uint8_t bytes[4] = {(uint8_t)words[i], (uint8_t)(words[i] >> 8), (uint8_t)(words[i] >> 16),
                            (uint8_t)(words[i] >> 24)};
        assert_int_equal(tsr_l1_write(tile, address + 4u * (uint32_t)i, bytes, 4), TSR_OK);
    }
}

static inline void scalar_word(tsr_tile *tile, uint32_t address, uint32_t word)
{
    scalar_words(tile, address, &word, 1);
}

// The sixteen bytes 0x00, 0x11 to 0xff at 0x1000.
static inline void scalar_ramp(tsr_tile *tile)
{
    static const uint32_t words[4] = {0x33221100, 0x77665544, 0xbbaa9988, 0xffeeddcc};
    scalar_words(tile, 0x1000, words, 4);
}

// Registers that note the last access and return `answer`.
struct scalar_port {
    tsr_status answer;
    int agent, loads, stores;
    uint32_t address, value;
};

static inline tsr_status scalar_port_load(void *self, int agent, uint32_t address, uint32_t *value,
                                          int width)
{
    struct scalar_port *port = self;
    assert_int_equal(width, 4);
    port->agent = agent;
    port->address = address;
    port->loads++;
    *value = port->value;
    return port->answer;
}

static inline tsr_status scalar_port_store(void *self, int agent, uint32_t address, uint32_t value,
                                           int width)
{
    struct scalar_port *port = self;
    assert_int_equal(width, 4);
    port->agent = agent;
    port->address = address;
    port->stores++;
    if (port->answer == TSR_OK)
        port->value = value;
    return port->answer;
}

static inline void scalar_plug(tsr_tile *tile, struct scalar_port *port)
{
    tile_env(tile)->port = (struct tsr_port){port, scalar_port_load, scalar_port_store};
}

#endif
