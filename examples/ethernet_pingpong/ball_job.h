// SPDX-License-Identifier: Apache-2.0
// What the programs of this example and their host agree on: what is where in L1 of both Ethernet
// tiles.
#ifndef BALL_JOB_H
#define BALL_JOB_H

enum {
    TURNS = 0x18000,  // how often the ball goes over
    FIRST = 0x18004,  // the tile's first turn: 1 or 2
    CYCLES = 0x18008, // of the first tile, from its first turn to its last

    // The ball: numbers, and behind them two units of 16 bytes whose words are all the turn. Of a
    // packet the units from the third on go to L1 by two ways in turn, so that the last of each has
    // come when both show the turn (Wormhole's EthernetTxRx.md, "RX Queue Memory Ordering").
    // Blackhole's page promises no order; its receiver counts what is not in L1 yet.
    BALL_IN = 0x19000,
    BALL_OUT = 0x1a000,
    NUMBERS = 256,
    MARKS = 8,
    BALL_BYTES = 4 * (NUMBERS + MARKS)
};

#endif
