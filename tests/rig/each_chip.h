// SPDX-License-Identifier: Apache-2.0
// A test function that takes the chip as its parameter, as a test on each chip.
#ifndef TESSERA_TESTS_EACH_CHIP_H
#define TESSERA_TESTS_EACH_CHIP_H

#include <tessera/tessera.h>

enum { WH = TSR_WORMHOLE_B0, BH = TSR_BLACKHOLE_A0 };

#define TILE_TEST(function) cmocka_unit_test(function##_wh), cmocka_unit_test(function##_bh)
#define TILE_BOTH(function)                                                                        \
    static void function##_wh(void **state)                                                        \
    {                                                                                              \
        (void)state;                                                                               \
        function(WH);                                                                              \
    }                                                                                              \
    static void function##_bh(void **state)                                                        \
    {                                                                                              \
        (void)state;                                                                               \
        function(BH);                                                                              \
    }

#endif
